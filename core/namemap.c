#include "core/namemap.h"
#include "core/error.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* Names lie in the order in which they were added; slots are small, so that the table stays in the cache. */
typedef struct entry {
    const void *name;
    size_t length;
} entry;

typedef struct slot {
    uint32_t hash;
    uint32_t place; /* in entries, from 1; 0: free */
} slot;

struct namemap {
    slot *slots;
    entry *entries;
    uint32_t *indices;
    size_t mask; /* number of slots - 1, a power of two less one */
    size_t n, capacity;
    uint64_t seed;
};

namemap *namemap_new(roof_arena *arena, size_t capacity)
{
    size_t n_slots = 16;
    while (n_slots / 2 < capacity && n_slots < SIZE_MAX / 2)
        n_slots *= 2;
    namemap *map = NEW(arena, namemap);
    slot *slots = map ? NEW_ARRAY(arena, slot, n_slots) : NULL;
    entry *entries = slots ? NEW_ARRAY(arena, entry, capacity) : NULL;
    uint32_t *indices = entries ? NEW_ARRAY(arena, uint32_t, capacity) : NULL;
    if (!indices || capacity >= UINT32_MAX)
        return NULL;
    /* Where the map lies differs from run to run, so names that all fall into one slot cannot be crafted. */
    *map = (namemap){.slots = slots,
                     .entries = entries,
                     .indices = indices,
                     .mask = n_slots - 1,
                     .capacity = capacity,
                     .seed = (uint64_t)(uintptr_t)map};
    return map;
}

/* The slot that has the name, or the free one where it would be. At most half of the slots are used. */
static slot *slot_of(const namemap *map, const void *name, size_t length, uint32_t *hash)
{
    uint64_t h = XXH3_64bits_withSeed(name, length, map->seed);
    *hash = (uint32_t)(h >> 32);
    for (size_t i = (size_t)h & map->mask;; i = (i + 1) & map->mask) {
        slot *s = &map->slots[i];
        if (!s->place)
            return s;
        const entry *e = &map->entries[s->place - 1];
        if (s->hash == *hash && e->length == length && memcmp(e->name, name, length) == 0)
            return s;
    }
}

bool namemap_add(namemap *map, const void *name, size_t length, uint32_t index)
{
    uint32_t hash;
    slot *s = slot_of(map, name, length, &hash);
    if (s->place || map->n == map->capacity)
        return false;
    map->entries[map->n] = (entry){.name = name, .length = length};
    map->indices[map->n++] = index;
    *s = (slot){.hash = hash, .place = (uint32_t)map->n};
    return true;
}

uint32_t namemap_find(const namemap *map, const void *name, size_t length)
{
    uint32_t hash;
    const slot *s = slot_of(map, name, length, &hash);
    return s->place ? map->indices[s->place - 1] : ROOF_NONE;
}

/* ---- several of one name ---- */

roof_status namechain_new(roof_arena *arena, uint32_t n, namechain *out, roof_error *err)
{
    TRY(ARENA_GET2(arena, out->next, out->last, n, err));
    out->map = namemap_new(arena, n);
    return ALLOCATED(out->map, err);
}

void namechain_add(namechain *chain, text_span name, uint32_t index)
{
    const uint32_t first = namechain_first(chain, name);
    chain->next[index] = ROOF_NONE;
    if (first == ROOF_NONE)
        namemap_add(chain->map, name.text, name.length, index);
    else
        chain->next[chain->last[first]] = index;
    chain->last[first == ROOF_NONE ? index : first] = index;
}

uint32_t namechain_first(const namechain *chain, text_span name)
{
    return namemap_find(chain->map, name.text, name.length);
}

uint32_t namechain_open(namechain *chain, text_span name, const bool *is_taken)
{
    const uint32_t first = namechain_first(chain, name);
    uint32_t index = first;
    while (index != ROOF_NONE && is_taken[index])
        index = chain->next[index];
    if (first != index)
        chain->next[first] = index;
    return index;
}
