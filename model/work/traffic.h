/* model/work/traffic.h - external memory traffic of a layer from its tensors, where no instruction stream
 * states it.
 *
 * Units: bytes.
 *   weights  all constant inputs
 *   input    tensors that come from outside the layer
 *   output   tensors that somebody outside the layer reads, or nobody at all (a network output)
 * A compiled file says which tensors have an address in external memory; those without stay on chip and count
 * 0. An address does not prove that the tensor is moved: maps that fit stay in the banks, which only the
 * stream states. An uncompiled file has no addresses: every tensor counts, as if nothing were fused or kept
 * on chip; of a quantised one that computes in floats with the 8 bits that a DPU moves. A layer of ops that
 * only give memory another name or shape moves nothing, and neither does an activation of its own: it sits
 * behind the adders of the engine before it.
 */
#pragma once

#include "core/core.h"
#include "roofline/prediction.h"

typedef struct op_consumers op_consumers;

/* Consumers of each op outside its layer. NULL without memory. */
const op_consumers *traffic_consumers(const roof_graph *graph, roof_arena *arena);
/* True if an op outside its layer reads it, or none at all. */
bool traffic_leaves_layer(const op_consumers *consumers, uint32_t op);

/* Errors: E_LIMIT when a sum overflows 64 bits. */
roof_status traffic_of_layer(const roof_graph *graph, const op_consumers *consumers, const roof_layer *layer,
                             roof_traffic *out, roof_error *err);

/* Bytes of the constants that a layer reads; ROOF_UNKNOWN when the sum overflows. */
uint64_t traffic_of_weights(const roof_graph *graph, const roof_layer *layer);

/* Traffic of a row where nothing stays between its operators: each tensor once, however many
 * of them read it. In the unit of the measure: bytes, or elements. */
typedef struct row_tensors {
    double weights, input, output;
    double given; /* of the input, what there is before the pass */
} row_tensors;
typedef double (*tensor_measure)(const void *config, const roof_graph *graph, const roof_tensor *tensor);
row_tensors traffic_row_tensors(const roof_graph *graph, const roof_work *work, tensor_measure measure,
                                const void *config);

/* ---- sums.c: the sums of a lowered graph by which times on boards are known.
 *
 * Units: multiply-accumulates and elements of one image.
 *   A dense convolution adds its M to its class (k or 1x1), and M / cin, M / c, M / (cin c), where
 *   cin = M / (output elements * taps) and c = cout / groups are the output channels of a group, with
 *   groups = input channels / cin, rounded.
 * Source: docs/hardware/boards.md.
 * Example (tests/unit/test_sums.c): 4x4x8 by 3x3 from 3 channels: 3456, 1152, 432, 144.
 */

/* All are NaN where an operator has no rule or no shape, where the host runs a part, and of NULL. */
roof_sums work_sums(const roof_program *program);

/* Adds what a row is, so many times. False: not all of it is known. */
bool work_add_row_sums(roof_sums *sums, const roof_graph *graph, const roof_row *row, uint32_t times);
