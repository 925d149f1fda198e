/* model/memory/live_bytes.h - live bytes in every row, of buffers with addresses: the union of their ranges.
 *
 * Units: bytes, rows.
 * Ownership: what is made lives in the arena that is given.
 */
#ifndef ROOF_MODEL_MEMORY_LIVE_BYTES_H
#define ROOF_MODEL_MEMORY_LIVE_BYTES_H

#include "core/core.h"

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

/* Bytes of lo to hi that spans, which are sorted, cover in a row. */
uint64_t spans_covered(const memory_span *const *spans, uint32_t n, uint32_t row, uint64_t lo, uint64_t hi);

#endif
