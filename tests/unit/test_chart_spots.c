/* Places of charts that stand for rows of a table; axes that several charts share; deviations. */
#include "reports/charts/chart_bars.h"
#include "reports/page/page_sections.h"
#include "reports/tables/reconcile/reconcile_tables.h"
#include "tests/unit/drawn_fixture.h"

static uint64_t some(uint32_t layer, uint32_t engine)
{
    return 10 + 7 * layer + 3 * engine;
}

static double twice(uint32_t i)
{
    (void)i;
    return 2;
}

static double a_hundred_times(uint32_t i)
{
    (void)i;
    return 100;
}

/* Of network and experiment; the arena is to be freed. */
static chart_source source_in(roof_arena *arena, uint32_t n, bool is_measured)
{
    const roof_prediction *p = df_network(arena, n, 3, some);
    return (chart_source){.prediction = p,
                          .experiment = is_measured ? df_experiment(arena, p, twice, 20e-6) : NULL};
}

static void every_mark_of_a_layer_has_a_spot(void **state)
{
    static const struct {
        const char *id;
        bool is_measured, is_round;
    } rows[] = {{"roofline", false, true}, {"roofline", true, true},   {"parity", true, true},
                {"engines", false, false}, {"waterfall", true, false}, {"waterfall", false, false}};
    enum { LAYERS = 9 };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_arena *arena = arena_new(0);
        const chart_source s = source_in(arena, LAYERS, rows[i].is_measured);
        bool told[LAYERS + 1] = {false};
        chart_figure f;
        assert_true(df_drawn(rows[i].id, &s, &f));
        if (f.n_spots != LAYERS)
            fail_msg("%s has %zu spots", rows[i].id, f.n_spots);
        for (size_t k = 0; k < f.n_spots; k++) {
            const figure_spot *spot = &f.spots[k];
            const px_box *b = &spot->box;
            assert_true(spot->row >= 1 && spot->row <= LAYERS && !told[spot->row]);
            told[spot->row] = true;
            assert_true(spot->is_round == rows[i].is_round);
            assert_true(b->x_px - b->half_width_px >= 0 && b->x_px + b->half_width_px <= f.canvas.width_px);
            assert_true(b->y_px - b->half_height_px >= 0 &&
                        b->y_px + b->half_height_px <= f.canvas.height_px);
            assert_non_null(strstr(spot->text, s.prediction->layers[spot->row - 1].name));
            assert_non_null(strstr(spot->text, "; ideal "));
            assert_int_equal(strstr(spot->text, "; measured ") != NULL, rows[i].is_measured);
        }
        figure_free(&f);
        arena_free(arena);
    }
}

/* Pictures that stand side by side are compared by eye. */
static void charts_with_one_frame_have_the_same_axes(void **state)
{
    roof_arena *arena = arena_new(0);
    chart_source sources[] = {source_in(arena, 3, false), source_in(arena, 40, false)};
    const chart_def *chart = chart_named("roofline");
    chart_frame frame = {EXTENT_EMPTY, EXTENT_EMPTY};
    char axes[2][2][400];
    (void)state;
    sources[0].experiment = df_experiment(arena, sources[0].prediction, a_hundred_times, 0);
    for (int i = 0; i < 2; i++)
        chart->extend(&sources[i], &frame, arena);
    for (int shared = 0; shared < 2; shared++)
        for (int i = 0; i < 2; i++) {
            chart_figure f;
            sources[i].frame = shared ? &frame : NULL;
            assert_true(df_drawn("roofline", &sources[i], &f));
            const char *min = strstr(f.variables.bytes, "x_min");
            assert_non_null(min);
            snprintf(axes[shared][i], sizeof axes[0][0], "%s", min);
            figure_free(&f);
        }
    assert_string_not_equal(axes[false][0], axes[false][1]);
    assert_string_equal(axes[true][0], axes[true][1]);
    arena_free(arena);
}

/* From what was before to what is, for layers that are in both and moved. */
static void a_baseline_is_drawn(void **state)
{
    roof_arena *arena = arena_new(0);
    chart_source s = source_in(arena, 5, true), before = s;
    roof_reconciled *old = df_experiment(arena, s.prediction, twice, 20e-6);
    roof_compared layers[] = {{.a_row = 0, .b_row = 0},
                              {.a_row = 1, .b_row = 1},
                              {.a_row = 2, .b_row = ROOF_NONE},
                              {.a_row = ROOF_NONE, .b_row = 2}};
    const roof_compared_run changes = {.layers = layers, .n_layers = COUNT(layers)};
    chart_figure f;
    (void)state;
    for (int i = 1; i < 3; i++)
        old->matches[i].measured_s *= 1.25;
    before.experiment = old;
    s.before = &before;
    s.changes = &changes;
    assert_true(df_drawn("roofline", &s, &f));
    const cf_block *moves = cf_read(&f, "moves");
    assert_int_equal(moves->n_rows, 1);
    assert_true(fabs(moves->numbers[0][3] / moves->numbers[0][1] - 1.25) < 1e-6);
    assert_true(cf_says(&f, "square: baseline"));
    figure_free(&f);
    arena_free(arena);
}

static void deviations_are_drawn_where_they_are_known(void **state)
{
    static const char *const charts[] = {"parity", "waterfall"};
    (void)state;
    for (size_t i = 0; i < COUNT(charts); i++) {
        roof_arena *arena = arena_new(0);
        chart_source s = source_in(arena, 5, true);
        roof_reconciled *e = df_experiment(arena, s.prediction, twice, 20e-6);
        chart_figure f;
        s.experiment = e;
        for (uint32_t k = 0; k < e->n_matches; k++)
            e->matches[k].cov_ratio = k == 1 ? 0.25 : NAN;
        assert_true(df_drawn(charts[i], &s, &f));
        const cf_block *block = cf_read(&f, "deviations");
        assert_int_equal(block->n_rows, 1);
        double low = block->numbers[0][i ? 2 : 1], high = block->numbers[0][i ? 3 : 2];
        assert_true(fabs(high / low - 1.25 / 0.75) < 1e-6);
        assert_true(cf_says(&f, "one standard deviation"));
        figure_free(&f);
        arena_free(arena);
    }
}

/* What the roofline plots is in the table. */
static void the_table_of_a_page_has_the_columns_of_its_chart(void **state)
{
    enum { LAYERS = 3, PLOTTED = 4 };
    roof_arena *arena = arena_new(0);
    const chart_source s = source_in(arena, LAYERS, true);
    const chart_rows rows = chart_rows_of(&s, arena);
    roof_reconciled e = *s.experiment;
    const roof_reconciliation all = {.experiments = &e, .n_experiments = 1};
    reconcile_scope scope = {.r = &all, .e = &e, .is_page = true, .arena = arena};
    cell_grid grid, of_terminal;
    (void)state;
    reconcile_view_matches(&scope, &grid);
    assert_int_equal(grid.n_rows, LAYERS + 1);
    for (size_t r = 0; r < grid.n_rows; r++) {
        const chart_row *row = &rows.rows[r % LAYERS];
        const double values[PLOTTED] = {row->ops / 1e6, row->bytes / 1e3, row->ops / row->bytes,
                                        row->ops / row->measured_s / 1e9};
        for (size_t i = 0; i < PLOTTED; i++) {
            const size_t column = grid.shown[grid.n_shown - PLOTTED + i];
            const grid_cell *cell = &grid.rows[r][column];
            assert_true(grid.columns[column].is_of_screens);
            if (r == LAYERS) /* the sums */
                assert_int_equal(cell->kind, CELL_EMPTY);
            else
                assert_true(cell->number == values[i]);
        }
    }
    scope.is_page = false;
    reconcile_view_matches(&scope, &of_terminal);
    assert_int_equal(of_terminal.n_shown, grid.n_shown - PLOTTED);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mark_of_a_layer_has_a_spot),
        cmocka_unit_test(charts_with_one_frame_have_the_same_axes),
        cmocka_unit_test(a_baseline_is_drawn),
        cmocka_unit_test(deviations_are_drawn_where_they_are_known),
        cmocka_unit_test(the_table_of_a_page_has_the_columns_of_its_chart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
