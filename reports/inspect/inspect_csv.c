/* CSV (RFC 4180) with one header line: one row per layer, with details one row per operator; of a plan one row per epoch,
 * with details one row per epoch and memory pool.
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

/* --- of a plan ---------------------------------------------------------------------------------------- */

static roof_status add_epoch(const inspect_view *v, uint32_t i, roof_text *out, roof_error *err)
{
    const roof_plan *plan = v->graph->plan;
    const roof_epoch *e = &plan->epochs[i];
    const char *kinds = inspect_plan_kinds(v, e);
    inspect_moved moved = inspect_plan_moved(plan, e);
    const uint64_t counts[] = {e->ops_count,     e->compute_cycles, e->stored_vendor_cycles,
                               moved.read_bytes, moved.write_bytes, e->outside_bytes};
    if (!kinds)
        return roof_fail_memory(err);
    roof_text_printf(out, "%" PRIu32 ",", i + 1);
    ROOF_TRY(add_safe_text(v, out, v->graph->layers[i].name, err));
    roof_text_printf(out, ",%s,", roof_epoch_kind_text(e->kind));
    add_text(out, strcmp(kinds, "-") == 0 ? "" : kinds);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        roof_text_puts(out, ",");
        add_count(out, counts[k]);
    }
    roof_text_puts(out, ",");
    ROOF_TRY(add_safe_text(v, out, e->blob == ROOF_NONE ? "" : plan->blobs[e->blob].name, err));
    roof_text_puts(out, "\n");
    return ROOF_OK;
}

static roof_status add_accesses(const inspect_view *v, uint32_t i, roof_text *out, roof_error *err)
{
    const roof_plan *plan = v->graph->plan;
    const roof_epoch *e = &plan->epochs[i];
    for (uint32_t k = 0; k < e->n_accesses; k++) {
        const roof_pool_access *a = &plan->accesses[e->first_access + k];
        const uint64_t counts[] = {a->read_bytes, a->write_bytes, a->read_cycles, a->write_cycles};
        roof_text_printf(out, "%" PRIu32 ",", i + 1);
        ROOF_TRY(add_safe_text(v, out, v->graph->layers[i].name, err));
        roof_text_puts(out, ",");
        ROOF_TRY(add_safe_text(v, out, plan->pools[a->pool].name, err));
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            roof_text_puts(out, ",");
            add_count(out, counts[c]);
        }
        roof_text_puts(out, "\n");
    }
    return ROOF_OK;
}

/* --- the tables --------------------------------------------------------------------------------------- */

static const char layer_header[] =
    "index,name,subgraph,device,types,output,outputs,ops,weights_bytes,stored_workload_ops,"
    "code_bytes,skip_code_gen\n";
static const char op_header[] =
    "index,name,type,rule,layer,inputs,stored_workload_ops,tensor,dims,bits,bytes,register,"
    "address_bytes,in_ddr\n";

static const char epoch_header[] = "index,name,kind,operators,ops,compute_cycles,stored_vendor_cycles,"
                                   "read_bytes,write_bytes,outside_bytes,program\n";
static const char access_header[] = "index,epoch,pool,read_bytes,write_bytes,read_cycles,write_cycles\n";

typedef struct csv_table {
    const char *header;
    uint32_t n;
    roof_status (*add)(const inspect_view *view, uint32_t i, roof_text *out, roof_error *err);
} csv_table;

static csv_table choose_table(const roof_graph *g, bool details)
{
    if (g->plan)
        return details ? (csv_table){access_header, g->plan->n_epochs, add_accesses}
                       : (csv_table){epoch_header, g->plan->n_epochs, add_epoch};
    return details ? (csv_table){op_header, g->n_ops, add_op}
                   : (csv_table){layer_header, g->n_layers, add_layer};
}

roof_status roof_inspect_csv(const roof_graph *graph, const roof_render_options *options, roof_text *out,
                             roof_error *err)
{
    inspect_view view;
    csv_table table = choose_table(graph, options->details);
    roof_status status = inspect_view_init(graph, &view, err);
    roof_text_puts(out, table.header);
    for (uint32_t i = 0; status == ROOF_OK && i < table.n; i++)
        status = table.add(&view, i, out, err);
    return inspect_view_end(&view, status, err);
}
