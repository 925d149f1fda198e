/* model/memory/memory_build.h - what a format says of memory: rows, pools, and buffers with their lifetimes.
 * All else is computed from these, in one place (memory.c).
 *
 * Units: bytes; rows of a buffer count from the first row of its pool.
 * Ownership: texts are not copied: they live in the graph, or in the builder's arena.
 */
#pragma once

#include "model/graph/format.h"
#include "roofline/memory.h"

enum { MEMORY_MOST_BUFFERS = 8 << 20, MEMORY_MOST_POOLS = 1 << 16, MEMORY_MOST_ROWS = 1 << 22 };

/* A buffer of the last pool but one, or of any: pool is what memory_add_pool gave. */
typedef struct memory_buffer {
    const char *name;
    uint64_t offset_bytes; /* ROOF_UNKNOWN: nothing placed it */
    uint64_t bytes;
    uint32_t pool, first_row, last_row;
} memory_buffer;

typedef struct memory_builder {
    const roof_graph *graph;
    roof_memory *out;
    roof_arena *arena, *scratch; /* scratch: gone when the memory is made */
    memory_buffer *buffers;
    uint32_t n_buffers;
    roof_error *err;
} memory_builder;

/* The next row. Errors: E_LIMIT, E_NO_MEMORY. */
roof_status memory_add_row(memory_builder *b, const char *name);

/* A pool with only name and kind known, of the rows from first_row on, n_rows of them. Other facts from the
 * file are set in *pool, which stays where it is until the next pool: size, stated, subgraph, assuming,
 * why_no_peak where the file states no lifetimes, and then high_bytes where it states that. index: of it.
 * Errors: E_LIMIT, E_NO_MEMORY. */
roof_status memory_add_pool(memory_builder *b, const char *name, roof_memory_kind kind, uint32_t first_row,
                            uint32_t n_rows, roof_memory_pool **pool, uint32_t *index);

/* One without bytes is left out. Errors: E_DATA: first_row behind last_row, rows that the pool does not
 * have, an end beyond 2^63; E_LIMIT, E_NO_MEMORY. */
roof_status memory_add_buffer(memory_builder *b, const memory_buffer *buffer);

/* ---- live_bytes.c: live bytes in every row, of buffers with addresses: the union of their ranges ---- */

/* Bytes lo to hi, alive from row first to last, both included. */
typedef struct memory_span {
    uint64_t lo, hi;
    uint32_t first, last;
} memory_span;

/* bytes: n_rows of them. spans are sorted and become fewer, since equal ranges are merged. Every byte counts
 * once a row, however many spans share it.
 * Errors: E_NO_MEMORY. Cost: of ranges that never overlap n log n, for sorting; else n log n again. */
roof_status spans_bytes_by_row(memory_span *spans, uint32_t n, uint32_t n_rows, uint64_t *bytes,
                               roof_arena *arena, roof_error *err);

/* Items by a number of theirs: those of number i are order[start[i]] to order[start[i + 1]], as they were. */
typedef struct memory_groups {
    uint32_t *start, *order;
} memory_groups;

/* items: n of so many bytes, whose numbers, below n_groups, lie at that many bytes in each. Errors:
 * E_NO_MEMORY. */
roof_status memory_group(const void *items, uint32_t n, size_t size, size_t at, uint32_t n_groups,
                         memory_groups *out, roof_arena *arena, roof_error *err);

/* Bytes of lo to hi that spans, which are sorted, cover in a row. */
uint64_t spans_covered(const memory_span *const *spans, uint32_t n, uint32_t row, uint64_t lo, uint64_t hi);

/* ---- remedy.c: what has to shrink where a pool is too small ---- */

/* Fills remedies, or why there are none, of a pool whose peak is known and larger than its size. is_placed:
 * all items have addresses.
 * Errors: E_NO_MEMORY. */
roof_status remedies_find(const memory_builder *b, roof_memory_pool *pool, const memory_buffer *items,
                          uint32_t n, bool is_placed);
