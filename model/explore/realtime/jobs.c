#include "model/explore/realtime/responses.h"

void ns_simulation_begin(ns_simulation *s, const ns_set *set, const uint64_t *offset_ns, uint32_t last)
{
    *s = (ns_simulation){.set = set, .last = last};
    for (uint32_t i = 0; offset_ns && i < set->n; i++)
        s->next_ns[i] = offset_ns[i];
}

static uint32_t next_task(const ns_simulation *s)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < s->set->n; i++)
        if (s->next_ns[i] < s->next_ns[first] || (s->next_ns[i] == s->next_ns[first] && first == s->last))
            first = i;
    return first;
}

uint64_t ns_simulation_peek(const ns_simulation *s)
{
    return s->next_ns[next_task(s)];
}

ns_job ns_simulation_next(ns_simulation *s)
{
    const uint32_t i = next_task(s);
    const ns_task *task = &s->set->tasks[i];
    ns_job job = {.task = i, .release_ns = s->next_ns[i]};
    for (uint32_t core = 1; core < s->set->cores; core++)
        job.core = s->free_ns[core] < s->free_ns[job.core] ? core : job.core;
    job.core = s->set->policy == ROOF_REALTIME_FIXED ? task->core : job.core;
    job.start_ns = s->free_ns[job.core] > job.release_ns ? s->free_ns[job.core] : job.release_ns;
    job.end_ns = job.start_ns + task->service_ns;
    s->free_ns[job.core] = job.end_ns;
    s->next_ns[i] += task->period_ns;
    return job;
}
