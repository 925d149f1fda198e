/* Shared by all targets: the copy of the graph, rows in the order in which they run, and what they read. */
#include "model/lower/lower.h"
#include "core/findings.h"
#include "model/graph/format.h"
#include "model/lower/fate.h"
#include "model/work/op_program.h"
#include "model/work/opmap.h"

#define LOWERING(symbol, families) extern const lowering lowering_##symbol;
#include "model/lower/lowerings.def"
#undef LOWERING

static const struct {
    const lowering *rules;
    const char *families;
} lowerings[] = {
#define LOWERING(symbol, families) {&lowering_##symbol, (families)},
#include "model/lower/lowerings.def"
#undef LOWERING
};

static const lowering *lowering_of(const char *family)
{
    for (size_t i = 0; i < N_OF(lowerings); i++)
        if (text_has_word(lowerings[i].families, family))
            return lowerings[i].rules;
    return NULL;
}

bool lower_applies(const roof_graph *graph, const roof_hw *hw)
{
    return graph->storage->format->lowers && !graph->compiled && graph_fits(graph) &&
           lowering_of(roof_hw_family(hw));
}

_Static_assert(ROOF_RULE_COUNT <= 32, "a bit for each rule");

/* An operator that reads nothing but constants is one: shapes, and what is reckoned with them. */
static void find_constants(lower_state *s)
{
    const roof_graph *g = s->graph;
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[s->order[i]];
        lower_op *own = &s->ops[s->order[i]];
        bool is_constant = op->n_inputs;
        FOR_EACH(const roof_edge, edge, op_edges(g, op), op->n_inputs)
            is_constant = is_constant && s->ops[edge->op].fate == LOWER_CONSTANT;
        own->into = s->order[i];
        own->fate = op->rule == ROOF_RULE_INPUT                     ? LOWER_INPUT
                    : op->rule == ROOF_RULE_CONSTANT || is_constant ? LOWER_CONSTANT
                                                                    : LOWER_HOST; /* until it is decided */
    }
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        for (uint32_t k = 0; k < op->n_inputs && s->ops[i].fate != LOWER_CONSTANT; k++)
            s->ops[g->edges[op->first_input + k].op].readers++;
    }
    for (uint32_t i = g->n_ops; i-- > 0;) {
        const roof_op *op = &g->ops[s->order[i]];
        const uint32_t by = op->rule == ROOF_RULE_CONVERT ? s->ops[s->order[i]].read_by : 1U << op->rule;
        for (uint32_t k = 0; k < op->n_inputs; k++)
            s->ops[g->edges[op->first_input + k].op].read_by |= by;
    }
}

/* Rules may make an operator of another kind, give it another input, and split it in two. */
static roof_status copy_graph(lower_state *s, const roof_graph *from)
{
    roof_graph *g;
    struct roof_graph_storage *storage;
    const size_t n = from->n_ops;
    TRY(ARENA_GET2(s->arena, g, storage, 1, s->err));
    *g = *from;
    storage->format = from->storage->format;
    storage->arena = s->arena;
    g->storage = storage;
    TRY(ARENA_GET(s->arena, g->ops, 2 * n, s->err));
    TRY(ARENA_GET(s->arena, g->edges, 2 * (size_t)from->n_edges + 4 * n, s->err));
    memcpy(g->ops, from->ops, n * sizeof *g->ops);
    if (from->n_edges)
        memcpy(g->edges, from->edges, from->n_edges * sizeof *g->edges);
    s->graph = g;
    TRY(ARENA_GET(s->scratch, s->order, 2 * n, s->err));
    TRY(graph_topological_order(from, s->order, s->err));
    return ARENA_GET(s->scratch, s->ops, 2 * n, s->err);
}

/* ---- rows of what is executed, what each of them reads, and the order in which they run ---- */

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
        if (lower_is_executed(s, at->op) || fate->fate == LOWER_INPUT)
            TRY(ARENA_ADD(
                s->scratch, s->reads, s->n_reads, s->err,
                (lower_read){at->op, by, at->elements, .reshapes = at->reshapes, .row = ROOF_NONE}));
        if (fate->fate != LOWER_NAMED || at->next_input == op->n_inputs) {
            depth--; /* from 0 to ROOF_NONE */
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
    TRY(ARENA_GET3(s->scratch, row_of, s->rows, s->row_ops, g->n_ops, s->err));
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
        FOR_EACH(const uint32_t, i, s->row_ops + row->first_op, row->n_ops) {
            FOR_EACH(const roof_edge, edge, op_edges(g, &g->ops[*i]), g->ops[*i].n_inputs) {
                const uint32_t maker = lower_maker(s, edge->op);
                if (!lower_is_map(s, edge) ||
                    (lower_is_executed(s, maker) && lower_leader(s, maker) == row->leader))
                    continue;
                TRY(add_reads(s, *i, edge->op, stack));
            }
        }
        row->n_reads = s->n_reads - row->first_read;
    }
    FOR_EACH(lower_read, read, s->reads, s->n_reads)
        if (lower_is_executed(s, read->maker))
            read->row = row_of[lower_leader(s, read->maker)];
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
    TRY(ARENA_GET3(s->scratch, place, next, stack, n, s->err));
    TRY(ARENA_GET3(s->scratch, is_read, is_seen, sorted, n, s->err));
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

/* ---- the program ---- */

enum { ACCELERATOR = 1, HOST };

/* The next layer, of operators that one part runs; it is called as the first of them. */
static void add_layer(lower_state *s, const uint32_t *ops, uint32_t n, uint32_t part)
{
    roof_graph *g = s->graph;
    g->layers[g->n_layers] = (roof_layer){.name = g->ops[*ops].name,
                                          .subgraph = part,
                                          .node = ROOF_NONE,
                                          .first_op = g->n_layer_ops,
                                          .n_ops = n,
                                          .stored_workload_ops = ROOF_UNKNOWN};
    g->subgraphs[part].n_layers++;
    FOR_EACH(const uint32_t, op, ops, n) {
        g->ops[*op].layer = g->n_layers;
        g->ops[*op].subgraph = part;
        g->ops[*op].why_host = part == HOST ? s->ops[*op].reason : NULL;
        g->layer_ops[g->n_layer_ops++] = *op;
    }
    g->n_layers++;
}

static roof_status set_parts(lower_state *s, const lowering *rules, const roof_program *program)
{
    roof_graph *g = s->graph;
    TRY(graph_begin_parts(g, "", HOST, s->arena, s->err));
    graph_add_part(g, rules->accelerator, ROOF_DEVICE_ACCELERATOR);
    graph_add_part(g, program->words[ROOF_BY_HOST], ROOF_DEVICE_CPU);
    g->subgraph_ops = NULL;
    g->n_subgraph_ops = g->n_layers = g->n_layer_ops = 0;
    TRY(ARENA_GET(s->arena, g->layers, s->n_rows + (size_t)(rules->lists_names ? g->n_ops : 0), s->err));
    TRY(ARENA_GET(s->arena, g->layer_ops, g->n_ops, s->err));
    for (uint32_t i = 0; i < g->n_ops; i++)
        g->ops[i].layer = g->ops[i].subgraph = ROOF_NONE;
    FOR_EACH(const lower_row, row, s->rows, s->n_rows)
        add_layer(s, s->row_ops + row->first_op, row->n_ops,
                  s->ops[row->leader].fate == LOWER_HOST ? HOST : ACCELERATOR);
    for (uint32_t i = 0; rules->lists_names && i < g->n_ops; i++)
        if (s->ops[i].fate == LOWER_NAMED)
            add_layer(s, &i, 1, ACCELERATOR);
    g->compiled = true;
    return ROOF_OK;
}

/* A stride that moved into the operator before it spares multiply-accumulates of the network, which stays
 * what it is: counts are those of the graph that was given, cycles those of the lowered one. */
static roof_status count_as_given(const roof_graph *given, const roof_graph *g, const roof_layer *layer,
                                  roof_row *row, roof_error *err)
{
    static const workload_convention none;
    for (uint32_t k = 0; k < layer->n_ops; k++) {
        const uint32_t i = g->layer_ops[layer->first_op + k];
        op_work before, after;
        if (i >= given->n_ops || given->ops[i].out.elements == g->ops[i].out.elements)
            continue;
        TRY(op_work_of(given, &given->ops[i], &none, &before, err));
        TRY(op_work_of(g, &g->ops[i], &none, &after, err));
        TRY(program_add_count(&row->macs, before.macs - after.macs, err));
        TRY(program_add_count(&row->ops_count, before.ops_count - after.ops_count, err));
    }
    return ROOF_OK;
}

/* Brings floats of training into the integers that the accelerator computes with. Result: true if there were
 * any. Indices, of 64 bits, stay. */
static bool narrow(lower_state *s)
{
    roof_graph *g = s->graph;
    const uint32_t bits = s->rules->element_bits;
    bool is_float = false;
    FOR_EACH(const roof_op, op, g->ops, bits ? g->n_ops : 0)
        FOR_EACH(const roof_edge, edge, op_edges(g, op), rule_has_macs(op->rule) ? op->n_inputs : 0)
            is_float = is_float || (edge->role == ROOF_ROLE_WEIGHTS && g->ops[edge->op].out.bit_width > bits);
    for (uint32_t i = 0; i < g->n_ops && is_float; i++) {
        roof_tensor *t = &g->ops[i].out;
        if (t->bit_width == 16 || t->bit_width == 32) {
            t->bit_width = bits;
            t->bytes = t->elements * bits / 8; /* less than before */
        }
    }
    return is_float;
}

/* Lets executed operators read executed ones: folded operators are passed by. A product sums over the last
 * dimension of its input, so one that gave its factor that shape stays between. */
static void pass_folded(const lower_state *s)
{
    roof_graph *g = s->graph;
    for (uint32_t i = 0; i < g->n_ops; i++)
        for (uint32_t k = 0; k < g->ops[i].n_inputs && lower_is_executed(s, i); k++) {
            roof_edge *edge = &g->edges[g->ops[i].first_input + k];
            const uint32_t maker = lower_maker(s, edge->op);
            const roof_tensor *read = &g->ops[edge->op].out, *made = &g->ops[maker].out;
            const bool is_shaped = read->n_dims != made->n_dims ||
                                   memcmp(read->dims, made->dims, read->n_dims * sizeof *read->dims) != 0;
            if (g->ops[i].rule != ROOF_RULE_MATMUL || !is_shaped)
                edge->op = maker;
        }
}

/* For each operator of the lowered graph the operator of the given graph that it is, or is a part of: an
 * operator that a rule splits off has its node. */
static roof_status find_given(const lower_state *s, const roof_graph *given, uint32_t **out)
{
    const roof_graph *g = s->graph;
    uint32_t *by_node, n_nodes = 0;
    TRY(ARENA_GET(s->scratch, *out, g->n_ops, s->err));
    for (uint32_t i = 0; i < g->n_ops; i++)
        (*out)[i] = i < given->n_ops ? i : ROOF_NONE;
    for (uint32_t i = given->n_ops; i < g->n_ops; i++)
        if (g->ops[i].node != ROOF_NONE && g->ops[i].node >= n_nodes)
            n_nodes = g->ops[i].node + 1;
    TRY(ARENA_GET(s->scratch, by_node, n_nodes, s->err));
    for (uint32_t i = 0; i < given->n_ops; i++)
        if (given->ops[i].node < n_nodes)
            by_node[given->ops[i].node] = i;
    for (uint32_t i = given->n_ops; i < g->n_ops; i++)
        if (g->ops[i].node < n_nodes)
            (*out)[i] = by_node[g->ops[i].node];
    return ROOF_OK;
}

/* The given operators that end in each row, in the order of the file: its own, and what is folded into one of
 * them. */
static roof_status set_operators(const lower_state *s, program_builder *b, const roof_graph *given)
{
    roof_row *rows = b->out->rows;
    uint32_t *lists, *given_of, *row_of;
    TRY(find_given(s, given, &given_of));
    TRY(ARENA_GET(s->scratch, row_of, s->graph->n_ops, b->err));
    TRY(ARENA_GET(b->rows, lists, s->graph->n_ops, b->err));
    for (uint32_t r = 0; r < b->out->n_rows; r++)
        rows[r].n_operators = 0;
    for (uint32_t i = 0; i < s->graph->n_ops; i++) {
        const uint32_t maker = lower_maker(s, i), given_op = given_of[i];
        row_of[i] = given_op != ROOF_NONE ? s->graph->ops[maker].layer : ROOF_NONE;
        if (i >= given->n_ops && row_of[i] != ROOF_NONE && row_of[i] == row_of[given_op])
            row_of[i] = ROOF_NONE; /* the operator that it was split off is there already */
        if (row_of[i] != ROOF_NONE)
            rows[row_of[i]].n_operators++;
    }
    for (uint32_t r = 0; r < b->out->n_rows; r++) {
        rows[r].operators = lists;
        lists += rows[r].n_operators;
        rows[r].n_operators = 0;
    }
    for (uint32_t i = 0; i < s->graph->n_ops; i++)
        if (row_of[i] != ROOF_NONE) {
            roof_row *row = &rows[row_of[i]];
            ((uint32_t *)row->operators)[row->n_operators++] = given_of[i]; /* of lists */
        }
    for (uint32_t r = 0; r < b->out->n_rows; r++)
        op_program_lead(&rows[r], given_of, (uint32_t *)rows[r].operators);
    return ROOF_OK;
}

static roof_status add_rows(const lower_state *s, program_builder *b, const roof_graph *given,
                            const roof_traffic *traffic, const workload_convention *convention)
{
    TRY(ARENA_GET(b->rows, b->out->rows, s->graph->n_layers, b->err));
    for (uint32_t i = 0; i < s->graph->n_layers; i++) {
        const roof_layer *layer = &s->graph->layers[i];
        roof_row *row = program_next_row(b);
        const bool is_name = s->ops[s->graph->layer_ops[layer->first_op]].fate == LOWER_NAMED;
        row->executor = layer->subgraph == HOST ? ROOF_BY_HOST
                        : is_name               ? ROOF_BY_NOBODY
                                                : ROOF_BY_ACCELERATOR;
        row->part = program_share(b, s->graph->subgraphs[layer->subgraph].name);
        TRY(op_program_set_texts(b, layer, row));
        TRY(op_program_set_operators(b, layer, convention, row));
        /* facts that a rule states of an operator beside its shapes */
        roof_demand *demands;
        TRY(ARENA_GET(b->rows, demands, row->work.n_demands, b->err));
        for (uint32_t k = 0; k < row->work.n_demands; k++) {
            demands[k] = row->work.demands[k];
            const lower_op *op = &s->ops[demands[k].op];
            demands[k].folds_kernel = op->folds_kernel;
            demands[k].sub_pixels = op->sub_pixels ? op->sub_pixels : 1;
            demands[k].launches = k == 0 ? s->rules->launches : 0;
        }
        row->work.demands = demands;
        TRY(count_as_given(given, s->graph, layer, row, b->err));
        if (row->executor == ROOF_BY_HOST)
            continue;
        row->is_timed = row->is_boundary = true;
        row->work.cycles_basis = row->work.bytes_basis = ROOF_BASIS_FORMULA;
        row->work.traffic = is_name ? (roof_traffic){0} : traffic[i];
        if (is_name)
            row->work.n_demands = 0; /* it asks for nothing */
    }
    return ROOF_OK;
}

static roof_status lower(lower_state *s, program_builder *b, const workload_convention *convention)
{
    const lowering *rules = s->rules;
    const roof_graph *given = b->graph;
    roof_traffic *traffic;
    TRY(copy_graph(s, given));
    find_constants(s);
    if (narrow(s))
        FIND(&b->out->findings[ROOF_ABOUT_TARGET], NULL, LOWERED_NARROWED, AS_COUNT(rules->element_bits));
    for (uint32_t i = 0; i < given->n_ops; i++) {
        const roof_op *op = &s->graph->ops[s->order[i]];
        uint32_t depth = 0;
        FOR_EACH(const roof_edge, edge, op_edges(s->graph, op), op->n_inputs)
            depth = s->ops[edge->op].depth > depth ? s->ops[edge->op].depth : depth;
        s->ops[s->order[i]].depth = depth + rule_computes(op->rule);
    }
    for (uint32_t k = 0; k < given->n_ops; k++) /* rules add more */
        if (s->ops[s->order[k]].fate == LOWER_HOST)
            rules->choose(s, s->order[k]);
    TRY(collect_rows(s));
    TRY(order_rows(s));
    b->out->words[ROOF_BY_ACCELERATOR] = rules->accelerator;
    TRY(set_parts(s, rules, b->out));
    TRY(ARENA_GET(s->scratch, traffic, s->n_rows, s->err));
    TRY(rules->move(s, traffic));
    pass_folded(s);
    b->graph = b->out->graph = s->graph;
    b->out->stack = rules->stack;
    b->out->is_placed = b->out->is_lowered = true;
    b->out->is_approximate = rules->is_approximate;
    const uint32_t timed = s->applied[8], on_host = s->graph->subgraphs[HOST].n_layers;
    uint32_t n_computed = 0;
    for (uint32_t i = 0; i < given->n_ops; i++)
        n_computed += s->ops[i].fate != LOWER_CONSTANT && s->ops[i].fate != LOWER_INPUT;
    FIND(&b->out->findings[ROOF_ABOUT_TARGET], NULL, LOWERED, AS_COUNT(s->n_rows - on_host),
         AS_COUNT(on_host), AS_TEXT(b->out->words[ROOF_BY_ACCELERATOR]), AS_COUNT(n_computed));
    if (s->rules->is_approximate)
        FIND(&b->out->findings[ROOF_ABOUT_TARGET], NULL, LOWERED_APPROXIMATELY,
             AS_COUNT(s->n_rows - on_host));
    if (timed)
        FIND(&b->out->findings[ROOF_ABOUT_TARGET], NULL, LOWERED_BY_TIMING, AS_COUNT(timed));
    TRY(add_rows(s, b, given, traffic, convention));
    TRY(rules->describe ? rules->describe(s, b) : ROOF_OK);
    return set_operators(s, b, given);
}

roof_status lower_program(program_builder *b, const workload_convention *convention)
{
    lower_state s = {.rules = lowering_of(roof_hw_family(b->lowering->hw)),
                     .hw = b->lowering->hw,
                     .without_rules = b->lowering->without_rules,
                     .arena = b->rows,
                     .scratch = arena_new(0),
                     .err = b->err};
    roof_status status = s.scratch ? lower(&s, b, convention) : error_memory(b->err);
    arena_free(s.scratch);
    return status;
}

roof_status lower_build(const roof_graph *graph, const roof_hw *hw, uint32_t without_rules, roof_arena *texts,
                        roof_arena *rows, roof_program *out, roof_error *err)
{
    const program_lowering by_rules = {lower_program, hw, without_rules};
    return program_build(graph, hw, lower_applies(graph, hw) ? &by_rules : NULL, texts, rows, out, err);
}
