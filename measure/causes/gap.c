/* ## Gaps
 * ### gap
 * Condition: a kind of layers holds at least 10 % of the gap, which is at least 5 % of the time, and it is no
 *   `slow_kind`. Layers that the profile sums up without listing them are no kind: their gap is `unprofiled`.
 * Gain: the gap of these layers. It is an upper limit: no real device reaches the ideal everywhere. Sure:
 *   bound.
 * Advice: see which engine is the bottleneck of these layers, and what their code waits for. */
#include "measure/causes/layer_groups.h"

void cause_gap(cause_search *in)
{
    kind_comparison kind;
    for (uint32_t i = 0; i < in->types.n; i++) {
        const layer_group group = {.type = in->types.of[i]};
        double gap_s = cause_group_sum(in, &group).gap_s;
        uint32_t first = 0;
        while (in->layers[first].type != group.type)
            first++;
        if (!cause_kind_has_gap(in, gap_s) || in->layers[first].match->is_unlisted ||
            cause_kind_is_slow(in, group.type, &kind))
            continue;
        cause_add_group(in, cause_of(in, ROOF_CAUSE_GAP, gap_s, ROOF_SURE_BOUND), &group,
                        REMARK(CAUSE_GAP, AS_RATIO(gap_s / in->gap_s), AS_SECONDS(in->gap_s)));
    }
}
