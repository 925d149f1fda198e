/* A growing text and its way into a file: limits, whole replacement or none, full disks. */
#include "core/error.h"
#include "core/text.h"
#include "tests/support/text_save.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"

#include <dirent.h>
#include <unistd.h>

static textbuf text_of(const char *content)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text, content);
    return text;
}

/* Nothing beside the files that are meant to be there, such as a temporary one. */
static void assert_files_in_folder(size_t want)
{
    size_t n = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(dir);
    assert_int_equal(n, want);
}

/* ---- growing ---- */

static void text_grows_piece_by_piece(void **state)
{
    textbuf text;
    (void)state;
    text_init(&text, 1 << 20);
    for (int i = 0; i < 10000; i++) {
        text_printf(&text, "%04d", i);
        text_puts(&text, ",");
        text_add(&text, "\n...", 1);
    }
    assert_int_equal(text_status(&text, NULL), ROOF_OK);
    assert_int_equal(text.length, 60000);
    assert_int_equal(strlen(text.bytes), 60000);
    assert_memory_equal(text.bytes + 5 * 6, "0005,\n", 6);
    text_free(&text);
    assert_int_equal(text.length, 0);
}

static void long_lines_are_printed_whole(void **state)
{
    (void)state;
    for (int length = 500; length < 530; length++) {
        textbuf text = text_of("");
        text_printf(&text, "%0*d", length, 7);
        assert_int_equal(text.length, length);
        assert_int_equal(text.bytes[length - 1], '7');
        assert_int_equal(text.bytes[length], '\0');
        text_free(&text);
    }
}

/* The NUL counts. */
static void past_its_limit_it_fails_and_drops_the_rest(void **state)
{
    static const struct {
        size_t max;
        const char *pieces[3], *want;
        bool good;
    } rows[] = {{6, {"abc", "de", NULL}, "abcde", true},   {6, {"abc", "def", NULL}, "abc", false},
                {6, {"abc", "defghi", "x"}, "abc", false}, {1, {"", "", NULL}, "", true},
                {1, {"a", NULL, NULL}, NULL, false},       {0, {"", NULL, NULL}, NULL, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        textbuf text;
        roof_error err = {0};
        text_init(&text, rows[i].max);
        for (size_t p = 0; p < 3 && rows[i].pieces[p]; p++)
            text_puts(&text, rows[i].pieces[p]);
        assert_int_equal(text_status(&text, &err), rows[i].good ? ROOF_OK : ROOF_E_NO_MEMORY);
        if (rows[i].want)
            assert_string_equal(text.bytes, rows[i].want);
        else
            assert_null(text.bytes);
        text_free(&text);
    }
}

static void a_printed_line_past_the_limit_fails(void **state)
{
    textbuf text;
    (void)state;
    text_init(&text, 600);
    text_printf(&text, "%0700d", 1);
    assert_true(text.failed);
    assert_int_equal(text.length, 0);
    text_free(&text);
}

/* ---- draining ---- */

/* Takes pieces until there is no room for one. */
typedef struct basin {
    textbuf text;
    size_t room, pieces;
} basin;

static roof_status pour(void *context, const char *bytes, size_t length, roof_error *err)
{
    basin *b = context;
    b->pieces++;
    if (length > b->room)
        return error_set(err, ROOF_E_IO, "the basin is full");
    b->room -= length;
    text_add(&b->text, bytes, length);
    return ROOF_OK;
}

static basin basin_of(size_t room)
{
    basin b = {.room = room};
    text_init(&b.text, TEXT_MAX_BYTES);
    return b;
}

/* By every way of adding; returns the bytes that were added. */
static size_t add_lines(textbuf *text, size_t lines)
{
    for (size_t i = 0; i < lines; i++) {
        text_puts(text, "line ");
        text_printf(text, "%07zu", i);
        text_add(text, ",\n...", 2);
        char *room = text_room(text, 100);
        if (room) {
            memcpy(room, "room\n", 5);
            text_wrote(text, 5);
        }
    }
    return lines * 19;
}

static void a_draining_text_hands_on_all_of_it_in_pieces(void **state)
{
    enum { MOST_KEPT = 1 << 17 };
    static const size_t rows[] = {0, 1, 3000, 3449, 3450, 6898, 6899, 100000};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        basin b = basin_of(SIZE_MAX);
        textbuf text, whole;
        roof_error err;
        text_init_draining(&text, pour, &b, &err);
        text_init(&whole, TEXT_MAX_BYTES);
        size_t size = add_lines(&text, rows[i]);
        assert_int_equal(add_lines(&whole, rows[i]), size);
        assert_true(text.room <= MOST_KEPT); /* however long it gets */
        assert_int_equal(text_finish(&text), ROOF_OK);
        assert_int_equal(b.text.length, size);
        if (size)
            assert_memory_equal(b.text.bytes, whole.bytes, size);
        assert_in_range(b.pieces, size / MOST_KEPT, 2 * size / MOST_KEPT + 1);
        assert_null(text.bytes);
        text_free(&b.text);
        text_free(&whole);
    }
}

/* Larger than what is kept together at a time. */
static void a_long_piece_passes_a_draining_text_whole(void **state)
{
    enum { LONG = 1 << 20 };
    basin b = basin_of(SIZE_MAX);
    textbuf text;
    char *piece = malloc(LONG);
    (void)state;
    assert_non_null(piece);
    memset(piece, 'x', LONG);
    text_init_draining(&text, pour, &b, NULL);
    text_puts(&text, "before");
    text_add(&text, piece, LONG);
    text_puts(&text, "after");
    assert_int_equal(text_finish(&text), ROOF_OK);
    assert_int_equal(b.text.length, LONG + 11);
    assert_string_equal(b.text.bytes + LONG + 5, "xafter");
    text_free(&b.text);
    free(piece);
}

/* The first failure ends it: nothing more is handed on, and its message is the one that is left. */
static void a_drain_that_fails_is_not_asked_again(void **state)
{
    static const size_t rows[] = {0, 70000, 200000};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        basin b = basin_of(rows[i]);
        textbuf text;
        roof_error err = {0};
        text_init_draining(&text, pour, &b, &err);
        add_lines(&text, 50000);
        size_t pieces = b.pieces;
        assert_true(text.failed && !text_room(&text, 1));
        assert_int_equal(text_status(&text, &err), ROOF_E_IO); /* not that memory ran out */
        assert_int_equal(text_finish(&text), ROOF_E_IO);
        assert_int_equal(b.pieces, pieces);
        assert_string_equal(fx_message(&err), "the basin is full");
        assert_true(b.text.length <= rows[i]);
        text_free(&b.text);
    }
}

/* Only the last piece is too much, which text_finish hands on. */
static void a_drain_that_fails_at_the_end_is_an_error_too(void **state)
{
    basin b = basin_of(3);
    textbuf text;
    roof_error err = {0};
    (void)state;
    text_init_draining(&text, pour, &b, &err);
    text_puts(&text, "four");
    assert_int_equal(text_status(&text, NULL), ROOF_OK);
    assert_int_equal(text_finish(&text), ROOF_E_IO);
    assert_string_equal(fx_message(&err), "the basin is full");
    text_free(&b.text);
}

static void a_piece_beyond_all_memory_is_no_failure_of_the_drain(void **state)
{
    basin b = basin_of(SIZE_MAX);
    textbuf text;
    roof_error err = {0};
    (void)state;
    text_init_draining(&text, pour, &b, &err);
    text_puts(&text, "kept");
    assert_null(text_room(&text, TEXT_MAX_BYTES));
    assert_int_equal(text_finish(&text), ROOF_E_NO_MEMORY);
    assert_string_equal(fx_message(&err), "out of memory");
    text_free(&b.text);
}

/* ---- saving ---- */

static void assert_save_fails(const textbuf *text, const char *path, roof_status status, const char *want)
{
    roof_error err = {0};
    assert_int_equal(text_save(text, path, &err), status);
    assert_string_equal(fx_message(&err), want);
}

static void a_text_that_failed_is_not_saved(void **state)
{
    const char *path = in_folder("never");
    textbuf text;
    (void)state;
    text_init(&text, 3);
    text_puts(&text, "too long");
    assert_save_fails(&text, path, ROOF_E_NO_MEMORY, "out of memory");
    assert_files_in_folder(0);
    text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_grows_piece_by_piece),
        cmocka_unit_test(long_lines_are_printed_whole),
        cmocka_unit_test(past_its_limit_it_fails_and_drops_the_rest),
        cmocka_unit_test(a_printed_line_past_the_limit_fails),
        cmocka_unit_test(a_draining_text_hands_on_all_of_it_in_pieces),
        cmocka_unit_test(a_long_piece_passes_a_draining_text_whole),
        cmocka_unit_test(a_drain_that_fails_is_not_asked_again),
        cmocka_unit_test(a_drain_that_fails_at_the_end_is_an_error_too),
        cmocka_unit_test(a_piece_beyond_all_memory_is_no_failure_of_the_drain),
        cmocka_unit_test(a_text_that_failed_is_not_saved),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
