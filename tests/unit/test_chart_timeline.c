/* Engines over time: parts follow one another, layers are known by the number that has room, and nothing is
 * drawn of nothing. */
#include "tests/unit/drawn_fixture.h"

enum { CYCLES = 1000, ENGINES = 2 };

static uint64_t some(uint32_t layer, uint32_t engine)
{
    return 100 * (layer + 1) + 10 * engine;
}

/* All of the first half, nothing of the second. */
static const char *first_half(roof_arena *arena)
{
    char *steps = NEW_ARRAY(arena, char, ROOF_SCHEDULE_STEPS + 1);
    assert_non_null(steps);
    for (int i = 0; i < ROOF_SCHEDULE_STEPS; i++)
        steps[i] = i < ROOF_SCHEDULE_STEPS / 2 ? 'z' : '0';
    return steps;
}

static roof_prediction *scheduled(roof_arena *arena, uint32_t n_layers, uint32_t n_parts)
{
    static const char *const names[ENGINES] = {"conv", "load"};
    roof_prediction *p = df_network(arena, n_layers, ENGINES, some);
    p->schedule.parts = NEW_ARRAY(arena, roof_schedule_part, n_parts);
    p->schedule.n_parts = n_parts;
    for (uint32_t i = 0; i < n_parts; i++) {
        roof_schedule_engine *engines = NEW_ARRAY(arena, roof_schedule_engine, ENGINES);
        p->schedule.parts[i] = (roof_schedule_part){i ? "second" : "first", CYCLES, engines, ENGINES};
        for (uint32_t e = 0; e < ENGINES; e++)
            engines[e] = (roof_schedule_engine){.name = names[e],
                                                .ports = 1,
                                                .busy_cycles = CYCLES / 2,
                                                .critical_cycles = CYCLES / 2,
                                                .busy_steps = first_half(arena),
                                                .path_steps = first_half(arena)};
    }
    for (uint32_t i = 0; i < n_layers; i++) {
        p->layers[i].subgraph = "first";
        p->layers[i].schedule =
            (roof_layer_schedule){.critical_cycles = ROOF_UNKNOWN, .path_start_cycles = ROOF_UNKNOWN};
    }
    return p;
}

static void parts_follow_one_another(void **state)
{
    roof_arena *arena = arena_new(0);
    const chart_source s = {.prediction = scheduled(arena, 1, 2)};
    static const double from_ms[] = {0, 0.5, 1, 1.5}; /* 1000 cycles of 1 MHz are 1 ms */
    chart_figure f;
    (void)state;
    assert_true(df_drawn("timeline", &s, &f));
    const df_block *busy = df_read_block(&f, "fill-0");
    assert_int_equal(busy->n, 2 * COUNT(from_ms)); /* where a step begins, and where it ends */
    for (size_t i = 0; i < COUNT(from_ms); i++)
        df_assert_near(busy->values[2 * i][0], from_ms[i], 1e-9);
    assert_true(cf_says(&f, "50.0 %"));
    figure_free(&f);
    arena_free(arena);
}

/* The first takes less than a pixel, and the number is that of the one that fills the strip. */
static void a_thin_layer_leaves_its_number_to_the_next(void **state)
{
    roof_arena *arena = arena_new(0);
    roof_prediction *p = scheduled(arena, 2, 1);
    const chart_source s = {.prediction = p};
    chart_figure f;
    (void)state;
    p->layers[0].index = 77;
    p->layers[1].index = 88;
    p->layers[0].schedule = (roof_layer_schedule){.critical_cycles = 1, .path_start_cycles = 0};
    p->layers[1].schedule = (roof_layer_schedule){.critical_cycles = CYCLES - 1, .path_start_cycles = 1};
    assert_true(df_drawn("timeline", &s, &f));
    assert_int_equal(df_read_block(&f, "layers")->n, 1);
    assert_true(cf_says(&f, "88"));
    assert_false(cf_says(&f, "77"));
    figure_free(&f);
    arena_free(arena);
}

static void nothing_is_drawn_without_a_schedule(void **state)
{
    roof_arena *arena = arena_new(0);
    const chart_source s = {.prediction = df_network(arena, 2, ENGINES, some)};
    chart_figure f;
    (void)state;
    assert_false(df_drawn("timeline", &s, &f));
    figure_free(&f);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_follow_one_another),
                                       cmocka_unit_test(a_thin_layer_leaves_its_number_to_the_next),
                                       cmocka_unit_test(nothing_is_drawn_without_a_schedule)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
