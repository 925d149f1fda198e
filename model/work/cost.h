/* model/work/cost.h - how much work an op is: exact integers from tensor shapes.
 *
 * Units: macs are multiply-accumulates of convolutions and matrix products only; ops are operations, 1 MAC =
 *   2 ops.
 * Shapes: see roofline/graph.h.
 *
 * Formulas (N batch, H W spatial, C channels; i input, o output, K kernel):
 *   conv2d                macs = N OH OW OC KH KW IC, with IC of the weights, so that groups count right
 *   depthwise             macs = N OH OW C KH KW
 *   transposed-conv       macs = N IH IW OC KH KW IC (each input element meets the whole kernel), with OC of
 *                         the weights
 *   transposed-depthwise  macs = N IH IW C KH KW
 *   matmul                macs = out elements * inner dimension
 *   attention             macs = 2 pairs width of a query; of S queries and T keys, causal, pairs are
 *                         S T - S (S - 1) / 2; with a window W no query has more than W. Its softmax is not
 *                         counted
 *   ops_count             2 macs, and out elements when there is a bias; pool KH KW out, or all of the input
 *                         where it makes one pixel; eltwise (inputs - 1) out; activation, scale and binary
 *                         out; softmax 3 out; reduce in elements; moves, conversions and resampling 0
 *
 * `workload` is AMD's count, stored in the file; its convention changed over time and is detected from the
 * file:
 *   convolutions  2 macs + b out, b = 0 up to compiler 1.4.1 and 1 later
 *   pool          MAX KH KW out; AVG a KH KW out, a = 1 up to 2.5 and 2 later
 *   eltwise       inputs * out; softmax 3 out - 1; relu6 2 out
 *   An op without the attribute counts 0.
 * Example (tests/unit/test_cost.c): conv2d 1x112x112x32, kernel 3x3, 3 channels: 10,838,016 macs, workload
 *   22,077,440.
 */
#pragma once

#include <stdbool.h>
#include "roofline/graph.h"

typedef struct workload_convention {
    bool any_stored; /* false: no op stores a workload, so none is recomputed */
    bool bias_detected, average_detected;
    uint32_t bias_ops;       /* per output element of a convolution: 0 or 1 */
    uint32_t average_factor; /* of average pooling: 1 or 2 */
} workload_convention;

/* Reads the convention off the first convolution and the first average pooling that store a workload; what is
 * not detected follows the compiler's version. */
workload_convention workload_detect(const roof_graph *graph);

typedef struct op_work {
    uint64_t macs;         /* ROOF_UNKNOWN when there is no rule for the op */
    uint64_t ops_count;    /* likewise, and when the file does not state the window of a pooling */
    uint64_t workload_ops; /* in the file's convention; 0 when the op stores none, ROOF_UNKNOWN when there is
                              no rule */
} op_work;

/* Errors: E_LIMIT when a product overflows 64 bits, E_DATA when shapes contradict; both name the op. */
roof_status op_work_of(const roof_graph *graph, const roof_op *op, const workload_convention *convention,
                       op_work *out, roof_error *err);

/* The inputs of an op, op->n_inputs of them; without one an address that nobody reads, by a number, since
 * NULL + 0 is undefined. */
static inline roof_edge *op_edges(const roof_graph *graph, const roof_op *op)
{
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    return (roof_edge *)((uintptr_t)graph->edges + op->first_input * sizeof(roof_edge));
}

/* The i-th op of a layer. */
static inline const roof_op *layer_op(const roof_graph *graph, const roof_layer *layer, uint32_t i)
{
    return &graph->ops[graph->layer_ops[layer->first_op + i]];
}

/* True if it is a constant, or one that is only brought into another type. */
bool op_is_constant(const roof_graph *graph, uint32_t op);

/* The first input of a role, or NULL. */
const roof_op *op_input(const roof_graph *graph, const roof_op *op, roof_role role);

/* Number of inputs of a role. */
uint32_t op_count_inputs(const roof_graph *graph, const roof_op *op, roof_role role);

/* Height, width, channels of an NHWC tensor; ranks below four are read as [N, C], [N, W, C]. */
typedef struct nhwc {
    uint64_t n, h, w, c;
} nhwc;
nhwc tensor_nhwc(const roof_tensor *tensor);

/* Bits of an element as an accelerator has it: 8 of a float where the graph is quantised and still computes
 * in floats. */
uint32_t tensor_bits(const roof_graph *graph, const roof_tensor *tensor);
