/* A copy of an ONNX file without weights is the same network, and no byte of a weight is in it. */
#include "core/text.h"
#include "model/graph/format.h"
#include "reports/annotations/onnx_copy.h"
#include "tests/support/memory_io.h"
#include "tests/support/onnx_writer.h"
#include "tests/unit/fixture.h"

static const char secret[] =
    "SECRETsecretSECRETsecretSECRETsecretSECRETsecretSECRETsecretSECR"; /* 64 bytes */
static const int64_t shape[] = {1, -1};

static const ow_tensor constant = {"c", OW_FLOAT, .dims = OW_DIMS(4, 4), OW_RAW, secret, 64};
static const ow_node branch_nodes[] = {
    {.name = "inner", .type = "Constant", .outputs = {"b"}, .attrs = {OW_TENSOR("value", &constant)}}};
static const ow_value branch_outputs[] = {{"b", OW_FLOAT, .dims = OW_DIMS(4, 4)}};
static const ow_graph branch = {.name = "branch", OW(.nodes, branch_nodes), OW(.outputs, branch_outputs)};
static const ow_node nodes[] = {
    {.name = "conv",
     .type = "Conv",
     .inputs = {"x", "w", "bias"},
     .outputs = {"y"},
     .metadata = {{"a", "SECRET"}}},
    {.name = "flat", .type = "Reshape", .inputs = {"y", "to"}, .outputs = {"z"}},
    {.name = "if",
     .type = "If",
     .inputs = {"condition"},
     .outputs = {"b"},
     .attrs = {OW_GRAPH("then_branch", &branch), OW_GRAPH("else_branch", &branch)}}};
static const ow_tensor weights[] = {{"w", OW_FLOAT, .dims = OW_DIMS(16, 1, 1, 1), OW_RAW, secret, 64},
                                    {"bias", OW_FLOAT, .dims = OW_DIMS(16), OW_RAW, secret, 64},
                                    {"to", OW_INT64, .dims = OW_DIMS(2), OW_RAW, shape, sizeof shape}};
static const ow_value inputs[] = {{"x", OW_FLOAT, .dims = OW_DIMS(1, 1, 4, 4)},
                                  {"condition", OW_BOOL, .dims = OW_DIMS(1)}};
static const ow_model model = {
    .graph = {.name = "net", OW(.nodes, nodes), OW(.initializers, weights), OW(.inputs, inputs)},
    .metadata = {{"author", "SECRET"}}};

static roof_status strip(const void *bytes, size_t size, textbuf *out, roof_error *err)
{
    text_init(out, TEXT_MAX_BYTES);
    return onnx_strip(bytes, size, (roof_sink){memory_write, out}, err);
}

static roof_graph *read_graph(const void *bytes, size_t size)
{
    roof_graph *g = NULL;
    roof_error err;
    if (graph_read_memory(bytes, size, "net.onnx", &g, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return g;
}

static void a_copy_is_the_same_network_without_a_weight(void **state)
{
    (void)state;
    size_t size;
    textbuf bare, again;
    uint8_t *bytes = ow_write(&model, &size);
    assert_non_null(memmem(bytes, size, "SECRET", 6));
    assert_int_equal(strip(bytes, size, &bare, NULL), ROOF_OK);
    assert_null(memmem(bare.bytes, bare.length, "SECRET", 6));
    assert_non_null(memmem(bare.bytes, bare.length, shape, sizeof shape));
    roof_graph *a = read_graph(bytes, size), *b = read_graph(bare.bytes, bare.length);
    assert_string_equal(a->graph_hash, b->graph_hash);
    assert_int_equal(a->n_ops, b->n_ops);
    for (uint32_t i = 0; i < a->n_ops; i++) {
        assert_string_equal(a->ops[i].name, b->ops[i].name);
        assert_memory_equal(a->ops[i].out.dims, b->ops[i].out.dims, sizeof a->ops[i].out.dims);
    }
    assert_int_equal(strip(bare.bytes, bare.length, &again, NULL), ROOF_OK);
    assert_int_equal(again.length, bare.length);
    assert_memory_equal(again.bytes, bare.bytes, bare.length);
    roof_graph_free(a);
    roof_graph_free(b);
    text_free(&bare);
    text_free(&again);
    free(bytes);
}

static void a_file_that_is_cut_off_is_refused_before_a_byte_is_written(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = ow_write(&model, &size);
    for (size_t n = 12; n < size; n += 7) {
        textbuf out;
        roof_error err;
        assert_int_equal(strip(bytes, n, &out, &err), ROOF_E_DATA);
        assert_int_equal(out.length, 0);
        text_free(&out);
    }
    free(bytes);
}

/* A graph in an attribute of a node of a graph, and so on. */
static void graphs_in_one_another_are_bounded(void **state)
{
    (void)state;
    static const uint8_t tags[] = {5 << 3 | 2, 1 << 3 | 2, 6 << 3 | 2};
    uint8_t bytes[512];
    size_t at = sizeof bytes;
    for (size_t i = 0; i < 120; i++) { /* from the inside */
        const size_t length = sizeof bytes - at;
        if (length > 127)
            bytes[--at] = (uint8_t)(length >> 7);
        bytes[--at] = (uint8_t)(length > 127 ? length | 128 : length);
        bytes[--at] = i == 119 ? 7 << 3 | 2 : tags[i % 3];
    }
    textbuf out;
    roof_error err;
    assert_int_equal(strip(bytes + at, sizeof bytes - at, &out, &err), ROOF_E_LIMIT);
    text_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_is_the_same_network_without_a_weight),
        cmocka_unit_test(a_file_that_is_cut_off_is_refused_before_a_byte_is_written),
        cmocka_unit_test(graphs_in_one_another_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
