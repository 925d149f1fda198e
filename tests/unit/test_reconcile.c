/* Measured beside ideal: sums that close, corrections that stop at physics, findings for what cannot be. */
#include "tests/unit/profile_fixture.h"

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)) + 1e-15;
}

/* ---- sums ---- */

static void check_attribution(const char *what, const roof_attribution *a)
{
    double sum = 0;
    if (!a->of)
        return;
    for (uint32_t i = 0; i < a->n_parts; i++)
        sum += a->parts[i].seconds;
    assert_true(a->attributed_s + a->unattributed_s == a->total_s); /* to the last bit */
    if (!near(sum, a->attributed_s))
        fail_msg("%s: parts sum up to %g, not %g", what, sum, a->attributed_s);
}

static void check_units(const roof_reconciled *e)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < e->n_matches; i++) {
        const roof_match *u = &e->matches[i];
        rows += u->n_rows;
        if (isnan(u->measured_s) || isnan(u->ideal_s))
            continue;
        double overhead = isnan(u->overhead_s) ? 0 : u->overhead_s, host = isnan(u->host_s) ? 0 : u->host_s;
        assert_true(near(u->ideal_s + overhead + host + u->gap_s, u->measured_s));
        if (u->verdict != ROOF_VERDICT_IMPOSSIBLE && !isnan(u->corrected_s))
            assert_true(u->corrected_s >= u->ideal_s && u->corrected_s <= u->measured_s);
    }
    assert_int_equal(rows, e->layer_run ? e->layer_run->n_layers : 0);
}

static void every_sum_closes(void **state)
{
    (void)state;
    for (size_t i = 0; i < PF_DOCUMENTS; i++) {
        pf_result p = pf_reconcile(&pf_documents[i], 1);
        char what[40];
        snprintf(what, sizeof what, "document %zu", i);
        check_attribution(what, &p.r->experiments[0].layer_by_layer);
        check_attribution(what, &p.r->experiments[0].deployed);
        check_units(&p.r->experiments[0]);
        pf_free(&p);
    }
}

/* ---- correction ---- */

static void the_overhead_stops_at_the_ideal(void **state)
{
    static const pf_experiment e = {
        .layers = "a=100 b=50 c=10", .bypass_us = 200, .per_layer_us = 500, .rows = "a=300 b=140 c=60"};
    pf_result p = pf_reconcile(&e, 1); /* 100 us a boundary, of one model */
    const roof_reconciled *x = &p.r->experiments[0];
    (void)state;
    assert_true(near(x->boundary_cost_s, 100e-6));
    assert_true(near(pf_unit(x, "a")->corrected_s, 200e-6));
    assert_true(near(pf_unit(x, "b")->corrected_s, 50e-6)); /* and not 40 */
    assert_true(near(pf_unit(x, "c")->corrected_s, 10e-6)); /* and not -40 */
    assert_true(pf_unit(x, "c")->gap_s == 0);
    assert_int_equal(pf_unit(x, "a")->verdict, ROOF_VERDICT_GAP);
    assert_int_equal(pf_unit(x, "c")->verdict, ROOF_VERDICT_OVERHEAD);
    assert_true(near(p.r->ceiling.seconds, 50e-6)); /* c leaves no more */
    assert_non_null(strstr(pf_finding(p.r, ROOF_FINDING_ABOVE_CEILING), "'c' of net has room for 50 us"));
    pf_free(&p);
}

static void three_models_make_a_line(void **state)
{
    /* sum of layers - bypass = 20 us a boundary - 1000 us of the host; per-layer total - sum = 1000 us */
    static const pf_experiment e[] = {{.model = "m10",
                                       .bypass_us = 1800,
                                       .per_layer_us = 2000,
                                       .sum_us = 1000,
                                       .more = "\"boundaries\":10,"},
                                      {.model = "m20",
                                       .bypass_us = 2600,
                                       .per_layer_us = 3000,
                                       .sum_us = 2000,
                                       .more = "\"boundaries\":20,"},
                                      {.model = "m40",
                                       .bypass_us = 4200,
                                       .per_layer_us = 5000,
                                       .sum_us = 4000,
                                       .more = "\"boundaries\":40,"}};
    pf_result p = pf_reconcile(e, COUNT(e));
    const roof_line *boundary = &p.r->fits[ROOF_FIT_BOUNDARY].fit.lines[ROOF_LINE_FREE];
    const roof_line *host = &p.r->fits[ROOF_FIT_HOST].fit.lines[ROOF_LINE_FREE];
    (void)state;
    assert_true(fabs(boundary->slope.value - 20e-6) < 1e-12 &&
                fabs(boundary->intercept.value + 1000e-6) < 1e-12);
    assert_true(fabs(host->slope.value) < 1e-12 && fabs(host->intercept.value - 1000e-6) < 1e-12);
    for (uint32_t i = 0; i < COUNT(e); i++) {
        const roof_reconciled *x = &p.r->experiments[i];
        assert_true(fabs(x->total.corrected_s / x->total.bypass_s - 1) < 1e-9);
        assert_true(fabs(x->total.left_out_error_ratio) < 1e-9);
        assert_true(fabs(x->total.host_s - 1000e-6) < 1e-12);
    }
    assert_null(pf_finding(p.r, ROOF_FINDING_NO_FIT));
    pf_free(&p);
}

/* The line of others takes more off a model than its layers have. */
static void a_corrected_time_below_its_bound_is_found(void **state)
{
    static const struct {
        double sum_us;
        const char *text; /* NULL: it is possible */
    } rows[] = {{100, "the layers sum to -100 us, below 0"},
                {220, "the layers sum to 20 us, below the bound of 50 us"},
                {900, NULL}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        pf_experiment e[] = {{.model = "a", .bypass_us = 1800, .sum_us = 1000, .more = "\"boundaries\":10,"},
                             {.model = "b", .bypass_us = 2600, .sum_us = 2000, .more = "\"boundaries\":20,"},
                             {.model = "c", .bypass_us = 4200, .sum_us = 4000, .more = "\"boundaries\":40,"},
                             {.model = "d", .layers = "x=100", .more = "\"boundaries\":60,"}};
        e[3].sum_us = rows[i].sum_us;
        pf_result p = pf_reconcile(e, COUNT(e));
        const char *text = pf_finding(p.r, ROOF_FINDING_CORRECTED);
        assert_true((text == NULL) == (rows[i].text == NULL));
        assert_true(!text || !rows[i].text || strstr(text, rows[i].text));
        pf_free(&p);
    }
}

/* ---- findings ---- */

static const struct {
    roof_finding_kind kind;
    pf_experiment e;
    const char *text;
} findings[] = {
    {ROOF_FINDING_IMPOSSIBLE,
     {.layers = "a=100 b=50", .rows = "a=80 b=60"},
     "measured 80 us, below the bound of 100 us"},
    {ROOF_FINDING_IMPOSSIBLE,
     {.layers = "a=100 b=50", .bypass_us = 60, .rows = "a=120 b=60"},
     "latency 60 us"},
    {ROOF_FINDING_UNITS,
     {.layers = "a=100 b=50", .bypass_us = 200e3, .rows = "a=120 b=60"},
     "1 000 times too large"},
    {ROOF_FINDING_UNITS,
     {.layers = "a=100 b=50", .bypass_us = 0.2, .rows = "a=120 b=60"},
     "1 000 times too small"},
    {ROOF_FINDING_UNITS,
     {.layers = "a=100 b=50", .bypass_us = 200e6, .rows = "a=120 b=60"},
     "1 000 000 times too large"},
    {ROOF_FINDING_NO_LAYER, {.layers = "a=100", .rows = "a=120 x=60"}, "no matching layer"},
    {ROOF_FINDING_NOT_MEASURED, {.layers = "a=100 b=50", .rows = "a=120"}, "missing from the profile"},
    {ROOF_FINDING_REPEATED_ROW,
     {.layers = "a=100 b=50 c=1", .rows = "a=120 a=130 b=60 c=5"},
     "second row for the same layer"},
    {ROOF_FINDING_ZERO_TIME, {.layers = "a=100 b=50", .rows = "a=0 b=60"}, "stated time is 0"},
    {ROOF_FINDING_ONE_MODE, {.layers = "a=100", .bypass_us = 120}, "no per-layer run"},
    {ROOF_FINDING_ONE_MODE, {.layers = "a=100", .rows = "a=120"}, "no whole-network run"},
    {ROOF_FINDING_NO_PREDICTION, {.bypass_us = 120}, "so no bound"},
    {ROOF_FINDING_OTHER_BOUNDARIES,
     {.layers = "a=100", .rows = "a=120", .more = "\"boundaries\":7,"},
     "the profile has 7 layer boundaries, the model 1"},
    {ROOF_FINDING_OTHER_CLOCK,
     {.layers = "a=100", .rows = "a=120", .more = "\"clocks_hz\":{\"npu\":123000000},"},
     "the NPU ran at 123 MHz"},
    {ROOF_FINDING_SUM_DIFFERS, {.layers = "a=100 b=9", .sum_us = 100, .rows = "a=120 b=10"}, "sum to 130 us"},
    {ROOF_FINDING_BELOW_SUM,
     {.layers = "a=100 b=9", .per_layer_us = 100, .rows = "a=120 b=10"},
     "the per-layer run took 100 us, but its layers"},
    {ROOF_FINDING_FASTER_LAYER_RUN,
     {.layers = "a=100", .bypass_us = 300, .per_layer_us = 200, .rows = "a=120"},
     "33.3 % faster"},
    {ROOF_FINDING_JOINED, {.layers = "a=100 b=9", .rows = "a~+~b=120"}, "one row for 2 layers"},
    {ROOF_FINDING_CUT, {.layers = "a=100 b=9", .rows = "a/x=90 a/y=30 b=10"}, "2 rows for one layer"},
    {ROOF_FINDING_WEAK_MATCH, {.layers = "a=100 b=9", .rows = "a=190 y=30"}, "row 'y' by position only"},
    {ROOF_FINDING_UNSORTED, {.layers = "a=100 b=9", .rows = "2@b=190 1@a=300"}, "not in the order"},
    {ROOF_FINDING_NOT_USED,
     {.layers = "a=100", .rows = "a=120", .more = "\"energie_j\":1,"},
     "/runs/0/energie_j (line 1) is no member of a run; did you mean energy_j?"},
    {ROOF_FINDING_ENERGY_DIFFERS,
     {.layers = "a=100", .rows = "a=120", .more = "\"power_w\":1,\"energy_j\":1,"},
     "stated energy 1 J per inference, but power x time is 120 uJ"},
    {ROOF_FINDING_NOT_USED,
     {.hardware = "npu9", .layers = "a=100", .rows = "a=120"},
     "no device description named 'npu9'"},
    {ROOF_FINDING_SIDE_ENGINE, {.layers = "a:alu=100", .rows = "a=190"}, "the layer is ALU-bound"},
    {ROOF_FINDING_NO_FIT,
     {.layers = "a=100", .bypass_us = 120, .per_layer_us = 200, .rows = "a=130"},
     "needs 3 models"},
};

static void what_a_reader_must_know_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(findings); i++) {
        pf_result p = pf_reconcile(&findings[i].e, 1);
        bool found = false;
        for (uint32_t k = 0; k < p.r->n_findings; k++)
            found = found || (p.r->findings[k].kind == findings[i].kind &&
                              strstr(pf_sentence(p.r, ROOF_SENTENCE_FINDING, k), findings[i].text));
        if (!found) {
            const char *other = pf_finding(p.r, findings[i].kind);
            fail_msg("%zu, %s: '%s', want '%s'", i, roof_finding_kind_text(findings[i].kind),
                     other ? other : "none", findings[i].text);
        }
        pf_free(&p);
    }
}

/* A share of the ideal would be false: the suspicion is the first sentence, with its reason, and there is no
 * share. */
static void what_cannot_be_compared_is_told_first_and_not_compared(void **state)
{
    static const struct {
        pf_experiment e;
        const char *first; /* NULL: it is compared */
    } rows[] = {
        {{.layers = "a=100 b=50", .bypass_us = 200, .rows = "x=120 y=60 z=3"},
         "net: 0 of 3 profile rows match a layer: is this the profiled model?"},
        {{.layers = "a=100 b=50 c=10 d=10 e=10", .rows = "a=20 p=120 q=60 r=30"},
         "net: only 1 of 4 profile rows matches a layer: is this the profiled model?"},
        {{.layers = "a=100 b=50 c=10 d=10 e=10", .rows = "a=150 b=60 p=1 q=2 r=3"},
         NULL}, /* most of the time */
        {{.layers = "a=100 b=50", .bypass_us = 200}, NULL},
        {{.layers = "a=100 b=50", .bypass_us = 200e3, .rows = "a=120 b=60"},
         "net: the latency is 200 ms, 1333 times the ideal of 150 us: probably written 1 000 times too "
         "large"},
        {{.layers = "a=100 b=50", .rows = "a=120e3 b=60e3"},
         "net: the sum of layers is 180 ms, 1200 times the ideal of 150 us: probably written 1 000 times too "
         "large"},
        {{.layers = "a=100 b=50", .bypass_us = 200, .per_layer_us = 0.3, .rows = "a=120 b=60"},
         "net: the per-layer time is 300 ns, 667 times less than the latency of 200 us: one of them "
         "is "
         "probably written 1 000 times too small"},
        {{.bypass_us = 200, .rows = "a=120e3 b=60e3"},
         "net: the sum of layers is 180 ms, 900 times the latency of 200 us"},
        {{.layers = "a=100 b=50", .bypass_us = 100e3, .rows = "a=120 b=60"},
         NULL}, /* 667 times, which seconds for milliseconds cannot be: a slow host */
        {{.layers = "a=100 b=50", .bypass_us = 222.9e3}, NULL}, /* 1486 times, of a real report */
        {{.layers = "a=100 b=50", .bypass_us = 156e3}, "net: the latency is 156 ms, 1040 times the ideal"},
        {{.layers = "a=1 b=1", .bypass_us = 1.9e6}, "net: the latency is 1.9 s, 950000 times the ideal"},
        {{.layers = "a=100 b=50", .bypass_us = 1.7e6}, "net: the latency is 1.7 s, 11333 times the ideal"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        pf_result p = pf_reconcile(&rows[i].e, 1);
        const roof_reconciled *e = &p.r->experiments[0];
        bool compared = rows[i].first == NULL;
        const char *first = pf_sentence(p.r, ROOF_SENTENCE_VERDICT, 0), *next;
        if (!compared && !strstr(first, rows[i].first))
            fail_msg("%zu: '%s', want '%s'", i, first, rows[i].first);
        assert_true((e->not_compared == NULL) == compared);
        assert_true(isnan(e->total.efficiency_ratio) != compared && isnan(e->total.ideal_s) != compared);
        assert_true(compared || !e->has_doubtful_times || isnan(e->total.inflation_ratio));
        for (uint32_t k = 1; !compared && (next = pf_sentence(p.r, ROOF_SENTENCE_VERDICT, k)); k++)
            assert_null(strstr(next, "IMPOSSIBLE"));
        for (uint32_t k = 0; !compared && k < e->n_matches; k++)
            assert_true(isnan(e->matches[k].ideal_s) && isnan(e->matches[k].gap_s));
        pf_free(&p);
    }
}

/* What is listed may be a small part of the model: neither is its unit in doubt, nor is it all that the model
 * takes. */
/* The ideal of a graph that is not compiled for the hardware is no bound: nothing is impossible below it. */
static void nothing_is_impossible_below_an_estimate(void **state)
{
    static const struct {
        const char *estimate_of;
        roof_verdict verdict;
        const char *first;
    } rows[] = {{NULL, ROOF_VERDICT_IMPOSSIBLE, "IMPOSSIBLE: "},
                {"an uncompiled graph", ROOF_VERDICT_BELOW_ESTIMATE,
                 "0.4x its ideal of 150 us, an estimate of an uncompiled graph."}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const pf_experiment e = {.layers = "a=100 b=50",
                                 .bypass_us = 60,
                                 .per_layer_us = 110,
                                 .rows = "a=50 b=60",
                                 .estimate_of = rows[i].estimate_of};
        pf_result p = pf_reconcile(&e, 1);
        assert_int_equal(p.r->experiments[0].matches[0].verdict, rows[i].verdict);
        assert_non_null(strstr(pf_sentence(p.r, ROOF_SENTENCE_VERDICT, 0), rows[i].first));
        assert_true((pf_finding(p.r, ROOF_FINDING_IMPOSSIBLE) == NULL) == (rows[i].estimate_of != NULL));
        pf_free(&p);
    }
}

static void a_selection_is_not_held_against_the_whole(void **state)
{
    static const struct {
        pf_experiment e;
        double efficiency; /* NaN: not known */
    } rows[] = {
        {{.layers = "a=1 b=5000", .rows = "a=1.2"}, NAN},
        {{.layers = "a=100 b=1000 c=1000 d=1000", .rows = "b=1200 c=1200"}, NAN},
        {{.layers = "a=1 b=999", .rows = "b=2000"}, 0.4995}, /* of what has a row: the rest is nothing */
        {{.layers = "a=100 b=900", .sum_us = 2000, .rows = "b=1800"}, 0.5}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        pf_result p = pf_reconcile(&rows[i].e, 1);
        const roof_reconciled *e = &p.r->experiments[0];
        assert_null(e->not_compared);
        assert_true(isnan(rows[i].efficiency) ? isnan(e->total.efficiency_ratio)
                                              : near(e->total.efficiency_ratio, rows[i].efficiency));
        pf_free(&p);
    }
}

/* Whoever wrote a map knows that they belong together. */
static void a_map_answers_the_question_for_another_model(void **state)
{
    static const pf_experiment e = {.layers = "a=100 b=50", .rows = "x=120 y=60 z=30"};
    textbuf json;
    (void)state;
    text_init(&json, TEXT_MAX_BYTES);
    text_puts(&json, "{\"schema\":\"roofline.measured/1\",\"experiments\":[");
    pf_put_experiment(&json, &e);
    text_puts(&json, "]}");
    pf_result p = pf_reconcile_document(json.bytes, &(roof_reconcile_options){.map = "x,a\n"});
    assert_null(p.r->experiments[0].not_compared);
    assert_true(p.r->experiments[0].total.ideal_s > 0);
    text_free(&json);
    pf_free(&p);
}

static void a_good_profile_has_no_finding_but_the_missing_line(void **state)
{
    static const pf_experiment e = {
        .layers = "a=100 b=50", .bypass_us = 200, .per_layer_us = 300, .rows = "a=160 b=100"};
    pf_result p = pf_reconcile(&e, 1);
    (void)state;
    assert_int_equal(p.r->n_findings, 1);
    assert_int_equal(p.r->findings[0].kind, ROOF_FINDING_NO_FIT);
    pf_free(&p);
}

static const char samples_json[] =
    "{\"schema\":\"roofline.measured/"
    "1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"runs\":[{\"mode\":\"per_layer\","
    "\"layers\":[{\"name\":\"few\",\"samples_s\":[1,1,1]},"
    "{\"name\":\"outlier\",\"samples_s\":[1,1.01,1,0.99,1,1.02,1,1,0.98,1,3]},"
    "{\"name\":\"wild\",\"samples_s\":[1,2,3,1,2,3,1,2,3,1,2,3]},"
    "{\"name\":\"kept\",\"mean_s\":0.368,\"std_s\":0.067,\"count\":110},"
    "{\"name\":\"share\",\"share_ratio\":0.1},{\"name\":\"cycles\",\"cycles\":{\"dpu\":3000}}],"
    "\"clocks_hz\":{\"dpu\":1000}}]}]}";

static void samples_are_judged(void **state)
{
    static const struct {
        const char *unit;
        roof_finding_kind kind;
    } want[] = {{"few", ROOF_FINDING_FEW_SAMPLES},
                {"outlier", ROOF_FINDING_OUTLIERS},
                {"wild", ROOF_FINDING_HIGH_COV},
                {"kept", ROOF_FINDING_ONE_OUTLIER}};
    pf_result p = pf_reconcile_document(samples_json, NULL);
    (void)state;
    for (size_t i = 0; i < COUNT(want); i++)
        assert_int_equal(pf_unit(&p.r->experiments[0], want[i].unit)->notes, ROOF_NOTE(want[i].kind));
    assert_non_null(strstr(pf_finding(p.r, ROOF_FINDING_ONE_OUTLIER), "one of 110 samples"));
    assert_true(pf_unit(&p.r->experiments[0], "cycles")->measured_s == 3);
    pf_free(&p);
}

static void a_printed_cov_stays_beside_the_computed_one(void **state)
{
    static const struct {
        const char *row;
        double computed, printed;
        bool differs;
    } rows[] = {{"\"mean_s\":0.368,\"std_s\":0.067,\"cov_ratio\":0.182", 0.067 / 0.368, 0.182, false},
                {"\"mean_s\":0.368,\"std_s\":0.067,\"cov_ratio\":0.17", 0.067 / 0.368, 0.17, true},
                {"\"mean_s\":0.156,\"std_s\":0.003,\"cov_ratio\":0.021", 0.003 / 0.156, 0.021, false},
                {"\"samples_s\":[1,2,3],\"cov_ratio\":0.1", 0.5, 0.1, true},
                {"\"mean_s\":0.368,\"cov_ratio\":0.09", 0.09, 0.09, false},
                {"\"mean_s\":0.368,\"std_s\":0.067", 0.067 / 0.368, NAN, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "{\"schema\":\"roofline.measured/"
                 "1\",\"experiments\":[{\"runs\":[{\"mode\":\"per_layer\",\"total\":{%s},"
                 "\"layers\":[{\"name\":\"a\",%s}]}]}]}",
                 rows[i].row, rows[i].row);
        pf_result p = pf_reconcile_document(text, NULL);
        const roof_reconciled *e = &p.r->experiments[0];
        double printed = roof_match_printed_cov(e, &e->matches[0]);
        uint32_t told = 0;
        for (uint32_t k = 0; k < p.r->n_findings; k++)
            told += p.r->findings[k].kind == ROOF_FINDING_COV_DIFFERS;
        assert_true(near(e->matches[0].cov_ratio, rows[i].computed));
        assert_true(isnan(rows[i].printed) ? isnan(printed) : printed == rows[i].printed);
        assert_int_equal(told, rows[i].differs ? 2 : 0); /* of the row, and of the total */
        pf_free(&p);
    }
}

/* ---- documents ---- */

static void a_unit_has_the_operations_of_all_its_layers(void **state)
{
    static const pf_experiment joined = {.layers = "a=100 b=9", .rows = "a~+~b=120"};
    pf_result p = pf_reconcile(&joined, 1);
    const roof_reconciled *e = &p.r->experiments[0];
    (void)state;
    assert_int_equal(e->matches[0].n_layers, 2);
    assert_true(isnan(roof_match_ops(e, &e->matches[0])));
    for (uint32_t i = 0; i < e->prediction->n_layers; i++)
        e->prediction->layers[i].ops_count = 2000;
    assert_true(roof_match_ops(e, &e->matches[0]) == 4000);
    pf_free(&p);
}

/* One row that an inference executes several times, against a layer that it executes several times, and a
 * second one once. */
static pf_result reconcile_executions(unsigned executions, uint32_t repeat)
{
    textbuf text;
    pf_result p = {.predictions = calloc(2, sizeof *p.predictions)};
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(
        &text,
        "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"runs\":["
        "{\"mode\":\"per_layer\",\"layers\":[{\"name\":\"a\",\"mean_s\":1e-4,\"min_s\":8e-5,\"std_s\":1e-5,"
        "\"count\":100,\"total_bytes\":600,\"write_s\":1e-5,\"run_s\":7e-5,\"read_s\":5e-6");
    text_printf(&text, ",\"executions\":%u},{\"name\":\"b\",\"mean_s\":5e-5,\"total_bytes\":7}]}]",
                executions);
    pf_put_prediction(&text, "a=60 b=20", NULL);
    text_puts(&text, "}]}");
    p.measured = pf_read(text.bytes);
    p.predictions[0] = p.measured->experiments[0].prediction;
    p.measured->experiments[0].prediction->layers[0].repeat = repeat;
    p.measured->experiments[0].prediction->layers[0].ops_count = 30;
    assert_int_equal(roof_reconcile(p.measured, p.predictions, NULL, &p.r, NULL), ROOF_OK);
    text_free(&text);
    return p;
}

static void a_unit_holds_all_executions_of_one_inference(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 32; n *= 2) {
        pf_result p = reconcile_executions(n, n);
        const roof_reconciled *e = &p.r->experiments[0];
        const roof_match *u = pf_unit(e, "a");
        double measured_bytes, predicted_bytes;
        roof_match_bytes(e, u, &measured_bytes, &predicted_bytes);
        assert_true(near(u->measured_s, n * 1e-4) && near(u->host_s, n * 1.5e-5) &&
                    near(u->ideal_s, n * 6e-5));
        assert_true(near(u->cov_ratio, 0.1) && near(measured_bytes, n * 600.0));
        assert_true(near(roof_match_ops(e, u), n * 30.0));
        assert_int_equal(u->executions, n);
        assert_int_equal(e->boundaries, n + 1);
        assert_int_equal(u->boundaries, n);
        assert_true(near(e->total.sum_of_layers_s, n * 1e-4 + 5e-5));
        assert_true(near(p.r->ceiling.seconds, 2e-5)); /* of one execution */
        assert_null(pf_finding(p.r, ROOF_FINDING_EXECUTIONS_DIFFER));
        assert_null(pf_finding(p.r, ROOF_FINDING_IMPOSSIBLE));
        check_attribution("executions", &e->layer_by_layer);
        check_units(e);
        pf_free(&p);
    }
    pf_result p = reconcile_executions(16, 12);
    assert_string_equal(pf_finding(p.r, ROOF_FINDING_EXECUTIONS_DIFFER),
                        "executions per inference: 16 in the profile, 12 in the model");
    pf_free(&p);
}

static void runs_of_one_model_find_each_other(void **state)
{
    static const pf_experiment e[] = {{.bypass_us = 100},
                                      {.model = "other", .bypass_us = 50},
                                      {.rows = "a=120"},
                                      {.rows = "a=130"},
                                      {.hardware = "elsewhere", .bypass_us = 70}};
    pf_result p = pf_reconcile(e, COUNT(e));
    (void)state;
    assert_int_equal(p.r->n_experiments, 4);
    assert_string_equal(p.r->experiments[0].model, "net");
    assert_non_null(p.r->experiments[0].bypass);
    assert_non_null(p.r->experiments[0].per_layer);
    assert_string_equal(p.r->experiments[1].model, "other");
    assert_string_equal(p.r->experiments[2].model, "net (2)"); /* a repetition without a bypass run */
    assert_null(p.r->experiments[2].bypass);
    assert_string_equal(p.r->experiments[3].hardware_id, "elsewhere");
    assert_false(p.r->one_hardware);
    assert_non_null(pf_finding(p.r, ROOF_FINDING_MIXED_HARDWARE));
    pf_free(&p);
}

/* Copies are no evidence: the lines and their intervals are those of the originals. */
static void what_was_given_twice_counts_once(void **state)
{
    pf_experiment e[9] = {
        {.model = "a", .bypass_us = 1800, .per_layer_us = 2010, .sum_us = 1000, .more = "\"boundaries\":10,"},
        {.model = "b", .bypass_us = 2600, .per_layer_us = 3000, .sum_us = 2000, .more = "\"boundaries\":20,"},
        {.model = "c",
         .bypass_us = 4200,
         .per_layer_us = 5000,
         .sum_us = 4040,
         .more = "\"boundaries\":40,"}};
    (void)state;
    for (size_t i = 3; i < COUNT(e); i++)
        e[i] = e[i % 3];
    e[8].bypass_us = 4201; /* another measurement */
    pf_result once = pf_reconcile(e, 3), thrice = pf_reconcile(e, 8), more = pf_reconcile(e, 9);
    assert_int_equal(thrice.r->n_experiments, 3);
    assert_int_equal(more.r->n_experiments, 4);
    for (int i = 0; i < ROOF_FITS; i++)
        assert_memory_equal(&once.r->fits[i].fit.lines, &thrice.r->fits[i].fit.lines,
                            sizeof once.r->fits[i].fit.lines);
    assert_null(pf_finding(once.r, ROOF_FINDING_REPEATED_RUN));
    assert_string_equal(pf_finding(thrice.r, ROOF_FINDING_REPEATED_RUN),
                        "duplicate whole-network run of profile.json: /experiments/3: counted once");
    pf_free(&once);
    pf_free(&thrice);
    pf_free(&more);
}

/* Another folder, another name of the path to the same model; on other hardware it is another measurement. */
static void a_copy_is_known_by_its_content(void **state)
{
    static const struct {
        const char *first, *second;
        uint32_t experiments;
    } rows[] = {
        {"'model':{'path':'a/net.xmodel'},'hardware':{'id':'h'}",
         "'model':{'path':'b/net.xmodel'},'hardware':{'id':'h'}", 1},
        {"'model':{'path':'net.xmodel'},'hardware':{'id':'h'}",
         "'model':{'path':'net.xmodel'},'hardware':{'id':'k'}", 2},
        {"'model':{'name':'net'}", "'model':{'name':'other'}", 2},
        {"'model':null", "'model':null", 1},
    };
    static const char run[] = ",'runs':[{'mode':'per_layer','layers':[{'name':'a','samples_s':[0.1,0.2]},{'"
                              "index':9,'mean_s':1}]}]}";
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        textbuf json;
        text_init(&json, TEXT_MAX_BYTES);
        text_printf(&json, "{'schema':'roofline.measured/1','experiments':[{%s%s,{%s%s]}", rows[i].first, run,
                    rows[i].second, run);
        for (char *c = json.bytes; *c; c++)
            *c = *c == '\'' ? '"' : *c;
        pf_result p = pf_reconcile_document(json.bytes, NULL);
        assert_int_equal(p.r->n_experiments, rows[i].experiments);
        text_free(&json);
        pf_free(&p);
    }
}

/* Rows without a time have no sum, and nobody knows what of a stated one is theirs. */
static void what_has_no_time_adds_up_to_nothing_known(void **state)
{
    static const struct {
        pf_experiment e;
        double listed_us; /* NaN: not known */
        uint32_t units;
    } rows[] = {
        {{.layers = "a=100 b=50", .rows = "a b"}, NAN, 2},
        {{.rows = "a b"}, NAN, 2},
        {{.rows = "a=0 b"}, 0, 2},
        {{.layers = "a=100 b=50 c=10", .sum_us = 300, .rows = "a=120 b"}, 120, 3},
        {{.layers = "a=100 b=50 c=10", .sum_us = 300, .rows = "a=120"}, 120, 2}}; /* c, d are what is left */
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        pf_result p = pf_reconcile(&rows[i].e, 1);
        const roof_reconciled *e = &p.r->experiments[0];
        assert_true(isnan(rows[i].listed_us) ? isnan(e->total.listed_s)
                                             : near(e->total.listed_s, rows[i].listed_us * 1e-6));
        assert_int_equal(e->n_matches, rows[i].units);
        for (uint32_t k = 0; k < e->n_matches; k++)
            assert_true(!e->matches[k].is_unlisted || near(e->matches[k].measured_s, 180e-6));
        pf_free(&p);
    }
}

static void of_no_experiment_there_is_nothing_to_say(void **state)
{
    const roof_measured none = {.n_experiments = 0};
    roof_reconciliation *r = (roof_reconciliation *)&none;
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_reconcile(&none, NULL, NULL, &r, &err), ROOF_E_DATA);
    assert_null(r);
}

/* Shares of a known whole are times; of an unknown one they stay shares. Cycles take a clock. */
static void shares_and_cycles_are_kept(void **state)
{
    static const struct {
        const char *run, *row;
        double measured_s, share;
        const char *finding;
    } rows[] = {{"", "\"share_ratio\":0.6", NAN, 0.6, NULL},
                {"\"sum_of_layers_s\":2,", "\"share_ratio\":0.6", 1.2, 0.6, NULL},
                {"\"clocks_hz\":{\"dpu\":1000},", "\"cycles\":{\"dpu\":3000}", 3, 1, NULL},
                {"", "\"cycles\":{\"dpu\":3000}", NAN, NAN, "no clock for the cycles of 'dpu'"},
                {"", "\"cycles\":{\"dpu\":3000},\"share_ratio\":0.25", NAN, 0.25,
                 "no clock for the cycles of 'dpu'"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"runs\":[{\"mode\":\"per_layer\",%s"
                 "\"layers\":[{\"name\":\"a\",%s}]}]}]}",
                 rows[i].run, rows[i].row);
        pf_result p = pf_reconcile_document(text, NULL);
        const roof_reconciled *e = &p.r->experiments[0];
        const char *finding = pf_finding(p.r, ROOF_FINDING_NOT_USED);
        double share = roof_match_share(e, &e->matches[0]);
        assert_true(isnan(rows[i].measured_s) ? isnan(e->matches[0].measured_s)
                                              : near(e->matches[0].measured_s, rows[i].measured_s));
        assert_true(isnan(rows[i].share) ? isnan(share) : near(share, rows[i].share));
        assert_true(rows[i].finding ? finding && strstr(finding, rows[i].finding) : !finding);
        pf_free(&p);
    }
}

/* Without a second per-layer run, and with one of the same findings. */
static void a_second_run_is_no_second_model(void **state)
{
    static const char layers[] = "a:alu=100 b:alu=50";
    static const pf_experiment once[] = {
        {.layers = layers, .bypass_us = 200, .per_layer_us = 400, .rows = "a=180 z=120"}};
    static const pf_experiment twice[][2] = {
        {{.layers = layers, .bypass_us = 200, .per_layer_us = 400, .rows = "a=180 z=120"},
         {.layers = layers, .bypass_us = 210}},
        {{.layers = layers, .bypass_us = 200, .per_layer_us = 400, .rows = "a=180 z=120"},
         {.layers = layers, .bypass_us = 210, .per_layer_us = 410, .rows = "a=185 z=130"}}};
    pf_result want = pf_reconcile(once, 1);
    (void)state;
    assert_true(want.r->n_findings > 2);
    for (size_t i = 0; i < COUNT(twice); i++) {
        pf_result p = pf_reconcile(twice[i], 2);
        assert_int_equal(p.r->n_experiments, 2);
        assert_int_equal(p.r->n_models, 1);
        assert_int_equal(p.r->experiments[1].first, 0);
        assert_non_null(strstr(pf_sentence(p.r, ROOF_SENTENCE_VERDICT, 0), "1 model on Test, "));
        assert_int_equal(p.r->n_findings, want.r->n_findings);
        pf_free(&p);
    }
    pf_free(&want);
}

static void many_phases_keep_their_sum(void **state)
{
    textbuf json;
    (void)state;
    text_init(&json, TEXT_MAX_BYTES);
    text_puts(
        &json,
        "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"runs\":[{\"mode\":\"bypass\",\"total\":{"
        "\"mean_s\":40},\"phases\":{");
    for (int i = 0; i < 30; i++)
        text_printf(&json, "%s\"p%d_s\":1", i ? "," : "", i);
    text_puts(&json, "}}]}]}");
    pf_result p = pf_reconcile_document(json.bytes, NULL);
    const roof_attribution *a = &p.r->experiments[0].wall;
    assert_int_equal(a->n_parts, ROOF_MAX_PARTS);
    assert_true(a->attributed_s == 30 && a->unattributed_s == 10);
    assert_true(a->parts[ROOF_MAX_PARTS - 1].seconds == 15); /* "other phases" */
    text_free(&json);
    pf_free(&p);
}

static void kinds_of_findings_fit_into_the_notes_of_a_unit(void **state)
{
    (void)state;
    assert_true(ROOF_FINDING_COUNT - ROOF_FINDING_FIRST_NOTE <= 64);
    for (int i = 0; i < ROOF_VERDICT_COUNT; i++)
        assert_true(strlen(roof_verdict_text((roof_verdict)i)) > 2 &&
                    strlen(roof_verdict_meaning((roof_verdict)i)) > 5);
    assert_string_equal(roof_verdict_text(ROOF_VERDICT_COUNT), "unknown");
    for (int i = 1; i < ROOF_MATCH_UNLISTED; i++)
        assert_true(roof_match_method_confidence((roof_match_method)i) <=
                    roof_match_method_confidence((roof_match_method)(i - 1)));
    assert_string_equal(roof_match_method_text(ROOF_MATCH_COUNT), "unknown");
}

static void thousands_of_findings_are_counted_not_listed(void **state)
{
    textbuf rows;
    (void)state;
    text_init(&rows, TEXT_MAX_BYTES);
    for (int i = 0; i < 3000; i++)
        text_printf(&rows, "x%d=0 ", i);
    pf_result p = pf_reconcile(&(pf_experiment){.rows = rows.bytes}, 1);
    uint32_t zero = 0, noted = 0;
    for (uint32_t i = 0; i < p.r->n_findings; i++)
        zero += p.r->findings[i].kind == ROOF_FINDING_ZERO_TIME;
    for (uint32_t i = 0; i < p.r->experiments[0].n_matches; i++)
        noted += (p.r->experiments[0].matches[i].notes & ROOF_NOTE(ROOF_FINDING_ZERO_TIME)) != 0;
    assert_int_equal(zero, 41);
    assert_int_equal(noted, 3000);
    assert_non_null(strstr(pf_sentence(p.r, ROOF_SENTENCE_FINDING, p.r->n_findings - 1), "and 2960 more"));
    text_free(&rows);
    pf_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sum_closes),
        cmocka_unit_test(the_overhead_stops_at_the_ideal),
        cmocka_unit_test(three_models_make_a_line),
        cmocka_unit_test(a_corrected_time_below_its_bound_is_found),
        cmocka_unit_test(what_a_reader_must_know_is_found),
        cmocka_unit_test(what_cannot_be_compared_is_told_first_and_not_compared),
        cmocka_unit_test(nothing_is_impossible_below_an_estimate),
        cmocka_unit_test(a_selection_is_not_held_against_the_whole),
        cmocka_unit_test(a_map_answers_the_question_for_another_model),
        cmocka_unit_test(a_good_profile_has_no_finding_but_the_missing_line),
        cmocka_unit_test(samples_are_judged),
        cmocka_unit_test(a_printed_cov_stays_beside_the_computed_one),
        cmocka_unit_test(a_unit_has_the_operations_of_all_its_layers),
        cmocka_unit_test(a_unit_holds_all_executions_of_one_inference),
        cmocka_unit_test(runs_of_one_model_find_each_other),
        cmocka_unit_test(what_was_given_twice_counts_once),
        cmocka_unit_test(a_copy_is_known_by_its_content),
        cmocka_unit_test(what_has_no_time_adds_up_to_nothing_known),
        cmocka_unit_test(of_no_experiment_there_is_nothing_to_say),
        cmocka_unit_test(shares_and_cycles_are_kept),
        cmocka_unit_test(a_second_run_is_no_second_model),
        cmocka_unit_test(many_phases_keep_their_sum),
        cmocka_unit_test(kinds_of_findings_fit_into_the_notes_of_a_unit),
        cmocka_unit_test(thousands_of_findings_are_counted_not_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
