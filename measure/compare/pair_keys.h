/* measure/compare/pair_keys.h - pairs things of two sides by equal keys, the second one of a key with the
 * second.
 *
 * Ownership: keys are borrowed, all else is the arena's.
 */
#ifndef ROOF_MEASURE_PAIR_KEYS_H
#define ROOF_MEASURE_PAIR_KEYS_H

#include "core/arena.h"
#include "roofline/status.h"

/* Keys to be paired, and the index of what each is paired with, or ROOF_NONE. */
typedef struct key_list {
    const char **of; /* NULL: it has none */
    uint32_t *mate, n;
} key_list;

/* Nothing is paired yet. Errors: E_NO_MEMORY. */
roof_status pair_keys_new(roof_arena *arena, uint32_t n, key_list *out, roof_error *err);

/* Pairs equal keys of what is not paired yet. Errors: E_NO_MEMORY. */
roof_status pair_keys(roof_arena *arena, key_list *a, key_list *b, roof_error *err);

#endif
