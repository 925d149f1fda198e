/* ### largest
 * Condition: of the maps whose channels may change the four sets with the largest ones.
 * Change: half of their channels, to a multiple of the lanes where the hardware states these.
 * Reason: the largest maps set the peak of memory, and leave the chip first: what no longer fits is written
 *   and read again.
 * Function: needs retraining.
 * Evidence: leaving the chip is seen, and under-estimated: 2.80 measured, 1.73 predicted for a block whose
 *   hidden map shrank from 258 048 to 172 032 bytes.
 * Source: docs/hardware/dpuczdx8g.md, "Lowering"; docs/words.md, "peak". */
#include "model/explore/advise/edit_rule.h"

enum { MOST_SETS = 4 };

static bool is_taken(const edit_search *s, const uint32_t *taken, uint32_t n, uint32_t op)
{
    for (uint32_t i = 0; i < n; i++)
        if (s->places[taken[i]].set == s->places[op].set)
            return true;
    return false;
}

static uint32_t half_of(const edit_search *s, uint32_t op)
{
    const uint32_t half = edit_channels(s, op) / 2, lanes = edit_lanes(s);
    return lanes > 1 && half > lanes ? half / lanes * lanes : half;
}

static roof_status find(edit_search *s)
{
    uint32_t taken[MOST_SETS];
    for (uint32_t n = 0; n < MOST_SETS; n++) {
        uint32_t best = ROOF_NONE;
        for (uint32_t i = 0; i < s->graph->n_ops; i++)
            if (s->places[i].set != ROOF_NONE && edit_area(s, i) > 1 && !is_taken(s, taken, n, i) &&
                (best == ROOF_NONE || s->graph->ops[i].out.elements > s->graph->ops[best].out.elements))
                best = i;
        if (best == ROOF_NONE)
            return ROOF_OK;
        taken[n] = best;
        if (half_of(s, best))
            TRY(edit_offer(s, &(edit){.kind = EDIT_CHANNELS, .op = best, .value = half_of(s, best)}, 1));
    }
    return ROOF_OK;
}

const edit_rule edit_rule_largest = {.evidence = "measured blocks that leave the chip, under-estimated",
                                     .find = find};
