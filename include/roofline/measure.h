/* roofline/measure.h - runs a model on a device, and keeps how long it took, as a measured document.
 *
 * Units: _s seconds.
 * Ownership: *out is freed with roof_measured_free. Options are borrowed for the call.
 *
 * The device is that of a runner: a program roofline-run-NAME that speaks docs/runner-protocol.md.
 * Whole-network runs ("bypass") and per-layer runs (a clock read at every boundary) have processes of their
 * own, in turns: a few inferences of one, as many of the other, and the other way round, so that what drifts
 * with time is the same in both. A load sweep has a process for each number of threads in their place, which
 * take turns likewise.
 */
#ifndef ROOFLINE_MEASURE_H
#define ROOFLINE_MEASURE_H

#include "roofline/import.h"
#include "roofline/measured.h"
#include "roofline/throughput.h"
#include "roofline/sink.h"

ROOF_BEGIN_C

/* Current activity; share_ratio and left_s are of the whole measurement, NaN while unknown. */
typedef struct roof_measure_progress {
    const char *doing; /* "warm-up", "bypass", "per layer", "load" */
    double share_ratio, left_s;
} roof_measure_progress;

typedef struct roof_measure_options {
    const char *device;         /* of the runner: "cpu" */
    const char *const *options; /* "key=value", for the runner */
    uint32_t n_options;
    const char *const *settings; /* "NAME=VALUE", of the runner's environment, before it loads anything */
    uint32_t n_settings;
    bool only_bypass, only_per_layer; /* neither: both */
    /* A load sweep, in place of both modes: for each of these, so many threads call the device at the same
     * time, and no thread waits for another. From 1 to ROOF_MOST_THREADS; n 0: none. */
    const uint32_t *thread_counts;
    uint32_t n_thread_counts;
    uint32_t iterations;    /* of each mode, and of each thread; 0: 100 */
    uint32_t most_warmup;   /* inferences before those; 0: 200. Fewer when the median is steady */
    uint32_t rounds;        /* turns of each mode; 0: 10 */
    uint32_t batch;         /* 0: as the runner likes */
    double timeout_s;       /* the longest that a runner may be silent; 0: 60 */
    const char *model_path; /* as the document shall name it; NULL: as it is opened */
    const char *hardware;   /* id for the document; NULL: none */
    void (*progress)(void *context, const roof_measure_progress *now); /* NULL: no progress */
    void *context;
} roof_measure_options;

/* Measures a model.
 *
 * Formula: warm-up ends when the medians of the last five and of the five inferences before them differ by
 *   less than 2 %. Energy of an inference is that of the timed rounds, less idle power for as long, by the
 *   number of inferences; under load net power over the rate of inferences.
 * A load run's frames_per_s is the sum over threads of inferences over the sum of their latencies, times
 *   the images of one inference.
 * Errors: E_DEVICE (no such runner, no device, a runner that died or was silent), E_DATA, E_UNSUPPORTED (it
 *   cannot execute the model, or cannot be loaded by threads), E_INTERNAL (a runner that does not keep to the
 *   protocol), E_USAGE, E_NO_MEMORY. A runner that cannot time layers gives the whole-network run alone, and
 *   the document's notes say why.
 * Example: tests/unit/test_measure.c.
 */
ROOF_API roof_status roof_measure(const char *model, const roof_measure_options *options, roof_measured **out,
                                  roof_error *err);

/* A runner that was found: its name, what it says of its device, or why it cannot run. */
typedef struct roof_runner_about {
    const char *name, *path, *text;
    bool can_run;
} roof_runner_about;

/* All runners beside this program and in PATH, each asked what it is. Each is called for them in the order of
 * their names.
 * Errors: E_NO_MEMORY; what each returns. */
ROOF_API roof_status roof_runners_ask(roof_status (*each)(void *context, const roof_runner_about *about,
                                                          roof_error *err),
                                      void *context, roof_error *err);

/* A benchmark of somebody else. */
typedef struct roof_command_options {
    const char *const *command;  /* program and arguments; NULL behind the last */
    const char *const *settings; /* "NAME=VALUE", of its environment; NULL behind the last */
    const char *const *files;    /* that it writes */
    uint32_t n_files;
    roof_import_options import; /* how they are read */
    double timeout_s;           /* how long it may run */
} roof_command_options;

/* Runs a command without a shell, and imports the files that it wrote and what it printed (standard output).
 *
 * Errors: E_DEVICE (it cannot be started, failed, or took too long: with the line that says why), E_NO_INPUT
 *   (it did not write a file), E_DATA (a file is older than the run, or nothing holds times of a network),
 *   and those of roof_import_file.
 * Example: tests/unit/test_measure.c.
 */
ROOF_API roof_status roof_measure_command(const roof_command_options *options, roof_measured **out,
                                          roof_error *err);

/* How a machine is probed. */
typedef struct roof_probe_options {
    const char *device;    /* of the runner; NULL: "cpu" */
    const char *id;        /* of the description; NULL: "this-machine" */
    const char *data_type; /* its peak is that of the cost model: "f32", "bf16", "int8"; NULL: "f32" */
    double most_s;         /* for each number of threads; 0: 30 */
    void (*progress)(void *context, const roof_measure_progress *now);
    void *context;
} roof_probe_options;

/* Measures the peaks of this machine, with one thread and with all, and writes them as a description of
 * hardware, roofline.hardware/1: peak rate of each data type, bandwidth and size of each level of memory,
 * clock, cost of a launch.
 *
 * Formula: a rate is that of the fastest of all repetitions, since no other is a peak. They go on until the
 *   95 % intervals of all medians are narrower than 2 %, or for most_s; a value's source says the method, how
 *   many there were, and the interval.
 * Errors: those of roof_measure; what sink returns.
 */
ROOF_API roof_status roof_probe(const roof_probe_options *options, roof_sink sink, roof_error *err);

ROOF_END_C
#endif
