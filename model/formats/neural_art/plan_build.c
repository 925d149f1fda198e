#include "model/formats/neural_art/plan_build.h"

WORD_OF(roof_epoch_kind_text, roof_epoch_kind, kind, "", "", "HW", "SW", "HYBRID")

const roof_pool *roof_plan_pool(const roof_plan *plan, const char *name)
{
    return NAMED(plan->pools, plan->n_pools, name, name);
}

roof_status plan_build_begin(plan_build *b, roof_graph *graph, roof_arena *arena, roof_error *err)
{
    *b = (plan_build){.graph = graph, .arena = arena, .err = err};
    b->plan = NEW(arena, roof_plan);
    return ALLOCATED(b->plan, err);
}

static roof_status check_name(const plan_build *b, const char *what, const char *name)
{
    TRY(ALLOCATED(name, b->err));
    size_t length = strlen(name);
    if (!length)
        return error_data(b->err, "a %s has no name", what);
    if (utf8_first_bad(name, length) != length)
        return error_data(b->err, "the name of a %s holds control characters: '%s'", what, SHOWN_TEXT(name));
    return ROOF_OK;
}

roof_status plan_add_pool(plan_build *b, const char *name)
{
    TRY(check_name(b, "memory pool", name));
    if (roof_plan_pool(b->plan, name))
        return error_data(b->err, "memory pool '%.80s' is there twice", name);
    TRY(HAS_ROOM(b->plan->n_pools, PLAN_MAX_POOLS, b->err, "memory pools"));
    TRY(ARENA_MORE(b->arena, b->plan->pools, b->plan->n_pools, b->err));
    b->pool = &b->plan->pools[b->plan->n_pools++];
    *b->pool = (roof_pool){.name = name,
                           .address = ROOF_UNKNOWN,
                           .size_bytes = ROOF_UNKNOWN,
                           .used_bytes = ROOF_UNKNOWN,
                           .byte_width = ROOF_NONE,
                           .freq_ratio = NAN};
    return ROOF_OK;
}

roof_status plan_add_epoch(plan_build *b, uint32_t number, const char *name)
{
    uint32_t n = b->plan->n_epochs;
    if (!name)
        name = arena_printf(b->arena, "epoch_%u", number);
    TRY(check_name(b, "epoch", name));
    TRY(HAS_ROOM(n, PLAN_MAX_EPOCHS, b->err, "epochs"));
    TRY(ARENA_MORE(b->arena, b->graph->layers, n, b->err));
    TRY(ARENA_MORE(b->arena, b->plan->epochs, n, b->err));
    b->graph->layers[b->graph->n_layers++] =
        (roof_layer){.name = name, .subgraph = 1, .node = ROOF_NONE, .stored_workload_ops = ROOF_UNKNOWN};
    b->epoch = &b->plan->epochs[b->plan->n_epochs++];
    *b->epoch = (roof_epoch){.number = number,
                             .ops_count = ROOF_UNKNOWN,
                             .compute_cycles = ROOF_UNKNOWN,
                             .stored_vendor_cycles = ROOF_UNKNOWN,
                             .host_input_elements = ROOF_UNKNOWN,
                             .host_input_bytes = ROOF_UNKNOWN,
                             .host_output_elements = ROOF_UNKNOWN,
                             .host_output_bytes = ROOF_UNKNOWN,
                             .host_row_cells = ROOF_UNKNOWN,
                             .first_access = b->plan->n_accesses,
                             .first_op = b->plan->n_ops,
                             .blob = ROOF_NONE,
                             .conv_units = ROOF_NONE,
                             .macs_per_unit = ROOF_NONE,
                             .port_read_bytes = {ROOF_UNKNOWN, ROOF_UNKNOWN},
                             .port_write_bytes = {ROOF_UNKNOWN, ROOF_UNKNOWN}};
    return ROOF_OK;
}

roof_status plan_add_blob(plan_build *b, const char *name)
{
    TRY(check_name(b, "blob", name));
    return ARENA_ADD(b->arena, b->plan->blobs, b->plan->n_blobs, b->err,
                     (roof_blob){.name = name, .bytes = ROOF_UNKNOWN});
}

roof_status plan_add_op(plan_build *b, const roof_plan_op *op)
{
    TRY(check_name(b, "node", op->name));
    TRY(ARENA_ADD(b->arena, b->plan->ops, b->plan->n_ops, b->err, *op));
    b->epoch->n_ops++;
    return ROOF_OK;
}

/* Unknown stays unknown, whatever is added. */
static bool add_count(uint64_t *sum, uint64_t term)
{
    return checked_add_known(sum, term) && (*sum <= INT64_MAX || *sum == ROOF_UNKNOWN);
}

roof_status plan_add_access(plan_build *b, const roof_pool_access *access)
{
    if (!access->read_bytes && !access->write_bytes && !access->read_cycles && !access->write_cycles)
        return ROOF_OK;
    for (uint32_t i = 0; i < b->epoch->n_accesses; i++) {
        roof_pool_access *a = &b->plan->accesses[b->epoch->first_access + i];
        if (a->pool != access->pool)
            continue;
        if (add_count(&a->read_bytes, access->read_bytes) &&
            add_count(&a->write_bytes, access->write_bytes) &&
            add_count(&a->read_cycles, access->read_cycles) &&
            add_count(&a->write_cycles, access->write_cycles))
            return ROOF_OK;
        return error_set(b->err, ROOF_E_LIMIT, "%.80s: what it moves in pool '%.80s' overflows 64 bits",
                         b->graph->layers[b->plan->n_epochs - 1].name, b->plan->pools[access->pool].name);
    }
    TRY(ARENA_ADD(b->arena, b->plan->accesses, b->plan->n_accesses, b->err, *access));
    b->epoch->n_accesses++;
    return ROOF_OK;
}

/* The root, and room for its child. */
static roof_status add_root(plan_build *b)
{
    TRY(graph_begin_parts(b->graph, b->graph->name, 1, b->arena, b->err));
    b->graph->storage->compiler_plan = b->plan;
    return ROOF_OK;
}

roof_status plan_build_nothing(roof_graph *graph, roof_arena *arena, roof_error *err)
{
    plan_build b;
    TRY(plan_build_begin(&b, graph, arena, err));
    return add_root(&b);
}

roof_status plan_build_end(plan_build *b)
{
    roof_graph *g = b->graph;
    if (!g->n_layers)
        return error_data(b->err, "holds no epoch that runs");
    TRY(add_root(b));
    roof_subgraph *npu = graph_add_part(g, "NPU", ROOF_DEVICE_ACCELERATOR);
    npu->name = g->name;
    npu->target = "Neural-ART";
    npu->n_layers = g->n_layers;
    g->compiled = true;
    g->is_named = true;
    return ROOF_OK;
}
