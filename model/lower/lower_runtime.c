/* Kernels that runtimes of processors, GPUs and NPUs make of a graph: a kernel is a convolution or a product
 * with all that follows element by element. Only what no runtime that is known leaves apart is joined, so
 * that bytes between rows stay a lower bound; changes of layout are names, since runtimes choose layouts that
 * need none.
 * Sources: ONNX Runtime, "Graph Optimizations" (Conv + Add, BatchNormalization, activations; MatMul + Add,
 *   Gelu, LayerNormalization); NVIDIA TensorRT Developer Guide, "Layer Fusion" (convolution, scale,
 *   activation, element-wise sum; pointwise operators); TensorFlow Lite (fused activations).
 */
#include "model/lower/fate.h"

static void keep_name(lower_state *s, uint32_t op, const roof_op *own)
{
    const uint32_t input = lower_input(s, own);
    const bool is_same = input != ROOF_NONE && lower_count_maps(s, own) == 1 &&
                         own->out.elements == op_at(s, input)->out.elements;
    if (is_same)
        lower_fold(s, op, lower_maker(s, input), 1);
    else
        lower_name(s, op, true);
}

/* x times a function of x, of which nobody else reads either: the activations that have no operator of their
 * own, as swish. The row that makes x, or ROOF_NONE. */
static uint32_t row_of_gated(const lower_state *s, const roof_op *op, uint32_t *gate)
{
    uint32_t maps[2], n = 0;
    FOR_EACH(const roof_edge, edge, op_edges(s->graph, op), op->n_inputs)
        if (lower_is_map(s, edge)) {
            if (n == 2)
                return ROOF_NONE;
            maps[n++] = lower_maker(s, edge->op);
        }
    for (uint32_t i = 0; n == 2 && i < 2; i++) {
        const uint32_t x = maps[!i];
        const lower_op *function = &s->ops[maps[i]], *made = &s->ops[x];
        const uint32_t from = lower_input(s, op_at(s, maps[i]));
        if (function->fate != LOWER_ROW || function->into != maps[i] || function->size != 1 ||
            function->readers != 1 || from == ROOF_NONE || lower_maker(s, from) != x ||
            made->fate != LOWER_ROW || made->into != x || made->readers != 2)
            continue;
        *gate = maps[i];
        return x;
    }
    return ROOF_NONE;
}

/* Element by element: behind the last row that makes an input for it alone. */
static void join_or_begin(lower_state *s, uint32_t op, const roof_op *own)
{
    uint32_t best = ROOF_NONE, gate;
    lower_begin_row(s, op);
    const uint32_t gated = row_of_gated(s, own, &gate);
    if (gated != ROOF_NONE) {
        lower_join(s, gated, gate, 1);
        lower_join(s, gate, op, 1);
        return;
    }
    FOR_EACH(const roof_edge, edge, op_edges(s->graph, own), own->n_inputs) {
        const uint32_t row = lower_is_map(s, edge) ? lower_row_alone(s, edge->op) : ROOF_NONE;
        const bool is_whole = row != ROOF_NONE && op_at(s, row)->out.elements == own->out.elements;
        if (is_whole && (best == ROOF_NONE || s->ops[row].depth > s->ops[best].depth))
            best = row;
    }
    if (best != ROOF_NONE)
        lower_join(s, best, op, 1);
}

/* A product whose second factor is known has it as its weights. */
static void mark_weights(lower_state *s, const roof_op *own)
{
    for (uint32_t i = 1; i < own->n_inputs && own->rule == ROOF_RULE_MATMUL; i++) {
        roof_edge *edge = &op_edges(s->graph, own)[i];
        if (edge->role == ROOF_ROLE_INPUT && s->ops[edge->op].fate == LOWER_CONSTANT)
            edge->role = ROOF_ROLE_WEIGHTS;
    }
}

/* Bits of rules: of what gives another name, and of what goes element by element. */
enum {
    NAMES = 1U << ROOF_RULE_ALIAS | 1U << ROOF_RULE_CONVERT | 1U << ROOF_RULE_MOVE,
    SIMPLE = 1U << ROOF_RULE_ACTIVATION | 1U << ROOF_RULE_RELU6 | 1U << ROOF_RULE_HARD_SIGMOID |
             1U << ROOF_RULE_SCALE,
    OTHER_ELEMENTWISE = 1U << ROOF_RULE_ELTWISE | 1U << ROOF_RULE_BINARY | 1U << ROOF_RULE_FUNCTION
};

static void choose(lower_state *s, uint32_t op)
{
    const roof_op *own = op_at(s, op);
    const uint32_t rule = 1U << own->rule;
    const char *why =
        s->rules->host_rules & rule ? "the accelerator has no such operator" : lower_limit(s, op);
    if (why)
        lower_to_host(s, op, why);
    else if (rule & NAMES)
        keep_name(s, op, own);
    else if (rule & (SIMPLE | OTHER_ELEMENTWISE))
        join_or_begin(s, op, own);
    else {
        mark_weights(s, own);
        lower_begin_row(s, op);
    }
}

/* ---- Vela ---------------------------------------------------------------------------------------------- */

/* Operators that Vela puts on the NPU, of rules that have others as well, in the words of all formats: those
 * of TFLite that it lists, and what becomes one of these when a graph is quantised.
 * Source: Arm Vela 4.2.0, SUPPORTED_OPS.md, tables of Ethos-U55 and U65, and of U85. Conditions on sizes
 * are rows of limits.def, data types are not looked at. */
static const char vela_ops[] =
    "eltwise eltwise-fix Sum add Add ADD QLinearAdd sub Sub SUB mul Mul MUL QLinearMul max "
    "Max MAXIMUM min Min MINIMUM sigmoid tanh Sigmoid QLinearSigmoid LOGISTIC Tanh TANH "
    "hard-swish Abs ABS HardSwish HARD_SWISH exp Exp EXP RSQRT softmax Softmax SOFTMAX "
    "argmax QLinearSoftmax ReduceMean ArgMax ARG_MAX reduction_mean MEAN Resize Upsample "
    "resize RESIZE_BILINEAR RESIZE_NEAREST_NEIGHBOR SQUARED_DIFFERENCE";
static const char vela_ops_of_u85[] = "Where SELECT SELECT_V2 Log LOG";

static void choose_as_vela(lower_state *s, uint32_t op)
{
    enum {
        ROWS = 1U << ROOF_RULE_CONV2D | 1U << ROOF_RULE_DEPTHWISE | 1U << ROOF_RULE_TRANSPOSED |
               1U << ROOF_RULE_POOL | 1U << ROOF_RULE_MATMUL,
        LISTED_ROWS = 1U << ROOF_RULE_SOFTMAX | 1U << ROOF_RULE_REDUCE | 1U << ROOF_RULE_RESIZE
    };
    const roof_quantity *product = roof_hw_get(s->hw, "ethos_u.product");
    const bool is_u85 = product && product->value == 85;
    const roof_op *own = op_at(s, op);
    const uint32_t rule = 1U << own->rule;
    mark_weights(s, own);
    if (rule & NAMES)
        keep_name(s, op, own);
    else if (!(rule & (ROWS | SIMPLE)) &&
             !(rule & (LISTED_ROWS | OTHER_ELEMENTWISE) &&
               (text_has_word(vela_ops, own->type) || (is_u85 && text_has_word(vela_ops_of_u85, own->type)))))
        lower_to_host(s, op, "Vela lists no such operator for the NPU");
    else if (lower_limit(s, op))
        lower_to_host(s, op, lower_limit(s, op));
    else if (own->rule == ROOF_RULE_MATMUL && lower_count_maps(s, own) > 1 && !is_u85)
        lower_to_host(s, op, "the NPU multiplies by constants alone");
    else if (rule & (ROWS | LISTED_ROWS))
        lower_begin_row(s, op);
    else {
        /* a row for each operator; a function of one map, or with a constant, is done with the row that makes
         * it */
        const uint32_t input = lower_input(s, own);
        const uint32_t row = lower_count_maps(s, own) == 1 ? lower_row_alone(s, input) : ROOF_NONE;
        lower_begin_row(s, op);
        if (row != ROOF_NONE && op_at(s, row)->out.elements == own->out.elements)
            lower_join(s, row, op, 1);
    }
}

/* ---- all ----------------------------------------------------------------------------------------------- */

/* Weights, what other rows or the network's input give, and what others read: each once. */
static roof_status move(const lower_state *s, roof_traffic *traffic)
{
    const roof_graph *g = s->graph;
    unsigned char *is_read;
    TRY(ARENA_GET(s->scratch, is_read, g->n_ops, s->err));
    FOR_EACH(const lower_read, read, s->reads, s->n_reads)
        is_read[read->maker] = 1;
    for (uint32_t r = 0; r < s->n_rows; r++) {
        const lower_row *row = &s->rows[r];
        checked input = {0, false}, weights = {0, false}, output = {0, false};
        for (uint32_t k = 0; k < row->n_reads; k++) {
            const lower_read *read = &s->reads[row->first_read + k];
            const checked bits =
                checked_times((checked){read->elements, false}, g->ops[read->maker].out.bit_width);
            input = checked_plus(input, ceil_div(bits.value, 8));
            input.overflow = input.overflow || bits.overflow;
        }
        for (uint32_t k = 0; k < row->n_ops; k++) {
            const uint32_t i = s->row_ops[row->first_op + k];
            const roof_op *op = &g->ops[i];
            FOR_EACH(const roof_edge, edge, op_edges(g, op), op->n_inputs)
                if (s->ops[edge->op].fate == LOWER_CONSTANT && edge->role != ROOF_ROLE_OTHER)
                    weights = checked_plus(weights, g->ops[edge->op].out.bytes);
            if (is_read[i] || k + 1 == row->n_ops)
                output = checked_plus(output, op->out.bytes);
        }
        if (input.overflow || weights.overflow || output.overflow || input.value > INT64_MAX / 4 ||
            weights.value > INT64_MAX / 4 || output.value > INT64_MAX / 4)
            return error_set(s->err, ROOF_E_LIMIT, "layer '%.200s': its bytes overflow 64 bits",
                             g->ops[row->leader].name);
        traffic[r] = (roof_traffic){
            .weights_bytes = weights.value, .input_bytes = input.value, .output_bytes = output.value};
    }
    return ROOF_OK;
}

#define ON_HOST (1U << ROOF_RULE_UNKNOWN | 1U << ROOF_RULE_HOST | 1U << ROOF_RULE_RECURRENT)

const lowering lowering_processor = {
    .accelerator = "device", .lists_names = true, .choose = choose, .move = move};
const lowering lowering_array = {.accelerator = "NPU",
                                 .element_bits = 8,
                                 .launches = 1,
                                 .host_rules = ON_HOST,
                                 .choose = choose,
                                 .move = move};
/* Epochs with a softmax are software (docs/hardware/neural_art.md). */
const lowering lowering_epochs = {.accelerator = "NPU",
                                  .stack = "st-edge-ai-3",
                                  .element_bits = 8,
                                  .host_rules = ON_HOST | 1U << ROOF_RULE_SOFTMAX,
                                  .is_approximate = true,
                                  .choose = choose,
                                  .move = move,
                                  .describe = lower_epochs_describe};
const lowering lowering_vela = {
    .accelerator = "NPU", .element_bits = 8, .is_approximate = true, .choose = choose_as_vela, .move = move};
