/* measure/fields.h - pieces of a line, and the numbers in them.
 *
 * Ownership: a span points into the line that it was cut from. It is not NUL-terminated.
 */
#ifndef ROOF_MEASURE_FIELDS_H
#define ROOF_MEASURE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include "roofline/status.h"

typedef struct roof_span {
    const char *text;
    size_t length;
} roof_span;

roof_span roof_span_of(const char *text);
roof_span roof_span_trim(roof_span span); /* without blanks and tabs at both ends */
bool roof_span_is(roof_span span, const char *word);
bool roof_span_has(roof_span span, const char *word); /* anywhere in it */
bool roof_span_begins(roof_span span, const char *word);

/* A span that is safe to show, cut in the middle when it is long. Returns the buffer. */
enum { ROOF_SHOWN_SIZE = 80 };
const char *roof_span_show(roof_span span, char buffer[ROOF_SHOWN_SIZE]);

/* Cuts a line at every separator, pieces trimmed. Returns how many pieces there are; those beyond room are not kept. */
size_t roof_span_split(roof_span line, char separator, roof_span *pieces, size_t room);

/* A number that may stand for a time, a size or a rate: finite and 0 or more.
 * what: names it in messages, "Average Time (ms)". line: for messages.
 * Errors: E_DATA with the line (empty, no number, NaN, negative, beyond a double). */
roof_status roof_span_number(roof_span span, const char *what, uint64_t line, double *out, roof_error *err);

/* A whole number below 2^53, also when it is written as 12.0 or 1e6. Errors: as above. */
roof_status roof_span_count(roof_span span, const char *what, uint64_t line, uint64_t *out, roof_error *err);

/* A whole number of up to 64 bits, digits only. Errors: as above. */
roof_status roof_span_id(roof_span span, const char *what, uint64_t line, uint64_t *out, roof_error *err);

/* A count out of a product such as 0.103 MB: rounded, and ROOF_UNKNOWN for 0, NaN and what exceeds 2^53, since tools
 * print 0.000 for what is merely small. */
uint64_t roof_count_of(double value);

#endif
