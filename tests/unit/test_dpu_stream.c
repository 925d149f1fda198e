/* Whose is an instruction? Streams of generated networks, where each layer's cost is known from closed
 * formulas, and small streams written by hand for what generated ones do not do. */
#include "model/code/dpu/dpu_stream.h"
#include "model/work/cost.h"
#include "roofline/fingerprint.h"
#include "tests/support/stream_sum.h"
#include "tests/unit/fixture.h"

static const char *const archs[] = {"B512", "B800", "B1024", "B1152", "B1600", "B2304", "B3136", "B4096"};

static bank_layout banks_of(uint64_t fingerprint)
{
    roof_dpu_config c;
    roof_error err;
    assert_int_equal(roof_fingerprint_decode(fingerprint, &c, &err), ROOF_OK);
    return (bank_layout){c.input_channel_parallel, c.output_channel_parallel, c.convw_bank_base,
                         c.pool_pixel_parallel};
}

typedef struct attributed {
    stream_cost layers[64], remainder, sum, total;
} attributed;

static stream_cost total_of(const roof_xir_subgraph *own, const dpu_isa *isa, const roof_code *code)
{
    stream_cost total;
    roof_stream stream;
    roof_error err = {0};
    roof_arena *arena = arena_new(0);
    if (dpu_total(own, isa, code, arena, &total, &stream, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    arena_free(arena);
    return total;
}

static void attribute(const roof_graph *g, attributed *out)
{
    roof_error err = {0};
    uint32_t dpu = fx_dpu(g);
    const roof_subgraph *s = &g->subgraphs[dpu];
    const roof_xir_subgraph *own = roof_xir_subgraph_of(g, s);
    const dpu_isa *isa = dpu_isa_of(own->fingerprint);
    bank_layout banks = banks_of(own->fingerprint);
    assert_non_null(isa);
    assert_true(s->n_layers <= COUNT(out->layers));
    stream_costs costs;
    roof_arena *arena = arena_new(0);
    if (dpu_attribute(g, dpu, isa, &banks, arena, &costs, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    memcpy(out->layers, costs.layers, s->n_layers * sizeof *out->layers);
    out->remainder = costs.remainder;
    arena_free(arena);
    out->total = total_of(own, isa, &own->code);
    out->sum = out->remainder;
    for (uint32_t i = 0; i < s->n_layers; i++)
        stream_cost_add(&out->sum, &out->layers[i]);
}

static void assert_cost(const char *name, const char *layer, const stream_cost *got, const stream_cost *want)
{
    const struct {
        const char *what;
        uint64_t got, want;
    } rows[] = {
        {"weights", got->traffic.weights_bytes, want->traffic.weights_bytes},
        {"input", got->traffic.input_bytes, want->traffic.input_bytes},
        {"output", got->traffic.output_bytes, want->traffic.output_bytes},
        {"instructions", got->traffic.instruction_bytes, want->traffic.instruction_bytes},
        {"conv", got->conv_cycles, want->conv_cycles},
        {"alu", got->alu_cycles, want->alu_cycles},
        {"eltwise", got->eltwise_cycles, want->eltwise_cycles},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].got != rows[i].want)
            fail_msg("%s, %s: %s %" PRIu64 ", want %" PRIu64, name, layer, rows[i].what, rows[i].got,
                     rows[i].want);
}

/* ---- generated networks ---- */

static void assert_layers_equal_the_summary(const char *name, const roof_graph *g, const xn_summary *summary)
{
    attributed a;
    attribute(g, &a);
    assert_int_equal(g->subgraphs[fx_dpu(g)].n_layers, summary->n_layers);
    for (size_t i = 0; i < summary->n_layers; i++) {
        const xn_layer_summary *l = &summary->layers[i];
        stream_cost want = {.traffic = {l->costs.constant_bytes, l->load_bytes, l->save_bytes, 0, 0},
                            .conv_cycles = l->costs.conv_cycles,
                            .alu_cycles = l->costs.alu_cycles,
                            .eltwise_cycles = l->costs.eltwise_cycles};
        want.traffic.instruction_bytes =
            a.layers[i].traffic.instruction_bytes; /* the summary has their sum only */
        assert_cost(name, l->name, &a.layers[i], &want);
    }
    assert_cost(name, "(not attributed)", &a.remainder, &(stream_cost){0});
    assert_int_equal(a.sum.traffic.instruction_bytes, summary->code_bytes);
}

static void every_layer_of_a_generated_network_gets_what_it_costs(void **state)
{
    static const char *const networks[] = {"tiny",        "chain",    "mobilenetv1",
                                           "mobilenetv2", "resnet50", "resnet50ds"};
    (void)state;
    for (size_t n = 0; n < COUNT(networks); n++) {
        for (size_t a = 0; a < COUNT(archs); a++) {
            char name[64];
            xn_summary summary;
            const xn_config config = {.arch = xn_find_arch(archs[a])};
            xm_model *m = xn_find_network(networks[n])->build(&config, &summary);
            xn_layer_summary layers[64];
            memcpy(layers, summary.layers, summary.n_layers * sizeof *layers);
            summary.layers = layers; /* names die with the model */
            for (size_t i = 0; i < summary.n_layers; i++)
                layers[i].name = "a layer";
            snprintf(name, sizeof name, "%s for %s", networks[n], archs[a]);
            fx_net net = fx_open(m, NULL);
            for (size_t i = 0; i < summary.n_layers; i++)
                layers[i].name =
                    net.graph->layers[i + net.graph->subgraphs[fx_dpu(net.graph)].first_layer].name;
            assert_layers_equal_the_summary(name, net.graph, &summary);
            fx_close(&net);
        }
    }
}

static void the_sum_over_layers_is_the_sum_over_instructions(void **state)
{
    (void)state;
    for (size_t a = 0; a < COUNT(archs); a++) {
        const xn_config config = {.arch = xn_find_arch(archs[a])};
        attributed sums;
        fx_net net = fx_open(xn_mobilenet_v2(&config, NULL), NULL);
        attribute(net.graph, &sums);
        assert_cost(archs[a], "sum", &sums.sum, &sums.total);
        fx_close(&net);
    }
}

/* A layer that runs on its own loads its input and saves its output. */
static void the_code_of_a_layer_alone_moves_its_tensors(void **state)
{
    const xn_config config = {.layer_code = true};
    (void)state;
    fx_net net = fx_open(xn_mobilenet_v2(&config, NULL), NULL);
    const roof_graph *g = net.graph;
    uint32_t dpu = fx_dpu(g);
    const roof_xir_subgraph *own = roof_xir_subgraph_of(g, &g->subgraphs[dpu]);
    const dpu_isa *isa = dpu_isa_of(own->fingerprint);
    uint32_t n_checked = 0;
    for (uint32_t i = 0; i < g->n_layers; i++) {
        const roof_layer *l = &g->layers[i];
        const roof_code *code = &roof_xir_layer_of(g, l)->code;
        if (!code->bytes)
            continue;
        stream_cost cost = total_of(own, isa, code);
        const roof_op *last = &g->ops[g->layer_ops[l->first_op + l->n_ops - 1]];
        assert_int_equal(cost.traffic.output_bytes, last->out.bytes);
        assert_int_equal(cost.traffic.instruction_bytes, code->length_bytes);
        assert_true(cost.traffic.input_bytes > 0);
        n_checked++;
    }
    assert_int_equal(n_checked, 36);
    fx_close(&net);
}

/* Maps that other layers of the accelerator hand over; the image is loaded in overlapping windows. */
static uint64_t handed_over_bytes(const roof_graph *g, const roof_layer *layer)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        const roof_op *op = &g->ops[g->layer_ops[layer->first_op + i]];
        for (uint32_t e = 0; e < op->n_inputs; e++) {
            const roof_op *producer = &g->ops[g->edges[op->first_input + e].op];
            if (producer->rule != ROOF_RULE_CONSTANT && &g->layers[producer->layer] != layer)
                bytes += producer->out.bytes;
        }
    }
    return bytes;
}

/* Also where the weights come in pieces, as those of the later layers do. */
static void a_layer_alone_loads_its_maps_once(void **state)
{
    const xn_config config = {.layer_code = true};
    (void)state;
    fx_net net = fx_open(xn_resnet50(&config, NULL), NULL);
    const roof_graph *g = net.graph;
    uint32_t dpu = fx_dpu(g), first = g->subgraphs[dpu].first_layer;
    const roof_xir_subgraph *own = roof_xir_subgraph_of(g, &g->subgraphs[dpu]);
    const dpu_isa *isa = dpu_isa_of(own->fingerprint);
    for (uint32_t i = first + 1; i < first + g->subgraphs[dpu].n_layers; i++) {
        const roof_layer *l = &g->layers[i];
        const roof_code *code = &roof_xir_layer_of(g, l)->code;
        stream_cost cost = total_of(own, isa, code);
        if (cost.traffic.input_bytes != handed_over_bytes(g, l))
            fail_msg("%s: loads %" PRIu64 " bytes, its maps have %" PRIu64, l->name, cost.traffic.input_bytes,
                     handed_over_bytes(g, l));
    }
    fx_close(&net);
}

/* ---- streams by hand, ISA1 of DPUCZDX8G: see test_dpu_isa.c for the fields ---- */

typedef struct stream {
    uint8_t bytes[512];
    size_t size;
} stream;

static void add(stream *s, const uint32_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (unsigned shift = 0; shift < 32; shift += 8)
            s->bytes[s->size++] = (uint8_t)(words[i] >> shift);
}

/* Lines of channel bytes from a register's address into a bank. */
static void load(stream *s, uint32_t reg, uint32_t address, uint32_t lines, uint32_t bytes, uint32_t bank,
                 uint32_t at)
{
    add(s,
        (uint32_t[]){0x0u << 28 | bank << 14 | at, (bytes - 1) << 10, (bytes - 1) << 10 | (lines - 1), reg,
                     address},
        5);
}

static void save(stream *s, uint32_t reg, uint32_t address, uint32_t lines, uint32_t bytes)
{
    add(s, (uint32_t[]){0x4u << 28, (bytes - 1) << 10, (bytes - 1) << 10 | (lines - 1), reg, address}, 5);
}

/* A 1x1 convolution of so many positions and groups, with the weights at an address of their banks. */
static void conv(stream *s, uint32_t length, uint32_t groups, uint32_t weights)
{
    add(s, (uint32_t[]){0x9u << 28, 0, 0, 0}, 4);
    add(s, (uint32_t[]){0x8u << 28, (groups - 1) << 24, (length - 1) << 22 | weights, 0, 0}, 5);
}

static void alu(stream *s, uint32_t mode, uint32_t length, uint32_t groups, uint32_t rows)
{
    add(s, (uint32_t[]){0x1u << 28 | mode << 16, 0, (groups - 1) << 16 | (length - 1), 0, 0, 0}, 6);
    add(s, (uint32_t[]){0x2u << 28, (rows - 1) << 20, 0, 0, 0}, 5);
}

static void elew(stream *s, uint32_t length, uint32_t groups, uint32_t rows)
{
    add(s, (uint32_t[]){0xdu << 28, 0, 0}, 3);
    add(s, (uint32_t[]){0xeu << 28 | (length - 1), (rows - 1) << 29, (groups - 1) << 17}, 3);
}

static void end(stream *s)
{
    add(s, (uint32_t[]){0x7u << 28}, 1);
}

/* Two convolutions, a pooling and an addition in four layers; all maps in the workspace. */
static const fx_op hand_ops[] = {
    FX("image", "data-fix", {1, 4, 4, 16}, .in_ddr = true, .reg_id = 2),
    FX("w1", "const-fix", {16, 1, 1, 16}, .layer = "l1", .in_ddr = true, .reg_id = 0, .ddr_addr = 0),
    FX("conv1", "conv2d-fix", {1, 4, 4, 16}, .inputs = {"image"}, .weights = "w1", .kernel = {1, 1},
       .layer = "l1", .in_ddr = true, .reg_id = 1, .ddr_addr = 0),
    FX("w2", "const-fix", {16, 1, 1, 16}, .layer = "l2", .in_ddr = true, .reg_id = 0, .ddr_addr = 256),
    FX("conv2", "conv2d-fix", {1, 4, 4, 16}, .inputs = {"conv1"}, .weights = "w2", .kernel = {1, 1},
       .layer = "l2", .in_ddr = true, .reg_id = 1, .ddr_addr = 256),
    FX("pool", "pool-fix", {1, 4, 4, 16}, .inputs = {"conv2"}, .kernel = {1, 1}, .kind = "MAX", .layer = "l3",
       .in_ddr = true, .reg_id = 1, .ddr_addr = 512),
    FX("add", "eltwise-fix", {1, 4, 4, 16}, .inputs = {"pool", "conv1"}, .kind = "ADD", .layer = "l4",
       .in_ddr = true, .reg_id = 1, .ddr_addr = 0),
};

static void attribute_ops(const fx_op *ops, size_t n_ops, const stream *s, attributed *out)
{
    const fx_target target = {
        .name = "DPUCZDX8G_ISA1_B4096", .fingerprint = FX_B4096, .code = {s->bytes, s->size}};
    fx_net net = fx_open(fx_model(ops, n_ops, &target), NULL);
    attribute(net.graph, out);
    assert_cost("by hand", "sum", &out->sum, &out->total);
    fx_close(&net);
}

static void attribute_by_hand(const stream *s, attributed *out)
{
    attribute_ops(hand_ops, COUNT(hand_ops), s, out);
}

static void each_kind_of_instruction_finds_its_layer(void **state)
{
    stream s = {0};
    attributed a;
    (void)state;
    load(&s, 0, 0, 1, 256, 16, 0);    /* weights of l1 to address 0 */
    load(&s, 2, 0, 4, 64, 0, 0);      /* the image */
    conv(&s, 4, 1, 0);                /* l1 */
    save(&s, 1, 0, 4, 64);            /* conv1 */
    load(&s, 0, 256, 1, 256, 16, 64); /* weights of l2 to another address */
    conv(&s, 5, 1, 64);               /* l2 */
    alu(&s, 3, 4, 1, 4);              /* pooling */
    elew(&s, 4, 1, 4);                /* addition */
    save(&s, 1, 0, 4, 64);            /* add lies where conv1 lay */
    end(&s);
    attribute_by_hand(&s, &a);
    assert_cost("by hand", "l1", &a.layers[0],
                &(stream_cost){{256, 256, 256, 20 + 20 + 36 + 20, 0}, 4, 0, 0});
    assert_cost("by hand", "l2", &a.layers[1], &(stream_cost){{256, 0, 0, 20 + 36, 0}, 5, 0, 0});
    assert_cost("by hand", "l3", &a.layers[2], &(stream_cost){{0, 0, 0, 44, 0}, 0, 4, 0});
    assert_cost("by hand", "l4", &a.layers[3], &(stream_cost){{0, 0, 256, 24 + 20 + 4, 0}, 0, 0, 4});
    assert_cost("by hand", "remainder", &a.remainder, &(stream_cost){0});
}

/* Weights of the next layer may be loaded before this one computes. */
static void prefetched_weights_do_not_move_a_convolution(void **state)
{
    stream s = {0};
    attributed a;
    (void)state;
    load(&s, 0, 0, 1, 256, 16, 0);
    load(&s, 0, 256, 1, 256, 16, 16);
    conv(&s, 4, 1, 0);
    conv(&s, 7, 1, 16);
    conv(&s, 9, 1, 15); /* the last word of the first */
    end(&s);
    attribute_by_hand(&s, &a);
    assert_int_equal(a.layers[0].conv_cycles, 4 + 9);
    assert_int_equal(a.layers[1].conv_cycles, 7);
}

static void weights_that_are_loaded_over_others_take_their_place(void **state)
{
    stream s = {0};
    attributed a;
    (void)state;
    load(&s, 0, 0, 1, 256, 16, 0);
    conv(&s, 4, 1, 0);
    load(&s, 0, 256, 1, 256, 16, 0);
    conv(&s, 7, 1, 0);
    end(&s);
    attribute_by_hand(&s, &a);
    assert_int_equal(a.layers[0].conv_cycles, 4);
    assert_int_equal(a.layers[1].conv_cycles, 7);
}

/* Banks are 2048 words deep, and weights go round. */
static void weights_wrap_around_the_end_of_their_banks(void **state)
{
    stream s = {0};
    attributed a;
    (void)state;
    load(&s, 0, 0, 1, 256, 16, 0);      /* l1: words 0 to 15 */
    load(&s, 0, 256, 1, 256, 16, 2040); /* l2: words 2040 to 2047 and 0 to 7 */
    conv(&s, 3, 1, 2047);
    conv(&s, 4, 1, 7);
    conv(&s, 5, 1, 2048 + 7);
    conv(&s, 6, 1, 8);
    end(&s);
    attribute_by_hand(&s, &a);
    assert_int_equal(a.layers[1].conv_cycles, 3 + 4 + 5);
    assert_int_equal(a.layers[0].conv_cycles, 6);
}

static void what_touches_no_tensor_is_in_the_remainder(void **state)
{
    stream s = {0};
    attributed a;
    (void)state;
    load(&s, 1, 1 << 20, 2, 100, 0, 0); /* no tensor there */
    load(&s, 5, 0, 1, 50, 0, 0);        /* no such register */
    save(&s, 1, 1 << 20, 3, 10);
    conv(&s, 11, 2, 77); /* weights that nobody loaded */
    end(&s);
    attribute_by_hand(&s, &a);
    for (size_t i = 0; i < 4; i++)
        assert_cost("by hand", "no layer", &a.layers[i], &(stream_cost){0});
    assert_cost("by hand", "remainder", &a.remainder, &(stream_cost){{0, 250, 30, s.size, 0}, 22, 0, 0});
}

/* A convolution and the addition behind it may read the same map; only the first loads weights. */
static void a_map_with_two_readers_is_given_to_each_in_turn(void **state)
{
    stream s = {0};
    attributed a;
    (void)state;
    load(&s, 0, 256, 1, 256, 16, 0); /* weights of l2 */
    load(&s, 1, 0, 4, 64, 0, 0);     /* conv1 for l2 */
    conv(&s, 4, 1, 0);
    load(&s, 1, 0, 4, 64, 0, 0); /* conv1 once more: for the addition */
    elew(&s, 4, 1, 4);
    end(&s);
    attribute_by_hand(&s, &a);
    assert_int_equal(a.layers[1].traffic.input_bytes, 256);
    assert_int_equal(a.layers[3].traffic.input_bytes, 256);
}

/* Of 4x4 pixels, windows of 1x1 with stride 2 need 2x2: what is loaded afterwards is for the next reader. */
static void a_downsampling_needs_only_the_pixels_it_keeps(void **state)
{
    static const fx_op ops[] = {
        FX("image", "data-fix", {1, 4, 4, 16}, .in_ddr = true, .reg_id = 2),
        FX("down", "pool-fix", {1, 2, 2, 16}, .inputs = {"image"}, .kernel = {1, 1}, .stride = {2, 2},
           .kind = "MAX", .layer = "l1", .in_ddr = true, .reg_id = 1, .ddr_addr = 0),
        FX("again", "pool-fix", {1, 2, 2, 16}, .inputs = {"image"}, .kernel = {1, 1}, .stride = {2, 2},
           .kind = "MAX", .layer = "l2", .in_ddr = true, .reg_id = 1, .ddr_addr = 64),
    };
    stream s = {0};
    attributed a;
    (void)state;
    for (uint32_t reader = 0; reader < 2; reader++) {
        load(&s, 2, 0, 2, 16, 0, 0); /* the first row */
        load(&s, 2, 128, 2, 16, 1, 0);
        alu(&s, 3, 2, 1, 2);
        save(&s, 1, 64 * reader, 4, 16);
    }
    end(&s);
    attribute_ops(ops, COUNT(ops), &s, &a);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(a.layers[i].traffic.input_bytes, 64);
        assert_int_equal(a.layers[i].traffic.output_bytes, 64);
    }
}

static void a_damaged_stream_is_refused_with_its_subgraph(void **state)
{
    static const struct {
        const char *name;
        uint32_t words[6];
        size_t n;
        const char *want;
    } rows[] = {
        {"no such opcode",
         {0xfu << 28},
         1,
         "subgraph 'subgraph_dpu': instruction stream of dpuczdx8g_isa1: no such opcode (15)"},
        {"cut off",
         {0x0u << 28, 0},
         2,
         "subgraph 'subgraph_dpu': instruction stream of dpuczdx8g_isa1: the last instruction is cut off, "
         "opcode (0)"},
        {"no END",
         {0xeu << 28, 0, 0},
         3,
         "subgraph 'subgraph_dpu': instruction stream of dpuczdx8g_isa1: it ends without END (0)"},
        {"END early",
         {0x7u << 28, 0x7u << 28},
         2,
         "subgraph 'subgraph_dpu': instruction stream of dpuczdx8g_isa1: END stands before the last word, "
         "words left (1)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        stream s = {0};
        add(&s, rows[i].words, rows[i].n);
        const fx_target target = {.name = "DPU", .fingerprint = FX_B4096, .code = {s.bytes, s.size}};
        fx_net net = fx_open(fx_model(hand_ops, COUNT(hand_ops), &target), NULL);
        uint32_t dpu = fx_dpu(net.graph);
        stream_costs costs;
        roof_error err = {0};
        bank_layout banks = banks_of(FX_B4096);
        roof_arena *arena = arena_new(0);
        char text[400];
        assert_int_equal(dpu_attribute(net.graph, dpu, dpu_isa_of(FX_B4096), &banks, arena, &costs, &err),
                         ROOF_E_DATA);
        arena_free(arena);
        snprintf(text, sizeof text, "%s: %s", err.where, err.what);
        assert_string_equal(text, rows[i].want);
        uint64_t code_offset = roof_xir_subgraph_of(net.graph, &net.graph->subgraphs[dpu])->code.file_offset;
        assert_in_range(err.byte_offset, code_offset, code_offset + s.size);
        fx_close(&net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layer_of_a_generated_network_gets_what_it_costs),
        cmocka_unit_test(the_sum_over_layers_is_the_sum_over_instructions),
        cmocka_unit_test(the_code_of_a_layer_alone_moves_its_tensors),
        cmocka_unit_test(a_layer_alone_loads_its_maps_once),
        cmocka_unit_test(each_kind_of_instruction_finds_its_layer),
        cmocka_unit_test(prefetched_weights_do_not_move_a_convolution),
        cmocka_unit_test(weights_that_are_loaded_over_others_take_their_place),
        cmocka_unit_test(weights_wrap_around_the_end_of_their_banks),
        cmocka_unit_test(what_touches_no_tensor_is_in_the_remainder),
        cmocka_unit_test(a_map_with_two_readers_is_given_to_each_in_turn),
        cmocka_unit_test(a_downsampling_needs_only_the_pixels_it_keeps),
        cmocka_unit_test(a_damaged_stream_is_refused_with_its_subgraph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
