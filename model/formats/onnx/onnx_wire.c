/* A call's access to its node: shapes and values of inputs, attributes, and tensors. */
#include "core/bytes.h"
#include "model/formats/onnx/onnx_model.h"

/* ---- inputs of a call ---- */

const onnx_shape *onnx_input_shape(const onnx_call *c, uint32_t i)
{
    if (i >= c->n_inputs || c->inputs[i] == ROOF_NONE)
        return NULL;
    const onnx_shape *shape = &c->r->tensors[c->inputs[i]].shape;
    return shape->n_dims == ROOF_NONE ? NULL : shape;
}

const double *onnx_input_values(const onnx_call *c, uint32_t i, uint32_t *n)
{
    *n = 0;
    if (i >= c->n_inputs || c->inputs[i] == ROOF_NONE)
        return NULL;
    const onnx_tensor *t = &c->r->tensors[c->inputs[i]];
    *n = t->n_values;
    return t->values;
}

uint32_t onnx_axis(double axis, uint32_t n_dims)
{
    const double at = axis < 0 ? axis + n_dims : axis;
    return at >= 0 && at < n_dims ? (uint32_t)at : ROOF_NONE;
}

double *onnx_new_values(onnx_call *c, uint64_t n)
{
    double *values = n <= ONNX_MOST_VALUES ? NEW_ARRAY(c->r->scratch, double, n) : NULL;
    c->made->values = values;
    c->made->n_values = values ? (uint32_t)n : 0;
    return values;
}

/* ---- attributes ---- */

/* Looks the attribute up in one node. *of_caller: the name of the caller's attribute that stands for it. */
static roof_status find_in(const onnx_node *node, const char *name, pb_field *out, text_span *of_caller,
                           roof_error *err)
{
    pb_cursor pb = node->message;
    pb_field f, member;
    roof_status status, inner;
    *out = (pb_field){0};
    *of_caller = (text_span){0};
    while (pb_each(&pb, &f, &status, err)) {
        if (f.number != NODE_ATTRIBUTE || f.wire != PB_BYTES)
            continue;
        pb_cursor attribute = pb_enter(&pb, &f);
        bool is_it = false;
        text_span refers = {0};
        while (pb_each(&attribute, &member, &inner, err)) {
            if (member.number == ATTRIBUTE_NAME)
                is_it = span_is(pb_span(&member), name);
            else if (member.number == ATTRIBUTE_OF_CALLER)
                refers = pb_span(&member);
            if (member.number == ATTRIBUTE_NAME && !is_it)
                break;
        }
        TRY(inner);
        if (!is_it)
            continue;
        *out = f;
        *of_caller = refers;
        return ROOF_OK;
    }
    return status;
}

pb_field onnx_attribute(onnx_call *c, const char *name)
{
    char of_caller[SHOWN_SIZE];
    pb_field found = {0};
    const onnx_node *node = c->node;
    text_span refers;
    for (int depth = 0; node && c->status == ROOF_OK && depth < ONNX_MOST_DEPTH; depth++) {
        c->status = find_in(node, name, &found, &refers, c->r->err);
        if (!refers.length || refers.length >= sizeof of_caller)
            break;
        memcpy(of_caller, refers.text, refers.length);
        of_caller[refers.length] = '\0';
        name = of_caller;
        node = node->caller;
        found = (pb_field){0};
    }
    return found;
}

static pb_cursor members_of(onnx_call *c, const char *name)
{
    const pb_field attribute = onnx_attribute(c, name);
    return pb_enter(&c->node->message, &attribute);
}

/* The next of them; false behind the last one, and after a failure. */
static bool next_member(onnx_call *c, pb_cursor *members, pb_field *f)
{
    return c->status == ROOF_OK && pb_each(members, f, &c->status, c->r->err);
}

/* The first member of that number in an attribute; number 0: there is none. */
static pb_field member_of(onnx_call *c, const char *name, uint32_t number)
{
    pb_field f, found = {0};
    for (pb_cursor pb = members_of(c, name); !found.number && next_member(c, &pb, &f);)
        if (f.number == number)
            found = f;
    return found;
}

int64_t onnx_attribute_int(onnx_call *c, const char *name, int64_t otherwise)
{
    pb_field f = member_of(c, name, ATTRIBUTE_INT);
    return f.number && f.wire == PB_VARINT ? (int64_t)f.value : otherwise;
}

text_span onnx_attribute_text(onnx_call *c, const char *name)
{
    pb_field f = member_of(c, name, ATTRIBUTE_TEXT);
    return pb_span(&f);
}

pb_cursor onnx_attribute_message(onnx_call *c, const char *name, uint32_t number)
{
    pb_field f = member_of(c, name, number);
    return f.number && f.wire == PB_BYTES ? pb_enter(&c->node->message, &f) : (pb_cursor){0};
}

uint32_t onnx_attribute_ints(onnx_call *c, const char *name, int64_t *out, uint32_t max)
{
    pb_field f;
    uint32_t n = 0;
    for (pb_cursor pb = members_of(c, name); next_member(c, &pb, &f);)
        if (f.number == ATTRIBUTE_INTS)
            c->status = pb_ints(&pb, &f, name, out, max, &n, c->r->err);
    return n;
}

/* The floats of a field, packed or a single one; none of another kind. */
static void take_floats(const pb_field *f, double *out, uint32_t max, uint32_t *n)
{
    const uint64_t count = f->wire == PB_BYTES     ? f->value / 4
                           : f->wire == PB_FIXED32 ? 1
                                                   : 0,
                   kept = count < max ? count : max;
    if (f->wire == PB_BYTES)
        os_want(f->data, 4 * kept);
    for (uint64_t i = 0; i < count && *n < max; i++, ++*n) {
        const uint32_t bits = (uint32_t)f->value;
        float single;
        memcpy(&single, &bits, sizeof single);
        out[*n] = f->wire == PB_BYTES ? bytes_f32(f->data + 4 * i) : (double)single;
    }
}

uint32_t onnx_attribute_floats(onnx_call *c, const char *name, double *out, uint32_t max)
{
    pb_field f;
    uint32_t n = 0;
    for (pb_cursor pb = members_of(c, name); next_member(c, &pb, &f);)
        if (f.number == ATTRIBUTE_FLOATS || f.number == ATTRIBUTE_FLOAT)
            take_floats(&f, out, max, &n);
    return n;
}

/* ---- tensors ---- */

/* Elements as they lie in raw_data: little-endian. */
static double raw_element(const unsigned char *at, uint32_t type)
{
    switch (type) {
    case TYPE_FLOAT:
        return bytes_f32(at);
    case TYPE_INT8:
        return (double)(int8_t)at[0];
    case TYPE_INT32:
        return (double)(int32_t)bytes_u32(at);
    case TYPE_INT64:
        return (double)(int64_t)((uint64_t)bytes_u32(at) | (uint64_t)bytes_u32(at + 4) << 32);
    default:
        return (double)at[0];
    }
}

/* Bytes of an element whose values are read; 0: they are not. */
static uint64_t raw_size(uint32_t type)
{
    static const unsigned char sizes[] = {[TYPE_FLOAT] = 4, [TYPE_UINT8] = 1, [TYPE_INT8] = 1,
                                          [TYPE_INT32] = 4, [TYPE_INT64] = 8, [TYPE_BOOL] = 1};
    return type < sizeof sizes ? sizes[type] : 0;
}

/* Where the numbers of a tensor stand: packed by kind, or as bytes. */
static roof_status read_values(onnx_reader *r, pb_cursor message, onnx_tensor *t, uint64_t elements)
{
    pb_field f;
    roof_status status;
    double *values;
    uint32_t n = 0;
    int64_t whole[ONNX_MOST_VALUES];
    TRY(ARENA_GET(r->scratch, values, elements, r->err));
    while (pb_each(&message, &f, &status, r->err)) {
        if (f.number == TENSOR_FLOATS && t->type == TYPE_FLOAT) {
            take_floats(&f, values, (uint32_t)elements, &n);
        } else if ((f.number == TENSOR_LONGS && t->type == TYPE_INT64) ||
                   (f.number == TENSOR_INTS && t->type != TYPE_INT64 && t->type != TYPE_FLOAT)) {
            const uint32_t before = n;
            TRY(pb_ints(&message, &f, "the values of a tensor", whole, (uint32_t)elements, &n, r->err));
            for (uint32_t i = before; i < n && i < elements; i++)
                values[i] = (double)whole[i];
        } else if (f.number == TENSOR_RAW && f.wire == PB_BYTES && f.value == elements * raw_size(t->type)) {
            os_want(f.data, f.value);
            for (n = 0; n < elements; n++)
                values[n] = raw_element(f.data + n * raw_size(t->type), t->type);
        }
    }
    TRY(status);
    if (n != elements) /* another file has them, or nobody */
        return ROOF_OK;
    t->values = values;
    t->n_values = n;
    return ROOF_OK;
}

roof_status onnx_read_tensor(onnx_reader *r, pb_cursor message, onnx_tensor *out, text_span *name)
{
    pb_cursor pb = message;
    pb_field f;
    roof_status status;
    int64_t dims[ROOF_MAX_DIMS];
    uint32_t n = 0;
    *out = (onnx_tensor){.is_constant = true};
    *name = (text_span){0};
    while (pb_each(&pb, &f, &status, r->err)) {
        if (f.number == TENSOR_DIMS)
            TRY(pb_ints(&pb, &f, "the shape of a tensor", dims, ROOF_MAX_DIMS, &n, r->err));
        else if (f.number == TENSOR_TYPE && f.wire == PB_VARINT)
            out->type = f.value < 256 ? (uint32_t)f.value : 0;
        else if (f.number == TENSOR_NAME)
            *name = pb_span(&f);
        if (f.number == TENSOR_RAW)
            break; /* members behind weights only say where these are */
    }
    TRY(status);
    /* writers put the name first or behind the bytes */
    while (!name->length && pb_each(&pb, &f, &status, r->err))
        if (f.number == TENSOR_NAME)
            *name = pb_span(&f);
    TRY(status);
    out->shape.n_dims = n <= ROOF_MAX_DIMS ? n : ROOF_NONE;
    for (uint32_t i = 0; i < n && i < ROOF_MAX_DIMS; i++) {
        if (dims[i] < 0 || dims[i] > UINT32_MAX)
            return error_at(r->err, ROOF_E_DATA, (uint64_t)(message.next - message.file),
                            "initializer '%s' has a dimension of %lld, want 0 to 4294967295", SHOWN(*name),
                            (long long)dims[i]);
        out->shape.dims[i] = (uint64_t)dims[i];
    }
    const uint64_t elements = extents_count(&out->shape);
    return raw_size(out->type) && elements && elements <= ONNX_MOST_VALUES
               ? read_values(r, message, out, elements)
               : ROOF_OK;
}

/* ---- operands that contradict one another: a call as model/work/extents.h wants it ---- */

/* An attribute of one kind or the other; see extents_call. */
static uint32_t numbers_of(void *reader, const char *name, double *out, uint32_t max)
{
    enum { MOST = 2 * ROOF_MAX_DIMS };
    onnx_call *c = reader;
    pb_field f;
    int64_t whole[MOST];
    uint32_t n = 0, n_whole = 0;
    if (strcmp(name, "auto_pad") == 0) {
        const text_span text = onnx_attribute_text(c, name);
        out[0] = span_begins(text, "SAME") ? EXTENTS_SAME
                 : span_is(text, "VALID")  ? EXTENTS_VALID
                                           : EXTENTS_AS_STATED;
        return text.length > 0;
    }
    for (pb_cursor pb = members_of(c, name); next_member(c, &pb, &f);)
        if (f.number == ATTRIBUTE_INTS || (f.number == ATTRIBUTE_INT && f.wire == PB_VARINT))
            c->status = pb_ints(&pb, &f, name, whole, MOST, &n_whole, c->r->err);
        else if (f.number == ATTRIBUTE_FLOATS || f.number == ATTRIBUTE_FLOAT)
            take_floats(&f, out, max, &n);
    for (uint32_t i = 0; i < n_whole && i < max && i < MOST; i++)
        out[i] = (double)whole[i];
    return n_whole > MOST ? ROOF_NONE : n_whole ? n_whole : n;
}

static roof_status note_misfit(onnx_reader *r, uint32_t op, const extents_misfit *what)
{
    TRY(ARENA_ADD(r->scratch, r->misfits, r->n_misfits, r->err, (onnx_misfit){op, *what}));
    r->tensors[op].is_doubtful = true;
    return ROOF_OK;
}

roof_status onnx_look_for_misfit(onnx_call *c, const onnx_type *type, uint32_t op)
{
    onnx_reader *r = c->r;
    extents_misfit found;
    if (!type->law)
        return ROOF_OK;
    if (c->n_inputs > r->most_operands) {
        TRY(ARENA_GET(r->scratch, r->operands, c->n_inputs, r->err));
        r->most_operands = c->n_inputs;
    }
    for (uint32_t i = 0; i < c->n_inputs; i++) {
        extents_operand *o = &r->operands[i];
        *o = (extents_operand){.name = c->node->inputs[i],
                               .shape = onnx_input_shape(c, i),
                               .is_left_out = c->inputs[i] == ROOF_NONE};
        o->values = onnx_input_values(c, i, &o->n_values);
    }
    const extents_call call = {.type = type->text,
                               .inputs = r->operands,
                               .made = c->shapes,
                               .n_inputs = c->n_inputs,
                               .n_outputs = c->n_outputs,
                               .opset = r->opset,
                               .numbers = numbers_of,
                               .reader = c};
    const bool is_misfit = extents_contradict(type->law, &call, &found);
    TRY(c->status);
    return is_misfit ? note_misfit(r, op, &found) : ROOF_OK;
}

roof_status onnx_compare_declared(onnx_call *c, uint32_t op, uint32_t output, const onnx_shape *declared)
{
    extents_misfit found;
    /* writers that do not know a shape may leave it without dimensions */
    return declared->n_dims && !c->r->tensors[op].is_doubtful &&
                   extents_declared_otherwise(&c->shapes[output], declared, &found)
               ? note_misfit(c->r, op, &found)
               : ROOF_OK;
}
