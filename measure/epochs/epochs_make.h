/* measure/epochs/epochs_make.h - what a run says of its epochs, each with its phases
 * (include/roofline/epochs.h has the result). */
#ifndef ROOF_MEASURE_EPOCHS_EPOCHS_MAKE_H
#define ROOF_MEASURE_EPOCHS_EPOCHS_MAKE_H

#include "core/arena.h"
#include "roofline/reconcile.h"

/* prediction: of the same compilation, or NULL; hw: without one what the run is of, or NULL. */
typedef struct epochs_source {
    const roof_run *run;
    const roof_prediction *prediction;
    const struct roof_hw *hw;
} epochs_source;

/* Epochs of a run, in the arena. *out is NULL for a run without phases. */
roof_status epochs_make(const epochs_source *of, roof_arena *arena, roof_epochs **out, roof_error *err);

#endif
