#include "model/work/cost.h"
#include "core/core.h"
#include "model/work/opmap.h"

bool op_is_constant(const roof_graph *graph, uint32_t op)
{
    enum { MOST_CONVERSIONS = 4 }; /* of one value; real files have one */
    const roof_op *at = &graph->ops[op];
    for (int i = 0; i < MOST_CONVERSIONS && at->rule == ROOF_RULE_CONVERT && at->n_inputs; i++)
        at = &graph->ops[graph->edges[at->first_input].op];
    return at->rule == ROOF_RULE_CONSTANT;
}

const roof_op *op_input(const roof_graph *graph, const roof_op *op, roof_role role)
{
    FOR_EACH(const roof_edge, edge, op_edges(graph, op), op->n_inputs)
        if (edge->role == role)
            return &graph->ops[edge->op];
    return NULL;
}

uint32_t op_count_inputs(const roof_graph *graph, const roof_op *op, roof_role role)
{
    uint32_t n = 0;
    FOR_EACH(const roof_edge, edge, op_edges(graph, op), op->n_inputs)
        n += edge->role == role;
    return n;
}

uint32_t tensor_bits(const roof_graph *graph, const roof_tensor *tensor)
{
    return graph->floats_are_8_bits && tensor->bit_width > 8 ? 8 : tensor->bit_width;
}

nhwc tensor_nhwc(const roof_tensor *t)
{
    nhwc s = {1, 1, 1, 1};
    uint32_t n = t->n_dims;
    if (n > 0)
        s.c = t->dims[n - 1];
    if (n > 2)
        s.w = t->dims[n - 2];
    if (n > 3)
        s.h = t->dims[n - 3];
    for (uint32_t i = 0; n > 1 && i + (n > 3 ? 3 : n > 2 ? 2 : 1) < n; i++)
        s.n *= t->dims[i];
    return s;
}

static uint64_t kernel_area(const roof_op *op)
{
    return (uint64_t)op->window.kernel_h * op->window.kernel_w;
}

/* The length of the dimension that a matrix product sums over. Weights of OC IC or IC OC tell it whatever
 * the shape of the input is, which some formats read as rows of IC. */
static uint64_t matmul_inner(const roof_op *a, const roof_op *weights, const roof_op *op)
{
    const roof_tensor *t = &a->out, *w = weights ? &weights->out : NULL;
    uint64_t rows = op->out.n_dims > 1 ? op->out.dims[op->out.n_dims - 2] : 1;
    uint64_t columns = op->out.n_dims ? op->out.dims[op->out.n_dims - 1] : 0;
    uint64_t last = t->n_dims ? t->dims[t->n_dims - 1] : 1;
    uint64_t before = t->n_dims > 1 ? t->dims[t->n_dims - 2] : 1;
    bool by_vector = t->n_dims == 2 && op->out.n_dims == 1;
    uint64_t inner = w && w->n_dims == 2 && columns ? w->elements / columns : 0;
    checked in = checked_times((checked){t->elements, false}, columns),
            out = checked_times((checked){op->out.elements, false}, inner);
    if (inner && inner * columns == w->elements && !in.overflow && !out.overflow && in.value == out.value)
        return inner;
    return before == rows || t->n_dims < 2 || by_vector ? last : before; /* the latter with transpose_a */
}

/* Pairs of a query and a key that it sees: of T keys the last of S queries sees all, each one before it one
 * less, and none more than the window. dims are [S, ...] of queries, [T, ...] of keys. */
static checked attention_pairs(const roof_graph *g, const roof_op *op)
{
    const roof_op *k = op->n_inputs > 1 ? &g->ops[g->edges[op->first_input + 1].op] : NULL;
    uint64_t queries = op->out.dims[0], keys = k ? k->out.dims[0] : 0;
    uint64_t window = op->window.kernel_w ? op->window.kernel_w : keys;
    uint64_t skipped = keys > queries ? keys - queries : 0; /* keys before the first query */
    uint64_t past = keys > window ? keys - window : 0, full = past > queries ? queries : past;
    uint64_t rest = queries - full;
    checked at_window = CHECKED_PRODUCT(full, window), behind = CHECKED_PRODUCT(rest, skipped + 1);
    checked pairs = checked_plus(at_window, behind.value);
    pairs.overflow = pairs.overflow || behind.overflow;
    return checked_plus(pairs, rest * (rest ? rest - 1 : 0) / 2); /* dims have 32 bits */
}

/* Elements of W and R of a recurrent network, all gates and directions. */
static uint64_t elements_of_weights(const roof_graph *g, const roof_op *op)
{
    uint64_t sum = 0;
    FOR_EACH(const roof_edge, edge, op_edges(g, op), op->n_inputs)
        if (edge->role == ROOF_ROLE_WEIGHTS &&
            __builtin_add_overflow(sum, g->ops[edge->op].out.elements, &sum))
            return UINT64_MAX;
    return sum;
}

static checked macs_of(const roof_graph *g, const roof_op *op)
{
    const roof_op *input = op_input(g, op, ROOF_ROLE_INPUT);
    const roof_op *weights = op_input(g, op, ROOF_ROLE_WEIGHTS);
    const roof_tensor *w = weights ? &weights->out : NULL;
    checked out = {op->out.elements, false}, in = {input ? input->out.elements : 0, false};
    if (op->macs && rule_has_macs(op->rule))
        return (checked){op->macs, false};
    switch (op->rule) {
    case ROOF_RULE_CONV2D:
    case ROOF_RULE_CONV3D:
        /* out times what one kernel meets of the input: KH KW IC, from the weights where the file has them */
        if (w && w->n_dims >= 2 && w->dims[0])
            return checked_times(out, w->elements / w->dims[0]);
        return checked_times(out, kernel_area(op) * (input ? tensor_nhwc(&input->out).c : 1));
    case ROOF_RULE_DEPTHWISE:
        return checked_times(out, kernel_area(op));
    case ROOF_RULE_TRANSPOSED:
        /* in N IH IW IC times OC KH KW, of weights OC/group KH KW IC where the file has them */
        if (w && w->n_dims >= 3 && w->dims[w->n_dims - 1])
            return checked_times(in, w->elements / w->dims[w->n_dims - 1]);
        return checked_times(checked_times(in, kernel_area(op)), tensor_nhwc(&op->out).c);
    case ROOF_RULE_TRANSPOSED_DEPTHWISE:
        return checked_times(in, kernel_area(op));
    case ROOF_RULE_MATMUL:
        return input ? checked_times(out, matmul_inner(input, weights, op)) : (checked){0, false};
    case ROOF_RULE_RECURRENT: /* every weight once a step and image */
        return input && input->out.n_dims == 3
                   ? checked_times(CHECKED_PRODUCT(input->out.dims[0], input->out.dims[1]),
                                   elements_of_weights(g, op))
                   : (checked){0, false};
    case ROOF_RULE_ATTENTION: /* a query with the keys, and what that gives with the values */
        return op->out.dims[0]
                   ? checked_times(attention_pairs(g, op), 2 * (op->out.elements / op->out.dims[0]))
                   : (checked){0, false};
    default:
        return (checked){0, false};
    }
}

static checked ops_of(const roof_graph *g, const roof_op *op, checked macs)
{
    static const uint8_t of_an_element[ROOF_RULE_COUNT] = {
        [ROOF_RULE_BINARY] = 1, [ROOF_RULE_ACTIVATION] = 1,   [ROOF_RULE_FUNCTION] = 1,
        [ROOF_RULE_RELU6] = 1,  [ROOF_RULE_HARD_SIGMOID] = 1, [ROOF_RULE_SCALE] = 1,
        [ROOF_RULE_SOFTMAX] = 3};
    const roof_op *input = op_input(g, op, ROOF_ROLE_INPUT);
    checked out = {op->out.elements, false};
    uint32_t inputs = op_count_inputs(g, op, ROOF_ROLE_INPUT);
    if (rule_has_macs(op->rule))
        return checked_plus(checked_times(macs, 2), op_input(g, op, ROOF_ROLE_BIAS) ? op->out.elements : 0);
    switch (op->rule) {
    case ROOF_RULE_ELTWISE:
        return checked_times(out, inputs > 1 ? inputs - 1 : 1);
    case ROOF_RULE_POOL:
        if (kernel_area(op))
            return checked_times(out, kernel_area(op));
        /* one that makes a pixel may leave its kernel out: it covers the whole input. How large other windows
         * are is unknown */
        if (tensor_nhwc(&op->out).h != 1 || tensor_nhwc(&op->out).w != 1)
            return (checked){ROOF_UNKNOWN, false};
        /* fall through */
    case ROOF_RULE_REDUCE:
        return (checked){input ? input->out.elements : 0, false};
    default:
        return checked_times(out, of_an_element[op->rule]);
    }
}

/* AMD's count. Source: attributes of 1,061 ops in files of compilers 1.2 to 3.5, all reproduced. */
static checked workload_of(const roof_graph *g, const roof_op *op, const workload_convention *c, checked macs)
{
    checked out = {op->out.elements, false};
    if (rule_has_macs(op->rule))
        return checked_plus(checked_times(macs, 2), c->bias_ops ? op->out.elements : 0);
    switch (op->rule) {
    case ROOF_RULE_POOL:
        return checked_times(checked_times(out, kernel_area(op)), op->average ? c->average_factor : 1);
    case ROOF_RULE_ELTWISE:
        return checked_times(out, op_count_inputs(g, op, ROOF_ROLE_INPUT));
    case ROOF_RULE_SOFTMAX:
        out = checked_times(out, 3);
        return (checked){out.value ? out.value - 1 : 0, out.overflow};
    case ROOF_RULE_RELU6:
        return checked_times(out, 2);
    default:
        return (checked){ROOF_UNKNOWN, false};
    }
}

static bool compiler_at_least(const char *compiler, int major)
{
    const char *dot = strchr(compiler, '.');
    return dot && dot[1] >= '0' + major && dot[1] <= '9';
}

workload_convention workload_detect(const roof_graph *g)
{
    workload_convention c = {.bias_ops = compiler_at_least(g->compiler, 2) || !g->compiler[0],
                             .average_factor = compiler_at_least(g->compiler, 3) ? 2 : 1};
    FOR_EACH(const roof_op, op, g->ops, g->n_ops) {
        if (op->stored_workload_ops == ROOF_UNKNOWN)
            continue;
        c.any_stored = true;
        checked macs = macs_of(g, op);
        checked twice = checked_times(macs, 2);
        uint64_t window = checked_times((checked){op->out.elements, false}, kernel_area(op)).value;
        if (!c.bias_detected && macs.value && !twice.overflow) {
            c.bias_ops = op->stored_workload_ops != twice.value;
            c.bias_detected = true;
        } else if (!c.average_detected && op->rule == ROOF_RULE_POOL && op->average && window) {
            c.average_factor = op->stored_workload_ops == window ? 1 : 2;
            c.average_detected = true;
        }
    }
    return c;
}

roof_status op_work_of(const roof_graph *graph, const roof_op *op, const workload_convention *convention,
                       op_work *out, roof_error *err)
{
    checked macs = macs_of(graph, op), ops = ops_of(graph, op, macs);
    checked workload = workload_of(graph, op, convention, macs);
    if (macs.overflow || ops.overflow || (workload.overflow && op->stored_workload_ops != ROOF_UNKNOWN))
        return error_placed(error_set(err, ROOF_E_LIMIT, "the number of operations overflows 64 bits"), err,
                            "op '%.200s'", op->name);
    bool known = op->rule != ROOF_RULE_UNKNOWN && op->rule != ROOF_RULE_HOST && op->rule != ROOF_RULE_MISFIT;
    *out = (op_work){.macs = known ? macs.value : ROOF_UNKNOWN,
                     .ops_count = known ? ops.value : ROOF_UNKNOWN,
                     .workload_ops = op->stored_workload_ops == ROOF_UNKNOWN ? 0 : workload.value};
    return ROOF_OK;
}
