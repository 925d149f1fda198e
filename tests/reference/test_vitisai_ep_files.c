/* Real reports of the Vitis AI execution provider, where ../shared has them: work of all convolutions as
 * others published it, and what stayed on the CPU, counted in the file by eye. */
#include "tests/unit/fixture.h"
#include "tests/support/skips.h"

#include <string.h>

static const struct {
    const char *path;
    uint32_t nodes, convolutions, computing, host;
    uint64_t conv_macs, weights_bytes;
    const char *placement; /* how it begins */
} files[] = {
    /* YOLOv5nu: 7.7 GFLOPs and 2.6 million parameters, as Ultralytics states them */
    {"ryzenai_yolov5nu_strix/vitisai_ep_report.json", 1116, 76, 304, 1, 3862451200, 2691481,
     "0 of 76 convolutions and 1 of 304 computing operators (5 of 1116 nodes) run on the CPU, with 0 % of "
     "the MACs: Softmax"},
    {"code/ryzenai_cache/retinaface_context.json", 360, 56, 108, 1, 981145600, 423264,
     "0 of 56 convolutions and 1 of 108 computing operators (7 of 360 nodes) run on the CPU, with 0 % of the "
     "MACs: Softmax"},
    {"code/ryzenai_cache/yolov5_context.json", 628, 79, 200, 32, 8398643200, 12612508,
     "0 of 79 convolutions and 32 of 200 computing operators (90 of 628 nodes) run on the CPU, with 0 % of "
     "the MACs: Mul (16)"},
};

static void count(const roof_graph *g, const roof_prediction *p, size_t row)
{
    uint32_t nodes = 0, convolutions = 0;
    uint64_t macs = 0;
    for (uint32_t i = 0; i < g->n_ops; i++)
        nodes += g->ops[i].subgraph != ROOF_NONE;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        bool is_convolution = strcmp(p->layers[i].ops[0], "Conv") == 0;
        convolutions += is_convolution;
        macs += is_convolution ? p->layers[i].macs : 0;
    }
    assert_int_equal(nodes, files[row].nodes);
    assert_int_equal(convolutions, files[row].convolutions);
    assert_int_equal(p->n_layers, files[row].computing);
    assert_int_equal(p->total.host_layers, files[row].host);
    assert_int_equal(macs, files[row].conv_macs);
    assert_int_equal(p->total.macs, macs);
    assert_int_equal(p->total.deployed.traffic.weights_bytes, files[row].weights_bytes);
    assert_int_equal(strncmp(p->placement, files[row].placement, strlen(files[row].placement)), 0);
}

static void real_reports_have_the_published_work(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        char path[1024];
        roof_graph *g = NULL;
        roof_error err = {0};
        snprintf(path, sizeof path, "%s/data/aie/%s", shared_folder(), files[i].path);
        roof_status status = roof_graph_read(path, &g, &err);
        if (status == ROOF_E_NO_INPUT)
            skip_without(path);
        if (status != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        roof_prediction *p = fx_predict(g, "b4096", NULL);
        count(g, p, i);
        roof_prediction_free(p);
        roof_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(real_reports_have_the_published_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
