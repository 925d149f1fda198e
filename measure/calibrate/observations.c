#include "measure/calibrate/observations.h"
#include "measure/profile/profile.h"
#include "measure/matches/match_facts.h"

#include <math.h>
#include <string.h>

/* Expected scatter: 16 % over the layers of a ResNet-50 (docs/hardware/dpuczdx8g.md), less for sums. Most
 * epochs follow their plan closer; a constant describes the CPU badly: docs/hardware/neural_art.md, "Behind
 * the peaks". */
static const double scatters[] = {[OBSERVED_LAYER] = 0.16,
                                  [OBSERVED_CORE] = 0.08,
                                  [OBSERVED_START] = 0.5,
                                  [OBSERVED_HOST] = 1,
                                  [OBSERVED_TOTAL] = 0.08};

enum { MOST_OBSERVATIONS = 100000, MOST_OF_A_MATCH = 2 };

size_t observations_most(const roof_reconciliation *r)
{
    size_t n = 0, most = (size_t)MOST_OBSERVATIONS + MOST_OF_A_MATCH + r->n_experiments;
    for (uint32_t i = 0; i < r->n_experiments; i++)
        n += 1 + (size_t)MOST_OF_A_MATCH * r->experiments[i].n_matches;
    return n < most ? n : most;
}

/* --- what is observed --------------------------------------------------------------------------------- */

static bool is_timed(const roof_reconciled *e, const roof_match *u)
{
    return e->layer_run && e->layer_run == e->per_layer && u->n_layers && u->measured_s > 0 &&
           u->boundaries && u->verdict != ROOF_VERDICT_IMPOSSIBLE &&
           u->verdict != ROOF_VERDICT_BELOW_ESTIMATE;
}

static size_t put(const roof_reconciled *e, const roof_match *u, observed what, double measured_s,
                  observed_run *out)
{
    *out = (observed_run){e, u, what, measured_s, scatters[what]};
    return 1;
}

/* An epoch that both run is left out: profiles list its parts in ways of their own. */
static size_t add_epoch(const roof_reconciled *e, const roof_match *u, observed_run *out)
{
    double core_s = 0, rest_s = 0;
    const roof_layer_prediction *first = match_layer(e, u, 0);
    if (layer_uses_host(first)) {
        bool alone = !layer_uses_accelerator(first) && u->n_layers == 1;
        return alone ? put(e, u, OBSERVED_HOST, u->measured_s, out) : 0;
    }
    /* NaN where a row has no core phase, or a clock is unknown */
    for (uint32_t i = 0; i < u->n_rows; i++) {
        const roof_measured_layer *row = match_row(e, u, i);
        bool has_core = false;
        for (uint32_t k = 0; row->counters && k < row->counters->n_phases; k++) {
            const roof_phase_cycles *phase = &row->counters->phases[k];
            bool core = strcmp(phase->name, "core") == 0;
            double *sum_s = core ? &core_s : &rest_s, executions = row_executions(row);
            if (phase->n_cycles)
                *sum_s += executions * (double)phase->cycles->cycles /
                          run_clock_hz(e->layer_run, phase->cycles->domain);
            else
                *sum_s = NAN;
            has_core = has_core || core;
        }
        if (!has_core)
            core_s = rest_s = NAN;
    }
    if (!(u->ideal_s > 0))
        return 0;
    if (!(core_s > 0 && rest_s > 0))
        return put(e, u, OBSERVED_LAYER, u->measured_s, out);
    return put(e, u, OBSERVED_CORE, core_s, out) + put(e, u, OBSERVED_START, rest_s, out + 1);
}

/* Layers that the accelerator does not run for themselves take no time of their own. */
static bool replays(const roof_reconciled *e)
{
    const roof_prediction *p = e->prediction;
    for (uint32_t k = 0; p->code && k < e->n_matches; k++)
        for (uint32_t i = 0; is_timed(e, &e->matches[k]) && i < e->matches[k].n_layers; i++) {
            const roof_layer_prediction *layer = match_layer(e, &e->matches[k], i);
            if (layer_is_accelerated(layer) && !p->code->alone[layer - p->layers])
                return false;
        }
    return p->code;
}

bool observations_replay(const roof_reconciliation *r)
{
    bool any = false;
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        if (r->experiments[i].prediction && !replays(&r->experiments[i]))
            return false;
        any = any || r->experiments[i].prediction;
    }
    return any;
}

size_t observations_collect(const roof_reconciliation *r, const uint32_t *family, uint32_t without,
                            observed_run *out)
{
    size_t n = 0;
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        if (!e->prediction || family[i] == without)
            continue;
        for (uint32_t k = 0; k < e->n_matches && n < MOST_OBSERVATIONS; k++) {
            const roof_match *u = &e->matches[k];
            if (!is_timed(e, u))
                continue;
            if (e->prediction->is_started_by_rows && !u->is_unlisted) {
                n += add_epoch(e, u, out + n);
            } else if (u->ideal_s > 0) {
                n += put(e, u, OBSERVED_LAYER, u->measured_s, out + n);
                if (u->is_unlisted) /* a sum of many */
                    out[n - 1].scatter = scatters[OBSERVED_TOTAL];
            }
        }
        if (e->total.bypass_s > 0)
            n += put(e, NULL, OBSERVED_TOTAL, e->total.bypass_s, out + n);
    }
    return n;
}

/* --- what is expected --------------------------------------------------------------------------------- */

static double add_layers(double sum, const observed_run *o, const calibrated_rates *rates)
{
    const roof_prediction *p = o->e->prediction;
    for (uint32_t i = 0; i < o->match->n_layers; i++) {
        const roof_layer_prediction *layer = match_layer(o->e, o->match, i);
        double seconds = rates->replays ? calibrated_alone_s(p, (uint32_t)(layer - p->layers), rates)
                                        : calibrated_cost_s(p, layer_cost(o->e->layer_run, layer), rates);
        sum += seconds * layer_repeat(layer);
    }
    return sum;
}

double observation_expected(const observed_run *o, const calibrated_rates *rates)
{
    const roof_prediction *p = o->e->prediction;
    double once = p->is_started_by_rows ? rates->per_start_s : rates->per_layer_s;
    if (!o->match)
        return calibrated_deployed_s(p, rates, NULL);
    switch (o->what) {
    case OBSERVED_CORE:
        return add_layers(0, o, rates);
    case OBSERVED_START:
        return rates->per_start_s * o->match->boundaries;
    case OBSERVED_HOST:
        return rates->per_software_epoch_s * o->match->boundaries;
    default:
        return add_layers(once * o->match->boundaries, o, rates);
    }
}

double observation_fixed(const observed_run *o, const calibrated_rates *rates)
{
    return o->match ? rates->per_layer_s * o->match->boundaries : rates->per_inference_s;
}

double observation_deployed_s(const roof_reconciled *e)
{
    if (e->total.bypass_s > 0 || !e->prediction || !e->prediction->is_started_by_rows)
        return e->total.bypass_s;
    return e->total.sum_of_layers_s;
}
