/* roofline/memory.h - does a network fit, which row sets the peak, and what must shrink: live bytes in each
 * memory pool, row by row.
 *
 * Units: bytes. Rows count from 0. Unknown counts are ROOF_UNKNOWN, unknown indices ROOF_NONE; a text says
 *   why.
 * Shapes: rows of a memory are those of all subgraphs one after the other; a pool covers n_rows of them from
 *   first_row on. Its at_row, and the rows of its buffers, count from the pool's first row.
 * Ownership: a roof_memory owns all in it, and lives without its graph. NULL may be freed.
 *
 * Words: a buffer is alive from first_row to last_row, both included. High-water mark: the largest address in
 *   use, from the pool's start: what has to be reserved. Peak: the most live bytes in one row, as the union
 *   of address ranges, so that what two buffers share counts once; without addresses it is the sum of sizes.
 *   Fragmentation: high-water mark - peak, which another packing could save at most. Headroom: size -
 *   high-water mark, negative where the pool is too small.
 * Formula: bytes(row) = |union of [offset, offset + bytes) of the buffers alive in row|; peak = max over
 *   rows; at_row is the first row that has it.
 *
 * Rows and pools, by format: Neural-ART's c_info.json: epochs, and the pools that are memories of their own
 * (one that joins others is split over them by address). .xmodel: for each subgraph of the accelerator
 * its layers, and its address registers. A file that Vela compiled for an Ethos-U: its layers and the CPU
 * operators; scratch memories, and constants as Vela counts them. An uncompiled graph: its operators, and
 * pools "activations" and "weights": activations at least, if nothing is tiled, which is no arena's size.
 *
 * Example (tests/unit/test_memory.c): three buffers at 0, 100 and 0 of 100, 50 and 80 bytes that live in rows
 *   0-1, 1-2 and 2-3 have a high-water mark of 150, a peak of 150 at row 1, and 130 without the first.
 */
#ifndef ROOFLINE_MEMORY_H
#define ROOFLINE_MEMORY_H

#include "roofline/graph.h"

ROOF_BEGIN_C

typedef enum roof_memory_kind {
    ROOF_MEMORY_RAM,
    ROOF_MEMORY_CONSTANTS, /* weights and other parameters: alive throughout */
    ROOF_MEMORY_IO,        /* inputs and outputs of the network that the application brings */
    ROOF_MEMORY_WORKSPACE, /* spills of a DPU */
    ROOF_MEMORY_ARENA,     /* shared out by a runtime among an inference's tensors */
    ROOF_MEMORY_CODE,
    ROOF_MEMORY_KINDS
} roof_memory_kind;

/* "ram", "constants", "io", "workspace", "arena", "code" */
ROOF_API const char *roof_memory_kind_text(roof_memory_kind kind);

typedef struct roof_memory_buffer {
    const char *name;
    uint64_t offset_bytes; /* from the pool's start; ROOF_UNKNOWN: nothing placed it */
    uint64_t bytes;
    uint32_t first_row, last_row; /* both included */
    /* The pool's peak if this buffer did not exist: the next wall. ROOF_UNKNOWN: see why_not_without. */
    uint64_t peak_without_bytes;
} roof_memory_buffer;

/* A buffer, and all that shares bytes with it while both are live, which has to shrink with it. */
typedef struct roof_memory_change {
    const char *name;   /* of its largest member */
    uint64_t bytes;     /* of all of it, in the row where it is largest */
    uint32_t n_buffers; /* members */
    uint32_t first_row, last_row;
} roof_memory_change;

/* A set of changes after which the pool's peak is at most its size. */
typedef struct roof_memory_remedy {
    roof_memory_change *changes;
    uint32_t n_changes;
    bool halves;         /* each is halved; else each is gone */
    bool is_smallest;    /* no smaller set does it; else found step by step, the largest saving first */
    uint64_t peak_bytes; /* afterwards */
} roof_memory_remedy;

/* Result of fitting a pool's content into its size. */
typedef enum roof_memory_fit {
    ROOF_MEMORY_FIT_UNKNOWN,  /* no size, or nothing known of what is in it */
    ROOF_MEMORY_FIT_YES,      /* the high-water mark does; without one the peak */
    ROOF_MEMORY_FIT_REPACKED, /* the peak does, the high-water mark does not: only another packing would do */
    ROOF_MEMORY_FIT_NO,       /* not even the peak does */
    ROOF_MEMORY_FIT_STATES
} roof_memory_fit;

typedef struct roof_memory_pool {
    const char *name; /* "npuRAM5", "REG_1", "activations" */
    /* Subgraph that it belongs to, counted from 0 among those of the accelerator; ROOF_NONE: the whole. */
    uint32_t subgraph;
    const char *assuming; /* "as stored", "folded int8": of an uncompiled graph; NULL */
    roof_memory_kind kind;
    uint64_t size_bytes; /* as the file or roof_memory_options say */
    bool size_is_asked;  /* the options said it */
    /* It is that of the tensor that a compiler asks for, not of a memory: what fits is unknown. */
    bool size_is_of_content;
    uint64_t stated_bytes; /* used bytes by the compiler's statement */
    const char *stated_by; /* the member of the file: "used_size_bytes"; NULL: none */
    uint64_t high_bytes, peak_bytes;
    uint32_t at_row, n_rows_near_peak; /* n_rows_near_peak: within 1 % of the peak, the peak's own included */
    uint64_t fragmentation_bytes;
    int64_t headroom_bytes; /* INT64_MIN: unknown */
    uint32_t first_row, n_rows;
    uint64_t *bytes_by_row;   /* n_rows of them; NULL: the file states no lifetimes */
    roof_memory_buffer *live; /* of the peak's row, largest first */
    uint32_t n_live;
    roof_memory_fit fit;
    roof_memory_remedy *remedies; /* where it overflows: what to remove, what to halve */
    uint32_t n_remedies;
    const char *why_no_peak;     /* NULL: it is known */
    const char *why_no_high;     /* likewise of the high-water mark */
    const char *why_not_without; /* why peak_without_bytes is unknown; NULL */
    const char *why_no_remedy;   /* of a pool that overflows and has none; NULL */
    const char *remark;          /* note for readers; NULL */
} roof_memory_pool;

typedef struct roof_memory {
    bool is_at_least; /* uncompiled: activations at least, if nothing is tiled */
    const char **row_names;
    uint32_t n_rows;
    roof_memory_pool *pools;
    uint32_t n_pools;
    /* All pools of kind ROOF_MEMORY_RAM together: the sum of high-water marks, and the peak of the sum, which
     * is no sum of peaks. The name is "all RAM". size_bytes and fit are unknown, live is empty.
     * NULL: there is no such pool, or not all of them are known, or they belong to different subgraphs. */
    roof_memory_pool *total_ram;
    /* The pool that decides: of those that are too small the one with the least headroom, else the one with
     * the largest peak, constants left out. ROOF_NONE: no pool has a peak. */
    uint32_t sets_peak;
    struct roof_arena *arena; /* private */
} roof_memory;

/* A requested size: of every pool of that name. */
typedef struct roof_memory_size {
    const char *pool;
    uint64_t bytes;
} roof_memory_size;

typedef struct roof_memory_options {
    const roof_memory_size *sizes; /* in place of the file's */
    uint32_t n_sizes;
} roof_memory_options;

/* Memory that a graph needs, row by row.
 *
 * options: NULL is the default. out: freed by the caller with roof_memory_free. A file that knows pools
 *   without lifetimes gives sizes alone, and each pool says why its peak is unknown.
 * Errors: E_UNSUPPORTED (the format says nothing of memory), E_USAGE (a size of a pool that there is not; the
 *   message lists those that there are), E_DATA, E_LIMIT, E_NO_MEMORY.
 * Cost: n log n in buffers. */
ROOF_API roof_status roof_memory_of(const roof_graph *graph, const roof_memory_options *options,
                                    roof_memory **out, roof_error *err);
ROOF_API void roof_memory_free(roof_memory *memory);

/* "fits", "fits if packed better", "does not fit", "not known" */
ROOF_API const char *roof_memory_fit_text(roof_memory_fit fit);

/* The name of a pool's row, as at_row counts. NULL: there is no such row. */
ROOF_API const char *roof_memory_row_name(const roof_memory *memory, const roof_memory_pool *pool,
                                          uint32_t row);

/* Reads "NAME=SIZE": a number of bytes, or of KiB, MiB or GiB with that behind it. The name is written into
 * name, which has as many bytes as text has, and a NUL.
 * Errors: E_USAGE.
 * Example (tests/unit/test_memory.c): "sram=256KiB" is 262144 bytes of "sram". */
ROOF_API roof_status roof_memory_size_parse(const char *text, char *name, roof_memory_size *out,
                                            roof_error *err);

ROOF_END_C
#endif
