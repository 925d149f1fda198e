/* Runs whose rows are of a whole recording, with different numbers of executions. A row takes its mean of the
 * inferences where their number is known, else the time of all its executions, so that shares and sums are
 * those of the recording. */
#include "measure/reconcile/steps.h"
#include "measure/profile/profile.h"

static uint64_t scaled(uint64_t count, double factor)
{
    return count == ROOF_UNKNOWN || !((double)count * factor < 0x1p53) ? ROOF_UNKNOWN
                                                                       : (uint64_t)((double)count * factor);
}

/* Counts of one execution; cycles and events are left out. False without memory. */
static bool scale_counters(roof_measured_layer *row, double factor, roof_arena *arena)
{
    roof_layer_counters *c = row->counters ? NEW(arena, roof_layer_counters) : NULL;
    if (!c)
        return !row->counters;
    *c = *row->counters;
    c->read_bytes = scaled(c->read_bytes, factor);
    c->write_bytes = scaled(c->write_bytes, factor);
    c->total_bytes = scaled(c->total_bytes, factor);
    c->workload_ops = scaled(c->workload_ops, factor);
    c->energy_j *= factor;
    c->write_s *= factor;
    c->run_s *= factor;
    c->read_s *= factor;
    c->n_cycles = c->n_phases = c->n_events = 0;
    row->counters = c;
    return true;
}

/* A copy for one inference, or, where their number is unknown, for all of the recording, without what the
 * document says of one inference. */
static roof_run *recorded(const roof_run *run, bool is_whole, roof_arena *arena)
{
    roof_run *out = run_copy(run, 0, arena);
    if (!out)
        return NULL;
    out->boundaries = out->launches = ROOF_NONE;
    FOR_EACH(roof_measured_layer, row, out->layers, out->n_layers) {
        roof_times *t = &row->time;
        if (is_whole) {
            row->executions = (uint32_t)t->count;
            continue;
        }
        /* an inference need not have a whole number of executions, whose samples are left out */
        const double factor = (double)t->count / (double)run->iterations;
        double *const parts[] = {&t->mean_s,   &t->std_s, &t->min_s, &t->max_s,
                                 &t->median_s, &t->p95_s, &t->p99_s};
        for (size_t k = 0; k < N_OF(parts); k++)
            *parts[k] *= factor;
        t->samples_s = NULL;
        if (!scale_counters(row, factor, arena))
            return NULL;
    }
    if (is_whole) {
        if (times_typical(&run->total) > 0) /* whose parts they are */
            out->n_phases = 0;
        out->total = times_unknown();
        out->sum_of_layers_s = NAN; /* that of the rows */
    }
    return out;
}

roof_status recordings_take(reconciler *r, roof_reconciled *e, const row_matching *m)
{
    const roof_run *run = e->layer_run;
    if (!run || !run->is_recording || !run->n_layers)
        return ROOF_OK;
    for (uint32_t i = 0; i < run->n_layers; i++) /* all have to say how often they ran in it */
        if (!run->layers[i].time.count || run->layers[i].time.count >= ROOF_NONE)
            return ROOF_OK;
    for (uint32_t i = 0; e->prediction && i < m->n_rows; i++)
        if (m->layer_of_row[i] != ROOF_NONE)
            return ROOF_OK;
    const bool is_whole = run->iterations == ROOF_UNKNOWN || !run->iterations;
    const roof_run *all = recorded(run, is_whole, r->arena);
    TRY(ALLOCATED(all, r->err));
    *(run == e->per_layer ? &e->per_layer : &e->bypass) = all;
    e->layer_run = all;
    e->is_recording = is_whole;
    return ROOF_OK;
}
