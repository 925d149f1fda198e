/* model/formats/tflite/tflite_model.h - what a TFLite file says of its main subgraph, table by table, the
 * graph that it becomes, and what of its tensors is alive at each operator.
 *
 * Shapes and layouts: tensors are N H W C, as in the file; weights are OC KH KW IC, of a depthwise
 *   convolution 1 KH KW C, of FULLY_CONNECTED OC IC.
 * Ownership: texts and lists are of the arenas that are given; all else points into the file.
 * Source: tensorflow/tensorflow, tensorflow/compiler/mlir/lite/schema/schema.fbs: fields of tables are
 *   counted from 0 in its order, and a union has two. Element types behind BFLOAT16 are those of LiteRT's
 *   copy of it.
 */
#pragma once

#include "core/flatbuffer.h"
#include "model/memory/memory_build.h"
#include "roofline/graph.h"

/* An operator of some kind, which many operators refer to. */
typedef struct tflite_code {
    const char *type; /* "CONV_2D"; of a custom operator its own name; "BUILTIN_300" where it has none here */
    bool is_custom;
    roof_rule rule;
} tflite_code;

typedef struct tflite_model {
    fb_vector tensors, operators, inputs, outputs, buffers, metadata, subgraphs;
    const tflite_code *codes;
    uint32_t n_codes, n_subgraphs;
    const char *name, *description; /* of the main subgraph, and of the file */
} tflite_model;

typedef struct tflite_operator {
    const tflite_code *code;
    fb_vector inputs, outputs; /* of tensors; -1: left out */
    fb_table options;
    uint32_t options_type; /* of the union; 0: it has none */
} tflite_operator;

/* A tensor, beside its shape. */
typedef struct tflite_tensor {
    bool has_data;                /* weights, and other constants */
    bool is_whole;                /* of signed integers of 32 or 64 bits, as shapes and axes are */
    uint64_t data_at, data_bytes; /* in the file; 0: it has none */
    bool is_variable;             /* it keeps its value from one inference to the next */
    bool is_open; /* its first dimension is, and taken as the shape says, which is 1 for a batch */
} tflite_tensor;

/* Facts about a graph that findings state. */
typedef struct tflite_notes {
    uint32_t n_open;         /* tensors whose first dimension is open */
    uint32_t n_calls;        /* operators that run other subgraphs, which are not counted */
    uint32_t n_inlined;      /* likewise, and whose operators stand in the graph */
    uint32_t n_others;       /* subgraphs beside the main one */
    const char *open, *call; /* the first of each; NULL */
    uint32_t n_npu;          /* operators that are command streams of an Ethos-U */
} tflite_notes;

/* True for an operator of TFLite's own that is of one of these types, which spaces separate. */
bool tflite_is(const tflite_code *code, const char *types);

/* Errors: E_DATA, E_UNSUPPORTED (a version that is not 3), E_NO_MEMORY. */
roof_status tflite_open(const unsigned char *bytes, uint64_t size, roof_arena *arena, tflite_model *out,
                        roof_error *err);

/* The same file, with tensors and operators of another subgraph. Errors: E_DATA where there is none of this
 * number. */
roof_status tflite_subgraph(const tflite_model *model, uint64_t i, tflite_model *out, roof_error *err);

/* The i-th operator, i < operators.n. Errors: E_DATA. */
roof_status tflite_operator_of(const tflite_model *model, uint32_t i, tflite_operator *out, roof_error *err);

/* The i-th tensor, i < tensors.n; a shape that the file leaves open has no elements. arena: of its name, NULL
 * where it is not requested. Errors: E_DATA, E_LIMIT, E_NO_MEMORY. */
roof_status tflite_tensor_of(const tflite_model *model, uint32_t i, roof_arena *arena, roof_tensor *out,
                             tflite_tensor *more, roof_error *err);

/* Numbers of an operator's options under ONNX's name for them, lists in the order of dimensions, "auto_pad"
 * as extents_padding; *n: how many, at most max; 0: it has no such; ROOF_NONE: it has no options. Errors:
 * E_DATA. */
roof_status tflite_numbers(const tflite_operator *from, const char *name, double *out, uint32_t max,
                           uint32_t *n, roof_error *err);

/* The bytes of a buffer that the file names as metadata; text NULL: it has none of that name. Errors:
 * E_DATA. */
roof_status tflite_metadata(const tflite_model *model, const char *name, text_span *out, roof_error *err);

/* The text of a buffer that the file names as metadata, up to its first NUL; NULL: it has none of that name.
 * Errors: E_DATA, E_NO_MEMORY. */
roof_status tflite_metadata_text(const tflite_model *model, const char *name, roof_arena *arena,
                                 const char **out, roof_error *err);

/* Bytes of so many elements, and of what is less than a byte. Errors: E_LIMIT, naming the tensor. */
roof_status tflite_set_bytes(roof_tensor *tensor, roof_error *err);

/* False where dimensions are unknown. */
bool tflite_has_shape(const roof_tensor *tensor);

/* ---- tflite_graph.c: the graph of the main subgraph
 *
 * Operators stand in this order: those of the file, so that their numbers are the file's; further outputs of
 * operators; what no operator makes. TFLite operators have no names: each has that of its first output.
 * Padding: SAME makes ceil(in / stride) of in, with as many pads as that takes, the odd one behind:
 *   pads = max((out - 1) stride + (kernel - 1) dilation + 1 - in, 0)
 * of a transposed convolution in and out change places, since its pads are what is cut off its output. VALID
 * has none.
 * Source: tensorflow/tensorflow, ComputePaddingHeightWidth of TFLite's kernels. */

/* Errors: E_DATA with the operator or tensor, E_LIMIT, E_NO_MEMORY. */
roof_status tflite_build_graph(const tflite_model *model, roof_graph *graph, tflite_notes *notes,
                               roof_error *err);

/* Sets the window of an operator that has one, and whose operands fit one another (model/work/extents.h);
 * the tensors of all operators are known. One that lacks operands, or has more pads than a window can have,
 * has no rule afterwards. Errors: E_DATA. */
roof_status tflite_set_window(roof_graph *graph, roof_op *op, const tflite_operator *from, roof_error *err);

/* ---- tflite_memory.c ---- */

/* Rows are the operators of the main subgraph. Errors: E_DATA, E_LIMIT, E_NO_MEMORY. */
roof_status tflite_memory(const tflite_model *model, memory_builder *b);

/* The same of a file that Vela compiled: rows are layers and operators of the host. Errors: those and
 * npu_memory's. */
roof_status tflite_npu_memory(const tflite_model *model, memory_builder *b);

/* True for a command stream of an Arm Ethos-U. */
bool tflite_is_npu(const tflite_operator *op);
