/* The chart of configurations: what is drawn of them, the line of the front, and that names keep off one
 * another however many there are. */
#include "model/deploy/resources.h"
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
    assert_true(cf_says(&f, "asked: 15 frames/s"));
    figure_free(&f);
}

static void estimates_are_hollow_and_the_answer_has_its_colour(void **state)
{
    const roof_configurations of = some(8, 15);
    chart_figure f;
    (void)state;
    assert_true(df_drawn("pareto", &(chart_source){.configurations = &of}, &f));
    const df_block *front = df_read_block(&f, "on-front");
    assert_true(front->values[0][4] != front->values[1][4]); /* the cheapest that is enough */
    assert_true(front->values[0][4] == front->values[2][4]);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_front_is_a_line_of_steps),
                                       cmocka_unit_test(estimates_are_hollow_and_the_answer_has_its_colour),
                                       cmocka_unit_test(what_is_not_held_or_not_known_is_not_drawn),
                                       cmocka_unit_test(names_keep_off_one_another)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
