/* JSON with comments and the slips that are forgiven: what it becomes, that lines stay, that nothing else passes. */
#include "core/jsonloose.h"
#include "tests/unit/fixture.h"

/* Pulls all of an exact copy, so that a sanitizer sees a read past the end. */
static roof_status pull_all(const char *text, char *clean, size_t room, roof_error *err)
{
    size_t size = strlen(text);
    uint8_t *copy = fx_copy(text, size);
    jsonloose loose;
    json_event event = {.kind = JSON_NULL};
    roof_status status = jsonloose_open(copy, size, &loose, err);
    free(copy);
    if (status == ROOF_OK && clean)
        snprintf(clean, room, "%s", loose.text.bytes ? loose.text.bytes : "");
    while (status == ROOF_OK && event.kind != JSON_DONE)
        status = jsonpull_next(loose.puller, &event, err);
    jsonloose_close(&loose);
    return status;
}

static void comments_and_slips_become_what_was_meant(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"{}// end", "{} "},
        {"[1,// one\n2]", "[1, \n2]"},
        {"[1/* one\ntwo */,2]", "[1\n ,2]"},
        {"[\"// no comment\", \"/* none */\"]", "[\"// no comment\", \"/* none */\"]"},
        {"[\"a\\\"// still none\"]", "[\"a\\\"// still none\"]"},
        {"[\"\\\\\"// one\n]", "[\"\\\\\" \n]"},
        {"{\"a\":1,}", "{\"a\":1 }"},
        {"[1,\n// 2\n]", "[1 \n \n]"},
        {"{\"a\":{}\n\"b\":1}", "{\"a\":{}\n,\"b\":1}"},
        {"{\"a\":1, b_C\":2}", "{\"a\":1, \"b_C\":2}"},
        {"{a\":2}", "{\"a\":2}"},
        {"[1, 2]", "[1, 2]"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char clean[100] = "";
        roof_error err = {0};
        if (pull_all(rows[i].text, clean, sizeof clean, &err) != ROOF_OK)
            fail_msg("%s: %s", rows[i].text, fx_message(&err));
        assert_string_equal(clean, rows[i].want);
    }
}

static void all_else_is_refused_in_its_line(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"[,]", "is not JSON at ',]': want a value (line 1)"},
        {"{,}", "is not JSON at ',}': want the name of a member (line 1)"},
        {"[1,\n,]", "is not JSON at ',]': want a value (line 2)"},
        {"[1\n2]", "is not JSON at '2]': want a comma or ] (line 2)"},
        {"[{}\n{}]", "is not JSON at '{}]': want a comma or ] (line 2)"},
        {"{a:1}", "is not JSON at 'a:1}': want the name of a member (line 1)"},
        {"// one\n/* two\n*/ [1 /", "is not JSON at '/': want a comma or ] (line 3)"},
        {"[1] /* no end\n", "more text follows the end of the document (line 1)"},
        {"[\"no end // ]\n", "a string holds a control character (line 1)"},
        {"[\"no end\\", "is not JSON: it ends too early, want one of \"\\/bfnrtu after a backslash (line 1)"},
        {"// nothing", "is empty, want a JSON document"},
        {"", "is empty, want a JSON document"},
        {"{} \"a\"", "more text follows the end of the document (line 1)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_error err = {0};
        if (pull_all(rows[i].text, NULL, 0, &err) != ROOF_E_DATA ||
            strcmp(fx_message(&err), rows[i].want) != 0)
            fail_msg("%s: %s", rows[i].text, fx_message(&err));
    }
}

static void documents_beyond_the_limit_are_not_begun(void **state)
{
    jsonloose loose;
    roof_error err = {0};
    (void)state;
    assert_int_equal(jsonloose_open("", JSONLOOSE_MAX_BYTES + 1, &loose, &err), ROOF_E_LIMIT);
    jsonloose_close(&loose);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_and_slips_become_what_was_meant),
        cmocka_unit_test(all_else_is_refused_in_its_line),
        cmocka_unit_test(documents_beyond_the_limit_are_not_begun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
