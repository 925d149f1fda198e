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

#include "measure/compare/diff_rows.h"
#include "roofline/model_diff.h"

/* mate[op]: the operator of the graph of after that this one of before is; ROOF_NONE: none. As many as the
 * graph of before has operators; of the arena. Only operators that compute have one.
 * Errors: E_NO_MEMORY; E_LIMIT (more than 2^26 pairs to look at). */
roof_status edits_pair(const diff_rows *before, const diff_rows *after, roof_arena *arena, uint32_t **mate,
                       roof_error *err);

/* Changes of rows that belong together, as bits of roof_diff_reason. */
uint32_t edits_reasons(const diff_rows *before, const diff_rows *after, const uint32_t *mate,
                       const roof_diff_row *item);

#endif
