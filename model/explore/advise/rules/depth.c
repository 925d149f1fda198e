/* ### depth
 * Condition: residual units whose shortcut is what they read; units of the same shape are a stage.
 * Change: the last one of a stage is left out, and half of them.
 * Reason: a unit takes its whole time, whatever its bottleneck is.
 * Function: needs retraining.
 * Evidence: ResNet v1 and v2 of 152, 101 and 50 layers: the ratio within 3 %.
 * Source: docs/hardware/dpuczdx8g.md, "Expected times". */
#include "model/explore/advise/edit_rule.h"
#include "model/work/opmap.h"

/* True if the branch that ends in op begins at from: along the first maps, a few layers back. */
static bool leads_back(const edit_search *s, uint32_t op, uint32_t from)
{
    enum { MOST_STEPS = 24 };
    bool has_macs = false;
    for (uint32_t n = 0; n < MOST_STEPS && op != ROOF_NONE && op != from; n++) {
        has_macs = has_macs || rule_has_macs(s->graph->ops[op].rule);
        op = edit_map(s, op, 0);
    }
    return op == from && has_macs;
}

/* The input of an addition that is the shortcut of a unit; ROOF_NONE: it is none. */
static uint32_t shortcut_of(const edit_search *s, uint32_t op)
{
    static const char *const words[] = {"add", "sum", "eltwise", "eltwise-fix", NULL};
    const uint32_t a = edit_map(s, op, 0), b = edit_map(s, op, 1);
    if (b == ROOF_NONE || edit_map(s, op, 2) != ROOF_NONE || edit_area(s, op) < 2 ||
        !edit_is_typed(s, op, words) || !s->places[op].n_readers)
        return ROOF_NONE;
    return leads_back(s, a, b) ? 1 : leads_back(s, b, a) ? 0 : ROOF_NONE;
}

/* The unit, and the activation of its sum where the shortcut is one already. */
static roof_status add_unit(edit_search *s, edit_group *group, uint32_t op)
{
    const uint32_t reader = s->places[op].reader, value = shortcut_of(s, op);
    const roof_rule before = s->graph->ops[edit_map(s, op, value)].rule;
    TRY(edit_group_add(s, group, (edit){.kind = EDIT_DROP, .op = op, .value = value}));
    const roof_rule behind = s->graph->ops[reader].rule;
    if (s->places[op].n_readers == 1 && s->places[reader].n_readers && behind == before &&
        (behind == ROOF_RULE_ACTIVATION || behind == ROOF_RULE_RELU6))
        return edit_group_add(s, group, (edit){.kind = EDIT_DROP, .op = reader});
    return ROOF_OK;
}

static bool has_shape_of(const edit_search *s, uint32_t op, uint32_t of)
{
    return edit_channels(s, op) == edit_channels(s, of) && edit_area(s, op) == edit_area(s, of);
}

/* The last n units of a stage. */
static roof_status offer_last(edit_search *s, uint32_t of, uint32_t n)
{
    edit_group group = {0};
    for (uint32_t i = s->graph->n_ops; i-- > 0 && n;)
        if (has_shape_of(s, i, of) && shortcut_of(s, i) != ROOF_NONE) {
            TRY(add_unit(s, &group, i));
            n--;
        }
    return edit_offer(s, group.edits, group.n);
}

static roof_status find(edit_search *s)
{
    enum { MOST_STAGES = 32 };
    uint32_t first[MOST_STAGES], count[MOST_STAGES], n = 0;
    for (uint32_t i = 0; i < s->graph->n_ops; i++) {
        uint32_t stage = 0;
        if (shortcut_of(s, i) == ROOF_NONE)
            continue;
        while (stage < n && !has_shape_of(s, i, first[stage]))
            stage++;
        if (stage == n && n < MOST_STAGES) {
            first[n] = i;
            count[n++] = 0;
        }
        if (stage < n)
            count[stage]++;
    }
    for (uint32_t stage = 0; stage < n; stage++) {
        TRY(offer_last(s, first[stage], 1));
        if (count[stage] > 3)
            TRY(offer_last(s, first[stage], count[stage] / 2));
    }
    return ROOF_OK;
}

const edit_rule edit_rule_depth = {.evidence = "measured pairs of three families, within 3 %", .find = find};
