/* model/formats/neural_art/plan_build.h - putting a plan together while a file is read, and the graph around
 * it: a layer for every epoch.
 *
 * Ownership: everything lives in the graph's arena. Arrays move while they grow, so that things are named by
 *   index until plan_build_end, but for the last pool and the last epoch.
 */
#pragma once

#include "model/graph/format.h"
#include "roofline/memory.h"

enum { PLAN_MAX_POOLS = 1024, PLAN_MAX_EPOCHS = 1 << 20 };

typedef struct plan_build {
    roof_graph *graph;
    roof_arena *arena;
    roof_plan *plan;
    roof_pool *pool;   /* the last one */
    roof_epoch *epoch; /* the last one */
    roof_error *err;
} plan_build;

roof_status plan_build_begin(plan_build *b, roof_graph *graph, roof_arena *arena, roof_error *err);

/* A pool, an epoch or a blob of which nothing is known yet but its name; it is the last one of its array.
 * Names live as long as the graph; NULL is one for which there was no memory, but that of an epoch is then
 * "epoch_N", by its number.
 * Errors: E_DATA for a name that another pool has, for names that are empty or hold control characters;
 * E_LIMIT. */
roof_status plan_add_pool(plan_build *b, const char *name);
roof_status plan_add_epoch(plan_build *b, uint32_t number, const char *name);
roof_status plan_add_blob(plan_build *b, const char *name);

/* An operator of the last epoch; its texts live as long as the graph. */
roof_status plan_add_op(plan_build *b, const roof_plan_op *op);

/* Adds to the traffic of the last epoch in a pool. An access of no bytes is not kept.
 * Errors: E_LIMIT for sums beyond 2^63. */
roof_status plan_add_access(plan_build *b, const roof_pool_access *access);

/* A graph of a file that states memory alone: a root, without pools, epochs and layers. */
roof_status plan_build_nothing(roof_graph *graph, roof_arena *arena, roof_error *err);

/* The graph's subgraphs. Errors: E_DATA without a single epoch. */
roof_status plan_build_end(plan_build *b);

/* Sizes of the plan's programs of the epoch controller out of the text of NAME_ecblobs.h; one that is not in
 * it keeps its size. Errors: E_NO_MEMORY. */
roof_status plan_apply_blobs(roof_plan *plan, text_span text, roof_arena *arena, roof_error *err);

/* Members that formats with a plan share; see model/graph/format.h. */
#define PLAN_FORMAT                                                                                          \
    .program = plan_program, .hardware = plan_hardware, .hash = plan_hash, .rows_named = plan_epochs_named,  \
    .flows = plan_flows
roof_status plan_program(struct program_builder *b);
/* The pools of a plan that lists no buffers: used sizes alone, and why there is no more. */
roof_status plan_memory(struct memory_builder *b);
roof_status plan_memory_pool(struct memory_builder *b, const roof_pool *of); /* one of them */
roof_memory_kind plan_memory_kind(const char *pool, bool is_constant);       /* by the pool's name */
extern const char plan_has_no_lifetimes[];
roof_status plan_flows(const roof_graph *graph, roof_arena *arena, struct row_flows *out, roof_error *err);
roof_status plan_hardware(const roof_graph *graph, roof_hw **out, roof_error *err);
bool plan_epochs_named(const char *name, numbered_rows *out);
void plan_hash(const roof_graph *graph, graph_hash_value hash, void *hasher);
roof_status plan_read_folder(const char *path, graph_file_reader read, roof_graph **out, roof_error *err);
