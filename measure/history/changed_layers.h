/* measure/history/changed_layers.h - which layers changed where a series did: the same documents, or others
 * of the same model, device and stack, have a run with layers.
 *
 * Cost: of the 50 runs next to the change on either side.
 */
#ifndef ROOF_MEASURE_HISTORY_CHANGED_LAYERS_H
#define ROOF_MEASURE_HISTORY_CHANGED_LAYERS_H

#include "measure/history/store.h"

/* Fills layers of a series whose number in the file is id: those that differ beyond noise between the last
 * two segments, all rows tested together (Holm), the largest difference first. Errors: those of the file. */
roof_status changed_layers_find(roof_history *h, uint64_t id, roof_arena *arena, roof_history_series *s,
                                roof_error *err);

#endif
