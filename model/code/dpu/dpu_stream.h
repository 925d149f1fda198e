/* model/code/dpu/dpu_stream.h - what a DPU instruction stream costs, and which layer causes which part of it.
 *
 * Units: bytes of external memory; cycles of the engine (issue slots, a lower bound of its time).
 * Shapes: one stream_cost per layer of the subgraph, in the order of execution, and one for what no
 *   layer owns.
 * Invariant: the sum over layers and remainder is the sum over instructions, whatever the stream.
 */
#pragma once

#include "core/core.h"
#include "model/code/dpu/dpu_schedule.h"
#include "roofline/work.h"
#include "roofline/xir.h"

typedef struct stream_cost {
    roof_traffic traffic;
    /* 0 where the instruction set's fields are not public */
    uint64_t conv_cycles, alu_cycles, eltwise_cycles;
} stream_cost;

/* Where the banks of a configuration lie: weights are followed from their LOAD to the CONV that uses them. */
typedef struct bank_layout {
    uint32_t input_channel_parallel, output_channel_parallel;
    /* Lowest convolution weight bank; the depthwise one follows the last of them. */
    uint32_t weight_bank_base;
    uint32_t pool_rows; /* made by one POOL of ISA0 */
} bank_layout;

/* The code of a subgraph, attributed. */
typedef struct stream_costs {
    stream_cost *layers;   /* graph->subgraphs[subgraph].n_layers of them */
    stream_cost remainder; /* instructions that no layer owns */
    roof_stream stream;    /* the row of a task is the index of its layer */
} stream_costs;

/* Attributes the code of a device subgraph to its layers.
 *
 * out: lives in arena.
 * Errors: E_DATA when the stream is damaged.
 * Rules, each from how real streams are built:
 *
 *   constant LOAD        the layer of the constant tensor that holds the address
 *   CONV, depthwise ALU  the layer whose weight LOAD last wrote the address in a weight bank that it reads
 *   other ALU, ELEW      the layers with that kind of op in order, by the output positions of each
 *   SAVE                 the producer of a tensor that overlaps the address, nearest to the layer of the last
 *                        engine instruction
 *   data LOAD            the consumer of such a tensor, nearest to the layer of the last constant LOAD
 *   INIT                 with the engine instruction behind it
 *   END                  with the instruction before it
 */
roof_status dpu_attribute(const roof_graph *graph, uint32_t subgraph, const dpu_isa *isa,
                          const bank_layout *banks, roof_arena *arena, stream_costs *out, roof_error *err);

/* The whole cost of a stream, such as a layer's own code, and its tasks. subgraph: of the registers. */
roof_status dpu_total(const roof_xir_subgraph *subgraph, const dpu_isa *isa, const roof_code *code,
                      roof_arena *arena, stream_cost *out, roof_stream *stream, roof_error *err);
