/* model/explore/realtime/jobs.h - the simulation of networks that share the cores of one device: job after
 * job, in the order of requests.
 *
 * Units: nanoseconds.
 * Both policies serve in that order, so a job knows its core and its begin as soon as it is its turn: it goes
 * to its own core, or to the one that is free first, and no later job changes that. No queue is kept.
 */
#ifndef ROOF_MODEL_EXPLORE_REALTIME_JOBS_H
#define ROOF_MODEL_EXPLORE_REALTIME_JOBS_H

#include "model/explore/realtime/responses.h"

typedef struct ns_job {
    uint32_t task, core;
    uint64_t release_ns, start_ns, end_ns;
} ns_job;

typedef struct ns_simulation {
    const ns_set *set;
    uint32_t
        last; /* the task that asks behind all that ask at the same time; ROOF_NONE: the order of the set */
    uint64_t next_ns[ROOF_REALTIME_MOST_TASKS];
    uint64_t free_ns[ROOF_REALTIME_MOST_CORES];
} ns_simulation;

/* Each task asks first at its offset; NULL: all at 0. */
void ns_simulation_begin(ns_simulation *s, const ns_set *set, const uint64_t *offset_ns, uint32_t last);

/* When the next job is requested, and that job. There is always one. */
uint64_t ns_simulation_peek(const ns_simulation *s);
ns_job ns_simulation_next(ns_simulation *s);

#endif
