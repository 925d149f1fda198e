#include "measure/matches/match_facts.h"
#include "measure/profile/profile.h"
#include "model/documents/documents.h"

double experiment_deployed_limit_s(const roof_reconciled *e)
{
    return e->prediction && e->prediction->estimate_of ? e->total.ideal_s : e->total.best_s;
}

double experiment_hardware_limit_s(const roof_reconciled *e)
{
    bool is_deployed = e->bypass && e->total.bypass_s > 0;
    double seconds = is_deployed ? e->total.bypass_s : roof_layered_seconds(e), limit_s;
    if (!(e->total.efficiency_ratio > 0))
        return NAN;
    limit_s = is_deployed ? experiment_deployed_limit_s(e) : e->total.ideal_per_layer_s;
    limit_s = limit_s > 0 ? limit_s : seconds * e->total.efficiency_ratio;
    return isfinite(seconds / limit_s) ? limit_s : NAN; /* not of times that are nothing beside each other */
}

uint32_t experiment_rows_left_out(const roof_reconciled *e)
{
    bool is_listed = e->layer_run != NULL; /* every layer of the accelerator: then the whole has no others */
    for (uint32_t i = 0; i < e->n_matches && is_listed; i++)
        is_listed = !e->matches[i].is_unlisted;
    return e->bypass && e->total.bypass_s > 0 && !is_listed && e->prediction
               ? e->prediction->total.host_layers
               : 0;
}

roof_answer experiment_efficiency(const roof_reconciled *e)
{
    const bool is_deployed = e->bypass && e->total.bypass_s > 0;
    const double ratio = quotient_of(experiment_hardware_limit_s(e),
                                     is_deployed ? e->total.bypass_s : roof_layered_seconds(e));
    return (roof_answer){.kind = isnan(ratio)                  ? ROOF_NOT_KNOWN
                                 : experiment_rows_left_out(e) ? ROOF_AT_LEAST
                                                               : ROOF_MEASURED,
                         .value = ratio,
                         .low = NAN,
                         .high = NAN,
                         .unit = "ratio"};
}

/* Less is rounding of the times of rows. */
#define OVERLAP_RATIO 1.03

double experiment_overlapped_busy_s(const roof_reconciled *e)
{
    const roof_run *run = e->layer_run;
    if (!run || e->total.bypass_s > 0 || (!e->is_recording && run->iterations == ROOF_UNKNOWN))
        return NAN;
    const double busy_s = run->busy_s / (e->is_recording ? 1 : (double)run->iterations);
    return busy_s > 0 && e->total.listed_s > OVERLAP_RATIO * busy_s ? busy_s : (double)NAN;
}

double experiment_shared_s(const roof_reconciled *e)
{
    const double busy_s = experiment_overlapped_busy_s(e);
    return isnan(busy_s) ? e->total.sum_of_layers_s : busy_s;
}

/* --- what timing may cost ------------------------------------------------------------------------------ */

double match_per_execution(const roof_match *u, double seconds)
{
    return seconds / (u->executions ? u->executions : 1);
}

roof_margin margin_tighter(roof_margin a, roof_margin b)
{
    return isnan(a.seconds) || b.seconds < a.seconds ? b : a;
}

roof_margin experiment_least_margin(const roof_reconciled *e)
{
    roof_margin margin = {.seconds = NAN};
    for (uint32_t k = 0; e->per_layer && e->layer_run == e->per_layer && k < e->n_matches; k++) {
        /* of one execution; of more rows than one none is the fastest */
        const roof_match *u = &e->matches[k];
        roof_times t = u->n_rows == 1 ? match_row(e, u, 0)->time : times_unknown();
        bool is_mean = isnan(t.min_s);
        double margin_s = (is_mean ? t.mean_s : t.min_s) - match_per_execution(u, u->ideal_s);
        margin = margin_tighter(margin, (roof_margin){.seconds = margin_s, .unit = k, .is_mean = is_mean});
    }
    return margin;
}

/* Less of a run is within what layers differ by. */
#define LEAST_TIMING 0.1

double experiment_timing_most_s(const roof_reconciled *e)
{
    const roof_run *run = e->per_layer;
    const bool is_counted = run && (run->n_clocks || run->n_phase_cycles || run->n_phases);
    if (!run || e->bypass || is_counted || e->boundaries == ROOF_NONE || e->boundaries < 2 ||
        !isnan(e->boundary_cost_s) || !e->total.limits.rows || !experiment_has_bound(e))
        return NAN;
    double above_s = 0; /* timing took no more than all rows take above their ideals */
    for (uint32_t i = 0; i < e->n_matches; i++)
        if (e->matches[i].measured_s > 0 && !roof_match_is_repeated(&e->matches[i]))
            above_s += fmax(0, e->matches[i].measured_s - fmax(0, e->matches[i].ideal_s));
    const double most_s = fmin(above_s, e->boundaries * experiment_least_margin(e).seconds);
    return most_s > LEAST_TIMING * roof_layered_seconds(e) ? most_s : (double)NAN;
}

bool experiment_is_as_expected(const roof_reconciled *e)
{
    const double *ci95_s = e->prediction ? e->prediction->total.predicted_ci95_s : NULL;
    return ci95_s && e->total.bypass_s >= ci95_s[0] && e->total.bypass_s <= ci95_s[1];
}

bool experiment_is_point(const roof_reconciled *e)
{
    return e->curve != ROOF_NONE && !e->layer_run;
}

bool reconciliation_is_of_curves(const roof_reconciliation *r)
{
    for (uint32_t i = 0; i < r->n_experiments; i++)
        if (!experiment_is_point(&r->experiments[i]))
            return false;
    return r->n_curves > 0;
}

bool experiment_is_of_other_device(const roof_reconciled *e)
{
    const roof_prediction *p = e->prediction;
    return e->device && p && strcmp(e->device, p->hardware.name) != 0 &&
           strcmp(e->device, p->hardware.board) != 0;
}

double layer_repeat(const roof_layer_prediction *layer)
{
    return layer->repeat ? layer->repeat : 1;
}

/* --- layers ------------------------------------------------------------------------------------------- */

bool layer_is_timed(const roof_layer_prediction *layer)
{
    return !layer->is_remainder && layer->executor != ROOF_BY_NOBODY;
}

bool layer_is_accelerated(const roof_layer_prediction *layer)
{
    return layer_is_timed(layer) && layer->executor != ROOF_BY_HOST;
}

const roof_cost *layer_cost(const roof_run *run, const roof_layer_prediction *layer)
{
    const bool is_alone = layer->shares_cache || (run && run->mode == ROOF_RUN_PER_LAYER);
    return is_alone && layer->has_alone ? &layer->alone : &layer->deployed;
}

double match_bound_s(const roof_match *u)
{
    return fmax(u->ideal_s, u->scheduled_s);
}

double experiment_layer_bound_s(const roof_reconciled *e)
{
    double sum = 0;
    for (uint32_t i = 0; i < e->prediction->n_layers; i++) {
        const roof_layer_prediction *layer = &e->prediction->layers[i];
        const double ideal_s = layer_cost(e->per_layer, layer)->ideal_s * layer_repeat(layer);
        /* the CPU's where something bounds it, such as the cache that its attention reads */
        if (layer_is_accelerated(layer) || (layer_is_timed(layer) && ideal_s > 0))
            sum += ideal_s;
    }
    return sum;
}

bool experiment_has_bound(const roof_reconciled *e)
{
    return !e->prediction || !e->prediction->estimate_of;
}

uint32_t experiment_n_impossible(const roof_reconciled *e)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->n_matches; i++)
        n += e->matches[i].verdict == ROOF_VERDICT_IMPOSSIBLE;
    return n;
}

bool experiment_is_impossible(const roof_reconciled *e)
{
    return experiment_has_bound(e) && e->total.bypass_s < e->total.best_s;
}

double traffic_bytes(const roof_traffic *t)
{
    return known_count(t->weights_bytes) + known_count(t->input_bytes) + known_count(t->output_bytes);
}

const char *hardware_of(const roof_reconciliation *r)
{
    const char *hardware = NULL;
    for (uint32_t i = 0; i < r->n_experiments && !hardware; i++)
        hardware = r->experiments[i].hardware;
    return r->one_hardware ? hardware : NULL;
}

/* --- matches -------------------------------------------------------------------------------------------- */

const roof_layer_prediction *match_layer(const roof_reconciled *e, const roof_match *u, uint32_t i)
{
    return &e->prediction->layers[e->layer_order[u->layer + i]];
}

const roof_measured_layer *match_row(const roof_reconciled *e, const roof_match *u, uint32_t i)
{
    return &e->layer_run->layers[e->row_order[u->row + i]];
}

const char *match_type(const roof_match *u)
{
    return u->is_unlisted ? "(not listed)" : u->type && u->type[0] ? u->type : "(not known)";
}

uint32_t match_executions(const roof_reconciled *e, const roof_match *u)
{
    uint32_t sum = 0; /* at most that of the run */
    for (uint32_t i = 0; i < u->n_rows; i++)
        sum += (uint32_t)row_executions(match_row(e, u, i));
    return sum;
}

bool experiment_has_executions(const roof_reconciled *e)
{
    for (uint32_t i = 0; i < e->n_matches; i++)
        if (e->matches[i].executions > 1)
            return true;
    return false;
}

double match_allocated_bytes(const roof_reconciled *e, const roof_match *u)
{
    const roof_event wanted = {.scope = ROOF_COUNTER_PROGRAM, .quantity = ROOF_COUNTER_BYTES};
    const roof_layer_counters *c = u->n_rows == 1 ? match_row(e, u, 0)->counters : NULL;
    return c ? known_count(counter_find(c->events, c->n_events, &wanted)) : (double)NAN;
}

launch_counts match_launches(const roof_reconciled *e, const roof_match *u)
{
    const roof_event wanted = {.scope = ROOF_COUNTER_PROGRAM, .quantity = ROOF_COUNTER_PIECES};
    launch_counts sum = {u->n_rows ? 0 : (double)NAN, NAN};
    for (uint32_t i = 0; i < u->n_rows; i++) {
        const roof_measured_layer *row = match_row(e, u, i);
        const roof_layer_counters *c = row->counters;
        const double of_call = c ? known_count(counter_find(c->events, c->n_events, &wanted)) : (double)NAN;
        sum.all += row_executions(row) * of_call;
        sum.shared = add_if_known(sum.shared, of_call > 1 ? row_executions(row) * of_call : (double)NAN);
    }
    return sum;
}

launch_counts experiment_launches(const roof_reconciled *e)
{
    launch_counts sum = {NAN, NAN};
    for (uint32_t i = 0; i < e->n_matches; i++) {
        const launch_counts own = match_launches(e, &e->matches[i]);
        if (roof_match_is_repeated(&e->matches[i]))
            continue;
        sum.all = add_if_known(sum.all, own.all);
        sum.shared = add_if_known(sum.shared, own.shared);
    }
    return sum;
}

bool experiment_has_phases(const roof_reconciled *e)
{
    bool any = e->epochs != NULL;
    for (uint32_t i = 0; e->layer_run && i < e->layer_run->n_layers && !any; i++)
        any = e->layer_run->layers[i].counters && !isnan(e->layer_run->layers[i].counters->run_s);
    return any;
}

bool roof_match_is_repeated(const roof_match *match)
{
    return match->notes & ROOF_NOTE(ROOF_FINDING_REPEATED_ROW);
}

double roof_match_efficiency(const roof_match *match)
{
    return quotient_of(match->ideal_s, match->measured_s);
}

double roof_match_printed_cov(const roof_reconciled *e, const roof_match *u)
{
    return u->n_rows == 1 ? match_row(e, u, 0)->time.cov_ratio : NAN;
}

double match_shown_cov(const roof_reconciled *e, const roof_match *u)
{
    double printed = roof_match_printed_cov(e, u);
    return isnan(printed) || isnan(u->cov_ratio) || times_covs_differ(printed, u->cov_ratio) ? u->cov_ratio
                                                                                             : printed;
}

double match_stated_share(const roof_reconciled *e, const roof_match *u)
{
    double sum = u->n_rows ? 0 : NAN;
    for (uint32_t i = 0; i < u->n_rows; i++) {
        const roof_layer_counters *c = match_row(e, u, i)->counters;
        sum += c ? c->share_ratio : NAN;
    }
    return sum;
}

double roof_match_share(const roof_reconciled *e, const roof_match *u)
{
    double share = quotient_of(u->measured_s, experiment_shared_s(e));
    return isnan(share) ? match_stated_share(e, u) : share;
}

void roof_match_bytes(const roof_reconciled *e, const roof_match *u, double *measured, double *predicted)
{
    *measured = u->n_rows ? 0 : NAN;
    *predicted = u->n_layers ? 0 : NAN;
    for (uint32_t i = 0; i < u->n_rows; i++)
        *measured += row_traffic(match_row(e, u, i)) * row_executions(match_row(e, u, i));
    for (uint32_t i = 0; i < u->n_layers; i++)
        *predicted += traffic_bytes(&layer_cost(e->layer_run, match_layer(e, u, i))->traffic) *
                      layer_repeat(match_layer(e, u, i));
}

double layer_plotted_bytes(const roof_prediction *p, const roof_layer_prediction *l)
{
    uint32_t nearest = ROOF_NONE;
    if (!p->hardware.has_pools)
        return known_count(roof_traffic_total(&l->deployed.traffic));
    for (uint32_t e = 0; e < p->n_engines; e++) {
        uint64_t cycles = l->deployed.cycles[e];
        roof_transfer t = roof_layer_transfer(l, e);
        bool moves = t.read_bytes || t.write_bytes;
        if (moves && cycles != ROOF_UNKNOWN && (nearest == ROOF_NONE || cycles > l->deployed.cycles[nearest]))
            nearest = e;
    }
    if (nearest == ROOF_NONE)
        return NAN;
    roof_transfer t = roof_layer_transfer(l, nearest);
    return (double)t.read_bytes + (double)t.write_bytes;
}

double match_plotted_bytes(const roof_reconciled *e, const roof_match *u)
{
    double counted, predicted;
    if (!e->prediction)
        return NAN;
    if (e->prediction->hardware.has_pools && u->n_layers == 1 && !u->is_unlisted)
        return layer_plotted_bytes(e->prediction, match_layer(e, u, 0)) * layer_repeat(match_layer(e, u, 0));
    roof_match_bytes(e, u, &counted, &predicted);
    return predicted;
}

double match_plotted_ops(const roof_reconciled *e, const roof_match *u)
{
    uint32_t roof = ROOF_NONE;
    double longest = 0, sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; e->prediction && i < u->n_layers; i++) {
            const roof_layer_prediction *l = match_layer(e, u, i);
            if (pass && l->roof == roof)
                sum += l->repeat * known_count(l->roof_ops_count);
            else if (!pass && l->repeat * l->deployed.ideal_s > longest) {
                longest = l->repeat * l->deployed.ideal_s;
                roof = l->roof;
            }
        }
    return roof == ROOF_NONE ? NAN : sum;
}

double match_static_bytes(const roof_reconciled *e, const roof_match *u)
{
    double sum = u->n_rows ? 0 : NAN;
    for (uint32_t i = 0; i < u->n_rows; i++) {
        const roof_measured_layer *row = match_row(e, u, i);
        sum += row_bytes_are_static(row) ? row_bytes(row) * row_executions(row) : NAN;
    }
    return sum;
}

double roof_match_ops(const roof_reconciled *e, const roof_match *u)
{
    double sum = u->n_layers && e->prediction ? 0 : NAN;
    for (uint32_t i = 0; i < u->n_layers && e->prediction; i++)
        sum += known_count(match_layer(e, u, i)->ops_count) * layer_repeat(match_layer(e, u, i));
    return sum;
}

const char *match_output_size(const roof_reconciled *e, const roof_match *u, roof_arena *arena)
{
    const char *shape = match_layer(e, u, 0)->shape;
    static const char digits[] = "0123456789";
    const char *arrow = strstr(shape, "-> "), *out = arrow ? arrow + 3 : shape;
    size_t height = strspn(out, digits), width = out[height] == 'x' ? strspn(out + height + 1, digits) : 0;
    return height && width ? arena_strndup(arena, out, height + 1 + width) : "";
}

double match_ops_per_s(const roof_reconciled *e, const roof_match *u)
{
    const roof_layer_counters *c = u->n_rows == 1 ? match_row(e, u, 0)->counters : NULL;
    double work = u->n_layers && e->prediction ? 0 : NAN;
    for (uint32_t i = 0; i < u->n_layers && e->prediction; i++)
        work += known_count(match_layer(e, u, i)->workload_ops) * layer_repeat(match_layer(e, u, i));
    work = isnan(work) ? roof_match_ops(e, u) : work;
    if (isnan(work) && c)
        work = known_count(c->workload_ops) * row_executions(match_row(e, u, 0));
    return isnan(work) && c ? c->ops_per_s : quotient_of(work, u->measured_s);
}

match_rates experiment_rates(const roof_reconciled *e)
{
    match_rates all = {NAN, NAN, e->peak_ops_per_s};
    for (uint32_t i = 0; i < e->n_matches; i++) {
        const double rate =
            e->matches[i].is_unlisted || !e->matches[i].n_rows ? NAN : match_ops_per_s(e, &e->matches[i]);
        all.first = isnan(all.first) ? rate : all.first;
        all.best = fmax(all.best, rate);
    }
    return all;
}

double match_cycles(const roof_reconciled *e, const roof_match *u)
{
    double sum = u->n_rows ? 0 : NAN;
    for (uint32_t i = 0; i < u->n_rows; i++) {
        const roof_measured_layer *row = match_row(e, u, i);
        const roof_layer_counters *c = row->counters;
        sum += c && c->n_cycles == 1 ? row_executions(row) * known_count(c->cycles->cycles) : NAN;
    }
    return sum;
}

/* Rows of a whole-network run are whole subgraphs: their sum is no other way of running the model. */
double roof_layered_seconds(const roof_reconciled *e)
{
    if (!e->per_layer)
        return NAN;
    return isnan(e->total.per_layer_s) ? e->total.sum_of_layers_s : e->total.per_layer_s;
}

bool match_is_hosts(const roof_reconciled *e, const roof_match *u)
{
    bool is = !u->n_layers && u->n_rows;
    for (uint32_t i = 0; i < u->n_rows && is; i++) {
        const roof_layer_counters *c = match_row(e, u, i)->counters;
        is = c && c->device && executor_of_device(c->device) == ROOF_BY_HOST;
    }
    return is;
}

const char *match_full_name(const void *experiment, uint32_t unit)
{
    return ((const roof_reconciled *)experiment)->matches[unit].name;
}
