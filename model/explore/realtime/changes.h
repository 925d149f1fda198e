/* model/explore/realtime/changes.h - a set of networks with something changed, and the smallest change with
 * which all deadlines are met.
 *
 * Ownership: what is found is of the arena.
 */
#ifndef ROOF_MODEL_EXPLORE_REALTIME_CHANGES_H
#define ROOF_MODEL_EXPLORE_REALTIME_CHANGES_H

#include "core/arena.h"
#include "model/explore/realtime/responses.h"

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

#endif
