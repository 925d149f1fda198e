/* The sentences on top of every report, and the one beside each fit. Every claim carries its interval or its count. */
#include "core/error.h"
#include "core/quantity.h"
#include "measure/reconciler.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SENTENCES = 12, SENTENCE_SIZE = 900 };

/* A sentence in the making; what does not fit is cut, which no sentence comes near. */
typedef struct sentence {
    char text[SENTENCE_SIZE];
    size_t length;
} sentence;

static void say(sentence *s, const char *format, ...) ROOF_PRINTF(2, 3);

static void say(sentence *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(s->text + s->length, sizeof s->text - s->length, format, args);
    va_end(args);
    if (n > 0)
        s->length += (size_t)n < sizeof s->text - s->length ? (size_t)n : sizeof s->text - s->length - 1;
}

static roof_status keep(reconciler *r, const sentence *s)
{
    roof_reconciliation *out = r->out;
    if (!s->length || out->n_verdict == MOST_SENTENCES)
        return ROOF_OK;
    out->verdict[out->n_verdict] = arena_strdup(r->arena, s->text);
    return out->verdict[out->n_verdict++] ? ROOF_OK : error_memory(r->err);
}

static const char *models(uint32_t n)
{
    return n == 1 ? "model" : "models";
}

/* "+3.9, -7.3 and +1.4 %", of up to six models; errors have a sign and a decimal. */
static bool say_ratios(sentence *s, const roof_reconciliation *out, size_t offset, bool errors)
{
    uint32_t n = 0, told = 0;
    for (uint32_t i = 0; i < out->n_experiments; i++)
        n += isnan(*(const double *)((const char *)&out->experiments[i] + offset)) ? 0 : 1;
    if (!n || n > 6)
        return false;
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        char text[40];
        double value = *(const double *)((const char *)&out->experiments[i] + offset);
        if (isnan(value))
            continue;
        snprintf(text, sizeof text, errors ? "%+.1f" : "%.0f", 100 * value);
        told++;
        say(s, "%s%s", told == 1 ? "" : told == n ? " and " : ", ", text);
    }
    say(s, " %%");
    return true;
}

static bool say_errors(sentence *s, const roof_reconciliation *out, size_t offset)
{
    return say_ratios(s, out, offset, true);
}

#define TOTAL(field) offsetof(roof_reconciled, total.field)

/* --- the head ----------------------------------------------------------------------------------------- */

static roof_status tell_head(reconciler *r)
{
    const roof_reconciliation *out = r->out;
    sentence s = {.length = 0};
    const char *hardware = NULL;
    uint32_t bypass = 0, layered = 0;
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        const roof_reconciled *e = &out->experiments[i];
        hardware = hardware ? hardware : e->hardware;
        bypass += e->bypass != NULL;
        layered += e->per_layer != NULL;
    }
    say(&s, "%u %s%s%s", out->n_models, models(out->n_models), hardware && out->one_hardware ? " on " : "",
        hardware && out->one_hardware ? hardware : "");
    if (bypass)
        say(&s, ", %u bypass run%s", bypass, bypass == 1 ? "" : "s");
    if (layered)
        say(&s, ", %u layer by layer", layered);
    const roof_reconciled *e = &out->experiments[0];
    if (out->n_models == 1 && e->total.efficiency_ratio > 0) {
        char measured[40], ideal[40];
        quantity_format(measured, sizeof measured, e->bypass ? e->total.bypass_s : e->total.sum_of_layers_s,
                        "s");
        quantity_format(ideal, sizeof ideal, e->bypass ? e->total.ideal_s : e->total.ideal_per_layer_s, "s");
        const char *of = e->prediction ? e->prediction->estimate_of : NULL;
        say(&s, "; %s takes %s, its ideal is %s%s%s: %.0f %%", e->model, measured, ideal,
            of ? ", an estimate of " : "", of ? of : "", 100 * e->total.efficiency_ratio);
    }
    if (out->n_experiments > 1) {
        sentence longer = {.length = 0};
        if (say_ratios(&longer, out, TOTAL(inflation_ratio), false))
            say(&s, "; timed layer by layer an inference takes %s longer", longer.text);
    }
    say(&s, ".");
    return keep(r, &s);
}

/* --- doubts ------------------------------------------------------------------------------------------- */

/* What makes all comparisons false comes before everything. */
static roof_status tell_doubts(reconciler *r)
{
    const roof_reconciliation *out = r->out;
    const roof_reconciled *first = NULL;
    sentence s = {.length = 0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        const roof_reconciled *e = &out->experiments[i];
        n += e->not_compared != NULL;
        first = first ? first : e->not_compared ? e : NULL;
    }
    if (!first)
        return ROOF_OK;
    say(&s, "%.60s: %s%s", first->model, first->not_compared, first->has_doubtful_times ? "." : "");
    say(&s, " Nothing is compared%s.", first->has_doubtful_times ? "" : " with its ideal");
    if (n > 1)
        say(&s, " %u of %u models are in doubt.", n, out->n_experiments);
    return keep(r, &s);
}

/* --- the impossible ----------------------------------------------------------------------------------- */

static uint32_t impossible_units(const roof_reconciled *e)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->n_units; i++)
        n += e->units[i].verdict == ROOF_VERDICT_IMPOSSIBLE;
    return n;
}

/* Nothing below holds when a bound does not: this comes before all else. */
static roof_status tell_impossible(reconciler *r)
{
    const roof_reconciliation *out = r->out;
    sentence s = {.length = 0};
    uint32_t units = 0, totals = 0;
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        units += impossible_units(&out->experiments[i]);
        totals += has_bound(&out->experiments[i]) &&
                  out->experiments[i].total.bypass_s < out->experiments[i].total.floor_s;
    }
    if (!units && !totals)
        return ROOF_OK;
    say(&s, "IMPOSSIBLE: ");
    if (units)
        say(&s, "%u layer%s faster than the bound", units, units == 1 ? " is" : "s are");
    if (totals)
        say(&s, "%s%u bypass time%s below what perfect overlap could reach", units ? ", and " : "", totals,
            totals == 1 ? " is" : "s are");
    say(&s, ". Look for another clock, another hardware entry, a counter that covers less than the layer, in "
            "this order; "
            "what follows rests on a bound that does not hold.");
    return keep(r, &s);
}

/* --- fits --------------------------------------------------------------------------------------------- */

static const char *includes_zero(const roof_estimate *e)
{
    return e->ci95_low <= 0 && e->ci95_high >= 0 ? "includes zero" : "excludes zero";
}

/* "3 models leave 1 degree of freedom"; a model that ran twice is two points. */
static void say_freedom(sentence *s, const roof_reconciliation *out, const roof_overhead_fit *f,
                        const roof_line *line)
{
    uint32_t n = 0;
    for (size_t i = 0; i < f->fit.n; i++)
        n += out->experiments[f->experiments[i]].first == f->experiments[i];
    if (n < f->fit.n)
        say(s, "%zu points of ", f->fit.n);
    say(s, "%u %s leave %u degree%s of freedom", n, models(n), line->dof, line->dof == 1 ? "" : "s");
}

static void say_overhead(sentence *s, const roof_overhead_fit *f, const roof_reconciliation *out)
{
    const roof_line *line = &f->fit.lines[ROOF_LINE_FREE], *origin = &f->fit.lines[ROOF_LINE_ORIGIN];
    time_unit u = time_unit_of(line->slope.value);
    say(s, "Timing every layer costs %.3f %s per boundary (± %.3f standard error); ",
        u.factor * line->slope.value, u.unit, u.factor * line->slope.se);
    say_freedom(s, out, f, line);
    say(s, ", so the 95 %% interval is [%.2f, %.2f] %s, which %s. ", u.factor * line->slope.ci95_low,
        u.factor * line->slope.ci95_high, u.unit, includes_zero(&line->slope));
    say(s, "Through the origin: %.3f ± %.3f %s, [%.3f, %.3f].", u.factor * origin->slope.value,
        u.factor * origin->slope.se, u.unit, u.factor * origin->slope.ci95_low,
        u.factor * origin->slope.ci95_high);
    if (f->fit.chosen == ROOF_LINE_ORIGIN)
        say(s,
            " The data cannot tell the intercept (%.2f ± %.2f %s) from zero, so the simpler line is "
            "preferred.",
            u.factor * line->intercept.value, u.factor * line->intercept.se, u.unit);
}

static void say_host(sentence *s, const roof_overhead_fit *f, const roof_reconciliation *out)
{
    const roof_line *line = &f->fit.lines[f->fit.chosen];
    time_unit u = time_unit_of(line->intercept.value), small = time_unit_of(line->slope.value);
    const roof_reconciled *worst = NULL;
    double most = 0;
    say(s, "%s adds %.2f ± %.2f %s to every inference, [%.2f, %.2f], and %.1f ± %.1f %s per boundary.",
        "The host", u.factor * line->intercept.value, u.factor * line->intercept.se, u.unit,
        u.factor * line->intercept.ci95_low, u.factor * line->intercept.ci95_high,
        small.factor * line->slope.value, small.factor * line->slope.se, small.unit);
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        const roof_reconciled *e = &out->experiments[i];
        double share = quotient_of(e->total.host_s, e->total.bypass_s);
        if (share > most) {
            worst = e;
            most = share;
        }
    }
    if (worst)
        say(s, " %.0f %% of the bypass time of %s is not the accelerator.", 100 * most, worst->model);
}

static void say_boundary(sentence *s, const roof_overhead_fit *f, const roof_reconciliation *out)
{
    const roof_line *line = &f->fit.lines[f->fit.chosen];
    time_unit u = time_unit_of(line->slope.value);
    sentence sum = {.length = 0}, total = {.length = 0};
    say(s,
        "Inside the layers a boundary costs %.3f ± %.3f %s, so bypass = sum of layers - %.3f %s x boundaries "
        "%s %.2f %s",
        u.factor * line->slope.value, u.factor * line->slope.se, u.unit, u.factor * line->slope.value, u.unit,
        line->intercept.value < 0 ? "+" : "-", fabs(u.factor * line->intercept.value), u.unit);
    say(s, ": ");
    if (say_errors(s, out, TOTAL(corrected_error_ratio))) {
        say(s, " off the measured bypass times");
        sentence left = {.length = 0};
        if (say_errors(&left, out, TOTAL(left_out_error_ratio)))
            say(s, " (%s when each model is left out of its own fit)", left.text);
    }
    say(s, ".");
    if (!say_errors(&sum, out, TOTAL(rule_error_ratio)))
        return;
    say(s,
        " The common rule subtracts %.2g ms per boundary from \"the total profiled time\", which there means "
        "the sum of layers: %s off.",
        1e3 * out->rule_cost_s, sum.text);
    if (say_errors(&total, out, TOTAL(rule_total_error_ratio)))
        say(s, " Read as the per-layer total it is %s off.", total.text);
}

/* How far the totals scatter by themselves: what more runs would shrink. */
static double run_noise(const roof_reconciliation *out, const roof_overhead_fit *f)
{
    double sum = 0;
    for (size_t i = 0; i < f->fit.n; i++) {
        const roof_reconciled *e = &out->experiments[f->experiments[i]];
        double a = e->per_layer ? times_mean_error(&e->per_layer->total) : NAN;
        double b = e->bypass ? times_mean_error(&e->bypass->total) : NAN;
        double both = (isnan(a) ? 0 : a * a) + (isnan(b) ? 0 : b * b);
        if (isnan(a) && isnan(b))
            return NAN;
        sum += both / (double)f->fit.n;
    }
    return f->fit.n ? sqrt(sum) : NAN;
}

/* One more model, far from the others, against more runs of the same ones. */
static void say_advice(sentence *s, const roof_reconciliation *out, const roof_overhead_fit *f)
{
    const roof_line *line = &f->fit.lines[ROOF_LINE_FREE];
    double noise = run_noise(out, f), half = line->slope.ci95_high - line->slope.value;
    double x = 10 * ceil(f->fit.x_max * 2 / 10),
           with = roof_fit_slope_half_width_with(&f->fit, ROOF_LINE_FREE, x);
    time_unit u = time_unit_of(half);
    if (isnan(with) || isnan(half))
        return;
    say(s, "one more model of about %.0f boundaries would shrink the interval from ± %.3f to ± %.3f %s", x,
        u.factor * half, u.factor * with, u.unit);
    if (isnan(noise))
        return;
    if (line->residual_std > 2 * noise) {
        say(s,
            "; more runs of the same models would not: they scatter about the line by %.2f %s, their means "
            "by %.2f %s",
            u.factor * line->residual_std, u.unit, u.factor * noise, u.unit);
        return;
    }
    say(s,
        "; 4 times as many runs of the same models would halve their scatter of %.2f %s, which is most of "
        "what is left",
        u.factor * noise, u.unit);
}

static roof_status tell_fit(reconciler *r, int which)
{
    roof_reconciliation *out = r->out;
    roof_overhead_fit *f = &out->fits[which];
    sentence s = {.length = 0}, advice = {.length = 0};
    if (!f->fit.lines[f->fit.chosen].known) {
        say(&s, "no line: it takes 3 models with different numbers of boundaries, and there %s %zu",
            f->fit.distinct_x == 1 ? "is" : "are", f->fit.distinct_x);
        f->sentence = arena_strdup(r->arena, s.text);
        f->advice =
            all_by_epochs(out)
                ? "profile more networks on this board and reconcile them together with "
                  "--calibration-out FILE: that fits what starting an epoch costs, and software epochs"
                : "measure both modes of at least three models with different numbers of boundaries";
        return f->sentence ? ROOF_OK : error_memory(r->err);
    }
    if (which == ROOF_FIT_OVERHEAD)
        say_overhead(&s, f, out);
    else if (which == ROOF_FIT_HOST)
        say_host(&s, f, out);
    else
        say_boundary(&s, f, out);
    say_advice(&advice, out, f);
    f->sentence = arena_strdup(r->arena, s.text);
    f->advice = arena_strdup(r->arena, advice.text);
    return f->sentence && f->advice ? keep(r, &s) : error_memory(r->err);
}

/* --- without a fit ------------------------------------------------------------------------------------ */

static roof_status tell_modes(reconciler *r, const roof_reconciled *e)
{
    sentence s = {.length = 0};
    double layered = roof_layered_seconds(e);
    char bypass[40], other[40], cost[40];
    if (isnan(e->total.inflation_ratio))
        return ROOF_OK;
    quantity_format(bypass, sizeof bypass, e->total.bypass_s, "s");
    quantity_format(other, sizeof other, layered, "s");
    say(&s, "%s takes %s deployed and %s layer by layer, %+.0f %%", e->model, bypass, other,
        100 * e->total.inflation_ratio);
    if (!isnan(e->boundary_cost_s) && e->boundaries != ROOF_NONE) {
        quantity_format(cost, sizeof cost, e->boundary_cost_s, "s");
        say(&s,
            ": on average %s for each of %u boundaries, which one model cannot split into a cost and a "
            "constant",
            cost, e->boundaries);
    }
    say(&s, ".");
    return keep(r, &s);
}

/* --- physics ------------------------------------------------------------------------------------------ */

/* "6.256 ms between the modes: at most 4.82 ms launches, the rest 11.94 MB of extra traffic". */
static roof_status tell_split(reconciler *r, roof_reconciled *e)
{
    sentence s = {.length = 0};
    double all = e->total.traffic_s[1], least = e->total.traffic_s[0], bytes = e->total.extra_bytes;
    char total[40], launch[40], from[40], to[40], traffic[40], fast[40], slow[40];
    if (isnan(e->total.launch_s[1]))
        return ROOF_OK;
    quantity_format(total, sizeof total, all, "s");
    quantity_format(launch, sizeof launch, e->total.launch_s[1], "s");
    quantity_format(from, sizeof from, least, "s");
    quantity_format(to, sizeof to, all, "s");
    quantity_format(traffic, sizeof traffic, bytes, "B");
    quantity_format(fast, sizeof fast, bytes / least, "B/s");
    quantity_format(slow, sizeof slow, bytes / all, "B/s");
    say(&s,
        "Of the %s that %u boundaries cost %s, 0 to %s are launches, and %s to %s are lost overlap and the "
        "%s that un-fused "
        "layers move more (%s), at %s down to %s: one equation with two unknowns, so a range.",
        total, e->boundaries, e->model, launch, from, to, traffic,
        e->total.extra_is_measured ? "measured" : "by prediction", fast, slow);
    e->split = arena_strdup(r->arena, s.text);
    if (!e->split)
        return error_memory(r->err);
    return r->out->n_models == 1 && e == r->out->experiments ? keep(r, &s) : ROOF_OK;
}

/* "Outside the NPU's core phases the host takes 520.5 us, 32.5 % of the time: 310.1 us of 1 SW epoch, ...". */
static roof_status tell_phases(reconciler *r, const roof_reconciled *e)
{
    sentence s = {.length = 0};
    const roof_epochs *epochs = e->epochs;
    double outside_s = 0;
    double total_s = isnan(e->total.per_layer_s) ? e->total.sum_of_layers_s : e->total.per_layer_s;
    char text[40];
    for (uint32_t i = 0; epochs && i < epochs->n_types; i++)
        outside_s += epochs->types[i].outside_core_s;
    if (!epochs || epochs->is_part || !(outside_s > 0) || !(outside_s <= total_s))
        return ROOF_OK;
    quantity_format(text, sizeof text, outside_s, "s");
    say(&s, "Outside the NPU's core phases the host takes %s, %.1f %% of the time", text,
        100 * outside_s / total_s);
    for (uint32_t i = 0; i < epochs->n_types; i++) {
        const roof_epoch_type *t = &epochs->types[i];
        quantity_format(text, sizeof text, t->outside_core_s, "s");
        bool is_known = strcmp(t->type, "?") != 0;
        say(&s, "%s %s for %u %.20s%sepoch%s%s", i ? "," : ":", text, t->n, is_known ? t->type : "",
            is_known ? " " : "", t->n == 1 ? "" : "s", is_known ? "" : " of a kind that is not known");
    }
    say(&s, ".");
    return keep(r, &s);
}

/* Where phases were counted, they say what is fixed and what is not better than the least room of all. */
static roof_status tell_ceiling(reconciler *r, bool any_fit)
{
    roof_reconciliation *out = r->out;
    sentence s = {.length = 0};
    char room[40];
    if (isnan(out->ceiling.seconds))
        return ROOF_OK;
    const roof_reconciled *e = &out->experiments[out->ceiling.experiment];
    quantity_format(room, sizeof room, out->ceiling.seconds, "s");
    say(&s,
        "No fixed cost inside a layer can exceed %s: that is all the room that '%.80s' of %.60s leaves "
        "between its %s and "
        "its ideal.",
        room, e->units[out->ceiling.unit].name, e->model,
        out->ceiling.is_mean ? "mean (the fastest sample is not known)" : "fastest sample");
    out->ceiling.sentence = arena_strdup(r->arena, s.text);
    if (!out->ceiling.sentence)
        return error_memory(r->err);
    return any_fit || e->epochs ? ROOF_OK : keep(r, &s);
}

/* --- all of it ---------------------------------------------------------------------------------------- */

roof_status reconciler_tell(reconciler *r)
{
    roof_reconciliation *out = r->out;
    bool any_fit = false;
    out->verdict = NEW_ARRAY(r->arena, const char *, MOST_SENTENCES);
    if (!out->verdict)
        return error_memory(r->err);
    TRY(tell_doubts(r));
    TRY(tell_impossible(r));
    TRY(tell_head(r));
    for (int i = 0; i < ROOF_FITS; i++) {
        TRY(tell_fit(r, i));
        any_fit = any_fit || out->fits[i].fit.lines[out->fits[i].fit.chosen].known;
    }
    if (!any_fit && out->n_models == 1)
        TRY(tell_modes(r, &out->experiments[0]));
    if (out->n_models == 1)
        TRY(tell_phases(r, &out->experiments[0]));
    TRY(tell_ceiling(r, any_fit));
    for (uint32_t i = 0; i < out->n_experiments; i++)
        TRY(tell_split(r, &out->experiments[i]));
    return ROOF_OK;
}
