/* roofline/compare.h - two measurements, or two predictions, of one network side by side: what differs, by how much, and whether
 * the noise explains it.
 *
 * Units: _s seconds of one inference, all executions of a layer together; _ratio is B / A, above 1 where B takes longer. NaN is not
 *   known, ROOF_UNKNOWN likewise.
 * Shapes: a comparison has a run for each model and mode that both sides have, in the order of A. Rows are those of A in their order,
 *   behind them those of B alone.
 * Ownership: a roof_comparison borrows both sides, which must outlive it. Free it with roof_comparison_free.
 *
 * What is asked is whether these samples differ by more than chance, and by more than the parts of one run differ among themselves.
 * What changes only from one run to the next on the same machine, such as its temperature or other work, is a difference too: who
 * compares programs lets them take turns.
 */
#ifndef ROOFLINE_COMPARE_H
#define ROOFLINE_COMPARE_H

#include "roofline/reconcile.h"

ROOF_BEGIN_C

#define ROOF_COMPARISON_SCHEMA "roofline.comparison/1"

/* A difference by chance alone is called one less often than this: any of all totals, and any of all layers. */
#define ROOF_COMPARE_LEVEL 0.05

/* How rows of A and B found each other, surest first. */
typedef enum roof_pairing {
    ROOF_PAIRED_NOT,       /* on one side alone */
    ROOF_PAIRED_NAME,      /* or index, of rows without one */
    ROOF_PAIRED_PLAIN_NAME /* but for case, punctuation and what compilers add */
} roof_pairing;

/* What tells a difference from noise. */
typedef enum roof_compare_test {
    ROOF_TEST_NONE,  /* one side has neither samples nor mean, deviation and count: nothing is shown */
    ROOF_TEST_RANKS, /* Mann-Whitney U on the samples of both sides */
    ROOF_TEST_WELCH, /* Welch's t on mean, deviation and count */
    ROOF_TEST_EXACT  /* predictions have no noise: all but rounding */
} roof_compare_test;

/* A layer, or a whole inference. */
typedef struct roof_compared {
    const char *name, *type; /* type: NULL where it is not stated */
    uint32_t a_row,
        b_row; /* of the layers of the run, or of the prediction; ROOF_NONE: on the other side alone, or a total */
    roof_pairing pairing;
    roof_compare_test test;
    double a_s, b_s;           /* medians of samples, else means */
    uint64_t a_count, b_count; /* of samples or repetitions */
    /* With samples the typical difference of an inference of B and one of A, which need not be that of the medians. */
    double difference_s, difference_ci95_s[2], ratio, ratio_ci95[2];
    double p;      /* of this test alone; NaN without one */
    bool is_shown; /* a difference, among all that were tested */
} roof_compared;

typedef struct roof_compared_run {
    const char *model, *model_b; /* as A and B call it */
    const char
        *mode;   /* "bypass", "per_layer"; of predictions "at_best" or "expected", which both have then */
    bool is_sum; /* the total is the sum of the layers, since no time of an inference is stated on one side */
    roof_compared total;
    roof_compared *layers;
    uint32_t n_layers, n_paired, n_tested, n_shown, n_only_a, n_only_b;
    double geometric_mean, geometric_mean_ci95[2]; /* of the ratios of paired layers */
} roof_compared_run;

typedef struct roof_compare_side {
    const char *name; /* for people, such as that of its file */
    /* One of the two. */
    const roof_reconciliation *measured; /* with or without predictions, which do not matter */
    const roof_prediction *prediction;
} roof_compare_side;

typedef struct roof_comparison {
    const char *a, *b; /* names of the sides */
    roof_compared_run *runs;
    uint32_t n_runs;
    uint32_t n_left_out;      /* runs of models or modes that only one side has */
    struct roof_arena *arena; /* private */
} roof_comparison;

/* Lays b beside a.
 *
 * Models: by name, the second run of a name with the second one; where each side has a single model, these, whatever they are called.
 * Test: by ranks where both sides have samples, exactly for up to 100 pairs of samples, ties included, with the noise of ten parts of each run for more; else Welch's t. Estimates: by ranks
 *   the median of all differences of pairs (Hodges-Lehmann) with the interval of the same test, of their logarithms for ratios; by
 *   means their difference, and the delta method for ratios.
 * Many tests: Holm's, over all totals and over all layers. The interval of a row is of that row alone, so it may leave out 0 where the
 *   row is not shown.
 * Geometric mean: of the ratios of paired layers. Its interval has the noise of each, as if these were independent.
 * Errors: E_USAGE for a measurement beside a prediction; E_DATA when no model is on both sides; E_NO_MEMORY.
 * Source: H. B. Mann, D. R. Whitney, Ann. Math. Statist. 18 (1947); J. L. Hodges, E. L. Lehmann, Ann. Math. Statist. 34 (1963);
 *   B. L. Welch, Biometrika 34 (1947); S. Holm, Scand. J. Statist. 6 (1979); P. J. Fleming, J. J. Wallace, CACM 29 (1986).
 * Example (tests/unit/test_compare.c): 10 11 12 13 14 ms beside 20 21 22 23 24 ms: 10 ms more, 95 % 7 to 13 ms, shown.
 */
ROOF_API roof_status roof_compare(const roof_compare_side *a, const roof_compare_side *b,
                                  roof_comparison **out, roof_error *err);
ROOF_API void roof_comparison_free(roof_comparison *comparison);

ROOF_END_C
#endif
