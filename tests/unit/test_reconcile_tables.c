/* Times of whole inferences: which of them meet a deadline by what is known of them, and bars that stand one
 * behind the other. */
#include "core/quantity.h"
#include "reports/tables/reconcile/reconcile_tables.h"
#include "tests/unit/fixture.h"

#include <math.h>

#define UNKNOWN_TIMES                                                                                        \
    .mean_s = NAN, .std_s = NAN, .min_s = NAN, .max_s = NAN, .median_s = NAN, .p95_s = NAN, .p99_s = NAN,    \
    .cov_ratio = NAN

static const char *said(roof_arena *arena, const roof_times *times, double deadline_s)
{
    roof_run run = {.mode = ROOF_RUN_BYPASS, .total = *times};
    roof_reconciled e = {.model = "net", .bypass = &run};
    const roof_reconciliation r = {.experiments = &e, .n_experiments = 1};
    remarks lines = {.arena = arena};
    reconcile_view_deadline(&r, deadline_s, &lines);
    assert_int_equal(lines.n, 1);
    return lines.items[0].text;
}

static void what_meets_a_deadline_is_counted_else_bounded_else_estimated(void **state)
{
    static const double samples[] = {0.004, 0.002, 0.006, 0.002};
    static const roof_times sampled = {.samples_s = samples, .count = 4, .max_s = 0.006, .mean_s = 0.0035},
                            percentiles = {.count = 110,
                                           .mean_s = 0.005,
                                           .min_s = 0.004,
                                           .median_s = 0.005,
                                           .p95_s = 0.007,
                                           .p99_s = 0.009,
                                           .max_s = 0.02};
    roof_times both = percentiles, few = {UNKNOWN_TIMES}, uncounted = few, normal = few, mean = few;
    both.median_s = both.p99_s = both.max_s = NAN;
    both.std_s = 0.001;
    both.p95_s = 0.006;
    few.count = 10;
    few.mean_s = few.p99_s = 0.009;
    uncounted.count = normal.count = mean.count = ROOF_UNKNOWN;
    uncounted.mean_s = uncounted.p95_s = 0.007;
    normal.mean_s = mean.mean_s = 0.01;
    normal.std_s = 0.002;
    const struct {
        const roof_times *times;
        double deadline_s;
        const char *want;
    } rows[] = {
        {&sampled, 0.004, "3 of 4 samples meet it; the slowest takes 6 ms"},
        {&percentiles, 0.0199, "about 99 % or more (P99) meet it, a bound by percentiles"},
        {&percentiles, 0.007,
         "about 95 % or more (P95), about 99 % or fewer (P99) meet it, a bound by percentiles"},
        {&percentiles, 0.0049, "about 50 % or fewer (P50) meet it, a bound by percentiles"},
        {&percentiles, 0.02, "all meet it: the slowest takes 20 ms"},
        {&percentiles, 0.0039, "none meets it: the fastest takes 4 ms"},
        {&both, 0.0055,
         "about 95 % or fewer (P95) meet it, a bound by percentiles; about 69 % by mean and deviation, an "
         "estimate"},
        {&few, 0.009, "about 99 % or more (P99) meet it, a bound by percentiles"},
        {&uncounted, 0.008, "about 95 % or more (P95) meet it, a bound by percentiles"},
        {&uncounted, 0.006, "about 95 % or fewer (P95) meet it, a bound by percentiles"},
        {&normal, 0.012,
         "about 84.1 % meet it: an estimate by mean and deviation, as if times were normally distributed"},
        {&mean, 0.012, "the mean of 10 ms meets it; how many inferences do is unknown"},
        {&mean, 0.008, "the mean of 10 ms misses it; how many inferences do is unknown"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char want[300], deadline[40];
        roof_arena *arena = arena_new(0);
        quantity_format(deadline, sizeof deadline, rows[i].deadline_s, "s");
        snprintf(want, sizeof want, "%s for net: %s", deadline, rows[i].want);
        assert_string_equal(said(arena, rows[i].times, rows[i].deadline_s), want);
        arena_free(arena);
    }
}

/* A bar begins where the one before it ends; what is more than the whole goes back. */
static void bars_stand_one_behind_the_other(void **state)
{
    const roof_attribution a = {
        .of = "one inference of the whole network",
        .total_s = 0.012,
        .unattributed_s = -0.003,
        .parts = {{.name = "ideal", .seconds = 0.006}, {.name = "gap", .seconds = 0.009}},
        .n_parts = 2};
    static const char want[] = "deployed       time share\n"
                               "               [ms]   [%]\n"
                               "ideal         6.000  50.0 ###################\n"
                               "gap           9.000  75.0                    #############################\n"
                               "unattributed -3.000 -25.0                                       ##########\n"
                               "total        12.000 100.0\n";
    roof_arena *arena = arena_new(0);
    cell_grid grid;
    textbuf out;
    (void)state;
    text_init(&out, 4000);
    reconcile_view_waterfall(&a, "deployed", true, &grid, arena);
    grid_put(&grid, &(text_writer){.out = &out, .width = 100, .is_ascii = true});
    assert_string_equal(out.bytes, want);
    const roof_attribution below = {.of = "one inference of the whole network",
                                    .total_s = 0.001,
                                    .unattributed_s = 1e9,
                                    .parts = {{.name = "gap", .seconds = -1e9}},
                                    .n_parts = 1};
    reconcile_view_waterfall(&below, "deployed", true, &grid, arena);
    assert_string_equal(grid.rows[0][3].text, "|");
    reconcile_view_waterfall(&(roof_attribution){.total_s = NAN}, "deployed", true, &grid, arena);
    assert_int_equal(grid.n_rows, 0);
    text_free(&out);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_meets_a_deadline_is_counted_else_bounded_else_estimated),
        cmocka_unit_test(bars_stand_one_behind_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
