/* reports/annotations/wire_copy.h - the copy of a protobuf message in which some parts are others. Two
 * rounds go over the same fields: the first one measures, since lengths are written in front of what they
 * measure, the second one writes.
 *
 * Units: bytes.
 * Ownership: what is carried is borrowed from the input until wire_finish.
 * Source: protobuf.dev, "Encoding".
 */
#pragma once

#include "core/protobuf.h"
#include "roofline/sink.h"

/* Small pieces are collected before they are handed on. */
typedef struct wire_pieces {
    char bytes[1 << 12];
    size_t n;
} wire_pieces;

/* The first failure stays: from then on nothing is read or written, and loops over fields end. */
typedef struct wire_copy {
    uint64_t n_bytes;                   /* that came out */
    wire_pieces *pieces;                /* NULL: this round measures */
    const unsigned char *run, *run_end; /* of the input, to be handed on as they are */
    roof_sink sink;
    roof_status status;
    roof_error *err;
} wire_copy;

/* The next field of a message of the input. False: at its end, and after a failure. */
bool wire_each(wire_copy *w, pb_cursor *message, pb_field *field);

/* True for a field of that number with a text or a message. */
bool wire_is(const pb_field *field, uint32_t number);

/* Bytes of the input, as they are; the field of it that was read last; zeroes. */
void wire_carry(wire_copy *w, const unsigned char *from, const unsigned char *to);
void wire_carry_field(wire_copy *w, const pb_cursor *scope, const pb_field *field);
void wire_put_zeroes(wire_copy *w, uint64_t length);

/* The tag and the number, or the length, of a field; a bytes field. */
void wire_put_head(wire_copy *w, uint32_t field, pb_wire wire, uint64_t number);
void wire_put_text(wire_copy *w, uint32_t field, text_span text);

/* A message within, which begins as {.rounds = 0}: its content is gone through once to measure it, and once
 * more to write it behind its head. Example: while (wire_within(w, FIELD, &in)) put_content(w, message); */
typedef struct wire_inner {
    wire_copy outer;
    unsigned rounds;
} wire_inner;
bool wire_within(wire_copy *w, uint32_t field, wire_inner *in);

/* Goes back to before such a message, which was measured and is not wanted. */
void wire_leave(wire_copy *w, const wire_inner *in);

/* OK where nothing failed, and readers take as much as was measured. Errors: E_LIMIT, the first failure. */
roof_status wire_fits(const wire_copy *w);

/* Hands on what is left. Errors: the first failure. */
roof_status wire_finish(wire_copy *w);
