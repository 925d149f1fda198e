/* measure/reconcile/mismatches.h - what would make every comparison false. */
#ifndef ROOF_MEASURE_RECONCILE_MISMATCHES_H
#define ROOF_MEASURE_RECONCILE_MISMATCHES_H

#include "measure/reconcile/match_rows.h"
#include "measure/units/reconciler.h"

/* Says where the document was measured on other hardware than its prediction is of. */
void mismatch_hardware(reconciler *r, uint32_t i);

/* Leaves the prediction out, and says why, where times are in another unit; where rows are those of another model. */
void mismatch_times(reconciler *r, uint32_t i);
void mismatch_model(reconciler *r, uint32_t i, const row_matching *m);

/* Likewise, once totals are known: where rows, counted in cycles of the accelerator, are not the time that a deployed inference
 * takes of it. They say nothing of what timing costs. */
void mismatch_layers(reconciler *r, uint32_t i);

#endif
