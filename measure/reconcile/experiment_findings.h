/* measure/reconcile/experiment_findings.h - what a reader must know of experiments. */
#ifndef ROOF_MEASURE_RECONCILE_EXPERIMENT_FINDINGS_H
#define ROOF_MEASURE_RECONCILE_EXPERIMENT_FINDINGS_H

#include "measure/units/reconciler.h"

void experiment_findings(reconciler *r, const roof_reconciled *e);
void experiment_findings_of_all(reconciler *r);

#endif
