/* Cycle laws: counts worked out by hand from the shapes, for B4096 (8 x 16 x 16, ALU 4 x 16) and B512 (4 x 8
 * x 8, ALU 2 x 8), and the time of transfers. */
#include "model/laws/engine.h"
#include "model/laws/law.h"
#include "tests/unit/fixture.h"

enum { CONV, ALU, ELTWISE, LOAD, SAVE, MEMORY };

typedef struct lawful {
    roof_hw *hw;
    roof_arena *arena;
    law_fit fit;
    hw_view view;
} lawful;

static lawful law_for(const char *spec)
{
    lawful l = {.hw = fx_hw(spec), .arena = arena_new(0)};
    roof_error err = {0};
    assert_non_null(l.arena);
    const roof_quantity *clock = roof_hw_get(l.hw, "clock"), *ddr = roof_hw_get(l.hw, "ddr.bandwidth");
    const roof_quantity *batch = roof_hw_get(l.hw, "batch");
    const cycle_law *law = law_of(roof_hw_family(l.hw));
    const roof_program empty = {0};
    assert_non_null(law);
    l.view = (hw_view){.array = l.hw,
                       .board = l.hw,
                       .clock_hz = clock->value,
                       .memory_bytes_per_s = ddr ? ddr->value : 0,
                       .cores = 1,
                       .batch_lanes = batch ? (uint32_t)batch->value : 1};
    if (law_fit_to(law, &l.view, &empty, 1, l.arena, &l.fit, &err) != ROOF_OK)
        fail_msg("%s: %s", spec, fx_message(&err));
    return l;
}

static void done(lawful *l)
{
    arena_free(l->arena);
    roof_hw_free(l->hw);
}

/* ---- cycles of ops ---- */

/* Adds the cycles of an operator as the program of its graph asks for it. */
static roof_status add_op(const lawful *l, const roof_graph *graph, const char *name, uint64_t *cycles,
                          roof_error *err)
{
    roof_program *program = NULL;
    roof_status status = roof_program_of(graph, &program, err);
    bool is_found = false;
    for (uint32_t i = 0; status == ROOF_OK && i < program->n_rows; i++)
        for (uint32_t j = 0; j < program->rows[i].work.n_demands && status == ROOF_OK; j++) {
            const roof_demand *d = &program->rows[i].work.demands[j];
            if (strcmp(graph->ops[d->op].name, name) != 0)
                continue;
            is_found = true;
            status = l->fit.law->add_op(l->fit.config, graph, d, cycles, err);
        }
    assert_true(is_found || status != ROOF_OK);
    roof_program_free(program);
    return status;
}

typedef struct law_row {
    const char *name;
    uint32_t in[5], weights[5];
    fx_op op;
    unsigned engine;
    uint64_t b4096, b512;
} law_row;

#define AN_OP(name, ...) .op = {.type = (name), .dims = __VA_ARGS__}

static const law_row rows[] = {
    /* ceil(112/8) 112 ceil(32/16) 9 ceil(3/16); ceil(112/4) 112 ceil(32/8) 9 ceil(3/8) */
    {.name = "convolution",
     .in = {1, 224, 224, 3},
     .weights = {32, 3, 3, 3},
     AN_OP("conv2d-fix", {1, 112, 112, 32}, .kernel = {3, 3}),
     .engine = CONV,
     .b4096 = 14 * 112 * 2 * 9 * 1,
     .b512 = 28 * 112 * 4 * 9 * 1},
    /* rows of the window are vectors of 3 * 3: ceil(9/16) = 1 a row, ceil(9/8) = 2 */
    {.name = "channel augmentation",
     .in = {1, 224, 224, 3},
     .weights = {32, 3, 3, 3},
     AN_OP("conv2d-fix", {1, 112, 112, 32}, .kernel = {3, 3}, .augmentation = 1),
     .engine = CONV,
     .b4096 = 14 * 112 * 2 * 3 * 1,
     .b512 = 28 * 112 * 4 * 3 * 2},
    /* 7 * 3 = 21 lanes: 2 vectors of 16, 3 of 8 */
    {.name = "augmentation wider than a vector",
     .in = {1, 224, 224, 3},
     .weights = {64, 7, 7, 3},
     AN_OP("conv2d-fix", {1, 112, 112, 64}, .kernel = {7, 7}, .augmentation = 1),
     .engine = CONV,
     .b4096 = 14 * 112 * 4 * 7 * 2,
     .b512 = 28 * 112 * 8 * 7 * 3},
    {.name = "1x1, nothing divides",
     .in = {1, 13, 5, 17},
     .weights = {33, 1, 1, 17},
     AN_OP("conv2d-fix", {1, 13, 5, 33}, .kernel = {1, 1}),
     .engine = CONV,
     .b4096 = 2 * 5 * 3 * 2,
     .b512 = 4 * 5 * 5 * 3},
    {.name = "5 wide, 3 high",
     .in = {1, 16, 16, 16},
     .weights = {16, 3, 5, 16},
     AN_OP("conv2d-fix", {1, 14, 12, 16}, .kernel = {5, 3}),
     .engine = CONV,
     .b4096 = 2 * 12 * 15,
     .b512 = 4 * 12 * 2 * 15 * 2},
    {.name = "rows are along H",
     .in = {1, 8, 100, 16},
     .weights = {16, 1, 1, 16},
     AN_OP("conv2d-fix", {1, 8, 100, 16}, .kernel = {1, 1}),
     .engine = CONV,
     .b4096 = 100,
     .b512 = 2 * 100 * 2 * 2},
    {.name = "two images in the tensor",
     .in = {2, 8, 8, 16},
     .weights = {16, 1, 1, 16},
     AN_OP("conv2d-fix", {2, 8, 8, 16}, .kernel = {1, 1}),
     .engine = CONV,
     .b4096 = 16,
     .b512 = 2 * 2 * 8 * 2 * 2},
    /* 19 rows in 6 classes: one of 4 and five of 3 rows, each a block: 6, not 3 */
    {.name = "dilated by 6",
     .in = {1, 19, 19, 16},
     .weights = {16, 3, 3, 16},
     AN_OP("conv2d-fix", {1, 19, 19, 16}, .kernel = {3, 3}, .dilation = {6, 6}),
     .engine = CONV,
     .b4096 = 6 * 19 * 9,
     .b512 = 6 * 19 * 2 * 9 * 2},
    /* only along W: no change */
    {.name = "dilated along W",
     .in = {1, 19, 19, 16},
     .weights = {16, 3, 3, 16},
     AN_OP("conv2d-fix", {1, 19, 19, 16}, .kernel = {3, 3}, .dilation = {6, 1}),
     .engine = CONV,
     .b4096 = 3 * 19 * 9,
     .b512 = 5 * 19 * 2 * 9 * 2},
    /* 20 rows by 2: two classes of 10, so 2 * 2 blocks of 8, and 2 * 3 of 4 */
    {.name = "dilated by 2",
     .in = {1, 20, 20, 16},
     .weights = {16, 3, 3, 16},
     AN_OP("conv2d-fix", {1, 20, 20, 16}, .kernel = {3, 3}, .dilation = {2, 2}),
     .engine = CONV,
     .b4096 = 4 * 20 * 9,
     .b512 = 6 * 20 * 2 * 9 * 2},
    /* 17 rows by 2: 9 and 8 of them, so 2 + 1 blocks of 8, and 3 + 2 of 4 */
    {.name = "dilated by 2, one class longer",
     .in = {1, 17, 20, 16},
     .weights = {16, 3, 3, 16},
     AN_OP("conv2d-fix", {1, 17, 20, 16}, .kernel = {3, 3}, .dilation = {2, 2}),
     .engine = CONV,
     .b4096 = 3 * 20 * 9,
     .b512 = 5 * 20 * 2 * 9 * 2},
    /* ceil(4/8) 4 2 2 ceil(16/16) ceil(32/16) */
    {.name = "transposed",
     .in = {1, 4, 4, 32},
     .weights = {16, 2, 2, 32},
     AN_OP("transposed-conv2d-fix", {1, 8, 8, 16}, .kernel = {2, 2}, .stride = {2, 2}),
     .engine = CONV,
     .b4096 = 1 * 4 * 4 * 1 * 2,
     .b512 = 1 * 4 * 4 * 2 * 4},
    {.name = "matrix product",
     .in = {1, 128},
     .weights = {0},
     AN_OP("matmul", {1, 10}),
     .engine = CONV,
     .b4096 = 1 * 1 * 8,
     .b512 = 1 * 2 * 16},
    /* ceil(112/4) 112 ceil(32/16) 9; ceil(112/2) 112 ceil(32/8) 9 */
    {.name = "depthwise",
     .in = {1, 112, 112, 32},
     .weights = {1, 3, 3, 32},
     AN_OP("depthwise-conv2d-fix", {1, 112, 112, 32}, .kernel = {3, 3}),
     .engine = ALU,
     .b4096 = 28 * 112 * 2 * 9,
     .b512 = 56 * 112 * 4 * 9},
    /* ceil(28/4) 28 ceil(32/16) 4; ceil(28/2) 28 ceil(32/8) 4 */
    {.name = "transposed depthwise",
     .in = {1, 14, 14, 32},
     .weights = {1, 2, 2, 32},
     AN_OP("transposed-depthwise-conv2d-fix", {1, 28, 28, 32}, .kernel = {2, 2}, .stride = {2, 2}),
     .engine = ALU,
     .b4096 = 7 * 28 * 2 * 4,
     .b512 = 14 * 28 * 4 * 4},
    {.name = "pooling",
     .in = {1, 112, 112, 64},
     .weights = {0},
     AN_OP("pool-fix", {1, 56, 56, 64}, .kernel = {3, 3}, .kind = "MAX"),
     .engine = ALU,
     .b4096 = 14 * 56 * 4 * 9,
     .b512 = 28 * 56 * 8 * 9},
    {.name = "global pooling",
     .in = {1, 7, 7, 1280},
     .weights = {0},
     AN_OP("pool-fix", {1, 1, 1, 1280}, .kernel = {7, 7}, .kind = "AVG"),
     .engine = ALU,
     .b4096 = 80 * 49,
     .b512 = 160 * 49},
    {.name = "hard sigmoid",
     .in = {1, 14, 14, 20},
     .weights = {0},
     AN_OP("hard-sigmoid-fix", {1, 14, 14, 20}),
     .engine = ALU,
     .b4096 = 4 * 14 * 2,
     .b512 = 7 * 14 * 3},
    {.name = "scaling",
     .in = {1, 14, 14, 20},
     .weights = {0},
     AN_OP("depthwise-fix", {1, 14, 14, 20}),
     .engine = ALU,
     .b4096 = 4 * 14 * 2,
     .b512 = 7 * 14 * 3},
    {.name = "addition",
     .in = {1, 14, 14, 100},
     .weights = {0},
     AN_OP("eltwise-fix", {1, 14, 14, 100}),
     .engine = ELTWISE,
     .b4096 = 4 * 14 * 7,
     .b512 = 7 * 14 * 13},
    {.name = "activations are free",
     .in = {1, 14, 14, 16},
     .weights = {0},
     AN_OP("relu", {1, 14, 14, 16}),
     .engine = CONV},
    {.name = "so are moves",
     .in = {1, 14, 14, 16},
     .weights = {0},
     AN_OP("reshape-fix", {1, 3136}),
     .engine = CONV},
};

static const fx_target compiled = {.name = "DPUCZDX8G_ISA1_B4096", .fingerprint = FX_B4096};

static void assert_cycles(const lawful *l, const law_row *row, uint64_t want, const char *spec)
{
    fx_op ops[3] = {FX("in", "data", {0}), FX("w", "const", {0})};
    size_t n = row->weights[0] ? 2 : 1;
    uint64_t cycles[ROOF_MAX_ENGINES] = {0};
    roof_error err = {0};
    memcpy(ops[0].dims, row->in, sizeof row->in);
    memcpy(ops[1].dims, row->weights, sizeof row->weights);
    ops[n] = row->op;
    ops[n].name = "op";
    ops[n].layer = "layer";
    ops[n].inputs[0] = "in";
    ops[n].weights = n == 2 ? "w" : NULL;
    fx_net net = fx_open(fx_model(ops, n + 1, &compiled), NULL);
    if (add_op(l, net.graph, "op", cycles, &err) != ROOF_OK)
        fail_msg("%s: %s", row->name, fx_message(&err));
    for (unsigned e = 0; e < l->fit.n_compute; e++)
        if (cycles[e] != (e == row->engine ? want : 0))
            fail_msg("%s on %s: engine %s %" PRIu64 " cycles, want %" PRIu64, row->name, spec,
                     l->fit.engines[e].name, cycles[e], e == row->engine ? want : 0);
    fx_close(&net);
}

static void cycles_are_what_the_shapes_say(void **state)
{
    lawful b4096 = law_for("b4096"), b512 = law_for("b512");
    (void)state;
    assert_int_equal(b4096.fit.n_compute, 3);
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_cycles(&b4096, &rows[i], rows[i].b4096, "b4096");
        assert_cycles(&b512, &rows[i], rows[i].b512, "b512");
    }
    done(&b4096);
    done(&b512);
}

static void engines_are_named_in_order(void **state)
{
    static const char *const want[] = {"conv", "alu", "eltwise", "load", "save", "memory"};
    lawful l = law_for("b4096");
    (void)state;
    assert_int_equal(l.fit.n_engines, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++)
        assert_string_equal(l.fit.engines[i].name, want[i]);
    done(&l);
}

/* A tile op reads channels per sub-pixel: 64 channels in 2 x 2 parts of 16 are 4 groups, and parts of 4 still
 * 4. */
static void a_convolution_for_a_tile_counts_groups_per_sub_pixel(void **state)
{
    static const struct {
        uint32_t channels;
        int32_t tile;
        const char *tile_layer;
        uint64_t want;
    } cases[] = {{64, 2, "l", 4},  {16, 2, "l", 4}, {16, 2, "other", 1},
                 {16, 4, "l", 16}, {18, 2, "l", 2}, {18, 3, "l", 9}};
    lawful l = law_for("b4096");
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        fx_op ops[] = {FX("in", "data-fix", {1, 8, 8, 16}),
                       FX("w", "const-fix", {16, 1, 1, 16}, .layer = "l"),
                       FX("conv", "conv2d-fix", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w",
                          .kernel = {1, 1}, .layer = "l"),
                       FX("tile", "tile-fix", {1, 8, 8, 16}, .inputs = {"conv"}, .tile = 2)};
        uint64_t cycles[ROOF_MAX_ENGINES] = {0};
        ops[2].dims[3] = ops[1].dims[0] = cases[i].channels;
        ops[3].tile = cases[i].tile;
        ops[3].layer = cases[i].tile_layer;
        fx_net net = fx_open(fx_model(ops, COUNT(ops), &compiled), NULL);
        assert_int_equal(add_op(&l, net.graph, "conv", cycles, NULL), ROOF_OK);
        if (cycles[CONV] != 8 * cases[i].want)
            fail_msg("%u channels, tile %d: %" PRIu64 " cycles, want %" PRIu64, cases[i].channels,
                     cases[i].tile, cycles[CONV], 8 * cases[i].want);
        fx_close(&net);
    }
    done(&l);
}

/* Nobody has marked the convolutions of a file that is only quantised; those that fit count as augmented, so
 * that the bound stays one. B4096 takes 32 lanes, B512 16. */
static void a_quantised_file_is_augmented_where_it_fits(void **state)
{
    static const struct {
        uint32_t channels;
        int32_t kernel;
        uint64_t b4096, b512; /* steps of an output position, for 16 and for 8 lanes */
    } cases[] = {{3, 3, 3 * 1, 3 * 2},
                 {10, 3, 3 * 2, 9 * 2},
                 {11, 3, 9 * 1, 9 * 2},
                 {3, 7, 7 * 2, 49 * 1},
                 {16, 1, 1, 2}};
    lawful b4096 = law_for("b4096"), b512 = law_for("b512");
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint32_t k = (uint32_t)cases[i].kernel, c = cases[i].channels;
        fx_op ops[] = {FX("in", "data", {1, 8, 8, 1}), FX("w", "const", {8, 1, 1, 1}),
                       FX("op", "conv2d", {1, 4, 1, 8}, .inputs = {"in"}, .weights = "w", .kernel = {1, 1})};
        uint64_t big[ROOF_MAX_ENGINES] = {0}, small[ROOF_MAX_ENGINES] = {0};
        ops[0].dims[3] = ops[1].dims[3] = c;
        ops[1].dims[1] = ops[1].dims[2] = k;
        ops[2].kernel[0] = ops[2].kernel[1] = cases[i].kernel;
        fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
        assert_int_equal(add_op(&b4096, net.graph, "op", big, NULL), ROOF_OK);
        assert_int_equal(add_op(&b512, net.graph, "op", small, NULL), ROOF_OK);
        if (big[CONV] != cases[i].b4096 || small[CONV] != cases[i].b512)
            fail_msg("%u channels, kernel %u: %" PRIu64 " and %" PRIu64, c, k, big[CONV], small[CONV]);
        fx_close(&net);
    }
    done(&b4096);
    done(&b512);
}

static void cycles_add_up(void **state)
{
    lawful l = law_for("b4096");
    const fx_op ops[] = {
        FX("in", "data", {1, 8, 8, 16}), FX("w", "const", {16, 1, 1, 16}),
        FX("op", "conv2d", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w", .kernel = {1, 1})};
    uint64_t cycles[ROOF_MAX_ENGINES] = {5};
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
    assert_int_equal(add_op(&l, net.graph, "op", cycles, NULL), ROOF_OK);
    assert_int_equal(cycles[CONV], 5 + 8);
    cycles[CONV] = ROOF_UNKNOWN; /* stays what it is */
    assert_int_equal(add_op(&l, net.graph, "op", cycles, NULL), ROOF_OK);
    assert_true(cycles[CONV] == ROOF_UNKNOWN);
    fx_close(&net);
    done(&l);
}

static void cycles_beyond_64_bits_are_an_error_that_names_the_op(void **state)
{
    static const fx_op ops[] = {FX("in", "data", {1, 65535, 65535, 1}), FX("w", "const", {1, 1, 1, 1}),
                                FX("op", "conv2d", {1, 65535, 65535, 65535}, .inputs = {"in"}, .weights = "w",
                                   .kernel = {65536, 65536})};
    static const char *const specs[] = {"b4096", "mac=1/cycle,clock=1MHz,ddr=1B/s"};
    (void)state;
    for (size_t i = 0; i < COUNT(specs); i++) {
        lawful l = law_for(specs[i]);
        uint64_t cycles[ROOF_MAX_ENGINES] = {0};
        roof_error err = {0};
        fx_op huge[COUNT(ops)];
        memcpy(huge, ops, sizeof ops);
        if (i == 1) /* the work itself overflows first */
            memcpy(huge[1].dims, (const uint32_t[9]){1, 65536, 65536, 1}, sizeof huge[1].dims);
        fx_net net = fx_open(fx_model(huge, COUNT(ops), NULL), NULL);
        net.graph->ops[2].rule =
            ROOF_RULE_CONV2D; /* which the reader took: such a kernel has other weights */
        assert_int_equal(add_op(&l, net.graph, "op", cycles, &err), ROOF_E_LIMIT);
        assert_string_equal(fx_message(&err), i == 0 ? "the cycles of op 'op' overflow 64 bits"
                                                     : "op 'op': the number of operations overflows 64 bits");
        fx_close(&net);
        done(&l);
    }
}

/* Instruction set 0 may be built without a depthwise engine; its cycles are then unknown, not 0. */
static void an_engine_that_is_not_built_in_is_unknown(void **state)
{
    static const fx_op ops[] = {
        FX("in", "data", {1, 8, 8, 16}), FX("w", "const", {1, 3, 3, 16}),
        FX("op", "depthwise-conv2d", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w", .kernel = {3, 3})};
    lawful l = law_for("base=b4096,alu.pixel_parallel=0,dwconv.pixel_parallel=0");
    uint64_t cycles[ROOF_MAX_ENGINES] = {0};
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
    assert_int_equal(add_op(&l, net.graph, "op", cycles, NULL), ROOF_OK);
    assert_true(cycles[ALU] == ROOF_UNKNOWN);
    fx_close(&net);
    done(&l);
}

/* Both operands of attention are computed, and a recurrent layer waits for itself: no 0, which is a bound. */
static void cycles_of_what_the_convolution_engine_does_not_take_are_unknown(void **state)
{
    static const roof_rule rules[] = {ROOF_RULE_ATTENTION, ROOF_RULE_RECURRENT};
    static const fx_op ops[] = {
        FX("in", "data", {1, 8, 8, 16}), FX("w", "const", {16, 1, 1, 16}),
        FX("op", "conv2d", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w", .kernel = {1, 1})};
    lawful l = law_for("b4096");
    (void)state;
    for (size_t i = 0; i < COUNT(rules); i++) {
        uint64_t cycles[ROOF_MAX_ENGINES] = {0};
        fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
        net.graph->ops[2].rule = rules[i];
        assert_int_equal(add_op(&l, net.graph, "op", cycles, NULL), ROOF_OK);
        assert_true(cycles[CONV] == ROOF_UNKNOWN);
        assert_int_equal(cycles[ALU] + cycles[ELTWISE], 0);
        fx_close(&net);
    }
    done(&l);
}

/* ---- memory ---- */

static void the_time_of_bytes_is_rounded_up(void **state)
{
    static const struct {
        uint64_t bytes;
        double clock_hz, bytes_per_s;
        uint64_t want;
    } cases[] = {
        {0, 300e6, 19.2e9, 0},
        {1, 300e6, 19.2e9, 1},
        {64, 300e6, 19.2e9, 1}, /* exactly 64 B a cycle */
        {65, 300e6, 19.2e9, 2},
        {6400, 300e6, 19.2e9, 100},
        {6401, 300e6, 19.2e9, 101},
        {100, 300e6, 0, 0}, /* no bandwidth: no bound */
        {10, 1, 3, 4},
        {1000000007, 300e6, 7e9, 42857144},         /* 42857143.157 */
        {UINT64_MAX / 2, 1e9, 1e9, UINT64_MAX / 2}, /* exact beyond 2^53 */
        {10, 1.5, 4, 4},                            /* 3.75 */
        {UINT64_MAX - 1, 1e14, 1, UINT64_MAX - 1},  /* too many to count, and still a number */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (law_cycles_for_bytes(cases[i].bytes, cases[i].clock_hz, cases[i].bytes_per_s) != cases[i].want)
            fail_msg("%" PRIu64 " B at %g Hz and %g B/s: %" PRIu64 ", want %" PRIu64, cases[i].bytes,
                     cases[i].clock_hz, cases[i].bytes_per_s,
                     law_cycles_for_bytes(cases[i].bytes, cases[i].clock_hz, cases[i].bytes_per_s),
                     cases[i].want);
}

/* Two ports of 16 B a cycle in each direction, and 19.2 GB/s at 300 MHz, 64 B a cycle, for both. */
static void transfers_take_their_engines(void **state)
{
    const roof_traffic t = {
        .weights_bytes = 1000, .input_bytes = 2001, .output_bytes = 640, .instruction_bytes = 100};
    lawful l = law_for("b4096");
    uint64_t cycles[ROOF_MAX_ENGINES] = {0};
    (void)state;
    assert_int_equal(l.fit.law->move(&l.fit, &(roof_work){0}, &t, cycles, NULL), ROOF_OK);
    assert_int_equal(cycles[LOAD], 94);   /* 3001 / 32 = 93.8 */
    assert_int_equal(cycles[SAVE], 20);   /* 640 / 32 */
    assert_int_equal(cycles[MEMORY], 59); /* 3741 / 64 = 58.5 */
    done(&l);
}

/* ---- the peak law ---- */

static void the_peak_law_divides_by_the_peak(void **state)
{
    static const struct {
        const char *spec;
        double peak_ops_per_cycle;
        uint64_t compute, memory; /* of 16384 MACs and 1000 B */
    } cases[] = {
        {"mac=2048/cycle,clock=300MHz,ddr=19.2GB/s", 4096, 8, 16},
        {"mac=2047/cycle,clock=300MHz,ddr=19.2GB/s", 4094, 9, 16},
        {"ops=4096/cycle,clock=300MHz,ddr=10GB/s", 4096, 8, 30},
        {"mac=100000/cycle,clock=1GHz,ddr=1GB/s", 200000, 1, 1000},
    };
    static const fx_op ops[] = {
        FX("in", "data", {1, 8, 8, 16}), FX("w", "const", {16, 1, 1, 16}),
        FX("op", "conv2d", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w", .kernel = {1, 1})};
    const roof_traffic t = {
        .weights_bytes = 256, .input_bytes = 344, .output_bytes = 300, .instruction_bytes = 100};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        lawful l = law_for(cases[i].spec);
        uint64_t cycles[ROOF_MAX_ENGINES] = {0};
        fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
        assert_true(l.fit.law->is_partial);
        assert_true(fabs(l.fit.engines[ROOF_ENGINE_ARRAY].most_per_cycle - cases[i].peak_ops_per_cycle) <
                    1e-6);
        assert_int_equal(add_op(&l, net.graph, "op", cycles, NULL), ROOF_OK);
        assert_int_equal(l.fit.law->move(&l.fit, &(roof_work){0}, &t, cycles, NULL), ROOF_OK);
        assert_int_equal(cycles[0], cases[i].compute);
        assert_int_equal(cycles[1], cases[i].memory);
        fx_close(&net);
        done(&l);
    }
}

/* ---- which law, and what it needs ---- */

static void every_family_of_the_database_has_a_law(void **state)
{
    const roof_hw_listing *entry;
    (void)state;
    for (size_t i = 0; (entry = roof_hw_builtin(i)); i++)
        if (!law_of(entry->family))
            fail_msg("%s: family '%s' has no law", entry->id, entry->family);
    assert_null(law_of("nothing"));
    assert_null(law_of("dpu")); /* part of a word is no word */
    assert_null(law_of("dpuczdx8"));
}

static void the_keys_that_a_law_needs_are_there_for_every_entry(void **state)
{
    const roof_hw_listing *entry;
    (void)state;
    for (size_t i = 0; (entry = roof_hw_builtin(i)); i++) {
        roof_hw *hw = fx_hw(entry->id);
        for (const char *const *key = law_of(entry->family)->keys; *key; key++)
            if (!roof_hw_get(hw, *key))
                fail_msg("%s lacks '%s'", entry->id, *key);
        roof_hw_free(hw);
    }
}

static void values_that_are_no_counts_are_refused(void **state)
{
    static const struct {
        double value;
        const char *want;
    } cases[] = {{0, "'conv.pixel_parallel' is 0, want a whole number of at least 1"},
                 {2.5, "'conv.pixel_parallel' is 2.5, want a whole number of at least 1"},
                 {5e9, "'conv.pixel_parallel' is 5e+09, want a whole number of at least 1"}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_hw *hw = fx_hw("b4096");
        roof_arena *arena = arena_new(0);
        roof_error err = {0};
        law_fit fit;
        const roof_program empty = {0};
        assert_int_equal(roof_hw_set(hw, "conv.pixel_parallel", cases[i].value, "lanes", "test", &err),
                         ROOF_OK);
        const hw_view view = {
            .array = hw, .board = hw, .clock_hz = 1e6, .memory_bytes_per_s = 1e6, .batch_lanes = 1};
        assert_int_equal(law_fit_to(law_of("dpuczdx8g"), &view, &empty, 1, arena, &fit, &err), ROOF_E_DATA);
        assert_string_equal(fx_message(&err), cases[i].want);
        arena_free(arena);
        roof_hw_free(hw);
    }
}

/* By the whole name, as long as a key has room for it. */
static void pools_are_found_by_their_name(void **state)
{
#define FORTY "a234567890b234567890c234567890d234567890"
    lawful l = law_for("base=stm32n6,mempool." FORTY "x.bandwidth=7B/s");
    (void)state;
    const roof_quantity *flash = hw_view_pool(&l.view, "octoFlash", "bandwidth");
    assert_non_null(flash);
    assert_ptr_equal(flash, hw_view_get(&l.view, "mempool.octoflash.bandwidth"));
    const roof_quantity *named = hw_view_pool(&l.view, FORTY "X", "bandwidth");
    assert_true(named && named->value == 7);
    assert_null(hw_view_pool(&l.view, FORTY "y", "bandwidth"));
    assert_null(hw_view_pool(&l.view, FORTY, "bandwidth"));
    assert_null(hw_view_pool(&l.view, FORTY FORTY "x", "bandwidth"));
    assert_null(hw_view_pool(&l.view, "octoFlash", "colour"));
    done(&l);
#undef FORTY
}

/* Sentences, charts and calibrations ask the table of engines, a law says which of its own compute. */
static void every_engine_of_a_law_is_one_that_is_known(void **state)
{
    const roof_hw_listing *entry;
    (void)state;
    for (size_t i = 0; (entry = roof_hw_builtin(i)); i++) {
        lawful l = law_for(entry->id);
        for (uint32_t e = 0; e < l.fit.n_engines; e++) {
            const engine_info *engine = engine_named(l.fit.engines[e].name);
            assert_non_null(engine);
            /* those that do not bind, such as starts of a kernel, are neither */
            const bool moves = e >= l.fit.n_compute && e < l.fit.n_binding;
            assert_true((engine->kind == ENGINE_KIND_DATA) == moves);
            assert_true((engine->kind == ENGINE_KIND_ARRAY) == (e == ROOF_ENGINE_ARRAY));
        }
        done(&l);
    }
    assert_string_equal(engine_named("npuRAM5")->name, "npuRAM*");
    assert_int_equal(engine_named("npuRAM12")->kind, ENGINE_KIND_DATA);
    assert_null(engine_named("npuRAM5b"));
    assert_null(engine_named("pool"));
}

static void no_family_has_no_law(void **state)
{
    (void)state;
    assert_null(law_of(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_are_what_the_shapes_say),
        cmocka_unit_test(engines_are_named_in_order),
        cmocka_unit_test(a_convolution_for_a_tile_counts_groups_per_sub_pixel),
        cmocka_unit_test(a_quantised_file_is_augmented_where_it_fits),
        cmocka_unit_test(cycles_add_up),
        cmocka_unit_test(cycles_beyond_64_bits_are_an_error_that_names_the_op),
        cmocka_unit_test(an_engine_that_is_not_built_in_is_unknown),
        cmocka_unit_test(cycles_of_what_the_convolution_engine_does_not_take_are_unknown),
        cmocka_unit_test(the_time_of_bytes_is_rounded_up),
        cmocka_unit_test(transfers_take_their_engines),
        cmocka_unit_test(the_peak_law_divides_by_the_peak),
        cmocka_unit_test(every_family_of_the_database_has_a_law),
        cmocka_unit_test(the_keys_that_a_law_needs_are_there_for_every_entry),
        cmocka_unit_test(values_that_are_no_counts_are_refused),
        cmocka_unit_test(pools_are_found_by_their_name),
        cmocka_unit_test(every_engine_of_a_law_is_one_that_is_known),
        cmocka_unit_test(no_family_has_no_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
