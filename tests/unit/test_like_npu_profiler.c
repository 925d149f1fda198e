/* Epochs in the layout of ST's profiler: its importer reads the printout again, and finds what the profile
 * had. The numbers are invented, and fit one another. */
#include "tests/support/like_printed.h"
#include "tests/support/named_events.h"

static const char log_of_three_epochs[] =
    "NPU Utility - AiRunner Profiler (version 0.4)\n"
    "\n"
    "Summary 'invented' - ['invented']\n"
    "device.desc : stm32 family - 0x486 - STM32N6xx @800/400MHz\n"
    "device.attrs : fpu,npu_cache=1,mcu_freq=800MHz,noc_freq=400MHz,npu_freq=1000MHz,nic_freq=900MHz\n"
    "\n"
    "Per epoch\n"
    "EpochBlock_1 (c_idx=0, num=1:1, c_type=HW, extra=0)\n"
    "[compiler]\n"
    "epoch type : EpochType.HW\n"
    "operations : {'hw.conv': 2, 'hw.relu': 1, 'hw.dmain': 2, 'hw.dmaout': 1}\n"
    "processor units : {'CONV_ACC': 2, 'ACTIV_ACC': 1, 'STR_ENG': 3}\n"
    "ops : 4000000\n"
    "compute cycles : 15000 (max_cycles=18000)\n"
    "ops/cycle : 222.2 GOPS (ideal=266.7)\n"
    "mem accesses : [octoFlash: r=4000, w=0] [npuRAM5: r=20000, w=8000]\n"
    "[target]\n"
    "duration : 0.035ms (16.5%) total=0.212ms\n"
    "mcu cycles : [10000, 16000, 2000] -> 0.013,0.020,0.003 ms (mcu_freq=800MHz), 0.035ms\n"
    "core npu cycles : 20000 -> 0.020 ms (npu_freq=1000MHz)\n"
    "busif 0 : r=18400 w=0 rburst[1,2,4,8]x8=(100,50,25,250) wburst[1,2,4,8]x8=(0,0,0,0) -> 920.00 MB/s\n"
    "busif 1 : r=2112 w=7808 rburst[1,2,4,8]x8=(8,4,2,30) wburst[1,2,4,8]x8=(6,3,1,120) -> 496.00 MB/s\n"
    "busif (total) : r=20512 w=7808 -> 1416.00 MB/s\n"
    "active : STRENG.1.i: busif=0, 9000 cycles, [npuRAM5:20000], 45%\n"
    "active : STRENG.4.i: busif=0, 12500 cycles, [octoFlash:4000], 62%\n"
    "active : STRENG.7.o: busif=1, 8800 cycles, [npuRAM5:8000], 44%\n"
    "NPU cache cnts : R[hit=20, miss=80, alloc-miss=5, evict=1], W[hit=0, miss=0, alloc-miss=0, through=0]\n"
    "octoFlash : r=4000 w=0 -> 200.00 MB/s\n"
    "npuRAM5 : r=20000 w=8000 -> 1400.00 MB/s\n"
    "total : r=24000 w=8000 -> x\n"
    "\n"
    "EpochBlock_6 (c_idx=1, num=6:6, c_type=HYBRID, extra=1)\n"
    "[compiler]\n"
    "epoch type : EpochType.HYBRID\n"
    "operations : {'sw.resize': 1}\n"
    "processor units : {'STR_ENG': 2}\n"
    "ops : 90000\n"
    "compute cycles : 3000 (max_cycles=9000)\n"
    "ops/cycle : 10.0 GOPS (ideal=30.0)\n"
    "mem accesses : [npuRAM5: r=2000, w=2000]\n"
    "[target]\n"
    "duration : 0.026ms (12.5%) total=0.212ms\n"
    "mcu cycles : [9000, 4000, 7000] -> 0.011,0.005,0.009 ms (mcu_freq=800MHz), 0.025ms\n"
    "extra mcu : [300, 800, 100] -> 0.000,0.001,0.000 ms\n"
    "total mcu : [9300, 4800, 7100] -> 0.012,0.006,0.009 ms\n"
    "core npu cycles : 5000 -> 0.005 ms (npu_freq=1000MHz)\n"
    "busif 0 : r=1944 w=16 rburst[1,2,4,8]x8=(3,0,0,30) wburst[1,2,4,8]x8=(2,0,0,0) -> 392.00 MB/s\n"
    "busif 1 : r=0 w=2040 rburst[1,2,4,8]x8=(0,0,0,0) wburst[1,2,4,8]x8=(1,1,1,31) -> 408.00 MB/s\n"
    "busif (total) : r=1944 w=2056 -> 800.00 MB/s\n"
    "active : STRENG.2.i: busif=0, 2400 cycles, [npuRAM5:2000], 48%\n"
    "active : STRENG.9.o: busif=1, 2300 cycles, [npuRAM5:2000], 46%\n"
    "NPU cache cnts : R[hit=0, miss=0, alloc-miss=0, evict=0], W[hit=0, miss=0, alloc-miss=0, through=0]\n"
    "npuRAM5 : r=2000 w=2000 -> 800.00 MB/s\n"
    "total : r=2000 w=2000 -> x\n"
    "\n"
    "EpochBlock_7 (c_idx=2, num=7:7, c_type=SW, extra=0)\n"
    "[compiler]\n"
    "operations : <no-info available from the compiler>\n"
    "[target]\n"
    "duration : 0.150ms (70.9%) total=0.212ms\n"
    "mcu cycles : [40, 30, 120000] -> 0.000,0.000,0.150 ms (mcu_freq=800MHz), 0.150ms\n"
    "npu cycles : n.a.\n"
    "\n"
    "\n";

/* The same of a log, whose document is the caller's, too. */
static textbuf printed(const char *log, roof_measured **measured)
{
    *measured = lp_import_text(log, strlen(log));
    return lp_print(*measured);
}

static void assert_same_row(const roof_measured_layer *a, const roof_measured_layer *b)
{
    char name[COUNTER_NAME_SIZE];
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->type, b->type);
    assert_int_equal(a->index, b->index);
    assert_true(fabs(a->time.mean_s - b->time.mean_s) < 1e-15);
    for (uint32_t i = 0; i < a->counters->n_events; i++) {
        const roof_event *e = &a->counters->events[i];
        counter_name(e, name);
        if (event_count(b->counters->events, b->counters->n_events, name) != e->count)
            fail_msg("%s of %s is %llu before, and not behind", name, a->name, (unsigned long long)e->count);
    }
    assert_int_equal(a->counters->n_events, b->counters->n_events);
    assert_int_equal(a->counters->n_phases, b->counters->n_phases);
    for (uint32_t i = 0; i < a->counters->n_phases; i++)
        assert_int_equal(a->counters->phases[i].cycles[0].cycles, b->counters->phases[i].cycles[0].cycles);
}

static void the_printout_is_a_log_with_the_same_counters(void **state)
{
    roof_measured *before, *behind;
    (void)state;
    textbuf text = printed(log_of_three_epochs, &before);
    behind = lp_import_text(text.bytes, text.length);
    assert_int_equal(behind->n_experiments, 1);
    const roof_run *a = &before->experiments[0].runs[0], *b = &behind->experiments[0].runs[0];
    assert_int_equal(a->n_layers, 3);
    assert_int_equal(b->n_layers, 3);
    for (uint32_t i = 0; i < a->n_layers; i++)
        assert_same_row(&a->layers[i], &b->layers[i]);
    assert_true(!behind->sources[0].notes || !strstr(behind->sources[0].notes, "not understood"));
    text_free(&text);
    roof_measured_free(before);
    roof_measured_free(behind);
}

static void both_clocks_and_differences_stand_beside_the_tool_s_lines(void **state)
{
    static const char *const lines[] = {
        "  mcu phases             : pre 10000 (35.71%), core 16000 (57.14%), post 2000 (7.14%), all 28000 "
        "cycles\n",
        "  core vs compiler       : core 20000, estimate 18000: +2000 cycles, +10.00% of the core, +11.11% "
        "of the "
        "estimate\n",
        "  octoFlash              : 200.00 MB/s in the core phase (50.00% of its rate), 114.29 MB/s over all "
        "phases\n",
        "  busif 0                : 920.00 MB/s in the core phase (5.75% of its rate), 525.71 MB/s over all "
        "phases\n",
        /* of all epochs together */
        "rburst[1,2,4,8]x8=(103,50,25,280) wburst[1,2,4,8]x8=(2,0,0,0)",
        "  operations             : {'hw.conv': 2, 'hw.dmain': 2, 'hw.dmaout': 1, 'hw.relu': 1, 'sw.resize': "
        "1}\n",
        "  processor units        : {'ACTIV_ACC': 1, 'CONV_ACC': 2, 'STR_ENG': 5}\n",
        "R[hit=20, miss=80, alloc-miss=5, evict=1]"};
    roof_measured *m;
    (void)state;
    textbuf text = printed(log_of_three_epochs, &m);
    for (size_t i = 0; i < COUNT(lines); i++)
        if (!strstr(text.bytes, lines[i]))
            fail_msg("not there: %s\n%s", lines[i], text.bytes);
    text_free(&text);
    roof_measured_free(m);
}

/* What only some epochs of the NPU have is the sum of nothing. */
static void a_sum_that_lacks_an_epoch_is_not_shown(void **state)
{
    roof_measured *m;
    (void)state;
    char *log = strdup(log_of_three_epochs), *cache = strstr(log, "NPU cache cnts");
    assert_non_null(cache);
    memcpy(cache, "<no", 3); /* a key that nobody knows */
    textbuf text = printed(log, &m);
    assert_null(strstr(text.bytes, "R[hit=20"));
    assert_null(strstr(strstr(text.bytes, "Final part"), "R[hit="));
    assert_non_null(strstr(strstr(text.bytes, "Final part"), "strg engines"));
    text_free(&text);
    roof_measured_free(m);
    free(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_printout_is_a_log_with_the_same_counters),
        cmocka_unit_test(both_clocks_and_differences_stand_beside_the_tool_s_lines),
        cmocka_unit_test(a_sum_that_lacks_an_epoch_is_not_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
