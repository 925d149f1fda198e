#include "measure/profile/processor_counts.h"

#include <math.h>
#include <string.h>

/* "cycles:u" is the user's cycles alone, "cpu_core/cycles/" those of a kind of core, another event. */
static double count_of(const roof_run *run, const char *name)
{
    for (uint32_t i = 0; i < run->n_events; i++) {
        const roof_event *event = &run->events[i];
        size_t length = event->name ? strcspn(event->name, ":") : 0;
        if (event->scope == ROOF_COUNTER_OTHER && length == strlen(name) &&
            memcmp(event->name, name, length) == 0)
            return (double)event->count;
    }
    return NAN;
}

processor_counts processor_counts_of(const roof_run *run)
{
    return (processor_counts){.cycles = count_of(run, "cycles"),
                              .instructions = count_of(run, "instructions"),
                              .references = count_of(run, "cache-references"),
                              .misses = count_of(run, "cache-misses"),
                              .branches = count_of(run, "branches"),
                              .branch_misses = count_of(run, "branch-misses")};
}
