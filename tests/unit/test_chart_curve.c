/* The charts of a language model: what is drawn of a curve and of its memory, what is left out because it is
 * not known, and that no text lies on another whatever the curve is. */
#include "reports/words/curve_words.h"
#include "roofline/draw.h"
#include "tests/support/curves.h"
#include "tests/support/skips.h"
#include "tests/unit/drawn_fixture.h"
#include "tests/unit/folder.h"

static bool drawn(const char *id, const roof_curve *curve, chart_figure *f)
{
    return df_drawn(id, &(chart_source){.curve = curve}, f);
}

static void lines_go_through_the_points_and_bend_between_them(void **state)
{
    roof_curve *curve = curves_known();
    chart_figure f;
    (void)state;
    assert_true(drawn("curve", curve, &f));
    const df_block *lines = df_read_block(&f, "steps-lines");
    assert_int_equal(lines->n, 7 * 8 + 1);
    for (uint32_t i = 0; i < curve->n_decode; i++) {
        const double *row = lines->values[8 * i];
        const roof_curve_point *p = &curve->points[i];
        df_assert_near(row[0], p->tokens, 1e-6);
        df_assert_near(row[1], 1e3 * p->ideal_s, 1e-6);
        df_assert_near(row[2], 1e3 * p->expected.seconds, 1e-6);
        df_assert_near(row[3], 1e3 * p->expected.ci95_s[0], 1e-6);
        df_assert_near(row[4], 1e3 * p->expected.ci95_s[1], 1e-6);
    }
    df_assert_near(lines->values[4][0], 1536, 1e-6); /* half-way */
    df_assert_near(lines->values[4][2],
                   500 * (curve->points[0].expected.seconds + curve->points[1].expected.seconds), 1e-6);
    assert_int_equal(df_read_block(&f, "steps-measured")->n, 5);
    const df_block *measured = df_read_block(&f, "prompts-measured");
    assert_int_equal(measured->n, 3);
    df_assert_near(measured->values[0][0], 1007, 0);
    df_assert_near(measured->values[0][1], 0.61, 1e-9); /* of seconds: the longest prompt takes 57 */
    assert_int_equal(df_read_block(&f, "prompts-lines")->n, 7);
    assert_true(cf_says(&f, "15.5 ms, 64.5/s") && cf_says(&f, "51.02 s, 642/s"));
    assert_true(cf_says(&f, "measured") && cf_says(&f, "95 % interval"));
    figure_free(&f);
    roof_curve_free(curve);
}

static void uprights_say_where_the_cache_takes_over_and_what_fits(void **state)
{
    roof_curve *curve = curves_known();
    chart_figure f;
    (void)state;
    assert_true(drawn("curve", curve, &f));
    const df_block *uprights = df_read_block(&f, "steps-uprights");
    const roof_curve_point *a = &curve->points[4], *b = &curve->points[5]; /* 16k and 32k */
    const double weights_s = a->expected.parts_s[ROOF_PART_WEIGHTS];
    const double part = (weights_s - a->expected.parts_s[ROOF_PART_CACHE]) /
                        (b->expected.parts_s[ROOF_PART_CACHE] - a->expected.parts_s[ROOF_PART_CACHE]);
    df_assert_near(uprights->values[0][0], 16384 * (1 + part), 1e-3);
    df_assert_near(uprights->values[2][0], 91471, 0);
    assert_int_equal(df_read_block(&f, "prompts-uprights")->n, 0);
    figure_free(&f);
    for (uint32_t i = 0; i < curve->n_decode;
         i++) /* no more than the model was made for: nothing ends there */
        curve->points[i].memory.largest_tokens = 131072;
    assert_true(drawn("curve", curve, &f));
    assert_int_equal(df_read_block(&f, "steps-uprights")->n, 2); /* the ends of one */
    assert_true(cf_says(&f, "cache leads") && !cf_says(&f, "known to fit"));
    figure_free(&f);
    roof_curve_free(curve);
}

static void what_is_not_known_is_not_drawn(void **state)
{
    roof_curve *curve = curves_bound_only();
    chart_figure f;
    (void)state;
    assert_true(drawn("curve", curve, &f));
    const df_block *lines = df_read_block(&f, "steps-lines");
    for (size_t i = 0; i < lines->n; i++)
        assert_true(lines->values[i][1] > 0 && isnan(lines->values[i][2]) && isnan(lines->values[i][3]));
    assert_false(cf_says(&f, "expected") || cf_says(&f, "measured") || cf_says(&f, "known to fit"));
    assert_true(cf_says(&f, "bound: nothing is faster"));
    figure_free(&f);
    assert_true(drawn("memory_use", curve, &f));
    assert_int_equal(df_read_block(&f, "levels")->n, 0);
    assert_int_equal(df_read_block(&f, "longest")->n, 0);
    figure_free(&f);
    for (uint32_t i = 0; i < curve->n_points; i++) {
        curve->points[i].ideal_s = NAN;
        curve->points[i].memory.need_bytes = ROOF_UNKNOWN;
    }
    assert_false(drawn("curve", curve, &f));
    figure_free(&f);
    assert_false(drawn("memory_use", curve, &f));
    figure_free(&f);
    assert_false(drawn("curve", NULL, &f));
    figure_free(&f);
    assert_false(drawn("memory_use", NULL, &f));
    figure_free(&f);
    roof_curve_free(curve);
}

static void memory_is_stacked_up_to_what_is_needed(void **state)
{
    roof_curve *curve = curves_known();
    chart_figure f;
    const double gib = 1 << 30;
    (void)state;
    for (uint32_t i = 0; i < curve->n_decode; i++)
        curve->points[i].counts.state_bytes = UINT64_C(100) << 20;
    assert_true(drawn("memory_use", curve, &f));
    const df_block *areas = df_read_block(&f, "areas");
    assert_int_equal(areas->n, 7 * 8 + 1);
    for (uint32_t i = 0; i < curve->n_decode; i++) {
        const double *row = areas->values[8 * i], *counts = row + 1;
        const roof_curve_point *p = &curve->points[i];
        df_assert_near(row[0], p->tokens, 1e-6);
        df_assert_near(counts[2], (double)p->memory.need_bytes / gib, 1e-9);
        df_assert_near(counts[2] - counts[1], (double)p->counts.cache_bytes / gib, 1e-9);
        df_assert_near(counts[1] - counts[0], 100.0 / 1024, 1e-9);
    }
    const df_block *levels = df_read_block(&f, "levels");
    df_assert_near(levels->values[0][1], 4, 0);
    assert_true(cf_says(&f, "known to fit up to here: 4.00 GiB"));
    assert_true(cf_says(&f, "known not to fit from here on: 5.00 GiB"));
    assert_true(cf_says(&f, "the machine's memory: 8.00 GiB") && cf_says(&f, "fits up to 91 471"));
    assert_true(cf_says(&f, "states"));
    figure_free(&f);
    for (uint32_t i = 0; i < curve->n_decode; i++)
        curve->points[i].memory.available_bytes = UINT64_C(64) << 30;
    assert_true(drawn("memory_use", curve, &f)); /* it would press the rest to the ground */
    assert_true(cf_says(&f, "; above: the machine's memory 64.0 GiB"));
    figure_free(&f);
    roof_curve_free(curve);
}

static void check_places(const roof_curve *curve, const char *what)
{
    static const char *const ids[] = {"curve", "memory_use"};
    const chart_canvas canvases[] = {canvas_wide, canvas_narrow};
    for (size_t i = 0; i < COUNT(ids); i++)
        for (size_t k = 0; k < COUNT(canvases); k++) {
            chart_figure f;
            char name[200];
            snprintf(name, sizeof name, "%s of %.80s, %g wide", ids[i], what, canvases[k].width_px);
            if (cf_draw(ids[i], &(chart_source){.curve = curve}, canvases[k], &f)) {
                df_check_labels(name, &f);
                assert_true(f.title[0] && f.caption[0]);
            }
            figure_free(&f);
        }
}

static void no_text_lies_on_another(void **state)
{
    static const uint32_t one[] = {4096}, wide[] = {1, 1000000000}, near[] = {100000, 100001, 100002};
    roof_curve *curves[] = {curves_known(),          curves_bound_only(),     curves_long(1),
                            curves_long(128),        curves_of_steps(one, 1), curves_of_steps(wide, 2),
                            curves_of_steps(near, 3)};
    (void)state;
    for (size_t i = 0; i < COUNT(curves); i++) {
        for (uint32_t hostile = 0; hostile < 8; hostile++) {
            curves[i]->model = curves[i]->hardware_name = df_hostile_name(hostile);
            check_places(curves[i], df_hostile_name(hostile));
        }
        roof_curve_free(curves[i]);
    }
}

static void absurd_numbers_stay_on_the_canvas(void **state)
{
    static const double seconds[] = {1e-300, 1e12, 0, 1e308, NAN, 1, INFINITY, 1e-9};
    roof_curve *curve = curves_known();
    (void)state;
    for (size_t k = 0; k < COUNT(seconds); k++) {
        for (uint32_t i = 0; i < curve->n_points; i++) {
            roof_curve_point *p = &curve->points[i];
            p->ideal_s = seconds[(i + k) % COUNT(seconds)];
            p->expected.seconds = seconds[(i + 2 * k + 3) % COUNT(seconds)];
            p->memory.need_bytes = i % 3 ? UINT64_C(1) << (i * 5 % 53) : 0;
            p->memory.limit_bytes = seconds[(i + k + 1) % COUNT(seconds)];
        }
        check_places(curve, "absurd numbers");
    }
    roof_curve_free(curve);
}

static void both_pictures_are_files_with_their_scripts(void **state)
{
    static const char *const names[] = {"net.gp",        "net.dat",        "net.svg",
                                        "net-memory.gp", "net-memory.dat", "net-memory.svg"};
    roof_curve *curve = curves_known();
    roof_error err = {0};
    (void)state;
    const roof_status status = roof_draw_curve(curve, in_folder("net.svg"), NULL, &err);
    const bool has_gnuplot = status != ROOF_E_DEVICE;
    if (has_gnuplot && status != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    for (size_t i = 0; i < COUNT(names); i++)
        if (unlink(in_folder(names[i])) != 0 && (has_gnuplot || !strstr(names[i], ".svg")))
            fail_msg("%s is not there", names[i]);
    assert_int_equal(roof_draw_curve(curve, in_folder("net.txt"), NULL, &err), ROOF_E_USAGE);
    curve->n_points = curve->n_decode = curve->n_measured = 0;
    assert_int_equal(roof_draw_curve(curve, in_folder("net.svg"), NULL, &err), ROOF_E_DATA);
    roof_curve_free(curve);
    if (!has_gnuplot)
        skip_without("gnuplot");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_go_through_the_points_and_bend_between_them),
        cmocka_unit_test(uprights_say_where_the_cache_takes_over_and_what_fits),
        cmocka_unit_test(what_is_not_known_is_not_drawn),
        cmocka_unit_test(memory_is_stacked_up_to_what_is_needed),
        cmocka_unit_test(no_text_lies_on_another),
        cmocka_unit_test(absurd_numbers_stay_on_the_canvas),
        cmocka_unit_test(both_pictures_are_files_with_their_scripts)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
