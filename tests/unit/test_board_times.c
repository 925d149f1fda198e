/* What is expected on a board, and what is told where nothing is. */
#include "tests/unit/fixture.h"

enum { CONV, WIDE, PRODUCT, SMALL, NETWORKS, MOST = 3 };

/* A convolution of 1x1; one so wide that little beside its multiply-accumulates counts; a product; and what
 * is too small. */
static const fx_op networks[NETWORKS][MOST] = {
    [CONV] = {FX("in", "data", {1, 112, 112, 64}), FX("w", "const", {64, 1, 1, 64}),
              FX("conv", "conv2d", {1, 112, 112, 64}, .inputs = {"in"}, .weights = "w", .kernel = {1, 1})},
    [WIDE] = {FX("in", "data", {1, 64, 64, 2048}), FX("w", "const", {2048, 1, 1, 2048}),
              FX("conv", "conv2d", {1, 64, 64, 2048}, .inputs = {"in"}, .weights = "w", .kernel = {1, 1})},
    [PRODUCT] = {FX("in", "data", {4096, 4096}), FX("w", "const", {4096, 4096}),
                 FX("fc", "matmul", {4096, 4096}, .inputs = {"in"}, .weights = "w")},
    [SMALL] = {FX("in", "data", {1, 56, 56, 64}), FX("w", "const", {64, 1, 1, 64}),
               FX("conv", "conv2d", {1, 56, 56, 64}, .inputs = {"in"}, .weights = "w", .kernel = {1, 1})}};

static roof_prediction *predict(int network, const char *hw, const roof_predict_options *options)
{
    fx_net net = fx_open(fx_model(networks[network], MOST, NULL), NULL);
    roof_prediction *p = fx_predict(net.graph, hw, options);
    fx_close(&net);
    return p;
}

/* No finding: a time is expected, and nothing is told of it. */
#define EXPECTED ROOF_FINDING_COUNT

static const struct answered {
    const char *name, *hw;
    int network;
    roof_predict_options options;
    int finding;
    const char *says; /* in it, or in what the time is from */
} rows[] = {
    {"the default stack and type of a board",
     "rk3588-npu",
     CONV,
     {0},
     EXPECTED,
     "RKNN Toolkit 2 on one core"},
    {"one core is what the runtime takes",
     "rk3588-npu",
     CONV,
     {.cores = 1},
     EXPECTED,
     "RKNN Toolkit 2 on one core"},
    {"three cores divide one image, and little is won",
     "rk3588-npu",
     CONV,
     {.cores = 3},
     EXPECTED,
     "3 cores 1 to 1.3 times as fast for one image"},
    {"cores of a type that was published on one, of a runtime that divides nothing",
     "raspberry-pi-5",
     CONV,
     {.data_type = "f16", .cores = 3},
     ROOF_FINDING_NO_BOARD_TIMES,
     "in f16 on 3 cores"},
    {"a board without rates", "snapdragon-8-elite", CONV, {0}, EXPECTED, "QNN"},
    {"a type without a rate", "snapdragon-8-gen-3", CONV, {.data_type = "int8"}, EXPECTED, "QNN"},
    {"threads of a processor",
     "raspberry-pi-5",
     CONV,
     {.data_type = "f16", .cores = 1},
     EXPECTED,
     "ncnn, 1 thread"},
    {"a set that is known within a factor of 2", "rv1126-npu", CONV, {0}, EXPECTED, "within a factor of 2"},
    {"a type that nobody published",
     "raspberry-pi-5",
     CONV,
     {.data_type = "f32"},
     ROOF_FINDING_NO_BOARD_TIMES,
     "ncnn f16"},
    {"a stack that nobody published",
     "rk3588-npu",
     CONV,
     {.stack = "tensorrt"},
     ROOF_FINDING_NO_BOARD_TIMES,
     "rknn int8"},
    {"times that no law makes", "apple-a13-ane", CONV, {0}, ROOF_FINDING_NO_BOARD_TIMES, "differ too much"},
    {"products that a runtime fuses",
     "orin-nano-8gb-15w",
     PRODUCT,
     {.data_type = "f16"},
     ROOF_FINDING_NO_BOARD_TIMES,
     "fuses"},
    {"a batch that nobody published",
     "hailo-15l",
     CONV,
     {.batch = 4},
     ROOF_FINDING_NOT_OF_BATCH,
     "requested batch 4"},
    {"another clock", "hailo-8", CONV, {.clock_hz = 200e6}, ROOF_FINDING_NOT_CARRIED, "stock clock"},
    {"a law that is below the bound",
     "jetson-nano",
     WIDE,
     {.data_type = "f16"},
     ROOF_FINDING_LAW_BELOW_BOUND,
     "disagree"},
    {"a network smaller than any that was published",
     "hailo-8",
     SMALL,
     {0},
     ROOF_FINDING_NO_BOARD_TIMES,
     "of networks of 56 MMACs"},
    {"no board of the law",
     "rtx-4090",
     CONV,
     {.stack = "tensorrt"},
     ROOF_FINDING_NO_CONSTANTS,
     "no compiler constants"},
};

static void a_time_is_expected_or_a_reason_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_prediction *p = predict(rows[i].network, rows[i].hw, &rows[i].options);
        const bool is_expected = rows[i].finding == EXPECTED;
        const char *told =
            is_expected ? p->facts_of_verdict.from : fx_finding(p, (roof_finding_kind)rows[i].finding);
        if (is_expected == isnan(p->total.predicted_s) || !told || !strstr(told, rows[i].says))
            fail_msg("%s: %g s, '%s', want '%s'", rows[i].name, p->total.predicted_s, told ? told : "nothing",
                     rows[i].says);
        roof_prediction_free(p);
    }
}

/* Rows and what a call costs are the whole; a bound that is not known is none of 0. */
static void shares_add_up_and_no_time_is_below_the_bound(void **state)
{
    static const char *const boards[] = {"hailo-8", "rk3588-npu", "coral-edge-tpu", "snapdragon-8-elite",
                                         "ax8850"};
    (void)state;
    for (size_t i = 0; i < COUNT(boards); i++) {
        roof_prediction *p = predict(CONV, boards[i], NULL);
        const double *ci95_s = p->total.predicted_ci95_s, best_s = roof_best_s(p);
        double sum = roof_beside_layers_s(p);
        for (uint32_t k = 0; k < p->n_layers; k++)
            sum += p->layers[k].predicted_s;
        assert_true(fabs(sum / p->total.predicted_s - 1) < 1e-6);
        assert_true(ci95_s[0] <= p->total.predicted_s && p->total.predicted_s < ci95_s[1]);
        assert_true(isnan(best_s) ? p->total.floor_cycles == ROOF_UNKNOWN
                                  : best_s > 0 && best_s <= ci95_s[0]);
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_MISSING_ENGINE), 0);
        roof_prediction_free(p);
    }
}

/* 49 rows of 1x1 in a row are next to the 53 that a Hailo-8L holds in one context. */
static void near_the_limit_of_one_context_the_interval_holds_both(void **state)
{
    enum { ROWS = 49 };
    fx_op ops[FX_MAX_OPS] = {FX("in", "data", {1, 56, 56, 16}), FX("w", "const", {16, 1, 1, 16})};
    char names[ROWS + 1][8] = {"in"};
    (void)state;
    for (size_t i = 1; i <= ROWS; i++) {
        snprintf(names[i], sizeof names[i], "c%zu", i);
        ops[i + 1] = (fx_op)FX(names[i], "conv2d", {1, 56, 56, 16}, .inputs = {names[i - 1]}, .weights = "w",
                               .kernel = {1, 1});
    }
    fx_net net = fx_open(fx_model(ops, ROWS + 2, NULL), NULL);
    roof_prediction *p = fx_predict(net.graph, "hailo-8l", NULL);
    assert_true(strstr(p->facts_of_verdict.from, "one context"));
    assert_non_null(strstr(fx_finding(p, ROOF_FINDING_NEAR_ONE_CONTEXT), "in several"));
    assert_true(p->total.predicted_ci95_s[1] > 2.444 * 1.5 * p->total.predicted_s);
    roof_prediction_free(p);
    fx_close(&net);
}

/* As long as one core at most, 1.3 times as fast at best, and nothing else. */
static void one_image_on_several_cores_takes_up_to_what_one_core_takes(void **state)
{
    const roof_predict_options one = {.cores = 1}, three = {.cores = 3};
    roof_prediction *p = predict(CONV, "rk3588-npu", &one), *q = predict(CONV, "rk3588-npu", &three);
    (void)state;
    assert_true(fabs(q->total.predicted_s * sqrt(1.3) / p->total.predicted_s - 1) < 1e-12);
    assert_true(fabs(q->total.predicted_ci95_s[1] / p->total.predicted_ci95_s[1] - 1) < 1e-12);
    assert_true(q->total.predicted_ci95_s[0] * 1.3 >
                p->total.predicted_s / (p->total.predicted_ci95_s[1] / p->total.predicted_s) * (1 - 1e-12));
    assert_true(q->total.predicted_ci95_s[0] < p->total.predicted_ci95_s[0]);
    roof_prediction_free(p);
    roof_prediction_free(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_time_is_expected_or_a_reason_is_told),
        cmocka_unit_test(shares_add_up_and_no_time_is_below_the_bound),
        cmocka_unit_test(one_image_on_several_cores_takes_up_to_what_one_core_takes),
        cmocka_unit_test(near_the_limit_of_one_context_the_interval_holds_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
