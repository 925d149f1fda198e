/* What a calibration says of networks that are unlike those that it was fitted to: the published example by
 * its numbers, which networks are alike, and what copies of a measurement add. */
#include "measure/calibrate/families.h"
#include "model/documents/documents.h"
#include "model/predict/calibrated.h"
#include "roofline/calibrate.h"
#include "tests/unit/profile_fixture.h"

#include <gsl/gsl_cdf.h>

/* ---- the example of docs/hardware/dpuczdx8g.md, "Intervals": T = e^x0 a + e^x1 b, priors 0 +- 1, a fit's
 * scatter of 0.08 ---- */

enum { CONSTANTS = 2, OBSERVED = 6, FAMILIES = 3 };
static const struct {
    double a, b, log_measured;
    uint32_t family;
} seen[OBSERVED] = {{1, 1, 2.1, 0}, {2, 1, 3.2, 0}, {1, 3, 3.8, 1},
                    {2, 3, 4.6, 1}, {4, 1, 5.5, 2}, {4, 2, 6.8, 2}};

static double total(const double *x, double a, double b)
{
    return exp(x[0]) * a + exp(x[1]) * b;
}

static void gradient(const double *x, double a, double b, double *g)
{
    g[0] = exp(x[0]) * a / total(x, a, b);
    g[1] = exp(x[1]) * b / total(x, a, b);
}

/* Newton's steps with the second derivatives left out; two constants are solved by hand. */
static void fit_without(uint32_t family, double *x)
{
    x[0] = x[1] = 0;
    for (int step = 0; step < 100; step++) {
        double m00 = 1, m01 = 0, m11 = 1, r0 = x[0], r1 = x[1];
        for (size_t i = 0; i < OBSERVED; i++) {
            double g[CONSTANTS], weight = 1 / (0.08 * 0.08);
            double r = log(total(x, seen[i].a, seen[i].b)) - log(seen[i].log_measured);
            if (seen[i].family == family)
                continue;
            gradient(x, seen[i].a, seen[i].b, g);
            m00 += weight * g[0] * g[0];
            m01 += weight * g[0] * g[1];
            m11 += weight * g[1] * g[1];
            r0 += weight * g[0] * r;
            r1 += weight * g[1] * r;
        }
        double det = m00 * m11 - m01 * m01;
        x[0] -= (m11 * r0 - m01 * r1) / det;
        x[1] -= (m00 * r1 - m01 * r0) / det;
    }
}

static void near(double is, double want)
{
    if (!(fabs(is - want) <= 2e-5 * fabs(want)))
        fail_msg("%.9g, published %.9g", is, want);
}

static void the_published_example_comes_out(void **state)
{
    static const double published_q[FAMILIES] = {0.000632649, 0.0103316, 0.00200540};
    static const double widths[CONSTANTS] = {1, 1};
    double x[CONSTANTS], gradients[OBSERVED][CONSTANTS], squares = 0;
    double covariance[ROOF_MAX_PARAMETERS][ROOF_MAX_PARAMETERS];
    family_row rows[OBSERVED];
    roof_error err;
    (void)state;
    fit_without(ROOF_NONE, x);
    near(x[0], 0.179353);
    near(x[1], -0.172294);
    for (uint32_t g = 0; g < FAMILIES; g++) {
        double others[CONSTANTS], q = 0;
        fit_without(g, others);
        for (size_t i = 0; i < OBSERVED; i++)
            q += seen[i].family == g
                     ? pow(log(total(others, seen[i].a, seen[i].b) / seen[i].log_measured), 2) / 2
                     : 0;
        near(q, published_q[g]);
        squares += q;
    }
    family_scatter scatter = calibrated_family_scatter(squares, FAMILIES);
    near(scatter.ratio, 0.0869891);
    assert_int_equal(scatter.dof, 7);
    for (size_t i = 0; i < OBSERVED; i++) {
        gradient(x, seen[i].a, seen[i].b, gradients[i]);
        rows[i] = (family_row){seen[i].family, NETWORK_SCATTER, gradients[i]};
    }
    const family_data data = {rows, OBSERVED, FAMILIES, CONSTANTS, widths, scatter.ratio};
    assert_int_equal(families_covariance(&data, covariance, &err), ROOF_OK);
    near(covariance[0][0], 0.00584186);
    near(covariance[0][1], -0.00254059);
    near(covariance[1][0], -0.00254059);
    near(covariance[1][1], 0.0111473);
    double g[CONSTANTS], variance = 0, expected = total(x, 1, 6);
    gradient(x, 1, 6, g);
    for (size_t i = 0; i < CONSTANTS; i++)
        for (size_t k = 0; k < CONSTANTS; k++)
            variance += g[i] * covariance[i][k] * g[k];
    double half =
        gsl_cdf_tdist_Pinv(0.975, scatter.dof) * sqrt(variance + scatter.total_ratio * scatter.total_ratio);
    near(expected, 6.24683);
    near(variance, 0.00671370);
    near(half, 0.291346);
    near(expected * exp(-half), 4.66799);
    near(expected * exp(half), 8.35969);
}

static void fewer_than_three_families_tell_nothing_of_others(void **state)
{
    (void)state;
    for (uint32_t families = 0; families < 3; families++) {
        family_scatter scatter =
            calibrated_family_scatter(families * 1e-6, families); /* which agree, as it happens */
        assert_int_equal(scatter.dof, 4);
        near(scatter.ratio, 0.10);
    }
    assert_int_equal(calibrated_family_scatter(3e-6, 3).dof, 7);
    assert_true(calibrated_family_scatter(3e-6, 3).ratio < 0.10 &&
                calibrated_family_scatter(3 * 0.04, 3).ratio > 0.13);
}

/* ---- which are alike ---- */

/* Rows and labels of networks, and which of them are one family: "0 0 2" says that the second is like the
 * first. */
static const struct {
    const char *layers[4], *labels[4], *families;
} alike[] = {
    /* a block that is repeated counts once, so depths of one network are alike */
    {{"a=900 b:alu=90", "a=300 b:alu=200 c=300 d:alu=200", "a:alu=900 b=9 c=9", NULL}, {NULL}, "0 0 2"},
    /* labels say it, whatever the rows are */
    {{"a=900 b:alu=90", "a=900 b:alu=90", "a:alu=900 b=9", NULL}, {"x", "y", "x"}, "0 1 0"},
    /* what has no label may be like one that has */
    {{"a=900 b:alu=90", "a=900 b:alu=90", "a=900 b:alu=90", NULL}, {"x", NULL, "y"}, "0 0 2"},
    /* the parts of the time that the constants set: the array nearly all of two of them, in other layers */
    {{"a=900 b:alu=90", "a:alu=100 b=1000 c:alu=1", "a:alu=1000 b:alu=20 c=9", NULL}, {NULL}, "0 0 2"},
};

static void networks_are_alike_by_label_by_kinds_and_by_shares(void **state)
{
    (void)state;
    for (size_t t = 0; t < COUNT(alike); t++) {
        textbuf text, found;
        roof_error err;
        roof_calibration *c;
        roof_arena *arena = arena_new(0);
        uint32_t family[4], n = 0;
        double shares[4 * ROOF_MAX_PARAMETERS];
        text_init(&text, TEXT_MAX_BYTES);
        text_init(&found, 100);
        text_puts(&text, "{\"schema\":\"roofline.measured/1\",\"experiments\":[");
        for (; alike[t].layers[n]; n++) {
            char name[64]; /* a label goes behind the name */
            const char *label = alike[t].labels[n];
            snprintf(name, sizeof name, label ? "net%u\",\"family\":\"%s" : "net%u", n, label);
            text_puts(&text, n ? "," : "");
            pf_put_experiment(
                &text, &(pf_experiment){.model = name, .layers = alike[t].layers[n], .bypass_us = 1000});
        }
        text_puts(&text, "]}");
        pf_result p = pf_reconcile_document(text.bytes, NULL);
        assert_int_equal(roof_calibrate(p.r, &c, &err), ROOF_OK);
        for (uint32_t i = 0; i < n; i++)
            calibration_shares(c, p.predictions[i], shares + i * c->n_parameters);
        assert_int_equal(families_find(p.r, shares, c->n_parameters, family, arena, &err), ROOF_OK);
        for (uint32_t i = 0; i < n; i++)
            text_printf(&found, "%s%u", i ? " " : "", family[i]);
        if (strcmp(found.bytes, alike[t].families) != 0)
            fail_msg("%zu: families %s, want %s", t, found.bytes, alike[t].families);
        text_free(&text);
        text_free(&found);
        roof_calibration_free(c);
        arena_free(arena);
        pf_free(&p);
    }
}

/* ---- networks unlike those that were fitted ---- */

static void a_network_of_another_mix_is_outside_of_what_was_fitted(void **state)
{
    static const pf_experiment fitted[] = {{.model = "a", .layers = "a=900 b:alu=90", .bypass_us = 1500},
                                           {.model = "b", .layers = "a=800 b:alu=200", .bypass_us = 1600},
                                           {.model = "c", .layers = "a=950 b:alu=50", .bypass_us = 1400}};
    static const struct {
        const char *layers, *outside;
    } rows[] = {{"a=850 b:alu=140", NULL}, {"a=90 b:alu=900", "efficiency.alu"}};
    pf_result p = pf_reconcile(fitted, COUNT(fitted));
    roof_calibration *c, *again;
    roof_error err;
    textbuf document;
    (void)state;
    assert_int_equal(roof_calibrate(p.r, &c, &err), ROOF_OK);
    text_init(&document, TEXT_MAX_BYTES);
    assert_int_equal(roof_calibration_write(c, (roof_sink){memory_write, &document}, &err), ROOF_OK);
    memory_source source = {document.bytes, document.length, 0};
    assert_int_equal(calibration_read_from(memory_read, &source, "c.json", &again, &err), ROOF_OK);
    for (size_t i = 0; i < COUNT(rows); i++) {
        pf_result other = pf_reconcile(&(pf_experiment){.layers = rows[i].layers, .bypass_us = 1500}, 1);
        roof_expected x = roof_calibration_expect(c, other.predictions[0], NULL);
        roof_expected y = roof_calibration_expect(again, other.predictions[0], NULL);
        const char *outside = x.outside == ROOF_NONE ? NULL : c->parameters[x.outside].name;
        if (rows[i].outside ? !outside || strcmp(outside, rows[i].outside) != 0 : outside != NULL)
            fail_msg("%s: outside is %s", rows[i].layers, outside ? outside : "nothing");
        assert_int_equal(y.outside, x.outside);
        assert_true(fabs(y.ci95_s[0] / x.ci95_s[0] - 1) < 1e-9 && fabs(y.ci95_s[1] / x.ci95_s[1] - 1) < 1e-9);
        pf_free(&other);
    }
    text_free(&document);
    roof_calibration_free(c);
    roof_calibration_free(again);
    pf_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_example_comes_out),
        cmocka_unit_test(fewer_than_three_families_tell_nothing_of_others),
        cmocka_unit_test(networks_are_alike_by_label_by_kinds_and_by_shares),
        cmocka_unit_test(a_network_of_another_mix_is_outside_of_what_was_fitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
