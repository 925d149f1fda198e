/* A copy of an ONNX file with the numbers of a prediction that was made by hand: from file to file. */
#include "roofline/annotate.h"
#include "core/files/input.h"
#include "core/files/outputs.h"
#include "tests/support/onnx_writer.h"
#include "tests/unit/folder.h"
#include "tests/unit/nodes_fixture.h"

static const ow_node nodes[] = {{.name = "conv", .type = "Conv", .inputs = {"x", "w"}, .outputs = {"a"}},
                                {.name = "relu", .type = "Relu", .inputs = {"a"}, .outputs = {"b"}},
                                {.type = "Cast", .inputs = {"b"}, .outputs = {"c"}},
                                {.name = "swish", .type = "HardSwish", .inputs = {"c"}, .outputs = {"d"}},
                                {.name = "shape", .type = "Flatten", .inputs = {"d"}, .outputs = {"e"}},
                                {.name = "soft", .type = "Softmax", .inputs = {"e"}, .outputs = {"f"}}};
static const ow_tensor weights[] = {{"w", OW_FLOAT, .dims = OW_DIMS(8, 8, 1, 1), .data = OW_ZEROS}};
static const ow_tensor outside[] = {
    {"w", OW_FLOAT, .dims = OW_DIMS(8, 8, 1, 1), .data = OW_EXTERNAL, .location = "w.bin"}};

typedef struct content {
    unsigned char bytes[1 << 13];
    size_t size;
} content;

static content content_of(const char *path)
{
    content c = {.size = 0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return c;
    c.size = fread(c.bytes, 1, sizeof c.bytes, file);
    assert_int_equal(fclose(file), 0);
    return c;
}

static void save_model(const char *path, const ow_tensor *initializers)
{
    const ow_model model = {.graph = {.name = "net", OW(.nodes, nodes), .initializers = {initializers, 1}}};
    size_t size;
    uint8_t *bytes = ow_write(&model, &size);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(bytes);
}

static bool has(const content *c, const char *key, const char *value)
{
    char entry[200];
    int n = snprintf(entry, sizeof entry, "%c%c%s%c%c%s", 10, (int)strlen(key), key, 18, (int)strlen(value),
                     value);
    return memmem(c->bytes, c->size, entry, (size_t)n);
}

/* Overwritten by the next test; in_folder gives one path at a time. */
static char model_path[128], copy_path[128];

static roof_prediction *of_a_model(nodes_fixture *f, const ow_tensor *initializers)
{
    snprintf(model_path, sizeof model_path, "%s", in_folder("net.onnx"));
    snprintf(copy_path, sizeof copy_path, "%s", in_folder("copy.onnx"));
    save_model(model_path, initializers);
    roof_prediction *p = nodes_make(f);
    p->model.path = model_path;
    return p;
}

static void a_copy_has_the_numbers_and_the_model_stays(void **state)
{
    (void)state;
    for (int is_outside = 0; is_outside < 2; is_outside++) {
        nodes_fixture f;
        roof_annotated out;
        roof_error err;
        roof_prediction *p = of_a_model(&f, is_outside ? outside : weights);
        const content before = content_of(model_path);
        if (roof_annotate(p, copy_path, &out, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        const content copy = content_of(copy_path), after = content_of(model_path);
        assert_true(has(&copy, "roofline.ideal_us", "80.3") && has(&copy, "roofline.ideal_us", "0.0247"));
        assert_true(has(&copy, "roofline.fused_into", "conv") && has(&copy, "roofline.hardware", "board"));
        assert_true(copy.size > before.size);
        assert_int_equal(after.size, before.size);
        assert_memory_equal(after.bytes, before.bytes, before.size);
        assert_int_equal(out.n_operators, 5);
        assert_int_equal(out.n_nodes, 6);
        assert_int_equal(out.has_external_data, is_outside);
        unlink(copy_path);
        unlink(model_path);
    }
}

/* Names of files are not always UTF-8, and texts of protobuf are. */
static void names_are_utf8_in_the_copy(void **state)
{
    nodes_fixture f;
    roof_annotated out;
    (void)state;
    roof_prediction *p = of_a_model(&f, weights);
    f.layers[0].name = "a\xff"
                       "b";
    assert_int_equal(roof_annotate(p, copy_path, &out, NULL), ROOF_OK);
    const content copy = content_of(copy_path);
    assert_true(has(&copy, "roofline.layer", "a\\xffb"));
    unlink(copy_path);
    unlink(model_path);
}

static void a_run_that_fails_leaves_what_was_there(void **state)
{
    static const char *other[] = {"other", "relu"};
    static const struct {
        const char *what;
        roof_status status;
        const char *want;
    } cases[] = {
        {"xmodel", ROOF_E_USAGE,
         "net.onnx: is read as 'xmodel', and only an ONNX file has room for numbers of others; `--format "
         "netron` writes them into a file of their own"},
        {"itself", ROOF_E_USAGE, "net.onnx: is the model itself; want the name of another file"},
        {"nameless", ROOF_E_USAGE, "the prediction names no operators of the file"},
        {"other", ROOF_E_DATA,
         "net.onnx: node 0 is called 'conv', want 'other': the prediction is of another file"},
        {"gone", ROOF_E_NO_INPUT, "net.onnx: cannot open: No such file or directory"}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        nodes_fixture f;
        roof_annotated out;
        roof_error err = {.byte_offset = ROOF_UNKNOWN};
        roof_prediction *p = of_a_model(&f, weights);
        const bool is_itself = strcmp(cases[i].what, "itself") == 0;
        save_model(copy_path, outside);
        const content before = content_of(copy_path), model = content_of(model_path);
        if (strcmp(cases[i].what, "xmodel") == 0)
            p->model.format = "xmodel";
        if (strcmp(cases[i].what, "nameless") == 0)
            p->n_layers = 0;
        if (strcmp(cases[i].what, "other") == 0)
            f.layers[0].operators = other;
        if (strcmp(cases[i].what, "gone") == 0)
            unlink(model_path);
        roof_status status = roof_annotate(p, is_itself ? model_path : copy_path, &out, &err);
        const char *message = fx_message(&err), *shown = strstr(message, "net.onnx");
        if (status != cases[i].status || strcmp(shown ? shown : message, cases[i].want) != 0)
            fail_msg("%s: %d '%s', want %d '%s'", cases[i].what, (int)status, message, (int)cases[i].status,
                     cases[i].want);
        const content after = content_of(copy_path);
        assert_int_equal(after.size, before.size);
        assert_memory_equal(after.bytes, before.bytes, before.size);
        if (is_itself) {
            const content still = content_of(model_path);
            assert_memory_equal(still.bytes, model.bytes, model.size);
        }
        unlink(copy_path);
        unlink(model_path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_has_the_numbers_and_the_model_stays),
        cmocka_unit_test(names_are_utf8_in_the_copy),
        cmocka_unit_test(a_run_that_fails_leaves_what_was_there),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
