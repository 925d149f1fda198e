/* The law of a step by shares of a device's own rates: examples by hand, whose stack is taken, what has no
 * time and why, a measured step of one's own, and what fits into the memory. */
#include "model/predict/language_times.h"
#include "roofline/prediction.h"
#include "tests/support/language_models.h"
#include "tests/unit/fixture.h"

#include <string.h>

enum { LLAMA_8B = 1, GEMMA = 4 };

static roof_graph *open_as(int model, const char *form)
{
    return language_open(language_texts[model].text, (roof_workload){.weight_type = form, .asks_text = true});
}

/* --- the law -------------------------------------------------------------------------------------------- */

/* t = W / (BW eff) + K / (BW kv) + N layer + M experts, of a device without a factor of its own:
 * docs/hardware/cpu.md, "Language models". */
static void examples_by_hand_come_out_to_the_last_digit(void **state)
{
    static const struct {
        const char *hw, *stack;
        uint64_t weight_bytes, kv_bytes;
        uint32_t layers, experts;
        double seconds;
    } cases[] = {
        /* Llama 3.1 8B Q4_K_M, 64 tokens: 4616331264 / (1.008e12 * 0.837) + 8388608 / (1.008e12 * 0.532) +
         * 32 * 43.9e-6 */
        {"base=rtx-4090,expect.llama-cpp-cuda.decode.device_ratio=1", "llama.cpp", 4616331264, 8388608, 32, 0,
         0.006892001},
        /* Qwen3 8B Q4_K_M, 190 tokens */
        {"base=rx-7900-xt,expect.llama-cpp-vulkan.decode.device_ratio=1", "llama-cpp-vulkan", 4670533632,
         28016640, 36, 0, 0.009229730},
        /* Llama 3.1 8B Q4_K_M, 120 tokens */
        {"base=apple-m4-pro,expect.llama-cpp-metal.decode.device_ratio=1", NULL, 4616331264, 15728640, 32, 0,
         0.022941769},
        /* Qwen3 30B-A3B of 4 bits, 190 tokens */
        {"base=apple-m4-pro,expect.mlx.decode.device_ratio=1", "mlx", 1710931968, 18677760, 48, 128,
         0.012585450},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_hw *hw = fx_hw(cases[i].hw);
        roof_arena *arena = arena_new(0);
        const hw_view view = {
            .array = hw, .board = hw, .memory_bytes_per_s = roof_hw_get(hw, "ddr.bandwidth")->value};
        const roof_language_model model = {
            .attention = "gqa",
            .layers = cases[i].layers,
            .kv_heads = 8,
            .experts = cases[i].experts,
            .n_kinds = 1,
            .kinds = {{.mixer = ROOF_MIXER_FULL, .count = cases[i].layers, .head_dim = 128, .inner = 1}}};
        const language_request requested = {
            .view = &view,
            .hardware = "it",
            .model = &model,
            .point = {.phase = ROOF_TEXT_DECODE,
                      .tokens = 64,
                      .batch = 1,
                      .weights = {.name = "q4_k", .bits = 4, .group = 256, .group_bits = 128}},
            .stack = cases[i].stack};
        const roof_language_counts counts = {.weight_bytes = cases[i].weight_bytes,
                                             .kv_bytes = cases[i].kv_bytes};
        const roof_language_memory any = {.limit_bytes = NAN};
        language_constants constants;
        roof_language_expectation x;
        assert_int_equal(language_constants_of(&requested, arena, &constants, NULL), ROOF_OK);
        language_expect(&constants, &model, &requested.point, &counts, &any, &x);
        if (x.not_known || !(fabs(x.seconds - cases[i].seconds) < 0.5e-9))
            fail_msg("%s: %.12g s, want %.9f (%s)", cases[i].hw, x.seconds, cases[i].seconds,
                     x.not_known ? x.not_known : "");
        arena_free(arena);
        roof_hw_free(hw);
    }
}

static roof_curve *curve_of(const roof_graph *g, const char *id, roof_curve_options o)
{
    roof_hw *hw = fx_hw(id);
    roof_curve *c = NULL;
    roof_error err = {0};
    if (roof_curve_predict(g, hw, &o, &c, &err) != ROOF_OK)
        fail_msg("%s: %s", id, fx_message(&err));
    roof_hw_free(hw);
    return c;
}

/* Stack NULL: nothing is expected, for this reason. */
static void the_stack_is_the_devices_own_or_the_one_that_is_named(void **state)
{
    static const struct {
        const char *hw, *requested, *stack, *why;
    } cases[] = {
        {"rtx-4090", NULL, "llama-cpp-cuda", NULL},
        {"rtx-4090", "llama.cpp", "llama-cpp-cuda", NULL},
        {"rtx-4090", "ollama", "llama-cpp-cuda", NULL},
        {"rtx-4090", "llama-cpp-cuda-2024", "llama-cpp-cuda-2024", NULL},
        {"rtx-4090", "mlc", "mlc-cuda", NULL},
        {"rx-7900-xt", NULL, "llama-cpp-vulkan", NULL},
        {"rx-7900-xt", "llama-cpp-rocm", "llama-cpp-rocm", NULL},
        {"apple-m4-pro", NULL, "llama-cpp-metal", NULL},
        {"apple-m4-pro", "mlx", "mlx", NULL},
        {"ryzen-7840hs", NULL, "llama-cpp-cpu", NULL},
        {"rk3576-npu", NULL, "rknn-llm", NULL},
        {"rtx-4090", "vllm", NULL,
         "no constants of vllm for steps of q4_k weights; it knows llama-cpp-cuda-2024, "},
        {"mi210", NULL, NULL, "no stack is known"},
        {"raspberry-pi-5", NULL, NULL, "differ by up to 2.6 times from constants of llama-cpp-cpu"},
        {"rk3588-npu", NULL, NULL, "constants of rknn-llm, and rk3588-npu has no factor of its own"},
        {"snapdragon-8-gen-3", NULL, NULL, "differ by up to 14.1 times from constants of genie"},
    };
    static const uint32_t at = 100;
    (void)state;
    roof_graph *g = open_as(0, "q4_k");
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_curve *c =
            curve_of(g, cases[i].hw,
                     (roof_curve_options){.contexts = &at, .n_contexts = 1, .stack = cases[i].requested});
        const roof_language_expectation *x = &c->points[0].expected;
        if (cases[i].stack && (!x->stack || isnan(x->seconds) || strcmp(x->stack, cases[i].stack) != 0))
            fail_msg("%s %s: %s", cases[i].hw, x->stack ? x->stack : "-", x->not_known ? x->not_known : "");
        if (!cases[i].stack && (!x->not_known || !strstr(x->not_known, cases[i].why)))
            fail_msg("%s: '%s' lacks '%s'", cases[i].hw, x->not_known ? x->not_known : "", cases[i].why);
        assert_true(c->points[0].ideal_s > 0);
        roof_curve_free(c);
    }
    roof_graph_free(g);
}

/* Prompts: of NVIDIA and Apple alone, of packed weights. */
static void prompts_have_a_time_where_constants_carry_over(void **state)
{
    static const struct {
        const char *hw, *form;
        bool is_known;
    } cases[] = {{"rtx-3090", "q4_k", true},      {"rtx-3090", "f16", false},
                 {"h100", "q4_k", true},          {"apple-m4-pro", "q4_k", true},
                 {"apple-m5-pro", "q4_k", false}, {"rx-7900-xt", "q4_k", false},
                 {"arc-b580", "q4_k", false},     {"ryzen-7840hs", "q4_k", false}};
    static const uint32_t at = 512;
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_graph *g = open_as(0, cases[i].form);
        roof_curve *c = curve_of(g, cases[i].hw, (roof_curve_options){.prompts = &at, .n_prompts = 1});
        const roof_curve_point *x = &c->points[0];
        if (isnan(x->expected.seconds) == cases[i].is_known)
            fail_msg("%s %s: %g", cases[i].hw, cases[i].form, x->expected.seconds);
        assert_true((x->expected.not_known != NULL) != cases[i].is_known);
        assert_true(!cases[i].is_known || x->expected.seconds > x->ideal_s);
        roof_curve_free(c);
        roof_graph_free(g);
    }
}

/* Rows of a prediction make the same sum, intervals begin at the bound at least. */
static void a_prediction_says_what_a_curve_says(void **state)
{
    static const char *const ids[] = {"rtx-3090", "rx-7900-xt", "apple-m2-ultra-76c"};
    static const uint32_t at = 2048;
    (void)state;
    for (int m = 0; language_texts[m].name; m++)
        for (size_t k = 0; k < COUNT(ids); k++) {
            roof_graph *g = language_open(language_texts[m].text, (roof_workload){.phase = ROOF_TEXT_DECODE,
                                                                                  .context_tokens = at,
                                                                                  .weight_type = "q4_k",
                                                                                  .asks_text = true});
            roof_curve *c = curve_of(g, ids[k], (roof_curve_options){.contexts = &at, .n_contexts = 1});
            roof_prediction *p = fx_predict(g, ids[k], &(roof_predict_options){.batch = 1});
            const roof_curve_point *x = &c->points[0];
            double rows = 0;
            for (uint32_t i = 0; i < p->n_layers; i++)
                rows += p->layers[i].predicted_s * p->layers[i].repeat;
            assert_true(fabs(x->expected.seconds / p->total.predicted_s - 1) < 1e-9);
            assert_true(fabs(rows / p->total.predicted_s - 1) < 1e-9);
            assert_true(x->expected.ci95_s[0] >= x->ideal_s * (1 - 1e-12));
            assert_true(x->expected.ci95_s[1] >= 1.49 * x->expected.seconds);
            roof_prediction_free(p);
            roof_curve_free(c);
            roof_graph_free(g);
        }
}

/* --- measured and asked --------------------------------------------------------------------------------- */

static void a_measured_step_is_met_and_scales_all_others(void **state)
{
    static const uint32_t at[] = {64, 1024, 16384};
    static const roof_curve_measured own = {ROOF_TEXT_DECODE, 1024, 0.02};
    (void)state;
    roof_graph *g = open_as(LLAMA_8B, "q4_k");
    roof_curve_options o = {.contexts = at, .n_contexts = 3};
    roof_curve *without = curve_of(g, "rtx-3060", o);
    o.anchors = &own;
    o.n_anchors = 1;
    roof_curve *with = curve_of(g, "rtx-3060", o);
    assert_true(fabs(with->points[1].expected.seconds - own.seconds) < 1e-12);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(with->points[i].expected.seconds / without->points[i].expected.seconds /
                             (own.seconds / without->points[1].expected.seconds) -
                         1) < 1e-9);
    roof_curve_free(with);
    roof_curve_free(without);
    roof_graph_free(g);
}

static void a_batch_or_another_memory_has_no_time(void **state)
{
    static const struct {
        roof_curve_options o;
        const char *why;
    } cases[] = {{{.batch = 4}, "8 sequences took 1.16 to 7.5 times"},
                 {{.bandwidth_bytes_per_s = 500e9}, "the machine's own clock and memory"}};
    static const uint32_t at = 1024;
    (void)state;
    roof_graph *g = open_as(0, "q4_k");
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_curve_options o = cases[i].o;
        o.contexts = &at;
        o.n_contexts = 1;
        roof_curve *c = curve_of(g, "rtx-3090", o);
        assert_true(isnan(c->points[0].expected.seconds));
        assert_non_null(strstr(c->points[0].expected.not_known, cases[i].why));
        roof_curve_free(c);
    }
    roof_graph_free(g);
}

/* --- memory --------------------------------------------------------------------------------------------- */

/* Llama 3.1 8B: weights of 16 bits are 16.06 GB, of 8 GiB 8.59 GB; q4_k 4.52 GB, and 0.59 GB beside. */
static void what_does_not_fit_has_no_time_or_is_refused(void **state)
{
    static const struct {
        const char *hw, *form;
        uint64_t memory_bytes;
        roof_memory_answer fits; /* FITS_NOT: refused */
    } cases[] = {{"rtx-4090", "bf16", 0, ROOF_MEMORY_FITS},
                 {"rtx-4080", "bf16", 0, ROOF_MEMORY_FITS},
                 {"rtx-3060", "bf16", 0, ROOF_MEMORY_FITS_NOT},
                 {"rtx-3070", "q8_0", 0, ROOF_MEMORY_UNKNOWN},
                 {"orin-nano-8gb", "bf16", 0, ROOF_MEMORY_FITS_NOT},
                 {"orin-nano-8gb", "q4_k", 0, ROOF_MEMORY_FITS},
                 {"apple-m4-pro", "bf16", 15ull << 30, ROOF_MEMORY_UNKNOWN},
                 {"apple-m4-pro", "bf16", 8ull << 30, ROOF_MEMORY_FITS_NOT}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_graph *g =
            language_open(language_texts[LLAMA_8B].text, (roof_workload){.phase = ROOF_TEXT_DECODE,
                                                                         .context_tokens = 512,
                                                                         .weight_type = cases[i].form,
                                                                         .asks_text = true});
        roof_hw *hw = fx_hw(cases[i].hw);
        roof_prediction *p = NULL;
        roof_error err = {0};
        const roof_status status = roof_predict(
            g, hw, &(roof_predict_options){.batch = 1, .memory_bytes = cases[i].memory_bytes}, &p, &err);
        if (cases[i].fits == ROOF_MEMORY_FITS_NOT) {
            assert_int_equal(status, ROOF_E_DATA);
            assert_non_null(strstr(err.what, "it does not fit"));
        } else {
            assert_int_equal(status, ROOF_OK);
            if (p->language.memory.fits != cases[i].fits)
                fail_msg("%s %s: needs %g GB of %g GB", cases[i].hw, cases[i].form,
                         (double)p->language.memory.need_bytes / 1e9,
                         (double)p->language.memory.available_bytes / 1e9);
            assert_true(isnan(p->total.predicted_s) == (cases[i].fits != ROOF_MEMORY_FITS));
        }
        roof_prediction_free(p);
        roof_hw_free(hw);
        roof_graph_free(g);
    }
}

/* What another form would need says nothing of this one. */
static void an_alternative_that_does_not_fit_is_left_out(void **state)
{
    (void)state;
    roof_graph *g = open_as(LLAMA_8B, "q4_k");
    roof_prediction *large = fx_predict(g, "rtx-4090", &(roof_predict_options){.batch = 1}),
                    *small = fx_predict(g, "rtx-3060", &(roof_predict_options){.batch = 1});
    assert_true(large->n_alternatives == small->n_alternatives + 1); /* bf16 */
    roof_prediction_free(large);
    roof_prediction_free(small);
    roof_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_by_hand_come_out_to_the_last_digit),
        cmocka_unit_test(the_stack_is_the_devices_own_or_the_one_that_is_named),
        cmocka_unit_test(prompts_have_a_time_where_constants_carry_over),
        cmocka_unit_test(a_prediction_says_what_a_curve_says),
        cmocka_unit_test(a_measured_step_is_met_and_scales_all_others),
        cmocka_unit_test(a_batch_or_another_memory_has_no_time),
        cmocka_unit_test(what_does_not_fit_has_no_time_or_is_refused),
        cmocka_unit_test(an_alternative_that_does_not_fit_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
