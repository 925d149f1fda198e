/* What a network that nobody compiled asks of a Neural-ART, and what is expected of it: the rules of
 * docs/hardware/neural_art.md, "An uncompiled network", one by one, and its worked example. */
#include "core/text.h"
#include "model/documents/documents.h"
#include "model/graph/program_build.h"
#include "model/lower/lower.h"
#include "model/work/epoch_work.h"
#include "roofline/calibration.h"
#include "roofline/predictions.h"
#include "tests/support/memory_io.h"
#include "tests/support/onnx_text_net.h"

#include <math.h>

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("got %.12g, want %.12g", got, want);
}

/* --- the rules ------------------------------------------------------------------------------------------ */

typedef struct lowered {
    fx_net net;
    roof_hw *hw;
    roof_arena *arena;
    roof_program program;
} lowered;

static lowered lower_text(const char *text)
{
    lowered l = {.net = onnx_text_net(text), .hw = fx_hw("stm32n6"), .arena = arena_new(0)};
    const program_lowering by_rules = {lower_program, l.hw, 0};
    roof_error err;
    assert_int_equal(program_build(l.net.graph, l.hw, &by_rules, l.arena, l.arena, &l.program, &err),
                     ROOF_OK);
    return l;
}

static void lowered_free(lowered *l)
{
    arena_free(l->arena);
    roof_hw_free(l->hw);
    fx_close(&l->net);
}

/* Of the row whose type begins so; NULL: of what is beside rows. */
static const epoch_work *work_of(const lowered *l, const char *type)
{
    for (uint32_t i = 0; type && i < l->program.n_rows; i++)
        if (strncmp(l->program.rows[i].type, type, strlen(type)) == 0)
            return l->program.rows[i].work.epoch;
    assert_null(type);
    return l->program.epochs;
}

static void a_stream_is_as_long_as_passes_over_the_map_make_it(void **state)
{
    static const struct {
        const char *text, *row;
        double stream;
    } cases[] = {
        /* places: max(O, I ceil(oc / 16) / (3 u)), u = 1, 2, 4 by channels */
        {"input x float 1,64,32,32; weights w float 64,64,1,1; Conv x,w -> y; output y", "conv", 262144. / 3},
        {"input x float 1,128,16,16; weights w float 128,128,1,1; Conv x,w -> y; output y", "conv",
         262144. / 3},
        {"input x float 1,256,8,8; weights w float 256,256,1,1; Conv x,w -> y; output y", "conv",
         262144. / 6},
        {"input x float 1,152,8,8; weights w float 32,152,1,1; Conv x,w -> y; output y", "conv", 9728. / 3},
        {"input x float 1,512,8,8; weights w float 64,512,1,1; Conv x,w -> y; output y", "conv",
         131072. / 12},
        {"input x float 1,16,8,8; weights w float 64,16,1,1; Conv x,w -> y; output y", "conv", 4096},
        {"input x float 1,256; weights w float 256,101; MatMul x,w -> y; output y", "fc", 256. * 7 / 6},
        /* kernels: max(O, I ceil(oc / 16) ceil(k / 3)), twice for wider ones than 6 */
        {"input x float 1,64,64,64; weights w float 128,64,3,3; Conv x,w -> y pads=[1,1,1,1]; output y",
         "conv", 262144. * 8},
        {"input x float 1,8,32,32; weights w float 16,8,5,5; Conv x,w -> y pads=[2,2,2,2]; output y", "conv",
         16384},
        {"input x float 1,16,32,32; weights w float 16,16,5,5; Conv x,w -> y pads=[2,2,2,2]; output y",
         "conv", 16384. * 2},
        {"input x float 1,16,32,32; weights w float 16,16,7,7; Conv x,w -> y pads=[3,3,3,3]; output y",
         "conv", 16384. * 3 * 2},
        /* in groups: oc / groups */
        {"input x float 1,64,8,8; weights w float 64,16,3,3; Conv x,w -> y pads=[1,1,1,1] group=4; output y",
         "conv", 4096},
        /* depthwise: max(I, O) ceil(k / 3) */
        {"input x float 1,8,64,64; weights w float 8,1,3,3; Conv x,w -> y pads=[1,1,1,1] strides=[2,2] "
         "group=8; output y",
         "dw", 32768},
        {"input x float 1,8,64,64; weights w float 8,1,5,5; Conv x,w -> y pads=[2,2,2,2] group=8; output y",
         "dw", 65536},
        /* pools: max(I, O) max(1, floor((k - 1) / 2)); of whole maps one pass, by the host above 64 places */
        {"input x float 1,8,32,32; MaxPool x -> y kernel_shape=[2,2] strides=[2,2]; output y", "maxpool",
         8192},
        {"input x float 1,8,32,32; MaxPool x -> y kernel_shape=[5,5] pads=[2,2,2,2]; output y", "maxpool",
         16384},
        {"input x float 1,128,8,8; GlobalAveragePool x -> y; output y", "avgpool", 8192},
        {"input x float 1,128,9,9; GlobalAveragePool x -> y; output y", "avgpool", 0},
        {"input x float 1,128,9,9; ReduceMean x -> y axes=[2,3]; output y", "ReduceMean", 0},
        /* element by element: the larger of both */
        {"input x float 1,8,32,32; input g float 1,8,1,1; Mul g,x -> y; output y", "Mul", 8192},
        {"input x float 1,100; Softmax x -> y; output y", "Softmax", 100},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        lowered l = lower_text(cases[i].text);
        const epoch_work *w = work_of(&l, cases[i].row);
        if (fabs(w->stream - cases[i].stream) > 1e-6)
            fail_msg("%s: a stream of %.3f, not %.3f", cases[i].text, w->stream, cases[i].stream);
        lowered_free(&l);
    }
}

#define SHUFFLED(channels, rest)                                                                             \
    "input x float 1,8,14,14; weights w float " channels ",8,1,1; Conv x,w -> a; Conv x,w -> b;" rest

static void elements_beside_layers_are_counted_by_what_is_done_to_them(void **state)
{
    static const struct {
        const char *text, *row; /* NULL: beside rows */
        epoch_extra extra;
        uint64_t elements;
    } cases[] = {
        {SHUFFLED("32", "Concat a,b -> y axis=1; output y"), NULL, EPOCH_COPY, 64 * 196},
        {SHUFFLED("32", "Concat a,b -> y axis=1; output y"), NULL, EPOCH_ODD, 0},
        {SHUFFLED("58", "Concat a,b -> y axis=1; output y"), NULL, EPOCH_ODD, 116 * 196},
        {SHUFFLED("58", "Concat a,b -> y axis=1; output y"), NULL, EPOCH_COPY, 0},
        /* of boxes side by side, channels are not what is joined */
        {"input x float 1,100,81; input z float 1,50,81; Concat x,z -> y axis=1; output y", NULL, EPOCH_COPY,
         150 * 81},
        {"input x float 1,8,14,14; Concat x -> y axis=1; output y", NULL, EPOCH_COPY, 0},
        /* of the input itself nothing was computed yet */
        {"input x float 1,3,8,8; values p int64 2 = 1,2; Split x,p -> a,b axis=1; weights v float 8,1,1,1; "
         "weights w "
         "float 8,2,1,1; Conv a,v -> y; Conv b,w -> z; output y; output z",
         NULL, EPOCH_COPY, 3 * 64},
        {SHUFFLED("64", "values p int64 2 = 32,32; Split a,p -> y,z axis=1; output y; output z; output b"),
         NULL, EPOCH_COPY, 64 * 196},
        {SHUFFLED("64",
                  "values s int64 1 = 0; values e int64 1 = 16; values c int64 1 = 1; Slice a,s,e,c -> y; "
                  "output y; output b"),
         NULL, EPOCH_COPY, 16 * 196},
        {"input x float 1,8,14,14; values s float 4 = 1.0,1.0,2.0,2.0; Resize x,,s -> y mode=\"nearest\"; "
         "output y",
         "Resize", EPOCH_NEAREST, 8 * 28 * 28},
        {"input x float 1,8,14,14; values s float 4 = 1.0,1.0,2.0,2.0; Resize x,,s -> y mode=\"linear\"; "
         "output y",
         "Resize", EPOCH_BILINEAR, 8 * 28 * 28},
        {"input x float 1,8,1,1; values s float 4 = 1.0,1.0,9.0,9.0; Resize x,,s -> y mode=\"linear\"; "
         "output y",
         "Resize", EPOCH_NEAREST, 8 * 81},
        {"input x float 1,1000; Softmax x -> y; output y", "Softmax", EPOCH_SOFTMAX, 1000},
        {"input x float 1,16,9,9; GlobalAveragePool x -> y; output y", "avgpool", EPOCH_POOL, 16 * 81},
        {"input x float 1,16,8,8; GlobalAveragePool x -> y; output y", "avgpool", EPOCH_POOL, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        lowered l = lower_text(cases[i].text);
        const uint64_t found = work_of(&l, cases[i].row)->extras[cases[i].extra];
        if (found != cases[i].elements)
            fail_msg("%s: %" PRIu64 " elements, not %" PRIu64, cases[i].text, found, cases[i].elements);
        lowered_free(&l);
    }
}

#define BEHIND_CONV "input x float 1,8,16,16; weights w float 8,8,1,1; Conv x,w -> a;"

static void a_swish_is_told_from_a_gate(void **state)
{
    static const struct {
        const char *text, *row;
        uint64_t elements;
    } cases[] = {
        {BEHIND_CONV "Sigmoid a -> s; Mul a,s -> y; output y", "conv", 2048},
        {BEHIND_CONV "HardSigmoid a -> s; Mul s,a -> y; output y", "conv", 2048},
        {"opset 14;" BEHIND_CONV "HardSwish a -> y; output y", "conv", 2048},
        {BEHIND_CONV "values c float 1 = 3.0; values d float 1 = 6.0; values z float 1 = 0.0; Add a,c -> s; "
                     "Clip s,z,d -> t; Mul a,t -> u; Div u,d -> y; output y",
         "Mul", 2048},
        {BEHIND_CONV "GlobalAveragePool a -> p; Sigmoid p -> s; Mul a,s -> y; output y", "Mul", 0},
        {BEHIND_CONV "Sigmoid a -> y; output y", "conv", 0},
        {BEHIND_CONV "Relu a -> s; Mul a,s -> y; output y", "conv", 0},
        {BEHIND_CONV "values c float 1 = 3.0; Add a,c -> s; Mul a,s -> y; output y", "Mul", 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        lowered l = lower_text(cases[i].text);
        uint64_t sum = 0;
        for (uint32_t r = 0; r < l.program.n_rows; r++)
            sum += l.program.rows[r].work.epoch->silu_elements;
        if (sum != cases[i].elements)
            fail_msg("%s: %" PRIu64 " elements, not %" PRIu64, cases[i].text, sum, cases[i].elements);
        lowered_free(&l);
    }
}

/* --- the worked example --------------------------------------------------------------------------------- */

typedef struct fd_layer {
    uint32_t channels, stride;
} fd_layer;

/* FD-MobileNet (arXiv 1802.03750) with a quarter of the channels, of 128x128 and 101 classes: a convolution,
 * then depthwise and pointwise ones in turn, then the mean and the classes. */
static void write_fd_mobilenet(textbuf *text)
{
    static const fd_layer pairs[] = {{16, 2},  {32, 2},  {32, 1},  {64, 2},  {64, 1}, {128, 2},
                                     {128, 1}, {128, 1}, {128, 1}, {128, 1}, {256, 1}};
    uint32_t channels = 8;
    text_puts(text, "input x float 1,3,128,128; weights w float 8,3,3,3; weights b float 8;"
                    "Conv x,w,b -> c strides=[2,2] pads=[1,1,1,1]; Relu c -> v0;");
    for (uint32_t i = 0; i < COUNT(pairs); i++) {
        text_printf(text,
                    "weights dw%u float %u,1,3,3; weights db%u float %u; Conv v%u,dw%u,db%u -> d%u "
                    "strides=[%u,%u] pads=[1,1,1,1] group=%u; Relu d%u -> e%u;",
                    i, channels, i, channels, i, i, i, i, pairs[i].stride, pairs[i].stride, channels, i, i);
        text_printf(text,
                    "weights pw%u float %u,%u,1,1; weights pb%u float %u; Conv e%u,pw%u,pb%u -> p%u; "
                    "Relu p%u -> v%u;",
                    i, pairs[i].channels, channels, i, pairs[i].channels, i, i, i, i, i, i + 1);
        channels = pairs[i].channels;
    }
    text_printf(text,
                "GlobalAveragePool v%zu -> g; Flatten g -> f; weights fw float 101,%u; weights fb float 101; "
                "Gemm f,fw,fb -> y transB=1; output y",
                COUNT(pairs), channels);
}

static fx_net fd_mobilenet(void)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    write_fd_mobilenet(&text);
    const fx_net net = onnx_text_net(text.bytes);
    text_free(&text);
    return net;
}

static void the_worked_example_is_expected_to_the_digit(void **state)
{
    static const struct {
        uint32_t row;
        double seconds;
    } rows[] = {
        {0, 60.434337e-6}, {1, 39.828756e-6}, {8, 15.315077e-6}, {23, 11.99824e-6}, {24, 76.922000e-6}};
    static const char *const names[] = {"st-edge-ai-2", "st-edge-ai-2.0"};
    (void)state;
    fx_net net = fd_mobilenet();
    for (size_t k = 0; k < COUNT(names); k++) {
        const roof_predict_options options = {.stack = names[k]};
        roof_prediction *p = fx_predict(net.graph, "stm32n6570-dk", &options);
        assert_int_equal(p->n_layers, 25);
        for (size_t i = 0; i < COUNT(rows); i++)
            assert_near(p->layers[rows[i].row].predicted_s, rows[i].seconds, 1e-12);
        assert_near(p->total.predicted_s, 968.518238e-6, 1e-12);
        assert_near(roof_beside_layers_s(p), 49e-6, 1e-9);
        assert_near(p->total.predicted_ci95_s[0], 641e-6, 1e-6);
        assert_near(p->total.predicted_ci95_s[1], 1462e-6, 1e-6);
        assert_null(p->estimate_of);
        assert_near(roof_service_s(p, 1), p->total.predicted_s, 1e-12);
        assert_non_null(strstr(p->calibration, "48 points of 13 families"));
        roof_prediction_free(p);
    }
    fx_close(&net);
}

/* Depthwise weights lie eight times in the flash for 2.0; for 2.1 and later once, twice where it strides. */
static void a_version_has_constants_of_its_own(void **state)
{
    static const struct {
        const char *stack;
        double seconds; /* of the first depthwise layer, with a stride; NaN: nothing is expected */
    } cases[] = {{"st-edge-ai-2.0", 39.828756e-6},
                 {NULL, 33.425949e-6 + 6.364e-6},
                 {"st-edge-ai-2.1", 33.425949e-6 + 6.364e-6},
                 {"st-edge-ai-3", 33.425949e-6 + 6.364e-6},
                 {"st-edge-ai-4.0.1", 33.425949e-6 + 6.364e-6},
                 {"st-edge-ai-2.0.0", 39.828756e-6},
                 {"st-edge-ai-next", NAN},
                 {"st-edge-ai-", NAN},
                 {"mlir-air", NAN}};
    (void)state;
    fx_net net = fd_mobilenet();
    for (size_t i = 0; i < COUNT(cases); i++) {
        const roof_predict_options options = {.stack = cases[i].stack};
        roof_prediction *p = fx_predict(net.graph, "stm32n6", &options);
        if (isnan(cases[i].seconds)) {
            assert_true(isnan(p->total.predicted_s));
            assert_int_equal(fx_count_findings(p, ROOF_FINDING_NO_CONSTANTS), 1);
        } else {
            assert_near(p->layers[1].predicted_s, cases[i].seconds, 1e-10);
            assert_int_equal(fx_count_findings(p, ROOF_FINDING_ASSUMED_CONDITION), cases[i].stack ? 1 : 2);
        }
        roof_prediction_free(p);
    }
    fx_close(&net);
}

/* --- clocks, and what is not expected ------------------------------------------------------------------- */

/* Streams, swish and copies go with the NPU's clock, what the host does with its own, weights with the
 * flash. */
static void parts_of_the_time_go_with_their_own_clock(void **state)
{
    static const struct {
        const char *text, *hw;
        double seconds, beside_s; /* of the first layer; of none */
    } cases[] = {
#define CONV "input x float 1,8,32,32; weights w float 16,8,1,1; Conv x,w -> y; output y"
        {CONV, "stm32n6", 18.0224e-6 + 6.1e-6 + .528e-6, 49e-6},
        {CONV, "stm32n6-normal", 18.0224e-6 / .8 + (6.1e-6 + .528e-6) * 800 / 600, 49e-6 * 800 / 600},
#define WEIGHED "input x float 1,1000; weights w float 1000,1000; MatMul x,w -> y; output y"
        {WEIGHED, "stm32n6", 2.6e-3 + 39.1e-6, 49e-6},
        {WEIGHED, "base=stm32n6,mempool.octoflash.bandwidth=100MB/s", 10.4e-3 + 39.1e-6, 49e-6},
        {SHUFFLED("32", "Concat a,b -> y axis=1; output y"), "stm32n6-normal", 18.191e-6,
         49e-6 * 800 / 600 + 12544 * .78e-9 / .8},
        {SHUFFLED("58", "Concat a,b -> y axis=1; output y"), "stm32n6-normal", 26.362e-6,
         (49e-6 + 22736 * 23e-9) * 800 / 600},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        fx_net net = onnx_text_net(cases[i].text);
        roof_prediction *p = fx_predict(net.graph, cases[i].hw, NULL);
        if (fabs(p->layers[0].predicted_s / cases[i].seconds - 1) > 1e-3)
            fail_msg("%s on %s: %.9g s, not %.9g", cases[i].text, cases[i].hw, p->layers[0].predicted_s,
                     cases[i].seconds);
        assert_near(roof_beside_layers_s(p) / cases[i].beside_s, 1, 1e-6);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

static void a_layer_that_nobody_measured_leaves_nothing_to_expect(void **state)
{
    static const struct {
        const char *text, *says; /* NULL: something is expected */
        uint32_t batch;
    } cases[] = {
        {CONV, "for a batch", 4},
        {"input x float 1,8,54,54; MaxPool x -> y kernel_shape=[3,3] strides=[2,2] ceil_mode=1; output y",
         "rounds its size up", 1},
        {"input x float 1,8,55,55; MaxPool x -> y kernel_shape=[3,3] strides=[2,2] ceil_mode=1; output y",
         NULL, 1},
        {"input x float 1,8,56,56; MaxPool x -> y kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1]; output y",
         NULL, 1},
        {"input x float 1,8,56,56; MaxPool x -> y kernel_shape=[3,3] strides=[2,2] auto_pad=\"SAME_UPPER\"; "
         "output y",
         NULL, 1},
        {"input x float 1,8,8,8; weights w float 8,8,2,2; ConvTranspose x,w -> y strides=[2,2]; output y",
         "was measured", 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char sentence[ROOF_SENTENCE_SIZE];
        fx_net net = onnx_text_net(cases[i].text);
        roof_prediction *p =
            fx_predict(net.graph, "stm32n6", &(roof_predict_options){.batch = cases[i].batch});
        const char *first = roof_prediction_sentence(p, 0, sentence);
        if ((cases[i].says == NULL) != (p->total.predicted_s > 0) ||
            (cases[i].says && !strstr(first, cases[i].says)))
            fail_msg("%s: %s", cases[i].text, first);
        assert_null(p->estimate_of);
        assert_null(strstr(first, "about"));
        roof_prediction_free(p);
        fx_close(&net);
    }
}

/* --- external RAM --------------------------------------------------------------------------------------- */

static void maps_that_leave_the_chip_take_longer(void **state)
{
    static const struct {
        const char *text, *stack, *says;
        double seconds; /* beside layers, and what is there once */
    } cases[] = {
#define MAP(size, rest)                                                                                      \
    "input x float 1,16," size "," size "; weights a float 96,16,1,1; Conv x,a -> b;"                        \
    "weights c float 96,1,3,3;" rest
#define STRIDE "Conv b,c -> y strides=[2,2] pads=[1,1,1,1] group=96; output y"
        {MAP("100", STRIDE), NULL, NULL, 0},
        {MAP("142", STRIDE), NULL, "more than", 0},
        /* 150x150x96: 2,160,000 bytes, written once and read once */
        {MAP("150", STRIDE), NULL, "to the external RAM: 2.16 MB", 2160000 * 2 * 20.5e-9},
        /* what two layers share is one map */
        {MAP("160", STRIDE), NULL, "to the external RAM: 2.458 MB", 2457600 * 2 * 20.5e-9},
        /* a pooling takes what its convolution makes, before it is whole */
        {"input x float 1,3,416,416; weights a float 16,3,3,3; Conv x,a -> b pads=[1,1,1,1];"
         "MaxPool b -> y kernel_shape=[2,2] strides=[2,2]; output y",
         NULL, NULL, 0},
        /* 2.0 holds 5 maps behind a swish: of 130x130x32 one does not fit */
        {"input x float 1,3,260,260; weights a float 32,3,3,3; Conv x,a -> b strides=[2,2] pads=[1,1,1,1];"
         "Sigmoid b -> s; Mul b,s -> y; output y",
         "st-edge-ai-2", "540.8 kB", 540800 * 4 * 20.5e-9},
        {"input x float 1,3,260,260; weights a float 32,3,3,3; Conv x,a -> b strides=[2,2] pads=[1,1,1,1];"
         "Sigmoid b -> s; Mul b,s -> y; output y",
         "st-edge-ai-3", NULL, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        fx_net net = onnx_text_net(cases[i].text);
        const roof_predict_options options = {.stack = cases[i].stack};
        roof_prediction *p = fx_predict(net.graph, "stm32n6570-dk", &options);
        const char *found =
            fx_count_findings(p, ROOF_FINDING_EXTERNAL_RAM) ? fx_finding(p, ROOF_FINDING_EXTERNAL_RAM) : NULL;
        if ((found == NULL) != (cases[i].says == NULL) || (found && !strstr(found, cases[i].says)))
            fail_msg("%s: %s", cases[i].text, found ? found : "nothing of external RAM");
        const double law_s = p->total.predicted_s - cases[i].seconds;
        assert_near(roof_beside_layers_s(p), 49e-6 + cases[i].seconds, 1e-9);
        /* the law's own interval, and a factor of 2 of what is outside */
        assert_near(p->total.predicted_ci95_s[1], law_s * 1.51023 + 2 * cases[i].seconds, 1e-6);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

/* A softmax of the host is in the expected time, and has no second figure; what has no time is left out. */
static void the_host_is_counted_once(void **state)
{
#define LARGE "input x float 1,8,64,64; weights w float 8,8,1,1; Conv x,w -> a; Softmax a -> y; output y;"
    static const struct {
        const char *text, *scope;
        uint32_t left_out;
    } cases[] = {{LARGE, ", with 1 CPU layer; bound", 0},
                 {LARGE "my.own:Thing a -> z; output z", ", with 1 CPU layer, without 1 CPU layer", 1}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char sentence[ROOF_SENTENCE_SIZE];
        fx_net net = onnx_text_net(cases[i].text);
        roof_prediction *p = fx_predict(net.graph, "stm32n6", NULL);
        assert_int_equal(p->total.host_layers, cases[i].left_out);
        assert_int_equal(roof_pair_of(p).host_layers, cases[i].left_out);
        assert_true(isnan(p->host.about_s));
        assert_non_null(strstr(roof_prediction_sentence(p, 0, sentence), cases[i].scope));
        roof_prediction_free(p);
        fx_close(&net);
    }
}

static void a_calibration_and_a_graph_make_one_time(void **state)
{
    static const char json[] =
        "{\"schema\":\"roofline.calibration/1\",\"hardware\":{\"id\":\"stm32n6570-dk\"},"
        "\"parameters\":[{\"name\":\"efficiency.octoFlash\",\"value\":0.5},"
        "{\"name\":\"per_start_s\",\"value\":2e-5},{\"name\":\"per_software_epoch_s\",\"value\":3e-4}],"
        "\"covariance\":[[0.1,0,0],[0,0.1,0],[0,0,0.1]]}";
    roof_calibration *c = NULL;
    roof_error err;
    char sentence[ROOF_SENTENCE_SIZE];
    (void)state;
    memory_source source = {json, strlen(json), 0};
    if (calibration_read_from(memory_read, &source, "c.json", &c, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    fx_net net = fd_mobilenet();
    roof_prediction *p = fx_predict(net.graph, "stm32n6570-dk", &(roof_predict_options){.calibration = c});
    const roof_pair pair = roof_pair_of(p);
    const roof_answer takes = roof_pair_takes(&pair);
    assert_null(p->estimate_of);
    for (uint32_t i = 0; i < p->n_layers; i++) /* the host starts each of them */
        assert_true(p->layers[i].predicted_s >= 2e-5 || p->layers[i].executor == ROOF_BY_HOST);
    assert_int_equal(takes.kind, ROOF_EXPECTED);
    assert_near(takes.value, p->total.predicted_s, 1e-12);
    assert_non_null(strstr(roof_prediction_sentence(p, 0, sentence), ": expected "));
    roof_prediction_free(p);
    roof_calibration_free(c);
    fx_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_is_as_long_as_passes_over_the_map_make_it),
        cmocka_unit_test(elements_beside_layers_are_counted_by_what_is_done_to_them),
        cmocka_unit_test(a_swish_is_told_from_a_gate),
        cmocka_unit_test(the_worked_example_is_expected_to_the_digit),
        cmocka_unit_test(a_version_has_constants_of_its_own),
        cmocka_unit_test(parts_of_the_time_go_with_their_own_clock),
        cmocka_unit_test(a_layer_that_nobody_measured_leaves_nothing_to_expect),
        cmocka_unit_test(maps_that_leave_the_chip_take_longer),
        cmocka_unit_test(the_host_is_counted_once),
        cmocka_unit_test(a_calibration_and_a_graph_make_one_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
