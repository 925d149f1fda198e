/* What a reader must know before using the figures: about single units, about models, about all of them. */
#include "core/error.h"
#include "core/quantity.h"
#include "measure/phases.h"
#include "measure/profile.h"
#include "measure/reconciler.h"
#include "model/calibrated.h"
#include "model/engine.h"
#include "roofline/statistics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A printed rate is explained by a formula when it is this near: times are printed with three digits. */
#define RATE_TOLERANCE 0.003
/* and only a rate that is further away contradicts what it was computed from: workloads are rounded as well. */
#define RATE_DIFFERS 0.03

/* vaitrace rounds the workload to two decimals of a GOP before it divides (vart_parser.py, v2.0 to v3.5). */
#define WORKLOAD_GRID_OPS 1e7

#define HOST_BOUND_RATIO 0.2

static void text_of(char *buffer, size_t size, double seconds)
{
    quantity_format(buffer, size, seconds, "s");
}

/* --- one unit ----------------------------------------------------------------------------------------- */

typedef struct subject {
    reconciler *r;
    roof_reconciled *e;
    uint32_t experiment;
    roof_unit *u;
    const roof_measured_layer *row; /* the only one, or NULL */
} subject;

typedef roof_status (*check)(const subject *s);

/* The engine that is really the bound of a unit of one layer; NULL otherwise. */
static const roof_layer_prediction *only_layer(const subject *s)
{
    return s->u->n_layers == 1 ? &s->e->prediction->layers[s->e->layer_order[s->u->layer]] : NULL;
}

static roof_status check_impossible(const subject *s)
{
    char measured[40], ideal[40];
    double fastest = s->row && !isnan(s->row->time.min_s) ? s->row->time.min_s : s->u->measured_s;
    if (s->u->verdict != ROOF_VERDICT_IMPOSSIBLE || told_enough(s->r, ROOF_FINDING_IMPOSSIBLE, s->u))
        return ROOF_OK;
    text_of(measured, sizeof measured, fastest);
    text_of(ideal, sizeof ideal, s->u->ideal_s);
    double clock = s->e->prediction->hardware.clock_hz * quotient_of(s->u->ideal_s, fastest);
    if (!(clock < 1e15)) /* no clock would do */
        return add_remark(s->r, ROOF_FINDING_IMPOSSIBLE, s->experiment, s->u,
                          "measured %s, but the bound is %s", measured, ideal);
    return add_remark(
        s->r, ROOF_FINDING_IMPOSSIBLE, s->experiment, s->u,
        "measured %s, but the bound is %s; it would take a clock of %.0f MHz instead of %.0f MHz", measured,
        ideal, clock / 1e6, s->e->prediction->hardware.clock_hz / 1e6);
}

static roof_status tell_one_outlier(const subject *s, const roof_outlier_reading *reading)
{
    char excess[40], median[40];
    if (told_enough(s->r, ROOF_FINDING_ONE_OUTLIER, s->u))
        return ROOF_OK;
    text_of(excess, sizeof excess, reading->excess);
    text_of(median, sizeof median, reading->median);
    return add_remark(
        s->r, ROOF_FINDING_ONE_OUTLIER, s->experiment, s->u,
        "a CoV of %.1f %% is what one run of %llu that took %s longer would do; the median then is %s, and "
        "the mean %.1f %% above it",
        100 * s->u->cov_ratio, (unsigned long long)s->row->time.count, excess, median,
        100 * reading->mean_bias_ratio);
}

static roof_status tell_outliers(const subject *s, const roof_statistics *t)
{
    char median[40];
    if (told_enough(s->r, ROOF_FINDING_OUTLIERS, s->u))
        return ROOF_OK;
    text_of(median, sizeof median, t->median);
    return add_remark(s->r, ROOF_FINDING_OUTLIERS, s->experiment, s->u,
                      "%llu of %llu samples stand out; without them the CoV is %.1f %% instead of %.1f %%; "
                      "the median is %s",
                      (unsigned long long)t->outliers, (unsigned long long)t->count,
                      100 * t->cov_without_outliers_ratio, 100 * t->cov_ratio, median);
}

static roof_status check_scatter(const subject *s)
{
    roof_statistics t = {.count = 0};
    roof_outlier_reading reading;
    if (!s->row || !(s->u->cov_ratio > ROOF_HIGH_COV_RATIO))
        return ROOF_OK;
    if (s->row->time.samples_s) {
        TRY(roof_statistics_of(s->row->time.samples_s, s->row->time.count, &t, s->r->err));
        if (t.outliers && t.cov_without_outliers_ratio <= ROOF_HIGH_COV_RATIO)
            return tell_outliers(s, &t);
    } else {
        double std = s->row->time.std_s;
        t = (roof_statistics){.count = s->row->time.count,
                              .mean = s->row->time.mean_s,
                              .std = isnan(std) ? s->u->cov_ratio * s->row->time.mean_s : std,
                              .min = s->row->time.min_s,
                              .max = s->row->time.max_s,
                              .cov_ratio = s->u->cov_ratio};
        if (t.count != ROOF_UNKNOWN && roof_statistics_one_outlier(&t, &reading))
            return tell_one_outlier(s, &reading);
    }
    return add_remark(s->r, ROOF_FINDING_HIGH_COV, s->experiment, s->u,
                      "CoV %.1f %%, and no single outlier explains it", 100 * s->u->cov_ratio);
}

/* Beyond what rounding to 0.1 % and a deviation of two digits explain. */
static bool cov_differs(const roof_times *t)
{
    double computed = t->std_s / t->mean_s, by = fabs(t->cov_ratio - computed);
    return by > 0.0025 && by > 0.02 * computed;
}

static const char cov_text[] = "%s a CoV of %.1f %%, but its deviation over its mean is %.1f %%";

static roof_status check_printed_cov(const subject *s)
{
    if (!s->row || !cov_differs(&s->row->time))
        return ROOF_OK;
    return add_remark(s->r, ROOF_FINDING_COV_DIFFERS, s->experiment, s->u, cov_text, "states",
                      100 * s->row->time.cov_ratio, 100 * s->u->cov_ratio);
}

static roof_status check_samples(const subject *s)
{
    if (!s->row || s->row->time.count >= ROOF_MIN_INTERVAL_SAMPLES || s->row->time.count == ROOF_UNKNOWN)
        return ROOF_OK;
    return add_remark(s->r, ROOF_FINDING_FEW_SAMPLES, s->experiment, s->u,
                      "%llu sample%s: no interval is claimed", (unsigned long long)s->row->time.count,
                      s->row->time.count == 1 ? "" : "s");
}

static bool near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fabs(b);
}

/* The mean of rounded work over each time: one outlier makes the mean of quotients larger than the quotient of means
 * (Jensen). */
static double mean_rate(const subject *s, double work)
{
    roof_statistics t = {.count = s->row->time.count,
                         .mean = s->row->time.mean_s,
                         .std = s->row->time.std_s,
                         .min = s->row->time.min_s,
                         .max = s->row->time.max_s,
                         .cov_ratio = s->u->cov_ratio};
    double n = (double)t.count, one = t.std * sqrt(n), rest = t.mean - one / n;
    if (s->row->time.count == ROOF_UNKNOWN || !(t.std > 0) || !(rest > 0))
        return work / t.mean;
    return ((n - 1) * work / rest + work / (rest + one)) / n;
}

static roof_status tell_rounded(const subject *s, double stated, double work, double rounded)
{
    return add_remark(
        s->r, ROOF_FINDING_ROUNDED_RATE, s->experiment, s->u,
        "%.1f GOP/s is %.2f GOP, the workload rounded to two decimals, over the time of each run (%.1f); "
        "%.2f MOP in the mean time are %.1f GOP/s",
        stated / 1e9, rounded / 1e9, mean_rate(s, rounded) / 1e9, work / 1e6, work / s->u->measured_s / 1e9);
}

static roof_status check_rate(const subject *s)
{
    const roof_layer_prediction *layer = only_layer(s);
    const roof_layer_counters *c = s->row ? s->row->counters : NULL;
    if (!c || isnan(c->ops_per_s) || !layer || layer->workload_ops == ROOF_UNKNOWN || !(s->u->measured_s > 0))
        return ROOF_OK;
    double work = (double)layer->workload_ops,
           rounded = nearbyint(work / WORKLOAD_GRID_OPS) * WORKLOAD_GRID_OPS;
    double stated = c->ops_per_s, plain = quotient_of(work, s->u->measured_s);
    if (isnan(plain) || !(stated < 1e300))
        return ROOF_OK;
    if (stated == 0 && rounded == 0 && work > 0)
        return add_remark(s->r, ROOF_FINDING_ROUNDED_RATE, s->experiment, s->u,
                          "0.0 GOP/s is rounding: %.2f MOP are printed as 0.00 GOP; it does %.1f GOP/s",
                          work / 1e6, plain / 1e9);
    if (near(stated, plain, RATE_TOLERANCE))
        return ROOF_OK;
    if (near(stated, mean_rate(s, rounded), RATE_TOLERANCE))
        return tell_rounded(s, stated, work, rounded);
    bool own = c->workload_ops != ROOF_UNKNOWN &&
               near(stated, (double)c->workload_ops / s->u->measured_s, RATE_DIFFERS);
    if (own || near(stated, plain, RATE_DIFFERS) || work == 0)
        return ROOF_OK;
    return add_remark(s->r, ROOF_FINDING_ROUNDED_RATE, s->experiment, s->u,
                      "states %.1f GOP/s; %.2f MOP in this time are %.1f GOP/s", stated / 1e9, work / 1e6,
                      plain / 1e9);
}

static roof_status check_bytes(const subject *s)
{
    double measured, predicted, resolution = (double)s->e->total.bytes_resolution;
    roof_unit_bytes(s->e, s->u, &measured, &predicted);
    if (isnan(measured - predicted) || measured == 0 || fabs(measured - predicted) <= resolution / 2)
        return ROOF_OK;
    return add_remark(s->r, ROOF_FINDING_BYTES_DIFFER, s->experiment, s->u,
                      "the profile has %.0f bytes of external memory, the model %.0f", measured, predicted);
}

/* A fused depthwise or pooling part that takes longer than the convolution before it. */
static roof_status check_side_engine(const subject *s)
{
    const roof_layer_prediction *layer = only_layer(s);
    const roof_prediction *p = s->e->prediction;
    char side[40], conv[40];
    if (!layer || s->u->bound == ROOF_NONE || strncmp(layer->type, "conv+", 5) != 0)
        return ROOF_OK;
    const char *engine = p->engines[s->u->bound];
    const engine_info *binder = engine_named(engine);
    if (!binder || binder->kind != ENGINE_KIND_SIDE)
        return ROOF_OK;
    const roof_cost *cost = cost_in(s->e->layer_run, layer);
    for (uint32_t i = 0; i < p->n_engines; i++) {
        if (strcmp(p->engines[i], "conv") != 0 || cost->cycles[i] == ROOF_UNKNOWN)
            continue;
        text_of(side, sizeof side, (double)cost->cycles[s->u->bound] / p->hardware.clock_hz);
        text_of(conv, sizeof conv, (double)cost->cycles[i] / p->hardware.clock_hz);
        return add_remark(
            s->r, ROOF_FINDING_SIDE_ENGINE, s->experiment, s->u,
            "the %s part of %s takes %s at best, the convolution %s: it is %s-bound, whatever its number of "
            "input channels",
            engine, layer->type, side, conv, strcmp(engine, "alu") == 0 ? "ALU" : engine);
    }
    return ROOF_OK;
}

static roof_status check_shape(const subject *s)
{
    roof_unit *u = s->u;
    if (u->n_rows && u->n_layers > 1)
        TRY(add_remark(s->r, ROOF_FINDING_JOINED, s->experiment, u, "one row for %u layers", u->n_layers));
    if (u->n_rows > 1)
        TRY(add_remark(s->r, ROOF_FINDING_CUT, s->experiment, u, "%u rows for one layer", u->n_rows));
    if (u->n_rows && u->n_layers && u->match == ROOF_MATCH_ORDER)
        TRY(add_remark(s->r, ROOF_FINDING_WEAK_MATCH, s->experiment, u,
                       "matched with row '%.80s' by order alone",
                       s->row && s->row->name ? s->row->name : "(no name)"));
    if (!u->n_layers && s->e->prediction)
        TRY(roof_unit_is_repeated(u)
                ? add_remark(s->r, ROOF_FINDING_REPEATED_ROW, s->experiment, u,
                             "its layer has another row already")
                : add_remark(s->r, ROOF_FINDING_NO_LAYER, s->experiment, u, "no layer of the model fits"));
    if (u->verdict == ROOF_VERDICT_NOT_MEASURED && s->e->layer_run)
        TRY(add_remark(s->r, ROOF_FINDING_NOT_MEASURED, s->experiment, u,
                       u->n_rows ? "its row has no time" : "the profile has no row for it"));
    return ROOF_OK;
}

static roof_status check_basis(const subject *s)
{
    if (s->u->n_rows && s->u->measured_s == 0)
        TRY(add_remark(s->r, ROOF_FINDING_ZERO_TIME, s->experiment, s->u,
                       "its time is 0, which no layer takes"));
    if (!s->row)
        return ROOF_OK;
    bool share =
        isnan(times_typical(&s->row->time)) && s->row->counters && !isnan(s->row->counters->share_ratio);
    if (s->row->basis == ROOF_TIME_ESTIMATED || s->row->basis == ROOF_TIME_SHARE || share)
        return add_remark(s->r, ROOF_FINDING_ESTIMATED, s->experiment, s->u,
                          share || s->row->basis == ROOF_TIME_SHARE ? "only its share of the sum is known"
                                                                    : "the tool estimated its time");
    return ROOF_OK;
}

static roof_status note_unit(reconciler *r, uint32_t experiment, roof_unit *u)
{
    static const check checks[] = {check_impossible, check_scatter, check_printed_cov,
                                   check_samples,    check_rate,    check_side_engine,
                                   check_bytes,      check_shape,   check_basis};
    roof_reconciled *e = &r->out->experiments[experiment];
    subject s = {.r = r, .e = e, .experiment = experiment, .u = u};
    if (u->is_unlisted)
        return ROOF_OK;
    s.row = u->n_rows == 1 ? &e->layer_run->layers[e->row_order[u->row]] : NULL;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        TRY(checks[i](&s));
    return ROOF_OK;
}

/* --- one model ---------------------------------------------------------------------------------------- */

static roof_status check_bypass_bound(reconciler *r, uint32_t i)
{
    const roof_reconciled *e = &r->out->experiments[i];
    char measured[40], bound[40], clock[60];
    double fastest = e->bypass ? e->bypass->total.min_s : NAN;
    if (isnan(fastest))
        fastest = e->total.bypass_s;
    double floor_s = e->total.floor_s, ratio = fastest / floor_s;
    if (!(ratio < 1 - 0.002) || !has_bound(e))
        return ROOF_OK;
    text_of(measured, sizeof measured, fastest);
    text_of(bound, sizeof bound, floor_s);
    snprintf(clock, sizeof clock, "; it would take %.2f times the clock", 1 / ratio);
    return add_remark(r, ROOF_FINDING_IMPOSSIBLE, i, NULL,
                      "the bypass run took %s, but even with perfect overlap of all layers the bound is %s%s",
                      measured, bound, ratio > 1e-6 ? clock : "");
}

/* A line through other models promises what no hardware does. */
static roof_status check_corrected(reconciler *r, uint32_t i)
{
    const roof_reconciled *e = &r->out->experiments[i];
    double corrected_s = e->total.corrected_s, floor_s = isnan(e->total.floor_s) ? 0 : e->total.floor_s;
    char corrected[40], bound[60] = "0";
    if (!has_bound(e)) /* none but that of time */
        floor_s = 0;
    if (!(corrected_s < floor_s))
        return ROOF_OK;
    text_of(corrected, sizeof corrected, corrected_s);
    if (corrected_s >= 0)
        text_of(bound, sizeof bound, floor_s);
    return add_remark(r, ROOF_FINDING_CORRECTED, i, NULL,
                      "the boundary fit makes %s of its sum of layers, which is below %s%s", corrected,
                      corrected_s < 0 ? "" : "the bound of ", bound);
}

static roof_status check_host(reconciler *r, uint32_t i)
{
    const roof_reconciled *e = &r->out->experiments[i];
    double share = quotient_of(e->total.host_s, e->total.bypass_s);
    char host[40], bypass[40];
    if (!(share > HOST_BOUND_RATIO))
        return ROOF_OK;
    text_of(host, sizeof host, e->total.host_s);
    text_of(bypass, sizeof bypass, e->total.bypass_s);
    return add_remark(r, ROOF_FINDING_HOST_BOUND, i, NULL,
                      "%.0f %% of the bypass time, %s of %s, is not the accelerator", 100 * share, host,
                      bypass);
}

/* "ipu_s, post_s": the phases whose time nobody claims; those behind the buffer's end are not told. */
static void unknown_phases(const roof_run *run, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < run->n_phases && used < size; i++)
        if (!run->phases[i].kind)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s_s", used ? ", " : "", run->phases[i].name);
}

static roof_status check_phases(reconciler *r, uint32_t i)
{
    const roof_reconciled *e = &r->out->experiments[i];
    const roof_run *run = phased_run(e);
    char part[40], whole[40], share[90], names[240];
    if (!run)
        return ROOF_OK;
    phase_sums sums = phases_sum(run);
    text_of(whole, sizeof whole, times_typical(&run->total));
    if (sums.exceed_total) {
        text_of(part, sizeof part, sums.all_s);
        TRY(add_remark(r, ROOF_FINDING_PHASES_EXCEED, i, NULL,
                       "its phases add up to %s, more than the %s of the inference: nothing is said of "
                       "what the host takes",
                       part, whole));
    }
    if (isnan(sums.of_s[ROOF_PHASE_UNDECLARED]))
        return ROOF_OK;
    text_of(part, sizeof part, sums.of_s[ROOF_PHASE_UNDECLARED]);
    snprintf(share, sizeof share, "%s of %s is", part, whole);
    unknown_phases(run, names, sizeof names);
    return add_remark(r, ROOF_FINDING_PHASE_KIND, i, NULL,
                      "nothing says whose time %s, so it counts as neither the accelerator's nor the "
                      "host's: %s",
                      sums.exceed_total ? "each of these phases is" : share, names);
}

static roof_status check_sums(reconciler *r, uint32_t i)
{
    const roof_reconciled *e = &r->out->experiments[i];
    const roof_run *run = e->layer_run;
    bool complete = run && e->boundaries != ROOF_NONE && run->n_layers >= e->boundaries;
    char a[40], b[40];
    text_of(a, sizeof a, e->total.listed_s);
    text_of(b, sizeof b, e->total.sum_of_layers_s);
    if (run && !isnan(run->sum_of_layers_s) &&
        (e->total.listed_s > 1.01 * run->sum_of_layers_s ||
         (complete && e->total.listed_s < 0.99 * run->sum_of_layers_s)))
        TRY(add_remark(r, ROOF_FINDING_SUM_DIFFERS, i, NULL,
                       "its rows add up to %s, but the stated sum is %s", a, b));
    text_of(a, sizeof a, e->total.per_layer_s);
    if (e->total.per_layer_s < 0.999 * e->total.sum_of_layers_s)
        TRY(add_remark(r, ROOF_FINDING_BELOW_SUM, i, NULL,
                       "the inference took %s layer by layer, less than the sum of its layers, %s", a, b));
    if (e->total.inflation_ratio < -0.01)
        TRY(add_remark(r, ROOF_FINDING_FASTER_LAYER_RUN, i, NULL,
                       "layer by layer it was %.1f %% faster than in bypass mode",
                       -100 * e->total.inflation_ratio));
    return ROOF_OK;
}

/* Bounds of another clock than the accelerator had say nothing of it. Profilers tell whole MHz. */
static roof_status check_clock(reconciler *r, uint32_t i)
{
    const roof_reconciled *e = &r->out->experiments[i];
    const roof_run *run = e->per_layer ? e->per_layer : e->bypass;
    double ran_hz = run ? run_clock_hz(run, "npu") : NAN;
    if (!e->prediction || !(fabs(ran_hz - e->prediction->hardware.clock_hz) >= 1e6))
        return ROOF_OK;
    return add_remark(r, ROOF_FINDING_OTHER_CLOCK, i, NULL,
                      "the profile was taken at an NPU clock of %.6g MHz, the ideal is that of %.6g MHz",
                      ran_hz / 1e6, e->prediction->hardware.clock_hz / 1e6);
}

static roof_status check_total_cov(reconciler *r, uint32_t i)
{
    const roof_reconciled *e = &r->out->experiments[i];
    const struct {
        const char *text;
        const roof_run *run;
    } runs[] = {{"the bypass time states", e->bypass}, {"the per-layer total states", e->per_layer}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        const roof_times *t = runs[k].run ? &runs[k].run->total : NULL;
        if (t && cov_differs(t))
            TRY(add_remark(r, ROOF_FINDING_COV_DIFFERS, i, NULL, cov_text, runs[k].text, 100 * t->cov_ratio,
                           100 * t->std_s / t->mean_s));
    }
    return ROOF_OK;
}

static roof_status check_experiment(reconciler *r, uint32_t i)
{
    const roof_reconciled *e = &r->out->experiments[i];
    const roof_prediction *p = e->prediction;
    if (!p && !e->not_compared)
        TRY(add_remark(r, ROOF_FINDING_NO_PREDICTION, i, NULL,
                       "no model beside the profile: the measured side alone is shown"));
    if ((!e->bypass || !e->per_layer) && !e->epochs && e->first == i)
        TRY(add_remark(r, ROOF_FINDING_ONE_MODE, i, NULL, "there is no %s run",
                       e->bypass ? "per-layer" : "bypass"));
    bool stated =
        e->per_layer && (e->per_layer->boundaries != ROOF_NONE || e->per_layer->launches != ROOF_NONE);
    if (p && stated && p->total.boundaries && e->boundaries != p->total.boundaries)
        TRY(add_remark(r, ROOF_FINDING_OTHER_BOUNDARIES, i, NULL,
                       p->is_started_by_rows
                           ? "the profile has %u boundaries, the plan starts %u epochs and programs"
                           : "the profile has %u boundaries, the model %u layers that emit code",
                       e->boundaries, p->total.boundaries));
    TRY(check_clock(r, i));
    TRY(check_total_cov(r, i));
    TRY(reconciler_note_unused(r, i));
    TRY(check_bypass_bound(r, i));
    TRY(check_corrected(r, i));
    TRY(check_host(r, i));
    TRY(check_phases(r, i));
    return check_sums(r, i);
}

roof_status reconciler_note(reconciler *r, uint32_t experiment)
{
    roof_reconciled *e = &r->out->experiments[experiment];
    TRY(check_experiment(r, experiment));
    if (e->first != experiment && !e->layer_run) /* it has the layers of the first runs, and no time of one */
        return ROOF_OK;
    for (uint32_t i = 0; i < e->n_units; i++)
        TRY(note_unit(r, experiment, &e->units[i]));
    return ROOF_OK;
}

/* --- all of them -------------------------------------------------------------------------------------- */

static roof_status check_ceiling(reconciler *r)
{
    const roof_reconciliation *out = r->out;
    double ceiling = out->ceiling.seconds;
    char cost[40], room[40];
    if (isnan(ceiling))
        return ROOF_OK;
    for (uint32_t i = 0; i < out->n_experiments; i++) {
        const roof_reconciled *e = &out->experiments[i];
        if (!(e->boundary_cost_s > ceiling))
            continue;
        const roof_reconciled *tight = &out->experiments[out->ceiling.experiment];
        text_of(cost, sizeof cost, e->boundary_cost_s);
        text_of(room, sizeof room, ceiling);
        return add_remark(
            r, ROOF_FINDING_ABOVE_CEILING, ROOF_NONE, NULL,
            "a boundary costs %s, but '%.80s' of %.60s leaves room for %s at most%s: not all of it is a "
            "constant of each layer",
            cost, tight->units[out->ceiling.unit].name, tight->model, room,
            out->ceiling.is_mean ? " (its mean; the fastest sample is not known)" : "");
    }
    return ROOF_OK;
}

roof_status reconciler_note_all(reconciler *r)
{
    const roof_reconciliation *out = r->out;
    const roof_fit *overhead = &out->fits[ROOF_FIT_OVERHEAD].fit;
    const roof_line *line = &overhead->lines[ROOF_LINE_FREE];
    if (!out->one_hardware)
        TRY(add_remark(r, ROOF_FINDING_MIXED_HARDWARE, ROOF_NONE, NULL,
                       "the experiments are of several kinds of hardware: no fit over them means anything"));
    else if (!overhead->lines[overhead->chosen].known && !all_by_epochs(out))
        TRY(add_remark(
            r, ROOF_FINDING_NO_FIT, ROOF_NONE, NULL,
            "no line of overhead over boundaries: it takes 3 models with both totals and different "
            "numbers of boundaries, and there %s %zu",
            overhead->distinct_x == 1 ? "is" : "are", overhead->distinct_x));
    if (line->known && line->slope.ci95_low < 0)
        TRY(add_remark(
            r, ROOF_FINDING_WIDE_INTERVAL, ROOF_NONE, NULL,
            "with %u degree%s of freedom the 95 %% interval of the overhead per boundary includes zero",
            line->dof, line->dof == 1 ? "" : "s"));
    TRY(reconciler_note_unread(r));
    return check_ceiling(r);
}
