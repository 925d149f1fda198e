/* What npu_profiler.py prints, and raw counters. The texts are invented and follow the grammar of the real ones, but for
 * the epoch 186 and the network that it is of, whose numbers ST has published. */
#include "tests/support/named_events.h"
#include "tests/unit/imported.h"

#define ATTRS                                                                                                \
    "device.attrs : fpu,npu_cache=1,mcu_freq=800MHz,noc_freq=400MHz,npu_freq=1000MHz,nic_freq=900MHz\n"
#define MODEL(n) "Summary '" n "' - ['a', 'b']\ntools : ST Neural ART (LL_ATON api) v1.1.1\n" ATTRS

/* A block of n epochs from a to b; ms: of it and of all; cycles: its phases; target: what follows. */
#define HEAD(c, a, b, type, extra)                                                                           \
    "------\n  EpochBlock_" a " (c_idx=" c ", num=" a ":" b ", c_type=" type ", extra=" extra ")\n------\n"
#define COMPILER                                                                                             \
    "[compiler]\n  ops : 2000\n  compute cycles : 900 (max_cycles=1100)\n  mem accesses : [npuRAM5: r=8, "   \
    "w=16]\n"
#define NOTHING "[compiler]\n  operations : <no-info available from the compiler>\n"
#define TIMES(ms, all, cycles)                                                                               \
    "[target]\n  duration : " ms "ms (1.0%) total=" all "ms\n  mcu cycles : [" cycles                        \
    "] -> 0.1,0.1,0.1 ms (mcu_freq=800MHz), " ms "ms\n"
#define SOFTWARE(c, a, ms, all, cycles)                                                                      \
    HEAD(c, a, a, "SW", "0") NOTHING TIMES(ms, all, cycles) "  npu cycles : n.a.\n\n"
#define CORE(cycles) "  core npu cycles : " cycles " -> 0.001 ms (npu_freq=1000MHz) \n"
#define BUSIF(k, r, w, rb, wb)                                                                               \
    "  busif " k " : r=" r " w=" w " rburst[1,2,4,8]x8=(" rb ") wburst[1,2,4,8]x8=(" wb ") -> 1.06 GB/s\n"
#define FINAL(ms, mcu, core, npu, npu_core)                                                                  \
    "  Measured\n   total duration : " ms "ms, npu_core:0.001ms (96.41%), mcu_cycles=[1.17, 96.31, 2.53]%\n" \
    "   mcu cycles : " mcu " (core only = " core ")\n   npu cycles : " npu " (core only = " npu_core ")\n"   \
    "   inf/s : 73.3 (" ms "ms)\n\n"
#define NO_POOLS "  Memory bandwidth / inference\n   <mempool name> : <no mempool info available>\n"

#define PUBLISHED_HEAD                                                                                       \
    "Summary 'network' - ['network']\ntools : ST Neural ART (LL_ATON api) v1.0.0\n"                          \
    "device.attrs : fpu,npu_cache=1,mcu_freq=800MHz,\nnoc_freq=400MHz,npu_freq=1000MHz,nic_freq=900MHz\n"
#define PUBLISHED_BLOCK                                                                                      \
    HEAD("192", "186", "186", "HW", "0")                                                                     \
    "[compiler]\nepoch type : EpochType.HW\noperations : {'hw.conv': 4, 'hw.mul': 1, 'hw.dmain': 6}\n"       \
    "processor units : {'CONV_ACC': 4, 'STR_ENG': 8}\nops : 453348\n"                                        \
    "compute cycles : 4608 (max_cycles=27648)\nops/cycle : 16.4 GOPS (ideal=98.4)\n"                         \
    "mem accesses : [octoFlash: r=4608, w=0] [npuRAM5: r=19600, w=8820]\n" TIMES(                            \
        "0.043", "16.431",                                                                                   \
        "18859, 10599, 5253") "core npu cycles : 13300 -> 0.013 ms (npu_freq=1000MHz) diff. vs max_cycles "  \
                              "from compiler: -14348 "                                                       \
                              "(-107.88%)\ncompute cycles ratio : 10.59% (core only: 34.65%)\n" BUSIF(       \
                                  "0", "14080", "0", "8,12,16,208", "0,0,0,0")                               \
                                  BUSIF("1", "10208", "7960", "4,12,8,152",                                  \
                                        "5,9,9,117") "busif (total) : r=24288 w=7960 -> 2.42 "               \
                                                     "GB/s\nops/cycle : 10.4 GOPS (core only: 34.1)\n"       \
                                                     "strg engines : 114.21% (id=4)\n active : STRENG.1.i: " \
                                                     "busif=0, 5845 cycles, [npuRAM5:12544], 44%\n"          \
                                                     " active : STRENG.4.i: busif=0, 15190 cycles, "         \
                                                     "[octoFlash:4608], 114%\n"                              \
                                                     " active : STRENG.7.o: busif=1, 13935 cycles, "         \
                                                     "[npuRAM5:882], 105%\n"                                 \
                                                     "NPU cache cnts : R[hit=0, miss=80, alloc-miss=0, "     \
                                                     "evict=0], W[hit=0, miss=0, alloc-miss=0, through=0]\n" \
                                                     "octoFlash : r=4608 w=0 -> 346.47 MB/s\nnpuRAM5 : "     \
                                                     "r=19600 w=8820 -> 2.14 GB/s\n"                         \
                                                     "total : r=24208 w=8820 -> 2.48 GB/s\n"
#define PUBLISHED_FINAL                                                                                      \
    "Final part (entire model)\nCompiler\ncycles : 15424817 (total max_cycles)\n"                            \
    "ideal cycles : 7485802 (total compute_cycles)\nops : 510646150\nops/cycle : 33\n"                       \
    "inf/s : 64.8 (based on estimated total max_cycles)\nideal ops/cycle : 68\nideal inf/s : 133.6\n"        \
    "Measured\ntotal duration : 13.649ms, npu_core:13.159ms (96.41%), mcu_cycles=[1.17, 96.31, 2.53]%\n"     \
    "mcu cycles : 10919340 (core only = 10515928)\nnpu cycles : 13692714 (core only = 13159399)\n"           \
    "ops/cycle : 37.3 GOPS / including SW epochs (core only = 38.8)\ninf/s : 73.3 (13.649ms)\n"              \
    "compute cycles ratio : 54.67% (core only: 56.89%)\nMemory bandwidth / inference\n"                      \
    "octoFlash : r=1758190 w=0 -> 133.60 MB/s (peak), 128.80 MB/s (average)\n"                               \
    "cpuRAM2 : r=802816 w=602112 -> 106.75 MB/s (peak), 102.92 MB/s (average)\n"                             \
    "total r/w : r=2561006 w=602112 -> 2.80 GB/s (peak), 2.70 GB/s (average)\n"

/* --- what is in a document ---------------------------------------------------------------------------- */

static const roof_run *run_of(const roof_measured *m, uint32_t experiment, uint32_t run)
{
    assert_true(experiment < m->n_experiments && run < m->experiments[experiment].n_runs);
    return &m->experiments[experiment].runs[run];
}

static uint64_t event(const roof_measured_layer *l, const char *name)
{
    return l->counters ? event_count(l->counters->events, l->counters->n_events, name) : ROOF_UNKNOWN;
}

static uint64_t cycles_in(const roof_phase_cycles *phases, uint32_t n, const char *phase, const char *domain)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; strcmp(phases[i].name, phase) == 0 && k < phases[i].n_cycles; k++)
            if (strcmp(phases[i].cycles[k].domain, domain) == 0)
                return phases[i].cycles[k].cycles;
    return ROOF_UNKNOWN;
}

static uint64_t cycles(const roof_measured_layer *l, const char *phase, const char *domain)
{
    return cycles_in(l->counters->phases, l->counters->n_phases, phase, domain);
}

static uint64_t run_cycles(const roof_run *r, const char *phase, const char *domain)
{
    return cycles_in(r->phase_cycles, r->n_phase_cycles, phase, domain);
}

static uint64_t run_event(const roof_run *r, const char *name)
{
    return event_count(r->events, r->n_events, name);
}

/* --- blocks ------------------------------------------------------------------------------------------- */

static void a_block_is_a_layer_with_times_of_mcu_cycles(void **state)
{
    roof_measured *m = im_import(PUBLISHED_HEAD PUBLISHED_BLOCK, NULL);
    const roof_run *run = im_run(m, 0);
    const roof_measured_layer *l = run->layers;
    (void)state;
    assert_string_equal(m->sources[0].tool, "npu_profiler");
    assert_string_equal(m->experiments[0].model_name, "network");
    assert_int_equal(run->mode, ROOF_RUN_PER_LAYER);
    assert_int_equal(run->n_layers, 1);
    assert_string_equal(l->name, "epoch_186");
    assert_string_equal(l->type, "HW");
    assert_string_equal(l->counters->device, "NPU");
    assert_int_equal(l->index, 193);
    assert_close(l->time.mean_s, (18859 + 10599 + 5253) / 800e6, 1e-15);
    assert_true(l->time.count == ROOF_UNKNOWN);
    assert_true(cycles(l, "pre", "mcu") == 18859 && cycles(l, "core", "mcu") == 10599);
    assert_true(cycles(l, "post", "mcu") == 5253 && cycles(l, "core", "npu") == 13300);
    assert_true(cycles(l, "pre", "npu") == ROOF_UNKNOWN); /* the profiler does not print it */
    roof_measured_free(m);
}

static void a_block_has_what_hardware_counted_and_what_the_compiler_planned(void **state)
{
    static const named_event want[] = {{"busif0.read_bytes", 14080},
                                       {"busif0.write_bytes", 0},
                                       {"busif0.read_bursts_1", 8},
                                       {"busif0.read_bursts_2", 12},
                                       {"busif0.read_bursts_4", 16},
                                       {"busif0.read_bursts_8", 208},
                                       {"busif1.read_bytes", 10208},
                                       {"busif1.write_bytes", 7960},
                                       {"busif1.write_bursts_1", 5},
                                       {"busif1.write_bursts_8", 117},
                                       {"cache.read_misses", 80},
                                       {"cache.read_hits", 0},
                                       {"cache.write_throughs", 0},
                                       {"compiler.ops", 453348},
                                       {"compiler.compute_cycles", 4608},
                                       {"compiler.max_cycles", 27648},
                                       {"compiler.unit.CONV_ACC", 4},
                                       {"compiler.operation.hw.conv", 4},
                                       {"compiler.octoFlash.read_bytes", 4608},
                                       {"compiler.octoFlash.write_bytes", 0},
                                       {"compiler.npuRAM5.read_bytes", 19600},
                                       {"compiler.npuRAM5.write_bytes", 8820},
                                       {"stream1.in.active_cycles", 5845},
                                       {"stream1.in.npuRAM5_bytes", 12544},
                                       {"stream4.in.octoFlash_bytes", 4608},
                                       {"stream7.out.active_cycles", 13935},
                                       {"stream7.out.npuRAM5_bytes", 882},
                                       {"stream7.in.active_cycles", ROOF_UNKNOWN}};
    roof_measured *m = im_import(PUBLISHED_HEAD PUBLISHED_BLOCK, NULL);
    const roof_measured_layer *l = im_run(m, 0)->layers;
    (void)state;
    for (size_t i = 0; i < COUNT(want); i++)
        if (event(l, want[i].name) != want[i].count)
            fail_msg("%s is %llu", want[i].name, (unsigned long long)event(l, want[i].name));
    assert_true(l->counters->read_bytes == 14080 + 10208 && l->counters->write_bytes == 7960);
    assert_int_equal(l->counters->bytes_origin, ROOF_BYTES_COUNTER);
    assert_false(im_notes_have(m, "c_info.json"));
    roof_measured_free(m);
}

static void clocks_come_from_the_attributes_also_on_the_next_line(void **state)
{
    static const struct {
        const char *domain;
        double hz;
    } want[] = {{"mcu", 800e6}, {"noc", 400e6}, {"npu", 1e9}, {"nic", 900e6}};
    roof_measured *m = im_import(PUBLISHED_HEAD PUBLISHED_BLOCK, NULL);
    (void)state;
    assert_int_equal(im_run(m, 0)->n_clocks, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++) {
        assert_string_equal(im_run(m, 0)->clocks[i].domain, want[i].domain);
        assert_true(im_run(m, 0)->clocks[i].hz == want[i].hz);
    }
    im_want_note(m, "tools: ST Neural ART (LL_ATON api) v1.0.0");
    roof_measured_free(m);
    m = im_import(PUBLISHED_BLOCK, NULL); /* an excerpt: blocks repeat two of them */
    assert_int_equal(im_run(m, 0)->n_clocks, 2);
    assert_true(im_run(m, 0)->clocks[0].hz == 800e6 && im_run(m, 0)->clocks[1].hz == 1e9);
    roof_measured_free(m);
}

static void without_the_compiler_its_events_are_absent_and_a_note_says_what_to_do(void **state)
{
    roof_measured *m =
        im_import(MODEL("a") HEAD("0", "1", "1", "HW", "0") NOTHING TIMES("0.001", "0.001", "100, 500, 200")
                      CORE("625") "  compute cycles ratio : <no compute cycles available>\n"
                                  "  ops/cycle : <no ops available>\n"
                                  "  active : STRENG.3.o: busif=0, 7 cycles, <no-data-size info>, 1%\n"
                                  "  total : r=0 w=0 -> 0 B/s\n",
                  NULL);
    const roof_measured_layer *l = im_run(m, 0)->layers;
    (void)state;
    assert_int_equal(l->counters->n_events, 1);
    assert_true(event(l, "stream3.out.active_cycles") == 7);
    assert_true(l->counters->read_bytes == ROOF_UNKNOWN);
    im_want_note(
        m, "a: nothing is known of what the compiler planned, since c_info.json was not beside network.c");
    im_want_note(m, "profile again");
    roof_measured_free(m);
}

static void devices_follow_from_the_type(void **state)
{
    static const struct {
        const char *type, *device;
    } rows[] = {{"HW", "NPU"}, {"EC", "NPU"}, {"SW", "CPU"}, {"HYBRID", "NPU+CPU"}, {"NEW", NULL}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[1000];
        snprintf(text, sizeof text, "%sEpochBlock_1 (c_idx=0, num=1:1, c_type=%s, extra=0)\n%s", MODEL("a"),
                 rows[i].type, TIMES("0.001", "0.001", "100, 500, 200"));
        roof_measured *m = im_import(text, NULL);
        const roof_measured_layer *l = im_run(m, 0)->layers;
        assert_string_equal(l->type, rows[i].type);
        assert_true(rows[i].device ? l->counters->device && strcmp(l->counters->device, rows[i].device) == 0
                                   : !l->counters->device);
        roof_measured_free(m);
    }
}

/* It uses engines for inputs in one epoch and for outputs in another, and the profiler averages over both. */
static void a_blob_of_epochs_keeps_its_name_and_has_streams_of_no_direction(void **state)
{
    roof_measured *m =
        im_import(MODEL("a") HEAD("0", "1", "22", "EC", "0") NOTHING TIMES("0.001", "0.001", "100, 500, 200")
                      CORE("625") "  active : STRENG.3.i: busif=0, 7 cycles, [p:5, q:6], 1%\n",
                  NULL);
    const roof_measured_layer *l = im_run(m, 0)->layers;
    (void)state;
    assert_string_equal(l->name, "EpochBlock_1 -> 22");
    assert_true(event(l, "stream3.active_cycles") == 7);
    assert_true(event(l, "stream3.p_bytes") == 5 && event(l, "stream3.q_bytes") == 6);
    assert_true(event(l, "stream3.in.active_cycles") == ROOF_UNKNOWN);
    roof_measured_free(m);
}

static void extra_epochs_belong_to_the_one_before(void **state)
{
    roof_measured *m =
        im_import(MODEL("a") HEAD("4", "7", "7", "HYBRID", "2") NOTHING
                  "[target]\nduration : 0.003ms (1.0%) total=0.003ms\nmcu cycles : [100, 500, 200] -> x\n"
                  "extra mcu : [200, 1000, 400] -> x\ntotal mcu : [300, 1500, 600] -> x\n",
                  NULL);
    const roof_measured_layer *l = im_run(m, 0)->layers;
    (void)state;
    assert_close(l->time.mean_s, 2400 / 800e6, 1e-15);
    assert_true(cycles(l, "core", "mcu") == 1500 && cycles(l, "post", "mcu") == 600);
    assert_true(event(l, "extra.epochs") == 2 && event(l, "extra.core.mcu_cycles") == 1000);
    roof_measured_free(m);
}

static void what_is_not_understood_is_counted(void **state)
{
    roof_measured *m = im_import(
        MODEL("a") HEAD("0", "1", "1", "HW", "0") NOTHING TIMES(
            "0.001", "0.001",
            "100, 500, 200") "  henv : STRENG.3.i: busif=0, 7 cycles\n  a new kind of line\n"
                             "  NPU cache cnts : R[hit=-92, miss=0, alloc-miss=0, evict=0], W[hit=0]\n\n"
                             "not : in a block\n[W] neither\n",
        NULL);
    (void)state;
    im_want_note(m, "3 lines of blocks not understood and left out, the first is line 12");
    assert_int_equal(im_run(m, 0)->layers[0].counters->n_events, 0);
    roof_measured_free(m);
}

/* --- the final part ----------------------------------------------------------------------------------- */

static void blocks_and_a_final_part_of_other_durations_are_two_runs(void **state)
{
    roof_measured *m = im_import(PUBLISHED_HEAD PUBLISHED_BLOCK PUBLISHED_FINAL, NULL);
    const roof_run *blocks = im_run(m, 0), *whole = im_run(m, 1);
    (void)state;
    assert_int_equal(m->experiments[0].n_runs, 2);
    assert_true(blocks->n_layers == 1 && whole->n_layers == 0);
    assert_close(blocks->total.mean_s, 0.016431, 1e-12);
    assert_close(whole->total.mean_s, 10919340 / 800e6, 1e-12);
    assert_true(blocks->n_events == 0 && blocks->n_phase_cycles == 0 && blocks->boundaries == ROOF_NONE);
    assert_true(run_event(whole, "compiler.max_cycles") == 15424817);
    assert_true(run_event(whole, "compiler.compute_cycles") == 7485802);
    assert_true(run_event(whole, "compiler.ops") == 510646150);
    assert_true(run_event(whole, "octoFlash.read_bytes") == 1758190);
    assert_true(run_event(whole, "cpuRAM2.write_bytes") == 602112);
    assert_true(run_cycles(whole, "core", "mcu") == 10515928 && run_cycles(whole, "core", "npu") == 13159399);
    assert_true(run_cycles(whole, "pre+post", "mcu") == 10919340 - 10515928);
    assert_true(run_cycles(whole, "pre+post", "npu") == 13692714 - 13159399);
    im_want_note(m, "blocks of 16.431 ms and a final part of 13.649 ms are of two runs");
    im_want_note(m, "network: the file lists 1 of the epochs, 0.043 ms of 16.431 ms");
    roof_measured_free(m);
}

#define TWO_BLOCKS                                                                                           \
    HEAD("0", "1", "1", "HW", "0")                                                                           \
    COMPILER TIMES("0.001", "0.003", "100, 500, 200")                                                        \
        CORE("625") "\n" SOFTWARE("1", "2", "0.002", "0.003", "10, 20, 1570")

static void blocks_and_a_final_part_that_agree_are_one_run(void **state)
{
    roof_measured *m =
        im_import(MODEL("a") TWO_BLOCKS "------\n  Summary   \n------\n parsed : by ST\n" FINAL(
                      "0.003", "2400", "520", "3000", "651") NO_POOLS,
                  NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(m->experiments[0].n_runs, 1);
    assert_int_equal(run->n_layers, 2);
    assert_int_equal(run->boundaries, 2);
    assert_close(run->total.mean_s, 2400 / 800e6, 1e-15);
    assert_close(run->sum_of_layers_s, 2400 / 800e6, 1e-15);
    assert_true(run_cycles(run, "pre", "mcu") == 110 && run_cycles(run, "core", "mcu") == 520);
    assert_true(run_cycles(run, "post", "mcu") == 1770 && run_cycles(run, "pre+post", "mcu") == ROOF_UNKNOWN);
    assert_true(run_cycles(run, "core", "npu") == 651 && run_cycles(run, "pre+post", "npu") == 2349);
    assert_false(im_notes_have(m, "two runs"));
    assert_false(im_notes_have(m, "not understood"));
    roof_measured_free(m);
}

static void models_are_experiments_and_a_model_that_comes_back_is_a_run(void **state)
{
    static const roof_import_options named = {.model = "path/x.onnx"};
    static const char text[] =
        MODEL("a") TWO_BLOCKS MODEL("b") SOFTWARE("0", "1", "0.001", "0.001", "0, 0, 800") MODEL("a")
            SOFTWARE("0", "1", "0.002", "0.002", "0, 0, 1600");
    roof_measured *m = im_import(text, NULL);
    (void)state;
    assert_int_equal(m->n_experiments, 2);
    assert_string_equal(m->experiments[0].model_name, "a");
    assert_string_equal(m->experiments[1].model_name, "b");
    assert_int_equal(m->experiments[0].n_runs, 2);
    assert_close(run_of(m, 0, 1)->layers[0].time.mean_s, 0.002e-3 * 1000 / 1000, 1e-12);
    assert_close(run_of(m, 1, 0)->layers[0].time.mean_s, 1e-6, 1e-15);
    assert_int_equal(run_of(m, 1, 0)->n_clocks, 4);
    roof_measured_free(m);
    m = im_import(text, &named);
    assert_null(m->experiments[0].model_path);
    im_want_note(m, "2 models, so that --model names none of them");
    roof_measured_free(m);
}

static void prefixes_of_a_log_make_no_difference(void **state)
{
    roof_measured *m = im_import(
        "[I] NPU Utility - AiRunner Profiler (version 0.3)\r\n[I]    Summary 'kws' - ['kws', 'img']\r\n"
        "[I]     device.attrs : fpu,mcu_freq=600MHz   \r\n[D]  name: 1\r\n"
        "[I]       EpochBlock_1 (c_idx=0, num=1:1, c_type=SW, extra=0)\r\n[I]   [target]\r\n"
        "[I]    duration    : 0.002ms (100.0%) total=0.002ms\r\n[D]   mcu cycles : [9, 9, 9]\r\n"
        "[I]    mcu cycles  : [600, 0, 600] -> 0.1 ms (mcu_freq=600MHz), 0.002ms\r\n[I]    \r\n",
        NULL);
    (void)state;
    assert_close(im_run(m, 0)->layers[0].time.mean_s, 2e-6, 1e-15);
    assert_string_equal(m->experiments[0].model_name, "kws");
    roof_measured_free(m);
}

/* --- raw counters ------------------------------------------------------------------------------------- */

#define CONFIG "s:config:mcu_freq:800000000\ns:config:npu_freq:1000000000\n"
#define START(c, a, b, t)                                                                                    \
    "s:node:evt_pre_start:" c ":" a ":" a ":" b ":00000017:05000004:" t "\ns:node:evt_post_end:" c ":" a "\n"
#define MCU(values)    "s:node:mcu_cycles:" values "\n"
#define NPU(values)    "s:node:npu_cycles:" values "\n"
#define IN(id, n)      "s:node:streng_active:i:" id ":" n ":1\ns:node:streng_active:max:i:" id ":" n "\n"
#define OUT(id, n)     "s:node:streng_active:o:" id ":" n ":1\n"
#define CACHE(r, w)    "s:node:npu_cache:r:" r "\ns:node:npu_cache:w:" w "\n"
#define PORT(k, r, w)  "s:node:port" k ":burst:w:" w "\ns:node:port" k ":burst:r:" r "\n"
#define SECOND(cycles) START("1", "5", "5", "SW") MCU(cycles) NPU("1:2:3") "s:node:streng_active:max:o:-1:0\n"
#define THREE_PASSES                                                                                         \
    CONFIG START("0", "1", "4", "EC") MCU("100:500:200") NPU("11:22:33") IN("3", "7")                        \
        CACHE("1:2:3:4", "5:6:7:8") SECOND("0:0:800") START("0", "1", "4", "EC") MCU("101:500:200")          \
            NPU("11:23:33") OUT("3", "9") SECOND("0:0:800") START("0", "1", "4", "EC") MCU("100:500:200")    \
                PORT("0", "1:2:3:4", "0:0:0:1")                                                              \
                    PORT("1", "1:0:0:0", "0:0:0:0") "s:node:portx:burst:rw:1:2:3:0\n" SECOND("0:0:1600")

static void inferences_are_samples_and_passes_are_merged(void **state)
{
    roof_measured *m = im_import(THREE_PASSES, NULL);
    const roof_run *run = im_run(m, 0);
    const roof_measured_layer *l = run->layers;
    (void)state;
    assert_int_equal(run->n_layers, 2);
    assert_true(run->iterations == 3 && run->boundaries == 2);
    assert_string_equal(l[0].name, "EpochBlock_1 -> 4");
    assert_string_equal(l[1].name, "epoch_5");
    assert_string_equal(l[1].counters->device, "CPU");
    assert_int_equal(l[0].time.count, 3);
    assert_close(l[0].time.samples_s[1], 801 / 800e6, 1e-15);
    assert_close(l[1].time.samples_s[2], 2e-6, 1e-15);
    assert_close(run->sum_of_layers_s, l[0].time.mean_s + l[1].time.mean_s, 1e-15);
    assert_true(cycles(&l[0], "pre", "mcu") == 101); /* the mean, rounded up */
    assert_true(cycles(&l[0], "core", "npu") == 23 && cycles(&l[0], "pre", "npu") == 11);
    assert_true(event(&l[0], "stream3.in.active_cycles") == 7 &&
                event(&l[0], "stream3.out.active_cycles") == 9);
    assert_true(event(&l[0], "cache.read_evictions") == 4 && event(&l[0], "cache.write_alloc_misses") == 7);
    assert_true(event(&l[0], "busif0.read_bytes") == 8 * (1 + 2 * 2 + 4 * 3 + 8 * 4));
    assert_true(event(&l[0], "busif0.write_bytes") == 64 && event(&l[0], "busif1.read_bytes") == 8);
    assert_true(l[0].counters->read_bytes == 8 * 49 + 8 && l[0].counters->write_bytes == 64);
    assert_true(event(&l[1], "busif0.read_bytes") == ROOF_UNKNOWN);
    assert_true(run_cycles(run, "post", "mcu") == 200 + 1067 && run_cycles(run, "core", "npu") == 23 + 2);
    assert_true(run->n_clocks == 2 && run->clocks[1].hz == 1e9);
    assert_null(m->sources[0].notes);
    roof_measured_free(m);
}

static void a_network_of_other_epochs_is_another_experiment(void **state)
{
    roof_measured *m = im_import(CONFIG START("0", "1", "1", "HW") MCU("1:1:1") START("0", "1", "1", "HW")
                                     MCU("2:1:1") START("0", "1", "9", "EC") MCU("5:5:5"),
                                 NULL);
    (void)state;
    assert_int_equal(m->n_experiments, 2);
    assert_int_equal(run_of(m, 0, 0)->layers[0].time.count, 2);
    assert_int_equal(run_of(m, 1, 0)->layers[0].time.count, 1);
    assert_string_equal(run_of(m, 1, 0)->layers[0].name, "EpochBlock_1 -> 9");
    roof_measured_free(m);
}

/* A recording begins and ends anywhere, and a serial line loses some. */
static void inferences_that_are_not_whole_are_left_out(void **state)
{
    static const struct {
        const char *text;
        uint64_t count;
        const char *note;
    } rows[] = {
        {CONFIG SECOND("0:0:8") THREE_PASSES, 3, "raw counters of 1 inference are not complete"},
        {THREE_PASSES START("0", "1", "4", "EC") MCU("100:500:200"), 3, "of 1 inference are not complete"},
        {THREE_PASSES START("0", "1", "4", "EC") SECOND("0:0:8"), 3, "of 1 inference are not complete"},
        {THREE_PASSES START("0", "1", "4", "EC") MCU("1:1:1") MCU("1:1:1") SECOND("0:0:8") "s:node:new:1\n",
         3, "1 line of raw counters of a kind that is not known left out"},
        {CONFIG MCU("1:1:1") START("0", "1", "1", "HW") MCU("1:1:1"), 1, "of 1 inference are not complete"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m = im_import(rows[i].text, NULL);
        assert_int_equal(im_run(m, 0)->layers[0].time.count, rows[i].count);
        im_want_note(m, rows[i].note);
        roof_measured_free(m);
    }
}

static void raw_counters_of_extra_epochs_are_added(void **state)
{
    roof_measured *m =
        im_import(CONFIG START("0", "1", "1", "HYBRID") MCU("1:2:3") START("1", "1", "1", "EXTRA")
                      MCU("10:20:30") START("2", "2", "2", "HW") MCU("4:0:0"),
                  NULL);
    const roof_measured_layer *l = im_run(m, 0)->layers;
    (void)state;
    assert_int_equal(im_run(m, 0)->n_layers, 2);
    assert_close(l[0].time.mean_s, 66 / 800e6, 1e-15);
    assert_true(cycles(&l[0], "core", "mcu") == 22 && event(&l[0], "extra.epochs") == 1);
    assert_true(event(&l[1], "extra.epochs") == ROOF_UNKNOWN);
    assert_int_equal(l[1].index, 3);
    roof_measured_free(m);
}

#define BLOB(cycles)                                                                                         \
    HEAD("0", "1", "4", "EC", "0")                                                                           \
    NOTHING TIMES("0.001", "0.002", cycles)                                                                  \
        CORE("23") "  active : STRENG.3.i: busif=0, 8 cycles, <no-data-size info>, 1%\n\n" SOFTWARE(         \
            "1", "5", "0.001", "0.002", "0, 0, 1067")

static void raw_counters_that_have_the_means_of_a_block_are_its_samples(void **state)
{
    roof_measured *m = im_import(MODEL("a") THREE_PASSES BLOB("101, 500, 200"), NULL);
    const roof_measured_layer *l = im_run(m, 0)->layers;
    (void)state;
    assert_int_equal(m->n_experiments, 1);
    assert_int_equal(l[0].time.count, 3);
    assert_int_equal(l[1].time.count, 3);
    assert_int_equal(im_run(m, 0)->iterations, 3);
    assert_true(cycles(&l[0], "pre", "npu") == 11);
    assert_true(event(&l[0], "stream3.in.active_cycles") == 7 &&
                event(&l[0], "stream3.out.active_cycles") == 9);
    assert_true(event(&l[0], "stream3.active_cycles") == ROOF_UNKNOWN);
    assert_true(event(&l[0], "cache.read_hits") == 1); /* which the block does not have */
    assert_false(im_notes_have(m, "left out"));
    roof_measured_free(m);
}

static void raw_counters_with_other_means_are_left_out(void **state)
{
    roof_measured *m = im_import(MODEL("a") THREE_PASSES BLOB("102, 500, 200"), NULL);
    const roof_measured_layer *l = im_run(m, 0)->layers;
    (void)state;
    assert_true(l[0].time.count == ROOF_UNKNOWN && l[1].time.count == 3);
    assert_true(event(&l[0], "stream3.active_cycles") == 8);
    assert_true(im_run(m, 0)->iterations == ROOF_UNKNOWN);
    im_want_note(m, "raw counters of 1 epoch do not have the means that the profiler printed");
    roof_measured_free(m);
}

/* --- what is refused ---------------------------------------------------------------------------------- */

#define ONE(lines) ATTRS "EpochBlock_1 (c_idx=0, num=1:1, c_type=HW, extra=0)\n" lines
#define GOOD       TIMES("0.001", "0.001", "100, 500, 200")
#define REFUSE(what, text, line, words)                                                                      \
    {                                                                                                        \
        what, text, {.from = "npu_profiler"}, ROOF_E_DATA, line, words                                       \
    }

static void what_contradicts_itself_is_refused_with_its_line(void **state)
{
    static const im_bad rows[] = {
        REFUSE("nothing", "hello\n", 0, "no epochs, want lines \"EpochBlock_N"),
        REFUSE("bytes of bursts", ONE(BUSIF("0", "8", "16", "1,0,0,0", "0,0,0,0")), 3,
               "w=16 bytes, but bursts"),
        REFUSE("bytes of bursts", ONE(BUSIF("1", "16", "0", "1,0,0,0", "0,0,0,0")), 3, "busif 1: r=16 bytes"),
        REFUSE("both interfaces",
               ONE(BUSIF("0", "8", "0", "1,0,0,0", "0,0,0,0")
                       BUSIF("1", "8", "0", "1,0,0,0", "0,0,0,0") "busif (total) : r=24 w=0 -> 1 B/s\n"),
               5, "both together have 16"),
        REFUSE("a duration", ONE(TIMES("0.002", "0.002", "100, 500, 200")), 2,
               "800 MCU cycles at 800 MHz are 0.001 ms"),
        REFUSE("no cycles", ONE("duration : 0.001ms (1%) total=0.001ms\n"), 2,
               "a block without 'mcu cycles'"),
        REFUSE("no duration", ONE("mcu cycles : [1, 2, 3] -> x\n"), 2, "a block without 'duration'"),
        REFUSE("two phases", ONE("mcu cycles : [1, 2]\n"), 3, "want cycles of three phases"),
        REFUSE("half a cycle", ONE("mcu cycles : [1.5, 2, 3]\n"), 3, "want cycles of three phases"),
        REFUSE("cycles below 0", ONE("mcu cycles : [-1, 2, 3]\n"), 3, "want cycles of three phases"),
        REFUSE("too many cycles", ONE("mcu cycles : [9007199254740994, 2, 3]\n"), 3, "want cycles"),
        REFUSE("twice", ONE(GOOD "mcu cycles : [1, 2, 3]\n"), 6, "'mcu cycles' is there twice"),
        REFUSE("another clock",
               ONE("duration : 0.001ms (1%) total=0.001ms\nmcu cycles : [1, 2, 3] -> (mcu_freq=600MHz)\n"), 2,
               "mcu_freq=600MHz, where 800 MHz was stated"),
        REFUSE("no clock",
               "EpochBlock_1 (c_idx=0, num=1:1, c_type=HW, extra=0)\nduration : 0.001ms (1%) total=0.001ms\n"
               "mcu cycles : [1, 2, 3] -> x\n",
               1, "without the MCU's clock"),
        REFUSE("a heading", "EpochBlock_1 (c_idx=0, num=1, c_type=HW)\n", 1,
               "want EpochBlock_N (c_idx=N, num=FIRST:LAST"),
        REFUSE("a heading", "EpochBlock_1 (c_idx=0, num=2:1, c_type=HW, extra=0)\n", 1, "want EpochBlock_N"),
        REFUSE("an index", "EpochBlock_1 (c_idx=4294967295, num=1:1, c_type=HW, extra=0)\n", 1,
               "want EpochBlock_N"),
        REFUSE("operations", ONE("operations : {'hw.conv' 4}\n"), 3, "want names and numbers"),
        REFUSE("operations twice", ONE("operations : {'a': 4, 'a': 5}\n"), 3,
               "'compiler.operation.a' is there twice"),
        REFUSE("accesses", ONE("mem accesses : [p: r=4]\n"), 3, "want pools and bytes"),
        REFUSE("a name", ONE("mem accesses : [\xc3\xa9: r=4, w=0]\n"), 3,
               "other characters than those of ASCII"),
        REFUSE("a pool", ONE("mem accesses : [p: r=4, w=0]\np : r=5 w=0 -> 1 B/s\n"), 4,
               "is 5 here and 4 in"),
        REFUSE("pools", ONE("mem accesses : [p: r=4, w=0]\np : r=4 w=0 -> 1 B/s\ntotal : r=5 w=0 -> 1 B/s\n"),
               5, "the pools together are r=4 w=0"),
        REFUSE("an engine", ONE("active : STRENG.16.i: busif=0, 7 cycles, <no-data-size info>\n"), 3,
               "want as in STRENG.1.i"),
        REFUSE("an engine twice",
               ONE("active : STRENG.1.i: busif=0, 7 cycles, x\nactive : STRENG.1.o: busif=0, 7 cycles, x\n"),
               4, "stream engine 1 is there twice"),
        REFUSE("a clock", "device.attrs : mcu_freq=fast\n", 1, "'mcu_freq=fast', want a frequency"),
        REFUSE("more than all", ONE(TIMES("0.001", "0.0001", "100, 500, 200")), 2,
               "more than the 0.000 ms that are stated"),
        REFUSE("a total", ATTRS FINAL("0.009", "2400", "520", "3000", "651"), 4, "a total duration of 0.009"),
        REFUSE("a core", ATTRS FINAL("0.003", "2400", "2401", "3000", "651"), 4,
               "2401 of the core phase are more"),
        REFUSE("a final part", ATTRS "Measured\nmcu cycles : 5\n", 3, "want as in 10919340 (core only"),
        REFUSE("final pools",
               ATTRS "Memory bandwidth / inference\np : r=1 w=2 -> x\ntotal r/w : r=2 w=2 -> x\n", 4,
               "the pools together are r=1 w=2"),
        REFUSE("raw cycles", CONFIG START("0", "1", "1", "HW") MCU("1:2"), 5,
               "want mcu_cycles: and whole numbers"),
        REFUSE("raw cycles", CONFIG START("0", "1", "1", "HW") MCU("1:2:3:4"), 5,
               "want mcu_cycles: and whole numbers"),
        REFUSE("a raw epoch", CONFIG "s:node:evt_pre_start:0:1:1:22:17\n", 3, "want evt_pre_start:C_IDX"),
        REFUSE("a raw engine", CONFIG START("0", "1", "1", "HW") IN("16", "1"), 5,
               "want a stream engine from 0 to 15"),
        REFUSE("no raw clock", START("0", "1", "1", "HW") MCU("1:2:3"), 3, "cycles without the MCU's clock"),
        REFUSE("no whole inference", CONFIG START("0", "1", "1", "HW"), 0, "no epochs, want lines"),
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
}

static void it_is_found_by_content(void **state)
{
    static const char *const rows[] = {
        PUBLISHED_BLOCK, ATTRS PUBLISHED_FINAL, THREE_PASSES,
        "[I] NPU Utility - AiRunner Profiler (version 0.2)\n" PUBLISHED_HEAD PUBLISHED_BLOCK};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m = im_import(rows[i], NULL);
        assert_string_equal(m->sources[0].tool, "npu_profiler");
        roof_measured_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_a_layer_with_times_of_mcu_cycles),
        cmocka_unit_test(a_block_has_what_hardware_counted_and_what_the_compiler_planned),
        cmocka_unit_test(clocks_come_from_the_attributes_also_on_the_next_line),
        cmocka_unit_test(without_the_compiler_its_events_are_absent_and_a_note_says_what_to_do),
        cmocka_unit_test(devices_follow_from_the_type),
        cmocka_unit_test(a_blob_of_epochs_keeps_its_name_and_has_streams_of_no_direction),
        cmocka_unit_test(extra_epochs_belong_to_the_one_before),
        cmocka_unit_test(what_is_not_understood_is_counted),
        cmocka_unit_test(blocks_and_a_final_part_of_other_durations_are_two_runs),
        cmocka_unit_test(blocks_and_a_final_part_that_agree_are_one_run),
        cmocka_unit_test(models_are_experiments_and_a_model_that_comes_back_is_a_run),
        cmocka_unit_test(prefixes_of_a_log_make_no_difference),
        cmocka_unit_test(inferences_are_samples_and_passes_are_merged),
        cmocka_unit_test(a_network_of_other_epochs_is_another_experiment),
        cmocka_unit_test(inferences_that_are_not_whole_are_left_out),
        cmocka_unit_test(raw_counters_of_extra_epochs_are_added),
        cmocka_unit_test(raw_counters_that_have_the_means_of_a_block_are_its_samples),
        cmocka_unit_test(raw_counters_with_other_means_are_left_out),
        cmocka_unit_test(what_contradicts_itself_is_refused_with_its_line),
        cmocka_unit_test(it_is_found_by_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
