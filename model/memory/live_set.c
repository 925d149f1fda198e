#include "model/memory/live_bytes.h"
#include "core/error.h"

enum { WORD_BITS = 64, WORD_SHIFT = 6 };

roof_status live_set_begin(live_set *s, roof_arena *arena, uint32_t n, roof_error *err)
{
    *s = (live_set){0};
    do {
        n = n / WORD_BITS + 1;
        TRY(ARENA_GET(arena, s->levels[s->n_levels], n, err));
        s->n_levels++;
    } while (n > 1);
    return ROOF_OK;
}

void live_set_add(live_set *s, uint32_t i)
{
    for (uint32_t k = 0; k < s->n_levels; k++, i >>= WORD_SHIFT)
        s->levels[k][i >> WORD_SHIFT] |= UINT64_C(1) << i % WORD_BITS;
}

void live_set_remove(live_set *s, uint32_t i)
{
    for (uint32_t k = 0; k < s->n_levels; k++, i >>= WORD_SHIFT) {
        s->levels[k][i >> WORD_SHIFT] &= ~(UINT64_C(1) << i % WORD_BITS);
        if (s->levels[k][i >> WORD_SHIFT])
            return;
    }
}

/* Up to the first level that has a neighbour, then down along the nearest ones. */
static uint32_t neighbour(const live_set *s, uint32_t i, bool is_above)
{
    for (uint32_t k = 0; k < s->n_levels; k++, i >>= WORD_SHIFT) {
        const unsigned bit = i % WORD_BITS;
        const uint64_t side =
            is_above ? bit == WORD_BITS - 1 ? 0 : ~UINT64_C(0) << (bit + 1) : (UINT64_C(1) << bit) - 1;
        uint64_t word = s->levels[k][i >> WORD_SHIFT] & side;
        if (!word)
            continue;
        i >>= WORD_SHIFT;
        for (;;) {
            i = i << WORD_SHIFT |
                (uint32_t)(is_above ? __builtin_ctzll(word) : WORD_BITS - 1 - __builtin_clzll(word));
            if (!k--)
                return i;
            word = s->levels[k][i];
        }
    }
    return ROOF_NONE;
}

uint32_t live_set_below(const live_set *s, uint32_t i)
{
    return neighbour(s, i, false);
}

uint32_t live_set_above(const live_set *s, uint32_t i)
{
    return neighbour(s, i, true);
}
