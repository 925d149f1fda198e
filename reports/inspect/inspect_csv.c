/* CSV (RFC 4180) with one header line: one row per layer, with details one row per operator.
 *
 * Numbers are plain; what is not known is an empty field. A text that begins with = + - @ would be run
 * as a formula by spreadsheets, so it gets an apostrophe in front, which they hide.
 */
#include "core/error.h"
#include "reports/inspect/inspect.h"
#include "reports/renderer.h"

#include <inttypes.h>
#include <string.h>

static void add_text(roof_text *out, const char *text)
{
    const char *guard = *text && strchr("=+-@", *text) ? "'" : "";
    if (!*guard && !strpbrk(text, ",\"")) {
        roof_text_puts(out, text);
        return;
    }
    roof_text_printf(out, "\"%s", guard);
    for (const char *p = text; *p; p++)
        roof_text_add(out, *p == '"' ? "\"\"" : p, *p == '"' ? 2 : 1);
    roof_text_puts(out, "\"");
}

static void add_count(roof_text *out, uint64_t value)
{
    if (value != ROOF_UNKNOWN)
        roof_text_printf(out, "%" PRIu64, value);
}

static roof_status add_safe_text(const inspect_view *v, roof_text *out, const char *text, roof_error *err)
{
    const char *safe = inspect_shown(v->arena, text);
    if (!safe)
        return roof_fail_memory(err);
    add_text(out, safe);
    return ROOF_OK;
}

static roof_status add_layer(const inspect_view *v, uint32_t i, roof_text *out, roof_error *err)
{
    const roof_graph *g = v->graph;
    const roof_layer *l = &g->layers[i];
    const inspect_layer *sums = &v->layers[i];
    const char *types = inspect_layer_types(v, i);
    const char *dims = sums->output == ROOF_NONE ? "" : inspect_dims(v->arena, &g->ops[sums->output].out);
    if (!types || !dims)
        return roof_fail_memory(err);
    roof_text_printf(out, "%" PRIu32 ",", i + 1);
    ROOF_TRY(add_safe_text(v, out, l->name, err));
    roof_text_puts(out, ",");
    ROOF_TRY(add_safe_text(v, out, g->subgraphs[l->subgraph].name, err));
    roof_text_puts(out, ",");
    ROOF_TRY(add_safe_text(v, out, g->subgraphs[l->subgraph].device_name, err));
    roof_text_puts(out, ",");
    add_text(out, strcmp(types, "-") == 0 ? "" : types);
    roof_text_printf(out, ",%s,%" PRIu32 ",%" PRIu32 ",", dims, sums->n_outputs, l->n_ops);
    add_count(out, sums->weights_bytes);
    roof_text_puts(out, ",");
    add_count(out, l->stored_workload_ops);
    roof_text_printf(out, ",%" PRIu64 ",%d\n", l->code.length_bytes, l->skip_code_gen);
    return ROOF_OK;
}

static void add_place(const roof_tensor *t, bool compiled, roof_text *out)
{
    if (t->reg_id >= 0)
        roof_text_printf(out, "%" PRId32, t->reg_id);
    roof_text_puts(out, ",");
    if (t->ddr_addr >= 0)
        roof_text_printf(out, "%" PRId64, t->ddr_addr);
    roof_text_printf(out, ",%s\n", !compiled ? "" : t->in_ddr ? "1" : "0");
}

static roof_status add_op(const inspect_view *v, uint32_t i, roof_text *out, roof_error *err)
{
    const roof_op *op = &v->graph->ops[i];
    const char *dims = inspect_dims(v->arena, &op->out);
    if (!dims)
        return roof_fail_memory(err);
    roof_text_printf(out, "%" PRIu32 ",", i);
    ROOF_TRY(add_safe_text(v, out, op->name, err));
    roof_text_puts(out, ",");
    ROOF_TRY(add_safe_text(v, out, op->type, err));
    roof_text_printf(out, ",%s,", roof_rule_text(op->rule));
    if (op->layer != ROOF_NONE)
        roof_text_printf(out, "%" PRIu32, op->layer + 1);
    roof_text_puts(out, ",");
    for (uint32_t e = 0; e < op->n_inputs; e++)
        roof_text_printf(out, "%s%" PRIu32, e ? " " : "", v->graph->edges[op->first_input + e].op);
    roof_text_puts(out, ",");
    add_count(out, op->stored_workload_ops);
    roof_text_puts(out, ",");
    ROOF_TRY(add_safe_text(v, out, op->out.name, err));
    roof_text_printf(out, ",%s,%" PRIu32 ",", dims, op->out.bit_width);
    add_count(out, op->out.bytes);
    roof_text_puts(out, ",");
    add_place(&op->out, v->graph->compiled, out);
    return ROOF_OK;
}

static const char layer_header[] =
    "index,name,subgraph,device,types,output,outputs,ops,weights_bytes,stored_workload_ops,"
    "code_bytes,skip_code_gen\n";
static const char op_header[] =
    "index,name,type,rule,layer,inputs,stored_workload_ops,tensor,dims,bits,bytes,register,"
    "address_bytes,in_ddr\n";

roof_status roof_inspect_csv(const roof_graph *graph, const roof_render_options *options, roof_text *out,
                             roof_error *err)
{
    inspect_view view;
    roof_status status = inspect_view_init(graph, &view, err);
    roof_text_puts(out, options->details ? op_header : layer_header);
    for (uint32_t i = 0; status == ROOF_OK && options->details && i < graph->n_ops; i++)
        status = add_op(&view, i, out, err);
    for (uint32_t i = 0; status == ROOF_OK && !options->details && i < graph->n_layers; i++)
        status = add_layer(&view, i, out, err);
    inspect_view_free(&view);
    return status;
}
