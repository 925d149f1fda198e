/* A network before and after compiling: every layer finds its sibling, and every planted difference its
 * reason. */
#include "roofline/model_diff.h"
#include "tests/unit/fixture.h"

static roof_model_diff *compared(const roof_graph *graph, const roof_graph *compiled)
{
    roof_hw *hw = fx_hw("b4096");
    roof_model_diff *s = NULL;
    roof_error err = {0};
    if (roof_model_diff_find(&(roof_model_diff_request){graph, compiled, "a", "b", hw}, &s, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_hw_free(hw);
    return s;
}

/* Rules and our own compiler know nothing of one another. It joins the addition behind two convolutions with
 * the other one of them, which rules and compiled files do not. */
static void own_networks_are_compiled_as_the_rules_foretell(void **state)
{
    static const struct {
        const char *name;
        uint32_t n_otherwise; /* additions, each with two convolutions */
    } rows[] = {{"tiny", 0}, {"mobilenetv1", 0}, {"mobilenetv2", 0}, {"resnet50", 4}, {"chain", 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const xn_config quantised = {.quantised = true};
        fx_net before = fx_open(xn_find_network(rows[i].name)->build(&quantised, NULL), NULL);
        fx_net after = fx_open(xn_find_network(rows[i].name)->build(NULL, NULL), NULL);
        roof_model_diff *s = compared(before.graph, after.graph);
        assert_true(s->n_layers[0] > 0);
        assert_int_equal(s->n_layers[0], s->n_layers[1]);
        assert_int_equal(s->n_same + 2 * rows[i].n_otherwise, s->n_layers[0]);
        assert_int_equal(s->reasons[ROOF_DIFF_OTHERWISE], rows[i].n_otherwise);
        assert_int_equal(s->n_unexplained, 0);
        assert_int_equal(s->total[0].macs, s->total[1].macs);
        for (uint32_t k = 0; k < s->n; k++) {
            const roof_diff_row *item = &s->items[k];
            if (item->pairing != ROOF_DIFF_UNPAIRED)
                assert_int_equal(item->pairing, ROOF_DIFF_BY_NAME);
            else
                assert_int_equal(item->reasons & ~(ROOF_DIFF(NAMES_MEMORY) | ROOF_DIFF(HOST_ROW)), 0);
            if (item->reasons & ROOF_DIFF(OTHERWISE))
                assert_int_equal(item->rule, 4);
        }
        roof_model_diff_free(s);
        fx_close(&before);
        fx_close(&after);
    }
}

/* What a sibling is called: by its compiled layer, else by that of the graph. */
static const roof_diff_row *named(const roof_model_diff *s, const char *name)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const roof_diff_row *item = &s->items[i];
        for (uint32_t r = 0; r < item->after.n; r++)
            if (strcmp(s->after_prediction->layers[item->after.rows[r]].name, name) == 0)
                return item;
        for (uint32_t r = 0; !item->after.n && r < item->before.n; r++)
            if (strcmp(s->before_prediction->layers[item->before.rows[r]].name, name) == 0)
                return item;
    }
    fail_msg("no sibling '%s'", name);
    return NULL;
}

/* ---- small networks, as a tool quantised them and as a compiler left them ---- */

/* in -> c0 -> c1 + c0 -> c2, as a tool quantised it: the rules make three layers of it. */
static const fx_op graph_ops[] = {
    FX("in", "data", {1, 16, 16, 16}),
    FX("w0", "const", {16, 3, 3, 16}),
    FX("c0", "conv2d", {1, 16, 16, 16}, .inputs = {"in"}, .weights = "w0", .kernel = {3, 3}, .stride = {1, 1},
       .pad = {1, 1, 1, 1}),
    FX("w1", "const", {16, 1, 1, 16}),
    FX("c1", "conv2d", {1, 16, 16, 16}, .inputs = {"c0"}, .weights = "w1", .kernel = {1, 1},
       .stride = {1, 1}),
    FX("add", "add", {1, 16, 16, 16}, .inputs = {"c1", "c0"}),
    FX("w2", "const", {32, 1, 1, 16}),
    FX("c2", "conv2d", {1, 16, 16, 32}, .inputs = {"add"}, .weights = "w2", .kernel = {1, 1},
       .stride = {1, 1}),
};

/* The same as a compiler left it, in these three layers, but without code. */
static const fx_op compiled_ops[] = {
    FX("in", "data-fix", {1, 16, 16, 16}),
    FX("w0", "const-fix", {16, 3, 3, 16}, .layer = "l0"),
    FX("c0", "conv2d-fix", {1, 16, 16, 16}, .inputs = {"in"}, .weights = "w0", .kernel = {3, 3},
       .stride = {1, 1}, .pad = {1, 1, 1, 1}, .layer = "l0"),
    FX("w1", "const-fix", {16, 1, 1, 16}, .layer = "l1"),
    FX("c1", "conv2d-fix", {1, 16, 16, 16}, .inputs = {"c0"}, .weights = "w1", .kernel = {1, 1},
       .stride = {1, 1}, .layer = "l1"),
    FX("add", "eltwise-fix", {1, 16, 16, 16}, .inputs = {"c1", "c0"}, .kind = "ADD", .layer = "l1"),
    FX("w2", "const-fix", {32, 1, 1, 16}, .layer = "l2"),
    FX("c2", "conv2d-fix", {1, 16, 16, 32}, .inputs = {"add"}, .weights = "w2", .kernel = {1, 1},
       .stride = {1, 1}, .layer = "l2"),
};
enum { W0 = 1, C0, W1, C1, ADD, W2, C2, N_OPS };

static void nothing(fx_op *ops)
{
    (void)ops;
}

static void rename_all(fx_op *ops)
{
    ops[C0].name = ops[C1].inputs[0] = ops[ADD].inputs[1] = "x0";
    ops[C1].name = ops[ADD].inputs[0] = "x1";
    ops[ADD].name = ops[C2].inputs[0] = "x2";
    ops[C2].name = "x3";
}

static void rename_as_compilers_do(fx_op *ops)
{
    ops[C0].name = ops[C1].inputs[0] = ops[ADD].inputs[1] = "c0_fix(Fused)";
    ops[C2].name = "C2(TransferMatMulToConv2d)";
}

static void keep_the_addition_apart(fx_op *ops)
{
    ops[ADD].layer = "l1_add";
}

static void join_the_last(fx_op *ops)
{
    ops[W2].layer = ops[C2].layer = "l1";
}

static void prune(fx_op *ops)
{
    ops[W2].dims[0] = ops[C2].dims[3] = 24;
}

static void halve(fx_op *ops)
{
    for (size_t i = 0; i < N_OPS; i++)
        if (i != W0 && i != W1 && i != W2)
            ops[i].dims[1] = ops[i].dims[2] = 8;
}

static void leave_the_addition_to_the_host(fx_op *ops)
{
    ops[C1].layer = "l1";
    ops[ADD].layer = "cpu";
}

static void leave_the_last_to_the_host(fx_op *ops)
{
    ops[W2].layer = ops[C2].layer = "cpu";
}

static void lose_the_last(fx_op *ops)
{
    ops[W2].layer = ops[C2].layer = "none";
}

static void differences_have_their_reason(void **state)
{
    static const struct {
        void (*change)(fx_op *ops);
        const char *name;
        uint32_t n_before, n_after, rule;
        roof_diff_pairing pairing;
        uint32_t wanted, refused; /* reasons */
    } rows[] = {
        {nothing, "l1", 1, 1, 0, ROOF_DIFF_BY_NAME, 0,
         ROOF_DIFF(APART) | ROOF_DIFF(TOGETHER) | ROOF_DIFF(CHANNELS) | ROOF_DIFF(ORDER)},
        /* without code every map is taken to go through memory */
        {nothing, "l0", 1, 1, 0, ROOF_DIFF_BY_NAME, ROOF_DIFF(SAVED), ROOF_DIFF(LOADED)},
        {nothing, "l2", 1, 1, 0, ROOF_DIFF_BY_NAME, ROOF_DIFF(LOADED), ROOF_DIFF(SAVED)},
        {rename_all, "l0", 1, 1, 0, ROOF_DIFF_BY_SHAPE, 0, ROOF_DIFF(UNEXPLAINED)},
        {rename_all, "l2", 1, 1, 0, ROOF_DIFF_BY_SHAPE, 0, ROOF_DIFF(UNEXPLAINED)},
        {rename_as_compilers_do, "l0", 1, 1, 0, ROOF_DIFF_BY_NAME, 0, 0},
        {rename_as_compilers_do, "l2", 1, 1, 0, ROOF_DIFF_BY_NAME, 0, 0},
        {keep_the_addition_apart, "l1", 1, 2, 4, ROOF_DIFF_BY_NAME, ROOF_DIFF(APART), ROOF_DIFF(TOGETHER)},
        {join_the_last, "l1", 2, 1, 4, ROOF_DIFF_BY_NAME, ROOF_DIFF(TOGETHER), ROOF_DIFF(APART)},
        {prune, "l2", 1, 1, 0, ROOF_DIFF_BY_NAME, ROOF_DIFF(CHANNELS), ROOF_DIFF(SIZE)},
        {halve, "l0", 1, 1, 0, ROOF_DIFF_BY_NAME, ROOF_DIFF(SIZE), ROOF_DIFF(STRIDE) | ROOF_DIFF(CHANNELS)},
        {leave_the_addition_to_the_host, "l1", 1, 2, 4, ROOF_DIFF_BY_NAME, ROOF_DIFF(APART), 0},
        {leave_the_last_to_the_host, "subgraph_CPU", 1, 1, 0, ROOF_DIFF_BY_NAME, ROOF_DIFF(TO_HOST),
         ROOF_DIFF(SAVED) | ROOF_DIFF(UNEXPLAINED)},
        {lose_the_last, "c2", 1, 0, 0, ROOF_DIFF_UNPAIRED, ROOF_DIFF(UNEXPLAINED), 0},
    };
    const fx_target target = {.name = "DPUCZDX8G_ISA1_B4096", .fingerprint = FX_B4096};
    fx_net before = fx_open(fx_model(graph_ops, N_OPS, NULL), NULL);
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_op ops[N_OPS];
        memcpy(ops, compiled_ops, sizeof ops);
        rows[i].change(ops);
        fx_net after = fx_open(fx_model(ops, N_OPS, &target), NULL);
        roof_model_diff *s = compared(before.graph, after.graph);
        const roof_diff_row *item = named(s, rows[i].name);
        if (item->before.n != rows[i].n_before || item->after.n != rows[i].n_after ||
            item->pairing != rows[i].pairing || item->rule != rows[i].rule ||
            (item->reasons & rows[i].wanted) != rows[i].wanted || item->reasons & rows[i].refused)
            fail_msg("row %zu: %u:%u, pairing %d, rule %u, reasons 0x%x", i, item->before.n, item->after.n,
                     (int)item->pairing, item->rule, item->reasons);
        if (s->n_unexplained != ((rows[i].wanted & ROOF_DIFF(UNEXPLAINED)) != 0))
            fail_msg("row %zu: %u differ for no known reason", i, s->n_unexplained);
        roof_model_diff_free(s);
        fx_close(&after);
    }
    fx_close(&before);
}

/* R8 spares three quarters of the first convolution, which a compiled file shows. */
static void a_moved_stride_is_told_from_a_smaller_map(void **state)
{
    static const fx_op given[] = {
        FX("in", "data", {1, 16, 16, 16}),
        FX("w0", "const", {16, 3, 3, 16}),
        FX("c0", "conv2d", {1, 16, 16, 16}, .inputs = {"in"}, .weights = "w0", .kernel = {3, 3},
           .stride = {1, 1}, .pad = {1, 1, 1, 1}),
        FX("w1", "const", {16, 1, 1, 16}),
        FX("c1", "conv2d", {1, 8, 8, 16}, .inputs = {"c0"}, .weights = "w1", .kernel = {1, 1},
           .stride = {2, 2}),
    };
    static const fx_op made[] = {
        FX("in", "data-fix", {1, 16, 16, 16}),
        FX("w0", "const-fix", {16, 3, 3, 16}, .layer = "l0"),
        FX("c0", "conv2d-fix", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w0", .kernel = {3, 3},
           .stride = {2, 2}, .pad = {1, 1, 1, 1}, .layer = "l0"),
        FX("w1", "const-fix", {16, 1, 1, 16}, .layer = "l1"),
        FX("c1", "conv2d-fix", {1, 8, 8, 16}, .inputs = {"c0"}, .weights = "w1", .kernel = {1, 1},
           .stride = {1, 1}, .layer = "l1"),
    };
    const fx_target target = {.name = "DPUCZDX8G_ISA1_B4096", .fingerprint = FX_B4096};
    fx_net before = fx_open(fx_model(given, COUNT(given), NULL), NULL),
           after = fx_open(fx_model(made, COUNT(made), &target), NULL);
    roof_model_diff *s = compared(before.graph, after.graph);
    (void)state;
    assert_int_equal(named(s, "l0")->before.macs, 4 * named(s, "l0")->after.macs);
    assert_true(named(s, "l0")->reasons & ROOF_DIFF(STRIDE));
    assert_false(named(s, "l1")->reasons & ROOF_DIFF(STRIDE));
    assert_int_equal(s->n_unexplained, 0);
    roof_model_diff_free(s);
    fx_close(&before);
    fx_close(&after);
}

static void heads_in_another_order_are_told(void **state)
{
    static const fx_op given[] = {
        FX("in", "data", {1, 8, 8, 16}),
        FX("wa", "const", {16, 1, 1, 16}),
        FX("a", "conv2d", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "wa", .kernel = {1, 1},
           .stride = {1, 1}),
        FX("wb", "const", {32, 1, 1, 16}),
        FX("b", "conv2d", {1, 8, 8, 32}, .inputs = {"in"}, .weights = "wb", .kernel = {1, 1},
           .stride = {1, 1}),
    };
    static const fx_op made[] = {
        FX("in", "data-fix", {1, 8, 8, 16}),
        FX("wb", "const-fix", {32, 1, 1, 16}, .layer = "lb"),
        FX("b", "conv2d-fix", {1, 8, 8, 32}, .inputs = {"in"}, .weights = "wb", .kernel = {1, 1},
           .stride = {1, 1}, .layer = "lb"),
        FX("wa", "const-fix", {16, 1, 1, 16}, .layer = "la"),
        FX("a", "conv2d-fix", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "wa", .kernel = {1, 1},
           .stride = {1, 1}, .layer = "la"),
    };
    const fx_target target = {.name = "DPUCZDX8G_ISA1_B4096", .fingerprint = FX_B4096};
    fx_net before = fx_open(fx_model(given, COUNT(given), NULL), NULL),
           after = fx_open(fx_model(made, COUNT(made), &target), NULL);
    roof_model_diff *s = compared(before.graph, after.graph);
    (void)state;
    assert_int_equal(s->n_same, 2);
    assert_int_equal(s->reasons[ROOF_DIFF_ORDER], 1);
    roof_model_diff_free(s);
    fx_close(&before);
    fx_close(&after);
}

static void what_is_compiled_comes_last(void **state)
{
    const xn_config quantised = {.quantised = true};
    fx_net graph = fx_open(xn_tiny(&quantised, NULL), NULL), compiled = fx_open(xn_tiny(NULL, NULL), NULL);
    roof_hw *hw = fx_hw("b4096");
    const roof_model_diff_request requested = {compiled.graph, graph.graph, "a", "b", hw};
    roof_model_diff *s = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_model_diff_find(&requested, &s, &err), ROOF_E_USAGE);
    assert_null(s);
    assert_string_equal(fx_message(&err), "want the uncompiled graph first: 'a' is compiled, 'b' is not");
    roof_hw_free(hw);
    fx_close(&graph);
    fx_close(&compiled);
}

/* --- an edit -------------------------------------------------------------------------------------------- */

/* A convolution, a depthwise one or none, and a convolution. */
typedef struct small {
    uint32_t size, channels, kernel;
    bool has_depthwise;
} small;

static fx_net build_small(const small *is)
{
    enum { DEPTHWISE = 3 }; /* where its weights are, and it behind them */
    const uint32_t n = is->size, c = is->channels, k = is->kernel;
    const int32_t side = (int32_t)k, half = side / 2;
    fx_op ops[] = {
        FX("in", "data-fix", {1, n, n, 16}),
        FX("w1", "const-fix", {c, k, k, 16}),
        FX("conv_1", "conv2d-fix", {1, n, n, c}, .inputs = {"in"}, .weights = "w1", .kernel = {side, side},
           .stride = {1, 1}, .pad = {half, half, half, half}),
        FX("w2", "const-fix", {1, 3, 3, c}),
        FX("conv_2", "depthwise-conv2d-fix", {1, n, n, c}, .inputs = {"conv_1"}, .weights = "w2",
           .kernel = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}),
        FX("w3", "const-fix", {32, 1, 1, c}),
        FX("conv_3", "conv2d-fix", {1, n, n, 32}, .inputs = {is->has_depthwise ? "conv_2" : "conv_1"},
           .weights = "w3", .kernel = {1, 1}, .stride = {1, 1}),
    };
    size_t count = COUNT(ops);
    if (!is->has_depthwise) {
        count -= 2;
        memmove(&ops[DEPTHWISE], &ops[DEPTHWISE + 2], (count - DEPTHWISE) * sizeof *ops);
    }
    return fx_open(fx_model(ops, count, NULL), NULL);
}

static void an_edit_is_told_by_what_it_changed(void **state)
{
    static const small base = {28, 64, 3, true};
    static const struct {
        small edited;
        uint32_t has; /* reasons that some layer has */
        uint32_t n_same;
    } cases[] = {
        {{28, 64, 3, true}, 0, 2}, /* the first two convolutions are one row */
        {{28, 64, 3, false}, ROOF_DIFF(FUSED), 1},
        {{28, 48, 3, true}, ROOF_DIFF(CHANNELS), 0},
        {{28, 64, 1, true}, ROOF_DIFF(WINDOW), 1},
        {{14, 64, 3, true}, ROOF_DIFF(SIZE), 0},
        {{14, 48, 3, true}, ROOF_DIFF(SIZE) | ROOF_DIFF(CHANNELS), 0},
    };
    (void)state;
    fx_net before = build_small(&base);
    for (size_t i = 0; i < COUNT(cases); i++) {
        fx_net after = build_small(&cases[i].edited);
        roof_model_diff *s = compared(before.graph, after.graph);
        uint32_t has = 0;
        double sum_s = s->rest_s;
        assert_true(s->is_edit);
        for (uint32_t k = 0; k < s->n; k++)
            has |= s->items[k].reasons & ~ROOF_DIFF(NAMES_MEMORY);
        for (int k = 0; k < ROOF_DIFF_REASONS; k++)
            sum_s += s->changes[k].difference_s;
        if (has != cases[i].has || s->n_same != cases[i].n_same)
            fail_msg("case %zu: reasons %x, %u same", i, has, s->n_same);
        assert_true(fabs(sum_s - (s->total[1].time_s - s->total[0].time_s)) < 1e-12);
        roof_model_diff_free(s);
        fx_close(&after);
    }
    fx_close(&before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_networks_are_compiled_as_the_rules_foretell),
        cmocka_unit_test(differences_have_their_reason),
        cmocka_unit_test(a_moved_stride_is_told_from_a_smaller_map),
        cmocka_unit_test(heads_in_another_order_are_told),
        cmocka_unit_test(what_is_compiled_comes_last),
        cmocka_unit_test(an_edit_is_told_by_what_it_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
