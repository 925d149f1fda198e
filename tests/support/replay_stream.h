/* tests/support/replay_stream.h - one replay of a stream with its events, which are the arena's; and that it
 * takes as long where only cycles are asked for, beside another run. */
#ifndef ROOF_TESTS_REPLAY_STREAM_H
#define ROOF_TESTS_REPLAY_STREAM_H

#include <stdlib.h>
#include "core/arena.h"
#include "model/code/dpu/dpu_schedule.h"

static inline roof_status replay_stream(const roof_stream *stream, const replay_timing *timing,
                                        roof_arena *arena, replay_run *out, roof_error *err)
{
    replay_run runs[2] = {{.timing = *timing}, {.timing = *timing}};
    runs[1].events = arena_alloc(arena, stream->n_tasks, sizeof *runs->events);
    if (!runs[1].events)
        abort();
    roof_status status = dpu_replay(stream, runs, 2, err);
    if (status == ROOF_OK && runs[0].cycles != runs[1].cycles)
        abort();
    *out = runs[1];
    return status;
}

#endif
