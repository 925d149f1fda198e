/* Memory pools, profiles and programs of the Neural-ART compiler from untrusted files: each input is read as
 * all three. Pools that are read complete a plan, and agree with themselves. */
#include "model/formats/neural_art/mpool.h"
#include "model/formats/neural_art/plan_build.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/read_check.h"

#include <math.h>

static void check_pool(const roof_pool *pool)
{
    check_name(pool->name);
    CHECK(pool->used_bytes == ROOF_UNKNOWN && !pool->is_virtual);
    CHECK(pool->byte_width == ROOF_NONE || (pool->byte_width >= 1 && pool->byte_width <= 65536));
    CHECK(isnan(pool->freq_ratio) || (pool->freq_ratio > 0 && pool->freq_ratio <= 1e6));
}

/* Pools of which only the names are known take all from the file, and then differ from it in nothing. */
static void check_merge(const roof_pool *pools, uint32_t n, roof_arena *arena)
{
    roof_plan plan = {.pools = NEW_ARRAY(arena, roof_pool, n), .n_pools = n};
    if (!plan.pools)
        return;
    for (uint32_t i = 0; i < n; i++)
        plan.pools[i] = (roof_pool){.name = pools[i].name,
                                    .address = ROOF_UNKNOWN,
                                    .size_bytes = ROOF_UNKNOWN,
                                    .byte_width = ROOF_NONE,
                                    .freq_ratio = NAN};
    for (int pass = 0; pass < 2; pass++) {
        CHECK(mpool_apply(&plan, pools, n, arena, NULL) == ROOF_OK);
        CHECK(plan.n_differences == 0);
    }
}

static void read_pools(const uint8_t *data, size_t size, roof_arena *arena)
{
    art_list list;
    roof_error err = {0};
    roof_status status = mpool_read_memory(data, size, &art_pools, arena, &list, &err);
    if (status != ROOF_OK) {
        check_refusal(status, &err);
        return;
    }
    const roof_pool *pools = list.items;
    CHECK(list.n <= PLAN_MAX_POOLS);
    for (uint32_t i = 0; i < list.n; i++)
        check_pool(&pools[i]);
    check_merge(pools, list.n, arena);
}

static void read_profiles(const uint8_t *data, size_t size, roof_arena *arena)
{
    art_list list;
    roof_error err = {0};
    roof_status status = mpool_read_memory(data, size, &art_profiles, arena, &list, &err);
    if (status != ROOF_OK) {
        check_refusal(status, &err);
        return;
    }
    const art_profile *profiles = list.items;
    CHECK(list.n > 0 && list.n <= ART_MAX_PROFILES);
    for (uint32_t i = 0; i < list.n; i++) {
        check_text(profiles[i].name);
        check_text(profiles[i].options);
        if (profiles[i].memory_pool)
            check_text(profiles[i].memory_pool);
    }
}

/* No program is larger than the text that it stands in, eight bytes for each constant and its separator. */
static void read_blobs(const uint8_t *data, size_t size, roof_arena *arena)
{
    roof_blob blobs[] = {{.name = "_ec_blob_2", .bytes = ROOF_UNKNOWN},
                         {.name = "_ec_blob_net_5", .bytes = ROOF_UNKNOWN}};
    roof_plan plan = {.blobs = blobs, .n_blobs = 2};
    CHECK(plan_apply_blobs(&plan, (text_span){(const char *)data, size}, arena, NULL) == ROOF_OK);
    for (size_t i = 0; i < 2; i++)
        CHECK(blobs[i].bytes == ROOF_UNKNOWN || blobs[i].bytes <= 8 * (uint64_t)size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    roof_arena *arena = arena_new(0);
    if (!arena)
        return 0;
    read_pools(data, size, arena);
    read_profiles(data, size, arena);
    read_blobs(data, size, arena);
    arena_free(arena);
    return 0;
}
