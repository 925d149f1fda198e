/* roofline/control_code.h - traffic between external memory and an AI Engine array, from its compiled code.
 *
 * Units: bytes of external memory, counted as a port moves them: what is read twice counts twice.
 * Shapes: a file has one stream of control code, an .xmodel for a Ryzen AI NPU one for each layer and more.
 * Ownership: all is the graph's, and lives as long as it.
 *
 * The controller of the array executes the stream. It writes buffer descriptors, which say how much a
 * transfer moves, into the DMA engines at the array's edge (shim), and pushes them into the queues of their
 * channels.
 *   bytes of a push = 4 * (sum over the chain of descriptors of their length in words) * (repeat count + 1)
 * MM2S ("memory map to stream") reads external memory, S2MM writes it. A channel moves 4 bytes a cycle.
 * A descriptor that is pushed but never written in the stream came with a control packet or with the array's
 * configuration: its bytes are unknown, and the sums are those of the other pushes.
 * Source: Xilinx/mlir-aie, lib/Targets/AIETargetNPU.cpp; Xilinx/aie-rt, driver/src/io_backend; Xilinx/aiebu,
 *   specification/aie2/isa-spec.yaml; AMD AM025, registers of the NoC modules.
 */
#ifndef ROOFLINE_CONTROL_CODE_H
#define ROOFLINE_CONTROL_CODE_H

#include "roofline/graph.h"

ROOF_BEGIN_C

/* Bytes of one argument of the host ("0"), or of one class of buffers ("ifm"); "?": the code names none. */
typedef struct roof_code_argument {
    const char *name;
    uint64_t read_bytes, write_bytes;
} roof_code_argument;

typedef struct roof_code_channel {
    uint32_t column, channel;
    bool is_read; /* MM2S; false: S2MM */
    uint64_t bytes;
} roof_code_channel;

typedef struct roof_control_code {
    const char *layer;   /* of an .xmodel: the subgraph that it is of; NULL */
    const char *format;  /* "txn", "aie2_ctrlcode" */
    const char *version; /* "0.1", "1.0"; NULL: it states none */
    uint32_t generation; /* 3: AIE2, of npu1; 4: AIE2P, of npu2; ROOF_NONE: not stated */
    uint32_t columns;    /* of the array that the code is for; ROOF_NONE: not stated */
    uint64_t length_bytes;
    uint64_t ops, pushes, unresolved_pushes;
    uint64_t syncs;               /* it waits for a transfer's end */
    uint64_t configuration_bytes; /* written into the array, but for descriptors and pushes */
    uint64_t read_bytes, write_bytes;
    /* False: more is moved than these bytes. Pushes are unresolved; or nothing is written by a transaction
     * that reads: what it reads are control packets, and they hold the descriptors of the data. */
    bool is_complete;
    const roof_code_argument *arguments; /* in the order in which they are first moved */
    uint32_t n_arguments;
    const roof_code_channel *channels; /* those that move something, by column, MM2S first */
    uint32_t n_channels;
} roof_control_code;

/* The streams of a graph, in the order of the file; NULL and *n = 0: it has none.
 * Example (tests/unit/test_aie_code.c): two descriptors of 16 words, the second pushed with a repeat count of
 * 3, read 64 B and write 256 B. */
ROOF_API const roof_control_code *roof_control_code_of(const roof_graph *graph, uint32_t *n);

ROOF_END_C
#endif
