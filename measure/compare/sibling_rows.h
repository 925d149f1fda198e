/* measure/compare/sibling_rows.h - the rows of a network as hardware executes them, with their operators.
 *
 * Ownership: all of it is the arena's; p and the graph are borrowed.
 */
#ifndef ROOF_MEASURE_SIBLING_ROWS_H
#define ROOF_MEASURE_SIBLING_ROWS_H

#include "core/arena.h"
#include "roofline/prediction.h"

typedef struct sibling_rows {
    const roof_prediction *p;
    const roof_graph *given; /* that the program was made of, before it was lowered */
    roof_program program;
    uint32_t *row_of; /* of each operator of the program's graph; ROOF_NONE */
    uint32_t n;       /* rows of both */
} sibling_rows;

/* out->p is set before. Errors: those of lowering; E_NO_MEMORY. */
roof_status sibling_rows_read(const roof_graph *graph, const roof_hw *hw, roof_arena *arena,
                              sibling_rows *out, roof_error *err);

/* How many operators a row has, and the i-th of them. */
uint32_t sibling_ops(const sibling_rows *s, uint32_t row);
const roof_op *sibling_op(const sibling_rows *s, uint32_t row, uint32_t i);

/* An operator whose name tells what a row computes: not its constants, nor what both may spell anew. */
bool sibling_op_is_told(const roof_op *op);

/* The last operator that computes, whose output is the row's; NULL: none does. */
const roof_op *sibling_result(const sibling_rows *s, uint32_t row);

/* The operator that has multiply-accumulates, the first of several; else the first that computes; NULL. */
const roof_op *sibling_main(const sibling_rows *s, uint32_t row);

#endif
