/* measure/causes/find_causes.h - what costs time in an experiment. */
#ifndef ROOF_MEASURE_CAUSES_FIND_CAUSES_H
#define ROOF_MEASURE_CAUSES_FIND_CAUSES_H

#include "measure/matches/reconciler.h"

/* Ranks what costs time in the i-th experiment, once all else is known of it. */
void find_causes(reconciler *r, roof_reconciled *e);

#endif
