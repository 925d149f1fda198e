#include "model/work/onnx_ops.h"
#include "core/sets.h"
#include "model/work/cost.h"
#include "model/work/opmap.h"

uint32_t onnx_element_bits(uint64_t type)
{
    /* by type: undefined, float, uint8, int8, uint16, int16, int32, int64, a text, bool, half, double,
     * uint32, uint64, complex64, complex128, bfloat16, float8 of four kinds, uint4, int4, float4 */
    static const unsigned char bits[] = {0,  32, 8,  8,   16, 16, 32, 64, 0, 8, 16, 64,
                                         32, 64, 64, 128, 16, 8,  8,  8,  8, 4, 4,  4};
    return type < sizeof bits ? bits[type] : 0;
}

void onnx_forget_shape(roof_tensor *t)
{
    *t = (roof_tensor){.name = t->name, .n_dims = 1, .bit_width = 8, .is_unknown = true};
}

/* ---- roles ---- */

static bool has_kernels(roof_rule rule)
{
    return rule_has_macs(rule) && rule != ROOF_RULE_MATMUL && rule != ROOF_RULE_ATTENTION &&
           rule != ROOF_RULE_RECURRENT;
}

roof_role onnx_role(roof_rule rule, uint32_t slot)
{
    switch (rule) {
    case ROOF_RULE_BINARY:
    case ROOF_RULE_ELTWISE:
    case ROOF_RULE_ALIAS:
    case ROOF_RULE_UNKNOWN:
        return ROOF_ROLE_INPUT;
    case ROOF_RULE_MATMUL: /* a Gemm adds its third */
        return slot < 2 ? ROOF_ROLE_INPUT : ROOF_ROLE_BIAS;
    case ROOF_RULE_SCALE: /* a BatchNormalization has four vectors */
        return slot ? ROOF_ROLE_WEIGHTS : ROOF_ROLE_INPUT;
    default:
        if (has_kernels(rule) && slot)
            return slot == 1 ? ROOF_ROLE_WEIGHTS : slot == 2 ? ROOF_ROLE_BIAS : ROOF_ROLE_OTHER;
        return slot ? ROOF_ROLE_OTHER : ROOF_ROLE_INPUT;
    }
}

/* ---- rules ---- */

/* Weights are OC IC/group KH KW; of a transposed convolution IC OC/group KH KW. Either has the channels of
 * its input in groups. */
static void set_convolution(const roof_graph *g, roof_op *op)
{
    const roof_op *input = op_input(g, op, ROOF_ROLE_INPUT), *weights = op_input(g, op, ROOF_ROLE_WEIGHTS);
    const roof_tensor *w = weights ? &weights->out : NULL;
    if (!input || !w || w->n_dims < 3 || input->out.n_dims != w->n_dims || op->out.n_dims != w->n_dims) {
        op->rule = ROOF_RULE_UNKNOWN;
        return;
    }
    uint32_t n = w->n_dims, channels = input->out.dims[1];
    op->window.kernel_h = n > 3 ? w->dims[n - 2] : 1;
    op->window.kernel_w = w->dims[n - 1];
    bool has_a_channel_a_group =
        w->dims[1] == 1 && channels > 1 && w->dims[0] == channels && op->out.dims[1] == channels;
    if (n == 5 && op->rule == ROOF_RULE_CONV2D)
        op->rule = ROOF_RULE_CONV3D;
    else if (n == 4 && has_a_channel_a_group)
        op->rule = op->rule == ROOF_RULE_TRANSPOSED ? ROOF_RULE_TRANSPOSED_DEPTHWISE : ROOF_RULE_DEPTHWISE;
}

static const char *const quantisers[] = {"QuantizeLinear", "com.amd.quark.ExtendedQuantizeLinear"},
                         *const dequantisers[] = {"DequantizeLinear",
                                                  "com.amd.quark.ExtendedDequantizeLinear"};

static roof_status set_bits(roof_graph *g, const uint32_t *order, roof_arena *scratch, roof_error *err)
{
    uint32_t *stated;
    TRY(ARENA_GET(scratch, stated, g->n_ops, err));
    for (uint32_t i = 0; i < g->n_ops; i++)
        stated[i] = g->ops[i].out.bit_width;
    for (uint32_t i = 0; i < g->n_ops; i++) {
        roof_op *op = &g->ops[order[i]];
        if (op->n_inputs && IS_ONE_OF(dequantisers, op->type))
            op->out.bit_width = g->ops[g->edges[op->first_input].op].out.bit_width;
    }
    for (uint32_t i = g->n_ops; i-- > 0;) {
        /* An input gets the bits of the output where the output was narrowed and both were of one type. */
        const roof_op *op = &g->ops[order[i]];
        const uint32_t bits = op->out.bit_width, own = stated[order[i]];
        FOR_EACH(const roof_edge, edge, op_edges(g, op), op->n_inputs) {
            roof_op *from = &g->ops[edge->op];
            bool passes = op->rule == ROOF_RULE_CONVERT ? IS_ONE_OF(quantisers, op->type)
                                                        : bits < own && stated[edge->op] == own;
            bool takes =
                rule_computes(from->rule) || from->rule == ROOF_RULE_MOVE || from->rule == ROOF_RULE_ALIAS;
            if (edge->role == ROOF_ROLE_INPUT && passes && takes && bits < from->out.bit_width)
                from->out.bit_width = bits;
        }
    }
    for (uint32_t i = 0; i < g->n_ops; i++) {
        roof_tensor *t = &g->ops[i].out;
        uint64_t bits;
        if (__builtin_mul_overflow(t->elements, (uint64_t)t->bit_width, &bits) || bits > UINT64_MAX - 7)
            return error_set(err, ROOF_E_LIMIT, "tensor '%.200s': its bits overflow 64 bits", t->name);
        t->bytes = (bits + 7) / 8;
    }
    return ROOF_OK;
}

/* ---- layout ---- */

/* How dimensions of a set of tensors that go together are brought into the graph's order; flags, of which
 * the first one counts. */
enum { STAYS = 1, FIRST_GOES_LAST = 2, SECOND_GOES_LAST = 4 };

static bool keeps_order(const roof_op *op)
{
    static const char *const types[] = {"Concat", "Identity",  "Dropout",      "Pad",         "Slice",
                                        "Split",  ONNX_OUTPUT, "DepthToSpace", "SpaceToDepth"};
    return op->rule == ROOF_RULE_CONVERT || IS_ONE_OF(types, op->type) ||
           (rule_computes(op->rule) && !rule_has_macs(op->rule) && op->rule != ROOF_RULE_UNKNOWN);
}

static unsigned char moves_of(roof_rule rule, roof_role role)
{
    const bool is_plain = rule == ROOF_RULE_CONV2D || rule == ROOF_RULE_CONV3D,
               has_channels_second = rule == ROOF_RULE_POOL || rule == ROOF_RULE_RESIZE ||
                                     rule == ROOF_RULE_SCALE || has_kernels(rule);
    if (rule == ROOF_RULE_MATMUL)
        return STAYS;
    if (role == ROOF_ROLE_WEIGHTS)
        return !has_kernels(rule) ? 0 : is_plain ? SECOND_GOES_LAST : FIRST_GOES_LAST;
    return role == ROOF_ROLE_INPUT && has_channels_second ? SECOND_GOES_LAST : 0;
}

static roof_status set_layouts(roof_graph *g, roof_arena *scratch, roof_error *err)
{
    uint32_t *sets;           /* of operators whose outputs have the same order of dimensions */
    unsigned char *set_moves; /* by the root of a set */
    TRY(sets_new(scratch, g->n_ops, &sets, err));
    TRY(ARENA_GET(scratch, set_moves, g->n_ops, err));
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        set_moves[sets_root(sets, i)] |= moves_of(op->rule, ROOF_ROLE_INPUT);
        FOR_EACH(const roof_edge, edge, op_edges(g, op), op->n_inputs) {
            bool is_alike = g->ops[edge->op].out.n_dims == op->out.n_dims;
            set_moves[sets_root(sets, edge->op)] |= moves_of(op->rule, edge->role);
            if (keeps_order(op) && is_alike && edge->role != ROOF_ROLE_OTHER) {
                const unsigned char moves = set_moves[sets_root(sets, i)];
                set_moves[sets_join(sets, edge->op, i)] |= moves;
            }
        }
    }
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const unsigned char moves = set_moves[sets_root(sets, i)];
        roof_tensor *t = &g->ops[i].out;
        if (t->n_dims <= 2 || !moves || moves & STAYS)
            continue;
        const uint32_t from = moves & FIRST_GOES_LAST ? 0 : 1, moved = t->dims[from];
        memmove(t->dims + from, t->dims + from + 1, (t->n_dims - from - 1) * sizeof *t->dims);
        t->dims[t->n_dims - 1] = moved;
    }
    return ROOF_OK;
}

roof_status onnx_finish(roof_graph *graph, const uint32_t *order, roof_arena *scratch, roof_error *err)
{
    for (uint32_t i = 0; i < graph->n_ops; i++)
        for (uint32_t j = 0; j < graph->ops[i].n_inputs; j++) {
            roof_edge *edge = &graph->edges[graph->ops[i].first_input + j];
            roof_rule rule = graph->ops[i].rule;
            if (edge->role != ROOF_ROLE_INPUT || !op_is_constant(graph, edge->op))
                continue;
            /* of a matrix product the first operand stays its input, which gives the length of its sums */
            if (rule == ROOF_RULE_BINARY || rule == ROOF_RULE_ELTWISE ||
                ((rule == ROOF_RULE_MATMUL || rule == ROOF_RULE_ATTENTION) && j))
                edge->role = ROOF_ROLE_WEIGHTS;
            else if (j)
                edge->role = ROOF_ROLE_OTHER;
        }
    FOR_EACH(roof_op, op, graph->ops, graph->n_ops) {
        bool is_known = !op->out.is_unknown;
        FOR_EACH(const roof_edge, edge, op_edges(graph, op), op->n_inputs)
            is_known = is_known && (edge->role == ROOF_ROLE_OTHER || edge->role == ROOF_ROLE_BIAS ||
                                    !graph->ops[edge->op].out.is_unknown);
        op->average = op->rule == ROOF_RULE_POOL && strstr(op->type, "Average");
        if (op->rule != ROOF_RULE_MISFIT && rule_computes(op->rule) && !is_known)
            op->rule = ROOF_RULE_UNKNOWN;
        else if (has_kernels(op->rule))
            set_convolution(graph, op);
    }
    TRY(set_bits(graph, order, scratch, err));
    return set_layouts(graph, scratch, err);
}
