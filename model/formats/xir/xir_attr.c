/* Attributes of XIR messages: maps of keys to one of many kinds of value, read only when the key matters. */
#include "model/formats/xir/xir_reader.h"

/* Names end up in tables, JSON and terminals: proto3 demands UTF-8, and we no control characters. */
roof_status xir_check_text(const pb_cursor *scope, text_span s, const char *what, roof_error *err)
{
    unsigned long bad = utf8_first_bad(s.text, s.length);
    if (bad == s.length)
        return ROOF_OK;
    return error_at(err, ROOF_E_DATA, (uint64_t)((const unsigned char *)s.text - scope->file) + bad,
                    "%s holds byte 0x%02x, want UTF-8 text without control characters", what,
                    (unsigned char)s.text[bad]);
}

roof_status xir_copy_text(xir_reader *r, const pb_cursor *scope, const pb_field *field, const char *what,
                          const char **out)
{
    TRY(pb_want(field, PB_BYTES, what, r->err));
    TRY(xir_check_text(scope, pb_span(field), what, r->err));
    *out = arena_strndup(r->arena, (const char *)field->data, (size_t)field->value);
    return ALLOCATED(*out, r->err);
}

roof_status xir_map_entry(const pb_cursor *map, const pb_field *entry, text_span *key, pb_field *value,
                          roof_error *err)
{
    pb_field name;
    TRY(pb_want(entry, PB_BYTES, "map entry", err));
    TRY(PB_FIND(pb_enter(map, entry), err, {1, &name}, {2, value}));
    *key = pb_span(&name);
    return ROOF_OK;
}

/* The attribute map is a repeated message {1 key, 2 value}, in any order; a value is an AttrValue. */
roof_status xir_attr_read(const pb_cursor *outer, const pb_field *entry, xir_attr *out, roof_error *err)
{
    pb_field f;
    roof_status status;
    *out = (xir_attr){0};
    TRY(pb_want(entry, PB_BYTES, "attribute", err));
    pb_cursor pb = pb_enter(outer, entry);
    while (pb_each(&pb, &f, &status, err)) {
        if (f.number == 1) {
            TRY(pb_want(&f, PB_BYTES, "attribute key", err));
            out->key = pb_span(&f);
        } else if (f.number == 2) {
            TRY(pb_want(&f, PB_BYTES, "attribute value", err));
            out->scope = pb_enter(&pb, &f);
        }
    }
    return status;
}

/* Most attributes are of no interest, so a value is looked into only when its key is. */
roof_status xir_attr_open(xir_attr *a, roof_error *err)
{
    pb_field f;
    roof_status status = ROOF_OK;
    while (a->scope.file && pb_each(&a->scope, &f, &status, err))
        a->field = f;
    return status;
}

roof_status xir_attr_fail(const xir_attr *a, const char *want, roof_error *err)
{
    char key[64];
    quote_text(key, sizeof key, a->key.text, a->key.length);
    return error_at(err, ROOF_E_DATA, a->field.offset, "'%s' is of attribute kind %u, want %s", key,
                    a->field.number, want);
}

roof_status xir_attr_int(xir_attr *a, int64_t *out, roof_error *err)
{
    TRY(xir_attr_open(a, err));
    if (a->field.number < VALUE_BOOL || a->field.number > VALUE_UINT64 || a->field.wire != PB_VARINT)
        return xir_attr_fail(a, "an integer", err);
    *out = (int64_t)a->field.value;
    return ROOF_OK;
}

roof_status xir_attr_text(xir_attr *a, text_span *out, roof_error *err)
{
    TRY(xir_attr_open(a, err));
    if (a->field.number != VALUE_STRING || a->field.wire != PB_BYTES)
        return xir_attr_fail(a, "a string", err);
    *out = pb_span(&a->field);
    return xir_check_text(&a->scope, *out, "a string attribute", err);
}

/* An integer list: XVec{1 repeated}. */
roof_status xir_attr_ints(xir_attr *a, int64_t *out, uint32_t max, uint32_t *n, roof_error *err)
{
    pb_field f;
    roof_status status;
    *n = 0;
    TRY(xir_attr_open(a, err));
    if (a->field.number < VALUE_INT32S || a->field.number > VALUE_UINT64S || a->field.wire != PB_BYTES)
        return xir_attr_fail(a, "a list of integers", err);
    pb_cursor list = pb_enter(&a->scope, &a->field);
    while (pb_each(&list, &f, &status, err))
        if (f.number == 1)
            TRY(pb_ints(&list, &f, "list", out, max, n, err));
    return status;
}
