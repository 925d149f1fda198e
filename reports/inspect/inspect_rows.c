/* The tables of `roofline inspect`: which rows and columns each section has. */
#include "reports/inspect/inspect.h"

#include <inttypes.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* 0 of something that is only there now and then reads better as a dash. */
static const char *present(const inspect_view *v, uint64_t value)
{
    return value ? inspect_count(v->arena, value) : "-";
}

static const char *number_from_1(const inspect_view *v, uint32_t index)
{
    return index == ROOF_NONE ? "-" : inspect_count(v->arena, (uint64_t)index + 1);
}

/* --- subgraphs ---------------------------------------------------------------------------------------- */

static const inspect_column subgraph_columns[] = {
    {"subgraph", .shorten = true, .tree = true},
    {"device", .shorten = true},
    {"layers", .right = true},
    {"ops", .right = true},
    {"workload [ops]", .drop = 1, .right = true},
    {"code [B]", .drop = 2, .right = true},
    {"layers' code [B]", .drop = 3, .right = true},
    {"registers", .drop = 4, .right = true},
};

/* What is below the devices are the layers, which have a table of their own. */
static bool is_subgraph_row(const roof_subgraph *s, bool all)
{
    return all || s->depth <= 1;
}

static uint64_t layers_code(const roof_graph *g, const roof_subgraph *s)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < s->n_layers; i++)
        bytes += g->layers[s->first_layer + i].code.length_bytes; /* parts of one file */
    return bytes;
}

static const char *device_cell(const inspect_view *v, const roof_subgraph *s)
{
    const char *mark = s->skip_code_gen ? " (no code)" : "";
    if (!s->device_name[0])
        return s->skip_code_gen ? "(no code)" : "";
    return arena_printf(v->arena, "%s%s", inspect_cell(v, s->device_name), mark);
}

static void set_subgraph_row(const inspect_view *v, inspect_table *t, size_t row, uint32_t index)
{
    const roof_graph *g = v->graph;
    const roof_subgraph *s = &g->subgraphs[index];
    bool device = s->device != ROOF_DEVICE_NONE;
    uint32_t n_layers = index ? s->n_layers : g->n_layers;
    inspect_table_set(t, row, 0, inspect_cell(v, s->name));
    inspect_table_set(t, row, 1, device_cell(v, s));
    inspect_table_set(t, row, 2, device || !index ? present(v, n_layers) : "");
    inspect_table_set(t, row, 3, inspect_count(v->arena, v->subgraph_ops[index]));
    inspect_table_set(t, row, 4, inspect_count(v->arena, s->stored_workload_ops));
    inspect_table_set(t, row, 5, present(v, s->code.length_bytes));
    inspect_table_set(t, row, 6, device ? present(v, layers_code(g, s)) : "-");
    inspect_table_set(t, row, 7, present(v, s->n_registers));
}

static inspect_table *subgraph_table(const inspect_view *v, const roof_render_options *options)
{
    const roof_graph *g = v->graph;
    uint32_t n = 0, *rows = NEW_ARRAY(v->arena, uint32_t, g->n_subgraphs);
    for (uint32_t i = 0; rows && i < g->n_subgraphs; i++)
        if (is_subgraph_row(&g->subgraphs[i], options->details))
            rows[i] = n++;
    inspect_table *t =
        rows ? inspect_table_new(v->arena, subgraph_columns, COUNT(subgraph_columns), n) : NULL;
    for (uint32_t i = 0; t && i < g->n_subgraphs; i++) {
        if (!is_subgraph_row(&g->subgraphs[i], options->details))
            continue;
        set_subgraph_row(v, t, rows[i], i);
        t->parents[rows[i]] = i ? rows[g->subgraphs[i].parent] : ROOF_NONE;
    }
    return t;
}

static bool has_subgraphs(const inspect_view *v, const roof_render_options *options)
{
    (void)options;
    return v->graph->compiled && !v->graph->plan; /* the programs of a plan have a table of their own */
}

/* --- registers ---------------------------------------------------------------------------------------- */

static const inspect_column register_columns[] = {
    {"register", .drop = 0},
    {"holds", .drop = 0},
    {"size [B]", .right = true},
    {"in the file [B]", .right = true, .drop = 2},
    {"subgraph", .shorten = true, .drop = 1},
};

static inspect_table *register_table(const inspect_view *v, const roof_render_options *options)
{
    const roof_graph *g = v->graph;
    size_t row = 0;
    (void)options;
    inspect_table *t = inspect_table_new(v->arena, register_columns, COUNT(register_columns), g->n_registers);
    for (uint32_t i = 0; t && i < g->n_subgraphs; i++) {
        const roof_subgraph *s = &g->subgraphs[i];
        const char *name = s->n_registers ? inspect_cell(v, s->name) : "";
        for (uint32_t j = 0; j < s->n_registers; j++, row++) {
            const roof_register *r = &v->registers[s->first_register + j];
            inspect_table_set(t, row, 0, arena_printf(v->arena, "REG_%" PRId32, r->id));
            inspect_table_set(t, row, 1, r->constant ? "CONST" : "DATA");
            inspect_table_set(t, row, 2, inspect_count(v->arena, r->size_bytes));
            inspect_table_set(t, row, 3, present(v, r->parameter_bytes));
            inspect_table_set(t, row, 4, name);
        }
    }
    return t;
}

static bool has_registers(const inspect_view *v, const roof_render_options *options)
{
    (void)options;
    return v->graph->n_registers > 0;
}

/* --- layers ------------------------------------------------------------------------------------------- */

static const inspect_column layer_columns[] = {
    {"#", .right = true},
    {"layer", .shorten = true},
    {"device", .shorten = true, .drop = 2},
    {"ops", .shorten = true, .drop = 1},
    {"output", .drop = 0},
    {"weights [B]", .right = true},
    {"workload [ops]", .right = true, .drop = 3},
    {"code [B]", .right = true, .drop = 4},
};

static const char *output_cell(const inspect_view *v, const inspect_layer *l)
{
    if (l->output == ROOF_NONE)
        return "-";
    const char *dims = inspect_dims(v->arena, &v->graph->ops[l->output].out);
    if (l->n_outputs < 2 || !dims)
        return dims;
    return arena_printf(v->arena, "%s (+%" PRIu32 ")", dims, l->n_outputs - 1);
}

static const char *types_cell(const inspect_view *v, uint32_t layer)
{
    const char *types = inspect_layer_types(v, layer);
    if (!types || !v->graph->layers[layer].skip_code_gen)
        return types;
    return arena_printf(v->arena, "%s (no code)", types);
}

static inspect_table *layer_table(const inspect_view *v, const roof_render_options *options)
{
    const roof_graph *g = v->graph;
    (void)options;
    inspect_table *t = inspect_table_new(v->arena, layer_columns, COUNT(layer_columns), g->n_layers);
    for (uint32_t i = 0; t && i < g->n_layers; i++) {
        const roof_layer *l = &g->layers[i];
        inspect_table_set(t, i, 0, number_from_1(v, i));
        inspect_table_set(t, i, 1, inspect_cell(v, l->name));
        inspect_table_set(t, i, 2, inspect_cell(v, g->subgraphs[l->subgraph].device_name));
        inspect_table_set(t, i, 3, types_cell(v, i));
        inspect_table_set(t, i, 4, output_cell(v, &v->layers[i]));
        inspect_table_set(t, i, 5, present(v, v->layers[i].weights_bytes));
        inspect_table_set(t, i, 6, inspect_count(v->arena, l->stored_workload_ops));
        inspect_table_set(t, i, 7, present(v, l->code.length_bytes));
    }
    return t;
}

/* One layer per operator: the list of operators says the same. */
static bool has_layers(const inspect_view *v, const roof_render_options *options)
{
    return v->graph->n_layers && !v->graph->plan && (v->graph->compiled || options->details);
}

/* --- types of operators ------------------------------------------------------------------------------- */

static const inspect_column type_columns[] = {
    {"type", .shorten = true},
    {"counted as", .drop = 0},
    {"ops", .right = true},
    {"output [B]", .right = true},
};

static inspect_table *type_table(const inspect_view *v, const roof_render_options *options)
{
    (void)options;
    inspect_table *t = inspect_table_new(v->arena, type_columns, COUNT(type_columns), v->n_types);
    for (uint32_t i = 0; t && i < v->n_types; i++) {
        const inspect_type *type = &v->types[i];
        inspect_table_set(t, i, 0, inspect_cell(v, type->type));
        inspect_table_set(t, i, 1, roof_rule_text(type->rule));
        inspect_table_set(t, i, 2, inspect_count(v->arena, type->count));
        inspect_table_set(t, i, 3, inspect_count(v->arena, type->output_bytes));
    }
    return t;
}

static bool has_types(const inspect_view *v, const roof_render_options *options)
{
    return v->n_types && (!v->graph->compiled || options->details);
}

/* --- operators and their tensors ---------------------------------------------------------------------- */

static const inspect_column op_columns[] = {
    {"op", .right = true},
    {"name", .shorten = true},
    {"type", .shorten = true},
    {"layer", .right = true, .drop = 1},
    {"reads", .shorten = true, .drop = 4},
    {"tensor", .drop = 0},
    {"bits", .right = true, .drop = 3},
    {"size [B]", .right = true},
    {"at", .drop = 2},
};

/* Where the tensor lives: on the chip, or behind an address register. */
static const char *place_cell(const inspect_view *v, const roof_tensor *t)
{
    if (!v->graph->compiled)
        return "-";
    if (t->reg_id < 0)
        return t->in_ddr ? "DDR" : "-";
    if (!t->in_ddr)
        return "chip";
    if (t->ddr_addr < 0)
        return arena_printf(v->arena, "REG_%" PRId32, t->reg_id);
    return arena_printf(v->arena, "REG_%" PRId32 ":0x%" PRIx64 "%s", t->reg_id, (uint64_t)t->ddr_addr,
                        t->in_place ? " strided" : "");
}

/* "12 13 14": numbers of the ops that it reads. */
static const char *reads_cell(const inspect_view *v, const roof_op *op)
{
    textbuf text;
    const char *cell;
    text_init(&text, TEXT_MAX_BYTES);
    for (uint32_t e = 0; e < op->n_inputs; e++)
        text_printf(&text, "%s%" PRIu32, e ? " " : "", v->graph->edges[op->first_input + e].op);
    cell = text.failed ? NULL : arena_strdup(v->arena, text.bytes ? text.bytes : "-");
    text_free(&text);
    return cell;
}

static inspect_table *op_table(const inspect_view *v, const roof_render_options *options)
{
    const roof_graph *g = v->graph;
    (void)options;
    inspect_table *t = inspect_table_new(v->arena, op_columns, COUNT(op_columns), g->n_ops);
    for (uint32_t i = 0; t && i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        inspect_table_set(t, i, 0, arena_printf(v->arena, "%" PRIu32, i));
        inspect_table_set(t, i, 1, inspect_cell(v, op->name));
        inspect_table_set(t, i, 2, inspect_cell(v, op->type));
        inspect_table_set(t, i, 3, number_from_1(v, op->layer));
        inspect_table_set(t, i, 4, reads_cell(v, op));
        inspect_table_set(t, i, 5, inspect_dims(v->arena, &op->out));
        inspect_table_set(t, i, 6, present(v, op->out.bit_width));
        inspect_table_set(t, i, 7, inspect_count(v->arena, op->out.bytes));
        inspect_table_set(t, i, 8, place_cell(v, &op->out));
    }
    return t;
}

static bool has_ops(const inspect_view *v, const roof_render_options *options)
{
    return v->graph->n_ops && options->details;
}

/* --- all of them -------------------------------------------------------------------------------------- */

const inspect_section *inspect_section_at(size_t i)
{
    static const inspect_section sections[] = {
        {"Subgraphs", has_subgraphs, subgraph_table},
        {"Address registers of the accelerator", has_registers, register_table},
        {"Memory pools", inspect_has_plan, inspect_pool_table},
        {"Where the file of pools says something else", inspect_has_differences, inspect_difference_table},
        {"Programs of the epoch controller", inspect_has_blobs, inspect_blob_table},
        {"Layers in order of execution", has_layers, layer_table},
        {"Epochs in order of execution", inspect_has_plan, inspect_epoch_table},
        {"What epochs move in every pool", inspect_has_plan_details, inspect_access_table},
        {"Operators of the epochs", inspect_has_plan_details, inspect_plan_op_table},
        {"Operators by type", has_types, type_table},
        {"Operators and their tensors", has_ops, op_table},
    };
    return i < COUNT(sections) ? &sections[i] : NULL;
}
