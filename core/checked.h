/* core/checked.h - counts that remember an overflow, so that a formula reads as a formula and is checked
 * once, at its end. `value` means nothing once `overflow` is set.
 *
 * Example: checked_plus(CHECKED_PRODUCT(h, w, c), bias)
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "roofline/status.h"

typedef struct checked {
    uint64_t value;
    bool overflow;
} checked;

static inline checked checked_times(checked a, uint64_t factor)
{
    a.overflow = a.overflow || __builtin_mul_overflow(a.value, factor, &a.value);
    return a;
}

/* Product of all factors, one after the other. */
static inline checked checked_product(const uint64_t *factors, size_t n)
{
    checked product = {1, false};
    for (size_t i = 0; i < n; i++)
        product = checked_times(product, factors[i]);
    return product;
}
#define CHECKED_PRODUCT(...)                                                                                 \
    checked_product((const uint64_t[]){__VA_ARGS__},                                                         \
                    sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static inline checked checked_plus(checked a, uint64_t term)
{
    a.overflow = a.overflow || __builtin_add_overflow(a.value, term, &a.value);
    return a;
}

/* a / b rounded up; 0 where b is 0. */
static inline uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return b ? a / b + (a % b != 0) : a;
}

/* A sum of what may be unknown: unknown once a term is. False, and unknown, when it leaves 64 bits. */
static inline bool checked_add_known(uint64_t *sum, uint64_t term)
{
    bool is_known = *sum != ROOF_UNKNOWN && term != ROOF_UNKNOWN;
    bool fits = !is_known || (!__builtin_add_overflow(*sum, term, sum) && *sum != ROOF_UNKNOWN);
    if (!is_known || !fits)
        *sum = ROOF_UNKNOWN;
    return fits;
}

static inline uint64_t checked_sum_known(uint64_t a, uint64_t b)
{
    checked_add_known(&a, b);
    return a;
}
