/* The program of a graph: rows in the order of execution, and what each asks of the hardware in no family's
 * words. */
#include "tests/unit/fixture.h"
#include "roofline/work.h"

static const fx_target compiled = {.name = "DPUCZDX8G_ISA1_B4096", .fingerprint = FX_B4096};

static roof_program *program_of(const roof_graph *graph)
{
    roof_program *program = NULL;
    roof_error err = {0};
    if (roof_program_of(graph, &program, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return program;
}

/* The example of the header. */
static void a_convolution_is_a_row_of_its_multiply_accumulates(void **state)
{
    static const fx_op ops[] = {
        FX("in", "data", {1, 224, 224, 3}), FX("w", "const", {32, 3, 3, 3}),
        FX("conv", "conv2d", {1, 112, 112, 32}, .inputs = {"in"}, .weights = "w", .kernel = {3, 3})};
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
    roof_program *p = program_of(net.graph);
    assert_int_equal(p->n_rows, 1);
    const roof_row *row = &p->rows[0];
    assert_int_equal(row->macs, 10838016);
    assert_int_equal(row->executor, ROOF_BY_ACCELERATOR);
    assert_true(row->is_timed && row->is_boundary && !row->is_stated);
    assert_null(row->work.cycles); /* nobody compiled it: shapes say what it takes */
    assert_int_equal(row->work.bytes_basis, ROOF_BASIS_FORMULA);
    assert_null(p->target.name);
    assert_null(p->memories);
    assert_int_equal(p->findings[ROOF_ABOUT_TARGET].n, 1);
    assert_int_equal(p->findings[ROOF_ABOUT_TARGET].items[0].kind, ROOF_FINDING_NOT_COMPILED);
    roof_program_free(p);
    fx_close(&net);
}

/* Sums over the operators of a row are the row's. */
static void demands_sum_to_their_row(void **state)
{
    static const fx_op ops[] = {
        FX("in", "data-fix", {1, 8, 8, 16}), FX("w", "const-fix", {16, 3, 3, 16}, .layer = "l"),
        FX("conv", "conv2d-fix", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w", .kernel = {3, 3},
           .layer = "l"),
        FX("tile", "tile-fix", {1, 16, 16, 4}, .inputs = {"conv"}, .tile = 2, .layer = "l")};
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), &compiled), NULL);
    roof_program *p = program_of(net.graph);
    for (uint32_t i = 0; i < p->n_rows; i++) {
        uint64_t macs = 0;
        for (uint32_t k = 0; k < p->rows[i].work.n_demands; k++) {
            const roof_demand *d = &p->rows[i].work.demands[k];
            bool is_conv = strcmp(net.graph->ops[d->op].name, "conv") == 0;
            macs += d->macs;
            assert_int_equal(d->sub_pixels, is_conv ? 2 : 1); /* whose channels lie per sub-pixel */
        }
        assert_int_equal(p->rows[i].macs, macs);
    }
    assert_string_equal(p->target.family, "dpuczdx8g");
    roof_program_free(p);
    fx_close(&net);
}

static void who_executes_a_row_is_told(void **state)
{
    static const fx_op ops[] = {FX("in", "data-fix", {1, 4, 4, 8}),
                                FX("relu", "relu", {1, 4, 4, 8}, .inputs = {"in"}, .layer = "l"),
                                FX("soft", "softmax", {1, 4, 4, 8}, .inputs = {"relu"})};
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
    roof_program *p = program_of(net.graph);
    bool is_host = false;
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const roof_row *row = &p->rows[i];
        assert_non_null(p->words[row->executor]);
        assert_int_equal(row->is_timed, row->executor != ROOF_BY_HOST);
        is_host = is_host || row->executor == ROOF_BY_HOST;
    }
    assert_true(is_host);
    roof_program_free(p);
    fx_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_convolution_is_a_row_of_its_multiply_accumulates),
        cmocka_unit_test(demands_sum_to_their_row),
        cmocka_unit_test(who_executes_a_row_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
