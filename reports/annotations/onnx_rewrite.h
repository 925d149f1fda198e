/* reports/annotations/onnx_rewrite.h - the bytes of an ONNX file with other roofline.* entries in its
 * metadata.
 *
 * All else is carried through byte for byte: other fields, known or not, in their order, nested graphs and
 * functions, ir_version. Lengths of the nodes and of the graph around them are written anew. Unchanged bytes
 * are handed on from where they lie in the input, so weights are neither copied nor looked at.
 *
 * Units: bytes. Nodes are those of the main graph, by place.
 * Ownership: all is borrowed for the call.
 * Source: the schema of the repository onnx/onnx: ModelProto 7 graph, 14 metadata_props; GraphProto 1 node,
 *   5 initializer; NodeProto 3 name, 9 metadata_props; StringStringEntryProto 1 key, 2 value; TensorProto 14
 *   data_location, of which 1 is EXTERNAL.
 */
#pragma once

#include "reports/annotations/node_values.h"
#include "roofline/sink.h"

typedef struct onnx_rewritten {
    uint32_t n_nodes;       /* of the main graph */
    bool has_external_data; /* weights lie in files beside it, by names relative to its folder */
} onnx_rewritten;

/* values: entries of the nodes and of the model, in place of those with names of ours that are there; NULL:
 * these go, and none comes. Texts of them are UTF-8.
 * Errors: E_DATA (no ONNX model, cut off, no such node, a node of another name; with the byte), E_LIMIT (more
 *   than the 2 GiB that readers of protobuf take), those of the sink. All but those of the sink come before
 *   anything is written. */
roof_status onnx_rewrite(const unsigned char *bytes, uint64_t size, const graph_values *values,
                         roof_sink sink, onnx_rewritten *out, roof_error *err);

/* The same bytes without weights, training, documentation and metadata: roofline/annotate.h says what stays.
 * Errors: E_DATA (cut off, with the byte), E_LIMIT, those of the sink. */
roof_status onnx_strip(const unsigned char *bytes, uint64_t size, roof_sink sink, roof_error *err);

/* Fails if path is the same file as input. The set of outputs refuses this as well, where inputs are watched.
 * Errors: E_USAGE. */
roof_status onnx_check_output(const char *input, const char *path, roof_error *err);
