/* A curve of a language model: at every point what roof_predict says of it, expectations only where they were
 * measured, points of one's own, a session, a draft, and memory. */
#include "roofline/prediction.h"
#include "tests/support/language_models.h"
#include "tests/unit/fixture.h"

#include <string.h>

static const uint32_t lengths[] = {1, 100, 1024, 5000, 40000};
enum { LENGTHS = sizeof lengths / sizeof *lengths, LLAMA_3B = 0, GEMMA = 4, LFM2 = 6, QWEN_3_5 = 8, MOE = 9 };

static void assert_close(const char *what, double got, double want, double ratio)
{
    if (!(fabs(got - want) <= ratio * fabs(want)))
        fail_msg("%s: %.15g, want %.15g", what, got, want);
}

static roof_graph *open_q4(int model)
{
    return language_open(language_texts[model].text,
                         (roof_workload){.weight_type = "q4_1", .asks_text = true});
}

static roof_curve *curve_of(const roof_graph *g, const char *hw_id, const roof_curve_options *o)
{
    roof_hw *hw = fx_hw(hw_id);
    roof_curve *c = NULL;
    roof_error err = {0};
    if (roof_curve_predict(g, hw, o, &c, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_hw_free(hw);
    return c;
}

static void check_point(const char *text, const char *form, uint32_t batch, const char *hw,
                        const roof_curve_point *x)
{
    const bool is_step = x->phase == ROOF_TEXT_DECODE;
    const roof_workload w = {.phase = x->phase,
                             .prompt_tokens = is_step ? 0 : x->tokens,
                             .context_tokens = is_step ? x->tokens : 0,
                             .weight_type = form,
                             .asks_text = true};
    roof_graph *g = language_open(text, w);
    roof_prediction *p = fx_predict(g, hw, &(roof_predict_options){.batch = batch});
    assert_close("ideal", x->ideal_s, p->total.deployed.ideal_s, 1e-12);
    assert_memory_equal(&x->counts, &p->language.counts, sizeof x->counts);
    double parts_s = 0;
    for (int i = 0; i < ROOF_LANGUAGE_PARTS; i++)
        parts_s += x->ideal_parts_s[i];
    assert_close("parts of the bound", parts_s, x->ideal_s, 1e-12);
    assert_true(isnan(x->expected.seconds) == (x->expected.not_known != NULL));
    if (!isnan(x->expected.seconds)) {
        assert_close("expected", x->expected.seconds, p->total.predicted_s, 1e-11);
        double sum = 0, rows = 0;
        for (int i = 0; i < ROOF_LANGUAGE_PARTS; i++)
            sum += x->expected.parts_s[i];
        for (uint32_t i = 0; i < p->n_layers; i++)
            rows += isnan(p->layers[i].predicted_s) ? 0 : p->layers[i].predicted_s * p->layers[i].repeat;
        assert_close("parts", sum, x->expected.seconds, 1e-12);
        assert_close("rows", rows, x->expected.seconds, 1e-9);
        assert_true(x->expected.ci95_s[0] < x->expected.seconds &&
                    x->expected.seconds < x->expected.ci95_s[1]);
        assert_true(x->ideal_s < x->expected.seconds);
    }
    roof_prediction_free(p);
    roof_graph_free(g);
}

static void every_point_is_what_a_prediction_says(void **state)
{
    static const char *const forms[] = {"q4_1", "bf16", "int8"}, *const boards[] = {"npu2", "mi210"};
    (void)state;
    for (int m = 0; language_texts[m].name; m++)
        for (size_t f = 0; f < COUNT(forms); f++) {
            const uint32_t batch = f == 2 ? 4 : 1;
            const char *hw = boards[m % 2 && f == 2];
            const roof_curve_options o = {.contexts = lengths,
                                          .n_contexts = LENGTHS,
                                          .prompts = lengths,
                                          .n_prompts = LENGTHS - 1,
                                          .batch = batch};
            roof_graph *g = language_open(language_texts[m].text,
                                          (roof_workload){.weight_type = forms[f], .asks_text = true});
            roof_curve *c = curve_of(g, hw, &o);
            assert_int_equal(c->n_points, 2 * LENGTHS - 1);
            assert_int_equal(c->n_decode, LENGTHS);
            for (uint32_t i = 0; i < c->n_points; i++)
                check_point(language_texts[m].text, forms[f], batch, hw, &c->points[i]);
            roof_curve_free(c);
            roof_graph_free(g);
        }
}

/* By docs/hardware/aie.md: Llama 3.2 3B, 28 layers, class gqa_h128_kv8 at 41.4 ns. */
static void a_step_is_weights_layers_and_cache(void **state)
{
    (void)state;
    roof_graph *g = open_q4(LLAMA_3B);
    roof_curve *c = curve_of(g, "npu2", &(roof_curve_options){.contexts = lengths, .n_contexts = LENGTHS});
    for (uint32_t i = 0; i < LENGTHS; i++) {
        const roof_language_expectation *x = &c->points[i].expected;
        const double want_s =
            (double)c->points[i].counts.weight_bytes / 68.5e9 + 28 * (0.2655e-3 + lengths[i] * 41.4e-9);
        assert_string_equal(x->attention, "gqa_h128_kv8");
        assert_close("step", x->seconds, want_s, 1e-12);
    }
    assert_int_equal(c->points[0].binds, ROOF_PART_WEIGHTS);
    assert_int_equal(c->points[LENGTHS - 1].binds, ROOF_PART_CACHE);
    roof_curve_free(c);
    roof_graph_free(g);
}

/* A class, a kind of layer, a form, a stack, a batch, another memory: what was not measured is not expected.
 * */
static void what_was_not_measured_has_a_reason(void **state)
{
    static const struct {
        int model;
        const char *form;
        roof_curve_options o;
        const char *step, *prompt; /* NULL: expected */
    } cases[] = {
        {LLAMA_3B, "q4_1", {.batch = 1}, NULL, NULL},
        {LLAMA_3B, "int8", {.batch = 1}, "no stack is known", "no stack is known"},
        {LLAMA_3B, "q4_1", {.stack = "llama.cpp"}, "no constants of llama.cpp for steps", "no constants of"},
        {LLAMA_3B, "q4_1", {.batch = 8}, "no law of a batch", "no law of a batch"},
        {LLAMA_3B, "q4_1", {.bandwidth_bytes_per_s = 60e9}, "the machine's own clock", "the machine's own"},
        {LLAMA_3B, "bf16", {.batch = 1}, "longer contexts were not measured", "for prompts of bf16"},
        {LFM2, "q4_1", {.batch = 1}, NULL, NULL},
        {LFM2, "q4_1", {.stack = "mlir-air"}, "with conv layers", "for prompts"},
        {QWEN_3_5, "q4_1", {.batch = 1}, NULL, "with linear layers"},
        {MOE, "q4_1", {.batch = 1}, "attention of class qk_norm_h128_kv4 was not measured", "with experts"},
    };
    static const uint32_t at = 4096;
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_curve_options o = cases[i].o;
        o.contexts = o.prompts = &at;
        o.n_contexts = o.n_prompts = 1;
        roof_graph *g = language_open(language_texts[cases[i].model].text,
                                      (roof_workload){.weight_type = cases[i].form, .asks_text = true});
        roof_curve *c = curve_of(g, "npu2", &o);
        const char *const wanted[] = {cases[i].step, cases[i].prompt};
        for (int k = 0; k < 2; k++) {
            const roof_language_expectation *x = &c->points[k].expected;
            assert_true(isnan(x->seconds) == (wanted[k] != NULL));
            if (wanted[k] && !strstr(x->not_known, wanted[k]))
                fail_msg("case %zu: '%s' lacks '%s'", i, x->not_known, wanted[k]);
        }
        roof_curve_free(c);
        roof_graph_free(g);
    }
}

static void one_measured_step_carries_the_class_and_two_make_a_line(void **state)
{
    static const roof_curve_measured points[] = {{ROOF_TEXT_DECODE, 1024, 0.040},
                                                 {ROOF_TEXT_DECODE, 5000, 0.047}};
    roof_graph *g = open_q4(LLAMA_3B), *unknown = open_q4(MOE);
    roof_curve_options o = {.contexts = lengths, .n_contexts = LENGTHS, .anchors = points, .n_anchors = 1};
    (void)state;
    roof_curve *c = curve_of(g, "npu2", &o);
    for (uint32_t i = 0; i < LENGTHS; i++)
        assert_close("through it", c->points[i].expected.seconds,
                     0.040 + 28 * 41.4e-9 * (lengths[i] - 1024.0), 1e-12);
    roof_curve_free(c);
    c = curve_of(unknown, "npu2", &o);
    assert_true(isnan(c->points[0].expected.seconds));
    assert_non_null(strstr(c->points[0].expected.not_known, "give two"));
    roof_curve_free(c);
    o.n_anchors = 2;
    c = curve_of(unknown, "npu2", &o);
    for (uint32_t i = 0; i < LENGTHS; i++)
        assert_close("line", c->points[i].expected.seconds, 0.040 + 0.007 / 3976 * (lengths[i] - 1024.0),
                     1e-11);
    roof_curve_free(c);
    /* of different models: the line begins below 0 */
    static const roof_curve_measured wrong[] = {{ROOF_TEXT_DECODE, 1024, 0.001},
                                                {ROOF_TEXT_DECODE, 2048, 0.1}};
    o.anchors = wrong;
    roof_hw *hw = fx_hw("npu2");
    roof_error err = {0};
    assert_int_equal(roof_curve_predict(g, hw, &o, &c, &err), ROOF_E_USAGE);
    assert_non_null(strstr(fx_message(&err), "one run"));
    roof_hw_free(hw);
    roof_graph_free(g);
    roof_graph_free(unknown);
}

/* Against the sum of all its steps. */
static void a_session_is_its_prompt_and_all_its_steps(void **state)
{
    enum { PROMPT = 900, ANSWER = 400 };
    uint32_t steps[ANSWER - 1];
    const uint32_t prompt = PROMPT;
    const int of[] = {LLAMA_3B, GEMMA};
    (void)state;
    for (int i = 0; i < ANSWER - 1; i++)
        steps[i] = PROMPT + 1 + (uint32_t)i;
    for (size_t m = 0; m < COUNT(of); m++) {
        roof_graph *g = open_q4(of[m]);
        roof_curve *c = curve_of(g, "npu2",
                                 &(roof_curve_options){.contexts = steps,
                                                       .n_contexts = ANSWER - 1,
                                                       .prompts = &prompt,
                                                       .n_prompts = 1,
                                                       .session_prompt = PROMPT,
                                                       .session_answer = ANSWER,
                                                       .power_w = 20});
        const roof_session *s = &c->session;
        double expected_s = 0, ideal_s = 0;
        for (uint32_t i = 0; i < c->n_decode; i++) {
            expected_s += c->points[i].expected.seconds;
            ideal_s += c->points[i].ideal_s;
        }
        const roof_curve_point *first = &c->points[c->n_decode];
        assert_close("first", s->first_s, first->expected.seconds, 1e-12);
        assert_close("last", s->last_s, first->expected.seconds + expected_s, 1e-9);
        assert_true(s->last_ideal_s <= (first->ideal_s + ideal_s) * (1 + 1e-9)); /* a bound stays one */
        assert_close("bound of the last", s->last_ideal_s, first->ideal_s + ideal_s, 1e-4);
        assert_close("rate", s->tokens_per_s, (ANSWER - 1) / expected_s, 1e-9);
        assert_close("energy", s->energy_j, 20 * s->last_s, 1e-12);
        roof_curve_free(c);
        roof_graph_free(g);
    }
}

/* Three sessions fit beside the weights: the steps' bytes are those of a batch of three. */
static void a_full_load_holds_what_fits_and_reads_weights_once(void **state)
{
    enum { PROMPT = 2000, ANSWER = 100, FIT = 3 };
    uint32_t steps[ANSWER - 1];
    roof_graph *g = open_q4(LLAMA_3B);
    roof_curve_options o = {.contexts = steps,
                            .n_contexts = ANSWER - 1,
                            .batch = FIT,
                            .session_prompt = PROMPT,
                            .session_answer = ANSWER};
    (void)state;
    for (int i = 0; i < ANSWER - 1; i++)
        steps[i] = PROMPT + 1 + (uint32_t)i;
    roof_curve *c = curve_of(g, "npu2", &o);
    double steps_s = 0;
    for (uint32_t i = 0; i < c->n_decode; i++)
        steps_s += c->points[i].ideal_s / FIT;
    assert_true(isnan(c->session.most_tokens_per_s) &&
                c->session.most_sequences == 0); /* of how much memory? */
    const roof_curve_point *middle = &c->points[ANSWER / 2 - 1];
    assert_int_equal(middle->tokens, PROMPT + ANSWER / 2);
    o.memory_bytes = middle->memory.need_bytes;
    roof_curve_free(c);
    c = curve_of(g, "npu2", &o);
    assert_int_equal(c->session.most_sequences, FIT);
    assert_close("rate", c->session.most_tokens_per_s, ANSWER / steps_s, 1e-4); /* its memory binds */
    const double of_three = c->session.most_tokens_per_s;
    roof_curve_free(c);
    o.memory_bytes--;
    c = curve_of(g, "npu2", &o);
    assert_int_equal(c->session.most_sequences, FIT - 1);
    assert_true(c->session.most_tokens_per_s < of_three);
    roof_curve_free(c);
    o.memory_bytes = UINT64_C(1) << 40; /* the array alone: MACs of prompt and answer at its peak */
    c = curve_of(g, "npu2", &o);
    assert_true(c->session.most_tokens_per_s > of_three);
    assert_true(c->session.most_tokens_per_s < ANSWER / (steps_s / c->session.most_sequences));
    roof_curve_free(c);
    roof_graph_free(g);
}

/* (1 - a^(k + 1)) / (1 - a) tokens a round, as the sum that it is; and where a gain begins there is none. */
static void a_draft_gains_what_its_rounds_make(void **state)
{
    static const uint32_t at = 1024;
    roof_graph *g = open_q4(1), *small = open_q4(LFM2);
    roof_curve_options o = {.contexts = &at, .n_contexts = 1, .draft = small, .accept = 0.7, .ahead = 4};
    (void)state;
    roof_curve *c = curve_of(g, "npu2", &o);
    const roof_draft *d = &c->draft;
    double tokens = 0;
    for (int i = 0; i <= 4; i++)
        tokens += pow(0.7, i);
    assert_close("tokens", d->tokens_per_round, tokens, 1e-12);
    assert_int_equal(d->verify_kind, ROOF_AT_LEAST);
    assert_close("gain", d->gain_ratio, tokens * d->step_s / (d->step_s + 4 * d->draft_s), 1e-12);
    o.accept = d->break_even_accept;
    roof_curve *even = curve_of(g, "npu2", &o);
    assert_close("no gain", even->draft.gain_ratio, 1, 1e-9);
    roof_curve_free(even);
    o.accept = 1;
    o.verify_s = 2;
    even = curve_of(g, "npu2", &o);
    assert_true(isnan(even->draft.break_even_accept)); /* a round longer than its tokens never gains */
    assert_true(even->draft.gain_ratio < 1);
    roof_curve_free(even);
    roof_curve_free(c);
    roof_graph_free(g);
    roof_graph_free(small);
}

/* Of 32 GiB: Llama 3.1 8B ran at 32k and was out of memory at 64k (docs/hardware/aie.md). */
static void memory_ends_where_it_did(void **state)
{
    static const uint32_t at[] = {32768, 50000, 65536};
    static const roof_memory_answer wanted[] = {ROOF_MEMORY_FITS, ROOF_MEMORY_UNKNOWN, ROOF_MEMORY_FITS_NOT};
    roof_graph *g = open_q4(1);
    (void)state;
    roof_curve *c = curve_of(
        g, "npu2", &(roof_curve_options){.contexts = at, .n_contexts = 3, .memory_bytes = 32ull << 30});
    for (int i = 0; i < 3; i++) {
        const roof_language_memory *m = &c->points[i].memory;
        assert_int_equal(m->fits, wanted[i]);
        assert_int_equal(m->need_bytes, c->points[i].counts.resident_weight_bytes + at[i] * 131072ull);
        assert_true(m->largest_tokens >= at[0] && m->largest_tokens < at[1]);
    }
    /* one token more than the largest is not known to fit */
    const uint32_t edge[] = {c->points[0].memory.largest_tokens, c->points[0].memory.largest_tokens + 1};
    roof_curve *e = curve_of(
        g, "npu2", &(roof_curve_options){.contexts = edge, .n_contexts = 2, .memory_bytes = 32ull << 30});
    assert_int_equal(e->points[0].memory.fits, ROOF_MEMORY_FITS);
    assert_int_equal(e->points[1].memory.fits, ROOF_MEMORY_UNKNOWN);
    roof_curve_free(e);
    roof_curve_free(c);
    roof_graph_free(g);
}

static void bounds_never_fall_with_context_or_batch(void **state)
{
    static const uint32_t at[] = {1, 7, 128, 1023, 1024, 1025, 9999, 131072};
    (void)state;
    for (int m = 0; language_texts[m].name; m++) {
        double before_s[COUNT(at)] = {0};
        roof_graph *g = open_q4(m);
        for (uint32_t batch = 1; batch < 9; batch *= 2) {
            roof_curve *c = curve_of(
                g, "npu2", &(roof_curve_options){.contexts = at, .n_contexts = COUNT(at), .batch = batch});
            for (size_t i = 0; i < COUNT(at); i++) {
                const double now_s = c->points[i].ideal_s;
                assert_true(now_s >= before_s[i] && (!i || now_s >= c->points[i - 1].ideal_s));
                before_s[i] = now_s;
            }
            assert_true(c->points[0].ideal_s < 1.05 * before_s[0]);
            roof_curve_free(c);
        }
        roof_graph_free(g);
    }
}

static void what_is_no_language_model_has_no_curve(void **state)
{
    static const uint32_t at = 1;
    char path[1024];
    roof_graph *network = NULL;
    snprintf(path, sizeof path, "%s/examples/models/mobilenetv2.onnx", getenv("ROOFLINE_SOURCE_DIR"));
    assert_int_equal(roof_graph_read(path, &network, NULL), ROOF_OK);
    roof_hw *hw = fx_hw("npu2");
    roof_curve *c = NULL;
    roof_error err = {0};
    roof_graph *g = open_q4(0);
    (void)state;
    assert_int_equal(
        roof_curve_predict(network, hw, &(roof_curve_options){.contexts = &at, .n_contexts = 1}, &c, &err),
        ROOF_E_USAGE);
    assert_non_null(strstr(fx_message(&err), "config.json"));
    static const roof_curve_options wrong[] = {
        {.batch = 1},
        {.contexts = &at, .n_contexts = 1, .session_answer = 5},
        {.contexts = &at, .n_contexts = 1, .session_prompt = 1u << 24, .session_answer = 5}};
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_int_equal(roof_curve_predict(g, hw, &wrong[i], &c, &err), ROOF_E_USAGE);
    roof_graph_free(g);
    roof_hw_free(hw);
    roof_graph_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_is_what_a_prediction_says),
        cmocka_unit_test(a_step_is_weights_layers_and_cache),
        cmocka_unit_test(what_was_not_measured_has_a_reason),
        cmocka_unit_test(one_measured_step_carries_the_class_and_two_make_a_line),
        cmocka_unit_test(a_session_is_its_prompt_and_all_its_steps),
        cmocka_unit_test(a_full_load_holds_what_fits_and_reads_weights_once),
        cmocka_unit_test(a_draft_gains_what_its_rounds_make),
        cmocka_unit_test(memory_ends_where_it_did),
        cmocka_unit_test(bounds_never_fall_with_context_or_batch),
        cmocka_unit_test(what_is_no_language_model_has_no_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
