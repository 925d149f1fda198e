/* tests/browser/browser_process.h - a program in a process group and a folder of its own, spoken to over its descriptors 3
 * and 4.
 *
 * Units: milliseconds.
 * Ownership: a child that was prepared is stopped by child_stop, whether it was started or not. Then no process of its
 *   group is left, and its folder is gone. The same happens, by a guard process, when this program dies without it: a
 *   sanitizer's abort, the timeout of ctest.
 */
#ifndef ROOF_TESTS_BROWSER_PROCESS_H
#define ROOF_TESTS_BROWSER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "roofline/status.h"

enum { CHILD_FOLDER_SIZE = 40 };

typedef struct child {
    pid_t pid;    /* and its process group; 0: not started */
    int fd;       /* a socket: what is written arrives at its descriptor 3, what it writes to 4 is read */
    int guard_fd; /* the guard acts when this closes */
    char folder[CHILD_FOLDER_SIZE]; /* its HOME and TMPDIR, short because sockets are made in it */
} child;

/* Milliseconds of a clock that only moves forward. */
int64_t child_now_ms(void);

/* Makes the folder, and the guard over it. Errors: E_IO. */
roof_status child_prepare(child *c, roof_error *err);

/* Starts program (a path) with these arguments, of which the last is NULL; argv[0] is its name. Its standard input is
 * empty, its standard output and error go to a file in the folder. Errors: E_DEVICE. */
roof_status child_start(child *c, const char *program, const char *const argv[], roof_error *err);

/* Sends length bytes, or waits until deadline_ms for there being room. Errors: E_DEVICE. */
roof_status child_send(child *c, const char *bytes, size_t length, int64_t deadline_ms, roof_error *err);

/* Receives what is there, at most size bytes, or waits for it; *got > 0. Errors: E_DEVICE: it ended, which is said with
 * its exit status and its last lines on standard error, or deadline_ms passed. */
roof_status child_receive(child *c, char *bytes, size_t size, int64_t deadline_ms, size_t *got,
                          roof_error *err);

void child_stop(child *c);

#endif
