/* ### pads
 * Condition: convolutions alone read a map with rows and columns of zeroes around it (Pad). All together.
 * Change: the zeroes become the convolutions' own pads.
 * Reason: a compiler that does not fold it writes the whole map once more.
 * Function: stays.
 * Evidence: none needed where the lowering has a rule for it; else none.
 * Source: docs/hardware/dpuczdx8g.md, "Lowering", R7. */
#include "model/explore/advise/edit_rule.h"

static roof_status find(edit_search *s)
{
    static const char *const words[] = {"pad", NULL};
    edit_group group = {0};
    for (uint32_t i = 0; i < s->graph->n_ops; i++)
        if (edit_is_typed(s, i, words) && edit_zero_pads(s->graph, i))
            TRY(edit_group_add(s, &group, (edit){.kind = EDIT_PADS, .op = i}));
    return group.n ? edit_offer(s, group.edits, group.n) : ROOF_OK;
}

const edit_rule edit_rule_pads = {.keeps_function = true, .evidence = "no measured pair", .find = find};
