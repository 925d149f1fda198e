/* roofline/results.h - the points of a sweep as a file, a line each, that can be stopped at any time and gone
 * on with, written in parts by several machines, and put together.
 *
 * Shapes: CSV with a line of titles, or JSON lines. A line begins with the point's index. It ends with
 *   `plan`, the identity of its plan and how many points that has, and `check`, a hash of the line before it
 *   and of both. So each line says of which plan it is, and whether it is whole.
 * Units: base units, named in the titles. Numbers have 12 digits, as in CSV of predictions, whose
 *   columns these are, beside what the point asks for.
 *
 * PATH is written as PATH.part, line by line, and takes its place when it is complete. A run that ends early,
 * by a kill -9, a lost node or a full disk, leaves whole lines there and perhaps a torn one. The next run
 * keeps the former and goes on behind them. The same plan gives the same bytes, whatever the number of
 * threads, runs and parts.
 */
#ifndef ROOFLINE_RESULTS_H
#define ROOFLINE_RESULTS_H

#include "roofline/sweep.h"

ROOF_BEGIN_C

typedef struct roof_results_progress {
    uint64_t kept, done,
        of;          /* points of an earlier run; with these those that are written; all of the part */
    uint64_t failed; /* of those that are written: with a reason in place of figures */
    uint64_t found;  /* and with findings about figures */
} roof_results_progress;

typedef struct roof_results_options {
    const char *path;         /* "-": standard output, which is not gone on with */
    bool is_json_lines;       /* else CSV */
    uint32_t shard, n_shards; /* the part to write, from 1 (roof_sweep_shard); 0: all */
    uint32_t jobs;            /* threads; 0: one for each processor */
    void (*tell)(void *context, const roof_results_progress *now); /* NULL: none */
    void *context;
} roof_results_options;

/* Computes what is missing of a part of the plan, and writes it.
 *
 * done: what was written, also after an error; not NULL.
 * Errors: those of roof_sweep_run; E_IO (a full disk, another process that writes the file; the message says
 *   how many points are kept); E_DATA for a PATH.part that is of another plan or another part; E_USAGE for a
 *   part that there is not, and for a file that the plan names.
 * Example (tests/unit/test_results.c): what is cut anywhere and gone on with is the same file. */
ROOF_API roof_status roof_results_write(const roof_sweep_plan *plan, const roof_results_options *options,
                                        roof_results_progress *done, roof_error *err);

/* Puts parts together, in whatever order they are given: each point has to be there once, whole, and of one
 * plan. Memory does not grow with the points.
 *
 * identity: of the plan that they have to be of; NULL: of any.
 * path: "-" is standard output.
 * done: what was written, also after an error; NULL: not wanted.
 * Errors: E_DATA with file and line: a line that is not whole, of another plan, out of order; a point that is
 *   there twice, or in none of the files; E_NO_INPUT, E_IO.
 * Example (tests/unit/test_results.c): eight parts make the bytes of one run. */
ROOF_API roof_status roof_results_merge(const char *const *paths, uint32_t n, const char *identity,
                                        const char *path, roof_results_progress *done, roof_error *err);

ROOF_END_C
#endif
