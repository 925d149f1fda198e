/* Shapes: what each operator makes of the shapes of its inputs, and where they depend on values, of those.
 * Source: onnx/onnx, docs/Operators.md and the changelog of opsets 7 to 22; ONNX Runtime,
 * its contributed operators for those of com.microsoft.
 */
#include "model/formats/onnx/onnx_model.h"

/* A list that an operator has as an attribute, in later opsets as an input. n: how many; ROOF_NONE: more than
 * max, or as an input whose values are unknown; 0: not there, or empty. */
typedef struct value_list {
    double at[2 * ROOF_MAX_DIMS];
    uint32_t n;
} value_list;

static value_list list_up_to(onnx_call *c, const char *attribute, uint32_t input, uint32_t max)
{
    int64_t whole[2 * ROOF_MAX_DIMS];
    value_list out;
    const double *values = onnx_input_values(c, input, &out.n);
    if (!values && input < c->n_inputs && c->inputs[input] != ROOF_NONE) {
        const onnx_shape *shape = onnx_input_shape(c, input);
        out.n = shape && extents_count(shape) == 0 ? 0 : ROOF_NONE;
        return out;
    }
    if (!values)
        out.n = onnx_attribute_ints(c, attribute, whole, max);
    if (out.n > max)
        out.n = ROOF_NONE;
    for (uint32_t i = 0; i < out.n && out.n != ROOF_NONE; i++) {
        out.at[i] = values ? values[i] : (double)whole[i];
        if (isnan(out.at[i]))
            out.n = ROOF_NONE;
    }
    return out;
}

static value_list list_of(onnx_call *c, const char *attribute, uint32_t input)
{
    return list_up_to(c, attribute, input, ROOF_MAX_DIMS);
}

/* Axes of a shape with n_dims, as bits; false where they are unknown or beyond it. */
static bool bits_of(const value_list *axes, uint32_t n_dims, uint32_t *bits)
{
    *bits = 0;
    for (uint32_t i = 0; axes->n != ROOF_NONE && i < axes->n; i++) {
        const uint32_t axis = onnx_axis(axes->at[i], n_dims);
        if (axis == ROOF_NONE)
            return false;
        *bits |= 1U << axis;
    }
    return axes->n != ROOF_NONE;
}

/* False where a size is none that a dimension may have. */
static bool set_dim(uint64_t *dim, double size)
{
    const bool fits = size >= 0 && size <= UINT32_MAX;
    *dim = fits ? (uint64_t)size : 0;
    return fits;
}

/* The axis that an attribute names; ROOF_NONE where the shape, which may be NULL, does not have it. */
static uint32_t axis_in(onnx_call *c, const onnx_shape *of, int64_t otherwise)
{
    const double axis = (double)onnx_attribute_int(c, "axis", otherwise);
    return of ? onnx_axis(axis, of->n_dims) : ROOF_NONE;
}

/* The only value of an input, from 0 on; otherwise: it is left out; NAN: unknown. */
static double sole_number(const onnx_call *c, uint32_t input, double otherwise)
{
    uint32_t n;
    const double *value = onnx_input_values(c, input, &n);
    if (input >= c->n_inputs || c->inputs[input] == ROOF_NONE)
        return otherwise;
    return value && n == 1 && *value >= 0 && *value <= UINT32_MAX ? *value : (double)NAN;
}

static void all_alike(onnx_call *c, const onnx_shape *shape)
{
    for (uint32_t i = 0; i < c->n_outputs && shape; i++)
        c->shapes[i] = *shape;
}

/* ---- as the inputs ---- */

void onnx_make_shapes(onnx_call *c, const char *makes)
{
    for (uint32_t i = 0; i < c->n_outputs && makes[i]; i++) {
        const onnx_shape *in =
            makes[i] >= '0' && makes[i] <= '9' ? onnx_input_shape(c, (uint32_t)(makes[i] - '0')) : NULL;
        if (in)
            c->shapes[i] = *in;
        else if (makes[i] == 's')
            c->shapes[i].n_dims = 0;
    }
}

static void cast(onnx_call *c)
{
    const int64_t to = onnx_attribute_int(c, "to", 0);
    onnx_make_shapes(c, "0");
    c->made->type = to > 0 && to < 256 ? (uint32_t)to : 0;
}

/* From behind, but for the last skip ones, dimensions of 1 are for all of the other's. False: they
 * contradict. */
static bool spread(onnx_shape *out, const onnx_shape *more, uint32_t skip)
{
    const onnx_shape before = *out;
    const uint32_t n = more->n_dims > before.n_dims ? more->n_dims : before.n_dims;
    out->n_dims = n;
    for (uint32_t k = skip + 1; k <= n; k++) {
        const uint64_t a = k <= before.n_dims ? before.dims[before.n_dims - k] : 1,
                       b = k <= more->n_dims ? more->dims[more->n_dims - k] : 1;
        if (a != b && a != 1 && b != 1)
            return false;
        out->dims[n - k] = a == 1 ? b : a;
    }
    return true;
}

/* ---- with a window ---- */

/* The spatial dimensions of what a window makes. */
typedef struct sliding {
    int64_t kernel[ROOF_MAX_DIMS], strides[ROOF_MAX_DIMS], dilations[ROOF_MAX_DIMS], pads[2 * ROOF_MAX_DIMS];
    uint32_t n; /* spatial dimensions */
} sliding;

static bool fill_list(onnx_call *c, const char *name, int64_t *out, uint32_t n, int64_t otherwise)
{
    const uint32_t there = onnx_attribute_ints(c, name, out, n);
    for (uint32_t i = 0; i < n && !there; i++)
        out[i] = otherwise;
    return there == 0 || there == n;
}

/* False where attributes do not fit the shape, or leave the range of what a window can be. */
static bool read_window(onnx_call *c, sliding *w, const onnx_shape *in)
{
    const text_span automatic = onnx_attribute_text(c, "auto_pad");
    const bool is_same = span_begins(automatic, "SAME");
    if (!fill_list(c, "strides", w->strides, w->n, 1) || !fill_list(c, "dilations", w->dilations, w->n, 1) ||
        !fill_list(c, "pads", w->pads, 2 * w->n, 0))
        return false;
    for (uint32_t i = 0; i < w->n; i++) {
        const int64_t lists[] = {w->kernel[i], w->strides[i], w->dilations[i]};
        for (int k = 0; k < 3; k++)
            if (lists[k] < 1 || lists[k] > 1 << 20)
                return false;
        if (w->pads[i] < -(1 << 20) || w->pads[i] > 1 << 20 || w->pads[w->n + i] < -(1 << 20) ||
            w->pads[w->n + i] > 1 << 20 || in->dims[2 + i] > UINT32_MAX)
            return false;
        if (!is_same)
            continue;
        const int64_t dim = (int64_t)in->dims[2 + i], reach = (w->kernel[i] - 1) * w->dilations[i] + 1;
        const int64_t out = (dim + w->strides[i] - 1) / w->strides[i];
        int64_t pad = (out - 1) * w->strides[i] + reach - dim;
        pad = pad > 0 ? pad : 0;
        const int64_t smaller = pad / 2;
        w->pads[i] = span_is(automatic, "SAME_LOWER") ? pad - smaller : smaller;
        w->pads[w->n + i] = pad - w->pads[i];
    }
    return c->status == ROOF_OK;
}

static void set_window(onnx_call *c, const sliding *w)
{
    const bool is_row = w->n == 1;
    const uint32_t x = w->n - 1, y = is_row ? x : x - 1;
    c->window = (roof_window){.kernel_h = is_row ? 1 : (uint32_t)w->kernel[y],
                              .kernel_w = (uint32_t)w->kernel[x],
                              .stride_h = is_row ? 1 : (uint32_t)w->strides[y],
                              .stride_w = (uint32_t)w->strides[x],
                              .dilation_h = is_row ? 1 : (uint32_t)w->dilations[y],
                              .dilation_w = (uint32_t)w->dilations[x],
                              .pad_top = is_row ? 0 : (int32_t)w->pads[y],
                              .pad_left = (int32_t)w->pads[x],
                              .pad_bottom = is_row ? 0 : (int32_t)w->pads[w->n + y],
                              .pad_right = (int32_t)w->pads[w->n + x]};
}

static bool slide(const sliding *w, const onnx_shape *in, bool rounds_up, onnx_shape *out)
{
    for (uint32_t i = 0; i < w->n; i++) {
        const int64_t padded = (int64_t)in->dims[2 + i] + w->pads[i] + w->pads[w->n + i];
        const int64_t room = padded - ((w->kernel[i] - 1) * w->dilations[i] + 1);
        if (room < 0)
            return false;
        int64_t steps = (room + (rounds_up ? w->strides[i] - 1 : 0)) / w->strides[i];
        /* a window that begins in the pads behind the input is left out */
        if (rounds_up && steps * w->strides[i] >= (int64_t)in->dims[2 + i] + w->pads[i])
            steps--;
        out->dims[2 + i] = (uint64_t)steps + 1;
    }
    out->n_dims = w->n + 2;
    return true;
}

/* Conv and its kin; detail: where the weights are. */
static void convolve(onnx_call *c)
{
    const onnx_shape *in = onnx_input_shape(c, 0), *weights = onnx_input_shape(c, c->op->detail);
    sliding w = {.n = in ? in->n_dims - 2 : 0};
    onnx_shape out = {.n_dims = 0};
    if (!in || !weights || in->n_dims < 3 || weights->n_dims != in->n_dims)
        return;
    for (uint32_t i = 0; i < w.n; i++)
        w.kernel[i] = (int64_t)weights->dims[2 + i];
    if (!read_window(c, &w, in) || !slide(&w, in, false, &out))
        return;
    out.dims[0] = in->dims[0];
    out.dims[1] = weights->dims[0];
    set_window(c, &w);
    c->shapes[0] = out;
}

static void convolve_transposed(onnx_call *c)
{
    const onnx_shape *in = onnx_input_shape(c, 0), *weights = onnx_input_shape(c, 1);
    sliding w = {.n = in ? in->n_dims - 2 : 0};
    int64_t more[ROOF_MAX_DIMS];
    const int64_t group = onnx_attribute_int(c, "group", 1);
    if (!in || !weights || in->n_dims < 3 || weights->n_dims != in->n_dims || group < 1)
        return;
    for (uint32_t i = 0; i < w.n; i++)
        w.kernel[i] = (int64_t)weights->dims[2 + i];
    const bool is_same = span_begins(onnx_attribute_text(c, "auto_pad"), "SAME");
    const value_list sizes = list_of(c, "output_shape", ROOF_NONE);
    if (!read_window(c, &w, in) || !fill_list(c, "output_padding", more, w.n, 0))
        return;
    onnx_shape out = {.dims = {in->dims[0]}, .n_dims = in->n_dims};
    if (__builtin_mul_overflow(weights->dims[1], (uint64_t)group, &out.dims[1]))
        return;
    for (uint32_t i = 0; i < w.n; i++) {
        const double size = (double)w.strides[i] * ((double)in->dims[2 + i] - 1) + (double)more[i] +
                            (double)((w.kernel[i] - 1) * w.dilations[i] + 1) - (double)w.pads[i] -
                            (double)w.pads[w.n + i];
        const double given = sizes.n >= w.n && sizes.n != ROOF_NONE ? sizes.at[sizes.n - w.n + i]
                             : is_same ? (double)in->dims[2 + i] * (double)w.strides[i]
                                       : size;
        if (!set_dim(&out.dims[2 + i], given) || given < 1)
            return;
    }
    set_window(c, &w);
    c->shapes[0] = out;
}

static void pool(onnx_call *c)
{
    sliding w = {.n = c->in ? c->in->n_dims - 2 : 0};
    onnx_shape out = {.n_dims = 0};
    if (!c->in || c->in->n_dims < 3 || onnx_attribute_ints(c, "kernel_shape", w.kernel, w.n) != w.n ||
        !read_window(c, &w, c->in) || !slide(&w, c->in, onnx_attribute_int(c, "ceil_mode", 0) != 0, &out))
        return;
    out.dims[0] = c->in->dims[0];
    out.dims[1] = c->in->dims[1];
    set_window(c, &w);
    all_alike(c, &out);
}

static void pool_all(onnx_call *c)
{
    sliding w = {.n = c->in ? c->in->n_dims - 2 : 0};
    if (!c->in || c->in->n_dims < 3)
        return;
    onnx_shape out = *c->in;
    for (uint32_t i = 0; i < w.n; i++) {
        if (c->in->dims[2 + i] > UINT32_MAX)
            return;
        w.kernel[i] = (int64_t)c->in->dims[2 + i];
        w.strides[i] = w.dilations[i] = 1;
        out.dims[2 + i] = 1;
    }
    set_window(c, &w);
    c->shapes[0] = out;
}

/* ---- products ---- */

/* detail: the input that is the second factor. */
static void multiply(onnx_call *c)
{
    const onnx_shape *first = onnx_input_shape(c, 0), *second = onnx_input_shape(c, c->op->detail);
    if (!first || !second || !first->n_dims || !second->n_dims)
        return;
    onnx_shape a = *first, b = *second;
    const bool is_row = a.n_dims == 1, is_column = b.n_dims == 1;
    if (is_row)
        a = (onnx_shape){{1, a.dims[0]}, 2};
    if (is_column)
        b = (onnx_shape){{b.dims[0], 1}, 2};
    if (onnx_attribute_int(c, "transA", 0)) {
        const uint64_t last = a.dims[a.n_dims - 1];
        a.dims[a.n_dims - 1] = a.dims[a.n_dims - 2];
        a.dims[a.n_dims - 2] = last;
    }
    if (onnx_attribute_int(c, "transB", 0)) {
        const uint64_t last = b.dims[b.n_dims - 1];
        b.dims[b.n_dims - 1] = b.dims[b.n_dims - 2];
        b.dims[b.n_dims - 2] = last;
    }
    if (a.dims[a.n_dims - 1] != b.dims[b.n_dims - 2])
        return;
    onnx_shape out = a;
    if (!spread(&out, &b, 2))
        return;
    out.dims[out.n_dims - 2] = a.dims[a.n_dims - 2];
    out.dims[out.n_dims - 1] = b.dims[b.n_dims - 1];
    if (is_column)
        out.n_dims--;
    if (is_row) {
        out.dims[out.n_dims - 2 + is_column] = out.dims[out.n_dims - 1];
        out.n_dims--;
    }
    c->shapes[0] = out;
}

/* MatMulNBits: N and K are attributes, weights are packed. */
static void multiply_packed(onnx_call *c)
{
    const int64_t n = onnx_attribute_int(c, "N", 0);
    if (!c->in || !c->in->n_dims || n < 1)
        return;
    c->shapes[0] = *c->in;
    c->shapes[0].dims[c->in->n_dims - 1] = (uint64_t)n;
}

/* X [T,B,I], W [directions, gates H, I], R [directions, gates H, H] give Y [T, directions, B, H]. */
static void recur(onnx_call *c)
{
    const onnx_shape *x = onnx_input_shape(c, 0), *w = onnx_input_shape(c, 1), *r = onnx_input_shape(c, 2);
    if (!x || !w || !r || x->n_dims != 3 || w->n_dims != 3 || r->n_dims != 3)
        return;
    const bool batch_first = onnx_attribute_int(c, "layout", 0) != 0;
    const uint64_t steps = x->dims[batch_first], batch = x->dims[!batch_first], hidden = r->dims[2];
    const onnx_shape last = batch_first ? (onnx_shape){{batch, w->dims[0], hidden}, 3}
                                        : (onnx_shape){{w->dims[0], batch, hidden}, 3};
    all_alike(c, &last);
    c->shapes[0] = batch_first ? (onnx_shape){{batch, steps, w->dims[0], hidden}, 4}
                               : (onnx_shape){{steps, w->dims[0], batch, hidden}, 4};
}

/* ---- other shapes of the same elements ---- */

static void reshape(onnx_call *c)
{
    const value_list wanted = list_of(c, "shape", 1);
    const bool keeps_zeros = onnx_attribute_int(c, "allowzero", 0) != 0;
    uint32_t rest = ROOF_NONE;
    uint64_t known = 1;
    onnx_shape out = {.n_dims = wanted.n};
    if (!c->in || wanted.n == ROOF_NONE)
        return;
    for (uint32_t i = 0; i < wanted.n; i++) {
        if (wanted.at[i] < 0) {
            rest = i;
            continue;
        }
        if (!set_dim(&out.dims[i], wanted.at[i]))
            return;
        if (wanted.at[i] == 0 && !keeps_zeros && i < c->in->n_dims)
            out.dims[i] = c->in->dims[i];
        if (__builtin_mul_overflow(known, out.dims[i], &known))
            return;
    }
    const uint64_t elements = extents_count(c->in);
    if (rest != ROOF_NONE)
        out.dims[rest] = known && elements != ROOF_UNKNOWN ? elements / known : 0;
    if (extents_count(&out) == elements)
        c->shapes[0] = out;
}

static void flatten(onnx_call *c)
{
    const double axis = (double)onnx_attribute_int(c, "axis", 1);
    if (!c->in)
        return;
    const uint32_t at = axis == c->in->n_dims ? c->in->n_dims : onnx_axis(axis, c->in->n_dims);
    if (at == ROOF_NONE)
        return;
    onnx_shape before = {.n_dims = at}, behind = {.n_dims = c->in->n_dims - at};
    memcpy(before.dims, c->in->dims, at * sizeof *c->in->dims);
    memcpy(behind.dims, c->in->dims + at, behind.n_dims * sizeof *c->in->dims);
    const uint64_t rows = extents_count(&before), columns = extents_count(&behind);
    if (rows != ROOF_UNKNOWN && columns != ROOF_UNKNOWN)
        c->shapes[0] = (onnx_shape){{rows, columns}, 2};
}

static void squeeze(onnx_call *c)
{
    const value_list axes = list_of(c, "axes", 1);
    uint32_t bits;
    if (!c->in || !bits_of(&axes, c->in->n_dims, &bits))
        return;
    onnx_shape out = {.n_dims = 0};
    for (uint32_t i = 0; i < c->in->n_dims; i++) {
        const bool is_asked = bits >> i & 1;
        if (is_asked && c->in->dims[i] != 1)
            return; /* elements would get lost */
        if (axes.n ? !is_asked : c->in->dims[i] != 1)
            out.dims[out.n_dims++] = c->in->dims[i];
    }
    c->shapes[0] = out;
}

static void unsqueeze(onnx_call *c)
{
    const value_list axes = list_of(c, "axes", 1);
    uint32_t bits, next = 0;
    if (!c->in || axes.n == ROOF_NONE || c->in->n_dims + axes.n > ROOF_MAX_DIMS)
        return;
    onnx_shape out = {.n_dims = c->in->n_dims + axes.n};
    if (!bits_of(&axes, out.n_dims, &bits) || (uint32_t)__builtin_popcount(bits) != axes.n)
        return; /* one is there twice */
    for (uint32_t i = 0; i < out.n_dims; i++)
        out.dims[i] = bits >> i & 1 ? 1 : c->in->dims[next++];
    c->shapes[0] = out;
}

static void transpose(onnx_call *c)
{
    int64_t order[ROOF_MAX_DIMS];
    if (!c->in)
        return;
    const uint32_t n = onnx_attribute_ints(c, "perm", order, ROOF_MAX_DIMS);
    onnx_shape out = {.n_dims = c->in->n_dims};
    if (n && n != c->in->n_dims)
        return;
    for (uint32_t i = 0; i < c->in->n_dims; i++) {
        const uint32_t from = n ? onnx_axis((double)order[i], c->in->n_dims) : c->in->n_dims - 1 - i;
        if (from == ROOF_NONE)
            return;
        out.dims[i] = c->in->dims[from];
        c->made->order |= (from + 1) << 4 * i;
    }
    c->shapes[0] = out;
}

static void space_to_depth(onnx_call *c)
{
    const int64_t size = onnx_attribute_int(c, "blocksize", 0);
    const bool to_depth = c->op->detail;
    if (!c->in || c->in->n_dims != 4 || size < 1 || size > 1 << 15)
        return;
    const uint64_t block = (uint64_t)size;
    onnx_shape out = *c->in;
    out.dims[1] = to_depth ? c->in->dims[1] * block * block : c->in->dims[1] / (block * block);
    out.dims[2] = to_depth ? c->in->dims[2] / block : c->in->dims[2] * block;
    out.dims[3] = to_depth ? c->in->dims[3] / block : c->in->dims[3] * block;
    if (extents_count(&out) == extents_count(c->in))
        c->shapes[0] = out;
}

/* ---- parts and sums of parts ---- */

/* detail: inputs of which every third is joined, from it on; 0: all. */
static void concat(onnx_call *c)
{
    const uint32_t first = c->op->detail, step = first ? 3 : 1;
    const onnx_shape *in = onnx_input_shape(c, first);
    const uint32_t at = axis_in(c, in, 0);
    if (at == ROOF_NONE)
        return;
    onnx_shape out = *in;
    for (uint32_t i = first + step; i < c->n_inputs; i += step) {
        const onnx_shape *more = onnx_input_shape(c, i);
        if (!more || more->n_dims != in->n_dims ||
            __builtin_add_overflow(out.dims[at], more->dims[at], &out.dims[at]))
            return;
    }
    c->shapes[0] = out;
}

static void split(onnx_call *c)
{
    const uint32_t at = axis_in(c, c->in, 0);
    const value_list sizes = list_up_to(c, "split", 1, 2 * ROOF_MAX_DIMS);
    if (at == ROOF_NONE || sizes.n == ROOF_NONE || (sizes.n && sizes.n != c->n_outputs) || !c->n_outputs)
        return;
    const uint64_t each = ceil_div(c->in->dims[at], c->n_outputs);
    uint64_t left = c->in->dims[at];
    for (uint32_t i = 0; i < c->n_outputs; i++) {
        const double own = sizes.n ? sizes.at[i] : -1;
        const uint64_t size = own >= 0 && own < UINT32_MAX ? (uint64_t)own : each;
        c->shapes[i] = *c->in;
        c->shapes[i].dims[at] = size < left ? size : left;
        left -= c->shapes[i].dims[at];
    }
}

/* Elements of a part of a dimension, and the first of them. */
static uint64_t slice_length(double start, double end, double step, uint64_t dim, double *first)
{
    const double n = (double)dim, highest = step > 0 ? n : n - 1, lowest = step > 0 ? 0 : -1;
    start = fmin(fmax(start < 0 ? start + n : start, 0), highest);
    end = fmin(fmax(end < 0 && end > -9e18 ? end + n : end, lowest), n);
    *first = start;
    const double length = ceil((end - start) / step);
    return length > 0 ? (uint64_t)length : 0;
}

/* Of a list also the values. */
static void slice(onnx_call *c)
{
    const value_list starts = list_of(c, "starts", 1), ends = list_of(c, "ends", 2),
                     axes = list_of(c, "axes", 3), steps = list_of(c, "steps", 4);
    double first, step = 1;
    if (!c->in || starts.n == ROOF_NONE || ends.n != starts.n || (axes.n && axes.n != starts.n) ||
        (steps.n && steps.n != starts.n))
        return;
    onnx_shape out = *c->in;
    for (uint32_t i = 0; i < starts.n; i++) {
        const uint32_t at = onnx_axis(axes.n ? axes.at[i] : i, c->in->n_dims);
        step = steps.n ? steps.at[i] : 1;
        if (at == ROOF_NONE || step == 0)
            return;
        out.dims[at] = slice_length(starts.at[i], ends.at[i], step, c->in->dims[at], &first);
    }
    c->shapes[0] = out;
    uint32_t n_values;
    const double *values = onnx_input_values(c, 0, &n_values);
    double *part = values && starts.n == 1 && out.n_dims == 1 ? onnx_new_values(c, out.dims[0]) : NULL;
    for (uint32_t i = 0; part && i < out.dims[0]; i++) {
        const double at = first + i * step;
        part[i] = at >= 0 && at < n_values ? values[(uint32_t)at] : NAN;
    }
}

/* Of a list, such as a shape, also the values. */
static void gather(onnx_call *c)
{
    const onnx_shape *in = onnx_input_shape(c, 0), *at = onnx_input_shape(c, 1);
    const uint32_t where = axis_in(c, in, 0);
    if (where == ROOF_NONE || !at || in->n_dims - 1 + at->n_dims > ROOF_MAX_DIMS)
        return;
    onnx_shape out = {.n_dims = 0};
    for (uint32_t i = 0; i < in->n_dims; i++) {
        if (i != where)
            out.dims[out.n_dims++] = in->dims[i];
        for (uint32_t k = 0; k < at->n_dims && i == where; k++)
            out.dims[out.n_dims++] = at->dims[k];
    }
    c->shapes[0] = out;
    uint32_t n, n_at;
    const double *values = onnx_input_values(c, 0, &n), *indices = onnx_input_values(c, 1, &n_at);
    const bool is_known = in->n_dims == 1 && values && indices && n_at == extents_count(&out);
    double *taken = is_known ? onnx_new_values(c, n_at) : NULL;
    for (uint32_t i = 0; taken && i < n_at; i++) {
        const double index = indices[i] < 0 ? indices[i] + n : indices[i];
        taken[i] = index >= 0 && index < n ? values[(uint32_t)index] : NAN;
    }
}

static void gather_points(onnx_call *c)
{
    const onnx_shape *in = onnx_input_shape(c, 0), *at = onnx_input_shape(c, 1);
    const int64_t batch = onnx_attribute_int(c, "batch_dims", 0);
    if (!in || !at || !at->n_dims || batch < 0)
        return;
    const uint64_t depth = at->dims[at->n_dims - 1] + (uint64_t)batch;
    if (depth > in->n_dims || at->n_dims - 1 + in->n_dims - depth > ROOF_MAX_DIMS)
        return;
    onnx_shape out = *at;
    out.n_dims--;
    for (uint64_t i = depth; i < in->n_dims; i++)
        out.dims[out.n_dims++] = in->dims[i];
    c->shapes[0] = out;
}

/* Pads of zeroes, of height and width of a map alone. */
static bool is_of_zeroes(onnx_call *c)
{
    const text_span mode = onnx_attribute_text(c, "mode");
    double value = 0;
    uint32_t n = 0;
    if (c->n_inputs > 2 && c->inputs[2] != ROOF_NONE) {
        const double *values = onnx_input_values(c, 2, &n);
        value = values && n == 1 ? values[0] : (double)NAN;
    } else if (onnx_attribute(c, "value").number) {
        value = NAN; /* of old files; nobody writes another one than that which is there without it */
    }
    return value == 0 && (!mode.length || span_is(mode, "constant"));
}

static void set_zero_pads(onnx_call *c, const double *pads)
{
    enum { DIMS = 4, MOST = 1 << 20 };
    for (uint32_t i = 0; i < 2 * DIMS; i++)
        if (!(pads[i] >= 0 && pads[i] <= (i % DIMS < 2 ? 0 : MOST)))
            return;
    if (is_of_zeroes(c))
        c->made->zero_pads = (roof_window){.pad_top = (int32_t)pads[2],
                                           .pad_left = (int32_t)pads[3],
                                           .pad_bottom = (int32_t)pads[DIMS + 2],
                                           .pad_right = (int32_t)pads[DIMS + 3]};
}

static void pad(onnx_call *c)
{
    const value_list pads = list_up_to(c, "pads", 1, 2 * ROOF_MAX_DIMS),
                     axes = c->n_inputs > 3 ? list_of(c, "axes", 3) : (value_list){.n = 0};
    const uint32_t half = c->in && !axes.n ? c->in->n_dims : axes.n;
    if (!c->in || pads.n == ROOF_NONE || axes.n == ROOF_NONE || pads.n != 2 * half)
        return;
    onnx_shape out = *c->in;
    for (uint32_t i = 0; i < half; i++) {
        const uint32_t at = onnx_axis(axes.n ? axes.at[i] : i, c->in->n_dims);
        if (at == ROOF_NONE ||
            !set_dim(&out.dims[at], (double)c->in->dims[at] + pads.at[i] + pads.at[half + i]))
            return;
    }
    c->shapes[0] = out;
    if (!axes.n && c->in->n_dims == 4)
        set_zero_pads(c, pads.at);
}

static void tile(onnx_call *c)
{
    const value_list times = list_of(c, "repeats", 1);
    if (!c->in || times.n != c->in->n_dims)
        return;
    onnx_shape out = *c->in;
    for (uint32_t i = 0; i < times.n; i++)
        if (!set_dim(&out.dims[i], times.at[i]) ||
            __builtin_mul_overflow(out.dims[i], c->in->dims[i], &out.dims[i]))
            return;
    c->shapes[0] = out;
}

static void expand(onnx_call *c)
{
    const value_list wanted = list_of(c, "shape", 1);
    if (!c->in || wanted.n == ROOF_NONE)
        return;
    onnx_shape out = {.n_dims = wanted.n > c->in->n_dims ? wanted.n : c->in->n_dims};
    for (uint32_t k = 1; k <= out.n_dims; k++) {
        const uint64_t own = k <= c->in->n_dims ? c->in->dims[c->in->n_dims - k] : 1;
        uint64_t *dim = &out.dims[out.n_dims - k];
        if (!set_dim(dim, k <= wanted.n ? wanted.at[wanted.n - k] : 1))
            return;
        *dim = own == 1 ? *dim : own;
    }
    c->shapes[0] = out;
}

/* Resize has sizes or scales, by opset in other places; Upsample scales alone. */
static void resize(onnx_call *c)
{
    const bool is_upsample = c->op->detail, is_old = c->r->opset < 11 || is_upsample;
    if (!c->in)
        return;
    const value_list axes = list_of(c, "axes", ROOF_NONE),
                     sizes = is_old ? (value_list){.n = 0} : list_of(c, "sizes", 3);
    value_list by = sizes.n ? sizes : list_of(c, "", is_old ? 1 : 2);
    if (is_upsample && !by.n)
        by.n = onnx_attribute_floats(c, "scales", by.at, ROOF_MAX_DIMS);
    if (by.n != (axes.n ? axes.n : c->in->n_dims) || by.n > ROOF_MAX_DIMS)
        return;
    const text_span policy = onnx_attribute_text(c, "keep_aspect_ratio_policy");
    double common = NAN;
    for (uint32_t i = 0; i < sizes.n && policy.length && !span_is(policy, "stretch"); i++) {
        const uint32_t at = onnx_axis(axes.n ? axes.at[i] : i, c->in->n_dims);
        const double ratio = at == ROOF_NONE ? NAN : sizes.at[i] / (double)c->in->dims[at];
        common = span_is(policy, "not_larger") ? fmin(common, ratio) : fmax(common, ratio);
    }
    onnx_shape out = *c->in;
    for (uint32_t i = 0; i < by.n; i++) {
        const uint32_t at = onnx_axis(axes.n ? axes.at[i] : i, c->in->n_dims);
        if (at == ROOF_NONE)
            return;
        const double size = !isnan(common) ? round(common * (double)c->in->dims[at])
                            : sizes.n      ? sizes.at[i]
                                           : (double)floorf((float)c->in->dims[at] * (float)by.at[i]);
        if (!set_dim(&out.dims[at], size))
            return;
    }
    c->shapes[0] = out;
}

/* ---- over axes ---- */

/* Takes the axes whose bits are set out of a shape, or leaves 1 of each. */
static void reduce_axes(onnx_call *c, const onnx_shape *in, uint32_t bits)
{
    const bool keeps = onnx_attribute_int(c, "keepdims", 1) != 0;
    onnx_shape out = {.n_dims = 0};
    for (uint32_t i = 0; i < in->n_dims; i++) {
        const bool goes = bits >> i & 1;
        if (!goes || keeps)
            out.dims[out.n_dims++] = goes ? 1 : in->dims[i];
    }
    c->shapes[0] = out;
}

static void reduce(onnx_call *c)
{
    const value_list axes = list_of(c, "axes", 1);
    uint32_t bits;
    if (!c->in || !bits_of(&axes, c->in->n_dims, &bits))
        return;
    reduce_axes(c, c->in, axes.n || onnx_attribute_int(c, "noop_with_empty_axes", 0) ? bits : ~0U);
}

/* ArgMax and ArgMin: along one axis. */
static void reduce_one(onnx_call *c)
{
    const uint32_t at = axis_in(c, c->in, 0);
    if (at != ROOF_NONE)
        reduce_axes(c, c->in, 1U << at);
}

static void top_k(onnx_call *c)
{
    const uint32_t at = axis_in(c, c->in, -1);
    const double count = sole_number(c, 1, (double)onnx_attribute_int(c, "k", -1));
    if (at == ROOF_NONE)
        return;
    onnx_shape out = *c->in;
    if (set_dim(&out.dims[at], count))
        all_alike(c, &out);
}

/* ---- from values ---- */

static void shape_itself(onnx_call *c)
{
    double first;
    if (!c->in)
        return;
    const uint64_t n =
        slice_length((double)onnx_attribute_int(c, "start", 0),
                     (double)onnx_attribute_int(c, "end", c->in->n_dims), 1, c->in->n_dims, &first);
    double *out = onnx_new_values(c, n);
    c->shapes[0] = (onnx_shape){{n}, 1};
    for (uint32_t i = 0; out && i < n; i++)
        out[i] = (double)c->in->dims[(uint32_t)first + i];
}

static void of_values(onnx_call *c)
{
    const value_list wanted = list_of(c, "shape", 0);
    onnx_shape out = {.n_dims = wanted.n};
    if (wanted.n == ROOF_NONE)
        return;
    for (uint32_t i = 0; i < wanted.n; i++)
        if (!set_dim(&out.dims[i], wanted.at[i]))
            return;
    c->shapes[0] = out;
}

static void range(onnx_call *c)
{
    uint32_t n[3];
    const double *start = onnx_input_values(c, 0, &n[0]), *end = onnx_input_values(c, 1, &n[1]),
                 *step = onnx_input_values(c, 2, &n[2]);
    if (!start || !end || !step || n[0] != 1 || n[1] != 1 || n[2] != 1)
        return;
    const double count = ceil((*end - *start) / *step);
    if (!(count <= UINT32_MAX))
        return;
    c->shapes[0] = (onnx_shape){{count > 0 ? (uint64_t)count : 0}, 1};
    double *out = onnx_new_values(c, c->shapes[0].dims[0]);
    for (uint32_t i = 0; out && i < c->made->n_values; i++)
        out[i] = *start + i * *step;
}

static void one_hot(onnx_call *c)
{
    const double depth = sole_number(c, 1, NAN);
    uint32_t next = 0;
    if (!c->in || isnan(depth) || c->in->n_dims >= ROOF_MAX_DIMS)
        return;
    const uint32_t at = onnx_axis((double)onnx_attribute_int(c, "axis", -1), c->in->n_dims + 1);
    if (at == ROOF_NONE)
        return;
    onnx_shape out = {.n_dims = c->in->n_dims + 1};
    for (uint32_t i = 0; i < out.n_dims; i++)
        out.dims[i] = i == at ? (uint64_t)depth : c->in->dims[next++];
    c->shapes[0] = out;
}

/* Values, whichever attribute has them. */
static void constant(onnx_call *c)
{
    text_span name;
    double numbers[ONNX_MOST_VALUES] = {0};
    int64_t whole[ONNX_MOST_VALUES] = {0};
    const bool is_whole = onnx_attribute(c, "value_int").number,
               is_list = onnx_attribute(c, "value_ints").number,
               is_float = onnx_attribute(c, "value_float").number,
               is_floats = onnx_attribute(c, "value_floats").number;
    pb_cursor message = onnx_attribute_message(c, "value", ATTRIBUTE_TENSOR);
    if (message.file) {
        c->status = onnx_read_tensor(c->r, message, c->made, &name);
        c->shapes[0] = c->made->shape;
        return;
    }
    if (!is_whole && !is_list && !is_float && !is_floats)
        return;
    c->made->type = is_whole || is_list ? TYPE_INT64 : TYPE_FLOAT;
    uint32_t n = 1;
    if (is_whole)
        whole[0] = onnx_attribute_int(c, "value_int", 0);
    else if (is_list)
        n = onnx_attribute_ints(c, "value_ints", whole, ONNX_MOST_VALUES);
    else
        n = onnx_attribute_floats(c, is_float ? "value_float" : "value_floats", numbers, ONNX_MOST_VALUES);
    c->shapes[0] = is_list || is_floats ? (onnx_shape){{n}, 1} : (onnx_shape){.n_dims = 0};
    double *out = onnx_new_values(c, n);
    for (uint32_t i = 0; out && i < n; i++)
        out[i] = c->made->type == TYPE_INT64 ? (double)whole[i] : numbers[i];
}

/* GridSample takes height and width, RoiAlign and MaxRoiPool the number of regions, from elsewhere. */
static void sample_grid(onnx_call *c)
{
    const onnx_shape *in = onnx_input_shape(c, 0), *grid = onnx_input_shape(c, 1);
    if (!in || !grid || in->n_dims != 4 || grid->n_dims != 4)
        return;
    c->shapes[0] = (onnx_shape){{in->dims[0], in->dims[1], grid->dims[1], grid->dims[2]}, 4};
}

static void align_regions(onnx_call *c)
{
    const onnx_shape *in = onnx_input_shape(c, 0), *regions = onnx_input_shape(c, 1);
    int64_t pooled[2];
    const int64_t height = onnx_attribute_int(c, "output_height", 1),
                  width = onnx_attribute_int(c, "output_width", 1);
    const bool by_list = onnx_attribute_ints(c, "pooled_shape", pooled, 2) == 2;
    const int64_t h = by_list ? pooled[0] : height, w = by_list ? pooled[1] : width;
    if (!in || !regions || in->n_dims != 4 || !regions->n_dims || h < 1 || w < 1)
        return;
    c->shapes[0] = (onnx_shape){{regions->dims[0], in->dims[1], (uint64_t)h, (uint64_t)w}, 4};
}

/* ---- normalisations, losses, draws ---- */

/* Statistics of what lies behind an axis have 1 there. */
static void normalise(onnx_call *c)
{
    const uint32_t at = axis_in(c, c->in, -1);
    if (at == ROOF_NONE)
        return;
    onnx_shape one = *c->in;
    for (uint32_t i = at; i < one.n_dims; i++)
        one.dims[i] = 1;
    all_alike(c, &one);
    c->shapes[0] = *c->in;
}

/* One number, or one a label. */
static void lose(onnx_call *c)
{
    onnx_make_shapes(c, span_is(onnx_attribute_text(c, "reduction"), "none") ? "10" : "s0");
}

static void random_classes(onnx_call *c)
{
    const int64_t n = onnx_attribute_int(c, "sample_size", 1);
    if (c->in && c->in->n_dims == 2 && n >= 0)
        c->shapes[0] = (onnx_shape){{c->in->dims[0], (uint64_t)n}, 2};
}

/* One number for each square matrix. */
static void determinant(onnx_call *c)
{
    if (!c->in || c->in->n_dims < 2)
        return;
    c->shapes[0] = *c->in;
    c->shapes[0].n_dims -= 2;
}

/* ---- signals ---- */

/* As many values as the first input says. */
static void window_of_signal(onnx_call *c)
{
    const double n = sole_number(c, 0, NAN);
    if (!isnan(n))
        c->shapes[0] = (onnx_shape){{(uint64_t)n}, 1};
}

static void mel_weights(onnx_call *c)
{
    const double bins = sole_number(c, 0, NAN), length = sole_number(c, 1, NAN);
    if (!isnan(bins) && !isnan(length))
        c->shapes[0] = (onnx_shape){{(uint64_t)length / 2 + 1, (uint64_t)bins}, 2};
}

/* Real and imaginary parts stand last; of a real signal half of the spectrum tells all. */
static void transform(onnx_call *c)
{
    const bool is_half = onnx_attribute_int(c, "onesided", 0) != 0;
    const double axis = sole_number(c, 2, (double)onnx_attribute_int(c, "axis", c->n_inputs > 2 ? -2 : 1));
    const uint32_t at = c->in ? onnx_axis(axis, c->in->n_dims) : ROOF_NONE;
    if (at == ROOF_NONE || at + 1 == c->in->n_dims)
        return;
    const double length = sole_number(c, 1, (double)c->in->dims[at]);
    if (isnan(length))
        return;
    c->shapes[0] = *c->in;
    c->shapes[0].dims[at] = is_half ? (uint64_t)length / 2 + 1 : (uint64_t)length;
    c->shapes[0].dims[c->in->n_dims - 1] = is_half && onnx_attribute_int(c, "inverse", 0) ? 1 : 2;
}

static void transform_frames(onnx_call *c)
{
    const onnx_shape *in = onnx_input_shape(c, 0), *window = onnx_input_shape(c, 2);
    const bool is_half = onnx_attribute_int(c, "onesided", 1) != 0;
    const double step = sole_number(c, 1, NAN),
                 length = sole_number(c, 3, window && window->n_dims == 1 ? (double)window->dims[0] : NAN);
    if (!in || in->n_dims != 3 || !(step >= 1) || !(length >= 1) || length > (double)in->dims[1])
        return;
    const uint64_t frames = 1 + (in->dims[1] - (uint64_t)length) / (uint64_t)step;
    c->shapes[0] =
        (onnx_shape){{in->dims[0], frames, is_half ? (uint64_t)length / 2 + 1 : (uint64_t)length, 2}, 4};
}

/* ---- sums by letters ---- */

/* "bhid,bhjd->bhij": extents by their letters, of dots by their place from the end. */
typedef struct letters {
    uint64_t extents[128];
    onnx_shape dots;
    uint32_t times[128]; /* occurrences of a letter in a term */
} letters;

/* The larger of two extents, of which 1 is for all; false: they contradict. */
static bool larger_extent(uint64_t *extent, uint64_t other)
{
    if (*extent && other != 1 && *extent != 1 && *extent != other)
        return false;
    *extent = other > *extent ? other : *extent;
    return true;
}

/* Takes the dimensions at a letter, or at dots, of a term: dims are those of a shape that is read, or of one
 * that is made. dots: dimensions that they stand for. */
static bool take_mark(letters *l, char mark, uint32_t dots, bool is_made, onnx_shape *dims, uint32_t *next)
{
    const unsigned char letter = (unsigned char)mark & 127;
    if (mark != '.' && is_made) {
        dims->dims[(*next)++] = l->extents[letter];
        return l->times[letter] > 0;
    }
    if (mark != '.') {
        l->times[letter]++;
        return larger_extent(&l->extents[letter], dims->dims[(*next)++]);
    }
    for (uint32_t i = 0; i < dots; i++, (*next)++) {
        if (is_made)
            dims->dims[*next] = l->dots.dims[i];
        else if (!larger_extent(&l->dots.dims[i], dims->dims[*next]))
            return false;
    }
    l->dots.n_dims = dots;
    return true;
}

/* Reads a term up to its end: of a shape, whose letters it names, or of one that is made. */
static bool read_term(letters *l, const char **at, const char *end, bool is_made, onnx_shape *dims)
{
    uint32_t n_letters = 0, next = 0;
    bool has_dots = false;
    const char *term = *at;
    for (; *at < end && **at != ',' && **at != '-'; ++*at) {
        n_letters += **at != '.' && **at != ' ';
        has_dots = has_dots || **at == '.';
    }
    const uint32_t dots = is_made ? l->dots.n_dims : has_dots ? dims->n_dims - n_letters : 0;
    const uint32_t n = n_letters + (has_dots ? dots : 0);
    const bool is_alike = is_made || !has_dots || !l->dots.n_dims || l->dots.n_dims == dots;
    if (n > ROOF_MAX_DIMS || (!is_made && (dims->n_dims < n_letters || dims->n_dims != n)) || !is_alike)
        return false;
    for (const char *p = term; p < *at; p++) {
        const bool goes_on = *p == '.' && p > term && p[-1] == '.';
        if (*p != ' ' && !goes_on && !take_mark(l, *p, dots, is_made, dims, &next))
            return false;
    }
    dims->n_dims = n;
    return true;
}

/* Without an arrow the output has, in their order, the letters that stand once. With two operands each choice
 * of all letters is one multiply-accumulate. */
static void sum_by_letters(onnx_call *c)
{
    const text_span equation = onnx_attribute_text(c, "equation");
    const char *at = equation.text, *end = at + equation.length;
    letters l = {.dots.n_dims = 0};
    onnx_shape out = {.n_dims = 0};
    for (uint32_t i = 0; i < c->n_inputs; i++, at += at < end && *at == ',') {
        const onnx_shape *in = onnx_input_shape(c, i);
        onnx_shape dims = in ? *in : (onnx_shape){.n_dims = ROOF_NONE};
        if (!in || !read_term(&l, &at, end, false, &dims))
            return;
    }
    if (end - at >= 2 && at[0] == '-' && at[1] == '>') {
        at += 2;
        if (!read_term(&l, &at, end, true, &out))
            return;
    } else if (at == end) {
        out = l.dots;
        for (uint32_t letter = 0; letter < 128; letter++)
            if (l.times[letter] == 1 && out.n_dims < ROOF_MAX_DIMS)
                out.dims[out.n_dims++] = l.extents[letter];
    } else {
        return;
    }
    checked macs = checked_product(l.dots.dims, l.dots.n_dims);
    for (uint32_t letter = 0; letter < 128; letter++)
        macs = l.times[letter] ? checked_times(macs, l.extents[letter]) : macs;
    c->macs = c->n_inputs == 2 && !macs.overflow ? macs.value : ROOF_UNKNOWN;
    c->shapes[0] = out;
}

/* ---- attention ---- */

/* [batch, tokens, width], [batch, heads, tokens, size], or packed, [batch, tokens, heads, n, size]. */
static uint64_t tokens_in(const onnx_shape *s)
{
    return s->dims[s->n_dims == 4 ? 2 : 1];
}

/* Heads of an attention, and how wide all of them are. */
typedef struct attention {
    uint64_t heads, kv_heads, width, of_values, queries, keys;
    bool by_weights; /* weights make queries, keys and values of one input */
} attention;

/* Keys and values have an input of their own, lie behind the queries, or weights make them. */
static bool measure_attention(onnx_call *c, const onnx_shape *q, const onnx_shape *k, const onnx_shape *v,
                              attention *a)
{
    const uint64_t groups = a->heads + 2 * a->kv_heads;
    int64_t sizes[3] = {0};
    const checked width = q->n_dims == 3   ? (checked){q->dims[2], false}
                          : q->n_dims == 4 ? CHECKED_PRODUCT(q->dims[1], q->dims[3])
                                           : CHECKED_PRODUCT(q->dims[2], q->dims[4]);
    a->width = a->of_values = width.overflow || width.value > UINT32_MAX ? 0 : width.value;
    a->queries = a->keys = tokens_in(q);
    if (a->by_weights) {
        const bool by_sizes = onnx_attribute_ints(c, "qkv_hidden_sizes", sizes, 3) == 3 && sizes[0] > 0 &&
                              sizes[2] > 0 && (uint64_t)sizes[0] <= k->dims[1] &&
                              (uint64_t)sizes[2] <= k->dims[1];
        a->width = by_sizes ? (uint64_t)sizes[0] : k->dims[1] / 3;
        a->of_values = by_sizes ? (uint64_t)sizes[2] : k->dims[1] / 3;
    } else if (!k && q->n_dims == 3) {
        if (!a->heads || a->width % groups)
            return false;
        a->width = a->of_values = a->width / groups * a->heads;
    } else if (k) {
        if (k->n_dims < 3 || k->n_dims > 5)
            return false;
        a->keys = tokens_in(k);
        if (v && v->n_dims >= 3 && v->n_dims <= 4 && a->kv_heads) {
            const checked wide =
                CHECKED_PRODUCT(v->n_dims == 4 ? v->dims[3] : v->dims[2] / a->kv_heads, a->heads);
            a->of_values = wide.overflow ? 0 : wide.value;
        }
    }
    return a->width && a->of_values && a->of_values <= UINT32_MAX;
}

static bool is_left_open(const onnx_call *c, uint32_t i)
{
    return i < c->n_inputs && c->inputs[i] != ROOF_NONE && !onnx_input_shape(c, i);
}

/* Attention of the standard, and of com.microsoft with its kin. detail: the input of the keys that were there
 * before. */
static void attend(onnx_call *c)
{
    const onnx_shape *q = onnx_input_shape(c, 0), *k = onnx_input_shape(c, 1), *v = onnx_input_shape(c, 2),
                     *past = onnx_input_shape(c, c->op->detail);
    const bool is_causal = span_is(c->node->type, "GroupQueryAttention") ||
                           onnx_attribute_int(c, "unidirectional", 0) != 0 ||
                           onnx_attribute_int(c, "is_causal", 0) != 0;
    const int64_t n = onnx_attribute_int(c, "num_heads", onnx_attribute_int(c, "q_num_heads", 0)),
                  n_kv = onnx_attribute_int(c, "kv_num_heads", n);
    if (!q || q->n_dims < 3 || q->n_dims > 5 || is_left_open(c, 1) || is_left_open(c, 2) ||
        is_left_open(c, c->op->detail) || n < 0 || n_kv < 0 || n > 1 << 16 || n_kv > 1 << 16)
        return;
    attention a = {.heads = q->n_dims == 4 ? q->dims[1] : (uint64_t)n,
                   .kv_heads = k && k->n_dims == 4 ? k->dims[1] : (uint64_t)n_kv,
                   .by_weights = k && k->n_dims == 2};
    if (!measure_attention(c, q, k, v, &a) ||
        (past && past->n_dims >= 4 && __builtin_add_overflow(a.keys, past->dims[past->n_dims - 2], &a.keys)))
        return;
    /* each query by each key that it may see, and what that gives by as many values */
    const onnx_shape *weights = a.by_weights ? k : NULL;
    checked pairs = CHECKED_PRODUCT(a.queries, a.keys);
    if (is_causal && a.keys >= a.queries && a.queries && a.queries <= UINT32_MAX)
        pairs.value -= a.queries * (a.queries - 1) / 2;
    checked macs = CHECKED_PRODUCT(q->dims[0], pairs.value, a.width + a.of_values);
    const checked made =
        weights ? CHECKED_PRODUCT(q->dims[0], a.queries, extents_count(weights)) : (checked){0, false};
    macs = checked_plus(macs, made.value);
    c->macs = pairs.overflow || macs.overflow || made.overflow ? ROOF_UNKNOWN : macs.value;
    const uint64_t size = a.heads ? a.width / a.heads : 0;
    const uint64_t value_size = a.heads ? a.of_values / a.heads : 0;
    c->shapes[0] = q->n_dims == 4 ? (onnx_shape){{q->dims[0], a.heads, a.queries, value_size}, 4}
                                  : (onnx_shape){{q->dims[0], a.queries, a.of_values}, 3};
    for (uint32_t i = 1; i < c->n_outputs && i < 3 && a.kv_heads && size && !a.by_weights; i++)
        c->shapes[i] = (onnx_shape){{q->dims[0], a.kv_heads, a.keys, size}, 4};
}

/* ---- values of small tensors, from which exporters reckon shapes: Cast, Concat, Mul and the like. Each has
 * what one row of the standard says (onnx/onnx, docs/Operators.md); NaN is an unknown value. ---- */

typedef enum onnx_arithmetic {
#define ARITHMETIC(name, ...) ONNX_##name,
#include "model/formats/onnx/arithmetic.def"
#undef ARITHMETIC
} onnx_arithmetic;

static double apply(onnx_arithmetic what, double a, double b, double third, bool whole)
{
    switch (what) {
#define ARITHMETIC(name, operator, makes, result_type, result)                                               \
    case ONNX_##name:                                                                                        \
        return result;
#include "model/formats/onnx/arithmetic.def"
#undef ARITHMETIC
    }
    return NAN;
}

static void value_of_elements(onnx_call *c)
{
    const onnx_arithmetic what = (onnx_arithmetic)c->op->detail;
    const uint32_t wanted = what == ONNX_WHERE ? 3 : what >= ONNX_NOT ? 1 : 2;
    /* no half, double, bfloat16 */
    const bool is_whole =
        c->made->type != TYPE_FLOAT && c->made->type != 10 && c->made->type != 11 && c->made->type != 16;
    const uint64_t elements = extents_count(&c->shapes[0]);
    const double *in[3] = {NULL, NULL, NULL};
    uint32_t n[3] = {1, 1, 1};
    for (uint32_t i = 0; i < wanted; i++) {
        in[i] = onnx_input_values(c, i, &n[i]);
        if (!in[i] || (n[i] != 1 && n[i] != elements)) /* all values, or one that is for all */
            return;
    }
    double *out = onnx_new_values(c, elements);
    for (uint32_t i = 0; out && i < elements; i++) {
        const double a = in[0][n[0] == 1 ? 0 : i], b = in[1] ? in[1][n[1] == 1 ? 0 : i] : 0,
                     third = in[2] ? in[2][n[2] == 1 ? 0 : i] : 0;
        out[i] = isnan(a) || isnan(b) || isnan(third) ? NAN : apply(what, a, b, third, is_whole);
    }
}

static void value_of_size(onnx_call *c)
{
    double *out = c->in ? onnx_new_values(c, 1) : NULL;
    if (out)
        *out = (double)extents_count(c->in);
}

static void value_joined(onnx_call *c)
{
    const uint64_t elements = extents_count(&c->shapes[0]);
    uint32_t used = 0, n;
    bool any = false;
    if (c->shapes[0].n_dims != 1 || elements > ONNX_MOST_VALUES)
        return;
    double *out = onnx_new_values(c, elements);
    for (uint32_t i = 0; out && i < c->n_inputs; i++) {
        const onnx_shape *in = onnx_input_shape(c, i);
        const double *values = onnx_input_values(c, i, &n);
        const uint64_t count = in ? extents_count(in) : 0;
        for (uint64_t k = 0; k < count && used < elements; k++)
            out[used++] = values && k < n ? values[k] : NAN;
        any = any || values;
    }
    if (!any || used != elements)
        c->made->values = NULL;
}

static void value_filled(onnx_call *c)
{
    onnx_tensor value = {.n_values = 0};
    text_span name;
    pb_cursor tensor = onnx_attribute_message(c, "value", ATTRIBUTE_TENSOR);
    const uint64_t elements = extents_count(&c->shapes[0]);
    if (tensor.file && c->status == ROOF_OK)
        c->status = onnx_read_tensor(c->r, tensor, &value, &name);
    c->made->type = tensor.file ? value.type : c->made->type;
    double *out = elements <= ONNX_MOST_VALUES ? onnx_new_values(c, elements) : NULL;
    for (uint32_t i = 0; out && i < elements; i++)
        out[i] = value.n_values == 1 ? value.values[0] : tensor.file ? NAN : 0;
}

/* The product, largest, smallest or sum of a whole list. */
static void value_reduced(onnx_call *c)
{
    uint32_t n;
    const double *in = onnx_input_values(c, 0, &n);
    double *out = in && extents_count(&c->shapes[0]) == 1 && n ? onnx_new_values(c, 1) : NULL;
    if (!out)
        return;
    *out = in[0];
    for (uint32_t i = 1; i < n; i++)
        *out = isnan(in[i]) ? NAN : apply((onnx_arithmetic)c->op->detail, *out, in[i], 0, false);
}

/* ---- all operators ---- */

/* A sequence, or its number of elements depends on what they are. */
#define UNKNOWN_SHAPE ""
/* That of the operands, spread over one another, which is known when they have been compared. */
#define SPREAD_SHAPE "-"

/* By types, which spaces separate. Other types keep the shape of their first input where ops.def has them as
 * element-wise; else the shape is unknown. */
static const onnx_operator operators[] = {
#define ARITHMETIC(name, operator, makes_, result_type_, result)                                             \
    {(operator), .makes = (makes_), .value = value_of_elements, .detail = ONNX_##name,                       \
     .result_type = (result_type_)},
#include "model/formats/onnx/arithmetic.def"
#undef ARITHMETIC
    {"ArgMax ArgMin", .shape = reduce_one, .result_type = TYPE_INT64},
    {"Attention", .shape = attend, .detail = 4, .roles = "iiii", .tells_macs = true},
    {"AveragePool LpPool MaxPool", .shape = pool},
    {"BatchNormalization Bernoulli BiasGelu CumSum EyeLike LpNormalization RandomNormalLike "
     "RandomUniformLike ReverseSequence Scatter ScatterElements ScatterND Trilu",
     .makes = "0"},
    {"BitShift BitwiseAnd BitwiseOr BitwiseXor Mean Pow Sum", .makes = SPREAD_SHAPE},
    {"BlackmanWindow HammingWindow HannWindow", .shape = window_of_signal, .result_type = TYPE_FLOAT},
    {"Cast", .shape = cast, .value = value_of_elements, .detail = ONNX_CAST},
    {"CastLike", .value = value_of_elements, .detail = ONNX_CAST, .type_input = 1},
    {"Compress ConcatFromSequence EmbedLayerNormalization SequenceConstruct SplitToSequence Unique",
     .makes = UNKNOWN_SHAPE},
    {"Concat", .shape = concat, .value = value_joined},
    {"Constant", .shape = constant},
    {"ConstantOfShape", .shape = of_values, .value = value_filled, .result_type = TYPE_FLOAT},
    {"Conv FusedConv", .shape = convolve, .detail = 1},
    {"ConvInteger", .shape = convolve, .detail = 1, .roles = "iwo", .result_type = TYPE_INT32},
    {"ConvTranspose", .shape = convolve_transposed},
    {"DFT", .shape = transform},
    {"DepthToSpace", .shape = space_to_depth},
    {"DequantizeLinear", .result_type = TYPE_FLOAT},
    {"Det", .shape = determinant},
    {"Dropout", .makes = "00", .value = value_of_elements, .detail = ONNX_SAME},
    {"DynamicQuantizeLSTM GRU LSTM RNN", .shape = recur, .roles = "iwwbo"},
    {"DynamicQuantizeLinear", .makes = "0ss", .result_type = TYPE_UINT8, .other_type = TYPE_FLOAT},
    {"DynamicQuantizeMatMul", .shape = multiply, .detail = 1, .roles = "iwoob"},
    {"Einsum", .shape = sum_by_letters, .roles = "ii", .tells_macs = true},
    {"Expand", .shape = expand, .value = value_of_elements, .detail = ONNX_SAME},
    {"Flatten", .shape = flatten, .value = value_of_elements, .detail = ONNX_SAME},
    {"FusedGemm FusedMatMul Gemm MatMul", .shape = multiply, .detail = 1},
    {"Gather", .shape = gather},
    {"GatherElements", .makes = "1"},
    {"GatherND", .shape = gather_points},
    {"GlobalAveragePool GlobalLpPool GlobalMaxPool", .shape = pool_all},
    {"GridSample", .shape = sample_grid},
    {"GroupQueryAttention", .shape = attend, .detail = 3, .roles = "iiiiio", .tells_macs = true},
    {"IsInf IsNaN", .result_type = TYPE_BOOL},
    {"LayerNormalization SimplifiedLayerNormalization", .shape = normalise},
    {"MatMulInteger", .shape = multiply, .detail = 1, .roles = "iio", .result_type = TYPE_INT32},
    {"MatMulIntegerToFloat", .shape = multiply, .detail = 1, .roles = "iwoooob", .result_type = TYPE_FLOAT},
    {"MatMulNBits", .shape = multiply_packed, .roles = "iwo"},
    {"MaxRoiPool RoiAlign", .shape = align_regions},
    {"MelWeightMatrix", .shape = mel_weights, .result_type = TYPE_FLOAT},
    {"MultiHeadAttention", .shape = attend, .detail = 6, .roles = "iiii", .tells_macs = true},
    {"Multinomial", .shape = random_classes, .result_type = TYPE_INT32},
    {"NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss", .shape = lose},
    {"NonMaxSuppression NonZero", .makes = UNKNOWN_SHAPE, .result_type = TYPE_INT64},
    {"OneHot", .shape = one_hot, .type_input = 2},
    {"Pad", .shape = pad},
    {"QAttention", .shape = attend, .detail = 8, .roles = "iiio", .result_type = TYPE_FLOAT,
     .tells_macs = true},
    {"QGemm", .shape = multiply, .detail = 3, .roles = "iooioobo", .type_input = 8},
    {"QLinearAdd QLinearMul", .makes = SPREAD_SHAPE, .roles = "iooioo", .type_input = 7},
    {"QLinearAveragePool", .shape = pool, .roles = "io"},
    {"QLinearConcat", .shape = concat, .detail = 2, .roles = "oo+ioo", .type_input = 2},
    {"QLinearConv", .shape = convolve, .detail = 3, .roles = "ioowoooob", .type_input = 7},
    {"QLinearGlobalAveragePool", .shape = pool_all, .roles = "io"},
    {"QLinearLeakyRelu QLinearSigmoid QLinearSoftmax", .roles = "io"},
    {"QLinearMatMul", .shape = multiply, .detail = 3, .roles = "iooioo", .type_input = 7},
    {"QuantizeLinear", .result_type = TYPE_UINT8, .type_input = 2},
    {"RandomNormal RandomUniform", .shape = of_values, .result_type = TYPE_FLOAT},
    {"Range", .shape = range},
    {"ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMean ReduceSumSquare", .shape = reduce},
    {"ReduceMax", .shape = reduce, .value = value_reduced, .detail = ONNX_MAX},
    {"ReduceMin", .shape = reduce, .value = value_reduced, .detail = ONNX_MIN},
    {"ReduceProd", .shape = reduce, .value = value_reduced, .detail = ONNX_MUL},
    {"ReduceSum", .shape = reduce, .value = value_reduced, .detail = ONNX_ADD},
    {"Reshape", .shape = reshape, .value = value_of_elements, .detail = ONNX_SAME},
    {"Resize", .shape = resize},
    {"RotaryEmbedding", .makes = "0", .roles = "io"},
    {"STFT", .shape = transform_frames},
    {"Shape", .shape = shape_itself, .result_type = TYPE_INT64},
    {"Size", .makes = "s", .value = value_of_size, .result_type = TYPE_INT64},
    {"SkipLayerNormalization SkipSimplifiedLayerNormalization", .makes = "0--0"},
    {"Slice", .shape = slice},
    {"SpaceToDepth", .shape = space_to_depth, .detail = 1},
    {"Split", .shape = split},
    {"Squeeze", .shape = squeeze, .value = value_of_elements, .detail = ONNX_SAME},
    {"Tile", .shape = tile, .value = value_of_elements, .detail = ONNX_SAME},
    {"TopK", .shape = top_k, .other_type = TYPE_INT64},
    {"Transpose", .shape = transpose},
    {"Unsqueeze", .shape = unsqueeze, .value = value_of_elements, .detail = ONNX_SAME},
    {"Upsample", .shape = resize, .detail = 1},
    {"Where", .makes = SPREAD_SHAPE, .value = value_of_elements, .detail = ONNX_WHERE, .type_input = 1},
};

const onnx_operator *onnx_operator_of(const char *type)
{
    size_t i = 0;
    while (i < N_OF(operators) && !text_has_word(operators[i].types, type))
        i++;
    return i < N_OF(operators) && !strchr(type, ' ') ? &operators[i] : NULL;
}
