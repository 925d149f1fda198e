/* JSON as we write it: escapes, layout, null for what is not known, numbers that read back as the same
 * number. */
#include "core/json/jsontree.h"
#include "core/json/jsonout.h"
#include "tests/unit/fixture.h"

static jsonout json;
static textbuf text;

static int begin(void **state)
{
    (void)state;
    text_init(&text, TEXT_MAX_BYTES);
    jsonout_begin(&json, &text);
    return 0;
}

static int end(void **state)
{
    (void)state;
    text_free(&text);
    return 0;
}

static void assert_written(const char *want)
{
    assert_int_equal(text_status(&text, NULL), ROOF_OK);
    assert_string_equal(text.bytes, want);
}

static void levels_are_indented_or_on_one_line(void **state)
{
    (void)state;
    jsonout_object(&json, NULL, false);
    jsonout_string(&json, "a", "b");
    jsonout_array(&json, "list", false);
    jsonout_count(&json, NULL, 1);
    jsonout_object(&json, NULL, true);
    jsonout_bool(&json, "t", true);
    jsonout_array(&json, "inner", false); /* inherits the line */
    jsonout_bool(&json, NULL, false);
    jsonout_null(&json, NULL);
    jsonout_end(&json);
    jsonout_end(&json);
    jsonout_end(&json);
    jsonout_array(&json, "empty", false);
    jsonout_end(&json);
    jsonout_object(&json, "none", true);
    jsonout_end(&json);
    jsonout_end(&json);
    assert_written(
        "{\n \"a\":\"b\",\n \"list\":[\n  1,\n  {\"t\":true,\"inner\":[false,null]}\n ],\n \"empty\":[],\n "
        "\"none\":{}\n}\n");
}

static void strings_are_escaped(void **state)
{
    static const struct {
        const char *value, *want;
    } rows[] = {
        {"plain", "[\"plain\"]\n"},
        {"", "[\"\"]\n"},
        {NULL, "[null]\n"},
        {"say \"hi\"", "[\"say \\\"hi\\\"\"]\n"},
        {"back\\slash", "[\"back\\\\slash\"]\n"},
        {"a\nb\tc\rd", "[\"a\\u000ab\\u0009c\\u000dd\"]\n"},
        {"\x01\x1f\x7f", "[\"\\u0001\\u001f\\u007f\"]\n"},
        {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x9a\x80", "[\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x9a\x80\"]\n"},
        {"</script>", "[\"</script>\"]\n"},
        /* NOLINTNEXTLINE(misc-misleading-bidirectional): what is tested */
        {"\xc2\x9b\xe2\x80\xa8\xe2\x80\xae\xef\xbb\xbf", "[\"\\u009b\\u2028\\u202e\\ufeff\"]\n"},
        {"no UTF-8: \xff\xc0\xaf", "[\"no UTF-8: \\\\xff\\\\xc0\\\\xaf\"]\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        end(NULL);
        begin(NULL);
        jsonout_array(&json, NULL, true);
        jsonout_string(&json, NULL, rows[i].value);
        jsonout_end(&json);
        assert_written(rows[i].want);
    }
}

/* What is written as a string is read as the same string. */
static void every_byte_comes_back(void **state)
{
    char value[128];
    cJSON *root = NULL;
    roof_error err = {0};
    (void)state;
    for (unsigned c = 1; c < 128; c++)
        value[c - 1] = (char)c;
    value[127] = '\0';
    jsonout_object(&json, NULL, false);
    jsonout_string(&json, "s", value);
    jsonout_end(&json);
    if (jsontree_parse(text.bytes, text.length, NULL, &root, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_string_equal(cJSON_GetStringValue(jsontree_get(root, "s")), value);
    cJSON_Delete(root);
}

static void what_is_not_known_is_null(void **state)
{
    (void)state;
    jsonout_array(&json, NULL, true);
    jsonout_count(&json, NULL, ROOF_UNKNOWN);
    jsonout_count(&json, NULL, ROOF_UNKNOWN - 1);
    jsonout_count(&json, NULL, 0);
    jsonout_number(&json, NULL, NAN);
    jsonout_number(&json, NULL, INFINITY);
    jsonout_number(&json, NULL, -INFINITY);
    jsonout_derived(&json, NULL, NAN);
    jsonout_derived(&json, NULL, INFINITY);
    jsonout_end(&json);
    assert_written("[null,18446744073709551614,0,null,null,null,null,null]\n");
}

static void numbers_read_back_as_themselves(void **state)
{
    static const double values[] = {
        0, 1, -1, 0.1, 1.0 / 3, 300e6, 19.2e9, 1e300, 5e-324, 123456789.123456789, 2e53, 1e-7};
    uint64_t random = 88172645463325252;
    (void)state;
    for (size_t i = 0; i < COUNT(values) + 2000; i++) {
        double value = i < COUNT(values) ? values[i] : 0, back = 0;
        if (i >= COUNT(values)) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            memcpy(&value, &random, sizeof value);
            if (!isfinite(value))
                continue;
        }
        end(NULL);
        begin(NULL);
        jsonout_number(&json, NULL, value);
        assert_null(strchr(text.bytes, ',')); /* whatever the locale */
        assert_int_equal(sscanf(text.bytes, "%lf", &back), 1);
        if (memcmp(&back, &value, sizeof back) != 0)
            fail_msg("%.17g came back as %.17g", value, back);
    }
}

static void derived_numbers_are_close(void **state)
{
    static const double values[] = {0, 1, -1, 1.0 / 3, 1.6138533333e-3, 489.5e-6, 1228.8e9, 1e300, 1e-300};
    (void)state;
    for (size_t i = 0; i < COUNT(values); i++) {
        double back = 0;
        end(NULL);
        begin(NULL);
        jsonout_derived(&json, NULL, values[i]);
        assert_int_equal(sscanf(text.bytes, "%lf", &back), 1);
        if (fabs(back - values[i]) > 1e-11 * fabs(values[i]))
            fail_msg("%.17g came back as %.17g", values[i], back);
    }
}

static void documents_nest_to_63_levels_and_fail_beyond(void **state)
{
    (void)state;
    for (int depth = 0; depth < 63; depth++)
        jsonout_array(&json, NULL, true);
    for (int depth = 0; depth < 63; depth++)
        jsonout_end(&json);
    assert_int_equal(text_status(&text, NULL), ROOF_OK);
    assert_int_equal(text.length, 2 * 63 + 1);
    for (int depth = 0; depth < 64; depth++)
        jsonout_array(&json, NULL, true);
    assert_int_equal(text_status(&text, NULL), ROOF_E_NO_MEMORY);
}

static void a_text_that_is_full_is_remembered(void **state)
{
    (void)state;
    text_free(&text);
    text_init(&text, 20);
    jsonout_object(&json, NULL, false);
    for (int i = 0; i < 100; i++)
        jsonout_string(&json, "key", "value");
    jsonout_end(&json);
    assert_int_equal(text_status(&text, NULL), ROOF_E_NO_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(levels_are_indented_or_on_one_line, begin, end),
        cmocka_unit_test_setup_teardown(strings_are_escaped, begin, end),
        cmocka_unit_test_setup_teardown(every_byte_comes_back, begin, end),
        cmocka_unit_test_setup_teardown(what_is_not_known_is_null, begin, end),
        cmocka_unit_test_setup_teardown(numbers_read_back_as_themselves, begin, end),
        cmocka_unit_test_setup_teardown(derived_numbers_are_close, begin, end),
        cmocka_unit_test_setup_teardown(documents_nest_to_63_levels_and_fail_beyond, begin, end),
        cmocka_unit_test_setup_teardown(a_text_that_is_full_is_remembered, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
