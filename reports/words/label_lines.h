/* reports/words/label_lines.h - lines beside a table, "label: text", made once for every format; and how a time, a rate, a size, a
 * percentage looks in a sentence.
 *
 * Ownership: texts belong to an arena. Without memory they are "", and the arena knows.
 */
#ifndef ROOF_REPORTS_WORDS_LABEL_LINES_H
#define ROOF_REPORTS_WORDS_LABEL_LINES_H

#include "core/arena.h"
#include "core/table/paper.h"

typedef struct remark {
    const char *label, *text; /* a label that begins with a blank belongs to the line before */
} remark;

typedef struct remarks {
    roof_arena *arena;
    remark *items;
    size_t n;
} remarks;

/* Nothing is added for an empty text. */
void remarks_add(remarks *r, const char *label, const char *format, ...) ROOF_PRINTF(3, 4);
void remarks_put(const remarks *r, const text_paper *p);

/* NULL for a text that could not be made. */
const char *text_or_empty(const char *text);

const char *say_quantity(roof_arena *arena, double value, const char *unit); /* "1.46 ms", "unknown" */
const char *say_count(roof_arena *arena, uint64_t count);                    /* "1 234 567", "unknown" */
const char *say_number(roof_arena *arena, double value, int digits);         /* "64.8", "?" */
const char *say_percent(roof_arena *arena, double ratio);                    /* "19.4 %", "? %" */
const char *say_plural(uint64_t n);                                          /* "s" but for one */

/* A text by a format. */
const char *say_printf(roof_arena *arena, const char *format, ...) ROOF_PRINTF(2, 3);

/* A text that was made piece by piece, which is freed; NULL without memory. */
const char *say_text(roof_arena *arena, textbuf *text);

/* "1 conv, 2 pool": adds to a list. */
const char *say_more(roof_arena *arena, const char *list, const char *format, ...) ROOF_PRINTF(3, 4);

#endif
