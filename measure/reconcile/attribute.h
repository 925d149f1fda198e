/* measure/reconcile/attribute.h - where the time of an inference goes. */
#ifndef ROOF_MEASURE_RECONCILE_ATTRIBUTE_H
#define ROOF_MEASURE_RECONCILE_ATTRIBUTE_H

#include "measure/units/reconciler.h"

void attribute_times(reconciler *r, roof_reconciled *e);

#endif
