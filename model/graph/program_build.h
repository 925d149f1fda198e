/* model/graph/program_build.h - making the program of a graph; each format has a function that does
 * (model/graph/format.h).
 *
 * Ownership: all is the arena's.
 */
#pragma once

#include "core/findings.h"
#include "roofline/hw.h"
#include "roofline/work.h"

struct workload_convention;
struct program_builder;

/* How an uncompiled graph becomes the rows of a target (model/lower/lower.h). */
typedef struct program_lowering {
    roof_status (*lower)(struct program_builder *b, const struct workload_convention *convention);
    const roof_hw *hw;
    uint32_t without_rules; /* bit n: rule n, which rests on timing alone, is left out */
} program_lowering;

typedef struct program_builder {
    const roof_graph *graph;
    const program_lowering *lowering; /* NULL: one row an operator */
    const roof_hw *hw;                /* to run on; NULL: unknown */
    roof_program *out;
    roof_arena *arena;      /* of texts */
    roof_arena *rows;       /* of rows and their work, which a prediction has no use for once it is made */
    const char *shared[16]; /* texts that many rows repeat; the oldest is replaced */
    unsigned next_shared;
    bool is_bare; /* rows have their work alone: no texts, facts and findings */
    roof_error *err;
} program_builder;

/* The program of graph in arenas of the caller's, which may be one. lowering: of an uncompiled graph; NULL.
 * Errors: those of the format, E_NO_MEMORY. */
roof_status program_build(const roof_graph *graph, const roof_hw *hw, const program_lowering *lowering,
                          roof_arena *texts, roof_arena *rows, roof_program *out, roof_error *err);

/* The same bare, which formats with at_point know: of a point of many that are requested. */
roof_status program_build_bare(const roof_graph *graph, const roof_hw *hw, roof_arena *arena,
                               roof_program *out, roof_error *err);

/* The next row: an accelerator's, of which no count is known. rows have room for it. */
roof_row *program_next_row(program_builder *b);

/* A copy of a text that rows repeat: one each is enough. NULL without memory, which program_build reports at
 * its end, as it does for all texts. */
const char *program_share(program_builder *b, const char *text);

/* Adds what is known; a term that is unknown adds nothing. Errors: E_LIMIT. */
roof_status program_add_count(uint64_t *sum, uint64_t term, roof_error *err);
