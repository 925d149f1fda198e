/* Rows of one pass share a cache: what they take together, and what holds of it whatever the rows are. */
#include "model/laws/law.h"
#include "tests/unit/fixture.h"

#include <math.h>

enum { COMPUTE, MEMORY, ENGINES, MOST = 16 };

typedef struct pass {
    double busy_us[MOST], given_mb[MOST];
    uint32_t repeat[MOST], n;
    double gb_per_s, cache_mb;
} pass;

static bool cache_of(const law_fit *fit, uint32_t engine, law_cache *out)
{
    const pass *p = fit->config;
    *out = (law_cache){p->gb_per_s * 1e9, (uint64_t)(p->cache_mb * 1e6)};
    return engine == MEMORY;
}

/* The sum of the rows, one after another, and the sum of the memory's engine alone: microseconds. */
static double times_of(const pass *p, double *memory_us)
{
    static const cycle_law law = {.id = "test", .cache_before = cache_of};
    const law_fit fit = {.law = &law,
                         .config = p,
                         .n_compute = 1,
                         .n_engines = ENGINES,
                         .n_binding = ENGINES,
                         .clock_hz = 1e9};
    uint64_t cycles[MOST][ENGINES];
    law_pass_row rows[MOST];
    double sum_us = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        cycles[i][COMPUTE] = (uint64_t)(p->busy_us[i] * 1e3);
        cycles[i][MEMORY] = 0;
        rows[i] =
            (law_pass_row){cycles[i], (uint64_t)(p->given_mb[i] * 1e6), p->repeat[i] ? p->repeat[i] : 1};
    }
    uint64_t least[ROOF_MAX_ENGINES] = {0};
    law_share_caches(&fit, rows, p->n, least);
    *memory_us = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        const uint64_t most = cycles[i][MEMORY] > cycles[i][COMPUTE] ? cycles[i][MEMORY] : cycles[i][COMPUTE];
        sum_us += rows[i].repeat * (double)most / 1e3;
        *memory_us += rows[i].repeat * (double)cycles[i][MEMORY] / 1e3;
    }
    return sum_us;
}

/* Source: docs/hardware/cpu.md, "One cache for the whole pass". Rows are rounded down to a cycle each. */
static void the_examples_of_the_law_hold(void **state)
{
    static const struct {
        pass p;
        double want_us, memory_us;
    } rows[] = {
        {{{50, 20, 10}, {4, 8, 6}, {0}, 3, 100, 10}, 90, 80},
        {{{50, 20, 10}, {4, 8, 6}, {0}, 3, 100, 0}, 190, 180},
        {{{5, 5, 5}, {8, 8, 8}, {0}, 3, 100, 10}, 140, 140},
        {{{5}, {8}, {3}, 1, 100, 10}, 140, 140},                  /* the same row three times */
        {{{50, 20, 10}, {4, 8, 6}, {0}, 3, 100, 18}, 80, 0},      /* all of it fits */
        {{{50, 20, 10}, {4, 8, 6}, {0}, 3, 100, 11}, 80, 45.555}, /* nothing waits, and the memory works */
        {{{0, 0}, {1, 3}, {0}, 2, 1, 1}, 3000, 3000},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        double memory_us;
        const double got_us = times_of(&rows[i].p, &memory_us);
        if (fabs(got_us - rows[i].want_us) > 0.01 || fabs(memory_us - rows[i].memory_us) > 0.01)
            fail_msg("row %zu: %.3f us, want %.3f; the memory %.3f, want %.3f", i, got_us, rows[i].want_us,
                     memory_us, rows[i].memory_us);
    }
}

static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) / (1 << 24);
}

/* P1 to P4: not below (X - C) / BW; halves of a row take as long; a network behind another saves the cache at
 * most once; more cache or bandwidth never takes longer. */
static void a_pass_takes_what_its_bytes_need(void **state)
{
    uint64_t seed = 20261128;
    (void)state;
    for (int run = 0; run < 2000; run++) {
        pass p = {.n = 1 + (uint32_t)(next_random(&seed) * 7), .gb_per_s = 1 + 99 * next_random(&seed)};
        double given_mb = 0, memory_us, unused;
        for (uint32_t i = 0; i < p.n; i++) {
            p.busy_us[i] = 500 * next_random(&seed) * next_random(&seed);
            p.given_mb[i] = 20 * next_random(&seed) * next_random(&seed);
            p.repeat[i] = 1 + (uint32_t)(next_random(&seed) * 3);
            given_mb += p.repeat[i] * p.given_mb[i];
        }
        p.cache_mb = 1.5 * given_mb * next_random(&seed);
        const double us = times_of(&p, &memory_us), slack_us = 0.01 * p.n,
                     least_us = fmax(0, given_mb - p.cache_mb) / p.gb_per_s * 1e3;
        assert_true(us >= least_us - slack_us && memory_us <= fmax(least_us, 0) + slack_us &&
                    us >= memory_us);

        pass halves = p, twice = p, faster = p, larger = p;
        halves.n = twice.n = 2 * p.n;
        for (uint32_t i = 0; i < p.n; i++) {
            halves.busy_us[i] = halves.busy_us[p.n + i] = p.busy_us[i] / 2;
            halves.given_mb[i] = halves.given_mb[p.n + i] = p.given_mb[i] / 2;
            halves.repeat[p.n + i] = twice.repeat[p.n + i] = p.repeat[i];
            twice.busy_us[p.n + i] = p.busy_us[i];
            twice.given_mb[p.n + i] = p.given_mb[i];
        }
        faster.gb_per_s *= 1.5;
        larger.cache_mb *= 1.5;
        assert_true(fabs(times_of(&halves, &unused) - us) <= 0.02 * halves.n);
        assert_true(times_of(&twice, &unused) >= 2 * us - p.cache_mb / p.gb_per_s * 1e3 - slack_us);
        assert_true(times_of(&faster, &unused) <= us + slack_us &&
                    times_of(&larger, &unused) <= us + slack_us);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_examples_of_the_law_hold),
                                       cmocka_unit_test(a_pass_takes_what_its_bytes_need)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
