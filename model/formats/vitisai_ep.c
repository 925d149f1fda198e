/* A session's report by the Vitis AI execution provider of ONNX Runtime: every operator with its shapes,
 * and the device that it was placed on. vitisai_ep_report.json has it as the document, context.json of the
 * provider's cache in "stat".
 *
 * Strides and pads are not in it: multiply-accumulates follow from outputs and weights all the same, windows
 * of poolings are unknown.
 */
#include "core/error.h"
#include "core/json/codec.h"
#include "core/json/jsonsniff.h"
#include "model/graph/format.h"
#include "model/formats/vitisai_ep/ep_file.h"
#include "model/work/op_program.h"

/* ---- the members of a report that say what the network is; times and options of the tool are passed
 * over */

enum { MOST = ROOF_NONE - 1 };

static const codec_member name_members[] = {{.key = "", .kind = CODEC_NAME}};
static const codec_object name_object = {CODEC_ROWS(name_members), .is_bare = true};

static const codec_member node_members[] = {
    {CODEC_ITEMS("output", ep_node, outputs, n_outputs, &name_object, MOST, ALWAYS),
     .missing = "a node has no 'output'"},
    {CODEC_ITEMS("input", ep_node, inputs, n_inputs, &name_object, MOST, ALWAYS)},
    {CODEC_AS("opType", ep_node, type, NAME, ALWAYS), .missing = "a node has no 'opType'"},
    {CODEC(ep_node, device, NAME, ALWAYS), .missing = "a node has no 'device'"},
    {CODEC(ep_node, comment, TEXT, ALWAYS), .missing = "a node has no 'comment', which tells its shapes"},
};
static const codec_object node_object = {CODEC_ROWS(node_members)};

/* Constants of all lists in the file. */
static void *add_constant(void *target)
{
    ep_file *file = target;
    roof_status status = ARENA_MORE(file->arena, file->constants, file->n_constants, NULL);
    return status == ROOF_OK ? &file->constants[file->n_constants++] : NULL;
}

static const codec_member subgraph_members[] = {
    {CODEC_ITEMS("constantInitializers", ep_file, constants, n_constants, &name_object, MOST, ALWAYS),
     .add = add_constant}};
static const codec_object subgraph_object = {CODEC_ROWS(subgraph_members)};

static roof_status pull_subgraph(codec *c, const json_event *event, void *target)
{
    return codec_read_object(c, event, &subgraph_object, target, NULL);
}

static roof_status pull_subgraphs(codec *c, const json_event *event, void *target)
{
    return codec_read_array(c, event, pull_subgraph, target);
}

static roof_status pull_constant(codec *c, const json_event *event, void *target)
{
    const char **name = add_constant(target);
    if (!name || !(*name = arena_strdup(c->arena, event->key)))
        return error_memory(c->err);
    return jsonpull_skip(c->puller, c->err);
}

static roof_status pull_constants(codec *c, const json_event *event, void *target)
{
    return codec_read_members(c, event, pull_constant, target);
}

static const codec_member stat_members[] = {
    {CODEC_ITEMS("nodeStat", ep_file, nodes, n_nodes, &node_object, MOST, ALWAYS)}};
static const codec_object stat_object = {CODEC_ROWS(stat_members)};

/* A report is what a context has in its "stat". */
static const codec_member file_members[] = {
    {CODEC_ITEMS("nodeStat", ep_file, nodes, n_nodes, &node_object, MOST, ALWAYS)},
    {CODEC_IN("stat", 0, &stat_object)},
    {CODEC_BY("metaDef", 0, pull_subgraphs, NULL)},
    {CODEC_BY("constDataInfo", 0, pull_constants, NULL)},
};
static const codec_object file_object = {CODEC_ROWS(file_members)};

/* The file's first member decides, or the first one of its "stat": members are in the order of the tool. */
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
    file = (ep_file){.arena = graph->storage->scratch};
    codec c = {.puller = jsonpull_of_memory(bytes->bytes, (size_t)bytes->size_bytes),
               .arena = graph->storage->scratch,
               .err = err};
    roof_status status = c.puller ? codec_read_document(&c, &file_object, &file) : error_memory(err);
    jsonpull_free(c.puller);
    if (status == ROOF_OK && !file.n_nodes)
        return error_set(err, ROOF_E_DATA,
                         "lists no operator in 'nodeStat'; want the vitisai_ep_report.json or context.json "
                         "of a session that compiled a model");
    TRY(status);
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
    FIND(&b->out->findings[ROOF_ABOUT_TARGET], NULL, NOT_COMPILED_PLACED, AS_COUNT(b->graph->n_layers));
    return op_program(b, &none);
}

const graph_format format_vitisai_ep = {
    .id = "vitisai_ep",
    .doc = "vitisai_ep_report.json or context.json of Ryzen AI: operators, and who runs them",
    .sniff = sniff,
    .read = read,
    .program = program,
};
