/* model/formats/tflite/tflite_memory.h - what of a graph's tensors is alive at each operator. */
#ifndef ROOF_MODEL_TFLITE_MEMORY_H
#define ROOF_MODEL_TFLITE_MEMORY_H

#include "model/formats/tflite/tflite_model.h"
#include "model/memory/memory_build.h"

/* Rows are the operators of the main subgraph. Errors: E_DATA, E_LIMIT, E_NO_MEMORY. */
roof_status tflite_memory(const tflite_model *model, memory_builder *b);

/* The same of a file that Vela compiled: rows are layers and operators of the host. Errors: those and
 * npu_memory's. */
roof_status tflite_npu_memory(const tflite_model *model, memory_builder *b);

#endif
