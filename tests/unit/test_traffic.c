/* Bytes of a layer from its tensors: what crosses its border, and what lies in external memory. */
#include "model/work/traffic.h"
#include "tests/unit/fixture.h"

static const fx_target compiled = {.name = "DPUCZDX8G_ISA1_B4096", .fingerprint = FX_B4096};

typedef struct want {
    const char *layer;
    roof_traffic traffic; /* weights, input, output */
} want;

static void assert_traffic(const fx_op *ops, size_t n_ops, const fx_target *target, const want *rows,
                           size_t n_rows)
{
    fx_net net = fx_open(fx_model(ops, n_ops, target), NULL);
    roof_arena *arena = arena_new(0);
    const op_consumers *consumers = traffic_consumers(net.graph, arena);
    size_t found = 0;
    assert_non_null(consumers);
    for (uint32_t i = 0; i < net.graph->n_layers; i++) {
        for (size_t r = 0; r < n_rows; r++) {
            roof_traffic got;
            if (strcmp(rows[r].layer, net.graph->layers[i].name) != 0)
                continue;
            assert_int_equal(traffic_of_layer(net.graph, consumers, &net.graph->layers[i], &got, NULL),
                             ROOF_OK);
            if (memcmp(&got, &rows[r].traffic, sizeof got) != 0)
                fail_msg("%s: %" PRIu64 " B of weights, %" PRIu64 " in, %" PRIu64 " out", rows[r].layer,
                         got.weights_bytes, got.input_bytes, got.output_bytes);
            found++;
        }
    }
    assert_int_equal(found, n_rows);
    arena_free(arena);
    fx_close(&net);
}

#define ASSERT_TRAFFIC(ops, target, rows) assert_traffic((ops), COUNT(ops), (target), (rows), COUNT(rows))

/* A convolution with a pooling behind it, an addition that reads both sides, and a reshape. */
static const fx_op network[] = {
    FX("image", "data-fix", {1, 8, 8, 16}, .in_ddr = true),
    FX("w", "const-fix", {32, 1, 1, 16}, .layer = "first", .in_ddr = true),
    FX("b", "const-fix", {32}, .layer = "first", .in_ddr = true),
    FX("conv", "conv2d-fix", {1, 8, 8, 32}, .inputs = {"image"}, .weights = "w", .bias = "b",
       .kernel = {1, 1}, .layer = "first"),
    FX("pool", "pool-fix", {1, 4, 4, 32}, .inputs = {"conv"}, .kernel = {2, 2}, .layer = "first",
       .in_ddr = true),
    FX("chip", "pool-fix", {1, 4, 4, 32}, .inputs = {"pool"}, .kernel = {1, 1}, .layer = "second"),
    FX("sum", "eltwise-fix", {1, 4, 4, 32}, .inputs = {"chip", "pool"}, .layer = "third", .in_ddr = true),
    FX("flat", "reshape-fix", {1, 512}, .inputs = {"sum"}, .layer = "fourth", .in_ddr = true),
};

static void what_crosses_the_border_in_external_memory_counts(void **state)
{
    static const want rows[] = {{"first", {512 + 32, 1024, 512, 0, 0}}, /* conv stays inside */
                                {"second", {0, 512, 0, 0, 0}},          /* chip has no address */
                                {"third", {0, 512, 512, 0, 0}},
                                {"fourth", {0, 0, 0, 0, 0}}};
    (void)state;
    ASSERT_TRAFFIC(network, &compiled, rows);
}

static void without_addresses_every_tensor_at_the_border_counts(void **state)
{
    static const want rows[] = {{"first", {512 + 32, 1024, 512, 0, 0}},
                                {"second", {0, 512, 512, 0, 0}},
                                {"third", {0, 1024, 512, 0, 0}}};
    fx_op ops[COUNT(network)];
    (void)state;
    memcpy(ops, network, sizeof ops);
    for (size_t i = 0; i < COUNT(ops); i++)
        ops[i].in_ddr = false;
    ASSERT_TRAFFIC(ops, &compiled, rows);
}

/* An output that is read inside and outside of its layer leaves it once. */
static void an_output_with_two_readers_is_written_once(void **state)
{
    static const fx_op ops[] = {
        FX("in", "data-fix", {1, 4, 4, 8}, .in_ddr = true),
        FX("a", "pool-fix", {1, 4, 4, 8}, .inputs = {"in"}, .layer = "one", .in_ddr = true),
        FX("b", "pool-fix", {1, 4, 4, 8}, .inputs = {"a"}, .layer = "one", .in_ddr = true),
        FX("c", "eltwise-fix", {1, 4, 4, 8}, .inputs = {"a", "b"}, .layer = "two", .in_ddr = true)};
    static const want rows[] = {{"one", {0, 128, 256, 0, 0}}, {"two", {0, 256, 128, 0, 0}}};
    (void)state;
    ASSERT_TRAFFIC(ops, &compiled, rows);
}

/* Values of 32 bits in the file, 8 when the DPU moves them; fix ops stand between. */
static void a_quantised_file_moves_a_byte_for_each_value(void **state)
{
    static const fx_op ops[] = {
        FX("in", "data", {1, 4, 4, 8}, .bit_width = 32),
        FX("in_fix", "fix", {1, 4, 4, 8}, .inputs = {"in"}, .bit_width = 32),
        FX("w", "const", {16, 3, 3, 8}, .bit_width = 32),
        FX("w_fix", "fix", {16, 3, 3, 8}, .inputs = {"w"}, .bit_width = 32),
        FX("b", "const", {16}, .bit_width = 32),
        FX("b_fix", "fix", {16}, .inputs = {"b"}, .bit_width = 32),
        FX("conv", "conv2d", {1, 4, 4, 16}, .inputs = {"in_fix"}, .weights = "w_fix", .bias = "b_fix",
           .kernel = {3, 3}, .bit_width = 32),
        FX("relu", "relu", {1, 4, 4, 16}, .inputs = {"conv"}, .bit_width = 32),
    };
    static const want rows[] = {{"conv", {1152 + 16, 128, 256, 0, 0}}, {"relu", {0, 0, 0, 0, 0}}};
    (void)state;
    ASSERT_TRAFFIC(ops, NULL, rows);
}

static void a_sum_that_overflows_is_told(void **state)
{
    enum { COPIES = 40 };
    fx_op ops[COPIES + 1] = {FX("in", "data-fix", {1u << 17, 1u << 17, 1u << 17}, .bit_width = 1024)};
    char names[COPIES + 1][8];
    roof_arena *arena = arena_new(0);
    roof_traffic traffic;
    (void)state;
    for (size_t i = 1; i <= COPIES; i++) {
        snprintf(names[i], sizeof names[i], "r%zu", i);
        ops[i] = (fx_op)FX(names[i], "softmax", {1}, .inputs = {"in", "in"}, .layer = "all");
    }
    for (size_t n = 30; n <= COPIES; n++) { /* 2^58 bytes twice in each: 32 of them are one too many */
        fx_net net = fx_open(fx_model(ops, n + 1, &compiled), NULL);
        const op_consumers *consumers = traffic_consumers(net.graph, arena);
        const roof_layer *last = &net.graph->layers[net.graph->n_layers - 1];
        assert_int_equal(traffic_of_layer(net.graph, consumers, last, &traffic, NULL),
                         n < 32 ? ROOF_OK : ROOF_E_LIMIT);
        fx_close(&net);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_crosses_the_border_in_external_memory_counts),
        cmocka_unit_test(without_addresses_every_tensor_at_the_border_counts),
        cmocka_unit_test(an_output_with_two_readers_is_written_once),
        cmocka_unit_test(a_quantised_file_moves_a_byte_for_each_value),
        cmocka_unit_test(a_sum_that_overflows_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
