/* tests/unit/memory_fixture.h - memory of buffers that a test states: a format whose only pool they are
 * in. */
#ifndef ROOF_TESTS_MEMORY_FIXTURE_H
#define ROOF_TESTS_MEMORY_FIXTURE_H

#include "core/error.h"
#include "model/memory/memory_build.h"

#include <stdio.h>
#include <string.h>

typedef struct stated_buffers {
    const memory_buffer *items;
    uint32_t n, n_rows;
    uint64_t size_bytes;
} stated_buffers;

static stated_buffers stated;

static roof_status add_stated(memory_builder *b)
{
    roof_memory_pool *pool;
    uint32_t index;
    char name[24];
    for (uint32_t r = 0; r < stated.n_rows; r++) {
        snprintf(name, sizeof name, "row %u", r);
        TRY(memory_add_row(b, name));
    }
    TRY(memory_add_pool(b, "pool", ROOF_MEMORY_RAM, 0, stated.n_rows, &pool, &index));
    pool->size_bytes = stated.size_bytes;
    for (uint32_t i = 0; i < stated.n; i++)
        TRY(memory_add_buffer(b, &stated.items[i]));
    return ROOF_OK;
}

static inline roof_status memory_with(const memory_buffer *items, uint32_t n, uint32_t n_rows,
                                      uint64_t size_bytes, const roof_memory_options *options,
                                      roof_memory **out, roof_error *err)
{
    static const graph_format format = {.id = "stated", .memory = add_stated};
    struct roof_graph_storage storage = {.format = &format};
    const roof_graph graph = {.path = "stated", .format = "stated", .storage = &storage};
    stated = (stated_buffers){items, n, n_rows, size_bytes};
    return roof_memory_of(&graph, options, out, err);
}

/* To be freed. */
static inline roof_memory *memory_of(const memory_buffer *items, uint32_t n, uint32_t n_rows,
                                     uint64_t size_bytes)
{
    roof_memory *m = NULL;
    roof_error err = {0};
    if (memory_with(items, n, n_rows, size_bytes, NULL, &m, &err) != ROOF_OK)
        fail_msg("%s", err.what);
    return m;
}

/* Alive at the peak; a buffer of nothing: it is not. */
static inline const roof_memory_buffer *live_named(const roof_memory_pool *pool, const char *name)
{
    static const roof_memory_buffer none;
    for (uint32_t i = 0; i < pool->n_live; i++)
        if (strcmp(pool->live[i].name, name) == 0)
            return &pool->live[i];
    return &none;
}

#endif
