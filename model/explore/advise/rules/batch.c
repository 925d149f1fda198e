/* ### batch
 * Condition: the core works on several images at once, and some of its lanes are empty at this batch size.
 * Change: as many images at once as it has lanes, or the next multiple of that. Times, bytes and counts are
 *   of as many images as before; what is alive is of all that are done at once.
 * Reason: a pass takes as long for one image as for all lanes, and brings the weights once.
 * Function: stays; an image waits for the others.
 * Evidence: none of this alone.
 * Source: docs/hardware/dpuczdx8g.md, "Cycles". */
#include "model/explore/advise/edit_rule.h"

static roof_status find(edit_search *s)
{
    const uint32_t lanes = s->base->hardware.batch_lanes, images = s->base->options.batch;
    if (lanes < 2 || !images || images % lanes == 0 || images > UINT32_MAX - lanes)
        return ROOF_OK;
    const uint32_t filled = (images / lanes + 1) * lanes;
    return edit_offer(s, &(edit){.kind = EDIT_BATCH, .op = ROOF_NONE, .value = filled}, 1);
}

const edit_rule edit_rule_batch = {
    .keeps_function = true, .is_of_whole = true, .evidence = "no measured pair", .find = find};
