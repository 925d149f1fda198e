/* The model's graph as Model Explorer's own JSON, for files that it has no reader for: operators with what
 * the prediction says of them, in a layer for each row; node data (model-explorer) fits it. Constants are
 * left out, and so are names of tensors: a key of node data that is one of them would reach the wrong node.
 */
#include "core/json/jsonout.h"
#include "reports/annotations/node_values.h"
#include "reports/renderers/renderer.h"

/* A graph, and what is said of it. */
typedef struct shown_graph {
    const rendering *r;
    const roof_graph *graph;
    graph_values values;
    const node_values **values_of;        /* of each operator; NULL: nothing */
    const roof_layer_prediction **row_of; /* likewise */
    const char **ids;                     /* each its own */
    jsonout json;
} shown_graph;

static bool is_shown(const roof_op *op)
{
    return op->node != ROOF_NONE && op->rule != ROOF_RULE_CONSTANT;
}

/* Keys of node data are ids: names where the file is known by names. A name that is there already is nobody's
 * key, and so what has it as well gets another id. */
static bool make_ids(shown_graph *s)
{
    const roof_prediction *p = s->r->prediction;
    const roof_graph *g = s->graph;
    namemap *taken = namemap_new(s->r->arena, g->n_ops);
    s->ids = NEW_ARRAY(s->r->arena, const char *, g->n_ops);
    if (!taken || !s->ids)
        return false;
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        const node_values own = {.node = op->node, .name = op->name};
        if (!is_shown(op))
            continue;
        s->ids[i] = node_values_address(p, &own, s->r->arena);
        if (!s->ids[i] || !namemap_add(taken, s->ids[i], strlen(s->ids[i]), i))
            s->ids[i] = arena_printf(s->r->arena, "operator %u %s", op->node, op->name);
    }
    return arena_status(s->r->arena, NULL) == ROOF_OK;
}

/* Operators by place, for rows and values, which tell places. false without memory. */
static bool find_rows(shown_graph *s)
{
    const roof_prediction *p = s->r->prediction;
    const roof_graph *g = s->graph;
    uint32_t n_places;
    const uint32_t *op_at = node_values_places(g, is_shown, s->r->arena, &n_places);
    s->values_of = NEW_ARRAY(s->r->arena, const node_values *, g->n_ops);
    s->row_of = NEW_ARRAY(s->r->arena, const roof_layer_prediction *, g->n_ops);
    if (!op_at || !s->values_of || !s->row_of)
        return false;
    for (uint32_t i = 0; i < s->values.n_nodes; i++)
        if (s->values.nodes[i].node < n_places && op_at[s->values.nodes[i].node] != ROOF_NONE)
            s->values_of[op_at[s->values.nodes[i].node]] = &s->values.nodes[i];
    for (uint32_t i = 0; i < p->n_layers; i++)
        for (uint32_t k = 0; k < p->layers[i].n_operators; k++) {
            const uint32_t place = p->layers[i].nodes[k];
            if (place < n_places && op_at[place] != ROOF_NONE && !s->row_of[op_at[place]])
                s->row_of[op_at[place]] = &p->layers[i];
        }
    return true;
}

static void put_attribute(jsonout *json, const char *key, const char *value)
{
    jsonout_texts(json, NULL, "key", key, "value", value, NULL);
}

/* "DPU/3 conv1": a layer of its own for each row, whatever slashes are in names. */
static const char *namespace_of(const shown_graph *s, uint32_t op)
{
    const roof_layer_prediction *row = s->row_of[op];
    if (!row)
        return "";
    char *text = arena_printf(s->r->arena, "%s/%u %s", row->device, row->index, row->name);
    char *slash = text ? strchr(text, '/') : NULL;
    for (char *c = slash ? slash + 1 : NULL; c && *c; c++)
        if (*c == '/')
            *c = '.';
    return text;
}

static void put_output(shown_graph *s, const roof_tensor *t)
{
    textbuf shape;
    text_init(&shape, 1024);
    text_printf(&shape, "%u bit [", t->bit_width);
    for (uint32_t i = 0; i < t->n_dims; i++)
        text_printf(&shape, "%s%u", i ? "," : "", t->dims[i]);
    text_puts(&shape, "]");
    jsonout_array(&s->json, "outputsMetadata", true);
    jsonout_object(&s->json, NULL, true);
    jsonout_string(&s->json, "id", "0");
    jsonout_array(&s->json, "attrs", true);
    if (text_status(&shape, NULL) == ROOF_OK)
        put_attribute(&s->json, "tensor_shape", shape.bytes);
    else
        s->r->out->failed = true;
    jsonout_end(&s->json);
    jsonout_end(&s->json);
    jsonout_end(&s->json);
    text_free(&shape);
}

static void put_node(shown_graph *s, uint32_t index)
{
    const roof_op *op = &s->graph->ops[index];
    const node_values *values = s->values_of[index];
    jsonout_object(&s->json, NULL, true);
    jsonout_string(&s->json, "id", s->ids[index]);
    jsonout_string(&s->json, "label", op->type);
    jsonout_string(&s->json, "namespace", namespace_of(s, index));
    jsonout_array(&s->json, "attrs", true);
    put_attribute(&s->json, "name", op->name);
    for (uint32_t i = 0; values && i < values->n_values; i++)
        put_attribute(&s->json, values->values[i].name, values->values[i].text);
    jsonout_end(&s->json);
    uint32_t n_edges = 0;
    jsonout_array(&s->json, "incomingEdges", true);
    for (uint32_t i = 0; i < op->n_inputs; i++) {
        const uint32_t from = s->graph->edges[op->first_input + i].op;
        if (s->ids[from])
            jsonout_texts(&s->json, NULL, "sourceNodeId", s->ids[from], "sourceNodeOutputId", "0",
                          "targetNodeInputId", arena_printf(s->r->arena, "%u", n_edges++), NULL);
    }
    jsonout_end(&s->json);
    put_output(s, &op->out);
    jsonout_end(&s->json);
}

static void put_prediction(const rendering *r)
{
    shown_graph s = {.r = r, .graph = r->options->graph};
    if (!node_values_make(r->prediction, r->arena, &s.values) || !find_rows(&s) || !make_ids(&s))
        return; /* the arena remembers */
    jsonout_begin(&s.json, r->out);
    jsonout_object(&s.json, NULL, false);
    jsonout_string(&s.json, "label", r->prediction->model.name);
    jsonout_array(&s.json, "graphs", false);
    jsonout_object(&s.json, NULL, false);
    jsonout_string(&s.json, "id", r->prediction->model.name);
    jsonout_object(&s.json, "groupNodeAttributes", false);
    jsonout_object(&s.json, "", false);
    for (uint32_t i = 0; i < s.values.n_totals; i++)
        jsonout_string(&s.json, s.values.totals[i].name, s.values.totals[i].text);
    jsonout_end(&s.json);
    jsonout_end(&s.json);
    jsonout_array(&s.json, "nodes", false);
    for (uint32_t i = 0; i < s.graph->n_ops; i++)
        if (is_shown(&s.graph->ops[i]))
            put_node(&s, i);
    jsonout_end(&s.json);
    jsonout_end(&s.json);
    jsonout_end(&s.json);
    jsonout_end(&s.json);
}

const renderer_def renderer_model_explorer_graph = {.id = "model-explorer-graph",
                                                    .own = {{put_prediction, ROOF_DOCUMENT_PREDICTION}},
                                                    .shows_operators = true,
                                                    .needs_graph = true};
