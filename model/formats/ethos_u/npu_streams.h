/* model/formats/ethos_u/npu_streams.h - the command streams of a file that Vela compiled, whatever contains
 * them. */
#pragma once

#include "model/code/ethosu/ethosu.h"
#include "model/graph/format.h"
#include "model/graph/program_build.h"
#include "model/memory/memory_build.h"
#include "roofline/command_stream.h"

/* The type of an operator that is a command stream. */
#define NPU_OPERATOR "ethos-u"

/* Facts about a stream from its container. */
typedef struct npu_source {
    uint32_t op;
    const unsigned char *payload;
    uint64_t payload_bytes, file_offset;
    bool is_whole;                                               /* the payload ends with its stream */
    const char *core;                                            /* of Vela: "python", "regor"; NULL */
    const char *vela_version;                                    /* NULL */
    uint64_t read_only_bytes, scratch_bytes, scratch_fast_bytes; /* ROOF_UNKNOWN */
} npu_source;

/* Room for n streams. Errors: E_NO_MEMORY. */
roof_status npu_streams_expect(roof_graph *graph, uint32_t n, roof_error *err);

/* Decodes one, the next of those expected; *payload_bytes: its length. Errors: those of ethosu_open and
 * ethosu_decode. */
roof_status npu_streams_add(roof_graph *graph, const npu_source *source, uint64_t *payload_bytes,
                            roof_error *err);

/* Places the layers: subgraphs of the accelerator and, where some are not its, of the host. The graph's
 * layers are there. Errors: E_NO_MEMORY. */
roof_status npu_streams_place(roof_graph *graph, roof_error *err);

/* format_ functions of both containers: rows of b->out are those of operators, in the order of execution, and
 * become those of layers. */
roof_status npu_program(program_builder *b);
roof_status npu_hardware(const roof_graph *graph, roof_hw **out, roof_error *err);
void npu_hash(const roof_graph *graph, graph_hash_value hash, void *hasher);

/* Flows between rows of the streams by way of the scratch memories; none of a stream that touches more than
 * is followed. Errors: E_NO_MEMORY. */
roof_status npu_row_flows(const roof_graph *graph, roof_arena *arena, struct row_flows *out, roof_error *err);

/* A tensor between operators, to which Vela gave a place in the scratch memory. */
typedef struct npu_tensor {
    const char *name;
    uint64_t offset_bytes, bytes;
    uint32_t made_by; /* the operator; ROOF_NONE: it is there before the first one */
    uint32_t used_by; /* the last operator; ROOF_NONE: it is there after the last one */
} npu_tensor;

/* Memory that the container states beside the streams. Operators are those of the graph, in the order of
 * execution. */
typedef struct npu_plan {
    uint32_t n_operators;
    uint64_t read_only_bytes;  /* of all constants; ROOF_UNKNOWN */
    const npu_tensor *tensors; /* in the order of made_by */
    uint32_t n_tensors;
} npu_plan;

/* Rows are those of the program: layers, and the operators of the host. Errors: those of ethosu_lives_of and
 * of the builder. */
roof_status npu_memory(memory_builder *b, const npu_plan *plan);
