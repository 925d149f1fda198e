/* Runs whose rows are of a whole recording, of how many inferences is not known, or not the same number of times in each: a row's time
 * is then that of all its executions, so that shares, sums and the order of rows are those of the recording. */
#include "measure/recordings.h"
#include "core/error.h"
#include "measure/profile.h"
#include "measure/unit_facts.h"

#include <math.h>

bool run_is_recording(const roof_run *run)
{
    bool is = run && run->is_recording && run->n_layers;
    for (uint32_t i = 0; is && i < run->n_layers; i++)
        is = run->layers[i].time.count > 0 && run->layers[i].time.count < ROOF_NONE;
    return is;
}

static bool any_row_has_layer(const row_matching *m)
{
    for (uint32_t i = 0; i < m->n_rows; i++)
        if (m->layer_of_row[i] != ROOF_NONE)
            return true;
    return false;
}

/* Of one inference, so many of them; NaN stays. */
static roof_times times_repeated(const roof_times *one, double n)
{
    roof_times all = times_unknown();
    all.mean_s = n > 0 ? times_typical(one) * n : NAN;
    return all;
}

/* A copy in which one inference is the whole recording. What its document says of one inference, and nobody knows of how many the
 * recording is, is not in it. */
static roof_run *recorded(const roof_run *run, roof_arena *arena)
{
    roof_run *out = NEW(arena, roof_run);
    roof_measured_layer *rows = NEW_ARRAY(arena, roof_measured_layer, run->n_layers);
    double n = run->iterations != ROOF_UNKNOWN && run->iterations ? (double)run->iterations : (double)NAN;
    if (!out || !rows)
        return NULL;
    if (isnan(n) && run->total.count != ROOF_UNKNOWN)
        n = (double)run->total.count;
    *out = *run;
    for (uint32_t i = 0; i < run->n_layers; i++) {
        rows[i] = run->layers[i];
        rows[i].executions = (uint32_t)run->layers[i].time.count;
    }
    out->layers = rows;
    out->total = times_repeated(&run->total, n);
    out->energy_j = run->energy_j * n;
    out->sum_of_layers_s = NAN; /* that of the rows */
    out->boundaries = out->launches = ROOF_NONE;
    out->n_phases = 0;
    return out;
}

roof_status take_recording(reconciler *r, roof_reconciled *e, const row_matching *m)
{
    const roof_run *run = e->layer_run;
    if (!run_is_recording(run) || (e->prediction && any_row_has_layer(m)))
        return ROOF_OK;
    const roof_run *all = recorded(run, r->arena);
    if (!all)
        return error_memory(r->err);
    *(run == e->per_layer ? &e->per_layer : &e->bypass) = all;
    e->layer_run = all;
    e->is_recording = true;
    return ROOF_OK;
}
