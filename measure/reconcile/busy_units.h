/* measure/reconcile/busy_units.h - how busy units were, where a profile counted that. */
#ifndef ROOF_MEASURE_RECONCILE_BUSY_UNITS_H
#define ROOF_MEASURE_RECONCILE_BUSY_UNITS_H

#include "measure/units/reconciler.h"

void busy_units(reconciler *r, roof_reconciled *e);

#endif
