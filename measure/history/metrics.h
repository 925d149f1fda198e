/* measure/history/metrics.h - which numbers of a run are kept, a list in metrics.c, and what tells
 * series apart. */
#ifndef ROOF_MEASURE_HISTORY_METRICS_H
#define ROOF_MEASURE_HISTORY_METRICS_H

#include "measure/history/store.h"
#include "roofline/history.h"

/* The i-th metric of roof_history_metric_at; NaN: unknown. */
double metric_of_run(size_t i, const roof_run *run);

/* NULL: there is none of this name. */
const roof_history_metric *metric_named(const char *name);

/* True if rows have it as well, in a column of this name. */
bool metric_is_of_rows(const roof_history_metric *metric);

/* The columns of a key. */
#define SERIES_COLUMNS                                                                                       \
    "series.model, series.model_hash, series.device, series.stack, series.mode, series.workload"
enum { SERIES_KEY_COLUMNS = 6 };

/* Parameters 1 to 5; "" lets all through. */
#define SERIES_FILTER                                                                                        \
    "(?1 = '' OR series.model = ?1 OR series.model_hash = ?1) AND (?2 = '' OR series.device = ?2) AND (?3 "  \
    "= '' OR series.stack = ?3) AND (?4 = '' OR series.mode = ?4) AND (?5 = '' OR series.workload = ?5)"

#define SERIES_VALUES(filter)                                                                                \
    STORE_TEXT((filter)->model), STORE_TEXT((filter)->device), STORE_TEXT((filter)->stack),                  \
        STORE_TEXT((filter)->mode), STORE_TEXT((filter)->workload)

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
