/* All charts, in all examples and sizes: no text on another or outside, and names from files stay data to the
 * end. */
#include "reports/charts/chart_bars.h"
#include "reports/charts/gnuplot.h"
#include "reports/charts/palette.h"
#include "roofline/words.h"
#include "tests/unit/drawn_fixture.h"
#include "tests/unit/drawn_folder.h"
#include "tests/support/skips.h"

#include <ctype.h>

static const chart_canvas canvases[] = {{1040, 620}, {420, 740}};

static void check(const chart_def *chart, const chart_source *s, const char *what)
{
    for (size_t i = 0; i < COUNT(canvases); i++) {
        char name[200];
        chart_figure f;
        snprintf(name, sizeof name, "%s of %s, %g wide", chart->id, what, canvases[i].width_px);
        if (cf_draw(chart->id, s, canvases[i], &f)) {
            df_check_labels(name, &f);
            assert_true(f.title[0] && f.caption[0]);
        }
        figure_free(&f);
    }
}

static void no_text_lies_on_another_in_any_example(void **state)
{
    static const char *const examples[] = {"kv260/measured.json", "zcu104-resnet50/measured.json",
                                           "stm32n6/measured.json"};
    (void)state;
    for (size_t i = 0; i < COUNT(examples); i++) {
        pf_result p = df_example(examples[i]);
        for (size_t c = 0; chart_at(c); c++)
            for (uint32_t e = 0; e < p.r->n_experiments; e++) {
                const roof_prediction *const prediction = p.r->experiments[e].prediction;
                const chart_source predicted = {.prediction = prediction},
                                   measured = {.prediction = prediction,
                                               .reconciliation = p.r,
                                               .experiment = &p.r->experiments[e],
                                               .devices = &prediction,
                                               .n_devices = 1};
                check(chart_at(c), &measured, examples[i]);
                check(chart_at(c), &predicted, examples[i]);
            }
        df_free_example(&p);
    }
}

/* --- sizes and names ---------------------------------------------------------------------------------- */

static uint64_t some(uint32_t layer, uint32_t engine)
{
    return layer * 37 % 911 + engine * 53 % 97 + 1;
}

static double factor_of(uint32_t layer)
{
    static const double factors[] = {1.2, 4, 0.7, 9, 1, 30, INFINITY, NAN, 0};
    return factors[layer % COUNT(factors)];
}

/* Sums and scales of these leave the range of doubles. */
static roof_reconciled *absurd_experiment(roof_arena *arena, const roof_prediction *p)
{
    static const double seconds[] = {1e308, 1e-300, 1.5e308, 1};
    roof_reconciled *e = df_experiment(arena, p, factor_of, 20e-6);
    for (uint32_t i = 0; i < e->n_matches; i++) {
        roof_match *u = &e->matches[i];
        u->measured_s = u->corrected_s = seconds[i % COUNT(seconds)];
        u->gap_s = u->measured_s - u->ideal_s;
        u->cov_ratio = i % 2 ? 1e300 : 1e-300;
    }
    e->total.sum_of_layers_s = e->total.per_layer_s = INFINITY;
    return e;
}

static chart_source source_of(roof_arena *arena, uint32_t n, const roof_prediction **device)
{
    roof_prediction *p = df_network(arena, n, 5, some);
    p->model.name = df_hostile_name(0);
    p->hardware.name = df_hostile_name(1);
    for (uint32_t i = 0; i < n; i++)
        p->layers[i].name = p->layers[i].type = df_hostile_name(i);
    for (uint32_t e = 1; e < p->n_engines; e++)
        p->engines[e] = df_hostile_name(e + 1);
    *device = p;
    return (chart_source){.prediction = p,
                          .experiment = df_experiment(arena, p, factor_of, 20e-6),
                          .devices = device,
                          .n_devices = 1};
}

static void any_number_of_layers_stays_readable(void **state)
{
    static const uint32_t sizes[] = {1, 3, 36, 500, 5000};
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        roof_arena *arena = arena_new(0);
        const roof_prediction *device;
        const chart_source s = source_of(arena, sizes[i], &device);
        char what[40];
        snprintf(what, sizeof what, "%u layers", sizes[i]);
        for (size_t c = 0; chart_at(c); c++)
            check(chart_at(c), &s, what);
        arena_free(arena);
    }
}

/* Every quote that a name brings is doubled, every control character gone: a field ends where it was meant
 * to. */
static void hostile_names_stay_data(void **state)
{
    roof_arena *arena = arena_new(0);
    const roof_prediction *device;
    const chart_source s = source_of(arena, 36, &device);
    (void)state;
    for (size_t c = 0; chart_at(c); c++) {
        chart_figure f;
        if (df_drawn(chart_at(c)->id, &s, &f)) {
            bool quoted = false;
            for (const char *p = f.data.bytes; *p; p++) {
                quoted ^= *p == '"';
                if (*p == '\n' && quoted)
                    fail_msg("%s: a text does not end on its line: %.60s", f.script, p - 60);
                assert_false(quoted && (unsigned char)*p < ' ');
            }
            for (uint32_t i = 0; i < 4; i++) /* not in what gnuplot evaluates */
                assert_null(strstr(f.variables.bytes, df_hostile_name(i)));
        }
        figure_free(&f);
    }
    arena_free(arena);
}

/* What nobody measured is drawn otherwise than what was, and the picture says how. */
static void estimates_do_not_look_measured(void **state)
{
    static const struct {
        const char *id, *block;
        size_t column, most;
        const char *says;
    } rows[] = {{"waterfall", "bars", 2 + BAR_PARTS + 2, 3, "thin bar: estimated, in part or all"},
                {"types", "bars", 2 + BAR_PARTS + 2, 1, "thin bar: estimated, in part or all"},
                {"roofline", "points", 9, 3, "hollow mark: estimated, not measured"},
                {"parity", "points", 9, 3, "hollow mark: estimated, not measured"}};
    roof_arena *arena = arena_new(0);
    const roof_prediction *p = df_network(arena, 9, 3, some);
    roof_reconciled *e = df_experiment(arena, p, factor_of, 20e-6);
    const chart_source s = {.prediction = p, .experiment = e};
    (void)state;
    for (int estimated = 0; estimated < 2; estimated++) {
        for (uint32_t i = 0; i < 3 && estimated; i++) {
            e->layer_run->layers[i].basis = ROOF_TIME_ESTIMATED;
            e->matches[i].notes = ROOF_NOTE(ROOF_FINDING_ESTIMATED);
        }
        for (size_t i = 0; i < COUNT(rows); i++) {
            chart_figure f;
            size_t n = 0;
            assert_true(df_drawn(rows[i].id, &s, &f));
            const cf_block *block = cf_read(&f, rows[i].block);
            for (size_t k = 0; k < block->n_rows; k++)
                n += block->numbers[k][rows[i].column] == 1;
            if (n != (estimated ? rows[i].most : 0) || cf_says(&f, rows[i].says) != estimated)
                fail_msg("%s: %zu are drawn as estimated", rows[i].id, n);
            assert_true(cf_says(&f, "9 layers, in a per-layer run, 3 of them estimated") == estimated);
            figure_free(&f);
        }
    }
    arena_free(arena);
}

/* In a line of data, before any text. */
static const char *no_number_in(const char *line)
{
    for (const char *p = line; *line != '#' && *p && *p != '\n' && *p != '"'; p++)
        if ((p == line || p[-1] == '\t') && strchr("nNiI", p[*p == '-']))
            return p;
    return NULL;
}

/* "nan" or "inf" as a word of their own. */
static bool says_no_number(const char *text)
{
    static const char *const words[] = {"nan", "inf"};
    for (size_t i = 0; i < COUNT(words); i++)
        for (const char *p = text; (p = strstr(p, words[i])); p++)
            if ((p == text || !isalpha((unsigned char)p[-1])) && !isalpha((unsigned char)p[3]))
                return true;
    return false;
}

/* gnuplot would stop at them, or draw them somewhere. What is not known is a question mark, as in the
 * tables. */
static void data_hold_nothing_that_is_no_number(void **state)
{
    roof_arena *arena = arena_new(0);
    const roof_prediction *device;
    chart_source s = source_of(arena, 36, &device);
    (void)state;
    for (int absurd = 0; absurd < 2; absurd++) {
        s.experiment = absurd ? absurd_experiment(arena, device) : s.experiment;
        for (size_t c = 0; chart_at(c); c++) {
            chart_figure f;
            bool drawn = df_drawn(chart_at(c)->id, &s, &f);
            for (const char *line = f.data.bytes; drawn && line; line = strchr(line, '\n')) {
                line += *line == '\n';
                if (no_number_in(line))
                    fail_msg("%s has %.12s", f.script, no_number_in(line));
            }
            for (size_t i = 0; i < f.n_labels; i++)
                if (says_no_number(f.labels[i].text))
                    fail_msg("%s says: %s", f.script, f.labels[i].text);
            figure_free(&f);
        }
    }
    arena_free(arena);
}

/* No layer that the array binds stands where it is said to wait, none that memory or a port binds where
 * nothing but the array is said to, and none above a roof. */
static void discs_stand_where_the_shading_says(void **state)
{
    pf_result p = df_example("kv260/measured.json");
    (void)state;
    for (uint32_t e = 0; e < p.r->n_experiments; e++) {
        const roof_prediction *prediction = p.r->experiments[e].prediction;
        const chart_source s = {.prediction = prediction};
        const double peak = prediction->hardware.peak_ops_per_s / 1e9,
                     bandwidth = prediction->hardware.bandwidth_bytes_per_s / 1e9;
        chart_figure f;
        size_t of_memory = 0;
        assert_true(df_drawn("roofline", &s, &f));
        double memory_ends = df_read_block(&f, "memory-region")->values[1][0],
               compute_begins = df_read_block(&f, "compute-region")->values[0][0];
        df_assert_near(memory_ends, peak / bandwidth, 1e-9 * memory_ends);
        const cf_block *points = cf_read(&f, "points");
        for (size_t i = 0; i < points->n_rows; i++) {
            double x = points->numbers[i][2], y = points->numbers[i][3], colour = points->numbers[i][6];
            of_memory += colour == COLOUR_MEMORY;
            if (y > 1.000001 * peak || y > 1.000001 * bandwidth * x ||
                (colour == COLOUR_MEMORY && x > 1.000001 * compute_begins) ||
                (colour == COLOUR_ARRAY && x < memory_ends))
                fail_msg("layer %g of %s stands at %g Op/Byte, %g GOP/s", points->numbers[i][0],
                         prediction->model.name, x, y);
        }
        assert_true(of_memory > 0);
        figure_free(&f);
    }
    df_free_example(&p);
}

/* Lead, tables and charts of epochs say the same of the host: it is in no gap, and a software epoch is all
 * its own. */
static void the_host_of_epochs_is_one_number_everywhere(void **state)
{
    pf_result p = df_example("stm32n6/measured.json");
    const roof_reconciled *e = &p.r->experiments[0];
    const chart_source s = cf_source(&p, 0);
    double of_types = 0, of_units = 0, of_parts = 0, of_bars = 0, gap_of_parts = 0, gap_of_bars = 0;
    chart_figure f;
    char lead[120], statistic[ROOF_SENTENCE_SIZE];
    (void)state;
    for (uint32_t i = 0; i < e->epochs->n_types; i++)
        of_types += e->epochs->types[i].outside_core_s;
    for (uint32_t i = 0; i < e->n_matches; i++)
        of_units += e->matches[i].host_s;
    for (uint32_t i = 0; i < e->layer_by_layer.n_parts; i++) {
        const roof_part *part = &e->layer_by_layer.parts[i];
        of_parts += strcmp(part->name, "pre and post phases") == 0 ? part->seconds : 0;
        gap_of_parts += strcmp(part->name, "gap") == 0 ? part->seconds : 0;
    }
    assert_true(cf_draw("waterfall", &s, canvas_wide, &f));
    const cf_block *bars = cf_read(&f, "bars");
    for (size_t i = 0; i < bars->n_rows; i++) {
        of_bars += bars->numbers[i][2 + BAR_HOST] / 1e6;
        gap_of_bars += bars->numbers[i][2 + BAR_GAP] / 1e6;
    }
    df_assert_near(of_units, of_types, 1e-12);
    df_assert_near(of_parts, of_types, 1e-12);
    df_assert_near(of_bars, of_types, 1e-9);
    df_assert_near(gap_of_bars, gap_of_parts, 1e-9);
    snprintf(lead, sizeof lead, "%.1f %% of the time", 100 * of_types / e->total.sum_of_layers_s);
    assert_non_null(strstr(roof_sentence(p.r, ROOF_SENTENCE_STATISTIC, 1, statistic), lead));
    snprintf(lead, sizeof lead, "the gap is %.0f %%, host %.0f %%",
             100 * gap_of_parts / e->total.sum_of_layers_s, 100 * of_types / e->total.sum_of_layers_s);
    assert_non_null(strstr(f.title, lead));
    figure_free(&f);
    df_free_example(&p);
}

/* A name that is longer than a line costs a line, and not the sentence. */
static void a_long_name_leaves_the_rest_of_a_title(void **state)
{
    char title[400];
    chart_figure f;
    roof_error err = {0};
    (void)state;
    snprintf(title, sizeof title, "%s is the busiest", df_hostile_name(6));
    assert_int_equal(figure_begin(&f, "parity", canvases[1], &err), ROOF_OK);
    figure_head(&f, title, NULL);
    assert_int_equal(f.n_labels, 2);
    assert_string_equal(f.labels[1].text, "is the busiest");
    assert_string_equal(f.title, title);
    figure_free(&f);
}

/* --- with gnuplot ------------------------------------------------------------------------------------- */

static char *read_all(const char *path)
{
    FILE *in = fopen(path, "rb");
    size_t room = 1 << 23, n;
    char *text = malloc(room);
    assert_true(in && text);
    n = fread(text, 1, room - 1, in);
    text[n] = '\0';
    fclose(in);
    return text;
}

static void remove_files(const char *stem)
{
    static const char *const extensions[] = {"gp", "dat", "svg"};
    for (size_t i = 0; i < COUNT(extensions); i++) {
        char name[60];
        snprintf(name, sizeof name, "%s.%s", stem, extensions[i]);
        unlink(in_folder(name));
    }
}

static bool draw_with_gnuplot(const chart_figure *f, const char *stem)
{
    roof_error err = {0};
    assert_int_equal(save_figure(f, stem, PICTURE_SVG, &err), ROOF_OK);
    roof_status status = run_script(stem, PICTURE_SVG, &err);
    if (status != ROOF_OK && !strstr(err.what, "cannot be started"))
        fail_msg("%s: %s", stem, err.what);
    return status == ROOF_OK;
}

static void draw_all(const chart_source *s, bool *has_gnuplot)
{
    for (size_t c = 0; chart_at(c); c++) {
        chart_figure f;
        char name[60];
        const char *id = chart_at(c)->id;
        if (df_drawn(id, s, &f)) {
            *has_gnuplot = draw_with_gnuplot(&f, id);
            snprintf(name, sizeof name, "%s.svg", id);
            char *svg = *has_gnuplot ? read_all(in_folder(name)) : NULL;
            if (svg && (strstr(svg, "<script>") || !strstr(svg, "</svg>")))
                fail_msg("%s is not a picture of texts", id);
            free(svg);
            remove_files(id);
        }
        figure_free(&f);
    }
}

static void gnuplot_draws_them_all_and_evaluates_nothing(void **state)
{
    roof_arena *arena = arena_new(0);
    const roof_prediction *device;
    chart_source s = source_of(arena, 36, &device);
    bool has_gnuplot = true;
    (void)state;
    draw_all(&s, &has_gnuplot);
    s.experiment = absurd_experiment(arena, device);
    draw_all(&s, &has_gnuplot);
    arena_free(arena);
    assert_int_not_equal(access(in_folder("pwned"), F_OK), 0);
    if (!has_gnuplot)
        skip_without("gnuplot");
}

/* A picture that is cut off is none. */
static void a_gnuplot_that_dies_on_the_way_is_told(void **state)
{
    const char *stem = "dying";
    roof_error err = {0};
    FILE *script = fopen(in_folder("dying.gp"), "wb");
    (void)state;
    assert_non_null(script);
    fputs("set terminal svg\nset output 'dying.svg'\nplot sin(x)\nexit status 3\n", script);
    fclose(script);
    assert_int_equal(run_script(stem, PICTURE_SVG, &err), ROOF_E_DEVICE);
    remove_files(stem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_text_lies_on_another_in_any_example),
        cmocka_unit_test(any_number_of_layers_stays_readable),
        cmocka_unit_test(hostile_names_stay_data),
        cmocka_unit_test(estimates_do_not_look_measured),
        cmocka_unit_test(data_hold_nothing_that_is_no_number),
        cmocka_unit_test(discs_stand_where_the_shading_says),
        cmocka_unit_test(the_host_of_epochs_is_one_number_everywhere),
        cmocka_unit_test(a_long_name_leaves_the_rest_of_a_title),
        cmocka_unit_test(gnuplot_draws_them_all_and_evaluates_nothing),
        cmocka_unit_test(a_gnuplot_that_dies_on_the_way_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
