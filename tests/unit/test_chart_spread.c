/* How times scatter: boxes are those of the samples, outliers are shown apart and never many, the largest
 * scatter comes first, and what is only known as a deviation is a bar. */
#include "tests/unit/chart_fixture.h"

/* Rows of a profile by layers, without a model; rows: the members of each row, in braces, between commas. */
static pf_result profile_of(const char *rows)
{
    textbuf json;
    text_init(&json, TEXT_MAX_BYTES);
    text_printf(&json,
                "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},"
                "\"runs\":[{\"mode\":\"per_layer\",\"layers\":[%s]}]}]}",
                rows);
    pf_result p = pf_reconcile_document(json.bytes, NULL);
    text_free(&json);
    return p;
}

static void draw(const char *rows, chart_canvas canvas, pf_result *p, chart_figure *f)
{
    *p = profile_of(rows);
    chart_source s = cf_source(p, 0);
    assert_true(cf_draw("spread", &s, canvas, f));
    cf_expect_apart(f, "spread");
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-6 * (1 + fabs(b));
}

/* 10 .. 18 have the median 14.5 with the sample of 100, which stands out. */
static void boxes_are_quartiles_and_outliers_stand_apart(void **state)
{
    (void)state;
    pf_result p;
    chart_figure f;
    draw("{\"name\":\"a\",\"samples_s\":[10,11,12,13,14,15,16,17,18,100]}", canvas_wide, &p, &f);
    const cf_block *boxes = cf_read(&f, "boxes");
    const double median = 14.5, want[] = {10, 12.25, 16.75, 18}; /* type 7: x(3.25), x(7.75) of ten, from 1 */
    assert_int_equal(boxes->n_rows, 1);
    for (size_t i = 0; i < COUNT(want); i++)
        if (!near(boxes->numbers[0][2 + i], 100 * (want[i] / median - 1)))
            fail_msg("%zu: %g", i, boxes->numbers[0][2 + i]);
    assert_int_equal(cf_read(&f, "outliers")->n_rows, 0);
    assert_int_equal(cf_read(&f, "beyond")->n_rows, 1); /* 590 % out, so at the edge */
    cf_expect_said(&f, "1 of 1 layers scatters by more than 10 %");
    figure_free(&f);
    pf_free(&p);
}

static void a_near_outlier_is_a_dot(void **state)
{
    (void)state;
    pf_result p;
    chart_figure f;
    draw("{\"name\":\"a\",\"samples_s\":[98,99,99,100,100,100,101,101,102,104.5,80]},"
         "{\"name\":\"b\",\"samples_s\":[70,80,90,95,100,105,110,120,130]}",
         canvas_wide, &p, &f);
    const cf_block *dots = cf_read(&f, "outliers");
    assert_int_equal(dots->n_rows, 1);
    assert_true(near(dots->numbers[0][2], -20));
    assert_true(dots->numbers[0][0] == 2 && dots->numbers[0][1] == 1); /* it scatters less than b */
    figure_free(&f);
    pf_free(&p);
}

static void many_samples_make_no_large_file(void **state)
{
    (void)state;
    enum { SAMPLES = 200000 };
    textbuf rows;
    pf_result p;
    chart_figure f;
    text_init(&rows, TEXT_MAX_BYTES);
    text_puts(&rows, "{\"name\":\"a\",\"samples_s\":[");
    for (unsigned i = 0; i < SAMPLES; i++) /* one in a hundred stands out */
        text_printf(&rows, "%s%u", i ? "," : "", i % 100 ? 1000 + i * 7919u % 101 : 1190 + i * 31u % 10);
    text_puts(&rows, "]}");
    draw(rows.bytes, canvas_wide, &p, &f);
    assert_int_equal(cf_read(&f, "outliers")->n_rows, 30);
    assert_true(f.data.length < 8000);
    cf_expect_said(&f, "outliers, at most 30");
    figure_free(&f);
    pf_free(&p);
    text_free(&rows);
}

static const char summaries[] =
    "{\"name\":\"steady\",\"mean_s\":1e-3,\"std_s\":1e-5,\"count\":100},"
    "{\"name\":\"one\",\"mean_s\":0.368e-3,\"std_s\":0.067e-3,\"count\":110},"
    "{\"name\":\"wild\",\"mean_s\":1e-3,\"std_s\":3e-4,\"count\":100,\"min_s\":5e-4,\"max_s\":2e-3},"
    "{\"name\":\"silent\",\"mean_s\":1e-3},"
    "{\"name\":\"nothing\",\"mean_s\":0,\"std_s\":0,\"count\":5}";

static void deviations_are_bars_the_largest_first(void **state)
{
    (void)state;
    static const char *const want[] = {"wild", "one", "steady"};
    static const double cov[] = {30, 100 * 0.067 / 0.368, 1}, looks[] = {2, 1, 0};
    pf_result p;
    chart_figure f;
    draw(summaries, canvas_wide, &p, &f);
    const cf_block *bars = cf_read(&f, "bars");
    assert_int_equal(bars->n_rows, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++)
        assert_true(near(bars->numbers[i][2], cov[i]) && bars->numbers[i][3] == looks[i]);
    const cf_block *names = cf_read(&f, "names");
    for (size_t i = 0; i < COUNT(want); i++)
        assert_string_equal(names->texts[i][4], want[i]);
    assert_string_equal(names->texts[1][5], "18.2 %, one outlier explains it");
    assert_string_equal(names->texts[2][5], "1.0 %");
    cf_expect_said(&f, "2 of 3 layers scatter by more than 10 %; outliers alone explain 1 of them");
    cf_expect_said(&f, "2 layers of unknown scatter");
    figure_free(&f);
    pf_free(&p);
}

static void a_narrow_picture_says_the_same_in_fewer_words(void **state)
{
    (void)state;
    pf_result p;
    chart_figure f;
    draw(summaries, canvas_narrow, &p, &f);
    assert_string_equal(cf_read(&f, "names")->texts[1][5], "18.2 % *");
    cf_expect_said(&f, "one outlier or few explain it *");
    figure_free(&f);
    pf_free(&p);
}

static void what_is_known_of_each_layer_is_drawn(void **state)
{
    (void)state;
    pf_result p;
    chart_figure f;
    draw("{\"name\":\"range\",\"median_s\":1e-3,\"min_s\":9e-4,\"p95_s\":1.2e-3},"
         "{\"name\":\"deviation\",\"mean_s\":1e-3,\"std_s\":2e-5,\"count\":9},"
         "{\"name\":\"samples\",\"samples_s\":[1,2,3,4,5]},"
         "{\"name\":\"zeros\",\"samples_s\":[0,0,0,0]},"
         "{\"name\":\"single\",\"samples_s\":[1]}",
         canvas_wide, &p, &f);
    const cf_block *boxes = cf_read(&f, "boxes");
    assert_int_equal(boxes->n_rows, 2);
    assert_true(near(boxes->numbers[1][2], -10) && isnan(boxes->numbers[1][3]) &&
                near(boxes->numbers[1][5], 20));
    const cf_block *deviations = cf_read(&f, "deviations");
    assert_int_equal(deviations->n_rows, 1);
    assert_true(near(deviations->numbers[0][2], 2));
    cf_expect_said(&f, "2 layers of unknown scatter");
    figure_free(&f);
    pf_free(&p);
}

static void the_most_scattered_of_many_are_shown(void **state)
{
    (void)state;
    enum { LAYERS = 5000 };
    textbuf rows;
    text_init(&rows, TEXT_MAX_BYTES);
    for (unsigned i = 0; i < LAYERS; i++)
        text_printf(&rows, "%s{\"name\":\"l%u\",\"mean_s\":1e-3,\"std_s\":%u.0e-8,\"count\":9}", i ? "," : "",
                    i, 1 + i * 7919u % LAYERS);
    for (int narrow = 0; narrow < 2; narrow++) {
        pf_result p;
        chart_figure f;
        draw(rows.bytes, narrow ? canvas_narrow : canvas_wide, &p, &f);
        const cf_block *bars = cf_read(&f, "bars");
        assert_int_equal(bars->n_rows, narrow ? 24 : 30);
        for (size_t i = 0; i < bars->n_rows; i++)
            assert_true(near(bars->numbers[i][2], 5 - 1e-3 * (double)i));
        cf_expect_said(&f, narrow ? "4976 others not shown" : "4970 others not shown");
        figure_free(&f);
        pf_free(&p);
    }
    text_free(&rows);
}

/* Values that a document may hold; the axis must have two ends and every text a place. */
static const char *const extreme_rows[] = {
    "{\"name\":\"equal\",\"samples_s\":[1e-3,1e-3,1e-3]}",
    "{\"name\":\"steady\",\"mean_s\":1e-3,\"std_s\":0,\"count\":9}",
    "{\"name\":\"far\",\"samples_s\":[1e-300,1e-300,1e-300,1e-300,1e12]}",
    "{\"name\":\"wide\",\"mean_s\":1e-3,\"std_s\":1e12,\"count\":9}",
    "{\"name\":\"tiny\",\"mean_s\":1e-300,\"std_s\":1e-301,\"count\":9}",
};

static void extreme_values_keep_to_the_canvas(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(extreme_rows); i++)
        for (int narrow = 0; narrow < 2; narrow++) {
            pf_result p;
            chart_figure f;
            draw(extreme_rows[i], narrow ? canvas_narrow : canvas_wide, &p, &f);
            const cf_block *names = cf_read(&f, "names");
            assert_int_equal(names->n_rows, 1);
            assert_true(isfinite(names->numbers[0][2]));
            assert_null(strstr(f.variables.bytes, "inf"));
            assert_non_null(strstr(f.variables.bytes, "x_max = "));
            for (size_t k = 0; k < f.n_boxes; k++)
                assert_true(isfinite(f.boxes[k].x_px));
            figure_free(&f);
            pf_free(&p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_quartiles_and_outliers_stand_apart),
        cmocka_unit_test(a_near_outlier_is_a_dot),
        cmocka_unit_test(many_samples_make_no_large_file),
        cmocka_unit_test(deviations_are_bars_the_largest_first),
        cmocka_unit_test(a_narrow_picture_says_the_same_in_fewer_words),
        cmocka_unit_test(what_is_known_of_each_layer_is_drawn),
        cmocka_unit_test(the_most_scattered_of_many_are_shown),
        cmocka_unit_test(extreme_values_keep_to_the_canvas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
