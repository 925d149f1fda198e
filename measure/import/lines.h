/* measure/import/lines.h - lines of a text that need not be in memory.
 *
 * Units: bytes; lines from 1.
 * Ownership: a line is valid until the call for it returns, and its text may be changed.
 *
 * Memory is one line, of 1 MiB at most, and one block of input. Lines end in \n or \r\n, the last one need
 * not; a byte order mark at the beginning is skipped.
 */
#ifndef ROOF_MEASURE_IMPORT_LINES_H
#define ROOF_MEASURE_IMPORT_LINES_H

#include "core/span.h"

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

#endif
