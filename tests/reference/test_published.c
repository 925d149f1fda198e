/* Published numbers: what others have counted and measured, each with its source. */
#include "model/work/cost.h"
#include "tests/unit/fixture.h"

/* ---- multiply-accumulates of well known networks ---- */

static const struct published {
    const char *network;
    double macs, tolerance; /* relative: publications round */
    const char *source;
} published[] = {
    /* @source K. He et al., "Deep Residual Learning for Image Recognition", arXiv:1512.03385, table 1: 3.8e9
     * for 50 layers */
    {"resnet50", 3.8e9, 0.02, "arXiv:1512.03385, table 1"},
    /* @source github.com/Xilinx/Vitis-AI v1.4, AI-Model-Zoo: cf_resnet50_imagenet_224_224_7.7G, 2 operations
     * a MAC; and the
     *   network of Caffe (stride in the first 1x1 of a stage) added up by hand from its prototxt */
    {"resnet50", 7.7e9 / 2, 0.01, "Vitis AI Model Zoo, cf_resnet50"},
    {"resnet50", 3857973248., 0, "ResNet-50-deploy.prototxt"},
    /* @source A. Howard et al., "MobileNets", arXiv:1704.04861, table 4: 569 million mult-adds */
    {"mobilenetv1", 569e6, 0.001, "arXiv:1704.04861, table 4"},
    /* @source github.com/Xilinx/Vitis-AI v1.4, AI-Model-Zoo: tf_mobilenetv1_1.0_imagenet_224_224_1.14G */
    {"mobilenetv1", 1.14e9 / 2, 0.005, "Vitis AI Model Zoo, tf_mobilenetv1"},
    {"mobilenetv1", 568.7e6, 0.0001, "the same to one digit more"},
    /* @source M. Sandler et al., "MobileNetV2", arXiv:1801.04381, table 4: 300 M multiply-adds */
    {"mobilenetv2", 300e6, 0.005, "arXiv:1801.04381, table 4"},
    /* @source github.com/Xilinx/Vitis-AI v2.5, model_zoo: tf_mobilenetv2_1.0_imagenet_224_224_602M */
    {"mobilenetv2", 602e6 / 2, 0.001, "Vitis AI Model Zoo, tf_mobilenetv2"},
    {"mobilenetv2", 300.8e6, 0.0001, "the same to one digit more"},
    /* @source onnx and TFLite files of MobileNetV2 1.0 224 with 1000 classes: 300 774 272; one class more is
     * 1280 */
    {"mobilenetv2", 300774272. + 1280, 0, "MobileNetV2 with 1000 classes, and one for the background"},
};

static void networks_have_their_published_macs(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(published); i++) {
        fx_net net = fx_open(xn_find_network(published[i].network)->build(NULL, NULL), NULL);
        roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
        if (fabs((double)p->total.macs / published[i].macs - 1) > published[i].tolerance)
            fail_msg("%s: %" PRIu64 " MACs, %s says %.0f", published[i].network, p->total.macs,
                     published[i].source, published[i].macs);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

/* ---- sizes of the DPUCZDX8G ---- */

/* @source AMD PG338, DPUCZDX8G product guide, "Architecture of the DPUCZDX8G", table of the parallelism of
 * the convolution
 *   architectures: pixel, input channel, output channel, peak operations per clock */
static const struct size {
    const char *name;
    uint32_t pixel, input_channel, output_channel;
    double ops_per_cycle;
} sizes[] = {
    {"b512", 4, 8, 8, 512},     {"b800", 4, 10, 10, 800},   {"b1024", 8, 8, 8, 1024},
    {"b1152", 4, 12, 12, 1152}, {"b1600", 8, 10, 10, 1600}, {"b2304", 8, 12, 12, 2304},
    {"b3136", 8, 14, 14, 3136}, {"b4096", 8, 16, 16, 4096},
};

static double value(const roof_hw *hw, const char *key)
{
    const roof_quantity *q = roof_hw_get(hw, key);
    assert_non_null(q);
    return q->value;
}

static void the_eight_sizes_are_those_of_the_product_guide(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        roof_hw *hw = fx_hw(sizes[i].name);
        assert_true(value(hw, "conv.pixel_parallel") == sizes[i].pixel);
        assert_true(value(hw, "conv.input_channel_parallel") == sizes[i].input_channel);
        assert_true(value(hw, "conv.output_channel_parallel") == sizes[i].output_channel);
        assert_true(value(hw, "peak") == sizes[i].ops_per_cycle);
        /* a multiplication and an accumulation are two operations: B4096 is 2048 MACs a cycle */
        assert_true(2. * sizes[i].pixel * sizes[i].input_channel * sizes[i].output_channel ==
                    sizes[i].ops_per_cycle);
        roof_hw_free(hw);
    }
}

static void the_peak_of_a_prediction_is_that_of_its_size(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        char upper[8];
        snprintf(upper, sizeof upper, "B%s", sizes[i].name + 1);
        const xn_config config = {.arch = xn_find_arch(upper)};
        fx_net net = fx_open(xn_tiny(&config, NULL), NULL);
        roof_prediction *p = fx_predict(net.graph, sizes[i].name, NULL);
        assert_true(p->hardware.peak_ops_per_s == sizes[i].ops_per_cycle * p->hardware.clock_hz);
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_OTHER_TARGET), 0);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

/* @source github.com/Xilinx/Vitis-AI v1.4, AI-Model-Zoo: KV260, one B4096 at 300 MHz; 4096 operations a cycle
 * are 1228.8 GOP/s.
 *   AMD DS987, Kria K26 SOM: DDR4, 64 bit at 2400 Mb/s per pin, 19.2 GB/s */
static void a_b4096_at_300_mhz_makes_1228_gops_at_19_gb_per_s(void **state)
{
    (void)state;
    fx_net net = fx_open(xn_tiny(NULL, NULL), NULL);
    roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
    assert_true(p->hardware.clock_hz == 300e6);
    assert_true(p->hardware.peak_ops_per_s == 1228.8e9);
    assert_true(p->hardware.bandwidth_bytes_per_s == 19.2e9);
    roof_prediction_free(p);
    fx_close(&net);
}

/* ---- `workload` ---- */

/* @source github.com/Xilinx/Vitis-AI-Tutorials, branch 1.4, Design_Tutorials/16-profiler_introduction:
 * ResNet-50 of Caffe has
 *   7.718 GOP, in the convention of compilers up to 1.4: no biases, poolings once, and additions store
 *   none */
static void resnet50_has_7_718_gop_as_old_compilers_count(void **state)
{
    const workload_convention old = {.any_stored = true, .bias_ops = 0, .average_factor = 1};
    uint64_t sum = 0;
    (void)state;
    fx_net net = fx_open(xn_resnet50(NULL, NULL), NULL);
    for (uint32_t i = 0; i < net.graph->n_ops; i++) {
        const roof_op *op = &net.graph->ops[i];
        op_work work;
        assert_int_equal(op_work_of(net.graph, op, &old, &work, NULL), ROOF_OK);
        sum += rule_has_macs(op->rule) || op->rule == ROOF_RULE_POOL ? work.workload_ops : 0;
    }
    assert_int_equal((sum + 500000) / 1000000, 7718);
    fx_close(&net);
}

/* @source github.com/Xilinx/Vitis-AI issue 1202, and AMD's xcompiler 3.5: a fully connected layer of 2048 to
 * 1001 counts
 *   2 * 2048 * 1001 = 4 100 096 in files of old compilers */
static void a_fully_connected_layer_counts_two_operations_a_mac(void **state)
{
    const fx_op ops[] = {FX("in", "data", {1, 1, 1, 2048}), FX("w", "const", {1001, 1, 1, 2048}),
                         FX("fc", "conv2d", {1, 1, 1, 1001}, .inputs = {"in"}, .weights = "w",
                            .kernel = {1, 1}, .workload_ops = 4100096)};
    op_work work;
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
    workload_convention c = workload_detect(net.graph);
    assert_int_equal(c.bias_ops, 0);
    assert_int_equal(op_work_of(net.graph, fx_find_op(net.graph, "fc"), &c, &work, NULL), ROOF_OK);
    assert_int_equal(work.workload_ops, 4100096);
    fx_close(&net);
}

/* ---- rates: nothing measured may beat the bound ---- */

/* @source github.com/Xilinx/Vitis-AI v1.4, models/AI-Model-Zoo/README.md, "Performance on KV260": one B4096
 * at 300 MHz, frames
 *   a second with several threads: cf_resnet50 77.1, tf_mobilenetv1_1.0_224 387.5, tf_mobilenetv2_1.0_224
 *   299.9 */
static void no_published_rate_beats_the_bound(void **state)
{
    static const struct {
        const char *network;
        double frames_per_s;
    } rates[] = {{"resnet50", 77.1}, {"mobilenetv1", 387.5}, {"mobilenetv2", 299.9}};
    (void)state;
    for (size_t i = 0; i < COUNT(rates); i++) {
        fx_net net = fx_open(xn_find_network(rates[i].network)->build(NULL, NULL), NULL);
        roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
        if (!(p->total.inferences_per_s > rates[i].frames_per_s))
            fail_msg("%s: at best %g/s, published %g/s", rates[i].network, p->total.inferences_per_s,
                     rates[i].frames_per_s);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_have_their_published_macs),
        cmocka_unit_test(the_eight_sizes_are_those_of_the_product_guide),
        cmocka_unit_test(the_peak_of_a_prediction_is_that_of_its_size),
        cmocka_unit_test(a_b4096_at_300_mhz_makes_1228_gops_at_19_gb_per_s),
        cmocka_unit_test(resnet50_has_7_718_gop_as_old_compilers_count),
        cmocka_unit_test(a_fully_connected_layer_counts_two_operations_a_mac),
        cmocka_unit_test(no_published_rate_beats_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
