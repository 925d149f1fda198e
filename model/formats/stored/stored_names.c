/* Words are looked for at the beginning of a part of a name, which dots separate; the first row that fits
 * counts. Source: ggml-org/llama.cpp src/llama-arch.cpp (LLM_TENSOR_NAMES); classes of
 * huggingface/transformers.
 */
#include "model/formats/stored/stored_names.h"
#include "core/named.h"

#include <stdint.h>

static const struct {
    const char *word;
    stored_use use;
} uses[] = {
    {"visual.", STORED_SENSES},
    {"vision", STORED_SENSES},
    {"v.blk.", STORED_SENSES},
    {"mm.", STORED_SENSES},
    {"mm_projector", STORED_SENSES},
    {"multi_modal_projector", STORED_SENSES},
    {"image_newline", STORED_SENSES},
    {"embed_vision", STORED_SENSES},
    {"audio", STORED_SENSES},
    {"embed_audio", STORED_SENSES},
    {"mtp.", STORED_FURTHER},
    {"nextn.", STORED_FURTHER},
    {"eh_proj.", STORED_FURTHER},
    {"encoder.", STORED_ENCODER},
    {"enc.", STORED_ENCODER},
    {"per_layer_token_embd.", STORED_GATHERED},
    {"embed_tokens_per_layer.", STORED_GATHERED},
    {"position_embd.", STORED_GATHERED},
    {"embed_positions.", STORED_GATHERED},
    {"wpe.", STORED_GATHERED},
    {"token_types.", STORED_GATHERED},
    {"token_embd.", STORED_TABLE},
    {"embed_tokens.", STORED_TABLE},
    {"tok_embeddings.", STORED_TABLE},
    {"word_embeddings.", STORED_TABLE},
    {"embeddings.", STORED_TABLE},
    {"embed_in.", STORED_TABLE},
    {"wte.", STORED_TABLE},
    {"lm_head.", STORED_HEAD},
    {"embed_out.", STORED_HEAD},
};

static const struct {
    const char *word;
    stored_role role;
} roles[] = {
    {"attn_k.", STORED_K},
    {"k_proj.", STORED_K},
    {"attn_v.", STORED_V},
    {"v_proj.", STORED_V},
    {"attn_q.", STORED_Q},
    {"attn_q_b.", STORED_Q},
    {"q_proj.", STORED_Q},
    {"q_b_proj.", STORED_Q},
    {"attn_qkv.", STORED_QKV},
    {"qkv_proj.", STORED_QKV},
    {"query_key_value.", STORED_QKV},
    {"c_attn.", STORED_QKV},
    {"Wqkv.", STORED_QKV},
    {"wqkv.", STORED_QKV},
    {"attn_kv_a_mqa.", STORED_LATENT},
    {"kv_a_proj_with_mqa.", STORED_LATENT},
    {"attn_kv_a_norm.", STORED_LATENT_NORM},
    {"kv_a_layernorm.", STORED_LATENT_NORM},
    {"attn_output.", STORED_O},
    {"o_proj.", STORED_O},
    {"wo.", STORED_O},
    {"attention.dense.", STORED_O},
    {"self_attention.dense.", STORED_O},
    {"attn.c_proj.", STORED_O},
    {"self_attn.out_proj.", STORED_O},
    {"self_attn.dense.", STORED_O},
    {"attn_q_norm.", STORED_Q_NORM},
    {"q_norm.", STORED_Q_NORM},
    {"attn_sinks", STORED_SINKS},
    {"sinks", STORED_SINKS},
    {"shortconv.", STORED_TAPS},
    {"conv.", STORED_TAPS},
    {"ssm_in.", STORED_STATE_IN},
    {"in_proj.", STORED_STATE_IN},
    {"ssm_", STORED_STATE},
    {"linear_attn.", STORED_STATE},
    {"mamba.", STORED_STATE},
    {"A_log", STORED_STATE},
    {"time_mix", STORED_STATE},
    {"ffn_up.", STORED_UP},
    {"ffn_up_exps.", STORED_UP},
    {"up_proj.", STORED_UP},
};

/* Tensors that are no matrix, whatever their shape: GPTQ, AWQ, bitsandbytes, MLX and FP8 have them beside a
 * packed one. */
static const char *const asides[] = {
    "scales",       "biases",      "qzeros",       "g_idx", "absmax",        "quant_map", "quant_state",
    "weight_scale", "input_scale", "weight_shape", "zeros", "nested_absmax", "SCB"};

static const char *const after[] = {
    "attn_output",
    "attn_post_norm",
    "post_attention",
    "post_attn",
    "post_feedforward",
    "pre_feedforward",
    "post_ffw",
    "ffn_",
    "layer_output",
    "o_proj.",
    "out_proj.",
    "ssm_out.",
    "wo.",
    "mlp.",
    "feed_forward.",
    "block_sparse_moe.",
    "experts",
    "moe",
    "exp_probs_b",
    "shared_",
    "dense_",
    "w1.",
    "w2.",
    "w3.",
    "gate.",
    "router",
    "per_layer",
    "inp_gate.",
    "proj.",
    "post_norm",
    "laurel",
    "altup",
    "attention.dense.",
    "self_attention.dense.",
    "attn.c_proj.",
    "ln_2.",
    "fc1.",
    "fc2.",
    "gate_proj.",
    "up_proj.",
    "down_proj.",
};

static const char *const layers[] = {"blk.", "layers.", "h.", "blocks.", "block."};
/* In front of an expert's number; of old files of Mixtral the last three. */
static const char *const experts[] = {"experts.", "ffn_gate.", "ffn_up.", "ffn_down."};

/* Where a part of the name begins with the word; its length: nowhere. */
static size_t place_of(text_span name, const char *word)
{
    const size_t n = strlen(word);
    size_t at = 0;
    while (at + n <= name.length && (name.text[at] != *word || memcmp(name.text + at, word, n) != 0)) {
        const char *dot = memchr(name.text + at, '.', name.length - at);
        at = dot ? (size_t)(dot - name.text) + 1 : name.length;
    }
    return at + n <= name.length ? at : name.length;
}

static bool has_part(text_span name, const char *word)
{
    return place_of(name, word) < name.length;
}

/* Digits behind a word, with a dot behind them. */
static text_span digits_behind(text_span name, const char *word)
{
    const size_t at = place_of(name, word);
    text_span digits = {name.text + name.length, 0};
    if (at == name.length)
        return digits;
    digits.text = name.text + at + strlen(word);
    const size_t most = name.length - at - strlen(word);
    while (digits.length < most && digits.text[digits.length] >= '0' && digits.text[digits.length] <= '9')
        digits.length++;
    if (digits.length == most || digits.text[digits.length] != '.' || digits.length > 6)
        digits.length = 0;
    return digits;
}

static void find_layer(text_span name, stored_name *out)
{
    for (size_t i = 0; i < N_OF(layers) && out->block == ROOF_NONE; i++) {
        text_span digits = digits_behind(name, layers[i]);
        if (!digits.length)
            continue;
        const char *behind = digits.text + digits.length + 1;
        out->block = 0;
        for (size_t k = 0; k < digits.length; k++)
            out->block = out->block * 10 + (uint32_t)(digits.text[k] - '0');
        out->rest = (text_span){behind, (size_t)(name.text + name.length - behind)};
    }
}

static bool is_aside(text_span rest)
{
    size_t last = rest.length;
    while (last && rest.text[last - 1] != '.')
        last--;
    const text_span word = {rest.text + last, rest.length - last};
    for (size_t i = 0; i < N_OF(asides); i++)
        if (span_begins(word, asides[i]))
            return true;
    return false;
}

stored_name stored_name_of(text_span name)
{
    stored_name out = {.block = ROOF_NONE, .rest = name};
    find_layer(name, &out);
    for (size_t i = 0; i < N_OF(uses) && out.use == STORED_READ; i++)
        if (has_part(name, uses[i].word))
            out.use = uses[i].use;
    if (out.block == ROOF_NONE && span_begins(name, "output."))
        out.use = STORED_HEAD;
    for (size_t i = 0; i < N_OF(experts) && !out.expert.length; i++)
        out.expert = digits_behind(out.rest, experts[i]);
    out.is_of_experts = span_has(out.rest, "_exps.") || has_part(out.rest, "experts");
    for (size_t i = 0; i < N_OF(after) && out.block != ROOF_NONE && !out.is_after; i++)
        out.is_after = has_part(out.rest, after[i]);
    for (size_t i = 0; i < N_OF(roles) && out.role == STORED_OTHER; i++)
        if (has_part(out.rest, roles[i].word))
            out.role = roles[i].role;
    if (is_aside(out.rest))
        out.role = STORED_ASIDE;
    return out;
}
