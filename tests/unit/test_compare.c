/* Which rows of two runs are one, which test they get, and what is said of them. The figures are worked by
 * hand. */
#include "roofline/compare.h"
#include "tests/unit/profile_fixture.h"

#include <math.h>

#define DOCUMENT(runs)                                                                                       \
    "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"runs\":[" runs     \
    "]}]}"
#define PER_LAYER(layers)  DOCUMENT("{\"mode\":\"per_layer\",\"layers\":[" layers "]}")
#define ROW(name, members) "{\"name\":\"" name "\"," members "}"
#define ONE(members)       PER_LAYER(ROW("a", members))

typedef struct both {
    roof_measured *m[2];
    roof_reconciliation *r[2];
    roof_comparison *c;
    roof_status status;
    roof_error err;
} both;

static both compare(const char *a, const char *b)
{
    both x = {.m = {pf_read(a), pf_read(b)}};
    for (int i = 0; i < 2; i++)
        if (roof_reconcile(x.m[i], NULL, NULL, &x.r[i], &x.err) != ROOF_OK)
            fail_msg("%s", fx_message(&x.err));
    x.status = roof_compare(&(roof_compare_side){.name = "a", .measured = x.r[0]},
                            &(roof_compare_side){.name = "b", .measured = x.r[1]}, &x.c, &x.err);
    return x;
}

static void forget(both *x)
{
    roof_comparison_free(x->c);
    for (int i = 0; i < 2; i++) {
        roof_reconciliation_free(x->r[i]);
        roof_measured_free(x->m[i]);
    }
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-6 * fabs(b);
}

static void each_row_gets_the_test_that_its_figures_allow(void **state)
{
    static const struct {
        const char *a, *b;
        roof_compare_test test;
        double difference_s, low_s, high_s, p;
        bool is_shown;
    } rows[] = {
        {"\"samples_s\":[0.010,0.011,0.012,0.013,0.014]", "\"samples_s\":[0.020,0.021,0.022,0.023,0.024]",
         ROOF_TEST_RANKS, 0.01, 0.007, 0.013, 2.0 / 252, true},
        {"\"samples_s\":[0.010,0.011,0.012]", "\"samples_s\":[0.020,0.021,0.022]", ROOF_TEST_RANKS, 0.01, NAN,
         NAN, 0.1, false},
        {"\"samples_s\":[0.010]", "\"samples_s\":[0.020]", ROOF_TEST_RANKS, 0.01, NAN, NAN, 1, false},
        {"\"samples_s\":[0.010,0.010]", "\"samples_s\":[0.010,0.010]", ROOF_TEST_RANKS, 0, NAN, NAN, 1,
         false},
        /* t = 0.001 / sqrt(2 * 0.001^2 / 10) = 2.2360680 with 18 degrees: Simpson's rule over its density
         * gives 0.0382496145, tables 2.100922 */
        {"\"mean_s\":0.010,\"std_s\":0.001,\"count\":10", "\"mean_s\":0.011,\"std_s\":0.001,\"count\":10",
         ROOF_TEST_WELCH, 0.001, 6.0439100e-05, 0.0019395609, 0.0382496145, true},
        {"\"mean_s\":0.010,\"count\":10", "\"mean_s\":0.011,\"std_s\":0.001,\"count\":10", ROOF_TEST_NONE,
         0.001, NAN, NAN, NAN, false},
        {"\"mean_s\":0.010,\"std_s\":0,\"count\":10", "\"mean_s\":0.011,\"std_s\":0,\"count\":10",
         ROOF_TEST_NONE, 0.001, NAN, NAN, NAN, false},
        {"\"mean_s\":0.010", "\"type\":\"conv\"", ROOF_TEST_NONE, NAN, NAN, NAN, NAN, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char a[400], b[400];
        snprintf(a, sizeof a, ONE("%s"), rows[i].a);
        snprintf(b, sizeof b, ONE("%s"), rows[i].b);
        both x = compare(a, b);
        const roof_compared *l = &x.c->runs[0].layers[0];
        if (l->test != rows[i].test || !same(l->difference_s, rows[i].difference_s) ||
            !same(l->p, rows[i].p) || !same(l->difference_ci95_s[0], rows[i].low_s) ||
            !same(l->difference_ci95_s[1], rows[i].high_s) || l->is_shown != rows[i].is_shown)
            fail_msg("row %zu: test %d, %.9g in [%.9g, %.9g], p %.9g, shown %d", i, (int)l->test,
                     l->difference_s, l->difference_ci95_s[0], l->difference_ci95_s[1], l->p, l->is_shown);
        forget(&x);
    }
}

#define T "\"mean_s\":0.001"
/* Each case: the rows of A and B, and how each row of the result was paired. */
static void rows_find_each_other_by_name_then_plain_name(void **state)
{
    static const char *const words[] = {"-", "name", "plain_name"};
    static const struct {
        const char *what, *a, *b, *pairings;
    } rows[] = {
        {"by name, in another order", ROW("a", T) "," ROW("b", T), ROW("b", T) "," ROW("a", T), "name name"},
        {"equal names in their order", ROW("a", T) "," ROW("a", T) "," ROW("a", T),
         ROW("a", T) "," ROW("a", T), "name name -"},
        {"but for case and what compilers add", ROW("Conv1", T), ROW("subgraph_conv1_fix", T), "plain_name"},
        {"by name before all others", ROW("A", T) "," ROW("a", T), ROW("a", T) "," ROW("A", T), "name name"},
        {"without names by index", "{\"index\":2," T "}", "{\"index\":1," T "},{\"index\":2," T "}",
         "name -"},
        {"not by place", ROW("a", T ",\"index\":1"), ROW("b", T ",\"index\":1"), "- -"},
        {"none alike", ROW("a", T), ROW("b", T), "- -"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char a[600], b[600], got[100] = "";
        snprintf(a, sizeof a, PER_LAYER("%s"), rows[i].a);
        snprintf(b, sizeof b, PER_LAYER("%s"), rows[i].b);
        both x = compare(a, b);
        for (uint32_t k = 0; k < x.c->runs[0].n_layers; k++) {
            const char *word = words[x.c->runs[0].layers[k].pairing];
            snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", k ? " " : "", word);
        }
        if (strcmp(got, rows[i].pairings) != 0)
            fail_msg("%s: %s, want %s", rows[i].what, got, rows[i].pairings);
        forget(&x);
    }
}

/* The sums of two rows are 3 4 5 and 5 6 7 ms: two of three samples are apart. */
static void a_total_that_nobody_states_is_the_sum_of_each_inference(void **state)
{
    both x = compare(PER_LAYER(ROW("a", "\"samples_s\":[0.001,0.002,0.003]") "," ROW(
                         "b", "\"samples_s\":[0.002,0.002,0.002]")),
                     PER_LAYER(ROW("a", "\"samples_s\":[0.003,0.004,0.005]") "," ROW(
                         "b", "\"samples_s\":[0.002,0.002,0.002]")));
    const roof_compared_run *run = &x.c->runs[0];
    (void)state;
    assert_true(run->is_sum && run->total.test == ROOF_TEST_RANKS);
    assert_true(same(run->total.a_s, 0.004) && same(run->total.b_s, 0.006) &&
                same(run->total.difference_s, 0.002));
    assert_true(same(run->geometric_mean, sqrt(run->layers[0].ratio * 1)) && run->layers[0].ratio > 1);
    forget(&x);
    x = compare(PER_LAYER(ROW("a", T) "," ROW("b", T ",\"executions\":3")),
                PER_LAYER(ROW("a", T) "," ROW("b", T)));
    assert_true(same(x.c->runs[0].total.a_s, 0.004) && same(x.c->runs[0].total.b_s, 0.002));
    assert_true(x.c->runs[0].total.test == ROOF_TEST_NONE && !x.c->runs[0].total.is_shown);
    forget(&x);
}

/* n samples of so many ms: first, first + step, ... in an order that tells nothing of a drift. */
static const char *spread(char *out, size_t size, unsigned n, double first_ms, double step_ms)
{
    size_t length = (size_t)snprintf(out, size, "\"samples_s\":[");
    for (unsigned i = 0; i < n; i++)
        length += (size_t)snprintf(out + length, size - length, "%s%.9g", i ? "," : "",
                                   1e-3 * (first_ms + step_ms * (double)(i * 37 % n)));
    snprintf(out + length, size - length, "]");
    return out;
}

static both compare_spreads(const char *a, const char *b)
{
    static char x[8000], y[8000];
    snprintf(x, sizeof x, DOCUMENT("{\"mode\":\"bypass\",\"total\":{%s}}"), a);
    snprintf(y, sizeof y, DOCUMENT("{\"mode\":\"bypass\",\"total\":{%s}}"), b);
    return compare(x, y);
}

/* Of 1 to 100 the quantile 0.95 is 95.05. P(Bin(100, 0.05) <= 0) = 0.0059 and <= 1 = 0.0371, so that the
 * largest one alone bounds it from above at 97.5 %; P(>= 11) = 0.0115 and >= 10 = 0.0282, so that the 11th
 * largest bounds it from below. */
static void three_looks_have_the_figures_of_their_definitions(void **state)
{
    char a[4000], b[4000];
    both x = compare_spreads(spread(a, sizeof a, 100, 1, 1), spread(b, sizeof b, 100, 2, 2));
    const roof_compared *t = &x.c->runs[0].total;
    double half = 1.9719565 * sqrt(2 * 841.666667 / 100 /
                                   (50.5 * 50.5)); /* 2.5 % of t with 198 degrees at one side, about */
    (void)state;
    assert_true(same(t->tail_quantile, 0.95) && same(t->tail.a_s, 0.09505) && same(t->tail.ratio, 2));
    assert_true(same(t->tail.ratio_ci95[1], 2 * exp(hypot(log(100 / 95.05), log(95.05 / 90)))));
    assert_true(same(t->tail.ratio_ci95[0], 2 * exp(-hypot(log(100 / 95.05), log(95.05 / 90)))));
    assert_true(same(t->mean.ratio, 2) && fabs(log(t->mean.ratio_ci95[1] / 2) / half - 1) < 0.01);
    assert_true(same(t->ratio, exp(log(t->ratio))) && t->is_typical_shown && t->mean.is_shown &&
                t->tail.is_shown);
    forget(&x);
}

static void what_samples_cannot_tell_is_undecided(void **state)
{
    char a[8000], b[8000];
    static const struct {
        unsigned n, m;
        double first_ms, step_ms, factor;
        roof_held is;
        roof_undecided_reason why;
        uint64_t samples;
    } rows[] = {
        {3, 3, 100, 0.01, 1.05, ROOF_HELD_NOT_KNOWN, ROOF_UNDECIDED_FEW, 30},
        {29, 29, 10.001, 0.01, 1.05, ROOF_HELD_NOT_KNOWN, ROOF_UNDECIDED_FEW, 30},
        {30, 30, 10.001, 0.01, 1.05, ROOF_HELD_KEPT, ROOF_UNDECIDED_NOT, 0},
        {100, 100, 10.601, 0.001, 1.05, ROOF_HELD_BROKEN, ROOF_UNDECIDED_NOT, 0},
        {100, 100, 10.601, 0.001, 1.1, ROOF_HELD_KEPT, ROOF_UNDECIDED_NOT, 0},
        {100, 100, 10.001, 0.001, 1, ROOF_HELD_KEPT, ROOF_UNDECIDED_NOT, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        both x = compare_spreads(spread(a, sizeof a, rows[i].n, 10, rows[i].step_ms),
                                 spread(b, sizeof b, rows[i].m, rows[i].first_ms, rows[i].step_ms));
        roof_decided d = roof_compared_decide(&x.c->runs[0].total, rows[i].factor);
        if (d.is != rows[i].is || d.why != rows[i].why || d.samples != rows[i].samples)
            fail_msg("row %zu: decided %d, why %d, %llu samples", i, (int)d.is, (int)d.why,
                     (unsigned long long)d.samples);
        forget(&x);
    }
}

#define ALONE(members, model, run)                                                                           \
    "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"" model "\"}," members      \
    "\"runs\":[{\"mode\":\"bypass\"," run "\"total\":{\"mean_s\":0.01}}]}]}"
#define ON(board) "\"hardware\":{\"id\":\"" board "\"},"

static void what_two_runs_do_not_have_in_common_is_named(void **state)
{
    static const struct {
        const char *a, *b, *what, *of_a, *of_b;
    } rows[] = {
        {ALONE("", "net", "\"batch\":1,"), ALONE("", "net", ""), NULL, NULL, NULL},
        {ALONE("", "net", "\"batch\":4,"), ALONE("", "net", ""), "batch", "4", "1"},
        {ALONE(ON("kv260"), "net", ""), ALONE(ON("zcu104"), "net", ""), "hardware", "kv260", "zcu104"},
        {ALONE("", "net", ""), ALONE(ON("zcu104"), "net", ""), "hardware", "not stated", "zcu104"},
        {ALONE("", "bert", ""), ALONE("", "resnet", ""), "model", "bert", "resnet"},
        {ALONE("\"stack\":\"vllm\",", "net", ""), ALONE("", "net", ""), "stack", "vllm", "not stated"},
        {ALONE("\"stack_version\":\"1\",", "net", ""), ALONE("\"stack_version\":\"2\",", "net", ""),
         "version of the stack", "1", "2"},
        {ALONE("", "net\",\"weight_type\":\"q4_1", ""), ALONE("", "net\",\"weight_type\":\"bf16", ""),
         "type of weights", "q4_1", "bf16"},
        {ALONE("", "net\",\"cache_type\":\"f16", ""), ALONE("", "net\",\"cache_type\":\"bf16", ""),
         "type of keys and values", "f16", "bf16"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        both x = compare(rows[i].a, rows[i].b);
        const roof_compared_run *run = &x.c->runs[0];
        const roof_unlike *found = NULL;
        for (uint32_t k = 0; k < run->n_unlike; k++)
            if (strcmp(run->unlike[k].a, run->unlike[k].b) == 0) /* neither states its hardware */
                assert_string_equal(run->unlike[k].what, "hardware");
            else
                found = &run->unlike[k];
        assert_int_equal(found != NULL, rows[i].what != NULL);
        if (rows[i].what) {
            assert_string_equal(found->what, rows[i].what);
            assert_string_equal(found->a, rows[i].of_a);
            assert_string_equal(found->b, rows[i].of_b);
        }
        forget(&x);
    }
}

static void what_cannot_be_compared_is_refused(void **state)
{
    static const roof_prediction prediction;
    both x = compare(DOCUMENT("{\"mode\":\"bypass\"}"), DOCUMENT("{\"mode\":\"per_layer\"}"));
    (void)state;
    assert_int_equal(x.status, ROOF_E_DATA);
    assert_non_null(strstr(x.err.what, "no run of the same model in the same mode"));
    assert_int_equal(roof_compare(&(roof_compare_side){.name = "a", .measured = x.r[0]},
                                  &(roof_compare_side){.name = "b", .prediction = &prediction}, &x.c, &x.err),
                     ROOF_E_USAGE);
    forget(&x);
}

/* What both state of the parts of an inference, the largest ratio first. */
static void phases_of_both_are_laid_side_by_side(void **state)
{
    both x =
        compare(DOCUMENT("{\"mode\":\"bypass\",\"total\":{\"mean_s\":0.0425},\"phases\":{\"run_s\":0.0368,"
                         "\"post_s\":0.001,\"old_s\":0.001}}"),
                DOCUMENT("{\"mode\":\"bypass\",\"total\":{\"mean_s\":0.0593},\"phases\":{\"run_s\":0.0506,"
                         "\"post_s\":0.0061,\"new_s\":0.001}}"));
    const roof_compared_run *run = &x.c->runs[0];
    (void)state;
    assert_int_equal(run->n_phases, 2);
    assert_string_equal(run->phases[0].name, "post");
    assert_true(same(run->phases[0].ratio, 6.1) && same(run->phases[1].ratio, 0.0506 / 0.0368));
    forget(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_gets_the_test_that_its_figures_allow),
        cmocka_unit_test(rows_find_each_other_by_name_then_plain_name),
        cmocka_unit_test(a_total_that_nobody_states_is_the_sum_of_each_inference),
        cmocka_unit_test(three_looks_have_the_figures_of_their_definitions),
        cmocka_unit_test(what_samples_cannot_tell_is_undecided),
        cmocka_unit_test(what_two_runs_do_not_have_in_common_is_named),
        cmocka_unit_test(phases_of_both_are_laid_side_by_side),
        cmocka_unit_test(what_cannot_be_compared_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
