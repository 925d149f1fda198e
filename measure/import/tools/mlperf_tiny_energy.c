/* results.txt of MLPerf Tiny submissions, by EEMBC's EnergyRunner or, from v1.3 on, by the runner of
 * mlcommons/tiny, in the modes of energy and of performance; and log.txt of the latter mode:
 *
 *   ulp-ml: Energy data for window 2 at time 10.99 for 11.69 sec.:      Energy data for trial 0
 *   ulp-ml:   Energy       :   607088.930 uJ                              Total Energy  : 357855.490 uJ
 *   ulp-ml:   Power        :    51936.772 uW                              Power         : 32.8730 mW.
 *   ulp-ml:   Energy/Inf.  :    20236.298 uJ/inf.                         Energy/Inf    : 1431.422 uJ/inf
 *   ulp-ml: Median energy cost is 20236.298 uJ/inf.
 *   ulp-ml: Performance results for window 2:                           Performance results for window 1
 *   ulp-ml:   # Inferences :           30                                   # Inferences : 250
 *   ulp-ml:   Runtime      :       11.690 sec.                              Runtime: 10.862042 sec.
 *   ulp-ml: Median throughput is 2.566 inf./sec.
 *   dut: m-model-[ic01]                                                 Device model retrieved: ic01
 *   dut: m-infer-start-3000
 *   dut: m-lap-us-29014515                                              before the first inference
 *   dut: m-lap-us-39409124                                              behind the last one
 *   dut: m-infer-done
 * The energy of an inference is the median, which is the benchmark's figure; time and power are means over
 * all windows. Energy is the trapezoid over n - 1 intervals and Power the mean of n samples, so that Power x
 * Runtime is another number, by 1/n. The log of the newer runner has every window twice.
 *
 * Sources: mlcommons/tiny_results_v1.1, v1.2 (b448c5c7) and v1.3 (eae9ef9f), files of several vendors.
 */
#include "measure/import/power.h"

typedef struct window {
    double number; /* as it is printed; NaN: it is not */
    uint64_t inferences;
    double seconds; /* NaN: not read yet */
} window;

typedef struct reading {
    import_state *in;
    uint32_t n_energies;
    double watts, joules;     /* of all windows, sums */
    double first_j, median_j; /* of one inference */
    window *windows;
    uint32_t n_windows, current;
    double median_per_s; /* 0: not stated */
    const char *model;   /* NULL: not stated */
    /* Values that the device under test prints, in the current window. */
    uint64_t started; /* inferences; 0: none is running */
    double laps_us[2];
    uint32_t n_laps, n_timeless;
} reading;

/* --- windows ------------------------------------------------------------------------------------------ */

/* The window of a number, which may be there already, or a new one. */
static roof_status begin_window(reading *r, double number, roof_error *err)
{
    enum { MOST_WINDOWS = 1024 };
    const window new = {.number = number, .seconds = NAN};
    for (r->current = 0; r->current < r->n_windows && r->windows[r->current].number != number;)
        r->current++;
    TRY(HAS_ROOM(r->current, MOST_WINDOWS, err, "windows"));
    if (r->current == r->n_windows)
        return ARENA_ADD(r->in->scratch, r->windows, r->n_windows, err, new);
    r->windows[r->current] = new;
    return ROOF_OK;
}

/* --- lines -------------------------------------------------------------------------------------------- */

static bool read_energy(reading *r, text_span text)
{
    double n;
    if (span_scan_behind(text, "Energy/Inf", ". : ~ uJ", &n) ||
        span_scan_behind(text, "Energy/Inf", " : ~ uJ", &n))
        r->first_j = r->n_energies++ ? r->first_j : n / 1e6;
    else if (span_scan_behind(text, "Median energy cost is", " ~ uJ", &n))
        r->median_j = n / 1e6;
    else if (span_scan_behind(text, "Energy ", " : ~ uJ", &n))
        r->joules += n / 1e6;
    else if (span_scan_behind(text, "Power ", " : ~ uW", &n))
        r->watts += n / 1e6;
    else if (span_scan_behind(text, "Power ", " : ~ mW", &n))
        r->watts += n / 1e3;
    else
        return false;
    return true;
}

static roof_status read_device(reading *r, text_span text, roof_error *err)
{
    double n;
    text_span rest = text;
    if (span_skip_past(&rest, "m-model-[") || span_skip_past(&rest, "Device model retrieved:")) {
        text_span name = span_trim(span_until(&rest, "]"));
        return name.length && !r->model ? import_keep_name(r->in, name, &r->model, err) : ROOF_OK;
    }
    if (span_scan_behind(text, "m-infer-start-", "#", &n) && n < 1e12) {
        r->started = (uint64_t)n;
        r->n_laps = 0;
    } else if (r->started && span_scan_behind(text, "m-lap-us-", "#", &n)) {
        r->laps_us[r->n_laps ? 1 : 0] = n;
        r->n_laps++;
    } else if (r->started && span_has(text, "m-infer-done")) {
        /* A window of what the device says ends; without two stamps it was in the mode of energy. */
        const bool is_timed = r->n_laps == 2 && r->laps_us[1] >= r->laps_us[0];
        r->n_timeless += !is_timed;
        if (is_timed) {
            TRY(begin_window(r, NAN, err));
            r->windows[r->current].inferences = r->started;
            r->windows[r->current].seconds = (r->laps_us[1] - r->laps_us[0]) / 1e6;
        }
        r->started = 0;
    }
    return ROOF_OK;
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    text_span text = {line->text, line->length};
    double n;
    if (read_energy(r, text))
        return ROOF_OK;
    if (span_scan_behind(text, "Performance results for window", " #", &n) ||
        span_scan_behind(text, "Energy data for trial", " #", &n))
        return begin_window(r, n, err);
    if (span_scan_behind(text, "Inferences ", " : #", &n) && n < 1e12) {
        /* they stand before their time; those of windows without a heading begin one */
        if (r->current >= r->n_windows || r->windows[r->current].inferences)
            TRY(begin_window(r, NAN, err));
        r->windows[r->current].inferences = (uint64_t)n;
        return ROOF_OK;
    }
    if (span_scan_behind(text, "Runtime ", " : ~ sec", &n) ||
        span_scan_behind(text, "Runtime", ": ~ sec", &n) ||
        span_scan_behind(text, "Elapsed time ", " : ~", &n)) {
        if (r->current >= r->n_windows || !isnan(r->windows[r->current].seconds))
            TRY(begin_window(r, NAN, err));
        r->windows[r->current].seconds = n;
        return ROOF_OK;
    }
    if (span_scan_behind(text, "Median throughput is", " ~ inf", &n)) {
        r->median_per_s = n;
        return ROOF_OK;
    }
    return read_device(r, text, err);
}

/* --- the document ------------------------------------------------------------------------------------- */

static roof_status set_energy(reading *r, roof_run *run, uint64_t inferences, roof_error *err)
{
    double energy_j = r->median_j > 0 ? r->median_j : r->first_j;
    if (!(r->median_j > 0) && r->n_energies > 1)
        return error_data(err, "%u windows and no median of them: is the file whole?", r->n_energies);
    run->energy_j = energy_j;
    run->power_w = r->watts / r->n_energies;
    power_set_scope(r->in, run, "device supply");
    if (r->n_energies > 1)
        import_note(r->in,
                    "%u windows: the energy is the median that the file states, time and power are means",
                    r->n_energies);
    /* The sum over windows against what the file says of an inference. */
    double mean_j = inferences ? r->joules / (double)inferences : NAN;
    if (fabs(mean_j / energy_j - 1) > 0.01)
        import_note(
            r->in,
            "the energies of the windows over their inferences are %s mJ, the stated energy of one is %s mJ",
            NUMBER(1e3 * mean_j), NUMBER(1e3 * energy_j));
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    roof_run *run = NULL;
    uint64_t inferences = 0;
    double seconds = 0;
    bool is_whole = r->n_windows > 0;
    for (uint32_t i = 0; i < r->n_windows; i++) {
        is_whole = is_whole && r->windows[i].inferences && r->windows[i].seconds > 0;
        inferences += r->windows[i].inferences;
        seconds += r->windows[i].seconds;
    }
    if (!r->n_energies && !is_whole && !(r->median_per_s > 0))
        return error_data(err, "no window with its energy, \"Energy/Inf. : ... uJ/inf.\", or with inferences "
                               "and their time, \"Runtime : ... sec.\" or two stamps m-lap-us: logs of the "
                               "mode of energy have neither, results.txt has");
    TRY(import_add_run(r->in, NULL, ROOF_RUN_BYPASS, &run, err));
    if (r->n_energies)
        TRY(set_energy(r, run, inferences, err));
    if (is_whole && (!r->n_energies || r->n_windows == r->n_energies)) {
        run->iterations = inferences;
        run->total.mean_s = seconds / (double)inferences;
        run->total.count = inferences;
        if (!r->n_energies && r->median_per_s > 0)
            import_note(r->in,
                        "the time is the mean over all inferences of %u windows, %s a second; the "
                        "benchmark's figure is the median of windows, %s",
                        r->n_windows, NUMBER(1 / run->total.mean_s), NUMBER(r->median_per_s));
        import_note_count(r->in, r->n_timeless,
                          "windows have no two stamps m-lap-us, as in the mode of energy, and are left out");
    } else if (!r->n_energies) {
        run->total.mean_s = 1 / r->median_per_s;
        import_note(r->in, "the time is that of the median throughput, since no window is there as a whole");
    }
    return import_name_model(r->in, r->model, err);
}

const importer_def importer_mlperf_tiny_energy = {
    .id = "mlperf_tiny_energy",
    .tool = "MLPerf Tiny",
    .marks = {SURE("Energy data for window", "uJ/inf."), SURE("Energy data for trial", "uJ/inf"),
              SURE("Performance results for window", "# Inferences :"),
              SURE("Median throughput is", "inf./sec."), SURE("m-infer-start-", "m-lap-us-", "m-infer-done"),
              LIKELY("Energy/Inf.", "uJ/inf.")},
    WHOLE_ONLY("the runner runs the whole network"),
    .reading_bytes = sizeof(reading),
    .line = read_line,
    .finish = finish};
