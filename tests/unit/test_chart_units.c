/* How busy units were: areas that are the time in which they worked, what binds each layer, texts that stay
 * apart. */
#include "tests/unit/busy_fixture.h"
#include "tests/unit/drawn_fixture.h"

/* Bound by computing, by memory, by neither; not counted; without a time. */
static const char mixed[] = "a CONV 2000 conv=1900 load=100; b CONV 6000 conv=1000 load=5400; "
                            "c ADD 1500 conv=0 load=300; d CPU =500; e CONV ?";

static void columns_are_layers_the_longest_first(void **state)
{
    static const double from_to_busy[][3] = {
        {0, 6, 1.0 / 6}, {6, 8, 0.95}, {0, 6, 0.9}, {6, 8, 0.05}, {8, 9.5, 0.2}};
    pf_result p = bf_reconcile(mixed);
    const chart_source s = cf_source(&p, 0);
    chart_figure f;
    (void)state;
    assert_true(df_drawn("units", &s, &f));
    assert_non_null(
        strstr(f.title, "60 % of the time is in layers bound by memory, 20 % in layers bound by"));
    const df_block *bars = df_read_block(&f, "bars");
    assert_int_equal(bars->n, COUNT(from_to_busy));
    for (size_t i = 0; i < bars->n; i++) {
        df_assert_near(bars->values[i][0], from_to_busy[i][0], 1e-9);
        df_assert_near(bars->values[i][1], from_to_busy[i][1], 1e-9);
        df_assert_near(bars->values[i][4], from_to_busy[i][2], 1e-9);
    }
    assert_int_equal(df_read_block(&f, "bounds")->n, 4);
    assert_true(cf_says(&f, "not known")); /* what binds d */
    assert_true(cf_says(&f, "1 layer without a time is left out"));
    figure_free(&f);
    pf_free(&p);
}

static pf_result many(uint32_t n_rows, uint32_t n_units)
{
    textbuf rows;
    text_init(&rows, TEXT_MAX_BYTES);
    for (uint32_t i = 0; i < n_rows; i++) {
        unsigned cycles = 1000000 / (i + 1) + 1;
        text_printf(&rows, "%smodel/stage%u/block/conv CONV %u", i ? ";" : "", i, cycles);
        for (uint32_t k = 0; k < n_units; k++)
            text_printf(&rows, " %s%u=%u", k % 2 ? "dma_load" : "vector", k,
                        cycles / 97 * ((i * 37 + k * 53) % 97));
    }
    pf_result p = bf_reconcile(rows.bytes);
    text_free(&rows);
    return p;
}

/* Width times height of the bars of a unit is the time in which it worked, also where layers are merged. */
static void areas_are_the_time_in_which_units_worked(void **state)
{
    static const uint32_t sizes[] = {1, 5, 60, 500, 1000};
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        pf_result p = many(sizes[i], 3);
        const chart_source s = cf_source(&p, 0);
        double area[3] = {0}, whole = 0;
        chart_figure f;
        assert_true(df_drawn("units", &s, &f));
        const df_block *bounds = df_read_block(&f, "bounds");
        for (size_t k = 0; k < bounds->n; k++)
            whole = fmax(whole, bounds->values[k][1]);
        const df_block *bars = df_read_block(&f, "bars");
        for (size_t k = 0; k < bars->n; k++)
            area[2 - (int)bars->values[k][2]] +=
                (bars->values[k][1] - bars->values[k][0]) * bars->values[k][4];
        for (size_t k = 0; k < 3; k++)
            df_assert_near(area[k] / whole, s.experiment->busy->whole.busy.ratios[k], 1e-6);
        figure_free(&f);
        pf_free(&p);
    }
}

static void texts_stay_apart_from_1_to_500_layers(void **state)
{
    static const uint32_t sizes[] = {1, 5, 60, 500}, units[] = {2, 4, ROOF_MAX_BUSY};
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (size_t k = 0; k < COUNT(units); k++)
            for (int narrow = 0; narrow < 2; narrow++) {
                pf_result p = many(sizes[i], units[k]);
                const chart_source s = cf_source(&p, 0);
                chart_figure f;
                assert_true(cf_draw("units", &s, narrow ? canvas_narrow : canvas_wide, &f));
                assert_int_equal(df_read_block(&f, "panels")->n, units[k]);
                df_check_labels("units", &f);
                figure_free(&f);
                pf_free(&p);
            }
}

static void without_busy_units_there_is_nothing(void **state)
{
    static const char *const rows[] = {"a CONV =100", "a CONV ? conv=5"};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        pf_result p = bf_reconcile(rows[i]);
        const chart_source s = cf_source(&p, 0);
        chart_figure f;
        assert_false(df_drawn("units", &s, &f));
        figure_free(&f);
        pf_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_layers_the_longest_first),
        cmocka_unit_test(areas_are_the_time_in_which_units_worked),
        cmocka_unit_test(texts_stay_apart_from_1_to_500_layers),
        cmocka_unit_test(without_busy_units_there_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
