/* Advice for small networks: which edits each rule offers, that each is what the edited graph is predicted
 * to take, how they are ranked and combined, and what is refused. */
#include "roofline/advise.h"
#include "model/edit/edit.h"
#include "roofline/render.h"
#include "tests/support/memory_io.h"
#include "tests/support/onnx_text.h"
#include "tests/unit/fixture.h"

#define NEAR(a, b) (fabs((a) - (b)) <= 1e-9 * fabs(b))

/* An image, two layers of 17 channels, the second one before a hard swish, and classes. */
#define STEM                                                                                                 \
    "opset 17;input x float 1,3,64,64;weights wa float 17,3,3,3;Conv x,wa -> a pads=[1,1,1,1];Relu a -> r;"  \
    "weights wb float 17,17,3,3;Conv r,wb -> b pads=[1,1,1,1];"
#define CLASSES(of)                                                                                          \
    "GlobalAveragePool " of " -> g;Flatten g -> f;weights wd float 17,10;Gemm f,wd -> d;output d"

typedef struct subject {
    xm_buffer bytes;
    roof_graph *graph;
    roof_hw *hw;
    roof_advice *advice;
} subject;

static void open_on(subject *s, const char *text, const char *hw)
{
    roof_error err = {0};
    *s = (subject){0};
    onnx_text_write(text, &s->bytes);
    if (graph_read_memory(s->bytes.data + s->bytes.start, s->bytes.capacity_bytes - s->bytes.start,
                          "test.onnx", &s->graph, &err) != ROOF_OK ||
        roof_hw_load(hw, &s->hw, &err) != ROOF_OK)
        fail_msg("%s: %s", text, fx_message(&err));
}

static void advise_with(subject *s, const roof_advice_options *options)
{
    roof_error err = {0};
    if (roof_advice_find(s->graph, s->hw, options, &s->advice, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
}

/* By one rule alone. */
static void advise_by(subject *s, const char *text, const char *hw, const char *rule)
{
    const char *const rules[] = {rule, NULL};
    open_on(s, text, hw);
    advise_with(s, &(roof_advice_options){.rules = rules});
}

static void close_subject(subject *s)
{
    roof_advice_free(s->advice);
    roof_hw_free(s->hw);
    roof_graph_free(s->graph);
    xm_buffer_free(&s->bytes);
}

static uint32_t place_of(const roof_graph *g, const char *name)
{
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (strcmp(g->ops[i].name, name) == 0)
            return i;
    fail_msg("no operator %s", name);
    return ROOF_NONE;
}

static double predicted_s(const roof_graph *g, const roof_hw *hw)
{
    roof_prediction *p = NULL;
    roof_error err = {0};
    if (roof_predict(g, hw, NULL, &p, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    const double seconds = roof_layer_seconds(p, NULL);
    roof_prediction_free(p);
    return seconds;
}

/* ---- rules --------------------------------------------------------------------------------------------- */

#define SQUEEZE                                                                                              \
    "GlobalAveragePool b -> p;weights we float 17,17,1,1;Conv p,we -> q;HardSigmoid q -> t;Mul b,t -> u;"
#define UNIT                                                                                                 \
    "weights wu float 17,17,3,3;Conv r,wu -> u pads=[1,1,1,1];Relu u -> v;weights wv float 17,17,3,3;"       \
    "Conv v,wv -> w pads=[1,1,1,1];Add r,w -> z;"

/* want: of the edit that changes most: kind, operators in turn, from and to of the first; "": none. */
static const struct {
    const char *rule, *hw, *text, *want;
} offers[] = {
    {"channels", "kv260", STEM CLASSES("b"), "channels a,b 17 16"},
    {"channels", "kv260", STEM "weights wc float 32,17,1,1;Conv b,wc -> c;output c", "channels a,b 17 16"},
    {"activation", "kv260", STEM "HardSwish b -> h;" CLASSES("h"), "activation h 0 0"},
    {"activation", "kv260", STEM "HardSigmoid b -> h;Mul b,h -> m;" CLASSES("m"), "activation m 0 0"},
    {"activation", "kv260", STEM "Relu b -> h;" CLASSES("h"), ""},
    {"activation", "kv260", STEM "Mul b,r -> h;" CLASSES("h"), ""},
    {"squeeze", "kv260", STEM SQUEEZE CLASSES("u"), "drop u 0 0"},
    {"squeeze", "kv260", STEM "Mul b,r -> u;" CLASSES("u"), ""},
    {"kernel", "kv260", STEM "weights wc float 17,17,5,5;Conv b,wc -> c pads=[2,2,2,2];" CLASSES("c"),
     "kernel c 5 3"},
    {"kernel", "kv260", STEM CLASSES("b"), ""},
    {"plain", "kv260",
     "input x float 1,16,64,64;weights wa float 16,1,3,3;Conv x,wa -> a pads=[1,1,1,1] group=16;Relu a -> b;"
     "output b",
     "groups a 16 1"},
    {"plain", "kv260", STEM CLASSES("b"), ""},
    {"depthwise", "kv260",
     "input x float 1,128,32,32;weights wa float 128,128,3,3;Conv x,wa -> a pads=[1,1,1,1];output a",
     "groups a 1 128"},
    {"depthwise", "kv260", STEM CLASSES("b"), ""}, /* so few channels the array does sooner */
    {"bypass", "kv260", STEM "Identity b -> i;Dropout i -> j;" CLASSES("j"), "drop i,j 0 0"},
    {"bypass", "kv260", STEM CLASSES("b"), ""},
    {"bypass", "kv260", STEM "Transpose b -> s perm=[0,2,3,1];Transpose s -> t perm=[0,3,1,2];" CLASSES("t"),
     "drop t 4 0"},
    {"bypass", "kv260", STEM "Transpose b -> s perm=[0,2,3,1];Transpose s -> t perm=[0,2,3,1];output t", ""},
    {"pads", "kv260",
     "input x float 1,8,64,64;values n int64 8 = 0,0,1,1,0,0,1,1;Pad x,n -> p;weights wa float 16,8,3,3;"
     "Conv p,wa -> a;output a",
     "pads p 0 0"},
    {"pads", "kv260",
     "input x float 1,8,64,64;values n int64 8 = 0,0,1,1,0,0,1,1;Pad x,n -> p mode=\"reflect\";weights wa "
     "float 16,8,3,3;Conv p,wa -> a;output a",
     ""},
    {"host", "kv260", STEM "Sin b -> h;weights wc float 16,17,1,1;Conv h,wc -> c;output c", "drop h 0 0"},
    {"depth", "kv260", STEM UNIT CLASSES("z"), "drop z 0 0"},
    {"depth", "kv260", STEM "Add r,b -> z;" CLASSES("z"), "drop z 0 0"},
    {"weights", "kv260",
     "input x float 1,4096,1,1;weights wa float 4096,4096,1,1;Conv x,wa -> a;Relu a -> r;weights wb float "
     "16,4096,1,1;Conv r,wb -> b;output b",
     "channels a 4096 2048"},
    {"largest", "kv260", STEM CLASSES("b"), "channels b 17 8"},
    {"resolution", "kv260", STEM CLASSES("b"), "input - 64 48"},
    {"width", "kv260", STEM CLASSES("b"), "width - 0 8"},
    {"batch", "dpucvdx8g-c32b6", STEM CLASSES("b"), "batch - 1 6"},
    {"batch", "dpucvdx8g-c32b1", STEM CLASSES("b"), ""},
    {"batch", "kv260", STEM CLASSES("b"), ""},
};

/* Kind, names, from and to of an edit. */
static void say_edit(const roof_edit_step *steps, uint32_t n, char *out, size_t size)
{
    int length = snprintf(out, size, "%s ", roof_edit_kind_word(steps[0].kind));
    for (uint32_t i = 0; i < n && (size_t)length < size; i++)
        length += snprintf(out + length, size - (size_t)length, "%s%s", i ? "," : "",
                           *steps[i].op ? steps[i].op : "-");
    if ((size_t)length < size)
        snprintf(out + length, size - (size_t)length, " %u %u", steps[0].from, steps[0].to);
}

static void each_rule_offers_what_it_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(offers); i++) {
        subject s;
        char got[200] = "";
        advise_by(&s, offers[i].text, offers[i].hw, offers[i].rule);
        const roof_advice *a = s.advice;
        uint32_t most = 0;
        for (uint32_t k = 0; k < a->n_edits; k++)
            if (a->edits[k].n_steps > most) { /* of those that gain the same the first one */
                most = a->edits[k].n_steps;
                say_edit(a->edits[k].steps, a->edits[k].n_steps, got, sizeof got);
            }
        if (strcmp(got, offers[i].want) != 0)
            fail_msg("%s on %s: want '%s', got '%s' (%u candidates, %u refused)", offers[i].rule,
                     offers[i].text, offers[i].want, got, a->n_candidates, a->n_refused);
        close_subject(&s);
    }
}

/* ---- what an edit gains -------------------------------------------------------------------------------- */

static void sixteen_channels_take_what_is_predicted_of_sixteen(void **state)
{
    static const char sixteen[] =
        "opset 17;input x float 1,3,64,64;weights wa float 16,3,3,3;Conv x,wa -> a pads=[1,1,1,1];"
        "Relu a -> r;weights wb float 16,16,3,3;Conv r,wb -> b pads=[1,1,1,1];"
        "GlobalAveragePool b -> g;Flatten g -> f;weights wd float 16,10;Gemm f,wd -> d;output d";
    subject s, small;
    (void)state;
    open_on(&small, sixteen, "kv260");
    advise_by(&s, STEM CLASSES("b"), "kv260", "channels");
    const roof_advised *best = &s.advice->edits[0];
    const double before = predicted_s(s.graph, s.hw), after = predicted_s(small.graph, small.hw);
    assert_int_equal(best->n_steps, 2); /* both layers together gain more than either */
    assert_true(NEAR(s.advice->base.time_s, before));
    assert_true(NEAR(best->after.time_s, after));
    assert_true(NEAR(best->gain_s, before - after));
    assert_true(NEAR(best->ratio, before / after));
    assert_true(NEAR(best->saving_ratio, 1 - after / before));
    assert_true(best->ratio > 1.5); /* two passes of the array in place of one */
    assert_int_equal(best->after.parameters, 16 * 3 * 9 + 16 * 16 * 9 + 16 * 10);
    assert_int_equal(best->bytes_saved, (int64_t)s.advice->base.bytes - (int64_t)best->after.bytes);
    assert_true(best->memory_saved_bytes > 0);
    assert_int_equal(best->n_rows, 3);
    assert_false(best->keeps_function);
    close_subject(&small);
    close_subject(&s);
}

/* Two passes of 16 lanes, three micro-blocks of 8 channels in place of two: more than operations say. */
static void seventeen_channels_cost_a_pass_more(void **state)
{
    static const char *const devices[] = {"kv260", "ethos-u55-128", "ethos-u65-512", "ethos-u85-256"};
    (void)state;
    for (size_t i = 0; i < COUNT(devices); i++) {
        subject s;
        advise_by(&s, STEM CLASSES("b"), devices[i], "channels");
        const roof_advised *best = NULL;
        for (uint32_t k = 0; k < s.advice->n_edits && !best; k++)
            best = s.advice->edits[k].steps[0].to == 16 ? &s.advice->edits[k] : NULL;
        if (!best)
            fail_msg("%s: 16 channels are not offered", devices[i]);
        const double of_macs = (double)s.advice->base.macs / (double)best->after.macs;
        print_message("%s: 17 -> 16 channels %.3f times as fast, operations %.3f\n", devices[i], best->ratio,
                      of_macs);
        assert_true(best->ratio > 1.3 * of_macs);
        close_subject(&s);
    }
}

/* What the host takes is in no time here: "saves 0 s" would say that nothing is gained. */
static void a_combination_that_spares_the_host_says_that(void **state)
{
    static const char network[] = "input x float 1,16,32,32;weights w float 16,16,3,3;"
                                  "Conv x,w -> a pads=[1,1,1,1];Erf a -> b;Conv b,w -> c pads=[1,1,1,1];"
                                  "Erf c -> d;Conv d,w -> e pads=[1,1,1,1];output e";
    subject s;
    textbuf text;
    roof_error err = {0};
    (void)state;
    advise_by(&s, network, "ethos-u55-128", "host");
    text_init(&text, TEXT_MAX_BYTES);
    assert_int_equal(roof_render(s.advice, NULL, (roof_sink){memory_write, &text}, &err), ROOF_OK);
    const char *said = text.bytes;
    if (!strstr(
            said,
            "Together, 2 edits (host) leave 0 rows to the host in place of 2; its time is in no figure") ||
        strstr(said, "saves 0 s"))
        fail_msg("%s", said);
    text_free(&text);
    close_subject(&s);
}

static void an_interval_is_wider_where_less_is_known(void **state)
{
    static const char large[] = "input x float 1,256,64,64;weights wa float 256,256,3,3;Conv x,wa -> a "
                                "pads=[1,1,1,1];Relu a -> r;weights wb float 256,256,3,3;Conv r,wb -> b "
                                "pads=[1,1,1,1];output b";
    static const struct {
        const char *text, *hw;
        double low, high; /* as parts of the ratio; NaN: none */
        const char *why;
    } rows[] = {
        {large, "kv260", 0.9, 1.1, NULL},
        {STEM CLASSES("b"), "kv260", 0.9 / 1.22, 1.1, "not calibrated"},
        {large, "mac=2048/cycle,clock=300MHz,ddr=19.2GB/s", NAN, NAN, "bounds"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        subject s;
        advise_by(&s, rows[i].text, rows[i].hw, i == 1 ? "channels" : "largest");
        assert_true(s.advice->n_edits > 0);
        const roof_advised *e = &s.advice->edits[0];
        if (isnan(rows[i].low)) {
            assert_true(isnan(e->ratio_low) && isnan(e->ratio_high) && isnan(e->gain_low_s));
        } else {
            assert_true(NEAR(e->ratio_low, e->ratio * rows[i].low));
            assert_true(NEAR(e->ratio_high, e->ratio * rows[i].high));
            assert_true(NEAR(e->gain_low_s, s.advice->base.time_s * (1 - 1 / e->ratio_low)));
            assert_true(NEAR(e->gain_high_s, s.advice->base.time_s * (1 - 1 / e->ratio_high)));
        }
        if (!rows[i].why != !e->interval_why || (rows[i].why && !strstr(e->interval_why, rows[i].why)))
            fail_msg("%zu: want '%s', got '%s'", i, rows[i].why ? rows[i].why : "",
                     e->interval_why ? e->interval_why : "");
        close_subject(&s);
    }
}

/* ---- ranking and combining ----------------------------------------------------------------------------- */

/* A hard swish, squeeze and excitation, and a large kernel. */
#define MIXED                                                                                                \
    STEM "HardSwish b -> h;weights wc float 17,17,7,7;Conv h,wc -> c pads=[3,3,3,3];"                        \
         "GlobalAveragePool c -> p;weights we float 17,17,1,1;Conv p,we -> q;HardSigmoid q -> t;"            \
         "Mul c,t -> u;" CLASSES("u")

static void what_cannot_be_told_apart_stands_behind(void **state)
{
    subject s;
    (void)state;
    open_on(&s, MIXED, "kv260");
    advise_with(&s, NULL);
    const roof_advice *a = s.advice;
    assert_true(a->n_distinguishable > 1 && a->n_distinguishable < a->n_edits);
    for (uint32_t i = 0; i < a->n_edits; i++) {
        assert_int_equal(a->edits[i].is_distinguishable, i < a->n_distinguishable);
        assert_int_equal(a->edits[i].is_distinguishable, a->edits[i].saving_ratio >= ROOF_EDIT_LEAST_SAVING);
        if (i && i != a->n_distinguishable)
            assert_true(a->edits[i - 1].gain_s >= a->edits[i].gain_s);
    }
    assert_int_equal(a->n_candidates, a->n_tried + a->n_slight + a->n_over);
    assert_int_equal(a->n_tried, a->n_edits + a->n_without_gain + a->n_refused);
    close_subject(&s);
}

/* The combination is one network, edited and predicted as a whole. */
static void a_combination_is_predicted_as_a_whole(void **state)
{
    static const char *const rules[] = {"activation", "kernel", "resolution", NULL};
    subject s;
    (void)state;
    open_on(&s, MIXED, "kv260");
    advise_with(&s, &(roof_advice_options){.rules = rules});
    const roof_advice *a = s.advice;
    const edit both[] = {{.kind = EDIT_KERNEL, .op = place_of(s.graph, "c"), .value = 3},
                         {.kind = EDIT_ACTIVATION, .op = place_of(s.graph, "h")}};
    roof_graph *edited = NULL;
    assert_int_equal(edit_graph(s.graph, both, 2, &edited, NULL), ROOF_OK);
    assert_int_equal(a->n_combined, 2); /* the input is of the whole */
    assert_true(NEAR(a->combination.after.time_s, predicted_s(edited, s.hw)));
    assert_string_equal(a->combination.rule, "kernel + activation");
    assert_int_equal(a->combination.n_steps, 2);
    assert_false(a->combination.keeps_function);
    double best = 0;
    for (uint32_t i = 0; i < a->n_combined; i++) {
        assert_true(a->edits[a->combined[i]].is_combined);
        best = fmax(best, a->edits[a->combined[i]].gain_s);
    }
    assert_true(a->combination.gain_s > best);
    roof_graph_free(edited);
    close_subject(&s);
}

/* Six images take what one takes, but for their maps: of each it is a sixth. */
static void a_batch_that_fills_the_lanes_is_told_by_the_image(void **state)
{
    subject s;
    roof_prediction *six = NULL;
    roof_error err = {0};
    (void)state;
    advise_by(&s, STEM CLASSES("b"), "dpucvdx8g-c32b6", "batch");
    assert_int_equal(s.advice->n_edits, 1);
    const roof_advised *e = &s.advice->edits[0];
    assert_int_equal(roof_predict(s.graph, s.hw, &(roof_predict_options){.batch = 6}, &six, &err), ROOF_OK);
    const double all_s = roof_layer_seconds(six, NULL);
    assert_true(all_s > s.advice->base.time_s); /* an image waits for the others */
    assert_true(NEAR(e->after.time_s, all_s / 6));
    assert_true(NEAR(e->ratio, 6 * s.advice->base.time_s / all_s) && e->ratio > 2);
    assert_int_equal(e->after.bytes, (roof_traffic_total(&six->total.deployed.traffic) + 5) / 6);
    assert_int_equal(e->after.macs, s.advice->base.macs);
    assert_int_equal(e->after.memory_bytes, 6 * s.advice->base.memory_bytes);
    assert_true(e->keeps_function && e->is_of_whole);
    assert_int_equal(s.advice->n_combined, 0);
    roof_prediction_free(six);
    close_subject(&s);
}

static void of_memory_every_saving_counts(void **state)
{
    subject s;
    (void)state;
    open_on(&s, MIXED, "kv260");
    advise_with(&s, &(roof_advice_options){.metric = ROOF_ADVICE_MEMORY});
    const roof_advice *a = s.advice;
    assert_true(a->n_distinguishable > 0 && a->base.memory_bytes != ROOF_UNKNOWN);
    for (uint32_t i = 0; i < a->n_distinguishable; i++) {
        assert_true(a->edits[i].memory_saved_bytes > 0);
        if (i)
            assert_true(a->edits[i - 1].memory_saved_bytes >= a->edits[i].memory_saved_bytes);
    }
    close_subject(&s);
}

static void only_so_many_are_tried_and_the_others_counted(void **state)
{
    subject s;
    (void)state;
    open_on(&s, MIXED, "kv260");
    advise_with(&s, &(roof_advice_options){.most_tried = 3});
    assert_int_equal(s.advice->n_tried, 3);
    assert_int_equal(s.advice->n_over, s.advice->n_candidates - s.advice->n_slight - 3);
    assert_true(s.advice->n_over > 0);
    close_subject(&s);
}

static void an_edit_that_is_not_possible_says_why(void **state)
{
    subject s;
    (void)state;
    advise_by(&s,
              "input x float 1,3,36,36;weights w float 3,3,3,3;Conv x,w -> a pads=[1,1,1,1] strides=[2,2];"
              "values z float 0 = ;values s float 4 = 1,1,2,2;Resize a,z,s -> u;Add x,u -> y;"
              "weights v float 4,3,1,1;Conv y,v -> c;output c",
              "kv260", "resolution");
    assert_int_equal(s.advice->n_refused, 2);
    assert_int_equal(s.advice->n_refusals, 2);
    assert_non_null(strstr(s.advice->refusals[0].why, "the maps that it reads no longer fit each other"));
    assert_int_equal(s.advice->refusals[0].steps[0].kind, ROOF_EDIT_INPUT);
    close_subject(&s);
}

static void what_has_no_honest_number_is_refused(void **state)
{
    static const char *const no_rule[] = {"smaller", NULL};
    static const struct {
        roof_advice_options options;
        roof_status status;
        const char *want;
    } rows[] = {
        {{.metric = ROOF_ADVICE_ENERGY}, ROOF_E_UNSUPPORTED, "energy"},
        {{.rules = no_rule}, ROOF_E_USAGE, "smaller"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        subject s;
        roof_error err = {0};
        open_on(&s, STEM CLASSES("b"), "kv260");
        assert_int_equal(roof_advice_find(s.graph, s.hw, &rows[i].options, &s.advice, &err), rows[i].status);
        assert_non_null(strstr(err.what, rows[i].want));
        assert_null(s.advice);
        close_subject(&s);
    }
}

/* Compiled files have no network to edit. */
static void a_compiled_graph_asks_for_its_source(void **state)
{
    roof_graph *g = NULL;
    roof_hw *hw = NULL;
    roof_advice *a = NULL;
    roof_error err = {0};
    (void)state;
    fx_net net = fx_open(xn_find_network("mobilenetv2")->build(NULL, NULL), NULL);
    g = net.graph;
    assert_int_equal(roof_hw_load("kv260", &hw, &err), ROOF_OK);
    assert_int_equal(roof_advice_find(g, hw, NULL, &a, &err), ROOF_E_UNSUPPORTED);
    assert_non_null(strstr(err.what, "compiled from"));
    roof_hw_free(hw);
    fx_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_offers_what_it_says),
        cmocka_unit_test(sixteen_channels_take_what_is_predicted_of_sixteen),
        cmocka_unit_test(seventeen_channels_cost_a_pass_more),
        cmocka_unit_test(a_combination_that_spares_the_host_says_that),
        cmocka_unit_test(an_interval_is_wider_where_less_is_known),
        cmocka_unit_test(what_cannot_be_told_apart_stands_behind),
        cmocka_unit_test(a_combination_is_predicted_as_a_whole),
        cmocka_unit_test(a_batch_that_fills_the_lanes_is_told_by_the_image),
        cmocka_unit_test(of_memory_every_saving_counts),
        cmocka_unit_test(only_so_many_are_tried_and_the_others_counted),
        cmocka_unit_test(an_edit_that_is_not_possible_says_why),
        cmocka_unit_test(what_has_no_honest_number_is_refused),
        cmocka_unit_test(a_compiled_graph_asks_for_its_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
