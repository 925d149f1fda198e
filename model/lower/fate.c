#include "model/lower/fate.h"

uint32_t lower_maker(const lower_state *s, uint32_t op)
{
    while (s->ops[op].fate == LOWER_FOLDED)
        op = s->ops[op].into;
    return op;
}

bool lower_is_map(const lower_state *s, const roof_edge *edge)
{
    return (edge->role == ROOF_ROLE_INPUT || edge->role == ROOF_ROLE_OTHER) &&
           s->ops[edge->op].fate != LOWER_CONSTANT;
}

uint32_t lower_input(const lower_state *s, const roof_op *op)
{
    for (uint32_t i = 0; i < op->n_inputs; i++)
        if (lower_is_map(s, &s->graph->edges[op->first_input + i]))
            return s->graph->edges[op->first_input + i].op;
    return ROOF_NONE;
}

uint32_t lower_count_maps(const lower_state *s, const roof_op *op)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < op->n_inputs; i++)
        n += lower_is_map(s, &s->graph->edges[op->first_input + i]);
    return n;
}

void lower_fold(lower_state *s, uint32_t op, uint32_t into, uint32_t rule)
{
    lower_op *maker = &s->ops[into];
    s->ops[op].fate = LOWER_FOLDED;
    s->ops[op].into = into;
    maker->readers += s->ops[op].readers;
    maker->readers -= maker->readers > 0; /* itself */
    s->applied[rule]++;
}

void lower_name(lower_state *s, uint32_t op, bool reshapes)
{
    s->ops[op].fate = LOWER_NAMED;
    s->ops[op].reshapes = reshapes;
}

void lower_begin_row(lower_state *s, uint32_t op)
{
    s->ops[op].fate = LOWER_ROW;
    s->ops[op].into = op;
    s->ops[op].size = 1;
}

void lower_join(lower_state *s, uint32_t first, uint32_t op, uint32_t rule)
{
    s->ops[first].into = op;
    s->ops[op].size += s->ops[first].size;
    s->applied[rule]++;
}

void lower_to_host(lower_state *s, uint32_t op, const char *reason)
{
    s->ops[op].fate = LOWER_HOST;
    s->ops[op].into = op;
    s->ops[op].size = 1;
    s->ops[op].reason = reason;
}

uint32_t lower_leader(const lower_state *s, uint32_t op)
{
    uint32_t leader = op;
    while (s->ops[leader].into != leader)
        leader = s->ops[leader].into;
    while (op != leader) { /* the way is made short: a row may have any number of operators */
        const uint32_t next = s->ops[op].into;
        s->ops[op].into = leader;
        op = next;
    }
    return leader;
}

bool lower_is_executed(const lower_state *s, uint32_t op)
{
    return s->ops[op].fate == LOWER_ROW || s->ops[op].fate == LOWER_HOST;
}
