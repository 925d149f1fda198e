/* measure/reconcile/sweeps.h - load runs of one model on one device, held against the law of a closed system.
 */
#ifndef ROOF_MEASURE_RECONCILE_SWEEPS_H
#define ROOF_MEASURE_RECONCILE_SWEEPS_H

#include "measure/units/reconciler.h"

/* Orders out's loads by sweep and threads, and makes its sweeps. Errors: E_NO_MEMORY. */
roof_status sweeps_make(reconciler *r);

#endif
