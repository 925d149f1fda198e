/* Times of whole inferences: what was measured, what it is held against, and what follows from the fits. */
#include "measure/profile/counter.h"
#include "measure/profile/phases.h"
#include "measure/reconcile/steps.h"

/* --- bytes -------------------------------------------------------------------------------------------- */

static void compare_bytes(roof_reconciled *e)
{
    if (!e->layer_run || !e->prediction)
        return;
    /* the digit that all values were rounded to: the largest power of ten that divides them */
    double resolution = 1e6;
    for (uint32_t i = 0; i < e->layer_run->n_layers; i++) {
        double bytes = row_bytes(&e->layer_run->layers[i]);
        while (resolution > 1 && bytes > 0 && fmod(bytes, resolution) != 0)
            resolution /= 10;
    }
    e->total.bytes_resolution = (uint64_t)resolution;
    for (uint32_t i = 0; i < e->n_matches; i++) {
        double measured, predicted;
        if (e->matches[i].is_unlisted)
            continue;
        roof_match_bytes(e, &e->matches[i], &measured, &predicted);
        bool is_static = isnan(measured);
        measured = is_static ? match_static_bytes(e, &e->matches[i]) : measured;
        if (isnan(measured - predicted) || measured == 0)
            continue;
        bool agrees = fabs(measured - predicted) <= resolution / 2;
        ++*(is_static ? &e->total.static_bytes_compared : &e->total.bytes_compared);
        *(is_static ? &e->total.static_bytes_agree : &e->total.bytes_agree) += agrees;
    }
}

/* --- before the fits ---------------------------------------------------------------------------------- */

/* The sum of all layers: stated, or of the rows when they are all there. */
static double sum_of_layers(const roof_reconciled *e)
{
    const roof_run *run = e->layer_run ? e->layer_run : e->per_layer;
    if (!run)
        return NAN;
    if (!isnan(run->sum_of_layers_s))
        return run->sum_of_layers_s;
    bool complete =
        !isnan(run_rows_s(run)) && (run->boundaries == ROOF_NONE || run_executions(run) >= run->boundaries);
    return complete ? e->total.listed_s : NAN;
}

/* Limit ratio over all listed rows, or over the time stated for all layers, where that is more. */
static roof_limit_ratio limits_of_rows(const roof_reconciled *e)
{
    roof_limit_ratio out;
    uint32_t n = 0, n_all = 0;
    double listed_s = 0, measured_s = 0, limit_s = 0;
    for (uint32_t i = 0; e->prediction && i < e->n_matches; i++) {
        const roof_match *u = &e->matches[i];
        if (!(u->measured_s > 0))
            continue;
        listed_s += u->measured_s;
        n_all++;
        if (!(u->ideal_s > 0))
            continue;
        n++;
        measured_s += u->measured_s;
        limit_s += u->ideal_s;
    }
    const roof_limited rows[] = {{measured_s, limit_s}};
    out = roof_answer_limit_ratio(rows, 1, fmax(listed_s, e->total.sum_of_layers_s));
    out.rows = n;
    out.rows_all = n_all;
    return out;
}

void inference_totals_measured(roof_reconciled *e)
{
    const roof_prediction *p = e->prediction;
    double extra = e->is_recording ? NAN : run_traffic(e->per_layer) - run_traffic(e->bypass), missing_s = 0;
    e->total.bypass_s = e->bypass ? times_typical(&e->bypass->total) : NAN;
    e->total.per_layer_s = e->per_layer ? times_typical(&e->per_layer->total) : NAN;
    e->total.sum_of_layers_s = sum_of_layers(e);
    e->total.ideal_s = p ? p->total.deployed.ideal_s : NAN;
    e->total.floor_s = p ? p->total.floor_s : NAN;
    e->total.best_s = p ? roof_best_s(p) : NAN;
    e->total.expected_s = p ? p->total.predicted_s : NAN;
    e->total.ideal_per_layer_s = p ? experiment_layer_bound_s(e) : NAN;
    e->total.inflation_ratio = e->has_doubtful_times || e->is_recording
                                   ? NAN
                                   : quotient_of(roof_layered_seconds(e), e->total.bypass_s) - 1;
    for (uint32_t i = 0; i < e->n_matches && e->per_layer && isnan(e->per_layer->sum_of_layers_s); i++)
        if (!e->matches[i].n_rows && e->matches[i].ideal_s > 0)
            missing_s += e->matches[i].ideal_s;
    e->total.efficiency_ratio = quotient_of(e->total.ideal_per_layer_s, e->total.sum_of_layers_s);
    if (e->bypass)
        e->total.efficiency_ratio = quotient_of(e->total.ideal_s, e->total.bypass_s);
    else if (missing_s > 0.01 * e->total.ideal_per_layer_s) /* the bound is that of all layers */
        e->total.efficiency_ratio = NAN;
    e->total.limits = limits_of_rows(e);
    /* a sum of rows has a limit where those that have one are nearly all of it, and that is of these */
    if (!e->bypass && e->total.limits.rows_all && !isnan(e->total.efficiency_ratio))
        e->total.efficiency_ratio =
            isnan(e->total.limits.of_whole) ? (double)NAN : 1 / e->total.limits.of_rows;
    e->total.extra_is_measured = !isnan(extra);
    e->total.extra_bytes = extra;
    if (isnan(extra) && p && p->total.has_alone)
        e->total.extra_bytes =
            traffic_bytes(&p->total.alone.traffic) - traffic_bytes(&p->total.deployed.traffic);
    compare_bytes(e);
    e->boundary_cost_s = NAN;
    e->total.corrected_s = e->total.corrected_ci95_s[0] = e->total.corrected_ci95_s[1] = NAN;
    e->total.corrected_error_ratio = e->total.left_out_error_ratio = NAN;
    e->total.rule_error_ratio = e->total.rule_total_error_ratio = NAN;
    e->total.host_s = NAN;
    e->total.launch_s[0] = e->total.launch_s[1] = e->total.traffic_s[0] = e->total.traffic_s[1] = NAN;
}

/* Rate of the CPU's writes into buffers, over rows that took ten printed digits or more. */
void inference_totals_buffers(reconciler *r)
{
    const roof_reconciliation *out = r->out;
    static const roof_event written = {
        .scope = ROOF_COUNTER_BUFFER, .direction = ROOF_COUNTER_WRITE, .quantity = ROOF_COUNTER_BYTES};
    static const double least_s = 1e-4;
    double bytes = 0, seconds = 0;
    for (uint32_t i = 0; i < out->n_experiments && out->one_hardware; i++) {
        const roof_run *run = out->experiments[i].layer_run;
        for (uint32_t k = 0; run && k < run->n_layers; k++) {
            const roof_layer_counters *c = run->layers[k].counters;
            double n = row_executions(&run->layers[k]), one;
            if (!c || !(c->write_s >= least_s))
                continue;
            one = known_count(counter_find(c->events, c->n_events, &written));
            if (isnan(one))
                continue;
            bytes += n * one;
            seconds += n * c->write_s;
        }
    }
    r->out->buffer_bytes_per_s = quotient_of(bytes, seconds);
}

/* --- after them --------------------------------------------------------------------------------------- */

/* Latency by the per-layer run: sum of layers - b N - a, with b and a of the boundary fit; else
 * without what its boundaries are stated to cost. */
static void estimate_bypass(const roof_fit *fit, roof_reconciled *e)
{
    const roof_line *line = &fit->lines[fit->chosen];
    double n = e->boundaries, away = n - fit->x_mean;
    if (e->boundary_source > ROOF_BOUNDARY_CALIBRATION && e->boundaries != ROOF_NONE) {
        const double rest_s = roof_layered_seconds(e) - n * e->boundary_cost_s;
        e->total.corrected_s = rest_s > 0 ? rest_s : (double)NAN;
        e->total.corrected_error_ratio = quotient_of(e->total.corrected_s, e->total.bypass_s) - 1;
        return;
    }
    if (!line->known || e->boundaries == ROOF_NONE)
        return;
    /* of one more observation: the line's own uncertainty and the scatter about it */
    double half = roof_fit_t95(line->dof) * line->residual_std *
                  sqrt(1 + 1 / (double)fit->n + away * away / fit->x_squares);
    e->total.corrected_s = e->total.sum_of_layers_s - (line->slope.value * n + line->intercept.value);
    e->total.corrected_ci95_s[0] = e->total.corrected_s - half;
    e->total.corrected_ci95_s[1] = e->total.corrected_s + half;
    e->total.corrected_error_ratio = quotient_of(e->total.corrected_s, e->total.bypass_s) - 1;
}

/* The estimate of a fit without this model: one that has seen the answer proves little. */
static void leave_out(reconciler *r, const roof_overhead_fit *f, roof_reconciled *e)
{
    enum { MOST = 64 };
    double x[MOST], y[MOST];
    size_t n = 0;
    roof_fit rest;
    if (f->fit.n > MOST)
        return;
    for (size_t i = 0; i < f->fit.n; i++)
        if (&r->out->experiments[f->experiments[i]] != e) {
            x[n] = f->points_x[i];
            y[n++] = f->points_y[i];
        }
    if (n == f->fit.n || n < 2)
        return;
    double slope, intercept;
    if (reconciler_did(r, roof_fit_line(x, y, n, ROOF_INTERCEPT_EXPECTED, &rest, NULL, NULL)) &&
        rest.lines[ROOF_LINE_FREE].known) {
        slope = rest.lines[ROOF_LINE_FREE].slope.value;
        intercept = rest.lines[ROOF_LINE_FREE].intercept.value;
    } else if (n == 2 && x[0] != x[1]) { /* two points are a line without an error */
        slope = (y[1] - y[0]) / (x[1] - x[0]);
        intercept = y[0] - slope * x[0];
    } else {
        return;
    }
    double estimate = e->total.sum_of_layers_s - slope * e->boundaries - intercept;
    e->total.left_out_error_ratio = quotient_of(estimate, e->total.bypass_s) - 1;
}

/* Where the whole and each layer can be replayed, layers lose the difference of their replays by running
 * alone, at peak and as a board runs them; the rest are launches, at most those that the ceiling allows. */
static bool split_by_replay(roof_reconciled *e, double all, double most_launch_s)
{
    const roof_prediction *p = e->prediction;
    double ideal_s = p ? p->schedule.alone_s - p->schedule.scheduled_s : NAN;
    double expected_s = p ? p->schedule.alone_expected_s - p->total.predicted_s : NAN;
    if (isnan(ideal_s) || isnan(expected_s) || !(ideal_s >= 0 && expected_s >= 0))
        return false;
    e->total.traffic_s[0] = fmin(all, fmin(ideal_s, expected_s));
    e->total.traffic_s[1] = fmin(all, fmax(ideal_s, expected_s));
    e->total.launch_s[0] = all - e->total.traffic_s[1];
    e->total.launch_s[1] = all - e->total.traffic_s[0];
    if (most_launch_s >= e->total.launch_s[0] && most_launch_s < e->total.launch_s[1]) {
        e->total.launch_s[1] = most_launch_s;
        e->total.traffic_s[0] = all - most_launch_s;
    }
    return true;
}

/* The modes differ by a launch for each boundary, at most the ceiling, and by traffic that code of the
 * whole network does not have, at least its bytes at the peak. One equation, two unknowns: ranges. */
static void split_difference(const roof_reconciliation *out, roof_reconciled *e)
{
    double n = e->boundaries == ROOF_NONE ? (double)NAN : e->boundaries, all = e->boundary_cost_s * n;
    double peak = e->prediction ? e->prediction->hardware.bandwidth_bytes_per_s : NAN;
    double least_traffic = e->total.extra_bytes > 0 && peak > 0 ? e->total.extra_bytes / peak : 0;
    double launch = out->ceiling.seconds * n;
    if (e->boundary_source > ROOF_BOUNDARY_SUM) /* that is a launch alone */
        return;
    e->total.is_replayed = all > 0 && split_by_replay(e, all, launch);
    if (e->total.is_replayed || isnan(all) || isnan(launch) || !(e->total.extra_bytes > 0))
        return;
    launch = fmax(0, fmin(launch, all - least_traffic));
    e->total.launch_s[0] = 0;
    e->total.launch_s[1] = launch;
    e->total.traffic_s[0] = all - launch;
    e->total.traffic_s[1] = all;
}

void inference_totals_estimated(reconciler *r, roof_reconciled *e)
{
    const roof_reconciliation *out = r->out;
    const roof_overhead_fit *boundary = &out->fits[ROOF_FIT_BOUNDARY];
    if (out->one_hardware && !e->has_doubtful_times) {
        estimate_bypass(&boundary->fit, e);
        leave_out(r, boundary, e);
        /* The CPU's share: the constant of the host fit, or phases that are not the accelerator's. */
        const roof_fit *host = &out->fits[ROOF_FIT_HOST].fit;
        const roof_line *line = &host->lines[host->chosen];
        bool is_constant =
            line->known && line->intercept.value > 0 && !(line->intercept.value > e->total.bypass_s);
        e->total.host_s = is_constant ? line->intercept.value : e->bypass ? phases_outside(e->bypass) : NAN;
        double rule_s = e->boundaries == ROOF_NONE ? (double)NAN : out->rule_cost_s * e->boundaries;
        e->total.rule_error_ratio = quotient_of(e->total.sum_of_layers_s - rule_s, e->total.bypass_s) - 1;
        e->total.rule_total_error_ratio = quotient_of(e->total.per_layer_s - rule_s, e->total.bypass_s) - 1;
    }
    split_difference(out, e);
    /* Merging subgraphs gains the cost of boundaries, of which the whole-network run has few. */
    const roof_prediction *p = e->prediction;
    uint32_t parts = p && !p->is_started_by_rows && p->schedule.n_parts ? p->schedule.n_parts : ROOF_NONE;
    e->total.starts = e->bypass && e->bypass->launches != ROOF_NONE ? e->bypass->launches : parts;
    bool gains = e->bypass && e->total.starts != ROOF_NONE && e->total.starts && e->boundaries != ROOF_NONE &&
                 e->boundaries;
    for (int k = 0; k < 2; k++)
        e->total.merge_gain_s[k] =
            gains ? e->total.launch_s[k] / e->boundaries * (e->total.starts - 1) : (double)NAN;
    e->total.layer_weights_bytes = e->total.rest_weights_bytes = p ? 0 : NAN;
    for (uint32_t k = 0; p && k < p->n_layers; k++) {
        const roof_layer_prediction *l = &p->layers[k];
        const roof_traffic *traffic = &l->deployed.traffic;
        /* what tiles read again would be written once */
        bool reads_again = l->least_bytes != ROOF_UNKNOWN && l->least_bytes < roof_traffic_total(traffic);
        double n = layer_repeat(l), bytes = reads_again ? NAN : known_count(traffic->weights_bytes);
        if (layer_is_accelerated(l))
            *(n > 1 ? &e->total.layer_weights_bytes : &e->total.rest_weights_bytes) += n * bytes;
    }
}
