/* reports/graph/network_levels.h - what a reader sees when a box is opened: its children, and edges
 * between them.
 *
 * Shapes: a level is of a block, whose children are rows and blocks, or of a row, whose children are its
 *   operators. Each edge between two rows, or operators, is an edge of one level, where its ends are in
 *   two children; in the levels below it is one that comes in or goes out. Edges with the same ends are
 *   one. Edges of a level are in order of their ends.
 * Units: bytes of one image.
 * Ownership: as of a view.
 */
#ifndef ROOF_REPORTS_GRAPH_NETWORK_LEVELS_H
#define ROOF_REPORTS_GRAPH_NETWORK_LEVELS_H

#include "reports/graph/network_fold.h"

/* In place of a child: what comes from outside, where what goes outside goes. */
#define NETWORK_OUTSIDE ROOF_NONE

typedef struct network_level_edge {
    uint32_t level;
    uint32_t from, to; /* children of it, or NETWORK_OUTSIDE */
    bool is_on[NETWORK_SIDES];
    uint64_t bytes[NETWORK_SIDES][NETWORK_WAYS]; /* by their way */
} network_level_edge;

typedef struct network_level {
    uint32_t block, row; /* of which it is; the other one is ROOF_NONE */
    uint32_t n_children;
    const network_level_edge *edges;
    uint32_t n_edges;
} network_level;

typedef struct network_levels {
    network_level *items;
    uint32_t n;       /* the blocks first, by their number, then rows of several operators */
    uint32_t *of_row; /* the level of each row; ROOF_NONE: it is of one operator, or of none */
} network_levels;

/* Without memory the arena knows. */
void network_levels_make(const network_view *view, const network_fold *fold, roof_arena *arena,
                         network_levels *out);

#endif
