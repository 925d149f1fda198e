/* ## Costs of single layers
 * ### slow_kind
 * Condition: the median ratio of a kind of layers is more than 1.3 times that of all others, and more than 4
 *   errors above it, but never more than 2.7 times. The error is the spread times sqrt(1 / layers
 *   of the kind + 1 / others). At least 2 layers of the kind, and 3 others; the time above is at least 5 %.
 * Gain: the time of the kind above the ratio of all others together, without those that are far above; with
 *   an interval by the error. Sure: peers.
 * Advice: look at what these layers have in common: an operator that is not overlapped, or a shape that
 *   fills the array badly. */
#include "measure/causes/layer_groups.h"

void cause_slow_kind(cause_search *in)
{
    kind_comparison kind;
    for (uint32_t i = 0; i < in->types.n; i++) {
        if (!cause_kind_is_slow(in, in->types.of[i], &kind))
            continue;
        const group_sums *own = &kind.sums;
        cause_add_group(in, cause_of_slower(in, ROOF_CAUSE_SLOW_KIND, own->seconds, kind.like_s, kind.error),
                        &(layer_group){.type = in->types.of[i]},
                        REMARK(CAUSE_KIND, AS("", own->seconds / own->bound_s), AS("", kind.others_ratio),
                               AS_RATIO(own->gap_s / in->gap_s), AS_SECONDS(own->gap_s),
                               AS_SECONDS(in->gap_s)));
    }
}
