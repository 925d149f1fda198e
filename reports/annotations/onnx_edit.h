/* reports/annotations/onnx_edit.h - the bytes of an ONNX file with edits that keep the network's function.
 *
 *   leave out   a node goes, and what reads its output reads its first input
 *   undo        a node goes that undoes the one before it, and what reads its output reads the first input of
 *               that one, which goes as well where nothing else reads it
 *   pads        a Pad of zeroes goes, and the convolutions that read it have its rows and columns as pads
 *   plain       a convolution of several groups becomes one of one group: weights [O, I/g, ...] become [O, I,
 *               ...], zero but within their group
 * All else is carried through byte for byte, weights from where they lie in the input. An edit that the file
 * does not allow is left out, with the reason: a node that makes an output of the network, weights that
 * others read, that are an input, lie in another file or are computed; pads beside auto_pad; graphs within
 * the graph.
 *
 * Units: bytes; pads rows and columns of elements. Nodes are those of the main graph, by place.
 * Ownership: all is borrowed for the call.
 * Source: the schema of the repository onnx/onnx, and its operators Conv (pads: begins, then ends; weights
 *   M x C/group x kH x kW) and Pad.
 */
#pragma once

#include "roofline/sink.h"

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

/* n: changes of nodes that differ. n_made: out, how many were made; without any the bytes are the input's.
 * Errors: E_DATA (no ONNX model, cut off, no such node; with the byte), E_LIMIT (more than the 2 GiB that
 *   readers of protobuf take), E_NO_MEMORY, those of the sink. All but those of the sink come before anything
 *   is written. */
roof_status onnx_edit(const unsigned char *bytes, uint64_t size, onnx_change *changes, uint32_t n,
                      roof_sink sink, uint32_t *n_made, roof_error *err);
