/* From names to indices. */
#include "core/namemap.h"
#include "tests/unit/fixture.h"

static void names_are_found_again(void **state)
{
    enum { MANY = 5000 };
    static char names[MANY][12];
    roof_arena *arena = arena_new(0);
    namemap *map = namemap_new(arena, MANY);
    (void)state;
    assert_non_null(map);
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "conv%u", i);
        assert_true(namemap_add(map, names[i], strlen(names[i]), i));
    }
    for (uint32_t i = 0; i < MANY; i++) {
        char copy[12]; /* compared by content, not by place */
        memcpy(copy, names[i], sizeof copy);
        assert_int_equal(namemap_find(map, copy, strlen(copy)), i);
    }
    assert_int_equal(namemap_find(map, "conv", 4), ROOF_NONE);
    assert_int_equal(namemap_find(map, "conv5000", 8), ROOF_NONE);
    assert_int_equal(namemap_find(map, "conv12", 5), 1); /* its length counts, not a NUL */
    arena_free(arena);
}

static void a_name_is_added_once(void **state)
{
    roof_arena *arena = arena_new(0);
    namemap *map = namemap_new(arena, 4);
    (void)state;
    assert_true(namemap_add(map, "a", 1, 7));
    assert_false(namemap_add(map, "a", 1, 8));
    assert_int_equal(namemap_find(map, "a", 1), 7);
    assert_true(namemap_add(map, "a\0", 2, 9)); /* another name */
    assert_int_equal(namemap_find(map, "a\0", 2), 9);
    assert_true(namemap_add(map, "", 0, 10));
    assert_int_equal(namemap_find(map, "", 0), 10);
    arena_free(arena);
}

static void a_full_map_refuses_and_still_answers(void **state)
{
    static char names[100][4];
    roof_arena *arena = arena_new(0);
    namemap *map = namemap_new(arena, 50);
    uint32_t n = 0;
    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        snprintf(names[i], sizeof names[i], "%u", i);
        n += namemap_add(map, names[i], strlen(names[i]), i);
    }
    assert_int_equal(n, 50);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(namemap_find(map, names[i], strlen(names[i])), i < n ? i : ROOF_NONE);
    arena_free(arena);
}

static void without_memory_there_is_no_map(void **state)
{
    roof_arena *arena = arena_new(64);
    (void)state;
    assert_null(namemap_new(arena, 1000));
    arena_free(arena);
    arena = arena_new(0);
    assert_null(namemap_new(arena, SIZE_MAX / 2)); /* more slots than a size can count */
    arena_free(arena);
}

static void several_of_one_name_come_in_their_order(void **state)
{
    static const char *const names[] = {"a", "b", "a", "a", "c"};
    static const struct {
        const char *name;
        bool is_taken[COUNT(names)];
        uint32_t first, open;
    } rows[] = {
        {"a", {false}, 0, 0},
        {"b", {false}, 1, 1},
        {"d", {false}, ROOF_NONE, ROOF_NONE},
        {"", {false}, ROOF_NONE, ROOF_NONE},
        {"a", {true}, 0, 2},
        {"a", {true, true, true}, 0, 3}, /* what is taken stays so from row to row */
        {"b", {true, true, true}, 1, ROOF_NONE},
        {"a", {true, true, true, true}, 0, ROOF_NONE},
        {"a", {true, true, true, true}, 0, ROOF_NONE},
        {"c", {true, true, true, true}, 4, 4},
    };
    roof_arena *arena = arena_new(0);
    namechain chain;
    (void)state;
    assert_int_equal(namechain_new(arena, COUNT(names), &chain, NULL), ROOF_OK);
    for (uint32_t i = 0; i < COUNT(names); i++)
        namechain_add(&chain, span_of(names[i]), i);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const text_span name = span_of(rows[i].name);
        assert_int_equal(namechain_first(&chain, name), rows[i].first);
        assert_int_equal(namechain_open(&chain, name, rows[i].is_taken), rows[i].open);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_again),
        cmocka_unit_test(a_name_is_added_once),
        cmocka_unit_test(a_full_map_refuses_and_still_answers),
        cmocka_unit_test(without_memory_there_is_no_map),
        cmocka_unit_test(several_of_one_name_come_in_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
