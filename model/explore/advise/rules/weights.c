/* ### weights
 * Condition: moving data is the bottleneck of a layer, and more than half of the bytes that it moves are
 *   weights; a later product reads it. Each alone.
 * Change: half of its channels.
 * Reason: weights that do not fit on the chip are read again for every inference, and halving the channels
 *   halves them here and in the layer behind.
 * Function: needs retraining.
 * Evidence: pruned VGG16, whose hidden fully connected layers shrank: 0.25 GOP of these were a third of the
 *   time. The pruned channels are not published.
 * Source: docs/hardware/dpuczdx8g.md, "Expected times". */
#include "model/explore/advise/edit_rule.h"

static bool is_bound_by_weights(const edit_search *s, const roof_layer_prediction *row)
{
    const roof_traffic *t = &row->deployed.traffic;
    const uint64_t all = roof_traffic_total(t);
    return row->deployed.bound != ROOF_NONE && row->deployed.bound < s->base->n_engines &&
           row->roof != row->deployed.bound && all != ROOF_UNKNOWN && t->weights_bytes != ROOF_UNKNOWN &&
           t->weights_bytes > all / 2;
}

static roof_status find(edit_search *s)
{
    for (uint32_t i = 0; i < s->graph->n_ops; i++) {
        const uint32_t row = s->places[i].row, half = edit_channels(s, i) / 2;
        if (s->places[i].set != ROOF_NONE && row != ROOF_NONE && half &&
            is_bound_by_weights(s, &s->base->layers[row]))
            TRY(edit_offer(s, &(edit){.kind = EDIT_CHANNELS, .op = i, .value = half}, 1));
    }
    return ROOF_OK;
}

const edit_rule edit_rule_weights = {.evidence = "pruned networks whose channels are not published",
                                     .find = find};
