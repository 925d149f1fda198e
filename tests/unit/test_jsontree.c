/* Small documents as trees: what is refused, how places are named, what is exact, and that the locale has no
 * say. */
#include "core/json/jsontree.h"
#include "tests/support/skips.h"

#include <inttypes.h>
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
static roof_status parse_exactly(const char *text, size_t size, cJSON **out, roof_error *err)
{
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    roof_status status = jsontree_parse(copy, size, NULL, out, err);
    free(copy);
    return status;
}

static cJSON *parsed(const char *text)
{
    cJSON *root = NULL;
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
        cJSON_Delete(parsed(rows[i]));
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
        {"{\"a\":1,\n\"a\":2}", "the key 'a' is there twice (line 2)"},
        {"{\"x/y\":[0,{\"b\":1,\"b\":2}]}", "/x~1y/1: the key 'b' is there twice (line 1)"},
        {"[1,\n1e400]", "/1: '1e400' is too large a number (line 2)"},
        {"[-1e400]", "/0: '-1e400' is too large a number (line 1)"},
        {"\n\n[01]", "/0: '01' is not a number as JSON writes them (line 3)"},
        {"[1.]", "/0: '1.' is not a number as JSON writes them (line 1)"},
        {"[-]", "/0: '-' is not a number as JSON writes them (line 1)"},
        {"[-.5]", "/0: '-.5' is not a number as JSON writes them (line 1)"},
        {"[.5]", "/0: '.5' is no JSON value (line 1)"},
        {"[+1]", "/0: '+1' is no JSON value (line 1)"},
        {"[1e]", "/0: '1e' is not a number as JSON writes them (line 1)"},
        {"[1 2]", "/0: is not JSON at '2]': want a comma or ] (line 1)"},
        {"[1,]", "/1: is not JSON at ']': want a value (line 1)"},
        {"{\"a\" 1}", "is not JSON at '1}': want a colon (line 1)"},
        {"{\"a\":}", "/a: is not JSON at '}': want a value (line 1)"},
        {"{a:1}", "is not JSON at 'a:1}': want the name of a member (line 1)"},
        {"[1,\n", "/1: is not JSON: it ends too early, want a value (line 2)"},
        {"[NaN]", "/0: 'NaN' is no JSON value (line 1)"},
        {"\"abc", "a string has no end (line 1)"},
        {"\"abc\\", "is not JSON: it ends too early, want one of \"\\/bfnrtu after a backslash (line 1)"},
        {"[\n\"\xff\"]", "/0: a string holds bytes that are not UTF-8 (line 2)"},
        {"\"\xc0\x80\"", "a string holds bytes that are not UTF-8 (line 1)"},
        {"\"\xed\xa0\x80\"", "a string holds bytes that are not UTF-8 (line 1)"},
        {"\"a\nb\"", "a string holds a control character (line 1)"},
        {"\"a\\u0000b\"", "a string holds \\u0000, which no name or path can hold (line 1)"},
        {"\"\\ud800\"", "is not JSON at '\"': want the other half of a surrogate pair (line 1)"},
        {"[\"\\u20ic\"]", "/0: is not JSON at 'ic\"]': want four hexadecimal digits after \\u (line 1)"},
        {"\"\\x\"", "is not JSON at 'x\"': want one of \"\\/bfnrtu after a backslash (line 1)"},
        {"[\x01]", "/0: is not JSON at '\\x01]': want a value (line 1)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        cJSON *root = (cJSON *)&root;
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
        cJSON *root = NULL;
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
        cJSON *root = NULL;
        roof_error err = {0};
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        roof_status status = parse_exactly(text, 2 * depth, &root, &err);
        assert_int_equal(status, depth == 64 ? ROOF_OK : ROOF_E_LIMIT);
        cJSON_Delete(root);
    }
}

static void many_brackets_or_many_keys_neither_crash_nor_take_long(void **state)
{
    const size_t size = 1 << 20;
    char *text = malloc(size);
    cJSON *root = NULL;
    size_t used = 0;
    (void)state;
    assert_non_null(text);
    memset(text, '[', size);
    assert_int_equal(jsontree_parse(text, size, NULL, &root, NULL), ROOF_E_LIMIT);
    text[used++] = '{';
    for (unsigned i = 0; used + 32 < size; i++)
        used += (size_t)snprintf(text + used, 32, "%s\"k%u\":1", i ? "," : "", i);
    text[used++] = '}';
    assert_int_equal(jsontree_parse(text, used, NULL, &root, NULL), ROOF_OK);
    assert_int_equal(cJSON_GetNumberValue(jsontree_get(root, "k70000")), 1);
    cJSON_Delete(root);
    free(text);
}

static void every_prefix_of_a_document_is_refused(void **state)
{
    static const char text[] = "{\"a\":[1.5e3,\"\\u00e9x\",true,{\"b\":null}]}";
    (void)state;
    for (size_t size = 0; size < sizeof text - 1; size++) {
        cJSON *root = NULL;
        assert_int_not_equal(parse_exactly(text, size, &root, NULL), ROOF_OK);
        assert_null(root);
    }
}

static void numbers_arrive_in_their_own_places(void **state)
{
    cJSON *root = parsed("{\"a\":[-1.5,{\"7\":2e3}],\"b 9\":\"3\",\"c\":[],\"d\":0.1}");
    (void)state;
    const cJSON *a = jsontree_get(root, "a");
    assert_true(cJSON_GetNumberValue(a->child) == -1.5);
    assert_true(cJSON_GetNumberValue(jsontree_get(a->child->next, "7")) == 2000);
    assert_string_equal(cJSON_GetStringValue(jsontree_get(root, "b 9")), "3");
    assert_true(cJSON_GetNumberValue(jsontree_get(root, "d")) == 0.1);
    assert_true(isnan(cJSON_GetNumberValue(a)));
    assert_int_equal(cJSON_GetArraySize(root), 4);
    assert_string_equal(a->string, "a");
    assert_null(a->child->string);
    assert_null(jsontree_get(root, "A"));
    assert_null(jsontree_get(a, "a"));
    assert_null(jsontree_get(NULL, "a"));
    cJSON_Delete(root);
}

/* Some versions of cJSON's own parser cut a number behind 63 characters. */
static void numbers_are_read_whole(void **state)
{
    char text[200] = "[0.";
    (void)state;
    memset(text + 3, '3', 100);
    strcpy(text + 103, ",9007199254740993,12345678901]");
    cJSON *root = parsed(text);
    assert_true(root->child->valuedouble == 1.0 / 3);
    assert_true(root->child->next->valuedouble == 9007199254740992.0);
    assert_true(root->child->next->next->valuedouble == 12345678901.0);
    cJSON_Delete(root);
}

static void every_node_knows_its_line_and_its_pointer(void **state)
{
    static const struct {
        int line;
        const char *pointer;
    } rows[] = {{2, ""},     {3, "/a"},    {3, "/a/0"},    {4, "/a/1"}, {5, "/a/1/b~1c"},
                {7, "/a/2"}, {8, "/a~01"}, {9, "/a~01/0"}, {10, "/ "}};
    cJSON *root = parsed("\n{\n\"a\":[1,\n{\"b/c\":\n2},\n\n\"x\"],\n\"a~1\":[\n[]],\n\" \":null}");
    const cJSON *at = root, *open[8];
    size_t depth = 0, n = 0;
    (void)state;
    while (at) { /* in the order of the text */
        char pointer[100];
        assert_true(n < COUNT(rows));
        assert_int_equal(at->valueint, rows[n].line);
        assert_string_equal(jsontree_pointer(root, at, pointer, sizeof pointer), rows[n++].pointer);
        if (at->child) {
            open[depth++] = at;
            at = at->child;
            continue;
        }
        while (!at->next && depth)
            at = open[--depth];
        at = at == root ? NULL : at->next;
    }
    assert_int_equal(n, COUNT(rows));
    cJSON_Delete(root);
}

/* Reads the member "x" of a text by each way there is, into one line. */
static const char *as_read(const char *text, const char *how)
{
    static char said[1400];
    roof_error err = {0};
    cJSON *root = parsed(text);
    jsontree t = {.root = root, .arena = arena_new(0), .err = &err};
    const cJSON *x = jsontree_get(root, "x");
    assert_non_null(t.arena);
    const char *word = NULL;
    double number;
    said[0] = '\0';
    if (strcmp(how, "text") == 0 || strcmp(how, "name") == 0)
        word = *how == 't' ? jsontree_text(&t, x) : jsontree_name(&t, x);
    else if (strcmp(how, "flag") == 0)
        word = jsontree_flag(&t, x) ? "true" : "false";
    else if (strcmp(how, "count") == 0)
        snprintf(said, sizeof said, "%" PRIu64, jsontree_count(&t, x));
    else if (strcmp(how, "small") == 0)
        snprintf(said, sizeof said, "%" PRIu32, jsontree_small(&t, x));
    else if (strcmp(how, "number") == 0 && !isnan(number = jsontree_number(&t, x, -1, 1e12)))
        snprintf(said, sizeof said, "%g", number);
    else if (strcmp(how, "number") != 0)
        word = (strcmp(how, "object") == 0 ? jsontree_object(&t, x) : jsontree_array(&t, x)) ? "there" : NULL;
    if (!*said)
        snprintf(said, sizeof said, "%s", word ? word : "NULL");
    jsontree_fail(&t, root, "a second fault, which is not stated");
    if (err.where[0])
        roof_error_format(&err, said, sizeof said);
    arena_free(t.arena);
    cJSON_Delete(root);
    return said;
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
    static const struct {
        const char *text, *how, *want;
    } rows[] = {
        {"{\"x\":\"a\\tb\"}", "text", "a\tb"},
        {"{\"x\":\"a\\tb\"}", "name", "/x: holds a control character (line 1)"},
        {"{\"x\":\"a\xc2\x9b\"}", "name", "/x: holds a control character (line 1)"},
        {"{\n\"x\":7}", "text", "/x: found a number, want a string (line 2)"},
        {"{\"x\":null}", "text", "NULL"},
        {"{\"X\":1}", "text", "NULL"}, /* a key is one of its own in capitals */
        {"[\"x\"]", "text", "NULL"},
        {"{\"x\":true}", "flag", "true"},
        {"{}", "flag", "false"},
        {"{\"x\":\"yes\"}", "flag", "/x: found the string \"yes\", want true or false (line 1)"},
        {"{\"x\":9007199254740992}", "count", "9007199254740992"},
        {"{\"x\":9007199254740994}", "count",
         "/x: found 9007199254740994, want a whole number from 0 to 9007199254740992 (line 1)"},
        {"{\"x\":2147483648}", "count", "2147483648"}, /* where cJSON's own whole number ends */
        {"{\"x\":1.5}", "count", "/x: found 1.5, want a whole number from 0 to 9007199254740992 (line 1)"},
        {"{\"x\":-1}", "count", "/x: found -1, want a whole number from 0 to 9007199254740992 (line 1)"},
        {"{\"x\":[]}", "count", "/x: found an array, want a whole number (line 1)"},
        {"{}", "count", "18446744073709551615"},
        {"{\"x\":4294967294}", "small", "4294967294"},
        {"{\"x\":4294967295}", "small",
         "/x: found 4294967295, want a whole number from 0 to 4294967294 (line 1)"},
        {"{}", "small", "4294967295"},
        {"{\"x\":-1}", "number", "-1"},
        {"{\"x\":-2}", "number", "/x: found -2, want -1 or more (line 1)"},
        {"{\"x\":2e12}", "number", "/x: found 2000000000000, want at most 1e+12 (line 1)"},
        {"{\"x\":true}", "number", "/x: found true, want a number (line 1)"},
        {"{}", "number", "NULL"},
        {"{\"x\":{}}", "object", "there"},
        {"{\"x\":[]}", "object", "/x: found an array, want an object (line 1)"},
        {"{\"x\":{}}", "array", "/x: found an object, want an array (line 1)"},
        {"{\"x\":null}", "array", "NULL"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_string_equal(as_read(rows[i].text, rows[i].how), rows[i].want);
}

static void a_document_of_very_many_values_is_refused(void **state)
{
    const size_t most = JSONTREE_MOST_VALUES, size = 2 * most + 1;
    char *text = malloc(size); /* "[0,0,...,0]": with the array one value more than may be */
    cJSON *root = NULL;
    roof_error err = {0};
    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < size; i++)
        text[i] = i % 2 ? '0' : ',';
    text[0] = '[';
    text[size - 1] = ']';
    assert_int_equal(jsontree_parse(text, size, "many", &root, &err), ROOF_E_LIMIT);
    assert_message(&err, "many: /1048575: has more than 1048576 values (line 1)");
    assert_null(root);
    text[size - 3] = ']';
    assert_int_equal(jsontree_parse(text, size - 2, "many", &root, &err), ROOF_OK);
    cJSON_Delete(root);
    free(text);
}

static void a_file_is_read_whole_and_its_path_is_the_place(void **state)
{
    char path[] = "/tmp/test_jsontree_XXXXXX", want[128];
    cJSON *root = NULL;
    roof_error err = {0};
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "{\"a\":\n1e999}", 12), 12);
    assert_int_equal(jsontree_read(path, 0, &root, &err), ROOF_E_DATA);
    snprintf(want, sizeof want, "%s: /a: '1e999' is too large a number (line 2)", path);
    assert_message(&err, want);
    assert_int_equal(ftruncate(fd, 0), 0);
    assert_int_equal(pwrite(fd, "{\"a\":7}\n", 8, 0), 8);
    assert_int_equal(jsontree_read(path, 0, &root, &err), ROOF_OK);
    assert_true(cJSON_GetNumberValue(jsontree_get(root, "a")) == 7);
    cJSON_Delete(root);
    close(fd);
    unlink(path);
    assert_int_equal(jsontree_read(path, 0, &root, &err), ROOF_E_NO_INPUT);
    assert_int_equal(jsontree_read("/", 0, &root, &err), ROOF_E_NO_INPUT);
    assert_message(&err, "/: is a directory, want a file");
}

/* Skipped where no locale with a decimal comma is installed. */
static void the_locale_has_no_say(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "ps_AF.UTF-8"};
    const char *set = NULL;
    cJSON *root = NULL;
    (void)state;
    for (size_t i = 0; i < COUNT(names) && !set; i++)
        set = setlocale(LC_NUMERIC, names[i]);
    if (!set)
        skip_without("a locale with a comma in numbers, such as de_DE.UTF-8");
    roof_status status = jsontree_parse("[1.5]", 5, NULL, &root, NULL);
    setlocale(LC_NUMERIC, "C");
    assert_int_equal(status, ROOF_OK);
    assert_true(cJSON_GetNumberValue(root->child) == 1.5);
    cJSON_Delete(root);
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
        cmocka_unit_test(numbers_are_read_whole),
        cmocka_unit_test(every_node_knows_its_line_and_its_pointer),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(a_document_of_very_many_values_is_refused),
        cmocka_unit_test(a_file_is_read_whole_and_its_path_is_the_place),
        cmocka_unit_test(the_locale_has_no_say),
    };
    return cmocka_run_group_tests_name("jsontree", tests, NULL, NULL);
}
