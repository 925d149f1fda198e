/* speak_load.h - mode load of docs/runner-protocol.md: threads that take the inferences of a turn from one
 * counter, so that none waits for another, each with a session of its own with the device.
 *
 * A runner that uses it is built with speak_load.c beside speak.c, and with -pthread where that is wanted.
 * Each thread makes its session, runs it and ends it itself, since some libraries keep what they need by
 * thread. Sessions are made one after the other, in the order of the threads.
 * Units: seconds.
 * Ownership: what was begun is ended by speak_load_end.
 */
#pragma once

#include "speak.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SPEAK_LOAD_PHASES = 8, SPEAK_LOAD_WHY_SIZE = 400 };

/* Functions of the threads. All are called in the thread of this number; `why` has what it was where they
 * fail. */
typedef struct speak_work {
    void *context;
    bool (*begin)(void *context, uint32_t thread, char why[SPEAK_LOAD_WHY_SIZE]); /* NULL: nothing to do */
    bool (*run)(void *context, uint32_t thread, double phases_s[SPEAK_LOAD_PHASES],
                char why[SPEAK_LOAD_WHY_SIZE]);  /* one inference; its phases where it has any */
    void (*end)(void *context, uint32_t thread); /* of what begin was called for; NULL: nothing to do */
    const char *const *phases;                   /* names that end with _s */
    uint32_t n_phases, n_threads;                /* n_threads: from 1 */
} speak_work;

typedef struct speak_load speak_load;

/* Starts the threads, and waits until each has begun. NULL: why says it. */
speak_load *speak_load_begin(const speak_work *work, char why[SPEAK_LOAD_WHY_SIZE]);

/* Runs so many inferences of all threads together, and says their samples when all are done. Before them and
 * behind them each thread runs some that do not count, so that those that do are under the load of all.
 * False: why says it, and no sample was said. */
bool speak_load_turn(speak_load *l, speaker *s, uint32_t iterations, char why[SPEAK_LOAD_WHY_SIZE]);

/* All requested turns, each with its round, until there is none. False: as above. */
bool speak_load_turns(speak_load *l, speaker *s, char why[SPEAK_LOAD_WHY_SIZE]);

/* NULL is allowed. */
void speak_load_end(speak_load *l);

#ifdef __cplusplus
}
#endif
