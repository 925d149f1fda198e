/* Where the tensors of an .xmodel lie in external memory, and in which layers they are live.
 *
 * A tensor of a subgraph that the accelerator runs lies at an address behind a register; the register's
 * size is what the compiler reserves, up to 16 or 4096 bytes more than the tensors reach. Tensors on chip
 * have addresses too, which mean something else. A tensor is alive from the layer that makes it to the last
 * one that reads it; a tensor read outside, or not at all, to the end. Inputs of a concatenation are slices
 * of it.
 *
 * A tensor that a `download` of the same subgraph takes is free behind the layer that makes it, as the file
 * has it. A runtime that copies all results when the last layer is done needs all that is reserved: registers
 * of several outputs then have the peak that the compiler reserves, which such a pool's remark says.
 */
#include "model/formats/xir/xir_reader.h"
#include "model/memory/memory_build.h"

enum { MOST_PADDING = 4096, MOST_REGISTERS = 256 };

typedef struct xir_lives {
    memory_builder *b;
    uint32_t *last_rows; /* by op: the last one that reads it, behind which it is 0 */
    unsigned char *is_read_outside;
    uint32_t pools[MOST_REGISTERS]; /* of the subgraph at hand, by register; ROOF_NONE */
} xir_lives;

static roof_memory_kind kind_of(const roof_register *reg)
{
    static const struct {
        const char *context;
        roof_memory_kind kind;
    } kinds[] = {{"CONST", ROOF_MEMORY_CONSTANTS},
                 {"WORKSPACE", ROOF_MEMORY_WORKSPACE},
                 {"INTERFACE", ROOF_MEMORY_IO},
                 {"CODE", ROOF_MEMORY_CODE}};
    const uint32_t i = NAMED_AT(kinds, N_OF(kinds), context, reg->context);
    return i < N_OF(kinds) ? kinds[i].kind : ROOF_MEMORY_WORKSPACE; /* "DATA" of compilers 1.1 and 1.2 */
}

/* The row of an op among those of a subgraph; ROOF_NONE: no layer of it. */
static uint32_t row_of(const roof_subgraph *s, const roof_op *op)
{
    const bool is_own =
        op->layer != ROOF_NONE && op->layer >= s->first_layer && op->layer < s->first_layer + s->n_layers;
    return is_own ? op->layer - s->first_layer : ROOF_NONE;
}

/* The last reader of each tensor, for all subgraphs at once. */
static roof_status find_readers(xir_lives *l)
{
    const roof_graph *g = l->b->graph;
    TRY(ARENA_GET2(l->b->scratch, l->last_rows, l->is_read_outside, g->n_ops, l->b->err));
    for (uint32_t i = 0; i < g->n_ops; i++)
        l->is_read_outside[i] = 1; /* until somebody reads it */
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < g->n_ops; i++)
            for (uint32_t k = 0; k < g->ops[i].n_inputs; k++) {
                const uint32_t of = g->edges[g->ops[i].first_input + k].op, s = g->ops[of].subgraph;
                const uint32_t row = s == ROOF_NONE ? ROOF_NONE : row_of(&g->subgraphs[s], &g->ops[i]);
                if (pass == 0)
                    l->is_read_outside[of] = 0;
                else if (row == ROOF_NONE && g->ops[i].subgraph != s)
                    l->is_read_outside[of] = 1;
                else if (row != ROOF_NONE)
                    l->last_rows[of] = row > l->last_rows[of] ? row : l->last_rows[of];
            }
    return ROOF_OK;
}

static roof_status add_pools(xir_lives *l, uint32_t s, uint32_t number, uint32_t first_row)
{
    const roof_graph *g = l->b->graph;
    const roof_xir_subgraph *own = roof_xir_subgraph_of(g, &g->subgraphs[s]);
    memset(l->pools, 0xff, sizeof l->pools);
    FOR_EACH(const roof_register, reg, own->registers, own->n_registers) {
        char name[24];
        roof_memory_pool *pool;
        if (reg->id < 0 || reg->id >= MOST_REGISTERS)
            continue; /* no tensor has such a one */
        snprintf(name, sizeof name, "REG_%" PRId32, reg->id);
        TRY(memory_add_pool(l->b, name, kind_of(reg), first_row, g->subgraphs[s].n_layers, &pool,
                            &l->pools[reg->id]));
        pool->subgraph = number;
        pool->size_bytes = pool->stated_bytes = reg->size_bytes;
        pool->stated_by = reg->size_bytes == ROOF_UNKNOWN ? NULL : "reg_id_to_size";
    }
    return ROOF_OK;
}

static roof_status add_tensors(xir_lives *l, uint32_t s, uint64_t ends[MOST_REGISTERS])
{
    const roof_graph *g = l->b->graph;
    const roof_subgraph *sub = &g->subgraphs[s];
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        const roof_xir_op *place = roof_xir_op_of(g, op);
        const uint32_t row = row_of(sub, op);
        if (op->subgraph != s || !place->in_ddr || place->reg_id < 0 || place->reg_id >= MOST_REGISTERS ||
            place->ddr_addr < 0 || l->pools[place->reg_id] == ROOF_NONE)
            continue;
        const bool is_constant = op->rule == ROOF_RULE_CONSTANT;
        memory_buffer tensor = {.name = op->out.name,
                                .offset_bytes = (uint64_t)place->ddr_addr,
                                .bytes = place->span_bytes,
                                .pool = l->pools[place->reg_id],
                                .first_row = is_constant || row == ROOF_NONE ? 0 : row,
                                .last_row = is_constant || l->is_read_outside[i] ? sub->n_layers - 1
                                                                                 : l->last_rows[i]};
        if (tensor.last_row < tensor.first_row) { /* no layer behind it reads it */
            roof_memory_pool *pool = &l->b->out->pools[tensor.pool];
            tensor.last_row = tensor.first_row;
            if (pool->kind == ROOF_MEMORY_IO && row != sub->n_layers - 1)
                pool->remark =
                    "results count until they are downloaded, which the file has behind their layers; a "
                    "runtime that copies them at the end needs all that is reserved";
        }
        TRY(memory_add_buffer(l->b, &tensor));
        const uint64_t end = tensor.offset_bytes + tensor.bytes;
        ends[place->reg_id] = end > ends[place->reg_id] ? end : ends[place->reg_id];
    }
    return ROOF_OK;
}

roof_status xir_memory(memory_builder *b)
{
    xir_lives l = {.b = b};
    uint32_t number = 0;
    if (!b->graph->compiled)
        return error_set(b->err, ROOF_E_UNSUPPORTED,
                         "is only quantised: no compiler has given its tensors a place in memory yet");
    TRY(find_readers(&l));
    for (uint32_t s = 0; s < b->graph->n_subgraphs; s++) {
        const roof_subgraph *sub = &b->graph->subgraphs[s];
        uint64_t ends[MOST_REGISTERS] = {0};
        const uint32_t first_row = b->out->n_rows;
        if (sub->device != ROOF_DEVICE_ACCELERATOR || sub->parent != 0 || !sub->n_layers)
            continue;
        for (uint32_t i = 0; i < sub->n_layers; i++)
            TRY(memory_add_row(b, b->graph->layers[sub->first_layer + i].name));
        TRY(add_pools(&l, s, number++, first_row));
        TRY(add_tensors(&l, s, ends));
        /* sizes that the compiler states and tensors do not come to, or exceed */
        for (uint32_t id = 0; id < MOST_REGISTERS; id++) {
            roof_memory_pool *pool = l.pools[id] == ROOF_NONE ? NULL : &l.b->out->pools[l.pools[id]];
            if (!pool || pool->stated_bytes == ROOF_UNKNOWN)
                continue;
            if (ends[id] > pool->stated_bytes)
                pool->remark =
                    "tensors reach beyond the size that the compiler states, as those do that lie in two "
                    "memories";
            else if (pool->stated_bytes - ends[id] >= MOST_PADDING)
                pool->remark = "the compiler states more than its tensors and padding come to; what else is "
                               "there is unknown";
        }
    }
    return ROOF_OK;
}
