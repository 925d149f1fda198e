/* tests/support/schedule_check.h - what holds for the schedule of every instruction stream that can run to
 * its end.
 *
 * With ideal times, and as far as it still holds behind a front end that fetches:
 * - the stream balances; LOAD, CONV and MISC are each busy, waiting or done for as long as the whole; the
 * critical path is the whole;
 * - an instruction starts when the last of what it waits for has come, and not before: found from the tokens
 * in another way than
 *   by the replay itself;
 * - the whole is at least each queue's work, at most all work one after the other, and no longer where
 * anything is faster;
 * - one bit of a token turned over, the stream is refused.
 */
#ifndef ROOF_TESTS_SCHEDULE_CHECK_H
#define ROOF_TESTS_SCHEDULE_CHECK_H

#include "model/code/dpu/dpu_schedule.h"

/* Rates of a DPUCZDX8G, and with a front end those rounded ones that fit it (docs/hardware/dpuczdx8g.md). */
extern const replay_timing schedule_ideal, schedule_deployed;

/* What does not hold, as text; NULL: all does. Aborts when memory runs out. */
const char *schedule_fault(const roof_stream *packed, char *text, size_t size);

#endif
