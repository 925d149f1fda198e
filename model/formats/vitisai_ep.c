/* What the Vitis AI execution provider of ONNX Runtime tells of a session: every operator with its shapes, and the device that it was
 * placed on. vitisai_ep_report.json has it as the document, context.json of the provider's cache in "stat".
 *
 * Strides and pads are not in it: multiply-accumulates follow from outputs and weights all the same, windows of poolings are not known.
 */
#include "core/error.h"
#include "core/json/jsonsniff.h"
#include "model/graph/format.h"
#include "model/formats/vitisai_ep/ep_file.h"
#include "model/work/op_program.h"

/* The file's first member tells, or the first one of its "stat": members are in the order of the tool. */
static bool sniff(const unsigned char *bytes, uint64_t size)
{
    text_span rest, key = json_first_key(bytes, size, &rest);
    if (span_is(key, "metaDef"))
        return true;
    if (span_is(key, "stat") && span_begins(rest, "{"))
        key = json_first_key(rest.text, rest.length, NULL);
    return span_is(key, "deviceStat") || span_is(key, "nodeStat");
}

static roof_status read(roof_graph *graph, roof_error *err)
{
    const mapfile *bytes = &graph->storage->file;
    ep_file file;
    TRY(ep_pull(bytes->bytes, bytes->size_bytes, graph->storage->scratch, &file, err));
    return ep_build_graph(&file, graph, err);
}

static roof_status program(program_builder *b)
{
    static const workload_convention none;
    const roof_subgraph *accelerator = roof_graph_accelerator(b->graph);
    const char *word = accelerator ? arena_strdup(b->arena, accelerator->device_name) : "NPU";
    for (int i = 0; i < ROOF_EXECUTORS; i++)
        b->out->words[i] = word;
    b->out->words[ROOF_BY_HOST] = "CPU";
    b->out->is_placed = true;
    TRY(program_find(b, ROOF_ABOUT_TARGET, ROOF_FINDING_NOT_COMPILED, NULL,
                     "the file has operators and who runs them, but not the layers that the compiler made of "
                     "them: its computing operators (%u) stand for layers",
                     b->graph->n_layers));
    return op_program(b, &none);
}

static roof_status hardware(const roof_graph *graph, roof_hw **out, roof_error *err)
{
    (void)graph;
    (void)err;
    *out = NULL;
    return ROOF_OK;
}

const graph_format format_vitisai_ep = {
    .id = "vitisai_ep",
    .doc = "vitisai_ep_report.json or context.json of Ryzen AI: operators, and who runs them",
    .sniff = sniff,
    .read = read,
    .program = program,
    .hardware = hardware,
};
