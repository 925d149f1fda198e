/* The plans that stand in for unpublished ones: epochs of which the sizes can be counted by hand. */
#include "tests/support/art_networks.h"
#include "tests/unit/fixture.h"

static size_t index_of(const char *name)
{
    size_t i = 0;
    while (an_name(i) && strcmp(an_name(i), name) != 0)
        i++;
    assert_non_null(an_name(i));
    return i;
}

static an_plan *planned(const char *name)
{
    an_plan *p = malloc(sizeof *p);
    assert_non_null(p);
    an_build(index_of(name), p);
    return p;
}

static uint64_t moved(const an_plan *p, uint32_t epoch, const char *pool)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->epochs[epoch].n_accesses; i++) {
        const ci_access *a = &p->accesses[epoch][i];
        if (strcmp(p->network.pools[a->pool].name, pool) == 0)
            sum += a->reads + a->writes;
    }
    return sum;
}

static void epochs_stream_what_their_shapes_say(void **state)
{
    static const struct {
        const char *network;
        uint32_t epoch; /* from 0 */
        uint64_t compute_cycles, flash_bytes;
    } rows[] = {
        {"mobilenet_v2_224", 1, 4 * 224 * 224 * 3, 3 * 3 * 3 * 32},   /* four groups of 8 kernels */
        {"mobilenet_v2_224", 2, 112 * 112 * 32, 8 * 3 * 3 * 32},      /* depthwise: weights 8 times */
        {"mobilenet_v2_224", 4, 112 * 112 * 96, 16 * 96},             /* results */
        {"mobilenet_v2_224", 5, 112 * 112 * 96, 8 * 3 * 3 * 96},      /* stride 2: the map that comes in */
        {"mobilenet_v2_224", 12, 2 * 28 * 28 * 144 / 6, 144 * 32},    /* two iterations, two units */
        {"mobilenet_v2_224", 34, 24 * 14 * 14 * 96 / 3, 96 * 576},    /* 24 iterations of one unit */
        {"mobilenet_v2_224", 42, 576 * 160 / 3, 576 * 160},           /* kernels */
        {"mobilenet_v2_224", 57, (1280 * 1000 + 2) / 3, 1280 * 1000}, /* fully connected */
        {"conv2d_64f_3x3", 0, 64 * 64 * 64, 3 * 3 * 3 * 64},
        {"conv2d_32f_7x7", 1, 64 * 64 * 32, 7 * 7 * 3 * 32 / 3}, /* one of three rounds */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        an_plan *p = planned(rows[i].network);
        if (p->epochs[rows[i].epoch].compute_cycles != rows[i].compute_cycles ||
            moved(p, rows[i].epoch, "octoFlash") != rows[i].flash_bytes)
            fail_msg("%s, epoch %u: %llu cycles and %llu bytes", rows[i].network, rows[i].epoch,
                     (unsigned long long)p->epochs[rows[i].epoch].compute_cycles,
                     (unsigned long long)moved(p, rows[i].epoch, "octoFlash"));
        free(p);
    }
}

/* What the generate report of the build that was measured prints: cpuRAM2 1 MB, npuRAM3 152 kB, 58 epochs, 3
 * of them in software, 4,137,361 bytes in the flash with coefficients, of which a plan has the weights. */
static void mobilenet_uses_the_memories_of_the_measured_build(void **state)
{
    an_plan *p = planned("mobilenet_v2_224");
    uint64_t weights = 0, software = 0;
    (void)state;
    assert_int_equal(p->network.n_epochs, 58);
    assert_int_equal(moved(p, 4, "cpuRAM2"), 1024 * 1024);
    assert_int_equal(moved(p, 4, "npuRAM3"), 152 * 1024);
    assert_int_equal(moved(p, 5, "cpuRAM2"), 1024 * 1024);
    for (uint32_t i = 0; i < p->network.n_epochs; i++) {
        weights += moved(p, i, "octoFlash");
        software += strcmp(p->epochs[i].mapping, "NODE_SW") == 0;
        assert_int_equal(p->epochs[i].number, i + 1);
    }
    assert_int_equal(software, 3);
    assert_true(weights < 4137361 && (double)weights > 0.94 * 4137361);
    free(p);
}

static void every_plan_is_one_that_the_compiler_could_have_made(void **state)
{
    roof_hw *hw = fx_hw("stm32n6");
    (void)state;
    for (size_t i = 0; an_name(i); i++) {
        an_plan *plan = planned(an_name(i));
        textbuf text;
        roof_graph *g = NULL;
        roof_prediction *p = NULL;
        roof_error err = {0};
        text_init(&text, TEXT_MAX_BYTES);
        ci_write(&plan->network, CI_3_0, &text);
        if (graph_read_memory((const unsigned char *)text.bytes, text.length, "c_info.json", &g, &err) !=
                ROOF_OK ||
            roof_predict(g, hw, NULL, &p, &err) != ROOF_OK)
            fail_msg("%s: %s", an_name(i), fx_message(&err));
        assert_string_equal(p->model.name, an_name(i));
        for (uint32_t k = 0; k < p->n_findings; k++)
            if (p->findings[k].kind == ROOF_FINDING_VENDOR_DIFFERS ||
                p->findings[k].kind == ROOF_FINDING_BEYOND_UNITS)
                fail_msg("%s, %s: %s", an_name(i), p->findings[k].place, fx_finding_text(&p->findings[k]));
        roof_prediction_free(p);
        roof_graph_free(g);
        text_free(&text);
        free(plan);
    }
    roof_hw_free(hw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(epochs_stream_what_their_shapes_say),
        cmocka_unit_test(mobilenet_uses_the_memories_of_the_measured_build),
        cmocka_unit_test(every_plan_is_one_that_the_compiler_could_have_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
