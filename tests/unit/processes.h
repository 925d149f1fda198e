/* tests/unit/processes.h - waiting for processes by what the kernel tells of them: a test becomes the parent
 * of what its children leave behind, so that their end is an event, whoever else reaps and however busy the
 * machine is.
 */
#ifndef ROOF_TESTS_PROCESSES_H
#define ROOF_TESTS_PROCESSES_H

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static inline void adopt_orphans(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Waits until all processes of this one and its children have ended; false: after a minute there still is
 * one. */
static inline bool all_have_ended(void)
{
    enum { STEPS = 6000, STEP_MS = 10 };
    for (int i = 0; i < STEPS; i++) {
        pid_t ended;
        do
            ended = waitpid(-1, NULL, WNOHANG);
        while (ended > 0);
        if (ended < 0)
            return errno == ECHILD;
        poll(NULL, 0, STEP_MS);
    }
    return false;
}

#endif
