/* ### plain
 * Condition: a depthwise or grouped convolution. Each alone.
 * Change: a plain one, whose weights between groups are zero.
 * Reason: a depthwise convolution leaves most of an array idle, or runs on an ALU that does a fraction of
 *   what the array does in a cycle: with few channels the array is done sooner, zeroes included.
 * Function: stays, but for the order of sums.
 * Evidence: none.
 * Source: docs/hardware/dpuczdx8g.md, "Cycles". */
#include "model/explore/advise/edit_rule.h"

static roof_status find(edit_search *s)
{
    for (uint32_t i = 0; i < s->graph->n_ops; i++)
        if (edit_area(s, i) && edit_groups_of(s, i) > 1)
            TRY(edit_offer(s, &(edit){.kind = EDIT_GROUPS, .op = i, .value = 1}, 1));
    return ROOF_OK;
}

const edit_rule edit_rule_plain = {.keeps_function = true, .evidence = "no measured pair", .find = find};
