/* Traces in Chrome's format by the tools that write them: what becomes rows, what an inference is, and what is left out. */
#include "tests/support/trace_samples.h"
#include "measure/profile/counter.h"
#include "tests/unit/imported.h"

typedef struct row_want {
    const char *name;
    uint64_t count;
    double mean_s;
    uint32_t executions;
} row_want;

static void want_rows(const roof_run *run, const row_want *rows, uint32_t n)
{
    assert_int_equal(run->n_layers, n);
    assert_int_equal(run->mode, ROOF_RUN_PER_LAYER);
    for (uint32_t i = 0; i < n; i++) {
        const roof_measured_layer *l = &run->layers[i];
        assert_string_equal(l->name, rows[i].name);
        assert_int_equal(l->time.count, rows[i].count);
        assert_close(l->time.mean_s, rows[i].mean_s, 1e-15);
        assert_int_equal(l->executions, rows[i].executions);
    }
}

static void kernels_belong_to_the_step_that_launched_them(void **state)
{
    static const row_want rows[] = {{"gemm", 4, 5e-6, 2}, {"void relu<\"x\">", 2, 1.5e-6, 1}};
    roof_measured *m = im_import(KINETO_TRACE, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_string_equal(m->sources[0].tool, "kineto");
    want_rows(run, rows, COUNT(rows));
    assert_int_equal(run->iterations, 2);
    assert_int_equal(run->launches, 3);
    assert_close(run->sum_of_layers_s, 11.5e-6, 1e-15);
    assert_close(run->layers[0].time.samples_s[0], 4.5e-6, 1e-18);
    assert_string_equal(run->layers[0].counters->device, "GPU");
    im_want_note(m, "3 steps are marked, and in 2 of them there are launches");
    im_want_note(m, "1 copies and fills of the device's memory take 0.003 ms");
    im_want_note(m, "the first device is a GPU");
    im_want_note(m, "0.023 ms in sum, and 0.043 ms from the first to the last");
    roof_measured_free(m);
}

static void launches_outside_of_steps_leave_iterations_unknown(void **state)
{
    roof_measured *m = im_import(KINETO_HEAD KINETO_LAUNCH("01") KINETO_STEP("1", "10") KINETO_LAUNCH("11")
                                     KINETO_EVENT("kernel", "gemm", "0", "7", "12", "4") KINETO_TAIL,
                                 NULL);
    (void)state;
    assert_int_equal(im_run(m, 0)->iterations, ROOF_UNKNOWN);
    assert_true(isnan(im_run(m, 0)->sum_of_layers_s));
    im_want_note(m, "some launches are outside of all steps");
    roof_measured_free(m);
}

static void steps_of_the_host_count_when_an_operator_began_in_them(void **state)
{
    static const struct {
        const char *text;
        uint64_t iterations;
        const char *note;
    } rows[] = {
        {KINETO_HEAD KINETO_STEP("1", "00") KINETO_CPU KINETO_STEP("2", "20") KINETO_TAIL, 1,
         "2 steps are marked, and in 1 of them there are operators"},
        {KINETO_HEAD KINETO_CPU KINETO_STEP("1", "02") KINETO_TAIL, ROOF_UNKNOWN,
         "some operators are outside of all steps"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m = im_import(rows[i].text, NULL);
        assert_int_equal(im_run(m, 0)->iterations, rows[i].iterations);
        im_want_note(m, rows[i].note);
        roof_measured_free(m);
    }
}

/* Which rows there are of traces without a kernel. */
static void the_best_that_there_is_becomes_rows(void **state)
{
    static const struct {
        const char *text, *device, *note;
        uint32_t n;
        row_want rows[2];
    } rows[] = {
        {"[" KINETO_EVENT("kernel", "gemm", "0", "7", "05", "4"),
         "GPU",
         "rows are kernels",
         1,
         {{"gemm", 1, 4e-6, 1}}},
        {KINETO_HEAD KINETO_CPU KINETO_TAIL,
         "CPU",
         "no event of a device",
         2,
         {{"aten::linear", 2, 5.125e-6, 1}, {"aten::addmm", 1, 4.25e-6, 1}}},
        {KINETO_HEAD KINETO_CPU KINETO_EVENT("mtia_ccp_events", "fc", "0", "1", "05", "7") KINETO_TAIL,
         "MTIA",
         "events of the accelerator",
         1,
         {{"fc", 1, 7e-6, 1}}},
        {KINETO_HEAD KINETO_CPU KINETO_EVENT("cuda_profiler_range", "fc", "0", "1", "05", "7") KINETO_TAIL,
         "GPU",
         "runs kernels again for every group of counters",
         1,
         {{"fc", 1, 7e-6, 1}}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m = im_import(rows[i].text, NULL);
        want_rows(im_run(m, 0), rows[i].rows, rows[i].n);
        assert_string_equal(im_run(m, 0)->layers[0].counters->device, rows[i].device);
        im_want_note(m, rows[i].note);
        roof_measured_free(m);
    }
}

static void the_first_inference_of_a_session_is_a_warm_up(void **state)
{
    static const row_want rows[] = {{"conv", 2, 41e-6, 1}, {"body", 2, 3.5e-6, 1}, {"loop", 2, 5.5e-6, 1}};
    roof_measured *m = im_import(ORT_TRACE, NULL);
    const roof_run *run = im_run(m, 0);
    const roof_layer_counters *c = run->layers[0].counters;
    (void)state;
    assert_string_equal(m->sources[0].tool, "onnxruntime");
    want_rows(run, rows, COUNT(rows));
    assert_int_equal(run->iterations, 2);
    assert_int_equal(run->warmup, 1);
    assert_close(run->sum_of_layers_s, 50e-6, 1e-15);
    assert_close(run->total.mean_s, 63e-6, 1e-15);
    assert_string_equal(run->layers[0].type, "Conv");
    assert_string_equal(c->device, "CPU");
    assert_int_equal(c->read_bytes, 100);
    assert_int_equal(c->write_bytes, 128);
    assert_int_equal(c->bytes_origin, ROOF_BYTES_STATIC);
    im_want_note(m, "the first model_run took 1 ms, is a warm-up and left out");
    roof_measured_free(m);
}

static void sessions_of_one_run_or_none_keep_what_they_have(void **state)
{
    roof_measured *m = im_import(ORT_HEAD ORT_RUN("10", "48", "20", "45", "1000"), NULL);
    (void)state;
    assert_int_equal(im_run(m, 0)->n_layers, 3);
    assert_int_equal(im_run(m, 0)->warmup, 0);
    im_want_note(m, "only one model_run, which warms up");
    roof_measured_free(m);
    m = im_import(ORT_HEAD ORT_NODE("conv", "Conv", "20", "7") ORT_NODE("conv", "Conv", "40", "9"), NULL);
    assert_int_equal(im_run(m, 0)->layers[0].time.count, 2);
    assert_int_equal(im_run(m, 0)->iterations, ROOF_UNKNOWN);
    im_want_note(m, "no model_run");
    roof_measured_free(m);
}

static void nodes_of_a_gpu_are_said_to_be_timed_by_the_host(void **state)
{
    roof_measured *m =
        im_import(ORT_HEAD ORT_EVENT("Node", "a_kernel_time", "2", "20", "7",
                                     "\"op_name\" : \"Conv\",\"provider\" : \"CUDAExecutionProvider\"")
                      ORT_EVENT("Kernel", "cudnn", "2", "21", "5", ""),
                  NULL);
    (void)state;
    assert_string_equal(im_run(m, 0)->layers[0].counters->device, "CUDA");
    assert_int_equal(im_run(m, 0)->layers[0].counters->read_bytes, ROOF_UNKNOWN);
    im_want_note(m, "1 rows run on a GPU");
    im_want_note(m, "1 events of a GPU's kernels are left out");
    roof_measured_free(m);
}

static void devices_are_timed_once_of_all_lines_that_have_their_time(void **state)
{
    static const row_want kernels[] = {{"sgemm", 2, 5e-6, 1}},
                          operators[] = {{"while", 1, 4e-6, 1}, {"fusion.1", 1, 6e-6, 1}};
    roof_measured *m = im_import(TF_GPU, NULL);
    (void)state;
    assert_string_equal(m->sources[0].tool, "tensorflow");
    want_rows(im_run(m, 0), kernels, 1);
    assert_string_equal(im_run(m, 0)->layers[0].counters->device, "GPU");
    im_want_note(m, "3 events of the host, and of lines that have the same time again");
    roof_measured_free(m);
    m = im_import(TF_TPU, NULL);
    want_rows(im_run(m, 0), operators, 2);
    assert_string_equal(im_run(m, 0)->layers[0].counters->device, "TPU");
    roof_measured_free(m);
}

static void kernels_of_nsight_are_not_counted_again_by_their_ranges(void **state)
{
    static const row_want rows[] = {{"gemv", 2, 1.5e-6, 1}, {"axpy", 1, 2e-6, 1}};
    roof_measured *m = im_import(NSIGHTFUL_TRACE, NULL);
    (void)state;
    assert_string_equal(m->sources[0].tool, "nsightful");
    want_rows(im_run(m, 0), rows, COUNT(rows));
    im_want_note(m, "2 events of the host and of ranges are left out");
    roof_measured_free(m);
}

static uint64_t busy_cycles(const roof_measured_layer *l, const char *engine)
{
    const roof_event wanted = {
        .name = engine, .scope = ROOF_COUNTER_UNIT, .quantity = ROOF_COUNTER_ACTIVE_CYCLES};
    return counter_find(l->counters->events, l->counters->n_events, &wanted);
}

static void the_clock_of_an_ipu_is_told_from_cycles_and_durations(void **state)
{
    static const row_want rows[] = {{"0_CONV", 2, 105e-6, 1}, {"1_POOL", 2, 50e-6, 1}};
    roof_measured *m = im_import(SIGMASTAR_TRACE, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_string_equal(m->sources[0].tool, "sigmastar_timeline");
    want_rows(run, rows, COUNT(rows));
    assert_string_equal(run->layers[1].type, "POOL");
    assert_int_equal(run->n_clocks, 1);
    assert_string_equal(run->clocks[0].domain, "ipu");
    assert_close(run->clocks[0].hz, 800e6, 1e-3);
    assert_int_equal(run->layers[0].counters->cycles[0].cycles, 84000);
    assert_int_equal(busy_cycles(&run->layers[0], "conv"), 59280); /* of 56960 and 61600 */
    assert_int_equal(busy_cycles(&run->layers[0], "vector"), 2520);
    assert_int_equal(busy_cycles(&run->layers[0], "load"), 40200);
    assert_int_equal(busy_cycles(&run->layers[1], "store"), 5000);
    assert_int_equal(im_run(m, 1)->n_layers, 1); /* a core of its own, from a begin and an end */
    assert_close(im_run(m, 1)->layers[0].time.mean_s, 100e-6, 1e-15);
    assert_int_equal(busy_cycles(&im_run(m, 1)->layers[0], "conv"), 40000);
    im_want_note(m, "durations are cycles at 800 MHz, which is assumed where -f names none");
    im_want_note(m, "run 2 is of core1");
    roof_measured_free(m);
}

static void another_clock_and_one_that_changes_are_told(void **state)
{
    static const struct {
        const char *text, *note;
    } rows[] = {
        {"[" SIGMASTAR_EVENT("a", "0", "1", "100", "90000", "1", "1"), "at 900 MHz, as -f named it"},
        {"[" SIGMASTAR_EVENT("a", "0", "1", "100", "90000", "1",
                             "1") "," SIGMASTAR_EVENT("b", "0", "200", "100", "80000", "1", "1"),
         "800 to 900 MHz, so the clock is not certain"},
        {"[" SIGMASTAR_EVENT("a", "0", "1", "0", "90000", "1", "1"), "the clock is not known"},
        {"[" SIGMASTAR_EVENT("a", "0", "1", "100", "90000", "1", "1") ",{\"ph\":\"X\",\"ts\":1,\"dur\":1}",
         "1 events without total_cycle are left out"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m = im_import(rows[i].text, &(roof_import_options){.from = "sigmastar_timeline"});
        im_want_note(m, rows[i].note);
        roof_measured_free(m);
    }
}

static void broken_events_are_refused(void **state)
{
    static const im_bad rows[] = {
        {"kineto without events",
         KINETO_HEAD KINETO_TAIL,
         {.from = "kineto"},
         ROOF_E_DATA,
         0,
         "no event that PyTorch's"},
        {"kernel without a name",
         KINETO_HEAD KINETO_EVENT("kernel", "", "0", "7", "1", "1") KINETO_TAIL,
         {.from = "kineto"},
         ROOF_E_DATA,
         0,
         "an empty name"},
        {"a size that is none",
         ORT_HEAD ORT_EVENT("Node", "a_kernel_time", "1", "1", "1", "\"output_size\":\"x\""),
         {.from = "onnxruntime"},
         ROOF_E_DATA,
         0,
         "output_size is 'x', want a number"},
        {"a session without nodes", ORT_HEAD "]", {.from = "onnxruntime"}, ROOF_E_DATA, 0, "no node, want"},
        {"a host alone",
         TF_HEAD TF_NAME("process_name", "7", "0", "/host:CPU") TF_NAME("thread_name", "7", "1", "python")
             TF_EVENT("7", "1", "a", "1", "1") "{}]}",
         {0},
         ROOF_E_DATA,
         0,
         "no event of a device"},
        {"no kernel",
         "[" NSIGHTFUL_EVENT("nvtx", "a", "t", "1", "1") "]",
         {.from = "nsightful"},
         ROOF_E_DATA,
         0,
         "no kernel, want"},
        {"parts of a cycle",
         "[" SIGMASTAR_EVENT("a", "0", "1", "1", "1.5", "1", "1"),
         {0},
         ROOF_E_DATA,
         0,
         "total_cycle"},
        {"more than all",
         "[" SIGMASTAR_EVENT("a", "0", "1", "1", "1", "101", "1"),
         {0},
         ROOF_E_DATA,
         0,
         "want at most 100"},
        {"no layer", "[{}]", {.from = "sigmastar_timeline"}, ROOF_E_DATA, 0, "no layer, want"},
        {"bypass of a timeline", SIGMASTAR_TRACE, {.mode = "bypass"}, ROOF_E_USAGE, 0, "no bypass run"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
}

static void no_other_importer_takes_these_traces(void **state)
{
    static const struct {
        const char *id, *text;
    } rows[] = {{"kineto", KINETO_TRACE},
                {"kineto", KINETO_HEAD KINETO_CPU KINETO_TAIL},
                {"onnxruntime", ORT_TRACE},
                {"tensorflow", TF_GPU},
                {"tensorflow", TF_TPU},
                {"nsightful", NSIGHTFUL_TRACE},
                {"sigmastar_timeline", SIGMASTAR_TRACE}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t k = 0; roof_importer_name(k); k++) {
            const char *from = roof_importer_name(k);
            roof_measured *m = NULL;
            roof_error err = {0};
            roof_status status = im_try(rows[i].text, &(roof_import_options){.from = from}, &m, &err);
            if ((status == ROOF_OK) != (strcmp(from, rows[i].id) == 0))
                fail_msg("%s of %s: %s", from, rows[i].id, fx_message(&err));
            roof_measured_free(m);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_belong_to_the_step_that_launched_them),
        cmocka_unit_test(launches_outside_of_steps_leave_iterations_unknown),
        cmocka_unit_test(steps_of_the_host_count_when_an_operator_began_in_them),
        cmocka_unit_test(the_best_that_there_is_becomes_rows),
        cmocka_unit_test(the_first_inference_of_a_session_is_a_warm_up),
        cmocka_unit_test(sessions_of_one_run_or_none_keep_what_they_have),
        cmocka_unit_test(nodes_of_a_gpu_are_said_to_be_timed_by_the_host),
        cmocka_unit_test(devices_are_timed_once_of_all_lines_that_have_their_time),
        cmocka_unit_test(kernels_of_nsight_are_not_counted_again_by_their_ranges),
        cmocka_unit_test(the_clock_of_an_ipu_is_told_from_cycles_and_durations),
        cmocka_unit_test(another_clock_and_one_that_changes_are_told),
        cmocka_unit_test(broken_events_are_refused),
        cmocka_unit_test(no_other_importer_takes_these_traces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
