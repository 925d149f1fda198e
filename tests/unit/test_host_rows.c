/* About how long the host takes: rates of the kinds that were measured, and what is not said of the rest. */
#include "model/work/host_ops.h"
#include "tests/support/host_plan.h"
#include "tests/support/prediction_check.h"
#include "tests/support/tflite_writer.h"
#include "tests/unit/fixture.h"

#define SW "NODE_SW"

static const roof_host_share *share_of(const roof_prediction *p, const char *kind)
{
    for (uint32_t i = 0; i < p->host.n_shares; i++)
        if (strcmp(p->host.shares[i].kind, kind) == 0)
            return &p->host.shares[i];
    fail_msg("no kind '%s'", kind);
    return NULL;
}

static void assert_near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%.12g, want %.12g", got, want);
}

/* Rates are those of docs/hardware/neural_art.md, a cycle of 600 or 800 MHz each. */
static void a_kind_takes_its_rate_for_each_element(void **state)
{
    static const struct {
        hp_row row;
        const char *kind;
        double count, cycles;
    } rows[] = {
        {{"DequantizeLinear", SW, "1,4,1029", "1,4,1029", 8, 32}, "dequantize", 4116, 7.0},
        {{"QuantizeLinear", SW, "1,4,1029", "1,4,1029", 32, 8}, "quantize", 4116, 8.9},
        {{"GlobalAveragePool", SW, "1,1280,7,7", "1,1280,1,1", 32, 32}, "global average pool", 62720, 4.8},
        {{"Sub", SW, "1,4,1029", "1,4,1029", 32, 32}, "subtract", 4116, 19.3},
        {{"Softmax", SW, "1,16,4,1029", "1,16,4,1029", 8, 8}, "softmax", 65856, 65.4},
        {{"Concat", SW, "1,64,7,7", "1,768,7,7", 8, 8}, "concat", 37632, 0.74},
        {{"Concat", SW, "1,64,28,28", "1,192,28,28", 8, 8}, "concat", 150528, 0.74},
        {{"Concat", "NODE_SW_HW", "1,80,784", "1,80,1029", 8, 8}, "concat of odd rows", 82320, 8.0},
        {{"DepthToSpace", SW, "1,1024,7,7", "1,256,14,14", 8, 8}, "depth to space", 50176, 0.92},
        {{"Transpose", SW, "1,4,16,1029", "1,16,4,1029", 8, 8}, "transpose", 65856, 1.03},
        /* what only names memory is no second operator */
        {{"Transpose+Reshape", SW, "1,64,1029", "1,64,1029", 8, 8}, "transpose", 65856, 1.03},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (unsigned batch = 1; batch <= 3; batch += 2) {
            roof_prediction *p = hp_predict(&rows[i].row, 1, "stm32n6", batch);
            roof_prediction *slow = hp_predict(&rows[i].row, 1, "stm32n6-normal", batch);
            const double want_s = rows[i].cycles * rows[i].count * batch / 800e6;
            const roof_host_share *share = share_of(p, rows[i].kind);
            assert_near(p->layers[1].about_s, want_s);
            assert_near(slow->layers[1].about_s, want_s * 800 / 600);
            assert_near(p->host.about_s, want_s);
            assert_near(p->host.about_ci_s[0], want_s / 2);
            assert_near(p->host.about_ci_s[1], want_s * 2);
            assert_true(share->count == (uint64_t)rows[i].count * batch && share->timed == 1);
            assert_true(!share->small && !share->unknown && p->host.n_shares == 1);
            check_prediction_comes_back(p, false);
            roof_prediction_free(p);
            roof_prediction_free(slow);
        }
}

typedef struct untimed {
    hp_row row;
    const char *kind;
    bool is_small;
} untimed;

static void check_untimed(const untimed *of)
{
    roof_prediction *p = hp_predict(&of->row, 1, "stm32n6", 1);
    const roof_host_share *share = share_of(p, of->kind);
    if (!isnan(p->layers[1].about_s) || share->small != of->is_small || share->unknown != !of->is_small)
        fail_msg("%s: %g s, %llu small, %llu unknown", of->kind, p->layers[1].about_s,
                 (unsigned long long)share->small, (unsigned long long)share->unknown);
    assert_true(isnan(share->about_s) && isnan(p->host.about_s) && isnan(p->host.about_ci_s[0]));
    check_prediction_comes_back(p, false);
    roof_prediction_free(p);
}

/* Nothing is carried to sizes, rows, element types or kinds that nobody measured. */
static void what_was_not_measured_is_not_known(void **state)
{
    static const untimed rows[] = {
        {{"Softmax", SW, "1,29999", "1,29999", 8, 8}, "softmax", true},
        {{"DequantizeLinear", SW, "1,999", "1,999", 8, 32}, "dequantize", true},
        {{"QuantizeLinear", SW, "1,999", "1,999", 32, 8}, "quantize", true},
        {{"Sub", SW, "1,999", "1,999", 32, 32}, "subtract", true},
        {{"Transpose", SW, "1,4802", "1,4802", 8, 8}, "transpose", true},
        {{"Concat", SW, "1,80,16", "1,80,16", 8, 8}, "concat", true},
        /* rows of 6, 29 and 56 cells; odd ones of another length */
        {{"Concat", SW, "1,9000,3", "1,9000,6", 8, 8}, "concat", false},
        {{"Concat", SW, "1,9000,29", "1,9000,29", 8, 8}, "concat", false},
        {{"Concat", SW, "1,1344,51", "1,1344,56", 8, 8}, "concat", false},
        {{"Concat", SW, "1,80,1031", "1,80,1031", 8, 8}, "concat", false},
        /* in integers */
        {{"Sub", SW, "1,60000", "1,60000", 8, 8}, "subtract", false},
        {{"GlobalAveragePool", SW, "1,1280,7,7", "1,1280,1,1", 8, 8}, "global average pool", false},
        /* no such kind; a resize that stayed one interpolates in a way that the file does not tell */
        {{"Split", SW, "1,60000", "1,60000", 8, 8}, "split", false},
        {{"Conv", SW, "1,60000", "1,60000", 8, 8}, "conv", false},
        {{"Resize", SW, "1,32,16,16", "1,64,32,32", 8, 8}, "resize", false},
        /* two operators, which nothing tells apart */
        {{"Softmax+Split", SW, "1,60000", "1,60000", 8, 8}, "softmax+split", false},
        {{"Softmax+Softmax", "NODE_SW_HW", "1,60000", "1,60000", 8, 8}, "2softmax", false},
        /* no size */
        {{"Softmax", SW, "1,60000", NULL, 8, 8}, "softmax", false},
        {{"Softmax", SW, "1,60000", "", 8, 8}, "softmax", false},
        {{"Softmax", SW, "1,60000", "1,-1", 8, 8}, "softmax", false},
        {{"Softmax", SW, "1,60000", "1,1.5e5,0.5", 8, 8}, "softmax", false},
        {{"Softmax", SW, "8", "4294967296,4294967296,2", 8, 8}, "softmax", false},
        {{"Softmax", SW, "8", "4503599627370496,4000", 8, 8}, "softmax", false},
        {{"Softmax", SW, "8", "1,60000", 8, 0}, "softmax", false},
        {{"Softmax", SW, "8", "1,60000", 8, 4096}, "softmax", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        check_untimed(&rows[i]);
}

/* Of what the accelerator runs nothing is said, and no sum of the prediction changes. */
static void no_other_time_holds_it(void **state)
{
    static const hp_row rows[] = {{"Softmax", SW, "1,16,4,1029", "1,16,4,1029", 8, 8},
                                  {"Softmax", "NODE_HW", "1,16,4,1029", "1,16,4,1029", 8, 8},
                                  {"Split", SW, "1,60000", "1,60000", 8, 8}};
    roof_prediction *p = hp_predict(rows, 3, "stm32n6", 1), *none = hp_predict(NULL, 0, "stm32n6", 1);
    (void)state;
    assert_true(isnan(p->layers[0].about_s) && isnan(p->layers[2].about_s) && isnan(p->layers[3].about_s));
    assert_int_equal(p->host.n_shares, 2);
    assert_string_equal(p->host.shares[0].kind, "softmax"); /* what has a time comes first */
    assert_near(p->total.deployed.ideal_s, none->total.deployed.ideal_s);
    assert_near(p->total.floor_s, none->total.floor_s);
    assert_near(p->total.inferences_per_s, none->total.inferences_per_s);
    assert_true(isnan(p->total.predicted_s) && isnan(p->layers[1].deployed.ideal_s));
    assert_true(!none->host.n_shares && isnan(none->host.about_s));
    roof_prediction_free(p);
    roof_prediction_free(none);
}

/* A file may have more kinds than anybody reads: the last one is of all others. */
static void further_kinds_are_one(void **state)
{
    enum { KINDS = 70 };
    char names[KINDS][16];
    hp_row rows[KINDS];
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        snprintf(names[i], sizeof names[i], "Kind%u", i);
        rows[i] = (hp_row){names[i], SW, "8", "8", 8, 8};
    }
    roof_prediction *p = hp_predict(rows, KINDS, "stm32n6", 1);
    assert_int_equal(p->host.n_shares, 64);
    assert_int_equal(share_of(p, "other kinds")->unknown, KINDS - 63);
    check_prediction_comes_back(p, false);
    roof_prediction_free(p);
}

/* --- graphs --------------------------------------------------------------------------------------------- */

enum { SOFTMAX = 25, CUSTOM = 32 };

/* A network of one operator, "y", that the host runs. */
static roof_prediction *predict_op(const tfw_tensor *tensors, size_t n_tensors, const tfw_operator *op,
                                   const char *hw)
{
    const tfw_network network = {.tensors = tensors,
                                 .n_tensors = n_tensors,
                                 .operators = op,
                                 .n_operators = 1,
                                 .inputs = {tensors[0].name},
                                 .outputs = {"y"}};
    fx_net net = {0};
    unsigned char *bytes = tfw_write(&network, &net.size_bytes);
    net.bytes = fx_copy(bytes, net.size_bytes);
    free(bytes);
    fx_read(&net, "net.tflite");
    roof_prediction *p = fx_predict(net.graph, hw, NULL);
    assert_int_equal(p->layers[0].executor, ROOF_BY_HOST);
    fx_close(&net);
    return p;
}

static void assert_about(roof_prediction *p, double want_s)
{
    if (isnan(want_s))
        assert_true(isnan(p->host.about_s) && isnan(p->layers[0].about_s));
    else
        assert_near(p->host.about_s, want_s);
    check_prediction_comes_back(p, false);
    roof_prediction_free(p);
}

#define SOFTMAX_TIMED "base=kv260,host_op.softmax.seconds=23ns,host_op.softmax.least=1000"
#define DETECTION_TIMED                                                                                      \
    "base=kv260,host_op.detection.seconds=1.7ms,host_op.detection.row_least=1917,"                           \
    "host_op.detection.row_most=1917"

/* A softmax of a graph is software on an STM32N6. Of the host of a KV260 nothing was measured; who knows of
 * it says so, here of a detection output for boxes of that number alone. */
static void operators_of_a_graph_have_kinds(void **state)
{
    static const struct {
        int32_t boxes, classes;
        const char *hw;
        double want_s;
    } rows[] = {
        {1917, 0, DETECTION_TIMED, 1.7e-3},
        {1916, 0, DETECTION_TIMED, NAN},
        {1918, 0, DETECTION_TIMED, NAN},
        {1917, 0, "kv260", NAN},
        {0, 1001, SOFTMAX_TIMED, 1001 * 23e-9},
        {0, 999, SOFTMAX_TIMED, NAN},
        {0, 1001, "kv260", NAN},
        {0, 65856, "stm32n6", 65856 * 65.4 / 800e6},
        {0, 1001, "stm32n6", NAN},
    };
    static const tfw_operator detection = {
        CUSTOM, "TFLite_Detection_PostProcess", {"x", "scores"}, {"y"}, {0}};
    static const tfw_operator softmax = {SOFTMAX, NULL, {"x"}, {"y"}, {0}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const tfw_tensor boxes[] = {TFW_TENSOR("x", TFW_INT8, {1, rows[i].boxes, 4}),
                                    TFW_TENSOR("scores", TFW_INT8, {1, rows[i].boxes, 91}),
                                    TFW_TENSOR("y", TFW_FLOAT32, {1, 10, 4})};
        const tfw_tensor classes[] = {TFW_TENSOR("x", TFW_INT8, {1, rows[i].classes}),
                                      TFW_TENSOR("y", TFW_INT8, {1, rows[i].classes})};
        assert_about(rows[i].boxes ? predict_op(boxes, COUNT(boxes), &detection, rows[i].hw)
                                   : predict_op(classes, COUNT(classes), &softmax, rows[i].hw),
                     rows[i].want_s);
    }
}

/* Rows of the accelerator are none of the host's; of several operators in one row each has a kind. */
static void only_rows_of_the_host_count(void **state)
{
    fx_net net = fx_open(xn_tiny(NULL, NULL), NULL);
    roof_prediction *p = fx_predict(net.graph, "kv260", NULL);
    (void)state;
    assert_true(p->total.layers > 1 && p->total.host_layers == 1);
    assert_int_equal(p->host.n_shares, 2);
    assert_int_equal(share_of(p, "dequantize")->unknown, 1);
    assert_int_equal(share_of(p, "softmax")->unknown, 1);
    roof_prediction_free(p);
    fx_close(&net);
}

/* What kinds count of an operator of a graph. */
static void counts_follow_from_shapes(void **state)
{
    static const struct {
        const char *type;
        host_measure measure;
        uint64_t want;
    } rows[] = {{"AVERAGE_POOL_2D", HOST_TAPS, 50176},      {"max_pool_2d", HOST_TAPS, 50176},
                {"FULLY_CONNECTED", HOST_MACS, 7},          {"CONCATENATION", HOST_OUTPUT_BYTES, 1024},
                {"DEQUANTIZE", HOST_OUTPUT_ELEMENTS, 1024}, {"TFLite_Detection_PostProcess", HOST_CALLS, 1}};
    roof_op ops[2] = {{.type = "x", .out = {.dims = {1, 7, 7, 1024}, .n_dims = 4, .elements = 50176}},
                      {.rule = ROOF_RULE_POOL,
                       .n_inputs = 1,
                       .out = {.dims = {1, 1, 1, 1024}, .n_dims = 4, .elements = 1024, .bytes = 1024}}};
    const roof_edge edge = {0, ROOF_ROLE_INPUT};
    const roof_graph graph = {.ops = ops, .n_ops = 2, .edges = (roof_edge *)&edge, .n_edges = 1};
    const roof_demand demand = {.op = 1, .macs = 7, .ops_count = 50176};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        ops[1].type = rows[i].type;
        const host_facts facts = host_facts_of_demand(&graph, &demand);
        const host_kind_id id = host_kind_of_type(facts.op.type);
        assert_true(id < HOST_KINDS);
        assert_int_equal(host_kind_of(id)->measure, rows[i].measure);
        assert_int_equal(host_count(&facts, rows[i].measure), rows[i].want);
    }
    ops[1].out = (roof_tensor){0};
    const host_facts unknown = host_facts_of_demand(&graph, &demand);
    assert_true(host_count(&unknown, HOST_OUTPUT_BYTES) == ROOF_UNKNOWN);
    assert_true(host_count(&unknown, HOST_OUTPUT_ELEMENTS) == ROOF_UNKNOWN);
    assert_int_equal(host_kind_of_type("pool-fix"), HOST_KINDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kind_takes_its_rate_for_each_element),
        cmocka_unit_test(what_was_not_measured_is_not_known),
        cmocka_unit_test(no_other_time_holds_it),
        cmocka_unit_test(further_kinds_are_one),
        cmocka_unit_test(operators_of_a_graph_have_kinds),
        cmocka_unit_test(only_rows_of_the_host_count),
        cmocka_unit_test(counts_follow_from_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
