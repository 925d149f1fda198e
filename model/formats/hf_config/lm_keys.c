/* The keys of a config.json: one table, in which several names mean the same.
 * Source: the configuration classes of huggingface/transformers, and the files of the models.
 */
#include "model/formats/hf_config/lm_config.h"

const cJSON *lm_first_of(const cJSON *object, const char *keys)
{
    const cJSON *found = NULL;
    for (text_span rest = span_of(keys); rest.length && (!found || cJSON_IsNull(found));) {
        char key[64];
        const text_span own = span_take_until(&rest, " ");
        snprintf(key, sizeof key, "%.*s", (int)own.length, own.text);
        found = jsontree_get(object, key);
    }
    return found && !cJSON_IsNull(found) ? found : NULL;
}

/* Some files have a list with the same number for each layer. */
static uint32_t small(jsontree *t, const cJSON *node)
{
    if (cJSON_IsArray(node) && node->child) {
        for (const cJSON *item = node->child; item; item = item->next)
            if (!cJSON_IsNumber(item) || item->valuedouble != node->child->valuedouble) {
                jsontree_refuse(t, node, ROOF_E_UNSUPPORTED,
                                "layers of several sizes cannot be counted here");
                return 0;
            }
        node = node->child;
    }
    const uint32_t value = jsontree_small(t, node);
    return value == ROOF_NONE ? 0 : value;
}

/* Numbers, flags count as 0 and 1. */
static lm_list list_of(jsontree *t, const cJSON *node)
{
    lm_list out = {0};
    if (!node || !cJSON_IsArray(node))
        return out;
    uint32_t *values = NEW_ARRAY(t->arena, uint32_t, LM_MOST_LAYERS);
    for (const cJSON *item = node->child; item && values && out.n < LM_MOST_LAYERS; item = item->next)
        values[out.n++] = cJSON_IsBool(item) ? (cJSON_IsTrue(item) ? 1 : 0) : small(t, item);
    out.values = values;
    return out;
}

/* NOLINTNEXTLINE(readability-function-size): a table */
static void read_counts(jsontree *t, const cJSON *o, lm_config *f)
{
    roof_language_model *m = &f->shape;
    const struct {
        uint32_t *to;
        const char *keys;
    } counts[] = {
        {&m->hidden, "n_embd d_model hidden_size"},
        {&f->inner, "intermediate_size n_inner ffn_hidden_size decoder_ffn_dim"},
        {&f->mlp_inner, "intermediate_size_mlp"},
        {&m->layers, "decoder_layers num_hidden_layers n_layer num_layers"},
        {&m->heads, "num_attention_heads decoder_attention_heads n_head"},
        {&m->kv_heads, "num_key_value_heads"},
        {&f->head_dim, "head_dim attention_head_dim"},
        {&f->global_head_dim, "global_head_dim"},
        {&m->vocab, "vocab_size"},
        {&m->positions, "max_position_embeddings max_target_positions"},
        {&f->window, "sliding_window"},
        {&f->full_interval, "full_attention_interval"},
        {&f->full_layers, "num_full_attention_layers"},
        {&f->shared_caches, "num_kv_shared_layers"},
        {&f->chunk, "attention_chunk_size"},
        /* experts */
        {&m->experts, "num_experts num_local_experts moe_num_experts n_routed_experts"},
        {&m->active_experts, "num_experts_per_tok moe_k moe_topk"},
        {&f->expert_inner, "moe_intermediate_size"},
        {&f->shared_experts, "moe_num_shared_experts num_shared_experts num_shared_expert n_shared_experts"},
        {&m->shared_inner,
         "shared_expert_intermediate_size moe_shared_expert_intermediate_size shared_intermediate_size"},
        {&f->first_experts, "moe_layer_start_index num_dense_layers first_k_dense_replace"},
        {&f->sparse_step, "decoder_sparse_step"},
        {&f->experts_interval, "moe_layer_interval"},
        {&f->interleaved, "interleave_moe_layer_step"},
        {&f->experts_every, "expert_layer_period"},
        {&f->experts_at, "expert_layer_offset"},
        {&f->attention_every, "attn_layer_period"},
        {&f->attention_at, "attn_layer_offset"},
        {&f->prediction_layers, "num_nextn_predict_layers"},
        /* latent attention */
        {&m->latent.key_rank, "kv_lora_rank"},
        {&m->latent.query_rank, "q_lora_rank"},
        {&m->latent.nope, "qk_nope_head_dim"},
        {&m->latent.rope, "qk_rope_head_dim"},
        {&m->latent.value, "v_head_dim"},
        /* linear attention, convolutions, state spaces */
        {&m->linear_key_heads, "linear_num_key_heads"},
        {&m->linear_value_heads, "linear_num_value_heads"},
        {&m->linear_key_dim, "linear_key_head_dim"},
        {&m->linear_value_dim, "linear_value_head_dim"},
        {&m->linear_kernel, "linear_conv_kernel_dim"},
        {&m->conv_kernel, "conv_L_cache"},
        {&m->mamba.heads, "mamba_n_heads mamba_num_heads num_heads"},
        {&f->mamba_head_dim, "mamba_head_dim"},
        {&m->mamba.state, "mamba_d_state ssm_state_size state_size"},
        {&m->mamba.groups, "mamba_n_groups n_groups"},
        {&m->mamba.kernel, "mamba_d_conv conv_kernel"},
        {&m->mamba.inner, "mamba_d_ssm"},
        {&f->expand, "mamba_expand expand"},
        /* Gemma 3n and 4 */
        {&m->per_layer_inputs, "hidden_size_per_layer_input"},
        {&m->per_layer_vocab, "vocab_size_per_layer_input"},
        {&m->laurel_rank, "laurel_rank"},
        {&m->altup_inputs, "altup_num_inputs"},
        /* an encoder */
        {&m->encoder.layers, "encoder_layers"},
        {&m->encoder.inner, "encoder_ffn_dim"},
        {&m->encoder.tokens, "max_source_positions"},
        {&m->encoder.bins, "num_mel_bins"},
        {&f->block_inner, "block_ff_dim"},
        {&f->block_multiple, "block_multiple_of"}};
    for (size_t i = 0; i < N_OF(counts); i++) {
        const cJSON *node = lm_first_of(o, counts[i].keys);
        if (counts[i].to == &f->inner && cJSON_IsArray(node))
            f->inners = list_of(t, node); /* Gemma 3n's layers may differ */
        else if (node)
            *counts[i].to = small(t, node);
    }
    const cJSON *rank = lm_first_of(o, "time_step_rank mamba_dt_rank"),
                *width = lm_first_of(o, "mamba_d_head");
    if (rank && !cJSON_IsString(rank)) /* "auto" */
        m->mamba.rank = small(t, rank);
    if (width && !cJSON_IsString(width))
        f->mamba_head_dim = small(t, width);
}

static void read_flags(jsontree *t, const cJSON *o, lm_config *f)
{
    const struct {
        const char *key;
        bool *to;
    } flags[] = {{"use_sliding_window", &f->uses_window},
                 {"tie_word_embeddings", &f->shape.is_tied},
                 {"tie_embedding", &f->shape.is_tied},
                 {"attention_bias", &f->attention_bias},
                 {"mlp_bias", &f->mlp_bias},
                 {"attn_output_gate", &f->shape.has_output_gate},
                 {"use_double_wide_mlp", &f->has_double_networks},
                 {"block_auto_adjust_ff_dim", &f->adjusts_inner}};
    for (size_t i = 0; i < N_OF(flags); i++)
        if (jsontree_get(o, flags[i].key))
            *flags[i].to = jsontree_flag(t, jsontree_get(o, flags[i].key));
    f->has_no_window = cJSON_IsFalse(jsontree_get(o, "use_sliding_window"));
}

static void read_lists(jsontree *t, const cJSON *o, lm_config *f)
{
    f->dense = list_of(t, lm_first_of(o, "mlp_only_layers"));
    f->attention_at_layers = list_of(t, lm_first_of(o, "full_attn_idxs attn_layer_indices"));
    f->positions_at = list_of(t, lm_first_of(o, "no_rope_layers"));
    f->has_experts = list_of(t, lm_first_of(o, "moe_layer_freq"));
    const cJSON *every = jsontree_get(o, "moe_layer_freq"), *last = jsontree_get(o, "moe_layer_end_index");
    if (cJSON_IsNumber(every))
        f->experts_every = small(t, every);
    f->last_experts = cJSON_IsNumber(last) && last->valuedouble >= 0 ? small(t, last) : LM_MOST_LAYERS;
    const char *const patterns[] = {"_sliding_window_pattern", "sliding_window_pattern",
                                    "hybrid_override_pattern"};
    for (size_t i = 0; i < N_OF(patterns); i++) { /* "LLLG", or each how many-th layer sees all */
        const cJSON *node = jsontree_get(o, patterns[i]);
        if (cJSON_IsString(node))
            f->letters = jsontree_name(t, node);
        else if (node && !cJSON_IsNull(node))
            f->window_pattern = small(t, node);
    }
    const cJSON *types = lm_first_of(o, "layer_types layers_block_type");
    if (!cJSON_IsArray(types))
        return;
    f->layer_types = NEW_ARRAY(t->arena, const char *, LM_MOST_LAYERS + 1);
    for (const cJSON *item = types->child; item && f->layer_types; item = item->next, f->n_layer_types++)
        if (f->n_layer_types < LM_MOST_LAYERS)
            f->layer_types[f->n_layer_types] = jsontree_name(t, item);
}

/* Defaults of the configuration classes of families, where their file does not state the key. */
static const struct {
    const char *families, *key;
    double value;
} defaults[] = {
    {"gemma3_text", "num_attention_heads", 8},
    {"gemma3_text", "num_key_value_heads", 4},
    {"gemma3_text gemma2 gemma", "head_dim", 256},
    {"gemma3_text", "vocab_size", 262208},
    {"gemma3_text gemma2 cohere2", "sliding_window", 4096},
    {"jamba", "mamba_d_state", 16},
    {"jamba", "mamba_d_conv", 4},
    {"jamba", "mamba_expand", 2},
    {"jamba", "attn_layer_period", 8},
    {"jamba", "attn_layer_offset", 4},
    {"jamba", "expert_layer_period", 2},
    {"jamba", "expert_layer_offset", 1},
    {"mamba2 mamba", "conv_kernel", 4},
    {"mamba2", "state_size", 128},
    {"mamba", "state_size", 16},
    {"mamba", "expand", 2},
    {"whisper", "max_source_positions", 1500},
    {"llama4_text", "interleave_moe_layer_step", 1},
};

roof_status lm_read_config(jsontree *t, const cJSON *o, const cJSON *decoder, lm_config *f)
{
    const cJSON *kind = lm_first_of(jsontree_get(decoder, "rope_scaling"), "rope_type type");
    f->shape.is_tied = f->family->is_tied;
    f->shape.has_output_gate = f->family->has_gate;
    cJSON *missing = cJSON_CreateObject();
    for (size_t i = 0; i < N_OF(defaults); i++)
        if (!f->family->is_assumed && text_has_word(defaults[i].families, f->model_type) &&
            !jsontree_get(decoder, defaults[i].key))
            cJSON_AddNumberToObject(missing, defaults[i].key, defaults[i].value);
    if (missing && missing->child)
        read_counts(t, missing, f);
    cJSON_Delete(missing);
    read_counts(t, decoder, f);
    read_flags(t, decoder, f);
    read_lists(t, decoder, f);
    if (decoder != o && jsontree_get(o, "tie_word_embeddings"))
        f->shape.is_tied = jsontree_flag(t, jsontree_get(o, "tie_word_embeddings"));
    f->shape.rope_factors = cJSON_IsString(kind) && strcmp(kind->valuestring, "llama3") == 0;
    lm_read_quantised(t, o, &f->quantised);
    if (!f->quantised.method)
        lm_read_quantised(t, decoder, &f->quantised);
    return t->status;
}
