/* measure/compare/diff_rows.h - the rows of a network as hardware executes them, with their operators.
 *
 * Ownership: all of it is the arena's; p and the graph are borrowed.
 */
#ifndef ROOF_MEASURE_COMPARE_DIFF_ROWS_H
#define ROOF_MEASURE_COMPARE_DIFF_ROWS_H

#include "core/arena.h"
#include "roofline/prediction.h"

typedef struct diff_rows {
    const roof_prediction *p;
    const roof_graph *given; /* that the program was made of, before it was lowered */
    roof_program program;
    uint32_t *row_of; /* of each operator of the program's graph; ROOF_NONE */
    uint32_t n;       /* rows of both */
} diff_rows;

/* out->p is set before. Errors: those of lowering; E_NO_MEMORY. */
roof_status diff_rows_read(const roof_graph *graph, const roof_hw *hw, roof_arena *arena, diff_rows *out,
                           roof_error *err);

/* How many operators a row has, and the i-th of them. */
uint32_t diff_ops(const diff_rows *s, uint32_t row);
const roof_op *diff_op(const diff_rows *s, uint32_t row, uint32_t i);

/* An operator whose name tells what a row computes: not its constants, nor what both may spell anew. */
bool diff_op_is_stated(const roof_op *op);

/* The last operator that computes, whose output is the row's; NULL: none does. */
const roof_op *diff_result(const diff_rows *s, uint32_t row);

/* The operator that has multiply-accumulates, the first of several; else the first that computes; NULL. */
const roof_op *diff_main(const diff_rows *s, uint32_t row);

#endif
