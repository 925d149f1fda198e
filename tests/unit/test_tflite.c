/* TFLite files: operators in the file's order, work from shapes, windows, roles, what is left open, and files
 * that are damaged. */
#include "core/flatbuffer.h"
#include "model/graph/format.h"
#include "model/work/cost.h"
#include "tests/support/tflite_writer.h"
#include "tests/unit/fixture.h"

#include <math.h>
#include <string.h>

/* Numbers of operators that have no row in a table. */
enum { ADD = 0, CONCATENATION = 2, CONV = 3, DEPTHWISE = 4, DEQUANTIZE = 6, FULLY = 9, LOGISTIC = 14 };
enum {
    MAX_POOL = 17,
    MUL = 18,
    RESHAPE = 22,
    SOFTMAX = 25,
    CUSTOM = 32,
    PAD = 34,
    TRANSPOSE = 39,
    MEAN = 40
};
enum { SPLIT = 49, TRANSPOSED = 67, HARD_SWISH = 117, WHILE = 119, BATCH_MATMUL = 126, CONV_3D = 132 };
enum { GELU = 150 };

#define T            TFW_TENSOR
#define W(name, ...) TFW_TENSOR(name, TFW_INT8, __VA_ARGS__, .data = TFW_ZEROS)

/* ---- files ---- */

static fx_net written(const tfw_network *network)
{
    fx_net net = {0};
    unsigned char *bytes = tfw_write(network, &net.size_bytes);
    net.bytes = fx_copy(bytes, net.size_bytes);
    free(bytes);
    return net;
}

static fx_net opened(const tfw_network *network)
{
    fx_net net = written(network);
    fx_read(&net, "net.tflite");
    assert_string_equal(net.graph->format, "tflite");
    return net;
}

enum { MOST = 6 };

/* A network of one operator that makes "y". */
typedef struct planted {
    tfw_tensor tensors[MOST]; /* up to the first without a name */
    tfw_operator op;
} planted;

static tfw_network network_of(const planted *p)
{
    tfw_network net = {.tensors = p->tensors, .operators = &p->op, .n_operators = 1, .outputs = {"y"}};
    for (size_t n_inputs = 0; net.n_tensors < MOST && p->tensors[net.n_tensors].name; net.n_tensors++) {
        const tfw_tensor *t = &p->tensors[net.n_tensors];
        if (t->data == TFW_COMPUTED && strcmp(t->name, "y") != 0)
            net.inputs[n_inputs++] = t->name;
    }
    return net;
}

static fx_net opened_planted(const planted *p)
{
    const tfw_network network = network_of(p);
    return opened(&network);
}

#define NET(tensors_, operators_, ...)                                                                       \
    ((tfw_network){.tensors = (tensors_),                                                                    \
                   .n_tensors = COUNT(tensors_),                                                             \
                   .operators = (operators_),                                                                \
                   .n_operators = COUNT(operators_),                                                         \
                   __VA_ARGS__})

/* ---- work ---- */

static const struct {
    const char *name;
    planted net;
    const char *rule;
    uint64_t macs;
} works[] = {
    {"convolution",
     {{T("x", TFW_INT8, {1, 16, 16, 3}), W("w", {8, 3, 3, 3}), T("y", TFW_INT8, {1, 16, 16, 8})},
      {CONV, .inputs = {"x", "w", "-"}, .outputs = {"y"}, .options = TFW_CONV(TFW_SAME, 1, 1)}},
     "conv2d",
     55296},
    {"convolution of four groups",
     {{T("x", TFW_INT8, {1, 12, 12, 8}), W("w", {8, 3, 3, 2}), T("y", TFW_INT8, {1, 6, 6, 8})},
      {CONV, .inputs = {"x", "w"}, .outputs = {"y"}, .options = TFW_CONV(TFW_SAME, 2, 1)}},
     "conv2d",
     36 * 8 * 18},
    {"convolution of a channel a group",
     {{T("x", TFW_INT8, {1, 8, 8, 8}), W("w", {8, 3, 3, 1}), T("y", TFW_INT8, {1, 8, 8, 8})},
      {CONV, .inputs = {"x", "w"}, .outputs = {"y"}, .options = TFW_CONV(TFW_SAME, 1, 1)}},
     "depthwise",
     64 * 8 * 9},
    {"two outputs of a channel a group",
     {{T("x", TFW_INT8, {1, 8, 8, 8}), W("w", {16, 3, 3, 1}), T("y", TFW_INT8, {1, 8, 8, 16})},
      {CONV, .inputs = {"x", "w"}, .outputs = {"y"}, .options = TFW_CONV(TFW_SAME, 1, 1)}},
     "conv2d",
     64 * 16 * 9},
    {"depthwise convolution of multiplier 2",
     {{T("x", TFW_INT8, {1, 8, 16, 8}), W("w", {1, 3, 3, 16}), T("y", TFW_INT8, {1, 8, 16, 16})},
      {DEPTHWISE, .inputs = {"x", "w"}, .outputs = {"y"}, .options = TFW_DEPTHWISE(TFW_SAME, 1, 2, 1)}},
     "depthwise",
     8 * 16 * 16 * 9},
    {"transposed convolution",
     {{W("shape", {4}), W("w", {4, 2, 2, 8}), T("x", TFW_INT8, {1, 8, 8, 8}),
       T("y", TFW_INT8, {1, 16, 16, 4})},
      {TRANSPOSED, .inputs = {"shape", "w", "x"}, .outputs = {"y"}, .options = TFW_TRANSPOSED(TFW_SAME, 2)}},
     "transposed-conv",
     8192},
    {"convolution of a volume",
     {{T("x", TFW_FLOAT32, {1, 4, 8, 8, 3}), T("w", TFW_FLOAT32, {3, 3, 3, 3, 5}, .data = TFW_ZEROS),
       T("y", TFW_FLOAT32, {1, 4, 8, 8, 5})},
      {CONV_3D, .inputs = {"x", "w"}, .outputs = {"y"}}},
     "conv3d",
     4 * 64 * 5 * 81},
    {"fully connected",
     {{T("x", TFW_INT8, {1, 256}), W("w", {80, 256}), T("y", TFW_INT8, {1, 80})},
      {FULLY, .inputs = {"x", "w", "-"}, .outputs = {"y"}}},
     "matmul",
     20480},
    {"fully connected, of a map",
     {{T("x", TFW_INT8, {1, 4, 4, 16}), W("w", {80, 256}), T("y", TFW_INT8, {1, 80})},
      {FULLY, .inputs = {"x", "w"}, .outputs = {"y"}}},
     "matmul",
     20480},
    {"fully connected, of a map as several rows",
     {{T("x", TFW_INT8, {1, 4, 4, 16}), W("w", {10, 32}), T("y", TFW_INT8, {8, 10})},
      {FULLY, .inputs = {"x", "w"}, .outputs = {"y"}}},
     "matmul",
     8 * 320},
    {"fully connected, all dimensions kept",
     {{T("x", TFW_INT8, {2, 49, 64}), W("w", {128, 64}), T("y", TFW_INT8, {2, 49, 128})},
      {FULLY, .inputs = {"x", "w"}, .outputs = {"y"}}},
     "matmul",
     2 * 49 * 128 * 64},
    {"fully connected, whose shapes do not fit",
     {{T("x", TFW_INT8, {1, 250}), W("w", {80, 256}), T("y", TFW_INT8, {1, 80})},
      {FULLY, .inputs = {"x", "w"}, .outputs = {"y"}}},
     "misfit",
     ROOF_UNKNOWN},
    {"product of two maps",
     {{T("x", TFW_INT8, {1, 12, 49, 64}), T("z", TFW_INT8, {1, 12, 64, 50}),
       T("y", TFW_INT8, {1, 12, 49, 50})},
      {BATCH_MATMUL, .inputs = {"x", "z"}, .outputs = {"y"}}},
     "matmul",
     12 * 49 * 50 * 64},
    {"product of two maps, the first one transposed",
     {{T("x", TFW_INT8, {1, 12, 64, 49}), T("z", TFW_INT8, {1, 12, 64, 50}),
       T("y", TFW_INT8, {1, 12, 49, 50})},
      {BATCH_MATMUL, .inputs = {"x", "z"}, .outputs = {"y"}, .options = {101, {{1, 1}, {1, 0}}}}},
     "matmul",
     12 * 49 * 50 * 64},
    {"product with constant weights",
     {{T("x", TFW_INT8, {1, 49, 64}), W("w", {64, 50}), T("y", TFW_INT8, {1, 49, 50})},
      {BATCH_MATMUL, .inputs = {"x", "w"}, .outputs = {"y"}}},
     "matmul",
     49 * 50 * 64},
    {"addition",
     {{T("x", TFW_INT8, {1, 8, 8, 4}), T("z", TFW_INT8, {1, 8, 8, 4}), T("y", TFW_INT8, {1, 8, 8, 4})},
      {ADD, .inputs = {"x", "z"}, .outputs = {"y"}}},
     "binary",
     0},
    {"addition of a number that lies behind the flatbuffer",
     {{T("x", TFW_FLOAT32, {1, 8}), T("n", TFW_FLOAT32, {0}, .data = TFW_BEHIND),
       T("y", TFW_FLOAT32, {1, 8})},
      {ADD, .inputs = {"x", "n"}, .outputs = {"y"}}},
     "binary",
     0},
    {"channels of weights that are not those of the input",
     {{T("x", TFW_INT8, {1, 16, 16, 4}), W("w", {8, 3, 3, 3}), T("y", TFW_INT8, {1, 16, 16, 8})},
      {CONV, .inputs = {"x", "w"}, .outputs = {"y"}, .options = TFW_CONV(TFW_SAME, 1, 1)}},
     "misfit",
     ROOF_UNKNOWN},
    {"a height that is open",
     {{T("x", TFW_INT8, {1, 1, 16, 3}, .signature = {1, -1, 16, 3}), W("w", {8, 3, 3, 3}),
       T("y", TFW_INT8, {1, 1, 16, 8}, .signature = {1, -1, 16, 8})},
      {CONV, .inputs = {"x", "w"}, .outputs = {"y"}, .options = TFW_CONV(TFW_SAME, 1, 1)}},
     "unknown",
     ROOF_UNKNOWN},
    {"elements of a text",
     {{T("x", TFW_STRING, {1, 4}), T("z", TFW_STRING, {1, 4}), T("y", TFW_STRING, {1, 4})},
      {ADD, .inputs = {"x", "z"}, .outputs = {"y"}}},
     "unknown",
     ROOF_UNKNOWN},
    {"an operator that nobody counts",
     {{T("x", TFW_INT8, {1, 100, 4}), T("y", TFW_INT32, {10})}, {120, .inputs = {"x"}, .outputs = {"y"}}},
     "unknown",
     ROOF_UNKNOWN},
};

static void work_follows_from_shapes(void **state)
{
    static const workload_convention none;
    (void)state;
    for (size_t i = 0; i < COUNT(works); i++) {
        fx_net net = opened_planted(&works[i].net);
        const roof_op *y = fx_find_op(net.graph, "y");
        op_work work;
        assert_ptr_equal(y, net.graph->ops);
        assert_int_equal(op_work_of(net.graph, y, &none, &work, NULL), ROOF_OK);
        if (work.macs != works[i].macs || strcmp(roof_rule_text(y->rule), works[i].rule) != 0)
            fail_msg("%s: %" PRIu64 " MACs by %s", works[i].name, work.macs, roof_rule_text(y->rule));
        fx_close(&net);
    }
}

/* What lacks a rule for its shapes is told from what lacks one at all. */
static void what_is_not_counted_is_found(void **state)
{
    static const planted text = {{T("x", TFW_STRING, {1, 4}), T("y", TFW_STRING, {1, 4})},
                                 {LOGISTIC, .inputs = {"x"}, .outputs = {"y"}}},
                         other = {{T("x", TFW_INT8, {1, 4}), T("y", TFW_INT8, {1, 4})},
                                  {120, .inputs = {"x"}, .outputs = {"y"}}};
    static const struct {
        const planted *net;
        roof_finding_kind kind;
        const char *want;
    } rows[] = {
        {&text, ROOF_FINDING_SHAPE_UNKNOWN, "operator 'LOGISTIC' (1x, first 'y'): shapes"},
        {&other, ROOF_FINDING_UNKNOWN_OP, "operator 'NON_MAX_SUPPRESSION_V4' (1 of them, first 'y')"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = opened_planted(rows[i].net);
        roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
        assert_int_equal(fx_count_findings(p, rows[i].kind), 1);
        assert_non_null(strstr(fx_finding(p, rows[i].kind), rows[i].want));
        assert_true(p->layers[0].macs == ROOF_UNKNOWN);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

/* ---- windows ---- */

static void windows_have_the_pads_of_their_shapes(void **state)
{
#define CONV_OF(in_h, in_w, k_h, k_w, out_h, out_w, ...)                                                     \
    {                                                                                                        \
        {T("x", TFW_INT8, {1, in_h, in_w, 4}), W("w", {4, k_h, k_w, 4}),                                     \
         T("y", TFW_INT8, {1, out_h, out_w, 4})},                                                            \
        {                                                                                                    \
            CONV, .inputs = {"x", "w"}, .outputs = {"y"}, .options = __VA_ARGS__                             \
        }                                                                                                    \
    }
    static const struct {
        const char *name;
        planted net;
        roof_window want; /* kernel, stride, dilation h and w; pads left, right, top, bottom */
    } rows[] = {
        {"same, 3 x 3",
         CONV_OF(16, 16, 3, 3, 16, 16, TFW_CONV(TFW_SAME, 1, 1)),
         {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}},
        {"valid, 3 x 3",
         CONV_OF(16, 16, 3, 3, 14, 14, TFW_CONV(TFW_VALID, 1, 1)),
         {3, 3, 1, 1, 1, 1, 0, 0, 0, 0}},
        {"the odd pad lies behind",
         CONV_OF(224, 224, 3, 3, 112, 112, TFW_CONV(TFW_SAME, 2, 1)),
         {3, 3, 2, 2, 1, 1, 0, 1, 0, 1}},
        {"an odd size by a stride",
         CONV_OF(7, 9, 3, 5, 4, 5, TFW_CONV(TFW_SAME, 2, 1)),
         {3, 5, 2, 2, 1, 1, 2, 2, 1, 1}},
        {"dilation", CONV_OF(32, 32, 3, 3, 32, 32, TFW_CONV(TFW_SAME, 1, 2)), {3, 3, 1, 1, 2, 2, 2, 2, 2, 2}},
        {"a stride beyond the kernel",
         CONV_OF(8, 8, 1, 1, 4, 4, TFW_CONV(TFW_SAME, 2, 1)),
         {1, 1, 2, 2, 1, 1, 0, 0, 0, 0}},
        {"stride and dilation of each direction",
         CONV_OF(12, 12, 3, 3, 12, 6, {1, {{1, TFW_SAME}, {4, 2}, {4, 1}, {0, 0}, {4, 1}, {4, 3}}}),
         {3, 3, 1, 2, 3, 1, 0, 1, 3, 3}},
        {"dilation that is left out is 1",
         CONV_OF(16, 16, 3, 3, 16, 16, {1, {{1, TFW_SAME}, {4, 1}, {4, 1}}}),
         {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}},
        {"no options: the kernel alone", CONV_OF(16, 16, 3, 3, 16, 16, {0}), {.kernel_h = 3, .kernel_w = 3}},
        {"options of another operator",
         CONV_OF(16, 16, 3, 3, 16, 16, TFW_POOL(TFW_SAME, 1, 2)),
         {.kernel_h = 3, .kernel_w = 3}},
        {"a stride of -1, with which nothing slides",
         CONV_OF(16, 16, 3, 3, 16, 16, TFW_CONV(TFW_SAME, -1, 1)),
         {0}},
        {"depthwise",
         {{T("x", TFW_INT8, {1, 8, 8, 4}), W("w", {1, 5, 3, 4}), T("y", TFW_INT8, {1, 8, 8, 4})},
          {DEPTHWISE, .inputs = {"x", "w"}, .outputs = {"y"}, .options = TFW_DEPTHWISE(TFW_SAME, 1, 1, 1)}},
         {5, 3, 1, 1, 1, 1, 1, 1, 2, 2}},
        {"pooling",
         {{T("x", TFW_INT8, {1, 9, 9, 4}), T("y", TFW_INT8, {1, 5, 5, 4})},
          {MAX_POOL, .inputs = {"x"}, .outputs = {"y"}, .options = TFW_POOL(TFW_SAME, 2, 3)}},
         {3, 3, 2, 2, 1, 1, 1, 1, 1, 1}},
        {"a transposed convolution: pads are of its output",
         {{W("shape", {4}), W("w", {4, 3, 3, 8}), T("x", TFW_INT8, {1, 8, 8, 8}),
           T("y", TFW_INT8, {1, 16, 16, 4})},
          {TRANSPOSED, .inputs = {"shape", "w", "x"}, .outputs = {"y"},
           .options = TFW_TRANSPOSED(TFW_SAME, 2)}},
         {3, 3, 2, 2, 1, 1, 0, 1, 0, 1}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = opened_planted(&rows[i].net);
        const roof_window *w = &fx_find_op(net.graph, "y")->window;
        if (memcmp(w, &rows[i].want, sizeof *w) != 0)
            fail_msg("%s: kernel %ux%u stride %ux%u dilation %ux%u pads %d %d %d %d", rows[i].name,
                     w->kernel_h, w->kernel_w, w->stride_h, w->stride_w, w->dilation_h, w->dilation_w,
                     w->pad_left, w->pad_right, w->pad_top, w->pad_bottom);
        fx_close(&net);
    }
}

/* Whose operations are not counted then. */
static void pooling_without_options_has_no_window(void **state)
{
    static const planted pool = {{T("x", TFW_INT8, {1, 8, 8, 4}), T("y", TFW_INT8, {1, 4, 4, 4})},
                                 {1, .inputs = {"x"}, .outputs = {"y"}}};
    static const workload_convention none;
    op_work work;
    (void)state;
    fx_net net = opened_planted(&pool);
    assert_true(net.graph->ops[0].average);
    assert_int_equal(op_work_of(net.graph, net.graph->ops, &none, &work, NULL), ROOF_OK);
    assert_int_equal(work.macs, 0);
    assert_true(work.ops_count == ROOF_UNKNOWN);
    fx_close(&net);
}

/* ---- the graph ---- */

static void operators_keep_the_numbers_of_the_file(void **state)
{
    static const struct {
        const char *name, *type, *rule;
        uint32_t n_inputs;
    } want[] = {
        {"image_q", "QUANTIZE", "convert", 1},
        {"conv", "CONV_2D", "conv2d", 3},
        {"depthwise", "DEPTHWISE_CONV_2D", "depthwise", 2},
        {"pool", "MAX_POOL_2D", "pool", 1},
        {"up", "TRANSPOSE_CONV", "transposed-conv", 3},
        {"left", "SPLIT", "move", 2},
        {"both", "CONCATENATION", "alias", 2},
        {"scores", "FULLY_CONNECTED", "matmul", 2},
        {"classes", "SOFTMAX", "softmax", 1},
        {"odd", "Oddity", "unknown", 1},
        {"right", "output", "alias", 1}, /* the second of the split, which it reads */
        {"image", "input", "input", 0},
        {"w1", "const", "constant", 0},
    };
    (void)state;
    fx_net net = opened(&tfw_tiny);
    const roof_graph *g = net.graph;
    for (uint32_t i = 0; i < COUNT(want); i++) {
        const roof_op *op = i < 12 ? &g->ops[i] : fx_find_op(g, want[i].name);
        if (strcmp(op->name, want[i].name) != 0 || strcmp(op->type, want[i].type) != 0 ||
            strcmp(roof_rule_text(op->rule), want[i].rule) != 0 || op->n_inputs != want[i].n_inputs)
            fail_msg("%u: '%s' %s by %s of %u inputs", i, op->name, op->type, roof_rule_text(op->rule),
                     op->n_inputs);
    }
    assert_int_equal(g->edges[fx_find_op(g, "right")->first_input].op, 5);
    assert_int_equal(g->n_layers, 7);
    assert_string_equal(g->layers[0].name, "conv");
    assert_int_equal(fx_find_op(g, "w3")->rule, ROOF_RULE_CONSTANT); /* its data lies behind the flatbuffer */
    assert_string_equal(g->name, "main");
    assert_false(g->compiled);
    fx_close(&net);
}

static void inputs_have_the_role_of_their_place(void **state)
{
    static const tfw_tensor tensors[] = {T("x", TFW_INT8, {1, 8, 8, 4}),
                                         W("w", {4, 3, 3, 4}),
                                         T("b", TFW_INT32, {4}, .data = TFW_ZEROS),
                                         T("conv", TFW_INT8, {1, 8, 8, 4}),
                                         W("c", {4}),
                                         T("sum", TFW_INT8, {1, 8, 8, 4}),
                                         TFW_LIST("axis", 0, 3),
                                         T("a", TFW_INT8, {1, 8, 8, 2}),
                                         T("z", TFW_INT8, {1, 8, 8, 2}),
                                         T("shape", TFW_INT32, {4}, .data = TFW_ZEROS),
                                         W("v", {3, 2, 2, 4}),
                                         T("u", TFW_INT32, {3}, .data = TFW_ZEROS),
                                         T("up", TFW_INT8, {1, 16, 16, 3}),
                                         T("flat", TFW_INT8, {1, 768}),
                                         T("n", TFW_INT32, {2})};
    static const tfw_operator operators[] = {
        {CONV, .inputs = {"x", "w", "b"}, .outputs = {"conv"}, .options = TFW_CONV(TFW_SAME, 1, 1)},
        {ADD, .inputs = {"c", "conv"}, .outputs = {"sum"}},
        {SPLIT, .inputs = {"axis", "sum"}, .outputs = {"a", "z"}},
        {TRANSPOSED, .inputs = {"shape", "v", "sum", "u"}, .outputs = {"up"},
         .options = TFW_TRANSPOSED(TFW_SAME, 2)},
        {RESHAPE, .inputs = {"up", "n"}, .outputs = {"flat"}}};
    static const struct {
        const char *op;
        roof_role roles[4];
    } rows[] = {{"conv", {ROOF_ROLE_INPUT, ROOF_ROLE_WEIGHTS, ROOF_ROLE_BIAS}},
                {"sum", {ROOF_ROLE_WEIGHTS, ROOF_ROLE_INPUT}},
                {"a", {ROOF_ROLE_OTHER, ROOF_ROLE_INPUT}},
                {"up", {ROOF_ROLE_OTHER, ROOF_ROLE_WEIGHTS, ROOF_ROLE_INPUT, ROOF_ROLE_BIAS}},
                {"flat", {ROOF_ROLE_INPUT, ROOF_ROLE_OTHER}}};
    (void)state;
    const tfw_network network = NET(tensors, operators, .inputs = {"x", "n"});
    fx_net net = opened(&network);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_op *op = fx_find_op(net.graph, rows[i].op);
        for (uint32_t j = 0; j < op->n_inputs; j++)
            if (net.graph->edges[op->first_input + j].role != rows[i].roles[j])
                fail_msg("%s: input %u has role %d", rows[i].op, j,
                         (int)net.graph->edges[op->first_input + j].role);
    }
    fx_close(&net);
}

static void elements_have_the_bits_of_their_type(void **state)
{
    static const struct {
        int type;
        int32_t n;
        uint32_t bits;
        uint64_t bytes;
    } rows[] = {{TFW_INT8, 7, 8, 7},    {TFW_UINT8, 7, 8, 7},     {TFW_INT4, 7, 4, 4},
                {TFW_INT16, 7, 16, 14}, {TFW_FLOAT16, 7, 16, 14}, {TFW_FLOAT32, 7, 32, 28},
                {TFW_INT32, 7, 32, 28}, {TFW_BOOL, 7, 8, 7},      {18, 7, 16, 14},
                {19, 7, 2, 2},          {4, 7, 64, 56},           {10, 7, 64, 56}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const planted one = {{T("x", rows[i].type, {1, rows[i].n}), T("y", rows[i].type, {1, rows[i].n})},
                             {LOGISTIC, .inputs = {"x"}, .outputs = {"y"}}};
        fx_net net = opened_planted(&one);
        const roof_tensor *t = &fx_find_op(net.graph, "y")->out;
        if (t->bit_width != rows[i].bits || t->bytes != rows[i].bytes)
            fail_msg("type %d: %u bits, %" PRIu64 " bytes", rows[i].type, t->bit_width, t->bytes);
        fx_close(&net);
    }
}

/* Half floats that are widened before they are used; what an operator computes is as wide as it says. */
static void weights_have_the_bits_that_they_are_stored_with(void **state)
{
    static const tfw_tensor tensors[] = {
        T("x", TFW_FLOAT32, {1, 8, 8, 4}), T("w16", TFW_FLOAT16, {4, 1, 1, 4}, .data = TFW_ZEROS),
        T("w", TFW_FLOAT32, {4, 1, 1, 4}), T("y", TFW_FLOAT32, {1, 8, 8, 4}),
        T("q", TFW_INT8, {1, 8, 8, 4}),    T("d", TFW_FLOAT32, {1, 8, 8, 4})};
    static const tfw_operator operators[] = {
        {DEQUANTIZE, .inputs = {"w16"}, .outputs = {"w"}},
        {CONV, .inputs = {"x", "w"}, .outputs = {"y"}, .options = TFW_CONV(TFW_SAME, 1, 1)},
        {114, .inputs = {"y"}, .outputs = {"q"}},
        {DEQUANTIZE, .inputs = {"q"}, .outputs = {"d"}}};
    (void)state;
    const tfw_network network = NET(tensors, operators, .inputs = {"x"});
    fx_net net = opened(&network);
    assert_int_equal(fx_find_op(net.graph, "w")->out.bytes, 32);
    assert_int_equal(fx_find_op(net.graph, "d")->out.bytes, 1024);
    fx_close(&net);
}

static void names_are_those_of_the_schema(void **state)
{
    static const struct {
        int builtin;
        const char *custom, *want;
    } rows[] = {{CONV, NULL, "CONV_2D"},
                {BATCH_MATMUL, NULL, "BATCH_MATMUL"},
                {GELU, NULL, "GELU"}, /* beyond what the byte of older files holds */
                {207, NULL, "COMPLEX"},
                {300, NULL, "BUILTIN_300"},
                {CUSTOM, "TFLite_Detection_PostProcess", "TFLite_Detection_PostProcess"},
                {CUSTOM, "CONV_2D", "CONV_2D"}, /* not the one that is known by this name */
                {CUSTOM, NULL, "CUSTOM"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const planted one = {{T("x", TFW_INT8, {1, 4}), T("y", TFW_INT8, {1, 4})},
                             {rows[i].builtin, .custom = rows[i].custom, .inputs = {"x"}, .outputs = {"y"}}};
        fx_net net = opened_planted(&one);
        assert_string_equal(net.graph->ops[0].type, rows[i].want);
        if (rows[i].builtin == CUSTOM)
            assert_int_equal(net.graph->ops[0].rule, ROOF_RULE_UNKNOWN);
        fx_close(&net);
    }
}

static void what_has_no_name_gets_one(void **state)
{
    static const tfw_tensor tensors[] = {T("x", TFW_INT8, {1, 4}), T(NULL, TFW_INT8, {1, 4}),
                                         T("b\xff\x1b", TFW_INT8, {1, 4})};
    static const tfw_operator operators[] = {{LOGISTIC, .inputs = {"x"}, .outputs = {"#1"}},
                                             {LOGISTIC, .inputs = {"#1"}, .outputs = {"#2"}},
                                             {144, .inputs = {"#2"}}};
    (void)state;
    const tfw_network network = NET(tensors, operators, .inputs = {"x"});
    fx_net net = opened(&network);
    assert_string_equal(net.graph->ops[0].name, "tensor_1");
    assert_string_equal(net.graph->ops[1].name, "b\\xff\\x1b");
    assert_string_equal(net.graph->ops[2].name, "ASSIGN_VARIABLE_2");
    assert_int_equal(net.graph->ops[2].out.elements, 0);
    fx_close(&net);
}

/* ---- what is left open ---- */

static void shapes_are_known_as_far_as_the_file_tells(void **state)
{
    static const struct {
        const char *name;
        tfw_tensor tensor;
        bool is_known;
        uint64_t elements;
        uint32_t n_open; /* tensors that the finding tells */
    } rows[] = {
        {"a shape", T("y", TFW_INT8, {1, 3}), true, 3, 0},
        {"a batch that is open", T("y", TFW_INT8, {1, 3}, .signature = {-1, 3}), true, 3, 1},
        {"a first dimension that is open and no batch", T("y", TFW_INT8, {9, 3}, .signature = {-1, 3}), true,
         27, 1},
        {"only the shape says so", T("y", TFW_INT8, {-1, 3}), true, 3, 1},
        {"another dimension that is open", T("y", TFW_INT8, {1, 1}, .signature = {1, -1}), false, 0, 0},
        {"both", T("y", TFW_INT8, {1, 1}, .signature = {-1, -1}), false, 0, 0},
        {"a dimension of -2", T("y", TFW_INT8, {-2, 3}), false, 0, 0},
        {"no shape", T("y", TFW_INT8, {0}), false, 0, 0},
        {"no shape, and that is said", T("y", TFW_INT8, {0}, .has_rank = true), true, 1, 0},
        {"nine dimensions", T("y", TFW_INT8, {1, 1, 1, 1, 1, 1, 1, 1, 2}), false, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const planted one = {{T("x", TFW_INT8, {1, 3}), rows[i].tensor},
                             {LOGISTIC, .inputs = {"x"}, .outputs = {"y"}}};
        fx_net net = opened_planted(&one);
        const roof_op *y = fx_find_op(net.graph, "y");
        roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
        if ((y->rule != ROOF_RULE_UNKNOWN) != rows[i].is_known || y->out.elements != rows[i].elements ||
            fx_count_findings(p, ROOF_FINDING_OPEN_SHAPE) != rows[i].n_open ||
            fx_count_findings(p, ROOF_FINDING_SHAPE_UNKNOWN) == rows[i].is_known)
            fail_msg("%s: %s, %" PRIu64 " elements, %u open", rows[i].name, roof_rule_text(y->rule),
                     y->out.elements, fx_count_findings(p, ROOF_FINDING_OPEN_SHAPE));
        roof_prediction_free(p);
        fx_close(&net);
    }
}

static void subgraphs_that_are_not_counted_are_found(void **state)
{
    static const tfw_tensor tensors[] = {T("x", TFW_INT8, {1, 4}), T("y", TFW_INT8, {1, 4}),
                                         T("z", TFW_INT8, {1, 4})};
    static const tfw_operator loop[] = {{WHILE, .inputs = {"x"}, .outputs = {"y"}},
                                        {118, .inputs = {"y"}, .outputs = {"z"}}},
                              plain[] = {{LOGISTIC, .inputs = {"x"}, .outputs = {"y"}},
                                         {LOGISTIC, .inputs = {"y"}, .outputs = {"z"}}};
    static const struct {
        const tfw_operator *operators;
        uint32_t n_further;
        const char *want; /* NULL: nothing is left out */
    } rows[] = {{loop, 2, "2 operators run subgraphs, first 'y': what these compute is not counted"},
                {plain, 2, "the file has 2 subgraphs beside the main one, not counted"},
                {plain, 0, NULL}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const tfw_network network = {.tensors = tensors,
                                     .n_tensors = COUNT(tensors),
                                     .operators = rows[i].operators,
                                     .n_operators = 2,
                                     .inputs = {"x"},
                                     .n_further = rows[i].n_further};
        fx_net net = opened(&network);
        roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_CONTROL_FLOW), rows[i].want != NULL);
        if (rows[i].want)
            assert_string_equal(fx_finding(p, ROOF_FINDING_CONTROL_FLOW), rows[i].want);
        char said[ROOF_SENTENCE_SIZE];
        assert_int_equal(strstr(roof_prediction_sentence(p, 0, said), "no time, since 2 operators") != NULL,
                         rows[i].operators == loop);
        assert_int_equal(p->layers[0].macs == ROOF_UNKNOWN, rows[i].operators == loop);
        assert_true(rows[i].operators != loop || isnan(p->total.inferences_per_s)); /* of a part */
        roof_prediction_free(p);
        fx_close(&net);
    }
}

/* ---- subgraphs that operators run ---- */

#define IF_OPTIONS(then, other)                                                                              \
    {                                                                                                        \
        92,                                                                                                  \
        {                                                                                                    \
            {4, then},                                                                                       \
            {                                                                                                \
                4, other                                                                                     \
            }                                                                                                \
        }                                                                                                    \
    }
#define WHILE_OPTIONS(condition, body)                                                                       \
    {                                                                                                        \
        93,                                                                                                  \
        {                                                                                                    \
            {4, condition},                                                                                  \
            {                                                                                                \
                4, body                                                                                      \
            }                                                                                                \
        }                                                                                                    \
    }

/* A small and a large product, and a loop that runs one of them. */
static void branches_and_loops_are_counted(void **state)
{
    enum { LESS = 58, LESS_EQUAL = 63, LOGICAL_AND = 86, IF = 118 };
    static const tfw_tensor tensors[] = {
        T("x", TFW_INT8, {1, 4}),
        T("y", TFW_INT8, {1, 4}),
        T("z", TFW_INT8, {1, 4}),
        T("c", TFW_BOOL, {1}),
        T("open", TFW_BOOL, {1}),
        W("w", {4, 4}),
        T("mid", TFW_INT8, {1, 4}),
        TFW_LIST("begin", 0, 2),
        TFW_LIST("end", 0, 9),
        TFW_LIST("step", 0, 3),
        T("i", TFW_INT32, {1}),
        T("next", TFW_INT32, {1}),
        T("last", TFW_INT32, {1}),
        T("free", TFW_INT32, {1}),
        {.name = "large step", .type = TFW_INT64, .data = TFW_VALUES, .values = {-1, INT32_MAX}},
        T("l", TFW_INT64, {1}),
        T("next l", TFW_INT64, {1})};
    /* operators of subgraph 1: a product; 2: two products; 3: i < end; 4: a product, and i + step;
     * 5: i <= end and i < end; 6: as 4, with the largest step that there is */
    static const tfw_operator operators[] = {
        {IF, .inputs = {"open", "x"}, .outputs = {"y"}, .options = IF_OPTIONS(1, 2)},
        {WHILE, .inputs = {"begin", "x"}, .outputs = {"last", "y"}, .options = WHILE_OPTIONS(3, 4)},
        {WHILE, .inputs = {"free", "x"}, .outputs = {"last", "y"}, .options = WHILE_OPTIONS(3, 4)},
        {WHILE, .inputs = {"begin", "x"}, .outputs = {"last", "y"}, .options = WHILE_OPTIONS(5, 4)},
        {IF, .inputs = {"open", "x"}, .outputs = {"y"}, .options = IF_OPTIONS(0, 7)},
        {IF, .inputs = {"open", "x"}, .outputs = {"y"}, .options = IF_OPTIONS(1, 99)},
        {WHILE, .inputs = {"begin", "x"}, .outputs = {"last", "y"}, .options = WHILE_OPTIONS(3, 6)},
        {FULLY, .inputs = {"x", "w"}, .outputs = {"z"}},
        {FULLY, .inputs = {"x", "w"}, .outputs = {"mid"}},
        {FULLY, .inputs = {"mid", "w"}, .outputs = {"z"}},
        {LESS, .inputs = {"i", "end"}, .outputs = {"c"}},
        {FULLY, .inputs = {"x", "w"}, .outputs = {"z"}},
        {0, .inputs = {"i", "step"}, .outputs = {"next"}},
        {LESS_EQUAL, .inputs = {"i", "end"}, .outputs = {"c"}},
        {LESS, .inputs = {"i", "end"}, .outputs = {"open"}},
        {LOGICAL_AND, .inputs = {"c", "open"}, .outputs = {"z"}},
        {FULLY, .inputs = {"x", "w"}, .outputs = {"z"}},
        {0, .inputs = {"l", "large step"}, .outputs = {"next l"}}};
    static const tfw_body bodies[] = {{7, 1, {"x"}, {"z"}},       {8, 2, {"x"}, {"z"}},
                                      {10, 1, {"i", "x"}, {"c"}}, {11, 2, {"i", "x"}, {"next", "z"}},
                                      {13, 3, {"i", "x"}, {"z"}}, {16, 2, {"l", "x"}, {"next l", "z"}}};
    static const struct {
        size_t first;
        const char *inputs[2];
        uint64_t macs; /* ROOF_UNKNOWN: not counted */
        unsigned larger;
    } rows[] = {{0, {"x", "open"}, 32, 1},
                {1, {"x"}, 3 * 16, 0},
                {2, {"x", "free"}, ROOF_UNKNOWN, 0},
                {3, {"x"}, 3 * 16, 0},
                {4, {"x", "open"}, ROOF_UNKNOWN, 0},
                {5, {"x", "open"}, ROOF_UNKNOWN, 0},
                {6, {"x"}, 16, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        tfw_operator own[COUNT(operators)];
        memcpy(own, operators, sizeof own);
        own[0] = operators[rows[i].first];
        const tfw_network network = {.tensors = tensors,
                                     .n_tensors = COUNT(tensors),
                                     .operators = own,
                                     .n_operators = COUNT(operators),
                                     .n_main = 1,
                                     .bodies = bodies,
                                     .n_bodies = COUNT(bodies),
                                     .inputs = {rows[i].inputs[0], rows[i].inputs[1]},
                                     .outputs = {"y"}};
        fx_net net = opened(&network);
        roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
        const bool is_counted = rows[i].macs != ROOF_UNKNOWN;
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_CONTROL_FLOW), !is_counted);
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_LARGER_BRANCH), rows[i].larger);
        if (is_counted)
            assert_int_equal(p->total.macs, rows[i].macs);
        else
            assert_true(isnan(p->total.inferences_per_s));
        roof_prediction_free(p);
        fx_close(&net);
    }
}

/* ---- lowered for a DPU ---- */

static void operators_become_the_layers_of_a_dpu(void **state)
{
    static const tfw_tensor tensors[] = {
        T("x", TFW_INT8, {1, 16, 16, 3}),
        T("pads", TFW_INT32, {4, 2}, .data = TFW_VALUES, .values = {0, 0, 1, 1, 1, 1}),
        T("padded", TFW_INT8, {1, 18, 18, 3}),
        W("w1", {8, 3, 3, 3}),
        T("conv", TFW_INT8, {1, 16, 16, 8}),
        T("swish", TFW_INT8, {1, 16, 16, 8}),
        W("w2", {8, 1, 1, 8}),
        T("conv2", TFW_INT8, {1, 16, 16, 8}),
        T("sum", TFW_INT8, {1, 16, 16, 8}),
        T("shuffled", TFW_INT8, {1, 32, 32, 2}),
        TFW_LIST("axes", 2, 1, 2),
        T("mean", TFW_INT8, {1, 2}),
        T("gate", TFW_INT8, {1, 2}),
        T("big", TFW_INT8, {1, 64, 64, 2}),
        TFW_LIST("size", 2, 64, 64),
        T("joined", TFW_INT8, {1, 64, 64, 4})};
    static const tfw_operator operators[] = {
        {PAD, .inputs = {"x", "pads"}, .outputs = {"padded"}},
        {CONV, .inputs = {"padded", "w1"}, .outputs = {"conv"}, .options = TFW_CONV(TFW_VALID, 1, 1)},
        {HARD_SWISH, .inputs = {"conv"}, .outputs = {"swish"}},
        {CONV, .inputs = {"swish", "w2"}, .outputs = {"conv2"}, .options = TFW_CONV(TFW_SAME, 1, 1)},
        {ADD, .inputs = {"conv2", "swish"}, .outputs = {"sum"}},
        {5, .inputs = {"sum"}, .outputs = {"shuffled"}}, /* DEPTH_TO_SPACE */
        {MEAN, .inputs = {"shuffled", "axes"}, .outputs = {"mean"}},
        {LOGISTIC, .inputs = {"mean"}, .outputs = {"gate"}},
        {97, .inputs = {"shuffled", "size"}, .outputs = {"big"}}, /* RESIZE_NEAREST_NEIGHBOR */
        {CONCATENATION, .inputs = {"big", "big"}, .outputs = {"joined"}},
    };
    static const struct {
        const char *name, *type, *device;
    } want[] = {{"conv", "conv", "DPU"},
                {"swish", "hsigmoid", "DPU"},
                {"swish", "HARD_SWISH", "DPU"},
                {"conv2", "conv+ADD", "DPU"},
                {"shuffled", "DEPTH_TO_SPACE", "DPU"},
                {"mean", "avgpool", "DPU"},
                {"gate", "LOGISTIC", "host"},
                {"big", "RESIZE_NEAREST_NEIGHBOR", "DPU"}};
    (void)state;
    const tfw_network network = NET(tensors, operators, .inputs = {"x"});
    fx_net net = opened(&network);
    roof_prediction *p = fx_predict(net.graph, "kv260", NULL);
    assert_int_equal(p->n_layers, COUNT(want));
    for (uint32_t i = 0; i < p->n_layers; i++)
        if (strcmp(p->layers[i].name, want[i].name) != 0 || strcmp(p->layers[i].type, want[i].type) != 0 ||
            strcmp(p->layers[i].device, want[i].device) != 0)
            fail_msg("%u: '%s' %s on %s", i, p->layers[i].name, p->layers[i].type, p->layers[i].device);
    assert_int_equal(p->total.macs, 256 * 8 * 27 + 256 * 64);
    roof_prediction_free(p);
    fx_close(&net);
}

/* ---- damage ---- */

static void what_is_no_network_is_refused_with_its_place(void **state)
{
    static const tfw_tensor tensors[] = {T("x", TFW_INT8, {1, 4}), T("y", TFW_INT8, {1, 4}),
                                         T("z", TFW_INT8, {1, 4}),
                                         T("huge", TFW_INT8, {2147483647, 2147483647, 2147483647})};
    static const tfw_operator twice[] = {{LOGISTIC, .inputs = {"x"}, .outputs = {"y"}},
                                         {LOGISTIC, .inputs = {"x"}, .outputs = {"y"}}},
                              circle[] = {{ADD, .inputs = {"x", "z"}, .outputs = {"y"}},
                                          {LOGISTIC, .inputs = {"y"}, .outputs = {"z"}}},
                              beyond[] = {{LOGISTIC, .inputs = {"x"}, .outputs = {"y"}},
                                          {LOGISTIC, .inputs = {"#4"}, .outputs = {"z"}}},
                              before[] = {{LOGISTIC, .inputs = {"x"}, .outputs = {"#-2"}},
                                          {LOGISTIC, .inputs = {"x"}, .outputs = {"z"}}},
                              large[] = {{LOGISTIC, .inputs = {"x"}, .outputs = {"huge"}},
                                         {LOGISTIC, .inputs = {"x"}, .outputs = {"z"}}};
    static const struct {
        const char *name;
        const tfw_operator *operators;
        size_t n_operators;
        uint32_t version;
        roof_status status;
        const char *want;
    } rows[] = {
        {"another makes it too", twice, 2, 0, ROOF_E_DATA, "operator 1: another one makes tensor 1 as well"},
        {"a circle", circle, 2, 0, ROOF_E_DATA, "ops feed each other in a circle through 'y'"},
        {"an input that is not there", beyond, 2, 0, ROOF_E_DATA,
         "operator 1: input 0 is tensor 4, and there are 4"},
        {"an output before the first", before, 2, 0, ROOF_E_DATA,
         "operator 0: output 0 is tensor -2, and there are 4"},
        {"too many elements", large, 2, 0, ROOF_E_LIMIT,
         "tensor 3: tensor 'huge': its bits overflow 64 bits"},
        {"no operator", twice, 0, 0, ROOF_E_DATA, "the main subgraph has no operator"},
        {"an older version", circle, 2, 2, ROOF_E_UNSUPPORTED,
         "is a TFLite model of schema version 2, want 3: convert it anew"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const tfw_network network = {.tensors = tensors,
                                     .n_tensors = COUNT(tensors),
                                     .operators = rows[i].operators,
                                     .n_operators = rows[i].n_operators,
                                     .version = rows[i].version};
        fx_net net = written(&network);
        fx_refused(rows[i].name, &net, rows[i].status, rows[i].want);
        fx_close(&net);
    }
}

static roof_status read_bytes(const uint8_t *bytes, size_t size, roof_error *err)
{
    roof_graph *graph = NULL;
    roof_status status = graph_read_memory(bytes, size, "net.tflite", &graph, err);
    roof_graph_free(graph);
    return status;
}

/* The last bytes are those of weights behind the flatbuffer. */
static void a_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    fx_net net = written(&tfw_tiny);
    for (size_t size = 1; size < net.size_bytes; size += size < 400 ? 1 : 37) {
        uint8_t *bytes = fx_copy(net.bytes, size);
        roof_error err = {.byte_offset = ROOF_UNKNOWN};
        assert_int_equal(read_bytes(bytes, size, &err), ROOF_E_DATA);
        assert_true(err.byte_offset == ROOF_UNKNOWN || err.byte_offset <= size);
        free(bytes);
    }
    fx_close(&net);
}

/* Every byte of tables; sanitizers see what is read beyond. */
static void no_changed_byte_leads_out_of_the_file(void **state)
{
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
    static const tfw_network *const networks[] = {&tfw_tiny, &tfw_loops};
    (void)state;
    for (size_t n = 0; n < COUNT(networks); n++) {
        fx_net net = written(networks[n]);
        for (size_t at = 0; at < net.size_bytes; at++)
            for (size_t i = 0; i < COUNT(values) && net.bytes[at]; i++) {
                const uint8_t was = net.bytes[at];
                roof_error err = {.byte_offset = ROOF_UNKNOWN};
                net.bytes[at] = values[i];
                roof_status status = read_bytes(net.bytes, net.size_bytes, &err);
                net.bytes[at] = was;
                if (status != ROOF_OK && !err.what[0])
                    fail_msg("byte %zu as %u: status %d without a word", at, values[i], (int)status);
            }
        fx_close(&net);
    }
}

static void set_u32(uint8_t *at, uint64_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

/* A few bytes that many operators share do not become many edges. */
static void lists_that_operators_share_are_bounded(void **state)
{
    enum { OPERATORS = 300, LONG = 1000 };
    static const tfw_tensor tensors[] = {T("x", TFW_INT8, {1, 4}), W("w", {LONG}), W("v", {8 * LONG})};
    tfw_operator operators[OPERATORS];
    fb_table root, table, main_table, buffer;
    fb_vector list, buffers, inputs, data;
    (void)state;
    for (size_t i = 0; i < OPERATORS; i++)
        operators[i] = (tfw_operator){LOGISTIC, .inputs = {"x"}};
    const tfw_network network = NET(tensors, operators, .inputs = {"x"});
    fx_net net = written(&network);
    assert_int_equal(read_bytes(net.bytes, net.size_bytes, NULL), ROOF_OK);
    assert_int_equal(fb_root(net.bytes, net.size_bytes, &root, NULL), ROOF_OK);
    assert_int_equal(fb_elements(&root, 2, 4, &list, NULL), ROOF_OK);
    assert_int_equal(fb_table_of(&list, 0, &main_table, NULL), ROOF_OK);
    assert_int_equal(fb_elements(&main_table, 3, 4, &list, NULL), ROOF_OK);
    assert_int_equal(list.n, OPERATORS);
    assert_int_equal(fb_table_of(&list, 0, &table, NULL), ROOF_OK);
    assert_int_equal(fb_elements(&table, 1, 4, &inputs, NULL), ROOF_OK);
    /* inputs of the first operator are the zeros of a constant, and all operators are the first */
    assert_int_equal(fb_elements(&root, 4, 4, &buffers, NULL), ROOF_OK);
    assert_int_equal(fb_table_of(&buffers, 1, &buffer, NULL), ROOF_OK);
    assert_int_equal(fb_elements(&buffer, 0, 1, &data, NULL), ROOF_OK);
    assert_int_equal(data.n, LONG);
    for (uint64_t place = table.at + 4; place < table.at + table.table_bytes; place += 4) {
        uint64_t offset = 0;
        memcpy(&offset, net.bytes + place, 4);
        if (place + offset == inputs.at - 4)
            set_u32(net.bytes + place, data.at - 4 - place);
    }
    for (uint64_t i = 0; i < OPERATORS; i++)
        set_u32(net.bytes + list.at + 4 * i, table.at - (list.at + 4 * i));
    char want[120];
    snprintf(want, sizeof want, "operators name more tensors than the file has bytes, which is %zu",
             net.size_bytes);
    fx_refused("shared inputs", &net, ROOF_E_LIMIT, want);
    fx_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_follows_from_shapes),
        cmocka_unit_test(what_is_not_counted_is_found),
        cmocka_unit_test(windows_have_the_pads_of_their_shapes),
        cmocka_unit_test(pooling_without_options_has_no_window),
        cmocka_unit_test(operators_keep_the_numbers_of_the_file),
        cmocka_unit_test(inputs_have_the_role_of_their_place),
        cmocka_unit_test(elements_have_the_bits_of_their_type),
        cmocka_unit_test(weights_have_the_bits_that_they_are_stored_with),
        cmocka_unit_test(names_are_those_of_the_schema),
        cmocka_unit_test(what_has_no_name_gets_one),
        cmocka_unit_test(shapes_are_known_as_far_as_the_file_tells),
        cmocka_unit_test(subgraphs_that_are_not_counted_are_found),
        cmocka_unit_test(branches_and_loops_are_counted),
        cmocka_unit_test(operators_become_the_layers_of_a_dpu),
        cmocka_unit_test(what_is_no_network_is_refused_with_its_place),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(no_changed_byte_leads_out_of_the_file),
        cmocka_unit_test(lists_that_operators_share_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
