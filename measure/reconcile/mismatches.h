/* measure/reconcile/mismatches.h - what would make every comparison false. */
#ifndef ROOF_MEASURE_RECONCILE_MISMATCHES_H
#define ROOF_MEASURE_RECONCILE_MISMATCHES_H

#include "measure/reconcile/match_rows.h"
#include "measure/units/reconciler.h"

/* True if rows are kernels: no operator calls them, whatever the network is. Then the whole of a run may
 * still be held against the network, and no row against a layer by its place. */
bool mismatch_kernels(const roof_measured *m);

/* Says where the document was measured on other hardware than its prediction is of. */
void mismatch_hardware(reconciler *r, roof_reconciled *e);

/* Drops the prediction, and says why: times in another unit; rows of another model. */
void mismatch_times(reconciler *r, roof_reconciled *e);
void mismatch_model(reconciler *r, roof_reconciled *e, const row_matching *m);

/* The same once totals are known: rows counted in cycles of the accelerator that are not the time of an
 * inference of the whole-network run. They say nothing of what timing costs. */
void mismatch_layers(reconciler *r, roof_reconciled *e);

#endif
