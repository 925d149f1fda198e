/* Calibrations: what they make of a prediction, what their documents may say, and what cannot be fitted. */
#include "model/documents/documents.h"
#include "model/predict/calibrated.h"
#include "roofline/calibrate.h"
#include "tests/unit/profile_fixture.h"

static roof_calibration *read_calibration(const char *json)
{
    memory_source source = {json, strlen(json), 0};
    roof_calibration *c = NULL;
    roof_error err;
    if (calibration_read_from(memory_read, &source, "c.json", &c, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return c;
}

#define PARAMETERS(rows) "{\"schema\":\"roofline.calibration/1\",\"parameters\":[" rows "]"

static const char halves[] = PARAMETERS(
    "{\"name\":\"efficiency.conv\",\"value\":0.5,\"most\":1},{\"name\":\"efficiency.alu\",\"value\":0.5,"
    "\"most\":1}") ",\"covariance\":[[0.04,0],[0,0]],\"dof\":1000000,\"scatter_ratio\":0}";

/* ---- what to expect ---- */

static void half_the_efficiency_doubles_the_ideal(void **state)
{
    pf_result p = pf_reconcile(&(pf_experiment){.layers = "a=100 b:alu=60 h:host=0", .bypass_us = 400}, 1);
    roof_calibration *c = read_calibration(halves);
    double layer_s[3];
    roof_expected x = roof_calibration_expect(c, p.predictions[0], layer_s);
    (void)state;
    assert_true(fabs(x.total_s - 320e-6) < 1e-12);
    assert_true(fabs(layer_s[0] - 200e-6) < 1e-12 && fabs(layer_s[1] - 120e-6) < 1e-12);
    assert_true(isnan(layer_s[2])); /* the host's layer has no ideal to scale */
    /* d ln(total) / d x of conv is -(1 - e) times its share, 200 of 320; x has a deviation of 0.2 */
    double half = 1.96 * 0.5 * 200 / 320 * 0.2;
    assert_true(fabs(log(x.ci95_s[1] / x.total_s) - half) < 1e-3 * half);
    assert_true(fabs(log(x.total_s / x.ci95_s[0]) - half) < 1e-3 * half);
    roof_calibration_free(c);
    pf_free(&p);
}

static void constants_are_added_where_they_belong(void **state)
{
    static const char json[] =
        PARAMETERS("{\"name\":\"per_layer_s\",\"value\":1},{\"name\":\"per_inference_s\",\"value\":"
                   "0.001}") ",\"covariance\":[[0,0],[0,0]],\"scatter_ratio\":0}";
    pf_result p = pf_reconcile(&(pf_experiment){.layers = "a=100", .bypass_us = 400}, 1);
    roof_calibration *c = read_calibration(json);
    roof_expected x = roof_calibration_expect(c, p.predictions[0], NULL);
    (void)state;
    assert_true(fabs(x.total_s - 1100e-6) < 1e-12); /* per_layer_s is of runs layer by layer */
    assert_true(fabs(x.per_inference_s - 0.001) < 1e-12);
    roof_calibration_free(c);
    pf_free(&p);
}

/* ---- replayed code ---- */

/* What a board with these constants would measure of a network, whole and layer by layer. */
static void put_measured(textbuf *out, const roof_prediction *p, const replay_timing *timing, double launch_s,
                         double once_s)
{
    double seconds, sum = 0;
    roof_error err;
    assert_int_equal(schedule_replay(p->code, timing, NULL, &seconds, &err), ROOF_OK);
    text_printf(out,
                "{\"model\":{\"name\":\"%s\"},\"hardware\":{\"id\":\"kv260\"},\"runs\":[{\"mode\":\"bypass\","
                "\"total\":"
                "{\"mean_s\":%.12f}},{\"mode\":\"per_layer\",\"layers\":[",
                p->model.name, seconds + once_s);
    for (uint32_t i = 0, n = 0; i < p->n_layers; i++) {
        assert_int_equal(schedule_replay_alone(p->code, timing, i, &seconds, &err), ROOF_OK);
        if (isnan(seconds))
            continue;
        text_printf(out, "%s{\"name\":\"%s\",\"mean_s\":%.12f}", n++ ? "," : "", p->layers[i].name,
                    seconds + launch_s);
        sum += seconds + launch_s;
    }
    text_printf(out, "],\"sum_of_layers_s\":%.12f}]}", sum);
}

static const roof_parameter *parameter(const roof_calibration *c, const char *name)
{
    for (uint32_t i = 0; i < c->n_parameters; i++)
        if (strcmp(c->parameters[i].name, name) == 0)
            return &c->parameters[i];
    fail_msg("no parameter '%s'", name);
    return NULL;
}

/* Where they take so little time that they cannot be told, they are said to be undetermined. */
static void constants_of_replayed_code_are_found_again(void **state)
{
    static const char *const networks[] = {"mobilenetv1", "mobilenetv2"};
    static const xn_config own_code = {.layer_code = true};
    static const struct {
        double fetch, load, save, launch_s, once_s;
    } planted[] = {{8.2, 0.88, 0.61, 76e-6, 3e-4}, {9, 0.25, 0.45, 50e-6, 1e-3}};
    fx_net nets[COUNT(networks)];
    const roof_prediction *p[COUNT(networks)];
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++) {
        nets[i] = fx_open(xn_find_network(networks[i])->build(&own_code, NULL), NULL);
        p[i] = fx_predict(nets[i].graph, "kv260", NULL);
    }
    for (size_t k = 0; k < COUNT(planted); k++) {
        roof_calibration *c;
        roof_reconciliation *r;
        roof_error err;
        textbuf text;
        replay_timing timing = p[0]->code->ideal;
        timing.load_bytes_per_cycle *= planted[k].load;
        timing.save_bytes_per_cycle *= planted[k].save;
        timing.fetch_cycles_per_word = planted[k].fetch;
        timing.pieces_are_accesses = true;
        timing.queue_depth = 2;
        text_init(&text, TEXT_MAX_BYTES);
        text_puts(&text, "{\"schema\":\"roofline.measured/1\",\"experiments\":[");
        for (size_t i = 0; i < COUNT(networks); i++) {
            text_puts(&text, i ? "," : "");
            put_measured(&text, p[i], &timing, planted[k].launch_s, planted[k].once_s);
        }
        text_puts(&text, "]}");
        roof_measured *measured = pf_read(text.bytes);
        assert_int_equal(roof_reconcile(measured, p, NULL, &r, &err), ROOF_OK);
        assert_int_equal(roof_calibrate(r, &c, &err), ROOF_OK);
        const struct {
            const char *name;
            double want;
            bool is_small;
        } rows[] = {{"fetch_cycles_per_word", planted[k].fetch, false},
                    {"efficiency.load", planted[k].load, false},
                    {"efficiency.save", planted[k].save, true},
                    {"per_layer_s", planted[k].launch_s, false},
                    {"per_inference_s", planted[k].once_s, false}};
        for (size_t i = 0; i < COUNT(rows); i++) {
            const roof_parameter *q = parameter(c, rows[i].name);
            assert_true(q->determined || rows[i].is_small);
            if (q->determined && !(fabs(q->value / rows[i].want - 1) <= 0.05))
                fail_msg("%s: %g, planted %g", q->name, q->value, rows[i].want);
        }
        for (size_t i = 0; i < COUNT(networks); i++) {
            roof_expected x = roof_calibration_expect(c, p[i], NULL);
            assert_true(fabs(x.total_s / r->experiments[i].total.bypass_s - 1) < 0.02);
        }
        roof_calibration_free(c);
        roof_reconciliation_free(r);
        roof_measured_free(measured);
        text_free(&text);
    }
    for (size_t i = 0; i < COUNT(networks); i++) {
        roof_prediction_free((roof_prediction *)p[i]);
        fx_close(&nets[i]);
    }
}

static void a_calibration_of_replayed_code_expects_nothing_without_code(void **state)
{
    static const char json[] =
        PARAMETERS("{\"name\":\"fetch_cycles_per_word\",\"value\":8.2}") ",\"covariance\":[[0]]}";
    const roof_calibration *c = read_calibration(json);
    const roof_predict_options with = {.calibration = c};
    fx_net net = fx_open(xn_find_network("quantised")->build(NULL, NULL), NULL);
    roof_prediction *p = fx_predict(net.graph, "kv260", &with);
    (void)state;
    assert_true(isnan(p->total.predicted_s));
    assert_int_equal(fx_count_findings(p, ROOF_FINDING_NO_CONSTANTS), 1);
    roof_prediction_free(p);
    fx_close(&net);
    roof_calibration_free((roof_calibration *)c);
}

static void transformed_values_come_back(void **state)
{
    static const roof_parameter bounded = {.most = 2}, free_one = {.most = INFINITY};
    (void)state;
    for (double v = 1e-9; v < 1.99; v *= 3) {
        assert_true(fabs(roof_parameter_value(&bounded, roof_parameter_transformed(&bounded, v)) / v - 1) <
                    1e-12);
        assert_true(fabs(roof_parameter_value(&free_one, roof_parameter_transformed(&free_one, v)) / v - 1) <
                    1e-12);
    }
}

/* ---- documents ---- */

static const struct {
    const char *json, *message;
} bad[] = {
    {"[]", "c.json: found an array, want an object (line 1)"},
    {"{}", "c.json: has no \"schema\", want \"roofline.calibration/1\" (line 1)"},
    {"{\"schema\":\"roofline.calibration/2\"}", "c.json: /schema: is \"roofline.calibration/2\", want "
                                                "\"roofline.calibration/1\"; another version of roofline "
                                                "wrote it (line 1)"},
    {PARAMETERS("") "}", "c.json: has no \"parameters\" (line 1)"},
    {PARAMETERS("{\"value\":1}") "}", "c.json: /parameters/0: has no name (line 1)"},
    {PARAMETERS("{\"name\":\"x\"}") "}", "c.json: /parameters/0: 'x' has no value (line 1)"},
    {PARAMETERS("{\"name\":\"x\",\"value\":0}") "}",
     "c.json: /parameters/0: value of 'x' is 0, want it above 0 (line 1)"},
    {PARAMETERS("{\"name\":\"x\",\"value\":1e-320}") "}", /* a port of no width at all */
     "c.json: /parameters/0: value of 'x' is 9.99989e-321, want it from 1e-12 to 1e+12 (line 1)"},
    {PARAMETERS("{\"name\":\"x\",\"value\":1e300}") "}",
     "c.json: /parameters/0: value of 'x' is 1e+300, want it from 1e-12 to 1e+12 (line 1)"},
    {PARAMETERS("{\"name\":\"x\",\"value\":2,\"most\":1}") "}",
     "c.json: /parameters/0: value of 'x' is 2, want it between 0 and 1 (line 1)"},
    {PARAMETERS("{\"name\":\"x\",\"value\":1,\"most\":-1}") "}",
     "c.json: /parameters/0/most: found -1, want 0 or more (line 1)"},
    {PARAMETERS("{\"name\":\"x\",\"value\":1}") ",\"covariance\":[]}",
     "c.json: covariance has 0 rows for 1 parameters (line 1)"},
};

static void bad_documents_are_refused_with_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        memory_source source = {bad[i].json, strlen(bad[i].json), 0};
        roof_calibration *c = NULL;
        roof_error err;
        assert_int_equal(calibration_read_from(memory_read, &source, "c.json", &c, &err), ROOF_E_DATA);
        assert_null(c);
        assert_string_equal(fx_message(&err), bad[i].message);
    }
}

static void what_is_written_is_read_again(void **state)
{
    roof_calibration *c = read_calibration(halves), *again;
    textbuf text;
    (void)state;
    text_init(&text, TEXT_MAX_BYTES);
    assert_int_equal(roof_calibration_write(c, (roof_sink){memory_write, &text}, NULL), ROOF_OK);
    again = read_calibration(text.bytes);
    assert_int_equal(again->n_parameters, 2);
    assert_string_equal(again->parameters[1].name, "efficiency.alu");
    assert_true(fabs(again->parameters[1].value - 0.5) < 1e-15 &&
                fabs(again->covariance[0][0] - 0.04) < 1e-15);
    assert_int_equal(again->dof, 1000000);
    roof_calibration_free(again);
    text_free(&text);
    roof_calibration_free(c);
}

/* ---- fitting ---- */

static void nothing_to_compare_is_an_error(void **state)
{
    static const pf_experiment cases[] = {{.bypass_us = 400}, {.layers = "a=100", .rows = "a=50"}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        pf_result p = pf_reconcile(&cases[i], 1);
        roof_calibration *c = NULL;
        roof_error err;
        assert_int_equal(roof_calibrate(p.r, &c, &err), ROOF_E_DATA);
        assert_null(c);
        assert_non_null(strstr(fx_message(&err), "nothing to calibrate with"));
        pf_free(&p);
    }
}

static void one_exact_profile_gives_its_constants_back(void **state)
{
    /* conv at 0.5, alu at 0.25 of their peaks, 10 us for every layer */
    pf_result p =
        pf_reconcile(&(pf_experiment){.layers = "a=100 b=1000 c=5000 d:alu=100 e:alu=1000 f:alu=5000 g=20",
                                      .rows = "a=210 b=2010 c=10010 d=410 e=4010 f=20010 g=50"},
                     1);
    roof_calibration *c = NULL;
    roof_error err;
    (void)state;
    assert_int_equal(roof_calibrate(p.r, &c, &err), ROOF_OK);
    for (uint32_t i = 0; i < c->n_parameters; i++) {
        const roof_parameter *q = &c->parameters[i];
        double want = strcmp(q->name, "efficiency.conv") == 0  ? 0.5
                      : strcmp(q->name, "efficiency.alu") == 0 ? 0.25
                      : strcmp(q->name, "per_layer_s") == 0    ? 10e-6
                                                               : q->value;
        if (!(fabs(q->value / want - 1) < 0.2)) /* the prior pulls a little */
            fail_msg("%s is %g, want %g", q->name, q->value, want);
        char shown[32]; /* digits behind these may differ from processor to processor */
        snprintf(shown, sizeof shown, "%.4e", q->value);
        assert_false(q->value < strtod(shown, NULL) || q->value > strtod(shown, NULL));
        if (strcmp(q->name, "per_inference_s") == 0) /* no bypass time tells */
            assert_true(!q->determined && !(q->value < q->prior) && !(q->value > q->prior));
    }
    roof_calibration_free(c);
    pf_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_the_efficiency_doubles_the_ideal),
        cmocka_unit_test(constants_are_added_where_they_belong),
        cmocka_unit_test(constants_of_replayed_code_are_found_again),
        cmocka_unit_test(a_calibration_of_replayed_code_expects_nothing_without_code),
        cmocka_unit_test(transformed_values_come_back),
        cmocka_unit_test(bad_documents_are_refused_with_their_place),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(nothing_to_compare_is_an_error),
        cmocka_unit_test(one_exact_profile_gives_its_constants_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
