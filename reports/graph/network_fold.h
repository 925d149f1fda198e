/* reports/graph/network_fold.h - rows of a network in blocks that open, so that a reader sees few boxes at
 * first.
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
 * Cost: n log n in rows, and NETWORK_MOST_PERIOD times n comparisons of numbers.
 */
#ifndef ROOF_REPORTS_GRAPH_NETWORK_FOLD_H
#define ROOF_REPORTS_GRAPH_NETWORK_FOLD_H

#include "reports/graph/network_view.h"

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

#endif
