/* The sentences on top of a reconciliation; statistics, which come after, are in words.c. */
#include "reports/words/verdict_words.h"
#include "reports/words/timed_words.h"
#include "core/quantity.h"
#include "reports/words/profile_words.h"
#include "measure/compare/conditions.h"
#include "measure/units/unit_facts.h"
#include "reports/words/cause_words.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

const char *say_hardware_of(const roof_reconciled *e)
{
    bool is_written_out = e->hardware_id && strchr(e->hardware_id, '=') && e->prediction;
    return is_written_out ? e->prediction->hardware.name : e->hardware_id;
}

/* --- what comes before it ----------------------------------------------------------------------------- */

/* Who asks for other hardware gets the comparison, and no verdict. */
static void say_other_hardware(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *first = NULL;
    uint32_t n = 0;
    for (; i < r->n_experiments; i++) {
        n += r->experiments[i].other_hardware != NULL;
        first = first || !r->experiments[i].other_hardware ? first : &r->experiments[i];
    }
    if (!first)
        return;
    SAY(s, "{<60} was ", AS_TEXT(first->model));
    sentences_say_remark(s, first->other_hardware);
    say(s, ": no causes are ranked.");
    if (n > 1)
        SAY(s, " {} of {} models were.", AS_COUNT(n), AS_COUNT(r->n_experiments));
}

/* A calibration that was given, and says nothing of these profiles. */
static void say_unused_calibration(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    for (; i < r->n_experiments; i++)
        if (r->experiments[i].calibration_unused) {
            SAY(s, "{<60}: ", AS_TEXT(r->experiments[i].model));
            sentences_say_remark(s, r->experiments[i].calibration_unused);
            say(s, ".");
            return;
        }
}

/* A fault that makes all comparisons false comes before everything. */
static void say_caveats(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *first = NULL;
    uint32_t n = 0;
    for (; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        n += e->not_compared != NULL;
        first = first ? first : e->not_compared ? e : NULL;
    }
    if (!first)
        return;
    SAY(s, "{<60}: ", AS_TEXT(first->model));
    sentences_say_remark(s, first->not_compared);
    if (first->has_doubtful_rows)
        say(s, ".");
    else
        say(s, first->has_doubtful_times ? ". Nothing is compared." : " Nothing is compared with its ideal.");
    if (n > 1)
        SAY(s, " {} of {} models are in doubt.", AS_COUNT(n), AS_COUNT(r->n_experiments));
}

/* It may have been measured on other hardware than it is held against. */
static void say_unused_hardware(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_unread *member = r->unused_hardware;
    (void)i;
    if (member)
        SAY(s, "{<400} {<200}: it is not used, and all numbers are without it.", AS_TEXT(member->where),
            AS_TEXT(member->what));
}

/* Nothing below holds when a bound does not: this comes before all else. */
static void say_impossible(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    uint32_t units = 0, totals = 0;
    for (; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        units += e->other_hardware ? 0 : units_impossible(e);
        totals += !e->other_hardware && units_total_is_impossible(e);
    }
    if (!units && !totals)
        return;
    say(s, "IMPOSSIBLE: ");
    if (units)
        SAY(s, "{} layer{ is|s are} faster than the hardware limit", AS_COUNT(units));
    if (totals)
        SAY(s,
            units ? ", and {} deployed time{ is|s are} below it"
                  : "{} deployed time{ is|s are} below the hardware limit",
            AS_COUNT(totals));
    say(s, ". Look for another clock, another hardware entry, a counter that covers less than the layer, in "
           "this order; what follows rests on a bound that does not hold.");
}

/* --- how fast, and how far from the silicon ------------------------------------------------------------ */

/* The time that an experiment takes, and the one it needs at best; NaN where that is not known. more: rows of
 * the host that the deployed time may have, and the limit has not, so that the true limit is higher. */
typedef struct distance {
    double seconds, best_s;
    bool is_deployed;
    uint32_t more;
} distance;

static distance distance_of(const roof_reconciled *e)
{
    bool is_deployed = e->bypass && e->total.bypass_s > 0;
    const double best_s = units_hardware_limit_s(e); /* a limit of 0 is none */
    bool is_listed = e->layer_run != NULL; /* every layer of the accelerator: then the whole has no others */
    for (uint32_t i = 0; i < e->n_units && is_listed; i++)
        is_listed = !e->units[i].is_unlisted;
    return (distance){is_deployed ? e->total.bypass_s : roof_layered_seconds(e), best_s > 0 ? best_s : NAN,
                      is_deployed,
                      is_deployed && !is_listed && e->prediction ? e->prediction->total.host_layers : 0};
}

/* The expected time is of this hardware. */
static bool is_plain_bound(const roof_reconciled *e)
{
    return e->prediction && !e->prediction->estimate_of && !e->not_compared;
}

/* ", as expected (11.05 ms, 95 %: 9.9 ms to 12.3 ms);" or ", 1.5x the expected 11.05 ms (95 %: ...),":
 * whether the run is plausible. */
static void say_plausible(sentence *s, const roof_reconciled *e)
{
    const double *ci95_s = e->prediction ? e->prediction->total.predicted_ci95_s : NULL;
    bool is_usual = units_are_as_expected(e);
    double times = quotient_of(e->total.bypass_s, e->total.expected_s);
    if (!is_plain_bound(e) || !(times > 0))
        return;
    if (is_usual)
        SAY(s, ", as expected ({}", AS_SECONDS(e->total.expected_s));
    else
        SAY(s, ", {.1}x the expected {}", AS("", times), AS_SECONDS(e->total.expected_s));
    if (!isnan(ci95_s[0]) && !isnan(ci95_s[1]))
        SAY(s, is_usual ? ", 95 %: {} to {}" : " (95 %: {} to {})", AS_SECONDS(ci95_s[0]),
            AS_SECONDS(ci95_s[1]));
    say(s, is_usual ? ")" : "");
}

static void say_one_speed(sentence *s, const roof_reconciliation *r, const roof_reconciled *e)
{
    const distance d = distance_of(e);
    const char *estimate = e->prediction ? e->prediction->estimate_of : NULL;
    uint32_t without = 0;
    for (uint32_t i = 0; i < e->n_units; i++)
        without += e->units[i].measured_s > 0 && !e->units[i].is_unlisted && isnan(e->units[i].ideal_s);
    SAY(s, "{<60}", AS_TEXT(e->model));
    if (hardware_of(r) && !e->other_hardware)
        SAY(s, " on {}", AS_TEXT(hardware_of(r)));
    if (!(d.seconds > 0)) {
        say(s, ": no time was measured.");
        return;
    }
    SAY(s, ": {} {}", AS_SECONDS(d.seconds), AS_TEXT(d.is_deployed ? "deployed" : "in a per-layer run"));
    if (d.is_deployed && !e->not_compared && !isnan(d.best_s))
        say_plausible(s, e);
    if (isnan(d.best_s)) {
        const roof_limit_ratio *limits = &e->total.limits;
        if (!e->not_compared && limits->rows && !d.is_deployed) {
            SAY(s, "; {.1}x the {} in {} of {} row{|s}, {.0%} % of the time; the others have no limit.",
                AS("", limits->of_rows), AS_TEXT(estimate ? "ideal" : "hardware limit"),
                AS_COUNT(limits->rows), AS_COUNT(limits->rows_all), AS_RATIO(limits->time_ratio));
            return;
        }
        say(s, e->not_compared ? "."
               : e->prediction && limits->rows_all
                   ? "; none of its rows has a limit, so that how far it is from the hardware's is not known."
               : e->prediction
                   ? "; too few of its layers were measured to say how far that is from its ideal."
                   : ". ");
        if (!e->not_compared && !e->prediction)
            say(s, profile_no_limit_words(e));
        return;
    }
    say(s, d.more ? ", at most " : ", ");
    SAY(s, estimate ? "{.1}x its ideal of {}" : "{.1}x the hardware limit of {}",
        AS("", d.seconds / d.best_s), AS_SECONDS(d.best_s));
    if (d.more)
        SAY(s, ", which is without {} layer{|s} of the host", AS_COUNT(d.more));
    if (estimate)
        SAY(s, ", an estimate of {}", AS_TEXT(estimate));
    if (without && !d.is_deployed)
        SAY(s, "; {} layer{ has|s have} no limit", AS_COUNT(without));
    if (!isnan(units_timing_most_s(e)))
        SAY(s, "; of that an unknown part is timing at {} boundaries, up to {}, since no run is without it",
            AS_COUNT(e->boundaries), AS_SECONDS(units_timing_most_s(e)));
    say(s, ".");
}

/* Each of a few models, the range of many. */
static void say_speeds(sentence *s, const roof_reconciliation *r)
{
    enum { FEW = 4 };
    double least = INFINITY, most = 0, usual[2] = {INFINITY, 0};
    const roof_reconciled *worst = NULL;
    uint32_t known = 0, n_expected = 0, n_usual = 0, n_timing = 0, boundaries = 0;
    double timed_s = 0;
    bool has_more = false;
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const double timing_s = units_timing_most_s(&r->experiments[i]);
        n_timing += isnan(timing_s) ? 0 : 1;
        boundaries = timing_s > timed_s ? r->experiments[i].boundaries : boundaries;
        timed_s = fmax(timed_s, timing_s);
        double expected_ratio =
            quotient_of(r->experiments[i].total.bypass_s, r->experiments[i].total.expected_s);
        if (is_plain_bound(&r->experiments[i]) && expected_ratio > 0) {
            n_expected++;
            n_usual += units_are_as_expected(&r->experiments[i]);
            usual[0] = fmin(usual[0], expected_ratio);
            usual[1] = fmax(usual[1], expected_ratio);
        }
        const distance d = distance_of(&r->experiments[i]);
        double times = d.seconds / d.best_s;
        if (!(times > 0))
            continue;
        known++;
        has_more = has_more || d.more;
        least = fmin(least, times);
        worst = times > most ? &r->experiments[i] : worst;
        most = fmax(most, times);
    }
    SAY(s, "{} {model|models}", AS_COUNT(r->n_models));
    if (hardware_of(r))
        SAY(s, " on {}", AS_TEXT(hardware_of(r)));
    if (worst)
        SAY(s,
            r->n_experiments > FEW ? ": {}{.1}x to {.1}x the hardware limit"
                                   : ", {}{.1}x to {.1}x the hardware limit",
            AS_TEXT(has_more ? "at most " : ""), AS("", least), AS("", most));
    if (worst && has_more)
        say(s, ", which is without layers of the host");
    if (n_timing)
        SAY(s, ", of which an unknown part is timing, up to {} at {} boundaries", AS_SECONDS(timed_s),
            AS_COUNT(boundaries));
    if (n_timing)
        say(s, n_timing == r->n_experiments ? ", since no run is without it" : " where no run is without it");
    if (n_expected && n_usual == n_expected && n_expected == r->n_experiments)
        say(s, ", all as expected");
    else if (n_expected)
        SAY(s, ", {.1}x to {.1}x the expected time", AS("", usual[0]), AS("", usual[1]));
    if (!worst)
        say(s, ", of none of which an ideal is known");
    else if (known < r->n_experiments)
        SAY(s, " ({} without a limit)", AS_COUNT(r->n_experiments - known));
    for (uint32_t i = 0; r->n_experiments <= FEW && i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        const distance d = distance_of(e);
        say(s, i ? ", " : ": ");
        SAY(s, "{<60}", AS_TEXT(e->model));
        if (!r->one_hardware && e->hardware_id)
            SAY(s, " on {<40}", AS_TEXT(say_hardware_of(e)));
        SAY(s, " {}", AS_SECONDS(d.seconds));
        if (d.seconds / d.best_s > 0)
            SAY(s, units_are_as_expected(e) ? " ({.1}x, as expected)" : " ({.1}x)",
                AS("", d.seconds / d.best_s));
    }
    if (worst && r->n_experiments > FEW)
        SAY(s, ", {<60} the most", AS_TEXT(worst->model));
    say(s, ".");
}

enum { MOST_BOARDS = 40 };

/* One model, deployed everywhere or nowhere, on hardware that has a name. */
static bool is_of_boards(const roof_reconciliation *r)
{
    const roof_reconciled *first = &r->experiments[0];
    if (r->one_hardware || r->n_experiments < 2 || r->n_experiments > MOST_BOARDS)
        return false;
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        const distance d = distance_of(e);
        if (!e->hardware || strcmp(e->model, first->model) != 0 || !(d.seconds > 0) ||
            d.is_deployed != distance_of(first).is_deployed || e->has_doubtful_times)
            return false;
    }
    return true;
}

/* The fastest but `skip`, ROOF_NONE at the end: there are few. */
static uint32_t next_fastest(const roof_reconciliation *r, uint32_t before)
{
    uint32_t next = ROOF_NONE;
    double least = before == ROOF_NONE ? -1 : distance_of(&r->experiments[before]).seconds;
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        double seconds = distance_of(&r->experiments[i]).seconds;
        bool is_behind = seconds > least || (before != ROOF_NONE && !(seconds < least) && i > before);
        if (is_behind && (next == ROOF_NONE || seconds < distance_of(&r->experiments[next]).seconds))
            next = i;
    }
    return next;
}

typedef struct reconciled_pair {
    const roof_reconciled *fast, *slow;
} reconciled_pair;

/* "; not comparable: data type f16 and int8": but for what tells the boards apart, which is asked about. */
static bool say_unlike(sentence *s, const reconciled_pair *of)
{
    static const condition_id asked[] = {CONDITION_HARDWARE,  CONDITION_DEVICE, CONDITION_CLOCK,
                                         CONDITION_CORE,      CONDITION_CORES,  CONDITION_MACHINE,
                                         CONDITION_BANDWIDTH, CONDITION_FILE,   CONDITION_PROCESSOR_CLOCK};
    const bool is_deployed = of->fast->bypass != NULL;
    roof_arena *arena = arena_new(0);
    roof_unlike *list = NULL;
    uint32_t n = 0, n_apart = 0, told = 0;
    roof_error err;
    run_conditions c[2];
    const roof_reconciled *const both[2] = {of->fast, of->slow};
    roof_status status = arena ? ROOF_OK : ROOF_E_NO_MEMORY;
    for (int i = 0; i < 2 && status == ROOF_OK; i++) {
        const roof_reconciled *e = both[i];
        status = conditions_of_run(is_deployed ? e->bypass_of : e->per_layer_of,
                                   is_deployed ? e->bypass : e->per_layer, NULL, NULL, arena, &c[i], &err);
        for (size_t k = 0; k < sizeof asked / sizeof *asked && status == ROOF_OK; k++)
            c[i].text[asked[k]] = NULL;
    }
    if (status == ROOF_OK)
        status = conditions_compare(&c[0], &c[1], arena, &list, &n, &n_apart, &err);
    for (uint32_t i = 0; i < n && status == ROOF_OK; i++)
        if (list[i].is_apart && strcmp(list[i].a, list[i].b) != 0)
            SAY(s, "{} {} {<40} and {<40}", AS_TEXT(told++ ? "," : "; not comparable:"),
                AS_TEXT(list[i].what), AS_TEXT(list[i].a), AS_TEXT(list[i].b));
    arena_free(arena);
    return told > 0;
}

/* "ResNet-50 on 2 boards: ZCU104 12.19 ms (1.5x its limit), KV260 16.07 ms (2.0x); ... 1.3x as fast ..." */
static void say_boards(sentence *s, const roof_reconciliation *r)
{
    enum { FEW = 5 };
    uint32_t n = 0, last = ROOF_NONE, first = next_fastest(r, ROOF_NONE);
    SAY(s, "{<60} on {} boards", AS_TEXT(r->experiments[0].model), AS_COUNT(r->n_experiments));
    for (uint32_t i = first; i != ROOF_NONE; i = next_fastest(r, i), n++) {
        const roof_reconciled *e = &r->experiments[i];
        const distance d = distance_of(e);
        last = i;
        if (n >= FEW)
            continue;
        SAY(s, n ? ", {<50} {}" : ": {<50} {}", AS_TEXT(e->hardware), AS_SECONDS(d.seconds));
        if (d.seconds / d.best_s > 0)
            SAY(s, " ({.1}x its limit", AS("", d.seconds / d.best_s));
        if (d.seconds / d.best_s > 0)
            say(s, units_are_as_expected(e) ? ", as expected)" : ")");
    }
    if (n > FEW)
        SAY(s, " and {} more", AS_COUNT(n - FEW));
    const reconciled_pair ends = {&r->experiments[first], &r->experiments[last]};
    double times = quotient_of(distance_of(ends.slow).seconds, distance_of(ends.fast).seconds);
    if (!isnan(times) && !say_unlike(s, &ends))
        SAY(s,
            n == 2 ? "; the first is {.2}x as fast as the other" : "; the first is {.2}x as fast as the last",
            AS("", times));
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
                 {ROOF_BUSY_UNKNOWN, ", {.0%} % in layers of which it is not known"}};
    const roof_busy *b = r->experiments[i].busy;
    if (profile_is_alone(r) && r->experiments[i].profile->n_rows == 1)
        return; /* what binds it is said next */
    if (r->n_models > 1 || !b || !(b->total_s > b->whole.bound_s[ROOF_BUSY_UNKNOWN]))
        return;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
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
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
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

/* Who takes less of an inference is not to blame. */
#define INNOCENT_RATIO 0.1

/* Who is not to blame, where that is known. */
static void say_innocent(sentence *s, const roof_reconciliation *r)
{
    const roof_reconciled *e = &r->experiments[0];
    bool deployed = e->bypass && e->total.bypass_s > 0, host = e->total.host_s >= 0 && deployed;
    if (r->n_experiments > 1 || cause_of(e, ROOF_CAUSE_HOST) || cause_of(e, ROOF_CAUSE_FALLBACK) || !deployed)
        return;
    bool profiler = e->total.inflation_ratio > 0 && !isnan(e->boundary_cost_s);
    const bool is_little = host && e->total.host_s < INNOCENT_RATIO * e->total.bypass_s;
    if (is_little && profiler)
        SAY(s,
            " Host and profiler are not the problem: the host takes {.0%} %, and only the "
            "per-layer run has a profiler.",
            AS_RATIO(e->total.host_s / e->total.bypass_s));
    else if (host)
        SAY(s, is_little ? " The host is not the problem: it takes {.0%} %." : " The host takes {.0%} %.",
            AS_RATIO(e->total.host_s / e->total.bypass_s));
    else if (profiler)
        SAY(s,
            " The profiler is not the problem: only the per-layer run has it, and takes {.0%} % longer. "
            "Host (CPU) time is not known.",
            AS_RATIO(e->total.inflation_ratio));
    else
        say(s, " Host (CPU) time is not known.");
}

/* The share of a cause of no layers in particular; NaN where there is none, or it is not known. */
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
    uint32_t n = 0, told = 0;
    for (uint32_t i = 0; i < r->n_experiments; i++)
        n += isnan(share_of(&r->experiments[i], kind)) ? 0 : 1;
    if (n < 2)
        return false;
    say(s, roof_cause_meaning(kind));
    for (uint32_t i = 0; i < r->n_experiments && told < FEW; i++) {
        double share = share_of(&r->experiments[i], kind);
        if (!isnan(share))
            SAY(s, told++ ? ", {.0%} % of {<60}" : ": {.0%} % of {<60}", AS_RATIO(share),
                AS_TEXT(r->experiments[i].model));
        if (!isnan(share) && !r->one_hardware && r->experiments[i].hardware_id)
            SAY(s, " on {<40}", AS_TEXT(say_hardware_of(&r->experiments[i])));
    }
    if (n > FEW)
        SAY(s, " and {} more", AS_COUNT(n - FEW));
    return true;
}

static void say_first_cause(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *e = NULL;
    const roof_cause *cause = first_cause(r, &e);
    if (!cause && r->n_experiments == 1 && r->experiments[i].total.efficiency_ratio > 0)
        say(s, "No cause takes 5 % of the time or more.");
    if (!cause || cause_is_doubt(cause))
        return; /* a doubt is said before all else */
    if (say_shared_cause(s, r, cause->kind)) {
        *s->text = (char)toupper((unsigned char)*s->text);
        say(s, ".");
        return;
    }
    if (r->n_experiments > 1)
        SAY(s, "{<60}: ", AS_TEXT(e->model));
    cause_say(s, cause, &(cause_names){unit_full_name, e});
    if (r->n_experiments == 1 && (!cause->n_units || !cause->subject))
        *s->text = (char)toupper((unsigned char)*s->text); /* that of a sentence; names stay as they are */
    say(s, ".");
    say_innocent(s, r);
}

static void say_todo(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *e = NULL;
    const roof_cause *cause = first_cause(r, &e);
    (void)i;
    const roof_reconciled *first = &r->experiments[0];
    if (!cause && first->device && !first->prediction)
        say(s, "To compare: run `roofline hw probe -o FILE` there, and reconcile with --hw FILE.");
    if (cause) /* what comes next is of one model */
        causes_say_todo(s, cause, r->n_experiments == 1 ? e->n_causes : 1, &(cause_names){unit_full_name, e});
}

/* --- load ---------------------------------------------------------------------------------------------- */

/* "; an inference takes 7.8 ms alone and 8.6 ms with all 2 cores busy (+10 %), and the host 0.5 ms" */
static void say_fitted(sentence *s, const roof_sweep *sweep)
{
    if (isnan(sweep->service_s))
        return;
    SAY(s, "; an inference takes {}", AS_SECONDS(sweep->service_s));
    if (sweep->service_range_s[1] > 1.01 * sweep->service_range_s[0])
        SAY(s, " ({} to {})", AS_SECONDS(sweep->service_range_s[0]), AS_SECONDS(sweep->service_range_s[1]));
    if (sweep->has_contention)
        SAY(s, " alone and {} with all {} cores busy",
            AS_SECONDS(sweep->service_s * (1 + sweep->contention_ratio * (sweep->cores - 1))),
            AS_COUNT(sweep->cores));
    if (sweep->has_host)
        SAY(s, ", and the host {} ({} to {})", AS_SECONDS(sweep->host_s), AS_SECONDS(sweep->host_range_s[0]),
            AS_SECONDS(sweep->host_range_s[1]));
    if (!isnan(sweep->left_out_ratio))
        SAY(s, " (each point by the others: median error {.1%} %)", AS_RATIO(sweep->left_out_ratio));
}

/* Of a sweep: the most that the device gave, how many threads are enough, and why. */
static void say_sweep(sentence *s, const roof_reconciliation *r, const roof_sweep *sweep)
{
    const roof_load_run *loads = &r->loads[sweep->first_load], *most = loads;
    for (uint32_t k = 1; k < sweep->n_loads; k++)
        most = loads[k].run->frames_per_s > most->run->frames_per_s || isnan(most->run->frames_per_s)
                   ? &loads[k]
                   : most;
    const roof_times *t = &most->run->total;
    if (!(most->run->frames_per_s > 0)) {
        SAY(s, "{<60} under load: no run states frames per second.", AS_TEXT(most->model));
        return;
    }
    SAY(s, "{<60} under load: {.1} frames/s with {} thread{|s}", AS_TEXT(most->model),
        AS_RATIO(most->run->frames_per_s), AS_COUNT(most->run->threads));
    if (sweep->knee_threads < most->run->threads)
        SAY(s, ", {.1} with {}, which {is|are} enough", AS_RATIO(sweep->knee_fps),
            AS_COUNT(sweep->knee_threads));
    if (!isnan(t->median_s) && !isnan(t->p99_s))
        SAY(s, "; half of the inferences take at most {} and 99 % at most {}", AS_SECONDS(t->median_s),
            AS_SECONDS(t->p99_s));
    say_fitted(s, sweep);
    if (!isnan(sweep->law_error_ratio))
        SAY(s, "; the law of the hardware says {.1} ({+.1%} %)", AS_RATIO(most->law_fps),
            AS_RATIO(most->law_fps / most->run->frames_per_s - 1));
    if (sweep->unequal_ratio >= 1.05)
        SAY(s, "; its slowest core takes {.2} times as long as the fastest", AS_RATIO(sweep->unequal_ratio));
    say(s, ".");
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

void verdict_say_one(sentence *s, const roof_reconciliation *r, const said_part *parts, size_t n, uint32_t i)
{
    for (size_t k = 0; k < n; k++) {
        *s = say_into(s->text);
        if (parts[k].applies)
            parts[k].say(s, r, parts[k].i);
        if (s->length && !i--)
            return;
    }
    *s = say_into(s->text);
}

/* What curves of language models say. */
#define TIMED_PARTS                                                                                          \
    {true, timed_say_impossible, 0}, {true, timed_say_all, 0}, {true, timed_say_curve, 0},                   \
        {true, timed_say_curve, 1}, {true, timed_say_curve, 2}, {true, timed_say_stack, 0},                  \
        {true, timed_say_stack, 1}, {true, timed_say_growth, 0}, {true, timed_say_growth, 1},                \
    {                                                                                                        \
        true, timed_say_growth, 2                                                                            \
    }

void verdict_say(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    static const said_part parts[] = {{true, say_other_hardware, 0},
                                      {true, say_unused_hardware, 0},
                                      {true, say_caveats, 0},
                                      {true, say_impossible, 0},
                                      {true, say_unused_calibration, 0},
                                      TIMED_PARTS,
                                      {true, say_speed, 0},
                                      {true, say_first_busy, 0},
                                      {true, profile_say_bound, 0},
                                      {true, say_first_cause, 0},
                                      {true, say_todo, 0},
                                      {true, profile_say_next, 0},
                                      {true, profile_say_limit, 0}};
    static const said_part of_loads[] = {{true, say_unused_hardware, 0}, {true, say_loads, 0}};
    static const said_part of_curves[] = {
        {true, say_other_hardware, 0}, {true, say_unused_hardware, 0}, TIMED_PARTS};
    if (reconciliation_is_of_curves(r)) {
        verdict_say_one(s, r, of_curves, sizeof of_curves / sizeof *of_curves, i);
        return;
    }
    if (!r->n_experiments && r->n_loads) {
        verdict_say_one(s, r, of_loads, sizeof of_loads / sizeof *of_loads, i);
        return;
    }
    verdict_say_one(s, r, parts, sizeof parts / sizeof *parts, i);
}
