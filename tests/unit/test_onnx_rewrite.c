/* Copies of ONNX files differ from them in entries of roofline's own alone. */
#include "reports/annotations/onnx_copy.h"
#include "core/protobuf.h"
#include "tests/support/memory_io.h"
#include "tests/support/onnx_writer.h"
#include "tests/unit/fixture.h"

#include <sys/mman.h>

/* ---- a file and its copy ---- */

static const ow_node branch_nodes[] = {{.name = "deep",
                                        .type = "Relu",
                                        .inputs = {"a"},
                                        .outputs = {"b"},
                                        .metadata = {{"roofline.ideal_us", "1"}}}};
static const ow_graph branch = {.name = "branch", OW(.nodes, branch_nodes)};
static const ow_node nodes[] = {{.name = "conv",
                                 .type = "Conv",
                                 .inputs = {"x", "w"},
                                 .outputs = {"y"},
                                 .attrs = {OW_INTS("strides", 2, 2)},
                                 .metadata = {{"namespace", "a/b"}}},
                                {.type = "Relu", .inputs = {"y"}, .outputs = {"z"}},
                                {.name = "if",
                                 .type = "If",
                                 .inputs = {"z"},
                                 .outputs = {"b"},
                                 .attrs = {OW_GRAPH("then_branch", &branch)}}};
static const ow_tensor weights[] = {{"w", OW_FLOAT, .dims = OW_DIMS(64, 64, 3, 3), .data = OW_ZEROS}};
static const ow_value inputs[] = {{"x", OW_FLOAT, .dims = OW_DIMS(1, 64, 8, 8)}};
static const ow_model model = {
    .producer = "test",
    .graph = {.name = "net", OW(.nodes, nodes), OW(.initializers, weights), OW(.inputs, inputs)},
    .metadata = {{"author", "somebody"}}};

/* 300 bytes, so that lengths around it take another byte. */
static const char long_text[] =
    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789";

static node_values of_nodes[] = {
    {.node = 0, .name = "conv", .values = {{"roofline.ideal_us", "80.3", 80.3}}, .n_values = 1},
    {.node = 1, .name = "", .values = {{"roofline.layer", long_text, NAN}}, .n_values = 1}};
static const graph_values all_values = {
    .nodes = of_nodes, .n_nodes = 2, .totals = {{"roofline.macs", "7", 7}}, .n_totals = 1};

typedef struct file {
    uint8_t *bytes;
    size_t size;
} file;

static file written(const ow_model *m)
{
    file f;
    f.bytes = ow_write(m, &f.size);
    return f;
}

static file copy_of(const file *f, const graph_values *values)
{
    textbuf text;
    onnx_rewritten out;
    roof_error err = {0};
    text_init(&text, TEXT_MAX_BYTES);
    if (onnx_rewrite(f->bytes, f->size, values, (roof_sink){memory_write, &text}, &out, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_int_equal(text_status(&text, NULL), ROOF_OK);
    return (file){(uint8_t *)text.bytes, text.length};
}

static void assert_same(const file *got, const file *want)
{
    assert_int_equal(got->size, want->size);
    assert_memory_equal(got->bytes, want->bytes, want->size);
}

/* "conv: namespace=a/b roofline.ideal_us=80.3;": metadata of nodes, then that of the model. */
static void list_entry(textbuf *out, const pb_cursor *scope, const pb_field *field)
{
    pb_cursor entry = pb_enter(scope, field);
    pb_field f;
    for (bool more = true; more;) {
        assert_int_equal(pb_next(&entry, &f, &more, NULL), ROOF_OK);
        if (more)
            text_printf(out, f.number == 1 ? " %.*s=" : "%.*s", (int)f.value, (const char *)f.data);
    }
}

static void list_fields(textbuf *out, pb_cursor scope, uint32_t inner, uint32_t name, uint32_t metadata)
{
    pb_field f;
    for (bool more = true; more;) {
        assert_int_equal(pb_next(&scope, &f, &more, NULL), ROOF_OK);
        if (more && inner && f.number == inner)
            list_fields(out, pb_enter(&scope, &f), inner == 7 ? 1 : 0, inner == 7 ? 0 : 3,
                        inner == 7 ? 0 : 9);
        else if (more && name && f.number == name)
            text_printf(out, " %.*s:", (int)f.value, (const char *)f.data);
        else if (more && metadata && f.number == metadata)
            list_entry(out, &scope, &f);
    }
    if (name)
        text_puts(out, ";");
}

static const char *metadata_of(const file *f)
{
    static char shown[2000];
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    list_fields(&text, pb_from(f->bytes, f->size), 7, 0, 14);
    snprintf(shown, sizeof shown, "%s", text.bytes);
    text_free(&text);
    return shown;
}

static void entries_stand_at_their_nodes_and_the_rest_is_as_it_was(void **state)
{
    char want[1000];
    (void)state;
    file original = written(&model), copy = copy_of(&original, &all_values);
    snprintf(want, sizeof want,
             " conv: namespace=a/b roofline.ideal_us=80.3; roofline.layer=%s; if:; author=somebody "
             "roofline.macs=7",
             long_text);
    assert_string_equal(metadata_of(&copy), want);
    assert_true(memmem(copy.bytes, copy.size,
                       "\x4a\x19\x0a\x11roofline.ideal_us\x12\x04"
                       "80.3",
                       27) != NULL);
    file back = copy_of(&copy, NULL);
    assert_same(&back, &original);
    free(back.bytes);
    free(copy.bytes);
    free(original.bytes);
}

static void a_second_copy_replaces_the_entries_of_the_first(void **state)
{
    (void)state;
    file original = written(&model), first = copy_of(&original, &all_values),
         second = copy_of(&first, &all_values);
    assert_same(&second, &first);
    graph_values fewer = all_values;
    fewer.n_nodes = 1;
    fewer.n_totals = 0;
    file third = copy_of(&first, &fewer);
    assert_string_equal(metadata_of(&third),
                        " conv: namespace=a/b roofline.ideal_us=80.3;; if:; author=somebody");
    free(third.bytes);
    free(second.bytes);
    free(first.bytes);
    free(original.bytes);
}

/* protobuf adds the nodes of the second to those of the first. */
/* Lengths are written in as many bytes as they need. */
static void texts_of_any_length_come_back(void **state)
{
    (void)state;
    file original = written(&model);
    for (size_t length = 1; length < sizeof long_text; length++) {
        char text[sizeof long_text], want[2 * sizeof long_text];
        snprintf(text, sizeof text, "%.*s", (int)length, long_text);
        node_values first[] = {{.name = "conv", .values = {{"roofline.layer", text, NAN}}, .n_values = 1}};
        file copy = copy_of(&original, &(graph_values){.nodes = first, .n_nodes = 1});
        snprintf(want, sizeof want, " conv: namespace=a/b roofline.layer=%s;; if:; author=somebody", text);
        assert_string_equal(metadata_of(&copy), want);
        free(copy.bytes);
    }
    free(original.bytes);
}

static void graphs_of_one_model_are_one_graph(void **state)
{
    (void)state;
    file one = written(&model), two = {malloc(2 * one.size), 2 * one.size};
    memcpy(two.bytes, one.bytes, one.size);
    memcpy(two.bytes + one.size, one.bytes, one.size);
    node_values fourth[] = {
        {.node = 3, .name = "conv", .values = {{"roofline.macs", "4", 4}}, .n_values = 1}};
    file copy = copy_of(&two, &(graph_values){.nodes = fourth, .n_nodes = 1});
    assert_string_equal(metadata_of(&copy), " conv: namespace=a/b;; if:; author=somebody conv: namespace=a/b "
                                            "roofline.macs=4;; if:; author=somebody");
    free(copy.bytes);
    free(two.bytes);
    free(one.bytes);
}

static void weights_in_other_files_are_told(void **state)
{
    static const ow_tensor outside[] = {
        {"w", OW_FLOAT, .dims = OW_DIMS(64, 64, 3, 3), .data = OW_EXTERNAL, .location = "w.bin"}};
    (void)state;
    for (int is_outside = 0; is_outside < 2; is_outside++) {
        ow_model m = model;
        textbuf text;
        onnx_rewritten out;
        m.graph.initializers.list = is_outside ? outside : weights;
        file f = written(&m);
        text_init(&text, TEXT_MAX_BYTES);
        assert_int_equal(
            onnx_rewrite(f.bytes, f.size, &all_values, (roof_sink){memory_write, &text}, &out, NULL),
            ROOF_OK);
        assert_int_equal(out.has_external_data, is_outside);
        assert_int_equal(out.n_nodes, 3);
        text_free(&text);
        free(f.bytes);
    }
}

/* ---- what is refused ---- */

static void refuse(const char *what, const void *bytes, size_t size, const graph_values *values,
                   roof_status status, const char *want)
{
    uint8_t *exact = malloc(size + !size); /* so that a read one byte too far is seen */
    textbuf text;
    onnx_rewritten out;
    roof_error err = {.byte_offset = ROOF_UNKNOWN};
    memcpy(exact, bytes, size);
    text_init(&text, TEXT_MAX_BYTES);
    roof_status got = onnx_rewrite(exact, size, values, (roof_sink){memory_write, &text}, &out, &err);
    if (got != status || strcmp(fx_message(&err), want) != 0)
        fail_msg("%s: status %d, '%s', want %d, '%s'", what, (int)got, fx_message(&err), (int)status, want);
    if (text.length)
        fail_msg("%s: %zu bytes were written before that", what, text.length);
    text_free(&text);
    free(exact);
}

static void what_is_no_whole_onnx_model_is_refused(void **state)
{
    static const struct {
        const char *what, *bytes;
        size_t size;
        const char *want;
    } cases[] = {
        {"without a graph", "\x08\x08", 2, "has no graph, which every ONNX model has"},
        {"a graph that is cut off", "\x3a\x05\x0a\x01", 4,
         "field 7 claims 5 bytes, but 2 are left: the file is truncated or damaged (byte 0x0)"},
        {"a node that is longer than its graph", "\x3a\x03\x0a\x02\x1a", 5,
         "field 1 claims 2 bytes, but 1 are left: the file is truncated or damaged (byte 0x2)"},
        {"a name that is longer than its node", "\x3a\x04\x0a\x02\x1a\x05", 6,
         "field 3 claims 5 bytes, but 0 are left: the file is truncated or damaged (byte 0x4)"},
        {"an entry that is longer than its node", "\x3a\x04\x0a\x02\x4a\x05", 6,
         "field 9 claims 5 bytes, but 0 are left: the file is truncated or damaged (byte 0x4)"},
        {"a key that is longer than its entry", "\x3a\x06\x0a\x04\x4a\x02\x0a\x05", 8,
         "field 1 claims 5 bytes, but 0 are left: the file is truncated or damaged (byte 0x6)"},
        {"a group", "\x3a\x02\x0b\x0c", 4, "field 1 has wire type 3, want 0, 1, 2 or 5 (byte 0x2)"},
        {"a location that is cut off", "\x3a\x03\x2a\x01\x70", 5,
         "a number is cut off at the end of its message (byte 0x5)"},
    };
    static node_values beyond[] = {{.node = 9, .name = ""}}, other[] = {{.node = 1, .name = "conv"}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        refuse(cases[i].what, cases[i].bytes, cases[i].size, NULL, ROOF_E_DATA, cases[i].want);
    file f = written(&model);
    refuse("a node that is not there", f.bytes, f.size, &(graph_values){.nodes = beyond, .n_nodes = 1},
           ROOF_E_DATA, "the prediction is of another file: it has node 9, and the file has 3 nodes");
    refuse("a node of another name", f.bytes, f.size, &(graph_values){.nodes = other, .n_nodes = 1},
           ROOF_E_DATA, "node 1 is called '', want 'conv': the prediction is of another file");
    free(f.bytes);
}

static void a_model_that_is_cut_anywhere_is_refused_or_whole(void **state)
{
    (void)state;
    file f = written(&model);
    for (size_t size = 0; size < f.size; size += size < 400 || f.size - size < 400 ? 1 : 997) {
        textbuf text;
        onnx_rewritten out;
        uint8_t *cut = malloc(size + !size);
        memcpy(cut, f.bytes, size);
        text_init(&text, TEXT_MAX_BYTES);
        roof_error err = {0};
        roof_status status = onnx_rewrite(cut, size, NULL, (roof_sink){memory_write, &text}, &out, &err);
        if (status != ROOF_OK && text.length)
            fail_msg("%zu bytes were written of the first %zu, and then refused", text.length, size);
        if (status == ROOF_OK) /* between two fields: nothing of ours is in it but in the nested graph */
            assert_same(&(file){(uint8_t *)text.bytes, text.length}, &(file){cut, size});
        text_free(&text);
        free(cut);
    }
    free(f.bytes);
}

static roof_status full(void *context, const char *bytes, size_t length, roof_error *err)
{
    (void)context, (void)bytes, (void)length, (void)err;
    return ROOF_E_IO;
}

/* Weights of 2 GiB that nobody looks at: no page of them is ever there. */
static void a_copy_that_no_reader_takes_is_refused(void **state)
{
    enum { HEADS = 3, HEAD_BYTES = 6 };
    (void)state;
    for (uint64_t size = INT32_MAX; size <= (uint64_t)INT32_MAX + 1; size++) {
        const unsigned char tags[HEADS] = {0x3a, 0x2a,
                                           0x4a}; /* graph, initializer, raw_data: each the rest */
        onnx_rewritten out;
        roof_error err = {.byte_offset = ROOF_UNKNOWN};
        unsigned char *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
                      *at = bytes;
        assert_true(bytes != MAP_FAILED);
        for (unsigned i = 0; i < HEADS; i++) {
            uint64_t left = size - (i + 1) * HEAD_BYTES;
            *at++ = tags[i];
            for (unsigned k = 1; k < HEAD_BYTES; k++, left >>= 7)
                *at++ = (unsigned char)((left & 0x7f) | (k < HEAD_BYTES - 1 ? 0x80 : 0));
        }
        roof_status status = onnx_rewrite(bytes, size, NULL, (roof_sink){full, NULL}, &out, &err);
        if (size > INT32_MAX) {
            assert_int_equal(status, ROOF_E_LIMIT);
            assert_string_equal(fx_message(&err), "the copy would have 2147483648 bytes, and no reader of "
                                                  "protobuf takes more than 2 GiB");
        } else {
            assert_int_equal(status, ROOF_E_IO); /* the sink is full */
        }
        assert_int_equal(munmap(bytes, size), 0);
    }
}

static void a_sink_that_fails_is_told(void **state)
{
    onnx_rewritten out;
    (void)state;
    file f = written(&model);
    assert_int_equal(onnx_rewrite(f.bytes, f.size, &all_values, (roof_sink){full, NULL}, &out, NULL),
                     ROOF_E_IO);
    free(f.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_stand_at_their_nodes_and_the_rest_is_as_it_was),
        cmocka_unit_test(a_second_copy_replaces_the_entries_of_the_first),
        cmocka_unit_test(texts_of_any_length_come_back),
        cmocka_unit_test(graphs_of_one_model_are_one_graph),
        cmocka_unit_test(weights_in_other_files_are_told),
        cmocka_unit_test(what_is_no_whole_onnx_model_is_refused),
        cmocka_unit_test(a_model_that_is_cut_anywhere_is_refused_or_whole),
        cmocka_unit_test(a_sink_that_fails_is_told),
        cmocka_unit_test(a_copy_that_no_reader_takes_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
