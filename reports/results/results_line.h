/* reports/results/results_line.h - a line of a file of points, and lines out of a file.
 *
 * A line ends with the identity of its plan, the number of that plan's points, and the low 32 bits of XXH3
 * over all before these, seeded by the sum of both:
 *   CSV   3,...,0123456789abcdef/10000,89abcdef
 *   JSON  {"index":3,...,"plan":"0123456789abcdef/10000","check":"89abcdef"}
 */
#ifndef ROOF_REPORTS_RESULTS_RESULTS_LINE_H
#define ROOF_REPORTS_RESULTS_RESULTS_LINE_H

#include <stdbool.h>
#include "core/text.h"

enum { POINTS_IDENTITY_SIZE = 17, POINTS_MOST_LINE_BYTES = 1 << 20 };

/* Identity of a line; lines of one plan are the same but for the index. */
typedef struct results_line {
    uint64_t index, n_points;
    char identity[POINTS_IDENTITY_SIZE];
} results_line;

/* out: a line that begins at `at` and ends in "}\n" or "\n"; gets the end that belongs to it. */
void results_line_sign(textbuf *out, size_t at, bool is_json, const char *identity, uint64_t n_points);

/* The titles of these. */
#define POINTS_LINE_TITLES ",plan,check\n"

/* Reads a whole line, its end included; false: it is none, or was changed since it was written. */
bool results_line_read(const char *line, size_t length, bool is_json, results_line *out);

/* Lines of an open file, from where it stands. */
typedef struct results_reader {
    int fd;
    uint64_t at_bytes, number; /* behind the line that was read last; its number, from 1 */
    const char *line;          /* with its end; not NUL-terminated */
    size_t length;
    bool is_whole; /* it has an end, and fits into memory */
    char *buffer;
    size_t room, filled, used;
} results_reader;

void results_reader_begin(results_reader *reader, int fd);
void results_reader_end(results_reader *reader);

/* The next line; length 0: there is none. A line longer than POINTS_MOST_LINE_BYTES is not whole, and the
 * last. Errors: E_IO, E_NO_MEMORY. */
roof_status results_reader_next(results_reader *reader, roof_error *err);

#endif
