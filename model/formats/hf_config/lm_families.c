/* Families of language models: what each means by its keys, and what may be assumed of one that has no row.
 * Source: the configuration and model classes of huggingface/transformers; docs/formats/models.md lists them.
 */
#include "model/formats/hf_config/lm_config.h"

#define SLIDES .other = ROOF_MIXER_SLIDING
#define DELTA  .other = ROOF_MIXER_LINEAR, .has_qk_norm = true

/* gqa: grouped queries alone. qk_norm: each head normalised. window: Gemma's. sink: a learned logit that
 * takes attention. gated: an output gate. mla: latent keys. cross: also attends to an encoder. */
static const lm_family families[] = {
    {"llama", "gqa", .norms = 2, .reads_bias = true},
    {"mistral ministral ministral3", "gqa", .norms = 2, .has_window = true, SLIDES},
    {"mixtral", "gqa", .has_window = true, SLIDES},
    {"phi3", "gqa", .norms = 2, .has_window = true, .has_fused_keys = true, SLIDES},
    {"phi gpt_neox nemotron", "gqa", .is_plain = true},
    {"starcoder2", "gqa", .is_plain = true, .is_tied = true, .has_window = true, SLIDES},
    {"stablelm qwen2_moe granitemoe granitemoeshared olmo glm glm4 glm4_moe seed_oss", "gqa", .norms = 0},
    {"qwen2 qwen2_vl qwen2_vl_text qwen2_5_vl qwen2_5_vl_text", "gqa", .norms = 2, .has_qkv_bias = true},
    {"qwen3 qwen3_vl_text", "qk_norm", .norms = 2, .reads_bias = true, .has_qk_norm = true},
    {"qwen3_moe qwen3_vl_moe_text olmo2 olmoe hunyuan_v1_moe hunyuan minimax_m2", "qk_norm",
     .has_qk_norm = true},
    {"qwen3_next", "gated", DELTA, .has_gate = true, .pattern = 4},
    {"qwen3_5 qwen3_5_text qwen3_5_moe qwen3_5_moe_text", "gated", DELTA},
    {"gemma", "window", .norms = 2, .is_tied = true},
    {"gemma2", "window", SLIDES, .norms = 4, .pattern = 2, .is_tied = true},
    {"gemma3 gemma3_text", "window", SLIDES, .norms = 4, .has_qk_norm = true, .pattern = 6, .is_tied = true},
    {"gemma3n gemma3n_text", "window", SLIDES, .has_qk_norm = true, .is_tied = true, .has_unused_keys = true},
    {"gemma4 gemma4_text", "window", SLIDES, .has_qk_norm = true, .is_tied = true},
    {"lfm2 lfm2_moe", "gqa", .other = ROOF_MIXER_CONV, .has_qk_norm = true, .is_tied = true},
    {"gpt_oss", "sink", SLIDES, .pattern = 2},
    {"smollm3", "gqa", .norms = 2, .reads_bias = true, .is_tied = true},
    {"cohere", "gqa", .norms = 1, .is_tied = true},
    {"cohere2", "gqa", SLIDES, .norms = 1, .pattern = 4, .is_tied = true},
    {"granite exaone internlm2 internlm3", "gqa", .norms = 2},
    {"granitemoehybrid bamba", "gqa", .other = ROOF_MIXER_MAMBA, .mamba = 2},
    {"olmo3 exaone4", "qk_norm", SLIDES, .pattern = 4, .has_qk_norm = true},
    {"glm4_moe_lite deepseek_v2 deepseek_v3 kimi_k2", "mla", .norms = 0},
    {"ernie4_5", "gqa", .norms = 2, .is_tied = true},
    {"ernie4_5_moe", "gqa", .is_tied = true},
    {"hunyuan_v1_dense", "qk_norm", .norms = 2, .has_qk_norm = true},
    {"llama4 llama4_text", "gqa", .rule = LM_CHUNKED, .has_shared_expert = true},
    {"mamba falcon_mamba", NULL, .rule = LM_MAMBA, .mamba = 1, .is_tied = true},
    {"mamba2", NULL, .rule = LM_MAMBA, .mamba = 2},
    {"nemotron_h", "gqa", .rule = LM_LETTERS, .mamba = 2, .is_plain = true},
    {"falcon_h1", "gqa", .rule = LM_BESIDE, .mamba = 2},
    {"jamba", "gqa", .rule = LM_PERIOD, .mamba = 1, .other = ROOF_MIXER_MAMBA},
    {"whisper", "cross", .is_plain = true, .is_tied = true},
};

const lm_family *lm_family_named(const char *name)
{
    size_t i = 0;
    while (i < N_OF(families) && !text_has_word(families[i].names, name))
        i++;
    return i < N_OF(families) && !strchr(name, ' ') ? &families[i] : NULL;
}

const char *lm_family_names(uint32_t i)
{
    return i < N_OF(families) ? families[i].names : NULL;
}

/* ---- a family that has no row -------------------------------------------------------------------------- */

/* Keys that tell of other matrices than those of a gated decoder. A word that ends with _ begins a key. */
static const char telling[] =
    "mamba_ ssm_ altup_ state_size conv_kernel hybrid_override_pattern layers_block_type attn_layer_period "
    "attn_layer_indices laurel_rank interleave_moe_layer_step is_encoder_decoder shared_intermediate_size "
    "block_configs cross_attention_layers index_topk linear_attn_config attn_type_list num_codebooks use_cla";

static bool tells(const cJSON *item)
{
    bool is_one = false;
    for (text_span keys = span_of(telling); keys.length && !is_one;) {
        const text_span key = span_take_until(&keys, " ");
        is_one = strncmp(item->string, key.text, key.length) == 0 &&
                 (key.text[key.length - 1] == '_' || !item->string[key.length]);
    }
    return is_one && !cJSON_IsNull(item) && !cJSON_IsFalse(item) &&
           !(cJSON_IsNumber(item) && item->valuedouble == 0);
}

/* GELU and ReLU stand between two matrices or three, and no key says which; SiLU is of gated networks. */
static bool is_open_activation(const cJSON *item)
{
    static const char *const keys[] = {"hidden_act", "hidden_activation", "activation_function",
                                       "mlp_hidden_act", "activation"};
    return IS_ONE_OF(keys, item->string) && cJSON_IsString(item) &&
           (strncmp(item->valuestring, "gelu", 4) == 0 || strncmp(item->valuestring, "relu", 4) == 0 ||
            strncmp(item->valuestring, "quick_gelu", 10) == 0);
}

static const char *telling_key(const cJSON *decoder)
{
    static const char *const known[] = {"full_attention", "sliding_attention", "linear_attention", "conv"};
    const cJSON *inner = jsontree_get(decoder, "intermediate_size"),
                *types = jsontree_get(decoder, "layer_types");
    for (const cJSON *item = decoder->child; item; item = item->next)
        if (tells(item) || is_open_activation(item))
            return item->string;
    if (cJSON_IsArray(inner))
        return "intermediate_size";
    for (const cJSON *item = cJSON_IsArray(types) ? types->child : NULL; item; item = item->next)
        if (!cJSON_IsString(item) || !IS_ONE_OF(known, item->valuestring))
            return "layer_types";
    return NULL;
}

static const char *missing_key(const cJSON *decoder)
{
    static const char *const needed[] = {"hidden_size", "num_hidden_layers", "num_attention_heads",
                                         "vocab_size"};
    for (size_t i = 0; i < N_OF(needed); i++)
        if (!cJSON_IsNumber(jsontree_get(decoder, needed[i])))
            return needed[i];
    return cJSON_IsNumber(jsontree_get(decoder, "intermediate_size")) ||
                   jsontree_get(decoder, "moe_intermediate_size")
               ? NULL
               : "intermediate_size";
}

roof_status lm_assume_family(const cJSON *decoder, const char *model_type, const lm_family **out,
                             roof_error *err)
{
    static const lm_family grouped = {"", "gqa", .has_window = true, SLIDES, .is_assumed = true},
                           latent = {"", "mla", .is_assumed = true},
                           delta = {"", "gated", DELTA, .is_assumed = true},
                           conv = {"", "gqa", .other = ROOF_MIXER_CONV, .is_assumed = true};
    const char *key = telling_key(decoder), *missing = missing_key(decoder);
    if (key)
        return error_set(err, ROOF_E_UNSUPPORTED,
                         "is the config.json of architecture '%.60s', which is unknown; its key /%.60s tells "
                         "that it is no decoder of the usual kind",
                         model_type, key);
    if (missing)
        return error_set(
            err, ROOF_E_UNSUPPORTED,
            "is the config.json of architecture '%.60s', which is unknown; it lacks /%s, without "
            "which it cannot be read by its keys",
            model_type, missing);
    *out = jsontree_get(decoder, "kv_lora_rank")           ? &latent
           : jsontree_get(decoder, "linear_num_key_heads") ? &delta
           : jsontree_get(decoder, "conv_L_cache")         ? &conv
                                                           : &grouped;
    return ROOF_OK;
}
