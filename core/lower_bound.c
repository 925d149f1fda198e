#include "core/lower_bound.h"

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
