/* ExecuTorch programs (.pte) whose back end is an Arm Ethos-U: Vela's driver payloads, which lie at 16 bytes
 * in the data of delegates. Nothing of the program around them is read: neither tensors, nor names, nor the
 * CPU operators.
 * Source: pytorch/executorch, schema/program.fbs (the identifier "ET12") and
 *   backends/arm/vela_compile.py.
 */
#include "core/findings.h"
#include "model/formats/ethos_u/npu_streams.h"
#include "model/work/op_program.h"

enum { ALIGNMENT = 16 };

static bool sniff(const unsigned char *bytes, uint64_t size)
{
    return size >= 8 && memcmp(bytes + 4, "ET12", 4) == 0;
}

/* The next payload at or behind a byte; the end of the file: there is none. */
static uint64_t find_payload(const mapfile *file, uint64_t at)
{
    at = (at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    while (at + 4 <= file->size_bytes && memcmp(file->bytes + at, "COP1", 4) != 0 &&
           memcmp(file->bytes + at, "COP2", 4) != 0)
        at += ALIGNMENT;
    return at + 4 <= file->size_bytes ? at : file->size_bytes;
}

/* Decodes all of them, or only counts what begins like one. */
static roof_status walk(roof_graph *g, bool is_decoding, uint32_t *n, roof_error *err)
{
    const mapfile *file = &g->storage->file;
    npu_source source = {
        .read_only_bytes = ROOF_UNKNOWN, .scratch_bytes = ROOF_UNKNOWN, .scratch_fast_bytes = ROOF_UNKNOWN};
    *n = 0;
    for (uint64_t at = find_payload(file, 0), length = 4; at < file->size_bytes;
         at = find_payload(file, at + length)) {
        source.op = (*n)++;
        source.payload = file->bytes + at;
        source.payload_bytes = file->size_bytes - at;
        source.file_offset = at;
        if (is_decoding)
            TRY(npu_streams_add(g, &source, &length, err));
    }
    return ROOF_OK;
}

static roof_status read(roof_graph *g, roof_error *err)
{
    uint32_t n;
    TRY(walk(g, false, &n, err));
    if (!n)
        return error_set(err, ROOF_E_UNSUPPORTED,
                         "is an ExecuTorch program without a command stream of an Ethos-U, which is all that "
                         "is read of one");
    TRY(npu_streams_expect(g, n, err));
    TRY(walk(g, true, &n, err));
    g->compiled = true;
    const struct roof_graph_storage *s = g->storage;
    uint32_t *order;
    TRY(ARENA_GET(s->arena, g->ops, s->n_command_streams, err));
    TRY(ARENA_GET(s->scratch, order, s->n_command_streams, err));
    for (; g->n_ops < s->n_command_streams; g->n_ops++) {
        roof_op *op = &g->ops[g->n_ops];
        order[g->n_ops] = g->n_ops;
        *op = graph_new_op(s->command_streams[g->n_ops].name, NPU_OPERATOR, ROOF_RULE_UNKNOWN);
        op->out.n_dims = 1;
        op->out.bit_width = 8;
    }
    TRY(op_program_set_layers(g, order, 0, err));
    return npu_streams_place(g, err);
}

static roof_status program(program_builder *b)
{
    FIND(&b->out->findings[ROOF_ABOUT_WHOLE], NULL, COMMAND_STREAMS,
         AS_COUNT(b->graph->storage->n_command_streams));
    return npu_program(b);
}

/* Nothing is read of the tensors around the streams. */
static roof_status memory(memory_builder *b)
{
    return npu_memory(b, &(npu_plan){.n_operators = b->graph->n_ops, .read_only_bytes = ROOF_UNKNOWN});
}

const graph_format format_pte = {
    .id = "pte",
    .doc =
        "ExecuTorch .pte with command streams of an Ethos-U, which Vela compiled: launches, layers, no names",
    .sniff = sniff,
    .read = read,
    .program = program,
    .hardware = npu_hardware,
    .hash = npu_hash,
    .flows = npu_row_flows,
    .memory = memory,
};
