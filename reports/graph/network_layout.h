/* reports/graph/network_layout.h - what a reader sees when a box is opened: its children, and edges between
 * them; and the places of both, by Graphviz's dot, an external program, and doing without it.
 *
 * Levels: a level is of a block, whose children are rows and blocks, or of a row, whose children are its
 *   operators. Each edge between two rows, or operators, is an edge of one level, where its ends are in two
 *   children; in the levels below it is one that comes in or goes out. Edges with the same ends are one.
 *   Edges of a level are in order of their ends. Bytes are of one image.
 * Units: px, from the left upper corner of the level, y downwards. A box is NETWORK_BOX_WIDTH_PX wide and
 *   NETWORK_BOX_HEIGHT_PX high; its place is its middle.
 * Layout: levels whose boxes are joined alike have the same places, which are computed once. All levels go
 *   to one dot, started without a shell, since it reads several graphs from one file. Its output is input
 *   from outside: anything but a place for each box and a curve for each edge is refused. Without dot, or
 *   where it takes too long, and of more than NETWORK_MOST_CHILDREN boxes: a plain layered list, a box below
 *   all that it reads, in order of execution. Cost of dot 2.43: 0.9 s for 10,000 boxes in levels of 50, 0.2 s
 *   for a level of 500, minutes for one of 10,000.
 */
#ifndef ROOF_REPORTS_GRAPH_NETWORK_LAYOUT_H
#define ROOF_REPORTS_GRAPH_NETWORK_LAYOUT_H

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

/* ---- places ---- */

enum { NETWORK_BOX_WIDTH_PX = 176, NETWORK_BOX_HEIGHT_PX = 44, NETWORK_MOST_MS = 20000 };

typedef struct network_point {
    int32_t x_px, y_px;
} network_point;

/* A curve of Bezier's: its points are 1 + 3 for each piece. */
typedef struct network_curve {
    const network_point *points;
    uint32_t n_points;
} network_curve;

typedef struct network_places {
    int32_t width_px, height_px;
    network_point *boxes;  /* by child */
    network_curve *curves; /* by edge of the level */
    uint32_t n_boxes, n_curves;
} network_places;

typedef struct network_layout {
    network_places *places;
    uint32_t n_places;
    uint32_t *of_level;    /* which places each level has */
    const char *why_plain; /* a sentence: why dot made none of them; NULL: it made them */
} network_layout;

/* Errors: E_NO_MEMORY. */
roof_status network_layout_make(const network_levels *levels, roof_arena *arena, network_layout *out,
                                roof_error *err);

/* Reads what dot -Tplain wrote for one level. text: from where its "graph" begins; *used: bytes up to behind
 * its "stop". false: it is none, or not of this level. For tests. */
bool network_read_plain(const char *text, size_t length, const network_level *level, roof_arena *arena,
                        network_places *out, size_t *used);

/* The plain layered list. */
void network_place_plainly(const network_level *level, roof_arena *arena, network_places *out);

#endif
