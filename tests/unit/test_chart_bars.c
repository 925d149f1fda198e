/* Bars of time: their parts sum up, the longest comes first, what has no bar of its own is in the others or
 * counted, and no text lies on another. */
#include "reports/charts/chart_bars.h"
#include "reports/charts/gnuplot.h"
#include "tests/unit/chart_fixture.h"
#include "tests/unit/drawn_folder.h"
#include "tests/support/skips.h"

#include <unistd.h>

static const char *const bar_charts[] = {"waterfall", "types"};
static const char *const row_charts[] = {"waterfall", "spread", "types"};

static chart_canvas canvas_of(int which)
{
    return which ? canvas_narrow : canvas_wide;
}

/* ---- parts ---- */

static const struct {
    const char *name;
    double time, ideal, overhead;                /* of the row, in us */
    double want_ideal, want_rest, want_overhead; /* rest: the gap, or what has no ideal */
} part_cases[] = {
    {"all known", 100, 40, 25, 40, 35, 25},
    {"at the bound", 100, 75, 25, 75, 0, 25},
    {"overhead unknown", 100, 40, NAN, 40, 60, 0},
    {"nothing to compare with", 100, NAN, 25, 0, 75, 25},
    {"nothing known but the time", 100, NAN, NAN, 0, 100, 0},
    {"faster than the bound", 100, 130, 0, 100, 0, 0},
    {"more overhead than room", 100, 40, 90, 40, 0, 60},
    {"overhead below zero", 100, 40, -20, 40, 60, 0},
    {"ideal of nothing", 100, 0, 10, 0, 90, 10},
    {"no time", 0, NAN, NAN, 0, 0, 0},
    {"no time, but an ideal", 0, 40, 10, 0, 0, 0},
};

static void parts_of_a_bar_sum_up_to_its_time(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(part_cases); i++) {
        bool has_ideal = part_cases[i].ideal > 0;
        int rest = has_ideal ? (int)BAR_GAP : (int)BAR_IDEAL + ENGINE_KIND_OTHER;
        chart_bar bar = bar_empty("");
        bar_add(&bar, &(chart_row){.time_s = part_cases[i].time * 1e-6,
                                   .ideal_s = part_cases[i].ideal * 1e-6,
                                   .overhead_s = part_cases[i].overhead * 1e-6,
                                   .bound_class = ENGINE_KIND_DATA});
        double sum = 0;
        for (int k = 0; k < BAR_PARTS; k++) {
            assert_true(bar.parts_s[k] >= 0);
            sum += bar.parts_s[k];
        }
        if (fabs(sum - bar.time_s) > 1e-18 ||
            fabs(bar.parts_s[BAR_IDEAL + ENGINE_KIND_DATA] - part_cases[i].want_ideal * 1e-6) > 1e-15 ||
            fabs(bar.parts_s[rest] - part_cases[i].want_rest * 1e-6) > 1e-15 ||
            fabs(bar.parts_s[BAR_OVERHEAD] - part_cases[i].want_overhead * 1e-6) > 1e-15)
            fail_msg("%s: parts sum up to %g us of %g us", part_cases[i].name, 1e6 * sum, 1e6 * bar.time_s);
    }
}

/* ---- order ---- */

static void expect_names(const cf_block *names, size_t column, const char *const *want, size_t n)
{
    assert_int_equal(names->n_rows, n);
    for (size_t i = 0; i < n; i++)
        for (size_t row = 0; row < n; row++)
            if (names->numbers[row][column] == (double)(i + 1))
                assert_string_equal(names->texts[row][4], want[i]);
}

static void the_longest_comes_first_and_order_of_execution_is_kept(void **state)
{
    (void)state;
    static const char *const by_time[] = {"b", "d", "a", "c"}, *const in_order[] = {"a", "b", "c", "d"};
    const pf_experiment e = {.layers = "a=10 b=10 c=10 d=10", .rows = "a=30 b=90 c=20 d=60"};
    pf_result p = pf_reconcile(&e, 1);
    chart_source s = cf_source(&p, 0);
    chart_figure f;
    assert_true(cf_draw("waterfall", &s, canvas_wide, &f));
    const cf_block *names = cf_read(&f, "names");
    expect_names(names, 0, by_time, COUNT(by_time));
    expect_names(names, 1, in_order, COUNT(in_order));
    assert_string_equal(names->texts[0][3], "2"); /* its number in the tables */
    cf_expect_said(&f, "2 of 4 layers take 75 % of the time; the gap is 80 %");
    figure_free(&f);
    pf_free(&p);
}

/* ---- sums ---- */

static void put_layers(textbuf *layers, textbuf *rows, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        text_printf(layers, "l%u%s=%u ", i, i % 3 ? "" : ":alu", 10 + i % 7);
        text_printf(rows, "l%u=%u ", i, 20 + (i * 37) % 101);
    }
}

static pf_result many_layers(unsigned n)
{
    textbuf layers, rows;
    text_init(&layers, TEXT_MAX_BYTES);
    text_init(&rows, TEXT_MAX_BYTES);
    put_layers(&layers, &rows, n);
    const pf_experiment e = {.layers = layers.bytes, .rows = rows.bytes, .bypass_us = 30.0 * n};
    pf_result p = pf_reconcile(&e, 1);
    text_free(&layers);
    text_free(&rows);
    return p;
}

enum { FIRST_PART = 2, ALL = FIRST_PART + BAR_PARTS, DRAWN };

/* The bars of a chart hold all of the time, in any unit; shares are those of the parts. */
static void expect_closed(const chart_figure *f, double total_s, const char *what)
{
    const cf_block *bars = cf_read(f, "bars");
    double all = 0, parts = 0, shares = 0;
    for (size_t i = 0; i < bars->n_rows; i++) {
        all += bars->numbers[i][ALL];
        for (int k = 0; k < BAR_PARTS; k++)
            parts += bars->numbers[i][FIRST_PART + k];
    }
    double factor = all / total_s;
    if (fabs(parts / all - 1) > 1e-9 || fabs(log10(factor) - round(log10(factor))) > 1e-9)
        fail_msg("%s: parts are %g, bars %g, the total %g s", what, parts, all, total_s);
    const cf_block *names = cf_read(f, "names");
    for (size_t i = 0; i < names->n_rows; i++)
        shares += strtod(strchr(strchr(names->texts[i][5], ' ') + 1, ' '), NULL);
    if (fabs(shares - 100) > 0.05 * (double)names->n_rows + 1e-9)
        fail_msg("%s: shares are %g %%", what, shares);
}

static void others_close_the_sum(void **state)
{
    (void)state;
    static const unsigned counts[] = {1, 3, 24, 25, 30, 31, 36, 500, 5000};
    for (size_t i = 0; i < COUNT(counts); i++) {
        pf_result p = many_layers(counts[i]);
        chart_source s = cf_source(&p, 0);
        for (size_t c = 0; c < COUNT(bar_charts); c++)
            for (int narrow = 0; narrow < 2; narrow++) {
                chart_figure f;
                assert_true(cf_draw(bar_charts[c], &s, canvas_of(narrow), &f));
                expect_closed(&f, p.r->experiments[0].total.sum_of_layers_s, bar_charts[c]);
                cf_expect_apart(&f, bar_charts[c]);
                assert_true(cf_read(&f, "names")->n_rows <= (narrow ? 24 : 30));
                assert_true(f.canvas.height_px < 800 && f.data.length < 20000);
                figure_free(&f);
            }
        pf_free(&p);
    }
}

static void others_are_last_in_both_orders_and_drawn_true_to_the_axis_or_not(void **state)
{
    (void)state;
    chart_figure f;
    pf_result p = many_layers(500);
    chart_source s = cf_source(&p, 0);
    assert_true(cf_draw("waterfall", &s, canvas_wide, &f));
    const cf_block *names = cf_read(&f, "names");
    size_t last = names->n_rows - 1;
    double ends[CF_MAX_ROWS];
    assert_string_equal(names->texts[last][4], "471 others");
    assert_true(names->numbers[last][1] == (double)names->n_rows);
    assert_non_null(strstr(names->texts[last][5], "not to scale: "));
    for (size_t i = 0; i <= last; i++)
        ends[i] = names->numbers[i][2];
    const cf_block *bars = cf_read(&f, "bars");
    for (size_t i = 0; i <= last; i++) { /* a value stands where its bar ends on the axis */
        assert_true(bars->numbers[i][DRAWN] == (i < last));
        assert_true(ends[i] == (i < last ? bars->numbers[i][ALL] : 0));
    }
    figure_free(&f);
    pf_free(&p);
}

/* ---- what is not known ---- */

static void what_has_no_time_is_counted(void **state)
{
    (void)state;
    const pf_experiment e = {.layers = "a=10 b=10 c=10 d=10 e=50", .rows = "a=30 b c=0 d=20 e=20"};
    pf_result p = pf_reconcile(&e, 1);
    chart_source s = cf_source(&p, 0);
    for (size_t c = 0; c < COUNT(bar_charts); c++) {
        chart_figure f;
        assert_true(cf_draw(bar_charts[c], &s, canvas_narrow, &f));
        cf_expect_said(&f, "1 layer without a time");
        cf_expect_said(&f, "1 layer with a time of 0");
        cf_expect_said(&f, "1 layer faster than the bound");
        figure_free(&f);
    }
    pf_free(&p);
}

/* The tables take their shares of the stated sum; here they close, and the key says so. */
static void a_stated_sum_that_is_another_one_is_told(void **state)
{
    (void)state;
    const pf_experiment e = {.layers = "a=10 b=10", .rows = "a=30 b=20", .sum_us = 50.3};
    pf_result p = pf_reconcile(&e, 1);
    chart_source s = cf_source(&p, 0);
    chart_figure f;
    assert_true(cf_draw("types", &s, canvas_wide, &f));
    cf_expect_said(&f, "shares are of the rows, which are 99.4 % of the stated sum");
    expect_closed(&f, 50e-6, "types");
    figure_free(&f);
    pf_free(&p);
}

static const struct {
    const char *name;
    pf_experiment e;
    bool waterfall, spread, types; /* whether there is something to show */
} empty_cases[] = {
    {"no layer was timed, so the ideal is shown",
     {.layers = "a=10 b=20", .bypass_us = 50},
     true,
     false,
     true},
    {"a time, and no kind of layers", {.rows = "a=10 b=20"}, true, false, false},
    {"no time at all", {.layers = "a=10 b=20", .rows = "a b"}, false, false, false},
    {"all times are 0", {.layers = "a=10 b=20", .rows = "a=0 b=0"}, false, false, false},
    {"layers of the host only", {.layers = "a:host=0", .bypass_us = 50}, false, false, false},
    {"one layer", {.layers = "a=10", .rows = "a=15"}, true, false, true},
};

static void nothing_is_drawn_from_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(empty_cases); i++) {
        pf_result p = pf_reconcile(&empty_cases[i].e, 1);
        chart_source s = cf_source(&p, 0);
        const bool want[] = {empty_cases[i].waterfall, empty_cases[i].spread, empty_cases[i].types};
        for (size_t c = 0; c < COUNT(row_charts); c++) {
            chart_figure f;
            if (cf_draw(row_charts[c], &s, canvas_wide, &f) != want[c])
                fail_msg("%s: %s", empty_cases[i].name, row_charts[c]);
            figure_free(&f);
        }
        pf_free(&p);
    }
}

/* ---- predictions ---- */

static void a_prediction_is_shown_with_what_its_calibration_predicts(void **state)
{
    (void)state;
    roof_layer_prediction layers[] = {
        {.index = 1, .name = "a", .type = "conv", .device = "DPU", .repeat = 1, .predicted_s = 3e-6},
        {.index = 2, .name = "b", .type = "pool", .device = "DPU", .repeat = 1, .predicted_s = NAN}};
    const char *engines[] = {"conv", "load"};
    for (uint32_t i = 0; i < 2; i++)
        layers[i].deployed = (roof_cost){.ideal_cycles = i + 1, .bound = i, .ideal_s = (i + 1) * 1e-6};
    roof_prediction prediction = {.engines = engines,
                                  .n_engines = 2,
                                  .layers = layers,
                                  .n_layers = 2,
                                  .total = {.predicted_s = NAN},
                                  .model = {.name = "net"},
                                  .hardware = {.id = "test", .name = "Test"},
                                  .verdict = {"at best", "bound"}};
    const chart_source s = {.prediction = &prediction};
    chart_figure f;
    assert_true(cf_draw("waterfall", &s, canvas_wide, &f));
    cf_expect_said(&f,
                   "1 of 2 layers takes 67 % of the ideal time; bottleneck: memory 67 %, the MAC array 33 %");
    figure_free(&f);
    layers[1].predicted_s = 2.5e-6; /* and the whole: the order is that of what is expected */
    prediction.total.predicted_s = 5.5e-6;
    assert_true(cf_draw("waterfall", &s, canvas_wide, &f));
    cf_expect_said(
        &f, "1 of 2 layers takes 55 % of the expected time; bottleneck: the MAC array 55 %, memory 45 %");
    assert_string_equal(cf_read(&f, "names")->texts[0][5], "3.000 us  54.5 %");
    assert_string_equal(cf_read(&f, "names")->texts[1][5], "2.500 us  45.5 %");
    figure_free(&f);
}

/* ---- kinds ---- */

static void kinds_agree_with_the_table_and_are_few(void **state)
{
    (void)state;
    textbuf rows;
    text_init(&rows, TEXT_MAX_BYTES);
    text_puts(&rows, "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},"
                     "\"runs\":[{\"mode\":\"per_layer\",\"layers\":[");
    for (unsigned i = 0; i < 60; i++)
        text_printf(&rows, "%s{\"name\":\"l%u\",\"type\":\"t%u\",\"mean_s\":%.9f%s}", i ? "," : "", i, i % 15,
                    1e-6 * (1 + i % 15), i ? "" : ",\"basis\":\"estimated\"");
    text_puts(&rows, "]}]}]}");
    pf_result p = pf_reconcile_document(rows.bytes, NULL);
    chart_source s = cf_source(&p, 0);
    chart_figure f;
    assert_true(cf_draw("types", &s, canvas_wide, &f));
    const cf_block *names = cf_read(&f, "names");
    assert_int_equal(names->n_rows, 13);
    for (size_t i = 0; i < 12; i++) {
        char want[80];
        const roof_type_share *t = &p.r->experiments[0].types[i];
        snprintf(want, sizeof want, "  %.1f %%  %u layers", 100 * t->time_share_ratio, t->layers);
        assert_string_equal(names->texts[i][4], t->type);
        assert_non_null(strstr(names->texts[i][5], want));
    }
    assert_string_equal(names->texts[12][4], "3 other kinds");
    assert_non_null(strstr(names->texts[12][5], "12 layers"));
    const cf_block *bars = cf_read(&f, "bars");
    for (size_t i = 0; i < 13; i++) /* the one estimated layer is of a kind among the others */
        assert_true(bars->numbers[i][2 + BAR_PARTS + 2] == (i == 12));
    figure_free(&f);
    pf_free(&p);
    text_free(&rows);
}

/* ---- hostile names ---- */

static const char *const hostile[] = {
    "a\\\"b\\\"\\\\c\\\\n",
    "<script>alert(1)</script>",
    "`touch pwned` $(id)",
    "it's {/Bold x} ^_{a}",
    "%s%n%d",
    "#hash",
    "NaN",
    "1e5",
    "  leading blanks",
    "Ünïcöd層",
    "@macro",
};

static pf_result hostile_profile(void)
{
    textbuf json;
    char longest[301];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    text_init(&json, TEXT_MAX_BYTES);
    text_printf(&json,
                "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"%s\"},"
                "\"runs\":[{\"mode\":\"per_layer\",\"layers\":[{\"name\":\"%s\",\"type\":\"%s\","
                "\"samples_s\":[1e-6,2e-6,3e-6]}",
                hostile[0], longest, longest);
    for (size_t i = 0; i < COUNT(hostile); i++)
        text_printf(&json, ",{\"name\":\"%s\",\"type\":\"%s\",\"mean_s\":%.9f,\"std_s\":1e-7,\"count\":9}",
                    hostile[i], hostile[i], 1e-6 * (double)(i + 3));
    text_puts(&json, "]}]}]}");
    pf_result p = pf_reconcile_document(json.bytes, NULL);
    text_free(&json);
    return p;
}

static void hostile_names_stay_data(void **state)
{
    (void)state;
    pf_result p = hostile_profile();
    chart_source s = cf_source(&p, 0);
    const uint32_t n = p.r->experiments[0].n_matches;
    for (size_t c = 0; c < COUNT(row_charts); c++)
        for (int narrow = 0; narrow < 2; narrow++) {
            chart_figure f;
            assert_true(cf_draw(row_charts[c], &s, canvas_of(narrow), &f));
            cf_expect_apart(&f, row_charts[c]);
            for (size_t i = 0; i < COUNT(hostile); i++)
                assert_true(strcmp(hostile[i], "NaN") == 0 || !strstr(f.variables.bytes, hostile[i]));
            const cf_block *names = cf_read(&f, "names");
            assert_int_equal(names->n_rows, n);
            assert_int_equal(names->n_fields, 6);
            bool found = false;
            for (size_t i = 0; i < names->n_rows; i++)
                found = found || strcmp(names->texts[i][4], "a\"b\"\\c\\n") == 0;
            assert_true(found);
            figure_free(&f);
        }
    pf_free(&p);
}

/* ---- drawn ---- */

static char *read_whole(const char *name)
{
    textbuf text;
    char block[4096];
    size_t n;
    FILE *file = fopen(in_folder(name), "r");
    assert_non_null(file);
    text_init(&text, TEXT_MAX_BYTES);
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        text_add(&text, block, n);
    fclose(file);
    assert_non_null(text.bytes);
    return text.bytes;
}

/* As a reviewer would: another value in the script, and gnuplot once more. */
static void set_in_order(const char *name)
{
    char *script = read_whole(name), *at = strstr(script, "in_order = 0");
    assert_non_null(at);
    at[strlen("in_order = ")] = '1';
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    fputs(script, file);
    fclose(file);
    free(script);
}

static size_t place_of(const char *svg, const char *text)
{
    const char *at = strstr(svg, text);
    if (!at)
        fail_msg("'%s' is not in the picture", text);
    return (size_t)(at - svg);
}

static bool is_whole(const char *svg)
{
    const char *end = strstr(svg, "</svg>");
    return end && strlen(end) < 10;
}

/* False without gnuplot; what was written is then removed. */
static bool draw_again(const char *stem)
{
    roof_error err = {0};
    roof_status status = run_script(stem, PICTURE_SVG, &err);
    if (status == ROOF_E_DEVICE && strstr(err.what, "cannot be started")) {
        return false;
    }
    if (status != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return true;
}

static void remove_files(void)
{
    static const char *const files[] = {"c.gp", "c.dat", "c.svg"};
    for (size_t i = 0; i < COUNT(files); i++)
        unlink(in_folder(files[i]));
}

/* Draws a figure as it is, then in order of execution, and hands the pictures to check. */
static bool draw_in_both_orders(const chart_figure *f, void (*check)(const char *svg, bool in_order))
{
    roof_error err = {0};
    bool drawn = true;
    assert_int_equal(save_figure(f, "c", PICTURE_SVG, &err), ROOF_OK);
    for (int in_order = 0; in_order < 2 && drawn; in_order++) {
        if (in_order)
            set_in_order("c.gp");
        drawn = draw_again("c");
        char *svg = drawn ? read_whole("c.svg") : NULL;
        if (svg)
            check(svg, in_order);
        free(svg);
    }
    remove_files();
    return drawn;
}

static void check_hostile(const char *svg, bool in_order)
{
    (void)in_order;
    assert_true(is_whole(svg));
    assert_non_null(strstr(svg, "&lt;script"));
    assert_null(strstr(svg, "<script"));
}

static void gnuplot_draws_hostile_names_in_both_orders(void **state)
{
    (void)state;
    bool drawn = true;
    pf_result p = hostile_profile();
    chart_source s = cf_source(&p, 0);
    for (size_t c = 0; c < COUNT(row_charts) && drawn; c++) {
        chart_figure f;
        assert_true(cf_draw(row_charts[c], &s, canvas_wide, &f));
        drawn = draw_in_both_orders(&f, check_hostile);
        figure_free(&f);
    }
    assert_int_not_equal(access(in_folder("pwned"), F_OK), 0);
    pf_free(&p);
    if (!drawn)
        skip_without("gnuplot");
}

/* The y of the text, which stands in front of it: translate(x,y). */
static double height_of(const char *svg, const char *text)
{
    const char *at = svg + place_of(svg, text), *found = svg;
    for (const char *p = svg; (p = strstr(p, "translate(")) && p < at; p++)
        found = p;
    return strtod(strchr(found, ',') + 1, NULL);
}

static void check_places(const char *svg, bool in_order)
{
    double first = height_of(svg, ">first<"), second = height_of(svg, ">second<");
    assert_true(in_order ? first < second : second < first);
    assert_true(fabs(height_of(svg, "30.00 us") - first) < 0.5);
    assert_true(fabs(height_of(svg, "90.00 us") - second) < 0.5);
}

static void names_and_values_move_with_their_bars(void **state)
{
    (void)state;
    const pf_experiment e = {.layers = "first=10 second=10", .rows = "first=30 second=90"};
    pf_result p = pf_reconcile(&e, 1);
    chart_source s = cf_source(&p, 0);
    chart_figure f;
    assert_true(cf_draw("waterfall", &s, canvas_wide, &f));
    bool drawn = draw_in_both_orders(&f, check_places);
    figure_free(&f);
    pf_free(&p);
    if (!drawn)
        skip_without("gnuplot");
}

/* ---- the examples ---- */

static void expect_good(const chart_source *s, const char *what)
{
    for (size_t c = 0; c < COUNT(row_charts); c++)
        for (int narrow = 0; narrow < 2; narrow++) {
            chart_figure f;
            if (cf_draw(row_charts[c], s, canvas_of(narrow), &f)) {
                cf_expect_apart(&f, what);
                assert_true(f.title[0] && f.caption[0]);
            }
            figure_free(&f);
        }
}

static const char *example(const char *name)
{
    static char path[4096];
    const char *source = getenv("ROOFLINE_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/examples/%s", source ? source : ".", name);
    return path;
}

/* With predictions of its own, which are to be freed after it. */
static pf_result reconcile_example(const char *name, roof_prediction ***own)
{
    roof_error err = {0};
    pf_result p = {0};
    bool borrowed;
    if (roof_measured_read(example(name), &p.measured, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    p.predictions = calloc(p.measured->n_experiments + 1, sizeof *p.predictions);
    *own = calloc(p.measured->n_experiments + 1, sizeof **own);
    assert_true(p.predictions && *own);
    for (uint32_t k = 0; k < p.measured->n_experiments; k++) {
        if (roof_experiment_predict(&p.measured->experiments[k], NULL, NULL, NULL, &(*own)[k], &borrowed,
                                    &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        p.predictions[k] = (*own)[k];
    }
    if (roof_reconcile(p.measured, p.predictions, NULL, &p.r, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return p;
}

static void texts_of_measured_examples_lie_apart(void **state)
{
    (void)state;
    static const char *const documents[] = {"kv260/measured.json", "zcu104-resnet50/measured.json"};
    for (size_t i = 0; i < COUNT(documents); i++) {
        roof_prediction **own;
        pf_result p = reconcile_example(documents[i], &own);
        for (uint32_t k = 0; k < p.r->n_experiments; k++) {
            chart_source s = cf_source(&p, k);
            expect_good(&s, documents[i]);
        }
        for (uint32_t k = 0; k < p.measured->n_experiments; k++)
            roof_prediction_free(own[k]);
        free(own);
        pf_free(&p);
    }
}

static void texts_of_predicted_examples_lie_apart(void **state)
{
    (void)state;
    static const char *const models[] = {"models/mobilenetv1-b4096.xmodel", "models/mobilenetv2-b4096.xmodel",
                                         "models/resnet50-b4096.xmodel"};
    for (size_t i = 0; i < COUNT(models); i++) {
        roof_graph *graph = NULL;
        roof_error err = {0};
        if (roof_graph_read(example(models[i]), &graph, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        roof_prediction *p = fx_predict(graph, "b4096", NULL);
        const chart_source s = {.prediction = p};
        expect_good(&s, models[i]);
        roof_prediction_free(p);
        roof_graph_free(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_a_bar_sum_up_to_its_time),
        cmocka_unit_test(the_longest_comes_first_and_order_of_execution_is_kept),
        cmocka_unit_test(others_close_the_sum),
        cmocka_unit_test(others_are_last_in_both_orders_and_drawn_true_to_the_axis_or_not),
        cmocka_unit_test(what_has_no_time_is_counted),
        cmocka_unit_test(a_stated_sum_that_is_another_one_is_told),
        cmocka_unit_test(nothing_is_drawn_from_nothing),
        cmocka_unit_test(a_prediction_is_shown_with_what_its_calibration_predicts),
        cmocka_unit_test(kinds_agree_with_the_table_and_are_few),
        cmocka_unit_test(hostile_names_stay_data),
        cmocka_unit_test(gnuplot_draws_hostile_names_in_both_orders),
        cmocka_unit_test(names_and_values_move_with_their_bars),
        cmocka_unit_test(texts_of_measured_examples_lie_apart),
        cmocka_unit_test(texts_of_predicted_examples_lie_apart),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
