#include "model/memory/memory_build.h"

/* ---- a set of numbers below n, whose neighbours are found in a few steps: a bit each, and above them a bit
 * for each word that is not empty ---- */

enum { WORD_BITS = 64, WORD_SHIFT = 6, LIVE_SET_LEVELS = 6 }; /* 64^6: more than 32 bits count */

typedef struct live_set {
    uint64_t *levels[LIVE_SET_LEVELS];
    uint32_t n_levels;
} live_set;

static roof_status live_set_begin(live_set *s, roof_arena *arena, uint32_t n, roof_error *err)
{
    *s = (live_set){0};
    do {
        n = n / WORD_BITS + 1;
        TRY(ARENA_GET(arena, s->levels[s->n_levels], n, err));
        s->n_levels++;
    } while (n > 1);
    return ROOF_OK;
}

static void live_set_add(live_set *s, uint32_t i)
{
    for (uint32_t k = 0; k < s->n_levels; k++, i >>= WORD_SHIFT)
        s->levels[k][i >> WORD_SHIFT] |= UINT64_C(1) << i % WORD_BITS;
}

static void live_set_remove(live_set *s, uint32_t i)
{
    for (uint32_t k = 0; k < s->n_levels; k++, i >>= WORD_SHIFT) {
        s->levels[k][i >> WORD_SHIFT] &= ~(UINT64_C(1) << i % WORD_BITS);
        if (s->levels[k][i >> WORD_SHIFT])
            return;
    }
}

/* The next smaller one, or the next larger one; ROOF_NONE: there is none. Up to the first level that has it,
 * then down along the nearest ones. */
static uint32_t live_set_beside(const live_set *s, uint32_t i, bool is_above)
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

/* ---- bytes by row ---- */

roof_status memory_group(const void *items, uint32_t n, size_t size, size_t at, uint32_t n_groups,
                         memory_groups *out, roof_arena *arena, roof_error *err)
{
    TRY(ARENA_GET(arena, out->start, (size_t)n_groups + 2, err));
    TRY(ARENA_GET(arena, out->order, n, err));
    const char *const numbers = n ? (const char *)items + at : NULL; /* without any there may be no list */
    uint32_t *next = out->start + 1; /* one further on while the places are counted up */
    for (uint32_t i = 0; i < n; i++)
        next[*(const uint32_t *)(numbers + i * size) + 1]++;
    for (uint32_t g = 0; g < n_groups; g++)
        next[g + 1] += next[g];
    for (uint32_t i = 0; i < n; i++)
        out->order[next[*(const uint32_t *)(numbers + i * size)]++] = i;
    return ROOF_OK;
}

typedef struct sweep {
    const memory_span *spans;
    uint32_t n, n_rows;
    memory_groups begins, ends;
    uint64_t *bytes;
    roof_arena *arena;
    roof_error *err;
} sweep;

/* The sum of what is alive. False: two that are live overlap, and bytes mean nothing. */
static roof_status sum_disjoint(const sweep *w, bool *is_disjoint)
{
    live_set live;
    uint64_t sum = 0;
    TRY(live_set_begin(&live, w->arena, w->n, w->err));
    for (uint32_t r = 0; r < w->n_rows; r++) {
        for (uint32_t k = r ? w->ends.start[r - 1] : 0; r && k < w->ends.start[r]; k++) {
            live_set_remove(&live, w->ends.order[k]);
            sum -= w->spans[w->ends.order[k]].hi - w->spans[w->ends.order[k]].lo;
        }
        for (uint32_t k = w->begins.start[r]; k < w->begins.start[r + 1]; k++) {
            const uint32_t i = w->begins.order[k], below = live_set_beside(&live, i, false),
                           above = live_set_beside(&live, i, true);
            const memory_span *own = &w->spans[i];
            if ((below != ROOF_NONE && w->spans[below].hi > own->lo) ||
                (above != ROOF_NONE && w->spans[above].lo < own->hi)) {
                *is_disjoint = false;
                return ROOF_OK;
            }
            live_set_add(&live, i);
            sum += own->hi - own->lo;
        }
        w->bytes[r] = sum;
    }
    *is_disjoint = true;
    return ROOF_OK;
}

/* A tree over the stretches between all ends of spans: how often a node is covered as a whole, and how
 * many bytes of it are covered at all. */
typedef struct cover {
    const uint64_t *ends;
    uint32_t *counts;
    uint64_t *bytes;
} cover;

static void cover_change(const cover *c, size_t node, uint32_t from, uint32_t to, const memory_span *s,
                         uint32_t by)
{
    if (s->hi <= c->ends[from] || s->lo >= c->ends[to])
        return;
    if (s->lo <= c->ends[from] && s->hi >= c->ends[to]) {
        c->counts[node] += by; /* by is 1, or -1 without sign */
    } else {
        const uint32_t middle = from + (to - from) / 2; /* as deep as the tree: 24 of 2^23 spans */
        cover_change(c, 2 * node, from, middle, s, by);
        cover_change(c, 2 * node + 1, middle, to, s, by);
    }
    c->bytes[node] = c->counts[node]  ? c->ends[to] - c->ends[from]
                     : to - from == 1 ? 0
                                      : c->bytes[2 * node] + c->bytes[2 * node + 1];
}

static roof_status sum_union(const sweep *w)
{
    uint64_t *ends;
    cover c;
    uint32_t n_ends = 0;
    TRY(ARENA_GET(w->arena, ends, 2 * (size_t)w->n, w->err));
    for (uint32_t i = 0; i < w->n; i++) {
        ends[n_ends++] = w->spans[i].lo;
        ends[n_ends++] = w->spans[i].hi;
    }
    ORDER_VALUES(ends, n_ends);
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_ends; i++)
        if (!n || ends[n - 1] != ends[i])
            ends[n++] = ends[i];
    c.ends = ends;
    TRY(ARENA_GET2(w->arena, c.counts, c.bytes, 4 * (size_t)n, w->err));
    for (uint32_t r = 0; r < w->n_rows; r++) {
        for (uint32_t k = r ? w->ends.start[r - 1] : 0; r && k < w->ends.start[r]; k++)
            cover_change(&c, 1, 0, n - 1, &w->spans[w->ends.order[k]], UINT32_MAX);
        for (uint32_t k = w->begins.start[r]; k < w->begins.start[r + 1]; k++)
            cover_change(&c, 1, 0, n - 1, &w->spans[w->begins.order[k]], 1);
        w->bytes[r] = c.bytes[1];
    }
    return ROOF_OK;
}

roof_status spans_bytes_by_row(memory_span *spans, uint32_t n, uint32_t n_rows, uint64_t *bytes,
                               roof_arena *arena, roof_error *err)
{
    sweep w = {.spans = spans, .n_rows = n_rows, .bytes = bytes, .arena = arena, .err = err};
    const order_key *in_order =
        ORDER_BY(RISING(memory_span, lo), RISING(memory_span, hi), RISING(memory_span, first));
    bool is_disjoint = true;
    uint32_t n_sorted = 1;
    if (!n)
        return ROOF_OK;
    while (n_sorted < n && order_compare(&spans[n_sorted - 1], &spans[n_sorted], in_order) <= 0)
        n_sorted++;
    if (n_sorted < n)
        order_sort(spans, n, sizeof *spans, in_order);
    uint32_t kept = 0; /* ranges that are equal and alive in a common row become one */
    for (uint32_t i = 0; i < n; i++) {
        memory_span *last = kept ? &spans[kept - 1] : NULL;
        if (last && last->lo == spans[i].lo && last->hi == spans[i].hi && last->last >= spans[i].first)
            last->last = spans[i].last > last->last ? spans[i].last : last->last;
        else
            spans[kept++] = spans[i];
    }
    w.n = kept;
    TRY(memory_group(spans, w.n, sizeof *spans, offsetof(memory_span, first), n_rows, &w.begins, arena, err));
    TRY(memory_group(spans, w.n, sizeof *spans, offsetof(memory_span, last), n_rows, &w.ends, arena, err));
    TRY(sum_disjoint(&w, &is_disjoint));
    return is_disjoint ? ROOF_OK : sum_union(&w);
}

uint64_t spans_covered(const memory_span *const *spans, uint32_t n, uint32_t row, uint64_t lo, uint64_t hi)
{
    uint64_t covered = 0, end = lo;
    for (uint32_t i = 0; i < n; i++) {
        const memory_span *s = spans[i];
        const uint64_t from = s->lo > end ? s->lo : end, to = s->hi < hi ? s->hi : hi;
        if (row < s->first || row > s->last || to <= from)
            continue;
        covered += to - from;
        end = to;
    }
    return covered;
}
