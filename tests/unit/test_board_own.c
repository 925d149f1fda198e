/* One's own times on a board: the level, all constants, and what is expected of them. */
#include "model/predict/boards.h"
#include "tests/unit/fixture.h"

/* Sums that tell constants apart: wide and narrow, depthwise, maps, weights. */
static roof_sums sums_of(uint32_t i)
{
    const double macs = 1e8 * (1 + i), maps = 1e6 * (1 + (i * 7) % 5);
    return (roof_sums){{macs, macs / (8 << (i % 4)), macs / (16 << (i % 3)), macs / 512},
                       {macs * (i % 3), macs * (i % 3) / 64, macs * (i % 3) / 128, macs * (i % 3) / 8192},
                       5e6 * (i % 4),
                       1e6 * (i % 2),
                       8 * maps,
                       maps,
                       maps * (i % 2),
                       2e6 * (1 + i % 3),
                       20.0 * (1 + i % 5)};
}

enum { MOST = 16 };

/* Times of a board whose constants are those of a set, each times a factor. */
static uint32_t make_points(const board_set *set, uint32_t n, const double factors[BOARD_CONSTANTS],
                            roof_sums sums[MOST], board_point points[MOST])
{
    board_set other = *set;
    for (size_t k = 0; k < BOARD_CONSTANTS; k++)
        other.constants[k] *= factors[k];
    for (uint32_t i = 0; i < n; i++) {
        sums[i] = sums_of(i);
        points[i] = (board_point){&sums[i], board_seconds(&other, &sums[i], 1, false)};
    }
    return n;
}

static const board_set *rk3588(void)
{
    const board_set *set = board_at("rk3588-npu", 0);
    assert_non_null(set);
    return set;
}

/* A board that is so much slower, and else the same: one time tells, or many. */
static void a_level_moves_to_one_time_or_to_the_median_of_several(void **state)
{
    static const uint32_t numbers[] = {1, 3, 9};
    (void)state;
    for (size_t i = 0; i < COUNT(numbers); i++) {
        const double factors[BOARD_CONSTANTS] = {1.7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        roof_sums sums[MOST];
        board_point points[MOST];
        board_set set = *rk3588();
        board_calibrate(&set, points, make_points(&set, numbers[i], factors, sums, points));
        assert_true(fabs(set.constants[BOARD_E] / rk3588()->constants[BOARD_E] - 1.7) < 1e-9);
        for (size_t k = BOARD_DW; k < BOARD_CONSTANTS; k++)
            assert_true(set.constants[k] == rk3588()->constants[k]);
    }
}

/* An outlier among nine moves nothing. */
static void a_time_that_is_wrong_does_not_move_a_median(void **state)
{
    const double same[BOARD_CONSTANTS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    roof_sums sums[MOST];
    board_point points[MOST];
    board_set set = *rk3588();
    (void)state;
    const uint32_t n = make_points(&set, 9, same, sums, points);
    points[4].seconds *= 20;
    board_calibrate(&set, points, n);
    assert_true(fabs(set.constants[BOARD_E] / rk3588()->constants[BOARD_E] - 1) < 1e-9);
}

static double worst_of(const board_set *set, const board_point *points, uint32_t n)
{
    double worst = 0;
    for (uint32_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(log(board_seconds(set, points[i].sums, 1, false) / points[i].seconds)));
    return worst;
}

/* A level alone leaves 20 % where maps and calls cost other than elsewhere; ten times find it. */
static void ten_times_move_all_constants(void **state)
{
    const double factors[BOARD_CONSTANTS] = {0.8, 1.2, 1, 1, 1, 1, 1.5, 1, 1, 1, 1.3, 2};
    roof_sums sums[MOST];
    board_point points[MOST];
    board_set of_nine = *rk3588(), of_ten = *rk3588();
    (void)state;
    const uint32_t n = make_points(&of_ten, 12, factors, sums, points);
    board_calibrate(&of_nine, points, 9);
    board_calibrate(&of_ten, points, n);
    const double by_level = worst_of(&of_nine, points, n), by_all = worst_of(&of_ten, points, n);
    if (!(by_level > 0.1 && by_all < 0.09))
        fail_msg("by the level %.4f, by all constants %.4f", by_level, by_all);
    /* as scripts/fit_boards.py fits the same times */
    static const double fitted[BOARD_CONSTANTS] = {1.01831934, 0.99953344, 0.98828178, 0.99446123,
                                                   0.96744623, 0.99999512, 1.17600141, 0.99559741,
                                                   1.01725039, 1.00455498, 1.01876674, 1.04285385};
    for (size_t k = 0; k < BOARD_CONSTANTS; k++)
        if (fabs(of_ten.constants[k] / rk3588()->constants[k] / fitted[k] - 1) > 2e-3)
            fail_msg("constant %zu: %.6f, want %.6f", k, of_ten.constants[k] / rk3588()->constants[k],
                     fitted[k]);
}

/* Errors of as many times as one has, of the stack where that is known. */
static void errors_are_those_of_as_many_times(void **state)
{
    static const struct {
        const char *hw;
        uint32_t n;
        double median, p90;
    } rows[] = {{"rk3588-npu", 1, 0.18, 0.81}, {"rk3588-npu", 2, 0.18, 0.81},
                {"rk3588-npu", 3, 0.17, 0.55}, {"rk3588-npu", 12, 0.17, 0.55},
                {"hailo-15l", 10, 0.14, 0.40}, {"coral-edge-tpu", 1, 0.19, 0.53},
                {"ax8850", 1, 0.28, 0.89}};
    const double same[BOARD_CONSTANTS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_sums sums[MOST];
        board_point points[MOST];
        board_set set = *board_at(rows[i].hw, 0);
        board_calibrate(&set, points, make_points(&set, rows[i].n, same, sums, points));
        if (fabs(set.median_error - rows[i].median) > 1e-12 || fabs(set.p90_error - rows[i].p90) > 1e-12 ||
            fabs(set.factor - exp(1.1915 * log1p(rows[i].p90))) > 1e-9)
            fail_msg("%s with %u: %g, %g", rows[i].hw, rows[i].n, set.median_error, set.p90_error);
    }
}

static void a_device_without_a_set_has_the_shape_of_its_stack(void **state)
{
    const board_question q = {"mine", "rknn", NULL, 1, 0}, none = {"mine", "no-stack", NULL, 1, 0};
    board_set shape;
    (void)state;
    assert_false(board_shape(&none, &shape));
    assert_true(board_shape(&q, &shape));
    assert_int_equal(shape.points, 7);
    double least = INFINITY, most = 0;
    for (size_t i = 0; board_at(NULL, i); i++)
        if (strcmp(board_at(NULL, i)->stack, "rknn") == 0) {
            least = fmin(least, board_at(NULL, i)->constants[BOARD_E]);
            most = fmax(most, board_at(NULL, i)->constants[BOARD_E]);
        }
    assert_true(shape.constants[BOARD_E] > least && shape.constants[BOARD_E] < most);
}

/* --- in a prediction ------------------------------------------------------------------------------------ */

static const fx_op conv[] = {
    FX("in", "data", {1, 112, 112, 64}), FX("w", "const", {64, 1, 1, 64}),
    FX("conv", "conv2d", {1, 112, 112, 64}, .inputs = {"in"}, .weights = "w", .kernel = {1, 1})};

static roof_prediction *predict(const char *hw, const roof_predict_options *options)
{
    fx_net net = fx_open(fx_model(conv, COUNT(conv), NULL), NULL);
    roof_prediction *p = fx_predict(net.graph, hw, options);
    fx_close(&net);
    return p;
}

/* times: of what the law says alone, of this network on the board itself. */
static void the_surest_is_expected_and_the_others_are_told(void **state)
{
    static const struct {
        const char *what, *hw, *sibling, *from;
        double own_times;
        const char *type;
        bool tells;
    } rows[] = {
        {"a near relative", "snapdragon-8-elite", "snapdragon-8-gen-3", "0.7619 times your time", 0, NULL,
         false},
        {"a distant one", "hailo-8", "hailo-8l", "published networks", 0, NULL, true},
        {"none", "hailo-8", "kv260", "published networks", 0, NULL, true},
        {"the board itself", "hailo-8", "hailo-8", "published networks", 0, NULL, true},
        {"where no law is", "sa8775p", "snapdragon-8-gen-3", "times your time", 0, "int8", false},
        {"one's own that the law foretells", "rk3588-npu", NULL, "published networks", 1, NULL, true},
        {"one's own that contradicts it", "rk3588-npu", NULL, "your own and the shape", 4, NULL, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_prediction *law = predict(rows[i].hw, NULL);
        const roof_own_time sibling = {.name = rows[i].sibling, .seconds = 0.004},
                            own = {.name = "net",
                                   .sums = &law->total.sums,
                                   .seconds = rows[i].own_times * law->total.predicted_s};
        const roof_predict_options options = {.data_type = rows[i].type,
                                              .other_device_times = &sibling,
                                              .n_other_device_times = rows[i].sibling != NULL,
                                              .own_times = &own,
                                              .n_own_times = rows[i].own_times > 0};
        roof_prediction *p = predict(rows[i].hw, &options);
        const bool tells = fx_count_findings(p, ROOF_FINDING_OWN_TIMES) > 0;
        const char *from = p->facts_of_verdict.from ? p->facts_of_verdict.from : "nothing";
        if (!strstr(from, rows[i].from) || tells != rows[i].tells)
            fail_msg("%s: %s, want %s", rows[i].what, from, rows[i].from);
        const double *ends = p->total.predicted_ci95_s;
        assert_true(ends[0] < p->total.predicted_s && p->total.predicted_s < ends[1]);
        if (strstr(from, "your own and"))
            assert_true(fabs(p->total.predicted_s / own.seconds - 1) < 1e-6);
        double sum = roof_beside_layers_s(p);
        for (uint32_t k = 0; k < p->n_layers; k++)
            sum += p->layers[k].predicted_s;
        assert_true(fabs(sum / p->total.predicted_s - 1) < 1e-6);
        roof_prediction_free(p);
        roof_prediction_free(law);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_moves_to_one_time_or_to_the_median_of_several),
        cmocka_unit_test(a_time_that_is_wrong_does_not_move_a_median),
        cmocka_unit_test(ten_times_move_all_constants),
        cmocka_unit_test(errors_are_those_of_as_many_times),
        cmocka_unit_test(a_device_without_a_set_has_the_shape_of_its_stack),
        cmocka_unit_test(the_surest_is_expected_and_the_others_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
