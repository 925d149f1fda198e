/* Real logs of power and energy, where ../shared has them, beside figures that were computed from them by
 * other means. */
#include "roofline/import.h"
#include "tests/unit/imported.h"
#include "tests/support/skips.h"

static roof_measured *import_real(const char *folder, const char *name, const roof_import_options *options)
{
    char path[1024];
    roof_measured *m = NULL;
    roof_error err = {0};
    snprintf(path, sizeof path, "%s/data/%s/%s", shared_folder(), folder, name);
    if (roof_import_file(path, options, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return m;
}

/* Of oracle_profiles.tsv, which takes the mean of samples where this takes that over time, by half a per
 * mille at nvidia_smi. */
static void meters_give_the_power_that_was_computed_without_them(void **state)
{
    static const struct {
        const char *folder, *name, *tool, *note;
        double power_w, energy_j, time_s; /* NaN: not known */
    } rows[] = {
        {"profiles", "kv260_power/power_log_20260617_183148.csv", "power_csv", "26 samples in 61 s: 336.3 J",
         5.51229508, NAN, NAN},
        {"profiles", "mlperf_tiny_energy/ic.results.txt", "mlperf_tiny_energy", "5 windows", 0.0519156772,
         0.020236298, 0.389706666666667},
        {"profiles", "mlperf_tiny_energy/ic.trace1-energy.bin", "energyrunner_trace",
         "111616 samples in 111.6 s", 0.0491660207, NAN, NAN},
        {"profiles", "perf/perf_stat_csv.txt", "perf_stat", "cycles was not counted", NAN, NAN, NAN},
        {"profiles", "perf/perf_stat_csv_interval_semicolon.txt", "perf_stat", "--inferences", NAN, NAN,
         0.401480604},
        {"profiles", "perf/perf_stat_human.txt", "perf_stat", "cycles was not counted", NAN, NAN,
         0.101414068},
        {"profiles", "perf/perf_stat_json.txt", "perf_stat", "cycles was not counted", NAN, NAN, NAN},
        {"profiles", "perf/perf_stat_json_interval.txt", "perf_stat", "--inferences", NAN, NAN, 0.301468346},
        {"profiles", "perf/perf_stat_json_repeat.txt", "perf_stat", "--inferences", NAN, NAN, NAN},
        {"profiles_synthetic", "perf/perf_stat_energy_csv.txt", "perf_stat", "so that no power follows", NAN,
         485.05, NAN},
        {"profiles_synthetic", "perf/perf_stat_energy_json.txt", "perf_stat", "so that no power follows", NAN,
         88.44574, NAN},
        {"profiles_synthetic", "nvidia_smi/power.csv", "nvidia_smi", "without a value left out",
         45.0466666667, NAN, NAN},
        {"profiles_synthetic", "tegrastats/tegrastats.log", "tegrastats", "GR3D", 5.8, NAN, NAN},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m = import_real(rows[i].folder, rows[i].name, NULL);
        const roof_run *run = im_run(m, 0);
        const double got[] = {run->power_w, run->energy_j, run->total.mean_s},
                     want[] = {rows[i].power_w, rows[i].energy_j, rows[i].time_s};
        for (size_t k = 0; k < COUNT(got); k++)
            if (isnan(got[k]) != isnan(want[k]) || fabs(got[k] - want[k]) > 1e-8 * want[k])
                fail_msg("%s: %.12g, want %.12g", rows[i].name, got[k], want[k]);
        assert_string_equal(m->sources[0].tool, rows[i].tool);
        im_want_note(m, rows[i].note);
        roof_measured_free(m);
    }
}

/* The window of the trace, cut out with the stamps beside it, has the energy that results.txt states of
 * it. */
static void a_window_of_a_trace_has_the_energy_that_its_tool_states(void **state)
{
    const roof_power_options window = {.inferences = 30, .from_s = 10.99, .to_s = 22.68, .idle_power_w = NAN};
    roof_measured *m = import_real("profiles", "vaitrace/profile_summary.csv",
                                   &(roof_import_options){.mode = "bypass"}),
                  *power = import_real("profiles", "mlperf_tiny_energy/ic.trace1-energy.bin", NULL);
    const char *how = NULL;
    roof_error err = {0};
    (void)state;
    if (roof_measured_lay_power(m, power, &window, &how, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    const roof_run *run = im_run(m, 0);
    double all_j = run->energy_j + (isnan(run->idle_power_w) ? 0 : run->idle_power_w * (22.68 - 10.99) / 30);
    assert_close(30 * all_j, 0.607089, 0.607089e-4); /* the file says 607088.930 uJ */
    assert_close(run->power_w, 0.051936772, 0.051936772e-4);
    roof_measured_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meters_give_the_power_that_was_computed_without_them),
        cmocka_unit_test(a_window_of_a_trace_has_the_energy_that_its_tool_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
