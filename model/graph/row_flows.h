/* model/graph/row_flows.h - what goes from row to row of a compiled file whose operators have no edges:
 * epochs of a plan, layers of a command stream.
 *
 * Units: bytes of one inference. Unknown is ROOF_UNKNOWN.
 * Shapes: rows are named as those of the program (roof_layer_prediction.name).
 * Ownership: everything is the arena's that was given.
 */
#pragma once

#include "core/core.h"
#include "roofline/graph.h"

/* How bytes get from one row to the other. */
typedef enum row_way {
    ROW_WAY_UNKNOWN,
    ROW_WAY_ON_CHIP,
    ROW_WAY_EXTERNAL, /* written to external memory, and read from there */
    ROW_WAYS
} row_way;

/* An operator within a row, where the file lists them apart from the graph. */
typedef struct row_part {
    const char *row, *name, *type;
} row_part;

typedef struct row_flow {
    const char *from, *to;       /* rows; the same: within it */
    uint32_t from_part, to_part; /* into parts; ROOF_NONE: unknown */
    uint64_t bytes;
    row_way way;
    bool is_again; /* of a tensor that the same row reads in another part as well */
} row_flow;

/* An operator of the graph that is many rows. */
typedef struct row_span {
    uint32_t op;
    const char *first, *last;
} row_span;

typedef struct row_flows {
    row_flow *items;
    row_part *parts; /* by row, in the order of execution */
    row_span *spans;
    uint32_t n, n_parts, n_spans;
    bool has_rows; /* the format is one of such rows, whether or not something flows */
} row_flows;

/* Errors: E_NO_MEMORY. */
roof_status row_flows_of(const roof_graph *graph, roof_arena *arena, row_flows *out, roof_error *err);
