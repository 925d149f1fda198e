/* Calibrations from real reports of an STM32N6, where ../shared has them: each network is predicted by what
 * all others say, all copies of it left out. The networks were published without their plans, so that plans
 * derived from their shapes stand in (tests/support/art_networks.h says what of them is established). */
#include "roofline/calibrate.h"
#include "roofline/import.h"
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

enum { REPORTS = sizeof reports / sizeof *reports, MOST_NETWORKS = 16, MOST_ERRORS = 200 };

/* Everything that was measured, beside what was planned. */
typedef struct bench {
    roof_hw *hw;
    an_plan *plans[MOST_NETWORKS];
    roof_prediction *predictions[MOST_NETWORKS];
} bench;

typedef struct errors {
    double ratios[MOST_ERRORS]; /* |predicted / measured - 1| */
    unsigned n, guessed, faster;
} errors;

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

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(errors *e, double part)
{
    qsort(e->ratios, e->n, sizeof *e->ratios, by_size);
    assert_true(e->n > 0);
    double at = part * (e->n - 1);
    unsigned low = (unsigned)at, high = low + 1 < e->n ? low + 1 : low;
    return e->ratios[low] + (at - low) * (e->ratios[high] - e->ratios[low]);
}

static void add_error(errors *e, double ratio)
{
    assert_true(e->n < MOST_ERRORS && isfinite(ratio));
    e->ratios[e->n++] = ratio;
}

typedef struct comparison {
    const double *layer_s;
    double per_start_s;
    errors whole, core;
} comparison;

static void compare(const an_plan *plan, const roof_prediction *p, uint32_t layer, double core_s,
                    double all_s, void *context)
{
    comparison *c = context;
    (void)p;
    c->whole.guessed += plan->guessed[layer];
    if (plan->guessed[layer])
        return;
    add_error(&c->whole, fabs(c->layer_s[layer] / all_s - 1));
    add_error(&c->core, fabs((c->layer_s[layer] - c->per_start_s) / core_s - 1));
}

static void tell(const char *name, errors *whole, errors *core)
{
    print_message("%-18s %3u epochs, %u guessed: median %5.1f %%, 90 %% within %5.1f %%; while the NPU works "
                  "%5.1f and %5.1f %%\n",
                  name, whole->n, whole->guessed, 100 * quantile(whole, 0.5), 100 * quantile(whole, 0.9),
                  100 * quantile(core, 0.5), 100 * quantile(core, 0.9));
}

static void add_errors(errors *sum, const errors *e)
{
    for (unsigned i = 0; i < e->n; i++)
        add_error(sum, e->ratios[i]);
    sum->guessed += e->guessed;
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
    errors whole = {0}, core = {0};
    (void)state;
    need_reports();
    open_bench(&b);
    for (size_t i = 0; an_name(i); i++) {
        double layer_s[AN_MOST_EPOCHS];
        roof_calibration *c = fit_without(&b, an_name(i));
        roof_calibration_expect(c, b.predictions[i], layer_s);
        comparison of = {.layer_s = layer_s, .per_start_s = value_of(c, "per_start_s")};
        for (size_t r = 0; r < REPORTS; r++)
            if (strcmp(reports[r].network, an_name(i)) == 0)
                for_each_epoch(&b, r, compare, &of);
        tell(an_name(i), &of.whole, &of.core);
        add_errors(&whole, &of.whole);
        add_errors(&core, &of.core);
        roof_calibration_free(c);
    }
    tell("all", &whole, &core);
    assert_true(quantile(&whole, 0.5) < 0.1);
    assert_true(quantile(&core, 0.5) < 0.1);
    assert_true(whole.n >= 74);
    close_bench(&b);
}

static void want_bound(const an_plan *plan, const roof_prediction *p, uint32_t layer, double core_s,
                       double all_s, void *context)
{
    errors *e = context;
    (void)all_s;
    e->guessed += plan->guessed[layer];
    e->n++;
    if (core_s >= p->layers[layer].deployed.ideal_s)
        return;
    e->faster++;
    print_message("%s, %s: %.1f us measured while the NPU works, %.1f us at best\n", p->model.name,
                  p->layers[layer].name, core_s * 1e6, p->layers[layer].deployed.ideal_s * 1e6);
}

static void no_epoch_is_faster_than_its_plan_allows(void **state)
{
    bench b;
    errors e = {0};
    (void)state;
    need_reports();
    open_bench(&b);
    for (size_t r = 0; r < REPORTS; r++)
        for_each_epoch(&b, r, want_bound, &e);
    print_message("%u epochs of the NPU, %u of them guessed\n", e.n, e.guessed);
    assert_int_equal(e.faster, 0);
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
