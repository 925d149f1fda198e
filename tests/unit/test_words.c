/* roof_sentence: words of the facts of a reconciliation, in one place. */
#include "reports/words/say.h"
#include "tests/unit/profile_fixture.h"

#include <string.h>

#define OF(...)                                                                                              \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }

static void a_template_shows_its_operands(void **state)
{
    const struct {
        const char *words;
        roof_operand operands[ROOF_MAX_OPERANDS];
        const char *want;
    } rows[] = {{"", OF(NO_OPERANDS), ""},
                {"no operand", OF(NO_OPERANDS), "no operand"},
                {"{} is {}", OF(AS_TEXT("{a}"), AS_SECONDS(0.0015)), "{a} is 1.5 ms"},
                {"{<3}|", OF(AS_TEXT("abcdef")), "abc|"},
                {"{} sample{|s}", OF(AS_COUNT(1)), "1 sample"},
                {"{} sample{|s}", OF(AS_COUNT(2)), "2 samples"},
                {"there {is|are} {}", OF(AS_COUNT(1)), "there is 1"},
                {"there {is|are} {}", OF(AS_COUNT(0)), "there are 0"},
                {"{.1%} % and {+.0%} %", OF(AS_RATIO(0.125), AS_RATIO(0.5)), "12.5 % and +50 %"},
                {"{.2G} {.0M} {6M} {2}",
                 OF(AS("ops", 1.5e9), AS("Hz", 3e8), AS("Hz", 8.005e8), AS("", 0.1628)),
                 "1.50 300 800.5 0.16"},
                {"{} {}", OF(AS("B/s", 19.2e9), AS("B", 1024)), "19.2 GB/s 1.024 kB"},
                {"{} {}", OF(AS("times", 1000), AS("times", 0.01)), "1000 times 100 times less than"},
                {"{}", OF(AS("times", 1e-20)), "more than 10^15 times less than"},
                {"{}", OF(AS("thousands", 2)), "1 000 000 times too large, as if microseconds were seconds"},
                {"{}", OF(AS("thousands", -3)), "1 000 000 000 times too small"},
                {"{}", OF(AS_MEMBER("bypass_s")), "the bypass time"},
                {"{}", OF(AS("s", NAN)), "unknown"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[ROOF_SENTENCE_SIZE];
        sentence s = sentence_in(text);
        say_with(&s, rows[i].words, rows[i].operands);
        assert_string_equal(text, rows[i].want);
        assert_int_equal(s.length, strlen(text));
    }
}

/* Names come from files, and may be of any length. */
static void a_long_sentence_is_cut(void **state)
{
    char name[2 * ROOF_SENTENCE_SIZE], text[ROOF_SENTENCE_SIZE];
    (void)state;
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    sentence s = sentence_in(text);
    for (int i = 0; i < 3; i++)
        SAY(&s, "{} {}", AS_TEXT(name), AS_SECONDS(1));
    assert_int_equal(s.length, ROOF_SENTENCE_SIZE - 1);
    assert_int_equal(strlen(text), s.length);
}

static void a_finding_is_facts_and_a_sentence(void **state)
{
    const pf_experiment e = {.layers = "a=100",
                             .per_layer_us = 2000,
                             .more = "\"layers\":[{\"name\":\"a\",\"samples_s\":[0.001]}],"};
    (void)state;
    pf_result p = pf_reconcile(&e, 1);
    uint32_t found = 0;
    for (uint32_t i = 0; i < p.r->n_findings; i++) {
        const roof_reconcile_finding *f = &p.r->findings[i];
        if (f->kind != ROOF_FINDING_FEW_SAMPLES)
            continue;
        found++;
        assert_string_equal(f->unit, "a");
        assert_int_equal(f->remark.form, ROOF_FORM_FEW_SAMPLES);
        assert_string_equal(f->remark.operands[0].unit, "count");
        assert_true(f->remark.operands[0].number == 1);
        assert_string_equal(pf_sentence(p.r, ROOF_SENTENCE_FINDING, i), "1 sample: no interval is claimed");
    }
    assert_int_equal(found, 1);
    pf_free(&p);
}

/* What there is nothing to say of, and what there is not. */
static void there_is_no_sentence_without_facts(void **state)
{
    const pf_experiment e = {.layers = "a=100", .rows = "a=120"};
    (void)state;
    pf_result p = pf_reconcile(&e, 1);
    const struct {
        roof_sentence_kind kind;
        uint32_t i;
    } rows[] = {{ROOF_SENTENCE_VERDICT, 100},    {ROOF_SENTENCE_FINDING, p.r->n_findings},
                {ROOF_SENTENCE_NOT_COMPARED, 0}, {ROOF_SENTENCE_NOT_COMPARED, 1},
                {ROOF_SENTENCE_SPLIT, 0},        {ROOF_SENTENCE_BOUNDARY, 0},
                {ROOF_SENTENCE_FIT, ROOF_FITS},  {ROOF_SENTENCE_CEILING, 1},
                {ROOF_SENTENCE_KINDS, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[ROOF_SENTENCE_SIZE];
        assert_null(roof_sentence(p.r, rows[i].kind, rows[i].i, text));
    }
    assert_string_equal(pf_sentence(p.r, ROOF_SENTENCE_FIT, ROOF_FIT_HOST),
                        "no line: it takes 3 models with different numbers of boundaries, and there are 0");
    pf_free(&p);
}

static void a_fit_says_why_its_line_is_chosen(void **state)
{
    const struct {
        roof_fit fit;
        const char *want;
    } rows[] = {
        {{.distinct_x = 0}, "0 distinct abscissas, want at least 3 for a line"},
        {{.distinct_x = 1}, "1 distinct abscissa, want at least 3 for a line"},
        {{.n = 3, .reason = ROOF_FIT_INTERCEPT_DIFFERS}, "the 95 % interval of the intercept excludes zero"},
        {{.n = 3, .reason = ROOF_FIT_INTERCEPT_BELONGS},
         "a constant belongs to it, though 3 points cannot tell the intercept from zero"},
        {{.n = 3, .reason = ROOF_FIT_NO_INTERCEPT},
         "3 points cannot tell the intercept from zero, and without boundaries no cost is expected"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const roof_reconciliation r = {.fits = {[ROOF_FIT_HOST] = {.fit = rows[i].fit}}};
        assert_string_equal(pf_sentence(&r, ROOF_SENTENCE_FIT_REASON, ROOF_FIT_HOST), rows[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_template_shows_its_operands),
        cmocka_unit_test(a_long_sentence_is_cut),
        cmocka_unit_test(a_finding_is_facts_and_a_sentence),
        cmocka_unit_test(there_is_no_sentence_without_facts),
        cmocka_unit_test(a_fit_says_why_its_line_is_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
