/* Fields of CSV: quoted where they have to be, no formulas, empty for what is not known. */
#include "core/table/grid.h"
#include "tests/unit/fixture.h"

/* A table of one column, named "c". */
static void assert_cell(grid_cell cell, const char *want)
{
    static const grid_column column = {.csv = "c"};
    char rows[200];
    roof_arena *arena = arena_new(0);
    cell_grid grid;
    textbuf out;
    text_init(&out, 1000);
    grid_begin_csv(&grid, arena, &column, 1, &out);
    GRID_ADD(&grid, cell);
    snprintf(rows, sizeof rows, "c\n%s\n", want);
    assert_string_equal(out.bytes, rows);
    text_free(&out);
    arena_free(arena);
}

static void texts_are_quoted_where_they_have_to_be(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"", ""},
        {"plain text", "plain text"},
        {"a,b", "\"a,b\""},
        {"a\"b", "\"a\"\"b\""},
        {"\"", "\"\"\"\""},
        {"a\nb", "a\\x0ab"},
        {"a\rb,", "\"a\\x0db,\""},
        /* NOLINTNEXTLINE(misc-misleading-bidirectional): what is tested */
        {"\xe2\x80\xae\xff", "\\u{202e}\\xff"},
        {"\xc3\xa4;", "\xc3\xa4;"},
        {"=1+1", "\"'=1+1\""},
        {"+1", "\"'+1\""},
        {"-1", "\"'-1\""},
        {"@SUM(A1)", "\"'@SUM(A1)\""},
        {"\t=1", "\\x09=1"},
        {"=\",\"", "\"'=\"\",\"\"\""},
        {"a=1", "a=1"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_cell(cell_text(rows[i].text), rows[i].want);
}

/* A quotient by 0 is no number that a spreadsheet could use. */
static void numbers_that_are_none_are_empty(void **state)
{
    static const struct {
        double value;
        const char *want;
    } rows[] = {
        {0, "0"},          {-0.0, "0"}, {0.1, "0.1"},   {-2.5e-7, "-2.5e-07"}, {1.0 / 3, "0.333333333333"},
        {1e300, "1e+300"}, {NAN, ""},   {INFINITY, ""}, {-INFINITY, ""}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_cell(cell_number(rows[i].value, 0), rows[i].want);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_quoted_where_they_have_to_be),
        cmocka_unit_test(numbers_that_are_none_are_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
