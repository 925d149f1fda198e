/* ### activation
 * Condition: an activation other than ReLU, or a map times its own sigmoid (swish, hard swish), of a map of
 *   more than one row or column. All of them together, and each alone.
 * Change: a ReLU6 in its place.
 * Reason: compilers fold a ReLU6 into the layer before it. Other activations are layers of their own, one or
 *   two passes over the map, or run on the CPU, which splits the network.
 * Function: needs retraining.
 * Evidence: one pair, EfficientNet-B0 and lite0, which also lacks squeeze and excitation: measured 2.80
 *   times as fast, the law says 2.99. Of hard swish alone there is none.
 * Source: docs/hardware/dpuczdx8g.md, "Lowering", R1, R9 and R12. */
#include "model/explore/advise/edit_rule.h"

/* Functions that networks have between layers; not those that others are made of, such as Exp. */
static bool is_activation(const edit_search *s, uint32_t op)
{
    static const char *const words[] = {"hardswish", "hard-swish", "hard_swish", "swish", "silu",
                                        "mish",      "elu",        "celu",       "selu",  "gelu",
                                        "tanh",      "softplus",   "softsign",   NULL};
    return s->graph->ops[op].rule == ROOF_RULE_FUNCTION && edit_map(s, op, 0) != ROOF_NONE &&
           edit_map(s, op, 1) == ROOF_NONE && edit_is_typed(s, op, words);
}

static roof_status find(edit_search *s)
{
    edit_group group = {0};
    for (uint32_t i = 0; i < s->graph->n_ops; i++)
        if (!s->is_constant[i] && s->places[i].n_readers && edit_area(s, i) > 1 &&
            (edit_is_gated(s, i) || is_activation(s, i)))
            TRY(edit_group_add(s, &group, (edit){.kind = EDIT_ACTIVATION, .op = i}));
    return edit_offer_group(s, &group);
}

const edit_rule edit_rule_activation = {
    .evidence = "one measured pair of networks, together with squeeze and excitation", .find = find};
