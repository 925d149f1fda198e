/* Shapes: their config.json at huggingface.co. Sizes and caches: docs/hardware/aie.md, "Language models". */
#include "tests/support/language_models.h"
#include "model/graph/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const language_text language_texts[] = {
    {"Llama 3.2 3B",
     "\"model_type\":\"llama\",\"hidden_size\":3072,\"num_hidden_layers\":28,\"num_attention_heads\":24,"
     "\"num_key_value_heads\":8,\"head_dim\":128,\"intermediate_size\":8192,\"vocab_size\":128256,"
     "\"tie_word_embeddings\":true",
     3.2128, 114688},
    {"Llama 3.1 8B",
     "\"model_type\":\"llama\",\"hidden_size\":4096,\"num_hidden_layers\":32,\"num_attention_heads\":32,"
     "\"num_key_value_heads\":8,\"head_dim\":128,\"intermediate_size\":14336,\"vocab_size\":128256",
     8.0303, 131072},
    {"Phi-4-mini",
     "\"model_type\":\"phi3\",\"hidden_size\":3072,\"num_hidden_layers\":32,\"num_attention_heads\":24,"
     "\"num_key_value_heads\":8,\"intermediate_size\":8192,\"vocab_size\":200064,\"tie_word_embeddings\":"
     "true",
     3.8360, 131072},
    {"Qwen3-8B",
     "\"model_type\":\"qwen3\",\"hidden_size\":4096,\"num_hidden_layers\":36,\"num_attention_heads\":32,"
     "\"num_key_value_heads\":8,\"head_dim\":128,\"intermediate_size\":12288,\"vocab_size\":151936",
     8.1907, 147456},
    {"Gemma 3 4B",
     "\"model_type\":\"gemma3_text\",\"hidden_size\":2560,\"num_hidden_layers\":34,\"num_attention_heads\":8,"
     "\"num_key_value_heads\":4,\"head_dim\":256,\"intermediate_size\":10240,\"vocab_size\":262208,"
     "\"tie_word_embeddings\":true,\"sliding_window\":1024,\"sliding_window_pattern\":6",
     3.8801, 20480},
    {"gpt-oss-20b",
     "\"model_type\":\"gpt_oss\",\"hidden_size\":2880,\"num_hidden_layers\":24,\"num_attention_heads\":64,"
     "\"num_key_value_heads\":8,\"head_dim\":64,\"intermediate_size\":2880,\"vocab_size\":201088,"
     "\"num_local_experts\":32,\"num_experts_per_tok\":4,\"sliding_window\":128,\"sliding_window_pattern\":2",
     20.91, 24576},
    {"LFM2-1.2B",
     "\"model_type\":\"lfm2\",\"hidden_size\":2048,\"num_hidden_layers\":16,\"num_attention_heads\":32,"
     "\"num_key_value_heads\":8,\"block_ff_dim\":12288,\"intermediate_size\":12288,\"block_multiple_of\":256,"
     "\"block_auto_adjust_ff_dim\":true,\"vocab_size\":65536,\"tie_word_embeddings\":true,\"conv_L_cache\":3,"
     "\"layer_types\":[\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"full_attention\",\"conv\","
     "\"conv\","
     "\"full_attention\",\"conv\",\"full_attention\",\"conv\",\"full_attention\",\"conv\",\"full_attention\","
     "\"conv\"]",
     1.1703, 12288},
    {"Qwen2.5-3B",
     "\"model_type\":\"qwen2\",\"hidden_size\":2048,\"num_hidden_layers\":36,\"num_attention_heads\":16,"
     "\"num_key_value_heads\":2,\"intermediate_size\":11008,\"vocab_size\":151936,\"tie_word_embeddings\":"
     "true,"
     "\"use_sliding_window\":false,\"sliding_window\":32768",
     3.0860, 36864},
    {"Qwen3.5-4B",
     "\"model_type\":\"qwen3_5_text\",\"hidden_size\":2560,\"num_hidden_layers\":32,\"num_attention_heads\":"
     "16,"
     "\"num_key_value_heads\":4,\"head_dim\":256,\"intermediate_size\":9216,\"vocab_size\":248320,"
     "\"tie_word_embeddings\":true,\"full_attention_interval\":4,\"linear_num_key_heads\":16,"
     "\"linear_key_head_dim\":128,\"linear_value_head_dim\":128,\"linear_conv_kernel_dim\":4,"
     "\"attn_output_gate\":true,\"linear_num_value_heads\":32",
     NAN, 32768},
    {"Qwen3-30B-A3B",
     "\"model_type\":\"qwen3_moe\",\"hidden_size\":2048,\"num_hidden_layers\":48,\"num_attention_heads\":32,"
     "\"num_key_value_heads\":4,\"head_dim\":128,\"intermediate_size\":6144,\"moe_intermediate_size\":768,"
     "\"num_experts\":128,\"num_experts_per_tok\":8,\"decoder_sparse_step\":1,\"mlp_only_layers\":[],"
     "\"vocab_size\":151936",
     30.53, 98304},
    {0},
};

/* Exact where the tolerance is 0: an independent count of the published hyper-parameters, which agrees with
 * the models' pages; else as published, in the digits of those. A read of 0: not published. */
const language_counted language_counted_models[] = {
    {"DeepSeek V3",
     "\"model_type\":\"deepseek_v3\",\"hidden_size\":7168,\"num_hidden_layers\":61,"
     "\"num_attention_heads\":128,\"num_key_value_heads\":128,\"intermediate_size\":18432,"
     "\"moe_intermediate_size\":2048,\"vocab_size\":129280,\"kv_lora_rank\":512,\"q_lora_rank\":1536,"
     "\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":64,\"v_head_dim\":128,\"n_routed_experts\":256,"
     "\"n_shared_experts\":1,\"num_experts_per_tok\":8,\"first_k_dense_replace\":3,"
     "\"num_nextn_predict_layers\":1",
     671025397760, 36624596992, 70272, 0, 0},
    {"DeepSeek V2 Lite",
     "\"model_type\":\"deepseek_v2\",\"hidden_size\":2048,\"num_hidden_layers\":27,"
     "\"num_attention_heads\":16,\"intermediate_size\":10944,\"moe_intermediate_size\":1408,"
     "\"vocab_size\":102400,\"kv_lora_rank\":512,\"q_lora_rank\":null,\"qk_nope_head_dim\":128,"
     "\"qk_rope_head_dim\":64,\"v_head_dim\":128,\"n_routed_experts\":64,\"n_shared_experts\":2,"
     "\"num_experts_per_tok\":6,\"first_k_dense_replace\":1",
     15706357760, 2451308544, 31104, 0, 0},
    {"Kimi K2",
     "\"model_type\":\"kimi_k2\",\"hidden_size\":7168,\"num_hidden_layers\":61,"
     "\"num_attention_heads\":64,\"intermediate_size\":18432,\"moe_intermediate_size\":2048,"
     "\"vocab_size\":163840,\"kv_lora_rank\":512,\"q_lora_rank\":1536,\"qk_nope_head_dim\":128,"
     "\"qk_rope_head_dim\":64,\"v_head_dim\":128,\"n_routed_experts\":384,\"n_shared_experts\":1,"
     "\"num_experts_per_tok\":8,\"first_k_dense_replace\":1",
     1026407200000, 31686000000, 70272, 0, 2e-05},
    {"GLM-4.5-Air",
     "\"model_type\":\"glm4_moe\",\"hidden_size\":4096,\"num_hidden_layers\":46,"
     "\"num_attention_heads\":96,\"num_key_value_heads\":8,\"head_dim\":128,"
     "\"intermediate_size\":10944,\"moe_intermediate_size\":1408,\"vocab_size\":151552,"
     "\"n_routed_experts\":128,\"n_shared_experts\":1,\"num_experts_per_tok\":8,"
     "\"first_k_dense_replace\":1,\"num_nextn_predict_layers\":1",
     106851205120, 12802326528, 188416, 0, 0},
    {"Qwen3-Next 80B-A3B",
     "\"model_type\":\"qwen3_next\",\"hidden_size\":2048,\"num_hidden_layers\":48,"
     "\"num_attention_heads\":16,\"num_key_value_heads\":2,\"head_dim\":256,"
     "\"intermediate_size\":5120,\"moe_intermediate_size\":512,"
     "\"shared_expert_intermediate_size\":512,\"num_experts\":512,\"num_experts_per_tok\":10,"
     "\"vocab_size\":151936,\"full_attention_interval\":4,\"linear_num_key_heads\":16,"
     "\"linear_num_value_heads\":32,\"linear_key_head_dim\":128,\"linear_value_head_dim\":128,"
     "\"linear_conv_kernel_dim\":4",
     79672900000, 3562000000, 24576, 77266944, 0.00015},
    {"ERNIE 4.5 21B-A3B",
     "\"model_type\":\"ernie4_5_moe\",\"hidden_size\":2560,\"num_hidden_layers\":28,"
     "\"num_attention_heads\":20,\"num_key_value_heads\":4,\"head_dim\":128,"
     "\"intermediate_size\":12288,\"moe_intermediate_size\":1536,\"moe_num_experts\":64,\"moe_k\":6,"
     "\"moe_num_shared_experts\":2,\"moe_layer_start_index\":1,\"vocab_size\":103424,"
     "\"tie_word_embeddings\":true",
     21825290240, 3352002560, 57344, 0, 0},
    {"LFM2 8B-A1B",
     "\"model_type\":\"lfm2_moe\",\"hidden_size\":2048,\"num_hidden_layers\":24,"
     "\"num_attention_heads\":32,\"num_key_value_heads\":8,\"intermediate_size\":7168,"
     "\"moe_intermediate_size\":1792,\"num_experts\":32,\"num_experts_per_tok\":4,"
     "\"num_dense_layers\":2,\"vocab_size\":65536,\"tie_embedding\":true,\"conv_L_cache\":3,"
     "\"layer_types\":[\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"full_attention\","
     "\"conv\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"full_attention\",\"conv\","
     "\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\"]",
     8339718144, 1557528576, 12288, 147456, 0},
    {"Llama 4 Scout",
     "\"model_type\":\"llama4_text\",\"hidden_size\":5120,\"num_hidden_layers\":48,"
     "\"num_attention_heads\":40,\"num_key_value_heads\":8,\"head_dim\":128,"
     "\"intermediate_size\":8192,\"intermediate_size_mlp\":16384,\"num_local_experts\":16,"
     "\"num_experts_per_tok\":1,\"interleave_moe_layer_step\":1,\"attention_chunk_size\":8192,"
     "\"vocab_size\":202048",
     107769364480, 16137912320, 196608, 0, 0},
    {"Llama 4 Maverick",
     "\"model_type\":\"llama4_text\",\"hidden_size\":5120,\"num_hidden_layers\":48,"
     "\"num_attention_heads\":40,\"num_key_value_heads\":8,\"head_dim\":128,"
     "\"intermediate_size\":8192,\"intermediate_size_mlp\":16384,\"num_local_experts\":128,"
     "\"num_experts_per_tok\":1,\"interleave_moe_layer_step\":2,\"attention_chunk_size\":8192,"
     "\"vocab_size\":202048",
     400711400000, 16150000000, 196608, 0, 4e-05},
    {"Granite 4.0 H Small",
     "\"model_type\":\"granitemoehybrid\",\"hidden_size\":4096,\"num_hidden_layers\":40,"
     "\"num_attention_heads\":32,\"num_key_value_heads\":8,\"intermediate_size\":768,"
     "\"shared_intermediate_size\":1536,\"num_local_experts\":72,\"num_experts_per_tok\":10,"
     "\"mamba_n_heads\":128,\"mamba_d_head\":64,\"mamba_d_state\":128,\"mamba_n_groups\":1,"
     "\"mamba_d_conv\":4,\"mamba_expand\":2,\"vocab_size\":100352,\"tie_word_embeddings\":true,"
     "\"layer_types\":[\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"attention\",\"mamba\",\"mamba\","
     "\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"attention\",\"mamba\","
     "\"mamba\","
     "\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"attention\",\"mamba\","
     "\"mamba\","
     "\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"attention\",\"mamba\","
     "\"mamba\","
     "\"mamba\",\"mamba\"]",
     32205176832, 8800960512, 16384, 152819712, 0},
    {"Nemotron 3 Nano 30B-A3B",
     "\"model_type\":\"nemotron_h\",\"hidden_size\":2688,\"num_hidden_layers\":52,"
     "\"num_attention_heads\":32,\"num_key_value_heads\":2,\"head_dim\":128,"
     "\"intermediate_size\":1856,\"moe_intermediate_size\":1856,"
     "\"moe_shared_expert_intermediate_size\":3712,\"n_routed_experts\":128,\"n_shared_experts\":1,"
     "\"num_experts_per_tok\":6,\"vocab_size\":131072,"
     "\"hybrid_override_pattern\":\"MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME\","
     "\"mamba_num_heads\":64,\"mamba_head_dim\":64,\"n_groups\":8,\"ssm_state_size\":128,"
     "\"conv_kernel\":4",
     31576989696, 3226804224, 6144, 49082368, 0},
    {"Mamba2 2.7B",
     "\"model_type\":\"mamba2\",\"hidden_size\":2560,\"num_hidden_layers\":64,\"num_heads\":80,"
     "\"head_dim\":64,\"state_size\":128,\"n_groups\":1,\"conv_kernel\":4,\"expand\":2,"
     "\"vocab_size\":50288,\"tie_word_embeddings\":true",
     2700369920, 2700369920, 0, 169836544, 0},
    {"Jamba v0.1",
     "\"model_type\":\"jamba\",\"hidden_size\":4096,\"num_hidden_layers\":32,\"num_attention_heads\":32,"
     "\"num_key_value_heads\":8,\"intermediate_size\":14336,\"num_experts\":16,"
     "\"num_experts_per_tok\":2,\"vocab_size\":65536,\"mamba_d_state\":16,\"mamba_d_conv\":4,"
     "\"mamba_expand\":2,\"mamba_dt_rank\":256,\"attn_layer_period\":8,\"attn_layer_offset\":4,"
     "\"expert_layer_period\":2,\"expert_layer_offset\":1",
     51568400000, 11840000000, 16384, 16056320, 5e-05},
    {"Gemma 3n E4B",
     "\"model_type\":\"gemma3n_text\",\"hidden_size\":2048,\"num_hidden_layers\":35,"
     "\"num_attention_heads\":8,\"num_key_value_heads\":2,\"head_dim\":256,"
     "\"intermediate_size\":[16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,"
     "16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,"
     "16384,16384,16384,16384,16384,16384,16384,16384,16384,16384],\"vocab_size\":262400,"
     "\"vocab_size_per_layer_input\":262144,\"hidden_size_per_layer_input\":256,\"laurel_rank\":64,"
     "\"altup_num_inputs\":4,\"num_kv_shared_layers\":15,\"sliding_window\":512,"
     "\"layer_types\":[\"sliding_attention\",\"sliding_attention\",\"sliding_attention\","
     "\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\","
     "\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention\","
     "\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\","
     "\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\","
     "\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\","
     "\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\","
     "\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention\","
     "\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\"]",
     6866103024, 4517292784, 8192, 0, 0},
    {"Command R7B",
     "\"model_type\":\"cohere2\",\"hidden_size\":4096,\"num_hidden_layers\":32,"
     "\"num_attention_heads\":32,\"num_key_value_heads\":8,\"intermediate_size\":14336,"
     "\"vocab_size\":256000,\"tie_word_embeddings\":true,\"sliding_window\":4096,"
     "\"sliding_window_pattern\":4",
     8027897856, 8027897856, 32768, 0, 0},
    {"Whisper large v3",
     "\"model_type\":\"whisper\",\"d_model\":1280,\"encoder_layers\":32,\"decoder_layers\":32,"
     "\"num_hidden_layers\":32,\"encoder_attention_heads\":20,\"decoder_attention_heads\":20,"
     "\"encoder_ffn_dim\":5120,\"decoder_ffn_dim\":5120,\"num_mel_bins\":128,"
     "\"max_source_positions\":1500,\"max_target_positions\":448,\"vocab_size\":51866",
     1542000000, 800000000, 163840, 245760000, 0.002},
    {"EXAONE 4.0 32B",
     "\"model_type\":\"exaone4\",\"hidden_size\":5120,\"num_hidden_layers\":64,"
     "\"num_attention_heads\":40,\"num_key_value_heads\":8,\"intermediate_size\":27392,"
     "\"vocab_size\":102400,\"sliding_window\":4096,\"sliding_window_pattern\":\"LLLG\"",
     32003000000, 31479000000, 65536, 0, 0.001},
    {"StarCoder2 7B",
     "\"model_type\":\"starcoder2\",\"hidden_size\":4608,\"num_hidden_layers\":32,"
     "\"num_attention_heads\":36,\"num_key_value_heads\":4,\"intermediate_size\":18432,"
     "\"vocab_size\":49152,\"sliding_window\":4096,\"tie_word_embeddings\":true",
     7174000000, 7174000000, 65536, 0, 0.001},
    {"Falcon-H1 7B",
     "\"model_type\":\"falcon_h1\",\"hidden_size\":3072,\"num_hidden_layers\":44,"
     "\"num_attention_heads\":12,\"num_key_value_heads\":2,\"head_dim\":128,"
     "\"intermediate_size\":12288,\"mamba_d_ssm\":3072,\"mamba_n_heads\":24,\"mamba_d_head\":128,"
     "\"mamba_d_state\":256,\"mamba_n_groups\":1,\"mamba_d_conv\":4,\"vocab_size\":130049",
     7586000000, 7186000000, 45056, 139358208, 0.001},
    {"MiniMax M2",
     "\"model_type\":\"minimax_m2\",\"hidden_size\":3072,\"num_hidden_layers\":62,"
     "\"num_attention_heads\":48,\"num_key_value_heads\":8,\"head_dim\":128,"
     "\"intermediate_size\":1536,\"num_local_experts\":256,\"num_experts_per_tok\":8,"
     "\"shared_intermediate_size\":0,\"vocab_size\":200064",
     228700000000, 0, 253952, 0, 0.005},
    {"Hunyuan A13B",
     "\"model_type\":\"hunyuan_v1_moe\",\"hidden_size\":4096,\"num_hidden_layers\":32,"
     "\"num_attention_heads\":32,\"num_key_value_heads\":8,\"head_dim\":128,"
     "\"intermediate_size\":3072,\"moe_intermediate_size\":[3072,3072,3072,3072,3072,3072,3072,"
     "3072,3072,3072,3072,3072,3072,3072,3072,3072,3072,3072,3072,3072,3072,3072,3072,3072,"
     "3072,3072,3072,3072,3072,3072,3072,3072],\"num_experts\":64,\"moe_topk\":[8,8,8,8,8,8,8,8,8,"
     "8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8],\"num_shared_expert\":[1,1,1,1,1,1,1,1,1,1,"
     "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],\"vocab_size\":128167,"
     "\"tie_word_embeddings\":true",
     80390000000, 0, 131072, 0, 0.001},
    {"Gemma 2 9B",
     "\"model_type\":\"gemma2\",\"hidden_size\":3584,\"num_hidden_layers\":42,"
     "\"num_attention_heads\":16,\"num_key_value_heads\":8,\"head_dim\":256,"
     "\"intermediate_size\":14336,\"vocab_size\":256000",
     9241000000, 9241000000, 172032, 0, 0.001},
    {"Seed-OSS 36B",
     "\"model_type\":\"seed_oss\",\"hidden_size\":5120,\"num_hidden_layers\":64,"
     "\"num_attention_heads\":80,\"num_key_value_heads\":8,\"head_dim\":128,"
     "\"intermediate_size\":27648,\"vocab_size\":155136",
     36150000000, 35357000000, 262144, 0, 0.001},
    {0},
};

roof_graph *language_open(const char *text, roof_workload w)
{
    enum { OPEN = 8, BYTES = 4096 };
    static char texts[OPEN][BYTES]; /* which graphs point into */
    static int next;
    char *json = texts[next++ % OPEN];
    roof_graph *g = NULL;
    roof_error err = {0};
    snprintf(json, BYTES, "{%s}", text);
    if (graph_read_memory_as((const unsigned char *)json, strlen(json), "config.json", &w, &g, &err) ==
        ROOF_OK)
        return g;
    fprintf(stderr, "%.80s: %s\n", text, err.what);
    abort();
}
