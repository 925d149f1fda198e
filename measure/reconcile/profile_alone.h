/* measure/reconcile/profile_alone.h - what a profile says by itself, where nothing is predicted. */
#ifndef ROOF_MEASURE_RECONCILE_PROFILE_ALONE_H
#define ROOF_MEASURE_RECONCILE_PROFILE_ALONE_H

#include "measure/units/reconciler.h"

void profile_alone_look(reconciler *r, roof_reconciled *e);

/* The function within the name that a compiler makes of it: "elementwise_kernel" of "void
 * at::native::elementwise_kernel<4, ...>(int, ...)", "copy" of "copy[v1](Array)". Other names stay. NULL
 * without memory. */
const char *profile_alone_kernel(const char *name, roof_arena *arena);

#endif
