/* Live tensors of a graph at each operator, as the file has them, and the least for an accelerator with 8
 * bits an element: there, operators that compilers fold into their producers make nothing of their own.
 * Compilers fuse more, or less, and tile: both are the live memory if nothing is tiled, and no forecast. */
#include "model/formats/onnx/onnx_model.h"
#include "model/memory/memory_build.h"
#include "model/work/onnx_ops.h"

static bool vanishes(const roof_op *op)
{
    static const char *const types[] = {
        "QuantizeLinear", "DequantizeLinear", "Relu",    "Clip",    "LeakyRelu", "BatchNormalization", "Cast",
        "Identity",       "Dropout",          "Reshape", "Flatten", "Squeeze",   "Unsqueeze",          "Pad"};
    return op->n_inputs && IS_ONE_OF(types, op->type);
}

typedef struct op_life {
    uint32_t row;         /* that of the node it is of; ROOF_NONE: a source */
    uint32_t tensor;      /* the operator that makes the tensor that stands for its own */
    uint32_t first, last; /* rows of that tensor */
    const char *name;     /* of what it makes, else its own */
    bool is_output;
} op_life;

typedef struct op_lives {
    memory_builder *b;
    op_life *ops; /* by operator */
    uint32_t n_rows;
} op_lives;

/* A further output of a node is an operator of its own, which reads the node's. */
static bool is_further(const roof_op *op)
{
    return strcmp(op->type, ONNX_OUTPUT) == 0;
}

static roof_status add_rows(op_lives *l)
{
    const roof_graph *g = l->b->graph;
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        l->ops[i].row = ROOF_NONE;
        if (op->rule == ROOF_RULE_INPUT || op->rule == ROOF_RULE_CONSTANT)
            continue;
        if (is_further(op) && op->n_inputs) {
            l->ops[i].row = l->ops[g->edges[op->first_input].op].row;
            continue;
        }
        TRY(memory_add_row(l->b, l->ops[i].name));
        l->ops[i].row = l->n_rows++;
    }
    return ROOF_OK;
}

static roof_status mark_outputs(op_lives *l, pb_cursor main, const namemap *made)
{
    pb_field f;
    roof_status status;
    text_span shown;
    for (pb_cursor pb = main; pb_each(&pb, &f, &status, l->b->err);) {
        if (f.number != GRAPH_OUTPUT || f.wire != PB_BYTES)
            continue;
        TRY(onnx_name_of_value(pb_enter(&pb, &f), &shown, l->b->err));
        const char *name = arena_name(l->b->scratch, shown.text, shown.length);
        const uint32_t op = name ? namemap_find(made, name, strlen(name)) : ROOF_NONE;
        if (op != ROOF_NONE)
            l->ops[op].is_output = true;
    }
    return status;
}

/* Names of what nodes make, and which of it leaves the network: the graph has the nodes' own names. */
static roof_status read_names(op_lives *l)
{
    const roof_graph *g = l->b->graph;
    const mapfile *file = g->storage->edited_from ? g->storage->edited_from : &g->storage->file;
    pb_cursor model, main = {0};
    pb_field f, member;
    roof_status status, inner;
    uint32_t n_nodes = 0, *op_of;
    namemap *made;
    model = pb_from(file->bytes, file->size_bytes);
    while (!main.file && pb_each(&model, &f, &status, l->b->err))
        if (f.number == MODEL_GRAPH && f.wire == PB_BYTES)
            main = pb_enter(&model, &f);
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (g->ops[i].node != ROOF_NONE && g->ops[i].node >= n_nodes)
            n_nodes = g->ops[i].node + 1;
    TRY(ARENA_GET(l->b->scratch, op_of, n_nodes, l->b->err));
    memset(op_of, 0xff, n_nodes * sizeof *op_of);
    TRY(ALLOCATED(made = namemap_new(l->b->scratch, (size_t)g->n_ops + n_nodes), l->b->err));
    for (uint32_t i = 0; i < g->n_ops; i++) {
        l->ops[i].name = g->ops[i].name;
        if (g->ops[i].node != ROOF_NONE)
            op_of[g->ops[i].node] = i;
        else
            namemap_add(made, g->ops[i].name, strlen(g->ops[i].name), i);
    }
    uint32_t node = 0;
    for (pb_cursor pb = main; pb_each(&pb, &f, &status, l->b->err);) {
        if (f.number != GRAPH_NODE || f.wire != PB_BYTES)
            continue;
        const uint32_t op = node < n_nodes ? op_of[node] : ROOF_NONE;
        bool has_name = op == ROOF_NONE;
        node++;
        for (pb_cursor of = pb_enter(&pb, &f); !has_name && pb_each(&of, &member, &inner, l->b->err);) {
            if (member.number != NODE_OUTPUT || member.wire != PB_BYTES || !member.value)
                continue;
            has_name = true;
            const text_span name = pb_span(&member);
            l->ops[op].name = arena_name(l->b->scratch, name.text, name.length);
            TRY(ALLOCATED(l->ops[op].name, l->b->err));
            namemap_add(made, l->ops[op].name, strlen(l->ops[op].name), op);
        }
    }
    TRY(status);
    return mark_outputs(l, main, made);
}

/* Operators come behind what they read. */
static void find_lives(op_lives *l, bool is_folded)
{
    const roof_graph *g = l->b->graph;
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        op_life *life = &l->ops[i];
        const bool is_gone = is_folded && life->row != ROOF_NONE &&
                             (vanishes(op) || (is_further(op) && op->n_inputs &&
                                               vanishes(&g->ops[g->edges[op->first_input].op])));
        life->tensor = is_gone ? l->ops[g->edges[op->first_input].op].tensor : i;
        life->first = life->last = life->row == ROOF_NONE ? 0 : life->row;
        for (uint32_t k = 0; k < op->n_inputs && life->row != ROOF_NONE && !is_further(op); k++) {
            uint32_t *last = &l->ops[l->ops[g->edges[op->first_input + k].op].tensor].last;
            *last = life->row > *last ? life->row : *last;
        }
        if (life->is_output)
            l->ops[life->tensor].last = l->n_rows - 1;
    }
}

static roof_status add_tensor(op_lives *l, uint32_t pool, uint32_t i, uint64_t bits, uint32_t last_row)
{
    const roof_op *op = &l->b->graph->ops[i];
    const checked all = checked_plus(checked_times((checked){op->out.elements, false}, bits), 7);
    if (all.overflow)
        return error_set(l->b->err, ROOF_E_LIMIT, "tensor '%.200s': its bits overflow 64 bits", op->name);
    return memory_add_buffer(l->b, &(memory_buffer){.name = l->ops[i].name,
                                                    .offset_bytes = ROOF_UNKNOWN,
                                                    .bytes = all.value / 8,
                                                    .pool = pool,
                                                    .first_row = l->ops[i].first,
                                                    .last_row = last_row});
}

static roof_status add_tensors(op_lives *l, const char *assuming, bool is_folded)
{
    const roof_graph *g = l->b->graph;
    roof_memory_pool *pool;
    uint32_t index;
    TRY(memory_add_pool(l->b, "activations", ROOF_MEMORY_RAM, 0, l->n_rows, &pool, &index));
    pool->assuming = assuming;
    find_lives(l, is_folded);
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        if (op->rule == ROOF_RULE_CONSTANT || l->ops[i].tensor != i)
            continue;
        /* a shape that is unknown has no dimension of elements */
        if (!op->out.elements && op->out.n_dims == 1 && op->out.bit_width == 8)
            pool->why_no_peak = "shapes of tensors are unknown";
        TRY(add_tensor(l, index, i, is_folded ? 8 : g->storage->stored_bits[i], l->ops[i].last));
    }
    return ROOF_OK;
}

roof_status onnx_memory(memory_builder *b)
{
    op_lives l = {.b = b};
    b->out->is_at_least = true;
    TRY(ARENA_GET(b->scratch, l.ops, b->graph->n_ops, b->err));
    TRY(read_names(&l));
    TRY(add_rows(&l));
    if (!l.n_rows)
        return error_set(b->err, ROOF_E_UNSUPPORTED, "has no operator that computes");
    TRY(add_tensors(&l, "as stored", false));
    TRY(add_tensors(&l, "folded int8", true));
    const roof_graph *g = l.b->graph;
    roof_memory_pool *pool;
    uint32_t index;
    TRY(memory_add_pool(l.b, "weights", ROOF_MEMORY_CONSTANTS, 0, l.n_rows, &pool, &index));
    pool->assuming = "as stored";
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (strcmp(g->ops[i].type, ONNX_INITIALIZER) == 0)
            TRY(add_tensor(&l, index, i, g->storage->stored_bits[i], l.n_rows - 1));
    return ROOF_OK;
}
