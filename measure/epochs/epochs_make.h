/* measure/epochs/epochs_make.h - what a run says of its epochs, each with its phases
 * (include/roofline/epochs.h has the result). */
#pragma once

#include "model/graph/format.h"
#include "roofline/reconcile.h"

/* Epochs of a run, in the arena. p: the prediction of the same compilation, or NULL; hw: without one what the
 * run is of, or NULL. *out is NULL for a run without phases. */
roof_status epochs_make(const roof_run *run, const roof_prediction *p, const struct roof_hw *hw,
                        roof_arena *arena, roof_epochs **out, roof_error *err);

/* ---- epoch_index.c: epochs of a plan by the numbers in their names, for rows that name some ---- */

typedef struct epoch_index epoch_index;

/* prediction: NULL, or of no plan: an index of nothing. NULL without memory. */
epoch_index *epoch_index_new(const roof_prediction *prediction, roof_arena *arena);

/* The next layer of a range, in order of the numbers. Each is handed out once, so that all rows together take
 * linear time. False: none is left. */
bool epoch_index_claim(epoch_index *index, const numbered_rows *range, uint32_t *layer);

/* The layer of the range's first epoch, handed out or not; ROOF_NONE. */
uint32_t epoch_index_first(const epoch_index *index, const numbered_rows *range);
