/* What a boundary is known to cost splits the overhead of one new profile: by a calibration of this board and
 * profiler, by who states it, by the entry; where nobody knows it is an interval. */
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
static pf_result reconciled_by(const roof_reconcile_options *options, const char *source, const char *bypass,
                               const char *member)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_printf(
        &text,
        "{\"schema\":\"roofline.measured/1\",%s\"experiments\":[{\"model\":{\"name\":\"net\"},"
        "\"hardware\":{\"id\":\"kv260\"},\"runs\":[%s{\"mode\":\"per_layer\",%s\"boundaries\":2,"
        "\"total\":{\"mean_s\":0.0004},\"layers\":[{\"name\":\"a\",\"mean_s\":0.00018},{\"name\":\"b\","
        "\"mean_s\":0.00012}]}]",
        source, bypass, member);
    pf_put_prediction(&text, "a=100 b=50", NULL);
    text_puts(&text, "}]}");
    pf_result p = pf_reconcile_document(text.bytes, options);
    text_free(&text);
    return p;
}

static pf_result reconciled_with(const roof_calibration *c, const char *source, const char *bypass)
{
    return reconciled_by(&(roof_reconcile_options){.calibration = c}, source, bypass, "");
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
        {{"zcu104", "vaitrace", true}, "net: calibration for zcu104, profile from kv260: "},
        {{"nobody-knows", "vaitrace", true}, "net: calibration for nobody-knows, profile from kv260: "},
        {{NULL, "vaitrace", true}, "net: calibration for unstated hardware, profile from kv260: "},
        {{"kv260", "nsys", true}, "net: calibration timed by 'nsys', profile by 'vaitrace 1.4': "},
        {{"kv260", "vaitrace", false}, "net: the calibration lacks the cost per layer boundary"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_calibration *c = calibration_of(&rows[i].of);
        pf_result p = reconciled_with(c, "\"source\":{\"tool\":\"vaitrace 1.4\"},",
                                      "{\"mode\":\"bypass\",\"total\":{\"mean_s\":0.0002}},");
        const roof_reconciled *e = &p.r->experiments[0];
        const char *first = pf_sentence(p.r, ROOF_SENTENCE_BELOW, 0);
        bool is_used = rows[i].first == NULL;
        if ((e->boundary_source == ROOF_BOUNDARY_CALIBRATION) != is_used)
            fail_msg("row %zu: %s", i, first);
        if (!is_used && (!first || strncmp(first, rows[i].first, strlen(rows[i].first)) != 0))
            fail_msg("row %zu: %s", i, first ? first : "nothing");
        assert_true((pf_finding(p.r, ROOF_FINDING_OTHER_CALIBRATION) != NULL) == !is_used);
        assert_true(is_used || fabs(e->boundary_cost_s - 100e-6) < 1e-12);
        pf_free(&p);
        roof_calibration_free(c);
    }
}

/* What is given comes before what the document states, and that before a fit, an average and the entry, which
 * is of its own profiler alone. */
static void a_stated_cost_is_taken_off_and_says_where_it_is_from(void **state)
{
    static const char vaitrace[] = "\"source\":{\"tool\":\"vaitrace_text\"},", other[] = "",
                      whole[] = "{\"mode\":\"bypass\",\"total\":{\"mean_s\":0.0002}},",
                      stated[] = "\"boundary_cost_s\":0.00003,";
    static const struct {
        double given_s;
        const char *tool, *bypass, *member;
        roof_boundary_source source;
        double cost_s, corrected_s;
        const char *begins;
    } rows[] = {
        {20e-6, vaitrace, whole, stated, ROOF_BOUNDARY_GIVEN, 20e-6, 360e-6, "as given by --boundary-cost"},
        {0, vaitrace, whole, stated, ROOF_BOUNDARY_DOCUMENT, 30e-6, 340e-6, "as the measured document"},
        {0, vaitrace, whole, "", ROOF_BOUNDARY_TOTALS, 100e-6, NAN, "average of this model"},
        {0, vaitrace, "", "", ROOF_BOUNDARY_ENTRY, 156e-6, 88e-6, "the entry of the hardware states it: "},
        {0, other, "", "", ROOF_BOUNDARY_UNKNOWN, NAN, NAN, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_reconcile_options options = {.boundary_cost_s = rows[i].given_s};
        pf_result p = reconciled_by(&options, rows[i].tool, rows[i].bypass, rows[i].member);
        const roof_reconciled *e = &p.r->experiments[0];
        assert_int_equal(e->boundary_source, rows[i].source);
        assert_true(isnan(rows[i].cost_s) ? isnan(e->boundary_cost_s)
                                          : fabs(e->boundary_cost_s - rows[i].cost_s) < 1e-12);
        assert_true(isnan(rows[i].corrected_s) || fabs(e->total.corrected_s - rows[i].corrected_s) < 1e-12);
        if (rows[i].begins)
            assert_memory_equal(pf_sentence(p.r, ROOF_SENTENCE_BOUNDARY, 0), rows[i].begins,
                                strlen(rows[i].begins));
        pf_free(&p);
    }
}

/* Two layers leave 80 and 70 us above their ideal: timing is 0 to 70 us at each of two boundaries. */
static void a_cost_that_nobody_knows_is_an_interval_and_comes_before_causes(void **state)
{
    static const double given_s[] = {0, 20e-6};
    (void)state;
    for (size_t i = 0; i < COUNT(given_s); i++) {
        pf_result p = reconciled_by(&(roof_reconcile_options){.boundary_cost_s = given_s[i]}, "", "", "");
        const roof_reconciled *e = &p.r->experiments[0];
        const char *first = pf_sentence(p.r, ROOF_SENTENCE_VERDICT, 0);
        const bool is_doubt = e->n_causes && e->causes[0].kind == ROOF_CAUSE_TIMING;
        assert_true(is_doubt == (i == 0));
        assert_true(!is_doubt || fabs(e->causes[0].gain_s - 140e-6) < 1e-12);
        assert_non_null(
            strstr(first, i ? "360 us without timing (20 us at each of 2 boundaries)"
                            : "of that timing is 0 to 140 us, up to 70 us at each of 2 boundaries"));
        if (is_doubt)
            assert_non_null(strstr(pf_sentence(p.r, ROOF_SENTENCE_VERDICT, 1), "--boundary-cost TIME"));
        pf_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_boundary_costs_what_the_board_is_known_for),
        cmocka_unit_test(a_stated_cost_is_taken_off_and_says_where_it_is_from),
        cmocka_unit_test(a_cost_that_nobody_knows_is_an_interval_and_comes_before_causes),
        cmocka_unit_test(another_board_or_profiler_is_told_first_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
