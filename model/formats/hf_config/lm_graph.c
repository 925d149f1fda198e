/* One block of a language model and lm_head as operators: each of them a launch that reads and writes
 * external memory.
 * Source: Xilinx/mlir-air programming_examples/llms/llama32_1b/docs/profile.md, the multi-launch memory
 *   model.
 */
#include "core/error.h"
#include "model/formats/hf_config/lm_launches.h"
#include "model/work/product.h"

#include <string.h>

enum { MOST_CONSTANTS = 3, MOST_OPS = LM_LAUNCHES * (MOST_CONSTANTS + 1) + 4 };

/* RoPE has a table of angles as large as its input: Xilinx/mlir-air, launches "RoPE Q" and "RoPE K". */
static const lm_launch launches[LM_LAUNCHES] = {
    [LM_INPUT_NORM] = {"input_norm", LM_NORM, LM_HIDDEN, {LM_X}},
    [LM_Q_PROJ] = {"q_proj", LM_PRODUCT, LM_Q, {LM_INPUT_NORM}},
    [LM_K_PROJ] = {"k_proj", LM_PRODUCT, LM_KV, {LM_INPUT_NORM}},
    [LM_V_PROJ] = {"v_proj", LM_PRODUCT, LM_KV, {LM_INPUT_NORM}},
    [LM_Q_NORM] = {"q_norm", LM_NORM, LM_Q, {LM_Q_PROJ}},
    [LM_K_NORM] = {"k_norm", LM_NORM, LM_KV, {LM_K_PROJ}},
    [LM_Q_ROPE] = {"q_rope", LM_ROPE, LM_Q, {LM_Q_NORM}},
    [LM_K_ROPE] = {"k_rope", LM_ROPE, LM_KV, {LM_K_NORM}},
    [LM_ATTENTION] = {"attention", LM_ATTEND, LM_Q, {LM_Q_ROPE, LM_K_ROPE, LM_V_PROJ}},
    [LM_O_PROJ] = {"o_proj", LM_PRODUCT, LM_HIDDEN, {LM_ATTENTION}},
    [LM_ADD_ATTENTION] = {"add_attention", LM_ADD, LM_HIDDEN, {LM_O_PROJ, LM_X}},
    [LM_OUTPUT_NORM] = {"post_attention_norm", LM_NORM, LM_HIDDEN, {LM_ADD_ATTENTION}},
    [LM_GATE] = {"gate_proj", LM_PRODUCT, LM_INNER, {LM_OUTPUT_NORM}},
    [LM_UP] = {"up_proj", LM_PRODUCT, LM_INNER, {LM_OUTPUT_NORM}},
    [LM_SILU_MUL] = {"silu_mul", LM_MULTIPLY, LM_INNER, {LM_GATE, LM_UP}},
    [LM_DOWN] = {"down_proj", LM_PRODUCT, LM_HIDDEN, {LM_SILU_MUL}},
    [LM_ADD_NETWORK] = {"add_mlp", LM_ADD, LM_HIDDEN, {LM_DOWN, LM_ADD_ATTENTION}},
    [LM_HEAD] = {"lm_head", LM_PRODUCT, LM_VOCAB, {LM_X}},
};

static const char *const op_types[] = {
    [LM_NORM] = "rms_norm",    [LM_PRODUCT] = "matmul", [LM_ROPE] = "rope",
    [LM_ATTEND] = "attention", [LM_ADD] = "add",        [LM_MULTIPLY] = "silu_mul",
};

const lm_row lm_rows[LM_ROWS] = {
    {{"rms_gemms_rope", "rms_gemv_rope"}, LM_INPUT_NORM, LM_K_ROPE},
    {{"flash_attn", "attention"}, LM_ATTENTION, LM_ATTENTION},
    {{"o_ffn", "o_gemv_ffn"}, LM_O_PROJ, LM_ADD_NETWORK},
    {{"lm_head", "lm_head"}, LM_HEAD, LM_HEAD},
};

/* ---- building ------------------------------------------------------------------------------------------ */

typedef struct builder {
    roof_graph *graph;
    const lm_model *model;
    uint32_t at[LM_LAUNCHES]; /* the operator of each; that of its input where the model has no such launch */
    uint32_t layer;
    roof_edge inputs[ROOF_MAX_DIMS]; /* of the launch that is made */
    uint32_t n_inputs;
} builder;

static uint32_t add_op(builder *b, const char *name, const char *type, const uint32_t dims[3], uint32_t bits)
{
    roof_graph *g = b->graph;
    product_make_op(&g->ops[g->n_ops], name, type, dims, bits);
    g->ops[g->n_ops].layer = b->layer;
    g->layer_ops[g->n_layer_ops++] = g->n_ops;
    return g->n_ops++;
}

/* A constant of a launch, "q_proj.weight". */
static uint32_t add_part(builder *b, uint32_t launch, const char *part, const uint32_t dims[3], uint32_t bits)
{
    const char *name = arena_printf(b->graph->storage->arena, "%s.%s", launches[launch].name, part);
    return add_op(b, name, "const", dims, bits);
}

static void add_input(builder *b, uint32_t op, roof_role role)
{
    b->inputs[b->n_inputs++] = (roof_edge){op, role};
}

static uint32_t add_launch(builder *b, const lm_launch *l, const uint32_t dims[3])
{
    roof_graph *g = b->graph;
    uint32_t op = add_op(b, l->name, op_types[l->kind], dims, LM_ACTIVATION_BITS);
    g->ops[op].first_input = g->n_edges;
    g->ops[op].n_inputs = b->n_inputs;
    memcpy(g->edges + g->n_edges, b->inputs, b->n_inputs * sizeof *b->inputs);
    g->n_edges += b->n_inputs;
    b->n_inputs = 0;
    return op;
}

static bool has_bias(const lm_model *m, uint32_t launch)
{
    switch (launch) {
    case LM_Q_PROJ:
    case LM_K_PROJ:
    case LM_V_PROJ:
        return m->has_qkv_bias;
    case LM_O_PROJ:
        return m->has_o_bias;
    case LM_GATE:
    case LM_UP:
    case LM_DOWN:
        return m->has_mlp_bias;
    default:
        return false;
    }
}

static void add_weights(builder *b, uint32_t launch, uint64_t inner, uint32_t n)
{
    const lm_model *m = b->model;
    const char *type = launch == LM_HEAD ? m->head_type : m->weight_type;
    uint32_t bits = data_type_bits(type), k = (uint32_t)inner;
    const uint32_t weight[3] = {k, n}, scales[3] = {m->group ? (k - 1) / m->group + 1 : 0, n}, bias[3] = {n};
    add_input(b, add_part(b, launch, "weight", weight, bits), ROOF_ROLE_WEIGHTS);
    if (m->group && bits < LM_ACTIVATION_BITS)
        add_input(b, add_part(b, launch, "scales", scales, m->group_bits), ROOF_ROLE_WEIGHTS);
    if (has_bias(m, launch))
        add_input(b, add_part(b, launch, "bias", bias, LM_ACTIVATION_BITS), ROOF_ROLE_BIAS);
}

/* A prompt is read with its own keys and values, a token with those of all before it. */
static void add_attention(builder *b, const lm_launch *launch)
{
    const lm_model *m = b->model;
    const bool decodes = m->phase == ROOF_TEXT_DECODE;
    add_input(b, b->at[LM_Q_ROPE], ROOF_ROLE_INPUT);
    if (decodes) {
        uint32_t seen = m->window && m->window < m->context ? m->window : m->context;
        const uint32_t dims[3] = {seen, m->kv_heads, m->width[LM_HEAD_DIM]};
        add_input(b, add_op(b, "k_cache", "data", dims, LM_ACTIVATION_BITS), ROOF_ROLE_INPUT);
        add_input(b, add_op(b, "v_cache", "data", dims, LM_ACTIVATION_BITS), ROOF_ROLE_INPUT);
    } else {
        add_input(b, b->at[LM_K_ROPE], ROOF_ROLE_INPUT);
        add_input(b, b->at[LM_V_PROJ], ROOF_ROLE_INPUT);
    }
    b->at[LM_ATTENTION] = add_launch(b, launch, (uint32_t[3]){m->tokens, m->width[LM_Q]});
    b->graph->ops[b->at[LM_ATTENTION]].window.kernel_w = decodes ? 0 : m->window;
}

static void make_row(builder *b, uint32_t row)
{
    const lm_model *m = b->model;
    roof_graph *g = b->graph;
    roof_layer *layer = &g->layers[row];
    *layer = (roof_layer){.name = lm_rows[row].names[m->phase == ROOF_TEXT_DECODE],
                          .node = ROOF_NONE,
                          .first_op = g->n_layer_ops,
                          .stored_workload_ops = ROOF_UNKNOWN};
    b->layer = row;
    if (row == 0 || lm_rows[row].first == LM_HEAD)
        b->at[LM_X] = add_op(b, "hidden_states", "data",
                             (uint32_t[3]){row ? 1 : m->tokens, m->width[LM_HIDDEN]}, LM_ACTIVATION_BITS);
    for (uint32_t i = lm_rows[row].first; i <= lm_rows[row].last; i++) {
        const lm_launch *l = &launches[i];
        if ((i == LM_Q_NORM || i == LM_K_NORM) && !m->has_qk_norm) {
            b->at[i] = b->at[l->inputs[0]];
        } else if (i == LM_ATTENTION) {
            add_attention(b, l);
        } else {
            const uint32_t dims[3] = {i == LM_HEAD ? 1 : m->tokens, m->width[l->width]};
            bool is_pair = l->kind == LM_ADD || l->kind == LM_MULTIPLY;
            for (int j = 0; j < 1 + is_pair; j++)
                add_input(b, b->at[l->inputs[j]], ROOF_ROLE_INPUT);
            /* what it reads beside activations; norms work on a head at a time */
            const uint32_t norm[3] = {m->width[l->width == LM_HIDDEN ? LM_HIDDEN : LM_HEAD_DIM]};
            if (l->kind == LM_PRODUCT)
                add_weights(b, i, g->ops[b->inputs[0].op].out.elements / dims[0], dims[1]);
            else if (l->kind == LM_NORM)
                add_input(b, add_part(b, i, "weight", norm, LM_ACTIVATION_BITS), ROOF_ROLE_OTHER);
            else if (l->kind == LM_ROPE)
                add_input(b, add_part(b, i, "angles", dims, LM_ACTIVATION_BITS), ROOF_ROLE_OTHER);
            b->at[i] = add_launch(b, l, dims);
        }
    }
    layer->n_ops = g->n_layer_ops - layer->first_op;
}

roof_status lm_build(roof_graph *g, const lm_model *model, roof_error *err)
{
    roof_arena *arena = g->storage->arena;
    builder b = {.graph = g, .model = model};
    TRY(ARENA_GET(arena, g->ops, MOST_OPS, err));
    TRY(ARENA_GET(arena, g->edges, MOST_OPS, err));
    TRY(ARENA_GET(arena, g->layer_ops, MOST_OPS, err));
    TRY(ARENA_GET(arena, g->layers, LM_ROWS, err));
    TRY(ARENA_GET(arena, g->subgraphs, 1, err));
    g->subgraphs[0] = product_root;
    g->n_subgraphs = 1;
    for (uint32_t row = 0; row < LM_ROWS; row++)
        make_row(&b, row);
    g->n_layers = g->subgraphs[0].n_layers = LM_ROWS;
    g->name = model->name;
    g->is_named = true;
    return arena_status(arena, err);
}

lm_kind lm_kind_of(const roof_op *op)
{
    uint32_t kind = 0;
    while (kind < LM_KINDS && strcmp(op->type, op_types[kind]) != 0)
        kind++;
    return (lm_kind)kind;
}
