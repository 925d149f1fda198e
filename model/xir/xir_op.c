/* Operators: type, window, work stored in the file, and who feeds them. */
#include "core/error.h"
#include "model/opmap.h"
#include "model/xir/xir.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum window_key { KEY_KERNEL, KEY_STRIDE, KEY_DILATION, KEY_PAD };

static roof_status read_window(xir_reader *r, xir_attr *a, enum window_key key, roof_window *w)
{
    int64_t v[4] = {0};
    uint32_t n, want = key == KEY_PAD ? 4 : 2;
    ROOF_TRY(xir_attr_ints(a, v, 4, &n, r->err));
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
static roof_status read_type(xir_reader *r, xir_attr *a, roof_op *op)
{
    ROOF_TRY(xir_attr_open(a, r->err));
    if (a->field.number == VALUE_STRING) {
        xir_text text;
        ROOF_TRY(xir_attr_text(a, &text, r->err));
        op->average = op->average || xir_is(text, "AVG");
    } else {
        int64_t v;
        ROOF_TRY(xir_attr_int(a, &v, r->err));
        op->average = op->average || v == 1;
    }
    return ROOF_OK;
}

static roof_status read_op_attr(xir_reader *r, xir_attr *a, roof_op *op)
{
    static const char *const window_keys[] = {
        [KEY_KERNEL] = "kernel", [KEY_STRIDE] = "stride", [KEY_DILATION] = "dilation", [KEY_PAD] = "pad"};
    int64_t v;
    for (unsigned key = 0; key < 4; key++) {
        if (!xir_is(a->key, window_keys[key]))
            continue;
        ROOF_TRY(xir_attr_open(a, r->err));
        if (key == KEY_STRIDE && a->field.wire == ROOF_PB_VARINT) { /* tile-fix: one number */
            ROOF_TRY(xir_attr_int(a, &v, r->err));
            op->tile_stride = v > 0 && v < 65536 ? (uint32_t)v : 0;
            return ROOF_OK;
        }
        return read_window(r, a, (enum window_key)key, &op->window);
    }
    if (xir_is(a->key, "workload")) {
        ROOF_TRY(xir_attr_int(a, &v, r->err));
        op->stored_workload_ops = (uint64_t)v;
    } else if (xir_is(a->key, "channel_augmentation")) {
        ROOF_TRY(xir_attr_int(a, &v, r->err));
        op->channel_augmentation = v > 0 && v < 65536 ? (uint32_t)v : 0;
    } else if (xir_is(a->key, "type")) {
        return read_type(r, a, op);
    }
    return ROOF_OK;
}

static roof_role role_of(xir_text name)
{
    return xir_is(name, "input")     ? ROOF_ROLE_INPUT
           : xir_is(name, "weights") ? ROOF_ROLE_WEIGHTS
           : xir_is(name, "bias")    ? ROOF_ROLE_BIAS
                                     : ROOF_ROLE_OTHER;
}

static roof_status add_edge(xir_reader *r, roof_op *op, const roof_pb_field *f)
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
static roof_status read_arg(xir_reader *r, const roof_pb *outer, const roof_pb_field *field, roof_op *op)
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
            role = role_of(xir_span(&f));
        } else if (f.number == ARG_OPS) {
            ROOF_TRY(add_edge(r, op, &f));
        }
    }
    for (uint32_t i = first; i < r->graph->n_edges; i++)
        r->graph->edges[i].role = role;
    return ROOF_OK;
}

static roof_status read_type_name(xir_reader *r, const roof_pb *pb, const roof_pb_field *f, roof_op *op)
{
    xir_op_type found = {0};
    for (uint32_t i = 0; i < r->n_types && !found.text && f->wire == ROOF_PB_BYTES; i++)
        if (r->types[i].length == f->value && memcmp(r->types[i].text, f->data, f->value) == 0)
            found = r->types[i];
    if (!found.text) {
        ROOF_TRY(xir_copy_text(r, pb, f, "op type", &found.text));
        found.length = f->value;
        found.rule = roof_rule_of(found.text);
        found.average = strncmp(found.text, "avgpool", 7) == 0;
        if (r->n_types < XIR_MAX_TYPES)
            r->types[r->n_types++] = found;
    }
    op->type = found.text;
    op->rule = found.rule;
    op->average = op->average || found.average;
    return ROOF_OK;
}

static roof_status read_op_fields(xir_reader *r, const roof_pb *outer, const roof_pb_field *field,
                                  roof_op *op)
{
    roof_pb_field f;
    xir_attr a;
    bool more;
    roof_pb pb = roof_pb_enter(outer, field);
    op->first_input = r->graph->n_edges;
    for (;;) {
        ROOF_TRY(roof_pb_next(&pb, &f, &more, r->err));
        if (!more)
            return ROOF_OK;
        if (f.number == OP_NAME) {
            ROOF_TRY(xir_copy_text(r, &pb, &f, "op name", &op->name));
        } else if (f.number == OP_TYPE) {
            ROOF_TRY(read_type_name(r, &pb, &f, op));
        } else if (f.number == OP_ATTR) {
            ROOF_TRY(xir_attr_read(&pb, &f, &a, r->err));
            ROOF_TRY(read_op_attr(r, &a, op));
        } else if (f.number == OP_ARG) {
            ROOF_TRY(roof_pb_want(&f, ROOF_PB_BYTES, "argument", r->err));
            ROOF_TRY(read_arg(r, &pb, &f, op));
        } else if (f.number == OP_TENSOR) {
            ROOF_TRY(xir_read_tensor(r, &pb, &f, &op->out));
        }
    }
}

roof_status xir_read_op(xir_reader *r, const roof_pb *outer, const roof_pb_field *field, roof_op *op)
{
    roof_status status = read_op_fields(r, outer, field, op);
    if (status != ROOF_OK) {
        char name[200];
        roof_error_prefix(r->err, "op '%s'", roof_quote(name, sizeof name, op->name, strlen(op->name)));
    }
    return status;
}

static xir_op_ref *new_ref(xir_reader *r)
{
    if (r->n_refs == r->refs_room) {
        size_t room = r->refs_room ? 2 * r->refs_room : 256;
        xir_op_ref *grown = realloc(r->refs, room * sizeof *grown);
        if (!grown)
            return NULL;
        r->refs = grown;
        r->refs_room = room;
    }
    xir_op_ref *ref = &r->refs[r->n_refs];
    r->n_refs++;
    *ref = (xir_op_ref){0};
    return ref;
}

static roof_status count_producers(const roof_pb *outer, const roof_pb_field *arg, xir_counts *n,
                                   roof_error *err)
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
roof_status xir_scan_op(xir_reader *r, const roof_pb *outer, const roof_pb_field *field, xir_counts *n)
{
    roof_pb_field f;
    bool more = true, has_tensor = false;
    xir_op_ref *ref = new_ref(r);
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
            ref->name = xir_span(&f);
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
