#include "measure/import/power_run.h"
#include "core/error.h"

#include <math.h>
#include <string.h>

roof_status power_begin(struct reading *reading, roof_error *err)
{
    power_reading *r = (power_reading *)reading;
    r->trace = NEW(r->in->out->storage->arena, roof_power_trace);
    return r->trace ? ROOF_OK : error_memory(err);
}

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

static void remark(import_state *in, const roof_power_trace *trace, const power_window *w)
{
    double many = 4;
    if (trace->n == 1)
        import_note(in, "a single sample, so that no energy follows from it");
    else if (isnan(w->energy_j))
        import_note(in, "mean of %u samples without times, so that no energy follows from them alone", w->n);
    else
        import_note(
            in,
            "%u samples in %s: %s for the whole log, of no inference (--power combines it with a profile)",
            w->n, SHOWN_QUANTITY(w->seconds, "s"), SHOWN_QUANTITY(w->energy_j, "J"));
    if (w->longest_s > many * w->seconds / trace->n)
        import_note(in, "no sample for %s: between two samples the power is taken to change evenly",
                    SHOWN_QUANTITY(w->longest_s, "s"));
    if (trace->n_left_out)
        import_note(in, "%u sample%s without a value left out", trace->n_left_out,
                    trace->n_left_out == 1 ? "" : "s");
}

roof_status power_add_run(import_state *in, const roof_power_trace *trace, const char *scope, roof_error *err)
{
    const power_window w = power_over(trace, NAN, NAN);
    roof_run *run = NULL;
    roof_run_mode mode = ROOF_RUN_BYPASS;
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
    run->power_trace = trace;
    power_set_scope(in, run, scope);
    remark(in, trace, &w);
    return ROOF_OK;
}
