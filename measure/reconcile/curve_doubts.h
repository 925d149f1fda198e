/* measure/reconcile/curve_doubts.h - times of a curve that cannot be, and what they are most likely of. */
#ifndef ROOF_MEASURE_RECONCILE_CURVE_DOUBTS_H
#define ROOF_MEASURE_RECONCILE_CURVE_DOUBTS_H

#include "measure/units/reconciler.h"

/* A model in the forms that a curve is of, its tokens left open. language: NULL where it is unknown. */
typedef struct curve_model {
    const roof_language_model *language;
    roof_language_point at;
} curve_model;

/* A finding for each point below its bound. */
void curve_doubts_find(reconciler *r, roof_timed_curve *curve, const curve_model *m);

#endif
