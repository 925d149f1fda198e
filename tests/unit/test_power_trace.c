/* Energy of a window of samples, and the times that logs write. */
#include "measure/import/power.h"
#include "tests/unit/fixture.h"

#include <math.h>

static bool is_close(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

/* Worked by hand: 1 W at 0 s rises to 3 W at 2 s, stays for a second, and falls to 0 at 5 s. */
static void the_energy_of_a_window_is_its_trapezoid(void **state)
{
    static const struct {
        double from_s, to_s, seconds, energy_j, mean_w, most_w, longest_s;
        uint32_t n;
    } rows[] = {{NAN, NAN, 5, 4 + 3 + 3, 2, 3, 2, 4},     {1, 2, 1, 2.5, 2.5, 3, 2, 1},
                {1, NAN, 4, 2.5 + 3 + 3, 2.125, 3, 2, 3}, {NAN, 4, 4, 4 + 3 + 2.25, 2.3125, 3, 2, 3},
                {2.25, 2.75, 0.5, 1.5, 3, NAN, 1, 0}, /* between two samples */
                {7, 9, NAN, NAN, NAN, NAN, NAN, 0},       {5, NAN, NAN, NAN, 0, 0, NAN, 1}};
    power_sample samples[] = {{0, 1}, {2, 3}, {3, 3}, {5, 0}};
    const roof_power_trace trace = {samples, COUNT(samples), 0};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const power_window w = power_over(&trace, rows[i].from_s, rows[i].to_s);
        if (!is_close(w.seconds, rows[i].seconds) || !is_close(w.energy_j, rows[i].energy_j) ||
            !is_close(w.mean_w, rows[i].mean_w) || !is_close(w.most_w, rows[i].most_w) ||
            !is_close(w.longest_s, rows[i].longest_s) || w.n != rows[i].n)
            fail_msg("%zu: %g s, %g J, mean %g W, most %g W, longest %g s, %u", i, w.seconds, w.energy_j,
                     w.mean_w, w.most_w, w.longest_s, w.n);
    }
}

static void samples_without_times_have_a_mean_and_no_energy(void **state)
{
    power_sample samples[] = {{NAN, 1}, {NAN, 2}, {NAN, 6}};
    const power_window w = power_over(&(roof_power_trace){samples, COUNT(samples), 0}, NAN, NAN);
    (void)state;
    assert_true(w.mean_w == 3 && w.n == 3);
    assert_true(isnan(w.seconds) && isnan(w.energy_j) && isnan(w.longest_s));
}

static void what_is_no_power_is_refused(void **state)
{
    static const double watts[] = {NAN, INFINITY, -INFINITY, 1e10};
    roof_measured *m = measured_new();
    roof_power_trace trace = {0};
    (void)state;
    for (size_t i = 0; i < COUNT(watts); i++)
        assert_int_equal(power_add(m, &trace, (power_sample){0, watts[i]}, NULL), ROOF_E_DATA);
    trace.n = POWER_MAX_SAMPLES;
    assert_int_equal(power_add(m, &trace, (power_sample){0, 1}, NULL), ROOF_E_LIMIT);
    roof_measured_free(m);
}

/* The last of these times, after the others. */
static void times_are_those_since_the_first(void **state)
{
    static const struct {
        const char *times[3];
        double unit_s, last_s;
        bool is_local;
    } rows[] = {{{"0", "3", "61"}, 1, 61, false},
                {{"100.5", "100.75"}, 1e-3, 0.25e-3, false},
                {{"1.5e3", "2e3"}, 1, 500, false},
                {{"18:31:48", "18:32:00.5"}, 0, 12.5, true},
                {{"23:59:59", "00:00:01", "00:00:02"}, 0, 3, true}, /* through midnight */
                {{"2026/08/17 22:35:54.844", "2026/08/17 22:35:56.344"}, 0, 1.5, true},
                {{"2024-02-28T23:59:59Z", "2024-03-01T00:00:00Z"}, 0, 86401, false}, /* a leap year */
                {{"2023-12-31 00:00:00+01:00", "2024-01-01 00:00:00+01:00"}, 0, 86400, false},
                {{"08-31-2023 10:15:04", "09-01-2023 10:15:04"}, 0, 86400, true},
                {{"1720000000", "1720000002.25"}, 0, 2.25, false},
                {{"1720000000123", "1720000000124"}, 0, 1e-3, false},
                {{"1720000000123456789", "1720000000123456790"}, 0, 1e-9, false}}; /* beyond a double */
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        timestamp_clock clock = {.unit_s = rows[i].unit_s};
        double at_s = NAN;
        roof_error err;
        for (size_t k = 0; k < 3 && rows[i].times[k]; k++)
            if (timestamp_read(&clock, span_of(rows[i].times[k]), &at_s, &err) != ROOF_OK)
                fail_msg("%s: %s", rows[i].times[k], fx_message(&err));
        if (!(fabs(at_s - rows[i].last_s) <= 1e-15 + 1e-12 * rows[i].last_s) ||
            clock.is_local != rows[i].is_local)
            fail_msg("%s: %.17g", rows[i].times[1], at_s);
    }
}

static void what_is_no_time_or_goes_back_is_refused(void **state)
{
    static const struct {
        const char *before, *text, *words;
        double unit_s;
    } rows[] = {{NULL, "12.5", "has no unit", 0},
                {NULL, "noon", "want a number", 1},
                {NULL, "-1", "want 0 or more", 1},
                {NULL, "1.5.2", "want a number", 1},
                {NULL, "25:00:00", "want a number", 1},
                {NULL, "2026/13/01 00:00:00", "want a number", 1},
                {NULL, "1e300", "beyond what can be distinguished", 1},
                {"5", "4", "is before the one above it", 1},
                {"18:00:00", "17:00:00", "is before the one above it", 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        timestamp_clock clock = {.unit_s = rows[i].unit_s};
        double at_s;
        roof_error err = {0};
        if (rows[i].before)
            assert_int_equal(timestamp_read(&clock, span_of(rows[i].before), &at_s, &err), ROOF_OK);
        if (timestamp_read(&clock, span_of(rows[i].text), &at_s, &err) != ROOF_E_DATA ||
            !strstr(err.what, rows[i].words))
            fail_msg("%s: %s", rows[i].text, err.what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_energy_of_a_window_is_its_trapezoid),
        cmocka_unit_test(samples_without_times_have_a_mean_and_no_energy),
        cmocka_unit_test(what_is_no_power_is_refused),
        cmocka_unit_test(times_are_those_since_the_first),
        cmocka_unit_test(what_is_no_time_or_goes_back_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
