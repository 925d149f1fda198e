/* Whose time a phase is: nothing is counted twice, nothing is called the host's that nobody said is, and sums
 * close. */
#include "measure/profile/phases.h"
#include "tests/unit/profile_fixture.h"

/* Of a bypass run of 12.3 ms, with a model whose ideal is 2 ms. */
static const struct {
    const char *members;
    double host_s, unattributed_s; /* of the run by phases; NaN: not known */
    roof_finding_kind kind;        /* ROOF_FINDING_COUNT: none about phases */
    const char *text;
} rows[] = {
    {"'phases':{'run_s':0.0115,'write_s':0.0004}", 0.0004, 0.0004, ROOF_FINDING_COUNT, NULL},
    {"'phases':{'ipu_s':0.0115,'write_s':0.0004}", 0.0004, 0.0004, ROOF_FINDING_PHASE_KIND,
     "11.5 ms of 12.3 ms is assigned to neither accelerator nor CPU: phases ipu_s"},
    {"'phases':{'ipu_s':0.0115},'phase_kinds':{'ipu_s':'accelerator'}", NAN, 0.0008, ROOF_FINDING_COUNT,
     NULL},
    {"'phase_parents':{'conv_s':'ipu_s'},'phase_kinds':{'ipu_s':'accelerator'},'phases':{'ipu_s':0.0115,"
     "'conv_s':0.0102,'launch_s':0.0001}",
     0.0001, 0.0007, ROOF_FINDING_COUNT, NULL},
    {"'phases':{'ipu_s':0.0115,'copy_s':0.0015},'phase_kinds':{'ipu_s':'accelerator','copy_s':'transfer'},"
     "'phase_parents':{'copy_s':'ipu_s'}",
     0.0015, 0.0008, ROOF_FINDING_COUNT, NULL},
    {"'phases':{'run_s':0.0115,'host_s':0.0122}", NAN, NAN, ROOF_FINDING_PHASES_EXCEED,
     "sum to 23.7 ms, the inference takes 12.3 ms"},
    {"'phases':{'host_s':0.006,'run_s':0.006}", 0.006, 0.0003, ROOF_FINDING_HOST_BOUND,
     "49 % of the latency is CPU time: 6 ms of 12.3 ms"},
};

static bool near(double a, double b)
{
    return isnan(a) ? isnan(b) : fabs(a - b) < 1e-12;
}

static pf_result reconcile(const char *members)
{
    textbuf json;
    text_init(&json, TEXT_MAX_BYTES);
    text_puts(&json,
              "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"runs\":[{"
              "\"mode\":\"bypass\",\"total\":{\"mean_s\":0.0123},");
    for (const char *p = members; *p; p++)
        text_printf(&json, "%c", *p == '\'' ? '"' : *p);
    text_puts(&json, "}]");
    pf_put_prediction(&json, "a=1500 b=500", NULL);
    text_puts(&json, "}]}");
    pf_result p = pf_reconcile_document(json.bytes, NULL);
    text_free(&json);
    return p;
}

static double sum_of_parts(const roof_attribution *a)
{
    double sum = 0;
    for (uint32_t i = 0; i < a->n_parts; i++)
        sum += a->parts[i].seconds;
    return sum;
}

static void only_what_is_known_to_be_the_hosts_is_called_so(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        pf_result p = reconcile(rows[i].members);
        bool exceeds = rows[i].kind == ROOF_FINDING_PHASES_EXCEED;
        const char *kind = pf_finding(p.r, ROOF_FINDING_PHASE_KIND),
                   *exceed = pf_finding(p.r, ROOF_FINDING_PHASES_EXCEED);
        if (!near(rows[i].host_s, p.r->experiments[0].total.host_s))
            fail_msg("%s: host %g", rows[i].members, p.r->experiments[0].total.host_s);
        assert_true((kind != NULL) == (rows[i].kind == ROOF_FINDING_PHASE_KIND) &&
                    (exceed != NULL) == exceeds);
        assert_true((pf_finding(p.r, ROOF_FINDING_HOST_BOUND) != NULL) ==
                    (rows[i].kind == ROOF_FINDING_HOST_BOUND));
        if (rows[i].text && !strstr(pf_finding(p.r, rows[i].kind), rows[i].text))
            fail_msg("%s: '%s'", rows[i].members, pf_finding(p.r, rows[i].kind));
        pf_free(&p);
    }
}

static void phases_close_and_are_in_the_sum_of_the_deployed_run(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        pf_result p = reconcile(rows[i].members);
        const roof_attribution *wall = &p.r->experiments[0].wall, *deployed = &p.r->experiments[0].deployed;
        assert_true(deployed->attributed_s + deployed->unattributed_s == deployed->total_s);
        assert_true((wall->of == NULL) == isnan(rows[i].unattributed_s));
        for (uint32_t k = 0; k < wall->n_parts; k++)
            assert_true(wall->parts[k].seconds > 0 && wall->parts[k].share_ratio <= 1);
        if (wall->of) {
            assert_true(near(wall->unattributed_s, rows[i].unattributed_s));
            assert_true(near(sum_of_parts(wall), wall->total_s - wall->unattributed_s));
        }
        if (wall->of && rows[i].kind != ROOF_FINDING_PHASE_KIND) /* one number in both, of one time */
            assert_true(near(deployed->unattributed_s, wall->unattributed_s));
        pf_free(&p);
    }
}

/* A log with no more than its last block. */
static void totals_by_phase_are_attributed_without_rows(void **state)
{
    static const char json[] = "{\"schema\":\"roofline.measured/"
                               "1\",\"experiments\":[{\"runs\":[{\"mode\":\"per_layer\",\"clocks_hz\":{"
                               "\"mcu\":1000},\"total\":{\"mean_s\":1},\"phase_cycles\":{\"core\":{\"mcu\":"
                               "600},\"pre+post\":{\"mcu\":300}}}]}]}";
    pf_result p = pf_reconcile_document(json, NULL);
    const roof_attribution *a = &p.r->experiments[0].layer_by_layer;
    (void)state;
    assert_int_equal(a->n_parts, 2);
    assert_string_equal(a->parts[0].name, "core phases");
    assert_true(near(a->parts[0].seconds, 0.6) && near(a->parts[1].seconds, 0.3) &&
                near(a->unattributed_s, 0.1));
    pf_free(&p);
}

/* Of 12.3 ms. */
static void what_binds_is_said_where_the_rest_cannot_change_it(void **state)
{
    static const struct {
        const char *members;
        roof_phase_kind bound;
        roof_finding_kind finding; /* ROOF_FINDING_COUNT: the accelerator has nearly all of it */
    } cases[] = {
        {"'phases':{'run_s':0.0115,'write_s':0.0004}", ROOF_PHASE_ACCELERATOR, ROOF_FINDING_COUNT},
        {"'phases':{'run_s':0.004,'write_s':0.0045,'read_s':0.0015,'host_s':0.002}", ROOF_PHASE_TRANSFER,
         ROOF_FINDING_TRANSFER_BOUND},
        {"'phases':{'run_s':0.004,'write_s':0.003,'host_s':0.0045,'launch_s':0.0005}", ROOF_PHASE_HOST,
         ROOF_FINDING_HOST_BOUND},
        {"'phases':{'run_s':0.008,'write_s':0.002,'host_s':0.002}", ROOF_PHASE_ACCELERATOR,
         ROOF_FINDING_HOST_BOUND}, /* neither alone is a fifth */
        {"'phases':{'run_s':0.008,'write_s':0.003,'host_s':0.001}", ROOF_PHASE_ACCELERATOR,
         ROOF_FINDING_TRANSFER_BOUND},
        {"'phases':{'run_s':0.006,'read_s':0.005}", ROOF_PHASE_UNDECLARED, ROOF_FINDING_TRANSFER_BOUND},
        {"'phases':{'run_s':0.006,'ipu_s':0.006}", ROOF_PHASE_UNDECLARED, ROOF_FINDING_COUNT},
        {"'phases':{'ipu_s':0.012}", ROOF_PHASE_UNDECLARED, ROOF_FINDING_COUNT},
        {"'phases':{'run_s':0.012,'host_s':0.005}", ROOF_PHASE_UNDECLARED, ROOF_FINDING_COUNT},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        pf_result p = reconcile(cases[i].members);
        roof_phase_kind bound = phases_bound(p.r->experiments[0].bypass);
        bool is_host = pf_finding(p.r, ROOF_FINDING_HOST_BOUND) != NULL,
             is_transfer = pf_finding(p.r, ROOF_FINDING_TRANSFER_BOUND) != NULL;
        if (bound != cases[i].bound || is_host != (cases[i].finding == ROOF_FINDING_HOST_BOUND) ||
            is_transfer != (cases[i].finding == ROOF_FINDING_TRANSFER_BOUND))
            fail_msg("%s: bound by kind %d%s%s", cases[i].members, bound, is_host ? ", host" : "",
                     is_transfer ? ", transfers" : "");
        pf_free(&p);
    }
}

/* Parts of nothing: no inference is known that they are shares of. */
static void nothing_binds_an_inference_without_a_time(void **state)
{
    static const char json[] = "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"runs\":[{\"mode\":"
                               "\"bypass\",\"phases\":{\"run_s\":0.01}}]}]}";
    pf_result p = pf_reconcile_document(json, NULL);
    (void)state;
    assert_int_equal(phases_bound(&p.measured->experiments[0].runs[0]), ROOF_PHASE_UNDECLARED);
    pf_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_is_known_to_be_the_hosts_is_called_so),
        cmocka_unit_test(phases_close_and_are_in_the_sum_of_the_deployed_run),
        cmocka_unit_test(totals_by_phase_are_attributed_without_rows),
        cmocka_unit_test(what_binds_is_said_where_the_rest_cannot_change_it),
        cmocka_unit_test(nothing_binds_an_inference_without_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
