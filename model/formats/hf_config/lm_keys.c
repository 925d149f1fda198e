/* The keys of a config.json: one table, in which several names mean the same.
 * Source: the configuration classes of huggingface/transformers, and the files of the models.
 */
#include "core/error.h"
#include "core/named.h"
#include "model/formats/hf_config/lm_config.h"

#include <math.h>
#include <string.h>

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

static bool flag(jsontree *t, const cJSON *object, const char *key)
{
    return jsontree_flag(t, jsontree_get(object, key));
}

/* Numbers, flags count as 0 and 1. */
static lm_list list_of(jsontree *t, const cJSON *node)
{
    lm_list out = {0};
    if (!cJSON_IsArray(node))
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
        const char *key;
        uint32_t *to;
    } counts[] = {{"hidden_size", &m->hidden},
                  {"d_model", &m->hidden},
                  {"n_embd", &m->hidden},
                  {"decoder_ffn_dim", &f->inner},
                  {"ffn_hidden_size", &f->inner},
                  {"n_inner", &f->inner},
                  {"intermediate_size", &f->inner},
                  {"intermediate_size_mlp", &f->mlp_inner},
                  {"num_layers", &m->layers},
                  {"n_layer", &m->layers},
                  {"num_hidden_layers", &m->layers},
                  {"decoder_layers", &m->layers},
                  {"n_head", &m->heads},
                  {"decoder_attention_heads", &m->heads},
                  {"num_attention_heads", &m->heads},
                  {"num_key_value_heads", &m->kv_heads},
                  {"attention_head_dim", &f->head_dim},
                  {"head_dim", &f->head_dim},
                  {"global_head_dim", &f->global_head_dim},
                  {"vocab_size", &m->vocab},
                  {"max_target_positions", &m->positions},
                  {"max_position_embeddings", &m->positions},
                  {"sliding_window", &f->window},
                  {"full_attention_interval", &f->full_interval},
                  {"num_full_attention_layers", &f->full_layers},
                  {"num_kv_shared_layers", &f->shared_caches},
                  {"attention_chunk_size", &f->chunk},
                  /* experts */
                  {"n_routed_experts", &m->experts},
                  {"moe_num_experts", &m->experts},
                  {"num_local_experts", &m->experts},
                  {"num_experts", &m->experts},
                  {"moe_topk", &m->active_experts},
                  {"moe_k", &m->active_experts},
                  {"num_experts_per_tok", &m->active_experts},
                  {"moe_intermediate_size", &f->expert_inner},
                  {"n_shared_experts", &f->shared_experts},
                  {"num_shared_expert", &f->shared_experts},
                  {"num_shared_experts", &f->shared_experts},
                  {"moe_num_shared_experts", &f->shared_experts},
                  {"shared_intermediate_size", &m->shared_inner},
                  {"moe_shared_expert_intermediate_size", &m->shared_inner},
                  {"shared_expert_intermediate_size", &m->shared_inner},
                  {"first_k_dense_replace", &f->first_experts},
                  {"num_dense_layers", &f->first_experts},
                  {"moe_layer_start_index", &f->first_experts},
                  {"decoder_sparse_step", &f->sparse_step},
                  {"moe_layer_interval", &f->experts_interval},
                  {"interleave_moe_layer_step", &f->interleaved},
                  {"expert_layer_period", &f->experts_every},
                  {"expert_layer_offset", &f->experts_at},
                  {"attn_layer_period", &f->attention_every},
                  {"attn_layer_offset", &f->attention_at},
                  {"num_nextn_predict_layers", &f->prediction_layers},
                  /* latent attention */
                  {"kv_lora_rank", &m->latent.key_rank},
                  {"q_lora_rank", &m->latent.query_rank},
                  {"qk_nope_head_dim", &m->latent.nope},
                  {"qk_rope_head_dim", &m->latent.rope},
                  {"v_head_dim", &m->latent.value},
                  /* linear attention, convolutions, state spaces */
                  {"linear_num_key_heads", &m->linear_key_heads},
                  {"linear_num_value_heads", &m->linear_value_heads},
                  {"linear_key_head_dim", &m->linear_key_dim},
                  {"linear_value_head_dim", &m->linear_value_dim},
                  {"linear_conv_kernel_dim", &m->linear_kernel},
                  {"conv_L_cache", &m->conv_kernel},
                  {"num_heads", &m->mamba.heads},
                  {"mamba_num_heads", &m->mamba.heads},
                  {"mamba_n_heads", &m->mamba.heads},
                  {"mamba_head_dim", &f->mamba_head_dim},
                  {"state_size", &m->mamba.state},
                  {"ssm_state_size", &m->mamba.state},
                  {"mamba_d_state", &m->mamba.state},
                  {"n_groups", &m->mamba.groups},
                  {"mamba_n_groups", &m->mamba.groups},
                  {"conv_kernel", &m->mamba.kernel},
                  {"mamba_d_conv", &m->mamba.kernel},
                  {"mamba_d_ssm", &m->mamba.inner},
                  {"expand", &f->expand},
                  {"mamba_expand", &f->expand},
                  /* Gemma 3n and 4 */
                  {"hidden_size_per_layer_input", &m->per_layer_inputs},
                  {"vocab_size_per_layer_input", &m->per_layer_vocab},
                  {"laurel_rank", &m->laurel_rank},
                  {"altup_num_inputs", &m->altup_inputs},
                  /* an encoder */
                  {"encoder_layers", &m->encoder.layers},
                  {"encoder_ffn_dim", &m->encoder.inner},
                  {"max_source_positions", &m->encoder.tokens},
                  {"num_mel_bins", &m->encoder.bins},
                  {"block_ff_dim", &f->block_inner},
                  {"block_multiple_of", &f->block_multiple}};
    for (size_t i = 0; i < N_OF(counts); i++) {
        const cJSON *node = jsontree_get(o, counts[i].key);
        if (counts[i].to == &f->inner && cJSON_IsArray(node))
            f->inners = list_of(t, node); /* Gemma 3n's layers may differ */
        else if (node && !cJSON_IsNull(node))
            *counts[i].to = small(t, node);
    }
    /* these may be a word */
    const struct {
        const char *key;
        uint32_t *to;
    } words[] = {{"mamba_d_head", &f->mamba_head_dim},
                 {"mamba_dt_rank", &m->mamba.rank},
                 {"time_step_rank", &m->mamba.rank}};
    for (size_t i = 0; i < N_OF(words); i++) {
        const cJSON *node = jsontree_get(o, words[i].key);
        if (node && !cJSON_IsString(node)) /* "auto" */
            *words[i].to = small(t, node);
    }
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
            *flags[i].to = flag(t, o, flags[i].key);
    f->has_no_window = cJSON_IsFalse(jsontree_get(o, "use_sliding_window"));
}

static void read_lists(jsontree *t, const cJSON *o, lm_config *f)
{
    const struct {
        const char *key;
        lm_list *to;
    } lists[] = {{"mlp_only_layers", &f->dense},
                 {"attn_layer_indices", &f->attention_at_layers},
                 {"full_attn_idxs", &f->attention_at_layers},
                 {"no_rope_layers", &f->positions_at},
                 {"moe_layer_freq", &f->has_experts}};
    for (size_t i = 0; i < N_OF(lists); i++)
        if (cJSON_IsArray(jsontree_get(o, lists[i].key)))
            *lists[i].to = list_of(t, jsontree_get(o, lists[i].key));
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
    const cJSON *types = jsontree_get(o, "layer_types");
    types = types ? types : jsontree_get(o, "layers_block_type");
    if (!cJSON_IsArray(types))
        return;
    f->layer_types = NEW_ARRAY(t->arena, const char *, LM_MOST_LAYERS + 1);
    for (const cJSON *item = types->child; item && f->layer_types; item = item->next, f->n_layer_types++)
        if (f->n_layer_types < LM_MOST_LAYERS)
            f->layer_types[f->n_layer_types] = jsontree_name(t, item);
}

/* Defaults of the configuration class of a family, where its file does not state the key. */
static const struct {
    const char *family, *key;
    double value;
} defaults[] = {
    {"gemma3_text", "num_attention_heads", 8},
    {"gemma3_text", "num_key_value_heads", 4},
    {"gemma3_text", "head_dim", 256},
    {"gemma3_text", "vocab_size", 262208},
    {"gemma3_text", "sliding_window", 4096},
    {"gemma2", "head_dim", 256},
    {"gemma2", "sliding_window", 4096},
    {"gemma", "head_dim", 256},
    {"cohere2", "sliding_window", 4096},
    {"jamba", "mamba_d_state", 16},
    {"jamba", "mamba_d_conv", 4},
    {"jamba", "mamba_expand", 2},
    {"jamba", "attn_layer_period", 8},
    {"jamba", "attn_layer_offset", 4},
    {"jamba", "expert_layer_period", 2},
    {"jamba", "expert_layer_offset", 1},
    {"mamba2", "conv_kernel", 4},
    {"mamba2", "state_size", 128},
    {"mamba", "conv_kernel", 4},
    {"mamba", "state_size", 16},
    {"mamba", "expand", 2},
    {"whisper", "max_source_positions", 1500},
    {"llama4_text", "interleave_moe_layer_step", 1},
};

static void read_defaults(jsontree *t, const cJSON *o, lm_config *f)
{
    cJSON *missing = cJSON_CreateObject();
    for (size_t i = 0; i < N_OF(defaults); i++)
        if (strcmp(defaults[i].family, f->family->name) == 0 && !jsontree_get(o, defaults[i].key))
            cJSON_AddNumberToObject(missing, defaults[i].key, defaults[i].value);
    if (missing && missing->child)
        read_counts(t, missing, f);
    cJSON_Delete(missing);
}

roof_status lm_read_config(jsontree *t, const cJSON *o, const cJSON *decoder, lm_config *f)
{
    const cJSON *scaling = jsontree_get(decoder, "rope_scaling");
    const cJSON *kind = jsontree_get(scaling, "rope_type");
    f->shape.is_tied = f->family->is_tied;
    f->shape.has_output_gate = f->family->has_gate;
    read_defaults(t, decoder, f);
    read_counts(t, decoder, f);
    read_flags(t, decoder, f);
    read_lists(t, decoder, f);
    if (decoder != o && jsontree_get(o, "tie_word_embeddings"))
        f->shape.is_tied = flag(t, o, "tie_word_embeddings");
    kind = kind ? kind : jsontree_get(scaling, "type");
    f->shape.rope_factors = cJSON_IsString(kind) && strcmp(kind->valuestring, "llama3") == 0;
    lm_read_quantised(t, o, &f->quantised);
    if (!f->quantised.method)
        lm_read_quantised(t, decoder, &f->quantised);
    return t->status;
}
