/* ### stem
 * Condition: the first convolution has at most 4 channels in, a kernel of 3 or more, and a stride of 1 or
 *   2; a convolution or pooling behind it, before the network branches, halves the map.
 * Change: twice the stride there, and a stride of 1 where the map was halved next: all behind that stays as
 *   large as it was.
 * Reason: an array that takes 8 or 16 channels in a pass leaves most of its lanes empty on the few of an
 *   image, at the largest map of the network.
 * Function: needs retraining.
 * Evidence: none measured.
 * Source: docs/hardware/dpuczdx8g.md, "Cycles". */
#include "model/explore/advise/edit_rule.h"

enum { MOST_CHANNELS = 4, FROM = 3, MOST_STRIDE = 2 };

/* The stride of a window with the same in both directions; 0: it has none. */
static uint32_t stride_of(const edit_search *s, uint32_t op)
{
    const roof_op *own = &s->graph->ops[op];
    return edit_has_window(own->rule) && edit_area(s, op) > 1 && own->window.stride_h == own->window.stride_w
               ? own->window.stride_h
               : 0;
}

static roof_status find(edit_search *s)
{
    uint32_t op, height, stem = ROOF_NONE;
    if (edit_image(s->graph, &op, &height) != NULL)
        return ROOF_OK;
    for (uint32_t i = 0; i < s->graph->n_ops && stem == ROOF_NONE; i++) {
        const uint32_t map = s->graph->ops[i].rule == ROOF_RULE_CONV2D ? edit_map(s, i, 0) : ROOF_NONE;
        const uint32_t stride = stride_of(s, i);
        if (map != ROOF_NONE && edit_channels(s, map) && edit_channels(s, map) <= MOST_CHANNELS && stride &&
            stride <= MOST_STRIDE && s->graph->ops[i].window.kernel_h >= FROM)
            stem = i;
    }
    /* as long as a single operator reads what the last one made */
    for (uint32_t at = stem; at != ROOF_NONE && s->places[at].n_readers == 1;) {
        at = s->places[at].reader;
        if (stride_of(s, at) != 2)
            continue;
        const edit both[] = {{.kind = EDIT_STRIDE, .op = stem, .value = 2 * stride_of(s, stem)},
                             {.kind = EDIT_STRIDE, .op = at, .value = 1}};
        return edit_offer(s, both, 2);
    }
    return ROOF_OK;
}

const edit_rule edit_rule_stem = {.evidence = "no measured pair", .find = find};
