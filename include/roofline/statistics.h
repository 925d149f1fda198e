/* roofline/statistics.h - statistics of a row of repeated measurements, and their limits.
 *
 * Units: those of the samples; _ratio has none.
 * Shapes: samples are in any order, and permuting them changes no bit of the result; a series alone has them
 *   as they were taken, one after the other.
 * Ownership: plain values; nothing is kept.
 *
 * Outliers are flagged, never dropped: mean, std and the rest are of all samples. A statistic that is unknown
 * is NaN.
 */
#ifndef ROOFLINE_STATISTICS_H
#define ROOFLINE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include "roofline/status.h"

ROOF_BEGIN_C

/* From how many samples on the median has an interval at all, and from how many on it reaches 95 %. */
enum { ROOF_MIN_INTERVAL_SAMPLES = 5, ROOF_MIN_CI95_SAMPLES = 6 };

/* A coefficient of variation above this is called high (the study's own limit: 10 %). */
#define ROOF_HIGH_COV_RATIO 0.10

typedef struct roof_statistics {
    uint64_t count;
    double mean, min, max;
    double std;                     /* of a sample, with count - 1 */
    double cov_ratio;               /* std / mean */
    double median, p95, p99;        /* linear between order statistics: R's type 7, numpy's default */
    double median_low, median_high; /* interval of the median */
    double median_confidence_ratio; /* how sure it is: at least 0.95, except 0.9375 with 5 samples */
    uint64_t outliers;              /* samples that stand out; see roof_statistics_of */
    double cov_without_outliers_ratio;
    double outlier_variance_ratio; /* the outliers' share of the squares about the mean; 0 without any */
} roof_statistics;

/* Computes all of it out of samples.
 *
 * Median interval: order statistics x(k), x(n+1-k) with the largest k that leaves at most 2.5 % in each tail
 *   of Binomial(n, 1/2); it assumes nothing about the distribution. With 5 samples it is [min, max], which
 *   holds with 1 - 2/32; with fewer there is none.
 * Outliers: further from the median than 3.5 standard deviations, these estimated as 1.4826 times the median
 *   absolute deviation, or as 1.2533 times the mean absolute deviation where more than half of the samples
 *   are equal.
 * samples: n finite values. n may be 0: count is 0, the rest unknown.
 * Errors: E_DATA for a sample that is not finite (the message names its index); E_LIMIT for 2^32 samples or
 *   more; E_NO_MEMORY.
 * Source: B. Iglewicz, D. Hoaglin, "How to Detect and Handle Outliers" (ASQC 1993), modified z-scores; H. A.
 *   David, H. N. Nagaraja, "Order Statistics", 7.1.
 * Example (tests/unit/test_statistics.c): 1 2 3 4 5 6 7 8 9 30 has mean 7.5, median 5.5 with the interval [2,
 * 9] of
 *   97.9 %, and one outlier.
 */
ROOF_API roof_status roof_statistics_of(const double *samples, size_t n, roof_statistics *out,
                                        roof_error *err);

typedef struct roof_outlier_reading {
    uint64_t outliers;      /* how many equal ones would do */
    double excess;          /* of each over the rest */
    double median;          /* of the rest, which then is the median of all */
    double mean_bias_ratio; /* mean / median - 1 */
} roof_outlier_reading;

/* Tests whether one outlier can explain a large deviation that is known only as mean, std and count.
 *
 * Formula: one sample d above n - 1 equal ones gives std^2 = d^2 / n, so d = std sqrt(n) and the others lie
 *   at mean - std / sqrt(n).
 * statistics: count, mean and std; max if known, which must then be reached: within 25 % of d above the rest.
 * Result: true, and out is filled, when the cov_ratio is high, count is at least ROOF_MIN_INTERVAL_SAMPLES,
 *   and the rest stays positive and within its known minimum.
 * Example (tests/unit/test_statistics.c): mean 0.368 ms, std 0.067 ms of 110 runs is one run of 0.70 ms too
 * much; the
 *   median would be 0.362 ms.
 */
ROOF_API bool roof_statistics_one_outlier(const roof_statistics *statistics, roof_outlier_reading *out);

/* --- the order of samples ------------------------------------------------------------------------------- */

/* From how many samples on a series shows a slow beginning, and more. */
enum { ROOF_MIN_WARM_UP_SAMPLES = 5, ROOF_MIN_SERIES_SAMPLES = 20 };

/* A series that is steady but for noise is called otherwise less often than this, for each of the tests. */
#define ROOF_SERIES_LEVEL 1e-4

/* Smaller changes are not reported: no decision hangs on them. */
#define ROOF_SERIES_CHANGE_RATIO 0.02
#define ROOF_WARM_UP_RATIO       0.05

typedef enum roof_series_kind {
    ROOF_SERIES_STEADY,      /* nothing stands out */
    ROOF_SERIES_TREND,       /* ever slower, or ever faster */
    ROOF_SERIES_STEP,        /* slower, or faster, from one sample on */
    ROOF_SERIES_MODES,       /* of two speeds, which take turns */
    ROOF_SERIES_PAUSES,      /* a few are slower by one amount, as after a pause in which clocks fell */
    ROOF_SERIES_INTERRUPTED, /* a few are much slower, each by another amount, as when other work ran */
    ROOF_SERIES_KINDS
} roof_series_kind;

typedef struct roof_series {
    uint64_t warm_up;               /* so many samples at the beginning are slower than the others; 0: none */
    double warm_up_mean, rest_mean; /* of them, NaN without any; of the others */
    roof_series_kind kind;          /* of the others */
    /* Trend: its line at their first and at their last. Step: medians before and after it. Modes: medians of
     * the fast and of the slow ones. Pauses and interrupted: the mean of the others; the median of the slow
     * ones, or where they are unlike, their mean. NaN: steady. */
    double first, second;
    uint64_t at; /* step: how many samples of all stand before it. Else how many are slow; of a trend 0 */
    /* false: sorted samples, which may have two speeds, but have lost their order */
    bool order_is_known;
} roof_series;

/* Classifies samples in the order in which they were taken. One cause has one name: what a warm-up explains
 * is no trend, what a step or a trend explains is not two modes.
 *
 * Method: rank tests, which ask for no distribution, on the medians of at most 64 blocks, so that
 *   outliers, short bursts and the number of samples matter little. Mann-Kendall and Pettitt tell whether
 *   there is a change. Trend: the line of Theil and Sen. Step: Pettitt's place, which least absolute
 *   deviations make that of a sample. Either has to leave at most 0.7 of the absolute deviation of the
 *   medians; it is a step where that leaves at most 0.8 of what the line leaves. Modes: the split of the
 *   sorted samples with the largest variance between its parts (Otsu), a tenth of the samples and 10 or more
 *   in each, eight deviations apart, and at most 2 % of the samples in the middle third between them; a
 *   single turn from one to the other is a step. Rare slow ones: three to a tenth, four times as far above
 *   the median as all others; within a fifth of that they are of one amount. Warm-up: a quarter of the
 *   samples at most, or half where they fall, above the median of the second half by three deviations and 2
 *   %, on average 5 % slower. Chance alone would place them first, as a permutation of those as slow, or
 *   make them as slow where no other one is half of that, by a tail that falls off exponentially, less often
 *   than ROOF_SERIES_LEVEL; of fewer than ROOF_MIN_SERIES_SAMPLES, less often than 1.5 %. A series that still
 *   gets faster behind it, by a quarter of what it was slower, has no warm-up that ends. Changes of less than
 *   three of the clock's ticks, the least distance of two samples, are none.
 * Cost: n log n, with two copies of the samples.
 * samples: n finite values. Fewer than ROOF_MIN_WARM_UP_SAMPLES, or a median that is not above 0: steady.
 * Errors: E_DATA for a sample that is not finite, E_NO_MEMORY.
 * Source: H. B. Mann, Econometrica 13 (1945); P. K. Sen, JASA 63 (1968); A. N. Pettitt, Applied Statistics 28
 *   (1979); N. Otsu, IEEE Trans. SMC 9 (1979); K. M. Ashman et al., Astronomical Journal 108 (1994), for the
 *   distance of two modes.
 * Example (tests/unit/test_series.c): 9 8 5.1 4.9 5 5.1 5 4.9 5 5.1 4.9 5 5.1 4.9 5 5 warm up for 2 samples,
 * and the mean of
 *   the rest is 5.
 */
ROOF_API roof_status roof_series_of(const double *samples, size_t n, roof_series *out, roof_error *err);

ROOF_END_C
#endif
