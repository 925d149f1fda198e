/* Scopes of names, nodes in an order in which they can run, functions and branches: from a model to the
 * operators of a graph. */
#include "core/findings.h"
#include "model/formats/onnx/onnx_model.h"
#include "model/work/onnx_ops.h"
#include "model/work/opmap.h"

/* A value that its caller leaves out. */
static const uint32_t ABSENT = ROOF_NONE - 1;

/* ---- operators ---- */

static roof_status add_op(onnx_reader *r, const char *name, const char *type, roof_rule rule, uint32_t *index)
{
    roof_graph *g = r->graph;
    TRY(HAS_ROOM(g->n_ops, ONNX_MOST_OPS, r->err, "operators and tensors"));
    TRY(ARENA_MORE(r->arena, g->ops, g->n_ops, r->err));
    TRY(ARENA_MORE(r->scratch, r->tensors, g->n_ops, r->err));
    *index = g->n_ops++;
    r->tensors[*index] = (onnx_tensor){.shape.n_dims = ROOF_NONE};
    g->ops[*index] = graph_new_op(name, type, rule);
    g->ops[*index].first_input = g->n_edges;
    return ALLOCATED(name, r->err);
}

static roof_status add_edge(onnx_reader *r, uint32_t from, uint32_t to, roof_role role)
{
    TRY(HAS_ROOM(r->graph->n_edges, ONNX_MOST_OPS, r->err, "inputs of operators"));
    TRY(ARENA_ADD(r->arena, r->graph->edges, r->graph->n_edges, r->err, (roof_edge){from, role}));
    r->graph->ops[to].n_inputs++;
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
    t->elements = extents_count(&known->shape);
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
    t->is_unknown = false;
    return ROOF_OK;
}

/* ---- scopes ---- */

static roof_status begin_scope(onnx_reader *r, const onnx_scope *outer, const char *prefix, uint32_t depth,
                               uint64_t n_names, onnx_scope *out)
{
    if (depth > ONNX_MOST_DEPTH)
        return error_set(r->err, ROOF_E_LIMIT, "functions and graphs nested deeper than %d", ONNX_MOST_DEPTH);
    *out = (onnx_scope){.outer = outer, .prefix = prefix, .depth = depth};
    TRY(ALLOCATED(out->names = namemap_new(r->scratch, (size_t)n_names), r->err));
    TRY(ARENA_GET(r->scratch, out->makers, n_names, r->err));
    return ARENA_GET(r->scratch, out->nodes, n_names, r->err);
}

/* False: the name is there already. */
static bool add_name(onnx_scope *s, text_span name, uint32_t maker, uint32_t node)
{
    if (!s->makers || !namemap_add(s->names, name.text, name.length, s->n_names))
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
    return status == ROOF_OK && !out->type.length
               ? error_at(r->err, ROOF_E_DATA, field->offset, "a node has no type of operator")
               : status;
}

/* The nodes of a graph or a function, and how many names it has: of its inputs, its initializers, and of what
 * the nodes make. */
static roof_status read_nodes(onnx_reader *r, pb_cursor message, bool is_graph, onnx_node **out, uint32_t *n,
                              uint64_t *n_names)
{
    const uint32_t number = is_graph ? GRAPH_NODE : FUNCTION_NODE;
    pb_field f;
    roof_status status;
    *out = NULL;
    *n = 0;
    *n_names = 0;
    while (pb_each(&message, &f, &status, r->err)) {
        *n_names += is_graph ? f.number == GRAPH_INITIALIZER || f.number == GRAPH_SPARSE_INITIALIZER ||
                                   f.number == GRAPH_INPUT
                             : f.number == FUNCTION_INPUT;
        if (f.number != number)
            continue;
        onnx_node node = {.n_inputs = 0};
        TRY(HAS_ROOM(*n, ONNX_MOST_OPS, r->err, "nodes"));
        TRY(read_node(r, &message, &f, &node));
        *n_names += node.n_outputs;
        TRY(ARENA_ADD(r->scratch, *out, *n, r->err, node));
    }
    return status;
}

/* Something is wrong with a node, at its place in the file. */
#define fail_node(r, node, format, ...)                                                                      \
    error_at((r)->err, ROOF_E_DATA, (uint64_t)((node)->message.next - (node)->message.file), format,         \
             SHOWN((node)->type), __VA_ARGS__)

static roof_status name_outputs(onnx_reader *r, onnx_scope *s, const onnx_node *nodes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < nodes[i].n_outputs; k++) {
            const text_span name = nodes[i].outputs[k];
            if (name.length && !add_name(s, name, ROOF_NONE, i))
                return fail_node(r, &nodes[i], "a node of type '%s' makes '%s', which is there already",
                                 SHOWN(name));
        }
    return ROOF_OK;
}

/* Lets an output of the node be made by that operator. */
static void bind_maker(onnx_scope *scope, const onnx_node *node, uint32_t i, uint32_t maker)
{
    uint32_t mine = 0;
    if (i < node->n_outputs && node->outputs[i].length && find_name(scope, node->outputs[i], &mine) == scope)
        scope->makers[mine] = maker;
}

/* ---- one node ---- */

/* True if the name of an unknown operator suggests that it keeps shapes. */
static bool sounds_alike(text_span type)
{
    static const char *const words[] = {"Quant", "Norm",  "Relu", "ReLU",    "Gelu",       "GELU", "Silu",
                                        "SiLU",  "Swish", "Mish", "Sigmoid", "Activation", "Tanh", "Clip"};
    size_t i = 0;
    while (i < N_OF(words) && !span_has(type, words[i]))
        i++;
    return i < N_OF(words);
}

/* Standard operators, and those that ONNX Runtime and tools of quantisation add, have no domain in their
 * names. */
static const onnx_type *type_of(onnx_reader *r, const onnx_node *node, onnx_type *own)
{
    for (uint32_t i = 0; i < r->n_types; i++)
        if (span_same(r->types[i].type, node->type) && span_same(r->types[i].domain, node->domain))
            return &r->types[i];
    static const char *const domains[] = {"ai.onnx", "com.microsoft", "qonnx.custom_op.general",
                                          "finn.custom_op.general", "onnx.brevitas"};
    const bool is_known = !node->domain.length || SPAN_IS_ONE_OF(domains, node->domain);
    const char *type = arena_name(r->arena, node->type.text, node->type.length);
    if (!is_known && type) {
        const char *domain = arena_name(r->scratch, node->domain.text, node->domain.length);
        type = domain ? arena_printf(r->arena, "%s.%s", domain, type) : NULL;
    }
    *own = (onnx_type){.type = node->type,
                       .domain = node->domain,
                       .text = type,
                       .rule = type ? rule_of(type) : ROOF_RULE_UNKNOWN,
                       .op = type && is_known ? onnx_operator_of(type) : NULL,
                       .law = type && is_known ? extents_law_of(type) : NULL};
    own->keeps_shape = !own->op && own->rule == ROOF_RULE_UNKNOWN && sounds_alike(node->type);
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

static roof_status read_dimensions(onnx_reader *r, pb_cursor shape, onnx_shape *out, onnx_open *open)
{
    enum { SHAPE_DIM = 1, DIM_VALUE = 1, DIM_NAME = 2 };
    pb_field f, number, name;
    roof_status status;
    out->n_dims = 0;
    while (pb_each(&shape, &f, &status, r->err)) {
        if (f.number != SHAPE_DIM || f.wire != PB_BYTES)
            continue;
        TRY(PB_FIND(pb_enter(&shape, &f), r->err, {DIM_VALUE, &number}, {DIM_NAME, &name}));
        const uint64_t value = number.number && number.wire == PB_VARINT ? number.value : ROOF_UNKNOWN;
        const uint32_t at = out->n_dims++;
        /* not there, or beyond what a dimension can be */
        const bool is_open = value > UINT32_MAX || (!value && open->takes_zeros);
        if (at < ROOF_MAX_DIMS) {
            out->dims[at] = is_open ? ROOF_UNKNOWN : value;
            open->names[at] = pb_span(&name);
        }
        if (is_open && (!open->is_open || at)) {
            open->is_open = true;
            open->at = at;
        }
    }
    open->n_dims = out->n_dims;
    return status;
}

/* Reads the declared type of an output, which counts where nothing is computed from its inputs. */
static roof_status read_declared(onnx_reader *r, pb_cursor type, onnx_tensor *out, onnx_open *open)
{
    enum { TYPE_TENSOR = 1, TENSOR_ELEMENT = 1, TENSOR_SHAPE = 2 };
    pb_field tensor, element, shape;
    TRY(PB_FIND(type, r->err, {TYPE_TENSOR, &tensor}));
    const pb_cursor inside = pb_enter(&type, &tensor);
    TRY(PB_FIND(inside, r->err, {TENSOR_ELEMENT, &element}, {TENSOR_SHAPE, &shape}));
    if (element.value < 256)
        out->type = (uint32_t)element.value;
    if (shape.data)
        TRY(read_dimensions(r, pb_enter(&inside, &shape), &out->shape, open));
    if (out->shape.n_dims > ROOF_MAX_DIMS)
        out->shape.n_dims = ROOF_NONE;
    return ROOF_OK;
}

/* Treatment of a dimension that a declaration leaves open. */
typedef enum openness {
    STAYS_OPEN,
    CLOSED, /* an open batch is 1, and any other open dimension leaves the shape unknown */
    CLOSED_AND_TOLD
} openness;

static roof_status read_value_info(onnx_reader *r, const pb_cursor *scope, const pb_field *field,
                                   openness becomes, text_span *name, onnx_tensor *out)
{
    pb_field label, type;
    onnx_open open = {.takes_zeros = becomes != CLOSED_AND_TOLD};
    *out = (onnx_tensor){.shape.n_dims = ROOF_NONE};
    TRY(pb_want(field, PB_BYTES, "declaration of a tensor", r->err));
    const pb_cursor info = pb_enter(scope, field);
    TRY(PB_FIND(info, r->err, {DECLARED_NAME, &label}, {DECLARED_TYPE, &type}));
    *name = pb_span(&label);
    if (type.data)
        TRY(read_declared(r, pb_enter(&info, &type), out, &open));
    if (out->shape.n_dims != ROOF_NONE && becomes == CLOSED_AND_TOLD)
        TRY(onnx_give_shape(r, *name, &out->shape, &open));
    if (!open.is_open || out->shape.n_dims == ROOF_NONE || becomes == STAYS_OPEN)
        return ROOF_OK;
    const text_span dimension = open.names[open.at];
    const char *shown = arena_name(r->scratch, name->text, name->length),
               *what = arena_name(r->scratch, dimension.text, dimension.length);
    TRY(ALLOCATED(shown && what, r->err));
    if (open.at == 0) {
        out->shape.dims[0] = r->open_batch ? r->open_batch : 1;
        r->has_open_batch = true;
        if (becomes == CLOSED_AND_TOLD)
            FIND(&r->found, shown, OPEN_BATCH, AS_TEXT(shown), AS_TEXT(what));
        return ROOF_OK;
    }
    if (becomes == CLOSED_AND_TOLD)
        TRY(onnx_say_open(r, *name, &out->shape, &open));
    out->shape.n_dims = ROOF_NONE;
    return ROOF_OK;
}

/* Makes an operator of each output but the first, and notes which operator makes what name. */
static roof_status add_outputs(onnx_call *c, onnx_scope *scope, uint32_t op, bool keeps_shape)
{
    onnx_reader *r = c->r;
    const onnx_node *node = c->node;
    const text_span *outputs = node->outputs;
    for (uint32_t i = 0; i < node->n_outputs; i++) {
        uint32_t made = op, index;
        if (!outputs[i].length)
            continue;
        if (i > 0) {
            TRY(add_op(r, name_of(r, scope, outputs[i]), ONNX_OUTPUT, ROOF_RULE_ALIAS, &made));
            TRY(add_edge(r, op, made, ROOF_ROLE_INPUT));
            r->tensors[made].shape = c->shapes[i];
            r->tensors[made].type = c->op && c->op->other_type ? c->op->other_type : r->tensors[op].type;
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
        if (i == 0 && r->tensors[made].shape.n_dims == ROOF_NONE && keeps_shape && node->n_inputs &&
            onnx_input_shape(c, 0))
            r->tensors[made].shape = *onnx_input_shape(c, 0);
        TRY(set_output(r, made));
        bind_maker(scope, node, i, made);
    }
    return ROOF_OK;
}

/* Shapes and values of what a call makes, and what its attributes alone tell of the operator. */
static void infer_outputs(onnx_call *c, const onnx_type *type, roof_op *op)
{
    static const char *const leaky[] = {"LeakyRelu", "QLinearLeakyRelu"}, *const between[] = {"linear",
                                                                                              "cubic"};
    const bool has_rule = type->op && (type->op->shape || type->op->makes),
               is_known = type->op || (type->rule != ROOF_RULE_UNKNOWN && !rule_has_macs(type->rule));
    c->in = onnx_input_shape(c, 0);
    if (type->op && type->op->shape)
        type->op->shape(c);
    if (type->op && type->op->makes)
        onnx_make_shapes(c, type->op->makes);
    if (!has_rule && is_known && c->in)
        c->shapes[0] = *c->in;
    if (type->op && type->op->value && c->shapes[0].n_dims != ROOF_NONE && !c->made->values)
        type->op->value(c);
    op->window = c->window;
    op->macs = c->macs;
    if (type->op && type->op->tells_macs && (!c->macs || c->macs == ROOF_UNKNOWN))
        op->rule = ROOF_RULE_UNKNOWN;
    op->interpolates = SPAN_IS_ONE_OF(between, onnx_attribute_text(c, "mode"));
    if (SPAN_IS_ONE_OF(leaky, c->node->type)) {
        double slope = 0.01; /* where nothing is said */
        onnx_attribute_floats(c, "alpha", &slope, 1);
        op->slope = (float)slope;
    }
}

/* Makes an operator of a node whose inputs are there. */
static roof_status add_operator(onnx_reader *r, onnx_scope *scope, const onnx_node *node,
                                const onnx_type *type, const uint32_t *inputs)
{
    uint32_t op = 0;
    bool all_constant = node->n_inputs > 0;
    const uint32_t n_outputs = node->n_outputs ? node->n_outputs : 1;
    const text_span first = node->n_outputs && node->outputs[0].length ? node->outputs[0] : node->type,
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
    c.made = &r->tensors[op];
    c.made->type = typed_by != ROOF_NONE ? r->tensors[typed_by].type : 0;
    if (type->op && type->op->result_type && (!type->op->type_input || !c.made->type))
        c.made->type = type->op->result_type;
    TRY(onnx_look_for_misfit(&c, type, op));
    infer_outputs(&c, type, &r->graph->ops[op]);
    TRY(c.status);
    TRY(arena_status(r->scratch, r->err));
    if (all_constant || type->rule == ROOF_RULE_CONSTANT) {
        r->graph->ops[op].rule = ROOF_RULE_CONSTANT;
        c.made->is_constant = true;
    }
    c.made->shape = c.shapes[0];
    TRY(set_output(r, op));
    return add_outputs(&c, scope, op, type->keeps_shape);
}

/* ---- functions and branches ---- */

static roof_status run_nodes(onnx_reader *r, onnx_scope *scope, const onnx_node *nodes, uint32_t n);

/* Who makes the value of this name in what a node runs. */
static roof_status find_made(onnx_reader *r, const onnx_node *node, const onnx_scope *body, text_span name,
                             uint32_t *maker)
{
    uint32_t at;
    const onnx_scope *found = find_name(body, name, &at);
    if (!found || found->makers[at] >= ABSENT)
        return fail_node(r, node, "what a node of type '%s' runs has to make '%s', and nothing does",
                         SHOWN(name));
    *maker = found->makers[at];
    return ROOF_OK;
}

static roof_status add_graph(onnx_reader *r, onnx_scope *scope, pb_cursor message, const onnx_node *nodes,
                             uint32_t n);

/* One run of a function, or of a graph in an attribute: what its inputs are, and who makes its outputs. */
typedef struct body_run {
    pb_cursor message;
    bool is_function; /* it sees nothing of where it is called but the attributes of the node */
    const char *prefix;
    const uint32_t *inputs; /* makers; NULL: it has none of its own */
    uint32_t n_inputs;
    uint32_t *outputs; /* makers, of n_outputs; what nothing makes is refused */
    uint32_t n_outputs, made;
} body_run;

roof_status onnx_name_of_value(pb_cursor info, text_span *out, roof_error *err)
{
    pb_field name;
    TRY(PB_FIND(info, err, {DECLARED_NAME, &name}));
    *out = pb_span(&name);
    return ROOF_OK;
}

const char *onnx_function_key(onnx_reader *r, text_span domain, text_span name)
{
    return arena_printf(r->scratch, "%.*s:%.*s", (int)(domain.length & 0xffff),
                        domain.length ? domain.text : "", (int)(name.length & 0xffff),
                        name.length ? name.text : "");
}

/* The next input or output of a body, and its name. */
static bool next_value(onnx_reader *r, const body_run *run, pb_cursor *pb, bool is_output, text_span *name,
                       roof_status *status)
{
    const uint32_t number = run->is_function ? (is_output ? FUNCTION_OUTPUT : FUNCTION_INPUT)
                            : is_output      ? GRAPH_OUTPUT
                                             : GRAPH_INPUT;
    pb_field f;
    while (pb_each(pb, &f, status, r->err)) {
        if (f.number != number || (!run->is_function && f.wire != PB_BYTES))
            continue;
        *name = pb_span(&f);
        if (!run->is_function)
            *status = onnx_name_of_value(pb_enter(pb, &f), name, r->err);
        return *status == ROOF_OK;
    }
    return false;
}

static roof_status run_body(onnx_reader *r, const onnx_scope *scope, const onnx_node *node, body_run *run)
{
    onnx_node *nodes;
    onnx_scope body = {0};
    roof_status status;
    text_span name;
    uint32_t n, n_in = 0;
    uint64_t n_names;
    TRY(read_nodes(r, run->message, !run->is_function, &nodes, &n, &n_names));
    r->n_expanded += n;
    if (r->n_expanded > r->most_expanded)
        return error_set(r->err, ROOF_E_LIMIT, "functions that call functions make more than %llu nodes",
                         (unsigned long long)r->most_expanded);
    TRY(begin_scope(r, run->is_function ? NULL : scope, run->prefix, scope->depth + 1, n_names, &body));
    for (pb_cursor pb = run->message; next_value(r, run, &pb, false, &name, &status); n_in++) {
        const uint32_t maker = n_in < run->n_inputs ? run->inputs[n_in] : ROOF_NONE;
        if (run->is_function || n_in < run->n_inputs)
            add_name(&body, name, maker == ROOF_NONE ? ABSENT : maker, ROOF_NONE);
    }
    TRY(status);
    for (uint32_t i = 0; i < n; i++) {
        nodes[i].caller = run->is_function ? node : node->caller;
        nodes[i].index = ROOF_NONE;
    }
    if (run->is_function) {
        TRY(name_outputs(r, &body, nodes, n));
        TRY(run_nodes(r, &body, nodes, n));
    } else {
        TRY(add_graph(r, &body, run->message, nodes, n));
    }
    run->made = 0;
    for (pb_cursor pb = run->message;
         run->made < run->n_outputs && next_value(r, run, &pb, true, &name, &status);)
        TRY(find_made(r, node, &body, name, &run->outputs[run->made++]));
    return status;
}

static roof_status call_function(onnx_reader *r, onnx_scope *scope, const onnx_node *node,
                                 const pb_field *field, const uint32_t *inputs)
{
    const char *name = name_of(r, scope, node->name.length ? node->name : node->type);
    body_run run = {.message = pb_enter(&r->model, field),
                    .is_function = true,
                    .prefix = name ? arena_printf(r->scratch, "%s/", name) : NULL,
                    .inputs = inputs,
                    .n_inputs = node->n_inputs,
                    .n_outputs = node->n_outputs};
    TRY(ALLOCATED(run.prefix, r->err));
    TRY(ARENA_GET(r->scratch, run.outputs, node->n_outputs, r->err));
    TRY(run_body(r, scope, node, &run));
    for (uint32_t i = 0; i < run.made; i++)
        bind_maker(scope, node, i, run.outputs[i]);
    return ROOF_OK;
}

/* Work of the operators from first on, roughly: enough to find the larger of two. */
static double work_from(const onnx_reader *r, uint32_t first)
{
    const roof_graph *g = r->graph;
    double sum = 0;
    for (uint32_t i = first; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        const onnx_shape *w = op->n_inputs > 1 ? &r->tensors[g->edges[op->first_input + 1].op].shape : NULL,
                         *in = op->n_inputs ? &r->tensors[g->edges[op->first_input].op].shape : NULL;
        double each = 1;
        if (op->rule == ROOF_RULE_MATMUL && in && in->n_dims != ROOF_NONE && in->n_dims)
            each = (double)in->dims[in->n_dims - 1];
        else if (rule_has_macs(op->rule) && w && w->n_dims != ROOF_NONE && w->n_dims && w->dims[0])
            each = (double)extents_count(w) / (double)w->dims[0];
        sum += !rule_computes(op->rule) ? 0 : op->macs ? (double)op->macs : each * (double)op->out.elements;
    }
    return sum;
}

/* How far a graph is built, and back to there. */
typedef struct built {
    uint32_t n_ops, n_edges, n_misfits, n_found;
} built;

static built built_of(const onnx_reader *r)
{
    return (built){r->graph->n_ops, r->graph->n_edges, r->n_misfits, r->found.n};
}

static void go_back(onnx_reader *r, const built *to)
{
    r->graph->n_ops = to->n_ops;
    r->graph->n_edges = to->n_edges;
    r->n_misfits = to->n_misfits;
    r->found.n = to->n_found;
}

/* An If: the branch that the condition takes, else the one with more work. */
static roof_status take_branch(onnx_reader *r, onnx_scope *scope, const onnx_node *node,
                               const uint32_t *inputs, bool *is_done)
{
    static const char *const branches[] = {"else_branch", "then_branch"};
    onnx_call c = {.r = r, .node = node, .inputs = inputs, .n_inputs = node->n_inputs};
    body_run runs[2] = {{.prefix = scope->prefix}, {.prefix = scope->prefix}};
    double work[2] = {0};
    uint32_t n_values;
    const double *condition = onnx_input_values(&c, 0, &n_values);
    const bool is_known = condition && n_values == 1 && !isnan(*condition);
    for (int b = 0; b < 2; b++) {
        runs[b].message = onnx_attribute_message(&c, branches[b], ATTRIBUTE_GRAPH);
        runs[b].n_outputs = node->n_outputs;
        TRY(c.status);
        TRY(ARENA_GET(r->scratch, runs[b].outputs, node->n_outputs, r->err));
    }
    int taken = is_known && *condition != 0;
    if (!runs[taken].message.file || (!is_known && !runs[1].message.file))
        return ROOF_OK;
    const built before = built_of(r);
    for (int b = 0; b < 2 && !is_known; b++) {
        TRY(run_body(r, scope, node, &runs[b]));
        work[b] = work_from(r, before.n_ops);
        go_back(r, &before);
    }
    taken = is_known ? taken : work[1] > work[0];
    TRY(run_body(r, scope, node, &runs[taken]));
    for (uint32_t i = 0; i < runs[taken].made; i++)
        bind_maker(scope, node, i, runs[taken].outputs[i]);
    const char *name = name_of(r, scope, node->name.length ? node->name : node->type);
    TRY(ALLOCATED(name, r->err));
    if (!is_known)
        FIND(&r->found, name, LARGER_BRANCH, AS_TEXT(name), AS_TEXT(branches[taken]));
    *is_done = true;
    return ROOF_OK;
}

/* A value that is made of what another operator makes, for a body or behind it. */
static roof_status add_made(onnx_reader *r, const char *name, const char *type, roof_rule rule, uint32_t from,
                            const onnx_tensor *tensor, uint32_t *out)
{
    TRY(add_op(r, name, type, rule, out));
    if (from != ROOF_NONE)
        TRY(add_edge(r, from, *out, ROOF_ROLE_INPUT));
    r->tensors[*out] = *tensor;
    r->tensors[*out].values = tensor->is_constant ? tensor->values : NULL;
    return set_output(r, *out);
}

/* Inputs of a Loop are the number of rounds and whether it goes on, and states; of a Scan states, and what it
 * goes over. Outputs of a body: whether it goes on, of a Loop; states; what is collected. */
typedef struct round_law {
    uint32_t head, n_states, n_scanned;
    uint32_t n_rounds;
} round_law;

enum { MOST_ROUNDS = 4096 };

static bool rounds_of_loop(const onnx_call *c, round_law *out)
{
    uint32_t n_most, n_goes;
    const double *most = onnx_input_values(c, 0, &n_most), *goes_on = onnx_input_values(c, 1, &n_goes);
    const bool stops =
        c->n_inputs > 1 && c->inputs[1] != ROOF_NONE && !(goes_on && n_goes == 1 && *goes_on != 0);
    if (c->n_inputs < 2 || !most || n_most != 1 || !(*most >= 0 && *most <= MOST_ROUNDS) || stops)
        return false;
    *out = (round_law){.head = 2, .n_states = c->n_inputs - 2, .n_rounds = (uint32_t)*most};
    return true;
}

static bool rounds_of_scan(onnx_call *c, round_law *out)
{
    const int64_t n = onnx_attribute_int(c, "num_scan_inputs", 0);
    if (n < 1 || n > c->n_inputs || c->r->opset < 9 || onnx_attribute(c, "scan_input_axes").number ||
        onnx_attribute(c, "scan_output_axes").number)
        return false;
    *out = (round_law){.n_states = c->n_inputs - (uint32_t)n, .n_scanned = (uint32_t)n};
    for (uint32_t i = out->n_states; i < c->n_inputs; i++) {
        const onnx_shape *in = onnx_input_shape(c, i);
        if (!in || !in->n_dims || in->dims[0] > MOST_ROUNDS ||
            (i > out->n_states && out->n_rounds != in->dims[0]))
            return false;
        out->n_rounds = (uint32_t)in->dims[0];
    }
    return true;
}

/* Values of one round alone: its number, and its part of scanned inputs. */
static roof_status begin_round(onnx_reader *r, const onnx_call *c, const round_law *law, const char *prefix,
                               uint32_t round, uint32_t *makers)
{
    double *value = NEW_ARRAY(r->scratch, double, 2);
    TRY(ALLOCATED(value && prefix, r->err));
    value[0] = round;
    value[1] = 1;
    for (uint32_t i = 0; i < law->head; i++) {
        const onnx_tensor one = {
            .type = i ? TYPE_BOOL : TYPE_INT64, .values = value + i, .n_values = 1, .is_constant = true};
        TRY(add_made(r, arena_printf(r->arena, "%s%s", prefix, i ? "goes_on" : "round"), ONNX_INITIALIZER,
                     ROOF_RULE_CONSTANT, ROOF_NONE, &one, &makers[i]));
    }
    for (uint32_t i = law->n_states; i < c->n_inputs && law->n_scanned; i++) {
        onnx_tensor part = r->tensors[c->inputs[i]];
        part.is_constant = false;
        part.shape.n_dims--;
        memmove(part.shape.dims, part.shape.dims + 1, part.shape.n_dims * sizeof *part.shape.dims);
        TRY(add_made(r, arena_printf(r->arena, "%spart%u", prefix, i), "Slice", ROOF_RULE_MOVE, c->inputs[i],
                     &part, &makers[i]));
    }
    return ROOF_OK;
}

/* States of the last round, and what all rounds made one after the other. */
static roof_status bind_rounds(onnx_reader *r, onnx_scope *scope, const onnx_node *node, const round_law *law,
                               const body_run *run)
{
    for (uint32_t i = 0; i < node->n_outputs; i++) {
        const uint32_t from = i + (law->head ? 1 : 0);
        if (i < law->n_states) {
            bind_maker(scope, node, i, run->inputs[law->head + i]);
        } else if (law->n_rounds && from < run->made) {
            onnx_tensor all = r->tensors[run->outputs[from]];
            uint32_t made;
            all.is_constant = false;
            if (all.shape.n_dims < ROOF_MAX_DIMS) {
                memmove(all.shape.dims + 1, all.shape.dims, all.shape.n_dims * sizeof *all.shape.dims);
                all.shape.dims[0] = law->n_rounds;
                all.shape.n_dims++;
            } else {
                all.shape.n_dims = ROOF_NONE;
            }
            TRY(add_made(r, name_of(r, scope, node->outputs[i]), "Concat", ROOF_RULE_ALIAS,
                         run->outputs[from], &all, &made));
            bind_maker(scope, node, i, made);
        } else if (node->outputs[i].length) {
            return fail_node(r, node, "a node of type '%s' that runs nothing has to make '%s'",
                             SHOWN(node->outputs[i]));
        }
    }
    return ROOF_OK;
}

/* A Loop or a Scan whose number of rounds the file states is the operators of all rounds. */
static roof_status unroll(onnx_reader *r, onnx_scope *scope, const onnx_node *node, const uint32_t *inputs,
                          bool *is_done)
{
    onnx_call c = {.r = r, .node = node, .inputs = inputs, .n_inputs = node->n_inputs};
    body_run run = {.message = onnx_attribute_message(&c, "body", ATTRIBUTE_GRAPH),
                    .n_inputs = node->n_inputs};
    round_law law;
    uint32_t *makers;
    const bool is_told = span_is(node->type, "Loop") ? rounds_of_loop(&c, &law) : rounds_of_scan(&c, &law);
    TRY(c.status);
    if (!run.message.file || !is_told)
        return ROOF_OK;
    const built before = built_of(r);
    const uint64_t n_expanded = r->n_expanded, room = r->most_expanded - r->n_expanded;
    const uint32_t first = law.head ? 1 : 0; /* of outputs of the body that are the node's */
    const char *name = name_of(r, scope, node->name.length ? node->name : node->type);
    run.n_outputs = node->n_outputs + first;
    TRY(ARENA_GET(r->scratch, makers, node->n_inputs, r->err));
    TRY(ARENA_GET(r->scratch, run.outputs, (size_t)run.n_outputs + 1, r->err));
    TRY(ALLOCATED(name, r->err));
    for (uint32_t i = 0; i < node->n_inputs; i++)
        makers[i] = inputs[i] == ROOF_NONE ? ABSENT : inputs[i];
    run.inputs = makers;
    for (uint32_t round = 0; round < law.n_rounds; round++) {
        run.prefix = arena_printf(r->scratch, "%s/%u/", name, round);
        TRY(begin_round(r, &c, &law, run.prefix, round, makers));
        TRY(run_body(r, scope, node, &run));
        const bool may_end = first && run.made && !r->tensors[run.outputs[0]].is_constant;
        if (may_end || (!round && (r->n_expanded - n_expanded) * law.n_rounds > room)) {
            go_back(r, &before); /* earlier than the file says, or too long to be written out */
            return ROOF_OK;
        }
        for (uint32_t i = 0; i < law.n_states && i + first < run.made; i++)
            makers[law.head + i] = run.outputs[i + first];
    }
    *is_done = true;
    return bind_rounds(r, scope, node, &law, &run);
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
            return fail_node(r, node, "a node of type '%s' reads '%s', which nothing makes%s", SHOWN(name),
                             found ? " before it" : "");
        inputs[i] = found->makers[at] == ABSENT ? ROOF_NONE : found->makers[at];
    }
    return ROOF_OK;
}

static roof_status add_node(onnx_reader *r, onnx_scope *scope, const onnx_node *node)
{
    static const char *const control_flow[] = {"If", "Loop", "Scan"};
    uint32_t *inputs, function = ROOF_NONE;
    onnx_type own;
    TRY(ARENA_GET(r->scratch, inputs, node->n_inputs, r->err));
    TRY(find_inputs(r, scope, node, inputs));
    if (r->functions_by_name) {
        const char *key = onnx_function_key(r, node->domain, node->type);
        TRY(ALLOCATED(key, r->err));
        function = namemap_find(r->functions_by_name, key, strlen(key));
    }
    if (function != ROOF_NONE)
        return call_function(r, scope, node, &r->functions[function], inputs);
    if (!node->domain.length && SPAN_IS_ONE_OF(control_flow, node->type)) {
        bool is_done = false;
        TRY(span_is(node->type, "If") ? take_branch(r, scope, node, inputs, &is_done)
                                      : unroll(r, scope, node, inputs, &is_done));
        if (is_done)
            return ROOF_OK;
        const char *name = name_of(r, scope, node->name.length ? node->name : node->type);
        TRY(ALLOCATED(name, r->err));
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
    TRY(ARENA_GET3(r->scratch, state, next, stack, n, r->err));
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

/* Notes the file's declarations, for values whose shape does not follow. */
static roof_status note_declarations(onnx_reader *r)
{
    pb_field f;
    roof_status status;
    text_span name;
    uint32_t n = 0;
    for (pb_cursor pb = r->main; pb_each(&pb, &f, &status, r->err);)
        n += f.number == GRAPH_VALUE_INFO || f.number == GRAPH_OUTPUT;
    TRY(status);
    if (!n)
        return ROOF_OK;
    TRY(ALLOCATED(r->declared = namemap_new(r->scratch, n), r->err));
    TRY(ARENA_GET(r->scratch, r->declarations, n, r->err));
    n = 0;
    for (pb_cursor pb = r->main; pb_each(&pb, &f, &status, r->err);) {
        if ((f.number != GRAPH_VALUE_INFO && f.number != GRAPH_OUTPUT) || f.wire != PB_BYTES)
            continue;
        r->declarations[n] = f;
        TRY(onnx_name_of_value(pb_enter(&pb, &f), &name, r->err));
        namemap_add(r->declared, name.text, name.length, n++);
    }
    return status;
}

roof_status onnx_build_graph(onnx_reader *r)
{
    onnx_node *nodes;
    onnx_scope scope;
    uint32_t n;
    uint64_t n_names;
    TRY(read_nodes(r, r->main, true, &nodes, &n, &n_names));
    r->most_expanded = 65536 + 64 * (uint64_t)n;
    TRY(note_declarations(r));
    TRY(begin_scope(r, NULL, "", 0, n_names, &scope));
    for (uint32_t i = 0; i < n; i++)
        nodes[i].index = i;
    TRY(add_graph(r, &scope, r->main, nodes, n));
    return onnx_check_given(r, r->err);
}
