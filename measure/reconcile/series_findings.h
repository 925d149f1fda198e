/* measure/reconcile/series_findings.h - what samples say by their order. */
#ifndef ROOF_MEASURE_RECONCILE_SERIES_FINDINGS_H
#define ROOF_MEASURE_RECONCILE_SERIES_FINDINGS_H

#include "measure/units/reconciler.h"

/* Before the scatter of rows is explained otherwise. */
void series_findings(reconciler *r, const roof_reconciled *e);

#endif
