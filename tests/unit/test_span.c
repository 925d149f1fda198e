/* A cursor over a text: what is taken off, and that nothing is where it does not fit. */
#include "core/span.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void assert_is(text_span span, const char *want)
{
    if (!span_is(span, want))
        fail_msg("'%.*s', want '%s'", (int)span.length, span.text, want);
}

static void words_are_taken_where_they_stand(void **state)
{
    text_span rest = span_of("range=3[0,12] end");
    (void)state;
    assert_false(span_skip(&rest, "rang3"));
    assert_true(span_skip(&rest, "range="));
    assert_is(rest, "3[0,12] end");
    assert_false(span_skip_past(&rest, "]]"));
    assert_is(rest, "3[0,12] end");
    assert_true(span_skip_past(&rest, ","));
    assert_is(rest, "12] end");
    assert_is(span_take_until(&rest, "] "), "12");
    assert_is(rest, "end");
    assert_is(span_take_until(&rest, "]"), "end");
    assert_is(rest, "");
    rest = span_of(" \t{name.weight");
    assert_false(span_skip_end(&rest, ".bias"));
    assert_false(span_skip_end(&rest, "longer than name.weight"));
    assert_true(span_skip_end(&rest, ".weight"));
    span_skip_any(&rest, " \t{");
    assert_is(rest, "name");
    span_skip_any(&rest, "enam");
    assert_is(rest, "");
    assert_true(span_same(span_of("ab"), (text_span){"abc", 2}) && span_same((text_span){0}, rest));
    assert_false(span_same(span_of("ab"), span_of("ac")) || span_same(span_of("a"), span_of("ab")));
}

static void lines_end_with_and_without_a_newline(void **state)
{
    text_span rest = span_of("a\r\n\nb");
    (void)state;
    assert_is(span_trim(span_take_line(&rest)), "a");
    assert_is(span_take_line(&rest), "");
    assert_is(span_take_line(&rest), "b");
    assert_int_equal(rest.length, 0);
}

static void whole_numbers_are_taken_with_their_base(void **state)
{
    static const struct {
        const char *text;
        bool is_number;
        uint64_t want;
        const char *rest;
    } cases[] = {{"12 B", true, 12, " B"},
                 {"0x1fG", true, 0x1f, "G"},
                 {"0xFF", true, 255, ""},
                 {"9223372036854775807", true, INT64_MAX, ""},
                 {"9223372036854775808", false, 0, "9223372036854775808"},
                 {"99999999999999999999", false, 0, "99999999999999999999"},
                 {"0x", false, 0, "0x"},
                 {"-1", false, 0, "-1"},
                 {" 1", false, 0, " 1"},
                 {"", false, 0, ""}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text_span rest = span_of(cases[i].text);
        uint64_t value = 0;
        assert_int_equal(span_take_whole(&rest, &value), cases[i].is_number);
        assert_int_equal(value, cases[i].want);
        assert_is(rest, cases[i].rest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_taken_where_they_stand),
        cmocka_unit_test(lines_end_with_and_without_a_newline),
        cmocka_unit_test(whole_numbers_are_taken_with_their_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
