/* measure/reconcile/inference_totals.h - times of whole inferences. */
#ifndef ROOF_MEASURE_RECONCILE_INFERENCE_TOTALS_H
#define ROOF_MEASURE_RECONCILE_INFERENCE_TOTALS_H

#include "measure/units/reconciler.h"

/* Sets what was measured, and what it is compared with. */
void inference_totals_measured(roof_reconciled *e);

/* Sets what the fits say of it. */
void inference_totals_estimated(reconciler *r, roof_reconciled *e);

/* How fast the CPU writes into buffers of the accelerator. */
void inference_totals_buffers(reconciler *r);

#endif
