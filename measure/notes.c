/* What a reader must know of models, and of all of them together, before using the figures. */
#include "core/error.h"
#include "core/quantity.h"
#include "measure/phases.h"
#include "measure/profile.h"
#include "measure/remarks.h"
#include "measure/steps.h"
#include "measure/unit_facts.h"
#include "roofline/hw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HOST_BOUND_RATIO 0.2

typedef struct subject {
    reconciler *r;
    uint32_t experiment;
    const roof_reconciled *e;
    roof_status status; /* of a check that memory failed */
} subject;

static const roof_remark nothing;

/* --- what is there to compare ------------------------------------------------------------------------- */

static roof_remark check_prediction(subject *s)
{
    return s->e->prediction || s->e->not_compared ? nothing : REMARK(NO_PREDICTION, NO_OPERANDS);
}

static roof_remark check_modes(subject *s)
{
    const roof_reconciled *e = s->e;
    if ((e->bypass && e->per_layer) || e->epochs || e->first != s->experiment)
        return nothing;
    return e->bypass ? REMARK(NO_PER_LAYER, NO_OPERANDS) : REMARK(NO_BYPASS, NO_OPERANDS);
}

static roof_remark check_bounds(subject *s)
{
    const roof_reconciled *e = s->e;
    const roof_run *run = e->per_layer;
    const roof_prediction *p = e->prediction;
    bool stated = run && (run->boundaries != ROOF_NONE || run->launches != ROOF_NONE);
    if (!p || !stated || !p->total.boundaries || e->boundaries == p->total.boundaries)
        return nothing;
    return p->is_planned ? REMARK(OTHER_EPOCHS, AS_COUNT(e->boundaries), AS_COUNT(p->total.boundaries))
                         : REMARK(OTHER_BOUNDARIES, AS_COUNT(e->boundaries), AS_COUNT(p->total.boundaries));
}

/* Bounds of another clock than the accelerator had say nothing of it. Profilers tell whole MHz. */
static roof_remark check_clock(subject *s)
{
    const roof_reconciled *e = s->e;
    const roof_run *run = e->per_layer ? e->per_layer : e->bypass;
    double ran_hz = run ? run_clock_hz(run, "npu") : NAN;
    if (!e->prediction || !(fabs(ran_hz - e->prediction->hardware.clock_hz) >= 1e6))
        return nothing;
    return REMARK(OTHER_CLOCK, AS("Hz", ran_hz), AS("Hz", e->prediction->hardware.clock_hz));
}

static roof_remark check_bypass_cov(subject *s)
{
    const roof_times *t = s->e->bypass ? &s->e->bypass->total : NULL;
    return t && times_cov_differs(t)
               ? REMARK(BYPASS_COV, AS_RATIO(t->cov_ratio), AS_RATIO(t->std_s / t->mean_s))
               : nothing;
}

static roof_remark check_layered_cov(subject *s)
{
    const roof_times *t = s->e->per_layer ? &s->e->per_layer->total : NULL;
    return t && times_cov_differs(t)
               ? REMARK(PER_LAYER_COV, AS_RATIO(t->cov_ratio), AS_RATIO(t->std_s / t->mean_s))
               : nothing;
}

/* --- what nothing is made of -------------------------------------------------------------------------- */

static bool has_energy(const roof_run *run)
{
    bool any = run && (!isnan(run->energy_j) || !isnan(run->power_w));
    for (uint32_t i = 0; run && i < run->n_layers && !any; i++)
        any = run->layers[i].counters && !isnan(run->layers[i].counters->energy_j);
    return any;
}

static roof_remark check_energy(subject *s)
{
    return has_energy(s->e->bypass) || has_energy(s->e->per_layer) ? REMARK(ENERGY, NO_OPERANDS) : nothing;
}

/* A domain of a row whose cycles are no time. */
static roof_remark check_cycles(subject *s)
{
    const roof_run *run = s->e->layer_run;
    for (uint32_t i = 0; run && i < run->n_layers; i++) {
        const roof_measured_layer *row = &run->layers[i];
        if (row->counters && row->counters->n_cycles && isnan(row_time_s(run, row)))
            return REMARK(CYCLES, AS_TEXT(row->counters->cycles[0].domain));
    }
    return nothing;
}

/* An id that neither the prediction goes by nor the database knows, and that was not looked up for the experiment before. A
 * path or a description says what it is by itself. */
static roof_remark check_hardware(subject *s)
{
    const roof_reconciled *e = s->e;
    const char *id = e->hardware_id, *before = s->experiment ? e[-1].hardware_id : NULL;
    const char *known = e->prediction ? e->prediction->hardware.id : NULL;
    roof_hw *hw = NULL;
    if (!id || strpbrk(id, "/=") || (known && strcmp(known, id) == 0) || (before && strcmp(before, id) == 0))
        return nothing;
    roof_status status = roof_hw_load(id, &hw, NULL);
    roof_hw_free(hw);
    if (status == ROOF_E_NO_MEMORY)
        s->status = error_memory(s->r->err);
    return status == ROOF_E_NO_INPUT ? REMARK(HARDWARE, AS_TEXT(id)) : nothing;
}

/* --- bounds and sums ---------------------------------------------------------------------------------- */

static roof_remark check_bypass_bound(subject *s)
{
    const roof_reconciled *e = s->e;
    double fastest = e->bypass ? e->bypass->total.min_s : NAN, floor_s = e->total.floor_s;
    if (isnan(fastest))
        fastest = e->total.bypass_s;
    double ratio = fastest / floor_s;
    if (!(ratio < 1 - 0.002) || !has_bound(e))
        return nothing;
    if (!(ratio > 1e-6)) /* no clock would do */
        return REMARK(BELOW_FLOOR, AS_SECONDS(fastest), AS_SECONDS(floor_s));
    return REMARK(BELOW_FLOOR_BY, AS_SECONDS(fastest), AS_SECONDS(floor_s), AS_RATIO(1 / ratio));
}

/* A line through other models promises what no hardware does. */
static roof_remark check_corrected(subject *s)
{
    const roof_reconciled *e = s->e;
    double corrected_s = e->total.corrected_s;
    if (corrected_s < 0)
        return REMARK(CORRECTED_NEGATIVE, AS_SECONDS(corrected_s));
    return corrected_s < e->total.floor_s && has_bound(e)
               ? REMARK(CORRECTED_FLOOR, AS_SECONDS(corrected_s), AS_SECONDS(e->total.floor_s))
               : nothing;
}

static roof_remark check_host(subject *s)
{
    const roof_reconciled *e = s->e;
    double share = quotient_of(e->total.host_s, e->total.bypass_s);
    return share > HOST_BOUND_RATIO ? REMARK(HOST_BOUND, AS_RATIO(share), AS_SECONDS(e->total.host_s),
                                             AS_SECONDS(e->total.bypass_s))
                                    : nothing;
}

static roof_remark check_sum(subject *s)
{
    const roof_reconciled *e = s->e;
    const roof_run *run = e->layer_run;
    bool complete = run && e->boundaries != ROOF_NONE && run->n_layers >= e->boundaries;
    double stated = run ? run->sum_of_layers_s : NAN, rows = e->total.listed_s;
    return rows > 1.01 * stated || (complete && rows < 0.99 * stated)
               ? REMARK(SUM_DIFFERS, AS_SECONDS(rows), AS_SECONDS(e->total.sum_of_layers_s))
               : nothing;
}

static roof_remark check_total(subject *s)
{
    const roof_reconciled *e = s->e;
    return e->total.per_layer_s < 0.999 * e->total.sum_of_layers_s
               ? REMARK(BELOW_SUM, AS_SECONDS(e->total.per_layer_s), AS_SECONDS(e->total.sum_of_layers_s))
               : nothing;
}

static roof_remark check_inflation(subject *s)
{
    const roof_reconciled *e = s->e;
    return e->total.inflation_ratio < -0.01 ? REMARK(FASTER_LAYER_RUN, AS_RATIO(-e->total.inflation_ratio))
                                            : nothing;
}

/* --- phases ------------------------------------------------------------------------------------------- */

/* "ipu_s, post_s": the phases whose time nobody claims; those behind the buffer's end are not told. NULL without memory. */
static const char *unknown_phases(const roof_run *run, roof_arena *arena)
{
    char text[240] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < run->n_phases && used < sizeof text; i++)
        if (!run->phases[i].kind)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s_s", used ? ", " : "",
                                     run->phases[i].name);
    return arena_strdup(arena, text);
}

static roof_remark check_phases_sum(subject *s)
{
    const roof_run *run = phased_run(s->e);
    if (!run || !phases_sum(run).exceed_total)
        return nothing;
    return REMARK(PHASES_EXCEED, AS_SECONDS(phases_sum(run).all_s), AS_SECONDS(times_typical(&run->total)));
}

static roof_remark check_phase_kinds(subject *s)
{
    const roof_run *run = phased_run(s->e);
    double unknown_s = run ? phases_sum(run).of_s[ROOF_PHASE_UNDECLARED] : NAN;
    if (isnan(unknown_s))
        return nothing;
    const char *names = unknown_phases(run, s->r->arena);
    if (!names)
        s->status = error_memory(s->r->err);
    return phases_sum(run).exceed_total ? REMARK(PHASES_KIND, AS_TEXT(names))
                                        : REMARK(PHASE_KIND, AS_SECONDS(unknown_s),
                                                 AS_SECONDS(times_typical(&run->total)), AS_TEXT(names));
}

roof_status note_experiment(reconciler *r, uint32_t i)
{
    static roof_remark (*const checks[])(subject * s) = {
        check_prediction,  check_modes,    check_bounds,     check_clock,       check_bypass_cov,
        check_layered_cov, check_energy,   check_cycles,     check_hardware,    check_bypass_bound,
        check_corrected,   check_host,     check_phases_sum, check_phase_kinds, check_sum,
        check_total,       check_inflation};
    subject s = {.r = r, .experiment = i, .e = &r->out->experiments[i]};
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
        const roof_remark remark = checks[k](&s);
        TRY(s.status);
        if (remark.form)
            TRY(remark_add(r, i, NULL, &remark));
    }
    return ROOF_OK;
}

/* --- all of them -------------------------------------------------------------------------------------- */

static roof_status note_ceiling(reconciler *r)
{
    const roof_reconciliation *out = r->out;
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        double cost = out->experiments[i].boundary_cost_s;
        if (!(cost > out->ceiling.seconds))
            continue;
        const roof_reconciled *tight = &out->experiments[out->ceiling.experiment];
        roof_remark remark =
            REMARK(ABOVE_CEILING, AS_SECONDS(cost), AS_TEXT(tight->units[out->ceiling.unit].name),
                   AS_TEXT(tight->model), AS_SECONDS(out->ceiling.seconds));
        if (out->ceiling.is_mean)
            remark.form = ROOF_FORM_ABOVE_CEILING_MEAN;
        return remark_add(r, ROOF_NONE, NULL, &remark);
    }
    return ROOF_OK;
}

static roof_status note_unread(reconciler *r)
{
    for (uint32_t i = 0; i < r->measured->n_unread; i++) {
        const roof_unread *u = &r->measured->unread[i];
        TRY(remark_add(r, ROOF_NONE, NULL,
                       u->times > 1
                           ? &REMARK(MEMBERS, AS_TEXT(u->where), AS_TEXT(u->what), AS_COUNT(u->times))
                           : &REMARK(MEMBER, AS_TEXT(u->where), AS_TEXT(u->what))));
    }
    return ROOF_OK;
}

roof_status note_all(reconciler *r)
{
    const roof_reconciliation *out = r->out;
    const roof_fit *overhead = &out->fits[ROOF_FIT_OVERHEAD].fit;
    const roof_line *line = &overhead->lines[ROOF_LINE_FREE];
    if (!out->one_hardware)
        TRY(remark_add(r, ROOF_NONE, NULL, &REMARK(MIXED_HARDWARE, NO_OPERANDS)));
    else if (!overhead->lines[overhead->chosen].known && !out->by_epochs)
        TRY(remark_add(r, ROOF_NONE, NULL, &REMARK(NO_FIT, AS_COUNT(overhead->distinct_x))));
    if (line->known && line->slope.ci95_low < 0)
        TRY(remark_add(r, ROOF_NONE, NULL, &REMARK(WIDE_INTERVAL, AS_COUNT(line->dof))));
    TRY(note_unread(r));
    return note_ceiling(r);
}
