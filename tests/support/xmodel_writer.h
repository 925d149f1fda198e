/* tests/support/xmodel_writer.h - writes XIR models (.xmodel): one bare protocol buffers message per file.
 *
 * Message and field numbers follow the public schema xir_graph_proto_v2.proto of Xilinx/Vitis-AI.
 * Units: bytes, unless a name says otherwise.
 * Ownership: everything in a model is copied into the model and dies with xm_model_free. Only blobs are
 * borrowed: their bytes must live as long as the model. Errors: running out of memory ends the program with a
 * message, this is test support; input and output errors and models beyond the 2 GiB of a protobuf message
 * are reported by the functions that write.
 */
#ifndef ROOF_TESTS_XMODEL_WRITER_H
#define ROOF_TESTS_XMODEL_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- Protocol buffers, written from the last byte to the first ----
 *
 * The length of a message precedes its content. Writing backwards, the content is there when its length is
 * needed, so that one pass suffices and nothing is moved. Hence the order: what shall come last in the file
 * is put first. A run of zeros (a hole) counts in every length and takes no memory.
 */
typedef struct xm_hole {
    size_t bytes_behind; /* bytes in memory that follow it */
    uint64_t size_bytes;
} xm_hole;

typedef struct xm_buffer {
    uint8_t *data;
    size_t capacity_bytes;
    size_t start;         /* data[start .. capacity_bytes) is in use */
    uint64_t total_bytes; /* in memory and in holes */
    xm_hole *holes;       /* the last of the file first */
    size_t n_holes, holes_capacity;
} xm_buffer;

typedef enum xm_wire { XM_WIRE_VARINT = 0, XM_WIRE_LENGTH = 2, XM_WIRE_FIXED32 = 5 } xm_wire;

void xm_buffer_free(xm_buffer *buffer);
void xm_buffer_clear(xm_buffer *buffer);
void xm_put_raw(xm_buffer *buffer, const void *data, size_t size_bytes);
void xm_put_zeros(xm_buffer *buffer, uint64_t size_bytes);
void xm_put_varint(xm_buffer *buffer, uint64_t value);
void xm_put_tag(xm_buffer *buffer, uint32_t field, xm_wire wire);
void xm_put_uint(xm_buffer *buffer, uint32_t field, uint64_t value);
void xm_put_int(xm_buffer *buffer, uint32_t field,
                int64_t value); /* ten bytes when negative, as protobuf has it */
void xm_put_float(xm_buffer *buffer, uint32_t field, float value);
void xm_put_string(xm_buffer *buffer, uint32_t field, const char *text);

/* A nested message: mark = xm_message_end(b); ... its fields, last first ...; xm_message_begin(b, field,
 * mark). */
uint64_t xm_message_end(const xm_buffer *buffer);
void xm_message_begin(xm_buffer *buffer, uint32_t field, uint64_t mark);

/* ---- XIR ---- */

/* Values are the field numbers in AttrValue. */
typedef enum xm_attr_type {
    XM_BOOL = 4,
    XM_INT32 = 5,
    XM_UINT32 = 6,
    XM_INT64 = 7,
    XM_UINT64 = 8,
    XM_FLOAT = 9,
    XM_STRING = 11,
    XM_BYTES = 12,
    XM_INT32_VEC = 14,
    XM_STRING_VEC = 20,
    XM_MAP_INT32 = 22,
    XM_MAP_STRING = 26,
    XM_MAP_BYTES = 27
} xm_attr_type;

/* xir::DataType::Type */
typedef enum xm_data_type { XM_INT = 0, XM_UINT = 1, XM_XINT = 2, XM_XUINT = 3, XM_REAL = 4 } xm_data_type;

/* Borrowed bytes; without data, that many zeros. */
typedef struct xm_blob {
    const uint8_t *data;
    uint64_t size_bytes;
} xm_blob;

typedef struct xm_entry {
    const char *key;
    union {
        int32_t i32;
        const char *string;
        xm_blob bytes;
    } value;
} xm_entry;

typedef struct xm_attr {
    const char *name;
    xm_attr_type type;
    uint32_t count; /* elements of a vector or map */
    union {
        bool flag;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        float f32;
        const char *string;
        const xm_blob *bytes;
        const int32_t *i32_vec;
        const char *const *string_vec;
        const xm_entry *entries;
    } value;
} xm_attr;

typedef struct xm_attrs {
    const xm_attr *list;
    size_t count;
} xm_attrs;

typedef struct xm_tensor {
    const char *name;
    const uint32_t *dims;
    size_t n_dims;
    xm_data_type data_type;
    int32_t bit_width;
    xm_attrs attrs;
} xm_tensor;

typedef struct xm_arg {
    const char *name;
    const char *const *producers; /* names of ops */
    size_t n_producers;
} xm_arg;

typedef struct xm_op {
    const char *name, *type;
    xm_attrs attrs;
    const xm_arg *args;
    size_t n_args;
    xm_tensor output;
} xm_op;

typedef struct xm_subgraph xm_subgraph;
struct xm_subgraph {
    const char *name;
    const char *const *op_names; /* leaves only */
    size_t n_op_names;
    xm_attrs attrs;
    xm_subgraph *children;
    size_t n_children;
};

typedef struct xm_arena xm_arena;

typedef struct xm_model {
    xm_arena *arena;
    const char *name;
    xm_op *ops;
    size_t n_ops, ops_capacity;
    xm_subgraph *root;
    xm_attrs attrs;
} xm_model;

xm_model *xm_model_new(const char *name);
void xm_model_free(xm_model *model);

void *xm_alloc(xm_model *model, size_t count, size_t size_bytes); /* zeroed */
const char *xm_format(xm_model *model, const char *format, ...) __attribute__((format(printf, 2, 3)));
const void *xm_copy(xm_model *model, const void *items, size_t count, size_t size_bytes);
xm_attrs xm_attrs_copy(xm_model *model, const xm_attr *list, size_t count);

/* The op is copied; what it points to must already belong to the model or be a literal. */
void xm_add_op(xm_model *model, const xm_op *op);

/* Children get their place before their content: fill what this returns. */
xm_subgraph *xm_add_children(xm_model *model, xm_subgraph *parent, size_t count);

/* Values of attributes. Strings are borrowed, vectors and maps copied into the model. */
xm_attr xm_bool(const char *name, bool value);
xm_attr xm_i32(const char *name, int32_t value);
xm_attr xm_u32(const char *name, uint32_t value);
xm_attr xm_i64(const char *name, int64_t value);
xm_attr xm_u64(const char *name, uint64_t value);
xm_attr xm_f32(const char *name, float value);
xm_attr xm_string(const char *name, const char *value);
xm_attr xm_bytes(xm_model *model, const char *name, xm_blob value);
xm_attr xm_i32_vec(xm_model *model, const char *name, const int32_t *values, size_t count);
xm_attr xm_string_vec(xm_model *model, const char *name, const char *const *values, size_t count);
xm_attr xm_map(xm_model *model, const char *name, xm_attr_type type, const xm_entry *entries, size_t count);

/* What files of other compilers do differently; all zero is what xcompiler 3.5 writes. */
typedef struct xm_options {
    bool unpacked;          /* repeated scalars one tag each */
    bool reversed_maps;     /* the order of map entries is not defined; this is another one */
    bool int_enums;         /* Vitis AI 1.1 and 1.2: nonlinear, type, pad_mode as int32 */
    bool no_bit_width;      /* Vitis AI 1.1: tensor_bit_width 0, only the attribute bit_width */
    bool with_op_defs;      /* field 101, which readers skip */
    uint64_t weights_bytes; /* zeros stored as the value of REG_0 in reg_id_to_parameter_value */
} xm_options;

/* options may be NULL. False, with errno set: the stream failed (EIO or its own), or beyond 2 GiB (EFBIG). */
bool xm_write(const xm_model *model, const xm_options *options, FILE *stream);

/* To memory that the caller frees; NULL as above. */
uint8_t *xm_write_memory(const xm_model *model, const xm_options *options, size_t *size_bytes);

/* For test support only: these do not return without memory. */
void *xm_checked_realloc(void *memory, size_t count, size_t size_bytes);
_Noreturn void xm_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
