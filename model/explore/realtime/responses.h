/* model/explore/realtime/responses.h - worst responses of networks that share the cores of one device, in
 * whole nanoseconds. docs/realtime.md has the derivation.
 *
 * Units: nanoseconds; at most NS_MOST each, so that sums of all tasks do not overflow.
 */
#ifndef ROOF_MODEL_EXPLORE_REALTIME_RESPONSES_H
#define ROOF_MODEL_EXPLORE_REALTIME_RESPONSES_H

#include "roofline/realtime.h"

#define NS_MOST      UINT64_C(1000000000000000) /* eleven days */
#define NS_UNBOUNDED UINT64_MAX

typedef struct ns_task {
    uint64_t period_ns, deadline_ns, service_ns;
    uint32_t core; /* of fixed */
} ns_task;

typedef struct ns_set {
    ns_task tasks[ROOF_REALTIME_MOST_TASKS];
    uint32_t n, cores;
    roof_realtime_policy policy;
} ns_set;

/* The worst response of each task; NS_UNBOUNDED where its queue may grow for ever. */
void ns_responses(const ns_set *set, uint64_t response_ns[ROOF_REALTIME_MOST_TASKS]);

/* The work requested before a job of the task in the worst case, by task, which is served first. Returns how
 * many cores share it: the job waits for the sum over that. Nothing where there is no bound. */
uint32_t ns_ahead(const ns_set *set, const uint64_t response_ns[ROOF_REALTIME_MOST_TASKS], uint32_t task,
                  uint64_t ahead_ns[ROOF_REALTIME_MOST_TASKS]);

/* True if every response is within its deadline. */
bool ns_fits(const ns_set *set);

/* The sum of service / period on one core of fixed; ROOF_NONE: of all tasks. */
double ns_utilisation(const ns_set *set, uint32_t core);

#endif
