/* roofline/command_stream.h - command streams that Vela compiled a network to, for an Arm Ethos-U.
 *
 * Units: bytes; macs multiply-accumulates; counts of one inference. Unknown counts are ROOF_UNKNOWN.
 * Shapes: a stream for each NPU operator of a TFLite file, for each driver payload of an ExecuTorch program,
 *   in the order of the file.
 * Ownership: all is the graph's, and lives as long as it.
 *
 * A stream is words of 32 bits: they set registers, and launch the array or the DMA engine with registers as
 * they are. A launch is one such start; Vela makes a layer of one or many of them. Regions are memories as
 * the stream names them: read-only (weights and other constants), scratch (the arena), and scratch_fast,
 * which is used where the arena has a cache ("Dedicated_Sram").
 *   macs of a convolution = ofm h * w * d * kernel h * w * ifm d; half of it where weights are sparse (2:4)
 *   macs of a depthwise convolution, and of a pooling = ofm h * w * d * kernel h * w
 *   macs of a sum over the depth (REDUCE_SUM) = that times ifm d
 * These are nn_macs of Vela's summary; element-wise operations have none.
 * Source: docs/hardware/ethos_u.md.
 */
#ifndef ROOFLINE_COMMAND_STREAM_H
#define ROOFLINE_COMMAND_STREAM_H

#include "roofline/graph.h"

ROOF_BEGIN_C

typedef struct roof_command_stream {
    const char *name;   /* "npu0", as rows of a program call it in "npu0.12" */
    uint32_t op;        /* the NPU operator, into graph->ops */
    const char *target; /* "Ethos-U55-256" */
    uint32_t macs_per_cycle, cores;
    uint64_t shram_bytes;               /* of the accelerator; ROOF_UNKNOWN: not stated, as for U85 */
    const char *arch;                   /* the version of its architecture, "1.0.6" */
    const char *core;                   /* of Vela, that wrote it: "python", "regor"; NULL: not stated */
    const char *vela_version;           /* "3.11.0"; NULL: not stated */
    uint64_t file_offset, length_bytes; /* of its words */
    uint64_t words, commands;           /* a command has one or two words */
    uint64_t rows;                      /* of its program: layers as Vela had them */
    uint64_t convolutions, depthwise, poolings, elementwise, resizes, dmas; /* launches */
    uint64_t kernel_waits, dma_waits;
    uint64_t macs; /* the sum of these three: */
    uint64_t convolution_macs, depthwise_macs, pooling_macs;
    uint64_t skipped_macs;         /* those that sparse weights save, beside macs */
    uint64_t dma_bytes, lut_bytes; /* lut: those into the look-up table, among the first */
    /* Bytes of the launches' weights and scales, as they lie in memory; those that a DMA brings are in
     * dma_bytes too. */
    uint64_t weight_bytes, scale_bytes;
    uint64_t read_only_bytes, scratch_bytes, scratch_fast_bytes; /* sizes of the regions; ROOF_UNKNOWN */
} roof_command_stream;

/* The streams of a graph; NULL and *n = 0: it has none.
 * Example (tests/unit/test_npu_program.c): a convolution of 8x8x4 with 16 kernels of 3x3, stride 1, in two
 * slices of the depth, is two launches of 18,432 MACs each, and one layer. */
ROOF_API const roof_command_stream *roof_command_streams_of(const roof_graph *graph, uint32_t *n);

ROOF_END_C
#endif
