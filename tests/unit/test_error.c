/* Errors: words and exit codes, one line with place and offset, chains of places, and text that is safe to
 * show. */
#include "core/error.h"
#include "tests/unit/fixture.h"

static const struct {
    roof_status status;
    int value, exit_code;
    const char *text;
} statuses[] = {
    {ROOF_OK, 0, 0, "done"},
    {ROOF_E_USAGE, 10, 64, "the call or the command line is wrong"},
    {ROOF_E_DATA, 20, 65, "bad data"},
    {ROOF_E_UNSUPPORTED, 21, 65, "the file is of a kind that cannot be analysed"},
    {ROOF_E_LIMIT, 22, 65, "the data exceeds a limit"},
    {ROOF_E_NO_INPUT, 30, 66, "an input is missing"},
    {ROOF_E_DEVICE, 40, 69, "a device or an external program is not available"},
    {ROOF_E_INTERNAL, 50, 70, "internal error"},
    {ROOF_E_NO_MEMORY, 51, 70, "out of memory"},
    {ROOF_E_IO, 60, 74, "input or output failed"},
};

static void values_and_exit_codes_are_pinned(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(statuses); i++) {
        assert_int_equal(statuses[i].status, statuses[i].value);
        assert_int_equal(roof_status_exit_code(statuses[i].status), statuses[i].exit_code);
        assert_string_equal(roof_status_text(statuses[i].status), statuses[i].text);
    }
    assert_string_equal(roof_status_text((roof_status)99), "unknown status");
    assert_int_equal(roof_status_exit_code((roof_status)99), 70);
}

/* ---- messages ---- */

static void a_message_is_one_line_with_its_place(void **state)
{
    static const struct {
        const char *where, *what;
        uint64_t offset, line;
        const char *want;
    } rows[] = {
        {"net.xmodel", "file is empty", 0, ROOF_UNKNOWN, "net.xmodel: file is empty (byte 0x0)"},
        {"net.xmodel: op 'conv1'", "'kernel' has 1 value, want 2", 0x1f40, ROOF_UNKNOWN,
         "net.xmodel: op 'conv1': 'kernel' has 1 value, want 2 (byte 0x1f40)"},
        {"hw.json", "unknown unit", ROOF_UNKNOWN, 17, "hw.json: unknown unit (line 17)"},
        {"", "out of memory", ROOF_UNKNOWN, ROOF_UNKNOWN, "out of memory"},
        {"", "odd", UINT64_MAX - 1, ROOF_UNKNOWN, "odd (byte 0xfffffffffffffffe)"},
        {"a", "", ROOF_UNKNOWN, ROOF_UNKNOWN, "a: "},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_error err = {.status = ROOF_E_DATA, .byte_offset = rows[i].offset, .line = rows[i].line};
        char text[200];
        strcpy(err.where, rows[i].where);
        strcpy(err.what, rows[i].what);
        assert_int_equal(roof_error_format(&err, text, sizeof text), strlen(rows[i].want));
        assert_string_equal(text, rows[i].want);
    }
}

static void a_small_buffer_gets_the_beginning_and_a_nul(void **state)
{
    roof_error err = {0};
    (void)state;
    error_set(&err, ROOF_E_DATA, "abcdefgh");
    for (unsigned long size = 1; size < 12; size++) {
        char *text = malloc(size);
        assert_non_null(text);
        assert_int_equal(roof_error_format(&err, text, size), 8);
        assert_int_equal(strlen(text), size > 8 ? 8 : size - 1);
        assert_memory_equal(text, "abcdefgh", strlen(text));
        free(text);
    }
    assert_int_equal(roof_error_format(&err, NULL, 0), 8);
}

static void failing_fills_everything_and_returns_the_status(void **state)
{
    roof_error err;
    (void)state;
    memset(&err, 'x', sizeof err);
    assert_int_equal(error_set(&err, ROOF_E_LIMIT, "%d of %s", 3, "them"), ROOF_E_LIMIT);
    assert_int_equal(err.status, ROOF_E_LIMIT);
    assert_string_equal(err.where, "");
    assert_string_equal(err.what, "3 of them");
    assert_true(err.byte_offset == ROOF_UNKNOWN && err.line == ROOF_UNKNOWN);
    assert_int_equal(error_at(&err, ROOF_E_DATA, 7, "there"), ROOF_E_DATA);
    assert_true(err.byte_offset == 7 && err.line == ROOF_UNKNOWN);
    assert_int_equal(error_line(&err, ROOF_E_DATA, 8, "there"), ROOF_E_DATA);
    assert_true(err.byte_offset == ROOF_UNKNOWN && err.line == 8);
    assert_int_equal(error_memory(&err), ROOF_E_NO_MEMORY);
    assert_string_equal(err.what, "out of memory");
    assert_true(err.line == ROOF_UNKNOWN);
}

static void nobody_has_to_listen(void **state)
{
    (void)state;
    assert_int_equal(error_set(NULL, ROOF_E_DATA, "x"), ROOF_E_DATA);
    assert_int_equal(error_at(NULL, ROOF_E_DATA, 1, "x"), ROOF_E_DATA);
    assert_int_equal(error_line(NULL, ROOF_E_DATA, 1, "x"), ROOF_E_DATA);
    assert_int_equal(error_memory(NULL), ROOF_E_NO_MEMORY);
    error_prefix(NULL, "x");
}

static void places_are_put_before_each_other(void **state)
{
    roof_error err = {0};
    (void)state;
    error_at(&err, ROOF_E_DATA, 16, "what");
    error_prefix(&err, "op '%s'", "a");
    assert_string_equal(err.where, "op 'a'");
    error_prefix(&err, "subgraph %d", 3);
    error_prefix(&err, "net.xmodel");
    assert_string_equal(err.where, "net.xmodel: subgraph 3: op 'a'");
    assert_string_equal(err.what, "what");
    assert_true(err.byte_offset == 16);
}

/* What is outermost tells most; it survives, whatever the lengths. */
static void a_chain_that_is_too_long_keeps_its_beginning(void **state)
{
    (void)state;
    for (int length = 100; length < 2000; length += 97) {
        roof_error err = {0};
        error_set(&err, ROOF_E_DATA, "what");
        for (int i = 0; i < 8; i++)
            error_prefix(&err, "%d%0*d", i, length, 0);
        error_prefix(&err, "outermost");
        assert_true(strlen(err.where) < sizeof err.where);
        assert_memory_equal(err.where, "outermost: 70", 13);
        assert_string_equal(err.what, "what");
    }
}

static void a_long_message_is_cut(void **state)
{
    roof_error err;
    (void)state;
    error_set(&err, ROOF_E_DATA, "%02000d", 1);
    assert_int_equal(strlen(err.what), sizeof err.what - 1);
}

/* ---- quoting ---- */

static void text_is_made_safe(void **state)
{
    static const struct {
        const char *name, *text, *want;
    } rows[] = {
        {"plain", "conv1/weights", "conv1/weights"},
        {"nothing", "", ""},
        {"escape", "a\x1b[31mb", "a\\x1b[31mb"},
        {"line feed and tab", "a\n\tb", "a\\x0a\\x09b"},
        {"delete", "\x7f", "\\x7f"},
        {"UTF-8 of two, three and four bytes", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x9a\x80",
         "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x9a\x80"},
        {"C1 controls",
         "\xc2\x9b"
         "2J",
         "\\u{9b}2J"},
        {"the first that is none", "\xc2\xa0", "\xc2\xa0"},
        {"a byte alone", "\xff\x80", "\\xff\\x80"},
        {"cut off", "\xe2\x82", "\\xe2\\x82"},
        {"overlong", "\xc0\xaf", "\\xc0\\xaf"},
        {"overlong of three", "\xe0\x80\xaf", "\\xe0\\x80\\xaf"},
        {"overlong of four", "\xf0\x80\x80\xaf", "\\xf0\\x80\\x80\\xaf"},
        {"surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80"},
        {"beyond Unicode", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
        {"backslash", "a\\b", "a\\b"},
        {"marks of direction",
         /* NOLINTNEXTLINE(misc-misleading-bidirectional): what is tested */
         "a\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9",
         "a\\u{61c}\\u{200e}\\u{200f}\\u{202a}\\u{202e}\\u{2066}\\u{2069}"},
        {"separators of lines", "\u2028\u2029\xc2\x85", "\\u{2028}\\u{2029}\\u{85}"},
        {"byte order mark and no characters", "\ufeff\xef\xbf\xbe\xef\xbf\xbf",
         "\\u{feff}\\u{fffe}\\u{ffff}"},
        {"their neighbours", "\u061b\u200d\u2010\u2027\u202f\u2065\u206a\ufefe\ufffd",
         "\u061b\u200d\u2010\u2027\u202f\u2065\u206a\ufefe\ufffd"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char buffer[128];
        assert_ptr_equal(quote_text(buffer, sizeof buffer, rows[i].text, strlen(rows[i].text)), buffer);
        if (strcmp(buffer, rows[i].want) != 0)
            fail_msg("%s: '%s', want '%s'", rows[i].name, buffer, rows[i].want);
    }
}

static void a_zero_byte_is_shown(void **state)
{
    char buffer[64];
    (void)state;
    assert_string_equal(quote_text(buffer, sizeof buffer, "a\0b", 3), "a\\x00b");
}

static void a_name_that_fits_is_shown_whole(void **state)
{
    char name[101], buffer[200];
    (void)state;
    memset(name, 'n', 100);
    name[100] = '\0';
    assert_string_equal(quote_text(buffer, sizeof buffer, name, 100), name);
}

static void a_long_name_keeps_both_ends(void **state)
{
    char name[1000], buffer[64];
    (void)state;
    memset(name, 'n', sizeof name);
    memcpy(name, "first/", 6);
    memcpy(name + sizeof name - 5, "/last", 5);
    quote_text(buffer, sizeof buffer, name, sizeof name);
    assert_true(strlen(buffer) < sizeof buffer);
    assert_memory_equal(buffer, "first/", 6);
    assert_string_equal(buffer + strlen(buffer) - 5, "/last");
    assert_non_null(strstr(buffer, "..."));
}

static void a_name_is_one_word_of_a_shell(void **state)
{
    static const struct {
        const char *name, *want;
    } rows[] = {
        {"a/b_c-1.2.json", "a/b_c-1.2.json"},
        {"", "''"},
        {"a b", "'a b'"},
        {"it's", "'it'\\''s'"},
        {"a\\b", "'a\\b'"},
        {"~", "'~'"},
        {"a=b", "'a=b'"},
        {"{= x =}", "'{= x =}'"},
        {"$(x) `x` \"x\" !x", "'$(x) `x` \"x\" !x'"},
        {"\xc3\xa4", "'\xc3\xa4'"},
        {"-o", "./-o"},
        {"-o x", "'./-o x'"},
        {"+o", "./+o"},
        {"a-+b", "a-+b"},
        {"a\nb", "$'a\\012b'"},
        {"-\n'\\\x7f", "$'./-\\012\\'\\\\\\177'"},
        {"\u2028\xff", "$'\\342\\200\\250\\377'"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t size = 1; size < 60; size++) {
            char *buffer = malloc(size);
            assert_non_null(buffer);
            const char *word = quote_for_shell(buffer, size, rows[i].name, "FILE"),
                       *want = size > strlen(rows[i].want) ? rows[i].want : "FILE";
            if (strcmp(word, want) != 0)
                fail_msg("'%s' in %zu: %s, want %s", rows[i].name, size, word, want);
            free(buffer);
        }
}

/* Whatever goes in, what comes out is UTF-8 without controls and marks, and fits. */
static void quoted_text_is_always_safe_and_fits(void **state)
{
    uint64_t random = 0x9e3779b97f4a7c15;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        char text[300];
        size_t length = (size_t)(random % sizeof text), size = 1 + (size_t)(random >> 20) % 200;
        for (size_t i = 0; i < length; i++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            text[i] =
                (char)(random % 3 ? 0x80 | (random >> 8) : random >> 16); /* mostly bytes of sequences */
        }
        char *buffer = malloc(size), *exact = (char *)fx_copy(text, length);
        assert_non_null(buffer);
        quote_text(buffer, size, exact, length);
        size_t got = strlen(buffer);
        if (got >= size || utf8_before(buffer, got, UTF8_MARK) != got)
            fail_msg("round %d: %zu bytes in %zu: %zu", round, length, size, got);
        free(buffer);
        free(exact);
        random = random * 6364136223846793005u + 1442695040888963407u;
    }
}

static void the_first_bad_byte_is_found(void **state)
{
    static const struct {
        const char *text;
        unsigned long length, want;
    } rows[] = {{"abc", 3, 3},          {"", 0, 0},         {"ab\nc", 4, 2}, {"a\xc3\xa4\xff", 4, 3},
                {"\xe2\x82\xac", 3, 3}, {"\xe2\x82", 2, 0}, {"a\0b", 3, 1},  {"\xc3\xa4\xc2\x85", 4, 2}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *exact = (char *)fx_copy(rows[i].text, rows[i].length);
        assert_int_equal(utf8_first_bad(exact, rows[i].length), rows[i].want);
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_exit_codes_are_pinned),
        cmocka_unit_test(a_message_is_one_line_with_its_place),
        cmocka_unit_test(a_small_buffer_gets_the_beginning_and_a_nul),
        cmocka_unit_test(failing_fills_everything_and_returns_the_status),
        cmocka_unit_test(nobody_has_to_listen),
        cmocka_unit_test(places_are_put_before_each_other),
        cmocka_unit_test(a_chain_that_is_too_long_keeps_its_beginning),
        cmocka_unit_test(a_long_message_is_cut),
        cmocka_unit_test(text_is_made_safe),
        cmocka_unit_test(a_zero_byte_is_shown),
        cmocka_unit_test(a_name_that_fits_is_shown_whole),
        cmocka_unit_test(a_long_name_keeps_both_ends),
        cmocka_unit_test(a_name_is_one_word_of_a_shell),
        cmocka_unit_test(quoted_text_is_always_safe_and_fits),
        cmocka_unit_test(the_first_bad_byte_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
