/* Sums of rows by which times on boards are known: small networks, worked out by hand. */
#include "model/work/traffic.h"
#include "tests/unit/fixture.h"

enum { MOST = 7 };

static const struct sums_row {
    const char *name;
    fx_op ops[MOST];
    roof_sums want;
} rows[] = {
    {"a convolution of 3x3 counts in its class, by its channels, with its maps and weights",
     {FX("in", "data", {1, 4, 4, 3}), FX("w", "const", {8, 3, 3, 3}),
      FX("conv", "conv2d", {1, 4, 4, 8}, .inputs = {"in"}, .weights = "w", .kernel = {3, 3})},
     {.k = {3456, 1152, 432, 144}, .map_elements = 176, .weight_elements = 216, .rows = 1}},
    {"of a grouped one a channel sees its group alone",
     {FX("in", "data", {1, 4, 4, 4}), FX("w", "const", {8, 1, 1, 2}),
      FX("conv", "conv2d", {1, 4, 4, 8}, .inputs = {"in"}, .weights = "w", .kernel = {1, 1})},
     {.one = {256, 128, 64, 32}, .map_elements = 192, .weight_elements = 16, .rows = 1}},
    {"a sigmoid that is joined makes what its row writes smooth, and moves nothing",
     {FX("in", "data", {1, 4, 4, 2}), FX("w", "const", {8, 1, 1, 2}),
      FX("conv", "conv2d", {1, 4, 4, 8}, .inputs = {"in"}, .weights = "w", .kernel = {1, 1}),
      FX("gate", "sigmoid", {1, 4, 4, 8}, .inputs = {"conv"}, .bit_width = 8)},
     {.one = {256, 128, 32, 16},
      .map_elements = 160,
      .smooth_elements = 128,
      .weight_elements = 16,
      .rows = 1}},
    {"a depthwise one has a class of its own, and a pooling behind it is a row without MACs",
     {FX("in", "data", {1, 4, 4, 2}), FX("w", "const", {1, 3, 3, 2}),
      FX("dw", "depthwise-conv2d", {1, 4, 4, 2}, .inputs = {"in"}, .weights = "w", .kernel = {3, 3}),
      FX("pool", "maxpool2d", {1, 2, 2, 2}, .inputs = {"dw"}, .kernel = {2, 2}, .stride = {2, 2})},
     {.depthwise_macs = 288,
      .map_elements = 104,
      .map_elements_without_macs = 40,
      .weight_elements = 18,
      .rows = 2}},
    {"a product counts as such",
     {FX("in", "data", {1, 16}), FX("w", "const", {16, 8}),
      FX("fc", "matmul", {1, 8}, .inputs = {"in"}, .weights = "w")},
     {.product_macs = 128, .map_elements = 24, .weight_elements = 128, .rows = 1}},
};

static void expect_same(const char *row, const roof_sums *got, const roof_sums *want)
{
    const double *a = (const double *)got, *b = (const double *)want;
    for (size_t i = 0; i < sizeof *got / sizeof *a; i++)
        if (!(fabs(a[i] - b[i]) <= 1e-9 * b[i]))
            fail_msg("%s: sum %zu is %.12g, want %.12g", row, i, a[i], b[i]);
}

static void sums_are_those_of_the_lowered_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t n = 0;
        while (n < MOST && rows[i].ops[n].name)
            n++;
        fx_net net = fx_open(fx_model(rows[i].ops, n, NULL), NULL);
        roof_prediction *p = fx_predict(net.graph, "hailo-8", NULL);
        expect_same(rows[i].name, &p->total.sums, &rows[i].want);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

static void rules_of_a_dpu_make_no_such_sums(void **state)
{
    (void)state;
    fx_net net = fx_open(fx_model(rows[0].ops, 3, NULL), NULL);
    roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
    assert_true(isnan(p->total.sums.rows) && isnan(p->total.sums.k.macs));
    roof_prediction_free(p);
    fx_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_of_the_lowered_rows),
        cmocka_unit_test(rules_of_a_dpu_make_no_such_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
