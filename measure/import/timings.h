/* measure/import/timings.h - from a stream of timed events to rows: different rows in the order of their
 * first appearance, each with what was measured of it.
 *
 * Units: seconds.
 * Ownership: names and samples that are handed out belong to the document, timings themselves to the import.
 *
 * Memory: count, mean, deviation, minimum and maximum are always exact. Samples are kept while rows and
 * samples fit into TIMINGS_MAX_SAMPLES, a row counting as TIMINGS_ROW_SAMPLES and the samples of the largest
 * row three times, since they are sorted; then those of all rows are dropped, so that no statistic is of a
 * part, and the notes of the import tell.
 */
#pragma once

#include "measure/import/importer.h"

enum { TIMINGS_MAX_ROWS = 1 << 18, TIMINGS_MAX_SAMPLES = 1 << 22, TIMINGS_ROW_SAMPLES = 14 };

typedef struct timings_row {
    const char *name; /* followed by NUL and the tag: the key */
    const char *type; /* of the layer; NULL: unknown */
    uint32_t name_length;
    uint64_t count;
    double mean, squares, min, max;  /* Welford; squares: sum of squared deviations */
    double *samples;                 /* count of them while they are kept; NULL: none, or dropped */
    uint64_t workload_ops, n_cycles; /* of a trace_reader */
    double mean_cycles;
} timings_row;

/* Begins as {0}, and does not move. */
typedef struct row_timings {
    import_state *in;         /* with the first row */
    struct row_timings *next; /* of the import */
    timings_row *rows;
    uint32_t n_rows, n_mapped; /* n_mapped: room of the map */
    namemap *map;
    uint64_t n_samples; /* of all rows together */
    bool dropped, is_told;
} row_timings;

/* The samples of all timings of an import, which lie apart from its scratch, since they may be many. */
void timings_free(import_state *in);

/* The row of that name and tag, made if there is none yet. The tag tells rows of one name apart: a workload,
 * an index. Errors: E_LIMIT for too many different rows, E_NO_MEMORY. */
roof_status timings_row_of(import_state *in, row_timings *timings, text_span name, uint64_t tag,
                           uint32_t *row, roof_error *err);

/* One more duration of a row. Errors: E_DATA (negative, not finite), E_NO_MEMORY. */
roof_status timings_add(row_timings *timings, uint32_t row, double seconds, roof_error *err);

/* Adds the row to a run with its name, its times and what runs it, and *out is where it lies; or gives its
 * times alone. Samples leave the timings, to which no row can be added from now on. Errors: E_NO_MEMORY. */
roof_status timings_layer(row_timings *timings, uint32_t row, roof_run *run, roof_measured_layer **out,
                          roof_error *err);
roof_status timings_times(row_timings *timings, uint32_t at, roof_times *out, roof_error *err);

/* The row of the name of a trace's event. Errors: those of event_text, import_check_name, timings_row_of. */
roof_status timings_row_of_event(import_state *in, row_timings *timings, const trace_event *e, uint64_t tag,
                                 uint32_t *row, roof_error *err);

/* A run with a layer of every row that has a duration, by the import's device. Errors: as import_add_run. */
roof_status timings_add_run(import_state *in, row_timings *timings, roof_run **run, roof_error *err);

/* Drops all durations so far, as of a warm-up: rows stay, and those that have none later are no layers; or
 * only the samples, where they are needed no more, or too many. */
void timings_forget(row_timings *timings);
void timings_drop_samples(row_timings *timings);

/* Launches on an accelerator, one after another, as one run: rows, how they cycle, what one inference takes.
 *
 * When every thread repeats the same sequence of launches from the first to the last event, that sequence is
 * one inference: its length is the number of boundaries and launches, rows get their place in it as index, a
 * name that is there twice becomes two rows, and a whole-network run gets the sum over each sequence as its
 * total. When only the counts of all rows agree, the counts are one inference too, but there are no totals.
 * Else nothing is said. Where events are missing, an inference may begin anywhere: its length is known, but
 * neither places nor the total of each. */

enum { TRACE_MAX_THREADS = 256 };

/* Begins as {0}, and does not move. */
typedef struct trace_reader {
    import_state *in;                     /* with the first row */
    row_timings *timings, by_name, split; /* split: by place, where a name comes twice */
    struct trace_launch *launches;
    uint32_t n_launches, n_threads;
    uint64_t threads[TRACE_MAX_THREADS];
    bool forgot; /* there were more launches or threads than are looked into */
} trace_reader;

/* The row of a name and of the operations of one launch, or ROOF_UNKNOWN. Errors: as timings_row_of. */
roof_status trace_row(import_state *in, trace_reader *trace, text_span name, uint64_t workload_ops,
                      uint32_t *row, roof_error *err);

/* A launch of a row by a thread. cycles: of the domain axilite, or NaN. Errors: E_DATA, E_NO_MEMORY. */
typedef struct kernel_launch {
    uint32_t row;
    uint64_t thread;
    double seconds, cycles;
} kernel_launch;
roof_status trace_add(trace_reader *trace, const kernel_launch *launch, roof_error *err);

/* Rows that were launched. */
uint32_t trace_rows(const trace_reader *trace);

/* Adds the run to the document. whole: no event is missing, so that the first one begins an inference. */
roof_status trace_finish(trace_reader *trace, roof_run_mode mode, bool whole, roof_error *err);

/* ---- the time of events without the events inside of them, and amounts that are noted while they
 * last ----
 *
 * Units: picoseconds; amounts are of the caller's.
 *
 * An event of a thread is inside of another one where it lies in its time. Tools write events when they begin
 * (Kineto) or when they end, what is inside first (ONNX Runtime), and threads one after the other or mixed.
 * So events are put in the order in which they began within a window of NESTING_WINDOW of them; what comes
 * later than that is in no time, and a remark says how many there are.
 */

enum { NESTING_WINDOW = 1 << 16 };

typedef struct nested_event {
    int64_t start_ps, dur_ps, self_ps; /* self_ps: without what is inside */
    uint32_t thread, row;              /* row: the caller's */
    uint32_t group;                    /* which of the events that begin one it lies in, from 1; 0: in none */
    bool begins_group;                 /* such as an inference, whichever threads work at it */
    uint64_t place, outer;             /* in the file; of the outermost event around, which may be itself */
    uint64_t id;                       /* the caller's */
    bool is_mark;                      /* no span: what it adds to the event that it lies in is its own */
    double own[2], all[2];             /* own: of marks directly inside; all: with those of events inside */
} nested_event;

/* Called for each event, those inside of it first. */
typedef roof_status (*nested_call)(void *target, const nested_event *e, roof_error *err);

typedef struct nesting nesting;

/* In the scratch of the import. NULL without memory. */
nesting *nesting_new(import_state *in, nested_call each, void *target);

/* An event that is a span, or a mark; row, begins_group, id, is_mark and own are as the caller wants them. An
 * event that begins a group is around no other for `outer`. Errors: E_LIMIT (events inside
 * of one another more than 512 times, more than 2^20 groups), E_NO_MEMORY, those of event_times and each. */
roof_status nesting_add(nesting *n, const trace_event *e, nested_event as, roof_error *err);

/* The rest, and remarks on what was not as it should be. *n_groups: how many there were; may be NULL. */
roof_status nesting_finish(nesting *n, uint32_t *n_groups, roof_error *err);
