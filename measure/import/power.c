#include "measure/import/power.h"
#include "core/error.h"
#include "core/quantity.h"

#include <math.h>
#include <string.h>

roof_status power_add(roof_measured *m, roof_power_trace *trace, power_sample sample, roof_error *err)
{
    /* More than any accelerator draws, so that no sum of samples is infinite. */
    static const double most_watts = 1e9;
    if (!(fabs(sample.watts) <= most_watts) || sample.at_s > 1e12)
        return error_set(err, ROOF_E_DATA,
                         "%g W at %g s, want a power below 1e9 W: check the column and its unit",
                         sample.watts, sample.at_s);
    if (trace->n == POWER_MAX_SAMPLES)
        return error_set(err, ROOF_E_LIMIT,
                         "more than %d samples of power; cut the file, or take every tenth sample",
                         POWER_MAX_SAMPLES);
    return ARENA_ADD(m->storage->arena, trace->samples, trace->n, err, sample);
}

static double watts_at(const power_sample *a, const power_sample *b, double at_s)
{
    return a->watts + (b->watts - a->watts) * ((at_s - a->at_s) / (b->at_s - a->at_s));
}

power_window power_over(const roof_power_trace *trace, double from_s, double to_s)
{
    power_window w = {.mean_w = NAN, .most_w = NAN};
    const power_sample *s = trace->samples;
    double sum_w = 0;
    for (uint32_t i = 0; i < trace->n; i++) {
        if (!(s[i].at_s < from_s) && !(s[i].at_s > to_s)) {
            sum_w += s[i].watts;
            w.most_w = fmax(w.most_w, s[i].watts);
            w.n++;
        }
        if (!i || isnan(s[i].at_s))
            continue;
        double begin_s = fmax(s[i - 1].at_s, from_s), end_s = fmin(s[i].at_s, to_s); /* a NaN is passed by */
        if (!(end_s > begin_s))
            continue;
        double both_w = watts_at(&s[i - 1], &s[i], begin_s) + watts_at(&s[i - 1], &s[i], end_s);
        w.energy_j += both_w / 2 * (end_s - begin_s);
        w.seconds += end_s - begin_s;
        w.longest_s = fmax(w.longest_s, s[i].at_s - s[i - 1].at_s);
    }
    if (w.n)
        w.mean_w = sum_w / w.n;
    if (w.seconds > 0)
        w.mean_w = w.energy_j / w.seconds;
    else
        w.seconds = w.energy_j = w.longest_s = NAN;
    return w;
}

const char *power_shown(char buffer[POWER_SHOWN_SIZE], double value, const char *unit)
{
    quantity_format(buffer, POWER_SHOWN_SIZE, value, unit);
    return buffer;
}

/* --- for importers -------------------------------------------------------------------------------------- */

void power_set_scope(import_state *in, roof_run *run, const char *scope)
{
    scope = in->options->power_scope ? in->options->power_scope : scope;
    run->power_scope =
        measured_text(in->out, scope, strlen(scope)); /* whose arena remembers that memory ran out */
}

void power_remark_local_times(import_state *in)
{
    import_note(in, "its times are those of a clock without a zone, so that only their differences count");
}

roof_status power_add_run(import_state *in, const roof_power_trace *trace, const char *scope, roof_error *err)
{
    const power_window w = power_over(trace, NAN, NAN);
    roof_run *run = NULL;
    roof_run_mode mode = ROOF_RUN_BYPASS;
    const double many = 4;
    if (!w.n)
        return error_set(err, ROOF_E_DATA, "no sample of power%s",
                         trace->n_left_out ? ": all are without a value" : "");
    if (w.mean_w < 0)
        return error_set(err, ROOF_E_DATA,
                         "the mean power is %g W, want 0 or more: is the sensor the right way round?",
                         w.mean_w);
    if (in->options->mode)
        TRY(import_mode(in, 1, &mode, err));
    TRY(import_add_run(in, NULL, mode, &run, err));
    run->power_w = w.mean_w;
    roof_power_trace *kept;
    TRY(ARENA_GET(in->out->storage->arena, kept, 1, err));
    *kept = *trace;
    run->power_trace = kept;
    power_set_scope(in, run, scope);
    if (trace->n == 1)
        import_note(in, "a single sample, so that no energy follows from it");
    else if (isnan(w.energy_j))
        import_note(in, "mean of %u samples without times, so that no energy follows from them alone", w.n);
    else
        import_note(
            in,
            "%u samples in %s: %s for the whole log, of no inference (--power combines it with a profile)",
            w.n, SHOWN_QUANTITY(w.seconds, "s"), SHOWN_QUANTITY(w.energy_j, "J"));
    if (w.longest_s > many * w.seconds / trace->n)
        import_note(in, "no sample for %s: between two samples the power is taken to change evenly",
                    SHOWN_QUANTITY(w.longest_s, "s"));
    if (trace->n_left_out)
        import_note(in, "%u sample%s without a value left out", trace->n_left_out,
                    trace->n_left_out == 1 ? "" : "s");
    return ROOF_OK;
}
