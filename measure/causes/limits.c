/* The limits `compute`, `memory` and `instructions` of a prediction hold for its profile as well; their
 * conditions stand in model/predict/causes/. A gain that is more than the measured time is left out. */
#include "measure/causes/cause_rule.h"

/* Each match once, in the order of the layers. None, where one of them has no row of its own: a few would not
 * say where. */
static void set_units(cause_search *in, roof_cause *cause, const uint32_t *unit_of)
{
    const roof_cause of = *cause;
    uint32_t *units = NEW_ARRAY(in->r->arena, uint32_t, of.n_units);
    bool *is_set = NEW_ARRAY(in->r->arena, bool, in->e->n_matches);
    uint32_t n = 0;
    bool has_all = units && is_set;
    for (uint32_t i = 0; has_all && i < of.n_units; i++) {
        uint32_t unit = unit_of[of.units[i]];
        has_all = unit != ROOF_NONE && !in->e->matches[unit].is_unlisted;
        if (!has_all || is_set[unit])
            continue;
        is_set[unit] = true;
        units[n++] = unit;
    }
    cause->units = units;
    cause->n_units = has_all ? n : 0;
}

void cause_limits(cause_search *in)
{
    const roof_reconciled *e = in->e;
    const roof_prediction *p = e->prediction;
    uint32_t *unit_of = e->not_compared ? NULL : NEW_ARRAY(in->r->arena, uint32_t, p->n_layers);
    for (uint32_t i = 0; unit_of && i < p->n_layers; i++)
        unit_of[i] = ROOF_NONE;                          /* no row has it */
    for (uint32_t i = e->n_matches; unit_of && i-- > 0;) /* backwards: the first of several rows has it */
        for (uint32_t k = 0; k < e->matches[i].n_layers; k++)
            unit_of[e->layer_order[e->matches[i].layer + k]] = i;
    for (uint32_t i = 0; unit_of && i < p->n_causes; i++) {
        roof_cause cause = p->causes[i];
        cause.share_ratio = cause.gain_s / in->of_s;
        if (!cause_is_limit(&cause) || !(cause.share_ratio >= CAUSE_LEAST_SHARE && cause.share_ratio <= 1))
            continue;
        set_units(in, &cause, unit_of);
        cause_add(in, cause, cause.why);
    }
}
