/* core/child.h - another program: started without a shell, in a process group of its own, with a deadline.
 *
 * Ownership: arguments are borrowed for the call. What was started is ended by child_end.
 * A child does not outlive us: the kernel ends it when its parent dies, by whatever signal.
 */
#ifndef ROOF_CORE_CHILD_H
#define ROOF_CORE_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHILD_SAID_SIZE = 600 };

typedef struct child {
    pid_t pid;
    int messages; /* what it writes to its standard output and standard error, to be read */
    int64_t deadline_ms;
    char said[CHILD_SAID_SIZE]; /* the beginning of that, after child_end */
    bool failed;                /* it did not end by itself with 0 */
    bool timed_out;             /* it was ended at its deadline */
} child;

/* Starts arguments[0], which is looked for in PATH, in folder, with nothing on standard input. most_ms: how long it may
 * run. Returns 0, or the errno that says why it could not be started: there is nothing to end then. */
int child_start(const char *folder, char *const *arguments, int most_ms, child *out);

/* Waits until it ends, or ends it and its group at the deadline. */
void child_end(child *c);

#endif
