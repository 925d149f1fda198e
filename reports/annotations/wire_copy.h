/* reports/annotations/wire_copy.h - the copy of a protobuf message in which some parts are others. Two
 * rounds go over the same fields: the first one measures, since lengths are written in front of what they
 * measure, the second one writes.
 *
 * Units: bytes.
 * Ownership: what is carried is borrowed from the input until wire_finish.
 * Source: protobuf.dev, "Encoding".
 */
#ifndef ROOF_REPORTS_ANNOTATIONS_WIRE_COPY_H
#define ROOF_REPORTS_ANNOTATIONS_WIRE_COPY_H

#include "core/protobuf.h"
#include "roofline/sink.h"

/* Small pieces are collected before they are handed on. */
typedef struct wire_pieces {
    char bytes[1 << 12];
    size_t n;
} wire_pieces;

typedef struct wire_copy {
    uint64_t n_bytes;                   /* that came out */
    wire_pieces *pieces;                /* NULL: this round measures */
    const unsigned char *run, *run_end; /* of the input, to be handed on as they are */
    roof_sink sink;
    roof_error *err;
} wire_copy;

wire_copy wire_measuring(roof_error *err);
wire_copy wire_writing(wire_pieces *pieces, roof_sink sink, roof_error *err);
bool wire_measures(const wire_copy *w);

/* Where a field begins in the input. */
const unsigned char *wire_start(const pb_cursor *scope, const pb_field *field);

/* Bytes of the input, as they are; zeroes. */
roof_status wire_carry(wire_copy *w, const unsigned char *from, const unsigned char *to);
roof_status wire_put_zeroes(wire_copy *w, uint64_t length);

/* The tag and the length of a bytes field; a whole one; a field of a whole number. */
roof_status wire_put_head(wire_copy *w, uint32_t field, uint64_t length);
roof_status wire_put_text(wire_copy *w, uint32_t field, const char *text, size_t length);
roof_status wire_put_number(wire_copy *w, uint32_t field, uint64_t value);
uint64_t wire_text_size(uint32_t field, uint64_t length);

/* Checks that readers take as much as was measured. Errors: E_LIMIT. */
roof_status wire_fits(const wire_copy *w);

/* Hands on what is left. */
roof_status wire_finish(wire_copy *w);

#endif
