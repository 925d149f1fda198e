/* What only some formats have of a network, and the name of its file. */
#include "model/graph/format.h"

#include <string.h>

static const roof_xir_op no_place = {.reg_id = -1, .ddr_addr = -1, .span_bytes = ROOF_UNKNOWN};
static const roof_xir_subgraph no_target = {
    .fingerprint = ROOF_UNKNOWN, .code_mode = "", .columns = ROOF_NONE};

const roof_xir_op *roof_xir_op_of(const roof_graph *graph, const roof_op *op)
{
    const roof_xir_op *ops = graph->storage->xir_ops;
    return ops ? &ops[op - graph->ops] : &no_place;
}

const roof_xir_subgraph *roof_xir_subgraph_of(const roof_graph *graph, const roof_subgraph *subgraph)
{
    const roof_xir_subgraph *subgraphs = graph->storage->xir_subgraphs;
    return subgraphs ? &subgraphs[subgraph - graph->subgraphs] : &no_target;
}

const roof_xir_subgraph *roof_xir_layer_of(const roof_graph *graph, const roof_layer *layer)
{
    return layer->node == ROOF_NONE ? &no_target
                                    : roof_xir_subgraph_of(graph, &graph->subgraphs[layer->node]);
}

const roof_control_code *roof_control_code_of(const roof_graph *graph, uint32_t *n)
{
    *n = graph->storage->n_control_codes;
    return *n ? graph->storage->control_codes : NULL;
}

const roof_plan *roof_plan_of(const roof_graph *graph)
{
    return graph->storage->compiler_plan;
}

const char *graph_stem(const roof_graph *graph)
{
    const char *slash = strrchr(graph->path, '/'), *name = slash ? slash + 1 : graph->path;
    const char *dot = strrchr(name, '.');
    return arena_utf8(graph->storage->arena, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
}
