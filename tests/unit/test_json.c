/* JSON as it is read: what is refused, how places are named, and that the locale has no say. */
#include "tests/support/json_tree.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Parses an exact copy, so that a sanitizer sees a read past the end. */
static roof_status parse_exactly(const char *text, size_t size, json_node **out, roof_error *err)
{
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    roof_status status = json_parse(copy, size, out, err);
    free(copy);
    return status;
}

static json_node *parsed(const char *text)
{
    json_node *root = NULL;
    roof_error err = {0};
    if (parse_exactly(text, strlen(text), &root, &err) != ROOF_OK)
        fail_msg("%s: %s %s", text, err.where, err.what);
    return root;
}

static void assert_message(const roof_error *err, const char *want)
{
    char got[1400];
    roof_error_format(err, got, sizeof got);
    assert_string_equal(got, want);
}

static void valid_documents_are_accepted(void **state)
{
    static const char *const rows[] = {
        "{}",
        "[]",
        "0",
        "-0",
        "null",
        " \t\r\n[1 , 2]\n",
        "\"\\u00e9\\n\"",
        "\"\xc3\xa9\"",
        "\"\x7f\xc2\x85\"",
        "[1e5,1E-5,0.5,-1.25e+10]",
        "\xef\xbb\xbf{}",
        "{\"a\":{\"a\":1},\"A\":2}",
        "[\"-1e400\"]",
        "\"\\\\u0000\"",
        "[true,false,null]",
        "1e-400",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        json_free(parsed(rows[i]));
}

static void bad_documents_are_refused_with_their_line(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"", "is empty, want a JSON document"},
        {" \n ", "is empty, want a JSON document"},
        {"{}\n{}", "more text follows the end of the document (line 2)"},
        {"{} x", "more text follows the end of the document (line 1)"},
        {"{\"a\":1,\n\"a\":2}", "the key 'a' is there twice"},
        {"{\"x/y\":[0,{\"b\":1,\"b\":2}]}", "/x~1y/1: the key 'b' is there twice"},
        {"[1,\n1e400]", "'1e400' is too large a number (line 2)"},
        {"[-1e400]", "'-1e400' is too large a number (line 1)"},
        {"\n\n[01]", "'01' is not a number as JSON writes them (line 3)"},
        {"[1.]", "'1.' is not a number as JSON writes them (line 1)"},
        {"[-]", "'-' is not a number as JSON writes them (line 1)"},
        {"[-.5]", "'-.5' is not a number as JSON writes them (line 1)"},
        {"[.5]", "'.5' is no JSON value (line 1)"},
        {"[+1]", "'+1' is no JSON value (line 1)"},
        {"[1e]", "'1e' is not a number as JSON writes them (line 1)"},
        {"[1 2]", "is not JSON at '2]': want a comma or ] (line 1)"},
        {"[1,]", "is not JSON at ']': want a value (line 1)"},
        {"{\"a\" 1}", "is not JSON at '1}': want a colon (line 1)"},
        {"{\"a\":}", "is not JSON at '}': want a value (line 1)"},
        {"{a:1}", "is not JSON at 'a:1}': want the name of a member (line 1)"},
        {"[1,\n", "is not JSON: it ends too early, want a value (line 2)"},
        {"[NaN]", "'NaN' is no JSON value (line 1)"},
        {"\"abc", "a string has no end (line 1)"},
        {"\"abc\\", "is not JSON: it ends too early, want one of \"\\/bfnrtu after a backslash (line 1)"},
        {"[\n\"\xff\"]", "a string holds bytes that are not UTF-8 (line 2)"},
        {"\"\xc0\x80\"", "a string holds bytes that are not UTF-8 (line 1)"},
        {"\"\xed\xa0\x80\"", "a string holds bytes that are not UTF-8 (line 1)"},
        {"\"a\nb\"", "a string holds a control character (line 1)"},
        {"\"a\\u0000b\"", "a string holds \\u0000, which no name or path can hold (line 1)"},
        {"\"\\ud800\"", "is not JSON at '\"': want the other half of a surrogate pair (line 1)"},
        {"[\"\\u20ic\"]", "is not JSON at 'ic\"]': want four hexadecimal digits after \\u (line 1)"},
        {"\"\\x\"", "is not JSON at 'x\"': want one of \"\\/bfnrtu after a backslash (line 1)"},
        {"[\x01]", "is not JSON at '\\x01]': want a value (line 1)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        json_node *root = (json_node *)&root;
        roof_error err = {0};
        assert_int_equal(parse_exactly(rows[i].text, strlen(rows[i].text), &root, &err), ROOF_E_DATA);
        assert_null(root);
        assert_message(&err, rows[i].want);
    }
}

static void a_nul_byte_is_refused_wherever_it_is(void **state)
{
    static const char text[] = "{\"a\":[1,true]} ";
    (void)state;
    for (size_t i = 0; i < sizeof text - 1; i++) {
        char with_nul[sizeof text];
        json_node *root = NULL;
        memcpy(with_nul, text, sizeof text);
        with_nul[i] = '\0';
        assert_int_equal(parse_exactly(with_nul, sizeof text - 1, &root, NULL), ROOF_E_DATA);
        assert_null(root);
    }
}

static void nesting_ends_at_64_levels(void **state)
{
    char text[2 * 65];
    (void)state;
    for (size_t depth = 64; depth <= 65; depth++) {
        json_node *root = NULL;
        roof_error err = {0};
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        roof_status status = parse_exactly(text, 2 * depth, &root, &err);
        assert_int_equal(status, depth == 64 ? ROOF_OK : ROOF_E_LIMIT);
        json_free(root);
    }
}

static void many_brackets_or_many_keys_neither_crash_nor_take_long(void **state)
{
    const size_t size = 1 << 20;
    char *text = malloc(size);
    json_node *root = NULL;
    size_t used = 0;
    (void)state;
    assert_non_null(text);
    memset(text, '[', size);
    assert_int_equal(json_parse(text, size, &root, NULL), ROOF_E_LIMIT);
    text[used++] = '{';
    for (unsigned i = 0; used + 32 < size; i++)
        used += (size_t)snprintf(text + used, 32, "%s\"k%u\":1", i ? "," : "", i);
    text[used++] = '}';
    assert_int_equal(json_parse(text, used, &root, NULL), ROOF_OK);
    assert_int_equal(json_value(json_get(root, "k70000")), 1);
    json_free(root);
    free(text);
}

static void every_prefix_of_a_document_is_refused(void **state)
{
    static const char text[] = "{\"a\":[1.5e3,\"\\u00e9x\",true,{\"b\":null}]}";
    (void)state;
    for (size_t size = 0; size < sizeof text - 1; size++) {
        json_node *root = NULL;
        assert_int_not_equal(parse_exactly(text, size, &root, NULL), ROOF_OK);
        assert_null(root);
    }
}

static void numbers_arrive_in_their_own_places(void **state)
{
    json_node *root = parsed("{\"a\":[-1.5,{\"7\":2e3}],\"b 9\":\"3\",\"c\":[],\"d\":0.1}");
    (void)state;
    const json_node *a = json_get(root, "a");
    assert_true(json_value(json_first(a)) == -1.5);
    assert_true(json_value(json_get(json_next(json_first(a)), "7")) == 2000);
    assert_string_equal(json_text(json_get(root, "b 9")), "3");
    assert_true(json_value(json_get(root, "d")) == 0.1);
    assert_true(isnan(json_value(a)));
    assert_int_equal(json_size(root), 4);
    assert_string_equal(json_key(a), "a");
    assert_null(json_key(json_first(a)));
    assert_null(json_get(root, "A"));
    assert_null(json_get(a, "a"));
    assert_null(json_get(NULL, "a"));
    json_free(root);
}

static void a_file_is_read_whole_and_its_path_is_the_place(void **state)
{
    char path[] = "/tmp/test_json_XXXXXX", want[128];
    json_node *root = NULL;
    roof_error err = {0};
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "{\"a\":\n1e999}", 12), 12);
    assert_int_equal(json_read(path, &root, &err), ROOF_E_DATA);
    snprintf(want, sizeof want, "%s: '1e999' is too large a number (line 2)", path);
    assert_message(&err, want);
    assert_int_equal(ftruncate(fd, 0), 0);
    assert_int_equal(pwrite(fd, "{\"a\":7}\n", 8, 0), 8);
    assert_int_equal(json_read(path, &root, &err), ROOF_OK);
    assert_true(json_value(json_get(root, "a")) == 7);
    json_free(root);
    close(fd);
    unlink(path);
    assert_int_equal(json_read(path, &root, &err), ROOF_E_NO_INPUT);
    assert_int_equal(json_read("/", &root, &err), ROOF_E_NO_INPUT);
    assert_message(&err, "/: is a directory, want a file");
}

/* Skipped where no locale with a decimal comma is installed. */
static void the_locale_has_no_say(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "ps_AF.UTF-8"};
    const char *set = NULL;
    json_node *root = NULL;
    (void)state;
    for (size_t i = 0; i < COUNT(names) && !set; i++)
        set = setlocale(LC_NUMERIC, names[i]);
    if (!set)
        skip();
    roof_status status = json_parse("[1.5]", 5, &root, NULL);
    setlocale(LC_NUMERIC, "C");
    assert_int_equal(status, ROOF_OK);
    assert_true(json_value(json_first(root)) == 1.5);
    json_free(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_documents_are_accepted),
        cmocka_unit_test(bad_documents_are_refused_with_their_line),
        cmocka_unit_test(a_nul_byte_is_refused_wherever_it_is),
        cmocka_unit_test(nesting_ends_at_64_levels),
        cmocka_unit_test(many_brackets_or_many_keys_neither_crash_nor_take_long),
        cmocka_unit_test(every_prefix_of_a_document_is_refused),
        cmocka_unit_test(numbers_arrive_in_their_own_places),
        cmocka_unit_test(a_file_is_read_whole_and_its_path_is_the_place),
        cmocka_unit_test(the_locale_has_no_say),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
