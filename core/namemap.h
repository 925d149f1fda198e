/* core/namemap.h - from names to indices, for tables that are filled once and then asked.
 *
 * Why own code: with uthash, looking names up was a quarter of the time of a large graph, since it walks
 * chains of nodes and each node is a cache miss. Here a look-up touches one slot and, when its hash agrees,
 * the name.
 *
 * Ownership: the map lives in the arena; names are borrowed and must outlive it.
 */
#ifndef ROOF_CORE_NAMEMAP_H
#define ROOF_CORE_NAMEMAP_H

#include <stdbool.h>
#include "core/arena.h"
#include "roofline/status.h"

typedef struct namemap namemap;

/* Room for capacity names. NULL without memory. */
namemap *namemap_new(roof_arena *arena, size_t capacity);

/* Adds a name. False when it is there already, which is left as it is, or when the map is full. */
bool namemap_add(namemap *map, const void *name, size_t length, uint32_t index);

/* The index of a name, or ROOF_NONE. */
uint32_t namemap_find(const namemap *map, const void *name, size_t length);

#endif
