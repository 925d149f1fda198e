#include "core/namemap.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

typedef struct slot {
    const void *name; /* NULL: free */
    size_t length;
    uint32_t hash, index;
} slot;

struct roof_namemap {
    slot *slots;
    size_t mask; /* number of slots - 1, a power of two less one */
    size_t n, capacity;
};

roof_namemap *roof_namemap_new(roof_arena *arena, size_t capacity)
{
    size_t n_slots = 16;
    while (n_slots / 2 < capacity && n_slots < SIZE_MAX / 2)
        n_slots *= 2;
    roof_namemap *map = ROOF_NEW(arena, roof_namemap);
    slot *slots = map ? ROOF_NEW_ARRAY(arena, slot, n_slots) : NULL;
    if (!slots)
        return NULL;
    *map = (roof_namemap){.slots = slots, .mask = n_slots - 1, .capacity = n_slots / 2};
    return map;
}

/* The slot that has the name, or the free one where it would be. At most half of the slots are used, so there is one. */
static slot *slot_of(const roof_namemap *map, const void *name, size_t length, uint32_t *hash)
{
    uint64_t h = XXH3_64bits(name, length);
    *hash = (uint32_t)(h >> 32);
    for (size_t i = (size_t)h & map->mask;; i = (i + 1) & map->mask) {
        slot *s = &map->slots[i];
        if (!s->name || (s->hash == *hash && s->length == length && memcmp(s->name, name, length) == 0))
            return s;
    }
}

bool roof_namemap_add(roof_namemap *map, const void *name, size_t length, uint32_t index)
{
    uint32_t hash;
    slot *s = slot_of(map, name, length, &hash);
    if (s->name || map->n == map->capacity)
        return false;
    *s = (slot){.name = name, .length = length, .hash = hash, .index = index};
    map->n++;
    return true;
}

uint32_t roof_namemap_find(const roof_namemap *map, const void *name, size_t length)
{
    uint32_t hash;
    const slot *s = slot_of(map, name, length, &hash);
    return s->name ? s->index : ROOF_NONE;
}
