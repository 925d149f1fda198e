/* From rows, pools and buffers to bytes by row, peaks, what is alive there, and what each of it is worth. */
#include "model/memory/memory_build.h"

/* ---- pools and buffers of a format ---- */

roof_status memory_add_row(memory_builder *b, const char *name)
{
    TRY(HAS_ROOM(b->out->n_rows, MEMORY_MOST_ROWS, b->err, "rows"));
    TRY(ARENA_MORE(b->arena, b->out->row_names, b->out->n_rows, b->err));
    b->out->row_names[b->out->n_rows] = arena_strdup(b->arena, name);
    return b->out->row_names[b->out->n_rows++] ? ROOF_OK : error_memory(b->err);
}

static void forget(roof_memory_pool *pool)
{
    *pool = (roof_memory_pool){.subgraph = ROOF_NONE,
                               .size_bytes = ROOF_UNKNOWN,
                               .stated_bytes = ROOF_UNKNOWN,
                               .high_bytes = ROOF_UNKNOWN,
                               .peak_bytes = ROOF_UNKNOWN,
                               .fragmentation_bytes = ROOF_UNKNOWN,
                               .headroom_bytes = INT64_MIN,
                               .at_row = ROOF_NONE};
}

roof_status memory_add_pool(memory_builder *b, const char *name, roof_memory_kind kind, uint32_t first_row,
                            uint32_t n_rows, roof_memory_pool **pool, uint32_t *index)
{
    TRY(HAS_ROOM(b->out->n_pools, MEMORY_MOST_POOLS, b->err, "memory pools"));
    TRY(ARENA_MORE(b->arena, b->out->pools, b->out->n_pools, b->err));
    *index = b->out->n_pools;
    *pool = &b->out->pools[b->out->n_pools++];
    forget(*pool);
    (*pool)->name = arena_strdup(b->arena, name);
    (*pool)->kind = kind;
    (*pool)->first_row = first_row;
    (*pool)->n_rows = n_rows;
    return ALLOCATED((*pool)->name, b->err);
}

roof_status memory_add_buffer(memory_builder *b, const memory_buffer *buffer)
{
    const roof_memory_pool *pool = &b->out->pools[buffer->pool];
    const uint64_t offset = buffer->offset_bytes == ROOF_UNKNOWN ? 0 : buffer->offset_bytes;
    if (buffer->first_row > buffer->last_row || buffer->last_row >= pool->n_rows)
        return error_data(
            b->err, "'%.200s' lives in rows %" PRIu32 " to %" PRIu32 ", and '%.80s' has %" PRIu32 " rows",
            buffer->name, buffer->first_row, buffer->last_row, pool->name, pool->n_rows);
    if (offset > INT64_MAX || buffer->bytes > INT64_MAX - offset)
        return error_data(b->err, "'%.200s' ends beyond 2^63 bytes", buffer->name);
    TRY(HAS_ROOM(b->n_buffers, MEMORY_MOST_BUFFERS, b->err, "buffers"));
    return buffer->bytes ? ARENA_ADD(b->scratch, b->buffers, b->n_buffers, b->err, *buffer) : ROOF_OK;
}

/* ---- bytes by row ---- */

/* The buffers of one pool while it is computed. */
typedef struct pool_buffers {
    const memory_buffer *items;
    uint32_t n;
    bool is_placed;     /* all of them have addresses */
    memory_span *spans; /* of all of them, before equal ones are merged */
} pool_buffers;

/* Without addresses: the sum of what is alive. */
static roof_status sum_sizes(const memory_builder *b, roof_memory_pool *pool, const pool_buffers *own)
{
    uint64_t *dying, *born = pool->bytes_by_row, alive = 0;
    bool fits = true;
    TRY(ARENA_GET(b->scratch, dying, pool->n_rows + (size_t)1, b->err));
    FOR_EACH(const memory_buffer, x, own->items, own->n)
        fits = fits && !__builtin_add_overflow(born[x->first_row], x->bytes, &born[x->first_row]) &&
               !__builtin_add_overflow(dying[x->last_row + 1], x->bytes, &dying[x->last_row + 1]);
    for (uint32_t r = 0; r < pool->n_rows && fits; r++) {
        fits = !__builtin_add_overflow(alive - dying[r], born[r], &alive);
        pool->bytes_by_row[r] = alive;
    }
    return fits ? ROOF_OK
                : error_set(b->err, ROOF_E_LIMIT, "the buffers of '%.80s' add up to more than 64 bits",
                            pool->name);
}

static roof_status find_bytes(const memory_builder *b, roof_memory_pool *pool, pool_buffers *own)
{
    memory_span *merged;
    own->is_placed = true;
    FOR_EACH(const memory_buffer, x, own->items, own->n)
        own->is_placed = own->is_placed && x->offset_bytes != ROOF_UNKNOWN;
    TRY(ARENA_GET(b->arena, pool->bytes_by_row, pool->n_rows, b->err));
    if (!own->is_placed)
        return sum_sizes(b, pool, own);
    TRY(ARENA_GET2(b->scratch, own->spans, merged, own->n, b->err));
    pool->high_bytes = 0;
    for (uint32_t i = 0; i < own->n; i++) {
        const memory_buffer *x = &own->items[i];
        merged[i] = own->spans[i] =
            (memory_span){x->offset_bytes, x->offset_bytes + x->bytes, x->first_row, x->last_row};
        pool->high_bytes = merged[i].hi > pool->high_bytes ? merged[i].hi : pool->high_bytes;
    }
    return spans_bytes_by_row(merged, own->n, pool->n_rows, pool->bytes_by_row, b->scratch, b->err);
}

/* Peak, its first row, and how many rows are within 1 % of it. */
static void find_peak(roof_memory_pool *pool)
{
    const uint64_t *bytes = pool->bytes_by_row;
    pool->peak_bytes = pool->at_row = pool->n_rows_near_peak = 0;
    for (uint32_t r = 0; r < pool->n_rows; r++)
        if (bytes[r] > pool->peak_bytes) {
            pool->peak_bytes = bytes[r];
            pool->at_row = r;
        }
    for (uint32_t r = 0; r < pool->n_rows; r++)
        pool->n_rows_near_peak += bytes[r] >= pool->peak_bytes - pool->peak_bytes / 100;
    if (pool->high_bytes != ROOF_UNKNOWN)
        pool->fragmentation_bytes = pool->high_bytes - pool->peak_bytes;
}

/* ---- live memory at the peak ---- */

static bool is_alive(const memory_buffer *x, uint32_t row)
{
    return x->first_row <= row && row <= x->last_row;
}

/* A buffer that shares addresses with one of the peak's row while both are live; a list for each of the
 * latter. */
typedef struct sharer {
    const memory_span *span;
    struct sharer *next;
} sharer;

typedef struct peak_search {
    const memory_builder *b;
    roof_memory_pool *pool;
    const pool_buffers *own;
    const memory_buffer **live; /* of the peak's row, by offset */
    uint64_t *furthest_ends;    /* of these up to each */
    sharer **sharers;
    uint64_t *before, *after; /* the most bytes of all rows before a row, and from it on */
    uint64_t steps;           /* done so far */
} peak_search;

/* Sharing is rare in real files; a file that is made to share all with all is not worth minutes. */
enum { MOST_STEPS = 64 << 20 };

/* Finds the sharers, each seen from the buffers of the peak's row. */
static roof_status find_sharers(peak_search *s)
{
    const memory_span *spans = s->own->spans;
    for (uint32_t i = 0; i < s->own->n && s->steps < MOST_STEPS; i++) {
        uint32_t from = 0, to = s->pool->n_live; /* the first one that begins behind the end */
        while (from < to) {
            const uint32_t middle = from + (to - from) / 2;
            if (s->live[middle]->offset_bytes < spans[i].hi)
                from = middle + 1;
            else
                to = middle;
        }
        for (uint32_t k = from; k-- > 0 && s->furthest_ends[k] > spans[i].lo && s->steps < MOST_STEPS;
             s->steps++) {
            const memory_span *of = &spans[s->live[k] - s->own->items];
            if (of == &spans[i] || of->hi <= spans[i].lo || spans[i].first > of->last ||
                spans[i].last < of->first)
                continue;
            sharer *more;
            TRY(ARENA_GET(s->b->scratch, more, 1, s->b->err));
            *more = (sharer){&spans[i], s->sharers[k]};
            s->sharers[k] = more;
        }
    }
    return ROOF_OK;
}

/* The most bytes of the rows that a buffer lives in, without what it alone covers there. */
static roof_status most_while_sharing(peak_search *s, const memory_span *own, const sharer *sharers,
                                      uint64_t *most)
{
    const memory_span **list;
    uint32_t n = 0;
    for (const sharer *x = sharers; x; x = x->next)
        n++;
    TRY(ARENA_GET(s->b->scratch, list, n, s->b->err));
    n = 0;
    for (const sharer *x = sharers; x; x = x->next)
        list[n++] = x->span;
    order_pointers(list, n, ORDER_BY(RISING(memory_span, lo)));
    *most = 0;
    for (uint32_t r = own->first; r <= own->last && s->steps < MOST_STEPS; r++, s->steps += n) {
        const uint64_t alone = own->hi - own->lo - spans_covered(list, n, r, own->lo, own->hi);
        const uint64_t without = s->pool->bytes_by_row[r] - alone;
        *most = without > *most ? without : *most;
    }
    return ROOF_OK;
}

static roof_status list_live(peak_search *s)
{
    const pool_buffers *own = s->own;
    roof_memory_pool *pool = s->pool;
    uint32_t n = 0;
    for (uint32_t i = 0; i < own->n; i++)
        pool->n_live += is_alive(&own->items[i], pool->at_row);
    TRY(ARENA_GET2(s->b->scratch, s->live, s->furthest_ends, pool->n_live, s->b->err));
    for (uint32_t i = 0; i < own->n; i++)
        if (is_alive(&own->items[i], pool->at_row))
            s->live[n++] = &own->items[i];
    order_pointers(s->live, n, ORDER_BY(RISING(memory_buffer, offset_bytes)));
    for (uint32_t k = 0; k < n; k++) {
        const uint64_t end = own->is_placed ? s->live[k]->offset_bytes + s->live[k]->bytes : 0;
        s->furthest_ends[k] = k && s->furthest_ends[k - 1] > end ? s->furthest_ends[k - 1] : end;
    }
    return ROOF_OK;
}

static roof_status find_live(const memory_builder *b, roof_memory_pool *pool, const pool_buffers *own)
{
    peak_search s = {.b = b, .pool = pool, .own = own};
    const uint64_t *bytes = pool->bytes_by_row;
    TRY(list_live(&s));
    TRY(ARENA_GET2(b->scratch, s.before, s.after, pool->n_rows + (size_t)1, b->err));
    for (uint32_t r = 0; r < pool->n_rows; r++)
        s.before[r + 1] = bytes[r] > s.before[r] ? bytes[r] : s.before[r];
    for (uint32_t r = pool->n_rows; r-- > 0;)
        s.after[r] = bytes[r] > s.after[r + 1] ? bytes[r] : s.after[r + 1];
    if (own->is_placed) {
        TRY(ARENA_GET(b->scratch, s.sharers, pool->n_live, b->err));
        TRY(find_sharers(&s));
    }
    TRY(ARENA_GET(b->arena, pool->live, pool->n_live, b->err));
    for (uint32_t k = 0; k < pool->n_live; k++) {
        /* where nothing shares with a buffer, its rows have the peak without it at most, as the peak's row is
         * one of them */
        const memory_buffer *x = s.live[k];
        uint64_t most = pool->peak_bytes - x->bytes;
        if (s.sharers && s.sharers[k])
            TRY(most_while_sharing(&s, &own->spans[x - own->items], s.sharers[k], &most));
        most = s.before[x->first_row] > most ? s.before[x->first_row] : most;
        most = s.after[x->last_row + 1] > most ? s.after[x->last_row + 1] : most;
        pool->live[k] = (roof_memory_buffer){.name = arena_strdup(b->arena, x->name),
                                             .offset_bytes = x->offset_bytes,
                                             .bytes = x->bytes,
                                             .first_row = x->first_row,
                                             .last_row = x->last_row,
                                             .peak_without_bytes = most};
    }
    if (s.steps >= MOST_STEPS) { /* counts so far are as incomplete as the rest: sharers may lack */
        pool->why_not_without = "buffers share too many of their bytes for this to be counted";
        for (uint32_t k = 0; k < pool->n_live; k++)
            pool->live[k].peak_without_bytes = ROOF_UNKNOWN;
    }
    TRY(arena_status(b->arena, b->err)); /* names are compared */
    order_sort(pool->live, pool->n_live, sizeof *pool->live,
               ORDER_BY(FALLING(roof_memory_buffer, bytes), RISING(roof_memory_buffer, offset_bytes),
                        RISING(roof_memory_buffer, first_row), RISING(roof_memory_buffer, name)));
    return ROOF_OK;
}

/* ---- the whole of a pool ---- */

static roof_status finish_pool(const memory_builder *b, roof_memory_pool *pool, const memory_buffer *items,
                               uint32_t n)
{
    pool_buffers own = {.items = items, .n = n};
    if (!pool->why_no_peak) {
        TRY(find_bytes(b, pool, &own));
        find_peak(pool);
        if (!own.is_placed && pool->kind == ROOF_MEMORY_CONSTANTS) {
            pool->high_bytes =
                pool->peak_bytes; /* all of them are there throughout: one lies behind the other */
            pool->fragmentation_bytes = 0;
        }
        TRY(find_live(b, pool, &own));
        if (pool->high_bytes == ROOF_UNKNOWN && !pool->why_no_high)
            pool->why_no_high = "nothing has given the buffers their places yet";
    } else if (pool->high_bytes == ROOF_UNKNOWN && !pool->why_no_high)
        pool->why_no_high = pool->why_no_peak;
    const uint64_t needed = pool->high_bytes != ROOF_UNKNOWN ? pool->high_bytes : pool->peak_bytes;
    if (pool->size_bytes != ROOF_UNKNOWN && needed != ROOF_UNKNOWN && pool->size_bytes <= INT64_MAX &&
        !pool->size_is_of_content) {
        pool->headroom_bytes = (int64_t)pool->size_bytes - (int64_t)needed;
        pool->fit = needed <= pool->size_bytes             ? ROOF_MEMORY_FIT_YES
                    : pool->peak_bytes <= pool->size_bytes ? ROOF_MEMORY_FIT_REPACKED
                    : pool->peak_bytes != ROOF_UNKNOWN     ? ROOF_MEMORY_FIT_NO
                                                           : ROOF_MEMORY_FIT_UNKNOWN;
        if (pool->peak_bytes == ROOF_UNKNOWN && needed > pool->size_bytes)
            pool->fit = ROOF_MEMORY_FIT_NO; /* as it is packed; no lifetimes tell whether another would do */
    }
    if (pool->fit == ROOF_MEMORY_FIT_NO && pool->bytes_by_row)
        return remedies_find(b, pool, items, n, own.is_placed);
    if (pool->fit == ROOF_MEMORY_FIT_NO)
        pool->why_no_remedy = "the file tells no lifetimes of buffers";
    return ROOF_OK;
}

/* The peak of the sum; no sum of peaks. */
static roof_status add_ram(const memory_builder *b)
{
    roof_memory_pool *total = NULL;
    FOR_EACH(const roof_memory_pool, pool, b->out->pools, b->out->n_pools) {
        if (pool->kind != ROOF_MEMORY_RAM)
            continue;
        if (!pool->bytes_by_row || pool->assuming || pool->subgraph != ROOF_NONE)
            return ROOF_OK;
        if (!total) {
            TRY(ARENA_GET(b->arena, total, 1, b->err));
            forget(total);
            total->name = "all RAM";
            total->n_rows = b->out->n_rows;
            total->high_bytes = total->stated_bytes = 0;
            TRY(ARENA_GET(b->arena, total->bytes_by_row, b->out->n_rows, b->err));
        }
        bool fits = checked_add_known(&total->high_bytes, pool->high_bytes);
        fits = checked_add_known(&total->stated_bytes, pool->stated_bytes) && fits;
        for (uint32_t r = 0; r < b->out->n_rows; r++)
            fits = !__builtin_add_overflow(total->bytes_by_row[r], pool->bytes_by_row[r],
                                           &total->bytes_by_row[r]) &&
                   fits;
        if (!fits)
            return error_set(b->err, ROOF_E_LIMIT, "the memory pools add up to more than 64 bits");
    }
    if (total)
        find_peak(total);
    b->out->total_ram = total;
    return ROOF_OK;
}

/* Constants grow with the network alone; what a pool of tensors lacks is what people can change. */
static void find_deciding(roof_memory *m)
{
    m->sets_peak = ROOF_NONE;
    for (uint32_t p = 0; p < m->n_pools; p++) {
        const roof_memory_pool *pool = &m->pools[p],
                               *best = m->sets_peak == ROOF_NONE ? NULL : &m->pools[m->sets_peak];
        const bool is_constant = pool->kind == ROOF_MEMORY_CONSTANTS || pool->kind == ROOF_MEMORY_CODE;
        if (pool->peak_bytes == ROOF_UNKNOWN || !pool->peak_bytes ||
            (is_constant && pool->fit != ROOF_MEMORY_FIT_NO))
            continue;
        const bool more_room = best && best->headroom_bytes != INT64_MIN && pool->headroom_bytes != INT64_MIN;
        if (!best || pool->fit > best->fit ||
            (pool->fit == best->fit &&
             (more_room && pool->fit > ROOF_MEMORY_FIT_YES ? pool->headroom_bytes < best->headroom_bytes
                                                           : pool->peak_bytes > best->peak_bytes)))
            m->sets_peak = p;
    }
}

static roof_status set_sizes(const memory_builder *b, const roof_memory_options *options)
{
    roof_memory *m = b->out;
    for (uint32_t i = 0; options && i < options->n_sizes; i++) {
        bool is_there = false;
        const char *names = "";
        FOR_EACH(roof_memory_pool, pool, m->pools, m->n_pools) {
            if (strcmp(pool->name, options->sizes[i].pool) == 0) {
                pool->size_bytes = options->sizes[i].bytes;
                pool->size_is_asked = is_there = true;
                pool->size_is_of_content = false;
            }
            if (!strstr(names, pool->name) && strlen(names) < ROOF_ERROR_WHAT_SIZE / 2)
                names = arena_printf(b->scratch, "%s%s%s", names, *names ? ", " : "", pool->name);
            TRY(ALLOCATED(names, b->err));
        }
        if (!is_there)
            return error_set(b->err, ROOF_E_USAGE, "no memory pool is called '%.80s'; there %s %s",
                             options->sizes[i].pool, m->n_pools == 1 ? "is" : "are", *names ? names : "none");
    }
    return ROOF_OK;
}

/* ---- the interface ---- */

static roof_status build(memory_builder *b, const roof_memory_options *options)
{
    const struct graph_format *format = b->graph->storage->format;
    if (!format->memory)
        return error_set(b->err, ROOF_E_UNSUPPORTED, "a file of the format '%s' says nothing of memory",
                         b->graph->format);
    TRY(format->memory(b));
    for (uint32_t p = 0; p < b->out->n_pools && !graph_fits(b->graph); p++)
        if (b->out->pools[p].kind != ROOF_MEMORY_CONSTANTS)
            b->out->pools[p].why_no_peak = "an operator contradicts what it reads, or what the file declares";
    TRY(set_sizes(b, options));
    /* buffers by pool, and each pool for itself */
    memory_buffer *sorted;
    memory_groups by_pool;
    TRY(ARENA_GET(b->scratch, sorted, b->n_buffers, b->err));
    TRY(memory_group(b->buffers, b->n_buffers, sizeof *sorted, offsetof(memory_buffer, pool), b->out->n_pools,
                     &by_pool, b->scratch, b->err));
    for (uint32_t i = 0; i < b->n_buffers; i++)
        sorted[i] = b->buffers[by_pool.order[i]];
    for (uint32_t p = 0; p < b->out->n_pools; p++)
        TRY(finish_pool(b, &b->out->pools[p], sorted + by_pool.start[p],
                        by_pool.start[p + 1] - by_pool.start[p]));
    TRY(add_ram(b));
    find_deciding(b->out);
    TRY(arena_status(b->arena, b->err));
    return arena_status(b->scratch, b->err);
}

roof_status roof_memory_of(const roof_graph *graph, const roof_memory_options *options, roof_memory **out,
                           roof_error *err)
{
    roof_arena *arena = arena_new(0), *scratch = arena_new(0);
    memory_builder b = {.graph = graph, .arena = arena, .scratch = scratch, .err = err};
    *out = NULL;
    b.out = arena && scratch ? NEW(arena, roof_memory) : NULL;
    roof_status status = ALLOCATED(b.out, err);
    THEN(status, build(&b, options));
    arena_free(scratch);
    if (status != ROOF_OK) {
        error_prefix(err, "%s", graph->path);
        arena_free(arena);
        return status;
    }
    b.out->arena = arena;
    *out = b.out;
    return ROOF_OK;
}

ARENA_FREES(roof_memory_free, roof_memory, memory)

WORD_OF(roof_memory_kind_text, roof_memory_kind, kind, NULL, "ram", "constants", "io", "workspace", "arena",
        "code")

WORD_OF(roof_memory_fit_text, roof_memory_fit, fit, NULL, "not known", "fits", "fits if packed better",
        "does not fit")

const char *roof_memory_row_name(const roof_memory *memory, const roof_memory_pool *pool, uint32_t row)
{
    return row < pool->n_rows ? memory->row_names[pool->first_row + row] : NULL;
}

roof_status roof_memory_size_parse(const char *text, char *name, roof_memory_size *out, roof_error *err)
{
    static const struct {
        const char *unit;
        unsigned shift;
    } units[] = {{"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
    const char *equals = strrchr(text, '=');
    uint64_t value = 0;
    size_t digits = 0;
    bool fits = true;
    for (const char *p = equals ? equals + 1 : ""; p[digits] >= '0' && p[digits] <= '9'; digits++)
        fits = fits && !__builtin_mul_overflow(value, UINT64_C(10), &value) &&
               !__builtin_add_overflow(value, (uint64_t)(p[digits] - '0'), &value);
    const uint32_t u = NAMED_AT(units, N_OF(units), unit, equals ? equals + 1 + digits : NULL);
    if (!digits || equals == text || u == N_OF(units) || !fits ||
        value > (uint64_t)INT64_MAX >> units[u].shift)
        return error_set(err, ROOF_E_USAGE,
                         "'%.80s' is no size of a memory pool; want NAME=SIZE, such as "
                         "npuRAM5=448KiB, sram=2MiB or sram=262144",
                         text);
    memcpy(name, text, (size_t)(equals - text));
    name[equals - text] = '\0';
    *out = (roof_memory_size){name, value << units[u].shift};
    return ROOF_OK;
}
