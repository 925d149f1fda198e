/* What the order of samples tells, on samples that are made to show it, and nothing on noise alone. */
#include "roofline/statistics.h"
#include "tests/property/random.h"
#include "tests/unit/fixture.h"

enum { SEED = 20240229, MOST = 1000 };

/* Steady times of 1 with noise of a size. */
typedef enum noise {
    NORMAL,
    LOG_NORMAL,
    UNIFORM,
    DELAYS,
    TICKS,
    HEAVY,    /* from here on with long tails: that fall off with the power 3, */
    HEAVIEST, /* 1.5, */
    LONG,     /* slower than exponentially, */
    STUDENT,  /* and with the power 2 */
    NOISES
} noise;

static double uniform(void)
{
    return ((double)(next_random() >> 11) + 0.5) * 0x1p-53;
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

static double steady(noise kind, double size)
{
    switch (kind) {
    case LOG_NORMAL:
        return exp(size * normal());
    case UNIFORM:
        return 1 + 3.4 * size * (uniform() - 0.5);
    case DELAYS: /* a shortest time, and what waits for it */
        return 1 - size * log(uniform());
    case TICKS: /* of a clock with steps of 0.05 */
        return round((1 + size * normal()) * 20) / 20;
    case HEAVY:
        return 1 + size * (pow(uniform(), -1.0 / 3) - 1);
    case HEAVIEST:
        return 1 + size * (pow(uniform(), -1.0 / 1.5) - 1);
    case LONG:
        return 1 + size * pow(-log(uniform()), 2);
    case STUDENT: { /* of two degrees of freedom, one side */
        const double a = normal(), b = normal();
        return 1 + size * fabs(normal()) / sqrt((a * a + b * b) / 2);
    }
    default:
        return 1 + size * normal();
    }
}

static roof_series classify(const double *samples, size_t n)
{
    roof_series s;
    assert_int_equal(roof_series_of(samples, n, &s, NULL), ROOF_OK);
    return s;
}

static bool near(double a, double b, double ratio)
{
    return fabs(a - b) <= ratio * fabs(b);
}

static void the_example_of_the_header_holds(void **state)
{
    static const double samples[] = {9, 8, 5.1, 4.9, 5, 5.1, 5, 4.9, 5, 5.1, 4.9, 5, 5.1, 4.9, 5, 5};
    roof_series s = classify(samples, COUNT(samples));
    (void)state;
    assert_int_equal(s.warm_up, 2);
    assert_true(near(s.warm_up_mean, 8.5, 1e-12) && near(s.rest_mean, 5, 1e-12));
    assert_int_equal(s.kind, ROOF_SERIES_STEADY);
    assert_true(s.order_is_known && isnan(s.first) && isnan(s.second));
}

/* --- what is made to show it -------------------------------------------------------------------------- */

static double flat(double at)
{
    (void)at;
    return 1;
}

static double slower(double at)
{
    return 1 + 0.2 * at;
}

static double faster(double at)
{
    return 1.2 - 0.2 * at;
}

static double throttled(double at)
{
    return 1.3 - 0.3 * exp(-4 * at);
}

static double step_up(double at)
{
    return at < 0.4 ? 1 : 1.1;
}

static double step_down(double at)
{
    return at < 0.6 ? 1.1 : 1;
}

static double two_speeds(double at)
{
    (void)at;
    return uniform() < 0.4 ? 1.3 : 1;
}

static double two_speeds_and_between(double at)
{
    double kind = uniform();
    (void)at;
    return kind < 0.4 ? 1.3 : kind < 0.5 ? 1.15 : 1;
}

/* One amount, behind pauses. */
static double pauses(double at)
{
    const double in = fmod(at + 0.055, 0.25);
    return in < 0.017 ? 3 : 1;
}

/* Another amount each. */
static double interrupted(double at)
{
    return pauses(at) > 1 ? 1.6 + 4 * uniform() : 1;
}

static double one_outlier(double at)
{
    return at > 0.5 && at < 0.502 ? 3 : 1;
}

static double settling(double at)
{
    return 1 + 2 * exp(-15 * at);
}

static double cold_start(double at)
{
    return at < 0.1 ? 1.5 : 1;
}

static double decay(double at)
{
    return 1 + 0.6 * exp(-40 * at);
}

static double cold_and_throttled(double at)
{
    return at < 0.05 ? 2 : slower(at);
}

static void each_cause_has_its_one_name(void **state)
{
    static const struct {
        const char *what;
        double (*time)(double at); /* at: from 0 to 1 */
        roof_series_kind kind;
        double first, second; /* within 3 % */
        double at, warm_up; /* share of the samples, within 2 %; at of a step or of slow modes, within 8 % */
    } rows[] = {
        {"steady", flat, ROOF_SERIES_STEADY, NAN, NAN, 0, 0},
        {"outliers", one_outlier, ROOF_SERIES_STEADY, NAN, NAN, 0, 0},
        {"of any speed", two_speeds_and_between, ROOF_SERIES_STEADY, NAN, NAN, 0, 0},
        {"slower", slower, ROOF_SERIES_TREND, 1, 1.2, 0, 0},
        {"faster", faster, ROOF_SERIES_TREND, 1.2, 1, 0, 0},
        {"a step up", step_up, ROOF_SERIES_STEP, 1, 1.1, 0.4, 0},
        {"a step down", step_down, ROOF_SERIES_STEP, 1.1, 1, 0.6, 0},
        {"two speeds", two_speeds, ROOF_SERIES_MODES, 1, 1.3, 0.4, 0},
        {"a cold start", cold_start, ROOF_SERIES_STEADY, NAN, NAN, 0, 0.1},
        {"a cold start, then slower", cold_and_throttled, ROOF_SERIES_TREND, 1.01, 1.2, 0, 0.05},
    };
    static const size_t counts[] = {60, 100, 1000};
    static const double sizes[] = {0.005, 0.01};
    double samples[MOST];
    (void)state;
    random_state = SEED;
    for (size_t i = 0; i < COUNT(rows) * COUNT(counts) * COUNT(sizes); i++) {
        size_t row = i % COUNT(rows), n = counts[i / COUNT(rows) % COUNT(counts)];
        double size = sizes[i / COUNT(rows) / COUNT(counts)];
        for (size_t k = 0; k < n; k++)
            samples[k] = rows[row].time((double)k / (double)n) * steady(NORMAL, size);
        roof_series s = classify(samples, n);
        bool levels = s.kind == ROOF_SERIES_STEADY ||
                      (near(s.first, rows[row].first, 0.03) && near(s.second, rows[row].second, 0.03));
        double at = (double)s.at / (double)n, slack = s.kind == ROOF_SERIES_MODES ? 0.15 : 0.02;
        if (s.kind != rows[row].kind || !levels || fabs(at - rows[row].at) > slack ||
            fabs((double)s.warm_up / (double)n - rows[row].warm_up) > 0.02)
            fail_msg("%s, %zu samples with noise of %g: kind %d, %g and %g, %g, warm-up of %" PRIu64,
                     rows[row].what, n, size, s.kind, s.first, s.second, at, s.warm_up);
    }
}

/* Nothing says where it ends, so only the kind is held. */
static void slow_changes_are_a_warm_up_or_a_trend(void **state)
{
    enum { N = 200 };
    double samples[N];
    (void)state;
    random_state = SEED;
    for (int trial = 0; trial < 50; trial++) {
        for (size_t k = 0; k < N; k++)
            samples[k] = decay((double)k / N) * steady(NORMAL, 0.005);
        roof_series s = classify(samples, N);
        assert_true(s.warm_up >= 5 && s.warm_up <= 30 && s.kind == ROOF_SERIES_STEADY);
        for (size_t k = 0; k < N; k++)
            samples[k] = throttled((double)k / N) * steady(NORMAL, 0.005);
        s = classify(samples, N);
        assert_true(s.warm_up == 0 && s.kind == ROOF_SERIES_TREND && s.second > s.first);
    }
}

static void few_samples_tell_of_a_slow_beginning_alone(void **state)
{
    static const struct {
        const char *what;
        double samples[24];
        size_t n;
        uint64_t warm_up;
        roof_series_kind kind;
    } rows[] = {
        {"none", {0}, 0, 0, ROOF_SERIES_STEADY},
        {"one", {5}, 1, 0, ROOF_SERIES_STEADY},
        {"four", {9, 5.1, 5, 4.9}, 4, 0, ROOF_SERIES_STEADY},
        {"five, of which the first may be noise", {6, 5.1, 5.4, 4.6, 5.3}, 5, 0, ROOF_SERIES_STEADY},
        {"the first of ten", {15, 5.1, 5, 4.9, 5, 5.1, 5.02, 4.9, 5, 5.1}, 10, 1, ROOF_SERIES_STEADY},
        {"another one is as slow", {15, 5.1, 5, 4.9, 5, 11, 5.02, 4.9, 5, 5.1}, 10, 0, ROOF_SERIES_STEADY},
        {"a third of them is no beginning",
         {9, 8.9, 9.1, 5, 5.1, 5, 4.9, 5, 5.1, 5},
         10,
         0,
         ROOF_SERIES_STEADY},
        {"less than 5 %",
         {5.2, 5.001, 5, 4.999, 5, 5.001, 5.002, 4.999, 5, 5.001},
         10,
         0,
         ROOF_SERIES_STEADY},
        {"zeros", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 12, 0, ROOF_SERIES_STEADY},
        {"twelve and twelve, one turn",
         {5.1, 5,   5.02, 5.1, 4.9, 5, 5.1, 5,   4.9, 5,   5.1, 4.9,
          7,   7.1, 7.02, 7.1, 6.9, 7, 7.1, 6.9, 7,   7.1, 7,   6.9},
         24,
         0,
         ROOF_SERIES_STEP},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_series s = classify(rows[i].samples, rows[i].n);
        if (s.warm_up != rows[i].warm_up || s.kind != rows[i].kind)
            fail_msg("%s: warm-up of %" PRIu64 ", kind %d", rows[i].what, s.warm_up, s.kind);
    }
}

static int ascending(const void *a_, const void *b_)
{
    double a = *(const double *)a_, b = *(const double *)b_;
    return (a > b) - (a < b);
}

/* Who sorts samples before they are kept makes them slower towards the end. */
static void sorted_samples_have_no_order(void **state)
{
    double samples[200];
    (void)state;
    random_state = SEED;
    for (int both = 0; both < 2; both++) {
        for (size_t k = 0; k < COUNT(samples); k++)
            samples[k] = (both ? two_speeds(0) : 1) * steady(DELAYS, 0.01);
        qsort(samples, COUNT(samples), sizeof *samples, ascending);
        roof_series s = classify(samples, COUNT(samples));
        assert_false(s.order_is_known);
        assert_int_equal(s.kind, both ? ROOF_SERIES_MODES : ROOF_SERIES_STEADY);
        assert_int_equal(s.warm_up, 0);
    }
}

/* 5 and 6 ms of a clock of whole milliseconds may be 5.4 and 5.6 ms. */
static void ticks_of_the_clock_are_no_change(void **state)
{
    double samples[100];
    (void)state;
    random_state = SEED;
    for (size_t k = 0; k < COUNT(samples); k++)
        samples[k] = k < 50 ? 5e-3 : 6e-3;
    samples[0] = 6e-3; /* and they are not sorted */
    assert_int_equal(classify(samples, COUNT(samples)).kind, ROOF_SERIES_STEADY);
    for (size_t k = 0; k < COUNT(samples); k++)
        samples[k] = uniform() < 0.5 ? 5e-3 : 6e-3;
    assert_int_equal(classify(samples, COUNT(samples)).kind, ROOF_SERIES_STEADY);
}

/* Those of ten samples allow one in 66 of an exponential tail, others one in 3,000: heavy tails get no more
 * than one in twenty, whatever it is called. */
static void steady_series_of_any_noise_raise_few_alarms(void **state)
{
    enum { TRIALS = 400 };
    static const size_t counts[] = {5, 8, 10, 19, 20, 50, 100, 500};
    static const double sizes[] = {0.002, 0.01, 0.05, 0.2};
    double samples[500];
    (void)state;
    random_state = SEED;
    for (int kind = 0; kind < NOISES; kind++)
        for (size_t c = 0; c < COUNT(counts); c++) {
            const size_t n = counts[c];
            const int most = kind < HEAVY && n >= ROOF_MIN_SERIES_SAMPLES ? TRIALS / 200 : TRIALS / 20;
            int alarms = 0;
            for (int i = 0; i < TRIALS; i++) {
                for (size_t k = 0; k < n; k++)
                    samples[k] = steady((noise)kind, sizes[i % 4]);
                const roof_series s = classify(samples, n);
                alarms += s.warm_up || s.kind;
            }
            if (alarms > most)
                fail_msg("noise %d, %zu samples: %d of %d are called something", kind, n, alarms, TRIALS);
        }
}

/* What is planted into noise of either tail is found in nine of ten. */
static void most_of_what_is_planted_is_found(void **state)
{
    enum { TRIALS = 100 };
    static const struct {
        const char *what;
        double (*time)(double at);
        roof_series_kind kind;
        bool warms_up;
    } rows[] = {{"a cold start", cold_start, ROOF_SERIES_STEADY, true},
                {"settling", settling, ROOF_SERIES_STEADY, true},
                {"ever slower", slower, ROOF_SERIES_TREND, false},
                {"a step up", step_up, ROOF_SERIES_STEP, false},
                {"two speeds", two_speeds, ROOF_SERIES_MODES, false},
                {"pauses", pauses, ROOF_SERIES_PAUSES, false},
                {"interruptions", interrupted, ROOF_SERIES_INTERRUPTED, false}};
    static const noise kinds[] = {NORMAL, LOG_NORMAL, DELAYS, HEAVY};
    static const size_t counts[] = {60, 300};
    double samples[300];
    (void)state;
    random_state = SEED;
    for (size_t i = 0; i < COUNT(rows) * COUNT(kinds) * COUNT(counts); i++) {
        const size_t row = i % COUNT(rows), n = counts[i / COUNT(rows) % COUNT(counts)];
        const noise kind = kinds[i / COUNT(rows) / COUNT(counts)];
        int found = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            for (size_t k = 0; k < n; k++)
                samples[k] = rows[row].time((double)k / (double)n) * steady(kind, 0.01);
            const roof_series s = classify(samples, n);
            found += rows[row].warms_up ? s.warm_up > 0 : s.kind == rows[row].kind;
        }
        if (found < TRIALS * 9 / 10)
            fail_msg("%s in noise %d, %zu samples: found in %d of %d", rows[row].what, (int)kind, n, found,
                     TRIALS);
    }
}

/* Series that people published, with what they said of them. */
static void published_series_are_read_as_their_owners_did(void **state)
{
    static const struct {
        double samples[12];
        size_t n;
        uint64_t warm_up;
        double rest;
    } rows[] = {
        /* tensorflow/tensorflow#62738: shaders are compiled at first */
        {{123.78, 35.96, 19.67, 19.11, 19.15, 19.35, 19.29, 19.86, 19.49}, 9, 2, 19.417},
        /* google-coral/edgetpu#451: the first one loads the weights */
        {{154.32, 24.17, 23.97, 21.98, 27.74}, 5, 1, 24.465},
        {{276.87, 75.67, 75.27, 74.61, 74.14}, 5, 1, 74.9225},
        {{19.67, 19.11, 19.15, 19.35, 19.29, 19.86, 19.49}, 7, 0, 19.417},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_series s = classify(rows[i].samples, rows[i].n);
        assert_int_equal(s.warm_up, rows[i].warm_up);
        assert_true(near(s.rest_mean, rows[i].rest, 1e-4));
    }
}

/* One in a long decay, which nobody sorted although it only falls, and what is left of it is told. */
static void a_long_decay_settles_in_its_second_half(void **state)
{
    double samples[100];
    (void)state;
    for (size_t k = 0; k < COUNT(samples); k++)
        samples[k] = 0.5 + 3 * exp(-(double)k / 12);
    roof_series s = classify(samples, COUNT(samples));
    assert_true(s.order_is_known && s.warm_up == 50 && s.kind == ROOF_SERIES_TREND && s.second < s.first);
    assert_true(near(s.rest_mean, 0.51, 0.02));
}

static void a_sample_that_is_no_number_is_refused(void **state)
{
    double samples[] = {1, INFINITY};
    roof_series s;
    roof_error err;
    (void)state;
    assert_int_equal(roof_series_of(samples, 2, &s, &err), ROOF_E_DATA);
    assert_non_null(strstr(err.what, "sample 1 is unknown"));
}

static void a_million_samples_are_classified(void **state)
{
    enum { MANY = 1000000 };
    double *samples = malloc(MANY * sizeof *samples);
    (void)state;
    assert_non_null(samples);
    random_state = SEED;
    for (size_t k = 0; k < MANY; k++)
        samples[k] = step_up((double)k / MANY) * steady(LOG_NORMAL, 0.1);
    roof_series s = classify(samples, MANY);
    assert_int_equal(s.kind, ROOF_SERIES_STEP);
    assert_true(fabs((double)s.at - 0.4 * MANY) < 200 && near(s.second / s.first, 1.1, 0.002));
    free(samples);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_header_holds),
        cmocka_unit_test(each_cause_has_its_one_name),
        cmocka_unit_test(slow_changes_are_a_warm_up_or_a_trend),
        cmocka_unit_test(few_samples_tell_of_a_slow_beginning_alone),
        cmocka_unit_test(sorted_samples_have_no_order),
        cmocka_unit_test(ticks_of_the_clock_are_no_change),
        cmocka_unit_test(steady_series_of_any_noise_raise_few_alarms),
        cmocka_unit_test(most_of_what_is_planted_is_found),
        cmocka_unit_test(published_series_are_read_as_their_owners_did),
        cmocka_unit_test(a_long_decay_settles_in_its_second_half),
        cmocka_unit_test(a_sample_that_is_no_number_is_refused),
        cmocka_unit_test(a_million_samples_are_classified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
