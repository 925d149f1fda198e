/* TFLite (LiteRT) models, as converters write them: FlatBuffers with the identifier "TFL3". Of a model that
 * Vela compiled for an Arm Ethos-U the operators "ethos-u" are command streams: what they do is not known
 * without decoding these, and it is not taken for nothing.
 */
#include "core/error.h"
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
    if (notes->n_npu) { /* "Vela Optimised", "Vela 3.11.0 Optimised" */
        graph->compiler = model.description;
        graph->compiled = true;
    }
    return ROOF_OK;
}

/* Of a network that Vela compiled: it runs what it could not put into command streams on the host, and what
 * these do is not known. */
static void place_rows(program_builder *b)
{
    for (uint32_t i = 0; i < b->out->n_rows; i++) {
        roof_row *row = &b->out->rows[i];
        bool is_npu = strcmp(b->graph->ops[row->work.demands->op].type, TFLITE_ETHOS_U) == 0;
        row->executor = is_npu ? ROOF_BY_ACCELERATOR : ROOF_BY_HOST;
        row->is_timed = false;
        row->is_boundary = is_npu;
        row->is_stated = is_npu; /* so that sums are not known either */
        row->work.traffic = (roof_traffic){0};
        row->work.cycles_basis = row->work.bytes_basis = ROOF_BASIS_NONE;
    }
}

static roof_status program(program_builder *b)
{
    static const workload_convention none;
    const tflite_notes *notes = b->graph->storage->tflite;
    roof_findings *found = b->out->findings;
    if (notes->n_npu) {
        for (int i = 0; i < ROOF_EXECUTORS; i++)
            b->out->words[i] = "Ethos-U";
        b->out->words[ROOF_BY_HOST] = "CPU";
        FIND(&found[ROOF_ABOUT_TARGET], NULL, COMMAND_STREAMS, AS_COUNT(notes->n_npu), AS_TEXT(notes->npu));
        TRY(op_program(b, &none));
        place_rows(b);
    } else
        TRY(op_program_of_model(b));
    if (notes->n_open)
        FIND(&found[ROOF_ABOUT_WHOLE], notes->open, OPEN_BATCHES, AS_COUNT(notes->n_open),
             AS_TEXT(notes->open));
    if (notes->n_calls)
        FIND(&found[ROOF_ABOUT_WHOLE], notes->call, CALLED_SUBGRAPHS, AS_COUNT(notes->n_calls),
             AS_TEXT(notes->call));
    else if (notes->n_others)
        FIND(&found[ROOF_ABOUT_WHOLE], NULL, OTHER_SUBGRAPHS, AS_COUNT(notes->n_others));
    return ROOF_OK;
}

static roof_status hardware(const roof_graph *graph, roof_hw **out, roof_error *err)
{
    (void)graph;
    (void)err;
    *out = NULL;
    return ROOF_OK;
}

const graph_format format_tflite = {
    .id = "tflite",
    .doc = "TFLite .tflite, float or quantised: operators, shapes; command streams of Vela are not decoded",
    .lowers = true,
    .sniff = sniff,
    .read = read,
    .program = program,
    .hardware = hardware,
};
