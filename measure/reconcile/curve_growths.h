/* measure/reconcile/curve_growths.h - which part of a step grew, along a curve and from one to another. */
#ifndef ROOF_MEASURE_RECONCILE_CURVE_GROWTHS_H
#define ROOF_MEASURE_RECONCILE_CURVE_GROWTHS_H

#include "measure/units/reconciler.h"

/* Errors: E_NO_MEMORY. */
roof_status curve_growths_make(reconciler *r);

#endif
