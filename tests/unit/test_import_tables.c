/* Tables of profilers of GPUs, programmable logic and hosts: what is found in each, and what is refused. */
#include "tests/support/table_samples.h"
#include "tests/unit/imported.h"

typedef struct wanted_row {
    const char *name, *type, *device;
    double mean_s;
    uint64_t count;
} wanted_row;

typedef struct wanted {
    const char *text, *tool;
    uint32_t n_runs, run, n_rows;
    wanted_row rows[3];
    const char *note;
} wanted;

static const wanted tools[] = {
    {TS_KERNEL_TRACE,
     "rocprofv3",
     1,
     0,
     2,
     {{"void gemm<float, 4>(float*)", NULL, "GPU", 3e-6, 2}, {"relu", NULL, "GPU", 5e-7, 1}},
     "queues of a device work at the same time"},
    {TS_COPY_TRACE,
     "rocprofv3",
     1,
     0,
     1,
     {{"MEMORY_COPY_HOST_TO_DEVICE", "copy", "GPU", 2.5e-7, 1}},
     "queues of a device"},
    {TS_ROCPROF_V1,
     "rocprofv3",
     1,
     0,
     1,
     {{"conv", NULL, "GPU", 5e-7, 1}},
     "1 execution ends before its begin"},
    {TS_ROCPROF_STATS,
     "rocprofv3",
     1,
     0,
     2,
     {{"hipMalloc", NULL, "CPU", 1e-6, 4}, {"gemm", NULL, "GPU", 5e-7, 2}},
     "1 functions of HIP or HSA ran on the CPU"},
    {TS_ROCPROF_COMPUTE,
     "rocprof_compute",
     1,
     0,
     1,
     {{"copy(double*, int)", NULL, "GPU", 18e-6, 2}},
     "neither a clock nor a rate"},
    {TS_NSYS_SUM,
     "nsys_csv",
     2,
     0,
     2,
     {{"void gemm<float, 4>(float *)", "kernel", "GPU", 1e-4, 30}, {"relu", "kernel", "GPU", 1e-4, 10}},
     "the file has 2 reports of kernels"},
    {TS_NSYS_SUM, "nsys_csv", 2, 1, 1, {{"softmax", "kernel", "GPU", 4e-7, 2}}, "2 reports of kernels"},
    {"Total Time (ns)\tInstances\tAvg (ns)\tName\n600\t2\t300.0\tvoid k<int, 4>(int)\n",
     "nsys_csv",
     1,
     0,
     1,
     {{"void k<int, 4>(int)", "kernel", "GPU", 3e-7, 2}},
     "streams of a device"},
    {TS_NSYS_GPU_SUM,
     "nsys_csv",
     1,
     0,
     3,
     {{"relu", "kernel", "GPU", 3e-7, 2},
      {"[CUDA memset]", "copy", "GPU", 3e-7, 1},
      {"cudaMalloc", "function", "CPU", 1e-7, 1}},
     "streams of a device"},
    {TS_NSYS_TRACE,
     "nsys_csv",
     1,
     0,
     2,
     {{"[CUDA memcpy Host-to-Device]", "copy", "GPU", 2e-6, 1},
      {"void k<int, 4>(int)", "kernel", "GPU", 1.6e-6, 2}},
     "streams of a device"},
    {TS_NCU_LONG,
     "ncu_csv",
     1,
     0,
     2,
     {{"a(int, int)", NULL, "GPU", 2e-3, ROOF_UNKNOWN}, {"b", NULL, "GPU", 5e-4, ROOF_UNKNOWN}},
     "times are not those of production"},
    {TS_NCU_WIDE,
     "ncu_csv",
     1,
     0,
     1,
     {{"a", NULL, "GPU", 117.344e-6, ROOF_UNKNOWN}},
     "numbers are read as 1.024,5"},
    {TS_XRT_SUMMARY,
     "xrt_summary",
     1,
     0,
     2,
     {{"load_1", "load", "PL", 5e-4, 2}, {"store_1", "store", "PL", 2.5e-4, 2}},
     "the sum of the rows is no latency"},
    {TS_XRT_TRACE,
     "xrt_device_trace",
     1,
     0,
     2,
     {{"load_1", NULL, "PL", 2.5e-4, 1}, {"store_1", NULL, "PL", 2.5e-4, 1}},
     "store_1: event 5 ends 0.75 ms before its begin"},
    {TS_VTUNE,
     "vtune_csv",
     1,
     0,
     2,
     {{"gemm", NULL, "CPU", 1.5, ROOF_UNKNOWN}, {"relu", NULL, "CPU", 0.25, ROOF_UNKNOWN}},
     "neither of one inference"},
    {TS_ADVISOR,
     "advisor_csv",
     1,
     0,
     2,
     {{"[loop in main at a.c:3]", "Scalar", "CPU", 0.12, ROOF_UNKNOWN},
      {"main", "Function", "CPU", 0.88, ROOF_UNKNOWN}},
     "not of one inference"},
    {TS_STREAMLINE,
     "streamline_csv",
     1,
     0,
     2,
     {{"gemm", NULL, "CPU", NAN, ROOF_UNKNOWN}, {"relu", NULL, "CPU", NAN, ROOF_UNKNOWN}},
     "shares of all samples"},
};

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void want_row(const wanted *w, const roof_measured_layer *got, const wanted_row *row)
{
    bool good = is_same(got->name, row->name) && is_same(got->type, row->type) && got->counters &&
                is_same(got->counters->device, row->device) && got->time.count == row->count &&
                (isnan(row->mean_s) ? isnan(got->time.mean_s)
                                    : fabs(got->time.mean_s - row->mean_s) <= 1e-9 * row->mean_s);
    if (!good)
        fail_msg("%s: '%s' of '%s' on '%s' takes %g s, %lu times", w->tool, got->name,
                 got->type ? got->type : "", got->counters ? got->counters->device : "?", got->time.mean_s,
                 (unsigned long)got->time.count);
}

static void each_tool_is_found_and_its_rows_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(tools); i++) {
        const wanted *w = &tools[i];
        roof_measured *m = im_import(w->text, NULL);
        assert_string_equal(m->sources[0].tool, w->tool);
        const roof_run *run = im_run(m, w->run);
        assert_int_equal(m->experiments[0].n_runs, w->n_runs);
        assert_int_equal(run->mode, ROOF_RUN_PER_LAYER);
        assert_int_equal(run->n_layers, w->n_rows);
        for (uint32_t row = 0; row < w->n_rows; row++)
            want_row(w, &run->layers[row], &w->rows[row]);
        im_want_note(m, w->note);
        roof_measured_free(m);
    }
}

static void a_tool_refuses_what_another_one_wrote(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(tools); i++)
        for (size_t k = 0; k < COUNT(tools); k++) {
            const roof_import_options options = {.from = tools[k].tool};
            roof_measured *m = NULL;
            roof_error err = {0};
            if (strcmp(tools[i].tool, tools[k].tool) == 0)
                continue;
            if (im_try(tools[i].text, &options, &m, &err) != ROOF_E_DATA || !*err.what)
                fail_msg("%s took what %s wrote: %s", tools[k].tool, tools[i].tool, fx_message(&err));
        }
}

static void metrics_of_ncu_are_bytes_cycles_and_operations(void **state)
{
    roof_measured *m = im_import(TS_NCU_LONG, NULL);
    const roof_layer_counters *c = im_run(m, 0)->layers[0].counters;
    const roof_event sm = {.name = "sm", .scope = ROOF_COUNTER_UNIT, .quantity = ROOF_COUNTER_ACTIVE_CYCLES};
    (void)state;
    assert_int_equal(c->total_bytes, 400000000); /* 200 GB/s in 2 ms */
    assert_int_equal(c->bytes_origin, ROOF_BYTES_COUNTER);
    assert_int_equal(c->cycles[0].cycles, 2500000);
    assert_int_equal(counter_find(c->events, c->n_events, &sm), 1000000);
    assert_close(im_run(m, 0)->clocks[0].hz, 1.25e9, 1);
    assert_int_equal(im_run(m, 0)->layers[1].counters->total_bytes, ROOF_UNKNOWN);
    roof_measured_free(m);
    m = im_import(TS_NCU_WIDE, NULL);
    c = im_run(m, 0)->layers[0].counters;
    assert_int_equal(c->read_bytes, 27595520);
    assert_int_equal(c->write_bytes, 1500);
    assert_int_equal(c->workload_ops, 1000 + 2000 + 2 * 4000);
    im_want_note(m, "operations of tensor cores are not counted");
    roof_measured_free(m);
}

/* Named metrics need not have cycles beside them: shares stay shares. */
static void shares_of_ncu_need_no_cycles(void **state)
{
    static const struct {
        const char *unit;
        uint64_t ppm;
    } shares[] = {{"sm", 123400}, {"memory", 910200}, {"l2", ROOF_UNKNOWN}};
    roof_measured *m = im_import(
        "\"ID\",\"Kernel Name\",\"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed\","
        "\"gpu__time_duration.sum\",\"sm__throughput.avg.pct_of_peak_sustained_elapsed\"\n"
        "\"\",\"\",\"%\",\"nsecond\",\"%\"\n\"0\",\"copy\",\"91.02\",\"2,000.5\",\"12.34\"\n",
        NULL);
    const roof_layer_counters *c = im_run(m, 0)->layers[0].counters;
    (void)state;
    for (size_t i = 0; i < COUNT(shares); i++) {
        const roof_event event = {
            .name = shares[i].unit, .scope = ROOF_COUNTER_UNIT, .quantity = ROOF_COUNTER_BUSY_PPM};
        assert_int_equal(counter_find(c->events, c->n_events, &event), shares[i].ppm);
    }
    roof_measured_free(m);
}

/* What one number tells of the locale of the whole file: counts are whole, and thousands come in threes. */
static void numbers_of_ncu_are_read_as_the_whole_file_writes_them(void **state)
{
    static const struct {
        const char *duration, *cycles;
        double seconds; /* 0: refused */
    } rows[] = {{"2,000.5", "7", 2000.5e-9},    {"2.000,5", "7", 2000.5e-9},
                {"2.000.000", "7", 2e-3},       {"117.344", "7", 117.344e-9},
                {"117.34", "7", 117.34e-9},     {"117.344", "1,5", 117344e-9},
                {"1,024.5", "1.024,5", 0},      {"12,34,567", "7", 0},
                {"1234,567", "7", 1234.567e-9}, {"n/a", "7", 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[1000];
        roof_measured *m = NULL;
        roof_error err = {0};
        snprintf(text, sizeof text,
                 "%s" TS_NCU_ROW("0", "a", "Duration", "ns", "%s")
                     TS_NCU_ROW("0", "a", "Elapsed Cycles", "cycle", "%s"),
                 TS_NCU_HEAD, rows[i].duration, rows[i].cycles);
        roof_status status = im_try(text, NULL, &m, &err);
        if (rows[i].seconds > 0 ? status != ROOF_OK : status != ROOF_E_DATA)
            fail_msg("%s and %s: %s", rows[i].duration, rows[i].cycles, fx_message(&err));
        if (status == ROOF_OK)
            assert_close(im_run(m, 0)->layers[0].time.mean_s, rows[i].seconds, 1e-15);
        roof_measured_free(m);
    }
}

static void a_summary_of_xrt_has_bytes_of_each_unit_and_tells_what_is_doubtful(void **state)
{
    static const char *const notes[] = {
        "a host's emulation: the file says 'Flow mode: Hardware Emulation'",
        "the bus is half as wide as expected: load_1/gmem0 has 256 bits, not 512",
        "an unsigned underflow printed as bytes",
        "the clock is half of what was expected: 150 MHz in the file, 300 MHz",
        "the time of all kernels is below 0"};
    const roof_import_options options = {.hardware = "clock=300MHz,mac=1/cycle,ddr=1GB/s"};
    roof_measured *m = im_import(TS_XRT_SUMMARY, &options);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->layers[0].counters->read_bytes, 20480); /* of one of two calls */
    assert_int_equal(run->layers[0].counters->write_bytes, ROOF_UNKNOWN);
    assert_int_equal(run->layers[1].counters->write_bytes, 8192);
    assert_int_equal(run->layers[1].counters->read_bytes, ROOF_UNKNOWN);
    assert_close(run->clocks[0].hz, 150e6, 1);
    assert_int_equal(run->n_doubts, 4); /* every kind that is of a device */
    for (size_t i = 0; i < COUNT(notes); i++)
        im_want_note(m, notes[i]);
    roof_measured_free(m);
}

static void clocks_of_units_that_differ_are_no_clock_of_the_run(void **state)
{
    static const char head[] =
        "Profile Summary\nDevice,Compute Unit,Kernel,Number Of Calls,Average Time (ms),Clock "
        "Frequency (MHz),\n";
    static const struct {
        const char *units;
        double hz; /* 0: none */
    } rows[] = {{"d,a,k,1,1,100,\nd,b,k,1,1,100,\n", 100e6},
                {"d,a,k,1,1,100,\nd,b,k,1,1,200,\nd,c,k,1,1,200,\n", 0},
                {"d,a,k,1,1,,\nd,b,k,1,1,200,\n", 200e6}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[500];
        snprintf(text, sizeof text, "%s%s", head, rows[i].units);
        roof_measured *m = im_import(text, NULL);
        assert_int_equal(im_run(m, 0)->n_clocks, rows[i].hz > 0);
        if (rows[i].hz > 0)
            assert_close(im_run(m, 0)->clocks[0].hz, rows[i].hz, 1);
        else
            im_want_note(m, "clocks are from 100 to 200 MHz, and are left out");
        roof_measured_free(m);
    }
}

static void ends_of_another_unit_or_of_nothing_are_left_out(void **state)
{
    roof_measured *m = im_import(TS_XRT_TRACE, NULL);
    (void)state;
    im_want_note(m, "2 ends without a begin are left out");
    im_want_note(m, "1 events of transfers and stalls are in no row");
    roof_measured_free(m);
}

static const im_bad damaged[] = {
    {"a stamp that is no number",
     "\"Kind\",\"Dispatch_Id\",\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\"\n\"K\",1,\"a\",x,2\n",
     {0},
     ROOF_E_DATA,
     2,
     "Start_Timestamp is 'x'"},
    {"a row that is cut",
     "\"Kind\",\"Dispatch_Id\",\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\"\n\"K\",1,\"a\",1\n",
     {0},
     ROOF_E_DATA,
     2,
     "is the table whole?"},
    {"headings alone",
     "Start (ns),Duration (ns),CorrId,GrdX,Name\n",
     {0},
     ROOF_E_DATA,
     0,
     "no row with a time below the headings Name"},
    {"sizes and no times",
     "Total (MB),Instances,Avg (MB),Name\n1,2,0.5,a\n",
     {.from = "nsys_csv"},
     ROOF_E_DATA,
     0,
     "no rows with Name"},
    {"API calls",
     "\"Domain\",\"Function\",\"Process_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n\"HIP\",\"hipMalloc\",1,"
     "2,3\n",
     {0},
     ROOF_E_DATA,
     0,
     "kernel_trace.csv"},
    {"counters without times",
     "\"Dispatch_Id\",\"Kernel_Name\",\"Counter_Name\",\"Counter_Value\"\n1,\"a\",\"SQ_WAVES\",4\n",
     {0},
     ROOF_E_DATA,
     0,
     "counters of kernels without their times"},
    {"ceilings",
     "device,HBMBw,HBMBwLow,FP32Flops\n0,1388.7,1388.2,20942.4\n",
     {0},
     ROOF_E_DATA,
     0,
     "hardware and no profile"},
    {"tables for people",
     "[6/8] Executing 'cuda_gpu_kern_sum' stats report\n\n Time (%)  Total Time (ns)  Instances\n",
     {0},
     ROOF_E_DATA,
     0,
     "-f csv"},
    {"metrics without units",
     "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\n\"0\",\"a\",\"5\"\n",
     {0},
     ROOF_E_DATA,
     2,
     "want a row of units"},
    {"launches without a duration",
     TS_NCU_HEAD TS_NCU_ROW("0", "a", "Elapsed Cycles", "cycle", "7"),
     {0},
     ROOF_E_DATA,
     0,
     "no launch has a duration"},
    {"a launch that is cut",
     TS_NCU_HEAD "\"0\",\"61\",\"a\"\n",
     {0},
     ROOF_E_DATA,
     2,
     "a row of 3 cells, want 8"},
    {"a transfer in no direction",
     "Profile Summary\nDevice,Compute Unit,Kernel,Number Of Calls,Average Time "
     "(ms)\nd,u,k,1,1\n\nDevice,Compute Unit/Port Name,Transfer Type,Number Of Transfers,Average Size "
     "(KB)\nd,u/p,BOTH,1,1\n",
     {0},
     ROOF_E_DATA,
     6,
     "want READ or WRITE"},
    {"an event of no unit",
     "HEADER\nVTF File Version,1.1\nSTRUCTURE\nGroup_Start,Compute Unit "
     "a,x\nDynamic_Row_Summary,1,x,x\nEVENTS\n1,0,1.0,9,KERNEL,1,1\n",
     {0},
     ROOF_E_DATA,
     7,
     "of no compute unit"},
};

static void damaged_tables_are_refused_at_their_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(damaged); i++)
        im_refuse(&damaged[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_tool_is_found_and_its_rows_are_read),
        cmocka_unit_test(a_tool_refuses_what_another_one_wrote),
        cmocka_unit_test(metrics_of_ncu_are_bytes_cycles_and_operations),
        cmocka_unit_test(shares_of_ncu_need_no_cycles),
        cmocka_unit_test(numbers_of_ncu_are_read_as_the_whole_file_writes_them),
        cmocka_unit_test(a_summary_of_xrt_has_bytes_of_each_unit_and_tells_what_is_doubtful),
        cmocka_unit_test(clocks_of_units_that_differ_are_no_clock_of_the_run),
        cmocka_unit_test(ends_of_another_unit_or_of_nothing_are_left_out),
        cmocka_unit_test(damaged_tables_are_refused_at_their_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
