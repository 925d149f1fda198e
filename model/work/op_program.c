#include "model/work/op_program.h"
#include "model/graph/format.h"
#include "model/work/opmap.h"
#include "model/work/traffic.h"
#include "roofline/xir.h"

/* --- how rows are called -------------------------------------------------------------------------------- */

static const struct {
    roof_rule rule;
    const char *text;
} short_names[] = {{ROOF_RULE_CONV2D, "conv"},
                   {ROOF_RULE_DEPTHWISE, "dw"},
                   {ROOF_RULE_TRANSPOSED, "tconv"},
                   {ROOF_RULE_MATMUL, "fc"},
                   {ROOF_RULE_TRANSPOSED_DEPTHWISE, "tdw"},
                   {ROOF_RULE_CONV3D, "conv3d"},
                   {ROOF_RULE_ELTWISE, "eltwise"},
                   {ROOF_RULE_HARD_SIGMOID, "hsigmoid"},
                   {ROOF_RULE_SCALE, "scale"},
                   {ROOF_RULE_POOL, "maxpool"}, /* and behind it of averages */
                   {ROOF_RULE_POOL, "avgpool"}};

static const char *short_name(const roof_op *op)
{
    for (size_t i = 0; i < N_OF(short_names); i++)
        if (short_names[i].rule == op->rule)
            return short_names[op->average && op->rule == ROOF_RULE_POOL ? i + 1 : i].text;
    return op->type;
}

roof_rule op_program_rule_of(text_span word)
{
    char type[96];
    const uint32_t i = NAMED_SPAN_AT(short_names, N_OF(short_names), text, word);
    if (i < N_OF(short_names))
        return short_names[i].rule;
    if (word.length >= sizeof type)
        return ROOF_RULE_UNKNOWN;
    memcpy(type, word.text, word.length);
    type[word.length] = '\0';
    return rule_of(type);
}

const roof_op *op_program_main(const roof_graph *g, const roof_layer *layer)
{
    const roof_op *main = NULL;
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        const roof_op *op = layer_op(g, layer, i);
        if (rule_has_macs(op->rule))
            return op;
        if (!main && rule_computes(op->rule))
            main = op;
    }
    return main;
}

/* Appends a number; printf was a tenth of the time of a large prediction. */
static char *put_u64(char *at, uint64_t value)
{
    char digits[20];
    size_t n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n)
        *at++ = digits[--n];
    return at;
}

static char *put_shape(char *at, const roof_tensor *t)
{
    nhwc s = tensor_nhwc(t);
    at = put_u64(at, s.h);
    *at++ = 'x';
    at = put_u64(at, s.w);
    *at++ = 'x';
    return put_u64(at, s.c);
}

static char *put_pair(char *at, const char *label, uint32_t h, uint32_t w)
{
    *at++ = ' ';
    *at++ = *label;
    at = put_u64(at, h);
    *at++ = 'x';
    return put_u64(at, w);
}

/* "224x224x3 -> 112x112x32 k3x3 s2x2" */
static const char *shape_of(program_builder *b, const roof_layer *layer)
{
    char text[256], *at = text; /* six numbers of at most 20 digits, four of at most 10 */
    const roof_op *op = op_program_main(b->graph, layer);
    const roof_op *input = op ? op_input(b->graph, op, ROOF_ROLE_INPUT) : NULL;
    if (!op)
        return "";
    if (input) {
        at = put_shape(at, &input->out);
        memcpy(at, " -> ", 4);
        at += 4;
    }
    at = put_shape(at, &op->out);
    if (op->window.kernel_h && op->window.kernel_w) {
        at = put_pair(at, "k", op->window.kernel_h, op->window.kernel_w);
        if (op->window.stride_h) /* some files tell the kernel alone, by its weights */
            at = put_pair(at, "s", op->window.stride_h, op->window.stride_w);
    }
    return arena_strndup(b->arena, text, (size_t)(at - text));
}

roof_status op_program_set_texts(program_builder *b, const roof_layer *layer, roof_row *row)
{
    row->name = arena_strdup(b->arena, layer->name);
    /* "conv+dw": the computing ops; a layer that only moves data is called after what it does. */
    char text[96] = "";
    size_t used = 0;
    for (int moves = 0; moves < 2 && !used; moves++) {
        for (uint32_t i = 0; i < layer->n_ops; i++) {
            const roof_op *op = layer_op(b->graph, layer, i);
            if (op->rule == ROOF_RULE_CONSTANT || (rule_computes(op->rule) ? moves : !moves))
                continue;
            int n = snprintf(text + used, sizeof text - used, "%s%s", used ? "+" : "", short_name(op));
            used = n < 0 || (size_t)n >= sizeof text - used ? sizeof text - 1 : used + (size_t)n;
        }
    }
    row->type = program_share(b, used ? text : "-");
    row->shape = shape_of(b, layer);
    TRY(ARENA_GET(b->arena, row->ops, layer->n_ops, b->err));
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        const roof_op *op = layer_op(b->graph, layer, i);
        if (op->rule != ROOF_RULE_CONSTANT)
            row->ops[row->n_ops++] = program_share(b, op->type);
    }
    return ROOF_OK;
}

/* --- their work ----------------------------------------------------------------------------------------- */

roof_status op_program_add_work(roof_row *row, const op_work *work, roof_error *err)
{
    TRY(program_add_count(&row->macs, work->macs, err));
    TRY(program_add_count(&row->ops_count, work->ops_count, err));
    return program_add_count(&row->workload_ops, work->workload_ops, err);
}

void op_program_lead(const roof_row *row, const uint32_t *given, uint32_t *operators)
{
    uint64_t most_macs = 0, most_ops = 0;
    uint32_t leader = ROOF_NONE, place = 0;
    FOR_EACH(const roof_demand, d, row->work.demands, row->work.n_demands) {
        const uint64_t macs = d->macs == ROOF_UNKNOWN ? 0 : d->macs;
        const uint64_t ops = d->ops_count == ROOF_UNKNOWN ? 0 : d->ops_count;
        if (macs < most_macs || (macs == most_macs && ops <= most_ops))
            continue;
        most_macs = macs;
        most_ops = ops;
        leader = given ? given[d->op] : d->op;
    }
    while (place < row->n_operators && operators[place] != leader)
        place++;
    if (place == row->n_operators) /* nothing is known to compute: the first leads */
        return;
    for (; place > 0; place--)
        operators[place] = operators[place - 1];
    operators[0] = leader;
}

roof_status op_program_set_operators(program_builder *b, const roof_layer *layer,
                                     const workload_convention *convention, roof_row *row)
{
    bool workload_known = convention->any_stored;
    /* of each count: whether some that compute have it, and some operators lack it */
    bool has_macs = false, lacks_macs = false, has_ops = false, lacks_ops = false;
    roof_demand *demands;
    uint32_t *operators, n = 0;
    for (uint32_t i = 0; i < layer->n_ops; i++) /* a constant asks for nothing */
        n += layer_op(b->graph, layer, i)->rule != ROOF_RULE_CONSTANT;
    TRY(ARENA_GET2(b->rows, demands, operators, n, b->err));
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        const roof_op *op = layer_op(b->graph, layer, i);
        op_work work;
        TRY(op_work_of(b->graph, op, convention, &work, b->err));
        has_macs = has_macs || (work.macs != ROOF_UNKNOWN && rule_computes(op->rule));
        has_ops = has_ops || (work.ops_count != ROOF_UNKNOWN && rule_computes(op->rule));
        lacks_macs = lacks_macs || work.macs == ROOF_UNKNOWN;
        lacks_ops = lacks_ops || work.ops_count == ROOF_UNKNOWN;
        workload_known = workload_known && work.workload_ops != ROOF_UNKNOWN;
        TRY(op_program_add_work(row, &work, b->err));
        if (op->rule == ROOF_RULE_CONSTANT)
            continue;
        demands[row->n_operators] =
            (roof_demand){.op = b->graph->layer_ops[layer->first_op + i],
                          .macs = work.macs,
                          .ops_count = work.ops_count,
                          .sub_pixels = 1,
                          .folds_kernel = roof_xir_op_of(b->graph, op)->channel_augmentation != 0};
        operators[row->n_operators] = demands[row->n_operators].op;
        row->n_operators++;
    }
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        /* a convolution writes for a tile op when that is its only consumer in the layer, which names it as
         * input */
        const roof_op *tile = layer_op(b->graph, layer, i);
        const uint32_t stride = roof_xir_op_of(b->graph, tile)->tile_stride;
        const roof_op *input = stride > 1 ? op_input(b->graph, tile, ROOF_ROLE_INPUT) : NULL;
        for (uint32_t k = 0; k < n && input; k++)
            if (&b->graph->ops[demands[k].op] == input && demands[k].sub_pixels == 1)
                demands[k].sub_pixels = stride;
    }
    if (lacks_macs && !has_macs)
        row->macs = ROOF_UNKNOWN;
    if (lacks_ops && !has_ops)
        row->ops_count = ROOF_UNKNOWN;
    if (!workload_known)
        row->workload_ops = ROOF_UNKNOWN;
    row->stored_workload_ops = layer->stored_workload_ops;
    row->work.demands = demands;
    row->work.n_demands = n;
    row->operators = operators;
    op_program_lead(row, NULL, operators);
    return ROOF_OK;
}

static roof_status add_row(program_builder *b, const op_consumers *consumers,
                           const workload_convention *convention, const roof_layer *layer)
{
    roof_row *row = program_next_row(b);
    const roof_rule rule = layer_op(b->graph, layer, 0)->rule;
    /* else its executor is unknown */
    const bool can_run = rule != ROOF_RULE_MISFIT && !rule_lacks_shape(layer_op(b->graph, layer, 0));
    bool is_on_host = b->out->is_placed ? b->graph->subgraphs[layer->subgraph].device == ROOF_DEVICE_CPU
                                        : !rule_on_accelerator(rule) && can_run;
    row->executor = is_on_host ? ROOF_BY_HOST : ROOF_BY_ACCELERATOR;
    row->part = program_share(b, b->out->is_placed ? b->graph->subgraphs[layer->subgraph].name : "");
    TRY(op_program_set_texts(b, layer, row));
    TRY(op_program_set_operators(b, layer, convention, row));
    if (row->executor == ROOF_BY_HOST || !can_run)
        return ROOF_OK;
    row->is_timed = row->is_boundary = true;
    row->work.cycles_basis = row->work.bytes_basis = ROOF_BASIS_FORMULA;
    return traffic_of_layer(b->graph, consumers, layer, &row->work.traffic, b->err);
}

roof_status op_program(program_builder *b, const workload_convention *convention)
{
    if (b->lowering)
        return b->lowering->lower(b, convention);
    const op_consumers *consumers = traffic_consumers(b->graph, b->rows);
    TRY(ALLOCATED(consumers, b->err));
    TRY(ARENA_GET(b->rows, b->out->rows, b->graph->n_layers, b->err));
    for (uint32_t i = 0; i < b->graph->n_layers; i++)
        TRY(add_row(b, consumers, convention, &b->graph->layers[i]));
    /* a row of known shapes has no count of operations where the window of a pooling is unknown */
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

roof_status op_program_of_model(program_builder *b)
{
    static const workload_convention none;
    for (int i = 0; i < ROOF_EXECUTORS; i++)
        b->out->words[i] = "accelerator";
    b->out->words[ROOF_BY_HOST] = "host";
    if (!b->lowering)
        FIND(&b->out->findings[ROOF_ABOUT_TARGET], NULL, NOT_COMPILED, AS_COUNT(b->graph->n_layers));
    return op_program(b, &none);
}

roof_status op_program_set_layers(roof_graph *g, const uint32_t *order, uint32_t n_all, roof_error *err)
{
    roof_arena *arena = g->storage->arena;
    TRY(ARENA_GET2(arena, g->layers, g->layer_ops, g->n_ops, err));
    if (!g->n_subgraphs)
        TRY(graph_begin_parts(g, "", 0, arena, err));
    for (uint32_t i = 0; i < g->n_ops; i++) {
        roof_op *op = &g->ops[order[i]];
        op->subgraph = g->n_subgraphs > 1 ? op->subgraph : 0; /* devices are the reader's */
        if (!rule_computes(op->rule) && order[i] >= n_all)
            continue;
        op->layer = g->n_layers;
        g->layers[g->n_layers++] = (roof_layer){.name = op->name,
                                                .subgraph = op->subgraph,
                                                .node = ROOF_NONE,
                                                .first_op = g->n_layer_ops,
                                                .n_ops = 1,
                                                .stored_workload_ops = op->stored_workload_ops};
        g->layer_ops[g->n_layer_ops++] = order[i];
        g->subgraphs[op->subgraph].n_layers++;
    }
    g->subgraphs[0].n_layers = g->n_layers;
    return ROOF_OK;
}
