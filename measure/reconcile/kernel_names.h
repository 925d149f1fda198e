/* measure/reconcile/kernel_names.h - the names of functions within what compilers make of them. */
#ifndef ROOF_MEASURE_RECONCILE_KERNEL_NAMES_H
#define ROOF_MEASURE_RECONCILE_KERNEL_NAMES_H

#include "core/arena.h"

/* "elementwise_kernel" of "void at::native::elementwise_kernel<4, ...>(int, ...)", "copy" of
 * "copy[v1](Array)". Other names stay. NULL without memory. */
const char *kernel_base_name(const char *name, roof_arena *arena);

#endif
