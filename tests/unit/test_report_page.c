/* The page of a report: all rows, nothing of a file as markup, numbers that sort, the same bytes for the same
 * input. */
#include "reports/words/html.h"
#include "reports/page/page_sections.h"
#include "reports/embedded.h"
#include "reports/charts/palette.h"
#include "tests/unit/html_fixture.h"
#include "tests/unit/profile_fixture.h"

/* ---- texts ---- */

typedef struct text_row {
    const char *text, *want;
} text_row;

static void texts_are_escaped(void **state)
{
    static const text_row rows[] = {
        {"", ""},
        {"conv1", "conv1"},
        {"<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
        {"\"; system(\"x\")", "&quot;; system(&quot;x&quot;)"},
        {"a&b", "a&amp;b"},
        {"it's", "it&#39;s"},
        {"--><img onerror=x>", "--&gt;&lt;img onerror=x&gt;"},
        {"&lt;", "&amp;lt;"},
        {"schr\xc3\xa4g/\xe5\xb1\x82", "schr\xc3\xa4g/\xe5\xb1\x82"},
        {"a\x1b[31mb\nc", "a\\x1b[31mb\\x0ac"},
        {"\xff<\xc3", "\\xff&lt;\\xc3"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        textbuf out;
        text_init(&out, TEXT_MAX_BYTES);
        text_puts(&out, "");
        html_text(&out, rows[i].text);
        assert_string_equal(out.bytes, rows[i].want);
        text_free(&out);
    }
}

static void names_break_and_stay_whole(void **state)
{
    static const struct {
        const char *name;
        size_t prefix;
        bool breaks;
        const char *want;
    } rows[] = {
        {"a/b_c", 0, false, "<code>a/b_c</code>"},
        {"a/b_c", 2, false, "<code><span class=\"prefix\">a/</span>b_c</code>"},
        {"conv1", 0, true, "<code>conv1</code>"},
        {"a/b_c", 0, true, "<code>a/<wbr>b_<wbr>c</code>"},
        {"net/conv1", 4, true, "<code><span class=\"prefix\">net/</span><wbr>conv1</code>"},
        {"net/", 4, true, "<code>net/</code>"}, /* not all of a name is set back */
        {"net/<b>/", 4, true, "<code><span class=\"prefix\">net/</span><wbr>&lt;b&gt;/</code>"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        textbuf out;
        text_init(&out, TEXT_MAX_BYTES);
        html_name(&out, rows[i].name, rows[i].prefix, rows[i].breaks);
        assert_string_equal(out.bytes, rows[i].want);
        text_free(&out);
    }
}

static void quantities_have_their_unit_apart(void **state)
{
    textbuf out;
    (void)state;
    text_init(&out, TEXT_MAX_BYTES);
    html_quantity(&out, "1.614 ms");
    html_quantity(&out, "unknown");
    assert_string_equal(out.bytes, "1.614 <span class=\"unit\">ms</span>unknown");
    text_free(&out);
}

/* ---- cells of numbers ---- */

static void cells_say_what_they_sort_by(void **state)
{
    static const grid_column columns[] = {{"time", .kind = COLUMN_NUMBER}};
    static const struct {
        grid_cell cell;
        const char *html;
    } rows[] = {
        {{.kind = CELL_NUMBER, .number = -3.04, .digits = 1}, ">-3.0<"}, /* the text itself is the number */
        {{.kind = CELL_NUMBER, .number = 25.8, .digits = 1, .has_sign = true}, ">+25.8<"},
        {{.kind = CELL_NUMBER, .number = 1e16, .digits = 1, .is_spaced = true}, ">1e+16<"},
        {{.kind = CELL_NUMBER, .number = 1285.61, .digits = 1, .is_spaced = true},
         " data-value=\"1285.6\">1 285.6<"},
        {{.kind = CELL_COUNT, .count = 1234567}, " data-value=\"1234567\">1 234 567<"},
        {{.kind = CELL_UNKNOWN}, " data-value=\"\">?<"},
        {{.kind = CELL_NONE}, " data-value=\"0\">-<"},
        {{.kind = CELL_TEXT, .text = "--"}, " data-value=\"\">--<"},
        {{.kind = CELL_EMPTY}, "><"},
        {{.kind = CELL_NUMBER, .text = "0.1671 ± 0.0207", .number = 0.16712, .digits = 4},
         " data-value=\"0.1671\">0.1671 ± 0.0207<"},
        {{.kind = CELL_NUMBER, .text = "300 MHz", .number = 300, .digits = CELL_ANY_DIGITS},
         " data-value=\"300\">300 MHz<"},
        {{.kind = CELL_TEXT, .text = "\" onload=\"x"}, " data-value=\"\">&quot; onload=&quot;x<"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_arena *arena = arena_new(0);
        cell_grid grid;
        textbuf out;
        text_init(&out, TEXT_MAX_BYTES);
        grid_begin(&grid, arena, columns, 1);
        grid_add(&grid, &rows[i].cell, 1);
        grid_add(&grid, &rows[i].cell, 1); /* one alone is a line */
        grid_put_html(&grid, &(html_table){.id = "t", .caption = "c"}, &out);
        const char *cell = strstr(out.bytes, "<td class=\"num\"");
        assert_non_null(cell);
        if (strncmp(cell + strlen("<td class=\"num\""), rows[i].html, strlen(rows[i].html)) != 0)
            fail_msg("%zu: '%.60s', want '%s'", i, cell, rows[i].html);
        text_free(&out);
        arena_free(arena);
    }
}

static void a_grid_becomes_a_table(void **state)
{
    static const grid_column columns[] = {{"layer", .kind = COLUMN_NAME},
                                          {"time", "[ms]", .kind = COLUMN_NUMBER},
                                          {"share", "[%]", .kind = COLUMN_NUMBER},
                                          {"empty", .kind = COLUMN_NUMBER, .rank = 1},
                                          {.title = "verdict"}};
    static const html_table table = {
        .id = "t", .caption = "Layers of \"x\"", .filter = "filter layers", .bar = "share"};
    roof_arena *arena = arena_new(0);
    cell_grid grid;
    textbuf out;
    (void)state;
    grid_begin(&grid, arena, columns, COUNT(columns));
    GRID_ADD(&grid, cell_text("<b>"), cell_spaced(1000.5, 1), cell_number(50, 0), cell_number(NAN, 0),
             cell_coloured("gap", CELL_YELLOW));
    GRID_ADD(&grid, cell_text("total"), cell_number(NAN, 0), cell_number(100, 0), cell_number(NAN, 0),
             cell_empty);
    text_init(&out, TEXT_MAX_BYTES);
    grid.n_last = 1;
    grid_put_html(&grid, &table, &out);
    assert_string_equal(
        out.bytes,
        "<p class=\"tools\"><input class=\"filter\" data-table=\"t\" type=\"search\" placeholder=\"filter "
        "layers\" "
        "aria-label=\"filter layers: Layers of &quot;x&quot;\"> <span class=\"filter-count\" "
        "aria-live=\"polite\"></span></p>\n"
        "<div class=\"scroll few\" tabindex=\"0\" role=\"region\" aria-label=\"Layers of &quot;x&quot;\">"
        "<table class=\"sortable\" id=\"t\"><caption>Layers of &quot;x&quot;</caption>\n"
        "<thead><tr><th scope=\"col\" class=\"name\">layer</th><th scope=\"col\" class=\"num\">time <span "
        "class=\"unit\">ms</span></th><th scope=\"col\" class=\"num\">share <span "
        "class=\"unit\">%</span></th>"
        "<th scope=\"col\">verdict</th></tr></thead>\n<tbody>\n"
        "<tr><td class=\"name\"><code>&lt;b&gt;</code></td><td class=\"num\" data-value=\"1000.5\">1 "
        "000.5</td>"
        "<td class=\"num bar\" style=\"--bar-length:100.0%\">50</td><td "
        "class=\"yellow\">gap</td></tr>\n</tbody>\n"
        "<tfoot>\n<tr class=\"total\"><td class=\"name\">total</td><td class=\"num\" data-value=\"\">?</td>"
        "<td class=\"num\">100</td><td></td></tr>\n</tfoot></table></div>\n");
    html_check_balanced(out.bytes);
    text_free(&out);
    arena_free(arena);
}

static void a_grid_that_failed_makes_the_text_fail(void **state)
{
    static const grid_column columns[] = {{"layer", .kind = COLUMN_NAME}};
    roof_arena *arena = arena_new(4096);
    cell_grid grid;
    textbuf out;
    (void)state;
    grid_begin(&grid, arena, columns, 1);
    for (int i = 0; i < 10000; i++)
        GRID_ADD(&grid, cell_text("a name"));
    assert_true(grid_failed(&grid));
    text_init(&out, TEXT_MAX_BYTES);
    grid_put_html(&grid, &(html_table){.id = "t", .caption = "c"}, &out);
    assert_int_equal(text_status(&out, NULL), ROOF_E_NO_MEMORY);
    text_free(&out);
    arena_free(arena);
}

/* ---- pages ---- */

/* A page of one model; the text is to be freed. */
static textbuf page_of(const roof_report_input *input, page_model *models, uint32_t n)
{
    static page_file inputs[] = {{.name = "<in>.json", .sha256 = "00ff", .size_bytes = 1234}};
    static page_file files[] = {{.name = "report.csv", .what = "rows of <x>"}};
    static page_figure figures[] = {
        {.stem = "roofline-x", .title = "<b>", .caption = "a & b", .model = 0},
        {.stem = "bad-x", .title = "t", .caption = "c", .model = 0, .wide_svg = "<svg><script/>"},
        {.stem = "good-x",
         .title = "t",
         .caption = "c",
         .model = 0,
         .wide_svg = "<svg><path/></svg>",
         .narrow_svg = "<svg><path/></svg>"}};
    roof_arena *arena = arena_new(0);
    const report_page page = {.input = input,
                              .arena = arena,
                              .models = models,
                              .n_models = n,
                              .inputs = inputs,
                              .n_inputs = COUNT(inputs),
                              .files = files,
                              .n_files = COUNT(files),
                              .figures = figures,
                              .n_figures = COUNT(figures)};
    textbuf out;
    roof_error err;
    text_init(&out, TEXT_MAX_BYTES);
    if (page_put(&page, &out, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    arena_free(arena);
    return out;
}

/* What is true of every page, whatever is on it. */
static void check_page(const char *html)
{
    static const char *const never[] = {
        "http://",    "https://", "<img",       "<script>window",
        "onerror=x>", "<b>",      "\" onclick", "javascript:window.attacked=1\""};
    html_check_balanced(html);
    for (size_t i = 0; i < COUNT(never); i++)
        if (strstr(html, never[i]))
            fail_msg("'%s' is on the page: %.100s", never[i], strstr(html, never[i]));
    assert_int_equal(html_count(html, "<script>"), 1);
    assert_int_equal(html_count(html, "<h1>"), 1);
    assert_non_null(strstr(html, "<html lang=\"en\">"));
}

static void a_prediction_of_hostile_names_is_text(void **state)
{
    roof_prediction *p = fx_hostile_prediction();
    const roof_prediction *const list[] = {p};
    page_model model = {.name = p->model.name, .prediction = p, .rows_file = "x.csv"};
    const roof_report_input input = {.predictions = list, .n_predictions = 1};
    (void)state;
    textbuf page = page_of(&input, &model, 1), again = page_of(&input, &model, 1);
    check_page(page.bytes);
    assert_int_equal(page.length, again.length);
    assert_memory_equal(page.bytes, again.bytes, page.length);
    const char *table = strstr(page.bytes, "<table class=\"sortable\" id=\"layers-1\">");
    assert_non_null(table);
    for (uint32_t i = 0; i < p->n_layers; i++) {
        char row[80];
        snprintf(row, sizeof row, "<tr id=\"layers-1-%u\"><td class=\"num\">%u</td>", p->layers[i].index,
                 p->layers[i].index);
        assert_non_null(strstr(table, row));
    }
    assert_non_null(strstr(table, "<code>&lt;script&gt;window.attacked=1&lt;/<wbr>script&gt;</code>"));
    assert_non_null(strstr(page.bytes, "&lt;in&gt;.json"));
    text_free(&page);
    text_free(&again);
    roof_prediction_free(p);
}

static void figures_are_inlined_or_explained(void **state)
{
    roof_prediction *p = fx_hostile_prediction();
    const roof_prediction *const list[] = {p};
    page_model model = {.name = p->model.name, .prediction = p, .rows_file = "x.csv"};
    const roof_report_input input = {.predictions = list, .n_predictions = 1};
    (void)state;
    textbuf page = page_of(&input, &model, 1);
    const char *first = html_between(page.bytes, "<figure id=\"figure-roofline-x\">", "</figure>");
    assert_non_null(strstr(first, "gnuplot did not draw this chart."));
    assert_non_null(strstr(first, "<code>gnuplot roofline-x.gp</code>"));
    assert_null(strstr(first, "roofline-x.svg\""));
    const char *bad = html_between(page.bytes, "<figure id=\"figure-bad-x\">", "</figure>");
    assert_non_null(strstr(bad, "cannot be shown here: an element that no chart has, &#39;script&#39;."));
    const char *good = html_between(page.bytes, "<figure id=\"figure-good-x\">", "</figure>");
    assert_non_null(strstr(good, "<div class=\"wide\"><svg role=\"img\" aria-labelledby=\"f3w-title\""));
    assert_non_null(strstr(good, "<div class=\"narrow\"><svg role=\"img\" aria-labelledby=\"f3n-title\""));
    assert_non_null(strstr(good, "<a href=\"good-x.svg\">svg</a>"));
    text_free(&page);
    roof_prediction_free(p);
}

/* The first section, and a headline for each network; what could not be predicted has its reason. */
static void boards_lead_with_which_is_fastest_and_which_cannot(void **state)
{
    fx_net net = fx_open(xn_tiny(NULL, NULL), NULL);
    roof_prediction *kv260 = fx_predict(net.graph, "kv260", NULL),
                    *zcu102 = fx_predict(net.graph, "zcu102", NULL);
    const roof_prediction *const list[] = {kv260, zcu102};
    const roof_pair failed = {.path = kv260->model.path,
                              .asked_hw = "<b>npu2",
                              .why = "no <rules>",
                              .model = "tiny",
                              .hardware = "<b>npu2",
                              .ideal_s = NAN,
                              .best_s = NAN,
                              .expected_s = NAN,
                              .expected_ci95_s = {NAN, NAN},
                              .per_s = NAN,
                              .expected_per_s = NAN,
                              .macs = ROOF_UNKNOWN,
                              .memory_bytes = ROOF_UNKNOWN,
                              .utilisation_ratio = NAN,
                              .layers = ROOF_NONE,
                              .host_layers = ROOF_NONE,
                              .basis = ROOF_BASIS_NONE,
                              .findings = ROOF_NONE};
    const roof_pair *const unpredicted[] = {&failed};
    page_model models[] = {{.name = "tiny on kv260", .prediction = kv260, .rows_file = "x.csv"},
                           {.name = "tiny on zcu102", .prediction = zcu102, .rows_file = "y.csv"}};
    roof_report_input input = {.predictions = list, .n_predictions = 2};
    (void)state;
    textbuf page = page_of(&input, models, 2);
    assert_non_null(
        strstr(html_between(page.bytes, "<h1>", "</h1>"), "one core busy, which is faster is unknown: "));
    const char *first = strstr(page.bytes, "<section id=");
    assert_int_equal(strncmp(first, "<section id=\"study\">", strlen("<section id=\"study\">")), 0);
    text_free(&page);
    input.unpredicted = unpredicted;
    input.n_unpredicted = 1;
    page = page_of(&input, models, 2);
    html_check_balanced(page.bytes);
    const char *headline = html_between(page.bytes, "<h1>", "</h1>");
    assert_non_null(strstr(headline, "which is faster is unknown: kv260 expected "));
    assert_non_null(strstr(headline, "; cannot be predicted on &lt;b&gt;npu2."));
    const char *table = html_between(page.bytes, "id=\"predictions\"", "</table>");
    assert_int_equal(html_count(table, "<tr>"), 4); /* with that of the titles */
    assert_non_null(strstr(page.bytes, "<dt>why not</dt><dd>"));
    assert_non_null(strstr(page.bytes, "no &lt;rules&gt;</dd>"));
    text_free(&page);
    roof_prediction_free(kv260);
    roof_prediction_free(zcu102);
    fx_close(&net);
}

static void a_study_has_all_its_sections(void **state)
{
    static const char *const sections[] = {"key-figures", "study",     "model-1",   "findings",
                                           "method",      "constants", "provenance"};
    static const pf_experiment study = {.layers = "net/a=100 net/b:alu=50 h:host=0",
                                        .bypass_us = 200,
                                        .per_layer_us = 400,
                                        .rows = "net/a=180 net/b=120 x=10"};
    pf_result r = pf_reconcile(&study, 1);
    const roof_reconciled *e = &r.r->experiments[0];
    page_model model = {
        .name = e->model, .experiment = e, .prediction = e->prediction, .rows_file = "report.csv"};
    const roof_report_input input = {.reconciliation = r.r};
    const char *last;
    (void)state;
    textbuf page = page_of(&input, &model, 1);
    check_page(page.bytes);
    last = page.bytes;
    for (size_t i = 0; i < COUNT(sections); i++) {
        char begin[80];
        snprintf(begin, sizeof begin, "<section id=\"%s\">", sections[i]);
        last = strstr(last, begin);
        if (!last) {
            fail_msg("no %s, or not in its place", begin);
            return;
        }
    }
    assert_string_equal(html_between(page.bytes, "<h1>", "</h1>"),
                        pf_sentence(r.r, ROOF_SENTENCE_VERDICT, 0));
    assert_non_null(strstr(page.bytes, "<nav"));
    assert_non_null(
        strstr(page.bytes, "<li><a href=\"#layers-1\">Layers</a></li>")); /* one model is one scroll */
    text_free(&page);
    pf_free(&r);
}

/* PASS or FAIL, the date and the command; a summary has the first screen alone. */
static void a_budget_and_the_command_stand_below_the_verdict(void **state)
{
    static const pf_experiment study = {.layers = "net/a=100", .bypass_us = 200, .rows = "net/a=180"};
    static const struct {
        double mean_s;
        const char *says;
    } rows[] = {
        {1e-3, "<p class=\"budget pass\">PASS: 1 of 1 check, mean 200 us, limit at most 1 ms.</p>"},
        {1e-4, "<p class=\"budget fail\">FAIL: 1 of 1 check, mean 200 us, limit at most 100 us.</p>"}};
    pf_result r = pf_reconcile(&study, 1);
    const roof_reconciled *e = &r.r->experiments[0];
    page_model model = {
        .name = e->model, .experiment = e, .prediction = e->prediction, .rows_file = "report.csv"};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_budget *budget = NULL;
        roof_checks *checks = NULL;
        const roof_compare_side subject = {.name = "net", .measured = r.r};
        assert_int_equal(roof_budget_of_totals(&(roof_limit){"mean_s", rows[i].mean_s}, 1, &budget, NULL),
                         ROOF_OK);
        assert_int_equal(roof_budget_check(budget, &subject, NULL, &checks, NULL), ROOF_OK);
        const roof_report_input input = {.reconciliation = r.r,
                                         .checks = checks,
                                         .command = "roofline report '<b>'",
                                         .date = "2026-11-29",
                                         .is_summary = i == 0};
        textbuf page = page_of(&input, &model, 1);
        check_page(page.bytes);
        if (!strstr(page.bytes, rows[i].says))
            fail_msg("no %s in %s", rows[i].says, html_between(page.bytes, "<header>", "</header>"));
        assert_non_null(strstr(page.bytes, "<p class=\"made\">2026-11-29, <code>roofline report "));
        assert_null(strstr(page.bytes, "'<b>'"));
        assert_true((strstr(page.bytes, "<section id=\"study\">") == NULL) == input.is_summary);
        assert_non_null(strstr(page.bytes, "<section id=\"key-figures\">"));
        text_free(&page);
        roof_checks_free(checks);
        roof_budget_free(budget);
    }
    pf_free(&r);
}

static void energies_of_devices_are_a_table_with_the_best_first(void **state)
{
    static const pf_experiment study[] = {
        {.hardware = "slow", .per_layer_us = 400, .more = "\"power_w\":5,\"power_scope\":\"<b>board\","},
        {.hardware = "fast", .per_layer_us = 200, .more = "\"power_w\":5,\"power_scope\":\"<b>board\","}};
    pf_result r = pf_reconcile(study, COUNT(study));
    page_model models[COUNT(study)];
    (void)state;
    for (size_t i = 0; i < COUNT(study); i++)
        models[i] =
            (page_model){.name = "net", .experiment = &r.r->experiments[i], .rows_file = "report.csv"};
    textbuf page = page_of(&(roof_report_input){.reconciliation = r.r}, models, COUNT(study));
    check_page(page.bytes);
    const char *table = strstr(page.bytes, "id=\"energy\"");
    const char *fast = table ? strstr(table, "fast") : NULL, *slow = table ? strstr(table, "slow") : NULL;
    bool has_both = fast && slow && strstr(fast, ">1 mJ<"); /* 5 W for 200 us */
    if (!has_both || fast > slow)
        fail_msg("%s", table ? table : "no table of energies");
    text_free(&page);
    pf_free(&r);
}

static void many_rows_are_all_there(void **state)
{
    enum { MANY = 5000 };
    textbuf layers;
    (void)state;
    text_init(&layers, TEXT_MAX_BYTES);
    for (int i = 0; i < MANY; i++)
        text_printf(&layers, "net/layer_%d=%d ", i, 1 + i % 50);
    const pf_experiment study = {.layers = layers.bytes, .bypass_us = 300000, .rows = layers.bytes};
    pf_result r = pf_reconcile(&study, 1);
    const roof_reconciled *e = &r.r->experiments[0];
    page_model model = {
        .name = e->model, .experiment = e, .prediction = e->prediction, .rows_file = "report.csv"};
    textbuf page = page_of(&(roof_report_input){.reconciliation = r.r}, &model, 1);
    const char *table = strstr(page.bytes, "id=\"layers-1\"");
    assert_non_null(table);
    assert_int_equal(html_count(table, "<tr id=\"layers-1-"), MANY);
    assert_int_equal(html_count(table, "<tbody class=\"later\">"), 1);
    assert_null(strstr(page.bytes, " largest of 5000 rows"));
    html_check_balanced(page.bytes);
    text_free(&page);
    text_free(&layers);
    pf_free(&r);
}

/* ---- style ---- */

static void every_colour_of_the_charts_has_a_dark_one(void **state)
{
    static const unsigned colours[] = {
        COLOUR_PAPER,          COLOUR_INK,           COLOUR_MUTED,
        COLOUR_GRID,           COLOUR_AXIS,          COLOUR_ARRAY,
        COLOUR_SIDE,           COLOUR_MEMORY,        COLOUR_OTHER,
        COLOUR_HOST,           COLOUR_OVERHEAD,      COLOUR_GAP,
        COLOUR_COMPUTE_REGION, COLOUR_MEMORY_REGION, COLOUR_IMPOSSIBLE_REGION,
        COLOUR_BAND,           COLOUR_FLOOR,         COLOUR_IDEAL,
        COLOUR_PREDICTED,      COLOUR_MEASURED,      COLOUR_BUSY_LEAST,
        COLOUR_BUSY_MOST,      COLOUR_SAVE,          COLOUR_WAIT_LOAD,
        COLOUR_WAIT_SAVE,      COLOUR_WAIT_ARRAY,    COLOUR_WAIT_SIDE,
        COLOUR_STRIP,          COLOUR_STRIP_PALE,    0x000000 /* gnuplot's own black */};
    const char *dark = strstr(embedded_text("page.css"), "prefers-color-scheme: dark");
    (void)state;
    assert_non_null(dark);
    for (size_t i = 0; i < COUNT(colours) + BUSY_LEVELS; i++) {
        char name[20], value[8];
        unsigned colour = i < COUNT(colours) ? colours[i] : busy_colour((unsigned)(i - COUNT(colours)));
        snprintf(name, sizeof name, "--c%06x: #", colour);
        const char *at = strstr(dark, name);
        if (!at)
            fail_msg("page.css has no dark counterpart %s", name);
        snprintf(value, sizeof value, "%06x", colour);
        assert_memory_not_equal(at + strlen(name), value, 6);
    }
}

/* A new line of palette.h has to be in the list above. */
static void all_colours_of_the_palette_are_known(void **state)
{
    char path[512], line[200];
    unsigned n = 0;
    const char *root = getenv("ROOFLINE_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/reports/charts/palette.h", root ? root : ".");
    FILE *f = fopen(path, "r");
    (void)state;
    assert_non_null(f);
    while (fgets(line, sizeof line, f))
        n += strstr(line, "    COLOUR_") == line;
    fclose(f);
    assert_int_equal(n, 29);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(names_break_and_stay_whole),
        cmocka_unit_test(quantities_have_their_unit_apart),
        cmocka_unit_test(cells_say_what_they_sort_by),
        cmocka_unit_test(a_grid_becomes_a_table),
        cmocka_unit_test(a_grid_that_failed_makes_the_text_fail),
        cmocka_unit_test(a_prediction_of_hostile_names_is_text),
        cmocka_unit_test(figures_are_inlined_or_explained),
        cmocka_unit_test(boards_lead_with_which_is_fastest_and_which_cannot),
        cmocka_unit_test(a_study_has_all_its_sections),
        cmocka_unit_test(a_budget_and_the_command_stand_below_the_verdict),
        cmocka_unit_test(energies_of_devices_are_a_table_with_the_best_first),
        cmocka_unit_test(many_rows_are_all_there),
        cmocka_unit_test(every_colour_of_the_charts_has_a_dark_one),
        cmocka_unit_test(all_colours_of_the_palette_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
