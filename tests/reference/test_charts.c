/* Every chart of every model at hand, in both sizes: no text lies on another, none leaves the picture. Models
 * are those of examples/, networks of 500 and 5,000 layers, and those of the optional folder that
 * ROOFLINE_SHARED names. */
#include "reports/charts/chart.h"
#include "roofline/reconcile.h"
#include "tests/support/chart_check.h"
#include "tests/unit/fixture.h"
#include "tests/support/skips.h"

#include <dirent.h>

static unsigned n_drawn;

static void check_chart(const chart_def *chart, const chart_source *source, const char *of)
{
    const chart_canvas canvases[] = {canvas_wide, canvas_narrow};
    for (size_t i = 0; i < COUNT(canvases); i++) {
        chart_figure f;
        bool is_empty;
        roof_error err = {0};
        char fault[700];
        if (chart_draw(chart, source, canvases[i], &f, &is_empty, &err) != ROOF_OK)
            fail_msg("%s of %s: %s", chart->id, of, fx_message(&err));
        if (!is_empty && chart_fault(&f, fault, sizeof fault))
            fail_msg("%s of %s, %.0f px wide: %s", chart->id, of, canvases[i].width_px, fault);
        if (!is_empty && (!f.title[0] || !f.caption[0]))
            fail_msg("%s of %s has no title or caption", chart->id, of);
        n_drawn += !is_empty;
        figure_free(&f);
    }
}

static void check_charts(chart_scope scope, const chart_source *source, const char *of)
{
    for (size_t i = 0; chart_at(i); i++)
        if (chart_at(i)->scope == scope)
            check_chart(chart_at(i), source, of);
}

static void check_prediction(const roof_prediction *p, const char *of)
{
    const chart_source source = {.prediction = p};
    check_charts(CHART_MODEL, &source, of);
}

/* On the hardware it was compiled for, or on one that fits anything. */
static bool check_model(const char *path)
{
    static const char any[] = "mac=2048/cycle,clock=300MHz,ddr=19.2GB/s";
    roof_graph *graph = NULL;
    roof_hw *hw = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    if (roof_graph_read(path, &graph, &err) != ROOF_OK)
        return false;
    const roof_subgraph *target = roof_graph_accelerator(graph);
    if (!target || roof_hw_match(roof_xir_subgraph_of(graph, target)->fingerprint, &hw, &err) != ROOF_OK)
        assert_int_equal(roof_hw_load(any, &hw, &err), ROOF_OK);
    if (roof_predict(graph, hw, NULL, &p, &err) == ROOF_OK)
        check_prediction(p, path);
    bool good = p != NULL;
    roof_prediction_free(p);
    roof_hw_free(hw);
    roof_graph_free(graph);
    return good;
}

/* ---- measured studies ---- */

enum { MOST_EXPERIMENTS = 8 };

static void check_study(const char *path)
{
    roof_prediction *predictions[MOST_EXPERIMENTS] = {0};
    bool borrowed[MOST_EXPERIMENTS];
    roof_measured *m = NULL;
    roof_reconciliation *r = NULL;
    roof_error err = {0};
    assert_int_equal(roof_measured_read(path, &m, &err), ROOF_OK);
    assert_true(m->n_experiments <= MOST_EXPERIMENTS);
    for (uint32_t i = 0; i < m->n_experiments; i++)
        if (roof_experiment_predict(&m->experiments[i], NULL, NULL, NULL, &predictions[i], &borrowed[i],
                                    &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
    assert_int_equal(roof_reconcile(m, (const roof_prediction *const *)predictions, NULL, &r, &err), ROOF_OK);
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        const chart_source source = {.prediction = e->prediction, .reconciliation = r, .experiment = e};
        check_charts(CHART_MODEL, &source, e->model);
        check_prediction(e->prediction, e->model);
    }
    const chart_source all = {.reconciliation = r,
                              .devices = (const roof_prediction *const *)predictions,
                              .n_devices = m->n_experiments};
    check_charts(CHART_STUDY, &all, path);
    check_charts(CHART_DEVICES, &all, path);
    roof_reconciliation_free(r);
    for (uint32_t i = 0; i < m->n_experiments; i++)
        if (!borrowed[i])
            roof_prediction_free(predictions[i]);
    roof_measured_free(m);
}

static void charts_of_the_studies_are_readable(void **state)
{
    static const char *const studies[] = {"examples/kv260/measured.json",
                                          "examples/zcu104-resnet50/measured.json",
                                          "examples/sigmastar/measured.json"};
    (void)state;
    for (size_t i = 0; i < COUNT(studies); i++) {
        char path[1000];
        snprintf(path, sizeof path, "%s/%s", getenv("ROOFLINE_SOURCE_DIR"), studies[i]);
        n_drawn = 0;
        check_study(path);
        assert_true(n_drawn >= 4);
    }
}

/* ---- models ---- */

static void charts_of_the_examples_are_readable(void **state)
{
    static const char *const examples[] = {"mobilenetv1-b4096", "mobilenetv2-b4096", "resnet50-b4096"};
    (void)state;
    for (size_t i = 0; i < COUNT(examples); i++) {
        char path[1000];
        snprintf(path, sizeof path, "%s/examples/models/%s.xmodel", getenv("ROOFLINE_SOURCE_DIR"),
                 examples[i]);
        assert_true(check_model(path));
    }
}

static void charts_of_small_and_large_networks_are_readable(void **state)
{
    static const uint32_t sizes[] = {1, 2, 3, 50, 500, 5000};
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        char of[40];
        fx_net net = fx_open(xn_find_network("chain")->build(&(xn_config){.n_layers = sizes[i]}, NULL), NULL);
        roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
        snprintf(of, sizeof of, "%u layers", sizes[i]);
        check_prediction(p, of);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

static void charts_of_real_models_are_readable(void **state)
{
    char folder[1000], path[2000];
    struct dirent *entry;
    unsigned models = 0;
    (void)state;
    snprintf(folder, sizeof folder, "%s/data/xmodel", shared_folder());
    DIR *dir = opendir(folder);
    if (!dir)
        skip_without(folder);
    n_drawn = 0;
    while ((entry = readdir(dir))) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".xmodel") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        models += check_model(path);
    }
    closedir(dir);
    print_message("%u models, %u charts\n", models, n_drawn);
    assert_true(models >= 50 && n_drawn >= 2 * models);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(charts_of_the_studies_are_readable),
        cmocka_unit_test(charts_of_the_examples_are_readable),
        cmocka_unit_test(charts_of_small_and_large_networks_are_readable),
        cmocka_unit_test(charts_of_real_models_are_readable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
