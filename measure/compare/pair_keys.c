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
    namechain keys;
    bool *is_taken;
    TRY(namechain_new(arena, b->n, &keys, err));
    TRY(ARENA_GET(arena, is_taken, b->n, err));
    for (uint32_t i = 0; i < b->n; i++)
        if (b->of[i] && b->mate[i] == ROOF_NONE)
            namechain_add(&keys, span_of(b->of[i]), i);
    for (uint32_t i = 0; i < a->n; i++) {
        const bool is_open = a->of[i] && a->mate[i] == ROOF_NONE;
        const uint32_t mate = is_open ? namechain_open(&keys, span_of(a->of[i]), is_taken) : ROOF_NONE;
        if (mate == ROOF_NONE)
            continue;
        a->mate[i] = mate;
        b->mate[mate] = i;
        is_taken[mate] = true;
    }
    return ROOF_OK;
}
