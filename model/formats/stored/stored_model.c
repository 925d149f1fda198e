/* From tensors to a model: those of one name in a layer are one matrix, layers whose matrices are alike are
 * one kind, and what a step reads is the sum over them.
 */
#include "core/findings.h"
#include "model/formats/stored/stored_model.h"
#include "model/work/language_matrices.h"

/* Real blocks have some thirty tensors, real vocabularies 2^18 rows. */
enum { MOST_OF_BLOCK = 1 << 10, MOST_WIDTH = 1 << 24, MOST_FORMS = 64, SHOWN_FORMS = 6 };
static const uint64_t most_count = (uint64_t)1 << 53;

typedef struct left_out {
    uint64_t tensors, bytes;
    const char *first; /* its name */
} left_out;

typedef struct form_sum {
    const roof_weight_format *form;
    uint64_t bytes;
} form_sum;

typedef struct maker {
    roof_graph *graph;
    roof_arena *arena, *scratch;
    const stored_facts *facts;
    roof_language_model *shape;
    lm_model *model;
    stored_matrix *found;   /* in the file's order */
    uint32_t n_found, last; /* last: that was added to */
    namemap *names;
    uint8_t *further; /* by block: it predicts further tokens */
    uint8_t *present;
    uint32_t n_blocks;
    left_out left[STORED_USES];
    stored_model *out;
    uint64_t hashes[ROOF_MOST_LAYER_KINDS];
    form_sum forms[MOST_FORMS];
    uint32_t n_forms;
    bool has_table, has_head, is_packed, lacks_windows, lacks_cache;
    roof_error *err;
} maker;

stored_facts stored_nothing(void)
{
    return (stored_facts){
#define FACT(member, gguf, config) .member = ROOF_NONE,
#include "model/formats/stored/facts.def"
#undef FACT
    };
}

static uint32_t known(uint32_t fact)
{
    return fact == ROOF_NONE ? 0 : fact;
}

/* ---- matrices ------------------------------------------------------------------------------------------ */

static void leave_out(maker *m, stored_use use, const stored_tensor *t)
{
    left_out *l = &m->left[use];
    if (!l->tensors++)
        l->first = arena_name(m->arena, t->name.text, t->name.length);
    l->bytes += t->bytes;
}

static void fill(const maker *m, stored_matrix *x, const stored_name *name, const stored_tensor *t)
{
    const bool is_vector = t->n_dims < 2 || t->elements == t->dims[0] || span_has(name->rest, "bias");
    x->columns = t->n_dims ? t->dims[0] : 1;
    x->role = is_vector && name->role <= STORED_UP ? STORED_OTHER : name->role;
    x->is_plain = !is_vector && !t->is_packed && x->role != STORED_ASIDE;
    x->is_after = name->is_after;
    x->form = t->form;
    /* one of those that are named by number; else the last dimension, unless rows of all lie in one matrix */
    if (name->expert.length)
        x->experts = 1;
    else if (name->is_of_experts && t->n_dims > 1)
        x->experts = t->n_dims > 2 || is_vector || !known(m->facts->experts) ? t->dims[t->n_dims - 1]
                                                                             : m->facts->experts;
    x->is_packed = t->is_packed;
    x->is_head = x->is_plain && (name->use == STORED_HEAD || name->use == STORED_TABLE);
}

static roof_status add_matrix(maker *m, const stored_name *name, const stored_tensor *t)
{
    /* its layer and what it is called there, without the number of an expert */
    const text_span rest = name->rest, expert = name->expert;
    const size_t before = expert.length ? (size_t)(expert.text - rest.text) : rest.length;
    const char *key =
        arena_printf(m->scratch, "%" PRIu32 " %.*s*%.*s", name->block, (int)before, rest.text,
                     (int)(rest.length - before - expert.length), rest.text + before + expert.length);
    TRY(arena_status(m->scratch, m->err));
    uint32_t at = namemap_find(m->names, key, strlen(key));
    if (at != ROOF_NONE && !name->expert.length)
        return error_data(
            m->err, "tensor '%s' is there twice, or of a second stack of layers: one decoder is counted",
            SHOWN(t->name));
    if (at == ROOF_NONE) {
        at = m->n_found++;
        namemap_add(m->names, key, strlen(key), at);
        text_span short_name = rest;
        span_skip_end(&short_name, ".weight");
        m->found[at] = (stored_matrix){.name = arena_name(m->arena, short_name.text, short_name.length),
                                       .block = name->block};
        TRY(arena_status(m->arena, m->err));
        fill(m, &m->found[at], name, t);
    } else {
        m->found[at].experts++;
    }
    stored_matrix *x = &m->found[at];
    m->last = at;
    x->elements += t->elements;
    x->bytes += t->bytes;
    if (x->elements > most_count || x->bytes > most_count)
        return error_set(m->err, ROOF_E_LIMIT, "tensors like '%s' have more than 2^53 bytes or elements",
                         SHOWN(t->name));
    return ROOF_OK;
}

/* Layers behind those of the model predict further tokens, and so does one with tensors that only such
 * have. */
static roof_status mark_blocks(maker *m, const stored_list *list, const stored_name *names)
{
    const uint32_t further = m->facts->counts_further ? known(m->facts->further) : 0;
    for (uint32_t i = 0; i < list->n; i++) {
        const uint32_t block = names[i].block;
        if (block == ROOF_NONE || names[i].use == STORED_SENSES)
            continue;
        if (block >= STORED_MOST_LAYERS)
            return error_set(m->err, ROOF_E_LIMIT, "tensor '%s' is of layer %u, want less than %d",
                             SHOWN(list->tensors[i].name), block, STORED_MOST_LAYERS);
        m->present[block] = 1;
        m->further[block] |= names[i].use == STORED_FURTHER ||
                             (m->facts->layers != ROOF_NONE && (uint64_t)block + further >= m->facts->layers);
        if (block >= m->n_blocks)
            m->n_blocks = block + 1;
    }
    return ROOF_OK;
}

/* Layers that share the cache of one before have projections of keys and values in some files, and use
 * none. */
static bool is_unused(const maker *m, const stored_name *name)
{
    const uint32_t shared = known(m->facts->shared_caches), layers = known(m->facts->layers);
    return shared && shared < layers && name->block != ROOF_NONE && name->block >= layers - shared &&
           (name->role == STORED_K || name->role == STORED_V);
}

static roof_status sort_out(maker *m, const stored_list *list, const stored_name *names)
{
    for (uint32_t i = 0; i < list->n; i++)
        m->has_head = m->has_head || names[i].use == STORED_HEAD;
    for (uint32_t i = 0; i < list->n; i++) {
        const stored_tensor *t = &list->tensors[i];
        stored_name name = names[i];
        if (name.block != ROOF_NONE && name.use != STORED_SENSES && m->further[name.block])
            name.use = STORED_FURTHER;
        else if (name.use == STORED_TABLE)
            m->has_table = true;
        if (name.use == STORED_ENCODER)
            return error_set(m->err, ROOF_E_UNSUPPORTED,
                             "tensor '%s' is of an encoder; decoders alone are counted", SHOWN(t->name));
        if (name.use == STORED_FURTHER || name.use == STORED_SENSES) {
            leave_out(m, name.use, t);
            continue;
        }
        uint32_t at = 0;
        while (at < m->n_forms && m->forms[at].form != t->form)
            at++;
        if (at == MOST_FORMS)
            return error_set(m->err, ROOF_E_LIMIT, "tensors are of more than %d forms", MOST_FORMS);
        m->forms[at].form = t->form;
        m->forms[at].bytes += t->bytes;
        m->n_forms += at == m->n_forms;
        if (m->forms[at].bytes > most_count)
            return error_set(m->err, ROOF_E_LIMIT, "tensors have more than 2^53 bytes");
        m->is_packed = m->is_packed || t->is_packed;
        if (name.use == STORED_GATHERED || (name.use == STORED_TABLE && m->has_head) || is_unused(m, &name)) {
            leave_out(m, STORED_GATHERED, t);
            name.use = STORED_GATHERED;
        }
        TRY(add_matrix(m, &name, t));
        if (name.use == STORED_GATHERED)
            m->found[m->last].is_unread = true;
    }
    return ROOF_OK;
}

/* ---- bytes that are read ------------------------------------------------------------------------------ */

static uint64_t share(uint64_t all, uint64_t used, uint64_t of)
{
    return (uint64_t)((unsigned __int128)all * used / of);
}

static roof_status read_one(maker *m, stored_matrix *x)
{
    const uint32_t used = m->facts->used;
    if (x->is_unread) {
        x->is_plain = x->is_head = false;
        return ROOF_OK;
    }
    x->read_elements = x->elements;
    x->read_bytes = x->bytes;
    if (x->experts && used == ROOF_NONE) {
        x->read_elements = x->read_bytes = ROOF_UNKNOWN;
        x->is_plain = false;
    } else if (x->experts && (!used || used > x->experts)) {
        return error_data(m->err, "a token uses %u experts, '%s' has %" PRIu64, used, x->name, x->experts);
    } else if (x->experts) {
        x->read_elements = share(x->elements, used, x->experts);
        x->read_bytes = share(x->bytes, used, x->experts);
    }
    const uint64_t of = x->experts ? x->experts : 1;
    x->rows = x->columns ? x->elements / x->columns / of : 0;
    if (x->is_plain &&
        (x->columns > MOST_WIDTH || x->rows * (x->experts ? used : 1) > MOST_WIDTH || !x->rows))
        return error_set(m->err, ROOF_E_LIMIT,
                         "'%s' is a matrix of %" PRIu64 " x %" PRIu64 ", want 1 to %d of each", x->name,
                         x->columns, x->rows, MOST_WIDTH);
    return ROOF_OK;
}

static uint64_t hash_of(const stored_matrix *x)
{
    uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */
    const uint64_t values[] = {(uint64_t)(uintptr_t)x->form, x->columns, x->rows, x->experts, x->bytes};
    for (const char *c = x->name; *c; c++)
        h = (h ^ (unsigned char)*c) * UINT64_C(1099511628211);
    for (size_t i = 0; i < N_OF(values); i++)
        h = (h ^ values[i]) * UINT64_C(1099511628211);
    return h;
}

/* ---- layers -------------------------------------------------------------------------------------------- */

/* Architectures without a key for it: the last one of so many layers sees all tokens; 0: none does.
 * Source: set_swa_pattern in ggml-org/llama.cpp src/llama-model.cpp; classes of huggingface/transformers. */
static const struct {
    const char *architecture;
    uint32_t period;
} periods[] = {{"gemma2", 2},  {"gemma3", 6},    {"gemma3_text", 6}, {"gemma3n", 5}, {"gemma3n_text", 5},
               {"cohere2", 4}, {"gpt-oss", 2},   {"gpt_oss", 2},     {"exaone4", 4}, {"olmo2", 4},
               {"olmo3", 4},   {"llama4", 4},    {"llama4_text", 4}, {"mistral", 0}, {"mixtral", 0},
               {"phi3", 0},    {"starcoder2", 0}};

/* False: whether the layer looks back at a window alone is unknown, and all tokens are counted. */
static bool set_window(const maker *m, uint32_t layer, roof_layer_kind *k)
{
    const stored_facts *f = m->facts;
    const uint32_t window = known(f->window) ? f->window : known(f->chunk);
    uint32_t period = f->window_period;
    if (!window)
        return true;
    for (size_t i = 0; i < N_OF(periods) && period == ROOF_NONE && f->architecture; i++)
        if (strcmp(periods[i].architecture, f->architecture) == 0)
            period = periods[i].period;
    if (!f->is_sliding && period == ROOF_NONE)
        return false;
    const bool is_of_all = !f->is_sliding && !period;
    if (is_of_all && known(f->positions) && window >= f->positions)
        return true; /* it ends nothing */
    if (f->is_sliding ? f->is_sliding[layer % f->n_sliding] : is_of_all || layer % period < period - 1) {
        k->window = window;
        /* of a chunk a token leaves keys that the next ones of the chunk see: they count as kept */
        k->mixer = is_of_all || !known(f->window) ? ROOF_MIXER_FULL : ROOF_MIXER_SLIDING;
    }
    return true;
}

/* Shapes of a layer by what its tensors are. */
typedef struct layer_shapes {
    const stored_matrix *of[STORED_ROLES];
} layer_shapes;

static uint64_t rows_of(const stored_matrix *x)
{
    return x && x->is_plain ? x->rows : 0;
}

static uint64_t key_length(const maker *m)
{
    const uint32_t heads = known(m->facts->heads);
    return m->facts->key_length != ROOF_NONE ? m->facts->key_length : heads ? m->shape->hidden / heads : 0;
}

static uint64_t value_length(const maker *m)
{
    return m->facts->value_length != ROOF_NONE ? m->facts->value_length : key_length(m);
}

/* Heads share one narrow vector: its width and its rotated part are those of the projection, what a head
 * makes of it those of queries and results. Without the number of heads the cache alone is known. */
static void set_latent(maker *m, const layer_shapes *s, uint64_t cached, uint64_t rank, uint64_t q_width,
                       roof_layer_kind *k)
{
    const stored_matrix *q = s->of[STORED_Q];
    const uint64_t heads = known(m->facts->heads), rope = cached - rank, value = heads ? q_width / heads : 0;
    if (!heads)
        return;
    uint64_t nope = m->facts->nope == ROOF_NONE ? value : m->facts->nope;
    if (q && q->is_plain && q->rows / heads > rope)
        nope = q->rows / heads - rope;
    m->shape->latent = (roof_latent){
        .key_rank = (uint32_t)rank, .rope = (uint32_t)rope, .nope = (uint32_t)nope, .value = (uint32_t)value};
    k->head_dim = (uint32_t)(nope + rope);
    if (q && q->is_plain && q->columns < m->shape->hidden)
        m->shape->latent.query_rank = (uint32_t)q->columns;
}

/* Keys and values that a token leaves, and the width of a query with one of them: shapes of projections, else
 * keys. A projection of both and of queries has what the result's projection does not take. */
static roof_status set_attention(maker *m, const layer_shapes *s, roof_layer_kind *k, uint64_t *q_width)
{
    const stored_facts *f = m->facts;
    const stored_matrix *o = s->of[STORED_O], *norm = s->of[STORED_LATENT_NORM];
    const uint64_t heads = known(f->heads), kv_heads = f->kv_heads == ROOF_NONE ? heads : f->kv_heads,
                   fused = rows_of(s->of[STORED_QKV]), latent = rows_of(s->of[STORED_LATENT]),
                   rank = norm ? norm->columns : known(f->latent);
    uint64_t keys = rows_of(s->of[STORED_K]), values = rows_of(s->of[STORED_V]), width;
    *q_width = o && o->is_plain ? o->columns : heads * value_length(m);
    if (s->of[STORED_LATENT]) {
        keys = latent ? latent : rank + known(f->rotated);
        values = 0;
        width = *q_width;
    } else {
        if (fused > *q_width && !keys)
            keys = values = (fused - *q_width) / 2;
        keys = keys ? keys : kv_heads * key_length(m);
        values = values ? values : s->of[STORED_V] ? kv_heads * value_length(m) : keys;
        width = values ? share(*q_width, keys + values, 2 * values) : *q_width;
        k->head_dim = (uint32_t)(kv_heads && keys % kv_heads == 0 ? keys / kv_heads : key_length(m));
    }
    if (keys > MOST_WIDTH || values > MOST_WIDTH || *q_width > MOST_WIDTH || width > MOST_WIDTH ||
        rank > MOST_WIDTH)
        return error_set(m->err, ROOF_E_LIMIT, "keys, values or queries are more than %d wide", MOST_WIDTH);
    if (s->of[STORED_LATENT] && rank && rank <= keys)
        set_latent(m, s, keys, rank, *q_width, k);
    m->lacks_cache = m->lacks_cache || !keys;
    k->cached = (uint32_t)(keys + values);
    k->query_width = (uint32_t)width;
    return ROOF_OK;
}

/* A state space, or a delta net: keys tell how large its state is. */
static void set_state(maker *m, const layer_shapes *s, roof_layer_kind *k)
{
    const stored_facts *f = m->facts;
    const uint32_t groups = known(f->state_groups),
                   heads = known(f->state_heads) && f->state_inner % f->state_heads == 0 ? f->state_heads : 1;
    const bool is_space = s->of[STORED_STATE_IN], has_attention = language_has_attention(k);
    k->has_mamba = is_space && has_attention;
    k->mixer = has_attention ? k->mixer : is_space ? ROOF_MIXER_MAMBA : ROOF_MIXER_LINEAR;
    k->has_unknown_state = f->state_inner > MOST_WIDTH || f->state_size > MOST_WIDTH ||
                           f->state_taps > MOST_WIDTH || groups > MOST_WIDTH;
    if (k->has_unknown_state)
        return;
    if (is_space)
        m->shape->mamba = (roof_mamba){.version = groups ? 2 : 1,
                                       .inner = f->state_inner,
                                       .heads = heads,
                                       .state = f->state_size,
                                       .groups = groups,
                                       .kernel = f->state_taps};
    m->shape->linear_key_heads = groups;
    m->shape->linear_key_dim = f->state_size;
    m->shape->linear_value_heads = heads;
    m->shape->linear_value_dim = f->state_inner / heads;
    m->shape->linear_kernel = f->state_taps;
}

static roof_status set_layer(maker *m, uint32_t layer, const layer_shapes *s, roof_layer_kind *k,
                             uint64_t *q_width)
{
    const bool has_state = s->of[STORED_STATE], has_taps = s->of[STORED_TAPS] && !has_state;
    const bool has_attention = s->of[STORED_K] || s->of[STORED_LATENT] || (s->of[STORED_QKV] && !has_state);
    const uint32_t shared = known(m->facts->shared_caches), layers = m->shape->layers;
    const stored_matrix *up = s->of[STORED_UP];
    *k = (roof_layer_kind){.count = 1, .mixer = ROOF_MIXER_FULL, .inner = up ? (uint32_t)rows_of(up) : 0};
    *q_width = 0;
    k->shares_cache = shared < layers && layer >= layers - shared;
    if (has_attention || k->shares_cache) {
        TRY(set_attention(m, s, k, q_width));
        m->lacks_windows = !set_window(m, layer, k) || m->lacks_windows;
    } else { /* of a block of a network alone taps are none */
        k->mixer = ROOF_MIXER_CONV;
    }
    k->is_dense = up && !up->experts;
    if (has_state)
        set_state(m, s, k);
    else if (has_taps && m->facts->taps > MOST_WIDTH)
        k->has_unknown_state = true;
    else if (has_taps)
        m->shape->conv_kernel = m->facts->taps;
    return ROOF_OK;
}

/* matrices: those of the layer. */
static roof_status add_layer(maker *m, uint32_t layer, uint32_t first, uint32_t n)
{
    roof_language_model *shape = m->shape;
    layer_shapes shapes = {{NULL}};
    roof_layer_kind k;
    uint64_t hash = n, q_width;
    if (n > MOST_OF_BLOCK)
        return error_set(m->err, ROOF_E_LIMIT, "layer %u has %u tensors, want at most %d", layer, n,
                         MOST_OF_BLOCK);
    for (uint32_t i = first; i < first + n; i++) {
        const stored_matrix *x = &m->out->matrices[i];
        hash += hash_of(x);
        if (!shapes.of[x->role])
            shapes.of[x->role] = x;
    }
    TRY(set_layer(m, layer, &shapes, &k, &q_width));
    uint32_t at = 0;
    while (at < shape->n_kinds && !(m->hashes[at] == hash && language_kinds_alike(&shape->kinds[at], &k)))
        at++;
    if (at == ROOF_MOST_LAYER_KINDS)
        return error_set(m->err, ROOF_E_LIMIT, "layers are of more than %d kinds", ROOF_MOST_LAYER_KINDS);
    if (at < shape->n_kinds) {
        shape->kinds[at].count++;
        return ROOF_OK;
    }
    if (shapes.of[STORED_LATENT])
        shape->attention = "mla";
    else if (shapes.of[STORED_SINKS])
        shape->attention = "sink";
    else if (k.mixer == ROOF_MIXER_SLIDING)
        shape->attention = "window";
    else if (shapes.of[STORED_STATE])
        shape->attention = "gated";
    else if (shapes.of[STORED_Q_NORM] && strcmp(shape->attention, "gqa") == 0)
        shape->attention = "qk_norm";
    m->hashes[at] = hash;
    m->out->first[at] = first;
    m->out->n[at] = n;
    m->out->block[at] = layer;
    m->out->q_width[at] = q_width;
    shape->kinds[shape->n_kinds++] = k;
    return ROOF_OK;
}

/* Matrices of a layer behind one another, those of no layer last: a counting sort. */
static roof_status by_layer(maker *m, uint32_t *starts)
{
    TRY(ARENA_GET(m->arena, m->out->matrices, m->n_found ? m->n_found : 1, m->err));
    for (uint32_t i = 0; i < m->n_found; i++)
        starts[(m->found[i].block == ROOF_NONE ? m->n_blocks : m->found[i].block) + 1]++;
    for (uint32_t i = 0; i <= m->n_blocks; i++)
        starts[i + 1] += starts[i];
    for (uint32_t i = 0; i < m->n_found; i++)
        m->out->matrices[starts[m->found[i].block == ROOF_NONE ? m->n_blocks : m->found[i].block]++] =
            m->found[i];
    for (uint32_t i = m->n_blocks + 1; i > 0; i--)
        starts[i] = starts[i - 1];
    starts[0] = 0;
    m->out->n_matrices = m->n_found;
    m->out->first_alone = starts[m->n_blocks];
    return ROOF_OK;
}

static const stored_matrix *head_of(const maker *m)
{
    for (uint32_t i = m->out->first_alone; i < m->out->n_matrices; i++)
        if (m->out->matrices[i].is_head)
            return &m->out->matrices[i];
    return NULL;
}

static roof_status list_layers(maker *m)
{
    uint32_t *starts;
    const uint32_t further = m->facts->counts_further ? known(m->facts->further) : 0;
    uint64_t said = m->facts->layers == ROOF_NONE ? ROOF_UNKNOWN : m->facts->layers - further;
    TRY(ARENA_GET(m->scratch, starts, m->n_blocks + 2, m->err));
    TRY(by_layer(m, starts));
    const stored_matrix *head = head_of(m);
    m->shape->hidden = head ? (uint32_t)head->columns : known(m->facts->hidden);
    m->shape->vocab = head ? (uint32_t)head->rows : m->shape->vocab;
    for (uint32_t i = 0; i < m->n_blocks; i++)
        m->shape->layers += m->present[i] && !m->further[i];
    if (!m->shape->layers)
        return error_set(
            m->err, ROOF_E_UNSUPPORTED,
            "has %u tensors and no numbered layers, as \"blk.0.\" or \"layers.0.\": no language model of "
            "the decoder kind",
            m->n_found);
    for (uint32_t i = 0; i < m->shape->layers; i++)
        if (!m->present[i] || m->further[i])
            return error_data(m->err, "layer %u has no tensors, layer %u has", i, m->n_blocks - 1);
    if (said != ROOF_UNKNOWN && said != m->shape->layers)
        return error_data(m->err, "tensors are of %u layers, want %" PRIu64 " as the file's keys say",
                          m->shape->layers, said);
    for (uint32_t i = 0; i < m->shape->layers; i++)
        TRY(add_layer(m, i, starts[i], starts[i + 1] - starts[i]));
    return m->out->n_matrices - m->out->first_alone <= MOST_OF_BLOCK
               ? ROOF_OK
               : error_set(m->err, ROOF_E_LIMIT, "more than %d tensors are of no layer", MOST_OF_BLOCK);
}

static roof_status sum_up(maker *m, roof_stored_weights *w)
{
    const stored_matrix *head = head_of(m);
    FOR_EACH(const stored_matrix, x, m->out->matrices, m->n_found) {
        w->tensor_bytes += x->bytes;
        (void)checked_add_known(&w->read_bytes, x->read_bytes);
        if (x->role != STORED_ASIDE) {
            w->parameters += x->elements;
            (void)checked_add_known(&w->active_parameters, x->read_elements);
        }
        w->expert_weights += x->experts ? x->elements : 0;
        if (x->is_plain && x != head)
            w->weight_macs += x->read_elements;
        if (w->tensor_bytes > most_count || w->parameters > most_count)
            return error_set(m->err, ROOF_E_LIMIT, "tensors have more than 2^53 bytes or elements");
    }
    if (m->is_packed)
        w->parameters = w->active_parameters = w->weight_macs = w->expert_weights = ROOF_UNKNOWN;
    return ROOF_OK;
}

/* ---- the model ----------------------------------------------------------------------------------------- */

/* The form with most bytes is that of the whole. */
static roof_status set_forms(maker *m, const roof_workload *w)
{
    lm_model *out = m->model;
    roof_fact *facts;
    TRY(roof_weight_format_parse(w->cache_type ? w->cache_type : "bf16", &out->point.cache, m->err));
    TRY(ARENA_GET(m->arena, facts, SHOWN_FORMS, m->err));
    order_sort(m->forms, m->n_forms, sizeof *m->forms, ORDER_BY(FALLING(form_sum, bytes)));
    out->point.weights = *m->forms[0].form;
    out->types = arena_printf(m->arena, "bf16x%s", out->point.weights.name);
    if (w->weight_type && strcmp(w->weight_type, out->point.weights.name) != 0)
        return error_set(m->err, ROOF_E_USAGE,
                         "%.40s is requested, the file's weights are %s; its config.json can be read as "
                         "other weight types",
                         w->weight_type, out->point.weights.name);
    for (; out->n_forms < m->n_forms && out->n_forms < SHOWN_FORMS; out->n_forms++) {
        const form_sum *f = &m->forms[out->n_forms];
        facts[out->n_forms] =
            (roof_fact){arena_printf(m->arena, "weights in %s", f->form->name), f->bytes, "B"};
    }
    out->forms = facts;
    return arena_status(m->arena, m->err);
}

static void note_left_out(maker *m)
{
    static const char *const why[STORED_USES] = {[STORED_GATHERED] =
                                                     "a token reads rows of them alone, or nothing",
                                                 [STORED_FURTHER] = "they predict further tokens",
                                                 [STORED_SENSES] = "they see or hear"};
    roof_findings *found = &m->graph->storage->found;
    for (int use = 0; use < STORED_USES; use++)
        if (m->left[use].tensors && why[use])
            FIND(found, m->left[use].first, TENSORS_LEFT_OUT, AS_COUNT(m->left[use].tensors),
                 AS("B", m->left[use].bytes), AS_TEXT(why[use]));
    if (m->lacks_windows)
        FIND(found, NULL, WINDOWS_ASSUMED, AS_COUNT(m->facts->window));
    if (!m->facts->has_keys)
        FIND(found, NULL, KEYS_MISSING, NO_OPERANDS);
    if (m->is_packed)
        FIND(found, NULL, PACKED_TENSORS, NO_OPERANDS);
    uint32_t states = 0;
    for (uint32_t i = 0; i < m->shape->n_kinds; i++)
        states += m->shape->kinds[i].has_unknown_state ? m->shape->kinds[i].count : 0;
    if (states)
        FIND(found, NULL, STATES_UNKNOWN, AS_COUNT(states));
    if (!m->has_table && !m->has_head)
        FIND(found, NULL, HEAD_MISSING, NO_OPERANDS);
}

static roof_status make(maker *m, const stored_list *list)
{
    roof_stored_weights *sums;
    stored_name *names;
    TRY(ARENA_GET2(m->scratch, names, m->found, list->n ? list->n : 1, m->err));
    TRY(ARENA_GET2(m->scratch, m->present, m->further, STORED_MOST_LAYERS, m->err));
    TRY(ARENA_GET(m->arena, sums, 1, m->err));
    m->names = namemap_new(m->scratch, list->n);
    TRY(ALLOCATED(m->names, m->err));
    for (uint32_t i = 0; i < list->n; i++)
        names[i] = stored_name_of(list->tensors[i].name);
    TRY(mark_blocks(m, list, names));
    TRY(sort_out(m, list, names));
    for (uint32_t i = 0; i < m->n_found; i++)
        TRY(read_one(m, &m->found[i]));
    m->shape->attention = "gqa";
    TRY(list_layers(m));
    m->shape->heads = known(m->facts->heads);
    const bool has_own_keys = m->facts->kv_heads != ROOF_NONE && !m->shape->latent.key_rank;
    m->shape->kv_heads = has_own_keys ? m->facts->kv_heads : m->shape->heads;
    m->shape->positions = known(m->facts->positions);
    m->shape->is_tied = m->has_table && !m->has_head;
    TRY(sum_up(m, sums));
    m->shape->stored = sums;
    for (uint32_t i = 0; i < m->n_found; i++)
        if (m->out->matrices[i].experts > m->shape->experts)
            m->shape->experts = (uint32_t)m->out->matrices[i].experts;
    for (uint32_t i = 0; i < m->shape->n_kinds; i++)
        m->shape->kinds[i].is_dense &= m->shape->experts > 0;
    m->shape->active_experts = m->shape->experts ? known(m->facts->used) : 0;
    if (sums->read_bytes == ROOF_UNKNOWN)
        m->model->not_known = arena_printf(
            m->arena,
            "has %u experts a layer, and how many a token uses is unknown: it is in the config.json, "
            "which belongs beside the file",
            m->shape->experts);
    else if (m->lacks_cache)
        m->model->not_known =
            "neither shapes nor keys tell how wide keys and values are; the config.json, which belongs "
            "beside the file, does";
    note_left_out(m);
    return m->shape->hidden <= MOST_WIDTH
               ? ROOF_OK
               : error_set(m->err, ROOF_E_LIMIT, "a token is %u wide, want at most %d", m->shape->hidden,
                           MOST_WIDTH);
}

roof_status stored_build(roof_graph *g, const stored_list *list, const stored_facts *facts, roof_error *err)
{
    struct roof_graph_storage *s = g->storage;
    maker m = {.graph = g, .arena = s->arena, .scratch = s->scratch, .facts = facts, .err = err};
    s->found.arena = s->arena;
    TRY(ARENA_GET2(s->arena, m.model, m.out, 1, err));
    m.shape = &m.model->shape;
    TRY(make(&m, list));
    m.model->tensors = m.out;
    m.model->build = stored_graph_build;
    const char *stem = graph_stem(g, s->arena);
    m.shape->name = stem ? stem : "model";
    TRY(lm_set_tokens(m.model, s->workload, err));
    TRY(set_forms(&m, s->workload));
    return lm_begin(g, m.model, err);
}
