/* Layers of a language model, from what its config.json says: checks, what mixes tokens in each of them,
 * which have experts, and what a quantised file left as it was.
 */
#include "model/formats/hf_config/lm_config.h"
#include "model/work/language_matrices.h"

enum { MOST_EXPERTS = 1 << 12, MOST_EXPERT_WIDTH = 1 << 18, MOST_STATE = 1 << 14, MOST_BINS = 1 << 14 };
enum { FULL_OF_CHUNKED = 4 }; /* Llama 4: no_rope_layer_interval */

/* ---- checks -------------------------------------------------------------------------------------------- */

typedef struct range {
    const char *key;
    uint64_t value, least, most;
} range;

static roof_status check_ranges(const range *ranges, size_t n, roof_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most)
            return error_data(err, "/%s is %" PRIu64 ", want %" PRIu64 " to %" PRIu64, ranges[i].key,
                              ranges[i].value, ranges[i].least, ranges[i].most);
    return ROOF_OK;
}

static uint32_t bounded(uint64_t value)
{
    return value > UINT32_MAX - 1 ? UINT32_MAX - 1 : (uint32_t)value;
}

/* Sizes that follow from others. */
static void derive(lm_config *f)
{
    roof_language_model *m = &f->shape;
    const uint64_t fe = f->expert_inner ? f->expert_inner : f->inner;
    if (f->family->other == ROOF_MIXER_CONV && !m->experts) {
        f->inner = f->block_inner ? f->block_inner : f->inner;
        /* as huggingface's Lfm2Config computes it: two thirds, up to the next multiple */
        const uint32_t step = f->block_multiple && f->block_multiple <= LM_MOST_WIDTH ? f->block_multiple : 1;
        if (f->adjusts_inner && f->inner <= LM_MOST_WIDTH)
            f->inner = (2 * f->inner / 3 + step - 1) / step * step;
    }
    if (f->family->has_shared_expert)
        m->shared_inner = bounded(fe);
    if (!m->shared_inner && m->experts)
        m->shared_inner = bounded(f->shared_experts * fe);
    if (!m->experts && m->shared_inner) { /* Granite's dense models name their network so */
        f->inner = m->shared_inner;
        m->shared_inner = 0;
    }
    roof_mamba *s = &m->mamba;
    if (!f->family->mamba) {
        *s = (roof_mamba){0};
        return;
    }
    s->version = f->family->mamba;
    if (f->family->rule == LM_MAMBA && s->version == 2)
        f->mamba_head_dim = f->head_dim;
    if (s->version == 1 && f->family->rule == LM_MAMBA)
        s->inner = f->inner; /* as its class has it: intermediate_size */
    if (!s->inner && s->heads && f->mamba_head_dim)
        s->inner = bounded((uint64_t)s->heads * f->mamba_head_dim);
    if (!s->inner)
        s->inner = bounded((uint64_t)(f->expand ? f->expand : 2) * m->hidden);
    if (s->version == 1 && !s->rank)
        s->rank = m->hidden / 16 + (m->hidden % 16 > 0);
    if (s->version == 2 && !s->groups)
        s->groups = 1;
}

static roof_status check_heads(lm_config *f, roof_error *err)
{
    roof_language_model *m = &f->shape;
    const range heads = {"num_attention_heads", m->heads, 1, LM_MOST_WIDTH};
    TRY(check_ranges(&heads, 1, err));
    m->kv_heads = m->kv_heads ? m->kv_heads : m->heads;
    if (m->heads % m->kv_heads)
        return error_data(err, "/num_key_value_heads is %u, want a divisor of %u heads", m->kv_heads,
                          m->heads);
    if (!f->head_dim && m->hidden % m->heads && !m->latent.key_rank)
        return error_data(err, "/num_attention_heads is %u, want a divisor of hidden_size %u, or a head_dim",
                          m->heads, m->hidden);
    if (m->latent.key_rank) /* of what its queries are */
        f->head_dim = bounded((uint64_t)m->latent.nope + m->latent.rope);
    f->head_dim = f->head_dim ? f->head_dim : m->hidden / m->heads;
    f->global_head_dim = f->global_head_dim ? f->global_head_dim : f->head_dim;
    const bool is_latent = m->latent.key_rank;
    const uint32_t widest = LM_MOST_WIDTH / m->heads;
    const range rest[] = {{"head_dim", f->head_dim, 1, widest},
                          {"global_head_dim", f->global_head_dim, 1, widest},
                          {"kv_lora_rank", m->latent.key_rank, 0, LM_MOST_WIDTH},
                          {"q_lora_rank", m->latent.query_rank, 0, LM_MOST_WIDTH},
                          {"qk_nope_head_dim", m->latent.nope, is_latent, widest},
                          {"qk_rope_head_dim", m->latent.rope, is_latent, widest},
                          {"v_head_dim", is_latent ? m->latent.value : 1, 1, widest}};
    return check_ranges(rest, N_OF(rest), err);
}

static roof_status check_states(const roof_language_model *m, roof_error *err)
{
    const roof_mamba *s = &m->mamba;
    const range state = {"mamba_d_state", s->state, 1, MOST_STATE};
    TRY(check_ranges(&state, 1, err));
    const range ranges[] = {{"mamba_d_ssm", s->inner, 1, LM_MOST_WIDTH},
                            {"mamba_n_heads", s->heads, s->version == 2, LM_MOST_WIDTH},
                            {"mamba_n_groups", s->groups, s->version == 2, MOST_STATE / s->state},
                            {"mamba_d_conv", s->kernel, 1, 1 << 10},
                            {"mamba_dt_rank", s->rank, s->version == 1, LM_MOST_WIDTH}};
    return check_ranges(ranges, N_OF(ranges), err);
}

static roof_status check_file(lm_config *f, roof_error *err)
{
    roof_language_model *m = &f->shape;
    const roof_encoder *e = &m->encoder;
    const bool has_experts = m->experts > 0;
    const range first[] = {{"hidden_size", m->hidden, 1, LM_MOST_WIDTH},
                           {"intermediate_size", f->inner, 0, LM_MOST_WIDTH},
                           {"intermediate_size_mlp", f->mlp_inner, 0, LM_MOST_WIDTH},
                           {"num_hidden_layers", m->layers, 1, LM_MOST_LAYERS},
                           {"vocab_size", m->vocab, 1, LM_MOST_WIDTH},
                           {"num_experts", m->experts, 0, MOST_EXPERTS},
                           {"num_experts_per_tok", m->active_experts, has_experts, m->experts},
                           {"moe_intermediate_size", f->expert_inner, 0, MOST_EXPERT_WIDTH},
                           {"num_shared_experts", f->shared_experts, 0, MOST_EXPERTS},
                           {"shared_expert_intermediate_size", m->shared_inner, 0, LM_MOST_WIDTH},
                           {"num_kv_shared_layers", f->shared_caches, 0, m->layers - (m->layers > 0)},
                           {"hidden_size_per_layer_input", m->per_layer_inputs, 0, LM_MOST_WIDTH},
                           {"vocab_size_per_layer_input", m->per_layer_vocab, 0, LM_MOST_WIDTH},
                           {"laurel_rank", m->laurel_rank, 0, LM_MOST_WIDTH},
                           {"altup_num_inputs", m->altup_inputs, 0, 1 << 6},
                           {"encoder_layers", e->layers, 0, LM_MOST_LAYERS},
                           {"encoder_ffn_dim", e->inner, e->layers > 0, LM_MOST_WIDTH},
                           {"num_mel_bins", e->bins, e->layers > 0, MOST_BINS},
                           {"max_source_positions", e->tokens, e->layers > 0, LM_MOST_WIDTH},
                           {"max_position_embeddings", m->positions, 0, UINT32_MAX}};
    TRY(check_ranges(first, N_OF(first), err));
    if (f->family->rule != LM_MAMBA)
        TRY(check_heads(f, err));
    if (f->family->mamba)
        TRY(check_states(m, err));
    if (has_experts &&
        (uint64_t)m->active_experts * (f->expert_inner ? f->expert_inner : f->inner) + m->shared_inner >
            LM_MOST_WIDTH)
        return error_data(err, "/num_experts_per_tok is %u, want experts that are together at most %d wide",
                          m->active_experts, LM_MOST_WIDTH);
    return ROOF_OK;
}

/* ---- a layer ------------------------------------------------------------------------------------------- */

static roof_status mixer_named(const lm_config *f, uint32_t layer, roof_mixer *out, roof_error *err)
{
    static const struct {
        const char *name;
        roof_mixer mixer;
    } types[] = {{"full_attention", ROOF_MIXER_FULL},
                 {"attention", ROOF_MIXER_FULL},
                 {"sliding_attention", ROOF_MIXER_SLIDING},
                 {"linear_attention", ROOF_MIXER_LINEAR},
                 {"conv", ROOF_MIXER_CONV},
                 {"mamba", ROOF_MIXER_MAMBA}};
    const char *name = f->layer_types[layer];
    const uint32_t i = NAMED_AT(types, N_OF(types), name, name);
    if (i < N_OF(types) && (types[i].mixer != ROOF_MIXER_MAMBA || f->family->mamba)) {
        *out = types[i].mixer;
        return ROOF_OK;
    }
    return error_set(
        err, ROOF_E_UNSUPPORTED,
        "/layer_types/%u is '%.60s' of a '%s'; full_attention, sliding_attention, linear_attention, conv and "
        "mamba are known",
        layer, name, f->model_type);
}

static bool is_listed(const lm_list *list, uint32_t layer)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->values[i] == layer)
            return true;
    return false;
}

/* By the types that the file lists, else by its pattern, else all alike. */
static roof_status mixer_of(const lm_config *f, uint32_t layer, roof_mixer *out, roof_error *err)
{
    const lm_family *of = f->family;
    const uint32_t stated = f->window_pattern ? f->window_pattern : of->pattern;
    const uint32_t every = f->full_interval                              ? f->full_interval
                           : f->window || of->other == ROOF_MIXER_LINEAR ? stated
                                                                         : 0;
    *out = ROOF_MIXER_FULL;
    if (f->layer_types && of->rule != LM_CHUNKED)
        return mixer_named(f, layer, out, err);
    if (of->rule == LM_MAMBA)
        *out = ROOF_MIXER_MAMBA;
    else if (of->rule == LM_PERIOD)
        *out =
            f->attention_every && layer % f->attention_every == f->attention_at ? ROOF_MIXER_FULL : of->other;
    else if (of->rule != LM_BY_TYPES)
        *out = ROOF_MIXER_FULL;
    else if (f->attention_at_layers.n)
        *out = is_listed(&f->attention_at_layers, layer) ? ROOF_MIXER_FULL : of->other;
    else if (f->letters && *f->letters && f->window)
        *out = strchr("Ll", f->letters[layer % strlen(f->letters)]) ? ROOF_MIXER_SLIDING : ROOF_MIXER_FULL;
    else if (every)
        *out = (layer + 1) % every ? of->other : ROOF_MIXER_FULL;
    else if (f->full_layers)
        *out = layer < f->full_layers ? ROOF_MIXER_FULL : of->other;
    return ROOF_OK;
}

static bool has_experts(const lm_config *f, uint32_t layer)
{
    if (!f->shape.experts || layer < f->first_experts || layer > f->last_experts ||
        is_listed(&f->dense, layer))
        return false;
    if (f->has_experts.n)
        return layer < f->has_experts.n && f->has_experts.values[layer];
    return !((f->sparse_step > 1 && (layer + 1) % f->sparse_step) ||
             (f->experts_interval > 1 && (layer + 1) % f->experts_interval) ||
             (f->interleaved > 1 && (layer + 1) % f->interleaved) ||
             (f->experts_every > 1 && layer % f->experts_every != f->experts_at % f->experts_every));
}

/* Checks the keys that each mixer needs. */
static roof_status check_mixer(const lm_config *f, const roof_layer_kind *k, roof_error *err)
{
    const roof_language_model *m = &f->shape;
    const struct {
        roof_mixer mixer;
        range wanted;
    } keys[] = {{ROOF_MIXER_LINEAR, {"linear_num_key_heads", m->linear_key_heads, 1, 1 << 12}},
                {ROOF_MIXER_LINEAR, {"linear_num_value_heads", m->linear_value_heads, 1, 1 << 12}},
                {ROOF_MIXER_LINEAR, {"linear_key_head_dim", m->linear_key_dim, 1, 1 << 10}},
                {ROOF_MIXER_LINEAR, {"linear_value_head_dim", m->linear_value_dim, 1, 1 << 10}},
                {ROOF_MIXER_LINEAR, {"linear_conv_kernel_dim", m->linear_kernel, 1, 1 << 10}},
                {ROOF_MIXER_SLIDING, {"sliding_window", f->window, 1, UINT32_MAX}},
                {ROOF_MIXER_CONV, {"conv_L_cache", m->conv_kernel, 1, 1 << 10}}};
    for (size_t i = 0; i < N_OF(keys); i++)
        if (keys[i].mixer == k->mixer)
            TRY(check_ranges(&keys[i].wanted, 1, err));
    return ROOF_OK;
}

/* Llama 4 has no positions in the layers that see all: no_rope_layers is 1 where a layer has them. */
static bool sees_chunk(const lm_config *f, uint32_t layer)
{
    if (f->layer_types && layer < f->n_layer_types)
        return strcmp(f->layer_types[layer], "chunked_attention") == 0;
    return layer < f->positions_at.n ? f->positions_at.values[layer] : (layer + 1) % FULL_OF_CHUNKED;
}

/* Window of a layer, in tokens; 0: none. */
static uint32_t window_of(const lm_config *f, uint32_t layer, roof_mixer mixer)
{
    /* a window of all layers ends what they see, and one beyond what the model was made for ends nothing */
    const bool is_of_all = f->family->has_window && !f->layer_types && !f->has_no_window &&
                           !(f->shape.positions && f->window >= f->shape.positions);
    if (f->family->rule == LM_CHUNKED)
        return sees_chunk(f, layer) ? f->chunk : 0;
    return mixer == ROOF_MIXER_SLIDING || (mixer == ROOF_MIXER_FULL && is_of_all && !f->letters) ? f->window
                                                                                                 : 0;
}

/* ---- all layers ---------------------------------------------------------------------------------------- */

static roof_status put_layer(roof_language_model *m, const roof_layer_kind *k, roof_error *err)
{
    uint32_t at = 0;
    while (at < m->n_kinds && !language_kinds_alike(&m->kinds[at], k))
        at++;
    if (at == ROOF_MOST_LAYER_KINDS)
        return error_set(err, ROOF_E_LIMIT, "layers are of more than %d kinds", ROOF_MOST_LAYER_KINDS);
    if (at == m->n_kinds)
        m->kinds[m->n_kinds++] = *k;
    else
        m->kinds[at].count++;
    return ROOF_OK;
}

/* Where a file of llama.cpp has more bits: it counts the layers that have the tensor. */
typedef struct counted {
    uint32_t attention, all_attention, network, all_networks;
} counted;

/* A mixer, and the network behind it if there is one. */
static roof_status letters_layer(const lm_config *f, uint32_t *at, roof_layer_kind *k, roof_error *err)
{
    const char *letters = f->letters ? f->letters : "";
    const char mixer = letters[*at], next = mixer ? letters[*at + 1] : '\0';
    if (mixer != 'M' && mixer != '*')
        return error_set(
            err, ROOF_E_UNSUPPORTED,
            "/hybrid_override_pattern has '%c' at %u, want M or *, each with E or - behind it or "
            "nothing",
            mixer && mixer > ' ' && mixer <= '~' ? mixer : '?', *at);
    k->mixer = mixer == 'M' ? ROOF_MIXER_MAMBA : ROOF_MIXER_FULL;
    k->inner = next == 'E' ? f->expert_inner : next == '-' ? f->inner : 0;
    k->is_dense = next != 'E' && f->shape.experts;
    *at += next == 'E' || next == '-' ? 2 : 1;
    if (next == 'E' && !f->shape.experts)
        return error_data(err, "/n_routed_experts is 0, want 1 to %d", MOST_EXPERTS);
    const range inner = {next == 'E' ? "moe_intermediate_size" : "intermediate_size", k->inner, 1,
                         LM_MOST_WIDTH};
    return next == 'E' || next == '-' ? check_ranges(&inner, 1, err) : ROOF_OK;
}

static roof_status layer_at(const lm_config *f, uint32_t *at, roof_layer_kind *k, roof_error *err)
{
    const uint32_t i = *at;
    const lm_family *of = f->family;
    *k = (roof_layer_kind){.count = 1};
    if (of->rule == LM_LETTERS) {
        TRY(letters_layer(f, at, k, err));
    } else {
        TRY(mixer_of(f, i, &k->mixer, err));
        TRY(check_mixer(f, k, err));
        k->shares_cache = i >= f->shape.layers - f->shared_caches;
        if (of->rule != LM_MAMBA) {
            const bool sparse = has_experts(f, i);
            const uint32_t listed = i < f->inners.n ? f->inners.values[i] : 0;
            const uint32_t dense = f->mlp_inner ? f->mlp_inner : listed ? listed : f->inner;
            k->is_dense = f->shape.experts && !sparse;
            k->inner = !sparse ? dense : f->expert_inner ? f->expert_inner : f->inner;
            const range wanted = {sparse && !f->inner ? "moe_intermediate_size" : "intermediate_size",
                                  k->inner, 1, LM_MOST_WIDTH};
            TRY(check_ranges(&wanted, 1, err));
            if (k->shares_cache && f->has_double_networks)
                k->inner *= 2;
        }
        ++*at;
    }
    k->has_mamba = of->rule == LM_BESIDE;
    k->head_dim = k->mixer == ROOF_MIXER_FULL ? f->global_head_dim : f->head_dim;
    k->window = window_of(f, i, k->mixer);
    return ROOF_OK;
}

/* Elements of norms and biases. Unknown for families without stated norms, with experts or with latent
 * attention. */
static uint64_t vectors_of(const lm_config *f)
{
    const roof_language_model *m = &f->shape;
    const lm_family *of = f->family;
    const bool has_bias = of->reads_bias && f->attention_bias;
    uint64_t vectors = m->hidden;
    if (!of->norms || m->experts || m->latent.key_rank)
        return ROOF_UNKNOWN;
    FOR_EACH(const roof_layer_kind, k, m->kinds, m->n_kinds) {
        const uint64_t q = (uint64_t)m->heads * k->head_dim, kv = (uint64_t)m->kv_heads * k->head_dim;
        uint64_t block = (uint64_t)of->norms * m->hidden;
        if (of->has_qkv_bias || has_bias)
            block += q + 2 * kv;
        if (has_bias)
            block += m->hidden;
        if (of->reads_bias && f->mlp_bias)
            block += 2ull * k->inner + m->hidden;
        if (of->has_qk_norm)
            block += 2ull * k->head_dim;
        vectors += block * k->count;
    }
    return vectors;
}

roof_status lm_list_layers(lm_config *f, const roof_weight_format *w, roof_error *err)
{
    roof_language_model *m = &f->shape;
    const bool is_quantised = m->quantised;
    counted c = {0};
    roof_layer_kind k;
    derive(f);
    TRY(check_file(f, err));
    if (f->layer_types && f->n_layer_types != m->layers)
        return error_data(err, "/layer_types has %u, /num_hidden_layers is %u", f->n_layer_types, m->layers);
    if (f->family->rule == LM_LETTERS && (!f->letters || strlen(f->letters) != m->layers))
        return error_data(err, "/hybrid_override_pattern has %zu letters, /num_hidden_layers is %u",
                          f->letters ? strlen(f->letters) : 0, m->layers);
    for (uint32_t i = 0; i < m->layers;) {
        TRY(layer_at(f, &i, &k, err));
        c.all_attention += language_has_attention(&k);
        c.all_networks += k.inner > 0;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->layers; n++) {
        const uint32_t at = i;
        TRY(layer_at(f, &i, &k, err));
        if (language_has_attention(&k))
            k.has_more_value = language_has_more(w, false, c.attention++, c.all_attention);
        if (k.inner)
            k.has_more_down = language_has_more(w, true, c.network++, c.all_networks);
        if (is_quantised)
            TRY(lm_kept(&f->quantised, at, &k.kept, err));
        TRY(put_layer(m, &k, err));
    }
    if (is_quantised)
        TRY(lm_kept(&f->quantised, LM_MOST_LAYERS, &m->kept_ends, err));
    if (m->is_tied && (m->kept_ends >> ROOF_MATRIX_EMBEDDING & 1)) /* one table */
        m->kept_ends |= 1u << ROOF_MATRIX_HEAD;
    m->layers = n;
    m->vectors = vectors_of(f);
    /* Llama 3's factors: one of each pair of a head's elements */
    m->rope_factors = m->rope_factors && m->n_kinds ? m->kinds[0].head_dim / 2 : 0;
    return ROOF_OK;
}
