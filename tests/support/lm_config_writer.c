#include "tests/support/lm_config_writer.h"

/* Shapes: the models' config.json at huggingface.co; parameters: the sizes of their safetensors there. */
const lmw_model lmw_models[] = {
    {"Llama-3.2-1B", "llama", 2048, 8192, 16, 32, 8, 128256, 131072, .head_dim = 64, .is_tied = true,
     .parameters = 1235814400},
    {"Qwen2-0.5B", "qwen2", 896, 4864, 24, 14, 2, 151936, 131072, .is_tied = true, .parameters = 494032768},
    {"SmolLM-135M", "llama", 576, 1536, 30, 9, 3, 49152, 2048, .is_tied = true, .parameters = 134515008},
    {"Phi-3-mini-4k", "phi3", 3072, 8192, 32, 32, 32, 32064, 4096, .window = 2047, .parameters = 3821079552},
    {"Mistral-7B-v0.1", "mistral", 4096, 14336, 32, 32, 8, 32000, 32768, .window = 4096,
     .parameters = 7241732096},
    {"Qwen3-0.6B", "qwen3", 1024, 3072, 28, 16, 8, 151936, 40960, .head_dim = 128, .is_tied = true,
     .parameters = 596049920},
    {0},
};

static void put_optional(textbuf *text, const char *key, uint32_t value)
{
    if (value)
        text_printf(text, "  \"%s\": %u,\n", key, value);
}

void lmw_write(const lmw_model *m, textbuf *text)
{
    text_printf(text, "{\n  \"_name_or_path\": \"own/%s\",\n", m->name);
    text_puts(text, "  \"architectures\": [\"CausalLM\"],\n  \"attention_bias\": false,\n");
    put_optional(text, "head_dim", m->head_dim);
    text_printf(text,
                "  \"hidden_size\": %u,\n  \"intermediate_size\": %u,\n  \"max_position_embeddings\": %u,\n"
                "  \"model_type\": \"%s\",\n  \"num_attention_heads\": %u,\n  \"num_hidden_layers\": %u,\n"
                "  \"num_key_value_heads\": %u,\n",
                m->hidden, m->inner, m->positions, m->family, m->heads, m->layers, m->kv_heads);
    if (m->quantization)
        text_printf(text, "  \"quantization_config\": %s,\n", m->quantization);
    text_puts(text, "  \"rope_scaling\": {\"factor\": 32.0, \"rope_type\": \"llama3\"},\n");
    put_optional(text, "sliding_window", m->window);
    text_printf(text,
                "  \"tie_word_embeddings\": %s,\n  \"torch_dtype\": \"bfloat16\",\n  \"vocab_size\": %u\n}\n",
                m->is_tied ? "true" : "false", m->vocab);
}
