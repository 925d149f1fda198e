/* core/lower_bound.h - where a key begins in a sorted list; bsearch finds any of several. */
#ifndef ROOF_CORE_LOWER_BOUND_H
#define ROOF_CORE_LOWER_BOUND_H

#include <stddef.h>
#include <stdint.h>

/* The first of n sorted elements of size bytes that does not stand before the number given; n
 * when all do.
 *
 * number_of: what they are sorted by.
 * Example (tests/unit/test_lower_bound.c): of 1, 3, 3, 7 it is 1 for 3, 3 for 4 and 4 for 8. */
uint32_t lower_bound_search(const void *elements, uint32_t n, size_t size, uint64_t wanted,
                            uint64_t (*number_of)(const void *element));

#endif
