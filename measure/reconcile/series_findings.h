/* measure/reconcile/series_findings.h - what samples say by their order. */
#ifndef ROOF_MEASURE_RECONCILE_SERIES_FINDINGS_H
#define ROOF_MEASURE_RECONCILE_SERIES_FINDINGS_H

#include "measure/units/reconciler.h"

/* Replaces runs that begin with a warm-up by what is behind it; their rows lose as many inferences. Errors:
 * E_NO_MEMORY. */
roof_status series_leave_warm_up(reconciler *r, roof_reconciled *e);

/* Before the scatter of rows is explained otherwise. */
void series_findings(reconciler *r, const roof_reconciled *e);

#endif
