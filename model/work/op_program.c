#include "model/work/op_program.h"
#include "core/error.h"
#include "model/work/opmap.h"
#include "model/work/traffic.h"
#include "roofline/xir.h"

/* A convolution writes for a tile op when that is its only consumer in the layer; the tile op names it as
 * input. */
static uint32_t sub_pixels_behind(const roof_graph *g, const roof_layer *layer, const roof_op *op)
{
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        const roof_op *other = layer_op(g, layer, i);
        uint32_t stride = roof_xir_op_of(g, other)->tile_stride;
        if (stride > 1 && op_input(g, other, ROOF_ROLE_INPUT) == op)
            return stride;
    }
    return 1;
}

roof_status row_add_work(roof_row *row, const op_work *work, roof_error *err)
{
    TRY(work_add_count(&row->macs, work->macs, err));
    TRY(work_add_count(&row->ops_count, work->ops_count, err));
    return work_add_count(&row->workload_ops, work->workload_ops, err);
}

/* Of one count of the operators of a layer: whether some that compute have it, and some lack it. */
typedef struct knowledge {
    bool any, lacks;
} knowledge;

static void note(knowledge *k, uint64_t count, bool computes)
{
    k->any = k->any || (count != ROOF_UNKNOWN && computes);
    k->lacks = k->lacks || count == ROOF_UNKNOWN;
}

roof_status row_set_operators(program_builder *b, const roof_layer *layer,
                              const workload_convention *convention, roof_row *row)
{
    knowledge macs = {0}, ops = {0};
    bool workload_known = convention->any_stored;
    roof_demand *demands;
    TRY(ARENA_GET(b->rows, demands, layer->n_ops, b->err));
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        const roof_op *op = layer_op(b->graph, layer, i);
        op_work work;
        TRY(op_work_of(b->graph, op, convention, &work, b->err));
        note(&macs, work.macs, rule_computes(op->rule));
        note(&ops, work.ops_count, rule_computes(op->rule));
        workload_known = workload_known && work.workload_ops != ROOF_UNKNOWN;
        demands[i] = (roof_demand){.op = b->graph->layer_ops[layer->first_op + i],
                                   .macs = work.macs,
                                   .ops_count = work.ops_count,
                                   .sub_pixels = sub_pixels_behind(b->graph, layer, op),
                                   .folds_kernel = roof_xir_op_of(b->graph, op)->channel_augmentation != 0};
        TRY(row_add_work(row, &work, b->err));
    }
    if (macs.lacks && !macs.any)
        row->macs = ROOF_UNKNOWN;
    if (ops.lacks && !ops.any)
        row->ops_count = ROOF_UNKNOWN;
    if (!workload_known)
        row->workload_ops = ROOF_UNKNOWN;
    row->stored_workload_ops = layer->stored_workload_ops;
    row->work.demands = demands;
    row->work.n_demands = layer->n_ops;
    return ROOF_OK;
}

static roof_status add_row(program_builder *b, const op_consumers *consumers,
                           const workload_convention *convention, const roof_layer *layer)
{
    roof_row *row = program_next_row(b);
    const roof_graph *g = b->graph;
    bool is_on_host = b->out->is_placed ? g->subgraphs[layer->subgraph].device == ROOF_DEVICE_CPU
                                        : !rule_on_accelerator(layer_op(g, layer, 0)->rule);
    row->executor = is_on_host ? ROOF_BY_HOST : ROOF_BY_ACCELERATOR;
    row->part = program_share(b, b->out->is_placed ? b->graph->subgraphs[layer->subgraph].name : "");
    TRY(row_set_texts(b, layer, row));
    TRY(row_set_operators(b, layer, convention, row));
    if (row->executor == ROOF_BY_HOST)
        return ROOF_OK;
    row->is_timed = row->is_boundary = true;
    row->work.cycles_basis = row->work.bytes_basis = ROOF_BASIS_FORMULA;
    return layer_traffic(b->graph, consumers, layer, &row->work.traffic, b->err);
}

roof_status op_program(program_builder *b, const workload_convention *convention)
{
    const roof_graph *g = b->graph;
    const op_consumers *consumers = consumers_of(g, b->rows);
    if (!consumers)
        return error_memory(b->err);
    TRY(ARENA_GET(b->rows, b->out->rows, g->n_layers, b->err));
    for (uint32_t i = 0; i < g->n_layers; i++)
        TRY(add_row(b, consumers, convention, &g->layers[i]));
    /* a row of known shapes has no count of operations where the window of a pooling is not known */
    const roof_row *first = NULL;
    uint32_t n = 0;
    for (uint32_t i = b->out->n_rows; i-- > 0;) {
        const roof_row *row = &b->out->rows[i];
        bool lacks = row->macs != ROOF_UNKNOWN && row->ops_count == ROOF_UNKNOWN;
        first = lacks ? row : first;
        n += lacks;
    }
    if (first)
        FIND(&b->out->findings[ROOF_ABOUT_ROWS], first->name, WINDOW_UNKNOWN, AS_COUNT(n),
             AS_TEXT(first->name));
    return ROOF_OK;
}
