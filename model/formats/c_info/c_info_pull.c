/* c_info.json, value by value: up to some megabytes, of which a tenth is needed. */
#include "core/error.h"
#include "core/jsonbind.h"
#include "model/formats/c_info/c_info.h"

#include <math.h>
#include <string.h>

#define N(members) (sizeof(members) / sizeof *(members))
#define FIELD(type, key, member, kind)                                                                       \
    {                                                                                                        \
        key, BIND_##kind, offsetof(type, member), NULL, NULL                                                 \
    }
#define CALLED(type, key, member, call)                                                                      \
    {                                                                                                        \
        key, BIND_CALL, offsetof(type, member), call, NULL                                                   \
    }

/* The file that is read, behind the binder's target. */
static c_info *file_of(const json_binder *b)
{
    return b->user;
}

static roof_status append(json_binder *b, c_info_list *list, const void *item, size_t size)
{
    if (list->n == ROOF_NONE - 1)
        return bind_fail(b, "more than 2^32 entries");
    char *items = arena_grow(b->arena, list->items, list->n, size);
    if (!items)
        return error_memory(b->err);
    memcpy(items + list->n++ * size, item, size);
    list->items = items;
    return ROOF_OK;
}

/* --- graphs ------------------------------------------------------------------------------------------- */

typedef struct node_attributes {
    const char *unit;
} node_attributes;

static roof_status pull_unit(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {FIELD(node_attributes, "HWUnit", unit, NAME)};
    node_attributes a = {.unit = ""};
    TRY(bind_object(b, event, members, N(members), &a, NULL));
    memcpy(target, &a.unit, sizeof a.unit);
    return ROOF_OK;
}

typedef struct pulled_node {
    c_info_node node;
    uint32_t index; /* of this node, which is the parent of those within */
} pulled_node;

static roof_status pull_nodes(json_binder *b, const json_event *event, uint32_t parent);

static roof_status pull_children(json_binder *b, const json_event *event, void *target)
{
    uint32_t index;
    memcpy(&index, target, sizeof index);
    return pull_nodes(b, event, index);
}

static roof_status pull_node(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        FIELD(pulled_node, "id", node.id, COUNT),
        FIELD(pulled_node, "name", node.name, NAME),
        FIELD(pulled_node, "mapping", node.mapping, NAME),
        FIELD(pulled_node, "type", node.kind, NAME),
        FIELD(pulled_node, "description", node.description, NAME),
        CALLED(pulled_node, "attributes", node.unit, pull_unit),
        CALLED(pulled_node, "subgraph_nodes", index, pull_children),
    };
    enum { ID = 1, NAME = 2 };
    uint64_t seen;
    c_info_list *nodes = &file_of(b)->nodes;
    pulled_node p = {.node = {.name = "", .mapping = "", .kind = "", .description = "", .unit = ""},
                     .index = nodes->n};
    memcpy(&p.node.parent, target, sizeof p.node.parent);
    /* its place is taken before its children's, since members come in any order */
    TRY(append(b, nodes, &p.node, sizeof p.node));
    TRY(bind_object(b, event, members, N(members), &p, &seen));
    if ((seen & (ID | NAME)) != (ID | NAME))
        return bind_fail(b, "a node has no 'id' or no 'name'");
    ((c_info_node *)nodes->items)[p.index] = p.node;
    return ROOF_OK;
}

static roof_status pull_nodes(json_binder *b, const json_event *event, uint32_t parent)
{
    return bind_array(b, event, pull_node, &parent);
}

static roof_status pull_top_nodes(json_binder *b, const json_event *event, void *target)
{
    (void)target;
    return pull_nodes(b, event, ROOF_NONE);
}

static roof_status pull_edge_end(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {FIELD(c_info_edge, "node_id", node, COUNT)};
    return bind_object(b, event, members, N(members), target, NULL);
}

typedef struct pulled_edge {
    c_info_edge edge;
    const char *kind;
} pulled_edge;

static roof_status pull_edge(json_binder *b, const json_event *event, void *target)
{
    static const char *const kinds[] = {"EDGE_MEMORY", NULL};
    static const bind_member members[] = {
        FIELD(pulled_edge, "buffer", edge.buffer, COUNT),
        CALLED(pulled_edge, "end", edge, pull_edge_end),
        FIELD(pulled_edge, "edge_kind", kind, NAME),
    };
    pulled_edge p = {.edge = {0}, .kind = ""};
    TRY(bind_object(b, event, members, N(members), &p, NULL));
    return strcmp(p.kind, kinds[0]) == 0 ? append(b, target, &p.edge, sizeof p.edge) : ROOF_OK;
}

static roof_status pull_edges(json_binder *b, const json_event *event, void *target)
{
    (void)target;
    return bind_array(b, event, pull_edge, &file_of(b)->edges);
}

/* The first graph is the network; others are parts of it that a host runs, whose nodes are numbered with it. */
static roof_status pull_graph(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        FIELD(c_info, "name", graph_name, NAME),
        CALLED(c_info, "nodes", nodes, pull_top_nodes),
        CALLED(c_info, "edges", edges, pull_edges),
    };
    c_info *file = file_of(b);
    const char *first = file->graph_name;
    (void)target;
    TRY(bind_object(b, event, members, N(members), file, NULL));
    if (file->has_graphs)
        file->graph_name = first;
    file->has_graphs = true;
    return ROOF_OK;
}

/* --- lists of plain objects --------------------------------------------------------------------------- */

static roof_status pull_buffer(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        FIELD(c_info_buffer, "id", id, COUNT), FIELD(c_info_buffer, "mpool_id", pool, COUNT),
        FIELD(c_info_buffer, "nbits", bits, COUNT), FIELD(c_info_buffer, "is_param", is_parameter, BOOL)};
    c_info_buffer buffer = {.id = ROOF_UNKNOWN, .pool = ROOF_UNKNOWN};
    TRY(bind_object(b, event, members, N(members), &buffer, NULL));
    return append(b, target, &buffer, sizeof buffer);
}

static roof_status pull_pool_attributes(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {FIELD(c_info_pool, "byte_width", byte_width, COUNT),
                                          FIELD(c_info_pool, "freq_ratio", freq_ratio, POSITIVE)};
    return bind_object(b, event, members, N(members), target, NULL);
}

static roof_status count_one(json_binder *b, const json_event *event, void *target)
{
    uint32_t n;
    memcpy(&n, target, sizeof n);
    n++;
    memcpy(target, &n, sizeof n);
    return event->kind == JSON_NUMBER ? ROOF_OK : bind_fail(b, "want the id of a pool");
}

static roof_status pull_subpools(json_binder *b, const json_event *event, void *target)
{
    return bind_array(b, event, count_one, target);
}

static roof_status pull_pool(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        FIELD(c_info_pool, "id", id, COUNT),
        FIELD(c_info_pool, "name", name, NAME),
        FIELD(c_info_pool, "address", address, NAME),
        FIELD(c_info_pool, "rights", rights, NAME),
        FIELD(c_info_pool, "cacheable", cacheable, NAME),
        FIELD(c_info_pool, "size_bytes", size_bytes, NUMBER),
        FIELD(c_info_pool, "used_size_bytes", used_bytes, NUMBER),
        {"attributes", BIND_CALL, 0, pull_pool_attributes, NULL},
        CALLED(c_info_pool, "subpools", n_subpools, pull_subpools),
    };
    c_info_pool pool = {.id = ROOF_UNKNOWN,
                        .name = "",
                        .address = "",
                        .rights = "",
                        .cacheable = "",
                        .size_bytes = -1,
                        .used_bytes = -1,
                        .byte_width = ROOF_UNKNOWN,
                        .freq_ratio = NAN};
    TRY(bind_object(b, event, members, N(members), &pool, NULL));
    return append(b, target, &pool, sizeof pool);
}

static roof_status pull_access(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        FIELD(c_info_access, "node_id", node, COUNT),
        FIELD(c_info_access, "mpool_id", pool, COUNT),
        FIELD(c_info_access, "reads", reads, COUNT),
        FIELD(c_info_access, "read_cycles", read_cycles, COUNT),
        FIELD(c_info_access, "writes", writes, COUNT),
        FIELD(c_info_access, "write_cycles", write_cycles, COUNT),
    };
    const uint64_t needed = (1u << N(members)) - 1;
    uint64_t seen;
    c_info_access access = {0};
    TRY(bind_object(b, event, members, N(members), &access, &seen));
    if (seen != needed)
        return bind_fail(b, "an access lacks one of node_id, mpool_id, reads, read_cycles, writes, "
                            "write_cycles");
    return append(b, target, &access, sizeof access);
}

static roof_status pull_estimate(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {FIELD(c_info_estimate, "node_id", node, COUNT),
                                          FIELD(c_info_estimate, "ops", ops, COUNT),
                                          FIELD(c_info_estimate, "compute_cycles", compute_cycles, COUNT),
                                          FIELD(c_info_estimate, "max_cycles", max_cycles, COUNT)};
    uint64_t seen;
    c_info_estimate estimate = {ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN};
    TRY(bind_object(b, event, members, N(members), &estimate, &seen));
    if (!(seen & 1))
        return bind_fail(b, "an estimate has no 'node_id'");
    return append(b, target, &estimate, sizeof estimate);
}

static roof_status pull_blob_node(json_binder *b, const json_event *event, void *target)
{
    const c_info_blob_node node = {.blob = file_of(b)->blob,
                                   .node = event->kind == JSON_NUMBER && event->number >= 0 &&
                                                   event->number < 9e15
                                               ? (uint64_t)event->number
                                               : ROOF_UNKNOWN};
    if (node.node == ROOF_UNKNOWN)
        return bind_fail(b, "want the id of a node");
    return append(b, target, &node, sizeof node);
}

static roof_status pull_blob_nodes(json_binder *b, const json_event *event, void *target)
{
    (void)target;
    return bind_array(b, event, pull_blob_node, &file_of(b)->blob_nodes);
}

/* The members of a blob may come in any order: the name is put in behind them. */
static roof_status pull_blob(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {FIELD(c_info, "name", blob, NAME),
                                          CALLED(c_info, "nodes_id", blob_nodes, pull_blob_nodes)};
    c_info *file = file_of(b);
    uint32_t first = file->blob_nodes.n;
    (void)target;
    file->blob = "";
    TRY(bind_object(b, event, members, N(members), file, NULL));
    for (uint32_t i = first; i < file->blob_nodes.n; i++)
        ((c_info_blob_node *)file->blob_nodes.items)[i].blob = file->blob;
    return ROOF_OK;
}

/* --- environment -------------------------------------------------------------------------------------- */

static roof_status pull_input_model(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {FIELD(c_info_tool, "name", model_name, NAME)};
    c_info_tool model = {.model_name = ""};
    TRY(bind_object(b, event, members, N(members), &model, NULL));
    memcpy(target, &model.model_name, sizeof model.model_name);
    return ROOF_OK;
}

static roof_status pull_tool(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        FIELD(c_info_tool, "name", name, NAME),
        FIELD(c_info_tool, "version", version, NAME),
        CALLED(c_info_tool, "input_model", model_name, pull_input_model),
    };
    c_info_tool tool = {"", "", ""};
    TRY(bind_object(b, event, members, N(members), &tool, NULL));
    return append(b, target, &tool, sizeof tool);
}

/* --- the document ------------------------------------------------------------------------------------- */

#define LIST(name, each)                                                                                     \
    static roof_status pull_##name(json_binder *b, const json_event *event, void *target)                    \
    {                                                                                                        \
        return bind_array(b, event, each, target);                                                           \
    }
LIST(graphs, pull_graph)
LIST(buffers, pull_buffer)
LIST(pools, pull_pool)
LIST(accesses, pull_access)
LIST(estimates, pull_estimate)
LIST(blobs, pull_blob)
LIST(tools, pull_tool)

static roof_status pull_environment(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {{"tools", BIND_CALL, 0, pull_tools, NULL}};
    return bind_object(b, event, members, N(members), target, NULL);
}

static roof_status note_times(json_binder *b, const json_event *event, void *target)
{
    (void)event;
    (void)target;
    file_of(b)->has_times = true;
    return jsonpull_skip(b->puller, b->err);
}

static roof_status pull_document(json_binder *b, c_info *file)
{
    static const bind_member members[] = {
        FIELD(c_info, "json_schema_version", schema, NAME),
        CALLED(c_info, "environment", tools, pull_environment),
        CALLED(c_info, "graphs", nodes, pull_graphs),
        CALLED(c_info, "buffers", buffers, pull_buffers),
        CALLED(c_info, "memory_pools", pools, pull_pools),
        CALLED(c_info, "memory_accesses", accesses, pull_accesses),
        CALLED(c_info, "power_estimates", estimates, pull_estimates),
        CALLED(c_info, "ec_blobs_info", blob_nodes, pull_blobs),
        CALLED(c_info, "aton_execution_time", blob, note_times),
    };
    json_event event;
    TRY(jsonpull_next(b->puller, &event, b->err));
    TRY(bind_object(b, &event, members, N(members), file, NULL));
    return jsonpull_next(b->puller, &event, b->err); /* nothing may follow */
}

roof_status c_info_pull(const unsigned char *bytes, uint64_t size, roof_arena *arena, c_info *out,
                        roof_error *err)
{
    *out = (c_info){.schema = "", .graph_name = "", .blob = ""};
    json_binder b = {.puller = jsonpull_of_memory(bytes, size), .arena = arena, .user = out, .err = err};
    roof_status status = b.puller ? pull_document(&b, out) : error_memory(err);
    jsonpull_free(b.puller);
    return status;
}
