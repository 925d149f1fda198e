/* measure/epochs/epoch_index.h - epochs of a plan by the numbers in their names, for rows that name some.
 *
 * Ownership: an index belongs to its arena and borrows the prediction.
 */
#ifndef ROOF_MEASURE_EPOCHS_EPOCH_INDEX_H
#define ROOF_MEASURE_EPOCHS_EPOCH_INDEX_H

#include "core/arena.h"
#include "model/graph/format.h"
#include "roofline/prediction.h"

typedef struct epoch_index epoch_index;

/* prediction: NULL, or of no plan: an index of nothing. NULL without memory. */
epoch_index *epoch_index_new(const roof_prediction *prediction, roof_arena *arena);

/* The next layer of a range, in order of the numbers. Each is handed out once, so that all rows together take
 * linear time. False: none is left. */
bool epoch_index_claim(epoch_index *index, const numbered_rows *range, uint32_t *layer);

/* The layer of the range's first epoch, handed out or not; ROOF_NONE. */
uint32_t epoch_index_first(const epoch_index *index, const numbered_rows *range);

#endif
