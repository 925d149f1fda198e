/* Access to a built graph: its order, what only some formats have, its file; and its end. */
#include "core/files/sha256.h"
#include "core/platform/platform.h"
#include "model/graph/format.h"
#include "model/graph/row_flows.h"

const roof_subgraph graph_empty_root = {.name = "",
                                        .device_name = "",
                                        .parent = ROOF_NONE,
                                        .first_child = ROOF_NONE,
                                        .next_sibling = ROOF_NONE,
                                        .target = "",
                                        .stored_workload_ops = ROOF_UNKNOWN};

roof_status graph_begin_parts(roof_graph *graph, const char *name, uint32_t most, roof_arena *arena,
                              roof_error *err)
{
    TRY(ARENA_GET(arena, graph->subgraphs, most + (size_t)1, err));
    graph->subgraphs[0] = graph_empty_root;
    graph->subgraphs[0].name = name;
    graph->n_subgraphs = 1;
    return ROOF_OK;
}

roof_subgraph *graph_add_part(roof_graph *graph, const char *device_name, roof_device device)
{
    const uint32_t at = graph->n_subgraphs++;
    roof_subgraph *part = &graph->subgraphs[at];
    *(at > 1 ? &part[-1].next_sibling : &graph->subgraphs[0].first_child) = at;
    *part = graph_empty_root;
    part->name = part->device_name = device_name;
    part->device = device;
    part->parent = 0;
    part->depth = 1;
    return part;
}

const roof_subgraph *roof_graph_accelerator(const roof_graph *graph)
{
    for (uint32_t i = 0; i < graph->n_subgraphs; i++)
        if (graph->subgraphs[i].device == ROOF_DEVICE_ACCELERATOR)
            return &graph->subgraphs[i];
    return NULL;
}

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

const roof_command_stream *roof_command_streams_of(const roof_graph *graph, uint32_t *n)
{
    *n = graph->storage->n_command_streams;
    return *n ? graph->storage->command_streams : NULL;
}

const roof_plan *roof_plan_of(const roof_graph *graph)
{
    return graph->storage->compiler_plan;
}

bool graph_fits(const roof_graph *graph)
{
    uint32_t i = 0;
    for (; i < graph->n_ops && graph->ops[i].rule != ROOF_RULE_MISFIT; i++)
        if (graph->storage->is_open && graph->ops[i].rule == ROOF_RULE_UNKNOWN &&
            graph->ops[i].out.is_unknown)
            return false;
    return i == graph->n_ops;
}

const struct roof_finding *roof_graph_open_shape(const roof_graph *graph)
{
    const roof_findings *found = &graph->storage->found;
    for (uint32_t i = 0; i < found->n && graph->storage->is_open && !graph_fits(graph); i++)
        if (found->items[i].remark.form == ROOF_FORM_OPEN_DIMENSION)
            return &found->items[i];
    return NULL;
}

const char *graph_stem(const roof_graph *graph, roof_arena *arena)
{
    const char *name = path_base_name(graph->path);
    return arena_utf8(arena, name, path_stem_length(name));
}

void roof_graph_free(roof_graph *graph)
{
    if (!graph)
        return;
    struct roof_graph_storage storage = *graph->storage;
    arena_free(storage.arena);
    mapfile_close(&storage.file);
    mapfile_close(&storage.behind);
}

roof_status roof_graph_file_sha256(const roof_graph *graph, char hex[65], roof_error *err)
{
    const mapfile *file = &graph->storage->file;
    if (!file->bytes)
        return error_set(err, ROOF_E_INTERNAL, "the file is not mapped");
    os_want(file->bytes, file->size_bytes);
    sha256_hex(file->bytes, (size_t)file->size_bytes, hex);
    mapfile_let_go(file);
    return ROOF_OK;
}

/* Facts of operators, size bytes each, of those that are kept; NULL: there are none, or no memory. */
static void *facts_kept(const void *given, size_t size, const roof_graph *from, const uint32_t *place,
                        const roof_graph *to)
{
    char *kept = given ? arena_alloc(to->storage->arena, to->n_ops, size) : NULL;
    for (uint32_t i = 0; kept && i < from->n_ops; i++)
        if (place[i] != ROOF_NONE)
            memcpy(kept + place[i] * size, (const char *)given + i * size, size);
    return kept;
}

roof_status graph_keep_extensions(const roof_graph *from, const uint32_t *place, roof_graph *to,
                                  roof_error *err)
{
    const struct roof_graph_storage *given = from->storage;
    struct roof_graph_storage *s = to->storage;
    s->stored_bits = facts_kept(given->stored_bits, sizeof *given->stored_bits, from, place, to);
    s->zero_pads = facts_kept(given->zero_pads, sizeof *given->zero_pads, from, place, to);
    s->orders = facts_kept(given->orders, sizeof *given->orders, from, place, to);
    roof_xir_op *xir = facts_kept(given->xir_ops, sizeof *given->xir_ops, from, place, to);
    s->xir_ops = xir;
    for (uint32_t i = 0; xir && i < from->n_ops; i++) {
        const uint64_t bytes = place[i] == ROOF_NONE ? 0 : to->ops[place[i]].out.bytes;
        if (place[i] == ROOF_NONE || bytes == from->ops[i].out.bytes)
            continue;
        xir[place[i]].reg_id = -1; /* it no longer lies where the file says */
        xir[place[i]].ddr_addr = -1;
        xir[place[i]].span_bytes = bytes;
    }
    return arena_status(s->arena, err);
}

void graph_add_edge(roof_graph *graph, roof_op *op, uint32_t producer, roof_role role)
{
    if (!op->n_inputs)
        op->first_input = graph->n_edges;
    op->n_inputs++;
    graph->edges[graph->n_edges++] = (roof_edge){producer, role};
}

/* Depth first, inputs before the op, with a stack of our own: a hostile chain may be as long as the file. */
roof_status graph_topological_order(const roof_graph *graph, uint32_t *order, roof_error *err)
{
    roof_status status = ROOF_OK;
    uint32_t n = graph->n_ops, placed = 0, depth = 0;
    struct frame {
        uint32_t op, next_input;
    } *stack = malloc((n ? n : 1) * sizeof *stack);
    unsigned char *state = calloc(n ? n : 1, 1); /* 0 new, 1 open, 2 placed */
    if (!stack || !state)
        status = error_memory(err);
    for (uint32_t root = 0; status == ROOF_OK && root < n; root++) {
        if (state[root])
            continue;
        state[root] = 1;
        stack[depth++] = (struct frame){root, 0};
        while (depth && status == ROOF_OK) {
            struct frame *top = &stack[depth - 1];
            const roof_op *op = &graph->ops[top->op];
            if (top->next_input == op->n_inputs) {
                state[top->op] = 2;
                order[placed++] = top->op;
                depth--;
                continue;
            }
            uint32_t input = graph->edges[op->first_input + top->next_input++].op;
            if (state[input] == 1)
                status =
                    error_data(err, "ops feed each other in a circle through '%s'", graph->ops[input].name);
            else if (state[input] == 0) {
                state[input] = 1;
                stack[depth++] = (struct frame){input, 0};
            }
        }
    }
    free(stack);
    free(state);
    return status;
}

roof_status row_flows_of(const roof_graph *graph, roof_arena *arena, row_flows *out, roof_error *err)
{
    const graph_format *format = graph->storage ? graph->storage->format : NULL;
    *out = (row_flows){0};
    return format && format->flows ? format->flows(graph, arena, out, err) : ROOF_OK;
}
