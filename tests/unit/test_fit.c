/* Straight lines through few points: the figures of the KV260 study, honest intervals, no line where there is
 * none. */
#include "roofline/fit.h"
#include "tests/unit/fixture.h"

static void assert_near(double got, double want, double tolerance)
{
    if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= tolerance))
        fail_msg("got %.17g, want %.17g", got, want);
}

/* MobileNet V1, V2, ResNet-50: boundaries, and three differences of its tables 1, 2 and of its text, in
 * ms. */
static const double boundaries[] = {15, 36, 55};
static const double per_layer_minus_bypass[] = {7.894 - 5.343, 11.289 - 5.935, 25.333 - 16.075};
static const double per_layer_minus_sum[] = {7.894 - 5.651, 11.289 - 8.884, 25.333 - 22.660};
static const double sum_minus_bypass[] = {5.651 - 5.343, 8.884 - 5.935, 22.660 - 16.075};

static void the_overhead_of_the_study_is_reproduced(void **state)
{
    roof_fit f;
    double residuals[3];
    (void)state;
    assert_int_equal(roof_fit_line(boundaries, per_layer_minus_bypass, 3, ROOF_INTERCEPT_NONE_EXPECTED, &f,
                                   residuals, NULL),
                     ROOF_OK);
    const roof_line *line = &f.lines[ROOF_LINE_FREE], *origin = &f.lines[ROOF_LINE_ORIGIN];
    assert_near(line->slope.value, 0.1671, 5e-5);
    assert_near(line->slope.se, 0.0207, 5e-5);
    assert_near(line->slope.ci95_low, -0.10, 5e-3);
    assert_near(line->slope.ci95_high, 0.43, 5e-3);
    assert_near(line->intercept.value, -0.18, 5e-3);
    assert_near(line->intercept.se, 0.81, 5e-3);
    assert_near(line->r2, 0.985, 5e-4);
    assert_int_equal(line->dof, 1);
    assert_near(origin->slope.value, 0.1628, 5e-5);
    assert_near(origin->slope.se, 0.0063, 5e-5);
    assert_near(origin->slope.ci95_low, 0.136, 5e-4);
    assert_near(origin->slope.ci95_high, 0.190, 5e-4);
    assert_int_equal(origin->dof, 2);
    assert_false(f.lines[ROOF_LINE_ROBUST].known);
    assert_false(f.intercept_differs_from_zero);
    assert_int_equal(f.chosen, ROOF_LINE_ORIGIN);
    assert_int_equal(f.reason, ROOF_FIT_NO_INTERCEPT);
    static const double of_origin[] = {0.11, -0.51, 0.30}, of_free[] = {0.227, -0.478, 0.251};
    for (size_t i = 0; i < 3; i++) {
        assert_near(residuals[i], of_origin[i], 5e-3);
        assert_near(per_layer_minus_bypass[i] - line->intercept.value - line->slope.value * boundaries[i],
                    of_free[i], 5e-4);
    }
}

static void the_other_fits_of_the_study_are_reproduced(void **state)
{
    static const struct {
        const double *y;
        double slope, slope_se, slope_tolerance, intercept, intercept_se, intercept_tolerance, r2;
        bool differs;
    } rows[] = {
        {per_layer_minus_sum, 0.0107, 0.0018, 5e-5, 2.062, 0.072, 5e-4, 0.971, true},
        {sum_minus_bypass, 0.1564, 0.0189, 5e-5, -2.24, 0.73, 5e-3, 0.986, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_fit f;
        assert_int_equal(roof_fit_line(boundaries, rows[i].y, 3, ROOF_INTERCEPT_EXPECTED, &f, NULL, NULL),
                         ROOF_OK);
        const roof_line *line = &f.lines[ROOF_LINE_FREE];
        assert_near(line->slope.value, rows[i].slope, rows[i].slope_tolerance);
        assert_near(line->slope.se, rows[i].slope_se, rows[i].slope_tolerance);
        assert_near(line->intercept.value, rows[i].intercept, rows[i].intercept_tolerance);
        assert_near(line->intercept.se, rows[i].intercept_se, rows[i].intercept_tolerance);
        assert_near(line->r2, rows[i].r2, 5e-4);
        assert_int_equal(f.intercept_differs_from_zero, rows[i].differs);
        assert_int_equal(f.chosen, ROOF_LINE_FREE);
    }
}

/* At 0 the band of the free line is the interval of its intercept; through the origin it is that of the
 * slope, times x. */
static void the_band_of_a_line_is_that_of_its_estimates(void **state)
{
    roof_fit f;
    (void)state;
    assert_int_equal(
        roof_fit_line(boundaries, per_layer_minus_bypass, 3, ROOF_INTERCEPT_NONE_EXPECTED, &f, NULL, NULL),
        ROOF_OK);
    const roof_line *free_line = &f.lines[ROOF_LINE_FREE], *origin = &f.lines[ROOF_LINE_ORIGIN];
    assert_near(roof_fit_mean_half_width(&f, ROOF_LINE_FREE, 0), 10.2, 0.05);
    assert_near(roof_fit_mean_half_width(&f, ROOF_LINE_FREE, 0),
                free_line->intercept.ci95_high - free_line->intercept.value, 1e-9);
    assert_near(roof_fit_mean_half_width(&f, ROOF_LINE_FREE, f.x_mean),
                roof_fit_t95(1) * free_line->residual_std / sqrt(3), 1e-9);
    static const double at[] = {-7, 0, 1, 55};
    for (size_t i = 0; i < COUNT(at); i++)
        assert_near(roof_fit_mean_half_width(&f, ROOF_LINE_ORIGIN, at[i]),
                    fabs(at[i]) * (origin->slope.ci95_high - origin->slope.value), 1e-9);
    assert_true(isnan(roof_fit_mean_half_width(&f, ROOF_LINE_ROBUST, 1)));
}

/* Norris, NIST Statistical Reference Datasets: certified values of a linear regression with 36 points. */
static void certified_values_of_nist_are_reproduced(void **state)
{
    static const double y[] = {0.1,   338.8, 118.1, 888.0, 9.2,   228.1, 668.5, 998.5, 449.1,
                               778.9, 559.2, 0.3,   0.1,   778.1, 668.8, 339.3, 448.9, 10.8,
                               557.7, 228.3, 998.0, 888.8, 119.6, 0.3,   0.6,   557.6, 339.3,
                               888.0, 998.5, 778.9, 10.2,  117.6, 228.9, 668.4, 449.2, 0.2};
    static const double x[] = {0.2,   337.4, 118.2, 884.6, 10.1,  226.5, 666.3, 996.3, 448.6,
                               777.0, 558.2, 0.4,   0.6,   775.5, 666.9, 338.0, 447.5, 11.6,
                               556.0, 228.1, 995.8, 887.6, 120.2, 0.3,   0.3,   556.8, 339.1,
                               887.2, 999.0, 779.0, 11.1,  118.3, 229.2, 669.1, 448.9, 0.5};
    roof_fit f;
    (void)state;
    assert_int_equal(roof_fit_line(x, y, COUNT(x), ROOF_INTERCEPT_NONE_EXPECTED, &f, NULL, NULL), ROOF_OK);
    const roof_line *line = &f.lines[ROOF_LINE_FREE];
    assert_near(line->slope.value, 1.00211681802045, 1e-12);
    assert_near(line->slope.se, 0.429796848199937e-3, 1e-14);
    assert_near(line->intercept.value, -0.262323073774029, 1e-10);
    assert_near(line->intercept.se, 0.232818234301152, 1e-11);
    assert_near(line->r2, 0.999993745883712, 1e-12);
    assert_near(line->residual_std, 0.884796396144373, 1e-11);
    assert_int_equal(line->dof, 34);
    assert_true(f.lines[ROOF_LINE_ROBUST].known);
}

static void one_wild_point_moves_the_robust_line_least(void **state)
{
    double x[12], y[12];
    roof_fit f;
    (void)state;
    for (size_t i = 0; i < 12; i++) {
        x[i] = (double)(i + 1);
        y[i] = 2 * x[i] + 1 + (i % 2 ? 0.01 : -0.01);
    }
    y[11] += 50;
    assert_int_equal(roof_fit_line(x, y, 12, ROOF_INTERCEPT_EXPECTED, &f, NULL, NULL), ROOF_OK);
    assert_near(f.lines[ROOF_LINE_ROBUST].slope.value, 2, 0.01);
    assert_near(f.lines[ROOF_LINE_ROBUST].intercept.value, 1, 0.05);
    assert_true(fabs(f.lines[ROOF_LINE_FREE].slope.value - 2) > 0.5);
}

static void without_three_boundary_counts_there_is_no_line(void **state)
{
    static const struct {
        double x[4];
        size_t n;
        size_t distinct_x;
    } rows[] = {{{0}, 0, 0}, {{15}, 1, 1}, {{15, 36, 15, 36}, 4, 2}};
    static const double y[] = {1, 2, 3, 4};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_fit f;
        double residuals[4] = {0};
        assert_int_equal(
            roof_fit_line(rows[i].x, y, rows[i].n, ROOF_INTERCEPT_NONE_EXPECTED, &f, residuals, NULL),
            ROOF_OK);
        assert_int_equal(f.reason, ROOF_FIT_TOO_FEW);
        assert_int_equal(f.distinct_x, rows[i].distinct_x);
        for (int kind = 0; kind < ROOF_LINE_KINDS; kind++) {
            assert_false(f.lines[kind].known);
            assert_true(isnan(f.lines[kind].slope.value));
            assert_true(isnan(roof_fit_slope_half_width_with(&f, (roof_line_kind)kind, 100)));
        }
        assert_true(rows[i].n == 0 || isnan(residuals[0]));
    }
}

static void the_width_with_one_more_point_is_foretold(void **state)
{
    roof_fit f, four;
    double x[] = {15, 36, 55, 100}, y[4];
    (void)state;
    memcpy(y, per_layer_minus_bypass, sizeof per_layer_minus_bypass);
    assert_int_equal(roof_fit_line(x, y, 3, ROOF_INTERCEPT_NONE_EXPECTED, &f, NULL, NULL), ROOF_OK);
    assert_near(roof_fit_slope_half_width_with(&f, ROOF_LINE_FREE, 100), 0.040, 5e-4);
    /* A fourth point that keeps the mean square of the residuals: each kind of line is as wide as
     * foretold. */
    for (int kind = ROOF_LINE_FREE; kind <= ROOF_LINE_ORIGIN; kind++) {
        const roof_line *line = &f.lines[kind];
        double low = 0, high = 10;
        for (int i = 0; i < 100; i++) { /* how far off the line it has to lie for that */
            y[3] = line->intercept.value + line->slope.value * 100 + (low + high) / 2;
            assert_int_equal(roof_fit_line(x, y, 4, ROOF_INTERCEPT_NONE_EXPECTED, &four, NULL, NULL),
                             ROOF_OK);
            if (four.lines[kind].residual_std < line->residual_std)
                low = (low + high) / 2;
            else
                high = (low + high) / 2;
        }
        const roof_estimate *slope = &four.lines[kind].slope;
        assert_near((slope->ci95_high - slope->ci95_low) / 2,
                    roof_fit_slope_half_width_with(&f, (roof_line_kind)kind, 100), 1e-9);
    }
}

static void a_perfect_line_has_no_width(void **state)
{
    static const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {3, 5, 7, 9, 11, 13};
    roof_fit f;
    (void)state;
    assert_int_equal(roof_fit_line(x, y, 6, ROOF_INTERCEPT_NONE_EXPECTED, &f, NULL, NULL), ROOF_OK);
    assert_near(f.lines[ROOF_LINE_FREE].slope.value, 2, 1e-12);
    assert_near(f.lines[ROOF_LINE_FREE].slope.se, 0, 1e-7);
    assert_near(f.lines[ROOF_LINE_ROBUST].slope.value, 2, 1e-9);
    assert_int_equal(f.chosen, ROOF_LINE_FREE);
}

static void points_that_are_no_numbers_are_refused(void **state)
{
    static const double good[] = {1, 2, 3}, bad[] = {1, NAN, 3};
    roof_fit f = {.n = 77};
    roof_error err;
    (void)state;
    assert_int_equal(roof_fit_line(bad, good, 3, ROOF_INTERCEPT_EXPECTED, &f, NULL, &err), ROOF_E_DATA);
    assert_string_equal(err.what, "point 1 is (unknown, 2), want finite numbers");
    assert_int_equal(roof_fit_line(good, bad, 3, ROOF_INTERCEPT_EXPECTED, &f, NULL, &err), ROOF_E_DATA);
    assert_int_equal(f.n, 77);
}

static void students_t_has_its_tabled_values(void **state)
{
    (void)state;
    assert_near(roof_fit_t95(0), NAN, 0);
    assert_near(roof_fit_t95(1), 12.706, 5e-4);
    assert_near(roof_fit_t95(2), 4.303, 5e-4);
    assert_near(roof_fit_t95(1000000), 1.960, 5e-4);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_overhead_of_the_study_is_reproduced),
        cmocka_unit_test(the_band_of_a_line_is_that_of_its_estimates),
        cmocka_unit_test(the_other_fits_of_the_study_are_reproduced),
        cmocka_unit_test(certified_values_of_nist_are_reproduced),
        cmocka_unit_test(one_wild_point_moves_the_robust_line_least),
        cmocka_unit_test(without_three_boundary_counts_there_is_no_line),
        cmocka_unit_test(the_width_with_one_more_point_is_foretold),
        cmocka_unit_test(a_perfect_line_has_no_width),
        cmocka_unit_test(points_that_are_no_numbers_are_refused),
        cmocka_unit_test(students_t_has_its_tabled_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
