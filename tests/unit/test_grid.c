/* Tables: how wide texts are, how cells look, what goes when there is little room, where blanks stand, and
 * that one without memory gives nothing. */
#include "core/table/grid.h"
#include "core/utf8.h"
#include "tests/unit/fixture.h"

static void texts_are_as_wide_as_a_terminal_shows_them(void **state)
{
    static const struct {
        const char *text;
        size_t width;
    } rows[] = {{"", 0},
                {"conv1", 5},
                {"caf\xc3\xa9", 4},
                {"e\xcc\x81", 1},                /* e and an accent that combines with it */
                {"\xe5\xb1\xa4", 2},             /* CJK */
                {"\xed\x95\x9c\xea\xb8\x80", 4}, /* Hangul */
                {"\xf0\x9f\x98\x80", 2},         /* emoji */
                {"\xe2\x82\xac\xe2\x94\x80", 2}, /* the euro sign and a line of a tree */
                {"a\xff.", 3}};                  /* a byte that is no UTF-8 */
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(utf8_width(rows[i].text, strlen(rows[i].text)), rows[i].width);
}

static void cells_say_what_they_are(void **state)
{
    static const struct {
        grid_cell cell;
        const char *dense, *sparse;
    } rows[] = {
        {{.kind = CELL_EMPTY}, "", ""},
        {{.kind = CELL_UNKNOWN}, "?", "-"},
        {{.kind = CELL_NONE}, "-", "-"},
        {{.kind = CELL_TEXT, .text = "conv1"}, "conv1", "conv1"},
        {{.kind = CELL_TEXT, .text = ""}, "", "-"},
        {{.kind = CELL_COUNT, .count = UINT64_MAX - 1}, "18 446 744 073 709 551 614", NULL},
        {{.kind = CELL_NUMBER, .number = 1283.44, .digits = 1, .is_spaced = true}, "1 283.4", NULL},
        {{.kind = CELL_NUMBER, .number = -0.04, .digits = 1}, "0.0", NULL},
        {{.kind = CELL_NUMBER, .number = 3.7, .digits = 2, .has_sign = true}, "+3.70", NULL},
        {{.kind = CELL_NUMBER, .number = 4.5, .text = "4.5 ms"}, "4.5 ms", NULL},
    };
    const cell_grid dense = {0}, sparse = {.is_sparse = true};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char buffer[CELL_SIZE];
        assert_string_equal(grid_show(&dense, &rows[i].cell, buffer), rows[i].dense);
        assert_string_equal(grid_show(&sparse, &rows[i].cell, buffer),
                            rows[i].sparse ? rows[i].sparse : rows[i].dense);
    }
    assert_int_equal(cell_number(NAN, 1).kind, CELL_UNKNOWN);
    assert_int_equal(cell_count(ROOF_UNKNOWN).kind, CELL_UNKNOWN);
    assert_int_equal(cell_or_none(cell_number(0, 1)).kind, CELL_NONE);
    assert_int_equal(cell_or_none(cell_count(1)).kind, CELL_COUNT);
}

static const grid_column columns[] = {{"id", .csv = "id"},
                                      {.csv = "secret"},
                                      {"n", "[ms]", .csv = "n_s", .kind = COLUMN_NUMBER},
                                      {"rare", .kind = COLUMN_NUMBER, .rank = 2},
                                      {"unknown", .kind = COLUMN_NUMBER, .rank = 1},
                                      {"name", .kind = COLUMN_NAME},
                                      {"what", .kind = COLUMN_WRAPPED}};

static void fill(cell_grid *t)
{
    GRID_ADD(t, cell_coloured("\xe5\xb1\xa4", CELL_BOLD), cell_text("=a"), cell_number(1.25, 1),
             cell_count(1000), cell_count(ROOF_UNKNOWN), cell_text("the_first_of_all_names_that_are_there"),
             cell_text("two words and more"));
    GRID_ADD(t, cell_text("b"), cell_text("a,b"), cell_number(NAN, 0), cell_or_none(cell_count(0)),
             cell_empty, cell_label("total"), cell_empty);
}

static void put(roof_arena *arena, const text_writer *paper)
{
    cell_grid t;
    grid_begin(&t, arena, columns, COUNT(columns));
    fill(&t);
    grid_put(&t, paper);
}

static void check(text_writer paper, const char *want)
{
    roof_arena *arena = arena_new(0);
    textbuf out;
    text_init(&out, 4000);
    paper.out = &out;
    put(arena, &paper);
    assert_string_equal(out.bytes, want);
    text_free(&out);
    arena_free(arena);
}

static void columns_fit_the_width_and_lines_end_without_blanks(void **state)
{
    (void)state;
    check((text_writer){.width = 100},
          "id    n  rare name                                  what\n"
          "   [ms]\n"
          "\xe5\xb1\xa4  1.2 1 000 the_first_of_all_names_that_are_there two words and more\n"
          "b     ?     - total\n");
    check((text_writer){.width = 53, .has_colour = true},
          "id    n name                       what\n"
          "   [ms]\n"
          "\033[1m\xe5\xb1\xa4\033[0m  1.2 the_first...that_are_there two words and more\n"
          "b     ? total\n");
    check((text_writer){.width = 27}, "id    n name     what\n"
                                      "   [ms]\n"
                                      "\xe5\xb1\xa4  1.2 th...ere two words\n"
                                      "                 and more\n"
                                      "b     ? total\n");
}

static void names_are_code_in_markdown_and_words_of_ours_are_not(void **state)
{
    (void)state;
    check((text_writer){.is_markdown = true},
          "| id | n \\[ms\\] | rare | unknown | name | what |\n| --- | --: | --: | --: | --- | --- |\n"
          "| \xe5\xb1\xa4 | 1.2 | 1 000 | ? | <code>the_first_of_all_names_that_are_there</code> | two words "
          "and more |\n"
          "| b | ? | - |  | total |  |\n");
}

static void csv_has_columns_of_its_own_and_numbers_as_they_were(void **state)
{
    roof_arena *arena = arena_new(0);
    cell_grid t;
    textbuf out;
    (void)state;
    text_init(&out, 1000);
    grid_begin_csv(&t, arena, columns, COUNT(columns), &out);
    fill(&t);
    assert_string_equal(out.bytes, "id,secret,n_s\n\xe5\xb1\xa4,\"'=a\",1.25\nb,\"a,b\",\n");
    assert_int_equal(t.n_rows, 0);
    out.length = 0;
    GRID_ADD(&t, cell_count(ROOF_UNKNOWN), cell_or_none(cell_count(0)), cell_count(ROOF_UNKNOWN - 1));
    while (t.n_cells)
        GRID_ADD(&t, cell_empty);
    assert_string_equal(out.bytes, ",0,18446744073709551614\n");
    text_free(&out);
    arena_free(arena);
}

static void rows_hang_on_rows_before_them(void **state)
{
    static const grid_column tree[] = {{"node", .kind = COLUMN_NAME}};
    static const struct {
        const char *name;
        uint32_t parent;
    } rows[] = {{"root", ROOF_NONE}, {"a", 0}, {"b", 1}, {"c", 0}};
    (void)state;
    for (int ascii = 0; ascii < 2; ascii++) {
        roof_arena *arena = arena_new(0);
        cell_grid t;
        textbuf out;
        text_init(&out, 1000);
        grid_begin(&t, arena, tree, 1);
        for (size_t i = 0; i < COUNT(rows); i++) {
            GRID_ADD(&t, cell_text(rows[i].name));
            grid_hang(&t, rows[i].parent);
        }
        grid_put(&t, &(text_writer){.out = &out, .width = 80, .is_ascii = ascii});
        assert_string_equal(out.bytes,
                            ascii ? "node\nroot\n|-a\n| `-b\n`-c\n" : "node\nroot\n├─a\n│ └─b\n└─c\n");
        text_free(&out);
        arena_free(arena);
    }
}

static const char *arranged(roof_arena *arena, const grid_order *order, size_t *left_out)
{
    static const grid_column table[] = {{"layer name", .kind = COLUMN_NAME},
                                        {"gap", .kind = COLUMN_NUMBER, .csv = "gap_s"}};
    static const struct {
        const char *name;
        double gap;
    } rows[] = {{"d", 3}, {"B", NAN}, {"a", 4}, {"c", 3}, {"sum", 10}};
    static char list[80];
    cell_grid t;
    grid_begin(&t, arena, table, COUNT(table));
    for (size_t i = 0; i < COUNT(rows); i++)
        GRID_ADD(&t, cell_text(rows[i].name), cell_number(rows[i].gap, 0));
    t.n_last = 1;
    grid_arrange(&t, order);
    *left_out = t.left_out;
    list[0] = '\0';
    for (size_t r = 0; r < t.n_rows; r++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s ", t.rows[r][0].text);
    return list;
}

static void rows_are_sorted_and_cut_and_sums_stay_last(void **state)
{
    static const struct {
        grid_order order;
        const char *want;
        size_t left_out;
    } rows[] = {
        {{.column = "gap"}, "a d c B sum ", 0},
        {{.column = "gap", .direction = GRID_ASCENDING}, "d c a B sum ", 0},
        {{.column = "GAP", .direction = GRID_DESCENDING, .most = 1}, "a sum ", 3},
        {{.column = "gap_s", .most = 4}, "a d c B sum ", 0},
        {{.column = "layer-Name"}, "a B c d sum ", 0},
        {{.column = "layer name", .direction = GRID_DESCENDING}, "d c B a sum ", 0},
        {{.largest = "gap", .most = 2}, "d a sum ", 2},
        {{.largest = "gap"}, "d B a c sum ", 0},
        {{.column = "ga", .most = 1}, "d B a c sum ", 0},
        {{.column = "", .most = 1}, "d B a c sum ", 0},
        {{.most = 1}, "d B a c sum ", 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t left_out;
        roof_arena *arena = arena_new(0);
        assert_string_equal(arranged(arena, &rows[i].order, &left_out), rows[i].want);
        assert_int_equal(left_out, rows[i].left_out);
        arena_free(arena);
    }
}

static void rows_of_csv_that_are_kept_are_written_at_the_end(void **state)
{
    roof_arena *arena = arena_new(0);
    cell_grid t;
    textbuf out;
    char name[] = "a";
    (void)state;
    text_init(&out, 1000);
    grid_begin_csv(&t, arena, columns, COUNT(columns), &out);
    t.write = NULL;
    for (; *name < 'd'; ++*name) /* a text of the caller's, which changes */
        GRID_ADD(&t, cell_text(name), cell_empty, cell_number(*name % 3, 0), cell_empty, cell_empty,
                 cell_empty, cell_empty);
    assert_string_equal(out.bytes, "id,secret,n_s\n");
    grid_arrange(&t, &(grid_order){.column = "n", .most = 2});
    assert_int_equal(t.left_out, 1);
    grid_end_csv(&t);
    assert_string_equal(out.bytes, "id,secret,n_s\nb,,2\na,,1\n");
    text_free(&out);
    arena_free(arena);
}

static void texts_are_shortened_in_their_middle(void **state)
{
    char buffer[40];
    (void)state;
    assert_string_equal(text_shorten("fits", 4, false, buffer, sizeof buffer), "fits");
    assert_string_equal(text_shorten("0123456789abcdef", 8, false, buffer, sizeof buffer), "01...def");
    assert_string_equal(text_shorten("0123456789abcdef", 9, true, buffer, sizeof buffer), "01...cdef");
    assert_string_equal(text_shorten("0123456789abcdef", 1, false, buffer, sizeof buffer), "...ef");
}

static void a_table_without_memory_fails_its_text(void **state)
{
    (void)state;
    bool succeeded = false;
    for (size_t limit = 1; limit < 2000; limit += 7) {
        roof_arena *arena = arena_new(limit);
        textbuf out;
        text_init(&out, 4000);
        put(arena, &(text_writer){.out = &out, .width = 100});
        assert_int_equal(text_status(&out, NULL), arena_status(arena, NULL));
        succeeded = succeeded || !out.failed;
        text_free(&out);
        arena_free(arena);
    }
    assert_true(succeeded);
}

static void a_grid_without_columns_takes_nothing(void **state)
{
    roof_arena *arena = arena_new(0);
    cell_grid t;
    textbuf out;
    (void)state;
    text_init(&out, 100);
    grid_begin(&t, arena, NULL, 3);
    GRID_ADD(&t, cell_text("a"), cell_empty, cell_empty);
    grid_put(&t, &(text_writer){.out = &out, .width = 80});
    assert_int_equal(text_status(&out, NULL), ROOF_E_NO_MEMORY);
    assert_int_equal(t.n_rows, 0);
    text_free(&out);
    arena_free(arena);
}

/* --- one description ---------------------------------------------------------------------------------- */

typedef struct part {
    const char *word;
} part;

typedef struct described {
    const char *name, *none;
    double seconds, all_digits, unknown_s;
    uint64_t count;
    uint32_t small, nobody, zero;
    bool is_true;
    const part *part;
} described;

static grid_cell twice(const grid_row *row)
{
    const described *d = row->is;
    return row->is_document ? cell_value(2 * d->seconds) : cell_text("twice");
}

static void put_nested(jsonout *json, const char *key, const grid_row *row)
{
    jsonout_object(json, key, true);
    jsonout_bool(json, "is_document", row->is_document && row->of == row->in && row->is != row->of);
    jsonout_end(json);
}

#define D(member, from, ...) GRID_OF(described, member, from, __VA_ARGS__)
static const grid_column described_columns[] = {
    D(name, TEXT, .title = "name", .kind = COLUMN_NAME, .place = 2),
    D(none, TEXT, .title = NULL),
    D(seconds, VALUE, .title = "time", .unit = "[ms]", .kind = COLUMN_NUMBER, .times = 1e3, .digits = 1,
      .place = 1),
    D(all_digits, NUMBER, .title = NULL),
    D(unknown_s, VALUE, .title = NULL),
    D(count, COUNT, .title = NULL),
    D(small, SMALL, .title = NULL),
    D(nobody, SMALL, .title = NULL),
    D(zero, SIZE, .title = NULL),
    D(is_true, FLAG, .title = NULL),
    GRID_BY("twice_s", twice, .title = "twice", .place = 3),
    {.csv = "word", .from = FROM_TEXT, .via = offsetof(described, part) + 1, .at = offsetof(part, word)},
    GRID_NESTED("nested", put_nested),
};
#undef D

/* What JSON alone has: lists, structs and pairs; nothing is there behind a pointer that is NULL. */
typedef struct described_list {
    const described *rows;
    uint32_t n, n_none;
    part here;
    const part *there, *nowhere;
    double pair[2], half[2];
    const char *nothing;
    bool is_false, is_true;
} described_list;

#define L(member, from, ...) GRID_OF(described_list, member, from, __VA_ARGS__)
static const grid_column part_members[] = {GRID_OF(part, word, TEXT, .title = NULL)};
static const grid_column list_members[] = {
    GRID_ITEMS("rows", described_list, rows, n, described_columns, true),
    GRID_ITEMS("none", described_list, rows, n_none, described_columns, true),
    GRID_OBJECT("here", described_list, here, part_members, true),
    {.json = "there",
     .from = FROM_OBJECT,
     .via = offsetof(described_list, there) + 1,
     .items = part_members,
     .n_items = 1,
     .one_line = true},
    {.json = "nowhere", .from = FROM_OBJECT, .via = offsetof(described_list, nowhere) + 1},
    GRID_VIA("word", described_list, nowhere, part, word, TEXT, .title = NULL),
    GRID_PAIR("pair", described_list, pair),
    GRID_PAIR("half", described_list, half),
    L(nothing, TEXT, .is_optional = true),
    L(is_false, FLAG, .is_optional = true),
    L(is_true, FLAG, .is_optional = true),
};
#undef L

/* CSV, JSON and people read the same member from one row of a table. */
static void one_description_makes_every_format(void **state)
{
    static const part word = {"deep"};
    const described d = {.name = "conv1",
                         .seconds = 0.0015,
                         .all_digits = 0.1234567890123456,
                         .unknown_s = NAN,
                         .count = 7,
                         .small = 3,
                         .nobody = ROOF_NONE,
                         .is_true = true,
                         .part = &word};
    const described_list list = {.rows = &d,
                                 .n = 1,
                                 .here = {"here"},
                                 .there = &word,
                                 .pair = {1, 2},
                                 .half = {NAN, 2},
                                 .is_true = true};
    enum { N = sizeof described_columns / sizeof *described_columns };
    roof_arena *arena = arena_new(0);
    textbuf out;
    cell_grid grid;
    jsonout json;
    (void)state;
    text_init(&out, TEXT_MAX_BYTES);
    grid_begin_csv(&grid, arena, described_columns, N, &out);
    grid_add_row(&grid, &d, &d);
    assert_string_equal(
        out.bytes, "name,none,seconds,all_digits,unknown_s,count,small,nobody,zero,is_true,twice_s,word\n"
                   "conv1,,0.0015,0.123456789012,,7,3,,,1,0.003,deep\n");
    text_free(&out);

    text_init(&out, TEXT_MAX_BYTES);
    jsonout_begin(&json, &out);
    jsonout_object(&json, NULL, false);
    GRID_MEMBERS(&json, list_members, &list, arena);
    jsonout_end(&json);
    assert_string_equal(
        out.bytes,
        "{\n \"rows\":[\n  {\"name\":\"conv1\",\"none\":null,\"seconds\":0.0015,"
        "\"all_digits\":0.1234567890123456,\"unknown_s\":null,\"count\":7,\"small\":3,\"nobody\":null,"
        "\"zero\":null,\"is_true\":true,\"twice_s\":0.003,\"nested\":{\"is_document\":true}}\n ],\n"
        " \"none\":[],\n \"here\":{\"word\":\"here\"},\n \"there\":{\"word\":\"deep\"},\n \"nowhere\":null,\n"
        " \"word\":null,\n \"pair\":[1,2],\n \"half\":null,\n \"is_true\":true\n}\n");
    text_free(&out);

    text_init(&out, TEXT_MAX_BYTES);
    grid_begin(&grid, arena, described_columns, N);
    grid_hide(&grid, "twice_s");
    grid_add_row(&grid, &d, &d);
    grid_put(&grid, &(text_writer){.out = &out, .width = 80});
    assert_string_equal(out.bytes, "time name\n[ms]\n 1.5 conv1\n");
    text_free(&out);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_as_wide_as_a_terminal_shows_them),
        cmocka_unit_test(cells_say_what_they_are),
        cmocka_unit_test(one_description_makes_every_format),
        cmocka_unit_test(columns_fit_the_width_and_lines_end_without_blanks),
        cmocka_unit_test(names_are_code_in_markdown_and_words_of_ours_are_not),
        cmocka_unit_test(csv_has_columns_of_its_own_and_numbers_as_they_were),
        cmocka_unit_test(rows_hang_on_rows_before_them),
        cmocka_unit_test(rows_are_sorted_and_cut_and_sums_stay_last),
        cmocka_unit_test(rows_of_csv_that_are_kept_are_written_at_the_end),
        cmocka_unit_test(texts_are_shortened_in_their_middle),
        cmocka_unit_test(a_table_without_memory_fails_its_text),
        cmocka_unit_test(a_grid_without_columns_takes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
