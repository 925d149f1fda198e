/* What vaitrace and xdputil print: columns that mean something else in every version. The texts are invented. */
#include "tests/unit/imported.h"

#define TOP                                                                                                  \
    "Profile Summary\nGenerated on: 2026-01-01\n\nDPU Summary\nKernel Name,Number Of Runs,CU Full "          \
    "Name,Minimum Time (ms),"                                                                                \
    "Average Time (ms),Maximum Time (ms),Workload(GOP),DPU Performance(GOP/s),Mem IO(MB),Mem "               \
    "Bandwidth(MB/s),\n"

static void what_the_columns_mean_is_found_by_what_agrees(void **state)
{
    static const struct {
        const char *what, *row;
        uint64_t total_bytes;
        double ops_per_s;
        const char *note;
    } rows[] = {
        {"1.4: GOP/s, decimal", "a,60,DPUCZDX8G_1:batch-1,1.900,2.000,2.100,1.000,500.000,10.000,5000.000,\n",
         10000000, 500e9, "10^6"},
        {"2.5: GOP/s, binary", "a,60,DPUCZDX8G_1:batch-1,1.900,2.000,2.100,1.000,500.000,10.000,5120.000,\n",
         10485760, 500e9, "2^20"},
        {"3.x: percent, decimal",
         "a,60,DPUCZDX8G_1:batch-1,1.900,2.000,2.100,1.000,41.500,10.000,5100.000,\n", 10000000, NAN,
         "holds percent"},
        {"too few digits", "a,60,DPUCZDX8G_1:batch-1,0.001,0.001,0.001,0.000,0.000,0.000,0.000,\n",
         ROOF_UNKNOWN, NAN, "cannot be told from the rows"},
        {"neither", "a,60,DPUCZDX8G_1:batch-1,1.900,2.000,2.100,1.000,700.000,10.000,5100.000,\n",
         ROOF_UNKNOWN, NAN, "cannot be told from the rows"},
        {"GOP/s, but no bandwidth that fits",
         "a,60,DPUCZDX8G_1:batch-1,1.900,2.000,2.100,1.000,500.000,10.000,9000.000,\n", ROOF_UNKNOWN, 500e9,
         "bytes are left out"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[2048];
        snprintf(text, sizeof text, TOP "%s", rows[i].row);
        roof_measured *m = im_import(text, NULL);
        const roof_layer_counters *c = im_run(m, 0)->layers[0].counters;
        if (c->total_bytes != rows[i].total_bytes ||
            !(isnan(rows[i].ops_per_s) ? isnan(c->ops_per_s) : c->ops_per_s == rows[i].ops_per_s))
            fail_msg("%s: %" PRIu64 " bytes, %g op/s", rows[i].what, c->total_bytes, c->ops_per_s);
        assert_int_equal(c->bytes_origin,
                         c->total_bytes == ROOF_UNKNOWN ? ROOF_BYTES_UNSTATED : ROOF_BYTES_STATIC);
        im_want_note(m, rows[i].note);
        roof_measured_free(m);
    }
}

static void kernels_have_their_times_and_functions_are_remarks(void **state)
{
    static const char text[] =
        TOP "f<a, b>,10,DPUCZDX8G_1:batch-1,1.000,2.000,4.000,1.000,500.000,10.000,5120.000,\n"
            "f<a, b>,30,DPUCZDX8G_2:batch-1,2.000,4.000,5.000,1.000,250.000,10.000,2560.000,\n"
            "std::map<int, int>::at,20,CPU,0.1,0.2,0.3,\n";
    roof_measured *m = im_import(text, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->n_layers, 1);
    assert_string_equal(run->layers[0].name, "f<a, b>");
    assert_int_equal(run->layers[0].time.count, 40);
    assert_close(run->layers[0].time.mean_s, 0.0035, 1e-12);
    assert_close(run->layers[0].time.min_s, 0.001, 1e-12);
    assert_close(run->layers[0].time.max_s, 0.005, 1e-12);
    assert_true(isnan(run->layers[0].time.std_s));
    assert_close(run->total.mean_s, 0.0035, 1e-12);
    assert_int_equal(run->n_phases, 0);
    im_want_note(m, "CPU function std::map<int, int>::at: 20 calls of 0.2 ms");
    im_want_note(m, "several cores");
    roof_measured_free(m);
}

static void damaged_summaries_are_refused(void **state)
{
    static const im_bad rows[] = {
        {"cut in a row", TOP "a,60,DPU:batch-1,1.0,2.0", {0}, ROOF_E_DATA, 6, "is the file whole?"},
        {"cut behind the headings", TOP, {0}, ROOF_E_DATA, 0, "no row of a DPU kernel"},
        {"NaN", TOP "a,60,D,nan,2,3,1,1,1,1,\n", {0}, ROOF_E_DATA, 6, "Minimum Time (ms) is 'nan'"},
        {"negative", TOP "a,60,D,-1,2,3,1,1,1,1,\n", {0}, ROOF_E_DATA, 6, "want 0 or more"},
        {"beyond a double", TOP "a,60,D,1,1e400,3,1,1,1,1,\n", {0}, ROOF_E_DATA, 6, "beyond the largest"},
        {"empty", TOP "a,60,D,1,,3,1,1,1,1,\n", {0}, ROOF_E_DATA, 6, "Average Time (ms) is empty"},
        {"out of order", TOP "a,60,D,3,2,1,1,1,1,1,\n", {0}, ROOF_E_DATA, 6, "not in this order"},
        {"never", TOP "a,0,D,1,2,3,1,1,1,1,\n", {0}, ROOF_E_DATA, 6, "is 0"},
        {"a part of a run", TOP "a,1.5,D,1,2,3,1,1,1,1,\n", {0}, ROOF_E_DATA, 6, "want a whole number"},
        {"other units",
         "Profile Summary\nDPU Summary\nKernel Name,Number Of Runs,CU Full Name,Minimum Time (us),\n",
         {0},
         ROOF_E_DATA,
         3,
         "'Minimum Time (us)', want 'Minimum Time (ms)'"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
}

/* --- tables ------------------------------------------------------------------------------------------- */

#define RULE "==========\n"
#define V25  "DPU Id | Bat | DPU SubGraph | WL | RT | Perf | LdWB | LdFM | StFM | AvgBw\n-------+-----\n"
#define V30                                                                                                  \
    "DPU Id | Bat | DPU SubGraph | WL | SW_RT | HW_RT | Effic | LdWB | LdFM | StFM | AvgBw\n-------+-----\n"
#define X86 "DPU Id | Bat | DPU SubGraph | WL | SW_RT | LdFM | LdWB | StFM | AvgBw\n-------+-----\n"
#define V14                                                                                                  \
    "DPU | Batch | SubGraph | Workload | Run Time (ms) | Perf(GOP/s) | Mem (MB) | MB/s\n-------+-----\n"

static void columns_are_found_by_their_headings_in_every_version(void **state)
{
    static const struct {
        const char *what, *table;
        uint64_t workload, read, write, total;
        double mean_s;
    } rows[] = {
        {"1.4", V14 "DPU_1 | 1 | res2a | 0.231 | 0.530 | 435.8 | 2.410 | 4547.1 |\n", 231000000, ROOF_UNKNOWN,
         ROOF_UNKNOWN, 2410000, 0.00053},
        {"2.5", V25 "DPU_1 | 1 | res2a | 0.231 | 0.530 | 435.8 | 1.000 | 0.500 | 0.250 | 3381\n", 231000000,
         1572864, 262144, ROOF_UNKNOWN, 0.00053},
        {"3.x", V30 "DPU_1 | 1 | res2a | 0.231 | 0.530 | 0.500 | 38.0 | 1.000 | 0.500 | 0.250 | 3500\n",
         231000000, 1500000, 250000, ROOF_UNKNOWN, 0.00053},
        {"3.x on a PC", X86 "DPU_1 | 1 | res2a | 0.231 | 0.530 | 0.500 | 1.000 | 0.250 | 3301\n", 231000000,
         1500000, 250000, ROOF_UNKNOWN, 0.00053},
        {"close to 0", V25 "DPU_1 | 1 | res2a | ~0 | 0.530 | 0.036 | 0.002 | ~0 | ~0 | 3381\n", ROOF_UNKNOWN,
         ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, 0.00053},
        {"several images", V25 "DPU_1 | 3 | res2a | 0.231 | 0.530 | 0.036 | 1.000 | 0.500 | 0.250 | 3381\n",
         ROOF_UNKNOWN, 1572864, 262144, ROOF_UNKNOWN, 0.00053},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[2048];
        snprintf(text, sizeof text, "INFO:root:hello\nDPU Summary:\n" RULE "%s" RULE "\nNotes:\nWL: x\n",
                 rows[i].table);
        roof_import_options from = {.from = "vaitrace_text"};
        roof_measured *m = im_import(text, &from);
        const roof_measured_layer *layer = &im_run(m, 0)->layers[0];
        const roof_layer_counters *c = layer->counters;
        assert_string_equal(layer->name, "res2a");
        if (c->workload_ops != rows[i].workload || c->read_bytes != rows[i].read ||
            c->write_bytes != rows[i].write || c->total_bytes != rows[i].total)
            fail_msg("%s: %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, rows[i].what, c->workload_ops,
                     c->read_bytes, c->write_bytes, c->total_bytes);
        assert_close(layer->time.mean_s, rows[i].mean_s, 1e-12);
        assert_int_equal(layer->time.count, ROOF_UNKNOWN);
        roof_measured_free(m);
    }
}

static void each_core_of_a_table_is_a_run(void **state)
{
    static const char text[] =
        RULE V25 "DPU_1 | 1 | a | 1 | 1.0 | 1 | 1 | 1 | 1 | 1\nDPU_2 | 1 | a | 1 | 3.0 | 1 | 1 | 1 | 1 | 1\n"
                 "DPU_1 | 1 | b|c | 1 | 2.0 | 1 | 1 | 1 | 1 | 1\n" RULE "CPU Functions:\n" RULE
                 "Function | Device | Runs | AverageRunTime(ms)\n---+---\n"
                 "xir::XrtCu::run | CPU | 50 | 9.855\n" RULE;
    roof_measured *m = im_import(text, NULL);
    (void)state;
    assert_int_equal(m->experiments[0].n_runs, 2);
    assert_int_equal(im_run(m, 0)->n_layers, 2);
    assert_string_equal(im_run(m, 0)->layers[1].name, "b|c");
    assert_close(im_run(m, 1)->layers[0].time.mean_s, 0.003, 1e-12);
    im_want_note(m, "CPU function xir::XrtCu::run: 50 calls of 9.855 ms");
    im_want_note(m, "2 runs, one of each core");
    roof_measured_free(m);
}

static void damaged_tables_are_refused_or_told(void **state)
{
    static const im_bad rows[] = {
        {"cut in a row", RULE V25 "DPU_1 | 1 | a | 1 | 1.", {0}, ROOF_E_DATA, 4, "is the table whole?"},
        {"NaN",
         RULE V25 "DPU_1 | 1 | a | 1 | nan | 1 | 1 | 1 | 1 | 1\n",
         {0},
         ROOF_E_DATA,
         4,
         "the run time is 'nan'"},
        {"negative",
         RULE V25 "DPU_1 | 1 | a | 1 | -1 | 1 | 1 | 1 | 1 | 1\n",
         {0},
         ROOF_E_DATA,
         4,
         "want 0 or more"},
        {"beyond a double",
         RULE V25 "DPU_1 | 1 | a | 1e400 | 1 | 1 | 1 | 1 | 1 | 1\n",
         {0},
         ROOF_E_DATA,
         4,
         "beyond"},
        {"empty",
         RULE V25 "DPU_1 | 1 |  | 1 | 1 | 1 | 1 | 1 | 1 | 1\n",
         {0},
         ROOF_E_DATA,
         4,
         "an empty name"},
        {"only a log",
         "INFO:root:VART will run xmodel in [NORMAL] mode\nINFO:root:Saving report to: out.txt\n",
         {0},
         ROOF_E_DATA,
         0,
         "the report is in 'out.txt'"},
    };
    static const char unclosed[] = RULE V25 "DPU_1 | 1 | a | 1 | 1.0 | 1 | 1 | 1 | 1 | 1\nKilled\n";
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
    roof_measured *m = im_import(unclosed, NULL);
    im_want_note(m, "rows may be missing");
    roof_measured_free(m);
}

/* --- JSON --------------------------------------------------------------------------------------------- */

#define ROW(unit, depth, sizes)                                                                              \
    "{\"subg_name\":\"conv\",\"runs\":10,\"cu_name\":\"" unit                                                \
    "\",\"batch\":1,\"min_time\":1.5,\"avg_time\":2,\"max_time\":2.5,"                                       \
    "\"workload\":3000000,\"hardware_time\":1.9,\"mem_io_bw\":1000,\"depth\":" depth "," sizes               \
    ",\"shape\":[[1,2]]}"
#define BYTES                                                                                                \
    "\"read_weight_bias_size\":1000000,\"read_feature_map_size\":500000,\"write_feature_map_size\":400000"
#define MEGA "\"read_weight_bias_size\":1.0,\"read_feature_map_size\":0.5,\"write_feature_map_size\":0.4"
#define ODD  "\"read_weight_bias_size\":10,\"read_feature_map_size\":5,\"write_feature_map_size\":4"

static void rows_of_the_json_summary_are_found_wherever_they_are(void **state)
{
    static const struct {
        const char *text;
        roof_run_mode mode;
        uint64_t read;
    } rows[] = {
        {"{\"report\":{\"dpu\":{\"profiling\":{\"DPU_1\":[" ROW("DPU_1", "1", BYTES) "]}}}}", ROOF_RUN_BYPASS,
         1500000},
        {"[" ROW("DPU_1", "2", MEGA) "]", ROOF_RUN_PER_LAYER, 1500000},
        {ROW("DPU_1", "1", ODD), ROOF_RUN_BYPASS, ROOF_UNKNOWN},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m = im_import(rows[i].text, NULL);
        const roof_run *run = im_run(m, 0);
        assert_int_equal(run->mode, rows[i].mode);
        assert_int_equal(run->n_layers, 1);
        assert_int_equal(run->layers[0].counters->read_bytes, rows[i].read);
        assert_int_equal(run->layers[0].counters->workload_ops, 3000000);
        assert_close(run->layers[0].time.mean_s, 0.002, 1e-12);
        assert_int_equal(run->iterations, 10);
        im_want_note(m, "1.9 ms by the hardware's counter");
        roof_measured_free(m);
    }
}

static void damaged_json_summaries_are_refused(void **state)
{
    static const im_bad rows[] = {
        {"cut", "[" ROW("D", "1", BYTES), {0}, ROOF_E_DATA, 1, ""},
        {"no time", "[{\"subg_name\":\"a\"}]", {0}, ROOF_E_DATA, 1, "without avg_time"},
        {"a text",
         "[{\"subg_name\":\"a\",\"avg_time\":\"2\"}]",
         {0},
         ROOF_E_DATA,
         1,
         "avg_time is no number"},
        {"negative",
         "[{\"subg_name\":\"a\",\"avg_time\":-2}]",
         {0},
         ROOF_E_DATA,
         1,
         "/0/avg_time: is negative"},
        {"beyond a double", "[{\"subg_name\":\"a\",\"avg_time\":1e400}]", {0}, ROOF_E_DATA, 1, ""},
        {"NaN", "[{\"subg_name\":\"a\",\"avg_time\":NaN}]", {0}, ROOF_E_DATA, 1, ""},
        {"twice",
         "[{\"subg_name\":\"a\",\"avg_time\":1,\"avg_time\":2}]",
         {0},
         ROOF_E_DATA,
         1,
         "is there twice"},
        {"no name", "[{\"subg_name\":1,\"avg_time\":1}]", {0}, ROOF_E_DATA, 1, "want a string"},
        {"out of order",
         "[{\"subg_name\":\"a\",\"min_time\":3,\"avg_time\":2}]",
         {0},
         ROOF_E_DATA,
         1,
         "not in this order"},
        {"no row", "{\"\\u0073ubg_name\":null}", {.from = "vaitrace_json"}, ROOF_E_DATA, 0, ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
}

/* --- throughput --------------------------------------------------------------------------------------- */

static void throughput_is_a_time_with_one_thread_only(void **state)
{
#define RESULT "FPS= 50 number_of_frames= 3000 time= 60.001 seconds.\n"
    static const struct {
        const char *text;
        double mean_s;
    } rows[] = {
        {"$ xdputil benchmark net.xmodel -i 0 1\n" RESULT, 0.02},
        {"$ xdputil benchmark net.xmodel 4\n" RESULT, NAN},
        {"using 1 thread\n" RESULT, 0.02},
        {"using 2 threads\n" RESULT, NAN},
        {RESULT, NAN},
    };
    static const im_bad bad[] = {
        {"cut", "FPS= 50 number_of_frames= 30", {0}, ROOF_E_DATA, 1, "time is empty"},
        {"contradicts itself",
         "FPS= 50 number_of_frames= 3000 time= 1 seconds.",
         {0},
         ROOF_E_DATA,
         1,
         "are not 50 FPS"},
        {"nothing", "FPS= 0 number_of_frames= 0 time= 1 seconds.", {0}, ROOF_E_DATA, 1, "did it run?"},
        {"NaN", "FPS= -nan number_of_frames= 0 time= 1 seconds.", {0}, ROOF_E_DATA, 1, "FPS is '-nan'"},
        {"twice", RESULT RESULT, {0}, ROOF_E_DATA, 2, "import each by itself"},
        {"no result", "xdputil benchmark net.xmodel 1\n", {0}, ROOF_E_DATA, 0, "no result"},
        {"no layers", RESULT, {.mode = "per_layer"}, ROOF_E_USAGE, 0, "no per_layer run"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m = im_import(rows[i].text, NULL);
        const roof_run *run = im_run(m, 0);
        assert_int_equal(run->iterations, 3000);
        if (isnan(rows[i].mean_s) ? !isnan(run->total.mean_s) : run->total.mean_s != rows[i].mean_s)
            fail_msg("%s: %g", rows[i].text, run->total.mean_s);
        assert_true(im_notes_have(m, "50 frames per second") == isnan(rows[i].mean_s));
        roof_measured_free(m);
    }
    for (size_t i = 0; i < COUNT(bad); i++)
        im_refuse(&bad[i]);
}

static void bandwidth_over_time_is_a_remark_and_no_experiment(void **state)
{
#define PORTS "DDR Bandwidth\ntimestamp,P1_Read,P1_Write,P2_Read,P2_Write,\n"
    static const char text[] =
        "DPU Throughput\ntimestamp,FPS\n1.0,40\n2.0,60\n\n" PORTS "9.0,1,2,3,4,\n8.0,3,4,5,6,\n";
    static const im_bad bad[] = {
        {"nothing recorded",
         "DPU Throughput\ntimestamp,FPS\n\n" PORTS,
         {0},
         ROOF_E_DATA,
         0,
         "import vart_trace.csv"},
        {"cut",
         "DPU Throughput\ntimestamp,FPS\n\n" PORTS "9.0,1,2",
         {0},
         ROOF_E_DATA,
         6,
         "is the file whole?"},
        {"negative", "DPU Throughput\ntimestamp,FPS\n1,-2\n", {0}, ROOF_E_DATA, 3, "want 0 or more"},
        {"no port",
         "DPU Throughput\ntimestamp,FPS\n\nDDR Bandwidth\ntimestamp,x\n",
         {0},
         ROOF_E_DATA,
         5,
         "'x', want a memory port"},
    };
    roof_measured *m = im_import(text, NULL);
    (void)state;
    assert_int_equal(m->n_experiments, 0);
    im_want_note(m, "50 frames per second");
    im_want_note(m, "6 MB/s read and 8 MB/s written");
    roof_measured_free(m);
    for (size_t i = 0; i < COUNT(bad); i++)
        im_refuse(&bad[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_columns_mean_is_found_by_what_agrees),
        cmocka_unit_test(kernels_have_their_times_and_functions_are_remarks),
        cmocka_unit_test(damaged_summaries_are_refused),
        cmocka_unit_test(columns_are_found_by_their_headings_in_every_version),
        cmocka_unit_test(each_core_of_a_table_is_a_run),
        cmocka_unit_test(damaged_tables_are_refused_or_told),
        cmocka_unit_test(rows_of_the_json_summary_are_found_wherever_they_are),
        cmocka_unit_test(damaged_json_summaries_are_refused),
        cmocka_unit_test(throughput_is_a_time_with_one_thread_only),
        cmocka_unit_test(bandwidth_over_time_is_a_remark_and_no_experiment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
