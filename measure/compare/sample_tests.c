#include "measure/compare/sample_tests.h"
#include "measure/compare/ranks.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

/* The mean of fewer samples has no interval: times have no normal distribution. */
enum { MEAN_SAMPLES = 10 };

/* The square of 1 + 1.28 / 1.96: nine of ten intervals end that much closer to the ratio. */
#define SURE_RATIO 2.73

/* Distances of samples below that, relative to them, are none of a clock. */
#define SAME_RATIO 1e-9

static const roof_compared_statistic unknown = {NAN, NAN, NAN, {NAN, NAN}, NAN, false};

void sample_tests_none(roof_compared *out)
{
    out->p = out->difference_ci95_s[0] = out->difference_ci95_s[1] = NAN;
    out->ratio_ci95[0] = out->ratio_ci95[1] = NAN;
    out->mean = out->tail = unknown;
    out->tail_quantile = out->a_effective = out->b_effective = out->tick_s = NAN;
}

/* --- a side --------------------------------------------------------------------------------------------- */

typedef struct side {
    const double *samples; /* in their order */
    double executions, mean_s, std_s;
    sorted_samples sorted; /* of inferences */
    double *sorted_s, *work;
    rank_noise noise[ROOF_COMPARED_STATISTICS];
    double at, low, high; /* the quantile of the tail, and its limits */
} side;

static side begin_side(sample_side of, double *sorted_s, double *work)
{
    /* An autocorrelation counts if it exceeds so many deviations, 1 / sqrt(n): that of all samples at 1 %;
     * that of places behind a quantile, which are few and may be neighbours by chance, more clearly. */
    static const double alike_clear = 2.33, places_clear = 3;
    const roof_times *t = of.times;
    side s = {.samples = t->samples_s,
              .executions = of.executions,
              .mean_s = of.executions * t->mean_s,
              .std_s = of.executions * t->std_s,
              .sorted = {sorted_s, (size_t)t->count},
              .sorted_s = sorted_s,
              .work = work};
    memcpy(sorted_s, t->samples_s, (size_t)(t->count * sizeof *sorted_s));
    ORDER_VALUES(sorted_s, (size_t)t->count);
    for (roof_statistic_kind k = ROOF_COMPARED_TYPICAL; k < ROOF_COMPARED_STATISTICS; k++)
        s.noise[k] = (rank_noise){1, INFINITY};
    if (!ranks_have_order(s.samples, (size_t)t->count))
        return s;
    s.noise[ROOF_COMPARED_MEAN] = ranks_noise(s.samples, (size_t)t->count);
    ranks_of(s.samples, (size_t)t->count, s.sorted, work);
    s.noise[ROOF_COMPARED_TYPICAL] = ranks_noise(work, (size_t)t->count);
    double limit =
               gsl_stats_quantile_from_sorted_data(sorted_s, 1, (size_t)t->count, ROOF_COMPARE_TAIL_QUANTILE),
           deviation = 1 / sqrt((double)t->count);
    bool is_alike = ranks_correlation(work, (size_t)t->count) > alike_clear * deviation;
    for (uint64_t i = 0; i < t->count; i++)
        work[i] = s.samples[i] > limit;
    if (ranks_correlation(work, (size_t)t->count) > places_clear * deviation)
        s.noise[ROOF_COMPARED_TAIL] = ranks_noise(work, (size_t)t->count);
    if (is_alike && s.noise[ROOF_COMPARED_TYPICAL].factor > s.noise[ROOF_COMPARED_TAIL].factor)
        s.noise[ROOF_COMPARED_TAIL] = s.noise[ROOF_COMPARED_TYPICAL];
    return s;
}

static double effective(const side *s, roof_statistic_kind kind)
{
    return (double)s->sorted.n / s->noise[kind].factor;
}

/* --- the typical inference ------------------------------------------------------------------------------ */

static void test_typical(const side *a, const side *b, double *ways, roof_compared *out)
{
    rank_noise noise = ranks_noise_of_both(a->noise[ROOF_COMPARED_TYPICAL], a->sorted.n,
                                           b->noise[ROOF_COMPARED_TYPICAL], b->sorted.n);
    rank_shift shift = ranks_shift(a->sorted, b->sorted, noise, ways);
    out->test = ROOF_TEST_RANKS;
    out->p = ranks_p(a->sorted, b->sorted, noise, ways);
    out->difference_s = shift.value;
    memcpy(out->difference_ci95_s, shift.ci95, sizeof shift.ci95);
    out->ratio = NAN;
    if (!(a->sorted.at[0] > 0 && b->sorted.at[0] > 0))
        return;
    for (size_t i = 0; i < a->sorted.n; i++)
        a->work[i] = log(a->sorted.at[i]);
    for (size_t i = 0; i < b->sorted.n; i++)
        b->work[i] = log(b->sorted.at[i]);
    shift = ranks_shift((sorted_samples){a->work, a->sorted.n}, (sorted_samples){b->work, b->sorted.n}, noise,
                        ways);
    out->ratio = quotient_of(exp(shift.value), 1);
    out->ratio_ci95[0] = exp(shift.ci95[0]);
    out->ratio_ci95[1] = exp(shift.ci95[1]);
}

/* --- the mean ------------------------------------------------------------------------------------------- */

/* A mean, and the variance of it with its degrees of freedom. */
typedef struct moment {
    double mean_s, variance, dof;
} moment;

static roof_compared_statistic compare_means(moment a, moment b, double difference_ci95_s[2])
{
    roof_compared_statistic found = {
        .a_s = a.mean_s, .b_s = b.mean_s, .ratio = quotient_of(b.mean_s, a.mean_s), .p = NAN};
    double difference = b.mean_s - a.mean_s, both = a.variance + b.variance;
    double dof = both * both / (a.variance * a.variance / a.dof + b.variance * b.variance / b.dof);
    found.ratio_ci95[0] = found.ratio_ci95[1] = NAN;
    if (!(dof > 0)) /* squares of what is next to nothing */
        return found;
    double t95 = gsl_cdf_tdist_Pinv(1 - RANKS_TAIL, dof), half = t95 * sqrt(both);
    double log_half = t95 * sqrt(a.variance / (a.mean_s * a.mean_s) + b.variance / (b.mean_s * b.mean_s));
    found.p = 2 * gsl_cdf_tdist_Q(fabs(difference) / sqrt(both), dof);
    difference_ci95_s[0] = difference - half;
    difference_ci95_s[1] = difference + half;
    found.ratio_ci95[0] = found.ratio * exp(-log_half);
    found.ratio_ci95[1] = found.ratio * exp(log_half);
    return found;
}

/* variance: of a sample, with the noise of the side. */
static moment moment_of(const side *s, double variance)
{
    double n = (double)s->sorted.n;
    return (moment){s->mean_s, variance / n, fmin(n - 1, s->noise[ROOF_COMPARED_MEAN].dof)};
}

static void test_means(const side *a, const side *b, roof_compared *out)
{
    double unused[2];
    if (a->sorted.n < MEAN_SAMPLES || b->sorted.n < MEAN_SAMPLES || !(a->mean_s > 0 && b->mean_s > 0) ||
        !(a->std_s > 0 || b->std_s > 0))
        return;
    const double x = a->noise[ROOF_COMPARED_MEAN].factor, y = b->noise[ROOF_COMPARED_MEAN].factor;
    out->mean =
        compare_means(moment_of(a, x * a->std_s * a->std_s), moment_of(b, y * b->std_s * b->std_s), unused);
    /* How often a random split of all samples has means as far apart. The variance is that of all samples: a
     * side may have no slow one by chance. */
    double n = (double)a->sorted.n, m = (double)b->sorted.n, difference = b->mean_s - a->mean_s;
    double squares = (n - 1) * a->std_s * a->std_s + (m - 1) * b->std_s * b->std_s +
                     n * m / (n + m) * difference * difference;
    double variance = squares / (n + m - 1);
    out->mean.p = compare_means(moment_of(a, variance * x), moment_of(b, variance * y), unused).p;
}

/* --- the tail ------------------------------------------------------------------------------------------- */

/* How many samples have to be behind an upper limit at most, and from a lower one on at least. Clopper and
 * Pearson tell how sure it is that a share of all inferences, or less or more, is behind a sample. */
static size_t behind_limit(const side *s, double share, bool is_upper)
{
    const double all = effective(s, ROOF_COMPARED_TAIL), factor = s->noise[ROOF_COMPARED_TAIL].factor;
    size_t low = 0, high = s->sorted.n - is_upper;
    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        const double behind = (double)middle / factor;
        const double sure = is_upper ? gsl_cdf_beta_P(share, behind + 1, all - behind)
                                     : gsl_cdf_beta_Q(share, behind, all - behind + 1);
        if ((sure >= 1 - RANKS_TAIL) == is_upper)
            low = middle;
        else
            high = middle;
    }
    return is_upper ? low : high;
}

/* The lowest sample that is an upper limit, and the highest that is a lower one. */
static void limit_tail(side *s, double share)
{
    const size_t n = s->sorted.n;
    s->high = s->sorted.at[n - 1 - behind_limit(s, share, true)];
    s->low = s->sorted.at[n - behind_limit(s, share, false)];
    s->at = gsl_stats_quantile_from_sorted_data(s->sorted.at, 1, n, 1 - share);
    s->high = fmax(s->high, s->at);
    s->low = fmin(s->low, s->at);
}

/* How many of a side are above a value. */
static size_t count_above(sorted_samples s, double value)
{
    size_t i = s.n;
    while (i > 0 && s.at[i - 1] > value)
        i--;
    return s.n - i;
}

/* Fisher's test of how many samples of each side are among the slowest of both. */
static double tail_p(const side *a, const side *b, double share)
{
    size_t i = a->sorted.n, k = b->sorted.n, most = (size_t)ceil(share * (double)(i + k));
    double limit = INFINITY;
    for (size_t n = 0; n <= most; n++)
        limit =
            !k || (i && a->sorted.at[i - 1] > b->sorted.at[k - 1]) ? a->sorted.at[--i] : b->sorted.at[--k];
    const double x = a->noise[ROOF_COMPARED_TAIL].factor, y = b->noise[ROOF_COMPARED_TAIL].factor;
    unsigned of_a = (unsigned)((double)count_above(a->sorted, limit) / x + 0.5),
             of_b = (unsigned)((double)count_above(b->sorted, limit) / y + 0.5),
             n = (unsigned)effective(a, ROOF_COMPARED_TAIL), m = (unsigned)effective(b, ROOF_COMPARED_TAIL);
    double up = of_b ? gsl_cdf_hypergeometric_Q(of_b - 1, m, n, of_a + of_b) : 1;
    return fmin(1, 2 * fmin(up, gsl_cdf_hypergeometric_P(of_b, m, n, of_a + of_b)));
}

static void test_tails(side *x, side *y, roof_compared *out)
{
    double fewest = fmin(effective(x, ROOF_COMPARED_TAIL), effective(y, ROOF_COMPARED_TAIL));
    if (fewest < ROOF_COMPARE_SAMPLES || !(x->sorted.at[0] > 0 && y->sorted.at[0] > 0))
        return;
    /* A hair above, so that the slowest sample is a limit in spite of rounding. */
    double share = fmax(1 - ROOF_COMPARE_TAIL_QUANTILE, 1 - pow(RANKS_TAIL, 1 / fewest) + SAME_RATIO);
    limit_tail(x, share);
    limit_tail(y, share);
    double ratio = log(y->at / x->at), above = hypot(log(y->high / y->at), log(x->at / x->low)),
           below = hypot(log(y->at / y->low), log(x->high / x->at));
    out->tail_quantile = 1 - share;
    out->slow = count_above(y->sorted, ROOF_COMPARE_RESOLUTION_RATIO * x->at);
    out->tail = (roof_compared_statistic){x->at,
                                          y->at,
                                          quotient_of(y->at, x->at),
                                          {exp(ratio - below), exp(ratio + above)},
                                          tail_p(x, y, share),
                                          false};
}

/* --- samples, and moments ------------------------------------------------------------------------------- */

static uint64_t count_zeros(sorted_samples s)
{
    uint64_t zeros = 0;
    while (zeros < s.n && s.at[zeros] <= 0)
        zeros++;
    return zeros;
}

static double least_distance(sorted_samples a, sorted_samples b)
{
    double least = INFINITY, last = fmin(a.at[0], b.at[0]);
    for (size_t i = 0, k = 0; i < a.n || k < b.n;) {
        double next = k == b.n || (i < a.n && a.at[i] <= b.at[k]) ? a.at[i++] : b.at[k++];
        if (next - last > SAME_RATIO * next)
            least = fmin(least, next - last);
        last = next;
    }
    return least;
}

static bool is_same(sample_side a, sample_side b)
{
    enum { SAME_SAMPLES = 5 }; /* two equal series of so many samples are one and the same */
    uint64_t n = a.times->count;
    return n == b.times->count && n >= SAME_SAMPLES && a.times->max_s > a.times->min_s &&
           memcmp(a.times->samples_s, b.times->samples_s, (size_t)(n * sizeof *a.times->samples_s)) == 0;
}

static roof_status test_samples(sample_side a, sample_side b, roof_compared *out, roof_error *err)
{
    size_t n = (size_t)a.times->count, m = (size_t)b.times->count;
    double *ways = malloc((RANKS_WORK + 2 * (n + m)) * sizeof *ways), *work = ways + RANKS_WORK;
    TRY(ALLOCATED(ways, err));
    side x = begin_side(a, work, work + n + m), y = begin_side(b, work + n, work + 2 * n + m);
    for (size_t i = 0; i < n; i++)
        x.sorted_s[i] *= x.executions;
    for (size_t i = 0; i < m; i++)
        y.sorted_s[i] *= y.executions;
    out->a_s = a.executions * a.times->median_s;
    out->b_s = b.executions * b.times->median_s;
    out->zeros = count_zeros(x.sorted) + count_zeros(y.sorted);
    out->tick_s = least_distance(x.sorted, y.sorted);
    out->is_same = is_same(a, b);
    out->a_effective = effective(&x, ROOF_COMPARED_TYPICAL);
    out->b_effective = effective(&y, ROOF_COMPARED_TYPICAL);
    test_typical(&x, &y, ways, out);
    test_means(&x, &y, out);
    test_tails(&x, &y, out);
    free(ways);
    return ROOF_OK;
}

/* A deviation of nothing is one that the tool did not print. */
static bool has_moments(sample_side of)
{
    const roof_times *t = of.times;
    return t && t->mean_s > 0 && t->std_s > 0 && t->count != ROOF_UNKNOWN && t->count > 1;
}

static moment stated_moment(sample_side of)
{
    double n = (double)of.times->count;
    return (moment){of.executions * of.times->mean_s, pow(of.executions * of.times->std_s, 2) / n, n - 1};
}

static void test_moments(sample_side a, sample_side b, roof_compared *out)
{
    double ci95_s[2];
    if (!has_moments(a) || !has_moments(b))
        return;
    roof_compared_statistic found = compare_means(stated_moment(a), stated_moment(b), ci95_s);
    if (isnan(found.p))
        return;
    out->test = ROOF_TEST_WELCH;
    out->p = found.p;
    memcpy(out->difference_ci95_s, ci95_s, sizeof ci95_s);
    memcpy(out->ratio_ci95, found.ratio_ci95, sizeof found.ratio_ci95);
}

/* Ranges that are apart: all of one side are slower by chance once in (n + m)! / (n! m!) draws. */
static void test_ranges(sample_side a, sample_side b, roof_compared *out)
{
    const roof_times *both[] = {a.times, b.times};
    for (size_t i = 0; i < N_OF(both); i++)
        if (!both[i] || !(both[i]->min_s > 0) || !(both[i]->max_s > both[i]->min_s) ||
            both[i]->count == ROOF_UNKNOWN || both[i]->count < 2)
            return;
    double n = (double)a.times->count, m = (double)b.times->count;
    double low = b.executions * b.times->min_s / (a.executions * a.times->max_s),
           high = b.executions * b.times->max_s / (a.executions * a.times->min_s);
    bool are_apart = low > 1 || high < 1;
    out->test = ROOF_TEST_RANGES;
    out->p = are_apart ? fmin(1, 2 * exp(lgamma(n + 1) + lgamma(m + 1) - lgamma(n + m + 1))) : 1;
    out->ratio_ci95[0] = low;
    out->ratio_ci95[1] = high;
}

roof_status sample_tests_make(sample_side a, sample_side b, roof_compared *out, roof_error *err)
{
    const roof_times *s = a.times, *t = b.times;
    if (s && t && s->samples_s && t->samples_s && s->count && t->count)
        return test_samples(a, b, out, err);
    test_moments(a, b, out);
    if (out->test == ROOF_TEST_NONE)
        test_ranges(a, b, out);
    return ROOF_OK;
}

/* --- what they decide ----------------------------------------------------------------------------------- */

static roof_compared_statistic statistic_of(const roof_compared *row, roof_statistic_kind kind)
{
    if (kind != ROOF_COMPARED_TYPICAL)
        return kind == ROOF_COMPARED_MEAN ? row->mean : row->tail;
    return (roof_compared_statistic){row->a_s,   row->b_s,
                                     row->ratio, {row->ratio_ci95[0], row->ratio_ci95[1]},
                                     row->p,     row->is_typical_shown};
}

/* Up to two digits. */
static uint64_t round_up(double samples)
{
    double digit = pow(10, fmax(floor(log10(samples)) - 1, 0));
    return samples < 1e9 ? (uint64_t)(digit * ceil(samples / digit - 1e-9)) : ROOF_UNKNOWN;
}

/* How many samples make the interval end this side of a limit. Limits of a tail jump from sample to sample,
 * so its share tells how many. */
static double samples_for(const roof_compared *row, roof_statistic_kind kind, double limit)
{
    const roof_compared_statistic found = statistic_of(row, kind);
    if (kind == ROOF_COMPARED_TAIL) {
        double slow = ((double)row->slow + 1) / ((double)row->b_count + 2),
               share = 1 - ROOF_COMPARE_TAIL_QUANTILE;
        double distance = fmax(fabs(slow - share), share / 4), z = gsl_cdf_ugaussian_Qinv(RANKS_TAIL);
        return z * z * slow * (1 - slow) / (distance * distance) * SURE_RATIO;
    }
    double n = 2 / (1 / (double)row->a_count + 1 / (double)row->b_count), ratio = log(found.ratio);
    double distance = fmax(fabs(log(limit) - ratio), log(limit) / 2);
    double half = ratio < log(limit) ? log(found.ratio_ci95[1]) - ratio : ratio - log(found.ratio_ci95[0]);
    return n * half * half / (distance * distance) * SURE_RATIO;
}

static roof_decided decided_by(const roof_compared *row, roof_statistic_kind kind, roof_held is)
{
    roof_compared_statistic found = statistic_of(row, kind);
    return (roof_decided){
        is, ROOF_UNDECIDED_NOT, kind, found.ratio, {found.ratio_ci95[0], found.ratio_ci95[1]}, 0};
}

static roof_decided undecided(const roof_compared *row, roof_statistic_kind kind, roof_undecided_reason why,
                              uint64_t samples)
{
    roof_decided d = decided_by(row, kind, ROOF_HELD_NOT_KNOWN);
    d.why = why;
    d.samples = samples;
    return d;
}

static bool is_beyond(const roof_compared *row, roof_statistic_kind kind, double limit)
{
    return statistic_of(row, kind).ratio_ci95[1] > limit;
}

/* limit: where intervals have to end. */
static roof_decided decide_within(const roof_compared *row, double limit)
{
    static const double clearly_alike = 1.5;
    const double fewest = fmin((double)row->a_count, (double)row->b_count);
    const bool are_few = fewest < ROOF_COMPARE_SAMPLES; /* also to tell whether they are alike */
    /* how many samples are worth one, where that is more than chance makes of independent ones */
    double alike = fmax((double)row->a_count / row->a_effective, (double)row->b_count / row->b_effective);
    alike = !are_few && row->test == ROOF_TEST_RANKS && alike > clearly_alike ? alike : 1;
    /* how many samples of each side decide what these do not: one that is above, or all that may be */
    double for_all = 0, for_one = INFINITY;
    for (roof_statistic_kind k = ROOF_COMPARED_TYPICAL; k < ROOF_COMPARED_STATISTICS; k++) {
        if (!is_beyond(row, k, limit))
            continue;
        double one = samples_for(row, k, limit);
        for_all = fmax(for_all, one);
        for_one = statistic_of(row, k).ratio > limit ? fmin(for_one, one) : for_one;
    }
    const uint64_t samples =
        round_up(fmax(fmax(ROOF_COMPARE_SAMPLES * alike, fewest + 1), isfinite(for_one) ? for_one : for_all));
    roof_statistic_kind kind =
        ROOF_COMPARED_TYPICAL; /* the one whose interval ends last, or the first that is beyond the limit */
    for (roof_statistic_kind k = ROOF_COMPARED_MEAN; k < ROOF_COMPARED_STATISTICS; k++)
        if (statistic_of(row, k).ratio_ci95[1] > statistic_of(row, kind).ratio_ci95[1])
            kind = k;
    bool is_wide = is_beyond(row, kind, limit);
    for (roof_statistic_kind k = ROOF_COMPARED_STATISTICS; k-- > ROOF_COMPARED_TYPICAL;)
        kind = is_beyond(row, k, limit) ? k : kind;
    if (are_few)
        return undecided(row, kind, ROOF_UNDECIDED_FEW, samples);
    if (row->test == ROOF_TEST_RANKS && isnan(row->tail.ratio))
        return undecided(row, kind, ROOF_UNDECIDED_ALIKE, samples);
    if (row->tick_s > (limit - 1) * row->a_s)
        return undecided(row, kind, ROOF_UNDECIDED_TICK, ROOF_UNKNOWN);
    return is_wide ? undecided(row, kind, ROOF_UNDECIDED_WIDE, samples)
                   : decided_by(row, kind, ROOF_HELD_KEPT);
}

/* With a factor of 1 that a difference is shown says so. */
bool sample_tests_is_above(const roof_compared *row, roof_statistic_kind kind, double factor)
{
    roof_compared_statistic found = statistic_of(row, kind);
    return found.is_shown && found.ratio > factor && (!(factor > 1) || found.ratio_ci95[0] > factor);
}

/* A factor below 1 has to be reached: by typical inference and mean, where the tail does not get slower. */
static roof_decided decide_improvement(const roof_compared *row, double factor)
{
    const double fewest = fmin((double)row->a_count, (double)row->b_count);
    roof_statistic_kind wide = ROOF_COMPARED_STATISTICS;
    for (roof_statistic_kind k = ROOF_COMPARED_TYPICAL; k <= ROOF_COMPARED_MEAN; k++) {
        const roof_compared_statistic found = statistic_of(row, k);
        if (found.ratio_ci95[0] > factor)
            return decided_by(row, k, ROOF_HELD_BROKEN);
        if (wide == ROOF_COMPARED_STATISTICS && !(found.ratio_ci95[1] <= factor) && !isnan(found.ratio))
            wide = k;
    }
    if (sample_tests_is_above(row, ROOF_COMPARED_TAIL, 1))
        return decided_by(row, ROOF_COMPARED_TAIL, ROOF_HELD_BROKEN);
    if (fewest < ROOF_COMPARE_SAMPLES)
        return undecided(row, ROOF_COMPARED_TYPICAL, ROOF_UNDECIDED_FEW, ROOF_COMPARE_SAMPLES);
    if (wide == ROOF_COMPARED_STATISTICS)
        return decided_by(row, ROOF_COMPARED_TYPICAL, ROOF_HELD_KEPT);
    const roof_compared_statistic found = statistic_of(row, wide);
    double n = samples_for(row, wide, factor);
    return undecided(row, wide, ROOF_UNDECIDED_WIDE,
                     isfinite(n) && found.ratio < factor ? round_up(fmax(n, fewest + 1)) : ROOF_UNKNOWN);
}

roof_decided roof_compared_decide(const roof_compared *row, double factor)
{
    bool is_exact = row->test == ROOF_TEST_EXACT, is_range = !row->zeros && row->test == ROOF_TEST_RANGES;
    bool is_within = false, is_above = false;
    if (is_exact) {
        is_within = factor < 1 ? row->ratio <= factor : !row->is_shown || !(row->ratio > factor);
        is_above = !is_within;
    } else if (is_range) { /* every inference lies in its range, and so do ratios */
        is_within = row->ratio_ci95[1] <= factor;
        is_above = row->ratio_ci95[0] > factor && (factor < 1 || row->is_shown);
    }
    if (is_within || is_above)
        return decided_by(row, ROOF_COMPARED_TYPICAL, is_within ? ROOF_HELD_KEPT : ROOF_HELD_BROKEN);
    roof_undecided_reason why = row->zeros                    ? ROOF_UNDECIDED_ZEROS
                                : row->test == ROOF_TEST_NONE ? ROOF_UNDECIDED_UNTESTED
                                : is_range                    ? ROOF_UNDECIDED_RANGES
                                : row->is_same                ? ROOF_UNDECIDED_SAME
                                                              : ROOF_UNDECIDED_NOT;
    if (why != ROOF_UNDECIDED_NOT)
        return undecided(row, ROOF_COMPARED_TYPICAL, why, ROOF_UNKNOWN);
    if (factor < 1)
        return decide_improvement(row, factor);
    for (roof_statistic_kind k = ROOF_COMPARED_TYPICAL; k < ROOF_COMPARED_STATISTICS; k++)
        if (sample_tests_is_above(row, k, factor))
            return decided_by(row, k, ROOF_HELD_BROKEN);
    return decide_within(row, factor > 1 ? factor : ROOF_COMPARE_RESOLUTION_RATIO);
}

/* The same row, A and B the other way round, as far as a decision needs it. */
static roof_compared turned(const roof_compared *row)
{
    roof_compared t = *row;
    t.a_count = row->b_count;
    t.b_count = row->a_count;
    t.a_s = row->b_s;
    t.ratio = 1 / row->ratio;
    t.ratio_ci95[0] = 1 / row->ratio_ci95[1];
    t.ratio_ci95[1] = 1 / row->ratio_ci95[0];
    roof_compared_statistic *turned_of[] = {&t.mean, &t.tail};
    for (size_t i = 0; i < N_OF(turned_of); i++) {
        const roof_compared_statistic found = *turned_of[i];
        turned_of[i]->ratio = 1 / found.ratio;
        turned_of[i]->ratio_ci95[0] = 1 / found.ratio_ci95[1];
        turned_of[i]->ratio_ci95[1] = 1 / found.ratio_ci95[0];
    }
    return t;
}

bool sample_tests_is_decided(const roof_compared *row, roof_decided *why_not)
{
    *why_not = roof_compared_decide(row, 1);
    if (row->zeros)
        return false;
    if (row->is_shown || row->test == ROOF_TEST_EXACT || why_not->is != ROOF_HELD_KEPT)
        return row->is_shown || row->test == ROOF_TEST_EXACT;
    const roof_compared back = turned(row);
    roof_decided d = roof_compared_decide(&back, 1);
    if (d.is != ROOF_HELD_NOT_KNOWN)
        return true;
    *why_not = undecided(row, d.look, d.why, d.samples);
    return false;
}

/* --- in words ------------------------------------------------------------------------------------------- */

const char *sample_tests_name(roof_arena *arena, const roof_compared *row, roof_statistic_kind kind)
{
    if (kind == ROOF_COMPARED_TAIL)
        return arena_printf(arena, "P%.0f", floor(100 * row->tail_quantile + SAME_RATIO));
    return kind == ROOF_COMPARED_MEAN || row->test == ROOF_TEST_WELCH ? "mean" : "typical inference";
}

/* "mean 0.970 to 1.750, P95 0.990 to 9.819" */
static const char *list_beyond(roof_arena *arena, const roof_compared *row, double factor)
{
    double limit = factor > 1 ? factor : ROOF_COMPARE_RESOLUTION_RATIO;
    const char *list = "";
    for (roof_statistic_kind k = ROOF_COMPARED_TYPICAL; list && k < ROOF_COMPARED_STATISTICS; k++) {
        const roof_compared_statistic found = statistic_of(row, k);
        if (!(found.ratio_ci95[1] > limit || found.ratio_ci95[0] < 1 / limit))
            continue;
        const char *high =
            isfinite(found.ratio_ci95[1]) ? arena_printf(arena, "to %.3f", found.ratio_ci95[1]) : "and more";
        list = high ? arena_printf(arena, "%s%s%s %.3f %s", list, *list ? ", " : "",
                                   sample_tests_name(arena, row, k), found.ratio_ci95[0], high)
                    : NULL;
    }
    return list;
}

const char *sample_tests_say_undecided(roof_arena *arena, const roof_compared *row, const roof_decided *d,
                                       double factor)
{
    const char *needed = ""; /* "about 120 samples of each are needed, " */
    if (d->samples != ROOF_UNKNOWN)
        needed = arena_printf(arena, "%s%" PRIu64 " samples of each are needed, ",
                              d->samples > ROOF_COMPARE_SAMPLES ? "about " : "", d->samples);
    const uint64_t a = row->a_count, b = row->b_count;
    if (!needed)
        return NULL;
    switch (d->why) {
    case ROOF_UNDECIDED_UNTESTED:
        return "neither samples nor mean, deviation and count on both sides";
    case ROOF_UNDECIDED_RANGES:
        return "minimum and maximum alone, and these overlap; keep the time of each inference";
    case ROOF_UNDECIDED_SAME:
        return "both have the same samples: it is one measurement; give two";
    case ROOF_UNDECIDED_ZEROS:
        return arena_printf(arena, "%" PRIu64 " samples are 0 s, which nothing takes; use a finer clock",
                            row->zeros);
    case ROOF_UNDECIDED_TICK:
        return isinf(row->tick_s) ? "all samples are equal: the clock is too coarse"
                                  : arena_printf(arena, "the clock's tick is %.2g %% of it; use a finer one",
                                                 100 * row->tick_s / row->a_s);
    case ROOF_UNDECIDED_FEW:
        return arena_printf(arena, "%s%" PRIu64 " and %" PRIu64 " cannot tell", needed, a, b);
    case ROOF_UNDECIDED_ALIKE:
        return arena_printf(arena,
                            "%s%" PRIu64 " and %" PRIu64
                            " count as %.0f and %.0f: those that follow one another are alike",
                            needed, a, b, fmax(floor(row->a_effective), 1), fmax(floor(row->b_effective), 1));
    default: {
        const char *list = list_beyond(arena, row, factor);
        return list
                   ? arena_printf(arena, "%s%" PRIu64 " and %" PRIu64 " leave %s (95 %%)", needed, a, b, list)
                   : NULL;
    }
    }
}
