/* Changes of a series over many seeds: series without one show one seldom enough, whatever their noise is,
 * and a planted change of three deviations is found within five runs. Prints the shares. ROOF_SEED sets where
 * to start. */
#include "measure/history/change_points.h"
#include "core/arena.h"
#include "tests/property/seeded.h"
#include "tests/support/sample.h"
#include "tests/unit/fixture.h"

enum { MOST = 1000 };

static double values[MOST];

static int begin(void **state)
{
    (void)state;
    return seeded_begin(20261124);
}

static double of_normal(void)
{
    return 1 + 0.01 * gsl_ran_gaussian(rng, 1);
}

/* Heavy tails: some runs are far off, as on a busy machine. */
static double of_student(void)
{
    return exp(0.01 * gsl_ran_tdist(rng, 2));
}

static double of_clock(void) /* ticks: most values are there several times */
{
    return 1 + 0.01 * (double)gsl_rng_uniform_int(rng, 4);
}

static double of_skewed(void)
{
    return 1 + gsl_ran_exponential(rng, 0.01);
}

static uint32_t count_segments(uint32_t n)
{
    roof_arena *arena = arena_new(0);
    change_points found;
    roof_error err;
    assert_int_equal(change_points_find(values, n, arena, &found, &err), ROOF_OK);
    uint32_t segments = found.n;
    arena_free(arena);
    return segments;
}

static void series_without_a_change_show_one_in_200(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double (*draw)(void);
        uint32_t n;
        unsigned trials;
    } cases[] = {
        {"normal, 50 runs", of_normal, 50, 40000},      {"Student's t of 2, 50 runs", of_student, 50, 40000},
        {"exponential, 50 runs", of_skewed, 50, 20000}, {"four ticks, 50 runs", of_clock, 50, 20000},
        {"normal, 20 runs", of_normal, 20, 40000},      {"normal, 200 runs", of_normal, 200, 12000},
        {"normal, 1000 runs", of_normal, 1000, 3000}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        const unsigned trials = sample_of(cases[c].trials, 6);
        unsigned n_false = 0;
        for (unsigned t = 0; t < trials; t++) {
            for (uint32_t i = 0; i < cases[c].n; i++)
                values[i] = cases[c].draw();
            n_false += count_segments(cases[c].n) > 1;
        }
        /* so many as chance has at most, at 1 in 1000, where 1 of 200 is false */
        const double mean = trials / (double)CHANGE_ONE_FALSE_IN, most = mean + 3.3 * sqrt(mean);
        printf("%-26s %u of %u, at most %.0f\n", cases[c].name, n_false, trials, most);
        if (n_false > most)
            fail_msg("%s: %u of %u series show a change that is none", cases[c].name, n_false, trials);
    }
}

/* Looks after each new run, as one that adds them does. */
static bool is_found_within(uint32_t before, uint32_t most)
{
    for (uint32_t m = 1; m <= most; m++)
        if (count_segments(before + m) > 1)
            return true;
    return false;
}

static void a_change_of_three_deviations_is_found_within_five_runs(void **state)
{
    (void)state;
    static const struct {
        uint32_t before;
        unsigned trials;
        double factor;
        double least; /* share that is found */
    } cases[] = {{45, 9000, 1.03, 0.95},
                 {45, 9000, 0.97, 0.95},
                 {95, 6000, 1.03, 0.95},
                 {195, 3000, 1.03, 0.96},
                 {900, 1200, 1.03, 0.96}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        const unsigned trials = sample_of(cases[c].trials, 6);
        unsigned found = 0;
        for (unsigned t = 0; t < trials; t++) {
            for (uint32_t i = 0; i < cases[c].before + 5; i++)
                values[i] = of_normal() * (i < cases[c].before ? 1 : cases[c].factor);
            found += is_found_within(cases[c].before, 5);
        }
        const double least =
            trials * cases[c].least - 2 * sqrt(trials * cases[c].least * (1 - cases[c].least));
        printf("%u runs, then %.2f: found in %.1f %%\n", cases[c].before, cases[c].factor,
               100.0 * found / trials);
        if (found < least)
            fail_msg("%u of %u changes are found within five runs", found, trials);
    }
}

/* Of independent runs no neighbour tells of the next; of a process that remembers false changes are more, and
 * the documentation says how many. */
static void runs_that_remember_show_false_changes_in_a_fifth_at_most(void **state)
{
    (void)state;
    static const double memories[] = {0.2, 0.4, 0.6, 0.8};
    const unsigned trials = sample_of(6000, 6);
    for (size_t c = 0; c < COUNT(memories); c++) {
        unsigned n_false = 0;
        for (unsigned t = 0; t < trials; t++) {
            double x = gsl_ran_gaussian(rng, 1);
            for (uint32_t i = 0; i < 50; i++) {
                x = memories[c] * x + sqrt(1 - memories[c] * memories[c]) * gsl_ran_gaussian(rng, 1);
                values[i] = 1 + 0.01 * x;
            }
            n_false += count_segments(50) > 1;
        }
        printf("memory %.1f: %.1f %%\n", memories[c], 100.0 * n_false / trials);
        assert_true(n_false < 0.2 * trials);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(series_without_a_change_show_one_in_200),
        cmocka_unit_test(a_change_of_three_deviations_is_found_within_five_runs),
        cmocka_unit_test(runs_that_remember_show_false_changes_in_a_fifth_at_most),
    };
    return cmocka_run_group_tests(tests, begin, seeded_end);
}
