/* TFLite (LiteRT) models, as converters write them: FlatBuffers with the identifier "TFL3". In a model that
 * Vela compiled for an Arm Ethos-U the operators "ethos-u" are command streams, whose launches become rows.
 */
#include "core/error.h"
#include "model/formats/ethos_u/npu_streams.h"
#include "model/formats/tflite/tflite_graph.h"
#include "model/graph/format.h"
#include "model/work/op_program.h"

#include <string.h>

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
    return tflite_read_npu(&model, graph, notes->n_npu, err);
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
