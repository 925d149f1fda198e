/* config.json of a Hugging Face model: the shapes of a language model, of which there is no compiled file.
 *
 * Families are those whose layers are made of attention (full or of a window), a gated delta net or a short
 * convolution, and a gated network or experts of such. One that is not in the table is refused: what looks
 * alike may have other matrices. Source: the configuration classes of huggingface/transformers.
 */
#include "core/error.h"
#include "core/json/jsontree.h"
#include "core/named.h"
#include "core/span.h"
#include "core/text.h"
#include "model/graph/format.h"
#include "model/formats/hf_config/lm_model.h"
#include "model/work/product.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SNIFFED = 4096, MOST_WIDTH = 1 << 22, MOST_LAYERS = 1 << 12 };
enum { MOST_EXPERTS = 1 << 12, MOST_EXPERT_WIDTH = 1 << 18 };
enum { DEFAULT_PROMPT = 2048, SCALE_BITS = 16 };

/* ---- the file ------------------------------------------------------------------------------------------ */

typedef struct quantization {
    uint32_t bits;
    double group_size; /* -1: a scale for each row; NaN: not said */
    bool load_in_4bit, load_in_8bit, has_zero_point, is_asymmetric, has_head;
} quantization;

typedef struct config_file {
    const char *model_type, *name; /* name NULL: not said */
    roof_language_model shape;     /* without its kinds of layers */
    uint32_t inner, expert_inner, head_dim, global_head_dim, window, full_interval, window_pattern,
        shared_caches;
    uint32_t sparse_step, block_inner, block_multiple, full_layers;
    const char **layer_types; /* NULL: not said */
    uint32_t n_layer_types;
    bool attention_bias, mlp_bias, uses_window, has_double_networks, adjusts_inner, has_dense_layers;
    quantization quantization;
} config_file;

static uint32_t small(jsontree *t, const cJSON *object, const char *key)
{
    const uint32_t value = jsontree_small(t, jsontree_get(object, key));
    return value == ROOF_NONE ? 0 : value;
}

static bool flag(jsontree *t, const cJSON *object, const char *key)
{
    return jsontree_flag(t, jsontree_get(object, key));
}

static void read_quantization(jsontree *t, const cJSON *o, quantization *q)
{
    const cJSON *is_symmetric = jsontree_get(o, "sym");
    q->bits = small(t, o, "bits");
    q->group_size = jsontree_number(t, jsontree_get(o, "group_size"), -HUGE_VAL, HUGE_VAL);
    q->load_in_4bit = flag(t, o, "load_in_4bit");
    q->load_in_8bit = flag(t, o, "load_in_8bit");
    q->has_zero_point = flag(t, o, "zero_point");
    q->is_asymmetric = !jsontree_flag(t, is_symmetric) && cJSON_IsFalse(is_symmetric);
    q->has_head = flag(t, o, "lm_head");
}

static bool hf_config_sniff(const unsigned char *bytes, uint64_t size)
{
    text_span text = {(const char *)bytes, size < SNIFFED ? (size_t)size : SNIFFED};
    span_skip(&text, "\xef\xbb\xbf");
    while (text.length && *text.text && strchr(" \t\r\n", *text.text))
        text = (text_span){text.text + 1, text.length - 1};
    return span_begins(text, "{") && span_has(text, "\"model_type\"") &&
           (span_has(text, "\"hidden_size\"") || span_has(text, "\"num_hidden_layers\"") ||
            span_has(text, "\"architectures\""));
}

/* ---- families ------------------------------------------------------------------------------------------ */

typedef struct family {
    const char *name;
    const char *attention; /* kind of kernel, of which a class is named */
    roof_mixer other;      /* what layers are that are not full, where a pattern or a type says so */
    uint32_t norms;        /* of a layer; 0: its vectors are not counted */
    bool has_qkv_bias, reads_bias, has_qk_norm;
    bool has_window; /* of all layers, where no types are said */
} family;

/* gqa: grouped queries alone. qk_norm: each head normalised. window: Gemma's. sink: a learned logit that
 * takes attention. gated: an output gate. */
static const family families[] = {
    {"llama", "gqa", .norms = 2, .reads_bias = true},
    {"mistral", "gqa", .norms = 2, .has_window = true, .other = ROOF_MIXER_SLIDING},
    {"mixtral", "gqa", .has_window = true, .other = ROOF_MIXER_SLIDING},
    {"phi3", "gqa", .norms = 2, .has_window = true, .other = ROOF_MIXER_SLIDING},
    {"qwen2", "gqa", .norms = 2, .has_qkv_bias = true},
    {"smollm3", "gqa", .norms = 2, .reads_bias = true},
    {"qwen3", "qk_norm", .norms = 2, .reads_bias = true, .has_qk_norm = true},
    {"qwen3_moe", "qk_norm", .has_qk_norm = true},
    {"qwen3_5", "gated", .other = ROOF_MIXER_LINEAR, .has_qk_norm = true},
    {"qwen3_5_text", "gated", .other = ROOF_MIXER_LINEAR, .has_qk_norm = true},
    {"qwen3_5_moe", "gated", .other = ROOF_MIXER_LINEAR, .has_qk_norm = true},
    {"qwen3_5_moe_text", "gated", .other = ROOF_MIXER_LINEAR, .has_qk_norm = true},
    {"gemma3", "window", .other = ROOF_MIXER_SLIDING, .norms = 4, .has_qk_norm = true},
    {"gemma3_text", "window", .other = ROOF_MIXER_SLIDING, .norms = 4, .has_qk_norm = true},
    {"gemma4", "window", .other = ROOF_MIXER_SLIDING, .has_qk_norm = true},
    {"gemma4_text", "window", .other = ROOF_MIXER_SLIDING, .has_qk_norm = true},
    {"lfm2", "gqa", .other = ROOF_MIXER_CONV, .has_qk_norm = true},
    {"gpt_oss", "sink", .other = ROOF_MIXER_SLIDING},
};

/* ---- checks -------------------------------------------------------------------------------------------- */

typedef struct range {
    const char *key;
    uint64_t value, least, most;
} range;

static roof_status check_ranges(const range *ranges, size_t n, roof_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most)
            return error_set(err, ROOF_E_DATA, "/%s is %" PRIu64 ", want %" PRIu64 " to %" PRIu64,
                             ranges[i].key, ranges[i].value, ranges[i].least, ranges[i].most);
    return ROOF_OK;
}

/* Also fills in what a file may leave out. */
static roof_status check_file(config_file *f, roof_error *err)
{
    roof_language_model *m = &f->shape;
    const range first[] = {{"hidden_size", m->hidden, 1, MOST_WIDTH},
                           {"intermediate_size", f->inner, 1, MOST_WIDTH},
                           {"num_hidden_layers", m->layers, 1, MOST_LAYERS},
                           {"num_attention_heads", m->heads, 1, MOST_WIDTH},
                           {"vocab_size", m->vocab, 1, MOST_WIDTH},
                           {"num_experts", m->experts, 0, MOST_EXPERTS},
                           {"num_experts_per_tok", m->active_experts, m->experts > 0, m->experts},
                           {"moe_intermediate_size", f->expert_inner, 0, MOST_EXPERT_WIDTH},
                           {"shared_expert_intermediate_size", m->shared_inner, 0, MOST_WIDTH},
                           {"num_kv_shared_layers", f->shared_caches, 0, m->layers - (m->layers > 0)},
                           {"hidden_size_per_layer_input", m->per_layer_inputs, 0, MOST_WIDTH}};
    TRY(check_ranges(first, sizeof first / sizeof *first, err));
    m->kv_heads = m->kv_heads ? m->kv_heads : m->heads;
    if (m->heads % m->kv_heads)
        return error_set(err, ROOF_E_DATA, "/num_key_value_heads is %u, want a divisor of %u heads",
                         m->kv_heads, m->heads);
    if (!f->head_dim && m->hidden % m->heads)
        return error_set(err, ROOF_E_DATA,
                         "/num_attention_heads is %u, want a divisor of hidden_size %u, or a head_dim",
                         m->heads, m->hidden);
    f->head_dim = f->head_dim ? f->head_dim : m->hidden / m->heads;
    f->global_head_dim = f->global_head_dim ? f->global_head_dim : f->head_dim;
    const range last[] = {{"head_dim", f->head_dim, 1, MOST_WIDTH / m->heads},
                          {"global_head_dim", f->global_head_dim, 1, MOST_WIDTH / m->heads},
                          {"max_position_embeddings", m->positions, 0, UINT32_MAX},
                          {"quantization_config/bits", f->quantization.bits, 0, 8}};
    TRY(check_ranges(last, sizeof last / sizeof *last, err));
    if (m->experts && f->sparse_step > 1)
        return error_set(err, ROOF_E_UNSUPPORTED,
                         "/decoder_sparse_step is %u: experts in a part of the layers cannot be counted",
                         f->sparse_step);
    if (m->experts && f->has_dense_layers)
        return error_set(err, ROOF_E_UNSUPPORTED,
                         "/mlp_only_layers: experts in a part of the layers cannot be counted");
    if (m->experts &&
        (uint64_t)m->active_experts * (f->expert_inner ? f->expert_inner : f->inner) + m->shared_inner >
            MOST_WIDTH)
        return error_set(err, ROOF_E_DATA,
                         "/num_experts_per_tok is %u, want experts that are together at most %d wide",
                         m->active_experts, MOST_WIDTH);
    return ROOF_OK;
}

/* ---- layers -------------------------------------------------------------------------------------------- */

static roof_status mixer_named(const char *name, const family *of, uint32_t layer, roof_mixer *out,
                               roof_error *err)
{
    static const struct {
        const char *name;
        roof_mixer mixer;
    } types[] = {{"full_attention", ROOF_MIXER_FULL},
                 {"sliding_attention", ROOF_MIXER_SLIDING},
                 {"linear_attention", ROOF_MIXER_LINEAR},
                 {"conv", ROOF_MIXER_CONV}};
    const uint32_t i = NAMED_AT(types, N_OF(types), name, name);
    if (i < N_OF(types)) {
        *out = types[i].mixer;
        return ROOF_OK;
    }
    return error_set(
        err, ROOF_E_UNSUPPORTED,
        "/layer_types/%u is '%.60s' of a '%s'; full_attention, sliding_attention, linear_attention and "
        "conv are known",
        layer, name, of->name);
}

/* By the types that the file lists, else by its pattern, else all alike. */
static roof_status mixer_of(const config_file *f, const family *of, uint32_t layer, roof_mixer *out,
                            roof_error *err)
{
    const uint32_t every = f->full_interval ? f->full_interval : f->window ? f->window_pattern : 0;
    if (f->layer_types)
        return mixer_named(f->layer_types[layer], of, layer, out, err);
    *out = ROOF_MIXER_FULL;
    if (every)
        *out = (layer + 1) % every ? of->other : ROOF_MIXER_FULL;
    else if (f->full_layers)
        *out = layer < f->full_layers ? ROOF_MIXER_FULL : of->other;
    return ROOF_OK;
}

static bool is_alike(const roof_layer_kind *a, const roof_layer_kind *b)
{
    return a->mixer == b->mixer && a->head_dim == b->head_dim && a->window == b->window &&
           a->inner == b->inner && a->shares_cache == b->shares_cache;
}

/* What each mixer needs of the file. */
static roof_status check_mixer(const config_file *f, const roof_layer_kind *k, roof_error *err)
{
    const roof_language_model *m = &f->shape;
    const range of_linear[] = {{"linear_num_key_heads", m->linear_key_heads, 1, 1 << 12},
                               {"linear_num_value_heads", m->linear_value_heads, 1, 1 << 12},
                               {"linear_key_head_dim", m->linear_key_dim, 1, 1 << 10},
                               {"linear_value_head_dim", m->linear_value_dim, 1, 1 << 10},
                               {"linear_conv_kernel_dim", m->linear_kernel, 1, 1 << 10}};
    const range of_window[] = {{"sliding_window", f->window, 1, UINT32_MAX}};
    const range of_conv[] = {{"conv_L_cache", m->conv_kernel, 1, 1 << 10}};
    switch (k->mixer) {
    case ROOF_MIXER_LINEAR:
        return check_ranges(of_linear, sizeof of_linear / sizeof *of_linear, err);
    case ROOF_MIXER_SLIDING:
        return check_ranges(of_window, 1, err);
    case ROOF_MIXER_CONV:
        return check_ranges(of_conv, 1, err);
    default:
        return ROOF_OK;
    }
}

static roof_status list_layers(config_file *f, const family *of, roof_error *err)
{
    roof_language_model *m = &f->shape;
    if (f->layer_types && f->n_layer_types != m->layers)
        return error_set(err, ROOF_E_DATA, "/layer_types has %u, /num_hidden_layers is %u", f->n_layer_types,
                         m->layers);
    for (uint32_t i = 0; i < m->layers; i++) {
        const bool shares = i >= m->layers - f->shared_caches;
        roof_layer_kind k = {.count = 1, .inner = m->experts && f->expert_inner ? f->expert_inner : f->inner};
        TRY(mixer_of(f, of, i, &k.mixer, err));
        TRY(check_mixer(f, &k, err));
        k.head_dim = k.mixer == ROOF_MIXER_FULL ? f->global_head_dim : f->head_dim;
        /* a window of all layers ends what they see, and one beyond what the model was made for ends nothing
         * */
        const bool is_of_all =
            of->has_window && !f->layer_types && !(m->positions && f->window >= m->positions);
        k.window = k.mixer == ROOF_MIXER_SLIDING || is_of_all ? f->window : 0;
        k.shares_cache = shares;
        if (shares && f->has_double_networks)
            k.inner *= 2;
        uint32_t at = 0;
        while (at < m->n_kinds && !is_alike(&m->kinds[at], &k))
            at++;
        if (at == ROOF_MOST_LAYER_KINDS)
            return error_set(err, ROOF_E_LIMIT, "layers are of more than %d kinds", ROOF_MOST_LAYER_KINDS);
        if (at == m->n_kinds)
            m->kinds[m->n_kinds++] = k;
        else
            m->kinds[at].count++;
    }
    return ROOF_OK;
}

/* ---- the workload -------------------------------------------------------------------------------------- */

static uint32_t least(uint32_t a, uint32_t b)
{
    return b && b < a ? b : a;
}

static roof_status set_tokens(lm_model *m, const roof_workload *w, roof_error *err)
{
    uint32_t prompt = w->prompt_tokens ? w->prompt_tokens : least(DEFAULT_PROMPT, m->shape.positions);
    uint32_t context = w->context_tokens ? w->context_tokens : prompt;
    if (prompt > LM_MOST_TOKENS || context > LM_MOST_TOKENS)
        return error_set(err, ROOF_E_USAGE, "%u tokens are asked for, want at most %d",
                         prompt > context ? prompt : context, LM_MOST_TOKENS);
    bool is_prefill = w->phase != ROOF_TEXT_DECODE;
    if (is_prefill && w->context_tokens)
        return error_set(err, ROOF_E_USAGE,
                         "a context is that of a token that is made: ask for --phase decode, or for a prompt "
                         "with --seq-len");
    m->point.phase = is_prefill ? ROOF_TEXT_PREFILL : ROOF_TEXT_DECODE;
    m->point.tokens = is_prefill ? prompt : context;
    m->point.batch = 1;
    m->prompt = prompt;
    m->is_assumed = !w->asks_text || !(w->prompt_tokens || w->context_tokens);
    return ROOF_OK;
}

static roof_status set_forms(lm_model *m, const config_file *f, const roof_workload *w, roof_arena *arena,
                             roof_error *err)
{
    const quantization *q = &f->quantization;
    TRY(roof_weight_format_parse(w->cache_type ? w->cache_type : "bf16", &m->point.cache, err));
    m->asked_type = w->weight_type ? arena_strdup(arena, w->weight_type) : NULL; /* borrowed for the call */
    if (w->weight_type) {
        /* "i8" and the like, as other commands take them */
        const char *own = data_type_name(w->weight_type, strlen(w->weight_type));
        TRY(roof_weight_format_parse(own ? own : w->weight_type, &m->point.weights, err));
        m->head = m->point.weights;
    } else {
        uint32_t bits = q->bits ? q->bits : q->load_in_4bit ? 4 : q->load_in_8bit ? 8 : 16;
        if (bits != 4 && bits != 8 && bits != 16)
            return error_set(err, ROOF_E_UNSUPPORTED,
                             "/quantization_config/bits is %u; 4 and 8 are known; --dtype says another type",
                             bits);
        TRY(roof_weight_format_parse(bits == 4   ? "int4"
                                     : bits == 8 ? "int8"
                                                 : "bf16",
                                     &m->point.weights, err));
        TRY(roof_weight_format_parse("bf16", &m->head, err));
        if (q->has_head)
            m->head = m->point.weights;
    }
    m->types = arena_printf(arena, "bf16x%s", m->point.weights.name);
    const bool has_groups = q->group_size >= 1 && q->group_size <= MOST_WIDTH;
    roof_weight_format *const forms[] = {&m->point.weights, &m->head};
    for (size_t i = 0; i < 2 && has_groups; i++)
        if (forms[i]->bits < 16 && !forms[i]->group && forms[i]->name[0] == 'i') {
            forms[i]->group = (uint32_t)q->group_size;
            forms[i]->group_bits = SCALE_BITS + (q->has_zero_point || q->is_asymmetric ? forms[i]->bits : 0);
        }
    return ROOF_OK;
}

/* ---- the format ---------------------------------------------------------------------------------------- */

static void read_shape(jsontree *t, const cJSON *o, config_file *f)
{
    const struct {
        const char *key;
        uint32_t *to;
    } counts[] = {{"hidden_size", &f->shape.hidden},
                  {"intermediate_size", &f->inner},
                  {"num_hidden_layers", &f->shape.layers},
                  {"num_attention_heads", &f->shape.heads},
                  {"num_key_value_heads", &f->shape.kv_heads},
                  {"head_dim", &f->head_dim},
                  {"global_head_dim", &f->global_head_dim},
                  {"vocab_size", &f->shape.vocab},
                  {"max_position_embeddings", &f->shape.positions},
                  {"sliding_window", &f->window},
                  {"sliding_window_pattern", &f->window_pattern},
                  {"full_attention_interval", &f->full_interval},
                  {"num_full_attention_layers", &f->full_layers},
                  {"num_kv_shared_layers", &f->shared_caches},
                  {"num_local_experts", &f->shape.experts},
                  {"num_experts", &f->shape.experts},
                  {"num_experts_per_tok", &f->shape.active_experts},
                  {"moe_intermediate_size", &f->expert_inner},
                  {"shared_expert_intermediate_size", &f->shape.shared_inner},
                  {"decoder_sparse_step", &f->sparse_step},
                  {"linear_num_key_heads", &f->shape.linear_key_heads},
                  {"linear_num_value_heads", &f->shape.linear_value_heads},
                  {"linear_key_head_dim", &f->shape.linear_key_dim},
                  {"linear_value_head_dim", &f->shape.linear_value_dim},
                  {"linear_conv_kernel_dim", &f->shape.linear_kernel},
                  {"conv_L_cache", &f->shape.conv_kernel},
                  {"hidden_size_per_layer_input", &f->shape.per_layer_inputs},
                  {"block_ff_dim", &f->block_inner},
                  {"block_multiple_of", &f->block_multiple}};
    const struct {
        const char *key;
        bool *to;
    } flags[] = {
        {"use_sliding_window", &f->uses_window},         {"tie_word_embeddings", &f->shape.is_tied},
        {"attention_bias", &f->attention_bias},          {"mlp_bias", &f->mlp_bias},
        {"attn_output_gate", &f->shape.has_output_gate}, {"use_double_wide_mlp", &f->has_double_networks},
        {"block_auto_adjust_ff_dim", &f->adjusts_inner}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (jsontree_get(o, counts[i].key))
            *counts[i].to = small(t, o, counts[i].key);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        *flags[i].to = flag(t, o, flags[i].key);
    const cJSON *dense = jsontree_get(o, "mlp_only_layers"), *types = jsontree_get(o, "layer_types");
    f->has_dense_layers = cJSON_IsArray(dense) && dense->child;
    if (!cJSON_IsArray(types))
        return;
    f->layer_types = NEW_ARRAY(t->arena, const char *, MOST_LAYERS + 1);
    for (const cJSON *item = types->child; item && f->layer_types; item = item->next, f->n_layer_types++)
        if (f->n_layer_types < MOST_LAYERS)
            f->layer_types[f->n_layer_types] = jsontree_name(t, item);
}

/* What huggingface's Lfm2Config does: two thirds, up to the next multiple. */
static void adjust_inner(config_file *f)
{
    f->inner = f->block_inner ? f->block_inner : f->inner;
    if (!f->adjusts_inner || f->inner > MOST_WIDTH)
        return;
    const uint32_t step = f->block_multiple && f->block_multiple <= MOST_WIDTH ? f->block_multiple : 1;
    f->inner = (2 * f->inner / 3 + step - 1) / step * step;
}

static roof_status read_model(roof_graph *g, lm_model *m, roof_error *err)
{
    struct roof_graph_storage *s = g->storage;
    config_file file = {0};
    cJSON *root;
    jsontree t = {.name = "config.json", .arena = s->arena, .err = err};
    TRY(jsontree_parse((const char *)s->file.bytes, s->file.size_bytes, t.name, &root, err));
    t.root = root;
    const cJSON *o = jsontree_object(&t, t.root), *text = jsontree_get(o, "text_config");
    file.model_type = jsontree_name(&t, jsontree_need(&t, o, "model_type"));
    file.name = jsontree_name(&t, jsontree_get(o, "_name_or_path"));
    /* a model that also sees or hears has its decoder in an object of its own */
    read_shape(&t, cJSON_IsObject(text) ? text : o, &file);
    if (cJSON_IsObject(text) && jsontree_get(o, "tie_word_embeddings"))
        file.shape.is_tied = flag(&t, o, "tie_word_embeddings");
    read_quantization(&t, jsontree_object(&t, jsontree_get(o, "quantization_config")), &file.quantization);
    cJSON_Delete(root);
    TRY(t.status);
    TRY(arena_status(s->arena, err));
    const family *kind = NAMED(families, N_OF(families), name, file.model_type);
    if (!kind) {
        textbuf known;
        text_init(&known, 1024);
        for (size_t i = 0; i < sizeof families / sizeof *families; i++)
            text_printf(&known, "%s%s", i ? ", " : "", families[i].name);
        error_set(err, ROOF_E_UNSUPPORTED,
                  "is the config.json of architecture '%.60s', whose matrices are not known; known are %s",
                  file.model_type, known.failed ? "others" : known.bytes);
        text_free(&known);
        return ROOF_E_UNSUPPORTED;
    }
    if (!kind->has_window && file.uses_window && !file.layer_types)
        return error_set(err, ROOF_E_UNSUPPORTED,
                         "/use_sliding_window: attention of a part of the layers looks back at a window, "
                         "which cannot be counted without layer_types");
    if (kind->other == ROOF_MIXER_CONV)
        adjust_inner(&file);
    TRY(check_file(&file, err));
    TRY(list_layers(&file, kind, err));
    bool has_bias = kind->reads_bias && file.attention_bias;
    *m = (lm_model){.shape = file.shape,
                    .has_qkv_bias = kind->has_qkv_bias || has_bias,
                    .has_o_bias = has_bias,
                    .has_mlp_bias = kind->reads_bias && file.mlp_bias,
                    .has_qk_norm = kind->has_qk_norm,
                    .norms = kind->norms};
    m->shape.attention = kind->attention;
    /* "Llama-3.2-1B" of "meta-llama/Llama-3.2-1B"; most files are called config.json and do not tell */
    const char *slash = file.name ? strrchr(file.name, '/') : NULL, *stem = graph_stem(g, s->arena);
    m->shape.name = !stem || strcmp(stem, "config") == 0 ? file.model_type : stem;
    if (slash && slash[1])
        m->shape.name = slash + 1;
    else if (file.name && *file.name && !slash)
        m->shape.name = file.name;
    TRY(set_tokens(m, s->workload, err));
    return set_forms(m, &file, s->workload, s->arena, err);
}

static roof_status hf_config_read(roof_graph *g, roof_error *err)
{
    lm_model *model;
    TRY(ARENA_GET(g->storage->arena, model, 1, err));
    TRY(read_model(g, model, err));
    g->storage->language_model = model;
    g->storage->language = &model->shape;
    g->storage->language_point = &model->point;
    return lm_build(g, model, err);
}

static roof_status hf_config_at_point(roof_graph *g, const roof_language_point *point, roof_error *err)
{
    lm_model *m;
    TRY(ARENA_GET(g->storage->arena, m, 1, err));
    *m = *g->storage->language_model;
    m->point = *point;
    m->point.batch = 1; /* rows are of one sequence */
    m->prompt = point->tokens;
    m->is_assumed = false;
    g->storage->language_model = m;
    g->storage->language = &m->shape;
    g->storage->language_point = &m->point;
    g->n_ops = g->n_edges = g->n_layer_ops = g->n_layers = g->n_subgraphs = 0;
    return lm_build(g, m, err);
}

static roof_status hf_config_hardware(const roof_graph *g, roof_hw **out, roof_error *err)
{
    (void)g, (void)out, (void)err; /* nobody compiled it */
    return ROOF_OK;
}

static void hf_config_hash(const roof_graph *g, graph_hash_value hash, void *hasher)
{
    const roof_language_model *m = &g->storage->language_model->shape;
    for (uint32_t i = 0; i < m->n_kinds; i++)
        hash(hasher, m->kinds[i].count); /* of which the graph has one */
}

const graph_format format_hf_config = {
    .id = "hf_config",
    .doc = "config.json of a Hugging Face language model: Llama, Mistral, Phi-3/4, Qwen2 to 3.5, Gemma 3 and "
           "4, LFM2, "
           "gpt-oss, SmolLM",
    .takes_text = true,
    .sniff = hf_config_sniff,
    .read = hf_config_read,
    .program = lm_program,
    .hardware = hf_config_hardware,
    .hash = hf_config_hash,
    .alternative = lm_alternative,
    .at_type = lm_at_type,
    .at_point = hf_config_at_point,
};
