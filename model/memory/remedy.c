/* The smallest sets of buffers without which, or with half of which, a pool's peak is at most its size.
 * Sets of one and of two are looked for exhaustively; larger ones step by step, each time what saves most.
 *
 * Buffers that share bytes while both are live are one tensor under several names (in-place operators,
 * slices of a concatenation), and shrink together: a group. Groups share no byte in any row, so what they
 * save adds up.
 */
#include "model/memory/memory_build.h"
#include "core/sets.h"

/* Seconds at most, whatever a file holds; real ones take thousandths of it. */
enum { MOST_STEPS = 128 << 20, MOST_CHANGES = 16 };

/* Bytes of a group in a row that is too large. */
typedef struct share {
    uint32_t row, group; /* row: of the large ones */
    uint64_t bytes;
} share;

typedef struct group {
    uint32_t first_member, n_members; /* of the search's members */
    uint32_t first_share, n_shares;   /* in the order of rows */
    uint64_t most_bytes;
} group;

typedef struct search {
    roof_memory_pool *pool;
    const memory_buffer *items;
    uint32_t n_items;
    bool is_placed;
    uint32_t *large;    /* rows that are too large */
    uint64_t *excesses; /* of each */
    uint32_t n_large;
    const memory_span **members; /* of all groups, group by group, each in the order of addresses */
    uint32_t *member_items;      /* the buffer of each */
    group *groups;
    uint32_t n_groups;
    share *shares; /* by group */
    uint32_t n_shares;
    memory_groups by_row; /* the same by row */
    bool halves;
    uint32_t chosen[MOST_CHANGES], n_chosen;
    uint64_t steps;
    roof_arena *arena, *scratch;
    roof_error *err;
} search;

static uint64_t saved(const search *s, uint64_t bytes)
{
    return s->halves ? bytes / 2 : bytes;
}

static bool gives_up(const search *s)
{
    return s->steps >= MOST_STEPS;
}

/* ---- groups ---- */

typedef struct candidate {
    memory_span span;
    uint32_t item, root; /* root: a candidate of the same group, itself of the first */
} candidate;

static uint64_t row_of(const void *large)
{
    return *(const uint32_t *)large;
}

/* The first large row from a row on. */
static uint32_t large_from(const search *s, uint32_t row)
{
    return lower_bound_search(s->large, s->n_large, sizeof *s->large, row, row_of);
}

/* Buffers that live in a large row. */
static roof_status find_candidates(search *s, candidate **out, uint32_t *n_out)
{
    candidate *all;
    uint32_t n = 0;
    TRY(ARENA_GET(s->scratch, all, s->n_items, s->err));
    for (uint32_t i = 0; i < s->n_items; i++) {
        const memory_buffer *x = &s->items[i];
        const uint32_t at = large_from(s, x->first_row);
        const uint64_t lo = s->is_placed ? x->offset_bytes : 0;
        if (at < s->n_large && s->large[at] <= x->last_row)
            all[n++] = (candidate){{lo, lo + x->bytes, x->first_row, x->last_row}, i, 0};
    }
    order_sort(all, n, sizeof *all, ORDER_BY(RISING(candidate, span.lo)));
    *out = all;
    *n_out = n;
    return ROOF_OK;
}

/* Brings together what shares bytes: along the addresses, with all that reaches to the present one. */
static roof_status join(search *s, candidate *all, uint32_t n)
{
    uint32_t *open, n_open = 0, *sets;
    TRY(sets_new(s->scratch, n, &sets, s->err));
    TRY(ARENA_GET(s->scratch, open, n, s->err));
    for (uint32_t i = 0; s->is_placed && i < n && !gives_up(s); i++) {
        uint32_t kept = 0;
        for (uint32_t k = 0; k < n_open; k++, s->steps++) {
            const memory_span *other = &all[open[k]].span, *own = &all[i].span;
            if (other->hi <= own->lo)
                continue;
            if (other->first <= own->last && own->first <= other->last)
                sets_join(sets, open[k], i);
            open[kept++] = open[k];
        }
        open[kept++] = i;
        n_open = kept;
    }
    for (uint32_t i = 0; i < n; i++)
        all[i].root = sets_root(sets, i);
    return ROOF_OK;
}

static uint64_t group_bytes(const search *s, const group *g, uint32_t row)
{
    return spans_covered(s->members + g->first_member, g->n_members, row, 0, UINT64_MAX);
}

static roof_status add_shares(search *s, uint32_t index)
{
    group *g = &s->groups[index];
    uint32_t first = UINT32_MAX, last = 0;
    for (uint32_t k = 0; k < g->n_members; k++) {
        const memory_span *m = s->members[g->first_member + k];
        first = m->first < first ? m->first : first;
        last = m->last > last ? m->last : last;
    }
    g->first_share = s->n_shares;
    for (uint32_t at = large_from(s, first); at < s->n_large && s->large[at] <= last && !gives_up(s); at++) {
        const uint64_t bytes = group_bytes(s, g, s->large[at]);
        s->steps += g->n_members;
        if (!bytes)
            continue;
        TRY(ARENA_ADD(s->scratch, s->shares, s->n_shares, s->err, (share){at, index, bytes}));
        g->most_bytes = bytes > g->most_bytes ? bytes : g->most_bytes;
    }
    g->n_shares = s->n_shares - g->first_share;
    return ROOF_OK;
}

static roof_status find_groups(search *s)
{
    candidate *all;
    uint32_t n;
    TRY(find_candidates(s, &all, &n));
    TRY(join(s, all, n));
    order_sort(all, n, sizeof *all, ORDER_BY(RISING(candidate, root))); /* and by address as before */
    TRY(ARENA_GET3(s->scratch, s->members, s->member_items, s->groups, n, s->err));
    for (uint32_t i = 0; i < n && !gives_up(s); i++) {
        s->members[i] = &all[i].span;
        s->member_items[i] = all[i].item;
        if (!i || all[i].root != all[i - 1].root)
            s->groups[s->n_groups++] = (group){.first_member = i};
        s->groups[s->n_groups - 1].n_members++;
    }
    for (uint32_t g = 0; g < s->n_groups; g++)
        TRY(add_shares(s, g));
    return memory_group(s->shares, s->n_shares, sizeof *s->shares, offsetof(share, row), s->n_large,
                        &s->by_row, s->scratch, s->err);
}

/* ---- sets ---- */

/* True if a group saves in each row what is still too much: left[row], 0 where nothing is. */
static bool is_enough(search *s, const group *g, const uint64_t *left)
{
    uint32_t k = 0;
    for (uint32_t r = 0; r < s->n_large; r++, s->steps++) {
        while (k < g->n_shares && s->shares[g->first_share + k].row < r)
            k++;
        const bool has = k < g->n_shares && s->shares[g->first_share + k].row == r;
        if (left[r] > (has ? saved(s, s->shares[g->first_share + k].bytes) : 0))
            return false;
    }
    return true;
}

static void take_off(const search *s, const group *g, uint64_t *left)
{
    for (uint32_t k = 0; k < g->n_shares; k++) {
        const share *own = &s->shares[g->first_share + k];
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there are n_shares of them */
        const uint64_t saves = saved(s, own->bytes);
        left[own->row] -= saves < left[own->row] ? saves : left[own->row];
    }
}

/* The smallest group that is enough for what is left, but for one that was taken already. A group that is
 * enough lives in the first row that is left. */
static uint32_t find_one(search *s, const uint64_t *left, uint32_t taken)
{
    uint32_t best = ROOF_NONE, row = 0;
    while (row < s->n_large && !left[row])
        row++;
    for (uint32_t i = row < s->n_large ? s->by_row.start[row] : 0;
         row < s->n_large && i < s->by_row.start[row + 1]; i++) {
        const uint32_t g = s->shares[s->by_row.order[i]].group;
        if (g != taken && !gives_up(s) && is_enough(s, &s->groups[g], left) &&
            (best == ROOF_NONE || s->groups[g].most_bytes < s->groups[best].most_bytes))
            best = g;
    }
    return best;
}

/* One of two lives in the first large row; the other one has to be enough for what that leaves. */
static roof_status find_two(search *s)
{
    uint64_t *left, least = UINT64_MAX;
    TRY(ARENA_GET(s->scratch, left, s->n_large, s->err));
    for (uint32_t i = s->by_row.start[0]; i < s->by_row.start[1] && !gives_up(s); i++) {
        const uint32_t one = s->shares[s->by_row.order[i]].group;
        memcpy(left, s->excesses, s->n_large * sizeof *left);
        take_off(s, &s->groups[one], left);
        s->steps += s->n_large;
        const uint32_t other = find_one(s, left, one);
        if (other == ROOF_NONE)
            continue;
        const uint64_t both = s->groups[one].most_bytes + s->groups[other].most_bytes;
        if (both < least) {
            least = both;
            s->chosen[0] = one;
            s->chosen[1] = other;
            s->n_chosen = 2;
        }
    }
    return ROOF_OK;
}

/* Each time what takes most off what is left. False: even so many are not enough. */
static roof_status find_step_by_step(search *s, bool *is_found)
{
    uint64_t *left = s->excesses;
    TRY(ARENA_KEEP(s->scratch, left, s->n_large, s->err));
    for (;;) {
        uint32_t best = ROOF_NONE, row = 0;
        long double most = 0; /* of sums that may leave 64 bits */
        while (row < s->n_large && !left[row])
            row++;
        *is_found = row == s->n_large;
        if (*is_found || s->n_chosen == MOST_CHANGES)
            return ROOF_OK;
        for (uint32_t g = 0; g < s->n_groups; g++) {
            long double gain = 0;
            bool is_chosen = false;
            for (uint32_t c = 0; c < s->n_chosen; c++)
                is_chosen = is_chosen || s->chosen[c] == g;
            for (uint32_t k = 0; k < s->groups[g].n_shares && !is_chosen; k++) {
                const share *own = &s->shares[s->groups[g].first_share + k];
                const uint64_t saves = saved(s, own->bytes);
                gain += (long double)(saves < left[own->row] ? saves : left[own->row]);
            }
            if (gain > most) {
                most = gain;
                best = g;
            }
        }
        if (best == ROOF_NONE)
            return ROOF_OK;
        s->chosen[s->n_chosen++] = best;
        take_off(s, &s->groups[best], left);
    }
}

/* ---- result of a set ---- */

/* The peak of all rows, of those that were not too large as well: a group may share bytes there with buffers
 * outside it. */
static roof_status find_peak_after(search *s, uint64_t *peak)
{
    const roof_memory_pool *pool = s->pool;
    unsigned char *is_gone;
    memory_span *rest;
    uint64_t *bytes;
    uint32_t n = 0;
    TRY(ARENA_GET2(s->scratch, is_gone, rest, s->n_items, s->err));
    TRY(ARENA_GET(s->scratch, bytes, pool->n_rows, s->err));
    for (uint32_t c = 0; c < s->n_chosen; c++) {
        const group *g = &s->groups[s->chosen[c]];
        for (uint32_t k = 0; k < g->n_members; k++)
            is_gone[s->member_items[g->first_member + k]] = 1;
    }
    uint64_t end = 0; /* without places one lies behind the other */
    for (uint32_t i = 0; i < s->n_items; i++) {
        const memory_buffer *x = &s->items[i];
        const uint64_t lo = s->is_placed ? x->offset_bytes : end;
        end += x->bytes;
        if (!is_gone[i])
            rest[n++] = (memory_span){lo, lo + x->bytes, x->first_row, x->last_row};
    }
    TRY(spans_bytes_by_row(rest, n, pool->n_rows, bytes, s->scratch, s->err));
    *peak = 0;
    for (uint32_t r = 0; r < pool->n_rows; r++) {
        uint64_t after = bytes[r];
        for (uint32_t c = 0; s->halves && c < s->n_chosen; c++) {
            const uint64_t own = group_bytes(s, &s->groups[s->chosen[c]], r);
            after += own - own / 2;
        }
        after = after < pool->bytes_by_row[r] ? after : pool->bytes_by_row[r];
        *peak = after > *peak ? after : *peak;
    }
    return ROOF_OK;
}

static roof_status add_remedy(search *s, bool is_smallest)
{
    roof_memory_pool *pool = s->pool;
    TRY(ARENA_MORE(s->arena, pool->remedies, pool->n_remedies, s->err));
    roof_memory_remedy *out = &pool->remedies[pool->n_remedies];
    *out = (roof_memory_remedy){.halves = s->halves, .is_smallest = is_smallest, .n_changes = s->n_chosen};
    TRY(ARENA_GET(s->arena, out->changes, out->n_changes, s->err));
    for (uint32_t c = 0; c < out->n_changes; c++) {
        const group *g = &s->groups[s->chosen[c]];
        const memory_buffer *largest = NULL;
        roof_memory_change *change = &out->changes[c];
        *change =
            (roof_memory_change){.bytes = g->most_bytes, .n_buffers = g->n_members, .first_row = ROOF_NONE};
        for (uint32_t k = 0; k < g->n_members; k++) {
            const memory_buffer *x = &s->items[s->member_items[g->first_member + k]];
            largest = largest && largest->bytes >= x->bytes ? largest : x;
            change->first_row = x->first_row < change->first_row ? x->first_row : change->first_row;
            change->last_row = x->last_row > change->last_row ? x->last_row : change->last_row;
        }
        change->name = largest ? arena_strdup(s->arena, largest->name) : "";
    }
    pool->n_remedies++;
    return find_peak_after(s, &out->peak_bytes);
}

roof_status remedies_find(const memory_builder *b, roof_memory_pool *pool, const memory_buffer *items,
                          uint32_t n, bool is_placed)
{
    search s = {.pool = pool,
                .items = items,
                .n_items = n,
                .is_placed = is_placed,
                .arena = b->arena,
                .scratch = b->scratch,
                .err = b->err};
    TRY(ARENA_GET2(s.scratch, s.large, s.excesses, pool->n_rows, s.err));
    for (uint32_t r = 0; r < pool->n_rows; r++)
        if (pool->bytes_by_row[r] > pool->size_bytes) {
            s.excesses[s.n_large] = pool->bytes_by_row[r] - pool->size_bytes;
            s.large[s.n_large++] = r;
        }
    TRY(find_groups(&s));
    for (int way = 0; way < 2; way++) {
        s.halves = way == 1;
        s.n_chosen = 0;
        s.chosen[0] = find_one(&s, s.excesses, ROOF_NONE);
        s.n_chosen = s.chosen[0] != ROOF_NONE;
        if (!s.n_chosen)
            TRY(find_two(&s));
        const bool is_smallest = s.n_chosen > 0 && !gives_up(&s);
        bool is_found = s.n_chosen > 0;
        if (!is_found && !gives_up(&s))
            TRY(find_step_by_step(&s, &is_found));
        if (is_found && !gives_up(&s))
            TRY(add_remedy(&s, is_smallest));
    }
    if (gives_up(&s))
        pool->why_no_remedy =
            "too many buffers are live in rows that are too large for sets of them to be searched";
    else if (!pool->n_remedies)
        pool->why_no_remedy = "no sixteen buffers are enough, neither halved nor gone";
    return ROOF_OK;
}
