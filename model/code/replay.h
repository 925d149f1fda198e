/* model/code/replay.h - compiled code as a schedule: when each of its tasks starts, and what it waits for. A
 * family of accelerators whose compilers write such code has a replayer; whoever runs one need not know the
 * family.
 *
 * Queues take their tasks in order and run side by side. A token is what a task of one queue leaves for a
 * task of another.
 *
 * Units: cycles of the data clock.
 */
#pragma once

#include <stdbool.h>
#include "roofline/work.h"

enum {
    REPLAY_QUEUES = 4,
    REPLAY_PORTS = 4,
    REPLAY_DEEPEST_QUEUE = 16,
    /* instructions whose events are there at once: as many, and the rest of the task that passes it */
    REPLAY_BLOCK = 1 << 18
};

/* How long tasks take. */
typedef struct replay_timing {
    double load_bytes_per_cycle, save_bytes_per_cycle; /* save: of each of its ports */
    bool pieces_are_accesses; /* pieces that do not lie side by side start on a new word each */
    /* a fetched instruction waits until fewer than this many of its queue have not started; 0: no limit */
    double fetch_cycles_per_word;
    uint32_t queue_depth;
    double speed[ROOF_TASK_KINDS]; /* how many times faster than described; 0: 1 */
    uint32_t free_row;             /* of the program, whose tasks take no time, counted from 1; 0: none's */
} replay_timing;

/* When an instruction ran. The one before it is what set its start: on the path from it to the beginning no
 * cycle is idle. Where its fetch set it, that went on since the start of the one before, which left room in a
 * queue. */
typedef struct replay_event {
    uint64_t start, end;
    uint64_t waited,
        unfetched;      /* before its start: until a token came, and from then on until it was fetched */
    uint32_t before;    /* ROOF_NONE: the beginning */
    uint8_t waited_for; /* the queue whose token came last; its own: none was waited for */
} replay_event;

/* In a queue with one port busy + waits + tail = all, where no fetch is waited for. Ports overlap. */
typedef struct replay_queue_times {
    uint64_t busy, tail, critical;
    uint64_t waits[REPLAY_QUEUES]; /* until a token of that queue came */
} replay_queue_times;

/* Instructions that follow one another, and their tasks in stream->tasks. */
typedef struct replay_block {
    const replay_event *events;
    uint32_t first, behind; /* instructions, counted from 0 */
    uint32_t task, behind_task;
} replay_block;

/* A step back along the critical path: an instruction, its task and the cycles that it is of the path, and
 * those behind its start in which the instructions up to the one of the step before were fetched. */
typedef struct replay_step {
    uint32_t instruction; /* ROOF_NONE: the beginning, where only fetching is */
    uint32_t task;
    /* that of the step before, and its place among those that are alike; where it waited for its fetch */
    uint32_t behind_task, behind_place;
    uint64_t start, cycles, fetch_cycles;
} replay_step;

/* One way to run a stream, and what comes of it. */
typedef struct replay_run {
    replay_timing timing;
    /* Room for replay_room() of them, where it is the only run; NULL: the cycles alone are requested, and
     * what follows them is not set. */
    replay_event *events;
    /* Take the events, block by block, the last block first, and the steps of the path, when the cycles are
     * known; NULL: they are not requested. A long stream runs a second time for them, block after block. */
    void (*take)(void *context, const struct replay_run *run, const replay_block *block);
    void (*step)(void *context, const struct replay_run *run, const replay_step *step);
    void *context;
    /* of each row of the stream, to which is added what its tasks move the end of all before them, in the
     * order of the program; NULL: not requested */
    double *row_cycles;
    uint64_t cycles;
    replay_queue_times queues[REPLAY_QUEUES];
    uint64_t fetch_critical; /* of the critical path, in which instructions were fetched */
    uint32_t last;           /* the instruction that ends last; ROOF_NONE: there is none */
} replay_run;

static inline uint32_t replay_room(const roof_stream *stream)
{
    const uint32_t most = REPLAY_BLOCK + UINT16_MAX;
    return stream->n_instructions < most ? stream->n_instructions : most;
}

/* A task for each instruction, alone: room for stream->n_instructions of them; and a `take` whose context is
 * room for as many events. */
void replay_expand(const roof_stream *stream, roof_task *tasks);
void replay_keep(void *events, const replay_run *run, const replay_block *block);

typedef struct code_replayer {
    const char *queues[REPLAY_QUEUES]; /* their names */
    uint8_t ports[REPLAY_QUEUES];      /* more than 1: so many of its tasks run at once */
    /* Runs a stream in several ways in one pass over it.
     * Errors: E_DATA, with the offset in the file, for code that does not run to its end or takes 2^53
     * cycles; E_NO_MEMORY. */
    roof_status (*run)(const roof_stream *stream, replay_run *runs, uint32_t n_runs, roof_error *err);
} code_replayer;
