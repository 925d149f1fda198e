/* roofline/statistics.h - what a row of repeated measurements says, and what it does not.
 *
 * Units: those of the samples; _ratio has none.
 * Shapes: samples are in any order; permuting them changes no bit of the result.
 * Ownership: plain values; nothing is kept.
 *
 * Outliers are flagged, never dropped: mean, std and the rest are of all samples. A statistic that is not known is
 * NaN.
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
} roof_statistics;

/* Computes all of it out of samples.
 *
 * Median interval: order statistics x(k), x(n+1-k) with the largest k that leaves at most 2.5 % in each tail of
 *   Binomial(n, 1/2); it assumes nothing about the distribution. With 5 samples it is [min, max], which holds with
 *   1 - 2/32; with fewer there is none.
 * Outliers: further from the median than 3.5 standard deviations, these estimated as 1.4826 times the median absolute
 *   deviation, or as 1.2533 times the mean absolute deviation where more than half of the samples are equal.
 * samples: n finite values. n may be 0: count is 0, the rest unknown.
 * Errors: E_DATA for a sample that is not finite (the message names its index); E_LIMIT for 2^32 samples or more;
 *   E_NO_MEMORY.
 * Source: B. Iglewicz, D. Hoaglin, "How to Detect and Handle Outliers" (ASQC 1993), modified z-scores; H. A. David,
 *   H. N. Nagaraja, "Order Statistics", 7.1.
 * Example (tests/unit/test_statistics.c): 1 2 3 4 5 6 7 8 9 30 has mean 7.5, median 5.5 with the interval [2, 9] of
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

/* Whether a large deviation, known only as mean, std and count, can be the work of one outlier.
 *
 * Formula: one sample d above n - 1 equal ones gives std^2 = d^2 / n, so d = std sqrt(n) and the others lie at
 *   mean - std / sqrt(n).
 * statistics: count, mean and std; max if known, which must then be reached: within 25 % of d above the rest.
 * Result: true, and out is filled, when the cov_ratio is high, count is at least ROOF_MIN_INTERVAL_SAMPLES, and the
 *   rest stays positive and within its known minimum.
 * Example (tests/unit/test_statistics.c): mean 0.368 ms, std 0.067 ms of 110 runs is one run of 0.70 ms too much; the
 *   median would be 0.362 ms.
 */
ROOF_API bool roof_statistics_one_outlier(const roof_statistics *statistics, roof_outlier_reading *out);

ROOF_END_C
#endif
