/* Memory of a plan without buffers: the sizes of its pools, and how much of each is used. */
#include "model/formats/neural_art/plan_build.h"
#include "model/graph/row_flows.h"
#include "model/memory/memory_build.h"

const char plan_has_no_lifetimes[] = "the file tells no lifetimes of buffers; c_info.json does";

roof_memory_kind plan_memory_kind(const char *pool, bool is_constant)
{
    return strncmp(pool, "_user_io_", 9) == 0 ? ROOF_MEMORY_IO
           : is_constant                      ? ROOF_MEMORY_CONSTANTS
                                              : ROOF_MEMORY_RAM;
}

roof_status plan_memory_pool(memory_builder *b, const roof_pool *of)
{
    roof_memory_pool *pool;
    uint32_t index;
    if (of->is_virtual)
        return ROOF_OK; /* a name for pools that are there as well */
    const roof_memory_kind kind =
        plan_memory_kind(of->name, of->content == ROOF_POOL_PARAMETERS || of->read_only);
    TRY(memory_add_pool(b, of->name, kind, 0, b->graph->n_layers, &pool, &index));
    pool->size_bytes = of->size_bytes;
    pool->high_bytes = pool->stated_bytes =
        kind == ROOF_MEMORY_IO && !of->used_bytes ? of->size_bytes : of->used_bytes;
    pool->stated_by = pool->stated_bytes == ROOF_UNKNOWN ? NULL : "used size";
    pool->why_no_peak = plan_has_no_lifetimes;
    pool->why_no_high = pool->stated_by ? NULL : "the file does not state how much of the pool is used";
    return ROOF_OK;
}

roof_status plan_memory(memory_builder *b)
{
    const roof_plan *plan = roof_plan_of(b->graph);
    for (uint32_t i = 0; i < b->graph->n_layers; i++)
        TRY(memory_add_row(b, b->graph->layers[i].name));
    for (uint32_t i = 0; i < plan->n_pools; i++)
        TRY(plan_memory_pool(b, &plan->pools[i]));
    return ROOF_OK;
}

/* By the memory map of the STM32N6: memories of the chip lie from 0x20000000 on, those behind the XSPI from
 * 0x60000000 on; docs/hardware/neural_art.md, pools. */
static row_way way_through(const roof_plan *plan, uint32_t pool)
{
    const uint64_t chip = 0x20000000, outside = 0x60000000, end = 0xa0000000;
    const uint64_t address = pool == ROOF_NONE ? ROOF_UNKNOWN : plan->pools[pool].address;
    return address < chip || address >= end ? ROW_WAY_UNKNOWN
           : address < outside              ? ROW_WAY_ON_CHIP
                                            : ROW_WAY_EXTERNAL;
}

roof_status plan_flows(const roof_graph *graph, roof_arena *arena, row_flows *out, roof_error *err)
{
    const roof_plan *plan = roof_plan_of(graph);
    TRY(ARENA_GET(arena, out->parts, plan->n_ops, err));
    TRY(ARENA_GET(arena, out->items, plan->n_flows, err));
    out->has_rows = true;
    out->n_parts = plan->n_ops;
    for (uint32_t e = 0; e < plan->n_epochs; e++)
        for (uint32_t i = 0; i < plan->epochs[e].n_ops; i++) {
            const roof_plan_op *op = &plan->ops[plan->epochs[e].first_op + i];
            out->parts[plan->epochs[e].first_op + i] = (row_part){graph->layers[e].name, op->name, op->kind};
        }
    for (uint32_t i = 0; i < plan->n_flows; i++) {
        const roof_plan_flow *f = &plan->flows[i], *last = i ? f - 1 : NULL;
        const bool is_stream = f->from == f->to && f->buffer == ROOF_NONE; /* from unit to unit */
        out->items[out->n++] =
            (row_flow){.from = graph->layers[f->from].name,
                       .to = graph->layers[f->to].name,
                       .from_part = f->from_op,
                       .to_part = f->to_op,
                       .bytes = f->bytes,
                       .way = is_stream ? ROW_WAY_ON_CHIP : way_through(plan, f->pool),
                       .is_again = last && f->buffer != ROOF_NONE && last->buffer == f->buffer &&
                                   last->from == f->from && last->to == f->to};
    }
    return ROOF_OK;
}
