/* CSV (RFC 4180) with one header line: one row per layer, with details one row per operator; of a plan one row per epoch,
 * with details one row per epoch and memory pool.
 *
 * Numbers are plain; what is not known is an empty field. A text that begins with = + - @ would be run
 * as a formula by spreadsheets, so it gets an apostrophe in front, which they hide.
 */
#include "core/csvout.h"
#include "reports/inspect/inspect.h"
#include "reports/renderer.h"

#include <inttypes.h>
#include <string.h>

/* What has no memory leaves the output failed. */
static void add_made_text(textbuf *out, const char *text)
{
    out->failed = out->failed || !text;
    csv_next_text(out, text);
}

static void add_layer(const inspect_view *v, uint32_t i, textbuf *out)
{
    const roof_graph *g = v->graph;
    const roof_layer *l = &g->layers[i];
    const inspect_layer *sums = &v->layers[i];
    const char *types = inspect_layer_types(v, i);
    text_printf(out, "%" PRIu32, i + 1);
    csv_next_text(out, l->name);
    csv_next_text(out, g->subgraphs[l->subgraph].name);
    csv_next_text(out, g->subgraphs[l->subgraph].device_name);
    add_made_text(out, types && strcmp(types, "-") == 0 ? "" : types);
    add_made_text(out, sums->output == ROOF_NONE ? "" : inspect_dims(v->arena, &g->ops[sums->output].out));
    csv_next_count(out, sums->n_outputs);
    csv_next_count(out, l->n_ops);
    csv_next_count(out, sums->weights_bytes);
    csv_next_count(out, l->stored_workload_ops);
    text_printf(out, ",%" PRIu64 ",%d\n", l->code.length_bytes, l->skip_code_gen);
}

static void add_place(const roof_tensor *t, bool compiled, textbuf *out)
{
    csv_next_count(out, t->reg_id >= 0 ? (uint64_t)t->reg_id : ROOF_UNKNOWN);
    csv_next_count(out, t->ddr_addr >= 0 ? (uint64_t)t->ddr_addr : ROOF_UNKNOWN);
    text_printf(out, ",%s\n", !compiled ? "" : t->in_ddr ? "1" : "0");
}

static void add_op(const inspect_view *v, uint32_t i, textbuf *out)
{
    const roof_op *op = &v->graph->ops[i];
    text_printf(out, "%" PRIu32, i);
    csv_next_text(out, op->name);
    csv_next_text(out, op->type);
    csv_next_text(out, roof_rule_text(op->rule));
    csv_next_count(out, op->layer == ROOF_NONE ? ROOF_UNKNOWN : (uint64_t)op->layer + 1);
    text_puts(out, ",");
    for (uint32_t e = 0; e < op->n_inputs; e++)
        text_printf(out, "%s%" PRIu32, e ? " " : "", v->graph->edges[op->first_input + e].op);
    csv_next_count(out, op->stored_workload_ops);
    csv_next_text(out, op->out.name);
    add_made_text(out, inspect_dims(v->arena, &op->out));
    csv_next_count(out, op->out.bit_width);
    csv_next_count(out, op->out.bytes);
    add_place(&op->out, v->graph->compiled, out);
}

/* --- of a plan ---------------------------------------------------------------------------------------- */

static void add_epoch(const inspect_view *v, uint32_t i, textbuf *out)
{
    const roof_plan *plan = v->graph->plan;
    const roof_epoch *e = &plan->epochs[i];
    const char *kinds = inspect_plan_kinds(v, e);
    inspect_moved moved = inspect_plan_moved(plan, e);
    const uint64_t counts[] = {e->ops_count,     e->compute_cycles, e->stored_vendor_cycles,
                               moved.read_bytes, moved.write_bytes, e->outside_bytes};
    text_printf(out, "%" PRIu32, i + 1);
    csv_next_text(out, v->graph->layers[i].name);
    csv_next_text(out, roof_epoch_kind_text(e->kind));
    add_made_text(out, kinds && strcmp(kinds, "-") == 0 ? "" : kinds);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        csv_next_count(out, counts[k]);
    csv_next_text(out, e->blob == ROOF_NONE ? "" : plan->blobs[e->blob].name);
    text_puts(out, "\n");
}

static void add_accesses(const inspect_view *v, uint32_t i, textbuf *out)
{
    const roof_plan *plan = v->graph->plan;
    const roof_epoch *e = &plan->epochs[i];
    for (uint32_t k = 0; k < e->n_accesses; k++) {
        const roof_pool_access *a = &plan->accesses[e->first_access + k];
        const uint64_t counts[] = {a->read_bytes, a->write_bytes, a->read_cycles, a->write_cycles};
        text_printf(out, "%" PRIu32, i + 1);
        csv_next_text(out, v->graph->layers[i].name);
        csv_next_text(out, plan->pools[a->pool].name);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            csv_next_count(out, counts[c]);
        text_puts(out, "\n");
    }
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
    void (*add)(const inspect_view *view, uint32_t i, textbuf *out);
} csv_table;

static csv_table choose_table(const roof_graph *g, bool details)
{
    if (g->plan)
        return details ? (csv_table){access_header, g->plan->n_epochs, add_accesses}
                       : (csv_table){epoch_header, g->plan->n_epochs, add_epoch};
    return details ? (csv_table){op_header, g->n_ops, add_op}
                   : (csv_table){layer_header, g->n_layers, add_layer};
}

roof_status inspect_csv(const roof_graph *graph, const roof_render_options *options, textbuf *out,
                        roof_error *err)
{
    inspect_view view;
    csv_table table = choose_table(graph, options->details);
    roof_status status = inspect_view_init(graph, &view, err);
    text_puts(out, table.header);
    for (uint32_t i = 0; status == ROOF_OK && i < table.n; i++)
        table.add(&view, i, out);
    if (status == ROOF_OK)
        status = text_status(out, err);
    return inspect_view_end(&view, status, err);
}
