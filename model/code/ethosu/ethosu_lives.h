/* model/code/ethosu/ethosu_lives.h - live memory of a region over time: from launches to ranges of bytes with
 * their first and last layer.
 *
 * Units: bytes from the region's start, in cells of 16, which is what Vela allocates. Time is counted in
 *   groups. Groups whose launches take turns, a cascade, are one step: what lives in one of them lives in
 *   all.
 * Rules: in a launch reads come before writes. A cell lives from its first write to its last read before the
 *   next write that follows a read, since slices write one tensor before anybody reads it. Bytes that are
 *   read but were never written are live from the first group on, bytes that are not read any more to the
 *   last one.
 * Ownership: lives are of the arena that is given.
 * Source: docs/hardware/ethos_u.md, "memory", with what it was checked against.
 */
#pragma once

#include "model/code/ethosu/ethosu.h"

enum { ETHOSU_CELL_BYTES = 16 };

typedef struct ethosu_range {
    uint64_t lo, hi;
} ethosu_range;

typedef struct ethosu_life {
    ethosu_range bytes;
    uint32_t first, last; /* groups, both included */
    uint32_t writer;      /* the group that wrote it first; ROOF_NONE: it was there before */
    bool is_by_dma;       /* of the writer: a DMA brought it; else an operation made it */
} ethosu_life;

/* Bytes that one group wrote and another one reads, each cell counted once. */
typedef struct ethosu_flow {
    uint32_t writer, reader; /* groups; the writer is the first one of a life, and never the reader */
    uint64_t bytes;
} ethosu_flow;

/* The most that all streams of a file may cost together; it grows with the file. Addresses have 40 bits, and
 * a feature map 48: a few words may touch more ranges than a computer has bytes. */
typedef struct ethosu_budget {
    uint64_t steps;  /* ranges that launches touch, and cells of equal history among them */
    uint64_t ranges; /* of equal history */
    uint64_t lives;
} ethosu_budget;

/* The budget of a file whose streams have so many words. */
ethosu_budget ethosu_budget_of(uint64_t words);

/* The lives in region ETHOSU_SCRATCH or ETHOSU_SCRATCH_FAST, each of one writer, ordered by writer. outputs:
 * ranges whose last values live to the end, also where they are read before.
 * Cost: n log n in the ranges that launches touch. Errors: E_LIMIT (the budget is used up), E_NO_MEMORY. */
roof_status ethosu_lives_of(const ethosu_stream *stream, uint32_t region, const ethosu_range *outputs,
                            uint32_t n_outputs, ethosu_budget *budget, roof_arena *arena, ethosu_life **lives,
                            uint32_t *n_lives, roof_error *err);

/* The flows from group to group through that region, by writer, then by reader. Cost and errors as above. */
roof_status ethosu_flows_of(const ethosu_stream *stream, uint32_t region, ethosu_budget *budget,
                            roof_arena *arena, ethosu_flow **flows, uint32_t *n_flows, roof_error *err);
