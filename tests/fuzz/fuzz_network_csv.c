/* Tables of the Neural-ART compiler from untrusted files: whatever is accepted must be a plan with every
 * index in range, which knows of pools and epochs what a table has and no more; whatever is refused is
 * explained in one line. */
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/graph_checks.h"

#include <math.h>
#include <string.h>

static void check_pools(const roof_plan *plan)
{
    for (uint32_t i = 0; i < plan->n_pools; i++) {
        const roof_pool *pool = &plan->pools[i];
        CHECK(pool->used_bytes == ROOF_UNKNOWN || pool->used_bytes <= UINT64_C(1) << 60);
        CHECK(pool->byte_width == ROOF_NONE && isnan(pool->freq_ratio) && pool->size_bytes == ROOF_UNKNOWN);
    }
}

static void check_epoch(const roof_plan *plan, const roof_epoch *e)
{
    CHECK(e->compute_cycles == ROOF_UNKNOWN || e->compute_cycles <= INT64_MAX);
    CHECK(e->stored_vendor_cycles == ROOF_UNKNOWN || e->stored_vendor_cycles <= INT64_MAX);
    CHECK(e->kind == ROOF_EPOCH_UNKNOWN && e->blob == ROOF_NONE);
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        const roof_pool_access *a = &plan->accesses[e->first_access + i];
        CHECK(a->read_cycles <= INT64_MAX && a->write_cycles <= INT64_MAX);
    }
}

static void check_table(const roof_graph *g)
{
    if (strcmp(g->format, "network_csv") != 0) /* other formats have targets of their own */
        return;
    const roof_plan *plan = roof_plan_of(g);
    CHECK(plan);
    check_pools(plan);
    for (uint32_t i = 0; i < plan->n_epochs; i++) {
        check_epoch(plan, &plan->epochs[i]);
        CHECK(i == 0 || plan->epochs[i - 1].number < plan->epochs[i].number);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    graph_checks(data, size, check_table);
    return 0;
}
