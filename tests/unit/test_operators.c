/* Rows know the operators of the file that they stand for: their own, and what is folded into them. */
#include "tests/unit/fixture.h"
#include "roofline/prediction.h"

static const fx_target compiled = {.name = "DPUCZDX8G_ISA1_B4096", .fingerprint = FX_B4096};

static roof_prediction *predict(const roof_graph *graph, bool names_operators)
{
    const roof_predict_options options = {.names_operators = names_operators};
    roof_prediction *p = NULL;
    roof_hw *hw = NULL;
    roof_error err = {0};
    if (roof_hw_load("b4096", &hw, &err) != ROOF_OK || roof_predict(graph, hw, &options, &p, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_hw_free(hw);
    return p;
}

/* "conv2@4 relu@5": of a row, or of a row that is not there. */
static const char *operators_of(const roof_prediction *p, uint32_t row)
{
    static char text[400];
    size_t used = 0;
    text[0] = '\0';
    if (row >= p->n_layers)
        return "no row";
    const roof_layer_prediction *l = &p->layers[row];
    assert_int_equal(l->n_operators, l->n_nodes);
    for (uint32_t i = 0; i < l->n_operators; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s@%" PRIu32, i ? " " : "",
                                 l->operators[i], l->nodes[i]);
    return text;
}

typedef struct expectation {
    const char *what;
    const fx_op *ops;
    size_t n_ops;
    const fx_target *target; /* NULL: nobody compiled it, and rows are those that a compiler would make */
    const char *rows[4];
} expectation;

#define CONV(name, input)                                                                                    \
    FX(name, "conv2d", {1, 8, 8, 16}, .inputs = {input}, .weights = "w", .kernel = {1, 1})
#define DATA FX("in", "data", {1, 8, 8, 16}), FX("w", "const", {16, 1, 1, 16})

static const fx_op of_layers[] = {FX("in", "data-fix", {1, 8, 8, 16}),
                                  FX("w", "const-fix", {16, 3, 3, 16}, .layer = "l"),
                                  FX("relu", "relu", {1, 8, 8, 16}, .inputs = {"in"}, .layer = "l"),
                                  FX("conv", "conv2d-fix", {1, 8, 8, 16}, .inputs = {"relu"}, .weights = "w",
                                     .kernel = {3, 3}, .layer = "l"),
                                  FX("soft", "softmax", {1, 8, 8, 16}, .inputs = {"conv"}, .layer = "cpu")};

static const fx_op folded[] = {DATA,
                               CONV("conv", "in"),
                               FX("fix", "fix", {1, 8, 8, 16}, .inputs = {"conv"}),
                               FX("relu", "relu", {1, 8, 8, 16}, .inputs = {"fix"}),
                               FX("shape", "reshape", {1, 64, 1, 16}, .inputs = {"relu"}),
                               FX("soft", "softmax", {1, 64, 1, 16}, .inputs = {"shape"})};

static const fx_op split[] = {DATA, CONV("conv", "in"),
                              FX("swish", "hard-swish", {1, 8, 8, 16}, .inputs = {"conv"})};

static const fx_op joined[] = {DATA, CONV("one", "in"), CONV("two", "in"),
                               FX("sum", "add", {1, 8, 8, 16}, .inputs = {"one", "two"})};

static void a_row_names_its_operators_and_those_that_it_swallowed(void **state)
{
    static const expectation cases[] = {
        {"compiled: the layer's, without constants",
         of_layers,
         COUNT(of_layers),
         &compiled,
         {"soft@4", "conv@3 relu@2", "no row"}},
        {"folded, and what only names memory",
         folded,
         COUNT(folded),
         NULL,
         {"conv@2 fix@3 relu@4", "soft@6", "no row"}},
        {"one operator in two rows", split, COUNT(split), NULL, {"conv@2", "swish@3", "swish@3", "no row"}},
        {"what computes most leads", joined, COUNT(joined), NULL, {"two@3", "one@2 sum@4", "no row"}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const expectation *c = &cases[i];
        fx_net net = fx_open(fx_model(c->ops, c->n_ops, c->target), NULL);
        roof_prediction *p = predict(net.graph, true);
        for (uint32_t r = 0; r < COUNT(c->rows) && c->rows[r]; r++)
            if (strcmp(operators_of(p, r), c->rows[r]) != 0)
                fail_msg("%s: row %u has '%s', want '%s'", c->what, r, operators_of(p, r), c->rows[r]);
        assert_int_equal(p->model.address, ROOF_ADDRESS_NAME);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

static void a_name_that_two_operators_have_names_nothing(void **state)
{
    (void)state;
    fx_net net = fx_open(fx_model(folded, COUNT(folded), NULL), NULL);
    net.graph->ops[4].name = net.graph->ops[2].name;
    roof_prediction *p = predict(net.graph, true);
    assert_string_equal(operators_of(p, 0), "@2 fix@3 @4");
    roof_prediction_free(p);
    net.graph->ops[4].node = ROOF_NONE; /* what is no operator of the file takes no name, and is not listed */
    p = predict(net.graph, true);
    assert_string_equal(operators_of(p, 0), "conv@2 fix@3");
    roof_prediction_free(p);
    fx_close(&net);
}

static void nobody_who_does_not_ask_gets_operators(void **state)
{
    (void)state;
    fx_net net = fx_open(fx_model(folded, COUNT(folded), NULL), NULL);
    roof_prediction *p = predict(net.graph, false);
    assert_string_equal(operators_of(p, 0), "");
    roof_prediction_free(p);
    fx_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_names_its_operators_and_those_that_it_swallowed),
        cmocka_unit_test(a_name_that_two_operators_have_names_nothing),
        cmocka_unit_test(nobody_who_does_not_ask_gets_operators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
