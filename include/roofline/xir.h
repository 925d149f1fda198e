/* roofline/xir.h - facts that only an .xmodel states of its network: places of tensors, registers, code,
 * target of the code.
 *
 * Units: bytes.
 * Ownership: all is the graph's, and lives as long as it.
 *
 * Graphs of other formats get empty answers: unknown, none, "".
 */
#ifndef ROOFLINE_XIR_H
#define ROOFLINE_XIR_H

#include "roofline/graph.h"

ROOF_BEGIN_C

typedef struct roof_xir_op {
    uint32_t channel_augmentation; /* 0: not used */
    uint32_t tile_stride;          /* tile-fix (pixel shuffle): r, 0 otherwise */
    /* The output tensor: */
    int32_t reg_id;   /* DPU address register, -1 if none */
    int64_t ddr_addr; /* offset behind that register, -1 if none */
    /* From its first to behind its last byte in memory (strides); >= bytes or equal to it. */
    uint64_t span_bytes;
    bool in_ddr;   /* false: lives in on-chip banks only */
    bool in_place; /* a slice of a wider tensor: its strides say that it is not packed */
} roof_xir_op;

/* Memory that a DPU address register points at. */
typedef struct roof_register {
    int32_t id;
    bool constant; /* weights and biases */
    /* "CONST", "WORKSPACE", "INTERFACE" or "CODE"; before Vitis AI 1.3 "DATA" for all that is no constant;
     * "": not stated, or another word */
    const char *context;
    uint64_t size_bytes;      /* ROOF_UNKNOWN if not stated */
    uint64_t parameter_bytes; /* length of the parameters that the file holds for it; not read */
} roof_register;

typedef struct roof_code {
    const unsigned char *bytes; /* into the mapped file; NULL when absent or empty */
    uint64_t length_bytes;
    uint64_t file_offset;
} roof_code;

typedef struct roof_xir_subgraph {
    uint64_t fingerprint;  /* of the configuration that it was compiled for; ROOF_UNKNOWN: none */
    const char *code_mode; /* "function": layers have code of their own; "null": they do not; or "" */
    bool skip_code_gen;    /* emits no code: a reshape or concat that only names memory */
    const roof_register *registers; /* in order of id */
    uint32_t n_registers;
    roof_code code;
    uint32_t columns; /* of an AI Engine array, that a Ryzen AI NPU gives it; ROOF_NONE: not stated */
    /* its code, decoded, where it is that of such an array; NULL */
    const struct roof_control_code *control_code;
} roof_xir_subgraph;

/* op, subgraph, layer: those of graph. The node of a layer is a subgraph, whose code is the layer's alone. */
ROOF_API const roof_xir_op *roof_xir_op_of(const roof_graph *graph, const roof_op *op);
ROOF_API const roof_xir_subgraph *roof_xir_subgraph_of(const roof_graph *graph,
                                                       const roof_subgraph *subgraph);
ROOF_API const roof_xir_subgraph *roof_xir_layer_of(const roof_graph *graph, const roof_layer *layer);

ROOF_END_C
#endif
