/* A survey first: which nodes and weights the changes are of, and who else reads them. Then two rounds. */
#include "reports/annotations/onnx_copy.h"
#include "reports/annotations/wire_copy.h"

enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_INT = 3, ATTRIBUTE_TEXT = 4, ATTRIBUTE_GRAPH = 6 };
enum { ATTRIBUTE_INTS = 8, ATTRIBUTE_GRAPHS = 11, ATTRIBUTE_TYPE = 20, TYPE_INTS = 7 };
enum { INFO_NAME = 1 };
enum { PADS = 4, DIMS = 4 };

/* Plan of a node; all 0 where no change is of it. */
typedef struct node_plan {
    struct change_plan *own, *undone_by; /* undone_by: the change that undoes it */
    uint32_t more[PADS];                 /* that it takes over */
    bool has_more;
} node_plan;

/* What a tensor is to a change. */
typedef enum tensor_part { MADE, KERNEL, UNDONE, PARTS } tensor_part;

/* Plan of a change. names: what its node makes, the weights that become those of one group, and what the node
 * makes that it undoes. */
typedef struct change_plan {
    onnx_change *of;
    text_span names[PARTS], reads, undone_reads; /* reads: the first input, of either node */
    uint32_t n_readers; /* of the weights; of what is undone, the network's outputs among them */
    uint64_t groups;
    int64_t dims[DIMS];
    uint32_t n_dims, element_bytes;
    text_span data;          /* weights as they lie in the file */
    bool is_there, is_other; /* an initializer; one that cannot be made plain */
} change_plan;

typedef struct editor {
    pb_cursor model;
    node_plan *nodes;
    change_plan *plans;
    uint32_t n_nodes, n;     /* n: changes */
    namemap *by_name[PARTS]; /* into plans */
    bool has_inner_graphs;
    wire_copy to; /* also of what is only read */
    roof_arena *arena;
} editor;

/* ---- reading ------------------------------------------------------------------------------------------- */

/* Calls what with every message of that number in all graphs of the model, which are one graph. */
static void each(editor *e, uint32_t number, void (*what)(editor *e, pb_cursor message))
{
    pb_cursor model = e->model;
    pb_field f, inner;
    while (wire_each(&e->to, &model, &f)) {
        pb_cursor graph = pb_enter(&model, &f);
        while (f.number == MODEL_GRAPH && wire_each(&e->to, &graph, &inner))
            if (wire_is(&inner, number))
                what(e, pb_enter(&graph, &inner));
    }
}

/* The number-th text of that field; an empty one where there are fewer. *n: how many there are; NULL. */
static text_span text_of(editor *e, pb_cursor message, uint32_t number, uint32_t at, uint32_t *n)
{
    pb_field f;
    text_span text = {"", 0};
    uint32_t count = 0;
    while (wire_each(&e->to, &message, &f))
        if (wire_is(&f, number) && count++ == at)
            text = pb_span(&f);
    if (n)
        *n = count;
    return text;
}

static change_plan *find(const editor *e, tensor_part part, text_span name)
{
    const uint32_t i = namemap_find(e->by_name[part], name.text, name.length);
    return i == ROOF_NONE ? NULL : &e->plans[i];
}

/* False where the name is empty, or another change's. */
static bool enter_name(editor *e, tensor_part part, const change_plan *plan)
{
    const text_span name = plan->names[part];
    return name.length && namemap_add(e->by_name[part], name.text, name.length, (uint32_t)(plan - e->plans));
}

typedef struct attribute {
    text_span name, text;
    uint64_t number;    /* of a whole number */
    int64_t ints[PADS]; /* the first ones */
    uint32_t n_ints;    /* however many there are */
    bool has_graph;
} attribute;

static attribute read_attribute(editor *e, pb_cursor message)
{
    attribute out = {.name = {"", 0}, .text = {"", 0}};
    pb_field f;
    while (wire_each(&e->to, &message, &f))
        if (wire_is(&f, ATTRIBUTE_NAME))
            out.name = pb_span(&f);
        else if (wire_is(&f, ATTRIBUTE_TEXT))
            out.text = pb_span(&f);
        else if (f.number == ATTRIBUTE_INT && f.wire == PB_VARINT)
            out.number = f.value;
        else if (f.number == ATTRIBUTE_GRAPH || f.number == ATTRIBUTE_GRAPHS)
            out.has_graph = true;
        else if (f.number == ATTRIBUTE_INTS)
            e->to.status = pb_ints(&message, &f, "ints", out.ints, PADS, &out.n_ints, e->to.err);
    return out;
}

/* False behind the last one of a node. */
static bool next_attribute(editor *e, pb_cursor *node, attribute *out)
{
    pb_field f;
    while (wire_each(&e->to, node, &f))
        if (wire_is(&f, NODE_ATTRIBUTE)) {
            *out = read_attribute(e, pb_enter(node, &f));
            return true;
        }
    return false;
}

/* The attribute of that name; name of it is empty where there is none. */
static attribute find_attribute(editor *e, pb_cursor node, const char *name)
{
    attribute one, found = {.name = {"", 0}, .text = {"", 0}};
    while (next_attribute(e, &node, &one))
        found = span_is(one.name, name) ? one : found;
    return found;
}

/* ---- the survey ---------------------------------------------------------------------------------------- */

static void decline(onnx_change *c, const char *why)
{
    if (!c->why_not)
        c->why_not = why;
}

static void count_node(editor *e, pb_cursor node)
{
    attribute a;
    e->n_nodes++;
    while (next_attribute(e, &node, &a))
        e->has_inner_graphs = e->has_inner_graphs || a.has_graph;
}

static void plan_node(editor *e, pb_cursor node)
{
    const node_plan *at = &e->nodes[e->n_nodes++];
    uint32_t n_outputs;
    if (!at->own && !at->undone_by)
        return;
    const text_span reads = text_of(e, node, NODE_INPUT, 0, NULL),
                    first = text_of(e, node, NODE_OUTPUT, 0, &n_outputs),
                    makes = n_outputs == 1 ? first : (text_span){"", 0};
    if (at->undone_by) {
        at->undone_by->undone_reads = reads;
        at->undone_by->names[UNDONE] = makes;
    }
    if (at->own && at->own->of->kind == ONNX_PLAIN) {
        change_plan *plan = at->own;
        plan->names[KERNEL] = text_of(e, node, NODE_INPUT, 1, NULL);
        plan->groups = find_attribute(e, node, "group").number;
        if (!span_is(text_of(e, node, NODE_TYPE, 0, NULL), "Conv"))
            decline(plan->of, "it is no Conv");
        else if (plan->groups < 2 || plan->groups > UINT32_MAX)
            decline(plan->of, "its groups are not stated");
        else if (!enter_name(e, KERNEL, plan))
            decline(plan->of, "another convolution reads the same weights");
    } else if (at->own) {
        at->own->reads = reads;
        at->own->names[MADE] = makes;
        if (!reads.length || !makes.length)
            decline(at->own->of, "it has not one input and one output");
        else if (!enter_name(e, MADE, at->own))
            decline(at->own->of, "two nodes make the same");
    }
}

static void see_output(editor *e, pb_cursor info)
{
    const text_span name = text_of(e, info, INFO_NAME, 0, NULL);
    change_plan *undone = find(e, UNDONE, name), *made = find(e, MADE, name);
    if (undone)
        undone->n_readers++;
    if (made)
        decline(made->of, "it makes an output of the network");
}

static void see_input(editor *e, pb_cursor info)
{
    change_plan *kernel = find(e, KERNEL, text_of(e, info, INFO_NAME, 0, NULL));
    if (kernel)
        decline(kernel->of, "its weights are an input of the network");
}

/* Declines the change unless a reader of the zeroes can have them as its own pads. */
static void check_reader(editor *e, pb_cursor node, uint32_t input, uint32_t at, onnx_change *c)
{
    const text_span type = text_of(e, node, NODE_TYPE, 0, NULL),
                    automatic = find_attribute(e, node, "auto_pad").text;
    const attribute pads = find_attribute(e, node, "pads"), kernel = find_attribute(e, node, "kernel_shape");
    const bool is_automatic = automatic.length && !span_is(automatic, "NOTSET");
    if (!span_is(type, "Conv") || input != 0 || is_automatic || (pads.n_ints && pads.n_ints != PADS) ||
        (kernel.n_ints && kernel.n_ints != 2)) {
        decline(c, "what reads it is no convolution with pads of its own");
        return;
    }
    node_plan *plan = &e->nodes[at];
    for (uint32_t k = 0; k < PADS; k++) {
        const int64_t own = k < pads.n_ints ? pads.ints[k] : 0;
        if (own < 0 || own > INT32_MAX || c->pads[k] > INT32_MAX)
            decline(c, "its pads are beyond what is sane");
        plan->more[k] = (uint32_t)own + c->pads[k];
    }
    plan->has_more = true;
}

static void see_readers(editor *e, pb_cursor whole)
{
    const uint32_t at = e->n_nodes++;
    pb_cursor node = whole;
    uint32_t input = 0;
    pb_field member;
    while (wire_each(&e->to, &node, &member)) {
        if (!wire_is(&member, NODE_INPUT))
            continue;
        const text_span name = pb_span(&member);
        change_plan *made = find(e, MADE, name), *kernel = find(e, KERNEL, name),
                    *undone = find(e, UNDONE, name);
        if (kernel)
            kernel->n_readers++;
        if (undone)
            undone->n_readers++;
        if (made && made->of->kind == ONNX_PADS)
            check_reader(e, whole, input, at, made->of);
        input++;
    }
}

static void see_initializer(editor *e, pb_cursor tensor)
{
    /* Bytes of an element of types that are 0 where their bytes are: float, float16, double, bfloat16. */
    static const uint8_t element_bytes[] = {[1] = 4, [10] = 2, [11] = 8, [16] = 2};
    change_plan *w = find(e, KERNEL, text_of(e, tensor, TENSOR_NAME, 0, NULL));
    pb_field f;
    if (!w)
        return;
    w->is_other = w->is_there; /* twice */
    w->is_there = true;
    while (wire_each(&e->to, &tensor, &f)) {
        if (f.number == TENSOR_DIMS) {
            e->to.status = pb_ints(&tensor, &f, "dims", w->dims, DIMS, &w->n_dims, e->to.err);
        } else if (f.number == TENSOR_TYPE && f.wire == PB_VARINT) {
            w->element_bytes = f.value < N_OF(element_bytes) ? element_bytes[f.value] : 0;
        } else if (wire_is(&f, TENSOR_RAW) || wire_is(&f, TENSOR_FLOATS)) {
            w->is_other = w->is_other || w->data.length;
            w->data = pb_span(&f);
        } else if (f.number == TENSOR_FLOATS || /* a field each */
                   (f.number == TENSOR_LOCATION && f.value == LOCATION_EXTERNAL)) {
            w->is_other = true;
        }
    }
}

static void check_weights(const change_plan *w)
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
static roof_status survey(editor *e, onnx_change *changes)
{
    each(e, GRAPH_NODE, count_node);
    TRY(e->to.status);
    const uint32_t n_nodes = e->n_nodes;
    e->nodes = NEW_ARRAY(e->arena, node_plan, n_nodes);
    e->plans = NEW_ARRAY(e->arena, change_plan, e->n);
    for (int part = 0; part < PARTS; part++)
        e->by_name[part] = namemap_new(e->arena, (size_t)e->n + 1);
    TRY(arena_status(e->arena, e->to.err));
    for (uint32_t i = 0; i < e->n; i++) {
        onnx_change *c = &changes[i];
        change_plan *plan = &e->plans[i];
        *plan = (change_plan){.of = c};
        c->why_not = e->has_inner_graphs ? "the file has graphs within its graph" : NULL;
        const bool undoes = c->kind == ONNX_UNDO;
        const uint32_t last = undoes && c->before > c->node ? c->before : c->node;
        if (last >= n_nodes)
            return error_data(e->to.err, "the edits are of another file: they name node %u of %u", last,
                              n_nodes);
        if (undoes && e->nodes[c->before].undone_by)
            decline(c, "another one undoes the same node");
        else if (undoes)
            e->nodes[c->before].undone_by = plan;
        if (e->nodes[c->node].own)
            decline(c, "another edit is of the same node");
        else
            e->nodes[c->node].own = plan;
    }
    e->n_nodes = 0;
    each(e, GRAPH_NODE, plan_node);
    FOR_EACH(change_plan, plan, e->plans, e->n)
        if (plan->of->kind == ONNX_UNDO && !plan->of->why_not) {
            /* It reads the output of the undone one, and then the input of that one in its place. */
            if (!plan->undone_reads.length || !span_same(plan->reads, plan->names[UNDONE]) ||
                !enter_name(e, UNDONE, plan))
                decline(plan->of, "what it reads is of another node");
            else
                plan->reads = plan->undone_reads;
        }
    each(e, GRAPH_OUTPUT, see_output);
    each(e, GRAPH_INPUT, see_input);
    e->n_nodes = 0;
    each(e, GRAPH_NODE, see_readers);
    each(e, GRAPH_INITIALIZER, see_initializer);
    FOR_EACH(const change_plan, plan, e->plans, e->n)
        if (plan->groups)
            check_weights(plan);
    return e->to.status;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static bool is_carried_out(const change_plan *plan)
{
    return !plan->of->why_not;
}

/* False: all of it stays as it is. */
static bool put_node_content(editor *e, pb_cursor node, const node_plan *plan)
{
    const bool is_plain = plan->own && is_carried_out(plan->own) && plan->own->of->kind == ONNX_PLAIN;
    const change_plan *c = plan->has_more ? find(e, MADE, text_of(e, node, NODE_INPUT, 0, NULL)) : NULL;
    const bool takes = c && is_carried_out(c) && c->of->kind == ONNX_PADS; /* over the pads of a tensor */
    bool is_changed = takes;
    pb_field f;
    while (wire_each(&e->to, &node, &f)) {
        bool goes = false;
        if (wire_is(&f, NODE_INPUT)) {
            const text_span name = pb_span(&f);
            const change_plan *made;
            text_span instead = name; /* of the output of changed nodes; a circle in the file ends */
            for (uint32_t i = 0; i <= e->n && (made = find(e, MADE, instead)) && is_carried_out(made); i++)
                instead = made->reads;
            goes = !span_same(name, instead);
            if (goes)
                wire_put_text(&e->to, NODE_INPUT, instead);
        } else if (wire_is(&f, NODE_ATTRIBUTE) && (is_plain || takes)) {
            const text_span name = read_attribute(e, pb_enter(&node, &f)).name;
            goes = (is_plain && span_is(name, "group")) || (takes && span_is(name, "pads"));
        }
        is_changed = is_changed || goes;
        if (!goes)
            wire_carry_field(&e->to, &node, &f);
    }
    for (wire_inner in = {.rounds = 0}; takes && wire_within(&e->to, NODE_ATTRIBUTE, &in);) {
        wire_put_text(&e->to, ATTRIBUTE_NAME, span_of("pads"));
        for (uint32_t k = 0; k < PADS; k++)
            wire_put_head(&e->to, ATTRIBUTE_INTS, PB_VARINT, plan->more[k]);
        wire_put_head(&e->to, ATTRIBUTE_TYPE, PB_VARINT, TYPE_INTS);
    }
    return is_changed;
}

static void put_node(editor *e, const pb_cursor *graph, const pb_field *f)
{
    const node_plan *plan = &e->nodes[e->n_nodes++];
    if ((plan->own && is_carried_out(plan->own) && plan->own->of->kind != ONNX_PLAIN) ||
        (plan->undone_by && is_carried_out(plan->undone_by) && plan->undone_by->n_readers == 1))
        return;
    for (wire_inner in = {.rounds = 0}; wire_within(&e->to, GRAPH_NODE, &in);)
        if (!put_node_content(e, pb_enter(graph, f), plan)) {
            wire_leave(&e->to, &in);
            wire_carry_field(&e->to, graph, f);
            return;
        }
}

static void put_initializer(editor *e, const pb_cursor *graph, const pb_field *field)
{
    const change_plan *w = find(e, KERNEL, text_of(e, pb_enter(graph, field), TENSOR_NAME, 0, NULL));
    if (!w || !is_carried_out(w)) {
        wire_carry_field(&e->to, graph, field);
        return;
    }
    for (wire_inner in = {.rounds = 0}; wire_within(&e->to, GRAPH_INITIALIZER, &in);) {
        pb_cursor tensor = pb_enter(graph, field);
        pb_field f;
        for (uint32_t k = 0; k < DIMS; k++)
            wire_put_head(&e->to, TENSOR_DIMS, PB_VARINT, (uint64_t)w->dims[k] * (k == 1 ? w->groups : 1));
        while (wire_each(&e->to, &tensor, &f))
            if (f.number != TENSOR_DIMS && f.number != TENSOR_RAW && f.number != TENSOR_FLOATS)
                wire_carry_field(&e->to, &tensor, &f);
        /* For each channel: zeroes for the inputs of the groups before it, its own weights, and zeroes. */
        const uint64_t channels = (uint64_t)w->dims[0], in_group = channels / w->groups,
                       own = w->data.length / channels, whole = own * w->groups;
        wire_put_head(&e->to, TENSOR_RAW, PB_BYTES, whole * channels);
        for (uint64_t c = 0; c < channels && e->to.status == ROOF_OK; c++) {
            const uint64_t before = c / in_group * own;
            const unsigned char *from = (const unsigned char *)w->data.text + c * own;
            wire_put_zeroes(&e->to, before);
            wire_carry(&e->to, from, from + own);
            wire_put_zeroes(&e->to, whole - before - own);
        }
    }
}

static roof_status put_model(editor *e)
{
    pb_cursor model = e->model;
    pb_field f;
    bool has_graph = false;
    e->n_nodes = 0;
    while (wire_each(&e->to, &model, &f)) {
        const uint32_t node = e->n_nodes;
        if (!wire_is(&f, MODEL_GRAPH)) {
            wire_carry_field(&e->to, &model, &f);
            continue;
        }
        has_graph = true;
        for (wire_inner in = {.rounds = 0}; wire_within(&e->to, MODEL_GRAPH, &in);) {
            e->n_nodes = node;
            pb_cursor graph = pb_enter(&model, &f);
            for (pb_field of; wire_each(&e->to, &graph, &of);)
                if (wire_is(&of, GRAPH_NODE))
                    put_node(e, &graph, &of);
                else if (wire_is(&of, GRAPH_INITIALIZER))
                    put_initializer(e, &graph, &of);
                else
                    wire_carry_field(&e->to, &graph, &of);
        }
    }
    TRY(e->to.status);
    return has_graph ? ROOF_OK : error_data(e->to.err, "has no graph, which every ONNX model has");
}

static roof_status edit_file(editor *e, onnx_change *changes, roof_sink sink, uint32_t *n_made)
{
    wire_pieces pieces = {.n = 0};
    roof_error *err = e->to.err;
    TRY(survey(e, changes));
    TRY(arena_status(e->arena, err));
    e->to = (wire_copy){.err = err};
    TRY(put_model(e));
    TRY(wire_fits(&e->to));
    for (uint32_t i = 0; i < e->n; i++)
        *n_made += !changes[i].why_not;
    e->to = (wire_copy){.pieces = &pieces, .sink = sink, .err = err};
    if (*n_made)
        TRY(put_model(e));
    else
        wire_carry(&e->to, e->model.file, e->model.end);
    return wire_finish(&e->to);
}

roof_status onnx_edit(const unsigned char *bytes, uint64_t size, onnx_change *changes, uint32_t n,
                      roof_sink sink, uint32_t *n_made, roof_error *err)
{
    editor e = {.n = n, .model = pb_from(bytes, size), .to.err = err, .arena = arena_new(0)};
    *n_made = 0;
    const roof_status status = e.arena ? edit_file(&e, changes, sink, n_made) : error_memory(err);
    arena_free(e.arena);
    return status;
}
