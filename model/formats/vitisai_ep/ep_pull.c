/* The members of a report that say what the network is; times and options of the tool are passed over. */
#include "core/json/codec.h"
#include "core/error.h"
#include "model/formats/vitisai_ep/ep_file.h"

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

/* Of several lists in one file. */
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

roof_status ep_pull(const unsigned char *bytes, uint64_t size, roof_arena *arena, ep_file *out,
                    roof_error *err)
{
    *out = (ep_file){.arena = arena};
    codec c = {.puller = jsonpull_of_memory(bytes, size), .arena = arena, .err = err};
    roof_status status = c.puller ? codec_read_document(&c, &file_object, out) : error_memory(err);
    jsonpull_free(c.puller);
    if (status == ROOF_OK && !out->n_nodes)
        return error_set(err, ROOF_E_DATA,
                         "lists no operator in 'nodeStat'; want the vitisai_ep_report.json or "
                         "context.json of a session that compiled a model");
    return status;
}
