/* Blocks of a language model, one of each kind of its layers, and lm_head as operators: each of them a launch
 * that reads and writes external memory.
 * Source: Xilinx/mlir-air programming_examples/llms/llama32_1b/docs/profile.md, the multi-launch memory
 *   model.
 */
#include "core/checked.h"
#include "core/error.h"
#include "model/formats/hf_config/lm_launches.h"
#include "model/work/opmap.h"
#include "model/work/product.h"

#include <string.h>

enum { MOST_CONSTANTS = 3, MOST_BLOCK_OPS = LM_LAUNCHES * (MOST_CONSTANTS + 1) + 4 };

/* A launch and what it reads beside activations. */
#define NAMES(name)                                                                                          \
    {                                                                                                        \
        name, name ".weight", name ".scales", name ".bias", name ".angles"                                   \
    }

/* RoPE has a table of angles as large as its input: Xilinx/mlir-air, launches "RoPE Q" and "RoPE K". */
static const lm_launch launches[LM_LAUNCHES] = {
    [LM_INPUT_NORM] = {NAMES("input_norm"), LM_NORM, LM_HIDDEN, {LM_X}},
    [LM_Q_PROJ] = {NAMES("q_proj"), LM_PRODUCT, LM_MIXED, {LM_INPUT_NORM}},
    [LM_K_PROJ] = {NAMES("k_proj"), LM_PRODUCT, LM_KV, {LM_INPUT_NORM}},
    [LM_V_PROJ] = {NAMES("v_proj"), LM_PRODUCT, LM_KV, {LM_INPUT_NORM}},
    [LM_Q_NORM] = {NAMES("q_norm"), LM_NORM, LM_Q, {LM_Q_PROJ}},
    [LM_K_NORM] = {NAMES("k_norm"), LM_NORM, LM_KV, {LM_K_PROJ}},
    [LM_Q_ROPE] = {NAMES("q_rope"), LM_ROPE, LM_Q, {LM_Q_NORM}},
    [LM_K_ROPE] = {NAMES("k_rope"), LM_ROPE, LM_KV, {LM_K_NORM}},
    [LM_MIXER] = {NAMES("attention"), LM_ATTEND, LM_Q, {LM_Q_ROPE, LM_K_ROPE, LM_V_PROJ}},
    [LM_O_PROJ] = {NAMES("o_proj"), LM_PRODUCT, LM_HIDDEN, {LM_MIXER}},
    [LM_ADD_MIXER] = {NAMES("add_attention"), LM_ADD, LM_HIDDEN, {LM_O_PROJ, LM_X}},
    [LM_OUTPUT_NORM] = {NAMES("post_attention_norm"), LM_NORM, LM_HIDDEN, {LM_ADD_MIXER}},
    [LM_ROUTER] = {NAMES("router"), LM_PRODUCT, LM_EXPERTS, {LM_OUTPUT_NORM}},
    [LM_GATE] = {NAMES("gate_proj"), LM_PRODUCT, LM_INNER, {LM_OUTPUT_NORM}},
    [LM_UP] = {NAMES("up_proj"), LM_PRODUCT, LM_INNER, {LM_OUTPUT_NORM}},
    [LM_SILU_MUL] = {NAMES("silu_mul"), LM_MULTIPLY, LM_INNER, {LM_GATE, LM_UP}},
    [LM_DOWN] = {NAMES("down_proj"), LM_PRODUCT, LM_HIDDEN, {LM_SILU_MUL}},
    [LM_ADD_NETWORK] = {NAMES("add_mlp"), LM_ADD, LM_HIDDEN, {LM_DOWN, LM_ADD_MIXER}},
    [LM_LAYER_INPUT] = {NAMES("per_layer_model_projection"), LM_PRODUCT, LM_INPUT, {LM_X}},
    [LM_LAYER_GATE] = {NAMES("per_layer_input_gate"), LM_PRODUCT, LM_INPUT, {LM_ADD_NETWORK}},
    [LM_LAYER_PROJ] = {NAMES("per_layer_projection"), LM_PRODUCT, LM_HIDDEN, {LM_LAYER_GATE}},
    [LM_HEAD] = {NAMES("lm_head"), LM_PRODUCT, LM_VOCAB, {LM_X}},
};

static const char *const op_types[] = {
    [LM_NORM] = "rms_norm",    [LM_PRODUCT] = "matmul",      [LM_ROPE] = "rope",
    [LM_ATTEND] = "attention", [LM_DELTA_NET] = "delta_net", [LM_SHORT_CONV] = "short_conv",
    [LM_ADD] = "add",          [LM_MULTIPLY] = "silu_mul",   [LM_KINDS] = "const",
    [LM_KINDS + 1] = "data",
};
enum { A_CONSTANT = LM_KINDS, GIVEN, OP_TYPES };

const lm_row lm_rows[LM_BLOCK_ROWS + 1] = {
    {{"rms_gemms_rope", "rms_gemv_rope"}, LM_INPUT_NORM, LM_K_ROPE},
    {{"flash_attn", "attention"}, LM_MIXER, LM_MIXER},
    {{"o_ffn", "o_gemv_ffn"}, LM_O_PROJ, LM_LAYER_PROJ},
    {{"lm_head", "lm_head"}, LM_HEAD, LM_HEAD},
};

const roof_layer_kind *lm_row_layers(const lm_model *m, uint32_t row)
{
    return row < m->shape.n_kinds * LM_BLOCK_ROWS ? &m->shape.kinds[row / LM_BLOCK_ROWS] : NULL;
}

uint32_t lm_row_part(const lm_model *m, uint32_t row)
{
    return lm_row_layers(m, row) ? row % LM_BLOCK_ROWS : LM_BLOCK_ROWS;
}

/* ---- shapes -------------------------------------------------------------------------------------------- */

static bool is_attention(const roof_layer_kind *k)
{
    return k->mixer == ROOF_MIXER_FULL || k->mixer == ROOF_MIXER_SLIDING;
}

/* Of the mixer: what it is given, and what it makes. */
static uint32_t mixer_width(const roof_language_model *m, const roof_layer_kind *k, bool is_given)
{
    const uint32_t keys = m->linear_key_heads * m->linear_key_dim,
                   values = m->linear_value_heads * m->linear_value_dim;
    switch (k->mixer) {
    case ROOF_MIXER_LINEAR: /* queries, keys, values, gate; two gates of each head */
        return is_given ? 2 * keys + 2 * values + 2 * m->linear_value_heads : values;
    case ROOF_MIXER_CONV:
        return is_given ? 3 * m->hidden : m->hidden;
    default:
        return m->heads * k->head_dim * (is_given && m->has_output_gate ? 2 : 1);
    }
}

uint32_t lm_width_of(const lm_model *model, const roof_layer_kind *k, lm_width width)
{
    const roof_language_model *m = &model->shape;
    switch (width) {
    case LM_MIXED:
        return mixer_width(m, k, true);
    case LM_Q:
        return mixer_width(m, k, false);
    case LM_KV:
        return m->kv_heads * k->head_dim;
    case LM_EXPERTS:
        return m->experts;
    case LM_INNER:
        return m->experts ? m->active_experts * k->inner + m->shared_inner : k->inner;
    case LM_INPUT:
        return m->per_layer_inputs;
    case LM_VOCAB:
        return m->vocab;
    default:
        return m->hidden;
    }
}

/* Launches that only some layers have; without one its input stands for it. */
static bool has_launch(const lm_model *m, const roof_layer_kind *k, uint32_t launch)
{
    switch (launch) {
    case LM_K_PROJ:
    case LM_V_PROJ:
    case LM_K_ROPE:
        return is_attention(k) && !k->shares_cache;
    case LM_Q_NORM:
        return is_attention(k) && m->has_qk_norm;
    case LM_K_NORM:
        return is_attention(k) && m->has_qk_norm && !k->shares_cache;
    case LM_Q_ROPE:
        return is_attention(k);
    case LM_ROUTER:
        return m->shape.experts;
    case LM_LAYER_INPUT:
    case LM_LAYER_GATE:
    case LM_LAYER_PROJ:
        return m->shape.per_layer_inputs;
    default:
        return true;
    }
}

/* ---- building ------------------------------------------------------------------------------------------ */

typedef struct builder {
    roof_graph *graph;
    const lm_model *model;
    const roof_layer_kind *layers; /* of the block; NULL: lm_head */
    uint32_t at[LM_LAUNCHES]; /* the operator of each; that of its input where the model has no such launch */
    uint32_t layer;
    roof_rule rules[OP_TYPES];
    roof_edge inputs[ROOF_MAX_DIMS]; /* of the launch that is made */
    uint32_t n_inputs;
} builder;

/* type: an lm_kind, A_CONSTANT or GIVEN. */
static uint32_t add_op(builder *b, const char *name, uint32_t type, const uint32_t dims[3], uint32_t bits)
{
    roof_graph *g = b->graph;
    product_make_op_by(&g->ops[g->n_ops], name, op_types[type], b->rules[type], dims, bits);
    g->ops[g->n_ops].layer = b->layer;
    g->layer_ops[g->n_layer_ops++] = g->n_ops;
    return g->n_ops++;
}

static void add_input(builder *b, uint32_t op, roof_role role)
{
    b->inputs[b->n_inputs++] = (roof_edge){op, role};
}

static uint32_t add_launch(builder *b, const char *name, lm_kind kind, const uint32_t dims[3])
{
    roof_graph *g = b->graph;
    uint32_t op = add_op(b, name, kind, dims, LM_ACTIVATION_BITS);
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

/* Embeddings that a layer has of its own are of 2 bytes, whatever the form of the weights is. */
static roof_weight_format format_of(const lm_model *m, uint32_t launch)
{
    static const roof_weight_format plain = {"bf16", LM_ACTIVATION_BITS, 0, 0, 0};
    const bool is_own = launch >= LM_LAYER_INPUT && launch <= LM_LAYER_PROJ;
    return is_own ? plain : launch == LM_HEAD ? m->head : m->point.weights;
}

static void add_weights(builder *b, uint32_t launch, const char *const *names, uint64_t inner, uint32_t n)
{
    const lm_model *m = b->model;
    const roof_weight_format f = format_of(m, launch);
    const uint32_t k = (uint32_t)inner, weight[3] = {k, n}, bias[3] = {n},
                   scales[3] = {f.group ? (uint32_t)ceil_div(k, f.group) : 0, n};
    add_input(b, add_op(b, names[LM_WEIGHT], A_CONSTANT, weight, f.bits), ROOF_ROLE_WEIGHTS);
    if (f.group)
        add_input(b, add_op(b, names[LM_SCALES], A_CONSTANT, scales, f.group_bits), ROOF_ROLE_WEIGHTS);
    if (has_bias(m, launch))
        add_input(b, add_op(b, names[LM_BIAS], A_CONSTANT, bias, LM_ACTIVATION_BITS), ROOF_ROLE_BIAS);
}

static void add_cache(builder *b, const char *name, uint32_t seen)
{
    const lm_model *m = b->model;
    const uint32_t dims[3] = {seen, m->shape.kv_heads, b->layers->head_dim};
    const uint32_t op = add_op(b, name, GIVEN, dims, m->point.cache.bits);
    roof_tensor *t = &b->graph->ops[op].out;
    t->bytes = roof_weight_format_bytes(&m->point.cache, t->elements, false);
    add_input(b, op, ROOF_ROLE_INPUT);
}

/* A prompt is read with its own keys and values, a token with those of all before it. Layers without a cache
 * of their own read that of another one. */
static void add_attention(builder *b)
{
    const lm_model *m = b->model;
    const roof_layer_kind *k = b->layers;
    const bool decodes = m->point.phase == ROOF_TEXT_DECODE;
    const uint32_t n = m->point.tokens, seen = k->window && k->window < n ? k->window : n;
    add_input(b, b->at[LM_Q_ROPE], ROOF_ROLE_INPUT);
    if (decodes || k->shares_cache) {
        add_cache(b, "k_cache", decodes ? seen : n);
        add_cache(b, "v_cache", decodes ? seen : n);
    } else {
        add_input(b, b->at[LM_K_ROPE], ROOF_ROLE_INPUT);
        add_input(b, b->at[LM_V_PROJ], ROOF_ROLE_INPUT);
    }
    b->at[LM_MIXER] = add_launch(b, *launches[LM_MIXER].names, LM_ATTEND,
                                 (uint32_t[3]){decodes ? 1 : n, lm_width_of(m, k, LM_Q)});
    b->graph->ops[b->at[LM_MIXER]].window.kernel_w = decodes ? 0 : k->window;
}

/* States of a fixed size are in no bound: nothing says that they leave the array. */
static void add_mixer(builder *b, const uint32_t dims[3])
{
    const bool is_linear = b->layers->mixer == ROOF_MIXER_LINEAR;
    add_input(b, b->at[LM_Q_PROJ], ROOF_ROLE_INPUT);
    b->at[LM_MIXER] =
        add_launch(b, is_linear ? "delta_net" : "short_conv", is_linear ? LM_DELTA_NET : LM_SHORT_CONV, dims);
}

static const char *const *names_of_launch(const builder *b, uint32_t launch)
{
    static const char *const in[] = NAMES("in_proj"), *const out[] = NAMES("out_proj");
    const bool is_other = b->layers && !is_attention(b->layers);
    return is_other && launch == LM_Q_PROJ   ? in
           : is_other && launch == LM_O_PROJ ? out
                                             : launches[launch].names;
}

/* "rms_gemv_rope"; of several kinds of layers "rms_gemv_rope sliding". */
static const char *name_of_row(const builder *b, uint32_t part)
{
    const lm_model *m = b->model;
    const char *name = lm_rows[part].names[m->point.phase == ROOF_TEXT_DECODE];
    uint32_t alike = 0, own = 0;
    if (!b->layers || m->shape.n_kinds == 1)
        return name;
    if (part == 1 && !is_attention(b->layers))
        name = b->layers->mixer == ROOF_MIXER_LINEAR ? "delta_net" : "short_conv";
    for (uint32_t i = 0; i < m->shape.n_kinds; i++) {
        alike += m->shape.kinds[i].mixer == b->layers->mixer;
        own += m->shape.kinds[i].mixer == b->layers->mixer && &m->shape.kinds[i] <= b->layers;
    }
    if (alike == 1)
        return arena_printf(b->graph->storage->arena, "%s %s", name, roof_mixer_text(b->layers->mixer));
    return arena_printf(b->graph->storage->arena, "%s %s %u", name, roof_mixer_text(b->layers->mixer), own);
}

static void make_launch(builder *b, uint32_t launch)
{
    const lm_model *m = b->model;
    const lm_launch *l = &launches[launch];
    const uint32_t rows = launch == LM_HEAD || m->point.phase == ROOF_TEXT_DECODE ? 1 : m->point.tokens;
    const uint32_t dims[3] = {rows, lm_width_of(m, b->layers, l->width)};
    const char *const *names = names_of_launch(b, launch);
    if (b->layers && !has_launch(m, b->layers, launch)) {
        b->at[launch] = b->at[l->inputs[0]];
        return;
    }
    if (launch == LM_MIXER) {
        if (is_attention(b->layers))
            add_attention(b);
        else
            add_mixer(b, dims);
        return;
    }
    bool is_pair = l->kind == LM_ADD || l->kind == LM_MULTIPLY;
    for (int j = 0; j < 1 + is_pair; j++)
        add_input(b, b->at[l->inputs[j]], ROOF_ROLE_INPUT);
    /* what it reads beside activations; norms work on a head at a time */
    const uint32_t norm[3] = {l->width == LM_HIDDEN ? dims[1] : b->layers ? b->layers->head_dim : 0};
    if (l->kind == LM_PRODUCT)
        add_weights(b, launch, names, b->graph->ops[b->inputs[0].op].out.elements / rows, dims[1]);
    else if (l->kind == LM_NORM)
        add_input(b, add_op(b, names[LM_WEIGHT], A_CONSTANT, norm, LM_ACTIVATION_BITS), ROOF_ROLE_OTHER);
    else if (l->kind == LM_ROPE)
        add_input(b, add_op(b, names[LM_ANGLES], A_CONSTANT, dims, LM_ACTIVATION_BITS), ROOF_ROLE_OTHER);
    b->at[launch] = add_launch(b, *names, l->kind, dims);
}

static void make_row(builder *b, uint32_t row)
{
    const lm_model *m = b->model;
    roof_graph *g = b->graph;
    roof_layer *layer = &g->layers[row];
    const uint32_t part = lm_row_part(m, row);
    b->layers = lm_row_layers(m, row);
    b->layer = row;
    *layer = (roof_layer){.name = name_of_row(b, part),
                          .node = ROOF_NONE,
                          .first_op = g->n_layer_ops,
                          .stored_workload_ops = ROOF_UNKNOWN};
    if (part == 0 || !b->layers) {
        const bool is_one = !b->layers || m->point.phase == ROOF_TEXT_DECODE;
        b->at[LM_X] =
            add_op(b, "hidden_states", GIVEN, (uint32_t[3]){is_one ? 1 : m->point.tokens, m->shape.hidden},
                   LM_ACTIVATION_BITS);
    }
    for (uint32_t i = lm_rows[part].first; i <= lm_rows[part].last; i++)
        make_launch(b, i);
    layer->n_ops = g->n_layer_ops - layer->first_op;
}

roof_status lm_build(roof_graph *g, const lm_model *model, roof_error *err)
{
    roof_arena *arena = g->storage->arena;
    builder b = {.graph = g, .model = model};
    const uint32_t n_rows = model->shape.n_kinds * LM_BLOCK_ROWS + 1,
                   n_ops = (model->shape.n_kinds + 1) * MOST_BLOCK_OPS;
    for (uint32_t i = 0; i < OP_TYPES; i++)
        b.rules[i] = rule_of(op_types[i]);
    TRY(ARENA_GET(arena, g->ops, n_ops, err));
    TRY(ARENA_GET(arena, g->edges, n_ops, err));
    TRY(ARENA_GET(arena, g->layer_ops, n_ops, err));
    TRY(ARENA_GET(arena, g->layers, n_rows, err));
    TRY(ARENA_GET(arena, g->subgraphs, 1, err));
    g->subgraphs[0] = graph_empty_root;
    g->subgraphs[0].name = "root";
    g->n_subgraphs = 1;
    for (uint32_t row = 0; row < n_rows; row++)
        make_row(&b, row);
    g->n_layers = g->subgraphs[0].n_layers = n_rows;
    g->name = model->shape.name;
    g->is_named = true;
    return arena_status(arena, err);
}

/* Types are those of the table, so that their addresses tell. */
lm_kind lm_kind_of(const roof_op *op)
{
    uint32_t kind = 0;
    while (kind < LM_KINDS && op->type != op_types[kind])
        kind++;
    return (lm_kind)kind;
}
