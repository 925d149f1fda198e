#include "reports/annotations/onnx_copy.h"
#include "reports/annotations/wire_copy.h"

enum { ENTRY_KEY = 1, ENTRY_VALUE = 2 };

/* One round. */
typedef struct rewriter {
    const graph_values *values;
    uint32_t node;    /* the next one of the file */
    uint32_t n_taken; /* nodes of values that were met */
    wire_copy to;
    onnx_rewritten *out;
} rewriter;

/* ---- entries ---- */

static void put_entries(rewriter *r, uint32_t field, const node_value *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (wire_inner in = {.rounds = 0}; wire_within(&r->to, field, &in);) {
            wire_put_text(&r->to, ENTRY_KEY, span_of(values[i].name));
            wire_put_text(&r->to, ENTRY_VALUE, span_of(values[i].text));
        }
}

/* True for a field with an entry of metadata that is one of ours. */
static bool is_ours(rewriter *r, const pb_cursor *scope, const pb_field *field, uint32_t metadata)
{
    pb_cursor entry = pb_enter(scope, field);
    pb_field f;
    bool is = false;
    while (wire_is(field, metadata) && wire_each(&r->to, &entry, &f))
        if (wire_is(&f, ENTRY_KEY)) /* the last one holds */
            is = span_begins(pb_span(&f), NODE_VALUES_PREFIX);
    return is;
}

/* ---- messages ---- */

/* The fields of a node but for entries of ours, and then those that it is to have. False: it stays as it
 * is. */
static bool put_node_content(rewriter *r, pb_cursor node, const node_values *values)
{
    pb_field f;
    text_span name = {"", 0};
    bool is_changed = values && values->n_values;
    while (wire_each(&r->to, &node, &f)) {
        const bool ours = is_ours(r, &node, &f, NODE_METADATA);
        if (wire_is(&f, NODE_NAME))
            name = pb_span(&f);
        is_changed = is_changed || ours;
        if (!ours)
            wire_carry_field(&r->to, &node, &f);
    }
    if (values && r->to.status == ROOF_OK && *values->name && !span_is(name, values->name))
        r->to.status =
            error_data(r->to.err, "node %u is called '%s', want '%.200s': the prediction is of another file",
                       values->node, SHOWN(name), values->name);
    if (values)
        put_entries(r, NODE_METADATA, values->values, values->n_values);
    return is_changed;
}

static void put_node(rewriter *r, const pb_cursor *scope, const pb_field *field)
{
    const graph_values *all = r->values;
    const node_values *values = all && r->n_taken < all->n_nodes && all->nodes[r->n_taken].node == r->node
                                    ? &all->nodes[r->n_taken]
                                    : NULL;
    r->n_taken += values != NULL;
    r->node++;
    for (wire_inner in = {.rounds = 0}; wire_within(&r->to, GRAPH_NODE, &in);)
        if (!put_node_content(r, pb_enter(scope, field), values)) {
            wire_leave(&r->to, &in);
            wire_carry_field(&r->to, scope, field);
            return;
        }
}

static void put_graph(rewriter *r, pb_cursor graph)
{
    pb_field f, member;
    while (wire_each(&r->to, &graph, &f)) {
        pb_cursor tensor = pb_enter(&graph, &f);
        const bool is_looked_into = f.number == GRAPH_INITIALIZER && !r->to.pieces;
        while (is_looked_into && !r->out->has_external_data && wire_each(&r->to, &tensor, &member))
            if (member.number == TENSOR_LOCATION && member.wire == PB_VARINT)
                r->out->has_external_data = member.value == LOCATION_EXTERNAL;
        if (wire_is(&f, GRAPH_NODE))
            put_node(r, &graph, &f);
        else
            wire_carry_field(&r->to, &graph, &f);
    }
}

/* Graphs of one model are one graph, whose nodes are counted on. */
static roof_status put_model(rewriter *r, pb_cursor model)
{
    pb_field f;
    bool has_graph = false;
    while (wire_each(&r->to, &model, &f)) {
        const uint32_t node = r->node, n_taken = r->n_taken;
        if (!wire_is(&f, MODEL_GRAPH)) {
            if (!is_ours(r, &model, &f, MODEL_METADATA))
                wire_carry_field(&r->to, &model, &f);
            continue;
        }
        has_graph = true;
        for (wire_inner in = {.rounds = 0}; wire_within(&r->to, MODEL_GRAPH, &in);) {
            r->node = node;
            r->n_taken = n_taken;
            put_graph(r, pb_enter(&model, &f));
        }
    }
    TRY(r->to.status);
    if (!has_graph)
        return error_data(r->to.err, "has no graph, which every ONNX model has");
    if (r->values && r->n_taken < r->values->n_nodes)
        return error_data(r->to.err,
                          "the prediction is of another file: it has node %u, and the file has %u nodes",
                          r->values->nodes[r->n_taken].node, r->node);
    r->out->n_nodes = r->node;
    if (r->values)
        put_entries(r, MODEL_METADATA, r->values->totals, r->values->n_totals);
    return ROOF_OK;
}

roof_status onnx_rewrite(const unsigned char *bytes, uint64_t size, const graph_values *values,
                         roof_sink sink, onnx_rewritten *out, roof_error *err)
{
    wire_pieces pieces = {.n = 0};
    rewriter first = {.values = values, .to.err = err, .out = out}, second = first;
    *out = (onnx_rewritten){0};
    TRY(put_model(&first, pb_from(bytes, size)));
    TRY(wire_fits(&first.to));
    second.to = (wire_copy){.pieces = &pieces, .sink = sink, .err = err};
    TRY(put_model(&second, pb_from(bytes, size)));
    return wire_finish(&second.to);
}
