/* What few runs tell beside their rows: drifts of a loop, and what writing weights again would take. */
#include "measure/matches/match_facts.h"
#include "tests/unit/profile_fixture.h"

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static void a_drift_is_more_than_digits_and_half_of_the_scatter(void **state)
{
    static const struct {
        const char *what;
        roof_trend trend; /* steps, first, middle, last, least, most, mean, digit; ms */
        bool is_drift;
    } rows[] = {
        {"a line", {30, 78, 79, 80, 78, 80, 79, 0.01}, true},
        {"a fall", {30, 80, 79, 78, 78, 80, 79, 0.01}, true},
        {"less than the scatter", {30, 78.16, 78.31, 78.46, 77.71, 79.21, 78.31, 0.01}, false},
        {"digits alone", {30, 78.00, 78.01, 78.02, 78.00, 78.02, 78.01, 0.01}, false},
        {"a hump", {30, 78, 85, 79, 78, 79.5, 79, 0.01}, false},
        {"nothing", {3, 78, 78, 78, 78, 78, 78, 0.01}, false},
        {"not known", {30, NAN, NAN, NAN, NAN, NAN, NAN, NAN}, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (trend_is_drift(&rows[i].trend) != rows[i].is_drift)
            fail_msg("%s", rows[i].what);
}

/* Two experiments: buffers are written in the one, weights are read in the other. */
static const char two_runs[] =
    "{\"schema\":\"roofline.measured/"
    "1\",\"experiments\":[{\"model\":{\"name\":\"prefill\"},\"runs\":[{\"mode\":\"per_layer\","
    "\"layers\":[{\"name\":\"a\",\"mean_s\":1e-2,\"executions\":16,\"write_s\":1e-3,\"run_s\":8e-3,"
    "\"events\":{"
    "\"buffers.write_bytes\":16000000}},{\"name\":\"short\",\"mean_s\":1e-4,\"write_s\":1e-5,\"run_s\":5e-5,"
    "\"events\":{"
    "\"buffers.write_bytes\":1000000}}]}]},{\"model\":{\"name\":\"decode\"},\"runs\":[{\"mode\":\"per_"
    "layer\",\"layers\":["
    "{\"name\":\"w\",\"mean_s\":1e-3}]}]";

static void weights_over_the_rate_of_buffers_are_what_writing_them_would_take(void **state)
{
    textbuf text;
    (void)state;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text, two_runs);
    pf_put_prediction(&text, "w=10 x=10", NULL);
    text_puts(&text, "}]}");
    pf_result p = {.measured = pf_read(text.bytes), .predictions = calloc(3, sizeof *p.predictions)};
    roof_prediction *own = p.measured->experiments[1].prediction;
    p.predictions[1] = own;
    own->layers[0].repeat = 16;
    own->layers[0].deployed.traffic.weights_bytes = 121634816;
    own->layers[1].deployed.traffic.weights_bytes = 525000000;
    assert_int_equal(roof_reconcile(p.measured, p.predictions, NULL, &p.r, NULL), ROOF_OK);
    assert_true(near(p.r->buffer_bytes_per_s, 16e9)); /* without the row of too few digits */
    assert_true(near(p.r->experiments[1].total.layer_weights_bytes, 16 * 116.0 * 1048576));
    assert_true(near(p.r->experiments[1].total.rest_weights_bytes, 525e6));
    assert_true(isnan(p.r->experiments[0].total.layer_weights_bytes)); /* no model tells */
    pf_free(&p);
    text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drift_is_more_than_digits_and_half_of_the_scatter),
        cmocka_unit_test(weights_over_the_rate_of_buffers_are_what_writing_them_would_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
