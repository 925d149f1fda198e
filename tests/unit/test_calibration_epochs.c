/* Calibrations of plans: what starting an epoch and the host's own epochs cost, and memories that are not the
 * same memory. */
#include "model/documents/documents.h"
#include "model/predict/calibrated.h"
#include "roofline/calibrate.h"
#include "tests/support/c_info_writer.h"
#include "tests/support/ethosu_writer.h"
#include "tests/unit/profile_fixture.h"

enum { MOST_EPOCHS = 16 };

static roof_prediction *predict(const ci_network *network)
{
    textbuf text;
    roof_graph *graph = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    roof_hw *hw = fx_hw("stm32n6");
    text_init(&text, TEXT_MAX_BYTES);
    ci_write(network, CI_3_0, &text);
    if (graph_read_memory((const unsigned char *)text.bytes, text.length, "c_info.json", &graph, &err) !=
            ROOF_OK ||
        roof_predict(graph, hw, NULL, &p, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_graph_free(graph);
    roof_hw_free(hw);
    text_free(&text);
    return p;
}

static roof_calibration *read_calibration(const char *parameters, const char *covariance)
{
    char json[2000];
    roof_calibration *c = NULL;
    roof_error err = {0};
    snprintf(json, sizeof json,
             "{\"schema\":\"roofline.calibration/1\",\"parameters\":[%s],\"covariance\":[%s]}", parameters,
             covariance);
    memory_source source = {json, strlen(json), 0};
    if (calibration_read_from(memory_read, &source, "c.json", &c, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return c;
}

/* ---- names ---- */

static void memories_have_efficiencies_of_their_own(void **state)
{
    static const struct {
        const char *engine, *parameter;
    } rows[] = {{"conv", "efficiency.conv"},           {"alu", "efficiency.alu"},
                {"compute", "efficiency.compute"},     {"load", "efficiency.memory"},
                {"save", "efficiency.memory"},         {"memory", "efficiency.memory"},
                {"octoFlash", "efficiency.octoFlash"}, {"hyperRAM", "efficiency.hyperRAM"},
                {"npuRAM", "efficiency.npuRAM"},       {"npuRAM3", "efficiency.npuRAM"},
                {"npuRAM6", "efficiency.npuRAM"},      {"cpuRAM2", "efficiency.cpuRAM"},
                {"somewhere", "efficiency.somewhere"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char name[EFFICIENCY_NAME_SIZE];
        engine_efficiency_name(rows[i].engine, name);
        assert_string_equal(name, rows[i].parameter);
    }
}

/* ---- what to expect ---- */

static const char constants[] = "{\"name\":\"per_start_s\",\"value\":1e-5},"
                                "{\"name\":\"per_software_epoch_s\",\"value\":1e-3}";

static void starts_are_those_of_the_host_and_its_epochs_have_a_time(void **state)
{
    /* epochs 1 to 7 of ci_tiny: the second and the third are one blob, the sixth is the host's, the seventh
     * both's */
    static const struct {
        unsigned starts, software;
    } want[] = {{1, 0}, {1, 0}, {0, 0}, {1, 0}, {1, 0}, {0, 1}, {1, 1}};
    double layer_s[MOST_EPOCHS], sum = 0;
    roof_prediction *p = predict(&ci_tiny);
    roof_calibration *c = read_calibration(constants, "[0,0],[0,0]");
    roof_expected x = roof_calibration_expect(c, p, layer_s);
    (void)state;
    assert_int_equal(p->n_layers, COUNT(want));
    for (uint32_t i = 0; i < p->n_layers; i++) {
        double ideal = isnan(p->layers[i].deployed.ideal_s) ? 0 : p->layers[i].deployed.ideal_s;
        double expected = ideal + want[i].starts * 1e-5 + want[i].software * 1e-3;
        if (!(fabs(layer_s[i] - expected) < 1e-12))
            fail_msg("%s: %g s, want %g", p->layers[i].name, layer_s[i], expected);
        sum += expected;
    }
    assert_true(fabs(x.total_s - sum) < 1e-12);
    roof_calibration_free(c);
    roof_prediction_free(p);
}

static void what_a_calibration_does_not_know_is_not_0(void **state)
{
    double layer_s[MOST_EPOCHS];
    roof_prediction *p = predict(&ci_tiny);
    roof_calibration *c = read_calibration("{\"name\":\"efficiency.conv\",\"value\":0.5}", "[0]");
    roof_expected x = roof_calibration_expect(c, p, layer_s);
    (void)state;
    assert_true(isnan(x.total_s) && isnan(x.ci95_s[0]) && isnan(x.ci95_s[1]));
    assert_true(isnan(layer_s[0]) && isnan(layer_s[5]) && isnan(layer_s[6]));
    assert_true(layer_s[2] > 0); /* within a blob: nobody starts it */
    roof_calibration_free(c);
    roof_prediction_free(p);
}

/* ---- fitting ---- */

enum { FLASH, RAM, POOLS };

/* Each bound by one thing: streams, the flash, its own RAM; then the host's. */
static const ci_pool pools[POOLS] = {{"octoFlash", 1, 600, true, true, true, 0x71000000, 112 << 20},
                                     {"npuRAM4", 8, 125, false, false, false, 0x34270000, 448 << 10}};
static const ci_op conv[] = {{"Conv", "Conv", "CONV_ACC_V2 0", 8, 8}};
static const ci_op other[] = {{"Softmax", "Softmax", NULL, 8, 0}};
static const ci_access flash[] = {{FLASH, 400000, 0, 2400000, 0}};
static const ci_access ram[] = {{RAM, 3600000, 3600000, 562500, 562500}};
static const ci_epoch epochs[] = {
    {1, "NODE_HW", NULL, 0, 1000000, conv, 1, NULL, 0}, {2, "NODE_HW", NULL, 0, 100, conv, 1, flash, 1},
    {3, "NODE_HW", NULL, 0, 100, conv, 1, ram, 1},      {4, "NODE_SW", NULL, 0, 0, other, 1, NULL, 0},
    {5, "NODE_HW", NULL, 0, 2000000, conv, 1, NULL, 0},
};
static const ci_network network = {"net", pools, POOLS, epochs, COUNT(epochs)};

/* Planted: compute at 0.8, the flash at 0.5, the NPU's RAM at 0.4; 30 us for a start; 2 ms for the host.
 * Clocks of 1 MHz, so that a cycle is a microsecond. %s: the last core, in cycles. */
static const char phased[] =
    "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"hardware\":{\"id\":"
    "\"stm32n6\"},\"runs\":[{\"mode\":\"per_layer\",\"clocks_hz\":{\"mcu\":1000000},\"sum_of_layers_s\":0."
    "010820,"
    "\"layers\":["
    "{\"name\":\"epoch_1\",\"mean_s\":0.001280,\"phase_cycles\":{\"pre\":{\"mcu\":20},\"core\":{\"mcu\":1250}"
    ","
    "\"post\":{\"mcu\":10}}},"
    "{\"name\":\"epoch_2\",\"mean_s\":0.002030,\"phase_cycles\":{\"pre\":{\"mcu\":20},\"core\":{\"mcu\":2000}"
    ","
    "\"post\":{\"mcu\":10}}},"
    "{\"name\":\"epoch_3\",\"mean_s\":0.002530,\"phase_cycles\":{\"pre\":{\"mcu\":20},\"core\":{\"mcu\":2500}"
    ","
    "\"post\":{\"mcu\":10}}},"
    "{\"name\":\"epoch_4\",\"mean_s\":0.002000,\"phase_cycles\":{\"pre\":{\"mcu\":1},\"core\":{\"mcu\":1},"
    "\"post\":{\"mcu\":1998}}},"
    "{\"name\":\"epoch_5\",\"mean_s\":0.002530,\"phase_cycles\":{\"pre\":{\"mcu\":20},\"core\":{\"mcu\":%s},"
    "\"post\":{\"mcu\":10}}}"
    "]}]}]}";

static roof_calibration *calibrate(const char *core_of_the_last, roof_prediction *p)
{
    char json[2400];
    const roof_prediction *predictions[] = {p};
    roof_reconciliation *r = NULL;
    roof_calibration *c = NULL;
    roof_error err = {0};
    snprintf(json, sizeof json, phased, core_of_the_last);
    roof_measured *m = pf_read(json);
    if (roof_reconcile(m, predictions, NULL, &r, &err) != ROOF_OK || roof_calibrate(r, &c, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_reconciliation_free(r);
    roof_measured_free(m);
    return c;
}

static const roof_parameter *parameter(const roof_calibration *c, const char *name)
{
    for (uint32_t i = 0; i < c->n_parameters; i++)
        if (strcmp(c->parameters[i].name, name) == 0)
            return &c->parameters[i];
    return NULL;
}

static void a_profile_with_phases_gives_its_constants_back(void **state)
{
    static const struct {
        const char *name;
        double value, tolerance; /* the prior pulls at what is observed once */
    } want[] = {{"efficiency.compute", 0.8, 0.02},
                {"efficiency.octoFlash", 0.5, 0.02},
                {"efficiency.npuRAM", 0.4, 0.02},
                {"per_start_s", 30e-6, 0.02},
                {"per_software_epoch_s", 2e-3, 0.4}};
    roof_prediction *p = predict(&network);
    roof_calibration *c = calibrate("2500", p);
    (void)state;
    for (size_t i = 0; i < COUNT(want); i++) {
        const roof_parameter *q = parameter(c, want[i].name);
        assert_non_null(q);
        if (!(fabs(q->value / want[i].value - 1) < want[i].tolerance))
            fail_msg("%s is %g, want %g", q->name, q->value, want[i].value);
    }
    /* nothing here was launched layer by layer or timed as a whole */
    assert_null(parameter(c, "per_layer_s"));
    assert_null(parameter(c, "per_inference_s"));
    assert_int_equal(c->layers, 5);
    assert_int_equal(c->totals, 0);
    roof_calibration_free(c);
    roof_prediction_free(p);
}

static void an_epoch_that_waits_does_not_make_all_others_slow(void **state)
{
    roof_prediction *p = predict(&network);
    roof_calibration *c = calibrate("10000", p); /* four times as slow as the other one of its kind */
    (void)state;
    double value = parameter(c, "efficiency.compute")->value;
    if (!(value > 0.6)) /* least squares: 0.4 */
        fail_msg("efficiency.compute is %g", value);
    assert_true(c->residual_ratio > 0.5); /* and is not forgotten */
    roof_calibration_free(c);
    roof_prediction_free(p);
}

/* ---- deployed runs of several NPU operators ---- */

enum { MOST_STARTS = 5, NETWORKS = 3 };

/* An ExecuTorch program of n command streams: each is a start of the NPU. */
static roof_prediction *predict_streams(unsigned n)
{
    static const unsigned char head[16] = "\x20\0\0\0ET12", pad[16];
    fx_net net = {0};
    fx_append(&net, head, sizeof head);
    for (unsigned i = 0; i < n; i++) {
        size_t size;
        unsigned char *bytes = euw_write(&euw_small, &size);
        fx_append(&net, bytes, size);
        fx_append(&net, pad, 16 + (16 - size % 16) % 16);
        free(bytes);
    }
    fx_read(&net, "net.pte");
    roof_prediction *p = fx_predict(net.graph, "ethos-u55-128", NULL);
    fx_close(&net);
    return p;
}

/* What a log of the PMU tells: how long it takes, and how often the NPU is started. */
static roof_reconciliation *reconcile_deployed(const unsigned *starts, roof_prediction *const *predictions,
                                               roof_measured **m)
{
    roof_reconciliation *r = NULL;
    roof_error err = {0};
    textbuf json;
    text_init(&json, TEXT_MAX_BYTES);
    text_puts(&json, "{\"schema\":\"roofline.measured/1\",\"experiments\":[");
    for (int i = 0; i < NETWORKS; i++)
        text_printf(&json,
                    "%s{\"model\":{\"name\":\"net%d\"},\"hardware\":{\"id\":\"%s\"},\"runs\":[{\"mode\":"
                    "\"bypass\",\"boundaries\":%u,\"total\":{\"mean_s\":%.9f,\"count\":9}}]}",
                    i ? "," : "", i, predictions[i]->hardware.id, starts[i],
                    predictions[i]->total.deployed.ideal_s + 1e-4 * starts[i] + 1e-6);
    text_puts(&json, "]}");
    *m = pf_read(json.bytes);
    text_free(&json);
    if (roof_reconcile(*m, (const roof_prediction *const *)predictions, NULL, &r, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return r;
}

static bool tells_other_starts(const roof_reconciliation *r)
{
    for (uint32_t i = 0; i < r->n_findings; i++)
        if (r->findings[i].remark.form == ROOF_FORM_OTHER_EPOCHS)
            return true;
    return false;
}

static void a_start_costs_what_whole_networks_with_more_of_them_take_longer(void **state)
{
    static const unsigned starts[NETWORKS] = {1, 2, MOST_STARTS}, others[NETWORKS] = {1, 3, MOST_STARTS};
    roof_prediction *predictions[NETWORKS];
    roof_calibration *c = NULL;
    roof_measured *m;
    roof_error err = {0};
    (void)state;
    for (int i = 0; i < NETWORKS; i++)
        predictions[i] = predict_streams(starts[i]);
    roof_reconciliation *r = reconcile_deployed(starts, predictions, &m);
    for (int i = 0; i < NETWORKS; i++) {
        assert_int_equal(predictions[i]->total.boundaries, starts[i]);
        assert_int_equal(r->experiments[i].boundaries, starts[i]);
        assert_false(tells_other_starts(r));
    }
    assert_int_equal(roof_calibrate(r, &c, &err), ROOF_OK);
    double value = parameter(c, "per_start_s")->value;
    if (!(fabs(value / 1e-4 - 1) < 0.1)) /* the prior pulls */
        fail_msg("per_start_s is %g", value);
    roof_calibration_free(c);
    roof_reconciliation_free(r);
    roof_measured_free(m);
    /* a log of another compilation is told by its starts */
    r = reconcile_deployed(others, predictions, &m);
    assert_true(tells_other_starts(r));
    roof_reconciliation_free(r);
    roof_measured_free(m);
    for (int i = 0; i < NETWORKS; i++)
        roof_prediction_free(predictions[i]);
}

/* ---- matching ---- */

static void the_hosts_epochs_have_places_like_all_others(void **state)
{
    static const char unnamed[] =
        "{\"schema\":\"roofline.measured/"
        "1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"runs\":[{\"mode\":"
        "\"per_layer\",\"boundaries\":5,\"layers\":[{\"index\":1,\"name\":\"a\",\"mean_s\":0.002},{\"index\":"
        "2,"
        "\"name\":\"b\",\"mean_s\":0.002},{\"index\":3,\"name\":\"c\",\"mean_s\":0.002},{\"index\":4,"
        "\"name\":"
        "\"d\",\"mean_s\":0.002},{\"index\":5,\"name\":\"e\",\"mean_s\":0.003}]}]}]}";
    roof_prediction *p = predict(&network);
    const roof_prediction *predictions[] = {p};
    roof_measured *m = pf_read(unnamed);
    roof_reconciliation *r = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_reconcile(m, predictions, NULL, &r, &err), ROOF_OK);
    const roof_reconciled *e = &r->experiments[0];
    assert_int_equal(e->n_matches, 5);
    for (uint32_t i = 0; i < e->n_matches; i++) {
        assert_int_equal(e->matches[i].n_rows, 1);
        assert_int_equal(e->row_order[e->matches[i].row], e->layer_order[e->matches[i].layer]);
    }
    roof_reconciliation_free(r);
    roof_measured_free(m);
    roof_prediction_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memories_have_efficiencies_of_their_own),
        cmocka_unit_test(starts_are_those_of_the_host_and_its_epochs_have_a_time),
        cmocka_unit_test(what_a_calibration_does_not_know_is_not_0),
        cmocka_unit_test(a_profile_with_phases_gives_its_constants_back),
        cmocka_unit_test(an_epoch_that_waits_does_not_make_all_others_slow),
        cmocka_unit_test(a_start_costs_what_whole_networks_with_more_of_them_take_longer),
        cmocka_unit_test(the_hosts_epochs_have_places_like_all_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
