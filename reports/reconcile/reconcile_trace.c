/* A timeline for ui.perfetto.dev and chrome://tracing: of every experiment the ideal, and each measured run with what its time
 * is made of. docs/formats.md says which rows there are. */
#include "reports/reconcile/reconcile_view.h"
#include "reports/renderer.h"
#include "reports/trace_layers.h"
#include "roofline/words.h"

#include <math.h>

/* The rows of a measured process, in the order in which they are shown. */
enum { LAYERS = TRACEOUT_LAYERS, IDEAL, OVERHEAD, HOST, GAP, NO_IDEAL, INFERENCE, PARTS, PHASES, ROWS_END };

static const char *const row_names[ROWS_END] = {
    [LAYERS] = "layers",       [IDEAL] = "ideal",     [OVERHEAD] = "overhead",
    [HOST] = "host",           [GAP] = "gap",         [NO_IDEAL] = "no ideal",
    [INFERENCE] = "inference", [PARTS] = "its parts", [PHASES] = "its phases"};

/* A run, and what of its experiment is about it. */
typedef struct timeline {
    traceout *trace;
    const roof_reconciled *e;
    const roof_attribution *whole, *phases;
    bool has_units, shown[ROWS_END];
    bool all_rates; /* a curve cannot show that a value is not known, so it is there with all of them */
    name_prefixes prefix;
    double units_s, longest_s;
} timeline;

/* --- what a unit's time is made of -------------------------------------------------------------------- */

/* Repeated rows are in no sum, and so on no line of time. */
static bool takes_time(const roof_unit *u)
{
    return traceout_can_show(u->measured_s) && !roof_unit_is_repeated(u);
}

typedef struct share {
    uint32_t row;
    double seconds;
} share;

enum { MOST_SHARES = 4 };

/* They sum up to the measured time. Without an ideal, what is left once the overhead is off cannot be called a gap. */
static uint32_t shares_of(const roof_unit *u, share shares[MOST_SHARES])
{
    double overhead_s = isnan(u->overhead_s) ? 0 : u->overhead_s, host_s = isnan(u->host_s) ? 0 : u->host_s;
    uint32_t n = 0;
    if (!isnan(u->ideal_s))
        shares[n++] = (share){IDEAL, u->ideal_s};
    shares[n++] = (share){OVERHEAD, overhead_s};
    shares[n++] = (share){HOST, host_s};
    if (isnan(u->ideal_s))
        shares[n++] = (share){NO_IDEAL, u->measured_s - overhead_s - host_s};
    else
        shares[n++] = (share){GAP, u->gap_s};
    return n;
}

/* --- before anything is written: how long it is, and which rows there are ----------------------------- */

static double positive_sum(const roof_attribution *a)
{
    double sum = fmax(a->unattributed_s, 0);
    for (uint32_t i = 0; i < a->n_parts; i++)
        sum += fmax(a->parts[i].seconds, 0);
    return sum;
}

static void survey_units(timeline *x)
{
    x->all_rates = true;
    for (uint32_t i = 0; i < x->e->n_units; i++) {
        const roof_unit *u = &x->e->units[i];
        share shares[MOST_SHARES];
        if (!takes_time(u))
            continue;
        x->units_s += u->measured_s;
        x->all_rates = x->all_rates && (!(u->measured_s > 0) || !isnan(roof_unit_ops(x->e, u)));
        for (uint32_t k = 0, n = shares_of(u, shares); k < n; k++)
            x->shown[shares[k].row] = x->shown[shares[k].row] || shares[k].seconds != 0;
    }
}

static void survey(timeline *x)
{
    if (x->has_units)
        survey_units(x);
    x->shown[LAYERS] = true;
    x->shown[INFERENCE] = x->shown[PARTS] = x->whole->of != NULL;
    x->shown[PHASES] = x->phases && x->phases->of != NULL;
    x->longest_s = x->units_s;
    if (x->shown[PARTS])
        x->longest_s = fmax(x->longest_s, fmax(x->whole->total_s, positive_sum(x->whole)));
    if (x->shown[PHASES])
        x->longest_s = fmax(x->longest_s, positive_sum(x->phases));
}

static void put_title(const timeline *x, const char *how)
{
    const char *const pieces[] = {"measured: ", x->e->model, how};
    traceout_process(x->trace, x->longest_s, pieces, sizeof pieces / sizeof *pieces);
    for (uint32_t row = 0; row < ROWS_END; row++)
        if (x->shown[row])
            traceout_row(x->trace, row, row_names[row]);
}

/* --- units -------------------------------------------------------------------------------------------- */

static void put_unit_args(const timeline *x, const roof_unit *u)
{
    const roof_reconciled *e = x->e;
    const char *bound = unit_bound(e, u);
    jsonout *j = &x->trace->json;
    char notes[200];
    view_notes(u, notes, sizeof notes);
    bool one = u->n_layers && !u->is_unlisted;
    jsonout_count(j, "index", one ? e->prediction->layers[e->layer_order[u->layer]].index : ROOF_UNKNOWN);
    jsonout_count(j, "layers", u->n_layers);
    traceout_whole_name(x->trace, x->prefix, u->name);
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
    jsonout_string(j, "match", roof_match_text((roof_match)u->match));
    put_row_names(j, "rows", e, u);
    jsonout_string(j, "notes", *notes ? notes : NULL);
}

/* What is on no line of time is there as well. */
static void put_aside(const timeline *x, const roof_unit *u, double at_s)
{
    const traceout_event event = {
        .row = LAYERS, .name = name_without(x->prefix, u->name), .from_s = at_s, .to_s = NAN};
    traceout_open(x->trace, &event);
    jsonout_string(&x->trace->json, "why",
                   roof_unit_is_repeated(u)
                       ? "its layer has another row already, or it is a whole subgraph: it is in no sum"
                       : roof_verdict_meaning(ROOF_VERDICT_NOT_MEASURED));
    put_unit_args(x, u);
    traceout_close(x->trace);
}

/* A gap below zero, of what was faster than its bound, has no length. */
static void put_negative(const timeline *x, const roof_unit *u, const share *s, double at_s)
{
    const traceout_event event = {
        .row = s->row, .name = name_without(x->prefix, u->name), .from_s = at_s, .to_s = NAN};
    traceout_open(x->trace, &event);
    traceout_us(x->trace, "us", s->seconds);
    jsonout_string(&x->trace->json, "why", roof_verdict_meaning(ROOF_VERDICT_IMPOSSIBLE));
    traceout_close(x->trace);
}

/* One behind the other, and no further than the unit: what is faster than its bound has no room for all of its ideal. */
static void put_shares(const timeline *x, const roof_unit *u, double at_s)
{
    share shares[MOST_SHARES];
    double end_s = at_s + u->measured_s, from_s = at_s;
    for (uint32_t i = 0, n = shares_of(u, shares); i < n; i++) {
        double to_s = fmin(from_s + shares[i].seconds, end_s);
        if (shares[i].seconds < 0)
            put_negative(x, u, &shares[i], at_s);
        if (!(shares[i].seconds > 0))
            continue;
        const traceout_event event = {.row = shares[i].row,
                                      .name = name_without(x->prefix, u->name),
                                      .from_s = from_s,
                                      .to_s = to_s,
                                      .next_s = traceout_chained(end_s, x->units_s)};
        traceout_open(x->trace, &event);
        traceout_us(x->trace, "us", shares[i].seconds);
        jsonout_derived(&x->trace->json, "share_ratio", shares[i].seconds / u->measured_s);
        traceout_close(x->trace);
        from_s = to_s;
    }
}

static void put_unit(const timeline *x, const roof_unit *u, double at_s)
{
    double end_s = at_s + u->measured_s;
    traceout_open_layer(x->trace, name_without(x->prefix, u->name), at_s, end_s, x->units_s);
    put_unit_args(x, u);
    traceout_close(x->trace);
    put_shares(x, u, at_s);
    if (x->all_rates && u->measured_s > 0)
        traceout_counter(x->trace, traceout_rate, "measured", at_s,
                         traceout_gops(roof_unit_ops(x->e, u), u->measured_s));
}

static void put_units(const timeline *x)
{
    double at_s = 0;
    for (uint32_t i = 0; i < x->e->n_units; i++) {
        const roof_unit *u = &x->e->units[i];
        if (takes_time(u)) {
            put_unit(x, u, at_s);
            at_s += u->measured_s;
        } else {
            put_aside(x, u, at_s);
        }
    }
    if (x->all_rates && x->units_s > 0)
        traceout_counter(x->trace, traceout_rate, "measured", at_s, 0);
}

/* --- the whole inference ------------------------------------------------------------------------------ */

static void put_part(const timeline *x, uint32_t row, const roof_part *part, double from_s, double total_s)
{
    double to_s = from_s + part->seconds;
    const traceout_event event = {.row = row,
                                  .name = part->name,
                                  .from_s = from_s,
                                  .to_s = to_s,
                                  .next_s = traceout_chained(to_s, total_s)};
    traceout_open(x->trace, &event);
    traceout_us(x->trace, "us", part->seconds);
    jsonout_derived(&x->trace->json, "share_ratio", part->share_ratio);
    jsonout_string(&x->trace->json, "meaning", roof_part_meaning(part->id));
    traceout_close(x->trace);
}

/* Parts below zero have no length: the others together are longer than the whole then, and can be seen to be. */
static void put_parts(const timeline *x, uint32_t row, const roof_attribution *a)
{
    const bool of_phases = row == PHASES;
    const roof_part rest = {.id = of_phases ? ROOF_PART_IN_NO_PHASE : ROOF_PART_UNATTRIBUTED,
                            .name = of_phases ? "in no phase" : "unattributed",
                            .seconds = a->unattributed_s,
                            .share_ratio = a->unattributed_s / a->total_s};
    double at_s = 0, total_s = positive_sum(a);
    for (uint32_t i = 0; i <= a->n_parts; i++) {
        const roof_part *part = i < a->n_parts ? &a->parts[i] : &rest;
        if (part->seconds == 0)
            continue;
        put_part(x, row, part, at_s, total_s);
        at_s += fmax(part->seconds, 0);
    }
}

static void put_inference(const timeline *x)
{
    const roof_attribution *a = x->whole;
    const traceout_event event = {.row = INFERENCE, .name = a->of, .to_s = a->total_s, .next_s = INFINITY};
    traceout_open(x->trace, &event);
    traceout_us(x->trace, "measured_us", a->total_s);
    traceout_us(x->trace, "attributed_us", a->attributed_s);
    traceout_us(x->trace, "unattributed_us", a->unattributed_s);
    traceout_close(x->trace);
    put_parts(x, PARTS, a);
}

/* --- experiments -------------------------------------------------------------------------------------- */

static void put_run(timeline *x, const char *how)
{
    survey(x);
    put_title(x, how);
    if (x->has_units)
        put_units(x);
    if (x->shown[INFERENCE])
        put_inference(x);
    if (x->shown[PHASES])
        put_parts(x, PHASES, x->phases);
}

/* The ideal first, and below it the run whose layers can be compared with it. */
static void put_experiment(traceout *trace, const roof_reconciled *e)
{
    const roof_run *run = e->layer_run ? e->layer_run : e->per_layer;
    const roof_run *phases = e->bypass && e->bypass->n_phases ? e->bypass : e->per_layer;
    const struct {
        const roof_run *run;
        const roof_attribution *whole;
        const char *how;
    } runs[] = {{e->per_layer, &e->layer_by_layer, ", layer by layer"},
                {e->bypass, &e->deployed, ", as deployed"}};
    if (e->prediction)
        traceout_put_ideal(trace, e->prediction, run, e->model, e->hardware);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        timeline x = {.trace = trace, .e = e, .whole = runs[i].whole};
        x.has_units = runs[i].run && runs[i].run == e->layer_run;
        x.phases = runs[i].run && runs[i].run == phases ? &e->wall : NULL;
        if (e->prediction)
            x.prefix = name_prefix_of(e->prediction);
        if (runs[i].run && (x.has_units || x.whole->of || (x.phases && x.phases->of)))
            put_run(&x, runs[i].how);
    }
}

roof_status reconcile_trace(const roof_reconciliation *r, const roof_render_options *options, textbuf *out,
                            roof_error *err)
{
    char text[ROOF_SENTENCE_SIZE];
    traceout trace;
    (void)options;
    traceout_begin(&trace, out);
    for (uint32_t i = 0; i < r->n_experiments; i++)
        put_experiment(&trace, &r->experiments[i]);
    traceout_verdict(&trace);
    for (uint32_t i = 0; roof_sentence(r, ROOF_SENTENCE_VERDICT, i, text); i++)
        jsonout_string(&trace.json, NULL, text);
    traceout_end(&trace);
    return text_status(out, err);
}
