/* measure/run/runner.h - a program that runs a model on a device and tells how long it took: our side of
 * docs/runner-protocol.md.
 *
 * Units: seconds.
 * Ownership: a runner that was started is freed by runner_free, whatever happened to it. Texts are its
 * arena's.
 */
#ifndef ROOF_MEASURE_RUN_RUNNER_H
#define ROOF_MEASURE_RUN_RUNNER_H

#include "measure/run/runner_line.h"

/* Where the runner of a device is: in ROOFLINE_RUNNER_PATH if that is set, else beside this program, in its
 * libexec folder, or in PATH. Errors: E_DEVICE. */
roof_status runner_find(const char *name, char path[RUNNER_PATH_SIZE], roof_error *err);

/* Starts it and hears what it is; with a model, what it will execute.
 * Errors: E_DEVICE (there is no device, it cannot be started, died or is silent: with the first line that
 *   says why), E_DATA and E_UNSUPPORTED (it cannot execute the model), E_INTERNAL (against the protocol). */
roof_status runner_start(const runner_request *request, runner *out, roof_error *err);

/* Runs so many inferences more; they are added to the samples. */
roof_status runner_run(runner *r, uint32_t iterations, roof_error *err);

/* Drops the samples, as those of a warm-up. */
void runner_forget(runner *r);

/* Lets it end by itself. */
roof_status runner_finish(runner *r, roof_error *err);
void runner_free(runner *r);

#endif
