/* reports/annotations/node_values.h - what a prediction says of each operator of the model's file, for
 * programs that show its graph.
 *
 * Units: names have them: "roofline.ideal_us". Times and counts are of a whole inference, or of the batch.
 *   Numbers have three decimals, or three digits where that is more, so that they are short and their sum is
 *   the total to the last of them.
 * Shapes: the time of a row stands at the operator that leads it; the others say what they are fused into. So
 *   sums over nodes close: with roofline.ideal_us_beside_nodes, of rows that no operator stands for, they are
 *   the total's. Unknown values are left out.
 * Ownership: all is of the arena's or of the prediction's; a failed allocation is remembered by the arena.
 */
#pragma once

#include "core/core.h"
#include "roofline/prediction.h"

/* Prefix of all names, here and in files that hold such values. */
#define NODE_VALUES_PREFIX "roofline."

typedef struct node_value {
    const char *name, *text;
    double number; /* the same as text; NaN: it is none */
} node_value;

enum { NODE_MOST_VALUES = 10 };

/* Values of one operator. */
typedef struct node_values {
    uint32_t node;                /* its place in the file */
    const char *name;             /* its own there; "": none that is only its own */
    double ideal_us, expected_us; /* as in values; NaN: unknown, or it leads no row */
    node_value values[NODE_MOST_VALUES];
    uint32_t n_values;
} node_values;

typedef struct graph_values {
    node_values *nodes; /* in the order of the file, each of them once */
    uint32_t n_nodes;
    node_value totals[NODE_MOST_VALUES];
    uint32_t n_totals;
} graph_values;

/* Operators by their place in the file, of those that is_wanted tells: ROOF_NONE where there is none. *n: the
 * places. NULL without memory. */
uint32_t *node_values_places(const roof_graph *graph, bool (*is_wanted)(const roof_op *op), roof_arena *arena,
                             uint32_t *n);

/* prediction: one that names_operators; of another one there are totals alone. false without memory. */
bool node_values_make(const roof_prediction *prediction, roof_arena *arena, graph_values *out);

/* How a program that shows the file knows the operator: its name or its place, as text; NULL: it cannot. */
const char *node_values_address(const roof_prediction *prediction, const node_values *node,
                                roof_arena *arena);
