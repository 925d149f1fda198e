/* measure/runner_line.h - one line of what a runner writes (docs/runner-protocol.md).
 *
 * Ownership: texts are the runner's arena's.
 */
#ifndef ROOF_MEASURE_RUNNER_LINE_H
#define ROOF_MEASURE_RUNNER_LINE_H

#include "measure/runner.h"

/* What a line may be: the member that it has. */
typedef enum answer_kind {
    ANSWER_HELLO,
    ANSWER_LAYERS,
    ANSWER_SAMPLE,
    ANSWER_ROUND,
    ANSWER_DONE,
    ANSWER_ERROR,
    ANSWER_KINDS
} answer_kind;

typedef struct runner_answer {
    answer_kind is;
    bool has_times; /* of layers */
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

/* By which code a runner tells of a failure; "bad_model" where no other fits. */
const char *runner_code_of(roof_status status);

/* It does not keep to the protocol: always E_INTERNAL. */
roof_status runner_fault(runner *r, const char *format, ...) ROOF_PRINTF(2, 3);

#endif
