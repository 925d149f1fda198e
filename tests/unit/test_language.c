/* What a language model reads, holds and computes: exact counts against published sizes and against a count
 * by hand, forms of weights, and what rows and counts have in common. */
#include "roofline/language.h"
#include "roofline/prediction.h"
#include "tests/support/language_models.h"
#include "tests/unit/fixture.h"
#include "model/graph/format.h"
#include "model/work/language_matrices.h"

#include <string.h>

static roof_language_counts count(const roof_graph *g, roof_language_point p)
{
    roof_language_counts c;
    roof_error err = {0};
    if (roof_language_count(roof_language_of(g), &p, &c, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return c;
}

static roof_language_point step_at(uint32_t tokens, uint32_t batch, const char *weights)
{
    roof_language_point p = {.phase = ROOF_TEXT_DECODE, .tokens = tokens, .batch = batch};
    assert_int_equal(roof_weight_format_parse(weights, &p.weights, NULL), ROOF_OK);
    assert_int_equal(roof_weight_format_parse("bf16", &p.cache, NULL), ROOF_OK);
    return p;
}

static void parameters_are_within_a_thousandth_of_those_published(void **state)
{
    (void)state;
    for (size_t i = 0; language_texts[i].name; i++) {
        roof_graph *g = language_open(language_texts[i].text, (roof_workload){0});
        const roof_language_counts c = count(g, step_at(1, 1, "bf16"));
        const double ratio = (double)c.parameters / language_texts[i].parameters_g / 1e9;
        if (!isnan(ratio) && !(fabs(ratio - 1) < 1.1e-3))
            fail_msg("%s: %.4f G, published %.4f", language_texts[i].name, (double)c.parameters / 1e9,
                     language_texts[i].parameters_g);
        assert_int_equal(c.kv_bytes_per_token, language_texts[i].kv_bytes_per_token);
        roof_graph_free(g);
    }
}

static bool is_near(uint64_t is, uint64_t wanted, double tolerance)
{
    return !wanted || fabs((double)is - (double)wanted) <= tolerance * (double)wanted;
}

static void every_kind_of_decoder_has_its_published_counts(void **state)
{
    (void)state;
    for (const language_counted *m = language_counted_models; m->name; m++) {
        roof_graph *g = language_open(m->text, (roof_workload){0});
        const roof_language_counts c = count(g, step_at(1, 1, "bf16"));
        if (!is_near(c.parameters, m->parameters, m->tolerance) ||
            !is_near(c.weight_bytes / 2, m->read, m->tolerance) ||
            c.kv_bytes_per_token != m->kv_bytes_per_token || c.state_bytes != m->state_bytes)
            fail_msg("%s: %llu parameters, %llu read, %llu B a token, %llu B of state", m->name,
                     (unsigned long long)c.parameters, (unsigned long long)c.weight_bytes / 2,
                     (unsigned long long)c.kv_bytes_per_token, (unsigned long long)c.state_bytes);
        roof_graph_free(g);
    }
}

static bool is_assumed(const char *text)
{
    roof_graph *g = language_open(text, (roof_workload){0});
    roof_program *program = NULL;
    bool is_said = false;
    assert_int_equal(roof_program_of(g, &program, NULL), ROOF_OK);
    for (uint32_t i = 0; i < program->findings[ROOF_ABOUT_ROWS].n; i++)
        is_said = is_said || program->findings[ROOF_ABOUT_ROWS].items[i].kind == ROOF_FINDING_ASSUMED_FAMILY;
    roof_program_free(program);
    roof_graph_free(g);
    return is_said;
}

/* The same keys under a name that nobody knows; what they say of the layers is all that is needed. */
static void an_unknown_decoder_is_read_by_its_keys(void **state)
{
    static const char keys[] = "\"hidden_size\":4096,\"num_hidden_layers\":32,\"num_attention_heads\":32,"
                               "\"num_key_value_heads\":8,\"intermediate_size\":14336,\"vocab_size\":128256";
    char known[512], unknown[512];
    (void)state;
    snprintf(known, sizeof known, "\"model_type\":\"llama\",%s", keys);
    snprintf(unknown, sizeof unknown, "\"model_type\":\"acme\",%s", keys);
    roof_graph *a = language_open(known, (roof_workload){0}), *b = language_open(unknown, (roof_workload){0});
    const roof_language_counts x = count(a, step_at(100, 1, "bf16")), y = count(b, step_at(100, 1, "bf16"));
    assert_int_equal(x.parameters, 8029995008);
    assert_memory_equal(&x, &y, sizeof x);
    assert_true(is_assumed(unknown));
    roof_graph_free(a);
    roof_graph_free(b);
}

#define SMALL_DECODER                                                                                        \
    "\"hidden_size\":64,\"num_hidden_layers\":2,\"num_attention_heads\":4,\"num_key_value_heads\":2,"        \
    "\"head_dim\":16,\"intermediate_size\":128,\"vocab_size\":100"

static void whatever_mixer_an_unknown_decoder_has_it_is_said_that_it_is_assumed(void **state)
{
    static const char *const texts[] = {
        "\"model_type\":\"acme\"," SMALL_DECODER,
        "\"model_type\":\"acme\"," SMALL_DECODER
        ",\"kv_lora_rank\":32,\"qk_nope_head_dim\":16,\"qk_rope_head_dim\":8,\"v_head_dim\":16",
        "\"model_type\":\"acme\"," SMALL_DECODER
        ",\"linear_num_key_heads\":2,\"linear_num_value_heads\":4,\"linear_key_head_dim\":16,"
        "\"linear_value_head_dim\":16,\"linear_conv_kernel_dim\":4,\"full_attention_interval\":2",
        "\"model_type\":\"acme\"," SMALL_DECODER
        ",\"conv_L_cache\":3,\"layer_types\":[\"conv\",\"full_attention\"]",
    };
    (void)state;
    assert_false(is_assumed("\"model_type\":\"llama\"," SMALL_DECODER));
    for (size_t i = 0; i < COUNT(texts); i++)
        if (!is_assumed(texts[i]))
            fail_msg("not said: %s", texts[i]);
}

/* Of one kind of layers, too. */
static void what_a_quantised_file_leaves_is_named(void **state)
{
    roof_graph *g =
        language_open("\"model_type\":\"llama\"," SMALL_DECODER
                      ",\"quantization_config\":{\"quant_method\":\"fp8\",\"weight_block_size\":[128,128],"
                      "\"modules_to_not_convert\":[\"q_proj\"]}",
                      (roof_workload){0});
    roof_program *program = NULL;
    bool is_said = false;
    (void)state;
    assert_int_equal(roof_program_of(g, &program, NULL), ROOF_OK);
    for (uint32_t i = 0; i < program->findings[ROOF_ABOUT_ROWS].n; i++) {
        const roof_finding *f = &program->findings[ROOF_ABOUT_ROWS].items[i];
        is_said =
            is_said || (f->kind == ROOF_FINDING_QUANTISED && strstr(f->remark.operands[1].text, "queries"));
    }
    assert_true(is_said);
    roof_program_free(program);
    roof_graph_free(g);
}

/* d = 80: a Mamba of the first version without a rank has one of d / 16, rounded up: 5; of 88 it is 6. */
static void a_state_space_without_a_rank_has_a_sixteenth_of_the_width(void **state)
{
    (void)state;
    for (uint32_t hidden = 80; hidden <= 88; hidden += 8) {
        char text[256];
        snprintf(text, sizeof text,
                 "\"model_type\":\"mamba\",\"hidden_size\":%u,\"num_hidden_layers\":1,\"vocab_size\":100,"
                 "\"state_size\":16,\"conv_kernel\":4,\"intermediate_size\":160",
                 hidden);
        roof_graph *g = language_open(text, (roof_workload){0});
        assert_int_equal(roof_language_of(g)->mamba.rank, hidden == 80 ? 5 : 6);
        roof_graph_free(g);
    }
}

/* The last norm, and those of two layers of 64: two of them, of Cohere's one; and where the heads of queries
 * and keys have norms, 16 each. */
static void norms_are_those_of_the_family(void **state)
{
    static const struct {
        const char *name;
        uint64_t vectors;
    } rows[] = {{"llama", 64 + 2 * 2 * 64},  {"granite", 64 + 2 * 2 * 64},
                {"gemma", 64 + 2 * 2 * 64},  {"smollm3", 64 + 2 * 2 * 64},
                {"cohere", 64 + 2 * 1 * 64}, {"qwen3", 64 + 2 * (2 * 64 + 2 * 16)}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512];
        snprintf(text, sizeof text, "\"model_type\":\"%s\"," SMALL_DECODER, rows[i].name);
        roof_graph *g = language_open(text, (roof_workload){0});
        if (roof_language_of(g)->vectors != rows[i].vectors)
            fail_msg("%s: %llu elements of norms, want %llu", rows[i].name,
                     (unsigned long long)roof_language_of(g)->vectors, (unsigned long long)rows[i].vectors);
        roof_graph_free(g);
    }
}

/* DeepSeek V3: of each cached position 576 elements; a step multiplies 128 heads with 2 x 512 + 64 of them, a
 * prompt with keys of 192 and values of 128. */
static void latent_attention_is_absorbed_in_a_step_and_expanded_in_a_prompt(void **state)
{
    (void)state;
    roof_graph *g = language_open(language_counted_models[0].text, (roof_workload){0});
    roof_language_point p = step_at(1000, 1, "bf16");
    roof_language_counts c = count(g, p);
    assert_int_equal(c.kv_bytes, 61 * 1000 * 576 * 2);
    assert_int_equal(c.attention_macs, 61ull * 1000 * 128 * (2 * 512 + 64));
    p.phase = ROOF_TEXT_PREFILL;
    c = count(g, p);
    assert_int_equal(c.attention_macs, 61ull * (1000 * 1001 / 2) * 128 * (192 + 128));
    roof_graph_free(g);
}

/* Bytes that llama-bench reports of files of llama.cpp, norms and Llama 3's factors too. */
static void files_of_llama_cpp_take_their_bytes(void **state)
{
#define LLAMA(d, f, l, h, kv, v, more)                                                                       \
    "\"model_type\":\"llama\",\"hidden_size\":" d ",\"intermediate_size\":" f ",\"num_hidden_layers\":" l    \
    ",\"num_attention_heads\":" h ",\"num_key_value_heads\":" kv ",\"vocab_size\":" v more
#define FACTORS ",\"rope_scaling\":{\"rope_type\":\"llama3\"}"
    static const struct {
        const char *text, *type;
        uint64_t file, read;
    } files[] = {
        {LLAMA("4096", "11008", "32", "32", "32", "32000", ""), "q4_0", 3825065984, 0},
        {LLAMA("4096", "11008", "32", "32", "32", "32000", ""), "q4_k_m", 4080263168, 0},
        {LLAMA("4096", "14336", "32", "32", "8", "128256", FACTORS), "Q4_K_M", 4912898304, 4616331264},
        {LLAMA("8192", "28672", "80", "64", "8", "128256", FACTORS), "q4_k_m", 42512531712, 0},
        {"\"model_type\":\"qwen3\",\"hidden_size\":5120,\"intermediate_size\":25600,\"num_hidden_layers\":64,"
         "\"num_attention_heads\":64,\"num_key_value_heads\":8,\"head_dim\":128,\"vocab_size\":151936",
         "q8_0", 34811744256, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        const roof_workload w = {
            .phase = ROOF_TEXT_DECODE, .context_tokens = 64, .weight_type = files[i].type, .asks_text = true};
        roof_graph *g = language_open(files[i].text, w);
        const roof_language_counts c = count(g, step_at(64, 1, files[i].type));
        if (c.file_bytes != files[i].file || (files[i].read && c.weight_bytes != files[i].read))
            fail_msg("%zu %s: %llu bytes, %llu read", i, files[i].type, (unsigned long long)c.file_bytes,
                     (unsigned long long)c.weight_bytes);
        roof_graph_free(g);
    }
}

/* An eighth at each end, and each third between them: use_more_bits of llama.cpp. */
static void layers_with_more_bits_are_those_of_llama_cpp(void **state)
{
    static const uint32_t of_32[] = {0, 1, 2, 3, 6, 9, 12, 15, 18, 21, 24, 27, 28, 29, 30, 31};
    roof_weight_format f;
    uint32_t n = 0;
    (void)state;
    assert_int_equal(roof_weight_format_parse("q4_k_m", &f, NULL), ROOF_OK);
    for (uint32_t i = 0; i < 32; i++)
        if (language_has_more(&f, true, i, 32))
            assert_int_equal(i, of_32[n++]);
    assert_int_equal(n, COUNT(of_32));
}

/* Of Llama 3.1 8B, 6,979,321,856 weights in layers and 525,336,576 in the head: what each scheme reads. */
static void quantised_files_say_what_they_are(void **state)
{
    static const uint64_t body = 6979321856, head = 525336576, values = 32ull * 4096 * 1024;
    static const char text[] = LLAMA("4096", "14336", "32", "32", "8", "128256", "");
    const struct {
        const char *quantization;
        uint64_t read;
    } files[] = {
        {"\"quantization_config\":{\"quant_method\":\"awq\",\"bits\":4,\"group_size\":128,\"zero_point\":"
         "true}",
         body / 2 + body / 128 * 20 / 8 + 2 * head},
        {"\"quantization_config\":{\"quant_method\":\"gptq\",\"bits\":4,\"group_size\":128,\"sym\":true}",
         body / 2 + body / 128 * 20 / 8 + 2 * head},
        {"\"quantization\":{\"bits\":4,\"group_size\":64}", (body + head) / 64 * 36},
        {"\"quantization_config\":{\"quant_method\":\"fp8\",\"weight_block_size\":[128,128]}",
         body + body / 16384 * 4 + 2 * head},
        {"\"quantization_config\":{\"quant_method\":\"bitsandbytes\",\"load_in_4bit\":true}",
         body / 64 * 36 + 2 * head},
        {"\"quantization_config\":{\"quant_method\":\"compressed-tensors\",\"ignore\":[\"lm_head\"],"
         "\"config_groups\":{\"group_0\":{\"targets\":[\"Linear\"],\"weights\":{\"num_bits\":4,\"type\":"
         "\"int\","
         "\"strategy\":\"group\",\"group_size\":128,\"symmetric\":true}}}}",
         body / 2 + body / 128 * 2 + 2 * head},
        {"\"quantization_config\":{\"quant_method\":\"fp8\",\"weight_block_size\":[128,128],"
         "\"modules_to_not_convert\":[\"v_proj\"]}",
         body - values + (body - values) / 16384 * 4 + 2 * (head + values)},
        {"\"quantization_config\":{\"quant_method\":\"compressed-tensors\",\"ignore\":[\"lm_head\","
         "\"re:.*self_attn.v_proj$\"],\"config_groups\":{\"group_0\":{\"weights\":{\"num_bits\":8,"
         "\"type\":\"float\",\"strategy\":\"block\"}}}}",
         body - values + 2 * (head + values) + 32ull * 2 * (2 * 4096 + 1024 + 2 * 14336 + 4096)},
        {"\"quantization_config\":{\"quant_method\":\"fp8\",\"weight_block_size\":[128,128],"
         "\"modules_to_not_convert\":[\"model.layers.7.self_attn.v_proj\"]}",
         body - values / 32 + (body - values / 32) / 16384 * 4 + 2 * (head + values / 32)},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        char all[1024];
        snprintf(all, sizeof all, "%s,%s", text, files[i].quantization);
        const roof_workload w = {.phase = ROOF_TEXT_DECODE, .context_tokens = 64, .asks_text = true};
        roof_graph *g = language_open(all, w);
        const roof_language_counts c = count(g, *g->storage->language_point);
        uint64_t rows = 0;
        roof_program *program = NULL;
        assert_int_equal(roof_program_of(g, &program, NULL), ROOF_OK);
        for (uint32_t r = 0; r < program->n_rows; r++)
            rows += program->rows[r].work.traffic.weights_bytes * program->rows[r].repeat;
        if (c.weight_bytes != files[i].read || rows != files[i].read)
            fail_msg("%s: reads %llu, rows %llu, want %llu", files[i].quantization,
                     (unsigned long long)c.weight_bytes, (unsigned long long)rows,
                     (unsigned long long)files[i].read);
        roof_program_free(program);
        roof_graph_free(g);
    }
}

/* Of Llama 3.2 3B: 28 layers of 3072 x 3072 x 2 + 2 x 3072 x 1024 + 3 x 3072 x 8192, and the table. */
static void a_step_reads_every_weight_once_whatever_the_batch(void **state)
{
    const uint64_t layer = 3072ull * 3072 * 2 + 2 * 3072 * 1024 + 3ull * 3072 * 8192,
                   table = 128256ull * 3072;
    (void)state;
    roof_graph *g = language_open(language_texts[0].text, (roof_workload){0});
    for (uint32_t batch = 1; batch <= 8; batch += 7) {
        const roof_language_counts c = count(g, step_at(1000, batch, "q4_1"));
        assert_int_equal(c.weight_bytes, (28 * layer + table) * 20 / 32);
        assert_int_equal(c.kv_bytes, batch * 1000ull * 114688);
        assert_int_equal(c.cache_bytes, c.kv_bytes);
        assert_int_equal(c.resident_weight_bytes, (28 * layer + table) * 20 / 32 + table * 2);
        assert_int_equal(c.state_bytes, 0);
    }
    roof_graph_free(g);
}

/* Gemma 3 4B: layers 6, 12, 18, 24 and 30 of 34 see all, the others 1024 tokens. */
static void a_window_ends_what_is_read_and_held(void **state)
{
    const uint64_t token = 2 * 4 * 256 * 2;
    (void)state;
    roof_graph *g = language_open(language_texts[4].text, (roof_workload){0});
    assert_int_equal(roof_language_of(g)->n_kinds, 2);
    assert_int_equal(count(g, step_at(1000, 1, "bf16")).kv_bytes, 34 * 1000 * token);
    assert_int_equal(count(g, step_at(10000, 1, "bf16")).kv_bytes, (5 * 10000 + 29 * 1024) * token);
    roof_graph_free(g);
}

/* gpt-oss: of 32 experts a token goes through 4; all are held. */
static void of_experts_a_step_reads_those_of_one_token(void **state)
{
    const uint64_t expert = 3ull * 2880 * 2880, mixer = 2880ull * 64 * 64 * 2 + 2 * 2880 * 512,
                   router = 2880 * 32, table = 201088ull * 2880;
    (void)state;
    roof_graph *g = language_open(language_texts[5].text, (roof_workload){0});
    const roof_language_counts c = count(g, step_at(1, 4, "bf16"));
    assert_int_equal(c.weight_bytes, 2 * (24 * (mixer + 4 * expert + router) + table));
    assert_int_equal(c.resident_weight_bytes, 2 * (24 * (mixer + 32 * expert + router) + table) + 2 * table);
    assert_int_equal(c.expert_weights, 24 * 32 * expert);
    roof_graph_free(g);
}

/* A layer without a cache of its own projects no keys and values, but reads those of another one; each layer
 * has an input of its own; only layers with a cache hold one. */
static void shared_caches_are_read_but_not_held(void **state)
{
    static const char text[] =
        "\"model_type\":\"gemma4_text\",\"hidden_size\":64,\"num_hidden_layers\":4,\"num_attention_heads\":4,"
        "\"num_key_value_heads\":2,\"head_dim\":16,\"global_head_dim\":32,\"intermediate_size\":128,"
        "\"vocab_size\":100,\"tie_word_embeddings\":true,\"sliding_window\":8,\"num_kv_shared_layers\":2,"
        "\"use_double_wide_mlp\":true,\"hidden_size_per_layer_input\":4,"
        "\"layer_types\":[\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"full_attention\"]";
    (void)state;
    roof_graph *g = language_open(text, (roof_workload){0});
    const roof_language_counts c = count(g, step_at(20, 1, "bf16"));
    const uint64_t sliding = 64 * 64 * 2, full = 64 * 128 * 2, keys = 2 * 64 * 32, keys_full = 2 * 64 * 64,
                   network = 3 * 64 * 128, inputs = 3 * 64 * 4 * 4, table = 100 * 64;
    const uint64_t body = 2 * sliding + 2 * full + keys + keys_full + 2 * network + 2 * 2 * network;
    assert_int_equal(roof_language_of(g)->n_kinds, 4);
    assert_int_equal(c.parameters, body + table + inputs + 100 * 4 * 4);
    assert_int_equal(c.active_parameters, body + table + inputs);
    assert_int_equal(c.weight_bytes, 2 * (body + table) + 2 * inputs);
    assert_int_equal(c.kv_bytes, 2 * (2 * 2 * 2 * 16 * 8 + 2 * 2 * 2 * 32 * 20));
    assert_int_equal(c.cache_bytes, 2 * (2 * 2 * 16 * 8 + 2 * 2 * 32 * 20));
    assert_int_equal(c.kv_bytes_per_token, 2 * 2 * 2 * 32);
    roof_graph_free(g);
}

static void states_do_not_grow_with_the_context(void **state)
{
    (void)state;
    roof_graph *g = language_open(language_texts[8].text, (roof_workload){0});
    const roof_language_counts a = count(g, step_at(1, 1, "q4_1")), b = count(g, step_at(100000, 3, "q4_1"));
    assert_int_equal(a.state_bytes, 24 * (32 * 128 * 128 * 4 + (2 * 2048 + 4096) * 3 * 2));
    assert_int_equal(b.state_bytes, 3 * a.state_bytes);
    roof_graph_free(g);
}

/* ---- forms ----------------------------------------------------------------------------------------------
 * */

static void forms_take_the_bytes_of_their_blocks(void **state)
{
    static const struct {
        const char *text;
        uint64_t elements, bytes, stored;
    } forms[] = {{"bf16", 32, 64, 64},        {"int8", 32, 32, 32},    {"int4", 33, 16, 16},
                 {"q4_0", 32, 18, 20},        {"q4_1", 32, 20, 20},    {"q8_0", 32, 34, 34},
                 {"q4_k", 256, 144, 144},     {"q5_k", 256, 176, 176}, {"q6_k", 256, 210, 210},
                 {"int4:128", 256, 133, 133}, {"f32", 3, 12, 12}};
    (void)state;
    for (size_t i = 0; i < COUNT(forms); i++) {
        roof_weight_format f;
        assert_int_equal(roof_weight_format_parse(forms[i].text, &f, NULL), ROOF_OK);
        assert_int_equal(roof_weight_format_bytes(&f, forms[i].elements, false), forms[i].bytes);
        assert_int_equal(roof_weight_format_bytes(&f, forms[i].elements, true), forms[i].stored);
        assert_int_equal(roof_weight_format_bytes(&f, UINT64_MAX, false) == ROOF_UNKNOWN,
                         f.bits > 4 || f.group);
    }
}

/* Words of tools for one type, however they are written. */
static void a_type_has_one_form_by_any_name(void **state)
{
    static const struct {
        const char *text, *form;
    } words[] = {{"f16", "f16"},    {"fp16", "f16"},  {"FP16", "f16"},  {"float16", "f16"},
                 {"half", "f16"},   {"f32", "f32"},   {"fp32", "f32"},  {"Float32", "f32"},
                 {"float", "f32"},  {"bf16", "bf16"}, {"BF16", "bf16"}, {"bfloat16", "bf16"},
                 {"i8", "int8"},    {"INT8", "int8"}, {"u8", "int8"},   {"int4", "int4"},
                 {"uint4", "int4"}, {"Q8_0", "q8_0"}};
    (void)state;
    for (size_t i = 0; i < COUNT(words); i++) {
        roof_weight_format f;
        if (roof_weight_format_parse(words[i].text, &f, NULL) != ROOF_OK ||
            strcmp(f.name, words[i].form) != 0)
            fail_msg("'%s' is not %s", words[i].text, words[i].form);
    }
    for (size_t i = 0; roof_weight_format_name(i); i++) { /* the list of a refusal names nothing refused */
        roof_weight_format f;
        assert_int_equal(roof_weight_format_parse(roof_weight_format_name(i), &f, NULL), ROOF_OK);
    }
}

static void forms_that_are_none_are_refused(void **state)
{
    static const char *const wrong[] = {"",         "q4",     "q4_2",    "int4:", "int4:0",
                                        "int4:1.5", "int4:x", "q4_1:32", "bf16 "};
    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        roof_weight_format f;
        roof_error err = {0};
        assert_int_equal(roof_weight_format_parse(wrong[i], &f, &err), ROOF_E_USAGE);
        assert_non_null(strstr(fx_message(&err), "int4:"));
    }
}

static void counts_beyond_what_a_document_holds_are_refused(void **state)
{
    static const char text[] =
        "\"model_type\":\"llama\",\"hidden_size\":4194304,\"num_hidden_layers\":4096,"
        "\"num_attention_heads\":1,\"intermediate_size\":4194304,\"vocab_size\":4194304";
    roof_language_counts c;
    (void)state;
    roof_graph *g = language_open(text, (roof_workload){0});
    const roof_language_point p = step_at(1, 1, "bf16");
    assert_int_equal(roof_language_count(roof_language_of(g), &p, &c, NULL), ROOF_E_LIMIT);
    roof_graph_free(g);
}

/* ---- rows -----------------------------------------------------------------------------------------------
 * */

/* Of both tables. */
static const char *texts_at(size_t i)
{
    size_t n = 0;
    while (language_texts[n].name)
        n++;
    return i < n ? language_texts[i].text : language_counted_models[i - n].text;
}

/* Rows of a prediction read what the counts say, weights and cache, in each form and of each family. */
static void rows_sum_to_the_counts(void **state)
{
    static const char *const forms[] = {"bf16", "q4_1", "q4_k_m", "int8"};
    roof_hw *hw = fx_hw("npu2");
    (void)state;
    for (size_t i = 0; texts_at(i); i++)
        for (size_t f = 0; f < COUNT(forms); f++) {
            const roof_workload w = {.phase = ROOF_TEXT_DECODE,
                                     .context_tokens = 3000,
                                     .weight_type = forms[f],
                                     .asks_text = true};
            roof_graph *g = language_open(texts_at(i), w);
            roof_prediction *p = NULL;
            assert_int_equal(roof_predict(g, hw, &(roof_predict_options){.batch = 2}, &p, NULL), ROOF_OK);
            const roof_language_counts *c = &p->language.counts;
            uint64_t cache = 0, macs = 0;
            for (uint32_t k = 0; k < p->n_layers; k++) {
                const roof_layer_prediction *l = &p->layers[k];
                for (uint32_t o = 0; o < g->n_ops; o++)
                    if (g->ops[o].layer == k && strstr(g->ops[o].name, "_cache"))
                        cache += g->ops[o].out.bytes * l->repeat;
                macs += l->macs * l->repeat;
            }
            if (p->total.deployed.traffic.weights_bytes != c->weight_bytes)
                fail_msg("%.40s %s: rows read %llu bytes, counts say %llu", texts_at(i), forms[f],
                         (unsigned long long)p->total.deployed.traffic.weights_bytes,
                         (unsigned long long)c->weight_bytes);
            assert_int_equal(2 * cache, c->kv_bytes);
            const uint64_t head = (uint64_t)roof_language_of(g)->vocab * roof_language_of(g)->hidden;
            assert_int_equal(macs, 2 * (c->weight_macs + c->attention_macs + c->state_macs + head));
            roof_prediction_free(p);
            roof_graph_free(g);
        }
    roof_hw_free(hw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_within_a_thousandth_of_those_published),
        cmocka_unit_test(every_kind_of_decoder_has_its_published_counts),
        cmocka_unit_test(an_unknown_decoder_is_read_by_its_keys),
        cmocka_unit_test(whatever_mixer_an_unknown_decoder_has_it_is_said_that_it_is_assumed),
        cmocka_unit_test(norms_are_those_of_the_family),
        cmocka_unit_test(what_a_quantised_file_leaves_is_named),
        cmocka_unit_test(a_state_space_without_a_rank_has_a_sixteenth_of_the_width),
        cmocka_unit_test(latent_attention_is_absorbed_in_a_step_and_expanded_in_a_prompt),
        cmocka_unit_test(files_of_llama_cpp_take_their_bytes),
        cmocka_unit_test(layers_with_more_bits_are_those_of_llama_cpp),
        cmocka_unit_test(quantised_files_say_what_they_are),
        cmocka_unit_test(a_step_reads_every_weight_once_whatever_the_batch),
        cmocka_unit_test(a_window_ends_what_is_read_and_held),
        cmocka_unit_test(of_experts_a_step_reads_those_of_one_token),
        cmocka_unit_test(shared_caches_are_read_but_not_held),
        cmocka_unit_test(states_do_not_grow_with_the_context),
        cmocka_unit_test(forms_take_the_bytes_of_their_blocks),
        cmocka_unit_test(a_type_has_one_form_by_any_name),
        cmocka_unit_test(forms_that_are_none_are_refused),
        cmocka_unit_test(counts_beyond_what_a_document_holds_are_refused),
        cmocka_unit_test(rows_sum_to_the_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
