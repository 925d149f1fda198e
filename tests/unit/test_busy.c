/* What is made of cycles in which units of an accelerator worked: ratios, what binds a layer, sums by
 * kind. */
#include "tests/unit/busy_fixture.h"

static void the_busiest_kind_binds_if_it_works_for_most_of_the_time(void **state)
{
    static const struct {
        const char *row;
        roof_busy_bound bound;
        double ratios[2];
    } rows[] = {
        {"a CONV 1000 conv=300 load=900", ROOF_BUSY_MEMORY, {0.3, 0.9}},
        {"a CONV 1000 conv=950 load=900", ROOF_BUSY_COMPUTE, {0.95, 0.9}},
        {"a CONV 1000 vector=600 dma_store=0", ROOF_BUSY_COMPUTE, {0.6, 0}},
        {"a CONV 1000 conv=599 load=599", ROOF_BUSY_NEITHER, {0.599, 0.599}},
        {"a CONV 1000 conv=999 vector=1", ROOF_BUSY_UNKNOWN, {0.999, 0.001}},
        {"a CONV 0 conv=0 load=0", ROOF_BUSY_UNKNOWN, {NAN, NAN}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        pf_result p = bf_reconcile(rows[i].row);
        const roof_reconciled *e = &p.r->experiments[0];
        assert_non_null(e->busy);
        assert_int_equal(e->busy->n, 2);
        roof_busy_ratios busy = roof_match_busy(e, &e->matches[0]);
        for (size_t k = 0; k < 2; k++)
            if (!(isnan(rows[i].ratios[k]) ? isnan(busy.ratios[k])
                                           : fabs(busy.ratios[k] - rows[i].ratios[k]) < 1e-12))
                fail_msg("row %zu: unit %zu is %g", i, k, busy.ratios[k]);
        if (busy.bound != rows[i].bound)
            fail_msg("row %zu: bound %d", i, (int)busy.bound);
        pf_free(&p);
    }
}

static void times_by_what_binds_add_up(void **state)
{
    pf_result p = bf_reconcile("a CONV 6000 conv=1000 load=5400; b CONV 2000 conv=1900 load=100; c ADD 1500 "
                               "conv=0 load=300; d CPU =500");
    const roof_reconciled *e = &p.r->experiments[0];
    const roof_busy *busy = e->busy;
    char text[ROOF_SENTENCE_SIZE];
    (void)state;
    assert_true(fabs(busy->total_s - 0.01) < 1e-12);
    assert_true(fabs(busy->whole.bound_s[ROOF_BUSY_MEMORY] - 0.006) < 1e-12);
    assert_true(fabs(busy->whole.bound_s[ROOF_BUSY_COMPUTE] - 0.002) < 1e-12);
    assert_true(fabs(busy->whole.bound_s[ROOF_BUSY_NEITHER] - 0.0015) < 1e-12);
    assert_true(fabs(busy->whole.bound_s[ROOF_BUSY_UNKNOWN] - 0.0005) < 1e-12);
    assert_true(fabs(busy->whole.busy.ratios[1] - 5800.0 / 9500) < 1e-12); /* of rows that say so */
    assert_string_equal(e->types[0].type, "CONV");
    assert_true(fabs(busy->types[0].busy.ratios[0] - 2900.0 / 8000) < 1e-12);
    assert_string_equal(
        roof_sentence(p.r, ROOF_SENTENCE_BELOW, 0, text),
        "60 % of the time is in layers bound by memory, 20 % in layers bound by computing, 15 % in "
        "layers where neither is busy for most of the time, 5 % in layers of which it is unknown.");
    pf_free(&p);
}

/* As Nsight Compute has them of single metrics: rows count by their times then, also those with cycles. */
static void shares_without_cycles_tell_what_binds(void **state)
{
    pf_result p = bf_reconcile(
        "a k =900 sm=12.5% memory=92%; b k =100 sm=81% memory=20%; c k =500 sm=40% memory=59.9%; "
        "d k 500 sm=400 memory=100");
    const roof_reconciled *e = &p.r->experiments[0];
    static const roof_busy_bound bounds[] = {ROOF_BUSY_MEMORY, ROOF_BUSY_COMPUTE, ROOF_BUSY_NEITHER,
                                             ROOF_BUSY_COMPUTE};
    (void)state;
    for (uint32_t i = 0; i < COUNT(bounds); i++)
        assert_int_equal(roof_match_busy(e, &e->matches[i]).bound, bounds[i]);
    assert_true(fabs(roof_match_busy(e, &e->matches[0]).ratios[1] - 0.92) < 1e-9);
    assert_true(fabs(e->busy->whole.busy.ratios[0] -
                     (0.125 * 900 + 0.81 * 100 + 0.4 * 500 + 0.8 * 500) / 2000) < 1e-9);
    assert_true(fabs(e->busy->whole.bound_s[ROOF_BUSY_MEMORY] - 900e-6) < 1e-12);
    pf_free(&p);
}

/* Ratios are known then, but not what binds. */
static void of_units_of_one_kind_nothing_is_said(void **state)
{
    pf_result p = bf_reconcile("a CONV 1000 conv=250");
    const roof_busy *busy = p.r->experiments[0].busy;
    char text[ROOF_SENTENCE_SIZE];
    (void)state;
    assert_true(fabs(busy->whole.busy.ratios[0] - 0.25) < 1e-12);
    assert_int_equal(busy->whole.busy.bound, ROOF_BUSY_UNKNOWN);
    const char *said = roof_sentence(p.r, ROOF_SENTENCE_VERDICT, 1, text);
    assert_true(!said || !strstr(said, "bound by"));
    pf_free(&p);
}

static void without_such_counters_nothing_is_said(void **state)
{
    pf_result p = bf_reconcile("a CONV 10");
    const roof_reconciled *e = &p.r->experiments[0];
    (void)state;
    assert_null(e->busy);
    assert_true(isnan(roof_match_busy(e, &e->matches[0]).ratios[0]));
    pf_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_busiest_kind_binds_if_it_works_for_most_of_the_time),
        cmocka_unit_test(times_by_what_binds_add_up),
        cmocka_unit_test(shares_without_cycles_tell_what_binds),
        cmocka_unit_test(of_units_of_one_kind_nothing_is_said),
        cmocka_unit_test(without_such_counters_nothing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
