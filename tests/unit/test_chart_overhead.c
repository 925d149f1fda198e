/* What timing costs: points, lines and the band of the published study, and what a band that is too wide
 * does. */
#include "tests/unit/drawn_fixture.h"

/* Where the band of the chosen line stands, out of its samples. */
static double half_width_at(const df_block *band, double x)
{
    for (size_t i = 1; i < band->n; i++) {
        const double *a = band->values[i - 1], *b = band->values[i];
        if (x < a[0] || x > b[0])
            continue;
        double part = (x - a[0]) / (b[0] - a[0]);
        return (a[2] - a[1]) / 2 + part * ((b[2] - b[1]) - (a[2] - a[1])) / 2;
    }
    fail_msg("the band does not reach %g", x);
    return NAN;
}

/* Through the origin, half the band is x times half the slope's interval: at the mean of x, too. */
static void the_band_is_the_published_interval_at_the_mean(void **state)
{
    pf_result p = df_example("kv260/measured.json");
    const chart_source s = {.reconciliation = p.r};
    const roof_fit *fit = &p.r->fits[ROOF_FIT_OVERHEAD].fit;
    const roof_estimate *slope = &fit->lines[ROOF_LINE_ORIGIN].slope;
    chart_figure f;
    (void)state;
    assert_int_equal(fit->chosen, ROOF_LINE_ORIGIN);
    assert_true(df_drawn("overhead", &s, &f));
    double half = half_width_at(df_read_block(&f, "overhead-band"), fit->x_mean);
    df_assert_near(half, 1e3 * fit->x_mean * (slope->ci95_high - slope->value), 1e-6);
    df_assert_near(half / fit->x_mean, (0.190 - 0.136) / 2, 5e-4); /* [0.136, 0.190] ms, as published */
    figure_free(&f);
    df_free_example(&p);
}

/* A free line's band is the interval of the intercept at 0, and t s / sqrt(n) at the mean. */
static void the_band_of_a_free_line_is_that_of_its_intercept_at_0(void **state)
{
    static const struct {
        int which;
        const char *block;
    } rows[] = {{ROOF_FIT_HOST, "host-band"}, {ROOF_FIT_BOUNDARY, "boundary-band"}};
    pf_result p = df_example("kv260/measured.json");
    const chart_source s = {.reconciliation = p.r};
    chart_figure f;
    (void)state;
    assert_true(df_drawn("overhead", &s, &f));
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_fit *fit = &p.r->fits[rows[i].which].fit;
        const roof_line *line = &fit->lines[ROOF_LINE_FREE];
        const df_block *band = df_read_block(&f, rows[i].block);
        df_assert_near(half_width_at(band, 0), 1e3 * (line->intercept.ci95_high - line->intercept.value),
                       1e-6);
        df_assert_near(roof_fit_mean_half_width(fit, ROOF_LINE_FREE, fit->x_mean),
                       roof_fit_t95(line->dof) * line->residual_std / sqrt(3), 1e-12);
    }
    figure_free(&f);
    df_free_example(&p);
}

static void points_and_residuals_are_those_of_the_fit(void **state)
{
    static const double want[][3] = {{15, 2.551, 0.109}, {36, 5.354, -0.508}, {55, 9.258, 0.303}};
    pf_result p = df_example("kv260/measured.json");
    const chart_source s = {.reconciliation = p.r};
    chart_figure f;
    (void)state;
    assert_true(df_drawn("overhead", &s, &f));
    const df_block *points = df_read_block(&f, "overhead-points");
    assert_int_equal(points->n, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++)
        for (size_t c = 0; c < 3; c++)
            df_assert_near(points->values[i][c], want[i][c], 5e-4);
    assert_string_equal(f.title, "Timing every layer costs 0.163 ms per boundary, 95 % [0.136, 0.190]");
    static const char *const words[] = {"2.06 ms once, 95 % [1.15, 2.97]",
                                        "10.7 us per boundary",
                                        "0.156 ms per boundary",
                                        "MobileNetV1",
                                        "MobileNetV2",
                                        "ResNet-50"};
    for (size_t i = 0; i < COUNT(words); i++)
        if (!cf_says(&f, words[i]))
            fail_msg("'%s' is not said", words[i]);
    figure_free(&f);
    df_free_example(&p);
}

/* Models on a line, but for a constant that says the free line is the one; one degree of freedom. */
static void a_band_that_leaves_the_picture_is_said_to(void **state)
{
    static const pf_experiment wide[] = {
        {.model = "a", .bypass_us = 100, .per_layer_us = 1100, .rows = "x=10 y=10"},
        {.model = "b", .bypass_us = 100, .per_layer_us = 1400, .rows = "x=10 y=10 z=10"},
        {.model = "c", .bypass_us = 100, .per_layer_us = 1250, .rows = "x=10 y=10 z=10 v=10"}};
    static const pf_experiment narrow[] = {
        {.model = "a", .bypass_us = 100, .per_layer_us = 1100, .rows = "x=10 y=10"},
        {.model = "b", .bypass_us = 100, .per_layer_us = 1600, .rows = "x=10 y=10 z=10"},
        {.model = "c", .bypass_us = 100, .per_layer_us = 2101, .rows = "x=10 y=10 z=10 v=10"}};
    static const struct {
        const pf_experiment *experiments;
        bool leaves;
    } rows[] = {{wide, true}, {narrow, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        pf_result p = pf_reconcile(rows[i].experiments, 3);
        const chart_source s = {.reconciliation = p.r};
        chart_figure f;
        assert_true(df_drawn("overhead", &s, &f));
        assert_int_equal(cf_says(&f, "it leaves the picture"), rows[i].leaves);
        assert_int_equal(strstr(f.caption, "leaves the picture") != NULL, rows[i].leaves);
        df_check_labels("overhead", &f);
        figure_free(&f);
        pf_free(&p);
    }
}

/* 60 models, most of them on a heap: names are left out rather than laid on one another. */
static void names_of_many_models_stay_apart(void **state)
{
    enum { MODELS = 60 };
    static const char *const rows[] = {"x=1 y=1", "x=1 y=1 z=1", "x=1 y=1 z=1 v=1", "x=1 y=1 z=1 v=1 w=1"};
    pf_experiment experiments[MODELS];
    char names[MODELS][16];
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        snprintf(names[i], sizeof names[i], "model%d", i);
        experiments[i] = (pf_experiment){.model = names[i],
                                         .bypass_us = 100,
                                         .per_layer_us = 300 + 200 * (i % 4) + i,
                                         .rows = rows[i % 4]};
    }
    pf_result p = pf_reconcile(experiments, MODELS);
    const chart_source s = {.reconciliation = p.r};
    for (int narrow = 0; narrow < 2; narrow++) {
        chart_figure f;
        for (uint32_t i = 0; i < p.r->n_experiments && narrow; i++)
            p.r->experiments[i].model = df_hostile_name(i);
        assert_true(cf_draw("overhead", &s, narrow ? canvas_narrow : canvas_wide, &f));
        assert_int_equal(df_read_block(&f, "overhead-points")->n, MODELS);
        df_check_labels("overhead", &f);
        figure_free(&f);
    }
    pf_free(&p);
}

static void without_a_line_there_is_nothing(void **state)
{
    static const pf_experiment two[] = {
        {.model = "a", .bypass_us = 100, .per_layer_us = 1100, .rows = "x=1 y=1"},
        {.model = "b", .bypass_us = 100, .per_layer_us = 1400, .rows = "x=1 y=1 z=1"}};
    pf_result p = pf_reconcile(two, COUNT(two));
    const chart_source rows[] = {{0}, {.reconciliation = p.r}};
    chart_figure f;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_false(df_drawn("overhead", &rows[i], &f));
        figure_free(&f);
    }
    pf_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_band_is_the_published_interval_at_the_mean),
        cmocka_unit_test(the_band_of_a_free_line_is_that_of_its_intercept_at_0),
        cmocka_unit_test(points_and_residuals_are_those_of_the_fit),
        cmocka_unit_test(a_band_that_leaves_the_picture_is_said_to),
        cmocka_unit_test(names_of_many_models_stay_apart),
        cmocka_unit_test(without_a_line_there_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
