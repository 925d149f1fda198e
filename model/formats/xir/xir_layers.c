/* From the tree of subgraphs to layers in the order of execution. */
#include "model/work/extents.h"
#include "model/work/op_program.h"
#include "model/work/opmap.h"
#include "model/formats/xir/xir_reader.h"

/* Takes over all ops below node, in the order of the tree. */
static void claim_ops(xir_reader *r, uint32_t node, uint32_t layer, uint32_t device_subgraph)
{
    roof_graph *g = r->graph;
    const roof_subgraph *s = &g->subgraphs[node];
    for (uint32_t i = 0; i < s->n_ops; i++) {
        uint32_t index = g->subgraph_ops[s->first_op + i];
        roof_op *op = &g->ops[index];
        op->subgraph = device_subgraph;
        if (layer == ROOF_NONE || op->layer != ROOF_NONE)
            continue; /* an op belongs to one layer: the first that names it */
        op->layer = layer;
        g->layer_ops[g->n_layer_ops++] = index;
        g->layers[layer].n_ops++;
    }
    for (uint32_t c = s->first_child; c != ROOF_NONE; c = g->subgraphs[c].next_sibling)
        claim_ops(r, c, layer, device_subgraph);
}

static uint32_t add_layer(xir_reader *r, uint32_t device_subgraph, uint32_t node)
{
    roof_graph *g = r->graph;
    const roof_subgraph *s = &g->subgraphs[node];
    uint32_t index = g->n_layers++;
    g->layers[index] = (roof_layer){.name = s->name,
                                    .subgraph = device_subgraph,
                                    .node = node,
                                    .first_op = g->n_layer_ops,
                                    .stored_workload_ops = s->stored_workload_ops};
    claim_ops(r, node, index, device_subgraph);
    return index;
}

/* Names of children and grandchildren (three-level trees); where both have it, the child's counts. */
static namemap *index_children(xir_reader *r, uint32_t device_subgraph)
{
    const roof_subgraph *all = r->graph->subgraphs;
    size_t n = 0;
    for (uint32_t c = all[device_subgraph].first_child; c != ROOF_NONE; c = all[c].next_sibling) {
        n++;
        for (uint32_t g = all[c].first_child; g != ROOF_NONE; g = all[g].next_sibling)
            n++;
    }
    namemap *map = namemap_new(r->scratch, n);
    if (!map)
        return NULL;
    for (uint32_t c = all[device_subgraph].first_child; c != ROOF_NONE; c = all[c].next_sibling)
        namemap_add(map, all[c].name, strlen(all[c].name), c);
    for (uint32_t c = all[device_subgraph].first_child; c != ROOF_NONE; c = all[c].next_sibling)
        for (uint32_t g = all[c].first_child; g != ROOF_NONE; g = all[g].next_sibling)
            namemap_add(map, all[g].name, strlen(all[g].name), g);
    return map;
}

static roof_status add_sorted_layers(xir_reader *r, uint32_t device_subgraph)
{
    roof_graph *g = r->graph;
    pb_field f;
    roof_status status;
    text_span list = r->child_sort[device_subgraph];
    const unsigned char *first = (const unsigned char *)list.text;
    namemap *children = index_children(r, device_subgraph);
    unsigned char *listed = NEW_ARRAY(r->scratch, unsigned char, g->n_subgraphs);
    pb_cursor pb = {.file = g->storage->file.bytes, .next = first, .end = first + list.length};
    TRY(ALLOCATED(children && listed, r->err));
    while (pb_each(&pb, &f, &status, r->err)) {
        TRY(pb_want(&f, PB_BYTES, "children_topological_sort", r->err));
        uint32_t child = namemap_find(children, f.data, (size_t)f.value);
        if (child == ROOF_NONE || listed[child]) {
            char name[128];
            quote_text(name, sizeof name, (const char *)f.data, (size_t)f.value);
            return error_at(r->err, ROOF_E_DATA, f.offset, "children_topological_sort names '%s' %s", name,
                            child == ROOF_NONE ? "which is no child" : "twice");
        }
        listed[child] = 1;
        add_layer(r, device_subgraph, child);
    }
    return status;
}

static roof_status add_accelerator_layers(xir_reader *r, uint32_t device_subgraph)
{
    roof_graph *g = r->graph;
    roof_status status = ROOF_OK;
    if (r->child_sort[device_subgraph].length) {
        status = add_sorted_layers(r, device_subgraph);
    } else if (g->subgraphs[device_subgraph].first_child != ROOF_NONE) { /* in the file's order */
        for (uint32_t c = g->subgraphs[device_subgraph].first_child; c != ROOF_NONE;
             c = g->subgraphs[c].next_sibling)
            add_layer(r, device_subgraph, c);
    } else {
        add_layer(r, device_subgraph, device_subgraph);
    }
    return error_placed(status, r->err, "subgraph '%.100s'", g->subgraphs[device_subgraph].name);
}

roof_status xir_build_compiled_layers(xir_reader *r)
{
    roof_graph *g = r->graph;
    bool any = false;
    TRY(ARENA_GET(r->arena, g->layers, g->n_subgraphs, r->err));
    TRY(ARENA_GET(r->arena, g->layer_ops, g->n_ops, r->err));
    for (uint32_t s = g->subgraphs[0].first_child; s != ROOF_NONE; s = g->subgraphs[s].next_sibling)
        any = any || g->subgraphs[s].device == ROOF_DEVICE_ACCELERATOR;
    if (!any) {
        if (r->root_model_type.length || r->root_target.length)
            return error_set(r->err, ROOF_E_UNSUPPORTED,
                             "is a recurrent network for the DPU-for-RNN (target %.*s): one operator stands "
                             "for the whole network, its layers exist only inside the instructions, so there "
                             "is nothing to analyse per layer",
                             r->root_target.length ? (int)r->root_target.length : 7,
                             r->root_target.length ? r->root_target.text : "unknown");
        return error_set(r->err, ROOF_E_UNSUPPORTED,
                         "has no subgraph for a DPU: the compiler left everything to the host, so there are "
                         "no accelerator layers to analyse; compile the quantised model for the target");
    }
    for (uint32_t s = g->subgraphs[0].first_child; s != ROOF_NONE; s = g->subgraphs[s].next_sibling) {
        roof_subgraph *sub = &g->subgraphs[s];
        sub->first_layer = g->n_layers;
        if (sub->device == ROOF_DEVICE_ACCELERATOR)
            TRY(add_accelerator_layers(r, s));
        else if (sub->device == ROOF_DEVICE_CPU)
            add_layer(r, s, s);
        sub->n_layers = g->n_layers - sub->first_layer;
        claim_ops(r, s, ROOF_NONE, s);
    }
    return ROOF_OK;
}

/* Windows lie in the operator; of the other numbers that operands are held against this reader knows none. */
static uint32_t numbers_of(void *reader, const char *name, double *out, uint32_t max)
{
    const roof_window *w = &((const roof_op *)reader)->window;
    const struct {
        const char *name;
        uint32_t h, w;
    } lists[] = {{"kernel_shape", w->kernel_h, w->kernel_w},
                 {"strides", w->stride_h, w->stride_w},
                 {"dilations", w->dilation_h, w->dilation_w}};
    for (size_t i = 0; i < N_OF(lists) && max >= 2; i++)
        if (strcmp(lists[i].name, name) == 0 && (lists[i].h || lists[i].w)) {
            out[0] = lists[i].h;
            out[1] = lists[i].w;
            return 2;
        }
    static const char not_read[] = "auto_pad transA transB group";
    return text_has_word(not_read, name) ? ROOF_NONE : 0;
}

enum { MOST_INPUTS = 8 }; /* of an operator whose operands are looked at; of concatenations more are not */

/* An operator's inputs, and behind them what it makes. Inputs of a convolution have a place each, whatever
 * their order in the file is. */
static void take_operands(const roof_graph *g, const roof_op *op, extents *shapes, extents_operand *out)
{
    const bool has_places = rule_has_macs(op->rule) && op->rule != ROOF_RULE_MATMUL;
    for (uint32_t k = 0; k <= MOST_INPUTS; k++)
        out[k] = (extents_operand){.shape = &shapes[k], .is_left_out = true};
    for (uint32_t k = 0; k <= op->n_inputs; k++) {
        const roof_edge *edge = k < op->n_inputs ? &g->edges[op->first_input + k] : NULL;
        const roof_op *from = edge ? &g->ops[edge->op] : op;
        const uint32_t slot = !edge ? MOST_INPUTS : has_places ? (uint32_t)edge->role : k;
        out[slot].name = span_of(from->name);
        out[slot].is_left_out = false;
        shapes[slot].n_dims = from->out.n_dims;
        for (uint32_t d = 0; d < from->out.n_dims; d++)
            shapes[slot].dims[d] = from->out.dims[d];
    }
}

/* A file that is only quantised: one layer per computing op, in an order in which they can run. */
roof_status xir_build_quantised_layers(xir_reader *r)
{
    uint32_t *order;
    TRY(ARENA_GET(r->scratch, order, r->graph->n_ops, r->err));
    TRY(graph_topological_order(r->graph, order, r->err));
    roof_graph *g = r->graph;
    g->storage->found.arena = r->arena;
    FOR_EACH(roof_op, op, g->ops, g->n_ops) {
        extents shapes[MOST_INPUTS + 1];
        extents_operand all[MOST_INPUTS + 1];
        const extents_call call = {.type = op->type,
                                   .inputs = all,
                                   .outputs = &all[MOST_INPUTS],
                                   .n_inputs = op->n_inputs,
                                   .n_outputs = 1,
                                   .numbers = numbers_of,
                                   .reader = op};
        extents_misfit found;
        if (op->n_inputs > MOST_INPUTS)
            continue;
        take_operands(g, op, shapes, all);
        if (!extents_contradict(extents_law_of(op->type), &call, &found))
            continue;
        op->rule = ROOF_RULE_MISFIT;
        TRY(extents_tell(&found, op->name, &g->storage->found, r->err));
    }
    return op_program_set_layers(r->graph, order, 0, r->err);
}
