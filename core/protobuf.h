/* core/protobuf.h - a bounded cursor over the protobuf wire format.
 *
 * Why own code: see the decisions in core/README.md. The cursor never allocates, never recurses and never
 * reads a byte of a length-delimited field that the caller does not look at, so weights cost nothing.
 *
 * Units: bytes; offsets are from the start of the file.
 * Source: protobuf.dev, "Encoding".
 */
#pragma once

#include "core/platform/platform.h"
#include "core/core.h"
#include "roofline/status.h"

typedef enum pb_wire { PB_VARINT = 0, PB_FIXED64 = 1, PB_BYTES = 2, PB_FIXED32 = 5 } pb_wire;

typedef struct pb_cursor {
    const unsigned char *file; /* offset 0 of messages */
    const unsigned char *next, *end;
} pb_cursor;

typedef struct pb_field {
    uint32_t number;
    pb_wire wire;
    uint64_t value;            /* varint and fixed; of a bytes field its length */
    const unsigned char *data; /* bytes fields */
    uint64_t offset;           /* of the tag */
} pb_field;

pb_cursor pb_from(const unsigned char *bytes, uint64_t size);

/* The content of a bytes field as a message; of another field an empty one. */
static inline pb_cursor pb_enter(const pb_cursor *outer, const pb_field *field)
{
    const unsigned char *end = field->data ? field->data + field->value : NULL;
    return (pb_cursor){.file = outer->file, .next = field->data, .end = end};
}

/* pb_next without the short cut. */
roof_status pb_next_any(pb_cursor *cursor, pb_field *field, bool *more, roof_error *err);

/* Reads the next field. *more is false at the end of the message. Errors: E_DATA with the offset.
 *
 * Two thirds of all fields in a graph are short bytes fields with a one-byte tag; reading those inline made
 * reading a graph twice as fast. */
static inline roof_status pb_next(pb_cursor *cursor, pb_field *field, bool *more, roof_error *err)
{
    enum { LONGEST = 24 }; /* a tag and a length, or a number */
    const unsigned char *p = cursor->next;
    os_want(p, LONGEST);
    bool short_bytes = cursor->end - p >= 2 && (p[0] & 0x87) == PB_BYTES && p[0] >= 8 && p[1] < 0x80 &&
                       p[1] <= cursor->end - p - 2;
    if (!short_bytes)
        return pb_next_any(cursor, field, more, err);
    *more = true;
    field->number = p[0] >> 3;
    field->wire = PB_BYTES;
    field->value = p[1];
    field->data = p + 2;
    field->offset = (uint64_t)(p - cursor->file);
    cursor->next = p + 2 + p[1];
    return ROOF_OK;
}

/* The same as a condition: false at the end of the message and after a failure, which status reports. */
static inline bool pb_each(pb_cursor *message, pb_field *field, roof_status *status, roof_error *err)
{
    bool more = message->next < message->end;
    *status = more ? pb_next(message, field, &more, err) : ROOF_OK;
    return *status == ROOF_OK && more;
}

typedef struct pb_wanted {
    uint32_t number;
    pb_field *out;
} pb_wanted;

/* Reads a message to its end for the last field of each number; number 0: it has none. Errors: E_DATA. */
roof_status pb_find(pb_cursor message, const pb_wanted *wanted, size_t n, roof_error *err);
/* PB_FIND(message, err, {OPSET_DOMAIN, &domain}, {OPSET_VERSION, &version}) */
#define PB_FIND(message, err, ...)                                                                           \
    pb_find((message), (const pb_wanted[]){__VA_ARGS__}, N_OF(((const pb_wanted[]){__VA_ARGS__})), (err))

/* The content of a bytes field as a text; of another field an empty one. */
static inline text_span pb_span(const pb_field *field)
{
    if (!field->data)
        return (text_span){"", 0};
    os_want(field->data, field->value);
    return (text_span){(const char *)field->data, (size_t)field->value};
}

/* Fails with the wire type that is wanted, which a field has not; what names the field. */
roof_status pb_refuse(const pb_field *field, pb_wire wire, const char *what, roof_error *err);

/* The same only where the field has another one. */
static inline roof_status pb_want(const pb_field *field, pb_wire wire, const char *what, roof_error *err)
{
    return field->wire == wire ? ROOF_OK : pb_refuse(field, wire, what, err);
}

/* Reads the next integer out of packed bytes. *more is false at the end. */
roof_status pb_varint(pb_cursor *cursor, uint64_t *value, bool *more, roof_error *err);

/* The integers of a field, packed or a single one: those that out has room for, up to max, behind the *n that
 * are there. *n is how many there are then, kept or not. what names the field. Errors: E_DATA. */
roof_status pb_ints(const pb_cursor *scope, const pb_field *field, const char *what, int64_t *out,
                    uint32_t max, uint32_t *n, roof_error *err);
