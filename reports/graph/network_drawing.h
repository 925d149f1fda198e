/* reports/graph/network_drawing.h - a network's graph with all that it takes to draw it, and its two
 * forms: data of a page, and its first level as a picture in the page that needs no script.
 *
 * Ownership: what it is of is borrowed, and has to live as long; the rest is the arena's.
 */
#pragma once

#include "reports/graph/network_view.h"
#include "roofline/model_diff.h"

/* ---- network_fold.c: rows of a network in blocks that open, so that a reader sees few boxes at first ----
 *
 * Shapes: a block is a run of rows in order of execution; its children are rows and smaller blocks, which
 *   part that run. Block 0 is the whole. No block has more than NETWORK_MOST_CHILDREN children.
 * Kinds of blocks, from the inside out:
 *   - a branch: the rows between two places where one tensor alone is passed on, as in a residual block;
 *     of more than NETWORK_MOST_BRANCH rows none, since such a box tells nothing;
 *   - a module: neighbours whose names begin alike up to their second '/', where branches made no blocks;
 *   - a repeat: a sequence of at most NETWORK_MOST_PERIOD children that comes several times in a row; what
 *     is repeated more than once has a block of its own for each time;
 *   - a stage: children that make pictures of one height and width;
 *   - a run: NETWORK_RUN children, where there would be too many.
 * Two rows are alike when type, operators, executor, kernel and stride are; numbers of channels may differ,
 *   which change from stage to stage and within one. Blocks are alike when their children are, one by one.
 * A network of few rows (NETWORK_FEW_ROWS) is not folded.
 * Cost: n log n in rows, and NETWORK_MOST_PERIOD times n comparisons of numbers. */

enum {
    NETWORK_FEW_ROWS = 16,
    NETWORK_MOST_CHILDREN = 500, /* dot takes 0.2 s for so many, and minutes for ten thousand */
    NETWORK_MOST_BRANCH = 48,
    NETWORK_MOST_PERIOD = 64,
    NETWORK_RUN = 50 /* so dot takes a second for 10,000 rows that are no repeats */
};

typedef enum network_block_kind {
    NETWORK_WHOLE,
    NETWORK_BRANCH,
    NETWORK_MODULE,
    NETWORK_REPEAT,
    NETWORK_TIME, /* one of the times of a repeat */
    NETWORK_STAGE,
    NETWORK_RUN_OF_ROWS
} network_block_kind;

/* A row, or the block that has it and others. */
typedef struct network_child {
    uint32_t block; /* ROOF_NONE: it is a row */
    uint32_t first_row, n_rows;
    uint32_t alike; /* children with the same number are alike */
} network_child;

typedef struct network_block {
    network_block_kind kind;
    const char *title; /* "stage 56x56", "5 x depthwise, conv" */
    uint32_t parent;   /* ROOF_NONE: it is the whole */
    uint32_t depth;    /* 0: it is the whole */
    uint32_t first_row, n_rows;
    const network_child *children;
    uint32_t n_children;
} network_block;

typedef struct network_fold {
    network_block *blocks;
    uint32_t n_blocks;
    uint32_t *block_of; /* the innermost block of each row */
} network_fold;

/* Without memory the arena knows. */
void network_fold_make(const network_view *view, roof_arena *arena, network_fold *out);

/* Child of a block that has this row of it. */
uint32_t network_child_of(const network_block *block, uint32_t row);

/* ---- network_levels.c, network_layout.c: children of a box that is opened, and edges between them; and the
 * places of both, by Graphviz's dot, an external program, and doing without it ----
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
 *   for a level of 500, minutes for one of 10,000. */

/* In place of a child: what comes from outside, where what goes outside goes. */
#define NETWORK_OUTSIDE ROOF_NONE

typedef struct network_level_edge {
    uint32_t from, to; /* children of the level, or NETWORK_OUTSIDE */
    uint32_t level;
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

/* ---- all of it ---- */

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

/* Two networks in line. before: the graph of the first one, which has no measured times and no table; after:
 * the view of the second. Errors: as above. */
roof_status network_draw_pair(const roof_graph *before, const network_view *after,
                              const roof_model_diff *diff, roof_arena *arena, network_drawing *out,
                              roof_error *err);

/* Time and gap of a box, and how many of its rows are there. rows: of the view, of either side. */
typedef struct network_sum {
    double time_ratio, gap_ratio; /* NaN: not known of any row */
    uint32_t n_rows;
} network_sum;
network_sum network_sum_of(const network_row *rows, const network_child *box);

/* For two networks: true if a row of the box differs, or is in one of them alone. */
bool network_differs(const network_view *view, const network_child *box);

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
void network_put_data(const network_drawing *drawing, const char *table, textbuf *out);
void network_put_places(const network_drawing *drawing, textbuf *out);

/* The first level as <svg>: boxes of rows are links to rows of the table. */
void network_put_svg(const network_drawing *drawing, const char *table, const char *title, roof_arena *arena,
                     textbuf *out);

/* Shortened to so many characters, of which two thirds are of the end, as the page's script does it. */
const char *network_shorten(const char *name, size_t most, roof_arena *arena);

/* ---- network_opened.c: a drawing with some of its blocks open, as one plane: all beside and below an open
 * block keeps its distance from it. page_graph.js does the same while a reader opens them ----
 *
 * Units: px from the left upper corner, y downwards.
 * Ownership: the arena's; edges are the drawing's. */

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
