/* The rank test and its shift against all ways to choose, and all differences of pairs, counted one by
 * one. */
#include "measure/compare/ranks.h"
#include "tests/property/random.h"
#include "tests/unit/fixture.h"

#include <math.h>
#include <stdint.h>

enum { MOST = 7 };

static double room[RANKS_WORK];
static const rank_noise independent = {1, INFINITY};

static int ascending(const void *a_, const void *b_)
{
    double a = *(const double *)a_, b = *(const double *)b_;
    return (a > b) - (a < b);
}

static sorted_samples sorted(double *values, size_t n)
{
    qsort(values, n, sizeof *values, ascending);
    return (sorted_samples){values, n};
}

/* How often b is above a, ties as a half, out of a choice of places. */
static double u_of(const double *all, size_t n, uint32_t chosen)
{
    double u = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            if ((chosen >> i & 1) && !(chosen >> k & 1))
                u += all[k] > all[i] ? 1 : all[k] < all[i] ? 0 : 0.5;
    return u;
}

static double counted_p(sorted_samples a, sorted_samples b)
{
    double all[2 * MOST], mean = (double)(a.n * b.n) / 2, far = 0, ways = 0;
    memcpy(all, a.at, a.n * sizeof *all);
    memcpy(all + a.n, b.at, b.n * sizeof *all);
    double observed = fabs(u_of(all, a.n + b.n, (1U << a.n) - 1) - mean);
    for (uint32_t chosen = 0; chosen < 1U << (a.n + b.n); chosen++) {
        if ((size_t)__builtin_popcount(chosen) != a.n)
            continue;
        ways++;
        far += fabs(u_of(all, a.n + b.n, chosen) - mean) >= observed - 1e-9;
    }
    return far / ways;
}

static void a_small_test_counts_all_ways_ties_included(void **state)
{
    (void)state;
    random_state = first_seed();
    for (int trial = 0; trial < 60; trial++) {
        double x[MOST], y[MOST];
        size_t n = 1 + next_random() % 6, m = 1 + next_random() % 6;
        uint64_t values = 2 + next_random() % 12; /* few different ones: ties */
        for (size_t i = 0; i < n; i++)
            x[i] = (double)(next_random() % values);
        for (size_t i = 0; i < m; i++)
            y[i] = (double)(next_random() % values);
        sorted_samples a = sorted(x, n), b = sorted(y, m);
        double got = ranks_p(a, b, independent, room), want = counted_p(a, b);
        if (fabs(got - want) > 1e-12 || fabs(got - ranks_p(b, a, independent, room)) > 1e-12)
            fail_msg("trial %d, %zu and %zu: p is %.15g, want %.15g", trial, n, m, got, want);
    }
}

static void the_shift_is_the_median_of_all_differences(void **state)
{
    (void)state;
    random_state = first_seed();
    for (int trial = 0; trial < 200; trial++) {
        double x[40], y[40], differences[1600];
        size_t n = 1 + next_random() % 40, m = 1 + next_random() % 40, pairs = 0;
        uint64_t values = 2 + next_random() % 1000;
        for (size_t i = 0; i < n; i++)
            x[i] = (double)(next_random() % values) / 7;
        for (size_t i = 0; i < m; i++)
            y[i] = (double)(next_random() % values) / 7;
        sorted_samples a = sorted(x, n), b = sorted(y, m);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < m; k++)
                differences[pairs++] = y[k] - x[i];
        qsort(differences, pairs, sizeof *differences, ascending);
        rank_shift got = ranks_shift(a, b, independent, room);
        double want = (differences[(pairs - 1) / 2] + differences[pairs / 2]) / 2;
        if (fabs(got.value - want) > 1e-12 || got.ci95[0] > got.value || got.ci95[1] < got.value)
            fail_msg("trial %d, %zu and %zu: %.15g in [%g, %g], want %.15g", trial, n, m, got.value,
                     got.ci95[0], got.ci95[1], want);
    }
}

/* Of 10 and 10 samples U up to 23 rejects at 5 %, by the tables of Mann and Whitney: so the 24th difference
 * begins the interval, which here is 7. */
static void figures_that_are_published(void **state)
{
    double x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, y[] = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    double many[200], more[200];
    (void)state;
    assert_true(fabs(ranks_p((sorted_samples){x, 3}, (sorted_samples){y, 3}, independent, room) - 0.1) <
                1e-12);
    rank_shift few = ranks_shift((sorted_samples){x, 3}, (sorted_samples){y, 3}, independent, room);
    assert_true(isnan(few.ci95[0]) && isnan(few.ci95[1]));
    rank_shift four = ranks_shift((sorted_samples){x, 4}, (sorted_samples){y, 4}, independent, room);
    assert_true(four.value >= 10 && four.value <= 10 && four.ci95[0] <= 7 && four.ci95[0] >= 7 &&
                four.ci95[1] <= 13);
    rank_shift ten = ranks_shift((sorted_samples){x, 10}, (sorted_samples){y, 10}, independent, room);
    assert_true(ten.ci95[0] <= 7 && ten.ci95[0] >= 7 && ten.ci95[1] <= 13 && ten.ci95[1] >= 13);
    for (int i = 0; i < 200; i++) {
        many[i] = i;
        more[i] = i + 10;
    }
    /* U is 21950, 1950 from its mean; its variance 40000 / 12 (401 - 190 * 6 / (400 * 399)): z = 1949.5 /
     * 1156.1 */
    double p = ranks_p((sorted_samples){many, 200}, (sorted_samples){more, 200}, independent, room);
    assert_true(fabs(p - 0.0917) < 0.0005);
}

/* Ten batches of 4 samples, all above or all below the median: a batch scatters like a sample, 4 times as
 * much as a mean of 4. */
static void parts_of_a_run_that_differ_are_noise(void **state)
{
    double samples[40], pairs[12], sorted_ones[40];
    (void)state;
    for (int i = 0; i < 40; i++) {
        samples[i] = i / 4 % 2 ? 2 : 1;
        sorted_ones[i] = i;
    }
    rank_noise noise = ranks_noise(samples, 40);
    assert_true(fabs(noise.factor - 4 * 10.0 / 9) < 1e-12 && fabs(noise.dof - 9) < 1e-12);
    assert_true(ranks_have_order(samples, 40) && !ranks_have_order(sorted_ones, 40));
    assert_true(fabs(ranks_noise(samples, 9).factor - 1) < 1e-12);
    /* 11 neighbours, 5 of them differ: r = 1 / 12, without its bias (12 r + 1) / 8 = 1 / 4, and 5 / 4 over 3
     * / 4 */
    for (int i = 0; i < 12; i++)
        pairs[i] = i / 2 % 2 ? 2 : 1;
    rank_noise few = ranks_noise(pairs, 12);
    assert_true(fabs(few.factor - 5.0 / 3) < 1e-12 && fabs(few.dof - 6.2) < 1e-12);
    rank_noise both = ranks_noise_of_both(noise, 40, independent, 40);
    assert_true(fabs(both.factor - (noise.factor + 1) / 2) < 1e-12 && both.dof > 9 && both.dof < 18);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_test_counts_all_ways_ties_included),
        cmocka_unit_test(the_shift_is_the_median_of_all_differences),
        cmocka_unit_test(figures_that_are_published),
        cmocka_unit_test(parts_of_a_run_that_differ_are_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
