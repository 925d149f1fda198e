/* Calibrations from real reports of an STM32N6, where ../shared has them: each network is predicted by what
 * all others say, all copies of it left out. The networks were published without their plans, so that plans
 * derived from their shapes stand in (tests/support/art_networks.h says what of them is established). */
#include "roofline/calibrate.h"
#include "roofline/import.h"
#include "tests/support/accuracy.h"
#include "tests/support/art_networks.h"
#include "tests/unit/fixture.h"
#include "tests/support/skips.h"
#include <unistd.h>

#define CUBEMX   "magnus_Output_Baseline__CubeMX_xcubeai__"
#define DEVCLOUD "magnus_Output_Baseline__Dev_Cloud__AICore2.2__"

static const struct {
    const char *network, *file;
} reports[] = {
    {"conv2d_16f_3x3", CUBEMX "Conv2d_16f_3x3__network_validate_report.txt"},
    {"conv2d_16f_3x3", DEVCLOUD "conv2d_16f_3x3.txt"},
    {"conv2d_3x3", CUBEMX "Conv2d_3x3__network_validate_report.txt"},
    {"conv2d_3x3", DEVCLOUD "conv2d_3x3.txt"},
    {"conv2d_64f_3x3", CUBEMX "conv2d_64f_3x3__network_validate_report.txt"},
    {"conv2d_64f_3x3", DEVCLOUD "conv2d_64f_3x3.txt"},
    {"conv2d_1x1", CUBEMX "Conv2d_1x1__network_validate_report.txt"},
    {"conv2d_1x1", DEVCLOUD "conv2d_1x1_report.txt"},
    {"conv2d_32f_5x5", CUBEMX "Conv2d_32f_5x5__network_validate_report.txt"},
    {"conv2d_32f_5x5", DEVCLOUD "conv2d_32f_5x5.txt"},
    {"conv2d_32f_7x7", CUBEMX "Conv2d_32f_7x7__network_validate_report.txt"},
    {"conv2d_32f_7x7", DEVCLOUD "conv2d_32f_7x7.txt"},
    {"conv2d_poll", CUBEMX "Conv2d_poll__network_validate_report.txt"},
    {"conv2d_poll", DEVCLOUD "conv2d_poll.txt"},
    {"depthwise_3x3", DEVCLOUD "depthwise_3x3.txt"},
    {"mobilenet_v2_224", "magnus_Output_CV_Models__Cube_MX__mobilenet_v2_224.txt"},
};

enum { REPORTS = sizeof reports / sizeof *reports, MOST_NETWORKS = 16 };

/* Everything that was measured, beside what was planned. */
typedef struct bench {
    roof_hw *hw;
    an_plan *plans[MOST_NETWORKS];
    roof_prediction *predictions[MOST_NETWORKS];
} bench;

/* ---- plans and reports ---- */

static roof_prediction *predict(const roof_hw *hw, const ci_network *network)
{
    textbuf text;
    roof_graph *graph = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    text_init(&text, TEXT_MAX_BYTES);
    ci_write(network, CI_3_0, &text);
    if (graph_read_memory((const unsigned char *)text.bytes, text.length, "c_info.json", &graph, &err) !=
            ROOF_OK ||
        roof_predict(graph, hw, NULL, &p, &err) != ROOF_OK)
        fail_msg("%s: %s", network->name, fx_message(&err));
    roof_graph_free(graph);
    text_free(&text);
    return p;
}

static void open_bench(bench *b)
{
    *b = (bench){.hw = fx_hw("stm32n6")};
    for (size_t i = 0; an_name(i); i++) {
        assert_true(i < MOST_NETWORKS);
        b->plans[i] = malloc(sizeof *b->plans[i]);
        assert_non_null(b->plans[i]);
        an_build(i, b->plans[i]);
        b->predictions[i] = predict(b->hw, &b->plans[i]->network);
    }
}

static void close_bench(bench *b)
{
    for (size_t i = 0; an_name(i); i++) {
        roof_prediction_free(b->predictions[i]);
        free(b->plans[i]);
    }
    roof_hw_free(b->hw);
}

static size_t network_named(const char *name)
{
    size_t i = 0;
    while (an_name(i) && strcmp(an_name(i), name) != 0)
        i++;
    assert_non_null(an_name(i));
    return i;
}

/* Skips where ../shared does not have the reports. */
static void need_reports(void)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/data/neural_art/measured/%s", shared_folder(), reports[0].file);
    if (access(path, R_OK) != 0)
        skip_without(path);
}

static roof_measured *import(size_t report)
{
    char path[1024];
    const roof_import_options options = {.hardware = "stm32n6"};
    roof_measured *m = NULL;
    roof_error err = {0};
    snprintf(path, sizeof path, "%s/data/neural_art/measured/%s", shared_folder(), reports[report].file);
    if (roof_import_file(path, &options, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_int_equal(m->n_experiments, 1);
    return m;
}

/* A fit to all reports but those of a network; NULL: to all of them. */
static roof_calibration *fit_without(const bench *b, const char *network)
{
    const roof_prediction *predictions[REPORTS];
    roof_measured *all = NULL;
    roof_reconciliation *r = NULL;
    roof_calibration *c = NULL;
    roof_error err = {0};
    for (size_t i = 0; i < REPORTS; i++) {
        if (network && strcmp(reports[i].network, network) == 0)
            continue;
        roof_measured *m = import(i);
        predictions[all ? all->n_experiments : 0] = b->predictions[network_named(reports[i].network)];
        if (all)
            assert_int_equal(roof_measured_merge(all, m, &err), ROOF_OK);
        else
            all = m;
    }
    if (roof_reconcile(all, predictions, NULL, &r, &err) != ROOF_OK || roof_calibrate(r, &c, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_reconciliation_free(r);
    roof_measured_free(all);
    return c;
}

/* ---- comparing ---- */

static double row_seconds(const roof_run *run, const roof_measured_layer *row, const char *phase)
{
    double sum = 0;
    for (uint32_t i = 0; i < row->counters->n_phases; i++)
        if (!phase || strcmp(row->counters->phases[i].name, phase) == 0)
            sum += (double)row->counters->phases[i].cycles[0].cycles;
    assert_string_equal(run->clocks[0].domain, "mcu");
    return sum / run->clocks[0].hz;
}

/* The epochs of a report that the NPU runs, one after the other. */
typedef void (*each_epoch)(const an_plan *plan, const roof_prediction *p, uint32_t layer, double core_s,
                           double all_s, void *context);

static unsigned for_each_epoch(const bench *b, size_t report, each_epoch each, void *context)
{
    size_t network = network_named(reports[report].network);
    const roof_prediction *p = b->predictions[network];
    roof_measured *m = import(report);
    const roof_run *run = &m->experiments[0].runs[0];
    unsigned n = 0;
    for (uint32_t i = 0; i < run->n_layers; i++)
        for (uint32_t k = 0; k < p->n_layers; k++)
            if (strcmp(run->layers[i].name, p->layers[k].name) == 0) {
                n++;
                if (strcmp(p->layers[k].device, "CPU") != 0)
                    each(b->plans[network], p, k, row_seconds(run, &run->layers[i], "core"),
                         row_seconds(run, &run->layers[i], NULL), context);
            }
    assert_int_equal(n, run->n_layers); /* the plan has every epoch that ran */
    roof_measured_free(m);
    return n;
}

typedef struct comparison {
    const double *layer_s;
    double per_start_s;
    accuracy *whole, *core;
} comparison;

/* Epochs whose plan is a guess say nothing of the law. */
static void compare(const an_plan *plan, const roof_prediction *p, uint32_t layer, double core_s,
                    double all_s, void *context)
{
    comparison *c = context;
    if (plan->guessed[layer])
        return;
    const double expected_s = c->layer_s[layer];
    print_message("%s, %s: %.1f us, expected %.1f; while the NPU works %.1f, expected %.1f\n",
                  plan->network.name, p->layers[layer].name, 1e6 * all_s, 1e6 * expected_s, 1e6 * core_s,
                  1e6 * (expected_s - c->per_start_s));
    accuracy_add(c->whole, plan->network.name, expected_s, all_s, NULL);
    accuracy_add(c->core, plan->network.name, expected_s - c->per_start_s, core_s, NULL);
}

static double value_of(const roof_calibration *c, const char *name)
{
    for (uint32_t i = 0; i < c->n_parameters; i++)
        if (strcmp(c->parameters[i].name, name) == 0)
            return c->parameters[i].value;
    fail_msg("no parameter '%s'", name);
    return NAN;
}

/* ---- what is promised ---- */

static void networks_that_were_left_out_are_predicted_within_a_tenth(void **state)
{
    bench b;
    accuracy whole = {.what = "STM32N6, epochs of the NPU from start to end, plans derived from shapes",
                      .constants = "a calibration to the others",
                      .left_out = "networks"},
             core = whole;
    core.what = "the same epochs while the NPU works";
    (void)state;
    need_reports();
    open_bench(&b);
    for (size_t i = 0; an_name(i); i++) {
        double layer_s[AN_MOST_EPOCHS];
        roof_calibration *c = fit_without(&b, an_name(i));
        roof_calibration_expect(c, b.predictions[i], layer_s);
        comparison of = {
            .layer_s = layer_s, .per_start_s = value_of(c, "per_start_s"), .whole = &whole, .core = &core};
        for (size_t r = 0; r < REPORTS; r++)
            if (strcmp(reports[r].network, an_name(i)) == 0)
                for_each_epoch(&b, r, compare, &of);
        roof_calibration_free(c);
    }
    accuracy_tell(&whole);
    accuracy_tell(&core);
    assert_true(accuracy_quantile(&whole, 0.5) < 0.1);
    assert_true(accuracy_quantile(&core, 0.5) < 0.1);
    assert_true(whole.n >= 74);
    close_bench(&b);
}

static void want_bound(const an_plan *plan, const roof_prediction *p, uint32_t layer, double core_s,
                       double all_s, void *context)
{
    (void)all_s;
    if (core_s < p->layers[layer].deployed.ideal_s)
        print_message("%s, %s: %.1f us measured while the NPU works, %.1f us at best\n", p->model.name,
                      p->layers[layer].name, core_s * 1e6, p->layers[layer].deployed.ideal_s * 1e6);
    accuracy_add_bound(context, plan->network.name, p->layers[layer].deployed.ideal_s, core_s);
}

static void no_epoch_is_faster_than_its_plan_allows(void **state)
{
    bench b;
    accuracy a = {.what = "STM32N6, epochs while the NPU works, plans derived from shapes"};
    (void)state;
    need_reports();
    open_bench(&b);
    for (size_t r = 0; r < REPORTS; r++)
        for_each_epoch(&b, r, want_bound, &a);
    accuracy_tell(&a);
    assert_true(accuracy_quantile(&a, 0) >= 1);
    close_bench(&b);
}

static void a_fit_to_all_is_near_the_physical_peaks(void **state)
{
    bench b;
    (void)state;
    need_reports();
    open_bench(&b);
    roof_calibration *c = fit_without(&b, NULL);
    for (uint32_t i = 0; i < c->n_parameters; i++)
        print_message("%-24s %.4g [%.4g, %.4g]%s\n", c->parameters[i].name, c->parameters[i].value,
                      c->parameters[i].ci95_low, c->parameters[i].ci95_high,
                      c->parameters[i].determined ? "" : ", its prior");
    assert_true(value_of(c, "efficiency.compute") > 0.9);
    assert_true(value_of(c, "efficiency.octoFlash") > 0.85);
    assert_true(value_of(c, "per_start_s") > 10e-6 && value_of(c, "per_start_s") < 40e-6);
    for (uint32_t i = 0; i < c->n_left_out; i++)
        print_message("%-34s %+.1f %%\n", c->left_out[i].model,
                      100 * (c->left_out[i].predicted_s / c->left_out[i].measured_s - 1));
    assert_int_equal(c->n_left_out, REPORTS);
    roof_calibration_free(c);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_that_were_left_out_are_predicted_within_a_tenth),
        cmocka_unit_test(no_epoch_is_faster_than_its_plan_allows),
        cmocka_unit_test(a_fit_to_all_is_near_the_physical_peaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
