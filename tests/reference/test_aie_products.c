/* Published times of matrix products on an NPU2 (mlir-air's kernel registry), where ../shared has them,
 * beside what is predicted: no ideal time above a measured one, and expected times as close as they are said
 * to be. */
#include "roofline/prediction.h"
#include "core/json/jsontree.h"
#include "tests/unit/fixture.h"
#include "tests/support/skips.h"

enum { MOST_ROWS = 256 };

typedef struct errors {
    double values[MOST_ROWS]; /* of expected times, without sign */
    uint32_t n, above;
    double largest; /* ideal / measured */
} errors;

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

static void hold(const roof_hw *hw, const roof_product *product, double measured_s, errors *e)
{
    roof_graph *graph = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    if (roof_graph_read_as(NULL, &(roof_workload){.product = product}, &graph, &err) != ROOF_OK ||
        roof_predict(graph, hw, &(roof_predict_options){.stack = "mlir-air"}, &p, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    e->above += p->total.deployed.ideal_s > measured_s;
    e->largest = fmax(e->largest, p->total.deployed.ideal_s / measured_s);
    e->values[e->n++] = fabs(p->total.predicted_s / measured_s - 1);
    roof_prediction_free(p);
    roof_graph_free(graph);
}

static void add_file(const char *name, const char *result, const roof_hw *hw, errors e[2])
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
            assert_true(e[0].n < MOST_ROWS);
            hold(hw, &with, measured_s, &e[0]);
            hold(hw, &without, measured_s, &e[1]);
        }
    cJSON_Delete(root);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void products_take_as_long_as_expected(void **state)
{
    static const char *const names[] = {"tile as measured", "default tile"};
    errors e[2] = {{.n = 0}, {.n = 0}};
    roof_hw *hw = NULL;
    roof_error err;
    (void)state;
    assert_int_equal(roof_hw_load("npu2", &hw, &err), ROOF_OK);
    add_file("GEMM_bf16_in_bf16_out.json", "bf16", hw, e);
    add_file("GEMM_bf16_in_fp32_out.json", "fp32", hw, e);
    roof_hw_free(hw);
    for (int i = 0; i < 2; i++) {
        qsort(e[i].values, e[i].n, sizeof *e[i].values, compare);
        double median = e[i].values[e[i].n / 2];
        print_message(
            "%s: %u products, ideal above measured %u, largest ideal / measured %.2f, median error of "
            "expected times %.1f %%, 90th percentile %.1f %%\n",
            names[i], e[i].n, e[i].above, e[i].largest, 100 * median, 100 * e[i].values[e[i].n * 9 / 10]);
        assert_true(e[i].n > 100);
        assert_int_equal(e[i].above, 0);
        assert_true(median <= 0.15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_take_as_long_as_expected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
