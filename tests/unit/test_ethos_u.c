/* The laws of an Ethos-U: cycles worked out by hand from the formulas, for launches of 8x8x16 and the like,
 * each of one block.
 *
 * SRAM of 8 bytes a cycle and latencies of 32, flash of 1 byte and 64: a feature map of 1,024 bytes takes
 * 32 + 1024 / 8 = 160 cycles in each direction. */
#include "model/laws/ethos_u_cycles.h"
#include "model/laws/law.h"
#include "tests/support/ethosu_writer.h"
#include "tests/support/onnx_text_net.h"
#include "tests/support/tflite_writer.h"
#include "tests/unit/fixture.h"

#include <math.h>
#include <string.h>

static const ethosu_system u55_system = {
    {[ETHOSU_SRAM] = {8, 32, 32, 32}, [ETHOSU_OFF_CHIP_FLASH] = {1, 128, 64, 64}},
    {ETHOSU_OFF_CHIP_FLASH, ETHOSU_SRAM, ETHOSU_SRAM}};
static const ethosu_system u65_system = {
    {[ETHOSU_SRAM] = {16, 32, 32, 32}, [ETHOSU_DRAM] = {12, 128, 500, 250}},
    {ETHOSU_DRAM, ETHOSU_DRAM, ETHOSU_SRAM}};

static const ethosu_system *system_of(const ethosu_stream *stream)
{
    return stream->payload.product == ETHOSU_U55 ? &u55_system : &u65_system;
}

typedef struct decoded {
    roof_arena *arena;
    ethosu_stream stream;
} decoded;

/* Groups point to their stream, which must not move. */
static void decode(const euw_network *net, bool is_regor, decoded *d)
{
    size_t size;
    unsigned char *bytes = euw_write(net, &size);
    ethosu_payload payload;
    roof_error err = {0};
    d->arena = arena_new(0);
    if (ethosu_open(bytes, size, 0, true, &payload, &err) != ROOF_OK ||
        ethosu_decode(&payload, is_regor, d->arena, &d->stream, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    free(bytes);
}

/* ---- one layer ---- */

#define MAP(region_, h_, w_, d_)                                                                             \
    {                                                                                                        \
        .region = (region_), .base = 1024 * (region_), .h = (h_), .w = (w_), .d = (d_), .is_bricked = true   \
    }

typedef struct layer_case {
    const char *what;
    uint32_t config;
    euw_launch launch;
    double python, regor; /* npu cycles */
    double sram, outside;
    uint64_t array, output; /* at least */
} layer_case;

static const layer_case layers[] = {
    /* micro-blocks 8 x 4 x 2, D = 4 * 32 * 2 = 256; A = 0.5 * 1024 = 512; C = (160 + 160 + D + A) / 4 = 272
     * and A + C; Regor: A + D + 160 + 160. Weights of 288 bytes and scales of 160 are read once. */
    {"convolution 1x1",
     EUW_U55_128,
     {EUW_CONV, .ifm = MAP(1, 8, 8, 16), .ofm = MAP(2, 8, 8, 16), .block_h = 8, .block_w = 8, .block_d = 16,
      .weights = {0, 160, 288}, .scales = {0, 0, 160}},
     784,
     1088,
     256,
     448,
     64 * 2,
     512},
    /* the sum of two takes 1.5 cycles an element, and 1 where both are scaled alike */
    {"sum",
     EUW_U55_128,
     {EUW_ELEMENTWISE, ETHOSU_ADD, .ifm = MAP(1, 8, 8, 16), .ifm2 = MAP(1, 8, 8, 16), .ofm = MAP(2, 8, 8, 16),
      .block_h = 8, .block_w = 8, .block_d = 16},
     1536,
     1536,
     384,
     0,
     0,
     1024},
    /* micro-blocks 4 x 4 x 2; 9 taps are 3 steps: D = 4 * 16 * 3 * 2 = 384, A = 0.25 * 1024; D + A */
    {"depthwise 3x3",
     EUW_U55_256,
     {EUW_DEPTHWISE, .ifm = MAP(1, 8, 8, 16), .ofm = MAP(2, 8, 8, 16), .kernel = 3, .top = 1, .left = 1,
      .bottom = 1, .right = 1, .block_h = 8, .block_w = 8, .block_d = 16, .weights = {0, 160, 160},
      .scales = {0, 0, 160}},
     640,
     960,
     256,
     320,
     32 * 9,
     256},
    /* micro-blocks 4 x 2 x 2; D = 4 * 16 = 64, of Regor 4 times that; a clamp takes 0.5: A = 128;
     * C = (160 + 64 + D + A) / 4 = 104 and A + C; Regor: D + A + 160 + 64 */
    {"maximum 2x2",
     EUW_U55_128,
     {EUW_POOL, ETHOSU_POOL_MAX, .ifm = MAP(1, 8, 8, 16), .ofm = MAP(2, 4, 4, 16), .kernel = 2, .stride = 2,
      .block_h = 4, .block_w = 4, .block_d = 16},
     232,
     608,
     160,
     0,
     16 * 4,
     64},
    /* a micro-block alone, whose step waits 2 cycles: D = 4 * 8 + 2 = 34; A = 10 * 8 * 64 / 256 = 20 of its
     * scales; C = (32 + 32 / 8 + 32 + 8 / 8 + D + A) / 4 = 30.75 and D + C; Regor: D + A + 36 + 33 */
    {"convolution of one micro-block",
     EUW_U55_128,
     {EUW_CONV, .ifm = MAP(1, 1, 1, 32), .ofm = MAP(2, 1, 1, 8), .block_h = 1, .block_w = 2, .block_d = 8,
      .weights = {0, 80, 256}, .scales = {0, 0, 80}},
     64,
     123,
     6,
     336,
     4,
     4},
    /* two cores: D = 4 * 16 * 2 / 2 = 64; A = 10 * 16 * 500 / 256 = 312.5 of scales in DRAM;
     * C = (96 + 96 + D + A) / 4 = 142.125 and A + C; Regor: A + (D + A) / 4 + 96 + 96 */
    {"convolution 1x1 of two cores",
     EUW_U65_512,
     {EUW_CONV, .ifm = MAP(2, 8, 8, 16), .ofm = MAP(2, 8, 8, 16), .block_h = 8, .block_w = 8, .block_d = 16,
      .weights = {0, 160, 288}, .scales = {0, 0, 160}},
     454,
     598,
     128,
     448 / 12.0,
     32 * 2,
     128},
};

static void layers_take_what_the_formulas_say(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < COUNT(layers); i++)
        for (int is_regor = 0; is_regor < 2; is_regor++) {
            const layer_case *c = &layers[i];
            decoded d;
            decode(&(euw_network){c->config, &c->launch, 1}, is_regor, &d);
            ethosu_estimate e;
            ethosu_least least;
            roof_error err = {0};
            assert_int_equal(d.stream.n_groups, 1);
            assert_int_equal(ethosu_vela_estimates(&d.stream, system_of(&d.stream), &e, &err), ROOF_OK);
            assert_int_equal(ethosu_least_cycles(d.stream.groups, &least, &err), ROOF_OK);
            const double outside = e.access[ETHOSU_OFF_CHIP_FLASH] + e.access[ETHOSU_DRAM];
            const double npu = is_regor ? c->regor : c->python;
            const bool is_right = least.array == c->array && least.output == c->output &&
                                  fabs(e.npu - npu) < 1e-9 && fabs(e.access[ETHOSU_SRAM] - c->sram) < 1e-9 &&
                                  fabs(outside - c->outside) < 1e-9;
            if (!is_right)
                print_message("%s, %s: npu %g, want %g; sram %g, want %g; outside %g, want %g; least %" PRIu64
                              " %" PRIu64 ", want %" PRIu64 " %" PRIu64 "\n",
                              c->what, is_regor ? "Regor" : "Python", e.npu, npu, e.access[ETHOSU_SRAM],
                              c->sram, outside, c->outside, least.array, least.output, c->array, c->output);
            wrong += !is_right;
            arena_free(d.arena);
        }
    assert_int_equal(wrong, 0);
}

/* ---- layers one after the other ---- */

#define CONV(weights_at)                                                                                     \
    {                                                                                                        \
        EUW_CONV, .ifm = MAP(1, 8, 8, 16), .ofm = MAP(2, 8, 8, 16), .block_h = 8, .block_w = 8,              \
                  .block_d = 16, .weights = {1, (weights_at) + 160, 288}, .scales = {                        \
                      1,                                                                                     \
                      (weights_at),                                                                          \
                      160                                                                                    \
                  }                                                                                          \
    }
#define DMA(at, to)                                                                                          \
    {                                                                                                        \
        EUW_DMA, .from = {0, (at), 448}, .to_region = 1, .to_base = (to)                                     \
    }

/* 448 bytes from the flash take 448 + 64 = 512 cycles. The first layer waits for them; the second one's come
 * while the first one computes. A table of 256 bytes takes 320; Regor counts none. A copy within the SRAM
 * takes 64 / 8 + 32. */
/* What `roofline advise` cannot see in a graph that nobody compiled: of compiled pairs the law says that the
 * 17th channel costs as the 24th does, since micro-blocks are 8 channels deep. */
static void a_channel_more_costs_a_micro_block(void **state)
{
    uint64_t array[3];
    static const int depths[] = {16, 17, 24};
    (void)state;
    for (size_t i = 0; i < COUNT(depths); i++) {
        const euw_launch launch = {EUW_CONV,
                                   .ifm = MAP(1, 8, 8, 32),
                                   .ofm = MAP(2, 8, 8, depths[i]),
                                   .kernel = 3,
                                   .top = 1,
                                   .left = 1,
                                   .bottom = 1,
                                   .right = 1,
                                   .block_h = 8,
                                   .block_w = 8,
                                   .block_d = depths[i] > 16 ? 24 : 16,
                                   .weights = {0, 80, 4096},
                                   .scales = {0, 0, 80}};
        ethosu_least least;
        roof_error err = {0};
        decoded d;
        decode(&(euw_network){EUW_U55_128, &launch, 1}, false, &d);
        assert_int_equal(ethosu_least_cycles(d.stream.groups, &least, &err), ROOF_OK);
        array[i] = least.array;
        arena_free(d.arena);
    }
    print_message("16, 17 and 24 channels: %" PRIu64 ", %" PRIu64 ", %" PRIu64 " cycles of the array\n",
                  array[0], array[1], array[2]);
    assert_int_equal(array[1], array[2]);
    assert_int_equal(2 * array[1], 3 * array[0]);
}

static void what_a_layer_does_not_need_of_the_dma_engine_is_handed_on(void **state)
{
    (void)state;
    static const euw_launch two[] = {DMA(0, 8192), CONV(8192), DMA(448, 9216), CONV(9216)};
    static const euw_launch table[] = {{EUW_DMA, .from = {0, 0, 256}, .to_region = EUW_LUT},
                                       {EUW_ELEMENTWISE, ETHOSU_ADD, .ifm = MAP(1, 8, 8, 16),
                                        .ifm2 = MAP(1, 8, 8, 16), .ofm = MAP(2, 8, 8, 16), .block_h = 8,
                                        .block_w = 8, .block_d = 16},
                                       {EUW_DMA, .from = {1, 0, 64}, .to_region = 1, .to_base = 512}};
    static const euw_launch copies[] = {{EUW_DMA, .from = {1, 0, 64}, .to_region = 1, .to_base = 512},
                                        {EUW_DMA, .from = {1, 0, 64}, .to_region = 1, .to_base = 640}};
    static const struct {
        euw_network net;
        double python[2], regor[2];
    } cases[] = {{{EUW_U55_128, two, COUNT(two)}, {784 + 512, 784}, {1088 + 512, 1088}},
                 {{EUW_U55_128, table, COUNT(table)}, {1536 + 320, 0}, {1536, 0}},
                 {{EUW_U55_128, copies, COUNT(copies)}, {40, 40}, {40, 40}}};
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int is_regor = 0; is_regor < 2; is_regor++) {
            decoded d;
            ethosu_estimate e[2];
            roof_error err = {0};
            decode(&cases[i].net, is_regor, &d);
            assert_int_equal(d.stream.n_groups, 2);
            assert_int_equal(ethosu_vela_estimates(&d.stream, &u55_system, e, &err), ROOF_OK);
            for (int k = 0; k < 2; k++)
                if (fabs(e[k].npu - (is_regor ? cases[i].regor : cases[i].python)[k]) > 1e-9)
                    fail_msg("case %zu, layer %d, %s: %g cycles", i, k, is_regor ? "Regor" : "Python",
                             e[k].npu);
            arena_free(d.arena);
        }
}

/* ---- U85 ---- */

/* A micro-block of 1x1x32: 64 of them, with 2 cycles for 16 channels; 256 MACs write 4 bytes a cycle. */
static void of_a_u85_only_the_least_is_known(void **state)
{
    (void)state;
    static const euw_launch conv = CONV(0), sparse = {EUW_CONV,
                                                      .ifm = MAP(1, 8, 8, 16),
                                                      .ofm = MAP(2, 8, 8, 16),
                                                      .weights = {1, 160, 288},
                                                      .scales = {1, 0, 160},
                                                      .weight_format = 16};
    decoded d;
    ethosu_least least;
    ethosu_estimate e;
    roof_error err = {0};
    decode(&(euw_network){EUW_U85_256, &conv, 1}, true, &d);
    assert_int_equal(ethosu_least_cycles(d.stream.groups, &least, &err), ROOF_OK);
    assert_int_equal(least.array, 128);
    assert_int_equal(least.output, 256);
    assert_int_equal(ethosu_vela_estimates(&d.stream, &u65_system, &e, &err), ROOF_E_UNSUPPORTED);
    arena_free(d.arena);
    decode(&(euw_network){EUW_U85_256, &sparse, 1}, true, &d);
    assert_int_equal(ethosu_least_cycles(d.stream.groups, &least, &err), ROOF_OK);
    assert_int_equal(least.array, 64);
    arena_free(d.arena);
}

/* ---- predictions ---- */

/* euw_small in a file. */
/* Positions, channels, taps and channels that are summed over, by hand. */
static void shapes_take_whole_micro_blocks(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        ethosu_shape shape;
        uint64_t array, output;
    } cases[] = {
        {"the header's example", {ETHOSU_U55, 128, 100, 17, 9, 16, .stride = 1}, 2700, 850},
        {"16 channels of it", {ETHOSU_U55, 128, 100, 16, 9, 16, .stride = 1}, 1800, 800},
        {"17 that are summed over", {ETHOSU_U55, 128, 100, 16, 9, 17, .stride = 1}, 2700, 800},
        {"16 bits", {ETHOSU_U55, 128, 100, 16, 9, 16, .stride = 1, .is_wide = true}, 3600, 800},
        {"each channel alone", {ETHOSU_U55, 128, 100, 16, 9, 0, .stride = 1}, 900, 800},
        {"few channels may be folded: 27 taps", {ETHOSU_U55, 128, 100, 16, 9, 3, .stride = 2}, 400, 800},
        {"a stride that is unknown", {ETHOSU_U55, 128, 100, 16, 9, 17, .stride = 0}, 2000, 800},
        {"no kernel", {ETHOSU_U55, 128, 100, 16, 0, 0, .stride = 1}, 0, 800},
        {"a maximum", {ETHOSU_U55, 128, 100, 16, 4, 0, .is_max = true}, 400, 400},
        {"4 channels of a micro-block", {ETHOSU_U55, 32, 100, 17, 9, 16, .stride = 1}, 9000, 3400},
        {"2 x 2 positions", {ETHOSU_U55, 256, 101, 17, 9, 16, .stride = 1}, 1404, 430},
        {"two cores", {ETHOSU_U65, 512, 101, 17, 9, 16, .stride = 1}, 702, 215},
        {"any plane: 16 positions, 8 channels", {ETHOSU_U85, 1024, 100, 17, 9, 16, .stride = 1}, 378, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        ethosu_least least;
        assert_int_equal(ethosu_least_of_shape(&cases[i].shape, &least, NULL), ROOF_OK);
        if (least.array != cases[i].array || least.output != cases[i].output)
            fail_msg("%s: %" PRIu64 " and %" PRIu64 ", want %" PRIu64 " and %" PRIu64, cases[i].what,
                     least.array, least.output, cases[i].array, cases[i].output);
    }
    const ethosu_shape hostile = {ETHOSU_U55, 128,        UINT64_MAX, UINT64_MAX,
                                  UINT64_MAX, UINT64_MAX, .stride = 1};
    ethosu_least least;
    assert_int_equal(ethosu_least_of_shape(&hostile, &least, NULL), ROOF_E_LIMIT);
}

static fx_net small_network(void)
{
    fx_net net = {0};
    unsigned char *bytes = tfw_write(&tfw_vela, &net.size_bytes);
    net.bytes = fx_copy(bytes, net.size_bytes);
    free(bytes);
    fx_read(&net, "net.tflite");
    return net;
}

static roof_status predict(const fx_net *net, const char *spec, roof_prediction **out, roof_error *err)
{
    roof_hw *hw = NULL;
    roof_status status = spec ? roof_hw_load(spec, &hw, err) : roof_hw_of_model(net->graph, &hw, err);
    if (status == ROOF_OK)
        status = roof_predict(net->graph, hw, NULL, out, err);
    roof_hw_free(hw);
    return status;
}

static void memories_are_those_of_the_mode(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *name, *pools, *mode;
        uint32_t findings;
    } cases[] = {
        {NULL, "Ethos-U55-128", "flash sram", "memory mode Shared_Sram (since no layer", 2},
        {"ethos_u55_deep_embedded", "Ethos-U55-128 in Ethos_U55_Deep_Embedded", "flash sram", "Shared_Sram",
         2},
        {"base=ethos-u55-128,region.read_only.in_sram=1", "Ethos-U55-128", "sram",
         "Sram_Only (as the hardware", 2},
        {"base=ethos-u55-128,region.scratch.in_sram=0", "Ethos-U55-128", "flash", "Dedicated_Sram (as", 2},
        {"ethos-u55-256", "Ethos-U55-128 in place of Ethos-U55-256", "flash sram", "Shared_Sram", 3},
    };
    fx_net net = small_network();
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_prediction *p = NULL;
        roof_error err = {0};
        char pools[80] = "", text[ROOF_SENTENCE_SIZE];
        bool is_told = false;
        if (predict(&net, cases[i].spec, &p, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        for (uint32_t k = 0; k < p->hardware.n_pools; k++)
            snprintf(pools + strlen(pools), sizeof pools - strlen(pools), "%s%s", k ? " " : "",
                     p->hardware.pools[k].name);
        assert_string_equal(pools, cases[i].pools);
        if (strncmp(p->hardware.name, cases[i].name, strlen(cases[i].name)) != 0)
            fail_msg("case %zu: %s", i, p->hardware.name);
        for (uint32_t k = 0; k < p->n_findings; k++)
            is_told = is_told || strstr(roof_finding_sentence(&p->findings[k], text), cases[i].mode);
        assert_true(is_told);
        assert_int_equal(p->n_findings, cases[i].findings);
        assert_true(p->total.estimate.cycles >= p->total.deployed.ideal_cycles);
        roof_prediction_free(p);
    }
    fx_close(&net);
}

/* Of each operator whether it leads a row of the NPU, or of the host; the others are part of a row. */
static void operators_run_where_vela_lists_them(void **state)
{
    (void)state;
    static const char text[] = "input x float 1,16,8,8;weights w float 16,16,3,3;weights k float 16,1,1;"
                               "Conv x,w -> a pads=[1,1,1,1] name=conv;Sigmoid a -> b name=fused;"
                               "Conv b,w -> c pads=[1,1,1,1] name=conv2;Sigmoid c -> d name=gate;"
                               "Mul c,d -> e name=swish;Add e,k -> f name=constant;Erf f -> g name=erf;"
                               "Div g,f -> h name=div;Softmax h -> i name=softmax;"
                               "MatMul i,g -> j name=product;ReduceMean j -> m axes=[2,3] name=mean;output m";
    static const struct {
        const char *name;
        bool is_row, on_host, on_host_of_u85;
    } rows[] = {
        {"conv", true, false, false},   {"fused", false, false, false}, {"conv2", true, false, false},
        {"gate", true, false, false},   {"swish", true, false, false},  {"constant", false, false, false},
        {"erf", true, true, true},      {"div", true, true, true},      {"softmax", true, false, false},
        {"product", true, true, false}, {"mean", true, false, false}};
    for (int u85 = 0; u85 < 2; u85++) {
        fx_net net = onnx_text_net(text);
        roof_prediction *p = NULL;
        roof_error err = {0};
        if (predict(&net, u85 ? "ethos-u85-256" : "ethos-u55-128", &p, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        uint32_t n = 0;
        for (size_t i = 0; i < COUNT(rows); i++) {
            const roof_layer_prediction *row = NULL;
            for (uint32_t r = 0; r < p->n_layers && !row; r++)
                row = strcmp(p->layers[r].name, rows[i].name) == 0 ? &p->layers[r] : NULL;
            const bool on_host = u85 ? rows[i].on_host_of_u85 : rows[i].on_host;
            if (!row != !rows[i].is_row || (row && (row->executor == ROOF_BY_HOST) != on_host))
                fail_msg("%s: %s", rows[i].name, !row ? "no row" : row->device);
            n += rows[i].is_row;
        }
        assert_int_equal(p->n_layers, n);
        assert_non_null(p->estimate_of);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

/* A sanitizer sees what is read here of a graph that is gone. */
static void a_prediction_outlives_its_network(void **state)
{
    (void)state;
    fx_net net = small_network();
    roof_prediction *p = NULL;
    roof_error err = {0};
    const roof_status status = predict(&net, NULL, &p, &err);
    fx_close(&net);
    if (status != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_string_equal(p->model.target, "Ethos-U55-128");
    assert_string_equal(p->facts_of_verdict.made_for, "Ethos-U55-128");
    roof_prediction_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_take_what_the_formulas_say),
        cmocka_unit_test(a_channel_more_costs_a_micro_block),
        cmocka_unit_test(what_a_layer_does_not_need_of_the_dma_engine_is_handed_on),
        cmocka_unit_test(of_a_u85_only_the_least_is_known),
        cmocka_unit_test(shapes_take_whole_micro_blocks),
        cmocka_unit_test(memories_are_those_of_the_mode),
        cmocka_unit_test(operators_run_where_vela_lists_them),
        cmocka_unit_test(a_prediction_outlives_its_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
