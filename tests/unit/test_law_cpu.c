/* The bound of a processor: its peak, and the bytes that each level of memory cannot keep; worked out by
 * hand. */
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"

/* 1 GHz; 2 operations, so 1 multiply-accumulate, a cycle; levels of 8, 4, 2 and 1 bytes a cycle. */
static const char description[] =
    "{\"schema\":\"roofline.hardware/1\",\"id\":\"here\",\"name\":\"here\",\"family\":\"cpu\",\"values\":{"
    "\"clock\":{\"value\":1e9,\"unit\":\"Hz\",\"kind\":\"measured\",\"source\":\"test\"},"
    "\"cores\":{\"value\":1,\"unit\":\"count\",\"kind\":\"measured\",\"source\":\"test\"},"
    "\"peak.rate\":{\"value\":%g,\"unit\":\"ops/s\",\"kind\":\"measured\",\"source\":\"test\"},"
    "\"element.bytes\":{\"value\":%d,\"unit\":\"B\",\"kind\":\"measured\",\"source\":\"test\"},"
    "\"l1.bandwidth\":{\"value\":8e9,\"unit\":\"B/s\",\"kind\":\"measured\",\"source\":\"test\"},"
    "\"l1.bytes\":{\"value\":%d,\"unit\":\"B\",\"kind\":\"measured\",\"source\":\"test\"},"
    "\"l2.bandwidth\":{\"value\":4e9,\"unit\":\"B/s\",\"kind\":\"measured\",\"source\":\"test\"},"
    "\"l2.bytes\":{\"value\":4000,\"unit\":\"B\",\"kind\":\"measured\",\"source\":\"test\"},"
    "\"l3.bandwidth\":{\"value\":2e9,\"unit\":\"B/s\",\"kind\":\"measured\",\"source\":\"test\"},"
    "\"l3.bytes\":{\"value\":8000,\"unit\":\"B\",\"kind\":\"measured\",\"source\":\"test\"},"
    "\"ddr.bandwidth\":{\"value\":1e9,\"unit\":\"B/s\",\"kind\":\"measured\",\"source\":\"test\"}}}";

static roof_hw *load(double peak_ops_per_s, int element_bytes, int l1_bytes)
{
    const char *path = in_folder("here.json");
    roof_hw *hw = NULL;
    roof_error err = {0};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fprintf(file, description, peak_ops_per_s, element_bytes, l1_bytes) > 0);
    assert_int_equal(fclose(file), 0);
    if (roof_hw_load(path, &hw, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    unlink(path);
    return hw;
}

enum { COMPUTE, L1, L2, L3, MEMORY, ENGINES };

/* in 1x8x8x16 = 1024, weights 16x1x1x16 = 256, out 1x8x8x16 = 1024: 2304 elements, 16384
 * multiply-accumulates. */
static void each_level_moves_what_the_one_before_cannot_keep(void **state)
{
    static const fx_op ops[] = {
        FX("in", "data", {1, 8, 8, 16}), FX("w", "const", {16, 1, 1, 16}),
        FX("conv", "conv2d", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w", .kernel = {1, 1})};
    static const struct {
        double peak_ops_per_s;
        int element_bytes, l1_bytes;
        uint32_t batch;
        uint64_t cycles[ENGINES];
        uint32_t bound;
    } rows[] = {
        /* 5120 bytes are read and 4096 made, of each of which a cache may hold its size */
        {2e9, 4, 1000, 1, {16384, 1152, 1804, 608, 0}, COMPUTE},
        {2e12, 4, 1000, 1, {17, 1152, 1804, 608, 0}, L2},
        {2e12, 1, 1000, 1, {17, 288, 76, 0, 0}, L1}, /* 1280 and 1024 fit into the second cache */
        {2e12, 1, 3000, 1, {17, 288, 0, 0, 0}, L1},  /* and into a larger first one */
        {2e12, 16, 1000, 1, {17, 4608, 8716, 14432, 20864}, MEMORY}, /* 20480 and 16384 into none */
        /* weights are read once; the second image finds in the cache what it needs, as the first does */
        {2e12, 4, 1000, 2, {34, 2176, 3352, 704, 0}, L2},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
        roof_hw *hw = load(rows[i].peak_ops_per_s, rows[i].element_bytes, rows[i].l1_bytes);
        roof_prediction *p = NULL;
        roof_error err = {0};
        const roof_predict_options with = {.batch = rows[i].batch};
        if (roof_predict(net.graph, hw, &with, &p, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        assert_int_equal(p->n_layers, 1);
        const roof_cost *cost = &p->layers[0].deployed;
        for (int e = 0; e < ENGINES; e++)
            if (cost->cycles[e] != rows[i].cycles[e])
                fail_msg("row %zu: engine %d takes %" PRIu64 " cycles, want %" PRIu64, i, e, cost->cycles[e],
                         rows[i].cycles[e]);
        assert_int_equal(cost->bound, rows[i].bound);
        assert_int_equal(cost->bytes_basis, ROOF_BASIS_FORMULA);
        roof_prediction_free(p);
        roof_hw_free(hw);
        fx_close(&net);
    }
}

/* Its size counts: 20480 bytes are read and 16384 made, of each of which 8000 stay in the third cache. */
static void a_cache_without_a_bandwidth_is_no_engine(void **state)
{
    static const fx_op ops[] = {
        FX("in", "data", {1, 8, 8, 16}), FX("w", "const", {16, 1, 1, 16}),
        FX("conv", "conv2d", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w", .kernel = {1, 1})};
    fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
    roof_hw *hw = load(2e9, 16, 1000);
    roof_prediction *p = NULL;
    (void)state;
    assert_int_equal(roof_hw_set(hw, "l2.bandwidth", 0, "B/s", "test", NULL), ROOF_OK);
    assert_int_equal(roof_hw_set(hw, "l3.bandwidth", 0, "B/s", "test", NULL), ROOF_OK);
    assert_int_equal(roof_predict(net.graph, hw, NULL, &p, NULL), ROOF_OK);
    assert_int_equal(p->n_engines, 3);
    assert_string_equal(p->engines[2], "memory");
    assert_int_equal(p->layers[0].deployed.cycles[1], 4608);
    assert_int_equal(p->layers[0].deployed.cycles[2], 20864);
    roof_prediction_free(p);
    roof_hw_free(hw);
    fx_close(&net);
}

/* Of 16 to 16 channels on 8 x 8 pixels: tiles of 8 x 8 take 64 multiplications for (9 - k)^2 k^2
 * (docs/hardware/cpu.md, "Limits"). Ideals of rows stay as they are, and other strides and dilations have no
 * such kernels. */
static void the_time_at_best_of_a_processor_counts_what_winograd_spares(void **state)
{
    static const struct {
        int kernel[2], stride, dilation;
        double part;
    } rows[] = {
        {{1, 1}, 1, 1, 1},         {{3, 3}, 1, 1, 64. / 324}, {{5, 5}, 1, 1, 64. / 400},
        {{7, 7}, 1, 1, 64. / 196}, {{1, 3}, 1, 1, 8. / 18},   {{9, 9}, 1, 1, 1},
        {{3, 3}, 2, 1, 1},         {{3, 3}, 1, 2, 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const int *k = rows[i].kernel;
        const fx_op ops[] = {
            FX("in", "data", {1, 8, 8, 16}), FX("w", "const", {16, (uint32_t)k[0], (uint32_t)k[1], 16}),
            FX("conv", "conv2d", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w", .kernel = {k[1], k[0]},
               .stride = {rows[i].stride, rows[i].stride}, .dilation = {rows[i].dilation, rows[i].dilation})};
        fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
        roof_hw *hw = load(2e6, 4, 1000);
        roof_prediction *p = NULL;
        roof_error err = {0};
        if (roof_predict(net.graph, hw, NULL, &p, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        const double ideal_s = 8 * 8 * 16 * 16. * k[0] * k[1] / 1e6;
        if (fabs(p->total.deployed.ideal_s / ideal_s - 1) > 1e-6 ||
            fabs(roof_best_s(p) / (ideal_s * rows[i].part) - 1) > 1e-6)
            fail_msg("row %zu: ideal %g s, at best %g s; want %g s and %g of it", i,
                     p->total.deployed.ideal_s, roof_best_s(p), ideal_s, rows[i].part);
        roof_prediction_free(p);
        roof_hw_free(hw);
        fx_close(&net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_level_moves_what_the_one_before_cannot_keep),
        cmocka_unit_test(the_time_at_best_of_a_processor_counts_what_winograd_spares),
        cmocka_unit_test(a_cache_without_a_bandwidth_is_no_engine),
    };
    return cmocka_run_group_tests_name("law_cpu", tests, make_folder, remove_folder);
}
