/* Edits of small networks: what follows from each, and what is refused, with the operator and the reason. */
#include "model/edit/edit.h"
#include "tests/support/onnx_text.h"
#include "tests/unit/fixture.h"

enum { MOST_EDITS = 3 };

typedef struct named_edit {
    edit_kind kind;
    const char *op; /* NULL: the whole */
    uint32_t value, value_w;
    double factor;
} named_edit;

#define X "input x float 1,8,16,16;"
/* a 1x1 convolution, an activation, a depthwise one, and another 1x1 */
#define CHAIN                                                                                                \
    X "weights wa float 32,8,1,1;weights ba float 32;Conv x,wa,ba -> a;Relu a -> r;"                         \
      "weights wb float 32,1,3,3;Conv r,wb -> b group=32 pads=[1,1,1,1];weights wc float 8,32,1,1;"          \
      "Conv b,wc -> c;"
#define HEAD                                                                                                 \
    "GlobalAveragePool c -> g;Flatten g -> f;weights wd float 8,10;values bd float 10 = "                    \
    "0,0,0,0,0,0,0,0,0,0;"                                                                                   \
    "Gemm f,wd,bd -> d;Softmax d -> s"

static const struct {
    const char *text;
    named_edit edits[MOST_EDITS];
    const char *want; /* "operator=dims" in a row; or the reason, after "!" */
} cases[] = {
    /* channels: of who makes them, and of all that only hands them on */
    {CHAIN HEAD,
     {{EDIT_CHANNELS, "a", 24, 0, 0}},
     "a=1,16,16,24 wa=24,1,1,8 ba=24 b=1,16,16,24 wb=1,3,3,24 wc=8,1,1,24 c=1,16,16,8"},
    {CHAIN HEAD,
     {{EDIT_CHANNELS, "c", 20, 0, 0}},
     "c=1,16,16,20 wc=20,1,1,32 g=1,1,1,20 f=1,20 wd=20,10 d=1,10"},
    {CHAIN HEAD, {{EDIT_CHANNELS, "d", 5, 0, 0}}, "wd=8,5 bd=5 d=1,5 s=1,5"},
    {CHAIN HEAD, {{EDIT_CHANNELS, "b", 24, 0, 0}}, "!its channels are those of what it reads"},
    {CHAIN "Add c,x -> e;" HEAD,
     {{EDIT_CHANNELS, "c", 20, 0, 0}},
     "!its channels are those of the network's input"},
    {CHAIN "weights we float 8,8,1,1;Conv x,we -> e;Add c,e -> h",
     {{EDIT_CHANNELS, "c", 20, 0, 0}},
     "c=1,16,16,20 e=1,16,16,20 we=20,1,1,8 h=1,16,16,20"},
    {CHAIN "weights we float 8,8,1,1;Conv x,we -> e;Add c,e -> h",
     {{EDIT_CHANNELS, "c", 20, 0, 0}, {EDIT_CHANNELS, "e", 24, 0, 0}},
     "!another edit gives it, or what is added to it, other channels"},
    {CHAIN "Concat b,c -> e axis=1", {{EDIT_CHANNELS, "a", 24, 0, 0}}, "e=1,16,16,32"},
    {CHAIN "weights we float 8,1,1;Mul c,we -> e",
     {{EDIT_CHANNELS, "c", 24, 0, 0}},
     "we=24,1,1 e=1,16,16,24"},
    {CHAIN "weights s float 8;BatchNormalization c,s,s,s,s -> e",
     {{EDIT_CHANNELS, "c", 24, 0, 0}},
     "s=24 e=1,16,16,24"},
    {CHAIN "values n int64 5 = 1,2,4,16,16;Reshape c,n -> e;Transpose e -> t perm=[0,2,1,3,4]",
     {{EDIT_CHANNELS, "c", 24, 0, 0}},
     "!it cuts the dimensions that change in another way"},
    {X "weights w float 8,8,1,1;Conv x,w -> a;Conv x,w -> b",
     {{EDIT_CHANNELS, "b", 24, 0, 0}},
     "!another operator needs a constant that it reads in another shape"},
    {X "weights w float 8,8,1,1;Conv x,w -> a;Conv x,w -> b",
     {{EDIT_CHANNELS, "a", 24, 0, 0}},
     "!others read the same constant, and need another shape of it"},
    {CHAIN "Slice c,p,q,u -> e;values p int64 1 = 0;values q int64 1 = 4;values u int64 1 = 1",
     {{EDIT_CHANNELS, "c", 24, 0, 0}},
     "!the part of its input that it takes is unknown"},
    /* widths: what classes come from stays */
    {CHAIN HEAD, {{EDIT_WIDTH, NULL, 8, 0, 0.5}}, "a=1,16,16,16 wb=1,3,3,16 c=1,16,16,8 d=1,10 wd=8,10"},
    {CHAIN HEAD, {{EDIT_WIDTH, NULL, 1, 0, 1.3}}, "a=1,16,16,42 c=1,16,16,11 wd=11,10 d=1,10"},
    /* windows */
    {CHAIN HEAD, {{EDIT_KERNEL, "b", 5, 0, 0}}, "b=1,16,16,32 wb=1,5,5,32"},
    {CHAIN HEAD, {{EDIT_KERNEL, "b", 1, 0, 0}}, "b=1,16,16,32 wb=1,1,1,32"},
    {CHAIN HEAD, {{EDIT_KERNEL, "r", 3, 0, 0}}, "!it has no kernel of height and width"},
    {X "weights w float 8,8,5,5;Conv x,w -> a",
     {{EDIT_KERNEL, "a", 3, 0, 0}},
     "!its pads cannot keep its output as large as it is"},
    {CHAIN HEAD, {{EDIT_STRIDE, "b", 2, 0, 0}}, "b=1,8,8,32 c=1,8,8,8 g=1,1,1,8"},
    {CHAIN "Add c,x -> e", {{EDIT_STRIDE, "b", 2, 0, 0}}, "!the maps that it reads no longer fit each other"},
    {CHAIN HEAD, {{EDIT_GROUPS, "b", 1, 0, 0}}, "b=1,16,16,32 wb=32,3,3,32"},
    {CHAIN HEAD, {{EDIT_GROUPS, "b", 4, 0, 0}, {EDIT_CHANNELS, "a", 16, 0, 0}}, "b=1,16,16,32 wb=32,3,3,4"},
    {CHAIN HEAD, {{EDIT_GROUPS, "b", 5, 0, 0}}, "!its channels are no multiple of so many groups"},
    {X "weights w float 8,8,3,3;Conv x,w -> a pads=[1,1,1,1]",
     {{EDIT_GROUPS, "a", 8, 0, 0}},
     "a=1,16,16,8 w=1,3,3,8"},
    /* the input */
    {"input x float 1,3,16,16;weights w float 8,3,3,3;Conv x,w -> a pads=[1,1,1,1] strides=[2,2]",
     {{EDIT_INPUT, NULL, 20, 13, 0}},
     "x=1,20,13,3 a=1,10,7,8"},
    {"input x float 1,3,16,16;weights w float 8,3,3,3;Conv x,w -> a auto_pad=\"SAME_UPPER\" strides=[2,2]",
     {{EDIT_INPUT, NULL, 13, 13, 0}},
     "a=1,7,7,8"},
    {"input x float 1,3,16,16;MaxPool x -> a kernel_shape=[2,2] strides=[2,2]",
     {{EDIT_INPUT, NULL, 13, 13, 0}},
     "!whether its window rounds up is unknown"},
    {"input x float 1,3,17,17;MaxPool x -> a kernel_shape=[2,2] strides=[2,2] ceil_mode=1",
     {{EDIT_INPUT, NULL, 13, 13, 0}},
     "a=1,7,7,3"},
    {"input x float 1,3,16,16;AveragePool x -> a kernel_shape=[16,16]",
     {{EDIT_INPUT, NULL, 13, 13, 0}},
     "a=1,1,1,3"},
    {"input x float 1,3,4,4;weights w float 3,8,3,3;ConvTranspose x,w -> a strides=[2,2] pads=[1,1,1,1] "
     "output_padding=[1,1]",
     {{EDIT_INPUT, NULL, 6, 5, 0}},
     "a=1,12,10,8"},
    {"input x float 1,3,4,4;values z float 0 = ;values s float 4 = 1,1,2,2;Resize x,z,s -> a",
     {{EDIT_INPUT, NULL, 6, 5, 0}},
     "a=1,12,10,3"},
    {CHAIN HEAD, {{EDIT_INPUT, NULL, 6, 5, 0}}, "!which of its dimensions are height and width is unknown"},
    {"input x float 1,3,6,6;Transpose x -> t perm=[0,2,3,1];values n int64 3 = 1,-1,3;Reshape t,n -> y",
     {{EDIT_INPUT, NULL, 6, 5, 0}},
     "!in which order it puts dimensions is unknown"},
    {"input x float 1,4,6,6;weights w float 8,4,1,1;Conv x,w -> c;Transpose c -> t perm=[0,2,3,1];values n "
     "int64 3 = 1,-1,4;Reshape t,n -> y",
     {{EDIT_INPUT, NULL, 6, 6, 0}},
     "y=1,72,4"},
    {"input x float 1,3,6,6;LSTM x,x,x -> y",
     {{EDIT_INPUT, NULL, 6, 5, 0}},
     "!how its shape depends on its inputs is unknown"},
    /* what is replaced or left out */
    {CHAIN "HardSwish c -> e;Relu e -> z", {{EDIT_ACTIVATION, "e", 0, 0, 0}}, "e=1,16,16,8 z=1,16,16,8"},
    {CHAIN "Sigmoid c -> q;Mul c,q -> e;Relu e -> z",
     {{EDIT_ACTIVATION, "e", 0, 0, 0}},
     "e=1,16,16,8 q=gone"},
    {CHAIN "Mul c,x -> e",
     {{EDIT_ACTIVATION, "e", 0, 0, 0}},
     "!it is neither an activation nor a map times its own sigmoid"},
    {CHAIN "Add x,c -> e;Relu e -> z",
     {{EDIT_DROP, "e", 0, 0, 0}},
     "z=1,16,16,8 e=gone c=gone wc=gone a=gone ba=gone x=1,16,16,8"},
    {CHAIN "GlobalAveragePool c -> g;Mul c,g -> e;Relu e -> z",
     {{EDIT_DROP, "e", 0, 0, 0}},
     "z=1,16,16,8 g=gone c=1,16,16,8"},
    {CHAIN "GlobalAveragePool c -> g;Mul c,g -> e;Relu e -> z",
     {{EDIT_DROP, "e", 1, 0, 0}},
     "!what it reads has not the shape of what it makes"},
    {CHAIN HEAD, {{EDIT_DROP, "a", 0, 0, 0}}, "!what it reads has not the shape of what it makes"},
    {CHAIN HEAD, {{EDIT_DROP, "s", 0, 0, 0}}, "!it makes what the network gives"},
    {CHAIN HEAD, {{EDIT_DROP, "r", 2, 0, 0}}, "!it has no such input"},
};

static uint32_t place_of(const roof_graph *g, const char *name, size_t length)
{
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (strlen(g->ops[i].name) == length && memcmp(g->ops[i].name, name, length) == 0)
            return i;
    return ROOF_NONE;
}

static roof_graph *open_text(const char *text, xm_buffer *bytes)
{
    roof_graph *graph = NULL;
    roof_error err = {0};
    onnx_text_write(text, bytes);
    if (graph_read_memory(bytes->data + bytes->start, bytes->capacity_bytes - bytes->start, "test.onnx",
                          &graph, &err) != ROOF_OK)
        fail_msg("%s: %s", text, fx_message(&err));
    return graph;
}

static uint32_t set_edits(const roof_graph *g, const named_edit *named, edit *out)
{
    uint32_t n = 0;
    for (; n < MOST_EDITS && (named[n].op || named[n].value); n++) {
        const uint32_t op = named[n].op ? place_of(g, named[n].op, strlen(named[n].op)) : ROOF_NONE;
        assert_true(!named[n].op || op != ROOF_NONE);
        out[n] = (edit){named[n].kind, op, named[n].value, named[n].value_w, named[n].factor};
    }
    return n;
}

static void check_dims(const char *text, const roof_graph *g, const char *want)
{
    for (const char *at = want; *at; at += strspn(at, " ")) {
        char got[120] = "gone";
        const size_t name = strcspn(at, "="), all = strcspn(at, " ");
        const uint32_t op = place_of(g, at, name);
        for (uint32_t k = 0; op != ROOF_NONE && k < g->ops[op].out.n_dims; k++)
            snprintf(got + (k ? strlen(got) : 0), sizeof got - (k ? strlen(got) : 0), "%s%u", k ? "," : "",
                     g->ops[op].out.dims[k]);
        if (strlen(got) != all - name - 1 || strncmp(got, at + name + 1, all - name - 1) != 0)
            fail_msg("%s: %.*s, got %s", text, (int)all, at, got);
        at += all;
    }
}

static void an_edit_goes_through_all_that_depends_on_it_or_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        xm_buffer bytes = {0};
        edit edits[MOST_EDITS];
        roof_graph *g = open_text(cases[i].text, &bytes), *out = NULL;
        roof_error err = {0};
        const uint32_t n = set_edits(g, cases[i].edits, edits);
        const roof_status status = edit_graph(g, edits, n, &out, &err);
        const bool is_refused = cases[i].want[0] == '!';
        if (status != (is_refused ? ROOF_E_UNSUPPORTED : ROOF_OK) ||
            (is_refused && !strstr(err.what, cases[i].want + 1)))
            fail_msg("%zu: %s: want %s, got %d: %s", i, cases[i].text, cases[i].want, (int)status,
                     status == ROOF_OK ? "" : err.what);
        if (!is_refused)
            check_dims(cases[i].text, out, cases[i].want);
        roof_graph_free(out);
        roof_graph_free(g);
        xm_buffer_free(&bytes);
    }
}

static void bytes_follow_the_shape(void **state)
{
    xm_buffer bytes = {0};
    roof_graph *g = open_text(CHAIN HEAD, &bytes), *out = NULL;
    const edit what = {EDIT_CHANNELS, place_of(g, "a", 1), 24, 0, 0};
    (void)state;
    assert_int_equal(edit_graph(g, &what, 1, &out, NULL), ROOF_OK);
    for (uint32_t i = 0; i < out->n_ops; i++) {
        const roof_tensor *t = &out->ops[i].out;
        uint64_t elements = 1;
        for (uint32_t k = 0; k < t->n_dims; k++)
            elements *= t->dims[k];
        assert_int_equal(t->elements, elements);
        assert_int_equal(t->bytes, elements * t->bit_width / 8);
    }
    assert_string_not_equal(out->graph_hash, g->graph_hash);
    assert_int_equal(out->n_layers, g->n_layers);
    roof_graph_free(out);
    roof_graph_free(g);
    xm_buffer_free(&bytes);
}

static void what_names_no_operator_or_overflows_is_an_error(void **state)
{
    static const struct {
        edit what;
        roof_status status;
    } errors[] = {
        {{EDIT_CHANNELS, 1000, 8, 0, 0}, ROOF_E_USAGE},
        {{EDIT_CHANNELS, ROOF_NONE, 8, 0, 0}, ROOF_E_USAGE},
        {{EDIT_INPUT, 0, 8, 8, 0}, ROOF_E_USAGE},
        {{EDIT_KINDS, 0, 8, 8, 0}, ROOF_E_USAGE},
        {{EDIT_WIDTH, ROOF_NONE, 8, 0, 0}, ROOF_E_USAGE},
        {{EDIT_WIDTH, ROOF_NONE, 0, 0, 1}, ROOF_E_USAGE},
        {{EDIT_WIDTH, ROOF_NONE, 8, 0, NAN}, ROOF_E_USAGE},
    };
    xm_buffer bytes = {0};
    roof_graph *g = open_text(CHAIN HEAD, &bytes), *out = NULL;
    roof_error err;
    (void)state;
    for (size_t i = 0; i < COUNT(errors); i++)
        if (edit_graph(g, &errors[i].what, 1, &out, &err) != errors[i].status)
            fail_msg("%zu: want %d, got %d: %s", i, (int)errors[i].status, (int)err.status, err.what);
    const edit large[] = {{EDIT_CHANNELS, place_of(g, "a", 1), UINT32_MAX, 0, 0},
                          {EDIT_CHANNELS, place_of(g, "c", 1), UINT32_MAX, 0, 0}};
    assert_int_equal(edit_graph(g, large, 2, &out, &err), ROOF_E_LIMIT);
    assert_null(out);
    roof_graph_free(g);
    xm_buffer_free(&bytes);
}

static void a_compiled_network_is_not_edited(void **state)
{
    fx_net net = fx_open(xn_tiny(NULL, NULL), NULL);
    roof_graph *out = NULL;
    roof_error err;
    (void)state;
    assert_int_equal(edit_graph(net.graph, NULL, 0, &out, &err), ROOF_E_UNSUPPORTED);
    assert_non_null(strstr(err.what, "it was compiled"));
    fx_close(&net);
}

static void a_ratio_has_an_interval_where_pairs_were_measured(void **state)
{
    static const struct {
        const char *hw;
        double before_s, after_s;
        uint64_t least_ops;
        bool is_expected, has_interval, is_distinguishable;
        double low, high;
    } ratios[] = {
        {"kv260", 0.011, 0.010, 1000000000, true, true, false, 0.99, 1.21},
        {"kv260", 0.010, 0.020, 1000000000, true, true, true, 0.45, 0.55},
        {"kv260", 0.022, 0.010, 100000000, true, true, true, 2.2 * 0.9 / 1.22, 2.42},
        {"kv260", 0.022, 0.010, 1000000000, false, false, true, 0, 0},
        {"npu2", 0.022, 0.010, 1000000000, true, false, true, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(ratios); i++) {
        roof_hw *hw = fx_hw(ratios[i].hw);
        const edit_ratio r = edit_ratio_of(ratios[i].before_s, ratios[i].after_s, ratios[i].least_ops,
                                           ratios[i].is_expected ? ROOF_EXPECTED : ROOF_AT_LEAST, false, hw);
        assert_true(fabs(r.ratio - ratios[i].before_s / ratios[i].after_s) < 1e-12);
        assert_int_equal(r.is_distinguishable, ratios[i].is_distinguishable);
        assert_int_equal(!isnan(r.low), ratios[i].has_interval);
        if (ratios[i].has_interval)
            assert_true(fabs(r.low - ratios[i].low) < 1e-9 && fabs(r.high - ratios[i].high) < 1e-9);
        assert_int_equal(r.why == NULL,
                         ratios[i].has_interval && (double)ratios[i].least_ops >= ROOF_EDIT_LEAST_OPS);
        roof_hw_free(hw);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edit_goes_through_all_that_depends_on_it_or_is_refused),
        cmocka_unit_test(bytes_follow_the_shape),
        cmocka_unit_test(what_names_no_operator_or_overflows_is_an_error),
        cmocka_unit_test(a_compiled_network_is_not_edited),
        cmocka_unit_test(a_ratio_has_an_interval_where_pairs_were_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
