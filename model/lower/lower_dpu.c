/* Superlayers, which vai_c and the xcompiler make of a graph for a DPU. The rules R1 to R13 and their
 * evidence stand in docs/hardware/dpuczdx8g.md, "Lowering".
 *
 * Evidence: fused by these rules, the operators of every compiled DPUCZDX8G file that is at hand are exactly
 * its superlayers (tests/reference/test_lowered.c).
 */
#include "model/lower/fate.h"
#include "model/work/opmap.h"

/* The input that a row of its own makes for this operator alone, and nothing else in that row: ROOF_NONE
 * when there is none. */
static uint32_t maker_alone(const lower_state *s, uint32_t input)
{
    const uint32_t maker = lower_row_alone(s, input);
    return maker != ROOF_NONE && s->ops[maker].size == 1 ? maker : ROOF_NONE;
}

/* At one place, or at each next to the other. */
static roof_window window_of(uint64_t h, uint64_t w)
{
    return (roof_window){(uint32_t)h, (uint32_t)w, 1, 1, .dilation_h = 1, .dilation_w = 1};
}

static bool has_same_shape(const roof_tensor *a, const roof_tensor *b)
{
    const nhwc x = tensor_nhwc(a), y = tensor_nhwc(b);
    return x.n == y.n && x.h == y.h && x.w == y.w && x.c == y.c;
}

/* ---- R1: what costs no layer ---- */

static void pass(lower_state *s, uint32_t op)
{
    const uint32_t maker = lower_maker(s, lower_input(s, op_at(s, op)));
    if (maker == ROOF_NONE)
        lower_name(s, op, false);
    else
        lower_fold(s, op, maker, 1);
}

static void activation(lower_state *s, uint32_t op)
{
    const uint32_t maker = lower_maker(s, lower_input(s, op_at(s, op)));
    if (maker != ROOF_NONE && s->ops[maker].fate == LOWER_ROW && s->ops[maker].readers == 1)
        lower_fold(s, op, maker, 1);
    else
        lower_to_host(s, op, "an activation with no layer of its own before it");
}

/* Adds a bias of one value a channel to an operator that computes with weights. */
static void add_bias(lower_state *s, roof_op *op, const roof_op *of)
{
    roof_graph *g = s->graph;
    const uint32_t first = g->n_edges;
    if (op_input(g, op, ROOF_ROLE_BIAS))
        return;
    for (uint32_t i = 0; i < of->n_inputs; i++) {
        const roof_edge edge = g->edges[of->first_input + i];
        if (s->ops[edge.op].fate != LOWER_CONSTANT || g->ops[edge.op].out.elements != tensor_nhwc(&op->out).c)
            continue;
        for (uint32_t k = 0; k < op->n_inputs; k++)
            g->edges[g->n_edges++] = g->edges[op->first_input + k];
        g->edges[g->n_edges++] = (roof_edge){edge.op, ROOF_ROLE_BIAS};
        op->first_input = first;
        op->n_inputs++;
        return;
    }
}

/* R13: what cannot fold is a depthwise convolution with one weight a channel, on the ALU. */
static void scale(lower_state *s, uint32_t op)
{
    const roof_op *own = op_at(s, op);
    const uint32_t maker = maker_alone(s, lower_input(s, own));
    if (lower_count_maps(s, own) == 1 && maker != ROOF_NONE && rule_has_macs(op_at(s, maker)->rule)) {
        add_bias(s, op_at(s, maker), own);
        lower_fold(s, op, maker, 1);
        return;
    }
    lower_begin_row(s, op);
    s->applied[13]++;
}

/* ---- R2, R3, R5, R7, R8: what has a window ---- */

/* R8: the stride of a 1x1 convolution moves into the k x k before it, which nobody else reads. */
static void move_stride(lower_state *s, uint32_t op)
{
    roof_op *own = op_at(s, op);
    const roof_window *w = &own->window;
    const uint32_t before = maker_alone(s, lower_input(s, own));
    if (s->without_rules & 1U << 8 || own->rule != ROOF_RULE_CONV2D || before == ROOF_NONE ||
        w->kernel_h != 1 || w->kernel_w != 1 || w->stride_h < 2 || w->stride_h != w->stride_w)
        return;
    roof_op *first = op_at(s, before);
    roof_window *v = &first->window;
    if (first->rule != ROOF_RULE_CONV2D || v->kernel_h < 2 || v->kernel_w < 2 || v->stride_h != 1 ||
        v->stride_w != 1 || first->out.n_dims != 4 || own->out.n_dims != 4)
        return;
    v->stride_h = w->stride_h;
    v->stride_w = w->stride_w;
    own->window.stride_h = own->window.stride_w = 1;
    first->out.dims[1] = own->out.dims[1];
    first->out.dims[2] = own->out.dims[2];
    first->out.elements = own->out.elements / own->out.dims[3] * first->out.dims[3];
    s->applied[8]++;
}

static void convolution(lower_state *s, uint32_t op)
{
    roof_op *own = op_at(s, op);
    const uint32_t maker = maker_alone(s, lower_input(s, own));
    move_stride(s, op);
    lower_begin_row(s, op);
    if (own->rule == ROOF_RULE_CONV2D) {
        /* on the first layer the columns of the kernel are done as if they were channels, where they fit */
        const uint32_t input = lower_input(s, own);
        const roof_quantity *lanes = roof_hw_get(s->hw, "conv.channel_augmentation");
        if (lanes && input != ROOF_NONE && op_at(s, lower_maker(s, input))->rule == ROOF_RULE_INPUT &&
            (double)(own->window.kernel_w * tensor_nhwc(&op_at(s, input)->out).c) <= lanes->value)
            s->ops[op].folds_kernel = true;
    }
    if (own->rule == ROOF_RULE_DEPTHWISE && maker != ROOF_NONE && op_at(s, maker)->rule == ROOF_RULE_CONV2D)
        lower_join(s, maker, op, 2);
}

/* A pooling joins its convolution also when others read that: then both maps are saved. */
static void pooling(lower_state *s, uint32_t op)
{
    const roof_op *own = op_at(s, op);
    if (text_has_word("LpPool GlobalLpPool L2_POOL_2D", own->type)) {
        lower_to_host(s, op, "the DPU pools by maximum or average only");
        return;
    }
    lower_begin_row(s, op);
    const uint32_t maker = lower_maker(s, lower_input(s, own));
    const lower_op *fate = maker == ROOF_NONE ? NULL : &s->ops[maker];
    if (fate && fate->fate == LOWER_ROW && fate->into == maker && fate->size == 1 &&
        op_at(s, maker)->rule == ROOF_RULE_CONV2D)
        lower_join(s, maker, op, 3);
}

/* The map behind reshapes that a product of its values reads as a vector, in whatever order. */
static uint32_t map_behind(const lower_state *s, uint32_t input, uint64_t elements)
{
    uint32_t at = lower_maker(s, input);
    while (s->ops[at].fate == LOWER_NAMED && s->ops[at].reshapes && op_at(s, at)->n_inputs &&
           lower_count_maps(s, op_at(s, at)) == 1) {
        const uint32_t before = lower_maker(s, lower_input(s, op_at(s, at)));
        if (op_at(s, before)->out.elements != elements)
            break;
        at = before;
    }
    return at;
}

/* R7: a product with constant weights is a convolution whose kernel is the map that it reads. */
static void product(lower_state *s, uint32_t op)
{
    roof_graph *g = s->graph;
    roof_op *own = op_at(s, op);
    const uint32_t input = lower_input(s, own);
    uint32_t weights = ROOF_NONE;
    FOR_EACH(roof_edge, edge, op_edges(g, own), own->n_inputs) {
        if (s->ops[edge->op].fate != LOWER_CONSTANT || edge->role == ROOF_ROLE_BIAS || weights != ROOF_NONE)
            continue;
        weights = edge->op;
        edge->role = ROOF_ROLE_WEIGHTS; /* some formats have it as a second input */
    }
    if (input == ROOF_NONE || weights == ROOF_NONE || lower_count_maps(s, own) != 1) {
        lower_to_host(s, op, "both factors of the product are computed");
        return;
    }
    lower_begin_row(s, op);
    s->applied[7]++;
    const uint32_t map = map_behind(s, input, g->ops[input].out.elements);
    const nhwc from = tensor_nhwc(&g->ops[map].out), to = tensor_nhwc(&own->out);
    roof_tensor *w = &g->ops[weights].out;
    if (from.h * from.w * from.c * to.c != w->elements || to.n * to.h * to.w != from.n)
        return; /* rows of a matrix: one position each, with a kernel of 1 x 1 */
    own->rule = ROOF_RULE_CONV2D;
    own->window = window_of(from.h, from.w);
    w->n_dims = 4;
    w->dims[0] = (uint32_t)to.c;
    w->dims[1] = (uint32_t)from.h;
    w->dims[2] = (uint32_t)from.w;
    w->dims[3] = (uint32_t)from.c;
    FOR_EACH(roof_edge, edge, op_edges(g, own), own->n_inputs)
        edge->op = edge->op == input ? map : edge->op;
    if (map != input) { /* the names between may have no other reader */
        s->ops[map].readers += 1;
        for (uint32_t at = lower_maker(s, input); at != map;
             at = lower_maker(s, lower_input(s, op_at(s, at)))) {
            if (--s->ops[at].readers)
                break;
            if (lower_maker(s, lower_input(s, op_at(s, at))) == map)
                s->ops[map].readers--;
        }
    }
}

/* ---- R4, R9, R10, R11: element by element, and over a map ---- */

/* The one of two convolutions that ends the shorter way is executed last, right before the addition.
 * Evidence: 9 of 9 additions of two convolutions in compiled files. */
static uint32_t convolution_for(const lower_state *s, const roof_op *op)
{
    uint32_t best = ROOF_NONE;
    FOR_EACH(const roof_edge, edge, op_edges(s->graph, op), op->n_inputs) {
        const uint32_t maker = maker_alone(s, edge->op);
        const roof_rule rule = maker == ROOF_NONE ? ROOF_RULE_UNKNOWN : op_at(s, maker)->rule;
        if ((rule == ROOF_RULE_CONV2D || rule == ROOF_RULE_TRANSPOSED) &&
            (best == ROOF_NONE || s->ops[maker].depth < s->ops[best].depth))
            best = maker;
    }
    return best;
}

/* A bias or a factor that is constant folds into the convolution before it; R9: a factor of a hard sigmoid
 * into that. */
static void with_constant(lower_state *s, uint32_t op, bool adds, bool multiplies)
{
    const roof_op *own = op_at(s, op);
    const uint32_t maker = maker_alone(s, lower_input(s, own));
    const roof_rule rule = maker == ROOF_NONE ? ROOF_RULE_UNKNOWN : op_at(s, maker)->rule;
    if ((adds || multiplies) && rule_has_macs(rule)) {
        if (adds)
            add_bias(s, op_at(s, maker), own);
        lower_fold(s, op, maker, 1);
    } else if (multiplies && rule == ROOF_RULE_HARD_SIGMOID)
        lower_fold(s, op, maker, 9);
    else if (multiplies && rule == ROOF_RULE_POOL && op_at(s, maker)->average)
        lower_fold(s, op, maker, 10); /* the divisor that a quantiser corrects */
    else
        lower_to_host(s, op, "a constant operand that no layer before it can take in");
}

static void elementwise(lower_state *s, uint32_t op)
{
    roof_op *own = op_at(s, op);
    const bool adds = text_has_word("add Add ADD Sum eltwise eltwise-fix ADD_N", own->type),
               multiplies = text_has_word("mul Mul MUL", own->type);
    /* a compiler's own, which only shifts what one convolution made, has no second operand */
    if (lower_count_maps(s, own) < 2 && own->rule == ROOF_RULE_BINARY) {
        with_constant(s, op, adds, multiplies);
        return;
    }
    if (!adds && !multiplies) {
        lower_to_host(s, op, "the DPU adds and multiplies maps, and no more");
        return;
    }
    lower_begin_row(s, op);
    /* R10: a map times one value a channel that was computed is the ALU's */
    const nhwc out = tensor_nhwc(&own->out);
    bool has_vector = false;
    FOR_EACH(const roof_edge, edge, op_edges(s->graph, own), multiplies ? own->n_inputs : 0) {
        const nhwc in = tensor_nhwc(&s->graph->ops[edge->op].out);
        has_vector = has_vector || (in.h == 1 && in.w == 1 && in.c == out.c);
    }
    if (has_vector && out.h * out.w > 1) {
        own->rule = ROOF_RULE_SCALE;
        s->applied[10]++;
        return;
    }
    const uint32_t first = adds ? convolution_for(s, own) : ROOF_NONE;
    if (first != ROOF_NONE)
        lower_join(s, first, op, 4);
}

/* R9: a hard swish is the hard sigmoid of a map, and its product with the map. */
static void function(lower_state *s, uint32_t op)
{
    roof_graph *g = s->graph;
    roof_op *own = op_at(s, op);
    const uint32_t input = lower_input(s, own);
    if (!text_has_word("HardSwish hard-swish HARD_SWISH", own->type) || input == ROOF_NONE) {
        const nhwc map = tensor_nhwc(&own->out);
        const bool is_silu = text_has_word("swish Swish QuickGelu", own->type) ||
                             (text_has_word("sigmoid Sigmoid QLinearSigmoid LOGISTIC", own->type) &&
                              map.h * map.w > 1 && s->ops[op].read_by & 1U << ROOF_RULE_BINARY);
        lower_to_host(s, op,
                      is_silu ? "the DPU has no SiLU; take hard swish or ReLU6"
                              : "the DPU has no such function; take hard swish, hard sigmoid or ReLU6");
        return;
    }
    /* Other engines than that of convolutions have no hard sigmoid.
     * Source: Xilinx/Vitis-AI, issue 1245, where a hard swish behind an addition split a network. */
    const uint32_t maker = lower_maker(s, input);
    if (s->ops[maker].fate == LOWER_ROW && !rule_has_macs(op_at(s, maker)->rule) &&
        op_at(s, maker)->rule != ROOF_RULE_SCALE) {
        lower_to_host(s, op, "the DPU has a hard swish behind a convolution only; take ReLU6 here");
        return;
    }
    const uint32_t sigmoid = g->n_ops++;
    g->ops[sigmoid] = *own;
    g->ops[sigmoid].rule = ROOF_RULE_HARD_SIGMOID;
    own->rule = ROOF_RULE_BINARY;
    own->first_input = g->n_edges;
    own->n_inputs = 2;
    g->edges[g->n_edges++] = (roof_edge){input, ROOF_ROLE_INPUT};
    g->edges[g->n_edges++] = (roof_edge){sigmoid, ROOF_ROLE_INPUT};
    s->order[sigmoid] = sigmoid;
    s->ops[sigmoid] = (lower_op){.readers = 1, .depth = s->ops[op].depth};
    s->ops[maker].readers++;
    lower_begin_row(s, op);
    lower_begin_row(s, sigmoid);
    s->applied[9]++;
}

/* R10: a mean over a map, in one step or over its height and then its width, is an average pooling. R11: a
 * maximum over rows is a pooling with a kernel of 1 x W. */
static void reduction(lower_state *s, uint32_t op)
{
    roof_graph *g = s->graph;
    roof_op *own = op_at(s, op);
    const bool is_max = text_has_word("ReduceMax reduction_max reduction_max_fix REDUCE_MAX", own->type),
               is_mean = text_has_word("ReduceMean reduction_mean aten::mean MEAN", own->type);
    uint32_t input = lower_input(s, own);
    const uint32_t before = maker_alone(s, input);
    if (before != ROOF_NONE && s->ops[before].halves_mean && is_mean) {
        own->first_input = op_at(s, before)->first_input;
        own->n_inputs = op_at(s, before)->n_inputs;
        input = lower_input(s, own);
        s->ops[before].fate = LOWER_FOLDED;
        s->ops[before].into = op;
    }
    const nhwc in = input == ROOF_NONE ? (nhwc){0} : tensor_nhwc(&g->ops[input].out),
               out = tensor_nhwc(&own->out);
    const uint64_t area =
        out.c && in.c == out.c && own->out.elements ? g->ops[input].out.elements / own->out.elements : 0;
    const bool over_map = area == in.h * in.w, over_rows = area == in.w && in.w > 1,
               over_columns = area == in.h;
    if (!area || !(is_max || is_mean) || !(over_map || over_rows || over_columns)) {
        lower_to_host(s, op, "a reduction that is no pooling of a map");
        return;
    }
    own->rule = ROOF_RULE_POOL;
    own->average = is_mean;
    own->window =
        window_of(over_map || (over_columns && !over_rows) ? in.h : 1, over_map || over_rows ? in.w : 1);
    s->ops[op].halves_mean = is_mean && !over_map;
    s->applied[is_max ? 11 : 10]++;
    if (s->ops[op].halves_mean)
        lower_begin_row(s, op);
    else
        pooling(s, op);
}

/* ---- R5, R6, R12: what moves data ---- */

/* How often a pixel shuffle repeats height and width; 0: it is none. */
static uint32_t shuffle_of(const roof_tensor *in, const roof_tensor *out)
{
    const nhwc a = tensor_nhwc(in), b = tensor_nhwc(out);
    const uint64_t r = a.h && b.h % a.h == 0 ? b.h / a.h : 0;
    return r > 1 && b.w == a.w * r && a.c == b.c * r * r ? (uint32_t)r : 0;
}

static void movement(lower_state *s, uint32_t op)
{
    const uint32_t reshapes = 1U << ROOF_RULE_ALIAS, products = 1U << ROOF_RULE_MATMUL;
    const roof_op *own = op_at(s, op);
    const uint32_t input = lower_input(s, own);
    const roof_tensor *in = input == ROOF_NONE ? NULL : &op_at(s, input)->out;
    const uint32_t times = in ? shuffle_of(in, &own->out) : 0;
    const uint32_t maker = maker_alone(s, input);
    const bool is_whole = in && in->elements == own->out.elements;
    const bool is_slice = text_has_word("Slice SLICE Split SPLIT SPLIT_V strided_slice strided_slice-fix "
                                        "STRIDED_SLICE UNPACK",
                                        own->type),
               is_pad = text_has_word("pad Pad PAD PADV2 pad-fix MIRROR_PAD", own->type),
               is_shuffle = is_whole && shuffle_of(&own->out, in) && !is_slice;
    /* R7: weights are put into this order instead */
    const bool is_order_of_weights = is_whole && !(s->ops[op].read_by & ~(reshapes | products));
    if (!in)
        lower_name(s, op, false);
    else if (times) {
        lower_begin_row(s, op);
        if (maker != ROOF_NONE && op_at(s, maker)->rule == ROOF_RULE_CONV2D) {
            s->ops[maker].sub_pixels = times;
            lower_join(s, maker, op, 5);
        }
    } else if (has_same_shape(in, &own->out) || is_pad)
        lower_fold(s, op, lower_maker(s, input), 7); /* in another order, or wider by its pads */
    else if (is_shuffle)
        lower_begin_row(s, op);
    else if (is_slice || is_order_of_weights)
        lower_name(s, op, true);
    else
        lower_to_host(s, op, "it moves data in a way that the DPU cannot");
}

static void alias(lower_state *s, uint32_t op)
{
    const roof_op *own = op_at(s, op);
    const uint32_t n_maps = lower_count_maps(s, own), input = lower_input(s, own);
    if (n_maps == 1 && has_same_shape(&op_at(s, input)->out, &own->out))
        pass(s, op);
    else {
        lower_name(s, op, n_maps == 1);
        s->applied[6]++;
    }
}

static void resize_or_hard_sigmoid(lower_state *s, uint32_t op)
{
    lower_begin_row(s, op);
    s->applied[5]++;
}

/* ---- all operators ---- */

#define NOT_THERE                                                                                            \
    {                                                                                                        \
        .why_host = "the DPU has no such operator"                                                           \
    }

static const struct {
    void (*run)(lower_state *s, uint32_t op);
    const char *why_host; /* of a rule that always runs on the CPU */
} by_rule[ROOF_RULE_COUNT] = {
    [ROOF_RULE_UNKNOWN] = {.why_host = "nobody knows here what this operator does"},
    [ROOF_RULE_CONV2D] = {.run = convolution},
    [ROOF_RULE_DEPTHWISE] = {.run = convolution},
    [ROOF_RULE_TRANSPOSED] = {.run = convolution},
    [ROOF_RULE_TRANSPOSED_DEPTHWISE] = {.run = convolution},
    [ROOF_RULE_CONV3D] = NOT_THERE,
    [ROOF_RULE_MATMUL] = {.run = product},
    [ROOF_RULE_ATTENTION] = NOT_THERE,
    [ROOF_RULE_RECURRENT] = NOT_THERE,
    [ROOF_RULE_POOL] = {.run = pooling},
    [ROOF_RULE_ELTWISE] = {.run = elementwise},
    [ROOF_RULE_BINARY] = {.run = elementwise},
    [ROOF_RULE_ACTIVATION] = {.run = activation},
    [ROOF_RULE_FUNCTION] = {.run = function},
    [ROOF_RULE_RELU6] = {.run = activation},
    [ROOF_RULE_HARD_SIGMOID] = {.run = resize_or_hard_sigmoid},
    [ROOF_RULE_SCALE] = {.run = scale},
    [ROOF_RULE_SOFTMAX] = {.why_host = "softmax runs on the CPU"},
    [ROOF_RULE_REDUCE] = {.run = reduction},
    [ROOF_RULE_RESIZE] = {.run = resize_or_hard_sigmoid},
    [ROOF_RULE_MOVE] = {.run = movement},
    [ROOF_RULE_ALIAS] = {.run = alias},
    [ROOF_RULE_CONVERT] = {.run = pass},
    [ROOF_RULE_HOST] = NOT_THERE,
};

static void choose(lower_state *s, uint32_t op)
{
    const roof_graph *g = s->graph;
    const roof_op *own = &g->ops[op];
    const bool is_on_host = own->subgraph != ROOF_NONE && g->n_subgraphs > 1 &&
                            g->subgraphs[own->subgraph].device == ROOF_DEVICE_CPU && rule_computes(own->rule);
    const char *why = is_on_host ? "the file says so" : lower_limit(s, op);
    why = why ? why : by_rule[own->rule].why_host;
    if (why)
        lower_to_host(s, op, why);
    else
        by_rule[own->rule].run(s, op);
}

const lowering lowering_dpu = {
    .accelerator = "DPU", .stack = "vitis-ai-3", .choose = choose, .move = lower_residency};
