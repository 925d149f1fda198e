/* model/explore/realtime/responses.h - worst responses of networks that share the cores of one device, in
 * whole nanoseconds; the simulation that they are held against, and the set with something changed.
 * docs/realtime.md has the derivation.
 *
 * Units: nanoseconds; at most NS_MOST each, so that sums of all tasks do not overflow.
 */
#pragma once

#include "core/core.h"
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

/* --- the simulation (jobs.c) ---
 * Job after job, in the order of requests. Both policies serve in that order, so a job knows its core and its
 * begin as soon as it is its turn: it goes to its own core, or to the one that is free first, and no later
 * job changes that. No queue is kept. */

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

/* --- the set with something changed (changes.c) --- */

/* The values that differ from the set. */
typedef struct set_variant {
    roof_realtime_policy policy;
    uint32_t cores;
    double clock_factor, rate_factor;
    uint32_t rate_of;        /* the task whose rate it is; ROOF_NONE: of all */
    const uint32_t *core_of; /* of fixed; NULL: as the set says */
} set_variant;

set_variant set_as_it_is(const roof_realtime_set *set);

/* Cores that work at once at most: those of fixed that have a task. */
uint32_t set_busy_cores(const roof_realtime_set *set, const set_variant *v);

/* A time of one inference with as many cores busy, at the set's own clock. */
const roof_answer *set_service(const roof_realtime_task *task, uint32_t busy_cores);

void set_in_ns(const roof_realtime_set *set, const set_variant *v, ns_set *out);

/* The largest factor of the rate of one task, or of all, with which the set fits; NaN: there is none. */
double set_rate_factor(const roof_realtime_set *set, uint32_t task);

/* All changes of one kind each that make the set fit, the smallest first. Errors: E_NO_MEMORY. */
roof_status set_find_changes(const roof_realtime_set *set, roof_arena *arena,
                             const roof_realtime_change **changes, uint32_t *n, roof_error *err);
