/* model/code/dpu/dpu_schedule.h - an instruction stream of a DPU as a schedule.
 *
 * Protocol. Four queues (LOAD, SAVE, CONV, MISC) take their instructions in order and run side by side.
 * Twelve counters of tokens hold one each for a queue x and another one y, 0 at the start. An instruction of
 * queue e takes, before it starts, a token of each queue y of its mask waits_for, and leaves one for each
 * queue y of lets_go when it is complete. The bit of the own queue is a self token, of which each queue has
 * one at the start: where it is carried, one instruction follows the other. Saves go to two ports and leave
 * it out between them, so that two run at once. Program order is a legal order of a stream, so one pass over
 * it gives all times.
 *
 * Source: docs/hardware/dpuczdx8g.md, "The schedule", with the evidence.
 */
#pragma once

#include "model/code/dpu/dpu_isa.h"
#include "model/code/replay.h"

/* The tokens that one counter may hold: real streams leave 204 at most, so it counts 8 bits at least. */
enum { DPU_MOST_TOKENS = 1024 };

/* Replays a stream.
 *
 * Errors: E_DATA, with the offset in the file, when an instruction waits for a token that nothing left before
 *   it, when more than DPU_MOST_TOKENS of them stand in a counter, when some are left at the end, or when it
 *   takes 2^53 cycles; E_DATA for queues deeper than REPLAY_DEEPEST_QUEUE; E_NO_MEMORY.
 * Cost: linear in the tasks.
 * Example (tests/unit/test_schedule.c): a load of 64 bytes at 32 a cycle and a convolution of 10 cycles that
 * waits for it take
 *   12 cycles, of which the convolution waits 2.
 */
roof_status dpu_replay(const roof_stream *stream, replay_run *runs, uint32_t n_runs, roof_error *err);

extern const code_replayer dpu_replayer;
