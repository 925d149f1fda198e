#include "model/formats/tflite/tflite_window.h"
#include "core/error.h"
#include "model/work/cost.h"
#include "model/work/opmap.h"

enum { SAME }; /* of Padding; the other one is VALID */

/* Where the options of an operator have what its window is made of; -1: nowhere. Field 0 is the padding. */
static const struct window_fields {
    tflite_builtin builtin;
    uint32_t options_type;
    int stride_w, stride_h, dilation_w, dilation_h, filter_w, filter_h;
    uint32_t kernel_dim; /* of the weights: KH, and KW behind it; 0: the options have the kernel */
} windows[] = {
    {TFLITE_CONV_2D, 1, 1, 2, 4, 5, -1, -1, 1},
    {TFLITE_DEPTHWISE_CONV_2D, 2, 1, 2, 5, 6, -1, -1, 1},
    {TFLITE_TRANSPOSE_CONV, 49, 1, 2, -1, -1, -1, -1, 1},
    {TFLITE_CONV_3D, 106, 2, 3, 6, 7, -1, -1, 2},
    {TFLITE_AVERAGE_POOL_2D, 5, 1, 2, -1, -1, 3, 4, 0},
    {TFLITE_MAX_POOL_2D, 5, 1, 2, -1, -1, 3, 4, 0},
    {TFLITE_L2_POOL_2D, 5, 1, 2, -1, -1, 3, 4, 0},
};

/* A number of the options; 0 where it is negative, which none of them can be, and absent where it is left
 * out. */
static roof_status option(const tflite_operator *from, int field, uint32_t absent, uint32_t *out,
                          roof_error *err)
{
    int64_t value = absent;
    if (field >= 0)
        TRY(fb_signed(&from->options, (uint32_t)field, 4, absent, &value, err));
    *out = value > 0 ? (uint32_t)value : 0;
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

/* Weights as the cost of each rule wants them; a pooling has none. */
static bool fits(const roof_tensor *in, const roof_tensor *w, const roof_tensor *out, roof_rule rule)
{
    const uint32_t rank = rule == ROOF_RULE_CONV3D ? 5 : 4;
    if (in->n_dims != rank || out->n_dims != rank || (w && w->n_dims != rank))
        return false;
    if (!w)
        return true;
    const uint32_t ic = in->dims[rank - 1], oc = out->dims[rank - 1];
    switch (rule) {
    case ROOF_RULE_CONV2D: /* in groups, whose channels are the weights' */
        return w->dims[0] == oc && w->dims[3] && ic % w->dims[3] == 0;
    case ROOF_RULE_CONV3D:
        return w->dims[4] == oc && w->dims[3] && ic % w->dims[3] == 0;
    case ROOF_RULE_DEPTHWISE:
        return w->dims[3] == oc && ic && oc % ic == 0;
    case ROOF_RULE_TRANSPOSED:
        return w->dims[0] == oc && w->dims[3] == ic;
    default:
        return true;
    }
}

roof_status tflite_set_window(roof_graph *graph, roof_op *op, const tflite_operator *from, roof_error *err)
{
    const struct window_fields *f = windows, *end = windows + sizeof windows / sizeof *windows;
    const roof_op *input = op_input(graph, op, ROOF_ROLE_INPUT),
                  *weights = op_input(graph, op, ROOF_ROLE_WEIGHTS);
    const roof_tensor *w = weights ? &weights->out : NULL;
    roof_window *v = &op->window;
    uint64_t padding;
    while (f < end && f->builtin != from->code->builtin)
        f++;
    if (f == end || op->rule == ROOF_RULE_UNKNOWN)
        return ROOF_OK;
    if (!input || (f->kernel_dim && !w) || !fits(&input->out, w, &op->out, op->rule)) {
        op->rule = ROOF_RULE_UNKNOWN;
        return ROOF_OK;
    }
    if (f->kernel_dim) {
        v->kernel_h = w->dims[f->kernel_dim];
        v->kernel_w = w->dims[f->kernel_dim + 1];
    }
    if (from->options_type != f->options_type) /* then only the kernel is known, if that */
        return ROOF_OK;
    TRY(fb_unsigned(&from->options, 0, 1, SAME, &padding, err));
    TRY(option(from, f->stride_w, 0, &v->stride_w, err));
    TRY(option(from, f->stride_h, 0, &v->stride_h, err));
    TRY(option(from, f->dilation_w, 1, &v->dilation_w, err));
    TRY(option(from, f->dilation_h, 1, &v->dilation_h, err));
    if (!f->kernel_dim) {
        TRY(option(from, f->filter_w, 0, &v->kernel_w, err));
        TRY(option(from, f->filter_h, 0, &v->kernel_h, err));
    }
    if (!v->kernel_h || !v->kernel_w || !v->stride_h || !v->stride_w || !v->dilation_h || !v->dilation_w) {
        *v = (roof_window){.kernel_h = v->kernel_h, .kernel_w = v->kernel_w};
        return ROOF_OK;
    }
    const nhwc a = tensor_nhwc(&input->out), b = tensor_nhwc(&op->out);
    const bool is_swapped = op->rule == ROOF_RULE_TRANSPOSED;
    const nhwc in = is_swapped ? b : a, out = is_swapped ? a : b;
    if (padding == SAME &&
        (!set_pads(in.h, out.h, v->kernel_h, v->stride_h, v->dilation_h, &v->pad_top, &v->pad_bottom) ||
         !set_pads(in.w, out.w, v->kernel_w, v->stride_w, v->dilation_w, &v->pad_left, &v->pad_right)))
        op->rule = ROOF_RULE_UNKNOWN;
    return ROOF_OK;
}
