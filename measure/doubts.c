/* What would make every comparison false: a profile of another model, times in another unit. Then nothing is compared with
 * the ideal, and the reader is told first. */
#include "core/error.h"
#include "core/quantity.h"
#include "measure/reconciler.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Times that were measured are within some tens of one another. A tiny network may take hundreds of times its ideal, by the
 * host; milliseconds that are written as seconds are 1000 times that bound or more. */
#define UNITS_HIGH 300.0
#define IDEAL_HIGH 900.0
#define UNITS_LOW  0.05

static const char an_ideal[] = "the ideal";

/* --- times in another unit ---------------------------------------------------------------------------- */

/* Two times of which one is not hundreds of times the other. */
typedef struct pair {
    const char *a, *b;
    double a_s, b_s;
    double more_s; /* b may be larger by this: what a board takes for empty runs is in no ideal */
    bool may_be_more, may_be_less; /* a than b, by any factor: a host may be slow, and rows a selection */
} pair;

static double row_sum(const roof_run *run)
{
    double sum = NAN;
    for (uint32_t i = 0; run && i < run->n_layers; i++) {
        double seconds = row_time_s(run, &run->layers[i]);
        if (!isnan(seconds))
            sum = (isnan(sum) ? 0 : sum) + seconds;
    }
    return sum;
}

/* "milliseconds as seconds": the power of a thousand that makes the ratio plausible. */
static const char *slip(double ratio)
{
    static const char *const large[] = {"1 000 times too large, as if milliseconds were seconds",
                                        "1 000 000 times too large, as if microseconds were seconds",
                                        "1 000 000 000 times too large, as if nanoseconds were seconds"};
    static const char *const small[] = {"1 000 times too small", "1 000 000 times too small",
                                        "1 000 000 000 times too small"};
    double power = ratio > 1 ? floor((log10(ratio) + 0.5) / 3) : ceil(-log10(ratio) / 3);
    size_t i = power < 1.5 ? 0 : power < 2.5 ? 1 : 2;
    return ratio > 1 ? large[i] : small[i];
}

static bool is_doubtful(const pair *p)
{
    double ratio = p->a_s / p->b_s, above = p->a_s / (p->b_s + (p->more_s > 0 ? p->more_s : 0));
    if (!isfinite(ratio) || !(ratio > 0))
        return false;
    return (ratio <= UNITS_LOW && !p->may_be_less) ||
           (above >= (p->b == an_ideal ? IDEAL_HIGH : UNITS_HIGH) && !p->may_be_more);
}

static roof_status doubt_pair(reconciler *r, uint32_t i, const pair *p)
{
    roof_reconciled *e = &r->out->experiments[i];
    double ratio = p->a_s / p->b_s, times = ratio > 1 ? ratio : 1 / ratio;
    char a[40], b[40], many[40] = "more than 10^15";
    if (!is_doubtful(p))
        return ROOF_OK;
    quantity_format(a, sizeof a, p->a_s, "s");
    quantity_format(b, sizeof b, p->b_s, "s");
    if (times < 1e15)
        snprintf(many, sizeof many, "%.0f", times);
    const char *text = arena_printf(r->arena, "%s is %s, %s times %s%s of %s: %sprobably written %s", p->a, a,
                                    many, ratio > 1 ? "" : "less than ", p->b, b,
                                    p->b == an_ideal ? "" : "one of them is ", slip(ratio));
    if (!text)
        return error_memory(r->err);
    if (!e->not_compared)
        e->not_compared = text;
    e->has_doubtful_times = true;
    return add_remark(r, ROOF_FINDING_UNITS, i, NULL, "%s", text);
}

/* Whether the rows are those of all layers, so that their sum can be too small. */
static bool lists_all(const roof_run *run, const roof_prediction *p)
{
    return run && (run->boundaries == ROOF_NONE || run->n_layers >= run->boundaries) &&
           (!p || run->n_layers >= p->total.boundaries);
}

roof_status reconciler_doubt_times(reconciler *r, uint32_t i)
{
    roof_reconciled *e = &r->out->experiments[i];
    const roof_prediction *p = e->prediction;
    const roof_run *layers = e->per_layer && e->per_layer->n_layers ? e->per_layer : e->bypass;
    double stated = e->per_layer ? e->per_layer->sum_of_layers_s : NAN, rows = row_sum(layers);
    double sum = isnan(stated) ? rows : stated;
    bool is_part = isnan(stated) && !lists_all(layers, p);
    double total = e->per_layer ? times_typical(&e->per_layer->total) : NAN;
    double launch_s = p ? p->hardware.launch_floor_s : NAN;
    double bypass = e->bypass ? times_typical(&e->bypass->total) : NAN;
    const pair pairs[] = {
        {"the bypass time", an_ideal, bypass, p ? p->total.deployed.ideal_s : NAN, .more_s = launch_s},
        {"the sum of layers", an_ideal, sum, p ? layer_bound(e) : NAN,
         .more_s = launch_s * (layers ? layers->n_layers : 1), .may_be_less = is_part},
        {"the time layer by layer", "the bypass time", total, bypass, .more_s = 0},
        {"the sum of layers", "the bypass time", e->per_layer ? sum : NAN, bypass, .may_be_less = true},
        {"the time layer by layer", "the sum of layers", total, sum, .may_be_more = is_part},
        {"the stated sum of layers", "the sum of the rows", stated, rows, .may_be_more = true}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        TRY(doubt_pair(r, i, &pairs[k]));
    if (e->has_doubtful_times)
        e->prediction = NULL;
    return ROOF_OK;
}

/* --- another model ------------------------------------------------------------------------------------ */

/* Rows that stand for themselves, and those of them that have a layer, in number and time. */
typedef struct tally {
    uint32_t rows, matched;
    double rows_s, matched_s;
    bool by_map; /* somebody who knows says that they belong together */
} tally;

static tally tally_of(const roof_run *run, const row_matching *m)
{
    tally t = {.rows = 0};
    for (uint32_t i = 0; i < m->n_rows; i++) {
        double seconds = row_time_s(run, &run->layers[i]);
        bool matched = m->layer_of_row[i] != ROOF_NONE;
        if (m->repeated[i])
            continue;
        seconds = isnan(seconds) ? 0 : seconds;
        t.rows++;
        t.rows_s += seconds;
        t.matched += matched;
        t.matched_s += matched ? seconds : 0;
        t.by_map = t.by_map || m->how[i] == ROOF_MATCH_MAP;
    }
    return t;
}

roof_status reconciler_doubt_model(reconciler *r, uint32_t i, const row_matching *m)
{
    roof_reconciled *e = &r->out->experiments[i];
    if (!e->prediction || !e->per_layer || e->layer_run != e->per_layer) /* others are whole subgraphs */
        return ROOF_OK;
    tally t = tally_of(e->layer_run, m);
    bool few = 2 * (uint64_t)t.matched < t.rows && 2 * t.matched_s <= t.rows_s;
    if (!few || t.by_map)
        return ROOF_OK;
    e->not_compared =
        arena_printf(r->arena, "%s%u of %u row%s of the profile match%s a layer of the model: another model?",
                     t.matched ? "only " : "", t.matched, t.rows, t.rows == 1 ? "" : "s",
                     t.matched == 1 || t.rows == 1 ? "es" : "");
    e->prediction = NULL;
    if (!e->not_compared)
        return error_memory(r->err);
    return add_remark(r, ROOF_FINDING_OTHER_MODEL, i, NULL, "%s", e->not_compared);
}
