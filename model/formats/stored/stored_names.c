/* Words, which spaces separate, are looked for at the beginning of a part of a name, which dots separate; the
 * first row that fits counts. Source: ggml-org/llama.cpp src/llama-arch.cpp (LLM_TENSOR_NAMES); classes of
 * huggingface/transformers.
 */
#include "model/formats/stored/stored_model.h"

static const struct {
    stored_use use;
    const char *words;
} uses[] = {
    {STORED_SENSES, "visual. vision v.blk. mm. mm_projector multi_modal_projector image_newline embed_vision "
                    "audio embed_audio"},
    {STORED_FURTHER, "mtp. nextn. eh_proj."},
    {STORED_ENCODER, "encoder. enc."},
    {STORED_GATHERED,
     "per_layer_token_embd. embed_tokens_per_layer. position_embd. embed_positions. wpe. token_types."},
    {STORED_TABLE, "token_embd. embed_tokens. tok_embeddings. word_embeddings. embeddings. embed_in. wte."},
    {STORED_HEAD, "lm_head. embed_out."},
};

static const struct {
    stored_role role;
    const char *words;
} roles[] = {
    {STORED_K, "attn_k. k_proj."},
    {STORED_V, "attn_v. v_proj."},
    {STORED_Q, "attn_q. attn_q_b. q_proj. q_b_proj."},
    {STORED_QKV, "attn_qkv. qkv_proj. query_key_value. c_attn. Wqkv. wqkv."},
    {STORED_LATENT, "attn_kv_a_mqa. kv_a_proj_with_mqa."},
    {STORED_LATENT_NORM, "attn_kv_a_norm. kv_a_layernorm."},
    {STORED_O, "attn_output. o_proj. wo. attention.dense. self_attention.dense. attn.c_proj. "
               "self_attn.out_proj. self_attn.dense."},
    {STORED_Q_NORM, "attn_q_norm. q_norm."},
    {STORED_SINKS, "attn_sinks sinks"},
    {STORED_TAPS, "shortconv. conv."},
    {STORED_STATE_IN, "ssm_in. in_proj."},
    {STORED_STATE, "ssm_ linear_attn. mamba. A_log time_mix"},
    {STORED_UP, "ffn_up. ffn_up_exps. up_proj."},
};

/* Tensors that are no matrix, whatever their shape: GPTQ, AWQ, bitsandbytes, MLX and FP8 have them beside a
 * packed one. */
static const char *const asides[] = {
    "scales",       "biases",      "qzeros",       "g_idx", "absmax",        "quant_map", "quant_state",
    "weight_scale", "input_scale", "weight_shape", "zeros", "nested_absmax", "SCB"};

static const char after[] =
    "attn_output attn_post_norm post_attention post_attn post_feedforward pre_feedforward post_ffw ffn_ "
    "layer_output o_proj. out_proj. ssm_out. wo. mlp. feed_forward. block_sparse_moe. experts moe "
    "exp_probs_b shared_ dense_ w1. w2. w3. gate. router per_layer inp_gate. proj. post_norm laurel altup "
    "attention.dense. self_attention.dense. attn.c_proj. ln_2. fc1. fc2. gate_proj. up_proj. down_proj.";

static const char *const layers[] = {"blk.", "layers.", "h.", "blocks.", "block."};
/* In front of an expert's number; of old files of Mixtral the last three. */
static const char *const experts[] = {"experts.", "ffn_gate.", "ffn_up.", "ffn_down."};

/* Where a part of the name begins with the word; its length: nowhere. */
static size_t place_of(text_span name, text_span word)
{
    const size_t n = word.length;
    size_t at = 0;
    while (at + n <= name.length &&
           (name.text[at] != *word.text || memcmp(name.text + at, word.text, n) != 0)) {
        const char *dot = memchr(name.text + at, '.', name.length - at);
        at = dot ? (size_t)(dot - name.text) + 1 : name.length;
    }
    return at + n <= name.length ? at : name.length;
}

static bool has_part(text_span name, const char *words)
{
    bool has = false;
    for (text_span rest = span_of(words); rest.length && !has;)
        has = place_of(name, span_take_until(&rest, " ")) < name.length;
    return has;
}

/* Digits behind a word, with a dot behind them. */
static text_span digits_behind(text_span name, const char *word)
{
    const size_t at = place_of(name, span_of(word));
    text_span digits = {name.text + at, name.length - at};
    const bool is_there = span_skip(&digits, word);
    text_span rest = digits;
    span_skip_any(&rest, "0123456789");
    digits.length -= rest.length;
    if (!is_there || !span_begins(rest, ".") || digits.length > 6)
        digits.length = 0;
    return digits;
}

static bool is_aside(text_span rest)
{
    text_span word = rest;
    while (span_skip_past(&word, "."))
        continue;
    for (size_t i = 0; i < N_OF(asides); i++)
        if (span_begins(word, asides[i]))
            return true;
    return false;
}

stored_name stored_name_of(text_span name)
{
    stored_name out = {.block = ROOF_NONE, .rest = name};
    for (size_t i = 0; i < N_OF(layers) && out.block == ROOF_NONE; i++) {
        text_span digits = digits_behind(name, layers[i]);
        if (!digits.length)
            continue;
        const char *behind = digits.text + digits.length + 1;
        uint64_t block = 0;
        span_take_whole(&digits, &block);
        out.block = (uint32_t)block;
        out.rest = (text_span){behind, (size_t)(name.text + name.length - behind)};
    }
    for (size_t i = 0; i < N_OF(uses) && out.use == STORED_READ; i++)
        if (has_part(name, uses[i].words))
            out.use = uses[i].use;
    if (out.block == ROOF_NONE && span_begins(name, "output."))
        out.use = STORED_HEAD;
    for (size_t i = 0; i < N_OF(experts) && !out.expert.length; i++)
        out.expert = digits_behind(out.rest, experts[i]);
    out.is_of_experts = span_has(out.rest, "_exps.") || has_part(out.rest, "experts");
    out.is_after = out.block != ROOF_NONE && has_part(out.rest, after);
    for (size_t i = 0; i < N_OF(roles) && out.role == STORED_OTHER; i++)
        if (has_part(out.rest, roles[i].words))
            out.role = roles[i].role;
    if (is_aside(out.rest))
        out.role = STORED_ASIDE;
    return out;
}
