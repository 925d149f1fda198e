/* ### bypass
 * Condition: an Identity or a Dropout, or a reshape into the shape that is there. All together.
 * Change: left out: its readers read what it reads.
 * Reason: a compiler that does not know them makes passes of them, runs them on the host, or takes what
 *   crosses a reshape through external memory. Where the lowering makes nothing of them they cost nothing,
 *   and this says so.
 * Function: stays.
 * Evidence: none needed where the lowering has a rule for it; else none.
 * Source: docs/hardware/dpuczdx8g.md, "Lowering", R1 and R6. */
#include "model/advise/edit_rule.h"
#include "core/error.h"

#include <string.h>

static roof_status find(edit_search *s)
{
    static const char *const words[] = {"identity", "dropout", "reshape", "flatten", "squeeze", NULL};
    edit_group group = {0};
    for (uint32_t i = 0; i < s->graph->n_ops; i++) {
        const uint32_t map = edit_map(s, i, 0);
        const roof_tensor *out = &s->graph->ops[i].out;
        if (map == ROOF_NONE || edit_map(s, i, 1) != ROOF_NONE || !s->places[i].n_readers ||
            !edit_is_typed(s, i, words))
            continue;
        const roof_tensor *in = &s->graph->ops[map].out;
        if (in->n_dims == out->n_dims && memcmp(in->dims, out->dims, in->n_dims * sizeof *in->dims) == 0)
            TRY(edit_group_add(s, &group, (edit){.kind = EDIT_DROP, .op = i}));
    }
    return group.n ? edit_offer(s, group.edits, group.n) : ROOF_OK;
}

const edit_rule edit_rule_bypass = {.keeps_function = true, .evidence = "no measured pair", .find = find};
