/* core/protobuf.h - a bounded cursor over the protobuf wire format.
 *
 * Why own code: see ARCHITECTURE.md, "Libraries". The cursor never allocates, never recurses and never reads
 * a byte of a length-delimited field that the caller does not look at, so weights cost nothing.
 *
 * Units: bytes; offsets are from the start of the file.
 * Source: protobuf.dev, "Encoding".
 */
#ifndef ROOF_CORE_PROTOBUF_H
#define ROOF_CORE_PROTOBUF_H

#include <stdbool.h>
#include "roofline/status.h"

typedef enum roof_pb_wire {
    ROOF_PB_VARINT = 0,
    ROOF_PB_FIXED64 = 1,
    ROOF_PB_BYTES = 2,
    ROOF_PB_FIXED32 = 5
} roof_pb_wire;

typedef struct roof_pb {
    const unsigned char *file; /* offset 0 of messages */
    const unsigned char *next, *end;
} roof_pb;

typedef struct roof_pb_field {
    uint32_t number;
    roof_pb_wire wire;
    uint64_t value;            /* varint and fixed; of a bytes field its length */
    const unsigned char *data; /* bytes fields */
    uint64_t offset;           /* of the tag */
} roof_pb_field;

roof_pb roof_pb_from(const unsigned char *bytes, uint64_t size);

/* The content of a bytes field as a message. */
roof_pb roof_pb_enter(const roof_pb *outer, const roof_pb_field *field);

/* roof_pb_next without the short cut. */
roof_status roof_pb_next_any(roof_pb *cursor, roof_pb_field *field, bool *more, roof_error *err);

/* Reads the next field. *more is false at the end of the message. Errors: E_DATA with the offset.
 *
 * Two thirds of all fields in a graph are short bytes fields with a one-byte tag; reading those inline made reading a
 * graph twice as fast. */
static inline roof_status roof_pb_next(roof_pb *cursor, roof_pb_field *field, bool *more, roof_error *err)
{
    const unsigned char *p = cursor->next;
    bool short_bytes = cursor->end - p >= 2 && (p[0] & 0x87) == ROOF_PB_BYTES && p[0] >= 8 && p[1] < 0x80 &&
                       p[1] <= cursor->end - p - 2;
    if (!short_bytes)
        return roof_pb_next_any(cursor, field, more, err);
    *more = true;
    field->number = p[0] >> 3;
    field->wire = ROOF_PB_BYTES;
    field->value = p[1];
    field->data = p + 2;
    field->offset = (uint64_t)(p - cursor->file);
    cursor->next = p + 2 + p[1];
    return ROOF_OK;
}

/* Fails unless the field has the wire type that is wanted; what names the field. */
roof_status roof_pb_want(const roof_pb_field *field, roof_pb_wire wire, const char *what, roof_error *err);

/* Reads the next integer out of packed bytes. *more is false at the end. */
roof_status roof_pb_varint(roof_pb *cursor, uint64_t *value, bool *more, roof_error *err);

#endif
