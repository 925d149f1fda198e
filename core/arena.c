#include "core/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    FIRST_CHUNK_BYTES = 16 * 1024,
    LARGEST_CHUNK_BYTES = 8 * 1024 * 1024,
    HUGE_PAGE_BYTES = 2 * 1024 * 1024
};

typedef struct chunk {
    struct chunk *next;
    size_t size, used;
    _Alignas(max_align_t) unsigned char data[];
} chunk;

struct roof_arena {
    chunk *newest;
    size_t limit_bytes, used_bytes, next_chunk_bytes;
};

roof_arena *roof_arena_new(size_t limit_bytes)
{
    roof_arena *arena = calloc(1, sizeof *arena);
    if (arena) {
        arena->limit_bytes = limit_bytes ? limit_bytes : SIZE_MAX;
        arena->next_chunk_bytes = FIRST_CHUNK_BYTES;
    }
    return arena;
}

void roof_arena_free(roof_arena *arena)
{
    if (!arena)
        return;
    for (chunk *c = arena->newest, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(arena);
}

/* Large documents are asked to use huge pages: with small ones, page faults were a fifth of the time of a graph of
 * 100,000 layers. Where the kernel has none, nothing changes. */
static chunk *allocate_chunk(size_t bytes)
{
    if (bytes < 2 * (size_t)HUGE_PAGE_BYTES || bytes > SIZE_MAX - HUGE_PAGE_BYTES)
        return malloc(bytes);
    size_t rounded = (bytes + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
    chunk *c = aligned_alloc(HUGE_PAGE_BYTES, rounded);
    if (c)
        madvise(c, rounded, MADV_HUGEPAGE);
    return c;
}

static chunk *add_chunk(roof_arena *arena, size_t need)
{
    size_t size = arena->next_chunk_bytes - sizeof(chunk); /* the whole chunk is a round size */
    if (size < need)
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

static void *take(roof_arena *arena, size_t count, size_t size, size_t *taken)
{
    const size_t align = _Alignof(max_align_t);
    if (size && count > (SIZE_MAX - align) / size)
        return NULL;
    size_t need = (count * size + align - 1) / align * align;
    if (need > arena->limit_bytes - arena->used_bytes)
        return NULL;
    chunk *c = arena->newest;
    if (!c || c->size - c->used < need)
        c = add_chunk(arena, need);
    if (!c)
        return NULL;
    void *p = c->data + c->used;
    c->used += need;
    arena->used_bytes += need;
    *taken = need;
    return p;
}

void *roof_arena_alloc(roof_arena *arena, size_t count, size_t size)
{
    size_t taken = 0;
    void *p = take(arena, count, size, &taken);
    return p ? memset(p, 0, taken) : NULL;
}

char *roof_arena_strndup(roof_arena *arena, const char *text, size_t length)
{
    size_t taken;
    char *copy = length < SIZE_MAX ? take(arena, length + 1, 1, &taken) : NULL;
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *roof_arena_strdup(roof_arena *arena, const char *text)
{
    return roof_arena_strndup(arena, text, strlen(text));
}

char *roof_arena_printf(roof_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = length < 0 ? NULL : roof_arena_alloc(arena, (size_t)length + 1, 1);
    if (!text)
        return NULL;
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}

size_t roof_arena_used_bytes(const roof_arena *arena)
{
    return arena->used_bytes;
}
