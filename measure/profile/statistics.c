#include "roofline/statistics.h"
#include "core/core.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <limits.h>

/* Iglewicz and Hoaglin's limit, and what makes two deviations estimates of a normal standard deviation. */
#define OUTLIER_SCORE     3.5
#define MEDIAN_ABS_TO_STD 1.4826
#define MEAN_ABS_TO_STD   1.2533

/* The share of d that the largest sample may miss where a maximum is known: rounding and scatter. */
#define EXCESS_TOLERANCE 0.25

/* The median of |x - median|, by walking outwards from the middle of sorted samples: no second sort. */
static double median_abs_deviation(const double *sorted, uint64_t n, double median)
{
    uint64_t left = 0, right = n, wanted = n / 2 + 1;
    double last = 0, before = 0;
    for (uint64_t found = 0; found < wanted; found++) { /* the nearest ones last: drop the farther end */
        double to_left = median - sorted[left], to_right = sorted[right - 1] - median;
        before = last;
        last = to_left > to_right ? to_left : to_right;
        if (to_left > to_right)
            left++;
        else
            right--;
    }
    return n % 2 ? last : (last + before) / 2;
}

/* Outliers are at the ends of sorted samples, so the rest is one run of them. */
static void flag_outliers(const double *sorted, uint64_t n, roof_statistics *s)
{
    double scale = MEDIAN_ABS_TO_STD * median_abs_deviation(sorted, n, s->median), mean_abs = 0;
    for (uint64_t i = 0; i < n && !(scale > 0); i++)
        mean_abs += fabs(sorted[i] - s->median) / (double)n;
    double limit = scale > 0 ? OUTLIER_SCORE * scale : OUTLIER_SCORE * MEAN_ABS_TO_STD * mean_abs;
    double all_squares = s->std * s->std * (double)(n - 1), outer = 0;
    uint64_t first = 0, end = n;
    while (first < end && s->median - sorted[first] > limit)
        first++;
    while (end > first && sorted[end - 1] - s->median > limit)
        end--;
    for (uint64_t i = 0; i < n; i++)
        if (i < first || i >= end)
            outer += (sorted[i] - s->mean) * (sorted[i] - s->mean);
    s->outliers = n - (end - first);
    s->outlier_variance_ratio = all_squares > 0 ? fmin(outer / all_squares, 1) : 0;
    double mean = gsl_stats_mean(sorted + first, 1, (size_t)(end - first));
    if (end - first > 1 && mean != 0)
        s->cov_without_outliers_ratio = gsl_stats_sd_m(sorted + first, 1, (size_t)(end - first), mean) / mean;
}

/* By the largest k with P(Binomial(n, 1/2) < k) <= 2.5 %, found by halving; 1 if there is none. */
static void median_interval(const double *sorted, uint64_t n, roof_statistics *s)
{
    uint64_t k = 1, high = n / 2;
    if (n < ROOF_MIN_INTERVAL_SAMPLES)
        return;
    while (k < high) {
        uint64_t middle = k + (high - k + 1) / 2;
        if (gsl_cdf_binomial_P((unsigned)(middle - 1), 0.5, (unsigned)n) <= 0.025)
            k = middle;
        else
            high = middle - 1;
    }
    s->median_low = sorted[k - 1];
    s->median_high = sorted[n - k];
    s->median_confidence_ratio = 1 - 2 * gsl_cdf_binomial_P((unsigned)(k - 1), 0.5, (unsigned)n);
}

roof_status roof_statistics_of(const double *samples, size_t n, roof_statistics *out, roof_error *err)
{
    roof_statistics s;
    memset(&s, UCHAR_MAX, sizeof s); /* all bits set are a NaN */
    s.count = n;
    s.outliers = 0;
    if (n > UINT32_MAX) /* GSL counts them in unsigned int */
        return error_set(err, ROOF_E_LIMIT, "%zu samples, want at most %u", n, UINT32_MAX);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(samples[i]))
            return error_data(err, "sample %zu is %g, want a finite number", i, samples[i]);
    if (!n) {
        *out = s;
        return ROOF_OK;
    }
    double *sorted = malloc(n * sizeof *sorted);
    TRY(ALLOCATED(sorted, err));
    memcpy(sorted, samples, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    s.min = sorted[0];
    s.max = sorted[n - 1];
    s.mean = gsl_stats_mean(sorted, 1, n);
    s.median = gsl_stats_median_from_sorted_data(sorted, 1, n);
    s.p95 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.95);
    s.p99 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.99);
    if (n > 1) {
        s.std = gsl_stats_sd_m(sorted, 1, n, s.mean);
        if (s.mean != 0)
            s.cov_ratio = s.std / s.mean;
        flag_outliers(sorted, n, &s);
    }
    median_interval(sorted, n, &s);
    free(sorted);
    *out = s;
    return ROOF_OK;
}

bool roof_statistics_one_outlier(const roof_statistics *s, roof_outlier_reading *out)
{
    if (s->count < ROOF_MIN_INTERVAL_SAMPLES || !(s->mean > 0) || !(s->std / s->mean > ROOF_HIGH_COV_RATIO))
        return false;
    double n = (double)s->count, excess = s->std * sqrt(n), rest = s->mean - s->std / sqrt(n);
    if (rest <= 0 || s->min > rest * (1 + EXCESS_TOLERANCE) ||
        (isfinite(s->max) && fabs(s->max - rest - excess) > EXCESS_TOLERANCE * excess))
        return false;
    *out = (roof_outlier_reading){1, excess, rest, s->mean / rest - 1};
    return true;
}
