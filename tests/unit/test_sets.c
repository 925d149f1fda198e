/* What is joined is one set, whose root is that of the first; all else stays apart. */
#include "core/sets.h"
#include "tests/unit/fixture.h"

static void what_is_joined_has_the_root_of_the_first(void **state)
{
    static const struct {
        uint32_t joins[3][2], n_joins;
        uint32_t roots[5];
    } rows[] = {
        {{{0, 0}}, 0, {0, 1, 2, 3, 4}},
        {{{1, 3}}, 1, {0, 1, 2, 1, 4}},
        {{{1, 3}, {0, 1}}, 2, {0, 0, 2, 0, 4}},
        {{{1, 3}, {0, 3}}, 2, {0, 0, 2, 0, 4}},         /* by any member */
        {{{1, 3}, {3, 1}, {1, 1}}, 3, {0, 1, 2, 1, 4}}, /* once more */
        {{{3, 4}, {2, 3}, {1, 4}}, 3, {0, 1, 1, 1, 1}},
    };
    roof_arena *arena = arena_new(0);
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t *sets;
        assert_int_equal(sets_new(arena, COUNT(rows[i].roots), &sets, NULL), ROOF_OK);
        for (uint32_t k = 0; k < rows[i].n_joins; k++) {
            const uint32_t *join = rows[i].joins[k], root = sets_join(sets, join[0], join[1]);
            assert_int_equal(root, sets_root(sets, join[1]));
        }
        for (uint32_t k = 0; k < COUNT(rows[i].roots); k++)
            if (sets_root(sets, k) != rows[i].roots[k])
                fail_msg("row %zu: the root of %u is %u", i, k, sets_root(sets, k));
    }
    arena_free(arena);
}

static void without_memory_there_are_none(void **state)
{
    roof_arena *arena = arena_new(1);
    uint32_t *sets;
    (void)state;
    assert_int_equal(sets_new(arena, 1 << 20, &sets, NULL), ROOF_E_NO_MEMORY);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_joined_has_the_root_of_the_first),
                                       cmocka_unit_test(without_memory_there_are_none)};
    return cmocka_run_group_tests_name("sets", tests, NULL, NULL);
}
