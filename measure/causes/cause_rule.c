#include "measure/causes/cause_rule.h"
#include "model/predict/calibrated.h"

#include <math.h>
#include <stdlib.h>

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

double cause_around_s(const cause_search *in)
{
    double sum_s = NAN;
    FOR_EACH(const roof_match, u, in->e->matches, in->e->n_matches)
        if (!cause_match_is_on_host(in->e, u) && !roof_match_is_repeated(u))
            sum_s = add_if_known(sum_s, u->host_s);
    return sum_s;
}

void cause_add_around(cause_search *in, roof_cause cause, double of_s, roof_form form)
{
    cause.share_ratio = cause.gain_s / of_s;
    if (cause.gain_s > 0 && cause.gain_s >= 0.1 * of_s)
        cause_add(in, cause, (roof_remark){form, {AS_SECONDS(cause.gain_s), AS_SECONDS(of_s)}});
}

/* Above their bounds; a layer of the CPU has none, and all of its time counts. */
static int most_first(const void *a, const void *b, void *of)
{
    const roof_match *x = &((const roof_match *)of)[*(const uint32_t *)a],
                     *y = &((const roof_match *)of)[*(const uint32_t *)b];
    double g = x->measured_s - fmax(match_bound_s(x), 0), h = y->measured_s - fmax(match_bound_s(y), 0);
    return g != h ? (g < h ? 1 : -1) : (x > y) - (x < y);
}

void cause_sort_units(const cause_search *in, uint32_t *units, uint32_t n)
{
    qsort_r(units, n, sizeof *units, most_first, in->e->matches);
}

bool cause_match_is_on_host(const roof_reconciled *e, const roof_match *u)
{
    return u->n_layers ? experiment_has_bound(e) && match_layer(e, u, 0)->executor != ROOF_BY_NOBODY &&
                             !layer_uses_accelerator(match_layer(e, u, 0))
                       : match_is_hosts(e, u);
}
