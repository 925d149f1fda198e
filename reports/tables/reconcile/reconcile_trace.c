/* A timeline for ui.perfetto.dev and chrome://tracing: of every experiment the ideal, and each measured run
 * with what its time is made of. docs/formats/timelines.md says which rows there are. */
#include "reports/tables/reconcile/reconcile_tables.h"
#include "measure/matches/match_facts.h"
#include "reports/renderers/renderer.h"
#include "reports/timeline/trace_layers.h"
#include "roofline/words.h"

/* The rows of a measured process, in the order in which they are shown. */
enum { LAYERS = TRACEOUT_LAYERS, IDEAL, OVERHEAD, HOST, GAP, NO_IDEAL, INFERENCE, PARTS, PHASES, ROWS_END };

static const char *const row_names[ROWS_END] = {
    [IDEAL] = "ideal",       [OVERHEAD] = "overhead",   [HOST] = "host",       [GAP] = "gap",
    [NO_IDEAL] = "no ideal", [INFERENCE] = "inference", [PARTS] = "its parts", [PHASES] = "its phases"};

/* A run, and what of its experiment is about it. */
typedef struct timeline {
    traceout *trace;
    const roof_reconciled *e;
    const roof_attribution *whole, *phases;
    bool has_matches, shown[ROWS_END];
    bool by_share; /* the profile has no times: all of it is a second long */
} timeline;

/* --- what a match's time is made of -------------------------------------------------------------------- */

static double drawn_s(const timeline *x, const roof_match *u)
{
    return x->by_share ? match_stated_share(x->e, u) : u->measured_s;
}

/* Repeated rows are in no sum, and so on no line of time. */
static bool takes_time(const timeline *x, const roof_match *u)
{
    return traceout_can_show(drawn_s(x, u)) && !roof_match_is_repeated(u);
}

/* Seconds of the rows from IDEAL to NO_IDEAL, which sum up to the measured time. Without an ideal, what is
 * left once the overhead is off cannot be called a gap. */
static void shares_of(const roof_match *u, double shares[ROWS_END])
{
    bool has_ideal = !isnan(u->ideal_s);
    shares[IDEAL] = has_ideal ? u->ideal_s : 0;
    shares[OVERHEAD] = isnan(u->overhead_s) ? 0 : u->overhead_s;
    shares[HOST] = isnan(u->host_s) ? 0 : u->host_s;
    shares[GAP] = has_ideal ? u->gap_s : 0;
    shares[NO_IDEAL] = has_ideal ? 0 : u->measured_s - shares[OVERHEAD] - shares[HOST];
}

/* --- before anything is written: how long it is, and which rows there are ----------------------------- */

static double positive_sum(const roof_attribution *a)
{
    double sum = fmax(a->unattributed_s, 0);
    for (uint32_t i = 0; i < a->n_parts; i++)
        sum += fmax(a->parts[i].seconds, 0);
    return sum;
}

/* Returns how long its longest row is. */
static double survey(timeline *x)
{
    for (uint32_t i = 0; i < x->e->n_matches && x->has_matches; i++) {
        const roof_match *u = &x->e->matches[i];
        double shares[ROWS_END];
        if (!takes_time(x, u))
            continue;
        traceout_count(x->trace, u->measured_s > 0 ? roof_match_ops(x->e, u) : 0, drawn_s(x, u));
        if (x->by_share)
            continue;
        shares_of(u, shares);
        for (uint32_t row = IDEAL; row <= NO_IDEAL; row++)
            x->shown[row] = x->shown[row] || shares[row] != 0;
    }
    double longest_s = x->trace->total_s;
    x->shown[INFERENCE] = x->shown[PARTS] = x->whole->of != NULL;
    x->shown[PHASES] = x->phases && x->phases->of != NULL;
    if (x->shown[PARTS])
        longest_s = fmax(longest_s, fmax(x->whole->total_s, positive_sum(x->whole)));
    return x->shown[PHASES] ? fmax(longest_s, positive_sum(x->phases)) : longest_s;
}

/* --- matches -------------------------------------------------------------------------------------------- */

static void put_match_args(const timeline *x, const roof_match *u)
{
    const roof_reconciled *e = x->e;
    const char *bound = match_bound(e, u);
    jsonout *j = &x->trace->json;
    char notes[200];
    match_notes(e, u, notes, sizeof notes);
    bool one = u->n_layers && !u->is_unlisted;
    jsonout_count(j, "index", one ? e->prediction->layers[e->layer_order[u->layer]].index : ROOF_UNKNOWN);
    jsonout_count(j, "layers", u->n_layers);
    traceout_whole_name(x->trace, u->name);
    jsonout_string(j, "type", u->type);
    traceout_us(x->trace, "measured_us", u->measured_s);
    traceout_us(x->trace, "corrected_us", u->corrected_s);
    traceout_us(x->trace, "overhead_us", u->overhead_s);
    traceout_us(x->trace, "ideal_us", u->ideal_s);
    traceout_us(x->trace, "gap_us", u->gap_s);
    traceout_us(x->trace, "host_us", u->host_s);
    jsonout_derived(j, "cov_ratio", u->cov_ratio);
    jsonout_string(j, "verdict", roof_verdict_text((roof_verdict)u->verdict));
    jsonout_string(j, "bound", *bound ? bound : NULL);
    jsonout_string(j, "match", roof_match_method_text((roof_match_method)u->method));
    reconcile_put_row_names(j, "rows", e, u);
    jsonout_string(j, "notes", *notes ? notes : NULL);
}

/* One behind the other, and no further than the match: what is faster than its bound has no room for all of
 * its ideal, and a gap below zero has no length. */
static void put_shares(const timeline *x, const roof_match *u)
{
    double shares[ROWS_END], from_s = x->trace->at_s, end_s = from_s + u->measured_s;
    shares_of(u, shares);
    for (uint32_t row = IDEAL; row <= NO_IDEAL; row++) {
        double seconds = shares[row], to_s = fmin(from_s + seconds, end_s);
        if (seconds < 0)
            traceout_open(x->trace, row, u->name, x->trace->at_s, NAN, NAN);
        else if (seconds > 0)
            traceout_open(x->trace, row, u->name, from_s, to_s, end_s);
        else
            continue;
        traceout_us(x->trace, "us", seconds);
        if (seconds < 0)
            jsonout_string(&x->trace->json, "why", roof_verdict_meaning(ROOF_VERDICT_IMPOSSIBLE));
        else
            jsonout_derived(&x->trace->json, "share_ratio", seconds / u->measured_s);
        traceout_close(x->trace);
        from_s = seconds > 0 ? to_s : from_s;
    }
}

static void put_matches(timeline *x)
{
    FOR_EACH(const roof_match, u, x->e->matches, x->e->n_matches) {
        double end_s = x->trace->at_s + drawn_s(x, u);
        if (!takes_time(x, u)) {
            /* Rows that are on no line of time are there as well. */
            traceout_open(x->trace, LAYERS, u->name, x->trace->at_s, NAN, NAN);
            jsonout_string(
                &x->trace->json, "why",
                roof_match_is_repeated(u)
                    ? "its layer has another row already, or it is a whole subgraph: it is in no sum"
                    : roof_verdict_meaning(ROOF_VERDICT_NOT_MEASURED));
            put_match_args(x, u);
            traceout_close(x->trace);
            continue;
        }
        traceout_open(x->trace, LAYERS, u->name, x->trace->at_s, end_s, end_s);
        put_match_args(x, u);
        if (x->by_share)
            jsonout_derived(&x->trace->json, "share_ratio", match_stated_share(x->e, u));
        traceout_close(x->trace);
        if (!x->by_share)
            put_shares(x, u);
        traceout_next(x->trace, roof_match_ops(x->e, u), drawn_s(x, u));
    }
    traceout_stop(x->trace);
}

/* --- the whole inference ------------------------------------------------------------------------------ */

/* Parts below zero have no length: the others are longer than the whole then, which can be seen. */
static void put_parts(const timeline *x, uint32_t row, const roof_attribution *a)
{
    const bool of_phases = row == PHASES;
    const roof_part rest = {.id = of_phases ? ROOF_PART_IN_NO_PHASE : ROOF_PART_UNATTRIBUTED,
                            .name = of_phases ? "in no phase" : "unattributed",
                            .seconds = a->unattributed_s,
                            .share_ratio = a->unattributed_s / a->total_s};
    double at_s = 0;
    x->trace->total_s = positive_sum(a);
    for (uint32_t i = 0; i <= a->n_parts; i++) {
        const roof_part *part = i < a->n_parts ? &a->parts[i] : &rest;
        double to_s = at_s + part->seconds;
        if (part->seconds == 0)
            continue;
        traceout_open(x->trace, row, part->name, at_s, to_s, to_s);
        traceout_us(x->trace, "us", part->seconds);
        jsonout_derived(&x->trace->json, "share_ratio", part->share_ratio);
        jsonout_string(&x->trace->json, "meaning", roof_part_meaning(part->id));
        traceout_close(x->trace);
        at_s += fmax(part->seconds, 0);
    }
}

/* --- experiments -------------------------------------------------------------------------------------- */

/* The ideal first, and below it the run whose layers can be compared with it. */
static void put_experiment(traceout *trace, const roof_reconciled *e)
{
    const roof_run *run = e->layer_run ? e->layer_run : e->per_layer;
    const roof_run *phases = e->bypass && e->bypass->n_phases ? e->bypass : e->per_layer;
    const struct {
        const roof_run *run;
        const roof_attribution *whole;
        const char *how;
    } runs[] = {{e->per_layer, &e->layer_by_layer, ", per-layer run"},
                {e->bypass, &e->deployed, ", as deployed"}};
    if (e->prediction)
        traceout_put_ideal(trace, e->prediction, run, e->model, e->hardware);
    for (size_t i = 0; i < N_OF(runs); i++) {
        timeline x = {.trace = trace, .e = e, .whole = runs[i].whole};
        x.by_share = e->profile && e->profile->basis == ROOF_PROFILE_SHARES;
        x.has_matches = runs[i].run && runs[i].run == e->layer_run;
        x.phases = runs[i].run && runs[i].run == phases ? &e->wall : NULL;
        if (runs[i].run && (x.has_matches || x.whole->of || (x.phases && x.phases->of))) {
            traceout_chain(x.trace, "measured", x.e->prediction);
            traceout_process(x.trace, survey(&x), x.e->model, NULL,
                             x.by_share ? ", shares of the time: a second is 100 %" : runs[i].how);
            traceout_row(x.trace, LAYERS, "layers");
            for (uint32_t row = IDEAL; row < ROWS_END; row++)
                if (x.shown[row])
                    traceout_row(x.trace, row, row_names[row]);
            if (x.has_matches)
                put_matches(&x);
            x.trace->prefix.length = 0; /* what follows are no layers */
            if (x.shown[INFERENCE]) {
                const roof_attribution *a = x.whole;
                traceout_open(x.trace, INFERENCE, a->of, 0, a->total_s, INFINITY);
                traceout_us(x.trace, "measured_us", a->total_s);
                traceout_us(x.trace, "attributed_us", a->attributed_s);
                traceout_us(x.trace, "unattributed_us", a->unattributed_s);
                traceout_close(x.trace);
                put_parts(&x, PARTS, a);
            }
            if (x.shown[PHASES])
                put_parts(&x, PHASES, x.phases);
        }
    }
}

void reconcile_trace(const rendering *to)
{
    const roof_reconciliation *r = to->reconciliation;
    char text[ROOF_SENTENCE_SIZE];
    traceout trace;
    traceout_begin(&trace, to->out);
    for (uint32_t i = 0; i < r->n_experiments; i++)
        put_experiment(&trace, &r->experiments[i]);
    traceout_verdict(&trace);
    for (uint32_t i = 0; roof_sentence(r, ROOF_SENTENCE_VERDICT, i, text); i++)
        jsonout_string(&trace.json, NULL, text);
    traceout_end(&trace);
}
