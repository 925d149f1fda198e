/* reports/annotations/onnx_copy.h - copies of an ONNX file: with other roofline.* entries in its metadata,
 * with edits that keep the network's function, without weights.
 *
 * All else is carried through byte for byte: other fields, known or not, in their order, nested graphs and
 * functions, ir_version. Lengths of what changes and of the graph around it are written anew. Unchanged bytes
 * are handed on from where they lie in the input, so weights are neither copied nor looked at.
 *
 * Units: bytes; pads rows and columns of elements. Nodes are those of the main graph, by place.
 * Ownership: all is borrowed for the call.
 * Errors: E_DATA (no ONNX model, cut off, no such node; with the byte), E_LIMIT (more than the 2 GiB that
 *   readers of protobuf take), E_NO_MEMORY, those of the sink. All but those of the sink come before anything
 *   is written.
 * Source: the schema of the repository onnx/onnx, whose numbers of fields stand below, and its operators Conv
 *   (pads: begins, then ends; weights M x C/group x kH x kW) and Pad.
 */
#pragma once

#include "core/files/mapfile.h"
#include "reports/annotations/node_values.h"
#include "roofline/sink.h"

enum { MODEL_GRAPH = 7, MODEL_METADATA = 14 };
enum { GRAPH_NODE = 1, GRAPH_INITIALIZER = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_TYPE = 4, NODE_ATTRIBUTE = 5, NODE_METADATA = 9 };
enum { TENSOR_DIMS = 1, TENSOR_TYPE = 2, TENSOR_FLOATS = 4, TENSOR_NAME = 8, TENSOR_RAW = 9 };
enum { TENSOR_LOCATION = 14, LOCATION_EXTERNAL = 1 };

/* ---- with entries (onnx_rewrite.c) ---- */

typedef struct onnx_rewritten {
    uint32_t n_nodes;       /* of the main graph */
    bool has_external_data; /* weights lie in files beside it, by names relative to its folder */
} onnx_rewritten;

/* values: entries of the nodes and of the model, in place of those with names of ours that are there; NULL:
 * these go, and none comes. Texts of them are UTF-8. Errors: E_DATA also for a node of another name. */
roof_status onnx_rewrite(const unsigned char *bytes, uint64_t size, const graph_values *values,
                         roof_sink sink, onnx_rewritten *out, roof_error *err);

/* ---- without weights (onnx_bare.c): roofline/annotate.h says what stays ---- */

roof_status onnx_strip(const unsigned char *bytes, uint64_t size, roof_sink sink, roof_error *err);

/* ---- with edits (onnx_edit.c) ----
 *
 *   leave out   a node goes, and what reads its output reads its first input
 *   undo        a node goes that undoes the one before it, and what reads its output reads the first input of
 *               that one, which goes as well where nothing else reads it
 *   pads        a Pad of zeroes goes, and the convolutions that read it have its rows and columns as pads
 *   plain       a convolution of several groups becomes one of one group: weights [O, I/g, ...] become [O, I,
 *               ...], zero but within their group
 * An edit that the file does not allow is left out, with the reason: a node that makes an output of the
 * network, weights that others read, that are an input, lie in another file or are computed; pads beside
 * auto_pad; graphs within the graph.
 */

typedef enum onnx_change_kind { ONNX_LEAVE_OUT, ONNX_PADS, ONNX_PLAIN, ONNX_UNDO } onnx_change_kind;

typedef struct onnx_change {
    onnx_change_kind kind;
    uint32_t node;
    union {
        uint32_t pads[4]; /* top, left, bottom, right, of ONNX_PADS */
        uint32_t before;  /* the node that it undoes, of ONNX_UNDO */
    };
    const char *why_not; /* out: it was not made, and why; static. NULL: it was */
} onnx_change;

/* n: changes of nodes that differ. n_made: out, how many were made; without any the bytes are the input's. */
roof_status onnx_edit(const unsigned char *bytes, uint64_t size, onnx_change *changes, uint32_t n,
                      roof_sink sink, uint32_t *n_made, roof_error *err);

/* ---- from file to file (annotate.c) ---- */

/* path: whole or not at all, and not the input itself (E_USAGE). make: hands the copy to the sink. */
roof_status onnx_copy_file(const char *input, const char *path,
                           roof_status (*make)(void *context, const mapfile *file, roof_sink sink,
                                               roof_error *err),
                           void *context, roof_error *err);
