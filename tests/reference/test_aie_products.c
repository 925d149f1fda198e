/* Published times of matrix products on an NPU2 (mlir-air's kernel registry), where ../shared has them,
 * beside what is predicted: no ideal time above a measured one, and expected times as close as they are said
 * to be. */
#include "roofline/prediction.h"
#include "core/json/jsontree.h"
#include "tests/support/accuracy.h"
#include "tests/support/skips.h"
#include "tests/unit/fixture.h"

static double number(const cJSON *node, const char *key)
{
    return cJSON_GetNumberValue(jsontree_get(node, key));
}

/* Results of "fused-cast" are written in fp32, and cast by a kernel of their own. */
static roof_product product_of(const cJSON *shape, const char *method, const char *result, const cJSON *tile)
{
    bool casts = strcmp(method, "fused-cast") == 0;
    roof_product p = {.m = (uint32_t)number(shape, "M"),
                      .k = (uint32_t)number(shape, "K"),
                      .n = (uint32_t)number(shape, "N"),
                      .types = {"bf16", "bf16", casts ? "fp32" : result},
                      .cast = casts ? "bf16" : NULL};
    if (tile) {
        p.tile_m = (uint32_t)number(tile, "tile_m");
        p.tile_k = (uint32_t)number(tile, "tile_k_l2");
        p.tile_n = (uint32_t)number(tile, "tile_n");
    }
    return p;
}

static void hold(const roof_hw *hw, const roof_product *product, const char *method, double measured_s,
                 accuracy *expected, accuracy *bounds)
{
    roof_graph *graph = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    if (roof_graph_read_as(NULL, &(roof_workload){.product = product}, &graph, &err) != ROOF_OK ||
        roof_predict(graph, hw, &(roof_predict_options){.stack = "mlir-air"}, &p, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    accuracy_add(expected, method, p->total.predicted_s, measured_s, p->total.predicted_ci95_s);
    accuracy_add_bound(bounds, method, p->total.deployed.ideal_s, measured_s);
    roof_prediction_free(p);
    roof_graph_free(graph);
}

static void add_file(const char *name, const char *result, const roof_hw *hw, accuracy expected[2],
                     accuracy bounds[2])
{
    char path[1024];
    cJSON *root = NULL;
    roof_error err;
    snprintf(path, sizeof path, "%s/data/aie/registry/%s", shared_folder(), name);
    roof_status status = jsontree_read(path, 0, &root, &err);
    if (status == ROOF_E_NO_INPUT)
        skip_without(path);
    assert_int_equal(status, ROOF_OK);
    for (const cJSON *shape = cJSON_GetArrayItem(jsontree_get(root, "shapes"), 0); shape; shape = shape->next)
        for (const cJSON *m = cJSON_GetArrayItem(jsontree_get(shape, "methods"), 0); m; m = m->next) {
            const cJSON *tile = jsontree_get(m, "tile");
            roof_product with = product_of(shape, m->string, result, tile),
                         without = product_of(shape, m->string, result, NULL);
            double rate = number(m, "gflops") * 1e9;
            double measured_s = 2.0 * with.m * with.k * with.n / rate;
            if (!(rate > 0) || !cJSON_IsObject(tile))
                continue;
            hold(hw, &with, m->string, measured_s, &expected[0], &bounds[0]);
            hold(hw, &without, m->string, measured_s, &expected[1], &bounds[1]);
        }
    cJSON_Delete(root);
}

static void products_take_as_long_as_expected(void **state)
{
    accuracy expected[2] = {{.what = "Ryzen AI NPU2, matrix products of mlir-air, tile as measured",
                             .constants = "built in, fitted to 81 of these"},
                            {.what = "the same products, tile by default",
                             .constants = "built in, fitted to 81 of these"}},
             bounds[2] = {{.what = "Ryzen AI NPU2, matrix products of mlir-air"}, {.what = "by default"}};
    roof_hw *hw = NULL;
    roof_error err;
    (void)state;
    assert_int_equal(roof_hw_load("npu2", &hw, &err), ROOF_OK);
    add_file("GEMM_bf16_in_bf16_out.json", "bf16", hw, expected, bounds);
    add_file("GEMM_bf16_in_fp32_out.json", "fp32", hw, expected, bounds);
    roof_hw_free(hw);
    for (int i = 0; i < 2; i++) {
        accuracy_tell(&expected[i]);
        assert_true(expected[i].n > 100);
        assert_true(accuracy_quantile(&expected[i], 0.5) <= 0.15);
        assert_true(accuracy_quantile(&bounds[i], 0) >= 1);
    }
    accuracy_tell(&bounds[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_take_as_long_as_expected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
