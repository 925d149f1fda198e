/* XIR .xmodel: one bare protobuf message, serial_v2.Graph, without magic, length or compression.
 *
 * Layout, from Xilinx/Vitis-AI src/vai_library/usefultools/src/xir_graph_proto_v2.proto:
 *   1. Graph      1 name, 5 OPNode*, 10 root SubGraph, 11 map of attributes, 101 operator definitions (ignored)
 *   2. OPNode     1 name, 2 type, 3 map of attributes, 4 OpArg*, 5 output Tensor
 *   3. OpArg      1 name ("input", "weights", "bias"), 2 names of the producing ops
 *   4. Tensor     1 name, 2 dimensions, 5 data type, 6 bit width, 10 map of attributes
 *   5. SubGraph   1 name, 3 names of its ops, 5 map of attributes, 10 children
 *   6. AttrValue  one of: 4 bool, 5..8 integers, 11 string, 12 bytes, 14..17 integer lists, 20 strings,
 *                 22 map of int32, 26 map of strings, 27 map of bytes; the other kinds are never needed here
 *
 * Reading goes in two rounds: scan the whole file once, counting so that every array is allocated once and noting
 * where the ops are; then fill. Payloads of weights are only ever measured by their length.
 */
#include "model/format.h"
#include "core/error.h"
#include "core/namemap.h"
#include "core/protobuf.h"
#include "model/opmap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TREE_DEPTH = 32, MAX_COUNT = 50 * 1000 * 1000 };

enum { GRAPH_NAME = 1, GRAPH_OP = 5, GRAPH_ROOT = 10, GRAPH_ATTR = 11, GRAPH_OP_DEFS = 101 };
enum { OP_NAME = 1, OP_TYPE = 2, OP_ATTR = 3, OP_ARG = 4, OP_TENSOR = 5 };
enum { ARG_NAME = 1, ARG_OPS = 2 };
enum { TENSOR_NAME = 1, TENSOR_DIM = 2, TENSOR_BIT_WIDTH = 6, TENSOR_ATTR = 10 };
enum { SUBG_NAME = 1, SUBG_OP = 3, SUBG_ATTR = 5, SUBG_CHILD = 10 };
enum {
    VALUE_BOOL = 4,
    VALUE_UINT64 = 8,
    VALUE_STRING = 11,
    VALUE_BYTES = 12,
    VALUE_INT32S = 14,
    VALUE_UINT64S = 17,
    VALUE_STRINGS = 20,
    VALUE_MAP_INT32 = 22,
    VALUE_MAP_STRING = 26,
    VALUE_MAP_BYTES = 27
};

typedef struct span {
    const unsigned char *bytes;
    uint64_t length;
} span;

/* An attribute. field is the member of AttrValue that is set, once open_attr looked. */
typedef struct attr {
    span key;
    roof_pb_field field; /* number 0: no value */
    roof_pb scope;       /* the value */
} attr;

/* Where an op lies in the file, and its name, by which others refer to it. */
typedef struct op_ref {
    roof_pb_field field;
    span name;
} op_ref;

/* A network has a dozen types and thousands of ops; each type is copied and looked up once. */
typedef struct op_type {
    const char *text;
    uint64_t length;
    roof_rule rule;
    bool average;
} op_type;

enum { MAX_TYPES = 64 }; /* remembered; more are looked up each time */

typedef struct reader {
    roof_graph *graph;
    roof_arena *arena, *scratch;
    op_ref *refs; /* in the order of the file */
    size_t n_refs, refs_room;
    roof_namemap *ops_by_name;
    roof_pb_field name, root; /* number 0: the file has none */
    op_type types[MAX_TYPES];
    uint32_t n_types;
    span *child_sort; /* per subgraph: the raw value of children_topological_sort */
    span root_target, root_model_type;
    roof_error *err;
} reader;

/* ---- small decoders ---- */

static bool span_is(span s, const char *text)
{
    size_t length = strlen(text);
    return s.length == length && memcmp(s.bytes, text, length) == 0;
}

static span span_of(const roof_pb_field *field)
{
    return (span){field->data, field->value};
}

/* Names end up in tables, JSON and terminals: proto3 demands UTF-8, and we demand that no control character
 * hides. */
static roof_status check_text(const roof_pb *scope, span s, const char *what, roof_error *err)
{
    unsigned long bad = roof_text_first_bad((const char *)s.bytes, s.length);
    if (bad == s.length)
        return ROOF_OK;
    return roof_fail_at(err, ROOF_E_DATA, (uint64_t)(s.bytes - scope->file) + bad,
                        "%s holds byte 0x%02x, want UTF-8 text without control characters", what,
                        s.bytes[bad]);
}

static roof_status copy_text(reader *r, const roof_pb *scope, const roof_pb_field *field, const char *what,
                             const char **out)
{
    ROOF_TRY(roof_pb_want(field, ROOF_PB_BYTES, what, r->err));
    ROOF_TRY(check_text(scope, span_of(field), what, r->err));
    *out = roof_arena_strndup(r->arena, (const char *)field->data, field->value);
    return *out ? ROOF_OK : roof_fail_memory(r->err);
}

/* The attribute map is a repeated message {1 key, 2 value}, in any order; a value is an AttrValue. */
static roof_status read_attr(const roof_pb *outer, const roof_pb_field *entry, attr *out, roof_error *err)
{
    roof_pb_field f;
    bool more;
    *out = (attr){0};
    ROOF_TRY(roof_pb_want(entry, ROOF_PB_BYTES, "attribute", err));
    roof_pb pb = roof_pb_enter(outer, entry);
    for (;;) {
        ROOF_TRY(roof_pb_next(&pb, &f, &more, err));
        if (!more)
            return ROOF_OK;
        if (f.number == 1) {
            ROOF_TRY(roof_pb_want(&f, ROOF_PB_BYTES, "attribute key", err));
            out->key = span_of(&f);
        } else if (f.number == 2) {
            ROOF_TRY(roof_pb_want(&f, ROOF_PB_BYTES, "attribute value", err));
            out->scope = roof_pb_enter(&pb, &f);
        }
    }
}

/* Most attributes are of no interest, so a value is looked into only when its key is. */
static roof_status open_attr(attr *a, roof_error *err)
{
    bool more = a->scope.file != NULL;
    while (more) {
        roof_pb_field f;
        ROOF_TRY(roof_pb_next(&a->scope, &f, &more, err));
        if (more)
            a->field = f;
    }
    return ROOF_OK;
}

static roof_status fail_attr(const attr *a, const char *want, roof_error *err)
{
    char key[64];
    roof_quote(key, sizeof key, (const char *)a->key.bytes, a->key.length);
    return roof_fail_at(err, ROOF_E_DATA, a->field.offset, "'%s' is of attribute kind %u, want %s", key,
                        a->field.number, want);
}

static roof_status attr_int(attr *a, int64_t *out, roof_error *err)
{
    ROOF_TRY(open_attr(a, err));
    if (a->field.number < VALUE_BOOL || a->field.number > VALUE_UINT64 || a->field.wire != ROOF_PB_VARINT)
        return fail_attr(a, "an integer", err);
    *out = (int64_t)a->field.value;
    return ROOF_OK;
}

static roof_status attr_text(attr *a, span *out, roof_error *err)
{
    ROOF_TRY(open_attr(a, err));
    if (a->field.number != VALUE_STRING || a->field.wire != ROOF_PB_BYTES)
        return fail_attr(a, "a string", err);
    *out = span_of(&a->field);
    return check_text(&a->scope, *out, "a string attribute", err);
}

/* An integer list: XVec{1 repeated}, packed or not. Reads at most max values; *n is how many there are. */
static roof_status attr_ints(attr *a, int64_t *out, uint32_t max, uint32_t *n, roof_error *err)
{
    roof_pb_field f;
    bool more;
    *n = 0;
    ROOF_TRY(open_attr(a, err));
    if (a->field.number < VALUE_INT32S || a->field.number > VALUE_UINT64S || a->field.wire != ROOF_PB_BYTES)
        return fail_attr(a, "a list of integers", err);
    roof_pb list = roof_pb_enter(&a->scope, &a->field);
    for (;;) {
        ROOF_TRY(roof_pb_next(&list, &f, &more, err));
        if (!more)
            return ROOF_OK;
        if (f.number != 1)
            continue;
        if (f.wire == ROOF_PB_VARINT) {
            if (*n < max)
                out[*n] = (int64_t)f.value;
            ++*n;
            continue;
        }
        ROOF_TRY(roof_pb_want(&f, ROOF_PB_BYTES, "list", err));
        roof_pb packed = roof_pb_enter(&list, &f);
        for (uint64_t value;;) {
            ROOF_TRY(roof_pb_varint(&packed, &value, &more, err));
            if (!more)
                break;
            if (*n < max)
                out[*n] = (int64_t)value;
            ++*n;
        }
    }
}

/* ---- tensors ---- */

static roof_status add_dim(reader *r, roof_tensor *t, uint64_t dim, uint64_t offset)
{
    if (t->n_dims == ROOF_MAX_DIMS)
        return roof_fail_at(r->err, ROOF_E_LIMIT, offset, "tensor has more than %d dimensions",
                            ROOF_MAX_DIMS);
    if (dim > UINT32_MAX)
        return roof_fail_at(r->err, ROOF_E_LIMIT, offset, "tensor dimension %" PRIu64 " does not fit 32 bits",
                            dim);
    t->dims[t->n_dims++] = (uint32_t)dim;
    return ROOF_OK;
}

static roof_status read_dims(reader *r, const roof_pb *scope, const roof_pb_field *f, roof_tensor *t)
{
    bool more;
    uint64_t value;
    if (f->wire == ROOF_PB_VARINT)
        return add_dim(r, t, f->value, f->offset);
    ROOF_TRY(roof_pb_want(f, ROOF_PB_BYTES, "tensor dimensions", r->err));
    roof_pb packed = roof_pb_enter(scope, f);
    for (;;) {
        ROOF_TRY(roof_pb_varint(&packed, &value, &more, r->err));
        if (!more)
            return ROOF_OK;
        ROOF_TRY(add_dim(r, t, value, f->offset));
    }
}

/* Strides are in elements of the innermost dimension; they differ from the shape's own where a tensor is a
 * slice of a wider one (the inputs of a concat) or a padded input. */
static roof_status read_strides(reader *r, attr *a, int64_t *strides, uint32_t *n)
{
    ROOF_TRY(attr_ints(a, strides, ROOF_MAX_DIMS, n, r->err));
    if (*n > ROOF_MAX_DIMS)
        *n = 0; /* not a shape that we can have; treated as packed */
    return ROOF_OK;
}

static roof_status read_tensor_attr(reader *r, attr *a, roof_tensor *t, uint32_t *attr_bits, int64_t *strides,
                                    uint32_t *n_strides)
{
    int64_t v;
    if (span_is(a->key, "reg_id")) {
        ROOF_TRY(attr_int(a, &v, r->err));
        t->reg_id = v >= 0 && v < 256 ? (int32_t)v : -1;
    } else if (span_is(a->key, "ddr_addr")) {
        ROOF_TRY(attr_int(a, &v, r->err));
        t->ddr_addr = v;
    } else if (span_is(a->key, "location")) {
        ROOF_TRY(attr_int(a, &v, r->err));
        t->in_ddr = v == 1;
    } else if (span_is(a->key, "bit_width")) {
        ROOF_TRY(attr_int(a, &v, r->err));
        *attr_bits = v > 0 && v <= 1024 ? (uint32_t)v : 0;
    } else if (span_is(a->key, "stride")) {
        ROOF_TRY(read_strides(r, a, strides, n_strides));
    }
    return ROOF_OK;
}

/* Elements, bytes and span of a tensor, with every product checked. */
static roof_status finish_tensor(reader *r, roof_tensor *t, const int64_t *strides, uint32_t n_strides,
                                 uint64_t offset)
{
    uint64_t bits;
    t->elements = 1;
    for (uint32_t i = 0; i < t->n_dims; i++)
        if (__builtin_mul_overflow(t->elements, (uint64_t)t->dims[i], &t->elements))
            return roof_fail_at(r->err, ROOF_E_LIMIT, offset,
                                "the product of the tensor's dimensions overflows 64 bits");
    if (__builtin_mul_overflow(t->elements, (uint64_t)t->bit_width, &bits) || t->elements > UINT64_MAX / 4096)
        return roof_fail_at(r->err, ROOF_E_LIMIT, offset, "the tensor's size overflows 64 bits");
    t->bytes = bits / 8 + (bits % 8 != 0);
    t->span_bytes = t->bytes;
    if (n_strides != t->n_dims || !t->elements)
        return ROOF_OK;
    uint64_t span_elements = 1;
    for (uint32_t i = 0; i < n_strides; i++) {
        uint64_t reach;
        if (strides[i] < 0 ||
            __builtin_mul_overflow((uint64_t)strides[i], (uint64_t)(t->dims[i] - 1), &reach) ||
            __builtin_add_overflow(span_elements, reach, &span_elements) || span_elements > UINT64_MAX / 4096)
            return roof_fail_at(r->err, ROOF_E_LIMIT, offset, "the tensor's strides overflow 64 bits");
    }
    if (span_elements > t->elements) {
        t->in_place = true;
        t->span_bytes = (span_elements * t->bit_width + 7) / 8;
    }
    return ROOF_OK;
}

static roof_status read_tensor(reader *r, const roof_pb *outer, const roof_pb_field *field, roof_tensor *t)
{
    roof_pb_field f;
    attr a;
    bool more;
    uint32_t attr_bits = 0, n_strides = 0;
    int64_t strides[ROOF_MAX_DIMS];
    *t = (roof_tensor){.name = "", .reg_id = -1, .ddr_addr = -1};
    ROOF_TRY(roof_pb_want(field, ROOF_PB_BYTES, "output tensor", r->err));
    roof_pb pb = roof_pb_enter(outer, field);
    for (;;) {
        ROOF_TRY(roof_pb_next(&pb, &f, &more, r->err));
        if (!more)
            break;
        if (f.number == TENSOR_NAME) {
            ROOF_TRY(copy_text(r, &pb, &f, "tensor name", &t->name));
        } else if (f.number == TENSOR_DIM) {
            ROOF_TRY(read_dims(r, &pb, &f, t));
        } else if (f.number == TENSOR_BIT_WIDTH) {
            ROOF_TRY(roof_pb_want(&f, ROOF_PB_VARINT, "bit width", r->err));
            if (f.value > 1024)
                return roof_fail_at(r->err, ROOF_E_DATA, f.offset, "bit width %" PRIu64 ", want at most 1024",
                                    f.value);
            t->bit_width = (uint32_t)f.value;
        } else if (f.number == TENSOR_ATTR) {
            ROOF_TRY(read_attr(&pb, &f, &a, r->err));
            ROOF_TRY(read_tensor_attr(r, &a, t, &attr_bits, strides, &n_strides));
        }
    }
    if (!t->bit_width) /* compilers of 1.1 and 1.2 write it as an attribute only */
        t->bit_width = attr_bits ? attr_bits : 8;
    return finish_tensor(r, t, strides, n_strides, field->offset);
}

/* ---- ops ---- */

enum window_key { KEY_KERNEL, KEY_STRIDE, KEY_DILATION, KEY_PAD };

static roof_status read_window(reader *r, attr *a, enum window_key key, roof_window *w)
{
    int64_t v[4] = {0};
    uint32_t n, want = key == KEY_PAD ? 4 : 2;
    ROOF_TRY(attr_ints(a, v, 4, &n, r->err));
    if (n == 0)
        return ROOF_OK; /* an empty list stands for "not set" in quantised files */
    if (n != want && !(key == KEY_PAD && n == 2))
        return roof_fail_at(r->err, ROOF_E_DATA, a->field.offset, "'%.*s' has %u value%s, want %u",
                            (int)a->key.length, (const char *)a->key.bytes, n, n == 1 ? "" : "s", want);
    for (uint32_t i = 0; i < n; i++)
        if (v[i] < (key == KEY_PAD ? -65536 : 0) || v[i] > 65536)
            return roof_fail_at(r->err, ROOF_E_DATA, a->field.offset,
                                "'%.*s' is %" PRId64 ", want at most 65536", (int)a->key.length,
                                (const char *)a->key.bytes, v[i]);
    if (key == KEY_PAD) {
        w->pad_left = (int32_t)v[0];
        w->pad_right = (int32_t)v[1];
        w->pad_top = (int32_t)v[2];
        w->pad_bottom = (int32_t)v[3];
        return ROOF_OK;
    }
    /* XIR writes [w, h] */
    uint32_t *pair[][2] = {[KEY_KERNEL] = {&w->kernel_w, &w->kernel_h},
                           [KEY_STRIDE] = {&w->stride_w, &w->stride_h},
                           [KEY_DILATION] = {&w->dilation_w, &w->dilation_h}};
    *pair[key][0] = (uint32_t)v[0];
    *pair[key][1] = (uint32_t)v[1];
    return ROOF_OK;
}

/* `type` is a string from 1.3 on and an enumeration before; only pooling needs it. In the enumeration MAX is
 * 0 and AVG 1. */
static roof_status read_type(reader *r, attr *a, roof_op *op)
{
    ROOF_TRY(open_attr(a, r->err));
    if (a->field.number == VALUE_STRING) {
        span text;
        ROOF_TRY(attr_text(a, &text, r->err));
        op->average = op->average || span_is(text, "AVG");
    } else {
        int64_t v;
        ROOF_TRY(attr_int(a, &v, r->err));
        op->average = op->average || v == 1;
    }
    return ROOF_OK;
}

static roof_status read_op_attr(reader *r, attr *a, roof_op *op)
{
    static const char *const window_keys[] = {
        [KEY_KERNEL] = "kernel", [KEY_STRIDE] = "stride", [KEY_DILATION] = "dilation", [KEY_PAD] = "pad"};
    int64_t v;
    for (unsigned key = 0; key < 4; key++) {
        if (!span_is(a->key, window_keys[key]))
            continue;
        ROOF_TRY(open_attr(a, r->err));
        if (key == KEY_STRIDE && a->field.wire == ROOF_PB_VARINT) { /* tile-fix: one number */
            ROOF_TRY(attr_int(a, &v, r->err));
            op->tile_stride = v > 0 && v < 65536 ? (uint32_t)v : 0;
            return ROOF_OK;
        }
        return read_window(r, a, (enum window_key)key, &op->window);
    }
    if (span_is(a->key, "workload")) {
        ROOF_TRY(attr_int(a, &v, r->err));
        op->stored_workload_ops = (uint64_t)v;
    } else if (span_is(a->key, "channel_augmentation")) {
        ROOF_TRY(attr_int(a, &v, r->err));
        op->channel_augmentation = v > 0 && v < 65536 ? (uint32_t)v : 0;
    } else if (span_is(a->key, "type")) {
        return read_type(r, a, op);
    }
    return ROOF_OK;
}

static roof_role role_of(span name)
{
    return span_is(name, "input")     ? ROOF_ROLE_INPUT
           : span_is(name, "weights") ? ROOF_ROLE_WEIGHTS
           : span_is(name, "bias")    ? ROOF_ROLE_BIAS
                                      : ROOF_ROLE_OTHER;
}

static roof_status add_edge(reader *r, roof_op *op, const roof_pb_field *f)
{
    roof_graph *g = r->graph;
    ROOF_TRY(roof_pb_want(f, ROOF_PB_BYTES, "producer name", r->err));
    uint32_t producer = roof_namemap_find(r->ops_by_name, f->data, f->value);
    if (producer == ROOF_NONE) {
        char name[128];
        roof_quote(name, sizeof name, (const char *)f->data, f->value);
        return roof_fail_at(r->err, ROOF_E_DATA, f->offset,
                            "takes input from op '%s', which the file does not have", name);
    }
    g->edges[g->n_edges++] = (roof_edge){.op = producer, .role = ROOF_ROLE_OTHER};
    op->n_inputs++;
    return ROOF_OK;
}

/* The argument's name may stand behind its producers, so their role is set last. */
static roof_status read_arg(reader *r, const roof_pb *outer, const roof_pb_field *field, roof_op *op)
{
    roof_pb_field f;
    bool more;
    roof_role role = ROOF_ROLE_OTHER;
    uint32_t first = r->graph->n_edges;
    roof_pb pb = roof_pb_enter(outer, field);
    for (;;) {
        ROOF_TRY(roof_pb_next(&pb, &f, &more, r->err));
        if (!more)
            break;
        if (f.number == ARG_NAME) {
            ROOF_TRY(roof_pb_want(&f, ROOF_PB_BYTES, "argument name", r->err));
            role = role_of(span_of(&f));
        } else if (f.number == ARG_OPS) {
            ROOF_TRY(add_edge(r, op, &f));
        }
    }
    for (uint32_t i = first; i < r->graph->n_edges; i++)
        r->graph->edges[i].role = role;
    return ROOF_OK;
}

static roof_status read_type_name(reader *r, const roof_pb *pb, const roof_pb_field *f, roof_op *op)
{
    op_type found = {0};
    for (uint32_t i = 0; i < r->n_types && !found.text && f->wire == ROOF_PB_BYTES; i++)
        if (r->types[i].length == f->value && memcmp(r->types[i].text, f->data, f->value) == 0)
            found = r->types[i];
    if (!found.text) {
        ROOF_TRY(copy_text(r, pb, f, "op type", &found.text));
        found.length = f->value;
        found.rule = roof_rule_of(found.text);
        found.average = strncmp(found.text, "avgpool", 7) == 0;
        if (r->n_types < MAX_TYPES)
            r->types[r->n_types++] = found;
    }
    op->type = found.text;
    op->rule = found.rule;
    op->average = op->average || found.average;
    return ROOF_OK;
}

static roof_status read_op_fields(reader *r, const roof_pb *outer, const roof_pb_field *field, roof_op *op)
{
    roof_pb_field f;
    attr a;
    bool more;
    roof_pb pb = roof_pb_enter(outer, field);
    op->first_input = r->graph->n_edges;
    for (;;) {
        ROOF_TRY(roof_pb_next(&pb, &f, &more, r->err));
        if (!more)
            return ROOF_OK;
        if (f.number == OP_NAME) {
            ROOF_TRY(copy_text(r, &pb, &f, "op name", &op->name));
        } else if (f.number == OP_TYPE) {
            ROOF_TRY(read_type_name(r, &pb, &f, op));
        } else if (f.number == OP_ATTR) {
            ROOF_TRY(read_attr(&pb, &f, &a, r->err));
            ROOF_TRY(read_op_attr(r, &a, op));
        } else if (f.number == OP_ARG) {
            ROOF_TRY(roof_pb_want(&f, ROOF_PB_BYTES, "argument", r->err));
            ROOF_TRY(read_arg(r, &pb, &f, op));
        } else if (f.number == OP_TENSOR) {
            ROOF_TRY(read_tensor(r, &pb, &f, &op->out));
        }
    }
}

static roof_status read_op(reader *r, const roof_pb *outer, const roof_pb_field *field, roof_op *op)
{
    roof_status status = read_op_fields(r, outer, field, op);
    if (status != ROOF_OK) {
        char name[200];
        roof_error_prefix(r->err, "op '%s'", roof_quote(name, sizeof name, op->name, strlen(op->name)));
    }
    return status;
}

/* ---- counting ---- */

typedef struct counts {
    uint64_t edges, subgraphs, subgraph_ops, registers;
} counts;

static op_ref *new_ref(reader *r)
{
    if (r->n_refs == r->refs_room) {
        size_t room = r->refs_room ? 2 * r->refs_room : 256;
        op_ref *grown = realloc(r->refs, room * sizeof *grown);
        if (!grown)
            return NULL;
        r->refs = grown;
        r->refs_room = room;
    }
    op_ref *ref = &r->refs[r->n_refs];
    r->n_refs++;
    *ref = (op_ref){0};
    return ref;
}

static roof_status count_producers(const roof_pb *outer, const roof_pb_field *arg, counts *n, roof_error *err)
{
    roof_pb_field f;
    bool more = true;
    roof_pb pb = roof_pb_enter(outer, arg);
    while (more) {
        ROOF_TRY(roof_pb_next(&pb, &f, &more, err));
        n->edges += more && f.number == ARG_OPS;
    }
    return ROOF_OK;
}

/* What every op must have is demanded here, before memory is spent on it. */
static roof_status scan_op(reader *r, const roof_pb *outer, const roof_pb_field *field, counts *n)
{
    roof_pb_field f;
    bool more = true, has_tensor = false;
    op_ref *ref = new_ref(r);
    if (!ref)
        return roof_fail_memory(r->err);
    ROOF_TRY(roof_pb_want(field, ROOF_PB_BYTES, "op", r->err));
    ref->field = *field;
    roof_pb pb = roof_pb_enter(outer, field);
    while (more) {
        ROOF_TRY(roof_pb_next(&pb, &f, &more, r->err));
        if (!more)
            break;
        if (f.number == OP_NAME) {
            ROOF_TRY(roof_pb_want(&f, ROOF_PB_BYTES, "op name", r->err));
            ref->name = span_of(&f);
        } else if (f.number == OP_ARG && f.wire == ROOF_PB_BYTES) {
            ROOF_TRY(count_producers(&pb, &f, n, r->err));
        }
        has_tensor = has_tensor || f.number == OP_TENSOR;
    }
    if (!ref->name.length || ref->name.length > UINT32_MAX)
        return roof_fail_at(r->err, ROOF_E_DATA, field->offset, "op %zu has no name", r->n_refs - 1);
    if (!has_tensor) {
        char name[200];
        roof_quote(name, sizeof name, (const char *)ref->name.bytes, ref->name.length);
        return roof_fail_at(r->err, ROOF_E_DATA, field->offset, "op '%s' has no output tensor", name);
    }
    return ROOF_OK;
}

/* A register table has an entry per register in each of several maps; counting all of them is a safe upper
 * bound. */
static roof_status count_registers(const roof_pb *outer, const roof_pb_field *entry, counts *n,
                                   roof_error *err)
{
    attr a;
    roof_pb_field f;
    bool more = true;
    ROOF_TRY(read_attr(outer, entry, &a, err));
    if (a.key.length < 9 || memcmp(a.key.bytes, "reg_id_to", 9) != 0)
        return ROOF_OK;
    ROOF_TRY(open_attr(&a, err));
    if (a.field.wire != ROOF_PB_BYTES)
        return ROOF_OK;
    roof_pb map = roof_pb_enter(&a.scope, &a.field);
    while (more) {
        ROOF_TRY(roof_pb_next(&map, &f, &more, err));
        n->registers += more;
    }
    return ROOF_OK;
}

static roof_status count_subgraph(const roof_pb *outer, const roof_pb_field *field, unsigned depth, counts *n,
                                  roof_error *err)
{
    roof_pb_field f;
    bool more;
    ROOF_TRY(roof_pb_want(field, ROOF_PB_BYTES, "subgraph", err));
    if (depth > MAX_TREE_DEPTH)
        return roof_fail_at(err, ROOF_E_LIMIT, field->offset, "subgraphs are nested more than %d deep",
                            MAX_TREE_DEPTH);
    roof_pb pb = roof_pb_enter(outer, field);
    n->subgraphs++;
    for (;;) {
        ROOF_TRY(roof_pb_next(&pb, &f, &more, err));
        if (!more)
            return ROOF_OK;
        if (f.number == SUBG_CHILD)
            ROOF_TRY(count_subgraph(&pb, &f, depth + 1, n, err));
        else if (f.number == SUBG_ATTR)
            ROOF_TRY(count_registers(&pb, &f, n, err));
        n->subgraph_ops += f.number == SUBG_OP;
    }
}

/* ---- subgraphs ---- */

static roof_register *find_register(roof_graph *g, roof_subgraph *s, int32_t id)
{
    for (uint32_t i = 0; i < s->n_registers; i++)
        if (g->registers[s->first_register + i].id == id)
            return &g->registers[s->first_register + i];
    g->registers[g->n_registers] = (roof_register){.id = id, .size_bytes = ROOF_UNKNOWN};
    s->n_registers++;
    return &g->registers[g->n_registers++];
}

/* "REG_12" -> 12, -1 for anything else. */
static int32_t register_id(span key)
{
    int32_t id = 0;
    if (key.length < 5 || key.length > 7 || memcmp(key.bytes, "REG_", 4) != 0)
        return -1;
    for (uint64_t i = 4; i < key.length; i++) {
        if (key.bytes[i] < '0' || key.bytes[i] > '9')
            return -1;
        id = id * 10 + (key.bytes[i] - '0');
    }
    return id < 256 ? id : -1;
}

static roof_status set_register(reader *r, roof_subgraph *s, attr *a, span key, const roof_pb *scope,
                                const roof_pb_field *value)
{
    int32_t id = register_id(key);
    if (id < 0)
        return ROOF_OK;
    roof_register *reg = find_register(r->graph, s, id);
    if (a->field.number == VALUE_MAP_STRING && span_is(a->key, "reg_id_to_context_type")) {
        /* CODE is the instruction stream of AIE2 files; WORKSPACE and INTERFACE belong to the v2 map */
        reg->constant = value->wire == ROOF_PB_BYTES && span_is(span_of(value), "CONST");
    } else if (a->field.number == VALUE_MAP_INT32 && span_is(a->key, "reg_id_to_size") &&
               value->wire == ROOF_PB_VARINT) {
        reg->size_bytes = value->value <= INT32_MAX ? value->value : ROOF_UNKNOWN;
    } else if (a->field.number == VALUE_MAP_BYTES && span_is(a->key, "reg_id_to_parameter_value") &&
               value->wire == ROOF_PB_BYTES) {
        roof_pb bytes = roof_pb_enter(scope, value); /* Bytes{1 bytes}; only its length is of interest */
        roof_pb_field f;
        bool more = true;
        while (more) {
            ROOF_TRY(roof_pb_next(&bytes, &f, &more, r->err));
            if (more && f.number == 1 && f.wire == ROOF_PB_BYTES)
                reg->parameter_bytes = f.value;
        }
    }
    return ROOF_OK;
}

static roof_status read_register_map(reader *r, roof_subgraph *s, attr *a)
{
    roof_pb_field entry, f;
    bool more, inner;
    ROOF_TRY(open_attr(a, r->err));
    if (a->field.wire != ROOF_PB_BYTES || a->field.number < VALUE_MAP_INT32)
        return ROOF_OK;
    roof_pb map = roof_pb_enter(&a->scope, &a->field);
    for (;;) {
        ROOF_TRY(roof_pb_next(&map, &entry, &more, r->err));
        if (!more)
            return ROOF_OK;
        ROOF_TRY(roof_pb_want(&entry, ROOF_PB_BYTES, "map entry", r->err));
        roof_pb pb = roof_pb_enter(&map, &entry);
        span key = {0};
        roof_pb_field value = {0};
        for (;;) {
            ROOF_TRY(roof_pb_next(&pb, &f, &inner, r->err));
            if (!inner)
                break;
            if (f.number == 1 && f.wire == ROOF_PB_BYTES)
                key = span_of(&f);
            else if (f.number == 2)
                value = f;
        }
        if (key.bytes)
            ROOF_TRY(set_register(r, s, a, key, &pb, &value));
    }
}

static roof_status copy_attr_text(reader *r, attr *a, const char **out)
{
    span text;
    ROOF_TRY(attr_text(a, &text, r->err));
    *out = roof_arena_strndup(r->arena, (const char *)text.bytes, text.length);
    return *out ? ROOF_OK : roof_fail_memory(r->err);
}

/* A Bytes attribute: AttrValue field 12 holds Bytes{1 bytes}. */
static roof_status read_code(reader *r, attr *a, roof_code *code)
{
    roof_pb_field f;
    bool more;
    ROOF_TRY(open_attr(a, r->err));
    if (a->field.number != VALUE_BYTES || a->field.wire != ROOF_PB_BYTES)
        return fail_attr(a, "bytes", r->err);
    roof_pb pb = roof_pb_enter(&a->scope, &a->field);
    for (;;) {
        ROOF_TRY(roof_pb_next(&pb, &f, &more, r->err));
        if (!more)
            return ROOF_OK;
        if (f.number != 1 || f.wire != ROOF_PB_BYTES || f.value == 0)
            continue;
        *code = (roof_code){
            .bytes = f.data, .length_bytes = f.value, .file_offset = (uint64_t)(f.data - pb.file)};
    }
}

static roof_device device_of(const char *name)
{
    if (strcmp(name, "USER") == 0)
        return ROOF_DEVICE_USER;
    if (strcmp(name, "CPU") == 0)
        return ROOF_DEVICE_CPU;
    return name[0] ? ROOF_DEVICE_ACCELERATOR : ROOF_DEVICE_NONE;
}

static roof_status read_sort(reader *r, attr *a, span *out)
{
    ROOF_TRY(open_attr(a, r->err));
    if (a->field.number == VALUE_STRINGS && a->field.wire == ROOF_PB_BYTES)
        *out = span_of(&a->field);
    return ROOF_OK;
}

/* Of files for the DPU-for-RNN; other kinds of value under these keys are not ours. */
static roof_status read_root_text(reader *r, attr *a, const roof_subgraph *s, span *out)
{
    ROOF_TRY(open_attr(a, r->err));
    return s->depth == 0 && a->field.number == VALUE_STRING ? attr_text(a, out, r->err) : ROOF_OK;
}

static roof_status read_subgraph_attr(reader *r, attr *a, roof_subgraph *s, span *child_sort)
{
    int64_t v;
    if (span_is(a->key, "device")) {
        ROOF_TRY(copy_attr_text(r, a, &s->device_name));
        s->device = device_of(s->device_name);
    } else if (span_is(a->key, "dpu_name")) {
        return copy_attr_text(r, a, &s->target);
    } else if (span_is(a->key, "debug_mode")) {
        return copy_attr_text(r, a, &s->code_mode);
    } else if (span_is(a->key, "dpu_fingerprint")) {
        ROOF_TRY(attr_int(a, &v, r->err));
        s->fingerprint = (uint64_t)v;
    } else if (span_is(a->key, "workload")) {
        ROOF_TRY(attr_int(a, &v, r->err));
        s->stored_workload_ops = (uint64_t)v;
    } else if (span_is(a->key, "skip_code_gen")) {
        ROOF_TRY(attr_int(a, &v, r->err));
        s->skip_code_gen = v != 0;
    } else if (span_is(a->key, "mc_code")) {
        return read_code(r, a, &s->code);
    } else if (span_is(a->key, "children_topological_sort")) {
        return read_sort(r, a, child_sort);
    } else if (a->key.length > 9 && memcmp(a->key.bytes, "reg_id_to", 9) == 0) {
        return read_register_map(r, s, a);
    } else if (span_is(a->key, "target")) {
        return read_root_text(r, a, s, &r->root_target);
    } else if (span_is(a->key, "model_type")) {
        return read_root_text(r, a, s, &r->root_model_type);
    }
    return ROOF_OK;
}

static roof_status add_subgraph_op(reader *r, roof_subgraph *s, const roof_pb_field *f)
{
    ROOF_TRY(roof_pb_want(f, ROOF_PB_BYTES, "op name of a subgraph", r->err));
    uint32_t op = roof_namemap_find(r->ops_by_name, f->data, f->value);
    if (op == ROOF_NONE) {
        char name[128];
        roof_quote(name, sizeof name, (const char *)f->data, f->value);
        return roof_fail_at(r->err, ROOF_E_DATA, f->offset,
                            "subgraph '%.100s' names op '%s', which the file does not have", s->name, name);
    }
    r->graph->subgraph_ops[r->graph->n_subgraph_ops++] = op;
    s->n_ops++;
    return ROOF_OK;
}

/* Children are linked while the tree is walked; the walk is bounded by the depth that count_subgraph checked.
 */
static roof_status read_subgraph(reader *r, const roof_pb *outer, const roof_pb_field *field, uint32_t parent,
                                 uint32_t *index)
{
    roof_graph *g = r->graph;
    uint32_t self = *index = g->n_subgraphs++, last_child = ROOF_NONE;
    roof_subgraph *s = &g->subgraphs[self];
    roof_pb_field f;
    attr a;
    bool more;
    *s = (roof_subgraph){.name = "",
                         .device_name = "",
                         .target = "",
                         .code_mode = "",
                         .parent = parent,
                         .depth = parent == ROOF_NONE ? 0 : g->subgraphs[parent].depth + 1,
                         .first_child = ROOF_NONE,
                         .next_sibling = ROOF_NONE,
                         .stored_workload_ops = ROOF_UNKNOWN,
                         .first_register = g->n_registers,
                         .first_op = g->n_subgraph_ops};
    for (int round = 0; round < 2;
         round++) { /* own attributes before the children, whatever the order in the file */
        roof_pb pb = roof_pb_enter(outer, field);
        for (;;) {
            ROOF_TRY(roof_pb_next(&pb, &f, &more, r->err));
            if (!more)
                break;
            if (round == 0 && f.number == SUBG_NAME) {
                ROOF_TRY(copy_text(r, &pb, &f, "subgraph name", &s->name));
            } else if (round == 0 && f.number == SUBG_OP) {
                ROOF_TRY(add_subgraph_op(r, s, &f));
            } else if (round == 0 && f.number == SUBG_ATTR) {
                ROOF_TRY(read_attr(&pb, &f, &a, r->err));
                ROOF_TRY(read_subgraph_attr(r, &a, s, &r->child_sort[self]));
            } else if (round == 1 && f.number == SUBG_CHILD) {
                uint32_t child;
                ROOF_TRY(read_subgraph(r, &pb, &f, self, &child));
                *(last_child == ROOF_NONE ? &s->first_child : &g->subgraphs[last_child].next_sibling) = child;
                last_child = child;
            }
        }
    }
    return ROOF_OK;
}

/* ---- layers ---- */

/* Takes over all ops below node, in the order of the tree. */
static void claim_ops(reader *r, uint32_t node, uint32_t layer, uint32_t device_subgraph)
{
    roof_graph *g = r->graph;
    const roof_subgraph *s = &g->subgraphs[node];
    for (uint32_t i = 0; i < s->n_ops; i++) {
        uint32_t index = g->subgraph_ops[s->first_op + i];
        roof_op *op = &g->ops[index];
        op->subgraph = device_subgraph;
        if (layer == ROOF_NONE || op->layer != ROOF_NONE)
            continue; /* an op belongs to one layer: the first that names it */
        op->layer = layer;
        g->layer_ops[g->n_layer_ops++] = index;
        g->layers[layer].n_ops++;
    }
    for (uint32_t c = s->first_child; c != ROOF_NONE; c = g->subgraphs[c].next_sibling)
        claim_ops(r, c, layer, device_subgraph);
}

static uint32_t add_layer(reader *r, uint32_t device_subgraph, uint32_t node)
{
    roof_graph *g = r->graph;
    const roof_subgraph *s = &g->subgraphs[node];
    uint32_t index = g->n_layers++;
    g->layers[index] = (roof_layer){.name = s->name,
                                    .subgraph = device_subgraph,
                                    .node = node,
                                    .first_op = g->n_layer_ops,
                                    .stored_workload_ops = s->stored_workload_ops,
                                    .skip_code_gen = s->skip_code_gen};
    if (node != device_subgraph)
        g->layers[index].code = s->code;
    claim_ops(r, node, index, device_subgraph);
    return index;
}

/* Names of children and grandchildren (three-level trees); where both have it, the child's counts. */
static roof_namemap *index_children(reader *r, uint32_t device_subgraph)
{
    const roof_subgraph *all = r->graph->subgraphs;
    size_t n = 0;
    for (uint32_t c = all[device_subgraph].first_child; c != ROOF_NONE; c = all[c].next_sibling) {
        n++;
        for (uint32_t g = all[c].first_child; g != ROOF_NONE; g = all[g].next_sibling)
            n++;
    }
    roof_namemap *map = roof_namemap_new(r->scratch, n);
    if (!map)
        return NULL;
    for (uint32_t c = all[device_subgraph].first_child; c != ROOF_NONE; c = all[c].next_sibling)
        roof_namemap_add(map, all[c].name, strlen(all[c].name), c);
    for (uint32_t c = all[device_subgraph].first_child; c != ROOF_NONE; c = all[c].next_sibling)
        for (uint32_t g = all[c].first_child; g != ROOF_NONE; g = all[g].next_sibling)
            roof_namemap_add(map, all[g].name, strlen(all[g].name), g);
    return map;
}

static roof_status add_sorted_layers(reader *r, uint32_t device_subgraph)
{
    roof_graph *g = r->graph;
    roof_pb_field f;
    bool more;
    span list = r->child_sort[device_subgraph];
    roof_namemap *children = index_children(r, device_subgraph);
    unsigned char *listed = ROOF_NEW_ARRAY(r->scratch, unsigned char, g->n_subgraphs);
    roof_pb pb = {.file = g->storage->file.bytes, .next = list.bytes, .end = list.bytes + list.length};
    if (!children || !listed)
        return roof_fail_memory(r->err);
    for (;;) {
        ROOF_TRY(roof_pb_next(&pb, &f, &more, r->err));
        if (!more)
            return ROOF_OK;
        ROOF_TRY(roof_pb_want(&f, ROOF_PB_BYTES, "children_topological_sort", r->err));
        uint32_t child = roof_namemap_find(children, f.data, f.value);
        if (child == ROOF_NONE || listed[child]) {
            char name[128];
            roof_quote(name, sizeof name, (const char *)f.data, f.value);
            return roof_fail_at(r->err, ROOF_E_DATA, f.offset, "children_topological_sort names '%s' %s",
                                name, child == ROOF_NONE ? "which is no child" : "twice");
        }
        listed[child] = 1;
        add_layer(r, device_subgraph, child);
    }
}

static roof_status add_accelerator_layers(reader *r, uint32_t device_subgraph)
{
    roof_graph *g = r->graph;
    roof_status status = ROOF_OK;
    if (r->child_sort[device_subgraph].length) {
        status = add_sorted_layers(r, device_subgraph);
    } else if (g->subgraphs[device_subgraph].first_child !=
               ROOF_NONE) { /* no order given: that of the file */
        for (uint32_t c = g->subgraphs[device_subgraph].first_child; c != ROOF_NONE;
             c = g->subgraphs[c].next_sibling)
            add_layer(r, device_subgraph, c);
    } else {
        add_layer(r, device_subgraph, device_subgraph);
    }
    if (status != ROOF_OK)
        roof_error_prefix(r->err, "subgraph '%.100s'", g->subgraphs[device_subgraph].name);
    return status;
}

static roof_status refuse_without_accelerator(reader *r)
{
    if (r->root_model_type.length || r->root_target.length)
        return roof_fail(
            r->err, ROOF_E_UNSUPPORTED,
            "is a recurrent network for the DPU-for-RNN (target %.*s): one operator stands for the whole "
            "network, its layers exist only inside the instructions, so there is nothing to analyse per "
            "layer",
            r->root_target.length ? (int)r->root_target.length : 7,
            r->root_target.length ? (const char *)r->root_target.bytes : "unknown");
    return roof_fail(
        r->err, ROOF_E_UNSUPPORTED,
        "has no subgraph for a DPU: the compiler left everything to the host, so there are no accelerator "
        "layers to analyse; compile the quantised model for the target");
}

static roof_status build_compiled_layers(reader *r)
{
    roof_graph *g = r->graph;
    bool any = false;
    for (uint32_t s = g->subgraphs[0].first_child; s != ROOF_NONE; s = g->subgraphs[s].next_sibling)
        any = any || g->subgraphs[s].device == ROOF_DEVICE_ACCELERATOR;
    if (!any)
        return refuse_without_accelerator(r);
    for (uint32_t s = g->subgraphs[0].first_child; s != ROOF_NONE; s = g->subgraphs[s].next_sibling) {
        roof_subgraph *sub = &g->subgraphs[s];
        sub->first_layer = g->n_layers;
        if (sub->device == ROOF_DEVICE_ACCELERATOR)
            ROOF_TRY(add_accelerator_layers(r, s));
        else if (sub->device == ROOF_DEVICE_CPU)
            add_layer(r, s, s);
        sub->n_layers = g->n_layers - sub->first_layer;
        claim_ops(r, s, ROOF_NONE, s);
    }
    return ROOF_OK;
}

/* A file that is only quantised: one layer per computing op, in an order in which they can run. */
static roof_status build_quantised_layers(reader *r)
{
    roof_graph *g = r->graph;
    uint32_t *order = ROOF_NEW_ARRAY(r->scratch, uint32_t, g->n_ops);
    if (!order)
        return roof_fail_memory(r->err);
    ROOF_TRY(roof_graph_topological_order(g, order, r->err));
    for (uint32_t i = 0; i < g->n_ops; i++) {
        roof_op *op = &g->ops[order[i]];
        op->subgraph = 0;
        if (!roof_rule_computes(op->rule))
            continue;
        op->layer = g->n_layers;
        g->layers[g->n_layers++] = (roof_layer){.name = op->name,
                                                .node = ROOF_NONE,
                                                .first_op = g->n_layer_ops,
                                                .n_ops = 1,
                                                .stored_workload_ops = op->stored_workload_ops};
        g->layer_ops[g->n_layer_ops++] = order[i];
    }
    g->subgraphs[0].n_layers = g->n_layers;
    return ROOF_OK;
}

/* ---- the graph ---- */

/* "xcompiler.3.5.0" among the keys of libs_info; longer keys that begin alike are commit names. */
static roof_status read_compiler(reader *r, attr *a)
{
    roof_pb_field entry, f;
    bool more, inner;
    roof_pb map = roof_pb_enter(&a->scope, &a->field);
    for (;;) {
        ROOF_TRY(roof_pb_next(&map, &entry, &more, r->err));
        if (!more)
            return ROOF_OK;
        ROOF_TRY(roof_pb_want(&entry, ROOF_PB_BYTES, "map entry", r->err));
        roof_pb pb = roof_pb_enter(&map, &entry);
        for (;;) {
            ROOF_TRY(roof_pb_next(&pb, &f, &inner, r->err));
            if (!inner)
                break;
            if (f.number != 1 || f.wire != ROOF_PB_BYTES || f.value < 11 || f.value > 24 ||
                memcmp(f.data, "xcompiler.", 10) != 0)
                continue;
            bool version = true;
            for (uint64_t i = 10; i < f.value; i++)
                version = version && ((f.data[i] >= '0' && f.data[i] <= '9') || f.data[i] == '.');
            if (version &&
                !(r->graph->compiler = roof_arena_strndup(r->arena, (const char *)f.data, f.value)))
                return roof_fail_memory(r->err);
        }
    }
}

static roof_status scan_graph_attr(reader *r, const roof_pb *pb, const roof_pb_field *f)
{
    attr a;
    ROOF_TRY(read_attr(pb, f, &a, r->err));
    if (!span_is(a.key, "libs_info"))
        return ROOF_OK;
    ROOF_TRY(open_attr(&a, r->err));
    bool is_map = a.field.number == VALUE_MAP_STRING && a.field.wire == ROOF_PB_BYTES;
    return is_map ? read_compiler(r, &a) : ROOF_OK;
}

static roof_status check_counts(const reader *r, const counts *n, uint64_t file_end)
{
    if (r->n_refs > MAX_COUNT || n->edges > MAX_COUNT || n->subgraphs > MAX_COUNT)
        return roof_fail(r->err, ROOF_E_LIMIT, "more than %d ops, edges or subgraphs", MAX_COUNT);
    if (r->n_refs == 0)
        return roof_fail_at(r->err, ROOF_E_DATA, file_end, "the file ends without a single op");
    if (n->subgraphs == 0)
        return roof_fail_at(r->err, ROOF_E_DATA, file_end,
                            "the file ends without a subgraph tree: it is truncated");
    if (n->subgraphs > 8 * (uint64_t)r->n_refs + 64) /* every leaf of a real tree holds an op */
        return roof_fail_at(r->err, ROOF_E_LIMIT, r->root.offset, "%" PRIu64 " subgraphs for %zu ops",
                            n->subgraphs, r->n_refs);
    return ROOF_OK;
}

static roof_status scan_graph(reader *r, roof_pb pb, counts *n)
{
    roof_pb_field f;
    bool more = true;
    while (more) {
        ROOF_TRY(roof_pb_next(&pb, &f, &more, r->err));
        if (!more)
            break;
        if (f.number == GRAPH_OP) {
            ROOF_TRY(scan_op(r, &pb, &f, n));
        } else if (f.number == GRAPH_ROOT && !r->root.number) {
            r->root = f;
            ROOF_TRY(count_subgraph(&pb, &f, 0, n, r->err));
        } else if (f.number == GRAPH_NAME) {
            r->name = f;
        } else if (f.number == GRAPH_ATTR) {
            ROOF_TRY(scan_graph_attr(r, &pb, &f));
        }
    }
    return check_counts(r, n, (uint64_t)(pb.end - pb.file));
}

/* Names are unique in XIR: a second op of the same name would be reached by nobody. */
static roof_status index_ops(reader *r)
{
    r->ops_by_name = roof_namemap_new(r->scratch, r->n_refs);
    if (!r->ops_by_name)
        return roof_fail_memory(r->err);
    for (size_t i = 0; i < r->n_refs; i++) {
        const op_ref *ref = &r->refs[i];
        if (roof_namemap_add(r->ops_by_name, ref->name.bytes, ref->name.length, (uint32_t)i))
            continue;
        char name[200];
        roof_quote(name, sizeof name, (const char *)ref->name.bytes, ref->name.length);
        return roof_fail_at(r->err, ROOF_E_DATA, ref->field.offset, "two ops are named '%s'", name);
    }
    return ROOF_OK;
}

static roof_status allocate(reader *r, const counts *n)
{
    roof_graph *g = r->graph;
    g->n_ops = (uint32_t)r->n_refs;
    g->ops = ROOF_NEW_ARRAY(r->arena, roof_op, r->n_refs);
    g->edges = ROOF_NEW_ARRAY(r->arena, roof_edge, n->edges);
    g->subgraphs = ROOF_NEW_ARRAY(r->arena, roof_subgraph, n->subgraphs);
    g->subgraph_ops = ROOF_NEW_ARRAY(r->arena, uint32_t, n->subgraph_ops);
    g->registers = ROOF_NEW_ARRAY(r->arena, roof_register, n->registers);
    g->layers = ROOF_NEW_ARRAY(r->arena, roof_layer, n->subgraphs > 1 ? n->subgraphs : r->n_refs);
    g->layer_ops = ROOF_NEW_ARRAY(r->arena, uint32_t, r->n_refs);
    r->child_sort = ROOF_NEW_ARRAY(r->scratch, span, n->subgraphs);
    if (!g->ops || !g->edges || !g->subgraphs || !g->subgraph_ops || !g->registers || !g->layers ||
        !g->layer_ops || !r->child_sort)
        return roof_fail_memory(r->err);
    return ROOF_OK;
}

static roof_status fill(reader *r, const roof_pb *whole)
{
    roof_graph *g = r->graph;
    uint32_t root;
    if (r->name.number)
        ROOF_TRY(copy_text(r, whole, &r->name, "graph name", &g->name));
    for (uint32_t i = 0; i < g->n_ops; i++) {
        g->ops[i] = (roof_op){.name = "",
                              .type = "",
                              .stored_workload_ops = ROOF_UNKNOWN,
                              .layer = ROOF_NONE,
                              .subgraph = ROOF_NONE};
        ROOF_TRY(read_op(r, whole, &r->refs[i].field, &g->ops[i]));
    }
    ROOF_TRY(read_subgraph(r, whole, &r->root, ROOF_NONE, &root));
    g->compiled = g->subgraphs[0].first_child != ROOF_NONE;
    return g->compiled ? build_compiled_layers(r) : build_quantised_layers(r);
}

static roof_status xmodel_read(roof_graph *graph, roof_error *err)
{
    const roof_mapfile *file = &graph->storage->file;
    roof_pb whole = roof_pb_from(file->bytes, file->size_bytes);
    counts n = {0};
    reader r = {.graph = graph, .arena = graph->storage->arena, .scratch = roof_arena_new(0), .err = err};
    roof_status status = r.scratch ? ROOF_OK : roof_fail_memory(err);
    if (status == ROOF_OK)
        status = scan_graph(&r, whole, &n);
    if (status == ROOF_OK)
        status = index_ops(&r);
    if (status == ROOF_OK)
        status = allocate(&r, &n);
    if (status == ROOF_OK)
        status = fill(&r, &whole);
    free(r.refs);
    roof_arena_free(r.scratch);
    return status;
}

/* No magic number. The first byte is the tag of a length-delimited field 1 in every file that was seen; any
 * of the graph's own fields is accepted, and what follows must be another of them as far as the first ones
 * can be followed. */
static bool xmodel_sniff(const unsigned char *bytes, uint64_t size)
{
    roof_pb pb = roof_pb_from(bytes, size);
    roof_pb_field f;
    bool more;
    if (bytes[0] != 0x0a && bytes[0] != 0x2a && bytes[0] != 0x52 && bytes[0] != 0x5a)
        return false;
    for (int i = 0; i < 4; i++) {
        if (roof_pb_next(&pb, &f, &more, NULL) != ROOF_OK)
            return true; /* begins like one and is cut off: the reader says where */
        if (!more)
            return i > 0;
        bool known = f.number == GRAPH_NAME || f.number == GRAPH_OP || f.number == GRAPH_ROOT ||
                     f.number == GRAPH_ATTR || f.number == GRAPH_OP_DEFS;
        if (!known || f.wire != ROOF_PB_BYTES)
            return false;
    }
    return true;
}

const roof_format roof_format_xmodel = {
    .id = "xmodel",
    .doc = "XIR .xmodel: Vitis AI 1.1 to 3.5 and Ryzen AI, compiled or only quantised",
    .sniff = xmodel_sniff,
    .read = xmodel_read,
};
