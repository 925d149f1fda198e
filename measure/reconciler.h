/* measure/reconciler.h - the working state of one roof_reconcile call, which its steps hand on. */
#ifndef ROOF_MEASURE_RECONCILER_H
#define ROOF_MEASURE_RECONCILER_H

#include "measure/map_lines.h"
#include "roofline/reconcile.h"

typedef struct reconciler {
    const roof_measured *measured;
    const roof_prediction *const *predictions;
    const roof_reconcile_options *options;
    roof_reconciliation *out;
    roof_arena *arena;
    layer_map *map;                    /* NULL: the user says nothing */
    uint32_t told[ROOF_FINDING_COUNT]; /* findings of each kind so far, the unlisted ones included */
    bool lacks_memory;                 /* outside the arena, which remembers by itself */
    roof_error *err;
} reconciler;

#endif
