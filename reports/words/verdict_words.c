/* The sentences on top of a reconciliation; statistics, which come after, are in words.c. */
#include "reports/words/verdict_words.h"
#include "measure/compare/conditions.h"
#include "measure/matches/match_facts.h"
#include "reports/words/cause_words.h"

#include <ctype.h>

const char *say_hardware_of(const roof_reconciled *e)
{
    bool is_written_out = e->hardware_id && strchr(e->hardware_id, '=') && e->prediction;
    return is_written_out ? e->prediction->hardware.name : e->hardware_id;
}

/* --- what comes before it ----------------------------------------------------------------------------- */

/* The first experiment with a remark at such an offset: its model, and the remark. n: how many have one. */
static const roof_reconciled *say_first_remark(sentence *s, const roof_reconciliation *r, size_t offset,
                                               const char *model, uint32_t *n)
{
    const roof_reconciled *first = NULL;
    *n = 0;
    FOR_EACH(const roof_reconciled, e, r->experiments, r->n_experiments) {
        const roof_remark *own = *(const roof_remark *const *)((const char *)e + offset);
        if (!own || (*n)++)
            continue;
        first = e;
        SAY(s, model, AS_TEXT(e->model));
        sentences_say_remark(s, own);
    }
    return first;
}

/* A request for other hardware gets the comparison, and no verdict. */
static void say_other_hardware(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    uint32_t n;
    (void)i;
    if (say_first_remark(s, r, offsetof(roof_reconciled, other_hardware), "{<60} was ", &n))
        SAY(s, ": no causes are ranked.[? {} of {} model{|s} were.]", AS_COUNT(n > 1 ? n : 0),
            AS_COUNT(r->n_experiments));
}

/* A calibration that was given, and says nothing of these profiles. */
static void say_unused_calibration(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    uint32_t n;
    (void)i;
    if (say_first_remark(s, r, offsetof(roof_reconciled, calibration_unused), "{<60}: ", &n))
        say(s, ".");
}

/* A fault that makes all comparisons false comes before everything. */
static void say_caveats(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    uint32_t n;
    (void)i;
    const roof_reconciled *first =
        say_first_remark(s, r, offsetof(roof_reconciled, not_compared), "{<60}: ", &n);
    if (first)
        SAY(s, "{}[? {} of {} model{|s} are in doubt.]",
            AS_TEXT(first->has_doubtful_rows    ? "."
                    : first->has_doubtful_times ? ". No comparison."
                                                : " No comparison with the bound."),
            AS_COUNT(n > 1 ? n : 0), AS_COUNT(r->n_experiments));
}

/* It may have been measured on other hardware than it is held against. */
static void say_unused_hardware(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_unread *member = r->unused_hardware;
    (void)i;
    if (member)
        SAY(s, "{<400} {<200}: it is not used in any number.", AS_TEXT(member->where), AS_TEXT(member->what));
}

/* Nothing below holds when a bound does not: this comes before all else. */
static void say_impossible(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    uint32_t units = 0, totals = 0;
    for (; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        units += e->other_hardware ? 0 : experiment_n_impossible(e);
        totals += !e->other_hardware && experiment_is_impossible(e);
    }
    if (!units && !totals)
        return;
    SAY(s,
        "IMPOSSIBLE: [?{} layer{ is|s are} faster than the bound][?, and {} measured time{ is|s are} below "
        "it][?{} measured time{ is|s are} below the bound]. Check clock, device description and counters, in "
        "this order: the results below use an invalid bound.",
        AS_COUNT(units), AS_COUNT(units ? totals : 0), AS_COUNT(units ? 0 : totals));
}

/* --- how fast, and how far from the silicon ------------------------------------------------------------ */

/* The time that an experiment takes, and its bound; NaN where that is unknown. times: the limit, of a
 * whole-network run all of it, else the rows that have one, as documents do. more: CPU rows that the latency
 * may include, and the limit does not, so that the true limit is higher. */
typedef struct distance {
    double seconds, best_s, times;
    bool is_deployed;
    uint32_t more;
} distance;

/* Rows with a limit that take so much less, or more, than the whole are distinguished from it. */
#define OTHER_THAN_WHOLE 0.05

static distance distance_of(const roof_reconciled *e)
{
    bool is_deployed = e->bypass && e->total.bypass_s > 0;
    const double best_s = experiment_hardware_limit_s(e); /* a limit of 0 is none */
    double overhead_s = 0;                                /* of rows with a limit */
    for (uint32_t i = 0; i < e->n_matches && !is_deployed; i++)
        overhead_s +=
            e->matches[i].overhead_s > 0 && e->matches[i].ideal_s > 0 ? e->matches[i].overhead_s : 0;
    const double seconds = is_deployed ? e->total.bypass_s : roof_layered_seconds(e),
                 of_rows = is_deployed ? NAN : e->total.limits.of_rows - overhead_s / best_s;
    const double times = isnan(of_rows) ? seconds / best_s : of_rows;
    return (distance){seconds, best_s > 0 ? best_s : NAN, best_s > 0 ? times : NAN, is_deployed,
                      experiment_rows_left_out(e)};
}

static bool is_of_rows(const distance *d)
{
    return fabs(quotient_of(d->times * d->best_s, d->seconds) - 1) > OTHER_THAN_WHOLE;
}

/* The expected time is of this hardware. */
static bool is_plain_bound(const roof_reconciled *e)
{
    return e->prediction && !e->prediction->estimate_of && !e->not_compared;
}

/* ", as expected (11.05 ms, 9.9 ms to 12.3 ms)", ", 1.5x the expected 11.05 ms (...)": is it plausible? */
static void say_plausible(sentence *s, const roof_reconciled *e)
{
    const double *ci95_s = e->prediction ? e->prediction->total.predicted_ci95_s : NULL;
    bool is_usual = experiment_is_as_expected(e);
    double times = quotient_of(e->total.bypass_s, e->total.expected_s);
    if (!is_plain_bound(e) || !(times > 0))
        return;
    if (is_usual)
        SAY(s, ", as expected ({}[?, {} to {}])", AS_SECONDS(e->total.expected_s), AS_SECONDS(ci95_s[0]),
            AS_SECONDS(ci95_s[1]));
    else
        SAY(s, ", {.1}x the expected {}[? ({} to {})]", AS("", times), AS_SECONDS(e->total.expected_s),
            AS_SECONDS(ci95_s[0]), AS_SECONDS(ci95_s[1]));
}

/* Behind a time whose limit is unknown: of which rows it is, or why there is none. */
static void say_no_limit(sentence *s, const roof_reconciled *e, bool is_deployed)
{
    const roof_limit_ratio *limits = &e->total.limits;
    if (e->prediction && !e->not_compared && limits->rows && !is_deployed) {
        SAY(s, "; {.1}x the {} in {} of {} row{|s}, {.0%} % of the time; the others have no bound.",
            AS("", limits->of_rows), AS_TEXT(e->prediction->estimate_of ? "ideal" : "bound"),
            AS_COUNT(limits->rows), AS_COUNT(limits->rows_all), AS_RATIO(limits->time_ratio));
        return;
    }
    say(s, e->not_compared                                 ? "."
           : e->prediction && limits->rows_all             ? "; none of its rows has a known bound."
           : e->prediction && is_deployed && !e->layer_run ? "; its bound is unknown."
           : e->prediction ? "; too few layers measured to compare with the bound."
                           : ". ");
    if (!e->not_compared && !e->prediction)
        say(s, profile_no_limit_words(e));
}

static void say_on_board(sentence *s, const roof_reconciliation *r)
{
    if (!hardware_of(r))
        return;
    say(s, " on ");
    say_board(s, hardware_of(r));
}

static void say_one_speed(sentence *s, const roof_reconciliation *r, const roof_reconciled *e)
{
    const distance d = distance_of(e);
    const char *estimate = e->prediction ? e->prediction->estimate_of : NULL;
    uint32_t without = 0;
    for (uint32_t i = 0; i < e->n_matches; i++)
        without += e->matches[i].measured_s > 0 && !e->matches[i].is_unlisted && isnan(e->matches[i].ideal_s);
    SAY(s, "{<60}", AS_TEXT(e->model));
    if (!e->other_hardware)
        say_on_board(s, r);
    if (!(d.seconds > 0)) {
        say(s, ": no time was measured.");
        return;
    }
    const bool is_corrected = !d.is_deployed && e->boundary_cost_s > 0 && e->total.corrected_s > 0;
    SAY(s, ": {} {}[?, {} without timing ({} at each of {} boundar{y|ies})]", AS_SECONDS(d.seconds),
        AS_TEXT(d.is_deployed ? "latency" : "in a per-layer run"),
        AS_SECONDS(is_corrected ? e->total.corrected_s : (double)NAN), AS_SECONDS(e->boundary_cost_s),
        AS_COUNT(e->boundaries));
    profile_say_warm_up(s, e);
    if (d.is_deployed && !e->not_compared)
        say_plausible(s, e);
    if (isnan(d.best_s)) {
        say_no_limit(s, e, d.is_deployed);
        return;
    }
    say(s, d.more ? ", at most " : ", ");
    const roof_limit_ratio *rows = &e->total.limits;
    const bool are_rows = is_of_rows(&d); /* then the bound is theirs: not every layer may have a row */
    const double rows_s = rows->time_ratio * fmax(e->total.listed_s, e->total.sum_of_layers_s),
                 best_s = are_rows ? rows_s / rows->of_rows : d.best_s;
    const double timing_s = experiment_timing_most_s(e); /* between 0 and this */
    const char *whose = are_rows ? "their" : estimate ? "its" : "the";
    SAY(s,
        "[?of which its rows with a bound take {}, ]{.1}x {} {} of {}[? without {} CPU layer{|s}][?, an "
        "estimate of {}][?; {} layer{ has|s have} no bound]",
        AS_SECONDS(are_rows ? d.times * best_s : (double)NAN), AS("", d.times), AS_TEXT(whose),
        AS_TEXT(estimate ? "ideal" : "bound"), AS_SECONDS(best_s), AS_COUNT(d.more), AS_TEXT(estimate),
        AS_COUNT(d.is_deployed ? 0 : without));
    SAY(s, "[?; of that timing is 0 to {}, up to {} at each of {} boundar{y|ies}].", AS_SECONDS(timing_s),
        AS_SECONDS(timing_s / e->boundaries), AS_COUNT(e->boundaries));
}

/* Timing in runs that are per layer alone: what is known of it was subtracted, the rest is 0 to the most. */
static void say_timing(sentence *s, const roof_reconciliation *r)
{
    double most_s = 0, taken_off_s = 0;
    uint32_t n = 0, boundaries = 0;
    FOR_EACH(const roof_reconciled, e, r->experiments, r->n_experiments) {
        const double timing_s = experiment_timing_most_s(e);
        const bool is_deployed = e->bypass && e->total.bypass_s > 0;
        n += isnan(timing_s) ? 0 : 1;
        boundaries = timing_s > most_s ? e->boundaries : boundaries;
        most_s = fmax(most_s, timing_s);
        taken_off_s = !is_deployed && e->boundary_cost_s > taken_off_s ? e->boundary_cost_s : taken_off_s;
    }
    const char *timing = n == r->n_experiments ? "timing included" : "timing of per-layer runs included";
    SAY(s, "[? ({}: up to {} at {} boundar{y|ies})][?, once timing is subtracted ({} a boundary)]",
        AS_TEXT(n ? timing : NULL), AS_SECONDS(most_s), AS_COUNT(boundaries),
        AS_SECONDS(taken_off_s > 0 ? taken_off_s : (double)NAN));
}

/* Each of a few models, the range of many. */
static void say_speeds(sentence *s, const roof_reconciliation *r)
{
    enum { FEW = 4 };
    double least = INFINITY, most = 0, usual[2] = {INFINITY, 0};
    const roof_reconciled *worst = NULL;
    uint32_t known = 0, n_expected = 0, n_usual = 0;
    bool has_more = false;
    FOR_EACH(const roof_reconciled, e, r->experiments, r->n_experiments) {
        const double expected_ratio = quotient_of(e->total.bypass_s, e->total.expected_s);
        if (is_plain_bound(e) && expected_ratio > 0) {
            n_expected++;
            n_usual += experiment_is_as_expected(e);
            usual[0] = fmin(usual[0], expected_ratio);
            usual[1] = fmax(usual[1], expected_ratio);
        }
        const distance d = distance_of(e);
        if (!(d.times > 0))
            continue;
        known++;
        has_more = has_more || d.more;
        least = fmin(least, d.times);
        worst = d.times > most ? e : worst;
        most = fmax(most, d.times);
    }
    SAY(s, "{} {model|models}", AS_COUNT(r->n_models));
    say_on_board(s, r);
    if (worst)
        SAY(s, r->n_experiments > FEW ? ": {}{.1}x to {.1}x the bound" : ", {}{.1}x to {.1}x the bound",
            AS_TEXT(has_more ? "at most " : ""), AS("", least), AS("", most));
    if (worst && has_more)
        say(s, " without CPU layers");
    say_timing(s, r);
    if (n_expected && n_usual == n_expected && n_expected == r->n_experiments)
        say(s, ", all as expected");
    else if (n_expected)
        SAY(s, ", {.1}x to {.1}x the expected time", AS("", usual[0]), AS("", usual[1]));
    if (!worst)
        say(s, "; no bound for any of them");
    else if (known < r->n_experiments)
        SAY(s, " ({} without a limit)", AS_COUNT(r->n_experiments - known));
    for (uint32_t i = 0; r->n_experiments <= FEW && i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        const distance d = distance_of(e);
        const bool is_usual = experiment_is_as_expected(e);
        SAY(s, "{}{<60}[? on {<40}] {}[? ({}{.1}x][?, as expected][?)]", AS_TEXT(i ? ", " : ": "),
            AS_TEXT(e->model), AS_TEXT(r->one_hardware ? NULL : say_hardware_of(e)), AS_SECONDS(d.seconds),
            AS_TEXT(!is_usual && is_of_rows(&d) ? "its layers " : ""),
            AS("", d.times > 0 ? d.times : (double)NAN), AS_COUNT(is_usual && d.times > 0),
            AS_COUNT(d.times > 0));
    }
    SAY(s, "[?, {<60} the most].", AS_TEXT(worst && r->n_experiments > FEW ? worst->model : NULL));
}

enum { MOST_BOARDS = 40 };

/* One model, with a whole-network run everywhere or nowhere, on hardware that has a name. */
static bool is_of_boards(const roof_reconciliation *r)
{
    const roof_reconciled *first = &r->experiments[0];
    if (r->one_hardware || r->n_experiments < 2 || r->n_experiments > MOST_BOARDS)
        return false;
    FOR_EACH(const roof_reconciled, e, r->experiments, r->n_experiments) {
        const distance d = distance_of(e);
        if (!e->hardware || strcmp(e->model, first->model) != 0 || !(d.seconds > 0) ||
            d.is_deployed != distance_of(first).is_deployed || e->has_doubtful_times)
            return false;
    }
    return true;
}

/* "; not comparable: data type f16 and int8": but for what tells the boards apart, which is asked about. */
static bool say_unlike(sentence *s, const roof_reconciled *const both[2])
{
    static const condition_id requested[] = {
        CONDITION_HARDWARE, CONDITION_DEVICE,    CONDITION_CLOCK, CONDITION_CORE,           CONDITION_CORES,
        CONDITION_MACHINE,  CONDITION_BANDWIDTH, CONDITION_FILE,  CONDITION_PROCESSOR_CLOCK};
    const bool is_deployed = both[0]->bypass != NULL;
    roof_arena *arena = arena_new(0);
    roof_unlike *list = NULL;
    uint32_t n = 0, n_apart = 0, n_listed = 0;
    roof_error err;
    run_conditions c[2];
    roof_status status = arena ? ROOF_OK : ROOF_E_NO_MEMORY;
    for (int i = 0; i < 2 && status == ROOF_OK; i++) {
        const roof_reconciled *e = both[i];
        status = conditions_of_run(is_deployed ? e->bypass_of : e->per_layer_of,
                                   is_deployed ? e->bypass : e->per_layer, NULL, NULL, arena, &c[i], &err);
        for (size_t k = 0; k < N_OF(requested) && status == ROOF_OK; k++)
            c[i].text[requested[k]] = NULL;
    }
    THEN(status, conditions_compare(&c[0], &c[1], arena, &list, &n, &n_apart, &err));
    for (uint32_t i = 0; i < n && status == ROOF_OK; i++)
        if (list[i].is_apart && strcmp(list[i].a, list[i].b) != 0)
            SAY(s, "{} {} {<40} and {<40}", AS_TEXT(n_listed++ ? "," : "; not comparable:"),
                AS_TEXT(list[i].what), AS_TEXT(list[i].a), AS_TEXT(list[i].b));
    arena_free(arena);
    return n_listed > 0;
}

/* The device with the most inferences/J, if all were measured at the same place. */
static void say_efficiency(sentence *s, const roof_reconciliation *r)
{
    const roof_reconciled *best = NULL, *worst = NULL;
    FOR_EACH(const roof_reconciled, e, r->experiments, r->n_experiments) {
        const char *scope = r->experiments[0].energy.scope;
        if (!(e->energy.inferences_per_j > 0) || !scope || !e->energy.scope ||
            strcmp(e->energy.scope, scope) != 0)
            return;
        best = !best || e->energy.inferences_per_j > best->energy.inferences_per_j ? e : best;
        worst = !worst || e->energy.inferences_per_j < worst->energy.inferences_per_j ? e : worst;
    }
    if (best && best != worst)
        SAY(s, "; {<50} does most per watt, {.1} inferences/J ({<50} least, {.1})", AS_TEXT(best->hardware),
            AS("", best->energy.inferences_per_j), AS_TEXT(worst->hardware),
            AS("", worst->energy.inferences_per_j));
}

/* "ResNet-50 on 2 devices: ZCU104 12.19 ms (1.5x its limit), KV260 16.07 ms (2.0x); ... 1.3x as fast ..." */
static void say_boards(sentence *s, const roof_reconciliation *r)
{
    enum { FEW = 5 };
    typedef struct board {
        double seconds;
        const roof_reconciled *e;
    } board;
    board boards[MOST_BOARDS];
    const uint32_t n = r->n_experiments;
    SAY(s, "{<60} on {} device{|s}", AS_TEXT(r->experiments[0].model), AS_COUNT(n));
    for (uint32_t i = 0; i < n; i++)
        boards[i] = (board){distance_of(&r->experiments[i]).seconds, &r->experiments[i]};
    order_sort(boards, n, sizeof *boards, ORDER_BY(RISING(board, seconds)));
    for (uint32_t i = 0; i < n && i < FEW; i++) {
        const double times = distance_of(boards[i].e).times;
        SAY(s, "{}{<50} {}[? ({.1}x its bound{})]", AS_TEXT(i ? ", " : ": "), AS_TEXT(boards[i].e->hardware),
            AS_SECONDS(boards[i].seconds), AS("", times > 0 ? times : (double)NAN),
            AS_TEXT(experiment_is_as_expected(boards[i].e) ? ", as expected" : ""));
    }
    SAY(s, "[? and {} more]", AS_COUNT(n > FEW ? n - FEW : 0));
    const roof_reconciled *const ends[] = {boards[0].e, boards[n - 1].e};
    double times = quotient_of(boards[n - 1].seconds, boards[0].seconds);
    if (!isnan(times) && !say_unlike(s, ends))
        SAY(s,
            n == 2 ? "; the first is {.2}x as fast as the other" : "; the first is {.2}x as fast as the last",
            AS("", times));
    say_efficiency(s, r);
    say(s, ".");
}

static void say_speed(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    if (is_of_boards(r))
        say_boards(s, r);
    else if (profile_is_alone(r))
        profile_say(s, r, i);
    else if (r->n_experiments == 1)
        say_one_speed(s, r, &r->experiments[i]);
    else
        say_speeds(s, r);
}

/* "62 % of the time is in layers bound by memory, ...": what the profile says by itself. */
static void say_first_busy(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    static const struct {
        roof_busy_bound bound;
        const char *words;
    } parts[] = {{ROOF_BUSY_MEMORY, "{.0%} % of the time is in layers bound by memory"},
                 {ROOF_BUSY_COMPUTE, ", {.0%} % in layers bound by computing"},
                 {ROOF_BUSY_NEITHER, ", {.0%} % in layers where neither is busy for most of the time"},
                 {ROOF_BUSY_UNKNOWN, ", {.0%} % in layers of which it is unknown"}};
    const roof_busy *b = r->experiments[i].busy;
    if (profile_is_alone(r) && r->experiments[i].profile->n_rows == 1)
        return; /* the next sentence has its bottleneck */
    if (r->n_models > 1 || !b || !(b->total_s > b->whole.bound_s[ROOF_BUSY_UNKNOWN]))
        return;
    for (size_t k = 0; k < N_OF(parts); k++) {
        double share = b->whole.bound_s[parts[k].bound] / b->total_s;
        if (!k || share > 0)
            SAY(s, parts[k].words, AS_RATIO(share));
    }
    say(s, ".");
}

/* --- what costs most ----------------------------------------------------------------------------------- */

/* The first cause of all experiments. */
static const roof_cause *first_cause(const roof_reconciliation *r, const roof_reconciled **of)
{
    const roof_cause *first = NULL;
    FOR_EACH(const roof_reconciled, e, r->experiments, r->n_experiments) {
        if (!e->n_causes || (first && cause_order(&e->causes[0], first) >= 0))
            continue;
        first = &e->causes[0];
        *of = e;
    }
    return first;
}

/* The first of a kind; NULL: there is none. */
static const roof_cause *cause_of(const roof_reconciled *e, roof_cause_kind kind)
{
    for (uint32_t k = 0; k < e->n_causes; k++)
        if (e->causes[k].kind == kind)
            return &e->causes[k];
    return NULL;
}

/* Share of an inference below which CPU time is not to blame. */
#define INNOCENT_RATIO 0.1

/* CPU and profiler, where they are known not to be to blame. */
static void say_innocent(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *e = &r->experiments[i], *of = NULL;
    const roof_cause *first = r->n_experiments ? first_cause(r, &of) : NULL;
    bool deployed = e->bypass && e->total.bypass_s > 0, host = e->total.host_s >= 0 && deployed;
    if (r->n_experiments > 1 || !first || cause_is_doubt(first) || cause_of(e, ROOF_CAUSE_HOST) ||
        cause_of(e, ROOF_CAUSE_FALLBACK) || cause_of(e, ROOF_CAUSE_TRANSFERS) ||
        !deployed) /* not the accelerator's */
        return;
    bool profiler = e->total.inflation_ratio > 0 && !isnan(e->boundary_cost_s);
    const bool is_little = host && e->total.host_s < INNOCENT_RATIO * e->total.bypass_s;
    if (is_little && profiler)
        SAY(s, "CPU time is only {.0%} %; profiling affects only the per-layer run.",
            AS_RATIO(e->total.host_s / e->total.bypass_s));
    else if (host)
        SAY(s, is_little ? "CPU time is only {.0%} %." : "The CPU takes {.0%} %.",
            AS_RATIO(e->total.host_s / e->total.bypass_s));
    else if (profiler)
        SAY(s,
            "Per-layer timing adds {.0%} %; the whole-network run is not affected. CPU time: not measured.",
            AS_RATIO(e->total.inflation_ratio));
    else
        say(s, "CPU time: not measured.");
}

/* The share of a cause of no layers in particular; NaN where there is none, or it is unknown. */
static double share_of(const roof_reconciled *e, roof_cause_kind kind)
{
    const roof_cause *c = cause_of(e, kind);
    return c && !c->n_units ? c->share_ratio : NAN;
}

/* "The host: 39 % of MobileNetV1, 35 % of MobileNetV2": a cause that several models share, with what it is of
 * each. Says nothing, and is false, where it is one model's. */
static bool say_shared_cause(sentence *s, const roof_reconciliation *r, roof_cause_kind kind)
{
    enum { FEW = 4 };
    uint32_t n = 0, n_listed = 0;
    for (uint32_t i = 0; i < r->n_experiments; i++)
        n += isnan(share_of(&r->experiments[i], kind)) ? 0 : 1;
    if (n < 2)
        return false;
    say(s, roof_cause_meaning(kind));
    for (uint32_t i = 0; i < r->n_experiments && n_listed < FEW; i++) {
        const roof_reconciled *e = &r->experiments[i];
        const double share = share_of(e, kind);
        if (!isnan(share))
            SAY(s, "{}{.0%} % of {<60}[? on {<40}]", AS_TEXT(n_listed++ ? ", " : ": "), AS_RATIO(share),
                AS_TEXT(e->model), AS_TEXT(r->one_hardware ? NULL : say_hardware_of(e)));
    }
    SAY(s, "[? and {} more]", AS_COUNT(n > FEW ? n - FEW : 0));
    return true;
}

static void say_first_cause(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *e = NULL;
    const roof_cause *cause = first_cause(r, &e);
    if (!cause && r->n_experiments == 1 && r->experiments[i].total.efficiency_ratio > 0)
        say(s, "No single cause exceeds 5 % of the time.");
    if (!cause || cause_is_doubt(cause))
        return; /* a doubt is said before all else */
    if (say_shared_cause(s, r, cause->kind)) {
        *s->text = (char)toupper((unsigned char)*s->text);
        say(s, ".");
        return;
    }
    if (r->n_experiments > 1)
        SAY(s, "{<60}: ", AS_TEXT(e->model));
    cause_say(s, cause, &(cause_names){match_full_name, e, NULL, NULL});
    if (r->n_experiments == 1 && (!cause->n_units || !cause->subject))
        *s->text = (char)toupper((unsigned char)*s->text); /* that of a sentence; names stay as they are */
    say(s, ".");
}

static void say_todo(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *e = NULL;
    const roof_cause *cause = first_cause(r, &e);
    (void)i;
    const roof_reconciled *first = &r->experiments[0];
    if (!cause && first->device && !first->prediction)
        say(s, "Next: `roofline hw probe -o probe.json` on that machine; then repeat this with --hw "
               "probe.json.");
    if (cause) /* what comes next is of one model */
        causes_say_todo(
            s, cause, 1,
            &(cause_names){match_full_name, e, r->n_experiments == 1 ? NULL : e->model, e->prediction});
}

/* --- load ---------------------------------------------------------------------------------------------- */

/* "; an inference takes 7.8 ms alone and 8.6 ms with all 2 cores busy (+10 %), and the host 0.5 ms" */
static void say_fitted(sentence *s, const roof_sweep *sweep)
{
    const double *range_s = sweep->service_range_s;
    const bool has_range = range_s[1] > 1.01 * range_s[0];
    if (!isnan(sweep->service_s))
        SAY(s,
            "; an inference takes {}[? ({} to {})][? alone and {} with all {} core{|s} busy][?, and the host "
            "{} ({} to {})][? (each point by the others: median error {.1%} %)]",
            AS_SECONDS(sweep->service_s), AS_SECONDS(range_s[0]), AS_SECONDS(has_range ? range_s[1] : NAN),
            AS_SECONDS(sweep->service_s * (1 + sweep->contention_ratio * (sweep->cores - 1))),
            AS_COUNT(sweep->has_contention ? sweep->cores : 0),
            AS_SECONDS(sweep->has_host ? sweep->host_s : NAN), AS_SECONDS(sweep->host_range_s[0]),
            AS_SECONDS(sweep->host_range_s[1]), AS_RATIO(sweep->left_out_ratio));
}

/* Sentence of a load sweep: the highest rate, the number of threads that is enough, and why. */
static void say_sweep(sentence *s, const roof_reconciliation *r, const roof_sweep *sweep)
{
    const roof_load_run *loads = &r->loads[sweep->first_load], *most = loads;
    for (uint32_t k = 1; k < sweep->n_loads; k++)
        most = loads[k].run->frames_per_s > most->run->frames_per_s || isnan(most->run->frames_per_s)
                   ? &loads[k]
                   : most;
    const roof_times *t = &most->run->total;
    if (!(most->run->frames_per_s > 0)) {
        SAY(s, "{<60} under load: no run states inferences/s.", AS_TEXT(most->model));
        return;
    }
    SAY(s,
        most->run->frames_per_s < 10 ? "{<60} under load: {.2} inferences/s with {} thread{|s}"
                                     : "{<60} under load: {.1} inferences/s with {} thread{|s}",
        AS_TEXT(most->model), AS_RATIO(most->run->frames_per_s), AS_COUNT(most->run->threads));
    if (sweep->knee_threads < most->run->threads)
        SAY(s, ", {.1} with {}, which {is|are} enough", AS_RATIO(sweep->knee_fps),
            AS_COUNT(sweep->knee_threads));
    SAY(s,
        "[?; half of the inferences take at most {} and 99 % at most {}][?; a call takes {} on average, "
        "threads x images of a call / rate]",
        AS_SECONDS(t->median_s), AS_SECONDS(t->p99_s),
        AS_SECONDS(most->latency_is_derived ? most->latency_s : NAN));
    if (most->run->frames_per_s > most->most_fps)
        SAY(s, "; that is more than the {.1} that all cores can make: look for another clock, entry or input",
            AS_RATIO(most->most_fps));
    else if (most->most_fps > 0)
        SAY(s, "; {.0%} % of the {.1} that all {} core{|s} make at most",
            AS_RATIO(most->run->frames_per_s / most->most_fps), AS_RATIO(most->most_fps),
            AS_COUNT(most->prediction->hardware.cores));
    say_fitted(s, sweep);
    SAY(s,
        "[?; the law of the hardware says {.1} ({+.1%} %)][?; its slowest core takes {.2} times as long as "
        "the fastest].",
        AS_RATIO(isnan(sweep->law_error_ratio) ? NAN : most->law_fps),
        AS_RATIO(most->law_fps / most->run->frames_per_s - 1),
        AS_RATIO(sweep->unequal_ratio >= 1.05 ? sweep->unequal_ratio : NAN));
}

void verdict_say_load(const roof_reconciliation *r, const roof_sweep *sweep, char *buffer)
{
    sentence s = say_into(buffer);
    say_sweep(&s, r, sweep);
}

static void say_loads(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    (void)i;
    for (uint32_t k = 0; k < r->n_sweeps && k < 3; k++) {
        say(s, k ? " " : "");
        say_sweep(s, r, &r->sweeps[k]);
    }
    if (r->n_sweeps > 3)
        SAY(s, " {} more sweeps are in the table.", AS_COUNT(r->n_sweeps - 3));
}

/* --- all of it ----------------------------------------------------------------------------------------- */

void verdict_say_one(sentence *s, const roof_reconciliation *r, const said_part *parts, size_t n,
                     bool is_below, uint32_t i)
{
    bool is_said[SAID_BELOW + 1] = {[SAID_BELOW] = true};
    FOR_EACH(const said_part, part, parts, n) {
        *s = say_into(s->text);
        if (part->applies)
            part->say(s, r, part->i);
        if (!s->length)
            continue;
        const bool stands_below = is_said[part->line];
        is_said[part->line] = part->line != SAID_CAVEAT;
        if (stands_below == is_below && !i--)
            return;
    }
    *s = say_into(s->text);
}

static void say_part(sentence *s, const roof_reconciliation *r, uint32_t i, bool is_below)
{
    const bool is_curves = reconciliation_is_of_curves(r),
               is_loads = !is_curves && !r->n_experiments && r->n_loads, is_runs = !is_curves && !is_loads;
    const said_part parts[] = {{!is_loads, say_other_hardware, 0, SAID_CAVEAT},
                               {true, say_unused_hardware, 0, SAID_CAVEAT},
                               {is_runs, say_caveats, 0, SAID_CAVEAT},
                               {is_runs, say_impossible, 0, SAID_CAVEAT},
                               {!is_loads, timed_say_impossible, 0, SAID_CAVEAT},
                               {!is_loads, timed_say_all, 0, SAID_ANSWER},
                               {!is_loads, timed_say_curve, 0, SAID_ANSWER},
                               {!is_loads, timed_say_curve, 1, SAID_BELOW},
                               {!is_loads, timed_say_curve, 2, SAID_BELOW},
                               {!is_loads, timed_say_stack, 0, SAID_LIMIT},
                               {!is_loads, timed_say_stack, 1, SAID_BELOW},
                               {!is_loads, timed_say_growth, 0, SAID_BELOW},
                               {!is_loads, timed_say_growth, 1, SAID_BELOW},
                               {!is_loads, timed_say_growth, 2, SAID_BELOW},
                               {is_loads, say_loads, 0, SAID_ANSWER},
                               {is_runs, say_speed, 0, SAID_ANSWER},
                               {is_runs, say_first_cause, 0, SAID_LIMIT},
                               {is_runs, profile_say_bound, 0, SAID_LIMIT},
                               {is_runs, say_first_busy, 0, SAID_LIMIT},
                               {is_runs, profile_say_rates, 0, SAID_LIMIT},
                               {is_runs, say_todo, 0, SAID_NEXT},
                               {is_runs, profile_say_next, 0, SAID_NEXT},
                               {is_runs, profile_say_limit, 0, SAID_NEXT},
                               {is_runs, say_innocent, 0, SAID_BELOW},
                               {is_runs, say_unused_calibration, 0, SAID_BELOW}};
    verdict_say_one(s, r, parts, N_OF(parts), is_below, i);
}

void verdict_say(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    say_part(s, r, i, false);
}

void verdict_say_below(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    say_part(s, r, i, true);
}
