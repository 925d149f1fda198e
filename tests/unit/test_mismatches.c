/* What makes a comparison false is told before it is made, and no causes are ranked then. */
#include "tests/unit/profile_fixture.h"

/* --- hardware ------------------------------------------------------------------------------------------ */

static pf_result measured_on(const char *stated, const char *requested, double bypass_us)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text, "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},");
    if (stated)
        text_printf(&text, "\"hardware\":{\"id\":\"%s\"},", stated);
    text_printf(
        &text,
        "\"runs\":[{\"mode\":\"bypass\",\"total\":{\"mean_s\":%.9f}}],\"prediction\":{\"schema\":"
        "\"roofline.prediction/1\",\"model\":{\"name\":\"net\"},\"hardware\":{\"id\":\"%s\",\"name\":"
        "\"asked\",\"clock_hz\":1e6},\"layers\":[],\"total\":{\"ideal_s\":0.001,\"floor_s\":0.001}}}]}",
        bypass_us * 1e-6, requested);
    pf_result p = pf_reconcile_document(text.bytes, NULL);
    text_free(&text);
    return p;
}

static void hardware_that_the_document_contradicts_is_told_first_and_nothing_is_ranked(void **state)
{
    static const struct {
        const char *stated, *requested;
        bool is_other;
    } rows[] = {
        {"zcu104", "stm32n6", true},          /* another family */
        {"zcu104", "kv260", true},            /* another board */
        {"ZCU104", "zcu104", false},          /* the same */
        {"kv260", "b4096", false},            /* what this board has */
        {"kv260", "b3136", true},             /* another array */
        {"kv260-b4096", "kv260", false},      /* an alias */
        {"stm32n6", "stm32n6-normal", false}, /* another clock */
        {"base=kv260,clock=250MHz", "kv260", false},
        {"base=kv260,clock=250MHz", "npu2", true},
        {"my-board", "kv260", false}, /* nobody knows what it is */
        {NULL, "kv260", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        pf_result p = measured_on(rows[i].stated, rows[i].requested, 5000);
        const roof_reconciled *e = &p.r->experiments[0];
        const char *first = pf_sentence(p.r, ROOF_SENTENCE_VERDICT, 0);
        if ((e->other_hardware != NULL) != rows[i].is_other)
            fail_msg("%s and %s", rows[i].stated ? rows[i].stated : "nothing", rows[i].requested);
        assert_true((pf_finding(p.r, ROOF_FINDING_OTHER_HARDWARE) != NULL) == rows[i].is_other);
        assert_true((strstr(first, "net was measured on ") == first) == rows[i].is_other);
        assert_int_equal(e->n_causes, 1);
        assert_int_equal(e->causes[0].kind,
                         rows[i].is_other ? ROOF_CAUSE_WRONG_HARDWARE : ROOF_CAUSE_UNPROFILED);
        pf_free(&p);
    }
}

static void where_a_time_is_below_its_bound_nothing_that_rests_on_the_bound_is_ranked(void **state)
{
    static const struct {
        const char *rows, *estimate_of;
        double bypass_us, sum_us;
        bool holds;
    } cases[] = {{"a=300 b=60 c=60", NULL, 420, 420, true},
                 {"a=300 b=60 c=20", NULL, 380, 380, false},
                 {"a=300 b=60 c=60", NULL, 60, 420, false},
                 {"a=300 b=60 c=60", "an uncompiled graph", 420, 420, true},
                 {"a=30 b=20 c=20", "an uncompiled graph", 70, 70, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const pf_experiment one = {.layers = "a=50 b=50 c=50",
                                   .rows = cases[i].rows,
                                   .bypass_us = cases[i].bypass_us,
                                   .sum_us = cases[i].sum_us,
                                   .estimate_of = cases[i].estimate_of};
        pf_result p = pf_reconcile(&one, 1);
        uint32_t of_bounds = 0;
        for (uint32_t k = 0; k < p.r->experiments[0].n_causes; k++)
            of_bounds += p.r->experiments[0].causes[k].kind != ROOF_CAUSE_WRONG_CLOCK;
        if ((of_bounds > 0) != cases[i].holds)
            fail_msg("case %zu has %u causes", i, of_bounds);
        pf_free(&p);
    }
}

/* --- whole runs of another model ------------------------------------------------------------------------ */

/* Beside a model of one subgraph, subgraph_net, with 1 GOP as its file counts it. */
static pf_result whole_run(const char *rows, const char *more)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_printf(
        &text,
        "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"runs\":[{"
        "\"mode\":\"bypass\",%s\"total\":{\"mean_s\":0.005},\"layers\":[%s]}],",
        more, rows);
    text_puts(
        &text,
        "\"prediction\":{\"schema\":\"roofline.prediction/1\",\"model\":{\"name\":\"net\"},\"hardware\":{"
        "\"id\":\"test\",\"name\":\"Test\",\"clock_hz\":1e6},\"layers\":[{\"index\":1,\"name\":"
        "\"subgraph_conv1\",\"subgraph\":\"subgraph_net\",\"type\":\"conv\",\"device\":\"DPU\","
        "\"cycles\":{\"conv\":1000,\"ideal\":1000},\"bound\":\"conv\",\"ideal_s\":0.001}],\"total\":{"
        "\"boundaries\":1,\"workload_ops\":950000000,\"stored_workload_ops\":1000000000,\"ideal_s\":0.001,"
        "\"floor_s\":0.001}}}]}");
    pf_result p = pf_reconcile_document(text.bytes, NULL);
    text_free(&text);
    return p;
}

#define ROW(name, more) "{\"name\":\"" name "\",\"mean_s\":0.005" more "}"
#define OPS(n)          ",\"workload_ops\":" #n

static void a_whole_run_of_another_model_is_told_first_and_not_compared(void **state)
{
    static const struct {
        const char *rows, *more, *first; /* first: NULL where it is compared */
    } cases[] = {
        {ROW("subgraph_net", OPS(1000000000)), "", NULL},
        {ROW("subgraph_renamed", OPS(1100000000)), "", NULL}, /* counted a little otherwise */
        {ROW("subgraph_other", OPS(8200000000)), "",
         "net: the profile counts 8.2 GOP, the model 1 GOP: different models? No comparison"},
        {ROW("subgraph_net", OPS(8200000000)), "", "net: the profile counts 8.2 GOP"},
        {ROW("subgraph_net", OPS(500000000)), "", NULL}, /* a multiply-accumulate counted once */
        {ROW("subgraph_other", OPS(500000000)), "", "net: the profile counts 0.5 GOP"},
        {ROW("subgraph_other", OPS(4000000000)), "\"batch\":4,", NULL},
        {ROW("subgraph_a", OPS(600000000)) "," ROW("subgraph_b", OPS(400000000)), "", NULL},
        {ROW("subgraph_a", OPS(600000000)) "," ROW("pre", OPS(9000000000) ",\"device\":\"CPU\""), "",
         "net: the profile counts 0.6 GOP"},
        {ROW("subgraph_a", OPS(600000000)) "," ROW("subgraph_b", ""), "", NULL}, /* a part of it */
        {ROW("subgraph_other", ""), "",
         "net: the profile is of 'subgraph_other', the model has 'subgraph_net': another model?"},
        {ROW("subgraph_net", ""), "", NULL},
        {ROW("DPUCZDX8G_1", ""), "", NULL}, /* says nothing of the model */
        {ROW("subgraph_net", "") "," ROW("subgraph_b", ""), "",
         "net: the profile is of 2 subgraphs, the model has 1"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        pf_result p = whole_run(cases[i].rows, cases[i].more);
        const roof_reconciled *e = &p.r->experiments[0];
        const char *first = pf_sentence(p.r, ROOF_SENTENCE_VERDICT, 0);
        if ((e->not_compared == NULL) != (cases[i].first == NULL))
            fail_msg("case %zu: %s", i, first);
        if (cases[i].first && strncmp(first, cases[i].first, strlen(cases[i].first)) != 0)
            fail_msg("case %zu: %s", i, first);
        assert_true(isnan(e->total.efficiency_ratio) == (cases[i].first != NULL));
        pf_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hardware_that_the_document_contradicts_is_told_first_and_nothing_is_ranked),
        cmocka_unit_test(where_a_time_is_below_its_bound_nothing_that_rests_on_the_bound_is_ranked),
        cmocka_unit_test(a_whole_run_of_another_model_is_told_first_and_not_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
