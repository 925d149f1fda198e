/* What `stedgeai validate` reports of a network on an STM32N6, as text and as JSON. The texts are invented. */
#include "tests/unit/imported.h"

#define HEAD                                                                                                 \
    "ST Edge AI Core v2.2.0-1 abc\nCreated date          : 2026-01-01 00:00:00\n"                            \
    "Parameters            : validate --target stm32n6 -m net.tflite --mode target\n\n"
#define MODEL "Model name - net_int8\n"
#define DEVICE                                                                                               \
    "  Summary 'network' - ['network']\n"                                                                    \
    "  device.desc   :   stm32 family - 0x486 - STM32N6xx @800/400MHz   \n"                                  \
    "  device.attrs  :   fpu,npu_cache=1,mcu_freq=800MHz,noc_freq=400MHz,npu_freq=1000MHz,nic_freq=900MHz\n"
#define RESULTS(name) "  ST.AI Profiling results v2.0 - \"" name "\"\n  -----\n"
#define SAMPLES       "  nb sample(s)   :   10   \n"
#define DURATION                                                                                             \
    "  duration       :   1.943 ms by sample (1.940/1.950/0.003)   \n"                                       \
    "  CPU cycles     :   [14,560 1,312,080 228,000]\n  -----\n"
#define HEADINGS                                                                                             \
    "   Inference time per node\n   -----\n"                                                                 \
    "   c_id    m_id   type        dur (ms)       %    cumul  CPU cycles               name   \n   -----\n"
#define ROW_0                                                                                                \
    "   0       -      epoch               0.101    5.2%     5.2%  [  8,000     72,000      800 ]   "        \
    "EpochBlock_1\n"
#define ROW_1                                                                                                \
    "   1       -      epoch (EC)          1.508   77.6%    82.8%  [  4,000  1,200,000    2,400 ]   "        \
    "EpochBlock_2 -> 9\n"
#define ROW_2                                                                                                \
    "   2       -      epoch (SW)          0.200   10.3%    93.1%  [     80         40  160,000 ]   "        \
    "EpochBlock_10\n"
#define ROW_3                                                                                                \
    "   3       -      epoch (HYBRID)      0.080    4.1%    97.2%  [     80         40   64,000 ]   "        \
    "EpochBlock_11\n"
#define ROW_4                                                                                                \
    "   4       -      epoch (extra HW.7)  0.054    2.8%   100.0%  [  2,400     40,000      800 ]   "        \
    "EpochBlock_11 (7)\n"
#define ROWS ROW_0 ROW_1 ROW_2 ROW_3 ROW_4
#define TOTAL                                                                                                \
    "   -----\n   total                              1.943                   [ 14,560  1,312,080  228,000 "  \
    "]\n"
#define TAIL                                                                                                 \
    "                                        514.67 inf/s                   [   0.9%      84.4%    14.7% "   \
    "]\n"                                                                                                    \
    "   -----\n   Statistic per tensor\n"
#define TABLE  HEADINGS ROWS TOTAL TAIL
#define REPORT HEAD MODEL DEVICE RESULTS("network") SAMPLES DURATION TABLE

/* A table of one row, of 80 800 cycles. */
#define SMALL_TOTAL "   total   0.101   [ 8,000  72,000  800 ]\n"
#define SMALL(name)                                                                                          \
    RESULTS(name) SAMPLES "  duration : 0.101 ms by sample (0.100/0.102/0.000)\n" HEADINGS ROW_0 SMALL_TOTAL

/* --- the report --------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *type, *device;
    uint64_t phases[3], cycles;
} wanted[] = {{"epoch_1", "HW", "NPU", {8000, 72000, 800}, 80800},
              {"EpochBlock_2 -> 9", "EC", "NPU", {4000, 1200000, 2400}, 1206400},
              {"epoch_10", "SW", "CPU", {80, 40, 160000}, 160120},
              {"epoch_11", "HYBRID", "NPU+CPU", {80, 40, 64000}, 64120},
              {"EpochBlock_11 (7)", "extra", "NPU", {2400, 40000, 800}, 43200}};

static void want_phases(const roof_phase_cycles *got, uint32_t n, const uint64_t *cycles)
{
    static const char *const names[] = {"pre", "core", "post"};
    assert_int_equal(n, COUNT(names));
    for (size_t p = 0; p < COUNT(names); p++) {
        assert_string_equal(got[p].name, names[p]);
        assert_int_equal(got[p].n_cycles, 1);
        assert_string_equal(got[p].cycles[0].domain, "mcu");
        assert_int_equal(got[p].cycles[0].cycles, cycles[p]);
    }
}

static void want_rows(const roof_run *run, double mcu_hz)
{
    assert_int_equal(run->n_layers, COUNT(wanted));
    for (uint32_t i = 0; i < COUNT(wanted); i++) {
        const roof_measured_layer *l = &run->layers[i];
        assert_string_equal(l->name, wanted[i].name);
        assert_string_equal(l->type, wanted[i].type);
        assert_string_equal(l->counters->device, wanted[i].device);
        assert_int_equal(l->counters->n_cycles, 1);
        assert_string_equal(l->counters->cycles[0].domain, "mcu");
        assert_int_equal(l->counters->cycles[0].cycles, wanted[i].cycles);
        want_phases(l->counters->phases, l->counters->n_phases, wanted[i].phases);
        assert_close(l->time.mean_s, (double)wanted[i].cycles / mcu_hz, 1e-15);
        assert_int_equal(l->time.count, 10);
        assert_int_equal(l->index, i + 1);
    }
}

static void want_clock(const roof_run *run, uint32_t i, const char *domain, double hz)
{
    assert_true(i < run->n_clocks);
    assert_string_equal(run->clocks[i].domain, domain);
    assert_close(run->clocks[i].hz, hz, 1e-3);
}

static void rows_have_the_time_of_their_cycles(void **state)
{
    roof_measured *m = im_import(REPORT, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_string_equal(m->sources[0].tool, "stedgeai_validate");
    assert_string_equal(m->experiments[0].model_name, "net_int8");
    assert_int_equal(run->mode, ROOF_RUN_PER_LAYER);
    want_rows(run, 800e6);
    assert_int_equal(run->n_clocks, 4);
    want_clock(run, 0, "mcu", 800e6);
    want_clock(run, 1, "noc", 400e6);
    want_clock(run, 2, "npu", 1e9);
    want_clock(run, 3, "nic", 900e6);
    im_want_note(m, "net_int8: its 5 rows sum up to its 1.943 ms");
    im_want_note(m, "those of the NPU are not printed");
    roof_measured_free(m);
}

static void the_total_is_the_printed_duration(void **state)
{
    roof_measured *m = im_import(REPORT, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_close(run->total.mean_s, 1.943e-3, 1e-12);
    assert_close(run->total.min_s, 1.940e-3, 1e-12);
    assert_close(run->total.max_s, 1.950e-3, 1e-12);
    assert_close(run->total.std_s, 3e-6 * sqrt(10.0 / 9), 1e-12);
    assert_int_equal(run->total.count, 10);
    assert_int_equal(run->iterations, 10);
    assert_int_equal(run->launches, 5);
    assert_int_equal(run->boundaries, 5);
    assert_close(run->sum_of_layers_s, 1554640 / 800e6, 1e-12);
    want_phases(run->phase_cycles, run->n_phase_cycles, (const uint64_t[]){14560, 1312080, 228000});
    roof_measured_free(m);
}

static void what_is_not_stated_is_not_known(void **state)
{
    roof_measured *one =
        im_import(HEAD DEVICE RESULTS("a") "nb sample(s) : 1\nduration : 0.101 ms by sample "
                                           "(0.101/0.101/0.000)\n" HEADINGS ROW_0 SMALL_TOTAL,
                  NULL);
    roof_measured *bare = im_import(HEAD HEADINGS ROW_0 SMALL_TOTAL, NULL);
    (void)state;
    assert_true(isnan(im_run(one, 0)->total.std_s)); /* 0.000 of one sample */
    assert_int_equal(im_run(one, 0)->total.count, 1);
    assert_null(bare->experiments[0].model_name);
    assert_int_equal(im_run(bare, 0)->iterations, ROOF_UNKNOWN);
    assert_true(isnan(im_run(bare, 0)->total.mean_s));
    assert_int_equal(im_run(bare, 0)->layers[0].time.count, ROOF_UNKNOWN);
    im_want_note(bare, "no duration of the inference");
    roof_measured_free(one);
    roof_measured_free(bare);
}

static void without_a_clock_times_are_the_printed_ones(void **state)
{
    roof_measured *m = im_import(HEAD RESULTS("a") SAMPLES DURATION TABLE, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->n_clocks, 0);
    assert_close(run->layers[1].time.mean_s, 1.508e-3, 1e-12);
    assert_int_equal(run->layers[1].counters->cycles[0].cycles, 1206400);
    im_want_note(m, "states no mcu_freq");
    im_want_note(m, "a: its 5 rows sum up to its 1.943 ms");
    roof_measured_free(m);
    m = im_import(HEAD "device.desc : STM32N6xx @800/400MHz\n" RESULTS("a") SAMPLES DURATION TABLE, NULL);
    want_rows(im_run(m, 0), 800e6);
    assert_int_equal(im_run(m, 0)->n_clocks, 2);
    roof_measured_free(m);
}

static void time_between_rows_is_told(void **state)
{
    roof_measured *m =
        im_import(HEAD DEVICE RESULTS("a") SAMPLES
                  "duration : 0.111 ms by sample (0.110/0.112/0.001)\n" HEADINGS ROW_0
                  "   -----\n   n/a   n/a   Inter-nodal   0.010   9.0%  100.0%      n/a\n" SMALL_TOTAL,
                  NULL);
    (void)state;
    assert_close(im_run(m, 0)->total.mean_s, 0.111e-3, 1e-12);
    assert_close(im_run(m, 0)->sum_of_layers_s, 0.101e-3, 1e-12);
    im_want_note(m, "1 rows take 0.101 ms of its 0.111 ms, and 0.01 ms are stated to lie between them");
    roof_measured_free(m);
}

/* Puts a prefix before every line of a text, and an empty line behind it. */
static char *prefixed(const char *text, const char *prefix)
{
    size_t lines = 1, used = 0;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    size_t room = strlen(text) + lines * (strlen(prefix) + 2) + 1;
    char *out = malloc(room);
    assert_non_null(out);
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, "\n");
        used += (size_t)snprintf(out + used, room - used, "%s%.*s\n\n", prefix, (int)length, at);
        at += length + (at[length] == '\n');
    }
    return out;
}

static void logs_have_prefixes_and_lines_of_others_between_rows(void **state)
{
    static const char *const prefixes[] = {"", "2026-01-02 03:04:05,678 [INFO] CmdLine:76 - ", "[I]    ",
                                           "01/02/2026 03:04:05 PM  __main__ -- ", "STAI.IO: 90%|#| 9/10\r"};
    static const roof_import_options from = {.from = "stedgeai_validate"};
    (void)state;
    for (size_t i = 0; i < COUNT(prefixes); i++) {
        char *text = prefixed("building\n" DEVICE RESULTS("network") SAMPLES DURATION HEADINGS ROW_0
                              "STAI.IO:  50%|#####     | 5/10\n" ROW_1 ROW_2 ROW_3 ROW_4 TOTAL TAIL "bye\n",
                              prefixes[i]);
        roof_measured *m = im_import(text, &from);
        want_rows(im_run(m, 0), 800e6);
        roof_measured_free(m);
        free(text);
    }
}

static void a_log_of_two_networks_has_two_experiments(void **state)
{
    roof_measured *m = im_import("ST.AI Profiling results\n" DEVICE SMALL("a") SMALL("b") SMALL("a"), NULL);
    (void)state;
    assert_int_equal(m->n_experiments, 2);
    assert_string_equal(m->experiments[0].model_name, "a");
    assert_int_equal(m->experiments[0].n_runs, 2);
    assert_string_equal(m->experiments[1].model_name, "b");
    assert_int_equal(m->experiments[1].n_runs, 1);
    assert_true(isnan(m->experiments[1].runs[0].total.std_s)); /* 0.000 of 10 samples */
    im_want_note(m, "3 tables, a run each");
    roof_measured_free(m);
}

static void a_name_and_a_duration_are_of_the_next_table_only(void **state)
{
    roof_measured *m =
        im_import(HEAD MODEL DEVICE SMALL("a") SMALL("b") HEADINGS ROW_0 SMALL_TOTAL "bye\n", NULL);
    (void)state;
    assert_int_equal(m->n_experiments, 3);
    assert_string_equal(m->experiments[0].model_name, "net_int8");
    assert_string_equal(m->experiments[1].model_name, "b");
    assert_null(m->experiments[2].model_name);
    assert_close(m->experiments[1].runs[0].total.mean_s, 0.101e-3, 1e-12);
    assert_true(isnan(m->experiments[2].runs[0].total.mean_s));
    roof_measured_free(m);
}

static void the_model_of_the_user_is_that_of_all_runs_of_one_network(void **state)
{
    static const roof_import_options model = {.model = "x/net.json"};
    roof_measured *m = im_import(DEVICE SMALL("a") SMALL("a"), &model);
    (void)state;
    assert_int_equal(m->n_experiments, 1);
    assert_string_equal(m->experiments[0].model_path, "x/net.json");
    assert_string_equal(m->experiments[0].model_name, "net");
    assert_int_equal(m->experiments[0].n_runs, 2);
    roof_measured_free(m);
}

static void each_device_has_its_own_clock(void **state)
{
    roof_measured *m = im_import(DEVICE SMALL("a") "Summary 'b' - ['b']\n" SMALL("b"), NULL);
    (void)state;
    assert_int_equal(m->experiments[0].runs[0].n_clocks, 4);
    assert_int_equal(m->experiments[1].runs[0].n_clocks, 0);
    roof_measured_free(m);
}

#define HOST_TABLE                                                                                           \
    "   c_id    m_id   type    dur (ms)       %    cumul    name\n"                                          \
    "   0       3      Conv2D     0.101  100.0%   100.0%    conv\n   total   0.101\n"

static void a_table_of_the_host_beside_that_of_the_device_is_left_out(void **state)
{
    roof_measured *m = im_import(HEAD RESULTS("a") HOST_TABLE DEVICE SMALL("a"), NULL);
    (void)state;
    assert_int_equal(im_run(m, 0)->n_layers, 1);
    assert_int_equal(m->experiments[0].n_runs, 1);
    roof_measured_free(m);
}

#define D             DEVICE RESULTS("a") SAMPLES
#define BAD_ROW(text) HEAD D HEADINGS text "\n" SMALL_TOTAL

static void damaged_reports_are_refused(void **state)
{
    static const roof_import_options none, bypass = {.mode = "bypass"}, model = {.model = "x.json"};
    const im_bad rows[] = {
        {"a row is missing", HEAD D HEADINGS ROW_0 ROW_2, none, ROOF_E_DATA, 16, "c_id is 2, want 1"},
        {"the last row is missing", HEAD D HEADINGS ROW_0 ROW_1 ROW_2 ROW_3 TOTAL, none, ROOF_E_DATA, 20,
         "are rows missing?"},
        {"cut in the table", HEAD D HEADINGS ROW_0, none, ROOF_E_DATA, 13, "no line 'total'"},
        {"cut in a row", HEAD D HEADINGS "0 - epoch 0.101 5%", none, ROOF_E_DATA, 15, "no CPU cycles"},
        {"cut in its cycles", BAD_ROW("0 - epoch 0.101 5% 5% [ 8,000 72,0"), none, ROOF_E_DATA, 15,
         "no CPU cycles"},
        {"no rows", HEAD D HEADINGS "total 0 [ 0 0 0 ]\n", none, ROOF_E_DATA, 15, "a table without rows"},
        {"a second table in the first", HEAD D HEADINGS ROW_0 HEADINGS, none, ROOF_E_DATA, 18,
         "no line 'total'"},
        {"behind the table", HEAD D HEADINGS ROW_0 "Statistic per tensor\n", none, ROOF_E_DATA, 16,
         "begins in line 13"},
        {"one counter", BAD_ROW("0 - Conv2D 0.101 5% 5% [ 80,800 ] conv"), none, ROOF_E_DATA, 15,
         "1 CPU cycles, want"},
        {"another type", BAD_ROW("0 - Conv2D 0.101 5% 5% [ 8,000 72,000 800 ] c"), none, ROOF_E_DATA, 15,
         "the type is 'Conv2D'"},
        {"no type", BAD_ROW("0 - 0.101 5% 5% [ 8,000 72,000 800 ] c"), none, ROOF_E_DATA, 15, "5 words"},
        {"no name", BAD_ROW("0 - epoch 0.101 5% 5% [ 8,000 72,000 800 ]"), none, ROOF_E_DATA, 15,
         "an empty name"},
        {"a bell as name", BAD_ROW("0 - epoch 0.101 5% 5% [ 8,000 72,000 800 ] \a"), none, ROOF_E_DATA, 15,
         "control characters"},
        {"no number", BAD_ROW("0 - epoch 0.101 5% 5% [ 8,000 72,000 x ] c"), none, ROOF_E_DATA, 15,
         "CPU cycles is 'x'"},
        {"beyond 2^53", BAD_ROW("0 - epoch 0.101 5% 5% [ 8,000 72,000 99999999999999999 ] c"), none,
         ROOF_E_DATA, 15, "a number of CPU cycles"},
        {"more than 2^53 together",
         BAD_ROW("0 - epoch 0.101 5% 5% [ 9,007,199,254,740,992 9,007,199,254,740,992 800 ] c"), none,
         ROOF_E_DATA, 15, "want at most 2^53"},
        {"another clock", BAD_ROW("0 - epoch 0.135 5% 5% [ 8,000 72,000 800 ] c"), none, ROOF_E_DATA, 15,
         "80800 cycles of 800 MHz are 0.101 ms, but 0.135 ms"},
        {"NaN", BAD_ROW("0 - epoch nan 5% 5% [ 8,000 72,000 800 ] c"), none, ROOF_E_DATA, 15,
         "dur (ms) is 'nan'"},
        {"a huge c_id", BAD_ROW("99999999999999999999 - epoch 1 5% 5% [ 1 1 1 ] c"), none, ROOF_E_DATA, 15,
         "c_id"},
        {"other headings", HEAD "c_id m_id type dur (us) % cumul CPU cycles name\n", none, ROOF_E_DATA, 5,
         "want c_id, m_id, type, dur (ms)"},
        {"no samples", HEAD "nb sample(s) : 0\n", none, ROOF_E_DATA, 5, "was the network run?"},
        {"cut in the duration", HEAD "duration : 1 ms by sample (1/", none, ROOF_E_DATA, 5,
         "is the line whole?"},
        {"mean below minimum", HEAD "duration : 1 ms by sample (2/3/0)\n", none, ROOF_E_DATA, 5,
         "not between"},
        {"a clock of 0", HEAD "device.attrs : mcu_freq=0MHz\n", none, ROOF_E_DATA, 5, "want a frequency"},
        {"Inter-nodal without time", HEAD D HEADINGS ROW_0 "n/a n/a\n", none, ROOF_E_DATA, 16,
         "without a duration"},
        {"another mode", REPORT, bypass, ROOF_E_USAGE, 0, "which is no bypass run"},
        {"a model for two", DEVICE SMALL("a") SMALL("b"), model, ROOF_E_USAGE, 0, "runs of 'a' and of 'b'"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
}

static void files_without_times_of_epochs_say_what_to_import(void **state)
{
    static const roof_import_options none, from = {.from = "stedgeai_validate"};
    const im_bad rows[] = {
        {"a report of the host", HEAD RESULTS("a") SAMPLES HOST_TABLE, none, ROOF_E_DATA, 8,
         "validation on the host"},
        {"a duration only", HEAD DEVICE RESULTS("a") SAMPLES DURATION, none, ROOF_E_DATA, 11,
         "only the duration"},
        {"nothing", HEAD, none, ROOF_E_DATA, 0, "--mode target"},
        {"a log of the compiler", " >>>> EXECUTING NEURAL ART COMPILER\nEpochs details\n", none, ROOF_E_DATA,
         0, "what the compiler printed, which has no times"},
        {"what generate reports",
         "ST Edge AI Core v4.0.1-1 abc\nParameters            : generate -m net.onnx --target stm32n6\n",
         none, ROOF_E_DATA, 0, "this is what `stedgeai generate` reports"},
        {"what analyze reports",
         "ST Edge AI Core v2.0.0-1\nParameters            : analyze -m net.onnx --target stm32n6\n", none,
         ROOF_E_DATA, 0, "network_validate_report.txt, which `stedgeai validate --mode target` writes"},
        {"an empty file", "", from, ROOF_E_DATA, 0, "no times of epochs"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
}

/* --- JSON --------------------------------------------------------------------------------------------- */

#define ENTRY(counters, cycles, ms, percent)                                                                 \
    "{\"counters\":[" counters "],\"cycles\":" cycles ",\"cycles_by_macc\":0,\"duration_ms\":" ms            \
    ",\"percentage\":" percent "}"
#define ENTRIES                                                                                              \
    "\"aton_execution_time\":[" ENTRY("8000,72000,800", "80801", "0.1010012",                                \
                                      "80.0") ",\n" ENTRY("4000,16000,200", "20200", "0.02525", "20.0") "]"
#define ENVIRONMENT                                                                                          \
    "\"environment\":{\"device\":\"stm32 family - 0x486 - STM32N6xx @800/400MHz\","                          \
    "\"generated_model\":{\"name\":\"network\"},\"tools\":[{\"name\":\"ST.EdgeAI.Core\",\"input_model\":"    \
    "{\"name\":\"net_int8\"}},{\"name\":\"ATONN Compiler\",\"input_model\":{\"name\":\"net_OE\"}}]}"
#define VERSION "\"json_schema_version\":\"2.0\""
#define GRAPHS                                                                                               \
    "\"buffers\":[{\"channel_first\":true,\"format\":\"STAI_FORMAT_S8\"}],\"graphs\":[{\"nodes\":[{\"id\":"  \
    "1}]}]"

static void entries_are_rows_in_the_order_of_execution(void **state)
{
    static const char *const texts[] = {"{" ENTRIES "," ENVIRONMENT "," VERSION ",\"validation\":{}}",
                                        "{" GRAPHS "," VERSION "," ENVIRONMENT "," ENTRIES "}"};
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        roof_measured *m = im_import(texts[i], NULL);
        const roof_run *run = im_run(m, 0);
        assert_string_equal(m->sources[0].tool, "stedgeai_val_json");
        assert_string_equal(m->experiments[0].model_name, "net_int8");
        assert_int_equal(run->mode, ROOF_RUN_PER_LAYER);
        assert_int_equal(run->n_layers, 2);
        assert_string_equal(run->layers[0].name, "row 1");
        assert_int_equal(run->layers[1].index, 2);
        assert_null(run->layers[0].type);
        assert_null(run->layers[0].counters->device);
        assert_int_equal(run->layers[0].counters->cycles[0].cycles, 80800);
        want_phases(run->layers[0].counters->phases, run->layers[0].counters->n_phases, wanted[0].phases);
        assert_close(run->layers[0].time.mean_s, 0.101e-3, 1e-15);
        assert_int_equal(run->layers[0].time.count, ROOF_UNKNOWN);
        assert_close(run->layers[1].counters->share_ratio, 0.2, 1e-12);
        assert_true(isnan(run->total.mean_s));
        assert_close(run->sum_of_layers_s, 101000 / 800e6, 1e-15);
        assert_int_equal(run->n_clocks, 2);
        want_clock(run, 0, "mcu", 800e6);
        want_clock(run, 1, "noc", 400e6);
        im_want_note(m, "names no epochs");
        roof_measured_free(m);
    }
}

static void without_a_device_times_are_those_of_the_entries(void **state)
{
    roof_measured *m =
        im_import("{\"aton_execution_time\":[" ENTRY("8000,72000,800", "80800", "0.101", "50") "]}", NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_close(run->layers[0].time.mean_s, 0.101e-3, 1e-15);
    assert_int_equal(run->n_clocks, 0);
    assert_null(m->experiments[0].model_name);
    im_want_note(m, "states no clock");
    im_want_note(m, "the rows are 50 % of the inference");
    roof_measured_free(m);
    m = im_import("{\"aton_execution_time\":[{\"counters\":[1,2,3]}]}", NULL);
    assert_true(isnan(im_run(m, 0)->layers[0].time.mean_s));
    assert_true(isnan(im_run(m, 0)->layers[0].counters->share_ratio));
    roof_measured_free(m);
    m = im_import("{" ENVIRONMENT ",\"aton_execution_time\":[{\"counters\":[8000,72000,800],"
                  "\"percentage\":100.05}]}",
                  NULL);
    assert_close(im_run(m, 0)->layers[0].time.mean_s, 0.101e-3, 1e-15);
    assert_close(im_run(m, 0)->layers[0].counters->share_ratio, 1, 0);
    roof_measured_free(m);
}

#define TIMES(entry) "{\"aton_execution_time\":[" entry "]," ENVIRONMENT "}"

static void damaged_entries_are_refused(void **state)
{
    static const roof_import_options none, bypass = {.mode = "bypass"}, from = {.from = "stedgeai_val_json"};
    const im_bad rows[] = {
        {"a compiled model", "{" GRAPHS "," VERSION "," ENVIRONMENT "}", none, ROOF_E_DATA, 0,
         "a compiled model without times, which `roofline predict` reads"},
        {"a validation on the host", "{" VERSION "," ENVIRONMENT ",\"validation\":{}}", none, ROOF_E_DATA, 0,
         "a validation without times"},
        {"no entries", TIMES(""), none, ROOF_E_DATA, 0, "a validation without times"},
        {"null", "{\"aton_execution_time\":null}", none, ROOF_E_DATA, 0, "a validation without times"},
        {"another version", "{" ENTRIES ",\"json_schema_version\":\"3.0\"}", none, ROOF_E_DATA, 0,
         "is '3.0', want 2.0"},
        {"two counters", TIMES("{\"counters\":[1,2]}"), none, ROOF_E_DATA, 0, "an entry of 2 counters"},
        {"no counters", TIMES("{}"), none, ROOF_E_DATA, 0, "an entry of 0 counters"},
        {"four counters", TIMES("{\"counters\":[1,2,3,4]}"), none, ROOF_E_DATA, 0, "more than 3 counters"},
        {"counters twice", TIMES("{\"counters\":[1],\"counters\":[2,3]}"), none, ROOF_E_DATA, 0, "twice"},
        {"half a cycle", TIMES("{\"counters\":[1,2,3.5]}"), none, ROOF_E_DATA, 0, "a whole number of cycles"},
        {"negative", TIMES("{\"counters\":[1,2,-3]}"), none, ROOF_E_DATA, 0, "a whole number of cycles"},
        {"beyond 2^53", TIMES("{\"counters\":[1,2,1e300]}"), none, ROOF_E_DATA, 0,
         "a whole number of cycles"},
        {"another sum", TIMES("{\"counters\":[1,2,3],\"cycles\":60}"), none, ROOF_E_DATA, 0,
         "cycles is 60, but its counters sum up to 6"},
        {"another clock", TIMES(ENTRY("8000,72000,800", "80800", "0.135", "100")), none, ROOF_E_DATA, 1,
         "but 0.135 ms stand beside them"},
        {"more than all of it", TIMES("{\"counters\":[1,2,3],\"percentage\":200}"), none, ROOF_E_DATA, 0,
         "percentage is 200, want at most 100"},
        {"no list", "{\"aton_execution_time\":{}}", none, ROOF_E_DATA, 0, "/aton_execution_time"},
        {"no object", "[1]", from, ROOF_E_DATA, 0, "object"},
        {"cut", "{" ENTRIES, none, ROOF_E_DATA, 0, ""},
        {"more behind it", "{" ENTRIES "}{}", none, ROOF_E_DATA, 0, ""},
        {"a bell in the name", "{" ENTRIES ",\"environment\":{\"generated_model\":{\"name\":\"\\u0007\"}}}",
         none, ROOF_E_DATA, 0, "control character"},
        {"another mode", "{" ENTRIES "}", bypass, ROOF_E_USAGE, 0, "which is no bypass run"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_the_time_of_their_cycles),
        cmocka_unit_test(the_total_is_the_printed_duration),
        cmocka_unit_test(what_is_not_stated_is_not_known),
        cmocka_unit_test(without_a_clock_times_are_the_printed_ones),
        cmocka_unit_test(time_between_rows_is_told),
        cmocka_unit_test(logs_have_prefixes_and_lines_of_others_between_rows),
        cmocka_unit_test(a_log_of_two_networks_has_two_experiments),
        cmocka_unit_test(a_name_and_a_duration_are_of_the_next_table_only),
        cmocka_unit_test(the_model_of_the_user_is_that_of_all_runs_of_one_network),
        cmocka_unit_test(each_device_has_its_own_clock),
        cmocka_unit_test(a_table_of_the_host_beside_that_of_the_device_is_left_out),
        cmocka_unit_test(damaged_reports_are_refused),
        cmocka_unit_test(files_without_times_of_epochs_say_what_to_import),
        cmocka_unit_test(entries_are_rows_in_the_order_of_execution),
        cmocka_unit_test(without_a_device_times_are_those_of_the_entries),
        cmocka_unit_test(damaged_entries_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
