/* measure/history/series_keys.h - what tells series apart: the columns of a key, and a filter over them. */
#ifndef ROOF_MEASURE_HISTORY_SERIES_KEYS_H
#define ROOF_MEASURE_HISTORY_SERIES_KEYS_H

#include "measure/history/store.h"

#define SERIES_COLUMNS                                                                                       \
    "series.model, series.model_hash, series.device, series.stack, series.mode, series.workload"
enum { SERIES_KEY_COLUMNS = 6 };

/* Parameters 1 to 5; "" lets all through. */
#define SERIES_FILTER                                                                                        \
    "(?1 = '' OR series.model = ?1 OR series.model_hash = ?1) AND (?2 = '' OR series.device = ?2) AND (?3 "  \
    "= '' OR series.stack = ?3) AND (?4 = '' OR series.mode = ?4) AND (?5 = '' OR series.workload = ?5)"

/* filter: NULL lets all through. */
roof_status series_bind_filter(store_query *q, const roof_history_filter *filter);

/* From the column first on. */
roof_status series_read_key(store_query *q, int first, roof_history_key *out);

/* ---- changed_layers.c: which layers changed where a series did: the same documents, or others
 * of the same model, device and stack, have a run with layers.
 *
 * Cost: of the 50 runs next to the change on either side.
 */

/* Fills layers of a series whose number in the file is id: those that differ beyond noise between the last
 * two segments, all rows tested together (Holm), the largest difference first. Errors: those of the file. */
roof_status changed_layers_find(roof_history *h, uint64_t id, roof_arena *arena, roof_history_series *s,
                                roof_error *err);

#endif
