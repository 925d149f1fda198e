/* measure/reconcile/units.h - rows and layers as units, with ideal and measured times. */
#ifndef ROOF_MEASURE_RECONCILE_UNITS_H
#define ROOF_MEASURE_RECONCILE_UNITS_H

#include "measure/reconcile/match_rows.h"
#include "measure/units/reconciler.h"

roof_status units_make(reconciler *r, roof_reconciled *e, const row_matching *m);

#endif
