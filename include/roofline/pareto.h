/* roofline/pareto.h - Pareto front: configurations of a sweep that are worth their cost, out of its finished
 * points, line by line.
 *
 * Units: _per_s of inferences, or of what a model's unit says; NaN is unknown. A cost is in the unit of its
 *   kind: ops/s, Hz, B/s, or a number.
 * Shapes: a configuration is all that a point asks for but its model, numbered as in the points. rates has
 *   n_models rows of n_configurations.
 * Ownership: a roof_pareto owns all in it; free it with roof_pareto_free. NULL may be freed.
 *
 *   rate  = of a load (fps), else expected (expected_per_s), else the bound (per_s): the first that all
 *           points of the model with figures have, so that a bound is never laid beside an expected rate
 *   cost  = the requested kind, else the first that differs from configuration to configuration, of
 *           compute (peak of an array times cores), bandwidth, threads, batch
 *   front = those that no other one at the same cost or less beats; of equals the first. Its first is the
 *           cheapest that makes anything, its last the fastest
 * A model that is compiled for some of the devices runs on no other: only where it runs on none, all are
 * compared, as estimates.
 * For several models together the rate is the geometric mean over the models that the configuration with most
 * results has a result for; configurations that lack one of these are not compared. So no configuration looks
 * fast because the slow models cannot run on it.
 */
#ifndef ROOFLINE_PARETO_H
#define ROOFLINE_PARETO_H

#include "roofline/results.h"

ROOF_BEGIN_C

typedef enum roof_cost_kind {
    ROOF_COST_COMPUTE,
    ROOF_COST_BANDWIDTH,
    ROOF_COST_THREADS,
    ROOF_COST_BATCH,
    ROOF_COST_CLOCK,
    ROOF_COSTS /* none was requested */
} roof_cost_kind;
ROOF_API const char *roof_cost_word(roof_cost_kind cost);  /* "compute" */
ROOF_API roof_cost_kind roof_cost_named(const char *word); /* ROOF_COSTS: there is none */

typedef enum roof_rate_kind {
    ROOF_RATE_IN_USE, /* of the requested load */
    ROOF_RATE_EXPECTED,
    ROOF_RATE_AT_BEST,
    ROOF_RATE_NONE /* no point of the model has figures */
} roof_rate_kind;

typedef struct roof_swept_configuration {
    const char *device; /* as the plan has it */
    /* peak: of one core's array, the largest over the models that run as they are; 0 threads: no load is
     * requested */
    double clock_hz, bandwidth_bytes_per_s, peak_ops_per_s;
    const char *data_type;          /* that the first model is computed in; NULL: unknown */
    uint32_t cores, batch, threads; /* cores 0: unknown */
    bool runs_any;                  /* a model as it is: else the peak is of an array that it does not have */
} roof_swept_configuration;

typedef struct roof_swept_model {
    const char *name, *path, *unit; /* unit "": no point has figures */
    roof_rate_kind rate;
    uint32_t n_results; /* configurations with a rate */
    uint32_t n_foreign; /* that it is compiled for others than, and which are not compared */
} roof_swept_model;

/* Points without figures, for the same reason. */
typedef struct roof_swept_reason {
    const char *why, *model, *device; /* of the first of them */
    uint64_t n;
} roof_swept_reason;

typedef struct roof_pareto_front {
    uint32_t model;           /* ROOF_NONE: several together */
    uint32_t *configurations; /* on the front, the cheapest first */
    uint32_t n;
    uint32_t n_compared;   /* with a rate and a cost */
    uint32_t n_incomplete; /* without a rate of each model */
    uint32_t n_costless;   /* with a rate, but the cost is unknown */
} roof_pareto_front;

/* One front for each model up to so many, else one of all together; reasons that are counted apart. */
enum { ROOF_FRONTS_MOST = 4, ROOF_FRONTS_MOST_REASONS = 64 };

typedef struct roof_pareto {
    char identity[17];                    /* of the plan */
    uint64_t n_points, n_failed, n_found; /* as in roof_results_progress */
    roof_swept_model *models;
    roof_swept_configuration *configurations;
    uint32_t n_models, n_configurations;
    roof_cost_kind cost;       /* ROOF_COSTS: configurations differ in none */
    bool varies[ROOF_COSTS];   /* configurations differ in it */
    bool is_named[ROOF_COSTS]; /* and configurations of one device do, so that a name has to say it */
    bool devices_vary, types_vary;
    const double *rates;          /* NaN: no result */
    const bool *are_estimates;    /* of rates */
    const double *together_per_s; /* of each configuration; NULL: each model has a front */
    bool *are_together;           /* of each model: whether it is in these; NULL likewise */
    uint32_t n_together;          /* how many are */
    roof_pareto_front *fronts;
    uint32_t n_fronts;
    roof_swept_reason *reasons; /* those of most points first */
    uint32_t n_reasons;
    uint64_t n_other_reasons; /* points of reasons beyond ROOF_FRONTS_MOST_REASONS */
    struct roof_arena *arena; /* private */
} roof_pareto;

/* Reads all points of a plan, one file or its parts in any order, as roof_results_merge does.
 *
 * identity: as there. cost: ROOF_COSTS for the one that differs.
 * Memory: some 75 bytes a point of one model, 25 of each further one.
 * Errors: as there; E_DATA for points of measured documents, which ask for nothing; E_USAGE for a cost that
 *   no point has.
 * Example (tests/unit/test_pareto.c): 2 models and 4 clocks are 2 fronts of 4 configurations. */
ROOF_API roof_status roof_pareto_read(const char *const *paths, uint32_t n, const char *identity,
                                      roof_cost_kind cost, roof_pareto **out, roof_error *err);
ROOF_API void roof_pareto_free(roof_pareto *pareto);

/* Cost of a configuration, of the kind; NaN: unknown. */
ROOF_API double roof_swept_cost(const roof_swept_configuration *configuration, roof_cost_kind cost);

/* The rate of a configuration on a front; NaN: none. And whether it is an estimate, of any model. */
ROOF_API double roof_pareto_front_rate(const roof_pareto *pareto, const roof_pareto_front *front,
                                       uint32_t configuration);
ROOF_API bool roof_pareto_front_is_estimate(const roof_pareto *pareto, const roof_pareto_front *front,
                                            uint32_t configuration);

ROOF_END_C
#endif
