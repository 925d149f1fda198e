#include "measure/history/change_points.h"
#include "measure/compare/ranks.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

/* --- the chance of a sum of ranks ----------------------------------------------------------------------- */

/* How far the sum of s uniform numbers is below x by chance (Irwin and Hall): x up to s / 2. */
static double uniform_sum_p(unsigned s, double x)
{
    double p = 0, term = 1; /* term: (-1)^j / (j! (s - j)!), with the power the j-th of the sum */
    for (unsigned i = 2; i <= s; i++)
        term /= i;
    for (unsigned j = 0; j < s && j < x; j++) {
        p += term * pow(x - j, s);
        term *= -(double)(s - j) / (j + 1);
    }
    return p;
}

/* How many deviations of a normal distribution a split is worth whose sides have n and m values and the sum u
 * of Mann and Whitney. Few ranks of many are like uniform numbers with the mean and the variance of u: their
 * sum has shorter tails than the normal distribution, which would see no change in the newest five runs. */
static double split_z(double n, double m, double u)
{
    static const double least_p = 1e-15; /* the least chance that is distinguished from none */
    /* Largest size of the smaller side whose sum of ranks is held against that of uniform numbers. */
    enum { FEW = 12 };
    double few = fmin(n, m), variance = n * m * (n + m + 1) / 12, away = fabs(u - n * m / 2) - 0.5;
    double z = away / sqrt(variance);
    if (few > FEW || z < 2)
        return fmax(z, 0);
    double width = sqrt(12 * variance / few); /* of each uniform number */
    double p = uniform_sum_p((unsigned)few, fmax(few / 2 - away / width, 0));
    return gsl_cdf_ugaussian_Qinv(fmax(p, least_p));
}

static double p_of(double z)
{
    return fmin(1, 2 * gsl_cdf_ugaussian_Q(z));
}

/* The places to divide a series are like so many independent ones: 100 000 series each of 14 to 1000 values,
 * and fewer of 10 000, have their best place below the level in 0.4 to 0.5 %
 * (tests/property/random_change_points.c). */
double change_points_level(uint32_t n)
{
    const double few = fmin(n, 50), many = fmax(n, 50);
    return 1.0 / CHANGE_ONE_FALSE_IN / (0.32 * few + 15 * log(many / 50));
}

double change_points_p(double n, double m, double u, double noise_factor)
{
    return p_of(split_z(n, m, u) / sqrt(noise_factor));
}

bool change_points_can_tell(uint32_t n)
{
    enum { NEWEST = 5 };
    return n >= NEWEST + CHANGE_LEAST_RUNS && p_of(split_z(n - NEWEST, NEWEST, 0)) <= change_points_level(n);
}

/* --- dividing ------------------------------------------------------------------------------------------- */

typedef struct part {
    uint32_t first, n;
} part;

typedef struct division {
    const double *values;
    uint32_t *order;   /* of each part: its indices by their values */
    uint32_t *scratch; /* as many */
    double *ranks;     /* at the index of its value, within its part */
    part *parts;       /* in order of the series */
    double *z;         /* of each part beside the one before; of the first INFINITY */
    uint32_t n_parts;
} division;

/* Ties have the mean of their ranks. */
static void rank_part(const division *d, part p)
{
    const uint32_t *order = d->order + p.first;
    for (uint32_t i = 0, end; i < p.n; i = end) {
        end = i + 1;
        while (end < p.n && d->values[order[end]] <= d->values[order[i]])
            end++;
        for (uint32_t k = i; k < end; k++)
            d->ranks[order[k]] = (i + 1 + end) / 2.0;
    }
}

/* The best place to divide a part, as the number of values before it; 0: there is none. */
static uint32_t best_split(const division *d, part p, double *best_z)
{
    uint32_t best = 0;
    double sum = 0;
    *best_z = 0;
    rank_part(d, p);
    for (uint32_t k = 1; k + CHANGE_LEAST_RUNS <= p.n; k++) {
        sum += d->ranks[p.first + k - 1];
        if (k < CHANGE_LEAST_RUNS)
            continue;
        double z = split_z(k, p.n - k, sum - k * (k + 1.0) / 2);
        if (z > *best_z) {
            *best_z = z;
            best = k;
        }
    }
    return best;
}

/* The order of a part's values becomes that of both its sides. */
static void divide_order(const division *d, part p, uint32_t before)
{
    uint32_t *order = d->order + p.first, n_left = 0, n_right = 0;
    for (uint32_t i = 0; i < p.n; i++)
        if (order[i] < p.first + before)
            order[n_left++] = order[i];
        else
            d->scratch[n_right++] = order[i];
    memcpy(order + n_left, d->scratch, n_right * sizeof *order);
}

/* Parts come off a stack, so that they are there in order; a series is divided at most n / 3 times. */
static void divide(division *d, part *stack, uint32_t n)
{
    uint32_t n_stack = 1;
    stack[0] = (part){0, n};
    while (n_stack) {
        const part p = stack[--n_stack];
        double z;
        uint32_t before = best_split(d, p, &z);
        if (!before || p_of(z) > change_points_level(p.n)) {
            d->parts[d->n_parts++] = p;
            continue;
        }
        divide_order(d, p, before);
        stack[n_stack++] = (part){p.first + before, p.n - before};
        stack[n_stack++] = (part){p.first, before};
    }
}

/* --- joining what noise that is no chance divided ------------------------------------------------------- */

/* Values of a part in order, in the place of its ranks. */
static sorted_samples sorted_part(const division *d, part p)
{
    for (uint32_t k = p.first; k < p.first + p.n; k++)
        d->ranks[k] = d->values[d->order[k]];
    return (sorted_samples){d->ranks + p.first, p.n};
}

static void look_before(division *d, uint32_t i)
{
    d->z[i] = INFINITY;
    if (i) {
        const part a = d->parts[i - 1], b = d->parts[i];
        d->z[i] = split_z(a.n, b.n, ranks_u(sorted_part(d, a), sorted_part(d, b)));
    }
}

/* The order of part i and of the one before becomes one order of both. */
static part merge_order(const division *d, uint32_t i)
{
    const part a = d->parts[i - 1], b = d->parts[i];
    uint32_t *order = d->order + a.first, k = 0, from_a = 0, from_b = 0;
    while (from_a < a.n || from_b < b.n) {
        bool is_a =
            from_b == b.n || (from_a < a.n && d->values[order[from_a]] <= d->values[order[a.n + from_b]]);
        d->scratch[k++] = is_a ? order[from_a++] : order[a.n + from_b++];
    }
    memcpy(order, d->scratch, k * sizeof *order);
    return (part){a.first, a.n + b.n};
}

static double median_of(const division *d, part p)
{
    const uint32_t *order = d->order + p.first;
    return (d->values[order[(p.n - 1) / 2]] + d->values[order[p.n / 2]]) / 2;
}

/* Ranks say that there is a change; where, they say with a bias to the middle, since a value that happens to
 * lie between both levels fits either side. Among the places that are about as sure, within one deviation,
 * this one leaves the least squares. */
static uint32_t least_squares_split(const division *d, part p)
{
    const double middle = median_of(d, p);
    double best_z, most = -1, ranks = 0, sum = 0, all = 0;
    uint32_t best = best_split(d, p, &best_z);
    for (uint32_t i = p.first; i < p.first + p.n; i++)
        all += d->values[i] - middle;
    for (uint32_t k = 1; k + CHANGE_LEAST_RUNS <= p.n; k++) {
        ranks += d->ranks[p.first + k - 1];
        sum += d->values[p.first + k - 1] - middle;
        const double n = k, m = p.n - n, between = sum * sum / n + (all - sum) * (all - sum) / m;
        if (k < CHANGE_LEAST_RUNS || between <= most || split_z(n, m, ranks - n * (n + 1) / 2) < best_z - 1)
            continue;
        most = between;
        best = k;
    }
    return best;
}

/* A place that was found while other changes were on its sides may be off: each moves to the best one between
 * its neighbours. */
static void settle(division *d)
{
    for (uint32_t i = 1; i < d->n_parts; i++) {
        const part both = merge_order(d, i);
        const uint32_t found = least_squares_split(d, both), before = found ? found : d->parts[i - 1].n;
        divide_order(d, both, before);
        d->parts[i - 1] = (part){both.first, before};
        d->parts[i] = (part){both.first + before, both.n - before};
    }
    for (uint32_t i = 0; i < d->n_parts; i++)
        look_before(d, i);
}

/* Takes the straight line off the ranks of a part that has one: neighbours on a slope are alike, and that is
 * a change and no noise, else a series that gets slower run by run explains itself. A process that remembers
 * has slopes by chance, which seldom explain half of it. */
static void take_slope_off(double *ranks, uint32_t n)
{
    /* A line that explains so much of the variance of the ranks of a segment is its slope. */
    static const double slope_ratio = 0.5;
    const double middle = (n - 1) / 2.0, mean = (n + 1) / 2.0;
    double both = 0, places = 0, all = 0;
    for (uint32_t i = 0; i < n; i++) {
        both += (i - middle) * (ranks[i] - mean);
        places += (i - middle) * (i - middle);
        all += (ranks[i] - mean) * (ranks[i] - mean);
    }
    if (both * both < slope_ratio * places * all)
        return;
    for (uint32_t i = 0; i < n; i++)
        ranks[i] -= both / places * (i - middle);
}

/* By how much neighbours within the parts are alike, as a factor of the variance of a mean. */
static double noise_factor(const division *d)
{
    static const double most_correlation = 0.99;
    /* An autocorrelation counts if it exceeds so many deviations, 1 / sqrt(n): at 1 %. */
    static const double alike_clear = 2.33;
    /* Segments of so many values or more tell how much neighbours are alike, as ranks_noise has it. */
    enum { LEAST_ALIKE = 10 };
    double n = 0, sum = 0, parts = 0;
    for (uint32_t i = 0; i < d->n_parts; i++) {
        const part p = d->parts[i];
        if (p.n < LEAST_ALIKE)
            continue;
        rank_part(d, p);
        take_slope_off(d->ranks + p.first, p.n);
        n += p.n;
        sum += p.n * ranks_correlation(d->ranks + p.first, p.n);
        parts++;
    }
    if (!(n > 0) || sum / n <= alike_clear / sqrt(n))
        return 1;
    double r = fmin((sum + parts) / (n - 4 * parts), most_correlation);
    return (1 + r) / (1 - r);
}

static uint32_t least_sure(const division *d)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < d->n_parts; i++)
        if (d->z[i] < d->z[least])
            least = i;
    return least;
}

/* Returns the factor of the noise that is left. */
static double join_unsure(division *d)
{
    double factor = noise_factor(d);
    for (uint32_t i = 0; i < d->n_parts; i++)
        look_before(d, i);
    for (uint32_t i = least_sure(d); i; i = least_sure(d)) {
        if (p_of(d->z[i] / sqrt(factor)) <= change_points_level(d->parts[i - 1].n + d->parts[i].n))
            break;
        d->parts[i - 1] = merge_order(d, i);
        d->n_parts--;
        memmove(d->parts + i, d->parts + i + 1, (d->n_parts - i) * sizeof *d->parts);
        memmove(d->z + i, d->z + i + 1, (d->n_parts - i) * sizeof *d->z);
        look_before(d, i - 1);
        if (i < d->n_parts)
            look_before(d, i);
        factor = noise_factor(d);
    }
    return factor;
}

/* --- what came out -------------------------------------------------------------------------------------- */

roof_status change_points_ratio(const double *values, const roof_history_segment *before,
                                const roof_history_segment *after, double noise_factor, roof_arena *arena,
                                roof_history_segment *out, roof_error *err)
{
    const roof_history_segment *const sides[] = {before, after};
    sorted_samples logs[2];
    double *ways;
    TRY(ARENA_GET(arena, ways, RANKS_WORK, err));
    for (size_t s = 0; s < 2; s++) {
        double *of;
        TRY(ARENA_GET(arena, of, sides[s]->n, err));
        for (uint32_t i = 0; i < sides[s]->n; i++)
            of[i] = log(values[sides[s]->first + i]);
        gsl_sort(of, 1, sides[s]->n);
        logs[s] = (sorted_samples){of, sides[s]->n};
    }
    const rank_shift shift = ranks_shift(logs[0], logs[1], (rank_noise){noise_factor, INFINITY}, ways);
    out->ratio = exp(shift.value);
    out->ratio_ci95[0] = exp(shift.ci95[0]);
    out->ratio_ci95[1] = exp(shift.ci95[1]);
    return ROOF_OK;
}

static roof_status conclude(division *d, double factor, roof_arena *arena, change_points *out,
                            roof_error *err)
{
    TRY(ARENA_GET(arena, out->segments, d->n_parts, err));
    out->n = d->n_parts;
    out->noise_factor = factor;
    for (uint32_t i = 0; i < d->n_parts; i++) {
        const part b = d->parts[i];
        roof_history_segment *s = &out->segments[i];
        *s = (roof_history_segment){b.first, b.n, median_of(d, b), NAN, {NAN, NAN}, NAN};
        if (!i)
            continue;
        TRY(change_points_ratio(d->values, s - 1, s, factor, arena, s, err));
        s->p = p_of(d->z[i] / sqrt(factor));
    }
    return ROOF_OK;
}

/* A value and its place; equal values keep the order of the series. */
typedef struct placed {
    double value;
    uint32_t at;
} placed;

roof_status change_points_find(const double *values, uint32_t n, roof_arena *arena, change_points *out,
                               roof_error *err)
{
    const uint32_t most = n / CHANGE_LEAST_RUNS + 1;
    division d = {.values = values,
                  .order = NEW_ARRAY(arena, uint32_t, n),
                  .scratch = NEW_ARRAY(arena, uint32_t, n),
                  .ranks = NEW_ARRAY(arena, double, n),
                  .parts = NEW_ARRAY(arena, part, most),
                  .z = NEW_ARRAY(arena, double, most)};
    part *stack = NEW_ARRAY(arena, part, most);
    placed *sorted = NEW_ARRAY(arena, placed, n);
    *out = (change_points){0};
    TRY(ALLOCATED(d.order && d.scratch && d.ranks && d.parts && d.z && stack && sorted, err));
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = (placed){values[i], i};
    order_sort(sorted, n, sizeof *sorted, ORDER_BY(RISING(placed, value), RISING(placed, at)));
    for (uint32_t i = 0; i < n; i++)
        d.order[i] = sorted[i].at;
    divide(&d, stack, n);
    const double factor = join_unsure(&d);
    settle(&d);
    return conclude(&d, factor, arena, out, err);
}
