/* Finds what costs time in an experiment: every rule of causes.def is asked, and their causes are ranked.
 * docs/causes.md is made of the comments on top of the rules. */
#include "measure/causes/layer_groups.h"

static const struct {
    unsigned when;
    void (*find)(cause_search *in);
} rules[] = {
#define CAUSE(id, when) {(when), cause_##id},
#include "measure/causes.def"
#undef CAUSE
};

void find_causes(reconciler *r, roof_reconciled *e)
{
    const double busy_s = experiment_overlapped_busy_s(e);
    cause_search in = {.r = r,
                       .e = e,
                       .of_s = e->total.bypass_s > 0                       ? e->total.bypass_s
                               : busy_s > 0 && !(e->total.per_layer_s > 0) ? busy_s
                                                                           : roof_layered_seconds(e),
                       .layers = NEW_ARRAY(r->arena, cause_layer, e->n_matches),
                       .ratios = NEW_ARRAY(r->arena, double, e->n_matches),
                       .deviations = NEW_ARRAY(r->arena, double, e->n_matches)};
    if (!in.layers || !in.ratios || !in.deviations)
        return; /* the arena remembers */
    cause_layers_find(&in);
    /* A time below its bound, or below the estimate of the whole, puts all gains in doubt that are counted
     * from there. */
    bool bound_holds = e->prediction && !experiment_n_impossible(e) && !experiment_is_impossible(e) &&
                       !(e->total.efficiency_ratio > 1);
    for (size_t k = 0; k < N_OF(rules); k++) {
        const unsigned when = rules[k].when;
        if ((when & CAUSE_OF_ANY_HARDWARE || !e->other_hardware) && (in.n || !(when & CAUSE_OF_LAYERS)) &&
            (bound_holds || !(when & CAUSE_OF_BOUND)))
            rules[k].find(&in);
    }
    causes_rank((roof_cause *)(uintptr_t)e->causes, e->n_causes);
}
