#include "model/edit/edit.h"
#include "core/sets.h"
#include "model/edit/follow.h"
#include "model/graph/format.h"
#include "model/work/opmap.h"

/* State of an edit: to has all operators of from at their places until those that are not read any more are
 * taken out. */
typedef struct editor {
    const roof_graph *from;
    roof_graph *to;
    uint32_t *order;
    unsigned char *is_constant, *is_set, *is_touched, *is_dead;
    uint32_t *channels, *groups;
    uint32_t *sets; /* of operators with the same channels */
    uint32_t *next; /* of the same set, in a circle */
    roof_arena *scratch;
    roof_error *err;
} editor;

static roof_status refuse(editor *e, uint32_t op, const char *reason)
{
    return error_set(e->err, ROOF_E_UNSUPPORTED, "not possible here, because of '%.200s' (%.60s): %s",
                     e->from->ops[op].name, e->from->ops[op].type, reason);
}

/* ---- the copy ------------------------------------------------------------------------------------------ */

static roof_status copy_graph(editor *e, roof_arena *arena)
{
    const roof_graph *from = e->from;
    struct roof_graph_storage *storage;
    TRY(ARENA_GET2(arena, e->to, storage, 1, e->err));
    *e->to = *from;
    *storage = *from->storage;
    storage->arena = arena;
    storage->file = storage->behind = (mapfile){0};
    storage->edited_from = from->storage->file.bytes ? &from->storage->file : from->storage->edited_from;
    e->to->storage = storage;
    TRY(ARENA_GET(arena, e->to->ops, from->n_ops, e->err));
    TRY(ARENA_GET(arena, e->to->edges, from->n_edges, e->err));
    if (from->n_ops)
        memcpy(e->to->ops, from->ops, from->n_ops * sizeof *from->ops);
    if (from->n_edges)
        memcpy(e->to->edges, from->edges, from->n_edges * sizeof *from->edges);
    return ROOF_OK;
}

/* An operator that reads nothing but constants is one. */
static roof_status begin(editor *e)
{
    const roof_graph *g = e->from;
    TRY(ARENA_GET3(e->scratch, e->order, e->is_constant, e->is_set, g->n_ops, e->err));
    TRY(ARENA_GET3(e->scratch, e->is_touched, e->is_dead, e->channels, g->n_ops, e->err));
    TRY(ARENA_GET(e->scratch, e->groups, g->n_ops, e->err));
    TRY(sets_new(e->scratch, g->n_ops, &e->sets, e->err));
    TRY(ARENA_GET(e->scratch, e->next, g->n_ops, e->err));
    TRY(graph_topological_order(g, e->order, e->err));
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[e->order[i]];
        bool is_constant = op->n_inputs;
        for (uint32_t k = 0; k < op->n_inputs && is_constant; k++)
            is_constant = e->is_constant[g->edges[op->first_input + k].op];
        e->is_constant[e->order[i]] = op->rule == ROOF_RULE_CONSTANT || is_constant;
    }
    return ROOF_OK;
}

/* ---- edits of one operator ----------------------------------------------------------------------------- */

static const char *change_pads(int32_t *first, int32_t *second, int64_t more)
{
    const int64_t half = more >= 0 ? more / 2 : -(-more / 2), a = *first + half, b = *second + more - half;
    if (a < 0 || b < 0 || a > INT32_MAX || b > INT32_MAX)
        return "its pads cannot keep its output as large as it is";
    *first = (int32_t)a;
    *second = (int32_t)b;
    return NULL;
}

bool edit_has_window(roof_rule rule)
{
    return rule == ROOF_RULE_CONV2D || rule == ROOF_RULE_DEPTHWISE || rule == ROOF_RULE_POOL;
}

static const char *change_kernel(editor *e, const edit *what)
{
    enum { LARGEST = 1 << 10, MOST = 1 << 20 };
    roof_op *op = &e->to->ops[what->op];
    roof_window *w = &op->window;
    if (!edit_has_window(op->rule) || op->out.n_dims != 4 || !w->kernel_h || !w->kernel_w || !w->stride_h ||
        w->kernel_h > MOST || w->kernel_w > MOST || w->dilation_h > MOST || w->dilation_w > MOST)
        return "it has no kernel of height and width";
    if (!what->value || what->value > LARGEST)
        return "a kernel has from 1 to 1024 rows";
    BECAUSE(change_pads(&w->pad_top, &w->pad_bottom,
                        ((int64_t)what->value - w->kernel_h) * (w->dilation_h ? w->dilation_h : 1)));
    BECAUSE(change_pads(&w->pad_left, &w->pad_right,
                        ((int64_t)what->value - w->kernel_w) * (w->dilation_w ? w->dilation_w : 1)));
    w->kernel_h = w->kernel_w = what->value;
    return NULL;
}

static const char *change_stride(editor *e, const edit *what)
{
    enum { LARGEST = 1 << 10 };
    roof_op *op = &e->to->ops[what->op];
    if (!edit_has_window(op->rule) || op->out.n_dims != 4 || !op->window.stride_h)
        return "it has no stride";
    if (!what->value || what->value > LARGEST)
        return "a stride is from 1 to 1024";
    op->window.stride_h = op->window.stride_w = what->value;
    return NULL;
}

/* Words of TFLite and XIR for the two kinds of a convolution; ONNX has one word for both. */
static const char *type_of_convolution(const char *type, bool is_depthwise)
{
    static const char *const words[][2] = {{"CONV_2D", "DEPTHWISE_CONV_2D"},
                                           {"conv2d", "depthwise-conv2d"},
                                           {"conv2d-fix", "depthwise-conv2d-fix"}};
    for (size_t i = 0; i < N_OF(words); i++)
        if (strcmp(type, words[i][0]) == 0 || strcmp(type, words[i][1]) == 0)
            return words[i][is_depthwise];
    return type;
}

static const char *change_groups(editor *e, const edit *what)
{
    roof_op *op = &e->to->ops[what->op];
    const uint32_t edge = follow_map(e->is_constant, e->to, what->op, 0);
    if ((op->rule != ROOF_RULE_CONV2D && op->rule != ROOF_RULE_DEPTHWISE) || op->out.n_dims != 4 ||
        edge == ROOF_NONE)
        return "it is no convolution of a map";
    const roof_tensor *in = &e->to->ops[e->to->edges[edge].op].out;
    const uint32_t c_in = in->n_dims == 4 ? in->dims[3] : 0, c_out = op->out.dims[3];
    if (!what->value || !c_in || c_in % what->value || c_out % what->value)
        return "its channels are no multiple of so many groups";
    const bool is_depthwise = what->value == c_in && c_in == c_out && c_in > 1;
    op->rule = is_depthwise ? ROOF_RULE_DEPTHWISE : ROOF_RULE_CONV2D;
    op->type = type_of_convolution(op->type, is_depthwise);
    e->groups[what->op] =
        is_depthwise ? 0 : what->value; /* 0: as many as channels, however many these become */
    return NULL;
}

static const char *change_activation(editor *e, const edit *what)
{
    roof_graph *g = e->to;
    roof_op *op = &g->ops[what->op];
    const uint32_t a = follow_map(e->is_constant, g, what->op, 0),
                   b = follow_map(e->is_constant, g, what->op, 1);
    uint32_t input = ROOF_NONE;
    if (b == ROOF_NONE && a != ROOF_NONE &&
        (op->rule == ROOF_RULE_FUNCTION || op->rule == ROOF_RULE_ACTIVATION || op->rule == ROOF_RULE_RELU6 ||
         op->rule == ROOF_RULE_HARD_SIGMOID))
        input = a;
    else if (op->rule == ROOF_RULE_BINARY && b != ROOF_NONE)
        input = follow_is_gate(e->is_constant, g, g->edges[b].op, g->edges[a].op)   ? a
                : follow_is_gate(e->is_constant, g, g->edges[a].op, g->edges[b].op) ? b
                                                                                    : ROOF_NONE;
    if (input == ROOF_NONE)
        return "it is neither an activation nor a map times its own sigmoid";
    op->type = strcmp(g->format, "onnx") == 0 ? "Clip" : strcmp(g->format, "tflite") == 0 ? "RELU6" : "relu6";
    op->rule = rule_of(op->type);
    op->first_input = input;
    op->n_inputs = 1;
    return NULL;
}

uint32_t edit_undone(const roof_graph *graph, uint32_t op)
{
    const uint32_t *orders = graph->storage->orders;
    const roof_op *own = &graph->ops[op];
    const uint32_t before = own->n_inputs ? graph->edges[own->first_input].op : ROOF_NONE;
    if (!orders || !orders[op] || before == ROOF_NONE || !orders[before] || !graph->ops[before].n_inputs ||
        own->out.n_dims != graph->ops[before].out.n_dims)
        return ROOF_NONE;
    for (uint32_t i = 0; i < own->out.n_dims; i++) {
        const uint32_t middle = (orders[op] >> 4 * i & 15) - 1;
        if (middle >= own->out.n_dims || (orders[before] >> 4 * middle & 15) != i + 1)
            return ROOF_NONE;
    }
    return before;
}

const roof_window *edit_zero_pads(const roof_graph *graph, uint32_t op)
{
    const roof_window *pads = graph->storage->zero_pads ? &graph->storage->zero_pads[op] : NULL;
    return pads && (pads->pad_top || pads->pad_bottom || pads->pad_left || pads->pad_right) ? pads : NULL;
}

static const char *add_pads(roof_op *op, const roof_window *more)
{
    roof_window *w = &op->window;
    int32_t *const own[] = {&w->pad_top, &w->pad_bottom, &w->pad_left, &w->pad_right};
    const int32_t add[] = {more->pad_top, more->pad_bottom, more->pad_left, more->pad_right};
    if ((op->rule != ROOF_RULE_CONV2D && op->rule != ROOF_RULE_DEPTHWISE) || op->out.n_dims != 4 ||
        !w->stride_h)
        return "what reads it is no convolution";
    if (w->pad_top != w->pad_bottom || w->pad_left != w->pad_right)
        return "pads of what reads it may follow from the size of the map";
    for (size_t i = 0; i < N_OF(own); i++)
        if (__builtin_add_overflow(*own[i], add[i], own[i]))
            return "its pads overflow";
    return NULL;
}

/* Whoever reads the operator reads what it reads, with pads that it had; NULL: it had none. */
static const char *bypass(editor *e, uint32_t op, uint32_t input, const roof_window *pads)
{
    bool is_read = false;
    for (uint32_t i = 0; i < e->to->n_ops; i++)
        FOR_EACH(roof_edge, reader, e->to->edges + e->to->ops[i].first_input, e->to->ops[i].n_inputs) {
            if (reader->op != op)
                continue;
            BECAUSE(pads ? add_pads(&e->to->ops[i], pads) : NULL);
            reader->op = input;
            e->is_touched[i] |= pads != NULL;
            is_read = true;
        }
    return is_read ? NULL : "it makes what the network gives";
}

static const char *drop(editor *e, const edit *what)
{
    const roof_graph *g = e->to;
    const uint32_t edge = follow_map(e->is_constant, g, what->op, what->value);
    if (edge == ROOF_NONE)
        return "it has no such input";
    const uint32_t undone = edit_undone(e->from, what->op);
    const uint32_t input =
        g->edges[undone != ROOF_NONE && g->edges[edge].op == undone ? g->ops[undone].first_input : edge].op;
    if (!follow_same_dims(&g->ops[input].out, &g->ops[what->op].out))
        return "what it reads has not the shape of what it makes";
    return bypass(e, what->op, input, NULL);
}

static const char *change_zero_pads(editor *e, const edit *what)
{
    const roof_window *pads = edit_zero_pads(e->from, what->op);
    const uint32_t edge = follow_map(e->is_constant, e->to, what->op, 0);
    return pads && edge != ROOF_NONE ? bypass(e, what->op, e->to->edges[edge].op, pads)
                                     : "whether it puts zeroes around a map is unknown";
}

/* ---- edits of the whole -------------------------------------------------------------------------------- */

/* Images have at most four channels, which tells their order of dimensions. */
const char *edit_image(const roof_graph *graph, uint32_t *op, uint32_t *height)
{
    enum { MOST_CHANNELS = 4 };
    uint32_t n = 0;
    *op = 0;
    for (uint32_t i = 0; i < graph->n_ops; i++)
        if (graph->ops[i].rule == ROOF_RULE_INPUT && graph->ops[i].out.n_dims == 4) {
            *op = i;
            n++;
        }
    if (n != 1)
        return "a network with one image is wanted";
    const uint32_t *dims = graph->ops[*op].out.dims;
    *height = dims[3] <= MOST_CHANNELS ? 1 : dims[1] <= MOST_CHANNELS ? 2 : 0;
    return *height ? NULL : "which of its dimensions are height and width is unknown";
}

static const char *change_input(editor *e, const edit *what, uint32_t *image)
{
    enum { LARGEST = 1 << 16 };
    uint32_t at;
    BECAUSE(edit_image(e->to, image, &at));
    if (!what->value || !what->value_w || what->value > LARGEST || what->value_w > LARGEST)
        return "an image has from 1 to 65536 rows and columns";
    e->to->ops[*image].out.dims[at] = what->value;
    e->to->ops[*image].out.dims[at + 1] = what->value_w;
    e->is_touched[*image] = 1;
    return NULL;
}

/* True if its output has the channels of each map that it reads. */
static bool keeps_channels(const roof_op *op)
{
    static const bool keeps[ROOF_RULE_COUNT] = {
        [ROOF_RULE_DEPTHWISE] = true,    [ROOF_RULE_TRANSPOSED_DEPTHWISE] = true,
        [ROOF_RULE_POOL] = true,         [ROOF_RULE_ELTWISE] = true,
        [ROOF_RULE_BINARY] = true,       [ROOF_RULE_ACTIVATION] = true,
        [ROOF_RULE_FUNCTION] = true,     [ROOF_RULE_RELU6] = true,
        [ROOF_RULE_HARD_SIGMOID] = true, [ROOF_RULE_SCALE] = true,
        [ROOF_RULE_SOFTMAX] = true,      [ROOF_RULE_REDUCE] = true,
        [ROOF_RULE_RESIZE] = true,       [ROOF_RULE_CONVERT] = true,
        [ROOF_RULE_MOVE] = true};
    return keeps[op->rule] || (op->rule == ROOF_RULE_ALIAS && op->n_inputs == 1);
}

static bool makes_channels(const editor *e, uint32_t op)
{
    const roof_rule rule = e->to->ops[op].rule;
    return !e->is_constant[op] &&
           (rule == ROOF_RULE_CONV2D || rule == ROOF_RULE_TRANSPOSED || rule == ROOF_RULE_MATMUL);
}

static uint32_t channels_of(const roof_graph *g, uint32_t op)
{
    const roof_tensor *t = &g->ops[op].out;
    return t->n_dims ? t->dims[t->n_dims - 1] : 1;
}

static void find_sets(editor *e)
{
    const roof_graph *g = e->to;
    for (uint32_t i = 0; i < g->n_ops; i++)
        e->next[i] = i;
    for (uint32_t i = 0; i < g->n_ops; i++)
        for (uint32_t k = 0; k < g->ops[i].n_inputs && keeps_channels(&g->ops[i]); k++) {
            const uint32_t from = g->edges[g->ops[i].first_input + k].op;
            const uint32_t root = sets_root(e->sets, i), other = sets_root(e->sets, from),
                           next = e->next[root];
            if (root == other || e->is_constant[i] || e->is_constant[from] ||
                channels_of(g, i) != channels_of(g, from))
                continue;
            sets_join(e->sets, root, other);
            e->next[root] = e->next[other]; /* two circles become one */
            e->next[other] = next;
        }
}

static const char *change_channels(editor *e, const edit *what)
{
    uint32_t i = what->op;
    if (!what->value)
        return "a layer has at least one channel";
    if (!makes_channels(e, what->op))
        return "its channels are those of what it reads";
    do {
        if (e->to->ops[i].rule == ROOF_RULE_INPUT && !e->is_dead[i])
            return "its channels are those of the network's input";
        if (makes_channels(e, i) && !e->is_dead[i]) {
            if (e->channels[i] && e->channels[i] != what->value)
                return "another edit gives it, or what is added to it, other channels";
            e->channels[i] = what->value;
        }
        i = e->next[i];
    } while (i != what->op);
    return NULL;
}

/* Sets in which a product is that no later one reads keep their channels: classes, boxes. stays: by root. */
static roof_status find_staying(editor *e, unsigned char **stays)
{
    const roof_graph *g = e->to;
    unsigned char *is_read;
    TRY(ARENA_GET(e->scratch, is_read, g->n_ops, e->err)); /* by a product, however far behind */
    TRY(ARENA_GET(e->scratch, *stays, g->n_ops, e->err));
    for (uint32_t i = g->n_ops; i-- > 0;) {
        const uint32_t at = e->order[i];
        const roof_op *op = &g->ops[at];
        for (uint32_t k = 0; k < op->n_inputs && !e->is_dead[at]; k++)
            is_read[g->edges[op->first_input + k].op] |= is_read[at] || rule_has_macs(op->rule);
    }
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (!e->is_dead[i] && ((makes_channels(e, i) && !is_read[i]) || g->ops[i].rule == ROOF_RULE_INPUT))
            (*stays)[sets_root(e->sets, i)] = 1;
    return ROOF_OK;
}

static roof_status change_width(editor *e, const edit *what)
{
    const roof_graph *g = e->to;
    unsigned char *stays;
    if (!(what->factor > 0 && what->factor <= 64) || !what->value || what->value > 1 << 16)
        return error_set(e->err, ROOF_E_USAGE,
                         "a width is from above 0 to 64 times, in multiples of at least 1 channel");
    TRY(find_staying(e, &stays));
    for (uint32_t i = 0; i < g->n_ops; i++) {
        if (!makes_channels(e, i) || stays[sets_root(e->sets, i)] || e->is_dead[i])
            continue;
        const double wanted = ceil(channels_of(g, i) * what->factor / what->value - 1e-9) * what->value;
        if (wanted > UINT32_MAX)
            return error_set(e->err, ROOF_E_LIMIT, "%.0f channels", wanted);
        if (e->channels[i] == (uint32_t)wanted) /* with all that are of its set */
            continue;
        const char *reason =
            change_channels(e, &(edit){.kind = EDIT_CHANNELS, .op = i, .value = (uint32_t)wanted});
        if (reason)
            return refuse(e, i, reason);
    }
    return ROOF_OK;
}

/* ---- operators that are not read any more -------------------------------------------------------------- */

static roof_status find_dead(editor *e)
{
    unsigned char *was_read, *is_read;
    const uint32_t n = e->from->n_ops;
    TRY(ARENA_GET2(e->scratch, was_read, is_read, n, e->err));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < e->from->ops[i].n_inputs; k++)
            was_read[e->from->edges[e->from->ops[i].first_input + k].op] = 1;
    for (uint32_t i = n; i-- > 0;) { /* readers come behind what they read, in the edited graph as well */
        const uint32_t at = e->order[i];
        e->is_dead[at] = was_read[at] && !is_read[at];
        for (uint32_t k = 0; k < e->to->ops[at].n_inputs && !e->is_dead[at]; k++)
            is_read[e->to->edges[e->to->ops[at].first_input + k].op] = 1;
    }
    return ROOF_OK;
}

/* Adds what is kept of n operators of a list, from first on, to another list, where they are then. */
static void keep(const uint32_t *list, uint32_t *first, uint32_t *n, const uint32_t *place, uint32_t *kept,
                 uint32_t *n_kept)
{
    const uint32_t begin = *n_kept;
    for (uint32_t i = *first; i < *first + *n; i++)
        if (place[list[i]] != ROOF_NONE)
            kept[(*n_kept)++] = place[list[i]];
    *first = begin;
    *n = *n_kept - begin;
}

/* Takes the dead operators out, and the layers that had no other. */
static roof_status compact(editor *e)
{
    roof_graph *g = e->to;
    const roof_graph *from = e->from;
    roof_arena *arena = g->storage->arena;
    uint32_t *place, *layer_place, n_ops = 0;
    roof_edge *edges;
    TRY(ARENA_GET(e->scratch, place, from->n_ops, e->err));
    TRY(ARENA_GET(e->scratch, layer_place, from->n_layers, e->err));
    TRY(ARENA_GET(arena, edges, from->n_edges, e->err));
    TRY(ARENA_GET(arena, g->layers, from->n_layers, e->err));
    TRY(ARENA_GET(arena, g->layer_ops, from->n_layer_ops, e->err));
    TRY(ARENA_GET(arena, g->subgraphs, from->n_subgraphs, e->err));
    TRY(ARENA_GET(arena, g->subgraph_ops, from->n_subgraph_ops, e->err));
    for (uint32_t i = 0; i < from->n_ops; i++)
        place[i] = e->is_dead[i] ? ROOF_NONE : n_ops++;
    g->n_edges = g->n_layers = g->n_layer_ops = g->n_subgraph_ops = 0;
    for (uint32_t i = 0; i < from->n_subgraphs; i++) {
        roof_subgraph *part = &g->subgraphs[i];
        *part = from->subgraphs[i];
        keep(from->subgraph_ops, &part->first_op, &part->n_ops, place, g->subgraph_ops, &g->n_subgraph_ops);
    }
    for (uint32_t i = 0; i < from->n_layers; i++) {
        roof_layer layer = from->layers[i];
        keep(from->layer_ops, &layer.first_op, &layer.n_ops, place, g->layer_ops, &g->n_layer_ops);
        layer_place[i] = layer.n_ops ? g->n_layers : ROOF_NONE;
        if (layer.n_ops)
            g->layers[g->n_layers++] = layer;
        else
            g->subgraphs[layer.subgraph].n_layers--;
    }
    for (uint32_t i = 0; i < from->n_ops; i++) {
        if (e->is_dead[i])
            continue;
        roof_op op = g->ops[i];
        const uint32_t first = op.first_input;
        op.first_input = g->n_edges;
        op.layer = op.layer == ROOF_NONE ? ROOF_NONE : layer_place[op.layer];
        for (uint32_t k = 0; k < op.n_inputs; k++)
            edges[g->n_edges++] = (roof_edge){place[g->edges[first + k].op], g->edges[first + k].role};
        g->ops[place[i]] = op; /* place[i] is not behind i */
    }
    g->edges = edges;
    g->n_ops = n_ops;
    return graph_keep_extensions(from, place, g, e->err);
}

/* ---- all ----------------------------------------------------------------------------------------------- */

/* Returns why it is not possible, or NULL. */
typedef const char *change(editor *e, const edit *what);

static change *const of_one[EDIT_KINDS] = {
    [EDIT_KERNEL] = change_kernel,         [EDIT_STRIDE] = change_stride,
    [EDIT_GROUPS] = change_groups,         [EDIT_DROP] = drop,
    [EDIT_ACTIVATION] = change_activation, [EDIT_PADS] = change_zero_pads};

static roof_status change_ops(editor *e, const edit *edits, uint32_t n)
{
    FOR_EACH(const edit, what, edits, n) {
        uint32_t op = what->op;
        const char *reason = NULL;
        if (what->kind >= EDIT_KINDS)
            return error_set(e->err, ROOF_E_USAGE, "%d is no kind of edit", (int)what->kind);
        if (edit_is_of_whole(what->kind) ? op != ROOF_NONE : op >= e->from->n_ops)
            return error_set(e->err, ROOF_E_USAGE, "an edit names operator %u of %u", op, e->from->n_ops);
        if (what->kind == EDIT_INPUT)
            reason = change_input(e, what, &op);
        else if (of_one[what->kind])
            reason = of_one[what->kind](e, what);
        if (reason)
            return refuse(e, op, reason);
        if (of_one[what->kind])
            e->is_touched[op] = 1;
    }
    return ROOF_OK;
}

/* Channels are set once all else is done: what belongs together is told by the changed graph. */
static roof_status change_all_channels(editor *e, const edit *edits, uint32_t n)
{
    find_sets(e);
    for (uint32_t i = 0; i < n; i++) {
        if (edits[i].kind == EDIT_WIDTH)
            TRY(change_width(e, &edits[i]));
        const char *reason = edits[i].kind == EDIT_CHANNELS ? change_channels(e, &edits[i]) : NULL;
        if (reason)
            return refuse(e, edits[i].op, reason);
    }
    for (uint32_t i = 0; i < e->from->n_ops; i++)
        if (e->channels[i])
            e->is_touched[i] = 1;
    return ROOF_OK;
}

static bool has_other_inputs(const editor *e, uint32_t op)
{
    const roof_op *a = &e->from->ops[op], *b = &e->to->ops[op];
    bool differs = a->n_inputs != b->n_inputs;
    for (uint32_t k = 0; k < b->n_inputs && !differs; k++)
        differs = !follow_same_dims(&e->from->ops[e->from->edges[a->first_input + k].op].out,
                                    &e->to->ops[e->to->edges[b->first_input + k].op].out);
    return differs;
}

static roof_status infer(editor *e)
{
    follower f = {.from = e->from,
                  .to = e->to,
                  .is_constant = e->is_constant,
                  .is_set = e->is_set,
                  .channels = e->channels,
                  .groups = e->groups};
    for (uint32_t i = 0; i < e->from->n_ops; i++) {
        const uint32_t op = e->order[i];
        const bool is_fixed = e->is_dead[op] || e->is_constant[op] || e->to->ops[op].rule == ROOF_RULE_INPUT;
        e->is_touched[op] = !is_fixed && (e->is_touched[op] || has_other_inputs(e, op));
        const char *reason = e->is_touched[op] ? follow_shape(&f, op) : NULL;
        if (reason)
            return refuse(e, op, reason);
    }
    for (uint32_t i = 0; i < e->from->n_ops; i++) {
        roof_tensor *t = &e->to->ops[i].out;
        if (!follow_same_dims(t, &e->from->ops[i].out))
            TRY(follow_count(t, e->err));
        if (!e->is_touched[i] && !e->is_dead[i] && !e->is_constant[i] && has_other_inputs(e, i))
            return refuse(e, i, "another operator needs a constant that it reads in another shape");
    }
    return ROOF_OK;
}

roof_status edit_check(const roof_graph *graph, roof_error *err)
{
    if (graph->storage->format->lowers && !graph->compiled)
        return ROOF_OK;
    return error_set(
        err, ROOF_E_UNSUPPORTED,
        "%.100s: it was compiled, or says too little of its operators to be edited; give the model "
        "that it was compiled from",
        graph->path);
}

roof_status edit_graph(const roof_graph *graph, const edit *edits, uint32_t n, roof_graph **out,
                       roof_error *err)
{
    TRY(edit_check(graph, err));
    editor e = {.from = graph, .scratch = arena_new(0), .err = err};
    roof_arena *arena = arena_new(0);
    roof_status status = arena && e.scratch ? copy_graph(&e, arena) : error_memory(err);
    THEN(status, begin(&e));
    THEN(status, change_ops(&e, edits, n));
    THEN(status, find_dead(&e));
    THEN(status, change_all_channels(&e, edits, n));
    THEN(status, infer(&e));
    THEN(status, compact(&e));
    if (status == ROOF_OK)
        graph_set_hash(e.to);
    arena_free(e.scratch);
    status = arena_settle(arena, status, err);
    *out = status == ROOF_OK ? e.to : *out;
    return status;
}

roof_status edit_facts_of(const roof_graph *graph, roof_arena *arena, edit_facts *out, roof_error *err)
{
    /* nothing of it is changed */
    editor e = {.from = graph, .to = (roof_graph *)(uintptr_t)graph, .scratch = arena, .err = err};
    unsigned char *stays;
    uint32_t *sets, *first;
    TRY(begin(&e));
    find_sets(&e);
    TRY(find_staying(&e, &stays));
    TRY(ARENA_GET2(arena, sets, first, graph->n_ops, err));
    memset(first, 0xff, graph->n_ops * sizeof *first);
    for (uint32_t i = 0; i < graph->n_ops; i++) {
        const uint32_t root = sets_root(e.sets, i);
        const bool may_change = makes_channels(&e, i) && !stays[root];
        if (may_change && first[root] == ROOF_NONE)
            first[root] = i;
        sets[i] = may_change ? first[root] : ROOF_NONE;
    }
    *out = (edit_facts){.order = e.order, .is_constant = e.is_constant, .sets = sets};
    return ROOF_OK;
}

/* ---- ratios of times ----------------------------------------------------------------------------------- */

/* True if pairs of networks were measured on such hardware: the constants of the expected time were fitted on
 * these boards, and the law is of the whole. */
static bool has_measured_pairs(const roof_hw *hw)
{
    static const char prefix[] = "expect.";
    for (size_t i = 0; roof_hw_at(hw, i); i++) {
        const char *key = roof_hw_at(hw, i)->key;
        if (strncmp(key, prefix, sizeof prefix - 1) == 0 && strstr(key, ".serial.per_layer"))
            return true;
    }
    return false;
}

edit_ratio edit_ratio_of(double before_s, double after_s, uint64_t least_ops, roof_answer_kind kind,
                         bool is_estimate, const roof_hw *hw)
{
    const bool is_small = (double)least_ops < ROOF_EDIT_LEAST_OPS;
    edit_ratio r = {.ratio = quotient_of(before_s, after_s), .low = NAN, .high = NAN};
    const double saving = before_s > after_s ? 1 - after_s / before_s : 1 - before_s / after_s;
    r.is_distinguishable = saving >= ROOF_EDIT_LEAST_SAVING;
    if (roof_answer_is_bound(kind))
        r.why = is_estimate ? "times are estimates: how far a measured ratio is from theirs is unknown"
                            : "times are bounds: how far a measured ratio is from theirs is unknown";
    else if (!has_measured_pairs(hw))
        r.why = "no pair of networks was measured on such hardware";
    else {
        r.low = r.ratio * (1 - ROOF_EDIT_SPREAD) / (is_small ? 1 + ROOF_EDIT_SMALL_SPREAD : 1);
        r.high = r.ratio * (1 + ROOF_EDIT_SPREAD);
        r.why = is_small ? "not calibrated below 0.2 GOP: ratios were 18 to 22 % too high there" : NULL;
    }
    return r;
}
