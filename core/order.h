/* core/order.h - sorts items by members of theirs: the first that differs decides.
 *
 * NaN is behind all numbers, whether they rise or fall. Items that no member distinguishes keep their order,
 * pointers to such ones have the order of the items in memory.
 *
 * Example: order_sort(spans, n, sizeof *spans, ORDER_BY(FALLING(span, bytes), RISING(span, name)))
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum order_kind {
    ORDER_END,
    ORDER_DOUBLE,
    ORDER_U8,
    ORDER_U32,
    ORDER_I32,
    ORDER_U64,
    ORDER_I64,
    ORDER_TEXT
} order_kind;

typedef struct order_key {
    size_t at; /* bytes from the beginning of an item */
    order_kind kind;
    bool is_falling;
} order_key;

/* Kind of the value that a pointer points to. An enumeration is an unsigned number, or a signed one where it
 * has negative values; a text is a pointer, and an array of characters does not compile. */
/* clang-format off */
#define ORDER_KIND(pointer)                                                                                  \
    _Generic((pointer), double *: ORDER_DOUBLE, char **: ORDER_TEXT, const char **: ORDER_TEXT,              \
             bool *: ORDER_U8, unsigned char *: ORDER_U8, uint32_t *: ORDER_U32, int32_t *: ORDER_I32,       \
             uint64_t *: ORDER_U64, int64_t *: ORDER_I64)
/* clang-format on */
#define ORDER_KEY(type, member, falls)                                                                       \
    ((order_key){offsetof(type, member), ORDER_KIND(&((type *)0)->member), (falls)})

#define RISING(type, member)  ORDER_KEY(type, member, false)
#define FALLING(type, member) ORDER_KEY(type, member, true)
#define ORDER_BY(...)         ((const order_key[]){__VA_ARGS__, {0, ORDER_END, false}})

/* Below 0, 0 or above it, as strcmp does. */
int order_compare(const void *a, const void *b, const order_key *keys);

void order_sort(void *items, size_t n, size_t size, const order_key *keys);
void order_pointers(void *pointers, size_t n, const order_key *keys); /* by members of what they point to */

/* Numbers, or texts, the least first. */
#define ORDER_VALUES(values, n)                                                                              \
    order_sort((values), (n), sizeof *(values), ORDER_BY((order_key){0, ORDER_KIND(values), false}))

/* The first of n sorted elements of size bytes that does not stand before the number given; n when all do;
 * bsearch finds any of several.
 *
 * number_of: what they are sorted by.
 * Example (tests/unit/test_lower_bound.c): of 1, 3, 3, 7 it is 1 for 3, 3 for 4 and 4 for 8. */
uint32_t lower_bound_search(const void *elements, uint32_t n, size_t size, uint64_t wanted,
                            uint64_t (*number_of)(const void *element));
