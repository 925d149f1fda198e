/* measure/run/load_run.h - what the samples of threads that worked at the same time say together.
 *
 * Units: seconds, inferences/s. */
#ifndef ROOF_MEASURE_RUN_LOAD_RUN_H
#define ROOF_MEASURE_RUN_LOAD_RUN_H

#include "measure/profile/profile.h"
#include "measure/run/runner_line.h"

/* Sets threads, batch, frames_per_s and thread_means_s of a run of mode load from its samples.
 *
 * Formula: frames_per_s = batch * sum over threads of (inferences / sum of latencies). So the end of a turn,
 *   where some threads have nothing left to do, does not count.
 * threads: every sample's is below. batch: images of one inference.
 * Errors: E_NO_MEMORY. */
roof_status load_describe(roof_measured *m, const runner_samples *samples, uint32_t threads, uint32_t batch,
                          roof_run *run, roof_error *err);

#endif
