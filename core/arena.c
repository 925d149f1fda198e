#include "core/arena.h"
#include "core/text.h"
#include "core/error.h"
#include "core/platform/platform.h"
#include "core/print.h"
#include "core/utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_CHUNK_BYTES = 16 * 1024,
    LARGEST_CHUNK_BYTES = 8 * 1024 * 1024,
    HUGE_PAGE_BYTES = 2 * 1024 * 1024,
    /* From here on the C library takes pages, which are zero, from the kernel. */
    ZEROED_CHUNK_BYTES = 128 * 1024
};

/* Under AddressSanitizer every item gets a chunk of its own, of exactly its size, so that reading past its
 * end is seen; and with ARENA_ITEMS, so that a test can let each of them fail. */
#ifdef __has_feature
#define ROOF_HAS_ASAN __has_feature(address_sanitizer)
#else
#define ROOF_HAS_ASAN 0
#endif
#if defined(__SANITIZE_ADDRESS__) || ROOF_HAS_ASAN || defined(ARENA_ITEMS)
enum { ONE_ITEM_PER_CHUNK = 1 };
#else
enum { ONE_ITEM_PER_CHUNK = 0 };
#endif

typedef struct chunk {
    struct chunk *next;
    size_t size, used;
    void *map; /* of large chunks: where the mapping begins; NULL: from the heap */
    size_t map_bytes;
    bool is_zeroed;
    _Alignas(max_align_t) unsigned char data[];
} chunk;

struct roof_arena {
    chunk *newest;
    size_t limit_bytes, used_bytes, next_chunk_bytes;
    bool failed; /* something could not be given */
};

roof_arena *arena_new(size_t limit_bytes)
{
    roof_arena *arena = calloc(1, sizeof *arena);
    if (arena) {
        arena->limit_bytes = limit_bytes ? limit_bytes : SIZE_MAX;
        arena->next_chunk_bytes = FIRST_CHUNK_BYTES;
    }
    return arena;
}

static void free_chunk(chunk *c)
{
    if (c->map)
        os_unmap(c->map, c->map_bytes);
    else
        free(c);
}

void arena_reset(roof_arena *arena)
{
    chunk *kept = NULL;
    for (chunk *c = arena->newest, *next; c; c = next) {
        next = c->next;
        chunk *less = !ONE_ITEM_PER_CHUNK && (!kept || c->size > kept->size) ? kept : c;
        kept = less == c ? kept : c;
        if (less)
            free_chunk(less);
    }
    if (kept) {
        kept->next = NULL;
        kept->used = 0;
        kept->is_zeroed = false;
    }
    arena->newest = kept;
    arena->used_bytes = 0;
    arena->failed = false;
}

void arena_free(roof_arena *arena)
{
    if (!arena)
        return;
    for (chunk *c = arena->newest, *next; c; c = next) {
        next = c->next;
        free_chunk(c);
    }
    free(arena);
}

/* Large chunks are mapped, begin at a huge page and ask for huge ones: with small pages, faults were a fifth
 * of the time of a graph of 100,000 layers. Mapped memory is zero already, which saves writing it twice. */
static chunk *allocate_chunk(size_t bytes)
{
    size_t map_bytes = bytes + HUGE_PAGE_BYTES;
    if (bytes < 2 * (size_t)HUGE_PAGE_BYTES || map_bytes < bytes || ONE_ITEM_PER_CHUNK) {
        bool is_zeroed = bytes >= ZEROED_CHUNK_BYTES;
        chunk *c = is_zeroed ? calloc(1, bytes) : malloc(bytes);
        if (c) {
            c->map = NULL;
            c->is_zeroed = is_zeroed;
        }
        return c;
    }
    void *map = os_map(NULL, map_bytes);
    if (!map)
        return NULL;
    uintptr_t aligned = ((uintptr_t)map + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
    chunk *c = (chunk *)aligned;
    os_prefer_large_pages(c, bytes);
    c->map = map;
    c->map_bytes = map_bytes;
    c->is_zeroed = true;
    return c;
}

static chunk *add_chunk(roof_arena *arena, size_t need)
{
    size_t size = arena->next_chunk_bytes - sizeof(chunk); /* the whole chunk is a round size */
    if (size < need || ONE_ITEM_PER_CHUNK)
        size = need;
    else if (arena->next_chunk_bytes < LARGEST_CHUNK_BYTES)
        arena->next_chunk_bytes *= 2;
    if (size > SIZE_MAX - sizeof(chunk))
        return NULL;
    chunk *c = allocate_chunk(sizeof *c + size);
    if (!c)
        return NULL;
    c->size = size;
    c->used = 0;
    c->next = arena->newest;
    arena->newest = c;
    return c;
}

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* need: a multiple of align, so that objects in a row need no padding; texts lie byte by byte. */
static void *take(roof_arena *arena, size_t need, size_t align)
{
    bool failed = arena->failed;
    arena->failed = true; /* until there is room */
    chunk *c = arena->newest;
    size_t padding = c && !ONE_ITEM_PER_CHUNK ? round_up(c->used, align) - c->used : 0;
    if (!c || c->size - c->used < padding || c->size - c->used - padding < need || ONE_ITEM_PER_CHUNK) {
        c = need > arena->limit_bytes - arena->used_bytes ? NULL : add_chunk(arena, need);
        padding = 0;
    }
    if (!c || need > arena->limit_bytes - arena->used_bytes ||
        padding > arena->limit_bytes - arena->used_bytes - need)
        return NULL;
    void *p = c->data + c->used + padding;
    arena->failed = failed;
    c->used += padding + need;
    arena->used_bytes += padding + need;
    return p;
}

/* Memory that may hold anything, and how much of it there is. */
static void *take_items(roof_arena *arena, uint64_t count, size_t size, size_t *need)
{
    const size_t align = _Alignof(max_align_t);
    if (size && count > (SIZE_MAX - align) / size) {
        arena->failed = true;
        return NULL;
    }
    const size_t bytes = (size_t)count * size;
    *need = ONE_ITEM_PER_CHUNK ? bytes : round_up(bytes, align);
    return take(arena, *need, align);
}

void *arena_alloc(roof_arena *arena, uint64_t count, size_t size)
{
    size_t need;
    void *p = take_items(arena, count, size, &need);
    return p && !arena->newest->is_zeroed ? memset(p, 0, need) : p; /* p lies in the newest chunk */
}

char *arena_strndup(roof_arena *arena, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? take(arena, length + 1, 1) : NULL;
    if (!copy)
        return NULL;
    if (length)                     /* else text may be NULL */
        memcpy(copy, text, length); /* NOLINT(clang-analyzer-core.NonNullParamChecker): it is not */
    copy[length] = '\0';
    return copy;
}

char *arena_strdup(roof_arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(roof_arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = print_list(NULL, 0, format, args);
    char *text = length < 0 ? NULL : arena_alloc(arena, (size_t)length + 1, 1);
    if (text)
        print_list(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(roof_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

/* text itself where it holds nothing of this kind or a worse one. */
static const char *show(roof_arena *arena, const char *text, size_t length, utf8_kind from)
{
    if (utf8_before(text, length, from) == length)
        return text;
    char *shown = arena_alloc(arena, length + 1, 4);
    if (shown)
        utf8_show(shown, text, length, from);
    return shown;
}

const char *arena_path_beside(roof_arena *arena, const char *file, const char *path)
{
    const char *name = path_base_name(file);
    return !path || path[0] == '/' || name == file
               ? path
               : arena_printf(arena, "%.*s%s", (int)(name - file), file, path);
}

const char *arena_shown(roof_arena *arena, const char *text)
{
    return show(arena, text, strlen(text), UTF8_MARK);
}

const char *arena_utf8(roof_arena *arena, const char *text, size_t length)
{
    const char *valid = show(arena, text, length, UTF8_BAD);
    return valid == text ? arena_strndup(arena, text, length) : valid;
}

const char *arena_name(roof_arena *arena, const char *text, size_t length)
{
    const char *own = length ? text : "", *valid = show(arena, own, length, UTF8_CONTROL);
    return valid == own ? arena_strndup(arena, own, length) : valid;
}

void *arena_grow(roof_arena *arena, const void *items, size_t n, size_t item_size)
{
    if (n & (n - 1)) /* not a power of two: there is room, unless a request failed */
        return arena->failed ? NULL : (void *)items;
    void *moved = arena_alloc(arena, n ? 2 * n : 1, item_size);
    if (moved && n)
        memcpy(moved, items, n * item_size);
    return moved;
}

void *arena_copy(roof_arena *arena, const void *items, size_t n, size_t item_size)
{
    size_t need;
    void *copy = take_items(arena, n, item_size, &need);
    return copy && n ? memcpy(copy, items, n * item_size) : copy;
}

void *arena_grow_or_keep(roof_arena *arena, const void *items, size_t n, size_t item_size)
{
    void *grown = arena_grow(arena, items, n, item_size);
    return grown ? grown : (void *)items;
}

roof_status arena_status(const roof_arena *arena, roof_error *err)
{
    return arena->failed ? error_memory(err) : ROOF_OK;
}

void *arena_root(roof_arena **arena, size_t size, roof_error *err)
{
    *arena = arena_new(0);
    void *root = *arena ? arena_alloc(*arena, 1, size) : NULL;
    if (root)
        return root;
    error_memory(err);
    arena_free(*arena);
    *arena = NULL;
    return NULL;
}

roof_status arena_settle(roof_arena *arena, roof_status status, roof_error *err)
{
    THEN(status, arena_status(arena, err));
    if (status != ROOF_OK)
        arena_free(arena);
    return status;
}

size_t arena_used_bytes(const roof_arena *arena)
{
    return arena->used_bytes;
}
