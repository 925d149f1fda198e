/* Published times: which are of a network, in which order, and what another device's time tells. */
#include "core/arena.h"
#include "model/predict/boards.h"
#include "roofline/published.h"
#include "tests/unit/fixture.h"

/* MobileNetV2 as torchvision has it, at 224 x 224. */
static const roof_sums mobilenet_v2 = {{10838016, 3612672, 338688, 112896},
                                       {267939840, 3974880, 2874144, 45472},
                                       20716416,
                                       1280000,
                                       13726696,
                                       64000,
                                       0,
                                       3487886,
                                       54};

/* ratios: of its MACs, weights and depthwise MACs. */
static const struct requested {
    const char *what, *name;
    uint32_t height;
    double macs, weights, depthwise; /* macs 0: no sums */
    const char *hw, *type, *found;   /* the first that is found; NULL: none is */
    bool is_same;
} rows[] = {
    {"the network itself", "mine", 224, 1, 1, 1, "rk3588-npu", "int8", "mobilenetv2-12", true},
    {"by another exporter", "mine", 224, 1.027, 0.971, 1.049, "rk3588-npu", "int8", "mobilenetv2-12", true},
    {"of more work", "mine", 224, 1.04, 1, 1, "rk3588-npu", "int8", NULL, false},
    {"of more weights", "mine", 224, 1, 1.04, 1, "rk3588-npu", "int8", NULL, false},
    {"of other convolutions", "mine", 224, 1, 1, 1.06, "rk3588-npu", "int8", NULL, false},
    {"at another input", "mine", 320, 1, 1, 1, "rk3588-npu", "int8", NULL, false},
    {"called so, and known to be another", "mobilenetv2-12", 224, 1.5, 1, 1, "rk3588-npu", "int8", NULL,
     false},
    {"by its name where no sums are known", "MobileNetV2.12", 0, 0, 1, 1, "rk3588-npu", "int8",
     "mobilenetv2-12", false},
    {"that nobody built, by its name", "VIT-Tiny", 0, 1, 1, 1, "hailo-8", "int8", "vit_tiny", false},
    {"on a device without constants", "mine", 224, 1, 1, 1, "wormhole-n150", "bf16", "MobileNet-v2", true},
    {"on a device without times", "mine", 224, 1, 1, 1, "kv260", "int8", NULL, false},
};

static void a_network_is_found_by_what_it_is_and_else_by_its_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct requested *r = &rows[i];
        roof_sums sums = mobilenet_v2;
        roof_arena *arena = arena_new(0);
        roof_published_time *found = NULL;
        uint32_t n = 0;
        roof_error err;
        sums.k.macs *= r->macs;
        sums.one.macs *= r->macs;
        sums.product_macs *= r->macs;
        sums.depthwise_macs *= r->depthwise;
        sums.weight_elements *= r->weights;
        const board_network network = {r->name, r->height, r->height, r->macs > 0 ? &sums : NULL};
        const board_question q = {.hw = r->hw, .data_type = r->type, .batch = 1};
        assert_int_equal(board_published(&network, &q, arena, &found, &n, &err), ROOF_OK);
        const char *got = n ? found->network : "none", *want = r->found ? r->found : "none";
        if (strcmp(got, want) != 0 || (n && found->is_same != r->is_same))
            fail_msg("%s: %s, want %s", r->what, got, want);
        arena_free(arena);
    }
}

/* Stack, then type, batch and threads, then the name of what is the same otherwise. */
static void what_ran_as_it_was_asked_for_comes_first(void **state)
{
    static const struct {
        board_question question;
        const char *software, *type;
        uint32_t batch, threads;
    } runs[] = {
        {{"snapdragon-8-gen-3", "qnn", "f16", 1, 0}, "QNN", "f16", 1, 0},
        {{"snapdragon-8-gen-3", "tflite", "int8", 1, 0}, "TensorFlow Lite", "int8", 1, 0},
        {{"hailo-8", "hailort", "int8", 8, 0}, "Dataflow Compiler 3.33", "int8", 8, 0},
        {{"raspberry-pi-5", "ncnn", "f16", 1, 4}, "ncnn, 4 threads", "f16", 1, 4},
        {{"raspberry-pi-5", "ncnn", "f16", 1, 1}, "ncnn, 1 thread", "f16", 1, 1},
    };
    const board_network network = {"mine", 224, 224, &mobilenet_v2};
    (void)state;
    for (size_t i = 0; i < COUNT(runs); i++) {
        roof_arena *arena = arena_new(0);
        roof_published_time *found = NULL;
        uint32_t n = 0;
        roof_error err;
        assert_int_equal(board_published(&network, &runs[i].question, arena, &found, &n, &err), ROOF_OK);
        if (!n || strcmp(found->software, runs[i].software) != 0 ||
            strcmp(found->data_type, runs[i].type) != 0 || found->batch != runs[i].batch ||
            found->threads != runs[i].threads || found->unlikeness > 1)
            fail_msg("row %zu: %s, %s", i, n ? found->software : "none", n ? found->data_type : "");
        arena_free(arena);
    }
}

static roof_published *listed(const char *name, const char *hw)
{
    roof_published *out;
    roof_error err;
    if (roof_published_find(&(roof_published_question){.name = name, .hw = hw}, &out, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return out;
}

/* 1372 frames/s of a ResNet-50 on a Hailo-8, as its table has them. */
static void a_list_is_of_a_name_or_of_a_device_or_of_all(void **state)
{
    static const struct {
        const char *name, *hw;
        uint32_t n;
        double first_s;
    } lists[] = {{NULL, NULL, 4318, 0.0165289},
                 {"resnet_v1_50", "hailo-8", 2, 0.0007289},
                 {"ResNet V1 50", "hailo-8", 2, 0.0007289},
                 {NULL, "sa7255p", 82, 0},
                 {"nothing", NULL, 0, 0}};
    roof_published *none;
    roof_error err;
    (void)state;
    for (size_t i = 0; i < COUNT(lists); i++) {
        roof_published *all = listed(lists[i].name, lists[i].hw);
        if (all->n_times != lists[i].n ||
            (lists[i].first_s > 0 && fabs(all->times->seconds - lists[i].first_s) > 1e-9))
            fail_msg("list %zu: %u times, the first %g s", i, all->n_times,
                     all->n_times ? all->times->seconds : 0);
        for (uint32_t k = 1; k < all->n_times && all->network; k++)
            assert_true(all->times[k].seconds >= all->times[k - 1].seconds);
        roof_published_free(all);
    }
    assert_int_equal(roof_published_find(&(roof_published_question){.hw = "none"}, &none, &err),
                     ROOF_E_NO_INPUT);
    assert_null(none);
}

/* Texts, a time, and a device that the database describes where one is named. */
static void every_published_time_is_whole(void **state)
{
    roof_published *all = listed(NULL, NULL);
    const char *last = "";
    (void)state;
    for (uint32_t i = 0; i < all->n_times; i++) {
        const roof_published_time *t = &all->times[i];
        assert_true(t->seconds > 0 && t->batch && *t->network && *t->device && *t->stack && *t->software &&
                    *t->data_type && *t->source);
        if (*t->hardware && strcmp(last, t->hardware) != 0)
            roof_hw_free(fx_hw(t->hardware));
        last = t->hardware;
    }
    roof_published_free(all);
}

/* Ratios and errors as one reckons them from the two tables. */
static void a_sibling_tells_a_ratio_and_how_sure_it_is(void **state)
{
    static const struct {
        const char *from;
        board_question to;
        uint32_t networks;
        double ratio, median_percent, p90_percent; /* ratio 0: none is told */
    } pairs[] = {
        {"hailo-10h", {"hailo-15h", "hailort", "int8", 1, 0}, 141, 0.9925, 0.6, 6.3},
        {"snapdragon-8-gen-3", {"snapdragon-8-elite", "qnn", "f16", 1, 0}, 23, 0.7619, 2.3, 5.9},
        {"rk3576-npu", {"rk3588-npu", "rknn", "int8", 1, 1}, 34, 1.1372, 8.5, 18.6},
        {"rk3588-npu", {"rk3576-npu", "rknn", "int8", 1, 1}, 34, 0.8794, 8.3, 17.5},
        {"raspberry-pi-4", {"hailo-8", "hailort", "int8", 1, 0}, 0, 0, 0, 0},
        {"kv260", {"hailo-8", "hailort", "int8", 1, 0}, 0, 0, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        const board_set *to = board_find(&pairs[i].to, BOARD_CONTEXTS);
        assert_non_null(to);
        const board_transfer s = board_transfer_of(pairs[i].from, to);
        if (s.networks != pairs[i].networks || isnan(s.ratio) != !(pairs[i].ratio > 0) ||
            fabs(s.ratio - pairs[i].ratio) > 1e-4)
            fail_msg("%s to %s: %u networks, %.4f", pairs[i].from, to->hw, s.networks, s.ratio);
        if (!isnan(s.ratio) && (fabs(100 * s.median_error - pairs[i].median_percent) > 0.1 ||
                                fabs(100 * s.p90_error - pairs[i].p90_percent) > 0.1 || !(s.factor > 1)))
            fail_msg("%s to %s: errors %.4f, %.4f", pairs[i].from, to->hw, s.median_error, s.p90_error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network_is_found_by_what_it_is_and_else_by_its_name),
        cmocka_unit_test(what_ran_as_it_was_asked_for_comes_first),
        cmocka_unit_test(a_list_is_of_a_name_or_of_a_device_or_of_all),
        cmocka_unit_test(every_published_time_is_whole),
        cmocka_unit_test(a_sibling_tells_a_ratio_and_how_sure_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
