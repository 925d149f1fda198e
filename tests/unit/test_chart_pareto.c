/* The chart of configurations: what is drawn of them, the line of the front, and that names keep off one
 * another however many there are. */
#include "model/explore/resources.h"
#include "reports/results/results_line.h"
#include "tests/unit/drawn_fixture.h"

enum { MOST = 40 };

static roof_configuration all_of[MOST];

/* So many, each of one per cent more cost; every third makes more than those before it. */
static roof_configurations some(uint32_t n, double asked_fps)
{
    roof_configurations of = {.model = "net",
                              .hardware = "board",
                              .board = "Board",
                              .device = {1000, 1000, 100, 10, 100},
                              .own_size = "B4096",
                              .host = "none",
                              .asked_fps = asked_fps,
                              .built_cost_ratio = NAN,
                              .all = all_of,
                              .n = n};
    for (uint32_t i = 0; i < n; i++) {
        const double fps = i % 3 ? 5 + i : 10 + 2.0 * i;
        all_of[i] = (roof_configuration){.size = "B4096",
                                         .cores = i + 1,
                                         .cost_ratio = (i + 1) / 100.0,
                                         .is_held = true,
                                         .is_estimate = i % 4 == 3,
                                         .fps = fps,
                                         .fps_low = fps * 0.9,
                                         .fps_high = fps * 1.1};
    }
    resources_compare(&of);
    return of;
}

static void the_front_is_a_line_of_steps(void **state)
{
    /* costs 1, 4 and 7 per cent make 10, 16 and 22 frames */
    static const double steps[][2] = {{1, 10}, {4, 10}, {4, 10}, {4, 16}, {4, 16}, {7, 16}, {7, 16}, {7, 22}};
    const roof_configurations of = some(8, 15);
    chart_figure f;
    (void)state;
    assert_true(df_drawn("pareto", &(chart_source){.configurations = &of}, &f));
    const df_block *front = df_read_block(&f, "front");
    assert_true(front->n >= COUNT(steps));
    for (size_t i = 0; i < COUNT(steps); i++) {
        df_assert_near(front->values[i][0], steps[i][0], 1e-9);
        df_assert_near(front->values[i][1], steps[i][1], 1e-9);
    }
    assert_int_equal(df_read_block(&f, "on-front")->n, 3);
    assert_int_equal(df_read_block(&f, "behind")->n, 5);
    df_assert_near(df_read_block(&f, "asked")->values[0][1], 15, 1e-9);
    assert_true(cf_says(&f, "asked: 15 inferences/s"));
    figure_free(&f);
}

static void estimates_are_hollow_and_the_answer_has_its_colour(void **state)
{
    const roof_configurations of = some(8, 15);
    chart_figure f;
    (void)state;
    assert_true(df_drawn("pareto", &(chart_source){.configurations = &of}, &f));
    const df_block *front = df_read_block(&f, "on-front");
    assert_true(front->values[0][4] != front->values[2][4]); /* the cheapest that is sure to be enough */
    assert_true(front->values[0][4] == front->values[1][4]);
    assert_true(front->values[1][5] != front->values[0][5]); /* the fourth, an estimate */
    figure_free(&f);
}

static void what_is_not_held_or_not_known_is_not_drawn(void **state)
{
    roof_configurations of = some(8, NAN);
    chart_figure f;
    (void)state;
    all_of[7].cost_ratio = 1.5;
    all_of[7].is_held = false;
    all_of[1].fps = NAN;
    resources_compare(&of);
    assert_true(df_drawn("pareto", &(chart_source){.configurations = &of}, &f));
    assert_int_equal(df_read_block(&f, "on-front")->n + df_read_block(&f, "behind")->n, 6);
    figure_free(&f);
    for (uint32_t i = 0; i < of.n; i++)
        all_of[i].fps = NAN;
    resources_compare(&of);
    assert_false(df_drawn("pareto", &(chart_source){.configurations = &of}, &f));
    figure_free(&f);
    assert_false(df_drawn("pareto", &(chart_source){0}, &f));
    figure_free(&f);
}

static void names_keep_off_one_another(void **state)
{
    static const uint32_t numbers[] = {1, 2, 8, MOST};
    (void)state;
    for (size_t i = 0; i < COUNT(numbers); i++)
        for (uint32_t hostile = 0; hostile < 8; hostile++) {
            roof_configurations of = some(numbers[i], hostile % 2 ? NAN : 20);
            chart_figure f;
            of.model = df_hostile_name(hostile);
            assert_true(df_drawn("pareto", &(chart_source){.configurations = &of}, &f));
            df_check_labels("pareto", &f);
            figure_free(&f);
        }
}

/* --- of a sweep ----------------------------------------------------------------------------------------- */

/* Models on n configurations, whose costs rise; rates do so in steps, and repeat. */
static roof_pareto *some_fronts(uint32_t n_models, uint32_t n, const char *model, bool is_wide)
{
    roof_arena *arena = arena_new(0);
    roof_pareto *of = NEW(arena, roof_pareto);
    double *rates = malloc((size_t)n_models * n * sizeof *rates);
    assert_non_null(rates);
    *of = (roof_pareto){.n_points = (uint64_t)n_models * n,
                        .n_models = n_models,
                        .n_configurations = n,
                        .models = NEW_ARRAY(arena, roof_swept_model, n_models),
                        .configurations = malloc(n * sizeof *of->configurations),
                        .rates = rates,
                        .are_estimates = calloc((size_t)n_models * n, sizeof(bool)),
                        .arena = arena};
    for (uint32_t m = 0; m < n_models; m++)
        of->models[m] = (roof_swept_model){
            .name = model, .path = "net", .unit = "inference", .rate = ROOF_RATE_EXPECTED, .n_results = n};
    for (uint32_t i = 0; i < n; i++) {
        of->configurations[i] = (roof_swept_configuration){.device = i % 2 ? "kv260" : model,
                                                           .clock_hz = 1e8 + 1e6 * i,
                                                           .bandwidth_bytes_per_s = 1e10,
                                                           .peak_ops_per_s = 1e9 * (1 + i),
                                                           .cores = 1,
                                                           .batch = 1};
        for (uint32_t m = 0; m < n_models; m++)
            rates[(size_t)m * n + i] = (i % 3 ? 5 : 10 + (is_wide ? 1000.0 : 2.0) * i) * (1 + m);
    }
    roof_error err;
    assert_int_equal(pareto_find(of, ROOF_COSTS, &err), ROOF_OK);
    return of;
}

static void each_model_has_a_panel_up_to_four(void **state)
{
    static const char *const blocks[] = {"on-front", "on-front2", "on-front3", "on-front4"};
    (void)state;
    for (uint32_t n = 1; n <= 5; n++) {
        chart_figure f;
        roof_pareto *of = some_fronts(n, 8, "net", false);
        assert_true(df_drawn("pareto", &(chart_source){.pareto = of}, &f));
        for (uint32_t i = 0; i < (n > ROOF_FRONTS_MOST ? 1 : n); i++) {
            const df_block *front = df_read_block(&f, blocks[i]);
            assert_int_equal(front->n, 3);
            df_assert_near(front->values[2][0], 7, 1e-9); /* Gops/s */
            df_assert_near(front->values[2][1], n > ROOF_FRONTS_MOST ? 22 * pow(120, 0.2) : 22.0 * (1 + i),
                           1e-6);
        }
        assert_true(cf_says(&f, "Compute, peak of all cores [Gops/s]"));
        figure_free(&f);
        roof_pareto_free(of);
    }
}

static void names_of_a_sweep_keep_off_one_another(void **state)
{
    static const uint32_t numbers[] = {1, 2, 8, MOST, 400};
    (void)state;
    for (size_t i = 0; i < COUNT(numbers); i++)
        for (uint32_t hostile = 0; hostile < 8; hostile++) {
            chart_figure f;
            roof_pareto *of = some_fronts(1 + hostile % 5, numbers[i], df_hostile_name(hostile), hostile % 2);
            assert_true(df_drawn("pareto", &(chart_source){.pareto = of}, &f));
            df_check_labels("pareto", &f);
            figure_free(&f);
            roof_pareto_free(of);
        }
}

static void points_that_lie_on_others_are_drawn_once(void **state)
{
    enum { N = 300000, MOST_BYTES = 3000000 };
    chart_figure f;
    (void)state;
    roof_pareto *of = some_fronts(1, N, "net", true);
    assert_true(of->fronts->n > 10000);
    assert_true(df_drawn("pareto", &(chart_source){.pareto = of}, &f));
    assert_true(f.data.length < MOST_BYTES);
    figure_free(&f);
    roof_pareto_free(of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_front_is_a_line_of_steps),
                                       cmocka_unit_test(estimates_are_hollow_and_the_answer_has_its_colour),
                                       cmocka_unit_test(what_is_not_held_or_not_known_is_not_drawn),
                                       cmocka_unit_test(names_keep_off_one_another),
                                       cmocka_unit_test(each_model_has_a_panel_up_to_four),
                                       cmocka_unit_test(names_of_a_sweep_keep_off_one_another),
                                       cmocka_unit_test(points_that_lie_on_others_are_drawn_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
