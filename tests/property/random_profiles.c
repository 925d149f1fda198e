/* What must hold for any set of profiles: planted constants lie in their intervals, sums close, order is of
 * no matter, scale is kept. ROOF_SEED sets where to start. */
#include "roofline/calibrate.h"
#include "tests/unit/profile_fixture.h"
#include "tests/property/seeded.h"

/* A calibration takes 15 ms, and ten times that under sanitizers: fewer of them. */
enum {
    TRIALS = 1000,
    AT_LEAST = 930,
    CALIBRATIONS = 300,
    CALIBRATIONS_AT_LEAST = 279,
    MOST_MODELS = 8,
    MOST_LAYERS = 24
};

static int begin(void **state)
{
    (void)state;
    return seeded_begin(20261120);
}

static double between(double low, double high)
{
    return low + (high - low) * gsl_rng_uniform(rng);
}

/* ---- the lines ---- */

typedef struct planted {
    double cost_us, host_us, host_slope_us;
    pf_experiment e[MOST_MODELS];
    char names[MOST_MODELS][16], more[MOST_MODELS][40];
    size_t n;
} planted;

/* Totals that obey the model but for normal noise, which each line has of its own. */
static void plant(planted *p)
{
    double noise_us = between(1, 300);
    *p = (planted){
        .cost_us = between(20, 300), .host_us = between(500, 4000), .host_slope_us = between(0, 20)};
    p->n = 3 + gsl_rng_uniform_int(rng, MOST_MODELS - 2);
    for (size_t i = 0; i < p->n; i++) {
        double n = (double)(10 + 17 * i + gsl_rng_uniform_int(rng, 12));
        double bypass = between(5e4, 1e5);
        double sum = bypass + p->cost_us * n - p->host_us + gsl_ran_gaussian(rng, noise_us);
        double layered = sum + p->host_us + p->host_slope_us * n + gsl_ran_gaussian(rng, noise_us);
        snprintf(p->names[i], sizeof p->names[i], "m%zu", i);
        snprintf(p->more[i], sizeof p->more[i], "\"boundaries\":%.0f,", n);
        p->e[i] = (pf_experiment){.model = p->names[i],
                                  .bypass_us = bypass,
                                  .per_layer_us = layered,
                                  .sum_us = sum,
                                  .more = p->more[i]};
    }
}

static bool holds(const roof_estimate *e, double truth_us)
{
    return e->ci95_low <= truth_us * 1e-6 && truth_us * 1e-6 <= e->ci95_high;
}

static void planted_costs_lie_in_their_intervals(void **state)
{
    unsigned cost = 0, constant = 0, host = 0, overhead = 0, estimate = 0, estimates = 0;
    (void)state;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        planted p;
        plant(&p);
        pf_result got = pf_reconcile(p.e, p.n);
        const roof_reconciliation *r = got.r;
        const roof_line *boundary = &r->fits[ROOF_FIT_BOUNDARY].fit.lines[ROOF_LINE_FREE];
        cost += holds(&boundary->slope, p.cost_us);
        constant += holds(&boundary->intercept, -p.host_us);
        host += holds(&r->fits[ROOF_FIT_HOST].fit.lines[ROOF_LINE_FREE].intercept, p.host_us);
        overhead +=
            holds(&r->fits[ROOF_FIT_OVERHEAD].fit.lines[ROOF_LINE_FREE].slope, p.cost_us + p.host_slope_us);
        for (uint32_t i = 0; i < r->n_experiments; i++, estimates++)
            estimate += r->experiments[i].total.corrected_ci95_s[0] <= r->experiments[i].total.bypass_s &&
                        r->experiments[i].total.bypass_s <= r->experiments[i].total.corrected_ci95_s[1];
        pf_free(&got);
    }
    print_message(
        "of %d: cost per boundary %u, its constant %u, host %u, overhead %u; bypass times in the estimate's "
        "interval %u of %u\n",
        TRIALS, cost, constant, host, overhead, estimate, estimates);
    assert_true(cost >= AT_LEAST && constant >= AT_LEAST && host >= AT_LEAST && overhead >= AT_LEAST);
    assert_true(estimate >= estimates * 93 / 100);
}

/* ---- the calibration ---- */

/* Layers that one engine binds or the other, with planted efficiencies and constants, and the scatter that
 * the fit assumes. */
static void put_planted_model(textbuf *json, size_t index, const double truth[4])
{
    textbuf layers, rows;
    double bypass = truth[3];
    unsigned n = 8 + (unsigned)gsl_rng_uniform_int(rng, MOST_LAYERS - 8);
    char name[16];
    text_init(&layers, TEXT_MAX_BYTES);
    text_init(&rows, TEXT_MAX_BYTES);
    for (unsigned i = 0; i < n; i++) {
        bool alu = gsl_rng_uniform(rng) < 0.5;
        double cycles = floor(exp(between(3, 8))), us = cycles / truth[alu];
        text_printf(&layers, "l%u%s=%.0f ", i, alu ? ":alu" : "", cycles);
        text_printf(&rows, "l%u=%.6f ", i, (us + truth[2]) * exp(gsl_ran_gaussian(rng, 0.16)));
        bypass += us;
    }
    snprintf(name, sizeof name, "m%zu", index);
    text_puts(json, index ? "," : "");
    pf_put_experiment(json, &(pf_experiment){.model = name,
                                             .layers = layers.bytes,
                                             .rows = rows.bytes,
                                             .bypass_us = bypass * exp(gsl_ran_gaussian(rng, 0.08))});
    text_free(&layers);
    text_free(&rows);
}

static void planted_calibrations_lie_in_their_intervals(void **state)
{
    static const char *const names[] = {"efficiency.conv", "efficiency.alu", "per_layer_s",
                                        "per_inference_s"};
    unsigned in_interval[4] = {0};
    (void)state;
    for (unsigned trial = 0; trial < CALIBRATIONS; trial++) {
        /* not so near to 1 that the scatter makes layers impossible, which the fit leaves out */
        const double truth[] = {between(0.3, 0.75), between(0.3, 0.75), between(10, 60), exp(between(3, 8))};
        roof_calibration *c = NULL;
        textbuf json;
        roof_error err;
        text_init(&json, TEXT_MAX_BYTES);
        text_puts(&json, "{\"schema\":\"roofline.measured/1\",\"experiments\":[");
        for (size_t i = 0; i < 4; i++)
            put_planted_model(&json, i, truth);
        text_puts(&json, "]}");
        pf_result p = pf_reconcile_document(json.bytes, NULL);
        p.r->ceiling.seconds = NAN; /* noise may make a layer faster than it was planted */
        if (roof_calibrate(p.r, &c, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        for (int k = 0; k < 4; k++)
            for (uint32_t i = 0; i < c->n_parameters; i++) {
                double value = k < 2 ? truth[k] : truth[k] * 1e-6;
                if (strcmp(c->parameters[i].name, names[k]) == 0)
                    in_interval[k] +=
                        c->parameters[i].ci95_low <= value && value <= c->parameters[i].ci95_high;
            }
        roof_calibration_free(c);
        text_free(&json);
        pf_free(&p);
    }
    print_message("of %d: conv %u, alu %u, per layer %u, per inference %u\n", CALIBRATIONS, in_interval[0],
                  in_interval[1], in_interval[2], in_interval[3]);
    for (int k = 0; k < 4; k++)
        assert_true(in_interval[k] >= CALIBRATIONS_AT_LEAST);
}

/* ---- order and scale ---- */

typedef struct random_row {
    unsigned index;
    double us;
} random_row;

typedef struct random_profile {
    textbuf layers, rows[2];
    random_row list[MOST_LAYERS];
    unsigned n;
} random_profile;

static void put_rows(random_profile *p, int which, double scale)
{
    text_init(&p->rows[which], TEXT_MAX_BYTES);
    for (unsigned i = 0; i < p->n; i++)
        text_printf(&p->rows[which], "%u@l%u=%.9f ", p->list[i].index + 1, p->list[i].index,
                    scale * p->list[i].us);
}

static void draw(random_profile *p, double scale, bool shuffle)
{
    *p = (random_profile){.n = 2 + (unsigned)gsl_rng_uniform_int(rng, MOST_LAYERS - 2)};
    text_init(&p->layers, TEXT_MAX_BYTES);
    for (unsigned i = 0; i < p->n; i++) {
        double cycles = floor(between(10, 1000)) * 4;
        text_printf(&p->layers, "l%u%s=%.0f ", i, gsl_rng_uniform(rng) < 0.5 ? ":alu" : "", cycles);
        p->list[i] = (random_row){i, floor(cycles * between(0.9, 4))};
    }
    put_rows(p, 0, 1);
    if (shuffle)
        gsl_ran_shuffle(rng, p->list, p->n, sizeof *p->list);
    put_rows(p, 1, scale);
}

static void free_profile(random_profile *p)
{
    text_free(&p->layers);
    text_free(&p->rows[0]);
    text_free(&p->rows[1]);
}

/* NaN is the same as NaN. */
static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : !(a < b) && !(a > b);
}

static void permuting_rows_changes_nothing(void **state)
{
    (void)state;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        random_profile d;
        pf_result r[2];
        double bypass = floor(between(1e3, 1e5)), layered = floor(between(1e5, 2e5));
        draw(&d, 1, true);
        for (int i = 0; i < 2; i++) {
            pf_experiment e = {.layers = d.layers.bytes,
                               .rows = d.rows[i].bytes,
                               .bypass_us = bypass,
                               .per_layer_us = layered};
            r[i] = pf_reconcile(&e, 1);
        }
        const roof_reconciled *a = &r[0].r->experiments[0], *b = &r[1].r->experiments[0];
        assert_int_equal(a->n_matches, b->n_matches);
        for (uint32_t i = 0; i < a->n_matches; i++) {
            assert_string_equal(a->matches[i].name, b->matches[i].name);
            assert_true(same(a->matches[i].measured_s, b->matches[i].measured_s));
            assert_true(same(a->matches[i].corrected_s, b->matches[i].corrected_s));
            assert_true(same(a->matches[i].gap_s, b->matches[i].gap_s));
            assert_int_equal(a->matches[i].verdict, b->matches[i].verdict);
        }
        assert_true(same(a->total.sum_of_layers_s, b->total.sum_of_layers_s));
        assert_true(same(a->layer_by_layer.unattributed_s, b->layer_by_layer.unattributed_s));
        assert_true(a->layer_by_layer.attributed_s + a->layer_by_layer.unattributed_s ==
                    a->layer_by_layer.total_s);
        pf_free(&r[0]);
        pf_free(&r[1]);
        free_profile(&d);
    }
}

/* Any doubles at all: parts of each sign, sums above and below the total. */
static void sums_close_to_the_last_bit(void **state)
{
    (void)state;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        random_profile d;
        draw(&d, exp(between(-8, 8)), false);
        pf_experiment e = {.layers = d.layers.bytes,
                           .rows = d.rows[1].bytes,
                           .bypass_us = exp(between(-2, 14)),
                           .per_layer_us = exp(between(-2, 14))};
        pf_result r = pf_reconcile(&e, 1);
        const roof_attribution *all[] = {&r.r->experiments[0].layer_by_layer, &r.r->experiments[0].deployed};
        for (size_t i = 0; i < COUNT(all); i++)
            if (all[i]->of)
                assert_true(all[i]->attributed_s + all[i]->unattributed_s == all[i]->total_s);
        pf_free(&r);
        free_profile(&d);
    }
}

static bool scaled(double a, double b, double by)
{
    return isnan(a) ? isnan(b) : fabs(b - by * a) <= 1e-6 * fabs(by * a) + 1e-12;
}

/* Without a prediction nothing but the profile has a scale. */
static void scaling_all_times_scales_all_results(void **state)
{
    (void)state;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        planted p;
        plant(&p);
        pf_result a = pf_reconcile(p.e, p.n);
        double by = exp(between(-2, 3));
        for (size_t i = 0; i < p.n; i++) {
            p.e[i].bypass_us *= by;
            p.e[i].per_layer_us *= by;
            p.e[i].sum_us *= by;
        }
        pf_result b = pf_reconcile(p.e, p.n);
        for (int f = 0; f < ROOF_FITS; f++) {
            const roof_line *x = &a.r->fits[f].fit.lines[ROOF_LINE_FREE],
                            *y = &b.r->fits[f].fit.lines[ROOF_LINE_FREE];
            assert_true(scaled(x->slope.value, y->slope.value, by));
            assert_true(fabs(y->intercept.value - by * x->intercept.value) <= 1e-6 * by * 0.1);
            assert_int_equal(a.r->fits[f].fit.chosen, b.r->fits[f].fit.chosen);
        }
        for (uint32_t i = 0; i < a.r->n_experiments; i++) {
            assert_true(
                scaled(a.r->experiments[i].total.corrected_s, b.r->experiments[i].total.corrected_s, by));
            assert_true(fabs(a.r->experiments[i].total.inflation_ratio -
                             b.r->experiments[i].total.inflation_ratio) < 1e-6);
        }
        pf_free(&a);
        pf_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_costs_lie_in_their_intervals),
        cmocka_unit_test(planted_calibrations_lie_in_their_intervals),
        cmocka_unit_test(permuting_rows_changes_nothing),
        cmocka_unit_test(sums_close_to_the_last_bit),
        cmocka_unit_test(scaling_all_times_scales_all_results),
    };
    return cmocka_run_group_tests(tests, begin, seeded_end);
}
