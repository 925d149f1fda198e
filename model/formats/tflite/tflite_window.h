/* model/formats/tflite/tflite_window.h - windows of operators, from their options and shapes.
 *
 * Padding: SAME makes ceil(in / stride) of in, with as many pads as that takes, the odd one behind:
 *   pads = max((out - 1) stride + (kernel - 1) dilation + 1 - in, 0)
 * of a transposed convolution in and out change places, since its pads are what is cut off its output. VALID
 * has none.
 * Source: tensorflow/tensorflow, ComputePaddingHeightWidth of TFLite's kernels.
 */
#ifndef ROOF_MODEL_TFLITE_WINDOW_H
#define ROOF_MODEL_TFLITE_WINDOW_H

#include "model/formats/tflite/tflite_model.h"

/* Sets the window of an operator that has one, and whose operands fit one another (model/work/extents.h);
 * the tensors of all operators are known. One that lacks operands, or has more pads than a window can have,
 * has no rule afterwards. Errors: E_DATA. */
roof_status tflite_set_window(roof_graph *graph, roof_op *op, const tflite_operator *from, roof_error *err);

#endif
