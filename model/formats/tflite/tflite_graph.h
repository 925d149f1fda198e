/* model/formats/tflite/tflite_graph.h - the graph of the main subgraph of a TFLite file, and what of its
 * tensors is alive at each operator.
 *
 * Operators stand in this order: those of the file, so that their numbers are the file's; further outputs of
 * operators; what no operator makes. TFLite operators have no names: each has that of its first output.
 * Padding: SAME makes ceil(in / stride) of in, with as many pads as that takes, the odd one behind:
 *   pads = max((out - 1) stride + (kernel - 1) dilation + 1 - in, 0)
 * of a transposed convolution in and out change places, since its pads are what is cut off its output. VALID
 * has none.
 * Source: tensorflow/tensorflow, ComputePaddingHeightWidth of TFLite's kernels.
 */
#ifndef ROOF_MODEL_TFLITE_GRAPH_H
#define ROOF_MODEL_TFLITE_GRAPH_H

#include "model/formats/tflite/tflite_model.h"
#include "model/memory/memory_build.h"

/* Errors: E_DATA with the operator or tensor, E_LIMIT, E_NO_MEMORY. */
roof_status tflite_build_graph(const tflite_model *model, roof_graph *graph, tflite_notes *notes,
                               roof_error *err);

/* Sets the window of an operator that has one, and whose operands fit one another (model/work/extents.h);
 * the tensors of all operators are known. One that lacks operands, or has more pads than a window can have,
 * has no rule afterwards. Errors: E_DATA. */
roof_status tflite_set_window(roof_graph *graph, roof_op *op, const tflite_operator *from, roof_error *err);

/* ---- tflite_memory.c ---- */

/* Rows are the operators of the main subgraph. Errors: E_DATA, E_LIMIT, E_NO_MEMORY. */
roof_status tflite_memory(const tflite_model *model, memory_builder *b);

/* The same of a file that Vela compiled: rows are layers and operators of the host. Errors: those and
 * npu_memory's. */
roof_status tflite_npu_memory(const tflite_model *model, memory_builder *b);

/* ---- tflite.c ---- */

/* A command stream for an Arm Ethos-U. */
bool tflite_is_npu(const tflite_operator *op);

#endif
