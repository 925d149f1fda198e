/* Fronts of a sweep out of files of points: what is compared with what, and the page. */
#include "roofline/pareto.h"
#include "reports/results/results_line.h"
#include "roofline/report.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"
#include "tests/unit/html_fixture.h"

#include <dirent.h>
#include <math.h>

/* What a point asks for, and what became of it; NaN: it is empty. */
typedef struct point {
    const char *model, *device;
    double clock_mhz, gops, fps, expected_per_s, per_s;
    bool is_for_other;
    const char *why; /* NULL: it has figures */
} point;

#define PLAIN(model_, device_, gops_, per_s_)                                                                \
    {                                                                                                        \
        model_, device_, 300, gops_, NAN, NAN, per_s_, false, NULL                                           \
    }

static void put_number(textbuf *text, double value)
{
    if (!isnan(value))
        text_printf(text, "%.12g", value);
}

static void put_json(textbuf *text, const char *key, double value)
{
    text_printf(text, isnan(value) ? ",\"%s\":null" : ",\"%s\":%.12g", key, value);
}

static void put_point(textbuf *text, bool is_json, const point *p, uint32_t index, uint32_t configuration,
                      uint32_t n)
{
    const size_t at = text->length;
    if (is_json) {
        text_printf(text, "{\"index\":%u,\"configuration\":%u,\"model\":\"%s\",\"asked_hw\":\"%s\"", index,
                    configuration, p->model, p->device);
        put_json(text, "clock_hz", 1e6 * p->clock_mhz);
        put_json(text, "peak_ops_per_s", 1e9 * p->gops);
        put_json(text, "fps", p->fps);
        put_json(text, "expected_per_s", p->expected_per_s);
        put_json(text, "per_s", p->per_s);
        text_printf(text, ",\"cores\":1,\"is_for_other\":%s,\"unit\":\"inference\",\"findings\":1",
                    p->is_for_other ? "true" : "false");
        text_printf(text, p->why ? ",\"why\":\"%s\"}\n" : ",\"why\":null}\n", p->why);
    } else {
        text_printf(text, "%u,%u,%s,%s,", index, configuration, p->model, p->device);
        put_number(text, 1e6 * p->clock_mhz);
        text_puts(text, ",");
        put_number(text, 1e9 * p->gops);
        text_puts(text, ",");
        put_number(text, p->fps);
        text_puts(text, ",");
        put_number(text, p->expected_per_s);
        text_puts(text, ",");
        put_number(text, p->per_s);
        text_printf(text, ",1,%d,inference,1,\"%s\"\n", p->is_for_other, p->why ? p->why : "");
    }
    results_line_sign(text, at, is_json, "0123456789abcdef", n);
}

/* Points from first up to before end of n, so many a model, as a file. */
static void save(const char *name, bool is_json, const point *points, uint32_t first, uint32_t end,
                 uint32_t n, uint32_t a_model)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text,
              is_json ? ""
                      : "index,configuration,model,asked_hw,clock_hz,peak_ops_per_s,fps,expected_per_s,per_s,"
                        "cores,is_for_other,unit,findings,why" POINTS_LINE_TITLES);
    for (uint32_t i = first; i < end; i++)
        put_point(&text, is_json, &points[i], i, i % a_model, n);
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text.bytes, 1, text.length, file), text.length);
    assert_int_equal(fclose(file), 0);
    text_free(&text);
}

static roof_status read_file(const char *name, roof_cost_kind cost, roof_pareto **out, roof_error *err)
{
    const char *const paths[] = {in_folder(name)};
    const roof_status status = roof_pareto_read(paths, 1, NULL, cost, out, err);
    assert_int_equal(unlink(in_folder(name)), 0);
    return status;
}

static roof_pareto *pareto_of(bool is_json, const point *points, uint32_t n, uint32_t a_model)
{
    roof_pareto *of;
    roof_error err = {0};
    save("points", is_json, points, 0, n, n, a_model);
    if (read_file("points", ROOF_COSTS, &of, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return of;
}

/* --- what is on the front ------------------------------------------------------------------------------- */

static void a_front_makes_more_than_all_that_cost_no_more(void **state)
{
    static const point points[] = {PLAIN("net", "a", 100, 10), PLAIN("net", "b", 200, 9),
                                   PLAIN("net", "c", 200, 30), PLAIN("net", "d", 400, 30),
                                   PLAIN("net", "e", 50, 10),  PLAIN("net", "f", 900, 31)};
    static const uint32_t want[] = {4, 2, 5};
    (void)state;
    for (int is_json = 0; is_json < 2; is_json++) {
        roof_pareto *of = pareto_of(is_json, points, COUNT(points), COUNT(points));
        assert_int_equal(of->n_models, 1);
        assert_int_equal(of->n_configurations, COUNT(points));
        assert_int_equal(of->cost, ROOF_COST_COMPUTE);
        assert_true(of->devices_vary && !of->is_named[ROOF_COST_COMPUTE]);
        assert_int_equal(of->fronts->n, COUNT(want));
        assert_int_equal(of->n_found, COUNT(points));
        for (size_t i = 0; i < COUNT(want); i++)
            assert_int_equal(of->fronts->configurations[i], want[i]);
        roof_pareto_free(of);
    }
}

/* The definition, pair by pair: nothing costs no more and makes as much; of equals the first. */
static bool belongs(const roof_pareto *of, uint32_t i)
{
    const double cost = roof_swept_cost(&of->configurations[i], of->cost), rate = of->rates[i];
    for (uint32_t k = 0; k < of->n_configurations; k++) {
        const double other = roof_swept_cost(&of->configurations[k], of->cost), its = of->rates[k];
        const bool is_equal = !(other < cost) && !(its > rate);
        if (k != i && other <= cost && its >= rate && (!is_equal || k < i))
            return false;
    }
    return !isnan(cost) && !isnan(rate);
}

static void a_front_is_what_its_definition_says(void **state)
{
    enum { MOST = 60, ROUNDS = 300 };
    uint32_t seed = 1;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        point points[MOST];
        const uint32_t n = 1 + (uint32_t)round % MOST;
        for (uint32_t i = 0; i < n; i++) { /* few different values, so that many are equal */
            seed = seed * 1664525 + 1013904223;
            const double gops = (seed >> 24) % 12, rate = (seed >> 16) % 12;
            points[i] =
                (point)PLAIN("net", "a", gops > 0 ? gops : (double)NAN, rate > 0 ? rate : (double)NAN);
        }
        roof_pareto *of;
        roof_error err = {0};
        save("points", false, points, 0, n, n, n);
        const roof_status status = read_file("points", ROOF_COST_COMPUTE, &of, &err);
        if (status == ROOF_E_USAGE) /* none has a cost */
            continue;
        assert_int_equal(status, ROOF_OK);
        uint32_t at = 0;
        for (uint32_t i = 0; i < n; i++)
            at += belongs(of, i);
        assert_int_equal(at, of->fronts->n);
        for (uint32_t i = 0; i < of->fronts->n; i++) {
            assert_true(belongs(of, of->fronts->configurations[i]));
            assert_true(!i || of->rates[of->fronts->configurations[i]] >
                                  of->rates[of->fronts->configurations[i - 1]]);
        }
        assert_int_equal(of->fronts->n_compared + of->fronts->n_costless + of->fronts->n_incomplete, n);
        roof_pareto_free(of);
    }
}

/* --- rates ---------------------------------------------------------------------------------------------- */

static void what_is_expected_is_not_laid_beside_a_bound(void **state)
{
    static const struct {
        point points[2];
        roof_rate_kind want;
        double rates[2];
    } rows[] = {
        {{{"net", "a", 300, 1, 7, 8, 9, false, NULL}, {"net", "b", 300, 2, 17, 18, 19, false, NULL}},
         ROOF_RATE_IN_USE,
         {7, 17}},
        {{{"net", "a", 300, 1, NAN, 8, 9, false, NULL}, {"net", "b", 300, 2, 17, 18, 19, false, NULL}},
         ROOF_RATE_EXPECTED,
         {8, 18}},
        {{{"net", "a", 300, 1, NAN, NAN, 9, false, NULL}, {"net", "b", 300, 2, 17, 18, 19, false, NULL}},
         ROOF_RATE_AT_BEST,
         {9, 19}},
        /* what has no figures decides nothing */
        {{{"net", "a", 300, 1, NAN, NAN, NAN, false, "no"}, {"net", "b", 300, 2, 17, 18, 19, false, NULL}},
         ROOF_RATE_IN_USE,
         {NAN, 17}},
        {{{"net", "a", 300, 1, NAN, NAN, NAN, false, "no"}, {"net", "b", 300, 2, NAN, NAN, NAN, false, "no"}},
         ROOF_RATE_NONE,
         {NAN, NAN}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_pareto *of = pareto_of(i % 2, rows[i].points, 2, 2);
        assert_int_equal(of->models->rate, rows[i].want);
        for (int k = 0; k < 2; k++)
            assert_true(isnan(rows[i].rates[k]) ? isnan(of->rates[k])
                                                : fabs(of->rates[k] - rows[i].rates[k]) < 1e-9);
        roof_pareto_free(of);
    }
}

/* A model for the array of b, on a that is as large, and c that is small. */
static void a_model_for_other_hardware_is_no_bargain(void **state)
{
    point points[] = {{"net", "a", 300, 400, NAN, NAN, 50, false, NULL},
                      {"net", "c", 300, 400, NAN, NAN, 60, true, NULL},
                      {"free", "a", 300, 400, NAN, NAN, 70, false, NULL},
                      {"free", "c", 300, 50, NAN, NAN, 7, false, NULL}};
    (void)state;
    roof_pareto *of = pareto_of(false, points, 4, 2);
    assert_int_equal(of->models[0].n_foreign, 1);
    assert_int_equal(of->fronts[0].n, 1);
    assert_int_equal(of->fronts[0].configurations[0], 0);
    assert_int_equal(of->fronts[1].n, 2);
    assert_true(fabs(of->configurations[1].peak_ops_per_s - 50e9) < 1); /* its own, not that of the model */
    assert_false(roof_pareto_front_is_estimate(of, &of->fronts[0], 0));
    roof_pareto_free(of);
    points[0].is_for_other = true; /* it runs on none: all are estimates */
    of = pareto_of(true, points, 4, 2);
    assert_int_equal(of->models[0].n_foreign, 0);
    assert_int_equal(of->fronts[0].n_compared, 2);
    assert_true(roof_pareto_front_is_estimate(of, &of->fronts[0], 1));
    assert_false(roof_pareto_front_is_estimate(of, &of->fronts[1], 1));
    roof_pareto_free(of);
}

static void models_together_are_those_that_all_have(void **state)
{
    /* b lacks the slow model, and would look fast; "none" runs nowhere */
    static const point points[] = {PLAIN("m1", "a", 100, 2),
                                   PLAIN("m1", "b", 50, 3),
                                   PLAIN("m2", "a", 100, 8),
                                   PLAIN("m2", "b", 50, 9),
                                   PLAIN("m3", "a", 100, 4),
                                   PLAIN("m3", "b", 50, 5),
                                   PLAIN("m4", "a", 100, 1),
                                   {"m4", "b", 300, NAN, NAN, NAN, NAN, false, "no"},
                                   {"none", "a", 300, NAN, NAN, NAN, NAN, false, "=no, \\\"never\\\""},
                                   {"none", "b", 300, NAN, NAN, NAN, NAN, false, "no"}};
    (void)state;
    roof_pareto *of = pareto_of(true, points, COUNT(points), 2);
    assert_int_equal(of->n_models, 5);
    assert_int_equal(of->n_fronts, 1);
    assert_int_equal(of->fronts->model, ROOF_NONE);
    assert_int_equal(of->n_together, 4);
    assert_false(of->are_together[4]);
    assert_true(fabs(roof_pareto_front_rate(of, of->fronts, 0) - pow(2 * 8 * 4 * 1, 0.25)) < 1e-12);
    assert_true(isnan(roof_pareto_front_rate(of, of->fronts, 1)));
    assert_int_equal(of->fronts->n, 1);
    assert_int_equal(of->fronts->n_incomplete, 1);
    assert_int_equal(of->n_failed, 3);
    assert_int_equal(of->n_reasons, 2);
    assert_string_equal(of->reasons[0].why, "no");
    assert_int_equal(of->reasons[0].n, 2);
    assert_string_equal(of->reasons[1].why, "=no, \"never\"");
    roof_pareto_free(of);
}

/* As core/table/grid_csv.c writes them: quotes are doubled, and what would be a formula is marked. */
static void texts_of_csv_come_back_as_they_were(void **state)
{
    static const struct {
        const char *cell, *want;
    } rows[] = {{"no, \"\"never\"\"", "no, \"never\""}, {"'=no", "=no"}, {"'no", "'no"}, {"\"\"", "\""}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const point points[] = {{"net", "a", 300, NAN, NAN, NAN, NAN, false, rows[i].cell}};
        roof_pareto *of = pareto_of(false, points, 1, 1);
        assert_string_equal(of->reasons->why, rows[i].want);
        roof_pareto_free(of);
    }
}

static void reasons_beyond_the_most_are_counted(void **state)
{
    enum { N = ROOF_FRONTS_MOST_REASONS + 10 };
    static char whys[N][20];
    static point points[N];
    (void)state;
    for (int i = 0; i < N; i++) {
        snprintf(whys[i], sizeof whys[i], "reason %d", i);
        points[i] = (point){"net", "a", 300, NAN, NAN, NAN, NAN, false, whys[i]};
    }
    roof_pareto *of = pareto_of(false, points, N, N);
    assert_int_equal(of->n_reasons, ROOF_FRONTS_MOST_REASONS);
    assert_int_equal(of->n_other_reasons, 10);
    assert_int_equal(of->fronts->n, 0);
    roof_pareto_free(of);
}

/* --- files ---------------------------------------------------------------------------------------------- */

static void parts_make_the_same_fronts_in_any_order(void **state)
{
    static const point points[] = {PLAIN("net", "a", 100, 10), PLAIN("net", "b", 200, 20),
                                   PLAIN("net", "c", 300, 15), PLAIN("net", "d", 400, 40)};
    char first[128], second[128];
    roof_pareto *of;
    roof_error err = {0};
    (void)state;
    save("1", false, points, 0, 3, 4, 4);
    save("2", false, points, 3, 4, 4, 4);
    snprintf(first, sizeof first, "%s", in_folder("1"));
    snprintf(second, sizeof second, "%s", in_folder("2"));
    const char *const paths[] = {second, first};
    assert_int_equal(roof_pareto_read(paths, 2, "0123456789abcdef", ROOF_COSTS, &of, &err), ROOF_OK);
    assert_int_equal(of->fronts->n, 3);
    assert_int_equal(of->n_points, 4);
    roof_pareto_free(of);
    assert_int_equal(roof_pareto_read(paths, 1, NULL, ROOF_COSTS, &of, &err),
                     ROOF_E_DATA); /* one is missing */
    assert_null(of);
    assert_int_equal(unlink(first) + unlink(second), 0);
}

static void what_is_no_sweep_of_configurations_is_refused(void **state)
{
    static const struct {
        const char *titles, *rows[3];
        roof_cost_kind cost;
        roof_status want;
        const char *says;
    } rows[] = {
        {"index,measured", {"0,m.json\n"}, ROOF_COSTS, ROOF_E_DATA, "points of measured documents"},
        {"index,configuration", {"0,1\n"}, ROOF_COSTS, ROOF_E_DATA, "is of configuration 1, want 0 (line 2)"},
        {"index,configuration",
         {"0,0\n", "1,2\n"},
         ROOF_COSTS,
         ROOF_E_DATA,
         "is of configuration 2, want 1 (line 3)"},
        {"index,configuration", {"0,0\n", "1,1\n", "2,0\n"}, ROOF_COSTS, ROOF_E_DATA, "not as many for each"},
        {"index,configuration",
         {"0\n"},
         ROOF_COSTS,
         ROOF_E_DATA,
         "is no row of the titles in line 1 (line 2)"},
        {"index,configuration", {"0,0,0\n"}, ROOF_COSTS, ROOF_E_DATA, "more cells than there are titles"},
        {"index,configuration", {"0,\"0\n"}, ROOF_COSTS, ROOF_E_DATA, "is no row of the titles"},
        {"index,configuration", {"0,0\n"}, ROOF_COST_THREADS, ROOF_E_USAGE, "of the kind 'threads'"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_pareto *of;
        roof_error err = {0};
        textbuf text;
        uint32_t n = 0;
        while (n < 3 && rows[i].rows[n])
            n++;
        text_init(&text, TEXT_MAX_BYTES);
        text_printf(&text, "%s%s", rows[i].titles, POINTS_LINE_TITLES);
        for (uint32_t k = 0; k < n; k++) {
            const size_t at = text.length;
            text_puts(&text, rows[i].rows[k]);
            results_line_sign(&text, at, false, "0123456789abcdef", n);
        }
        FILE *file = fopen(in_folder("points"), "w");
        assert_non_null(file);
        fwrite(text.bytes, 1, text.length, file);
        assert_int_equal(fclose(file), 0);
        text_free(&text);
        const roof_status status = read_file("points", rows[i].cost, &of, &err);
        if (status != rows[i].want || !strstr(fx_message(&err), rows[i].says))
            fail_msg("row %zu: %d, %s", i, status, fx_message(&err));
        assert_null(of);
    }
}

static void costs_have_words(void **state)
{
    (void)state;
    for (roof_cost_kind cost = 0; cost < ROOF_COSTS; cost++)
        assert_int_equal(roof_cost_named(roof_cost_word(cost)), cost);
    assert_int_equal(roof_cost_named("money"), ROOF_COSTS);
}

/* --- the page ------------------------------------------------------------------------------------------- */

static void a_page_is_one_file_that_says_what_is_on_the_front(void **state)
{
    static const point points[] = {PLAIN("net<b>", "a", 100, 10),
                                   PLAIN("net<b>", "b&c", 200, 20),
                                   PLAIN("net<b>", "d", 300, 15),
                                   {"net<b>", "e", 300, NAN, NAN, NAN, NAN, false, "cannot <run>"}};
    static const char *const wants[] = {
        ("<h1>net&lt;b&gt;: 2 of 3 configurations have a higher limit than all others of no more "
         "compute: from a (100 Gops/s), with at most 10.0 inferences/s, to b&amp;c (200 Gops/s), "
         "with at most 20.0 inferences/s; which is faster is unknown.</h1>"),
        "1 of 4 results failed: cannot &lt;run&gt;.", "id=\"front-1\"",
        "<dt>1 point</dt><dd>net&lt;b&gt; on e: cannot &lt;run&gt;</dd>", "0123456789abcdef, 4 points"};
    char *html = calloc(1, 1 << 20);
    roof_error err = {0};
    size_t n_files = 0;
    (void)state;
    roof_pareto *of = pareto_of(false, points, COUNT(points), COUNT(points));
    assert_int_equal(roof_pareto_page_write(of, in_folder("page.txt"), NULL, &err), ROOF_E_USAGE);
    const roof_status status = roof_pareto_page_write(of, in_folder("page.html"), NULL, &err);
    assert_true(status == ROOF_OK || status == ROOF_E_DEVICE); /* without gnuplot it has no picture */
    FILE *file = fopen(in_folder("page.html"), "r");
    assert_true(file && html);
    assert_true(fread(html, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    html_check_balanced(html);
    for (size_t i = 0; i < COUNT(wants); i++)
        if (!strstr(html, wants[i]))
            fail_msg("the page lacks %s", wants[i]);
    assert_true(!strstr(html, ".gp\"") && !strstr(html, "src="));
    if (status == ROOF_OK)
        assert_non_null(strstr(html, "<svg"));
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        n_files += e->d_name[0] != '.';
    closedir(d);
    assert_int_equal(n_files, 1);
    assert_int_equal(unlink(in_folder("page.html")), 0);
    free(html);
    roof_pareto_free(of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_front_makes_more_than_all_that_cost_no_more),
                                       cmocka_unit_test(a_front_is_what_its_definition_says),
                                       cmocka_unit_test(what_is_expected_is_not_laid_beside_a_bound),
                                       cmocka_unit_test(a_model_for_other_hardware_is_no_bargain),
                                       cmocka_unit_test(models_together_are_those_that_all_have),
                                       cmocka_unit_test(texts_of_csv_come_back_as_they_were),
                                       cmocka_unit_test(reasons_beyond_the_most_are_counted),
                                       cmocka_unit_test(parts_make_the_same_fronts_in_any_order),
                                       cmocka_unit_test(what_is_no_sweep_of_configurations_is_refused),
                                       cmocka_unit_test(costs_have_words),
                                       cmocka_unit_test(a_page_is_one_file_that_says_what_is_on_the_front)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
