/* reports/timeline/trace_schedule.h - the schedule of compiled code in a trace: what each engine does when,
 * the critical path, and arrows where that path goes on with a wait.
 *
 * Units: cycles of the accelerator's clock, of one pass.
 * Source: model/code/replay.h; docs/formats/timelines.md says which rows and arguments there are.
 */
#ifndef ROOF_REPORTS_TIMELINE_TRACE_SCHEDULE_H
#define ROOF_REPORTS_TIMELINE_TRACE_SCHEDULE_H

#include "reports/timeline/trace_layers.h"
#include "roofline/realtime.h"

/* A process for each part of the network, replayed at its best, and another one as a board runs it where that
 * is known. Nothing where there is no code. The text remembers when memory runs out. Cost: linear in the
 * instructions; the number of events is bounded. */
void traceout_put_schedule(traceout *trace, const roof_prediction *prediction);

/* ---- trace_realtime.c: networks at a rate in a trace: what each core does when, and of each
 * network how long its inferences wait and run.
 *
 * Source: include/roofline/realtime.h, the simulation; docs/realtime.md says which rows there are.
 */

/* One process, all networks requested at once at 0. The text remembers when memory runs out. */
void traceout_put_realtime(traceout *trace, const roof_realtime *schedule);

#endif
