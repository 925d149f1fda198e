/* measure/reconcile/timed_curves_make.h - measured times of language models that differ in their length
 * alone: a curve each.
 */
#ifndef ROOF_MEASURE_RECONCILE_TIMED_CURVES_MAKE_H
#define ROOF_MEASURE_RECONCILE_TIMED_CURVES_MAKE_H

#include "measure/units/reconciler.h"

/* Finds which of out's experiments are points of one curve, before they are compared. Errors: E_NO_MEMORY. */
roof_status curves_group(reconciler *r);

/* Fits them once they are, and says what there is to say. Errors: E_NO_MEMORY. */
roof_status curves_make(reconciler *r);

#endif
