/* measure/compare/diff_edits.h - the operators of a network and of an edited one: which belong together,
 * and what was changed.
 *
 * Both are laid beside each other as texts are: in order, so that no pair crosses another, and so that what
 * is paired is as alike as it can be. A pair is alike by its kind first, then by window, channels, size and
 * name. Names alone pair nothing: exporters number operators, so
 * that conv_11 of one network is another layer in the next.
 *
 * Formula: the pairing with the largest sum of likenesses (Needleman and Wunsch, J. Mol. Biol. 48 (1970)
 *   443), with gaps that cost nothing. Equal operators at both ends are paired before: a network with one
 *   edit is linear in its operators, and two that have nothing in common take the product of both.
 */
#ifndef ROOF_MEASURE_COMPARE_DIFF_EDITS_H
#define ROOF_MEASURE_COMPARE_DIFF_EDITS_H

#include "core/arena.h"
#include "roofline/model_diff.h"
#include "roofline/prediction.h"

/* The rows of a network as hardware executes them, with their operators; p and the graph are borrowed. */
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

/* mate[op]: the operator of the graph of after that this one of before is; ROOF_NONE: none. As many as the
 * graph of before has operators; of the arena. Only operators that compute have one.
 * Errors: E_NO_MEMORY; E_LIMIT (more than 2^26 pairs to look at). */
roof_status edits_pair(const diff_rows *before, const diff_rows *after, roof_arena *arena, uint32_t **mate,
                       roof_error *err);

/* Changes of rows that belong together, as bits of roof_diff_reason. */
uint32_t edits_reasons(const diff_rows *before, const diff_rows *after, const uint32_t *mate,
                       const roof_diff_row *item);

#endif
