#include "model/lower/fate.h"

uint32_t lower_maker(const lower_state *s, uint32_t op)
{
    while (op != ROOF_NONE && s->ops[op].fate == LOWER_FOLDED)
        op = s->ops[op].into;
    return op;
}

uint32_t lower_row_alone(const lower_state *s, uint32_t input)
{
    const uint32_t maker = lower_maker(s, input);
    const lower_op *fate = maker == ROOF_NONE ? NULL : &s->ops[maker];
    return fate && fate->fate == LOWER_ROW && fate->into == maker && fate->readers == 1 ? maker : ROOF_NONE;
}

bool lower_is_map(const lower_state *s, const roof_edge *edge)
{
    return (edge->role == ROOF_ROLE_INPUT || edge->role == ROOF_ROLE_OTHER) &&
           s->ops[edge->op].fate != LOWER_CONSTANT;
}

uint32_t lower_input(const lower_state *s, const roof_op *op)
{
    FOR_EACH(const roof_edge, edge, op_edges(s->graph, op), op->n_inputs)
        if (lower_is_map(s, edge))
            return edge->op;
    return ROOF_NONE;
}

uint32_t lower_count_maps(const lower_state *s, const roof_op *op)
{
    uint32_t n = 0;
    FOR_EACH(const roof_edge, edge, op_edges(s->graph, op), op->n_inputs)
        n += lower_is_map(s, edge);
    return n;
}

void lower_fold(lower_state *s, uint32_t op, uint32_t into, uint32_t rule)
{
    lower_op *maker = &s->ops[into];
    s->ops[op].fate = LOWER_FOLDED;
    s->ops[op].into = into;
    maker->readers += s->ops[op].readers;
    maker->readers -= maker->readers > 0; /* itself */
    s->applied[rule]++;
}

void lower_name(lower_state *s, uint32_t op, bool reshapes)
{
    s->ops[op].fate = LOWER_NAMED;
    s->ops[op].reshapes = reshapes;
}

void lower_begin_row(lower_state *s, uint32_t op)
{
    s->ops[op].fate = LOWER_ROW;
    s->ops[op].into = op;
    s->ops[op].size = 1;
}

void lower_join(lower_state *s, uint32_t first, uint32_t op, uint32_t rule)
{
    s->ops[first].into = op;
    s->ops[op].size += s->ops[first].size;
    s->applied[rule]++;
}

void lower_to_host(lower_state *s, uint32_t op, const char *reason)
{
    lower_begin_row(s, op);
    s->ops[op].fate = LOWER_HOST;
    s->ops[op].reason = reason;
}

uint32_t lower_leader(const lower_state *s, uint32_t op)
{
    uint32_t leader = op;
    while (s->ops[leader].into != leader)
        leader = s->ops[leader].into;
    while (op != leader) { /* the way is made short: a row may have any number of operators */
        const uint32_t next = s->ops[op].into;
        s->ops[op].into = leader;
        op = next;
    }
    return leader;
}

bool lower_is_executed(const lower_state *s, uint32_t op)
{
    return s->ops[op].fate == LOWER_ROW || s->ops[op].fate == LOWER_HOST;
}

/* ---- sizes ---- */

/* Sizes of one operator; NAN: the file does not state it. The factor f is that of the row. */
typedef enum quantity {
    KERNEL,         /* the larger side of a kernel */
    KERNEL_OF_PART, /* the same, of a pooling that does not cover the map */
    REACH,          /* rows from the first to the last that a kernel meets */
    AREA,           /* places within that, and the same of columns */
    STRIDE,         /* the larger one */
    STRIDE_OF_ROWS, /* of more than one row that is made */
    BANK,           /* kernel_w x kernel_h x ceil(channels of a group / f) */
    DILATED,        /* dilation x channels / f */
    MADE,           /* channels that are made / f */
    SLOPE,          /* below zero */
    BETWEEN,        /* 1: places between those of the map are computed */
    PADDED_MEAN,    /* the larger side of the kernel of an average with pads */
    UNEVEN /* 1: height and width do not become 2, 4 or 8 times as many; f: product, an 85 need not */
} quantity;

static bool is_even(const nhwc *in, const nhwc *out)
{
    const uint64_t times = in->h ? out->h / in->h : 0;
    return (in->h == 1 && in->w == 1) || (out->h == in->h * times && out->w == in->w * times &&
                                          (times == 1 || times == 2 || times == 4 || times == 8));
}

static double quantity_of(const lower_state *s, const roof_op *op, quantity what, double f)
{
    const roof_window *w = &op->window;
    const roof_op *weights = op_input(s->graph, op, ROOF_ROLE_WEIGHTS);
    const uint32_t input = lower_input(s, op);
    const nhwc out = tensor_nhwc(&op->out),
               in = input == ROOF_NONE ? out : tensor_nhwc(&s->graph->ops[input].out);
    const double h = w->kernel_h, v = w->kernel_w, dilation_h = w->dilation_h ? w->dilation_h : 1,
                 dilation_w = w->dilation_w ? w->dilation_w : 1;
    const bool has_kernel = h > 0 && v > 0;
    const double group = weights && has_kernel && weights->out.n_dims && weights->out.dims[0]
                             ? (double)weights->out.elements / weights->out.dims[0] / (h * v)
                             : (double)in.c;
    switch (what) {
    case KERNEL:
        return has_kernel ? fmax(h, v) : NAN;
    case KERNEL_OF_PART:
        return has_kernel && (out.h > 1 || out.w > 1) ? fmax(h, v) : NAN;
    case REACH:
        return has_kernel ? (h - 1) * dilation_h + 1 : NAN;
    case AREA:
        return has_kernel ? ((h - 1) * dilation_h + 1) * ((v - 1) * dilation_w + 1) : NAN;
    case STRIDE:
        return w->stride_h ? fmax(w->stride_h, w->stride_w) : NAN;
    case STRIDE_OF_ROWS:
        return w->stride_h && out.h > 1 ? (double)w->stride_h : NAN;
    case BANK:
        return has_kernel ? h * v * ceil(group / f) : NAN;
    case DILATED:
        return w->dilation_h > 1 || w->dilation_w > 1 ? fmax(dilation_h, dilation_w) * (double)in.c / f : NAN;
    case MADE:
        return (double)out.c / f;
    case SLOPE:
        return op->slope > 0 ? (double)op->slope : NAN;
    case BETWEEN:
        return op->interpolates;
    case PADDED_MEAN:
        return op->average && (w->pad_top || w->pad_left || w->pad_bottom || w->pad_right) ? fmax(h, v) : NAN;
    case UNEVEN:
        return f < 85 && !is_even(&in, &out);
    }
    return NAN;
}

const char *lower_limit(const lower_state *s, uint32_t op)
{
    static const struct {
        const char *families;
        roof_rule rule;
        quantity what;
        const char *factor;
        double least, most;
        const char *reason;
    } limits[] = {
#define LIMIT(families, rule, quantity, factor, least, most, reason)                                         \
    {(families), ROOF_RULE_##rule, quantity, (factor), (least), (most), (reason)},
#include "model/lower/limits.def"
#undef LIMIT
    };
    const roof_op *own = &s->graph->ops[op];
    for (size_t i = 0; i < N_OF(limits); i++) {
        if (limits[i].rule != own->rule || !text_has_word(limits[i].families, roof_hw_family(s->hw)))
            continue;
        const roof_quantity *known = roof_hw_get(s->hw, limits[i].factor);
        const double f = !limits[i].factor[0] ? 1 : known ? known->value : strtod(limits[i].factor, NULL);
        const double value = f > 0 ? quantity_of(s, own, limits[i].what, f) : NAN;
        if (value < limits[i].least || value > limits[i].most)
            return limits[i].reason;
    }
    return NULL;
}
