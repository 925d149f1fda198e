/* ### bypass
 * Condition: an Identity or a Dropout, a reshape into the shape that is there, or a transposition that undoes
 *   the one that it reads. All together.
 * Change: left out: its readers read what it reads; of a transposition, what the undone one reads.
 * Reason: a compiler that does not know them makes passes of them, runs them on the CPU, or takes what
 *   crosses a reshape through external memory. Where the lowering makes nothing of them they cost nothing,
 *   and this says so.
 * Function: stays.
 * Evidence: none needed where the lowering has a rule for it; else none.
 * Source: docs/hardware/dpuczdx8g.md, "Lowering", R1 and R6. */
#include "model/explore/advise/edit_rule.h"
#include "model/edit/follow.h"

static roof_status find(edit_search *s)
{
    static const char *const words[] = {"identity", "dropout", "reshape", "flatten", "squeeze", NULL};
    edit_group group = {0};
    for (uint32_t i = 0; i < s->graph->n_ops; i++) {
        const uint32_t map = edit_map(s, i, 0), undone = edit_undone(s->graph, i);
        const uint32_t from = undone == ROOF_NONE ? map : edit_map(s, undone, 0);
        const bool is_known = undone == ROOF_NONE
                                  ? edit_is_typed(s, i, words) && edit_map(s, i, 1) == ROOF_NONE
                                  : edit_undone(s->graph, undone) == ROOF_NONE;
        if (is_known && from != ROOF_NONE && s->places[i].n_readers &&
            follow_same_dims(&s->graph->ops[from].out, &s->graph->ops[i].out))
            TRY(edit_group_add(s, &group, (edit){.kind = EDIT_DROP, .op = i}));
    }
    return group.n ? edit_offer(s, group.edits, group.n) : ROOF_OK;
}

const edit_rule edit_rule_bypass = {.keeps_function = true, .evidence = "no measured pair", .find = find};
