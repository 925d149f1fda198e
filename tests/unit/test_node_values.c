/* Numbers of rows at operators of the file: sums over nodes close, and what is not known is left out. */
#include "reports/annotations/node_values.h"
#include "core/quantity.h"
#include "tests/unit/nodes_fixture.h"

/* "0 conv: ideal_us=80.3 bound=array ..." */
static const char *shown(const char *title, const node_value *values, uint32_t n)
{
    static char text[1000];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", title);
    for (uint32_t i = 0; i < n; i++) {
        const char *name = values[i].name;
        double back = NAN;
        assert_memory_equal(name, NODE_VALUES_PREFIX, strlen(NODE_VALUES_PREFIX));
        if (!isnan(values[i].number)) { /* text and number are the same */
            assert_int_equal(number_parse(values[i].text, strlen(values[i].text), &back),
                             strlen(values[i].text));
            assert_true(back <= values[i].number && back >= values[i].number);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, " %s=%s", name + strlen(NODE_VALUES_PREFIX),
                                 values[i].text);
    }
    return text;
}

static void assert_values(const roof_prediction *p, const char *const *want_nodes, const char *want_totals)
{
    graph_values values;
    roof_arena *arena = arena_new(0);
    assert_true(node_values_make(p, arena, &values));
    for (uint32_t i = 0; i < values.n_nodes; i++) {
        char title[40];
        snprintf(title, sizeof title, "%" PRIu32 " %s:", values.nodes[i].node, values.nodes[i].name);
        assert_non_null(want_nodes[i]);
        assert_string_equal(shown(title, values.nodes[i].values, values.nodes[i].n_values), want_nodes[i]);
    }
    assert_null(want_nodes[values.n_nodes]);
    assert_string_equal(shown("", values.totals, values.n_totals), want_totals);
    arena_free(arena);
}

static void the_leader_has_the_numbers_and_others_say_where_they_went(void **state)
{
    static const char *const nodes[] = {
        "0 conv: ideal_us=80.3 bound=array macs=1000 bytes=60 runs_on=NPU layer=a",
        "1 relu: layer=a fused_into=conv",
        "2 : ideal_us=0.0247 macs=14 runs_on=NPU layer=b",   /* executed twice */
        "3 swish: ideal_us=3 bound=ddr runs_on=NPU layer=d", /* of two rows, of which one has no count */
        "5 soft: runs_on=CPU layer=e",
        NULL};
    nodes_fixture f;
    (void)state;
    assert_values(nodes_make(&f), nodes,
                  " hardware=board ideal_us=83.825 ideal_us_beside_nodes=0.5 macs=1020");
}

static void expected_times_stand_beside_the_ideal(void **state)
{
    static const char *const nodes[] = {
        "0 conv: ideal_us=80.3 expected_us=160.6 bound=array macs=1000 bytes=60 runs_on=NPU layer=a",
        "1 relu: layer=a fused_into=conv",
        "2 : ideal_us=0.0247 expected_us=0.0494 macs=14 runs_on=NPU layer=b",
        "3 swish: ideal_us=3 expected_us=6 bound=ddr runs_on=NPU layer=d",
        "5 soft: runs_on=CPU layer=e",
        NULL};
    nodes_fixture f;
    (void)state;
    roof_prediction *p = nodes_make_expected(&f);
    p->options.batch = 4;
    p->estimate_of = "an uncompiled graph";
    assert_values(p, nodes,
                  " hardware=board ideal_us=83.825 ideal_us_beside_nodes=0.5 expected_us=167.649 "
                  "expected_us_beside_nodes=1 macs=1020 estimate_of=an uncompiled graph batch=4");
}

/* Rows run in an order of their own. */
static void nodes_stand_in_the_order_of_the_file(void **state)
{
    nodes_fixture f;
    graph_values values;
    roof_arena *arena = arena_new(0);
    (void)state;
    roof_prediction *p = nodes_make(&f);
    const roof_layer_prediction first = f.layers[0], last = f.layers[4];
    f.layers[0] = last;
    f.layers[4] = first;
    assert_true(node_values_make(p, arena, &values));
    static const uint32_t want[] = {0, 1, 2, 3, 5};
    assert_int_equal(values.n_nodes, COUNT(want));
    for (uint32_t i = 0; i < values.n_nodes; i++)
        assert_int_equal(values.nodes[i].node, want[i]);
    arena_free(arena);
}

/* Of files without names of operators the place says which one it is. */
static void what_has_no_name_is_called_by_its_place(void **state)
{
    nodes_fixture f;
    graph_values values;
    static const struct {
        roof_address address;
        const char *want[3];
        const char *fused_into;
    } cases[] = {{ROOF_ADDRESS_NAME, {"conv", "relu", NULL}, "conv"},
                 {ROOF_ADDRESS_INDEX, {"0", "1", "2"}, "operator 0"},
                 {ROOF_ADDRESS_NONE, {NULL, NULL, NULL}, "operator 0"}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_prediction *p = nodes_make(&f);
        roof_arena *arena = arena_new(0);
        p->model.address = cases[i].address;
        assert_true(node_values_make(p, arena, &values));
        for (uint32_t k = 0; k < COUNT(cases[i].want); k++) {
            const char *got = node_values_address(p, &values.nodes[k], arena), *want = cases[i].want[k];
            assert_string_equal(got ? got : "none", want ? want : "none");
        }
        assert_string_equal(values.nodes[1].values[1].text, cases[i].fused_into);
        arena_free(arena);
    }
}

/* Sums of what is printed are the total to the last printed digit of each. */
static void sums_over_nodes_close(void **state)
{
    fx_net net = fx_open(xn_mobilenet_v2(NULL, NULL), NULL);
    roof_prediction *p = fx_predict(net.graph, "kv260", &(roof_predict_options){.names_operators = true});
    roof_arena *arena = arena_new(0);
    graph_values values;
    double ideal_us = 0, expected_us = 0, beside[2] = {NAN, NAN}, macs = 0;
    uint32_t n = 0;
    (void)state;
    assert_true(node_values_make(p, arena, &values));
    for (uint32_t i = 0; i < values.n_nodes; i++) {
        const node_values *node = &values.nodes[i];
        ideal_us += isnan(node->ideal_us) ? 0 : node->ideal_us;
        expected_us += isnan(node->expected_us) ? 0 : node->expected_us;
        n += isnan(node->ideal_us) ? 0 : 1;
        for (uint32_t k = 0; k < node->n_values; k++)
            macs += strcmp(node->values[k].name, "roofline.macs") == 0 ? node->values[k].number : 0;
    }
    for (uint32_t k = 0; k < values.n_totals; k++) {
        if (strcmp(values.totals[k].name, "roofline.ideal_us_beside_nodes") == 0)
            beside[0] = values.totals[k].number;
        if (strcmp(values.totals[k].name, "roofline.expected_us_beside_nodes") == 0)
            beside[1] = values.totals[k].number;
    }
    assert_true(n > 30);
    assert_true(fabs(ideal_us + beside[0] - 1e6 * p->total.deployed.ideal_s) <= 0.0005 * (n + 1));
    assert_true(fabs(expected_us + beside[1] - 1e6 * p->total.predicted_s) <= 0.0005 * (n + 1));
    assert_true(macs <= (double)p->total.macs && macs >= (double)p->total.macs);
    arena_free(arena);
    roof_prediction_free(p);
    fx_close(&net);
}

static void memory_that_ends_is_told(void **state)
{
    nodes_fixture f;
    graph_values values;
    uint32_t failures = 0;
    (void)state;
    for (size_t limit = 1; limit < 20000; limit += 97) {
        roof_arena *arena = arena_new(limit);
        failures += arena && !node_values_make(nodes_make(&f), arena, &values);
        arena_free(arena);
    }
    assert_true(failures > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_leader_has_the_numbers_and_others_say_where_they_went),
        cmocka_unit_test(expected_times_stand_beside_the_ideal),
        cmocka_unit_test(nodes_stand_in_the_order_of_the_file),
        cmocka_unit_test(what_has_no_name_is_called_by_its_place),
        cmocka_unit_test(sums_over_nodes_close),
        cmocka_unit_test(memory_that_ends_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
