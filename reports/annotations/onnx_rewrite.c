/* Two rounds over the same fields: the first one finds the lengths that are written in front of what they
 * measure, the second one writes. */
#include "reports/annotations/onnx_rewrite.h"
#include "core/error.h"
#include "core/platform/platform.h"
#include "core/protobuf.h"
#include "core/span.h"
#include "reports/annotations/wire_copy.h"

#include <inttypes.h>
#include <string.h>

enum { MODEL_GRAPH = 7, MODEL_METADATA = 14 };
enum { GRAPH_NODE = 1, GRAPH_INITIALIZER = 5 };
enum { NODE_NAME = 3, NODE_METADATA = 9 };
enum { ENTRY_KEY = 1, ENTRY_VALUE = 2 };
enum { TENSOR_LOCATION = 14, LOCATION_EXTERNAL = 1 };
/* One round. */
typedef struct rewriter {
    const graph_values *values;
    uint32_t node;    /* the next one of the file */
    uint32_t n_taken; /* nodes of values that were met */
    wire_copy to;
    onnx_rewritten *out;
    roof_error *err;
} rewriter;

/* ---- entries ---- */

static roof_status put_entries(rewriter *r, uint32_t field, const node_value *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        TRY(wire_put_head(&r->to, field,
                          wire_text_size(ENTRY_KEY, strlen(values[i].name)) +
                              wire_text_size(ENTRY_VALUE, strlen(values[i].text))));
        TRY(wire_put_text(&r->to, ENTRY_KEY, values[i].name, strlen(values[i].name)));
        TRY(wire_put_text(&r->to, ENTRY_VALUE, values[i].text, strlen(values[i].text)));
    }
    return ROOF_OK;
}

/* Sets is if an entry of metadata is one of ours. */
static roof_status is_ours(const rewriter *r, const pb_cursor *scope, const pb_field *field, bool *is)
{
    pb_cursor entry = pb_enter(scope, field);
    pb_field f;
    *is = false;
    roof_status status;
    while (pb_each(&entry, &f, &status, r->err)) {
        if (f.number == ENTRY_KEY && f.wire == PB_BYTES) /* the last one holds */
            *is = span_begins((text_span){(const char *)f.data, (size_t)f.value}, NODE_VALUES_PREFIX);
    }
    return status;
}

/* ---- messages ---- */

/* The same round, measuring from here on. */
static rewriter measuring_from(const rewriter *r)
{
    rewriter m = *r;
    m.to = wire_measuring(r->err);
    return m;
}

/* The fields of a node but for entries of ours, and then those that it is to have. */
static roof_status node_content(rewriter *r, pb_cursor node, const node_values *values, bool *is_changed)
{
    pb_field f;
    bool ours;
    text_span name = {"", 0};
    *is_changed = values && values->n_values;
    roof_status status;
    while (pb_each(&node, &f, &status, r->err)) {
        ours = false;
        if (f.number == NODE_METADATA && f.wire == PB_BYTES)
            TRY(is_ours(r, &node, &f, &ours));
        if (f.number == NODE_NAME && f.wire == PB_BYTES)
            name = (text_span){(const char *)f.data, (size_t)f.value};
        *is_changed = *is_changed || ours;
        if (!ours)
            TRY(wire_carry(&r->to, wire_start(&node, &f), node.next));
    }
    TRY(status);
    if (!values)
        return ROOF_OK;
    if (*values->name && !span_is(name, values->name))
        return error_set(r->err, ROOF_E_DATA,
                         "node %" PRIu32 " is called '%s', want '%.200s': the prediction is of another file",
                         values->node, SHOWN(name), values->name);
    return put_entries(r, NODE_METADATA, values->values, values->n_values);
}

static roof_status put_node(rewriter *r, const pb_cursor *scope, const pb_field *field)
{
    const graph_values *all = r->values;
    const node_values *values = all && r->n_taken < all->n_nodes && all->nodes[r->n_taken].node == r->node
                                    ? &all->nodes[r->n_taken]
                                    : NULL;
    rewriter measuring = measuring_from(r);
    bool is_changed;
    TRY(node_content(&measuring, pb_enter(scope, field), values, &is_changed));
    r->n_taken += values != NULL;
    r->node++;
    if (!is_changed)
        return wire_carry(&r->to, wire_start(scope, field), scope->next);
    TRY(wire_put_head(&r->to, GRAPH_NODE, measuring.to.n_bytes));
    return node_content(r, pb_enter(scope, field), values, &is_changed);
}

static roof_status look_for_external_data(rewriter *r, pb_cursor tensor)
{
    pb_field f;
    bool more = true;
    while (!r->out->has_external_data && more) {
        TRY(pb_next(&tensor, &f, &more, r->err));
        if (more && f.number == TENSOR_LOCATION && f.wire == PB_VARINT)
            r->out->has_external_data = f.value == LOCATION_EXTERNAL;
    }
    return ROOF_OK;
}

static roof_status graph_content(rewriter *r, pb_cursor graph)
{
    pb_field f;
    roof_status status;
    while (pb_each(&graph, &f, &status, r->err)) {
        if (f.number == GRAPH_INITIALIZER && f.wire == PB_BYTES && wire_measures(&r->to))
            TRY(look_for_external_data(r, pb_enter(&graph, &f)));
        TRY(f.number == GRAPH_NODE && f.wire == PB_BYTES
                ? put_node(r, &graph, &f)
                : wire_carry(&r->to, wire_start(&graph, &f), graph.next));
    }
    return status;
}

/* Graphs of one model are one graph, whose nodes are counted on. */
static roof_status model_content(rewriter *r, pb_cursor model)
{
    pb_field f;
    bool ours, has_graph = false;
    roof_status status;
    while (pb_each(&model, &f, &status, r->err)) {
        ours = false;
        if (f.number == MODEL_METADATA && f.wire == PB_BYTES)
            TRY(is_ours(r, &model, &f, &ours));
        if (f.number == MODEL_GRAPH && f.wire == PB_BYTES) {
            rewriter measuring = measuring_from(r);
            has_graph = true;
            TRY(graph_content(&measuring, pb_enter(&model, &f)));
            TRY(wire_put_head(&r->to, MODEL_GRAPH, measuring.to.n_bytes));
            TRY(graph_content(r, pb_enter(&model, &f)));
        } else if (!ours) {
            TRY(wire_carry(&r->to, wire_start(&model, &f), model.next));
        }
    }
    TRY(status);
    if (!has_graph)
        return error_set(r->err, ROOF_E_DATA, "has no graph, which every ONNX model has");
    if (r->values && r->n_taken < r->values->n_nodes)
        return error_set(r->err, ROOF_E_DATA,
                         "the prediction is of another file: it has node %" PRIu32
                         ", and the file has %" PRIu32 " nodes",
                         r->values->nodes[r->n_taken].node, r->node);
    r->out->n_nodes = r->node;
    return r->values ? put_entries(r, MODEL_METADATA, r->values->totals, r->values->n_totals) : ROOF_OK;
}

roof_status onnx_check_output(const char *input, const char *path, roof_error *err)
{
    os_entry in, out;
    if (os_look(OS_HERE, input, OS_FOLLOW, &in) && os_look(OS_HERE, path, OS_FOLLOW, &out) &&
        os_is_same(&in, &out))
        return error_set(err, ROOF_E_USAGE, "%s: is the model itself; want the name of another file", path);
    return ROOF_OK;
}

roof_status onnx_rewrite(const unsigned char *bytes, uint64_t size, const graph_values *values,
                         roof_sink sink, onnx_rewritten *out, roof_error *err)
{
    wire_pieces pieces = {.n = 0};
    rewriter first = {.values = values, .to = wire_measuring(err), .out = out, .err = err}, second = first;
    *out = (onnx_rewritten){0};
    TRY(model_content(&first, pb_from(bytes, size)));
    TRY(wire_fits(&first.to));
    second.to = wire_writing(&pieces, sink, err);
    TRY(model_content(&second, pb_from(bytes, size)));
    return wire_finish(&second.to);
}
