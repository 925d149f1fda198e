/* TFLite (LiteRT) models, as converters write them: FlatBuffers with the identifier "TFL3". In a model that
 * Vela compiled for an Arm Ethos-U the operators "ethos-u" are command streams, whose launches become rows.
 */
#include "core/platform/platform.h"
#include "model/formats/ethos_u/npu_streams.h"
#include "model/formats/tflite/tflite_model.h"
#include "model/graph/format.h"
#include "model/work/op_program.h"

/* ---- operators that Vela made of parts of a network. Inputs by place: command stream, read-only data,
 * scratch, scratch_fast, then the network's. Vela's Python core names the first one "..._command_stream"
 * behind the name of a subgraph, its C++ core (Regor) "ethos_u_command_stream".
 * Source: nxp-imx/ethos-u-vela, ethosu/vela/npu_serialisation; tensorflow/tflite-micro,
 *   tensorflow/lite/micro/kernels/ethos_u/ethosu.cc. ---- */

enum { STREAM, READ_ONLY, SCRATCH, SCRATCH_FAST, INPUTS };

/* Scratch memory of old files has no dimension, and its size is unknown. */
static uint64_t region_bytes(const roof_tensor *t)
{
    return t->n_dims && tflite_has_shape(t) ? t->bytes : ROOF_UNKNOWN;
}

static roof_status find_source(const tflite_model *m, const tflite_operator *o, roof_arena *scratch,
                               npu_source *out, roof_error *err)
{
    roof_tensor t[INPUTS];
    tflite_tensor more[INPUTS];
    for (uint32_t j = 0; j < INPUTS; j++) {
        const int32_t tensor = j < o->inputs.n ? fb_int32_of(&o->inputs, j) : -1;
        if (tensor < 0)
            return error_at(err, ROOF_E_DATA, o->inputs.at,
                            "input %" PRIu32 " is missing, want a command stream, read-only data and two of "
                            "scratch memory",
                            j);
        TRY(tflite_tensor_of(m, (uint32_t)tensor, scratch, &t[j], &more[j], err));
    }
    if (!more[STREAM].has_data)
        return error_at(err, ROOF_E_DATA, o->inputs.at, "its command stream, tensor '%.200s', has no data",
                        t[STREAM].name);
    out->payload = m->operators.file + more[STREAM].data_at;
    out->payload_bytes = more[STREAM].data_bytes;
    os_want(out->payload, out->payload_bytes);
    out->file_offset = more[STREAM].data_at;
    out->is_whole = true;
    text_span name = span_of(t[STREAM].name);
    out->core = span_is(name, "ethos_u_command_stream")   ? "regor"
                : span_skip_end(&name, "_command_stream") ? "python"
                                                          : NULL;
    out->read_only_bytes = more[READ_ONLY].data_bytes;
    out->scratch_bytes = region_bytes(&t[SCRATCH]);
    out->scratch_fast_bytes = region_bytes(&t[SCRATCH_FAST]);
    return ROOF_OK;
}

static roof_status read_stream(const tflite_model *m, roof_graph *graph, const tflite_operator *o,
                               npu_source *source, uint64_t *all_bytes, roof_error *err)
{
    uint64_t bytes;
    TRY(find_source(m, o, graph->storage->scratch, source, err));
    *all_bytes += source->payload_bytes; /* several operators may name one tensor, and none does */
    if (*all_bytes > m->operators.file_bytes)
        return error_set(err, ROOF_E_LIMIT, "command streams are longer than the file");
    return npu_streams_add(graph, source, &bytes, err);
}

static roof_status read_npu(const tflite_model *m, roof_graph *graph, uint32_t n_operators, roof_error *err)
{
    npu_source source = {.op = 0};
    uint64_t all_bytes = 0;
    TRY(npu_streams_expect(graph, n_operators, err));
    TRY(tflite_metadata_text(m, "vela_version", graph->storage->arena, &source.vela_version, err));
    for (uint32_t i = 0; i < m->operators.n; i++) {
        tflite_operator o;
        TRY(tflite_operator_of(m, i, &o, err));
        if (!tflite_is_npu(&o))
            continue;
        source.op = i;
        TRY(error_placed(read_stream(m, graph, &o, &source, &all_bytes, err), err, "operator %" PRIu32, i));
    }
    return npu_streams_place(graph, err);
}

/* ---- the format ---- */

static bool sniff(const unsigned char *bytes, uint64_t size)
{
    return size >= 8 && memcmp(bytes + 4, "TFL3", 4) == 0;
}

static roof_status read(roof_graph *graph, roof_error *err)
{
    struct roof_graph_storage *s = graph->storage;
    tflite_model model;
    tflite_notes *notes;
    TRY(ARENA_GET(s->arena, notes, 1, err));
    TRY(tflite_open(s->file.bytes, s->file.size_bytes, s->arena, &model, err));
    TRY(tflite_build_graph(&model, graph, notes, err));
    notes->n_others = model.n_subgraphs - 1;
    s->tflite = notes;
    graph->name = model.name;
    if (!notes->n_npu)
        return ROOF_OK;
    graph->compiler = model.description; /* "Vela Optimised", "Vela 3.11.0 Optimised" */
    graph->compiled = true;
    return read_npu(&model, graph, notes->n_npu, err);
}

static roof_status program(program_builder *b)
{
    const tflite_notes *notes = b->graph->storage->tflite;
    roof_findings *found = &b->out->findings[ROOF_ABOUT_WHOLE];
    TRY(notes->n_npu ? npu_program(b) : op_program_of_model(b));
    if (notes->n_open)
        FIND(found, notes->open, OPEN_BATCHES, AS_COUNT(notes->n_open), AS_TEXT(notes->open));
    if (notes->n_calls)
        FIND(found, notes->call, CALLED_SUBGRAPHS, AS_COUNT(notes->n_calls), AS_TEXT(notes->call));
    else if (notes->n_others && !notes->n_inlined)
        FIND(found, NULL, OTHER_SUBGRAPHS, AS_COUNT(notes->n_others));
    return ROOF_OK;
}

static roof_status memory(memory_builder *b)
{
    const struct roof_graph_storage *s = b->graph->storage;
    tflite_model model;
    TRY(tflite_open(s->file.bytes, s->file.size_bytes, b->scratch, &model, b->err));
    return s->tflite->n_npu ? tflite_npu_memory(&model, b) : tflite_memory(&model, b);
}

const graph_format format_tflite = {
    .id = "tflite",
    .doc = "TFLite .tflite, float or quantised: operators, shapes; what Vela compiled for an Ethos-U: "
           "launches, layers",
    .lowers = true,
    .wants = true,
    .sniff = sniff,
    .read = read,
    .program = program,
    .hardware = npu_hardware,
    .hash = npu_hash,
    .flows = npu_row_flows,
    .memory = memory,
};
