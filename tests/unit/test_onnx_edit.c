/* Copies of ONNX files with edits that keep the function: they are run beside the files that they were, on
 * random inputs, and what the file does not allow is left as it is. */
#include "reports/annotations/onnx_copy.h"
#include "roofline/advise.h"
#include "tests/property/random.h"
#include "tests/support/memory_io.h"
#include "tests/support/onnx_text.h"
#include "tests/support/skips.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"
#ifdef ROOF_HAS_DNNL
#include "tests/support/onnx_run.h"
#endif

enum { MOST_CHANGES = 4 };

static double draw(void)
{
    return (double)(int64_t)(next_random() >> 40) / (double)(1 << 23) - 1;
}

/* "raw NAME float DIMS = ..." for every "random NAME DIMS" in the text. */
static void fill(const char *text, textbuf *out)
{
    text_init(out, TEXT_MAX_BYTES);
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, ";");
        char name[32];
        unsigned d[4];
        if (sscanf(at, "random %31s %u,%u,%u,%u", name, &d[0], &d[1], &d[2], &d[3]) == 5) {
            text_printf(out, "raw %s float %u,%u,%u,%u = ", name, d[0], d[1], d[2], d[3]);
            for (unsigned i = 0; i < d[0] * d[1] * d[2] * d[3]; i++)
                text_printf(out, "%s%.6f", i ? "," : "", draw());
        } else
            text_printf(out, "%.*s", (int)length, at);
        text_puts(out, ";");
        at += length + (at[length] == ';');
    }
}

typedef struct network {
    xm_buffer bytes;
    const uint8_t *data;
    size_t size;
} network;

static network written(const char *text)
{
    network net = {0};
    textbuf filled;
    fill(text, &filled);
    onnx_text_write(filled.bytes, &net.bytes);
    text_free(&filled);
    net.data = net.bytes.data + net.bytes.start;
    net.size = net.bytes.capacity_bytes - net.bytes.start;
    return net;
}

/* A depthwise convolution, a Pad, and what hands on. */
#define IMAGE  "opset 17;input x float 1,4,9,7;"
#define DEPTH  "random wa 4,1,3,3;Conv x,wa -> a group=4 pads=[1,1,1,1];Relu a -> r;"
#define LAST   "random wz 3,4,1,1;Conv r,wz -> z;output z"
#define BORDER "values p int64 8 = 0,0,1,2,0,0,0,3;Pad x,p -> b;"

static const struct {
    const char *text;
    onnx_change changes[MOST_CHANGES];
    uint32_t n;
    const char *why_not; /* of the first; NULL: all are made */
} cases[] = {
    {IMAGE DEPTH LAST, {{ONNX_PLAIN, 0, {{0}}, NULL}}, 1, NULL},
    {IMAGE "random wa 6,2,3,3;Conv x,wa -> a group=2 strides=[2,1] dilations=[1,2] pads=[1,0,0,2];output a",
     {{ONNX_PLAIN, 0, {{0}}, NULL}},
     1,
     NULL},
    {IMAGE
     "Identity x -> i;Dropout i -> j;random wa 3,4,3,3;Conv j,wa -> a;Identity a -> k;Relu k -> z;output z",
     {{ONNX_LEAVE_OUT, 0, {{0}}, NULL}, {ONNX_LEAVE_OUT, 1, {{0}}, NULL}, {ONNX_LEAVE_OUT, 3, {{0}}, NULL}},
     3,
     NULL},
    {IMAGE BORDER "random wa 3,4,3,3;Conv b,wa -> a;output a",
     {{ONNX_PADS, 0, {{1, 2, 0, 3}}, NULL}},
     1,
     NULL},
    {IMAGE BORDER "random wa 3,4,3,3;Conv b,wa -> a pads=[1,1,0,2];random wc 3,4,3,3;Conv b,wc -> c "
                  "pads=[1,1,0,2];Add a,c -> d;output d",
     {{ONNX_PADS, 0, {{1, 2, 0, 3}}, NULL}},
     1,
     NULL},
    {IMAGE "Identity x -> i;values p int64 8 = 0,0,1,2,0,0,0,3;Pad i,p -> b;random wa 4,1,3,3;Conv b,wa -> a "
           "group=4;Identity a -> k;Relu k -> z;output z",
     {{ONNX_LEAVE_OUT, 0, {{0}}, NULL},
      {ONNX_PADS, 1, {{1, 2, 0, 3}}, NULL},
      {ONNX_PLAIN, 2, {{0}}, NULL},
      {ONNX_LEAVE_OUT, 3, {{0}}, NULL}},
     4,
     NULL},
    {IMAGE "Transpose x -> t perm=[0,2,3,1];Transpose t -> u perm=[0,3,1,2];random wa 3,4,3,3;Conv u,wa -> "
           "a;output a",
     {{ONNX_UNDO, 1, {{0}}, NULL}},
     1,
     NULL},
    {IMAGE "Relu x -> r;Transpose r -> t perm=[0,2,3,1];Transpose t -> u perm=[0,3,1,2];random wa 3,4,1,1;"
           "Conv u,wa -> a;Relu u -> b;output a;output t",
     {{ONNX_UNDO, 2, {{1}}, NULL}},
     1,
     NULL},
    {IMAGE "Transpose x -> t perm=[0,2,3,1];Transpose t -> u perm=[0,3,1,2];Relu u -> a;output a",
     {{ONNX_UNDO, 1, {{2}}, NULL}},
     1,
     "what it reads is of another node"},
    {IMAGE "Transpose x -> t perm=[0,2,3,1];Transpose t -> u perm=[0,3,1,2];output u",
     {{ONNX_UNDO, 1, {{0}}, NULL}},
     1,
     "it makes an output of the network"},
    {IMAGE "Relu x -> r;Identity r -> i;output i",
     {{ONNX_LEAVE_OUT, 1, {{0}}, NULL}},
     1,
     "it makes an output of the network"},
    {IMAGE BORDER "Relu b -> r;output r",
     {{ONNX_PADS, 0, {{1, 2, 0, 3}}, NULL}},
     1,
     "what reads it is no convolution with pads of its own"},
    {IMAGE BORDER "random wa 3,4,3,3;Conv b,wa -> a auto_pad=\"SAME_UPPER\";output a",
     {{ONNX_PADS, 0, {{1, 2, 0, 3}}, NULL}},
     1,
     "what reads it is no convolution with pads of its own"},
    {IMAGE "random w 4,1,3,3;Conv x,w -> a group=4;Conv x,w -> b group=4;Add a,b -> c;output c",
     {{ONNX_PLAIN, 0, {{0}}, NULL}},
     1,
     "others read its weights"},
    {IMAGE "weights w float 4,1,3,3;Conv x,w -> a group=4;output a",
     {{ONNX_PLAIN, 0, {{0}}, NULL}},
     1,
     "its weights are not floating-point numbers in the file itself"},
    {IMAGE "random v 4,1,3,3;Identity v -> w;Conv x,w -> a group=4;output a",
     {{ONNX_PLAIN, 1, {{0}}, NULL}},
     1,
     "its weights are no constants of the file"},
    {IMAGE "random w 4,4,3,3;Conv x,w -> a;output a",
     {{ONNX_PLAIN, 0, {{0}}, NULL}},
     1,
     "its groups are not stated"},
};

static textbuf edited(const network *net, onnx_change *changes, uint32_t n, uint32_t *n_made)
{
    textbuf out;
    roof_error err = {0};
    text_init(&out, TEXT_MAX_BYTES);
    if (onnx_edit(net->data, net->size, changes, n, (roof_sink){memory_write, &out}, n_made, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return out;
}

static void what_the_file_does_not_allow_is_left_as_it_is(void **state)
{
    (void)state;
    random_state = 1;
    for (size_t i = 0; i < COUNT(cases); i++) {
        network net = written(cases[i].text);
        onnx_change changes[MOST_CHANGES];
        uint32_t n_made;
        memcpy(changes, cases[i].changes, sizeof changes);
        textbuf copy = edited(&net, changes, cases[i].n, &n_made);
        const char *why = changes[0].why_not;
        if (!why != !cases[i].why_not || (why && strcmp(why, cases[i].why_not) != 0) ||
            n_made != (why ? 0 : cases[i].n))
            fail_msg("%zu: want '%s', got '%s', %u made", i, cases[i].why_not ? cases[i].why_not : "made",
                     why ? why : "made", n_made);
        if (why)
            assert_true(copy.length == net.size && memcmp(copy.bytes, net.data, net.size) == 0);
        text_free(&copy);
        xm_buffer_free(&net.bytes);
    }
}

static void a_copy_computes_what_the_file_does(void **state)
{
    (void)state;
#ifndef ROOF_HAS_DNNL
    skip_without("libdnnl-dev");
#else
    enum { INPUTS = 4 * 9 * 7, ROUNDS = 3 };
    random_state = first_seed();
    for (size_t i = 0; i < COUNT(cases) * ROUNDS; i++) {
        const size_t at = i / ROUNDS;
        if (cases[at].why_not)
            continue;
        float input[INPUTS];
        network net = written(cases[at].text);
        onnx_change changes[MOST_CHANGES];
        uint32_t n_made;
        size_t n, n_copy;
        double largest = 0, worst = 0;
        for (size_t k = 0; k < INPUTS; k++)
            input[k] = (float)draw();
        memcpy(changes, cases[at].changes, sizeof changes);
        textbuf copy = edited(&net, changes, cases[at].n, &n_made);
        float *a = onnx_run(net.data, net.size, input, INPUTS, &n),
              *b = onnx_run((const uint8_t *)copy.bytes, copy.length, input, INPUTS, &n_copy);
        assert_int_equal(n, n_copy);
        for (size_t k = 0; k < n; k++) {
            largest = fmax(largest, fabs((double)a[k]));
            worst = fmax(worst, fabs((double)a[k] - b[k]));
        }
        if (!(worst <= 1e-5 * largest) || !(largest > 0.1))
            fail_msg("%zu: another result by %g of %g", at, worst, largest);
        free(a);
        free(b);
        text_free(&copy);
        xm_buffer_free(&net.bytes);
    }
#endif
}

/* What is written is what was advised: the copy takes what the edited graph was predicted to take. */
static void an_advised_copy_is_predicted_as_promised(void **state)
{
    static const char text[] =
        "opset 17;input x float 1,16,64,64;Identity x -> i;random wa 16,1,3,3;Conv i,wa -> a group=16 "
        "pads=[1,1,1,1];Transpose a -> t perm=[0,2,3,1];Transpose t -> u perm=[0,3,1,2];random wb 16,16,1,1;"
        "Conv u,wb -> b;Relu b -> r;output r";
    static const char *const rules[] = {"plain", "bypass", NULL};
    char path[128], copy[128];
    roof_graph *g = NULL;
    roof_hw *hw = NULL;
    roof_advice *a = NULL;
    roof_prediction *p = NULL;
    roof_edited made = {0};
    roof_error err = {0};
    (void)state;
    random_state = 3;
    network net = written(text);
    snprintf(path, sizeof path, "%s", in_folder("net.onnx"));
    snprintf(copy, sizeof copy, "%s", in_folder("edited.onnx"));
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(net.data, 1, net.size, file), net.size);
    assert_int_equal(fclose(file), 0);
    if (roof_graph_read(path, &g, &err) != ROOF_OK || roof_hw_load("kv260", &hw, &err) != ROOF_OK ||
        roof_advice_find(g, hw, &(roof_advice_options){.rules = rules}, &a, &err) != ROOF_OK ||
        roof_advice_write_edited(a, copy, &made, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_int_equal(made.n_made, 3);
    assert_int_equal(made.n_not_made, 0);
    roof_graph_free(g);
    if (roof_graph_read(copy, &g, &err) != ROOF_OK || roof_predict(g, hw, NULL, &p, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_true(fabs(p->total.predicted_s / a->combination.after.time_s - 1) <= 1e-9);
    assert_int_equal(p->total.macs, a->combination.after.macs);
    assert_true(a->combination.keeps_function);
    assert_int_equal(roof_advice_write_edited(a, path, &made, &err), ROOF_E_USAGE); /* the input */
    roof_prediction_free(p);
    roof_advice_free(a);
    roof_hw_free(hw);
    roof_graph_free(g);
    xm_buffer_free(&net.bytes);
    assert_int_equal(remove(copy), 0);
    assert_int_equal(remove(path), 0);
}

static void edits_of_another_file_are_refused(void **state)
{
    network net = written(IMAGE DEPTH LAST);
    onnx_change change = {ONNX_LEAVE_OUT, 99, {{0}}, NULL};
    uint32_t n_made;
    textbuf out;
    roof_error err = {0};
    (void)state;
    text_init(&out, TEXT_MAX_BYTES);
    const roof_sink sink = {memory_write, &out};
    assert_int_equal(onnx_edit(net.data, net.size, &change, 1, sink, &n_made, &err), ROOF_E_DATA);
    change.node = 0;
    assert_int_equal(onnx_edit(net.data, net.size / 2, &change, 1, sink, &n_made, &err), ROOF_E_DATA);
    assert_int_equal(out.length, 0);
    text_free(&out);
    xm_buffer_free(&net.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_file_does_not_allow_is_left_as_it_is),
        cmocka_unit_test(a_copy_computes_what_the_file_does),
        cmocka_unit_test(an_advised_copy_is_predicted_as_promised),
        cmocka_unit_test(edits_of_another_file_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
