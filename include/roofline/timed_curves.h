/* roofline/timed_curves.h - measured times of language models over their context, and what they are made of.
 *
 * Units: tokens; _s seconds; _bytes bytes; _ratio none. Unknown doubles are NaN, unknown indices ROOF_NONE.
 * Ownership: all of it is the reconciliation's (roofline/reconcile.h).
 *
 * A curve is what one model took on one hardware by one version of a stack, with one weight type and
 *   cache and one batch, at two lengths or more. A step makes the next token of each sequence. n is its
 *   context.
 *
 * Fit to the steps of a curve: t(n) = constant + n per_token, by the least squares of
 *   t / (constant + n per_token) - 1, since noise of such times goes with them. constant is weights and
 *   launches (and the host), per_token is the cache. Intervals are Student's. Two things are taken out first,
 *   and named:
 *   a kernel switch    all points from some length on are faster than the line through the shorter ones, by
 *             more than 3 % and more than Student's 99.9 % quantile: another kernel, which has another line
 *   a stray   one of five or more points whose residual against the line through all others is beyond
 *             Student's t for 99.5 % among so many (Bonferroni)
 * Source: N. R. Draper, H. Smith, "Applied Regression Analysis", 3rd edition, 1998, sections 1.4 and 8.1 (the
 *   externally studentised residual).
 *
 * Fit to the curves of several models of a stack:
 *   t(n) = weight_bytes w + sum over layers of t(kind) + n full layers s(class)
 *   by the least squares of fitted / measured - 1. A constant below 0, which no time is, is taken to be 0.
 *   Interval: the range over fits that leave a model out, since points of one model are no independent
 *   witnesses.
 */
#ifndef ROOFLINE_TIMED_CURVES_H
#define ROOFLINE_TIMED_CURVES_H

#include "roofline/fit.h"
#include "roofline/language.h"

ROOF_BEGIN_C

/* Steps below which no line is fitted, and models below which no constants of a stack are. */
enum { ROOF_MIN_STEPS = 3, ROOF_MIN_MODELS = 3 };

/* Likeliest explanation of a time below the bound. */
typedef enum roof_point_doubt {
    ROOF_POINT_POSSIBLE,
    ROOF_POINT_OF_A_TOKEN, /* of one token of a batch, not of a step of all sequences */
    ROOF_POINT_OF_WEIGHTS, /* of weights in a smaller form than the document says */
    ROOF_POINT_OF_CONTEXT, /* of another context than the document says */
    ROOF_POINT_DOUBTS
} roof_point_doubt;

/* "possible", "one_of_a_batch", "other_weights", "other_context". */
ROOF_API const char *roof_point_doubt_text(roof_point_doubt doubt);

/* A measured time. */
typedef struct roof_timed_point {
    uint32_t experiment; /* of the reconciliation's */
    roof_text_phase phase;
    uint32_t tokens;
    double seconds;             /* of a step of all sequences, or of a prompt */
    double ideal_s, expected_s; /* of the prediction of that experiment */
    const char *no_ideal;       /* why there is none, in a sentence; NULL where there is one */
    double fitted_s;            /* by the line of its curve; NaN */
    double left_out_ratio;      /* the line of all other steps over what was measured, less 1; NaN */
    double weights_s, cache_s;  /* parts of ideal_s, where what is read takes all of it; NaN */
    bool is_beyond_kink, is_stray;
    roof_point_doubt doubt;
    double doubt_tokens;    /* of OF_CONTEXT: the context that such a time would be of; NaN: unknown */
    const char *doubt_form; /* of OF_WEIGHTS: the largest form whose bound is met; NULL: none's is */
} roof_timed_point;

/* A line through steps. */
typedef struct roof_step_fit {
    const char *not_known; /* why there is none, in a sentence; NULL where there is one */
    roof_estimate constant_s, per_token_s;
    uint32_t points, dof;               /* points: that it goes through */
    double scatter_ratio;               /* of them, relative: sqrt(squares / dof) */
    double error_ratio, left_out_ratio; /* medians of |error|; NaN: unknown */
    uint32_t kink_tokens;               /* the first length behind it; 0: there is none */
    double kink_ratio;                  /* there: measured over the line, less 1 */
} roof_step_fit;

/* Source of the time of weights. */
typedef enum roof_weights_basis {
    ROOF_WEIGHTS_NOT_KNOWN,
    ROOF_WEIGHTS_BOUND,    /* at the peak of memory: at least this, and launches at most the rest */
    ROOF_WEIGHTS_EXPECTED, /* by the built-in calibration of the stack, of the device description */
    ROOF_WEIGHTS_FITTED    /* by what was fitted to the models of the document */
} roof_weights_basis;

/* Time that a step takes more than another one, by parts. */
typedef struct roof_growth {
    uint32_t curves[2]; /* from and to; the same: of one curve, between its lengths */
    uint32_t tokens[2];
    double total_s;                        /* measured; negative: it shrank */
    double weights_s, cache_s, launches_s; /* NaN: not known apart; weights_s 0 where they are the same */
    double rest_s;                         /* part of total_s that the lines leave open */
    roof_language_part most;               /* the largest of them, in the direction of total_s */
} roof_growth;

typedef struct roof_timed_curve {
    const char *model, *hardware;                        /* names for people; hardware may be NULL */
    const char *stack, *stack_version, *weights, *cache; /* NULL: not stated */
    uint32_t batch;                                      /* at least 1 */
    uint32_t first_point, n_points, n_steps;             /* of the reconciliation's; steps first, by tokens */
    roof_step_fit steps;
    roof_weights_basis weights_basis;
    double weights_s, launches_s; /* of steps.constant_s; NaN: not known apart */
    uint64_t weight_bytes;        /* ROOF_UNKNOWN: the model is unknown */
    double cache_bytes_per_s;     /* of cache read for a token of context, over per_token_s; NaN: unknown */
    const char *attention;        /* the class of its full layers; NULL: unknown */
} roof_timed_curve;

/* One constant of a stack. */
typedef struct roof_stack_constant {
    const char *name; /* "weights", "full layer", "experts of a layer", "gqa_h128_kv8" */
    const char *unit; /* "s/byte", "s", "s/token" */
    double value;
    double range[2]; /* over fits without one of the models; NaN: no such fit has it */
    uint32_t curves; /* that have it */
} roof_stack_constant;

/* How well a model is met. */
typedef struct roof_stack_model {
    uint32_t curve;
    double error_ratio;    /* median of |error| over its steps */
    double left_out_ratio; /* the same by a fit to the others */
    /* The others do not determine what its class or a kind of its layers takes: then the median class and a
     * full layer stand in for it, and left_out_ratio says how far that goes. */
    bool is_alone;
} roof_stack_model;

/* Constants of one version of a stack on one hardware. */
typedef struct roof_stack_fit {
    const char *stack, *stack_version, *hardware; /* NULL: not stated */
    const char *not_known;                        /* why nothing is fitted; NULL where it is */
    roof_stack_constant *constants;
    uint32_t n_constants;
    roof_stack_model *models;
    uint32_t n_models, points;
    double error_median, error_mean;       /* of all steps, |error|; NaN: unknown, as these */
    double left_out_median, left_out_mean; /* of steps of models whose class and kinds others have too */
    double alone_median, alone_mean;       /* of those of the others */
} roof_stack_fit;

ROOF_END_C
#endif
