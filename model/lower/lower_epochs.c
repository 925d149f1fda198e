/* Streams, weights, copies and what the host does for a Neural-ART, as ST's compiler makes epochs of a graph.
 * Formulas and their evidence: docs/hardware/neural_art.md, "An uncompiled network". */
#include "model/lower/fate.h"
#include "model/graph/program_build.h"
#include "model/work/epoch_work.h"
#include "model/work/op_program.h"
#include "model/work/opmap.h"

/* Sizes that the accelerator takes at a time, whatever the layer: kernels of a pass, rows of a kernel,
 * channels that one unit sums, places that a pooling of whole maps may have, and what channels go together
 * in. */
enum { KERNELS = 16, KERNEL_ROWS = 3, WIDEST_KERNEL = 6, SUMMED_CHANNELS = 128, MOST_UNITS = 4 };
enum { MOST_POOLED = 64, CHANNELS_TOGETHER = 8, MAP_DIMS = 4 };

static const char joins[] = "Concat QLinearConcat CONCATENATION concat concat-fix";
static const char parts[] = "Slice Split SLICE STRIDED_SLICE SPLIT SPLIT_V strided_slice strided_slice-fix";
static const char swishes[] = "Swish HardSwish HARD_SWISH swish hard-swish";
static const char sigmoids[] = "Sigmoid QLinearSigmoid LOGISTIC sigmoid";
static const char products[] = "Mul QLinearMul MUL mul";

/* --- streams -------------------------------------------------------------------------------------------- */

static double passes_of(const roof_op *op)
{
    const double rows = (double)ceil_div(op->window.kernel_h ? op->window.kernel_h : 1, KERNEL_ROWS);
    return op->window.kernel_w > WIDEST_KERNEL ? 2 * rows : rows;
}

/* Channels that one kernel sums, of those of its input. */
static uint64_t summed_channels(const roof_graph *g, const roof_op *op, uint64_t channels)
{
    const roof_op *weights = op_input(g, op, ROOF_ROLE_WEIGHTS);
    const uint64_t area = (uint64_t)op->window.kernel_h * op->window.kernel_w;
    if (!weights || !area || !weights->out.n_dims || !weights->out.dims[0])
        return channels;
    const uint64_t own = weights->out.elements / weights->out.dims[0] / area;
    return own && own < channels ? own : channels;
}

static double stream_of_conv(const roof_graph *g, const roof_op *op, const roof_tensor *in)
{
    const uint64_t channels = tensor_nhwc(in).c, summed = summed_channels(g, op, channels);
    const uint64_t groups = summed ? channels / summed : 1,
                   made = tensor_nhwc(&op->out).c / (groups ? groups : 1);
    const double passes = (double)ceil_div(made, KERNELS) * (double)in->elements;
    const bool is_of_places = op->window.kernel_h <= 1 && op->window.kernel_w <= 1;
    uint64_t units = 1;
    while (units < MOST_UNITS && units * SUMMED_CHANNELS < summed)
        units *= 2;
    return fmax((double)op->out.elements,
                is_of_places ? passes / (KERNEL_ROWS * (double)units) : passes * passes_of(op));
}

/* A last window that leaves the map, pads and all, as rounding up (ceil_mode) makes it. */
static bool leaves(uint64_t in, uint64_t out, uint32_t kernel, uint32_t stride, int32_t before,
                   int32_t behind)
{
    return kernel && stride && out > 1 && (double)(out - 1) * stride + kernel > (double)in + before + behind;
}

/* Bits of rules, by the unit that runs them. */
enum {
    CONVS = 1U << ROOF_RULE_CONV2D | 1U << ROOF_RULE_MATMUL,
    UNMEASURED = 1U << ROOF_RULE_TRANSPOSED | 1U << ROOF_RULE_TRANSPOSED_DEPTHWISE | 1U << ROOF_RULE_CONV3D |
                 1U << ROOF_RULE_ATTENTION,
    OTHERS = UNMEASURED | 1U << ROOF_RULE_POOL | 1U << ROOF_RULE_ELTWISE | 1U << ROOF_RULE_BINARY |
             1U << ROOF_RULE_ACTIVATION | 1U << ROOF_RULE_FUNCTION | 1U << ROOF_RULE_RELU6 |
             1U << ROOF_RULE_HARD_SIGMOID | 1U << ROOF_RULE_SCALE | 1U << ROOF_RULE_SOFTMAX |
             1U << ROOF_RULE_REDUCE
};

static void set_layer(const lower_state *s, const roof_op *op, epoch_work *w)
{
    /* the input that is largest, of operators element by element; else the first */
    const roof_op *from = op_input(s->graph, op, ROOF_ROLE_INPUT);
    FOR_EACH(const roof_edge, edge, op_edges(s->graph, op), rule_has_macs(op->rule) ? 0 : op->n_inputs)
        if (lower_is_map(s, edge) && (!from || op_at(s, edge->op)->out.elements > from->out.elements))
            from = op_at(s, edge->op);
    const roof_tensor *in = from ? &from->out : &op->out;
    const uint32_t rule = 1U << op->rule;
    w->unit = rule & CONVS                      ? EPOCH_CONV
              : op->rule == ROOF_RULE_DEPTHWISE ? EPOCH_DEPTHWISE
              : rule & OTHERS                   ? EPOCH_OTHER
                                                : EPOCH_NO_LAYER;
    w->is_unmeasured = rule & UNMEASURED;
    if (w->unit == EPOCH_NO_LAYER)
        return;
    const roof_window *v = &op->window;
    const nhwc read = tensor_nhwc(in), made = tensor_nhwc(&op->out);
    w->in_elements = in->elements;
    w->out_elements = op->out.elements;
    w->in = from ? lower_maker(s, (uint32_t)(from - s->graph->ops)) : ROOF_NONE;
    w->out = (uint32_t)(op - s->graph->ops);
    w->is_strided = v->stride_h > 1 || v->stride_w > 1;
    w->out_channels = w->unit == EPOCH_OTHER ? 0 : made.c;
    w->stream = fmax((double)in->elements, (double)op->out.elements);
    if (w->unit == EPOCH_CONV)
        w->stream = stream_of_conv(s->graph, op, in);
    else if (w->unit == EPOCH_DEPTHWISE)
        w->stream *= passes_of(op);
    else if (op->rule == ROOF_RULE_POOL && (made.h != 1 || made.w != 1))
        w->stream *= fmax(1, v->kernel_h ? (v->kernel_h - 1) / 2 : 0);
    else if (op->rule == ROOF_RULE_POOL || op->rule == ROOF_RULE_REDUCE) {
        /* it makes one place of all: a pooling of whole maps, which have so many */
        const uint64_t places =
            op->rule == ROOF_RULE_POOL ? read.h * read.w : ceil_div(in->elements, op->out.elements);
        if (places > MOST_POOLED) {
            w->stream = 0;
            w->extras[EPOCH_POOL] = in->elements;
        }
    }
    w->pools_in_floats = op->rule == ROOF_RULE_POOL && v->dilation_h <= 1 && v->dilation_w <= 1 &&
                         (leaves(read.h, made.h, v->kernel_h, v->stride_h, v->pad_top, v->pad_bottom) ||
                          leaves(read.w, made.w, v->kernel_w, v->stride_w, v->pad_left, v->pad_right));
}

/* --- swish ---------------------------------------------------------------------------------------------- */

static bool is_clip(const roof_op *op)
{
    return op->rule == ROOF_RULE_RELU6 || text_has_word("Clip", op->type);
}

/* True if `of` is a sigmoid of x, or x shifted, cut and scaled, as exporters spell a hard one. */
static bool gates(const lower_state *s, uint32_t of, uint32_t x)
{
    enum { MOST_STEPS = 4 };
    bool cuts = false;
    for (int i = 0; i < MOST_STEPS && of != x; i++) {
        const roof_op *op = op_at(s, of);
        const uint32_t from = lower_input(s, op);
        const bool is_gate = op->rule == ROOF_RULE_HARD_SIGMOID || text_has_word(sigmoids, op->type);
        if (from == ROOF_NONE || lower_count_maps(s, op) != 1 ||
            op->out.elements != op_at(s, x)->out.elements ||
            !(is_gate || is_clip(op) || op->rule == ROOF_RULE_BINARY))
            return false;
        cuts = cuts || is_gate || is_clip(op);
        of = lower_maker(s, from);
    }
    return of == x && cuts;
}

static bool is_swish(const lower_state *s, const roof_op *op)
{
    uint32_t maps[2] = {0}, n = 0;
    if (text_has_word(swishes, op->type))
        return true;
    if (!text_has_word(products, op->type) || lower_count_maps(s, op) != 2)
        return false;
    FOR_EACH(const roof_edge, edge, op_edges(s->graph, op), op->n_inputs)
        if (lower_is_map(s, edge))
            maps[n++] = lower_maker(s, edge->op);
    return gates(s, maps[0], maps[1]) || gates(s, maps[1], maps[0]);
}

/* --- beside layers -------------------------------------------------------------------------------------- */

static void add_elements(uint64_t *sum, uint64_t term)
{
    if (__builtin_add_overflow(*sum, term, sum))
        *sum = UINT64_MAX;
}

/* The extra work on elements that an operator makes beside all layers. */
static void add_extra(const lower_state *s, const roof_op *op, epoch_work *w)
{
    const uint32_t input = lower_input(s, op);
    const roof_op *from = op_input(s->graph, op, ROOF_ROLE_INPUT);
    const nhwc made = tensor_nhwc(&op->out), read = from ? tensor_nhwc(&from->out) : (nhwc){0};
    const bool is_join = text_has_word(joins, op->type) && lower_count_maps(s, op) > 1;
    const bool is_part =
        text_has_word(parts, op->type) || (text_has_word("output", op->type) && input != ROOF_NONE &&
                                           text_has_word(parts, op_at(s, input)->type));
    const bool is_copy = is_join || is_part, resamples = op->rule == ROOF_RULE_RESIZE;
    /* the host copies a map of channels that do not go together, behind the first layer */
    const bool is_odd =
        op->out.n_dims == MAP_DIMS && made.c % CHANNELS_TOGETHER && s->ops[op - s->graph->ops].depth > 0;
    /* a map of one place is the same between places */
    const bool is_between = op->interpolates && !(read.h == 1 && read.w == 1);
    const epoch_extra extra = is_copy     ? is_odd ? EPOCH_ODD : EPOCH_COPY
                              : resamples ? is_between ? EPOCH_BILINEAR : EPOCH_NEAREST
                                          : EPOCH_SOFTMAX;
    if (is_copy || resamples || op->rule == ROOF_RULE_SOFTMAX)
        add_elements(&w->extras[extra], op->out.elements);
}

/* --- all ------------------------------------------------------------------------------------------------ */

/* A convolution and the pooling that alone reads it share an epoch: the map between them is never whole. */
static void take_pools(const lower_state *s, epoch_work *const *of, const uint32_t *readers)
{
    for (uint32_t r = 0; r < s->n_rows; r++) {
        const lower_row *row = &s->rows[r];
        const uint32_t by = row->n_reads == 1 ? s->reads[row->first_read].row : ROOF_NONE;
        if (by == ROOF_NONE || readers[by] != 1 || !of[r] || !of[by] ||
            op_at(s, of[r]->out)->rule != ROOF_RULE_POOL || of[r]->unit != EPOCH_OTHER ||
            (of[by]->unit != EPOCH_CONV && of[by]->unit != EPOCH_DEPTHWISE))
            continue;
        of[r]->in = of[by]->in;
        of[r]->in_elements = of[by]->in_elements;
        of[by]->in_elements = of[by]->out_elements = 0;
    }
}

roof_status lower_epochs_describe(const lower_state *s, struct program_builder *b)
{
    epoch_work **of, *beside;
    uint32_t *readers;
    TRY(ARENA_GET2(s->scratch, of, readers, s->n_rows, s->err));
    TRY(ARENA_GET(b->rows, beside, 1, s->err));
    FOR_EACH(const lower_read, read, s->reads, s->n_reads)
        if (read->row != ROOF_NONE)
            readers[read->row]++;
    for (uint32_t r = 0; r < s->n_rows; r++) {
        const roof_op *main = op_program_main(s->graph, &s->graph->layers[r]);
        if (b->out->rows[r].executor == ROOF_BY_HOST && (!main || main->rule != ROOF_RULE_SOFTMAX))
            continue;
        TRY(ARENA_GET(b->rows, of[r], 1, s->err));
        if (main)
            set_layer(s, main, of[r]);
        FOR_EACH(const uint32_t, i, s->row_ops + s->rows[r].first_op, s->rows[r].n_ops) {
            const roof_op *op = op_at(s, *i);
            add_extra(s, op, of[r]);
            if (is_swish(s, op))
                add_elements(&of[r]->silu_elements, op->out.elements);
        }
        if (b->out->rows[r].executor != ROOF_BY_HOST)
            of[r]->weights_bytes = b->out->rows[r].work.traffic.weights_bytes;
        b->out->rows[r].work.epoch = of[r];
    }
    take_pools(s, of, readers);
    for (uint32_t i = 0; i < s->graph->n_ops; i++)
        if (s->ops[i].fate == LOWER_NAMED || s->ops[i].fate == LOWER_FOLDED)
            add_extra(s, op_at(s, i), beside);
    b->out->epochs = beside;
    return ROOF_OK;
}
