/* ### squeeze
 * Condition: a feature map is multiplied by one computed value a channel. All of them together, and each
 * alone.
 * Change: the product is left out, and what made the values with it.
 * Reason: the values are known only once the whole map is; it is read three times, by a pooling, by the
 *   product, and by what follows. On a DPU the vector always goes through external memory.
 * Function: needs retraining.
 * Evidence: one pair, EfficientNet-B0 and lite0, together with the activation. Of this alone there is none.
 * Source: docs/hardware/dpuczdx8g.md, "Lowering", R10. */
#include "model/explore/advise/edit_rule.h"

static roof_status find(edit_search *s)
{
    edit_group group = {0};
    for (uint32_t i = 0; i < s->graph->n_ops; i++) {
        const uint32_t map = edit_scaled_map(s, i);
        if (map != ROOF_NONE && s->places[i].n_readers)
            TRY(edit_group_add(s, &group, (edit){.kind = EDIT_DROP, .op = i, .value = map}));
    }
    return edit_offer_group(s, &group);
}

const edit_rule edit_rule_squeeze = {
    .evidence = "one measured pair of networks, together with the activation", .find = find};
