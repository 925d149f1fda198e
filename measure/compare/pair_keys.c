#include "measure/compare/pair_keys.h"
#include "core/error.h"
#include "core/namemap.h"

#include <string.h>

roof_status pair_keys_new(roof_arena *arena, uint32_t n, key_list *out, roof_error *err)
{
    out->n = n;
    TRY(ARENA_GET(arena, out->of, n, err));
    TRY(ARENA_GET(arena, out->mate, n, err));
    memset(out->mate, -1, n * sizeof *out->mate); /* ROOF_NONE */
    return ROOF_OK;
}

roof_status pair_keys(roof_arena *arena, key_list *a, key_list *b, roof_error *err)
{
    namemap *map = namemap_new(arena, b->n);
    uint32_t *first, *next; /* of the keys that are equal to one in the map */
    TRY(ARENA_GET(arena, first, b->n, err));
    TRY(ARENA_GET(arena, next, b->n, err));
    if (!map)
        return error_memory(err);
    memset(first, -1, b->n * sizeof *first);
    for (uint32_t i = b->n; i-- > 0;) {
        if (!b->of[i] || b->mate[i] != ROOF_NONE)
            continue;
        uint32_t in_map = namemap_find(map, b->of[i], strlen(b->of[i]));
        if (in_map == ROOF_NONE)
            namemap_add(map, b->of[i], strlen(b->of[i]), in_map = i);
        next[i] = first[in_map];
        first[in_map] = i;
    }
    for (uint32_t i = 0; i < a->n; i++) {
        bool is_open = a->of[i] && a->mate[i] == ROOF_NONE;
        uint32_t in_map = is_open ? namemap_find(map, a->of[i], strlen(a->of[i])) : ROOF_NONE;
        if (in_map == ROOF_NONE || first[in_map] == ROOF_NONE)
            continue;
        a->mate[i] = first[in_map];
        b->mate[a->mate[i]] = i;
        first[in_map] = next[a->mate[i]];
    }
    return ROOF_OK;
}
