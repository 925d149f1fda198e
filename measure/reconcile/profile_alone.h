/* measure/reconcile/profile_alone.h - what a profile says by itself, where nothing is predicted. */
#ifndef ROOF_MEASURE_RECONCILE_PROFILE_ALONE_H
#define ROOF_MEASURE_RECONCILE_PROFILE_ALONE_H

#include "measure/units/reconciler.h"

void profile_alone_look(reconciler *r, uint32_t i);

#endif
