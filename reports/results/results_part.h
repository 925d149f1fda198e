/* reports/results/results_part.h - a file of points on the way, where what an earlier run left is kept; and
 * the lines of all parts of a sweep, in the order of their points. */
#ifndef ROOF_REPORTS_POINTS_PART_H
#define ROOF_REPORTS_POINTS_PART_H

#include "core/arena.h"
#include "core/text.h"
#include "reports/results/results_line.h"
#include "roofline/results.h"

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

/* ---- results_merge.c: all parts ---- */

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

#endif
