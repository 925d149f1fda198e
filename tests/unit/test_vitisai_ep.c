/* Reports of the Vitis AI execution provider: work from shapes, operands of a quantised network, and what
 * stayed on the CPU. */
#include "model/graph/format.h"
#include "model/work/onnx_ops.h"
#include "tests/support/c_info_writer.h"
#include "tests/support/ep_writer.h"
#include "tests/unit/fixture.h"

#include <string.h>

static const char *const no_constants[] = {NULL};

static textbuf written(const epw_network *network, void (*write)(const epw_network *, textbuf *))
{
    textbuf text;
    text_init(&text, 1 << 24);
    write(network, &text);
    assert_false(text.failed);
    return text;
}

static roof_graph *read_text(const textbuf *text)
{
    roof_graph *graph = NULL;
    roof_error err = {0};
    if (graph_read_memory((const unsigned char *)text->bytes, text->length, "test.json", &graph, &err) !=
        ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_string_equal(graph->format, "vitisai_ep");
    return graph;
}

/* The text has to outlive the graph. */
static roof_graph *open_nodes(const epw_node *nodes, uint32_t n, textbuf *text)
{
    const epw_network network = {nodes, n, no_constants};
    *text = written(&network, epw_report);
    return read_text(text);
}

static roof_prediction *predicted(const epw_node *nodes, uint32_t n)
{
    textbuf text;
    roof_graph *graph = open_nodes(nodes, n, &text);
    roof_prediction *p = fx_predict(graph, "b4096", NULL);
    roof_graph_free(graph);
    text_free(&text);
    return p;
}

static void assert_dims(const roof_graph *g, const char *name, const char *want)
{
    char got[80] = "";
    const roof_tensor *t = &fx_find_op(g, name)->out;
    for (uint32_t i = 0; i < t->n_dims; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%u", i ? "x" : "", t->dims[i]);
    if (strcmp(got, want) != 0)
        fail_msg("%s is %s, want %s", name, got, want);
}

/* --- work --------------------------------------------------------------------------------------------- */

static void work_follows_from_outputs_and_weights(void **state)
{
    static const struct {
        epw_node node;
        const char *rule;
        uint64_t macs;
    } rows[] = {
        {{"Conv", "NPU", {"y 1 1,8,16,16"}, {"x 1 1,3,16,16", "w 1 8,3,3,3", "b 1 8"}}, "conv2d", 55296},
        {{"Conv", "NPU", {"y 1 1,8,6,6"}, {"x 1 1,8,12,12", "w 1 8,2,3,3"}},
         "conv2d",
         36 * 8 * 18}, /* 4 groups */
        {{"Conv", "NPU", {"y 1 1,8,8,16"}, {"x 1 1,8,16,16", "w 1 8,1,3,3"}}, "depthwise", 9216},
        {{"Conv", "NPU", {"y 1 1,16,8,8"}, {"x 1 1,8,8,8", "w 1 16,1,3,3"}},
         "conv2d",
         1024 * 9}, /* two each */
        {{"Conv", "NPU", {"y 1 1,4,100"}, {"x 1 1,2,100", "w 1 4,2,5"}}, "conv2d", 4000},
        {{"Conv", "NPU", {"y 1 1,4,2,6,6"}, {"x 1 1,3,4,8,8", "w 1 4,3,3,3,3"}}, "conv3d", 288 * 81},
        {{"ConvTranspose", "NPU", {"y 1 1,4,16,16"}, {"x 1 1,8,8,8", "w 1 8,4,2,2"}},
         "transposed-conv",
         8192},
        {{"ConvTranspose", "NPU", {"y 1 1,4,16,16"}, {"x 1 1,8,8,8", "w 1 8,2,2,2"}},
         "transposed-conv",
         4096},
        {{"ConvTranspose", "NPU", {"y 1 1,8,16,16"}, {"x 1 1,8,8,8", "w 1 8,1,2,2"}},
         "transposed-depthwise",
         2048},
        {{"MatMul", "NPU", {"y 1 1,128,32"}, {"x 1 1,128,64", "w 1 64,32"}}, "matmul", 128 * 32 * 64},
        {{"MatMul", "NPU", {"y 1 1,12,49,49"}, {"x 1 1,12,49,64", "z 1 1,12,64,49"}},
         "matmul",
         12 * 49 * 49 * 64},
        {{"MatMul", "NPU", {"y 1 128"}, {"x 1 128,64", "v 1 64"}}, "matmul", 128 * 64},
        {{"Gemm", "NPU", {"y 1 1,80"}, {"x 1 1,256", "w 1 256,80", "b 1 80"}}, "matmul", 20480},
        {{"Gemm", "NPU", {"y 1 7,80"}, {"x 1 256,7", "w 1 256,80"}}, "matmul", 7 * 20480}, /* transA */
        {{"Add", "NPU", {"y 1 1,8,4,4"}, {"x 1 1,8,4,4", "z 1 1,8,4,4"}}, "binary", 0},
        {{"Conv", "NPU", {"y 1 1,8,N,16"}, {"x 1 1,3,N,16", "w 1 8,3,3,3"}}, "unknown", ROOF_UNKNOWN},
        {{"Conv", "NPU", {"y 8 1,8,16,16"}, {"x 8 1,3,16,16", "w 8 8,3,3,3"}},
         "unknown",
         ROOF_UNKNOWN}, /* text */
        {{"Conv", "NPU", {"y 1 1,8,16,16"}, {"x 1 1,3,16,16", "w 1 24"}}, "unknown", ROOF_UNKNOWN},
        {{"Mystery", "NPU", {"y 7 -1,3"}, {"x 1 1,100,4"}}, "unknown", ROOF_UNKNOWN},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        textbuf text;
        roof_graph *g = open_nodes(&rows[i].node, 1, &text);
        roof_prediction *p = fx_predict(g, "b4096", NULL);
        const char *rule = roof_rule_text(fx_find_op(g, "y")->rule);
        assert_int_equal(p->n_layers, 1);
        if (p->layers[0].macs != rows[i].macs || strcmp(rule, rows[i].rule) != 0)
            fail_msg("row %zu: %" PRIu64 " macs by %s", i, p->layers[0].macs, rule);
        bool is_known_type = strcmp(rows[i].node.type, "Mystery") != 0,
             is_known = rows[i].macs != ROOF_UNKNOWN;
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_SHAPE_UNKNOWN), is_known_type && !is_known);
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_UNKNOWN_OP), !is_known_type);
        roof_prediction_free(p);
        roof_graph_free(g);
        text_free(&text);
    }
}

static void a_window_that_is_not_known_leaves_operations_unknown(void **state)
{
    static const struct {
        const char *type, *out;
        uint64_t ops;
    } rows[] = {{"MaxPool", "y 1 1,8,4,4", ROOF_UNKNOWN}, {"GlobalAveragePool", "y 1 1,8,1,1", 512}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const epw_node node = {rows[i].type, "NPU", {rows[i].out}, {"x 1 1,8,8,8"}};
        roof_prediction *p = predicted(&node, 1);
        assert_int_equal(p->layers[0].macs, 0);
        assert_true(p->layers[0].ops_count == rows[i].ops);
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_WINDOW_UNKNOWN), rows[i].ops == ROOF_UNKNOWN);
        roof_prediction_free(p);
    }
}

/* --- operands ----------------------------------------------------------------------------------------- */

static void a_quantised_network_moves_the_bytes_of_its_operands(void **state)
{
    static const struct {
        const char *name;
        uint64_t weights, input, output;
    } rows[] = {{"conv", 216 + 8, 768, 2048},
                {"relu", 0, 0, 0}, /* sits behind the adders */
                {"depthwise", 72, 2048, 1024},
                {"pool", 0, 1024, 512},
                {"up", 128, 512, 1024},
                {"small", 0, 1024, 256},
                {"scores", 4 * (256 * 80 + 80), 256, 80}}; /* its weights were not quantised */
    textbuf text = written(&epw_tiny, epw_report);
    roof_graph *g = read_text(&text);
    roof_prediction *p = fx_predict(g, "b4096", NULL);
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_traffic *t = &p->layers[i].deployed.traffic;
        assert_string_equal(p->layers[i].name, rows[i].name);
        if (t->weights_bytes != rows[i].weights || t->input_bytes != rows[i].input ||
            t->output_bytes != rows[i].output)
            fail_msg("%s: %" PRIu64 " B of weights, %" PRIu64 " in, %" PRIu64 " out", rows[i].name,
                     t->weights_bytes, t->input_bytes, t->output_bytes);
    }
    assert_int_equal(p->total.macs, 55296 + 9216 + 8192 + 20480);
    assert_int_equal(p->total.host_layers, 1);
    assert_string_equal(p->layers[7].device, "CPU");
    assert_true(isnan(p->layers[7].deployed.ideal_s));
    assert_string_equal(p->estimate_of, "an uncompiled graph");
    roof_prediction_free(p);
    roof_graph_free(g);
    text_free(&text);
}

/* Whichever operand it is, and whether or not it was quantised. */
static void a_constant_operand_is_read_as_weights(void **state)
{
    static const epw_node left = {"MatMul", "NPU", {"y 16 8,32"}, {"w 16 8,64", "x 16 64,32"}};
    static const epw_node right = {"MatMul", "NPU", {"y 16 8,32"}, {"x 16 8,64", "w 16 64,32"}};
    static const epw_node sum = {"Add", "NPU", {"y 1 1,8,4,4"}, {"x 1 1,8,4,4", "w 1 8,1,1"}};
    static const char *const constants[] = {"w", NULL};
    static const struct {
        const epw_node *node;
        uint64_t weights, input;
    } rows[] = {{&left, 1024, 4096}, {&right, 4096, 1024}, {&sum, 32, 512}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const epw_network network = {rows[i].node, 1, constants};
        textbuf text = written(&network, epw_context);
        roof_graph *g = read_text(&text);
        roof_prediction *p = fx_predict(g, "b4096", NULL);
        assert_int_equal(p->layers[0].deployed.traffic.weights_bytes, rows[i].weights);
        assert_int_equal(p->layers[0].deployed.traffic.input_bytes, rows[i].input);
        roof_prediction_free(p);
        roof_graph_free(g);
        text_free(&text);
    }
}

static void shapes_become_those_of_a_graph(void **state)
{
    static const epw_node attention[] = {
        {"Conv", "NPU", {"q 1 1,12,49,64"}, {"x 1 1,12,49,64", "w 1 12,12,1,1"}},
        {"Transpose", "NPU", {"keys 1 1,12,64,49"}, {"k 1 1,12,49,64"}},
        {"MatMul", "NPU", {"scores 1 1,12,49,49"}, {"q 1 1,12,49,64", "keys 1 1,12,64,49"}},
        {"Softmax", "NPU", {"weights 1 1,12,49,49"}, {"scores 1 1,12,49,49"}},
    };
    static const char *const rows[][2] = {
        {"images", "1x16x16x3"}, {"images_dq", "1x16x16x3"}, {"w1", "8x3x3x3"},   {"w1_q", "8x3x3x3"},
        {"w2", "1x3x3x8"},       {"w3_q", "4x2x2x8"},        {"both", "1x8x8x4"}, {"right", "1x8x8x2"},
        {"flat", "1x256"},       {"scores", "1x80"}};
    textbuf text = written(&epw_tiny, epw_context);
    roof_graph *g = read_text(&text);
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_dims(g, rows[i][0], rows[i][1]);
    roof_graph_free(g);
    text_free(&text);
    g = open_nodes(attention, COUNT(attention), &text);
    assert_dims(g, "weights", "1x12x49x49"); /* a matrix has no channels */
    assert_dims(g, "q", "1x12x49x64");
    roof_graph_free(g);
    text_free(&text);
}

/* A context names its constants; in a report what an operator reads first is an input, unless it is only
 * quantised there. */
static void inputs_are_told_from_constants(void **state)
{
    static const epw_node node = {"Sub", "NPU", {"y 1 1,4"}, {"one 1 1,4", "x 1 1,4"}};
    static const char *const constants[] = {"one", NULL};
    const epw_network network = {&node, 1, constants};
    void (*const write[])(const epw_network *, textbuf *) = {epw_report, epw_context};
    (void)state;
    for (int i = 0; i < 2; i++) {
        textbuf text = written(&epw_tiny, write[i]), sub = written(&network, write[i]);
        roof_graph *g = read_text(&text), *small = read_text(&sub);
        assert_int_equal(fx_find_op(g, "images")->rule, ROOF_RULE_INPUT);
        assert_int_equal(fx_find_op(g, "w1_q")->rule, ROOF_RULE_CONSTANT);
        assert_int_equal(fx_find_op(g, "w4")->rule, ROOF_RULE_CONSTANT);
        assert_int_equal(fx_find_op(small, "one")->rule, i ? ROOF_RULE_CONSTANT : ROOF_RULE_INPUT);
        assert_int_equal(fx_find_op(small, "x")->rule, i ? ROOF_RULE_INPUT : ROOF_RULE_CONSTANT);
        roof_graph_free(g);
        roof_graph_free(small);
        text_free(&text);
        text_free(&sub);
    }
}

/* --- placement ---------------------------------------------------------------------------------------- */

#define CONV(device, name, reads)                                                                            \
    {                                                                                                        \
        "Conv", device, {name " 1 1,8,8,8"},                                                                 \
        {                                                                                                    \
            reads " 1 1,8,8,8", "w 1 8,8,1,1"                                                                \
        }                                                                                                    \
    }

static void the_first_sentence_is_what_stayed_on_the_host(void **state)
{
    static const epw_node all[] = {CONV("NPU", "a", "x"), CONV("NPU", "b", "a")};
    static const epw_node border[] = {
        {"QuantizeLinear", "CPU", {"q 2 1,8,8,8"}, {"x 1 1,8,8,8", "s 1", "z 2"}},
        {"DequantizeLinear", "NPU", {"d 1 1,8,8,8"}, {"q 2 1,8,8,8", "s 1", "z 2"}},
        CONV("NPU", "a", "d")};
    static const epw_node fallback[] = {CONV("DPU", "a", "x"),
                                        CONV("VITIS_EP_CPU", "b", "a"),
                                        CONV("DPU", "c", "b"),
                                        {"Softmax", "CPU", {"d 1 1,8,8,8"}, {"c 1 1,8,8,8"}},
                                        {"Softmax", "CPU", {"e 1 1,8,8,8"}, {"d 1 1,8,8,8"}},
                                        {"Reshape", "CPU", {"f 1 512"}, {"e 1 1,8,8,8", "shape 7 1"}}};
    static const epw_node unknown[] = {CONV("NPU", "a", "x"), {"Odd", "CPU", {"b 1 8"}, {"a 1 1,8,8,8"}}};
    static const struct {
        const epw_node *nodes;
        uint32_t n, types;
        const char *want;
    } rows[] = {
        {all, 2, 0, "All computing operators (2) run on the NPU"},
        {border, 3, 0,
         "All computing operators (1) run on the NPU; on the CPU are only conversions of data types (1), as "
         "is usual "
         "at the border"},
        {fallback, 6, 2,
         "1 of 3 convolutions and 3 of 5 computing operators (4 of 6 nodes) run on the CPU, with 33.3 % of "
         "the MACs: Conv, Softmax (2); besides what only moves data (1). That makes 3 transfers, first "
         "between 'a' and 'c'"},
        {unknown, 2, 1,
         "0 of 1 convolutions and 1 of 2 computing operators (1 of 2 nodes) run on the CPU, whose work is "
         "unknown: "
         "Odd. That makes 1 transfer"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_prediction *p = predicted(rows[i].nodes, rows[i].n);
        assert_string_equal(p->placement, rows[i].want);
        assert_true(strstr("NPU DPU CPU", p->layers[0].device) &&
                    *p->layers[0].device); /* its graph is gone */
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_HOST_FALLBACK), rows[i].types);
        roof_prediction_free(p);
    }
}

/* --- what is refused ---------------------------------------------------------------------------------- */

#define NODE(output, input, comment)                                                                         \
    "{\"nodeStat\":[{\"output\":[" output "],\"input\":[" input "],\"opType\":\"Relu\",\"device\":\"CPU\","  \
    "\"comment\":\"" comment "\"}]}"

static void what_is_no_report_is_refused_with_its_place(void **state)
{
    static const char *const rows[][2] = {
        {"{\"nodeStat\":[]}", "lists no operator in 'nodeStat'"},
        {"{\"nodeStat\":[{\"opType\":\"Relu\"}]}", "a node has no 'output'"},
        {"{\"nodeStat\":[{\"output\":[7]}]}", "found a number, want a string"},
        {NODE("", "", ""), "/nodeStat/0: its first output has no name"},
        {NODE("\"a\",\"a\"", "", ""), "another node makes 'a' as well"},
        {NODE("\"a\"", "\"b\"", "@4 a"), "want '@N [OUTPUT:"},
        {NODE("\"a\"", "\"b\"", "@4 [b:(ty=1,shape=[])]"), "want the tensor 'a'"},
        {NODE("\"a\"", "\"b\"", "@4 [a:(ty=x,shape=[])]"), "want ':(ty=TYPE,shape=[...])'"},
        {NODE("\"a\"", "\"b\"", "@4 [a:(ty=1,shape=[1"), "want ':(ty=TYPE,shape=[...])'"},
        {NODE("\"a\"", "\"b\"", "@4 [a:(ty=1,shape=[])] Relu"), "want ']', the operator's type and '['"},
        {NODE("\"a\"", "\"b\"", "@4 [a:(ty=1,shape=[])] Relu [c:(ty=1,shape=[])]"), "want the tensor 'b'"},
        {NODE("\"a\"", "\"b\"",
              "@4 [a:(ty=1,shape=[4294967295,4294967295,4294967295])] Relu [b:(ty=1,shape=[])]"),
         "the shape of 'a' overflows 64 bits"},
        {NODE("\"a\"", "\"b\"", "@4 [a:(ty=1,shape=[4294967295,4294967295])] Relu [b:(ty=1,shape=[])]"),
         "its bits overflow 64 bits"},
        {NODE("\"a\"", "\"a\"", "@4 [a:(ty=1,shape=[])] Relu [a:(ty=1,shape=[])]"),
         "in a circle through 'a'"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_graph *graph = NULL;
        roof_error err = {0};
        roof_status status = graph_read_memory((const unsigned char *)rows[i][0], strlen(rows[i][0]),
                                               "test.json", &graph, &err);
        assert_int_not_equal(status, ROOF_OK);
        if (!strstr(fx_message(&err), rows[i][1]))
            fail_msg("%s: want %s", fx_message(&err), rows[i][1]);
    }
}

static void only_its_own_files_are_taken(void **state)
{
    static const struct {
        const char *text, *format;
    } rows[] = {{"{ \"deviceStat\" : [", "vitisai_ep"},
                {"\xef\xbb\xbf{\n\"nodeStat\":[]}", "vitisai_ep"},
                {"{\"metaDef\":[", "vitisai_ep"},
                {"{\"stat\": {\"deviceStat\":[", "vitisai_ep"},
                {"{\"stat\":[\"deviceStat\"]", NULL},
                {"{\"schema\":\"roofline.measured/1\",\"nodeStat\":[]}", NULL},
                {"{\"shapeInfo\":[]}", NULL},
                {"{\"graphs\":[{\"nodeStat\":[]}]}", "c_info"},
                {"{\"deviceStat", NULL}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const unsigned char *bytes = (const unsigned char *)rows[i].text;
        extern const graph_format format_vitisai_ep, format_c_info;
        bool is_c_info = rows[i].format && strcmp(rows[i].format, "c_info") == 0;
        assert_int_equal(format_vitisai_ep.sniff(bytes, strlen(rows[i].text)), rows[i].format && !is_c_info);
        assert_int_equal(format_c_info.sniff(bytes, strlen(rows[i].text)), is_c_info);
    }
}

static void element_types_are_those_of_onnx(void **state)
{
    static const uint32_t rows[][2] = {{0, 0}, {1, 32}, {2, 8},   {3, 8},   {4, 16},  {6, 32}, {7, 64},
                                       {8, 0}, {9, 8},  {10, 16}, {11, 64}, {16, 16}, {22, 4}, {24, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(onnx_element_bits(rows[i][0]), rows[i][1]);
    assert_int_equal(onnx_element_bits(UINT64_MAX), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_follows_from_outputs_and_weights),
        cmocka_unit_test(a_window_that_is_not_known_leaves_operations_unknown),
        cmocka_unit_test(a_quantised_network_moves_the_bytes_of_its_operands),
        cmocka_unit_test(a_constant_operand_is_read_as_weights),
        cmocka_unit_test(shapes_become_those_of_a_graph),
        cmocka_unit_test(inputs_are_told_from_constants),
        cmocka_unit_test(the_first_sentence_is_what_stayed_on_the_host),
        cmocka_unit_test(what_is_no_report_is_refused_with_its_place),
        cmocka_unit_test(only_its_own_files_are_taken),
        cmocka_unit_test(element_types_are_those_of_onnx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
