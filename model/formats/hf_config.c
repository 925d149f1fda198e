/* config.json of a Hugging Face model: the shapes of a language model, of which there is no compiled file.
 *
 * Families are those whose block is the same but for biases and norms: RMSNorm, grouped-query attention with
 * RoPE, a gated SiLU network. Source: the classes LlamaConfig, MistralConfig, Phi3Config, Qwen2Config and
 * Qwen3Config of huggingface/transformers.
 */
#include "core/error.h"
#include "core/json/jsontree.h"
#include "core/span.h"
#include "model/graph/format.h"
#include "model/formats/hf_config/lm_model.h"
#include "model/work/product.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SNIFFED = 4096, MOST_WIDTH = 1 << 22, MOST_LAYERS = 1 << 12 };
enum { DEFAULT_PROMPT = 2048, SCALE_BITS = 16 };

/* ---- the file ------------------------------------------------------------------------------------------ */

typedef struct quantization {
    uint32_t bits;
    double group_size; /* -1: a scale for each row; NaN: not said */
    bool load_in_4bit, load_in_8bit, has_zero_point, is_asymmetric, has_head;
} quantization;

typedef struct config_file {
    const char *model_type, *name; /* name NULL: not said */
    uint32_t hidden, inner, layers, heads, kv_heads, head_dim, vocab, positions, window;
    bool is_tied, attention_bias, mlp_bias, uses_window;
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
    bool has_qkv_bias, reads_bias, has_qk_norm, has_window;
} family;

static const family families[] = {
    {"llama", .reads_bias = true},
    {"mistral", .has_window = true},
    {"phi3", .has_window = true},
    {"qwen2", .has_qkv_bias = true},
    {"qwen3", .reads_bias = true, .has_qk_norm = true},
};

/* NULL: none that is known. */
static const family *find_family(const char *name)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strcmp(families[i].name, name) == 0)
            return &families[i];
    return NULL;
}

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
    const range first[] = {{"hidden_size", f->hidden, 1, MOST_WIDTH},
                           {"intermediate_size", f->inner, 1, MOST_WIDTH},
                           {"num_hidden_layers", f->layers, 1, MOST_LAYERS},
                           {"num_attention_heads", f->heads, 1, MOST_WIDTH},
                           {"vocab_size", f->vocab, 1, MOST_WIDTH}};
    TRY(check_ranges(first, sizeof first / sizeof *first, err));
    f->kv_heads = f->kv_heads ? f->kv_heads : f->heads;
    if (f->heads % f->kv_heads)
        return error_set(err, ROOF_E_DATA, "/num_key_value_heads is %u, want a divisor of %u heads",
                         f->kv_heads, f->heads);
    if (!f->head_dim && f->hidden % f->heads)
        return error_set(err, ROOF_E_DATA,
                         "/num_attention_heads is %u, want a divisor of hidden_size %u, or a head_dim",
                         f->heads, f->hidden);
    f->head_dim = f->head_dim ? f->head_dim : f->hidden / f->heads;
    const range last[] = {{"head_dim", f->head_dim, 1, MOST_WIDTH / f->heads},
                          {"max_position_embeddings", f->positions, 0, UINT32_MAX},
                          {"quantization_config/bits", f->quantization.bits, 0, 8}};
    return check_ranges(last, sizeof last / sizeof *last, err);
}

/* ---- the workload -------------------------------------------------------------------------------------- */

static uint32_t least(uint32_t a, uint32_t b)
{
    return b && b < a ? b : a;
}

static roof_status set_tokens(lm_model *m, const roof_workload *w, roof_error *err)
{
    uint32_t prompt = w->prompt_tokens ? w->prompt_tokens : least(DEFAULT_PROMPT, m->positions);
    uint32_t context = w->context_tokens ? w->context_tokens : prompt;
    if (prompt > LM_MOST_TOKENS || context > LM_MOST_TOKENS)
        return error_set(err, ROOF_E_USAGE, "%u tokens are asked for, want at most %d",
                         prompt > context ? prompt : context, LM_MOST_TOKENS);
    bool is_prefill = w->phase != ROOF_TEXT_DECODE;
    if (is_prefill && w->context_tokens)
        return error_set(err, ROOF_E_USAGE,
                         "a context is that of a token that is made: ask for --phase decode, or for a prompt "
                         "with --seq-len");
    m->phase = is_prefill ? ROOF_TEXT_PREFILL : ROOF_TEXT_DECODE;
    m->tokens = is_prefill ? prompt : 1;
    m->prompt = prompt;
    m->context = is_prefill ? prompt : context;
    m->is_assumed = !w->asks_text || !(w->prompt_tokens || w->context_tokens);
    return ROOF_OK;
}

static roof_status set_weights(lm_model *m, const config_file *f, const roof_workload *w, roof_error *err)
{
    static const char *const types[] = {"bf16", "int8", "int4"};
    const quantization *q = &f->quantization;
    const char *asked = w->weight_type ? data_type_name(w->weight_type, strlen(w->weight_type)) : NULL;
    for (size_t i = 0; asked && i < 3; i++)
        if (strcmp(types[i], asked) == 0)
            m->weight_type = m->head_type = m->asked_type = types[i];
    if (w->weight_type && !m->weight_type)
        return error_set(err, ROOF_E_USAGE, "weights of type '%.40s' are asked for, want bf16, int8 or int4",
                         w->weight_type);
    uint32_t bits = q->bits ? q->bits : q->load_in_4bit ? 4 : q->load_in_8bit ? 8 : 16;
    if (!asked) {
        if (bits != 4 && bits != 8 && bits != 16)
            return error_set(err, ROOF_E_UNSUPPORTED,
                             "/quantization_config/bits is %u; 4 and 8 are known; --dtype says another type",
                             bits);
        m->weight_type = bits == 4 ? "int4" : bits == 8 ? "int8" : "bf16";
        m->head_type = q->has_head ? m->weight_type : "bf16";
    }
    bool has_groups = q->group_size >= 1 && q->group_size <= MOST_WIDTH;
    m->group = has_groups ? (uint32_t)q->group_size : 0;
    m->group_bits = SCALE_BITS + (q->has_zero_point || q->is_asymmetric ? bits : 0);
    return ROOF_OK;
}

/* ---- the format ---------------------------------------------------------------------------------------- */

static roof_status read_model(roof_graph *g, lm_model *m, roof_error *err)
{
    struct roof_graph_storage *s = g->storage;
    config_file file;
    cJSON *root;
    jsontree t = {.name = "config.json", .arena = s->arena, .err = err};
    TRY(jsontree_parse((const char *)s->file.bytes, s->file.size_bytes, t.name, &root, err));
    t.root = root;
    const cJSON *o = jsontree_object(&t, t.root);
    file.model_type = jsontree_name(&t, jsontree_need(&t, o, "model_type"));
    file.name = jsontree_name(&t, jsontree_get(o, "_name_or_path"));
    file.hidden = small(&t, o, "hidden_size");
    file.inner = small(&t, o, "intermediate_size");
    file.layers = small(&t, o, "num_hidden_layers");
    file.heads = small(&t, o, "num_attention_heads");
    file.kv_heads = small(&t, o, "num_key_value_heads");
    file.head_dim = small(&t, o, "head_dim");
    file.vocab = small(&t, o, "vocab_size");
    file.positions = small(&t, o, "max_position_embeddings");
    file.window = small(&t, o, "sliding_window");
    file.uses_window = flag(&t, o, "use_sliding_window");
    file.is_tied = flag(&t, o, "tie_word_embeddings");
    file.attention_bias = flag(&t, o, "attention_bias");
    file.mlp_bias = flag(&t, o, "mlp_bias");
    read_quantization(&t, jsontree_object(&t, jsontree_get(o, "quantization_config")), &file.quantization);
    cJSON_Delete(root);
    TRY(t.status);
    const family *kind = find_family(file.model_type);
    if (!kind)
        return error_set(
            err, ROOF_E_UNSUPPORTED,
            "is the config.json of architecture '%.60s'; llama, mistral, phi3, qwen2 and qwen3 are known",
            file.model_type);
    if (!kind->has_window && file.uses_window)
        return error_set(err, ROOF_E_UNSUPPORTED,
                         "/use_sliding_window: attention of a part of the layers looks back at a window, "
                         "which cannot be counted");
    TRY(check_file(&file, err));
    bool has_bias = kind->reads_bias && file.attention_bias;
    *m = (lm_model){.width = {[LM_HIDDEN] = file.hidden,
                              [LM_Q] = file.heads * file.head_dim,
                              [LM_KV] = file.kv_heads * file.head_dim,
                              [LM_INNER] = file.inner,
                              [LM_VOCAB] = file.vocab,
                              [LM_HEAD_DIM] = file.head_dim},
                    .layers = file.layers,
                    .kv_heads = file.kv_heads,
                    .positions = file.positions,
                    .window = kind->has_window ? file.window : 0,
                    .is_tied = file.is_tied,
                    .has_qkv_bias = kind->has_qkv_bias || has_bias,
                    .has_o_bias = has_bias,
                    .has_mlp_bias = kind->reads_bias && file.mlp_bias,
                    .has_qk_norm = kind->has_qk_norm};
    /* "Llama-3.2-1B" of "meta-llama/Llama-3.2-1B"; most files are called config.json and do not tell */
    const char *slash = file.name ? strrchr(file.name, '/') : NULL, *stem = graph_stem(g, s->arena);
    m->name = !stem || strcmp(stem, "config") == 0 ? file.model_type : stem;
    if (slash && slash[1])
        m->name = slash + 1;
    else if (file.name && *file.name && !slash)
        m->name = file.name;
    TRY(set_tokens(m, s->workload, err));
    return set_weights(m, &file, s->workload, err);
}

static roof_status hf_config_read(roof_graph *g, roof_error *err)
{
    lm_model *model;
    TRY(ARENA_GET(g->storage->arena, model, 1, err));
    TRY(read_model(g, model, err));
    g->storage->language_model = model;
    return lm_build(g, model, err);
}

static roof_status hf_config_hardware(const roof_graph *g, roof_hw **out, roof_error *err)
{
    (void)g, (void)out, (void)err; /* nobody compiled it */
    return ROOF_OK;
}

static void hf_config_hash(const roof_graph *g, graph_hash_value hash, void *hasher)
{
    hash(hasher, g->storage->language_model->layers); /* of which the graph has one */
}

const graph_format format_hf_config = {
    .id = "hf_config",
    .doc = "config.json of a Hugging Face language model: Llama, Mistral, Phi-3, Qwen2, Qwen3, SmolLM",
    .takes_text = true,
    .sniff = hf_config_sniff,
    .read = hf_config_read,
    .program = lm_program,
    .hardware = hf_config_hardware,
    .hash = hf_config_hash,
    .alternative = lm_alternative,
    .at_type = lm_at_type,
};
