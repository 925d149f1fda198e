/* Counters of an Ethos-U: one name whoever printed them, exact means, and where their clock comes from. */
#include "measure/import/tools/arm/ethosu_counts.h"
#include "tests/support/example_files.h"
#include "tests/unit/imported.h"

#include <unistd.h>

static const struct {
    const char *printed, *name;
} names[] = {{"NPU TOTAL", "unit.npu.total_cycles"},
             {"NPU total", "unit.npu.total_cycles"},
             {"npu_total_cycles", "unit.npu.total_cycles"},
             {"NPU ACTIVE", "unit.npu.active_cycles"},
             {"ETHOSU_PMU_NPU_ACTIVE", "unit.npu.active_cycles"},
             {"npu_idle_cycles", "unit.npu.idle_cycles"},
             {"ETHOSU_PMU_NPU_IDLE", "unit.npu.idle_cycles"},
             {"NPU AXI0_RD_DATA_BEAT_RECEIVED", "bus.axi0.read_beats"},
             {"npu_axi1_rd_data_beat_received", "bus.axi1.read_beats"},
             {"NPU ETHOSU_PMU_SRAM_WR_DATA_BEAT_WRITTEN", "bus.sram.write_beats"},
             {"ETHOSU_PMU_EXT0_RD_DATA_BEAT_RECEIVED", "bus.ext0.read_beats"},
             {"ETHOSU_PMU_MAC_ACTIVE", "unit.mac.active_cycles"},
             {"CPU TOTAL", "unit.cpu.total_cycles"},
             {"NPU MAC_STALLED_BY_W", "npu.mac_stalled_by_w"},
             {"counter3", "npu.counter3"}};

static import_state state_of(const roof_import_options *options)
{
    return (import_state){.options = options, .out = measured_new(), .scratch = arena_new(0)};
}

static void end_state(import_state *in)
{
    roof_measured_free(in->out);
    arena_free(in->scratch);
}

static void a_counter_has_one_name_whoever_printed_it(void **state)
{
    const roof_import_options none = {0};
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        import_state in = state_of(&none);
        ethosu_counts counts = {0};
        char name[COUNTER_NAME_SIZE];
        const ethosu_count one = {.sum = 7, .inferences = 1, .least = 7, .most = 7};
        assert_int_equal(ethosu_count_add(&in, &counts, span_of(names[i].printed), &one, NULL), ROOF_OK);
        assert_string_equal(counter_name(&counts.list[0].event, name), names[i].name);
        /* a document that has it is read as the same counter */
        roof_event again;
        assert_int_equal(counter_parse(names[i].name, in.scratch, &again, NULL), ROOF_OK);
        assert_int_equal(counter_compare(&again, &counts.list[0].event), 0);
        end_state(&in);
    }
}

static void what_is_no_name_or_too_much_is_refused(void **state)
{
    static const char *const bad[] = {
        "", "NPU \x01", "a_name_of_many_more_letters_than_any_event_of_the_pmu_has_or_will_have"};
    const roof_import_options none = {0};
    import_state in = state_of(&none);
    ethosu_counts counts = {0};
    const ethosu_count one = {.sum = 1, .inferences = 1, .least = 1, .most = 1},
                       all = {.sum = UINT64_MAX, .inferences = 1, .least = 1, .most = 1};
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(ethosu_count_add(&in, &counts, span_of(bad[i]), &one, NULL), ROOF_E_DATA);
    for (int i = 0; i < 64; i++) {
        char name[16];
        snprintf(name, sizeof name, "counter%d", i);
        assert_int_equal(ethosu_count_add(&in, &counts, span_of(name), &one, NULL), ROOF_OK);
    }
    assert_int_equal(ethosu_count_add(&in, &counts, span_of("counter64"), &one, NULL), ROOF_E_LIMIT);
    assert_int_equal(ethosu_count_add(&in, &counts, span_of("counter0"), &all, NULL), ROOF_E_LIMIT);
    end_state(&in);
}

static void the_extremes_of_sums_are_not_known(void **state)
{
    const roof_import_options none = {0};
    import_state in = state_of(&none);
    ethosu_counts counts = {0};
    const ethosu_count first = {.sum = 8, .inferences = 1, .least = 8, .most = 8},
                       second = {.sum = 4, .inferences = 1, .least = 4, .most = 4},
                       several = {.sum = 30, .inferences = 3, .least = ROOF_UNKNOWN, .most = ROOF_UNKNOWN};
    (void)state;
    assert_null(ethosu_npu_count(&counts, ROOF_COUNTER_TOTAL_CYCLES));
    assert_true(isnan(ethosu_mean(NULL)));
    assert_int_equal(ethosu_count_add(&in, &counts, span_of("NPU TOTAL"), &first, NULL), ROOF_OK);
    assert_int_equal(ethosu_count_add(&in, &counts, span_of("NPU TOTAL"), &second, NULL), ROOF_OK);
    const ethosu_count *total = ethosu_npu_count(&counts, ROOF_COUNTER_TOTAL_CYCLES);
    assert_int_equal(total->least, 4);
    assert_int_equal(total->most, 8);
    assert_int_equal(ethosu_count_add(&in, &counts, span_of("NPU TOTAL"), &several, NULL), ROOF_OK);
    assert_true(total->least == ROOF_UNKNOWN && total->most == ROOF_UNKNOWN);
    assert_close(ethosu_mean(total), 42.0 / 5, 1e-12);
    end_state(&in);
}

static void the_clock_is_told_or_in_the_summary_of_vela(void **state)
{
    static const struct {
        const char *map, *text; /* text: of a file, whose path is the map */
        double hz;              /* 0: refused */
    } clocks[] = {{"clock=400MHz", NULL, 400e6},
                  {"clock=1.25 GHz", NULL, 1.25e9},
                  {"clock=400", NULL, 0},
                  {"clock=0Hz", NULL, 0},
                  {"clock=1e18Hz", NULL, 0},
                  {"no-such-file.csv", NULL, 0},
                  {NULL, "experiment,core_clock,nn_macs\ndefault,500000000.0,70\n", 500e6},
                  {NULL, "experiment,nn_macs\ndefault,70\n", 0},
                  {NULL, "experiment,core_clock\n", 0},
                  {NULL, "experiment,core_clock\ndefault,fast\n", 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(clocks); i++) {
        char path[] = "/tmp/roofline-clock-XXXXXX";
        roof_import_options options = {.map = clocks[i].map};
        roof_error err = {0};
        if (clocks[i].text) {
            int file = mkstemp(path);
            assert_true(file >= 0);
            assert_int_equal(write(file, clocks[i].text, strlen(clocks[i].text)), strlen(clocks[i].text));
            close(file);
            options.map = path;
        }
        import_state in = state_of(&options), *reading = &in;
        roof_status status = ethosu_begin((struct reading *)&reading, &err);
        if ((status == ROOF_OK) != (clocks[i].hz > 0))
            fail_msg("%s: %s", options.map, fx_message(&err));
        if (status == ROOF_OK)
            assert_close(in.told_hz, clocks[i].hz, 0);
        if (clocks[i].text)
            unlink(path);
        end_state(&in);
    }
}

/* Of any inferences that a log has: what the document says is their exact mean, and active and idle cycles
 * are the total. */
static void means_are_exact_over_any_number_of_inferences(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        textbuf text;
        uint64_t noise = seed, n = 1 + example_noise(&noise, 30), active = 0, idle = 0;
        text_init(&text, TEXT_MAX_BYTES);
        for (uint64_t i = 0; i < n; i++) {
            /* multiples of n, so that means are whole */
            uint64_t a = n * example_noise(&noise, 1u << 30), b = n * example_noise(&noise, 1u << 20);
            active += a;
            idle += b;
            text_printf(&text,
                        "INFO - Profile for Inference:\nINFO - NPU ACTIVE cycles: %llu\n"
                        "INFO - NPU IDLE cycles: %llu\nINFO - NPU TOTAL cycles: %llu\n",
                        (unsigned long long)a, (unsigned long long)b, (unsigned long long)a + b);
        }
        roof_measured *m = im_import(text.bytes, &(roof_import_options){.map = "clock=1GHz"});
        const roof_run *run = im_run(m, 0);
        assert_int_equal(run->iterations, n);
        static const roof_counter_quantity parts[] = {ROOF_COUNTER_TOTAL_CYCLES, ROOF_COUNTER_ACTIVE_CYCLES,
                                                      ROOF_COUNTER_IDLE_CYCLES};
        const uint64_t wanted[] = {(active + idle) / n, active / n, idle / n};
        for (size_t k = 0; k < COUNT(parts); k++)
            assert_true(counter_find(
                            run->events, run->n_events,
                            &(roof_event){.scope = ROOF_COUNTER_UNIT, .quantity = parts[k], .name = "npu"}) ==
                        wanted[k]);
        assert_close(run->total.mean_s, (double)wanted[0] / 1e9, 1e-12);
        assert_int_equal(run->total.count, n);
        roof_measured_free(m);
        text_free(&text);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_counter_has_one_name_whoever_printed_it),
        cmocka_unit_test(what_is_no_name_or_too_much_is_refused),
        cmocka_unit_test(the_extremes_of_sums_are_not_known),
        cmocka_unit_test(the_clock_is_told_or_in_the_summary_of_vela),
        cmocka_unit_test(means_are_exact_over_any_number_of_inferences)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
