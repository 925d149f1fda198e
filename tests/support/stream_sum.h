/* tests/support/stream_sum.h - what the layers of a stream cost together. */
#ifndef ROOF_TESTS_STREAM_SUM_H
#define ROOF_TESTS_STREAM_SUM_H

#include "model/code/dpu/dpu_stream.h"

static inline void stream_cost_add(stream_cost *sum, const stream_cost *term)
{
    sum->traffic.weights_bytes += term->traffic.weights_bytes;
    sum->traffic.input_bytes += term->traffic.input_bytes;
    sum->traffic.output_bytes += term->traffic.output_bytes;
    sum->traffic.instruction_bytes += term->traffic.instruction_bytes;
    sum->conv_cycles += term->conv_cycles;
    sum->alu_cycles += term->alu_cycles;
    sum->eltwise_cycles += term->eltwise_cycles;
}

#endif
