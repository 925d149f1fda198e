/* reports/graph/network_drawing.h - a network's graph with all that it takes to draw it, and its two
 * forms: data of a page, and its first level as a picture in the page that needs no script.
 *
 * Ownership: what it is of is borrowed, and has to live as long; the rest is the arena's.
 */
#ifndef ROOF_REPORTS_GRAPH_NETWORK_DRAWING_H
#define ROOF_REPORTS_GRAPH_NETWORK_DRAWING_H

#include "reports/graph/network_layout.h"
#include "roofline/model_diff.h"

typedef struct network_drawing {
    network_view view;
    network_fold fold;
    network_levels levels;
    network_layout layout; /* nothing where view.why_not */
} network_drawing;

/* Errors: E_NO_MEMORY. */
roof_status network_draw(const network_source *source, roof_arena *arena, network_drawing *out,
                         roof_error *err);

/* Two networks as one graph, so that what belongs together stands in line: before and after compiling, or
 * before and after an edit. A row is a row of the second network, in its order, or one that only the first
 * has, behind the row that it follows there. Several rows of the first that belong to one of the second are
 * one; of several of the second that belong together, the first one has those of the first, and the others
 * name it. Operators of one name are one where they are drawn in the same row.
 * A file of rows without edges, as of code that names no operators, is drawn with the edges of the first
 * network; where there is none, with one from the row before, in the order of execution. */
typedef struct network_pair {
    const network_view *before, *after; /* of the predictions of a model diff, or of the same files */
    const roof_model_diff *diff;
} network_pair;

/* Sums close: of each side, the times of rows are those of its view, where they are known; times of the
 * first network are not where only the second is compiled, since they are by another law. */
void network_pair_make(const network_pair *pair, roof_arena *arena, network_view *out);

/* Two networks in line. before: the source of the first one; after: the view of the second. Errors: as
 * above. */
roof_status network_draw_pair(const network_source *before, const network_view *after,
                              const roof_model_diff *diff, roof_arena *arena, network_drawing *out,
                              roof_error *err);

/* Time, gap and live memory of a block or a row. rows: of the view, of either side. */
typedef struct network_sum {
    double time_ratio, gap_ratio, alive_ratio; /* sums, but of memory the most; NaN: not known of any row */
    double time_s;
} network_sum;
network_sum network_sum_of(const network_row *rows, uint32_t first_row, uint32_t n_rows);

/* For two networks: true if a row of the box differs, or is in one of them alone. */
bool network_differs(const network_view *view, const network_child *box);

/* How many of these rows a side has. */
uint32_t network_count(const network_row *rows, uint32_t first_row, uint32_t n_rows);

/* JSON, good within <script>: no '<' is in it.
 *
 * data: what rows, operators, blocks and edges are. {"table": "layers-1", "words": [time, gap, alive],
 * "rows": [[name, type, shape, device, executor, class of bound, bound, ideal_s, expected_s, measured_s,
 * gap_s, time_ratio, gap_ratio, alive_ratio, alive_bytes, number of the table, number of the layer, is
 * with others, first operator, operators, time in the baseline, network_change, level]], "ops": [[name,
 * type, is of the row]], "blocks": [[kind, title, first row, rows]], "levels": [[places, children,
 * edges]]}. A child is a row, or below 0 the block -child; of a level of operators it is null. An edge is
 * [from, to, bytes on chip, bytes through external memory, bytes of which it is unknown], where -1 is
 * outside. Levels of blocks come first, by their number. null is unknown. For two networks there are also
 * "titles", and "before": rows as they are in the first one; behind a row whether it is there, and why it
 * differs; behind an operator on which sides it is; and an edge has bytes and whether it is there for each
 * side. The second network comes first. places: [{"size": [width, height], "boxes": [x, y, x, y, ...],
 * "curves": [[x, y, ...]]}], which depend on the version of dot, and are apart. */
void network_put_data(const network_drawing *drawing, const char *table, roof_arena *arena, textbuf *out);
void network_put_places(const network_drawing *drawing, roof_arena *arena, textbuf *out);

/* The first level as <svg>: boxes of rows are links to rows of the table. */
void network_put_svg(const network_drawing *drawing, const char *table, const char *title, roof_arena *arena,
                     textbuf *out);

/* Shortened to so many characters, of which two thirds are of the end, as the page's script does it. */
const char *network_shorten(const char *name, size_t most, roof_arena *arena);

#endif
