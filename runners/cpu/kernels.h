/* runners/cpu/kernels.h - the peaks of this machine: products of matrices, memories, launches.
 *
 * Every kernel is a row of a per-layer run: its name says what it measures, and its macs or bytes how much of
 * it.
 *   f32, bf16, int8             a product of two square matrices by oneDNN
 *   launch                      a primitive with nothing to do, submitted and waited for
 *   boundary                    what timing costs at a row: a wait with nothing to wait for, and a clock read
 *   clock                       additions that wait for each other, one cycle each; bytes is their number
 *   l1.read ... memory.triad    loops over memory (stream.c), in half of a cache or far beyond
 */
#ifndef ROOF_RUNNERS_KERNELS_H
#define ROOF_RUNNERS_KERNELS_H

#include "core/arena.h"
#include "runners/speak.h"

/* Answers turns until there are no more. Errors: E_DEVICE, E_NO_MEMORY. */
roof_status probe_run(speaker *s, uint32_t n_threads, roof_arena *arena, roof_error *err);

/* ---- stream.c: loops over memory with all threads at once ----
 *
 * Bytes are counted as the loop asks for them: copy reads and writes as many, triad reads twice what it
 * writes. Extra reads of a cache, for lines that are written and were not there, are not counted.
 */

typedef enum stream_loop { STREAM_READ, STREAM_WRITE, STREAM_COPY, STREAM_TRIAD, STREAM_LOOPS } stream_loop;

typedef struct stream stream; /* threads, and memory of their own */

/* each_bytes: of every array of every thread. Errors: E_NO_MEMORY, E_DEVICE (no thread can be started). */
roof_status stream_open(uint32_t n_threads, size_t each_bytes, stream **out, roof_error *err);

/* The arrays are used up to so many bytes, as often as it takes to move at least move_bytes in each thread.
 * Returns the seconds that it took, and in *bytes what all threads moved. */
double stream_run(stream *s, stream_loop loop, size_t each_bytes, uint64_t move_bytes, uint64_t *bytes);

void stream_close(stream *s);

#endif
