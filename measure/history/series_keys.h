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

#endif
