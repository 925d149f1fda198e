/* Compares two measurements or predictions: pairs rows, tests each pair, and judges all tests together. */
#include "measure/compare/conditions.h"
#include "measure/compare/sample_tests.h"
#include "measure/import/tools.h"
#include "measure/reconcile/match_names.h"
#include "measure/matches/match_facts.h"
#include "roofline/predictions.h"

typedef struct comparer {
    roof_comparison *out;
    roof_arena *arena;
    roof_error *err;
    bool is_predicted;
} comparer;

/* --- runs of either kind -------------------------------------------------------------------------------- */

typedef struct timed_row {
    const char *name, *type, *key; /* key: the name, or the index of a row without one */
    const roof_times *times;       /* NULL: predicted, or without any */
    double factor;                 /* executions by one inference, of one of which times are */
    double seconds;                /* of one inference */
} timed_row;

typedef struct timed_run {
    const char *model, *mode;
    timed_row total;
    bool is_sum;
    timed_row *rows;
    uint32_t n;
} timed_run;

/* A run of a measured document, and whose it is. */
typedef struct run_side {
    const roof_run *run;
    const roof_experiment *experiment;
    const char *model, *tool, *hardware; /* hardware: what it ran on, where the document does not say so */
    bool is_recording;
} run_side;

static roof_status take_run(comparer *c, const run_side *side, timed_run *out)
{
    const roof_run *run = side->run;
    *out = (timed_run){.model = side->model, .mode = roof_run_mode_text(run->mode), .n = run->n_layers};
    TRY(ARENA_GET(c->arena, out->rows, out->n, c->err));
    for (uint32_t i = 0; i < out->n; i++) {
        const roof_measured_layer *l = &run->layers[i];
        const char *key = l->name ? l->name : arena_printf(c->arena, "#%u", l->index);
        out->rows[i] = (timed_row){l->name,
                                   l->type,
                                   key,
                                   &l->time,
                                   side->is_recording ? 1 : row_executions(l),
                                   side->is_recording ? row_time_s(run, l) : row_inference_s(run, l)};
    }
    double total_s = side->is_recording ? NAN : times_typical(&run->total);
    out->is_sum = isnan(total_s);
    out->total = (timed_row){"total", NULL, NULL, out->is_sum ? NULL : &run->total, 1, total_s};
    /* nobody knows how many inferences a recording has: its rows are compared launch by launch */
    if (!out->is_sum || side->is_recording)
        return ROOF_OK;
    out->total.seconds = run->sum_of_layers_s;
    if (!isnan(run->sum_of_layers_s) || !out->n)
        return ROOF_OK;
    out->total.seconds = run_rows_s(run);
    roof_times *times;
    TRY(ARENA_GET(c->arena, times, 1, c->err));
    TRY(times_of_rows(run, c->arena, times, c->err));
    if (times->samples_s) {
        out->total.times = times;
        out->total.seconds = times->mean_s;
    }
    return ROOF_OK;
}

static roof_status take_prediction(comparer *c, const roof_prediction *p, roof_answer_kind kind,
                                   timed_run *out)
{
    const bool is_bound = roof_answer_is_bound(kind);
    *out = (timed_run){.model = p->model.name, .mode = is_bound ? "at_best" : "expected", .n = p->n_layers};
    out->total = (timed_row){.name = "total", .seconds = is_bound ? roof_best_s(p) : p->total.predicted_s};
    TRY(ARENA_GET(c->arena, out->rows, out->n, c->err));
    for (uint32_t i = 0; i < out->n; i++) {
        const roof_layer_prediction *l = &p->layers[i];
        double seconds = is_bound ? l->deployed.ideal_s : l->predicted_s;
        out->rows[i] = (timed_row){l->name, l->type, l->name, .seconds = layer_repeat(l) * seconds};
    }
    return ROOF_OK;
}

/* --- one pair ------------------------------------------------------------------------------------------- */

/* a or b NULL: it is on one side alone. */
static roof_status compare_rows(const comparer *c, const timed_row *a, const timed_row *b, roof_compared *out)
{
    /* Predictions that differ by less are equal: documents have 12 digits. */
    static const double rounding_ratio = 1e-9;
    const roof_times *s = a ? a->times : NULL, *t = b ? b->times : NULL;
    out->name = a ? a->name : b ? b->name : NULL;
    out->type = a && a->type ? a->type : b ? b->type : NULL;
    out->a_row = out->b_row = ROOF_NONE;
    out->a_s = a ? a->seconds : NAN;
    out->b_s = b ? b->seconds : NAN;
    out->a_count = s ? s->count : ROOF_UNKNOWN;
    out->b_count = t ? t->count : ROOF_UNKNOWN;
    out->difference_s = out->b_s - out->a_s;
    out->ratio = quotient_of(out->b_s, out->a_s);
    sample_tests_none(out);
    if (!a || !b || isnan(out->difference_s))
        return ROOF_OK;
    if (!c->is_predicted)
        return sample_tests_make((sample_side){s, a->factor}, (sample_side){t, b->factor}, out, c->err);
    out->test = ROOF_TEST_EXACT; /* without noise */
    out->is_shown = out->is_typical_shown =
        fabs(out->difference_s) > rounding_ratio * fmax(out->a_s, out->b_s);
    return ROOF_OK;
}

/* --- rows of two runs ----------------------------------------------------------------------------------- */

static void set_row_keys(comparer *c, const timed_run *run, bool is_plain, key_list *out)
{
    for (uint32_t i = 0; i < run->n; i++) {
        const char *key = run->rows[i].key;
        text_span plain = is_plain && key ? match_name_plain(key, c->arena) : (text_span){NULL, 0};
        out->of[i] = !is_plain || !key ? key
                     : plain.length    ? arena_strndup(c->arena, plain.text, plain.length)
                                       : NULL;
    }
}

/* Noise of the layers is taken for independent, so squares of half widths add up. */
static void set_geometric_mean(roof_compared_run *run)
{
    double sum = 0, squares = 0, n = 0;
    FOR_EACH(const roof_compared, l, run->layers, run->n_layers) {
        if (!(l->ratio > 0))
            continue;
        n++;
        sum += log(l->ratio);
        squares += l->test == ROOF_TEST_RANGES ? NAN : pow(log(l->ratio_ci95[1] / l->ratio_ci95[0]) / 2, 2);
    }
    run->geometric_mean = n > 0 ? exp(sum / n) : (double)NAN;
    run->geometric_mean_ci95[0] = run->geometric_mean * exp(-sqrt(squares) / n);
    run->geometric_mean_ci95[1] = run->geometric_mean * exp(sqrt(squares) / n);
}

static roof_status compare_layers(comparer *c, const timed_run *a, const timed_run *b, roof_compared_run *out)
{
    key_list x, y;
    TRY(pair_keys_new(c->arena, a->n, &x, c->err));
    TRY(pair_keys_new(c->arena, b->n, &y, c->err));
    for (int is_plain = 0; is_plain < 2; is_plain++) {
        set_row_keys(c, a, is_plain, &x);
        set_row_keys(c, b, is_plain, &y);
        TRY(pair_keys(c->arena, &x, &y, c->err));
    }
    TRY(ARENA_GET(c->arena, out->layers, (size_t)a->n + b->n, c->err));
    for (uint32_t i = 0; i < a->n; i++) {
        roof_compared *row = &out->layers[out->n_layers++];
        const timed_row *mate = x.mate[i] == ROOF_NONE ? NULL : &b->rows[x.mate[i]];
        TRY(compare_rows(c, &a->rows[i], mate, row));
        row->a_row = i;
        row->b_row = x.mate[i];
        if (mate)
            row->pairing = strcmp(mate->key, a->rows[i].key) == 0 ? ROOF_PAIRED_NAME : ROOF_PAIRED_PLAIN_NAME;
        out->n_paired += mate != NULL;
        out->n_only_a += !mate;
    }
    for (uint32_t i = 0; i < b->n; i++)
        if (y.mate[i] == ROOF_NONE) {
            TRY(compare_rows(c, NULL, &b->rows[i], &out->layers[out->n_layers]));
            out->layers[out->n_layers++].b_row = i;
            out->n_only_b++;
        }
    set_geometric_mean(out);
    return ROOF_OK;
}

static roof_status compare_runs(comparer *c, const timed_run *a, const timed_run *b)
{
    roof_comparison *all = c->out;
    TRY(ARENA_MORE(c->arena, all->runs, all->n_runs, c->err));
    roof_compared_run *run = &all->runs[all->n_runs++];
    *run = (roof_compared_run){
        .model = a->model, .model_b = b->model, .mode = a->mode, .is_sum = a->is_sum || b->is_sum};
    run->total.pairing = ROOF_PAIRED_NAME;
    TRY(compare_rows(c, &a->total, &b->total, &run->total));
    return compare_layers(c, a, b, run);
}

/* --- all tests together --------------------------------------------------------------------------------- */

/* A p, and what it decides. */
typedef struct one_test {
    double p;
    bool *is_shown;
} one_test;

typedef struct all_tests {
    one_test *items;
    size_t n;
} all_tests;

static roof_status add_tests(comparer *c, all_tests *all, roof_compared *row)
{
    const one_test looks[] = {{row->p, &row->is_typical_shown},
                              {row->mean.p, &row->mean.is_shown},
                              {row->tail.p, &row->tail.is_shown}};
    for (size_t i = 0; i < N_OF(looks); i++)
        if (!isnan(looks[i].p))
            TRY(ARENA_ADD(c->arena, all->items, all->n, c->err, looks[i]));
    return ROOF_OK;
}

/* Holm: the smallest of n is compared with level / n, the next with level / (n - 1), until one is above. */
static void judge(all_tests *all)
{
    size_t n = all->n;
    order_sort(all->items, n, sizeof *all->items, ORDER_BY(RISING(one_test, p)));
    for (size_t i = 0; i < n && all->items[i].p <= ROOF_COMPARE_LEVEL / (double)(n - i); i++)
        *all->items[i].is_shown = true;
}

static void conclude(roof_compared *row)
{
    roof_decided why_not;
    row->is_shown = row->is_typical_shown || row->mean.is_shown || row->tail.is_shown;
    row->is_told = sample_tests_is_decided(row, &why_not);
    row->wanted_count = row->is_told ? ROOF_UNKNOWN : why_not.samples;
}

static roof_status judge_all(comparer *c)
{
    all_tests totals = {NULL, 0}, layers = {NULL, 0};
    FOR_EACH(roof_compared_run, run, c->out->runs, c->out->n_runs) {
        TRY(add_tests(c, &totals, &run->total));
        for (uint32_t k = 0; k < run->n_layers; k++)
            TRY(add_tests(c, &layers, &run->layers[k]));
    }
    judge(&totals);
    judge(&layers);
    FOR_EACH(roof_compared_run, run, c->out->runs, c->out->n_runs) {
        conclude(&run->total);
        FOR_EACH(roof_compared, row, run->layers, run->n_layers) {
            bool is_tested = row->test != ROOF_TEST_NONE;
            conclude(row);
            run->n_tested += is_tested;
            run->n_shown += row->is_shown;
            run->n_untold += is_tested && !row->is_told;
        }
    }
    return ROOF_OK;
}

/* --- the sides ------------------------------------------------------------------------------------------ */

static roof_status leave_out(comparer *c, const roof_run *run, const char *model, const char *model_b,
                             bool is_of_a)
{
    roof_comparison *all = c->out;
    return !run ? ROOF_OK
                : ARENA_ADD(c->arena, all->left_out, all->n_left_out, c->err,
                            (roof_lone_run){model, roof_run_mode_text(run->mode), model_b, is_of_a});
}

static roof_status compare_phases(comparer *c, const roof_run *a, const roof_run *b, roof_compared_run *out)
{
    for (uint32_t i = 0; i < a->n_phases; i++) {
        const uint32_t mate = NAMED_AT(b->phases, b->n_phases, name, a->phases[i].name);
        if (mate == b->n_phases)
            continue;
        const double a_s = a->phases[i].seconds, b_s = b->phases[mate].seconds;
        TRY(ARENA_ADD(c->arena, out->phases, out->n_phases, c->err,
                      (roof_compared_phase){a->phases[i].name, a_s, b_s, quotient_of(b_s, a_s)}));
    }
    order_sort(out->phases, out->n_phases, sizeof *out->phases,
               ORDER_BY(FALLING(roof_compared_phase, ratio), RISING(roof_compared_phase, name)));
    return ROOF_OK;
}

static roof_status compare_sides(comparer *c, const run_side *a, const run_side *b)
{
    timed_run x, y;
    run_conditions of_a, of_b;
    TRY(take_run(c, a, &x));
    TRY(take_run(c, b, &y));
    TRY(compare_runs(c, &x, &y));
    roof_compared_run *run = &c->out->runs[c->out->n_runs - 1];
    TRY(compare_phases(c, a->run, b->run, run));
    TRY(conditions_of_run(a->experiment, a->run, a->tool, a->hardware, c->arena, &of_a, c->err));
    TRY(conditions_of_run(b->experiment, b->run, b->tool, b->hardware, c->arena, &of_b, c->err));
    return conditions_compare(&of_a, &of_b, c->arena, &run->unlike, &run->n_unlike, &run->n_apart, c->err);
}

static run_side side_of(const roof_compare_side *s, uint32_t experiment, bool is_bypass)
{
    static const roof_reconciled none;
    const roof_reconciled *e = experiment == ROOF_NONE ? &none : &s->measured->experiments[experiment];
    return (run_side){is_bypass ? e->bypass : e->per_layer,
                      is_bypass ? e->bypass_of : e->per_layer_of,
                      e->model,
                      s->measured->tool,
                      s->hardware,
                      e->is_recording};
}

/* Experiments of one network; ROOF_NONE: it is on one side alone. */
static roof_status compare_experiments(comparer *c, const roof_compare_side *a, uint32_t of_a,
                                       const roof_compare_side *b, uint32_t of_b)
{
    for (int mode = 0; mode < 2; mode++) {
        const run_side x = side_of(a, of_a, !mode), y = side_of(b, of_b, !mode);
        if (x.run && y.run) {
            TRY(compare_sides(c, &x, &y));
            continue;
        }
        TRY(leave_out(c, x.run, x.model, y.model, true));
        TRY(leave_out(c, y.run, y.model, NULL, false));
    }
    return ROOF_OK;
}

/* Latencies under load, of as many threads. Where each side has one model under load, whatever it is called.
 * */
static roof_status compare_loads(comparer *c, const roof_compare_side *a, const roof_compare_side *b)
{
    const roof_compare_side *sides[] = {a, b};
    key_list keys[2];
    bool is_one_model = true;
    for (size_t s = 0; s < 2; s++)
        for (uint32_t i = 1; i < sides[s]->measured->n_loads; i++)
            is_one_model &= !strcmp(sides[s]->measured->loads[i].model, sides[s]->measured->loads[0].model);
    for (size_t s = 0; s < 2; s++) {
        const roof_reconciliation *r = sides[s]->measured;
        TRY(pair_keys_new(c->arena, r->n_loads, &keys[s], c->err));
        for (uint32_t i = 0; i < r->n_loads; i++)
            keys[s].of[i] = arena_printf(c->arena, "%" PRIu32 " %s", r->loads[i].run->threads,
                                         is_one_model ? "" : r->loads[i].model);
    }
    TRY(arena_status(c->arena, c->err));
    TRY(pair_keys(c->arena, &keys[0], &keys[1], c->err));
    for (size_t s = 0; s < 2; s++)
        for (uint32_t i = 0; sides[s]->measured->loads && i < keys[s].n; i++) {
            const roof_load_run *load = &sides[s]->measured->loads[i];
            const uint32_t mate = keys[s].mate[i];
            const char *model = arena_printf(c->arena, "%s, %" PRIu32 " thread%s", load->model,
                                             load->run->threads, load->run->threads == 1 ? "" : "s");
            if (mate == ROOF_NONE) {
                TRY(leave_out(c, load->run, model, NULL, s == 0));
            } else if (s == 0) {
                const roof_load_run *other = &b->measured->loads[mate];
                TRY(compare_sides(
                    c, &(run_side){load->run, load->experiment, model, a->measured->tool, a->hardware, false},
                    &(run_side){other->run, other->experiment, model, b->measured->tool, b->hardware,
                                false}));
            }
        }
    return ROOF_OK;
}

static roof_status name_models(comparer *c, const roof_reconciliation *r, bool with_hardware, key_list *out)
{
    for (uint32_t i = 0; i < out->n; i++) {
        const roof_reconciled *e = &r->experiments[i];
        out->of[i] = with_hardware && e->stated_hardware_id
                         ? arena_printf(c->arena, "%s on %s", e->model, e->stated_hardware_id)
                         : e->model;
    }
    return arena_status(c->arena, c->err);
}

static roof_status compare_measured(comparer *c, const roof_compare_side *side_a,
                                    const roof_compare_side *side_b)
{
    const roof_reconciliation *a = side_a->measured, *b = side_b->measured;
    key_list x, y;
    const char *keep = tool_keep(b->tool ? b->tool : a->tool);
    c->out->keep = keep ? keep : "keep the time of each inference (samples_s), as `roofline measure` does";
    const roof_unread *of_a = a->unused_hardware, *of_b = b->unused_hardware; /* the arena remembers */
    c->out->unused_hardware_a = of_a ? arena_printf(c->arena, "%s %s", of_a->where, of_a->what) : NULL;
    c->out->unused_hardware_b = of_b ? arena_printf(c->arena, "%s %s", of_b->where, of_b->what) : NULL;
    TRY(pair_keys_new(c->arena, a->n_experiments, &x, c->err));
    TRY(pair_keys_new(c->arena, b->n_experiments, &y, c->err));
    /* on the same hardware before another one */
    for (int with_hardware = 1; with_hardware >= 0; with_hardware--) {
        TRY(name_models(c, a, with_hardware, &x));
        TRY(name_models(c, b, with_hardware, &y));
        if (x.n == 1 && y.n == 1)
            x.of[0] = y.of[0];
        TRY(pair_keys(c->arena, &x, &y, c->err));
    }
    for (uint32_t i = 0; i < x.n; i++)
        TRY(compare_experiments(c, side_a, i, side_b, x.mate[i]));
    for (uint32_t i = 0; i < y.n; i++)
        if (y.mate[i] == ROOF_NONE)
            TRY(compare_experiments(c, side_a, ROOF_NONE, side_b, i));
    TRY(compare_loads(c, side_a, side_b));
    if (!c->out->n_runs)
        return error_data(
            c->err,
            "A and B have no run of the same model in the same mode; A begins with '%.80s', B with "
            "'%.80s'; give two profiles of one network",
            x.n ? a->experiments[0].model : "", y.n ? b->experiments[0].model : "");
    return ROOF_OK;
}

bool roof_compared_rates_differ(const roof_compared_run *run)
{
    /* Rates that differ by less than this beside the times of an inference say the same as those. */
    static const double same_rate_ratio = 0.01;
    double apart = run->has_rates ? quotient_of(run->b_per_s, run->a_per_s) * run->total.ratio : NAN;
    return fabs(apart - 1) > same_rate_ratio;
}

static roof_status compare_predictions(comparer *c, const roof_prediction *a, const roof_prediction *b)
{
    const roof_pair of[2] = {roof_pair_of(a), roof_pair_of(b)};
    const roof_answer_kind kind = roof_pairs_kind(&of[0], &of[1]);
    timed_run x, y;
    TRY(take_prediction(c, a, kind, &x));
    TRY(take_prediction(c, b, kind, &y));
    TRY(compare_runs(c, &x, &y));
    roof_compared_run *run = &c->out->runs[c->out->n_runs - 1];
    run->takes[0] = roof_pair_takes(&of[0]);
    run->takes[1] = roof_pair_takes(&of[1]);
    run->a_per_s = roof_answer_is_bound(kind) ? of[0].per_s : of[0].expected_per_s;
    run->b_per_s = roof_answer_is_bound(kind) ? of[1].per_s : of[1].expected_per_s;
    run->has_rates = run->a_per_s > 0 && run->b_per_s > 0;
    run->rate_unit = a->total.yield.unit ? a->total.yield.unit : "inference";
    run_conditions of_a, of_b;
    TRY(conditions_of_prediction(a, c->arena, &of_a, c->err));
    TRY(conditions_of_prediction(b, c->arena, &of_b, c->err));
    if (roof_answer_is_bound(kind)) /* bounds hold with any number of them */
        of_a.text[CONDITION_BUSY_CORES] = of_b.text[CONDITION_BUSY_CORES] = NULL;
    return conditions_compare(&of_a, &of_b, c->arena, &run->unlike, &run->n_unlike, &run->n_apart, c->err);
}

roof_status roof_compare(const roof_compare_side *a, const roof_compare_side *b, roof_comparison **out,
                         roof_error *err)
{
    *out = NULL;
    if (!a->measured != !b->measured)
        return error_set(
            err, ROOF_E_USAGE,
            "one of the two is measured and one is predicted; `roofline reconcile` lays a profile "
            "beside its prediction");
    comparer c = {.err = err, .is_predicted = !a->measured};
    c.out = NEW_ROOT(&c.arena, roof_comparison, err);
    if (!c.out)
        return ROOF_E_NO_MEMORY;
    *c.out = (roof_comparison){.a = a->name, .b = b->name, .arena = c.arena};
    roof_status status =
        a->measured ? compare_measured(&c, a, b) : compare_predictions(&c, a->prediction, b->prediction);
    THEN(status, judge_all(&c));
    THEN(status, arena_status(c.arena, err));
    return GIVE(status, out, c.out, roof_comparison_free);
}

ARENA_FREES(roof_comparison_free, roof_comparison, comparison)
