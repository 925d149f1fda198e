/* Real tables of GPUs and of programmable logic, where ../shared has them: rows, executions and sums that
 * were computed from the files by other means. */
#include "tests/unit/imported.h"
#include "tests/support/skips.h"

static const struct {
    const char *file, *tool;
    uint32_t n_rows;
    uint64_t n_executions;
    double sum_s; /* of all executions */
    const char *note;
} files[] = {
    {"rocprofv3/kernel_trace.csv", "rocprofv3", 3, 7, 0.000795453, "queues of a device"},
    {"rocprofv3/memory_copy_trace.csv", "rocprofv3", 2, 2, 0.00114568, "queues of a device"},
    {"rocprofv3/hip_api_stats.csv", "rocprofv3", 17, 155, 0.308269675, "17 functions of HIP or HSA"},
    {"rocprof_compute/device_filter_MI200.pmc_perf.csv", "rocprof_compute", 1, 3, 0.00005264,
     "neither a clock"},
    {"rocprof_compute/device_filter_MI200.timestamps.csv", "rocprof_compute", 1, 3, 0.00005264,
     "neither a clock"},
    {"rocprof_compute/device_filter_MI300X_A1.pmc_perf.csv", "rocprof_compute", 1, 3, 0.000043159,
     "neither a clock"},
    {"nsys/power_iteration__baseline.sqlite", "nsys_sqlite", 11, 3689 + 89, 1.132064724,
     "streams of a device"},
    {"ncu/copy_blocked.csv", "ncu_csv", 1, 1, 0.021058944, "not those of production"},
    {"xrt/baseline.summary.csv", "xrt_summary", 2, 2, 0.001129697, "the time of all kernels is below 0"},
    {"xrt/ours_0.summary.csv", "xrt_summary", 6, 6, 0.00968353, "no latency"},
    {"xrt/ours_2.summary.csv", "xrt_summary", 2, 2, 0.000816505, "no latency"},
    {"xrt/baseline.device_trace_0.csv", "xrt_device_trace", 2, 2, 0.001129697,
     "event 4244 ends 26.978 ms before"},
};

static roof_measured *import_real(const char *name)
{
    char path[1024];
    roof_measured *m = NULL;
    roof_error err = {0};
    snprintf(path, sizeof path, "%s/data/profiles/%s", shared_folder(), name);
    if (roof_import_file(path, NULL, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return m;
}

static void real_tables_have_all_their_executions(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        roof_measured *m = import_real(files[i].file);
        const roof_run *run = im_run(m, 0);
        uint64_t n = 0;
        double sum_s = 0;
        for (uint32_t k = 0; k < run->n_layers; k++) {
            const roof_times *t = &run->layers[k].time;
            uint64_t count = t->count == ROOF_UNKNOWN ? 1 : t->count;
            n += count;
            sum_s += t->mean_s * (double)count;
        }
        if (strcmp(m->sources[0].tool, files[i].tool) != 0 || run->n_layers != files[i].n_rows ||
            n != files[i].n_executions || !(fabs(sum_s - files[i].sum_s) <= 1e-6 * files[i].sum_s))
            fail_msg("%s: %s, %u rows, %lu executions, %.12g s", files[i].file, m->sources[0].tool,
                     run->n_layers, (unsigned long)n, sum_s);
        im_want_note(m, files[i].note);
        roof_measured_free(m);
    }
}

static void bytes_and_clocks_are_those_of_the_files(void **state)
{
    (void)state;
    roof_measured *m = import_real("xrt/baseline.summary.csv");
    const roof_run *run = im_run(m, 0);
    assert_int_equal(run->layers[0].counters->read_bytes + run->layers[1].counters->read_bytes, 4259840);
    assert_int_equal(run->layers[1].counters->write_bytes, 4194304);
    assert_close(run->clocks[0].hz, 350e6, 1);
    roof_measured_free(m);
    m = import_real("ncu/copy_blocked.csv");
    run = im_run(m, 0);
    assert_close((double)run->layers[0].counters->total_bytes, 4137159648, 1);
    assert_int_equal(run->layers[0].counters->cycles[0].cycles, 12319469);
    assert_close(run->clocks[0].hz, 584998877.44, 0.01);
    roof_measured_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_tables_have_all_their_executions),
        cmocka_unit_test(bytes_and_clocks_are_those_of_the_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
