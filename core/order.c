#include "core/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COMPARE(type, a, b)                                                                                  \
    ((*(const type *)(a) > *(const type *)(b)) - (*(const type *)(a) < *(const type *)(b)))

static int compare_doubles(double a, double b)
{
    const bool is_known = !isnan(a), other_is_known = !isnan(b);
    return is_known && other_is_known ? (a > b) - (a < b) : other_is_known - is_known;
}

static int compare_members(const void *a, const void *b, order_kind kind)
{
    switch (kind) {
    case ORDER_U8:
        return COMPARE(unsigned char, a, b);
    case ORDER_U32:
        return COMPARE(uint32_t, a, b);
    case ORDER_I32:
        return COMPARE(int32_t, a, b);
    case ORDER_U64:
        return COMPARE(uint64_t, a, b);
    case ORDER_I64:
        return COMPARE(int64_t, a, b);
    case ORDER_TEXT:
        return strcmp(*(const char *const *)a, *(const char *const *)b);
    default:
        return 0;
    }
}

int order_compare(const void *a_, const void *b_, const order_key *keys)
{
    int order = 0;
    for (const order_key *key = keys; !order && key->kind; key++) {
        const char *a = (const char *)a_ + key->at, *b = (const char *)b_ + key->at;
        if (key->kind != ORDER_DOUBLE) {
            order = key->is_falling ? compare_members(b, a, key->kind) : compare_members(a, b, key->kind);
            continue;
        }
        const double x = *(const double *)a, y = *(const double *)b;
        order = key->is_falling && !isnan(x) && !isnan(y) ? compare_doubles(y, x) : compare_doubles(x, y);
    }
    return order;
}

static int compare_items(const void *a, const void *b, void *keys)
{
    return order_compare(a, b, keys);
}

static int compare_pointers(const void *a_, const void *b_, void *keys)
{
    const void *const *a = a_, *const *b = b_;
    const int order = order_compare(*a, *b, keys);
    return order ? order : (*a > *b) - (*a < *b);
}

void order_sort(void *items, size_t n, size_t size, const order_key *keys)
{
    const char *first = items;
    size_t i = 1; /* most comes in order: then a sort would only take time, and as much memory again */
    while (i < n && order_compare(first + (i - 1) * size, first + i * size, keys) <= 0)
        i++;
    if (i < n)
        qsort_r(items, n, size, compare_items, (void *)keys);
}

void order_pointers(void *pointers, size_t n, const order_key *keys)
{
    if (n)
        qsort_r(pointers, n, sizeof(void *), compare_pointers, (void *)keys);
}

uint32_t lower_bound_search(const void *elements, uint32_t n, size_t size, uint64_t wanted,
                            uint64_t (*number_of)(const void *element))
{
    uint32_t from = 0, to = n;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (number_of((const char *)elements + middle * size) < wanted)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}
