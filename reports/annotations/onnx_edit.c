/* A survey first: which nodes and weights the changes are of, and who else reads them. Then two rounds. */
#include "reports/annotations/onnx_edit.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/namemap.h"
#include "core/span.h"
#include "reports/annotations/wire_copy.h"

#include <inttypes.h>
#include <string.h>

enum { MODEL_GRAPH = 7 };
enum { GRAPH_NODE = 1, GRAPH_INITIALIZER = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_TYPE = 4, NODE_ATTRIBUTE = 5 };
enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_INT = 3, ATTRIBUTE_TEXT = 4, ATTRIBUTE_GRAPH = 6 };
enum { ATTRIBUTE_INTS = 8, ATTRIBUTE_GRAPHS = 11, ATTRIBUTE_TYPE = 20, TYPE_INTS = 7 };
enum { TENSOR_DIMS = 1, TENSOR_TYPE = 2, TENSOR_FLOATS = 4, TENSOR_NAME = 8, TENSOR_RAW = 9 };
enum { TENSOR_LOCATION = 14, LOCATION_EXTERNAL = 1, INFO_NAME = 1 };
enum { PADS = 4, DIMS = 4, WEIGHTS = 1 };

/* Plan of a node; all 0 for a node that no change is of. */
typedef struct node_plan {
    const onnx_change *own;
    uint32_t more[PADS]; /* that it takes over */
    bool has_more;
    uint32_t undone_by; /* which change undoes it, from 1; 0: none */
} node_plan;

/* A node that another one undoes. */
typedef struct undone_plan {
    text_span reads, makes; /* its first input and its only output */
    uint32_t n_readers;     /* of what it makes, the network's outputs among them */
} undone_plan;

/* Weights that become those of one group. */
typedef struct weights_plan {
    text_span name;
    uint64_t groups;
    int64_t dims[DIMS];
    uint32_t n_dims, element_bytes;
    text_span data;          /* as they lie in the file */
    bool is_there, is_other; /* an initializer; one that cannot be made plain */
    uint32_t n_readers;
    onnx_change *of;
} weights_plan;

typedef struct editor {
    onnx_change *changes;
    uint32_t n;
    pb_cursor model;
    node_plan *nodes;
    uint32_t n_nodes;
    namemap *made;            /* what changed nodes make, into changes */
    text_span *makes, *reads; /* by change: its first output and input */
    namemap *weights_by_name; /* into weights */
    weights_plan *weights;    /* by change */
    namemap *undone_by_name;  /* what undone nodes make, into undone */
    undone_plan *undone;      /* by change */
    bool has_inner_graphs;
    wire_copy to;
    roof_arena *arena;
    roof_error *err;
} editor;

/* ---- reading ------------------------------------------------------------------------------------------- */

/* Calls what with every field of that number in all graphs of the model, which are one graph. */
static roof_status each(editor *e, uint32_t number,
                        roof_status (*what)(editor *e, const pb_cursor *graph, const pb_field *f))
{
    pb_cursor model = e->model;
    pb_field f;
    roof_status status;
    while (pb_each(&model, &f, &status, e->err)) {
        if (f.number != MODEL_GRAPH || f.wire != PB_BYTES)
            continue;
        pb_cursor graph = pb_enter(&model, &f);
        pb_field inner;
        while (pb_each(&graph, &inner, &status, e->err)) {
            if (inner.number == number && inner.wire == PB_BYTES)
                TRY(what(e, &graph, &inner));
        }
        TRY(status);
    }
    return status;
}

/* The number-th text of that field; an empty one where there are fewer. *n: how many there are. */
static roof_status text_of(editor *e, pb_cursor message, uint32_t number, uint32_t at, text_span *out,
                           uint32_t *n)
{
    pb_field f;
    *out = (text_span){"", 0};
    *n = 0;
    roof_status status;
    while (pb_each(&message, &f, &status, e->err))
        if (f.number == number && f.wire == PB_BYTES && (*n)++ == at)
            *out = pb_span(&f);
    return status;
}

static bool is_same(text_span a, text_span b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

typedef struct attribute {
    text_span name, text;
    uint64_t number;    /* of a whole number */
    int64_t ints[PADS]; /* the first ones */
    uint32_t n_ints;    /* however many there are */
    bool has_graph;
} attribute;

static roof_status read_attribute(editor *e, pb_cursor message, attribute *out)
{
    pb_field f;
    *out = (attribute){.name = {"", 0}, .text = {"", 0}};
    roof_status status;
    while (pb_each(&message, &f, &status, e->err))
        if (f.number == ATTRIBUTE_NAME && f.wire == PB_BYTES)
            out->name = pb_span(&f);
        else if (f.number == ATTRIBUTE_TEXT && f.wire == PB_BYTES)
            out->text = pb_span(&f);
        else if (f.number == ATTRIBUTE_INT && f.wire == PB_VARINT)
            out->number = f.value;
        else if (f.number == ATTRIBUTE_GRAPH || f.number == ATTRIBUTE_GRAPHS)
            out->has_graph = true;
        else if (f.number == ATTRIBUTE_INTS)
            TRY(pb_ints(&message, &f, "ints", out->ints, PADS, &out->n_ints, e->err));
    return status;
}

/* The attribute of that name; name of it is empty where there is none. */
static roof_status find_attribute(editor *e, pb_cursor node, const char *name, attribute *out)
{
    pb_field f;
    *out = (attribute){.name = {"", 0}, .text = {"", 0}};
    roof_status status;
    while (pb_each(&node, &f, &status, e->err)) {
        attribute one;
        if (f.number != NODE_ATTRIBUTE || f.wire != PB_BYTES)
            continue;
        TRY(read_attribute(e, pb_enter(&node, &f), &one));
        if (span_is(one.name, name))
            *out = one;
    }
    return status;
}

/* ---- the survey ---------------------------------------------------------------------------------------- */

static void decline(onnx_change *c, const char *why)
{
    if (!c->why_not)
        c->why_not = why;
}

static roof_status count_node(editor *e, const pb_cursor *graph, const pb_field *f)
{
    pb_cursor node = pb_enter(graph, f);
    e->n_nodes++;
    pb_field member;
    roof_status status;
    while (pb_each(&node, &member, &status, e->err)) {
        attribute a;
        if (member.number != NODE_ATTRIBUTE || member.wire != PB_BYTES)
            continue;
        TRY(read_attribute(e, pb_enter(&node, &member), &a));
        e->has_inner_graphs = e->has_inner_graphs || a.has_graph;
    }
    return status;
}

static roof_status plan_plain(editor *e, const pb_cursor *node, uint32_t i)
{
    onnx_change *c = &e->changes[i];
    weights_plan *w = &e->weights[i];
    attribute groups;
    text_span type;
    uint32_t n;
    w->of = c;
    TRY(text_of(e, *node, NODE_TYPE, 0, &type, &n));
    TRY(text_of(e, *node, NODE_INPUT, WEIGHTS, &w->name, &n));
    TRY(find_attribute(e, *node, "group", &groups));
    w->groups = groups.number;
    if (!span_is(type, "Conv"))
        decline(c, "it is no Conv");
    else if (w->groups < 2 || w->groups > UINT32_MAX)
        decline(c, "its groups are not stated");
    else if (!w->name.length || !namemap_add(e->weights_by_name, w->name.text, w->name.length, i))
        decline(c, "another convolution reads the same weights");
    return ROOF_OK;
}

static roof_status plan_node(editor *e, const pb_cursor *graph, const pb_field *f)
{
    const node_plan *plan = &e->nodes[e->n_nodes++];
    const onnx_change *own = plan->own;
    const pb_cursor node = pb_enter(graph, f);
    uint32_t n_inputs, n_outputs;
    if (plan->undone_by) {
        undone_plan *undone = &e->undone[plan->undone_by - 1];
        TRY(text_of(e, node, NODE_INPUT, 0, &undone->reads, &n_inputs));
        TRY(text_of(e, node, NODE_OUTPUT, 0, &undone->makes, &n_outputs));
        if (n_outputs != 1)
            undone->makes = (text_span){"", 0};
    }
    if (!own)
        return ROOF_OK;
    const uint32_t i = (uint32_t)(own - e->changes);
    onnx_change *c = &e->changes[i];
    if (c->kind == ONNX_PLAIN)
        return plan_plain(e, &node, i);
    TRY(text_of(e, node, NODE_INPUT, 0, &e->reads[i], &n_inputs));
    TRY(text_of(e, node, NODE_OUTPUT, 0, &e->makes[i], &n_outputs));
    if (!e->reads[i].length || !e->makes[i].length || n_outputs != 1)
        decline(c, "it has not one input and one output");
    else if (!namemap_add(e->made, e->makes[i].text, e->makes[i].length, i))
        decline(c, "two nodes make the same");
    return ROOF_OK;
}

/* An input or output of the network, whose name declines the change that known has for it. */
static roof_status see_border(editor *e, const pb_cursor *graph, const pb_field *f, const namemap *known,
                              const char *why)
{
    text_span name;
    uint32_t n;
    TRY(text_of(e, pb_enter(graph, f), INFO_NAME, 0, &name, &n));
    const uint32_t i = namemap_find(known, name.text, name.length);
    if (i != ROOF_NONE)
        decline(&e->changes[i], why);
    return ROOF_OK;
}

static roof_status see_output(editor *e, const pb_cursor *graph, const pb_field *f)
{
    text_span name;
    uint32_t n;
    TRY(text_of(e, pb_enter(graph, f), INFO_NAME, 0, &name, &n));
    const uint32_t u = namemap_find(e->undone_by_name, name.text, name.length);
    if (u != ROOF_NONE)
        e->undone[u].n_readers++;
    return see_border(e, graph, f, e->made, "it makes an output of the network");
}

static roof_status see_input(editor *e, const pb_cursor *graph, const pb_field *f)
{
    return see_border(e, graph, f, e->weights_by_name, "its weights are an input of the network");
}

/* Declines the change unless a reader of the zeroes can have them as its own pads. */
static roof_status check_reader(editor *e, const pb_cursor *node, uint32_t input, uint32_t at, onnx_change *c)
{
    attribute automatic, pads, kernel;
    text_span type;
    uint32_t n;
    TRY(text_of(e, *node, NODE_TYPE, 0, &type, &n));
    TRY(find_attribute(e, *node, "auto_pad", &automatic));
    TRY(find_attribute(e, *node, "pads", &pads));
    TRY(find_attribute(e, *node, "kernel_shape", &kernel));
    const bool is_automatic = automatic.text.length && !span_is(automatic.text, "NOTSET");
    if (!span_is(type, "Conv") || input != 0 || is_automatic || (pads.n_ints && pads.n_ints != PADS) ||
        (kernel.n_ints && kernel.n_ints != 2)) {
        decline(c, "what reads it is no convolution with pads of its own");
        return ROOF_OK;
    }
    node_plan *plan = &e->nodes[at];
    for (uint32_t k = 0; k < PADS; k++) {
        const int64_t own = k < pads.n_ints ? pads.ints[k] : 0;
        if (own < 0 || own > INT32_MAX || c->pads[k] > INT32_MAX)
            decline(c, "its pads are beyond what is sane");
        plan->more[k] = (uint32_t)own + c->pads[k];
    }
    plan->has_more = true;
    return ROOF_OK;
}

static roof_status see_readers(editor *e, const pb_cursor *graph, const pb_field *f)
{
    const uint32_t at = e->n_nodes++;
    const pb_cursor whole = pb_enter(graph, f);
    pb_cursor node = whole;
    uint32_t input = 0;
    pb_field member;
    roof_status status;
    while (pb_each(&node, &member, &status, e->err)) {
        if (member.number != NODE_INPUT || member.wire != PB_BYTES)
            continue;
        const text_span name = pb_span(&member);
        const uint32_t i = namemap_find(e->made, name.text, name.length),
                       w = namemap_find(e->weights_by_name, name.text, name.length);
        const uint32_t u = namemap_find(e->undone_by_name, name.text, name.length);
        if (w != ROOF_NONE)
            e->weights[w].n_readers++;
        if (u != ROOF_NONE)
            e->undone[u].n_readers++;
        if (i != ROOF_NONE && e->changes[i].kind == ONNX_PADS)
            TRY(check_reader(e, &whole, input, at, &e->changes[i]));
        input++;
    }
    return status;
}

/* Bytes of an element of those types that are 0 where their bytes are. */
static uint32_t bytes_of(uint64_t type)
{
    static const struct {
        uint32_t type, bytes;
    } types[] = {{1, 4}, {10, 2}, {16, 2}, {11, 8}}; /* float, float16, bfloat16, double */
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == type)
            return types[i].bytes;
    return 0;
}

static roof_status see_initializer(editor *e, const pb_cursor *graph, const pb_field *f)
{
    text_span name;
    uint32_t n;
    pb_cursor tensor = pb_enter(graph, f);
    TRY(text_of(e, tensor, TENSOR_NAME, 0, &name, &n));
    const uint32_t i = namemap_find(e->weights_by_name, name.text, name.length);
    if (i == ROOF_NONE)
        return ROOF_OK;
    weights_plan *w = &e->weights[i];
    w->is_other = w->is_there; /* twice */
    w->is_there = true;
    pb_field member;
    roof_status status;
    while (pb_each(&tensor, &member, &status, e->err)) {
        if (member.number == TENSOR_DIMS)
            TRY(pb_ints(&tensor, &member, "dims", w->dims, DIMS, &w->n_dims, e->err));
        else if (member.number == TENSOR_TYPE && member.wire == PB_VARINT)
            w->element_bytes = bytes_of(member.value);
        else if ((member.number == TENSOR_RAW || member.number == TENSOR_FLOATS) && member.wire == PB_BYTES) {
            w->is_other = w->is_other || w->data.length;
            w->data = pb_span(&member);
        } else if (member.number == TENSOR_FLOATS || /* a field each */
                   (member.number == TENSOR_LOCATION && member.value == LOCATION_EXTERNAL))
            w->is_other = true;
    }
    return status;
}

static void check_weights(weights_plan *w)
{
    checked bytes = {w->element_bytes, false};
    for (uint32_t i = 0; i < DIMS; i++)
        bytes = checked_times(bytes, w->dims[i] > 0 ? (uint64_t)w->dims[i] : 0);
    const checked whole = checked_times(bytes, w->groups);
    if (!w->is_there)
        decline(w->of, "its weights are no constants of the file");
    else if (w->n_readers != 1)
        decline(w->of, "others read its weights");
    else if (w->is_other || w->n_dims != DIMS || !w->element_bytes || bytes.overflow || whole.overflow ||
             !w->data.length || bytes.value != w->data.length)
        decline(w->of, "its weights are not floating-point numbers in the file itself");
    else if ((uint64_t)w->dims[0] % w->groups)
        decline(w->of, "its channels are no multiple of its groups");
}

/* Changes that pads were taken over for, and are not made, take their readers' plans with them: all of one
 * Pad are checked before any is written. */
static roof_status survey(editor *e)
{
    TRY(each(e, GRAPH_NODE, count_node));
    const uint32_t n_nodes = e->n_nodes;
    TRY(ARENA_GET(e->arena, e->nodes, n_nodes, e->err));
    TRY(ARENA_GET(e->arena, e->makes, e->n, e->err));
    TRY(ARENA_GET(e->arena, e->reads, e->n, e->err));
    TRY(ARENA_GET(e->arena, e->weights, e->n, e->err));
    TRY(ARENA_GET(e->arena, e->undone, e->n, e->err));
    e->undone_by_name = namemap_new(e->arena, (size_t)e->n + 1);
    e->made = namemap_new(e->arena, (size_t)e->n + 1);
    e->weights_by_name = namemap_new(e->arena, (size_t)e->n + 1);
    TRY(ALLOCATED(e->made && e->weights_by_name && e->undone_by_name, e->err));
    for (uint32_t i = 0; i < e->n; i++) {
        e->changes[i].why_not = e->has_inner_graphs ? "the file has graphs within its graph" : NULL;
        e->makes[i] = e->reads[i] = e->undone[i].reads = e->undone[i].makes = (text_span){"", 0};
        const bool undoes = e->changes[i].kind == ONNX_UNDO;
        const uint32_t last =
            undoes && e->changes[i].before > e->changes[i].node ? e->changes[i].before : e->changes[i].node;
        if (last >= n_nodes)
            return error_set(e->err, ROOF_E_DATA,
                             "the edits are of another file: they name node %" PRIu32 " of %" PRIu32, last,
                             n_nodes);
        if (undoes && e->nodes[e->changes[i].before].undone_by)
            decline(&e->changes[i], "another one undoes the same node");
        else if (undoes)
            e->nodes[e->changes[i].before].undone_by = i + 1;
        if (e->nodes[e->changes[i].node].own)
            decline(&e->changes[i], "another edit is of the same node");
        else
            e->nodes[e->changes[i].node].own = &e->changes[i];
    }
    e->n_nodes = 0;
    TRY(each(e, GRAPH_NODE, plan_node));
    for (uint32_t i = 0; i < e->n; i++)
        if (e->changes[i].kind == ONNX_UNDO && !e->changes[i].why_not) {
            /* It reads the output of the undone one, and then the input of that one in its place. */
            undone_plan *undone = &e->undone[i];
            if (!undone->makes.length || !undone->reads.length || !is_same(e->reads[i], undone->makes) ||
                !namemap_add(e->undone_by_name, undone->makes.text, undone->makes.length, i))
                decline(&e->changes[i], "what it reads is of another node");
            else
                e->reads[i] = undone->reads;
        }
    TRY(each(e, GRAPH_OUTPUT, see_output));
    TRY(each(e, GRAPH_INPUT, see_input));
    e->n_nodes = 0;
    TRY(each(e, GRAPH_NODE, see_readers));
    TRY(each(e, GRAPH_INITIALIZER, see_initializer));
    for (uint32_t i = 0; i < e->n; i++)
        if (e->weights[i].of)
            check_weights(&e->weights[i]);
    return ROOF_OK;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static const onnx_change *made_change(const editor *e, text_span name, uint32_t *i)
{
    *i = namemap_find(e->made, name.text, name.length);
    return *i != ROOF_NONE && !e->changes[*i].why_not ? &e->changes[*i] : NULL;
}

/* Name to read in place of the output of changed nodes. A file may lead in a circle, which ends. */
static text_span read_instead(const editor *e, text_span name)
{
    uint32_t i;
    for (uint32_t steps = 0; steps <= e->n && made_change(e, name, &i); steps++)
        name = e->reads[i];
    return name;
}

/* Sets takes if the node takes over pads of a tensor that is made in the file. */
static roof_status takes_pads(editor *e, pb_cursor node, const node_plan *plan, bool *takes)
{
    text_span name;
    uint32_t n, i;
    *takes = false;
    if (!plan->has_more)
        return ROOF_OK;
    TRY(text_of(e, node, NODE_INPUT, 0, &name, &n));
    const onnx_change *c = made_change(e, name, &i);
    *takes = c && c->kind == ONNX_PADS;
    return ROOF_OK;
}

static roof_status put_pads(editor *e, const uint32_t pads[PADS])
{
    static const char name[] = "pads";
    wire_copy measured = wire_measuring(e->err);
    for (int round = 0; round < 2; round++) {
        wire_copy *to = round ? &e->to : &measured;
        if (round)
            TRY(wire_put_head(to, NODE_ATTRIBUTE, measured.n_bytes));
        TRY(wire_put_text(to, ATTRIBUTE_NAME, name, sizeof name - 1));
        for (uint32_t k = 0; k < PADS; k++)
            TRY(wire_put_number(to, ATTRIBUTE_INTS, pads[k]));
        TRY(wire_put_number(to, ATTRIBUTE_TYPE, TYPE_INTS));
    }
    return ROOF_OK;
}

/* is_changed: some field of it is another one. */
static roof_status node_content(editor *e, pb_cursor node, const node_plan *plan, bool *is_changed)
{
    const bool is_plain = plan->own && plan->own->kind == ONNX_PLAIN && !plan->own->why_not;
    pb_field f;
    bool takes;
    TRY(takes_pads(e, node, plan, &takes));
    *is_changed = takes;
    roof_status status;
    while (pb_each(&node, &f, &status, e->err)) {
        if (f.number == NODE_INPUT && f.wire == PB_BYTES) {
            const text_span name = pb_span(&f), instead = read_instead(e, name);
            *is_changed = *is_changed || !is_same(name, instead);
            TRY(is_same(name, instead) ? wire_carry(&e->to, wire_start(&node, &f), node.next)
                                       : wire_put_text(&e->to, NODE_INPUT, instead.text, instead.length));
            continue;
        }
        if (f.number == NODE_ATTRIBUTE && f.wire == PB_BYTES && (is_plain || takes)) {
            attribute a;
            TRY(read_attribute(e, pb_enter(&node, &f), &a));
            if ((is_plain && span_is(a.name, "group")) || (takes && span_is(a.name, "pads"))) {
                *is_changed = true;
                continue;
            }
        }
        TRY(wire_carry(&e->to, wire_start(&node, &f), node.next));
    }
    TRY(status);
    return takes ? put_pads(e, plan->more) : ROOF_OK;
}

static roof_status put_node(editor *e, const pb_cursor *graph, const pb_field *f)
{
    const node_plan *plan = &e->nodes[e->n_nodes++];
    const bool is_gone = plan->own && plan->own->kind != ONNX_PLAIN && !plan->own->why_not;
    const onnx_change *undone_by = plan->undone_by ? &e->changes[plan->undone_by - 1] : NULL;
    bool is_changed;
    if (is_gone || (undone_by && !undone_by->why_not && e->undone[plan->undone_by - 1].n_readers == 1))
        return ROOF_OK;
    const wire_copy to = e->to;
    e->to = wire_measuring(e->err);
    TRY(node_content(e, pb_enter(graph, f), plan, &is_changed));
    const uint64_t length = e->to.n_bytes;
    e->to = to;
    if (!is_changed)
        return wire_carry(&e->to, wire_start(graph, f), graph->next);
    TRY(wire_put_head(&e->to, GRAPH_NODE, length));
    return node_content(e, pb_enter(graph, f), plan, &is_changed);
}

/* For each channel: zeroes for the inputs of the groups before it, its own weights, and zeroes. */
static roof_status put_plain_data(editor *e, const weights_plan *w)
{
    const uint64_t channels = (uint64_t)w->dims[0], in_group = channels / w->groups,
                   own = w->data.length / channels, whole = own * w->groups;
    TRY(wire_put_head(&e->to, TENSOR_RAW, whole * channels));
    for (uint64_t c = 0; c < channels; c++) {
        const uint64_t before = c / in_group * own;
        const unsigned char *from = (const unsigned char *)w->data.text + c * own;
        TRY(wire_put_zeroes(&e->to, before));
        TRY(wire_carry(&e->to, from, from + own));
        TRY(wire_put_zeroes(&e->to, whole - before - own));
    }
    return ROOF_OK;
}

static roof_status plain_content(editor *e, pb_cursor tensor, const weights_plan *w)
{
    pb_field f;
    for (uint32_t i = 0; i < DIMS; i++)
        TRY(wire_put_number(&e->to, TENSOR_DIMS, (uint64_t)w->dims[i] * (i == 1 ? w->groups : 1)));
    roof_status status;
    while (pb_each(&tensor, &f, &status, e->err))
        if (f.number != TENSOR_DIMS && f.number != TENSOR_RAW && f.number != TENSOR_FLOATS)
            TRY(wire_carry(&e->to, wire_start(&tensor, &f), tensor.next));
    TRY(status);
    return put_plain_data(e, w);
}

static roof_status put_initializer(editor *e, const pb_cursor *graph, const pb_field *f)
{
    text_span name;
    uint32_t n;
    TRY(text_of(e, pb_enter(graph, f), TENSOR_NAME, 0, &name, &n));
    const uint32_t i = namemap_find(e->weights_by_name, name.text, name.length);
    if (i == ROOF_NONE || e->changes[i].why_not)
        return wire_carry(&e->to, wire_start(graph, f), graph->next);
    const wire_copy to = e->to;
    e->to = wire_measuring(e->err);
    TRY(plain_content(e, pb_enter(graph, f), &e->weights[i]));
    const uint64_t length = e->to.n_bytes;
    e->to = to;
    TRY(wire_put_head(&e->to, GRAPH_INITIALIZER, length));
    return plain_content(e, pb_enter(graph, f), &e->weights[i]);
}

static roof_status graph_content(editor *e, pb_cursor graph)
{
    pb_field f;
    roof_status status;
    while (pb_each(&graph, &f, &status, e->err))
        if (f.number == GRAPH_NODE && f.wire == PB_BYTES)
            TRY(put_node(e, &graph, &f));
        else if (f.number == GRAPH_INITIALIZER && f.wire == PB_BYTES)
            TRY(put_initializer(e, &graph, &f));
        else
            TRY(wire_carry(&e->to, wire_start(&graph, &f), graph.next));
    return status;
}

static roof_status model_content(editor *e)
{
    pb_cursor model = e->model;
    pb_field f;
    bool has_graph = false;
    e->n_nodes = 0;
    roof_status status;
    while (pb_each(&model, &f, &status, e->err)) {
        if (f.number != MODEL_GRAPH || f.wire != PB_BYTES) {
            TRY(wire_carry(&e->to, wire_start(&model, &f), model.next));
            continue;
        }
        const wire_copy to = e->to;
        const uint32_t node = e->n_nodes;
        has_graph = true;
        e->to = wire_measuring(e->err);
        TRY(graph_content(e, pb_enter(&model, &f)));
        const uint64_t length = e->to.n_bytes;
        e->to = to;
        e->n_nodes = node;
        TRY(wire_put_head(&e->to, MODEL_GRAPH, length));
        TRY(graph_content(e, pb_enter(&model, &f)));
    }
    TRY(status);
    return has_graph ? ROOF_OK : error_set(e->err, ROOF_E_DATA, "has no graph, which every ONNX model has");
}

static roof_status edit_file(editor *e, roof_sink sink)
{
    wire_pieces pieces = {.n = 0};
    bool is_changed = false;
    TRY(survey(e));
    TRY(arena_status(e->arena, e->err));
    e->to = wire_measuring(e->err);
    TRY(model_content(e));
    TRY(wire_fits(&e->to));
    for (uint32_t i = 0; i < e->n; i++)
        is_changed = is_changed || !e->changes[i].why_not;
    e->to = wire_writing(&pieces, sink, e->err);
    TRY(is_changed ? model_content(e) : wire_carry(&e->to, e->model.file, e->model.end));
    return wire_finish(&e->to);
}

roof_status onnx_edit(const unsigned char *bytes, uint64_t size, onnx_change *changes, uint32_t n,
                      roof_sink sink, uint32_t *n_made, roof_error *err)
{
    editor e = {.changes = changes, .n = n, .model = pb_from(bytes, size), .arena = arena_new(0), .err = err};
    const roof_status status = e.arena ? edit_file(&e, sink) : error_memory(err);
    arena_free(e.arena);
    *n_made = 0;
    for (uint32_t i = 0; i < n; i++)
        *n_made += !changes[i].why_not;
    return status;
}
