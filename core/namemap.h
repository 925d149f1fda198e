/* core/namemap.h - from names to indices, for tables that are filled once and then asked.
 *
 * Why own code: with uthash, looking names up was a quarter of the time of a large graph, since it walks
 * chains of nodes and each node is a cache miss. Here a look-up touches one slot and, when its hash agrees,
 * the name.
 *
 * Ownership: the map lives in the arena; names are borrowed and must outlive it.
 */
#pragma once

#include <stdbool.h>
#include "core/arena.h"
#include "core/span.h"
#include "roofline/status.h"

typedef struct namemap namemap;

/* Room for capacity names. NULL without memory. */
namemap *namemap_new(roof_arena *arena, size_t capacity);

/* Adds a name. False when it is there already, which is left as it is, or when the map is full. */
bool namemap_add(namemap *map, const void *name, size_t length, uint32_t index);

/* The index of a name, or ROOF_NONE. */
uint32_t namemap_find(const namemap *map, const void *name, size_t length);

/* ---- several of one name ---- */

/* Indices by name, those of one name in the order in which they were added. */
typedef struct namechain {
    namemap *map;
    uint32_t *next, *last; /* by index; last: of the first one of a name */
} namechain;

/* Room for n indices from 0 on. Errors: E_NO_MEMORY. */
roof_status namechain_new(roof_arena *arena, uint32_t n, namechain *out, roof_error *err);
void namechain_add(namechain *chain, text_span name, uint32_t index);

/* The first index of a name, or ROOF_NONE; the first of those that are not taken. A taken index stays so, and
 * the way past it is made short: thousands may have one name. */
uint32_t namechain_first(const namechain *chain, text_span name);
uint32_t namechain_open(namechain *chain, text_span name, const bool *is_taken);
