#include "model/explore/advise/edit_rule.h"
#include "model/edit/follow.h"
#include "model/work/cost.h"

/* ---- properties of operators --------------------------------------------------------------------------- */

uint32_t edit_map(const edit_search *s, uint32_t op, uint32_t number)
{
    const uint32_t edge = follow_map(s->is_constant, s->graph, op, number);
    return edge == ROOF_NONE ? ROOF_NONE : s->graph->edges[edge].op;
}

uint64_t edit_area(const edit_search *s, uint32_t op)
{
    const roof_tensor *t = &s->graph->ops[op].out;
    return t->n_dims == 4 ? (uint64_t)t->dims[1] * t->dims[2] : 0;
}

uint32_t edit_channels(const edit_search *s, uint32_t op)
{
    const roof_tensor *t = &s->graph->ops[op].out;
    return t->n_dims ? t->dims[t->n_dims - 1] : 0;
}

uint32_t edit_groups_of(const edit_search *s, uint32_t op)
{
    const roof_op *own = &s->graph->ops[op];
    const roof_op *weights = op_input(s->graph, own, ROOF_ROLE_WEIGHTS);
    const uint32_t map = edit_map(s, op, 0), c_in = map == ROOF_NONE ? 0 : edit_channels(s, map);
    if (own->rule == ROOF_RULE_DEPTHWISE)
        return c_in;
    if (own->rule != ROOF_RULE_CONV2D || !weights || weights->out.n_dims != 4 || !weights->out.dims[3])
        return 0;
    return c_in % weights->out.dims[3] ? 0 : c_in / weights->out.dims[3];
}

bool edit_is_typed(const edit_search *s, uint32_t op, const char *const *words)
{
    while (*words && text_compare(s->graph->ops[op].type, *words) != 0)
        words++;
    return *words;
}

static bool is_product(const edit_search *s, uint32_t op)
{
    static const char *const products[] = {"mul", NULL};
    return s->graph->ops[op].rule == ROOF_RULE_BINARY && edit_is_typed(s, op, products);
}

bool edit_is_gated(const edit_search *s, uint32_t op)
{
    const uint32_t a = edit_map(s, op, 0), b = edit_map(s, op, 1);
    return b != ROOF_NONE && is_product(s, op) &&
           (follow_is_gate(s->is_constant, s->graph, b, a) || follow_is_gate(s->is_constant, s->graph, a, b));
}

uint32_t edit_scaled_map(const edit_search *s, uint32_t op)
{
    const uint32_t a = edit_map(s, op, 0), b = edit_map(s, op, 1);
    if (b == ROOF_NONE || edit_map(s, op, 2) != ROOF_NONE || !is_product(s, op) || edit_area(s, op) < 2)
        return ROOF_NONE;
    const uint64_t whole = s->graph->ops[op].out.elements, c = edit_channels(s, op);
    const uint64_t of_a = s->graph->ops[a].out.elements, of_b = s->graph->ops[b].out.elements;
    return of_a == whole && of_b == c ? 0 : of_b == whole && of_a == c ? 1 : ROOF_NONE;
}

uint32_t edit_lanes(const edit_search *s)
{
    static const char *const keys[] = {"conv.output_channel_parallel", "conv.input_channel_parallel"};
    uint32_t most = 0;
    for (size_t i = 0; i < N_OF(keys); i++) {
        const roof_quantity *q = roof_hw_get(s->hw, keys[i]);
        if (q && q->value >= 1 && q->value <= 1 << 12 && q->value > most)
            most = (uint32_t)q->value;
    }
    return most;
}

/* ---- offers -------------------------------------------------------------------------------------------- */

/* Adds what the row of an operator takes, once. */
static void touch(const edit_search *s, edit_candidate *c, uint32_t op)
{
    const uint32_t row = s->places[op].row;
    if (s->by_memory && !s->is_constant[op])
        c->promise = fmax(c->promise, (double)s->graph->ops[op].out.bytes);
    if (row == ROOF_NONE || s->seen[row] == s->n_seen)
        return;
    s->seen[row] = s->n_seen;
    const roof_layer_prediction *layer = &s->base->layers[row];
    const double seconds = roof_layer_seconds(s->base, layer);
    c->is_on_host = c->is_on_host || layer->executor == ROOF_BY_HOST;
    if (!s->by_memory && seconds > 0)
        c->promise += seconds;
}

/* The operator, what reads it, and what it reads: of what is left out also what makes a branch for it alone.
 */
static void touch_around(const edit_search *s, edit_candidate *c, const edit *what)
{
    enum { MOST_STEPS = 64 };
    const roof_op *own = &s->graph->ops[what->op];
    const bool is_left_out = what->kind == EDIT_DROP || what->kind == EDIT_ACTIVATION;
    touch(s, c, what->op);
    if (s->places[what->op].n_readers == 1)
        touch(s, c, s->places[what->op].reader);
    FOR_EACH(const roof_edge, edge, op_edges(s->graph, own), own->n_inputs) {
        uint32_t at = edge->op;
        touch(s, c, at);
        for (uint32_t n = 0; is_left_out && n < MOST_STEPS && s->places[at].n_readers == 1; n++) {
            at = edit_map(s, at, 0);
            if (at == ROOF_NONE)
                break;
            touch(s, c, at);
        }
    }
}

roof_status edit_offer(edit_search *s, const edit *edits, uint32_t n)
{
    edit_candidate c = {.rule = s->rule, .rule_id = s->rule_id, .n = n};
    edit *own;
    TRY(ARENA_GET(s->arena, own, n, s->err));
    memcpy(own, edits, n * sizeof *own);
    c.edits = own;
    if (n == 1 && own->kind == EDIT_CHANNELS) {
        /* a set of channels stands under its first operator, whichever rule finds it */
        const uint32_t set = s->places[own->op].set;
        own->op = set == ROOF_NONE ? own->op : set;
        if (s->offered[own->op] == own->value)
            return ROOF_OK;
        s->offered[own->op] = own->value;
    }
    s->n_seen++;
    for (uint32_t i = 0; i < n; i++) {
        if (edits[i].op == ROOF_NONE)
            c.promise = INFINITY;
        else if (edits[i].kind == EDIT_CHANNELS && s->places[edits[i].op].set != ROOF_NONE)
            for (uint32_t op = s->places[edits[i].op].set; op != ROOF_NONE; op = s->places[op].next)
                touch_around(s, &c, &(edit){.op = op}); /* all whose channels are those of the set */
        else
            touch_around(s, &c, &edits[i]);
    }
    c.is_certain = s->rule->keeps_function || s->rule->is_of_whole || s->by_memory;
    return ARENA_ADD(s->arena, s->candidates, s->n, s->err, c);
}

roof_status edit_group_add(edit_search *s, edit_group *group, edit what)
{
    return ARENA_ADD(s->arena, group->edits, group->n, s->err, what);
}

roof_status edit_offer_group(edit_search *s, const edit_group *group)
{
    if (group->n > 1)
        TRY(edit_offer(s, group->edits, group->n));
    for (uint32_t i = 0; i < group->n; i++)
        TRY(edit_offer(s, &group->edits[i], 1));
    return ROOF_OK;
}
