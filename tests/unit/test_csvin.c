/* Plain tables in memory: cells, line numbers, and numbers as a C++ program prints them. */
#include "core/files/csvin.h"
#include "tests/unit/fixture.h"

static void assert_cell(csvin_cell cell, const char *want)
{
    if (!csvin_is(cell, want))
        fail_msg("found '%.*s', want '%s'", (int)cell.length, cell.text, want);
}

static void cells_are_trimmed_and_lines_counted(void **state)
{
    static const char text[] = "a , b,\r\n\n  \n ,c";
    csvin_cell cells[4];
    csvin in = csvin_from(text, strlen(text), cells, COUNT(cells));
    static const struct {
        uint32_t n;
        const char *cells[3];
    } want[] = {{3, {"a", "b", ""}}, {0, {NULL}}, {0, {NULL}}, {2, {"", "c"}}};
    bool more;
    (void)state;
    for (size_t i = 0; i < COUNT(want); i++) {
        assert_int_equal(csvin_next(&in, &more, NULL), ROOF_OK);
        assert_true(more && in.line == i + 1);
        assert_int_equal(in.n_cells, want[i].n);
        for (uint32_t j = 0; j < want[i].n; j++)
            assert_cell(cells[j], want[i].cells[j]);
    }
    assert_int_equal(csvin_next(&in, &more, NULL), ROOF_OK);
    assert_false(more);
}

static void too_many_cells_are_refused_with_their_line(void **state)
{
    static const char text[] = "a,b\na,b,c\n";
    csvin_cell cells[2];
    csvin in = csvin_from(text, strlen(text), cells, COUNT(cells));
    roof_error err = {0};
    bool more;
    (void)state;
    assert_int_equal(csvin_next(&in, &more, &err), ROOF_OK);
    assert_int_equal(csvin_next(&in, &more, &err), ROOF_E_LIMIT);
    assert_string_equal(fx_message(&err), "a row of more than 2 cells (line 2)");
}

static void counts_are_whole_and_fit(void **state)
{
    static const struct {
        const char *text;
        bool is_count, is_number;
    } rows[] = {
        {"0", true, true},
        {"9223372036854775807", true, true},
        {"9223372036854775808", false, true},
        {"", false, false},
        {"-1", false, true},
        {"1e3", false, true},
        {"1.5", false, true},
        {"0x10", false, false},
        {"-nan", false, true},
        {"inf", false, true},
        {"nano", false, false},
        {"1 2", false, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const csvin_cell cell = {rows[i].text, strlen(rows[i].text)};
        uint64_t value;
        if (csvin_count(cell, &value) != rows[i].is_count || csvin_is_number(cell) != rows[i].is_number)
            fail_msg("'%s'", rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_trimmed_and_lines_counted),
        cmocka_unit_test(too_many_cells_are_refused_with_their_line),
        cmocka_unit_test(counts_are_whole_and_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
