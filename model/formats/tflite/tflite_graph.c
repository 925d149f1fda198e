#include "model/formats/tflite/tflite_graph.h"
#include "core/checked.h"
#include "core/error.h"
#include "model/formats/tflite/tflite_npu.h"
#include "model/formats/tflite/tflite_window.h"
#include "model/graph/format.h"
#include "model/work/cost.h"
#include "model/work/extents.h"
#include "model/work/op_program.h"
#include "model/work/opmap.h"

#include <inttypes.h>
#include <string.h>

/* Types of what no operator of the file is. */
#define FURTHER_OUTPUT "output" /* of an operator behind its first one, as an operator that reads that */
#define CONSTANT       "const"
#define INPUT          "input"
#define VARIABLE       "variable"
#define SCRATCH        "scratch" /* memory that a command stream works in */

enum { MOST_NAMES_PER_BYTE = 8 }; /* of the file: names are copied, and made readable */

typedef struct builder {
    const tflite_model *model;
    roof_graph *graph;
    tflite_notes *notes;
    uint32_t *op_of;           /* by tensor: who makes it, or stands for it; ROOF_NONE: nobody reads it */
    uint32_t n_made;           /* by operators of the file */
    tflite_tensor *more;       /* by operator of the graph: of what it makes */
    extents *shapes;           /* likewise */
    extents_operand *operands; /* room for those of any operator */
    uint64_t named_bytes;
    roof_arena *arena, *scratch;
    roof_error *err;
} builder;

/* ---- who makes what ---- */

/* Fails unless all tensors of a list are there; -1 stands for one that is left out. */
static roof_status check_tensors(const builder *b, uint32_t op, const fb_vector *list, const char *what)
{
    for (uint32_t j = 0; j < list->n; j++) {
        const int32_t t = fb_int32_of(list, j);
        if (t < -1 || (t >= 0 && (uint32_t)t >= b->model->tensors.n))
            return error_at(b->err, ROOF_E_DATA, list->at + 4 * (uint64_t)j,
                            "operator %" PRIu32 ": %s %" PRIu32 " is tensor %" PRId32
                            ", and there are %" PRIu32,
                            op, what, j, t, b->model->tensors.n);
    }
    return ROOF_OK;
}

static roof_status number_outputs(builder *b, uint32_t i, const fb_vector *outputs, uint32_t *n_further)
{
    bool is_first = true;
    TRY(check_tensors(b, i, outputs, "output"));
    for (uint32_t j = 0; j < outputs->n; j++) {
        const int32_t t = fb_int32_of(outputs, j);
        if (t < 0)
            continue;
        if (b->op_of[t] != ROOF_NONE)
            return error_at(b->err, ROOF_E_DATA, outputs->at + 4 * (uint64_t)j,
                            "operator %" PRIu32 ": another one makes tensor %" PRId32 " as well", i, t);
        b->op_of[t] = is_first ? i : b->model->operators.n + (*n_further)++;
        is_first = false;
    }
    return ROOF_OK;
}

/* Numbers of all operators of the graph, and room for them. */
static roof_status number_all(builder *b)
{
    const tflite_model *m = b->model;
    uint64_t named = 0, most = 0;
    uint32_t n_further = 0;
    tflite_operator o;
    TRY(ARENA_GET(b->scratch, b->op_of, m->tensors.n, b->err));
    for (uint32_t t = 0; t < m->tensors.n; t++)
        b->op_of[t] = ROOF_NONE;
    for (uint32_t i = 0; i < m->operators.n; i++) {
        TRY(tflite_operator_of(m, i, &o, b->err));
        named += (uint64_t)o.inputs.n + o.outputs.n;
        most = (uint64_t)o.inputs.n + o.outputs.n > most ? (uint64_t)o.inputs.n + o.outputs.n : most;
        if (named > m->operators.file_bytes) /* each takes four bytes, unless operators share lists */
            return error_set(b->err, ROOF_E_LIMIT,
                             "operators name more tensors than the file has bytes, which is %" PRIu64,
                             m->operators.file_bytes);
        TRY(number_outputs(b, i, &o.outputs, &n_further));
    }
    b->graph->n_ops = b->n_made = m->operators.n + n_further;
    for (uint32_t i = 0; i < m->operators.n; i++) {
        TRY(tflite_operator_of(m, i, &o, b->err));
        TRY(check_tensors(b, i, &o.inputs, "input"));
        for (uint32_t j = 0; j < o.inputs.n; j++) {
            const int32_t t = fb_int32_of(&o.inputs, j);
            if (t >= 0 && b->op_of[t] == ROOF_NONE)
                b->op_of[t] = b->graph->n_ops++;
        }
    }
    TRY(ARENA_GET(b->scratch, b->more, b->graph->n_ops, b->err));
    TRY(ARENA_GET(b->scratch, b->shapes, b->graph->n_ops, b->err));
    TRY(ARENA_GET(b->scratch, b->operands, most, b->err));
    TRY(ARENA_GET(b->arena, b->graph->ops, b->graph->n_ops, b->err));
    return ARENA_GET(b->arena, b->graph->edges, named, b->err);
}

/* ---- tensors ---- */

static roof_op new_op(const char *type, roof_rule rule)
{
    return (roof_op){.type = type,
                     .rule = rule,
                     .stored_workload_ops = ROOF_UNKNOWN,
                     .layer = ROOF_NONE,
                     .subgraph = ROOF_NONE,
                     .node = ROOF_NONE};
}

static void note(uint32_t *n, const char **first, const char *name)
{
    if (!(*n)++)
        *first = name;
}

static roof_status set_tensor(builder *b, roof_op *op, uint32_t tensor, tflite_tensor **more)
{
    extents *shape = &b->shapes[op - b->graph->ops];
    *more = &b->more[op - b->graph->ops];
    TRY(tflite_tensor_of(b->model, tensor, b->arena, &op->out, *more, b->err));
    shape->n_dims = tflite_has_shape(&op->out) ? op->out.n_dims : ROOF_NONE;
    for (uint32_t i = 0; i < op->out.n_dims; i++)
        shape->dims[i] = !i && (*more)->is_open ? ROOF_UNKNOWN : op->out.dims[i];
    op->name = op->out.name;
    b->named_bytes += strlen(op->name);
    if (b->named_bytes / MOST_NAMES_PER_BYTE > b->model->tensors.file_bytes)
        return error_set(b->err, ROOF_E_LIMIT, "names of tensors are longer than the file");
    return ROOF_OK;
}

/* ---- operators ---- */

/* What operators take their inputs for that do not begin with what they compute of. */
static roof_role role_of(const tflite_code *code, uint32_t slot)
{
    enum { SLOTS = 4 };
    static const struct {
        tflite_builtin builtin;
        roof_role roles[SLOTS];
    } odd[] = {
        {TFLITE_TRANSPOSE_CONV, {ROOF_ROLE_OTHER, ROOF_ROLE_WEIGHTS, ROOF_ROLE_INPUT, ROOF_ROLE_BIAS}},
        {TFLITE_FULLY_CONNECTED, {ROOF_ROLE_INPUT, ROOF_ROLE_WEIGHTS, ROOF_ROLE_BIAS, ROOF_ROLE_OTHER}},
        {TFLITE_BATCH_MATMUL, {ROOF_ROLE_INPUT, ROOF_ROLE_INPUT, ROOF_ROLE_OTHER, ROOF_ROLE_OTHER}},
        {TFLITE_SPLIT, {ROOF_ROLE_OTHER, ROOF_ROLE_INPUT, ROOF_ROLE_OTHER, ROOF_ROLE_OTHER}},
    };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        if (odd[i].builtin == code->builtin)
            return slot < SLOTS ? odd[i].roles[slot] : ROOF_ROLE_OTHER;
    switch (code->rule) {
    case ROOF_RULE_BINARY:
    case ROOF_RULE_ELTWISE:
    case ROOF_RULE_ALIAS:
    case ROOF_RULE_UNKNOWN:
        return code->builtin == TFLITE_RESHAPE && slot ? ROOF_ROLE_OTHER : ROOF_ROLE_INPUT;
    default:
        if (rule_has_macs(code->rule) && slot)
            return slot == 1 ? ROOF_ROLE_WEIGHTS : slot == 2 ? ROOF_ROLE_BIAS : ROOF_ROLE_OTHER;
        return slot ? ROOF_ROLE_OTHER : ROOF_ROLE_INPUT;
    }
}

static bool runs_subgraphs(const tflite_code *code)
{
    static const tflite_builtin calls[] = {TFLITE_CALL,
                                           TFLITE_IF,
                                           TFLITE_WHILE,
                                           TFLITE_CALL_ONCE,
                                           TFLITE_STABLEHLO_WHILE,
                                           TFLITE_STABLEHLO_COMPOSITE,
                                           TFLITE_STABLEHLO_REDUCE,
                                           TFLITE_STABLEHLO_REDUCE_WINDOW,
                                           TFLITE_STABLEHLO_SCATTER,
                                           TFLITE_STABLEHLO_SORT,
                                           TFLITE_STABLEHLO_CUSTOM_CALL};
    size_t i = 0;
    while (i < sizeof calls / sizeof *calls && calls[i] != code->builtin)
        i++;
    return i < sizeof calls / sizeof *calls;
}

static roof_status read_operator(builder *b, uint32_t i)
{
    roof_op *op = &b->graph->ops[i];
    tflite_operator o;
    tflite_tensor *more;
    TRY(tflite_operator_of(b->model, i, &o, b->err));
    *op = new_op(o.code->type, o.code->rule);
    op->node = i;
    for (uint32_t j = 0; j < o.outputs.n; j++) {
        const int32_t t = fb_int32_of(&o.outputs, j);
        if (t < 0)
            continue;
        roof_op *made = &b->graph->ops[b->op_of[t]];
        if (made != op) {
            *made = new_op(FURTHER_OUTPUT, ROOF_RULE_ALIAS);
            graph_add_edge(b->graph, made, i, ROOF_ROLE_INPUT);
        }
        TRY(set_tensor(b, made, (uint32_t)t, &more));
        if (more->is_open)
            note(&b->notes->n_open, &b->notes->open, made->name);
    }
    if (!op->name) { /* it has no output */
        b->shapes[i].n_dims = ROOF_NONE;
        op->name = op->out.name = arena_printf(b->arena, "%s_%" PRIu32, op->type, i);
        op->out.n_dims = 1;
        op->out.bit_width = 8;
        if (!op->name)
            return error_memory(b->err);
    }
    for (uint32_t j = 0; j < o.inputs.n; j++) {
        const int32_t t = fb_int32_of(&o.inputs, j);
        if (t >= 0)
            graph_add_edge(b->graph, op, b->op_of[t], role_of(o.code, j));
    }
    if (runs_subgraphs(o.code))
        note(&b->notes->n_calls, &b->notes->call, op->name);
    b->notes->n_npu += tflite_is_npu(&o);
    return ROOF_OK;
}

/* What operators read and none makes. Weights may be left out of a file, or lie in another one: what is no
 * input is a constant all the same. */
static roof_status read_sources(builder *b)
{
    const tflite_model *m = b->model;
    unsigned char *is_input;
    TRY(ARENA_GET(b->scratch, is_input, m->tensors.n, b->err));
    for (uint32_t i = 0; i < m->inputs.n; i++) {
        const int32_t t = fb_int32_of(&m->inputs, i);
        if (t >= 0 && (uint32_t)t < m->tensors.n)
            is_input[t] = 1;
    }
    for (uint32_t t = 0; t < m->tensors.n; t++) {
        const uint32_t i = b->op_of[t];
        tflite_tensor *more;
        if (i == ROOF_NONE || i < b->n_made)
            continue;
        roof_op *op = &b->graph->ops[i];
        *op = new_op(CONSTANT, ROOF_RULE_CONSTANT);
        TRY(set_tensor(b, op, t, &more));
        if (!more->has_data && (is_input[t] || more->is_variable || b->notes->n_npu)) {
            op->type = is_input[t] ? INPUT : more->is_variable ? VARIABLE : SCRATCH;
            op->rule = ROOF_RULE_INPUT;
        }
        if (more->is_open)
            note(&b->notes->n_open, &b->notes->open, op->name);
    }
    return ROOF_OK;
}

/* ---- what follows from all of them ---- */

/* Constants that are computed with are weights, other ones nothing that is moved. Weights are read as they
 * are stored: what only widens them counts with the bits of what it reads. */
static roof_status set_constants(builder *b)
{
    roof_graph *g = b->graph;
    for (uint32_t i = 0; i < b->model->operators.n; i++) {
        roof_op *op = &g->ops[i];
        if (op->rule == ROOF_RULE_CONVERT && op->n_inputs && op_is_constant(g, i)) {
            op->out.bit_width = g->ops[g->edges[op->first_input].op].out.bit_width;
            TRY(tflite_set_bytes(&op->out, b->err));
        }
        for (uint32_t j = 0; j < op->n_inputs; j++) {
            roof_edge *edge = &g->edges[op->first_input + j];
            if (edge->role != ROOF_ROLE_INPUT || op->rule == ROOF_RULE_UNKNOWN ||
                !op_is_constant(g, edge->op))
                continue;
            /* of a matrix product the first operand stays its input, which tells the length of its sums */
            if (op->rule == ROOF_RULE_BINARY || op->rule == ROOF_RULE_ELTWISE ||
                (op->rule == ROOF_RULE_MATMUL && j))
                edge->role = ROOF_ROLE_WEIGHTS;
            else if (j && !rule_has_macs(op->rule))
                edge->role = ROOF_ROLE_OTHER;
        }
    }
    return ROOF_OK;
}

/* OC IC, of an input whose elements are rows of IC however it is shaped. */
static bool is_product(const roof_graph *g, const roof_op *op)
{
    const roof_op *input = op_input(g, op, ROOF_ROLE_INPUT), *weights = op_input(g, op, ROOF_ROLE_WEIGHTS);
    if (!input || !weights || weights->out.n_dims != 2 || !op->out.n_dims)
        return false;
    const uint64_t oc = weights->out.dims[0], ic = weights->out.dims[1];
    const checked in = checked_times((checked){input->out.elements, false}, oc),
                  out = checked_times((checked){op->out.elements, false}, ic);
    return op->out.dims[op->out.n_dims - 1] == oc && !in.overflow && !out.overflow && in.value == out.value;
}

static bool operands_are_known(const roof_graph *g, const roof_op *op)
{
    bool known = tflite_has_shape(&op->out);
    for (uint32_t j = 0; j < op->n_inputs && known; j++) {
        const roof_edge *edge = &g->edges[op->first_input + j];
        known = edge->role == ROOF_ROLE_OTHER || edge->role == ROOF_ROLE_BIAS ||
                tflite_has_shape(&g->ops[edge->op].out);
    }
    return known;
}

/* Weights of an operator in the order of dimensions that costs want; several may share them. */
static void move_last_to_front(roof_graph *g, const roof_op *op, unsigned char *is_moved)
{
    for (uint32_t j = 0; j < op->n_inputs; j++) {
        const roof_edge *edge = &g->edges[op->first_input + j];
        roof_tensor *t = &g->ops[edge->op].out;
        if (edge->role != ROOF_ROLE_WEIGHTS || is_moved[edge->op])
            continue;
        const uint32_t last = t->dims[t->n_dims - 1];
        memmove(t->dims + 1, t->dims, (t->n_dims - 1) * sizeof *t->dims);
        t->dims[0] = last;
        is_moved[edge->op] = 1;
    }
}

/* ---- operands that contradict one another ---- */

typedef struct reading {
    const tflite_operator *from;
    roof_status status;
    roof_error *err;
} reading;

/* See extents_call. */
static uint32_t numbers_of(void *reader, const char *name, double *out, uint32_t max)
{
    reading *r = reader;
    uint32_t n = 0;
    if (r->status == ROOF_OK)
        r->status = tflite_numbers(r->from, name, out, max, &n, r->err);
    return n;
}

/* The operand that a list names at j; values: room for those of a short constant. */
static void take_operand(const builder *b, const fb_vector *list, uint32_t j, double *values,
                         extents_operand *out)
{
    enum { MOST_VALUES = 64 };
    const int32_t t = fb_int32_of(list, j);
    *out = (extents_operand){.is_left_out = t < 0};
    if (t < 0)
        return;
    const uint32_t op = b->op_of[t];
    const tflite_tensor *more = &b->more[op];
    const roof_tensor *tensor = &b->graph->ops[op].out;
    const uint32_t width = tensor->bit_width / 8;
    out->name = span_of(tensor->name);
    out->shape = &b->shapes[op];
    if (!values || !more->is_whole || tensor->elements > MOST_VALUES || !tensor->elements ||
        more->data_bytes != tensor->elements * width)
        return;
    const fb_vector words = {b->model->operators.file, b->model->operators.file_bytes, more->data_at,
                             (uint32_t)(more->data_bytes / 4)};
    out->values = values;
    out->n_values = (uint32_t)tensor->elements;
    for (uint32_t i = 0; i < out->n_values; i++) {
        const int32_t low = fb_int32_of(&words, i * width / 4);
        values[i] = width == 4 ? low : (double)(uint32_t)low + 0x1p32 * fb_int32_of(&words, 2 * i + 1);
    }
}

static roof_status find_misfit(builder *b, uint32_t i, const tflite_operator *o)
{
    enum { SLOTS = 4, MOST_VALUES = 64 }; /* values count in the first inputs alone */
    double values[SLOTS][MOST_VALUES];
    roof_op *op = &b->graph->ops[i];
    reading r = {.from = o, .err = b->err};
    extents_operand *outputs = b->operands + o->inputs.n;
    extents_misfit found;
    for (uint32_t j = 0; j < o->inputs.n; j++)
        take_operand(b, &o->inputs, j, j < SLOTS ? values[j] : NULL, &b->operands[j]);
    for (uint32_t j = 0; j < o->outputs.n; j++)
        take_operand(b, &o->outputs, j, NULL, &outputs[j]);
    const extents_call call = {.inputs = b->operands,
                               .outputs = outputs,
                               .n_inputs = o->inputs.n,
                               .n_outputs = o->outputs.n,
                               .numbers = numbers_of,
                               .reader = &r};
    const bool is_misfit =
        o->code->builtin != TFLITE_CUSTOM && extents_contradict(extents_law_of(o->code->type), &call, &found);
    TRY(r.status);
    if (!is_misfit)
        return ROOF_OK;
    op->rule = ROOF_RULE_MISFIT;
    return extents_tell(&found, op->name, &b->graph->storage->found, b->err);
}

/* ---- rules ---- */

/* Rules of operators whose tensors are known, and windows. A convolution with one channel in each group is a
 * depthwise one. */
static roof_status set_rules(builder *b)
{
    roof_graph *g = b->graph;
    unsigned char *is_moved;
    tflite_operator o;
    TRY(ARENA_GET(b->scratch, is_moved, g->n_ops, b->err));
    for (uint32_t i = 0; i < b->model->operators.n; i++) {
        roof_op *op = &g->ops[i];
        TRY(tflite_operator_of(b->model, i, &o, b->err));
        op->average = o.code->builtin == TFLITE_AVERAGE_POOL_2D;
        TRY(find_misfit(b, i, &o));
        if (op->rule == ROOF_RULE_MISFIT)
            continue;
        if ((rule_computes(op->rule) && !operands_are_known(g, op)) ||
            (o.code->builtin == TFLITE_FULLY_CONNECTED && !is_product(g, op)))
            op->rule = ROOF_RULE_UNKNOWN;
        TRY(tflite_set_window(g, op, &o, b->err));
    }
    for (uint32_t i = 0; i < b->model->operators.n; i++) {
        roof_op *op = &g->ops[i];
        const roof_op *input = op_input(g, op, ROOF_ROLE_INPUT), *w = op_input(g, op, ROOF_ROLE_WEIGHTS);
        const bool has_a_channel_a_group = op->rule == ROOF_RULE_CONV2D && w->out.dims[3] == 1 &&
                                           input->out.dims[3] > 1 && op->out.dims[3] == input->out.dims[3];
        if (op->rule == ROOF_RULE_CONV3D)
            move_last_to_front(g, op, is_moved);
        if (has_a_channel_a_group)
            op->rule = ROOF_RULE_DEPTHWISE;
    }
    return ROOF_OK;
}

roof_status tflite_build_graph(const tflite_model *model, roof_graph *graph, tflite_notes *notes,
                               roof_error *err)
{
    builder b = {.model = model,
                 .graph = graph,
                 .notes = notes,
                 .arena = graph->storage->arena,
                 .scratch = graph->storage->scratch,
                 .err = err};
    uint32_t *order;
    graph->storage->found.arena = b.arena;
    TRY(number_all(&b));
    for (uint32_t i = 0; i < model->operators.n; i++)
        TRY(read_operator(&b, i));
    TRY(read_sources(&b));
    TRY(set_constants(&b));
    TRY(set_rules(&b));
    TRY(ARENA_GET(b.scratch, order, graph->n_ops, err));
    TRY(graph_topological_order(graph, order, err));
    return op_program_set_layers(graph, order, notes->n_npu ? model->operators.n : 0, err);
}
