/* c_info.json: what ST's Neural-ART compiler says of its plan, schema 2.0. The same name and schema is used
 * for models of CPUs, which have no estimates, and for what `stedgeai validate` leaves, which has no graph;
 * both are refused with what to read instead. */
#include "core/json/codec.h"
#include "core/json/jsonsniff.h"
#include "model/formats/c_info/c_info.h"
#include "model/graph/format.h"
#include "model/formats/neural_art/plan_build.h"
#include "model/memory/memory_build.h"

/* A file has up to some megabytes, of which a tenth is needed: it is read value by value. */

#define OBJECT(name) static const codec_object name##_object = {CODEC_ROWS(name##_members)}

/* A list of the file: entries whose table is an object. */
#define LIST(key, list, object) CODEC_ITEMS(key, c_info, list, n_##list, &(object), ROOF_NONE - 1, ALWAYS)

/* Ids of nodes or pools. */
static const codec_member id_members[] = {{.key = "", .kind = CODEC_COUNT}};
static const codec_object id_object = {CODEC_ROWS(id_members), .is_bare = true};
#define IDS(key, type, member) CODEC_ITEMS(key, type, member, n_##member, &id_object, ROOF_NONE - 1, ALWAYS)

/* --- graphs ------------------------------------------------------------------------------------------- */

static roof_status pull_node(codec *c, const json_event *event, void *parent);

static const char lacks[] = "a node has no 'id' or no 'name'";
static const codec_member attribute_members[] = {{CODEC_AS("HWUnit", c_info_node, unit, NAME, PLAIN)}};
OBJECT(attribute);
static const codec_member node_members[] = {
    {CODEC(c_info_node, id, COUNT, ALWAYS), .missing = lacks},
    {CODEC(c_info_node, name, NAME, PLAIN), .missing = lacks},
    {CODEC(c_info_node, mapping, NAME, PLAIN)},
    {CODEC_AS("type", c_info_node, kind, NAME, PLAIN)},
    {CODEC(c_info_node, description, NAME, PLAIN)},
    {IDS("inputs", c_info_node, inputs)},
    {IDS("outputs", c_info_node, outputs)},
    {CODEC_IN("attributes", 0, &attribute_object)},
    {CODEC_BY("subgraph_nodes", offsetof(c_info_node, index), pull_node, NULL), .how = CODEC_EACH},
};
OBJECT(node);

static roof_status pull_node(codec *c, const json_event *event, void *parent)
{
    c_info *file = c->user;
    c_info_node node = {.index = file->n_nodes, .parent = *(const uint32_t *)parent};
    if (file->n_nodes == ROOF_NONE - 1)
        return codec_fail(c, "more than 2^32 entries");
    codec_forget(&node_object, &node);
    /* its place is taken before its children's, since members come in any order */
    TRY(ARENA_MORE(c->arena, file->nodes, file->n_nodes, c->err));
    file->n_nodes++;
    TRY(codec_read_object(c, event, &node_object, &node));
    file->nodes[node.index] = node;
    return ROOF_OK;
}

static const codec_member start_members[] = {{CODEC_AS("node_id", c_info_edge, start, COUNT, PLAIN)}};
OBJECT(start);
static const codec_member end_members[] = {{CODEC_AS("node_id", c_info_edge, end, COUNT, PLAIN)}};
OBJECT(end);
static const codec_member edge_members[] = {
    {CODEC(c_info_edge, buffer, COUNT, PLAIN)},
    {CODEC_IN("start", 0, &start_object)},
    {CODEC_IN("end", 0, &end_object)},
    {CODEC_AS("edge_kind", c_info_edge, kind, NAME, PLAIN)},
};
OBJECT(edge);

/* Behind those of the graphs before. */
static void *add_edge(void *target)
{
    c_info *file = target;
    roof_status status = ARENA_MORE(file->arena, file->edges, file->n_edges, NULL);
    return status == ROOF_OK ? &file->edges[file->n_edges++] : NULL;
}

static const codec_member graph_members[] = {
    {CODEC_AS("name", c_info, graph_name, NAME, PLAIN)},
    {CODEC_BY("nodes", offsetof(c_info, no_parent), pull_node, NULL), .how = CODEC_EACH},
    {LIST("edges", edges, edge_object), .add = add_edge}};
OBJECT(graph);

/* The first graph is the network; others are parts of it that a host runs, numbered with it. */
static roof_status pull_graph(codec *c, const json_event *event, void *target)
{
    c_info *file = target;
    const char *first = file->graph_name;
    TRY(codec_read_object(c, event, &graph_object, file));
    if (file->has_graphs)
        file->graph_name = first;
    file->has_graphs = true;
    return ROOF_OK;
}

static const codec_member dimension_members[] = {{.key = "", .kind = CODEC_NUMBER}};
static const codec_object dimension_object = {CODEC_ROWS(dimension_members), .is_bare = true};
static const codec_member lifetime_members[] = {
    {CODEC_AS("start", c_info_buffer, first_epoch, COUNT, ALWAYS)},
    {CODEC_AS("end", c_info_buffer, last_epoch, COUNT, ALWAYS)}};
OBJECT(lifetime);
static const codec_member buffer_members[] = {
    {CODEC(c_info_buffer, id, COUNT, ALWAYS)},
    {CODEC(c_info_buffer, name, NAME, PLAIN)},
    {CODEC_AS("offset_start", c_info_buffer, offset_bytes, COUNT, ALWAYS)},
    {CODEC(c_info_buffer, size_bytes, COUNT, ALWAYS)},
    {CODEC_IN("epochs", 0, &lifetime_object)},
    {CODEC_AS("mpool_id", c_info_buffer, pool, COUNT, ALWAYS)},
    {CODEC_AS("nbits", c_info_buffer, bits, COUNT, PLAIN)},
    {CODEC_ITEMS("shape", c_info_buffer, shape, n_shape, &dimension_object, ROOF_NONE - 1, ALWAYS)},
    {CODEC_AS("is_param", c_info_buffer, is_parameter, BOOL, ALWAYS)}};
OBJECT(buffer);

static const codec_member pool_attribute_members[] = {{CODEC(c_info_pool, byte_width, COUNT, ALWAYS)},
                                                      {CODEC(c_info_pool, freq_ratio, POSITIVE, ALWAYS)}};
OBJECT(pool_attribute);
static const codec_member pool_members[] = {
    {CODEC(c_info_pool, id, COUNT, ALWAYS)},
    {CODEC(c_info_pool, name, NAME, PLAIN)},
    {CODEC(c_info_pool, address, NAME, PLAIN)},
    {CODEC(c_info_pool, rights, NAME, PLAIN)},
    {CODEC(c_info_pool, cacheable, NAME, PLAIN)},
    {CODEC(c_info_pool, size_bytes, NUMBER, ALWAYS)},
    {CODEC_AS("used_size_bytes", c_info_pool, used_bytes, NUMBER, ALWAYS)},
    {CODEC_IN("attributes", 0, &pool_attribute_object)},
    {IDS("subpools", c_info_pool, subpools)},
};

/* Sizes below 0 are those that the file does not know. */
static roof_status begin_pool(codec *c, void *target)
{
    c_info_pool *pool = target;
    (void)c;
    pool->size_bytes = pool->used_bytes = -1;
    return ROOF_OK;
}

static const codec_object pool_object = {CODEC_ROWS(pool_members), .begin = begin_pool};

#define ACCESS(key, member)                                                                                  \
    CODEC_AS(key, c_info_access, member, COUNT, PLAIN),                                                      \
        .missing = "an access lacks one of node_id, mpool_id, reads, read_cycles, writes, write_cycles"
static const codec_member access_members[] = {
    {ACCESS("node_id", node)},  {ACCESS("mpool_id", pool)},
    {ACCESS("reads", reads)},   {ACCESS("read_cycles", read_cycles)},
    {ACCESS("writes", writes)}, {ACCESS("write_cycles", write_cycles)},
};
OBJECT(access);

static const codec_member estimate_members[] = {
    {CODEC_AS("node_id", c_info_estimate, node, COUNT, ALWAYS), .missing = "an estimate has no 'node_id'"},
    {CODEC(c_info_estimate, ops, COUNT, ALWAYS)},
    {CODEC(c_info_estimate, compute_cycles, COUNT, ALWAYS)},
    {CODEC(c_info_estimate, max_cycles, COUNT, ALWAYS)}};
OBJECT(estimate);

static const codec_member blob_members[] = {{CODEC(c_info_blob, name, NAME, PLAIN)},
                                            {IDS("nodes_id", c_info_blob, nodes)}};
OBJECT(blob);

/* --- the document ------------------------------------------------------------------------------------- */

static const codec_member input_model_members[] = {{CODEC_AS("name", c_info_tool, model_name, NAME, PLAIN)}};
OBJECT(input_model);
static const codec_member tool_members[] = {{CODEC(c_info_tool, name, NAME, PLAIN)},
                                            {CODEC(c_info_tool, version, NAME, PLAIN)},
                                            {CODEC_IN("input_model", 0, &input_model_object)}};
OBJECT(tool);
static const codec_member environment_members[] = {{LIST("tools", tools, tool_object)}};
OBJECT(environment);

static roof_status note_times(codec *c, const json_event *event, void *target)
{
    (void)event;
    *(bool *)target = true;
    return jsonpull_skip(c->puller, c->err);
}

static const codec_member file_members[] = {
    {CODEC_AS("json_schema_version", c_info, schema, NAME, PLAIN)},
    {CODEC_IN("environment", 0, &environment_object)},
    {CODEC_BY("graphs", 0, pull_graph, NULL), .how = CODEC_EACH},
    {LIST("buffers", buffers, buffer_object)},
    {LIST("memory_pools", pools, pool_object)},
    {LIST("memory_accesses", accesses, access_object)},
    {LIST("power_estimates", estimates, estimate_object)},
    {LIST("ec_blobs_info", blobs, blob_object)},
    {CODEC_BY("aton_execution_time", offsetof(c_info, has_times), note_times, NULL)},
};
OBJECT(file);

/* --- the format ----------------------------------------------------------------------------------------- */

/* The file's first member decides: they are in alphabetical order, or in the compiler's. */
static bool sniff(const unsigned char *bytes, uint64_t size)
{
    static const char *const keys[] = {"buffers",         "environment",     "graphs",
                                       "ec_blobs_info",   "memory_pools",    "json_schema_version",
                                       "memory_accesses", "validation",      "aton_execution_time",
                                       "power_estimates", "memory_footprint"};
    text_span key = json_first_key(bytes, size, NULL);
    return SPAN_IS_ONE_OF(keys, key);
}

static roof_status read(roof_graph *graph, roof_error *err)
{
    c_info *file;
    plan_build build;
    const mapfile *bytes = &graph->storage->file;
    TRY(ARENA_GET(graph->storage->arena, file, 1, err));
    *file = (c_info){.schema = "", .graph_name = "", .no_parent = ROOF_NONE, .arena = graph->storage->arena};
    codec c = {.puller = jsonpull_of_memory(bytes->bytes, (size_t)bytes->size_bytes),
               .arena = graph->storage->arena,
               .user = file,
               .err = err};
    roof_status status = c.puller ? codec_read_document(&c, &file_object, file) : error_memory(err);
    jsonpull_free(c.puller);
    TRY(status);
    graph->storage->c_info = file;
    if (file->schema[0] && strcmp(file->schema, "2.0") != 0)
        return error_set(err, ROOF_E_UNSUPPORTED, "is a c_info.json of schema '%.40s', want 2.0",
                         file->schema);
    if (!file->n_nodes)
        return error_data(err, "holds no graph%s",
                          file->has_times
                              ? ", but the times that `stedgeai validate` measured: `roofline import` reads "
                                "them, and the plan is in the c_info.json that `stedgeai generate` wrote"
                              : "; the plan is in the c_info.json that `stedgeai generate` wrote");
    const bool is_plan = file->n_estimates != 0;
    if (!is_plan && !graph->storage->workload->asks_memory)
        return error_data(err,
                          "holds no estimates of the NPU's compiler: the model was compiled for a CPU, "
                          "of which no times are known; `roofline inspect FILE --memory` tells its memory");
    /* "ST.EdgeAI.Core 2.1.0-20194 329b0e98d, ATONN Compiler 1.1.0-31", and the model that they compiled. */
    const c_info_tool *tools = file->tools;
    roof_arena *arena = graph->storage->arena;
    graph->name = file->graph_name;
    graph->compiler = "";
    for (uint32_t i = 0; i < file->n_tools && i < 4; i++) {
        graph->compiler = arena_printf(arena, "%s%s%.60s %.60s", graph->compiler, i ? ", " : "",
                                       tools[i].name, tools[i].version);
        TRY(ALLOCATED(graph->compiler, err));
        if (i == 0 && tools[i].model_name[0])
            graph->name = tools[i].model_name; /* the front end's; later ones call it "network" */
    }
    if (!is_plan)
        return plan_build_nothing(graph, arena, err);
    TRY(plan_build_begin(&build, graph, arena, err));
    return c_info_join(file, &build);
}

static roof_status memory(memory_builder *b)
{
    return c_info_memory(b->graph->storage->c_info, b);
}

const graph_format format_c_info = {
    .id = "c_info",
    .doc = "c_info.json of ST's Neural-ART compiler, schema 2.0",
    .sniff = sniff,
    .read = read,
    .memory = memory,
    PLAN_FORMAT,
    .read_folder = plan_read_folder,
};
