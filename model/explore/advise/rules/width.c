/* ### width
 * Condition: some layers have channels that may change.
 * Change: the channels of all layers times 0.75 and 0.5, rounded up to multiples of 8; classes and boxes
 *   stay.
 * Reason: multiply-accumulates shrink with the square of it, weights too, maps and the number of layers do
 *   not.
 * Function: needs retraining.
 * Evidence: MobileNetV1 and V2 of several widths on KV260, within 6 %, and 22 % below 0.2 GOP.
 * Source: docs/hardware/dpuczdx8g.md, "Cycles"; multiples of 8: Sandler et al., MobileNetV2. */
#include "model/explore/advise/edit_rule.h"

static roof_status find(edit_search *s)
{
    static const double factors[] = {0.75, 0.5};
    bool may_change = false;
    for (uint32_t i = 0; i < s->graph->n_ops && !may_change; i++)
        may_change = s->places[i].set != ROOF_NONE;
    for (size_t i = 0; may_change && i < N_OF(factors); i++)
        TRY(edit_offer(s, &(edit){.kind = EDIT_WIDTH, .op = ROOF_NONE, .value = 8, .factor = factors[i]}, 1));
    return ROOF_OK;
}

const edit_rule edit_rule_width = {
    .is_of_whole = true, .evidence = "measured pairs of two families", .find = find};
