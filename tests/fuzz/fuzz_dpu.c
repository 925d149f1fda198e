/* Instruction streams from untrusted files. The first byte of an input chooses the instruction set, the rest
 * is the stream: it is decoded on its own, and attributed to the layers of a small network, whose sums must
 * close. */
#include "model/code/dpu/dpu_stream.h"
#include "model/graph/format.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/stream_sum.h"
#include "tests/support/xmodel_networks.h"
#include "tests/support/replay_stream.h"

#include <stdlib.h>
#include <string.h>

/* Family and instruction set, as in bits 63..48 of a fingerprint. */
static const uint16_t sets[] = {0x0100, 0x0101, 0x0601, 0x0602, 0x0603, 0x0900, 0x0901};
enum { N_SETS = sizeof sets / sizeof *sets };

typedef struct network {
    roof_graph *graph;
    uint32_t subgraph;
    stream_cost *layers;
} network;

/* The reader keeps pointers into the file, so both stay for the life of the process. */
static const network *tiny_network(void)
{
    static network tiny;
    if (tiny.graph)
        return &tiny;
    static uint8_t *file;
    size_t size;
    roof_error err;
    xm_model *model = xn_tiny(NULL, NULL);
    file = xm_write_memory(model, NULL, &size);
    xm_model_free(model);
    CHECK(file && graph_read_memory(file, size, "tiny", &tiny.graph, &err) == ROOF_OK);
    while (tiny.graph->subgraphs[tiny.subgraph].device != ROOF_DEVICE_ACCELERATOR)
        tiny.subgraph++;
    tiny.layers = calloc(tiny.graph->subgraphs[tiny.subgraph].n_layers, sizeof *tiny.layers);
    CHECK(tiny.layers);
    return &tiny;
}

static void add_instruction(stream_cost *sum, const dpu_instruction *in)
{
    uint64_t *bytes = in->opcode == DPU_SAVE ? &sum->traffic.output_bytes : &sum->traffic.input_bytes;
    *bytes += in->transfer_bytes;
    sum->traffic.instruction_bytes += in->length_bytes;
    sum->conv_cycles += in->opcode == DPU_CONV ? in->cycles : 0;
    sum->alu_cycles += in->opcode == DPU_ALU ? in->cycles : 0;
    sum->eltwise_cycles += in->opcode == DPU_ELEW ? in->cycles : 0;
}

static void check_instruction(const dpu_instruction *in, const dpu_isa *isa, uint64_t left_bytes)
{
    bool transfer = in->opcode == DPU_LOAD || in->opcode == DPU_SAVE;
    CHECK(in->length_bytes >= 4 && in->length_bytes % 4 == 0 && in->length_bytes <= left_bytes);
    CHECK(transfer ? in->transfer_bytes > 0 && in->span_bytes > 0 && in->reg_id >= 0 : !in->transfer_bytes);
    CHECK(!in->cycles || dpu_isa_has_cycles(isa));
}

static roof_status next_instruction(dpu_decoder *decoder, dpu_instruction *out, bool *more, roof_error *err)
{
    roof_status status = dpu_next(decoder, more, err);
    *out = decoder->in;
    return status;
}

/* Adds up all instructions; inputs and weights together, since the decoder does not tell them apart. */
static roof_status decode(const dpu_isa *isa, const roof_code *code, stream_cost *sum)
{
    dpu_decoder decoder = dpu_decode(isa, code);
    *sum = (stream_cost){0};
    for (bool more = true; more;) {
        dpu_instruction in;
        roof_error err = {0};
        uint64_t left_bytes = code->length_bytes - sum->traffic.instruction_bytes;
        roof_status status = next_instruction(&decoder, &in, &more, &err);
        if (status != ROOF_OK) {
            CHECK(status == ROOF_E_DATA && err.what[0]);
            CHECK(err.byte_offset - code->file_offset <= code->length_bytes);
            return status;
        }
        check_instruction(&in, isa, left_bytes);
        add_instruction(sum, &in);
    }
    return ROOF_OK;
}

static void check_same(const stream_cost *sum, const stream_cost *want)
{
    CHECK(sum->traffic.weights_bytes + sum->traffic.input_bytes == want->traffic.input_bytes);
    CHECK(sum->traffic.output_bytes == want->traffic.output_bytes);
    CHECK(sum->traffic.instruction_bytes == want->traffic.instruction_bytes);
    CHECK(sum->conv_cycles == want->conv_cycles && sum->alu_cycles == want->alu_cycles);
    CHECK(sum->eltwise_cycles == want->eltwise_cycles);
}

/* Whatever the stream, its replay ends, and its times close. */
static void check_replay(const roof_stream *stream, roof_arena *arena)
{
    static const replay_timing timings[] = {
        {.load_bytes_per_cycle = 32, .save_bytes_per_cycle = 16},
        {28, 10, true, 8, 2, {[ROOF_TASK_CONV] = 2}, 2},
    };
    for (int i = 0; i < 2; i++) {
        replay_run replay;
        roof_error err = {0};
        if (replay_stream(stream, &timings[i], arena, &replay, &err) != ROOF_OK)
            continue;
        uint64_t critical = replay.fetch_critical;
        for (unsigned q = 0; q < DPU_QUEUES; q++) {
            const replay_queue_times *t = &replay.queues[q];
            uint64_t sum = t->busy + t->tail;
            for (unsigned y = 0; y < DPU_QUEUES; y++)
                sum += t->waits[y];
            critical += t->critical;
            CHECK(i == 1 || q == DPU_QUEUE_SAVE || sum == replay.cycles);
            CHECK(q == DPU_QUEUE_SAVE || t->busy <= replay.cycles);
        }
        CHECK(critical == replay.cycles);
    }
}

static void attribute(const dpu_isa *isa, const roof_code *code, roof_status want_status,
                      const stream_cost *want)
{
    static const bank_layout b4096 = {16, 16, 16, 0}, unknown = {16, 0, ROOF_NONE, 8};
    const network *n = tiny_network();
    const roof_subgraph *s = &n->graph->subgraphs[n->subgraph];
    const roof_xir_subgraph *own = roof_xir_subgraph_of(n->graph, s);
    const bank_layout *layouts[] = {&b4096, &unknown};
    ((roof_xir_subgraph *)own)->code = *code; /* any code for the same layers */
    for (int i = 0; i < 2; i++) {
        stream_costs costs;
        stream_cost total;
        roof_stream stream;
        roof_error err = {0};
        roof_arena *arena = arena_new(0);
        CHECK(dpu_attribute(n->graph, n->subgraph, isa, layouts[i], arena, &costs, &err) == want_status);
        CHECK(dpu_total(own, isa, code, arena, &total, &stream, &err) == want_status);
        if (want_status == ROOF_OK) {
            for (uint32_t layer = 0; layer < s->n_layers; layer++)
                stream_cost_add(&costs.remainder, &costs.layers[layer]);
            check_same(&costs.remainder, want);
            check_same(&total, want);
            check_replay(&costs.stream, arena);
        }
        arena_free(arena);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    const dpu_isa *isa = dpu_isa_of((uint64_t)sets[data[0] % N_SETS] << 48);
    CHECK(isa && dpu_isa_name(isa)[0]);
    uint8_t *bytes = malloc(size - 1); /* exactly as long as the stream */
    if (size > 1 && !bytes)
        return 0;
    if (size > 1)
        memcpy(bytes, data + 1, size - 1);
    const roof_code code = {.bytes = bytes, .length_bytes = size - 1, .file_offset = 1};
    stream_cost sum;
    roof_status status = decode(isa, &code, &sum);
    CHECK(status != ROOF_OK || sum.traffic.instruction_bytes == code.length_bytes);
    attribute(isa, &code, status, &sum);
    free(bytes);
    return 0;
}
