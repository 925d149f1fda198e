/* One layer of each kind and the head as operators: a product for each matrix, with the bytes that its tensor
 * has in the file, attention or another mixer between them, and the vectors of a row together.
 */
#include "model/formats/hf_config/lm_launches.h"
#include "model/formats/stored/stored_model.h"
#include "model/work/language_matrices.h"

enum { MORE_OPS = 8, HEAD_PART = LM_BLOCK_ROWS }; /* of a row, beside those of its matrices */

typedef struct builder {
    lm_maker made;
    uint32_t tokens;               /* worked on */
    uint32_t given, queries, keys; /* operators of the layer that is made */
    uint64_t given_width;
} builder;

static uint32_t add_op(builder *b, const char *name, uint32_t type, uint64_t a, uint64_t c, uint32_t bits)
{
    return lm_add_op(&b->made, name, type, (const uint32_t[3]){(uint32_t)a, (uint32_t)c}, bits);
}

static uint32_t launch(builder *b, const char *name, lm_kind kind, uint64_t width, uint32_t input)
{
    const uint32_t op = add_op(b, name, kind, b->tokens, width ? width : 1, LM_ACTIVATION_BITS);
    graph_add_edge(b->made.graph, &b->made.graph->ops[op], input, ROOF_ROLE_INPUT);
    return op;
}

/* The input of a product, as wide as its rows; one operator for all that are alike. */
static uint32_t given_of(builder *b, uint64_t width)
{
    if (b->given == ROOF_NONE || b->given_width != width)
        b->given = add_op(b, "hidden_states", LM_GIVEN, b->tokens, width ? width : 1, LM_ACTIVATION_BITS);
    b->given_width = width;
    return b->given;
}

/* A constant with the bytes that a step reads of the tensor. */
static uint32_t constant_of(builder *b, const stored_matrix *x)
{
    const uint64_t rows = x->is_plain ? x->read_elements / x->columns : 1;
    const uint32_t op = add_op(b, x->name, LM_A_CONSTANT, x->is_plain ? x->columns : 1, rows, x->form->bits);
    b->made.graph->ops[op].out.bytes = x->read_bytes;
    b->made.graph->ops[op].out.is_stored = true;
    return op;
}

static bool is_of_part(const stored_matrix *x, uint32_t part)
{
    return !x->is_unread && (part == HEAD_PART || x->is_after == (part == LM_BLOCK_ROWS - 1));
}

/* Norms, biases, and what else is no matrix, in one operator, whose inputs lie behind one another. */
static void add_vectors(builder *b, const stored_matrix *matrices, uint32_t n, uint32_t part)
{
    roof_graph *g = b->made.graph;
    const uint32_t first = g->n_ops;
    for (uint32_t i = 0; i < n; i++)
        if (is_of_part(&matrices[i], part) && !matrices[i].is_plain)
            constant_of(b, &matrices[i]);
    const uint32_t behind = g->n_ops;
    if (first == behind)
        return;
    const uint32_t given = given_of(b, b->made.model->shape.hidden);
    const uint32_t op = launch(b, "vectors", LM_NORM, b->made.model->shape.hidden, given);
    for (uint32_t i = first; i < behind; i++)
        graph_add_edge(g, &g->ops[op], i, ROOF_ROLE_WEIGHTS);
}

/* Mixers of tokens without attention; a block of a network alone has none. */
static const struct other_mixer {
    const char *name;
    lm_kind kind;
} others[] = {{"no_mixer", LM_ADD},
              {"delta_net", LM_DELTA_NET},
              {"short_conv", LM_SHORT_CONV},
              {"state_space", LM_SCAN}};

static const struct other_mixer *other_mixer_of(const lm_model *m, const roof_layer_kind *k)
{
    const bool has_taps = m->shape.conv_kernel || k->has_unknown_state;
    return &others[k->mixer == ROOF_MIXER_LINEAR ? 1 : k->mixer == ROOF_MIXER_MAMBA ? 3 : has_taps ? 2 : 0];
}

/* A token is held against all before it, a prompt against itself. */
static void add_attention(builder *b, const roof_layer_kind *k)
{
    const lm_model *m = b->made.model;
    const uint32_t n = m->point.tokens, seen = k->window && k->window < n ? k->window : n;
    const bool decodes = m->point.phase == ROOF_TEXT_DECODE;
    uint32_t keys = b->keys;
    if (decodes || k->shares_cache) {
        keys = add_op(b, "kv_cache", LM_GIVEN, decodes ? seen : n, k->cached ? k->cached : 1,
                      m->point.cache.bits);
        b->made.graph->ops[keys].out.bytes =
            roof_weight_format_bytes(&m->point.cache, b->made.graph->ops[keys].out.elements, false);
        b->made.graph->ops[keys].out.is_stored = true;
    }
    const uint32_t op = launch(b, "attention", LM_ATTEND, k->query_width, b->queries);
    graph_add_edge(b->made.graph, &b->made.graph->ops[op], keys, ROOF_ROLE_INPUT);
    b->made.graph->ops[op].window.kernel_w = decodes ? 0 : k->window;
}

static void add_mixer(builder *b, const roof_layer_kind *k)
{
    const lm_model *m = b->made.model;
    if (language_has_attention(k)) {
        add_attention(b, k);
        if (k->has_mamba)
            launch(b, others[3].name, others[3].kind, m->shape.hidden, b->queries);
        return;
    }
    const struct other_mixer *mixer = other_mixer_of(m, k);
    launch(b, mixer->name, mixer->kind, m->shape.hidden, b->queries);
}

/* "attention", of several kinds of layers "attention blk.0", by the first one of them. */
static const char *name_of_row(builder *b, const roof_layer_kind *k, uint32_t kind, uint32_t part)
{
    static const char *const names[] = {"mixer_in", "attention", "mixer_out_ffn", "head"};
    const lm_model *m = b->made.model;
    const char *name = names[part];
    if (k && part == 1 && !language_has_attention(k))
        name = other_mixer_of(m, k)->name;
    return !k || m->shape.n_kinds == 1
               ? name
               : arena_printf(b->made.graph->storage->arena, "%s blk.%u", name, m->tensors->block[kind]);
}

static void make_row(lm_maker *maker, uint32_t row)
{
    builder *b = (builder *)maker;
    const lm_model *m = b->made.model;
    const stored_model *s = m->tensors;
    roof_graph *g = b->made.graph;
    const uint32_t part = lm_row_part(m, row), kind = row / LM_BLOCK_ROWS;
    const roof_layer_kind *k = lm_row_layers(m, row);
    const stored_matrix *matrices = s->matrices + (k ? s->first[kind] : s->first_alone);
    const uint32_t n = k ? s->n[kind] : s->n_matrices - s->first_alone;
    g->layers[row].name = name_of_row(b, k, kind, part);
    b->given = ROOF_NONE;
    b->tokens = m->point.phase == ROOF_TEXT_DECODE || !k ? 1 : m->point.tokens;
    if (k && part == 1)
        add_mixer(b, k);
    for (uint32_t i = 0; part != 1 && i < n; i++)
        if (is_of_part(&matrices[i], part) && matrices[i].is_plain) {
            const stored_matrix *x = &matrices[i];
            const uint32_t given = given_of(b, x->columns), weights = constant_of(b, x),
                           op = launch(b, x->name, LM_PRODUCT, x->read_elements / x->columns, given);
            graph_add_edge(g, &g->ops[op], weights, ROOF_ROLE_WEIGHTS);
        }
    if (part != 1)
        add_vectors(b, matrices, n, part);
    if (k && part == 0) { /* as the mixer is given them: rotated, in attention */
        const bool rotates = language_has_attention(k);
        const uint32_t given = given_of(b, m->shape.hidden);
        b->queries = launch(b, "queries", rotates ? LM_ROPE : LM_ADD,
                            rotates ? s->q_width[kind] : m->shape.hidden, given);
        b->keys =
            rotates && !k->shares_cache ? launch(b, "keys_values", LM_ROPE, k->cached, given) : b->queries;
    }
    if (g->n_layer_ops == g->layers[row].first_op)
        (void)given_of(b, m->shape.hidden);
}

roof_status stored_graph_build(roof_graph *g, const lm_model *m, roof_error *err)
{
    const stored_model *s = m->tensors;
    builder b = {.made = {.graph = g, .model = m}};
    const uint32_t n_rows = m->shape.n_kinds * LM_BLOCK_ROWS + 1;
    uint32_t n_matrices = s->n_matrices - s->first_alone;
    for (uint32_t i = 0; i < m->shape.n_kinds; i++)
        n_matrices += s->n[i];
    return lm_make_graph(&b.made, 3 * n_matrices + MORE_OPS * n_rows, make_row, err);
}
