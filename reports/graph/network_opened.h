/* reports/graph/network_opened.h - a drawing with some of its blocks open, as one plane: what is beside
 * and below an open block keeps its distance from it. page_graph.js does the same while a reader opens
 * them.
 *
 * Units: px from the left upper corner, y downwards.
 * Ownership: the arena's; edges are the drawing's.
 */
#ifndef ROOF_REPORTS_GRAPH_NETWORK_OPENED_H
#define ROOF_REPORTS_GRAPH_NETWORK_OPENED_H

#include "reports/graph/network_drawing.h"

typedef struct network_box {
    network_child child;
    bool is_open; /* a frame around others, whose head has room for its title */
    double left_px, top_px, width_px, height_px;
} network_box;

typedef struct px_curve {
    const network_level_edge *edge;
    px_point *points; /* 1 + 3 for each piece */
    uint32_t n_points;
} px_curve;

typedef struct network_plane {
    network_box *boxes; /* frames before what is in them */
    px_curve *curves;
    uint32_t n_boxes, n_curves;
    double width_px, height_px;
} network_plane;

enum { NETWORK_HEAD_PX = 30, NETWORK_PAD_PX = 10 };

/* is_open: by block; of one that is open, all around it are. Without memory the arena knows. */
void network_open(const network_drawing *drawing, const bool *is_open, roof_arena *arena, network_plane *out);

#endif
