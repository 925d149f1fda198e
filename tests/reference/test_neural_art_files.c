/* Real files of the Neural-ART compiler, where ../shared has them: every one is read, and what the compiler
 * expects of each epoch is what its own formula gives of bytes and pools. */
#include "model/formats/neural_art/mpool.h"
#include "tests/support/art_files.h"
#include "tests/unit/fixture.h"

/* ---- memory pools ---- */

static unsigned n_pools, n_npu_pools, n_odd_pools;

static roof_pool *read_pools(const char *path, roof_arena *arena, uint32_t *n)
{
    art_list list;
    roof_error err = {0};
    if (mpool_read(path, &art_pools, arena, &list, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    *n = list.n;
    return list.items;
}

/* 1 GHz over 800 MHz. One file of a package for relocatable models has the 900 MHz of the overdrive mode
 * instead. */
static void check_npu_pool(const char *path, const roof_pool *pool)
{
    bool is_odd = pool->freq_ratio != 1.25;
    assert_int_equal(pool->byte_width, 8);
    if (is_odd &&
        !(pool->freq_ratio == 1.11 && ends_with(path, "seongmin__N6_reloc__test__mpools__stm32n6.mpool")))
        fail_msg("%s: %s has freqRatio %g", path, pool->name, pool->freq_ratio);
    n_npu_pools++;
    n_odd_pools += is_odd;
}

static void check_mpool(const char *path)
{
    roof_arena *arena = arena_new(0);
    uint32_t n;
    roof_pool *pools = read_pools(path, arena, &n);
    assert_true(n > 0);
    for (uint32_t i = 0; i < n; i++) {
        assert_true(pools[i].byte_width != ROOF_NONE && !isnan(pools[i].freq_ratio));
        assert_true(pools[i].size_bytes != ROOF_UNKNOWN || strcmp(pools[i].name, "ec params pool") == 0);
        if (strncmp(pools[i].name, "npuRAM", 6) == 0)
            check_npu_pool(path, &pools[i]);
    }
    n_pools += n;
    arena_free(arena);
}

static void every_mpool_file_is_read(void **state)
{
    (void)state;
    unsigned n = art_files_visit("mpool", "", ".mpool", check_mpool);
    n += art_files_visit("citrinet", "", ".mpool", check_mpool);
    print_message("%u files, %u pools, %u of them npuRAM, %u with another ratio than 1.25\n", n, n_pools,
                  n_npu_pools, n_odd_pools);
    assert_int_equal(n, 42);
    assert_int_equal(n_pools, 301);
    assert_int_equal(n_odd_pools, 4);
}

/* ---- profiles ---- */

static unsigned n_profiles, n_with_csv;

static void check_profiles(const char *path)
{
    roof_arena *arena = arena_new(0);
    art_list list;
    roof_error err = {0};
    if (mpool_read(path, &art_profiles, arena, &list, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    const art_profile *profiles = list.items;
    for (uint32_t i = 0; i < list.n; i++) {
        assert_non_null(profiles[i].memory_pool);
        assert_true(ends_with(profiles[i].memory_pool, ".mpool") && *profiles[i].options);
        n_with_csv += strstr(profiles[i].options, "--csv-file") != NULL;
    }
    n_profiles += list.n;
    arena_free(arena);
}

static void every_profile_is_read(void **state)
{
    (void)state;
    unsigned n = art_files_visit("mpool", "", ".json", check_profiles);
    n += art_files_visit("citrinet", "compile__", ".json", check_profiles);
    print_message("%u files, %u profiles, %u ask for a network.csv\n", n, n_profiles, n_with_csv);
    assert_int_equal(n, 19);
    assert_true(n_profiles > n);
}

/* ---- network.csv ---- */

static const char *citrinet(const char *name)
{
    static char path[2000];
    snprintf(path, sizeof path, "%s/citrinet/%s", art_files_folder(), name);
    return path;
}

static roof_graph *read_citrinet(void)
{
    roof_graph *graph = NULL;
    roof_error err = {0};
    if (roof_graph_read(citrinet("g800_st_verify__network.csv"), &graph, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return graph;
}

/* What the compiler's own report of the same run calls a pool's range: "octoFlash  [0x70180000 - 0x74080000]:
 * ". */
static unsigned check_ranges(const roof_pool *pools, uint32_t n)
{
    char line[1000], name[80];
    uint64_t begin, end;
    unsigned n_checked = 0;
    FILE *report = fopen(citrinet("g800_st_verify__network_generate_report.txt"), "r");
    assert_non_null(report);
    while (fgets(line, sizeof line, report)) {
        const roof_plan plan = {.pools = (roof_pool *)(uintptr_t)pools, .n_pools = n};
        if (!strstr(line, " used) -- weights:") ||
            sscanf(line, " %79s [0x%" SCNx64 " - 0x%" SCNx64 "]", name, &begin, &end) != 3)
            continue;
        const roof_pool *pool = roof_plan_pool(&plan, name);
        assert_non_null(pool);
        assert_int_equal(pool->size_bytes, end - begin);
        assert_true(pool->size_bytes == 0 || pool->address == begin);
        n_checked++;
    }
    fclose(report);
    return n_checked;
}

/* max(compute, read and write cycles of each pool, floor((read + written bytes) * ratio / width) of each
 * pool) */
static uint64_t formula_cycles(const roof_plan *plan, const roof_epoch *e)
{
    uint64_t most = e->compute_cycles;
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        const roof_pool_access *a = &plan->accesses[e->first_access + i];
        const roof_pool *pool = &plan->pools[a->pool];
        uint64_t occupied =
            (uint64_t)floor((double)(a->read_bytes + a->write_bytes) * pool->freq_ratio / pool->byte_width);
        most = a->read_cycles > most ? a->read_cycles : most;
        most = a->write_cycles > most ? a->write_cycles : most;
        most = occupied > most ? occupied : most;
    }
    return most;
}

static void every_epoch_of_citrinet_takes_what_the_formula_gives(void **state)
{
    (void)state;
    roof_graph *graph = read_citrinet();
    roof_plan plan = *roof_plan_of(graph);
    roof_arena *arena = arena_new(0);
    uint64_t sum = 0, ideal = 0;
    uint32_t n, exact = 0;
    const roof_pool *pools = read_pools(citrinet("compile__st_audio.mpool"), arena, &n);
    assert_int_equal(check_ranges(pools, n), 6);
    assert_int_equal(mpool_apply(&plan, pools, n, arena, NULL), ROOF_OK);
    assert_int_equal(plan.n_differences, 0);
    for (uint32_t i = 0; i < plan.n_epochs; i++) {
        assert_true(plan.epochs[i].stored_vendor_cycles != ROOF_UNKNOWN);
        sum += plan.epochs[i].stored_vendor_cycles;
        ideal += plan.epochs[i].compute_cycles;
        exact += formula_cycles(&plan, &plan.epochs[i]) == plan.epochs[i].stored_vendor_cycles;
    }
    print_message("%u of %u epochs exact, %" PRIu64 " cycles\n", exact, plan.n_epochs, sum);
    assert_int_equal(plan.n_epochs, 618); /* of 621: three do nothing */
    assert_int_equal(exact, 618);
    assert_int_equal(sum, 91893226); /* the file says 91893224: it adds up in single precision */
    assert_int_equal(ideal, 38926622);
    arena_free(arena);
    roof_graph_free(graph);
}

static void only_the_end_of_a_table_is_refused(void **state)
{
    roof_graph *graph = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_graph_read(citrinet("g800_st__mem_traffic_tail.csv"), &graph, &err), ROOF_E_DATA);
    assert_non_null(strstr(fx_message(&err), "only the end of a network.csv (line 2)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mpool_file_is_read),
        cmocka_unit_test(every_profile_is_read),
        cmocka_unit_test(every_epoch_of_citrinet_takes_what_the_formula_gives),
        cmocka_unit_test(only_the_end_of_a_table_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
