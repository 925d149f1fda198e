/* roofline/sweep.h - many points at once: every model on every device at every clock, bandwidth, batch and
 * number of threads; or every measured document with every calibration.
 *
 * Units: as in roofline/prediction.h. 0 of a clock, a bandwidth or a batch: that of the hardware, or 1; 0
 *   threads: no load is requested.
 * Shapes: points have an order, models outermost and threads innermost: index = ((((model * devices +
 *   device) * clocks + clock) * bandwidths + bandwidth) * batches + batch) * threads + thread, where a list
 *   that the plan leaves out counts as one. For profiles: index = document * calibrations + calibration.
 * Ownership: a plan owns all in it; free it with roof_sweep_plan_free. The content of a point is valid for
 *   the call.
 *
 * A plan has an identity: a hash of its file, of this version of the library, of each graph (roof_graph:
 * graph_hash and file_bytes), of all quantities of each device, and of each measured document and
 * calibration. Points of one identity are the same, whoever computed them, in whatever parts.
 */
#ifndef ROOFLINE_SWEEP_H
#define ROOFLINE_SWEEP_H

#include "roofline/predictions.h"
#include "roofline/reconcile.h"
#include "roofline/sink.h"

ROOF_BEGIN_C

#define ROOF_SWEEP_SCHEMA "roofline.sweep/1"

/* Entries of one list; points of a plan; threads that compute. */
enum { ROOF_MOST_SWEPT = 100000, ROOF_MOST_SWEEP_POINTS = 1000000000, ROOF_MOST_SWEEP_JOBS = 1024 };

/* A file that the plan names. */
typedef struct roof_sweep_file {
    const char *path, *found; /* as the plan has it; from where the program runs */
} roof_sweep_file;

typedef struct roof_sweep_model {
    roof_sweep_file file;
    roof_workload workload;
} roof_sweep_model;

/* Lists that the plan leaves out are empty. */
typedef struct roof_sweep_plan {
    const char *name; /* of its file */
    roof_sweep_model *models;
    const char **devices; /* as the plan has them */
    double *clocks_hz, *bandwidths_bytes_per_s;
    uint32_t *batches, *threads;
    const char *host; /* as in roof_load */
    roof_sweep_file *measured, *calibrations;
    uint32_t n_models, n_devices, n_clocks, n_bandwidths, n_batches, n_threads, n_measured, n_calibrations;
    uint64_t n_points;
    char identity[17];        /* 16 hexadecimal digits */
    roof_hw **hw;             /* private: of devices */
    struct roof_arena *arena; /* private */
} roof_sweep_plan;

/* Reads a plan (docs/schema/sweep-1.schema.json), loads its devices, and reads each model once for the
 * identity. Paths are relative to the plan's folder. A model that cannot be understood is no error here: its
 * points say why.
 *
 * path: a file.
 * out: the caller frees it.
 * Errors: E_DATA with line and JSON pointer, also for a member that there is not; E_LIMIT; E_NO_INPUT for a
 *   plan, a model, a document or a device that is not there; E_IO; those of roof_hw_load.
 * Example (tests/unit/test_sweep.c): two models, three devices and two clocks are twelve points. */
ROOF_API roof_status roof_sweep_plan_read(const char *path, roof_sweep_plan **out, roof_error *err);
ROOF_API void roof_sweep_plan_free(roof_sweep_plan *plan);

/* One point, and what became of it. */
typedef struct roof_sweep_point {
    uint64_t index;
    uint64_t configuration; /* all of index but the model: the same number for each model; of profiles 0 */
    const roof_sweep_model *model; /* NULL of profiles */
    const char *device;
    double clock_hz, bandwidth_bytes_per_s;
    uint32_t batch, threads;
    const char *host;                              /* NULL: none is named */
    const roof_sweep_file *measured, *calibration; /* NULL of predictions; calibration: none is requested */
    const roof_pair *pair;                         /* with why, where it could not be predicted */
    const roof_reconciled *profile;                /* NULL: it could not be reconciled, and why says so */
    const char *why;
} roof_sweep_point;

/* The point of an index; pair, profile and why are NULL. index: below n_points. */
ROOF_API roof_sweep_point roof_sweep_point_at(const roof_sweep_plan *plan, uint64_t index);

/* The part i, from 1, of n parts of a plan, which differ by one point at most: *first up to before *end.
 * Errors: E_USAGE for a part that there is not. Example (tests/unit/test_sweep.c): of 10 points part 2 of 3
 * is 3 to 5. */
ROOF_API roof_status roof_sweep_shard(uint64_t n_points, uint32_t i, uint32_t n, uint64_t *first,
                                      uint64_t *end, roof_error *err);

/* Where points go to. context is the caller's. */
typedef struct roof_sweep_use {
    /* Writes a point into out; called by several threads at a time. */
    roof_status (*row)(void *context, const roof_sweep_point *point, roof_sink out, roof_error *err);
    /* Takes what row wrote of all points up to before end, in their order; called by the caller's thread. */
    roof_status (*rows)(void *context, uint64_t end, const char *bytes, size_t length, roof_error *err);
    void *context;
} roof_sweep_use;

/* Computes the points from first up to before end by so many threads (0: one for each processor that this
 * process may use). The number of computed points that are not yet taken is bounded, so memory does not grow
 * with the points. A point that cannot be predicted is a point with the reason; no memory and E_IO end the
 * sweep, as does what use returns. All that came before was taken then.
 *
 * Example: tests/unit/test_sweep.c: one thread and four hand over the same bytes. */
ROOF_API roof_status roof_sweep_run(const roof_sweep_plan *plan, uint64_t first, uint64_t end, uint32_t jobs,
                                    const roof_sweep_use *use, roof_error *err);

ROOF_END_C
#endif
