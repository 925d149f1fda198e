/* core/flatbuffer.h - a bounded cursor over FlatBuffers: tables, their fields, vectors and strings.
 *
 * Why own code: no FlatBuffers library for C is packaged in Debian. The cursor never allocates, never
 * recurses and reads only requested fields, so weights cost nothing. Every offset, vtable and length is
 * compared with the file before it is used; a refusal names the byte.
 *
 * A table at byte T begins with the distance back to its vtable. The vtable has its own size, the table's,
 * and for each field its place in the table, 0 where the field is left out. Tables, vectors and strings that
 * a field names lie behind it, at a distance that the field holds. A vector begins with its length. Numbers
 * are little-endian and need not be aligned.
 *
 * Units: bytes; offsets are from the start of the file. Fields are counted from 0 in the order of the schema;
 *   a union has two of them, its type and its table.
 * Ownership: all points into the bytes that were given.
 * Errors: E_DATA with the byte. A field that is left out is none: it has its default, no elements, or is not
 *   there.
 * Source: flatbuffers.dev, "Internals".
 */
#pragma once

#include "core/core.h"

typedef struct fb_table {
    const unsigned char *file;
    uint64_t file_bytes;
    uint64_t at, vtable;  /* their places */
    uint32_t n_fields;    /* of which the vtable knows */
    uint32_t table_bytes; /* its own, with the distance to the vtable */
} fb_table;

/* A vector; of one that is left out n is 0. */
typedef struct fb_vector {
    const unsigned char *file;
    uint64_t file_bytes;
    uint64_t at; /* of the first element */
    uint32_t n;
} fb_vector;

/* The table that the file begins with. */
roof_status fb_root(const unsigned char *file, uint64_t file_bytes, fb_table *root, roof_error *err);

/* A number of size 1, 2, 4 or 8. */
roof_status fb_unsigned(const fb_table *table, uint32_t field, uint32_t size, uint64_t absent, uint64_t *out,
                        roof_error *err);
roof_status fb_signed(const fb_table *table, uint32_t field, uint32_t size, int64_t absent, int64_t *out,
                      roof_error *err);

/* *is_there: false where the field is left out, and then nothing is set. */
roof_status fb_enter(const fb_table *table, uint32_t field, fb_table *inner, bool *is_there, roof_error *err);

/* A vector of elements of that size: 4 for tables and strings. No element is read. */
roof_status fb_elements(const fb_table *table, uint32_t field, uint32_t element_bytes, fb_vector *out,
                        roof_error *err);

/* The text of a string, which may hold any byte. */
roof_status fb_string(const fb_table *table, uint32_t field, text_span *out, roof_error *err);

/* The i-th element, i < n, of a vector of tables; of 32-bit numbers. */
roof_status fb_table_of(const fb_vector *vector, uint32_t i, fb_table *out, roof_error *err);
int32_t fb_int32_of(const fb_vector *vector, uint32_t i);
