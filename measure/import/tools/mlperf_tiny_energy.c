/* results.txt of EEMBC's EnergyRunner, as MLPerf Tiny submissions have it:
 *
 *   ulp-ml: Energy data for window 2 at time 10.99 for 11.69 sec.:
 *   ulp-ml:   Energy       :   607088.930 uJ
 *   ulp-ml:   Power        :    51936.772 uW
 *   ulp-ml:   Energy/Inf.  :    20236.298 uJ/inf.
 *   ulp-ml: Median energy cost is 20236.298 uJ/inf.
 *   ulp-ml: Performance results for window 2:
 *   ulp-ml:   # Inferences :           30
 *   ulp-ml:   Runtime      :       11.690 sec.
 * The energy of an inference is the median, which is the benchmark's figure; time and power are means over
 * all windows. Energy is the trapezoid over n - 1 intervals and Power the mean of n samples, so that Power x
 * Runtime is another number, by 1/n.
 */
#include "measure/import/power.h"

#include <math.h>

typedef struct reading {
    import_state *in;
    uint32_t n_energies, n_times;
    uint64_t inferences;           /* of all windows */
    double seconds, watts, joules; /* of all windows, sums */
    double first_j, median_j;      /* of one inference */
} reading;

static bool take(text_span line, const char *label, const char *pattern, double *out)
{
    return span_skip_past(&line, label) && span_scan(&line, pattern, out);
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    text_span text = {line->text, line->length};
    double n;
    (void)err;
    if (take(text, "Energy/Inf.", " : ~ uJ", &n))
        r->first_j = r->n_energies++ ? r->first_j : n / 1e6;
    else if (take(text, "Median energy cost is", " ~ uJ", &n))
        r->median_j = n / 1e6;
    else if (take(text, "Energy ", " : ~ uJ", &n))
        r->joules += n / 1e6;
    else if (take(text, "Power ", " : ~ uW", &n))
        r->watts += n / 1e6;
    else if (take(text, "# Inferences", " : #", &n) && n < 1e12)
        r->inferences += (uint64_t)n;
    else if (take(text, "Runtime ", " : ~ sec", &n)) {
        r->seconds += n;
        r->n_times++;
    }
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    roof_run *run = NULL;
    if (!r->n_energies)
        return error_set(
            err, ROOF_E_DATA,
            "no \"Energy/Inf. : ... uJ/inf.\" of a window: a run in the mode of performance has no energy");
    double energy_j = r->median_j > 0 ? r->median_j : r->first_j;
    if (!(r->median_j > 0) && r->n_energies > 1)
        return error_set(err, ROOF_E_DATA, "%u windows and no median of them: is the file whole?",
                         r->n_energies);
    TRY(import_add_run(r->in, NULL, ROOF_RUN_BYPASS, &run, err));
    run->energy_j = energy_j;
    run->power_w = r->watts / r->n_energies;
    power_set_scope(r->in, run, "device supply");
    if (r->n_energies > 1)
        import_note(r->in,
                    "%u windows: the energy is the median that the file states, time and power are means",
                    r->n_energies);
    /* The sum over windows against what the file says of an inference. */
    double mean_j = r->inferences ? r->joules / (double)r->inferences : NAN;
    if (fabs(mean_j / energy_j - 1) > 0.01)
        import_note(
            r->in,
            "the energies of the windows over their inferences are %s mJ, the stated energy of one is %s mJ",
            NUMBER(1e3 * mean_j), NUMBER(1e3 * energy_j));
    if (!r->inferences || r->n_times != r->n_energies)
        return ROOF_OK;
    run->iterations = r->inferences;
    run->total.mean_s = r->seconds / (double)r->inferences;
    run->total.count = r->inferences;
    return ROOF_OK;
}

const importer_def importer_mlperf_tiny_energy = {
    .id = "mlperf_tiny_energy",
    .marks = {{SNIFF_SURE, {"Energy data for window", "uJ/inf."}},
              {SNIFF_LIKELY, {"Energy/Inf.", "uJ/inf."}}},
    .mode_why = "EnergyRunner runs a network as it is deployed",
    .mode = ROOF_RUN_BYPASS,
    .reading_bytes = sizeof(reading),
    .line = read_line,
    .finish = finish};
