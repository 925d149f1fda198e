#include "reports/graph/network_view.h"
#include "model/graph/row_flows.h"
#include "reports/annotations/node_values.h"
#include "reports/words/memory_words.h"

/* Of an operator; ROOF_NONE: unknown. */
typedef struct op_place {
    uint32_t home;  /* its row */
    uint32_t entry; /* the row that reads what it reads: the same, but of a command stream its first one */
    uint32_t place; /* among ops of the view; ROOF_NONE: it is not drawn */
    bool is_stated; /* a row stands for it */
} op_place;

/* A view in the making. */
typedef struct viewing {
    const network_source *source;
    const roof_graph *graph;
    roof_arena *arena;
    network_view *out;
    op_place *at; /* of each operator of the graph */
    row_flows flows;
    uint32_t *part_place; /* of each part of flows among ops of the view */
    namemap *rows;        /* of the prediction, by name; NULL where nothing asks */
} viewing;

/* A constant that is made of others, such as one of a shape, is a node that programs show. */
static bool is_drawn(const roof_op *op)
{
    return op->node != ROOF_NONE && (op->rule != ROOF_RULE_CONSTANT || op->n_inputs);
}

/* A further output of a node is an operator that reads the node's: what makes it is the node. */
static uint32_t maker_of(const roof_graph *g, uint32_t op)
{
    enum { MOST_STEPS = 4 };
    for (int i = 0; i < MOST_STEPS && g->ops[op].node == ROOF_NONE && g->ops[op].n_inputs == 1; i++)
        op = g->edges[g->ops[op].first_input].op;
    return op;
}

/* --- where operators are drawn ------------------------------------------------------------------------- */

/* Leaders first, then the others. */
static bool place_stated(viewing *v)
{
    const roof_prediction *p = v->source->prediction;
    uint32_t n_places;
    const uint32_t *at = node_values_places(v->graph, is_drawn, v->arena, &n_places);
    for (int pass = 0; pass < 2 && at; pass++)
        for (uint32_t r = 0; r < p->n_layers; r++)
            for (uint32_t k = pass ? 1 : 0; k < (pass ? p->layers[r].n_nodes : 1U); k++) {
                const bool is_there = k < p->layers[r].n_nodes && p->layers[r].nodes[k] < n_places;
                const uint32_t op = is_there ? at[p->layers[r].nodes[k]] : ROOF_NONE;
                if (op != ROOF_NONE && v->at[op].home == ROOF_NONE) {
                    v->at[op].home = r;
                    v->at[op].is_stated = true;
                }
            }
    return at != NULL;
}

static uint32_t row_called(const viewing *v, const char *name)
{
    return name && v->rows ? namemap_find(v->rows, name, strlen(name)) : ROOF_NONE;
}

/* Files have operators behind what they read, so one walk in each direction is enough; those of a file that
 * has not are with what is left. */
static void place_others(viewing *v)
{
    const roof_graph *g = v->graph;
    for (uint32_t i = g->n_ops; i-- > 0;)
        for (uint32_t k = 0; k < g->ops[i].n_inputs && v->at[i].home != ROOF_NONE; k++) {
            const uint32_t from = maker_of(g, g->edges[g->ops[i].first_input + k].op);
            if (is_drawn(&g->ops[from]) && !v->at[from].is_stated)
                v->at[from].home = v->at[i].home;
        }
    for (uint32_t i = 0; i < g->n_ops; i++)
        for (uint32_t k = 0; k < g->ops[i].n_inputs && is_drawn(&g->ops[i]) && v->at[i].home == ROOF_NONE;
             k++)
            v->at[i].home = v->at[maker_of(g, g->edges[g->ops[i].first_input + k].op)].home;
}

/* Counts and offsets of the rows, then the operators themselves. */
static void list_ops(viewing *v)
{
    const roof_graph *g = v->graph;
    network_view *out = v->out;
    const uint32_t n_layers = v->source->prediction->n_layers;
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (is_drawn(&g->ops[i])) {
            if (v->at[i].home == ROOF_NONE)
                v->at[i].home = n_layers;
            out->rows[v->at[i].home].n_ops++;
            out->n_ops++;
        }
    for (uint32_t i = 0; i < v->flows.n_parts; i++) {
        const uint32_t row = row_called(v, v->flows.parts[i].row);
        out->rows[row == ROOF_NONE ? n_layers : row].n_ops++;
        out->n_ops++;
    }
    out->n_rows = n_layers + (out->rows[n_layers].n_ops > 0);
    out->ops = NEW_ARRAY(v->arena, network_op, out->n_ops);
    for (uint32_t r = 0, n = 0; r < out->n_rows; n += out->rows[r++].n_ops)
        out->rows[r].first_op = n;
    uint32_t *used = NEW_ARRAY(v->arena, uint32_t, out->n_rows);
    for (uint32_t i = 0; i < g->n_ops && out->ops && used; i++) {
        const uint32_t row = v->at[i].home;
        if (!is_drawn(&g->ops[i]))
            continue;
        v->at[i].place = out->rows[row].first_op + used[row]++;
        out->ops[v->at[i].place] = (network_op){.name = g->ops[i].is_unnamed ? "" : g->ops[i].name,
                                                .type = g->ops[i].type,
                                                .row = row,
                                                .is_of_the_row = v->at[i].is_stated,
                                                .is_on = {[NETWORK_HERE] = true},
                                                .op = &g->ops[i]};
    }
    v->part_place = NEW_ARRAY(v->arena, uint32_t, v->flows.n_parts);
    for (uint32_t i = 0; i < v->flows.n_parts && out->ops && used && v->part_place; i++) {
        const row_part *part = &v->flows.parts[i];
        const uint32_t called = row_called(v, part->row), row = called == ROOF_NONE ? n_layers : called;
        v->part_place[i] = out->rows[row].first_op + used[row]++;
        out->ops[v->part_place[i]] = (network_op){.name = part->name,
                                                  .type = part->type,
                                                  .row = row,
                                                  .is_of_the_row = called != ROOF_NONE,
                                                  .is_on = {[NETWORK_HERE] = true}};
    }
}

/* --- edges --------------------------------------------------------------------------------------------- */

uint32_t network_merge_edges(network_edge *edges, uint32_t n)
{
    uint32_t kept = 0;
    const order_key *keys = ORDER_BY(RISING(network_edge, from), RISING(network_edge, to),
                                     RISING(network_edge, side), RISING(network_edge, way));
    order_sort(edges, n, sizeof *edges, keys);
    for (uint32_t i = 0; i < n; i++)
        if (kept && order_compare(&edges[kept - 1], &edges[i], keys) == 0)
            edges[kept - 1].bytes = checked_sum_known(edges[kept - 1].bytes, edges[i].bytes);
        else
            edges[kept++] = edges[i];
    return kept;
}

static bool list_edges(viewing *v)
{
    const roof_graph *g = v->graph;
    network_view *out = v->out;
    out->edges = NEW_ARRAY(v->arena, network_edge, (size_t)g->n_edges + v->flows.n);
    out->op_edges = NEW_ARRAY(v->arena, network_edge, (size_t)g->n_edges + v->flows.n);
    uint32_t *last_reader =
        NEW_ARRAY(v->arena, uint32_t, g->n_ops); /* of a tensor; 1 is the first operator */
    if (!out->edges || !out->op_edges || !last_reader)
        return false;
    for (uint32_t i = 0; i < g->n_ops; i++)
        for (uint32_t k = 0; k < g->ops[i].n_inputs && is_drawn(&g->ops[i]); k++) {
            const uint32_t tensor = g->edges[g->ops[i].first_input + k].op, from = maker_of(g, tensor);
            const bool is_read_before = last_reader[tensor] == i + 1; /* what a row reads twice is one */
            last_reader[tensor] = i + 1;
            if (!is_drawn(&g->ops[from]) || from == i || is_read_before)
                continue;
            const uint32_t reader = v->at[i].entry == ROOF_NONE ? v->at[i].home : v->at[i].entry;
            const roof_tensor *made = &g->ops[tensor].out;
            const bool is_wider = g->floats_are_8_bits && made->bit_width > 8;
            const network_edge edge = {v->at[from].place, v->at[i].place,
                                       is_wider ? made->elements : made->bytes, NETWORK_WAY_UNKNOWN,
                                       NETWORK_HERE};
            out->op_edges[out->n_op_edges++] = edge;
            if (v->at[from].home != reader)
                out->edges[out->n_edges++] =
                    (network_edge){v->at[from].home, reader, edge.bytes, NETWORK_WAY_UNKNOWN, NETWORK_HERE};
        }
    /* Between rows that the graph joins by no edges; within them between their parts. */
    static const network_way ways[ROW_WAYS] = {
        [ROW_WAY_ON_CHIP] = NETWORK_WAY_ON_CHIP, [ROW_WAY_EXTERNAL] = NETWORK_WAY_EXTERNAL};
    FOR_EACH(const row_flow, f, v->flows.items, v->flows.n) {
        const uint32_t from = row_called(v, f->from), to = row_called(v, f->to);
        if (from == ROOF_NONE || to == ROOF_NONE)
            continue;
        if (from != to && !f->is_again)
            out->edges[out->n_edges++] = (network_edge){from, to, f->bytes, ways[f->way], NETWORK_HERE};
        if (f->from_part != f->to_part && f->from_part < v->flows.n_parts && f->to_part < v->flows.n_parts &&
            v->part_place)
            out->op_edges[out->n_op_edges++] = (network_edge){
                v->part_place[f->from_part], v->part_place[f->to_part], f->bytes, ways[f->way], NETWORK_HERE};
    }
    out->n_op_edges = network_merge_edges(out->op_edges, out->n_op_edges);
    out->n_edges = network_merge_edges(out->edges, out->n_edges);
    return true;
}

static uint64_t output_of(const roof_layer_prediction *l)
{
    return l && l->deployed.bytes_basis != ROOF_BASIS_NONE ? l->deployed.traffic.output_bytes : ROOF_UNKNOWN;
}

/* A row that writes nothing, or reads nothing, keeps what lies between on the chip. One that reads all that
 * its edges bring reads it from outside; of one that reads less it is unknown which. Where there are
 * several memories, traffic does not show which of them is outside. */
static network_way way_of(const viewing *v, const network_edge *e, uint64_t read_bytes)
{
    const roof_layer_prediction *from = v->out->rows[e->from].layer, *to = v->out->rows[e->to].layer;
    const uint64_t written = output_of(from), read = to && to->deployed.bytes_basis != ROOF_BASIS_NONE
                                                         ? to->deployed.traffic.input_bytes
                                                         : ROOF_UNKNOWN;
    if (!from || !to || from->executor == ROOF_BY_NOBODY || to->executor == ROOF_BY_NOBODY)
        return NETWORK_WAY_UNKNOWN;
    if ((from->executor == ROOF_BY_HOST) != (to->executor == ROOF_BY_HOST))
        return NETWORK_WAY_EXTERNAL;
    if (v->source->prediction->hardware.has_pools || from->executor == ROOF_BY_HOST)
        return NETWORK_WAY_UNKNOWN;
    if (written == 0 || read == 0)
        return NETWORK_WAY_ON_CHIP;
    if (written == ROOF_UNKNOWN || read == ROOF_UNKNOWN)
        return NETWORK_WAY_UNKNOWN;
    return read_bytes == e->bytes || read >= read_bytes ? NETWORK_WAY_EXTERNAL : NETWORK_WAY_UNKNOWN;
}

/* --- what is known of rows ----------------------------------------------------------------------------- */

/* "56x56x64" behind the last "-> ", as rows say it. */
static void read_picture(const char *shape, network_row *row)
{
    const char *made = shape;
    for (const char *next; made && (next = strstr(made, "-> "));)
        made = next + 3;
    text_span rest = span_of(made == shape || !made ? "" : made);
    uint64_t size[3] = {0};
    for (int i = 0; i < 3; i++)
        if (!span_take_whole(&rest, &size[i]) || size[i] > UINT32_MAX || (i < 2 && !span_skip(&rest, "x")))
            return;
    row->out_height = (uint32_t)size[0];
    row->out_width = (uint32_t)size[1];
}

network_row network_without_numbers(network_row row)
{
    row.ideal_s = row.expected_s = row.measured_s = row.time_s = row.gap_s = NAN;
    row.time_ratio = row.gap_ratio = row.alive_ratio = row.before_s = NAN;
    row.alive_bytes = ROOF_UNKNOWN;
    return row;
}

static void describe_row(const viewing *v, uint32_t r)
{
    const roof_prediction *p = v->source->prediction;
    network_row *row = &v->out->rows[r];
    *row = network_without_numbers(*row);
    row->is_there = true;
    row->bound = row->type = "";
    row->bound_class = ENGINE_KIND_OTHER;
    row->name = "operators that belong to no row";
    if (r == p->n_layers)
        return;
    const roof_layer_prediction *l = row->layer = &p->layers[r];
    row->name = prediction_name_without(v->source->rows->prefix, l->name);
    row->type = l->type;
    row->ideal_s = l->repeat * l->deployed.ideal_s;
    row->expected_s = l->repeat * l->predicted_s;
    if (l->deployed.bound != ROOF_NONE && l->deployed.ideal_cycles)
        row->bound = p->engines[l->deployed.bound];
    row->bound_class = chart_bound_class(row->bound);
    row->number = !v->source->table_rows               ? l->index
                  : l->index < v->source->n_table_rows ? v->source->table_rows[l->index]
                                                       : 0;
    row->is_with_others = v->source->rows->is_measured && row->number && row->number != l->index;
    read_picture(l->shape, row);
}

/* NULL: there is none of that number. */
static network_row *row_numbered(const viewing *v, uint32_t number)
{
    const roof_prediction *p = v->source->prediction;
    return number && number <= p->n_layers && p->layers[number - 1].index == number
               ? &v->out->rows[number - 1]
               : NULL;
}

/* A time that was measured of several layers stands at the first of them, as in the table. */
static void take_times(viewing *v)
{
    const chart_rows *rows = v->source->rows;
    const roof_prediction *p = v->source->prediction;
    double gaps_s = 0;
    bool any = false;
    for (uint32_t i = 0; i < rows->n; i++) {
        network_row *row = row_numbered(v, rows->rows[i].number);
        if (!row)
            continue;
        row->measured_s = rows->rows[i].measured_s;
        row->time_s = rows->is_measured ? row->measured_s : roof_layer_seconds(p, row->layer);
        row->time_ratio = isnan(row->time_s) || !(rows->total_s > 0) ? NAN : rows->rows[i].share_ratio;
        row->gap_s = rows->is_measured ? rows->rows[i].gap_s : row->expected_s - row->ideal_s;
        gaps_s += row->gap_s > 0 ? row->gap_s : 0;
        any = any || row->gap_s > 0;
    }
    for (uint32_t r = 0; r < v->out->n_rows && any; r++)
        v->out->rows[r].gap_ratio = fmax(0, v->out->rows[r].gap_s) / gaps_s;
    for (uint32_t r = 0; r < v->out->n_rows; r++) /* fmax would make 0 of what is unknown */
        v->out->rows[r].gap_ratio = isnan(v->out->rows[r].gap_s) ? NAN : v->out->rows[r].gap_ratio;
    v->out->time_words = chart_time_words(rows);
    v->out->gap_words = !any ? NULL : rows->is_measured ? "measured above ideal" : "expected above ideal";
}

static void take_changes(viewing *v)
{
    const chart_rows *rows = v->source->rows;
    const roof_compared_run *run = v->source->changes;
    const uint32_t n = run ? run->n_layers : 0; /* no fewer than rows of either side */
    const roof_compared **of = NEW_ARRAY(v->arena, const roof_compared *, n);
    for (uint32_t i = 0; i < n && of; i++)
        if (run->layers[i].b_row < n)
            of[run->layers[i].b_row] = &run->layers[i];
    for (uint32_t i = 0; i < rows->n && run && of; i++) {
        network_row *row = row_numbered(v, rows->rows[i].number);
        const roof_compared *one = rows->rows[i].row < n ? of[rows->rows[i].row] : NULL;
        if (!row || !one)
            continue;
        row->before_s = one->a_row == ROOF_NONE ? NAN : one->a_s;
        row->change = one->a_row == ROOF_NONE ? NETWORK_ONLY_HERE
                      : one->is_shown         ? NETWORK_CHANGED
                                              : NETWORK_AS_BEFORE;
    }
    enum { FEW = 6 }; /* names of rows that are only in the baseline, as a sentence has room for */
    const char *names = "";
    uint32_t n_before = 0;
    for (uint32_t i = 0; i < n; i++)
        if (run->layers[i].b_row == ROOF_NONE && n_before++ < FEW)
            names = say_more(v->arena, names, "%s", run->layers[i].name);
    if (n_before)
        v->out->only_before =
            n_before > FEW ? say_printf(v->arena, "%s and %u more", names, n_before - FEW) : names;
}

static void take_memory(viewing *v)
{
    const roof_memory *m = v->source->memory;
    const roof_memory_pool *pool = m ? memory_shown_pool(m) : NULL;
    if (!pool || !pool->bytes_by_row || !pool->peak_bytes)
        return;
    const memory_layers *layers = memory_layers_of(v->arena, v->source->prediction);
    for (uint32_t i = 0; i < pool->n_rows; i++) {
        const uint32_t layer = memory_layer_of(layers, roof_memory_row_name(m, pool, i));
        if (layer == ROOF_NONE)
            continue;
        v->out->rows[layer].alive_bytes = pool->bytes_by_row[i];
        v->out->rows[layer].alive_ratio = (double)pool->bytes_by_row[i] / (double)pool->peak_bytes;
        v->out->alive_words = memory_pool_words(v->arena, m, pool);
    }
}

/* --- all ------------------------------------------------------------------------------------------------ */

static const char *why_not(const viewing *v)
{
    const roof_prediction *p = v->source->prediction;
    const char *path = p->model.path ? p->model.path : "";
    uint32_t n_named = 0;
    for (uint32_t i = 0; i < p->n_layers; i++)
        n_named += p->layers[i].n_nodes > 0;
    if (v->out->n_ops && !n_named && !v->flows.has_rows)
        return say_printf(
            v->arena,
            "The graph is not drawn: the prediction does not say which operators of %s its rows "
            "stand for; give the model, or predict with --operators.",
            path);
    bool *joined = NEW_ARRAY(v->arena, bool, v->out->n_rows); /* rows that an edge leads to or from */
    uint32_t n_joined = 0;
    for (uint32_t i = 0; i < v->out->n_edges && joined; i++)
        joined[v->out->edges[i].from] = joined[v->out->edges[i].to] = true;
    for (uint32_t r = 0; r < p->n_layers && joined; r++)
        n_joined += joined[r];
    if (p->n_layers > 1 && n_joined * 2 < p->n_layers)
        return say_printf(v->arena, "The graph is not drawn: %s holds rows, but no edges between %sthem.",
                          path, v->out->n_edges ? "most of " : "");
    return NULL;
}

void network_view_make(const network_source *source, roof_arena *arena, network_view *out)
{
    viewing v = {.source = source, .graph = source->graph, .arena = arena, .out = out};
    const uint32_t n_ops = v.graph->n_ops;
    *out = (network_view){.rows = NEW_ARRAY(arena, network_row, (size_t)source->prediction->n_layers + 1)};
    v.at = NEW_ARRAY(arena, op_place, n_ops);
    if (!out->rows || !v.at)
        return;
    for (uint32_t i = 0; i < n_ops; i++)
        v.at[i] = (op_place){ROOF_NONE, ROOF_NONE, ROOF_NONE, false};
    roof_error ignored; /* the arena remembers it */
    if (row_flows_of(source->graph, arena, &v.flows, &ignored) != ROOF_OK || !place_stated(&v))
        return;
    v.rows = v.flows.has_rows ? namemap_new(arena, source->prediction->n_layers) : NULL;
    if (v.flows.has_rows && !v.rows)
        return;
    for (uint32_t r = 0; r < source->prediction->n_layers && v.rows; r++) {
        const char *name = source->prediction->layers[r].name;
        namemap_add(v.rows, name, strlen(name), r);
    }
    /* An operator that is many rows makes what the last one does, and reads what the first one does. */
    FOR_EACH(const row_span, span, v.flows.spans, v.flows.n_spans) {
        const uint32_t first = row_called(&v, span->first), last = row_called(&v, span->last);
        if (first == ROOF_NONE || last == ROOF_NONE || span->op >= v.graph->n_ops)
            continue;
        v.at[span->op] = (op_place){.home = last, .entry = first, .place = ROOF_NONE, .is_stated = true};
    }
    place_others(&v);
    list_ops(&v);
    if (arena_status(arena, NULL) != ROOF_OK || !list_edges(&v))
        return;
    for (uint32_t r = 0; r < out->n_rows; r++)
        describe_row(&v, r);
    if (!v.flows.has_rows) {
        uint64_t *brought = NEW_ARRAY(v.arena, uint64_t, v.out->n_rows);
        for (uint32_t i = 0; i < v.out->n_edges && brought;
             i++) /* what is not written does not come from outside */
            if (output_of(v.out->rows[v.out->edges[i].from].layer) != 0)
                brought[v.out->edges[i].to] =
                    checked_sum_known(brought[v.out->edges[i].to], v.out->edges[i].bytes);
        for (uint32_t i = 0; i < v.out->n_edges && brought; i++)
            v.out->edges[i].way = way_of(&v, &v.out->edges[i], brought[v.out->edges[i].to]);
    }
    take_times(&v);
    take_changes(&v);
    take_memory(&v);
    out->why_not = why_not(&v);
}
