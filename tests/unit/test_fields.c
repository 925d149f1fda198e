/* What an importer knows of its rows decides what is made of them: cycles that are no time, bytes that are no
 * traffic, runs that are no measurement. What is left aside is said. */
#include "measure/import/fields.h"
#include "measure/profile/profile.h"
#include "tests/unit/profile_fixture.h"

/* A profile by layers at 1 MHz, whose ' are " in JSON, with a model of one layer of 100 us that moves 640
 * bytes. */
static pf_result reconcile(const char *rows, const char *more)
{
    textbuf json;
    text_init(&json, TEXT_MAX_BYTES);
    text_printf(&json,
                "{'schema':'roofline.measured/1','experiments':[{'model':{'name':'net'},'runs':[{'mode':"
                "'per_layer','clocks_hz':{'npu':1e6}%s,'layers':[%s]}]",
                more, rows);
    for (char *p = json.bytes; *p; p++)
        *p = *p == '\'' ? '"' : *p;
    pf_put_prediction(&json, "a=100", NULL);
    text_puts(&json, "}]}");
    pf_result p = {.measured = pf_read(json.bytes), .predictions = calloc(2, sizeof *p.predictions)};
    roof_prediction *own = p.measured->experiments[0].prediction;
    text_free(&json);
    p.predictions[0] = own;
    own->layers[0].deployed.traffic =
        (roof_traffic){.weights_bytes = 600, .input_bytes = 30, .output_bytes = 10};
    assert_int_equal(roof_reconcile(p.measured, p.predictions, NULL, &p.r, NULL), ROOF_OK);
    return p;
}

static bool has_text(const pf_result *p, const char *words)
{
    char text[ROOF_SENTENCE_SIZE];
    for (uint32_t i = 0; i < p->r->n_findings; i++)
        if (strstr(roof_sentence(p->r, ROOF_SENTENCE_FINDING, i, text), words))
            return true;
    return false;
}

static void only_elapsed_cycles_are_a_time(void **state)
{
    static const struct {
        const char *row;
        double measured_s;
        const char *said; /* of what was left aside; NULL: nothing */
    } rows[] = {
        {"'cycles':{'npu':150}", 150e-6, NULL},
        {"'cycles':{'npu':150},'cycles_kind':'elapsed'", 150e-6, NULL},
        {"'cycles':{'dpu':150}", NAN, "no clock for the cycles of 'dpu': add it to clocks_hz"},
        {"'cycles':{'npu':150},'cycles_kind':'summed'", NAN,
         "cycles of 'npu' are summed over parallel units: not converted to time"},
        {"'cycles':{'npu':150},'cycles_kind':'predicted'", NAN,
         "cycles of 'npu' are the tool's estimate: not converted to time"},
        {"'cycles':{'npu':150},'cycles_kind':'predicted','mean_s':2e-4", 200e-6,
         "cycles of 'npu' are the tool's estimate"},
        {"'cycles_kind':'summed','mean_s':2e-4", 200e-6, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char row[200];
        snprintf(row, sizeof row, "{'name':'a',%s}", rows[i].row);
        pf_result p = reconcile(row, "");
        double got = p.r->experiments[0].matches[0].measured_s;
        if (isnan(rows[i].measured_s) ? !isnan(got) : !(fabs(got - rows[i].measured_s) < 1e-12))
            fail_msg("%s: %g s", row, got);
        if (has_text(&p, "cycles of '") != (rows[i].said != NULL) ||
            (rows[i].said && !has_text(&p, rows[i].said)))
            fail_msg("%s: not said, or too much", row);
        pf_free(&p);
    }
}

static void bytes_of_the_compiled_model_are_no_traffic(void **state)
{
    static const struct {
        const char *basis;
        double measured;
        uint32_t compared, agree, static_compared, static_agree;
        bool is_said, differs;
        unsigned bytes;
    } rows[] = {
        {"", 640, 1, 1, 0, 0, false, false, 640},
        {",'bytes_basis':'counter'", 640, 1, 1, 0, 0, false, false, 640},
        {",'bytes_basis':'counter'", 1280, 1, 0, 0, 0, false, true, 1280},
        {",'bytes_basis':'static'", NAN, 0, 0, 1, 1, true, false, 640},
        {",'bytes_basis':'static'", NAN, 0, 0, 1, 0, true, true, 1280}, /* another compilation */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char row[200];
        double measured, predicted;
        snprintf(row, sizeof row, "{'name':'a','mean_s':2e-4,'total_bytes':%u%s}", rows[i].bytes,
                 rows[i].basis);
        pf_result p = reconcile(row, "");
        const roof_reconciled *e = &p.r->experiments[0];
        roof_match_bytes(e, &e->matches[0], &measured, &predicted);
        assert_true(predicted == 640);
        assert_true(isnan(rows[i].measured) ? isnan(measured) : measured == rows[i].measured);
        assert_int_equal(e->total.bytes_compared, rows[i].compared);
        assert_int_equal(e->total.bytes_agree, rows[i].agree);
        assert_int_equal(e->total.static_bytes_compared, rows[i].static_compared);
        assert_int_equal(e->total.static_bytes_agree, rows[i].static_agree);
        assert_int_equal(has_text(&p, "the tool computed the bytes of 1 row from the model"),
                         rows[i].is_said);
        assert_int_equal(pf_finding(p.r, ROOF_FINDING_BYTES_DIFFER) != NULL, rows[i].differs);
        pf_free(&p);
    }
}

/* One equation with two unknowns has to have traffic in it that was counted. */
static void bytes_of_the_compiled_model_are_no_extra_traffic(void **state)
{
    static const char *const bases[] = {"", ",\"bytes_basis\":\"static\""};
    (void)state;
    for (size_t i = 0; i < COUNT(bases); i++) {
        char json[500];
        snprintf(
            json, sizeof json,
            "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"runs\":["
            "{\"mode\":\"bypass\",\"total\":{\"mean_s\":1},\"total_bytes\":5},"
            "{\"mode\":\"per_layer\",\"layers\":[{\"name\":\"a\",\"mean_s\":1,\"total_bytes\":9%s}]}]}]}",
            bases[i]);
        pf_result p = pf_reconcile_document(json, NULL);
        double extra = p.r->experiments[0].total.extra_bytes;
        assert_true(i ? isnan(extra) : extra == 4);
        assert_int_equal(p.r->experiments[0].total.extra_is_measured, i == 0);
        pf_free(&p);
    }
}

static void a_doubt_is_a_finding_in_its_own_words(void **state)
{
    static const struct {
        const char *word;
        roof_finding_kind kind;
        const char *said;
    } rows[] = {
        {"emulation", ROOF_FINDING_EMULATED, "a host's emulation: 1 of 2"},
        {"half_clock", ROOF_FINDING_HALF_CLOCK, "the clock is half of what was expected: 1 of 2"},
        {"half_width", ROOF_FINDING_HALF_WIDTH, "the bus is half as wide as expected: 1 of 2"},
        {"underflow", ROOF_FINDING_UNDERFLOW, "an unsigned underflow printed as bytes: 1 of 2"},
        {"no_unit", ROOF_FINDING_NOT_USED, "a number without its unit: 1 of 2"},
        {"logged", ROOF_FINDING_LOGGED, "a log was written meanwhile: 1 of 2"},
    };
    (void)state;
    assert_int_equal(COUNT(rows), ROOF_DOUBT_KINDS);
    for (size_t i = 0; i < COUNT(rows); i++) {
        char doubts[100];
        snprintf(doubts, sizeof doubts, ",'doubts':[{'kind':'%s','text':'1 of 2'}]", rows[i].word);
        pf_result p = reconcile("{'name':'a','mean_s':2e-4}", doubts);
        assert_string_equal(pf_finding(p.r, rows[i].kind), rows[i].said);
        assert_true(*roof_finding_advice(rows[i].kind));
        pf_free(&p);
    }
}

/* An importer finds the same in both runs of one file. */
static void the_same_doubt_of_both_runs_is_listed_once(void **state)
{
    static const char json[] =
        "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"runs\":["
        "{\"mode\":\"bypass\",\"total\":{\"mean_s\":1},\"doubts\":[{\"kind\":\"emulation\",\"text\":\"x\"}]},"
        "{\"mode\":\"per_layer\",\"total\":{\"mean_s\":1},\"doubts\":[{\"kind\":\"emulation\",\"text\":\"x\"}"
        ","
        "{\"kind\":\"half_clock\",\"text\":\"x\"},{\"kind\":\"emulation\",\"text\":\"y\"}]}]}]}";
    pf_result p = pf_reconcile_document(json, NULL);
    uint32_t n = 0;
    (void)state;
    for (uint32_t i = 0; i < p.r->n_findings; i++)
        n += p.r->findings[i].kind == ROOF_FINDING_EMULATED;
    assert_int_equal(n, 2);
    assert_non_null(pf_finding(p.r, ROOF_FINDING_HALF_CLOCK));
    pf_free(&p);
}

static void a_run_keeps_each_doubt_once_and_no_more_than_a_document_holds(void **state)
{
    roof_measured *m = pf_read("{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"runs\":[{\"mode\":"
                               "\"bypass\"}]}]}");
    roof_run *run = &m->experiments[0].runs[0];
    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(run_add_doubt(m, run, ROOF_DOUBT_UNDERFLOW, NULL, "%s", "the same"), ROOF_OK);
    assert_int_equal(run_add_doubt(m, run, ROOF_DOUBT_EMULATION, NULL, "%s", "the same"), ROOF_OK);
    assert_int_equal(run->n_doubts, 2);
    for (int i = 0; i < 2 * MOST_DOUBTS; i++)
        assert_int_equal(run_add_doubt(m, run, ROOF_DOUBT_UNDERFLOW, NULL, "%d", i), ROOF_OK);
    assert_int_equal(run->n_doubts, MOST_DOUBTS);
    assert_string_equal(run->doubts[2].text, "0");
    roof_measured_free(m);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_elapsed_cycles_are_a_time),
        cmocka_unit_test(bytes_of_the_compiled_model_are_no_traffic),
        cmocka_unit_test(bytes_of_the_compiled_model_are_no_extra_traffic),
        cmocka_unit_test(a_doubt_is_a_finding_in_its_own_words),
        cmocka_unit_test(the_same_doubt_of_both_runs_is_listed_once),
        cmocka_unit_test(a_run_keeps_each_doubt_once_and_no_more_than_a_document_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
