#include "model/formats/tflite/tflite_model.h"
#include "core/platform/platform.h"
#include "model/formats/ethos_u/npu_streams.h"
#include "model/graph/format.h"
#include "model/work/cost.h"
#include "model/work/extents.h"
#include "model/work/op_program.h"
#include "model/work/opmap.h"

/* Types of what no operator of the file is. */
#define FURTHER_OUTPUT "output" /* of an operator behind its first one, as an operator that reads that */
#define CONSTANT       "const"
#define INPUT          "input"
#define VARIABLE       "variable"
#define SCRATCH        "scratch" /* memory that a command stream works in */

enum { MOST_NAMES_PER_BYTE = 8 }; /* of the file: names are copied, and made readable */

/* Operators of one subgraph: of the main one, or of one that an operator runs, once for each time. */
typedef struct part {
    tflite_model model;
    const char *prefix; /* of its names; "" of the main one */
    uint32_t depth;     /* of calls; 0: the main one */
    uint32_t base;      /* the graph's operator that its first one is; the others follow */
    uint32_t *op_of;    /* by tensor: who makes it, or stands for it; ROOF_NONE: nobody reads it */
    uint32_t first_source, end_source; /* operators of the graph for what none of its operators makes */
    /* By operator: what makes each output of one whose subgraph stands in the graph, which is nothing by
     * itself then; NULL: it is an operator like others. */
    const uint32_t **made_by;
} part;

typedef struct builder {
    const tflite_model *model;
    roof_graph *graph;
    tflite_notes *notes;
    part **parts;
    uint32_t n_parts;
    uint64_t n_expanded,
        n_looked_at; /* operators and tensors of bodies; operators that were asked for them */
    uint64_t body_named_bytes;
    tflite_tensor *more;           /* by operator of the graph: of what it makes */
    extents *shapes;               /* likewise */
    extents_operand *operands;     /* room for those of any operator */
    uint64_t named, most_operands; /* by all operators; by one */
    uint64_t named_bytes;
    roof_arena *arena, *scratch;
    roof_error *err;
} builder;

/* ---- makers of tensors ---- */

/* Fails unless all tensors of a list are there; -1 stands for one that is left out. */
static roof_status check_tensors(const builder *b, const part *p, uint32_t op, const fb_vector *list,
                                 const char *what)
{
    for (uint32_t j = 0; j < list->n; j++) {
        const int32_t t = fb_int32_of(list, j);
        if (t < -1 || (t >= 0 && (uint32_t)t >= p->model.tensors.n))
            return error_at(b->err, ROOF_E_DATA, list->at + 4 * (uint64_t)j,
                            "operator %" PRIu32 ": %s %" PRIu32 " is tensor %" PRId32
                            ", and there are %" PRIu32,
                            op, what, j, t, p->model.tensors.n);
    }
    return ROOF_OK;
}

static roof_status number_outputs(builder *b, part *p, uint32_t i, const fb_vector *outputs)
{
    bool is_first = true;
    TRY(check_tensors(b, p, i, outputs, "output"));
    for (uint32_t j = 0; j < outputs->n; j++) {
        const int32_t t = fb_int32_of(outputs, j);
        if (t < 0)
            continue;
        if (p->op_of[t] != ROOF_NONE)
            return error_at(b->err, ROOF_E_DATA, outputs->at + 4 * (uint64_t)j,
                            "operator %" PRIu32 ": another one makes tensor %" PRId32 " as well", i, t);
        p->op_of[t] = is_first ? p->base + i : b->graph->n_ops++;
        is_first = false;
    }
    return ROOF_OK;
}

/* A part with numbers for all of its operators. arguments: who makes its inputs; NULL of the main one. */
static roof_status add_operators_of(builder *b, const tflite_model *m, const char *prefix, uint32_t depth,
                                    const uint32_t *arguments, part **out)
{
    tflite_operator o;
    part *p;
    TRY(ARENA_GET(b->scratch, p, 1, b->err));
    *p = (part){.model = *m, .prefix = prefix, .depth = depth, .base = b->graph->n_ops};
    TRY(ARENA_GET(b->scratch, p->op_of, m->tensors.n, b->err));
    TRY(ARENA_GET(b->scratch, p->made_by, m->operators.n, b->err));
    for (uint32_t t = 0; t < m->tensors.n; t++)
        p->op_of[t] = ROOF_NONE;
    for (uint32_t j = 0; arguments && j < m->inputs.n; j++) {
        const int32_t t = fb_int32_of(&m->inputs, j);
        if (t >= 0 && (uint32_t)t < m->tensors.n)
            p->op_of[t] = arguments[j];
    }
    b->graph->n_ops += m->operators.n;
    for (uint32_t i = 0; i < m->operators.n; i++) {
        TRY(tflite_operator_of(m, i, &o, b->err));
        b->named += (uint64_t)o.inputs.n + o.outputs.n;
        if (b->most_operands < (uint64_t)o.inputs.n + o.outputs.n)
            b->most_operands = (uint64_t)o.inputs.n + o.outputs.n;
        /* each takes four bytes, unless operators share lists */
        if (!depth && b->named > m->operators.file_bytes)
            return error_set(b->err, ROOF_E_LIMIT,
                             "operators name more tensors than the file has bytes, which is %" PRIu64,
                             m->operators.file_bytes);
        TRY(number_outputs(b, p, i, &o.outputs));
    }
    p->first_source = b->graph->n_ops;
    for (uint32_t i = 0; i < m->operators.n; i++) {
        TRY(tflite_operator_of(m, i, &o, b->err));
        TRY(check_tensors(b, p, i, &o.inputs, "input"));
        for (uint32_t j = 0; j < o.inputs.n; j++) {
            const int32_t t = fb_int32_of(&o.inputs, j);
            if (t >= 0 && p->op_of[t] == ROOF_NONE)
                p->op_of[t] = b->graph->n_ops++;
        }
    }
    for (uint32_t j = 0; depth && j < m->outputs.n; j++) { /* outputs that a body hands on unread */
        const int32_t t = fb_int32_of(&m->outputs, j);
        if (t >= 0 && (uint32_t)t < m->tensors.n && p->op_of[t] == ROOF_NONE)
            p->op_of[t] = b->graph->n_ops++;
    }
    p->end_source = b->graph->n_ops;
    TRY(ARENA_ADD(b->scratch, b->parts, b->n_parts, b->err, p));
    *out = p;
    return ROOF_OK;
}

/* ---- subgraphs that operators run ---- */

enum { MOST_CALLS = 8, MOST_ROUNDS = 4096 };
enum { MOST_EXPANDED = 1 << 20, MOST_LOOKED_AT = 1 << 22, MOST_BODY_NAMES = 64 << 20 };

/* The i-th of the whole numbers of so many bytes that a tensor holds. */
static int64_t whole_at(const tflite_model *m, const tflite_tensor *t, uint32_t bytes, uint32_t i)
{
    const fb_vector words = {m->operators.file, m->operators.file_bytes, t->data_at,
                             (uint32_t)(t->data_bytes / 4)};
    const int32_t low = fb_int32_of(&words, i * (bytes / 4));
    return bytes == 4 ? low
                      : (int64_t)((uint64_t)(uint32_t)low | (uint64_t)(uint32_t)fb_int32_of(&words, 2 * i + 1)
                                                                << 32);
}

/* The whole number that a tensor of a subgraph holds, of which there is one alone. */
static roof_status whole_number(const builder *b, const tflite_model *m, int32_t t, bool *is_known,
                                int64_t *out)
{
    roof_tensor tensor;
    tflite_tensor more;
    *is_known = false;
    if (t < 0 || (uint32_t)t >= m->tensors.n)
        return ROOF_OK;
    TRY(tflite_tensor_of(m, (uint32_t)t, NULL, &tensor, &more, b->err));
    const uint32_t width = tensor.bit_width / 8;
    const bool is_bool = tensor.bit_width == 8 && more.data_bytes == 1;
    *is_known = is_bool || (more.is_whole && tensor.elements == 1 && more.data_bytes == width);
    if (is_bool) {
        os_want(m->operators.file + more.data_at, 1);
        *out = m->operators.file[more.data_at] != 0;
    }
    if (!is_bool && *is_known)
        *out = whole_at(m, &more, width, 0);
    return ROOF_OK;
}

/* The operator of a subgraph that makes a tensor; false: none does. */
static roof_status operator_making(builder *b, const tflite_model *m, int32_t t, tflite_operator *out,
                                   bool *is_there)
{
    *is_there = false;
    b->n_looked_at += m->operators.n;
    for (uint32_t i = 0; i < m->operators.n && !*is_there && t >= 0; i++) {
        TRY(tflite_operator_of(m, i, out, b->err));
        for (uint32_t j = 0; j < out->outputs.n && !*is_there; j++)
            *is_there = fb_int32_of(&out->outputs, j) == t;
    }
    return ROOF_OK;
}

static uint32_t place_in(const fb_vector *list, int32_t t)
{
    uint32_t i = 0;
    while (i < list->n && fb_int32_of(list, i) != t)
        i++;
    return i < list->n ? i : ROOF_NONE;
}

/* A WHILE as it stands in the file. */
typedef struct loop {
    const part *caller;
    const tflite_operator *call;
    tflite_model condition, body;
} loop;

/* How often a comparison with a counter holds: of one that begins with a constant, and to which every round
 * adds a constant. */
static roof_status rounds_of_comparison(builder *b, const loop *l, int32_t made, uint32_t depth,
                                        bool *is_known, int64_t *out)
{
    tflite_operator o, step;
    bool has[3], is_there;
    int64_t values[3] = {0}; /* end, begin, step */
    *is_known = false;
    TRY(operator_making(b, &l->condition, made, &o, &is_there));
    if (!is_there || o.inputs.n != 2)
        return ROOF_OK;
    const int32_t left = fb_int32_of(&o.inputs, 0), right = fb_int32_of(&o.inputs, 1);
    if (tflite_is(o.code, "LOGICAL_AND") && depth < MOST_CALLS) { /* it ends where the first one does */
        int64_t first, other;
        bool is_first_known, is_other_known;
        TRY(rounds_of_comparison(b, l, left, depth + 1, &is_first_known, &first));
        TRY(rounds_of_comparison(b, l, right, depth + 1, &is_other_known, &other));
        *is_known = is_first_known && is_other_known;
        if (*is_known)
            *out = other < first ? other : first;
        return ROOF_OK;
    }
    const bool is_less = tflite_is(o.code, "LESS LESS_EQUAL");
    const uint32_t state = place_in(&l->condition.inputs, left);
    if (!is_less || state >= l->body.outputs.n || state >= l->body.inputs.n || state >= l->call->inputs.n)
        return ROOF_OK;
    TRY(whole_number(b, &l->condition, right, &has[0], &values[0]));
    const uint32_t fixed = place_in(&l->condition.inputs, right); /* a limit that is handed in, and on */
    if (!has[0] && fixed < l->call->inputs.n && fixed < l->body.outputs.n && fixed < l->body.inputs.n &&
        fb_int32_of(&l->body.outputs, fixed) == fb_int32_of(&l->body.inputs, fixed))
        TRY(whole_number(b, &l->caller->model, fb_int32_of(&l->call->inputs, fixed), &has[0], &values[0]));
    TRY(whole_number(b, &l->caller->model, fb_int32_of(&l->call->inputs, state), &has[1], &values[1]));
    TRY(operator_making(b, &l->body, fb_int32_of(&l->body.outputs, state), &step, &is_there));
    if (!is_there || !tflite_is(step.code, "ADD") || step.inputs.n != 2)
        return ROOF_OK;
    const int32_t counter = fb_int32_of(&l->body.inputs, state), a = fb_int32_of(&step.inputs, 0),
                  c = fb_int32_of(&step.inputs, 1);
    if (a != counter && c != counter)
        return ROOF_OK;
    TRY(whole_number(b, &l->body, a == counter ? c : a, &has[2], &values[2]));
    int64_t span;
    if (!has[0] || !has[1] || !has[2] || values[2] < 1 ||
        __builtin_sub_overflow(values[0], values[1], &span) ||
        __builtin_add_overflow(span, tflite_is(o.code, "LESS_EQUAL"), &span))
        return ROOF_OK;
    *out =
        span > 0 ? span / values[2] + (span % values[2] != 0) : 0; /* steps may be near the largest number */
    *is_known = *out <= MOST_ROUNDS;
    return ROOF_OK;
}

/* Work of the operators of a subgraph, roughly: enough to find the larger of two. */
static roof_status work_of(builder *b, const tflite_model *m, double *out)
{
    tflite_operator o;
    *out = 0;
    b->n_looked_at += m->operators.n;
    for (uint32_t i = 0; i < m->operators.n; i++) {
        roof_tensor made, weights;
        tflite_tensor more;
        double each = 1;
        TRY(tflite_operator_of(m, i, &o, b->err));
        const int32_t y = o.outputs.n ? fb_int32_of(&o.outputs, 0) : -1,
                      w = o.inputs.n > 1 ? fb_int32_of(&o.inputs, 1) : -1;
        if (y < 0 || (uint32_t)y >= m->tensors.n || !rule_computes(o.code->rule))
            continue;
        TRY(tflite_tensor_of(m, (uint32_t)y, NULL, &made, &more, b->err));
        if (rule_has_macs(o.code->rule) && w >= 0 && (uint32_t)w < m->tensors.n) {
            TRY(tflite_tensor_of(m, (uint32_t)w, NULL, &weights, &more, b->err));
            if (weights.n_dims && weights.dims[0])
                each = (double)weights.elements / weights.dims[0];
        }
        *out += each * (double)made.elements;
    }
    return ROOF_OK;
}

/* Runs a subgraph with what makes its inputs; makers become those of its outputs. */
static roof_status run_part(builder *b, const part *caller, const tflite_model *m, const char *prefix,
                            uint32_t *makers)
{
    part *p;
    b->n_expanded += (uint64_t)m->operators.n + m->tensors.n;
    TRY(add_operators_of(b, m, prefix, caller->depth + 1, makers, &p));
    for (uint32_t j = 0; j < m->outputs.n; j++) {
        const int32_t t = fb_int32_of(&m->outputs, j);
        if (t < 0 || (uint32_t)t >= m->tensors.n)
            return error_data(
                b->err, "output %" PRIu32 " of a subgraph is tensor %" PRId32 ", and there are %" PRIu32, j,
                t, m->tensors.n);
        makers[j] = p->op_of[t];
    }
    return ROOF_OK;
}

/* An IF or a WHILE whose subgraphs stand for it: of an IF the branch that a constant takes, else the one with
 * more work; of a WHILE all rounds, where constants tell how many there are. */
static roof_status put_in_place(builder *b, part *p, uint32_t i)
{
    enum { IF_OPTIONS = 92, WHILE_OPTIONS = 93 };
    static const char *const branches[] = {"then_branch", "else_branch"};
    tflite_operator o;
    tflite_model runs[2];
    uint64_t which[2];
    TRY(tflite_operator_of(&p->model, i, &o, b->err));
    const bool is_if = tflite_is(o.code, "IF") && o.options_type == IF_OPTIONS && o.inputs.n,
               is_while = tflite_is(o.code, "WHILE") && o.options_type == WHILE_OPTIONS;
    if ((!is_if && !is_while) || p->depth == MOST_CALLS || b->n_looked_at > MOST_LOOKED_AT)
        return ROOF_OK;
    for (uint32_t k = 0; k < 2; k++) {
        TRY(fb_unsigned(&o.options, k, 4, 0, &which[k], b->err));
        if (!which[k] || which[k] >= p->model.subgraphs.n)
            return ROOF_OK; /* none, or the main one again */
        TRY(tflite_subgraph(&p->model, which[k], &runs[k], b->err));
    }
    const uint32_t first = is_if ? 1 : 0;
    const tflite_model *body = &runs[1];
    int64_t rounds = 1;
    bool is_known = true, is_told = true; /* of the branch taken */
    roof_tensor made = {.name = o.code->type};
    tflite_tensor more;
    const int32_t y = o.outputs.n ? fb_int32_of(&o.outputs, 0) : -1;
    if (y >= 0)
        TRY(tflite_tensor_of(&p->model, (uint32_t)y, b->arena, &made, &more, b->err));
    const char *name = arena_printf(b->arena, "%s%s", p->prefix, made.name), *branch = "";
    TRY(ALLOCATED(name, b->err));
    b->body_named_bytes += strlen(name);
    if (b->body_named_bytes > MOST_BODY_NAMES)
        return ROOF_OK;
    if (is_if) {
        int64_t condition = 0;
        double work[2];
        TRY(whole_number(b, &p->model, fb_int32_of(&o.inputs, 0), &is_told, &condition));
        TRY(work_of(b, &runs[0], &work[0]));
        TRY(work_of(b, &runs[1], &work[1]));
        const int taken = is_told ? !condition : work[1] > work[0];
        body = &runs[taken];
        branch = branches[taken];
    } else {
        const loop l = {p, &o, runs[0], runs[1]};
        const int32_t goes_on = runs[0].outputs.n == 1 ? fb_int32_of(&runs[0].outputs, 0) : -1;
        TRY(rounds_of_comparison(b, &l, goes_on, 0, &is_known, &rounds));
    }
    const uint64_t n = (uint64_t)(is_known ? rounds : 0) * ((uint64_t)body->operators.n + body->tensors.n);
    const uint32_t n_arguments = o.inputs.n - first;
    if (!is_known || body->inputs.n != n_arguments || body->outputs.n < o.outputs.n ||
        (is_while && body->outputs.n != n_arguments) || b->n_expanded + n > MOST_EXPANDED)
        return ROOF_OK;
    uint32_t *makers;
    TRY(ARENA_GET(b->scratch, makers, (size_t)n_arguments + body->outputs.n, b->err));
    for (uint32_t j = 0; j < n_arguments; j++) {
        const int32_t t = fb_int32_of(&o.inputs, j + first);
        if (t < 0)
            return ROOF_OK;
        makers[j] = p->op_of[t];
    }
    for (int64_t round = 0; round < rounds; round++) {
        const char *prefix = is_if ? arena_printf(b->scratch, "%s/", name)
                                   : arena_printf(b->scratch, "%s/%" PRId64 "/", name, round);
        TRY(ALLOCATED(prefix, b->err));
        TRY(run_part(b, p, body, prefix, makers));
    }
    if (!is_told)
        FIND(&b->graph->storage->found, name, LARGER_BRANCH, AS_TEXT(name), AS_TEXT(branch));
    p->made_by[i] = makers;
    b->notes->n_inlined++;
    return ROOF_OK;
}

/* ---- tensors ---- */

static void note(uint32_t *n, const char **first, const char *name)
{
    if (!(*n)++)
        *first = name;
}

static roof_status set_tensor(builder *b, const part *p, roof_op *op, uint32_t tensor)
{
    extents *shape = &b->shapes[op - b->graph->ops];
    tflite_tensor *more = &b->more[op - b->graph->ops];
    TRY(tflite_tensor_of(&p->model, tensor, b->arena, &op->out, more, b->err));
    if (*p->prefix)
        op->out.name = arena_printf(b->arena, "%s%s", p->prefix, op->out.name);
    TRY(ALLOCATED(op->out.name, b->err));
    shape->n_dims = tflite_has_shape(&op->out) ? op->out.n_dims : ROOF_NONE;
    for (uint32_t i = 0; i < op->out.n_dims; i++)
        shape->dims[i] = !i && more->is_open ? ROOF_UNKNOWN : op->out.dims[i];
    op->name = op->out.name;
    if (more->is_open)
        note(&b->notes->n_open, &b->notes->open, op->name);
    if (p->depth) /* each round has names of its own, so that these may be longer than the file */
        b->body_named_bytes += 2 * strlen(op->name);
    else
        b->named_bytes += strlen(op->name);
    if (b->body_named_bytes > MOST_BODY_NAMES ||
        b->named_bytes / MOST_NAMES_PER_BYTE > b->model->tensors.file_bytes)
        return error_set(b->err, ROOF_E_LIMIT, "names of tensors are longer than the file");
    return ROOF_OK;
}

/* ---- operators ---- */

/* Role of an input; odd: operators whose roles do not follow from their rule. */
static roof_role role_of(const tflite_code *code, uint32_t slot)
{
    enum { SLOTS = 4 };
    static const struct {
        const char *type;
        roof_role roles[SLOTS];
    } odd[] = {
        {"TRANSPOSE_CONV", {ROOF_ROLE_OTHER, ROOF_ROLE_WEIGHTS, ROOF_ROLE_INPUT, ROOF_ROLE_BIAS}},
        {"FULLY_CONNECTED", {ROOF_ROLE_INPUT, ROOF_ROLE_WEIGHTS, ROOF_ROLE_BIAS, ROOF_ROLE_OTHER}},
        {"BATCH_MATMUL", {ROOF_ROLE_INPUT, ROOF_ROLE_INPUT, ROOF_ROLE_OTHER, ROOF_ROLE_OTHER}},
        {"SPLIT", {ROOF_ROLE_OTHER, ROOF_ROLE_INPUT, ROOF_ROLE_OTHER, ROOF_ROLE_OTHER}},
    };
    for (size_t i = 0; i < N_OF(odd); i++)
        if (tflite_is(code, odd[i].type))
            return slot < SLOTS ? odd[i].roles[slot] : ROOF_ROLE_OTHER;
    const bool are_alike = code->rule == ROOF_RULE_BINARY || code->rule == ROOF_RULE_ELTWISE ||
                           code->rule == ROOF_RULE_ALIAS || code->rule == ROOF_RULE_UNKNOWN;
    if (!slot || (are_alike && !tflite_is(code, "RESHAPE")))
        return ROOF_ROLE_INPUT;
    if (are_alike || !rule_has_macs(code->rule))
        return ROOF_ROLE_OTHER;
    return slot == 1 ? ROOF_ROLE_WEIGHTS : slot == 2 ? ROOF_ROLE_BIAS : ROOF_ROLE_OTHER;
}

bool tflite_is_npu(const tflite_operator *op)
{
    return op->code->is_custom && strcmp(op->code->type, NPU_OPERATOR) == 0;
}

#define SUBGRAPH_RUNNERS                                                                                     \
    "CALL IF WHILE CALL_ONCE STABLEHLO_WHILE STABLEHLO_COMPOSITE STABLEHLO_REDUCE STABLEHLO_REDUCE_WINDOW "  \
    "STABLEHLO_SCATTER STABLEHLO_SORT STABLEHLO_CUSTOM_CALL"

static roof_status read_operator(builder *b, const part *p, uint32_t i)
{
    roof_op *op = &b->graph->ops[p->base + i];
    const uint32_t *made_by = p->made_by[i];
    tflite_operator o;
    TRY(tflite_operator_of(&p->model, i, &o, b->err));
    *op = graph_new_op(NULL, o.code->type, made_by ? ROOF_RULE_ALIAS : o.code->rule);
    op->node = p->depth ? ROOF_NONE : i;
    for (uint32_t j = 0; j < o.outputs.n; j++) {
        const int32_t t = fb_int32_of(&o.outputs, j);
        if (t < 0)
            continue;
        roof_op *made = &b->graph->ops[p->op_of[t]];
        if (made != op)
            *made = graph_new_op(NULL, FURTHER_OUTPUT, ROOF_RULE_ALIAS);
        if (made != op || made_by)
            graph_add_edge(b->graph, made, made_by ? made_by[j] : p->base + i, ROOF_ROLE_INPUT);
        TRY(set_tensor(b, p, made, (uint32_t)t));
    }
    if (!op->name) { /* it has no output */
        b->shapes[p->base + i].n_dims = ROOF_NONE;
        op->name = op->out.name = arena_printf(b->arena, "%s%s_%" PRIu32, p->prefix, op->type, i);
        op->out.n_dims = 1;
        op->out.bit_width = 8;
        TRY(ALLOCATED(op->name, b->err));
    }
    if (made_by)
        return ROOF_OK;
    for (uint32_t j = 0; j < o.inputs.n; j++) {
        const int32_t t = fb_int32_of(&o.inputs, j);
        if (t >= 0)
            graph_add_edge(b->graph, op, p->op_of[t], role_of(o.code, j));
    }
    if (tflite_is(o.code, "LEAKY_RELU") && o.options_type) { /* LeakyReluOptions: alpha */
        uint64_t bits;
        TRY(fb_unsigned(&o.options, 0, 4, 0, &bits, b->err));
        const uint32_t low = (uint32_t)bits;
        memcpy(&op->slope, &low, sizeof op->slope);
    }
    if (tflite_is(o.code, SUBGRAPH_RUNNERS))
        note(&b->notes->n_calls, &b->notes->call, op->name);
    b->notes->n_npu += tflite_is_npu(&o);
    return ROOF_OK;
}

/* Tensors that operators read and none makes. Weights may be left out of a file, or lie in another one: a
 * tensor that is no input is a constant all the same. */
static roof_status read_sources(builder *b, const part *p)
{
    const tflite_model *m = &p->model;
    unsigned char *is_input;
    TRY(ARENA_GET(b->scratch, is_input, m->tensors.n, b->err));
    for (uint32_t i = 0; i < m->inputs.n; i++) {
        const int32_t t = fb_int32_of(&m->inputs, i);
        if (t >= 0 && (uint32_t)t < m->tensors.n)
            is_input[t] = 1;
    }
    for (uint32_t t = 0; t < m->tensors.n; t++) {
        const uint32_t i = p->op_of[t];
        if (i == ROOF_NONE || i < p->first_source || i >= p->end_source)
            continue;
        roof_op *op = &b->graph->ops[i];
        *op = graph_new_op(NULL, CONSTANT, ROOF_RULE_CONSTANT);
        TRY(set_tensor(b, p, op, t));
        const tflite_tensor *more = &b->more[i];
        if (!more->has_data && (is_input[t] || more->is_variable || b->notes->n_npu)) {
            op->type = is_input[t] ? INPUT : more->is_variable ? VARIABLE : SCRATCH;
            op->rule = ROOF_RULE_INPUT;
        }
    }
    return ROOF_OK;
}

/* ---- facts that follow from all operators ---- */

/* Constants that are computed with are weights, other ones nothing that is moved. Weights are read as they
 * are stored: what only widens them counts with the bits of what it reads. */
static roof_status set_constants(builder *b, const part *p)
{
    for (uint32_t i = p->base; i < p->base + p->model.operators.n; i++) {
        roof_op *op = &b->graph->ops[i];
        if (op->rule == ROOF_RULE_CONVERT && op->n_inputs && op_is_constant(b->graph, i)) {
            op->out.bit_width = b->graph->ops[b->graph->edges[op->first_input].op].out.bit_width;
            TRY(tflite_set_bytes(&op->out, b->err));
        }
        for (uint32_t j = 0; j < op->n_inputs; j++) {
            roof_edge *edge = &b->graph->edges[op->first_input + j];
            if (edge->role != ROOF_ROLE_INPUT || op->rule == ROOF_RULE_UNKNOWN ||
                !op_is_constant(b->graph, edge->op))
                continue;
            /* of a matrix product the first operand stays its input, which gives the length of its sums */
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
static void take_operand(const builder *b, const part *p, const fb_vector *list, uint32_t j, double *values,
                         extents_operand *out)
{
    enum { MOST_VALUES = 64 };
    const int32_t t = fb_int32_of(list, j);
    *out = (extents_operand){.is_left_out = t < 0};
    if (t < 0)
        return;
    const uint32_t op = p->op_of[t];
    const tflite_tensor *more = &b->more[op];
    const roof_tensor *tensor = &b->graph->ops[op].out;
    const uint32_t width = tensor->bit_width / 8;
    out->name = span_of(tensor->name);
    out->shape = &b->shapes[op];
    if (!values || !more->is_whole || tensor->elements > MOST_VALUES || !tensor->elements ||
        more->data_bytes != tensor->elements * width)
        return;
    out->values = values;
    out->n_values = (uint32_t)tensor->elements;
    for (uint32_t i = 0; i < out->n_values; i++)
        values[i] = (double)whole_at(b->model, more, width, i);
}

static roof_status find_misfit(builder *b, const part *p, uint32_t i, const tflite_operator *o)
{
    enum { SLOTS = 4, MOST_VALUES = 64 }; /* values count in the first inputs alone */
    double values[SLOTS][MOST_VALUES];
    roof_op *op = &b->graph->ops[p->base + i];
    reading r = {.from = o, .err = b->err};
    extents_operand *outputs = b->operands + o->inputs.n;
    extents_misfit found;
    for (uint32_t j = 0; j < o->inputs.n; j++)
        take_operand(b, p, &o->inputs, j, j < SLOTS ? values[j] : NULL, &b->operands[j]);
    for (uint32_t j = 0; j < o->outputs.n; j++)
        take_operand(b, p, &o->outputs, j, NULL, &outputs[j]);
    const extents_call call = {.type = o->code->type,
                               .inputs = b->operands,
                               .outputs = outputs,
                               .n_inputs = o->inputs.n,
                               .n_outputs = o->outputs.n,
                               .numbers = numbers_of,
                               .reader = &r};
    const bool is_misfit =
        !o->code->is_custom && extents_contradict(extents_law_of(o->code->type), &call, &found);
    TRY(r.status);
    if (!is_misfit)
        return ROOF_OK;
    op->rule = ROOF_RULE_MISFIT;
    return extents_tell(&found, op->name, &b->graph->storage->found, b->err);
}

/* ---- rules ---- */

/* Rules of operators whose tensors are known, and windows. A convolution with one channel in each group is a
 * depthwise one. */
static roof_status set_rules(builder *b, const part *p, unsigned char *is_moved)
{
    roof_graph *g = b->graph;
    tflite_operator o;
    for (uint32_t i = 0; i < p->model.operators.n; i++) {
        roof_op *op = &g->ops[p->base + i];
        if (p->made_by[i])
            continue;
        TRY(tflite_operator_of(&p->model, i, &o, b->err));
        op->average = tflite_is(o.code, "AVERAGE_POOL_2D");
        op->interpolates = tflite_is(o.code, "RESIZE_BILINEAR");
        TRY(find_misfit(b, p, i, &o));
        if (op->rule == ROOF_RULE_MISFIT)
            continue;
        if ((rule_computes(op->rule) && !operands_are_known(g, op)) ||
            (tflite_is(o.code, "FULLY_CONNECTED") && !is_product(g, op)))
            op->rule = ROOF_RULE_UNKNOWN;
        TRY(tflite_set_window(g, op, &o, b->err));
    }
    for (uint32_t i = p->base; i < p->base + p->model.operators.n; i++) {
        roof_op *op = &g->ops[i];
        const roof_op *input = op_input(g, op, ROOF_ROLE_INPUT), *w = op_input(g, op, ROOF_ROLE_WEIGHTS);
        if (op->rule == ROOF_RULE_CONV2D && w->out.dims[3] == 1 && input->out.dims[3] > 1 &&
            op->out.dims[3] == input->out.dims[3])
            op->rule = ROOF_RULE_DEPTHWISE;
        if (op->rule == ROOF_RULE_CONV3D) {
            /* weights in the order of dimensions that costs want; several operators may share them */
            FOR_EACH(const roof_edge, edge, g->edges + op->first_input, op->n_inputs) {
                roof_tensor *t = &g->ops[edge->op].out;
                if (edge->role != ROOF_ROLE_WEIGHTS || is_moved[edge->op])
                    continue;
                const uint32_t last = t->dims[t->n_dims - 1];
                memmove(t->dims + 1, t->dims, (t->n_dims - 1) * sizeof *t->dims);
                t->dims[0] = last;
                is_moved[edge->op] = 1;
            }
        }
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
    unsigned char *is_moved;
    graph->storage->found.arena = b.arena;
    part *p;
    TRY(add_operators_of(&b, b.model, "", 0, NULL, &p));
    for (uint32_t k = 0; k < b.n_parts; k++) /* their number grows */
        for (uint32_t i = 0; i < b.parts[k]->model.operators.n; i++)
            TRY(put_in_place(&b, b.parts[k], i));
    TRY(ARENA_GET2(b.scratch, b.more, b.shapes, b.graph->n_ops, b.err));
    TRY(ARENA_GET(b.scratch, b.operands, b.most_operands, b.err));
    TRY(ARENA_GET(b.arena, b.graph->ops, b.graph->n_ops, b.err));
    TRY(ARENA_GET(b.arena, b.graph->edges, b.named, b.err));
    for (uint32_t k = 0; k < b.n_parts; k++)
        for (uint32_t i = 0; i < b.parts[k]->model.operators.n; i++)
            TRY(read_operator(&b, b.parts[k], i));
    for (uint32_t k = 0; k < b.n_parts; k++)
        TRY(read_sources(&b, b.parts[k]));
    for (uint32_t k = 0; k < b.n_parts; k++)
        TRY(set_constants(&b, b.parts[k]));
    TRY(ARENA_GET(b.scratch, is_moved, graph->n_ops, err));
    for (uint32_t k = 0; k < b.n_parts; k++)
        TRY(set_rules(&b, b.parts[k], is_moved));
    TRY(ARENA_GET(b.scratch, order, graph->n_ops, err));
    TRY(graph_topological_order(graph, order, err));
    return op_program_set_layers(graph, order, notes->n_npu ? model->operators.n : 0, err);
}
