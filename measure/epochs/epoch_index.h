/* measure/epochs/epoch_index.h - epochs of a plan by the numbers in their names, and the numbers that rows of
 * a profile name: one epoch, those of a program of the epoch controller, or a part that the runtime puts into
 * one.
 *
 * Ownership: an index belongs to its arena and borrows the prediction.
 */
#ifndef ROOF_MEASURE_EPOCHS_EPOCH_INDEX_H
#define ROOF_MEASURE_EPOCHS_EPOCH_INDEX_H

#include "core/arena.h"
#include "roofline/prediction.h"

typedef struct epoch_range {
    uint32_t first, last; /* numbers of epochs, both included */
    bool is_part;         /* of the one epoch, not all of it */
} epoch_range;

/* False for what is no name of epochs. Example (tests/unit/test_epoch_index.c): "epoch_5" and "EpochBlock_5"
 * are 5 to 5, "EpochBlock_1 -> 22" is 1 to 22, and "EpochBlock_53 (3)" is a part of 53. */
bool epoch_range_read(const char *name, epoch_range *out);

typedef struct epoch_index epoch_index;

/* prediction: NULL, or of no plan: an index of nothing. NULL without memory. */
epoch_index *epoch_index_new(const roof_prediction *prediction, roof_arena *arena);

/* The next layer of a range, in order of the numbers. Each is handed out once, so that all rows together take
 * linear time. False: none is left. */
bool epoch_index_claim(epoch_index *index, const epoch_range *range, uint32_t *layer);

/* The layer of the range's first epoch, handed out or not; ROOF_NONE. */
uint32_t epoch_index_first(const epoch_index *index, const epoch_range *range);

#endif
