#include "reports/graph/network_drawing.h"

typedef struct levelling {
    const network_view *view;
    const network_fold *fold;
    roof_arena *arena;
    network_levels *out;
    network_level_edge *edges; /* of all levels */
    uint32_t n_edges;
} levelling;

static void add(levelling *l, uint32_t level, uint32_t from, uint32_t to, const network_edge *e)
{
    network_level_edge *edges = arena_grow_or_keep(l->arena, l->edges, l->n_edges, sizeof *edges);
    if (level == ROOF_NONE || arena_status(l->arena, NULL) != ROOF_OK)
        return;
    l->edges = edges;
    edges[l->n_edges] = (network_level_edge){.level = level, .from = from, .to = to};
    edges[l->n_edges].is_on[e->side] = true;
    edges[l->n_edges++].bytes[e->side][e->way] = e->bytes;
}

/* --- edges of rows -------------------------------------------------------------------------------------- */

/* From the block of a row up to the one that has both ends. comes_in: the edge does. */
static void climb(levelling *l, uint32_t block, uint32_t until, uint32_t row, bool comes_in,
                  const network_edge *e)
{
    for (const network_block *b; block != until; block = b->parent) {
        b = &l->fold->blocks[block];
        const uint32_t child = network_child_of(b, row);
        add(l, block, comes_in ? NETWORK_OUTSIDE : child, comes_in ? child : NETWORK_OUTSIDE, e);
    }
}

/* --- edges of operators --------------------------------------------------------------------------------- */

static void add_op_edge(levelling *l, const network_edge *of)
{
    const network_view *v = l->view;
    const uint32_t a = v->ops[of->from].row, b = v->ops[of->to].row;
    network_edge e = *of;
    if (a == b) {
        add(l, l->out->of_row[a], e.from - v->rows[a].first_op, e.to - v->rows[a].first_op, &e);
        return;
    }
    /* The way is that of the edge between their rows, on the same side. */
    const uint64_t ends = (uint64_t)a << 32 | b;
    uint32_t i = lower_bound_search(v->edges, v->n_edges, sizeof *v->edges, ends, network_ends_of);
    while (i < v->n_edges && network_ends_of(&v->edges[i]) == ends && v->edges[i].side != e.side)
        i++;
    if (e.way == NETWORK_WAY_UNKNOWN && i < v->n_edges && network_ends_of(&v->edges[i]) == ends)
        e.way = v->edges[i].way;
    add(l, l->out->of_row[a], e.from - v->rows[a].first_op, NETWORK_OUTSIDE, &e);
    add(l, l->out->of_row[b], NETWORK_OUTSIDE, e.to - v->rows[b].first_op, &e);
}

/* --- all ------------------------------------------------------------------------------------------------ */

static void merge(levelling *l)
{
    uint32_t kept = 0;
    const order_key *keys = ORDER_BY(RISING(network_level_edge, level), RISING(network_level_edge, from),
                                     RISING(network_level_edge, to));
    order_sort(l->edges, l->n_edges, sizeof *l->edges, keys);
    for (uint32_t i = 0; i < l->n_edges; i++) {
        if (!kept || order_compare(&l->edges[kept - 1], &l->edges[i], keys) != 0) {
            l->edges[kept++] = l->edges[i];
            continue;
        }
        network_level_edge *to = &l->edges[kept - 1];
        for (int k = 0; k < NETWORK_SIDES * NETWORK_WAYS; k++) {
            uint64_t *sum = &to->bytes[k / NETWORK_WAYS][k % NETWORK_WAYS];
            *sum = checked_sum_known(*sum, l->edges[i].bytes[k / NETWORK_WAYS][k % NETWORK_WAYS]);
        }
        for (int k = 0; k < NETWORK_SIDES; k++)
            to->is_on[k] = to->is_on[k] || l->edges[i].is_on[k];
    }
    l->n_edges = kept;
    for (uint32_t i = 0; i < kept; i++) {
        network_level *level = &l->out->items[l->edges[i].level];
        level->edges = level->n_edges++ ? level->edges : &l->edges[i];
    }
}

void network_levels_make(const network_view *view, const network_fold *fold, roof_arena *arena,
                         network_levels *out)
{
    levelling l = {view, fold, arena, out, NULL, 0};
    *out = (network_levels){.items = NEW_ARRAY(arena, network_level, (size_t)fold->n_blocks + view->n_rows),
                            .of_row = NEW_ARRAY(arena, uint32_t, view->n_rows)};
    if (!out->items || !out->of_row || !fold->n_blocks)
        return;
    for (; out->n < fold->n_blocks; out->n++)
        out->items[out->n] =
            (network_level){.block = out->n, .row = ROOF_NONE, .n_children = fold->blocks[out->n].n_children};
    for (uint32_t r = 0; r < view->n_rows; r++) {
        out->of_row[r] = view->rows[r].n_ops > 1 ? out->n : ROOF_NONE;
        if (view->rows[r].n_ops > 1)
            out->items[out->n++] =
                (network_level){.block = ROOF_NONE, .row = r, .n_children = view->rows[r].n_ops};
    }
    FOR_EACH(const network_edge, e, view->edges, view->n_edges) {
        const uint32_t from = fold->block_of[e->from], to = fold->block_of[e->to];
        uint32_t both = from; /* the innermost block that has both */
        for (uint32_t other = to; both != other;)
            if (fold->blocks[both].depth >= fold->blocks[other].depth)
                both = fold->blocks[both].parent;
            else
                other = fold->blocks[other].parent;
        climb(&l, from, both, e->from, false, e);
        climb(&l, to, both, e->to, true, e);
        const network_block *b = &fold->blocks[both];
        add(&l, both, network_child_of(b, e->from), network_child_of(b, e->to), e);
    }
    for (uint32_t i = 0; i < view->n_op_edges; i++)
        add_op_edge(&l, &view->op_edges[i]);
    merge(&l);
}
