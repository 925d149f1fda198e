#include "reports/tables/inspect/inspect.h"
#include "model/work/traffic.h"
#include "roofline/language.h"

/* --- targets ------------------------------------------------------------------------------------------ */

static void find_targets(inspect_view *view)
{
    const roof_graph *g = view->graph;
    for (uint32_t i = 0; g->compiled && i < g->n_subgraphs && view->n_targets < INSPECT_MAX_TARGETS; i++) {
        const roof_subgraph *s = &g->subgraphs[i];
        const uint64_t fingerprint = roof_xir_subgraph_of(g, s)->fingerprint;
        uint32_t known = 0;
        while (known < view->n_targets && (view->targets[known].fingerprint != fingerprint ||
                                           strcmp(view->targets[known].name, s->target) != 0))
            known++;
        if (s->device == ROOF_DEVICE_ACCELERATOR && known == view->n_targets) {
            inspect_target *out = &view->targets[view->n_targets++];
            roof_error err = {0};
            out->name = s->target;
            out->fingerprint = fingerprint;
            out->unnumbered = out->fingerprint == ROOF_UNKNOWN;
            if (!out->unnumbered) {
                roof_status status = roof_fingerprint_decode(out->fingerprint, &out->config, &err);
                out->known = status == ROOF_OK && out->config.family[0];
                out->text =
                    text_or_empty(arena_strdup(view->arena, status == ROOF_OK ? out->config.text : err.what));
                out->contradiction = out->known && roof_fingerprint_contradicts(&out->config, s->target);
            }
        }
    }
}

/* --- layers ------------------------------------------------------------------------------------------- */

static void sum_layer(const roof_graph *g, const roof_layer *layer, const op_consumers *consumers,
                      inspect_layer *out)
{
    out->output = ROOF_NONE;
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        uint32_t index = g->layer_ops[layer->first_op + i];
        const roof_op *op = &g->ops[index];
        /* Nothing is fused in a file that is only quantised: constants stand beside the op reading them. */
        for (uint32_t e = 0; !g->compiled && e < op->n_inputs; e++) {
            const roof_edge *edge = &g->edges[op->first_input + e];
            const roof_op *producer = &g->ops[edge->op];
            if (edge->role == ROOF_ROLE_WEIGHTS || edge->role == ROOF_ROLE_BIAS ||
                producer->rule == ROOF_RULE_CONSTANT)
                (void)checked_add_known(&out->weights_bytes, producer->out.bytes);
        }
        if (g->compiled && op->rule == ROOF_RULE_CONSTANT)
            (void)checked_add_known(&out->weights_bytes, op->out.bytes);
        if (op->rule != ROOF_RULE_CONSTANT && traffic_leaves_layer(consumers, index)) {
            out->output = index;
            out->n_outputs++;
        }
    }
}

/* Children stand behind their parents, so one pass from the end sums the whole tree. */
static void sum_subgraphs(inspect_view *view)
{
    const roof_graph *g = view->graph;
    view->subgraph_ops = NEW_ARRAY(view->arena, uint32_t, g->n_subgraphs);
    view->subgraph_rows = NEW_ARRAY(view->arena, uint32_t, g->n_subgraphs);
    if (!view->subgraph_ops)
        return;
    for (uint32_t i = g->n_subgraphs; i-- > 0;) {
        const roof_xir_subgraph *own = roof_xir_subgraph_of(g, &g->subgraphs[i]);
        view->subgraph_ops[i] += g->subgraphs[i].n_ops;
        if (i)
            view->subgraph_ops[g->subgraphs[i].parent] += view->subgraph_ops[i];
        if (g->subgraphs[i].device == ROOF_DEVICE_ACCELERATOR)
            (void)checked_add_known(&view->code_bytes, own->code.length_bytes);
        for (uint32_t j = 0; j < own->n_registers; j++)
            (void)checked_add_known(&view->parameter_bytes, own->registers[j].parameter_bytes);
    }
}

/* Bytes that all epochs move in each pool. NULL without memory. */
static const inspect_moved *sum_pools(const inspect_view *v)
{
    const roof_plan *plan = roof_plan_of(v->graph);
    inspect_moved *moved = NEW_ARRAY(v->arena, inspect_moved, plan->n_pools);
    for (uint32_t i = 0; moved && i < plan->n_accesses; i++) {
        const roof_pool_access *a = &plan->accesses[i];
        (void)checked_add_known(&moved[a->pool].read_bytes, a->read_bytes);
        (void)checked_add_known(&moved[a->pool].write_bytes, a->write_bytes);
    }
    bool is_known = true;
    for (uint32_t i = 0; i < plan->n_epochs; i++)
        is_known = is_known && !plan->epochs[i].moves_unknown;
    for (uint32_t k = 0; moved && !is_known && k < plan->n_pools; k++)
        moved[k] = (inspect_moved){ROOF_UNKNOWN, ROOF_UNKNOWN};
    return moved;
}

/* Below the devices there are the layers, which have a table of their own; the programs of a plan have one as
 * well. In a file that is only quantised a layer is an operator: people see them in the list of operators. */
static void count_items(inspect_view *v, bool is_document)
{
    const roof_graph *g = v->graph;
    const roof_plan *plan = roof_plan_of(g);
    uint32_t *n = v->n_items, n_epochs = plan ? plan->n_epochs : 0;
    bool by_ops = g->compiled && !plan;
    n[INSPECT_SUBGRAPHS] = is_document || by_ops || (!g->compiled && g->n_subgraphs > 1) ? g->n_subgraphs : 0;
    n[INSPECT_REGISTERS] = g->n_subgraphs;
    n[INSPECT_POOLS] = plan ? plan->n_pools : 0;
    n[INSPECT_DIFFERENCES] = plan ? plan->n_differences : 0;
    n[INSPECT_PROGRAMS] = plan ? plan->n_blobs : 0;
    n[INSPECT_EPOCHS] = n_epochs;
    n[INSPECT_ACCESSES] = n[INSPECT_PLAN_OPS] = v->details ? n_epochs : 0;
    (void)roof_control_code_of(g, &n[INSPECT_CODES]);
    (void)roof_command_streams_of(g, &n[INSPECT_COMMANDS]);
    n[INSPECT_ARGUMENTS] = n[INSPECT_CHANNELS] = v->details || n[INSPECT_CODES] == 1 ? n[INSPECT_CODES] : 0;
    n[INSPECT_LAYERS] = is_document || by_ops || (v->details && !plan) ? g->n_layers : 0;
    n[INSPECT_TYPES] = !g->compiled || v->details ? v->n_types : 0;
    n[INSPECT_OPS] = v->details ? g->n_ops : 0;
}

bool inspect_view_init(const roof_graph *graph, bool details, bool is_document, roof_arena *arena,
                       inspect_view *out)
{
    *out = (inspect_view){.graph = graph, .details = details, .arena = arena};
    find_targets(out);
    const roof_graph *g = out->graph;
    namemap *places = namemap_new(out->arena, g->n_ops);
    out->types = NEW_ARRAY(out->arena, inspect_type, g->n_ops);
    if (places && out->types) {
        FOR_EACH(const roof_op, op, g->ops, g->n_ops) {
            size_t length = strlen(op->type);
            if (namemap_add(places, op->type, length, out->n_types))
                out->types[out->n_types++] = (inspect_type){.type = op->type, .rule = op->rule};
            inspect_type *type = &out->types[namemap_find(places, op->type, length)];
            type->count++;
            (void)checked_add_known(&type->output_bytes, op->out.bytes);
        }
        order_sort(out->types, out->n_types, sizeof *out->types,
                   ORDER_BY(FALLING(inspect_type, count), RISING(inspect_type, type)));
    }
    const op_consumers *consumers = traffic_consumers(g, out->arena);
    out->layers = NEW_ARRAY(out->arena, inspect_layer, g->n_layers);
    if (consumers && out->layers) {
        for (uint32_t i = 0; i < g->n_layers; i++) {
            sum_layer(g, &g->layers[i], consumers, &out->layers[i]);
            (void)checked_add_known(&out->layer_code_bytes,
                                    roof_xir_layer_of(g, &g->layers[i])->code.length_bytes);
        }
        for (uint32_t i = 0; i < g->n_ops; i++)
            if (g->ops[i].rule == ROOF_RULE_CONSTANT)
                (void)checked_add_known(&out->weights_bytes, g->ops[i].out.bytes);
        const roof_language_model *language = roof_language_of(g);
        if (language && language->stored) /* the graph has one layer of each kind */
            out->weights_bytes = language->stored->tensor_bytes;
        for (uint32_t i = 0; roof_plan_of(out->graph) && i < g->n_layers; i++)
            out->layers[i].weights_bytes = out->weights_bytes = ROOF_UNKNOWN; /* a plan has no tensors */
    }
    sum_subgraphs(out);
    count_items(out, is_document);
    if (roof_plan_of(graph))
        out->moved = sum_pools(out);
    return arena_status(arena, NULL) == ROOF_OK;
}

/* --- texts -------------------------------------------------------------------------------------------- */

const char *inspect_dims(roof_arena *arena, const roof_tensor *tensor)
{
    const char *text = tensor->is_unknown ? "?" : tensor->n_dims ? "" : "scalar";
    for (uint32_t i = 0; i < tensor->n_dims && !tensor->is_unknown; i++)
        text = say_printf(arena, "%s%s%u", text, i ? "x" : "", tensor->dims[i]);
    return text;
}

const char *inspect_count(roof_arena *arena, uint64_t value)
{
    return value == ROOF_UNKNOWN ? "-" : say_count(arena, value);
}

const char *inspect_hex(roof_arena *arena, uint64_t value)
{
    return value == ROOF_UNKNOWN ? "" : say_printf(arena, "0x%016" PRIx64, value);
}

const char *inspect_shown(const inspect_view *view, const char *text)
{
    return *text ? text_or_empty(arena_shown(view->arena, text)) : "-";
}

static void add_link(textbuf *chain, const char *text, uint32_t times)
{
    text_printf(chain, "%s%s", chain->length ? " + " : "", text);
    if (times > 1)
        text_printf(chain, " x%u", times);
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
    return say_text(view->arena, &chain);
}

/* --- rows ---------------------------------------------------------------------------------------------- */

grid_cell inspect_present(uint64_t value)
{
    return cell_or_none(cell_count(value));
}

grid_cell inspect_index(uint32_t index, uint32_t base)
{
    return cell_count(index == ROOF_NONE ? ROOF_UNKNOWN : (uint64_t)index + base);
}

void inspect_list(const inspect_view *v, const inspect_section *s, uint32_t first, uint32_t n, jsonout *j)
{
    cell_grid grid;
    grid_begin(&grid, v->arena, s->columns, s->n_columns);
    grid_begin_json(&grid, j, s->json, s->is_json_line);
    for (uint32_t i = first; i < first + n; i++)
        s->add(v, i, &grid);
    grid_end_json(&grid);
}

void inspect_pair(jsonout *j, const char *key, uint64_t first, uint64_t second)
{
    jsonout_array(j, key, true);
    jsonout_count(j, NULL, first);
    jsonout_count(j, NULL, second);
    jsonout_end(j);
}
