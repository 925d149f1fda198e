/* measure/run/runner_deaths.h - what the last words of a vendor's library mean, which aborts its process. */
#ifndef ROOF_MEASURE_RUN_RUNNER_DEATHS_H
#define ROOF_MEASURE_RUN_RUNNER_DEATHS_H

#include <stddef.h>

typedef struct runner_death {
    const char *mark; /* in its messages */
    const char *sentence, *advice;
} runner_death;

/* The death that is known by its mark; NULL: none. said, last: the beginning and the end of its standard
 * error.
 * line: the first line that tells why, "" when there is none. */
const runner_death *runner_death_of(const char *said, const char *last, char *line, size_t size);

#endif
