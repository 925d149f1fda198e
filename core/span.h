/* core/span.h - pieces of a text: comparing them, and taking them off its beginning one after the other.
 *
 * Ownership: a span points into the text that it was cut from. It is not NUL-terminated.
 */
#ifndef ROOF_CORE_SPAN_H
#define ROOF_CORE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include "roofline/status.h"

typedef struct roof_span {
    const char *text;
    size_t length;
} roof_span;

roof_span roof_span_of(const char *text);
roof_span roof_span_trim(roof_span span); /* without blanks, tabs and carriage returns at both ends */
bool roof_span_is(roof_span span, const char *word);
bool roof_span_has(roof_span span, const char *word); /* anywhere in it */
bool roof_span_begins(roof_span span, const char *word);

/* A span that is safe to show, cut in the middle when it is long. Returns the buffer. */
enum { ROOF_SHOWN_SIZE = 80 };
const char *roof_span_show(roof_span span, char buffer[ROOF_SHOWN_SIZE]);

/* Cuts a line at every separator, pieces trimmed. Returns how many pieces there are; those beyond room are not kept. */
size_t roof_span_split(roof_span line, char separator, roof_span *pieces, size_t room);

/* ---- a cursor: what is left of a text ---- */

/* Past the word if the span begins with it. */
bool roof_span_skip(roof_span *rest, const char *word);

/* Past the first occurrence of the word; the span is left alone where there is none. */
bool roof_span_skip_past(roof_span *rest, const char *word);

/* What stands before the stop, all of it where there is none; the span goes on behind the stop. */
roof_span roof_span_take_until(roof_span *rest, const char *stop);

/* What stands before the end of the line, which is passed over. The span is not empty. */
roof_span roof_span_take_line(roof_span *rest);

/* A decimal number, or a hexadecimal one behind "0x", at the beginning. False, with nothing taken: there is none, or one of
 * 2^63 or more. */
bool roof_span_take_whole(roof_span *rest, uint64_t *out);

#endif
