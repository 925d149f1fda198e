/* The order of samples tells of a warm-up, then of one of a trend, a step, two modes, rare slow ones, or
 * nothing. */
#include "core/core.h"
#include "roofline/statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

/* Samples that either of two modes has at least. */
enum { MODE_SAMPLES = 10 };

/* Blocks, and pairs of them. */
enum { MOST_BLOCKS = 64, MOST_PAIRS = MOST_BLOCKS * (MOST_BLOCKS - 1) / 2 };

/* Makes the median absolute deviation an estimate of a normal standard deviation. */
#define MEDIAN_ABS_TO_STD 1.4826

/* The most that a line or a step may leave of the absolute deviation of the blocks, so that noise with a
 * memory is neither; and a step, of what a line leaves, to be preferred to it. */
#define EXPLAINS_RATIO    0.7
#define STEP_BEFORE_TREND 0.8

/* For modes: deviations between them, the share of the samples that one has at least, and that lies between
 * them at most. For samples: the share at either end where outliers are, and that a warm-up has at most,
 * where it is one level and where it falls. For a change: the clock's ticks, and deviations that are clear of
 * noise. Values nearer than SAME_RATIO are one reading of the clock. */
#define MODES_APART    8.0
#define MODE_SHARE     0.1
#define BETWEEN_SHARE  0.02
#define TAIL_SHARE     0.05
#define WARM_UP_SHARE  0.25
#define TICKS          3.0
#define CLEAR_OF_NOISE 3.0
#define SAME_RATIO     1e-9

/* Rare slow samples: so many at least, further from the median than all others by this factor, which a tail
 * that falls off with the power p alone has in 4^-3p of the series; and how far those of one amount are
 * apart, of what they take more. */
enum { RARE_SAMPLES = 3 };
#define RARE_GAP    4.0
#define ALIKE_RATIO 0.2

/* Samples behind the warm-up. */
typedef struct series {
    const double *samples;
    double *sorted, *work; /* as many in ascending order; as many, and MOST_PAIRS at least, to work in */
    size_t n;
    double median, least; /* least: what counts as a change */
} series;

static double median_of(double *values, size_t n)
{
    gsl_sort(values, 1, n);
    return gsl_stats_median_from_sorted_data(values, 1, n);
}

/* The median of samples, by a copy of them in work. */
static double median_in(double *work, const double *samples, size_t n)
{
    memcpy(work, samples, n * sizeof *work);
    return median_of(work, n);
}

/* A standard deviation by the median absolute one. */
static double deviation_in(double *work, const double *samples, size_t n, double median)
{
    for (size_t i = 0; i < n; i++)
        work[i] = fabs(samples[i] - median);
    return MEDIAN_ABS_TO_STD * median_of(work, n);
}

/* --- warm-up ------------------------------------------------------------------------------------------ */

/* How often k more samples like the rest are as slow, by a tail above their median that falls off
 * exponentially, as delays do, and slower than a normal one. Where n excesses that add up to e tell its
 * scale, excesses that add up to more have the chance (1 + more / e)^-n; one of them is spent on the
 * median. */
static double chance_of_slow(const double *slow, size_t k, const double *rest, size_t n, double median)
{
    double excess = 0, more = 0;
    size_t above = 0;
    for (size_t i = 0; i < k; i++)
        more += slow[i] - median;
    for (size_t i = 0; i < n; i++)
        if (rest[i] > median) {
            excess += rest[i] - median;
            above++;
        }
    return above ? pow(0.5, (double)k) * pow(1 + more / excess, 1 - (double)above) : 0;
}

static size_t count_above(const double *samples, size_t n, double limit)
{
    size_t above = 0;
    for (size_t i = 0; i < n; i++)
        above += samples[i] > limit;
    return above;
}

/* True if samples fall towards their end: the first half is slower than the second by more than noise. */
static bool is_falling(const double *samples, size_t n, double noise)
{
    const size_t half = n / 2;
    double fall = half ? gsl_stats_mean(samples, 1, half) - gsl_stats_mean(samples + n - half, 1, half) : 0;
    return fall > CLEAR_OF_NOISE * noise && fall > 0;
}

/* How many samples at the beginning are a warm-up. */
static size_t find_warm_up(const series *s)
{
    /* Few samples have one test, of the first against the others, instead of thousands of rows with five. */
    static const double few_level = 0.015;
    const double *x = s->samples, level = s->n < ROOF_MIN_SERIES_SAMPLES ? few_level : ROOF_SERIES_LEVEL;
    size_t half = s->n / 2, k = 0;
    double median = median_in(s->work, x + half, s->n - half), slow = INFINITY;
    double noise = deviation_in(s->work, x + half, s->n - half, median);
    double limit = median + fmax(CLEAR_OF_NOISE * noise, ROOF_SERIES_CHANGE_RATIO * median);
    while (k < s->n && x[k] > limit)
        k++;
    if (s->n >= ROOF_MIN_SERIES_SAMPLES && is_falling(x, k, noise))
        k = k < half ? k : half; /* what falls on behind it is looked at with the rest */
    else if (k > (size_t)(WARM_UP_SHARE * (double)s->n))
        return 0;
    if (!k)
        return 0;
    for (size_t i = 0; i < k; i++)
        slow = fmin(slow, x[i]);
    const double *rest = x + k;
    size_t n = s->n - k, others = count_above(rest, n, limit);
    double more = gsl_stats_mean(x, 1, k) - gsl_stats_mean(rest, 1, n);
    if (!(more >= fmax(ROOF_WARM_UP_RATIO * median, s->least)))
        return 0;
    double chance_of_first = 1; /* that of n samples, of which k + others are as slow, the first k are */
    for (size_t i = 0; i < k && chance_of_first > ROOF_SERIES_LEVEL; i++)
        chance_of_first *= (double)(k + others - i) / (double)(s->n - i);
    bool is_alone = !count_above(rest, n, (median + slow) / 2);
    median = median_in(s->work, rest, n);
    return chance_of_first <= ROOF_SERIES_LEVEL ||
                   (is_alone && chance_of_slow(x, k, rest, n, median) <= level)
               ? k
               : 0;
}

/* --- trend and step ----------------------------------------------------------------------------------- */

typedef struct blocks {
    double values[MOST_BLOCKS];  /* medians */
    double centres[MOST_BLOCKS]; /* the number of the sample in the middle */
    size_t n;
} blocks;

/* A trend or a step that may explain the blocks. */
typedef struct explanation {
    bool is_sure; /* chance alone does it less often than ROOF_SERIES_LEVEL */
    bool fits;
    double left; /* of the absolute deviation of the blocks */
    double first, second;
    size_t at; /* the first block of the second part */
} explanation;

/* True if two times differ by at least the least change. */
static bool is_change(const series *s, double before, double after)
{
    return before > 0 && after > 0 && fabs(after - before) >= s->least;
}

static int sign(double a)
{
    return (a > 0) - (a < 0);
}

/* Kendall's variance of the sum of signs, less what ties take. */
static double variance_of_signs(const blocks *b)
{
    double sorted[MOST_BLOCKS], n = (double)b->n, variance = n * (n - 1) * (2 * n + 5);
    memcpy(sorted, b->values, b->n * sizeof *sorted);
    gsl_sort(sorted, 1, b->n);
    for (size_t i = 0, end; i < b->n; i = end) {
        for (end = i + 1; end < b->n && !(sorted[end] > sorted[i]);)
            end++;
        double tied = (double)(end - i);
        variance -= tied * (tied - 1) * (2 * tied + 5);
    }
    return variance / 18;
}

static explanation find_trend(const series *s, const blocks *b)
{
    double *slopes = s->work, offsets[MOST_BLOCKS];
    size_t n = 0;
    int signs = 0;
    for (size_t i = 0; i < b->n; i++)
        for (size_t j = i + 1; j < b->n; j++) {
            slopes[n++] = (b->values[j] - b->values[i]) / (b->centres[j] - b->centres[i]);
            signs += sign(b->values[j] - b->values[i]);
        }
    double deviation = sqrt(variance_of_signs(b)), slope = median_of(slopes, n);
    double score = deviation > 0 ? (fabs((double)signs) - 1) / deviation : 0;
    for (size_t i = 0; i < b->n; i++)
        offsets[i] = b->values[i] - slope * b->centres[i];
    double offset = median_of(offsets, b->n);
    explanation e = {.first = offset, .second = offset + slope * (double)(s->n - 1)};
    for (size_t i = 0; i < b->n; i++)
        e.left += fabs(b->values[i] - offset - slope * b->centres[i]);
    e.is_sure = 2 * gsl_cdf_ugaussian_Q(score) <= ROOF_SERIES_LEVEL;
    e.fits = is_change(s, e.first, e.second);
    return e;
}

/* Pettitt's test: the step is at the block before which signs differ most from those behind it. */
static explanation find_step(const series *s, const blocks *b)
{
    double sum = 0, most = 0, work[MOST_BLOCKS], away[MOST_BLOCKS], n = (double)b->n;
    explanation e = {.at = 0};
    for (size_t t = 0; t + 1 < b->n; t++) {
        for (size_t j = 0; j < b->n; j++)
            sum += sign(b->values[j] - b->values[t]);
        if (fabs(sum) > most) {
            most = fabs(sum);
            e.at = t + 1;
        }
    }
    if (!e.at)
        return e;
    e.is_sure = 2 * exp(-6 * most * most / (n * n * n + n * n)) <= ROOF_SERIES_LEVEL;
    e.first = median_in(work, b->values, e.at);
    e.second = median_in(work, b->values + e.at, b->n - e.at);
    for (size_t i = 0; i < b->n; i++) {
        away[i] = fabs(b->values[i] - (i < e.at ? e.first : e.second));
        e.left += away[i];
    }
    double noise = MEDIAN_ABS_TO_STD * median_of(away, b->n);
    e.fits = is_change(s, e.first, e.second) && fabs(e.second - e.first) >= CLEAR_OF_NOISE * noise;
    return e;
}

/* The sample from which on the second level fits better, and the medians before and behind it. */
static void place_step(const series *s, double before, double after, roof_series *out)
{
    double sum = 0, best = INFINITY;
    size_t at = 0;
    for (size_t i = 0; i + 1 < s->n; i++) {
        sum += fabs(s->samples[i] - before) - fabs(s->samples[i] - after);
        if (sum < best) {
            best = sum;
            at = i + 1;
        }
    }
    out->kind = ROOF_SERIES_STEP;
    out->first = median_in(s->work, s->samples, at);
    out->second = median_in(s->work, s->samples + at, s->n - at);
    out->at = out->warm_up + at;
}

static void find_change(const series *s, roof_series *out)
{
    blocks b = {.n = s->n < MOST_BLOCKS ? s->n : MOST_BLOCKS};
    double work[MOST_BLOCKS], all = 0;
    for (size_t i = 0; i < b.n; i++) {
        size_t from = i * s->n / b.n, to = (i + 1) * s->n / b.n;
        b.values[i] = median_in(s->work, s->samples + from, to - from);
        b.centres[i] = (double)(from + to - 1) / 2;
    }
    double median = median_in(work, b.values, b.n);
    for (size_t i = 0; i < b.n; i++)
        all += fabs(b.values[i] - median);
    explanation trend = find_trend(s, &b), step = find_step(s, &b);
    bool is_trend = trend.fits && trend.left <= EXPLAINS_RATIO * all,
         is_step = step.fits && step.left <= EXPLAINS_RATIO * all;
    if (!trend.is_sure && !step.is_sure)
        return;
    if (is_step && (!is_trend || step.left <= STEP_BEFORE_TREND * trend.left)) {
        place_step(s, step.first, step.second, out);
    } else if (is_trend) {
        out->kind = ROOF_SERIES_TREND;
        out->first = trend.first;
        out->second = trend.second;
    }
}

/* --- modes -------------------------------------------------------------------------------------------- */

/* Finds where, in sorted samples, the second of the two parts begins that differ most, each of at least this
 * many. Samples in the tails count as those where the tails begin, so that no outlier decides. */
static size_t split_of(const series *s, size_t least)
{
    size_t tail = (size_t)(TAIL_SHARE * (double)s->n), split = least;
    double low = s->sorted[tail], high = s->sorted[s->n - 1 - tail], all = 0, before = 0, best = -1;
    for (size_t i = 0; i < s->n; i++)
        all += fmin(fmax(s->sorted[i], low), high) - s->median;
    for (size_t i = 0; i + least < s->n; i++) {
        before += fmin(fmax(s->sorted[i], low), high) - s->median;
        double n = (double)(i + 1), rest = (double)(s->n - i - 1);
        double between = before * before / n + (all - before) * (all - before) / rest;
        if (i + 1 >= least && between > best) {
            best = between;
            split = i + 1;
        }
    }
    return split;
}

static void find_modes(const series *s, roof_series *out)
{
    size_t least = (size_t)fmax(ROOF_MIN_INTERVAL_SAMPLES, ceil(MODE_SHARE * (double)s->n));
    size_t split = split_of(s, least), n_slow = s->n - split;
    double fast = gsl_stats_median_from_sorted_data(s->sorted, 1, split),
           slow = gsl_stats_median_from_sorted_data(s->sorted + split, 1, n_slow), apart = slow - fast;
    double a = deviation_in(s->work, s->sorted, split, fast),
           b = deviation_in(s->work, s->sorted + split, n_slow, slow), middle = (fast + slow) / 2;
    size_t between = 0, turns = 0, above = 0;
    for (size_t i = 0; i < s->n; i++) {
        between += s->sorted[i] > fast + apart / 3 && s->sorted[i] < slow - apart / 3;
        above += s->samples[i] > middle;
        turns += i && (s->samples[i] > middle) != (s->samples[i - 1] > middle);
    }
    if (!is_change(s, fast, slow) || apart < MODES_APART * sqrt((a * a + b * b) / 2) ||
        (double)between > BETWEEN_SHARE * (double)s->n || above < least || s->n - above < least)
        return;
    if (out->order_is_known && turns == 1) {
        bool is_slower = s->samples[s->n - 1] > middle;
        place_step(s, is_slower ? fast : slow, is_slower ? slow : fast, out);
        return;
    }
    if (split < MODE_SAMPLES || n_slow < MODE_SAMPLES)
        return;
    out->kind = ROOF_SERIES_MODES;
    out->first = fast;
    out->second = slow;
    out->at = n_slow;
}

/* --- rare slow samples -------------------------------------------------------------------------------- */

/* The fewest at the slow end, at most as many as are no mode yet, that stand clear of all others. */
static void find_rare(const series *s, roof_series *out)
{
    const size_t most = (size_t)(MODE_SHARE * (double)s->n);
    for (size_t n = RARE_SAMPLES; n <= most; n++) {
        const double *slow = s->sorted + s->n - n, middle = gsl_stats_median_from_sorted_data(slow, 1, n);
        double others = fmax(slow[-1] - s->median, s->least), away = slow[0] - s->median;
        if (away < RARE_GAP * others)
            continue;
        bool is_alike = slow[n - 1] - slow[0] <= ALIKE_RATIO * (middle - s->median);
        out->kind = is_alike ? ROOF_SERIES_PAUSES : ROOF_SERIES_INTERRUPTED;
        out->first = gsl_stats_mean(s->sorted, 1, s->n - n);
        out->second = is_alike ? middle : gsl_stats_mean(slow, 1, n);
        out->at = n;
        return;
    }
}

/* --- all of them -------------------------------------------------------------------------------------- */

/* Leaves the samples from one on. */
static void series_from(series *s, size_t first)
{
    s->samples += first;
    s->n -= first;
    memcpy(s->sorted, s->samples, s->n * sizeof *s->sorted);
    s->median = median_of(s->sorted, s->n);
}

static void classify_rest(const series *s, roof_series *out)
{
    if (s->n < ROOF_MIN_SERIES_SAMPLES)
        return;
    if (out->order_is_known)
        find_change(s, out);
    if (!out->kind)
        find_modes(s, out);
    if (!out->kind)
        find_rare(s, out);
}

static void classify(series *s, roof_series *out)
{
    /* The most that a series may still get faster behind its warm-up, over the excess of the warm-up. */
    static const double settled_ratio = 0.25;
    const roof_series steady = *out;
    series_from(s, 0);
    bool rises = true; /* samples that only rise were sorted, as tools do it */
    for (size_t i = 1; i < s->n; i++)
        rises = rises && s->samples[i] >= s->samples[i - 1];
    out->order_is_known = !rises;
    if (!(s->median > 0) || s->n < ROOF_MIN_WARM_UP_SAMPLES)
        return;
    double tick = INFINITY; /* the least distance of two readings of the clock */
    for (size_t i = 1; i < s->n; i++) {
        double step = s->sorted[i] - s->sorted[i - 1];
        if (step > SAME_RATIO * s->median && step < tick)
            tick = step;
    }
    s->least = fmax(ROOF_SERIES_CHANGE_RATIO * s->median, TICKS * tick);
    series rest = *s;
    out->warm_up = out->order_is_known ? find_warm_up(s) : 0;
    if (out->warm_up) {
        out->warm_up_mean = gsl_stats_mean(s->samples, 1, (size_t)out->warm_up);
        series_from(&rest, (size_t)out->warm_up);
        out->rest_mean = gsl_stats_mean(rest.samples, 1, rest.n);
    }
    classify_rest(&rest, out);
    /* A series that goes on getting faster has no warm-up that ends, unless it has settled but for little. */
    if (out->warm_up && (out->kind == ROOF_SERIES_TREND || out->kind == ROOF_SERIES_STEP) &&
        out->first - out->second > settled_ratio * (out->warm_up_mean - out->rest_mean)) {
        *out = steady;
        out->order_is_known = true;
        series_from(s, 0);
        classify_rest(s, out);
    }
}

roof_status roof_series_of(const double *samples, size_t n, roof_series *out, roof_error *err)
{
    *out = (roof_series){.warm_up_mean = NAN, .rest_mean = NAN, .first = NAN, .second = NAN};
    for (size_t i = 0; i < n; i++)
        if (!isfinite(samples[i]))
            return error_data(err, "sample %zu is %g, want a finite number", i, samples[i]);
    if (!n)
        return ROOF_OK;
    double *sorted = malloc((n + (n > MOST_PAIRS ? n : MOST_PAIRS)) * sizeof *sorted);
    TRY(ALLOCATED(sorted, err));
    out->rest_mean = gsl_stats_mean(samples, 1, n);
    classify(&(series){.samples = samples, .sorted = sorted, .work = sorted + n, .n = n}, out);
    free(sorted);
    return ROOF_OK;
}
