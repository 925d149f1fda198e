/* model/formats/tflite/tflite_npu.h - operators that Vela made of parts of a network, for an Arm Ethos-U.
 *
 * Inputs by place: command stream, read-only data, scratch, scratch_fast, then the network's. Vela's Python
 * core names the first one "..._command_stream" behind the name of a subgraph, its C++ core (Regor)
 * "ethos_u_command_stream".
 * Source: nxp-imx/ethos-u-vela, ethosu/vela/npu_serialisation; tensorflow/tflite-micro,
 *   tensorflow/lite/micro/kernels/ethos_u/ethosu.cc.
 */
#ifndef ROOF_MODEL_TFLITE_NPU_H
#define ROOF_MODEL_TFLITE_NPU_H

#include "model/formats/tflite/tflite_model.h"

bool tflite_is_npu(const tflite_operator *op);

/* Decodes the streams of a graph that has such operators, whose layers are there. Errors: E_DATA and
 * E_UNSUPPORTED with the operator and the byte, E_LIMIT, E_NO_MEMORY. */
roof_status tflite_read_npu(const tflite_model *model, roof_graph *graph, uint32_t n_operators,
                            roof_error *err);

#endif
