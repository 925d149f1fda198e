/* reports/graph/network_view.h - a network as a graph of rows and operators, with what is known of each.
 *
 * Units: _s seconds of all executions, _bytes bytes, _ratio of the whole. Unknown is NaN, ROOF_UNKNOWN,
 *   NULL.
 * Shapes: a row of the view is a row of the prediction, in order of execution. Each operator of the file
 *   is drawn at exactly one row: the one that it leads, else the first that names it, else, where no row
 *   stands for it (a reshape, a quantisation that is folded), the first that reads what it makes, else the
 *   one that makes what it reads. Each operator that is left has a row of its own at the end, without a
 *   layer. Constants are no operators here, whether a node of the file makes them or none. Rows of a plan
 *   (roofline/plan.h) are its epochs, with its operators and what flows between them.
 * Ownership: sources are borrowed, and have to live as long; all else is the arena's, which remembers a
 *   failed allocation.
 */
#pragma once

#include "reports/charts/chart.h"

/* Sources of a view. */
typedef struct network_source {
    const roof_graph *graph;
    const roof_prediction *prediction; /* of this graph, with names_operators */
    const chart_rows *rows;            /* of the model: what was measured, or predicted */
    const roof_memory *memory;         /* NULL: live bytes are unknown */
    /* The row of the table of layers for each number of a layer, 0: none is listed. NULL: there is no
     * table. */
    const uint32_t *table_rows;
    uint32_t n_table_rows;
    const roof_compared_run *changes; /* rows of a baseline, A, beside these; NULL: there is none */
} network_source;

/* Change of a row since the baseline. */
typedef enum network_change {
    NETWORK_NOT_COMPARED,
    NETWORK_AS_BEFORE, /* no difference is shown */
    NETWORK_CHANGED,
    NETWORK_ONLY_HERE
} network_change;

/* How bytes of an edge get from one row to the other. */
typedef enum network_way {
    NETWORK_WAY_UNKNOWN,
    NETWORK_WAY_ON_CHIP,
    NETWORK_WAY_EXTERNAL, /* written to external memory, and read from there */
    NETWORK_WAYS
} network_way;

/* Side of a file, of two beside each other; a single file is the first. */
typedef enum network_side { NETWORK_HERE, NETWORK_BEFORE, NETWORK_SIDES } network_side;

typedef struct network_op {
    const char *name, *type;
    uint32_t row;       /* where it is drawn */
    bool is_of_the_row; /* the row stands for it; false: no row does */
    bool is_on[NETWORK_SIDES];
    const roof_op *op; /* NULL: of a plan */
} network_op;

typedef struct network_row {
    bool is_there;                      /* false: of two files, only the other one has it */
    const roof_layer_prediction *layer; /* NULL: of operators that belong to no row */
    const char *name, *type, *bound;    /* without what all names share; bound: "" where unknown */
    engine_kind bound_class;
    uint32_t number;     /* of its row in the table; 0: it has none */
    bool is_with_others; /* what was measured is of several layers, and stands at the first of them */
    double ideal_s, expected_s, measured_s;
    double time_s;                /* measured, else expected, else ideal; NaN: unknown */
    double gap_s;                 /* measured, else expected, above the ideal */
    double time_ratio, gap_ratio; /* of all rows; of all gaps above 0 */
    uint64_t alive_bytes;         /* while it runs, in the pool that decides */
    double alive_ratio;           /* of the peak */
    double before_s;              /* in the baseline; NaN: unknown */
    network_change change;
    const char *change_words;       /* of two files, why they differ: "channels, size"; NULL */
    uint32_t out_height, out_width; /* of what it makes; 0: that is no picture */
    uint32_t first_op, n_ops;       /* into ops of the view */
} network_row;

/* Several tensors from one row, or operator, to another are one edge. */
typedef struct network_edge {
    uint32_t from, to;
    uint64_t bytes; /* of one image, as the file has them */
    network_way way;
    network_side side; /* edges of two files with the same ends are two */
} network_edge;

typedef struct network_view {
    network_row *rows;
    network_row *before; /* of two files, each row as it is in the other one; NULL: of one file */
    const char *titles[NETWORK_SIDES]; /* of two files, what stands above each; NULL */
    network_op *ops;                   /* by row, in the order of the file */
    network_edge *edges,
        *op_edges; /* between rows; between all operators. By from, to, side, way, none twice */
    uint32_t n_rows, n_ops, n_edges, n_op_edges;
    const char *time_words;  /* "expected time" */
    const char *gap_words;   /* "measured above ideal"; NULL: no gap is known */
    const char *alive_words; /* "RAM"; NULL: nothing is known of memory */
    const char *only_before; /* names of rows of the baseline that are not here; NULL: there are none */
    const char *why_not;     /* it cannot be drawn, a sentence; NULL: it can */
} network_view;

/* Sums close: time_s over rows is that of source->rows. */
void network_view_make(const network_source *source, roof_arena *arena, network_view *out);

/* The same row, of which no time and no memory is known. */
network_row network_without_numbers(network_row row);

/* Adds a value; NaN adds nothing, and as the sum it is replaced. */
static inline void network_add(double *sum, double value)
{
    if (!isnan(value))
        *sum = isnan(*sum) ? value : *sum + value;
}

static inline const network_row *network_rows_of(const network_view *view, network_side side)
{
    return side == NETWORK_BEFORE ? view->before : view->rows;
}

/* Both ends of an edge, of any kind: all begin with them. */
static inline uint64_t network_ends_of(const void *edge)
{
    const uint32_t *ends = edge;
    return (uint64_t)ends[0] << 32 | ends[1];
}

/* Edges with the same ends of one side and way become one. Returns how many there are then. */
uint32_t network_merge_edges(network_edge *edges, uint32_t n);
