/* Rows as importers declare them: columns by their headings, objects of JSON, patterns of lines. */
#include "measure/import/row.h"
#include "core/error.h"
#include "tests/unit/fixture.h"

static const row_field fields[] = {{ROW_NAME, {"Layer", "Layer Name"}, 0, NULL, true},
                                   {ROW_TIME, {"Time (ms)"}, 1e-3, "the time", true},
                                   {ROW_GROUP, {"Core"}, 0, NULL, false},
                                   {ROW_BYTES, {"Bytes"}, 1024, "the bytes", false}};

/* An import that is not there but for its document and its scratch. */
static import_state import_begin(void)
{
    import_state in = {.out = measured_new(), .scratch = arena_new(0)};
    assert_true(in.out && in.scratch);
    return in;
}

static void import_end(import_state *in)
{
    roof_measured_free(in->out);
    arena_free(in->scratch);
}

static bool finds_headings(const char *line, row_layout *layout)
{
    text_span cells[ROW_MAX_CELLS];
    size_t n = span_split(span_of(line), '|', cells, ROW_MAX_CELLS);
    return row_find_headings(fields, COUNT(fields), cells, n, layout);
}

static void headings_stand_in_any_order_with_any_blanks(void **state)
{
    static const struct {
        const char *line;
        bool found;
    } rows[] = {{"Layer | Time (ms)", true},
                {"Bytes|Time(ms)|LayerName|more", true},
                {"Time (ms) | Layer", true},
                {"Layer | Time", false},
                {"Layer", false},
                {"", false},
                {"Layer | Time (ms) more", false},
                {"layer | Time (ms)", false}};
    row_layout layout;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (finds_headings(rows[i].line, &layout) != rows[i].found)
            fail_msg("%s", rows[i].line);
}

static void rows_are_read_by_the_columns_that_were_found(void **state)
{
    static const struct {
        const char *line, *name;
        double time, bytes; /* NaN: unknown */
        const char *error;  /* or NULL */
    } rows[] = {
        {"7 | 1.5 | conv | x", "conv", 1.5e-3, 7 * 1024, NULL},
        {"7 | 1.5 | conv | x |", "conv", 1.5e-3, 7 * 1024, NULL},
        {"~0 | 1.5 | a | b | c | x", "a | b | c", 1.5e-3, NAN, NULL},
        {"7 | 1.5 | conv", NULL, 0, 0, "a row of 3 cells, want 4"},
        {"7 | fast | conv | x", NULL, 0, 0, "the time is 'fast', want a number"},
        {"7 | 1.5 | | x", NULL, 0, 0, "an empty name"},
    };
    import_state in = import_begin();
    row_layout layout;
    (void)state;
    assert_true(finds_headings("Bytes | Time (ms) | Layer | Remark", &layout));
    for (size_t i = 0; i < COUNT(rows); i++) {
        text_span cells[ROW_MAX_CELLS];
        roof_error err = {0};
        table_row row = row_unknown();
        size_t n = span_split(span_of(rows[i].line), '|', cells, ROW_MAX_CELLS);
        roof_status status = row_read(&in, &layout, cells, n, &row, &err);
        if ((status == ROOF_OK) != !rows[i].error ||
            (rows[i].error && !strstr(fx_message(&err), rows[i].error)))
            fail_msg("%s: %s", rows[i].line, fx_message(&err));
        if (rows[i].error)
            continue;
        assert_string_equal(row.name, rows[i].name);
        assert_true(row.values[ROW_TIME] == rows[i].time);
        assert_true(isnan(rows[i].bytes) ? isnan(row.values[ROW_BYTES])
                                         : row.values[ROW_BYTES] == rows[i].bytes);
    }
    assert_true(in.small);
    import_end(&in);
}

static roof_status keep(void *in, const jsonpull *at, const table_row *row, roof_error *err)
{
    (void)at;
    return row->name ? row_keep(in, row, err) : ROOF_OK;
}

static roof_status read_json(import_state *in, const char *text, roof_error *err)
{
    static const row_field members[] = {{ROW_NAME, {"name"}, 0, NULL, true},
                                        {ROW_TIME, {"ms"}, 0, NULL, false},
                                        {ROW_GROUP, {"core"}, 0, NULL, false}};
    jsonpull *puller = jsonpull_of_memory(text, strlen(text));
    assert_non_null(puller);
    roof_status status = row_read_json(in, puller, members, COUNT(members), keep, in, err);
    jsonpull_free(puller);
    return status;
}

static void objects_with_a_name_are_rows_however_deep(void **state)
{
    import_state in = import_begin();
    (void)state;
    assert_int_equal(
        read_json(&in,
                  "{\"ms\":9,\"all\":[{\"core\":\"c0\",\"rows\":[{\"name\":\"a\",\"ms\":1.5},"
                  "{\"ms\":2,\"name\":\"b\",\"core\":\"c1\",\"more\":{\"ms\":3}}]},{\"ms\":\"x\"}]}",
                  NULL),
        ROOF_OK);
    assert_int_equal(in.n_rows, 2);
    assert_string_equal(in.rows[0].name, "a");
    assert_true(in.rows[0].values[ROW_TIME] == 1.5 && !in.rows[0].group);
    assert_string_equal(in.rows[1].name, "b");
    assert_true(in.rows[1].values[ROW_TIME] == 2);
    assert_string_equal(in.rows[1].group, "c1");
    assert_false(row_is_like(&in.rows[0], &in.rows[1]));
    import_end(&in);
}

static void damaged_objects_are_refused_at_their_place(void **state)
{
    static const struct {
        const char *text, *words;
    } rows[] = {{"[{\"name\":\"a\",\"ms\":\"x\"}]", "ms is no number"},
                {"[{\"name\":\"a\",\"ms\":-1}]", "/0/ms: is negative"},
                {"[{\"name\":\"a\",\"name\":\"b\"}]", "/0/name: is there twice"},
                {"[{\"name\":1}]", "/0/name: want a string"},
                {"[{\"name\":\"\\u0007\"}]", "control characters"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        import_state in = import_begin();
        roof_error err = {0};
        if (read_json(&in, rows[i].text, &err) != ROOF_E_DATA || !strstr(fx_message(&err), rows[i].words))
            fail_msg("%s: %s", rows[i].text, fx_message(&err));
        import_end(&in);
    }
}

static void what_is_too_small_to_print_is_not_known(void **state)
{
    roof_times times;
    table_row row = row_unknown();
    (void)state;
    row.values[ROW_TIME] = row.values[ROW_MIN] = 0;
    row.values[ROW_COUNT] = 5;
    row_set_times(&row, &times);
    assert_true(isnan(times.mean_s) && isnan(times.min_s) && times.count == 5);
    row.exact = true;
    row_set_times(&row, &times);
    assert_true(times.mean_s == 0 && times.min_s == 0 && isnan(times.max_s));
}

static void patterns_take_what_fits_and_nothing_else(void **state)
{
    static const struct {
        const char *text, *pattern;
        double numbers[2];
        const char *rest; /* NULL: it does not fit */
    } rows[] = {
        {"0.043ms (0.3%) more", "~ms (~%)", {0.043, 0.3}, " more"},
        {"r=14080   w=0", "r=# w=#", {14080, 0}, ""},
        {"r=1w=2", "r=# w=#", {1, 2}, ""},
        {"r=1.5 w=2", "r=# w=#", {0}, NULL},
        {"r=-1 w=2", "r=# w=#", {0}, NULL},
        {"r=9007199254740994 w=2", "r=# w=#", {0}, NULL},
        {"1.2.3", "~", {0}, NULL},
        {"", "#", {0}, NULL},
        {"x", "", {0}, "x"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        double numbers[2] = {0};
        text_span rest = span_of(rows[i].text);
        bool fits = span_scan(&rest, rows[i].pattern, numbers);
        if (fits != (rows[i].rest != NULL) || !span_is(rest, fits ? rows[i].rest : rows[i].text))
            fail_msg("'%s' leaves '%.*s'", rows[i].text, (int)rest.length, rest.text);
        if (fits && (numbers[0] != rows[i].numbers[0] || numbers[1] != rows[i].numbers[1]))
            fail_msg("'%s' has %g and %g", rows[i].text, numbers[0], numbers[1]);
    }
}

static void patterns_cut_words_up_to_what_follows_them(void **state)
{
    static const struct {
        const char *text, *pattern;
        const char *words[2], *rest; /* NULL: it does not fit */
    } rows[] = {
        {"a b [7] c", "*[#]", {"a b "}, " c"}, {"key: value", "*:*", {"key", " value"}, ""},
        {":x", "*:*", {"", "x"}, ""},          {"7=a,b", "#=*,", {"a"}, "b"},
        {"no colon", "*:", {NULL}, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        double number;
        text_span words[2], rest = span_of(rows[i].text);
        bool fits = span_cut(&rest, rows[i].pattern, &number, words);
        if (fits != (rows[i].rest != NULL) || !span_is(rest, fits ? rows[i].rest : rows[i].text))
            fail_msg("'%s' leaves '%.*s'", rows[i].text, (int)rest.length, rest.text);
        for (size_t w = 0; w < COUNT(words) && rows[i].words[w]; w++)
            if (!span_is(words[w], rows[i].words[w]))
                fail_msg("'%s' has '%.*s'", rows[i].text, (int)words[w].length, words[w].text);
    }
}

struct reading {
    double rate_per_s, mean_s[2], all_s;
    char name[8];
};

static roof_status take_name(struct reading *r, const line_found *found, roof_error *err)
{
    snprintf(r->name, sizeof r->name, "%.*s", (int)found->words[0].length, found->words[0].text);
    return found->words[0].length ? ROOF_OK : error_data(err, "no name");
}

static void the_first_field_that_a_line_fits_takes_it(void **state)
{
    static const line_field lines[] = {
        {"FPS: ~", .target = offsetof(struct reading, rate_per_s)},
        {"avg ~ ms, max ~ ms", .unit = 1e-3, .target = offsetof(struct reading, mean_s)},
        {" ~ s", .target = offsetof(struct reading, all_s), .is_sum = true, .behind = "took"},
        {" took ~", .target = offsetof(struct reading, rate_per_s)},
        {"net *,", .take = take_name},
    };
    static const struct {
        const char *line;
        struct reading want;
        roof_status status;
    } rows[] = {
        {"FPS: 12.5 took 7 s", {.rate_per_s = 12.5}, ROOF_OK},
        {"avg 12.5 ms, max 20 ms", {.mean_s = {0.0125, 0.02}}, ROOF_OK},
        {"it took 3 s and took 4 s", {.all_s = 2 * 3}, ROOF_OK}, /* twice, as each line here */
        {"took 5", {.rate_per_s = 5}, ROOF_OK},                  /* no seconds: the next field */
        {"FPS: none", {.rate_per_s = 0}, ROOF_OK},
        {"net a, b", {.name = "a"}, ROOF_OK},
        {"net , b", {.name = ""}, ROOF_E_DATA},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct reading r = {.rate_per_s = 0};
        roof_error err;
        for (int k = 0; k < 2; k++)
            assert_int_equal(line_take(lines, COUNT(lines), span_of(rows[i].line), &r, &err), rows[i].status);
        if (memcmp(&r, &rows[i].want, sizeof r) != 0)
            fail_msg("'%s': %g %g %g %g '%s'", rows[i].line, r.rate_per_s, r.mean_s[0], r.mean_s[1], r.all_s,
                     r.name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headings_stand_in_any_order_with_any_blanks),
        cmocka_unit_test(rows_are_read_by_the_columns_that_were_found),
        cmocka_unit_test(objects_with_a_name_are_rows_however_deep),
        cmocka_unit_test(damaged_objects_are_refused_at_their_place),
        cmocka_unit_test(what_is_too_small_to_print_is_not_known),
        cmocka_unit_test(patterns_take_what_fits_and_nothing_else),
        cmocka_unit_test(patterns_cut_words_up_to_what_follows_them),
        cmocka_unit_test(the_first_field_that_a_line_fits_takes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
