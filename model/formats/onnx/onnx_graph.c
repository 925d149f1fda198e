/* Scopes of names, nodes in an order in which they can run, functions and branches: from a model to the
 * operators of a graph. */
#include "core/checked.h"
#include "core/error.h"
#include "core/findings.h"
#include "model/formats/onnx/onnx_model.h"
#include "model/work/onnx_ops.h"
#include "model/work/opmap.h"

#include <string.h>

/* A value that its caller leaves out. */
static const uint32_t ABSENT = ROOF_NONE - 1;

/* ---- operators ---- */

static roof_status add_op(onnx_reader *r, const char *name, const char *type, roof_rule rule, uint32_t *index)
{
    roof_graph *g = r->graph;
    if (g->n_ops == ONNX_MOST_OPS)
        return error_set(r->err, ROOF_E_LIMIT, "more than %d operators and tensors", ONNX_MOST_OPS);
    TRY(ARENA_MORE(r->arena, g->ops, g->n_ops, r->err));
    TRY(ARENA_MORE(r->scratch, r->tensors, g->n_ops, r->err));
    *index = g->n_ops++;
    r->tensors[*index] = (onnx_tensor){.shape.n_dims = ROOF_NONE};
    g->ops[*index] = (roof_op){.name = name,
                               .type = type,
                               .rule = rule,
                               .out.name = name,
                               .node = ROOF_NONE,
                               .first_input = g->n_edges,
                               .stored_workload_ops = ROOF_UNKNOWN,
                               .layer = ROOF_NONE,
                               .subgraph = ROOF_NONE};
    return name ? ROOF_OK : error_memory(r->err);
}

static roof_status add_edge(onnx_reader *r, uint32_t from, uint32_t to, roof_role role)
{
    roof_graph *g = r->graph;
    if (g->n_edges == ONNX_MOST_OPS)
        return error_set(r->err, ROOF_E_LIMIT, "more than %d inputs of operators", ONNX_MOST_OPS);
    TRY(ARENA_MORE(r->arena, g->edges, g->n_edges, r->err));
    g->edges[g->n_edges++] = (roof_edge){from, role};
    g->ops[to].n_inputs++;
    return ROOF_OK;
}

/* Name and prefix as a document has them. */
static const char *name_of(onnx_reader *r, const onnx_scope *scope, text_span name)
{
    if (!scope->prefix[0])
        return arena_name(r->arena, name.text, name.length);
    const char *own = arena_name(r->scratch, name.text, name.length);
    return own ? arena_printf(r->arena, "%s%s", scope->prefix, own) : NULL;
}

/* From the shape of a tensor to that of the graph. */
static roof_status set_output(onnx_reader *r, uint32_t op)
{
    roof_tensor *t = &r->graph->ops[op].out;
    const onnx_tensor *known = &r->tensors[op];
    const uint32_t bits = onnx_element_bits(known->type);
    onnx_forget_shape(t);
    if (known->shape.n_dims == ROOF_NONE || !bits)
        return ROOF_OK;
    checked product = {1, false}; /* of any order of the dimensions, whichever of them are 0 */
    for (uint32_t i = 0; i < known->shape.n_dims; i++)
        product = checked_times(product, known->shape.dims[i] ? known->shape.dims[i] : 1);
    t->elements = onnx_elements(&known->shape);
    if (product.overflow || t->elements == ROOF_UNKNOWN)
        return error_set(r->err, ROOF_E_LIMIT, "the shape of '%.200s' overflows 64 bits", t->name);
    for (uint32_t i = 0; i < known->shape.n_dims; i++) {
        if (known->shape.dims[i] > UINT32_MAX) {
            onnx_forget_shape(t);
            return ROOF_OK;
        }
        t->dims[i] = (uint32_t)known->shape.dims[i];
    }
    t->n_dims = known->shape.n_dims;
    t->bit_width = bits;
    return ROOF_OK;
}

/* ---- scopes ---- */

static roof_status begin_scope(onnx_reader *r, const onnx_scope *outer, const char *prefix, uint32_t depth,
                               uint64_t n_names, onnx_scope *out)
{
    if (depth > ONNX_MOST_DEPTH)
        return error_set(r->err, ROOF_E_LIMIT, "functions and graphs nested deeper than %d", ONNX_MOST_DEPTH);
    *out = (onnx_scope){.outer = outer, .prefix = prefix, .depth = depth};
    if (!(out->names = namemap_new(r->scratch, n_names)))
        return error_memory(r->err);
    TRY(ARENA_GET(r->scratch, out->makers, n_names, r->err));
    return ARENA_GET(r->scratch, out->nodes, n_names, r->err);
}

/* False: the name is there already. */
static bool add_name(onnx_scope *s, text_span name, uint32_t maker, uint32_t node)
{
    if (!namemap_add(s->names, name.text, name.length, s->n_names))
        return false;
    s->makers[s->n_names] = maker;
    s->nodes[s->n_names++] = node;
    return true;
}

/* Where a name is known: its index in that scope; NULL: nowhere. */
static const onnx_scope *find_name(const onnx_scope *s, text_span name, uint32_t *index)
{
    for (; s; s = s->outer)
        if ((*index = namemap_find(s->names, name.text, name.length)) != ROOF_NONE)
            return s;
    return NULL;
}

/* ---- nodes of a message ---- */

static roof_status read_node(onnx_reader *r, const pb_cursor *scope, const pb_field *field, onnx_node *out)
{
    pb_field f;
    roof_status status;
    text_span *names;
    TRY(pb_want(field, PB_BYTES, "node", r->err));
    out->message = pb_enter(scope, field);
    pb_cursor pb = out->message;
    while (pb_each(&pb, &f, &status, r->err)) {
        out->n_inputs += f.number == NODE_INPUT;
        out->n_outputs += f.number == NODE_OUTPUT;
    }
    TRY(status);
    TRY(ARENA_GET(r->scratch, names, (size_t)out->n_inputs + out->n_outputs, r->err));
    out->inputs = names;
    out->outputs = names + out->n_inputs;
    uint32_t n_inputs = 0, n_outputs = out->n_inputs;
    pb = out->message;
    while (pb_each(&pb, &f, &status, r->err)) {
        if (f.number == NODE_INPUT)
            names[n_inputs++] = pb_span(&f);
        else if (f.number == NODE_OUTPUT)
            names[n_outputs++] = pb_span(&f);
        else if (f.number == NODE_NAME)
            out->name = pb_span(&f);
        else if (f.number == NODE_TYPE)
            out->type = pb_span(&f);
        else if (f.number == NODE_DOMAIN)
            out->domain = pb_span(&f);
    }
    if (status == ROOF_OK && !out->type.length)
        return error_at(r->err, ROOF_E_DATA, field->offset, "a node has no type of operator");
    return status;
}

/* The nodes of a graph or a function, and how many names they make. */
static roof_status read_nodes(onnx_reader *r, pb_cursor message, uint32_t number, onnx_node **out,
                              uint32_t *n, uint64_t *n_names)
{
    pb_cursor pb = message;
    pb_field f;
    roof_status status;
    uint64_t count = 0;
    while (pb_each(&pb, &f, &status, r->err))
        count += f.number == number;
    TRY(status);
    if (count > ONNX_MOST_OPS)
        return error_set(r->err, ROOF_E_LIMIT, "more than %d nodes", ONNX_MOST_OPS);
    TRY(ARENA_GET(r->scratch, *out, count, r->err));
    *n = 0;
    while (pb_each(&message, &f, &status, r->err)) {
        if (f.number != number)
            continue;
        TRY(read_node(r, &message, &f, &(*out)[*n]));
        *n_names += (*out)[(*n)++].n_outputs;
    }
    return status;
}

static roof_status name_outputs(onnx_reader *r, onnx_scope *s, const onnx_node *nodes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < nodes[i].n_outputs; k++) {
            const text_span name = nodes[i].outputs[k];
            if (name.length && !add_name(s, name, ROOF_NONE, i))
                return error_at(r->err, ROOF_E_DATA,
                                (uint64_t)(nodes[i].message.next - nodes[i].message.file),
                                "a node of type '%s' makes '%s', which is there already",
                                SHOWN(nodes[i].type), SHOWN(name));
        }
    return ROOF_OK;
}

/* ---- one node ---- */

/* Standard operators, and those that ONNX Runtime adds, have no domain in their names. */
static const onnx_type *type_of(onnx_reader *r, const onnx_node *node, onnx_type *own)
{
    for (uint32_t i = 0; i < r->n_types; i++)
        if (r->types[i].type.length == node->type.length &&
            r->types[i].domain.length == node->domain.length &&
            memcmp(r->types[i].type.text, node->type.text, node->type.length) == 0 &&
            (!node->domain.length ||
             memcmp(r->types[i].domain.text, node->domain.text, node->domain.length) == 0))
            return &r->types[i];
    const bool is_known =
        !node->domain.length || span_is(node->domain, "ai.onnx") || span_is(node->domain, "com.microsoft");
    const char *type = arena_name(r->arena, node->type.text, node->type.length);
    if (!is_known && type) {
        const char *domain = arena_name(r->scratch, node->domain.text, node->domain.length);
        type = domain ? arena_printf(r->arena, "%s.%s", domain, type) : NULL;
    }
    *own = (onnx_type){.type = node->type,
                       .domain = node->domain,
                       .text = type,
                       .rule = type && is_known ? rule_of(type) : ROOF_RULE_UNKNOWN,
                       .op = is_known ? onnx_operator_of(node->type) : NULL,
                       .law = type && is_known ? extents_law_of(type) : NULL};
    if (type && r->n_types < ONNX_MOST_TYPES)
        r->types[r->n_types++] = *own;
    return own;
}

static roof_role role_of(const onnx_type *type, uint32_t slot)
{
    const char *roles = type->op ? type->op->roles : NULL;
    if (!roles)
        return onnx_role(type->rule, slot);
    const char *again = strchr(roles, '+');
    const uint32_t n = (uint32_t)(again ? again - roles : (long)strlen(roles));
    const char role = slot < n ? roles[slot]
                      : again  ? again[1 + (slot - n) % strlen(again + 1)]
                               : roles[n - 1];
    return role == 'i'   ? ROOF_ROLE_INPUT
           : role == 'w' ? ROOF_ROLE_WEIGHTS
           : role == 'b' ? ROOF_ROLE_BIAS
                         : ROOF_ROLE_OTHER;
}

/* What a declaration leaves open: the first dimension, or the last one that is not the first. */
typedef struct open_dimension {
    bool takes_zeros; /* writers that do not know what an operator makes may leave it at 0 */
    bool is_open;
    uint32_t at;
    text_span name;
} open_dimension;

static roof_status read_dimensions(onnx_reader *r, pb_cursor shape, onnx_shape *out, open_dimension *open)
{
    enum { SHAPE_DIM = 1, DIM_VALUE = 1, DIM_NAME = 2 };
    pb_field f, member;
    roof_status status = ROOF_OK, inner = ROOF_OK;
    out->n_dims = 0;
    while (pb_each(&shape, &f, &status, r->err)) {
        if (f.number != SHAPE_DIM || f.wire != PB_BYTES)
            continue;
        pb_cursor dim = pb_enter(&shape, &f);
        uint64_t value = ROOF_UNKNOWN;
        text_span name = {0};
        while (pb_each(&dim, &member, &inner, r->err)) {
            if (member.number == DIM_VALUE && member.wire == PB_VARINT)
                value = member.value;
            else if (member.number == DIM_NAME)
                name = pb_span(&member);
        }
        TRY(inner);
        const uint32_t at = out->n_dims++;
        /* not there, or beyond what a dimension can be */
        const bool is_open = value > UINT32_MAX || (!value && open->takes_zeros);
        if (at < ROOF_MAX_DIMS)
            out->dims[at] = is_open ? ROOF_UNKNOWN : value;
        if (is_open && (!open->is_open || at))
            *open = (open_dimension){open->takes_zeros, true, at, name};
    }
    return status;
}

/* What a type says of an output where nothing is computed from its inputs: the declaration in the file. */
static roof_status read_declared(onnx_reader *r, pb_cursor type, onnx_tensor *out, open_dimension *open)
{
    enum { TYPE_TENSOR = 1, TENSOR_ELEMENT = 1, TENSOR_SHAPE = 2 };
    pb_field f, member;
    roof_status status = ROOF_OK, inner = ROOF_OK;
    while (pb_each(&type, &f, &status, r->err)) {
        if (f.number != TYPE_TENSOR || f.wire != PB_BYTES)
            continue;
        pb_cursor tensor = pb_enter(&type, &f);
        while (pb_each(&tensor, &member, &inner, r->err)) {
            if (member.number == TENSOR_ELEMENT && member.value < 256)
                out->type = (uint32_t)member.value;
            else if (member.number == TENSOR_SHAPE && member.wire == PB_BYTES)
                TRY(read_dimensions(r, pb_enter(&tensor, &member), &out->shape, open));
        }
        TRY(inner);
    }
    if (out->shape.n_dims > ROOF_MAX_DIMS)
        out->shape.n_dims = ROOF_NONE;
    return status;
}

/* What becomes of a dimension that a declaration leaves open. */
typedef enum openness {
    STAYS_OPEN,
    CLOSED, /* an open batch is 1, and any other open dimension leaves the shape unknown */
    CLOSED_AND_TOLD
} openness;

static roof_status read_value_info(onnx_reader *r, const pb_cursor *scope, const pb_field *field,
                                   openness becomes, text_span *name, onnx_tensor *out)
{
    enum { INFO_NAME = 1, INFO_TYPE = 2 };
    pb_field f;
    roof_status status;
    open_dimension open = {.takes_zeros = becomes != CLOSED_AND_TOLD};
    *out = (onnx_tensor){.shape.n_dims = ROOF_NONE};
    *name = (text_span){0};
    TRY(pb_want(field, PB_BYTES, "declaration of a tensor", r->err));
    pb_cursor pb = pb_enter(scope, field);
    while (pb_each(&pb, &f, &status, r->err)) {
        if (f.number == INFO_NAME)
            *name = pb_span(&f);
        else if (f.number == INFO_TYPE && f.wire == PB_BYTES)
            TRY(read_declared(r, pb_enter(&pb, &f), out, &open));
    }
    TRY(status);
    if (!open.is_open || out->shape.n_dims == ROOF_NONE || becomes == STAYS_OPEN)
        return ROOF_OK;
    const char *shown = arena_name(r->scratch, name->text, name->length),
               *what = arena_name(r->scratch, open.name.text, open.name.length);
    if (!shown || !what)
        return error_memory(r->err);
    if (open.at == 0) {
        out->shape.dims[0] = r->open_batch ? r->open_batch : 1;
        r->has_open_batch = true;
        if (becomes == CLOSED_AND_TOLD)
            FIND(&r->found, shown, OPEN_BATCH, AS_TEXT(shown), AS_TEXT(what));
        return ROOF_OK;
    }
    out->shape.n_dims = ROOF_NONE;
    if (becomes == CLOSED_AND_TOLD)
        FIND(&r->found, shown, OPEN_DIMENSION, AS_TEXT(shown), AS_COUNT(open.at + 1), AS_TEXT(what));
    return ROOF_OK;
}

/* Makes an operator of each output but the first, and tells which operator makes what name. */
static roof_status add_outputs(onnx_call *c, onnx_scope *scope, uint32_t op)
{
    onnx_reader *r = c->r;
    const onnx_node *node = c->node;
    const text_span *outputs = node->outputs;
    for (uint32_t i = 0; i < node->n_outputs; i++) {
        uint32_t made = op, at, index;
        if (!outputs[i].length)
            continue;
        const onnx_scope *known = find_name(scope, outputs[i], &at);
        if (i > 0) {
            TRY(add_op(r, name_of(r, scope, outputs[i]), ONNX_OUTPUT, ROOF_RULE_ALIAS, &made));
            TRY(add_edge(r, op, made, ROOF_ROLE_INPUT));
            r->tensors[made].shape = c->shapes[i];
            r->tensors[made].type = c->type;
            r->tensors[made].is_constant = r->tensors[op].is_constant;
        }
        r->tensors[made].is_doubtful = r->tensors[op].is_doubtful;
        if (r->declared &&
            (index = namemap_find(r->declared, outputs[i].text, outputs[i].length)) != ROOF_NONE) {
            const bool is_needed = r->tensors[made].shape.n_dims == ROOF_NONE;
            onnx_tensor declared;
            text_span same;
            TRY(read_value_info(r, &r->main, &r->declarations[index], is_needed ? CLOSED : STAYS_OPEN, &same,
                                &declared));
            if (is_needed) {
                r->tensors[made].shape = declared.shape;
                if (declared.type)
                    r->tensors[made].type = declared.type;
            } else if (node->index != ROOF_NONE) {
                TRY(onnx_compare_declared(c, op, i, &declared.shape));
            }
        }
        TRY(set_output(r, made));
        if (known == scope)
            scope->makers[at] = made;
    }
    return ROOF_OK;
}

/* Makes an operator of a node whose inputs are there. */
static roof_status add_operator(onnx_reader *r, onnx_scope *scope, const onnx_node *node,
                                const onnx_type *type, const uint32_t *inputs)
{
    const text_span *outputs = node->outputs;
    uint32_t op;
    bool all_constant = node->n_inputs > 0;
    const uint32_t n_outputs = node->n_outputs ? node->n_outputs : 1;
    const text_span first = node->n_outputs && outputs[0].length ? outputs[0] : node->type,
                    name = node->name.length ? node->name : first;
    TRY(add_op(r, name_of(r, scope, name), type->text, type->rule, &op));
    for (uint32_t i = 0; i < node->n_inputs; i++) {
        if (inputs[i] == ROOF_NONE)
            continue;
        TRY(add_edge(r, inputs[i], op, role_of(type, i)));
        all_constant = all_constant && r->tensors[inputs[i]].is_constant;
        r->tensors[op].is_doubtful = r->tensors[op].is_doubtful || r->tensors[inputs[i]].is_doubtful;
    }
    r->graph->ops[op].node = node->index;
    r->graph->ops[op].is_unnamed = !node->name.length;
    onnx_call c = {.r = r,
                   .node = node,
                   .op = type->op,
                   .inputs = inputs,
                   .n_inputs = node->n_inputs,
                   .n_outputs = n_outputs};
    TRY(ARENA_GET(r->scratch, c.shapes, n_outputs, r->err));
    for (uint32_t i = 0; i < n_outputs; i++)
        c.shapes[i].n_dims = ROOF_NONE;
    const uint32_t typed_by = type->op && (uint32_t)type->op->type_input < node->n_inputs
                                  ? inputs[type->op->type_input]
                              : node->n_inputs && !type->op ? inputs[0]
                                                            : ROOF_NONE;
    c.type = typed_by != ROOF_NONE ? r->tensors[typed_by].type : 0;
    if (type->op && type->op->result_type && (!type->op->type_input || !c.type))
        c.type = type->op->result_type;
    TRY(onnx_look_for_misfit(&c, type->law, op));
    if (type->op && type->op->shape)
        type->op->shape(&c);
    else if ((type->op || (type->rule != ROOF_RULE_UNKNOWN && !rule_has_macs(type->rule))) &&
             node->n_inputs && onnx_input_shape(&c, 0))
        c.shapes[0] = *onnx_input_shape(&c, 0);
    if (type->op && type->op->value && c.shapes[0].n_dims != ROOF_NONE && !c.values)
        type->op->value(&c);
    TRY(c.status);
    TRY(arena_status(r->scratch, r->err));
    r->graph->ops[op].window = c.window;
    r->tensors[op].zero_pads = c.zero_pads;
    r->tensors[op].order = c.order;
    if (all_constant || type->rule == ROOF_RULE_CONSTANT) {
        r->graph->ops[op].rule = ROOF_RULE_CONSTANT;
        r->tensors[op].is_constant = true;
    }
    r->tensors[op].shape = c.shapes[0];
    r->tensors[op].type = c.type;
    r->tensors[op].values = c.values;
    r->tensors[op].n_values = c.n_values;
    TRY(set_output(r, op));
    return add_outputs(&c, scope, op);
}

/* ---- functions and branches ---- */

static roof_status run_nodes(onnx_reader *r, onnx_scope *scope, const onnx_node *nodes, uint32_t n);

/* What a body makes under this name becomes what the node makes. */
static roof_status bind_output(onnx_reader *r, onnx_scope *scope, const onnx_node *node, uint32_t i,
                               const onnx_scope *body, text_span name)
{
    uint32_t at, mine;
    const onnx_scope *found = find_name(body, name, &at);
    if (!found || found->makers[at] >= ABSENT)
        return error_at(r->err, ROOF_E_DATA, (uint64_t)(node->message.next - node->message.file),
                        "what a node of type '%s' runs has to make '%s', and nothing does", SHOWN(node->type),
                        SHOWN(name));
    if (node->outputs[i].length && find_name(scope, node->outputs[i], &mine) == scope)
        scope->makers[mine] = found->makers[at];
    return ROOF_OK;
}

static roof_status count_expanded(onnx_reader *r, uint32_t n)
{
    r->n_expanded += n;
    return r->n_expanded <= r->most_expanded
               ? ROOF_OK
               : error_set(r->err, ROOF_E_LIMIT, "functions that call functions make more than %llu nodes",
                           (unsigned long long)r->most_expanded);
}

static roof_status call_function(onnx_reader *r, onnx_scope *scope, const onnx_node *node,
                                 const pb_field *field, const uint32_t *inputs)
{
    pb_cursor message = pb_enter(&r->model, field), pb = message;
    pb_field f;
    roof_status status;
    onnx_node *nodes;
    onnx_scope body;
    uint32_t n, n_in = 0, n_out = 0;
    uint64_t n_names = 0;
    TRY(read_nodes(r, message, FUNCTION_NODE, &nodes, &n, &n_names));
    TRY(count_expanded(r, n));
    while (pb_each(&pb, &f, &status, r->err))
        n_names += f.number == FUNCTION_INPUT;
    TRY(status);
    const char *name = name_of(r, scope, node->name.length ? node->name : node->type);
    const char *prefix = name ? arena_printf(r->scratch, "%s/", name) : NULL;
    if (!prefix)
        return error_memory(r->err);
    TRY(begin_scope(r, NULL, prefix, scope->depth + 1, n_names, &body));
    for (pb = message; pb_each(&pb, &f, &status, r->err);)
        if (f.number == FUNCTION_INPUT) {
            const uint32_t maker = n_in < node->n_inputs ? inputs[n_in] : ROOF_NONE;
            add_name(&body, pb_span(&f), maker == ROOF_NONE ? ABSENT : maker, ROOF_NONE);
            n_in++;
        }
    for (uint32_t i = 0; i < n; i++)
        nodes[i].caller = node;
    for (uint32_t i = 0; i < n; i++)
        nodes[i].index = ROOF_NONE;
    TRY(name_outputs(r, &body, nodes, n));
    TRY(run_nodes(r, &body, nodes, n));
    for (pb = message; pb_each(&pb, &f, &status, r->err);)
        if (f.number == FUNCTION_OUTPUT && n_out < node->n_outputs)
            TRY(bind_output(r, scope, node, n_out++, &body, pb_span(&f)));
    return status;
}

static roof_status add_graph(onnx_reader *r, onnx_scope *scope, pb_cursor message, const onnx_node *nodes,
                             uint32_t n);

/* Runs the branch that the condition tells; false in *is_done: it does not. */
static roof_status take_branch(onnx_reader *r, onnx_scope *scope, const onnx_node *node,
                               const uint32_t *inputs, bool *is_done)
{
    onnx_call c = {.r = r, .node = node, .inputs = inputs, .n_inputs = node->n_inputs};
    enum { INFO_NAME = 1 };
    onnx_node *nodes;
    onnx_scope body;
    pb_field f, member;
    roof_status status, inner;
    uint32_t n, n_values, n_out = 0;
    uint64_t n_names = 0;
    const double *condition = onnx_input_values(&c, 0, &n_values);
    if (!condition || n_values != 1 || *condition != *condition)
        return ROOF_OK;
    pb_cursor message =
        onnx_attribute_message(&c, *condition != 0 ? "then_branch" : "else_branch", ATTRIBUTE_GRAPH);
    TRY(c.status);
    if (!message.file)
        return ROOF_OK;
    TRY(read_nodes(r, message, GRAPH_NODE, &nodes, &n, &n_names));
    TRY(count_expanded(r, n));
    for (pb_cursor pb = message; pb_each(&pb, &f, &status, r->err);)
        n_names += f.number == GRAPH_INITIALIZER || f.number == GRAPH_SPARSE_INITIALIZER;
    TRY(begin_scope(r, scope, scope->prefix, scope->depth + 1, n_names, &body));
    for (uint32_t i = 0; i < n; i++) {
        nodes[i].caller = node->caller;
        nodes[i].index = ROOF_NONE;
    }
    TRY(add_graph(r, &body, message, nodes, n));
    for (pb_cursor pb = message; pb_each(&pb, &f, &status, r->err);) {
        if (f.number != GRAPH_OUTPUT || f.wire != PB_BYTES || n_out >= node->n_outputs)
            continue;
        text_span name = {0};
        for (pb_cursor info = pb_enter(&pb, &f); pb_each(&info, &member, &inner, r->err);)
            if (member.number == INFO_NAME)
                name = pb_span(&member);
        TRY(inner);
        TRY(bind_output(r, scope, node, n_out++, &body, name));
    }
    *is_done = true;
    return status;
}

/* The operator that makes each input of a node. */
static roof_status find_inputs(onnx_reader *r, const onnx_scope *scope, const onnx_node *node,
                               uint32_t *inputs)
{
    for (uint32_t i = 0; i < node->n_inputs; i++) {
        uint32_t at;
        const text_span name = node->inputs[i];
        inputs[i] = ROOF_NONE;
        if (!name.length)
            continue;
        const onnx_scope *found = find_name(scope, name, &at);
        if (!found || found->makers[at] == ROOF_NONE)
            return error_at(r->err, ROOF_E_DATA, (uint64_t)(node->message.next - node->message.file),
                            "a node of type '%s' reads '%s', which nothing makes%s", SHOWN(node->type),
                            SHOWN(name), found ? " before it" : "");
        inputs[i] = found->makers[at] == ABSENT ? ROOF_NONE : found->makers[at];
    }
    return ROOF_OK;
}

static bool is_control_flow(text_span type)
{
    return span_is(type, "If") || span_is(type, "Loop") || span_is(type, "Scan");
}

static roof_status add_node(onnx_reader *r, onnx_scope *scope, const onnx_node *node)
{
    uint32_t *inputs, function = ROOF_NONE;
    onnx_type own;
    TRY(ARENA_GET(r->scratch, inputs, node->n_inputs, r->err));
    TRY(find_inputs(r, scope, node, inputs));
    if (r->functions_by_name) {
        const char *key = arena_printf(r->scratch, "%.*s:%.*s", (int)(node->domain.length & 0xffff),
                                       node->domain.length ? node->domain.text : "",
                                       (int)(node->type.length & 0xffff), node->type.text);
        if (!key)
            return error_memory(r->err);
        function = namemap_find(r->functions_by_name, key, strlen(key));
    }
    if (function != ROOF_NONE)
        return call_function(r, scope, node, &r->functions[function], inputs);
    if (!node->domain.length && is_control_flow(node->type)) {
        bool is_done = false;
        if (span_is(node->type, "If"))
            TRY(take_branch(r, scope, node, inputs, &is_done));
        if (is_done)
            return ROOF_OK;
        const char *name = name_of(r, scope, node->name.length ? node->name : node->type);
        if (!name)
            return error_memory(r->err);
        FIND(&r->found, name, CONTROL_FLOW, AS_TEXT(name));
    }
    const onnx_type *type = type_of(r, node, &own);
    return type->text ? add_operator(r, scope, node, type, inputs) : error_memory(r->err);
}

/* Writers put nodes in an order in which they can run; where one did not, what a node reads is made first. */
static roof_status run_nodes(onnx_reader *r, onnx_scope *scope, const onnx_node *nodes, uint32_t n)
{
    enum { WAITS, RUNS, DONE };
    unsigned char *state;
    uint32_t *next, *stack;
    TRY(ARENA_GET(r->scratch, state, n, r->err));
    TRY(ARENA_GET(r->scratch, next, n, r->err));
    TRY(ARENA_GET(r->scratch, stack, n, r->err));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t depth = 0;
        if (state[i] == DONE)
            continue;
        stack[depth++] = i;
        state[i] = RUNS;
        while (depth) {
            const uint32_t at = stack[depth - 1];
            uint32_t before = ROOF_NONE, index;
            while (next[at] < nodes[at].n_inputs && before == ROOF_NONE) {
                const text_span name = nodes[at].inputs[next[at]++];
                if (name.length &&
                    (index = namemap_find(scope->names, name.text, name.length)) != ROOF_NONE &&
                    scope->makers[index] == ROOF_NONE && state[scope->nodes[index]] != DONE)
                    before = scope->nodes[index];
            }
            if (before == ROOF_NONE) {
                TRY(add_node(r, scope, &nodes[at]));
                state[at] = DONE;
                depth--;
            } else if (state[before] == RUNS) {
                return error_at(
                    r->err, ROOF_E_DATA, (uint64_t)(nodes[at].message.next - nodes[at].message.file),
                    "a node of type '%s' reads what is made of its own output", SHOWN(nodes[at].type));
            } else {
                state[before] = RUNS;
                stack[depth++] = before;
            }
        }
    }
    return ROOF_OK;
}

/* ---- graphs ---- */

/* A SparseTensorProto: its values have the name, and it has the shape. */
static roof_status read_sparse(onnx_reader *r, pb_cursor message, onnx_tensor *out, text_span *name)
{
    enum { SPARSE_VALUES = 1, SPARSE_DIMS = 3 };
    pb_field f;
    roof_status status;
    int64_t dims[ROOF_MAX_DIMS];
    uint32_t n = 0;
    *name = (text_span){0};
    *out = (onnx_tensor){.is_constant = true};
    while (pb_each(&message, &f, &status, r->err)) {
        if (f.number == SPARSE_VALUES && f.wire == PB_BYTES)
            TRY(onnx_read_tensor(r, pb_enter(&message, &f), out, name));
        else if (f.number == SPARSE_DIMS)
            TRY(pb_ints(&message, &f, "the shape of a sparse tensor", dims, ROOF_MAX_DIMS, &n, r->err));
    }
    out->values = NULL;
    out->n_values = 0;
    out->shape.n_dims = n <= ROOF_MAX_DIMS ? n : ROOF_NONE;
    for (uint32_t i = 0; i < n && i < ROOF_MAX_DIMS; i++)
        out->shape.dims[i] = dims[i] >= 0 ? (uint64_t)dims[i] : 0;
    return status;
}

static roof_status add_value(onnx_reader *r, onnx_scope *scope, text_span name, const onnx_tensor *tensor)
{
    uint32_t op;
    if (!name.length || namemap_find(scope->names, name.text, name.length) != ROOF_NONE)
        return ROOF_OK; /* an initializer that is listed as an input as well */
    TRY(add_op(r, name_of(r, scope, name), tensor->is_constant ? ONNX_INITIALIZER : ONNX_INPUT,
               tensor->is_constant ? ROOF_RULE_CONSTANT : ROOF_RULE_INPUT, &op));
    r->tensors[op] = *tensor;
    add_name(scope, name, op, ROOF_NONE);
    return set_output(r, op);
}

static roof_status add_graph(onnx_reader *r, onnx_scope *scope, pb_cursor message, const onnx_node *nodes,
                             uint32_t n)
{
    pb_field f;
    roof_status status;
    onnx_tensor tensor;
    text_span name;
    for (pb_cursor pb = message; pb_each(&pb, &f, &status, r->err);) {
        const bool is_sparse = f.number == GRAPH_SPARSE_INITIALIZER;
        if ((f.number != GRAPH_INITIALIZER && !is_sparse) || f.wire != PB_BYTES)
            continue;
        pb_cursor inner = pb_enter(&pb, &f);
        TRY(is_sparse ? read_sparse(r, inner, &tensor, &name) : onnx_read_tensor(r, inner, &tensor, &name));
        TRY(add_value(r, scope, name, &tensor));
    }
    TRY(status);
    for (pb_cursor pb = message; pb_each(&pb, &f, &status, r->err);) {
        if (f.number != GRAPH_INPUT)
            continue;
        TRY(read_value_info(r, &pb, &f, STAYS_OPEN, &name, &tensor));
        if (namemap_find(scope->names, name.text, name.length) != ROOF_NONE)
            continue;
        TRY(read_value_info(r, &pb, &f, CLOSED_AND_TOLD, &name, &tensor));
        TRY(add_value(r, scope, name, &tensor));
    }
    TRY(status);
    TRY(name_outputs(r, scope, nodes, n));
    return run_nodes(r, scope, nodes, n);
}

/* What the file declares of values, for those whose shape does not follow. */
static roof_status note_declarations(onnx_reader *r)
{
    enum { INFO_NAME = 1 };
    pb_field f, member;
    roof_status status, inner;
    uint32_t n = 0;
    for (pb_cursor pb = r->main; pb_each(&pb, &f, &status, r->err);)
        n += f.number == GRAPH_VALUE_INFO || f.number == GRAPH_OUTPUT;
    TRY(status);
    if (!n)
        return ROOF_OK;
    if (!(r->declared = namemap_new(r->scratch, n)))
        return error_memory(r->err);
    TRY(ARENA_GET(r->scratch, r->declarations, n, r->err));
    n = 0;
    for (pb_cursor pb = r->main; pb_each(&pb, &f, &status, r->err);) {
        if ((f.number != GRAPH_VALUE_INFO && f.number != GRAPH_OUTPUT) || f.wire != PB_BYTES)
            continue;
        r->declarations[n] = f;
        for (pb_cursor info = pb_enter(&pb, &f); pb_each(&info, &member, &inner, r->err);)
            if (member.number == INFO_NAME && member.wire == PB_BYTES)
                namemap_add(r->declared, member.data, member.value, n);
        TRY(inner);
        n++;
    }
    return status;
}

roof_status onnx_build_graph(onnx_reader *r)
{
    onnx_node *nodes;
    onnx_scope scope;
    pb_field f;
    roof_status status;
    uint32_t n;
    uint64_t n_names = 0;
    TRY(read_nodes(r, r->main, GRAPH_NODE, &nodes, &n, &n_names));
    for (pb_cursor pb = r->main; pb_each(&pb, &f, &status, r->err);)
        n_names +=
            f.number == GRAPH_INITIALIZER || f.number == GRAPH_SPARSE_INITIALIZER || f.number == GRAPH_INPUT;
    TRY(status);
    r->most_expanded = 65536 + 64 * (uint64_t)n;
    TRY(note_declarations(r));
    TRY(begin_scope(r, NULL, "", 0, n_names, &scope));
    for (uint32_t i = 0; i < n; i++)
        nodes[i].index = i;
    return add_graph(r, &scope, r->main, nodes, n);
}
