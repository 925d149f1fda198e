/* Tables in columns: how wide texts are, where blanks stand, and that one without memory gives nothing. */
#include "core/columns.h"
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
        assert_int_equal(text_width(rows[i].text), rows[i].width);
}

static void put(roof_arena *arena, textbuf *out)
{
    column_layout t;
    columns_begin(&t, arena, "  ");
    columns_title(&t, "id", "bold", 4, false);
    columns_title(&t, "n", NULL, 0, true);
    columns_title(&t, "what", NULL, 0, false);
    static const char *const cells[] = {"\xe5\xb1\xa4", "1", "two\nlines", "b", "200", "", "", "", ""};
    for (size_t i = 0; i < COUNT(cells); i++)
        columns_add(&t, cells[i], NULL);
    columns_put(&t, out);
}

static void columns_stand_below_one_another_and_lines_end_without_blanks(void **state)
{
    roof_arena *arena = arena_new(0);
    textbuf out;
    (void)state;
    text_init(&out, 1000);
    put(arena, &out);
    assert_string_equal(out.bytes, "\033[1mid  \033[0m    n  what\n"
                                   "\xe5\xb1\xa4      1  two\n"
                                   "           lines\n"
                                   "b     200\n"
                                   "\n");
    text_free(&out);
    arena_free(arena);
}

static void a_table_without_memory_fails_its_text(void **state)
{
    (void)state;
    for (size_t limit = 1; limit < 600; limit += 7) {
        roof_arena *arena = arena_new(limit);
        textbuf out;
        text_init(&out, 1000);
        put(arena, &out);
        assert_int_equal(text_status(&out, NULL), arena_status(arena, NULL));
        assert_true(out.failed ? out.length == 0 : out.length == 68);
        text_free(&out);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_as_wide_as_a_terminal_shows_them),
        cmocka_unit_test(columns_stand_below_one_another_and_lines_end_without_blanks),
        cmocka_unit_test(a_table_without_memory_fails_its_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
