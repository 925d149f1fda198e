/* The law of AI Engine arrays: products in tiles, channels of the shim, what is not known, and expected times
 * by constants. */
#include "tests/support/aie_writer.h"
#include "tests/unit/fixture.h"

enum { ARRAY, SHIM_READ, SHIM_WRITE, MEMORY, LAUNCH };

static roof_prediction *predicted(const roof_graph *graph, const char *hw_spec, const char *stack)
{
    roof_hw *hw = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    const roof_predict_options options = {.stack = stack};
    if (roof_hw_load(hw_spec, &hw, &err) != ROOF_OK || roof_predict(graph, hw, &options, &p, &err) != ROOF_OK)
        fail_msg("%s: %s", hw_spec, fx_message(&err));
    roof_hw_free(hw);
    return p;
}

static roof_prediction *product_on(const char *hw, const char *text, const char *stack)
{
    roof_product product;
    roof_graph *graph = NULL;
    roof_error err = {0};
    if (roof_product_parse(text, &product, &err) != ROOF_OK ||
        roof_graph_read_as(NULL, &(roof_workload){.product = &product}, &graph, &err) != ROOF_OK)
        fail_msg("%s: %s", text, fx_message(&err));
    roof_prediction *p = predicted(graph, hw, stack);
    roof_graph_free(graph);
    return p;
}

static const roof_finding *finding_of(const roof_prediction *p, roof_finding_kind kind)
{
    for (uint32_t i = 0; i < p->n_findings; i++)
        if (p->findings[i].kind == kind)
            return &p->findings[i];
    return NULL;
}

/* npu2 has 8 columns of 4 cores; bf16 does 256 multiply-accumulates a cycle, int8 512. */
static void products_are_counted_in_whole_tiles(void **state)
{
    static const struct {
        const char *hw, *product;
        uint64_t array, bytes; /* cycles; all that is moved */
        bool assumes;
    } rows[] = {
        {"npu2", "2048x2048x2048:bf16", 1048576, 75497472, true}, /* tiles of 64x128 on 8x4 cores */
        {"npu2", "2048x2048x2048:bf16:64x256x128", 1048576, 75497472, false},
        {"npu2", "2048x2048x2048:bf16:32x256x64", 1048576, 142606336,
         false}, /* half the tile, twice the bytes */
        {"npu2", "2048x2048x2048:int8", 524288, 37748736, true},
        {"npu2", "512x512x512:bf16->fp32->bf16", 16384, 4194304, true}, /* tiles of 32x128, and the cast */
        {"npu2", "64x32x720:bf16", 512, 64 * 32 * 2 * 2 + 32 * 1024 * 2 + 64 * 1024 * 2,
         true},                                                                     /* 16x128, 4x4 cores */
        {"npu2", "1x2048x8192:bf16", 2048, 2 * (2048 * 8192 + 2048 + 8192), false}, /* no tiles: a vector */
        {"npu1", "512x512x512:int8", 32768, 1572864, true}, /* 32x128 on 4x4 cores of 256 */
        {"npu2", "256x256x256:bf16xint4", 2048, 256 * 256 * 2 * 4 / 4 + 256 * 256 / 2 + 256 * 256 * 2, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_prediction *p = product_on(rows[i].hw, rows[i].product, NULL);
        const roof_cost *cost = &p->layers[0].deployed;
        uint64_t bytes = roof_traffic_total(&cost->traffic);
        bool assumes = finding_of(p, ROOF_FINDING_ASSUMED_TILE) != NULL;
        if (cost->cycles[ARRAY] != rows[i].array || bytes != rows[i].bytes || assumes != rows[i].assumes)
            fail_msg("%s on %s: %" PRIu64 " cycles of the array, %" PRIu64 " bytes, %s", rows[i].product,
                     rows[i].hw, cost->cycles[ARRAY], bytes, assumes ? "with an assumption" : "without one");
        assert_true(isnan(p->total.predicted_s)); /* nobody named a compiler */
        roof_prediction_free(p);
    }
}

static void the_ideal_is_the_slowest_of_array_shim_and_memory(void **state)
{
    (void)state;
    roof_prediction *p = product_on("npu2", "2048x2048x2048:bf16", NULL);
    const roof_cost *cost = &p->layers[0].deployed;
    uint64_t most = 0;
    for (int e = ARRAY; e <= MEMORY; e++)
        most = cost->cycles[e] > most ? cost->cycles[e] : most;
    assert_int_equal(cost->ideal_cycles, most);
    assert_int_equal(cost->cycles[SHIM_READ], (2 * 33554432) / 64);
    assert_int_equal(cost->cycles[SHIM_WRITE], 8388608 / 64);
    roof_prediction_free(p);
    p = product_on("npu2", "16x16x16:bf16",
                   NULL); /* a launch takes longer than all of it, and does not bind */
    assert_true(p->layers[0].deployed.cycles[LAUNCH] > p->layers[0].deployed.ideal_cycles);
    assert_true(p->total.floor_cycles <= p->total.deployed.ideal_cycles);
    roof_prediction_free(p);
}

static void a_type_without_a_rate_is_not_known(void **state)
{
    (void)state;
    roof_prediction *p = product_on("npu2", "256x256x256:fp16", NULL);
    assert_true(p->layers[0].deployed.cycles[ARRAY] == ROOF_UNKNOWN);
    assert_non_null(finding_of(p, ROOF_FINDING_MISSING_ENGINE));
    roof_prediction_free(p);
}

static fx_net code_of(const aw_product *product)
{
    aw_code c = aw_write_product(AW_TXN_01, 4, product);
    fx_net net = {.size_bytes = 4 * c.n};
    net.bytes = fx_copy(c.words, net.size_bytes);
    aw_free(&c);
    return net;
}

static void code_counts_by_its_busiest_channel_and_its_columns(void **state)
{
    static const aw_product product = {256, 256, 256, 32, 32, 2, 2, 2, 1, 2};
    (void)state;
    for (int is_named = 0; is_named < 2; is_named++) {
        fx_net net = code_of(&product);
        fx_read(&net, is_named ? "gemm_a16w8acc16_256_256_256.bin" : "insts.bin");
        roof_prediction *p = predicted(net.graph, "npu2", NULL);
        const roof_cost *cost = &p->layers[0].deployed;
        uint64_t a =
            256 * 256 * 2 / 2 * 4; /* of one column: half the rows, for every four tiles of columns */
        assert_int_equal(cost->cycles[SHIM_READ], a / 4);
        assert_int_equal(cost->cycles[SHIM_WRITE], 256 * 256 * 2 / 2 / 4);
        assert_true(cost->bytes_basis == ROOF_BASIS_CODE);
        assert_int_equal(p->total.macs, is_named ? 256 * 256 * 256 : ROOF_UNKNOWN);
        /* 2 columns of 4 cores at 512 */
        assert_int_equal(cost->cycles[ARRAY], is_named ? 256 * 256 * 256 / (8 * 512) : ROOF_UNKNOWN);
        assert_non_null(finding_of(p, is_named ? ROOF_FINDING_PRODUCT : ROOF_FINDING_COMPUTE_UNKNOWN));
        roof_prediction_free(p);
        fx_close(&net);
    }
}

static void code_of_another_generation_keeps_its_array(void **state)
{
    static const aw_product product = {256, 256, 256, 32, 32, 2, 2, 2, 1, 2};
    (void)state;
    fx_net net = code_of(&product);
    fx_read(&net, "insts.bin");
    roof_prediction *p = predicted(net.graph, "npu1", NULL);
    assert_non_null(finding_of(p, ROOF_FINDING_OTHER_TARGET));
    roof_prediction_free(p);
    fx_close(&net);
}

/* t = t0 + max(MACs / (cores rate clock), bytes / bandwidth), by the constants in npu2's entry. */
static void constants_belong_to_the_compiler_that_was_named(void **state)
{
    (void)state;
    roof_prediction *p = product_on("npu2", "2048x2048x2048:bf16", "mlir-air");
    double compute_s = 8589934592.0 / (32 * 79.8 * 1.8e9), move_s = 75497472 / 37.4e9;
    double want_s = 94.2e-6 + fmax(compute_s, move_s);
    assert_true(fabs(p->total.predicted_s / want_s - 1) < 1e-9);
    assert_non_null(strstr(p->calibration, "mlir-air"));
    roof_prediction_free(p);
    p = product_on("npu2", "2048x2048x2048:bf16", "iree");
    assert_true(isnan(p->total.predicted_s) && !p->calibration);
    assert_non_null(finding_of(p, ROOF_FINDING_NO_CONSTANTS));
    roof_prediction_free(p);
    p = product_on("npu2", "8192x2048x1:bf16", "iron"); /* 8 columns are bound by 38.8 GB/s */
    assert_true(fabs(p->total.predicted_s / (2.0 * (8192 * 2048 + 8192 + 2048) / 38.8e9) - 1) < 1e-9);
    roof_prediction_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_counted_in_whole_tiles),
        cmocka_unit_test(the_ideal_is_the_slowest_of_array_shim_and_memory),
        cmocka_unit_test(a_type_without_a_rate_is_not_known),
        cmocka_unit_test(code_counts_by_its_busiest_channel_and_its_columns),
        cmocka_unit_test(code_of_another_generation_keeps_its_array),
        cmocka_unit_test(constants_belong_to_the_compiler_that_was_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
