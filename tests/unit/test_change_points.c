/* Where a series changes: planted changes, series without one, and what ranks cannot see. */
#include "measure/history/change_points.h"
#include "core/arena.h"
#include "tests/support/history_runs.h"
#include "tests/unit/fixture.h"

enum { MOST = 300 };

static double values[MOST];

static change_points find(uint32_t n, roof_arena **arena)
{
    change_points found;
    roof_error err;
    *arena = arena_new(0);
    assert_int_equal(change_points_find(values, n, *arena, &found, &err), ROOF_OK);
    return found;
}

/* Noise of 1 % around levels of so many runs each. */
static void fill(const double *levels, const uint32_t *counts, size_t n_levels)
{
    uint64_t noise = 11;
    uint32_t n = 0;
    for (size_t i = 0; i < n_levels; i++)
        for (uint32_t k = 0; k < counts[i]; k++)
            values[n++] = levels[i] * history_noise(&noise);
}

static void levels_are_found_where_they_begin(void **state)
{
    (void)state;
    static const struct {
        double levels[4];
        uint32_t counts[4], n;
    } cases[] = {{{1, 1.1}, {20, 5}, 2},
                 {{1, 0.9}, {40, 40}, 2},
                 {{1, 1.1, 1}, {30, 30, 30}, 3},
                 {{1, 1.1, 1.2, 1.05}, {60, 20, 40, 30}, 4},
                 {{1}, {100}, 1}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        uint32_t first = 0, n = 0;
        roof_arena *arena;
        for (uint32_t i = 0; i < cases[c].n; i++)
            n += cases[c].counts[i];
        fill(cases[c].levels, cases[c].counts, cases[c].n);
        change_points found = find(n, &arena);
        assert_int_equal(found.n, cases[c].n);
        for (uint32_t i = 0; i < found.n; i++) {
            const roof_history_segment *s = &found.segments[i];
            assert_int_equal(s->first, first);
            assert_int_equal(s->n, cases[c].counts[i]);
            assert_true(fabs(s->median / cases[c].levels[i] - 1) < 0.01);
            if (i) {
                double ratio = cases[c].levels[i] / cases[c].levels[i - 1];
                assert_true(fabs(s->ratio / ratio - 1) < 0.015);
                assert_true(s->ratio_ci95[0] < s->ratio && s->ratio < s->ratio_ci95[1]);
                assert_true(s->p <= change_points_level(n));
            } else
                assert_true(isnan(s->ratio) && isnan(s->p));
            first += s->n;
        }
        arena_free(arena);
    }
}

static void equal_values_and_a_few_are_one_segment(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 2, 5, 6, 13, 200};
    for (size_t c = 0; c < COUNT(counts); c++) {
        roof_arena *arena;
        for (uint32_t i = 0; i < counts[c]; i++)
            values[i] = 2;
        change_points found = find(counts[c], &arena);
        assert_int_equal(found.n, 1);
        assert_int_equal(found.segments->n, counts[c]);
        assert_true(found.segments->median == 2 && found.noise_factor == 1);
        arena_free(arena);
    }
}

/* One outlier is none, however far it is off; nor is one at the end. */
static void outliers_are_no_change(void **state)
{
    (void)state;
    for (uint32_t at = 0; at < 60; at += 59) {
        roof_arena *arena;
        fill((double[]){1}, (uint32_t[]){60}, 1);
        values[at] = 1000;
        assert_int_equal(find(60, &arena).n, 1);
        arena_free(arena);
    }
}

/* A wave is no row of changes: what follows each other is alike, and that is noise. */
static void a_slow_wave_of_noise_is_one_segment(void **state)
{
    (void)state;
    roof_arena *arena;
    uint64_t noise = 3;
    double x = 0;
    for (uint32_t i = 0; i < 200; i++) {
        x = 0.7 * x + history_noise(&noise) - 1;
        values[i] = 1 + x;
    }
    change_points found = find(200, &arena);
    assert_int_equal(found.n, 1);
    assert_true(found.noise_factor > 2 && found.noise_factor < 12);
    arena_free(arena);
}

/* Of a drift come steps that go its way. */
static void a_drift_becomes_steps(void **state)
{
    (void)state;
    roof_arena *arena;
    uint64_t noise = 5;
    for (uint32_t i = 0; i < 200; i++)
        values[i] = (1 + 0.2 * i / 200) * history_noise(&noise);
    change_points found = find(200, &arena);
    assert_true(found.n > 2);
    for (uint32_t i = 1; i < found.n; i++)
        assert_true(found.segments[i].ratio > 1);
    arena_free(arena);
}

/* The chance of five values above n others is 1 in the number of ways to choose five: so many runs it
 * takes. */
static void enough_runs_are_those_whose_best_place_is_below_the_level(void **state)
{
    (void)state;
    for (uint32_t n = 1; n < 200; n++) {
        double ways = 1;
        for (uint32_t i = 0; i < 5 && n > 5; i++)
            ways = ways * (n - i) / (i + 1);
        if (2 * 2 / ways < change_points_level(n)) /* by the approximation, which errs on the safe side */
            assert_true(n < 8 || change_points_can_tell(n));
        if (n < 8 || 2 / ways > change_points_level(n))
            assert_false(change_points_can_tell(n));
    }
}

static void without_memory_it_says_so(void **state)
{
    (void)state;
    fill((double[]){1, 1.2}, (uint32_t[]){20, 20}, 2);
    for (size_t limit = 1; limit < 40000; limit += 97) {
        roof_arena *arena = arena_new(limit);
        change_points found;
        roof_error err;
        if (!arena)
            continue;
        roof_status status = change_points_find(values, 40, arena, &found, &err);
        assert_true(status == ROOF_E_NO_MEMORY || (status == ROOF_OK && found.n == 2));
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_found_where_they_begin),
        cmocka_unit_test(equal_values_and_a_few_are_one_segment),
        cmocka_unit_test(outliers_are_no_change),
        cmocka_unit_test(a_slow_wave_of_noise_is_one_segment),
        cmocka_unit_test(a_drift_becomes_steps),
        cmocka_unit_test(enough_runs_are_those_whose_best_place_is_below_the_level),
        cmocka_unit_test(without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
