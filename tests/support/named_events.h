/* Counters by the names that documents have for them. */
#ifndef ROOF_TESTS_NAMED_EVENTS_H
#define ROOF_TESTS_NAMED_EVENTS_H

#include "measure/profile/counter.h"

#include <string.h>

typedef struct named_event {
    const char *name;
    uint64_t count;
} named_event;

/* The count of an event, or ROOF_UNKNOWN. */
static inline uint64_t event_count(const roof_event *events, uint32_t n, const char *wanted)
{
    char name[COUNTER_NAME_SIZE];
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(counter_name(&events[i], name), wanted) == 0)
            return events[i].count;
    return ROOF_UNKNOWN;
}

/* Counters of n names, in the arena; NULL without memory. */
static inline roof_event *events_of(const named_event *named, uint32_t n, roof_arena *arena)
{
    roof_event *events = NEW_ARRAY(arena, roof_event, n);
    for (uint32_t i = 0; events && i < n; i++) {
        if (counter_parse(named[i].name, arena, &events[i], NULL) != ROOF_OK)
            return NULL;
        events[i].count = named[i].count;
    }
    return events;
}

#endif
