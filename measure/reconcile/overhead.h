/* measure/reconcile/overhead.h - what instrumentation costs. */
#ifndef ROOF_MEASURE_RECONCILE_OVERHEAD_H
#define ROOF_MEASURE_RECONCILE_OVERHEAD_H

#include "measure/units/reconciler.h"

/* The three fits, the ceiling of physics, and what a boundary costs. */
roof_status overhead_fit(reconciler *r);

/* Overhead, corrected time, gap and verdict of each unit. */
void overhead_correct(roof_reconciled *e);

#endif
