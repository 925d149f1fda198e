/* tests/fuzz/code_checks.h - what holds of control code, whichever reader made it: it adds up, by argument
 * and by channel. */
#ifndef ROOF_TESTS_FUZZ_CODE_CHECKS_H
#define ROOF_TESTS_FUZZ_CODE_CHECKS_H

#include "roofline/control_code.h"
#include "roofline/work.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/graph_checks.h"

static inline void check_stream(const roof_control_code *code)
{
    uint64_t arguments[2] = {0}, channels[2] = {0};
    for (uint32_t i = 0; i < code->n_arguments; i++) {
        CHECK(code->arguments[i].name);
        arguments[0] += code->arguments[i].read_bytes;
        arguments[1] += code->arguments[i].write_bytes;
    }
    for (uint32_t i = 0; i < code->n_channels; i++) {
        CHECK(code->channels[i].column < 128 && code->channels[i].channel < 2 && code->channels[i].bytes);
        channels[!code->channels[i].is_read] += code->channels[i].bytes;
    }
    CHECK(arguments[0] == code->read_bytes && arguments[1] == code->write_bytes);
    CHECK(channels[0] == code->read_bytes && channels[1] == code->write_bytes);
    CHECK(code->unresolved_pushes <= code->pushes && code->pushes <= code->ops);
    CHECK(code->ops <= code->length_bytes / 4);
}

static inline void check_streams(const roof_graph *graph)
{
    uint32_t n;
    roof_program *program = NULL;
    roof_error err;
    const roof_control_code *codes = roof_control_code_of(graph, &n);
    for (uint32_t i = 0; i < n; i++)
        check_stream(&codes[i]);
    if (n && roof_program_of(graph, &program, &err) == ROOF_OK)
        CHECK(program->n_rows);
    roof_program_free(program);
}

#endif
