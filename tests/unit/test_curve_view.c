/* Curves of language models as people and programs see them: whole documents in tests/curves, which
 * ROOF_UPDATE_GOLDEN=1 rewrites, and which rows of a long one are shown. */
#include "roofline/render.h"
#include "tests/support/curves.h"
#include "tests/support/memory_io.h"
#include "tests/support/text_save.h"
#include "tests/unit/fixture.h"

static textbuf rendered(const roof_curve *curve, const roof_render_options *options)
{
    textbuf text;
    roof_error err = {0};
    text_init(&text, TEXT_MAX_BYTES);
    if (roof_render(curve, options, (roof_sink){memory_write, &text}, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return text;
}

/* The bytes of a file, which the caller frees; NULL without it. */
static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    textbuf text;
    char piece[4096];
    if (!file)
        return NULL;
    text_init(&text, TEXT_MAX_BYTES);
    for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;)
        text_add(&text, piece, n);
    fclose(file);
    assert_int_equal(text_status(&text, NULL), ROOF_OK);
    return text.bytes;
}

static void documents_are_as_expected(void **state)
{
    static const struct {
        const char *file, *format;
        roof_curve *(*make)(void);
        uint32_t width;
    } rows[] = {
        {"known.txt", "text", curves_known, 160},
        {"known-narrow.txt", "text", curves_known, 100},
        {"known.md", "markdown", curves_known, 0},
        {"known.csv", "csv", curves_known, 0},
        {"known.json", "json", curves_known, 0},
        {"bound-only.txt", "text", curves_bound_only, 120},
        {"bound-only.md", "markdown", curves_bound_only, 0},
        {"bound-only.csv", "csv", curves_bound_only, 0},
        {"bound-only.json", "json", curves_bound_only, 0},
    };
    const char *update = getenv("ROOF_UPDATE_GOLDEN");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char path[1024];
        roof_curve *curve = rows[i].make();
        textbuf got =
            rendered(curve, &(roof_render_options){.format = rows[i].format, .width = rows[i].width});
        snprintf(path, sizeof path, "%s/tests/curves/%s", getenv("ROOFLINE_SOURCE_DIR"), rows[i].file);
        char *want = read_whole(path);
        if (update && strcmp(update, "1") == 0)
            assert_int_equal(text_save(&got, path, NULL), ROOF_OK);
        else if (!want || strcmp(want, got.bytes) != 0)
            fail_msg("%s is not as expected. If the change is meant: ROOF_UPDATE_GOLDEN=1 ctest -L golden\n"
                     "got:\n%s",
                     path, got.bytes);
        free(want);
        text_free(&got);
        roof_curve_free(curve);
    }
}

static uint32_t count_of(const char *text, const char *what)
{
    uint32_t n = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

/* Lines of the text that begin with a number and are no sentence: rows of the tables. */
static uint32_t rows_in(const char *text)
{
    uint32_t n = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *first = line + strspn(line, " "), *more = strstr(first, " rows; ");
        const bool is_sentence = more && more < first + strcspn(first, "\n");
        const bool is_row = *line == ' '; /* a sentence that goes on begins at the left */
        n += is_row && *first >= '0' && *first <= '9' && !is_sentence ? 1 : 0;
    }
    return n;
}

static void a_long_curve_shows_doublings_and_says_how_many_rows_there_are(void **state)
{
    roof_curve *curve = curves_long(128);
    textbuf shown = rendered(curve, NULL), all = rendered(curve, &(roof_render_options){.details = true}),
            csv = rendered(curve, &(roof_render_options){.format = "csv"}),
            top = rendered(curve, &(roof_render_options){.most_rows = 3});
    (void)state;
    assert_int_equal(rows_in(shown.bytes), 2 * 8);
    assert_int_equal(count_of(shown.bytes, "8 of 128 rows; --details shows all"), 2);
    static const char *const lengths[] = {"\n      1k ", "\n      2k ", "\n     64k ", "\n    128k "};
    for (size_t i = 0; i < COUNT(lengths); i++)
        assert_int_equal(count_of(shown.bytes, lengths[i]), 2);
    assert_null(strstr(shown.bytes, "\n      3k "));
    assert_int_equal(rows_in(all.bytes), 2 * 128);
    assert_null(strstr(all.bytes, "--details"));
    assert_int_equal(count_of(csv.bytes, "\n"), 1 + 2 * 128);
    assert_int_equal(count_of(top.bytes, "and 125 more"), 2);
    text_free(&shown);
    text_free(&all);
    text_free(&csv);
    text_free(&top);
    roof_curve_free(curve);
}

/* Between two doublings there would be only the ends. */
static void a_long_curve_within_a_doubling_shows_rows_at_equal_distances(void **state)
{
    uint32_t contexts[40];
    for (uint32_t i = 0; i < COUNT(contexts); i++)
        contexts[i] = 70001 + 1000 * i;
    roof_curve *curve = curves_of_steps(contexts, COUNT(contexts));
    textbuf shown = rendered(curve, NULL);
    (void)state;
    assert_int_equal(rows_in(shown.bytes), 16);
    assert_non_null(strstr(shown.bytes, "16 of 40 rows"));
    text_free(&shown);
    roof_curve_free(curve);
}

static void what_cannot_show_a_curve_says_what_can(void **state)
{
    static const struct {
        roof_render_options options;
        const char *message;
    } rows[] = {{{.format = "trace"},
                 "format 'trace' cannot show the curve of a language model; there are text, json, csv, "
                 "markdown"},
                {{.sort = "speed"}, "no table has a column 'speed' to sort by; there are context, bound"},
                {{.format = "json", .sort = "bound"},
                 "format 'json' has no tables whose rows could be chosen or sorted"}};
    roof_curve *curve = curves_known();
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        textbuf text;
        roof_error err = {0};
        text_init(&text, TEXT_MAX_BYTES);
        assert_int_equal(roof_render(curve, &rows[i].options, (roof_sink){memory_write, &text}, &err),
                         ROOF_E_USAGE);
        assert_int_equal(strncmp(err.what, rows[i].message, strlen(rows[i].message)), 0);
        text_free(&text);
    }
    roof_curve_free(curve);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_are_as_expected),
        cmocka_unit_test(a_long_curve_shows_doublings_and_says_how_many_rows_there_are),
        cmocka_unit_test(a_long_curve_within_a_doubling_shows_rows_at_equal_distances),
        cmocka_unit_test(what_cannot_show_a_curve_says_what_can)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
