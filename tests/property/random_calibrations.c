/* Calibrations of made-up boards: what was planted is found again, and a network of a family that was not
 * fitted lies in its 95 % interval about as often as that says. ROOF_SEED sets where to start. */
#include "roofline/calibrate.h"
#include "tests/unit/profile_fixture.h"
#include "tests/property/seeded.h"

enum { FAMILIES = 9, FITTED = 5, MODEL_DIFF = 3, NETWORKS = FAMILIES * MODEL_DIFF, BOARDS = 80 };

static int begin(void **state)
{
    (void)state;
    return seeded_begin(20261123);
}

/* Networks in families: siblings have nearly the same mix of two engines, and err alike. */
typedef struct board {
    double conv, alu, once_us; /* planted constants */
    double conv_us[NETWORKS], alu_us[NETWORKS], measured_us[NETWORKS];
} board;

static board random_board(double family_scatter)
{
    board b = {.conv = 0.5 + 0.45 * gsl_rng_uniform(rng),
               .alu = 0.3 + 0.6 * gsl_rng_uniform(rng),
               .once_us = 100 + 400 * gsl_rng_uniform(rng)};
    for (size_t f = 0; f < FAMILIES; f++) {
        double mix = 0.05 + 0.85 * gsl_rng_uniform(rng), off = gsl_ran_gaussian(rng, family_scatter);
        for (size_t i = f * MODEL_DIFF; i < (f + 1) * MODEL_DIFF; i++) {
            double size_us = 1000 * exp(2 * gsl_rng_uniform(rng)),
                   own = mix * (0.95 + 0.1 * gsl_rng_uniform(rng));
            b.conv_us[i] = size_us * own;
            b.alu_us[i] = size_us * (1 - own);
            b.measured_us[i] = (b.conv_us[i] / b.conv + b.alu_us[i] / b.alu + b.once_us) *
                               exp(off + gsl_ran_gaussian(rng, 0.02));
        }
    }
    return b;
}

typedef enum labels { BY_FAMILY, EACH_ITS_OWN } labels;

/* n networks of a board, given `copies` times with another last digit. */
static pf_result reconcile(const board *b, size_t first, size_t n, unsigned copies, labels of)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text, "{\"schema\":\"roofline.measured/1\",\"experiments\":[");
    for (size_t i = 0; i < n * copies; i++) {
        char name[64], layers[80];
        size_t k = first + i % n, copy = i / n;
        snprintf(name, sizeof name, "net%zu\",\"family\":\"family%zu", k,
                 of == BY_FAMILY ? k / MODEL_DIFF : i);
        snprintf(layers, sizeof layers, "a=%.6f b:alu=%.6f", b->conv_us[k], b->alu_us[k]);
        text_puts(&text, i ? "," : "");
        pf_put_experiment(&text,
                          &(pf_experiment){.model = name,
                                           .layers = layers,
                                           .bypass_us = b->measured_us[k] * (1 + 1e-6 * (double)copy)});
    }
    text_puts(&text, "]}");
    pf_result p = pf_reconcile_document(text.bytes, NULL);
    text_free(&text);
    return p;
}

static roof_calibration *calibrate(const pf_result *p)
{
    roof_calibration *c;
    roof_error err;
    if (roof_calibrate(p->r, &c, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return c;
}

/* What a fit to the first families says of the others: how many of them lie in their interval. */
static unsigned count_inside(const board *b, labels of, double *half)
{
    pf_result fitted = reconcile(b, 0, (size_t)FITTED * MODEL_DIFF, 1, of);
    pf_result others =
        reconcile(b, (size_t)FITTED * MODEL_DIFF, (size_t)NETWORKS - FITTED * MODEL_DIFF, 1, of);
    roof_calibration *c = calibrate(&fitted);
    unsigned inside = 0;
    if (of == BY_FAMILY)
        assert_int_equal(c->families, FITTED);
    for (uint32_t i = 0; i < others.r->n_experiments; i++) {
        double measured_s = others.r->experiments[i].total.bypass_s;
        roof_expected x = roof_calibration_expect(c, others.predictions[i], NULL);
        inside += x.ci95_s[0] <= measured_s && measured_s <= x.ci95_s[1];
        *half += log(x.ci95_s[1] / x.total_s);
    }
    roof_calibration_free(c);
    pf_free(&fitted);
    pf_free(&others);
    return inside;
}

/* Of families that agree more than the prior supposes more than 95 % lie inside: a fit to five cannot know
 * that they do. Of families that scatter by twice the prior fewer do. */
static void networks_of_other_families_lie_in_their_intervals(void **state)
{
    static const struct {
        double family_scatter;
        unsigned least_percent, most_percent;
    } rows[] = {{0.02, 99, 100}, {0.08, 96, 100}, {0.12, 91, 99}, {0.15, 90, 99}, {0.2, 84, 96}};
    const unsigned n = BOARDS * (NETWORKS - FITTED * MODEL_DIFF);
    (void)state;
    for (size_t r = 0; r < COUNT(rows); r++) {
        unsigned inside = 0, as_strangers = 0;
        double half = 0, half_of_strangers = 0;
        for (unsigned i = 0; i < BOARDS; i++) {
            board b = random_board(rows[r].family_scatter);
            inside += count_inside(&b, BY_FAMILY, &half);
            as_strangers += count_inside(&b, EACH_ITS_OWN, &half_of_strangers);
        }
        print_message("families scatter by %2.0f %%: %.1f %% of %u networks of other families lie inside, "
                      "x%.2f wide; with siblings "
                      "counted as strangers %.1f %%, x%.2f\n",
                      100 * rows[r].family_scatter, 100.0 * inside / n, n, exp(half / n),
                      100.0 * as_strangers / n, exp(half_of_strangers / n));
        assert_true(100 * inside >= rows[r].least_percent * n && 100 * inside <= rows[r].most_percent * n);
        if (rows[r].family_scatter > 0.1)
            assert_true(as_strangers < inside);
    }
}

/* The same networks measured twice are no more witnesses than once. */
static void copies_of_a_measurement_hardly_narrow_the_interval(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 10; i++) {
        board b = random_board(0.08);
        pf_result once = reconcile(&b, 0, (size_t)FITTED * MODEL_DIFF, 1, BY_FAMILY);
        pf_result often = reconcile(&b, 0, (size_t)FITTED * MODEL_DIFF, 2, BY_FAMILY);
        roof_calibration *c = calibrate(&once), *d = calibrate(&often);
        assert_int_equal(d->totals, 2 * c->totals);
        assert_int_equal(d->dof, c->dof);
        for (uint32_t k = 0; k < once.r->n_experiments; k++) {
            roof_expected x = roof_calibration_expect(c, once.predictions[k], NULL);
            roof_expected y = roof_calibration_expect(d, once.predictions[k], NULL);
            double narrower = log(y.ci95_s[1] / y.total_s) / log(x.ci95_s[1] / x.total_s);
            if (!(narrower > 0.9))
                fail_msg("board %u: a second measurement makes the interval %.3f times as wide", i, narrower);
        }
        roof_calibration_free(c);
        roof_calibration_free(d);
        pf_free(&once);
        pf_free(&often);
    }
}

static void planted_constants_are_found_again(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 10; i++) {
        board b = random_board(0.005);
        pf_result p = reconcile(&b, 0, NETWORKS, 1, BY_FAMILY);
        roof_calibration *c = calibrate(&p);
        const struct {
            const char *name;
            double planted, within;
        } rows[] = {{"efficiency.conv", b.conv, 0.06},
                    {"efficiency.alu", b.alu, 0.06},
                    {"per_inference_s", b.once_us * 1e-6, 0.6}};
        for (size_t r = 0; r < COUNT(rows); r++)
            for (uint32_t k = 0; k < c->n_parameters; k++) {
                const roof_parameter *q = &c->parameters[k];
                if (strcmp(q->name, rows[r].name) != 0)
                    continue;
                if (!(fabs(q->value / rows[r].planted - 1) < rows[r].within))
                    fail_msg("%s: %g, planted %g", q->name, q->value, rows[r].planted);
                assert_true(q->ci95_low <= rows[r].planted && rows[r].planted <= q->ci95_high);
            }
        roof_calibration_free(c);
        pf_free(&p);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_of_other_families_lie_in_their_intervals),
        cmocka_unit_test(copies_of_a_measurement_hardly_narrow_the_interval),
        cmocka_unit_test(planted_constants_are_found_again),
    };
    return cmocka_run_group_tests(tests, begin, seeded_end);
}
