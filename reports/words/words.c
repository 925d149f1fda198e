/* roof_sentence: one place that knows which sentence is made of which facts. */
#include "roofline/words.h"
#include "measure/unit_facts.h"
#include "reports/words/fit_words.h"

#include <math.h>
#include <string.h>

/* --- the head ----------------------------------------------------------------------------------------- */

static void say_what(sentence *s, const roof_reconciliation *r)
{
    const char *hardware = NULL;
    uint32_t bypass = 0, layered = 0;
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        hardware = hardware ? hardware : e->hardware;
        bypass += e->bypass != NULL;
        layered += e->per_layer != NULL;
    }
    SAY(s, "{} {model|models}", AS_COUNT(r->n_models));
    if (hardware && r->one_hardware)
        SAY(s, " on {}", AS_TEXT(hardware));
    if (bypass)
        SAY(s, ", {} bypass run{|s}", AS_COUNT(bypass));
    if (layered)
        SAY(s, ", {} layer by layer", AS_COUNT(layered));
}

static void say_head(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *e = &r->experiments[i];
    say_what(s, r);
    if (r->n_models == 1 && e->total.efficiency_ratio > 0) {
        const char *of = e->prediction ? e->prediction->estimate_of : NULL;
        SAY(s, "; {} takes {}, its ideal is {}", AS_TEXT(e->model),
            AS_SECONDS(e->bypass ? e->total.bypass_s : e->total.sum_of_layers_s),
            AS_SECONDS(e->bypass ? e->total.ideal_s : e->total.ideal_per_layer_s));
        if (of)
            SAY(s, ", an estimate of {}", AS_TEXT(of));
        SAY(s, ": {.0%} %", AS_RATIO(e->total.efficiency_ratio));
    }
    if (r->n_experiments > 1)
        say_ratios(s, r, TOTAL(inflation_ratio),
                   &(ratio_words){"; timed layer by layer an inference takes ", "{.0%}", " longer"});
    say(s, ".");
}

/* --- what comes before it ----------------------------------------------------------------------------- */

/* What makes all comparisons false comes before everything. */
static void say_doubts(sentence *s, const roof_reconciliation *r, uint32_t i)
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
    say_remark(s, first->not_compared);
    say(s, first->has_doubtful_times ? ". Nothing is compared." : " Nothing is compared with its ideal.");
    if (n > 1)
        SAY(s, " {} of {} models are in doubt.", AS_COUNT(n), AS_COUNT(r->n_experiments));
}

static uint32_t impossible_units(const roof_reconciled *e)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->n_units; i++)
        n += e->units[i].verdict == ROOF_VERDICT_IMPOSSIBLE;
    return n;
}

/* Nothing below holds when a bound does not: this comes before all else. */
static void say_impossible(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    uint32_t units = 0, totals = 0;
    for (; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        units += impossible_units(e);
        totals += has_bound(e) && e->total.bypass_s < e->total.floor_s;
    }
    if (!units && !totals)
        return;
    say(s, "IMPOSSIBLE: ");
    if (units)
        SAY(s, "{} layer{ is|s are} faster than the bound", AS_COUNT(units));
    if (totals)
        SAY(s,
            units ? ", and {} bypass time{ is|s are} below what perfect overlap could reach"
                  : "{} bypass time{ is|s are} below what perfect overlap could reach",
            AS_COUNT(totals));
    say(s, ". Look for another clock, another hardware entry, a counter that covers less than the layer, in "
           "this order; what follows rests on a bound that does not hold.");
}

/* --- what comes behind it ----------------------------------------------------------------------------- */

static void say_modes(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *e = &r->experiments[i];
    if (isnan(e->total.inflation_ratio))
        return;
    SAY(s, "{} takes {} deployed and {} layer by layer, {+.0%} %", AS_TEXT(e->model),
        AS_SECONDS(e->total.bypass_s), AS_SECONDS(roof_layered_seconds(e)),
        AS_RATIO(e->total.inflation_ratio));
    if (!isnan(e->boundary_cost_s) && e->boundaries != ROOF_NONE)
        SAY(s,
            ": on average {} for each of {} boundaries, which one model cannot split into a cost and a "
            "constant",
            AS_SECONDS(e->boundary_cost_s), AS_COUNT(e->boundaries));
    say(s, ".");
}

/* "Outside the NPU's core phases the host takes 520.5 us, 32.5 % of the time: 310.1 us for 1 SW epoch, ...". */
static void say_phases(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *e = &r->experiments[i];
    const roof_epochs *epochs = e->epochs;
    double outside_s = 0, total_s = roof_layered_seconds(e);
    for (uint32_t t = 0; epochs && t < epochs->n_types; t++)
        outside_s += epochs->types[t].outside_core_s;
    if (!epochs || epochs->is_part || !(outside_s > 0) || !(outside_s <= total_s))
        return;
    SAY(s, "Outside the NPU's core phases the host takes {}, {.1%} % of the time", AS_SECONDS(outside_s),
        AS_RATIO(outside_s / total_s));
    for (uint32_t t = 0; t < epochs->n_types; t++) {
        const roof_epoch_type *type = &epochs->types[t];
        bool is_known = strcmp(type->type, "?") != 0;
        SAY(s, t ? ", {} for {} " : ": {} for {} ", AS_SECONDS(type->outside_core_s), AS_COUNT(type->n));
        if (is_known)
            SAY(s, "{<20} ", AS_TEXT(type->type));
        say(s, type->n == 1 ? "epoch" : "epochs");
        say(s, is_known ? "" : " of a kind that is not known");
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
        AS_SECONDS(r->ceiling.seconds), AS_TEXT(e->units[r->ceiling.unit].name), AS_TEXT(e->model),
        AS_TEXT(r->ceiling.is_mean ? "mean (the fastest sample is not known)" : "fastest sample"));
}

static void say_split(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    const roof_reconciled *e = &r->experiments[i];
    double all = e->total.traffic_s[1], least = e->total.traffic_s[0], bytes = e->total.extra_bytes;
    if (isnan(e->total.launch_s[1]))
        return;
    SAY(s,
        "Of the {} that {} boundaries cost {}, 0 to {} are launches, and {} to {} are lost overlap and the "
        "{} that un-fused layers move more ({}), at {} down to {}: one equation with two unknowns, so a "
        "range.",
        AS_SECONDS(all), AS_COUNT(e->boundaries), AS_TEXT(e->model), AS_SECONDS(e->total.launch_s[1]),
        AS_SECONDS(least), AS_SECONDS(all), AS("B", bytes),
        AS_TEXT(e->total.extra_is_measured ? "measured" : "by prediction"), AS("B/s", bytes / least),
        AS("B/s", bytes / all));
}

/* --- all of it ---------------------------------------------------------------------------------------- */

typedef void (*sayer)(sentence *s, const roof_reconciliation *r, uint32_t i);

/* The i-th of those that have something to say. Where phases were counted, they tell what is fixed better than the least room
 * of all layers. */
static void say_verdict(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    bool is_one = r->n_models == 1, room = !isnan(r->ceiling.seconds), any = false, fits[ROOF_FITS];
    for (uint32_t k = 0; k < ROOF_FITS; k++)
        any |= fits[k] = fit_is_known(r, k);
    const struct {
        bool applies;
        sayer say;
        uint32_t i;
    } parts[] = {{true, say_doubts, 0},
                 {true, say_impossible, 0},
                 {true, say_head, 0},
                 {fits[ROOF_FIT_OVERHEAD], say_fit, ROOF_FIT_OVERHEAD},
                 {fits[ROOF_FIT_HOST], say_fit, ROOF_FIT_HOST},
                 {fits[ROOF_FIT_BOUNDARY], say_fit, ROOF_FIT_BOUNDARY},
                 {is_one && !any, say_modes, 0},
                 {is_one, say_phases, 0},
                 {room && !any && !r->experiments[r->ceiling.experiment].epochs, say_ceiling, 0},
                 {is_one, say_split, 0}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        *s = sentence_in(s->text);
        if (parts[k].applies)
            parts[k].say(s, r, parts[k].i);
        if (s->length && !i--)
            return;
    }
    *s = sentence_in(s->text);
}

static void say_finding(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    say_remark(s, &r->findings[i].remark);
}

static void say_not_compared(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    if (r->experiments[i].not_compared)
        say_remark(s, r->experiments[i].not_compared);
}

static void say_boundary(sentence *s, const roof_reconciliation *r, uint32_t i)
{
    static const char *const words[] = {
        [ROOF_BOUNDARY_UNKNOWN] = "",
        [ROOF_BOUNDARY_FIT] = "the boundary fit over all models",
        [ROOF_BOUNDARY_TOTALS] = "the average of this model: per-layer minus bypass time over boundaries",
        [ROOF_BOUNDARY_SUM] = ("the average of this model: sum of layers minus bypass time over boundaries, "
                               "as if the host added nothing to the bypass time")};
    say(s, words[r->experiments[i].boundary_source]);
}

const char *roof_sentence(const roof_reconciliation *r, roof_sentence_kind kind, uint32_t i, char *buffer)
{
    const struct {
        sayer say;
        uint32_t n;
        bool may_be_empty;
    } kinds[] = {[ROOF_SENTENCE_VERDICT] = {say_verdict, ROOF_NONE, false},
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
    sentence s = sentence_in(buffer);
    kinds[kind].say(&s, r, i);
    return s.length || kinds[kind].may_be_empty ? buffer : NULL;
}
