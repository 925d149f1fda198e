/* runners/cpu/onednn.h - steps as primitives of oneDNN, with random data.
 *
 * Source: oneDNN 2.6, C API. Activations lie as NHWC, weights as the primitive likes them best; they are made
 * once, before anything is timed.
 * Threads: what was opened in a thread is made, used and closed in it, since oneDNN keeps scratch memory by
 *   thread.
 * Ownership: what was opened is closed by onednn_close.
 */
#pragma once

#include "runners/cpu/cpu_steps.h"
#include "runners/speak.h"

typedef struct onednn onednn;

/* data_type: "f32", "bf16" or "int8"; seed: of the data. Errors: E_USAGE, E_DEVICE, E_NO_MEMORY. */
roof_status onednn_open(const char *data_type, uint64_t seed, roof_arena *arena, onednn **out,
                        roof_error *err);
void onednn_close(onednn *o);

/* It may take what this machine can spare divided by so many, which are open at the same time. To be called
 * before onednn_make. */
void onednn_share_memory(onednn *o, uint32_t among);

/* "oneDNN 2.6.3, avx512_core_bf16" */
const char *onednn_version(const onednn *o);

/* Makes the primitives of all rows. A row with a step that this processor has no primitive for in this
 * data type is skipped from now on, and says so. Errors: E_NO_MEMORY, E_LIMIT (more memory than the
 * machine has). */
roof_status onednn_make(onednn *o, steps *all, roof_error *err);

/* Submits a row; onednn_wait waits until all that was submitted is done. Errors: E_DEVICE. */
roof_status onednn_submit(onednn *o, uint32_t row, roof_error *err);
roof_status onednn_wait(onednn *o, roof_error *err);

/* ---- kernels.c: the peaks of this machine, each a row of a per-layer run ---- */

/* Answers turns until there are no more. Errors: E_DEVICE, E_NO_MEMORY. */
roof_status probe_run(speaker *s, uint32_t n_threads, roof_arena *arena, roof_error *err);
