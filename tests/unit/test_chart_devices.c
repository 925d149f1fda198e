/* The same model on several devices: the order, what is measured where, and what a device was not compiled
 * for. */
#include "tests/unit/drawn_fixture.h"

static uint64_t some(uint32_t layer, uint32_t engine)
{
    return 100 * (layer + 1) + 10 * engine;
}

static roof_prediction *device(roof_arena *arena, const char *id, double ideal_s)
{
    roof_prediction *p = df_network(arena, 2, 2, some);
    p->hardware.id = p->hardware.name = id;
    p->total.deployed.ideal_s = ideal_s;
    p->total.floor_s = ideal_s / 2;
    p->total.inferences_per_s = 1 / ideal_s;
    p->schedule.scheduled_s = NAN;
    return p;
}

static void devices_are_in_order_of_ideal(void **state)
{
    roof_arena *arena = arena_new(0);
    const roof_prediction *devices[] = {device(arena, "slow", 9e-3), device(arena, "unknown", NAN),
                                        device(arena, "fast", 1e-3), device(arena, "even", 2e-3),
                                        device(arena, "also", 2e-3)};
    static const double ideal[] = {1, 2, 2, 9};
    const chart_source s = {.devices = devices, .n_devices = COUNT(devices)};
    chart_figure f;
    (void)state;
    assert_true(df_drawn("devices", &s, &f));
    const df_block *bars = df_read_block(&f, "bars");
    assert_int_equal(bars->n, 2 * COUNT(ideal));
    for (size_t i = 0; i < COUNT(ideal); i++) {
        df_assert_near(bars->values[2 * i][0], ideal[i] / 2, 1e-9);
        df_assert_near(bars->values[2 * i + 1][0], ideal[i], 1e-9);
    }
    assert_string_equal(f.title, "net: which is fastest is unknown: fast bound 500 us, also bound 1 ms, even "
                                 "bound 1 ms and slow bound 4.5 ms");
    assert_true(cf_says(&f, "1 not shown"));
    figure_free(&f);
    arena_free(arena);
}

/* By the schedule where every device has one: a shorter ideal does not make a device faster. */
static void devices_with_schedules_are_in_order_of_these(void **state)
{
    roof_arena *arena = arena_new(0);
    roof_prediction *a = device(arena, "a", 1e-3), *b = device(arena, "b", 2e-3);
    const roof_prediction *devices[] = {a, b};
    const chart_source s = {.devices = devices, .n_devices = COUNT(devices)};
    chart_figure f;
    (void)state;
    a->schedule.scheduled_s = 6e-3;
    assert_true(df_drawn("devices", &s, &f));
    assert_string_equal(f.title, "net: which is faster is unknown: b bound 1 ms and a bound 6 ms");
    figure_free(&f);
    b->schedule.scheduled_s = 3e-3;
    assert_true(df_drawn("devices", &s, &f));
    assert_string_equal(f.title, "net: which is faster is unknown: b bound 3 ms and a bound 6 ms");
    figure_free(&f);
    arena_free(arena);
}

/* The sentence is that of the table of pairs, under the title's names. */
static void a_title_claims_what_ranges_tell(void **state)
{
    static const struct {
        double expected_ms[3];
        const char *title;
    } rows[] = {
        {{1, 4}, "net: a is fastest, expected 1 ms (900 us to 1.1 ms), 4 times as fast as b (3.47 to 4.61)"},
        {{1, 1.004},
         "net: which is faster is unknown: a expected 1 ms (900 us to 1.1 ms) and b expected 1.004 "
         "ms ("
         "903.6 us to 1.104 ms)"},
        {{1, 4, NAN},
         "net: which is fastest is unknown: a expected 1 ms (900 us to 1.1 ms) and c bound 50 us"},
    };
    static const char *const ids[] = {"a", "b", "c"};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_arena *arena = arena_new(0);
        const roof_prediction *devices[COUNT(ids)];
        chart_source s = {.devices = devices};
        chart_figure f;
        for (; s.n_devices < COUNT(ids) && rows[i].expected_ms[s.n_devices] != 0; s.n_devices++) {
            const double expected_s = rows[i].expected_ms[s.n_devices] / 1e3;
            roof_prediction *p = device(arena, ids[s.n_devices], 1e-4);
            p->total.predicted_s = expected_s;
            p->total.predicted_ci95_s[0] = 0.9 * expected_s;
            p->total.predicted_ci95_s[1] = 1.1 * expected_s;
            devices[s.n_devices] = p;
        }
        assert_true(df_drawn("devices", &s, &f));
        assert_string_equal(f.title, rows[i].title);
        figure_free(&f);
        arena_free(arena);
    }
}

/* The deployed run where there is one, in whatever order they come; of the prediction itself, not of its
 * namesake. */
static void measured_times_are_those_of_the_same_prediction(void **state)
{
    roof_arena *arena = arena_new(0);
    const roof_prediction *a = device(arena, "a", 1e-3), *b = device(arena, "b", 2e-3),
                          *namesake = device(arena, "a", 1e-3);
    const roof_prediction *devices[] = {a, b};
    static const roof_run run = {.mode = ROOF_RUN_PER_LAYER};
    roof_reconciled experiments[] = {
        {.prediction = namesake, .total = {.bypass_s = 77e-3, .per_layer_s = NAN, .sum_of_layers_s = NAN}},
        {.prediction = a,
         .per_layer = &run,
         .total = {.bypass_s = NAN, .per_layer_s = 6e-3, .sum_of_layers_s = 5e-3}},
        {.prediction = a, .total = {.bypass_s = 3e-3, .per_layer_s = NAN, .sum_of_layers_s = NAN}},
        {.prediction = b,
         .per_layer = &run,
         .total = {.bypass_s = NAN, .per_layer_s = NAN, .sum_of_layers_s = 7e-3}}};
    const roof_reconciliation r = {.experiments = experiments, .n_experiments = COUNT(experiments)};
    const chart_source s = {.devices = devices, .n_devices = 2, .reconciliation = &r};
    static const double want[] = {0.5, 1, 3, 1, 2, 7};
    chart_figure f;
    (void)state;
    assert_true(df_drawn("devices", &s, &f));
    const df_block *bars = df_read_block(&f, "bars");
    assert_int_equal(bars->n, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++)
        df_assert_near(bars->values[i][0], want[i], 1e-9);
    assert_true(cf_says(&f, "measured 3 ms, 333 inferences/s"));
    assert_true(cf_says(&f, "measured in a per-layer run 7 ms"));
    figure_free(&f);
    arena_free(arena);
}

static void another_target_is_told(void **state)
{
    static roof_finding finding = {.kind = ROOF_FINDING_OTHER_TARGET, .text = "compiled for B4096"};
    roof_arena *arena = arena_new(0);
    roof_prediction *a = device(arena, "a", 1e-3), *b = device(arena, "b", 2e-3);
    const roof_prediction *devices[] = {a, b};
    const chart_source s = {.devices = devices, .n_devices = 2};
    chart_figure f;
    (void)state;
    a->findings = &finding;
    a->n_findings = 1;
    a->model.target = "B4096";
    assert_true(df_drawn("devices", &s, &f));
    assert_true(cf_says(&f, "array of B4096"));
    assert_true(cf_says(&f, "on 1 not with the array that the model was compiled for"));
    figure_free(&f);
    a->total.deployed.cycles_basis = ROOF_BASIS_FORMULA;
    assert_true(df_drawn("devices", &s, &f));
    assert_true(cf_says(&f, "shapes, not B4096"));
    assert_string_equal(f.title, "net: which is faster is unknown: a bound 500 us and b bound 1 ms");
    figure_free(&f);
    arena_free(arena);
}

static void any_number_of_devices_fits(void **state)
{
    static const uint32_t sizes[] = {1, 2, 7, 40, 60};
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (int narrow = 0; narrow < 2; narrow++) {
            roof_arena *arena = arena_new(0);
            const roof_prediction **devices = NEW_ARRAY(arena, const roof_prediction *, sizes[i]);
            for (uint32_t k = 0; k < sizes[i]; k++)
                devices[k] = device(arena, df_hostile_name(k), 1e-3 * (k * 7 % 61 + 1));
            const chart_source s = {.devices = devices, .n_devices = sizes[i]};
            chart_figure f;
            assert_true(cf_draw("devices", &s, narrow ? canvas_narrow : canvas_wide, &f));
            df_check_labels("devices", &f);
            figure_free(&f);
            arena_free(arena);
        }
}

/* One model after the other, each with its fastest device first; by the expected time where all have it. */
static void several_models_stand_one_after_the_other(void **state)
{
    static const struct {
        const char *model, *id;
        double ideal_ms, expected_ms, error;
    } rows[] = {{"b", "y", 4, 9, .2}, {"a", "x", 2, 7, .01}, {"b", "x", 5, 8, .2}, {"a", "y", 3, 6, .01}};
    static const double ideal[] = {5, 4, 3, 2};
    roof_arena *arena = arena_new(0);
    const roof_prediction *devices[COUNT(rows)];
    const chart_source s = {.devices = devices, .n_devices = COUNT(devices)};
    chart_figure f;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_prediction *p = device(arena, rows[i].id, rows[i].ideal_ms / 1e3);
        p->model.name = rows[i].model;
        p->model.graph_hash = NULL;
        p->total.predicted_s = rows[i].expected_ms / 1e3;
        p->total.predicted_ci95_s[0] = (1 - rows[i].error) * p->total.predicted_s;
        p->total.predicted_ci95_s[1] = (1 + rows[i].error) * p->total.predicted_s;
        devices[i] = p;
    }
    assert_true(df_drawn("devices", &s, &f));
    assert_string_equal(f.title, "b: which is faster is unknown; a: y is fastest");
    assert_true(cf_says(&f, "b on x") && cf_says(&f, "a on y") && cf_says(&f, "4 pairs, not measured"));
    assert_true(cf_says(&f, "hardware y, x | several models"));
    const df_block *bars = df_read_block(&f, "bars");
    assert_int_equal(bars->n, 3 * COUNT(ideal));
    for (size_t i = 0; i < COUNT(ideal); i++)
        df_assert_near(bars->values[3 * i + 1][0], ideal[i], 1e-9);
    figure_free(&f);
    arena_free(arena);
}

static void without_an_ideal_there_is_nothing(void **state)
{
    roof_arena *arena = arena_new(0);
    const roof_prediction *devices[] = {device(arena, "a", NAN), device(arena, "b", 0), NULL};
    const chart_source rows[] = {{0}, {.devices = devices, .n_devices = COUNT(devices)}};
    chart_figure f;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_false(df_drawn("devices", &rows[i], &f));
        figure_free(&f);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_are_in_order_of_ideal),
        cmocka_unit_test(devices_with_schedules_are_in_order_of_these),
        cmocka_unit_test(a_title_claims_what_ranges_tell),
        cmocka_unit_test(measured_times_are_those_of_the_same_prediction),
        cmocka_unit_test(another_target_is_told),
        cmocka_unit_test(any_number_of_devices_fits),
        cmocka_unit_test(several_models_stand_one_after_the_other),
        cmocka_unit_test(without_an_ideal_there_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
