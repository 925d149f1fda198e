/* measure/history/metrics.h - which numbers of a run are kept; the list is in metrics.c. */
#ifndef ROOF_MEASURE_HISTORY_METRICS_H
#define ROOF_MEASURE_HISTORY_METRICS_H

#include "roofline/history.h"

/* The i-th metric of roof_history_metric_at; NaN: unknown. */
double metric_of_run(size_t i, const roof_run *run);

/* NULL: there is none of this name. */
const roof_history_metric *metric_named(const char *name);

/* True if rows have it as well, in a column of this name. */
bool metric_is_of_rows(const roof_history_metric *metric);

#endif
