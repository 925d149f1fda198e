/* ## Gaps
 * ### unprofiled
 * Condition 1: the profile has no per-layer run, and the latency without the host's is above the bound by 5 %
 * or more. Not where the ideal is only an estimate. Condition 2: a per-layer run lists only some of its
 *   layers, and the others hold at least 10 % of the gap, which is at least 5 % of the time.
 * Gain: that difference, or that gap. It is an upper limit. Sure: bound.
 * Advice: run a per-layer profile of all layers to locate it: measure or import one, and reconcile it
 *   with this run. */
#include "measure/causes/layer_groups.h"

void cause_unprofiled(cause_search *in)
{
    const roof_reconciled *e = in->e;
    double host_s = isnan(e->total.host_s) ? 0 : e->total.host_s;
    double gap_s = e->total.bypass_s - e->total.best_s - host_s;
    FOR_EACH(const cause_layer, layer, in->layers, in->n) {
        if (!layer->match->is_unlisted || !layer->type)
            continue;
        double sum_s = cause_group_sum(in, &(layer_group){.type = layer->type}).gap_s;
        if (cause_kind_has_gap(in, sum_s))
            cause_add(in, cause_of(in, ROOF_CAUSE_UNPROFILED, sum_s, ROOF_SURE_BOUND),
                      REMARK(CAUSE_ABSENT, AS_COUNT(layer->match->n_layers), AS_RATIO(sum_s / in->gap_s)));
    }
    if (!e->per_layer && !e->not_compared && experiment_has_bound(e) && gap_s >= CAUSE_LEAST_SHARE * in->of_s)
        cause_add(in, cause_of(in, ROOF_CAUSE_UNPROFILED, gap_s, ROOF_SURE_BOUND),
                  REMARK(CAUSE_UNPROFILED, AS_SECONDS(gap_s), AS_SECONDS(e->total.bypass_s)));
}
