#include "xmodel_writer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BUFFER_BYTES = 4096, ARENA_BLOCK_BYTES = 256 * 1024, ZEROS_BYTES = 64 * 1024 };

/* Field numbers of the messages, as in xir_graph_proto_v2.proto. */
enum { GRAPH_NAME = 1, GRAPH_OP = 5, GRAPH_ROOT = 10, GRAPH_ATTR = 11, GRAPH_OP_DEF = 101 };
enum { OP_NAME = 1, OP_TYPE = 2, OP_ATTR = 3, OP_ARG = 4, OP_OUTPUT = 5 };
enum { ARG_NAME = 1, ARG_PRODUCER = 2 };
enum { TENSOR_NAME = 1, TENSOR_DIM = 2, TENSOR_DATA_TYPE = 5, TENSOR_BIT_WIDTH = 6, TENSOR_ATTR = 10 };
enum { SUBGRAPH_NAME = 1, SUBGRAPH_OP = 3, SUBGRAPH_ATTR = 5, SUBGRAPH_CHILD = 10 };
enum { MAP_KEY = 1, MAP_VALUE = 2, LIST_ITEM = 1, MAP_ITEM = 1, BYTES_VALUE = 1 };
enum {
    DEF_NAME = 1,
    DEF_INPUT = 2,
    DEF_ANNOTATION = 4,
    DEF_ARG_NAME = 1,
    DEF_ARG_OCCURRENCE = 2,
    DEF_ARG_TYPE = 3
};

/* ---- memory ---- */

void xm_die(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

void *xm_checked_realloc(void *memory, size_t count, size_t size_bytes)
{
    void *grown = NULL;

    if (size_bytes == 0 || count <= SIZE_MAX / size_bytes)
        grown = realloc(memory, count > 0 && size_bytes > 0 ? count * size_bytes : 1);
    if (!grown)
        xm_die("xmodel writer: no memory for %zu items of %zu bytes", count, size_bytes);
    return grown;
}

typedef struct arena_block {
    struct arena_block *next;
    size_t size_bytes, used_bytes;
    _Alignas(max_align_t) unsigned char data[];
} arena_block;

struct xm_arena {
    arena_block *newest;
};

static void *arena_take(xm_arena *arena, size_t size_bytes)
{
    size_t rounded = (size_bytes + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    arena_block *block = arena->newest;

    if (!block || block->size_bytes - block->used_bytes < rounded) {
        size_t room = rounded > ARENA_BLOCK_BYTES ? rounded : ARENA_BLOCK_BYTES;
        block = xm_checked_realloc(NULL, 1, sizeof *block + room);
        *block = (arena_block){.next = arena->newest, .size_bytes = room};
        arena->newest = block;
    }
    block->used_bytes += rounded;
    return block->data + block->used_bytes - rounded;
}

void *xm_alloc(xm_model *model, size_t count, size_t size_bytes)
{
    if (size_bytes && count > (SIZE_MAX - sizeof(void *)) / size_bytes)
        xm_die("xmodel writer: no memory for %zu items of %zu bytes", count, size_bytes);
    void *memory = arena_take(model->arena, count * size_bytes);
    memset(memory, 0, count * size_bytes);
    return memory;
}

const void *xm_copy(xm_model *model, const void *items, size_t count, size_t size_bytes)
{
    void *copy = xm_alloc(model, count, size_bytes);

    if (count)
        memcpy(copy, items, count * size_bytes);
    return copy;
}

const char *xm_format(xm_model *model, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        xm_die("xmodel writer: cannot format '%s'", format);
    char *text = xm_alloc(model, (size_t)length + 1, 1);
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}

xm_model *xm_model_new(const char *name)
{
    xm_model *model = xm_checked_realloc(NULL, 1, sizeof *model);

    *model = (xm_model){.arena = xm_checked_realloc(NULL, 1, sizeof *model->arena)};
    *model->arena = (xm_arena){0};
    model->name = xm_format(model, "%s", name);
    model->root = xm_alloc(model, 1, sizeof *model->root);
    model->root->name = "root";
    return model;
}

void xm_model_free(xm_model *model)
{
    if (!model)
        return;
    for (arena_block *block = model->arena->newest; block;) {
        arena_block *next = block->next;
        free(block);
        block = next;
    }
    free(model->arena);
    free(model->ops);
    free(model);
}

void xm_add_op(xm_model *model, const xm_op *op)
{
    if (model->n_ops == model->ops_capacity) {
        model->ops_capacity = model->ops_capacity ? 2 * model->ops_capacity : 64;
        model->ops = xm_checked_realloc(model->ops, model->ops_capacity, sizeof *model->ops);
    }
    model->ops[model->n_ops++] = *op;
}

xm_subgraph *xm_add_children(xm_model *model, xm_subgraph *parent, size_t count)
{
    parent->children = xm_alloc(model, count, sizeof *parent->children);
    parent->n_children = count;
    return parent->children;
}

/* ---- attributes ---- */

xm_attr xm_bool(const char *name, bool value)
{
    return (xm_attr){.name = name, .type = XM_BOOL, .value.flag = value};
}

xm_attr xm_i32(const char *name, int32_t value)
{
    return (xm_attr){.name = name, .type = XM_INT32, .value.i32 = value};
}

xm_attr xm_u32(const char *name, uint32_t value)
{
    return (xm_attr){.name = name, .type = XM_UINT32, .value.u32 = value};
}

xm_attr xm_i64(const char *name, int64_t value)
{
    return (xm_attr){.name = name, .type = XM_INT64, .value.i64 = value};
}

xm_attr xm_u64(const char *name, uint64_t value)
{
    return (xm_attr){.name = name, .type = XM_UINT64, .value.u64 = value};
}

xm_attr xm_f32(const char *name, float value)
{
    return (xm_attr){.name = name, .type = XM_FLOAT, .value.f32 = value};
}

xm_attr xm_string(const char *name, const char *value)
{
    return (xm_attr){.name = name, .type = XM_STRING, .value.string = value};
}

xm_attr xm_bytes(xm_model *model, const char *name, xm_blob value)
{
    return (xm_attr){.name = name, .type = XM_BYTES, .value.bytes = xm_copy(model, &value, 1, sizeof value)};
}

xm_attr xm_i32_vec(xm_model *model, const char *name, const int32_t *values, size_t count)
{
    return (xm_attr){.name = name,
                     .type = XM_INT32_VEC,
                     .count = (uint32_t)count,
                     .value.i32_vec = xm_copy(model, values, count, sizeof *values)};
}

xm_attr xm_string_vec(xm_model *model, const char *name, const char *const *values, size_t count)
{
    return (xm_attr){.name = name,
                     .type = XM_STRING_VEC,
                     .count = (uint32_t)count,
                     .value.string_vec = xm_copy(model, values, count, sizeof *values)};
}

xm_attr xm_map(xm_model *model, const char *name, xm_attr_type type, const xm_entry *entries, size_t count)
{
    return (xm_attr){.name = name,
                     .type = type,
                     .count = (uint32_t)count,
                     .value.entries = xm_copy(model, entries, count, sizeof *entries)};
}

xm_attrs xm_attrs_copy(xm_model *model, const xm_attr *list, size_t count)
{
    return (xm_attrs){.list = xm_copy(model, list, count, sizeof *list), .count = count};
}

/* ---- protocol buffers, backwards ---- */

void xm_buffer_free(xm_buffer *buffer)
{
    free(buffer->data);
    free(buffer->holes);
    *buffer = (xm_buffer){0};
}

void xm_buffer_clear(xm_buffer *buffer)
{
    buffer->start = buffer->capacity_bytes;
    buffer->total_bytes = 0;
    buffer->n_holes = 0;
}

static void make_room(xm_buffer *buffer, size_t size_bytes)
{
    if (buffer->start >= size_bytes)
        return;
    size_t used = buffer->capacity_bytes - buffer->start;
    size_t capacity = buffer->capacity_bytes ? buffer->capacity_bytes : FIRST_BUFFER_BYTES;
    while (capacity - used < size_bytes) {
        if (capacity > SIZE_MAX / 2)
            xm_die("xmodel writer: no memory for %zu more bytes", size_bytes);
        capacity *= 2;
    }
    uint8_t *data = xm_checked_realloc(NULL, capacity, 1);
    if (used)
        memcpy(data + capacity - used, buffer->data + buffer->start, used);
    free(buffer->data);
    buffer->data = data;
    buffer->capacity_bytes = capacity;
    buffer->start = capacity - used;
}

void xm_put_raw(xm_buffer *buffer, const void *data, size_t size_bytes)
{
    if (size_bytes == 0)
        return;
    make_room(buffer, size_bytes);
    buffer->start -= size_bytes;
    buffer->total_bytes += size_bytes;
    memcpy(buffer->data + buffer->start, data, size_bytes);
}

void xm_put_zeros(xm_buffer *buffer, uint64_t size_bytes)
{
    if (size_bytes == 0)
        return;
    if (buffer->n_holes == buffer->holes_capacity) {
        buffer->holes_capacity = buffer->holes_capacity ? 2 * buffer->holes_capacity : 4;
        buffer->holes = xm_checked_realloc(buffer->holes, buffer->holes_capacity, sizeof *buffer->holes);
    }
    size_t behind = buffer->capacity_bytes - buffer->start;
    buffer->holes[buffer->n_holes++] = (xm_hole){.bytes_behind = behind, .size_bytes = size_bytes};
    buffer->total_bytes += size_bytes;
}

void xm_put_varint(xm_buffer *buffer, uint64_t value)
{
    uint8_t bytes[10];
    size_t n = 0;

    do {
        bytes[n++] = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value);
    xm_put_raw(buffer, bytes, n);
}

void xm_put_tag(xm_buffer *buffer, uint32_t field, xm_wire wire)
{
    xm_put_varint(buffer, (uint64_t)field << 3 | (uint64_t)wire);
}

void xm_put_uint(xm_buffer *buffer, uint32_t field, uint64_t value)
{
    xm_put_varint(buffer, value);
    xm_put_tag(buffer, field, XM_WIRE_VARINT);
}

void xm_put_int(xm_buffer *buffer, uint32_t field, int64_t value)
{
    xm_put_uint(buffer, field, (uint64_t)value);
}

void xm_put_float(xm_buffer *buffer, uint32_t field, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    const uint8_t bytes[4] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16),
                              (uint8_t)(bits >> 24)};
    xm_put_raw(buffer, bytes, sizeof bytes);
    xm_put_tag(buffer, field, XM_WIRE_FIXED32);
}

void xm_put_string(xm_buffer *buffer, uint32_t field, const char *text)
{
    size_t length = strlen(text);

    xm_put_raw(buffer, text, length);
    xm_put_varint(buffer, length);
    xm_put_tag(buffer, field, XM_WIRE_LENGTH);
}

uint64_t xm_message_end(const xm_buffer *buffer)
{
    return buffer->total_bytes;
}

void xm_message_begin(xm_buffer *buffer, uint32_t field, uint64_t mark)
{
    xm_put_varint(buffer, buffer->total_bytes - mark);
    xm_put_tag(buffer, field, XM_WIRE_LENGTH);
}

/* ---- XIR messages ---- */

typedef struct encoder {
    xm_buffer buffer;
    const xm_options *options;
} encoder;

/* Which entry comes at a step of the walk over a map; the walk goes from the end, like the buffer. */
static size_t map_index(const encoder *e, size_t count, size_t step)
{
    return e->options->reversed_maps ? step : count - 1 - step;
}

/* Repeated scalars as uint64, since sign extension makes int32 and uint32 the same on the wire. */
static void put_scalars(encoder *e, uint32_t field, const uint64_t *values, size_t count)
{
    if (count == 0)
        return;
    uint64_t mark = xm_message_end(&e->buffer);
    for (size_t i = count; i-- > 0;) {
        xm_put_varint(&e->buffer, values[i]);
        if (e->options->unpacked)
            xm_put_tag(&e->buffer, field, XM_WIRE_VARINT);
    }
    if (!e->options->unpacked)
        xm_message_begin(&e->buffer, field, mark);
}

static void put_blob(encoder *e, uint32_t field, xm_blob blob)
{
    uint64_t outer = xm_message_end(&e->buffer);

    /* proto3 omits an empty value, and the message Bytes around it stays */
    if (blob.size_bytes) {
        uint64_t inner = xm_message_end(&e->buffer);
        if (blob.data)
            xm_put_raw(&e->buffer, blob.data, (size_t)blob.size_bytes);
        else
            xm_put_zeros(&e->buffer, blob.size_bytes);
        xm_message_begin(&e->buffer, BYTES_VALUE, inner);
    }
    xm_message_begin(&e->buffer, field, outer);
}

static void put_attr_flag(encoder *e, const xm_attr *attr)
{
    xm_put_uint(&e->buffer, attr->type, attr->value.flag);
}

static void put_attr_i32(encoder *e, const xm_attr *attr)
{
    xm_put_int(&e->buffer, attr->type, attr->value.i32);
}

static void put_attr_u32(encoder *e, const xm_attr *attr)
{
    xm_put_uint(&e->buffer, attr->type, attr->value.u32);
}

static void put_attr_i64(encoder *e, const xm_attr *attr)
{
    xm_put_int(&e->buffer, attr->type, attr->value.i64);
}

static void put_attr_u64(encoder *e, const xm_attr *attr)
{
    xm_put_uint(&e->buffer, attr->type, attr->value.u64);
}

static void put_attr_f32(encoder *e, const xm_attr *attr)
{
    xm_put_float(&e->buffer, attr->type, attr->value.f32);
}

static void put_attr_string(encoder *e, const xm_attr *attr)
{
    xm_put_string(&e->buffer, attr->type, attr->value.string);
}

static void put_attr_bytes(encoder *e, const xm_attr *attr)
{
    put_blob(e, attr->type, *attr->value.bytes);
}

static void put_attr_i32_vec(encoder *e, const xm_attr *attr)
{
    uint64_t wide[16];
    uint64_t mark = xm_message_end(&e->buffer);

    if (attr->count > sizeof wide / sizeof *wide)
        xm_die("xmodel writer: %s has %u elements, vectors of at most 16 are foreseen", attr->name,
               attr->count);
    for (uint32_t i = 0; i < attr->count; i++)
        wide[i] = (uint64_t)(int64_t)attr->value.i32_vec[i];
    put_scalars(e, LIST_ITEM, wide, attr->count);
    xm_message_begin(&e->buffer, attr->type, mark);
}

static void put_attr_string_vec(encoder *e, const xm_attr *attr)
{
    uint64_t mark = xm_message_end(&e->buffer);

    for (uint32_t i = attr->count; i-- > 0;)
        xm_put_string(&e->buffer, LIST_ITEM, attr->value.string_vec[i]);
    xm_message_begin(&e->buffer, attr->type, mark);
}

static void put_entry_value(encoder *e, const xm_attr *attr, const xm_entry *entry)
{
    bool parameters =
        strcmp(attr->name, "reg_id_to_parameter_value") == 0 && strcmp(entry->key, "REG_0") == 0;

    if (attr->type == XM_MAP_INT32)
        xm_put_int(&e->buffer, MAP_VALUE, entry->value.i32);
    else if (attr->type == XM_MAP_STRING)
        xm_put_string(&e->buffer, MAP_VALUE, entry->value.string);
    else if (parameters && e->options->weights_bytes)
        put_blob(e, MAP_VALUE, (xm_blob){.size_bytes = e->options->weights_bytes});
    else
        put_blob(e, MAP_VALUE, entry->value.bytes);
}

static void put_attr_map(encoder *e, const xm_attr *attr)
{
    uint64_t outer = xm_message_end(&e->buffer);

    for (size_t step = 0; step < attr->count; step++) {
        const xm_entry *entry = &attr->value.entries[map_index(e, attr->count, step)];
        uint64_t inner = xm_message_end(&e->buffer);
        put_entry_value(e, attr, entry);
        xm_put_string(&e->buffer, MAP_KEY, entry->key);
        xm_message_begin(&e->buffer, MAP_ITEM, inner);
    }
    xm_message_begin(&e->buffer, attr->type, outer);
}

static void (*const put_attr_value[])(encoder *e, const xm_attr *attr) = {
    [XM_BOOL] = put_attr_flag,
    [XM_INT32] = put_attr_i32,
    [XM_UINT32] = put_attr_u32,
    [XM_INT64] = put_attr_i64,
    [XM_UINT64] = put_attr_u64,
    [XM_FLOAT] = put_attr_f32,
    [XM_STRING] = put_attr_string,
    [XM_BYTES] = put_attr_bytes,
    [XM_INT32_VEC] = put_attr_i32_vec,
    [XM_MAP_INT32] = put_attr_map,
    [XM_MAP_STRING] = put_attr_map,
    [XM_MAP_BYTES] = put_attr_map,
    [XM_STRING_VEC] = put_attr_string_vec,
};

static void put_attr(encoder *e, uint32_t field, const xm_attr *attr)
{
    uint64_t outer = xm_message_end(&e->buffer);
    uint64_t inner = outer;

    put_attr_value[attr->type](e, attr);
    xm_message_begin(&e->buffer, MAP_VALUE, inner);
    xm_put_string(&e->buffer, MAP_KEY, attr->name);
    xm_message_begin(&e->buffer, field, outer);
}

static void put_attrs(encoder *e, uint32_t field, const xm_attrs *attrs)
{
    for (size_t step = 0; step < attrs->count; step++)
        put_attr(e, field, &attrs->list[map_index(e, attrs->count, step)]);
}

/* How files of Vitis AI 1.1 and 1.2 spell these; eltwise-fix has no type in them, which a negative number
 * says here. */
static const struct {
    const char *attr, *text;
    int32_t number;
} old_enums[] = {
    {"nonlinear", "NONE", 0}, {"nonlinear", "RELU", 1}, {"nonlinear", "LEAKYRELU", 3},
    {"pad_mode", "FLOOR", 0}, {"type", "MAX", 0},       {"type", "AVG", 1},
    {"type", "ADD", -1},      {"type", "MUL", -1},
};

static void put_op_attr(encoder *e, const xm_attr *attr)
{
    xm_attr old = *attr;

    for (size_t i = 0; e->options->int_enums && i < sizeof old_enums / sizeof *old_enums; i++) {
        if (attr->type != XM_STRING || strcmp(old_enums[i].attr, attr->name) != 0 ||
            strcmp(old_enums[i].text, attr->value.string) != 0)
            continue;
        if (old_enums[i].number < 0)
            return;
        old = xm_i32(attr->name, old_enums[i].number);
    }
    put_attr(e, OP_ATTR, &old);
}

static void put_tensor(encoder *e, uint32_t field, const xm_tensor *tensor)
{
    uint64_t dims[8];
    uint64_t mark = xm_message_end(&e->buffer);

    if (tensor->n_dims > sizeof dims / sizeof *dims)
        xm_die("xmodel writer: %s has %zu dimensions", tensor->name, tensor->n_dims);
    for (size_t i = 0; i < tensor->n_dims; i++)
        dims[i] = tensor->dims[i];
    put_attrs(e, TENSOR_ATTR, &tensor->attrs);
    if (tensor->bit_width && !e->options->no_bit_width)
        xm_put_int(&e->buffer, TENSOR_BIT_WIDTH, tensor->bit_width);
    if (tensor->data_type)
        xm_put_uint(&e->buffer, TENSOR_DATA_TYPE, tensor->data_type);
    put_scalars(e, TENSOR_DIM, dims, tensor->n_dims);
    xm_put_string(&e->buffer, TENSOR_NAME, tensor->name);
    xm_message_begin(&e->buffer, field, mark);
}

static void put_arg(encoder *e, const xm_arg *arg)
{
    uint64_t mark = xm_message_end(&e->buffer);

    for (size_t i = arg->n_producers; i-- > 0;)
        xm_put_string(&e->buffer, ARG_PRODUCER, arg->producers[i]);
    xm_put_string(&e->buffer, ARG_NAME, arg->name);
    xm_message_begin(&e->buffer, OP_ARG, mark);
}

static void put_op(encoder *e, const xm_op *op)
{
    uint64_t mark = xm_message_end(&e->buffer);

    put_tensor(e, OP_OUTPUT, &op->output);
    for (size_t i = op->n_args; i-- > 0;)
        put_arg(e, &op->args[i]);
    for (size_t step = 0; step < op->attrs.count; step++)
        put_op_attr(e, &op->attrs.list[map_index(e, op->attrs.count, step)]);
    xm_put_string(&e->buffer, OP_TYPE, op->type);
    xm_put_string(&e->buffer, OP_NAME, op->name);
    xm_message_begin(&e->buffer, GRAPH_OP, mark);
}

/* Recursion as deep as the tree, which the caller built: three levels in real files. */
static void put_subgraph(encoder *e, uint32_t field, const xm_subgraph *subgraph)
{
    uint64_t mark = xm_message_end(&e->buffer);

    for (size_t i = subgraph->n_children; i-- > 0;)
        put_subgraph(e, SUBGRAPH_CHILD, &subgraph->children[i]);
    put_attrs(e, SUBGRAPH_ATTR, &subgraph->attrs);
    for (size_t i = subgraph->n_op_names; i-- > 0;)
        xm_put_string(&e->buffer, SUBGRAPH_OP, subgraph->op_names[i]);
    xm_put_string(&e->buffer, SUBGRAPH_NAME, subgraph->name);
    xm_message_begin(&e->buffer, field, mark);
}

/* Definitions of operators that no network uses: libxir registers what it reads, and knows the usual ones
 * already. */
static void put_op_def(encoder *e, const char *name)
{
    uint64_t mark = xm_message_end(&e->buffer);

    xm_put_string(&e->buffer, DEF_ANNOTATION, "An operator of the test generator.");
    uint64_t input = xm_message_end(&e->buffer);
    xm_put_uint(&e->buffer, DEF_ARG_TYPE, XM_REAL);
    xm_put_uint(&e->buffer, DEF_ARG_OCCURRENCE, 2); /* repeated */
    xm_put_string(&e->buffer, DEF_ARG_NAME, "input");
    xm_message_begin(&e->buffer, DEF_INPUT, input);
    xm_put_string(&e->buffer, DEF_NAME, name);
    xm_message_begin(&e->buffer, GRAPH_OP_DEF, mark);
}

/* ---- output ---- */

typedef struct sink {
    FILE *stream; /* or memory, without one */
    uint8_t *data;
    size_t size_bytes, capacity_bytes;
    uint64_t written_bytes;
} sink;

static bool sink_write(sink *out, const uint8_t *data, size_t size_bytes)
{
    out->written_bytes += size_bytes;
    if (size_bytes == 0)
        return true;
    if (out->stream)
        return fwrite(data, 1, size_bytes, out->stream) == size_bytes;
    while (out->capacity_bytes - out->size_bytes < size_bytes) {
        out->capacity_bytes = out->capacity_bytes ? 2 * out->capacity_bytes : FIRST_BUFFER_BYTES;
        out->data = xm_checked_realloc(out->data, out->capacity_bytes, 1);
    }
    memcpy(out->data + out->size_bytes, data, size_bytes);
    out->size_bytes += size_bytes;
    return true;
}

static bool sink_zeros(sink *out, uint64_t size_bytes)
{
    static const uint8_t zeros[ZEROS_BYTES];

    for (uint64_t left = size_bytes; left > 0;) {
        size_t piece = left < sizeof zeros ? (size_t)left : sizeof zeros;
        if (!sink_write(out, zeros, piece))
            return false;
        left -= piece;
    }
    return true;
}

/* One field of the graph goes out as a whole, and its memory is used again. */
static bool flush(encoder *e, sink *out)
{
    xm_buffer *buffer = &e->buffer;
    size_t at = buffer->start;
    bool good = out->written_bytes + buffer->total_bytes <= INT32_MAX;

    if (!good)
        errno = EFBIG; /* the limit of protobuf, which refuses such files */
    for (size_t i = buffer->n_holes; good && i-- > 0;) {
        size_t hole_at = buffer->capacity_bytes - buffer->holes[i].bytes_behind;
        good =
            sink_write(out, buffer->data + at, hole_at - at) && sink_zeros(out, buffer->holes[i].size_bytes);
        at = hole_at;
    }
    if (good && buffer->data)
        good = sink_write(out, buffer->data + at, buffer->capacity_bytes - at);
    xm_buffer_clear(buffer);
    return good;
}

static bool write_graph(encoder *e, const xm_model *model, sink *out)
{
    static const char *const extra_ops[] = {"example-pre-process", "example-decode-boxes",
                                            "example-resample"};

    xm_put_string(&e->buffer, GRAPH_NAME, model->name);
    if (!flush(e, out))
        return false;
    for (size_t i = 0; i < model->n_ops; i++) {
        put_op(e, &model->ops[i]);
        if (!flush(e, out))
            return false;
    }
    put_subgraph(e, GRAPH_ROOT, model->root);
    if (!flush(e, out))
        return false;
    put_attrs(e, GRAPH_ATTR, &model->attrs);
    if (!flush(e, out))
        return false;
    for (size_t i = 0; e->options->with_op_defs && i < sizeof extra_ops / sizeof *extra_ops; i++)
        put_op_def(e, extra_ops[i]);
    return flush(e, out);
}

static bool write_model(const xm_model *model, const xm_options *options, sink *out)
{
    static const xm_options plain;
    encoder e = {.options = options ? options : &plain};

    bool good = write_graph(&e, model, out);
    xm_buffer_free(&e.buffer);
    return good;
}

bool xm_write(const xm_model *model, const xm_options *options, FILE *stream)
{
    sink out = {.stream = stream};

    return write_model(model, options, &out) && fflush(stream) == 0;
}

uint8_t *xm_write_memory(const xm_model *model, const xm_options *options, size_t *size_bytes)
{
    sink out = {0};

    if (!write_model(model, options, &out)) {
        free(out.data);
        return NULL;
    }
    *size_bytes = out.size_bytes;
    return out.data;
}
