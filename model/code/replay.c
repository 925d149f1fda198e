#include "model/code/replay.h"

#include <string.h>

void replay_expand(const roof_stream *stream, roof_task *tasks)
{
    for (uint32_t i = 0; i < stream->n_tasks; i++)
        for (uint32_t k = 0; k <= stream->tasks[i].alike; k++, tasks++) {
            *tasks = stream->tasks[i];
            tasks->alike = 0;
        }
}

void replay_keep(void *events, const replay_run *run, const replay_block *block)
{
    (void)run;
    memcpy((replay_event *)events + block->first, block->events,
           (block->behind - block->first) * sizeof *block->events);
}
