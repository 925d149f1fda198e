/* core/files/child.h - another program: started without a shell, in a process group of its own, with a
 * deadline.
 *
 * Ownership: arguments are borrowed for the call. A started program is ended by child_end. A child does not
 * outlive us: the kernel ends it when its parent dies, by whatever signal. Nor does what it started outlive
 * child_end: its group is ended, and of a child that talks or has an output what has left the group as well.
 */
#pragma once

#include "core/platform/platform.h"

enum { CHILD_SAID_SIZE = 600, CHILD_LAST_SIZE = 1000, CHILD_LONGEST_LINE = 16 << 20 };

typedef struct child_options {
    const char *folder;    /* where it runs; NULL: where we are */
    char *const *settings; /* "NAME=VALUE", of its environment; ends with NULL. NULL: none */
    int most_ms;           /* how long it may run */
    int output;            /* open file that its standard output goes to; 0: it is kept with its messages */
    bool talks;            /* it reads lines from us and answers with lines; else it has nothing to read */
} child_options;

typedef struct child {
    os_process process; /* its messages: its standard error, and its standard output if it does not talk */
    int64_t deadline_ms;
    char said[CHILD_SAID_SIZE]; /* the beginning of its messages: all that were read */
    char last[CHILD_LAST_SIZE]; /* the end of them */
    size_t n_said, n_last;
    char *lines; /* answers that were read and not yet requested */
    size_t n_lines, n_searched, n_taken, lines_room;
    bool failed;    /* it did not end by itself with 0 */
    bool timed_out; /* it was ended at its deadline */
    int signal;     /* that ended it, or 0 */
} child;

typedef enum child_answer {
    CHILD_LINE,
    CHILD_CLOSED, /* there are no more */
    CHILD_LATE,   /* nothing in time */
    CHILD_FLOOD,  /* a line of more than CHILD_LONGEST_LINE bytes */
    CHILD_NO_MEMORY
} child_answer;

/* Seconds as the milliseconds that are wanted here, at most about twelve days. */
int child_ms(double seconds);

/* Starts arguments[0], which is looked for in PATH. Returns 0, or the errno that says why it could not be
 * started: there is nothing to end then. */
int child_start(const child_options *options, char *const *arguments, child *out);

/* Sends text to a child that talks. False when it does not read, or has ended. */
bool child_say(child *c, const char *text, size_t length);

/* There is nothing more to read for it. */
void child_say_no_more(child *c);

/* The next line of what it answers, without its end, NUL-terminated, until the next call. Waits at most
 * most_ms, and at most to its deadline. */
child_answer child_hear(child *c, int most_ms, char **line, size_t *length);

/* Moves its deadline: it has so much time from now on. */
void child_give(child *c, int most_ms);
int child_left_ms(const child *c);

/* Reads its messages for at most step_ms; its answers are dropped. False: it has ended, or its time has. */
bool child_goes_on(child *c, int step_ms);

/* Waits until it ends, or ends it and its group at the deadline; within: of so much time, 0 for at once. */
void child_end(child *c);
void child_end_within(child *c, int most_ms);

/* Ends children that talk or have an output, and all that they started. Safe in a handler of signals. */
void child_end_all(void);
