/* The buffers of a c_info.json: where each lies, and in which epochs it is alive.
 *
 * Epochs "start" to "end" are both included: so no two buffers of 12 files that are live together overlap,
 * unless they are one range under two names; with one epoch more 1,331 pairs would. A pool with subpools is a
 * name for these: its buffers lie in whichever their addresses are of, some in two.
 */
#include "model/formats/c_info/c_info.h"
#include "model/formats/neural_art/plan_build.h"
#include "model/memory/memory_build.h"

typedef struct memory_join {
    const c_info *file;
    memory_builder *b;
    namemap *pool_ids;
    uint32_t *pool_of;                  /* by buffer: of the file; ROOF_NONE: of the application */
    uint32_t *n_buffers, *n_parameters; /* by pool of the file */
    uint32_t *pools;                    /* of the memory, as the file's; ROOF_NONE: split over others */
    uint32_t n_rows;
} memory_join;

/* ROOF_NONE: none has the id, or one that joins others has. */
static uint32_t find_memory(const memory_join *j, uint64_t id)
{
    const uint32_t p = namemap_find(j->pool_ids, &id, sizeof id);
    return p != ROOF_NONE && !j->file->pools[p].n_subpools ? p : ROOF_NONE;
}

static roof_status place_buffers(memory_join *j)
{
    const c_info *file = j->file;
    roof_arena *scratch = j->b->scratch;
    j->pool_ids = namemap_new(scratch, file->n_pools);
    for (uint32_t i = 0; j->pool_ids && i < file->n_pools; i++)
        namemap_add(j->pool_ids, &file->pools[i].id, sizeof file->pools[i].id, i);
    TRY(arena_status(scratch, j->b->err));
    TRY(ARENA_GET3(scratch, j->pools, j->n_buffers, j->n_parameters, file->n_pools, j->b->err));
    TRY(ARENA_GET(scratch, j->pool_of, file->n_buffers, j->b->err));
    for (uint32_t i = 0; i < file->n_buffers; i++) {
        const c_info_buffer *x = &file->buffers[i];
        const uint32_t p = j->pool_of[i] = namemap_find(j->pool_ids, &x->pool, sizeof x->pool);
        if (p == ROOF_NONE)
            continue;
        j->n_buffers[p]++;
        j->n_parameters[p] += x->is_parameter;
    }
    return ROOF_OK;
}

static uint64_t end_of(uint64_t start, uint64_t length)
{
    return start > INT64_MAX || length > INT64_MAX ? ROOF_UNKNOWN : start + length;
}

static bool is_known(const c_info_buffer *x)
{
    return x->offset_bytes != ROOF_UNKNOWN && x->size_bytes != ROOF_UNKNOWN &&
           x->first_epoch != ROOF_UNKNOWN && x->last_epoch != ROOF_UNKNOWN;
}

/* The part of a buffer that lies in the k-th pool that its own joins: bytes of that one. ROOF_NONE: none. */
static uint32_t cut(const memory_join *j, const c_info_pool *pool, const c_info_buffer *x, uint32_t k,
                    uint64_t *offset, uint64_t *bytes)
{
    const uint32_t sub = find_memory(j, pool->subpools[k]);
    if (sub == ROOF_NONE)
        return ROOF_NONE;
    const uint64_t from = end_of(c_info_decimal(pool->address), x->offset_bytes),
                   end = end_of(from, x->size_bytes), start = c_info_decimal(j->file->pools[sub].address),
                   stop = end_of(start, c_info_whole(j->file->pools[sub].size_bytes));
    const uint64_t first = from > start ? from : start, last = end < stop ? end : stop;
    *offset = first - start;
    *bytes = last - first;
    return end != ROOF_UNKNOWN && stop != ROOF_UNKNOWN && first < last ? sub : ROOF_NONE;
}

/* True if every buffer of a pool lies in the pools that it joins. */
static bool is_split(const memory_join *j, uint32_t p)
{
    const c_info_pool *pool = &j->file->pools[p];
    bool is = pool->n_subpools && c_info_decimal(pool->address) != ROOF_UNKNOWN;
    for (uint32_t i = 0; i < j->file->n_buffers && is; i++) {
        const c_info_buffer *x = &j->file->buffers[i];
        uint64_t found = 0, offset, bytes;
        if (j->pool_of[i] != p || !is_known(x))
            continue;
        for (uint32_t k = 0; k < pool->n_subpools; k++)
            found += cut(j, pool, x, k, &offset, &bytes) == ROOF_NONE ? 0 : bytes;
        is = found == x->size_bytes;
    }
    return is;
}

static roof_status add_pool(memory_join *j, uint32_t p)
{
    const c_info_pool *of = &j->file->pools[p];
    roof_memory_pool *pool;
    if (is_split(j, p)) {
        j->pools[p] = ROOF_NONE;
        return ROOF_OK;
    }
    const roof_memory_kind kind =
        plan_memory_kind(of->name, j->n_buffers[p] ? j->n_buffers[p] == j->n_parameters[p]
                                                   : strcmp(of->rights, "ACC_READ") == 0);
    const bool is_io = kind == ROOF_MEMORY_IO;
    TRY(memory_add_pool(j->b, of->name, kind, 0, j->n_rows, &pool, &j->pools[p]));
    pool->size_bytes = c_info_whole(of->size_bytes);
    /* a buffer of the application is not counted as used: its size is the need */
    pool->stated_bytes = c_info_whole(is_io ? of->size_bytes : of->used_bytes);
    pool->stated_by = is_io ? "size_bytes" : "used_size_bytes";
    if (of->n_subpools)
        pool->remark = "joins other pools, over which its buffers could not be split";
    return ROOF_OK;
}

static roof_status add_piece(memory_join *j, const c_info_buffer *x, uint32_t pool, uint64_t offset,
                             uint64_t bytes)
{
    const memory_buffer piece = {.name = x->name,
                                 .offset_bytes = offset,
                                 .bytes = bytes,
                                 .pool = j->pools[pool],
                                 .first_row = x->is_parameter ? 0 : (uint32_t)x->first_epoch,
                                 .last_row = x->is_parameter ? j->n_rows - 1 : (uint32_t)x->last_epoch};
    return memory_add_buffer(j->b, &piece);
}

/* The reserved size is then the one that the compiler states. */
static void say_unknown(roof_memory_pool *pool, const char *why)
{
    pool->why_no_peak = why;
    pool->high_bytes = pool->stated_bytes;
}

static roof_status add_buffer(memory_join *j, uint32_t i)
{
    const c_info_buffer *x = &j->file->buffers[i];
    const uint32_t p = j->pool_of[i];
    if (p == ROOF_NONE)
        return ROOF_OK; /* of the application */
    const c_info_pool *pool = &j->file->pools[p];
    if (!is_known(x)) {
        for (uint32_t k = 0; k < (pool->n_subpools ? pool->n_subpools : 1); k++) {
            const uint32_t own = j->pools[p] != ROOF_NONE ? p : find_memory(j, pool->subpools[k]);
            if (own != ROOF_NONE && j->pools[own] != ROOF_NONE)
                say_unknown(&j->b->out->pools[j->pools[own]],
                            "the file does not state place, size and epochs of every buffer");
        }
        return ROOF_OK;
    }
    if (j->pools[p] != ROOF_NONE)
        return add_piece(j, x, p, x->offset_bytes, x->size_bytes);
    for (uint32_t k = 0; k < pool->n_subpools; k++) {
        uint64_t offset, bytes;
        const uint32_t sub = cut(j, pool, x, k, &offset, &bytes);
        if (sub != ROOF_NONE && j->pools[sub] != ROOF_NONE)
            TRY(add_piece(j, x, sub, offset, bytes));
    }
    return ROOF_OK;
}

roof_status c_info_memory(const c_info *file, memory_builder *b)
{
    memory_join j = {.file = file, .b = b};
    TRY(place_buffers(&j));
    /* adds rows up to the last epoch of all buffers: plans leave out epochs in which nothing runs */
    uint64_t n = 0;
    for (uint32_t i = 0; i < j.file->n_buffers; i++) {
        const c_info_buffer *x = &j.file->buffers[i];
        if (is_known(x))
            n = x->last_epoch >= n ? x->last_epoch + 1 : n;
        if (n > MEMORY_MOST_ROWS)
            return error_set(j.b->err, ROOF_E_LIMIT, "/buffers/%" PRIu32 ": more than %d epochs", i,
                             MEMORY_MOST_ROWS);
    }
    j.n_rows = n ? (uint32_t)n : 1;
    for (uint32_t r = 0; r < j.n_rows; r++) {
        const char *name = arena_printf(j.b->scratch, "epoch_%" PRIu32, r);
        TRY(name ? memory_add_row(j.b, name) : error_memory(j.b->err));
    }
    for (uint32_t p = 0; p < file->n_pools; p++)
        TRY(add_pool(&j, p));
    for (uint32_t i = 0; i < file->n_buffers; i++)
        TRY(add_buffer(&j, i));
    for (uint32_t p = 0; !file->n_buffers && p < b->out->n_pools; p++)
        say_unknown(&b->out->pools[p], "the file lists no buffers");
    return ROOF_OK;
}
