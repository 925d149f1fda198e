/* model/memory/live_set.h - a set of numbers below n, whose neighbours are found in a few steps: a bit
 * each, and above them a bit for each word that is not empty. */
#ifndef ROOF_MODEL_MEMORY_LIVE_SET_H
#define ROOF_MODEL_MEMORY_LIVE_SET_H

#include <stdbool.h>

#include "core/arena.h"

enum { LIVE_SET_LEVELS = 6 }; /* of 64 each: more than 32 bits count */

typedef struct live_set {
    uint64_t *levels[LIVE_SET_LEVELS];
    uint32_t n_levels;
} live_set;

/* Empty. Errors: E_NO_MEMORY. */
roof_status live_set_begin(live_set *s, roof_arena *arena, uint32_t n, roof_error *err);
void live_set_add(live_set *s, uint32_t i);
void live_set_remove(live_set *s, uint32_t i);

/* The next smaller one, and the next larger one; ROOF_NONE: there is none. */
uint32_t live_set_below(const live_set *s, uint32_t i);
uint32_t live_set_above(const live_set *s, uint32_t i);

#endif
