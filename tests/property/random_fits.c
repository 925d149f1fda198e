/* What must hold for any measurement: planted values lie in their 95 % intervals, order is of no matter,
 * scale is kept. ROOF_SEED sets where to start. */
#include "roofline/fit.h"
#include "roofline/statistics.h"
#include "tests/unit/fixture.h"
#include "tests/property/seeded.h"

enum { TRIALS = 1000, AT_LEAST = 930, MOST_POINTS = 12, MOST_SAMPLES = 120 };

static int begin(void **state)
{
    (void)state;
    return seeded_begin(20260301);
}

/* Boundaries and milliseconds of some models; the noise is normal, as Student's t supposes. */
typedef struct study {
    double slope, intercept, x[MOST_POINTS], y[MOST_POINTS];
    size_t n;
} study;

static study random_study(bool with_intercept)
{
    study s = {.slope = 0.02 + gsl_rng_uniform(rng) / 2, .n = 3 + gsl_rng_uniform_int(rng, MOST_POINTS - 2)};
    double noise = 0.001 + gsl_rng_uniform(rng);
    s.intercept = with_intercept ? 4 * gsl_rng_uniform(rng) - 2 : 0;
    for (size_t i = 0; i < s.n; i++) {
        s.x[i] = (double)(5 + 7 * i + gsl_rng_uniform_int(rng, 6)); /* no two alike */
        s.y[i] = s.intercept + s.slope * s.x[i] + gsl_ran_gaussian(rng, noise);
    }
    return s;
}

static bool holds(const roof_estimate *e, double truth)
{
    return e->ci95_low <= truth && truth <= e->ci95_high;
}

static void planted_lines_lie_in_their_intervals(void **state)
{
    unsigned slope = 0, intercept = 0, origin = 0;
    (void)state;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        study free = random_study(true), through = random_study(false);
        roof_fit f;
        assert_int_equal(roof_fit_line(free.x, free.y, free.n, ROOF_INTERCEPT_EXPECTED, &f, NULL, NULL),
                         ROOF_OK);
        slope += holds(&f.lines[ROOF_LINE_FREE].slope, free.slope);
        intercept += holds(&f.lines[ROOF_LINE_FREE].intercept, free.intercept);
        assert_int_equal(
            roof_fit_line(through.x, through.y, through.n, ROOF_INTERCEPT_NONE_EXPECTED, &f, NULL, NULL),
            ROOF_OK);
        origin += holds(&f.lines[ROOF_LINE_ORIGIN].slope, through.slope);
    }
    print_message("of %d: slope %u, intercept %u, slope through the origin %u\n", TRIALS, slope, intercept,
                  origin);
    assert_true(slope >= AT_LEAST && intercept >= AT_LEAST && origin >= AT_LEAST);
}

/* Times of a device: most alike, a long tail to the right. */
static size_t random_samples(double *samples)
{
    size_t n = 6 + gsl_rng_uniform_int(rng, MOST_SAMPLES - 6);
    for (size_t i = 0; i < n; i++)
        samples[i] = gsl_ran_lognormal(rng, 0, 0.5);
    return n;
}

static void the_true_median_lies_in_its_interval(void **state)
{
    unsigned held = 0;
    (void)state;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        double samples[MOST_SAMPLES];
        roof_statistics s;
        assert_int_equal(roof_statistics_of(samples, random_samples(samples), &s, NULL), ROOF_OK);
        held += s.median_low <= 1 && 1 <= s.median_high; /* exp(0) */
        assert_true(s.min <= s.median_low && s.median_low <= s.median && s.median <= s.median_high);
        assert_true(s.median_high <= s.max && s.median <= s.p95 && s.p95 <= s.p99 && s.p99 <= s.max);
        assert_true(s.median_confidence_ratio >= 0.95);
    }
    print_message("of %d: median %u\n", TRIALS, held);
    assert_true(held >= AT_LEAST);
}

static void shuffle_pairs(study *s)
{
    for (size_t i = s->n - 1; i > 0; i--) {
        size_t j = gsl_rng_uniform_int(rng, i + 1);
        double x = s->x[i], y = s->y[i];
        s->x[i] = s->x[j];
        s->y[i] = s->y[j];
        s->x[j] = x;
        s->y[j] = y;
    }
}

static void permuting_changes_no_bit(void **state)
{
    (void)state;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        double samples[MOST_SAMPLES];
        size_t n = random_samples(samples);
        roof_statistics before = {0}, after = {0};
        study s = random_study(true);
        roof_fit f, g;
        memset(&f, 0, sizeof f);
        memset(&g, 0, sizeof g);
        assert_int_equal(roof_statistics_of(samples, n, &before, NULL), ROOF_OK);
        gsl_ran_shuffle(rng, samples, n, sizeof *samples);
        assert_int_equal(roof_statistics_of(samples, n, &after, NULL), ROOF_OK);
        assert_memory_equal(&before, &after, sizeof before);
        assert_int_equal(roof_fit_line(s.x, s.y, s.n, ROOF_INTERCEPT_NONE_EXPECTED, &f, NULL, NULL), ROOF_OK);
        shuffle_pairs(&s);
        assert_int_equal(roof_fit_line(s.x, s.y, s.n, ROOF_INTERCEPT_NONE_EXPECTED, &g, NULL, NULL), ROOF_OK);
        for (int kind = 0; kind < ROOF_LINE_KINDS; kind++) {
            assert_memory_equal(&f.lines[kind].slope, &g.lines[kind].slope, sizeof f.lines[kind].slope);
            assert_memory_equal(&f.lines[kind].intercept, &g.lines[kind].intercept,
                                sizeof f.lines[kind].intercept);
            assert_memory_equal(&f.lines[kind].r2, &g.lines[kind].r2, sizeof(double));
        }
        assert_int_equal(f.chosen, g.chosen);
    }
}

static void assert_scaled(const roof_estimate *a, const roof_estimate *b, double factor)
{
    assert_true(a->value * factor == b->value && a->se * factor == b->se);
    assert_true(a->ci95_low * factor == b->ci95_low && a->ci95_high * factor == b->ci95_high);
}

/* By a power of two, which rounds nothing. */
static void scaling_all_times_scales_all_results(void **state)
{
    const double factor = 1.0 / 1024;
    (void)state;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        study s = random_study(true);
        roof_fit f, g;
        double samples[MOST_SAMPLES];
        size_t n = random_samples(samples);
        roof_statistics a, b;
        assert_int_equal(roof_fit_line(s.x, s.y, s.n, ROOF_INTERCEPT_NONE_EXPECTED, &f, NULL, NULL), ROOF_OK);
        for (size_t i = 0; i < s.n; i++)
            s.y[i] *= factor;
        assert_int_equal(roof_fit_line(s.x, s.y, s.n, ROOF_INTERCEPT_NONE_EXPECTED, &g, NULL, NULL), ROOF_OK);
        for (int kind = ROOF_LINE_FREE; kind <= ROOF_LINE_ORIGIN; kind++) {
            assert_scaled(&f.lines[kind].slope, &g.lines[kind].slope, factor);
            assert_scaled(&f.lines[kind].intercept, &g.lines[kind].intercept, factor);
            assert_true(f.lines[kind].r2 == g.lines[kind].r2);
        }
        assert_int_equal(f.chosen, g.chosen);
        assert_int_equal(roof_statistics_of(samples, n, &a, NULL), ROOF_OK);
        for (size_t i = 0; i < n; i++)
            samples[i] *= factor;
        assert_int_equal(roof_statistics_of(samples, n, &b, NULL), ROOF_OK);
        assert_true(a.median * factor == b.median && a.mean * factor == b.mean && a.std * factor == b.std);
        assert_int_equal(a.outliers, b.outliers);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_lines_lie_in_their_intervals),
        cmocka_unit_test(the_true_median_lies_in_its_interval),
        cmocka_unit_test(permuting_changes_no_bit),
        cmocka_unit_test(scaling_all_times_scales_all_results),
    };
    return cmocka_run_group_tests(tests, begin, seeded_end);
}
