/* The sentences on top of a curve: what they say of rates, memory and bounds, and what they leave out because
 * it is not known. */
#include "reports/words/curve_words.h"
#include "tests/support/curves.h"
#include "tests/unit/fixture.h"

/* All sentences, with a blank between them. */
static const char *verdict_of(const roof_curve *curve)
{
    static char text[4 * ROOF_SENTENCE_SIZE];
    char said[ROOF_SENTENCE_SIZE];
    uint32_t n = 0;
    for (*text = '\0'; curve_say(curve, n, said); n++) {
        strcat(text, n ? " " : "");
        strcat(text, said);
    }
    assert_true(n <= 3);
    return text;
}

static void expect_said(const roof_curve *curve, const char *words)
{
    const char *text = verdict_of(curve);
    if (!strstr(text, words))
        fail_msg("'%s' does not say '%s'", text, words);
}

static void expect_not_said(const roof_curve *curve, const char *words)
{
    const char *text = verdict_of(curve);
    if (strstr(text, words))
        fail_msg("'%s' says '%s'", text, words);
}

static void all_that_is_known_is_said(void **state)
{
    roof_curve *curve = curves_known();
    (void)state;
    assert_string_equal(
        verdict_of(curve),
        "Llama-3.2-1B q4_1 on Ryzen AI NPU2: expected 64.5 tokens/s at 1k, 14.4 at 128k, by the step "
        "measured at 1k "
        "and constants of FastFlowLM. Reading the KV cache takes longer than the weights from 26k on. "
        "Weights, cache and states take 1.24 GiB at 1k and 5.21 GiB at 128k; with 8 GiB that is known to fit "
        "up to 91 471 tokens, and not at 128k. A prompt of 512 takes an expected 305.2 ms, one of 32k 51.02 "
        "s; no step "
        "is shorter than 8.994 ms at 1k and 56.55 ms at 128k (expected: 1.2 to 1.7 times that).");
    curve->anchor_tokens = 0;
    expect_said(curve, " at 128k, by the built-in calibration of FastFlowLM. Reading");
    curve->points[7].expected.seconds = NAN;
    expect_said(curve,
                "23.6 at 64k, by the built-in calibration of FastFlowLM, not known beyond 64k. Reading");
    curve->batch = 8;
    expect_said(curve, "NPU2, batch 8: expected 516 tokens/s at 1k");
    curve->hardware_name = NULL;
    expect_said(curve, "q4_1 on npu2, batch 8");
    roof_curve_free(curve);
}

static void a_single_length_has_no_ends(void **state)
{
    static const uint32_t one[] = {1000};
    roof_curve *curve = curves_of_steps(one, 1);
    (void)state;
    assert_string_equal(
        verdict_of(curve),
        "Llama-3.2-1B q4_1 on Ryzen AI NPU2: expected 62.7 tokens/s at 1 000, by the built-in calibration of "
        "FastFlowLM. Weights, cache and states take 1.24 GiB at 1 000 tokens; with 8 GiB all "
        "of that fits, and up to 91 471 tokens. No step is shorter than 8.986 ms at 1 000 "
        "(expected: 1.8 times that).");
    roof_curve_free(curve);
}

static void prompts_alone_are_said_first(void **state)
{
    roof_curve *curve = curves_known();
    (void)state;
    curve->points += curve->n_decode;
    curve->n_points -= curve->n_decode;
    curve->n_decode = curve->anchor_tokens = 0;
    expect_said(curve,
                "NPU2: a prompt of 512 takes an expected 305.2 ms, one of 32k 51.02 s, by the built-in "
                "calibration of FastFlowLM. ");
    expect_said(curve, "No prompt is shorter than ");
    expect_not_said(curve, "tokens/s");
    roof_curve_free(curve);
}

/* Nothing is said twice, and a reason once, without its full stop. */
static void what_is_not_expected_is_a_bound_with_its_reason(void **state)
{
    roof_curve *curve = curves_bound_only();
    (void)state;
    expect_said(curve, "NPU2: at most 111 tokens/s at 1k, 17.7 at 128k. Reading");
    expect_said(curve, "no expected time: no model with attention gqa_h96_kv8 was measured.");
    expect_not_said(curve, "constants");
    expect_not_said(curve, "No step");
    curve->points[0].expected.not_known = "it is a test.";
    expect_said(curve, "expected time: it is a test.");
    expect_not_said(curve, "test..");
    for (uint32_t i = 0; i < curve->n_points; i++) {
        curve->points[i].ideal_s = curve->points[i].ideal_parts_s[ROOF_PART_CACHE] = NAN;
        curve->points[i].memory.need_bytes = ROOF_UNKNOWN;
        curve->points[i].expected.not_known = NULL;
    }
    assert_string_equal(verdict_of(curve), "Other-1B q4_1 on Ryzen AI NPU2: no time is known.");
    roof_curve_free(curve);
}

static void what_fits_is_said_as_far_as_it_is_known(void **state)
{
    static const struct {
        roof_memory_answer first, last;
        uint32_t largest, available_gib;
        const char *says;
    } rows[] = {
        {ROOF_MEMORY_FITS, ROOF_MEMORY_FITS, 131072, 8, "at 128k; with 8 GiB all of that fits."},
        {ROOF_MEMORY_FITS, ROOF_MEMORY_FITS, 262144, 0, "at 128k; all of that fits, and up to 256k."},
        {ROOF_MEMORY_FITS, ROOF_MEMORY_FITS_NOT, 65536, 4,
         "; with 4 GiB that is known to fit up to 64k, and not at 128k."},
        {ROOF_MEMORY_FITS_NOT, ROOF_MEMORY_FITS_NOT, 0, 1, "; with 1 GiB none of that fits."},
        {ROOF_MEMORY_FITS, ROOF_MEMORY_UNKNOWN, 4096, 0, "; that is known to fit up to 4k."},
        {ROOF_MEMORY_UNKNOWN, ROOF_MEMORY_FITS_NOT, 0, 0, "; that is known not to fit at 128k."},
        {ROOF_MEMORY_UNKNOWN, ROOF_MEMORY_UNKNOWN, 0, 8, "; with 8 GiB whether that fits is unknown."},
        {ROOF_MEMORY_UNKNOWN, ROOF_MEMORY_UNKNOWN, 0, 0,
         "; whether that fits is unknown; add --memory SIZE to check."},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        static const uint32_t contexts[] = {1024, 131072};
        roof_curve *curve = curves_of_steps(contexts, 2);
        for (int k = 0; k < 2; k++) {
            roof_language_memory *m = &curve->points[k].memory;
            m->fits = k ? rows[i].last : rows[i].first;
            m->largest_tokens = rows[i].largest;
            m->available_bytes = (uint64_t)rows[i].available_gib << 30;
        }
        expect_said(curve, rows[i].says);
        roof_curve_free(curve);
    }
}

static void the_crossing_is_where_the_cache_passes_the_weights(void **state)
{
    static const struct {
        double cache_s[3];
        double from; /* NaN: it does not */
    } rows[] = {{{1, 2, 3}, NAN}, {{1, 6, 7}, 1000 + 1000 * 3.0 / 5},
                {{5, 6, 7}, 0},   {{5, 3, 5}, 2500},
                {{5, 3, 2}, NAN}, {{NAN, 3, 5}, 2500},
                {{NAN, 5, 6}, 0}, {{3, NAN, 5}, 2000}};
    static const uint32_t contexts[] = {1000, 2000, 3000};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_curve *curve = curves_of_steps(contexts, 3);
        for (int k = 0; k < 3; k++) {
            curve->points[k].expected.parts_s[ROOF_PART_WEIGHTS] = 4;
            curve->points[k].expected.parts_s[ROOF_PART_CACHE] = rows[i].cache_s[k];
        }
        const double from = curve_crossing(curve_steps(curve));
        if (isnan(from) != isnan(rows[i].from) || fabs(from - rows[i].from) > 1e-9)
            fail_msg("row %zu: got %g, want %g", i, from, rows[i].from);
        roof_curve_free(curve);
    }
}

static void lengths_are_said_in_thousands_of_two_where_they_are_whole(void **state)
{
    static const struct {
        uint32_t tokens;
        const char *text;
    } rows[] = {{1, "1"},         {512, "512"},
                {1000, "1 000"},  {1023, "1 023"},
                {1024, "1k"},     {1025, "1 025"},
                {131072, "128k"}, {1048576, "1024k"},
                {3072, "3k"},     {4294967294, "4 294 967 294"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[CURVE_TOKENS_SIZE];
        assert_string_equal(curve_tokens(rows[i].tokens, text), rows[i].text);
    }
}

/* No sentence is longer than its buffer, whatever a file is called. */
static void long_names_are_cut(void **state)
{
    char name[3000];
    roof_curve *curve = curves_bound_only();
    (void)state;
    memset(name, 'W', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    curve->model = curve->hardware_name = curve->weights = curve->stack = name;
    curve->points[0].expected.not_known = name;
    expect_said(curve, "at most 111 tokens/s");
    assert_true(strlen(verdict_of(curve)) < 3 * ROOF_SENTENCE_SIZE);
    roof_curve_free(curve);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_is_known_is_said),
        cmocka_unit_test(a_single_length_has_no_ends),
        cmocka_unit_test(prompts_alone_are_said_first),
        cmocka_unit_test(what_is_not_expected_is_a_bound_with_its_reason),
        cmocka_unit_test(what_fits_is_said_as_far_as_it_is_known),
        cmocka_unit_test(the_crossing_is_where_the_cache_passes_the_weights),
        cmocka_unit_test(lengths_are_said_in_thousands_of_two_where_they_are_whole),
        cmocka_unit_test(long_names_are_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
