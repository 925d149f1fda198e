/* Blocks of a language model, one of each kind of its layers, and lm_head as operators: each of them a launch
 * that reads and writes external memory.
 * Source: Xilinx/mlir-air programming_examples/llms/llama32_1b/docs/profile.md, the multi-launch memory
 *   model.
 */
#include "model/formats/hf_config/lm_launches.h"
#include "model/work/language_matrices.h"
#include "model/work/opmap.h"
#include "model/work/product.h"

enum { MOST_CONSTANTS = 5, MOST_BLOCK_OPS = LM_LAUNCHES * (MOST_CONSTANTS + 1) + 4 };

/* A launch and what it reads beside activations. */
#define NAMES(name)                                                                                          \
    {                                                                                                        \
        name, name ".weight", name ".scales", name ".bias", name ".angles"                                   \
    }

/* The matrix role of launches that are no product. */
#define NO_MATRIX ROOF_MATRIX_QUERY

/* RoPE has a table of angles as large as its input: Xilinx/mlir-air, launches "RoPE Q" and "RoPE K". */
static const lm_launch launches[LM_LAUNCHES] = {
#define LAUNCH(name, text, kind, width, role, condition, ...)                                                \
    [LM_##name] = {NAMES(text), LM_##kind, LM_##width, {__VA_ARGS__}, role},
#include "model/formats/hf_config/lm_launches.def"
#undef LAUNCH
};

const char *const lm_op_types[LM_OP_TYPES] = {
    [LM_NORM] = "rms_norm",       [LM_PRODUCT] = "matmul",
    [LM_ROPE] = "rope",           [LM_ATTEND] = "attention",
    [LM_DELTA_NET] = "delta_net", [LM_SHORT_CONV] = "short_conv",
    [LM_SCAN] = "selective_scan", [LM_ADD] = "add",
    [LM_MULTIPLY] = "silu_mul",   [LM_A_CONSTANT] = "const",
    [LM_GIVEN] = "data",
};

const lm_row lm_rows[LM_BLOCK_ROWS + 1] = {
    {{"rms_gemms_rope", "rms_gemv_rope"}, LM_INPUT_NORM, LM_SSM_STEP},
    {{"flash_attn", "attention"}, LM_MIXER, LM_SSM},
    {{"o_ffn", "o_gemv_ffn"}, LM_O_PROJ, LM_ALTUP_CORRECT},
    {{"lm_head", "lm_head"}, LM_ALTUP, LM_HEAD},
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

/* Width of the mixer's input (is_given) or output, in elements of a token. */
static uint32_t mixer_width(const roof_language_model *m, const roof_layer_kind *k, bool is_given)
{
    const uint32_t keys = m->linear_key_heads * m->linear_key_dim,
                   values = m->linear_value_heads * m->linear_value_dim;
    switch (k->mixer) {
    case ROOF_MIXER_LINEAR: /* queries, keys, values, gate; two gates of each head */
        return is_given ? 2 * keys + 2 * values + 2 * m->linear_value_heads : values;
    case ROOF_MIXER_CONV:
        return is_given ? 3 * m->hidden : m->hidden;
    case ROOF_MIXER_MAMBA:
        return m->mamba.inner;
    default:
        if (m->latent.key_rank)
            return m->heads * (is_given ? m->latent.nope + m->latent.rope : m->latent.value);
        return m->heads * k->head_dim * (is_given && m->has_output_gate ? 2 : 1);
    }
}

uint32_t lm_width_of(const lm_model *model, const roof_layer_kind *k, lm_width width)
{
    const roof_language_model *m = &model->shape;
    const roof_latent *l = &m->latent;
    const roof_mamba *s = &m->mamba;
    switch (width) {
#define WIDTH(name, elements)                                                                                \
    case LM_##name:                                                                                          \
        return elements;
#include "model/formats/hf_config/lm_widths.def"
#undef WIDTH
    }
    return 0;
}

/* Launches that only some layers have; without one its input stands for it. */
static bool has_launch(const lm_model *model, const roof_layer_kind *k, uint32_t launch)
{
    const roof_language_model *m = &model->shape;
    const bool attends = k && language_has_attention(k), has_mamba = k && language_has_mamba(k),
               has_keys = attends && (!k->shares_cache || m->has_unused_keys), is_latent = m->latent.key_rank;
    switch (launch) {
#define LAUNCH(name, text, kind, width, role, condition, ...)                                                \
    case LM_##name:                                                                                          \
        return condition;
#include "model/formats/hf_config/lm_launches.def"
#undef LAUNCH
    default:
        break;
    }
    return true;
}

/* Width that a product sums over where it is not that of its input in the graph; 0: it is. */
static uint64_t own_inner(const roof_language_model *m, uint32_t launch)
{
    return launch == LM_V_PROJ     ? m->latent.key_rank
           : launch == LM_SSM_X    ? m->mamba.inner
           : launch == LM_SSM_STEP ? m->mamba.rank
           : launch == LM_ALTUP    ? m->hidden /* of all tokens, though one goes on to the head */
                                   : 0;
}

/* ---- building ------------------------------------------------------------------------------------------ */

typedef struct builder {
    lm_maker made;
    const roof_layer_kind *layers; /* of the block; NULL: lm_head */
    uint32_t at[LM_LAUNCHES]; /* the operator of each; that of its input where the model has no such launch */
    roof_edge inputs[ROOF_MAX_DIMS]; /* of the launch that is made */
    uint32_t n_inputs;
} builder;

uint32_t lm_add_op(lm_maker *m, const char *name, uint32_t type, const uint32_t dims[3], uint32_t bits)
{
    roof_graph *g = m->graph;
    product_make_op_by(&g->ops[g->n_ops], name, lm_op_types[type], m->rules[type], dims, bits);
    g->ops[g->n_ops].layer = m->layer;
    g->layer_ops[g->n_layer_ops++] = g->n_ops;
    return g->n_ops++;
}

static void add_input(builder *b, uint32_t op, roof_role role)
{
    b->inputs[b->n_inputs++] = (roof_edge){op, role};
}

static uint32_t add_launch(builder *b, const char *name, lm_kind kind, const uint32_t dims[3])
{
    roof_graph *g = b->made.graph;
    uint32_t op = lm_add_op(&b->made, name, kind, dims, LM_ACTIVATION_BITS);
    g->ops[op].first_input = g->n_edges;
    g->ops[op].n_inputs = b->n_inputs;
    memcpy(g->edges + g->n_edges, b->inputs, b->n_inputs * sizeof *b->inputs);
    g->n_edges += b->n_inputs;
    b->n_inputs = 0;
    return op;
}

static bool is_network(uint32_t launch)
{
    return launch == LM_DOWN || launch == LM_GATE || launch == LM_UP;
}

/* A part of a launch's matrix that has a form of its own: that of experts, and that of the shared one. */
typedef struct matrix_part {
    roof_weight_format form;
    uint64_t inner, width;
    const char *of; /* behind its name */
} matrix_part;

/* Returns how many. Where experts and the shared one have the same form, they are one. */
static uint32_t parts_of(const builder *b, uint32_t launch, uint64_t inner, uint64_t width,
                         matrix_part out[2])
{
    const roof_language_model *m = &b->made.model->shape;
    const roof_layer_kind *k = b->layers;
    const roof_weight_format *w = &b->made.model->point.weights;
    const bool is_down = launch == LM_DOWN;
    if (!is_network(launch) || !m->experts || k->is_dense) {
        const bool is_inner = k && !language_has_attention(k) && (launch == LM_Q_PROJ || launch == LM_O_PROJ);
        const bool is_latent = m->latent.key_rank && (launch == LM_K_PROJ || launch == LM_V_PROJ);
        const roof_matrix_role role = is_inner || is_latent ? ROOF_MATRIX_MIXER : launches[launch].role;
        out[0] = (matrix_part){language_form_of(m, k, w, role, inner), inner, width, ""};
        return 1;
    }
    const roof_matrix_role roles[] = {is_down ? ROOF_MATRIX_EXPERT_DOWN : ROOF_MATRIX_EXPERT_UP,
                                      is_down ? ROOF_MATRIX_SHARED_DOWN : ROOF_MATRIX_SHARED_UP};
    const uint64_t widths[] = {(uint64_t)m->active_experts * k->inner, m->shared_inner};
    const uint64_t rows[] = {is_down ? k->inner : inner, is_down ? m->shared_inner : inner};
    for (int i = 0; i < 2; i++)
        out[i] = (matrix_part){language_form_of(m, k, w, roles[i], rows[i]), is_down ? widths[i] : inner,
                               is_down ? width : widths[i], i ? " of the shared expert" : ""};
    const roof_weight_format *first = &out[0].form, *other = &out[1].form;
    if (m->shared_inner && (first->bits != other->bits || first->group != other->group ||
                            first->group_bits != other->group_bits))
        return 2;
    out[0].inner = inner;
    out[0].width = width;
    return 1;
}

static const char *name_of_part(const builder *b, const char *name, const char *of)
{
    return *of ? arena_printf(b->made.graph->storage->arena, "%s%s", name, of) : name;
}

static void add_weights(builder *b, uint32_t launch, const char *const *names, uint64_t inner, uint32_t n)
{
    const lm_model *m = b->made.model;
    const uint32_t bias[3] = {n};
    matrix_part parts[2];
    const uint32_t n_parts = parts_of(b, launch, inner, n, parts);
    for (uint32_t i = 0; i < n_parts; i++) {
        const roof_weight_format *f = &parts[i].form;
        const uint32_t k = (uint32_t)parts[i].inner, columns = (uint32_t)parts[i].width,
                       weight[3] = {k, columns};
        const bool is_block = f->group > k; /* of more than a row */
        const uint32_t scales[3] = {
            !f->group ? 0
                      : (uint32_t)(is_block ? ceil_div(parts[i].inner * parts[i].width, f->group)
                                            : ceil_div(k, f->group)),
            is_block ? 1 : columns};
        add_input(b,
                  lm_add_op(&b->made, name_of_part(b, names[LM_WEIGHT], parts[i].of), LM_A_CONSTANT, weight,
                            f->bits),
                  ROOF_ROLE_WEIGHTS);
        if (f->group)
            add_input(b,
                      lm_add_op(&b->made, name_of_part(b, names[LM_SCALES], parts[i].of), LM_A_CONSTANT,
                                scales, f->group_bits),
                      ROOF_ROLE_WEIGHTS);
    }
    if (launch >= LM_Q_PROJ && launch <= LM_V_PROJ ? m->has_qkv_bias
        : launch == LM_O_PROJ                      ? m->has_o_bias
                                                   : is_network(launch) && m->has_mlp_bias)
        add_input(b, lm_add_op(&b->made, names[LM_BIAS], LM_A_CONSTANT, bias, LM_ACTIVATION_BITS),
                  ROOF_ROLE_BIAS);
}

static void add_cache(builder *b, const char *name, uint32_t seen, uint32_t heads, uint32_t width)
{
    const lm_model *m = b->made.model;
    const uint32_t dims[3] = {seen, heads, width};
    const uint32_t op = lm_add_op(&b->made, name, LM_GIVEN, dims, m->point.cache.bits);
    roof_tensor *t = &b->made.graph->ops[op].out;
    t->bytes = roof_weight_format_bytes(&m->point.cache, t->elements, false);
    add_input(b, op, ROOF_ROLE_INPUT);
}

/* A prompt is read with its own keys and values, a token with those of all before it. Layers without a cache
 * of their own read that of another one. */
static void add_attention(builder *b)
{
    const lm_model *m = b->made.model;
    const roof_layer_kind *k = b->layers;
    const bool decodes = m->point.phase == ROOF_TEXT_DECODE;
    const uint32_t n = m->point.tokens, seen = k->window && k->window < n ? k->window : n;
    add_input(b, b->at[LM_Q_ROPE], ROOF_ROLE_INPUT);
    if (decodes || k->shares_cache) {
        const uint32_t heads = m->shape.kv_heads;
        if (m->shape.latent.key_rank) {
            add_cache(b, "kv_cache", decodes ? seen : n, 1, lm_width_of(m, k, LM_KV));
        } else {
            add_cache(b, "k_cache", decodes ? seen : n, heads, k->head_dim);
            add_cache(b, "v_cache", decodes ? seen : n, heads, k->head_dim);
        }
    } else {
        add_input(b, b->at[LM_K_ROPE], ROOF_ROLE_INPUT);
        add_input(b, b->at[LM_V_PROJ], ROOF_ROLE_INPUT);
    }
    b->at[LM_MIXER] = add_launch(b, *launches[LM_MIXER].names, LM_ATTEND,
                                 (uint32_t[3]){decodes ? 1 : n, lm_width_of(m, k, LM_Q)});
    b->made.graph->ops[b->at[LM_MIXER]].window.kernel_w = decodes ? 0 : k->window;
}

/* States of a fixed size are in no bound: nothing says that they leave the array. */
static void add_mixer(builder *b, const uint32_t dims[3])
{
    const bool is_linear = b->layers->mixer == ROOF_MIXER_LINEAR;
    add_input(b, b->at[LM_Q_PROJ], ROOF_ROLE_INPUT);
    b->at[LM_MIXER] =
        add_launch(b, is_linear ? "delta_net" : "short_conv", is_linear ? LM_DELTA_NET : LM_SHORT_CONV, dims);
}

/* Version 1 has a matrix of decays, one for each state. */
static void add_state_space(builder *b, const uint32_t dims[3])
{
    const roof_mamba *s = &b->made.model->shape.mamba;
    const char *const *names = launches[LM_SSM].names;
    add_input(b, b->at[LM_SSM_IN], ROOF_ROLE_INPUT);
    if (s->version == 1) {
        add_input(b, b->at[LM_SSM_STEP], ROOF_ROLE_INPUT);
        add_weights(b, LM_SSM, names, s->state, s->inner);
    }
    b->at[LM_SSM] = add_launch(b, *names, LM_SCAN, dims);
}

static void add_cross_attention(builder *b, const uint32_t dims[3])
{
    const roof_language_model *m = &b->made.model->shape;
    const uint32_t heads = m->heads, width = b->layers->head_dim;
    add_input(b, b->at[LM_CROSS_Q], ROOF_ROLE_INPUT);
    add_cache(b, "cross_k_cache", m->encoder.tokens, heads, width);
    add_cache(b, "cross_v_cache", m->encoder.tokens, heads, width);
    b->at[LM_CROSS] = add_launch(b, *launches[LM_CROSS].names, LM_ATTEND, dims);
}

static const char *const latent_up[] = NAMES("kv_b_proj");

static const char *const *names_of_launch(const builder *b, uint32_t launch)
{
    static const char *const in[] = NAMES("in_proj"), *const out[] = NAMES("out_proj"),
                             *const down[] = NAMES("kv_a_proj"), *const plain[] = NAMES("up_proj");
    const bool is_other = b->layers && !language_has_attention(b->layers);
    const bool is_latent = b->made.model->shape.latent.key_rank;
    return is_other && launch == LM_Q_PROJ                               ? in
           : is_other && launch == LM_O_PROJ                             ? out
           : is_latent && launch == LM_K_PROJ                            ? down
           : is_latent && launch == LM_V_PROJ                            ? latent_up
           : b->made.model->shape.has_plain_network && launch == LM_GATE ? plain
                                                                         : launches[launch].names;
}

/* "rms_gemv_rope"; of several kinds of layers "rms_gemv_rope sliding". */
static const char *name_of_row(const builder *b, uint32_t part)
{
    static const char *const mixers[ROOF_MIXERS] = {[ROOF_MIXER_LINEAR] = "delta_net",
                                                    [ROOF_MIXER_CONV] = "short_conv",
                                                    [ROOF_MIXER_MAMBA] = "state_space"};
    const lm_model *m = b->made.model;
    const char *name = lm_rows[part].names[m->point.phase == ROOF_TEXT_DECODE];
    uint32_t alike = 0, own = 0;
    if (b->layers && part == 1 && mixers[b->layers->mixer])
        name = mixers[b->layers->mixer];
    if (!b->layers || m->shape.n_kinds == 1)
        return name;
    for (uint32_t i = 0; i < m->shape.n_kinds; i++) {
        alike += m->shape.kinds[i].mixer == b->layers->mixer;
        own += m->shape.kinds[i].mixer == b->layers->mixer && &m->shape.kinds[i] <= b->layers;
    }
    if (alike == 1)
        return arena_printf(b->made.graph->storage->arena, "%s %s", name, roof_mixer_text(b->layers->mixer));
    return arena_printf(b->made.graph->storage->arena, "%s %s %u", name, roof_mixer_text(b->layers->mixer),
                        own);
}

static void make_launch(builder *b, uint32_t launch)
{
    const lm_model *m = b->made.model;
    const lm_launch *l = &launches[launch];
    const uint32_t rows = launch == LM_HEAD || m->point.phase == ROOF_TEXT_DECODE ? 1 : m->point.tokens;
    const char *const *names = names_of_launch(b, launch);
    if (!has_launch(m, b->layers, launch)) {
        b->at[launch] = b->at[l->inputs[0]];
        return;
    }
    const uint32_t dims[3] = {rows, lm_width_of(m, b->layers, l->width)};
    if (launch == LM_MIXER && language_has_attention(b->layers)) {
        add_attention(b);
        return;
    }
    if (launch == LM_MIXER || launch == LM_SSM || launch == LM_CROSS) {
        (launch == LM_MIXER ? add_mixer : launch == LM_SSM ? add_state_space : add_cross_attention)(b, dims);
        return;
    }
    /* where a state space stands in for the attention, or beside it */
    const bool is_pair = l->kind == LM_ADD || l->kind == LM_MULTIPLY;
    const bool has_mamba = launch == LM_ADD_MIXER && language_has_mamba(b->layers);
    const bool is_mamba = has_mamba && b->layers->mixer == ROOF_MIXER_MAMBA;
    for (int j = 0; j < 1 + is_pair; j++)
        add_input(b, b->at[is_mamba && !j ? LM_SSM_OUT : l->inputs[j]], ROOF_ROLE_INPUT);
    if (has_mamba && !is_mamba)
        add_input(b, b->at[LM_SSM_OUT], ROOF_ROLE_INPUT);
    /* inputs beside activations; norms work on a head at a time */
    const uint32_t norm[3] = {l->width == LM_HIDDEN ? dims[1] : b->layers ? b->layers->head_dim : 0};
    const uint64_t inner = own_inner(&m->shape, launch); /* that it sums over */
    if (l->kind == LM_PRODUCT)
        add_weights(b, launch, names, inner ? inner : b->made.graph->ops[b->inputs[0].op].out.elements / rows,
                    dims[1]);
    else if (l->kind == LM_NORM)
        add_input(b, lm_add_op(&b->made, names[LM_WEIGHT], LM_A_CONSTANT, norm, LM_ACTIVATION_BITS),
                  ROOF_ROLE_OTHER);
    else if (l->kind == LM_ROPE)
        add_input(b, lm_add_op(&b->made, names[LM_ANGLES], LM_A_CONSTANT, dims, LM_ACTIVATION_BITS),
                  ROOF_ROLE_OTHER);
    b->at[launch] = add_launch(b, *names, l->kind, dims);
}

static void make_row(lm_maker *maker, uint32_t row)
{
    builder *b = (builder *)maker;
    const lm_model *m = b->made.model;
    const uint32_t part = lm_row_part(m, row);
    b->layers = lm_row_layers(m, row);
    b->made.graph->layers[row].name = name_of_row(b, part);
    if (part == 0 || !b->layers) {
        const bool is_one = !b->layers || m->point.phase == ROOF_TEXT_DECODE;
        b->at[LM_X] =
            lm_add_op(&b->made, "hidden_states", LM_GIVEN,
                      (uint32_t[3]){is_one ? 1 : m->point.tokens, m->shape.hidden}, LM_ACTIVATION_BITS);
    }
    for (uint32_t i = lm_rows[part].first; i <= lm_rows[part].last; i++)
        make_launch(b, i);
}

roof_status lm_make_graph(lm_maker *maker, uint32_t n_ops, void (*put_row)(lm_maker *maker, uint32_t row),
                          roof_error *err)
{
    roof_graph *g = maker->graph;
    roof_arena *arena = g->storage->arena;
    const uint32_t n_rows = maker->model->shape.n_kinds * LM_BLOCK_ROWS + 1;
    for (uint32_t i = 0; i < LM_OP_TYPES; i++)
        maker->rules[i] = rule_of(lm_op_types[i]);
    TRY(ARENA_GET3(arena, g->ops, g->edges, g->layer_ops, n_ops, err));
    TRY(ARENA_GET(arena, g->layers, n_rows, err));
    TRY(graph_begin_parts(g, "root", 0, arena, err));
    for (uint32_t row = 0; row < n_rows; row++) {
        maker->layer = row;
        g->layers[row] =
            (roof_layer){.node = ROOF_NONE, .first_op = g->n_layer_ops, .stored_workload_ops = ROOF_UNKNOWN};
        put_row(maker, row);
        g->layers[row].n_ops = g->n_layer_ops - g->layers[row].first_op;
    }
    g->n_layers = g->subgraphs[0].n_layers = n_rows;
    g->name = maker->model->shape.name;
    g->is_named = true;
    return arena_status(arena, err);
}

roof_status lm_build(roof_graph *g, const lm_model *model, roof_error *err)
{
    builder b = {.made = {.graph = g, .model = model}};
    return lm_make_graph(&b.made, (model->shape.n_kinds + 1) * MOST_BLOCK_OPS, make_row, err);
}

uint64_t lm_own_macs(const lm_model *m, const roof_op *op)
{
    static const uint32_t own[] = {LM_SSM_X, LM_SSM_STEP, LM_ALTUP};
    uint64_t inner = op->name == *latent_up ? own_inner(&m->shape, LM_V_PROJ) : 0;
    for (size_t i = 0; i < N_OF(own); i++)
        if (op->name == *launches[own[i]].names)
            inner = own_inner(&m->shape, own[i]);
    const checked macs = CHECKED_PRODUCT(op->out.elements, inner);
    return macs.overflow ? ROOF_UNKNOWN : macs.value;
}

bool lm_is_cross(const roof_op *op)
{
    return op->name == *launches[LM_CROSS].names;
}

/* Types are those of the table, so that their addresses tell. */
lm_kind lm_kind_of(const roof_op *op)
{
    uint32_t kind = 0;
    while (kind < LM_KINDS && op->type != lm_op_types[kind])
        kind++;
    return (lm_kind)kind;
}
