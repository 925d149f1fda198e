/* core/checked.h - counts that remember an overflow, so that a formula reads as a formula and is checked once, at its
 * end. `value` means nothing once `overflow` is set.
 *
 * Example: checked_times(checked_times((checked){h, false}, w), c)
 */
#ifndef ROOF_CORE_CHECKED_H
#define ROOF_CORE_CHECKED_H

#include <stdbool.h>
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

static inline checked checked_plus(checked a, uint64_t term)
{
    a.overflow = a.overflow || __builtin_add_overflow(a.value, term, &a.value);
    return a;
}

/* Of nothing by nothing as well. */
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

#endif
