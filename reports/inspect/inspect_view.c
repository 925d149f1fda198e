#include "reports/inspect/inspect.h"
#include "core/checked.h"
#include "core/quantity.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- sums --------------------------------------------------------------------------------------------- */

void inspect_add(uint64_t *sum, uint64_t term)
{
    (void)checked_add_known(sum, term); /* beyond 64 bits it is unknown */
}

/* --- targets ------------------------------------------------------------------------------------------ */

static void fill_target(inspect_view *view, const roof_subgraph *s, inspect_target *out)
{
    roof_error err = {0};
    out->name = s->target;
    out->fingerprint = roof_xir_subgraph_of(view->graph, s)->fingerprint;
    out->unnumbered = out->fingerprint == ROOF_UNKNOWN;
    if (out->unnumbered)
        return;
    roof_status status = roof_fingerprint_decode(out->fingerprint, &out->config, &err);
    out->known = status == ROOF_OK && out->config.family[0];
    out->text = text_or_empty(arena_strdup(view->arena, status == ROOF_OK ? out->config.text : err.what));
    out->contradiction = out->known && roof_fingerprint_contradicts(&out->config, s->target);
}

static bool has_target(const inspect_view *view, const roof_subgraph *s)
{
    uint64_t fingerprint = roof_xir_subgraph_of(view->graph, s)->fingerprint;
    for (uint32_t i = 0; i < view->n_targets; i++)
        if (view->targets[i].fingerprint == fingerprint && strcmp(view->targets[i].name, s->target) == 0)
            return true;
    return false;
}

static void find_targets(inspect_view *view)
{
    const roof_graph *g = view->graph;
    for (uint32_t i = 0; i < g->n_subgraphs && view->n_targets < INSPECT_MAX_TARGETS; i++) {
        const roof_subgraph *s = &g->subgraphs[i];
        if (s->device == ROOF_DEVICE_ACCELERATOR && !has_target(view, s))
            fill_target(view, s, &view->targets[view->n_targets++]);
    }
}

/* --- types of operators ------------------------------------------------------------------------------- */

static int by_type(const void *a, const void *b)
{
    const roof_op *const *x = a, *const *y = b;
    return strcmp((*x)->type, (*y)->type);
}

static int by_count(const void *a, const void *b)
{
    const inspect_type *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->type, y->type);
}

static void count_types(inspect_view *view)
{
    const roof_graph *g = view->graph;
    const roof_op **ops = NEW_ARRAY(view->arena, const roof_op *, g->n_ops);
    view->types = NEW_ARRAY(view->arena, inspect_type, g->n_ops);
    if (!ops || !view->types)
        return;
    for (uint32_t i = 0; i < g->n_ops; i++)
        ops[i] = &g->ops[i];
    qsort(ops, g->n_ops, sizeof *ops, by_type);
    for (uint32_t i = 0; i < g->n_ops; i++) {
        if (!i || strcmp(ops[i]->type, ops[i - 1]->type) != 0)
            view->types[view->n_types++] = (inspect_type){.type = ops[i]->type, .rule = ops[i]->rule};
        inspect_type *type = &view->types[view->n_types - 1];
        type->count++;
        inspect_add(&type->output_bytes, ops[i]->out.bytes);
    }
    qsort(view->types, view->n_types, sizeof *view->types, by_count);
}

/* --- layers ------------------------------------------------------------------------------------------- */

/* For every op, whether something outside its layer, or nothing at all, reads it: its tensor then leaves
 * the layer. NULL without memory. */
static const bool *find_leaving(const inspect_view *view)
{
    const roof_graph *g = view->graph;
    bool *read = NEW_ARRAY(view->arena, bool, g->n_ops), *leaves = NEW_ARRAY(view->arena, bool, g->n_ops);
    if (!read || !leaves)
        return NULL;
    for (uint32_t i = 0; i < g->n_ops; i++) {
        for (uint32_t e = 0; e < g->ops[i].n_inputs; e++) {
            uint32_t producer = g->edges[g->ops[i].first_input + e].op;
            read[producer] = true;
            leaves[producer] = leaves[producer] || g->ops[producer].layer != g->ops[i].layer;
        }
    }
    for (uint32_t i = 0; i < g->n_ops; i++)
        leaves[i] = leaves[i] || !read[i];
    return leaves;
}

/* Nothing is fused in a file that is only quantised: constants stand beside the op that reads them. */
static uint64_t read_constants(const roof_graph *g, const roof_op *op)
{
    uint64_t bytes = 0;
    for (uint32_t e = 0; e < op->n_inputs; e++) {
        const roof_edge *edge = &g->edges[op->first_input + e];
        const roof_op *producer = &g->ops[edge->op];
        if (edge->role == ROOF_ROLE_WEIGHTS || edge->role == ROOF_ROLE_BIAS ||
            producer->rule == ROOF_RULE_CONSTANT)
            inspect_add(&bytes, producer->out.bytes);
    }
    return bytes;
}

static void sum_layer(const roof_graph *g, const roof_layer *layer, const bool *leaves, inspect_layer *out)
{
    out->output = ROOF_NONE;
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        uint32_t index = g->layer_ops[layer->first_op + i];
        const roof_op *op = &g->ops[index];
        if (!g->compiled)
            inspect_add(&out->weights_bytes, read_constants(g, op));
        else if (op->rule == ROOF_RULE_CONSTANT)
            inspect_add(&out->weights_bytes, op->out.bytes);
        if (op->rule != ROOF_RULE_CONSTANT && leaves[index]) {
            out->output = index;
            out->n_outputs++;
        }
    }
}

static void sum_layers(inspect_view *view)
{
    const roof_graph *g = view->graph;
    const bool *leaves = find_leaving(view);
    view->layers = NEW_ARRAY(view->arena, inspect_layer, g->n_layers);
    if (!leaves || !view->layers)
        return;
    for (uint32_t i = 0; i < g->n_layers; i++) {
        sum_layer(g, &g->layers[i], leaves, &view->layers[i]);
        inspect_add(&view->layer_code_bytes, roof_xir_layer_of(g, &g->layers[i])->code.length_bytes);
    }
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (g->ops[i].rule == ROOF_RULE_CONSTANT)
            inspect_add(&view->weights_bytes, g->ops[i].out.bytes);
    for (uint32_t i = 0; roof_plan_of(view->graph) && i < g->n_layers; i++)
        view->layers[i].weights_bytes = view->weights_bytes = ROOF_UNKNOWN; /* a plan has no tensors */
}

/* Children stand behind their parents, so one pass from the end sums the whole tree. */
static void sum_subgraphs(inspect_view *view)
{
    const roof_graph *g = view->graph;
    view->subgraph_ops = NEW_ARRAY(view->arena, uint32_t, g->n_subgraphs);
    if (!view->subgraph_ops)
        return;
    for (uint32_t i = g->n_subgraphs; i-- > 0;) {
        const roof_xir_subgraph *own = roof_xir_subgraph_of(g, &g->subgraphs[i]);
        view->subgraph_ops[i] += g->subgraphs[i].n_ops;
        if (i)
            view->subgraph_ops[g->subgraphs[i].parent] += view->subgraph_ops[i];
        if (g->subgraphs[i].device == ROOF_DEVICE_ACCELERATOR)
            inspect_add(&view->code_bytes, own->code.length_bytes);
        for (uint32_t j = 0; j < own->n_registers; j++)
            inspect_add(&view->parameter_bytes, own->registers[j].parameter_bytes);
    }
}

/* What all epochs move in each pool. NULL without memory. */
static const inspect_moved *sum_pools(const inspect_view *v)
{
    const roof_plan *plan = roof_plan_of(v->graph);
    inspect_moved *moved = NEW_ARRAY(v->arena, inspect_moved, plan->n_pools);
    for (uint32_t i = 0; moved && i < plan->n_accesses; i++) {
        const roof_pool_access *a = &plan->accesses[i];
        inspect_add(&moved[a->pool].read_bytes, a->read_bytes);
        inspect_add(&moved[a->pool].write_bytes, a->write_bytes);
    }
    bool is_known = true;
    for (uint32_t i = 0; i < plan->n_epochs; i++)
        is_known = is_known && !plan->epochs[i].moves_unknown;
    for (uint32_t k = 0; moved && !is_known && k < plan->n_pools; k++)
        moved[k] = (inspect_moved){ROOF_UNKNOWN, ROOF_UNKNOWN};
    return moved;
}

bool inspect_view_init(const roof_graph *graph, bool details, roof_arena *arena, inspect_view *out)
{
    *out = (inspect_view){.graph = graph, .details = details, .arena = arena};
    find_targets(out);
    count_types(out);
    sum_layers(out);
    sum_subgraphs(out);
    if (roof_plan_of(graph))
        out->moved = sum_pools(out);
    return arena_status(arena, NULL) == ROOF_OK;
}

/* --- texts -------------------------------------------------------------------------------------------- */

const char *inspect_dims(roof_arena *arena, const roof_tensor *tensor)
{
    const char *text = tensor->n_dims ? "" : "scalar";
    for (uint32_t i = 0; i < tensor->n_dims; i++)
        text = text_or_empty(arena_printf(arena, "%s%s%" PRIu32, text, i ? "x" : "", tensor->dims[i]));
    return text;
}

const char *inspect_count(roof_arena *arena, uint64_t value)
{
    return value == ROOF_UNKNOWN ? "-" : say_count(arena, value);
}

const char *inspect_shown(const inspect_view *view, const char *text)
{
    return *text ? text_or_empty(arena_shown(view->arena, text)) : "-";
}

static void add_link(textbuf *chain, const char *text, uint32_t times)
{
    text_printf(chain, "%s%s", chain->length ? " + " : "", text);
    if (times > 1)
        text_printf(chain, " x%" PRIu32, times);
}

const char *inspect_chain(const inspect_view *view, const char *(*nth)(const inspect_view *view, uint32_t i),
                          uint32_t first, uint32_t n)
{
    const char *last = NULL;
    uint32_t times = 0;
    textbuf chain;
    text_init(&chain, TEXT_MAX_BYTES);
    for (uint32_t i = first; i < first + n; i++) {
        const char *text = nth(view, i);
        bool repeats = text && last && strcmp(text, last) == 0;
        if (text && last && !repeats)
            add_link(&chain, last, times);
        times = repeats ? times + 1 : text ? 1 : times;
        last = text ? text : last;
    }
    if (last)
        add_link(&chain, last, times);
    const char *copy = chain.failed ? NULL : arena_strdup(view->arena, chain.bytes ? chain.bytes : "");
    text_free(&chain);
    return copy;
}
