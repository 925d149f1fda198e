/* runners/cpu/kernels.h - the peaks of this machine: products of matrices, memories, launches.
 *
 * Every kernel is a row of a per-layer run: its name says what it measures, and its macs or bytes how much of
 * it.
 *   f32, bf16, int8             a product of two square matrices by oneDNN
 *   launch                      a primitive with nothing to do, submitted and waited for
 *   boundary                    what timing costs at a row: a wait with nothing to wait for, and a clock read
 *   clock                       additions that wait for each other, one cycle each; bytes is their number
 *   l1.read ... memory.triad    loops over memory (runners/cpu/stream.h), in half of a cache or far beyond
 */
#ifndef ROOF_RUNNERS_KERNELS_H
#define ROOF_RUNNERS_KERNELS_H

#include "core/arena.h"
#include "runners/speak.h"

/* Answers turns until there are no more. Errors: E_DEVICE, E_NO_MEMORY. */
roof_status probe_run(speaker *s, uint32_t n_threads, roof_arena *arena, roof_error *err);

#endif
