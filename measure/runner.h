/* measure/runner.h - a program that runs a model on a device and tells how long it took: our side of docs/runner-protocol.md.
 *
 * Units: seconds.
 * Ownership: a runner that was started is freed by runner_free, whatever happened to it. Texts are its arena's.
 */
#ifndef ROOF_MEASURE_RUNNER_H
#define ROOF_MEASURE_RUNNER_H

#include "core/arena.h"
#include "core/child.h"
#include "roofline/measured.h"

#define RUNNER_PREFIX "roofline-run-"

/* A line of layers has up to 6 values each, and a line at most JSONTREE_MOST_VALUES. */
enum { RUNNER_MOST_LAYERS = 1 << 17, RUNNER_MOST_PHASES = 8, RUNNER_PATH_SIZE = 1024, RUNNER_NAME_SIZE = 60 };

/* One row of what it executes, in the order of execution. */
typedef struct runner_layer {
    const char *name, *type; /* type NULL: not told */
    uint64_t macs, bytes;    /* ROOF_UNKNOWN: not told */
    const char *skipped;     /* why it is not executed; NULL: it is */
} runner_layer;

/* What it says of itself and its device. */
typedef struct runner_about {
    const char *device, *version, *data_type, *note; /* NULL: not told */
    const char *
        counts; /* what its device counts the cycles of, layer by layer, in a pass of its own; NULL: it does not */
    roof_clock clocks[8];
    uint32_t n_clocks;
    uint32_t launches; /* of one inference; ROOF_NONE: not told */
    uint32_t batch;    /* images of one inference, 1 where it does not tell */
    bool
        runs_code; /* the code that the model was compiled to: what that was compiled for is what it ran on */
} runner_about;

typedef struct runner_request {
    const char *name, *path; /* of the runner: "cpu", and its executable */
    const char *model;       /* NULL: only what it is and whether it can run */
    bool counters;           /* cycles of layers as the device counts them, in place of their times */
    bool probe;              /* what its device can do at best, in place of a model */
    roof_run_mode mode;
    char *const *settings;      /* of its environment, as in child_options */
    const char *const *options; /* "key=value", for itself */
    uint32_t n_options;
    uint32_t batch, threads; /* 0: as it likes */
    int answer_ms;           /* the longest that it may be silent */
} runner_request;

/* What was heard since runner_forget. */
typedef struct runner_samples {
    double *totals_s; /* of inferences */
    double *layers_s; /* n rows of n_layers; NaN for what is not executed. In a pass of counters cycles */
    const char *phases[RUNNER_MOST_PHASES];
    double phase_sums_s[RUNNER_MOST_PHASES];
    uint32_t n_phases;
    uint32_t n;
} runner_samples;

typedef struct runner {
    const runner_request *request;
    child child;
    bool is_started;
    roof_arena *arena;
    runner_about about;
    runner_layer *layers; /* of a per-layer run */
    uint32_t n_layers;
    runner_samples samples;
    uint64_t macs; /* of one inference, which it says at its end; ROOF_UNKNOWN */
    roof_error *err;
} runner;

/* Where the runner of a device is: in ROOFLINE_RUNNER_PATH if that is set, else beside this program, in its libexec folder, or
 * in PATH. Errors: E_DEVICE. */
roof_status runner_find(const char *name, char path[RUNNER_PATH_SIZE], roof_error *err);

/* The names of all runners in these places, in order; one name once. */
typedef struct runner_names {
    const char **names;
    size_t n;
} runner_names;
roof_status runner_list(runner_names *out, roof_arena *arena, roof_error *err);

/* Starts it and hears what it is; with a model, what it will execute.
 * Errors: E_DEVICE (there is no device, it cannot be started, died or is silent: with the first line that says why),
 *   E_DATA and E_UNSUPPORTED (it cannot execute the model), E_INTERNAL (it does not keep to the protocol). */
roof_status runner_start(const runner_request *request, runner *out, roof_error *err);

/* Runs so many inferences more; they are added to the samples. */
roof_status runner_run(runner *r, uint32_t iterations, roof_error *err);

/* Drops the samples, as those of a warm-up. */
void runner_forget(runner *r);

/* Lets it end by itself. */
roof_status runner_finish(runner *r, roof_error *err);
void runner_free(runner *r);

#endif
