/* measure/run/runner.h - a program that runs a model on a device and tells how long it took: our side of
 * docs/runner-protocol.md.
 *
 * Units: seconds.
 * Ownership: a runner that was started is freed by runner_free, whatever happened to it. Texts are its
 * arena's.
 */
#pragma once

#include "core/core.h"
#include "core/files/child.h"
#include "roofline/measured.h"

#define RUNNER_PREFIX "roofline-run-"

/* A line of layers has up to 6 values each, and a line at most JSONTREE_MOST_VALUES. */
enum { RUNNER_MOST_LAYERS = 1 << 17, RUNNER_MOST_PHASES = 8, RUNNER_PATH_SIZE = 1024, RUNNER_NAME_SIZE = 60 };

/* One row of what it executes, in the order of execution. */
typedef struct runner_layer {
    const char *name, *type; /* type NULL: not stated */
    uint64_t macs, bytes;    /* ROOF_UNKNOWN: not stated */
    const char *skipped;     /* why it is not executed; NULL: it is */
} runner_layer;

/* A runner's words on itself and its device. */
typedef struct runner_about {
    const char *device, *version, *data_type, *note; /* NULL: not stated */
    /* Unit whose cycles the device counts, layer by layer, in a pass of its own; NULL: none. */
    const char *counts;
    roof_clock clocks[8];
    uint32_t n_clocks;
    uint32_t launches; /* of one inference; ROOF_NONE: not stated */
    uint32_t batch;    /* images of one inference, 1 if not stated */
    uint32_t cores;    /* that threads under load are dealt out to; ROOF_NONE: not stated */
    bool runs_code;    /* that the model was compiled to: what that was compiled for is what it ran on */
} runner_about;

typedef struct runner_request {
    const char *name, *path; /* of the runner: "cpu", and its executable */
    const char *model;       /* NULL: only what it is and whether it can run */
    bool counters;           /* cycles of layers as the device counts them, in place of their times */
    bool probe;              /* peak rates of its device, in place of a model */
    roof_run_mode mode;
    char *const *settings;      /* of its environment, as in child_options */
    const char *const *options; /* "key=value", for itself */
    uint32_t n_options;
    uint32_t batch;   /* 0: as it likes */
    uint32_t threads; /* of mode load: that call the device at the same time; else 0 */
    int answer_ms;    /* the longest that it may be silent */
} runner_request;

/* Samples that were heard since runner_forget. */
typedef struct runner_samples {
    double *totals_s;  /* of inferences */
    uint32_t *threads; /* of mode load: which thread had each, below those of the request; else NULL */
    double *layers_s;  /* n rows of n_layers; NaN for what is not executed. In a pass of counters cycles */
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
    roof_error *err;
} runner;

/* Kinds of lines, by the member that they have. */
typedef enum answer_kind {
    ANSWER_HELLO,
    ANSWER_LAYERS,
    ANSWER_SAMPLE,
    ANSWER_ROUND,
    ANSWER_DONE,
    ANSWER_ERROR,
    ANSWER_KINDS
} answer_kind;

typedef struct runner_answer {
    answer_kind is;
    runner_about hello;
    double total_s;                   /* of a sample */
    uint32_t thread;                  /* of a sample of mode load; ROOF_NONE: not stated */
    bool has_times;                   /* of layers, as a sample may have */
    uint32_t iterations;              /* of a round */
    const char *code, *text, *advice; /* of an error */
    runner *runner;
} runner_answer;

/* Reads a line. Layers go to the runner, times of layers into the row behind its samples.
 * Errors: what the runner says went wrong; E_INTERNAL for what the protocol does not have; E_NO_MEMORY. */
roof_status runner_read_line(runner *r, const char *line, size_t length, runner_answer *out);

/* By which code a runner tells of a failure; "bad_model" where no other fits. */
const char *runner_code_of(roof_status status);

/* It does not keep to the protocol: always E_INTERNAL. */
roof_status runner_fault(runner *r, const char *format, ...) ROOF_PRINTF(2, 3);

/* ---- runner_deaths.c: what the last words of a vendor's library mean, which aborts its process ---- */

/* Says how a child ended, and why: with the first line of its standard error that tells, or, where that is
 * known, what it means, and without how unless how begins with its name. Always E_DEVICE. */
roof_status runner_tell_death(const child *c, const char *how, bool has_name, roof_error *err);

/* Where the runner of a device is: in ROOFLINE_RUNNER_PATH if that is set, else beside this program, in its
 * libexec folder, or in PATH. Errors: E_DEVICE. */
roof_status runner_find(const char *name, char path[RUNNER_PATH_SIZE], roof_error *err);

/* Starts it and hears what it is; with a model, what it will execute.
 * Errors: E_DEVICE (there is no device, it cannot be started, died or is silent: with the first line that
 *   says why), E_DATA and E_UNSUPPORTED (it cannot execute the model), E_INTERNAL (against the protocol). */
roof_status runner_start(const runner_request *request, runner *out, roof_error *err);

/* Runs so many inferences more; they are added to the samples. */
roof_status runner_run(runner *r, uint32_t iterations, roof_error *err);

/* Drops the samples, as those of a warm-up. */
void runner_forget(runner *r);

/* Lets it end by itself. */
roof_status runner_finish(runner *r, roof_error *err);
void runner_free(runner *r);
