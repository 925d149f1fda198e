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
