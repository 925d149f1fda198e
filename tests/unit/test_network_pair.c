/* Two networks in line: every row of both is there once, what belongs together is one row, and edges stay on
 * their side. */
#include "reports/graph/network_drawing.h"
#include "tests/support/drawn_network.h"

/* Rows of both: first and last, of which the older one has another between, and the newer one behind. */
static const char older[] = "input x float 1,16,16,16\n"
                            "weights w float 16,16,3,3;weights u float 32,16,1,1\n"
                            "Conv x,w -> a pads=[1,1,1,1] name=first\n"
                            "Erf a -> b name=gone\n"
                            "Conv b,u -> d name=last\n"
                            "Relu d -> e name=relu\n"
                            "output e\n";
static const char newer[] = "input x float 1,16,16,16\n"
                            "weights w float 16,16,3,3;weights u float 32,16,1,1\n"
                            "Conv x,w -> a pads=[1,1,1,1] name=first\n"
                            "Conv a,u -> d name=last\n"
                            "Relu d -> e name=relu\n"
                            "Softmax e -> f name=new\n"
                            "output f\n";

typedef struct drawn_pair {
    drawn_network before, after;
    roof_model_diff *diff;
    network_view view;
} drawn_pair;

static drawn_pair pair_of(const char *before, const char *after)
{
    drawn_pair p = {.before = drawn_of(before), .after = drawn_of(after)};
    roof_hw *hw = fx_hw("kv260");
    roof_error err = {0};
    if (roof_model_diff_find(
            &(roof_model_diff_request){p.before.net.graph, p.after.net.graph, "x/old.onnx", "new.onnx", hw},
            &p.diff, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_hw_free(hw);
    network_pair_make(&(network_pair){&p.before.view, &p.after.view, p.diff}, p.after.arena, &p.view);
    assert_int_equal(arena_status(p.after.arena, NULL), ROOF_OK);
    return p;
}

static void close_pair(drawn_pair *p)
{
    roof_model_diff_free(p->diff);
    drawn_close(&p->before);
    drawn_close(&p->after);
}

static double sum_of(const network_row *rows, uint32_t n)
{
    double sum_s = 0;
    for (uint32_t r = 0; r < n; r++)
        sum_s += isnan(rows[r].time_s) ? 0 : rows[r].time_s;
    return sum_s;
}

/* What holds of every pair. */
static void check_pair(const drawn_pair *p)
{
    const network_view *v = &p->view, *sides[] = {&p->after.view, &p->before.view};
    uint32_t n_there = 0, n_ops[NETWORK_SIDES] = {0};
    for (uint32_t r = 0; r < v->n_rows; r++) {
        n_there += v->rows[r].is_there;
        assert_true(v->rows[r].is_there || v->before[r].is_there);
        assert_int_equal(v->rows[r].first_op, v->before[r].first_op);
    }
    assert_int_equal(n_there, p->after.view.n_rows);
    for (uint32_t i = 0; i < v->n_ops; i++)
        for (int k = 0; k < NETWORK_SIDES; k++)
            n_ops[k] += v->ops[i].is_on[k];
    for (int k = 0; k < NETWORK_SIDES; k++) {
        const network_row *rows = network_rows_of(v, (network_side)k);
        const double wanted_s = sum_of(sides[k]->rows, sides[k]->n_rows);
        assert_true(fabs(sum_of(rows, v->n_rows) - wanted_s) <= 1e-12 * wanted_s);
        assert_int_equal(n_ops[k], sides[k]->n_ops);
    }
    for (uint32_t i = 0; i < v->n_edges; i++) {
        const network_edge *e = &v->edges[i];
        assert_true(e->from != e->to && e->from < v->n_rows && e->to < v->n_rows);
        assert_true(network_rows_of(v, e->side)[e->from].is_there &&
                    network_rows_of(v, e->side)[e->to].is_there);
    }
    for (uint32_t i = 0; i < v->n_op_edges; i++)
        assert_true(v->ops[v->op_edges[i].from].is_on[v->op_edges[i].side] &&
                    v->ops[v->op_edges[i].to].is_on[v->op_edges[i].side]);
}

static void rows_that_belong_together_are_in_line(void **state)
{
    static const struct {
        const char *before, *after; /* NULL: it is not there */
    } wanted[] = {{"first", "first"}, {"gone", NULL}, {"last", "last"}, {NULL, "new"}};
    drawn_pair p = pair_of(older, newer);
    const network_view *v = &p.view;
    (void)state;
    check_pair(&p);
    assert_null(v->why_not);
    assert_string_equal(v->titles[NETWORK_BEFORE], "old.onnx");
    assert_int_equal(v->n_rows, COUNT(wanted));
    for (uint32_t r = 0; r < v->n_rows; r++) {
        assert_int_equal(v->before[r].is_there, wanted[r].before != NULL);
        assert_int_equal(v->rows[r].is_there, wanted[r].after != NULL);
        if (wanted[r].before)
            assert_string_equal(v->before[r].name, wanted[r].before);
        if (wanted[r].after)
            assert_string_equal(v->rows[r].name, wanted[r].after);
        if (!wanted[r].before || !wanted[r].after)
            assert_int_equal(v->rows[r].change, NETWORK_ONLY_HERE);
        else /* what is beside them is another one */
            assert_int_equal(v->rows[r].change,
                             v->rows[r].change_words ? NETWORK_CHANGED : NETWORK_AS_BEFORE);
    }
    close_pair(&p);
}

static void edges_of_each_side_are_its_own(void **state)
{
    drawn_pair p = pair_of(older, newer);
    uint32_t n[NETWORK_SIDES] = {0};
    (void)state;
    for (uint32_t i = 0; i < p.view.n_edges; i++) {
        const network_edge *e = &p.view.edges[i];
        n[e->side]++;
        if (e->side == NETWORK_HERE && e->from == 0)
            assert_int_equal(e->to, 2); /* past what is gone */
        if (e->side == NETWORK_BEFORE && e->from == 0)
            assert_int_equal(e->to, 1);
    }
    assert_int_equal(n[NETWORK_BEFORE], 2);
    assert_int_equal(n[NETWORK_HERE], 2);
    close_pair(&p);
}

static void a_network_beside_itself_has_no_changes(void **state)
{
    drawn_pair p = pair_of(older, older);
    (void)state;
    check_pair(&p);
    assert_int_equal(p.view.n_rows, p.after.view.n_rows);
    for (uint32_t r = 0; r < p.view.n_rows; r++) {
        assert_int_equal(p.view.rows[r].change, NETWORK_AS_BEFORE);
        assert_null(p.view.rows[r].change_words);
    }
    assert_int_equal(p.view.n_ops, p.after.view.n_ops); /* of one name, so one box each */
    close_pair(&p);
}

/* Networks of any layers: what holds of each pair, and layers of both folded and laid out. */
static void any_two_networks_are_drawn_whole(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        char texts[2][4096];
        uint32_t random = seed * 2654435761U;
        for (int k = 0; k < 2; k++) {
            int at =
                snprintf(texts[k], sizeof texts[k],
                         "input x0 float 1,16,16,16\nweights w float 16,16,3,3;weights v float 16,16,1,1\n");
            int n = 2 + (int)(random % 7), last = 0;
            for (int i = 1; i <= n; i++) {
                random = random * 1664525U + 1013904223U;
                const int from = random >> 28 & 3 ? last : (int)(random >> 20) % i;
                static const char *const lines[] = {
                    "Conv x%d,w -> x%d pads=[1,1,1,1] name=n%d\n", "Conv x%d,v -> x%d name=n%d\n",
                    "Relu x%d -> x%d name=n%d\n", "Erf x%d -> x%d name=n%d\n"};
                at += snprintf(texts[k] + at, sizeof texts[k] - (size_t)at, lines[random >> 12 & 3], from, i,
                               i);
                last = i;
            }
            snprintf(texts[k] + at, sizeof texts[k] - (size_t)at, "output x%d\n", last);
        }
        drawn_pair p = pair_of(texts[0], texts[1]);
        if (p.view.why_not || p.after.view.why_not) {
            close_pair(&p);
            continue;
        }
        check_pair(&p);
        drawn_network both = {.net = p.after.net, .view = p.view};
        network_fold_make(&p.view, p.after.arena, &both.fold);
        network_levels_make(&p.view, &both.fold, p.after.arena, &both.levels);
        drawn_check_edges(&both);
        for (uint32_t l = 0; l < both.levels.n; l++) {
            network_places places;
            network_place_plainly(&both.levels.items[l], p.after.arena, &places);
            assert_int_equal(places.n_boxes, both.levels.items[l].n_children);
        }
        close_pair(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_belong_together_are_in_line),
        cmocka_unit_test(edges_of_each_side_are_its_own),
        cmocka_unit_test(a_network_beside_itself_has_no_changes),
        cmocka_unit_test(any_two_networks_are_drawn_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
