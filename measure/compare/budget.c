/* A measurement or a prediction against the limits of a budget. */
#include "roofline/budget.h"
#include "measure/compare/conditions.h"
#include "measure/compare/sample_tests.h"
#include "measure/matches/match_facts.h"
#include "roofline/fit.h"

uint32_t roof_checks_failed(const roof_checks *checks)
{
    return checks->counts[ROOF_HELD_BROKEN] + checks->counts[ROOF_HELD_NOT_KNOWN];
}

/* One model while it is checked. */
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
    bool is_impossible; /* its times contradict one another, or the model: none keeps a limit */
    bool is_phase_checked[ROOF_MOST_TERMS], is_model_checked[ROOF_MOST_MODELS];
} checker;

/* limit: its name in the budget. check.state is not skipped yet. */
static roof_status add(checker *c, const char *limit, roof_check check)
{
    roof_checks *all = c->out;
    check.model = c->label;
    if (check.kind != ROOF_EXPECTED)
        check.found_ci95[0] = check.found_ci95[1] = NAN;
    check.excess_ratio = quotient_of(check.found, check.limit) - 1;
    if (c->is_impossible && check.state == ROOF_HELD_KEPT && strcmp(check.unit, "B") != 0) {
        check.state = ROOF_HELD_NOT_KNOWN;
        check.why = all->contradiction;
    }
    for (size_t i = 0; i < ROOF_MOST_OPTIONAL && c->budget->optional[i]; i++)
        if (check.state == ROOF_HELD_NOT_KNOWN && !c->is_impossible &&
            strcmp(c->budget->optional[i], limit) == 0)
            check.state = ROOF_HELD_SKIPPED;
    TRY(ALLOCATED(check.name && check.why, c->err));
    TRY(ARENA_ADD(c->arena, all->items, all->n, c->err, check));
    all->counts[check.state]++;
    return ROOF_OK;
}

/* The same of a figure that is held against its limit as it is. */
static roof_status add_figure(checker *c, const char *limit, roof_check check)
{
    bool is_kept = check.is_least ? check.found >= check.limit : check.found <= check.limit;
    check.state = isnan(check.found) ? ROOF_HELD_NOT_KNOWN : is_kept ? ROOF_HELD_KEPT : ROOF_HELD_BROKEN;
    return add(c, limit, check);
}

/* Not SAY, whose templates are of reports. */
#define TEXT(c, ...) arena_printf((c)->arena, __VA_ARGS__)

/* "1.5 ms", in a buffer that lives as long as the block. */
static const char *format_s(double seconds, char text[64])
{
    quantity_format(text, 64, seconds, "s");
    return text;
}
#define SAY_S(seconds) format_s((seconds), (char[64]){""})

/* "expected, 95 % 1 ms to 2 ms: the limit lies between" */
static const char *say_between(const checker *c, const char *what, double low_s, double high_s)
{
    return TEXT(c, "%s, 95 %% %s to %s: the limit lies between", what, SAY_S(low_s), SAY_S(high_s));
}

/* --- an inference --------------------------------------------------------------------------------------- */

/* A limit of an inference, and what it is of. */
typedef struct term {
    const char *limit, *name, *unit;
    enum { TIMES, AT_BEST, EXPECTED, BYTES, ENERGY, POWER, JITTER, TAIL } of;
    size_t in_times;       /* of roof_times */
    uint64_t samples;      /* that it takes: a percentile of fewer is the slowest one */
    roof_text_phase phase; /* of a language model, which alone has it; 0: any */
} term;

static const term terms[] = {
    {"mean_s", "mean", "s", TIMES, offsetof(roof_times, mean_s), 1, ROOF_TEXT_UNSTATED},
    {"p50_s", "p50", "s", TIMES, offsetof(roof_times, median_s), 1, ROOF_TEXT_UNSTATED},
    {"p95_s", "p95", "s", TIMES, offsetof(roof_times, p95_s), 20, ROOF_TEXT_UNSTATED},
    {"p99_s", "p99", "s", TIMES, offsetof(roof_times, p99_s), 100, ROOF_TEXT_UNSTATED},
    {"worst_s", "worst", "s", TIMES, offsetof(roof_times, max_s), 1, ROOF_TEXT_UNSTATED},
    {"deadline_s", "deadline", "s", TIMES, offsetof(roof_times, max_s), 1, ROOF_TEXT_UNSTATED},
    {"best_s", "at best", "s", AT_BEST, 0, 0, ROOF_TEXT_UNSTATED},
    {"expected_s", "expected", "s", EXPECTED, 0, 0, ROOF_TEXT_UNSTATED},
    {"total_bytes", "bytes", "B", BYTES, 0, 0, ROOF_TEXT_UNSTATED},
    {"energy_j", "energy", "J", ENERGY, 0, 0, ROOF_TEXT_UNSTATED},
    {"power_w", "power", "W", POWER, 0, 0, ROOF_TEXT_UNSTATED},
    {"cov_ratio", "CoV", "ratio", JITTER, 0, 5, ROOF_TEXT_UNSTATED},
    {"p99_per_p50_ratio", "p99 / p50", "ratio", TAIL, 0, 100, ROOF_TEXT_UNSTATED},
    {"ttft_s", "TTFT", "s", TIMES, offsetof(roof_times, mean_s), 1, ROOF_TEXT_PREFILL},
    {"tpot_s", "TPOT", "s", TIMES, offsetof(roof_times, mean_s), 1, ROOF_TEXT_DECODE},
};

_Static_assert(N_OF(terms) <= ROOF_MOST_TERMS, "checker has room for each");

const char *roof_budget_term(size_t i)
{
    return i < N_OF(terms) ? terms[i].limit : NULL;
}

double roof_budget_limit(const roof_limit *limits, uint32_t n, const char *name)
{
    const uint32_t i = NAMED_AT(limits, n, name, name);
    return i < n ? limits[i].value : NAN;
}

/* "of 100 inferences"; of a deadline "3 of 100 inferences are later" */
static const char *of_inferences(const checker *c, double deadline_s)
{
    const roof_times *t = &c->run->total;
    const char *mode = c->run->mode == ROOF_RUN_PER_LAYER ? " of the per-layer run" : "";
    uint64_t late = 0;
    if (t->count == ROOF_UNKNOWN)
        return TEXT(c, "as the profile states it%s", mode);
    for (uint64_t i = 0; t->samples_s && i < t->count; i++)
        late += t->samples_s[i] > deadline_s;
    return late ? TEXT(c, "%" PRIu64 " of %" PRIu64 " inferences are later%s", late, t->count, mode)
                : TEXT(c, "of %" PRIu64 " inferences%s", t->count, mode);
}

/* A prediction has an expected time, which is a mean, and a bound, which no run beats. CPU layers are in
 * neither. */
static roof_answer predicted_time(const checker *c, bool is_mean, double limit, const char **why)
{
    const roof_prediction *p = c->prediction;
    const double best_s = p->estimate_of ? (double)NAN : roof_best_s(p);
    roof_answer a = {.kind = ROOF_NOT_KNOWN, .value = NAN, .low = NAN, .high = NAN, .unit = "s"};
    a.covers.left_out = p->total.host_layers;
    if (best_s > limit) {
        *why = "bound: no run is faster";
        a.kind = ROOF_AT_LEAST;
        a.value = best_s;
        return a;
    }
    *why = !is_mean ? "a prediction has no single inferences: measure it"
           : isnan(p->total.predicted_s)
               ? "a prediction without an expected time: give a calibration, or limit best_s"
               : "expected";
    if (!is_mean || isnan(p->total.predicted_s))
        return a;
    a.kind = ROOF_EXPECTED;
    a.value = p->total.predicted_s;
    a.low = p->total.predicted_ci95_s[0];
    a.high = p->total.predicted_ci95_s[1];
    if (a.covers.left_out) {
        *why = TEXT(c, "expected of the accelerator, without %" PRIu32 " layer%s of the host",
                    p->total.host_layers, p->total.host_layers == 1 ? "" : "s");
    } else if (isnan(a.low)) {
        *why = "expected, without an interval";
    } else if (roof_answer_within(&a, limit, false) == ROOF_HELD_NOT_KNOWN) {
        *why = say_between(c, "expected", a.low, a.high);
    }
    return a;
}

static double find_time(const checker *c, const term *t, double limit, const char **why)
{
    *why = "no run of it has the time of an inference";
    if (!c->run)
        return NAN;
    const roof_times *of = &c->run->total;
    const void *at = (const char *)of + t->in_times;
    double found = *(const double *)at, slowest_s = of->max_s;
    if (found <= 0 || of->min_s <= 0 || of->mean_s <= 0) {
        *why = "an inference of 0 s is none; use a finer clock";
        return NAN;
    }
    if (!(found > limit) && of->count < t->samples) { /* ROOF_UNKNOWN is the largest */
        *why =
            TEXT(c, "%" PRIu64 " inferences are needed, the %s of %" PRIu64 " is no more than their slowest",
                 t->samples, t->name, of->count);
        return NAN;
    }
    if (isnan(found) && slowest_s <= limit) {
        *why = "the slowest inference, which bounds it";
        return slowest_s;
    }
    *why = isnan(found) ? "the profile has neither samples nor this figure"
                        : of_inferences(c, strcmp(t->name, "deadline") == 0 ? limit : INFINITY);
    return found;
}

/* How much inferences scatter. Few of them say little, and one above the limit does not break it. */
static double find_scatter(const checker *c, const term *t, const char **why)
{
    const roof_times *of = c->run ? &c->run->total : NULL;
    double found = !of              ? (double)NAN
                   : t->of == TAIL  ? quotient_of(of->p99_s, of->median_s)
                   : of->std_s >= 0 ? quotient_of(of->std_s, of->mean_s)
                                    : of->cov_ratio;
    if (!c->measured)
        *why = "a prediction has no single inferences: measure it";
    else if (!of || isnan(found))
        *why = "the profile has neither samples nor this figure";
    else if (of->count < t->samples) /* ROOF_UNKNOWN is the largest */
        *why = TEXT(c, "%" PRIu64 " inferences are needed, there are %" PRIu64, t->samples, of->count);
    else {
        *why = of_inferences(c, INFINITY);
        return found;
    }
    return NAN;
}

static double find_energy(const checker *c, const term *t, const char **why)
{
    const roof_energy *e = c->measured ? &c->measured->energy : NULL;
    double found = !e ? (double)NAN : t->of == ENERGY ? e->inference_j : e->power_w;
    *why = !e             ? "a prediction has no energy: measure it"
           : isnan(found) ? "the profile has neither energy nor power; roofline import --power adds a meter's"
           : e->scope     ? TEXT(c, "of an inference, %.80s", e->scope)
                          : "of an inference; what it covers is not stated";
    return found;
}

static const char *without_prediction(const checker *c)
{
    return c->prediction ? "the prediction does not have it" : "the model is unknown; name it with --model";
}

/* *why says of what it is, or why it is unknown. */
static double find(const checker *c, const term *t, double limit, const char **why)
{
    const roof_prediction *p = c->prediction;
    const roof_reconciled *e = t->of == BYTES ? c->measured : NULL;
    double counted = e ? run_traffic(e->bypass) : NAN, predicted = NAN;
    if (t->of == TIMES)
        return find_time(c, t, limit, why);
    if (t->of == JITTER || t->of == TAIL)
        return find_scatter(c, t, why);
    if (t->of == ENERGY || t->of == POWER)
        return find_energy(c, t, why);
    if (e && isnan(counted))
        counted = run_traffic(e->per_layer);
    if (p)
        predicted = t->of == AT_BEST    ? roof_best_s(p)
                    : t->of == EXPECTED ? p->total.predicted_s
                                        : known_count(roof_traffic_total(&p->total.deployed.traffic));
    *why = !isnan(counted) ? "counted" : !isnan(predicted) ? "predicted" : without_prediction(c);
    return isnan(counted) ? predicted : counted;
}

/* A limit so far above what was found is in another unit, and no gate: 12.5 was meant as milliseconds. */
#define NO_GATE_RATIO 100

static roof_status add_limit(checker *c, const char *limit, roof_check check)
{
    bool is_time = strcmp(check.unit, "s") == 0;
    if (!is_time || !(check.limit >= NO_GATE_RATIO * check.found))
        return add_figure(c, limit, check);
    check.state = ROOF_HELD_NOT_KNOWN;
    const double times = quotient_of(check.limit, check.found);
    check.why =
        TEXT(c, "the limit is %s, so nothing breaks it: write %gms, or less than %d times that",
             isnan(times) ? "far above that" : TEXT(c, "%.0f times that", times), check.limit, NO_GATE_RATIO);
    return add(c, limit, check);
}

/* A limit of a time that is predicted, held by its whole interval. */
static roof_status add_predicted(checker *c, const char *limit, roof_check check, bool is_mean)
{
    const roof_answer a = predicted_time(c, is_mean, check.limit, &check.why);
    check.found = a.value;
    check.kind = a.kind;
    check.left_out = a.kind == ROOF_NOT_KNOWN ? 0 : a.covers.left_out;
    check.found_ci95[0] = a.low;
    check.found_ci95[1] = a.high;
    if (check.limit >= NO_GATE_RATIO * a.value)
        return add_limit(c, limit, check);
    check.state = roof_answer_within(&a, check.limit, false);
    return add(c, limit, check);
}

/* True if the mean of few inferences is on one side of its limit and an end of its interval on the other. */
static bool doubts_mean(const checker *c, roof_check *check)
{
    /* From so many on a mean is that of inferences to come, too: fewer tell it by their 95 % interval. */
    enum { FEW_INFERENCES = 30 };
    const roof_times *t = c->run ? &c->run->total : NULL;
    if (!t || t->count < 2 || t->count >= FEW_INFERENCES || !(t->std_s >= 0) || isnan(check->found) ||
        check->limit >= NO_GATE_RATIO * check->found)
        return false;
    const double n = (double)t->count, half = roof_fit_t95((uint32_t)t->count - 1) * t->std_s / sqrt(n);
    check->found_ci95[0] = fmax(0, check->found - half);
    check->found_ci95[1] = check->found + half;
    if (check->found_ci95[0] > check->limit || check->found_ci95[1] <= check->limit)
        return false;
    check->state = ROOF_HELD_NOT_KNOWN;
    check->why = say_between(c, TEXT(c, "mean of %" PRIu64 " inferences", t->count), check->found_ci95[0],
                             check->found_ci95[1]);
    return true;
}

static roof_check unknown_check(const char *name, const char *unit, double limit, const char *why)
{
    return (roof_check){
        .name = name, .unit = unit, .found = NAN, .limit = limit, .state = ROOF_HELD_NOT_KNOWN, .why = why};
}

static roof_status check_terms(checker *c, const roof_limit *limits, uint32_t n)
{
    for (size_t i = 0; i < N_OF(terms); i++) {
        const term *t = &terms[i];
        roof_check check = {
            .name = t->name, .unit = t->unit, .limit = roof_budget_limit(limits, n, t->limit)};
        if (isnan(check.limit) || (t->phase && (!c->measured || c->measured->phase != t->phase)))
            continue;
        c->is_phase_checked[i] = true;
        const bool is_mean = t->of == TIMES && t->in_times == offsetof(roof_times, mean_s);
        if (!c->measured && c->prediction && (t->of == TIMES || t->of == EXPECTED)) {
            TRY(add_predicted(c, t->limit, check, is_mean || t->of == EXPECTED));
            continue;
        }
        check.found = find(c, t, check.limit, &check.why);
        TRY(is_mean && doubts_mean(c, &check) ? add(c, t->limit, check) : add_limit(c, t->limit, check));
    }
    return ROOF_OK;
}

/* A step of an inference, by the name that the profile has for it: "host_s". */
static roof_status check_step(checker *c, const roof_limit *step)
{
    size_t length = strlen(step->name) > 2 ? strlen(step->name) - 2 : 0;
    roof_check check = {.name = TEXT(c, "step %.*s", (int)length, step->name),
                        .unit = "s",
                        .found = NAN,
                        .limit = step->value,
                        .why = "of an inference, mean"};
    const char *steps = "";
    for (uint32_t i = 0; steps && c->run && i < c->run->n_phases; i++) {
        const roof_phase *phase = &c->run->phases[i];
        check.found = span_is((text_span){step->name, length}, phase->name) ? phase->seconds : check.found;
        steps = TEXT(c, "%s%s%.40s_s", steps, *steps ? ", " : "", phase->name);
    }
    if (isnan(check.found))
        check.why = steps && *steps ? TEXT(c, "there is no such step; there are %s", steps)
                                    : "the profile does not state the steps of an inference";
    return add_limit(c, step->name, check);
}

/* Reports the limits that nothing was held against. */
static roof_status check_unseen(checker *c)
{
    const roof_budget *b = c->budget;
    for (size_t i = 0; i < N_OF(terms); i++) {
        const double limit = roof_budget_limit(b->totals, b->n_totals, terms[i].limit);
        if (!isnan(limit) && terms[i].phase && !c->is_phase_checked[i])
            TRY(add(c, terms[i].limit,
                    unknown_check(terms[i].name, terms[i].unit, limit,
                                  TEXT(c, "nothing was measured in the phase %s",
                                       terms[i].phase == ROOF_TEXT_PREFILL ? "prefill" : "decode"))));
    }
    for (uint32_t i = 0; i < b->n_models; i++) {
        const roof_limit none = {"limits", NAN}, *first = b->models[i].n_totals ? b->models[i].totals : &none;
        if (c->is_model_checked[i])
            continue;
        c->label = b->models[i].name;
        TRY(add(
            c, first->name,
            unknown_check(first->name, "s", first->value, "no model of this name is in what is checked")));
    }
    return ROOF_OK;
}

/* --- efficiencies --------------------------------------------------------------------------------------- */

static roof_status check_type(checker *c, const roof_limit *type)
{
    const roof_reconciled *e = c->measured;
    roof_check check = {.name = TEXT(c, "%s efficiency", type->name),
                        .unit = "ratio",
                        .limit = type->value,
                        .is_least = true};
    double ideal_s = 0, measured_s = 0;
    uint32_t n = 0, all = 0;
    for (uint32_t i = 0; e && i < e->n_matches; i++) {
        const roof_match *u = &e->matches[i];
        if (strcmp(match_type(u), type->name) != 0 || roof_match_is_repeated(u) || isnan(u->measured_s))
            continue;
        const bool has_ideal = !isnan(u->ideal_s);
        all++;
        n += has_ideal;
        ideal_s += has_ideal ? u->ideal_s : 0;
        measured_s += has_ideal ? u->measured_s : 0;
    }
    check.found = quotient_of(ideal_s, measured_s);
    check.why = !e    ? "a prediction has no measured times"
                : all ? without_prediction(c)
                      : "no layer of this kind was measured";
    if (n)
        check.why = TEXT(c, "ideal / measured of %" PRIu32 " of %" PRIu32 " layers", n, all);
    return add_figure(c, type->name, check);
}

/* --- memory --------------------------------------------------------------------------------------------- */

/* Checks the reserved bytes, or, where nothing placed the buffers, the least live memory. */
static roof_status check_pool(checker *c, const roof_limit *limit, const roof_memory *m,
                              const roof_memory_pool *pool)
{
    const char *row = roof_memory_row_name(m, pool, pool->at_row);
    const bool is_placed = pool->high_bytes != ROOF_UNKNOWN;
    const bool is_one = !m->n_pools || m->pools[0].subgraph == m->pools[m->n_pools - 1].subgraph;
    roof_check check = {.name =
                            pool->subgraph == ROOF_NONE || is_one
                                ? TEXT(c, "memory %.80s", pool->name)
                                : TEXT(c, "memory %.80s of subgraph %" PRIu32, pool->name, pool->subgraph),
                        .unit = "B",
                        .found = known_count(is_placed ? pool->high_bytes : pool->peak_bytes),
                        .limit = limit->value,
                        .why = text_or_empty(pool->why_no_peak)};
    if (row)
        check.why = TEXT(c,
                         is_placed ? "reserved; the peak is at '%.80s'"
                                   : "live at least, if nothing is tiled, at '%.80s'",
                         row);
    else if (is_placed)
        check.why = "reserved";
    return add_figure(c, limit->name, check);
}

/* True for activations that are listed again under another assumption: only the last one, which an
 * accelerator keeps, is checked. */
static bool is_repeated(const roof_memory *m, uint32_t i)
{
    for (uint32_t k = i + 1; k < m->n_pools; k++)
        if (m->pools[k].assuming && strcmp(m->pools[k].name, m->pools[i].name) == 0 &&
            m->pools[k].peak_bytes != ROOF_UNKNOWN)
            return true;
    return false;
}

static roof_status check_memory(checker *c, const roof_memory *m)
{
    FOR_EACH(const roof_limit, limit, c->budget->memory, c->budget->n_memory) {
        const char *names = "";
        uint32_t n = 0;
        for (uint32_t i = 0; m && i < m->n_pools; i++) {
            const bool is_it = strcmp(m->pools[i].name, limit->name) == 0;
            if (names && strlen(names) < 200 && !strstr(names, m->pools[i].name))
                names = TEXT(c, "%s%s%.80s", names, *names ? ", " : "", m->pools[i].name);
            if (!is_it || is_repeated(m, i))
                continue;
            TRY(check_pool(c, limit, m, &m->pools[i]));
            n++;
        }
        if (!n && m && m->total_ram && strcmp(limit->name, "ram") == 0) {
            TRY(check_pool(c, limit, m, m->total_ram));
            n++;
        }
        if (!n)
            TRY(add(
                c, limit->name,
                unknown_check(TEXT(c, "memory %.80s", limit->name), "B", limit->value,
                              !m ? "only a model's file tells of memory: check that, or name it with --model"
                              : !names ? NULL
                              : *names ? TEXT(c, "no memory pool of this name; there are %s", names)
                                       : "the file has no memory pool")));
    }
    return ROOF_OK;
}

/* --- advice --------------------------------------------------------------------------------------------- */

/* The most that an edit gains which keeps the outputs, as a share of the time: nobody has to train for it. */
static roof_status check_advice(checker *c, const roof_advice *a)
{
    const double limit = c->budget->advice_max_gain_percent / 100;
    roof_check check = {.name = "advised gain", .unit = "ratio", .found = NAN, .limit = limit};
    if (isnan(limit))
        return ROOF_OK;
    check.why = a ? "of edits that keep the outputs none gains"
                  : "only an uncompiled model, on hardware that --hw names, has an advice";
    check.found = a ? 0 : (double)NAN;
    const uint32_t host_rows = a ? a->base.host_rows : 0;
    for (uint32_t i = 0; a && i < a->n_edits; i++) {
        const roof_advised *e = &a->edits[i];
        if (!e->keeps_function || !(e->saving_ratio > check.found))
            continue;
        check.found = e->saving_ratio;
        check.why = TEXT(c, "by the rule %s, which keeps the outputs; `roofline advise` says where", e->rule);
    }
    /* a part of the time: of the whole it is less, which breaks no limit; and what an edit gains on the CPU
     * nobody knows, which keeps none */
    if (!host_rows)
        return add_figure(c, "advice", check);
    check.state = ROOF_HELD_NOT_KNOWN;
    check.why = TEXT(c, "%" PRIu32 " row%s on the CPU %s in no time, so it is of a part", host_rows,
                     host_rows == 1 ? "" : "s", host_rows == 1 ? "is" : "are");
    return add(c, "advice", check);
}

/* Checks that need the model alone. */
static roof_status check_static(checker *c, const roof_compare_side *subject)
{
    TRY(check_memory(c, subject->memory));
    return check_advice(c, subject->advice);
}

/* --- the baseline --------------------------------------------------------------------------------------- */

/* "typical inference, mean beyond noise" */
static const char *say_above(const checker *c, const roof_compared *row, const roof_decided *d, double factor)
{
    const char *list = "";
    for (roof_statistic_kind k = ROOF_COMPARED_TYPICAL; list && k < ROOF_COMPARED_STATISTICS; k++)
        if (sample_tests_is_above(row, k, factor))
            list = TEXT(c, "%s%s%s", list, *list ? ", " : "", sample_tests_name(c->arena, row, k));
    return list ? TEXT(c, "%s beyond noise, 95 %% %.3f to %.3f", list, d->ci95[0], d->ci95[1]) : NULL;
}

static const char *say_decided(const checker *c, const roof_compared *row, const roof_decided *d,
                               double factor)
{
    const char *none = factor > 1 ? "" : "no slowdown beyond noise: ";
    if (d->is == ROOF_HELD_NOT_KNOWN)
        return sample_tests_say_undecided(c->arena, row, d, factor);
    if (row->test == ROOF_TEST_RANGES)
        return TEXT(c, "by minimum and maximum: any two inferences have a ratio of %.3f to %.3f", d->ci95[0],
                    d->ci95[1]);
    if (factor < 1 && row->test != ROOF_TEST_EXACT)
        return TEXT(c, "%s%s, 95 %% %.3f to %.3f",
                    d->is == ROOF_HELD_BROKEN ? "the improvement is not reached: "
                                              : "the improvement is reached: ",
                    sample_tests_name(c->arena, row, d->look), d->ci95[0], d->ci95[1]);
    if (row->test == ROOF_TEST_EXACT)
        return "predicted";
    if (d->is == ROOF_HELD_BROKEN)
        return say_above(c, row, d, factor);
    return row->test == ROOF_TEST_WELCH
               ? TEXT(c, "%sthe mean alone, 95 %% up to %.3f; without samples the tail is unknown", none,
                      d->ci95[1])
               : TEXT(c, "%stypical inference, mean and %s, 95 %% up to %.3f", none,
                      sample_tests_name(c->arena, row, ROOF_COMPARED_TAIL), d->ci95[1]);
}

/* The budget may say that what noise leaves open is no failure: what more samples could decide, and nothing
 * else. A single sample beside many is no noise yet, and neither are ranges of few that lie apart. */
static bool is_noise(const roof_compared *row, const roof_decided *d, double factor)
{
    enum { FEWEST = 3 };
    const bool is_range = d->why == ROOF_UNDECIDED_RANGES && row->ratio_ci95[0] <= factor;
    return d->is == ROOF_HELD_NOT_KNOWN && (d->samples != ROOF_UNKNOWN || is_range) &&
           row->a_count >= FEWEST && row->b_count >= FEWEST;
}

/* All layers of a run, held against their limits. */
typedef struct layers_held {
    const roof_compared *above, *undecided, *lone, *slowest; /* one of those that are; the largest ratio */
    double above_ratio;
    roof_decided why;
    uint32_t n_above, n_undecided, n_lone, n_held,
        n_noise; /* n_noise: undecided, and samples could decide it */
} layers_held;

static void hold_layer(layers_held *all, const roof_compared *row, double factor)
{
    roof_decided d = roof_compared_decide(row, factor);
    if (isnan(row->a_s) && isnan(row->b_s)) /* nobody timed it */
        return;
    if (!row->pairing) {
        all->lone = all->n_lone++ ? all->lone : row;
        return;
    }
    all->n_held++;
    if (row->ratio > (all->slowest ? all->slowest->ratio : 0))
        all->slowest = row;
    if (d.is == ROOF_HELD_BROKEN && (!all->n_above++ || d.ratio > all->above_ratio)) {
        all->above = row;
        all->above_ratio = d.ratio;
    }
    all->n_noise += is_noise(row, &d, factor);
    if (d.is == ROOF_HELD_NOT_KNOWN && !all->n_undecided++) {
        all->undecided = row;
        all->why = d;
    }
}

static const char *name_of(const roof_compared *row)
{
    return row && row->name ? row->name : "?";
}

static const char *say_layers(const checker *c, const layers_held *all, double factor)
{
    const char *lone =
        all->n_lone ? TEXT(c, "%" PRIu32 " only on one side, such as '%s'", all->n_lone, name_of(all->lone))
                    : "";
    if (all->n_above)
        return TEXT(c, "%" PRIu32 " slower beyond noise, the most '%s'", all->n_above, name_of(all->above));
    if (all->n_undecided)
        return TEXT(c, "%s%s%" PRIu32 " of %" PRIu32 " undecided, such as '%s': %s", lone,
                    all->n_lone ? "; " : "", all->n_undecided, all->n_held, name_of(all->undecided),
                    sample_tests_say_undecided(c->arena, all->undecided, &all->why, factor));
    if (all->n_lone)
        return lone;
    return all->n_held ? TEXT(c, "of %" PRIu32 " layer%s, the slowest '%s'", all->n_held,
                              all->n_held == 1 ? "" : "s", name_of(all->slowest))
                       : "no layer has a time";
}

static roof_status add_decided(checker *c, roof_check check, bool is_noise_alone)
{
    if (check.state == ROOF_HELD_NOT_KNOWN && is_noise_alone && c->budget->baseline.passes_unknown &&
        !c->is_impossible)
        check.state = ROOF_HELD_SKIPPED;
    return add(c, "baseline", check);
}

static roof_check regression(const checker *c, const char *mode, const char *what, double factor,
                             const char *why)
{
    return unknown_check(TEXT(c, "%s%s%sagainst %s", mode ? mode_words(mode) : "",
                              mode && *what ? ", "
                              : mode        ? " "
                                            : "",
                              what, c->budget->baseline.file),
                         "ratio", factor, why);
}

/* "not comparable: batch 4 and 1, hardware stated by neither (--hw states it)" */
static const char *say_apart(const checker *c, const roof_compared_run *run)
{
    const char *list = "not comparable";
    for (uint32_t i = 0, n = 0; list && i < run->n_unlike; i++) {
        const roof_unlike *u = &run->unlike[i];
        const char *between = n ? "," : ":";
        if (!u->is_apart)
            continue;
        n++;
        list = strcmp(u->a, u->b) == 0
                   ? TEXT(c, "%s%s %s stated by neither%s", list, between, u->what,
                          strcmp(u->what, "hardware") == 0 ? " (--hw states it)" : "")
                   : TEXT(c, "%s%s %s %.80s and %.80s", list, between, u->what, u->a, u->b);
    }
    return list;
}

static roof_status check_run(checker *c, const roof_compared_run *run)
{
    layers_held all = {.n_above = 0};
    const double factor = c->budget->baseline.factor, layer_factor = c->budget->baseline.layer_factor;
    const roof_decided d = roof_compared_decide(&run->total, factor);
    const char *apart = run->n_apart ? say_apart(c, run) : NULL;
    roof_check total = regression(c, run->mode, "", factor, apart),
               layers = regression(c, run->mode, "layers ", layer_factor, apart);
    bool has_layers = !isnan(layer_factor) && run->n_layers;
    if (run->n_apart) {
        TRY(add(c, "baseline", total));
        return has_layers ? add(c, "baseline", layers) : ROOF_OK;
    }
    total.found = d.ratio;
    total.state = d.is;
    total.why = say_decided(c, &run->total, &d, factor);
    const bool is_slip = run->total.ratio > 0 && run->total.ratio * CONDITIONS_SLIP_RATIO <= 1;
    if (is_slip) {
        total.state = ROOF_HELD_NOT_KNOWN;
        total.why = TEXT(c, "%.0f times as fast as the baseline: a slip of units, or other work",
                         1 / run->total.ratio);
    }
    TRY(add_decided(c, total, !is_slip && is_noise(&run->total, &d, factor)));
    for (uint32_t i = 0; has_layers && i < run->n_layers; i++)
        hold_layer(&all, &run->layers[i], layer_factor);
    bool is_known = all.n_held && !all.n_undecided && !all.n_lone;
    layers.found = all.n_above ? all.above_ratio : all.slowest ? all.slowest->ratio : (double)NAN;
    layers.state = all.n_above ? ROOF_HELD_BROKEN : is_known ? ROOF_HELD_KEPT : ROOF_HELD_NOT_KNOWN;
    layers.why = say_layers(c, &all, layer_factor);
    return has_layers ? add_decided(c, layers, all.n_held && !all.n_lone && all.n_noise == all.n_undecided)
                      : ROOF_OK;
}

static roof_status add_gone(checker *c, const roof_lone_run *run)
{
    return add(c, "baseline",
               regression(c, run->mode, "", c->budget->baseline.factor,
                          "the baseline has such a run, what is checked has none"));
}

/* Every limit that is requested is there, also where nothing can be held against it. */
static roof_status check_baseline(checker *c, const roof_comparison *baseline)
{
    const double layer_factor = c->budget->baseline.layer_factor;
    uint32_t n = 0, with_layers = 0;
    /* Another model may have the same name, and another text. */
    for (uint32_t i = 0; baseline && i < baseline->n_runs; i++)
        if (baseline->runs[i].model_b == c->model) {
            TRY(check_run(c, &baseline->runs[i]));
            n++;
            with_layers += baseline->runs[i].n_layers > 0;
        }
    if (!n)
        TRY(add(c, "baseline",
                regression(c, NULL, "", c->budget->baseline.factor,
                           "the baseline has no run of this model in the same mode")));
    for (uint32_t i = 0; baseline && i < baseline->n_left_out; i++)
        if (baseline->left_out[i].is_of_a && baseline->left_out[i].model_b == c->model)
            TRY(add_gone(c, &baseline->left_out[i]));
    if (!isnan(layer_factor) && !with_layers)
        TRY(add(c, "baseline", regression(c, NULL, "layers ", layer_factor, "no run of both has layers")));
    return ROOF_OK;
}

/* --- what cannot be ------------------------------------------------------------------------------------- */

/* A contradiction is the first thing to be said, and a check of its own that fails. */
static roof_status add_contradiction(checker *c, roof_check check)
{
    check.state = ROOF_HELD_NOT_KNOWN;
    check.is_least = !(check.found > check.limit);
    c->is_impossible = true;
    if (!c->out->contradiction)
        c->out->contradiction = check.why;
    return add(c, "plausible", check);
}

static roof_status check_plausible(checker *c)
{
    /* Rounding of a clock or of a table may bring a time below a bound that it meets. */
    static const double below_bound_ratio = 0.99;
    const roof_reconciled *e = c->measured;
    const roof_prediction *p = c->prediction;
    c->is_impossible = false;
    if (!e || !c->run)
        return ROOF_OK;
    const double found_s = times_typical(&c->run->total),
                 bound_s = c->run == e->bypass ? e->total.best_s : e->total.ideal_per_layer_s;
    roof_check check = {.name = "plausible", .unit = "s", .found = found_s, .limit = bound_s};
    if (e->has_doubtful_times) {
        const roof_remark *r = e->not_compared;
        const bool is_told = r && (r->form == ROOF_FORM_UNIT_OF_PAIR || r->form == ROOF_FORM_UNIT_OF_IDEAL) &&
                             r->operands[3].text;
        check.found = is_told ? r->operands[1].number : found_s;
        check.limit = is_told ? r->operands[4].number : (double)NAN;
        check.why =
            is_told ? TEXT(c, "measured %s beside %s %s; one is in another unit", SAY_S(check.found),
                           r->form == ROOF_FORM_UNIT_OF_IDEAL ? "an ideal" : "another", SAY_S(check.limit))
                    : "its times are a thousand times too small or too large for one another";
        return add_contradiction(c, check);
    }
    if (!p || p->estimate_of || e->other_hardware || !(found_s < below_bound_ratio * bound_s))
        return ROOF_OK;
    check.why = TEXT(c, "it took %s, and on %.60s nothing is faster than %s; look at clock, network and unit",
                     SAY_S(found_s), p->hardware.name ? p->hardware.name : "this hardware", SAY_S(bound_s));
    return add_contradiction(c, check);
}

/* A load run beside the inferences of one thread alone, of the same model. */
static roof_status check_load(checker *c, const roof_reconciliation *r, const roof_load_run *load)
{
    /* Several threads may wait for one another; they do not make a device this much slower than one alone. */
    static const double slow_load_ratio = 0.5;
    FOR_EACH(const roof_reconciled, e, r->experiments, r->n_experiments) {
        const roof_run *alone = e->bypass;
        const double time_s = alone ? times_typical(&alone->total) : (double)NAN,
                     batch = alone && alone->batch != ROOF_NONE ? alone->batch : 1,
                     ratio = load->run->frames_per_s * time_s / batch;
        if (strcmp(e->model, load->model) != 0 || !(ratio < slow_load_ratio))
            continue;
        return add_contradiction(
            c,
            (roof_check){.name = TEXT(c, "load, %" PRIu32 " threads", load->run->threads),
                         .unit = "inferences/s",
                         .found = load->run->frames_per_s,
                         .limit = batch / time_s,
                         .why = TEXT(c,
                                     "%" PRIu32 " threads make %.3g inferences/s, and one alone %.3g: one of "
                                     "the two runs is wrong",
                                     load->run->threads, load->run->frames_per_s, batch / time_s)});
    }
    return ROOF_OK;
}

/* --- a model, and all of them --------------------------------------------------------------------------- */

static roof_status check_model(checker *c, const roof_comparison *baseline)
{
    const roof_budget *b = c->budget;
    TRY(check_plausible(c));
    TRY(check_terms(c, b->totals, b->n_totals));
    for (uint32_t i = 0; i < b->n_steps; i++)
        TRY(check_step(c, &b->steps[i]));
    for (uint32_t i = 0; i < b->n_models; i++)
        if (c->model && strcmp(b->models[i].name, c->model) == 0) {
            c->is_model_checked[i] = true;
            TRY(check_terms(c, b->models[i].totals, b->models[i].n_totals));
        }
    for (uint32_t i = 0; i < b->n_types; i++)
        TRY(check_type(c, &b->types[i]));
    return b->baseline.file ? check_baseline(c, baseline) : ROOF_OK;
}

/* One model may be there twice, on two boards or compiled in two ways. */
static roof_status label(checker *c, uint32_t i, const char *hardware_id)
{
    c->label = c->model;
    if (namemap_add(c->labels, c->label, strlen(c->label), i))
        return ROOF_OK;
    c->label = TEXT(c, "%s #%" PRIu32 "%s%s", c->model, i + 1, hardware_id ? " on " : "",
                    text_or_empty(hardware_id));
    return ALLOCATED(c->label, c->err);
}

static roof_status check_subject(checker *c, const roof_compare_side *subject,
                                 const roof_comparison *baseline)
{
    const roof_reconciliation *r = subject->measured;
    const roof_unread *member = r ? r->unused_hardware : NULL;
    const char *unknown = baseline ? baseline->unused_hardware_a : NULL;
    char text[700];
    if (member) {
        snprintf(text, sizeof text, "%s %s", member->where, member->what);
        unknown = text;
    }
    if (unknown)
        return error_data(
            c->err,
            "%.600s: nothing is checked on hardware that is unknown; write it as --hw takes it, take it "
            "out, or say with --hw what it ran on",
            unknown);
    const bool has_load =
        baseline && NAMED(baseline->runs, baseline->n_runs, mode, roof_run_mode_text(ROOF_RUN_LOAD));
    if (r && !r->n_experiments && r->n_loads && !has_load)
        return error_data(
            c->err, "the profile has nothing but load runs, of which a budget has a limit only beside a "
                    "baseline that has them; give one of an inference at a time");
    c->prediction = subject->prediction;
    c->model = c->label = subject->prediction ? subject->prediction->model.name : subject->name;
    if (!r) {
        TRY(subject->prediction ? check_model(c, baseline) : ROOF_OK);
        return check_static(c, subject);
    }
    c->labels = namemap_new(c->arena, (size_t)r->n_experiments + (baseline ? baseline->n_left_out : 0));
    for (uint32_t i = 0; c->labels && i < r->n_experiments; i++) {
        const roof_reconciled *e = c->measured = &r->experiments[i];
        c->model = e->model;
        c->prediction = e->prediction;
        c->run = e->bypass && !isnan(times_typical(&e->bypass->total))         ? e->bypass
                 : e->per_layer && !isnan(times_typical(&e->per_layer->total)) ? e->per_layer
                                                                               : NULL;
        TRY(label(c, i, e->hardware_id));
        TRY(check_model(c, baseline));
    }
    TRY(ALLOCATED(c->labels, c->err));
    c->is_impossible = false;
    TRY(check_static(c, subject));
    c->run = NULL;
    for (uint32_t i = 0; i < r->n_loads; i++) {
        c->label = c->model = r->loads[i].model;
        c->is_impossible = false;
        TRY(check_load(c, r, &r->loads[i]));
    }
    c->is_impossible = false;
    for (uint32_t i = 0; baseline && c->budget->baseline.file && i < baseline->n_runs; i++)
        if (strcmp(baseline->runs[i].mode, roof_run_mode_text(ROOF_RUN_LOAD)) == 0) {
            c->label = c->model = baseline->runs[i].model_b;
            TRY(check_run(c, &baseline->runs[i]));
        }
    /* Models that the baseline alone has. Their runs follow each other. */
    for (uint32_t i = 0, n = r->n_experiments; baseline && i < baseline->n_left_out; i++) {
        const roof_lone_run *run = &baseline->left_out[i];
        if (!run->is_of_a || run->model_b)
            continue;
        if (run->model != c->model) {
            c->model = run->model;
            TRY(label(c, n++, NULL));
        }
        TRY(add_gone(c, run));
    }
    return ROOF_OK;
}

roof_status roof_budget_check(const roof_budget *budget, const roof_compare_side *subject,
                              const roof_comparison *baseline, roof_checks **out, roof_error *err)
{
    checker c = {.budget = budget, .err = err};
    *out = NULL;
    c.out = NEW_ROOT(&c.arena, roof_checks, err);
    if (!c.out)
        return ROOF_E_NO_MEMORY;
    c.out->arena = c.arena;
    roof_status status = check_subject(&c, subject, baseline);
    THEN(status, check_unseen(&c));
    THEN(status, arena_status(c.arena, err));
    return GIVE(status, out, c.out, roof_checks_free);
}

ARENA_FREES(roof_checks_free, roof_checks, checks)
