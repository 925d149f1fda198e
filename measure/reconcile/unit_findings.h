/* measure/reconcile/unit_findings.h - what a reader must know of units. */
#ifndef ROOF_MEASURE_RECONCILE_UNIT_FINDINGS_H
#define ROOF_MEASURE_RECONCILE_UNIT_FINDINGS_H

#include "measure/units/reconciler.h"

void unit_findings(reconciler *r, const roof_reconciled *e);

#endif
