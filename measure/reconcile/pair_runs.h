/* measure/reconcile/pair_runs.h - experiments, each with its runs and its prediction. */
#ifndef ROOF_MEASURE_RECONCILE_PAIR_RUNS_H
#define ROOF_MEASURE_RECONCILE_PAIR_RUNS_H

#include "measure/units/reconciler.h"

roof_status pair_runs(reconciler *r);

#endif
