#include "reports/words/verdict_words.h"
#include "measure/profile/phases.h"
#include "measure/profile/counter.h"
#include "measure/matches/match_facts.h"

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
    SAY(s, "{<200}[? ({<40}][?, {<40}][?)][? on {<60}]", AS_TEXT(e->model),
        AS_TEXT(p->tool ? p->tool : p->devices), AS_TEXT(p->tool ? p->devices : NULL),
        AS_COUNT(p->tool || p->devices), AS_TEXT(hardware_of(r)));
}

/* The time of the whole recording where it is one, else of an inference. */
static double seconds_of(const roof_reconciled *e)
{
    return e->is_recording               ? e->total.sum_of_layers_s
           : e->total.bypass_s > 0       ? e->total.bypass_s
           : roof_layered_seconds(e) > 0 ? roof_layered_seconds(e)
                                         : e->total.listed_s;
}

void profile_say_warm_up(sentence *s, const roof_reconciled *e)
{
    const roof_run *run = e->total.bypass_s > 0 ? e->bypass : e->per_layer;
    double mean_s = 0;
    if (!run || !run_warm_up(run))
        return;
    for (uint64_t i = 1; i <= run->total.warm_up; i++)
        mean_s += run->total.samples_s[-(ptrdiff_t)i] / (double)run->total.warm_up;
    SAY(s, " after {} warm-up run{|s}[? of {}][? on average]", AS_COUNT(run_warm_up(run)),
        AS_SECONDS(mean_s > 0 ? mean_s : (double)NAN), AS_COUNT(mean_s > 0 && run->total.warm_up > 1));
}

static void say_amount(sentence *s, const roof_reconciled *e)
{
    const roof_profile *p = e->profile;
    const double seconds = seconds_of(e), busy_s = experiment_overlapped_busy_s(e);
    if (!isnan(busy_s)) {
        SAY(s, "[?{}, ]busy for {}, in which rows of {} ran, some at the same time",
            AS_SECONDS(e->total.per_layer_s > 0 ? seconds : (double)NAN), AS_SECONDS(busy_s),
            AS_SECONDS(p->total));
        return;
    }
    if (e->is_recording)
        SAY(s, "{} in the whole recording; number of inferences unknown", AS_SECONDS(seconds));
    else if (seconds > 0)
        SAY(s,
            e->total.bypass_s > 0                          ? "{} latency"
            : e->total.per_layer_s > 0 && !p->is_estimated ? "{} in a per-layer run, timing included"
                                                           : "{}",
            AS_SECONDS(seconds));
    else if (p->basis == ROOF_PROFILE_CYCLES)
        SAY(s, "{} cycle{|s} of {} row{|s} without a clock", AS_COUNT(p->total), AS_COUNT(p->n_rows));
    else if (p->basis == ROOF_PROFILE_SHARES)
        say(s, "shares of a time that is not stated");
    else
        say(s, "no time was measured");
    profile_say_warm_up(s, e);
    if (!(seconds > 0))
        SAY(s, "[?; {} on average][?; {}]", AS("W", e->energy.power_w > 0 ? e->energy.power_w : (double)NAN),
            AS("J", e->energy.inference_j > 0 ? e->energy.inference_j : (double)NAN));
    if (p->is_estimated && p->basis != ROOF_PROFILE_NOTHING)
        SAY(s, ", estimated by {<40} and never measured", AS_TEXT(p->tool ? p->tool : "its tool"));
    else if (p->basis == ROOF_PROFILE_TIMES && !e->is_recording && isnan(e->total.bypass_s) &&
             isnan(e->total.per_layer_s) && p->n_rows > 1)
        SAY(s, ", the sum of {} row{|s}", AS_COUNT(p->n_rows));
}

/* Behind "; ", or whatever else the sentence needs. */
static void say_parts(sentence *s, const roof_reconciled *e, const char *before)
{
    const roof_profile *p = e->profile;
    if (p->n_rows == 1 && p->n_parts == 1) {
        const roof_match *u = &e->matches[p->largest];
        if (!*before) /* its rows, of which the time was told */
            SAY(s, "{.1%} % of it, one row, ", AS_RATIO(p->total / seconds_of(e)));
        else
            say(s, *before == ';' ? "; all of it is one row, " : ", one row, ");
        SAY(s, "[?{<40} ]{<90}", AS_TEXT(u->type), AS_TEXT(p->largest_name));
        return;
    }
    const bool is_of_busy = experiment_overlapped_busy_s(e) > 0; /* some ran at the same time */
    for (uint32_t i = 0; i < p->n_parts && i < TOLD; i++) {
        if (i && p->parts[i].share_ratio < LEAST_TOLD)
            break;
        const bool has_launches = e->is_recording && p->parts[i].launches > 1;
        SAY(s, "{}{<60} {.0%} %[? of that][? ({} launch{|es})][? ({} row{|s})]", AS_TEXT(i ? ", " : before),
            AS_TEXT(p->parts[i].name), AS_RATIO(p->parts[i].share_ratio), AS_COUNT(!i && is_of_busy),
            AS_COUNT(has_launches ? p->parts[i].launches : 0),
            AS_COUNT(!has_launches && p->parts[i].rows > 1 ? p->parts[i].rows : 0));
    }
}

/* Where rows are not all of the time, shares are of the rows. */
static const char *say_rows(sentence *s, const roof_reconciled *e)
{
    const roof_profile *p = e->profile;
    const double seconds = seconds_of(e);
    if (p->basis != ROOF_PROFILE_TIMES || experiment_overlapped_busy_s(e) > 0 ||
        !(fabs(seconds - p->total) > OTHER_TIME * seconds))
        return "; ";
    if (e->total.sum_of_layers_s > (1 + OTHER_TIME) * p->total) {
        SAY(s, "; {} of it are listed ({.1%} %)", AS_SECONDS(p->total), AS_RATIO(p->total / seconds));
        return p->n_rows == 1 && p->n_parts == 1 ? ", " : ", of that ";
    }
    SAY(s, "; its rows take {}[?, and {} are outside of them]: ", AS_SECONDS(p->total),
        AS_SECONDS(seconds > p->total ? seconds - p->total : (double)NAN));
    return "";
}

static void say_largest(sentence *s, const roof_reconciled *e)
{
    const roof_profile *p = e->profile;
    bool is_told = p->largest == ROOF_NONE || p->n_rows <= 1; /* or a listed part is it, and nothing else */
    for (uint32_t i = 0; !p->is_by_kind && i < p->n_parts && i < TOLD; i++)
        is_told = is_told || (p->parts[i].rows == 1 && strcmp(p->parts[i].name, p->largest_name) == 0);
    if (!is_told)
        SAY(s, "; the largest row is {<60}, {.0%} %", AS_TEXT(p->largest_name), AS_RATIO(p->largest_ratio));
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
    SAY(s, "[?; {.2} instructions a cycle of {} cycle{|s}][?; {} cycle{|s}]",
        AS("", ipc > 0 ? ipc : (double)NAN), AS_COUNT(c.cycles), AS_COUNT(ipc > 0 ? 0 : c.cycles));
    if (misses >= 0)
        SAY(s, "; {.1%} % of {} cache references miss", AS_RATIO(misses), AS_COUNT(c.references));
    else if (c.misses >= 0)
        SAY(s, "; {} cache misses", AS_COUNT(c.misses));
    SAY(s, "[?; {.1%} % of branches mispredicted]", AS_RATIO(branches));
}

/* "; of that the accelerator 80 ms, the host 12 ms": a call that waits for the device is not the host's. */
static void say_phases(sentence *s, const roof_reconciled *e)
{
    static const char *const whose[ROOF_PHASE_KINDS] = {[ROOF_PHASE_ACCELERATOR] = "the accelerator",
                                                        [ROOF_PHASE_TRANSFER] = "copies",
                                                        [ROOF_PHASE_HOST] = "the host"};
    const phase_sums sums = e->bypass && e->bypass->n_phases ? phases_sum(e->bypass) : (phase_sums){0};
    bool is_first = true;
    for (int k = ROOF_PHASE_ACCELERATOR; k < ROOF_PHASE_KINDS && !sums.exceed_total; k++) {
        if (!(sums.of_s[k] > 0))
            continue;
        SAY(s, is_first ? "; of that {} {}" : ", {} {}", AS_TEXT(whose[k]), AS_SECONDS(sums.of_s[k]));
        is_first = false;
    }
}

/* The longest component of a pipeline: with all at work on inferences of their own it sets the rate. */
static void say_largest_phase(sentence *s, const roof_reconciled *e)
{
    enum { FEWEST = 4 };
    const roof_phase *largest = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; e->bypass && i < e->bypass->n_phases; i++) {
        const roof_phase *phase = &e->bypass->phases[i];
        if (phase->parent || !(phase->seconds > 0))
            continue;
        n++;
        largest = largest && largest->seconds >= phase->seconds ? largest : phase;
    }
    if (n < FEWEST || !(e->total.bypass_s > 0) || phases_sum(e->bypass).exceed_total)
        return;
    SAY(s, "; the largest phase is {<60}, {} ({.0%} %): overlapped, at most {.1} inferences/s",
        AS_TEXT(largest->name), AS_SECONDS(largest->seconds), AS_RATIO(largest->seconds / e->total.bypass_s),
        AS("", 1 / largest->seconds));
}

/* --- several ------------------------------------------------------------------------------------------ */

/* Runs of one model, such as one of each device, or several models. */
static void say_several(sentence *s, const roof_reconciliation *r)
{
    enum { FEW = 4 };
    const roof_reconciled *longest = &r->experiments[0];
    double least_s = NAN;
    bool are_per_layer = true;
    FOR_EACH(const roof_reconciled, e, r->experiments, r->n_experiments) {
        const double seconds = seconds_of(e);
        least_s = fmin(least_s, seconds);
        longest = seconds <= seconds_of(longest) ? longest : e;
        are_per_layer = are_per_layer && !e->is_recording && !e->profile->is_estimated &&
                        !(e->total.bypass_s > 0) && e->total.per_layer_s > 0;
    }
    const double most_s = seconds_of(longest);
    bool are_devices = r->n_models == 1 && r->n_experiments <= FEW; /* each of its own name */
    for (uint32_t i = 0; i < r->n_experiments && are_devices; i++)
        for (uint32_t k = 0; k <= i && are_devices; k++)
            are_devices = r->experiments[i].device &&
                          (k == i || strcmp(r->experiments[i].device, r->experiments[k].device) != 0);
    if (are_devices) {
        SAY(s, "{<200} on {} device{|s}", AS_TEXT(r->experiments[0].model), AS_COUNT(r->n_experiments));
    } else if (r->n_models == 1) {
        say_source(s, r, &r->experiments[0]);
        SAY(s, ": {} run{|s}", AS_COUNT(r->n_experiments));
    } else {
        SAY(s, "{} model{|s}[? on {<60}]", AS_COUNT(r->n_models), AS_TEXT(hardware_of(r)));
    }
    if (are_devices || (r->n_models > 1 && r->n_experiments <= FEW))
        for (uint32_t i = 0; i < r->n_experiments; i++)
            SAY(s, i ? ", {<100} {}" : ": {<100} {}",
                AS_TEXT(are_devices ? r->experiments[i].device : r->experiments[i].model),
                AS_SECONDS(seconds_of(&r->experiments[i])));
    else if (most_s > 0)
        SAY(s, " of {} to {}", AS_SECONDS(least_s), AS_SECONDS(most_s));
    if (are_per_layer && most_s > 0)
        say(s, " in per-layer runs, timing included");
    if (longest->profile->n_parts) {
        say_parts(s, longest, "; in the longest run: ");
        say_largest(s, longest);
    }
    say(s, ".");
}

void profile_say(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *e = &r->experiments[i];
    if (r->n_experiments != 1) {
        say_several(s, r);
        return;
    }
    say_source(s, r, e);
    say(s, ": ");
    say_amount(s, e);
    say_phases(s, e);
    say_largest_phase(s, e);
    if (e->profile->n_parts) {
        say_parts(s, e, say_rows(s, e));
        say_largest(s, e);
    }
    say_counts(s, e);
    const bool is_known = !isnan(e->profile->cov_ratio), has_tail = e->profile->tail_ratio > STEADY_TAIL;
    if (is_known || has_tail)
        SAY(s, "; {} ([?CoV {.1%} %][?, ][?P99 {.1} times the median])",
            AS_TEXT(e->profile->cov_ratio <= STEADY_COV && !has_tail ? "steady" : "not steady"),
            AS_RATIO(e->profile->cov_ratio), AS_COUNT(is_known && has_tail),
            AS("", has_tail ? e->profile->tail_ratio : (double)NAN));
    say(s, ".");
}

/* Least use of its peak at which a unit is the bottleneck. */
#define LEAST_BINDING 0.6

/* --- the bottleneck ----------------------------------------------------------------------------------- */

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

/* "octoFlash is the bottleneck in what is listed: 346.5 MB/s in core phases, 87 % of its rate; ..." */
static void say_epochs(sentence *s, const roof_epochs *epochs)
{
    const roof_measured_epoch *t = &epochs->total;
    const roof_flow *nearest = NULL;
    for (uint32_t k = 0; k < t->n_pools; k++)
        nearest = t->nearest == t->pools[k].name ? &t->pools[k] : nearest;
    if (nearest && nearest->use_ratio >= LEAST_BINDING)
        SAY(s, "{<40} is the bottleneck{}: {} in core phases, {.0%} % of its rate", AS_TEXT(nearest->name),
            AS_TEXT(epochs->is_part ? " in what is listed" : ""), AS("B/s", nearest->peak_bytes_per_s),
            AS_RATIO(nearest->use_ratio));
    if (s->length && t->core_compute_ratio > 0)
        SAY(s, "; computing takes {.0%} %", AS_RATIO(t->core_compute_ratio));
    if (t->busiest_stream != ROOF_NONE && t->busiest_stream_ratio >= LEAST_BINDING)
        SAY(s,
            s->length ? "; stream engine {} {.0%} %"
                      : "Stream engine {} is active for {.0%} % of core phases",
            AS_COUNT(t->busiest_stream), AS_RATIO(t->busiest_stream_ratio));
    say(s, s->length ? "." : "");
}

void profile_say_bound(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    static const char *const words[ROOF_BUSY_BOUNDS] = {
        NULL, "memory-bound", "compute-bound", "latency-bound, since nothing is busy for 60 % or more"};
    const roof_reconciled *e = &r->experiments[i];
    if (r->n_experiments == 1 && profile_is_alone(r) && e->epochs && !e->busy) {
        say_epochs(s, e->epochs);
        return;
    }
    if (r->n_experiments > 1 || !profile_is_alone(r) || !e->busy || e->profile->largest == ROOF_NONE)
        return;
    const roof_busy_ratios busy = roof_match_busy(e, &e->matches[e->profile->largest]);
    const bool by_memory = busy.bound == ROOF_BUSY_MEMORY;
    const uint32_t first = busiest(e->busy, &busy, by_memory), second = busiest(e->busy, &busy, !by_memory);
    if (busy.bound == ROOF_BUSY_UNKNOWN || first == ROOF_NONE || second == ROOF_NONE)
        return;
    SAY(s, "{<70} is {}: {<20} {.1%} %, {<20} {.1%} %.", AS_TEXT(e->profile->largest_name),
        AS_TEXT(words[busy.bound]), AS_TEXT(e->busy->names[first]), AS_RATIO(busy.ratios[first]),
        AS_TEXT(e->busy->names[second]), AS_RATIO(busy.ratios[second]));
}

void profile_say_rates(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    static const struct {
        const char *name, *words;
    } rates[] = {{"l2_hits", "L2 hit rate"}, {"occupancy", "occupancy"}};
    const roof_reconciled *e = &r->experiments[i];
    if (r->n_experiments > 1 || !profile_is_alone(r) || e->profile->largest == ROOF_NONE)
        return;
    const roof_match *u = &e->matches[e->profile->largest];
    const roof_layer_counters *c = u->n_rows == 1 ? match_row(e, u, 0)->counters : NULL;
    double waits;
    const char *reason = c ? row_most_waited(c, &waits) : NULL;
    const char *before = ": ";
    for (size_t k = 0; c && k < N_OF(rates); k++) {
        const double rate = row_rate(c, rates[k].name);
        if (isnan(rate))
            continue;
        if (*before == ':')
            SAY(s, "{<70}", AS_TEXT(e->profile->largest_name));
        SAY(s, "{}{} {.1%} %", AS_TEXT(before), AS_TEXT(rates[k].words), AS_RATIO(rate));
        before = ", ";
    }
    if (*before == ':')
        return;
    SAY(s, "[?; its warps wait most for {<30} ({.0%} % of waits)].", AS_TEXT(reason),
        AS_RATIO(reason ? waits : 0));
}

/* --- what to do --------------------------------------------------------------------------------------- */

/* The rule of the profiler that saves most of the recording: its gain is of the time of its row. */
static const roof_tool_rule *best_rule(const roof_reconciled *e)
{
    const roof_tool_rule *best = NULL;
    double most_s = 0;
    for (uint32_t k = 0; e->layer_run && k < e->layer_run->n_tool_rules; k++)
        for (uint32_t i = 0; i < e->n_matches; i++) {
            const roof_tool_rule *rule = &e->layer_run->tool_rules[k];
            const bool is_its = e->matches[i].n_rows == 1 && strcmp(e->matches[i].name, rule->row) == 0;
            if (!is_its || !(rule->gain_ratio * e->matches[i].measured_s > most_s))
                continue;
            most_s = rule->gain_ratio * e->matches[i].measured_s;
            best = rule;
        }
    return best;
}

void profile_say_next(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_profile *p = r->experiments[i].profile;
    const roof_tool_rule *rule = profile_is_alone(r) ? best_rule(&r->experiments[i]) : NULL;
    if (rule) {
        SAY(s, "{<40} estimates up to {.0%} % of that kernel's time for its rule {<60}: {<300}.",
            AS_TEXT(p->tool ? p->tool : "The profiler"), AS_RATIO(rule->gain_ratio), AS_TEXT(rule->rule),
            AS_TEXT(rule->text));
        return;
    }
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
                     : "No bound: add --model FILE.";
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
