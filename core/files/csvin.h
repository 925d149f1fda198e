/* core/files/csvin.h - rows of a plain table in memory: cells between commas, a row a line, no quotes. For
 * tables that a tool writes for itself; measure/import/row.h reads those that spreadsheets wrote.
 *
 * Units: lines from 1.
 * Ownership: cells point into the text, and are valid until the next row; their array is the caller's.
 */
#pragma once

#include "core/core.h"

typedef text_span csvin_cell; /* without blanks around it */
#define csvin_is span_is

typedef struct csvin {
    text_span rest;
    csvin_cell *cells;
    uint32_t room, n_cells;
    uint64_t line;
} csvin;

/* A byte order mark is skipped. */
csvin csvin_from(const void *bytes, uint64_t size, csvin_cell *cells, uint32_t room);

/* The next line; *more is false behind the last one. A blank line has no cells.
 * Errors, with the line: E_DATA (bytes that are no text), E_LIMIT (more than room cells). */
roof_status csvin_next(csvin *in, bool *more, roof_error *err);

/* A whole number in decimal digits, at most 2^63 - 1. False for anything else. */
bool csvin_count(csvin_cell cell, uint64_t *out);

/* True for a number as C++ prints them, "nan" and "inf" included. */
bool csvin_is_number(csvin_cell cell);
