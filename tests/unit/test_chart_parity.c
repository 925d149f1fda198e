/* Ideal against measured: where layers stand, which are below their bound, and what is left out. */
#include "reports/charts/palette.h"
#include "tests/unit/drawn_fixture.h"

static uint64_t cycles_of(uint32_t layer, uint32_t engine)
{
    return engine ? 10 : 100 * (layer + 1);
}

/* Layer 2 is faster than its bound; 4 was measured as nothing, 5 not at all. */
static double factor_of(uint32_t layer)
{
    static const double factors[] = {2, 0.5, 6, 0, NAN};
    return factors[layer % COUNT(factors)];
}

static double slower(uint32_t layer)
{
    return 1.5 + layer % 9;
}

static chart_source measured_source(roof_arena *arena, uint32_t n, double (*factor)(uint32_t),
                                    double overhead_s)
{
    const roof_prediction *p = df_network(arena, n, 2, cycles_of);
    return (chart_source){.prediction = p, .experiment = df_experiment(arena, p, factor, overhead_s)};
}

static void points_stand_at_ideal_and_measured(void **state)
{
    static const double want[][3] = {{3, 0.3, 1.8}, {1, 0.1, 0.2}, {2, 0.2, 0.1}};
    roof_arena *arena = arena_new(0);
    const chart_source s = measured_source(arena, 5, factor_of, 50e-6);
    chart_figure f;
    (void)state;
    assert_true(df_drawn("parity", &s, &f));
    const df_block *points = df_read_block(&f, "points");
    assert_int_equal(points->n, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++) {
        df_assert_near(points->values[i][0], want[i][0], 0);
        df_assert_near(points->values[i][2], want[i][1], 1e-9);
        df_assert_near(points->values[i][3], want[i][2], 1e-9);
    }
    assert_true(cf_says(&f, "2 without measured or ideal time"));
    figure_free(&f);
    arena_free(arena);
}

static void what_timing_cost_is_taken_off(void **state)
{
    roof_arena *arena = arena_new(0);
    const chart_source s = measured_source(arena, 3, slower, 50e-6),
                       without = measured_source(arena, 3, slower, 0);
    chart_figure f;
    (void)state;
    assert_true(df_drawn("parity", &s, &f));
    const df_block *drops = df_read_block(&f, "corrected");
    assert_int_equal(drops->n, 3);
    for (size_t i = 0; i < drops->n; i++)
        df_assert_near(drops->values[i][1] - drops->values[i][2], 0.05, 1e-9);
    assert_true(cf_says(&f, "without the profiling overhead"));
    figure_free(&f);
    assert_true(df_drawn("parity", &without, &f));
    assert_int_equal(df_read_block(&f, "corrected")->n, 0);
    assert_false(cf_says(&f, "without the profiling overhead"));
    assert_non_null(strstr(f.caption, "is unknown"));
    figure_free(&f);
    arena_free(arena);
}

static void a_layer_below_its_bound_is_marked(void **state)
{
    roof_arena *arena = arena_new(0);
    const chart_source s = measured_source(arena, 5, factor_of, 50e-6),
                       good = measured_source(arena, 3, slower, 50e-6);
    chart_figure f;
    (void)state;
    assert_true(df_drawn("parity", &s, &f));
    const df_block *marks = df_read_block(&f, "below-bound");
    assert_int_equal(marks->n, 1);
    df_assert_near(marks->values[0][0], 2, 0);
    assert_non_null(strstr(f.title, "1 of 3 layers is faster than the bound, which is impossible"));
    assert_true(cf_says(&f, "faster than the bound: impossible"));
    figure_free(&f);
    assert_true(df_drawn("parity", &good, &f));
    assert_int_equal(df_read_block(&f, "below-bound")->n, 0);
    assert_false(cf_says(&f, "faster than the bound: impossible"));
    figure_free(&f);
    arena_free(arena);
}

static double rarely_impossible(uint32_t layer)
{
    return layer < 10 ? 0.5 : 3;
}

/* The shortest layers are the first to go when there are too many to draw, but not when they are
 * impossible. */
static void the_impossible_is_drawn_however_short(void **state)
{
    roof_arena *arena = arena_new(0);
    const chart_source s = measured_source(arena, 5000, rarely_impossible, 0);
    chart_figure f;
    (void)state;
    assert_true(df_drawn("parity", &s, &f));
    assert_int_equal(df_read_block(&f, "points")->n, 1000);
    assert_int_equal(df_read_block(&f, "below-bound")->n, 10);
    assert_true(cf_says(&f, "4000 of the shortest are not drawn"));
    figure_free(&f);
    arena_free(arena);
}

static double alike(uint32_t layer)
{
    return (layer < 4 ? 4.0 : 8.0) / (layer % 4 + 1);
}

static uint64_t all_equal(uint32_t layer, uint32_t engine)
{
    (void)layer;
    return engine ? 1 : 100;
}

/* 1 and 6 both take 4 times their bound, which is that of all. */
static void layers_in_one_place_share_a_text(void **state)
{
    roof_arena *arena = arena_new(0);
    const roof_prediction *p = df_network(arena, 6, 2, all_equal);
    const chart_source s = {.prediction = p, .experiment = df_experiment(arena, p, alike, 0)};
    chart_figure f;
    (void)state;
    assert_true(df_drawn("parity", &s, &f));
    assert_true(cf_says(&f, "1 6"));
    figure_free(&f);
    arena_free(arena);
}

/* So that a factor is a distance from the diagonal. */
static void both_axes_are_the_same(void **state)
{
    static const uint32_t sizes[] = {1, 3, 36, 500, 5000};
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (int narrow = 0; narrow < 2; narrow++) {
            roof_arena *arena = arena_new(0);
            const chart_source s = measured_source(arena, sizes[i], slower, 50e-6);
            chart_figure f;
            double left, right, top, bottom;
            assert_true(cf_draw("parity", &s, narrow ? canvas_narrow : canvas_wide, &f));
            const char *at = strstr(f.variables.bytes, "plot_left");
            assert_non_null(at);
            assert_int_equal(sscanf(at, "plot_left = %lf plot_right = %lf plot_top = %lf plot_bottom = %lf",
                                    &left, &right, &top, &bottom),
                             4);
            df_assert_near((right - left) * f.canvas.width_px, (top - bottom) * f.canvas.height_px, 0.01);
            assert_non_null(strstr(f.variables.bytes, "x_min"));
            df_check_labels("parity", &f);
            figure_free(&f);
            arena_free(arena);
        }
}

/* Ideal and measured cycles of two layers, at 1 MHz, and the axis in microseconds. */
static const struct {
    const char *what;
    uint64_t ideal[2];
    double measured[2], low, high;
} edges[] = {
    {"all stand well inside", {150, 300}, {300, 700}, 100, 1000},
    {"one on the left edge, high above the lower one", {100, 300}, {500, 700}, 50, 1000},
    {"one on the lower edge, far from the left one", {500, 300}, {100, 700}, 50, 1000},
    {"one on the upper edge, far from the right one", {150, 300}, {300, 990}, 100, 2000},
    {"one on the right edge, far below the upper one", {150, 990}, {300, 500}, 100, 2000},
};
static size_t edge;

static uint64_t ideal_at_edge(uint32_t layer, uint32_t engine)
{
    return engine ? 1 : edges[edge].ideal[layer];
}

static double times_at_edge(uint32_t layer)
{
    return edges[edge].measured[layer] / (double)edges[edge].ideal[layer];
}

/* The axes end at 1, 2 or 5 of a decade, as near as no disc is cut. */
static void no_edge_cuts_a_disc(void **state)
{
    (void)state;
    for (edge = 0; edge < COUNT(edges); edge++) {
        roof_arena *arena = arena_new(0);
        const roof_prediction *p = df_network(arena, 2, 2, ideal_at_edge);
        const chart_source s = {.prediction = p, .experiment = df_experiment(arena, p, times_at_edge, 0)};
        chart_figure f;
        double low = NAN, high = NAN;
        assert_true(df_drawn("parity", &s, &f));
        const char *at = strstr(f.variables.bytes, "x_min");
        assert_non_null(at);
        if (sscanf(at, "x_min = %lf x_max = %lf", &low, &high) != 2 ||
            fabs(low / edges[edge].low - 1) > 1e-9 || fabs(high / edges[edge].high - 1) > 1e-9)
            fail_msg("%s: from %g to %g, want %g to %g: %.60s", edges[edge].what, low, high, edges[edge].low,
                     edges[edge].high, at);
        figure_free(&f);
        arena_free(arena);
    }
}

/* The largest gap of the tables is the first line of the legend, with the same figures. */
static void numbers_are_those_of_the_tables(void **state)
{
    pf_result p = df_example("kv260/measured.json");
    chart_figure f;
    (void)state;
    const chart_source s = {
        .prediction = p.predictions[2], .reconciliation = p.r, .experiment = &p.r->experiments[2]};
    assert_true(df_drawn("parity", &s, &f));
    assert_string_equal(f.title,
                        "ResNet-50 on KV260, DPUCZDX8G B4096: without the profiling overhead, 6 of 6 "
                        "layers are slower than the bound; most by 477.9 us, layer 1, conv1");
    assert_true(cf_says(&f, "(49 layers absent): gap 5.201 ms"));
    figure_free(&f);
    df_free_example(&p);
}

static void without_a_measurement_or_an_ideal_there_is_nothing(void **state)
{
    roof_arena *arena = arena_new(0);
    chart_source s = measured_source(arena, 5, factor_of, 0);
    roof_reconciled no_ideal = *s.experiment;
    const chart_source empty[] = {
        {0}, {.prediction = s.prediction}, {.experiment = &no_ideal}, {.experiment = s.experiment}};
    chart_figure f;
    (void)state;
    no_ideal.prediction = NULL;
    for (uint32_t i = 0; i < s.experiment->n_matches; i++)
        s.experiment->matches[i].measured_s = NAN;
    for (size_t i = 0; i < COUNT(empty); i++) {
        assert_false(df_drawn("parity", &empty[i], &f));
        figure_free(&f);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_stand_at_ideal_and_measured),
        cmocka_unit_test(what_timing_cost_is_taken_off),
        cmocka_unit_test(a_layer_below_its_bound_is_marked),
        cmocka_unit_test(the_impossible_is_drawn_however_short),
        cmocka_unit_test(layers_in_one_place_share_a_text),
        cmocka_unit_test(both_axes_are_the_same),
        cmocka_unit_test(no_edge_cuts_a_disc),
        cmocka_unit_test(numbers_are_those_of_the_tables),
        cmocka_unit_test(without_a_measurement_or_an_ideal_there_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
