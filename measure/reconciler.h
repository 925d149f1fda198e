/* measure/reconciler.h - the working state of one roof_reconcile call, which its steps hand on. */
#ifndef ROOF_MEASURE_RECONCILER_H
#define ROOF_MEASURE_RECONCILER_H

#include "core/arena.h"
#include "roofline/reconcile.h"

typedef struct reconciler {
    const roof_measured *measured;
    const roof_prediction *const *predictions;
    const roof_reconcile_options *options;
    roof_reconciliation *out;
    roof_arena *arena;
    /* Of each line of the map: what of it is in any model (measure/map_lines.h); NULL: nothing was looked up. */
    unsigned char *map_found;
    uint32_t told[ROOF_FINDING_COUNT]; /* findings of each kind so far, the unlisted ones included */
    roof_error *err;
} reconciler;

#endif
