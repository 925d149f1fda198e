/* Numbers of operators' options, under the names that ONNX has for them, and the windows that follow. */
#include "model/formats/tflite/tflite_model.h"
#include "model/work/cost.h"
#include "model/work/extents.h"

enum { PADDING_SAME }; /* of Padding; the other one is VALID */

#define POOLS "AVERAGE_POOL_2D MAX_POOL_2D L2_POOL_2D"

/* Operators with options that are read: their type in the union, and where weights have the height of the
 * kernel, its width behind it; 0: the options have it; -1: the operator has no window. */
static const struct operator_kind {
    const char *types;
    uint32_t options_type;
    int kernel_dim;
} kinds[] = {
    {"CONV_2D", 1, 1},  {"DEPTHWISE_CONV_2D", 2, 1}, {"TRANSPOSE_CONV", 49, 1},  {"CONV_3D", 106, 2},
    {POOLS, 5, 0},      {"BATCH_MATMUL", 101, -1},   {"CONCATENATION", 10, -1},  {"PACK", 59, -1},
    {"GATHER", 23, -1}, {"DEPTH_TO_SPACE", 94, -1},  {"SPACE_TO_DEPTH", 26, -1},
};

static const struct option {
    const char *types, *name;
    uint32_t bytes;
    int fields[3]; /* of depth, height and width, as far as there are such; -1: no more */
    int32_t absent;
} options[] = {
    {"CONV_2D DEPTHWISE_CONV_2D TRANSPOSE_CONV CONV_3D " POOLS, "auto_pad", 1, {0, -1, -1}, PADDING_SAME},
    {"CONV_2D DEPTHWISE_CONV_2D TRANSPOSE_CONV " POOLS, "strides", 4, {2, 1, -1}, 0},
    {"CONV_3D", "strides", 4, {1, 3, 2}, 0},
    {"CONV_2D", "dilations", 4, {5, 4, -1}, 1},
    {"DEPTHWISE_CONV_2D", "dilations", 4, {6, 5, -1}, 1},
    {"CONV_3D", "dilations", 4, {5, 7, 6}, 1},
    {POOLS, "kernel_shape", 4, {4, 3, -1}, 0},
    {"BATCH_MATMUL", "transA", 1, {0, -1, -1}, 0},
    {"BATCH_MATMUL", "transB", 1, {1, -1, -1}, 0},
    {"CONCATENATION GATHER", "axis", 4, {0, -1, -1}, 0},
    {"PACK", "axis", 4, {1, -1, -1}, 0},
    {"DEPTH_TO_SPACE SPACE_TO_DEPTH", "blocksize", 4, {0, -1, -1}, 0},
};

/* NULL: no options of it are read. */
static const struct operator_kind *kind_of(const tflite_code *code)
{
    size_t i = 0;
    while (i < N_OF(kinds) && !tflite_is(code, kinds[i].types))
        i++;
    return i < N_OF(kinds) ? &kinds[i] : NULL;
}

roof_status tflite_numbers(const tflite_operator *from, const char *name, double *out, uint32_t max,
                           uint32_t *n, roof_error *err)
{
    enum { N = N_OF(options) };
    size_t i = 0;
    *n = 0;
    while (i < N && (strcmp(options[i].name, name) != 0 || !tflite_is(from->code, options[i].types)))
        i++;
    if (i < N && from->options_type != kind_of(from->code)->options_type)
        *n = ROOF_NONE;
    if (i == N || *n)
        return ROOF_OK;
    for (const int *field = options[i].fields; *n < 3 && *field >= 0 && *n < max; field++) {
        int64_t value;
        TRY(fb_signed(&from->options, (uint32_t)*field, options[i].bytes, options[i].absent, &value, err));
        out[(*n)++] = (double)value;
    }
    if (*n && strcmp(name, "auto_pad") == 0)
        *out = *out == PADDING_SAME ? EXTENTS_SAME : EXTENTS_VALID;
    return ROOF_OK;
}

/* ---- windows ---- */

/* Height and width of a list of the options; 0 where it is not there, or no window can have it. */
static roof_status read_pair(const tflite_operator *from, const char *name, double otherwise, uint32_t *h,
                             uint32_t *w, roof_error *err)
{
    double all[3];
    uint32_t n;
    TRY(tflite_numbers(from, name, all, 3, &n, err));
    const bool is_there = n >= 2 && n != ROOF_NONE;
    const double last[] = {is_there ? all[n - 2] : otherwise, is_there ? all[n - 1] : otherwise};
    *h = last[0] > 0 ? (uint32_t)last[0] : 0;
    *w = last[1] > 0 ? (uint32_t)last[1] : 0;
    return ROOF_OK;
}

/* False where there are more pads than a window can have. */
static bool set_pads(uint64_t in, uint64_t out, uint32_t kernel, uint32_t stride, uint32_t dilation,
                     int32_t *before, int32_t *behind)
{
    /* each factor is below 2^32, and the first of each below 2^31 */
    const uint64_t reach = (uint64_t)(kernel - 1) * dilation + 1, moved = out ? (out - 1) * stride : 0;
    if (moved > UINT64_MAX - reach || moved + reach > in + INT32_MAX)
        return false;
    const int32_t pads = moved + reach > in ? (int32_t)(moved + reach - in) : 0;
    *before = pads / 2;
    *behind = pads - pads / 2;
    return true;
}

roof_status tflite_set_window(roof_graph *graph, roof_op *op, const tflite_operator *from, roof_error *err)
{
    const struct operator_kind *k = kind_of(from->code);
    const roof_op *input = op_input(graph, op, ROOF_ROLE_INPUT),
                  *weights = op_input(graph, op, ROOF_ROLE_WEIGHTS);
    roof_window *v = &op->window;
    double padding;
    uint32_t n;
    if (!k || k->kernel_dim < 0 || op->rule == ROOF_RULE_UNKNOWN)
        return ROOF_OK;
    if (!input || (k->kernel_dim && !weights)) {
        op->rule = ROOF_RULE_UNKNOWN;
        return ROOF_OK;
    }
    TRY(read_pair(from, "kernel_shape", 0, &v->kernel_h, &v->kernel_w, err));
    if (k->kernel_dim) {
        v->kernel_h = weights->out.dims[k->kernel_dim];
        v->kernel_w = weights->out.dims[k->kernel_dim + 1];
    }
    TRY(read_pair(from, "strides", 0, &v->stride_h, &v->stride_w, err));
    TRY(read_pair(from, "dilations", 1, &v->dilation_h, &v->dilation_w, err));
    TRY(tflite_numbers(from, "auto_pad", &padding, 1, &n, err));
    if (!v->kernel_h || !v->kernel_w || !v->stride_h || !v->stride_w || n != 1) {
        /* then only the kernel is known, if that */
        *v = (roof_window){.kernel_h = v->kernel_h, .kernel_w = v->kernel_w};
        return ROOF_OK;
    }
    const nhwc a = tensor_nhwc(&input->out), b = tensor_nhwc(&op->out);
    const bool is_swapped = op->rule == ROOF_RULE_TRANSPOSED;
    const nhwc in = is_swapped ? b : a, out = is_swapped ? a : b;
    if (padding == EXTENTS_SAME &&
        (!set_pads(in.h, out.h, v->kernel_h, v->stride_h, v->dilation_h, &v->pad_top, &v->pad_bottom) ||
         !set_pads(in.w, out.w, v->kernel_w, v->stride_w, v->dilation_w, &v->pad_left, &v->pad_right)))
        op->rule = ROOF_RULE_UNKNOWN;
    return ROOF_OK;
}
