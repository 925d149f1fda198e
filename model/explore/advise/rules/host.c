/* ### host
 * Condition: the host runs an operator of one map that makes a map of the same shape and is read again by
 *   what the accelerator runs, and no other rule replaces it.
 * Change: left out.
 * Reason: the accelerator's work ends before it and begins again behind it: two more calls, and the map
 *   crosses external memory twice. What the CPU takes is in no time here, so the gain is at least this.
 * Function: needs retraining.
 * Evidence: none.
 * Source: docs/hardware/dpuczdx8g.md, "Lowering", R12. */
#include "model/explore/advise/edit_rule.h"
#include "model/work/opmap.h"

static bool is_on_host(const edit_search *s, uint32_t op)
{
    const uint32_t row = s->places[op].row;
    return row != ROOF_NONE && s->base->layers[row].executor == ROOF_BY_HOST;
}

static roof_status find(edit_search *s)
{
    for (uint32_t i = 0; i < s->graph->n_ops; i++) {
        const uint32_t map = edit_map(s, i, 0);
        const roof_rule rule = s->graph->ops[i].rule;
        if (map == ROOF_NONE || edit_map(s, i, 1) != ROOF_NONE || edit_area(s, i) < 2 ||
            s->places[i].n_readers != 1 || !is_on_host(s, i) || is_on_host(s, s->places[i].reader) ||
            rule_has_macs(rule) || s->graph->ops[map].out.elements != s->graph->ops[i].out.elements ||
            edit_is_gated(s, s->places[i].reader))
            continue;
        TRY(edit_offer(s, &(edit){.kind = EDIT_DROP, .op = i}, 1));
    }
    return ROOF_OK;
}

const edit_rule edit_rule_host = {.evidence = "no measured pair", .find = find};
