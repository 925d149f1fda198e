/* A measurement or a prediction against the limits of a budget. */
#include "roofline/budget.h"
#include "core/arena.h"
#include "core/error.h"
#include "core/namemap.h"
#include "core/quantity.h"
#include "measure/unit_facts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *roof_check_state_text(roof_check_state state)
{
    static const char *const words[] = {[ROOF_CHECK_KEPT] = "kept",
                                        [ROOF_CHECK_BROKEN] = "broken",
                                        [ROOF_CHECK_UNKNOWN] = "not known",
                                        [ROOF_CHECK_SKIPPED] = "skipped"};
    return state < ROOF_CHECK_STATES ? words[state] : NULL;
}

uint32_t roof_checks_failed(const roof_checks *checks)
{
    return checks->counts[ROOF_CHECK_BROKEN] + checks->counts[ROOF_CHECK_UNKNOWN];
}

/* What is checked of one model. */
typedef struct checker {
    const roof_budget *budget;
    roof_checks *out;
    roof_arena *arena;
    roof_error *err;
    const char *model; /* as the profile calls it */
    const char *label; /* the same, unlike those of other models */
    namemap *labels;
    const roof_reconciled *measured;   /* NULL: it is predicted */
    const roof_run *run;               /* whose total is checked; NULL: no run has one */
    const roof_prediction *prediction; /* NULL: there is none */
} checker;

static bool is_optional(const checker *c, const char *limit)
{
    for (size_t i = 0; i < ROOF_MOST_OPTIONAL && c->budget->optional[i]; i++)
        if (strcmp(c->budget->optional[i], limit) == 0)
            return true;
    return false;
}

/* limit: its name in the budget. */
static roof_status add(checker *c, const char *limit, roof_check check)
{
    roof_checks *all = c->out;
    check.model = c->label;
    check.excess_ratio = quotient_of(check.found, check.limit) - 1;
    if (isnan(check.found))
        check.state = is_optional(c, limit) ? ROOF_CHECK_SKIPPED : ROOF_CHECK_UNKNOWN;
    else if (!check.is_noise && (check.is_least ? check.found < check.limit : check.found > check.limit))
        check.state = ROOF_CHECK_BROKEN;
    else
        check.state = ROOF_CHECK_KEPT;
    if (!check.name || !check.why)
        return error_memory(c->err);
    TRY(ARENA_MORE(c->arena, all->items, all->n, c->err));
    all->counts[check.state]++;
    all->items[all->n++] = check;
    return ROOF_OK;
}

/* --- an inference ---------------------------------------------------------------------------------------- */

/* A limit of an inference, and what it is of. */
typedef struct term {
    const char *limit, *name, *unit;
    enum { TIMES, AT_BEST, EXPECTED, BYTES } of;
    size_t in_times; /* of roof_times */
} term;

static const term terms[] = {
    {"mean_s", "mean", "s", TIMES, offsetof(roof_times, mean_s)},
    {"p50_s", "p50", "s", TIMES, offsetof(roof_times, median_s)},
    {"p95_s", "p95", "s", TIMES, offsetof(roof_times, p95_s)},
    {"p99_s", "p99", "s", TIMES, offsetof(roof_times, p99_s)},
    {"worst_s", "worst", "s", TIMES, offsetof(roof_times, max_s)},
    {"deadline_s", "deadline", "s", TIMES, offsetof(roof_times, max_s)},
    {"best_s", "at best", "s", AT_BEST, 0},
    {"expected_s", "expected", "s", EXPECTED, 0},
    {"total_bytes", "bytes", "B", BYTES, 0},
};

enum { N_TERMS = sizeof terms / sizeof *terms };

const char *roof_budget_term(size_t i)
{
    return i < N_TERMS ? terms[i].limit : NULL;
}

double roof_budget_limit(const roof_limit *limits, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(limits[i].name, name) == 0)
            return limits[i].value;
    return NAN;
}

/* "of 100 inferences"; of a deadline "3 of 100 inferences are later" */
static const char *of_inferences(const checker *c, double deadline_s)
{
    const roof_times *t = &c->run->total;
    const char *mode = c->run->mode == ROOF_RUN_PER_LAYER ? " of the per-layer run" : "";
    uint64_t late = 0;
    if (t->count == ROOF_UNKNOWN)
        return arena_printf(c->arena, "as the profile states it%s", mode);
    for (uint64_t i = 0; t->samples_s && i < t->count; i++)
        late += t->samples_s[i] > deadline_s;
    return late ? arena_printf(c->arena, "%" PRIu64 " of %" PRIu64 " inferences are later%s", late, t->count,
                               mode)
                : arena_printf(c->arena, "of %" PRIu64 " inferences%s", t->count, mode);
}

/* Of a prediction: what is expected is a mean, and nothing is faster than at best. */
static double find_predicted(const checker *c, bool is_mean, double limit, const char **why)
{
    const roof_prediction *p = c->prediction;
    double best_s = p->estimate_of ? (double)NAN : roof_best_s(p);
    if (best_s > limit) {
        *why = "at best: no run is faster";
        return best_s;
    }
    *why = !is_mean ? "a prediction has no single inferences: measure it"
           : isnan(p->total.predicted_s)
               ? "a prediction without an expected time: give a calibration, or limit best_s"
               : "expected";
    return is_mean ? p->total.predicted_s : (double)NAN;
}

static double find_time(const checker *c, const term *t, double limit, const char **why)
{
    if (!c->measured)
        return find_predicted(c, t->in_times == offsetof(roof_times, mean_s), limit, why);
    *why = "no run of it has the time of an inference";
    if (!c->run)
        return NAN;
    const void *at = (const char *)&c->run->total + t->in_times;
    double found = *(const double *)at, slowest_s = c->run->total.max_s;
    if (isnan(found) && slowest_s <= limit) {
        *why = "the slowest inference, which bounds it";
        return slowest_s;
    }
    *why = isnan(found) ? "the profile has neither samples nor this figure"
                        : of_inferences(c, strcmp(t->name, "deadline") == 0 ? limit : INFINITY);
    return found;
}

static const char *without_prediction(const checker *c)
{
    return c->prediction ? "the prediction does not have it" : "the model is not known; name it with --model";
}

/* *why says of what it is, or why it is not known. */
static double find(const checker *c, const term *t, double limit, const char **why)
{
    const roof_prediction *p = c->prediction;
    const roof_reconciled *e = t->of == BYTES ? c->measured : NULL;
    double counted = e ? run_traffic(e->bypass) : NAN, predicted = NAN;
    if (t->of == TIMES)
        return find_time(c, t, limit, why);
    if (e && isnan(counted))
        counted = run_traffic(e->per_layer);
    if (p)
        predicted = t->of == AT_BEST    ? roof_best_s(p)
                    : t->of == EXPECTED ? p->total.predicted_s
                                        : known_count(roof_traffic_total(&p->total.deployed.traffic));
    *why = !isnan(counted) ? "counted" : !isnan(predicted) ? "predicted" : without_prediction(c);
    return isnan(counted) ? predicted : counted;
}

static roof_status check_totals(checker *c)
{
    const roof_budget *b = c->budget;
    for (const term *t = terms; t < terms + N_TERMS; t++) {
        roof_check check = {
            .name = t->name, .unit = t->unit, .limit = roof_budget_limit(b->totals, b->n_totals, t->limit)};
        if (isnan(check.limit))
            continue;
        check.found = find(c, t, check.limit, &check.why);
        TRY(add(c, t->limit, check));
    }
    return ROOF_OK;
}

/* --- efficiencies ---------------------------------------------------------------------------------------- */

static roof_status check_type(checker *c, const roof_limit *type)
{
    const roof_reconciled *e = c->measured;
    roof_check check = {.name = arena_printf(c->arena, "%s efficiency", type->name),
                        .unit = "ratio",
                        .limit = type->value,
                        .is_least = true};
    double ideal_s = 0, measured_s = 0;
    uint32_t n = 0, all = 0;
    for (uint32_t i = 0; e && i < e->n_units; i++) {
        const roof_unit *u = &e->units[i];
        if (strcmp(unit_type(u), type->name) != 0 || roof_unit_is_repeated(u) || isnan(u->measured_s))
            continue;
        all++;
        if (isnan(u->ideal_s))
            continue;
        n++;
        ideal_s += u->ideal_s;
        measured_s += u->measured_s;
    }
    check.found = quotient_of(ideal_s, measured_s);
    check.why = !e    ? "a prediction has no measured times"
                : all ? without_prediction(c)
                      : "no layer of this kind was measured";
    if (n)
        check.why = arena_printf(c->arena, "ideal / measured of %" PRIu32 " of %" PRIu32 " layers", n, all);
    return add(c, type->name, check);
}

/* --- the baseline ---------------------------------------------------------------------------------------- */

static const char untested[] = "neither samples nor mean, deviation and count on both sides";

static roof_status check_layers(checker *c, const roof_compared_run *run, roof_check check)
{
    const roof_compared *worst = NULL;
    uint32_t slower = 0;
    for (uint32_t i = 0; i < run->n_layers; i++) {
        const roof_compared *l = &run->layers[i];
        if (!l->is_shown || !(l->ratio > check.limit))
            continue;
        slower++;
        worst = !worst || l->ratio > worst->ratio ? l : worst;
    }
    check.found = worst ? worst->ratio : run->n_tested ? 1 : NAN;
    check.why = run->n_tested ? "no layer is slower by so much beyond noise" : untested;
    if (worst)
        check.why = arena_printf(c->arena, "%" PRIu32 " slower beyond noise, the most '%s'", slower,
                                 worst->name ? worst->name : "?");
    return add(c, "baseline", check);
}

static roof_status check_run(checker *c, const roof_compared_run *run)
{
    const roof_compared *t = &run->total;
    const char *mode = mode_words(run->mode), *file = c->budget->baseline.file;
    bool is_tested = t->test != ROOF_TEST_NONE;
    roof_check layers = {.name = arena_printf(c->arena, "%s, layers against %s", mode, file),
                         .unit = "ratio",
                         .limit = c->budget->baseline.layer_factor};
    TRY(add(c, "baseline",
            (roof_check){.name = arena_printf(c->arena, "%s against %s", mode, file),
                         .unit = "ratio",
                         .found = is_tested ? t->ratio : NAN,
                         .limit = c->budget->baseline.factor,
                         .is_noise = !t->is_shown,
                         .why = !is_tested    ? untested
                                : t->is_shown ? "beyond noise"
                                              : "not beyond noise"}));
    return isnan(layers.limit) || !run->n_layers ? ROOF_OK : check_layers(c, run, layers);
}

static roof_status check_baseline(checker *c, const roof_comparison *baseline)
{
    uint32_t n = 0;
    /* Another model may have the same name, and another text. */
    for (uint32_t i = 0; baseline && i < baseline->n_runs; i++)
        if (baseline->runs[i].model_b == c->model) {
            TRY(check_run(c, &baseline->runs[i]));
            n++;
        }
    return n ? ROOF_OK
             : add(c, "baseline",
                   (roof_check){.name = arena_printf(c->arena, "against %s", c->budget->baseline.file),
                                .unit = "ratio",
                                .found = NAN,
                                .limit = c->budget->baseline.factor,
                                .why = "the baseline has no run of this model in the same mode"});
}

/* --- a model, and all of them ---------------------------------------------------------------------------- */

static roof_status check_model(checker *c, const roof_comparison *baseline)
{
    TRY(check_totals(c));
    for (uint32_t i = 0; i < c->budget->n_types; i++)
        TRY(check_type(c, &c->budget->types[i]));
    return c->budget->baseline.file ? check_baseline(c, baseline) : ROOF_OK;
}

/* One model may be there twice, on two boards or compiled in two ways. */
static roof_status label(checker *c, uint32_t i)
{
    const roof_reconciled *e = c->measured;
    c->label = c->model;
    if (namemap_add(c->labels, c->label, strlen(c->label), i))
        return ROOF_OK;
    c->label = arena_printf(c->arena, "%s #%" PRIu32 "%s%s", c->model, i + 1, e->hardware_id ? " on " : "",
                            e->hardware_id ? e->hardware_id : "");
    return c->label ? ROOF_OK : error_memory(c->err);
}

static roof_status check_subject(checker *c, const roof_compare_side *subject,
                                 const roof_comparison *baseline)
{
    const roof_reconciliation *r = subject->measured;
    c->prediction = subject->prediction;
    c->model = c->label = subject->prediction ? subject->prediction->model.name : NULL;
    if (!r)
        return check_model(c, baseline);
    c->labels = namemap_new(c->arena, r->n_experiments);
    for (uint32_t i = 0; c->labels && i < r->n_experiments; i++) {
        const roof_reconciled *e = c->measured = &r->experiments[i];
        c->model = e->model;
        c->prediction = e->prediction;
        c->run = e->bypass && !isnan(times_typical(&e->bypass->total))         ? e->bypass
                 : e->per_layer && !isnan(times_typical(&e->per_layer->total)) ? e->per_layer
                                                                               : NULL;
        TRY(label(c, i));
        TRY(check_model(c, baseline));
    }
    return c->labels ? ROOF_OK : error_memory(c->err);
}

roof_status roof_budget_check(const roof_budget *budget, const roof_compare_side *subject,
                              const roof_comparison *baseline, roof_checks **out, roof_error *err)
{
    roof_arena *arena = arena_new(0);
    checker c = {.budget = budget, .out = arena ? NEW(arena, roof_checks) : NULL, .arena = arena, .err = err};
    roof_status status = c.out ? check_subject(&c, subject, baseline) : error_memory(err);
    *out = status == ROOF_OK ? c.out : NULL;
    if (status == ROOF_OK)
        c.out->arena = arena;
    else
        arena_free(arena);
    return status;
}

void roof_checks_free(roof_checks *checks)
{
    if (checks)
        arena_free(checks->arena);
}
