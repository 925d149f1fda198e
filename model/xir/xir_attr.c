/* Attributes of XIR messages: maps of keys to one of many kinds of value, looked into only when the key matters. */
#include "core/error.h"
#include "model/xir/xir.h"

#include <string.h>

bool xir_is(xir_text s, const char *text)
{
    size_t length = strlen(text);
    return s.length == length && memcmp(s.bytes, text, length) == 0;
}

xir_text xir_span(const roof_pb_field *field)
{
    return (xir_text){field->data, field->value};
}

/* Names end up in tables, JSON and terminals: proto3 demands UTF-8, and we demand that no control character
 * hides. */
roof_status xir_check_text(const roof_pb *scope, xir_text s, const char *what, roof_error *err)
{
    unsigned long bad = roof_text_first_bad((const char *)s.bytes, s.length);
    if (bad == s.length)
        return ROOF_OK;
    return roof_fail_at(err, ROOF_E_DATA, (uint64_t)(s.bytes - scope->file) + bad,
                        "%s holds byte 0x%02x, want UTF-8 text without control characters", what,
                        s.bytes[bad]);
}

roof_status xir_copy_text(xir_reader *r, const roof_pb *scope, const roof_pb_field *field, const char *what,
                          const char **out)
{
    ROOF_TRY(roof_pb_want(field, ROOF_PB_BYTES, what, r->err));
    ROOF_TRY(xir_check_text(scope, xir_span(field), what, r->err));
    *out = roof_arena_strndup(r->arena, (const char *)field->data, field->value);
    return *out ? ROOF_OK : roof_fail_memory(r->err);
}

/* The attribute map is a repeated message {1 key, 2 value}, in any order; a value is an AttrValue. */
roof_status xir_attr_read(const roof_pb *outer, const roof_pb_field *entry, xir_attr *out, roof_error *err)
{
    roof_pb_field f;
    bool more;
    *out = (xir_attr){0};
    ROOF_TRY(roof_pb_want(entry, ROOF_PB_BYTES, "attribute", err));
    roof_pb pb = roof_pb_enter(outer, entry);
    for (;;) {
        ROOF_TRY(roof_pb_next(&pb, &f, &more, err));
        if (!more)
            return ROOF_OK;
        if (f.number == 1) {
            ROOF_TRY(roof_pb_want(&f, ROOF_PB_BYTES, "attribute key", err));
            out->key = xir_span(&f);
        } else if (f.number == 2) {
            ROOF_TRY(roof_pb_want(&f, ROOF_PB_BYTES, "attribute value", err));
            out->scope = roof_pb_enter(&pb, &f);
        }
    }
}

/* Most attributes are of no interest, so a value is looked into only when its key is. */
roof_status xir_attr_open(xir_attr *a, roof_error *err)
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

roof_status xir_attr_fail(const xir_attr *a, const char *want, roof_error *err)
{
    char key[64];
    roof_quote(key, sizeof key, (const char *)a->key.bytes, a->key.length);
    return roof_fail_at(err, ROOF_E_DATA, a->field.offset, "'%s' is of attribute kind %u, want %s", key,
                        a->field.number, want);
}

roof_status xir_attr_int(xir_attr *a, int64_t *out, roof_error *err)
{
    ROOF_TRY(xir_attr_open(a, err));
    if (a->field.number < VALUE_BOOL || a->field.number > VALUE_UINT64 || a->field.wire != ROOF_PB_VARINT)
        return xir_attr_fail(a, "an integer", err);
    *out = (int64_t)a->field.value;
    return ROOF_OK;
}

roof_status xir_attr_text(xir_attr *a, xir_text *out, roof_error *err)
{
    ROOF_TRY(xir_attr_open(a, err));
    if (a->field.number != VALUE_STRING || a->field.wire != ROOF_PB_BYTES)
        return xir_attr_fail(a, "a string", err);
    *out = xir_span(&a->field);
    return xir_check_text(&a->scope, *out, "a string attribute", err);
}

/* An integer list: XVec{1 repeated}, packed or not. Reads at most max values; *n is how many there are. */
roof_status xir_attr_ints(xir_attr *a, int64_t *out, uint32_t max, uint32_t *n, roof_error *err)
{
    roof_pb_field f;
    bool more;
    *n = 0;
    ROOF_TRY(xir_attr_open(a, err));
    if (a->field.number < VALUE_INT32S || a->field.number > VALUE_UINT64S || a->field.wire != ROOF_PB_BYTES)
        return xir_attr_fail(a, "a list of integers", err);
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
