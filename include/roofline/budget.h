/* roofline/budget.h - limits that a network has to keep, and whether it does: a gate for continuous
 * integration.
 *
 * Units: of a limit those of its name, _s seconds or _bytes bytes of external memory in one inference; _ratio
 *   none.
 * Ownership: a roof_budget owns all in it. roof_checks borrow the budget and what was checked. NULL may be
 *   freed.
 *
 * A limit that cannot be checked, since the file does not state its value or has too few samples, is not
 * kept, unless the budget says that it is optional. Every limit is in the checks.
 */
#ifndef ROOFLINE_BUDGET_H
#define ROOFLINE_BUDGET_H

#include "roofline/answer.h"
#include "roofline/compare.h"

ROOF_BEGIN_C

#define ROOF_BUDGET_SCHEMA "roofline.budget/1"
#define ROOF_CHECKS_SCHEMA "roofline.checks/1"

enum { ROOF_MOST_OPTIONAL = 64, ROOF_MOST_TERMS = 31, ROOF_MOST_MODELS = 64 };

typedef struct roof_limit {
    const char *name; /* as the budget has it */
    double value;
} roof_limit;

/* Limits of one model alone, beside those of all. */
typedef struct roof_model_budget {
    const char *name; /* as the profile calls it */
    roof_limit *totals;
    uint32_t n_totals;
} roof_model_budget;

typedef struct roof_budget {
    const char *name;   /* as its file is called here */
    roof_limit *totals; /* the most of one inference: "p99_s", "total_bytes" */
    uint32_t n_totals;
    roof_limit *steps; /* the most of a step of an inference: "host_s", as the profile calls it */
    uint32_t n_steps;
    roof_model_budget models[ROOF_MOST_MODELS];
    uint32_t n_models;
    roof_limit *types; /* the least ideal / measured of all layers of one type: "conv" */
    uint32_t n_types;
    /* The most that an edit may gain which keeps the network's function (roofline/advise.h), in percent of
     * its time; NaN: no limit. */
    double advice_max_gain_percent;
    roof_limit *memory; /* the most bytes reserved in a pool of this name; "ram": in all RAM together */
    uint32_t n_memory;
    struct {
        const char *file; /* as it stands in the budget; NULL: none */
        const char *path; /* as seen from here */
        /* B / A of the time of an inference, as in roof_compared_decide; 1 where it is not stated */
        double factor;
        double layer_factor; /* likewise of each layer; NaN: layers are not held against it */
        bool passes_unknown; /* a check that noise leaves open is skipped; else it fails */
    } baseline;
    const char *optional
        [ROOF_MOST_OPTIONAL]; /* "p99_s", "conv": limits that need not be known; NULL behind the last */
    struct roof_arena *arena; /* private */
} roof_budget;

/* Reads a document (docs/schema/budget-1.schema.json). path: "-" is standard input. A baseline's path is
 * relative to its folder.
 * Errors: E_DATA with a JSON pointer as place (a member that no budget has, since it would be a limit without
 *   a check; no limit at all; a negative one; an optional one that is not there), E_LIMIT, E_NO_INPUT, E_IO.
 * Example (tests/unit/test_budget.c): {"schema":"roofline.budget/1","total":{"p99_s":0.0333}}. */
ROOF_API roof_status roof_budget_read(const char *path, roof_budget **out, roof_error *err);
/* The same out of limits of one inference by their names, such as "mean_s", in base units. Copies them.
 * Errors: E_NO_MEMORY. */
ROOF_API roof_status roof_budget_of_totals(const roof_limit *totals, uint32_t n, roof_budget **out,
                                           roof_error *err);
ROOF_API void roof_budget_free(roof_budget *budget);

/* The limit of a name in a list of the budget, NaN for none; and the names of totals, then NULL. */
ROOF_API double roof_budget_limit(const roof_limit *limits, uint32_t n, const char *name);
ROOF_API const char *roof_budget_term(size_t i);

typedef struct roof_check {
    const char *model;
    /* unlike all others of the model: "p99", "conv efficiency", "deployed against old.json" */
    const char *name;
    const char *unit; /* "s", "B", "ratio" */
    double found,
        limit; /* found: NaN: there is none. One that is unknown may have what too few samples say */
    roof_answer_kind kind; /* of found, where it is predicted: expected, or at least; else not known */
    double found_ci95[2];  /* of an expected one; NaN: none */
    uint32_t left_out;     /* layers of the CPU that run, and are in none of a predicted one */
    bool is_least;         /* the limit is the least, else the most */
    double excess_ratio;   /* found / limit - 1 */
    const char *why;       /* source of found, or why it is unknown, and the cure */
    roof_held state;
} roof_check;

typedef struct roof_checks {
    roof_check *items; /* those of a model one after the other */
    uint32_t n, counts[ROOF_HELD_KINDS];
    /* An impossible measurement: a time below the model's bound, or two that contradict one another. No
     * measured value keeps a limit then. NULL: none. */
    const char *contradiction;
    struct roof_arena *arena; /* private */
} roof_checks;

/* Holds a measurement, or a prediction, against a budget.
 *
 * subject: as in roofline/compare.h. Measured: with predictions, where efficiencies, best_s and expected_s
 * are wanted; times are those of the whole-network run, else of the per-layer run.
 * baseline: the comparison of the budget's baseline (A) with subject (B); NULL: it has none.
 * Formulas: an efficiency is the sum of ideal / the sum of measured times over layers of the kind that have
 *   both. A regression is kept or broken as roof_compared_decide says, of the total and of every layer, else
 *   not known: also where the runs are not comparable (measure/compare/conditions.def), where one is 20
 *   times as fast as its baseline, where one side lacks a run of the baseline, or a layer, and
 *   where a percentile has fewer inferences than it takes (P95 20, P99 100). An expected time is held by its
 *   whole interval of 95 %, and keeps no limit while layers of the host are in none of it. A prediction
 *   without an expected time gives a bound alone: a limit below it fails, any other is unknown. Bytes are
 *   those that were counted, else those of the prediction. For a memory pool the high-water mark is held
 *   against the limit; where its buffers have no addresses, the least live activations, as the accelerator
 *   stores them where that is known.
 * Errors: E_DATA when a document's `hardware` has a member that is not used, since no limit is kept on
 *   unknown hardware; E_NO_MEMORY.
 * Example (tests/unit/test_budget.c): a p99 of 31 ms keeps 33.3 ms, and breaks 30 ms by 3.3 %.
 */
ROOF_API roof_status roof_budget_check(const roof_budget *budget, const roof_compare_side *subject,
                                       const roof_comparison *baseline, roof_checks **out, roof_error *err);
ROOF_API void roof_checks_free(roof_checks *checks);

/* How many fail or are unknown. */
ROOF_API uint32_t roof_checks_failed(const roof_checks *checks);

ROOF_END_C
#endif
