/* Networks as graphs of rows and operators: where each operator is drawn, edges and their ways, times. */
#include "tests/support/drawn_network.h"

/* A convolution, what it is quantised by, and what only names memory. */
static const char two_convs[] = "input x float 1,8,16,16\n"
                                "weights w float 8,8,3,3;weights v float 8,8,1,1\n"
                                "Conv x,w -> a pads=[1,1,1,1] name=first\n"
                                "Relu a -> b name=relu\n"
                                "Identity b -> c name=same\n"
                                "Conv c,v -> d name=second\n"
                                "Flatten d -> e name=flat\n"
                                "output e\n";

static const network_op *op_named(const network_view *v, const char *name)
{
    for (uint32_t i = 0; i < v->n_ops; i++)
        if (strcmp(v->ops[i].name, name) == 0)
            return &v->ops[i];
    fail_msg("no operator %s", name);
    return NULL;
}

static uint32_t row_named(const network_view *v, const char *name)
{
    for (uint32_t r = 0; r < v->n_rows; r++)
        if (strcmp(v->rows[r].name, name) == 0)
            return r;
    fail_msg("no row %s", name);
    return 0;
}

static void an_operator_is_drawn_at_its_row_or_at_the_one_that_reads_it(void **state)
{
    drawn_network d = drawn_of(two_convs);
    const network_view *v = &d.view;
    (void)state;
    drawn_check(&d);
    const uint32_t first = row_named(v, "first"), second = row_named(v, "second");
    assert_int_equal(op_named(v, "first")->row, first);
    assert_int_equal(op_named(v, "relu")->row, first);
    assert_true(op_named(v, "relu")->is_of_the_row);
    assert_int_equal(op_named(v, "second")->row, second);
    assert_null(v->why_not);
    drawn_close(&d);
}

static void an_edge_has_the_bytes_of_its_tensor(void **state)
{
    drawn_network d = drawn_of(two_convs);
    const network_view *v = &d.view;
    const uint32_t first = row_named(v, "first"), second = row_named(v, "second");
    (void)state;
    for (uint32_t i = 0; i < v->n_edges; i++)
        if (v->edges[i].from == first && v->edges[i].to == second) {
            assert_int_equal(v->edges[i].bytes, 4 * 8 * 16 * 16);
            drawn_close(&d);
            return;
        }
    fail_msg("no edge from first to second");
}

/* By what the rows write and read: nothing is written, all is read, less is read than edges bring. */
static void a_way_follows_from_what_rows_write_and_read(void **state)
{
    static const struct {
        const char *what;
        uint64_t written, read;
        roof_executor by;
        bool has_pools;
        network_way way;
    } rows[] = {
        {"nothing is written", 0, 100, ROOF_BY_ACCELERATOR, false, NETWORK_WAY_ON_CHIP},
        {"nothing is read", 100, 0, ROOF_BY_ACCELERATOR, false, NETWORK_WAY_ON_CHIP},
        {"all is written and read", 8192, 8192, ROOF_BY_ACCELERATOR, false, NETWORK_WAY_EXTERNAL},
        {"the host reads it", ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_BY_HOST, false, NETWORK_WAY_EXTERNAL},
        {"it is unknown", ROOF_UNKNOWN, 8192, ROOF_BY_ACCELERATOR, false, NETWORK_WAY_UNKNOWN},
        {"there are several memories", 8192, 8192, ROOF_BY_ACCELERATOR, true, NETWORK_WAY_UNKNOWN},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        drawn_network d = drawn_of(two_convs);
        roof_layer_prediction *layers = d.prediction->layers;
        const uint32_t from = row_named(&d.view, "first"), to = row_named(&d.view, "second");
        network_view v;
        layers[from].deployed.traffic.output_bytes = rows[i].written;
        layers[to].deployed.traffic.input_bytes = rows[i].read;
        layers[to].executor = rows[i].by;
        d.prediction->hardware.has_pools = rows[i].has_pools;
        network_view_make(
            &(network_source){.graph = d.net.graph, .prediction = d.prediction, .rows = &d.rows}, d.arena,
            &v);
        for (uint32_t e = 0; e < v.n_edges; e++)
            if (v.edges[e].from == from && v.edges[e].to == to && v.edges[e].way != rows[i].way)
                fail_msg("%s: got %d, want %d", rows[i].what, v.edges[e].way, rows[i].way);
        drawn_close(&d);
    }
}

static void a_time_that_is_not_known_is_none(void **state)
{
    drawn_network d = drawn_of("input x float 1,8,16,16\nweights w float 8,8,1,1\nConv x,w -> a name=conv\n"
                               "Erf a -> b name=odd\noutput b\n");
    const network_row *odd = &d.view.rows[row_named(&d.view, "odd")];
    (void)state;
    assert_true(isnan(odd->time_s) && isnan(odd->time_ratio));
    assert_int_equal(odd->alive_bytes, ROOF_UNKNOWN);
    drawn_close(&d);
}

/* A prediction that names no operators is one of rows alone. */
static void without_operators_it_says_why_nothing_is_drawn(void **state)
{
    drawn_network d = drawn_of(two_convs);
    network_view v;
    (void)state;
    for (uint32_t i = 0; i < d.prediction->n_layers; i++)
        d.prediction->layers[i].n_nodes = 0;
    network_view_make(&(network_source){.graph = d.net.graph, .prediction = d.prediction, .rows = &d.rows},
                      d.arena, &v);
    assert_non_null(v.why_not);
    assert_non_null(strstr(v.why_not, "does not say which operators"));
    drawn_close(&d);
}

/* Several heads read one map: the tensor is on each edge, and the sum of edges with the same ends on one. */
static void several_tensors_between_two_rows_are_one_edge(void **state)
{
    drawn_network d = drawn_of("input x float 1,8,16,16\nweights w float 8,8,1,1\n"
                               "Conv x,w -> a name=conv\nErf a -> b name=odd\n"
                               "Add a,b -> c name=sum\noutput c\n");
    const uint32_t conv = row_named(&d.view, "conv");
    uint32_t n = 0;
    (void)state;
    drawn_check(&d);
    for (uint32_t i = 0; i < d.view.n_edges; i++)
        n += d.view.edges[i].from == conv;
    assert_int_equal(n, 2);
    drawn_close(&d);
}

/* Rows of a baseline beside these: the same, another, none. */
static void a_baseline_marks_what_changed(void **state)
{
    drawn_network d = drawn_of(two_convs);
    const uint32_t first = row_named(&d.view, "first"), second = row_named(&d.view, "second");
    roof_compared layers[] = {{.name = "first", .a_row = 0, .b_row = first, .a_s = 2, .is_shown = true},
                              {.name = "gone", .a_row = 1, .b_row = ROOF_NONE},
                              {.name = "second", .a_row = ROOF_NONE, .b_row = second}};
    const roof_compared_run run = {.layers = layers, .n_layers = COUNT(layers)};
    network_view v;
    (void)state;
    assert_int_equal(d.view.rows[first].change, NETWORK_NOT_COMPARED);
    const network_source source = {
        .graph = d.net.graph, .prediction = d.prediction, .rows = &d.rows, .changes = &run};
    network_view_make(&source, d.arena, &v);
    assert_int_equal(v.rows[first].change, NETWORK_CHANGED);
    assert_true(v.rows[first].before_s == 2);
    assert_int_equal(v.rows[second].change, NETWORK_ONLY_HERE);
    assert_true(isnan(v.rows[second].before_s));
    assert_string_equal(v.only_before, "gone");
    layers[0].is_shown = false;
    network_view_make(&source, d.arena, &v);
    assert_int_equal(v.rows[first].change, NETWORK_AS_BEFORE);
    drawn_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_operator_is_drawn_at_its_row_or_at_the_one_that_reads_it),
        cmocka_unit_test(an_edge_has_the_bytes_of_its_tensor),
        cmocka_unit_test(a_way_follows_from_what_rows_write_and_read),
        cmocka_unit_test(a_time_that_is_not_known_is_none),
        cmocka_unit_test(without_operators_it_says_why_nothing_is_drawn),
        cmocka_unit_test(a_baseline_marks_what_changed),
        cmocka_unit_test(several_tensors_between_two_rows_are_one_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
