/* core/csvin.h - rows of a plain table in memory: cells between commas, a row a line, no quotes. For tables that a tool writes
 * for itself; measure/table.h reads those that spreadsheets wrote.
 *
 * Units: lines from 1.
 * Ownership: cells point into the text, and are valid until the next row; their array is the caller's.
 */
#ifndef ROOF_CORE_CSVIN_H
#define ROOF_CORE_CSVIN_H

#include <stdbool.h>
#include <stddef.h>
#include "roofline/status.h"

typedef struct roof_csvin_cell {
    const char *text; /* without blanks around it; not NUL-terminated */
    size_t length;
} roof_csvin_cell;

typedef struct roof_csvin {
    const char *at, *end;
    roof_csvin_cell *cells;
    uint32_t room, n_cells;
    uint64_t line;
} roof_csvin;

/* A byte order mark is skipped. */
roof_csvin roof_csvin_from(const void *bytes, uint64_t size, roof_csvin_cell *cells, uint32_t room);

/* The next line; *more is false behind the last one. A blank line has no cells.
 * Errors, with the line: E_DATA (bytes that are no text), E_LIMIT (more than room cells). */
roof_status roof_csvin_next(roof_csvin *in, bool *more, roof_error *err);

bool roof_csvin_is(roof_csvin_cell cell, const char *text);

/* A whole number in decimal digits, at most 2^63 - 1. False for anything else. */
bool roof_csvin_count(roof_csvin_cell cell, uint64_t *out);

/* True for a number as C++ prints them, "nan" and "inf" included. */
bool roof_csvin_is_number(roof_csvin_cell cell);

#endif
