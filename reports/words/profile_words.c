#include "reports/words/profile_words.h"
#include "core/quantity.h"
#include "measure/profile/processor_counts.h"
#include "measure/units/unit_facts.h"

#include <math.h>
#include <string.h>

/* Parts that are told, and what is too little to be told. */
enum { TOLD = 3 };
#define LEAST_TOLD 0.03

/* Rows that are so much less than the time, or more, are not all of it. */
#define OTHER_TIME 0.03

/* Inferences whose CoV is at most that, and whose P99 is at most so many medians, are steady. */
#define STEADY_COV  0.05
#define STEADY_TAIL 1.5

bool profile_is_alone(const roof_reconciliation *r)
{
    bool alone = r->n_experiments > 0;
    for (uint32_t i = 0; i < r->n_experiments && alone; i++)
        alone = r->experiments[i].profile != NULL;
    return alone;
}

/* --- the first sentence ------------------------------------------------------------------------------- */

static void say_source(sentence *s, const roof_reconciliation *r, const roof_reconciled *e)
{
    const roof_profile *p = e->profile;
    SAY(s, "{<200}", AS_TEXT(e->model));
    if (p->tool && p->devices)
        SAY(s, " ({<40}, {<40})", AS_TEXT(p->tool), AS_TEXT(p->devices));
    else if (p->tool || p->devices)
        SAY(s, " ({<40})", AS_TEXT(p->tool ? p->tool : p->devices));
    if (hardware_of(r))
        SAY(s, " on {<60}", AS_TEXT(hardware_of(r)));
}

/* The time of the whole recording where it is one, else of an inference. */
static double seconds_of(const roof_reconciled *e)
{
    return e->is_recording               ? e->total.sum_of_layers_s
           : e->total.bypass_s > 0       ? e->total.bypass_s
           : roof_layered_seconds(e) > 0 ? roof_layered_seconds(e)
                                         : e->total.listed_s;
}

static void say_amount(sentence *s, const roof_reconciled *e)
{
    const roof_profile *p = e->profile;
    const double seconds = seconds_of(e), busy_s = units_overlapped_busy_s(e);
    if (!isnan(busy_s)) {
        SAY(s, "busy for {}, in which rows of {} ran, some at the same time", AS_SECONDS(busy_s),
            AS_SECONDS(seconds));
        return;
    }
    if (e->is_recording)
        SAY(s, "{} in the whole recording, inferences not known", AS_SECONDS(seconds));
    else if (seconds > 0)
        SAY(s, e->total.bypass_s > 0 ? "{} deployed" : "{}", AS_SECONDS(seconds));
    else if (p->basis == ROOF_PROFILE_CYCLES)
        SAY(s, "{} cycles of {} row{|s} without a clock", AS_COUNT(p->total), AS_COUNT(p->n_rows));
    else if (p->basis == ROOF_PROFILE_SHARES)
        say(s, "shares of a time that is not stated");
    else
        say(s, "no time was measured");
    if (!(seconds > 0) && e->energy.power_w > 0)
        SAY(s, "; {} on average", AS("W", e->energy.power_w));
    if (!(seconds > 0) && e->energy.inference_j > 0)
        SAY(s, "; {}", AS("J", e->energy.inference_j));
    if (p->is_estimated && p->basis != ROOF_PROFILE_NOTHING)
        SAY(s, ", estimated by {<40} and never measured", AS_TEXT(p->tool ? p->tool : "its tool"));
    else if (p->basis == ROOF_PROFILE_TIMES && !e->is_recording && isnan(e->total.bypass_s) &&
             isnan(e->total.per_layer_s) && p->n_rows > 1)
        SAY(s, ", the sum of {} rows", AS_COUNT(p->n_rows));
}

/* Behind "; ", or whatever else the sentence needs. */
static void say_parts(sentence *s, const roof_reconciled *e, const char *before)
{
    const roof_profile *p = e->profile;
    if (p->n_rows == 1 && p->n_parts == 1) {
        const roof_unit *u = &e->units[p->largest];
        const double seconds = seconds_of(e);
        if (!*before) /* its rows, of which the time was told */
            SAY(s, "{.1%} % of it, one row, ", AS_RATIO(p->total / seconds));
        else
            say(s, "; all of it is one row, ");
        if (u->type)
            SAY(s, "{<40} ", AS_TEXT(u->type));
        SAY(s, "{<90}", AS_TEXT(p->largest_name));
        return;
    }
    for (uint32_t i = 0; i < p->n_parts && i < TOLD; i++) {
        if (i && p->parts[i].share_ratio < LEAST_TOLD)
            break;
        say(s, i ? ", " : before);
        SAY(s, "{<60} {.0%} %", AS_TEXT(p->parts[i].name), AS_RATIO(p->parts[i].share_ratio));
        if (e->is_recording && p->parts[i].launches > 1)
            SAY(s, " ({} launches)", AS_COUNT(p->parts[i].launches));
        else if (p->parts[i].rows > 1)
            SAY(s, " ({})", AS_COUNT(p->parts[i].rows));
    }
}

/* Where rows are not all of the time, shares are of the rows. */
static const char *say_rows(sentence *s, const roof_reconciled *e)
{
    const roof_profile *p = e->profile;
    const double seconds = seconds_of(e);
    if (p->basis != ROOF_PROFILE_TIMES || !(fabs(seconds - p->total) > OTHER_TIME * seconds))
        return "; ";
    SAY(s, "; its rows take {}: ", AS_SECONDS(p->total));
    return "";
}

/* Whether a part that is told is the largest row, and nothing else. */
static bool is_told(const roof_profile *p)
{
    for (uint32_t i = 0; !p->is_by_kind && i < p->n_parts && i < TOLD; i++)
        if (p->parts[i].rows == 1 && strcmp(p->parts[i].name, p->largest_name) == 0)
            return true;
    return false;
}

static void say_largest(sentence *s, const roof_reconciled *e)
{
    const roof_profile *p = e->profile;
    if (p->largest != ROOF_NONE && p->n_rows > 1 && !is_told(p))
        SAY(s, "; the largest row is {<60}, {.0%} %", AS_TEXT(p->largest_name), AS_RATIO(p->largest_ratio));
}

static void say_spread(sentence *s, const roof_profile *p)
{
    const bool is_known = !isnan(p->cov_ratio);
    const bool is_steady = p->cov_ratio <= STEADY_COV && !(p->tail_ratio > STEADY_TAIL);
    if (!is_known && !(p->tail_ratio > STEADY_TAIL))
        return;
    say(s, is_steady ? "; steady" : "; not steady");
    if (is_known)
        SAY(s, " (CoV {.1%} %", AS_RATIO(p->cov_ratio));
    if (p->tail_ratio > STEADY_TAIL)
        SAY(s, is_known ? ", P99 {.1} times the median" : " (P99 {.1} times the median",
            AS("", p->tail_ratio));
    say(s, ")");
}

/* A run without rows may have counts of its processor, and times. */
static void say_counts(sentence *s, const roof_reconciled *e)
{
    const roof_run *run = e->bypass;
    if (!run || e->layer_run)
        return;
    const processor_counts c = processor_counts_of(run);
    for (uint32_t i = 0; i < run->n_phases; i++)
        if (run->phases[i].kind == ROOF_PHASE_UNDECLARED)
            SAY(s, "; {<40} {}", AS_TEXT(run->phases[i].name), AS_SECONDS(run->phases[i].seconds));
    const double ipc = quotient_of(c.instructions, c.cycles), misses = quotient_of(c.misses, c.references),
                 branches = quotient_of(c.branch_misses, c.branches);
    if (ipc > 0)
        SAY(s, "; {.2} instructions a cycle of {} cycles", AS("", ipc), AS_COUNT(c.cycles));
    else if (c.cycles > 0)
        SAY(s, "; {} cycles", AS_COUNT(c.cycles));
    if (misses >= 0)
        SAY(s, "; {.1%} % of {} cache references miss", AS_RATIO(misses), AS_COUNT(c.references));
    else if (c.misses >= 0)
        SAY(s, "; {} cache misses", AS_COUNT(c.misses));
    if (branches >= 0)
        SAY(s, "; {.1%} % of branches mispredicted", AS_RATIO(branches));
}

static void say_one(sentence *s, const roof_reconciliation *r, const roof_reconciled *e)
{
    say_source(s, r, e);
    say(s, ": ");
    say_amount(s, e);
    if (e->profile->n_parts) {
        say_parts(s, e, say_rows(s, e));
        say_largest(s, e);
    }
    say_counts(s, e);
    say_spread(s, e->profile);
    say(s, ".");
}

/* --- several ------------------------------------------------------------------------------------------ */

static const roof_reconciled *longest_of(const roof_reconciliation *r, double *least_s)
{
    const roof_reconciled *longest = &r->experiments[0];
    *least_s = NAN;
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const double seconds = seconds_of(&r->experiments[i]);
        *least_s = fmin(*least_s, seconds);
        if (!(seconds <= seconds_of(longest)))
            longest = &r->experiments[i];
    }
    return longest;
}

/* Runs of one model, such as one of each device, or several models. */
static void say_several(sentence *s, const roof_reconciliation *r)
{
    enum { FEW = 4 };
    double least_s;
    const roof_reconciled *longest = longest_of(r, &least_s);
    const double most_s = seconds_of(longest);
    if (r->n_models == 1) {
        say_source(s, r, &r->experiments[0]);
        SAY(s, ": {} runs", AS_COUNT(r->n_experiments));
    } else {
        SAY(s, "{} models", AS_COUNT(r->n_models));
        if (hardware_of(r))
            SAY(s, " on {<60}", AS_TEXT(hardware_of(r)));
    }
    if (r->n_models > 1 && r->n_experiments <= FEW)
        for (uint32_t i = 0; i < r->n_experiments; i++)
            SAY(s, i ? ", {<100} {}" : ": {<100} {}", AS_TEXT(r->experiments[i].model),
                AS_SECONDS(seconds_of(&r->experiments[i])));
    else if (most_s > 0)
        SAY(s, " of {} to {}", AS_SECONDS(least_s), AS_SECONDS(most_s));
    if (longest->profile->n_parts) {
        say_parts(s, longest, "; in the longest ");
        say_largest(s, longest);
    }
    say(s, ".");
}

void profile_say(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    if (r->n_experiments == 1)
        say_one(s, r, &r->experiments[i]);
    else
        say_several(s, r);
}

/* --- what binds --------------------------------------------------------------------------------------- */

/* The busiest unit of a kind. */
static uint32_t busiest(const roof_busy *b, const roof_busy_ratios *busy, bool moves)
{
    uint32_t best = ROOF_NONE;
    for (uint32_t k = 0; k < b->n; k++)
        if (b->moves[k] == moves && !isnan(busy->ratios[k]) &&
            (best == ROOF_NONE || busy->ratios[k] > busy->ratios[best]))
            best = k;
    return best;
}

void profile_say_bound(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    static const char *const words[ROOF_BUSY_BOUNDS] = {
        NULL, "memory-bound", "compute-bound", "latency-bound, since nothing is busy for 60 % or more"};
    const roof_reconciled *e = &r->experiments[i];
    if (r->n_experiments > 1 || !profile_is_alone(r) || !e->busy || e->profile->largest == ROOF_NONE)
        return;
    const roof_busy_ratios busy = roof_unit_busy(e, &e->units[e->profile->largest]);
    const bool by_memory = busy.bound == ROOF_BUSY_MEMORY;
    const uint32_t first = busiest(e->busy, &busy, by_memory), second = busiest(e->busy, &busy, !by_memory);
    if (busy.bound == ROOF_BUSY_UNKNOWN || first == ROOF_NONE || second == ROOF_NONE)
        return;
    SAY(s, "{<70} is {}: {<20} {.1%} %, {<20} {.1%} %.", AS_TEXT(e->profile->largest_name),
        AS_TEXT(words[busy.bound]), AS_TEXT(e->busy->names[first]), AS_RATIO(busy.ratios[first]),
        AS_TEXT(e->busy->names[second]), AS_RATIO(busy.ratios[second]));
}

/* --- what to do --------------------------------------------------------------------------------------- */

void profile_say_next(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_profile *p = r->experiments[i].profile;
    if (!profile_is_alone(r) || !p->next)
        return;
    SAY(s, r->experiments[i].n_causes ? "Then: {<400}" : "Next: {<400}", AS_TEXT(p->next));
    say(s, r->experiments[i].is_recording
               ? "; import it with --inferences N where you know of how many inferences it is."
               : ".");
}

const char *profile_no_limit_words(const roof_reconciled *e)
{
    return e->device ? "No description of this device: times only, no limit to compare with."
                     : "No model file given: times only, no limit to compare with.";
}

void profile_say_limit(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *first = &r->experiments[i];
    bool has_times = false;
    for (; i < r->n_experiments; i++)
        has_times = has_times || seconds_of(&r->experiments[i]) > 0 ||
                    (r->experiments[i].profile && r->experiments[i].profile->basis != ROOF_PROFILE_NOTHING);
    if (has_times && profile_is_alone(r))
        say(s, profile_no_limit_words(first));
}
