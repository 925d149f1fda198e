/* safetensors: bytes, elements and caches of small models, counted a second time by hand; what the
 * config.json beside it adds; the index of several files; what is refused, and why. */
#include "core/text.h"
#include "model/formats/hf_config/lm_model.h"
#include "tests/support/weights_writer.h"
#include "tests/unit/fixture.h"

#include <sys/stat.h>
#include <unistd.h>

#define DECODE(n)                                                                                            \
    {                                                                                                        \
        .phase = ROOF_TEXT_DECODE, .context_tokens = (n), .asks_text = true                                  \
    }

typedef struct folder {
    char path[64];
    char files[8][128];
    int n;
} folder;

static folder folder_new(void)
{
    folder f = {.path = "/tmp/roof-safetensors-XXXXXX"};
    assert_non_null(mkdtemp(f.path));
    return f;
}

static const char *folder_put(folder *f, const char *name, const char *bytes, size_t n)
{
    char *path = f->files[f->n++];
    snprintf(path, sizeof f->files[0], "%s/%s", f->path, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void folder_end(folder *f)
{
    while (f->n)
        unlink(f->files[--f->n]);
    rmdir(f->path);
}

static textbuf written(const ww_model *m, const ww_safetensors *how)
{
    textbuf out;
    text_init(&out, TEXT_MAX_BYTES);
    ww_write_safetensors(m, how, &out);
    assert_false(out.failed);
    return out;
}

static const char *put_config(folder *f, const ww_model *m)
{
    textbuf out;
    text_init(&out, TEXT_MAX_BYTES);
    ww_write_config(m, &out);
    const char *path = folder_put(f, "config.json", out.bytes, out.length);
    text_free(&out);
    return path;
}

static const ww_model *model_named(const char *name)
{
    const ww_model *m = ww_models;
    while (m->name && strcmp(m->name, name) != 0)
        m++;
    assert_non_null(m->name);
    return m;
}

static roof_graph *read_model(const char *path)
{
    const roof_workload w = DECODE(1000);
    roof_graph *g = NULL;
    roof_error err = {0};
    if (roof_graph_read_as(path, &w, &g, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return g;
}

static roof_language_counts counts_of(const roof_graph *g)
{
    roof_language_counts c;
    assert_int_equal(roof_language_count(g->storage->language, g->storage->language_point, &c, NULL),
                     ROOF_OK);
    return c;
}

static bool has_finding(const roof_graph *g, roof_form form)
{
    const roof_findings *found = &g->storage->found;
    for (uint32_t i = 0; i < found->n; i++)
        if (found->items[i].remark.form == form)
            return true;
    return false;
}

/* ---- counts -------------------------------------------------------------------------------------------- */

/* Reckoned by hand: BF16 matrices, F32 vectors and routers. needs: it cannot be predicted without its
 * config.json. */
static const struct counted {
    const char *name;
    uint64_t tensor_bytes, read_bytes, parameters, active, cache_bytes_per_token;
    bool needs;
} counts[] = {
    {"tied", 18868224, 18868224, 9429504, 9429504, 2048, false},
    {"headed", 5630976, 5374976, 2813696, 2685696, 3072, false},
    {"fused", 2876416, 2620416, 1436928, 1308928, 1024, false},
    {"experts", 11553792, 4219904, 5768960, 2102016, 1536, true},
    {"latent", 6873600, 3078656, 3431552, 1534080, 960, true},
    {"window", 13650944, 13650944, 6819072, 6819072, 512, false},
    {"further", 6822912, 4207616, 3406592, 2098944, 1536, true},
    {"stranger", 2876416, 2620416, 1436928, 1308928, 1024, false},
};

static void every_byte_of_a_tensor_is_counted(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(counts); i++) {
        const struct counted *want = &counts[i];
        const ww_model *m = model_named(want->name);
        folder f = folder_new();
        textbuf file = written(m, &(ww_safetensors){0});
        put_config(&f, m);
        roof_graph *g = read_model(folder_put(&f, "model.safetensors", file.bytes, file.length));
        const roof_language_counts c = counts_of(g);
        assert_int_equal(c.resident_weight_bytes, want->tensor_bytes);
        assert_int_equal(c.weight_bytes, want->read_bytes);
        assert_int_equal(c.parameters, want->parameters);
        assert_int_equal(c.active_parameters, want->active);
        assert_int_equal(c.kv_bytes_per_token, want->cache_bytes_per_token);
        assert_false(has_finding(g, ROOF_FORM_KEYS_MISSING));
        roof_graph_free(g);
        text_free(&file);
        folder_end(&f);
    }
}

/* Shapes tell bytes and caches; how many experts a token uses they do not. */
static void without_a_config_what_is_not_known_is_said(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(counts); i++) {
        const struct counted *want = &counts[i];
        folder f = folder_new();
        textbuf file = written(model_named(want->name), &(ww_safetensors){0});
        roof_graph *g = read_model(folder_put(&f, "model.safetensors", file.bytes, file.length));
        const roof_language_counts c = counts_of(g);
        roof_program *p = NULL;
        roof_error err = {0};
        assert_true(has_finding(g, ROOF_FORM_KEYS_MISSING));
        assert_int_equal(c.weight_bytes, want->needs ? ROOF_UNKNOWN : want->read_bytes);
        assert_int_equal(roof_program_of(g, &p, &err), want->needs ? ROOF_E_UNSUPPORTED : ROOF_OK);
        if (want->needs)
            assert_non_null(strstr(fx_message(&err), "is in the config.json"));
        roof_program_free(p);
        roof_graph_free(g);
        text_free(&file);
        folder_end(&f);
    }
}

static void a_state_of_unknown_size_is_no_state_of_none(void **state)
{
    folder f = folder_new();
    textbuf file = written(model_named("state"), &(ww_safetensors){0});
    (void)state;
    roof_graph *g = read_model(folder_put(&f, "model.safetensors", file.bytes, file.length));
    const roof_language_counts c = counts_of(g);
    assert_int_equal(c.state_bytes, ROOF_UNKNOWN);
    assert_int_equal(c.weight_bytes, 4983840);
    assert_int_equal(c.kv_bytes_per_token, 1024);
    assert_true(has_finding(g, ROOF_FORM_STATES_UNKNOWN));
    roof_graph_free(g);
    text_free(&file);
    folder_end(&f);
}

static void a_window_is_of_the_layers_that_the_config_says(void **state)
{
    const ww_model *m = model_named("window");
    folder f = folder_new();
    textbuf file = written(m, &(ww_safetensors){0});
    (void)state;
    put_config(&f, m);
    roof_graph *g = read_model(folder_put(&f, "model.safetensors", file.bytes, file.length));
    assert_int_equal(counts_of(g).kv_bytes, 2 * 64 * 2 * (2 * 1000 + 10 * 64)); /* two of twelve see all */
    roof_graph_free(g);
    text_free(&file);
    folder_end(&f);
}

/* Bytes are exact, products are not made up. */
static void packed_words_are_bytes_alone(void **state)
{
    const ww_model *m = model_named("stranger");
    folder f = folder_new();
    textbuf file = written(m, &(ww_safetensors){.dtype = "U8"});
    (void)state;
    put_config(&f, m);
    roof_graph *g = read_model(folder_put(&f, "model.safetensors", file.bytes, file.length));
    const roof_language_counts c = counts_of(g);
    assert_true(has_finding(g, ROOF_FORM_PACKED_TENSORS));
    assert_int_equal(c.parameters, ROOF_UNKNOWN);
    assert_int_equal(c.weight_macs, ROOF_UNKNOWN);
    assert_int_equal(c.resident_weight_bytes, 1435648 + 4 * 1280); /* a byte an element, vectors four */
    assert_int_equal(c.kv_bytes_per_token, 1024);                  /* by keys, since no shape tells */
    roof_graph_free(g);
    text_free(&file);
    folder_end(&f);
}

/* ---- several files ------------------------------------------------------------------------------------- */

static void files_of_an_index_are_added_and_missing_ones_are_named(void **state)
{
    static const char index[] =
        "{\"metadata\": {\"total_size\": 2876416}, \"weight_map\": {\"lm_head.weight\": "
        "\"a.safetensors\", \"model.norm.weight\": \"a.safetensors\"}}";
    static const char other[] =
        "{\"metadata\": {\"total_size\": 1}, \"weight_map\": {\"lm_head.weight\": \"a.safetensors\"}}";
    static const char both[] =
        "{\"weight_map\": {\"lm_head.weight\": \"a.safetensors\", \"x\": \"b.safetensors\"}}";
    folder f = folder_new();
    textbuf file = written(model_named("stranger"), &(ww_safetensors){0});
    roof_graph *g = NULL;
    roof_error err = {0};
    (void)state;
    const char *path = folder_put(&f, "model.safetensors.index.json", index, strlen(index));
    assert_int_equal(roof_graph_read(path, &g, &err), ROOF_E_DATA);
    assert_non_null(strstr(fx_message(&err),
                           "1 of 1 files of the index are not beside it, the first is 'a.safetensors' "
                           "(all together have 2876416 bytes"));
    folder_put(&f, "a.safetensors", file.bytes, file.length);
    g = read_model(path);
    assert_int_equal(counts_of(g).weight_bytes, 2620416);
    assert_false(has_finding(g, ROOF_FORM_TOTAL_DIFFERS));
    roof_graph_free(g);
    g = read_model(folder_put(&f, "other.index.json", other, strlen(other)));
    assert_true(has_finding(g, ROOF_FORM_TOTAL_DIFFERS));
    roof_graph_free(g);
    g = NULL;
    assert_int_equal(roof_graph_read(folder_put(&f, "both.index.json", both, strlen(both)), &g, &err),
                     ROOF_E_DATA);
    assert_non_null(strstr(fx_message(&err),
                           "1 of 2 files of the index are not beside it, the first is 'b.safetensors'"));
    text_free(&file);
    folder_end(&f);
}

/* ---- what is refused ----------------------------------------------------------------------------------- */

static void faults_are_named(void **state)
{
    static const struct {
        ww_safetensors how;
        roof_status status;
        const char *says;
    } faults[] = {
        {{.length = 1u << 30}, ROOF_E_DATA, "the header has 1073741824 bytes, want at most"},
        {{.length = 40}, ROOF_E_DATA, ""},
        {{.at = 2, .of = "F7"}, ROOF_E_DATA, "is of an unknown type, 'F7'"},
        {{.at = 2, .of = "F16"}, ROOF_E_DATA, "want 1024 bytes by its shape in f16"},
        {{.at = 2, .from = 2, .to = 2}, ROOF_E_DATA, "leaves a gap"},
        {{.at = 2, .from = -2, .to = -2}, ROOF_E_DATA, "lies in another one"},
        {{.at = 2, .to = 4}, ROOF_E_DATA, "want 2048 bytes by its shape in f32"},
        {{.at = 2, .from = 5000}, ROOF_E_DATA, "by its shape"},
        {{.behind = ", \"a\": 1"}, ROOF_E_DATA, "'a' is a number, want a tensor"},
        {{.behind = ", \"a\": {\"dtype\": \"F32\"}"}, ROOF_E_DATA, "has no dtype, shape or data_offsets"},
        {{.behind = ", \"a\": {\"dtype\": \"F32\", \"shape\": [1.5]}"}, ROOF_E_DATA, "want a whole number"},
        {{.behind = ", \"a\": {\"dtype\": \"F32\", \"shape\": [-1]}"}, ROOF_E_DATA, "want a whole number"},
        {{.behind = ", \"a\": {\"dtype\": \"F32\", \"shape\": [1,1,1,1,1,1,1,1,1]}"},
         ROOF_E_DATA,
         "more than 8 numbers"},
        {{.behind = ", \"a\": {\"dtype\": \"F32\", \"dtype\": \"F32\"}"}, ROOF_E_DATA, "is there twice"},
        {{.behind =
              ", \"a\": {\"dtype\": \"F32\", \"shape\": [4294967296, 4294967296], \"data_offsets\": [0, 0]}"},
         ROOF_E_DATA,
         "more than 2^56 elements"},
        {{.behind =
              ", \"model.norm.weight\": {\"dtype\": \"F32\", \"shape\": [0], \"data_offsets\": [0, 0]}"},
         ROOF_E_DATA,
         "is there twice"},
        {{.behind = ", \"model.encoder.w\": {\"dtype\": \"F32\", \"shape\": [0], \"data_offsets\": [0, 0]}"},
         ROOF_E_UNSUPPORTED,
         "is of an encoder"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(faults); i++) {
        textbuf file = written(&ww_models[0], &faults[i].how);
        uint8_t *copy = fx_copy(file.bytes, file.length);
        roof_graph *g = NULL;
        roof_error err = {0};
        const roof_status status = graph_read_memory(copy, file.length, "t.safetensors", &g, &err);
        if (status != faults[i].status || !strstr(fx_message(&err), faults[i].says))
            fail_msg("%zu, %s: %d, %s", i, faults[i].says, status, fx_message(&err));
        roof_graph_free(g);
        free(copy);
        text_free(&file);
    }
}

static void metadata_is_passed_over(void **state)
{
    folder f = folder_new();
    textbuf file = written(model_named("stranger"),
                           &(ww_safetensors){.behind = ", \"__metadata__\": {\"format\": \"pt\"}"});
    (void)state;
    roof_graph *g = read_model(folder_put(&f, "model.safetensors", file.bytes, file.length));
    assert_int_equal(counts_of(g).weight_bytes, 2620416);
    roof_graph_free(g);
    text_free(&file);
    folder_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_of_a_tensor_is_counted),
        cmocka_unit_test(without_a_config_what_is_not_known_is_said),
        cmocka_unit_test(a_state_of_unknown_size_is_no_state_of_none),
        cmocka_unit_test(a_window_is_of_the_layers_that_the_config_says),
        cmocka_unit_test(packed_words_are_bytes_alone),
        cmocka_unit_test(files_of_an_index_are_added_and_missing_ones_are_named),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(metadata_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
