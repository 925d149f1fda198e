/* tests/support/onnx_writer.h - writes ONNX models as tables of structs.
 *
 * Message and field numbers follow the schema of the repository onnx/onnx. Lists end with the first member
 * without a name, or NULL. Data of a tensor is bytes as they are (raw_data), zeros of the right number, in
 * another file, or left out.
 * Ownership: all is borrowed for the call. Without memory the program ends with a message: this is test
 *   support.
 *
 * Example:
 *   static const ow_node nodes[] = {{.name = "conv", .type = "Conv", .inputs = {"x", "w"}, .outputs = {"y"},
 *                                    .attrs = {OW_INTS("strides", 2, 2)}}};
 *   static const ow_tensor weights[] = {{"w", OW_FLOAT, .dims = OW_DIMS(8, 3, 3, 3)}};
 *   static const ow_value inputs[] = {{"x", OW_FLOAT, .dims = OW_DIMS(1, 3, 8, 8)}};
 *   static const ow_model model = {.graph = {.name = "net", OW(.nodes, nodes), OW(.initializers, weights),
 *                                            OW(.inputs, inputs)}};
 *   uint8_t *bytes = ow_write(&model, &size);
 */
#ifndef ROOF_TESTS_ONNX_WRITER_H
#define ROOF_TESTS_ONNX_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OW_MOST_DIMS = 8, OW_MOST_NAMES = 8, OW_MOST_ATTRS = 8, OW_MOST_ENTRIES = 8 };

/* TensorProto.DataType */
typedef enum ow_type {
    OW_UNDEFINED = 0,
    OW_FLOAT = 1,
    OW_UINT8 = 2,
    OW_INT8 = 3,
    OW_INT32 = 6,
    OW_INT64 = 7,
    OW_BOOL = 9,
    OW_FLOAT16 = 10
} ow_type;

typedef struct ow_dims {
    uint32_t n;
    int64_t of[OW_MOST_DIMS]; /* -1: a dimension that is not known */
} ow_dims;
#define OW_DIMS(...)                                                                                         \
    {                                                                                                        \
        sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t),                                                  \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

typedef enum ow_data { OW_NO_DATA, OW_ZEROS, OW_RAW, OW_EXTERNAL } ow_data;

typedef struct ow_tensor {
    const char *name;
    ow_type type;
    ow_dims dims;
    ow_data data;
    const void *raw; /* OW_RAW */
    uint64_t raw_bytes;
    const char *location; /* OW_EXTERNAL: the name of the file */
} ow_tensor;

typedef struct ow_value {
    const char *name;
    ow_type type;
    ow_dims dims;
    bool has_no_shape;
} ow_value;

struct ow_graph;

typedef enum ow_attr_kind {
    OW_ATTR_FLOAT,
    OW_ATTR_INT,
    OW_ATTR_TEXT,
    OW_ATTR_TENSOR,
    OW_ATTR_GRAPH,
    OW_ATTR_INTS
} ow_attr_kind;

typedef struct ow_attr {
    const char *name;
    ow_attr_kind kind;
    int64_t number;
    float real;
    const char *text;
    ow_dims ints;
    const ow_tensor *tensor;
    const struct ow_graph *graph;
} ow_attr;
#define OW_INT(key, value)                                                                                   \
    {                                                                                                        \
        .name = (key), .kind = OW_ATTR_INT, .number = (value)                                                \
    }
#define OW_INTS(key, ...)                                                                                    \
    {                                                                                                        \
        .name = (key), .kind = OW_ATTR_INTS, .ints = OW_DIMS(__VA_ARGS__)                                    \
    }
#define OW_REAL(key, value)                                                                                  \
    {                                                                                                        \
        .name = (key), .kind = OW_ATTR_FLOAT, .real = (value)                                                \
    }
#define OW_GRAPH(key, value)                                                                                 \
    {                                                                                                        \
        .name = (key), .kind = OW_ATTR_GRAPH, .graph = (value)                                               \
    }
#define OW_TENSOR(key, value)                                                                                \
    {                                                                                                        \
        .name = (key), .kind = OW_ATTR_TENSOR, .tensor = (value)                                             \
    }
#define OW_TEXT(key, value)                                                                                  \
    {                                                                                                        \
        .name = (key), .kind = OW_ATTR_TEXT, .text = (value)                                                 \
    }

typedef struct ow_entry {
    const char *key, *value;
} ow_entry;

typedef struct ow_node {
    const char *name, *type, *domain; /* NULL: left out */
    const char *inputs[OW_MOST_NAMES], *outputs[OW_MOST_NAMES];
    ow_attr attrs[OW_MOST_ATTRS];
    ow_entry metadata[OW_MOST_ENTRIES];
} ow_node;

/* A list of a graph, and how many are in it: OW(.nodes, nodes). */
#define OW(member, array) member = {.list = (array), .n = sizeof(array) / sizeof *(array)}

typedef struct ow_graph {
    const char *name;
    struct {
        const ow_node *list;
        size_t n;
    } nodes;
    struct {
        const ow_tensor *list;
        size_t n;
    } initializers;
    struct {
        const ow_value *list;
        size_t n;
    } inputs, outputs, values;
} ow_graph;

typedef struct ow_model {
    int64_t ir_version, opset; /* 0: 8 and 17 */
    const char *producer;      /* NULL: left out */
    ow_graph graph;
    ow_entry metadata[OW_MOST_ENTRIES];
} ow_model;

/* The caller frees it. */
uint8_t *ow_write(const ow_model *model, size_t *size_bytes);

#endif
