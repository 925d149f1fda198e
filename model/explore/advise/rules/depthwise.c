/* ### depthwise
 * Condition: a plain convolution with a kernel of 3 or more rows and as many channels in as out. Each alone.
 * Change: a depthwise one, which no longer mixes channels.
 * Reason: it has as many times fewer multiply-accumulates as there are channels.
 * Function: needs retraining. Networks that were designed so have a 1 x 1 convolution behind it, which
 *   this edit does not add, and whose time is not in it.
 * Evidence: one pair, SSD-MobileNetV2 and SSDlite, whose heads also have the 1 x 1: measured 1.43 times as
 *   fast, the law says 1.47.
 * Source: docs/hardware/dpuczdx8g.md, "Cycles". */
#include "model/explore/advise/edit_rule.h"

static roof_status find(edit_search *s)
{
    for (uint32_t i = 0; i < s->graph->n_ops; i++) {
        const uint32_t map = edit_map(s, i, 0), c = edit_channels(s, i);
        if (s->graph->ops[i].rule == ROOF_RULE_CONV2D && edit_groups_of(s, i) == 1 && edit_area(s, i) > 1 &&
            c > 1 && edit_channels(s, map) == c && s->graph->ops[i].window.kernel_h >= 3)
            TRY(edit_offer(s, &(edit){.kind = EDIT_GROUPS, .op = i, .value = c}, 1));
    }
    return ROOF_OK;
}

const edit_rule edit_rule_depthwise = {
    .evidence = "one measured pair of networks, which has a 1 x 1 convolution behind it", .find = find};
