/* tests/support/replay_stream.h - one replay of a stream with its events, which are the arena's; and that it
 * takes as long where only cycles are requested, beside another run. */
#ifndef ROOF_TESTS_REPLAY_STREAM_H
#define ROOF_TESTS_REPLAY_STREAM_H

#include <stdlib.h>
#include "core/arena.h"
#include "model/code/dpu/dpu_schedule.h"

static inline roof_status replay_stream(const roof_stream *stream, const replay_timing *timing,
                                        roof_arena *arena, replay_run *out, roof_error *err)
{
    replay_run runs[2] = {{.timing = *timing}, {.timing = *timing}};
    replay_event *events = arena_alloc(arena, stream->n_instructions + 1, sizeof *events);
    *out = (replay_run){.timing = *timing,
                        .events = arena_alloc(arena, replay_room(stream) + 1, sizeof *events),
                        .take = replay_keep,
                        .context = events};
    if (!events || !out->events)
        abort();
    const roof_status status = dpu_replay(stream, out, 1, err);
    if (dpu_replay(stream, runs, 2, err) != status ||
        (status == ROOF_OK && (runs[0].cycles != out->cycles || runs[1].cycles != out->cycles)))
        abort();
    out->events = events;
    return status;
}

#endif
