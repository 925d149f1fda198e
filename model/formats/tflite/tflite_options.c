/* Numbers of operators' options, under the names that ONNX has for them. */
#include "core/error.h"
#include "model/formats/tflite/tflite_model.h"
#include "model/work/extents.h"

#include <string.h>

enum { PADDING_SAME }; /* of Padding; the other one is VALID */

static const struct option {
    tflite_builtin builtin;
    uint32_t options_type; /* of the union */
    const char *name;
    uint32_t bytes;
    int fields[3]; /* of depth, height and width, as far as there are such; -1: no more */
    int32_t absent;
} options[] = {
    {TFLITE_CONV_2D, 1, "auto_pad", 1, {0, -1, -1}, PADDING_SAME},
    {TFLITE_CONV_2D, 1, "strides", 4, {2, 1, -1}, 0},
    {TFLITE_CONV_2D, 1, "dilations", 4, {5, 4, -1}, 1},
    {TFLITE_DEPTHWISE_CONV_2D, 2, "auto_pad", 1, {0, -1, -1}, PADDING_SAME},
    {TFLITE_DEPTHWISE_CONV_2D, 2, "strides", 4, {2, 1, -1}, 0},
    {TFLITE_DEPTHWISE_CONV_2D, 2, "dilations", 4, {6, 5, -1}, 1},
    {TFLITE_TRANSPOSE_CONV, 49, "auto_pad", 1, {0, -1, -1}, PADDING_SAME},
    {TFLITE_TRANSPOSE_CONV, 49, "strides", 4, {2, 1, -1}, 0},
    {TFLITE_CONV_3D, 106, "auto_pad", 1, {0, -1, -1}, PADDING_SAME},
    {TFLITE_CONV_3D, 106, "strides", 4, {1, 3, 2}, 0},
    {TFLITE_CONV_3D, 106, "dilations", 4, {5, 7, 6}, 1},
    {TFLITE_AVERAGE_POOL_2D, 5, "auto_pad", 1, {0, -1, -1}, PADDING_SAME},
    {TFLITE_AVERAGE_POOL_2D, 5, "strides", 4, {2, 1, -1}, 0},
    {TFLITE_AVERAGE_POOL_2D, 5, "kernel_shape", 4, {4, 3, -1}, 0},
    {TFLITE_MAX_POOL_2D, 5, "auto_pad", 1, {0, -1, -1}, PADDING_SAME},
    {TFLITE_MAX_POOL_2D, 5, "strides", 4, {2, 1, -1}, 0},
    {TFLITE_MAX_POOL_2D, 5, "kernel_shape", 4, {4, 3, -1}, 0},
    {TFLITE_L2_POOL_2D, 5, "auto_pad", 1, {0, -1, -1}, PADDING_SAME},
    {TFLITE_L2_POOL_2D, 5, "strides", 4, {2, 1, -1}, 0},
    {TFLITE_L2_POOL_2D, 5, "kernel_shape", 4, {4, 3, -1}, 0},
    {TFLITE_BATCH_MATMUL, 101, "transA", 1, {0, -1, -1}, 0},
    {TFLITE_BATCH_MATMUL, 101, "transB", 1, {1, -1, -1}, 0},
    {TFLITE_CONCATENATION, 10, "axis", 4, {0, -1, -1}, 0},
    {TFLITE_PACK, 59, "axis", 4, {1, -1, -1}, 0},
    {TFLITE_GATHER, 23, "axis", 4, {0, -1, -1}, 0},
    {TFLITE_DEPTH_TO_SPACE, 94, "blocksize", 4, {0, -1, -1}, 0},
    {TFLITE_SPACE_TO_DEPTH, 26, "blocksize", 4, {0, -1, -1}, 0},
};

roof_status tflite_numbers(const tflite_operator *from, const char *name, double *out, uint32_t max,
                           uint32_t *n, roof_error *err)
{
    enum { N = sizeof options / sizeof *options };
    size_t i = 0;
    *n = 0;
    while (i < N && (options[i].builtin != from->code->builtin || strcmp(options[i].name, name) != 0))
        i++;
    if (i < N && from->options_type != options[i].options_type)
        *n = ROOF_NONE;
    if (i == N || *n)
        return ROOF_OK;
    for (const int *field = options[i].fields; *n < 3 && *field >= 0 && *n < max; field++) {
        int64_t value;
        TRY(fb_signed(&from->options, (uint32_t)*field, options[i].bytes, options[i].absent, &value, err));
        out[(*n)++] = (double)value;
    }
    if (strcmp(name, "auto_pad") == 0)
        *out = *out == PADDING_SAME ? EXTENTS_SAME : EXTENTS_VALID;
    return ROOF_OK;
}
