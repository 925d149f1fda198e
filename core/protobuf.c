#include "core/protobuf.h"

pb_cursor pb_from(const unsigned char *bytes, uint64_t size)
{
    return (pb_cursor){.file = bytes, .next = bytes, .end = bytes + size};
}

static uint64_t offset_of(const pb_cursor *cursor, const unsigned char *place)
{
    return (uint64_t)(place - cursor->file);
}

/* At most ten bytes; the tenth may only carry the top bit of 64. */
static roof_status read_long_varint(pb_cursor *cursor, uint64_t *value, roof_error *err)
{
    const unsigned char *p = cursor->next;
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (p == cursor->end)
            return error_at(err, ROOF_E_DATA, offset_of(cursor, p),
                            "a number is cut off at the end of its message");
        unsigned char byte = *p++;
        if (shift == 63 && byte > 1)
            break;
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            cursor->next = p;
            *value = v;
            return ROOF_OK;
        }
    }
    return error_at(err, ROOF_E_DATA, offset_of(cursor, cursor->next), "a number has more than 64 bits");
}

/* Nearly every tag and length is a single byte. */
static inline roof_status read_varint(pb_cursor *cursor, uint64_t *value, roof_error *err)
{
    if (cursor->next < cursor->end && *cursor->next < 0x80) {
        *value = *cursor->next++;
        return ROOF_OK;
    }
    return read_long_varint(cursor, value, err);
}

static roof_status read_fixed(pb_cursor *cursor, unsigned size, uint64_t *value, roof_error *err)
{
    if ((uint64_t)(cursor->end - cursor->next) < size)
        return error_at(err, ROOF_E_DATA, offset_of(cursor, cursor->next), "%u bytes wanted, %u left", size,
                        (unsigned)(cursor->end - cursor->next));
    *value = 0;
    for (unsigned i = 0; i < size; i++)
        *value |= (uint64_t)cursor->next[i] << (8 * i);
    cursor->next += size;
    return ROOF_OK;
}

roof_status pb_next_any(pb_cursor *cursor, pb_field *field, bool *more, roof_error *err)
{
    uint64_t tag;
    *more = cursor->next < cursor->end;
    if (!*more)
        return ROOF_OK;
    *field = (pb_field){.offset = offset_of(cursor, cursor->next)};
    TRY(read_varint(cursor, &tag, err));
    if (tag >> 3 == 0 || tag >> 3 > 0x1fffffff)
        return error_at(err, ROOF_E_DATA, field->offset, "field number %llu is not valid protobuf",
                        (unsigned long long)(tag >> 3));
    field->number = (uint32_t)(tag >> 3);
    field->wire = (pb_wire)(tag & 7);
    switch (tag & 7) {
    case PB_VARINT:
        return read_varint(cursor, &field->value, err);
    case PB_FIXED64:
        return read_fixed(cursor, 8, &field->value, err);
    case PB_BYTES:
        TRY(read_varint(cursor, &field->value, err));
        uint64_t left = (uint64_t)(cursor->end - cursor->next);
        if (field->value > left)
            return error_at(err, ROOF_E_DATA, field->offset,
                            "field %u claims %llu bytes, but %llu are left: the file is truncated or damaged",
                            field->number, (unsigned long long)field->value, (unsigned long long)left);
        field->data = cursor->next;
        cursor->next += field->value;
        return ROOF_OK;
    case PB_FIXED32:
        return read_fixed(cursor, 4, &field->value, err);
    default: /* 3 and 4 are groups, gone since proto2; 6 and 7 never existed */
        return error_at(err, ROOF_E_DATA, field->offset, "field %u has wire type %u, want 0, 1, 2 or 5",
                        field->number, (unsigned)(tag & 7));
    }
}

roof_status pb_find(pb_cursor message, const pb_wanted *wanted, size_t n, roof_error *err)
{
    pb_field f;
    roof_status status;
    for (size_t i = 0; i < n; i++)
        *wanted[i].out = (pb_field){0};
    while (pb_each(&message, &f, &status, err))
        for (size_t i = 0; i < n; i++)
            if (f.number == wanted[i].number)
                *wanted[i].out = f;
    return status;
}

roof_status pb_refuse(const pb_field *field, pb_wire wire, const char *what, roof_error *err)
{
    return error_at(err, ROOF_E_DATA, field->offset, "%s (field %u) has wire type %u, want %u", what,
                    field->number, (unsigned)field->wire, (unsigned)wire);
}

roof_status pb_varint(pb_cursor *cursor, uint64_t *value, bool *more, roof_error *err)
{
    enum { LONGEST = 10 };
    *more = cursor->next < cursor->end;
    os_want(cursor->next, LONGEST);
    return *more ? read_varint(cursor, value, err) : ROOF_OK;
}

roof_status pb_ints(const pb_cursor *scope, const pb_field *field, const char *what, int64_t *out,
                    uint32_t max, uint32_t *n, roof_error *err)
{
    bool is_packed = field->wire != PB_VARINT, more = true;
    uint64_t value = field->value;
    if (is_packed)
        TRY(pb_want(field, PB_BYTES, what, err));
    pb_cursor packed = pb_enter(scope, field);
    for (;;) {
        if (is_packed)
            TRY(pb_varint(&packed, &value, &more, err));
        if (!more)
            return ROOF_OK;
        if (*n < max)
            out[*n] = (int64_t)value;
        ++*n;
        more = is_packed;
    }
}
