/* model/formats/onnx/onnx_model.h - the parts of the ONNX reader: attributes, shapes, values, scopes.
 *
 * The layout of the file is described in model/formats/onnx.c. All parts read with a bounded cursor, report
 * offsets in the file, and borrow texts from the mapped file until they are copied.
 *
 * Units: dimensions count elements.
 */
#pragma once

#include "core/protobuf.h"
#include "model/graph/format.h"
#include "model/work/extents.h"

/* Field numbers of the messages. Source: onnx/onnx, onnx/onnx.proto. */
enum { MODEL_PRODUCER = 2, MODEL_GRAPH = 7, MODEL_OPSET = 8, MODEL_FUNCTION = 25 };
enum { OPSET_DOMAIN = 1, OPSET_VERSION = 2 };
enum {
    GRAPH_NODE = 1,
    GRAPH_NAME = 2,
    GRAPH_INITIALIZER = 5,
    GRAPH_INPUT = 11,
    GRAPH_OUTPUT = 12,
    GRAPH_VALUE_INFO = 13,
    GRAPH_SPARSE_INITIALIZER = 15
};
enum { FUNCTION_NAME = 1, FUNCTION_INPUT = 4, FUNCTION_OUTPUT = 5, FUNCTION_NODE = 7, FUNCTION_DOMAIN = 10 };
enum { DECLARED_NAME = 1, DECLARED_TYPE = 2 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_TYPE = 4, NODE_ATTRIBUTE = 5, NODE_DOMAIN = 7 };
enum {
    ATTRIBUTE_NAME = 1,
    ATTRIBUTE_FLOAT = 2,
    ATTRIBUTE_INT = 3,
    ATTRIBUTE_TEXT = 4,
    ATTRIBUTE_TENSOR = 5,
    ATTRIBUTE_GRAPH = 6,
    ATTRIBUTE_FLOATS = 7,
    ATTRIBUTE_INTS = 8,
    ATTRIBUTE_OF_CALLER = 21
};
enum {
    TENSOR_DIMS = 1,
    TENSOR_TYPE = 2,
    TENSOR_FLOATS = 4,
    TENSOR_INTS = 5,
    TENSOR_LONGS = 7,
    TENSOR_NAME = 8,
    TENSOR_RAW = 9
};

/* Values of TensorProto.DataType that the reader names. */
enum { TYPE_FLOAT = 1, TYPE_UINT8 = 2, TYPE_INT8 = 3, TYPE_INT32 = 6, TYPE_INT64 = 7, TYPE_BOOL = 9 };

enum {
    ONNX_MOST_OPS = 50 * 1000 * 1000, /* indices stay far from 32 bits */
    ONNX_MOST_VALUES = 64,            /* of a tensor that are kept: shapes, indices, scales */
    ONNX_MOST_DEPTH = 32,             /* of functions in functions and graphs in graphs */
    ONNX_MOST_TYPES = 64              /* remembered; more are looked up each time */
};

typedef extents onnx_shape;

/* Beside each operator of the graph: what its output is, as far as it is known while the graph is read. */
typedef struct onnx_tensor {
    onnx_shape shape;
    uint32_t type;        /* TensorProto.DataType; 0: unknown */
    const double *values; /* in order, n_values of them; NaN: one that is unknown. NULL: none is known */
    uint32_t n_values;
    bool is_constant;      /* whatever the input of the network is */
    roof_window zero_pads; /* of a Pad of zeroes around a map; all 0: it is none */
    uint32_t order;        /* of a transposition, as in storage; 0: it is none */
    bool is_doubtful;      /* it follows from operands that contradict each other */
} onnx_tensor;

struct onnx_call;

/* The reader's rules for a type of operator. */
typedef struct onnx_operator {
    const char *types; /* which spaces separate */
    /* Sets the shapes of its outputs, which are unknown before; NULL: those of the first input. */
    void (*shape)(struct onnx_call *c);
    /* Sets the values of its first output, of which shape and type are known; NULL: it has none. */
    void (*value)(struct onnx_call *c);
    /* Role of each input: i input, w weights, b bias, o other. Letters behind a + are repeated, else
     * the last one is for all behind it. NULL: by the operator's rule. */
    const char *roles;
    /* Shapes of outputs, a letter each: of the input of that number, s without dimensions, - what shape sets,
     * or nothing. NULL, without shape: the first is as the first input. */
    const char *makes;
    uint32_t detail;      /* for shape and value */
    uint32_t result_type; /* of its outputs; 0: that of the first input */
    uint32_t other_type;  /* of outputs behind the first; 0: the same */
    int32_t type_input;   /* input whose type its outputs have; 0: the first */
    bool tells_macs;      /* shape states how many, or it is unknown */
} onnx_operator;

/* NULL: none of that type. */
const onnx_operator *onnx_operator_of(const char *type);

typedef struct onnx_node {
    pb_cursor message;
    text_span name, type, domain;
    const text_span *inputs, *outputs; /* an empty one is left out */
    uint32_t n_inputs, n_outputs;
    uint32_t index; /* of the node in the file's main graph; ROOF_NONE: it is of another one */
    const struct onnx_node *caller; /* a function's body refers to its attributes; NULL */
} onnx_node;

/* A type as it is remembered. */
typedef struct onnx_type {
    text_span type, domain; /* as in the file */
    const char *text;
    roof_rule rule;
    const onnx_operator *op;
    const extents_law *law; /* NULL */
    bool keeps_shape;       /* of its first input, as its name alone says */
} onnx_type;

/* The open dimension of a declaration: the first dimension, or the last one that is not the first. */
typedef struct onnx_open {
    bool takes_zeros; /* writers that do not know what an operator makes may leave it at 0 */
    bool is_open;
    uint32_t at, n_dims;
    text_span names[ROOF_MAX_DIMS];
} onnx_open;

/* A contradiction in an operator of the graph, for any batch. */
typedef struct onnx_misfit {
    uint32_t op;
    extents_misfit what;
} onnx_misfit;

/* Values by their names, within a graph or a function. */
typedef struct onnx_scope {
    const struct onnx_scope *outer; /* NULL: of a function or the main graph */
    const char *prefix;             /* of names of operators: "block1/" */
    namemap *names;                 /* into makers */
    uint32_t *makers;               /* operator of the graph; ROOF_NONE: not made yet */
    uint32_t *nodes;                /* makers of each; ROOF_NONE: none */
    uint32_t n_names;
    uint32_t depth;
} onnx_scope;

typedef struct onnx_reader {
    roof_graph *graph;
    roof_arena *arena, *scratch;
    onnx_tensor *tensors;   /* as the operators of the graph */
    pb_cursor model, main;  /* messages of the model and its graph; file NULL: there is none */
    namemap *declared;      /* values, into declarations; NULL: none */
    pb_field *declarations; /* ValueInfoProto of the main graph */
    pb_field *functions;
    uint32_t n_functions;
    namemap *functions_by_name;         /* "domain:name" */
    uint64_t opset;                     /* of the standard operators */
    uint64_t n_expanded, most_expanded; /* nodes of functions and nested graphs that were added */
    onnx_type types[ONNX_MOST_TYPES];
    uint32_t n_types;
    uint64_t open_batch; /* value of a batch that is left open; 0: 1 */
    bool has_open_batch;
    const roof_workload *workload; /* never NULL */
    uint32_t asked_used;           /* bit n: item n of its shapes had a use */
    bool tokens_used;              /* and so had a number of tokens */
    onnx_misfit *misfits;          /* in the order of operators, one each */
    uint32_t n_misfits;
    extents_operand *operands; /* room for those of a call */
    uint32_t most_operands;
    roof_findings found;
    roof_error *err;
} onnx_reader;

/* One operator as its shape and value are looked for. */
typedef struct onnx_call {
    onnx_reader *r;
    const onnx_node *node;
    const onnx_operator *op;
    const uint32_t *inputs; /* operators; ROOF_NONE: left out */
    uint32_t n_inputs, n_outputs;
    const onnx_shape *in; /* of the first input; NULL: left out, or unknown */
    onnx_shape *shapes;   /* of the outputs */
    onnx_tensor *made;    /* the first output, but for its shape */
    roof_window window;   /* of the operator, where it has one */
    uint64_t macs;        /* by attributes, where shapes do not suffice; 0: by the rule */
    roof_status status;   /* of reading its attributes */
} onnx_call;

/* ---- onnx_wire.c: inputs, attributes and tensors ---- */

/* The shape of input i; NULL: left out, or unknown. */
const onnx_shape *onnx_input_shape(const onnx_call *c, uint32_t i);
/* The values of input i, n of them; NULL: unknown. */
const double *onnx_input_values(const onnx_call *c, uint32_t i, uint32_t *n);
/* An axis that may count from the end; ROOF_NONE: beyond the shape. */
uint32_t onnx_axis(double axis, uint32_t n_dims);
/* Room for n values, which become the call's; NULL: too many, or no memory. */
double *onnx_new_values(onnx_call *c, uint64_t n);

/* An attribute of a node, or of who calls the function that the node is of; number 0: it has none. The
 * field is the whole AttributeProto. Errors are kept in the call. */
pb_field onnx_attribute(onnx_call *c, const char *name);
int64_t onnx_attribute_int(onnx_call *c, const char *name, int64_t otherwise);
/* At most max integers; the result is how many there are, 0 without the attribute. */
uint32_t onnx_attribute_ints(onnx_call *c, const char *name, int64_t *out, uint32_t max);
/* Numbers of an attribute of floats. */
uint32_t onnx_attribute_floats(onnx_call *c, const char *name, double *out, uint32_t max);
/* An empty text without the attribute. */
text_span onnx_attribute_text(onnx_call *c, const char *name);
/* The message of a tensor or a graph in an attribute; file NULL: it has none. number: of the member. */
pb_cursor onnx_attribute_message(onnx_call *c, const char *name, uint32_t number);

/* Shape, type and, where they are few numbers that the file holds, values of a TensorProto; its name. */
roof_status onnx_read_tensor(onnx_reader *r, pb_cursor message, onnx_tensor *out, text_span *name);

/* Notes what contradicts in a call, whose operator of the graph has that number. Errors: E_NO_MEMORY, and
 * those of reading attributes. */
roof_status onnx_look_for_misfit(onnx_call *c, const onnx_type *type, uint32_t op);
/* The same of a shape that follows for an output, and what the file declares of it. */
roof_status onnx_compare_declared(onnx_call *c, uint32_t op, uint32_t output, const onnx_shape *declared);

/* ---- onnx_shape.c ---- */

/* By the letters of onnx_operator.makes. */
void onnx_make_shapes(onnx_call *c, const char *makes);

/* ---- onnx_open.c ---- */

/* Sets dimensions of an input that are open (ROOF_UNKNOWN) to what was requested, and says in open what stays
 * so. Errors: E_USAGE. */
roof_status onnx_give_shape(onnx_reader *r, text_span name, onnx_shape *shape, onnx_open *open);
/* Once all inputs are read. Errors: E_USAGE for what had no use. */
roof_status onnx_check_given(const onnx_reader *r, roof_error *err);
/* A finding: which dimensions of an input are open, and how to give them. */
roof_status onnx_say_open(onnx_reader *r, text_span name, const onnx_shape *shape, const onnx_open *open);

/* ---- onnx_graph.c ---- */

/* Fills the graph's operators and edges from the main graph. Errors: E_DATA, E_LIMIT, E_NO_MEMORY. */
roof_status onnx_build_graph(onnx_reader *r);
/* The name of a function in functions_by_name; NULL without memory. */
const char *onnx_function_key(onnx_reader *r, text_span domain, text_span name);
/* The name in a ValueInfoProto; empty: it has none. */
roof_status onnx_name_of_value(pb_cursor info, text_span *out, roof_error *err);

/* ---- onnx_memory.c; see model/graph/format.h ---- */

roof_status onnx_memory(struct memory_builder *b);
