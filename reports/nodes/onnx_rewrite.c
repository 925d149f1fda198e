/* Two rounds over the same fields: the first one finds the lengths that are written in front of what they
 * measure, the second one writes. */
#include "reports/nodes/onnx_rewrite.h"
#include "core/error.h"
#include "core/protobuf.h"
#include "core/span.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

enum { MODEL_GRAPH = 7, MODEL_METADATA = 14 };
enum { GRAPH_NODE = 1, GRAPH_INITIALIZER = 5 };
enum { NODE_NAME = 3, NODE_METADATA = 9 };
enum { ENTRY_KEY = 1, ENTRY_VALUE = 2 };
enum { TENSOR_LOCATION = 14, LOCATION_EXTERNAL = 1 };
enum { MOST_VARINT = 10 };

/* Small pieces are collected before they are handed on. */
typedef struct collector {
    char bytes[1 << 12];
    size_t n;
} collector;

/* One round. */
typedef struct rewriter {
    const graph_values *values;
    uint32_t node;                      /* the next one of the file */
    uint32_t n_taken;                   /* nodes of values that were met */
    uint64_t n_bytes;                   /* that came out */
    collector *pieces;                  /* NULL: this round measures */
    const unsigned char *run, *run_end; /* of the input, to be handed on as they are */
    roof_sink sink;
    onnx_rewritten *out;
    roof_error *err;
} rewriter;

/* ---- bytes ---- */

static roof_status hand_on(rewriter *r)
{
    const size_t n = r->pieces->n;
    r->pieces->n = 0;
    return n ? r->sink.write(r->sink.context, r->pieces->bytes, n, r->err) : ROOF_OK;
}

static roof_status emit(rewriter *r, const void *bytes, size_t length)
{
    if (!r->pieces || !length)
        return ROOF_OK;
    if (length > sizeof r->pieces->bytes - r->pieces->n)
        TRY(hand_on(r));
    if (length > sizeof r->pieces->bytes)
        return r->sink.write(r->sink.context, bytes, length, r->err);
    memcpy(r->pieces->bytes + r->pieces->n, bytes, length);
    r->pieces->n += length;
    return ROOF_OK;
}

static roof_status end_run(rewriter *r)
{
    const unsigned char *run = r->run;
    const size_t length = (size_t)(r->run_end - run);
    r->run = r->run_end = NULL;
    return run ? emit(r, run, length) : ROOF_OK;
}

/* Bytes of the input, as they are. */
static roof_status carry(rewriter *r, const unsigned char *from, const unsigned char *to)
{
    r->n_bytes += (uint64_t)(to - from);
    if (r->run != NULL && r->run_end == from) {
        r->run_end = to;
        return ROOF_OK;
    }
    TRY(end_run(r));
    r->run = from;
    r->run_end = to;
    return ROOF_OK;
}

static roof_status put(rewriter *r, const void *bytes, size_t length)
{
    r->n_bytes += length;
    TRY(end_run(r));
    return emit(r, bytes, length);
}

/* The same round, measuring from here on. */
static rewriter measuring_from(const rewriter *r)
{
    rewriter m = *r;
    m.pieces = NULL;
    m.run = m.run_end = NULL;
    m.n_bytes = 0;
    return m;
}

/* The tag and the length of a bytes field. Returns how many bytes they are. */
static size_t head_of(unsigned char head[2 * MOST_VARINT], uint32_t field, uint64_t length)
{
    const uint64_t numbers[] = {(uint64_t)field << 3 | PB_BYTES, length};
    size_t n = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint64_t left = numbers[i];
        for (; left >= 0x80; left >>= 7)
            head[n++] = (unsigned char)(left | 0x80);
        head[n++] = (unsigned char)left;
    }
    return n;
}

static roof_status put_head(rewriter *r, uint32_t field, uint64_t length)
{
    unsigned char head[2 * MOST_VARINT];
    return put(r, head, head_of(head, field, length));
}

/* ---- entries ---- */

static roof_status put_text(rewriter *r, uint32_t field, const char *text)
{
    const size_t length = strlen(text);
    TRY(put_head(r, field, length));
    return put(r, text, length);
}

static uint64_t text_size(uint32_t field, const char *text)
{
    unsigned char head[2 * MOST_VARINT];
    const size_t length = strlen(text);
    return head_of(head, field, length) + length;
}

static roof_status put_entries(rewriter *r, uint32_t field, const node_value *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        TRY(put_head(r, field,
                     text_size(ENTRY_KEY, values[i].name) + text_size(ENTRY_VALUE, values[i].text)));
        TRY(put_text(r, ENTRY_KEY, values[i].name));
        TRY(put_text(r, ENTRY_VALUE, values[i].text));
    }
    return ROOF_OK;
}

/* Whether an entry of metadata is one of ours. */
static roof_status is_ours(const rewriter *r, const pb_cursor *scope, const pb_field *field, bool *is)
{
    pb_cursor entry = pb_enter(scope, field);
    pb_field f;
    bool more;
    *is = false;
    for (;;) {
        TRY(pb_next(&entry, &f, &more, r->err));
        if (!more)
            return ROOF_OK;
        if (f.number == ENTRY_KEY && f.wire == PB_BYTES) /* the last one holds */
            *is = span_begins((text_span){(const char *)f.data, f.value}, NODE_VALUES_PREFIX);
    }
}

/* ---- messages ---- */

static const unsigned char *start_of(const pb_cursor *scope, const pb_field *field)
{
    return scope->file + field->offset;
}

/* The fields of a node but for entries of ours, and then those that it is to have. */
static roof_status node_content(rewriter *r, pb_cursor node, const node_values *values, bool *is_changed)
{
    pb_field f;
    bool more, ours;
    text_span name = {"", 0};
    *is_changed = values && values->n_values;
    for (;;) {
        TRY(pb_next(&node, &f, &more, r->err));
        if (!more)
            break;
        ours = false;
        if (f.number == NODE_METADATA && f.wire == PB_BYTES)
            TRY(is_ours(r, &node, &f, &ours));
        if (f.number == NODE_NAME && f.wire == PB_BYTES)
            name = (text_span){(const char *)f.data, f.value};
        *is_changed = *is_changed || ours;
        if (!ours)
            TRY(carry(r, start_of(&node, &f), node.next));
    }
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
        return carry(r, start_of(scope, field), scope->next);
    TRY(put_head(r, GRAPH_NODE, measuring.n_bytes));
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
    bool more;
    for (;;) {
        TRY(pb_next(&graph, &f, &more, r->err));
        if (!more)
            return ROOF_OK;
        if (f.number == GRAPH_INITIALIZER && f.wire == PB_BYTES && !r->pieces)
            TRY(look_for_external_data(r, pb_enter(&graph, &f)));
        TRY(f.number == GRAPH_NODE && f.wire == PB_BYTES ? put_node(r, &graph, &f)
                                                         : carry(r, start_of(&graph, &f), graph.next));
    }
}

/* Graphs of one model are one graph, whose nodes are counted on. */
static roof_status model_content(rewriter *r, pb_cursor model)
{
    pb_field f;
    bool more, ours, has_graph = false;
    for (;;) {
        TRY(pb_next(&model, &f, &more, r->err));
        if (!more)
            break;
        ours = false;
        if (f.number == MODEL_METADATA && f.wire == PB_BYTES)
            TRY(is_ours(r, &model, &f, &ours));
        if (f.number == MODEL_GRAPH && f.wire == PB_BYTES) {
            rewriter measuring = measuring_from(r);
            has_graph = true;
            TRY(graph_content(&measuring, pb_enter(&model, &f)));
            TRY(put_head(r, MODEL_GRAPH, measuring.n_bytes));
            TRY(graph_content(r, pb_enter(&model, &f)));
        } else if (!ours) {
            TRY(carry(r, start_of(&model, &f), model.next));
        }
    }
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

roof_status onnx_rewrite(const unsigned char *bytes, uint64_t size, const graph_values *values,
                         roof_sink sink, onnx_rewritten *out, roof_error *err)
{
    collector pieces = {.n = 0};
    rewriter first = {.values = values, .out = out, .err = err}, second = first;
    *out = (onnx_rewritten){0};
    TRY(model_content(&first, pb_from(bytes, size)));
    if (first.n_bytes > INT32_MAX)
        return error_set(err, ROOF_E_LIMIT,
                         "the copy would have %" PRIu64
                         " bytes, and no reader of protobuf takes more than 2 GiB",
                         first.n_bytes);
    second.pieces = &pieces;
    second.sink = sink;
    TRY(model_content(&second, pb_from(bytes, size)));
    TRY(end_run(&second));
    return hand_on(&second);
}
