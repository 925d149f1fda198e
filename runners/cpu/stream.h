/* runners/cpu/stream.h - loops over memory: read, write, copy, triad, with all threads at once.
 *
 * Units: bytes; seconds.
 * Bytes are counted as the loop asks for them: copy reads and writes as many, triad reads twice what it
 * writes. Extra reads of a cache, for lines that are written and were not there, are not counted.
 */
#ifndef ROOF_RUNNERS_STREAM_H
#define ROOF_RUNNERS_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include "roofline/status.h"

typedef enum stream_loop { STREAM_READ, STREAM_WRITE, STREAM_COPY, STREAM_TRIAD, STREAM_LOOPS } stream_loop;

typedef struct stream stream; /* threads, and memory of their own */

/* each_bytes: of every array of every thread. Errors: E_NO_MEMORY, E_DEVICE (no thread can be started). */
roof_status stream_open(uint32_t n_threads, size_t each_bytes, stream **out, roof_error *err);

/* The arrays are used up to so many bytes, as often as it takes to move at least move_bytes in each thread.
 * Returns the seconds that it took, and in *bytes what all threads moved. */
double stream_run(stream *s, stream_loop loop, size_t each_bytes, uint64_t move_bytes, uint64_t *bytes);

void stream_close(stream *s);

#endif
