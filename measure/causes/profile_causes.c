/* Causes that a profile tells by itself, without a model: what only converts or copies, and a device that waits. */
#include "measure/reconcile/conversions.h"
#include "measure/profile/phases.h"
#include "measure/reconcile/steps.h"
#include "measure/units/unit_facts.h"
#include "model/predict/cause_facts.h"

#include <math.h>
#include <stdlib.h>

/* A device that waits for less of a recording is no finding; and where nearly all of the time is copying, that is what was to be done. */
#define IDLE_SHARE 0.1
#define ALL_COPIES 0.95

static void add_cause(reconciler *r, roof_reconciled *e, const roof_cause *cause)
{
    roof_cause *all = arena_grow(r->arena, (roof_cause *)(uintptr_t)e->causes, e->n_causes, sizeof *all);
    if (!all)
        return; /* the arena remembers */
    all[e->n_causes++] = *cause;
    e->causes = all;
}

/* What has an ideal is no conversion that nobody asked for: its gap says what it loses. */
static bool is_conversion(const roof_reconciled *e, const roof_unit *u)
{
    const char *name = u->n_rows ? unit_row(e, u, 0)->name : NULL;
    return u->n_rows && isnan(u->ideal_s) && u->measured_s > 0 && !roof_unit_is_repeated(u) &&
           row_is_conversion(u->type, name);
}

static int longest_first(const void *a, const void *b, void *of)
{
    const roof_unit *units = of;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    double x = units[i].measured_s, y = units[k].measured_s;
    return x != y ? (x < y ? 1 : -1) : (i > k) - (i < k);
}

static void find_conversions(reconciler *r, roof_reconciled *e, double of_s)
{
    double sum_s = 0;
    roof_cause cause = {.kind = ROOF_CAUSE_LAYOUT, .gain_ci95_s = {NAN, NAN}, .sure = ROOF_SURE_BOUND};
    uint32_t *units = NEW_ARRAY(r->arena, uint32_t, e->n_units);
    for (uint32_t i = 0; units && i < e->n_units; i++) {
        if (!is_conversion(e, &e->units[i]))
            continue;
        units[cause.n_units++] = i;
        sum_s += e->units[i].measured_s;
    }
    cause.gain_s = sum_s;
    cause.share_ratio = sum_s / of_s;
    if (!(cause.share_ratio >= CAUSE_LEAST_SHARE) || cause.share_ratio > ALL_COPIES)
        return;
    qsort_r(units, cause.n_units, sizeof *units, longest_first, e->units);
    cause.units = units;
    cause.why = REMARK(CAUSE_LAYOUT, AS_COUNT(cause.n_units), AS_SECONDS(sum_s), AS_SECONDS(of_s));
    add_cause(r, e, &cause);
}

static void find_idle(reconciler *r, roof_reconciled *e)
{
    const roof_run *run = e->layer_run;
    if (!run)
        return;
    double idle_s = run->span_s - run->busy_s;
    if (!(idle_s >= IDLE_SHARE * run->span_s) || !(run->busy_s > 0))
        return;
    if (run->n_phases && phases_sum(run).of_s[ROOF_PHASE_HOST] > 0)
        return; /* the same time, of which the phases say what is the host's and what are copies */
    roof_cause cause = {.kind = ROOF_CAUSE_IDLE,
                        .gain_s = idle_s,
                        .gain_ci95_s = {NAN, NAN},
                        .share_ratio = idle_s / run->span_s,
                        .sure = ROOF_SURE_BOUND};
    cause.why =
        REMARK(CAUSE_IDLE, AS_SECONDS(run->busy_s), AS_SECONDS(run->span_s), AS_RATIO(idle_s / run->span_s));
    add_cause(r, e, &cause);
}

void find_profile_causes(reconciler *r, uint32_t i, double of_s)
{
    roof_reconciled *e = &r->out->experiments[i];
    if (e->has_doubtful_times)
        return;
    if (of_s > 0)
        find_conversions(r, e, of_s);
    if (!e->prediction)
        find_idle(r, e);
}
