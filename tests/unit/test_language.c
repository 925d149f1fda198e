/* What a language model reads, holds and computes: exact counts against published sizes and against a count
 * by hand, forms of weights, and what rows and counts have in common. */
#include "roofline/language.h"
#include "roofline/prediction.h"
#include "tests/support/language_models.h"
#include "tests/unit/fixture.h"

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

/* Rows of a prediction read what the counts say, weights and cache, in each form and of each family. */
static void rows_sum_to_the_counts(void **state)
{
    static const char *const forms[] = {"bf16", "q4_1", "q4_0", "int8"};
    roof_hw *hw = fx_hw("npu2");
    (void)state;
    for (size_t i = 0; language_texts[i].name; i++)
        for (size_t f = 0; f < COUNT(forms); f++) {
            const roof_workload w = {.phase = ROOF_TEXT_DECODE,
                                     .context_tokens = 3000,
                                     .weight_type = forms[f],
                                     .asks_text = true};
            roof_graph *g = language_open(language_texts[i].text, w);
            roof_prediction *p = NULL;
            assert_int_equal(roof_predict(g, hw, &(roof_predict_options){.batch = 2}, &p, NULL), ROOF_OK);
            const roof_language_counts *c = &p->language.counts;
            uint64_t cache = 0, macs = 0;
            for (uint32_t k = 0; k < p->n_layers; k++) {
                const roof_layer_prediction *l = &p->layers[k];
                for (uint32_t o = 0; strcmp(l->type, "attention") == 0 && o < g->n_ops; o++)
                    if (g->ops[o].layer == k && strstr(g->ops[o].name, "_cache"))
                        cache += g->ops[o].out.bytes * l->repeat;
                macs += l->macs * l->repeat;
            }
            assert_int_equal(p->total.deployed.traffic.weights_bytes, c->weight_bytes);
            assert_int_equal(2 * cache, c->kv_bytes);
            const uint64_t head = (uint64_t)roof_language_of(g)->vocab * roof_language_of(g)->hidden;
            assert_int_equal(macs, 2 * (c->weight_macs + c->attention_macs + head));
            roof_prediction_free(p);
            roof_graph_free(g);
        }
    roof_hw_free(hw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_within_a_thousandth_of_those_published),
        cmocka_unit_test(a_step_reads_every_weight_once_whatever_the_batch),
        cmocka_unit_test(a_window_ends_what_is_read_and_held),
        cmocka_unit_test(of_experts_a_step_reads_those_of_one_token),
        cmocka_unit_test(shared_caches_are_read_but_not_held),
        cmocka_unit_test(states_do_not_grow_with_the_context),
        cmocka_unit_test(forms_take_the_bytes_of_their_blocks),
        cmocka_unit_test(forms_that_are_none_are_refused),
        cmocka_unit_test(counts_beyond_what_a_document_holds_are_refused),
        cmocka_unit_test(rows_sum_to_the_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
