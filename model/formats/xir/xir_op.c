/* Operators: type, window, work stored in the file, and who feeds them. */
#include "model/formats/xir/xir_reader.h"
#include "model/work/opmap.h"

enum window_key { KEY_KERNEL, KEY_STRIDE, KEY_DILATION, KEY_PAD };

static roof_status read_window(xir_reader *r, xir_attr *a, enum window_key key, roof_window *w)
{
    int64_t v[4] = {0};
    uint32_t n, want = key == KEY_PAD ? 4 : 2;
    TRY(xir_attr_ints(a, v, 4, &n, r->err));
    if (n == 0)
        return ROOF_OK; /* an empty list stands for "not set" in quantised files */
    if (n != want && !(key == KEY_PAD && n == 2))
        return error_at(r->err, ROOF_E_DATA, a->field.offset, "'%.*s' has %u value%s, want %u",
                        (int)a->key.length, a->key.text, n, n == 1 ? "" : "s", want);
    for (uint32_t i = 0; i < n; i++)
        if (v[i] < (key == KEY_PAD ? -65536 : 0) || v[i] > 65536)
            return error_at(r->err, ROOF_E_DATA, a->field.offset, "'%.*s' is %" PRId64 ", want %d to 65536",
                            (int)a->key.length, a->key.text, v[i], key == KEY_PAD ? -65536 : 0);
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

/* tile-fix has one number; others have a window's. */
static roof_status read_stride(xir_reader *r, xir_attr *a, roof_op *op, roof_xir_op *own)
{
    int64_t v;
    TRY(xir_attr_open(a, r->err));
    if (a->field.wire != PB_VARINT)
        return read_window(r, a, KEY_STRIDE, &op->window);
    TRY(xir_attr_int(a, &v, r->err));
    own->tile_stride = v > 0 && v < 65536 ? (uint32_t)v : 0;
    return ROOF_OK;
}

static roof_status read_op_attr(xir_reader *r, xir_attr *a, roof_op *op, roof_xir_op *own)
{
    static const char *const window_keys[] = {
        [KEY_KERNEL] = "kernel", [KEY_STRIDE] = "stride", [KEY_DILATION] = "dilation", [KEY_PAD] = "pad"};
    int64_t v;
    roof_status status = ROOF_OK;
    const uint32_t key = SPAN_AT(window_keys, N_OF(window_keys), a->key);
    if (key < N_OF(window_keys))
        return key == KEY_STRIDE ? read_stride(r, a, op, own)
                                 : read_window(r, a, (enum window_key)key, &op->window);
    if (xir_attr_is_int(a, "workload", &v, &status, r->err))
        op->stored_workload_ops = (uint64_t)v;
    else if (xir_attr_is_int(a, "channel_augmentation", &v, &status, r->err))
        own->channel_augmentation = v > 0 && v < 65536 ? (uint32_t)v : 0;
    else if (span_is(a->key, "type") || span_is(a->key, "mode")) {
        /* `type` is a string from 1.3 on and an enumeration before; only pooling needs it. In the
         * enumeration MAX is 0 and AVG 1. `mode` is of resampling, and of pads. */
        int64_t kind = 0;
        text_span text = {"", 0};
        TRY(xir_attr_open(a, r->err));
        TRY(a->field.number == VALUE_STRING ? xir_attr_text(a, &text, r->err)
                                            : xir_attr_int(a, &kind, r->err));
        op->average = op->average || (kind == 1 && span_is(a->key, "type")) || span_is(text, "AVG");
        op->interpolates = op->interpolates || span_is(text, "BILINEAR");
        status = ROOF_OK;
    }
    return status;
}

/* ---- tensors: shape, bits, place in memory; every product is checked ---- */

/* Strides are in elements of the innermost dimension; they differ from the shape's own where a tensor is a
 * slice of a wider one (the inputs of a concat) or a padded input. More of them than there may be dimensions
 * count as none. */
static roof_status read_tensor_attr(xir_reader *r, xir_attr *a, roof_xir_op *place, uint32_t *attr_bits,
                                    int64_t *strides, uint32_t *n_strides)
{
    int64_t v;
    roof_status status = ROOF_OK;
    if (xir_attr_is_int(a, "reg_id", &v, &status, r->err))
        place->reg_id = v >= 0 && v < 256 ? (int32_t)v : -1;
    else if (xir_attr_is_int(a, "ddr_addr", &v, &status, r->err))
        place->ddr_addr = v;
    else if (xir_attr_is_int(a, "location", &v, &status, r->err))
        place->in_ddr = v == 1;
    else if (xir_attr_is_int(a, "bit_width", &v, &status, r->err))
        *attr_bits = v > 0 && v <= 1024 ? (uint32_t)v : 0;
    else if (span_is(a->key, "stride"))
        status = xir_attr_ints(a, strides, ROOF_MAX_DIMS, n_strides, r->err);
    return status;
}

/* Elements, bytes and place of a tensor, with every product checked. */
static roof_status finish_tensor(xir_reader *r, roof_tensor *t, roof_xir_op *place, const int64_t *strides,
                                 uint32_t n_strides, uint64_t offset)
{
    uint64_t bits;
    t->elements = 1;
    for (uint32_t i = 0; i < t->n_dims; i++)
        if (__builtin_mul_overflow(t->elements, (uint64_t)t->dims[i], &t->elements))
            return error_at(r->err, ROOF_E_LIMIT, offset,
                            "the product of the tensor's dimensions overflows 64 bits");
    if (__builtin_mul_overflow(t->elements, (uint64_t)t->bit_width, &bits) || t->elements > UINT64_MAX / 4096)
        return error_at(r->err, ROOF_E_LIMIT, offset, "the tensor's size overflows 64 bits");
    t->bytes = bits / 8 + (bits % 8 != 0);
    place->span_bytes = t->bytes;
    if (n_strides != t->n_dims || !t->elements)
        return ROOF_OK;
    uint64_t span_elements = 1;
    for (uint32_t i = 0; i < n_strides; i++) {
        uint64_t reach;
        if (strides[i] < 0)
            return error_at(r->err, ROOF_E_DATA, offset, "a tensor's stride is %" PRId64 ", want at least 0",
                            strides[i]);
        if (__builtin_mul_overflow((uint64_t)strides[i], (uint64_t)(t->dims[i] - 1), &reach) ||
            __builtin_add_overflow(span_elements, reach, &span_elements) || span_elements > UINT64_MAX / 4096)
            return error_at(r->err, ROOF_E_LIMIT, offset, "the tensor's strides overflow 64 bits");
    }
    if (span_elements > t->elements) {
        place->in_place = true;
        place->span_bytes = (span_elements * t->bit_width + 7) / 8;
    }
    return ROOF_OK;
}

static roof_status read_tensor(xir_reader *r, const pb_cursor *outer, const pb_field *field, roof_tensor *t,
                               roof_xir_op *place)
{
    pb_field f;
    xir_attr a;
    roof_status status;
    uint32_t attr_bits = 0, n_strides = 0;
    int64_t strides[ROOF_MAX_DIMS];
    *t = (roof_tensor){.name = ""};
    TRY(pb_want(field, PB_BYTES, "output tensor", r->err));
    pb_cursor pb = pb_enter(outer, field);
    while (pb_each(&pb, &f, &status, r->err)) {
        if (f.number == TENSOR_NAME) {
            TRY(xir_copy_text(r, &pb, &f, "tensor name", &t->name));
        } else if (f.number == TENSOR_DIM) {
            int64_t dims[ROOF_MAX_DIMS];
            uint32_t n = 0;
            TRY(pb_ints(&pb, &f, "tensor dimensions", dims, ROOF_MAX_DIMS, &n, r->err));
            for (uint32_t i = 0; i < n; i++) {
                if (t->n_dims == ROOF_MAX_DIMS)
                    return error_at(r->err, ROOF_E_LIMIT, f.offset, "tensor has more than %d dimensions",
                                    ROOF_MAX_DIMS);
                if ((uint64_t)dims[i] > UINT32_MAX)
                    return error_at(r->err, ROOF_E_LIMIT, f.offset,
                                    "tensor dimension %" PRIu64 " does not fit 32 bits", (uint64_t)dims[i]);
                t->dims[t->n_dims++] = (uint32_t)dims[i];
            }
        } else if (f.number == TENSOR_BIT_WIDTH) {
            TRY(pb_want(&f, PB_VARINT, "bit width", r->err));
            if (f.value > 1024)
                return error_at(r->err, ROOF_E_DATA, f.offset, "bit width %" PRIu64 ", want at most 1024",
                                f.value);
            t->bit_width = (uint32_t)f.value;
        } else if (f.number == TENSOR_ATTR) {
            TRY(xir_attr_read(&pb, &f, &a, r->err));
            TRY(read_tensor_attr(r, &a, place, &attr_bits, strides, &n_strides));
        }
    }
    TRY(status);
    if (!t->bit_width) /* compilers of 1.1 and 1.2 write it as an attribute only */
        t->bit_width = attr_bits ? attr_bits : 8;
    return finish_tensor(r, t, place, strides, n_strides, field->offset);
}

/* ---- who feeds them ---- */

/* Half of all look-ups end at one of the neighbours, which are in the cache; the map's slot and the name that
 * it points to are two misses. Without this, names were a fifth of the time of a large graph. */
static uint32_t op_named(const xir_reader *r, const pb_field *name, size_t near)
{
    for (size_t i = near > 3 ? near - 3 : 0; i <= near + 1 && i < r->n_refs; i++) {
        const text_span *candidate = &r->refs[i].name;
        if (candidate->length == name->value && memcmp(candidate->text, name->data, (size_t)name->value) == 0)
            return (uint32_t)i;
    }
    return namemap_find(r->ops_by_name, name->data, (size_t)name->value);
}

roof_status xir_find_op(const xir_reader *r, const pb_field *f, size_t near, const char *subgraph,
                        uint32_t *op)
{
    char name[128];
    TRY(pb_want(f, PB_BYTES, subgraph ? "op name of a subgraph" : "producer name", r->err));
    os_want(f->data, f->value);
    *op = op_named(r, f, near);
    if (*op != ROOF_NONE)
        return ROOF_OK;
    quote_text(name, sizeof name, (const char *)f->data, (size_t)f->value);
    return error_at(r->err, ROOF_E_DATA, f->offset, "%s%.100s%s op '%s', which the file does not have",
                    subgraph ? "subgraph '" : "takes input from", subgraph ? subgraph : "",
                    subgraph ? "' names" : "", name);
}

/* The argument's name may stand behind its producers, so their role is set last. */
static roof_status read_arg(xir_reader *r, const pb_cursor *outer, const pb_field *field, roof_op *op)
{
    pb_field f;
    roof_status status;
    roof_role role = ROOF_ROLE_OTHER;
    uint32_t first = r->graph->n_edges;
    pb_cursor pb = pb_enter(outer, field);
    while (pb_each(&pb, &f, &status, r->err)) {
        if (f.number == ARG_NAME) {
            TRY(pb_want(&f, PB_BYTES, "argument name", r->err));
            text_span name = pb_span(&f);
            role = span_is(name, "input")     ? ROOF_ROLE_INPUT
                   : span_is(name, "weights") ? ROOF_ROLE_WEIGHTS
                   : span_is(name, "bias")    ? ROOF_ROLE_BIAS
                                              : ROOF_ROLE_OTHER;
        } else if (f.number == ARG_OPS) {
            roof_graph *g = r->graph;
            uint32_t producer;
            TRY(xir_find_op(r, &f, (size_t)(op - g->ops), NULL, &producer));
            if (g->n_edges == XIR_MAX_COUNT)
                return error_memory(r->err);
            TRY(ARENA_ADD(r->scratch, g->edges, g->n_edges, r->err,
                          (roof_edge){.op = producer, .role = ROOF_ROLE_OTHER}));
            op->n_inputs++;
        }
    }
    for (uint32_t i = first; i < r->graph->n_edges; i++)
        r->graph->edges[i].role = role;
    return status;
}

static roof_status read_op_fields(xir_reader *r, const pb_cursor *whole, uint32_t index)
{
    const xir_op_ref *ref = &r->refs[index];
    roof_op *op = &r->graph->ops[index];
    pb_field f;
    xir_attr a;
    roof_status status;
    bool has_tensor = false;
    pb_cursor pb = pb_enter(whole, &ref->field);
    op->first_input = r->graph->n_edges;
    while (pb_each(&pb, &f, &status, r->err)) {
        if (f.number == OP_TYPE) {
            xir_op_type found = {0};
            os_want(f.data, f.wire == PB_BYTES ? f.value : 0);
            for (uint32_t i = 0; i < r->n_types && !found.text && f.wire == PB_BYTES; i++)
                if (r->types[i].length == f.value && memcmp(r->types[i].text, f.data, (size_t)f.value) == 0)
                    found = r->types[i];
            if (!found.text) {
                TRY(xir_copy_text(r, &pb, &f, "op type", &found.text));
                found.length = f.value;
                found.rule = rule_of(found.text);
                found.average = strncmp(found.text, "avgpool", 7) == 0;
                if (r->n_types < XIR_MAX_TYPES)
                    r->types[r->n_types++] = found;
            }
            op->type = found.text;
            op->rule = found.rule;
            op->average = op->average || found.average;
        } else if (f.number == OP_ATTR) {
            TRY(xir_attr_read(&pb, &f, &a, r->err));
            TRY(read_op_attr(r, &a, op, &r->ops[index]));
        } else if (f.number == OP_ARG) {
            TRY(pb_want(&f, PB_BYTES, "argument", r->err));
            TRY(read_arg(r, &pb, &f, op));
        } else if (f.number == OP_TENSOR) {
            TRY(read_tensor(r, &pb, &f, &op->out, &r->ops[index]));
            has_tensor = true;
        }
    }
    TRY(status);
    return has_tensor ? ROOF_OK : error_at(r->err, ROOF_E_DATA, ref->field.offset, "has no output tensor");
}

/* The status of a step, which fails in an op. */
static roof_status in_op(const xir_reader *r, text_span op, roof_status status)
{
    char name[200];
    return status == ROOF_OK
               ? ROOF_OK
               : error_placed(status, r->err, "op '%s'", quote_text(name, sizeof name, op.text, op.length));
}

roof_status xir_read_op(xir_reader *r, const pb_cursor *whole, uint32_t index)
{
    r->graph->ops[index].name = r->refs[index].name.text;
    return in_op(r, r->refs[index].name, read_op_fields(r, whole, index));
}

/* Only the name, by which other ops refer to it; the rest is read when all names are known. */
roof_status xir_scan_op(xir_reader *r, const pb_cursor *outer, const pb_field *field)
{
    pb_field f = {0};
    bool more = true;
    TRY(ARENA_MORE(r->scratch, r->refs, r->n_refs, r->err));
    xir_op_ref *ref = &r->refs[r->n_refs++];
    *ref = (xir_op_ref){.field = *field};
    TRY(pb_want(field, PB_BYTES, "op", r->err));
    pb_cursor pb = pb_enter(outer, field);
    while (more && f.number != OP_NAME)
        TRY(pb_next(&pb, &f, &more, r->err));
    if (!more || f.wire != PB_BYTES || f.value == 0 || f.value > UINT32_MAX)
        return error_at(r->err, ROOF_E_DATA, field->offset, "op %zu has no name", r->n_refs - 1);
    TRY(in_op(r, pb_span(&f), xir_check_text(outer, pb_span(&f), "op name", r->err)));
    ref->name = (text_span){arena_strndup(r->arena, (const char *)f.data, (size_t)f.value), (size_t)f.value};
    TRY(ALLOCATED(ref->name.text, r->err));
    return ROOF_OK;
}
