/* roof_sentence: one place that knows which sentence is made of which facts. */
#include "roofline/words.h"
#include "measure/profile/phases.h"
#include "measure/matches/match_facts.h"
#include "reports/words/say.h"
#include "reports/words/verdict_words.h"

enum { MOST_RATIOS = 6 };

/* The unit that gives a time few digits before the point, and what seconds are multiplied with. */
typedef struct time_unit {
    double factor;
    const char *unit; /* "ms" */
} time_unit;

static time_unit time_unit_of(double largest_s)
{
    double size = fabs(largest_s);
    return size >= 1      ? (time_unit){1, "s"}
           : size >= 1e-4 ? (time_unit){1e3, "ms"}
           : size >= 1e-7 ? (time_unit){1e6, "us"}
                          : (time_unit){1e9, "ns"};
}

#define IN(u, seconds) AS((u).unit, (u).factor *(seconds))

static bool fit_is_known(const roof_reconciliation *r, uint32_t which)
{
    const roof_fit *fit = &r->fits[which].fit;
    return fit->lines[fit->chosen].known;
}

/* --- ratios of all models ----------------------------------------------------------------------------- */

static double ratio_at(const roof_reconciliation *r, uint32_t i, size_t offset)
{
    return *(const double *)((const char *)&r->experiments[i] + offset);
}

static uint32_t ratios_known(const roof_reconciliation *r, size_t offset)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_experiments; i++)
        n += isnan(ratio_at(r, i, offset)) ? 0 : 1;
    return n <= MOST_RATIOS ? n : 0;
}

typedef struct ratio_words {
    const char *before, *each, *after; /* each: how one is shown, "{.0%}" */
} ratio_words;
#define TOTAL(field) offsetof(roof_reconciled, total.field)

/* " (+3.9, -7.3 and +1.4 % off)": a ratio of every experiment that has it, by its place in roof_reconciled.
 * Says nothing, and is false, where none has it, and where they are too many for a sentence. */
static bool say_ratios(sentence *s, const roof_reconciliation *r, size_t offset, const ratio_words *words)
{
    uint32_t n = ratios_known(r, offset), n_listed = 0;
    for (uint32_t i = 0; n && i < r->n_experiments; i++) {
        if (isnan(ratio_at(r, i, offset)))
            continue;
        n_listed++;
        say(s, n_listed == 1 ? words->before : n_listed == n ? " and " : ", ");
        SAY(s, words->each, AS_RATIO(ratio_at(r, i, offset)));
    }
    say(s, n ? " %" : "");
    say(s, n ? words->after : "");
    return n > 0;
}

static bool say_errors(sentence *s, const roof_reconciliation *r, const char *before, size_t offset,
                       const char *after)
{
    return say_ratios(s, r, offset, &(ratio_words){before, "{+.1%}", after});
}

/* --- the fits ----------------------------------------------------------------------------------------- */

static void say_overhead(sentence *s, const roof_reconciliation *r, const roof_overhead_fit *f)
{
    const roof_line *line = &f->fit.lines[ROOF_LINE_FREE], *origin = &f->fit.lines[ROOF_LINE_ORIGIN];
    time_unit u = time_unit_of(line->slope.value);
    bool has_zero = line->slope.ci95_low <= 0 && line->slope.ci95_high >= 0;
    SAY(s, "Timing every layer costs {.3} {u} per boundary (± {.3} standard error); ",
        IN(u, line->slope.value), IN(u, line->slope.se));
    /* "3 models leave 1 degree of freedom"; a model that ran twice is two points. */
    uint32_t n = 0;
    for (size_t i = 0; i < f->fit.n; i++)
        n += r->experiments[f->experiments[i]].first == f->experiments[i];
    SAY(s,
        "[?{} point{|s} of ]{} {model|models} leave {} degree{|s} of freedom, so the 95 % interval is [{.2}, "
        "{.2}] {u}, which {} zero. ",
        AS_COUNT(n < f->fit.n ? f->fit.n : 0), AS_COUNT(n), AS_COUNT(f->fit.lines[ROOF_LINE_FREE].dof),
        IN(u, line->slope.ci95_low), IN(u, line->slope.ci95_high),
        AS_TEXT(has_zero ? "includes" : "excludes"));
    SAY(s, "Through the origin: {.3} ± {.3} {u}, [{.3}, {.3}].", IN(u, origin->slope.value),
        IN(u, origin->slope.se), IN(u, origin->slope.ci95_low), IN(u, origin->slope.ci95_high));
    if (f->fit.chosen == ROOF_LINE_ORIGIN)
        SAY(s,
            " The data cannot tell the intercept ({.2} ± {.2} {u}) from zero, so the simpler line is "
            "preferred.",
            IN(u, line->intercept.value), IN(u, line->intercept.se));
}

static void say_host(sentence *s, const roof_reconciliation *r, const roof_overhead_fit *f)
{
    const roof_line *line = &f->fit.lines[f->fit.chosen];
    time_unit u = time_unit_of(line->intercept.value), small = time_unit_of(line->slope.value);
    const roof_reconciled *worst = NULL;
    double most = 0;
    SAY(s,
        "The host adds {.2} ± {.2} {u} to every inference, [{.2}, {.2}], and {.1} ± {.1} {u} per boundary.",
        IN(u, line->intercept.value), IN(u, line->intercept.se), IN(u, line->intercept.ci95_low),
        IN(u, line->intercept.ci95_high), IN(small, line->slope.value), IN(small, line->slope.se));
    FOR_EACH(const roof_reconciled, e, r->experiments, r->n_experiments) {
        double share = quotient_of(e->total.host_s, e->total.bypass_s);
        worst = share > most ? e : worst;
        most = share > most ? share : most;
    }
    if (worst)
        SAY(s, " {.0%} % of the latency of {} is CPU time.", AS_RATIO(most), AS_TEXT(worst->model));
}

static void say_boundary_fit(sentence *s, const roof_reconciliation *r, const roof_overhead_fit *f)
{
    const roof_line *line = &f->fit.lines[f->fit.chosen];
    time_unit u = time_unit_of(line->slope.value);
    SAY(s, "Inside the layers a boundary costs {.3} ± {.3} {u}, so latency = sum of layers - {.3} {u} x ",
        IN(u, line->slope.value), IN(u, line->slope.se), IN(u, line->slope.value));
    SAY(s, line->intercept.value < 0 ? "boundaries + {.2} {u}: " : "boundaries - {.2} {u}: ",
        IN(u, fabs(line->intercept.value)));
    if (say_errors(s, r, "", TOTAL(corrected_error_ratio), " off the measured latencies"))
        say_errors(s, r, " (", TOTAL(left_out_error_ratio), " when each model is left out of its own fit)");
    say(s, ".");
    if (!ratios_known(r, TOTAL(rule_error_ratio)))
        return;
    SAY(s,
        " The common rule subtracts {2} ms per boundary from \"the total profiled time\", which there means "
        "the sum of layers: ",
        AS("", 1e3 * r->rule_cost_s));
    say_errors(s, r, "", TOTAL(rule_error_ratio), " off.");
    say_errors(s, r, " Read as the per-layer total it is ", TOTAL(rule_total_error_ratio), " off.");
}

static const struct {
    void (*say)(sentence *s, const roof_reconciliation *r, const roof_overhead_fit *f);
    const char *meaning;
} fits[ROOF_FITS] = {
    [ROOF_FIT_OVERHEAD] =
        {say_overhead, "what timing every layer adds to an inference: without boundaries it adds nothing"},
    [ROOF_FIT_HOST] = {say_host, "what an inference takes outside its layers: a constant of the host, and a "
                                 "little per boundary"},
    [ROOF_FIT_BOUNDARY] = {say_boundary_fit,
                           "what a boundary adds inside the layers; the intercept is minus the host's "
                           "constant, which only the latency has"}};

static void say_fit(sentence *s, const roof_reconciliation *r, uint32_t which)
{
    if (fit_is_known(r, which))
        fits[which].say(s, r, &r->fits[which]);
    else
        SAY(s, "no fit: needs 3 models with different layer counts, there {is|are} {}",
            AS_COUNT(r->fits[which].fit.distinct_x));
}

static void say_fit_meaning(sentence *s, const roof_reconciliation *r, uint32_t which)
{
    (void)r;
    say(s, fits[which].meaning);
}

static void say_fit_reason(sentence *s, const roof_reconciliation *r, uint32_t which)
{
    static const char *const reasons[] = {
        [ROOF_FIT_TOO_FEW] = "{} distinct {abscissa|abscissas}, want at least 3 for a line",
        [ROOF_FIT_INTERCEPT_DIFFERS] = "the 95 % interval of the intercept excludes zero",
        [ROOF_FIT_INTERCEPT_BELONGS] =
            "a constant belongs to it, though {} point{|s} cannot tell the intercept from zero",
        [ROOF_FIT_NO_INTERCEPT] =
            "{} point{|s} cannot tell the intercept from zero, and without boundaries no cost is expected"};
    const roof_fit *fit = &r->fits[which].fit;
    SAY(s, reasons[fit->reason], AS_COUNT(fit->reason == ROOF_FIT_TOO_FEW ? fit->distinct_x : fit->n));
}

/* --- what to measure next ----------------------------------------------------------------------------- */

static void say_fit_next(sentence *s, const roof_reconciliation *r, uint32_t which)
{
    const roof_overhead_fit *f = &r->fits[which];
    const roof_line *line = &f->fit.lines[ROOF_LINE_FREE];
    double half = line->slope.ci95_high - line->slope.value;
    time_unit u = time_unit_of(half);
    if (!fit_is_known(r, which)) {
        bool has_one_mode = r->n_experiments; /* of a tool without a second one: no line can be fitted */
        FOR_EACH(const roof_reconciled, e, r->experiments, r->n_experiments)
            has_one_mode = has_one_mode && e->profile && !e->profile->has_two_modes;
        if ((r->by_phases && !r->by_epochs) || has_one_mode)
            return;
        say(s, r->by_epochs
                   ? "profile more networks on this board and reconcile them together with "
                     "--calibration-out FILE: that fits what starting an epoch costs, and software epochs"
                   : "profile 3 models, with and without per-layer timing, to fit the profiling overhead");
        return;
    }
    if (isnan(f->next_half_width) || isnan(half))
        return;
    SAY(s, "one more model of about {.0} boundar{y|ies} would shrink the interval from ± {.3} to ± {.3} {u}",
        AS("", f->next_boundaries), IN(u, half), IN(u, f->next_half_width));
    if (line->residual_std > 2 * f->noise)
        SAY(s,
            "; more runs of the same models would not: they scatter about the line by {.2} {u}, their means "
            "by {.2} {u}",
            IN(u, line->residual_std), IN(u, f->noise));
    else if (!isnan(f->noise))
        SAY(s,
            "; 4 times as many runs of the same models would halve their scatter of {.2} {u}, which is most "
            "of what is left",
            IN(u, f->noise));
}

/* --- statistics ----------------------------------------------------------------------------- */

/* "3 models on KV260, 3 whole-network runs, 3 per-layer runs". */
static void say_inventory(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    uint32_t bypass = 0, layered = 0;
    for (; i < r->n_experiments; i++) {
        bypass += r->experiments[i].bypass != NULL;
        layered += r->experiments[i].per_layer != NULL;
    }
    SAY(s, "{} {model|models}[? on {}][?, {} whole-network run{|s}][?, {} per-layer run{|s}]",
        AS_COUNT(r->n_models), AS_TEXT(hardware_of(r)), AS_COUNT(bypass), AS_COUNT(layered));
    if (r->n_experiments > 1 && !(r->n_models == 1 && phases_explain_sum(r->experiments)))
        say_ratios(s, r, TOTAL(inflation_ratio),
                   &(ratio_words){"; a per-layer run takes ", "{.0%}", " longer"});
    say(s, ".");
}

/* Models that share the device's memory need as much as the largest of them. */
static void say_memory(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *most = NULL;
    uint32_t n = 0;
    for (; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        if (!e->bypass || e->bypass->memory_bytes == ROOF_UNKNOWN)
            continue;
        n++;
        if (!most || e->bypass->memory_bytes > most->bypass->memory_bytes)
            most = e;
    }
    if (n == 1)
        SAY(s, "{} needs {} of memory while it runs, which models may share.", AS_TEXT(most->model),
            AS("B", (double)most->bypass->memory_bytes));
    else if (n)
        SAY(s, "{} model{|s} can share {} of memory, the need of {}.", AS_COUNT(n),
            AS("B", (double)most->bypass->memory_bytes), AS_TEXT(most->model));
}

static void say_modes(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *e = &r->experiments[i];
    if (isnan(e->total.inflation_ratio))
        return;
    if (phases_explain_sum(e)) {
        SAY(s, "{} takes {} as a whole, and its layers {}: the rest is the host's.", AS_TEXT(e->model),
            AS_SECONDS(e->total.bypass_s), AS_SECONDS(e->total.sum_of_layers_s));
        return;
    }
    SAY(s, "{} takes {} as a whole and {} in the per-layer run, {+.0%} %", AS_TEXT(e->model),
        AS_SECONDS(e->total.bypass_s), AS_SECONDS(roof_layered_seconds(e)),
        AS_RATIO(e->total.inflation_ratio));
    if (e->boundary_source >= ROOF_BOUNDARY_CALIBRATION && e->boundaries != ROOF_NONE)
        SAY(s, "; {} boundar{y|ies} of {} each are {} of that", AS_COUNT(e->boundaries),
            AS_SECONDS(e->boundary_cost_s), AS_SECONDS(e->boundary_cost_s * e->boundaries));
    else if (!isnan(e->boundary_cost_s) && e->boundaries != ROOF_NONE)
        SAY(s,
            ": on average {} for each of {} boundar{y|ies}, which one model cannot split into a cost and a "
            "constant",
            AS_SECONDS(e->boundary_cost_s), AS_COUNT(e->boundaries));
    say(s, ".");
}

/* "Outside the NPU's core phases the CPU takes 520.5 us, 32.5 % of the time: 310.1 us for ..." */
static void say_phases(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *e = &r->experiments[i];
    const roof_epochs *epochs = e->epochs;
    double outside_s = 0, total_s = roof_layered_seconds(e);
    for (uint32_t t = 0; epochs && t < epochs->n_types; t++)
        outside_s += epochs->types[t].outside_core_s;
    if (!epochs || epochs->is_part || !(outside_s > 0) || !(outside_s <= total_s))
        return;
    SAY(s, "CPU time outside the NPU core phases: {}, {.1%} % of the time", AS_SECONDS(outside_s),
        AS_RATIO(outside_s / total_s));
    for (uint32_t t = 0; t < epochs->n_types; t++) {
        const roof_epoch_type *type = &epochs->types[t];
        bool is_known = strcmp(type->type, "?") != 0;
        SAY(s, "{}{} for {} [?{<20} ]{}[? of an unknown kind]", AS_TEXT(t ? ", " : ": "),
            AS_SECONDS(type->outside_core_s), AS_COUNT(type->n), AS_TEXT(is_known ? type->type : NULL),
            AS_TEXT(type->n == 1 ? "epoch" : "epochs"), AS_COUNT(!is_known));
    }
    say(s, ".");
}

/* --- physics ------------------------------------------------------------------------------------------ */

static void say_ceiling(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    if (i || isnan(r->ceiling.seconds))
        return;
    const roof_reconciled *e = &r->experiments[r->ceiling.experiment];
    SAY(s,
        "No fixed cost inside a layer can exceed {}: that is all the room that '{<80}' of {<60} leaves "
        "between its {} and its ideal.",
        AS_SECONDS(r->ceiling.seconds), AS_TEXT(e->matches[r->ceiling.unit].name), AS_TEXT(e->model),
        AS_TEXT(r->ceiling.is_mean ? "mean (the fastest sample is unknown)" : "fastest sample"));
}

static void say_split(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *e = &r->experiments[i];
    double all = e->total.traffic_s[1], least = e->total.traffic_s[0], bytes = e->total.extra_bytes;
    if (isnan(e->total.launch_s[1]))
        return;
    if (e->total.is_replayed) {
        double n = e->boundaries, all_s = e->boundary_cost_s * n;
        SAY(s,
            "Of the {} that {} boundar{y|ies} cost {}, {} to {} are overlap that layers lose by running "
            "alone, by replaying their code and the whole's; the rest, {} to {} a boundary, is what starting "
            "them takes.",
            AS_SECONDS(all_s), AS_COUNT(e->boundaries), AS_TEXT(e->model), AS_SECONDS(least), AS_SECONDS(all),
            AS_SECONDS(e->total.launch_s[0] / n), AS_SECONDS(e->total.launch_s[1] / n));
        return;
    }
    SAY(s,
        "Of the {} that {} boundar{y|ies} cost {}, 0 to {} are launch{|es}, and {} to {} are lost overlap "
        "and the {} that un-fused layers move more ({}), at {} down to {}: not separable from these data, so "
        "a range is shown.",
        AS_SECONDS(all), AS_COUNT(e->boundaries), AS_TEXT(e->model), AS_SECONDS(e->total.launch_s[1]),
        AS_SECONDS(least), AS_SECONDS(all), AS("B", bytes),
        AS_TEXT(e->total.extra_is_measured ? "measured" : "by prediction"), AS("B/s", bytes / least),
        AS("B/s", bytes / all));
}

/* --- all of them ---------------------------------------------------------------------------------------- */

/* The i-th of those that have something to say. Where phases were counted, they tell what is fixed better
 * than the least room of all layers. */
static void say_statistics(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    if (!r->n_experiments)
        return; /* nothing but load runs */
    bool is_one = r->n_models == 1, room = !isnan(r->ceiling.seconds), any = false, known[ROOF_FITS];
    for (uint32_t k = 0; k < ROOF_FITS; k++)
        any |= known[k] = fit_is_known(r, k);
    const said_part parts[] = {
        {true, say_inventory, 0, SAID_BELOW},
        {known[ROOF_FIT_OVERHEAD], say_fit, ROOF_FIT_OVERHEAD, SAID_BELOW},
        {known[ROOF_FIT_HOST], say_fit, ROOF_FIT_HOST, SAID_BELOW},
        {known[ROOF_FIT_BOUNDARY], say_fit, ROOF_FIT_BOUNDARY, SAID_BELOW},
        {true, say_memory, 0, SAID_BELOW},
        {is_one && !any, say_modes, 0, SAID_BELOW},
        {is_one, say_phases, 0, SAID_BELOW},
        {room && !any && !r->experiments[r->ceiling.experiment].epochs, say_ceiling, 0, SAID_BELOW},
        {is_one, say_split, 0, SAID_BELOW}};
    verdict_say_one(s, r, parts, N_OF(parts), true, i);
}

static void say_finding(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    sentences_say_remark(s, &r->findings[i].remark);
}

static void say_not_compared(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    if (r->experiments[i].not_compared)
        sentences_say_remark(s, r->experiments[i].not_compared);
}

static void say_boundary(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    static const char *const words[] = {
        [ROOF_BOUNDARY_UNKNOWN] = "",
        [ROOF_BOUNDARY_FIT] = "the boundary fit over all models",
        [ROOF_BOUNDARY_TOTALS] = "average of this model: (per-layer run - latency) / boundaries",
        [ROOF_BOUNDARY_SUM] =
            ("average of this model: (sum of layers - latency) / boundaries, CPU time ignored"),
        [ROOF_BOUNDARY_GIVEN] = "as given by --boundary-cost",
        [ROOF_BOUNDARY_DOCUMENT] = "as the measured document states it",
        [ROOF_BOUNDARY_ENTRY] = ""};
    const roof_reconciled *e = &r->experiments[i];
    if (e->boundary_source == ROOF_BOUNDARY_CALIBRATION)
        SAY(s, "a calibration of {<60} says so, 95 % {} to {}",
            AS_TEXT(r->calibration_of ? r->calibration_of : "?"), AS_SECONDS(e->boundary_ci95_s[0]),
            AS_SECONDS(e->boundary_ci95_s[1]));
    else if (e->boundary_source == ROOF_BOUNDARY_ENTRY)
        SAY(s, "the entry of the hardware states it: {<300}",
            AS_TEXT(e->boundary_entry ? e->boundary_entry : "?"));
    else
        say(s, words[e->boundary_source]);
}

const char *roof_sentence(const roof_reconciliation *r, roof_sentence_kind kind, uint32_t i, char *buffer)
{
    const struct {
        sayer say;
        uint32_t n;
        bool may_be_empty;
    } kinds[] = {[ROOF_SENTENCE_VERDICT] = {verdict_say, ROOF_NONE, false},
                 [ROOF_SENTENCE_BELOW] = {verdict_say_below, ROOF_NONE, false},
                 [ROOF_SENTENCE_STATISTIC] = {say_statistics, ROOF_NONE, false},
                 [ROOF_SENTENCE_FINDING] = {say_finding, r->n_findings, true},
                 [ROOF_SENTENCE_NOT_COMPARED] = {say_not_compared, r->n_experiments, false},
                 [ROOF_SENTENCE_SPLIT] = {say_split, r->n_experiments, false},
                 [ROOF_SENTENCE_BOUNDARY] = {say_boundary, r->n_experiments, false},
                 [ROOF_SENTENCE_FIT] = {say_fit, ROOF_FITS, true},
                 [ROOF_SENTENCE_FIT_REASON] = {say_fit_reason, ROOF_FITS, true},
                 [ROOF_SENTENCE_FIT_MEANING] = {say_fit_meaning, ROOF_FITS, true},
                 [ROOF_SENTENCE_FIT_NEXT] = {say_fit_next, ROOF_FITS, true},
                 [ROOF_SENTENCE_CEILING] = {say_ceiling, 1, false}};
    if ((unsigned)kind >= ROOF_SENTENCE_KINDS || i >= kinds[kind].n)
        return NULL;
    sentence s = say_into(buffer);
    kinds[kind].say(&s, r, i);
    return s.length || kinds[kind].may_be_empty ? buffer : NULL;
}
