/* Statistics of repeated measurements: published definitions, intervals that hold, outliers that are
 * named. */
#include "roofline/statistics.h"
#include "tests/unit/fixture.h"

static void assert_near(double got, double want, double tolerance)
{
    if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= tolerance))
        fail_msg("got %.17g, want %.17g", got, want);
}

static void the_example_of_the_header_holds(void **state)
{
    static const double samples[] = {30, 4, 2, 9, 6, 1, 3, 8, 7, 5};
    roof_statistics s;
    (void)state;
    assert_int_equal(roof_statistics_of(samples, COUNT(samples), &s, NULL), ROOF_OK);
    assert_int_equal(s.count, 10);
    assert_near(s.mean, 7.5, 1e-12);
    assert_near(s.min, 1, 0);
    assert_near(s.max, 30, 0);
    assert_near(s.std, 8.316649966583100, 1e-12); /* numpy.std(ddof=1) */
    assert_near(s.median, 5.5, 0);
    assert_near(s.p95, 20.55, 1e-12); /* numpy.percentile */
    assert_near(s.p99, 28.11, 1e-12);
    assert_near(s.median_low, 2, 0);
    assert_near(s.median_high, 9, 0);
    assert_near(s.median_confidence_ratio, 1 - 22.0 / 1024, 1e-12);
    assert_int_equal(s.outliers, 1);
    assert_near(s.cov_without_outliers_ratio, 2.7386127875258306 / 5, 1e-12);
}

/* P(Binomial(n, 1/2) < k): of 6 the extremes miss with 2/64, of 9 the second ones with 20/512. */
static void the_interval_of_the_median_is_claimed_only_when_it_holds(void **state)
{
    static const struct {
        size_t n;
        double low, high, confidence;
    } rows[] = {
        {0, NAN, NAN, NAN},        {1, NAN, NAN, NAN},
        {4, NAN, NAN, NAN},        {5, 1, 5, 1 - 2.0 / 32},
        {6, 1, 6, 1 - 2.0 / 64},   {8, 1, 8, 1 - 2.0 / 256},
        {9, 2, 8, 1 - 20.0 / 512}, {12, 3, 10, 1 - 158.0 / 4096},
        {100, 40, 61, 0.9647998},
    };
    double samples[100];
    (void)state;
    for (size_t i = 0; i < COUNT(samples); i++)
        samples[i] = (double)(i + 1);
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_statistics s;
        assert_int_equal(roof_statistics_of(samples, rows[i].n, &s, NULL), ROOF_OK);
        assert_near(s.median_low, rows[i].low, 0);
        assert_near(s.median_high, rows[i].high, 0);
        assert_near(s.median_confidence_ratio, rows[i].confidence, 1e-6);
    }
}

static void outliers_are_flagged_and_stay_in_the_mean(void **state)
{
    static const struct {
        const char *what;
        double samples[12];
        size_t n;
        uint64_t outliers;
        double variance_ratio; /* theirs */
    } rows[] = {
        {"none", {1, 2, 3, 4, 5, 6}, 6, 0, 0},
        {"all equal", {3, 3, 3, 3, 3, 3}, 6, 0, 0},
        {"one, the others equal", {3, 3, 3, 3, 3, 3, 3, 9}, 8, 1, 0.875},
        {"one on each side", {-90, 10, 11, 12, 13, 14, 15, 90}, 8, 2, 16375.78125 / 16451.875},
        {"a pair has none", {1, 100}, 2, 0, 0},
        {"an even number, two far", {10, 11, 10, 11, 10, 12, 11, 10, 50, 52}, 10, 2, 2088.58 / 2614.1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_statistics s;
        double sum = 0;
        for (size_t j = 0; j < rows[i].n; j++)
            sum += rows[i].samples[j];
        assert_int_equal(roof_statistics_of(rows[i].samples, rows[i].n, &s, NULL), ROOF_OK);
        if (s.outliers != rows[i].outliers)
            fail_msg("%s: %" PRIu64, rows[i].what, s.outliers);
        assert_near(s.mean, sum / (double)rows[i].n, 1e-12);
        assert_near(s.outlier_variance_ratio, rows[i].variance_ratio, 1e-12);
    }
}

static void values_that_are_no_numbers_are_refused(void **state)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        double samples[] = {1, 2, bad[i]};
        roof_statistics s = {.count = 77};
        roof_error err;
        assert_int_equal(roof_statistics_of(samples, 3, &s, &err), ROOF_E_DATA);
        assert_non_null(strstr(err.what, "sample 2 is "));
        assert_int_equal(s.count, 77);
    }
}

static void a_mean_of_zero_has_no_coefficient_of_variation(void **state)
{
    static const double samples[] = {-1, 0, 1};
    roof_statistics s;
    (void)state;
    assert_int_equal(roof_statistics_of(samples, 3, &s, NULL), ROOF_OK);
    assert_near(s.std, 1, 0);
    assert_near(s.cov_ratio, NAN, 0);
}

/* The three layers of the KV260 study with a high CoV: one slow run of 110 explains each. */
static void one_outlier_explains_the_high_cov_of_the_study(void **state)
{
    static const struct {
        double mean, std, max;
        uint64_t count;
        bool explained;
        double excess, median;
    } rows[] = {
        {0.368, 0.067, NAN, 110, true, 0.703, 0.362}, /* Conv2d_3_pointwise, 18.2 % */
        {0.531, 0.077, NAN, 110, true, 0.808, 0.524}, /* res4c, 14.5 % */
        {0.572, 0.100, NAN, 110, true, 1.049, 0.562}, /* res5b_branch2b, 17.6 % */
        {0.368, 0.067, 1.064, 110, true, 0.703, 0.362},
        {0.368, 0.067, 0.500, 110, false, 0, 0}, /* the maximum is too small for it */
        {0.487, 0.003, NAN, 110, false, 0, 0},   /* nothing to explain */
        {1.0, 3.0, NAN, 9, false, 0, 0},         /* the rest would be negative */
        {1.0, 0.5, NAN, 4, false, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_statistics s = {
            .count = rows[i].count, .mean = rows[i].mean, .std = rows[i].std, .min = NAN, .max = rows[i].max};
        roof_outlier_reading r;
        if (roof_statistics_one_outlier(&s, &r) != rows[i].explained)
            fail_msg("row %zu", i);
        if (!rows[i].explained)
            continue;
        assert_near(r.excess, rows[i].excess, 5e-4);
        assert_near(r.median, rows[i].median, 5e-4);
        assert_near(r.mean_bias_ratio, rows[i].mean / r.median - 1, 1e-12);
    }
}

/* What is read out of mean and std alone is what the samples would have said. */
static void the_reading_of_one_outlier_agrees_with_the_samples(void **state)
{
    double samples[110];
    roof_statistics s;
    roof_outlier_reading r;
    (void)state;
    for (size_t i = 0; i < COUNT(samples); i++)
        samples[i] = i == 42 ? 1.2 : 0.5;
    assert_int_equal(roof_statistics_of(samples, COUNT(samples), &s, NULL), ROOF_OK);
    assert_true(roof_statistics_one_outlier(&s, &r));
    assert_int_equal(s.outliers, 1);
    assert_near(r.median, s.median, 1e-9);
    assert_near(r.excess, 0.7, 1e-9);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_header_holds),
        cmocka_unit_test(the_interval_of_the_median_is_claimed_only_when_it_holds),
        cmocka_unit_test(outliers_are_flagged_and_stay_in_the_mean),
        cmocka_unit_test(values_that_are_no_numbers_are_refused),
        cmocka_unit_test(a_mean_of_zero_has_no_coefficient_of_variation),
        cmocka_unit_test(one_outlier_explains_the_high_cov_of_the_study),
        cmocka_unit_test(the_reading_of_one_outlier_agrees_with_the_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
