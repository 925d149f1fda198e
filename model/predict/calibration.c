/* Applying a calibration. Fitting it is the matter of measure/calibrate/calibrate.c. */
#include "roofline/calibration.h"
#include "model/predict/calibrated.h"

#include <gsl/gsl_cdf.h>

/* --- making -------------------------------------------------------------------------------------------- */

roof_calibration *roof_calibration_new(void)
{
    roof_arena *arena;
    roof_calibration *c = NEW_ROOT(&arena, roof_calibration, NULL);
    if (!c)
        return NULL;
    c->arena = arena;
    c->scatter_ratio = c->residual_ratio = c->family_scatter = c->clock_hz = NAN;
    return c;
}

ARENA_FREES(roof_calibration_free, roof_calibration, calibration)

double roof_parameter_transformed(const roof_parameter *p, double value)
{
    return isinf(p->most) ? log(value) : log(value / (p->most - value));
}

double roof_parameter_value(const roof_parameter *p, double transformed)
{
    const double largest = 690; /* and its exponential is still a number */
    return isinf(p->most) ? exp(fmin(transformed, largest)) : p->most / (1 + exp(-transformed));
}

/* --- the time of a layer ------------------------------------------------------------------------------- */

static uint32_t place_of(const roof_calibration *c, const char *name)
{
    const uint32_t i = NAMED_AT(c->parameters, c->n_parameters, name, name);
    return i < c->n_parameters ? i : ROOF_NONE;
}

rate_places calibrated_places_of(const roof_calibration *c, const roof_prediction *p)
{
    rate_places at = {.per_layer = place_of(c, "per_layer_s"),
                      .per_inference = place_of(c, "per_inference_s"),
                      .per_start = place_of(c, "per_start_s"),
                      .per_software_epoch = place_of(c, "per_software_epoch_s"),
                      .fetch = place_of(c, "fetch_cycles_per_word"),
                      .load = place_of(c, "efficiency.load"),
                      .save = place_of(c, "efficiency.save")};
    for (uint32_t e = 0; e < p->n_engines && e < ROOF_MAX_ENGINES; e++) {
        char name[EFFICIENCY_NAME_SIZE];
        engine_efficiency_name(p->engines[e], name);
        at.engines[e] = place_of(c, name);
    }
    return at;
}

static double value_at(const double *values, uint32_t place, double otherwise)
{
    return place == ROOF_NONE ? otherwise : values[place];
}

calibrated_rates calibrated_rates_at(const rate_places *at, const double *values, const roof_prediction *p)
{
    calibrated_rates r = {.per_layer_s = value_at(values, at->per_layer, 0),
                          .per_inference_s = value_at(values, at->per_inference, 0),
                          .per_start_s = value_at(values, at->per_start, NAN),
                          .per_software_epoch_s = value_at(values, at->per_software_epoch, NAN)};
    r.replays = at->fetch != ROOF_NONE;
    if (r.replays && p->code) {
        /* queues hold two: 1 to 4 fit alike (docs/hardware/dpuczdx8g.md, "What to expect") */
        r.timing = p->code->ideal;
        r.timing.load_bytes_per_cycle *= value_at(values, at->load, 1);
        r.timing.save_bytes_per_cycle *= value_at(values, at->save, 1);
        r.timing.pieces_are_accesses = true;
        r.timing.fetch_cycles_per_word = value_at(values, at->fetch, 0);
        r.timing.queue_depth = 2;
    }
    for (uint32_t e = 0; e < p->n_engines && e < ROOF_MAX_ENGINES; e++)
        r.seconds_per_cycle[e] = 1 / (p->hardware.clock_hz * value_at(values, at->engines[e], 1));
    return r;
}

/* transformed: values of all parameters in place of the calibration's own, or NULL. */
static calibrated_rates rates_of(const roof_calibration *c, const double *transformed,
                                 const roof_prediction *p)
{
    double values[ROOF_MAX_PARAMETERS] = {0}; /* gcc doubts the rest, which nobody asks for */
    rate_places at = calibrated_places_of(c, p);
    for (uint32_t i = 0; i < c->n_parameters; i++)
        values[i] =
            transformed ? roof_parameter_value(&c->parameters[i], transformed[i]) : c->parameters[i].value;
    return calibrated_rates_at(&at, values, p);
}

bool calibration_replays(const roof_calibration *c, const roof_prediction *p, replay_timing *timing)
{
    calibrated_rates rates = rates_of(c, NULL, p);
    *timing = rates.timing;
    return rates.replays;
}

double calibrated_cost_s(const roof_prediction *p, const roof_cost *cost, const calibrated_rates *rates)
{
    double largest = 0;
    for (uint32_t e = 0; cost->cycles && e < p->n_engines && e < ROOF_MAX_ENGINES; e++) {
        double seconds =
            cost->cycles[e] == ROOF_UNKNOWN ? 0 : (double)cost->cycles[e] * rates->seconds_per_cycle[e];
        largest = seconds > largest ? seconds : largest;
    }
    return largest;
}

/* --- epochs ------------------------------------------------------------------------------------------- */

bool layer_uses_host(const roof_layer_prediction *layer)
{
    return layer->executor == ROOF_BY_HOST || layer->executor == ROOF_BY_BOTH;
}

bool layer_uses_accelerator(const roof_layer_prediction *layer)
{
    return layer->executor != ROOF_BY_HOST;
}

double calibrated_alone_s(const roof_prediction *p, uint32_t layer, const calibrated_rates *rates)
{
    double seconds = NAN;
    roof_error ignored; /* as below */
    if (!p->code || schedule_replay_alone(p->code, &rates->timing, layer, &seconds, &ignored) != ROOF_OK)
        return NAN;
    return p->code->alone[layer] ? seconds : 0;
}

double calibrated_deployed_s(const roof_prediction *p, const calibrated_rates *rates, double *layer_s)
{
    double sum = rates->per_inference_s, replayed_s;
    if (rates->replays) {
        const schedule_rows rows = {layer_s, NULL, p->n_layers};
        roof_error ignored; /* the streams ran before: what is left is memory, and then nothing is known */
        for (uint32_t i = 0; layer_s && i < p->n_layers; i++) /* others than those replayed keep NaN */
            layer_s[i] = p->layers[i].schedule.waits_cycles == ROOF_UNKNOWN ? NAN : 0;
        if (!p->code || schedule_replay(p->code, &rates->timing, layer_s ? &rows : NULL, &replayed_s,
                                        &ignored) != ROOF_OK)
            return NAN;
        return sum + replayed_s;
    }
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *l = &p->layers[i];
        double seconds = calibrated_cost_s(p, &l->deployed, rates);
        bool is_epoch = p->is_started_by_rows && !l->is_remainder;
        /* Layers of one part of the network follow one another without the host. Layers in none have the
         * network's name; layers of an uncompiled graph have that of their device. */
        bool is_started = is_epoch && layer_uses_accelerator(l) &&
                          (i == 0 || !p->model.compiled || strcmp(l->subgraph, p->model.name) == 0 ||
                           strcmp(l->subgraph, p->layers[i - 1].subgraph) != 0);
        /* the host starts and ends an epoch, and does its own work, whose time no plan states */
        if (is_epoch)
            seconds += (is_started ? rates->per_start_s : 0) +
                       (layer_uses_host(l) ? rates->per_software_epoch_s : 0);
        sum += l->repeat * seconds;
        /* the ideal time of an epoch that the host runs is unknown, and nothing is taken from it */
        bool is_expected =
            (is_epoch && !layer_uses_accelerator(l)) || (l->deployed.cycles && !isnan(l->deployed.ideal_s));
        if (layer_s)
            layer_s[i] = is_expected ? seconds : NAN;
    }
    return sum;
}

/* --- expected times ------------------------------------------------------------------------------------ */

/* d ln(total) / d x for each parameter, by a central difference: the maximum over engines has no derivative
 * where two of them tie, and a difference over a small step is what it is there. */
static void gradient_of(const roof_calibration *c, const roof_prediction *p, double *gradient)
{
    double step = rates_of(c, NULL, p).replays ? 1e-2 : 1e-4; /* a replay counts whole cycles */
    double moved[ROOF_MAX_PARAMETERS];
    for (uint32_t i = 0; i < c->n_parameters; i++)
        moved[i] = roof_parameter_transformed(&c->parameters[i], c->parameters[i].value);
    for (uint32_t i = 0; i < c->n_parameters; i++) {
        double x = moved[i];
        moved[i] = x + step;
        calibrated_rates up = rates_of(c, moved, p);
        moved[i] = x - step;
        calibrated_rates down = rates_of(c, moved, p);
        moved[i] = x;
        gradient[i] =
            (log(calibrated_deployed_s(p, &up, NULL)) - log(calibrated_deployed_s(p, &down, NULL))) /
            (2 * step);
    }
}

/* d ln(value) / d x is 1 - value / most. */
static double share_of(const roof_parameter *p, double gradient)
{
    return fabs(gradient) / (1 - p->value / p->most);
}

void calibration_shares(const roof_calibration *c, const roof_prediction *p, double *share)
{
    gradient_of(c, p, share);
    for (uint32_t i = 0; i < c->n_parameters; i++)
        share[i] = share_of(&c->parameters[i], share[i]);
}

/* docs/hardware/dpuczdx8g.md, "Intervals": the prior of the scatter, and how many families it counts as. */
static const double prior_scatter = 0.10;
enum { PRIOR_FAMILIES = 4, FEWEST_FAMILIES = 3 };

family_scatter calibrated_family_scatter(double squares, uint32_t families)
{
    uint32_t n = families < FEWEST_FAMILIES ? 0 : families;
    double prior = PRIOR_FAMILIES * prior_scatter * prior_scatter;
    double ratio = sqrt((prior + (n ? squares : 0)) / (PRIOR_FAMILIES + n));
    return (family_scatter){ratio, hypot(ratio, NETWORK_SCATTER), PRIOR_FAMILIES + n};
}

roof_expected roof_calibration_expect(const roof_calibration *c, const roof_prediction *p, double *layer_s)
{
    double gradient[ROOF_MAX_PARAMETERS], variance = 0;
    calibrated_rates rates = rates_of(c, NULL, p);
    roof_expected out = {.total_s = calibrated_deployed_s(p, &rates, layer_s),
                         .per_inference_s = rates.per_inference_s};
    gradient_of(c, p, gradient);
    /* the parameter whose share is farthest from those of the networks that were fitted */
    double farthest = ROOF_SHARE_MARGIN;
    out.outside = ROOF_NONE;
    for (uint32_t i = 0; i < c->n_parameters; i++) {
        const roof_parameter *q = &c->parameters[i];
        double share = share_of(q, gradient[i]);
        double distance = fmax(q->share_ratio[0] - share, share - q->share_ratio[1]);
        if (!(distance > farthest))
            continue;
        farthest = distance;
        out.outside = i;
        out.share_ratio = share;
    }
    for (uint32_t i = 0; i < c->n_parameters; i++)
        for (uint32_t k = 0; k < c->n_parameters; k++)
            variance += gradient[i] * c->covariance[i][k] * gradient[k];
    variance += isnan(c->scatter_ratio) ? 0 : c->scatter_ratio * c->scatter_ratio;
    double half = gsl_cdf_tdist_Pinv(0.975, c->dof ? c->dof : 1) * sqrt(variance < 0 ? 0 : variance);
    out.ci95_s[0] = out.total_s * exp(-half);
    out.ci95_s[1] = out.total_s * exp(half);
    return out;
}

/* --- in words ----------------------------------------------------------------------------------------- */

/* The arena remembers where a text found no memory; it is as if it were not there. */
static const char *errors_of(const roof_calibration *c, roof_arena *arena)
{
    enum { MOST = 8 };
    const char *list = "";
    for (uint32_t i = 0; i < c->n_left_out && i < MOST; i++) {
        double error = quotient_of(c->left_out[i].predicted_s, c->left_out[i].measured_s) - 1;
        const char *number = isnan(error) ? "?" : text_or_empty(arena_printf(arena, "%+.1f", 100 * error));
        list = text_or_empty(arena_printf(arena, "%s%s%s %% (%.60s)", list,
                                          i ? ", " : "; each family left out of its own fit: ", number,
                                          c->left_out[i].model));
    }
    return c->n_left_out > MOST
               ? text_or_empty(arena_printf(arena, "%s and %u more", list, c->n_left_out - MOST))
               : list;
}

const char *calibration_describe(const roof_calibration *c, roof_arena *arena)
{
    const char *families = "", *scatter = "";
    if (c->families)
        families = text_or_empty(
            arena_printf(arena, " of %u famil%s of networks", c->families, c->families == 1 ? "y" : "ies"));
    if (!isnan(c->family_scatter))
        scatter = text_or_empty(arena_printf(
            arena,
            c->families < FEWEST_FAMILIES ? "; too few families to tell how others scatter: %.0f %% assumed"
                                          : "; networks of other families scatter by %.0f %%",
            100 * c->family_scatter));
    return arena_printf(arena, "fitted to %u layer%s and %u inference%s%s%s%s%s%s", c->layers,
                        c->layers == 1 ? "" : "s", c->totals, c->totals == 1 ? "" : "s", families,
                        c->hardware_id ? " on " : "", c->hardware_id ? c->hardware_id : "", scatter,
                        errors_of(c, arena));
}
