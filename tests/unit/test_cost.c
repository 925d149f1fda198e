/* How much work an op is: numbers worked out by hand, the conventions of `workload`, and what overflows. */
#include "model/work/cost.h"
#include "tests/unit/fixture.h"

static const workload_convention with_bias = {.any_stored = true, .bias_ops = 1, .average_factor = 2};

enum { MOST = 16 };

/* An op behind its inputs: "in", "in2", "w", "b" are there when the row names them. */
typedef struct work_row {
    const char *name;
    uint32_t in[5], in2[5], weights[5], bias[2];
    fx_op op; /* its producers are filled in */
    uint64_t macs, ops_count, workload_ops;
} work_row;

static size_t build_row(const work_row *row, fx_op ops[MOST])
{
    size_t n = 0, inputs = 0;
    fx_op op = row->op;
    const struct {
        const char *name, *type;
        const uint32_t *dims;
        size_t n_dims;
    } producers[] = {{"in", "data", row->in, 5},
                     {"in2", "data", row->in2, 5},
                     {"w", "const", row->weights, 5},
                     {"b", "const", row->bias, 2}};
    for (size_t i = 0; i < COUNT(producers); i++) {
        if (!producers[i].dims[0])
            continue;
        ops[n] = (fx_op){.name = producers[i].name, .type = producers[i].type};
        memcpy(ops[n++].dims, producers[i].dims, producers[i].n_dims * sizeof(uint32_t));
        if (i < 2)
            op.inputs[inputs++] = producers[i].name;
        else
            *(i == 2 ? &op.weights : &op.bias) = producers[i].name;
    }
    op.name = "op";
    ops[n++] = op;
    return n;
}

static op_work work_of(const work_row *row, const workload_convention *convention)
{
    fx_op ops[MOST];
    op_work work;
    roof_error err = {0};
    fx_net net = fx_open(fx_model(ops, build_row(row, ops), NULL), NULL);
    if (op_work_of(net.graph, fx_find_op(net.graph, "op"), convention, &work, &err) != ROOF_OK)
        fail_msg("%s: %s", row->name, fx_message(&err));
    fx_close(&net);
    return work;
}

#define CONV(...)        .op = {.type = "conv2d-fix", .workload_ops = 1, .dims = __VA_ARGS__}
#define AN_OP(name, ...) .op = {.type = (name), .workload_ops = 1, .dims = __VA_ARGS__}
#define NO_RULE          ROOF_UNKNOWN

static const work_row rows[] = {
    /* the example of model/work/cost.h: 112 * 112 * 32 * 9 * 3; twice that and a bias each */
    {.name = "first convolution",
     .in = {1, 224, 224, 3},
     .weights = {32, 3, 3, 3},
     .bias = {32},
     CONV({1, 112, 112, 32}, .kernel = {3, 3}),
     .macs = 10838016,
     .ops_count = 22077440,
     .workload_ops = 22077440},
    {.name = "without a bias",
     .in = {1, 4, 4, 8},
     .weights = {16, 1, 1, 8},
     CONV({1, 4, 4, 16}, .kernel = {1, 1}),
     .macs = 2048,
     .ops_count = 4096,
     .workload_ops = 4096 + 256},
    {.name = "batch of 3",
     .in = {3, 4, 4, 8},
     .weights = {16, 1, 1, 8},
     CONV({3, 4, 4, 16}, .kernel = {1, 1}),
     .macs = 6144,
     .ops_count = 12288,
     .workload_ops = 12288 + 768},
    {.name = "5 wide, 3 high",
     .in = {1, 9, 9, 2},
     .weights = {4, 3, 5, 2},
     CONV({1, 7, 5, 4}, .kernel = {5, 3}),
     .macs = 7 * 5 * 4 * 15 * 2,
     .ops_count = 8400,
     .workload_ops = 8400 + 140},
    {.name = "2 groups: weights hold half of the channels",
     .in = {1, 4, 4, 8},
     .weights = {16, 1, 1, 4},
     CONV({1, 4, 4, 16}, .kernel = {1, 1}),
     .macs = 1024,
     .ops_count = 2048,
     .workload_ops = 2048 + 256},
    {.name = "no weights in the file",
     .in = {1, 4, 4, 8},
     CONV({1, 4, 4, 16}, .kernel = {3, 3}),
     .macs = 256 * 9 * 8,
     .ops_count = 36864,
     .workload_ops = 36864 + 256},
    {.name = "depthwise",
     .in = {1, 8, 8, 32},
     .weights = {1, 3, 3, 32},
     .bias = {32},
     AN_OP("depthwise-conv2d-fix", {1, 8, 8, 32}, .kernel = {3, 3}),
     .macs = 18432,
     .ops_count = 38912,
     .workload_ops = 38912},
    /* each of 4 * 4 * 8 inputs meets a kernel of 2 * 2 for each of 16 outputs */
    {.name = "transposed",
     .in = {1, 4, 4, 8},
     .weights = {16, 2, 2, 8},
     .bias = {16},
     AN_OP("transposed-conv2d-fix", {1, 8, 8, 16}, .kernel = {2, 2}),
     .macs = 8192,
     .ops_count = 16384 + 1024,
     .workload_ops = 16384 + 1024},
    {.name = "transposed depthwise",
     .in = {1, 4, 4, 8},
     .weights = {1, 2, 2, 8},
     AN_OP("transposed-depthwise-conv2d-fix", {1, 8, 8, 8}, .kernel = {2, 2}),
     .macs = 512,
     .ops_count = 1024,
     .workload_ops = 1024 + 512},
    {.name = "matrix product",
     .in = {1, 128},
     .in2 = {128, 10},
     .bias = {10},
     AN_OP("matmul", {1, 10}),
     .macs = 1280,
     .ops_count = 2570,
     .workload_ops = 2570},
    {.name = "matrix product of rows",
     .in = {7, 128},
     .in2 = {128, 10},
     AN_OP("matmul", {7, 10}),
     .macs = 8960,
     .ops_count = 17920,
     .workload_ops = 17920 + 70},
    {.name = "transposed left factor",
     .in = {128, 7},
     .in2 = {128, 10},
     AN_OP("matmul", {7, 10}),
     .macs = 8960,
     .ops_count = 17920,
     .workload_ops = 17920 + 70},
    {.name = "maximum pooling",
     .in = {1, 8, 8, 16},
     AN_OP("pool-fix", {1, 4, 4, 16}, .kernel = {2, 2}, .kind = "MAX"),
     .ops_count = 1024,
     .workload_ops = 1024},
    {.name = "average pooling",
     .in = {1, 7, 7, 16},
     AN_OP("pool-fix", {1, 1, 1, 16}, .kernel = {7, 7}, .kind = "AVG"),
     .ops_count = 784,
     .workload_ops = 1568},
    {.name = "addition of two",
     .in = {1, 4, 4, 8},
     .in2 = {1, 4, 4, 8},
     AN_OP("eltwise-fix", {1, 4, 4, 8}, .kind = "ADD"),
     .ops_count = 128,
     .workload_ops = 256},
    {.name = "softmax", .in = {1, 10}, AN_OP("softmax", {1, 10}), .ops_count = 30, .workload_ops = 29},
    {.name = "relu6", .in = {1, 10}, AN_OP("relu6", {1, 10}), .ops_count = 10, .workload_ops = 20},
    {.name = "relu", .in = {1, 10}, AN_OP("relu", {1, 10}), .ops_count = 10, .workload_ops = NO_RULE},
    {.name = "reduction",
     .in = {1, 7, 7, 16},
     AN_OP("reduction_mean", {1, 16}),
     .ops_count = 784,
     .workload_ops = NO_RULE},
    {.name = "scaling",
     .in = {1, 4, 4, 8},
     AN_OP("depthwise-fix", {1, 4, 4, 8}),
     .ops_count = 128,
     .workload_ops = NO_RULE},
    {.name = "concatenation",
     .in = {1, 4},
     .in2 = {1, 4},
     AN_OP("concat-fix", {1, 8}),
     .workload_ops = NO_RULE},
    {.name = "upsampling", .in = {1, 2, 2, 8}, AN_OP("upsample-fix", {1, 4, 4, 8}), .workload_ops = NO_RULE},
    {.name = "unknown",
     .in = {1, 8},
     AN_OP("made-up", {1, 8}),
     .macs = NO_RULE,
     .ops_count = NO_RULE,
     .workload_ops = NO_RULE},
    {.name = "custom",
     .in = {1, 8},
     AN_OP("PPScatterV2", {1, 8}),
     .macs = NO_RULE,
     .ops_count = NO_RULE,
     .workload_ops = NO_RULE},
    {.name = "weights tell the length of rows",
     .in = {1, 4, 4, 16},
     .weights = {10, 32},
     AN_OP("matmul", {8, 10}),
     .macs = 8 * 10 * 32,
     .ops_count = 2 * 8 * 10 * 32,
     .workload_ops = 2 * 8 * 10 * 32 + 80},
    {.name = "weights of a product that they do not fit",
     .in = {32, 32},
     .weights = {8, 32},
     AN_OP("matmul", {8, 32}),
     .macs = 8192,
     .ops_count = 16384,
     .workload_ops = 16384 + 256},
};

static void work_is_what_the_formulas_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        op_work w = work_of(&rows[i], &with_bias);
        if (w.macs != rows[i].macs || w.ops_count != rows[i].ops_count ||
            w.workload_ops != rows[i].workload_ops)
            fail_msg("%s: macs %" PRIu64 " ops %" PRIu64 " workload %" PRIu64 ", want %" PRIu64 " %" PRIu64
                     " %" PRIu64,
                     rows[i].name, w.macs, w.ops_count, w.workload_ops, rows[i].macs, rows[i].ops_count,
                     rows[i].workload_ops);
    }
}

static void an_op_that_stores_no_workload_counts_none(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        work_row row = rows[i];
        row.op.workload_ops = 0;
        assert_int_equal(work_of(&row, &with_bias).workload_ops, 0);
    }
}

static void conventions_change_the_workload_only(void **state)
{
    const workload_convention old = {.any_stored = true, .bias_ops = 0, .average_factor = 1};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        op_work now = work_of(&rows[i], &with_bias), then = work_of(&rows[i], &old);
        assert_true(now.macs == then.macs && now.ops_count == then.ops_count);
    }
    assert_int_equal(work_of(&rows[0], &old).workload_ops, 21676032); /* no bias */
    assert_int_equal(work_of(&rows[13], &old).workload_ops, 784);     /* average pooling counts once */
    assert_int_equal(work_of(&rows[12], &old).workload_ops, 1024);    /* maximum pooling as ever */
}

/* ---- detection ---- */

static workload_convention detected(const fx_op *ops, size_t n, const char *compiler)
{
    const fx_target target = {.name = "DPU", .fingerprint = FX_B4096, .compiler = compiler};
    fx_net net = fx_open(fx_model(ops, n, &target), NULL);
    workload_convention c = workload_detect(net.graph);
    fx_close(&net);
    return c;
}

/* A convolution of 2048 MACs and 256 outputs, an average of 49 * 16. */
static size_t detection_ops(fx_op ops[8], uint64_t conv_workload, uint64_t average_workload)
{
    const fx_op all[] = {FX("in", "data-fix", {1, 4, 4, 8}),
                         FX("w", "const-fix", {16, 1, 1, 8}, .layer = "l"),
                         FX("c", "conv2d-fix", {1, 4, 4, 16}, .inputs = {"in"}, .weights = "w",
                            .kernel = {1, 1}, .workload_ops = conv_workload, .layer = "l"),
                         FX("in2", "data-fix", {1, 7, 7, 16}),
                         FX("p", "pool-fix", {1, 1, 1, 16}, .inputs = {"in2"}, .kernel = {7, 7},
                            .kind = "AVG", .workload_ops = average_workload, .layer = "l")};
    memcpy(ops, all, sizeof all);
    return COUNT(all);
}

static void conventions_are_read_off_the_file(void **state)
{
    static const struct {
        const char *name, *compiler;
        uint64_t conv, average;
        uint32_t bias, factor;
        bool any, bias_detected, average_detected;
    } cases[] = {
        {"3.5", "xcompiler.3.5.0", 4352, 1568, 1, 2, true, true, true},
        {"2.5", "xcompiler.2.5.0", 4352, 784, 1, 1, true, true, true},
        {"1.3", "xcompiler.1.3.1", 4096, 784, 0, 1, true, true, true},
        {"a file of 1.4.0 that counts the bias", "xcompiler.1.4.0", 4352, 0, 1, 1, true, true, false},
        {"the file beats the version", "xcompiler.3.5.0", 4096, 784, 0, 1, true, true, true},
        {"nothing stored, 3.5", "xcompiler.3.5.0", 0, 0, 1, 2, false, false, false},
        {"nothing stored, 2.0", "xcompiler.2.0.0", 0, 0, 1, 1, false, false, false},
        {"nothing stored, 1.4.1", "xcompiler.1.4.1", 0, 0, 0, 1, false, false, false},
        {"only the average, 2.5", "xcompiler.2.5.0", 0, 1568, 1, 2, true, false, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        fx_op ops[8];
        size_t n = detection_ops(ops, cases[i].conv, cases[i].average);
        workload_convention c = detected(ops, n, cases[i].compiler);
        if (c.any_stored != cases[i].any || c.bias_detected != cases[i].bias_detected ||
            c.bias_ops != cases[i].bias || c.average_detected != cases[i].average_detected ||
            c.average_factor != cases[i].factor)
            fail_msg("%s: any %d bias %d %u average %d %u", cases[i].name, c.any_stored, c.bias_detected,
                     c.bias_ops, c.average_detected, c.average_factor);
    }
}

/* ---- overflow ---- */

/* The tensors below fit 52 bits each, and no product of two of them does. */
static void work_beyond_64_bits_is_an_error_that_names_the_op(void **state)
{
    static const work_row huge[] = {
        {.name = "convolution",
         .in = {1, 1, 1, 1u << 20},
         .weights = {1, 1u << 10, 1u << 10, 1u << 20},
         CONV({1, 1u << 16, 1u << 16, 1u << 19}, .kernel = {1, 1})},
        {.name = "depthwise",
         .in = {1, 1u << 16, 1u << 16, 1u << 19},
         AN_OP("depthwise-conv2d-fix", {1, 1u << 16, 1u << 16, 1u << 19}, .kernel = {65536, 65536})},
        {.name = "transposed",
         .in = {1, 1u << 16, 1u << 16, 1u << 19},
         AN_OP("transposed-conv2d-fix", {1, 1u << 16, 1u << 16, 1u << 19}, .kernel = {2, 2})},
        {.name = "matmul",
         .in = {1u << 25, 1u << 26},
         .in2 = {1u << 26, 1u << 25},
         AN_OP("matmul", {1u << 25, 1u << 25})},
        {.name = "pooling",
         .in = {1, 1u << 16, 1u << 16, 1u << 19},
         AN_OP("pool-fix", {1, 1u << 16, 1u << 16, 1u << 19}, .kernel = {65536, 65536})},
        {.name = "only twice the MACs do not fit",
         .in = {1, 1, 1, 1u << 12},
         .weights = {1, 1, 1, 1u << 12},
         CONV({1u << 17, 1u << 17, 1u << 17, 1}, .kernel = {1, 1})},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(huge); i++) {
        fx_op ops[MOST];
        op_work work;
        roof_error err = {0};
        fx_net net = fx_open(fx_model(ops, build_row(&huge[i], ops), NULL), NULL);
        roof_status status = op_work_of(net.graph, fx_find_op(net.graph, "op"), &with_bias, &work, &err);
        if (status != ROOF_E_LIMIT)
            fail_msg("%s: status %d", huge[i].name, (int)status);
        assert_string_equal(fx_message(&err), "op 'op': the number of operations overflows 64 bits");
        assert_int_equal(op_work_of(net.graph, fx_find_op(net.graph, "op"), &with_bias, &work, NULL),
                         ROOF_E_LIMIT);
        fx_close(&net);
    }
}

/* ---- shapes ---- */

static void every_rank_reads_as_nhwc(void **state)
{
    static const struct {
        uint32_t dims[6], n_dims;
        nhwc want;
    } shapes[] = {{{0}, 0, {1, 1, 1, 1}},          {{7}, 1, {1, 1, 1, 7}},
                  {{2, 7}, 2, {2, 1, 1, 7}},       {{2, 5, 7}, 3, {2, 1, 5, 7}},
                  {{2, 3, 5, 7}, 4, {2, 3, 5, 7}}, {{2, 11, 3, 5, 7}, 5, {22, 3, 5, 7}}};
    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        roof_tensor t = {.n_dims = shapes[i].n_dims};
        memcpy(t.dims, shapes[i].dims, sizeof shapes[i].dims);
        nhwc got = tensor_nhwc(&t);
        if (memcmp(&got, &shapes[i].want, sizeof got) != 0)
            fail_msg("rank %u: %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, shapes[i].n_dims, got.n, got.h,
                     got.w, got.c);
    }
}

static void inputs_are_counted_by_role(void **state)
{
    const fx_op ops[] = {FX("a", "data", {1, 8}), FX("b", "data", {1, 8}), FX("w", "const", {8, 8}),
                         FX("op", "eltwise", {1, 8}, .inputs = {"a", "b", "a"}, .weights = "w")};
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
    const roof_op *op = fx_find_op(net.graph, "op");
    assert_int_equal(op_count_inputs(net.graph, op, ROOF_ROLE_INPUT), 3);
    assert_int_equal(op_count_inputs(net.graph, op, ROOF_ROLE_WEIGHTS), 1);
    assert_int_equal(op_count_inputs(net.graph, op, ROOF_ROLE_BIAS), 0);
    assert_string_equal(op_input(net.graph, op, ROOF_ROLE_INPUT)->name, "a");
    assert_null(op_input(net.graph, op, ROOF_ROLE_BIAS));
    fx_close(&net);
}

/* All ops of a network, as the generator counted them. */
static void the_work_of_networks_is_that_of_their_generator(void **state)
{
    static const char *const names[] = {"tiny", "mobilenetv1", "mobilenetv2", "resnet50", "resnet50ds"};
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        xn_summary summary;
        uint64_t macs = 0, workload = 0;
        fx_net net = fx_open(xn_find_network(names[i])->build(NULL, &summary), NULL);
        workload_convention c = workload_detect(net.graph);
        for (uint32_t o = 0; o < net.graph->n_ops; o++) {
            const roof_op *op = &net.graph->ops[o];
            op_work work;
            assert_int_equal(op_work_of(net.graph, op, &c, &work, NULL), ROOF_OK);
            macs += work.macs;
            workload += op->rule == ROOF_RULE_SOFTMAX ? 0 : work.workload_ops;
            if (op->stored_workload_ops != ROOF_UNKNOWN)
                assert_int_equal(work.workload_ops, op->stored_workload_ops);
        }
        assert_int_equal(macs, summary.total.macs);
        assert_int_equal(workload, summary.total.workload_ops);
        fx_close(&net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_what_the_formulas_say),
        cmocka_unit_test(an_op_that_stores_no_workload_counts_none),
        cmocka_unit_test(conventions_change_the_workload_only),
        cmocka_unit_test(conventions_are_read_off_the_file),
        cmocka_unit_test(work_beyond_64_bits_is_an_error_that_names_the_op),
        cmocka_unit_test(every_rank_reads_as_nhwc),
        cmocka_unit_test(inputs_are_counted_by_role),
        cmocka_unit_test(the_work_of_networks_is_that_of_their_generator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
