#include "core/flatbuffer.h"
#include "core/platform/platform.h"

/* A little-endian number of size bytes, which are there. */
static uint64_t number_at(const unsigned char *bytes, uint32_t size)
{
    uint64_t value = 0;
    os_want(bytes, size);
    for (uint32_t i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static roof_status want_bytes(uint64_t file_bytes, uint64_t at, uint64_t size, const char *what,
                              roof_error *err)
{
    if (at <= file_bytes && size <= file_bytes - at)
        return ROOF_OK;
    return error_at(err, ROOF_E_DATA, at < file_bytes ? at : file_bytes,
                    "%s of %" PRIu64 " bytes at byte 0x%" PRIx64
                    " goes beyond the end: the file is truncated or damaged",
                    what, size, at);
}

static roof_status open_table(const unsigned char *file, uint64_t file_bytes, uint64_t at, fb_table *out,
                              roof_error *err)
{
    TRY(want_bytes(file_bytes, at, 4, "a table", err));
    const int64_t back = (int32_t)number_at(file + at, 4), vtable = (int64_t)at - back;
    if (vtable < 0 || (uint64_t)vtable > file_bytes || file_bytes - (uint64_t)vtable < 4)
        return error_at(err, ROOF_E_DATA, at,
                        "the table's vtable at byte %" PRId64 " lies outside of the file", vtable);
    const uint32_t vtable_bytes = (uint32_t)number_at(file + vtable, 2),
                   table_bytes = (uint32_t)number_at(file + vtable + 2, 2);
    if (vtable_bytes < 4 || vtable_bytes % 2 || table_bytes < 4)
        return error_at(err, ROOF_E_DATA, (uint64_t)vtable,
                        "a vtable of %u bytes for a table of %u, want an even size and 4 of each at least",
                        vtable_bytes, table_bytes);
    TRY(want_bytes(file_bytes, (uint64_t)vtable, vtable_bytes, "a vtable", err));
    TRY(want_bytes(file_bytes, at, table_bytes, "a table", err));
    *out = (fb_table){.file = file,
                      .file_bytes = file_bytes,
                      .at = at,
                      .vtable = (uint64_t)vtable,
                      .n_fields = (vtable_bytes - 4) / 2,
                      .table_bytes = table_bytes};
    return ROOF_OK;
}

roof_status fb_root(const unsigned char *file, uint64_t file_bytes, fb_table *root, roof_error *err)
{
    TRY(want_bytes(file_bytes, 0, 4, "the place of the first table", err));
    return open_table(file, file_bytes, number_at(file, 4), root, err);
}

/* The place of a field; 0: it is left out. */
static roof_status place_of(const fb_table *t, uint32_t field, uint32_t size, uint64_t *at, roof_error *err)
{
    const uint64_t entry = t->vtable + 4 + 2 * (uint64_t)field;
    const uint32_t offset = field < t->n_fields ? (uint32_t)number_at(t->file + entry, 2) : 0;
    *at = offset ? t->at + offset : 0;
    if (!offset || (offset >= 4 && offset <= t->table_bytes && size <= t->table_bytes - offset))
        return ROOF_OK;
    return error_at(err, ROOF_E_DATA, entry,
                    "field %u has %u bytes at %u of a table that has %u from byte 0x%" PRIx64, field, size,
                    offset, t->table_bytes, t->at);
}

roof_status fb_unsigned(const fb_table *table, uint32_t field, uint32_t size, uint64_t absent, uint64_t *out,
                        roof_error *err)
{
    uint64_t at;
    TRY(place_of(table, field, size, &at, err));
    *out = at ? number_at(table->file + at, size) : absent;
    return ROOF_OK;
}

roof_status fb_signed(const fb_table *table, uint32_t field, uint32_t size, int64_t absent, int64_t *out,
                      roof_error *err)
{
    uint64_t value;
    const uint32_t unused = 64 - 8 * size;
    TRY(fb_unsigned(table, field, size, (uint64_t)absent, &value, err));
    *out = (int64_t)(value << unused) >> unused;
    return ROOF_OK;
}

/* Place of the table, text or vector that a field names; 0: the field is left out. */
static roof_status follow(const fb_table *t, uint32_t field, uint64_t *target, roof_error *err)
{
    uint64_t at;
    TRY(place_of(t, field, 4, &at, err));
    *target = at ? at + number_at(t->file + at, 4) : 0;
    return ROOF_OK;
}

roof_status fb_enter(const fb_table *table, uint32_t field, fb_table *inner, bool *is_there, roof_error *err)
{
    uint64_t at;
    TRY(follow(table, field, &at, err));
    *is_there = at;
    return at ? open_table(table->file, table->file_bytes, at, inner, err) : ROOF_OK;
}

roof_status fb_elements(const fb_table *table, uint32_t field, uint32_t element_bytes, fb_vector *out,
                        roof_error *err)
{
    uint64_t at;
    *out = (fb_vector){.file = table->file, .file_bytes = table->file_bytes};
    TRY(follow(table, field, &at, err));
    if (!at)
        return ROOF_OK;
    TRY(want_bytes(table->file_bytes, at, 4, "the length of a vector", err));
    const uint64_t n = number_at(table->file + at, 4);
    TRY(want_bytes(table->file_bytes, at + 4, n * element_bytes, "a vector", err));
    out->at = at + 4;
    out->n = (uint32_t)n;
    return ROOF_OK;
}

roof_status fb_string(const fb_table *table, uint32_t field, text_span *out, roof_error *err)
{
    fb_vector bytes;
    TRY(fb_elements(table, field, 1, &bytes, err));
    *out = (text_span){(const char *)bytes.file + bytes.at, bytes.n};
    os_want(out->text, out->length);
    return ROOF_OK;
}

roof_status fb_table_of(const fb_vector *vector, uint32_t i, fb_table *out, roof_error *err)
{
    const uint64_t at = vector->at + 4 * (uint64_t)i;
    return open_table(vector->file, vector->file_bytes, at + number_at(vector->file + at, 4), out, err);
}

int32_t fb_int32_of(const fb_vector *vector, uint32_t i)
{
    return (int32_t)number_at(vector->file + vector->at + 4 * (uint64_t)i, 4);
}
