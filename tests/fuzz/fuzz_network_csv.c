/* Tables of the Neural-ART compiler from untrusted files: whatever is accepted must be a plan with every index in range, whose
 * epochs belong to its layers; whatever is refused is explained in one line. */
#include "core/error.h"
#include "model/format.h"
#include "tests/fuzz/fuzz_target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_text(const char *text)
{
    CHECK(text && *text);
    size_t length = strlen(text);
    CHECK(roof_text_first_bad(text, length) == length);
}

static void check_pools(const roof_plan *plan)
{
    for (uint32_t i = 0; i < plan->n_pools; i++) {
        const roof_pool *pool = &plan->pools[i];
        check_text(pool->name);
        CHECK(roof_plan_pool(plan, pool->name) == pool);
        CHECK(pool->used_bytes == ROOF_UNKNOWN || pool->used_bytes <= UINT64_C(1) << 60);
        CHECK(pool->byte_width == ROOF_NONE && isnan(pool->freq_ratio) && pool->size_bytes == ROOF_UNKNOWN);
    }
}

static void check_epoch(const roof_plan *plan, const roof_epoch *e)
{
    CHECK(e->first_access <= plan->n_accesses && e->n_accesses <= plan->n_accesses - e->first_access);
    CHECK(e->compute_cycles == ROOF_UNKNOWN ||
          e->compute_cycles <= INT64_MAX); /* other formats leave it out */
    CHECK(e->stored_vendor_cycles == ROOF_UNKNOWN || e->stored_vendor_cycles <= INT64_MAX);
    CHECK(e->number != ROOF_NONE && e->kind == ROOF_EPOCH_UNKNOWN && e->blob == ROOF_NONE);
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        const roof_pool_access *a = &plan->accesses[e->first_access + i];
        CHECK(a->pool < plan->n_pools);
        CHECK(a->read_bytes <= INT64_MAX && a->write_bytes <= INT64_MAX);
        CHECK(a->read_cycles <= INT64_MAX && a->write_cycles <= INT64_MAX);
    }
}

static void check_plan(const roof_graph *g)
{
    if (strcmp(g->format, "network_csv") != 0) /* plans of other formats have targets of their own */
        return;
    const roof_plan *plan = g->plan;
    CHECK(plan->n_epochs > 0 && plan->n_epochs == g->n_layers);
    check_pools(plan);
    for (uint32_t i = 0; i < plan->n_epochs; i++) {
        check_text(g->layers[i].name);
        check_epoch(plan, &plan->epochs[i]);
        CHECK(i == 0 || plan->epochs[i - 1].number < plan->epochs[i].number);
    }
}

static void check_refusal(roof_status status, const roof_error *err)
{
    char message[ROOF_ERROR_WHERE_SIZE + ROOF_ERROR_WHAT_SIZE + 64];
    CHECK(err->status == status && roof_status_exit_code(status) == 65 && err->what[0]);
    roof_error_format(err, message, sizeof message);
    check_text(message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    roof_graph *graph = NULL;
    roof_error err = {0};
    uint8_t *file = malloc(size); /* exactly as long as the input: a sanitizer sees one byte too many */
    if (size && !file)
        return 0;
    if (size)
        memcpy(file, data, size);
    roof_status status = roof_graph_read_memory(file, size, "fuzz", &graph, &err);
    if (status != ROOF_OK)
        check_refusal(status, &err);
    else if (graph->plan)
        check_plan(graph);
    roof_graph_free(graph);
    free(file);
    return 0;
}
