/* reports/graph/network_pair.h - two networks as one graph, so that what belongs together stands in line:
 * before and after compiling, or before and after an edit.
 *
 * Shapes: a row is a row of the second network, in its order, or one that only the first has, behind the row
 *   that it follows there. Several rows of the first that belong to one of the second are one; of several
 *   of the second that belong together, the first one has those of the first, and the others name it.
 *   Operators of one name are one where they are drawn in the same row.
 * A file of rows without edges, as of code that names no operators, is drawn with the edges of the first
 *   network; where there is none, with one from the row before, in the order of execution.
 * Ownership: views are borrowed, and have to live as long; all else is the arena's.
 */
#ifndef ROOF_REPORTS_GRAPH_NETWORK_PAIR_H
#define ROOF_REPORTS_GRAPH_NETWORK_PAIR_H

#include "reports/graph/network_view.h"
#include "roofline/model_diff.h"

typedef struct network_pair {
    const network_view *before, *after; /* of the predictions of a model diff, or of the same files */
    const roof_model_diff *diff;
} network_pair;

/* Sums close: of each side, the times of rows are those of its view, where they are known; times of the
 * first network are not where only the second is compiled, since they are by another law. */
void network_pair_make(const network_pair *pair, roof_arena *arena, network_view *out);

#endif
