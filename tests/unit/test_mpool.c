/* .mpool files and neural_art.json: both spellings, units, what is refused; and how pools complete a plan. */
#include "model/formats/neural_art/mpool.h"
#include "tests/unit/fixture.h"

#include <unistd.h>

#define POOL(name, more)     "{\"name\":\"" name "\"" more "}"
#define DOCUMENT(pools)      "{\"memory\":{\"mempools\":[\n" pools "\n]}}"
#define AMOUNT(value, units) "{\"value\":\"" value "\",\"magnitude\":\"" units "\"}"

typedef struct reading {
    roof_arena *arena;
    roof_pool *pools;
    uint32_t n;
} reading;

static roof_status try_pools(const char *text, reading *r, roof_error *err)
{
    size_t size = strlen(text);
    uint8_t *copy = fx_copy(text, size);
    r->arena = arena_new(0);
    assert_non_null(r->arena);
    art_list list;
    roof_status status = mpool_read_memory(copy, size, &art_pools, r->arena, &list, err);
    r->pools = list.items;
    r->n = list.n;
    free(copy);
    return status;
}

static reading read_pools(const char *text)
{
    reading r;
    roof_error err = {0};
    if (try_pools(text, &r, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return r;
}

static void a_file_that_people_wrote_is_read(void **state)
{
    reading r =
        read_pools("{\"params\":{\"param\":[{\"paramname\":\"max_onchip_sram_size\",\"value\":\"1024\"}]},\n"
                   "\"memory\":{\"cacheinfo\":[{\"nlines\":512,\"prop\":{\"byteWidth\":8}}],\"mem_file_"
                   "prefix\":\"buf\",\"mempools\":[\n"
                   "{\"fname\":\"SRAM6\",\"name\":\"ram6\",\"fformat\":\"FORMAT_RAW\",\"prop\":{\"rights\":"
                   "\"ACC_WRITE\","
                   "\"throughput\":\"HIGH\",\"byteWidth\":8,\"freqRatio\":1.25,\"read_power\":19.006},\n"
                   "\"offset\":" AMOUNT("0x34350000", "BYTES") ",\"size\":" AMOUNT(
                       "448", "KBYTES") "},\n"
                                        "{\"name\":\"flash\",\"prop\":{\"rights\":\"ACC_READ\",\"byteWidth\":"
                                        "1,\"freqRatio\":6.00,"
                                        "\"cacheable\":\"CACHEABLE_ON\",\"constants_preferred\":\"true\"},\n"
                                        "\"offset\":" AMOUNT("0x71000000", "BYTES") ",\"size\":" AMOUNT(
                                            "112", "MBYTES") "}]}}");
    (void)state;
    assert_int_equal(r.n, 2);
    assert_string_equal(r.pools[0].name, "ram6");
    assert_int_equal(r.pools[0].address, 0x34350000);
    assert_int_equal(r.pools[0].size_bytes, 448 * 1024);
    assert_int_equal(r.pools[0].byte_width, 8);
    assert_true(r.pools[0].freq_ratio == 1.25);
    assert_true(!r.pools[0].read_only && !r.pools[0].cached);
    assert_true(r.pools[0].used_bytes == ROOF_UNKNOWN);
    assert_int_equal(r.pools[1].size_bytes, 112 << 20);
    assert_true(r.pools[1].read_only && r.pools[1].cached);
    arena_free(r.arena);
}

static void a_file_that_the_compiler_saved_is_read(void **state)
{
    reading r = read_pools(
        "{\"memory\":{\"memFilePrefix\":\"buf\",\"mempools\":[\n"
        "{\"name\":\"ram3\",\"prop\":{\"rights\":\"ACC_WRITE\",\"byteWidth\":8,\"freqRatio\":1.25,"
        "\"cacheable\":\"CACHEABLE_OFF\",\"readPower\":18.5,\"constantsPreferred\":false},"
        "\"offset\":" AMOUNT("834", "MBYTES") ",\"size\":" AMOUNT(
            "448", "KBYTES") ",\"mode\":\"USEMODE_ABSOLUTE\"},\n"
                             "{\"name\":\"params\",\"prop\":{\"rights\":\"ACC_READ\",\"byteWidth\":2,"
                             "\"freqRatio\":1},"
                             "\"offset\":" AMOUNT("0", "BYTES") ",\"size\":" AMOUNT(
                                 "9223372036854775776", "BYTES") ",\"mode\":\"USEMODE_RELATIVE\"}]}}");
    (void)state;
    assert_int_equal(r.pools[0].address, 0x34200000);
    assert_true(r.pools[1].size_bytes == ROOF_UNKNOWN); /* no limit */
    assert_true(r.pools[1].address == ROOF_UNKNOWN);    /* left to the loader */
    arena_free(r.arena);
}

static void what_is_not_stated_is_unknown(void **state)
{
    reading r = read_pools(DOCUMENT(POOL("a", "")));
    (void)state;
    assert_int_equal(r.n, 1);
    assert_true(r.pools[0].address == ROOF_UNKNOWN && r.pools[0].size_bytes == ROOF_UNKNOWN);
    assert_true(r.pools[0].byte_width == ROOF_NONE && isnan(r.pools[0].freq_ratio));
    arena_free(r.arena);
}

static void spellings_and_units_are_equal(void **state)
{
    static const struct {
        const char *more;
        uint64_t address, size_bytes;
        uint32_t byte_width;
    } rows[] = {
        {",\"prop\":{\"byte_width\":4,\"freq_ratio\":2}", ROOF_UNKNOWN, ROOF_UNKNOWN, 4},
        {",\"size\":" AMOUNT("0", "MBYTES"), ROOF_UNKNOWN, 0, ROOF_NONE},
        {",\"size\":{\"value\":\"7\"}", ROOF_UNKNOWN, 7, ROOF_NONE},
        {",\"size\":{\"value\":7,\"magnitude\":\"KBYTES\"}", ROOF_UNKNOWN, 7168, ROOF_NONE},
        {",\"offset\":" AMOUNT("0XaF", "KBYTES"), 0xaf << 10, ROOF_UNKNOWN, ROOF_NONE},
        {",\"offset\":" AMOUNT("18446744073709551614", "BYTES"), UINT64_MAX - 1, ROOF_UNKNOWN, ROOF_NONE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[300];
        snprintf(text, sizeof text, "{\"memory\":{\"mempools\":[{\"name\":\"a\"%s}]}}", rows[i].more);
        reading r = read_pools(text);
        assert_true(r.pools[0].address == rows[i].address && r.pools[0].size_bytes == rows[i].size_bytes);
        assert_int_equal(r.pools[0].byte_width, rows[i].byte_width);
        arena_free(r.arena);
    }
}

static void the_slips_of_real_files_are_forgiven(void **state)
{
    reading r = read_pools(
        "// by hand\n{\"memory\":{\"mempools\":[{\"name\":\"a\",\n"
        "\"prop\":{\"byteWidth\":8}\n\"size\":{\"value\":\"1792\", magnitude\":\"KBYTES\"},\n}]}}");
    (void)state;
    assert_int_equal(r.pools[0].size_bytes, 1792 * 1024);
    arena_free(r.arena);
}

#define FIRST "/memory/mempools/0"

static void what_is_wrong_is_refused_with_line_and_place(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"{\n}", "has no \"memory\" (line 2)"},
        {"[]", "found an array, want an object (line 1)"},
        {"{\"memory\":{}}", "/memory: has no \"mempools\" (line 1)"},
        {"{\"memory\":{\"mempools\":{}}}", "/memory/mempools: found an object, want an array (line 1)"},
        {DOCUMENT("1"), FIRST ": found a number, want an object (line 2)"},
        {DOCUMENT("{}"), FIRST ": a memory pool has no name (line 2)"},
        {DOCUMENT(POOL("", "")), FIRST ": a memory pool has no name (line 2)"},
        {DOCUMENT(POOL("a\\n", "")), FIRST "/name: holds a control character (line 2)"},
        {DOCUMENT(POOL("a", "") ",\n" POOL("a", "")),
         "/memory/mempools/1: memory pool 'a' is there twice (line 3)"},
        {DOCUMENT(POOL("a", ",\"name\":\"b\"")), FIRST "/name: is there twice (line 2)"},
        {DOCUMENT(POOL("a", ",\"prop\":{\"byteWidth\":0}")),
         FIRST "/prop/byteWidth: found 0, want a whole number from 1 to 65536 (line 2)"},
        {DOCUMENT(POOL("a", ",\"prop\":{\"byteWidth\":1.5}")),
         FIRST "/prop/byteWidth: found 1.5, want a whole number from 1 to 65536 (line 2)"},
        {DOCUMENT(POOL("a", ",\"prop\":{\"byteWidth\":\"8\"}")),
         FIRST "/prop/byteWidth: found a string, want a number of bytes (line 2)"},
        {DOCUMENT(POOL("a", ",\"prop\":{\"byteWidth\":8,\n\"byte_width\":4}")),
         FIRST "/prop/byte_width: is there twice, in two spellings (line 3)"},
        {DOCUMENT(POOL("a", ",\"prop\":{\"freqRatio\":1,\"freq_ratio\":1}")),
         FIRST "/prop/freq_ratio: is there twice, in two spellings (line 2)"},
        {DOCUMENT(POOL("a", ",\"prop\":{\"freqRatio\":0}")),
         FIRST "/prop/freqRatio: found 0, want a ratio of clocks from 1e-6 to 1e6 (line 2)"},
        {DOCUMENT(POOL("a", ",\"prop\":{\"freqRatio\":\"fast\"}")),
         FIRST "/prop/freqRatio: found a string, want a ratio of clocks (line 2)"},
        {DOCUMENT(POOL("a", ",\"prop\":{\"rights\":\"ACC_ALL\"}")),
         FIRST "/prop/rights: found the string \"ACC_ALL\", want one of \"ACC_UNDEF\", \"ACC_READ\", "
               "\"ACC_WRITE\" (line 2)"},
        {DOCUMENT(POOL("a", ",\"size\":" AMOUNT("1", "GIB"))), FIRST
         "/size/magnitude: found the string \"GIB\", want one of \"BYTES\", \"KBYTES\", \"MBYTES\" (line 2)"},
        {DOCUMENT(POOL("a", ",\"size\":" AMOUNT("x", "BYTES"))),
         FIRST "/size/value: found \"x\", want a whole number below 2^64 (line 2)"},
        {DOCUMENT(POOL("a", ",\"size\":" AMOUNT("0x", "BYTES"))),
         FIRST "/size/value: found \"0x\", want a whole number below 2^64 (line 2)"},
        {DOCUMENT(POOL("a", ",\"size\":" AMOUNT("", "BYTES"))),
         FIRST "/size/value: found \"\", want a whole number below 2^64 (line 2)"},
        {DOCUMENT(POOL("a", ",\"size\":" AMOUNT("-1", "BYTES"))),
         FIRST "/size/value: found \"-1\", want a whole number below 2^64 (line 2)"},
        {DOCUMENT(POOL("a", ",\"size\":" AMOUNT("18446744073709551616", "BYTES"))),
         FIRST "/size/value: found \"18446744073709551616\", want a whole number below 2^64 (line 2)"},
        {DOCUMENT(POOL("a", ",\"size\":" AMOUNT("18014398509481984", "KBYTES"))),
         FIRST "/size: is more than 2^64 bytes (line 2)"},
        {DOCUMENT(POOL("a", ",\"size\":{\"value\":1.5}")),
         FIRST "/size/value: found a number, want a whole number as a string (line 2)"},
        {DOCUMENT(POOL("a", ",\"size\":{\"magnitude\":\"BYTES\"}")),
         FIRST "/size: has no \"value\" (line 2)"},
        {DOCUMENT(POOL("a", ",\"size\":7")), FIRST "/size: found a number, want an object (line 2)"},
        {DOCUMENT(POOL("a", "")) "\n7", "more text follows the end of the document (line 4)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        reading r;
        roof_error err = {0};
        roof_status status = try_pools(rows[i].text, &r, &err);
        if (status != ROOF_E_DATA || r.pools || r.n || strcmp(fx_message(&err), rows[i].want) != 0)
            fail_msg("%s: status %d, %s", rows[i].text, status, fx_message(&err));
        arena_free(r.arena);
    }
}

static void too_many_pools_are_a_limit(void **state)
{
    enum { SIZE = 64 << 10 };
    char *text = malloc(SIZE);
    reading r;
    roof_error err = {0};
    (void)state;
    assert_non_null(text);
    size_t at = (size_t)snprintf(text, SIZE, "{\"memory\":{\"mempools\":[");
    for (unsigned i = 0; i <= 1024; i++)
        at += (size_t)snprintf(text + at, SIZE - at, "%s{\"name\":\"p%u\"}", i ? ",\n" : "", i);
    snprintf(text + at, SIZE - at, "]}}");
    assert_int_equal(try_pools(text, &r, &err), ROOF_E_LIMIT);
    assert_string_equal(fx_message(&err), "more than 1024 memory pools (line 1025)");
    arena_free(r.arena);
    free(text);
}

static void a_path_is_the_place_of_an_error(void **state)
{
    roof_arena *arena = arena_new(0);
    art_list list;
    roof_error err = {0};
    (void)state;
    assert_int_equal(mpool_read("/no/such.mpool", &art_pools, arena, &list, &err), ROOF_E_NO_INPUT);
    assert_non_null(strstr(fx_message(&err), "/no/such.mpool: cannot open"));
    assert_int_equal(mpool_read("/no/such.json", &art_profiles, arena, &list, &err), ROOF_E_NO_INPUT);
    assert_non_null(strstr(fx_message(&err), "/no/such.json: cannot open"));
    char path[] = "/tmp/roofline-test-XXXXXX", want[100];
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, "{\n}", 3) == 3 && close(fd) == 0);
    assert_int_equal(mpool_read(path, &art_pools, arena, &list, &err), ROOF_E_DATA);
    assert_int_equal(unlink(path), 0);
    snprintf(want, sizeof want, "%s: has no \"memory\" (line 2)", path);
    assert_string_equal(fx_message(&err), want);
    arena_free(arena);
}

/* ---- completing a plan ---- */

static const roof_pool blank = {.name = "ram",
                                .address = ROOF_UNKNOWN,
                                .size_bytes = ROOF_UNKNOWN,
                                .used_bytes = 7,
                                .byte_width = ROOF_NONE,
                                .freq_ratio = NAN};
static const roof_pool described = {.name = "ram",
                                    .address = 4096,
                                    .size_bytes = 1024,
                                    .used_bytes = ROOF_UNKNOWN,
                                    .byte_width = 8,
                                    .freq_ratio = 1.25,
                                    .read_only = true,
                                    .cached = true};

static void what_a_plan_does_not_state_is_filled(void **state)
{
    roof_arena *arena = arena_new(0);
    roof_pool pools[] = {blank, blank};
    roof_plan plan = {.pools = pools, .n_pools = 2};
    (void)state;
    pools[0].name = "other";
    assert_int_equal(mpool_apply(&plan, &described, 1, arena, NULL), ROOF_OK);
    assert_int_equal(plan.n_differences, 0);
    assert_true(pools[0].byte_width == ROOF_NONE && isnan(pools[0].freq_ratio));
    assert_int_equal(pools[1].address, 4096);
    assert_int_equal(pools[1].size_bytes, 1024);
    assert_int_equal(pools[1].used_bytes, 7);
    assert_int_equal(pools[1].byte_width, 8);
    assert_true(pools[1].freq_ratio == 1.25);
    assert_true(pools[1].read_only && pools[1].cached);
    arena_free(arena);
}

static void what_a_plan_states_stays_and_differences_are_listed(void **state)
{
    static const roof_pool_difference want[] = {
        {"ram", "read_only", 0, 1},     {"ram", "cached", 0, 1},     {"ram", "byte_width", 4, 8},
        {"ram", "freq_ratio", 2, 1.25}, {"ram", "address", 0, 4096}, {"ram", "size_bytes", 1016, 1024}};
    roof_arena *arena = arena_new(0);
    roof_pool pool = {.name = "ram", .address = 0, .size_bytes = 1016, .byte_width = 4, .freq_ratio = 2};
    roof_plan plan = {.pools = &pool, .n_pools = 1};
    (void)state;
    assert_int_equal(mpool_apply(&plan, &described, 1, arena, NULL), ROOF_OK);
    assert_int_equal(plan.n_differences, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++) {
        assert_string_equal(plan.differences[i].pool, want[i].pool);
        assert_string_equal(plan.differences[i].what, want[i].what);
        assert_true(plan.differences[i].in_plan == want[i].in_plan);
        assert_true(plan.differences[i].in_file == want[i].in_file);
    }
    assert_true(pool.byte_width == 4 && pool.size_bytes == 1016 && !pool.read_only);
    arena_free(arena);
}

static void a_file_that_says_less_is_no_difference(void **state)
{
    roof_arena *arena = arena_new(0);
    roof_pool pool = described, file = described;
    roof_plan plan = {.pools = &pool, .n_pools = 1};
    (void)state;
    file.address = file.size_bytes = ROOF_UNKNOWN;
    file.byte_width = ROOF_NONE;
    file.freq_ratio = NAN;
    assert_int_equal(mpool_apply(&plan, &file, 1, arena, NULL), ROOF_OK);
    assert_int_equal(plan.n_differences, 0);
    assert_true(pool.address == 4096 && pool.byte_width == 8);
    arena_free(arena);
}

/* ---- profiles ---- */

static roof_status try_profiles(const char *text, roof_arena *arena, art_list *list, roof_error *err)
{
    size_t size = strlen(text);
    uint8_t *copy = fx_copy(text, size);
    roof_status status = mpool_read_memory(copy, size, &art_profiles, arena, list, err);
    free(copy);
    return status;
}

static void profiles_are_read_among_comments(void **state)
{
    static const char text[] =
        "// what it is\n{\"Globals\":{\n// \"NA_binary\":\"C:\\\\x\"\n},\n\"Profiles\":{\n"
        "\"fast\":{\"memory_pool\":\"./pools/a.mpool\",\"memory_desc\":\"old\",\"options\":\"-O3 --Os\"},\n"
        "\"bare\":{}\n//,\"off\":{\n}}";
    roof_arena *arena = arena_new(0);
    art_list list;
    roof_error err = {0};
    (void)state;
    if (try_profiles(text, arena, &list, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    const art_profile *profiles = list.items;
    assert_int_equal(list.n, 2);
    assert_string_equal(profiles[0].name, "fast");
    assert_string_equal(profiles[0].memory_pool, "./pools/a.mpool");
    assert_string_equal(profiles[0].options, "-O3 --Os");
    assert_string_equal(profiles[1].name, "bare");
    assert_null(profiles[1].memory_pool);
    assert_string_equal(profiles[1].options, "");
    arena_free(arena);
}

static void wrong_profiles_are_refused_with_line_and_place(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"{}", "has no \"Profiles\" (line 1)"},
        {"{\"Profiles\":{}}", "/Profiles: has no profile (line 1)"},
        {"{\"Profiles\":[]}", "/Profiles: found an array, want an object (line 1)"},
        {"{\"Profiles\":{\n\"a\":1}}", "/Profiles/a: found a number, want an object (line 2)"},
        {"{\"Profiles\":{\"a\":{},\n\"a\":{}}}", "/Profiles/a: is there twice (line 2)"},
        {"{\"Profiles\":{\"a\":{\"options\":7}}}",
         "/Profiles/a/options: found a number, want a string (line 1)"},
        {"{\"Profiles\":{\"a\\u0007\":{}}}",
         "/Profiles/a\\x07: the name of a profile holds control characters (line 1)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_arena *arena = arena_new(0);
        art_list list;
        roof_error err = {0};
        roof_status status = try_profiles(rows[i].text, arena, &list, &err);
        if (status != ROOF_E_DATA || list.items || list.n || strcmp(fx_message(&err), rows[i].want) != 0)
            fail_msg("%s: status %d, %s", rows[i].text, status, fx_message(&err));
        arena_free(arena);
    }
}

static void files_beyond_the_limit_are_not_begun(void **state)
{
    art_list list;
    roof_error err = {0};
    (void)state;
    assert_int_equal(mpool_read_memory("", ART_MOST_BYTES + 1, &art_pools, NULL, &list, &err), ROOF_E_LIMIT);
    assert_string_equal(fx_message(&err), "is larger than 16 MiB, the most that is read here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_beyond_the_limit_are_not_begun),
        cmocka_unit_test(a_file_that_people_wrote_is_read),
        cmocka_unit_test(a_file_that_the_compiler_saved_is_read),
        cmocka_unit_test(what_is_not_stated_is_unknown),
        cmocka_unit_test(spellings_and_units_are_equal),
        cmocka_unit_test(the_slips_of_real_files_are_forgiven),
        cmocka_unit_test(what_is_wrong_is_refused_with_line_and_place),
        cmocka_unit_test(too_many_pools_are_a_limit),
        cmocka_unit_test(a_path_is_the_place_of_an_error),
        cmocka_unit_test(what_a_plan_does_not_state_is_filled),
        cmocka_unit_test(what_a_plan_states_stays_and_differences_are_listed),
        cmocka_unit_test(a_file_that_says_less_is_no_difference),
        cmocka_unit_test(profiles_are_read_among_comments),
        cmocka_unit_test(wrong_profiles_are_refused_with_line_and_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
