#include "core/sets.h"

roof_status sets_new(roof_arena *arena, uint32_t n, uint32_t **out, roof_error *err)
{
    TRY(ARENA_GET(arena, *out, n, err));
    for (uint32_t i = 0; i < n; i++)
        (*out)[i] = i;
    return ROOF_OK;
}

uint32_t sets_root(uint32_t *sets, uint32_t of)
{
    while (sets[of] != of)
        of = sets[of] = sets[sets[of]]; /* halves the way, so that the next one is short */
    return of;
}

uint32_t sets_join(uint32_t *sets, uint32_t to, uint32_t joined)
{
    const uint32_t root = sets_root(sets, to);
    sets[sets_root(sets, joined)] = root;
    return root;
}
