/* Files for Model Explorer: node data of one metric, and graphs of its own that they fit. */
#include "core/json/jsontree.h"
#include "roofline/render.h"
#include "tests/unit/nodes_fixture.h"

#define GRADIENT                                                                                             \
    " \"gradient\":[{\"stop\":0,\"bgColor\":\"#ffffff\"},{\"stop\":0.5,\"bgColor\":\"#ffd54f\"},"            \
    "{\"stop\":1,\"bgColor\":\"#c62828\"}],\n"

static const char *name_of(const cJSON *node, const char *key)
{
    const char *text = cJSON_GetStringValue(jsontree_get(node, key));
    return text ? text : "";
}

static cJSON *rendered(const roof_prediction *p, const roof_graph *graph)
{
    char *text = NULL;
    size_t length;
    cJSON *root = NULL;
    roof_error err;
    const roof_render_options options = {.format = graph ? "model-explorer-graph" : "model-explorer",
                                         .graph = graph};
    if (roof_render_whole(p, &options, &text, &length, &err) != ROOF_OK ||
        jsontree_parse(text, length, NULL, &root, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    free(text);
    return root;
}

/* ---- node data ---- */

static void a_file_has_one_time_of_the_nodes_that_have_it(void **state)
{
    static const struct {
        const char *what;
        bool is_expected;
        const char *metric;
        roof_address address;
        roof_status status;
        const char *want; /* or the message */
    } cases[] = {
        {"ideal, where nothing else is known", false, NULL, ROOF_ADDRESS_NAME, ROOF_OK,
         "{\n \"name\":\"roofline ideal (us)\",\n" GRADIENT
         " \"results\":{\n  \"conv\":{\"value\":80.3},\n  \"swish\":{\"value\":3}\n }\n}\n"},
        {"expected", true, NULL, ROOF_ADDRESS_NAME, ROOF_OK,
         "{\n \"name\":\"roofline expected (us)\",\n" GRADIENT
         " \"results\":{\n  \"conv\":{\"value\":160.6},\n  \"swish\":{\"value\":6}\n }\n}\n"},
        {"as asked", true, "ideal", ROOF_ADDRESS_INDEX, ROOF_OK,
         "{\n \"name\":\"roofline ideal (us)\",\n" GRADIENT
         " \"results\":{\n  \"0\":{\"value\":80.3},\n  \"2\":{\"value\":0.0247},\n  \"3\":{\"value\":3}\n "
         "}\n}\n"},
        {"not known", false, "expected", ROOF_ADDRESS_NAME, ROOF_E_USAGE,
         "nothing is expected of this model, only ideal times are known"},
        {"no metric", false, "gap", ROOF_ADDRESS_NAME, ROOF_E_USAGE,
         "no metric 'gap'; there are ideal and expected"},
        {"a file that no program shows", false, NULL, ROOF_ADDRESS_NONE, ROOF_E_USAGE,
         "format 'model-explorer' is for files whose graph other programs show, and none shows a 'onnx'"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        nodes_fixture f;
        roof_prediction *p = cases[i].is_expected ? nodes_make_expected(&f) : nodes_make(&f);
        const roof_render_options options = {.format = "model-explorer", .metric = cases[i].metric};
        char *text = NULL;
        size_t length;
        roof_error err = {0};
        p->model.address = cases[i].address;
        roof_status status = roof_render_whole(p, &options, &text, &length, &err);
        const char *got = status == ROOF_OK ? text : err.what;
        if (status != cases[i].status || strcmp(got, cases[i].want) != 0)
            fail_msg("%s: got %s\nwant %s", cases[i].what, got, cases[i].want);
        free(text);
    }
}

/* Model Explorer would take it for the tensor, whose operator is another one. */
static void a_place_that_is_the_name_of_a_tensor_is_no_key(void **state)
{
    static const char *tensor[] = {"2"};
    nodes_fixture f;
    (void)state;
    roof_prediction *p = nodes_make(&f);
    p->model.address = ROOF_ADDRESS_INDEX;
    p->layers[4].operators = tensor;
    cJSON *root = rendered(p, NULL);
    const cJSON *results = jsontree_get(root, "results");
    assert_non_null(jsontree_get(results, "0"));
    assert_null(jsontree_get(results, "2"));
    cJSON_Delete(root);
}

static void other_formats_have_no_metric(void **state)
{
    nodes_fixture f;
    char *text = NULL;
    size_t length;
    roof_error err;
    const roof_render_options options = {.format = "netron", .metric = "ideal"};
    (void)state;
    assert_int_equal(roof_render_whole(nodes_make(&f), &options, &text, &length, &err), ROOF_E_USAGE);
    assert_string_equal(err.what, "format 'netron' has no metric to choose; model-explorer has");
}

/* ---- graphs ---- */

static const cJSON *node_called(const cJSON *nodes, const char *id)
{
    const cJSON *node;
    cJSON_ArrayForEach(node, nodes) if (strcmp(name_of(node, "id"), id) == 0) return node;
    return NULL;
}

static const char *attribute(const cJSON *node, const char *key)
{
    const cJSON *attr;
    cJSON_ArrayForEach(attr, jsontree_get(node, "attrs")) if (strcmp(name_of(attr, "key"), key) ==
                                                              0) return name_of(attr, "value");
    return "none";
}

static void a_graph_has_a_layer_for_each_row_and_edges_between_what_is_shown(void **state)
{
    static const fx_op ops[] = {
        FX("in", "data", {1, 8, 8, 16}),
        FX("w", "const", {16, 1, 1, 16}),
        FX("a/conv", "conv2d", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w", .kernel = {1, 1}),
        FX("a/relu", "relu", {1, 8, 8, 16}, .inputs = {"a/conv"}),
        FX("shape", "reshape", {1, 64, 1, 16}, .inputs = {"a/relu"}),
        FX("soft", "softmax", {1, 64, 1, 16}, .inputs = {"shape"})};
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
    roof_prediction *p = fx_predict(net.graph, "b4096", &(roof_predict_options){.names_operators = true});
    cJSON *root = rendered(p, net.graph), *data = rendered(p, NULL);
    const cJSON *graph = cJSON_GetArrayItem(jsontree_get(root, "graphs"), 0),
                *nodes = jsontree_get(graph, "nodes");
    static const struct {
        const char *id, *label, *in, *from, *fused_into;
    } want[] = {{"in", "data", "", "", "none"},
                {"a/conv", "conv2d", "DPU/1 a.conv", "in", "none"},
                {"a/relu", "relu", "DPU/1 a.conv", "a/conv", "a/conv"},
                {"shape", "reshape", "", "a/relu", "none"},
                {"soft", "softmax", "CPU/2 soft", "shape", "none"}};
    assert_int_equal(cJSON_GetArraySize(nodes), COUNT(want)); /* constants are left out */
    for (size_t i = 0; i < COUNT(want); i++) {
        const cJSON *node = cJSON_GetArrayItem(nodes, (int)i), *edges = jsontree_get(node, "incomingEdges");
        assert_string_equal(name_of(node, "id"), want[i].id);
        assert_string_equal(name_of(node, "label"), want[i].label);
        assert_string_equal(name_of(node, "namespace"), want[i].in);
        assert_string_equal(attribute(node, "roofline.fused_into"), want[i].fused_into);
        assert_int_equal(cJSON_GetArraySize(edges), *want[i].from ? 1 : 0);
        if (*want[i].from)
            assert_string_equal(name_of(cJSON_GetArrayItem(edges, 0), "sourceNodeId"), want[i].from);
    }
    assert_string_not_equal(attribute(node_called(nodes, "a/conv"), "roofline.ideal_us"), "none");
    const cJSON *result;
    int n = 0;
    cJSON_ArrayForEach(result, jsontree_get(data, "results"))
    {
        assert_non_null(node_called(nodes, result->string));
        n++;
    }
    assert_int_equal(n, 1); /* what the host runs has no time */
    cJSON_Delete(root);
    cJSON_Delete(data);
    roof_prediction_free(p);
    fx_close(&net);
}

/* A page of Model Explorer breaks where two nodes have one id. */
static void ids_of_a_graph_are_unique(void **state)
{
    static const fx_op ops[] = {FX("in", "data", {1, 4, 4, 8}),
                                FX("x", "relu", {1, 4, 4, 8}, .inputs = {"in"}),
                                FX("y", "relu", {1, 4, 4, 8}, .inputs = {"x"})};
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
    net.graph->ops[2].name = net.graph->ops[1].name;
    roof_prediction *p = fx_predict(net.graph, "b4096", &(roof_predict_options){.names_operators = true});
    cJSON *root = rendered(p, net.graph);
    const cJSON *nodes = jsontree_get(cJSON_GetArrayItem(jsontree_get(root, "graphs"), 0), "nodes");
    assert_string_equal(name_of(cJSON_GetArrayItem(nodes, 1), "id"), "x");
    assert_string_equal(name_of(cJSON_GetArrayItem(nodes, 2), "id"), "operator 2 x");
    cJSON_Delete(root);
    roof_prediction_free(p);
    fx_close(&net);
}

static void a_graph_is_wanted(void **state)
{
    nodes_fixture f;
    char *text = NULL;
    size_t length;
    roof_error err;
    (void)state;
    assert_int_equal(roof_render_whole(nodes_make(&f),
                                       &(roof_render_options){.format = "model-explorer-graph"}, &text,
                                       &length, &err),
                     ROOF_E_USAGE);
    assert_string_equal(err.what, "format 'model-explorer-graph' wants the graph that was predicted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_has_one_time_of_the_nodes_that_have_it),
        cmocka_unit_test(a_place_that_is_the_name_of_a_tensor_is_no_key),
        cmocka_unit_test(other_formats_have_no_metric),
        cmocka_unit_test(a_graph_has_a_layer_for_each_row_and_edges_between_what_is_shown),
        cmocka_unit_test(ids_of_a_graph_are_unique),
        cmocka_unit_test(a_graph_is_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
