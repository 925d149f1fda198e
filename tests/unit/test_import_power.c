/* What power meters and counters of energy write: units, what is left out, what is one's own. The figures are invented. */
#include "tests/unit/imported.h"

#define PERF_HEAD "# started on Mon Jan  5 10:00:00 2026\n\n"
#define PERF_JSON(value, unit, event)                                                                        \
    "{\"counter-value\" : \"" value "\", \"unit\" : \"" unit "\", \"event\" : \"" event                      \
    "\", \"event-runtime\" : 1000, \"pcnt-running\" : 100.00, \"metric-value\" : 0.0}\n"

typedef struct power_row {
    const char *what, *text;
    roof_import_options options;
    double power_w, energy_j, time_s; /* NaN: not known */
    const char *tool, *scope, *note;
} power_row;

static const power_row meters[] = {
    {"milliwatts, and a better time than that of the clock",
     "timestamp,elapsed_s,som_power_mW,som_current_mA,som_voltage_mV\n10:00:00,0,4000,700,5000\n10:00:00,1,"
     "6000,700,5000\n"
     "10:00:03,3,6000,700,5000\n",
     {0},
     17.0 / 3,
     NAN,
     NAN,
     "power_csv",
     "som_power_mW",
     "3 samples in 3 s: 17 J"},
    {"microwatts of hwmon in a table with another separator",
     "time_ms;power1_uW\n0;2000000\n500;4000000\n",
     {0},
     3,
     NAN,
     NAN,
     "power_csv",
     "power1_uW",
     "1.5 J"},
    {"current times voltage",
     "# a sensor\nt_s,bus_V,current_mA\n0,5.0,100\n2,5.0,300\n",
     {0},
     1,
     NAN,
     NAN,
     "power_csv",
     "current_mA",
     "current times voltage"},
    {"a scope that the user names",
     "time_s,power_w\n0,1\n1,1\n",
     {.power_scope = "board"},
     1,
     NAN,
     NAN,
     "power_csv",
     "board",
     "1 J"},
    {"a gap",
     "time_s,power_w\n0,1\n1,1\n2,1\n3,1\n4,1\n5,1\n6,1\n7,1\n8,1\n60,1\n",
     {0},
     1,
     NAN,
     NAN,
     "power_csv",
     "power_w",
     "no sample for 52 s"},
    {"nvidia-smi, with cells that have no value",
     "timestamp, power.draw [W], utilization.gpu [%]\n2026/01/05 10:00:00.000, 40.00 W, 9 %\n2026/01/05 "
     "10:00:00.500, [N/A], 9 "
     "%\n2026/01/05 10:00:01.000, 50.00 W, 9 %\n",
     {0},
     45,
     NAN,
     NAN,
     "nvidia_smi",
     "GPU",
     "1 sample without a value left out"},
    {"nvidia-smi without units in cells",
     "timestamp, index, power.draw [W]\n2026/01/05 10:00:00.000, 0, 40\n2026/01/05 10:00:01.000, "
     "0, 40\n",
     {0},
     40,
     NAN,
     NAN,
     "nvidia_smi",
     "GPU",
     "without a zone"},
    {"Monsoon: main, not USB",
     "Time (s),Main(mA),Main Voltage(V),USB(mA),USB Voltage(V)\n0,100,4.0,9,5\n0.0002,200,4.0,9,5\n",
     {0},
     0.6,
     NAN,
     NAN,
     "monsoon",
     "device supply",
     "current times voltage"},
    {"platformstats",
     "SOM total power    \t:     3000 mW\nSOM total current : 616 mA\nSOM total power : 5000 mW\n",
     {0},
     4,
     NAN,
     NAN,
     "platformstats",
     "module",
     "without times"},
    {"tegrastats",
     "RAM 1/2MB EMC_FREQ 10%@2133 GR3D_FREQ 50% VDD_IN 5000mW/4000mW VDD_CPU 2000mW/1mW\n"
     "RAM 1/2MB EMC_FREQ 30%@2133 GR3D_FREQ 70% VDD_IN 7000mW/4000mW VDD_CPU 2000mW/1mW\n",
     {0},
     6,
     NAN,
     NAN,
     "tegrastats",
     "module",
     "the GPU (GR3D) was busy 60 %"},
    {"tegrastats with dates, without units",
     "01-05-2026 10:00:00 RAM 1/2MB POM_5V_IN 4000/4000\n01-05-2026 10:00:01 RAM 1/2MB POM_5V_IN 6000/4000\n",
     {0},
     5,
     NAN,
     NAN,
     "tegrastats",
     "module",
     "2 samples in 1 s: 5 J"},
    {"EnergyRunner: the median of the windows, and their mean time",
     "1.0 ulp-ml: Energy data for window 2 at time 1.00 for 2.00 sec.:\n1.0 ulp-ml:   Energy       :   "
     "100000 uJ\n"
     "1.0 ulp-ml:   Power        :    50000 uW\n1.0 ulp-ml:   Energy/Inf.  :    10000 uJ/inf.\n"
     "1.0 ulp-ml:   Energy       :   120000 uJ\n1.0 ulp-ml:   Power        :    60000 uW\n1.0 ulp-ml:   "
     "Energy/Inf.  :    12000 "
     "uJ/inf.\n1.0 ulp-ml: Median energy cost is 11000.0 uJ/inf.\n1.0 ulp-ml:   # Inferences :           10\n"
     "1.0 ulp-ml:   Runtime      :       2.000 sec.\n1.0 ulp-ml:   # Inferences :           10\n1.0 ulp-ml:  "
     " Runtime      :       "
     "2.200 sec.\n",
     {0},
     0.055,
     0.011,
     0.21,
     "mlperf_tiny_energy",
     "device supply",
     "2 windows"},
    {"perf as JSON: joules of the package, and none of a time",
     PERF_HEAD PERF_JSON("20.5", "Joules", "power/energy-cores/")
         PERF_JSON("88.5", "Joules", "power/energy-pkg/"),
     {0},
     NAN,
     88.5,
     NAN,
     "perf_stat",
     "package",
     "20.5 J of power/energy-cores/ left aside"},
    {"perf with intervals and sockets",
     PERF_HEAD "     1.000100000,S0,1,10.00,Joules,power/energy-pkg/,1000,100.00,,\n"
               "     1.000100000,S1,1,20.00,Joules,power/energy-pkg/,1000,50.00,,\n"
               "     2.000000000,S0,1,30.00,Joules,power/energy-pkg/,1000,100.00,,\n",
     {.inferences = 10},
     30,
     6,
     0.2,
     "perf_stat",
     "package",
     "power/energy-pkg/ was counted 50 % of the time"},
    {"perf for people, with intervals and sockets",
     "#           time socket cpus             counts unit events\n"
     "     1.000100000 S0        2              10.00 Joules power/energy-pkg/    #  0.1 /sec\n"
     "     2.000000000 S0        1    <not supported>      cycles\n"
     "     2.000000000 S0        2              30.00 Joules power/energy-pkg/\n",
     {0},
     20,
     40,
     2,
     "perf_stat",
     "package",
     "cycles was not counted"},
    {"perf with its own clock, and what is of another unit",
     PERF_HEAD "20.00@Joules@power/energy-psys/@1000@100.00@@\n4000000000@ns@duration_time@9@100.00@@\n"
               "7.50@MiB@uncore_imc/data_reads/@9@100.00@@\n",
     {0},
     5,
     20,
     4,
     "perf_stat",
     "platform",
     "7.5 MiB of uncore_imc/data_reads/ left aside"},
    {"perf for people, by thousands",
     " Performance counter stats for 'system wide':\n\n          1,234.50 Joules power/energy-pkg/     #  "
     "0.1 /sec   ( +-  1.69% )\n"
     "   <not supported>      cycles\n       2.500000000 +- 0.1 seconds time elapsed  ( +- 0.45% )\n       "
     "0.1 seconds user\n",
     {0},
     493.8,
     1234.5,
     2.5,
     "perf_stat",
     "package",
     "cycles was not counted"},
};

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fabs(b);
}

static void meters_give_power_or_energy_and_what_it_covers(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(meters); i++) {
        const power_row *want = &meters[i];
        roof_measured *m = im_import(want->text, &want->options);
        const roof_run *run = im_run(m, 0);
        if (!same(run->power_w, want->power_w) || !same(run->energy_j, want->energy_j) ||
            !same(run->total.mean_s, want->time_s) || strcmp(m->sources[0].tool, want->tool) != 0 ||
            strcmp(run->power_scope, want->scope) != 0)
            fail_msg("%s: %g W, %g J, %g s, of %s, covers %s", want->what, run->power_w, run->energy_j,
                     run->total.mean_s, m->sources[0].tool, run->power_scope);
        im_want_note(m, want->note);
        roof_measured_free(m);
    }
}

static uint64_t event_count(const roof_run *run, const char *name)
{
    for (uint32_t i = 0; i < run->n_events; i++)
        if (strcmp(run->events[i].name, name) == 0)
            return run->events[i].count;
    return ROOF_UNKNOWN;
}

static void counts_of_perf_are_events_and_what_was_not_counted_is_not_known(void **state)
{
    static const char *const texts[] = {
        PERF_HEAD
        "0.64,msec,task-clock,644090,100.00,0.003,CPUs utilized\n<not supported>,,cycles,0,100.00,,\n"
        "75,,page-faults,644090,100.00,116.443,K/sec\n",
        PERF_HEAD
        "0.64;msec;task-clock;1.69%;644090;50.00;0.003;CPUs utilized\n75;;page-faults;0.00%;644090;100.00;;\n"
        "<not counted>;;cycles;0;0.00;;\n",
        PERF_HEAD PERF_JSON("0.640000", "msec", "task-clock") PERF_JSON("75.000000", "", "page-faults")
            PERF_JSON("<not supported>", "", "cycles"),
        PERF_HEAD " Performance counter stats for 'x':\n 0.64 msec task-clock  # 0.007 CPUs utilized\n 75    "
                  "  page-faults  # 1 /sec "
                  "(74.9%)\n <not counted> cycles\n",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        roof_measured *m = im_import(texts[i], NULL);
        const roof_run *run = im_run(m, 0);
        assert_int_equal(event_count(run, "page-faults"), 75);
        assert_int_equal(event_count(run, "cycles"), ROOF_UNKNOWN);
        assert_int_equal(run->n_phases, 1);
        assert_close(run->phases[0].seconds, 0.00064, 1e-12);
        im_want_note(m, "cycles was not counted, and is not known");
        im_want_note(m, "--inferences says how many it ran");
        assert_true((i == 1 || i == 3) == im_notes_have(m, "and perf scaled it up"));
        roof_measured_free(m);
    }
}

static void gpus_in_one_log_are_runs_of_their_own(void **state)
{
    roof_measured *m = im_import(
        "timestamp, index, power.draw [W]\n2026/01/05 10:00:00.000, 0, 40 W\n2026/01/05 10:00:00.010, 1, 90 "
        "W\n2026/01/05 10:00:01.000, 0, 40 W\n2026/01/05 10:00:01.010, 1, 90 W\n",
        NULL);
    (void)state;
    assert_int_equal(m->experiments[0].n_runs, 2);
    assert_close(im_run(m, 0)->power_w, 40, 1e-9);
    assert_close(im_run(m, 1)->power_w, 90, 1e-9);
    im_want_note(m, "run 2 is of the device '1'");
    roof_measured_free(m);
}

static void a_binary_trace_is_milliwatts_at_its_rate(void **state)
{
    /* 0xf1, then 2 samples a second: 1, 3 and 5 mW */
    static const unsigned char bytes[] = {0xf1, 0, 0,    0,    0x40, 0, 0,    0x80, 0x3f,
                                          0,    0, 0x40, 0x40, 0,    0, 0xa0, 0x40};
    (void)state;
    for (size_t piece = 1; piece <= sizeof bytes; piece++) {
        im_text t = {.bytes = (const char *)bytes, .length = sizeof bytes, .piece = piece};
        roof_measured *m = NULL;
        roof_error err = {0};
        if (import_stream(im_read, &t, "file", NULL, &m, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        assert_close(im_run(m, 0)->power_w, 0.003, 1e-12);
        im_want_note(m, "3 samples in 1 s: 3 mJ");
        roof_measured_free(m);
    }
    im_text cut = {.bytes = (const char *)bytes, .length = sizeof bytes - 1};
    roof_measured *m = NULL;
    roof_error err = {0};
    assert_int_equal(import_stream(im_read, &cut, "file", NULL, &m, &err), ROOF_E_DATA);
    assert_non_null(strstr(fx_message(&err), "it ends within a number"));
}

static const im_bad bad[] = {
    {"no headings",
     "0,1\n1,1\n",
     {.from = "power_csv"},
     ROOF_E_DATA,
     0,
     "no line of headings with a time and a power"},
    {"no unit of the power",
     "time_s,power\n0,1\n",
     {.from = "power_csv"},
     ROOF_E_DATA,
     0,
     "units stand in the headings"},
    {"no unit of the time", "time,power_W\n0.5,1\n", {0}, ROOF_E_DATA, 2, "has no unit"},
    {"two rails", "time_s,cpu_W,gpu_W\n0,1,2\n", {0}, ROOF_E_DATA, 1, "rails overlap"},
    {"no row", "time_s,power_W\n", {0}, ROOF_E_DATA, 0, "no row below the headings"},
    {"no value at all", "time_s,power_W\n0,nan\n", {0}, ROOF_E_DATA, 0, "all are without a value"},
    {"cut in a row", "time_s,power_W,x\n0,1,2\n1,1\n", {0}, ROOF_E_DATA, 3, "is the file whole?"},
    {"a comma for the point", "time_s;power_W\n0;1,5\n", {0}, ROOF_E_DATA, 2, "with a decimal point"},
    {"another unit in a cell",
     "time_s,power_W\n0,1500 mW\n",
     {0},
     ROOF_E_DATA,
     2,
     "in the unit of its heading"},
    {"backwards", "time_s,power_W\n2,1\n1,1\n", {0}, ROOF_E_DATA, 3, "before the one above it"},
    {"the wrong way round", "time_s,power_W\n0,-1\n1,-1\n", {0}, ROOF_E_DATA, 0, "the right way round?"},
    {"GPUs that may be several",
     "timestamp,power.draw [W]\n2026/01/05 10:00:00, 1 W\n",
     {.from = "power_csv"},
     ROOF_E_DATA,
     0,
     "no line of headings"},
    {"nvidia-smi without headings",
     "2026/01/05 10:00:00.0, 40 W\n",
     {.from = "nvidia_smi"},
     ROOF_E_DATA,
     0,
     "without noheader"},
    {"rails that are no total",
     "RAM 1/2MB EMC_FREQ 1%@2 VDD_CPU 1000mW/1mW\n",
     {0},
     ROOF_E_DATA,
     0,
     "other rails are parts"},
    {"prose on platformstats",
     "It prints\n  - SOM total power   (mW)\n",
     {0},
     ROOF_E_DATA,
     0,
     "no line \"SOM total power"},
    {"a run for performance",
     "ulp-ml:   # Inferences :  10\n",
     {.from = "mlperf_tiny_energy"},
     ROOF_E_DATA,
     0,
     "has no energy"},
    {"windows without their median",
     "a: Energy/Inf. : 1 uJ/inf.\na: Energy/Inf. : 2 uJ/inf.\n",
     {0},
     ROOF_E_DATA,
     0,
     "no median of them"},
    {"a text as a trace",
     "time_s,power_W\n0,1\n",
     {.from = "energyrunner_trace"},
     ROOF_E_DATA,
     0,
     "want 0xf1"},
    {"perf without counts", PERF_HEAD, {.from = "perf_stat"}, ROOF_E_DATA, 0, "no count of an event"},
    {"perf with decimal commas",
     PERF_HEAD "0,64,msec,task-clock,644090,100,00,0,003,CPUs utilized\n",
     {.from = "perf_stat"},
     ROOF_E_DATA,
     3,
     "run perf with LC_ALL=C"},
    {"perf with points at thousands",
     " Performance counter stats for 'x':\n 1.234      page-faults\n",
     {0},
     ROOF_E_DATA,
     2,
     "run perf with LC_ALL=C"},
    {"perf cut in a line",
     PERF_HEAD "{\"counter-value\" : \"1\", \"unit\" : \"\", \"event\" : \"x\", \"event-run",
     {0},
     ROOF_E_DATA,
     3,
     "is the file whole?"},
    {"lines with numbers of another tool",
     "1 Conv 3\n2 Add 4\n",
     {.from = "perf_stat"},
     ROOF_E_DATA,
     0,
     "no count of an event"},
    {"current and voltage, which nvidia-smi does not have",
     "timestamp,current_mA,voltage_V\n2026/01/05 10:00:00,1,2\n2026/01/05 10:00:01,1,2\n",
     {.from = "nvidia_smi"},
     ROOF_E_DATA,
     0,
     "power.draw"},
    {"a mode that it is not",
     PERF_HEAD PERF_JSON("1", "", "x"),
     {.mode = "per_layer"},
     ROOF_E_USAGE,
     0,
     "a whole command"},
};

static void what_is_damaged_or_another_tools_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        im_refuse(&bad[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meters_give_power_or_energy_and_what_it_covers),
        cmocka_unit_test(counts_of_perf_are_events_and_what_was_not_counted_is_not_known),
        cmocka_unit_test(gpus_in_one_log_are_runs_of_their_own),
        cmocka_unit_test(a_binary_trace_is_milliwatts_at_its_rate),
        cmocka_unit_test(what_is_damaged_or_another_tools_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
