#include "model/explore/realtime/responses.h"

/* An excess of this is how doubles differ, no load: a nanosecond in a quarter of an hour. */
#define ROUNDING_RATIO 1e-12

double ns_utilisation(const ns_set *set, uint32_t core)
{
    double sum = 0;
    for (uint32_t i = 0; i < set->n; i++)
        if (core == ROOF_NONE || set->tasks[i].core == core)
            sum += (double)set->tasks[i].service_ns / (double)set->tasks[i].period_ns;
    return sum;
}

/* --- fixed -------------------------------------------------------------------------------------------- */

/* The maximum over t of sum of (floor(t/T) + 1) C, less t, is at t = 0 where the core keeps up. */
static void respond_on_core(const ns_set *set, uint32_t core, uint64_t *response_ns)
{
    uint64_t sum = 0;
    if (ns_utilisation(set, core) > 1 + ROUNDING_RATIO)
        return;
    for (uint32_t i = 0; i < set->n; i++)
        sum += set->tasks[i].core == core ? set->tasks[i].service_ns : 0;
    for (uint32_t i = 0; i < set->n; i++)
        if (set->tasks[i].core == core)
            response_ns[i] = sum;
}

/* --- fifo --------------------------------------------------------------------------------------------- */

/* The work ahead of a job, by task, and the cores that share it: it waits for the sum over the cores. */
typedef struct work_ahead {
    uint64_t ns[ROOF_REALTIME_MOST_TASKS];
    uint32_t shared_by;
    uint64_t wait_ns;
} work_ahead;

/* Tasks, the longest first. */
static void order_by_service(const ns_set *set, uint32_t *order)
{
    for (uint32_t i = 0; i < set->n; i++) {
        uint32_t at = i;
        for (; at && set->tasks[order[at - 1]].service_ns < set->tasks[i].service_ns; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* All jobs that can be live, without the longest so many, and without as many cores: wherever these are, the
 * other cores have only the rest, and one of them is free when it is done. Without all cores it is another
 * bound: all work that was requested since all cores are busy, and the longest jobs, one for each core but
 * one, that may have been at work then. */
static work_ahead ahead_without(const ns_set *set, const uint64_t *others, const uint32_t *order,
                                uint32_t own, uint32_t without)
{
    const bool is_since_busy = without == set->cores;
    work_ahead w = {.shared_by = is_since_busy ? set->cores : set->cores - without};
    uint64_t left = is_since_busy ? set->cores - 1 : without, sum = 0;
    for (uint32_t k = 0; k < set->n; k++) {
        const uint32_t i = order[k];
        const uint64_t n = others[i] < left ? others[i] : left,
                       jobs = is_since_busy ? n + (i != own) : others[i] - n;
        if (__builtin_mul_overflow(jobs, set->tasks[i].service_ns, &w.ns[i]))
            w.ns[i] = UINT64_MAX;
        sum = w.ns[i] > UINT64_MAX - sum ? UINT64_MAX : sum + w.ns[i];
        left -= n;
    }
    w.wait_ns = ceil_div(sum, w.shared_by);
    return w;
}

/* The least of the bounds. */
static work_ahead find_ahead(const ns_set *set, const uint64_t *response_ns, const uint32_t *order,
                             uint32_t own)
{
    /* jobs of each task at most that were requested before a job of task `own` and are not done at one time,
     * when its response is no longer */
    uint64_t others[ROOF_REALTIME_MOST_TASKS] = {0};
    for (uint32_t i = 0; i < set->n; i++)
        others[i] = ceil_div(response_ns[i], set->tasks[i].period_ns);
    others[own] -= others[own] > 0;
    work_ahead least = ahead_without(set, others, order, own, set->cores);
    for (uint32_t without = 0; without < set->cores; without++) {
        const work_ahead w = ahead_without(set, others, order, own, without);
        least = w.wait_ns < least.wait_ns ? w : least;
    }
    return least;
}

/* From below: who is ahead in the queue responds in no longer than the fixed point by induction, so that the
 * least one is a bound. It ends, since no work ahead is larger than with any number of live jobs. */
static void respond_in_queue(const ns_set *set, uint64_t *response_ns)
{
    enum { MOST_ROUNDS = 1000 };
    uint32_t order[ROOF_REALTIME_MOST_TASKS];
    bool changes = true;
    order_by_service(set, order);
    for (uint32_t i = 0; i < set->n; i++)
        response_ns[i] = set->tasks[i].service_ns;
    for (uint32_t round = 0; changes; round++) {
        changes = false;
        for (uint32_t i = 0; i < set->n && round == MOST_ROUNDS; i++)
            response_ns[i] = NS_MOST * set->cores * set->n; /* then any number is live, a bound as well */
        for (uint32_t i = 0; i < set->n; i++) {
            const uint64_t now = set->tasks[i].service_ns + find_ahead(set, response_ns, order, i).wait_ns;
            changes = changes || (now != response_ns[i] && round < MOST_ROUNDS);
            response_ns[i] = now;
        }
    }
}

/* --- both --------------------------------------------------------------------------------------------- */

void ns_responses(const ns_set *set, uint64_t response_ns[ROOF_REALTIME_MOST_TASKS])
{
    for (uint32_t i = 0; i < set->n; i++)
        response_ns[i] = NS_UNBOUNDED;
    if (set->policy == ROOF_REALTIME_FIXED)
        for (uint32_t core = 0; core < set->cores; core++)
            respond_on_core(set, core, response_ns);
    else if (ns_utilisation(set, ROOF_NONE) <= set->cores * (1 + ROUNDING_RATIO))
        respond_in_queue(set, response_ns);
}

uint32_t ns_ahead(const ns_set *set, const uint64_t response_ns[ROOF_REALTIME_MOST_TASKS], uint32_t task,
                  uint64_t ahead_ns[ROOF_REALTIME_MOST_TASKS])
{
    uint32_t order[ROOF_REALTIME_MOST_TASKS];
    memset(ahead_ns, 0, set->n * sizeof *ahead_ns);
    if (response_ns[task] == NS_UNBOUNDED)
        return 1;
    if (set->policy == ROOF_REALTIME_FIFO) {
        order_by_service(set, order);
        const work_ahead w = find_ahead(set, response_ns, order, task);
        memcpy(ahead_ns, w.ns, set->n * sizeof *ahead_ns);
        return w.shared_by;
    }
    for (uint32_t i = 0; i < set->n; i++)
        if (i != task && set->tasks[i].core == set->tasks[task].core)
            ahead_ns[i] = set->tasks[i].service_ns;
    return 1;
}

bool ns_fits(const ns_set *set)
{
    uint64_t response_ns[ROOF_REALTIME_MOST_TASKS];
    ns_responses(set, response_ns);
    bool fits = true;
    for (uint32_t i = 0; i < set->n; i++)
        fits = fits && response_ns[i] <= set->tasks[i].deadline_ns;
    return fits;
}
