/* Rows of what is executed, what each of them reads, and the order in which they run. */
#include "model/lower/fate.h"
#include "core/error.h"

#include <inttypes.h>

/* Concatenations of concatenations name what was made first again and again: no file needs as much. */
enum { MOST_READS_PER_EDGE = 256, LEAST_MOST_READS = 1 << 16 };

/* Where the way back through names is. */
typedef struct way_back {
    uint32_t op, next_input;
    uint64_t elements;
    bool reshapes;
} way_back;

/* Adds what edge hands to by: the makers behind all names. */
static roof_status add_reads(lower_state *s, uint32_t by, uint32_t from, way_back *stack)
{
    const roof_graph *g = s->graph;
    const uint64_t most = LEAST_MOST_READS + (uint64_t)MOST_READS_PER_EDGE * g->n_edges;
    uint32_t depth = 0;
    stack[0] = (way_back){.op = lower_maker(s, from), .elements = g->ops[from].out.elements};
    if (g->ops[stack->op].out.elements < stack->elements) /* pads are made on the way */
        stack->elements = g->ops[stack->op].out.elements;
    while (depth != ROOF_NONE) {
        way_back *at = &stack[depth];
        const roof_op *op = &g->ops[at->op];
        const lower_op *fate = &s->ops[at->op];
        if (s->n_steps++ >= most)
            return error_set(s->err, ROOF_E_LIMIT,
                             "concatenations of concatenations name more than %" PRIu64 " tensors", most);
        if (fate->fate != LOWER_NAMED) {
            if (lower_is_executed(s, at->op) || fate->fate == LOWER_INPUT)
                TRY(ARENA_ADD(s->scratch, s->reads, s->n_reads, s->err,
                              (lower_read){.maker = at->op,
                                           .by = by,
                                           .elements = at->elements,
                                           .reshapes = at->reshapes,
                                           .row = ROOF_NONE}));
            depth--; /* from 0 to ROOF_NONE */
            continue;
        }
        if (at->next_input == op->n_inputs) {
            depth--;
            continue;
        }
        const uint32_t next = lower_maker(s, g->edges[op->first_input + at->next_input++].op);
        const uint64_t elements = g->ops[next].out.elements;
        stack[depth + 1] = (way_back){.op = next,
                                      .elements = elements < at->elements ? elements : at->elements,
                                      .reshapes = at->reshapes || fate->reshapes};
        depth++;
    }
    return ROOF_OK;
}

/* ---- rows ---- */

/* Operators by row, in the order in which they can run; then the rows, each with what it reads. */
static roof_status collect_rows(lower_state *s)
{
    const roof_graph *g = s->graph;
    uint32_t *row_of, n_ops = 0;
    way_back *stack;
    TRY(ARENA_GET(s->scratch, row_of, g->n_ops, s->err));
    TRY(ARENA_GET(s->scratch, s->rows, g->n_ops, s->err));
    TRY(ARENA_GET(s->scratch, s->row_ops, g->n_ops, s->err));
    TRY(ARENA_GET(s->scratch, stack, (size_t)g->n_ops + 1, s->err));
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (lower_is_executed(s, i) && s->ops[i].into == i) {
            row_of[i] = s->n_rows;
            s->rows[s->n_rows++] = (lower_row){.leader = i, .first_op = n_ops};
            n_ops += s->ops[i].size;
        }
    for (uint32_t k = 0; k < g->n_ops; k++) {
        const uint32_t i = s->order[k];
        if (!lower_is_executed(s, i))
            continue;
        lower_row *row = &s->rows[row_of[lower_leader(s, i)]];
        s->row_ops[row->first_op + row->n_ops++] = i;
    }
    FOR_EACH(lower_row, row, s->rows, s->n_rows) {
        row->first_read = s->n_reads;
        for (uint32_t k = 0; k < row->n_ops; k++) {
            const uint32_t i = s->row_ops[row->first_op + k];
            for (uint32_t e = 0; e < g->ops[i].n_inputs; e++) {
                const roof_edge *edge = &g->edges[g->ops[i].first_input + e];
                const uint32_t maker = lower_maker(s, edge->op);
                if (!lower_is_map(s, edge) ||
                    (lower_is_executed(s, maker) && lower_leader(s, maker) == row->leader))
                    continue;
                TRY(add_reads(s, i, edge->op, stack));
            }
        }
        row->n_reads = s->n_reads - row->first_read;
    }
    for (uint32_t i = 0; i < s->n_reads; i++)
        if (lower_is_executed(s, s->reads[i].maker))
            s->reads[i].row = row_of[lower_leader(s, s->reads[i].maker)];
    return ROOF_OK;
}

/* Rows run depth first from the network's outputs, each behind those that it reads, in the order of its
 * inputs. Evidence: the order of all superlayers of 13 of 16 compiled networks (docs/hardware/dpuczdx8g.md).
 * Reads are told by row, so they follow. */
static roof_status order_rows(lower_state *s)
{
    const uint32_t n = s->n_rows;
    uint32_t *place, *next, *stack, n_done = 0;
    unsigned char *is_read, *is_seen;
    lower_row *sorted;
    TRY(ARENA_GET(s->scratch, place, n, s->err));
    TRY(ARENA_GET(s->scratch, next, n, s->err));
    TRY(ARENA_GET(s->scratch, stack, n, s->err));
    TRY(ARENA_GET(s->scratch, is_read, n, s->err));
    TRY(ARENA_GET(s->scratch, is_seen, n, s->err));
    TRY(ARENA_GET(s->scratch, sorted, n, s->err));
    for (uint32_t i = 0; i < s->n_reads; i++)
        if (s->reads[i].row != ROOF_NONE)
            is_read[s->reads[i].row] = 1;
    for (uint32_t r = 0; r < n; r++) {
        uint32_t depth = 0;
        if (is_read[r])
            continue;
        stack[depth++] = r;
        is_seen[r] = 1;
        while (depth) {
            const lower_row *row = &s->rows[stack[depth - 1]];
            uint32_t *at = &next[stack[depth - 1]];
            uint32_t before = ROOF_NONE;
            while (*at < row->n_reads && (before == ROOF_NONE || is_seen[before]))
                before = s->reads[row->first_read + (*at)++].row;
            if (before != ROOF_NONE && !is_seen[before]) {
                is_seen[before] = 1;
                stack[depth++] = before;
                continue;
            }
            place[stack[--depth]] = n_done;
            sorted[n_done++] = *row;
        }
    }
    for (uint32_t i = 0; i < s->n_reads; i++)
        if (s->reads[i].row != ROOF_NONE)
            s->reads[i].row = place[s->reads[i].row];
    s->rows = sorted;
    s->n_rows = n_done;
    return ROOF_OK;
}

roof_status lower_rows_make(lower_state *s)
{
    TRY(collect_rows(s));
    return order_rows(s);
}
