/* config.json of a language model: rows, bytes and multiply-accumulates as the documents of Xilinx/mlir-air
 * have them, and counts of parameters as published. */
#include "core/files/mapfile.h"
#include "core/span.h"
#include "model/formats/hf_config/lm_config.h"
#include "model/formats/hf_config/lm_model.h"
#include "tests/support/lm_config_writer.h"
#include "tests/unit/fixture.h"

#define PREFILL(n)                                                                                           \
    {                                                                                                        \
        .phase = ROOF_TEXT_PREFILL, .prompt_tokens = (n), .asks_text = true                                  \
    }
#define DECODE(n)                                                                                            \
    {                                                                                                        \
        .phase = ROOF_TEXT_DECODE, .context_tokens = (n), .asks_text = true                                  \
    }

typedef struct lm {
    textbuf text;
    roof_graph *graph;
    roof_program *program;
} lm;

static roof_status read_text(const char *text, size_t length, const roof_workload *w, roof_graph **out,
                             roof_error *err)
{
    return graph_read_memory_as((const unsigned char *)text, length, "config.json", w, out, err);
}

static lm lm_open(const lmw_model *model, roof_workload w)
{
    lm out = {0};
    roof_error err = {0};
    text_init(&out.text, TEXT_MAX_BYTES);
    lmw_write(model, &out.text);
    if (read_text(out.text.bytes, out.text.length, &w, &out.graph, &err) != ROOF_OK ||
        roof_program_of(out.graph, &out.program, &err) != ROOF_OK)
        fail_msg("%s: %s", model->name, fx_message(&err));
    return out;
}

static void lm_close(lm *l)
{
    roof_program_free(l->program);
    roof_graph_free(l->graph);
    text_free(&l->text);
}

static roof_prediction *predict(const roof_graph *graph)
{
    roof_hw *hw = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    if (roof_hw_load("npu2", &hw, &err) != ROOF_OK || roof_predict(graph, hw, NULL, &p, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_hw_free(hw);
    return p;
}

/* ---- Llama 3.2 1B
 * ---------------------------------------------------------------------------------------- */

/* Source: Xilinx/mlir-air programming_examples/llms/llama32_1b/docs/profile.md: shapes and launches of each
 * row, of 2048 tokens. bytes: each launch's tensors once. moved: with what tiles read again, 512 x 512 of a
 * result at a time, of K and V 256 x 512. */
static const struct published {
    const char *name;
    uint64_t macs, weights, bytes, moved;
} rows[2][4] = {
    {{"rms_gemms_rope", 12884901888, 12582912, 98570240, 178262016},
     {"flash_attn", 8594128896, 0, 20971520, 20971520},
     {"o_ffn", 111669149696, 109051904, 419434496, 1124077568},
     {"lm_head", 262668288, 525336576, 525597184, 525597184}},
    {{"rms_gemv_rope", 6291456, 12582912, 12628992, 12628992},
     {"attention", 8388608, 0, 4194304, 4194304},
     {"o_gemv_ffn", 54525952, 109051904, 109207552, 109207552},
     {"lm_head", 262668288, 525336576, 525597184, 525597184}},
};

static void the_rows_of_llama_are_those_that_are_published(void **state)
{
    const roof_workload workloads[] = {PREFILL(2048), DECODE(2048)};
    (void)state;
    for (int phase = 0; phase < 2; phase++) {
        lm l = lm_open(&lmw_models[0], workloads[phase]);
        roof_prediction *p = predict(l.graph);
        assert_int_equal(l.program->n_rows, 4);
        for (uint32_t i = 0; i < 4; i++) {
            const struct published *want = &rows[phase][i];
            const roof_row *row = &l.program->rows[i];
            bool is_host = phase == 1 && i == 1;
            assert_string_equal(row->name, want->name);
            assert_int_equal(row->macs, want->macs);
            assert_int_equal(row->work.traffic.weights_bytes, want->weights);
            assert_int_equal(roof_traffic_total(&row->work.traffic), want->bytes);
            assert_int_equal(roof_traffic_total(&p->layers[i].deployed.traffic), want->moved);
            assert_int_equal(row->repeat, i < 3 ? 16 : 1);
            assert_int_equal(row->executor, is_host ? ROOF_BY_HOST : ROOF_BY_ACCELERATOR);
        }
        roof_prediction_free(p);
        lm_close(&l);
    }
}

/* 116 MiB a block, and 2,471.5 MB a token. */
static void a_token_reads_the_weights_of_all_blocks_and_the_head(void **state)
{
    (void)state;
    lm l = lm_open(&lmw_models[0], (roof_workload)DECODE(2048));
    const roof_row *r = l.program->rows;
    assert_int_equal(r[0].work.traffic.weights_bytes + r[2].work.traffic.weights_bytes, 116 << 20);
    roof_prediction *p = predict(l.graph);
    assert_int_equal(p->total.deployed.traffic.weights_bytes, 2471493632);
    assert_string_equal(p->total.yield.unit, "token");
    assert_true(fabs(roof_yield_per_s(p) * p->total.deployed.ideal_s - 1) < 1e-12);
    roof_prediction_free(p);
    lm_close(&l);
}

static void demands_sum_to_their_row(void **state)
{
    (void)state;
    lm l = lm_open(&lmw_models[0], (roof_workload)PREFILL(2048));
    for (uint32_t i = 0; i < l.program->n_rows; i++) {
        const roof_row *row = &l.program->rows[i];
        uint64_t macs = 0, bytes = 0;
        for (uint32_t k = 0; k < row->work.n_demands; k++) {
            macs += row->work.demands[k].macs;
            bytes += row->work.demands[k].least_bytes;
        }
        assert_int_equal(macs, row->macs);
        assert_int_equal(bytes, roof_traffic_total(&row->work.traffic));
    }
    const roof_demand *attention = &l.program->rows[1].work.demands[0];
    assert_int_equal(attention->macs + attention->masked_macs, 2ull * 2048 * 2048 * 2048); /* all pairs */
    assert_int_equal(l.program->rows[0].work.n_demands, 6);
    assert_int_equal(l.program->rows[2].work.n_demands, 8);
    assert_int_equal(l.program->rows[3].work.demands[0].launches, 8);
    lm_close(&l);
}

/* ---- other models
 * ---------------------------------------------------------------------------------------- */

static void parameters_are_those_published(void **state)
{
    (void)state;
    for (const lmw_model *m = lmw_models; m->name; m++) {
        lm l = lm_open(m, (roof_workload)DECODE(16));
        assert_string_equal(l.program->facts[0].name, "parameters");
        assert_int_equal(l.program->facts[0].value, m->parameters);
        lm_close(&l);
    }
}

/* What the tensors of the rows hold is what the formula counts, but for the table of embeddings and the last
 * norm. */
static void tensors_hold_the_parameters(void **state)
{
    (void)state;
    for (const lmw_model *m = lmw_models; m->name; m++) {
        lm l = lm_open(m, (roof_workload)DECODE(16));
        uint64_t held = m->hidden;
        for (uint32_t i = 0; i < l.graph->n_ops; i++) {
            const roof_op *op = &l.graph->ops[i];
            bool is_table = strstr(op->name, ".angles") != NULL;
            if (strcmp(op->type, "const") == 0 && !is_table)
                held += op->out.elements * l.program->rows[op->layer].repeat;
        }
        held += m->is_tied ? 0 : (uint64_t)m->vocab * m->hidden;
        assert_int_equal(held, m->parameters);
        lm_close(&l);
    }
}

static void counts_scale_with_blocks_and_tokens(void **state)
{
    lmw_model twice = lmw_models[0];
    (void)state;
    twice.layers *= 2;
    lm one = lm_open(&lmw_models[0], (roof_workload)PREFILL(256));
    lm deep = lm_open(&twice, (roof_workload)PREFILL(256)),
       wide = lm_open(&lmw_models[0], (roof_workload)PREFILL(512));
    for (uint32_t i = 0; i < 4; i++) {
        const roof_row *a = &one.program->rows[i], *b = &deep.program->rows[i], *c = &wide.program->rows[i];
        assert_int_equal(b->repeat, i < 3 ? 2 * a->repeat : 1);
        assert_int_equal(b->macs, a->macs);
        if (i == 1)
            assert_int_equal(c->macs / 4096, 512 * 513 / 2);
        else
            assert_int_equal(c->macs, i < 3 ? 2 * a->macs : a->macs);
        assert_int_equal(c->work.traffic.weights_bytes, a->work.traffic.weights_bytes);
    }
    assert_string_not_equal(one.graph->graph_hash, deep.graph->graph_hash);
    lm_close(&one);
    lm_close(&deep);
    lm_close(&wide);
}

static void a_window_bounds_what_attention_sees(void **state)
{
    const lmw_model *phi = &lmw_models[3];
    (void)state;
    lm l = lm_open(phi, (roof_workload)PREFILL(4000)), d = lm_open(phi, (roof_workload)DECODE(4000));
    uint64_t pairs = 2047 * 2048 / 2 + (4000 - 2047) * 2047;
    assert_int_equal(l.program->rows[1].macs, pairs * 2 * 3072);
    assert_int_equal(d.program->rows[1].macs, 2047 * 2 * 3072);
    lm_close(&l);
    lm_close(&d);
}

/* ---- quantised
 * ------------------------------------------------------------------------------------------- */

static void weights_shrink_and_multiply_accumulates_stay(void **state)
{
    static const char *const types[] = {"bf16", "int8", "int4"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        roof_workload w = DECODE(2048);
        w.weight_type = types[i];
        lm l = lm_open(&lmw_models[0], w);
        for (int row = 0; row < 4; row++) {
            assert_int_equal(l.program->rows[row].macs, rows[1][row].macs);
            assert_int_equal(l.program->rows[row].work.traffic.weights_bytes, rows[1][row].weights >> i);
        }
        assert_string_equal(l.program->rows[3].work.demands[0].types, i == 0   ? "bf16"
                                                                      : i == 1 ? "bf16xint8"
                                                                               : "bf16xint4");
        lm_close(&l);
    }
}

/* What the caller asked for is the caller's: it may be gone when the graph is used. */
static void a_workload_is_borrowed_for_the_call_alone(void **state)
{
    char type[] = "int4", cache[] = "int8";
    roof_workload w = DECODE(2048);
    (void)state;
    w.weight_type = type;
    w.cache_type = cache;
    lm l = lm_open(&lmw_models[0], w);
    roof_prediction *before = predict(l.graph);
    memset(type, '@', sizeof type - 1);
    memset(cache, '@', sizeof cache - 1);
    roof_prediction *after = predict(l.graph);
    assert_int_equal(before->n_alternatives, after->n_alternatives);
    assert_true(before->total.deployed.ideal_s == after->total.deployed.ideal_s);
    roof_prediction_free(before);
    roof_prediction_free(after);
    lm_close(&l);
}

/* A scale of 16 bits and a zero point of 4 for each 128 weights; the head is left as it was. */
static void scales_of_groups_are_counted_where_the_file_says(void **state)
{
    static const char *const ways[] = {
        "{\"bits\": 4, \"group_size\": 128, \"quant_method\": \"awq\", \"zero_point\": true}",
        "{\"bits\": 4, \"group_size\": 128, \"quant_method\": \"gptq\", \"sym\": false}"};
    (void)state;
    for (size_t i = 0; i < COUNT(ways); i++) {
        lmw_model quantised = lmw_models[0];
        quantised.quantization = ways[i];
        lm l = lm_open(&quantised, (roof_workload)DECODE(2048));
        assert_int_equal(l.program->rows[2].work.traffic.weights_bytes,
                         109051904 / 4 + 109051904 / 2 / 128 * 20 / 8);
        assert_int_equal(l.program->rows[3].work.traffic.weights_bytes, 525336576);
        lm_close(&l);
    }
}

/* ---- what if
 * --------------------------------------------------------------------------------------------- */

/* Source: the same document: 92 ms a token with the host's part, 86 ms of the NPU. */
static void what_to_expect_of_a_token_is_what_was_measured(void **state)
{
    (void)state;
    lm l = lm_open(&lmw_models[0], (roof_workload)DECODE(2048));
    roof_prediction *p = predict(l.graph);
    assert_true(p->total.predicted_s > 0.086 * 0.94 && p->total.predicted_s < 0.092 * 1.06);
    roof_prediction_free(p);
    lm_close(&l);
}

/* docs/hardware/aie.md: weight bytes / bandwidth + per_layer layers, also of one layer. */
static void a_token_costs_something_in_each_layer(void **state)
{
    static const uint32_t layers[] = {1, 2, 16};
    roof_hw *hw = fx_hw("npu2");
    const double bandwidth = roof_hw_get(hw, "expect.mlir-air.step_bf16.bandwidth")->value,
                 per_layer_s = roof_hw_get(hw, "expect.mlir-air.step_bf16.full_layer")->value;
    (void)state;
    for (size_t i = 0; i < COUNT(layers); i++) {
        lmw_model model = lmw_models[0];
        model.layers = layers[i];
        lm l = lm_open(&model, (roof_workload)DECODE(2048));
        roof_prediction *p = predict(l.graph);
        double want_s = (double)p->total.deployed.traffic.weights_bytes / bandwidth + layers[i] * per_layer_s;
        if (!(fabs(p->total.predicted_s / want_s - 1) < 1e-9))
            fail_msg("%u layers: %g s, want %g s", layers[i], p->total.predicted_s, want_s);
        roof_prediction_free(p);
        lm_close(&l);
    }
    roof_hw_free(hw);
}

static void alternatives_are_predictions_of_their_own(void **state)
{
    (void)state;
    lm l = lm_open(&lmw_models[0], (roof_workload)PREFILL(2048)),
       twice = lm_open(&lmw_models[0], (roof_workload)PREFILL(4096));
    roof_prediction *p = predict(l.graph), *q = predict(twice.graph);
    assert_int_equal(p->n_alternatives, 4);
    assert_string_equal(p->alternatives[0].label, "int8 weights");
    assert_string_equal(p->alternatives[2].label, "prompt of 4096 tokens");
    assert_true(p->alternatives[2].ideal_s == q->total.deployed.ideal_s);
    assert_int_equal(p->alternatives[2].bytes, roof_traffic_total(&q->total.deployed.traffic));
    roof_prediction_free(p);
    roof_prediction_free(q);
    lm_close(&l);
    lm_close(&twice);
}

/* ---- files
 * ----------------------------------------------------------------------------------------------- */

#define SHAPES "\"hidden_size\":64,\"intermediate_size\":128,\"num_hidden_layers\":2,\"vocab_size\":100"

static const struct refused {
    const char *text, *message;
    roof_status status;
} refused[] = {
    {"{\"model_type\":\"whisper\",\"d_model\":64,\"encoder_layers\":1,\"decoder_layers\":1,\"num_hidden_"
     "layers\":1,"
     "\"encoder_attention_heads\":4,\"decoder_attention_heads\":4,\"encoder_ffn_dim\":128,\"decoder_ffn_"
     "dim\":128,"
     "\"num_mel_bins\":8,\"max_source_positions\":0,\"vocab_size\":100}",
     "/max_source_positions is 0", ROOF_E_DATA},
    {"{\"model_type\":\"acme\"," SHAPES ",\"num_attention_heads\":4,\"mamba_d_state\":16}",
     "'acme', which is unknown; its key /mamba_d_state tells", ROOF_E_UNSUPPORTED},
    {"{\"model_type\":\"acme\"," SHAPES ",\"num_attention_heads\":4,\"hidden_act\":\"gelu\"}",
     "its key /hidden_act tells", ROOF_E_UNSUPPORTED},
    {"{\"model_type\":\"acme\"," SHAPES ",\"num_attention_heads\":4,\"is_encoder_decoder\":true}",
     "its key /is_encoder_decoder tells", ROOF_E_UNSUPPORTED},
    {"{\"model_type\":\"acme\"," SHAPES
     ",\"num_attention_heads\":4,\"layer_types\":[\"recurrent\",\"full_attention\"]}",
     "its key /layer_types tells", ROOF_E_UNSUPPORTED},
    {"{\"model_type\":\"acme\",\"hidden_size\":64,\"num_hidden_layers\":2,\"vocab_size\":100,"
     "\"num_attention_heads\":4,\"intermediate_size\":[128,256]}",
     "its key /intermediate_size tells", ROOF_E_UNSUPPORTED},
    {"{\"model_type\":\"acme\"," SHAPES "}", "it lacks /num_attention_heads", ROOF_E_UNSUPPORTED},
    {"{\"model_type\":\"gpt2\",\"architectures\":[\"x\"]}", "'gpt2'", ROOF_E_UNSUPPORTED},
    {"{\"model_type\":\"llama\"," SHAPES "}", "/num_attention_heads is 0, want 1", ROOF_E_DATA},
    {"{\"model_type\":\"llama\"," SHAPES ",\"num_attention_heads\":3}", "a divisor of hidden_size 64",
     ROOF_E_DATA},
    {"{\"model_type\":\"llama\"," SHAPES ",\"num_attention_heads\":4,\"num_key_value_heads\":3}",
     "a divisor of 4 heads", ROOF_E_DATA},
    {"{\"model_type\":\"llama\",\"hidden_size\":\"64\"}", "/hidden_size", ROOF_E_DATA},
    {"{\"model_type\":\"llama\",\"hidden_size\":5000000}", "/hidden_size is 5000000, want 1 to", ROOF_E_DATA},
    {"{\"model_type\":\"llama\"," SHAPES ",\"num_attention_heads\":4,\"quantization_config\":{\"bits\":3}}",
     "/quantization_config/bits is 3", ROOF_E_UNSUPPORTED},
    {"{\"model_type\":\"qwen2\"," SHAPES ",\"use_sliding_window\":true}", "/use_sliding_window",
     ROOF_E_UNSUPPORTED},
    {"{\"model_type\":\"gpt_oss\"," SHAPES ",\"num_attention_heads\":4,\"layer_types\":[\"full_attention\"]}",
     "/layer_types has 1, /num_hidden_layers is 2", ROOF_E_DATA},
    {"{\"model_type\":\"gpt_oss\"," SHAPES
     ",\"num_attention_heads\":4,\"layer_types\":[\"full_attention\",\"chunked_attention\"]}",
     "/layer_types/1 is 'chunked_attention' of a 'gpt_oss'", ROOF_E_UNSUPPORTED},
    {"{\"model_type\":\"gpt_oss\"," SHAPES
     ",\"num_attention_heads\":4,\"layer_types\":[\"full_attention\",\"sliding_attention\"]}",
     "/sliding_window is 0, want 1 to", ROOF_E_DATA},
    {"{\"model_type\":\"qwen3_moe\"," SHAPES
     ",\"num_attention_heads\":4,\"num_experts\":8,\"num_experts_per_tok\":9}",
     "/num_experts_per_tok is 9, want 1 to 8", ROOF_E_DATA},
    {"{\"model_type\":\"nemotron_h\"," SHAPES
     ",\"num_attention_heads\":4,\"mamba_num_heads\":4,\"mamba_head_dim\":8,\"ssm_state_size\":4,"
     "\"conv_kernel\":4,\"hybrid_override_pattern\":\"M\"}",
     "/hybrid_override_pattern has 1 letters, /num_hidden_layers is 2", ROOF_E_DATA},
    {"{\"model_type\":\"nemotron_h\"," SHAPES
     ",\"num_attention_heads\":4,\"mamba_num_heads\":4,\"mamba_head_dim\":8,\"ssm_state_size\":4,"
     "\"conv_kernel\":4,\"hybrid_override_pattern\":\"-M\"}",
     "/hybrid_override_pattern has '-' at 0", ROOF_E_UNSUPPORTED},
    {"{\"model_type\":\"deepseek_v3\"," SHAPES ",\"num_attention_heads\":4,\"kv_lora_rank\":16}",
     "/qk_nope_head_dim is 0, want 1", ROOF_E_DATA},
    {"{\"model_type\":\"mamba2\"," SHAPES ",\"state_size\":0}", "/mamba_d_state is 0", ROOF_E_DATA},
    {"{\"model_type\":\"llama\"," SHAPES
     ",\"num_attention_heads\":4,\"quantization_config\":{\"quant_method\":\"quip\"}}",
     "quant_method is 'quip'; how it stores weights is unknown; --dtype", ROOF_E_UNSUPPORTED},
    {"{\"model_type\":\"llama\"," SHAPES
     ",\"num_attention_heads\":4,\"quantization_config\":{\"quant_method\":\"fp8\","
     "\"modules_to_not_convert\":[\"re:(a|b)\"]}}",
     "leaves out 're:(a|b)'", ROOF_E_UNSUPPORTED},
    {"{\"model_type\":\"qwen3_5_text\"," SHAPES ",\"num_attention_heads\":4,\"full_attention_interval\":2}",
     "/linear_num_key_heads is 0, want 1 to", ROOF_E_DATA},
    {"{\"model_type\":\"lfm2\"," SHAPES
     ",\"num_attention_heads\":4,\"layer_types\":[\"conv\",\"full_attention\"]}",
     "/conv_L_cache is 0, want 1 to", ROOF_E_DATA},
    {"{\"model_type\":\"gemma4_text\"," SHAPES ",\"num_attention_heads\":4,\"num_kv_shared_layers\":2}",
     "/num_kv_shared_layers is 2, want 0 to 1", ROOF_E_DATA},
    {"{\"model_type\":\"llama\"," SHAPES, "line 1", ROOF_E_DATA},
};

static void what_cannot_be_counted_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        roof_graph *g = NULL;
        roof_error err = {0};
        if (read_text(refused[i].text, strlen(refused[i].text), NULL, &g, &err) != refused[i].status)
            fail_msg("%s: not refused as it should be: %s", refused[i].text, fx_message(&err));
        if (!strstr(fx_message(&err), refused[i].message))
            fail_msg("'%s' lacks '%s'", fx_message(&err), refused[i].message);
    }
}

static void other_documents_are_not_taken(void **state)
{
    static const char *const others[] = {"{\"schema\":\"roofline.prediction/1\"}", "{\"hidden_size\":64}",
                                         "{\"model_type\":\"llama\"}",
                                         "[{\"model_type\":\"llama\",\"hidden_size\":1}]"};
    (void)state;
    for (size_t i = 0; i < COUNT(others); i++) {
        roof_graph *g = NULL;
        roof_error err = {0};
        assert_int_equal(read_text(others[i], strlen(others[i]), NULL, &g, &err), ROOF_E_DATA);
        assert_non_null(strstr(fx_message(&err), "is no known model"));
    }
}

static void what_was_asked_for_has_to_be_possible(void **state)
{
    static const roof_workload wrong[] = {{.weight_type = "int9", .asks_text = true},
                                          {.prompt_tokens = 1 << 25, .asks_text = true},
                                          {.context_tokens = 5, .asks_text = true}};
    textbuf text;
    (void)state;
    text_init(&text, TEXT_MAX_BYTES);
    lmw_write(&lmw_models[0], &text);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        roof_graph *g = NULL;
        assert_int_equal(read_text(text.bytes, text.length, &wrong[i], &g, NULL), ROOF_E_USAGE);
    }
    text_free(&text);
}

static void the_example_is_what_the_writer_writes(void **state)
{
    char path[4096], bytes[4096];
    textbuf text;
    (void)state;
    text_init(&text, TEXT_MAX_BYTES);
    lmw_write(&lmw_models[0], &text);
    snprintf(path, sizeof path, "%s/examples/npu2/llama-3.2-1b.json", getenv("ROOFLINE_SOURCE_DIR"));
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_int_equal(n, text.length);
    assert_memory_equal(bytes, text.bytes, n);
    text_free(&text);
}

/* What the table has, the page lists. */
static void the_page_lists_architectures_and_forms(void **state)
{
    char path[4096], quoted[80];
    mapfile page = {0};
    (void)state;
    snprintf(path, sizeof path, "%s/docs/formats/models.md", getenv("ROOFLINE_SOURCE_DIR"));
    assert_int_equal(mapfile_open(path, &page, NULL), ROOF_OK);
    for (int table = 0; table < 2; table++)
        for (uint32_t i = 0; table ? lm_family_names(i) : roof_weight_format_name(i); i++)
            for (text_span rest = span_of(table ? lm_family_names(i) : roof_weight_format_name(i));
                 rest.length;) {
                const text_span name = span_take_until(&rest, " ");
                snprintf(quoted, sizeof quoted, "`%.*s`", (int)name.length, name.text);
                if (!memmem(page.bytes, (size_t)page.size_bytes, quoted, strlen(quoted)))
                    fail_msg("docs/formats/models.md lacks %s", quoted);
            }
    mapfile_close(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rows_of_llama_are_those_that_are_published),
        cmocka_unit_test(a_token_reads_the_weights_of_all_blocks_and_the_head),
        cmocka_unit_test(demands_sum_to_their_row),
        cmocka_unit_test(parameters_are_those_published),
        cmocka_unit_test(tensors_hold_the_parameters),
        cmocka_unit_test(counts_scale_with_blocks_and_tokens),
        cmocka_unit_test(a_window_bounds_what_attention_sees),
        cmocka_unit_test(weights_shrink_and_multiply_accumulates_stay),
        cmocka_unit_test(a_workload_is_borrowed_for_the_call_alone),
        cmocka_unit_test(scales_of_groups_are_counted_where_the_file_says),
        cmocka_unit_test(what_to_expect_of_a_token_is_what_was_measured),
        cmocka_unit_test(a_token_costs_something_in_each_layer),
        cmocka_unit_test(alternatives_are_predictions_of_their_own),
        cmocka_unit_test(what_cannot_be_counted_is_refused),
        cmocka_unit_test(other_documents_are_not_taken),
        cmocka_unit_test(what_was_asked_for_has_to_be_possible),
        cmocka_unit_test(the_example_is_what_the_writer_writes),
        cmocka_unit_test(the_page_lists_architectures_and_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
