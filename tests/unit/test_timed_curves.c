/* Measured times of language models over their context: which belong together, what they are made of, what
 * grew, and which cannot be. */
#include "core/arena.h"
#include "measure/reconcile/steps.h"
#include "tests/unit/profile_fixture.h"

#include <math.h>

/* A curve by a line: steps at 1k, 2k, ..., of a batch. */
typedef struct planted {
    const char *model, *stack, *version, *weights;
    unsigned batch, n;
    double constant_s, per_token_s;
} planted;

static void put_steps(textbuf *out, const planted *p)
{
    for (unsigned i = 0; i < p->n; i++) {
        const unsigned tokens = 1024u << i;
        text_printf(out,
                    "%s{\"model\":{\"name\":\"%s\",\"phase\":\"decode\",\"context_tokens\":%u,"
                    "\"weight_type\":\"%s\"},\"stack\":\"%s\",\"stack_version\":\"%s\","
                    "\"runs\":[{\"mode\":\"bypass\",\"batch\":%u,\"total\":{\"mean_s\":%.15g}}]}",
                    out->length ? "," : "", p->model, tokens, p->weights, p->stack, p->version, p->batch,
                    p->constant_s + p->per_token_s * tokens);
    }
}

typedef struct study {
    roof_measured *measured;
    roof_reconciliation *r;
} study;

/* languages: of the models that are called so; the last one has no name. */
static study study_text(const char *experiments, const roof_language_model *languages)
{
    textbuf text;
    roof_error err;
    study s;
    text_init(&text, TEXT_MAX_BYTES);
    text_printf(&text, "{\"schema\":\"roofline.measured/1\",\"experiments\":[%s]}", experiments);
    s.measured = pf_read(text.bytes);
    const roof_language_model **all = calloc(s.measured->n_experiments, sizeof *all);
    assert_non_null(all);
    for (uint32_t i = 0; i < s.measured->n_experiments; i++)
        for (const roof_language_model *l = languages; l && l->name; l++)
            if (strcmp(s.measured->experiments[i].model_name, l->name) == 0)
                all[i] = l;
    if (roof_reconcile(s.measured, NULL, &(roof_reconcile_options){.languages = all}, &s.r, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    free(all);
    text_free(&text);
    return s;
}

static study study_of(const planted *curves, size_t n, const roof_language_model *languages)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    for (size_t i = 0; i < n; i++)
        put_steps(&text, &curves[i]);
    const study s = study_text(text.bytes, languages);
    text_free(&text);
    return s;
}

static void study_free(study *s)
{
    roof_reconciliation_free(s->r);
    roof_measured_free(s->measured);
}

static void assert_near(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s: got %.9g, want %.9g", what, got, want);
}

/* What differs in more than its length is another curve. */
static void curves_differ_in_more_than_their_length(void **state)
{
    static const planted rows[] = {
        {"a", "flm", "v1", "q4_1", 1, 3, 0.010, 1e-7}, {"a", "flm", "v2", "q4_1", 1, 4, 0.010, 1e-7},
        {"a", "flm", "v2", "q4_0", 1, 3, 0.010, 1e-7}, {"a", "air", "v2", "q4_1", 1, 3, 0.010, 1e-7},
        {"b", "flm", "v2", "q4_1", 1, 3, 0.010, 1e-7}, {"a", "flm", "v2", "q4_1", 8, 3, 0.030, 1e-6}};
    (void)state;
    study s = study_of(rows, COUNT(rows), NULL);
    assert_int_equal(s.r->n_curves, COUNT(rows));
    for (uint32_t i = 0; i < COUNT(rows); i++) {
        const roof_timed_curve *c = &s.r->curves[i];
        assert_string_equal(c->stack_version, rows[i].version);
        assert_int_equal(c->batch, rows[i].batch);
        assert_int_equal(c->n_steps, rows[i].n);
        assert_near("constant", c->steps.constant_s.value, rows[i].constant_s, 1e-12);
        assert_near("per token", c->steps.per_token_s.value, rows[i].per_token_s, 1e-16);
        for (uint32_t k = 0; k < c->n_points; k++)
            assert_int_equal(s.r->experiments[s.r->curve_points[c->first_point + k].experiment].curve, i);
    }
    study_free(&s);
}

/* Steps and prompts of one model, given in any order: steps first, by length. */
static void points_are_sorted_by_phase_and_length(void **state)
{
#define POINT(phase, what, tokens, ms)                                                                       \
    "{\"model\":{\"name\":\"a\",\"phase\":\"" phase "\",\"" what "\":" #tokens                               \
    "},\"runs\":[{\"mode\":\"bypass\",\"total\":{\"mean_s\":" #ms "e-3}}]}"
#define DECODE(tokens, ms)  POINT("decode", "context_tokens", tokens, ms)
#define PREFILL(tokens, ms) POINT("prefill", "prompt_tokens", tokens, ms)
    static const struct {
        roof_text_phase phase;
        uint32_t tokens;
    } want[] = {
        {ROOF_TEXT_DECODE, 100}, {ROOF_TEXT_DECODE, 200}, {ROOF_TEXT_PREFILL, 100}, {ROOF_TEXT_PREFILL, 300}};
    (void)state;
    study s = study_text(PREFILL(300, 70) "," DECODE(200, 12) "," PREFILL(100, 30) "," DECODE(100, 11), NULL);
    assert_int_equal(s.r->n_curves, 1);
    assert_int_equal(s.r->curves[0].n_steps, 2);
    assert_int_equal(s.r->n_curve_points, COUNT(want));
    for (uint32_t i = 0; i < COUNT(want); i++) {
        assert_int_equal(s.r->curve_points[i].phase, want[i].phase);
        assert_int_equal(s.r->curve_points[i].tokens, want[i].tokens);
    }
    assert_non_null(s.r->curves[0].steps.not_known);
    assert_int_equal(s.r->n_growths, 0);
    study_free(&s);
}

/* One time of each phase is no curve, and stays what it was. */
static void single_times_are_no_curve(void **state)
{
    (void)state;
    study s = study_text(PREFILL(300, 70) "," DECODE(200, 12), NULL);
    assert_int_equal(s.r->n_curves, 0);
    assert_int_equal(s.r->experiments[0].curve, ROOF_NONE);
    study_free(&s);
}

/* Equal times at two lengths are two measurements, and no copies. */
static void equal_times_at_two_lengths_are_two_points(void **state)
{
    (void)state;
    study s = study_text(DECODE(100, 11) "," DECODE(200, 11) "," DECODE(400, 11), NULL);
    assert_int_equal(s.r->n_curve_points, 3);
    assert_near("per token", s.r->curves[0].steps.per_token_s.value, 0, 1e-18);
    study_free(&s);
}

/* Dense models in q4_1: hidden, heads and vocabulary make their weights, layers their attention. */
static roof_language_model dense(const char *name, uint32_t layers, uint32_t hidden, uint32_t inner)
{
    return (roof_language_model){
        .name = name,
        .attention = "gqa",
        .hidden = hidden,
        .heads = hidden / 128,
        .kv_heads = 8,
        .vocab = 100000,
        .layers = layers,
        .is_tied = true,
        .kinds = {{.mixer = ROOF_MIXER_FULL, .count = layers, .head_dim = 128, .inner = inner}},
        .n_kinds = 1};
}

/* Three models by known constants: the stack's come out, and split the constant of each curve. */
static void constants_of_a_stack_split_the_constant_part(void **state)
{
    static const double w = 14.6e-12, layer_s = 0.3e-3, class_s = 40e-9;
    const roof_language_model models[] = {
        dense("a", 16, 2048, 8192), dense("b", 28, 3072, 8192), dense("c", 32, 2048, 4096), {0}};
    planted curves[3];
    double weights_s[3];
    (void)state;
    for (size_t i = 0; i < COUNT(curves); i++) {
        roof_language_point at = {ROOF_TEXT_DECODE, 1, 1, {0}, {0}};
        roof_language_counts counts;
        assert_int_equal(roof_weight_format_parse("q4_1", &at.weights, NULL), ROOF_OK);
        assert_int_equal(roof_weight_format_parse("bf16", &at.cache, NULL), ROOF_OK);
        assert_int_equal(roof_language_count(&models[i], &at, &counts, NULL), ROOF_OK);
        weights_s[i] = w * (double)counts.streamed_bytes;
        curves[i] = (planted){models[i].name,
                              "flm",
                              "v1",
                              "q4_1",
                              1,
                              5,
                              weights_s[i] + models[i].layers * layer_s,
                              models[i].layers * class_s};
    }
    study s = study_of(curves, COUNT(curves), models);
    assert_int_equal(s.r->n_stack_fits, 1);
    assert_null(s.r->stack_fits[0].not_known);
    assert_near("w", s.r->stack_fits[0].constants[0].value, w, 1e-8 * w);
    for (uint32_t i = 0; i < COUNT(curves); i++) {
        const roof_timed_curve *c = &s.r->curves[i];
        assert_string_equal(c->attention, "gqa_h128_kv8");
        assert_int_equal(c->weights_basis, ROOF_WEIGHTS_FITTED);
        assert_near("weights", c->weights_s, weights_s[i], 1e-8 * weights_s[i]);
        assert_near("launches", c->launches_s, models[i].layers * layer_s, 1e-7);
        /* 2 x 8 x 128 elements of 2 bytes in each layer */
        assert_near("cache", c->cache_bytes_per_s, 4096 / class_s, 1e-6 * 4096 / class_s);
    }
    study_free(&s);
    s = study_of(curves, 2, models); /* two models: no constants, and a reason */
    assert_int_equal(s.r->n_stack_fits, 1);
    assert_non_null(s.r->stack_fits[0].not_known);
    study_free(&s);
    s = study_of(curves, 1, models); /* one: nothing to say */
    assert_int_equal(s.r->n_stack_fits, 0);
    study_free(&s);
}

/* From one version to the next a part grows or shrinks, and it is named. */
static void the_part_that_grew_is_named(void **state)
{
    static const struct {
        double constant_s, per_token_s; /* of the second version; the first one has 20 ms and 1 us */
        roof_language_part most;
        double total_s, cache_s, launches_s; /* at 8192 tokens, the longest that both have */
    } rows[] = {{0.020, 0.5e-6, ROOF_PART_CACHE, -4.096e-3, -4.096e-3, 0},
                {0.012, 1e-6, ROOF_PART_LAUNCHES, -8e-3, 0, -8e-3},
                {0.025, 0.9e-6, ROOF_PART_LAUNCHES, 4.1808e-3, -0.8192e-3, 5e-3},
                {0.019, 2e-6, ROOF_PART_CACHE, 7.192e-3, 8.192e-3, -1e-3}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const planted curves[] = {{"a", "flm", "v1", "q4_1", 1, 4, 0.020, 1e-6},
                                  {"a", "flm", "v2", "q4_1", 1, 6, rows[i].constant_s, rows[i].per_token_s}};
        study s = study_of(curves, COUNT(curves), NULL);
        assert_int_equal(s.r->n_growths, 3);
        const roof_growth *along = &s.r->growths[1], *g = &s.r->growths[2];
        assert_int_equal(along->curves[0], 1);
        assert_int_equal(along->tokens[1], 32768);
        assert_near("along", along->cache_s, rows[i].per_token_s * (32768 - 1024), 1e-9);
        assert_int_equal(g->tokens[0], 8192);
        assert_int_equal(g->tokens[1], 8192);
        assert_int_equal(g->most, rows[i].most);
        assert_near("total", g->total_s, rows[i].total_s, 1e-9);
        assert_near("cache", g->cache_s, rows[i].cache_s, 1e-9);
        assert_near("launches", g->launches_s, rows[i].launches_s, 1e-9);
        assert_near("parts", g->weights_s + g->cache_s + g->launches_s + g->rest_s, g->total_s, 1e-12);
        study_free(&s);
    }
}

static uint32_t findings_of(const roof_reconciliation *r, roof_finding_kind kind)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_findings; i++)
        n += r->findings[i].kind == kind;
    return n;
}

static void kinks_and_strays_are_findings(void **state)
{
    (void)state;
    study s = study_text(DECODE(1000, 20) "," DECODE(2000, 30) "," DECODE(4000, 50) "," DECODE(
                             8000, 90) "," DECODE(16000, 170) "," DECODE(32000, 200),
                         NULL);
    assert_int_equal(s.r->curves[0].steps.kink_tokens, 32000);
    assert_int_equal(findings_of(s.r, ROOF_FINDING_KINK), 1);
    study_free(&s);
    s = study_text(DECODE(1000, 20) "," DECODE(2000, 30) "," DECODE(4000, 75) "," DECODE(8000, 90) "," DECODE(
                       16000, 170) "," DECODE(32000, 330),
                   NULL);
    assert_int_equal(findings_of(s.r, ROOF_FINDING_STRAY_STEP), 1);
    assert_true(s.r->curve_points[2].is_stray);
    study_free(&s);
}

/* A time below the bound, and what it is most likely of. Weights are 1 GB of bf16, read at 100 GB/s; a token
 * of context is 0.1 us. */
static void an_impossible_time_has_its_likeliest_cause(void **state)
{
    static const struct {
        double ms[4]; /* at 1000, 2000, 4000 and 8000 tokens; their bounds are 10.1, 10.2, 10.4 and 10.8 ms */
        uint32_t batch;
        roof_point_doubt want[4];
        const char *form;
        double tokens; /* of the last one; 0: not known */
    } rows[] = {
        {{12, 13, 15, 19}, 1, {0}, NULL, 0},
        {{12, 13, 15, 10.5}, 1, {0, 0, 0, ROOF_POINT_OF_CONTEXT}, NULL, 0},
        {{10.25, 10.5, 11, 10.5}, 1, {0, 0, 0, ROOF_POINT_OF_CONTEXT}, NULL, 2000},
        {{1.6, 1.7, 1.9, 2.4}, 8, {1, 1, 1, 1}, NULL, 0},
        {{6, 6.2, 6.4, 6.8}, 1, {2, 2, 2, 2}, "q8_0", 0},
        {{4, 4.1, 4.3, 4.7}, 1, {2, 2, 2, 2}, "q5_k", 0},
        {{3.3, 3.4, 3.6, 4}, 1, {2, 2, 2, 2}, "q4_1", 0},
        {{0.1, 0.1, 0.1, 0.1}, 1, {2, 2, 2, 2}, NULL, 0},
    };
    const roof_language_model model = {.name = "a",
                                       .attention = "gqa",
                                       .hidden = 1024,
                                       .heads = 1,
                                       .kv_heads = 1,
                                       .vocab = 488281,
                                       .layers = 1,
                                       .is_tied = true,
                                       .kinds = {{.mixer = ROOF_MIXER_CONV, .count = 1, .inner = 1}},
                                       .n_kinds = 1};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_timed_point points[4];
        roof_timed_curve curve = {.batch = rows[i].batch, .n_points = 4, .n_steps = 4};
        roof_reconciled experiments[4] = {{0}};
        roof_reconciliation out = {.experiments = experiments, .n_experiments = 4, .curve_points = points};
        roof_arena *arena = arena_new(0);
        reconciler r = {.out = &out, .arena = arena, .found = {.arena = arena}};
        curve_model m = {&model, {.phase = ROOF_TEXT_DECODE, .batch = rows[i].batch}};
        assert_int_equal(roof_weight_format_parse("bf16", &m.at.weights, NULL), ROOF_OK);
        assert_int_equal(roof_weight_format_parse("bf16", &m.at.cache, NULL), ROOF_OK);
        curve.steps.constant_s.value = rows[i].tokens > 0 ? 0.010 : NAN;
        curve.steps.per_token_s.value = 0.25e-6;
        for (uint32_t k = 0; k < 4; k++) {
            const uint32_t tokens = 1000u << k;
            points[k] = (roof_timed_point){.experiment = k,
                                           .phase = ROOF_TEXT_DECODE,
                                           .tokens = tokens,
                                           .seconds = 1e-3 * rows[i].ms[k],
                                           .ideal_s = 0.010 + 1e-7 * tokens,
                                           .weights_s = rows[i].batch > 1 ? (double)NAN : 0.010,
                                           .cache_s = 1e-7 * tokens,
                                           .doubt_tokens = NAN};
        }
        curve_doubts_find(&r, &curve, &m);
        uint32_t n = 0;
        for (uint32_t k = 0; k < 4; k++) {
            assert_int_equal(points[k].doubt, rows[i].want[k]);
            n += rows[i].want[k] != ROOF_POINT_POSSIBLE;
        }
        assert_int_equal(isnan(points[3].doubt_tokens), !(rows[i].tokens > 0));
        if (rows[i].tokens > 0)
            assert_near("tokens", points[3].doubt_tokens, rows[i].tokens, 1e-6);
        assert_int_equal(r.n_found[ROOF_FINDING_IMPOSSIBLE_POINT], n);
        if (rows[i].form)
            assert_string_equal(points[0].doubt_form, rows[i].form);
        else
            assert_null(points[0].doubt_form);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(curves_differ_in_more_than_their_length),
                                       cmocka_unit_test(points_are_sorted_by_phase_and_length),
                                       cmocka_unit_test(single_times_are_no_curve),
                                       cmocka_unit_test(equal_times_at_two_lengths_are_two_points),
                                       cmocka_unit_test(constants_of_a_stack_split_the_constant_part),
                                       cmocka_unit_test(the_part_that_grew_is_named),
                                       cmocka_unit_test(kinks_and_strays_are_findings),
                                       cmocka_unit_test(an_impossible_time_has_its_likeliest_cause)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
