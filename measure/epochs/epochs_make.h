/* measure/epochs/epochs_make.h - what a run says of its epochs, each with its phases
 * (include/roofline/epochs.h has the result). */
#ifndef ROOF_MEASURE_EPOCHS_EPOCHS_MAKE_H
#define ROOF_MEASURE_EPOCHS_EPOCHS_MAKE_H

#include "core/arena.h"
#include "roofline/reconcile.h"

/* Epochs of a run, in the arena; prediction: of the same compilation, or NULL. *out is NULL for a run without
 * phases. */
roof_status epochs_make(const roof_run *run, const roof_prediction *prediction, roof_arena *arena,
                        roof_epochs **out, roof_error *err);

#endif
