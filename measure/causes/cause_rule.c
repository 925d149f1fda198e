#include "measure/causes/cause_rule.h"
#include "model/predict/calibrated.h"

roof_cause cause_of(const cause_search *in, roof_cause_kind kind, double gain_s, roof_certainty sure)
{
    return (roof_cause){.kind = kind,
                        .gain_s = gain_s,
                        .gain_ci95_s = {NAN, NAN},
                        .share_ratio = gain_s / in->of_s,
                        .sure = sure};
}

void cause_add(cause_search *in, roof_cause cause, roof_remark why)
{
    roof_reconciled *e = in->e;
    if (!isnan(cause.gain_s) && !isfinite(cause.share_ratio))
        return;
    roof_cause *all = arena_grow(in->r->arena, (roof_cause *)(uintptr_t)e->causes, e->n_causes, sizeof *all);
    if (!all)
        return; /* the arena remembers */
    cause.why = why;
    all[e->n_causes++] = cause;
    e->causes = all;
}

/* Above their bounds; a layer of the CPU has none, and all of its time counts. */
static int most_first(const void *a, const void *b, void *of)
{
    const roof_match *x = &((const roof_match *)of)[*(const uint32_t *)a],
                     *y = &((const roof_match *)of)[*(const uint32_t *)b];
    double g = x->measured_s - fmax(match_bound_s(x), 0), h = y->measured_s - fmax(match_bound_s(y), 0);
    return g != h ? (g < h ? 1 : -1) : (x > y) - (x < y);
}

void cause_sort_units(const cause_search *in, roof_cause *cause)
{
    if (cause->n_units)
        qsort_r((uint32_t *)(uintptr_t)cause->units, cause->n_units, sizeof *cause->units, most_first,
                in->e->matches);
}

roof_cause cause_of_matches(cause_search *in, roof_cause_kind kind, roof_certainty sure, cause_match_is *is)
{
    uint32_t *units = NEW_ARRAY(in->r->arena, uint32_t, in->e->n_matches), n = 0;
    double sum_s = 0;
    for (uint32_t i = 0; units && i < in->e->n_matches; i++) {
        const roof_match *u = &in->e->matches[i];
        if (!(u->measured_s > 0) || roof_match_is_repeated(u) || !is(in, u))
            continue;
        units[n++] = i;
        sum_s += u->measured_s;
    }
    roof_cause cause = cause_of(in, kind, sum_s, sure);
    cause.units = units;
    cause.n_units = n;
    return cause;
}

bool cause_match_is_on_host(const cause_search *in, const roof_match *u)
{
    const roof_reconciled *e = in->e;
    return u->n_layers ? experiment_has_bound(e) && match_layer(e, u, 0)->executor != ROOF_BY_NOBODY &&
                             !layer_uses_accelerator(match_layer(e, u, 0))
                       : match_is_hosts(e, u);
}
