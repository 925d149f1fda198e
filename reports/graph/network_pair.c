#include "reports/graph/network_drawing.h"
#include "measure/profile/run_facts.h"

typedef struct pairing {
    const network_pair *of;
    const network_view *sides[NETWORK_SIDES];
    bool is_code_alone; /* of the second: it names no operators, which would all be in a row of their own */
    uint32_t n_rows[NETWORK_SIDES]; /* without rows for operators of none, where these are not drawn */
    uint32_t *row_of[NETWORK_SIDES], *op_of[NETWORK_SIDES]; /* of both together, by row and operator of one */
    uint32_t *mate;             /* by row before: the first row after that it belongs to; ROOF_NONE */
    const roof_diff_row **item; /* by row after; NULL */
    roof_arena *arena;
    network_view *out;
} pairing;

/* --- rows ----------------------------------------------------------------------------------------------- */

/* Which rows belong together. Rows that only the first has come behind the one that they follow there. */
static void order_rows(pairing *p)
{
    const uint32_t n_after = p->n_rows[NETWORK_HERE], n_before = p->n_rows[NETWORK_BEFORE];
    for (uint32_t b = 0; b < n_before; b++)
        p->mate[b] = ROOF_NONE;
    FOR_EACH(const roof_diff_row, item, p->of->diff->items, p->of->diff->n) {
        for (uint32_t k = 0; k < item->after.n && item->after.rows[k] < n_after; k++)
            p->item[item->after.rows[k]] = item;
        for (uint32_t k = 0; k < item->before.n && item->after.n; k++)
            if (item->before.rows[k] < n_before && item->after.rows[0] < n_after)
                p->mate[item->before.rows[k]] = item->after.rows[0];
    }
    uint32_t *more =
        NEW_ARRAY(p->arena, uint32_t, (size_t)n_after + 1); /* by row after + 1: how many follow */
    uint32_t at = 0;
    for (uint32_t b = 0; b < n_before && more; b++) {
        at = p->mate[b] == ROOF_NONE ? at : p->mate[b] + 1;
        more[at] += p->mate[b] == ROOF_NONE;
    }
    for (uint32_t k = 0, next = 0; k <= n_after && more; k++) { /* from how many to the place of the first */
        const uint32_t n = more[k];
        if (k)
            p->row_of[NETWORK_HERE][k - 1] = next++;
        more[k] = next;
        next += n;
        p->out->n_rows = next;
    }
    at = 0;
    for (uint32_t b = 0; b < n_before && more; b++) {
        at = p->mate[b] == ROOF_NONE ? at : p->mate[b] + 1;
        p->row_of[NETWORK_BEFORE][b] =
            p->mate[b] == ROOF_NONE ? more[at]++ : p->row_of[NETWORK_HERE][p->mate[b]];
    }
}

static void fill_here(pairing *p)
{
    network_view *out = p->out;
    for (uint32_t a = 0; a < p->n_rows[NETWORK_HERE]; a++) {
        network_row *row = &out->rows[p->row_of[NETWORK_HERE][a]];
        const roof_diff_row *item = p->item[a];
        *row = p->sides[NETWORK_HERE]->rows[a];
        row->n_ops = 0;
        /* Compiled files have code and other bytes in all rows: of these it counts what is computed where. */
        const bool is_paired = item && item->before.n;
        const bool is_same = is_paired && (p->of->diff->is_edit ? !item->reasons
                                                                : item->before.n == 1 && item->after.n == 1 &&
                                                                      item->before.macs == item->after.macs);
        row->change = !is_paired ? NETWORK_ONLY_HERE : is_same ? NETWORK_AS_BEFORE : NETWORK_CHANGED;
        for (int k = 0; item && k < ROOF_DIFF_REASONS; k++) /* "channels, size" */
            if (item->reasons >> k & 1)
                row->change_words = say_more(p->arena, text_or_empty(row->change_words), "%s",
                                             roof_diff_reason_word((roof_diff_reason)k));
        if (is_paired && item->after.rows[0] != a) {
            network_row *was = &out->before[p->row_of[NETWORK_HERE][a]];
            was->is_there = true;
            was->name =
                say_printf(p->arena, "with %s", p->sides[NETWORK_HERE]->rows[item->after.rows[0]].name);
        }
    }
}

static void fill_before(pairing *p)
{
    network_view *out = p->out;
    uint32_t *n_joined = NEW_ARRAY(p->arena, uint32_t, out->n_rows);
    for (uint32_t b = 0; b < p->n_rows[NETWORK_BEFORE] && n_joined; b++) {
        const uint32_t r = p->row_of[NETWORK_BEFORE][b];
        network_row row = p->sides[NETWORK_BEFORE]->rows[b];
        if (!p->of->diff->is_edit)
            row = network_without_numbers(row);
        row.number = row.n_ops = 0;
        row.is_there = true;
        if (p->mate[b] == ROOF_NONE) {
            out->rows[r] = network_without_numbers(row);
            out->rows[r].is_there = false;
            out->rows[r].change = NETWORK_ONLY_HERE;
        }
        network_row *to = &out->before[r];
        if (!n_joined[r]++) {
            *to = row;
            continue;
        }
        /* One more row of the first network at the same place: "conv1 and 2 more". */
        const char *first = to->name;
        const size_t length = n_joined[r] > 2 ? (size_t)(strstr(first, " and ") - first) : strlen(first);
        to->name = say_printf(p->arena, "%.*s and %u more", (int)length, first, n_joined[r] - 1);
        network_add(&to->time_s, row.time_s);
        network_add(&to->ideal_s, row.ideal_s);
        network_add(&to->expected_s, row.expected_s);
        network_add(&to->time_ratio, row.time_ratio);
        network_add(&to->gap_s, row.gap_s);
        network_add(&to->gap_ratio, row.gap_ratio);
    }
    for (uint32_t r = 0; r < out->n_rows; r++) {
        out->before[r].change = out->rows[r].change;
        out->before[r].change_words = out->rows[r].change_words;
        out->rows[r].before_s = out->before[r].is_there ? out->before[r].time_s : NAN;
    }
}

/* --- operators ------------------------------------------------------------------------------------------ */

static void list_ops(pairing *p)
{
    static const network_side order[] = {NETWORK_BEFORE, NETWORK_HERE};
    network_view *out = p->out;
    const uint32_t n_ops[NETWORK_SIDES] = {[NETWORK_HERE] =
                                               p->is_code_alone ? 0 : p->sides[NETWORK_HERE]->n_ops,
                                           [NETWORK_BEFORE] = p->sides[NETWORK_BEFORE]->n_ops};
    namemap *map = namemap_new(p->arena, n_ops[NETWORK_BEFORE]);
    uint32_t *mate = NEW_ARRAY(p->arena, uint32_t, n_ops[NETWORK_HERE]); /* before; ROOF_NONE */
    if (!map || !mate)
        return;
    for (size_t k = 0; k < N_OF(order); k++)
        for (uint32_t i = 0; i < n_ops[order[k]]; i++) {
            const network_op *op = &p->sides[order[k]]->ops[i];
            const uint32_t row = p->row_of[order[k]][op->row];
            const char *key = say_printf(p->arena, "%u %s", row, op->name);
            if (order[k] == NETWORK_HERE)
                mate[i] = *op->name ? namemap_find(map, key, strlen(key)) : ROOF_NONE;
            else if (*op->name)
                namemap_add(map, key, strlen(key), i);
            if (order[k] == NETWORK_BEFORE || mate[i] == ROOF_NONE)
                p->op_of[order[k]][i] = out->rows[row].n_ops++;
        }
    for (uint32_t r = 0; r < out->n_rows; out->n_ops += out->rows[r++].n_ops)
        out->rows[r].first_op = out->before[r].first_op = out->n_ops;
    out->ops = NEW_ARRAY(p->arena, network_op, out->n_ops);
    for (size_t k = 0; k < N_OF(order) && out->ops; k++)
        for (uint32_t i = 0; i < n_ops[order[k]]; i++) {
            network_op op = p->sides[order[k]]->ops[i];
            uint32_t *at = &p->op_of[order[k]][i];
            op.row = p->row_of[order[k]][op.row];
            if (order[k] == NETWORK_HERE && mate[i] != ROOF_NONE) {
                *at = p->op_of[NETWORK_BEFORE][mate[i]];
                out->ops[*at].is_on[NETWORK_HERE] = true;
                continue;
            }
            op.is_on[NETWORK_HERE] = order[k] == NETWORK_HERE;
            op.is_on[NETWORK_BEFORE] = order[k] == NETWORK_BEFORE;
            *at += out->rows[op.row].first_op;
            out->ops[*at] = op;
        }
    for (uint32_t r = 0; r < out->n_rows; r++)
        out->before[r].n_ops = out->rows[r].n_ops;
}

/* --- edges ---------------------------------------------------------------------------------------------- */

static void take_edges(pairing *p, network_side side, bool is_of_rows)
{
    const network_view *v = p->sides[side];
    const network_edge *edges = is_of_rows ? v->edges : v->op_edges;
    const uint32_t n = is_of_rows ? v->n_edges : v->n_op_edges,
                   *place = is_of_rows ? p->row_of[side] : p->op_of[side];
    network_edge *to = is_of_rows ? p->out->edges : p->out->op_edges;
    uint32_t *n_to = is_of_rows ? &p->out->n_edges : &p->out->n_op_edges;
    for (uint32_t i = 0; i < n; i++) {
        const network_edge e = {place[edges[i].from], place[edges[i].to], edges[i].bytes, edges[i].way, side};
        if (e.from != e.to)
            to[(*n_to)++] = e;
        const network_row *rows = p->out->rows;
        if (side == NETWORK_BEFORE && is_of_rows && e.from != e.to && p->is_code_alone &&
            rows[e.from].is_there && rows[e.to].is_there) {
            to[*n_to] = e;
            to[*n_to].way = NETWORK_WAY_UNKNOWN;
            to[(*n_to)++].side = NETWORK_HERE;
        }
    }
}

static void list_edges(pairing *p)
{
    const network_view *before = p->sides[NETWORK_BEFORE], *after = p->sides[NETWORK_HERE];
    p->out->edges =
        NEW_ARRAY(p->arena, network_edge, 2 * (size_t)before->n_edges + after->n_edges + after->n_rows);
    p->out->op_edges = NEW_ARRAY(p->arena, network_edge, (size_t)before->n_op_edges + after->n_op_edges);
    if (!p->out->edges || !p->out->op_edges)
        return;
    for (int of_rows = 0; of_rows < 2; of_rows++) {
        take_edges(p, NETWORK_BEFORE, of_rows);
        if (!p->is_code_alone)
            take_edges(p, NETWORK_HERE, of_rows);
    }
    /* Such code states only the order: a row that no edge reaches comes behind the row before it. */
    bool *is_reached = p->is_code_alone ? NEW_ARRAY(p->arena, bool, p->out->n_rows) : NULL;
    for (uint32_t i = 0; i < p->out->n_edges && is_reached; i++)
        if (p->out->edges[i].side == NETWORK_HERE)
            is_reached[p->out->edges[i].to] = true;
    for (uint32_t a = 1; a < p->n_rows[NETWORK_HERE] && is_reached; a++) {
        const uint32_t from = p->row_of[NETWORK_HERE][a - 1], to = p->row_of[NETWORK_HERE][a];
        if (!is_reached[to])
            p->out->edges[p->out->n_edges++] =
                (network_edge){from, to, ROOF_UNKNOWN, NETWORK_WAY_UNKNOWN, NETWORK_HERE};
    }
    p->out->n_edges = network_merge_edges(p->out->edges, p->out->n_edges);
    p->out->n_op_edges = network_merge_edges(p->out->op_edges, p->out->n_op_edges);
}

/* --- all ------------------------------------------------------------------------------------------------ */

void network_pair_make(const network_pair *pair, roof_arena *arena, network_view *out)
{
    const network_view *before = pair->before, *after = pair->after;
    const roof_model_diff *s = pair->diff;
    const uint32_t n_layers = s->after_prediction->n_layers;
    pairing p = {.of = pair,
                 .sides = {[NETWORK_HERE] = after, [NETWORK_BEFORE] = before},
                 .is_code_alone = after->why_not,
                 .arena = arena,
                 .out = out};
    *out = (network_view){
        .time_words = after->time_words,
        .gap_words = after->gap_words,
        .alive_words = after->alive_words,
        .titles = {[NETWORK_HERE] = path_base_name(s->after), [NETWORK_BEFORE] = path_base_name(s->before)},
        .why_not = before->why_not};
    if (!out->why_not && !s->n_paired)
        out->why_not =
            say_printf(arena, "%s and %s are not drawn in line: no layer is in both.", s->before, s->after);
    p.n_rows[NETWORK_BEFORE] = before->n_rows;
    p.n_rows[NETWORK_HERE] = p.is_code_alone && n_layers < after->n_rows ? n_layers : after->n_rows;
    const size_t n = (size_t)before->n_rows + after->n_rows;
    out->rows = NEW_ARRAY(arena, network_row, n);
    out->before = NEW_ARRAY(arena, network_row, n);
    p.mate = NEW_ARRAY(arena, uint32_t, before->n_rows);
    p.item = NEW_ARRAY(arena, const roof_diff_row *, after->n_rows);
    for (int k = 0; k < NETWORK_SIDES; k++) {
        p.row_of[k] = NEW_ARRAY(arena, uint32_t, p.sides[k]->n_rows);
        p.op_of[k] = NEW_ARRAY(arena, uint32_t, p.sides[k]->n_ops);
    }
    if (out->why_not || arena_status(arena, NULL) != ROOF_OK)
        return;
    for (size_t r = 0; r < n; r++)
        out->rows[r] = out->before[r] = network_without_numbers(
            (network_row){.name = "", .type = "", .bound = "", .bound_class = ENGINE_KIND_OTHER});
    order_rows(&p);
    if (arena_status(arena, NULL) != ROOF_OK)
        return;
    fill_here(&p);
    fill_before(&p);
    list_ops(&p);
    if (arena_status(arena, NULL) == ROOF_OK)
        list_edges(&p);
}
