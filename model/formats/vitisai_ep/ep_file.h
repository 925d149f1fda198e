/* model/formats/vitisai_ep/ep_file.h - what a report of the Vitis AI execution provider holds, before it
 * becomes a graph.
 *
 * Ownership: all lives in the arena that was given.
 *
 * Source: vitisai_ep_report.json and context.json of Ryzen AI 1.0 and later; names are those of ONNX tensors.
 */
#ifndef ROOF_MODEL_EP_FILE_H
#define ROOF_MODEL_EP_FILE_H

#include "core/arena.h"
#include "roofline/graph.h"

typedef struct ep_node {
    const char **outputs, **inputs;
    uint32_t n_outputs, n_inputs;
    const char *type, *device; /* "Conv", "NPU" */
    /* Element types and shapes: "@4 [NAME:(ty=2,shape=[1,3,640,640])] QuantizeLinear
     * [NAME:(ty=1,shape=[]),N/A]". */
    const char *comment;
} ep_node;

typedef struct ep_file {
    ep_node *nodes;
    const char **constants; /* named by a context.json; a report has none */
    uint32_t n_nodes, n_constants;
    roof_arena *arena;
} ep_file;

/* Operators with their tensors, one subgraph for each device, and a layer for each operator that computes.
 * Errors: E_DATA, with the node; E_LIMIT, E_NO_MEMORY. */
roof_status ep_build_graph(const ep_file *file, roof_graph *graph, roof_error *err);

#endif
