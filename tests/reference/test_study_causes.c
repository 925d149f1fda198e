/* What costs time in two published studies; and causes that are planted into the measured profile of one of
 * them, whose layers differ as those of a real network do. */
#include "roofline/causes.h"
#include "tests/reference/study.h"

static void print_causes(const roof_reconciled *e)
{
    for (uint32_t i = 0; i < e->n_causes; i++)
        print_message("  %s %s: gain %g us, %g, %u units\n", roof_cause_text(e->causes[i].kind),
                      e->causes[i].subject ? e->causes[i].subject : "", 1e6 * e->causes[i].gain_s,
                      e->causes[i].share_ratio, e->causes[i].n_units);
}

/* ---- as they were measured ---- */

/* The layers of a residual are slower than the others by an addition that is not overlapped. In the other
 * study the host is what is known to cost time: timing takes no more than half of any per-layer run. */
static void studies_have_these_first_causes(void **state)
{
    static const struct {
        const char *study;
        uint32_t experiment;
        roof_cause_kind kind;
        const char *subject;
        uint32_t n_units;
        double gain_ms;
    } rows[] = {{"zcu104-resnet50", 0, ROOF_CAUSE_SLOW_KIND, "conv+eltwise", 16, 2.491},
                {"kv260", 0, ROOF_CAUSE_HOST, NULL, 0, 2.062},
                {"kv260", 1, ROOF_CAUSE_HOST, NULL, 0, 2.062},
                {"kv260", 2, ROOF_CAUSE_HOST, NULL, 0, 2.062}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        study s = study_open(rows[i].study);
        const roof_reconciled *e = &s.r->experiments[rows[i].experiment];
        const roof_cause *c = e->causes;
        bool is_right = e->n_causes && c->kind == rows[i].kind && c->n_units == rows[i].n_units &&
                        (!rows[i].subject || strcmp(c->subject, rows[i].subject) == 0) &&
                        fabs(1e3 * c->gain_s - rows[i].gain_ms) < 0.0005001;
        if (!is_right) {
            print_causes(e);
            fail_msg("%s of %s has another first cause", e->model, rows[i].study);
        }
        study_close(&s);
    }
}

/* The gain of a kind, from the table: what its layers take, without what timing them does, above the rate of
 * the others. */
static void the_gain_of_a_kind_is_that_of_the_table(void **state)
{
    double own_s = 0, own_bound_s = 0, others_s = 0, others_bound_s = 0;
    study s = study_open("zcu104-resnet50");
    const roof_reconciled *e = s.r->experiments;
    (void)state;
    for (uint32_t i = 0; i < e->n_matches; i++) {
        const roof_match *u = &e->matches[i];
        if (!(u->ideal_s > 0))
            continue;
        double bound_s = fmax(u->ideal_s, isnan(u->scheduled_s) ? 0 : u->scheduled_s);
        bool is_own = strcmp(u->type, "conv+eltwise") == 0;
        *(is_own ? &own_s : &others_s) += u->corrected_s;
        *(is_own ? &own_bound_s : &others_bound_s) += bound_s;
    }
    double most_s = own_s - own_bound_s, gain_s = own_s - others_s / others_bound_s * own_bound_s;
    assert_true(e->causes->gain_s < most_s);
    assert_true(fabs(e->causes->gain_s / gain_s - 1) <
                0.1); /* which counts no slow and no short layers as examples */
    study_close(&s);
}

static bool is_limit(const roof_cause *c)
{
    return c->kind == ROOF_CAUSE_COMPUTE || c->kind == ROOF_CAUSE_MEMORY ||
           c->kind == ROOF_CAUSE_INSTRUCTIONS;
}

/* Behind all that was measured, with the gains of the prediction as parts of the measured time, and the same
 * layers. */
static void limits_of_the_model_come_last_as_its_prediction_has_them(void **state)
{
    study s = study_open("zcu104-resnet50");
    const roof_reconciled *e = s.r->experiments;
    const roof_prediction *p = s.predictions[0];
    uint32_t first = 0;
    (void)state;
    while (first < e->n_causes && !is_limit(&e->causes[first]))
        first++;
    assert_int_equal(p->n_causes, 3);
    assert_int_equal(e->n_causes - first, p->n_causes);
    for (uint32_t i = 0; i < p->n_causes; i++) {
        const roof_cause *own = &e->causes[first + i], *of = &p->causes[i];
        assert_int_equal(own->kind, of->kind);
        assert_true(own->gain_s == of->gain_s && own->share_ratio == of->gain_s / e->total.bypass_s);
        assert_int_equal(own->n_units, of->n_units);
        for (uint32_t k = 0; k < of->n_units; k++)
            assert_string_equal(e->matches[own->units[k]].name, p->layers[of->units[k]].name);
    }
    study_close(&s);
}

/* A board that was timed as a whole: where the time is lost is not known, and an engine twice as fast is not
 * what to do first. */
static void without_a_per_layer_run_the_first_thing_is_to_make_one(void **state)
{
    static const struct {
        double above_s; /* what is needed at best */
        roof_cause_kind first;
    } rows[] = {{4e-3, ROOF_CAUSE_UNPROFILED}, {0.1e-3, ROOF_CAUSE_COMPUTE}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        study s = study_open("zcu104-resnet50");
        roof_experiment *of = s.measured->experiments;
        double bypass_s = s.r->experiments->total.best_s + rows[i].above_s;
        uint32_t n_runs = of->n_runs;
        assert_int_equal(of->runs[0].mode, ROOF_RUN_BYPASS);
        of->n_runs = 1;
        of->runs[0].total.mean_s = of->runs[0].total.min_s = of->runs[0].total.max_s = bypass_s;
        study_reconcile(&s);
        const roof_reconciled *e = s.r->experiments;
        assert_true(e->n_causes > 0);
        assert_int_equal(e->causes->kind, rows[i].first);
        assert_true(i || fabs(e->causes->gain_s - rows[i].above_s) < 1e-9);
        of->n_runs = n_runs;
        study_close(&s);
    }
}

/* ---- planted ---- */

/* What timing adds stays as it was. Returns what was planted. */
static double slow_down(study *s, double factor,
                        bool (*is_meant)(const roof_reconciled *e, const roof_match *u))
{
    double planted_s = 0;
    roof_experiment *of = s->measured->experiments;
    const roof_reconciled *e = s->r->experiments;
    for (uint32_t i = 0; i < e->n_matches; i++) {
        const roof_match *u = &e->matches[i];
        if (!u->n_rows || !is_meant(e, u))
            continue;
        roof_times *t = (roof_times *)&e->layer_run->layers[e->row_order[u->row]].time;
        double more_s = (factor - 1) * u->corrected_s;
        t->mean_s += more_s;
        t->max_s += more_s;
        planted_s += more_s;
    }
    for (uint32_t i = 0; i < of->n_runs; i++) {
        of->runs[i].total.mean_s += planted_s;
        of->runs[i].total.max_s += planted_s;
        of->runs[i].sum_of_layers_s += planted_s;
    }
    study_reconcile(s);
    return planted_s;
}

static bool is_any(const roof_reconciled *e, const roof_match *u)
{
    (void)e;
    return u->ideal_s > 0;
}

static bool is_of_memory(const roof_reconciled *e, const roof_match *u)
{
    const char *engine = u->bound == ROOF_NONE ? "" : e->prediction->engines[u->bound];
    return strcmp(engine, "load") == 0 || strcmp(engine, "save") == 0 || strcmp(engine, "memory") == 0;
}

static bool is_one_layer(const roof_reconciled *e, const roof_match *u)
{
    (void)e;
    return strcmp(u->name, "subgraph_res4b_branch2b") == 0;
}

static bool is_of_stage(const roof_reconciled *e, const roof_match *u)
{
    return u->n_layers && strstr(e->prediction->layers[e->layer_order[u->layer]].shape, "-> 14x14x");
}

static void what_is_planted_into_a_real_profile_comes_first(void **state)
{
    static const struct {
        double factor;
        bool (*is_meant)(const roof_reconciled *e, const roof_match *u);
        roof_cause_kind kind;
        uint32_t n_units;
    } rows[] = {
        {2, is_any, ROOF_CAUSE_WRONG_CLOCK, 61},          {3, is_any, ROOF_CAUSE_WRONG_CLOCK, 61},
        {2, is_of_memory, ROOF_CAUSE_HALF_BANDWIDTH, 23}, {3, is_of_memory, ROOF_CAUSE_HALF_BANDWIDTH, 23},
        {3, is_of_stage, ROOF_CAUSE_SLOW_STAGE, 19},      {14, is_one_layer, ROOF_CAUSE_SLOW_LAYER, 1}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        study s = study_open("zcu104-resnet50");
        double planted_s = slow_down(&s, rows[i].factor, rows[i].is_meant);
        const roof_reconciled *e = s.r->experiments;
        const roof_cause *c = e->causes;
        if (!e->n_causes || c->kind != rows[i].kind || c->n_units != rows[i].n_units ||
            !(fabs(c->gain_s / planted_s - 1) <= 0.1)) {
            print_causes(e);
            fail_msg("%s of %g us is not the first cause", roof_cause_text(rows[i].kind), 1e6 * planted_s);
        }
        study_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(studies_have_these_first_causes),
        cmocka_unit_test(the_gain_of_a_kind_is_that_of_the_table),
        cmocka_unit_test(limits_of_the_model_come_last_as_its_prediction_has_them),
        cmocka_unit_test(without_a_per_layer_run_the_first_thing_is_to_make_one),
        cmocka_unit_test(what_is_planted_into_a_real_profile_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
