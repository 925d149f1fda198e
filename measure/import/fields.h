/* measure/import/fields.h - lines of a text, the numbers in pieces of them, and patterns of lines. */
#pragma once

#include "core/core.h"

struct reading; /* of an importer */

/* A number that may stand for a time, a size or a rate: finite and 0 or more.
 * what: names it in messages, "Average Time (ms)". Where a line holds it, lines_each adds its number to an
 * error.
 * Errors: E_DATA (empty, no number, NaN, negative, beyond a double). */
roof_status span_number(text_span span, const char *what, double *out, roof_error *err);

/* A whole number below 2^53, also when it is written as 12.0 or 1e6. Errors: as above. */
roof_status span_count(text_span span, const char *what, uint64_t *out, roof_error *err);

/* A whole number of up to 64 bits, digits only. Errors: as above. */
roof_status span_id(text_span span, const char *what, uint64_t *out, roof_error *err);

/* A number as a locale writes it, plainly: "1234.5" of "1,234.5", or of "1.234,5" where a comma is decimal.
 * It begins with digits; what stands behind the decimal is as it was. False, and out stays as it is, where
 * thousands are apart elsewhere, or for what is longer. */
enum { PLAIN_NUMBER_SIZE = 64 };
bool span_plain_number(text_span span, char decimal, char buffer[PLAIN_NUMBER_SIZE], text_span *out);

/* A count out of a product such as 0.103 MB: rounded, and ROOF_UNKNOWN for 0, NaN and what exceeds 2^53,
 * since tools print 0.000 for what is merely small. */
uint64_t count_from(double value);

/* What a unit is of, and how many s, B, Hz, W, A or V it has: 1e-3 of "ms", 1e3 of "KB", 1024 of "KiB". */
typedef enum unit_kind {
    UNIT_NONE,
    UNIT_SIZE,
    UNIT_CLOCK,
    UNIT_TIME,
    UNIT_POWER,
    UNIT_CURRENT,
    UNIT_VOLTAGE
} unit_kind;
unit_kind span_unit(text_span word, bool any_case, double *scale);

/* A value in base units, by the scale of its own; 0: they are its own. Thousandths are divided by
 * thousands, which doubles hold exactly. */
double span_to_base(double value, double scale);

/* The rest of a span behind its first n bytes; and all from one piece of a text to a later one. */
text_span span_from(text_span span, size_t n);
text_span span_to(text_span first, text_span last);

/* Compares the beginning of a text with a pattern and takes what fits off it. In the pattern '#' stands for a
 * whole number up to 2^53, '~' for any of 0 or more, ' ' for blanks, which may be missing, and all else for
 * itself. Numbers go to out in order. False, with nothing taken, where it does not fit. */
bool span_scan(text_span *text, const char *pattern, double *out);

/* The same behind the first label, wherever it stands; the text stays as it is. */
bool span_scan_behind(text_span text, const char *label, const char *pattern, double *out);

/* The same for patterns in which '*' stands for what is before the next character of the pattern, or for all
 * that is left. Such pieces go to words. */
bool span_cut(text_span *text, const char *pattern, double *numbers, text_span *words);

/* What a line of a log says. The first field that it fits takes it; a line that fits none is another one. */
typedef struct line_found {
    double n[8];
    text_span words[4];
} line_found;

typedef struct line_field {
    const char *pattern; /* as of span_cut, with as many numbers and words as line_found has room for */
    double unit;         /* of its numbers, 1e-3 of "ms"; 0: 1 */
    size_t target;       /* of as many doubles of the reading: where they go, unless they are taken */
    bool is_sum;         /* to be added there */
    roof_status (*take)(struct reading *r, const line_found *found, roof_error *err);
    const char *behind; /* the first of these stands before the pattern; NULL: the line begins with it */
} line_field;

roof_status line_take(const line_field *fields, size_t n, text_span line, struct reading *r, roof_error *err);

/* The fields of an importer_def or a tool_table, in their place. */
#define LINES_OF(lines_) .lines = (lines_), .n_lines = N_OF(lines_)

/* Without any of these characters at both ends. */
text_span span_strip(text_span span, const char *characters);

/* Takes an ending off. False where there is another one, or nothing before it. */
bool span_drop(text_span *text, const char *ending);

/* The word behind a key such as "layerType: ", up to a blank or a comma; empty where the key is not there. */
text_span span_word_behind(text_span text, const char *key);

/* The text before the first of these characters, which is taken off; all of it where there is none. */
text_span span_until(text_span *text, const char *stops);

/* ---- lines.c: lines of a text that need not be in memory ----
 *
 * A line is valid until the call for it returns, and its text may be changed. Memory is one line, of 1 MiB at
 * most, and one block of input. Lines end in \n or \r\n, the last one need not; a byte order mark at the
 * beginning is skipped.
 */

enum { LINE_MAX_BYTES = 1 << 20 };

/* Fills buffer with at most size bytes; *got 0 is the end. */
typedef roof_status (*import_read)(void *context, char *buffer, size_t size, size_t *got, roof_error *err);

typedef struct import_line {
    char *text; /* NUL-terminated, without its line end */
    size_t length;
    uint64_t number;
    bool is_open; /* the last one, without a line end: it may be cut */
} import_line;

/* Gives every line to a function, until one fails. An error without a line gets that of the line.
 * Errors: E_DATA with the line (a NUL byte, bytes that are not UTF-8), E_LIMIT (a line of more than 1 MiB),
 *   E_NO_MEMORY, those of read and each. */
typedef roof_status (*lines_call)(void *target, const import_line *line, roof_error *err);
roof_status lines_each(import_read read, void *context, lines_call each, void *target, roof_error *err);
