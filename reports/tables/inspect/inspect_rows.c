/* The tables of `roofline inspect`: which rows and columns each section has. */
#include "reports/tables/inspect/inspect.h"

/* --- registers ---------------------------------------------------------------------------------------- */

GRID_COLUMNS(register_columns, INSPECT_TEXT("register", NULL, NULL, 0), INSPECT_JSON("id"),
             INSPECT_TEXT("holds", NULL, "holds", 0), INSPECT_NUMBER("size [B]", NULL, "size_bytes", 0),
             INSPECT_NUMBER("in the file [B]", NULL, "parameter_bytes", 2),
             INSPECT_NAME("subgraph", NULL, NULL, 1));

static void add_registers(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_subgraph *s = &v->graph->subgraphs[i];
    const roof_xir_subgraph *own = roof_xir_subgraph_of(v->graph, s);
    FOR_EACH(const roof_register, r, own->registers, own->n_registers)
        GRID_ADD(t, cell_text(arena_printf(v->arena, "REG_%" PRId32, r->id)), cell_count((uint64_t)r->id),
                 cell_text(r->constant ? "CONST" : "DATA"), cell_count(r->size_bytes),
                 inspect_present(r->parameter_bytes), cell_text(s->name));
}

/* --- subgraphs ---------------------------------------------------------------------------------------- */

GRID_COLUMNS(subgraph_columns, INSPECT_JSON("index"), INSPECT_NAME("subgraph", NULL, "name", 0),
             INSPECT_JSON("parent"), INSPECT_JSON("depth"), INSPECT_JSON("device"),
             INSPECT_JSON("device_kind"), INSPECT_JSON("target"), INSPECT_JSON("fingerprint"),
             INSPECT_JSON("code_mode"), INSPECT_NAME("device", NULL, NULL, 0), INSPECT_JSON("layers"),
             INSPECT_NUMBER("layers", NULL, NULL, 0), INSPECT_NUMBER("ops", NULL, "ops", 0),
             INSPECT_NUMBER("workload [ops]", NULL, "stored_workload_ops", 1),
             INSPECT_FLAG(NULL, "skip_code_gen"), INSPECT_NUMBER("code [B]", NULL, "code_bytes", 2),
             INSPECT_JSON("code_offset_bytes"), INSPECT_NUMBER("layers' code [B]", NULL, NULL, 3),
             INSPECT_NUMBER("registers", NULL, NULL, 4));

static const char *const device_words[] = {[ROOF_DEVICE_NONE] = "none",
                                           [ROOF_DEVICE_USER] = "user",
                                           [ROOF_DEVICE_CPU] = "cpu",
                                           [ROOF_DEVICE_ACCELERATOR] = "accelerator"};

static void add_subgraph(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_graph *g = v->graph;
    const roof_subgraph *s = &g->subgraphs[i];
    const roof_xir_subgraph *own = roof_xir_subgraph_of(g, s);
    bool runs = s->device != ROOF_DEVICE_NONE, is_target = s->device == ROOF_DEVICE_ACCELERATOR;
    uint32_t layers = i ? s->n_layers : g->n_layers;
    uint64_t layers_code = 0; /* parts of one file */
    const char *code = own->skip_code_gen ? "(no code)" : "", *between = *code && *s->device_name ? " " : "";
    if (s->depth > 1 && !v->details)
        return;
    for (uint32_t k = 0; k < s->n_layers && g->compiled; k++)
        layers_code += roof_xir_layer_of(g, &g->layers[s->first_layer + k])->code.length_bytes;
    v->subgraph_rows[i] = (uint32_t)t->n_rows;
    GRID_ADD(t, cell_count(i), cell_text(s->name), inspect_index(s->parent, 0), cell_count(s->depth),
             cell_text(s->device_name), cell_text(device_words[s->device]), cell_text(s->target),
             cell_text(is_target ? inspect_hex(v->arena, own->fingerprint) : ""), cell_text(own->code_mode),
             *s->device_name || *code
                 ? cell_text(say_printf(v->arena, "%s%s%s", s->device_name, between, code))
                 : cell_empty,
             cell_count(layers), runs || !i ? inspect_present(layers) : cell_empty,
             cell_count(v->subgraph_ops[i]), cell_count(s->stored_workload_ops),
             cell_count(own->skip_code_gen), inspect_present(own->code.length_bytes),
             cell_count(own->code.length_bytes ? own->code.file_offset : ROOF_UNKNOWN),
             runs ? inspect_present(layers_code) : cell_none, inspect_present(own->n_registers));
    if (t->json)
        inspect_list(v, inspect_section_at(INSPECT_REGISTERS), i, 1, t->json);
    grid_hang(t, i ? v->subgraph_rows[s->parent] : ROOF_NONE);
}

/* --- layers ------------------------------------------------------------------------------------------- */

GRID_COLUMNS(layer_columns, INSPECT_NUMBER("#", "index", "index", 0),
             INSPECT_NAME("layer", "name", "name", 0), INSPECT_TEXT(NULL, "subgraph", NULL, 0),
             INSPECT_JSON("subgraph"), INSPECT_JSON("node"), INSPECT_NAME("device", "device", NULL, 2),
             INSPECT_NAME("ops", NULL, NULL, 1), INSPECT_TEXT(NULL, "types", NULL, 0),
             INSPECT_TEXT("output", NULL, NULL, 0), INSPECT_TEXT(NULL, "output", NULL, 0),
             INSPECT_JSON("output_op"), INSPECT_TEXT(NULL, "outputs", "outputs", 0),
             INSPECT_TEXT(NULL, "ops", NULL, 0),
             INSPECT_NUMBER("weights [B]", "weights_bytes", "weights_bytes", 0),
             INSPECT_NUMBER("workload [ops]", "stored_workload_ops", "stored_workload_ops", 3),
             INSPECT_FLAG(NULL, "skip_code_gen"), INSPECT_NUMBER("code [B]", "code_bytes", "code_bytes", 4),
             INSPECT_JSON("code_offset_bytes"), INSPECT_FLAG("skip_code_gen", NULL));

static const char *type_of(const inspect_view *v, uint32_t i)
{
    const roof_op *op = &v->graph->ops[v->graph->layer_ops[i]];
    return op->rule == ROOF_RULE_CONSTANT ? NULL : op->type;
}

static void add_layer(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_graph *g = v->graph;
    const roof_layer *l = &g->layers[i];
    const inspect_layer *sums = &v->layers[i];
    const roof_xir_subgraph *own = roof_xir_layer_of(g, l);
    const char *types = inspect_chain(v, type_of, l->first_op, l->n_ops), *shown = types;
    const char *output = sums->output == ROOF_NONE ? "" : inspect_dims(v->arena, &g->ops[sums->output].out);
    if (own->skip_code_gen && types)
        shown = arena_printf(v->arena, "%s (no code)", *types ? types : "-");
    const char *outputs =
        sums->n_outputs > 1 ? arena_printf(v->arena, "%s (+%u)", output, sums->n_outputs - 1) : output;
    GRID_ADD(t, cell_count((uint64_t)i + 1), cell_text(l->name), cell_text(g->subgraphs[l->subgraph].name),
             cell_count(l->subgraph), inspect_index(l->node, 0),
             cell_text(g->subgraphs[l->subgraph].device_name));
    if (t->json) {
        jsonout_array(t->json, "ops", true);
        for (uint32_t k = 0; k < l->n_ops; k++)
            jsonout_count(t->json, NULL, g->layer_ops[l->first_op + k]);
        jsonout_end(t->json);
        jsonout_array(t->json, "types", true);
        for (uint32_t k = 0; k < l->n_ops; k++)
            if (type_of(v, l->first_op + k))
                jsonout_string(t->json, NULL, type_of(v, l->first_op + k));
        jsonout_end(t->json);
    }
    GRID_ADD(t, cell_text(shown), cell_text(types), cell_text(outputs), cell_text(output),
             inspect_index(sums->output, 0), cell_count(sums->n_outputs), cell_count(l->n_ops),
             inspect_present(sums->weights_bytes), cell_count(l->stored_workload_ops),
             cell_count(own->skip_code_gen), inspect_present(own->code.length_bytes),
             cell_count(own->code.length_bytes ? own->code.file_offset : ROOF_UNKNOWN),
             cell_count(own->skip_code_gen));
}

/* --- types of operators ------------------------------------------------------------------------------- */

GRID_COLUMNS(type_columns, INSPECT_NAME("type", NULL, "type", 0), INSPECT_TEXT("counted as", NULL, "rule", 0),
             INSPECT_NUMBER("ops", NULL, "ops", 0), INSPECT_NUMBER("output [B]", NULL, "output_bytes", 0));

static void add_type(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const inspect_type *type = &v->types[i];
    GRID_ADD(t, cell_text(type->type), cell_text(roof_rule_text(type->rule)), cell_count(type->count),
             cell_count(type->output_bytes));
}

/* --- operators and their tensors ---------------------------------------------------------------------- */

GRID_COLUMNS(op_columns, INSPECT_NUMBER("op", "index", "index", 0), INSPECT_NAME("name", "name", "name", 0),
             INSPECT_NAME("type", "type", "type", 0), INSPECT_TEXT(NULL, "rule", "rule", 0),
             INSPECT_NUMBER("layer", "layer", "layer", 1), INSPECT_JSON("subgraph"),
             INSPECT_NAME("reads", "inputs", NULL, 4),
             INSPECT_TEXT(NULL, "stored_workload_ops", "stored_workload_ops", 0),
             INSPECT_JSON("channel_augmentation"), INSPECT_NAME(NULL, "tensor", "name", 0),
             INSPECT_TEXT("tensor", "dims", NULL, 0), INSPECT_NUMBER("bits", "bits", "bits", 3),
             INSPECT_JSON("elements"), INSPECT_NUMBER("size [B]", "bytes", "bytes", 0),
             INSPECT_JSON("span_bytes"), INSPECT_TEXT("at", NULL, NULL, 2),
             INSPECT_TEXT(NULL, "register", "register", 0),
             INSPECT_TEXT(NULL, "address_bytes", "address_bytes", 0), INSPECT_FLAG("in_ddr", "in_ddr"),
             INSPECT_FLAG(NULL, "in_place"));
/* Where the tensor lives: on the chip, or behind an address register. */
static const char *place(const inspect_view *v, const roof_xir_op *at)
{
    if (!v->graph->compiled)
        return "";
    if (at->reg_id < 0)
        return at->in_ddr ? "DDR" : "";
    if (!at->in_ddr)
        return "chip";
    if (at->ddr_addr < 0)
        return arena_printf(v->arena, "REG_%" PRId32, at->reg_id);
    return arena_printf(v->arena, "REG_%" PRId32 ":0x%" PRIx64 "%s", at->reg_id, (uint64_t)at->ddr_addr,
                        at->in_place ? " strided" : "");
}

static const char *const role_words[] = {[ROOF_ROLE_INPUT] = "input",
                                         [ROOF_ROLE_WEIGHTS] = "weights",
                                         [ROOF_ROLE_BIAS] = "bias",
                                         [ROOF_ROLE_OTHER] = "other"};

static void put_window(const roof_window *w, jsonout *j)
{
    if (!w->kernel_h && !w->kernel_w && !w->stride_h && !w->stride_w) {
        jsonout_null(j, "window");
        return;
    }
    jsonout_object(j, "window", true);
    inspect_pair(j, "kernel_hw", w->kernel_h, w->kernel_w);
    if (w->stride_h || w->stride_w) {
        const double pads[] = {w->pad_left, w->pad_right, w->pad_top, w->pad_bottom};
        inspect_pair(j, "stride_hw", w->stride_h, w->stride_w);
        inspect_pair(j, "dilation_hw", w->dilation_h, w->dilation_w);
        jsonout_array(j, "pad_left_right_top_bottom", true);
        for (size_t i = 0; i < N_OF(pads); i++)
            jsonout_number(j, NULL, pads[i]);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void add_tensor(const inspect_view *v, const roof_op *op, cell_grid *t)
{
    const roof_tensor *out = &op->out;
    const roof_xir_op *at = roof_xir_op_of(v->graph, op);
    if (t->json)
        jsonout_object(t->json, "tensor", true);
    GRID_ADD(t, cell_text(out->name), cell_text(inspect_dims(v->arena, out)));
    if (t->json) {
        if (out->is_unknown)
            jsonout_null(t->json, "dims");
        else
            jsonout_array(t->json, "dims", true);
        for (uint32_t i = 0; i < out->n_dims && !out->is_unknown; i++)
            jsonout_count(t->json, NULL, out->dims[i]);
        if (!out->is_unknown)
            jsonout_end(t->json);
    }
    GRID_ADD(t, out->is_unknown ? cell_empty : inspect_present(out->bit_width),
             cell_count(out->is_unknown ? ROOF_UNKNOWN : out->elements),
             cell_count(out->is_unknown ? ROOF_UNKNOWN : out->bytes), cell_count(at->span_bytes),
             cell_text(place(v, at)), cell_count(at->reg_id < 0 ? ROOF_UNKNOWN : (uint64_t)at->reg_id),
             cell_count(at->ddr_addr < 0 ? ROOF_UNKNOWN : (uint64_t)at->ddr_addr),
             v->graph->compiled ? cell_count(at->in_ddr) : cell_empty, cell_count(at->in_place));
    if (t->json)
        jsonout_end(t->json);
}

static void add_op(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_op *op = &v->graph->ops[i];
    textbuf reads; /* "12 13 14": numbers of the ops that it reads */
    text_init(&reads, TEXT_MAX_BYTES);
    for (uint32_t e = 0; e < op->n_inputs; e++)
        text_printf(&reads, "%s%u", e ? " " : "", v->graph->edges[op->first_input + e].op);
    GRID_ADD(t, cell_number(i, 0), cell_text(op->name), cell_text(op->type),
             cell_text(roof_rule_text(op->rule)), inspect_index(op->layer, 1), inspect_index(op->subgraph, 0),
             cell_text(say_text(v->arena, &reads)), cell_count(op->stored_workload_ops));
    if (t->json) {
        jsonout *j = t->json;
        jsonout_array(j, "inputs", true);
        for (uint32_t e = 0; e < op->n_inputs; e++) {
            const roof_edge *edge = &v->graph->edges[op->first_input + e];
            jsonout_object(j, NULL, true);
            jsonout_count(j, "op", edge->op);
            jsonout_string(j, "role", role_words[edge->role]);
            jsonout_end(j);
        }
        jsonout_end(j);
        put_window(&op->window, t->json);
    }
    GRID_ADD(t, cell_count(roof_xir_op_of(v->graph, op)->channel_augmentation));
    add_tensor(v, op, t);
}

/* --- all of them -------------------------------------------------------------------------------------- */

static const inspect_section before_plan[INSPECT_POOLS] = {
    INSPECT_SECTION("Subgraphs", "subgraphs", false, subgraph_columns, add_subgraph),
    INSPECT_SECTION("Address registers of the accelerator", "registers", true, register_columns,
                    add_registers)};
static const inspect_section behind_plan[] = {
    INSPECT_SECTION("Layers in order of execution", "layers", false, layer_columns, add_layer),
    INSPECT_SECTION("Operators by type", "types", true, type_columns, add_type),
    INSPECT_SECTION("Operators and their tensors", "ops", false, op_columns, add_op)};

const inspect_section *inspect_section_at(size_t i)
{
    return i >= INSPECT_LAYERS  ? &behind_plan[i - INSPECT_LAYERS]
           : i >= INSPECT_CODES ? &inspect_code_sections[i - INSPECT_CODES]
           : i >= INSPECT_POOLS ? &inspect_plan_sections[i - INSPECT_POOLS]
                                : &before_plan[i];
}

void inspect_rows(const inspect_view *v, size_t section, cell_grid *t)
{
    for (uint32_t i = 0; i < v->n_items[section]; i++)
        inspect_section_at(section)->add(v, i, t);
}
