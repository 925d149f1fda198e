/* Memory of a document: aligned, zeroed, limited, and never more than was asked for. */
#include "core/arena.h"
#include "tests/unit/fixture.h"

static void memory_is_aligned_and_zero(void **state)
{
    roof_arena *arena = arena_new(0);
    (void)state;
    assert_non_null(arena);
    for (size_t size = 1; size < 3000; size += 7) {
        unsigned char *p = arena_alloc(arena, 1, size);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, size);
    }
    arena_free(arena);
}

/* Blocks do not overlap, small or larger than any chunk. */
static void blocks_keep_their_content(void **state)
{
    static const size_t sizes[] = {1, 100, 16 * 1024, 16 * 1024 + 1, 3, 5 * 1024 * 1024, 70000, 1};
    unsigned char *blocks[COUNT(sizes)];
    roof_arena *arena = arena_new(0);
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        blocks[i] = arena_alloc(arena, sizes[i], 1);
        assert_non_null(blocks[i]);
        memset(blocks[i], (int)i + 1, sizes[i]);
    }
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (size_t j = 0; j < sizes[i]; j += 1 + sizes[i] / 7)
            assert_int_equal(blocks[i][j], i + 1);
    arena_free(arena);
}

/* Rounds of one size find their room again; what they are given is zero, and no failure is remembered. */
static void an_arena_that_is_emptied_gives_zeroed_memory_again(void **state)
{
    static const size_t sizes[] = {40, 100 * 1024, 3000, 2 * 1024 * 1024, 7};
    roof_arena *arena = arena_new(4 * 1024 * 1024);
    roof_error err;
    (void)state;
    arena_reset(arena); /* which gave nothing yet */
    for (int round = 0; round < 20; round++) {
        for (size_t i = 0; i < COUNT(sizes); i++) {
            unsigned char *p = arena_alloc(arena, 1, sizes[i]);
            assert_non_null(p);
            for (size_t k = 0; k < sizes[i]; k++)
                if (p[k])
                    fail_msg("round %d, size %zu: byte %zu is %d", round, sizes[i], k, p[k]);
            memset(p, 0xff, sizes[i]);
        }
        assert_null(arena_alloc(arena, 1, 4 * 1024 * 1024));
        assert_int_equal(arena_status(arena, &err), ROOF_E_NO_MEMORY);
        arena_reset(arena);
        assert_int_equal(arena_used_bytes(arena), 0);
        assert_int_equal(arena_status(arena, &err), ROOF_OK);
    }
    arena_free(arena);
}

static void products_that_overflow_are_refused(void **state)
{
    static const struct {
        size_t count, size;
    } rows[] = {{SIZE_MAX, 1},
                {SIZE_MAX, 2},
                {2, SIZE_MAX},
                {SIZE_MAX / 2 + 1, 2},
                {SIZE_MAX / 16, 16},
                {SIZE_MAX - 15, 1},
                {(size_t)1 << 32, (size_t)1 << 32}};
    roof_arena *arena = arena_new(0);
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_null(arena_alloc(arena, rows[i].count, rows[i].size));
    assert_int_equal(arena_used_bytes(arena), 0);
    assert_non_null(arena_alloc(arena, 1, 8)); /* it still works */
    arena_free(arena);
}

static void nothing_has_a_place_too(void **state)
{
    roof_arena *arena = arena_new(0);
    (void)state;
    assert_non_null(arena_alloc(arena, 0, 8));
    assert_non_null(arena_alloc(arena, 8, 0));
    assert_non_null(arena_alloc(arena, SIZE_MAX, 0));
    assert_int_equal(arena_used_bytes(arena), 0);
    arena_free(arena);
    arena_free(NULL);
}

static void a_limit_holds_to_the_byte(void **state)
{
    const size_t unit = _Alignof(max_align_t);
    roof_arena *arena = arena_new(4 * unit);
    (void)state;
    assert_non_null(arena_alloc(arena, 1, unit));
    assert_null(arena_alloc(arena, 4, unit));
    assert_non_null(arena_alloc(arena, 3, unit));
    assert_int_equal(arena_used_bytes(arena), 4 * unit);
    assert_null(arena_alloc(arena, 1, 1));
    assert_null(arena_strdup(arena, ""));
    assert_non_null(arena_alloc(arena, 0, 1));
    arena_free(arena);
}

/* A document of a few allocations of every kind; false at the first that fails. */
static bool build(roof_arena *arena)
{
    const char *name = arena_strdup(arena, "name");
    const char *part = name ? arena_strndup(arena, "part of this", 4) : NULL;
    const char *text = part ? arena_printf(arena, "%s and %s %d", name, part, 42) : NULL;
    uint64_t *counts = text ? NEW_ARRAY(arena, uint64_t, 100) : NULL;
    if (!counts)
        return false;
    assert_string_equal(text, "name and part 42");
    assert_int_equal(counts[99], 0);
    return true;
}

/* Each limit makes another allocation fail; none crashes, and beyond the last one all is well. */
static void allocations_may_fail_one_after_another(void **state)
{
    size_t limit = 1, failed = 0;
    (void)state;
    for (bool built = false; !built; limit += 8) {
        roof_arena *arena = arena_new(limit);
        assert_non_null(arena);
        built = build(arena);
        failed += !built;
        assert_true(arena_used_bytes(arena) <= limit);
        arena_free(arena);
    }
    assert_in_range(limit, 800, 1000);
    assert_true(failed > 100);
}

static void strings_are_copied(void **state)
{
    char text[] = "abc";
    roof_arena *arena = arena_new(0);
    (void)state;
    char *copy = arena_strdup(arena, text), *two = arena_strndup(arena, text, 2);
    text[0] = 'x';
    assert_string_equal(copy, "abc");
    assert_string_equal(two, "ab");
    assert_string_equal(arena_strndup(arena, text, 0), "");
    assert_null(arena_strndup(arena, text, SIZE_MAX));
    assert_string_equal(arena_printf(arena, "%0500d", 7) + 497, "007");
    arena_free(arena);
}

/* Texts lie byte by byte; what follows them is aligned and zero all the same, and none of them overlap. */
static void objects_among_texts_are_aligned_and_zero(void **state)
{
    enum { ROUNDS = 2000, LONGEST = 40 };
    static char *texts[ROUNDS];
    static unsigned char *objects[ROUNDS];
    roof_arena *arena = arena_new(0);
    char text[LONGEST + 1];
    (void)state;
    memset(text, 'x', sizeof text);
    for (size_t i = 0; i < ROUNDS; i++) {
        size_t length = i % LONGEST, size = 1 + i % 57;
        texts[i] = arena_strndup(arena, text, length);
        objects[i] = arena_alloc(arena, 1, size);
        assert_true(texts[i] && objects[i] && (uintptr_t)objects[i] % _Alignof(max_align_t) == 0);
        for (size_t b = 0; b < size; b++)
            assert_int_equal(objects[i][b], 0);
        memset(objects[i], 0xff, size);
    }
    for (size_t i = 0; i < ROUNDS; i++) {
        assert_int_equal(strlen(texts[i]), i % LONGEST);
        assert_int_equal(strspn(texts[i], "x"), i % LONGEST);
        assert_int_equal(objects[i][i % 57], 0xff);
    }
    arena_free(arena);
}

/* Ten million short texts would otherwise take a megabyte for every ten thousand. */
static void texts_take_their_bytes_and_no_more(void **state)
{
    roof_arena *arena = arena_new(30);
    (void)state;
    for (int i = 0; i < 10; i++)
        assert_non_null(arena_strdup(arena, "ab"));
    assert_int_equal(arena_used_bytes(arena), 30);
    assert_null(arena_strdup(arena, ""));
    arena_free(arena);
}

/* What aligns an object behind a text counts too. */
static void padding_counts_towards_the_limit(void **state)
{
    const size_t unit = _Alignof(max_align_t);
    (void)state;
    for (size_t limit = unit; limit < 3 * unit; limit++) {
        roof_arena *arena = arena_new(limit);
        assert_non_null(arena_strdup(arena, ""));
        bool fits = arena_alloc(arena, 1, 1) != NULL;
        assert_true(arena_used_bytes(arena) <= limit);
        assert_true(fits || limit < 2 * unit);
        arena_free(arena);
    }
}

/* Who did not look at one result still learns that something is missing. */
static void an_arena_remembers_that_it_could_not_give_all(void **state)
{
    roof_arena *arena = arena_new(100);
    (void)state;
    assert_non_null(arena_strdup(arena, "there is room for this"));
    assert_int_equal(arena_status(arena, NULL), ROOF_OK);
    assert_null(arena_alloc(arena, 1, 1000));
    assert_non_null(arena_strdup(arena, "and for this"));
    assert_int_equal(arena_status(arena, NULL), ROOF_E_NO_MEMORY);
    arena_free(arena);
    arena = arena_new(0);
    assert_null(arena_alloc(arena, SIZE_MAX, 2));
    assert_int_equal(arena_status(arena, NULL), ROOF_E_NO_MEMORY);
    arena_free(arena);
}

static void an_array_grows_and_keeps_its_items(void **state)
{
    roof_arena *arena = arena_new(0);
    uint32_t *items = NULL;
    (void)state;
    for (uint32_t n = 0; n < 1000; n++) {
        const uint32_t *before = items;
        items = arena_grow(arena, items, n, sizeof *items);
        assert_non_null(items);
        assert_true((items == before) == ((n & (n - 1)) != 0)); /* moved only at 0 and at powers of two */
        items[n] = n;
        for (uint32_t i = 0; i <= n; i++)
            assert_int_equal(items[i], i);
    }
    arena_free(arena);
}

/* Who goes on after a failure, and counts an item that has no place, must not get room that is not there. */
static void an_array_that_could_not_grow_stays_as_it_was_and_takes_no_more(void **state)
{
    enum { ITEMS = 4 };
    roof_arena *arena = arena_new(100); /* for 1, 2 and 4 of them, and not for 8 */
    roof_error err;
    uint64_t *items = NULL;
    (void)state;
    for (uint32_t n = 0; n < ITEMS; n++) {
        assert_int_equal(ARENA_MORE(arena, items, n, &err), ROOF_OK);
        items[n] = n;
    }
    const uint64_t *before = items;
    assert_int_equal(ARENA_MORE(arena, items, ITEMS, &err), ROOF_E_NO_MEMORY);
    assert_ptr_equal(items, before);
    assert_int_equal(items[ITEMS - 1], ITEMS - 1);
    assert_null(arena_grow(arena, items, ITEMS, sizeof *items));
    assert_null(arena_grow(arena, items, ITEMS + 1, sizeof *items)); /* else it would lie behind the end */
    arena_free(arena);
}

static void a_value_with_an_arena_of_its_own_stays_when_all_was_given(void **state)
{
    static const struct {
        size_t more; /* bytes that are asked for beside the value */
        roof_status made, status;
    } rows[] = {{0, ROOF_OK, ROOF_OK},
                {100, ROOF_OK, ROOF_OK},
                {SIZE_MAX, ROOF_OK, ROOF_E_NO_MEMORY},
                {0, ROOF_E_DATA, ROOF_E_DATA}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_arena *arena;
        uint64_t *value = NEW_ROOT(&arena, uint64_t, NULL);
        assert_true(value && *value == 0);
        (void)arena_alloc(arena, rows[i].more, 1);
        assert_int_equal(arena_settle(arena, rows[i].made, NULL), rows[i].status);
        if (rows[i].status == ROOF_OK)
            arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_grows_and_keeps_its_items),
        cmocka_unit_test(an_array_that_could_not_grow_stays_as_it_was_and_takes_no_more),
        cmocka_unit_test(an_arena_remembers_that_it_could_not_give_all),
        cmocka_unit_test(memory_is_aligned_and_zero),
        cmocka_unit_test(a_value_with_an_arena_of_its_own_stays_when_all_was_given),
        cmocka_unit_test(blocks_keep_their_content),
        cmocka_unit_test(an_arena_that_is_emptied_gives_zeroed_memory_again),
        cmocka_unit_test(products_that_overflow_are_refused),
        cmocka_unit_test(nothing_has_a_place_too),
        cmocka_unit_test(a_limit_holds_to_the_byte),
        cmocka_unit_test(allocations_may_fail_one_after_another),
        cmocka_unit_test(strings_are_copied),
        cmocka_unit_test(objects_among_texts_are_aligned_and_zero),
        cmocka_unit_test(texts_take_their_bytes_and_no_more),
        cmocka_unit_test(padding_counts_towards_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
