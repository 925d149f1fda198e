/* The first of several equal elements, and where one would stand that is not there. */
#include "core/order.h"
#include "tests/unit/fixture.h"

static uint64_t itself(const void *element)
{
    return *(const uint64_t *)element;
}

static void the_first_that_is_not_less_is_found(void **state)
{
    static const uint64_t sorted[] = {1, 3, 3, 7};
    static const struct {
        uint32_t n;
        uint64_t wanted;
        uint32_t place;
    } cases[] = {{4, 0, 0}, {4, 1, 0},          {4, 2, 1}, {4, 3, 1}, {4, 4, 3}, {4, 7, 3},
                 {4, 8, 4}, {4, UINT64_MAX, 4}, {3, 3, 1}, {1, 1, 0}, {1, 2, 1}, {0, 5, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(lower_bound_search(sorted, cases[i].n, sizeof *sorted, cases[i].wanted, itself),
                         cases[i].place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_that_is_not_less_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
