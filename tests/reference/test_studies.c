/* Two published studies through the whole program: what their tables say of overhead, host and layers, and
 * what they do not. The figures below are computed by hand or by other programs from the tables, which
 * examples/ cites. */
#include "roofline/calibrate.h"
#include "roofline/words.h"
#include "tests/reference/study.h"
#include "tests/support/accuracy.h"

static study kv260, zcu104;

static int open_studies(void **state)
{
    (void)state;
    kv260 = study_open("kv260");
    zcu104 = study_open("zcu104-resnet50");
    return 0;
}

static int close_studies(void **state)
{
    (void)state;
    study_close(&kv260);
    study_close(&zcu104);
    return 0;
}

static void assert_ms(const char *what, double seconds, double ms, double digit)
{
    if (!(fabs(1e3 * seconds - ms) <= 0.5001 * digit))
        fail_msg("%s is %.6f ms, want %g", what, 1e3 * seconds, ms);
}

/* ---- KV260 ---- */

/* @source I. Gubochkin, I. Gorshkova, P. Salovskii, "Measuring What Actually Matters: Per-Layer DPU Profiling
 * on Kria KV260",
 *   Simfero, dAIEDGE Project #101120726, March 2026, tables 1 to 3; lines by numpy.linalg.lstsq, intervals by
 *   Student's t */
static const struct line {
    int fit;
    roof_line_kind kind;
    double slope_ms, slope_se_ms, slope_digit, intercept_ms, intercept_se_ms, intercept_digit, r2;
} lines[] = {
    {ROOF_FIT_OVERHEAD, ROOF_LINE_FREE, 0.1671, 0.0207, 1e-4, -0.18, 0.81, 1e-2, 0.985},
    {ROOF_FIT_OVERHEAD, ROOF_LINE_ORIGIN, 0.1628, 0.0063, 1e-4, 0, 0, 1e-2, 0.984},
    {ROOF_FIT_HOST, ROOF_LINE_FREE, 0.0107, 0.0018, 1e-4, 2.062, 0.072, 1e-3, 0.971},
    {ROOF_FIT_BOUNDARY, ROOF_LINE_FREE, 0.1564, 0.0189, 1e-4, -2.24, 0.73, 1e-2, 0.986},
};

static void the_lines_of_the_kv260_study_come_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        const roof_line *l = &kv260.r->fits[lines[i].fit].fit.lines[lines[i].kind];
        assert_true(l->known);
        assert_ms("slope", l->slope.value, lines[i].slope_ms, lines[i].slope_digit);
        assert_ms("its error", l->slope.se, lines[i].slope_se_ms, lines[i].slope_digit);
        assert_ms("intercept", l->intercept.value, lines[i].intercept_ms, lines[i].intercept_digit);
        assert_ms("its error", l->intercept.se, lines[i].intercept_se_ms, lines[i].intercept_digit);
        assert_true(fabs(l->r2 - lines[i].r2) <= 0.0005001);
    }
    const roof_line *free_line = &kv260.r->fits[ROOF_FIT_OVERHEAD].fit.lines[ROOF_LINE_FREE];
    assert_int_equal(free_line->dof, 1);
    assert_true(free_line->slope.ci95_low < 0 && free_line->slope.ci95_high > 0); /* one degree of freedom */
}

static void the_residuals_of_the_kv260_study_come_out(void **state)
{
    static const double want_ms[] = {0.227, -0.478, 0.251};
    (void)state;
    for (size_t i = 0; i < COUNT(want_ms); i++)
        assert_ms("residual", roof_overhead_residual(&kv260.r->fits[ROOF_FIT_OVERHEAD], ROOF_LINE_FREE, i),
                  want_ms[i], 1e-3);
}

static void the_decomposition_comes_near_and_the_common_rule_does_not_as_it_is_worded(void **state)
{
    static const struct {
        double corrected_percent, rule_percent, rule_total_percent, inflation_percent;
    } want[] = {{3.9, -42, 0, 47.7}, {-7.3, -53, -12.9, 90.2}, {1.4, -17, -0.6, 57.6}};
    (void)state;
    for (size_t i = 0; i < COUNT(want); i++) {
        const roof_reconciled *e = &kv260.r->experiments[i];
        assert_true(fabs(100 * e->total.corrected_error_ratio - want[i].corrected_percent) <= 0.05);
        assert_true(fabs(100 * e->total.rule_error_ratio - want[i].rule_percent) <= 0.5);
        assert_true(fabs(100 * e->total.rule_total_error_ratio - want[i].rule_total_percent) <= 0.05);
        assert_true(fabs(100 * e->total.inflation_ratio - want[i].inflation_percent) <= 0.05);
        assert_true(e->layer_by_layer.attributed_s + e->layer_by_layer.unattributed_s ==
                    e->total.per_layer_s);
    }
}

static const char *finding_of(const study *s, roof_finding_kind kind, const char *unit)
{
    static char text[ROOF_SENTENCE_SIZE];
    for (uint32_t i = 0; i < s->r->n_findings; i++) {
        const roof_finding *f = &s->r->findings[i];
        size_t length = f->place ? strlen(f->place) : 0, tail = strlen(unit);
        if (f->kind == kind && length >= tail && strcmp(f->place + length - tail, unit) == 0)
            return roof_sentence(s->r, ROOF_SENTENCE_FINDING, i, text);
    }
    fail_msg("no %s of %s", roof_finding_kind_text(kind), unit);
    return "";
}

/* GOP/s as printed, and how they came about: table 4 and 5 of the study, all eleven. */
static void every_printed_rate_is_explained(void **state)
{
    static const struct {
        const char *unit, *text;
    } want[] = {
        {"MobilenetV1/Conv2d_0", "54.1 GOP/s uses 0.03 GOP"},
        {"Conv2d_3_pointwise", "302.4 GOP/s uses 0.11 GOP"},
        {"Conv2d_5_pointwise", "306.1 GOP/s uses 0.10 GOP"},
        {"Conv2d_12_pointwise", "161.3 GOP/s uses 0.05 GOP"},
        {"Conv2d_1c_1x1", "hence 0.0 GOP/s"},
        {"subgraph_conv1", "259.2 GOP/s uses 0.24 GOP"},
        {"res3a_branch2b", "472.7 GOP/s uses 0.23 GOP"},
        {"res4a_branch2b", "497.6 GOP/s uses 0.23 GOP"},
        {"res4c", "189.9 GOP/s uses 0.10 GOP"},
        {"res5b_branch2b", "406.8 GOP/s uses 0.23 GOP"},
        {"pool5", "hence 0.0 GOP/s"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(want); i++) {
        const char *text = finding_of(&kv260, ROOF_FINDING_ROUNDED_RATE, want[i].unit);
        if (!strstr(text, want[i].text))
            fail_msg("%s: %s", want[i].unit, text);
    }
}

static void outliers_and_the_alu_are_named(void **state)
{
    (void)state;
    assert_non_null(
        strstr(finding_of(&kv260, ROOF_FINDING_ONE_OUTLIER, "Conv2d_3_pointwise"), "median 361.6 us"));
    assert_non_null(strstr(finding_of(&kv260, ROOF_FINDING_ONE_OUTLIER, "res4c"), "median 523.7 us"));
    assert_non_null(
        strstr(finding_of(&kv260, ROOF_FINDING_ONE_OUTLIER, "res5b_branch2b"), "median 562.5 us"));
    assert_non_null(
        strstr(finding_of(&kv260, ROOF_FINDING_SIDE_ENGINE, "Conv2d_0"), "the layer is ALU-bound"));
    assert_ms("ceiling", kv260.r->ceiling.seconds, 0.135, 1e-3);
    assert_true(kv260.r->ceiling.is_mean);
}

/* ---- ZCU104 ---- */

/* @source Xilinx/Vitis-AI-Tutorials, branch 1.4, Design_Tutorials/16-profiler_introduction, figures 9 and
 * 11 */
static void the_zcu104_study_splits_into_launches_and_traffic(void **state)
{
    const roof_reconciled *e = &zcu104.r->experiments[0];
    (void)state;
    assert_int_equal(e->n_matches, 62); /* and the host's */
    assert_int_equal(e->total.static_bytes_compared, 61);
    assert_int_equal(e->total.static_bytes_agree,
                     60); /* all but the first layer, which loads its image several times */
    assert_int_equal(e->total.bytes_resolution, 1000);
    for (uint32_t i = 0; i < e->n_matches; i++)
        assert_int_not_equal(e->matches[i].verdict, ROOF_VERDICT_IMPOSSIBLE);
    assert_ms("difference of the modes", e->total.sum_of_layers_s - e->total.bypass_s, 6.256, 1e-3);
    assert_ms("ceiling", zcu104.r->ceiling.seconds, 0.079, 1e-3);
    assert_false(zcu104.r->ceiling.is_mean);
    assert_true(fabs(e->total.extra_bytes - 11.939e6) < 1);
    assert_true(e->total.extra_is_measured);
    assert_ms("launches at most", e->total.launch_s[1], 4.825, 1e-3);
    assert_ms("traffic at least", e->total.traffic_s[0], 1.431, 1e-3);
    assert_true(e->total.is_replayed);
    assert_ms("launches at least", e->total.launch_s[0], 4.433, 1e-3);
    assert_ms("traffic at most", e->total.traffic_s[1], 1.823, 1e-3);
    char split[ROOF_SENTENCE_SIZE];
    roof_sentence(zcu104.r, ROOF_SENTENCE_SPLIT, (uint32_t)(e - zcu104.r->experiments), split);
    assert_non_null(strstr(split, "72.68 us to 79.09 us a boundary"));
}

/* ---- calibration ---- */

static void the_kv260_study_can_be_calibrated_on(void **state)
{
    roof_calibration *c = NULL;
    roof_error err;
    (void)state;
    assert_int_equal(roof_calibrate(kv260.r, &c, &err), ROOF_OK);
    assert_int_equal(c->totals, 3);
    assert_int_equal(c->n_left_out, 3);
    for (uint32_t i = 0; i < c->n_parameters; i++) {
        const roof_parameter *p = &c->parameters[i];
        assert_true(p->ci95_low <= p->value && p->value <= p->ci95_high && p->value > 0 &&
                    p->value < p->most);
        if (strcmp(p->name, "per_inference_s") == 0) /* the host constant of the fit lies in its interval */
            assert_true(p->determined && p->ci95_low < 2.06e-3 && 2.06e-3 < p->ci95_high);
        if (strcmp(p->name, "fetch_cycles_per_word") ==
            0) /* what layers of another board tell lies in its interval */
            assert_true(p->ci95_low < 8.2 && 8.2 < p->ci95_high);
    }
    accuracy a = {.what = "KV260, the study of examples/kv260, networks",
                  .constants = "a calibration to the others",
                  .left_out = "networks"};
    for (uint32_t i = 0; i < c->n_left_out; i++)
        accuracy_add(&a, c->left_out[i].model, c->left_out[i].predicted_s, c->left_out[i].measured_s, NULL);
    accuracy_tell(&a);
    assert_true(accuracy_quantile(&a, 1) < 0.10);
    for (uint32_t i = 0; i < 3; i++) { /* what it was fitted to lies in the interval that it gives */
        roof_expected x = roof_calibration_expect(c, kv260.predictions[i], NULL);
        assert_true(x.ci95_s[0] < kv260.r->experiments[i].total.bypass_s &&
                    kv260.r->experiments[i].total.bypass_s < x.ci95_s[1]);
    }
    roof_calibration_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lines_of_the_kv260_study_come_out),
        cmocka_unit_test(the_residuals_of_the_kv260_study_come_out),
        cmocka_unit_test(the_decomposition_comes_near_and_the_common_rule_does_not_as_it_is_worded),
        cmocka_unit_test(every_printed_rate_is_explained),
        cmocka_unit_test(outliers_and_the_alu_are_named),
        cmocka_unit_test(the_zcu104_study_splits_into_launches_and_traffic),
        cmocka_unit_test(the_kv260_study_can_be_calibrated_on),
    };
    return cmocka_run_group_tests(tests, open_studies, close_studies);
}
