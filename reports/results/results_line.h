/* reports/results/results_line.h - a file of points: its lines, their fields, the file on the way, the lines
 * of all parts; and the fronts of what they say.
 *
 * A line ends with the identity of its plan, the number of that plan's points, and the low 32 bits of XXH3
 * over all before these, seeded by the sum of both:
 *   CSV   3,...,0123456789abcdef/10000,89abcdef
 *   JSON  {"index":3,...,"plan":"0123456789abcdef/10000","check":"89abcdef"}
 *
 * Ownership: names of fields are borrowed; values are good until the next line.
 */
#pragma once

#include "core/core.h"
#include "roofline/pareto.h"
#include "roofline/results.h"

/* ---- a line (results_line.c) ---- */

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

/* Lines of an open file, from where it stands; it begins as {.fd = fd}. */
typedef struct results_reader {
    int fd;
    uint64_t at_bytes, number; /* behind the line that was read last; its number, from 1 */
    const char *line;          /* with its end; not NUL-terminated */
    size_t length;
    bool is_whole; /* it has an end, and fits into memory */
    char *buffer;
    size_t room, filled, used;
} results_reader;

void results_reader_end(results_reader *reader);

/* The next line; length 0: there is none. A line longer than POINTS_MOST_LINE_BYTES is not whole, and the
 * last. Errors: E_IO, E_NO_MEMORY. */
roof_status results_reader_next(results_reader *reader, roof_error *err);

/* ---- some of its fields, by the names of their columns (results_fields.c) ---- */

enum { POINTS_MOST_FIELDS = 24, POINTS_MOST_TITLES = 128 };

typedef struct results_field {
    const char *text; /* "": it is null, or there is no such column */
    double number;    /* NaN: it is none; of a truth 0 or 1 */
} results_field;

typedef struct results_fields {
    const char *const *names;
    size_t n;
    bool is_json;
    uint8_t place[POINTS_MOST_TITLES]; /* of CSV: which of the names a column is, n: none */
    size_t n_titles;
    size_t begins[POINTS_MOST_FIELDS]; /* of the texts */
    textbuf texts;
    results_field values[POINTS_MOST_FIELDS];
} results_fields;

/* names: n of them, at most POINTS_MOST_FIELDS. titles: the first line of CSV; "" of JSON lines.
 * Errors: E_DATA for more titles than POINTS_MOST_TITLES. */
roof_status results_fields_begin(results_fields *fields, const char *const *names, size_t n,
                                 const char *titles, roof_error *err);

/* Reads a whole line into values. Errors: E_DATA for what is no row of these titles or no object of JSON;
 * E_NO_MEMORY. */
roof_status results_fields_read(results_fields *fields, const char *line, size_t length, roof_error *err);
void results_fields_end(results_fields *fields); /* of zeros: nothing */

/* Outcomes of points, "why" and "findings": adds a line to those that failed, or that have findings. */
roof_status results_outcome_begin(results_fields *fields, const char *titles, roof_error *err);
roof_status results_outcome_count(results_fields *fields, const char *line, size_t length,
                                  roof_results_progress *done, roof_error *err);

/* ---- a file on the way, where what an earlier run left is kept (results_part.c) ---- */

/* Lines of a part: the titles ("" for JSON lines), then points from first up to before end. */
typedef struct results_wanted {
    const roof_sweep_plan *swept;
    bool is_json;
    const char *titles;
    size_t titles_length;
    uint64_t first, end;
} results_wanted;

typedef struct results_part {
    const char *path;         /* "points.csv.part", as it is shown */
    const char *full, *place; /* without links: it, and where it goes to */
    int fd;
    uint64_t next;              /* the first point that is not in it */
    roof_results_progress kept; /* what became of those that were there: failed and found */
    uint64_t n_lines;           /* that were added and went into it whole */
    bool is_complete;           /* the file is in its place already, with the same lines */
    bool is_stream;             /* of a pipe or a device there is nothing to go on with */
} results_part;

/* Opens PATH.part, which no other process may write meanwhile, keeps its whole lines, and cuts what is behind
 * them. The titles are written if they are not there. path: "-" is standard output. part is ended in any
 * case. */
roof_status results_part_begin(results_part *part, roof_arena *arena, const char *path,
                               const results_wanted *wanted, roof_error *err);

/* Adds lines. Errors: E_IO; then the file holds as many as went into it. */
roof_status results_part_add(results_part *part, const char *bytes, size_t length, roof_error *err);

/* Puts it in its place when status is ROOF_OK, else leaves it for the next run. Returns status, or what went
 * wrong now. */
roof_status results_part_end(results_part *part, roof_status status, roof_error *err);

/* ---- the lines of all parts, in the order of their points (results_merge.c) ---- */

/* Receiver of the lines. context is its own. */
typedef struct results_taker {
    /* Once, before the lines. titles: with the end of their line; "" of JSON lines. */
    roof_status (*begin)(void *context, const char *titles, const results_line *first, roof_error *err);
    roof_status (*line)(void *context, const char *line, size_t length, uint64_t index, roof_error *err);
    void *context;
} results_taker;

/* Errors: those of roof_results_merge; what the taker returns, E_DATA with file and line. */
roof_status results_parts_read(const char *const *paths, uint32_t n, const char *identity,
                               const results_taker *taker, roof_error *err);

/* ---- fronts of configurations whose rates are known (pareto_find.c) ---- */

/* Chooses the cost (ROOF_COSTS: by what differs), and finds each front. Errors: E_USAGE, E_NO_MEMORY. */
roof_status pareto_find(roof_pareto *f, roof_cost_kind requested, roof_error *err);
