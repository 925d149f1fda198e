/* measure/reconcile/step_fit.h - a line through steps; roofline/timed_curves.h has the rules. */
#ifndef ROOF_MEASURE_RECONCILE_STEP_FIT_H
#define ROOF_MEASURE_RECONCILE_STEP_FIT_H

#include "roofline/timed_curves.h"

/* The steps of a curve, ascending by tokens; each gets its fitted_s, left_out_ratio and marks. */
roof_step_fit step_fit_make(roof_timed_point *steps, uint32_t n);

/* The median of what is known of n values, which it orders; NaN where nothing is. */
double step_fit_median(double *values, uint32_t n);

#endif
