#include "reports/tables/reconcile/reconcile_lines.h"
#include "core/quantity.h"
#include "measure/profile/phases.h"
#include "measure/units/unit_facts.h"
#include "reports/tables/reconcile/busy_tables.h"
#include "reports/words/cause_words.h"
#include "roofline/words.h"

#include <math.h>
#include <string.h>

#define N(table) (sizeof(table) / sizeof *(table))

/* --- a deadline ----------------------------------------------------------------------------------------- */

/* In percent, as if times were normally distributed; NaN where mean and deviation are not known. */
static double estimate(const roof_times *t, double deadline_s)
{
    return t->std_s > 0 ? 50 * erfc((t->mean_s - deadline_s) / t->std_s / sqrt(2)) : NAN;
}

/* "about 95 % or more (P95), about 99 % or fewer (P99) meet it"; NULL where no quantile tells. */
static const char *by_quantiles(const roof_times *t, double deadline_s, roof_arena *arena)
{
    static const int percents[] = {50, 95, 99};
    const double seconds[] = {t->median_s, t->p95_s, t->p99_s};
    int meets = 0, misses = 0;
    const char *text = "", *more = "";
    if (t->max_s <= deadline_s)
        return say_printf(arena, "all meet it: the slowest takes %s", say_quantity(arena, t->max_s, "s"));
    if (t->min_s > deadline_s)
        return say_printf(arena, "none meets it: the fastest takes %s", say_quantity(arena, t->min_s, "s"));
    for (int i = 0; i < 3; i++) {
        meets = seconds[i] <= deadline_s ? percents[i] : meets;
        misses = seconds[i] > deadline_s && !misses ? percents[i] : misses;
    }
    if (meets)
        text = say_more(arena, text, "about %d %% or more (P%d)", meets, meets);
    if (misses)
        text = say_more(arena, text, "about %d %% or fewer (P%d)", misses, misses);
    if (!isnan(estimate(t, deadline_s)))
        more =
            say_printf(arena, "; about %.0f %% by mean and deviation, an estimate", estimate(t, deadline_s));
    return *text ? say_printf(arena, "%s meet it, a bound by percentiles%s", text, more) : NULL;
}

static const char *by_samples(const roof_times *t, double deadline_s, roof_arena *arena)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < t->count; i++)
        n += t->samples_s[i] <= deadline_s;
    return arena_printf(arena, "%llu of %llu samples meet it; the slowest takes %s", (unsigned long long)n,
                        (unsigned long long)t->count, say_quantity(arena, t->max_s, "s"));
}

static const char *by_mean(const roof_times *t, double deadline_s, roof_arena *arena)
{
    double typical_s = times_typical(t), percent = estimate(t, deadline_s);
    if (!isnan(percent))
        return say_printf(arena,
                          "about %.1f %% meet it: an estimate by mean and deviation, as if times were "
                          "normally distributed",
                          percent);
    return say_printf(arena, "the mean of %s %s it; how many inferences do is not known",
                      say_quantity(arena, typical_s, "s"), typical_s <= deadline_s ? "meets" : "misses");
}

void reconcile_view_deadline(const roof_reconciliation *r, double deadline_s, remarks *lines)
{
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        const roof_run *run = e->bypass ? e->bypass : e->per_layer;
        const roof_times *t = run ? &run->total : NULL;
        if (!t || isnan(times_typical(t)))
            continue;
        const char *text = t->samples_s ? by_samples(t, deadline_s, lines->arena)
                                        : by_quantiles(t, deadline_s, lines->arena);
        if (!text)
            text = by_mean(t, deadline_s, lines->arena);
        remarks_add(lines, "deadline", "%s for %s%s: %s", say_quantity(lines->arena, deadline_s, "s"),
                    e->model, run == e->bypass ? "" : " in the per-layer run", text);
    }
}

/* --- what is absent ------------------------------------------------------------------------------------ */

void reconcile_view_absent(const roof_reconciled *e, name_prefixes prefix, bool all, remarks *lines)
{
    enum { FIRST = 6 };
    const roof_unit *u = e->n_units ? &e->units[e->n_units - 1] : NULL;
    uint32_t n = u && u->is_unlisted ? u->n_layers : 0, shown = all || n <= FIRST ? n : FIRST;
    const char *list = "", *rest = "";
    for (uint32_t i = 0; i < shown; i++)
        list = say_more(lines->arena, list, "%s", prediction_name_without(prefix, unit_layer(e, u, i)->name));
    if (shown < n)
        rest = say_printf(lines->arena, " and %u more", n - shown);
    if (n)
        remarks_add(lines, "absent", "%s%s: only their sum is known", list, rest);
}

/* --- an experiment ------------------------------------------------------------------------------------- */

/* "accelerator 80.6 %, transfers 3.8 %, host 13.1 %, not known 2.5 %: what its layers take decides"; what
 * binds comes first. */
static void add_bound(const roof_reconciled *e, remarks *lines)
{
    static const struct {
        const char *words, *advice;
    } kinds[ROOF_PHASE_KINDS] = {
        [ROOF_PHASE_UNDECLARED] = {"not known", "whose time the rest is would decide"},
        [ROOF_PHASE_ACCELERATOR] = {"accelerator", "what its layers take decides"},
        [ROOF_PHASE_TRANSFER] = {"transfers",
                                 "share buffers, move less, or move it while the accelerator runs"},
        [ROOF_PHASE_HOST] = {"host", "look at its processing and launches; faster layers help little"}};
    const roof_run *run = phased_run(e);
    const roof_phase_kind bound = run ? phases_bound(run) : ROOF_PHASE_UNDECLARED;
    const roof_phase_kind order[] = {bound ? bound : ROOF_PHASE_ACCELERATOR, ROOF_PHASE_ACCELERATOR,
                                     ROOF_PHASE_TRANSFER, ROOF_PHASE_HOST, ROOF_PHASE_UNDECLARED};
    const char *list = "";
    if (!run || !e->wall.of)
        return;
    phase_sums sums = phases_sum(run);
    double *of_s = sums.of_s, known_s = NAN;
    for (int kind = ROOF_PHASE_ACCELERATOR; kind < ROOF_PHASE_KINDS; kind++)
        known_s = add_if_known(known_s, of_s[kind]);
    if (isnan(known_s))
        return;
    of_s[ROOF_PHASE_UNDECLARED] = fmax(0, e->wall.total_s - known_s);
    for (size_t i = 0; i < N(order); i++) {
        double share = of_s[order[i]] / e->wall.total_s;
        of_s[order[i]] = NAN; /* told */
        if (!isnan(share))
            list = say_more(lines->arena, list, "%s %s", kinds[order[i]].words,
                            say_percent(lines->arena, share));
    }
    remarks_add(lines, "bound by", "%s: %s", list, kinds[bound].advice);
}

/* "conv 41 % (3), conv+dw 30 % (7) and 2 more kinds" */
static void add_kinds(const roof_reconciled *e, const char *label, remarks *lines)
{
    enum { MOST = 8 };
    const char *list = "", *rest = "";
    if (e->n_types == 1 && strcmp(e->types[0].type, "(not known)") == 0)
        return;
    for (uint32_t i = 0; i < e->n_types && i < MOST; i++)
        list = say_more(lines->arena, list, "%s %s (%u)", e->types[i].type,
                        say_percent(lines->arena, e->types[i].time_share_ratio), e->types[i].layers);
    if (e->n_types > MOST)
        rest = say_printf(lines->arena, " and %u more kinds", e->n_types - MOST);
    remarks_add(lines, label, "%s%s", list, rest);
}

void reconcile_view_lines(const roof_reconciliation *r, const roof_reconciled *e, line_scope scope,
                          remarks *lines)
{
    const bool is_brief = scope != LINES_ALL;
    reconcile_view_run_lines(r, e, scope == LINES_BRIEF, lines);
    busy_add_line(e, lines);
    /* "host 13.1 % (2.100 ms), in no phase 6.3 % (1.000 ms) of 16.000 ms" */
    roof_arena *arena = lines->arena;
    const char *list = "";
    double rest_s = fabs(e->wall.unattributed_s) < 0.5e-6 ? 0 : e->wall.unattributed_s; /* no "-0.000" */
    for (uint32_t i = 0; e->wall.of && i < e->wall.n_parts; i++)
        list = say_more(arena, list, "%s %s (%.3f ms)", e->wall.parts[i].name,
                        say_percent(arena, e->wall.parts[i].share_ratio), 1e3 * e->wall.parts[i].seconds);
    if (e->wall.of)
        remarks_add(lines, "phases", "%s%sin no phase %s (%.3f ms) of %.3f ms", list, *list ? ", " : "",
                    say_percent(arena, quotient_of(rest_s, e->wall.total_s)), 1e3 * rest_s,
                    1e3 * e->wall.total_s);
    add_bound(e, lines);
    /* where most of the time is in layers that it does not list, the kinds of the others say little */
    bool is_mostly_absent = e->n_types && strcmp(e->types[0].type, "(absent)") == 0;
    if (scope != LINES_BRIEF || !is_mostly_absent)
        add_kinds(e, scope == LINES_OF_MARKDOWN ? "by kind of layer" : "by kind", lines);
    if (e->total.bytes_compared && !is_brief)
        remarks_add(
            lines, "DDR", "%u of %u units move as many bytes as predicted, to the printed digit (%llu B)",
            e->total.bytes_agree, e->total.bytes_compared, (unsigned long long)e->total.bytes_resolution);
    if (e->total.static_bytes_compared && !is_brief)
        remarks_add(
            lines, "static bytes",
            "%u of %u units have as many as predicted, to the printed digit (%llu B); the tool computed "
            "them from the compiled model, so that they confirm no traffic",
            e->total.static_bytes_agree, e->total.static_bytes_compared,
            (unsigned long long)e->total.bytes_resolution);
    uint32_t i = (uint32_t)(e - r->experiments);
    char text[ROOF_SENTENCE_SIZE];
    if (scope != LINES_BRIEF &&
        (is_brief || r->n_experiments > 1) && /* of a single model it is in the statistics */
        roof_sentence(r, ROOF_SENTENCE_SPLIT, i, text))
        remarks_add(lines, "split", "%s", text);
    if (!isnan(e->boundary_cost_s) && !is_brief)
        remarks_add(lines, "correction", "%.4f ms taken off per boundary: %s", 1e3 * e->boundary_cost_s,
                    roof_sentence(r, ROOF_SENTENCE_BOUNDARY, i, text));
}

/* --- causes ------------------------------------------------------------------------------------------- */

static const char *name_of_unit(const void *of, uint32_t unit)
{
    const roof_reconciled *e = of;
    return prediction_name_without(prediction_name_prefix(e->prediction), e->units[unit].name);
}

void reconcile_view_causes(const roof_reconciliation *r, uint32_t most, remarks *lines)
{
    cause_source *sources = NEW_ARRAY(lines->arena, cause_source, r->n_experiments);
    for (uint32_t i = 0; sources && i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        sources[i] =
            (cause_source){e->causes,
                           e->n_causes,
                           r->n_experiments > 1 ? reconcile_name_on_hardware(r, e, lines->arena) : "",
                           {name_of_unit, e}};
    }
    if (sources)
        cause_lines_add(sources, r->n_experiments, most, lines);
}
