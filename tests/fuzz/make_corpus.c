/* make_corpus - writes the seeds of the fuzz targets that read models and documents into FOLDER/TARGET/.
 *
 * usage: make_corpus FOLDER
 * The folders must exist. Seeds are named seed-*; other files there are inputs that once crashed, and are
 * left alone. Exit 0, or 1 when a file cannot be written.
 */
#include "model/code/dpu/dpu_isa.h"
#include "model/documents/documents.h"
#include "model/graph/format.h"
#include "roofline/render.h"
#include "reports/results/results_line.h"
#include "tests/support/onnx_text.h"
#include "tests/support/aie_writer.h"
#include "roofline/xir.h"
#include "tests/support/art_report_writer.h"
#include "tests/support/c_info_writer.h"
#include "tests/support/curves.h"
#include "tests/support/ep_writer.h"
#include "tests/support/language_models.h"
#include "tests/support/lm_config_writer.h"
#include "tests/support/network_c_writer.h"
#include "tests/support/history_runs.h"
#include "tests/support/nsys_export.h"
#include "tests/support/onnx_writer.h"
#include "tests/support/ethosu_writer.h"
#include "tests/support/tflite_writer.h"
#include "tests/support/weights_writer.h"
#include "tests/support/xmodel_networks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *folder;

static void save(const char *target, const char *name, const void *bytes, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/seed-%s", folder, target, name);
    FILE *file = fopen(path, "wb");
    bool good = file && (!size || fwrite(bytes, 1, size, file) == size);
    if (!file || fclose(file) != 0 || !good)
        xm_die("make_corpus: %s: %s", path, strerror(errno));
}

/* ---- models ---- */

/* A model's bytes; the model is freed. */
static uint8_t *bytes_of(xm_model *model, const xm_options *options, size_t *size)
{
    uint8_t *bytes = xm_write_memory(model, options, size);
    if (!bytes)
        xm_die("make_corpus: a model cannot be written");
    xm_model_free(model);
    return bytes;
}

/* For the reader, and for the whole chain behind it. */
static void save_model(const char *name, xm_model *model, const xm_options *options)
{
    size_t size;
    uint8_t *bytes = bytes_of(model, options, &size);
    save("xmodel", name, bytes, size);
    save("predict", name, bytes, size);
    free(bytes);
}

/* Replaces the attribute of that name, or adds it. */
static void set_attr(xm_model *m, xm_attrs *attrs, xm_attr value)
{
    xm_attr *list = xm_alloc(m, attrs->count + 1, sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < attrs->count; i++)
        if (strcmp(attrs->list[i].name, value.name) != 0)
            list[n++] = attrs->list[i];
    list[n++] = value;
    *attrs = (xm_attrs){list, n};
}

/* The device subgraph with the code. */
static xm_subgraph *accelerator(xm_model *m)
{
    for (size_t i = 0; i < m->root->n_children; i++)
        for (size_t j = 0; j < m->root->children[i].attrs.count; j++)
            if (strcmp(m->root->children[i].attrs.list[j].name, "dpu_fingerprint") == 0)
                return &m->root->children[i];
    xm_die("make_corpus: a network without a DPU subgraph");
}

/* Same network, said to be for another DPU: other instruction sets and none that is public. */
static void save_families(void)
{
    static const struct {
        const char *name;
        uint64_t fingerprint;
    } families[] = {
        {"family-czdx8g-isa0", 0x01000020f6014407}, {"family-cvdx8g-isa1", 0x0601000000000000},
        {"family-cvdx8g-isa3", 0x0603000000000000}, {"family-cv2dx8g", 0x0901000000000000},
        {"family-cahx8h", 0x0200000000000000},      {"family-unknown", 0x40000},
    };
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        xm_model *m = xn_tiny(NULL, NULL);
        set_attr(m, &accelerator(m)->attrs, xm_u64("dpu_fingerprint", families[i].fingerprint));
        save_model(families[i].name, m, NULL);
    }
}

static void save_networks(void)
{
    static const xm_options old = {
        .unpacked = true, .reversed_maps = true, .int_enums = true, .no_bit_width = true};
    static const xm_options fat = {.with_op_defs = true, .weights_bytes = 64};
    const xn_config layer_code = {.layer_code = true}, two_layers = {.n_layers = 2};
    const xn_config b512 = {.arch = xn_find_arch("B512")}, b1600 = {.arch = xn_find_arch("B1600")};
    save_model("tiny", xn_tiny(NULL, NULL), NULL);
    save_model("tiny-old-spelling", xn_tiny(NULL, NULL), &old);
    save_model("tiny-op-defs", xn_tiny(NULL, NULL), &fat);
    save_model("tiny-layer-code", xn_tiny(&layer_code, NULL), NULL);
    save_model("tiny-b512", xn_tiny(&b512, NULL), NULL);
    save_model("tiny-b1600", xn_tiny(&b1600, NULL), NULL);
    save_model("chain", xn_chain(&two_layers, NULL), NULL);
    save_families();
}

/* The values of constants make up most of a quantised file, and nobody reads them. */
static void save_quantised(void)
{
    xm_model *m = xn_quantised(NULL, NULL);
    for (size_t i = 0; i < m->n_ops; i++)
        if (strcmp(m->ops[i].type, "const") == 0)
            set_attr(m, &m->ops[i].attrs, xm_bytes(m, "data", (xm_blob){0}));
    save_model("quantised", m, NULL);
}

static void save_rnn(void)
{
    size_t size;
    uint8_t *bytes = bytes_of(xn_rnn(NULL, NULL), NULL, &size);
    save("xmodel", "rnn", bytes, size);
    free(bytes);
}

/* ---- models that are wrong ---- */

typedef struct plain_op {
    const char *name, *type, *input; /* input NULL: none */
    uint32_t dims[4];
} plain_op;

static xm_model *plain_model(const plain_op *ops, size_t n_ops)
{
    xm_model *m = xm_model_new("plain");
    const char **names = xm_alloc(m, n_ops, sizeof *names);
    for (size_t i = 0; i < n_ops; i++) {
        xm_op op = {.name = ops[i].name, .type = ops[i].type};
        const xm_arg arg = {"input", xm_copy(m, &ops[i].input, 1, sizeof ops[i].input), 1};
        names[i] = ops[i].name;
        op.n_args = ops[i].input ? 1 : 0;
        op.args = xm_copy(m, &arg, op.n_args, sizeof arg);
        op.output = (xm_tensor){.name = ops[i].name,
                                .dims = xm_copy(m, ops[i].dims, 4, sizeof *ops[i].dims),
                                .n_dims = 4,
                                .data_type = XM_XINT,
                                .bit_width = 8};
        xm_add_op(m, &op);
    }
    m->root->op_names = names;
    m->root->n_op_names = n_ops;
    return m;
}

static void save_plain(const char *name, const plain_op *ops, size_t n_ops)
{
    save_model(name, plain_model(ops, n_ops), NULL);
}

static void save_wrong_models(void)
{
    static const plain_op circle[] = {{"a", "relu", "b", {1, 2, 2, 4}}, {"b", "relu", "a", {1, 2, 2, 4}}};
    static const plain_op self[] = {{"a", "relu", "a", {1, 2, 2, 4}}};
    static const plain_op huge[] = {{"a", "data", NULL, {0xffffffff, 0xffffffff, 0xffffffff, 2}}};
    static const plain_op wide[] = {{"a", "data", NULL, {0xffff, 0xffff, 0xffff, 1}},
                                    {"b", "relu", "a", {0xffff, 0xffff, 0xffff, 1}},
                                    {"c", "sigmoid", "b", {0xffff, 0xffff, 0xffff, 1}}};
    static const plain_op empty[] = {{"a", "data", NULL, {1, 0, 0, 4}}, {"b", "relu", "a", {0, 0, 0, 0}}};
    static const plain_op twins[] = {{"a", "data", NULL, {1, 1, 1, 1}}, {"a", "relu", "a", {1, 1, 1, 1}}};
    static const plain_op stray[] = {{"a", "relu", "nobody", {1, 1, 1, 1}}};
    static const plain_op control[] = {{"a\033[31m", "relu", NULL, {1, 1, 1, 1}}};
    static const plain_op not_utf8[] = {{"a\xc0\xaf", "relu", NULL, {1, 1, 1, 1}}};
    static const plain_op markup[] = {
        {"=1+1,\"<b>|`", "relu", NULL, {1, 1, 1, 1}},
        {"\xe2\x82\xac/\xf0\x9f\x98\x80", "odd|type", "=1+1,\"<b>|`", {1, 1, 1, 1}}};
    /* tables must not ask the locale how wide these are */
    static const plain_op accents[] = {{"caf\xc3\xa9-1", "op\xc3\xa9ration", NULL, {1, 1, 1, 1}}};
#define SAVE_PLAIN(name, ops) save_plain(name, ops, sizeof(ops) / sizeof *(ops))
    SAVE_PLAIN("wrong-circle", circle);
    SAVE_PLAIN("wrong-self", self);
    SAVE_PLAIN("wrong-huge", huge);
    SAVE_PLAIN("wide", wide);
    SAVE_PLAIN("empty-tensors", empty);
    SAVE_PLAIN("wrong-twins", twins);
    SAVE_PLAIN("wrong-stray", stray);
    SAVE_PLAIN("wrong-control", control);
    SAVE_PLAIN("wrong-utf8", not_utf8);
    SAVE_PLAIN("markup", markup);
    SAVE_PLAIN("accents", accents);
}

/* ---- bytes that are no model, or the beginning of one ---- */

static void save_broken_files(void)
{
    size_t size;
    uint8_t *bytes = bytes_of(xn_tiny(NULL, NULL), NULL, &size);
    save("xmodel", "cut-in-half", bytes, size / 2);
    save("xmodel", "cut-by-one", bytes, size - 1);
    save("xmodel", "cut-short", bytes, 3);
    for (size_t i = 100; i < size; i += 997)
        bytes[i] ^= 0x10;
    save("xmodel", "flipped", bytes, size);
    free(bytes);
    save("xmodel", "empty", "", 0);
    save("xmodel", "png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    save("xmodel", "claims-a-billion", "\x0a\x01g\x2a\x80\x94\xeb\xdc\x03", 9);
}

/* Field 10 of a graph is the root, of a subgraph a child: each level holds one more. */
static void save_nested(void)
{
    static const plain_op one[] = {{"a", "relu", NULL, {1, 1, 1, 1}}};
    xm_buffer b = {0};
    size_t size;
    uint64_t marks[3000];
    uint8_t *bytes = bytes_of(plain_model(one, 1), NULL, &size);
    for (size_t i = 0; i < 3000; i++)
        marks[i] = xm_message_end(&b);
    for (size_t i = 3000; i-- > 0;)
        xm_message_begin(&b, 10, marks[i]);
    xm_put_raw(&b, bytes, size);
    save("xmodel", "nested", b.data + b.start, b.capacity_bytes - b.start);
    xm_buffer_free(&b);
    free(bytes);
}

/* Protocol buffers merge a message that is there twice; nobody writes such files. */
static void save_two_roots(void)
{
    static const plain_op three[] = {{"a", "relu", NULL, {1, 1, 1, 1}},
                                     {"b", "relu", "a", {1, 1, 1, 1}},
                                     {"c", "relu", "b", {1, 1, 1, 1}}};
    static const char second_root[] = "\x52\x03\x0a\x01r";
    size_t size;
    uint8_t *bytes = bytes_of(plain_model(three, 3), NULL, &size);
    bytes = xm_checked_realloc(bytes, size + 5, 1);
    memcpy(bytes + size, second_root, 5);
    save("xmodel", "two-roots", bytes, size + 5);
    save("predict", "two-roots", bytes, size + 5);
    free(bytes);
}

/* ---- generated C files ---- */

static const struct {
    const char *name;
    bool blobs, old;
    int parts;
} dialects[] = {
    {"functions", false, false, NCW_NETWORK}, {"functions-old", false, true, NCW_NETWORK},
    {"blobs", true, false, NCW_NETWORK},      {"blobs-old", true, true, NCW_NETWORK},
    {"trace", true, false, NCW_TRACE},        {"blobs-and-trace", true, false, NCW_NETWORK | NCW_TRACE},
};

static const char overlap[] =
    "#include \"ll_aton.h\"\nstatic const X ll_atonn_rt_epoch_block_array[] = {\n"
    "{\n.flags = EpochBlock_Flags_blob,\n.epoch_num = 1,\n.last_epoch_num = 9,\n},\n"
    "{\n.epoch_num = 5,\n},\n};\n";
static const char twice[] = "#include \"ll_aton.h\"\nec_trace_start_epoch(1);\nec_trace_end_epoch(1);\n"
                            "ec_trace_start_epoch(1);\nec_trace_end_epoch(1);\n";

static void save_generated_c(void)
{
    size_t length = 0;
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
        ncw_network network = *ncw_example(dialects[i].blobs);
        network.old = dialects[i].old;
        char *text = ncw_write(&network, dialects[i].parts, &length);
        if (!text)
            xm_die("make_corpus: out of memory");
        save("network_c", dialects[i].name, text, length);
        if (i == 0)
            save("network_c", "cut-in-half", text, length / 2);
        free(text);
    }
    save("network_c", "overlap", overlap, sizeof overlap - 1);
    save("network_c", "twice", twice, sizeof twice - 1);
}

/* ---- language models ---- */

static void save_lm_config(const lmw_model *m, const char *name)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    lmw_write(m, &text);
    if (text_status(&text, NULL) != ROOF_OK)
        xm_die("make_corpus: out of memory");
    save("hf_config", name, text.bytes, text.length);
    text_free(&text);
}

static void save_lm_text(const char *model, const char *members)
{
    char name[64], text[4096];
    const int length = snprintf(text, sizeof text, "{%s}\n", members);
    snprintf(name, sizeof name, "%s", model);
    for (char *c = name; *c; c++)
        *c = (char)(*c == ' ' ? '-' : *c);
    save("hf_config", name, text, (size_t)length);
}

static void save_lm_configs(void)
{
    static const char *const quantised[] = {
        ("{\"quant_method\": \"fp8\", \"weight_block_size\": [128, 128], \"modules_to_not_convert\": "
         "[\"lm_head\", "
         "\"model.layers.*.self_attn\", \"re:.*layers.\\\\d+.mlp.gate$\"]}"),
        ("{\"quant_method\": \"compressed-tensors\", \"ignore\": [\"lm_head\", "
         "\"model.layers.1.mlp.up_proj\"], "
         "\"config_groups\": {\"group_0\": {\"weights\": {\"num_bits\": 4, \"type\": \"float\", "
         "\"strategy\": "
         "\"tensor_group\", \"group_size\": 16, \"symmetric\": true}}}}"),
        ("{\"quant_method\": \"bitsandbytes\", \"load_in_4bit\": true, \"bnb_4bit_use_double_quant\": true, "
         "\"llm_int8_skip_modules\": [\"o_proj\"]}"),
        "{\"quant_method\": \"mxfp4\"}",
        "{\"quant_method\": \"modelopt\", \"quant_algo\": \"NVFP4\", \"exclude_modules\": [\"lm_head\"]}",
    };
    lmw_model odd = lmw_models[0];
    for (const lmw_model *m = lmw_models; m->name; m++)
        save_lm_config(m, m->name);
    for (const language_text *t = language_texts; t->name; t++)
        save_lm_text(t->name, t->text);
    for (const language_counted *t = language_counted_models; t->name; t++)
        save_lm_text(t->name, t->text);
    for (size_t i = 0; i < sizeof quantised / sizeof *quantised; i++) {
        char name[32];
        odd.quantization = quantised[i];
        snprintf(name, sizeof name, "quantised-%zu", i);
        save_lm_config(&odd, name);
    }
    odd.quantization = "{\"bits\": 4, \"group_size\": 128, \"zero_point\": true, \"sym\": false}";
    save_lm_config(&odd, "quantised");
    odd.hidden = odd.inner = odd.vocab = 1 << 22;
    odd.layers = 1 << 12;
    save_lm_config(&odd, "largest");
    odd.family = "gpt2";
    save_lm_config(&odd, "unknown-family");
}

/* ---- headers of weights ---- */

static void save_text(const char *target, const char *name, textbuf *text)
{
    if (text_status(text, NULL) != ROOF_OK)
        xm_die("make_corpus: out of memory");
    save(target, name, text->bytes, text->length);
    text_free(text);
}

static void save_gguf(const ww_model *m, const ww_gguf *how, const char *name)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    ww_write_gguf(m, how, &text);
    save_text("gguf", name, &text);
}

static void save_safetensors(const ww_model *m, const ww_safetensors *how, const char *name)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    ww_write_safetensors(m, how, &text);
    save_text("safetensors", name, &text);
}

static void save_weights(void)
{
    static const struct {
        const char *name;
        ww_gguf how;
    } ways[] = {{"version-1", {.version = 1}},
                {"version-2", {.version = 2}},
                {"big-endian", {.is_big = true}},
                {"alignment", {.alignment = 64}},
                {"by-layer", {.n_kv_heads = 4}},
                {"removed-type", {.at = 1, .type = 5}},
                {"odd-row", {.at = 1, .row = 1}},
                {"gap", {.at = 3, .offset = 64}},
                {"key-twice", {.is_key_twice = true}},
                {"tensor-twice", {.at = 4, .is_tensor_twice = true}},
                {"nested", {.nested = 9}},
                {"many-tensors", {.n_tensors = UINT64_MAX}},
                {"split", {.split_count = 2}},
                {"no-layers", {.has_no_layers = true}}};
    static const char index[] =
        "{\"metadata\": {\"total_size\": 100}, \"weight_map\": {\"a\": \"b.safetensors\"}}";
    for (const ww_model *m = ww_models; m->name; m++) {
        save_gguf(m, &(ww_gguf){0}, m->name);
        save_safetensors(m, &(ww_safetensors){0}, m->name);
    }
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        save_gguf(&ww_models[0], &ways[i].how, ways[i].name);
    save_safetensors(&ww_models[1], &(ww_safetensors){.dtype = "U8"}, "packed");
    save_safetensors(&ww_models[1], &(ww_safetensors){.at = 2, .to = 4}, "overlap");
    save("safetensors", "index", index, sizeof index - 1);
}

static roof_status next_instruction(dpu_decoder *decoder, dpu_instruction *out, bool *more, roof_error *err)
{
    roof_status status = dpu_next(decoder, more, err);
    *out = decoder->in;
    return status;
}

/* ---- instruction streams ---- */

enum { N_SETS = 7, OPCODES = 16, LONGEST = 64 };

/* As in fuzz_dpu.c: the first byte of a seed is the index. */
static const uint16_t sets[N_SETS] = {0x0100, 0x0101, 0x0601, 0x0602, 0x0603, 0x0900, 0x0901};

typedef struct stream {
    uint8_t bytes[4096];
    size_t size;
} stream;

/* One instruction with that opcode, all its other bits as in fill; nothing where the set does not have it. */
static void add_instruction(stream *s, const dpu_isa *isa, unsigned opcode, uint8_t fill)
{
    uint8_t words[LONGEST];
    dpu_instruction in;
    bool more;
    memset(words, fill, sizeof words);
    words[3] = (uint8_t)(opcode << 4 | (fill & 15));
    const roof_code code = {.bytes = words, .length_bytes = sizeof words};
    dpu_decoder decoder = dpu_decode(isa, &code);
    if (next_instruction(&decoder, &in, &more, NULL) != ROOF_OK)
        return;
    memcpy(s->bytes + s->size, words, in.length_bytes);
    s->size += in.length_bytes;
}

static void add_end(stream *s)
{
    memcpy(s->bytes + s->size, (const uint8_t[]){0, 0, 0, 0x70}, 4);
    s->size += 4;
}

/* Every instruction of a set, with all fields small and with all fields at their largest. */
static void save_set(uint8_t index)
{
    static const uint8_t fills[] = {0x00, 0x01, 0x11, 0xff};
    const dpu_isa *isa = dpu_isa_of((uint64_t)sets[index] << 48);
    stream s = {.bytes = {index}, .size = 1};
    char name[64];
    for (size_t f = 0; f < sizeof fills; f++)
        for (unsigned opcode = 0; opcode < OPCODES; opcode++)
            if (opcode != 7) /* END */
                add_instruction(&s, isa, opcode, fills[f]);
    add_end(&s);
    snprintf(name, sizeof name, "%s", dpu_isa_name(isa));
    save("dpu", name, s.bytes, s.size);
    snprintf(name, sizeof name, "%s-no-end", dpu_isa_name(isa));
    save("dpu", name, s.bytes, s.size - 4);
    snprintf(name, sizeof name, "%s-cut", dpu_isa_name(isa));
    save("dpu", name, s.bytes, s.size - 6);
    add_end(&s);
    snprintf(name, sizeof name, "%s-early-end", dpu_isa_name(isa));
    save("dpu", name, s.bytes, s.size);
}

/* Streams that the networks' own compiler writes: every instruction belongs to a layer. */
static void save_stream_of(const char *name, xm_model *model)
{
    roof_graph *graph = NULL;
    size_t size;
    uint8_t *file = bytes_of(model, NULL, &size);
    if (graph_read_memory(file, size, name, &graph, NULL) != ROOF_OK)
        xm_die("make_corpus: %s cannot be read back", name);
    for (uint32_t i = 0; i < graph->n_subgraphs; i++) {
        const roof_code *code = &roof_xir_subgraph_of(graph, &graph->subgraphs[i])->code;
        if (!code->bytes)
            continue;
        uint8_t *seed = xm_checked_realloc(NULL, code->length_bytes + 1, 1);
        seed[0] = 1; /* DPUCZDX8G ISA1 */
        memcpy(seed + 1, code->bytes, code->length_bytes);
        save("dpu", name, seed, code->length_bytes + 1);
        free(seed);
    }
    roof_graph_free(graph);
    free(file);
}

static void save_streams(void)
{
    const xn_config three_layers = {.n_layers = 3};
    for (unsigned i = 0; i < N_SETS; i++)
        save_set((uint8_t)i);
    save_stream_of("tiny", xn_tiny(NULL, NULL));
    save_stream_of("chain", xn_chain(&three_layers, NULL));
}

/* ---- measured documents with a prediction inside ---- */

/* The constants of its hardware are left out: a seed is small. */
static char *prediction_text(xm_model *model)
{
    static const uint32_t threads[] = {1, 2};
    static const roof_load load = {threads, 2, "classify"};
    static const roof_predict_options options = {.explores = ROOF_EXPLORE_ALL, .load = &load};
    roof_graph *graph = NULL;
    roof_hw *hw = NULL;
    roof_prediction *p = NULL;
    size_t size, length;
    char *text = NULL;
    uint8_t *file = bytes_of(model, NULL, &size);
    bool good = graph_read_memory(file, size, "tiny.xmodel", &graph, NULL) == ROOF_OK &&
                roof_hw_load("kv260", &hw, NULL) == ROOF_OK &&
                roof_predict(graph, hw, &options, &p, NULL) == ROOF_OK;
    if (good)
        p->hardware.n_constants = 0;
    if (!good || roof_render_whole(p, &(roof_render_options){.format = "json"}, &text, &length, NULL))
        xm_die("make_corpus: a model cannot be predicted");
    roof_prediction_free(p);
    roof_hw_free(hw);
    roof_graph_free(graph);
    free(file);
    return text;
}

static void save_schedule(void)
{
    static const char head[] = "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":"
                               "\"tiny\"},\"prediction\":",
                      tail[] =
                          ",\"runs\":[{\"mode\":\"bypass\",\"total\":{\"mean_s\":0.00002}},{\"mode\":"
                          "\"per_layer\",\"layers\":[{\"index\":1,\"name\":\"subgraph_conv0\",\"mean_s\":"
                          "0.00001}]}]}]}";
    const xn_config layer_code = {.layer_code = true};
    char *text = prediction_text(xn_tiny(&layer_code, NULL));
    size_t size = sizeof head + strlen(text) + sizeof tail;
    char *document = xm_checked_realloc(NULL, size, 1);
    int length = snprintf(document, size, "%s%s%s", head, text, tail);
    save("measured", "schedule", document, (size_t)length);
    free(document);
    free(text);
}

/* What could be predicted, and what could not. */
static void save_pairs(void)
{
    static const char head[] = "{\"schema\":\"roofline.predictions/1\",\"pairs\":[{\"path\":\"tiny.xmodel\","
                               "\"asked_hw\":\"kv260\",\"why\":null,\"prediction\":",
                      tail[] = "},{\"path\":\"a.json\",\"asked_hw\":null,\"why\":\"is none\",\"prediction\":"
                               "null}]}";
    char *text = prediction_text(xn_tiny(NULL, NULL));
    size_t size = sizeof head + strlen(text) + sizeof tail;
    char *document = xm_checked_realloc(NULL, size, 1);
    int length = snprintf(document, size, "%s%s%s", head, text, tail);
    save("predictions", "one-of-two", document, (size_t)length);
    free(document);
    free(text);
}

static void save_curves(void)
{
    static const struct {
        const char *name;
        roof_curve *(*make)(void);
    } seeds[] = {{"known", curves_known}, {"bound-only", curves_bound_only}};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        roof_curve *curve = seeds[i].make();
        textbuf text;
        text_init(&text, TEXT_MAX_BYTES);
        curve_codec_write(curve, NULL, &text);
        if (text_status(&text, NULL) != ROOF_OK)
            xm_die("make_corpus: no curve");
        save("curve", seeds[i].name, text.bytes, text.length);
        text_free(&text);
        roof_curve_free(curve);
    }
}

/* ---- databases ---- */

/* n documents around a time, then m around another one. */
static void save_history(const char *name, uint64_t n, uint64_t m, const char *script)
{
    sqlite3 *db = NULL;
    char path[4096];
    uint64_t noise = 7;
    roof_history *h = NULL;
    roof_error err;
    snprintf(path, sizeof path, "%s/history/seed-%s", folder, name);
    remove(path);
    if (roof_history_open(path, ROOF_HISTORY_WRITE, &h, &err) != ROOF_OK ||
        history_add_runs(h, (history_document){1, "net", 0.002, true, true, 0}, n, &noise, &err) != ROOF_OK ||
        history_add_runs(h, (history_document){n + 1, "net", 0.0024, true, true, 0}, m, &noise, &err) !=
            ROOF_OK)
        xm_die("make_corpus: %s: %s", path, err.what);
    roof_history_close(h);
    if (script &&
        (sqlite3_open(path, &db) != SQLITE_OK || sqlite3_exec(db, script, NULL, NULL, NULL) != SQLITE_OK))
        xm_die("make_corpus: %s: %s", path, sqlite3_errmsg(db));
    sqlite3_close(db);
}

static void save_histories(void)
{
    save_history("empty", 0, 0, NULL);
    save_history("one", 1, 0, NULL);
    save_history("changed", 20, 5, NULL);
    save_history("another-index", 5, 0, HISTORY_ANOTHER_INDEX);
}

static void save_nsys_exports(void)
{
    static const char *const names[] = {"kernels", "copies", "no-labels"};
    static const char *const scripts[] = {NX_KERNELS, NX_KERNELS NX_COPIES NX_LABELS, NX_KERNELS NX_COPIES};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length;
        unsigned char *bytes = nx_export(scripts[i], &length);
        if (!bytes)
            xm_die("make_corpus: no database");
        save("nsys_sqlite", names[i], bytes, length);
        sqlite3_free(bytes);
    }
}

/* ---- plans of a Neural-ART ---- */

static void save_c_infos(void)
{
    static const char *const names[CI_DIALECTS] = {"flat-2.0", "typed-3.0", "nested-4.0"};
    static const char times[] =
        "{\"aton_execution_time\":[{\"counters\":[1,2,3]}],\"json_schema_version\":\"2.0\"}";
    for (int dialect = 0; dialect < CI_DIALECTS; dialect++) {
        textbuf text;
        text_init(&text, 1 << 20);
        ci_write(&ci_tiny, (ci_dialect)dialect, &text);
        save("c_info", names[dialect], text.bytes, text.length);
        if (dialect == CI_2_0)
            save("c_info", "truncated", text.bytes, text.length / 2);
        text_free(&text);
    }
    save("c_info", "only-times", times, sizeof times - 1);
}

static void save_reports(void)
{
    static const char *const names[ARW_LAYOUTS] = {"lines", "table"};
    static const char head[] = "ST Edge AI Core v4.0.1-1 0\nParameters : generate\nModel name - a\n";
    static const char gaps[] =
        "ST Edge AI Core v4.0.1-1 0\nParameters : generate\nEpochs details\nTotal number of epochs 3\n"
        "| epochs 1 -> 9 | EC | |\n| epoch_12 | Hybrid | Concat |\n| <no executed epochs> | EC | |\n====\n";
    for (int layout = 0; layout < ARW_LAYOUTS; layout++) {
        textbuf text;
        text_init(&text, 1 << 20);
        arw_write(&ci_tiny, (arw_layout)layout, &text);
        save("generate_report", names[layout], text.bytes, text.length);
        if (layout == ARW_TABLE)
            save("generate_report", "truncated", text.bytes, text.length - 100);
        text_free(&text);
    }
    save("generate_report", "no-npu", head, sizeof head - 1);
    save("generate_report", "gaps", gaps, sizeof gaps - 1);
}

/* ---- reports of the Vitis AI execution provider ---- */

static void save_ep_reports(void)
{
    /* no conversion, unknown dimensions and types, a circle, what the comment lacks */
    static const epw_node odd[] = {
        {"Gather", "CPU", {"rows 1 1,128,64"}, {"table 1 1000,64", "ids 7 1,128"}},
        {"MatMul", "NPU", {"product 16 1,128,32"}, {"rows 1 1,128,64", "matrix 16 64,32"}},
        {"TopK", "VITIS_EP_CPU", {"best 1 N,5", "-"}, {"product 16 1,128,32", "k 7 1"}},
        {"Text", "CPU", {"words 8 3"}, {"best 1 N,5"}},
    };
    static const epw_node circle[] = {{"Relu", "NPU", {"a 1 1"}, {"b 1 1"}},
                                      {"Relu", "NPU", {"b 1 1"}, {"a 1 1"}}};
    static const char *const no_constants[] = {NULL};
    const epw_network networks[] = {
        epw_tiny, {odd, sizeof odd / sizeof *odd, no_constants}, {circle, 2, no_constants}};
    static const char *const names[] = {"tiny", "odd", "circle"};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        textbuf text;
        text_init(&text, 1 << 20);
        epw_report(&networks[i], &text);
        save("vitisai_ep", names[i], text.bytes, text.length);
        if (i == 0)
            save("vitisai_ep", "truncated", text.bytes, text.length / 2);
        text_free(&text);
    }
    textbuf text;
    text_init(&text, 1 << 20);
    epw_context(&epw_tiny, &text);
    save("vitisai_ep", "context", text.bytes, text.length);
    text_free(&text);
}

/* ---- TFLite files ---- */

/* Of a few bytes each, so that mutations meet tables rather than weights. */
static void save_tflite(const char *name, const tfw_network *network)
{
    size_t size;
    unsigned char *bytes = tfw_write(network, &size);
    save("tflite", name, bytes, size);
    if (network == &tfw_tiny)
        save("tflite", "truncated", bytes, size / 2);
    free(bytes);
}

static void save_tflites(void)
{
    /* open shapes, a variable, a product, control flow, what moves data, no options, a volume */
    static const tfw_tensor tensors[] = {
        TFW_TENSOR("x", TFW_FLOAT32, {1, 8, 8, 4}, .signature = {-1, 8, 8, 4}),
        TFW_TENSOR("pads", TFW_INT32, {4, 2}, .data = TFW_VALUES, .values = {0, 0, 1, 1, 1, 1}),
        TFW_TENSOR("padded", TFW_FLOAT32, {1, 10, 10, 4}),
        TFW_TENSOR("w16", TFW_FLOAT16, {4, 3, 3, 1}, .data = TFW_BEHIND),
        TFW_TENSOR("w", TFW_FLOAT32, {4, 3, 3, 1}),
        TFW_TENSOR("conv", TFW_FLOAT32, {1, 8, 8, 4}),
        TFW_TENSOR("swish", TFW_FLOAT32, {1, 8, 8, 4}),
        TFW_TENSOR("mean", TFW_FLOAT32, {1, 4}),
        TFW_TENSOR("state", TFW_INT16, {1, 4}, .is_variable = true),
        TFW_TENSOR("sum", TFW_FLOAT32, {1, 4}),
        TFW_TENSOR("product", TFW_FLOAT32, {4, 4}),
        TFW_TENSOR("looped", TFW_FLOAT32, {1, 1}, .signature = {1, -1}),
        TFW_TENSOR("flat", TFW_FLOAT32, {0}),
    };
    static const tfw_operator operators[] = {
        {34, .inputs = {"x", "pads"}, .outputs = {"padded"}},
        {6, .inputs = {"w16"}, .outputs = {"w"}},
        {3, .inputs = {"padded", "w", "-"}, .outputs = {"conv"}, .options = TFW_CONV(TFW_VALID, 1, 1)},
        {117, .inputs = {"conv"}, .outputs = {"swish"}},
        {40, .inputs = {"swish", "pads"}, .outputs = {"mean"}},
        {0, .inputs = {"mean", "state"}, .outputs = {"sum"}},
        {126, .inputs = {"sum", "mean"}, .outputs = {"product"}},
        {119, .inputs = {"product"}, .outputs = {"looped"}},
        {22, .inputs = {"looped"}, .outputs = {"flat"}},
        {144, .inputs = {"state", "sum"}},
    };
    /* operands that contradict one another, with values that are looked at */
    static const tfw_tensor misfitting[] = {
        TFW_TENSOR("x", TFW_INT8, {1, 8, 8, 4}),
        TFW_TENSOR("w", TFW_INT8, {4, 3, 3, 3}, .data = TFW_ZEROS),
        TFW_LIST("list", 2, 2, -9),
        TFW_TENSOR("conv", TFW_INT8, {1, 8, 8, 5}),
        TFW_TENSOR("flat", TFW_INT8, {1, 255}),
        TFW_TENSOR("left", TFW_INT8, {1, 8, 8, 3}),
        TFW_TENSOR("right", TFW_INT8, {1, 8, 8, 3}),
        TFW_TENSOR("turned", TFW_INT8, {8, 8}),
        TFW_TENSOR("joined", TFW_INT8, {1, 8, 8, 9}),
        TFW_TENSOR("scores", TFW_INT8, {1, 4}),
    };
    static const tfw_operator contradicted[] = {
        {3, .inputs = {"x", "w", "-"}, .outputs = {"conv"}, .options = TFW_CONV(TFW_VALID, 0, -1)},
        {22, .inputs = {"conv", "list"}, .outputs = {"flat"}},
        {102, .inputs = {"x", "list", "list"}, .outputs = {"left", "right"}},
        {39, .inputs = {"right", "list"}, .outputs = {"turned"}},
        {2, .inputs = {"left", "x"}, .outputs = {"joined"}, .options = {10, {{4, -7}}}},
        {9, .inputs = {"flat", "w"}, .outputs = {"scores"}},
    };
    save_tflite("misfits", &(tfw_network){.tensors = misfitting,
                                          .n_tensors = sizeof misfitting / sizeof *misfitting,
                                          .operators = contradicted,
                                          .n_operators = sizeof contradicted / sizeof *contradicted,
                                          .inputs = {"x"},
                                          .outputs = {"scores"}});
    save_tflite("tiny", &tfw_tiny);
    save_tflite("vela", &tfw_vela);
    save_tflite("loops", &tfw_loops);
    save_tflite("odd", &(tfw_network){.tensors = tensors,
                                      .n_tensors = sizeof tensors / sizeof *tensors,
                                      .operators = operators,
                                      .n_operators = sizeof operators / sizeof *operators,
                                      .inputs = {"x"},
                                      .outputs = {"flat"},
                                      .n_further = 2});
}

/* ---- command streams ---- */

/* A payload behind a byte of the target, and as the data of a delegate. */
static void save_payload(const char *name, const euw_network *network, uint8_t rules)
{
    static const unsigned char head[32] = {32, 0, 0, 0, 'E', 'T', '1', '2'};
    size_t size;
    unsigned char *payload = euw_write(network, &size), *bytes = malloc(sizeof head + size);
    if (!bytes)
        exit(1);
    bytes[0] = rules;
    memcpy(bytes + 1, payload, size);
    save("ethosu", name, bytes, 1 + size);
    memcpy(bytes, head, sizeof head);
    memcpy(bytes + sizeof head, payload, size);
    save("pte", name, bytes, sizeof head + size);
    free(payload);
    free(bytes);
}

static void save_payloads(void)
{
    static const euw_launch chained[] = {
        {EUW_CONV, .ifm = EUW_MAP(1, 0, 4, 4, 8), .ofm = {3, 0, 4, 4, 8, .storage = EUW_CHAINED}, .kernel = 1,
         .weight_format = 0x10, .weights = {0, 0, 64}, .scales = {0, 64, 48}},
        {EUW_ELEMENTWISE, 1, .ifm = {3, 0, 4, 4, 8, .storage = EUW_CHAINED},
         .ifm2 = {0, 0, 1, 1, 1, .storage = EUW_NOWHERE}, .ofm = EUW_MAP(1, 1024, 4, 4, 8), .broadcast2 = 8},
        {EUW_RESIZE, .ifm = EUW_MAP(1, 1024, 4, 4, 8), .ofm = EUW_MAP(1, 2048, 8, 8, 8)},
    };
    static const euw_launch striped[] = {
        {EUW_CONV, .ifm = EUW_MAP(2, 0, 2, 8, 16), .ofm = EUW_MAP(2, 2048, 2, 8, 16), .weights = {0, 0, 64},
         .scales = {0, 64, 16}},
        {EUW_ELEMENTWISE, 0, .ifm = EUW_MAP(2, 2048, 2, 8, 16), .ifm2 = EUW_MAP(1, 0, 1, 8, 16),
         .ofm = EUW_MAP(2, 4096, 2, 8, 16), .broadcast2 = 1},
        {EUW_CONV, .ifm = EUW_MAP(2, 256, 2, 8, 16), .ofm = EUW_MAP(2, 2304, 2, 8, 16), .weights = {0, 0, 64},
         .scales = {0, 64, 16}},
        {EUW_ELEMENTWISE, 0, .ifm = EUW_MAP(2, 2304, 2, 8, 16), .ifm2 = EUW_MAP(1, 0, 1, 8, 16),
         .ofm = EUW_MAP(2, 4352, 2, 8, 16), .broadcast2 = 1},
    };
    save_payload("small", &euw_small, 2);
    save_payload("chained", &(euw_network){EUW_U85_256, chained, sizeof chained / sizeof *chained}, 3);
    save_payload("striped", &(euw_network){EUW_U65_512, striped, sizeof striped / sizeof *striped}, 2);
    save_payload("regor", &(euw_network){EUW_U55_64, striped, sizeof striped / sizeof *striped}, 1);
}

/* ---- what the Neural-ART compiler writes and takes ---- */

#define POOL_COLUMNS(pool)                                                                                   \
    pool " (r)," pool " (w)," pool " (r+w)," pool " (r cycles)," pool " (w cycles)," pool " (cycles),"
#define CSV_COLUMNS                                                                                          \
    "epochs," POOL_COLUMNS("flash") POOL_COLUMNS(                                                            \
        "ram") "bus port 1 (r),bus port 1 (w),bus port 0 (r),"                                               \
               "bus port 0 (w),epoch OPS,epoch OPS vs total %,epoch compute (cyles),max (cycles)\n"
#define CSV_IDLE(number) number " ,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n"
#define CSV_ROW          "1 ,100,0,100,600,0,600,20,40,60,3,7,10,20,0,100,40,2000,1,500,600\n"
#define CSV_TOTALS                                                                                           \
    "\nTotal,100,0,100,600,0,600,20,40,60,3,7,10,\nBW,1e+08,0,1e+08,1,0,1,1,1,1,1,1,1,\n\n"                  \
    "flash , 9.73 MB , total bytes r/w BW,1e+08\nram , ?\n\n"                                                \
    "Total cycles,600\nTotal ideal cycles,500\nTotal OPS,2000\nTOPS/W,0.88\n"
#define POOL(name, more)                                                                                     \
    "{\"fname\":\"F\",\"name\":\"" name "\",\"prop\":{\"rights\":\"ACC_READ\",\"byteWidth\":8,"              \
    "\"freqRatio\":1.25,\"cacheable\":\"CACHEABLE_ON\"},\n\"offset\":{\"value\":\"0x34200000\","             \
    "\"magnitude\":\"BYTES\"},\"size\":{\"value\":\"448\",\"magnitude\":\"KBYTES\"}" more "}"
#define MPOOL(pools) "{\"memory\":{\"mem_file_prefix\":\"buf\",\"mempools\":[\n" pools "]}}\n"

static const struct {
    const char *target, *name, *text;
} plans[] = {
    {"network_layout", "diamond",
     "graph 1 3.18 3.82\nnode i 1.98 3.81 0.02 0.02 \"\" solid box black lightgrey\nnode o 1.98 0.01 0.02 "
     "0.02\n"
     "node n0 1.98 3 2.4 0.6\nnode n1 1.2 1.91 2.4 0.6\nnode n2 1.98 0.81 2.4 0.6\n"
     "edge i n0 4 1.98 3.8 1.98 3.78 1.98 3.52 1.98 3.3 solid black\n"
     "edge n0 n1 4 1.77 2.7 1.66 2.55 1.52 2.36 1.41 2.21\n"
     "edge n0 n2 7 2.24 2.7 2.35 2.57 2.46 2.39 2.52 2.21 2.6 1.95 2.35 1.25 2.24 1.11\n"
     "edge n1 n2 4 1.41 1.61 1.52 1.46 1.66 1.27 1.77 1.11\nedge n2 o 4 1.98 0.51 1.98 0.29 1.98 0.03 1.98 "
     "0.01\nstop\n"},
    {"network_layout", "far", "graph 1 1e300 nan\nnode n0 1e9 0\nedge n0 n1 4 1 1\nstop\n"},
    {"network_layout", "points", "graph 1 1 1\nnode n0 1 1\nedge n0 n1 3001 1 1 1 1 1 1 1 1\nstop\n"},
    {"network_csv", "whole", CSV_COLUMNS CSV_IDLE("0") CSV_ROW CSV_IDLE("2") CSV_TOTALS},
    {"network_csv", "no-totals", CSV_COLUMNS CSV_IDLE("0") CSV_ROW},
    {"network_csv", "end-only", CSV_COLUMNS CSV_IDLE("7") CSV_TOTALS},
    {"network_csv", "wrong-total", CSV_COLUMNS CSV_IDLE("0") CSV_TOTALS},
    {"network_csv", "wrong-column", "epochs,a (r),b (w)\n"},
    {"network_csv", "pool-twice", "epochs," POOL_COLUMNS("a") POOL_COLUMNS("a") "max (cycles)\n"},
    {"network_csv", "idle",
     "\xef\xbb\xbf"
     "epochs," POOL_COLUMNS("a") "epoch compute (cyles),max (cycles)\r\n0,0,0,0,0,0,0,0,0\r\n"
                                 "\r\nTotal,0,0,0,0,0,0,\r\nTotal cycles,0\r\n"},
    {"mpool", "by-hand", "{\"params\":{\"param\":[]},\n\"memory\":{\"mempools\":[" POOL("ram", "") "]}}"},
    {"mpool", "saved",
     MPOOL(POOL("ram", "") "," POOL("flash", ",\"mode\":\"USEMODE_RELATIVE\",\"busNode\":0"))},
    {"mpool", "comments", "// one\n" MPOOL("/* two */ " POOL("ram", "") ", // three\n")},
    {"mpool", "slips",
     "{\"memory\":{\"mempools\":[{\"name\":\"a\",\n\"prop\":{}\n\"size\":{\"value\":\"1\", "
     "magnitude\":\"MBYTES\"},}]}}"},
    {"mpool", "no-limit",
     MPOOL("{\"name\":\"a\",\"prop\":{\"byte_width\":1,\"freq_ratio\":6},"
           "\"size\":{\"value\":\"9223372036854775776\",\"magnitude\":\"BYTES\"}}")},
    {"mpool", "wrong-size",
     MPOOL("{\"name\":\"a\",\"size\":{\"value\":\"18014398509481984\",\"magnitude\":\"KBYTES\"}}")},
    {"mpool", "wrong-twice", MPOOL(POOL("a", "") "," POOL("a", ""))},
    {"mpool", "no-end", "/* {\"memory\":"},
    {"mpool", "programs",
     "#include <string.h>\nECBLOB_CONST_SECTION\nstatic const uint64_t _ec_blob_2 [] =\n{\n  0x1UL, "
     "0x2UL,\n};\n"
     "static const uint64_t _ec_blob_net_5[3] =\n{ 1, 2, 3 };\nstatic const uint64_t _ec_blob_2[4] = { 1"},
    {"mpool", "profiles",
     "{\"Globals\":{\n// "
     "\"NA_binary\":\"x\"\n},\"Profiles\":{\"a\":{\"memory_pool\":\"./p.mpool\",\"options\":\"-O3\"},"
     "\"b\":{}}}"},
    {"mpool", "profiles-twice", "{\"Profiles\":{\"a\":{},\"a\":{}}}"},
};

static void save_plans(void)
{
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        save(plans[i].target, plans[i].name, plans[i].text, strlen(plans[i].text));
}

/* ---- control code ---- */

static const char lowered_mlir[] =
    "module {\n  aie.device(npu2) {\n    %c1_i64 = arith.constant 1 : i64\n    %c17_i64 = arith.constant 17 "
    ": i64\n"
    "    %shim_0 = aie.tile(0, 0) {controller_id = 15}\n"
    "    aie.runtime_sequence @sequence(%a: memref<17xi32>, %b: memref<4x17xbf16>) {\n"
    "      aiex.npu.writebd {bd_id = 3 : i32, buffer_length = 64 : i32, column = 1 : i32, next_bd = 4 : i32, "
    "row = 0 : i32, "
    "use_next_bd = 1 : i32}\n"
    "      aiex.npu.writebd {bd_id = 4 : i32, buffer_length = 32 : i32, column = 1 : i32, row = 0 : i32}\n"
    "      aiex.npu.address_patch {addr = 33673316 : ui32, arg_idx = 1 : i32, arg_plus = 0 : i32}\n"
    "      aiex.npu.write32 {address = 119308 : ui32, column = 1 : i32, row = 0 : i32, value = 3 : ui32}\n"
    "      aiex.npu.dma_memcpy_nd(%a[%c1_i64, 0][%c1_i64, %c17_i64][0, 1]) {id = 0 : i64, metadata = @in} : "
    "memref<17xi32>\n"
    "      %0 = aiex.dma_configure_task_for @out {\n"
    "        aie.dma_bd(%b : memref<4x17xbf16>, 0, 34, [<size = 2, stride = 17>]) {burst_length = 0 : i32}\n"
    "        aie.end\n      } {issue_token = true, repeat_count = 2 : i32}\n      aiex.dma_await_task(%0)\n  "
    "  }\n"
    "    aie.shim_dma_allocation @in(%shim_0, MM2S, 1)\n    aie.shim_dma_allocation @out(S2MM, 0, 2)\n  "
    "}\n}\n";

static void save_control_code(void)
{
    static const char *const names[] = {"txn-0.1", "txn-1.0", "ctrlcode"};
    static const aw_product product = {64, 32, 64, 16, 16, 2, 2, 2, 2, 4};
    for (aw_kind kind = AW_TXN_01; kind <= AW_CTRLCODE; kind++) {
        aw_code code = aw_write_product(kind, 3 + (uint32_t)kind % 2, &product);
        char name[40];
        size_t length;
        char *text = aw_text(&code, &length);
        if (kind != AW_CTRLCODE) {
            save("aie_code", names[kind], code.words, 4 * code.n);
            save("predict", names[kind], code.words, 4 * code.n);
        }
        snprintf(name, sizeof name, "%s.txt", names[kind]);
        save("aie_code", name, text, length);
        free(text);
        aw_free(&code);
    }
    size_t length;
    char *mlir = aw_mlir(&product, true, &length);
    save("aie_mlir", "product", mlir, length);
    save("predict", "aie_mlir", mlir, length);
    free(mlir);
    save("aie_mlir", "lowered", lowered_mlir, sizeof lowered_mlir - 1);
}

static void save_budgets(void)
{
    static const char *const budgets[][2] = {
        {"all", "{\"schema\":\"roofline.budget/"
                "1\",\"total\":{\"mean_s\":0.03,\"p50_s\":0.03,\"p95_s\":0.032,\"p99_s\":0.0333,"
                "\"worst_s\":0.04,\"deadline_s\":0.0333,\"best_s\":0.02,\"expected_s\":0.025,\"total_bytes\":"
                "40000000},"
                "\"types\":{\"conv\":{\"efficiency_ratio\":0.5},\"pool\":{\"efficiency_ratio\":0.1}},"
                "\"baseline\":{\"file\":\"old.json\",\"factor\":1.02,\"layer_factor\":1.1},\"optional\":["
                "\"p99_s\",\"pool\"]}"},
        {"least", "{\"schema\":\"roofline.budget/1\",\"total\":{\"p99_s\":0}}"},
        {"baseline", "{\"schema\":\"roofline.budget/1\",\"baseline\":{\"file\":\"/"
                     "old.json\"},\"optional\":[\"baseline\"]}"},
        {"slip", "{\"schema\":\"roofline.budget/1\",\"total\":{\"p99\":1}}"},
    };
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++)
        save("budget", budgets[i][0], budgets[i][1], strlen(budgets[i][1]));
}

static void save_sweep_plans(void)
{
    static const char *const texts[][2] = {
        {"all",
         "{\"schema\":\"roofline.sweep/1\",\"models\":[\"a.xmodel\",{\"path\":\"/b.json\",\"phase\":"
         "\"decode\",\"prompt_tokens\":128,\"context_tokens\":4096,\"data_type\":\"int8\"}],\"devices\":"
         "[\"kv260\",\"./own.json\",\"mac=2048/cycle,clock=300MHz,ddr=19.2GB/s\"],\"clocks\":[\"250MHz\","
         "\"0.3GHz\"],\"bandwidths\":[\"19.2GB/s\"],\"batch\":[1,2,8],\"threads\":[1,256],\"host\":"
         "\"classify\"}"},
        {"profiles", "{\"schema\":\"roofline.sweep/1\",\"measured\":[\"m.json\"],\"calibrations\":[\"a\","
                     "\"b\"]}"},
        {"slip", "{\"schema\":\"roofline.sweep/1\",\"models\":[\"a\"],\"devices\":[\"b\"],\"clock\":[]}"},
        {"empty", "{\"schema\":\"roofline.sweep/1\",\"models\":[],\"devices\":[\"b\"],\"batch\":null}"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        save("sweep_plan", texts[i][0], texts[i][1], strlen(texts[i][1]));
}

/* Lines of a file of points are signed by who wrote them; a first byte says whether they are JSON. */
static void save_points(void)
{
    static const char *const rows[] = {"3,net,kv260,0.5\n", "{\"index\":3,\"model\":\"net\"}\n"};
    for (int is_json = 0; is_json < 2; is_json++) {
        textbuf text;
        text_init(&text, 1000);
        text_puts(&text, is_json ? "j" : "c");
        for (int i = 0; i < 2; i++) {
            const size_t at = text.length;
            text_puts(&text, rows[is_json]);
            results_line_sign(&text, at, is_json, "0123456789abcdef", 8);
        }
        text_puts(&text, "torn");
        save("results_line", is_json ? "json" : "csv", text.bytes, text.length);
        text_free(&text);
    }
}

/* The index is added, and lines are signed, by the target. */
static void save_pareto(void)
{
    static const char *const texts[][2] = {
        {"csv",
         "cindex,configuration,model,asked_hw,clock_hz,peak_ops_per_s,cores,per_s,unit,why\n"
         ",0,net,kv260,3e8,1e12,1,100,inference,\n,1,net,\"a \"\"b\"\", c\",2e8,2e12,1,200,inference,\n"
         ",0,other,kv260,3e8,,,,,\"'=no\"\n,1,other,b,2e8,2e12,1,7,token,\n"},
        {"json",
         "j,\"configuration\":0,\"model\":\"net\",\"asked_hw\":\"a\",\"peak_ops_per_s\":1e12,\"cores\":2,"
         "\"expected_per_s\":9.5,\"is_for_other\":true,\"why\":null\n"
         ",\"configuration\":1,\"model\":\"net\",\"asked_hw\":\"b\",\"x\":[1,{}],\"why\":\"no\"\n"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        save("fronts", texts[i][0], texts[i][1], strlen(texts[i][1]));
}

/* Small networks of all that the reader follows: windows, quantisation, functions, branches. */
static void save_onnx(void)
{
    static const struct {
        const char *name, *text;
    } models[] = {
        {"convolutions",
         "input x float N,3,8,8;weights w float 4,3,3,3;weights b float 4;Conv x,w,b -> c pads=[1,1,1,1];"
         "Relu c -> r;weights d float 4,1,3,3;Conv r,d -> e group=4 auto_pad=\"SAME_UPPER\";"
         "MaxPool e -> p kernel_shape=[2,2] strides=[2,2] ceil_mode=1;Add p,p -> a;"
         "GlobalAveragePool a -> g;Flatten g -> f;weights k float 4,10;Gemm f,k -> y;output y"},
        {"quantised",
         "input x float 1,8,4,4;values s float - = 0.1;values z uint8 - = 3;QuantizeLinear x,s,z -> q;"
         "DequantizeLinear q,s,z -> d;weights w int8 4,8,1,1;values v int8 - = 0;"
         "DequantizeLinear w,s,v -> e;Conv d,e -> c;QuantizeLinear c,s,z -> o;"
         "QLinearAdd o,s,z,o,s,z,s,z -> p;QLinearConcat s,z,o,s,z,p,s,z -> y axis=1"},
        {"reckoned",
         "input x float 2,3,4,5;Shape x -> s;values i int64 - = 0;Gather s,i -> n;values a int64 1 = 0;"
         "Unsqueeze n,a -> u;raw r int64 1 = -1;Concat u,r -> t axis=0;Reshape x,t -> y;"
         "values e float 4 = 1,1,2,2;Resize x,,e -> z;Split z -> o,p axis=1 split=[1,2];"
         "Transpose p -> q perm=[0,2,3,1];Slice q,a,r -> k"},
        {"functions", "opset d 1;input x float 1,8,4,4;weights w float 8,8,3,3;d:Block x,w -> y;"
                      "function d:Block v,k -> r;Conv v,k -> c pads=[1,1,1,1];d:Act c -> r slope=0.1;end;"
                      "function d:Act v -> r;LeakyRelu v -> r alpha=&slope;end"},
        {"branches",
         "input x float 1,8;values c bool - = 1;If c -> y then_branch=@yes else_branch=@no;"
         "input k bool -;If k -> z then_branch=@yes else_branch=@no;graph yes;Relu x -> t;output t;end;"
         "graph no;Neg x -> e;output e;end"},
        {"transformer",
         "input x float 1,6,8;weights w float 8,8;MatMul x,w -> q;MatMul x,w -> k;"
         "Transpose k -> t perm=[0,2,1];MatMul q,t -> s;Softmax s -> p;MatMul p,x -> o;Add o,x -> r;"
         "Sigmoid r -> g;Mul r,g -> y"},
        /* operands that contradict one another, with a batch that is open, so that the file is read again */
        {"misfits",
         "input x float N,8,16,16;weights w float 8,64,3,3;Conv x,w -> a;Conv x,w -> b group=3;"
         "Conv x,w -> c strides=[0,1];Conv x,w -> d kernel_shape=[7,7];values s int64 2 = 5,5;Reshape x,s -> "
         "e;"
         "Transpose x -> f perm=[0,0,1,2];Concat x,a -> g axis=3;MatMul x,w -> h;Gemm f,w -> i transA=1;"
         "Split x -> j,k axis=1 split=[3,4];Slice x,s,s,s,s -> l;Gather x,s -> m axis=1;Pad x,s -> n;"
         "Tile x,s -> o;Expand x,s -> p;Resize x,,,s -> q;Squeeze x,s -> t;Unsqueeze x,s -> u;TopK x,s -> v;"
         "ReduceSum x,s -> z;GatherND x,s -> y;PRelu x,w -> r;DequantizeLinear w,s,s -> aa;"
         "LSTM x,w,w,s -> ab;declare a float 1,2;output y float N,9"},
        {"circle", "input x float 2;Add x,b -> a;Relu a -> b"},
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        xm_buffer b;
        onnx_text_write(models[i].text, &b);
        save("onnx", models[i].name, b.data + b.start, b.capacity_bytes - b.start);
        xm_buffer_free(&b);
    }
}

/* ---- ONNX ---- */

static void save_onnx_models(void)
{
    static const ow_node inner[] = {{.name = "in", .type = "Relu", .inputs = {"a"}, .outputs = {"b"}}};
    static const ow_graph body = {.name = "body", OW(.nodes, inner)};
    static const ow_node nodes[] = {{.name = "conv",
                                     .type = "Conv",
                                     .inputs = {"x", "w"},
                                     .outputs = {"y"},
                                     .attrs = {OW_INTS("strides", 2, 2), OW_TEXT("auto_pad", "SAME_UPPER")},
                                     .metadata = {{"roofline.ideal_us", "80.3"}, {"other", "kept"}}},
                                    {.type = "Relu", .inputs = {"y"}, .outputs = {"z"}},
                                    {.name = "if",
                                     .type = "If",
                                     .inputs = {"z"},
                                     .outputs = {"b"},
                                     .attrs = {OW_GRAPH("then_branch", &body)}}};
    static const ow_tensor weights[] = {{"w", OW_INT8, .dims = OW_DIMS(8, 3, 3, 3), .data = OW_ZEROS}};
    static const ow_tensor outside[] = {
        {"w", OW_FLOAT, .dims = OW_DIMS(8, 3, 3, 3), .data = OW_EXTERNAL, .location = "w.bin"}};
    static const ow_value inputs[] = {{"x", OW_FLOAT, .dims = OW_DIMS(-1, 3, 8, 8)}};
    ow_model model = {
        .producer = "test",
        .graph = {.name = "net", OW(.nodes, nodes), OW(.initializers, weights), OW(.inputs, inputs)},
        .metadata = {{"roofline.macs", "7"}, {"author", "somebody"}}};
    static const char *const names[] = {"weights", "outside", "newer"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size;
        if (i == 1)
            model.graph.initializers.list = outside;
        model.ir_version = i == 2 ? 10 : 8;
        uint8_t *bytes = ow_write(&model, &size);
        save("onnx_rewrite", names[i], bytes, size);
        if (i == 0) { /* two graphs, which are one; a length in more bytes than it needs; cut off */
            uint8_t *both = xm_checked_realloc(NULL, 2, size);
            memcpy(both, bytes, size);
            memcpy(both + size, bytes, size);
            save("onnx_rewrite", "two-graphs", both, 2 * size);
            free(both);
            save("onnx_rewrite", "cut-off", bytes, size / 2);
            save("onnx_rewrite", "long-length", "\x3a\x86\x00\x0a\x82\x80\x00\x10\x00", 9);
        }
        free(bytes);
    }
    save("onnx_rewrite", "no-graph", "\x08\x08", 2);
    save("onnx_rewrite", "key-twice", "\x3a\x12\x0a\x10\x4a\x0e\x0a\x01q\x0a\x09roofline.", 20);
}

/* What each kind of edit is made of, in the order in which fuzz_onnx_edit.c takes turns. */
static void save_edits(void)
{
#define IMAGE  "opset 17;input x float 1,4,9,7;"
#define TWELVE "0.5,-1,2,0.25,1,1,-2,3,0.125,1,0,1"
#define BORDER "values p int64 8 = 0,0,1,2,0,0,0,1;Pad b,p -> q;"
    static const struct {
        const char *name, *text;
    } models[] = {
        {"made",
         IMAGE "Identity x -> b;" BORDER "raw w float 4,1,3,1 = " TWELVE ";Conv q,w -> c group=4;output c"},
        {"floats",
         IMAGE "raw v float 4,1,3,1 = " TWELVE ";Relu x -> a;Relu a -> b;values w float 4,1,3,1 = " TWELVE
               ";Conv b,w -> c group=4 pads=[1,0,1,0];output c"},
        {"outputs", IMAGE "Identity x -> b;" BORDER "output q;output b"},
        {"shared",
         IMAGE "raw w float 4,1,3,1 = " TWELVE ";Identity x -> b;Identity b -> a;Conv a,w -> c group=4;"
               "Conv b,w -> d group=4;Add c,d -> e;output e"},
        {"circle", IMAGE "Identity a -> b;Identity x -> y;Relu b -> c;Identity b -> a;output c"},
        {"automatic", IMAGE "Relu x -> b;" BORDER "raw w float 4,1,3,1 = " TWELVE
                            ";Conv q,w -> c auto_pad=\"SAME_UPPER\" group=4;output c"},
    };
#undef IMAGE
#undef TWELVE
#undef BORDER
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        xm_buffer b = {0};
        onnx_text_write(models[i].text, &b);
        save("onnx_edit", models[i].name, b.data + b.start, b.capacity_bytes - b.start);
        xm_buffer_free(&b);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: make_corpus FOLDER\n", stderr);
        return 1;
    }
    folder = argv[1];
    save_networks();
    save_control_code();
    save_quantised();
    save_rnn();
    save_wrong_models();
    save_broken_files();
    save_nested();
    save_two_roots();
    save_generated_c();
    save_lm_configs();
    save_weights();
    save_streams();
    save_schedule();
    save_pairs();
    save_curves();
    save_nsys_exports();
    save_histories();
    save_edits();
    save_c_infos();
    save_reports();
    save_ep_reports();
    save_tflites();
    save_payloads();
    save_plans();
    save_onnx_models();
    save_budgets();
    save_sweep_plans();
    save_points();
    save_pareto();
    save_onnx();
    return 0;
}
