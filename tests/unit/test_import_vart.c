/* VART's own traces: the raw one and vart_trace.csv. The texts are invented and follow the grammar of the real ones. */
#include "tests/unit/imported.h"

#define INFO                                                                                                 \
    "#SECTION:INFO;\nclassname:dpu-controller;cu_core_id:0;cu_full_name:DPUCZDX8G:DPUCZDX8G_1;\n#SECTION:"   \
    "TRACE;\n"
#define RUN(depth, pid, name, work)                                                                          \
    "batch:1;classname:dpu-runner;cpu_id:1;depth:" depth ";pid:" pid ";subgraph:" name                       \
    ";ts:0.000000070;workload:" work ";\n"
#define START(pid, core, ts)                                                                                 \
    "classname:dpu-controller;cpu_id:1;device_core_idx:" core ";event_state:1;pid:" pid ";ts:" ts ";\n"
#define END(pid, core, ts)                                                                                   \
    "classname:dpu-controller;cpu_id:1;device_core_idx:" core ";event_state:0;pid:" pid ";ts:" ts ";\n"
#define COUNTED(pid, core, ts, cycles)                                                                       \
    "classname:dpu-controller;device_core_idx:" core ";event_state:0;hwconuter:" cycles ";pid:" pid          \
    ";ts:" ts ";\n"
#define CALL(depth, name, work, from, to) RUN(depth, "7", name, work) START("7", "0", from) END("7", "0", to)

static void a_launch_is_from_start_to_end_under_the_name_that_was_announced(void **state)
{
    static const char text[] =
        INFO CALL("2", "a:b;c", "100", "1.0", "1.5") CALL("2", "d", "200", "2.0", "2.25")
            CALL("2", "a:b;c", "100", "3.0", "3.7") CALL("2", "d", "200", "4.0", "4.5");
    roof_measured *m = im_import(text, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->mode, ROOF_RUN_PER_LAYER);
    assert_int_equal(run->n_layers, 2);
    assert_string_equal(run->layers[0].name, "a:b;c");
    assert_int_equal(run->layers[0].index, 1);
    assert_int_equal(run->layers[0].counters->workload_ops, 100);
    assert_close(run->layers[0].time.samples_s[1], 0.7, 1e-12);
    assert_close(run->layers[1].time.mean_s, 0.375, 1e-12);
    assert_int_equal(run->boundaries, 2);
    assert_int_equal(run->launches, 2);
    assert_int_equal(run->iterations, 2);
    assert_true(isnan(run->total.mean_s)); /* layers alone are not an inference */
    assert_close(run->sum_of_layers_s, 0.6 + 0.375, 1e-12);
    assert_string_equal(m->sources[0].tool, "vart_raw");
    roof_measured_free(m);
}

static void whole_subgraphs_and_layers_are_two_runs_even_under_one_name(void **state)
{
    static const char text[] = INFO CALL("1", "conv", "300", "0.0", "0.1")
        CALL("2", "conv", "100", "1.0", "1.2") CALL("1", "conv", "300", "2.0", "2.1");
    roof_measured *m = im_import(text, NULL);
    const roof_run *bypass = im_run(m, 0), *layers = im_run(m, 1);
    (void)state;
    assert_int_equal(bypass->mode, ROOF_RUN_BYPASS);
    assert_int_equal(bypass->total.count, 2);
    assert_close(bypass->total.mean_s, 0.1, 1e-12);
    assert_int_equal(bypass->boundaries, ROOF_NONE);
    assert_int_equal(layers->mode, ROOF_RUN_PER_LAYER);
    assert_close(layers->layers[0].time.mean_s, 0.2, 1e-12);
    im_want_note(m, "without what the CPU does");
    roof_measured_free(m);
}

static void the_total_of_a_bypass_run_is_the_sum_over_each_cycle(void **state)
{
    static const char text[] = INFO CALL("1", "a", "1", "0.0", "0.1") CALL("1", "b", "2", "1.0", "1.2")
        CALL("1", "a", "1", "2.0", "2.3") CALL("1", "b", "2", "3.0", "3.4");
    roof_measured *m = im_import(text, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->total.count, 2);
    assert_close(run->total.samples_s[0], 0.3, 1e-12);
    assert_close(run->total.samples_s[1], 0.7, 1e-12);
    assert_int_equal(run->launches, 2);
    roof_measured_free(m);
}

static void a_name_twice_in_an_inference_is_two_rows_by_order(void **state)
{
    static const char text[] = INFO CALL("2", "a", "1", "0.0", "0.1") CALL("2", "b", "2", "1.0", "1.2")
        CALL("2", "a", "1", "2.0", "2.5") CALL("2", "c", "3", "3.0", "3.1") CALL("2", "a", "1", "4.0", "4.1")
            CALL("2", "b", "2", "5.0", "5.2") CALL("2", "a", "1", "6.0", "6.5")
                CALL("2", "c", "3", "7.0", "7.1");
    static const double want[] = {0.1, 0.2, 0.5, 0.1};
    static const char *const names[] = {"a", "b", "a", "c"};
    roof_measured *m = im_import(text, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->n_layers, COUNT(want));
    for (uint32_t i = 0; i < COUNT(want); i++) {
        assert_string_equal(run->layers[i].name, names[i]);
        assert_int_equal(run->layers[i].index, i + 1);
        assert_int_equal(run->layers[i].time.count, 2);
        assert_close(run->layers[i].time.mean_s, want[i], 1e-12);
    }
    roof_measured_free(m);
}

static void threads_and_cores_that_interleave_are_matched_each_by_itself(void **state)
{
    static const char text[] = INFO RUN("1", "7", "a", "1") START("7", "0", "1.0") RUN("1", "8", "b", "2")
        START("8", "1", "1.1") END("7", "0", "1.5") END("8", "1", "1.2") RUN("1", "7", "a", "1")
            START("7", "1", "2.0") END("7", "1", "2.5");
    roof_measured *m = im_import(text, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->n_layers, 2);
    assert_close(run->layers[0].time.mean_s, 0.5, 1e-12);
    assert_close(run->layers[1].time.mean_s, 0.1, 1e-9);
    assert_int_equal(run->launches, ROOF_NONE); /* the threads run different networks */
    im_want_note(m, "2 cores");
    roof_measured_free(m);
}

static void what_has_no_partner_is_counted_and_left_out(void **state)
{
    static const struct {
        const char *what, *text, *words;
    } rows[] = {
        {"the ring buffer lost the beginning", END("7", "0", "0.5"), "left out: ends without a start"},
        {"and the announcement", START("7", "0", "0.1") END("7", "0", "0.5"),
         "left out: starts of which it is not told"},
        {"it was stopped", RUN("1", "7", "a", "1") START("7", "0", "0.6"), "left out: starts without an end"},
        {"started twice",
         RUN("1", "7", "a", "1") RUN("1", "7", "a", "1") START("7", "0", "0.6") START("7", "0", "0.7")
             END("7", "0", "0.8"),
         "left out: starts without an end"},
        {"two different ones pending",
         RUN("1", "7", "a", "1") RUN("1", "7", "b", "1") START("7", "0", "0.6") END("7", "0", "0.7"),
         "left out: launches that a thread announced"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[4096];
        snprintf(text, sizeof text, "%s%s%s", INFO CALL("1", "z", "9", "0.0", "0.1"), rows[i].text, "");
        roof_measured *m = im_import(text, NULL);
        im_want_note(m, rows[i].words);
        assert_close(im_run(m, 0)->layers[0].time.mean_s, 0.1, 0);
        roof_measured_free(m);
    }
}

/* The ring buffer loses the oldest events of most long runs. */
static void a_cycle_is_seen_where_its_beginning_is_lost(void **state)
{
    static const char text[] = INFO END("7", "0", "0.5") CALL("2", "b", "2", "1.0", "1.2")
        CALL("2", "a", "1", "2.0", "2.1") CALL("2", "b", "2", "3.0", "3.2") CALL("2", "a", "1", "4.0", "4.1")
            CALL("2", "b", "2", "5.0", "5.2");
    roof_measured *m = im_import(text, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->boundaries, 2);
    assert_int_equal(run->iterations, 3);
    assert_int_equal(run->layers[0].index, ROOF_NONE);
    assert_close(run->sum_of_layers_s, 0.3, 1e-12);
    roof_measured_free(m);
}

static void cycles_of_the_hardware_are_of_the_axilite_clock(void **state)
{
    static const char text[] = INFO RUN("1", "7", "a", "1") START("7", "0", "1")
        COUNTED("7", "0", "2", "1000") RUN("1", "7", "a", "1") START("7", "0", "3")
            COUNTED("7", "0", "4", "1003") CALL("1", "b", "1", "5", "6") CALL("1", "b", "1", "7", "8");
    roof_measured *m = im_import(text, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->layers[0].counters->n_cycles, 1);
    assert_string_equal(run->layers[0].counters->cycles->domain, "axilite");
    assert_int_equal(run->layers[0].counters->cycles->cycles, 1002);
    assert_int_equal(run->layers[1].counters->n_cycles, 0);
    im_want_note(m, "axilite");
    roof_measured_free(m);
}

static void damaged_raw_traces_are_refused(void **state)
{
    static const im_bad rows[] = {
        {"cut in a line",
         INFO "batch:1;classname:dpu-runner;dep",
         {0},
         ROOF_E_DATA,
         4,
         "was the file cut here?"},
        {"no pairs", INFO "hello;\n", {0}, ROOF_E_DATA, 4, "want \"key:value;\" pairs"},
        {"no name at all",
         INFO "batch:1;classname:dpu-runner;depth:1;\n",
         {0},
         ROOF_E_DATA,
         4,
         "no 'subgraph'"},
        {"forty pairs",
         INFO "a:1;b:2;c:3;d:4;e:5;f:6;g:7;h:8;i:9;j:10;a:1;b:2;c:3;d:4;e:5;f:6;g:7;h:8;i:9;j:10;"
              "a:1;b:2;c:3;d:4;e:5;f:6;g:7;h:8;i:9;j:10;a:1;b:2;c:3;d:4;e:5;f:6;g:7;h:8;i:9;j:10;\n",
         {0},
         ROOF_E_LIMIT,
         4,
         "more than 32 pairs"},
        {"no class", INFO "a:b;\n", {0}, ROOF_E_DATA, 4, "without classname"},
        {"NaN", INFO CALL("1", "a", "1", "nan", "1"), {0}, ROOF_E_DATA, 5, "ts is 'nan', want a number"},
        {"negative", INFO CALL("1", "a", "1", "-1", "1"), {0}, ROOF_E_DATA, 5, "want 0 or more"},
        {"beyond a double",
         INFO CALL("1", "a", "1", "1e400", "1"),
         {0},
         ROOF_E_DATA,
         5,
         "beyond the largest"},
        {"empty", INFO CALL("1", "a", "1", "", "1"), {0}, ROOF_E_DATA, 5, "ts is empty"},
        {"ends before it starts",
         INFO CALL("1", "a", "1", "2", "1"),
         {0},
         ROOF_E_DATA,
         6,
         "before its start"},
        {"another depth", INFO CALL("3", "a", "1", "1", "2"), {0}, ROOF_E_DATA, 4, "depth is 3"},
        {"a negative workload", INFO CALL("1", "a", "-1", "1", "2"), {0}, ROOF_E_DATA, 4, "workload is '-1'"},
        {"no name", INFO CALL("1", "", "1", "1", "2"), {0}, ROOF_E_DATA, 4, "an empty name"},
        {"control characters",
         INFO CALL("1", "a\033", "1", "1", "2"),
         {0},
         ROOF_E_DATA,
         4,
         "control characters"},
        {"another state",
         INFO "classname:dpu-controller;device_core_idx:0;event_state:2;pid:1;ts:1;\n",
         {0},
         ROOF_E_DATA,
         4,
         "event_state is 2"},
        {"nothing ran", INFO, {0}, ROOF_E_DATA, 0, "no launch"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
}

/* --- vart_trace.csv ----------------------------------------------------------------------------------- */

#define HEAD                                                                                                 \
    "HEADER\nVTF File Version,1.0\nPID,9\nResolution,ms\n\nSTRUCTURE\nGroup_Start,DPU\nGroup_End,DPU\n\n"    \
    "MAPPING\n1,\n2,net, second part\n3,conv\n4,pool\n\nEVENTS\n"
#define EVENT(id, start, ms, name, gop)                                                                      \
    id "," start "," ms ",1,VART_RUNNER," name ",9,1," gop ",0.0,3,1,1,,\n"

static void an_end_refers_to_its_start_and_times_are_ms(void **state)
{
    static const char text[] =
        HEAD EVENT("1", "0", "1.0", "2", "8.2") "2,0,1.1,2,API,2,9,,\n" EVENT("3", "0", "1.5", "2", "8.2")
            EVENT("4", "3", "1.75", "2", "8.2") EVENT("5", "1", "3.0", "2", "8.2");
    roof_measured *m = im_import(text, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->mode, ROOF_RUN_BYPASS);
    assert_int_equal(run->n_layers, 1);
    assert_string_equal(run->layers[0].name, "net, second part");
    assert_close(run->layers[0].time.samples_s[0], 0.00025, 1e-12);
    assert_close(run->layers[0].time.samples_s[1], 0.002, 1e-12);
    assert_int_equal(run->layers[0].counters->workload_ops, 8200000000);
    assert_int_equal(run->total.count, 2);
    im_want_note(m, "events of functions on the CPU (1)");
    im_want_note(m, "--mode per_layer says otherwise");
    roof_measured_free(m);
}

static void the_mode_is_guessed_by_the_rows_unless_it_is_given(void **state)
{
    static const char three[] = HEAD EVENT("1", "0", "1", "2", "0.0") EVENT("2", "1", "2", "2", "0.0")
        EVENT("3", "0", "3", "3", "0.1") EVENT("4", "3", "4", "3", "0.1") EVENT("5", "0", "5", "4", "0.1")
            EVENT("6", "5", "6", "4", "0.1");
    const roof_import_options given = {.mode = "bypass"};
    (void)state;
    roof_measured *m = im_import(three, NULL);
    assert_int_equal(im_run(m, 0)->mode, ROOF_RUN_PER_LAYER);
    assert_int_equal(im_run(m, 0)->boundaries, 3);
    assert_int_equal(im_run(m, 0)->layers[0].counters->workload_ops, ROOF_UNKNOWN); /* printed as 0.0 */
    roof_measured_free(m);
    m = im_import(three, &given);
    assert_int_equal(im_run(m, 0)->mode, ROOF_RUN_BYPASS);
    assert_false(im_notes_have(m, "does not tell"));
    roof_measured_free(m);
}

static void damaged_traces_are_refused_or_told(void **state)
{
    static const im_bad rows[] = {
        {"cut in an event", HEAD "1,0,1.", {0}, ROOF_E_DATA, 17, "is the file whole?"},
        {"cut in a run", HEAD "1,0,1.0,1,VART_RUNNER,2", {0}, ROOF_E_DATA, 17, "is the file whole?"},
        {"cut before the events",
         "HEADER\nVTF File Version,1.0\nGroup_Start,DPU\n",
         {0},
         ROOF_E_DATA,
         0,
         "no section EVENTS"},
        {"no event", HEAD, {0}, ROOF_E_DATA, 0, "want VART_RUNNER events"},
        {"NaN", HEAD EVENT("1", "0", "nan", "2", "1"), {0}, ROOF_E_DATA, 17, "the time is 'nan'"},
        {"negative", HEAD EVENT("1", "0", "-1", "2", "1"), {0}, ROOF_E_DATA, 17, "want 0 or more"},
        {"beyond a double", HEAD EVENT("1", "0", "1e400", "2", "1"), {0}, ROOF_E_DATA, 17, "beyond"},
        {"a name that is not there",
         HEAD EVENT("1", "0", "1", "9", "1"),
         {0},
         ROOF_E_DATA,
         17,
         "name 9 is not in MAPPING"},
        {"back in time",
         HEAD EVENT("1", "0", "2", "2", "1") EVENT("2", "1", "1", "2", "1"),
         {0},
         ROOF_E_DATA,
         18,
         "before its start"},
        {"a number twice",
         "HEADER\nVTF File Version,1.0\nGroup_Start,DPU\nMAPPING\n2,a\n2,b\nEVENTS\n",
         {0},
         ROOF_E_DATA,
         6,
         "two names of number 2"},
        {"another resolution",
         "HEADER\nVTF File Version,1.0\nResolution,min\nGroup_Start,DPU\n",
         {0},
         ROOF_E_DATA,
         3,
         "want Resolution,ms"},
        {"no mode",
         HEAD EVENT("1", "0", "1", "2", "1") EVENT("2", "1", "2", "2", "1"),
         {.mode = "both"},
         ROOF_E_USAGE,
         0,
         "no mode 'both'"},
    };
    static const char unmatched[] = HEAD EVENT("1", "7", "1", "2", "1") EVENT("2", "0", "2", "2", "1")
        EVENT("3", "2", "4", "2", "1") EVENT("5", "0", "5", "2", "1");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
    roof_measured *m = im_import(unmatched, NULL);
    im_want_note(m, "starts without an end (1) and ends without a start (1) are left out");
    assert_int_equal(im_run(m, 0)->layers[0].time.count, 1);
    roof_measured_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch_is_from_start_to_end_under_the_name_that_was_announced),
        cmocka_unit_test(whole_subgraphs_and_layers_are_two_runs_even_under_one_name),
        cmocka_unit_test(the_total_of_a_bypass_run_is_the_sum_over_each_cycle),
        cmocka_unit_test(a_name_twice_in_an_inference_is_two_rows_by_order),
        cmocka_unit_test(threads_and_cores_that_interleave_are_matched_each_by_itself),
        cmocka_unit_test(what_has_no_partner_is_counted_and_left_out),
        cmocka_unit_test(a_cycle_is_seen_where_its_beginning_is_lost),
        cmocka_unit_test(cycles_of_the_hardware_are_of_the_axilite_clock),
        cmocka_unit_test(damaged_raw_traces_are_refused),
        cmocka_unit_test(an_end_refers_to_its_start_and_times_are_ms),
        cmocka_unit_test(the_mode_is_guessed_by_the_rows_unless_it_is_given),
        cmocka_unit_test(damaged_traces_are_refused_or_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
