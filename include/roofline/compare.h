/* roofline/compare.h - two measurements, or two predictions, of one network side by side: what differs, by
 * how much, and whether the noise explains it.
 *
 * Units: _s seconds of one inference, all executions of a layer together; _ratio is B / A, above 1 where B
 *   takes longer. NaN is unknown, ROOF_UNKNOWN likewise.
 * Shapes: a comparison has a run for each model and mode that both sides have, in the order of A. Rows are
 *   those of A in their order, behind them those of B alone.
 * Ownership: a roof_comparison borrows both sides, which must outlive it. Free it with roof_comparison_free.
 *
 * The question is whether these samples differ by more than chance, and by more than the parts of one run
 * differ among themselves. A change from one run to the next on the same machine, such as of its temperature
 * or other work, is a difference too: to compare programs, let them take turns.
 */
#ifndef ROOFLINE_COMPARE_H
#define ROOFLINE_COMPARE_H

#include "roofline/advise.h"
#include "roofline/answer.h"
#include "roofline/memory.h"
#include "roofline/reconcile.h"

ROOF_BEGIN_C

#define ROOF_COMPARISON_SCHEMA "roofline.comparison/1"

/* A difference by chance alone is called one less often than this, over all totals and over all layers. */
#define ROOF_COMPARE_LEVEL 0.05

/* How rows of A and B found each other, surest first. */
typedef enum roof_pairing {
    ROOF_PAIRED_NOT,       /* on one side alone */
    ROOF_PAIRED_NAME,      /* or index, of rows without one */
    ROOF_PAIRED_PLAIN_NAME /* but for case, punctuation and what compilers add */
} roof_pairing;

/* Test that separates a difference from noise. */
typedef enum roof_compare_test {
    ROOF_TEST_NONE,  /* one side has neither samples nor mean, deviation and count: nothing is shown */
    ROOF_TEST_RANKS, /* Mann-Whitney U on the samples of both sides */
    ROOF_TEST_WELCH, /* Welch's t on mean, deviation and count */
    ROOF_TEST_EXACT, /* predictions have no noise: all but rounding */
    /* minimum, maximum and count: ranges that are apart. ratio_ci95 holds the ratios of all pairs */
    ROOF_TEST_RANGES
} roof_compare_test;

/* Resolution of a gate: a comparison need not exclude a change smaller than this ratio, and fewer samples
 * than this say nothing of the slow ones among them. */
#define ROOF_COMPARE_RESOLUTION_RATIO 1.05
enum { ROOF_COMPARE_SAMPLES = 30 };

/* The slowest inferences: behind this quantile, or behind the furthest one that so few samples bound. */
#define ROOF_COMPARE_TAIL_QUANTILE 0.95

/* A figure of the samples of both sides. NaN: they do not determine it. */
typedef struct roof_compared_statistic {
    double a_s, b_s, ratio, ratio_ci95[2];
    double p;      /* of this test alone */
    bool is_shown; /* a difference, among all that were tested */
} roof_compared_statistic;

/* A layer, or a whole inference. */
typedef struct roof_compared {
    const char *name, *type; /* type: NULL where it is not stated */
    uint32_t a_row,
        /* of the layers of the run, or of the prediction; ROOF_NONE: on the other side alone, or a total */
        b_row;
    roof_pairing pairing;
    roof_compare_test test;
    double a_s, b_s;           /* medians of samples, else means */
    uint64_t a_count, b_count; /* of samples or repetitions */
    /* With samples the typical difference of an inference of B and one of A, not that of the medians. */
    double difference_s, difference_ci95_s[2], ratio, ratio_ci95[2];
    double p;              /* of this test alone; NaN without one */
    bool is_typical_shown; /* this difference, among all that were tested; */
    bool is_shown;         /* or that of mean or tail */
    /* Mean and tail, with samples on both sides, from 10 and from 30 of each on: the typical inference may
     * stay while some get slower. */
    roof_compared_statistic mean, tail;
    double tail_quantile;            /* tail.a_s is that of A; NaN: there is no such look */
    uint64_t slow;                   /* samples of B above ROOF_COMPARE_RESOLUTION_RATIO times that */
    double a_effective, b_effective; /* how many independent samples count as much; NaN without samples */
    /* the least distance of two samples of both, INFINITY: all are equal; NaN without samples */
    double tick_s;
    uint64_t zeros; /* samples of 0 s, or a mean of 0 s: what no inference takes */
    /* is_told: a difference is shown, or one of ROOF_COMPARE_RESOLUTION_RATIO either way is excluded.
     * wanted_count: samples of each side that could do so; ROOF_UNKNOWN where these do, or no number does. */
    bool is_told;
    uint64_t wanted_count;
    bool is_same; /* sample by sample: one measurement, twice */
} roof_compared;

typedef enum roof_undecided_reason {
    ROOF_UNDECIDED_NOT,
    ROOF_UNDECIDED_UNTESTED, /* no noise is known on one side */
    ROOF_UNDECIDED_SAME,     /* both are one measurement */
    ROOF_UNDECIDED_ZEROS,
    ROOF_UNDECIDED_TICK,  /* the clock's tick is larger than the requested change */
    ROOF_UNDECIDED_FEW,   /* samples */
    ROOF_UNDECIDED_ALIKE, /* samples that follow each other, so that many count as few */
    ROOF_UNDECIDED_WIDE,  /* the interval reaches beyond the factor */
    ROOF_UNDECIDED_RANGES /* minimum and maximum are all that is known, and decide nothing */
} roof_undecided_reason;

typedef enum roof_statistic_kind {
    ROOF_COMPARED_TYPICAL,
    ROOF_COMPARED_MEAN,
    ROOF_COMPARED_TAIL,
    ROOF_COMPARED_STATISTICS
} roof_statistic_kind;

/* Decision on whether B / A is within a factor. */
typedef struct roof_decided {
    roof_held is; /* kept: the data exclude that it is above; broken: they show that it is */
    roof_undecided_reason why;
    /* the first one that is above, or undecided, else the one whose interval reaches furthest */
    roof_statistic_kind look;
    double ratio, ci95[2]; /* of that look */
    /* of each side, that could decide it where nothing changed; ROOF_UNKNOWN: none, or not known */
    uint64_t samples;
} roof_decided;

/* A condition that differs: "batch", "4", "1"; "not stated" on a side that is silent. is_apart: it makes the
 * two incomparable (measure/compare/conditions.def has all conditions, and why); else it is only named. */
typedef struct roof_unlike {
    const char *what, *a, *b;
    bool is_apart;
} roof_unlike;

/* A phase that both runs state, such as what the host does before and after: single numbers, so no test. */
typedef struct roof_compared_phase {
    const char *name;
    double a_s, b_s, ratio; /* B / A; NaN beside 0 */
} roof_compared_phase;

typedef struct roof_compared_run {
    const char *model, *model_b; /* as A and B call it */
    /* "bypass", "per_layer"; of predictions "at_best" or "expected", which both have then. */
    const char *mode;
    bool is_sum; /* the total is the sum of the layers, since no time of an inference is stated on one side */
    roof_compared total;
    roof_compared *layers;
    uint32_t n_layers, n_paired, n_tested, n_shown, n_only_a, n_only_b;
    /* of the tested ones: too few samples to tell a change of ROOF_COMPARE_RESOLUTION_RATIO */
    uint32_t n_untold;
    double geometric_mean, geometric_mean_ci95[2]; /* of the ratios of paired layers */
    roof_compared_phase *phases;                   /* the largest ratio first */
    uint32_t n_phases;
    roof_unlike *unlike;        /* conditions that differ, also where times agree */
    uint32_t n_unlike, n_apart; /* n_apart: of them make the two incomparable */
    /* Expected time of a run on each side, as roof_pair_takes has it; unknown for measured runs. */
    roof_answer takes[2];
    /* Predicted inferences, or tokens, a second of all cores that work: expected where both times are, else
     * at most. A network may take as long and reach twice the rate. */
    bool has_rates;
    double a_per_s, b_per_s;
    const char *rate_unit; /* "inference", "token"; NULL without rates */
} roof_compared_run;

/* True where the rates differ by more than the times of an inference do: by another number of cores. */
ROOF_API bool roof_compared_rates_differ(const roof_compared_run *run);

/* A run that only one side has. */
typedef struct roof_lone_run {
    const char *model, *mode;
    const char *model_b; /* of A's: what B calls the same model; NULL: B does not have it */
    bool is_of_a;
} roof_lone_run;

typedef struct roof_compare_side {
    const char *name; /* for people, such as that of its file */
    /* One of the two. */
    const roof_reconciliation *measured; /* with or without predictions, which do not matter */
    const roof_prediction *prediction;
    const char *hardware;      /* of measured documents that do not state theirs; NULL: unknown */
    const roof_memory *memory; /* of the model, for limits of a budget; NULL: unknown */
    const roof_advice *advice; /* likewise */
} roof_compare_side;

typedef struct roof_comparison {
    const char *a, *b; /* names of the sides */
    roof_compared_run *runs;
    uint32_t n_runs;
    roof_lone_run *left_out; /* runs of models or modes that only one side has */
    uint32_t n_left_out;
    /* The first member of each side's `hardware` that is not used: it is then unknown if both ran on the same
     * device. NULL: there is none. */
    const char *unused_hardware_a, *unused_hardware_b;
    const char *keep;         /* how to keep the time of each inference with the tool of both next time */
    struct roof_arena *arena; /* private */
} roof_comparison;

/* Lays b beside a.
 *
 * Models: by name, on the same hardware before another one, the second run of a name with the second one;
 * where each side has a single model, these, whatever they are called.
 * Looks: with samples on both sides three. Typical: the median of all differences of pairs (Hodges-Lehmann),
 *   of their logarithms for ratios, by Mann-Whitney's test, exact for up to 100 pairs of independent samples,
 *   ties included. Mean, from 10 samples of each on: its interval by Welch's t and the delta method for the
 *   ratio; its test by the variance of all samples of both sides, as random splits of them have it, since a
 *   side may lack slow ones by chance alone. Tail, from 30 on: the quantile ROOF_COMPARE_TAIL_QUANTILE, or
 *   0.025^(1/n) with n below 72, the furthest whose 97.5 % limit n samples have; limits by order statistics,
 *   combined in logarithms (MOVER); the test is Fisher's, of the samples above that quantile of both sides
 *   together. With moments alone the mean, by Welch's t.
 * Noise: samples that follow one another need not be independent. The variance of each look has the larger
 *   one of two factors: that of a first-order autoregression, (1 + r) / (1 - r), of ranks, samples, or places
 *   behind the quantile, with the autocorrelation r corrected for its bias, (n r + 1) / (n - 4); and that of
 *   ten batches. Where samples are sorted their order is lost, and fewer than 10 are taken as independent.
 * Many tests: Holm's, over all looks at totals and over all looks at layers. The interval of a row is of that
 *   row alone, so it may leave out 0 where the row is not shown.
 * Geometric mean: of the ratios of paired layers. Its interval has the noise of each, as if these were
 * independent.
 * Errors: E_USAGE for a measurement beside a prediction; E_DATA when no model is on both sides; E_NO_MEMORY.
 * Source: H. B. Mann, D. R. Whitney, Ann. Math. Statist. 18 (1947); J. L. Hodges, E. L. Lehmann, Ann. Math.
 *   Statist. 34 (1963); B. L. Welch, Biometrika 34 (1947); S. Holm, Scand. J. Statist. 6 (1979); P. J.
 *   Fleming, J. J. Wallace, CACM 29 (1986); H. A. David, H. N. Nagaraja, "Order Statistics", 7.1; A. Donner,
 *   G. Y. Zou, Statist. Methods Med. Res. 21 (2012), for MOVER; F. H. C. Marriott, J. A. Pope, Biometrika 41
 *   (1954), for the bias of an autocorrelation.
 * Example (tests/unit/test_compare.c): 10 11 12 13 14 ms beside 20 21 22 23 24 ms: 10 ms more, 95 % 7 to 13
 * ms, shown.
 */
ROOF_API roof_status roof_compare(const roof_compare_side *a, const roof_compare_side *b,
                                  roof_comparison **out, roof_error *err);

/* Decides whether a row is within a factor, 1 or more, by all looks that it has.
 *
 * Within: the 95 % interval of each look ends at the factor or below, and there are ROOF_COMPARE_SAMPLES on
 *   each side. With a factor of 1, which no interval of equal runs keeps: at ROOF_COMPARE_RESOLUTION_RATIO,
 *   and no look is shown to be slower. Above: a look is shown to be slower, and its interval begins above the
 *   factor. With moments alone the mean is all that is decided.
 * Samples: the number that all undecided looks need, or the first one whose ratio is above the factor, and no
 *   fewer than ROOF_COMPARE_SAMPLES independent ones. For typical inference and mean n (w / d)^2 (1 + 1.28 /
 *   1.96)^2, with the half width w of the interval in logarithms and the distance d of ratio and factor, at
 *   least half of what the factor allows: then 9 of 10 repetitions decide. For the tail the same, with the
 *   share of slow samples, its deviation, and its distance from the share behind the quantile, at least a
 *   quarter of that.
 * Example (tests/unit/test_compare.c): 3 and 3 samples decide nothing, whatever they are, and 30 could. */
ROOF_API roof_decided roof_compared_decide(const roof_compared *row, double factor);
ROOF_API void roof_comparison_free(roof_comparison *comparison);

ROOF_END_C
#endif
