/* What importers of benchmarks of language models share: types of weights in words of tools, and points. */
#include "measure/import/text_points.h"
#include "tests/unit/imported.h"

typedef struct state_of_import {
    import_state in;
    roof_import_options options;
} state_of_import;

static void open_state(state_of_import *s)
{
    *s = (state_of_import){.in = {.path = "file", .out = measured_new(), .scratch = arena_new(0)}};
    s->in.options = &s->options;
    text_init(&s->in.notes, 1 << 14);
    assert_true(s->in.out && s->in.scratch);
}

static void close_state(state_of_import *s)
{
    roof_measured_free(s->in.out);
    arena_free(s->in.scratch);
    text_free(&s->in.notes);
}

static void weights_have_the_type_that_the_words_name_last(void **state)
{
    static const struct {
        const char *words, *want; /* NULL: none */
    } rows[] = {
        {"qwen2 7B Q4_K - Medium", "q4_k"},
        {"llama 7B mostly Q4_0", "q4_0"},
        {"llama 1B all F32", "f32"},
        {"llama 1B F16", "f16"},
        {"llama 1B BF16", "bf16"},
        {"llama 1B IQ4_XS - 4.25 bpw", "iq4_xs"},
        {"gpt-oss 20B MXFP4 MoE", "mxfp4"},
        {"models/Alpha-1B-Q4_K_M.gguf", "q4_k"},
        {"models/q8_0/alpha-Q5_K_S.gguf", "q5_k"},
        {"Q6_K", "q6_k"},
        {"Q3_K_L", "q3_k"},
        {"tq1_0", "tq1_0"},
        {"4bit", NULL},
        {"q4", NULL}, /* half of a name */
        {"q", NULL},
        {"Qwen3-4B", NULL},
        {"qwen2", NULL},
        {"iq4", NULL},
        {"F16x", NULL},
        {"", NULL},
        {"Q4_0_and_a_word_that_is_much_too_long", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        state_of_import s;
        open_state(&s);
        const char *got = text_weight_type(&s.in, span_of(rows[i].words));
        if ((got != NULL) != (rows[i].want != NULL) || (got && strcmp(got, rows[i].want) != 0))
            fail_msg("'%s' is %s, want %s", rows[i].words, got ? got : "none",
                     rows[i].want ? rows[i].want : "none");
        close_state(&s);
    }
}

static void a_model_is_called_as_its_file(void **state)
{
    static const struct {
        const char *path, *want;
    } rows[] = {{"models/7B/a-Q4_0.gguf", "a-Q4_0"},
                {"a.gguf", "a"},
                {"C:\\models\\a.gguf", "a"},
                {"/m/a", "a"},
                {"models/", "models/"},
                {".gguf", ".gguf"}};
    state_of_import s;
    (void)state;
    open_state(&s);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *got = NULL;
        assert_int_equal(text_model_of_path(&s.in, rows[i].path, &got, NULL), ROOF_OK);
        assert_string_equal(got, rows[i].want);
    }
    close_state(&s);
}

static void a_rate_is_a_time_unless_it_is_0(void **state)
{
    const roof_times t = text_times_of_rate(512, 1024, 10.24), none = text_times_of_rate(512, 0, 1);
    (void)state;
    assert_close(t.mean_s, 0.5, 1e-15);
    assert_close(t.std_s, 0.005, 1e-15);
    assert_true(isnan(none.mean_s) && isnan(none.std_s));
    assert_true(isnan(text_times_of_rate(1, 2, NAN).std_s));
}

static void a_point_is_an_experiment_and_what_has_no_time_is_none(void **state)
{
    static const struct {
        double tokens, seconds, batch;
        roof_text_phase phase;
        roof_status status;
        uint32_t n, prompt, context, run_batch;
    } rows[] = {
        {512, 0.25, 1, ROOF_TEXT_PREFILL, ROOF_OK, 1, 512, 0, 1},
        {64.5, 0.25, NAN, ROOF_TEXT_DECODE, ROOF_OK, 1, 0, 65, ROOF_NONE},
        {0.5, 0.25, 8, ROOF_TEXT_DECODE, ROOF_OK, 1, 0, 1, 8},
        {4294967294.0, 0.25, 0, ROOF_TEXT_DECODE, ROOF_OK, 1, 0, 4294967294U, ROOF_NONE},
        {4294967295.0, 0.25, 1, ROOF_TEXT_DECODE, ROOF_E_DATA, 0, 0, 0, 0},
        {1e300, 0.25, 1, ROOF_TEXT_PREFILL, ROOF_E_DATA, 0, 0, 0, 0},
        {0.4, 0.25, 1, ROOF_TEXT_PREFILL, ROOF_OK, 0, 0, 0, 0},
        {NAN, 0.25, 1, ROOF_TEXT_PREFILL, ROOF_OK, 0, 0, 0, 0},
        {512, 0, 1, ROOF_TEXT_PREFILL, ROOF_OK, 0, 0, 0, 0},
        {512, NAN, 1, ROOF_TEXT_PREFILL, ROOF_OK, 0, 0, 0, 0},
        {512, INFINITY, 1, ROOF_TEXT_PREFILL, ROOF_OK, 0, 0, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        state_of_import s;
        text_point point = text_point_unknown("a-stack");
        open_state(&s);
        point.model = "net";
        point.phase = rows[i].phase;
        point.tokens = rows[i].tokens;
        point.batch = rows[i].batch;
        point.time.mean_s = rows[i].seconds;
        assert_int_equal(text_point_add(&s.in, &point, NULL), rows[i].status);
        assert_int_equal(s.in.out->n_experiments, rows[i].n);
        assert_int_equal(s.in.notes.length > 0, !rows[i].n && rows[i].status == ROOF_OK);
        for (uint32_t k = 0; k < rows[i].n; k++) {
            const roof_experiment *e = &s.in.out->experiments[k];
            assert_int_equal(e->phase, rows[i].phase);
            assert_int_equal(e->prompt_tokens, rows[i].prompt);
            assert_int_equal(e->context_tokens, rows[i].context);
            assert_int_equal(e->runs[0].batch, rows[i].run_batch);
            assert_int_equal(e->runs[0].mode, ROOF_RUN_BYPASS);
            assert_string_equal(e->stack, "a-stack");
        }
        close_state(&s);
    }
}

static void the_hardware_of_the_user_is_not_that_of_other_parts(void **state)
{
    (void)state;
    for (int is_elsewhere = 0; is_elsewhere < 2; is_elsewhere++) {
        state_of_import s;
        text_point point = text_point_unknown(NULL);
        open_state(&s);
        s.options.hardware = "npu2";
        point.tokens = point.time.mean_s = 1;
        point.is_elsewhere = is_elsewhere;
        assert_int_equal(text_point_add(&s.in, &point, NULL), ROOF_OK);
        assert_int_equal(s.in.out->experiments[0].hardware_id == NULL, is_elsewhere);
        close_state(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_have_the_type_that_the_words_name_last),
        cmocka_unit_test(a_model_is_called_as_its_file),
        cmocka_unit_test(a_rate_is_a_time_unless_it_is_0),
        cmocka_unit_test(a_point_is_an_experiment_and_what_has_no_time_is_none),
        cmocka_unit_test(the_hardware_of_the_user_is_not_that_of_other_parts),
    };
    return cmocka_run_group_tests_name("text_points", tests, NULL, NULL);
}
