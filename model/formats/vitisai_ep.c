/* A session's report by the Vitis AI execution provider of ONNX Runtime: every operator with its shapes,
 * and the device that it was placed on. vitisai_ep_report.json has it as the document, context.json of the
 * provider's cache in "stat".
 *
 * Strides and pads are not in it: multiply-accumulates follow from outputs and weights all the same, windows
 * of poolings are unknown.
 */
#include "core/json/codec.h"
#include "core/json/jsonsniff.h"
#include "model/graph/format.h"
#include "model/work/onnx_ops.h"
#include "model/work/op_program.h"
#include "model/work/opmap.h"

typedef struct ep_node {
    const char **outputs, **inputs;
    uint32_t n_outputs, n_inputs;
    const char *type, *device; /* "Conv", "NPU" */
    /* Element types and shapes: "@4 [NAME:(ty=2,shape=[1,3,640,640])] QuantizeLinear
     * [NAME:(ty=1,shape=[]),N/A]". */
    const char *comment;
} ep_node;

typedef struct ep_file {
    ep_node *nodes;
    const char **constants; /* named by a context.json; a report has none */
    uint32_t n_nodes, n_constants;
    roof_arena *arena;
} ep_file;

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

static roof_status pull_subgraph(codec *c, const json_event *event, void *target)
{
    return codec_read_object(c, event, CODEC_TABLE(subgraph_members), target);
}

static roof_status pull_constant(codec *c, const json_event *event, void *target)
{
    const char **name = add_constant(target);
    TRY(ALLOCATED(name && (*name = arena_strdup(c->arena, event->key)), c->err));
    return jsonpull_skip(c->puller, c->err);
}

static const codec_member stat_members[] = {
    {CODEC_ITEMS("nodeStat", ep_file, nodes, n_nodes, &node_object, MOST, ALWAYS)}};

/* A report is what a context has in its "stat". */
static const codec_member file_members[] = {
    {CODEC_ITEMS("nodeStat", ep_file, nodes, n_nodes, &node_object, MOST, ALWAYS)},
    {CODEC_IN("stat", 0, CODEC_TABLE(stat_members))},
    {CODEC_BY("metaDef", 0, pull_subgraph, NULL), .how = CODEC_EACH},
    {CODEC_BY("constDataInfo", 0, pull_constant, NULL), .how = CODEC_EVERY},
};

/* ---- from nodes to a graph ---- */

enum { MOST_DEVICES = 16 };

/* Operators stand in this order: one for each node, further outputs of nodes, what no node makes. */
typedef struct ep_builder {
    const ep_file *file;
    roof_graph *graph;
    roof_arena *arena, *scratch;
    namemap *ops;       /* by the name of their output */
    namemap *constants; /* NULL: the file does not state them */
    uint32_t n_made;    /* by nodes */
    roof_error *err;
} ep_builder;

#define fail(b, ...) error_set((b)->err, ROOF_E_DATA, __VA_ARGS__)

/* "VAIP_NOT_EXISTS" stands for an optional tensor that is left out. */
static bool is_absent(const char *name)
{
    return !*name || strcmp(name, "VAIP_NOT_EXISTS") == 0;
}

static roof_status name_all(ep_builder *b)
{
    uint64_t outputs = 0, inputs = 0;
    for (uint32_t i = 0; i < b->file->n_nodes; i++) {
        outputs += b->file->nodes[i].n_outputs;
        inputs += b->file->nodes[i].n_inputs;
    }
    if (outputs + inputs >= ROOF_NONE / 2)
        return error_set(b->err, ROOF_E_LIMIT, "more than 2^31 tensors");
    TRY(ALLOCATED(b->ops = namemap_new(b->scratch, (size_t)(outputs + inputs)), b->err));
    uint32_t further = b->file->n_nodes;
    for (uint32_t i = 0; i < b->file->n_nodes; i++) {
        const ep_node *node = &b->file->nodes[i];
        if (!node->n_outputs || is_absent(node->outputs[0]))
            return fail(b, "/nodeStat/%u: its first output has no name", i);
        for (uint32_t j = 0; j < node->n_outputs; j++) {
            const char *name = node->outputs[j];
            if (is_absent(name))
                continue;
            if (!namemap_add(b->ops, name, strlen(name), j ? further++ : i))
                return fail(b, "/nodeStat/%u: another node makes '%.200s' as well", i, name);
        }
    }
    b->graph->n_ops = b->n_made = further;
    FOR_EACH(const ep_node, node, b->file->nodes, b->file->n_nodes) {
        for (uint32_t j = 0; j < node->n_inputs; j++)
            if (!is_absent(node->inputs[j]))
                b->graph->n_ops +=
                    namemap_add(b->ops, node->inputs[j], strlen(node->inputs[j]), b->graph->n_ops);
    }
    TRY(ARENA_GET(b->arena, b->graph->ops, b->graph->n_ops, b->err));
    return ARENA_GET(b->arena, b->graph->edges, outputs + inputs, b->err);
}

/* ---- tensors ---- */

/* False where a dimension is none that this build can count with: a word, -1, or more than eight of them. */
static bool read_dims(text_span list, roof_tensor *t)
{
    uint64_t dim;
    while (list.length) {
        if (t->n_dims == ROOF_MAX_DIMS || !span_take_whole(&list, &dim) || dim > UINT32_MAX ||
            (list.length && !span_skip(&list, ",")))
            return false;
        t->dims[t->n_dims++] = (uint32_t)dim;
    }
    return true;
}

/* The tensor of that name at the place that the comment has reached. */
static roof_status take_tensor(ep_builder *b, text_span *rest, const char *name, bool is_first,
                               roof_tensor *out)
{
    bool is_there = is_first || span_skip(rest, ",");
    *out = (roof_tensor){.name = name};
    if (is_there && is_absent(name) && span_skip(rest, "N/A"))
        return ROOF_OK;
    if (is_there && span_skip(rest, name)) {
        /* "(ty=1,shape=[1,3,640,640])" behind a name. */
        uint64_t type;
        text_span list;
        checked elements = {1, false};
        if (!span_skip(rest, ":(ty=") || !span_take_whole(rest, &type) || !span_skip(rest, ",shape=[") ||
            !span_has(*rest, "])"))
            return fail(b, "'comment' has '%s' behind '%.200s', want ':(ty=TYPE,shape=[...])'", SHOWN(*rest),
                        out->name);
        list = span_take_until(rest, "])");
        out->bit_width = onnx_element_bits(type);
        if (!out->bit_width || !read_dims(list, out))
            onnx_forget_shape(out);
        for (uint32_t i = 0; i < out->n_dims; i++)
            elements = checked_times(elements, out->dims[i]);
        out->elements = elements.value;
        return elements.overflow
                   ? error_set(b->err, ROOF_E_LIMIT, "the shape of '%.200s' overflows 64 bits", out->name)
                   : ROOF_OK;
    }
    return fail(b, "'comment' has '%s', want the tensor '%.200s'", SHOWN(*rest), name);
}

/* ---- operators ---- */

static roof_status set_tensor(ep_builder *b, uint32_t op, const roof_tensor *tensor)
{
    roof_op *out = &b->graph->ops[op];
    out->out = *tensor;
    out->out.name = out->name = arena_strdup(b->arena, tensor->name);
    return ALLOCATED(out->name, b->err);
}

static roof_status read_inputs(ep_builder *b, uint32_t index, text_span *rest)
{
    const ep_node *node = &b->file->nodes[index];
    for (uint32_t j = 0; j < node->n_inputs; j++) {
        const char *name = node->inputs[j];
        roof_op *op = &b->graph->ops[index];
        roof_tensor tensor;
        TRY(take_tensor(b, rest, name, j == 0, &tensor));
        if (is_absent(name))
            continue;
        uint32_t producer = namemap_find(b->ops, name, strlen(name));
        roof_op *source = &b->graph->ops[producer];
        graph_add_edge(b->graph, op, producer, onnx_role(op->rule, j));
        if (producer < b->n_made || source->name)
            continue;
        /* Where the file does not state constants, what the first operator reads first is an input of the
         * network; but what is only quantised in the file is a constant. */
        bool is_input = b->constants ? namemap_find(b->constants, name, strlen(name)) == ROOF_NONE
                                     : j == 0 && strcmp(node->type, "DequantizeLinear") != 0;
        *source = is_input ? graph_new_op("", ONNX_INPUT, ROOF_RULE_INPUT)
                           : graph_new_op("", ONNX_INITIALIZER, ROOF_RULE_CONSTANT);
        TRY(set_tensor(b, producer, &tensor));
    }
    return ROOF_OK;
}

static roof_status read_node(ep_builder *b, uint32_t index)
{
    const ep_node *node = &b->file->nodes[index];
    const char *type = arena_strdup(b->arena, node->type);
    text_span rest = span_of(node->comment);
    TRY(ALLOCATED(type, b->err));
    b->graph->ops[index] = graph_new_op("", type, rule_of(type));
    b->graph->ops[index].node = index;
    if (!span_skip_past(&rest, "["))
        return fail(b, "'comment' has '%s', want '@N [OUTPUT:(ty=..,shape=[..])] TYPE [INPUT:..]'",
                    SHOWN(rest));

    for (uint32_t j = 0; j < node->n_outputs; j++) {
        roof_tensor tensor;
        TRY(take_tensor(b, &rest, node->outputs[j], j == 0, &tensor));
        if (is_absent(node->outputs[j]))
            continue;
        uint32_t op = namemap_find(b->ops, node->outputs[j], strlen(node->outputs[j]));
        if (j) {
            b->graph->ops[op] = graph_new_op("", ONNX_OUTPUT, ROOF_RULE_ALIAS);
            graph_add_edge(b->graph, &b->graph->ops[op], index, ROOF_ROLE_INPUT);
        }
        TRY(set_tensor(b, op, &tensor));
    }
    if (!span_skip(&rest, "]") || !span_skip_past(&rest, "["))
        return fail(b, "'comment' has '%s', want ']', the operator's type and '['", SHOWN(rest));
    TRY(read_inputs(b, index, &rest));
    roof_graph *g = b->graph;
    const char *device = b->file->nodes[index].device;
    uint32_t s = 1;
    while (s < g->n_subgraphs && strcmp(g->subgraphs[s].device_name, device) != 0)
        s++;
    if (s > MOST_DEVICES)
        return error_set(b->err, ROOF_E_LIMIT, "more than %d devices", MOST_DEVICES);
    if (s == g->n_subgraphs) {
        const char *end = device + strlen(device), *name = arena_strdup(b->arena, device);
        bool is_host = end - device >= 3 && strcmp(end - 3, "CPU") == 0; /* "VITIS_EP_CPU" as well */
        TRY(ALLOCATED(name, b->err));
        graph_add_part(g, name, is_host ? ROOF_DEVICE_CPU : ROOF_DEVICE_ACCELERATOR);
    }
    g->subgraphs[s].n_ops++;
    g->ops[index].subgraph = s;
    return ROOF_OK;
}

/* ---- subgraphs and layers ---- */

/* Operators with their tensors, one subgraph for each device, and a layer for each operator that computes. */
static roof_status build_graph(const ep_file *file, roof_graph *g, roof_error *err)
{
    ep_builder b = {.file = file, .graph = g, .arena = g->storage->arena, .scratch = file->arena, .err = err};
    uint32_t *order;
    TRY(name_all(&b));
    if (file->n_constants) {
        TRY(ALLOCATED(b.constants = namemap_new(b.scratch, file->n_constants), b.err));
        for (uint32_t i = 0; i < file->n_constants; i++)
            namemap_add(b.constants, file->constants[i], strlen(file->constants[i]), i);
    }
    TRY(graph_begin_parts(g, "", MOST_DEVICES, b.arena, err));
    for (uint32_t i = 0; i < file->n_nodes; i++)
        TRY(error_placed(read_node(&b, i), err, "/nodeStat/%u", i));
    TRY(ARENA_GET(b.scratch, order, g->n_ops, err));
    TRY(graph_topological_order(g, order, err));
    TRY(onnx_finish(g, order, b.scratch, err));
    uint32_t next[MOST_DEVICES + 1] = {0};
    for (uint32_t s = 0; s < g->n_subgraphs; s++) {
        g->subgraphs[s].first_op = next[s] = g->n_subgraph_ops;
        g->n_subgraph_ops += g->subgraphs[s].n_ops;
    }
    TRY(ARENA_GET(b.arena, g->subgraph_ops, g->n_subgraph_ops, b.err));
    for (uint32_t i = 0; i < b.file->n_nodes; i++)
        g->subgraph_ops[next[g->ops[i].subgraph]++] = i;
    return op_program_set_layers(g, order, 0, err);
}

/* ---- the format ---- */

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
    ep_file file = {.arena = graph->storage->scratch};
    codec c = {.puller = jsonpull_of_memory(bytes->bytes, (size_t)bytes->size_bytes),
               .arena = graph->storage->scratch,
               .err = err};
    roof_status status =
        c.puller ? codec_read_document(&c, CODEC_TABLE(file_members), &file) : error_memory(err);
    jsonpull_free(c.puller);
    TRY(status);
    if (!file.n_nodes)
        return error_data(err,
                          "lists no operator in 'nodeStat'; want the vitisai_ep_report.json or context.json "
                          "of a session that compiled a model");
    return build_graph(&file, graph, err);
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
