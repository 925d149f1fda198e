#include "model/edit/follow.h"
#include "core/core.h"

static const char *const OWN_SHAPE = "its shape is not the one that its inputs and window give";
static const char *const NO_RULE = "how its shape depends on its inputs is unknown";

/* ---- shapes -------------------------------------------------------------------------------------------- */

bool follow_same_dims(const roof_tensor *a, const roof_tensor *b)
{
    return a->n_dims == b->n_dims && memcmp(a->dims, b->dims, a->n_dims * sizeof *a->dims) == 0;
}

static uint32_t last_of(const roof_tensor *t)
{
    return t->n_dims ? t->dims[t->n_dims - 1] : 1;
}

static void set_last(roof_tensor *t, uint32_t dim)
{
    if (t->n_dims)
        t->dims[t->n_dims - 1] = dim;
}

roof_status follow_count(roof_tensor *t, roof_error *err)
{
    checked elements = {1, false}, bits;
    for (uint32_t i = 0; i < t->n_dims; i++)
        elements = checked_times(elements, t->dims[i]);
    bits = checked_plus(checked_times(elements, t->bit_width), 7);
    if (elements.overflow || bits.overflow)
        return error_set(err, ROOF_E_LIMIT, "the edited shape of '%.200s' overflows 64 bits", t->name);
    t->elements = elements.value;
    t->bytes = bits.value / 8;
    return ROOF_OK;
}

/* ---- inputs -------------------------------------------------------------------------------------------- */

uint32_t follow_map(const unsigned char *is_constant, const roof_graph *g, uint32_t op, uint32_t number)
{
    for (uint32_t i = 0; i < g->ops[op].n_inputs; i++) {
        const uint32_t edge = g->ops[op].first_input + i;
        if (!is_constant[g->edges[edge].op] && number-- == 0)
            return edge;
    }
    return ROOF_NONE;
}

bool follow_is_gate(const unsigned char *is_constant, const roof_graph *g, uint32_t op, uint32_t map)
{
    const roof_rule rule = g->ops[op].rule;
    const uint32_t edge = follow_map(is_constant, g, op, 0);
    return (rule == ROOF_RULE_FUNCTION || rule == ROOF_RULE_HARD_SIGMOID) && edge != ROOF_NONE &&
           g->edges[edge].op == map && follow_map(is_constant, g, op, 1) == ROOF_NONE;
}

static const roof_tensor *map_of(const follower *f, const roof_graph *g, uint32_t number)
{
    const uint32_t edge = follow_map(f->is_constant, g, f->op, number);
    return edge == ROOF_NONE ? NULL : &g->ops[g->edges[edge].op].out;
}

static uint32_t count_maps(const follower *f, const roof_graph *g)
{
    uint32_t n = 0;
    while (map_of(f, g, n))
        n++;
    return n;
}

static uint32_t constant_of(const follower *f, roof_role role)
{
    FOR_EACH(const roof_edge, edge, f->to->edges + f->own->first_input, f->own->n_inputs) {
        if (edge->role == role && f->is_constant[edge->op])
            return edge->op;
    }
    return ROOF_NONE;
}

/* Gives a constant, and what it is converted from, another shape. */
static const char *set_constant(follower *f, uint32_t op, const roof_tensor *dims)
{
    for (;;) {
        roof_op *own = &f->to->ops[op];
        const bool is_conversion = own->n_inputs && own->rule != ROOF_RULE_CONSTANT;
        if (follow_same_dims(&own->out, dims) && f->is_set[op])
            return NULL;
        if (f->is_set[op])
            return "others read the same constant, and need another shape of it";
        if (!follow_same_dims(&own->out, dims) && is_conversion && own->rule != ROOF_RULE_CONVERT)
            return "its constants are computed";
        f->is_set[op] = 1;
        own->out.n_dims = dims->n_dims;
        memcpy(own->out.dims, dims->dims, sizeof own->out.dims);
        if (!is_conversion || own->rule != ROOF_RULE_CONVERT)
            return NULL;
        op = f->to->edges[own->first_input].op;
    }
}

/* Constants with one value for all, one for each channel, or one for each element of the output. */
static const char *set_operands(follower *f)
{
    const roof_tensor *before = &f->given->out, *out = &f->own->out;
    FOR_EACH(const roof_edge, edge, f->to->edges + f->own->first_input, f->own->n_inputs) {
        if (!f->is_constant[edge->op] || edge->role == ROOF_ROLE_OTHER || follow_same_dims(before, out))
            continue;
        const roof_tensor *given = &f->from->ops[edge->op].out;
        roof_tensor dims = *given;
        if (given->elements == last_of(before)) {
            for (uint32_t k = 0; k < dims.n_dims; k++)
                if (dims.dims[k] == last_of(before) && dims.dims[k] > 1)
                    dims.dims[k] = last_of(out);
        } else if (follow_same_dims(given, before))
            dims = *out;
        else if (given->elements != 1)
            return "a constant that it reads has neither one value, nor one a channel";
        BECAUSE(set_constant(f, edge->op, &dims));
    }
    return NULL;
}

static const char *set_bias(follower *f, uint32_t n_channels)
{
    const uint32_t bias = constant_of(f, ROOF_ROLE_BIAS);
    if (bias == ROOF_NONE)
        return NULL;
    roof_tensor dims = f->from->ops[bias].out;
    if (dims.elements != last_of(&f->given->out))
        return OWN_SHAPE;
    set_last(&dims, n_channels);
    return set_constant(f, bias, &dims);
}

/* ---- windows ------------------------------------------------------------------------------------------- */

typedef struct axis {
    uint32_t in, out, kernel, stride, dilation;
    int32_t first, second; /* pads */
} axis;

static axis axis_of(const roof_window *w, bool is_height, uint32_t in, uint32_t out)
{
    return is_height ? (axis){in, out, w->kernel_h, w->stride_h, w->dilation_h, w->pad_top, w->pad_bottom}
                     : (axis){in, out, w->kernel_w, w->stride_w, w->dilation_w, w->pad_left, w->pad_right};
}

static int64_t reach_of(const axis *a)
{
    return ((int64_t)a->kernel - 1) * (a->dilation ? a->dilation : 1) + 1;
}

/* Beyond what windows of real files have, products leave their range. */
static bool is_sane(const axis *a)
{
    enum { MOST = 1 << 20 };
    return a->kernel <= MOST && a->dilation <= MOST && a->stride <= MOST && reach_of(a) <= 1 << 30;
}

/* 0: the window does not fit. */
static int64_t slide(const axis *a, bool rounds_up)
{
    const int64_t room = (int64_t)a->in + a->first + a->second - reach_of(a);
    if (room < 0 || !a->stride)
        return 0;
    int64_t steps = (room + (rounds_up ? a->stride - 1 : 0)) / a->stride;
    if (rounds_up && steps * a->stride >= (int64_t)a->in + a->first)
        steps--; /* a window that begins in the pads behind the input is left out */
    return steps + 1;
}

static int64_t same_pads(const axis *a)
{
    const int64_t out = (int64_t)ceil_div(a->in, a->stride),
                  pads = (out - 1) * a->stride + reach_of(a) - a->in;
    return pads > 0 ? pads : 0;
}

/* The size that the window makes of now->in. before: the given one; now: its pads and kernel may change. */
static const char *slide_along(const axis *before, axis *now, bool is_pool)
{
    int64_t size = slide(now, false);
    if (is_pool && before->out == 1 && (!before->kernel || before->kernel == before->in) && !before->first &&
        !before->second && now->kernel == before->kernel) {
        now->kernel = before->kernel ? now->in : 0;
        now->out = 1;
        return NULL;
    }
    if (!before->stride || !now->stride)
        return NO_RULE;
    if (before->first != before->second && before->out == ceil_div(before->in, before->stride) &&
        before->first + (int64_t)before->second == same_pads(before)) {
        const int64_t pads = same_pads(now), smaller = pads / 2;
        now->first = (int32_t)(before->first < before->second ? smaller : pads - smaller);
        now->second = (int32_t)(pads - now->first);
        now->out = (uint32_t)ceil_div(now->in, now->stride);
        return NULL;
    }
    if (slide(before, false) != before->out) {
        if (!is_pool || slide(before, true) != before->out)
            return OWN_SHAPE;
        size = slide(now, true);
    } else if (is_pool && slide(before, true) == before->out && slide(now, true) != size)
        return "whether its window rounds up is unknown";
    if (size < 1 || size > UINT32_MAX)
        return "its window is larger than its input";
    now->out = (uint32_t)size;
    return NULL;
}

/* The same the other way round: what the given output has beyond its steps stays. */
static const char *slide_back(const axis *before, axis *now)
{
    const int64_t old =
        ((int64_t)before->in - 1) * before->stride + reach_of(before) - before->first - before->second;
    const int64_t size = ((int64_t)now->in - 1) * now->stride + reach_of(now) - now->first - now->second;
    if (before->out < old || before->out >= old + before->stride)
        return OWN_SHAPE;
    if (size < 1 || size + (before->out - old) > UINT32_MAX)
        return "its window is larger than its input";
    now->out = (uint32_t)(size + (before->out - old));
    return NULL;
}

/* Spatial dimensions: those between the first and the last one. */
static const char *slide_window(follower *f, bool is_transposed)
{
    roof_window *window = &f->own->window;
    uint32_t *out = f->own->out.dims;
    const roof_op *given = f->given;
    const uint32_t n = f->in->n_dims;
    if (n < (is_transposed ? 4 : 3) || n > 4 || f->old_in->n_dims != n || given->out.n_dims != n)
        return NO_RULE;
    out[0] = f->in->dims[0];
    for (uint32_t i = 1; i + 1 < n; i++) {
        const bool is_height = n == 4 && i == 1;
        const axis before = axis_of(&given->window, is_height, f->old_in->dims[i], given->out.dims[i]);
        axis now = axis_of(window, is_height, f->in->dims[i], 0);
        if (!is_sane(&before) || !is_sane(&now))
            return NO_RULE;
        BECAUSE(is_transposed ? slide_back(&before, &now)
                              : slide_along(&before, &now, given->rule == ROOF_RULE_POOL));
        out[i] = now.out;
        if (is_height) {
            window->kernel_h = now.kernel;
            window->pad_top = now.first;
            window->pad_bottom = now.second;
        } else {
            window->kernel_w = now.kernel;
            window->pad_left = now.first;
            window->pad_right = now.second;
        }
    }
    return NULL;
}

/* ---- convolutions -------------------------------------------------------------------------------------- */

static bool is_depthwise(roof_rule rule)
{
    return rule == ROOF_RULE_DEPTHWISE || rule == ROOF_RULE_TRANSPOSED_DEPTHWISE;
}

/* Channels in and out of a convolution, and how its weights are cut: OC KH KW IC/groups, transposed
 * OC/groups KH KW IC, depthwise 1 KH KW OC. */
typedef struct channels {
    uint32_t in, out, groups;
} channels;

static void weights_of(const roof_op *op, const channels *c, const roof_window *w, roof_tensor *dims)
{
    const bool is_transposed = op->rule == ROOF_RULE_TRANSPOSED;
    const uint32_t n = dims->n_dims;
    dims->dims[0] = is_depthwise(op->rule) ? 1 : is_transposed ? c->out / c->groups : c->out;
    if (n == 4)
        dims->dims[1] = w->kernel_h;
    dims->dims[n - 2] = w->kernel_w;
    dims->dims[n - 1] = is_depthwise(op->rule) ? c->out : is_transposed ? c->in : c->in / c->groups;
}

static const char *given_channels(const roof_op *op, const roof_tensor *in, const roof_tensor *weights,
                                  channels *c)
{
    *c = (channels){last_of(in), last_of(&op->out), 1};
    if (weights->n_dims != in->n_dims || weights->n_dims < 3 || !c->in || !c->out)
        return NO_RULE;
    const uint32_t cut = op->rule == ROOF_RULE_TRANSPOSED ? weights->dims[0] : last_of(weights),
                   whole = op->rule == ROOF_RULE_TRANSPOSED ? c->out : c->in;
    if (is_depthwise(op->rule))
        c->groups = c->in;
    else if (cut && whole % cut == 0)
        c->groups = whole / cut;
    else
        return OWN_SHAPE;
    roof_tensor dims = *weights;
    weights_of(op, c, &op->window, &dims);
    return c->out % c->groups || !follow_same_dims(&dims, weights) ? OWN_SHAPE : NULL;
}

static const char *convolve(follower *f)
{
    const roof_op *given = f->given;
    roof_op *own = f->own;
    const uint32_t weights = constant_of(f, ROOF_ROLE_WEIGHTS);
    const bool is_transposed =
        given->rule == ROOF_RULE_TRANSPOSED || given->rule == ROOF_RULE_TRANSPOSED_DEPTHWISE;
    roof_tensor dims;
    channels c;
    if (!f->in || !f->old_in || weights == ROOF_NONE)
        return "its weights are computed";
    BECAUSE(slide_window(f, is_transposed));
    BECAUSE(given_channels(given, f->old_in, &f->from->ops[weights].out, &c));
    const uint32_t times = is_depthwise(given->rule) ? c.out / c.in : 1; /* channels made of each one */
    c.in = last_of(f->in);
    if (is_depthwise(own->rule)) {
        c.groups = c.in;
        c.out = c.in * times;
    } else {
        c.groups = f->groups[f->op] ? f->groups[f->op] : c.groups;
        c.out = f->channels[f->op] ? f->channels[f->op] : c.out;
    }
    if (!c.groups || c.in % c.groups || c.out % c.groups)
        return "its channels are no multiple of its groups";
    dims = f->from->ops[weights].out;
    weights_of(own, &c, &own->window, &dims);
    set_last(&own->out, c.out);
    BECAUSE(set_constant(f, weights, &dims));
    return follow_same_dims(&given->out, &own->out) ? NULL : set_bias(f, c.out);
}

static const char *pool(follower *f)
{
    BECAUSE(f->in && f->old_in ? slide_window(f, false) : NO_RULE);
    if (last_of(f->old_in) != last_of(&f->given->out))
        return OWN_SHAPE;
    set_last(&f->own->out, last_of(f->in));
    return NULL;
}

/* ---- products ------------------------------------------------------------------------------------------ */

/* Both factors computed: [.., M, K] and [.., K, N]. */
static bool multiply(const roof_tensor *a, const roof_tensor *b, roof_tensor *out)
{
    if (!a || !b || a->n_dims < 2 || b->n_dims != a->n_dims || last_of(a) != b->dims[b->n_dims - 2])
        return false;
    out->n_dims = a->n_dims;
    memcpy(out->dims, a->dims, sizeof out->dims);
    set_last(out, last_of(b));
    return true;
}

/* One factor, or the second input of ONNX, is constant; rows may be read as a vector. */
static const char *product(follower *f)
{
    const roof_tensor *old_in = f->old_in, *in = f->in, *old_out = &f->given->out;
    roof_tensor *out = &f->own->out;
    uint32_t weights = constant_of(f, ROOF_ROLE_WEIGHTS);
    if (weights == ROOF_NONE)
        weights = constant_of(f, ROOF_ROLE_INPUT);
    if (weights == ROOF_NONE) {
        roof_tensor old = f->given->out;
        if (!multiply(map_of(f, f->from, 0), map_of(f, f->from, 1), &old))
            return NO_RULE;
        if (!follow_same_dims(&old, &f->given->out))
            return OWN_SHAPE;
        return multiply(map_of(f, f->to, 0), map_of(f, f->to, 1), &f->own->out)
                   ? NULL
                   : "its two factors no longer fit each other";
    }
    roof_tensor dims = f->from->ops[weights].out;
    const uint32_t n = last_of(old_out);
    if (!in || !old_in || dims.n_dims != 2 || !n || !dims.elements || dims.elements % n)
        return NO_RULE;
    const uint64_t inner = dims.elements / n, rows = old_out->elements / n;
    const bool is_out_first = dims.dims[0] == n && dims.dims[1] == inner &&
                              !(dims.dims[1] == n && text_compare(f->own->type, "MatMul") == 0);
    if ((!is_out_first && (dims.dims[0] != inner || dims.dims[1] != n)) || old_in->elements / inner != rows ||
        old_in->elements % inner)
        return OWN_SHAPE;
    uint64_t now = last_of(in);
    if (last_of(old_in) == inner && old_in->n_dims == old_out->n_dims && in->n_dims == out->n_dims)
        memcpy(out->dims, in->dims, sizeof out->dims);
    else if (rows && in->elements % rows == 0)
        now = in->elements / rows; /* all else is read as one vector */
    else
        return NO_RULE;
    const uint32_t made = f->channels[f->op] ? f->channels[f->op] : n;
    if (now > UINT32_MAX)
        return NO_RULE;
    set_last(out, made);
    dims.dims[0] = is_out_first ? made : (uint32_t)now;
    dims.dims[1] = is_out_first ? (uint32_t)now : made;
    BECAUSE(set_constant(f, weights, &dims));
    return made == n ? NULL : set_bias(f, made);
}

/* ---- element by element -------------------------------------------------------------------------------- */

static bool broadcast(const follower *f, const roof_graph *g, roof_tensor *out)
{
    const roof_tensor *in;
    out->n_dims = 0;
    for (uint32_t i = 0; (in = map_of(f, g, i)); i++) {
        roof_tensor both = *out;
        both.n_dims = in->n_dims > out->n_dims ? in->n_dims : out->n_dims;
        for (uint32_t k = 1; k <= both.n_dims; k++) {
            const uint32_t a = k <= out->n_dims ? out->dims[out->n_dims - k] : 1,
                           b = k <= in->n_dims ? in->dims[in->n_dims - k] : 1;
            if (a != b && a != 1 && b != 1)
                return false;
            both.dims[both.n_dims - k] = a == 1 ? b : a;
        }
        *out = both;
    }
    return out->n_dims > 0;
}

static const char *elementwise(follower *f)
{
    roof_tensor old = f->given->out;
    if (!broadcast(f, f->from, &old) || !follow_same_dims(&old, &f->given->out))
        return OWN_SHAPE;
    return broadcast(f, f->to, &f->own->out) ? set_operands(f)
                                             : "the maps that it reads no longer fit each other";
}

static const char *pass(follower *f)
{
    if (!f->in || !f->old_in)
        return NO_RULE;
    if (!follow_same_dims(f->old_in, &f->given->out))
        return OWN_SHAPE;
    f->own->out.n_dims = f->in->n_dims;
    memcpy(f->own->out.dims, f->in->dims, sizeof f->own->out.dims);
    return set_operands(f);
}

/* ---- reshapes ------------------------------------------------------------------------------------------ */

/* One group of dimensions with the same product: in[a..b) becomes out[c..d). */
static const char *reshape_group(const uint32_t *old_in, const uint32_t *in, uint32_t n_in, uint32_t *out,
                                 uint32_t n_out)
{
    checked now = {1, false};
    uint64_t behind = 1;
    if (memcmp(old_in, in, n_in * sizeof *in) == 0)
        return NULL;
    for (uint32_t i = 0; i < n_in; i++)
        now = checked_times(now, in[i]);
    for (uint32_t i = 1; i < n_out; i++)
        behind *= out[i]; /* at most the product of the given dimensions */
    /* several dimensions take it up: the first one does, where the others are cut out of the channels */
    if (n_out > 1 && behind > 1 && (in[n_in - 1] != old_in[n_in - 1] || old_in[n_in - 1] % behind))
        return "it cuts the dimensions that change in another way";
    if (now.overflow || !behind || now.value % behind || now.value / behind > UINT32_MAX)
        return NO_RULE;
    if (n_out)
        out[0] = (uint32_t)(now.value / behind);
    return n_out || now.value == 1 ? NULL : NO_RULE;
}

static const char *reshape(follower *f)
{
    const roof_tensor *old_in = f->old_in, *in = f->in;
    roof_tensor *out = &f->own->out;
    if (!in || !old_in || in->n_dims != old_in->n_dims)
        return NO_RULE;
    if (old_in->elements != out->elements || !old_in->elements)
        return OWN_SHAPE;
    uint32_t a = 0, c = 0;
    const uint32_t n_in = in->n_dims, n_out = out->n_dims;
    while (a < n_in || c < n_out) {
        uint32_t b = a, d = c;
        uint64_t left = b < n_in ? old_in->dims[b++] : 1, right = d < n_out ? f->given->out.dims[d++] : 1;
        while (left != right) {
            if (left < right && b < n_in)
                left *= old_in->dims[b++];
            else if (right < left && d < n_out)
                right *= f->given->out.dims[d++];
            else
                return OWN_SHAPE;
        }
        BECAUSE(reshape_group(&old_in->dims[a], &in->dims[a], b - a, &out->dims[c], d - c));
        a = b;
        c = d;
    }
    return NULL;
}

static bool join(const follower *f, const roof_graph *g, uint32_t at, roof_tensor *out)
{
    uint64_t sum = 0;
    const roof_tensor *in = map_of(f, g, 0);
    if (!in || at >= in->n_dims || g->ops[f->op].n_inputs != count_maps(f, g))
        return false;
    out->n_dims = in->n_dims;
    memcpy(out->dims, in->dims, sizeof out->dims);
    for (uint32_t i = 0; (in = map_of(f, g, i)); i++) {
        bool is_alike = in->n_dims == out->n_dims;
        for (uint32_t k = 0; k < in->n_dims && is_alike; k++)
            is_alike = k == at || in->dims[k] == out->dims[k];
        sum += in->dims[at];
        if (!is_alike || sum > UINT32_MAX)
            return false;
    }
    out->dims[at] = (uint32_t)sum;
    return true;
}

static const char *join_or_reshape(follower *f)
{
    if (count_maps(f, f->from) < 2)
        return reshape(f);
    for (uint32_t at = 0; at < f->given->out.n_dims; at++) {
        roof_tensor old = f->given->out;
        if (join(f, f->from, at, &old) && follow_same_dims(&old, &f->given->out))
            return join(f, f->to, at, &f->own->out) ? NULL
                                                    : "the maps that it joins no longer fit each other";
    }
    return OWN_SHAPE;
}

/* ---- dimension by dimension ---------------------------------------------------------------------------- */

/* The dimension that out is made of in of, once in is now; 0: it does not follow. */
typedef uint32_t (*dimension)(uint32_t in, uint32_t out, uint32_t now);

static uint32_t resized(uint32_t in, uint32_t out, uint32_t now)
{
    if (in && out % in == 0)
        return checked_times((checked){out / in, false}, now).value > UINT32_MAX ? 0 : out / in * now;
    return in && out && in % out == 0 && now % (in / out) == 0 ? now / (in / out) : 0;
}

static uint32_t reduced(uint32_t in, uint32_t out, uint32_t now)
{
    return out == in ? now : out == 1 ? 1 : 0;
}

static uint32_t padded(uint32_t in, uint32_t out, uint32_t now)
{
    const int64_t size = (int64_t)now + ((int64_t)out - in);
    return out >= in && size <= UINT32_MAX ? (uint32_t)size : 0;
}

static uint32_t kept(uint32_t in, uint32_t out, uint32_t now)
{
    return out == in ? now : 0;
}

static const char *by_dimension(follower *f, dimension follow)
{
    roof_tensor *out = &f->own->out;
    if (!f->in || !f->old_in || f->in->n_dims != f->old_in->n_dims || f->in->n_dims != out->n_dims)
        return NO_RULE;
    for (uint32_t i = 0; i < out->n_dims; i++) {
        if (f->in->dims[i] == f->old_in->dims[i])
            continue;
        out->dims[i] = follow(f->old_in->dims[i], out->dims[i], f->in->dims[i]);
        if (!out->dims[i])
            return "the part of its input that it takes is unknown";
    }
    return NULL;
}

static const char *resize(follower *f)
{
    return by_dimension(f, resized);
}

/* With dimensions left out: of a map its height and width. */
static const char *reduce(follower *f)
{
    roof_tensor *out = &f->own->out;
    if (!f->in || !f->old_in || f->old_in->n_dims != 4 || f->in->n_dims != 4 || out->n_dims != 2)
        return by_dimension(f, reduced);
    if (out->dims[0] != f->old_in->dims[0] || out->dims[1] != f->old_in->dims[3])
        return NO_RULE;
    out->dims[0] = f->in->dims[0];
    out->dims[1] = f->in->dims[3];
    return NULL;
}

/* In another order: told by the dimensions, where those that are alike stay so. */
static const char *transpose(follower *f)
{
    const roof_tensor *old_in = f->old_in, *in = f->in;
    roof_tensor *out = &f->own->out;
    if (!in || !old_in || in->n_dims != old_in->n_dims || in->n_dims != out->n_dims)
        return NO_RULE;
    for (uint32_t i = 0; i < out->n_dims; i++) {
        uint32_t from = ROOF_NONE;
        for (uint32_t k = 0; k < in->n_dims; k++) {
            if (old_in->dims[k] != out->dims[i])
                continue;
            if (from != ROOF_NONE && in->dims[k] != in->dims[from])
                return "in which order it puts dimensions is unknown";
            from = k;
        }
        if (from == ROOF_NONE)
            return OWN_SHAPE;
        out->dims[i] = in->dims[from];
    }
    return NULL;
}

static const char *move(follower *f)
{
    const char *type = f->given->type;
    if (text_has_word("Pad PAD PADV2 MIRROR_PAD pad pad-fix", type))
        return by_dimension(f, padded);
    if (text_has_word("Transpose TRANSPOSE transpose", type))
        return transpose(f);
    if (text_has_word("Slice Split SLICE STRIDED_SLICE SPLIT SPLIT_V strided_slice strided_slice-fix", type))
        return by_dimension(f, kept);
    return NO_RULE;
}

static const char *(*const by_rule[ROOF_RULE_COUNT])(follower *) = {
    [ROOF_RULE_CONV2D] = convolve,     [ROOF_RULE_DEPTHWISE] = convolve,
    [ROOF_RULE_TRANSPOSED] = convolve, [ROOF_RULE_TRANSPOSED_DEPTHWISE] = convolve,
    [ROOF_RULE_MATMUL] = product,      [ROOF_RULE_POOL] = pool,
    [ROOF_RULE_ELTWISE] = elementwise, [ROOF_RULE_BINARY] = elementwise,
    [ROOF_RULE_ACTIVATION] = pass,     [ROOF_RULE_FUNCTION] = pass,
    [ROOF_RULE_RELU6] = pass,          [ROOF_RULE_HARD_SIGMOID] = pass,
    [ROOF_RULE_SCALE] = pass,          [ROOF_RULE_SOFTMAX] = pass,
    [ROOF_RULE_CONVERT] = pass,        [ROOF_RULE_REDUCE] = reduce,
    [ROOF_RULE_RESIZE] = resize,       [ROOF_RULE_ALIAS] = join_or_reshape,
    [ROOF_RULE_MOVE] = move,
};

const char *follow_shape(follower *f, uint32_t op)
{
    const roof_rule rule = f->to->ops[op].rule;
    if (!by_rule[rule])
        return NO_RULE;
    f->op = op;
    f->given = &f->from->ops[op];
    f->own = &f->to->ops[op];
    f->old_in = map_of(f, f->from, 0);
    f->in = map_of(f, f->to, 0);
    const roof_op before = *f->own;
    const char *reason = by_rule[rule](f);
    if (reason)
        *f->own = before;
    return reason;
}
