/* roofline/history.h - runs of months in one file: added as they come, shown, and watched for changes.
 *
 * Units: _s seconds; added_s: since the beginning of 1970, UTC. Unknown doubles are NaN, unknown texts NULL.
 * Shapes: a document that is added gives a run for each run of each of its experiments. Runs of one model,
 *   device, stack, mode and workload under alike conditions are a series, in the order in which they were
 *   added. A model is its graph's hash where the document states one, else its name.
 *   measure/compare/conditions.def lists the conditions that count, for compare and check as well.
 * Ownership: a list, and trends, own all in them; they outlive the history. NULL may be freed.
 *
 * The file is a SQLite database with a mark of its own (application_id 0x524f4f46, "ROOF"). Several programs
 * may write at a time: each document is one transaction, and who has to wait does so for a minute. A program
 * that is killed leaves what was added before, and nothing of what it was adding. A file that is no database,
 * is another program's, or of a newer version of this one, is refused and not touched.
 */
#ifndef ROOFLINE_HISTORY_H
#define ROOFLINE_HISTORY_H

#include "roofline/budget.h"
#include "roofline/compare.h"
#include "roofline/measured.h"

ROOF_BEGIN_C

#define ROOF_HISTORY_RUNS_SCHEMA   "roofline.history_runs/1"
#define ROOF_HISTORY_TRENDS_SCHEMA "roofline.history_trends/1"

typedef struct roof_history roof_history;

typedef enum roof_history_use {
    ROOF_HISTORY_READ,
    ROOF_HISTORY_WRITE /* makes the file where there is none */
} roof_history_use;

/* Errors: E_NO_INPUT (there is no such file), E_DATA (no database, another program's, of a newer version,
 *   damaged), E_IO, E_NO_MEMORY. */
ROOF_API roof_status roof_history_open(const char *path, roof_history_use use, roof_history **out,
                                       roof_error *err);
ROOF_API void roof_history_close(roof_history *history);

/* --- adding --------------------------------------------------------------------------------------------- */

/* Limits of a kept run: at most so many samples of its total, spread evenly over all of them; a run with more
 * rows keeps its total alone. */
enum { ROOF_HISTORY_MOST_SAMPLES = 1000, ROOF_HISTORY_MOST_ROWS = 4096 };

typedef struct roof_history_document {
    const char *sha256; /* of the file, 64 digits: the same file is added once */
    const char *name;   /* of the file, for people */
    const char *commit; /* of the measured version; NULL: not stated */
    const char *stack;  /* runtime, such as "VART 3.5"; NULL: the tool that the document names */
    int64_t added_s;
} roof_history_document;

typedef struct roof_history_added {
    uint64_t first_run; /* they are numbered one after the other */
    uint32_t n_runs;
    bool was_there;        /* no run was added */
    uint32_t n_completed;  /* runs that were there without their conditions, which an earlier version did not
                              keep, and have them now */
    uint32_t n_thinned;    /* runs of which not all samples are kept, */
    uint32_t n_total_only; /* and of which no rows are */
} roof_history_added;

/* Adds all runs of a document, or none.
 *
 * Errors: E_DATA for a document without a time, E_LIMIT (a text of more than a megabyte), E_IO (also: no
 *   space is left, or others write for longer than a minute), E_NO_MEMORY.
 * Example (tests/unit/test_history.c): adding a document twice gives its run once. */
ROOF_API roof_status roof_history_add(roof_history *history, const roof_measured *measured,
                                      const roof_history_document *about, roof_history_added *out,
                                      roof_error *err);

/* --- what there is -------------------------------------------------------------------------------------- */

/* NULL: any. model: its name, or its graph's hash. */
typedef struct roof_history_filter {
    const char *model, *device, *stack, *mode, *workload;
} roof_history_filter;

/* "median_s"; and how people call it, in which unit, and whether more of it is better. */
typedef struct roof_history_metric {
    const char *name, *words, *unit;
    bool is_larger_better;
} roof_history_metric;

/* The i-th metric; NULL past the end. */
ROOF_API const roof_history_metric *roof_history_metric_at(size_t i);

typedef struct roof_history_value {
    const roof_history_metric *metric;
    double value;
} roof_history_value;

typedef struct roof_history_row {
    const char *name;
    uint64_t count;                 /* ROOF_UNKNOWN: not stated */
    double median_s, mean_s, std_s; /* of one inference, all executions of the row together */
} roof_history_row;

typedef struct roof_history_key {
    const char *model, *model_hash, *device, *stack, *mode;
    /* "decode, batch 4, 128 prompt tokens, 2 threads, core 1", as far as it is stated; NULL: none of it */
    const char *workload;
} roof_history_key;

typedef struct roof_history_run {
    uint64_t id;
    int64_t added_s;
    const char *document, *sha256, *commit;
    roof_history_key key;
    uint64_t n_samples;      /* that the document has of the total; of them n_kept are kept */
    const double *samples_s; /* of one requested run alone, as all that follows; NULL: none */
    uint32_t n_kept;
    roof_history_value *values;
    uint32_t n_values;
    roof_history_row *rows;
    uint32_t n_rows;
} roof_history_run;

typedef struct roof_history_runs {
    roof_history_run *items; /* the newest first */
    uint32_t n;
    uint64_t n_all;           /* that the filter lets through, of which the newest are here */
    struct roof_arena *arena; /* private */
} roof_history_runs;

/* The newest runs, at most so many. Errors: E_DATA (damaged), E_LIMIT, E_IO, E_NO_MEMORY. */
ROOF_API roof_status roof_history_list(roof_history *history, const roof_history_filter *filter,
                                       uint32_t most, roof_history_runs **out, roof_error *err);

/* One run with all that is kept of it. Errors: as above; E_USAGE where there is no such run. */
ROOF_API roof_status roof_history_show(roof_history *history, uint64_t id, roof_history_runs **out,
                                       roof_error *err);
ROOF_API void roof_history_runs_free(roof_history_runs *runs);

/* --- trends --------------------------------------------------------------------------------------------- */

/* Series of so many runs, the newest; series at most; and what a gate looks at: a year of nightly runs. */
enum { ROOF_HISTORY_MOST_POINTS = 1 << 17, ROOF_HISTORY_MOST_SERIES = 256, ROOF_HISTORY_WINDOW = 365 };

typedef struct roof_history_request {
    roof_history_filter filter;
    const char *metric; /* NULL: the median of an inference, where no run of a series has one the mean */
    const char *row;    /* a row's time in place of the total's; NULL: none */
    /* The most of the newest level, as a multiple of the level that it is held against, for state; NaN: it
     * is not asked. */
    double factor;
    /* The level of this commit (its beginning), or of this run (its number); NULL: the best one. */
    const char *baseline;
    uint32_t most_points; /* the newest runs of a series alone; 0: all. A gate looks at ROOF_HISTORY_WINDOW */
    bool may_be_none;     /* no series is no error */
} roof_history_request;

typedef struct roof_history_point {
    uint64_t run, document;
    int64_t added_s;
    const char *commit;
    double value;
} roof_history_point;

/* Runs between two changes. */
typedef struct roof_history_segment {
    uint32_t first, n; /* of the points */
    double median;
    /* The typical quotient of a value here and one in the segment before, with its 95 % interval, as in
     * roofline/compare.h; p: the chance of such a difference at this place. NaN in the first segment. */
    double ratio, ratio_ci95[2], p;
} roof_history_segment;

/* A layer that changed with the last change of a series, beyond noise. */
typedef struct roof_history_layer {
    const char *name;
    double before_s;                           /* median of one inference, all executions together */
    double difference_s, difference_ci95_s[2]; /* typical, of a run behind the change and one before it */
    double ratio, p;
} roof_history_layer;

typedef struct roof_history_series {
    roof_history_key key;
    const roof_history_metric *metric;
    const char *row; /* NULL: of the total */
    roof_history_point *points;
    uint32_t n_points;
    roof_history_segment *segments;
    uint32_t n_segments;
    /* An earlier series of the same model and mode ended before this one began, by these conditions: a and
     * b. Runs of the two are not comparable. 0: there is none. */
    roof_unlike *begun_by;
    uint32_t n_begun_by;
    bool has_conditions; /* false: its runs are of an earlier version, which did not keep any */
    double noise_factor; /* by which runs that follow each other are alike; 1: they are independent */
    bool can_tell;       /* there are enough runs for a change in the newest five to be seen */
    /* Layers that changed, the largest difference first, where the metric is a time of the whole inference
     * and the documents beside the last change have layers. */
    roof_history_layer *layers;
    uint32_t n_layers;
    roof_held state; /* of factor: the newest level beside that of the baseline, else the best one */
    bool is_noise;   /* more runs could decide what is unknown */
    const char *why; /* in words; NULL: not asked */
} roof_history_series;

typedef struct roof_history_trends {
    roof_history_series *items;
    uint32_t n;
    double factor;
    struct roof_arena *arena; /* private */
} roof_history_trends;

/* The series that the filter lets through, and where their level changes.
 *
 * Method: binary segmentation by Mann and Whitney's U, the test of roof_compare, over the values of the runs;
 *   by ranks, so that no distribution is assumed. A series without a change is divided in one of 200,
 *   whatever its noise is, as long as its runs are independent; runs that are alike where they follow each
 *   other widen the noise. A change is seen from three to five runs on: one of three deviations of the runs
 *   within five runs in 96 of 100 cases where 45 runs are before it, in 98 where 200 are. A drift becomes
 *   steps: a line that explains half of a segment is no noise.
 * state: with a factor the newest segment is held against that of asked->baseline, else against the best one
 * of
 *   five runs or more: broken where it is slower by more than the factor, by the whole interval; kept where
 *   it is not, or where no change was found and one could be seen; else not known. Not known also where
 *   conditions changed with the series, where the newest one or two runs are far off, and where it is 20
 *   times as fast.
 * Errors: E_USAGE (no such metric, no run of it, a series too many), E_DATA (damaged), E_LIMIT, E_IO,
 *   E_NO_MEMORY.
 * Example (tests/unit/test_history.c): 30 runs around 1 ms and 5 around 1.1 ms are two segments. */
ROOF_API roof_status roof_history_find_trends(roof_history *history, const roof_history_request *requested,
                                              roof_history_trends **out, roof_error *err);
ROOF_API void roof_history_trends_free(roof_history_trends *trends);

/* How many runs a series needs for a change in the newest five to be seen. */
ROOF_API uint32_t roof_history_enough_runs(void);

/* How many fail or are unknown. */
ROOF_API uint32_t roof_history_failed(const roof_history_trends *trends);

ROOF_END_C
#endif
