/* What a figure promises: texts that do not lie on each other, data that gnuplot cannot mistake for anything
 * else. */
#include "reports/charts/chart_axes.h"
#include "tests/support/chart_check.h"
#include "tests/unit/fixture.h"

static chart_figure begin(double width_px, double height_px)
{
    chart_figure f;
    assert_int_equal(figure_begin(&f, "roofline", (chart_canvas){width_px, height_px}, NULL), ROOF_OK);
    return f;
}

/* ---- boxes ---- */

static void boxes_overlap_also_when_they_are_turned(void **state)
{
    static const struct {
        px_box a, b;
        bool overlap;
    } rows[] = {
        {{0, 0, 10, 5, 0}, {0, 0, 1, 1, 0}, true},     /* one inside the other */
        {{0, 0, 10, 5, 0}, {19, 0, 10, 5, 0}, true},   /* side by side, one pixel in common */
        {{0, 0, 10, 5, 0}, {22, 0, 10, 5, 0}, false},  /* two pixels between */
        {{0, 0, 10, 5, 0}, {0, 12, 10, 5, 0}, false},  /* one below the other */
        {{0, 0, 10, 1, 0}, {0, 0, 10, 1, 90}, true},   /* a cross */
        {{0, 0, 10, 1, 45}, {6, 6, 10, 1, 45}, false}, /* parallel, askew: shadows on x and y overlap */
        {{0, 0, 10, 1, 45}, {6, -6, 10, 1, 45}, true}, /* one behind the other along the line */
        {{0, 0, 10, 10, 45},
         {13, 13, 4, 4, 0},
         false}, /* beyond a corner that only an upright box would have */
        {{0, 0, 10, 10, 0}, {13, 13, 4, 4, 0}, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (figure_boxes_overlap(&rows[i].a, &rows[i].b) != rows[i].overlap ||
            figure_boxes_overlap(&rows[i].b, &rows[i].a) != rows[i].overlap)
            fail_msg("row %zu: want %d", i, rows[i].overlap);
}

static void a_label_has_its_box_where_it_is_drawn(void **state)
{
    double w = figure_text_width_px("text", LETTER_TEXT);
    const struct {
        figure_text_label label;
        double x, y;
    } rows[] = {
        {{.x_px = 100, .y_px = 50, .anchor = ANCHOR_LEFT}, 100 + w / 2, 50},
        {{.x_px = 100, .y_px = 50, .anchor = ANCHOR_CENTRE}, 100, 50},
        {{.x_px = 100, .y_px = 50, .anchor = ANCHOR_RIGHT}, 100 - w / 2, 50},
        {{.x_px = 100, .y_px = 50, .anchor = ANCHOR_LEFT, .degrees = 90}, 100, 50 - w / 2},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        figure_text_label l = rows[i].label;
        l.letter = LETTER_TEXT;
        l.text = "text";
        px_box box = figure_label_box(&l);
        assert_true(fabs(box.x_px - rows[i].x) < 1e-9 && fabs(box.y_px - rows[i].y) < 1e-9);
    }
}

static void faults_of_a_chart_are_found(void **state)
{
    static const struct {
        figure_text_label a, b;
        const char *want;
    } rows[] = {
        {{.x_px = 100, .y_px = 50, .text = "one"},
         {.x_px = 110, .y_px = 55, .text = "two"},
         "'one' lies on 'two'"},
        {{.x_px = 100, .y_px = 50, .text = "one"},
         {.x_px = 110, .y_px = 60, .degrees = 60, .text = "two"},
         "'one' lies on 'two'"},
        {{.x_px = 390, .y_px = 50, .text = "outside"},
         {.x_px = 0, .y_px = 100, .text = "b"},
         "'outside' leaves the canvas"},
        {{.x_px = 100, .y_px = 50, .text = "one"}, {.x_px = 100, .y_px = 75, .text = "two"}, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        chart_figure f = begin(400, 300);
        char fault[200];
        figure_label(&f, &rows[i].a);
        figure_label(&f, &rows[i].b);
        const char *found = chart_fault(&f, fault, sizeof fault);
        assert_string_equal(found ? found : "none", rows[i].want ? rows[i].want : "none");
        figure_free(&f);
    }
}

/* ---- placing ---- */

static const chart_axis in_pixels = {.max = 500, .to_px = 500};

static void labels_at_points_keep_off_each_other_for_any_points(void **state)
{
    enum { TRIALS = 60, POINTS = 25 };
    uint32_t seed = 1;
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        chart_figure f = begin(500, 400);
        const chart_plane plane = {.f = &f, .area = {40, 480, 20, 380}, .x = in_pixels, .y = in_pixels};
        unsigned written = 0;
        for (int i = 0; i < POINTS; i++) {
            char text[16], fault[200];
            seed = seed * 1664525u + 1013904223u;
            snprintf(text, sizeof text, "%d", i + 1);
            written += chart_plane_name_point(&plane, text, 40 + (seed >> 8) % (trial < 30 ? 440 : 60),
                                              20 + (seed >> 20) % (trial < 30 ? 360 : 60), 5, false);
            if (chart_fault(&f, fault, sizeof fault))
                fail_msg("trial %d: %s", trial, fault);
        }
        assert_true(written >= (trial < 30 ? POINTS : POINTS / 2));
        figure_free(&f);
    }
}

static void a_label_prefers_a_place_off_the_marks(void **state)
{
    chart_figure f = begin(300, 300);
    const chart_plane plane = {.f = &f, .area = {0, 300, 0, 300}, .x = in_pixels, .y = in_pixels};
    (void)state;
    figure_avoid(&f, (px_box){.x_px = 170, .y_px = 150, .half_width_px = 16, .half_height_px = 100});
    assert_true(chart_plane_name_point(&plane, "1", 150, 150, 5, false));
    assert_true(f.labels[f.n_labels - 1].x_px < 150);
    figure_free(&f);
}

static void a_title_is_broken_into_lines_that_fit(void **state)
{
    static const char *const titles[] = {
        "short",
        "a title of so many words that it cannot possibly stand on one line of this narrow canvas and has to "
        "be broken",
        "one_word_that_is_longer_than_any_line_of_this_canvas_and_cannot_be_broken_anywhere_since_it_has_no_"
        "blank_at_all",
        "日本語の題名 mit Umlauten äöü und einem sehr langen Rest, der nicht auf eine Zeile geht, sondern "
        "auf zwei oder drei",
        "",
    };
    char fault[300];
    (void)state;
    for (size_t i = 0; i < COUNT(titles); i++) {
        chart_figure f = begin(400, 300);
        double y = figure_head(&f, titles[i], titles[i]);
        assert_true(y < 160);
        if (chart_fault(&f, fault, sizeof fault))
            fail_msg("%s: %s", titles[i], fault);
        assert_string_equal(f.title, titles[i]);
        figure_free(&f);
    }
}

/* Every width that a title may have to be broken at, of this sentence. */
static void no_line_ends_within_a_number_and_its_unit(void **state)
{
    static const char title[] =
        "a runs at 1 229 GOP/s, takes 5.65 ms of 12 345 678 us, 28 % of 8.9 Op/Byte; 36 layers at "
        "300 MHz with 19.2 GB/s, 95 % [0.136, 0.190] or 1 020 inferences/s";
    static const char *const whole[] = {"1 229 GOP/s",        "5.65 ms",       "12 345 678 us", "28 %",
                                        "8.9 Op/Byte",        "300 MHz",       "19.2 GB/s",     "95 %",
                                        "1 020 inferences/s", "[0.136, 0.190]"};
    (void)state;
    for (double width = 250; width < 1200; width += 7) {
        chart_figure f = begin(width, 300);
        size_t found = 0;
        figure_head(&f, "", title);
        bool is_cut = f.n_labels == 3;
        for (size_t i = 0; i < f.n_labels; i++)
            for (size_t k = 0; k < COUNT(whole); k++)
                found += strstr(f.labels[i].text, whole[k]) != NULL;
        if (!is_cut && found != COUNT(whole))
            fail_msg("%g px wide: a number is broken: %s | %s", width, f.labels[0].text, f.labels[1].text);
        figure_free(&f);
    }
}

static void a_shortened_text_fits_and_keeps_its_end(void **state)
{
    chart_figure f = begin(400, 300);
    const char *text = figure_shorten(&f, "features.17.conv.3/depthwise/BatchNorm", LETTER_SMALL, 120);
    (void)state;
    assert_true(figure_text_width_px(text, LETTER_SMALL) <= 120);
    assert_non_null(strstr(text, "..."));
    assert_string_equal(text + strlen(text) - 4, "Norm");
    assert_string_equal(figure_shorten(&f, "conv1", LETTER_SMALL, 120), "conv1");
    figure_free(&f);
}

/* ---- data ---- */

static void texts_are_data_that_is_quoted(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"conv1", "\"conv1\""},
        {"", "\" \""}, /* gnuplot 5.4 crashes at an empty text */
        {"a \"b\"", "\"a \"\"b\"\"\""},
        {"a\\nb", "\"a\\\\nb\""},
        {"a\nb\tc\x7f", "\"a\\\\x0ab\\\\x09c\\\\x7f\""},
        {"\"; system(\"x\")", "\"\"\"; system(\"\"x\"\")\""},
        {"`touch x`", "\"`touch x`\""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        chart_figure f = begin(400, 300);
        figure_text(&f, rows[i].text);
        assert_string_equal(f.data.bytes, rows[i].want);
        figure_free(&f);
    }
}

static void blocks_without_rows_get_one_of_question_marks(void **state)
{
    chart_figure f = begin(400, 300);
    (void)state;
    figure_block(&f, "empty", "a\tb\tc");
    figure_block(&f, "full", "a\tb");
    FIGURE_NUMBERS(&f, 1);
    FIGURE_NUMBERS(&f, NAN);
    figure_end_row(&f);
    assert_string_equal(f.data.bytes, "# empty\n# a\tb\tc\n?\t?\t?\n\n\n# full\n# a\tb\n1\t?\n");
    figure_free(&f);
}

static void steps_are_one_two_or_five(void **state)
{
    static const struct {
        double range;
        unsigned n;
        double want;
    } rows[] = {{10, 5, 2},     {9, 10, 1}, {47, 8, 10}, {0.023, 5, 0.005},
                {1000, 4, 500}, {0, 3, 1},  {NAN, 3, 1}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_true(fabs(chart_axis_nice_step(rows[i].range, rows[i].n) / rows[i].want - 1) < 1e-9);
}

static void axes_map_their_ends_to_their_ends(void **state)
{
    const chart_axis linear = {.min = -5, .max = 15, .from_px = 100, .to_px = 300},
                     log = {.min = 1, .max = 1000, .is_log = true, .from_px = 400, .to_px = 100};
    (void)state;
    assert_true(fabs(chart_axis_px(&linear, 5) - 200) < 1e-9);
    assert_true(fabs(chart_axis_px(&log, 1) - 400) < 1e-9 && fabs(chart_axis_px(&log, 10) - 300) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_overlap_also_when_they_are_turned),
        cmocka_unit_test(a_label_has_its_box_where_it_is_drawn),
        cmocka_unit_test(faults_of_a_chart_are_found),
        cmocka_unit_test(labels_at_points_keep_off_each_other_for_any_points),
        cmocka_unit_test(a_label_prefers_a_place_off_the_marks),
        cmocka_unit_test(a_title_is_broken_into_lines_that_fit),
        cmocka_unit_test(no_line_ends_within_a_number_and_its_unit),
        cmocka_unit_test(a_shortened_text_fits_and_keeps_its_end),
        cmocka_unit_test(texts_are_data_that_is_quoted),
        cmocka_unit_test(blocks_without_rows_get_one_of_question_marks),
        cmocka_unit_test(steps_are_one_two_or_five),
        cmocka_unit_test(axes_map_their_ends_to_their_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
