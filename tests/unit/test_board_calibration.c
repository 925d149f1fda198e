/* What a board is known to cost for each boundary splits the overhead of one new profile; of another board or
 * profiler it does not. */
#include "roofline/calibration.h"
#include "tests/unit/profile_fixture.h"

typedef struct known {
    const char *hardware, *tool;
    bool determined;
} known;

static roof_calibration *calibration_of(const known *k)
{
    roof_calibration *c = roof_calibration_new();
    assert_non_null(c);
    c->hardware_id = k->hardware;
    c->tool = k->tool;
    c->parameters[0] = (roof_parameter){.name = "per_layer_s",
                                        .value = 20e-6,
                                        .ci95_low = 15e-6,
                                        .ci95_high = 30e-6,
                                        .determined = k->determined};
    c->n_parameters = 1;
    return c;
}

/* Two layers of 100 and 50 us, timed as 180 and 120 us; deployed 200 us, so that the average of a boundary is
 * 100 us. */
static pf_result reconciled_with(const roof_calibration *c, const char *source, const char *bypass)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_printf(
        &text,
        "{\"schema\":\"roofline.measured/1\",%s\"experiments\":[{\"model\":{\"name\":\"net\"},"
        "\"hardware\":{\"id\":\"kv260\"},\"runs\":[%s{\"mode\":\"per_layer\",\"boundaries\":2,"
        "\"total\":{\"mean_s\":0.0004},\"layers\":[{\"name\":\"a\",\"mean_s\":0.00018},{\"name\":\"b\","
        "\"mean_s\":0.00012}]}]",
        source, bypass);
    pf_put_prediction(&text, "a=100 b=50", NULL);
    text_puts(&text, "}]}");
    pf_result p = pf_reconcile_document(text.bytes, &(roof_reconcile_options){.calibration = c});
    text_free(&text);
    return p;
}

static void a_boundary_costs_what_the_board_is_known_for(void **state)
{
    static const char *const bypass[] = {"{\"mode\":\"bypass\",\"total\":{\"mean_s\":0.0002}},", ""};
    roof_calibration *c = calibration_of(&(known){"kv260", "vaitrace 1.4", true});
    (void)state;
    for (size_t i = 0; i < COUNT(bypass); i++) {
        pf_result p = reconciled_with(c, "\"source\":{\"tool\":\"vart_trace\"},", bypass[i]);
        const roof_reconciled *e = &p.r->experiments[0];
        assert_int_equal(e->boundary_source, ROOF_BOUNDARY_CALIBRATION);
        assert_true(e->boundary_cost_s == 20e-6 && e->boundary_ci95_s[0] == 15e-6 &&
                    e->boundary_ci95_s[1] == 30e-6);
        assert_true(fabs(pf_unit(e, "a")->corrected_s - 160e-6) < 1e-12);
        assert_null(e->calibration_unused);
        assert_string_equal(pf_sentence(p.r, ROOF_SENTENCE_BOUNDARY, 0),
                            "a calibration of kv260 says so, 95 % 15 us to 30 us");
        pf_free(&p);
    }
    roof_calibration_free(c);
}

static void another_board_or_profiler_is_told_first_and_changes_nothing(void **state)
{
    static const struct {
        known of;
        const char *first; /* NULL: it is used */
    } rows[] = {
        {{"kv260", NULL, true}, NULL},
        {{"b4096", "vaitrace", true}, NULL}, /* what this board has */
        {{"zcu104", "vaitrace", true}, "net: the calibration is of zcu104, the profile of kv260: "},
        {{"nobody-knows", "vaitrace", true},
         "net: the calibration is of nobody-knows, the profile of kv260: "},
        {{NULL, "vaitrace", true}, "net: the calibration is of unstated hardware, the profile of kv260: "},
        {{"kv260", "nsys", true},
         "net: the calibration was timed by 'nsys', the profile by 'vaitrace 1.4': "},
        {{"kv260", "vaitrace", false}, "net: the calibration does not tell what a boundary costs"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_calibration *c = calibration_of(&rows[i].of);
        pf_result p = reconciled_with(c, "\"source\":{\"tool\":\"vaitrace 1.4\"},",
                                      "{\"mode\":\"bypass\",\"total\":{\"mean_s\":0.0002}},");
        const roof_reconciled *e = &p.r->experiments[0];
        const char *first = pf_sentence(p.r, ROOF_SENTENCE_VERDICT, 0);
        bool is_used = rows[i].first == NULL;
        if ((e->boundary_source == ROOF_BOUNDARY_CALIBRATION) != is_used)
            fail_msg("row %zu: %s", i, first);
        if (!is_used && strncmp(first, rows[i].first, strlen(rows[i].first)) != 0)
            fail_msg("row %zu: %s", i, first);
        assert_true((pf_finding(p.r, ROOF_FINDING_OTHER_CALIBRATION) != NULL) == !is_used);
        assert_true(is_used || fabs(e->boundary_cost_s - 100e-6) < 1e-12);
        pf_free(&p);
        roof_calibration_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_boundary_costs_what_the_board_is_known_for),
        cmocka_unit_test(another_board_or_profiler_is_told_first_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
