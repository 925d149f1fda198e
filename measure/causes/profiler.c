/* ## Costs around the layers
 * ### profiler
 * Condition: the overhead of timing is at least half of the per-layer run.
 * Gain: the overhead. It is time of the per-layer run only: the whole-network run does not have it. Sure:
 *   measured.
 * Advice: judge by the time of the whole inference. Profile fewer, larger parts. */
#include "measure/causes/cause_rule.h"

void cause_profiler(cause_search *in)
{
    const roof_attribution *a = &in->e->layer_by_layer;
    for (uint32_t i = 0; i < a->n_parts; i++) {
        double overhead_s = a->parts[i].seconds;
        if (a->parts[i].id != ROOF_PART_OVERHEAD)
            continue;
        roof_cause cause = cause_of(in, ROOF_CAUSE_PROFILER, overhead_s, ROOF_SURE_MEASURED);
        cause.share_ratio = overhead_s / a->total_s;
        if (overhead_s >= 0.5 * a->total_s)
            cause_add(in, cause,
                      REMARK(CAUSE_PROFILER, AS_SECONDS(overhead_s), AS_SECONDS(a->total_s),
                             AS_COUNT(in->e->boundaries)));
        return;
    }
}
