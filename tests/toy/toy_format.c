/* A graph format of nobody: what adding one takes. A line a layer: "NAME MACS BYTES", behind "toy
 * network". */
#include "core/error.h"
#include "core/span.h"
#include "model/graph/format.h"
#include "model/graph/program_build.h"

enum { MOST_LAYERS = 64 };

static bool sniff(const unsigned char *bytes, uint64_t size)
{
    return span_begins((text_span){(const char *)bytes, (size_t)size}, "toy network\n");
}

static roof_status read_layer(roof_graph *graph, text_span line, roof_error *err)
{
    roof_arena *arena = graph->storage->arena;
    text_span name = span_take_until(&line, " ");
    uint64_t macs, bytes;
    if (!span_take_whole(&line, &macs) || !span_skip(&line, " ") || !span_take_whole(&line, &bytes) ||
        graph->n_layers == MOST_LAYERS)
        return error_set(err, ROOF_E_DATA, "want NAME MACS BYTES in at most %d lines", MOST_LAYERS);
    uint32_t i = graph->n_layers++;
    const char *copy = arena_strndup(arena, name.text, name.length);
    if (!copy)
        return error_memory(err);
    graph->ops[i] =
        (roof_op){.name = copy, .type = "matmul", .rule = ROOF_RULE_MATMUL, .layer = i, .node = i};
    graph->ops[i].out = (roof_tensor){.name = copy, .n_dims = 1, .elements = macs, .bytes = bytes};
    graph->layers[i] = (roof_layer){
        .name = copy, .node = ROOF_NONE, .first_op = i, .n_ops = 1, .stored_workload_ops = ROOF_UNKNOWN};
    graph->layer_ops[i] = i;
    graph->n_ops = graph->n_layer_ops = graph->n_layers;
    return ROOF_OK;
}

static roof_status read(roof_graph *graph, roof_error *err)
{
    roof_arena *arena = graph->storage->arena;
    text_span text = {(const char *)graph->storage->file.bytes, (size_t)graph->storage->file.size_bytes};
    graph->ops = NEW_ARRAY(arena, roof_op, MOST_LAYERS);
    graph->layers = NEW_ARRAY(arena, roof_layer, MOST_LAYERS);
    graph->layer_ops = NEW_ARRAY(arena, uint32_t, MOST_LAYERS);
    graph->subgraphs = NEW(arena, roof_subgraph);
    if (!graph->ops || !graph->layers || !graph->layer_ops || !graph->subgraphs)
        return error_memory(err);
    graph->n_subgraphs = 1;
    *graph->subgraphs = (roof_subgraph){.name = "toy", .first_child = ROOF_NONE, .next_sibling = ROOF_NONE};
    span_take_line(&text); /* the heading */
    while (text.length)
        TRY(read_layer(graph, span_take_line(&text), err));
    return ROOF_OK;
}

static roof_status program(program_builder *b)
{
    const roof_graph *g = b->graph;
    b->out->words[ROOF_BY_ACCELERATOR] = "TOY";
    b->out->target =
        (roof_target){.name = "toy", .fingerprint = ROOF_UNKNOWN, .family = "toy", .text = "a toy"};
    b->out->rows = NEW_ARRAY(b->rows, roof_row, g->n_layers);
    if (!b->out->rows)
        return error_memory(b->err);
    for (uint32_t i = 0; i < g->n_layers; i++) {
        roof_row *row = program_next_row(b);
        roof_demand *demand = NEW(b->rows, roof_demand);
        row->name = arena_strdup(b->arena, g->layers[i].name);
        if (!demand || !row->name)
            return error_memory(b->err);
        *demand = (roof_demand){.op = i, .macs = g->ops[i].out.elements, .sub_pixels = 1};
        row->part = "";
        row->type = "matmul";
        row->macs = demand->macs;
        row->ops_count = 2 * demand->macs;
        row->is_timed = row->is_boundary = true;
        row->work.demands = demand;
        row->work.n_demands = 1;
        row->work.traffic = (roof_traffic){.input_bytes = g->ops[i].out.bytes};
        row->work.bytes_basis = ROOF_BASIS_FILE;
    }
    return ROOF_OK;
}

static roof_status hardware(const roof_graph *graph, roof_hw **out, roof_error *err)
{
    (void)graph;
    return error_set(err, ROOF_E_NO_INPUT, "give its description with --hw%s", *out ? "" : " FILE");
}

const graph_format format_toy = {.id = "toy",
                                 .doc = "a list of layers",
                                 .sniff = sniff,
                                 .read = read,
                                 .program = program,
                                 .hardware = hardware};
