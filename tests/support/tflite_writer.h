/* tests/support/tflite_writer.h - writes TFLite files (FlatBuffers) of networks that are rows of tables.
 *
 * Tables and fields follow the public schema tensorflow/compiler/mlir/lite/schema/schema.fbs; everything lies
 * at the alignment that FlatBuffers ask for.
 * Ownership: what a network points to is borrowed during the call. Errors: running out of memory, and a name
 *   that no tensor has, end the program with a message: this is test support.
 */
#ifndef ROOF_TESTS_SUPPORT_TFLITE_WRITER_H
#define ROOF_TESTS_SUPPORT_TFLITE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* TensorType */
enum {
    TFW_FLOAT32 = 0,
    TFW_FLOAT16 = 1,
    TFW_INT32 = 2,
    TFW_UINT8 = 3,
    TFW_INT64 = 4,
    TFW_STRING = 5,
    TFW_BOOL = 6
};
enum { TFW_INT16 = 7, TFW_INT8 = 9, TFW_INT4 = 17 };

enum { TFW_DIMS = 9, TFW_SLOTS = 8, TFW_FIELDS = 8 };

/* Where a constant has its data. */
typedef enum tfw_data {
    TFW_COMPUTED, /* it has none: an operator makes it, or it is an input */
    TFW_ZEROS,    /* in a buffer of its own, as long as the shape says; no dimension is a single number */
    TFW_BEHIND,   /* likewise, behind the flatbuffer */
    TFW_PAYLOAD,  /* a driver payload, which the tensor names; its shape is its length */
    TFW_VALUES    /* its values, of TFW_INT32; of TFW_INT64 in halves, the lower one first */
} tfw_data;

typedef struct tfw_tensor {
    const char *name; /* NULL: none */
    int type;
    int32_t dims[TFW_DIMS];      /* up to the first 0 */
    int32_t signature[TFW_DIMS]; /* likewise; none where the first is 0 */
    tfw_data data;
    const struct euw_network *payload; /* ethosu_writer.h; NULL */
    int32_t values[TFW_DIMS];          /* TFW_VALUES */
    bool is_variable, has_rank;
    bool is_placed; /* where the network has a plan: in the scratch memory, at offset */
    int32_t offset;
} tfw_tensor;

/* A row: TFW_TENSOR("w", TFW_INT8, {8, 3, 3, 3}, .data = TFW_ZEROS); TFW_LIST("size", 2, 64, 64) has two
 * values, TFW_LIST("axis", 0, 3) is a single number. */
#define TFW_LIST(name_, n_, ...)                                                                             \
    {                                                                                                        \
        .name = (name_), .type = TFW_INT32, .dims = {n_}, .data = TFW_VALUES, .values = { __VA_ARGS__ }      \
    }
#define TFW_TENSOR(name_, type_, ...)                                                                        \
    {                                                                                                        \
        .name = (name_), .type = (type_), .dims = __VA_ARGS__                                                \
    }

/* Options: a table whose fields stand in the order of the schema. A field of size 0 is left out. */
typedef struct tfw_options {
    int type; /* of the union; 0: there are none */
    struct {
        uint8_t size;
        int32_t value;
    } fields[TFW_FIELDS];
} tfw_options;

enum { TFW_SAME = 0, TFW_VALID = 1 };
#define TFW_CONV(padding, stride, dilation)                                                                  \
    {                                                                                                        \
        1,                                                                                                   \
        {                                                                                                    \
            {1, padding}, {4, stride}, {4, stride}, {0, 0}, {4, dilation},                                   \
            {                                                                                                \
                4, dilation                                                                                  \
            }                                                                                                \
        }                                                                                                    \
    }
#define TFW_DEPTHWISE(padding, stride, multiplier, dilation)                                                 \
    {                                                                                                        \
        2,                                                                                                   \
        {                                                                                                    \
            {1, padding}, {4, stride}, {4, stride}, {4, multiplier}, {0, 0}, {4, dilation},                  \
            {                                                                                                \
                4, dilation                                                                                  \
            }                                                                                                \
        }                                                                                                    \
    }
#define TFW_POOL(padding, stride, kernel)                                                                    \
    {                                                                                                        \
        5,                                                                                                   \
        {                                                                                                    \
            {1, padding}, {4, stride}, {4, stride}, {4, kernel},                                             \
            {                                                                                                \
                4, kernel                                                                                    \
            }                                                                                                \
        }                                                                                                    \
    }
#define TFW_TRANSPOSED(padding, stride)                                                                      \
    {                                                                                                        \
        49,                                                                                                  \
        {                                                                                                    \
            {1, padding}, {4, stride},                                                                       \
            {                                                                                                \
                4, stride                                                                                    \
            }                                                                                                \
        }                                                                                                    \
    }

/* Tensors by name; "-" is one that is left out, "#7" number 7 whether or not it is there; lists end with
 * NULL. */
typedef struct tfw_operator {
    int builtin;        /* its number, 32 with a custom name */
    const char *custom; /* NULL */
    const char *inputs[TFW_SLOTS], *outputs[TFW_SLOTS];
    tfw_options options;
} tfw_operator;

/* A subgraph beside the main one: some of the network's operators. It has tensors of the same names, of its
 * own. */
typedef struct tfw_body {
    size_t first, n; /* of the operators */
    const char *inputs[TFW_SLOTS], *outputs[TFW_SLOTS];
} tfw_body;

typedef struct tfw_network {
    const tfw_tensor *tensors;
    size_t n_tensors;
    const tfw_operator *operators;
    size_t n_operators;
    const char *inputs[TFW_SLOTS], *outputs[TFW_SLOTS];
    const char *description;  /* NULL: none */
    const char *vela_version; /* metadata, as Vela's Python core writes it; NULL: none */
    bool has_plan;            /* metadata: offsets of all tensors, as Vela writes them */
    uint32_t version;         /* 0: 3 */
    uint32_t n_further;       /* subgraphs beside the main one, which are empty */
    const tfw_body *bodies;   /* those before them, which the first operators do not belong to */
    size_t n_bodies, n_main;  /* operators of the main one; 0: all */
} tfw_network;

/* The file, which the caller frees. */
unsigned char *tfw_write(const tfw_network *network, size_t *size_bytes);

/* A small network with a convolution of each kind, two outputs of a split and an operator that nobody knows:
 * 55,296 + 9,216 + 16,384 + 5,120 MACs. */
extern const tfw_network tfw_tiny;

/* A loop of three rounds, and behind it one of two branches: what operators run stands in other subgraphs. */
extern const tfw_network tfw_loops;

/* What Vela makes of a network: a command stream (euw_small of ethosu_writer.h) between operators of the
 * host. */
extern const tfw_network tfw_vela;

#endif
