/* ### resolution
 * Condition: the network has one image.
 * Change: height and width times 7/8 and 3/4, to a multiple of 32 where they are multiples of that and at
 *   least 192, else of 8 where they are multiples of that.
 * Reason: work and maps shrink with the number of pixels, weights do not, and rows that fill the array may no
 *   longer do so.
 * Function: needs retraining, or at least try how accurate it still is.
 * Evidence: MobileNetV1 0.5 at 160 and 0.25 at 128, with the width: measured 1.64, the law says 2.00.
 * Source: docs/hardware/dpuczdx8g.md, "Cycles". */
#include "model/explore/advise/edit_rule.h"

static uint32_t scaled(uint32_t size, uint32_t eighths)
{
    enum { STRIDES = 32, LEAST = 6 * STRIDES, FEW = 8 }; /* STRIDES: all those of most networks together */
    const uint32_t step = size % STRIDES == 0 && size >= LEAST ? STRIDES : size % FEW == 0 ? FEW : 1;
    return (uint32_t)((uint64_t)size * eighths / 8 / step * step);
}

static roof_status find(edit_search *s)
{
    uint32_t op, height;
    if (edit_image(s->graph, &op, &height) != NULL)
        return ROOF_OK;
    const uint32_t *dims = s->graph->ops[op].out.dims;
    for (uint32_t eighths = 7; eighths >= 6; eighths--) {
        const uint32_t h = scaled(dims[height], eighths), w = scaled(dims[height + 1], eighths);
        if (h && w && (h != dims[height] || w != dims[height + 1]))
            TRY(edit_offer(s, &(edit){.kind = EDIT_INPUT, .op = ROOF_NONE, .value = h, .value_w = w}, 1));
    }
    return ROOF_OK;
}

const edit_rule edit_rule_resolution = {
    .is_of_whole = true, .evidence = "measured pairs of one family, together with the width", .find = find};
