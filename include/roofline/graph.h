/* roofline/graph.h - a compiled or quantised network: operators, tensors, subgraphs, layers, code.
 *
 * Units: bytes, dimensions are counts of elements.
 * Shapes and layouts: tensor dimensions are as in the file. For XIR that is NHWC for activations,
 *   [OC,KH,KW,IC] for convolution weights, [1,KH,KW,C] for depthwise weights, [OC] for biases.
 * Ownership: a roof_graph owns everything it points to, the file mapping included; all dies with
 *   roof_graph_free. Nothing in it changes after roof_graph_read returned.
 *
 * Words: an op is a node of the graph. A layer is what the accelerator executes as one unit (DPU: a
 *   superlayer, a fused group of ops; a file that is only quantised has one layer per computing op). A
 *   subgraph is a part of the network that one device runs. Indices are into the arrays of the graph;
 *   ROOF_NONE means none.
 */
#ifndef ROOFLINE_GRAPH_H
#define ROOFLINE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include "roofline/plan.h"

ROOF_BEGIN_C

enum { ROOF_MAX_DIMS = 8 };

/* The rule by which an op's work is counted; the table is model/work/ops.def. */
typedef enum roof_rule {
#define RULE(name, text) ROOF_RULE_##name,
#include "roofline/rules.def"
#undef RULE
    ROOF_RULE_COUNT
} roof_rule;

typedef struct roof_tensor {
    const char *name;
    uint32_t dims[ROOF_MAX_DIMS];
    uint32_t n_dims;
    uint32_t bit_width;
    uint64_t elements; /* product of dims; 1 for a scalar */
    uint64_t bytes;    /* ceil(elements * bit_width / 8) */
    /* bytes are those of a file whose elements share scales, or a part of its tensor; a law takes them as
     * they are, whatever a device computes in. */
    bool is_stored;
    bool is_unknown; /* its shape: dims, elements and bytes say nothing */
} roof_tensor;

/* Sliding window of a convolution or pooling op. All zero where the op has none; strides of 0 are unknown,
 * and neither are dilation and pads beside them. Pads in order of the file.
 */
typedef struct roof_window {
    uint32_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w;
    int32_t pad_left, pad_right, pad_top, pad_bottom;
} roof_window;

typedef enum roof_role { ROOF_ROLE_INPUT, ROOF_ROLE_WEIGHTS, ROOF_ROLE_BIAS, ROOF_ROLE_OTHER } roof_role;

typedef struct roof_edge {
    uint32_t op; /* the producer */
    roof_role role;
} roof_edge;

typedef struct roof_op {
    const char *name, *type;
    roof_rule rule;
    uint32_t first_input, n_inputs; /* into graph->edges */
    roof_tensor out;
    roof_window window;
    uint64_t stored_workload_ops; /* as the file states, or ROOF_UNKNOWN */
    /* Multiply-accumulates, where attributes state them and shapes do not: of letters of an Einsum, of heads.
     * 0: the rule counts them. */
    uint64_t macs;
    bool is_unnamed;      /* in the file: its name is that of what it makes */
    bool average;         /* pooling: average, not maximum */
    float slope;          /* of a leaky ReLU below zero; 0: it is none, or the file does not state it */
    const char *why_host; /* of a lowered graph: why the host runs it; static, or NULL */
    bool interpolates;    /* resampling: between places, not to the nearest */
    uint32_t layer;       /* the layer it belongs to, or ROOF_NONE */
    uint32_t subgraph;    /* the device subgraph it belongs to, or ROOF_NONE */
    /* Its place among the operators of the file, from 0: of the nodes of an ONNX file's main graph, of the
     * operators of a TFLite file's subgraph 0, of all ops of an .xmodel. ROOF_NONE: it is none there, as
     * inputs, constants and further outputs of a node are. */
    uint32_t node;
} roof_op;

/* Address by which programs that show a file know an operator of it. */
typedef enum roof_address {
    ROOF_ADDRESS_NONE,  /* none shows such files */
    ROOF_ADDRESS_NAME,  /* its name */
    ROOF_ADDRESS_INDEX, /* its place (node of roof_op), as operators have no names */
    ROOF_ADDRESSES
} roof_address;

typedef enum roof_device {
    ROOF_DEVICE_NONE,
    ROOF_DEVICE_USER,
    ROOF_DEVICE_CPU,
    ROOF_DEVICE_ACCELERATOR
} roof_device;

typedef struct roof_subgraph {
    const char *name, *device_name; /* device_name as in the file: "DPU", "CPU", "USER", "" */
    roof_device device;
    uint32_t depth, parent, first_child, next_sibling;
    const char *target; /* "DPUCZDX8G_ISA1_B4096", or "" */
    uint64_t stored_workload_ops;
    /* Device subgraphs only. Layers of a graph that is not compiled do not lie side by side: there n_layers
     * says how many run here. */
    uint32_t first_layer, n_layers;
    uint32_t first_op, n_ops; /* leaves only: into graph->subgraph_ops */
} roof_subgraph;

typedef struct roof_layer {
    const char *name;
    uint32_t subgraph;        /* the device subgraph */
    uint32_t node;            /* the subgraph node that is this layer, or ROOF_NONE */
    uint32_t first_op, n_ops; /* into graph->layer_ops, in the order of the file */
    uint64_t stored_workload_ops;
} roof_layer;

typedef struct roof_graph {
    const char *path, *format, *name, *compiler;
    bool is_named;       /* by who compiled it; false: the name is often "deploy", or that of a class */
    char graph_hash[33]; /* XXH3, 128 bits, over structure and shapes, not weights or names; hex */
    uint64_t file_bytes;
    bool compiled; /* into layers of device subgraphs; false: a layer is a single operator */
    /* quantised, and still computing in floats: an accelerator moves 8 bits an element */
    bool floats_are_8_bits;
    roof_op *ops;
    uint32_t n_ops;
    roof_edge *edges;
    uint32_t n_edges;
    roof_subgraph *subgraphs; /* [0] is the root */
    uint32_t n_subgraphs;
    uint32_t *subgraph_ops;
    uint32_t n_subgraph_ops;
    roof_layer *layers; /* in order of execution */
    uint32_t n_layers;
    uint32_t *layer_ops;
    uint32_t n_layer_ops;
    struct roof_graph_storage *storage; /* private */
} roof_graph;

/* A matrix product, C[m,n] = A[m,k] B[k,n]. */
typedef struct roof_product {
    uint32_t m, k, n;
    const char *types[3]; /* of A, B and C: "bf16", "int8", ..., which are static; NULL: unknown */
    const char *cast;     /* that C is brought into behind the product; NULL: none */
    /* The part of C that one core makes, and the depth that it is made in at a time; 0: unknown. */
    uint32_t tile_m, tile_k, tile_n;
} roof_product;

/* Part of a language model's work: all tokens of the prompt at once (prefill), or the next token (decode). */
typedef enum roof_text_phase { ROOF_TEXT_UNSTATED, ROOF_TEXT_PREFILL, ROOF_TEXT_DECODE } roof_text_phase;

/* Workload values that a file leaves open. */
typedef struct roof_workload {
    const roof_product *product; /* that control code computes; NULL: what the file's name says, if it does */
    /* For a language model: part of its work, tokens of the prompt, context before the next token. */
    roof_text_phase phase;
    uint32_t prompt_tokens, context_tokens; /* 0: as many as the format's defaults say */
    /* Open shapes of an ONNX file's inputs: "images=1x3x640x640", or a dimension by its name, "height=640",
     * several with commas; a shape without a name is of the input that is open. NULL: none. */
    const char *shapes;
    /* Weight types and of the cache, "q4_1" (roofline/language.h); NULL: what the file says, else bf16.
     * */
    const char *weight_type, *cache_type;
    bool asks_text; /* one of these was requested that no other format has a use for */
    /* For roof_memory_of alone: so files are read as well that state memory and are no plan of an NPU,
     * without layers: a c_info.json of a CPU, and other files of ST's tools that list "Used memory ranges",
     * such as their logs. */
    bool asks_memory;
} roof_workload;

/* Reads "MxKxN:TYPES[:TILE]": types are one for all, or AxB, or A->C, or AxB->C, or AxB->C->CAST; the tile is
 * MxKxN of one core.
 * Errors: E_USAGE.
 * Example (tests/unit/test_product.c): "2048x1024x512:int8->int32:64x128x64". */
ROOF_API roof_status roof_product_parse(const char *text, roof_product *out, roof_error *err);

/* Reads a network from a file. The format is found by content, never by name.
 *
 * path: a regular file; it must not change while the graph lives (it stays mapped). Or a folder where the
 * compiler of a
 *   Neural-ART left its files: its c_info.json, else its network.csv, else its network.c is read, and a
 *   .mpool file beside it completes the pools.
 * out: freed by the caller with roof_graph_free.
 * Errors: E_USAGE ("-": standard input cannot be mapped), E_NO_INPUT (no such file), E_DATA (empty,
 *   truncated, not a known format; with the byte offset), E_UNSUPPORTED (a valid file that cannot be analysed
 *   per layer; the message says what it is and why),
 * E_LIMIT (nesting or counts beyond what real files have), E_IO.
 * Cost: linear in ops and layers; tensor data is skipped, not read.
 * Example: examples/library/predict.c.
 */
ROOF_API roof_status roof_graph_read(const char *path, roof_graph **out, roof_error *err);

/* The same with what the file leaves open. path: NULL with a product is a graph of this product alone.
 * workload: borrowed for the call. Errors: also E_USAGE for what a file of this format has no use for. */
ROOF_API roof_status roof_graph_read_as(const char *path, const roof_workload *workload, roof_graph **out,
                                        roof_error *err);
ROOF_API void roof_graph_free(roof_graph *graph);

/* The finding of an input that leaves its shape open, so that nothing of the network is known; NULL: there is
 * none. roof_finding_sentence says which, and what to do. */
struct roof_finding;
ROOF_API const struct roof_finding *roof_graph_open_shape(const roof_graph *graph);

/* Plan of the compiler (roofline/plan.h), where the file holds one in place of shapes; NULL: the operators
 * state it all. */
ROOF_API const roof_plan *roof_plan_of(const roof_graph *graph);

/* True when the file begins as one that roof_graph_read reads: plans are JSON as documents of ours are. A
 * folder, and a file that cannot be opened, do not, nor does any without memory. */
ROOF_API bool roof_graph_is_model(const char *path);

/* *is: the file is JSON and no model: one of our documents, or nothing that can be read, which their readers
 * say best. A file that cannot be opened is none. Errors: E_NO_MEMORY. */
ROOF_API roof_status roof_is_document(const char *path, bool *is, roof_error *err);

/* Schema that a document states, "roofline.measured/1"; "" where it states none. Text behind it is not read.
 *
 * schema: size bytes, cut to them.
 * Errors: E_DATA (no JSON up to there), E_LIMIT, E_NO_INPUT, E_IO, E_NO_MEMORY; the path is the place.
 * Example (tests/unit/test_jsonsniff.c): of {"schema":"roofline.measured/1", it is that. */
ROOF_API roof_status roof_document_schema(const char *path, char *schema, size_t size, roof_error *err);

/* The first subgraph that an accelerator runs, which states the model's target; NULL when there is none. */
ROOF_API const roof_subgraph *roof_graph_accelerator(const roof_graph *graph);

/* SHA-256 of the whole file as 64 hex digits and a NUL. Reads every byte, weights included. */
ROOF_API roof_status roof_graph_file_sha256(const roof_graph *graph, char hex[65], roof_error *err);

/* The i-th file format that can be read: its name and doc, for listings and --help; NULL past the end. */
ROOF_API const char *roof_format_name(size_t i);
ROOF_API const char *roof_format_doc(size_t i);

/* The word of a rule as used in listings, "conv2d". */
ROOF_API const char *roof_rule_text(roof_rule rule);

ROOF_END_C
#endif
