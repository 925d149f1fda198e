/* model/formats/c_info/c_info.h - what a c_info.json holds, list by list, before its ids are joined to a
 * plan.
 *
 * Units: as in roofline/plan.h; ids are the file's.
 * Ownership: everything lives in the arena that was given.
 *
 * Source: ST Edge AI Core, "Output c_info", schema 2.0, and files of the compilers 2.0 to 4.x.
 */
#pragma once

#include "core/core.h"
#include "roofline/plan.h"

/* Entries that are looked up begin with their id. */
typedef struct c_info_node {
    uint64_t id;
    const char *name, *mapping;
    const char *kind,
        *description; /* "Conv" (from 3.0 on), "Node kind=Conv" (before); "" when it is not there */
    const char *unit;
    uint64_t *inputs, *outputs; /* buffers; what a function only works in is among both */
    uint32_t n_inputs, n_outputs;
    uint32_t index, parent; /* in the list; of the parent, or ROOF_NONE */
    /* Set by joining. */
    const struct c_info_estimate *estimate; /* NULL: none */
    const char *blob;                       /* named by a list; NULL: none */
    uint32_t epoch;               /* index of the node that is the epoch it belongs to, or ROOF_NONE */
    uint32_t in_plan, op_in_plan; /* of an epoch, of an operator: into the plan's; ROOF_NONE: not there */
    uint64_t feature_bits, weight_bits; /* the narrowest that it reads; 0: unknown */
} c_info_node;

/* A buffer that one node makes and another one reads, or a stream between units; see its kind. */
typedef struct c_info_edge {
    uint64_t start, end, buffer;
    const char *kind;
} c_info_edge;

typedef struct c_info_buffer {
    uint64_t id, pool, bits;
    const char *name;
    uint64_t offset_bytes, size_bytes; /* in the pool */
    uint64_t first_epoch, last_epoch;  /* its life, both included */
    double *shape;                     /* doubles: files may state other than whole numbers */
    uint32_t n_shape;
    bool is_parameter;
} c_info_buffer;

typedef struct c_info_pool {
    uint64_t id;
    const char *name, *address, *rights, *cacheable;
    double size_bytes, used_bytes; /* -1 for pools that the compiler made up */
    uint64_t byte_width;
    double freq_ratio;
    uint64_t *subpools;
    uint32_t n_subpools; /* more than 0: stands for others */
} c_info_pool;

typedef struct c_info_access {
    uint64_t node, pool, reads, read_cycles, writes, write_cycles;
} c_info_access;

typedef struct c_info_estimate {
    uint64_t node, ops, compute_cycles, max_cycles;
} c_info_estimate;

/* A program of the epoch controller, and the nodes that belong to it. */
typedef struct c_info_blob {
    const char *name;
    uint64_t *nodes;
    uint32_t n_nodes;
} c_info_blob;

typedef struct c_info_tool {
    const char *name, *version, *model_name;
} c_info_tool;

typedef struct c_info {
    const char *schema, *graph_name;
    bool has_graphs, has_times; /* has_times: what `validate` measured */
    c_info_node *nodes;
    c_info_edge *edges;
    c_info_buffer *buffers;
    c_info_pool *pools;
    c_info_access *accesses;
    c_info_estimate *estimates;
    c_info_blob *blobs;
    c_info_tool *tools;
    uint32_t n_nodes, n_edges, n_buffers, n_pools, n_accesses, n_estimates, n_blobs, n_tools;
    uint32_t no_parent; /* ROOF_NONE: of the nodes of a graph itself */
    roof_arena *arena;
} c_info;

/* ROOF_UNKNOWN: not a whole number that a count may be; the text is no decimal number. */
uint64_t c_info_whole(double value);
uint64_t c_info_decimal(const char *text);

/* Joins the lists, and puts the accesses in order. Errors: E_DATA for ids of nothing, or twice. */
struct plan_build;
roof_status c_info_join(const c_info *file, struct plan_build *build);

/* Rows, pools and buffers. Errors: E_LIMIT, E_NO_MEMORY. */
struct memory_builder;
roof_status c_info_memory(const c_info *file, struct memory_builder *b);
