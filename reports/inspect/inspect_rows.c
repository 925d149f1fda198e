/* The tables of `roofline inspect`: which rows and columns each section has. */
#include "reports/inspect/inspect.h"

#include <inttypes.h>

/* 0 of something that is only there now and then reads better as a dash. */
static grid_cell present(uint64_t value)
{
    return cell_or_none(cell_count(value));
}

static grid_cell number_from_1(uint32_t index)
{
    return cell_count(index == ROOF_NONE ? ROOF_UNKNOWN : (uint64_t)index + 1);
}

/* --- subgraphs ---------------------------------------------------------------------------------------- */

GRID_COLUMNS(subgraph_columns, INSPECT_NAME("subgraph", NULL, 0), INSPECT_NAME("device", NULL, 0),
             INSPECT_NUMBER("layers", NULL, 0), INSPECT_NUMBER("ops", NULL, 0),
             INSPECT_NUMBER("workload [ops]", NULL, 1), INSPECT_NUMBER("code [B]", NULL, 2),
             INSPECT_NUMBER("layers' code [B]", NULL, 3), INSPECT_NUMBER("registers", NULL, 4));

static uint64_t layers_code(const roof_graph *g, const roof_subgraph *s)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < s->n_layers; i++)
        bytes +=
            roof_xir_layer_of(g, &g->layers[s->first_layer + i])->code.length_bytes; /* parts of one file */
    return bytes;
}

static grid_cell device(const inspect_view *v, const roof_subgraph *s)
{
    bool has_no_code = roof_xir_subgraph_of(v->graph, s)->skip_code_gen;
    if (!s->device_name[0])
        return has_no_code ? cell_text("(no code)") : cell_empty;
    return cell_text(has_no_code ? arena_printf(v->arena, "%s (no code)", s->device_name) : s->device_name);
}

/* What is below the devices are the layers, which have a table of their own; the programs of a plan have one as well. */
static void fill_subgraphs(const inspect_view *v, cell_grid *t)
{
    const roof_graph *g = v->graph;
    uint32_t *rows = NEW_ARRAY(v->arena, uint32_t, g->n_subgraphs);
    if (!rows || !g->compiled || roof_plan_of(v->graph))
        return;
    for (uint32_t i = 0; i < g->n_subgraphs; i++) {
        const roof_subgraph *s = &g->subgraphs[i];
        const roof_xir_subgraph *own = roof_xir_subgraph_of(g, s);
        bool runs = s->device != ROOF_DEVICE_NONE;
        if (s->depth > 1 && !v->details)
            continue;
        rows[i] = (uint32_t)t->n_rows;
        GRID_ADD(t, cell_text(s->name), device(v, s),
                 runs || !i ? present(i ? s->n_layers : g->n_layers) : cell_empty,
                 cell_count(v->subgraph_ops[i]), cell_count(s->stored_workload_ops),
                 present(own->code.length_bytes), runs ? present(layers_code(g, s)) : cell_none,
                 present(own->n_registers));
        grid_hang(t, i ? rows[s->parent] : ROOF_NONE);
    }
}

/* --- registers ---------------------------------------------------------------------------------------- */

GRID_COLUMNS(register_columns, INSPECT_TEXT("register", NULL, 0), INSPECT_TEXT("holds", NULL, 0),
             INSPECT_NUMBER("size [B]", NULL, 0), INSPECT_NUMBER("in the file [B]", NULL, 2),
             INSPECT_NAME("subgraph", NULL, 1));

static void fill_registers(const inspect_view *v, cell_grid *t)
{
    const roof_graph *g = v->graph;
    for (uint32_t i = 0; i < g->n_subgraphs; i++) {
        const roof_xir_subgraph *own = roof_xir_subgraph_of(g, &g->subgraphs[i]);
        for (uint32_t j = 0; j < own->n_registers; j++) {
            const roof_register *r = &own->registers[j];
            GRID_ADD(t, cell_text(arena_printf(v->arena, "REG_%" PRId32, r->id)),
                     cell_text(r->constant ? "CONST" : "DATA"), cell_count(r->size_bytes),
                     present(r->parameter_bytes), cell_text(g->subgraphs[i].name));
        }
    }
}

/* --- layers ------------------------------------------------------------------------------------------- */

GRID_COLUMNS(layer_columns, INSPECT_NUMBER("#", "index", 0), INSPECT_NAME("layer", "name", 0),
             INSPECT_TEXT(NULL, "subgraph", 0), INSPECT_NAME("device", "device", 2),
             INSPECT_NAME("ops", NULL, 1), INSPECT_TEXT(NULL, "types", 0), INSPECT_TEXT("output", NULL, 0),
             INSPECT_TEXT(NULL, "output", 0), INSPECT_TEXT(NULL, "outputs", 0), INSPECT_TEXT(NULL, "ops", 0),
             INSPECT_NUMBER("weights [B]", "weights_bytes", 0),
             INSPECT_NUMBER("workload [ops]", "stored_workload_ops", 3),
             INSPECT_NUMBER("code [B]", "code_bytes", 4), INSPECT_TEXT(NULL, "skip_code_gen", 0));

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
    const char *output = sums->output == ROOF_NONE ? "" : inspect_dims(v->arena, &g->ops[sums->output].out),
               *outputs = output;
    if (own->skip_code_gen && types)
        shown = arena_printf(v->arena, "%s (no code)", *types ? types : "-");
    if (sums->n_outputs > 1)
        outputs = arena_printf(v->arena, "%s (+%" PRIu32 ")", output, sums->n_outputs - 1);
    GRID_ADD(t, number_from_1(i), cell_text(l->name), cell_text(g->subgraphs[l->subgraph].name),
             cell_text(g->subgraphs[l->subgraph].device_name), cell_text(shown), cell_text(types),
             cell_text(outputs), cell_text(output), cell_count(sums->n_outputs), cell_count(l->n_ops),
             present(sums->weights_bytes), cell_count(l->stored_workload_ops),
             present(own->code.length_bytes), cell_count(own->skip_code_gen));
}

/* Of a file that is only quantised a layer is an operator: people see them in the list of operators. */
static void fill_layers(const inspect_view *v, cell_grid *t)
{
    bool wanted = t->csv || (!roof_plan_of(v->graph) && (v->graph->compiled || v->details));
    for (uint32_t i = 0; wanted && i < v->graph->n_layers; i++)
        add_layer(v, i, t);
}

/* --- types of operators ------------------------------------------------------------------------------- */

GRID_COLUMNS(type_columns, INSPECT_NAME("type", NULL, 0), INSPECT_TEXT("counted as", NULL, 0),
             INSPECT_NUMBER("ops", NULL, 0), INSPECT_NUMBER("output [B]", NULL, 0));

static void fill_types(const inspect_view *v, cell_grid *t)
{
    bool wanted = !v->graph->compiled || v->details;
    for (uint32_t i = 0; wanted && i < v->n_types; i++)
        GRID_ADD(t, cell_text(v->types[i].type), cell_text(roof_rule_text(v->types[i].rule)),
                 cell_count(v->types[i].count), cell_count(v->types[i].output_bytes));
}

/* --- operators and their tensors ---------------------------------------------------------------------- */

GRID_COLUMNS(op_columns, INSPECT_NUMBER("op", "index", 0), INSPECT_NAME("name", "name", 0),
             INSPECT_NAME("type", "type", 0), INSPECT_TEXT(NULL, "rule", 0),
             INSPECT_NUMBER("layer", "layer", 1), INSPECT_NAME("reads", "inputs", 4),
             INSPECT_TEXT(NULL, "stored_workload_ops", 0), INSPECT_TEXT(NULL, "tensor", 0),
             INSPECT_TEXT("tensor", "dims", 0), INSPECT_NUMBER("bits", "bits", 3),
             INSPECT_NUMBER("size [B]", "bytes", 0), INSPECT_TEXT("at", NULL, 2),
             INSPECT_TEXT(NULL, "register", 0), INSPECT_TEXT(NULL, "address_bytes", 0),
             INSPECT_TEXT(NULL, "in_ddr", 0));

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

/* "12 13 14": numbers of the ops that it reads. */
static const char *reads(const inspect_view *v, const roof_op *op)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    for (uint32_t e = 0; e < op->n_inputs; e++)
        text_printf(&text, "%s%" PRIu32, e ? " " : "", v->graph->edges[op->first_input + e].op);
    const char *cell = text.failed ? NULL : arena_strdup(v->arena, text.bytes ? text.bytes : "");
    text_free(&text);
    return cell;
}

static void fill_ops(const inspect_view *v, cell_grid *t)
{
    const roof_graph *g = v->graph;
    for (uint32_t i = 0; v->details && i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        const roof_tensor *out = &op->out;
        const roof_xir_op *at = roof_xir_op_of(g, op);
        GRID_ADD(t, cell_number(i, 0), cell_text(op->name), cell_text(op->type),
                 cell_text(roof_rule_text(op->rule)), number_from_1(op->layer), cell_text(reads(v, op)),
                 cell_count(op->stored_workload_ops), cell_text(out->name),
                 cell_text(inspect_dims(v->arena, out)), present(out->bit_width), cell_count(out->bytes),
                 cell_text(place(v, at)), cell_count(at->reg_id < 0 ? ROOF_UNKNOWN : (uint64_t)at->reg_id),
                 cell_count(at->ddr_addr < 0 ? ROOF_UNKNOWN : (uint64_t)at->ddr_addr),
                 g->compiled ? cell_count(at->in_ddr) : cell_empty);
    }
}

/* --- all of them -------------------------------------------------------------------------------------- */

enum { SUBGRAPHS, REGISTERS, LAYERS, TYPES, OPS };
static const inspect_section sections[] = {
    [SUBGRAPHS] = INSPECT_SECTION("Subgraphs", subgraph_columns, fill_subgraphs),
    [REGISTERS] = INSPECT_SECTION("Address registers of the accelerator", register_columns, fill_registers),
    [LAYERS] = INSPECT_SECTION("Layers in order of execution", layer_columns, fill_layers),
    [TYPES] = INSPECT_SECTION("Operators by type", type_columns, fill_types),
    [OPS] = INSPECT_SECTION("Operators and their tensors", op_columns, fill_ops)};

const inspect_section *inspect_section_at(size_t i)
{
    if (i >= LAYERS && i - LAYERS < INSPECT_PLAN_SECTIONS)
        return &inspect_plan_sections[i - LAYERS];
    i -= i < LAYERS ? 0 : INSPECT_PLAN_SECTIONS;
    return i < sizeof sections / sizeof *sections ? &sections[i] : NULL;
}

const inspect_section *inspect_section_of_csv(const inspect_view *v)
{
    return roof_plan_of(v->graph) ? &inspect_plan_sections[v->details ? INSPECT_ACCESSES : INSPECT_EPOCHS]
                                  : &sections[v->details ? OPS : LAYERS];
}
