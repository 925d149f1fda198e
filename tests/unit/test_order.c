/* Items are in the order of the first member that differs, whatever its type; what is no number is last. */
#include "core/order.h"
#include "tests/unit/fixture.h"

#include <math.h>

typedef struct item {
    double ratio;
    const char *name;
    uint64_t bytes;
    int64_t at;
    uint32_t row;
    int32_t id;
    bool is_first;
} item;

static const item items[] = {
    {.ratio = NAN, .name = "b", .bytes = UINT64_MAX, .at = INT64_MIN, .row = UINT32_MAX, .id = -1},
    {.ratio = 2, .name = "a", .bytes = 1, .at = -1, .row = 3, .id = INT32_MIN, .is_first = true},
    {.ratio = -INFINITY, .name = "c", .bytes = 1, .at = INT64_MAX, .row = 2, .id = 7},
    {.ratio = 2, .name = "", .bytes = 0, .at = 0, .row = 1, .id = 0, .is_first = true},
};

static void the_first_member_that_differs_decides(void **state)
{
    const struct {
        const order_key keys[3];
        uint32_t order[COUNT(items)];
    } rows[] = {
        {{RISING(item, ratio)}, {2, 1, 3, 0}},
        {{FALLING(item, ratio)}, {1, 3, 2, 0}}, /* what is no number is last in both */
        {{FALLING(item, ratio), RISING(item, name)}, {3, 1, 2, 0}},
        {{RISING(item, name)}, {3, 1, 0, 2}},
        {{FALLING(item, bytes), FALLING(item, row)}, {0, 1, 2, 3}},
        {{RISING(item, bytes), RISING(item, row)}, {3, 2, 1, 0}},
        {{RISING(item, at)}, {0, 1, 3, 2}},
        {{FALLING(item, id)}, {2, 3, 0, 1}},
        {{FALLING(item, is_first), RISING(item, id)}, {1, 3, 0, 2}},
        {{{0, ORDER_END, false}}, {0, 1, 2, 3}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        item sorted[COUNT(items)];
        const item *pointers[COUNT(items)];
        memcpy(sorted, items, sizeof items);
        for (size_t k = 0; k < COUNT(items); k++)
            pointers[COUNT(items) - 1 - k] = &items[k];
        order_sort(sorted, COUNT(items), sizeof *sorted, rows[i].keys);
        order_pointers(pointers, COUNT(items), rows[i].keys);
        for (size_t k = 0; k < COUNT(items); k++)
            if (sorted[k].id != items[rows[i].order[k]].id || pointers[k] != &items[rows[i].order[k]])
                fail_msg("row %zu: another item at place %zu", i, k);
    }
    order_sort(NULL, 0, sizeof *items, rows[0].keys);
}

static void values_rise(void **state)
{
    double numbers[] = {3, NAN, -1, INFINITY};
    uint64_t counts[] = {UINT64_MAX, 0, 1};
    const char *names[] = {"b", "a", "c"};
    (void)state;
    ORDER_VALUES(numbers, COUNT(numbers));
    ORDER_VALUES(counts, COUNT(counts));
    ORDER_VALUES(names, COUNT(names));
    assert_true(numbers[0] == -1 && numbers[1] == 3 && isinf(numbers[2]) && isnan(numbers[3]));
    assert_true(counts[0] == 0 && counts[1] == 1 && counts[2] == UINT64_MAX);
    assert_true(*names[0] == 'a' && *names[1] == 'b' && *names[2] == 'c');
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_member_that_differs_decides),
                                       cmocka_unit_test(values_rise)};
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
