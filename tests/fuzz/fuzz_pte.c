/* ExecuTorch programs from untrusted hands: what the reader accepts is a whole graph, and its rows add up to
 * its command streams; what it refuses, it explains. */
#include "roofline/command_stream.h"
#include "roofline/work.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/graph_checks.h"

static void check_rows(const roof_graph *graph)
{
    roof_program *program = NULL;
    roof_error err;
    uint32_t n;
    uint64_t macs[2] = {0}, rows = 0;
    const roof_command_stream *streams = roof_command_streams_of(graph, &n);
    if (!n || roof_program_of(graph, &program, &err) != ROOF_OK)
        return;
    for (uint32_t i = 0; i < n; i++) {
        const roof_command_stream *s = &streams[i];
        CHECK(s->macs == s->convolution_macs + s->depthwise_macs + s->pooling_macs);
        CHECK(s->file_offset + s->length_bytes <= graph->file_bytes);
        macs[0] += s->macs;
        rows += s->rows;
    }
    for (uint32_t i = 0; i < program->n_rows; i++)
        macs[1] += program->rows[i].executor == ROOF_BY_ACCELERATOR ? program->rows[i].macs : 0;
    CHECK(macs[0] == macs[1] && rows <= program->n_rows);
    roof_program_free(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    graph_checks(data, size, check_rows);
    return 0;
}
