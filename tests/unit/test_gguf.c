/* GGUF: bytes, elements and caches of small models, counted a second time by hand; what is refused, and
 * why; how much of a large file is touched. */
#include "core/text.h"
#include "model/formats/hf_config/lm_model.h"
#include "tests/support/weights_writer.h"
#include "tests/unit/fixture.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define DECODE(n)                                                                                            \
    {                                                                                                        \
        .phase = ROOF_TEXT_DECODE, .context_tokens = (n), .asks_text = true                                  \
    }

static const ww_model *model_named(const char *name)
{
    const ww_model *m = ww_models;
    while (m->name && strcmp(m->name, name) != 0)
        m++;
    assert_non_null(m->name);
    return m;
}

static textbuf written(const ww_model *m, const ww_gguf *how)
{
    textbuf out;
    text_init(&out, TEXT_MAX_BYTES);
    ww_write_gguf(m, how, &out);
    assert_false(out.failed);
    return out;
}

/* From memory of exactly its size. */
static roof_status read_bytes(const char *bytes, size_t size, const roof_workload *w, roof_graph **out,
                              roof_error *err, uint8_t **copy)
{
    *copy = fx_copy(bytes, size);
    return graph_read_memory_as(*copy, size, "test.gguf", w, out, err);
}

static roof_graph *open_model(const ww_model *m, const ww_gguf *how, roof_workload w, uint8_t **bytes)
{
    textbuf file = written(m, how);
    roof_graph *g = NULL;
    roof_error err = {0};
    if (read_bytes(file.bytes, file.length, &w, &g, &err, bytes) != ROOF_OK)
        fail_msg("%s: %s", m->name, fx_message(&err));
    text_free(&file);
    return g;
}

/* ---- counts -------------------------------------------------------------------------------------------- */

/* Reckoned by hand from shapes: blocks of ggml, 2 bytes an element of the cache. */
static const struct counted {
    const char *name;
    uint64_t tensor_bytes, read_bytes, parameters, active, cache_bytes_per_token, state_bytes;
} counts[] = {
    {"tied", 5756064, 5756064, 9429504, 9429504, 2048, 0},
    {"headed", 2994816, 2858816, 2813696, 2685696, 3072, 0},
    {"fused", 2876416, 2620416, 1436928, 1308928, 1024, 0},
    {"experts", 3272320, 1209664, 5768960, 2102016, 1536, 0},
    {"latent", 7266816, 3471872, 3628160, 1730688, 960, 0},
    {"window", 13650944, 13650944, 6819072, 6819072, 512, 0},
    {"further", 3633792, 2244416, 3406592, 2098944, 1536, 0},
    {"state", 2788000, 2652000, 2617608, 2489608, 1024, 271360},
    {"stranger", 2876416, 2620416, 1436928, 1308928, 1024, 0},
};

static void check_counts(const struct counted *want, const ww_gguf *how)
{
    roof_language_counts c;
    uint8_t *bytes;
    roof_graph *g = open_model(model_named(want->name), how, (roof_workload)DECODE(100), &bytes);
    assert_int_equal(roof_language_count(g->storage->language, g->storage->language_point, &c, NULL),
                     ROOF_OK);
    assert_int_equal(c.resident_weight_bytes, want->tensor_bytes);
    assert_int_equal(c.weight_bytes, want->read_bytes);
    assert_int_equal(c.parameters, want->parameters);
    assert_int_equal(c.active_parameters, want->active);
    assert_int_equal(c.kv_bytes_per_token, want->cache_bytes_per_token);
    assert_int_equal(c.state_bytes, want->state_bytes);
    roof_graph_free(g);
    free(bytes);
}

static void every_byte_of_a_tensor_is_counted(void **state)
{
    static const ww_gguf ways[] = {{.version = 1},   {.version = 2},    {.version = 3},
                                   {.is_big = true}, {.alignment = 64}, {.has_data = true}};
    (void)state;
    for (size_t i = 0; i < COUNT(counts); i++)
        for (size_t k = 0; k < COUNT(ways); k++)
            check_counts(&counts[i], &ways[k]);
}

static void keys_by_layer_are_read_as_well(void **state)
{
    (void)state;
    check_counts(&counts[0], &(ww_gguf){.n_kv_heads = 4});
}

static void rows_hold_the_bytes_of_their_tensors(void **state)
{
    const roof_workload workloads[] = {DECODE(100),
                                       {.phase = ROOF_TEXT_PREFILL, .prompt_tokens = 64, .asks_text = true}};
    (void)state;
    for (size_t i = 0; i < 2 * COUNT(counts); i++) {
        const struct counted *want = &counts[i / 2];
        uint8_t *bytes;
        roof_graph *g = open_model(model_named(want->name), &(ww_gguf){0}, workloads[i % 2], &bytes);
        roof_program *p = NULL;
        uint64_t sum = 0;
        assert_int_equal(roof_program_of(g, &p, NULL), ROOF_OK);
        for (uint32_t r = 0; r < p->n_rows; r++)
            sum += p->rows[r].work.traffic.weights_bytes * p->rows[r].repeat;
        assert_int_equal(sum, want->read_bytes);
        roof_program_free(p);
        roof_graph_free(g);
        free(bytes);
    }
}

/* The bound of a step is its bytes over the bandwidth, whatever the device computes in. */
static void a_prediction_moves_what_is_counted(void **state)
{
    static const char *const devices[] = {"rtx-4090", "h100", "raspberry-pi-5"};
    (void)state;
    for (size_t i = 0; i < COUNT(counts) * COUNT(devices); i++) {
        const struct counted *want = &counts[i / COUNT(devices)];
        uint8_t *bytes;
        roof_graph *g =
            open_model(model_named(want->name), &(ww_gguf){0}, (roof_workload)DECODE(1000), &bytes);
        roof_hw *hw = NULL;
        roof_prediction *p = NULL;
        roof_error err = {0};
        if (roof_hw_load(devices[i % COUNT(devices)], &hw, &err) != ROOF_OK ||
            roof_predict(g, hw, NULL, &p, &err) != ROOF_OK)
            fail_msg("%s: %s", want->name, fx_message(&err));
        assert_int_equal(p->total.deployed.traffic.weights_bytes, want->read_bytes);
        assert_int_equal(p->language.counts.weight_bytes, want->read_bytes);
        roof_prediction_free(p);
        roof_hw_free(hw);
        roof_graph_free(g);
        free(bytes);
    }
}

/* What tests and header both have of a token: docs of formats and of roof_stored_weights. */
static void attention_multiplies_what_shapes_tell(void **state)
{
    static const struct {
        const char *name;
        uint64_t macs; /* of a step that sees 1000 tokens */
    } want[] = {
        {"tied", 4 * 2 * 8 * 64 * 1000},
        {"headed", 3 * 2 * 4 * 64 * 1000},
        {"fused", 2 * 2 * 4 * 64 * 1000},
        {"latent", 3 * 4 * (2 * 128 + 32) * 1000},     /* heads times twice the rank and what is rotated */
        {"window", 2 * 4 * 64 * (2 * 1000 + 10 * 64)}, /* two of twelve layers see all */
        {"state", 2 * 2 * 4 * 64 * 1000}};
    (void)state;
    for (size_t i = 0; i < COUNT(want); i++) {
        uint8_t *bytes;
        roof_language_counts c;
        roof_graph *g =
            open_model(model_named(want[i].name), &(ww_gguf){0}, (roof_workload)DECODE(1000), &bytes);
        assert_int_equal(roof_language_count(g->storage->language, g->storage->language_point, &c, NULL),
                         ROOF_OK);
        assert_int_equal(c.attention_macs, want[i].macs);
        roof_graph_free(g);
        free(bytes);
    }
}

/* As of a config.json: a prompt makes keys and values of the latent vector, and states have products of their
 * own. */
static void mixers_of_a_header_are_those_of_a_config(void **state)
{
    static const struct {
        const char *name;
        roof_workload requested;
        uint64_t attention_macs, state_macs;
    } want[] = {
        /* three layers, four heads of 64 without and 32 with positions, values of 64 */
        {"latent",
         {.phase = ROOF_TEXT_PREFILL, .prompt_tokens = 64, .asks_text = true},
         3 * 4 * (64 + 32 + 64) * 64 * 65 / 2,
         0},
        /* two delta nets: 256 values by keys of 128, of two heads, and four taps */
        {"state", DECODE(100), 2 * 2 * 4 * 64 * 100, 2 * (3 * 256 * 128 + (2 * 256 + 256) * 4)},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(want); i++) {
        uint8_t *bytes;
        roof_language_counts c;
        roof_graph *g = open_model(model_named(want[i].name), &(ww_gguf){0}, want[i].requested, &bytes);
        const roof_language_model *m = g->storage->language;
        assert_int_equal(roof_language_count(m, g->storage->language_point, &c, NULL), ROOF_OK);
        assert_int_equal(c.attention_macs, want[i].attention_macs);
        assert_int_equal(c.state_macs, want[i].state_macs);
        assert_int_equal(c.file_bytes, m->stored->tensor_bytes);
        assert_int_equal(m->latent.key_rank, i == 0 ? 128 : 0);
        roof_graph_free(g);
        free(bytes);
    }
}

/* ---- what is refused ----------------------------------------------------------------------------------- */

static void faults_are_named_with_their_place(void **state)
{
    static const struct {
        ww_gguf how;
        roof_status status;
        const char *says;
    } faults[] = {
        {{.version = 4}, ROOF_E_UNSUPPORTED, "version 4, want 1 to 3"},
        {{.n_tensors = 1u << 30}, ROOF_E_DATA, "1073741824 tensors are more than the file has room for"},
        {{.n_keys = 1u << 30}, ROOF_E_DATA, "1073741824 keys are more than the file has room for"},
        {{.n_tensors = 49}, ROOF_E_DATA, "ends behind the file"},
        {{.at = 1, .type = 4 + 1}, ROOF_E_UNSUPPORTED, "type 4, q4_2, which ggml has removed"},
        {{.at = 1, .type = 38 + 1}, ROOF_E_UNSUPPORTED, "type 38, iq4_nl_8_8, which ggml has removed"},
        {{.at = 1, .type = 43 + 1}, ROOF_E_DATA, "is of type 43, want one of ggml's"},
        {{.at = 1, .type = UINT32_MAX}, ROOF_E_DATA, "is of type 4294967294, want one of ggml's"},
        {{.at = 1, .row = 1}, ROOF_E_DATA, "rows of 513, want a multiple of 256, a block of q6_k"},
        {{.at = 1, .row = -512}, ROOF_E_DATA, "has no elements"},
        {{.at = 1, .row = INT64_MAX - 600}, ROOF_E_DATA, "more than 2^59"},
        {{.at = 1, .n_dims = 5 + 1}, ROOF_E_DATA, "has 5 dimensions, want at most 4"},
        {{.at = 3, .offset = 1}, ROOF_E_DATA, "is not aligned"},
        {{.at = 3, .offset = -32}, ROOF_E_DATA, "lies in the tensor before"},
        {{.at = 3, .offset = 64}, ROOF_E_DATA, "leaves a gap"},
        {{.at = 3, .offset = INT64_MIN}, ROOF_E_DATA, "leaves a gap"},
        {{.alignment = 48}, ROOF_E_DATA, "general.alignment is 48, want a power of two"},
        {{.is_key_twice = true}, ROOF_E_DATA, "key 'llama.block_count' is there twice"},
        {{.at = 4, .is_tensor_twice = true}, ROOF_E_DATA, "tensor 'blk.0.attn_q.weight' is there twice"},
        {{.key_bytes = 65537}, ROOF_E_DATA, "a key has 65537 bytes, want at most 65536"},
        {{.nested = 9}, ROOF_E_LIMIT, "more than 8 deep"},
        {{.split_count = 3, .split_no = 1}, ROOF_E_DATA, "file 2 of 3 of a model; name the first one"},
        {{.split_count = 3, .split_no = 0}, ROOF_E_DATA, "the others cannot be found"},
        {{.has_no_layers = true}, ROOF_E_UNSUPPORTED, "no numbered layers"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(faults); i++) {
        textbuf file = written(&ww_models[0], &faults[i].how);
        roof_graph *g = NULL;
        roof_error err = {0};
        uint8_t *copy;
        const roof_status status = read_bytes(file.bytes, file.length, NULL, &g, &err, &copy);
        if (status != faults[i].status || !strstr(fx_message(&err), faults[i].says))
            fail_msg("%s: %d, %s", faults[i].says, status, fx_message(&err));
        roof_graph_free(g);
        free(copy);
        text_free(&file);
    }
}

static void keys_may_be_long_and_nested_up_to_the_limits(void **state)
{
    (void)state;
    check_counts(&counts[0], &(ww_gguf){.key_bytes = 65536, .nested = 8});
}

static void a_table_that_is_cut_anywhere_is_refused(void **state)
{
    textbuf file = written(&ww_models[0], &(ww_gguf){0});
    (void)state;
    for (size_t n = 4; n < file.length; n++) {
        roof_graph *g = NULL;
        roof_error err = {0};
        uint8_t *copy;
        assert_int_equal(read_bytes(file.bytes, n, NULL, &g, &err, &copy), ROOF_E_DATA);
        assert_true(err.byte_offset <= n);
        free(copy);
    }
    text_free(&file);
}

/* The number of experts that a token uses, and layers, are held against the tensors. */
static void keys_that_contradict_the_tensors_are_refused(void **state)
{
    ww_model many = *model_named("experts"), none = many;
    struct {
        const ww_model *model;
        const char *says;
    } wrong[] = {{&many, "a token uses 9 experts, 'ffn_gate_exps' has 8"}};
    (void)state;
    many.used = 9;
    none.used = 0;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        textbuf file = written(wrong[i].model, &(ww_gguf){0});
        roof_graph *g = NULL;
        roof_error err = {0};
        uint8_t *copy;
        assert_int_equal(read_bytes(file.bytes, file.length, NULL, &g, &err, &copy), ROOF_E_DATA);
        assert_non_null(strstr(fx_message(&err), wrong[i].says));
        free(copy);
        text_free(&file);
    }
    /* not said at all: the file is read, and nothing is predicted */
    uint8_t *bytes;
    roof_graph *g = open_model(&none, &(ww_gguf){0}, (roof_workload)DECODE(10), &bytes);
    roof_program *p = NULL;
    roof_error err = {0};
    assert_int_equal(g->storage->language->stored->read_bytes, ROOF_UNKNOWN);
    assert_int_equal(roof_program_of(g, &p, &err), ROOF_E_UNSUPPORTED);
    assert_non_null(strstr(fx_message(&err), "how many a token uses is unknown"));
    roof_graph_free(g);
    free(bytes);
}

static void another_form_than_the_files_is_refused(void **state)
{
    roof_workload same = {.weight_type = "q4_k", .asks_text = true},
                  other = {.weight_type = "int8", .asks_text = true};
    textbuf file = written(&ww_models[0], &(ww_gguf){0});
    roof_graph *g = NULL;
    roof_error err = {0};
    uint8_t *copy;
    (void)state;
    assert_int_equal(read_bytes(file.bytes, file.length, &other, &g, &err, &copy), ROOF_E_USAGE);
    assert_non_null(strstr(fx_message(&err), "int8 is requested, the file's weights are q4_k"));
    free(copy);
    assert_int_equal(read_bytes(file.bytes, file.length, &same, &g, &err, &copy), ROOF_OK);
    roof_graph_free(g);
    free(copy);
    text_free(&file);
}

/* ---- files --------------------------------------------------------------------------------------------- */

static bool has_finding(const roof_graph *g, roof_form form)
{
    const roof_findings *found = &g->storage->found;
    for (uint32_t i = 0; i < found->n; i++)
        if (found->items[i].remark.form == form)
            return true;
    return false;
}

static void what_a_file_lacks_of_its_weights_is_said(void **state)
{
    textbuf whole = written(&ww_models[0], &(ww_gguf){.has_data = true}),
            header = written(&ww_models[0], &(ww_gguf){0});
    const struct {
        size_t bytes;
        bool is_header, is_cut;
    } lengths[] = {{header.length, true, false},
                   {whole.length / 2, false, true},
                   {whole.length - 1, false, false},
                   {whole.length, false, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(lengths); i++) {
        roof_graph *g = NULL;
        uint8_t *copy;
        assert_int_equal(read_bytes(whole.bytes, lengths[i].bytes, NULL, &g, NULL, &copy), ROOF_OK);
        assert_int_equal(has_finding(g, ROOF_FORM_HEADER_ALONE), lengths[i].is_header);
        assert_int_equal(has_finding(g, ROOF_FORM_WEIGHTS_CUT), lengths[i].is_cut);
        roof_graph_free(g);
        free(copy);
    }
    text_free(&whole);
    text_free(&header);
}

static void layers_that_are_left_out_are_said(void **state)
{
    uint8_t *bytes;
    roof_graph *g = open_model(model_named("further"), &(ww_gguf){0}, (roof_workload)DECODE(10), &bytes);
    (void)state;
    assert_true(has_finding(g, ROOF_FORM_TENSORS_LEFT_OUT));
    assert_int_equal(g->storage->language->layers, 3);
    roof_graph_free(g);
    free(bytes);
}

static void save(const char *folder, const char *name, const textbuf *text, char path[4096])
{
    snprintf(path, 4096, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text->bytes, 1, text->length, file), text->length);
    assert_int_equal(fclose(file), 0);
}

static void files_of_one_model_are_added_and_a_missing_one_is_named(void **state)
{
    static const char *const names[] = {"m-00001-of-00002.gguf", "m-00002-of-00002.gguf"};
    const ww_model *m = model_named("stranger");
    char folder[] = "/tmp/roof-gguf-XXXXXX", paths[2][4096];
    textbuf files[2] = {written(m, &(ww_gguf){.split_count = 2, .has_no_layers = true}),
                        written(m, &(ww_gguf){.split_count = 2, .split_no = 1, .has_layers_alone = true})};
    roof_graph *g = NULL;
    roof_error err = {0};
    (void)state;
    assert_non_null(mkdtemp(folder));
    save(folder, names[0], &files[0], paths[0]);
    assert_int_equal(roof_graph_read(paths[0], &g, &err), ROOF_E_NO_INPUT);
    assert_non_null(strstr(fx_message(&err), names[1]));
    save(folder, names[1], &files[1], paths[1]);
    if (roof_graph_read(paths[0], &g, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_int_equal(g->storage->language->stored->tensor_bytes, 2876416);
    assert_int_equal(g->storage->language->stored->read_bytes, 2620416);
    roof_graph_free(g);
    save(folder, names[1], &files[0], paths[1]);
    assert_int_equal(roof_graph_read(paths[0], &g, &err), ROOF_E_DATA);
    assert_non_null(strstr(fx_message(&err), "is part 0 of a model, want part 1 by its name"));
    for (int i = 0; i < 2; i++) {
        unlink(paths[i]);
        text_free(&files[i]);
    }
    rmdir(folder);
}

/* A file of 4 GiB that is a hole behind its table: pages of the table alone come in, and what the kernel
 * reads ahead of them. */
static void a_large_file_costs_its_header(void **state)
{
    enum { MOST_PAGES = 1024 };
    char folder[] = "/tmp/roof-gguf-XXXXXX", path[4096];
    textbuf file = written(&ww_models[0], &(ww_gguf){0});
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), looked_at = (size_t)1 << 30;
    unsigned char *resident = malloc(looked_at / page);
    roof_graph *g = NULL;
    roof_error err = {0};
    (void)state;
    assert_non_null(resident);
    assert_non_null(mkdtemp(folder));
    save(folder, "large.gguf", &file, path);
    assert_int_equal(truncate(path, (off_t)4 << 30), 0);
    if (roof_graph_read(path, &g, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_int_equal(g->storage->language->stored->read_bytes, counts[0].read_bytes);
    const uintptr_t map = (uintptr_t)g->storage->file.bytes;
    size_t touched = 0;
    for (uint64_t at = 0; at < g->file_bytes; at += looked_at) {
        assert_int_equal(mincore((void *)(map + at), looked_at, resident), 0);
        for (size_t i = 0; i < looked_at / page; i++)
            touched += resident[i] & 1;
    }
    assert_in_range(touched, 1, MOST_PAGES);
    roof_graph_free(g);
    free(resident);
    unlink(path);
    rmdir(folder);
    text_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_of_a_tensor_is_counted),
        cmocka_unit_test(keys_by_layer_are_read_as_well),
        cmocka_unit_test(rows_hold_the_bytes_of_their_tensors),
        cmocka_unit_test(a_prediction_moves_what_is_counted),
        cmocka_unit_test(attention_multiplies_what_shapes_tell),
        cmocka_unit_test(mixers_of_a_header_are_those_of_a_config),
        cmocka_unit_test(faults_are_named_with_their_place),
        cmocka_unit_test(keys_may_be_long_and_nested_up_to_the_limits),
        cmocka_unit_test(a_table_that_is_cut_anywhere_is_refused),
        cmocka_unit_test(keys_that_contradict_the_tensors_are_refused),
        cmocka_unit_test(another_form_than_the_files_is_refused),
        cmocka_unit_test(what_a_file_lacks_of_its_weights_is_said),
        cmocka_unit_test(layers_that_are_left_out_are_said),
        cmocka_unit_test(files_of_one_model_are_added_and_a_missing_one_is_named),
        cmocka_unit_test(a_large_file_costs_its_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
