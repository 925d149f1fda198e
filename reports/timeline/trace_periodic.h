/* reports/timeline/trace_periodic.h - networks at a rate in a trace: what each core does when, and of each
 * network how long its inferences wait and run.
 *
 * Source: include/roofline/periodic.h, the simulation; docs/periodic.md says which rows there are.
 */
#ifndef ROOF_REPORTS_TIMELINE_TRACE_PERIODIC_H
#define ROOF_REPORTS_TIMELINE_TRACE_PERIODIC_H

#include "reports/timeline/trace_layers.h"
#include "roofline/periodic.h"

/* One process, all networks requested at once at 0. The text remembers when memory runs out. */
void traceout_put_periodic(traceout *trace, const roof_periodic *schedule);

#endif
