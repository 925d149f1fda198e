#include "roofline/hw.h"
#include "measure/epochs/epochs_make.h"
#include "tests/support/named_events.h"
#include "tests/unit/fixture.h"

#include <math.h>

static roof_arena *arena; /* of events and epochs */

static const roof_clock clocks[] = {{"mcu", 800e6}, {"noc", 400e6}, {"npu", 1e9}, {"nic", 900e6}};

/* As printed: a value is right when it rounds to these digits. */
static void assert_printed(const char *what, double got, double want, double digit)
{
    if (!(fabs(got - want) <= 0.5 * digit * (1 + 1e-9)))
        fail_msg("%s: %.10g, want %.10g to %g", what, got, want, digit);
}

typedef struct printed {
    const char *what;
    double got, want, digit;
} printed;

static void assert_all(const printed *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_printed(p[i].what, p[i].got, p[i].want, p[i].digit);
}

/* ---- epoch 186 ---- */

static roof_domain_cycles pre_mcu[] = {{"mcu", 18859}}, core_both[] = {{"mcu", 10599}, {"npu", 13300}},
                          post_mcu[] = {{"mcu", 5253}}, outside_npu[] = {{"npu", 43513 - 13300}};
static roof_phase_cycles epoch_phases[] = {
    {"pre", pre_mcu, 1}, {"core", core_both, 2}, {"post", post_mcu, 1}, {"pre+post", outside_npu, 1}};
static const named_event epoch_events[] = {
    {"busif0.read_bytes", 14080},
    {"busif0.write_bytes", 0},
    {"busif1.read_bytes", 10208},
    {"busif1.write_bytes", 7960},
    {"stream1.in.active_cycles", 5845},
    {"stream4.in.active_cycles", 15190},
    {"stream7.out.active_cycles", 13935},
    {"stream1.in.npuRAM5_bytes", 12544},
    {"compiler.ops", 453348},
    {"compiler.compute_cycles", 4608},
    {"compiler.max_cycles", 27648},
    {"compiler.octoFlash.read_bytes", 4608},
    {"compiler.octoFlash.write_bytes", 0},
    {"compiler.npuRAM5.read_bytes", 19600},
    {"compiler.npuRAM5.write_bytes", 8820},
};

static roof_run run_of_epoch(roof_measured_layer *layer, roof_layer_counters *counters, uint32_t n_phases)
{
    *counters = (roof_layer_counters){.phases = epoch_phases,
                                      .n_phases = n_phases,
                                      .events = events_of(epoch_events, COUNT(epoch_events), arena),
                                      .n_events = COUNT(epoch_events)};
    *layer = (roof_measured_layer){.name = "epoch_186", .type = "HW", .counters = counters};
    return (roof_run){.mode = ROOF_RUN_PER_LAYER,
                      .clocks = (roof_clock *)clocks,
                      .n_clocks = COUNT(clocks),
                      .layers = layer,
                      .n_layers = 1};
}

static void epoch_186_is_computed_to_the_printed_digit(void **state)
{
    roof_measured_layer layer;
    roof_layer_counters counters;
    const roof_run run = run_of_epoch(&layer, &counters, 4);
    roof_epochs *all = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(epochs_make(&run, NULL, NULL, arena, &all, &err), ROOF_OK);
    assert_int_equal(all->n_rows, 1);
    const roof_measured_epoch *e = &all->rows[0];
    const printed rows[] = {
        {"duration [ms]", 1e3 * e->total_s, 0.043, 0.001},
        {"core [ms]", 1e3 * e->core_s, 0.013, 0.001},
        {"difference of the compiler [%]", 100 * e->vendor_error_ratio, 107.88, 0.01},
        {"compute ratio [%]", 100 * e->compute_ratio, 10.59, 0.01},
        {"compute ratio of the core [%]", 100 * e->core_compute_ratio, 34.65, 0.01},
        {"GOPS of the compiler", e->vendor_ops_per_s / 1e9, 16.4, 0.1},
        {"GOPS, ideal", e->ideal_ops_per_s / 1e9, 98.4, 0.1},
        {"GOPS", e->measured_ops_per_s / 1e9, 10.4, 0.1},
        {"GOPS of the core", e->core_ops_per_s / 1e9, 34.1, 0.1},
        {"busif 0 [GB/s]", e->buses[0].peak_bytes_per_s / 1e9, 1.06, 0.01},
        {"busif 1 [GB/s]", e->buses[1].peak_bytes_per_s / 1e9, 1.37, 0.01},
        {"busif, both [GB/s]", e->all_buses.peak_bytes_per_s / 1e9, 2.42, 0.01},
        {"busiest stream engine [%]", 100 * e->busiest_stream_ratio, 114.21, 0.01},
        {"octoFlash [MB/s]", e->pools[0].peak_bytes_per_s / 1e6, 346.47, 0.01},
        {"npuRAM5 [GB/s]", e->pools[1].peak_bytes_per_s / 1e9, 2.14, 0.01},
        {"pools [GB/s]", e->all_pools.peak_bytes_per_s / 1e9, 2.48, 0.01},
    };
    assert_all(rows, COUNT(rows));
    assert_int_equal(e->npu_total_cycles, 43513);
    assert_false(e->npu_total_is_converted);
    assert_int_equal(e->n_pools, 2);
    assert_int_equal(e->busiest_stream, 4);
    assert_int_equal(e->all_pools.read_bytes, 24208);
    assert_int_equal(e->all_buses.read_bytes, 24288);
}

/* Without a plan the entry has the rates: what is nearest its peak is then the memory, and not computing. */
static void pools_have_the_rates_of_the_hardware_without_a_plan(void **state)
{
    roof_measured_layer layer;
    roof_layer_counters counters;
    const roof_run run = run_of_epoch(&layer, &counters, 4);
    roof_epochs *all = NULL;
    roof_hw *hw = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_hw_load("stm32n6", &hw, &err), ROOF_OK);
    assert_int_equal(epochs_make(&run, NULL, hw, arena, &all, &err), ROOF_OK);
    roof_hw_free(hw);
    const roof_measured_epoch *const both[] = {&all->rows[0], &all->total};
    for (size_t i = 0; i < 2; i++) {
        const roof_measured_epoch *e = both[i];
        assert_int_equal(e->n_pools, 2);
        assert_printed("octoFlash of its 400 MB/s [%]", 100 * e->pools[0].use_ratio, 86.6, 0.1);
        assert_string_equal(e->nearest, "octoFlash");
        assert_int_equal(e->all_pools.read_bytes, 24208);
    }
}

/* The article does not print the NPU's cycles of the ends: converted they give 10.61 %, and the row says
 * so. */
static void cycles_of_another_clock_are_converted_visibly(void **state)
{
    roof_measured_layer layer;
    roof_layer_counters counters;
    const roof_run run = run_of_epoch(&layer, &counters, 3);
    roof_epochs *all = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(epochs_make(&run, NULL, NULL, arena, &all, &err), ROOF_OK);
    assert_true(all->rows[0].npu_total_is_converted);
    assert_int_equal(all->converted, 1);
    assert_int_equal(all->rows[0].npu_total_cycles, 13300 + (18859 + 5253) * 5 / 4);
    assert_printed("compute ratio [%]", 100 * all->rows[0].compute_ratio, 10.61, 0.01);
    assert_printed("compute ratio of the core [%]", 100 * all->rows[0].core_compute_ratio, 34.65, 0.01);
}

/* ---- the whole model ---- */

static roof_domain_cycles all_core[] = {{"mcu", 10515928}, {"npu", 13159399}},
                          all_outside[] = {{"mcu", 10919340 - 10515928}, {"npu", 13692714 - 13159399}};
static roof_phase_cycles model_phases[] = {{"core", all_core, 2}, {"pre+post", all_outside, 2}};
static const named_event model_events[] = {
    {"compiler.max_cycles", 15424817}, {"compiler.compute_cycles", 7485802},
    {"compiler.ops", 510646150},       {"npuRAM5.read_bytes", 20572262},
    {"npuRAM5.write_bytes", 11045878}, {"octoFlash.read_bytes", 1758190},
    {"octoFlash.write_bytes", 0},      {"cpuRAM2.read_bytes", 802816},
    {"cpuRAM2.write_bytes", 602112},   {"npuRAM4.read_bytes", 1806336},
    {"npuRAM4.write_bytes", 301056},
};

static void the_whole_model_is_computed_to_the_printed_digit(void **state)
{
    const roof_run run = {.mode = ROOF_RUN_PER_LAYER,
                          .clocks = (roof_clock *)clocks,
                          .n_clocks = COUNT(clocks),
                          .phase_cycles = model_phases,
                          .n_phase_cycles = COUNT(model_phases),
                          .events = events_of(model_events, COUNT(model_events), arena),
                          .n_events = COUNT(model_events)};
    roof_epochs *all = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(epochs_make(&run, NULL, NULL, arena, &all, &err), ROOF_OK);
    const roof_measured_epoch *t = &all->total;
    assert_int_equal(t->n_pools, 4);
    const printed rows[] = {
        {"inferences/s of the compiler", all->vendor_inferences_per_s, 64.8, 0.1},
        {"inferences/s, ideal", all->ideal_inferences_per_s, 133.6, 0.1},
        /* "ops/cycle" cuts its decimals: 33.1 and 68.2 */
        {"ops/cycle of the compiler", floor(t->vendor_ops_per_s / 1e9), 33, 1},
        {"ops/cycle, ideal", floor(t->ideal_ops_per_s / 1e9), 68, 1},
        {"duration [ms]", 1e3 * t->total_s, 13.649, 0.001},
        {"core [ms]", 1e3 * t->core_s, 13.159, 0.001},
        {"GOPS", t->measured_ops_per_s / 1e9, 37.3, 0.1},
        {"GOPS of the core", t->core_ops_per_s / 1e9, 38.8, 0.1},
        {"inferences/s", all->measured_inferences_per_s, 73.3, 0.1},
        {"compute ratio [%]", 100 * t->compute_ratio, 54.67, 0.01},
        {"compute ratio of the core [%]", 100 * t->core_compute_ratio, 56.89, 0.01},
        {"npuRAM5, peak [GB/s]", t->pools[0].peak_bytes_per_s / 1e9, 2.40, 0.01},
        {"npuRAM5, average [GB/s]", t->pools[0].average_bytes_per_s / 1e9, 2.32, 0.01},
        /* the article's cycles of this list are others than those that it prints, by 0.01 % in all of them */
        {"octoFlash, peak [MB/s]", t->pools[1].peak_bytes_per_s / 1e6, 133.60,
         0.015}, /* 133.607: cut, not rounded */
        {"octoFlash, average [MB/s]", t->pools[1].average_bytes_per_s / 1e6, 128.80, 0.04},
        {"cpuRAM2, peak [MB/s]", t->pools[2].peak_bytes_per_s / 1e6, 106.75, 0.04},
        {"cpuRAM2, average [MB/s]", t->pools[2].average_bytes_per_s / 1e6, 102.92, 0.04},
        {"npuRAM4, peak [MB/s]", t->pools[3].peak_bytes_per_s / 1e6, 160.13, 0.04},
        {"npuRAM4, average [MB/s]", t->pools[3].average_bytes_per_s / 1e6, 154.38, 0.04},
        {"all pools, peak [GB/s]", t->all_pools.peak_bytes_per_s / 1e9, 2.80, 0.01},
        {"all pools, average [GB/s]", t->all_pools.average_bytes_per_s / 1e9, 2.70, 0.01},
    };
    assert_all(rows, COUNT(rows));
    assert_int_equal(t->all_pools.read_bytes, 24939604);
    assert_int_equal(t->all_pools.write_bytes, 11949046);
}

static void a_run_without_phases_has_no_epochs(void **state)
{
    roof_measured_layer layer = {.name = "conv1"};
    const roof_run run = {.layers = &layer, .n_layers = 1};
    roof_epochs *all = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(epochs_make(&run, NULL, NULL, arena, &all, &err), ROOF_OK);
    assert_null(all);
}

/* Without clocks nothing can be converted, and nothing is. */
static void without_a_clock_times_are_not_known(void **state)
{
    roof_measured_layer layer;
    roof_layer_counters counters;
    roof_run run = run_of_epoch(&layer, &counters, 3);
    roof_epochs *all = NULL;
    roof_error err = {0};
    (void)state;
    run.n_clocks = 0;
    assert_int_equal(epochs_make(&run, NULL, NULL, arena, &all, &err), ROOF_OK);
    assert_true(isnan(all->rows[0].total_s) && isnan(all->rows[0].core_s));
    assert_int_equal(all->rows[0].npu_total_cycles, ROOF_UNKNOWN);
    assert_true(isnan(all->rows[0].compute_ratio));
    assert_int_equal(all->rows[0].mcu_cycles[ROOF_PHASE_PRE], 18859);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(epoch_186_is_computed_to_the_printed_digit),
        cmocka_unit_test(pools_have_the_rates_of_the_hardware_without_a_plan),
        cmocka_unit_test(cycles_of_another_clock_are_converted_visibly),
        cmocka_unit_test(the_whole_model_is_computed_to_the_printed_digit),
        cmocka_unit_test(a_run_without_phases_has_no_epochs),
        cmocka_unit_test(without_a_clock_times_are_not_known),
    };
    arena = arena_new(0);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(arena);
    return failed;
}
