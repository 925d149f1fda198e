/* ### kernel
 * Condition: a convolution, or a pooling that is not over its whole map, has a kernel of 4 or more rows and
 *   columns. All of one size together, and each alone.
 * Change: 3 x 3, with pads that keep the output as large as it is.
 * Reason: an array takes as many passes as a kernel has positions; on an ALU a depthwise 5 x 5 takes 25/9 of
 *   a 3 x 3. Engines have a largest kernel, beyond which the host does it.
 * Function: needs retraining.
 * Evidence: depthwise kernels of 36 held-out blocks of EfficientNetV2: the ratio was wrong by 2.4 % in the
 *   median where the board's constants were known, 13.7 % at worst, and 7.5 and 27 % with those of another
 *   board. One saved nothing where 11 % were predicted.
 * Source: docs/hardware/dpuczdx8g.md, "Cycles". */
#include "model/explore/advise/edit_rule.h"

enum { FROM = 4, TO = 3 };

static bool has_large_kernel(const edit_search *s, uint32_t op)
{
    const roof_op *own = &s->graph->ops[op];
    const roof_window *w = &own->window;
    return edit_has_window(own->rule) && edit_area(s, op) > 1 && w->kernel_h >= FROM && w->kernel_w >= FROM;
}

static roof_status find(edit_search *s)
{
    enum { MOST_SIZES = 16 };
    uint32_t size = FROM - 1;
    for (uint32_t n = 0; n < MOST_SIZES; n++) { /* the next larger size that there is */
        uint32_t next = ROOF_NONE;
        edit_group group = {0};
        for (uint32_t i = 0; i < s->graph->n_ops; i++) {
            const uint32_t own = has_large_kernel(s, i) ? s->graph->ops[i].window.kernel_h : 0;
            next = own > size && own < next ? own : next;
        }
        if (next == ROOF_NONE)
            return ROOF_OK;
        size = next;
        for (uint32_t i = 0; i < s->graph->n_ops; i++)
            if (has_large_kernel(s, i) && s->graph->ops[i].window.kernel_h == size)
                TRY(edit_group_add(s, &group, (edit){.kind = EDIT_KERNEL, .op = i, .value = TO}));
        TRY(edit_offer_group(s, &group));
    }
    return ROOF_OK;
}

const edit_rule edit_rule_kernel = {.evidence = "93 measured blocks with depthwise kernels of 3, 5 and 7",
                                    .find = find};
