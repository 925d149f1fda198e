#include "tests/support/weights_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Sizes that blocks of 256 divide; names say what is peculiar. */
const ww_model ww_models[] = {
    {"tied", "llama", 4, 512, 8, 2, 64, 1024, 1000, .is_tied = true, .type = WW_Q4_K, .other_type = WW_Q6_K},
    {"headed", "llama", 3, 256, 4, 4, 64, 768, 500, .type = WW_Q8_0, .other_type = WW_Q8_0},
    {"fused", "phi3", 2, 256, 4, 2, 64, 512, 500, .is_fused = true, .type = WW_F16, .other_type = WW_F16},
    {"experts", "qwen3moe", 3, 256, 4, 2, 64, 512, 500, 8, 2, 256, .type = WW_Q4_0, .other_type = WW_Q4_0},
    {"latent", "deepseek2", 3, 256, 4, 1, 96, 512, 500, 4, 1, 256, .latent = 128, .rotated = 32,
     .type = WW_BF16, .other_type = WW_BF16},
    {"window", "gemma3", 12, 256, 4, 1, 64, 512, 500, .window = 64, .is_tied = true, .type = WW_F16,
     .other_type = WW_F16},
    {"further", "glm4moe", 3, 256, 4, 2, 64, 512, 500, 4, 2, 256, .further = 1, .type = WW_Q8_0,
     .other_type = WW_Q8_0},
    {"state", "qwen3next", 4, 256, 4, 2, 64, 512, 500, .state = 128, .type = WW_Q8_0, .other_type = WW_Q8_0},
    {"stranger", "never-heard-of", 2, 256, 4, 2, 64, 512, 500, .type = WW_F16, .other_type = WW_F16},
    {0},
};

/* ---- tensors ------------------------------------------------------------------------------------------- */

typedef struct tensor {
    const char *gguf, *hf; /* "%u" is the layer; hf NULL: it is not written there */
    uint32_t type;
    uint64_t dims[3];
    uint32_t n_dims;
    uint32_t layer;
} tensor;

typedef void (*visit)(void *context, const tensor *t);

static void give(visit f, void *context, uint32_t layer, const char *gguf, const char *hf, uint32_t type,
                 uint64_t a, uint64_t b, uint64_t c)
{
    f(context, &(tensor){gguf, hf, type, {a, b, c}, c ? 3 : b ? 2 : 1, layer});
}

static void visit_attention(const ww_model *m, uint32_t i, uint32_t other, visit f, void *x)
{
    const uint64_t d = m->hidden, q = (uint64_t)m->heads * m->head_dim,
                   kv = (uint64_t)m->kv_heads * m->head_dim;
    if (m->latent) {
        give(f, x, i, "blk.%u.attn_q.weight", "self_attn.q_proj", m->type, d, q, 0);
        give(f, x, i, "blk.%u.attn_kv_a_mqa.weight", "self_attn.kv_a_proj_with_mqa", m->type, d,
             m->latent + m->rotated, 0);
        give(f, x, i, "blk.%u.attn_kv_a_norm.weight", "self_attn.kv_a_layernorm", WW_F32, m->latent, 0, 0);
        give(f, x, i, "blk.%u.attn_k_b.weight", NULL, m->type, m->head_dim - m->rotated, m->latent, m->heads);
        give(f, x, i, "blk.%u.attn_v_b.weight", NULL, m->type, m->latent, m->head_dim - m->rotated, m->heads);
        give(f, x, i, "blk.%u.attn_output.weight", "self_attn.o_proj", m->type,
             (uint64_t)m->heads * (m->head_dim - m->rotated), d, 0);
        return;
    }
    if (m->is_fused) {
        give(f, x, i, "blk.%u.attn_qkv.weight", "self_attn.qkv_proj", m->type, d, q + 2 * kv, 0);
    } else {
        give(f, x, i, "blk.%u.attn_q.weight", "self_attn.q_proj", m->type, d, q, 0);
        give(f, x, i, "blk.%u.attn_k.weight", "self_attn.k_proj", m->type, d, kv, 0);
        give(f, x, i, "blk.%u.attn_v.weight", "self_attn.v_proj", other, d, kv, 0);
    }
    give(f, x, i, "blk.%u.attn_output.weight", "self_attn.o_proj", m->type, q, d, 0);
}

static void visit_network(const ww_model *m, uint32_t i, uint32_t other, visit f, void *x)
{
    const uint64_t d = m->hidden, e = m->experts, w = m->expert_inner;
    give(f, x, i, "blk.%u.ffn_norm.weight", "post_attention_layernorm", WW_F32, d, 0, 0);
    if (e) {
        give(f, x, i, "blk.%u.ffn_gate_inp.weight", "mlp.gate", WW_F32, d, e, 0);
        give(f, x, i, "blk.%u.ffn_gate_exps.weight", "mlp.experts.*.gate_proj", m->type, d, w, e);
        give(f, x, i, "blk.%u.ffn_up_exps.weight", "mlp.experts.*.up_proj", m->type, d, w, e);
        give(f, x, i, "blk.%u.ffn_down_exps.weight", "mlp.experts.*.down_proj", m->type, w, d, e);
        give(f, x, i, "blk.%u.ffn_up_shexp.weight", "mlp.shared_experts.up_proj", m->type, d, w, 0);
        return;
    }
    give(f, x, i, "blk.%u.ffn_gate.weight", "mlp.gate_proj", m->type, d, m->inner, 0);
    give(f, x, i, "blk.%u.ffn_up.weight", "mlp.up_proj", m->type, d, m->inner, 0);
    give(f, x, i, "blk.%u.ffn_down.weight", "mlp.down_proj", other, m->inner, d, 0);
}

static void visit_layers(const ww_model *m, visit f, void *x)
{
    for (uint32_t i = 0; i < m->layers + m->further; i++) {
        const uint32_t other = i % 2 ? m->type : m->other_type;
        give(f, x, i, "blk.%u.attn_norm.weight", "input_layernorm", WW_F32, m->hidden, 0, 0);
        if (m->state && i % 2) {
            give(f, x, i, "blk.%u.attn_qkv.weight", "linear_attn.in_proj_qkv", m->type, m->hidden,
                 4 * m->state, 0);
            give(f, x, i, "blk.%u.ssm_a", "linear_attn.A_log", WW_F32, 4, 0, 0);
            give(f, x, i, "blk.%u.ssm_out.weight", "linear_attn.out_proj", m->type, 2 * m->state, m->hidden,
                 0);
        } else {
            visit_attention(m, i, other, f, x);
        }
        visit_network(m, i, other, f, x);
        if (i >= m->layers)
            give(f, x, i, "blk.%u.nextn.eh_proj.weight", "eh_proj", m->type, 2 * (uint64_t)m->hidden,
                 m->hidden, 0);
    }
}

static void visit_all(const ww_model *m, const ww_gguf *how, visit f, void *x)
{
    if (!how->has_layers_alone) {
        give(f, x, 0, "token_embd.weight", "embed_tokens", m->is_tied ? m->other_type : m->type, m->hidden,
             m->vocab, 0);
        give(f, x, 0, "output_norm.weight", "norm", WW_F32, m->hidden, 0, 0);
        if (!m->is_tied)
            give(f, x, 0, "output.weight", "lm_head", m->other_type, m->hidden, m->vocab, 0);
    }
    if (!how->has_no_layers)
        visit_layers(m, f, x);
}

/* ---- GGUF ---------------------------------------------------------------------------------------------- */

typedef struct gguf_writer {
    const ww_model *model;
    const ww_gguf *how;
    textbuf *out;
    uint64_t n_tensors, n_keys, data_bytes;
} gguf_writer;

static void put(gguf_writer *w, uint64_t value, uint32_t n)
{
    char bytes[8];
    for (uint32_t i = 0; i < n; i++)
        bytes[w->how->is_big ? n - 1 - i : i] = (char)(value >> 8 * i);
    text_add(w->out, bytes, n);
}

static void put_count(gguf_writer *w, uint64_t value)
{
    put(w, value, w->how->version == 1 ? 4 : 8);
}

static void put_text(gguf_writer *w, const char *text)
{
    put_count(w, strlen(text));
    text_puts(w->out, text);
}

enum { TYPE_U32 = 4, TYPE_STRING = 8, TYPE_ARRAY = 9 };

static void put_key(gguf_writer *w, const char *key, uint32_t type)
{
    put_text(w, key);
    put(w, type, 4);
    w->n_keys++;
}

static void put_number(gguf_writer *w, const char *key, uint64_t value)
{
    char name[128];
    snprintf(name, sizeof name, strchr(key, '@') ? "%s.%s" : "%.0s%s", w->model->architecture,
             key + (*key == '@'));
    put_key(w, name, TYPE_U32);
    put(w, value, 4);
}

static void put_odd_keys(gguf_writer *w)
{
    const ww_gguf *how = w->how;
    if (how->is_key_twice)
        put_number(w, "@block_count", w->model->layers);
    if (how->key_bytes) {
        put_count(w, how->key_bytes);
        for (uint64_t i = 0; i < how->key_bytes; i++)
            text_add(w->out, "k", 1);
        put(w, TYPE_U32, 4);
        put(w, 0, 4);
        w->n_keys++;
    }
    if (!how->nested)
        return;
    put_key(w, "nested", TYPE_ARRAY);
    for (uint32_t i = 1; i < how->nested; i++) {
        put(w, TYPE_ARRAY, 4);
        put_count(w, 1);
    }
    put(w, TYPE_U32, 4);
    put_count(w, 0);
}

static void put_keys(gguf_writer *w)
{
    const ww_model *m = w->model;
    const struct {
        const char *key;
        uint32_t value; /* 0: not said */
    } numbers[] = {{"@block_count", m->layers + m->further},
                   {"@context_length", 4096},
                   {"@embedding_length", m->hidden},
                   {"@attention.head_count", m->heads},
                   {"@attention.key_length", m->latent ? 0 : m->head_dim},
                   {"@attention.kv_lora_rank", m->latent},
                   {"@rope.dimension_count", m->rotated},
                   {"@attention.sliding_window", m->window},
                   {"@expert_count", m->experts},
                   {"@expert_used_count", m->used},
                   {"@nextn_predict_layers", m->further},
                   {"@ssm.inner_size", 2 * m->state},
                   {"@ssm.state_size", m->state},
                   {"@ssm.group_count", m->state ? 2 : 0},
                   {"@ssm.conv_kernel", m->state ? 4 : 0},
                   {"general.alignment", w->how->alignment},
                   {"split.count", w->how->split_count}};
    put_key(w, "general.architecture", TYPE_STRING);
    put_text(w, m->architecture);
    put_key(w, "general.name", TYPE_STRING);
    put_text(w, m->name);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].value)
            put_number(w, numbers[i].key, numbers[i].value);
    if (w->how->split_count)
        put_number(w, "split.no", w->how->split_no);
    if (w->how->n_kv_heads) {
        char name[128];
        snprintf(name, sizeof name, "%s.attention.head_count_kv", m->architecture);
        put_key(w, name, TYPE_ARRAY);
        put(w, TYPE_U32, 4);
        put_count(w, w->how->n_kv_heads);
        for (uint32_t i = 0; i < w->how->n_kv_heads; i++)
            put(w, m->kv_heads, 4);
    } else {
        put_number(w, "@attention.head_count_kv", m->kv_heads);
    }
    put_key(w, "tokenizer.ggml.tokens", TYPE_ARRAY);
    put(w, TYPE_STRING, 4);
    put_count(w, 3);
    put_text(w, "a");
    put_text(w, "");
    put_text(w, "bc");
    put_odd_keys(w);
}

/* As ggml has it; written a second time, for a test that reads the other one. */
static uint64_t bytes_of(uint32_t type, uint64_t elements)
{
    switch (type) {
    case WW_F32:
        return elements * 4;
    case WW_Q4_0:
        return elements / 32 * 18;
    case WW_Q8_0:
        return elements / 32 * 34;
    case WW_Q4_K:
        return elements / 256 * 144;
    case WW_Q6_K:
        return elements / 256 * 210;
    default:
        return elements * 2;
    }
}

static void put_tensor(void *context, const tensor *t)
{
    gguf_writer *w = context;
    const ww_gguf *how = w->how;
    const bool is_it = ++w->n_tensors == how->at;
    const uint32_t n_dims = is_it && how->n_dims ? how->n_dims - 1 : t->n_dims;
    const uint64_t a = how->alignment ? how->alignment : 32;
    char name[128];
    uint64_t elements = 1;
    snprintf(name, sizeof name, t->gguf, t->layer); /* NOLINT(clang-diagnostic-format-nonliteral): ours */
    put_text(w, name);
    put(w, n_dims, 4);
    for (uint32_t i = 0; i < n_dims; i++) {
        const uint64_t n = (i < 3 && t->dims[i] ? t->dims[i] : 1) + (is_it && !i ? (uint64_t)how->row : 0);
        put_count(w, n);
        elements *= n;
    }
    put(w, is_it && how->type ? how->type - 1 : t->type, 4);
    put(w, w->data_bytes + (is_it ? (uint64_t)how->offset : 0), 8);
    w->data_bytes += (bytes_of(t->type, elements) + a - 1) / a * a;
    if (is_it && how->is_tensor_twice) {
        w->n_tensors = UINT32_MAX;
        put_tensor(context, t);
    }
}

static void count_tensor(void *context, const tensor *t)
{
    (void)t;
    ++*(uint64_t *)context;
}

void ww_write_gguf(const ww_model *m, const ww_gguf *how, textbuf *out)
{
    const uint64_t a = how->alignment ? how->alignment : 32;
    textbuf keys;
    uint64_t n = 0;
    text_init(&keys, TEXT_MAX_BYTES);
    gguf_writer w = {.model = m, .how = how, .out = &keys};
    put_keys(&w);
    visit_all(m, how, count_tensor, &n);
    w.out = out;
    text_puts(out, "GGUF");
    put(&w, how->version ? how->version : 3, 4);
    put_count(&w, how->n_tensors ? how->n_tensors : n + how->is_tensor_twice);
    put_count(&w, how->n_keys ? how->n_keys : w.n_keys);
    text_add(out, keys.bytes, keys.length);
    text_free(&keys);
    visit_all(m, how, put_tensor, &w);
    for (uint64_t i = 0; how->has_data && i < w.data_bytes + (a - out->length % a) % a; i++)
        text_add(out, "", 1);
}

/* ---- safetensors --------------------------------------------------------------------------------------- */

void ww_write_config(const ww_model *m, textbuf *out)
{
    text_printf(out,
                "{\"model_type\": \"%s\", \"hidden_size\": %u, \"num_hidden_layers\": %u, "
                "\"num_attention_heads\": %u, "
                "\"num_key_value_heads\": %u, \"head_dim\": %u, \"vocab_size\": %u",
                m->architecture, m->hidden, m->layers, m->heads, m->kv_heads, m->head_dim, m->vocab);
    if (m->experts)
        text_printf(out, ", \"n_routed_experts\": %u, \"num_experts_per_tok\": %u", m->experts, m->used);
    if (m->window)
        text_printf(out, ", \"sliding_window\": %u", m->window);
    if (m->latent)
        text_printf(out, ", \"kv_lora_rank\": %u, \"qk_rope_head_dim\": %u", m->latent, m->rotated);
    text_puts(out, "}\n");
}

typedef struct json_writer {
    const ww_safetensors *how;
    textbuf out;
    uint64_t at;
    uint32_t n;
} json_writer;

static void put_json(json_writer *w, const char *name, const tensor *t, uint32_t n_dims)
{
    const ww_safetensors *how = w->how;
    const bool is_it = ++w->n == how->at, is_vector = t->type == WW_F32;
    const char *dtype = is_it && how->of ? how->of : is_vector ? "F32" : how->dtype ? how->dtype : "BF16";
    uint64_t elements = 1;
    text_printf(&w->out, "%s\"%s\": {\"dtype\": \"%s\", \"shape\": [", w->n > 1 ? ", " : "", name, dtype);
    for (uint32_t i = n_dims; i-- > 0; elements *= t->dims[i])
        text_printf(&w->out, "%" PRIu64 "%s", t->dims[i], i ? ", " : "");
    const uint64_t to = w->at + elements * (is_vector ? 4 : dtype[0] == 'U' || dtype[0] == 'I' ? 1 : 2);
    text_printf(&w->out, "], \"data_offsets\": [%" PRIu64 ", %" PRIu64 "]}",
                w->at + (is_it ? (uint64_t)how->from : 0), to + (is_it ? (uint64_t)how->to : 0));
    w->at = to;
}

static void put_member(void *context, const tensor *t)
{
    json_writer *w = context;
    char name[160];
    const char *star = t->hf ? strchr(t->hf, '*') : NULL;
    const bool is_in_layer = strstr(t->gguf, "%u");
    const uint64_t n = star ? t->dims[2] : 1;
    for (uint64_t i = 0; t->hf && i < n; i++) {
        int k = is_in_layer
                    ? snprintf(name, sizeof name, "model.layers.%u.", t->layer)
                    : snprintf(name, sizeof name, "%s", strcmp(t->hf, "lm_head") == 0 ? "" : "model.");
        k += star ? snprintf(name + k, sizeof name - (size_t)k, "%.*s%" PRIu64 "%s", (int)(star - t->hf),
                             t->hf, i, star + 1)
                  : snprintf(name + k, sizeof name - (size_t)k, "%s", t->hf);
        snprintf(name + k, sizeof name - (size_t)k, "%s", strstr(t->hf, "A_log") ? "" : ".weight");
        put_json(w, name, t, star ? 2 : t->n_dims);
    }
}

void ww_write_safetensors(const ww_model *m, const ww_safetensors *how, textbuf *out)
{
    json_writer w = {.how = how};
    text_init(&w.out, TEXT_MAX_BYTES);
    text_puts(&w.out, "{");
    visit_all(m, &(ww_gguf){0}, put_member, &w);
    text_printf(&w.out, "%s}", how->behind ? how->behind : "");
    const uint64_t length = how->length ? how->length : w.out.length;
    for (int i = 0; i < 8; i++)
        text_add(out, &(char){(char)(length >> 8 * i)}, 1);
    text_add(out, w.out.bytes, w.out.length);
    text_free(&w.out);
}
