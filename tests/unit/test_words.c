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
                {"{}", OF(AS_MEMBER("bypass_s")), "the latency"},
                {"{}", OF(AS("s", NAN)), "unknown"},
                {"{}[? by {}][?, {}]", OF(AS_TEXT("a"), AS_TEXT(NULL), AS_COUNT(3)), "a, 3"},
                {"a[? b]{} c", OF(AS_COUNT(0), AS_TEXT("")), "a c"},
                {"[?a {}][?; {} of {}].", OF(AS("s", NAN), AS_COUNT(1), AS_COUNT(2)), "; 1 of 2."},
                {"[{}, {}]", OF(AS_COUNT(1), AS_COUNT(2)), "[1, 2]"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[ROOF_SENTENCE_SIZE];
        sentence s = say_into(text);
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
    sentence s = say_into(text);
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
        const roof_finding *f = &p.r->findings[i];
        if (f->kind != ROOF_FINDING_FEW_SAMPLES)
            continue;
        found++;
        assert_string_equal(f->place, "a");
        assert_int_equal(f->remark.form, ROOF_FORM_FEW_SAMPLES);
        assert_string_equal(f->remark.operands[0].unit, "count");
        assert_true(f->remark.operands[0].number == 1);
        assert_string_equal(pf_sentence(p.r, ROOF_SENTENCE_FINDING, i), "1 sample: too few for an interval");
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
    } rows[] = {{ROOF_SENTENCE_VERDICT, 100},
                {ROOF_SENTENCE_STATISTIC, 100},
                {ROOF_SENTENCE_FINDING, p.r->n_findings},
                {ROOF_SENTENCE_NOT_COMPARED, 0},
                {ROOF_SENTENCE_NOT_COMPARED, 1},
                {ROOF_SENTENCE_SPLIT, 0},
                {ROOF_SENTENCE_BOUNDARY, 0},
                {ROOF_SENTENCE_FIT, ROOF_FITS},
                {ROOF_SENTENCE_CEILING, 1},
                {ROOF_SENTENCE_KINDS, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[ROOF_SENTENCE_SIZE];
        assert_null(roof_sentence(p.r, rows[i].kind, rows[i].i, text));
    }
    assert_string_equal(pf_sentence(p.r, ROOF_SENTENCE_FIT, ROOF_FIT_HOST),
                        "no fit: needs 3 models with different layer counts, there are 0");
    pf_free(&p);
}

/* How fast and how far from the bound, what costs most, what to do first; a doubt comes before them, and
 * nothing is said twice. */
static void the_verdict_has_three_sentences(void **state)
{
    static const struct {
        pf_experiment e;
        const char *sentences[5];
    } rows[] = {
        {{.layers = "a=100 b=100 c=100 d=100 e=100",
          .bypass_us = 900,
          .rows = "a=110 b=112 c=110 d=111 e=400"},
         {"net on Test: 900 us latency, 3.6x the bound of 250 us.",
          "e: 4.00x its bound of 100 us; the median of 4 other layers is 1.10x.",
          "Next: inspect this layer. Saves 289.5 us (32 %) if as fast as the others."}},
        {{.layers = "a=100 b=100 c=100 d=100", .bypass_us = 430, .rows = "a=110 b=112 c=110 d=111"},
         {"net on Test: 430 us latency, 2.1x the bound of 200 us.",
          "4 conv layers: 100 % of the total gap (30 us).",
          "Next: see the bottleneck of each layer in its prediction, by --details. Saves at most 30 "
          "us (7 %)."}},
        {{.bypass_us = 430, .rows = "a=110 b=112"},
         {"net on test: 430 us latency; its rows take 222 us, and 208 us are outside of them: b 50 %, a 50 "
          "%.",
          "No bound: add --model FILE."}},
        {{.layers = "a=100 b=100", .bypass_us = 430, .rows = "x=90 y=110 z=112"},
         {"net: 0 of 3 profile rows match a layer: is this the profiled model? No comparison with the bound.",
          "net on Test: 430 us latency.",
          "Next: name the model that was measured with --model, or match rows by --map FILE."}},
        {{.layers = "a=100 b=100 c=100 d=100", .rows = "a=110 b=112 c=110 d=111"},
         {"net on Test: 443 us in a per-layer run, 1.1x the bound of 400 us.",
          "4 conv layers: 100 % of the total gap (43 us).",
          "Next: see the bottleneck of each layer in its prediction, by --details. Saves at most 43 "
          "us (10 %)."}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        pf_result p = pf_reconcile(&rows[i].e, 1);
        for (uint32_t k = 0;; k++) {
            char text[ROOF_SENTENCE_SIZE];
            const char *got = roof_sentence(p.r, ROOF_SENTENCE_VERDICT, k, text),
                       *want = rows[i].sentences[k];
            if (!got || !want) {
                assert_true(!got && !want);
                break;
            }
            assert_string_equal(got, want);
        }
        pf_free(&p);
    }
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

/* A plural needs no word of its own where there is only one of a kind. */
static void every_kind_of_finding_has_words_for_one_and_many(void **state)
{
    char one[ROOF_SENTENCE_SIZE], many[ROOF_SENTENCE_SIZE];
    (void)state;
    assert_string_equal(roof_findings_words(ROOF_FINDING_ROUNDED_RATE, 11, many), "11 rates are rounded");
    assert_string_equal(roof_findings_words(ROOF_FINDING_ROUNDED_RATE, 1, one), "1 rate is rounded");
    assert_string_equal(roof_findings_words(ROOF_FINDING_COUNT, 1, one), "");
    for (int kind = 0; kind < ROOF_FINDING_COUNT; kind++) {
        roof_findings_words((roof_finding_kind)kind, 1, one);
        roof_findings_words((roof_finding_kind)kind, 2, many);
        assert_true(strlen(one) > 5 && !strpbrk(one, "{}|_") && !strpbrk(many, "{}|_"));
        assert_int_equal(strncmp(one, "1 ", 2) == 0, strncmp(many, "2 ", 2) == 0);
        assert_true(roof_finding_severity((roof_finding_kind)kind) < ROOF_SEVERITIES);
    }
    for (int i = 0; i < ROOF_VERDICT_COUNT; i++)
        assert_null(strchr(roof_verdict_words((roof_verdict)i), '_'));
}

/* One model on several boards is a race, the fastest first. Several models are not, nor are modes of other
 * kinds. */
static void boards_stand_against_one_another(void **state)
{
    static const struct {
        pf_experiment e[3];
        size_t n;
        const char *want;
    } rows[] = {
        {{{.hardware = "slow", .bypass_us = 900}, {.hardware = "fast", .bypass_us = 400}},
         2,
         "net on 2 devices: fast 400 us, slow 900 us; the first is 2.25x as fast as the other."},
        {{{.hardware = "a", .bypass_us = 400},
          {.hardware = "b", .bypass_us = 400},
          {.hardware = "c", .bypass_us = 800}},
         3,
         "net on 3 devices: a 400 us, b 400 us, c 800 us; the first is 2.00x as fast as the last."},
        {{{.hardware = "a", .bypass_us = 400}, {.hardware = "b", .model = "other", .bypass_us = 800}},
         2,
         "2 models"},
        {{{.hardware = "a", .bypass_us = 400}, {.hardware = "b", .rows = "a=100 b=100"}}, 2, "2 models"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        pf_result p = pf_reconcile(rows[i].e, rows[i].n);
        const char *got = pf_sentence(p.r, ROOF_SENTENCE_VERDICT, 0);
        if (strncmp(got, rows[i].want, strlen(rows[i].want)) != 0)
            fail_msg("%s, want %s", got, rows[i].want);
        pf_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boards_stand_against_one_another),
        cmocka_unit_test(a_template_shows_its_operands),
        cmocka_unit_test(a_long_sentence_is_cut),
        cmocka_unit_test(a_finding_is_facts_and_a_sentence),
        cmocka_unit_test(there_is_no_sentence_without_facts),
        cmocka_unit_test(the_verdict_has_three_sentences),
        cmocka_unit_test(a_fit_says_why_its_line_is_chosen),
        cmocka_unit_test(every_kind_of_finding_has_words_for_one_and_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
