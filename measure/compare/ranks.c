#include "measure/compare/ranks.h"
#include "core/core.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

/* --- noise within a run --------------------------------------------------------------------------------- */

enum { BATCHES = 10, LEAST_VALUES = 10 };

static const rank_noise independent = {1, INFINITY};

bool ranks_have_order(const double *samples, size_t n)
{
    size_t i = 1;
    while (i < n && samples[i - 1] <= samples[i])
        i++;
    return i < n;
}

double ranks_correlation(const double *values, size_t n)
{
    double mean = gsl_stats_mean(values, 1, n), all = 0, beside = 0;
    for (size_t i = 0; i < n; i++) {
        all += (values[i] - mean) * (values[i] - mean);
        beside += i ? (values[i] - mean) * (values[i - 1] - mean) : 0;
    }
    return all > 0 ? beside / all : 0;
}

rank_noise ranks_noise(const double *values, size_t n)
{
    /* Beyond that a series is a walk: no number of its values is enough. */
    static const double most_correlation = 0.99;
    if (n < LEAST_VALUES)
        return independent;
    double r = fmin(((double)n * ranks_correlation(values, n) + 1) / ((double)n - 4), most_correlation);
    double factor = (1 + r) / (1 - r);
    rank_noise a = r > 0 ? (rank_noise){factor, fmax((double)n / factor - 1, 1)} : independent;
    size_t size = n / BATCHES, used = BATCHES * size;
    if (size < 2)
        return a.factor > 1 ? a : independent;
    double mean = gsl_stats_mean(values, 1, used), between = 0;
    double variance = gsl_stats_variance_with_fixed_mean(values, 1, used, mean);
    for (size_t k = 0; k < BATCHES; k++)
        between += pow(gsl_stats_mean(values + k * size, 1, size) - mean, 2) / (BATCHES - 1);
    factor = variance > 0 ? (double)size * between / variance : 1;
    return factor > 1 && factor >= a.factor ? (rank_noise){factor, BATCHES - 1} : a;
}

/* How many are below a value, or not above it. */
static size_t count_below(sorted_samples s, double value, bool with_ties)
{
    size_t low = 0, high = s.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool is_below = with_ties ? s.at[middle] <= value : s.at[middle] < value;
        low = is_below ? middle + 1 : low;
        high = is_below ? high : middle;
    }
    return low;
}

void ranks_of(const double *samples, size_t n, sorted_samples sorted, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] =
            (double)(count_below(sorted, samples[i], false) + count_below(sorted, samples[i], true) + 1) / 2;
}

rank_noise ranks_noise_of_both(rank_noise a, size_t n, rank_noise b, size_t m)
{
    double in_a = a.factor * (double)m, in_b = b.factor * (double)n; /* of means: factor / samples */
    rank_noise both = {(in_a + in_b) / (double)(n + m), INFINITY};
    if (isfinite(a.dof) || isfinite(b.dof)) /* Welch and Satterthwaite */
        both.dof = (in_a + in_b) * (in_a + in_b) / (in_a * in_a / a.dof + in_b * in_b / b.dof);
    return both;
}

/* --- sums of ranks ------------------------------------------------------------------------------------- */

/* Walks both arrays in the order of their values, a group of ties at a time. */
typedef struct tie_walk {
    sorted_samples a, b;
    size_t i, k;           /* samples that are passed */
    size_t from_a, from_b; /* of the group, */
    uint64_t doubled_rank; /* and what each of it counts: twice the mean of its ranks */
} tie_walk;

static bool next_ties(tie_walk *w)
{
    size_t i = w->i += w->from_a, k = w->k += w->from_b;
    if (i == w->a.n && k == w->b.n)
        return false;
    double value = k == w->b.n || (i < w->a.n && w->a.at[i] < w->b.at[k]) ? w->a.at[i] : w->b.at[k];
    while (i < w->a.n && w->a.at[i] <= value)
        i++;
    while (k < w->b.n && w->b.at[k] <= value)
        k++;
    w->doubled_rank = (uint64_t)w->i + w->k + 1 + i + k;
    w->from_a = i - w->i;
    w->from_b = k - w->k;
    return true;
}

/* work[n * RANKS_SUMS + s]: how many choices of n of the samples so far have doubled ranks with a sum of s
 * above n (n + 1), which is the least, that of ranks 1 to n. */
static void begin_ways(double *work)
{
    memset(work, 0, RANKS_WORK * sizeof *work);
    work[0] = 1;
}

/* One more sample that may be chosen: sums rise by its rank, and fall by the least that n ranks have. */
static void add_sample(double *work, size_t chosen, uint64_t doubled_rank)
{
    for (size_t n = chosen; n > 0; n--) {
        int64_t up = (int64_t)doubled_rank - (int64_t)(2 * n);
        double *to = work + n * RANKS_SUMS;
        const double *from = to - RANKS_SUMS;
        int64_t first = up > 0 ? up : 0, end = up < 0 ? RANKS_SUMS + up : RANKS_SUMS;
        for (int64_t sum = first; sum < end; sum++)
            to[sum] += from[sum - up];
    }
}

/* The chance of a sum as far from its mean, n (N + 1), as that of the smaller side. */
static double exact_p(sorted_samples a, sorted_samples b, double *work)
{
    sorted_samples few = a.n <= b.n ? a : b, many = a.n <= b.n ? b : a;
    tie_walk walk = {.a = few, .b = many};
    const double *ways = work + few.n * RANKS_SUMS;
    double sum = 0, all = 0, far = 0, mean = (double)few.n * (double)(few.n + many.n + 1);
    double least = (double)few.n * (double)(few.n + 1);
    begin_ways(work);
    while (next_ties(&walk)) {
        sum += (double)walk.from_a * (double)walk.doubled_rank;
        for (size_t i = 0; i < walk.from_a + walk.from_b; i++)
            add_sample(work, few.n, walk.doubled_rank);
    }
    for (size_t s = 0; s < RANKS_SUMS; s++) {
        all += ways[s];
        far += fabs((double)s + least - mean) >= fabs(sum - mean) ? ways[s] : 0;
    }
    return far / all;
}

double ranks_u(sorted_samples a, sorted_samples b)
{
    tie_walk walk = {.a = a, .b = b};
    double sum = 0, n = (double)a.n;
    while (next_ties(&walk))
        sum += (double)walk.from_a * (double)walk.doubled_rank / 2;
    return sum - n * (n + 1) / 2;
}

/* The ways to choose ranks are those of independent samples. */
static bool is_exact(sorted_samples a, sorted_samples b, rank_noise noise)
{
    return !(noise.factor > 1) && a.n <= RANKS_EXACT_PAIRS && b.n <= RANKS_EXACT_PAIRS &&
           a.n * b.n <= RANKS_EXACT_PAIRS;
}

double ranks_p(sorted_samples a, sorted_samples b, rank_noise noise, double *work)
{
    if (is_exact(a, b, noise))
        return exact_p(a, b, work);
    tie_walk walk = {.a = a, .b = b};
    double n = (double)a.n, m = (double)b.n, all = n + m, sum = 0, ties = 0;
    while (next_ties(&walk)) {
        double t = (double)(walk.from_a + walk.from_b);
        sum += (double)walk.from_a * (double)walk.doubled_rank / 2;
        ties += t * t * t - t;
    }
    double variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)));
    double away = fabs(sum - n * (all + 1) / 2) - 0.5, z = away / sqrt(variance * noise.factor);
    if (!(variance > 0 && away > 0))
        return 1;
    /* Where the variance is an estimate, Student's distribution. */
    return fmin(1, 2 * (isfinite(noise.dof) ? gsl_cdf_tdist_Q(z, noise.dof) : gsl_cdf_ugaussian_Q(z)));
}

/* --- differences of pairs ------------------------------------------------------------------------------ */

/* The largest k with P(U < k) <= 2.5 % where there are no ties; 0: there is none. */
static uint64_t order_of_interval(sorted_samples a, sorted_samples b, rank_noise noise, double *work)
{
    double n = (double)a.n, m = (double)b.n, below = 0, all = 0;
    if (!is_exact(a, b, noise)) {
        double z = isfinite(noise.dof) ? gsl_cdf_tdist_Qinv(RANKS_TAIL, noise.dof)
                                       : gsl_cdf_ugaussian_Qinv(RANKS_TAIL);
        double k = n * m / 2 + 0.5 - z * sqrt(noise.factor * n * m * (n + m + 1) / 12);
        return k >= 1 ? (uint64_t)k : 0;
    }
    size_t chosen = a.n < b.n ? a.n : b.n, u = 0;
    const double *ways = work + chosen * RANKS_SUMS;
    begin_ways(work);
    for (size_t rank = 1; rank <= a.n + b.n; rank++)
        add_sample(work, chosen, 2 * rank);
    for (size_t s = 0; s < RANKS_SUMS; s++)
        all += ways[s];
    while (below + ways[2 * u] <= RANKS_TAIL * all)
        below += ways[2 * u++];
    return u;
}

/* How many pairs differ by limit or less; *next: the smallest difference above it. */
static uint64_t pairs_up_to(sorted_samples a, sorted_samples b, double limit, double *next)
{
    uint64_t pairs = 0;
    size_t i = 0;
    *next = INFINITY;
    for (size_t k = 0; k < b.n; k++) {
        while (i < a.n && b.at[k] - a.at[i] > limit)
            i++;
        pairs += a.n - i;
        *next = i ? fmin(*next, b.at[k] - a.at[i - 1]) : *next;
    }
    return pairs;
}

/* The order-th smallest difference, from 1 on: above low, which too few pairs do not exceed, and up to high.
 * Steps halve the range until no other difference lies in it. */
static double difference_of(sorted_samples a, sorted_samples b, uint64_t order)
{
    enum { MOST_STEPS = 64 };
    double low = nextafter(b.at[0] - a.at[a.n - 1], -INFINITY), high = b.at[b.n - 1] - a.at[0], next, above;
    (void)pairs_up_to(a, b, low, &next);
    for (int step = 0; step < MOST_STEPS && next < high; step++) {
        double middle = fmax(next, low + (high - low) / 2);
        middle = middle < high ? middle : next;
        if (pairs_up_to(a, b, middle, &above) < order) {
            low = middle;
            next = above;
        } else {
            high = middle;
        }
    }
    return next;
}

rank_shift ranks_shift(sorted_samples a, sorted_samples b, rank_noise noise, double *work)
{
    uint64_t pairs = (uint64_t)a.n * b.n, order = order_of_interval(a, b, noise, work);
    double median = difference_of(a, b, (pairs + 1) / 2);
    rank_shift shift = {median, {NAN, NAN}};
    if (pairs % 2 == 0)
        shift.value = (median + difference_of(a, b, pairs / 2 + 1)) / 2;
    if (order) {
        shift.ci95[0] = difference_of(a, b, order);
        shift.ci95[1] = difference_of(a, b, pairs + 1 - order);
    }
    return shift;
}
