/* ResNet-50 in 61 superlayers, beside a measured profile of the ZCU104, row by row. Needs the optional folder
 * that ROOFLINE_SHARED names; without it the test is skipped.
 *
 * @source github.com/Xilinx/Vitis-AI-Tutorials, branch 1.4, Design_Tutorials/16-profiler_introduction:
 * ResNet-50 of Caffe, one
 *   B4096 at 300 MHz of a ZCU104, compiler and vaitrace 1.4, every superlayer on its own. MB are 10^6 bytes
 *   there. */
#include "model/work/cost.h"
#include "tests/support/accuracy.h"
#include "tests/unit/fixture.h"
#include "tests/support/skips.h"

enum { ROWS = 61, DOWNSAMPLINGS = 6 };

typedef struct measured {
    char layer[40];
    double min_ms, workload_gop, moved_mb;
} measured;

static measured rows[ROWS]; /* in the order of execution */
static fx_net net;
static roof_prediction *predicted;

/* ---- the profile: two blocks, of which the second comes first in execution ---- */

static size_t read_rows(FILE *file, measured list[ROWS])
{
    char line[256];
    size_t n = 0;
    if (!fgets(line, sizeof line, file)) /* the names of the columns */
        return 0;
    while (n < ROWS && fgets(line, sizeof line, file)) {
        measured *m = &list[n];
        if (sscanf(line, "%39[^,],%*u,%lf,%*f,%*f,%lf,%*f,%lf", m->layer, &m->min_ms, &m->workload_gop,
                   &m->moved_mb) == 4)
            n++;
    }
    return n;
}

static bool load_profile(const char *shared)
{
    char path[4096];
    measured list[ROWS];
    snprintf(path, sizeof path, "%s/data/measured/dpu_resnet50_zcu104_layers.csv", shared);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    size_t n = read_rows(file, list), first = 0;
    fclose(file);
    while (first < n && strcmp(list[first].layer, "conv1") != 0)
        first++;
    for (size_t i = 0; i < n; i++)
        rows[i] = list[(first + i) % n];
    return n == ROWS;
}

static bool is_downsampling(const measured *m)
{
    return strncmp(m->layer, "fake_downsample_", 16) == 0;
}

/* ---- row by row ---- */

static long long thousandths(double value)
{
    return llround(value * 1e3);
}

static void layers_have_the_names_and_the_order_of_the_profile(void **state)
{
    (void)state;
    assert_int_equal(predicted->total.layers, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(strncmp(predicted->layers[i].name, "subgraph_", 9) == 0);
        assert_string_equal(predicted->layers[i].name + 9, rows[i].layer);
        assert_true(predicted->layers[i].has_alone);
    }
}

/* Instructions are not in the profile's bytes. */
static bool moves_as_much(size_t row)
{
    const roof_traffic *t = &predicted->layers[row].alone.traffic;
    double mb = (double)(t->weights_bytes + t->input_bytes + t->output_bytes) / 1e6;
    if (thousandths(mb) == thousandths(rows[row].moved_mb))
        return true;
    print_message("%s: %.6f MB, the profile has %g\n", rows[row].layer, mb, rows[row].moved_mb);
    return false;
}

/* The image is loaded several times over for the rows of conv1's windows, which the profile's compiler did by
 * other rules. */
static void layers_alone_move_the_bytes_of_the_profile(void **state)
{
    size_t exact = 0, downsamplings = 0;
    (void)state;
    assert_string_equal(rows[0].layer, "conv1");
    for (size_t i = 1; i < ROWS; i++) {
        size_t *count = is_downsampling(&rows[i]) ? &downsamplings : &exact;
        *count += moves_as_much(i);
    }
    print_message("bytes: %zu of %d layers, and %zu of %d downsamplings\n", exact, ROWS - DOWNSAMPLINGS - 1,
                  downsamplings, DOWNSAMPLINGS);
    assert_int_equal(exact, ROWS - DOWNSAMPLINGS - 1);
    assert_int_equal(downsamplings, DOWNSAMPLINGS);
}

/* As compilers up to 1.4 counted: no biases, poolings once, and additions not at all. */
static double workload_gop(const roof_graph *g, const roof_layer *layer)
{
    const workload_convention old = {.any_stored = true, .bias_ops = 0, .average_factor = 1};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        const roof_op *op = &g->ops[g->layer_ops[layer->first_op + i]];
        op_work work;
        assert_int_equal(op_work_of(g, op, &old, &work, NULL), ROOF_OK);
        sum += rule_has_macs(op->rule) || op->rule == ROOF_RULE_POOL ? work.workload_ops : 0;
    }
    return (double)sum / 1e9;
}

static void layers_have_the_workload_of_the_profile(void **state)
{
    const roof_graph *g = net.graph;
    const roof_layer *layers = &g->layers[g->subgraphs[fx_dpu(g)].first_layer];
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        double gop = workload_gop(g, &layers[i]);
        if (thousandths(gop) != thousandths(rows[i].workload_gop))
            fail_msg("%s: %.6f GOP, the profile has %g", rows[i].layer, gop, rows[i].workload_gop);
    }
}

static void no_layer_was_measured_faster_than_its_ideal(void **state)
{
    accuracy a = {.what = "ZCU104, layers of ResNet-50, each timed alone"};
    (void)state;
    for (size_t i = 0; i < ROWS; i++)
        accuracy_add_bound(&a, predicted->model.name, predicted->layers[i].alone.ideal_s,
                           rows[i].min_ms / 1e3);
    accuracy_tell(&a);
    assert_true(accuracy_quantile(&a, 0) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_have_the_names_and_the_order_of_the_profile),
        cmocka_unit_test(layers_alone_move_the_bytes_of_the_profile),
        cmocka_unit_test(layers_have_the_workload_of_the_profile),
        cmocka_unit_test(no_layer_was_measured_faster_than_its_ideal),
    };
    const char *shared = shared_folder();
    if (!load_profile(shared))
        skip_without("the measured layers of ../shared");
    const xn_config config = {.layer_code = true};
    net = fx_open(xn_resnet50_downsampled(&config, NULL), NULL);
    predicted = fx_predict(net.graph, "zcu104", NULL);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    roof_prediction_free(predicted);
    fx_close(&net);
    return failed;
}
