/* Cells of pages and tables: names without what all layers share, where the host's layers, which need not
 * share it, stay whole; a schedule's parts, which are named where there are several, and its gains. */
#include "reports/words/prediction_tables.h"
#include "tests/unit/fixture.h"

static void only_names_that_have_the_prefix_lose_it(void **state)
{
    static const struct {
        const char *names[3], *shown[3]; /* the last one runs on the host */
    } rows[] = {
        {{"subgraph_net/conv1", "subgraph_net/conv2", "softmax_of_the_host"},
         {"conv1", "conv2", "softmax_of_the_host"}},
        {{"subgraph_net/conv1", "subgraph_net/conv2", "subgraph_net/softmax"}, {"conv1", "conv2", "softmax"}},
        {{"subgraph_net/", "subgraph_net/conv2", "x"}, {"subgraph_net/", "conv2", "x"}}, /* never empty */
        {{"net/conv1", "net/conv2", "x"}, {"net/conv1", "net/conv2", "x"}}, /* too short to matter */
        {{"subgraph_conv1", "another_conv2", "x"}, {"subgraph_conv1", "another_conv2", "x"}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_layer_prediction layers[3] = {0};
        roof_prediction p = {.layers = layers, .n_layers = 3};
        for (uint32_t k = 0; k < 3; k++) {
            layers[k].name = rows[i].names[k];
            layers[k].executor = k == 2 ? ROOF_BY_HOST : ROOF_BY_ACCELERATOR;
        }
        name_prefixes prefix = prediction_name_prefix(&p);
        for (uint32_t k = 0; k < 3; k++)
            assert_string_equal(prediction_name_without(prefix, rows[i].names[k]), rows[i].shown[k]);
    }
    assert_int_equal(prediction_name_prefix(NULL).length, 0);
}

/* --- a schedule ---------------------------------------------------------------------------------------- */

static roof_schedule_engine conv = {
    .name = "conv", .ports = 1, .busy_cycles = 50, .critical_cycles = 100, .tail_cycles = 50};

static roof_prediction scheduled(roof_schedule_part *parts, uint32_t n)
{
    roof_prediction p = {.hardware.clock_hz = 1e6, .total.predicted_s = NAN};
    for (uint32_t i = 0; i < n; i++)
        parts[i] = (roof_schedule_part){i ? "second" : "first", 100 * (i + 1), &conv, 1};
    p.schedule.parts = parts;
    p.schedule.n_parts = n;
    p.schedule.scheduled_s = 1e-3;
    return p;
}

static void parts_are_named_where_there_are_several(void **state)
{
    roof_arena *arena = arena_new(0);
    roof_schedule_part parts[2];
    cell_grid grid;
    (void)state;
    roof_prediction one = scheduled(parts, 1);
    assert_null(prediction_schedule_heading(&one, 0, arena));
    roof_prediction two = scheduled(parts, 2);
    assert_string_equal(prediction_schedule_heading(&two, 0, arena), "first: bound 100 us");
    assert_string_equal(prediction_schedule_heading(&two, 1, arena), "second: bound 200 us");
    prediction_view_schedule(&two, 1, &grid, arena);
    assert_int_equal(grid.n_rows, 1);
    assert_string_equal(grid.columns[0].title, "engine");
    assert_true(fabs(grid.rows[0][1].number - 25) < 1e-9); /* of the second part */
    arena_free(arena);
}

static void gains_are_of_the_time_as_it_is(void **state)
{
    static roof_what_if what_ifs[] = {{.label = "alu x2", .best_s = 0.75e-3, .expected_s = 1.5e-3},
                                      {.label = "save x2", .best_s = 1e-3 * (1 + 1e-15), .expected_s = 2e-3}};
    enum { BEST_GAIN = 2, EXPECTED_GAIN = 4 };
    roof_arena *arena = arena_new(0);
    roof_schedule_part parts[1];
    roof_prediction p = scheduled(parts, 1);
    cell_grid grid;
    (void)state;
    p.schedule.what_ifs = what_ifs;
    p.schedule.n_what_ifs = COUNT(what_ifs);
    prediction_view_what_ifs(&p, &grid, arena);
    assert_int_equal(grid.n_columns, EXPECTED_GAIN - 1); /* nothing is expected */
    p.total.predicted_s = 2e-3;
    prediction_view_what_ifs(&p, &grid, arena);
    assert_int_equal(grid.n_rows, 1 + COUNT(what_ifs));
    assert_int_equal(grid.rows[0][BEST_GAIN].kind, CELL_NONE);
    assert_true(fabs(grid.rows[1][BEST_GAIN].number - 25) < 1e-9);
    assert_true(fabs(grid.rows[1][EXPECTED_GAIN].number - 25) < 1e-9);
    assert_int_equal(grid.rows[2][BEST_GAIN].kind, CELL_NONE); /* and not "-0.0" */
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_names_that_have_the_prefix_lose_it),
                                       cmocka_unit_test(parts_are_named_where_there_are_several),
                                       cmocka_unit_test(gains_are_of_the_time_as_it_is)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
