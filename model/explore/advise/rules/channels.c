/* ### channels
 * Condition: a layer's channels are no multiple of those that one pass works on, as the hardware states them;
 *   where it does not, of 16 and of 8.
 * Change: the next multiple below, where that is at least three quarters of them, of all such layers and of
 *   each; the next multiple above, of all.
 * Reason: the last pass works on what is left over: 17 channels take as many passes as 32 on 16 lanes.
 * Function: needs retraining.
 * Evidence: none of this alone. The formulas with their rounding up are what predicts measured networks to
 *   3.8 %, otherwise to 7.4 %. Fewer channels inside of blocks were predicted no better than by counting
 *   operations (6.7 % in the median, 34 % at worst).
 * Source: docs/hardware/dpuczdx8g.md, "Cycles". */
#include "model/explore/advise/edit_rule.h"

static roof_status find_to(edit_search *s, uint32_t lanes)
{
    edit_group down = {0}, up = {0};
    for (uint32_t i = 0; i < s->graph->n_ops; i++) {
        const uint32_t c = edit_channels(s, i), below = c / lanes * lanes;
        if (s->places[i].set != i || c == below)
            continue;
        if ((uint64_t)below * 4 >= (uint64_t)c * 3)
            TRY(edit_group_add(s, &down, (edit){.kind = EDIT_CHANNELS, .op = i, .value = below}));
        if (c < UINT32_MAX - lanes)
            TRY(edit_group_add(s, &up, (edit){.kind = EDIT_CHANNELS, .op = i, .value = below + lanes}));
    }
    TRY(edit_offer_group(s, &down));
    return up.n ? edit_offer(s, up.edits, up.n) : ROOF_OK;
}

static roof_status find(edit_search *s)
{
    const uint32_t lanes = edit_lanes(s);
    if (lanes > 1)
        return find_to(s, lanes);
    TRY(find_to(s, 16));
    return find_to(s, 8);
}

const edit_rule edit_rule_channels = {
    .evidence = "no measured pair; inside of blocks no better than counting operations", .find = find};
