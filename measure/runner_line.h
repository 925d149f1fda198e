/* measure/runner_line.h - one line of what a runner writes (docs/runner-protocol.md).
 *
 * Ownership: texts are the runner's arena's.
 */
#ifndef ROOF_MEASURE_RUNNER_LINE_H
#define ROOF_MEASURE_RUNNER_LINE_H

#include "measure/runner.h"

/* A line that it may write: one of these members is there. */
typedef struct runner_answer {
    bool is_hello, is_sample, is_round, is_done, is_error, is_layers, has_times;
    runner_about hello;
    struct {
        double total_s;
    } sample;
    struct {
        uint32_t iterations;
    } round;
    struct {
        uint64_t macs;
    } done;
    struct {
        const char *code, *text, *advice;
    } error;
    runner *runner;
} runner_answer;

/* Reads a line. Layers go to the runner, times of layers into the row behind its samples.
 * Errors: what the runner says went wrong; E_INTERNAL for what the protocol does not have; E_NO_MEMORY. */
roof_status runner_read_line(runner *r, const char *line, size_t length, runner_answer *out);

/* It does not keep to the protocol: always E_INTERNAL. */
roof_status runner_fault(runner *r, const char *format, ...) ROOF_PRINTF(2, 3);

#endif
