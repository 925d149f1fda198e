/* model/code/dpu/dpu_schedule.h - an instruction stream of a DPU as a schedule: when each instruction starts, and what it waits for.
 *
 * Protocol. Four queues (LOAD, SAVE, CONV, MISC) take their instructions in order and run side by side. Twelve counters of tokens
 * hold one each for a queue x and another one y, 0 at the start. An instruction of queue e takes, before it starts, a token of
 * each queue y of its mask waits_for, and leaves one for each queue y of lets_go when it is complete. The bit of the own queue is
 * a self token, of which each queue has one at the start: where it is carried, one instruction follows the other. Saves go to two
 * ports and leave it out between them, so that two run at once.
 * Program order is a legal order of a stream, so one pass over it gives all times.
 *
 * Units: cycles of the data clock.
 * Source: docs/hardware/dpuczdx8g.md, "The schedule", with the evidence.
 */
#ifndef ROOF_MODEL_DPU_SCHEDULE_H
#define ROOF_MODEL_DPU_SCHEDULE_H

#include "core/arena.h"
#include "model/code/dpu/dpu_isa.h"

/* The tokens that one counter may hold: real streams leave 204 at most, so the hardware counts 8 bits at least. */
enum { DPU_MOST_TOKENS = 1024, DPU_DEEPEST_QUEUE = 16, DPU_PORTS = 4 };

/* How long tasks take. */
typedef struct dpu_timing {
    double load_bytes_per_cycle, save_bytes_per_cycle; /* save: of each of its ports */
    bool pieces_are_accesses; /* what does not lie side by side starts on a new word each */
    /* Instructions are fetched one after the other, and wait until this many of their queue have not started; 0: no limit */
    double fetch_cycles_per_word;
    uint32_t queue_depth;
    double speed[ROOF_TASK_KINDS]; /* how many times faster than described; 0: 1 */
    uint32_t free_row;             /* whose tasks take no time, counted from 1; 0: none's */
} dpu_timing;

/* When a task ran. The one before it is what set its start: on the path from it to the beginning no cycle is idle. Where its
 * fetch set it, that went on since the start of the one before, which left room in a queue. */
typedef struct dpu_event {
    uint64_t start, end;
    uint64_t waited,
        unfetched;          /* before its start: until a token came, and from then on until it was fetched */
    uint32_t before;        /* ROOF_NONE: the beginning */
    uint8_t waited_for;     /* the queue whose token came last; its own: none was waited for */
    bool is_from_its_start; /* it follows the start of the one before, not its end */
} dpu_event;

/* Of CONV, LOAD and MISC: busy + waits + tail = the whole. SAVE is two ports, which overlap. */
typedef struct dpu_queue_times {
    uint64_t busy, tail, critical;
    uint64_t waits[DPU_QUEUES]; /* until a token of that queue came */
} dpu_queue_times;

typedef struct dpu_replay {
    uint64_t cycles;
    dpu_queue_times queues[DPU_QUEUES];
    uint64_t fetch_critical; /* of the critical path, in which instructions were fetched */
    dpu_event *events;       /* one for each task */
    uint32_t last;           /* the task that ends last; ROOF_NONE: there is none */
} dpu_replay;

/* Makes the task of an instruction; row: whose it is. */
roof_task dpu_task_of(const dpu_instruction *in, uint32_t row);

/* Replays a stream.
 *
 * out: its events live in arena.
 * Errors: E_DATA, with the offset in the file, when an instruction waits for a token that nothing left before it, when more than
 *   DPU_MOST_TOKENS of them stand in a counter, when some are left at the end, or when it takes 2^53 cycles; E_DATA for queues
 *   deeper than DPU_DEEPEST_QUEUE; E_NO_MEMORY.
 * Cost: linear in the tasks.
 * Example (tests/unit/test_schedule.c): a load of 64 bytes at 32 a cycle and a convolution of 10 cycles that waits for it take
 *   12 cycles, of which the convolution waits 2.
 */
roof_status dpu_replay_stream(const roof_stream *stream, const dpu_timing *timing, roof_arena *arena,
                              dpu_replay *out, roof_error *err);

/* The same with the events in room, which is for as many as there are tasks: what replays several streams touches less memory. */
roof_status dpu_replay_into(dpu_event *room, const roof_stream *stream, const dpu_timing *timing,
                            dpu_replay *out, roof_error *err);

#endif
