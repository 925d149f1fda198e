/* reports/graph/network_layout.h - places of boxes and edges, level by level, by Graphviz's dot, an
 * external program, and doing without it.
 *
 * Units: px, from the left upper corner of the level, y downwards. A box is NETWORK_BOX_WIDTH_PX wide and
 *   NETWORK_BOX_HEIGHT_PX high; its place is its middle.
 * Shapes: levels whose boxes are joined alike have the same places, which are computed once. All levels go
 *   to one dot, started without a shell, since it reads several graphs from one file. Its output is input
 *   from outside: anything but a place for each box and a curve for each edge is refused. Without dot, or
 *   where it takes too long, and of more than NETWORK_MOST_CHILDREN boxes: a plain layered list, a box below
 *   all that it reads, in order of execution. Cost of dot 2.43: 0.9 s for 10,000 boxes in levels of 50, 0.2 s
 *   for a level of 500, minutes for one of 10,000.
 */
#ifndef ROOF_REPORTS_GRAPH_NETWORK_LAYOUT_H
#define ROOF_REPORTS_GRAPH_NETWORK_LAYOUT_H

#include "reports/graph/network_levels.h"

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

/* Input of dot for one level; NULL: none. For tests and pictures. */
const char *network_dot_of(const network_level *level, roof_arena *arena);

/* Reads what dot -Tplain wrote for one level. text: from where its "graph" begins; *used: bytes up to behind
 * its "stop". false: it is none, or not of this level. For tests. */
bool network_read_plain(const char *text, size_t length, const network_level *level, roof_arena *arena,
                        network_places *out, size_t *used);

/* The plain layered list. */
void network_place_plainly(const network_level *level, roof_arena *arena, network_places *out);

#endif
