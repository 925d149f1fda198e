/* What must hold for any two runs: the same thing is not called different more often than the level says,
 * what was planted is found and lies in its interval, and A beside B is B beside A the other way round.
 * ROOF_SEED sets where to start. */
#include "measure/profile/profile.h"
#include "roofline/compare.h"
#include "tests/unit/fixture.h"
#include "tests/property/seeded.h"

enum { TRIALS = 200, LAYERS = 20, MOST_SAMPLES = 60 };

static int begin(void **state)
{
    (void)state;
    return seeded_begin(20261123);
}

/* How a run is made: of so many samples, skewed as times are, printed in steps of a clock, or known by their
 * moments alone. */
typedef struct plan {
    size_t samples;
    double tick_s;
    bool by_moments;
    double drift;          /* from one tenth of the samples to the next, as a multiple of their scatter */
    double slower[LAYERS]; /* factors; 0: as it is */
} plan;

typedef struct side {
    roof_measured *m;
    roof_reconciliation *r;
} side;

static void fill(roof_measured *m, const plan *p, double mean_s, roof_times *out)
{
    double samples[MOST_SAMPLES];
    roof_error err;
    double level = 1;
    for (size_t i = 0; i < p->samples; i++) {
        if (p->drift > 0 && i % (p->samples / 10) == 0)
            level = 1 + gsl_ran_gaussian(rng, 0.02 * p->drift);
        samples[i] =
            level * mean_s *
            (p->by_moments ? 1 + gsl_ran_gaussian(rng, 0.03) : 1 + 0.02 * gsl_ran_lognormal(rng, 0, 1));
        samples[i] = p->tick_s > 0 ? p->tick_s * round(samples[i] / p->tick_s) : samples[i];
    }
    if (times_from_samples(m, samples, p->samples, out, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    if (p->by_moments)
        out->samples_s = NULL;
}

static side run_once(const plan *p)
{
    side s = {.m = measured_new()};
    roof_experiment *e = measured_add_experiment(s.m);
    roof_error err;
    e->model_name = "net";
    roof_run *run = experiment_add_run(s.m, e, ROOF_RUN_PER_LAYER);
    for (int i = 0; i < LAYERS; i++) {
        static const char *const names[LAYERS] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
                                                  "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"};
        roof_measured_layer *l = run_add_layer(s.m, run);
        l->name = names[i];
        fill(s.m, p, (1 + i % 5) * 1e-4 * (p->slower[i] > 0 ? p->slower[i] : 1), &l->time);
    }
    fill(s.m, p, 5e-3, &run->total);
    if (roof_reconcile(s.m, NULL, NULL, &s.r, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return s;
}

static void forget(side *s)
{
    roof_reconciliation_free(s->r);
    roof_measured_free(s->m);
}

static roof_comparison *compare(const side *a, const side *b)
{
    roof_comparison *c = NULL;
    roof_error err;
    if (roof_compare(&(roof_compare_side){.name = "A", .measured = a->r},
                     &(roof_compare_side){.name = "B", .measured = b->r}, &c, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return c;
}

/* 5 % of 200 trials are 10; 20 and more are seen in 3 of 1000 seeds, and the seed is fixed. */
static void the_same_thing_is_not_called_different(void **state)
{
    static const plan plans[] = {{.samples = 8},
                                 {.samples = 9, .tick_s = 1e-5},
                                 {.samples = 40},
                                 {.samples = 30, .tick_s = 2e-5},
                                 {.samples = 3, .tick_s = 1e-4},
                                 {.samples = 12, .by_moments = true},
                                 {.samples = 60, .drift = 1}};
    (void)state;
    for (size_t i = 0; i < COUNT(plans); i++) {
        unsigned totals = 0, layers = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            side a = run_once(&plans[i]), b = run_once(&plans[i]);
            roof_comparison *c = compare(&a, &b);
            totals += c->runs[0].total.is_shown;
            layers += c->runs[0].n_shown > 0;
            roof_comparison_free(c);
            forget(&a);
            forget(&b);
        }
        if (totals >= 20 || layers >= 20)
            fail_msg("plan %zu: of %d comparisons of the same thing %u have another total, %u have a layer "
                     "that differs",
                     i, TRIALS, totals, layers);
    }
}

static void what_was_planted_is_found_and_lies_in_its_interval(void **state)
{
    plan before = {.samples = 30}, after = {.samples = 40, .slower = {[3] = 1.2, [11] = 0.9}};
    unsigned found = 0, others = 0, within = 0;
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        side a = run_once(&before), b = run_once(&after);
        roof_comparison *c = compare(&a, &b);
        const roof_compared_run *run = &c->runs[0];
        found += run->layers[3].is_shown && run->layers[3].difference_s > 0 && run->layers[11].is_shown &&
                 run->layers[11].difference_s < 0;
        others += run->n_shown > (uint32_t)run->layers[3].is_shown + (uint32_t)run->layers[11].is_shown;
        within += run->layers[3].ratio_ci95[0] <= 1.2 && run->layers[3].ratio_ci95[1] >= 1.2;
        roof_comparison_free(c);
        forget(&a);
        forget(&b);
    }
    if (found < TRIALS || others >= 20 || within < 182)
        fail_msg(
            "of %d comparisons %u find both, %u call another layer different, %u have 1.2 in the interval",
            TRIALS, found, others, within);
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static void both_directions_agree(void **state)
{
    plan one = {.samples = 25, .tick_s = 1e-6}, other = {.samples = 7, .slower = {[2] = 1.5}};
    (void)state;
    for (int trial = 0; trial < 40; trial++) {
        side a = run_once(&one), b = run_once(&other);
        roof_comparison *there = compare(&a, &b), *back = compare(&b, &a);
        for (int i = 0; i < LAYERS; i++) {
            const roof_compared *x = &there->runs[0].layers[i], *y = &back->runs[0].layers[i];
            if (!same(x->difference_s, -y->difference_s) || !same(x->ratio, 1 / y->ratio) ||
                !same(x->p, y->p) || !same(x->ratio_ci95[0], 1 / y->ratio_ci95[1]) ||
                x->is_shown != y->is_shown)
                fail_msg("trial %d, layer %d: %g and %g, ratios %g and %g", trial, i, x->difference_s,
                         y->difference_s, x->ratio, y->ratio);
        }
        roof_comparison_free(there);
        roof_comparison_free(back);
        forget(&a);
        forget(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_thing_is_not_called_different),
        cmocka_unit_test(what_was_planted_is_found_and_lies_in_its_interval),
        cmocka_unit_test(both_directions_agree),
    };
    return cmocka_run_group_tests(tests, begin, seeded_end);
}
