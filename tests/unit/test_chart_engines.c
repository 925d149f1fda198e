/* How busy each engine is: shares of the ideal time, areas that are honest, and what is not known. */
#include "tests/unit/drawn_fixture.h"

static uint64_t mixed(uint32_t layer, uint32_t engine)
{
    static const uint64_t cycles[][4] = {{100, 50, 0, 25}, {20, 200, 0, 100}, {300, 30, 0, 0}, {0, 0, 0, 0}};
    return cycles[layer % COUNT(cycles)][engine % 4];
}

static uint64_t half_known(uint32_t layer, uint32_t engine)
{
    return layer == 1 && engine == 1 ? ROOF_UNKNOWN : engine > 1 ? ROOF_UNKNOWN : 100;
}

static uint64_t many(uint32_t layer, uint32_t engine)
{
    return layer * 37 % 91 + engine * 53 % 97 + 1;
}

/* As in the table's total row: cycles of the engine in all, over ideal cycles in all. */
static void occupancy_is_total_cycles_over_ideal_cycles(void **state)
{
    roof_arena *arena = arena_new(0);
    const roof_prediction *p = df_network(arena, 4, 4, mixed);
    const chart_source s = {.prediction = p};
    static const struct {
        uint32_t engine, binds;
    } rows[] = {{0, 2}, {1, 1}, {3, 0}}; /* engine 2 does nothing */
    chart_figure f;
    (void)state;
    assert_true(df_drawn("engines", &s, &f));
    const df_block *engines = df_read_block(&f, "engines");
    assert_int_equal(engines->n, COUNT(rows));
    for (size_t i = 0; i < COUNT(rows); i++) {
        double want =
            (double)p->total.deployed.cycles[rows[i].engine] / (double)p->total.deployed.ideal_cycles;
        df_assert_near(engines->values[i][1], want, 1e-9);
        df_assert_near(engines->values[i][2], rows[i].binds, 0);
    }
    assert_true(cf_says(&f, "1 layer without an ideal is left out"));
    assert_non_null(
        strstr(f.title, "conv is busiest, 70 % of the ideal time; overlap of layers could gain 30 %"));
    figure_free(&f);
    arena_free(arena);
}

/* Shade times width, over the whole width, is the occupancy: nothing is lost where cells or layers are
 * merged. */
static void areas_sum_up_to_the_occupancy(void **state)
{
    static const uint32_t sizes[] = {1, 3, 36, 500, 5000};
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        roof_arena *arena = arena_new(0);
        const roof_prediction *p = df_network(arena, sizes[i], 3, many);
        const chart_source s = {.prediction = p};
        double area[3] = {0}, whole = 0;
        chart_figure f;
        assert_true(df_drawn("engines", &s, &f));
        const df_block *cells = df_read_block(&f, "cells");
        for (size_t c = 0; c < cells->n; c++) {
            const double *cell = cells->values[c];
            area[2 - (int)cell[2]] += (cell[1] - cell[0]) * cell[3];
            whole = fmax(whole, cell[1]);
        }
        const df_block *engines = df_read_block(&f, "engines");
        for (size_t e = 0; e < 3; e++)
            df_assert_near(area[e] / whole, engines->values[e][1], 1e-6);
        figure_free(&f);
        arena_free(arena);
    }
}

/* An engine of which nothing is known has no row; one of which something is not known is hatched there. */
static void what_is_not_known_is_never_nothing(void **state)
{
    roof_arena *arena = arena_new(0);
    const chart_source s = {.prediction = df_network(arena, 3, 3, half_known)};
    chart_figure f;
    (void)state;
    assert_true(df_drawn("engines", &s, &f));
    assert_int_equal(df_read_block(&f, "engines")->n, 2);
    assert_int_equal(df_read_block(&f, "cells")->n, 3); /* conv in one, the other before and behind the gap */
    assert_true(cf_says(&f, "not known"));
    assert_true(cf_says(&f, "> 66.7 %"));
    assert_true(df_read_block(&f, "rules")->n > 10);
    figure_free(&f);
    arena_free(arena);
}

static void rows_of_24_engines_stay_apart(void **state)
{
    static const uint32_t sizes[] = {1, 36, 5000};
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (int narrow = 0; narrow < 2; narrow++) {
            roof_arena *arena = arena_new(0);
            const chart_source s = {.prediction = df_network(arena, sizes[i], ROOF_MAX_ENGINES, many)};
            chart_figure f;
            assert_true(cf_draw("engines", &s, narrow ? canvas_narrow : canvas_wide, &f));
            assert_int_equal(df_read_block(&f, "engines")->n, ROOF_MAX_ENGINES);
            df_check_labels("engines", &f);
            figure_free(&f);
            arena_free(arena);
        }
}

static void without_cycles_there_is_nothing(void **state)
{
    roof_arena *arena = arena_new(0);
    roof_prediction *idle = df_network(arena, 4, 3, mixed), *unknown = df_network(arena, 4, 3, mixed);
    const chart_source rows[] = {{0}, {.prediction = idle}, {.prediction = unknown}};
    chart_figure f;
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        idle->layers[i].deployed.ideal_cycles = 0;
        unknown->layers[i].deployed.cycles = NULL;
    }
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_false(df_drawn("engines", &rows[i], &f));
        figure_free(&f);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(occupancy_is_total_cycles_over_ideal_cycles),
        cmocka_unit_test(areas_sum_up_to_the_occupancy),
        cmocka_unit_test(what_is_not_known_is_never_nothing),
        cmocka_unit_test(rows_of_24_engines_stay_apart),
        cmocka_unit_test(without_cycles_there_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
