/* Traffic, memory and work of a language model: exact counts, of a step or of a prompt.
 * Source: docs/hardware/aie.md, "Language models"; the classes of huggingface/transformers say which matrices
 * a family has.
 */
#include "roofline/language.h"
#include "model/graph/format.h"
#include "model/work/language_matrices.h"

WORD_OF(roof_mixer_text, roof_mixer, mixer,
        NULL, [ROOF_MIXER_FULL] = "full", [ROOF_MIXER_SLIDING] = "sliding", [ROOF_MIXER_LINEAR] = "linear",
        [ROOF_MIXER_CONV] = "conv", [ROOF_MIXER_MAMBA] = "mamba")

WORD_OF(roof_language_part_text, roof_language_part, part, NULL, [ROOF_PART_WEIGHTS] = "weights",
        [ROOF_PART_CACHE] = "cache", [ROOF_PART_LAUNCHES] = "launches", [ROOF_PART_ARRAY] = "array")

/* ---- matrices ------------------------------------------------------------------------------------------ */

/* Wide enough for every product of the reader's limits: 2^22 wide, 2^12 layers, 2^12 experts, 2^24 tokens. */
typedef language_wide wide;

bool language_has_attention(const roof_layer_kind *k)
{
    return k->mixer == ROOF_MIXER_FULL || k->mixer == ROOF_MIXER_SLIDING;
}

bool language_has_mamba(const roof_layer_kind *k)
{
    return k->mixer == ROOF_MIXER_MAMBA || k->has_mamba;
}

bool language_kinds_alike(const roof_layer_kind *a, const roof_layer_kind *b)
{
    return a->mixer == b->mixer && a->head_dim == b->head_dim && a->window == b->window &&
           a->inner == b->inner && a->shares_cache == b->shares_cache && a->is_dense == b->is_dense &&
           a->has_mamba == b->has_mamba && a->has_more_value == b->has_more_value &&
           a->has_more_down == b->has_more_down && a->kept == b->kept && a->cached == b->cached &&
           a->query_width == b->query_width && a->has_unknown_state == b->has_unknown_state;
}

typedef struct matrices {
    language_matrix *list;
    uint32_t n;
} matrices;

static void add_some(matrices *to, roof_matrix_role role, uint64_t rows, uint64_t columns, uint32_t held,
                     uint32_t read)
{
    if (rows && columns && held)
        to->list[to->n++] = (language_matrix){role, rows, columns, held, read};
}

static void add(matrices *to, roof_matrix_role role, uint64_t rows, uint64_t columns)
{
    add_some(to, role, rows, columns, 1, 1);
}

static void add_attention(matrices *to, const roof_language_model *m, const roof_layer_kind *k)
{
    const uint64_t d = m->hidden, h = m->heads, q = h * k->head_dim, kv = (uint64_t)m->kv_heads * k->head_dim;
    const roof_latent *l = &m->latent;
    if (l->key_rank) {
        const uint64_t queries = h * ((uint64_t)l->nope + l->rope);
        add(to, ROOF_MATRIX_QUERY, d, l->query_rank ? l->query_rank : queries);
        add(to, ROOF_MATRIX_QUERY, l->query_rank, queries);
        add(to, ROOF_MATRIX_MIXER, d, (uint64_t)l->key_rank + l->rope);
        add(to, ROOF_MATRIX_MIXER, l->key_rank, h * ((uint64_t)l->nope + l->value));
        add(to, ROOF_MATRIX_RESULT, h * l->value, d);
        return;
    }
    add(to, ROOF_MATRIX_QUERY, d, q * (m->has_output_gate ? 2 : 1));
    if (!k->shares_cache || m->has_unused_keys) {
        add(to, ROOF_MATRIX_KEY, d, kv);
        add(to, ROOF_MATRIX_VALUE, d, kv);
    }
    add(to, ROOF_MATRIX_RESULT, q, d);
    if (m->encoder.layers) { /* keys and values of the input are made once */
        add(to, ROOF_MATRIX_QUERY, d, q);
        add(to, ROOF_MATRIX_RESULT, q, d);
        add_some(to, ROOF_MATRIX_KEY, d, q, 1, 0);
        add_some(to, ROOF_MATRIX_VALUE, d, q, 1, 0);
    }
}

static void add_mamba(matrices *to, const roof_language_model *m)
{
    const roof_mamba *s = &m->mamba;
    const uint64_t d = m->hidden, i = s->inner;
    if (s->version == 1) {
        add(to, ROOF_MATRIX_MIXER, d, 2 * i);
        add(to, ROOF_MATRIX_MIXER, i, (uint64_t)s->rank + 2ull * s->state);
        add(to, ROOF_MATRIX_MIXER, s->rank, i);
        add(to, ROOF_MATRIX_EXTRA, s->state, i); /* how fast each state decays */
    } else {
        add(to, ROOF_MATRIX_MIXER, d, 2 * i + 2ull * s->groups * s->state + s->heads);
    }
    add(to, ROOF_MATRIX_MIXER, i, d);
}

static void add_network(matrices *to, const roof_language_model *m, const roof_layer_kind *k)
{
    const uint64_t d = m->hidden;
    const uint32_t into = m->has_plain_network ? 1 : 2;
    if (!m->experts || k->is_dense) {
        add_some(to, ROOF_MATRIX_UP, d, k->inner, into, into);
        add(to, ROOF_MATRIX_DOWN, k->inner, d);
        return;
    }
    add(to, ROOF_MATRIX_ROUTER, d, m->experts);
    add_some(to, ROOF_MATRIX_EXPERT_UP, d, k->inner, into * m->experts, into * m->active_experts);
    add_some(to, ROOF_MATRIX_EXPERT_DOWN, k->inner, d, m->experts, m->active_experts);
    add_some(to, ROOF_MATRIX_SHARED_UP, d, m->shared_inner, into, into);
    add(to, ROOF_MATRIX_SHARED_DOWN, m->shared_inner, d);
}

uint32_t language_matrices(const roof_language_model *m, const roof_layer_kind *k,
                           language_matrix out[LANGUAGE_MOST_MATRICES])
{
    const uint64_t keys = (uint64_t)m->linear_key_heads * m->linear_key_dim,
                   values = (uint64_t)m->linear_value_heads * m->linear_value_dim;
    matrices to = {out, 0};
    if (language_has_attention(k))
        add_attention(&to, m, k);
    if (language_has_mamba(k))
        add_mamba(&to, m);
    if (k->mixer == ROOF_MIXER_LINEAR) { /* queries, keys, values; gate; the two gates of each head */
        add(&to, ROOF_MATRIX_MIXER, m->hidden, 2 * keys + 2 * values + 2ull * m->linear_value_heads);
        add(&to, ROOF_MATRIX_MIXER, values, m->hidden);
    }
    if (k->mixer == ROOF_MIXER_CONV) { /* in three times as wide, and out */
        add(&to, ROOF_MATRIX_MIXER, m->hidden, 3ull * m->hidden);
        add(&to, ROOF_MATRIX_MIXER, m->hidden, m->hidden);
    }
    add_network(&to, m, k);
    /* gate, projection and the layer's share of the common projection; Gemma 3n's branch, and how its copies
     * are mixed: alt^3 coefficients to predict, alt^2 to correct, and a router */
    const uint64_t d = m->hidden, alt = m->altup_inputs;
    add_some(&to, ROOF_MATRIX_EXTRA, d, m->per_layer_inputs, 3, 3);
    add_some(&to, ROOF_MATRIX_EXTRA, d, m->laurel_rank, 2, 2);
    add(&to, ROOF_MATRIX_EXTRA, alt * alt, alt);
    add(&to, ROOF_MATRIX_EXTRA, alt, alt);
    add(&to, ROOF_MATRIX_EXTRA, d, alt);
    return to.n;
}

/* ---- mixers -------------------------------------------------------------------------------------------- */

static wide window_of(const roof_layer_kind *k, wide n)
{
    return k->window && k->window < n ? k->window : n;
}

/* Attention of one token to an encoder's output, whose length is fixed. */
static wide crossed(const roof_language_model *m, const roof_layer_kind *k)
{
    return m->encoder.layers && language_has_attention(k)
               ? 2 * (wide)m->heads * k->head_dim * m->encoder.tokens
               : 0;
}

/* A query of each token with the keys before it and its own, and what that gives with the values. */
wide language_attention_macs(const roof_language_model *m, const roof_layer_kind *k,
                             const roof_language_point *p)
{
    const bool is_step = p->phase == ROOF_TEXT_DECODE;
    const roof_latent *l = &m->latent;
    const wide h = m->heads, n = p->tokens, w = window_of(k, n);
    const wide twice = !l->key_rank ? 2 * (k->query_width ? k->query_width : h * k->head_dim)
                       : is_step    ? h * (2 * (wide)l->key_rank + l->rope)
                                    : h * ((wide)l->nope + l->rope + l->value);
    if (!language_has_attention(k))
        return 0;
    if (is_step)
        return twice * w + crossed(m, k);
    return twice * (w * (w + 1) / 2 + (n - w) * w) + n * crossed(m, k);
}

/* State bytes of one sequence, and work on them for each token. */
typedef struct state_size {
    wide bytes, macs;
} state_size;

/* A delta net has a matrix of 4 bytes for each head, reads it, corrects it and asks it (3 MACs an element:
 * arXiv 2412.06464), a state space updates and asks it (2); short convolutions see their taps. */
static state_size state_of(const roof_language_model *m, const roof_layer_kind *k)
{
    const wide keys = (wide)m->linear_key_heads * m->linear_key_dim,
               values = (wide)m->linear_value_heads * m->linear_value_dim;
    const roof_mamba *s = &m->mamba;
    wide matrix = 0, each = 0, width = 0, taps = 0; /* each: MACs an element; width: of the convolution */
    if (k->mixer == ROOF_MIXER_LINEAR) {
        matrix = values * m->linear_key_dim;
        each = 3;
        width = 2 * keys + values;
        taps = m->linear_kernel;
    }
    if (k->mixer == ROOF_MIXER_CONV) {
        width = m->hidden;
        taps = m->conv_kernel;
    }
    if (language_has_mamba(k)) {
        matrix = (wide)s->inner * s->state;
        each = 2;
        width = s->inner + (s->version == 2 ? 2 * (wide)s->groups * s->state : 0);
        taps = s->kernel;
    }
    return (state_size){matrix * 4 + width * (taps ? taps - 1 : 0) * 2, each * matrix + width * taps};
}

wide language_state_macs(const roof_language_model *m, const roof_layer_kind *k, const roof_language_point *p)
{
    return state_of(m, k).macs * (p->phase == ROOF_TEXT_DECODE ? 1 : p->tokens);
}

/* ---- counts -------------------------------------------------------------------------------------------- */

static const wide most_count = (wide)1 << 53;

static uint64_t narrow(wide count, bool *is_too_large)
{
    *is_too_large = *is_too_large || count > most_count;
    return (uint64_t)count;
}

/* Elements by their form. */
typedef struct form_sum {
    roof_weight_format form;
    wide read, held;
} form_sum;

enum { MOST_FORMS = 32, PLAIN_BITS = 16 };

typedef struct totals {
    const roof_language_model *model;
    const roof_language_point *point;
    form_sum forms[MOST_FORMS];
    uint32_t n_forms;
    wide all, active, experts;
} totals;

static void add_matrix(totals *t, const roof_layer_kind *k, roof_matrix_role role, uint64_t row, wide read,
                       wide held)
{
    const roof_weight_format f = language_form_of(t->model, k, &t->point->weights, role, row);
    uint32_t i = 0;
    while (i < t->n_forms && (t->forms[i].form.bits != f.bits || t->forms[i].form.group != f.group ||
                              t->forms[i].form.group_bits != f.group_bits))
        i++;
    if (i == t->n_forms && i < MOST_FORMS)
        t->forms[t->n_forms++].form = f;
    form_sum *sum = &t->forms[i < MOST_FORMS ? i : MOST_FORMS - 1];
    sum->read += read;
    sum->held += held;
}

static void put_layers(totals *t, const roof_layer_kind *k)
{
    language_matrix list[LANGUAGE_MOST_MATRICES];
    const uint32_t n = language_matrices(t->model, k, list);
    for (uint32_t i = 0; i < n; i++) {
        const language_matrix *x = &list[i];
        const wide one = (wide)x->rows * x->columns * k->count;
        add_matrix(t, k, x->role, x->rows, one * x->read, one * x->held);
        t->all += one * x->held;
        t->active += one * x->read;
        if (x->role == ROOF_MATRIX_EXPERT_UP || x->role == ROOF_MATRIX_EXPERT_DOWN)
            t->experts += one * x->held;
    }
}

/* Adds the parts that belong to no layer, but for the tables: the projections of Gemma 3n's copies, and an
 * encoder. */
static void put_rest(totals *t)
{
    const roof_language_model *m = t->model;
    const roof_encoder *e = &m->encoder;
    const wide d = m->hidden, copies = m->altup_inputs ? 2 * ((wide)m->altup_inputs - 1) * d * d : 0;
    const wide encoder =
        e->layers ? e->layers * (4 * d * d + 2 * d * e->inner) + 3 * d * ((wide)e->bins + d) : 0;
    add_matrix(t, NULL, ROOF_MATRIX_EXTRA, m->hidden, copies, copies);
    add_matrix(t, NULL, ROOF_MATRIX_MIXER, m->hidden, 0, encoder);
    t->all += copies + encoder;
    t->active += copies;
}

typedef enum which_bytes { READ, STREAMED, HELD, IN_FILE } which_bytes;

static wide bytes_of(const totals *t, which_bytes which)
{
    const bool is_held = which == HELD || which == IN_FILE, is_as_stored = which == STREAMED || which == HELD;
    wide sum = 0;
    for (uint32_t i = 0; i < t->n_forms; i++) {
        /* a stack that stores the form in another one does so with all that is packed */
        const bool is_repacked =
            is_as_stored && t->point->weights.stored_group_bits && t->forms[i].form.bits != PLAIN_BITS;
        sum +=
            roof_weight_format_bytes(is_repacked ? &t->point->weights : &t->forms[i].form,
                                     (uint64_t)(is_held ? t->forms[i].held : t->forms[i].read), is_as_stored);
    }
    return sum;
}

/* ROOF_UNKNOWN: the form is of no file. */
static wide file_bytes_of(const totals *t)
{
    const roof_language_model *m = t->model;
    const roof_weight_format *w = &t->point->weights;
    const bool is_file = weight_format_is_file(w),
               is_quantised = m->quantised && w->name && strcmp(w->name, m->quantised) == 0;
    if (!is_file && !is_quantised)
        return ROOF_UNKNOWN;
    const roof_weight_format f = language_form_of(m, NULL, w, ROOF_MATRIX_EMBEDDING, m->hidden);
    const uint64_t table = (uint64_t)m->hidden * m->vocab;
    const wide vectors = m->vectors == ROOF_UNKNOWN ? 0 : m->vectors;
    return bytes_of(t, IN_FILE) + (m->is_tied ? 0 : roof_weight_format_bytes(&f, table, false)) +
           (is_file ? 4 * (vectors + m->rope_factors) : 2 * vectors);
}

/* Puts the counts of the file in place of formulas, which know of no tensor. */
static void count_stored(const roof_language_model *m, roof_language_counts *out)
{
    const roof_stored_weights *s = m->stored;
    if (!s)
        return;
    out->parameters = s->parameters;
    out->active_parameters = s->active_parameters;
    out->weight_bytes = out->streamed_bytes = s->read_bytes;
    out->resident_weight_bytes = out->file_bytes = s->tensor_bytes;
    out->weight_macs = s->weight_macs;
    out->expert_weights = s->expert_weights;
    FOR_EACH(const roof_layer_kind, k, m->kinds, m->n_kinds)
        if (k->has_unknown_state)
            out->state_bytes = out->state_macs = ROOF_UNKNOWN;
}

roof_status roof_language_count(const roof_language_model *m, const roof_language_point *p,
                                roof_language_counts *out, roof_error *err)
{
    const wide table = (wide)m->hidden * m->vocab;
    const wide inputs =
        (wide)(m->per_layer_vocab ? m->per_layer_vocab : m->vocab) * m->per_layer_inputs * m->layers;
    totals t = {.model = m, .point = p};
    wide cache = 0, held = 0, added = 0, state = 0, attention = 0, state_macs = 0;
    FOR_EACH(const roof_layer_kind, k, m->kinds, m->n_kinds) {
        /* elements that a token leaves in the cache of a layer */
        const wide keys = !language_has_attention(k) ? 0
                          : k->cached                ? k->cached
                          : m->latent.key_rank       ? (uint64_t)m->latent.key_rank + m->latent.rope
                                                     : 2ull * m->kv_heads * k->head_dim;
        const wide seen = keys * window_of(k, p->tokens), input = crossed(m, k);
        const uint64_t fixed = roof_weight_format_bytes(&p->cache, (uint64_t)input, false);
        if (!m->stored)
            put_layers(&t, k);
        state += k->count * (state_of(m, k).bytes + fixed);
        attention += k->count * language_attention_macs(m, k, p);
        state_macs += k->count * language_state_macs(m, k, p);
        cache += k->count * (seen + input);
        if (!k->shares_cache)
            held += k->count * seen;
        if (!k->shares_cache && k->mixer == ROOF_MIXER_FULL)
            added += k->count * keys;
    }
    if (!m->stored) {
        put_rest(&t);
        add_matrix(&t, NULL, ROOF_MATRIX_HEAD, m->hidden, table, table);
    }
    /* stacks hold a table of embeddings of 2 bytes beside what steps read, and some another form */
    const wide file = file_bytes_of(&t);
    const bool is_of_stack = file == ROOF_UNKNOWN || p->weights.stored_group_bits;
    bool is_too_large = t.all + table > most_count || cache > most_count || held > most_count;
    *out = (roof_language_counts){
        .parameters = narrow(t.all + table * (m->is_tied ? 1 : 2) + inputs, &is_too_large),
        .active_parameters = narrow(t.active + table, &is_too_large),
        .weight_bytes = narrow(bytes_of(&t, READ), &is_too_large),
        .streamed_bytes = narrow(bytes_of(&t, STREAMED), &is_too_large),
        .kv_bytes = narrow((wide)p->batch * roof_weight_format_bytes(&p->cache, (uint64_t)cache, false),
                           &is_too_large),
        .kv_bytes_per_token = roof_weight_format_bytes(&p->cache, narrow(added, &is_too_large), false),
        .cache_bytes = narrow((wide)p->batch * roof_weight_format_bytes(&p->cache, (uint64_t)held, false),
                              &is_too_large),
        .state_bytes = narrow(p->batch * state, &is_too_large),
        .resident_weight_bytes = narrow(is_of_stack ? bytes_of(&t, HELD) + 2 * table : file, &is_too_large),
        .file_bytes = (uint64_t)file,
        .weight_macs = narrow(t.active, &is_too_large),
        .attention_macs = narrow(attention, &is_too_large),
        .state_macs = narrow(state_macs, &is_too_large),
        .expert_weights = narrow(t.experts, &is_too_large),
    };
    if (is_too_large)
        return error_set(err, ROOF_E_LIMIT, "the counts of the language model are beyond 2^53");
    count_stored(m, out);
    return ROOF_OK;
}

const roof_language_model *roof_language_of(const roof_graph *graph)
{
    return graph->storage->language;
}
