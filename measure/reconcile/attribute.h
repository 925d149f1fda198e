/* measure/reconcile/attribute.h - where the time of an inference goes. */
#ifndef ROOF_MEASURE_RECONCILE_ATTRIBUTE_H
#define ROOF_MEASURE_RECONCILE_ATTRIBUTE_H

#include "measure/units/reconciler.h"

void attribute_times(reconciler *r, roof_reconciled *e);

/* The place of a type among those of an experiment, or the place behind them. */
uint32_t attribute_type(const roof_reconciled *e, const char *type);

#endif
