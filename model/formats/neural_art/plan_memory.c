/* What a plan without buffers says of memory: the sizes of its pools, and how much of each is used. */
#include "core/error.h"
#include "model/formats/neural_art/plan_build.h"
#include "model/memory/memory_build.h"

#include <string.h>

const char plan_has_no_lifetimes[] = "the file tells no lifetimes of buffers; c_info.json does";

roof_status plan_memory_pool(memory_builder *b, const roof_pool *of)
{
    roof_memory_pool *pool;
    uint32_t index;
    if (of->is_virtual)
        return ROOF_OK; /* a name for pools that are there as well */
    const bool is_io = strncmp(of->name, "_user_io_", 9) == 0,
               is_constant = of->content == ROOF_POOL_PARAMETERS || of->read_only;
    TRY(memory_add_pool(b, of->name,
                        is_io         ? ROOF_MEMORY_IO
                        : is_constant ? ROOF_MEMORY_CONSTANTS
                                      : ROOF_MEMORY_RAM,
                        0, b->graph->n_layers, &pool, &index));
    pool->size_bytes = of->size_bytes;
    pool->high_bytes = pool->stated_bytes = is_io && !of->used_bytes ? of->size_bytes : of->used_bytes;
    pool->stated_by = pool->stated_bytes == ROOF_UNKNOWN ? NULL : "used size";
    pool->why_no_peak = plan_has_no_lifetimes;
    pool->why_no_high = pool->stated_by ? NULL : "the file does not tell how much of the pool is used";
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
