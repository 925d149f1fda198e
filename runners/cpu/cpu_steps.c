#include "runners/cpu/cpu_steps.h"
#include "core/error.h"

/* A builder of one operator's step: fills what its kind needs; what it returns is why the operator cannot be
 * executed. */
typedef struct context {
    const roof_graph *graph;
    uint32_t batch;
    roof_arena *arena;
    steps *out;
} context;

typedef const char *(*describer)(const context *c, const roof_op *op, step *s);

static step_shape shape_of(const context *c, const roof_op *op)
{
    nhwc s = tensor_nhwc(&op->out);
    return (step_shape){(int64_t)s.n * c->batch, (int64_t)s.h, (int64_t)s.w, (int64_t)s.c};
}

static bool are_same(const step_shape *a, const step_shape *b)
{
    return a->n == b->n && a->h == b->h && a->w == b->w && a->c == b->c;
}

/* The i-th of those that are no weights. */
static const roof_op *input_at(const context *c, const roof_op *op, uint32_t i)
{
    const roof_edge *edge = &c->graph->edges[op->first_input];
    for (i += 1; i; edge++)
        i -= edge->role == ROOF_ROLE_INPUT;
    return &c->graph->ops[edge[-1].op];
}

static uint32_t index_of(const context *c, const roof_op *op)
{
    return (uint32_t)(op - c->graph->ops);
}

/* --- operators with multiply-accumulates --------------------------------------------------------------- */

/* Padding at the far end so that the output has the size that the file states. False: no padding does. */
static bool fit_padding(int64_t in, int64_t out, int64_t kernel, int64_t dilation, int64_t stride,
                        int64_t before, int64_t *behind)
{
    int64_t reach = (kernel - 1) * dilation + 1;
    *behind = (out - 1) * stride + reach - in - before;
    return kernel > 0 && stride > 0 && dilation > 0 && before >= 0 && before < reach &&
           *behind<reach && * behind> - stride;
}

static const char *fit_window(step *s, const step_shape *small, const step_shape *large)
{
    const roof_window *w = &s->window;
    if (!w->stride_h || !w->stride_w)
        return "the file does not state its strides";
    bool fits =
        fit_padding(large->h, small->h, w->kernel_h, w->dilation_h, w->stride_h, w->pad_top,
                    &s->pad_bottom) &&
        fit_padding(large->w, small->w, w->kernel_w, w->dilation_w, w->stride_w, w->pad_left, &s->pad_right);
    return fits ? NULL : "its window does not give the shape that the file states";
}

static const char *describe_convolution(const context *c, const roof_op *op, step *s)
{
    const roof_op *weights = op_input(c->graph, op, ROOF_ROLE_WEIGHTS);
    const bool is_depthwise = op->rule == ROOF_RULE_DEPTHWISE;
    int64_t area = (int64_t)s->window.kernel_h * s->window.kernel_w, inner = s->in.c;
    if (weights && !is_depthwise && weights->out.n_dims == 4 && weights->out.dims[3])
        inner = weights->out.dims[3];
    s->groups = is_depthwise ? s->in.c : s->in.c / inner;
    if (s->groups < 1 || s->in.c % s->groups || s->to.c % s->groups)
        return "its channels are no whole groups";
    s->macs = (uint64_t)(s->to.n * s->to.h * s->to.w * s->to.c * area * (s->in.c / s->groups)) / c->batch;
    s->has_bias = op_input(c->graph, op, ROOF_ROLE_BIAS) != NULL;
    return fit_window(s, &s->to, &s->in);
}

static const char *describe_transposed(const context *c, const roof_op *op, step *s)
{
    int64_t area = (int64_t)s->window.kernel_h * s->window.kernel_w;
    s->groups = op->rule == ROOF_RULE_TRANSPOSED_DEPTHWISE ? s->in.c : 1;
    if (s->groups < 1 || s->to.c % s->groups)
        return "its channels are no whole groups";
    s->macs = (uint64_t)(s->in.n * s->in.h * s->in.w * s->in.c * area * (s->to.c / s->groups)) / c->batch;
    s->has_bias = op_input(c->graph, op, ROOF_ROLE_BIAS) != NULL;
    return fit_window(s, &s->in, &s->to); /* it is the convolution of its output that gives its input */
}

static const char *describe_product(const context *c, const roof_op *op, step *s)
{
    const roof_op *right = op_input(c->graph, op, ROOF_ROLE_WEIGHTS);
    if (!right && s->n_inputs > 1)
        right = &c->graph->ops[s->inputs[1]];
    int64_t out = s->to.n * s->to.h * s->to.w * s->to.c, in = s->in.n * s->in.h * s->in.w * s->in.c;
    op_work work;
    workload_convention none = {0};
    roof_error ignored;
    if (op_work_of(c->graph, op, &none, &work, &ignored) != ROOF_OK || !s->to.c || !work.macs ||
        !op->out.elements)
        return "its shapes are no matrix product";
    step_product *p = &s->product;
    p->inner = (int64_t)(work.macs / op->out.elements);
    p->columns = s->to.c;
    p->shared = !right || (int64_t)right->out.elements == p->inner * p->columns;
    p->batch = p->shared ? 1 : (int64_t)right->out.elements * c->batch / (p->inner * p->columns);
    p->rows = p->batch ? out / p->columns / p->batch : 0;
    s->has_bias = op_input(c->graph, op, ROOF_ROLE_BIAS) != NULL;
    s->macs = (uint64_t)(p->batch * p->rows * p->columns * p->inner) / c->batch;
    return p->rows && p->batch * p->rows * p->inner == in ? NULL : "its shapes are no matrix product";
}

/* --- the others ----------------------------------------------------------------------------------------- */

/* What its shapes alone tell. A copy has any. */
static const char *describe_shapes(const context *c, const roof_op *op, step *s)
{
    (void)c;
    (void)op;
    if (s->kind == STEP_RESIZE)
        return s->in.n == s->to.n && s->in.c == s->to.c ? NULL : "it changes the number of channels";
    return s->kind == STEP_COPY || are_same(&s->in, &s->to) ? NULL : "its shapes differ";
}

static const char *describe_pool(const context *c, const roof_op *op, step *s)
{
    (void)c;
    s->average = op->average;
    if ((!s->window.kernel_h || !s->window.kernel_w) && s->to.h == 1 && s->to.w == 1) /* a global one */
        s->window = (roof_window){
            .kernel_h = (uint32_t)s->in.h, .kernel_w = (uint32_t)s->in.w, .stride_h = 1, .stride_w = 1};
    s->window.dilation_h = s->window.dilation_w = 1;
    return s->in.c == s->to.c ? fit_window(s, &s->to, &s->in) : "it changes the number of channels";
}

/* True where small has the shape of large, or one that is repeated along a dimension. */
static bool is_repeated(const step_shape *small, const step_shape *large)
{
    return (small->n == large->n || small->n == 1) && (small->h == large->h || small->h == 1) &&
           (small->w == large->w || small->w == 1) && (small->c == large->c || small->c == 1);
}

static const char *describe_binary(const context *c, const roof_op *op, step *s)
{
    if (s->n_inputs == 1) { /* with a constant */
        s->kind = STEP_UNARY;
        return describe_shapes(c, op, s);
    }
    s->second = shape_of(c, input_at(c, op, 1));
    for (uint32_t i = 2; i < s->n_inputs; i++) {
        step_shape further = shape_of(c, input_at(c, op, i));
        if (!are_same(&further, &s->to))
            return "its shapes differ";
    }
    if (is_repeated(&s->in, &s->second) && !are_same(&s->in, &s->second)) {
        const step_shape in = s->in;
        const uint32_t first = s->inputs[0];
        s->in = s->second;
        s->inputs[0] = s->inputs[1];
        s->second = in;
        s->inputs[1] = first;
    }
    return are_same(&s->in, &s->to) && is_repeated(&s->second, &s->in) ? NULL
                                                                       : "its shapes cannot be combined";
}

/* Over pixels, over channels, or of as many elements for each that is left: the order of dimensions is then
 * not kept. */
static const char *describe_reduce(const context *c, const roof_op *op, step *s)
{
    (void)c;
    (void)op;
    int64_t out = s->to.n * s->to.h * s->to.w * s->to.c, in = s->in.n * s->in.h * s->in.w * s->in.c;
    if (out == s->in.n * s->in.c) {
        s->to = (step_shape){s->in.n, 1, 1, s->in.c};
    } else if (out == s->in.n * s->in.h * s->in.w) {
        s->to = (step_shape){s->in.n, s->in.h, s->in.w, 1};
    } else {
        if (!out || in % out)
            return "its shapes are no whole multiple of each other";
        s->in = (step_shape){in / out, 1, 1, out};
        s->to = (step_shape){1, 1, 1, out};
    }
    return NULL;
}

/* With factors that another operator makes it is a product of two tensors. */
static const char *describe_scale(const context *c, const roof_op *op, step *s)
{
    if (s->n_inputs == 1)
        return describe_shapes(c, op, s);
    s->kind = STEP_BINARY;
    return describe_binary(c, op, s);
}

static const char *describe_concat(const context *c, const roof_op *op, step *s)
{
    int64_t channels = 0;
    for (uint32_t i = 0; i < s->n_inputs; i++) {
        step_shape in = shape_of(c, input_at(c, op, i));
        channels += in.c;
        if (in.n != s->to.n || in.h != s->to.h || in.w != s->to.w)
            s->kind = STEP_COPY; /* along another dimension: as many bytes */
    }
    if (channels != s->to.c)
        s->kind = STEP_COPY;
    return NULL;
}

static const struct {
    step_kind kind;
    describer describe; /* NULL: nothing is executed */
} rules[ROOF_RULE_COUNT] = {
    [ROOF_RULE_CONV2D] = {STEP_CONVOLUTION, describe_convolution},
    [ROOF_RULE_DEPTHWISE] = {STEP_CONVOLUTION, describe_convolution},
    [ROOF_RULE_TRANSPOSED] = {STEP_TRANSPOSED, describe_transposed},
    [ROOF_RULE_TRANSPOSED_DEPTHWISE] = {STEP_TRANSPOSED, describe_transposed},
    [ROOF_RULE_MATMUL] = {STEP_PRODUCT, describe_product},
    [ROOF_RULE_POOL] = {STEP_POOL, describe_pool},
    [ROOF_RULE_ELTWISE] = {STEP_BINARY, describe_binary},
    [ROOF_RULE_BINARY] = {STEP_BINARY, describe_binary},
    [ROOF_RULE_ACTIVATION] = {STEP_UNARY, describe_shapes},
    [ROOF_RULE_FUNCTION] = {STEP_UNARY, describe_shapes},
    [ROOF_RULE_RELU6] = {STEP_UNARY, describe_shapes},
    [ROOF_RULE_HARD_SIGMOID] = {STEP_UNARY, describe_shapes},
    [ROOF_RULE_SCALE] = {STEP_SCALE, describe_scale},
    [ROOF_RULE_SOFTMAX] = {STEP_SOFTMAX, describe_shapes},
    [ROOF_RULE_REDUCE] = {STEP_REDUCE, describe_reduce},
    [ROOF_RULE_RESIZE] = {STEP_RESIZE, describe_shapes},
    [ROOF_RULE_MOVE] = {STEP_COPY, describe_shapes},
};

/* --- rows ----------------------------------------------------------------------------------------------- */

/* An operator that only names memory makes nothing of its own: it lies where its input does. */
static bool is_alias(const context *c, const roof_op *op)
{
    const roof_op *input = op_input(c->graph, op, ROOF_ROLE_INPUT);
    bool names = op->rule == ROOF_RULE_ALIAS || op->rule == ROOF_RULE_CONVERT;
    return names && input && op_count_inputs(c->graph, op, ROOF_ROLE_INPUT) == 1 &&
           input->out.elements == op->out.elements;
}

/* An operator may stand before what it takes; a chain of names is no longer than the graph. */
static uint32_t buffer_of(const context *c, uint32_t op)
{
    for (uint32_t i = 0; i < c->graph->n_ops && is_alias(c, &c->graph->ops[op]); i++)
        op = index_of(c, op_input(c->graph, &c->graph->ops[op], ROOF_ROLE_INPUT));
    return op;
}

static const char *add_inputs(const context *c, const roof_op *op, step *s)
{
    for (uint32_t i = 0; i < op->n_inputs; i++) {
        const roof_edge *edge = &c->graph->edges[op->first_input + i];
        if (edge->role != ROOF_ROLE_INPUT)
            continue;
        if (s->n_inputs == STEP_MOST_INPUTS)
            return "it has more inputs than this runner takes";
        s->inputs[s->n_inputs++] = c->out->buffers[edge->op];
    }
    return s->n_inputs ? NULL : "it has no input";
}

/* *out is NULL for what needs no computing. */
static const char *describe_op(const context *c, const roof_op *op, step **out)
{
    bool is_concat = op->rule == ROOF_RULE_ALIAS && !is_alias(c, op);
    describer describe = is_concat ? describe_concat : rules[op->rule].describe;
    *out = NULL;
    if (op->rule == ROOF_RULE_UNKNOWN || op->rule == ROOF_RULE_HOST || op->rule == ROOF_RULE_CONV3D)
        return arena_printf(c->arena, "no rule for %.60s", op->type);
    if (!describe)
        return NULL;
    step *s = NEW(c->arena, step);
    if (!s)
        return "no memory"; /* which the arena remembers */
    *s = (step){.kind = is_concat ? STEP_CONCAT : rules[op->rule].kind,
                .type = op->type,
                .out = index_of(c, op),
                .window = op->window,
                .to = shape_of(c, op)};
    s->window.dilation_h += !s->window.dilation_h;
    s->window.dilation_w += !s->window.dilation_w;
    const char *why = add_inputs(c, op, s);
    if (!why) {
        s->in = shape_of(c, op_input(c->graph, op, ROOF_ROLE_INPUT));
        why = describe(c, op, s);
    }
    *out = why ? NULL : s;
    return why ? arena_printf(c->arena, "%.60s: %s", op->type, why) : NULL;
}

/* Further inputs are added to what the first two gave. */
static void add_further(const context *c, step *s)
{
    for (uint32_t i = 2; s->kind == STEP_BINARY && i < s->n_inputs; i++) {
        step *more = NEW(c->arena, step);
        if (!more)
            return; /* which the arena remembers */
        *more = *s;
        more->second = more->in;
        more->inputs[0] = s->out;
        more->inputs[1] = s->inputs[i];
        more->n_inputs = 2;
        more->next = s->next;
        s->next = more;
    }
}

static void describe_row(const context *c, const roof_row *row, step_row *out)
{
    step **next = &out->first;
    *out = (step_row){.name = row->name, .type = row->type};
    for (uint32_t i = 0; i < row->work.n_demands && !out->skipped; i++) {
        out->skipped = describe_op(c, &c->graph->ops[row->work.demands[i].op], next);
        if (!*next)
            continue;
        out->macs += (*next)->macs;
        add_further(c, *next);
        while (*next)
            next = &(*next)->next;
    }
    if (!out->skipped && !out->first)
        out->skipped = "nothing to compute";
    if (out->skipped) {
        out->first = NULL;
        out->macs = 0;
    }
}

static roof_status share_buffers(context *c, roof_error *err)
{
    const roof_graph *g = c->graph;
    TRY(ARENA_GET2(c->arena, c->out->buffers, c->out->elements, g->n_ops, err));
    c->out->n_buffers = g->n_ops;
    for (uint32_t i = 0; i < g->n_ops; i++) {
        c->out->buffers[i] = buffer_of(c, i);
        if (__builtin_mul_overflow(g->ops[i].out.elements, c->batch, &c->out->elements[i]) ||
            c->out->elements[i] > INT32_MAX)
            return error_set(err, ROOF_E_LIMIT, "a tensor of more than 2^31 elements");
    }
    return ROOF_OK;
}

roof_status steps_of(const roof_graph *graph, const roof_program *program, uint32_t batch, roof_arena *arena,
                     steps *out, roof_error *err)
{
    context c = {graph, batch, arena, out};
    *out = (steps){.n_rows = program->n_rows};
    if (!graph->n_ops)
        return error_set(err, ROOF_E_UNSUPPORTED,
                         "the file holds what a compiler planned, and no operators to execute");
    TRY(ARENA_GET(arena, out->rows, program->n_rows ? program->n_rows : 1, err));
    TRY(share_buffers(&c, err));
    for (uint32_t i = 0; i < program->n_rows; i++) {
        describe_row(&c, &program->rows[i], &out->rows[i]);
        out->macs += out->rows[i].macs;
    }
    return arena_status(arena, err);
}
