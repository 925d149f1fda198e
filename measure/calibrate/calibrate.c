#include "roofline/calibrate.h"
#include "measure/calibrate/families.h"
#include "measure/matches/match_facts.h"
#include "measure/profile/profile.h"
#include "model/predict/calibrated.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>

/* A parameter is determined by the data if its posterior is at most this part of the width of its prior. */
#define DETERMINED_RATIO 0.5

/* Parameters that the data hardly touch go back to their prior, and the others are fitted once more. */
#define UNTOUCHED_RATIO 0.9
#define FROZEN_WIDTH    1e-6

/* A covariance follows from the rounded values, so it is off by the rounding of its few sums alone. */
enum { FITTED_DIGITS = 5, COVARIANCE_DIGITS = 8 };

/* --- the measured times that a calibration is fitted to ------------------------------------------------- */

typedef enum observed {
    OBSERVED_LAYER, /* a match, with what launching and timing it costs */
    OBSERVED_CORE,  /* an epoch while the accelerator works, where the profile tells that apart */
    OBSERVED_START, /* the rest of that epoch */
    OBSERVED_HOST,  /* an epoch that the CPU runs */
    OBSERVED_TOTAL  /* the latency of a whole-network run */
} observed;

typedef struct observed_run {
    const roof_reconciled *e;
    const roof_match *match; /* NULL: the whole inference */
    observed what;
    double measured_s, scatter;
} observed_run;

/* Expected scatter, the standard deviation of ln(measured / predicted): 16 % over the layers of a ResNet-50
 * (docs/hardware/dpuczdx8g.md), less for sums. Most epochs follow their plan closer; a constant describes the
 * CPU badly: docs/hardware/neural_art.md, "Behind the peaks". */
static const double scatters[] = {[OBSERVED_LAYER] = 0.16,
                                  [OBSERVED_CORE] = 0.08,
                                  [OBSERVED_START] = 0.5,
                                  [OBSERVED_HOST] = 1,
                                  [OBSERVED_TOTAL] = 0.08};

enum { MOST_OBSERVATIONS = 100000, MOST_OF_A_MATCH = 2 };

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
            *sum_s += !phase->n_cycles ? (double)NAN
                                       : executions * (double)phase->cycles->cycles /
                                             run_clock_hz(e->layer_run, phase->cycles->domain);
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

static bool observations_replay(const roof_reconciliation *r)
{
    bool any = false;
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        if (r->experiments[i].prediction && !replays(&r->experiments[i]))
            return false;
        any = any || r->experiments[i].prediction;
    }
    return any;
}

/* family: of each experiment; without: one that is left out, or ROOF_NONE. */
static size_t observations_collect(const roof_reconciliation *r, const uint32_t *family, uint32_t without,
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

/* The time that a calibration expects of it, by its rates for the experiment's prediction. */
static double observation_expected(const observed_run *o, const calibrated_rates *rates)
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

/* Latency of the whole-network run; for a plan also the sum of its epochs, which the CPU starts one by one
 * either way. NaN: unknown. */
static double observation_deployed_s(const roof_reconciled *e)
{
    const bool is_sum = !(e->total.bypass_s > 0) && e->prediction && e->prediction->is_started_by_rows;
    return is_sum ? e->total.sum_of_layers_s : e->total.bypass_s;
}

/* --- a fit ---------------------------------------------------------------------------------------------- */

/* All fits to one reconciliation share this: names are looked up once, not in every step of a fit. */
typedef struct calibration_task {
    const roof_reconciliation *r;
    observed_run *observed;
    double *logs;        /* of the fit that is being made: room for all that it knows of each observation */
    rate_places *places; /* of each experiment */
    uint32_t *family;    /* of each experiment: the first of those that are alike */
    bool replays;        /* the constants are those of replayed code */
    roof_arena *arena;   /* of what is needed on the way */
} calibration_task;

/* Replays of all observations at constants that were tried lately: launches and inferences change none of
 * them, and a derivative comes back to where it began. */
enum { REPLAY_CONSTANTS = 3, REMEMBERED = 8 };
typedef struct replayed {
    double constants[REPLAY_CONSTANTS];
    double *seconds; /* of each observation */
} replayed;

typedef struct fitting {
    const calibration_task *s;
    replayed memory[REMEMBERED]; /* where the task replays */
    uint32_t oldest;
    roof_calibration *c;              /* parameters with their priors */
    size_t n;                         /* observations in the task */
    double *logs;                     /* ln(expected) of each observation, by logs_of */
    double wide;                      /* how much wider they scatter than was assumed, as a variance */
    bool frozen[ROOF_MAX_PARAMETERS]; /* at their prior */
    bool no_memory;                   /* a replay found none */
    roof_error *err;
} fitting;

/* --- parameters and their priors ----------------------------------------------------------------------- */

static roof_status add_parameter(roof_calibration *c, const char *name, const char *meaning, double prior,
                                 double prior_width, double most, roof_error *err)
{
    roof_parameter *p = &c->parameters[c->n_parameters];
    TRY(HAS_ROOM(c->n_parameters, ROOF_MAX_PARAMETERS, err, "parameters to calibrate"));
    *p = (roof_parameter){.name = arena_strdup(c->arena, name),
                          .meaning = meaning,
                          .value = prior,
                          .prior = prior,
                          .prior_width = prior_width,
                          .most = most};
    TRY(ALLOCATED(p->name, err));
    c->n_parameters++;
    return ROOF_OK;
}

/* Compute engines reach nine tenths of their peak, the ports of a DPU six tenths, the pools of a Neural-ART,
 * which are read in long bursts, nine tenths (docs/hardware/neural_art.md). Both priors are wide: half of
 * them is below 0.55 or above 0.98, and below 0.28 or above 0.85. */
static roof_status add_engines(roof_calibration *c, const roof_prediction *p, roof_error *err)
{
    for (uint32_t e = 0; e < p->n_engines; e++) {
        bool moves = engine_moves_data(p->engines[e]);
        char name[EFFICIENCY_NAME_SIZE];
        engine_efficiency_name(p->engines[e], name);
        if (calibrated_places_of(c, p).engines[e] != ROOF_NONE)
            continue;
        TRY(add_parameter(c, name,
                          moves ? "part of the peak bandwidth that is reached" : "part of the engine's peak",
                          strcmp(name, "efficiency.memory") == 0 ? 0.6 : 0.9, 2, 1, err));
    }
    return ROOF_OK;
}

/* The constants that the predictions need. Only a whole-network run shows the cost of an inference on top of
 * its epochs. Starting an epoch takes 3 to 65 us, by how much there is to configure: none bounds the
 * others. */
static roof_status add_constants(roof_calibration *c, const roof_reconciliation *r, roof_error *err)
{
    bool layers = false, epochs = false, inferences = false;
    FOR_EACH(const roof_reconciled, e, r->experiments, r->n_experiments) {
        bool planned = e->prediction && e->prediction->is_started_by_rows;
        layers = layers || !planned;
        epochs = epochs || planned;
        inferences = inferences || !planned || e->total.bypass_s > 0;
    }
    double most_s = r->ceiling.seconds > 0 ? r->ceiling.seconds : INFINITY;
    if (layers)
        TRY(add_parameter(c, "per_layer_s",
                          "what every layer costs on top when it is launched and timed alone",
                          isinf(most_s) ? 1e-4 : most_s / 2, 2.5, most_s, err));
    if (inferences)
        TRY(add_parameter(c, "per_inference_s",
                          "what every whole-network inference costs on top: launch, copies, host", 3e-4, 3,
                          INFINITY, err));
    if (!epochs)
        return ROOF_OK;
    TRY(add_parameter(c, "per_start_s",
                      "what the host adds to what it starts: configuring before, tidying after", 2e-5, 2.5,
                      INFINITY, err));
    return add_parameter(c, "per_software_epoch_s",
                         "an epoch that the host runs, whatever its function: an order of magnitude", 3e-4, 2,
                         INFINITY, err);
}

/* --- least squares ------------------------------------------------------------------------------------- */

/* Huber's loss: beyond k a residual counts by its size. Some epochs take twice as long, as no plan tells.
 * P. J. Huber, Robust Estimation of a Location Parameter (1964). */
static const double huber_k = 1.345;

/* Rates at constants for the prediction that an observation is of. */
static calibrated_rates rates_of(const calibration_task *s, const observed_run *o, const double *values)
{
    return calibrated_rates_at(&s->places[o->e - s->r->experiments], values, o->e->prediction);
}

/* Every observation, replayed once at these constants. */
static const double *replays_at(fitting *fit, const double *values)
{
    const rate_places *at = &fit->s->places[fit->s->observed->e - fit->s->r->experiments];
    const uint32_t places[REPLAY_CONSTANTS] = {at->fetch, at->load, at->save};
    if (!fit->s->replays)
        return NULL;
    for (uint32_t i = 0; i < REMEMBERED; i++) {
        uint32_t same = 0;
        while (same < REPLAY_CONSTANTS && fit->memory[i].constants[same] == values[places[same]])
            same++;
        if (same == REPLAY_CONSTANTS)
            return fit->memory[i].seconds;
    }
    replayed *fresh = &fit->memory[fit->oldest++ % REMEMBERED];
    for (uint32_t k = 0; k < REPLAY_CONSTANTS; k++)
        fresh->constants[k] = values[places[k]];
    for (size_t i = 0; i < fit->n; i++) {
        const observed_run *o = &fit->s->observed[i];
        calibrated_rates rates = rates_of(fit->s, o, values);
        rates.per_layer_s = rates.per_inference_s = 0;
        fresh->seconds[i] = observation_expected(o, &rates);
    }
    return fresh->seconds;
}

static int logs_of(fitting *fit, const gsl_vector *x)
{
    const roof_calibration *c = fit->c;
    const roof_reconciled *e = NULL;
    calibrated_rates rates = {.per_layer_s = NAN};
    double values[ROOF_MAX_PARAMETERS];
    for (uint32_t i = 0; i < c->n_parameters; i++)
        values[i] = roof_parameter_value(&c->parameters[i], gsl_vector_get(x, i));
    const double *replays_s = replays_at(fit, values);
    for (size_t i = 0; i < fit->n; i++) {
        const observed_run *o = &fit->s->observed[i];
        if (!e || o->e != e) /* those of an experiment follow one another */
            rates = rates_of(fit->s, o, values);
        e = o->e;
        /* what is neither of engines nor replayed: starting layers, and an inference's extra cost */
        const double fixed_s = o->match ? rates.per_layer_s * o->match->boundaries : rates.per_inference_s;
        double expected_s = replays_s ? replays_s[i] + fixed_s : observation_expected(o, &rates);
        fit->logs[i] = log(expected_s);
        fit->no_memory = fit->no_memory || (rates.replays && isnan(expected_s));
        if (!isfinite(fit->logs[i]))
            return GSL_EDOM;
    }
    return GSL_SUCCESS;
}

/* Residuals: one for each observation, then one for each prior. */
static int residuals_of(const gsl_vector *x, void *params, gsl_vector *f)
{
    fitting *fit = params;
    const roof_calibration *c = fit->c;
    int status = logs_of(fit, x);
    for (size_t i = 0; i < fit->n && status == GSL_SUCCESS; i++) {
        const observed_run *o = &fit->s->observed[i];
        double residual = (fit->logs[i] - log(o->measured_s)) / o->scatter;
        if (!isfinite(residual))
            return GSL_EDOM;
        bool robust = o->what == OBSERVED_CORE && fabs(residual) > huber_k;
        gsl_vector_set(
            f, i, robust ? copysign(sqrt(huber_k * (2 * fabs(residual) - huber_k)), residual) : residual);
    }
    for (uint32_t i = 0; i < c->n_parameters; i++) {
        const roof_parameter *p = &c->parameters[i];
        double width = fit->frozen[i] ? FROZEN_WIDTH : p->prior_width;
        gsl_vector_set(f, fit->n + i,
                       (gsl_vector_get(x, i) - roof_parameter_transformed(p, p->prior)) / width);
    }
    return status;
}

typedef struct solver {
    gsl_multifit_nlinear_workspace *w;
    gsl_vector *start, *residuals, *tau;
    gsl_matrix *jacobian, *covariance;
} solver;

static bool solver_new(solver *s, size_t n, size_t p, bool replays)
{
    gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
    if (replays) { /* which count whole cycles: a derivative needs a step that moves them */
        parameters.fdtype = GSL_MULTIFIT_NLINEAR_CTRDIFF;
        parameters.h_df = 0.01;
    }
    *s = (solver){gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, n, p),
                  gsl_vector_alloc(p),
                  gsl_vector_alloc(n),
                  gsl_vector_alloc(p),
                  gsl_matrix_alloc(n, p),
                  gsl_matrix_alloc(p, p)};
    return s->w && s->start && s->residuals && s->tau && s->jacobian && s->covariance;
}

/* Squares of all residuals, the priors' included, at a point. */
static double squares_at(fitting *fit, gsl_vector *x, gsl_vector *f)
{
    if (residuals_of(x, fit, f) != GSL_SUCCESS)
        return INFINITY;
    double sum = 0;
    for (size_t i = 0; i < f->size; i++)
        sum += gsl_vector_get(f, i) * gsl_vector_get(f, i);
    return sum;
}

/* How far a parameter can go alone until the squares have grown by most. Near a bound, or where the data only
 * say "not more than", the curvature at the solution promises too much on one side. */
static double reach(fitting *fit, gsl_vector *x, gsl_vector *f, uint32_t i, double most, double sign)
{
    double at = gsl_vector_get(x, i), from = 0, to = 40, least = squares_at(fit, x, f);
    const int steps = fit->s->replays ? 14 : 30;
    for (int step = 0; step < steps; step++) {
        double middle = (from + to) / 2;
        gsl_vector_set(x, i, at + sign * middle);
        if (squares_at(fit, x, f) - least <= most)
            from = middle;
        else
            to = middle;
    }
    gsl_vector_set(x, i, at);
    return from;
}

/* To the digits that every processor gets. The solver stops where doubles no longer tell that the squares
 * shrink, up to 1e-6 from the solution, and where that is depends on how GSL and the C library were compiled,
 * with fused multiply-add or without. The data determine two or three digits. */
static double rounded(double value, int digits)
{
    char text[32];
    double out = value;
    print_into(text, sizeof text, "%.*e", digits - 1, value);
    number_parse(text, strlen(text), &out);
    return out;
}

/* Values, and whether the data determine them: the fit knows more than half of what the prior did not. */
static void keep_solution(fitting *fit, const solver *s)
{
    roof_calibration *c = fit->c;
    const gsl_vector *x = gsl_multifit_nlinear_position(s->w), *f = gsl_multifit_nlinear_residual(s->w);
    uint32_t dof = fit->n > c->n_parameters ? (uint32_t)fit->n - c->n_parameters : 1, host = 0;
    double all = 0, squares = 0;
    for (size_t i = 0; i < fit->n; i++) {
        const observed_run *o = &fit->s->observed[i];
        double soft = gsl_vector_get(f, i);
        bool robust = o->what == OBSERVED_CORE && fabs(soft) > huber_k;
        double ratio = (robust ? (soft * soft + huber_k * huber_k) / (2 * huber_k) : soft) * o->scatter;
        /* the CPU's part is small and badly described: it does not show how far the rest may be off */
        bool is_of_host = o->what == OBSERVED_START || o->what == OBSERVED_HOST;
        all += soft * soft;
        squares += is_of_host ? 0 : ratio * ratio;
        host += is_of_host;
    }
    fit->wide = fmax(1, all / dof); /* never narrower: few points may lie on a line by chance */
    c->residual_ratio = rounded(sqrt(squares / (dof > host ? dof - host : 1)), FITTED_DIGITS);
    for (uint32_t i = 0; i < c->n_parameters; i++) {
        roof_parameter *p = &c->parameters[i];
        double se = sqrt(fit->wide * gsl_matrix_get(s->covariance, i, i));
        double value = roof_parameter_value(p, gsl_vector_get(x, i)), round = rounded(value, FITTED_DIGITS);
        p->value = fit->frozen[i] ? p->prior : round > 0 && round < p->most ? round : value;
        p->determined = !fit->frozen[i] && se <= DETERMINED_RATIO * p->prior_width;
    }
}

static bool run_solver(fitting *fit, solver *s, gsl_multifit_nlinear_fdf *f)
{
    enum { MOST_ITERATIONS = 200 };
    const double tolerance = fit->s->replays ? 1e-5 : 1e-9; /* whole cycles allow no more */
    int info;
    for (uint32_t i = 0; i < fit->c->n_parameters; i++)
        gsl_vector_set(s->start, i,
                       roof_parameter_transformed(&fit->c->parameters[i], fit->c->parameters[i].prior));
    if (gsl_multifit_nlinear_init(s->start, f, s->w) != GSL_SUCCESS)
        return false;
    int status = gsl_multifit_nlinear_driver(MOST_ITERATIONS, tolerance, tolerance, tolerance, NULL, NULL,
                                             &info, s->w);
    if (status == GSL_EDOM)
        return false;
    /* The inverse of J'J, by J = QR: gsl_multifit_nlinear_covar ends with a signal when memory runs out. The
     * priors' rows give J full rank, unless a number is not finite. */
    size_t p = s->covariance->size1;
    gsl_matrix_memcpy(s->jacobian, gsl_multifit_nlinear_jac(s->w));
    gsl_linalg_QR_decomp(s->jacobian, s->tau);
    gsl_matrix_view r = gsl_matrix_submatrix(s->jacobian, 0, 0, p, p);
    for (size_t i = 0; i < p; i++)
        if (!(fabs(gsl_matrix_get(&r.matrix, i, i)) > 0))
            return false;
    gsl_matrix_set_identity(s->covariance);
    gsl_blas_dtrsm(CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, 1, &r.matrix, s->covariance);
    gsl_blas_dtrsm(CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, 1, &r.matrix, s->covariance);
    return true;
}

/* Solves again as long as the data leave another parameter untouched, which then stays at its prior. */
static roof_status solve(fitting *fit)
{
    roof_calibration *c = fit->c;
    size_t n = fit->n + c->n_parameters;
    gsl_multifit_nlinear_fdf f = {.f = residuals_of, .n = n, .p = c->n_parameters, .params = fit};
    solver s;
    gsl_error_handler_t *before = gsl_set_error_handler_off(); /* it would abort the caller's process */
    roof_status status =
        solver_new(&s, n, c->n_parameters, fit->s->replays) ? ROOF_OK : error_memory(fit->err);
    for (bool again = true; again && status == ROOF_OK;) {
        if (!run_solver(fit, &s, &f))
            status = error_data(fit->err,
                                "the profiles cannot be fitted: a predicted or measured time is not finite");
        again = false;
        for (uint32_t i = 0; i < c->n_parameters && status == ROOF_OK; i++) {
            const roof_parameter *p = &c->parameters[i];
            double moved = fabs(gsl_vector_get(gsl_multifit_nlinear_position(s.w), i) -
                                roof_parameter_transformed(p, p->prior));
            bool untouched =
                sqrt(gsl_matrix_get(s.covariance, i, i)) >= UNTOUCHED_RATIO * p->prior_width &&
                moved <= DETERMINED_RATIO * p->prior_width; /* near a bound, a width says little */
            again = again || (untouched && !fit->frozen[i]);
            fit->frozen[i] = fit->frozen[i] || untouched;
        }
    }
    if (status == ROOF_OK)
        keep_solution(fit, &s);
    gsl_multifit_nlinear_free(s.w);
    gsl_vector_free(s.start);
    gsl_vector_free(s.residuals);
    gsl_vector_free(s.tau);
    gsl_matrix_free(s.jacobian);
    gsl_matrix_free(s.covariance);
    gsl_set_error_handler(before);
    return fit->no_memory ? error_memory(fit->err) : status;
}

/* --- a fit, and what it leaves open ------------------------------------------------------------------ */

/* without: a family that is left out; or ROOF_NONE. */
static roof_status fitting_begin(fitting *fit, const calibration_task *s, uint32_t without,
                                 roof_calibration *c, roof_error *err)
{
    *fit = (fitting){.s = s,
                     .c = c,
                     .n = observations_collect(s->r, s->family, without, s->observed),
                     .logs = s->logs,
                     .err = err};
    if (!fit->n)
        return error_data(
            err,
            "nothing to calibrate with: it takes a model with its prediction, and its latency or the times "
            "of its layers");
    for (uint32_t i = 0; i < REMEMBERED; i++)
        fit->memory[i] = (replayed){{NAN, NAN, NAN}, fit->logs + (i + 1) * fit->n};
    return ROOF_OK;
}

/* Derivatives d ln(expected) / d x of each observation, in rows of n_parameters, the frozen ones included. A
 * replay counts whole cycles, so its difference is over a wider step. */
static roof_status gradients_of(fitting *fit, gsl_vector *x, double *gradients)
{
    uint32_t n = fit->c->n_parameters;
    double step = fit->s->replays ? 0.02 : 1e-4;
    for (uint32_t k = 0; k < n; k++) {
        double at = gsl_vector_get(x, k);
        for (int sign = -1; sign <= 1; sign += 2) {
            gsl_vector_set(x, k, at + sign * step);
            if (logs_of(fit, x) != GSL_SUCCESS)
                return fit->no_memory
                           ? error_memory(fit->err)
                           : error_data(fit->err, "the profiles cannot be fitted: a time that follows from "
                                                  "them is not finite");
            for (size_t i = 0; i < fit->n; i++)
                gradients[i * n + k] += sign * fit->logs[i] / (2 * step);
        }
        gsl_vector_set(x, k, at);
    }
    return ROOF_OK;
}

/* A network's time weighs by how well it is measured, a layer or an epoch by how well the model fits it. */
static roof_status find_covariance_of(const fitting *fit, const double *gradients, family_row *rows)
{
    roof_calibration *c = fit->c;
    double widths[ROOF_MAX_PARAMETERS];
    for (uint32_t k = 0; k < c->n_parameters; k++)
        widths[k] = c->parameters[k].prior_width;
    for (size_t i = 0; i < fit->n; i++) {
        const observed_run *o = &fit->s->observed[i];
        rows[i] = (family_row){fit->s->family[o->e - fit->s->r->experiments],
                               o->what == OBSERVED_TOTAL ? NETWORK_SCATTER : o->scatter,
                               gradients + i * c->n_parameters};
    }
    const family_data data = {rows,   fit->n,           fit->s->r->n_experiments, c->n_parameters,
                              widths, c->family_scatter};
    TRY(families_covariance(&data, c->covariance, fit->err));
    for (uint32_t k = 0; k < c->n_parameters; k++)
        for (uint32_t l = 0; l < c->n_parameters; l++)
            c->covariance[k][l] = rounded(c->covariance[k][l], COVARIANCE_DIGITS);
    return ROOF_OK;
}

/* The wider of two intervals: by the covariance with the other parameters free, and by the reach of this one
 * alone. A frozen parameter keeps its prior. */
static void set_intervals(fitting *fit, gsl_vector *x, gsl_vector *f)
{
    const double normal95 = 1.96;
    roof_calibration *c = fit->c;
    double t = roof_fit_t95(c->dof), most = t * t * fit->wide;
    for (uint32_t i = 0; i < c->n_parameters; i++) {
        roof_parameter *p = &c->parameters[i];
        double at = gsl_vector_get(x, i), down = normal95 * p->prior_width, up = down;
        if (!fit->frozen[i]) {
            double half = t * sqrt(c->covariance[i][i]);
            down = fmax(half, reach(fit, x, f, i, most, -1));
            up = fmax(half, reach(fit, x, f, i, most, 1));
        }
        p->ci95_low = roof_parameter_value(p, at - down);
        p->ci95_high = roof_parameter_value(p, at + up);
    }
}

/* How well the constants are known, given the families. solved: says which constants are frozen. */
static roof_status find_uncertainty(const calibration_task *s, fitting *solved, roof_calibration *c,
                                    roof_error *err)
{
    fitting fit;
    TRY(fitting_begin(&fit, s, ROOF_NONE, c, err));
    memcpy(fit.frozen, solved->frozen, sizeof fit.frozen);
    fit.wide = solved->wide;
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    double *gradients = NEW_ARRAY(s->arena, double, fit.n * c->n_parameters);
    family_row *rows = NEW_ARRAY(s->arena, family_row, fit.n);
    gsl_vector *x = gsl_vector_alloc(c->n_parameters), *f = gsl_vector_alloc(fit.n + c->n_parameters);
    roof_status status = ALLOCATED(gradients && rows && x && f, err);
    for (uint32_t i = 0; i < c->n_parameters && status == ROOF_OK; i++)
        gsl_vector_set(x, i, roof_parameter_transformed(&c->parameters[i], c->parameters[i].value));
    THEN(status, gradients_of(&fit, x, gradients));
    THEN(status, find_covariance_of(&fit, gradients, rows));
    if (status == ROOF_OK)
        set_intervals(&fit, x, f);
    gsl_vector_free(x);
    gsl_vector_free(f);
    gsl_set_error_handler(before);
    return fit.no_memory ? error_memory(err) : status;
}

/* --- families ----------------------------------------------------------------------------------------- */

/* Finds families, and the range of the shares of each constant. */
static roof_status find_families(const calibration_task *s, roof_calibration *c, roof_error *err)
{
    const roof_reconciliation *r = s->r;
    double *shares;
    TRY(ARENA_GET(s->arena, shares, (size_t)r->n_experiments * c->n_parameters + 1, err));
    for (uint32_t k = 0; k < c->n_parameters; k++)
        c->parameters[k].share_ratio[0] = c->parameters[k].share_ratio[1] = NAN;
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_prediction *p = r->experiments[i].prediction;
        double *of_this = shares + (size_t)i * c->n_parameters;
        if (!p)
            continue;
        calibration_shares(c, p, of_this);
        for (uint32_t k = 0; k < c->n_parameters; k++) {
            if (s->replays && isnan(of_this[k])) /* the streams ran before: what is left is memory */
                return error_memory(err);
            range_widen(c->parameters[k].share_ratio, of_this[k]);
        }
    }
    return families_find(r, shares, c->n_parameters, s->family, s->arena, err);
}

static bool can_be_left_out(const roof_reconciled *e)
{
    return e->prediction && observation_deployed_s(e) > 0;
}

/* Predicts a family by a fit to all others; *q becomes the mean of ln(predicted / measured)^2, or NaN. */
static roof_status leave_out(const calibration_task *s, uint32_t family, roof_calibration *c, double *q,
                             roof_error *err)
{
    fitting fit;
    roof_calibration *others = roof_calibration_new();
    const char *name = NULL; /* that some member is labelled with, else the first of them */
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t i = family; i < s->r->n_experiments && !name; i++)
        name = s->family[i] == family ? s->r->experiments[i].family : NULL;
    name = name ? name : s->r->experiments[family].model;
    *q = NAN;
    TRY(ALLOCATED(others, err));
    memcpy(others->parameters, c->parameters, sizeof c->parameters); /* for their priors; names stay c's */
    others->n_parameters = c->n_parameters;
    roof_status status = fitting_begin(&fit, s, family, others, err);
    THEN(status, solve(&fit));
    for (uint32_t i = family; i < s->r->n_experiments && status == ROOF_OK; i++) {
        const roof_reconciled *e = &s->r->experiments[i];
        if (s->family[i] != family || !can_be_left_out(e))
            continue;
        roof_left_out *l = &c->left_out[c->n_left_out++];
        *l = (roof_left_out){.model = arena_strdup(c->arena, e->model),
                             .family = arena_strdup(c->arena, name),
                             .measured_s = observation_deployed_s(e),
                             .predicted_s = roof_calibration_expect(others, e->prediction, NULL).total_s};
        l->error_ratio = l->predicted_s / l->measured_s - 1;
        if (!l->model || !l->family || (s->replays && isnan(l->predicted_s)))
            status = error_memory(err);
        sum += pow(log(l->predicted_s / l->measured_s), 2);
        n++;
    }
    if (n)
        *q = sum / n;
    roof_calibration_free(others);
    /* E_DATA: nothing is left without this family; then it says nothing of the others */
    return status == ROOF_E_DATA ? ROOF_OK : status;
}

/* Each family costs a fit: the first 64 tell how families scatter. */
static roof_status leave_out_each(const calibration_task *s, roof_calibration *c, roof_error *err)
{
    enum { MOST = 64 };
    const roof_reconciled *all = s->r->experiments;
    uint32_t n = s->r->n_experiments, tried = 0, left_out = 0;
    double squares = 0, q;
    bool *is_timed;
    TRY(ARENA_GET(s->arena, is_timed, (size_t)n + 1, err));
    TRY(ARENA_GET(c->arena, c->left_out, n, err));
    for (uint32_t i = 0; i < n; i++)
        if (can_be_left_out(&all[i]) && !is_timed[s->family[i]]) {
            is_timed[s->family[i]] = true;
            c->families++;
        }
    roof_status status = ROOF_OK;
    for (uint32_t i = 0; i < n && c->families > 1 && tried < MOST && status == ROOF_OK; i++)
        if (is_timed[i]) {
            status = leave_out(s, i, c, &q, err);
            tried++;
            squares += isnan(q) ? 0 : q;
            left_out += isnan(q) ? 0 : 1;
        }
    family_scatter scatter = calibrated_family_scatter(squares, left_out);
    c->family_scatter = scatter.ratio;
    c->scatter_ratio = scatter.total_ratio;
    c->dof = scatter.dof;
    return status;
}

/* --- all of it ----------------------------------------------------------------------------------------- */

static roof_status calibrate(calibration_task *s, roof_calibration *c, roof_error *err)
{
    const roof_reconciliation *r = s->r;
    if (!r->one_hardware)
        return error_data(err, "the profiles are of several kinds of hardware; calibrate each on its own");
    for (uint32_t i = 0; i < r->n_experiments; i++)
        if (experiment_is_of_other_device(&r->experiments[i]))
            return error_data(err, "'%.80s' ran on %.80s: constants of %.80s cannot be fitted to its times",
                              r->experiments[i].model, r->experiments[i].device,
                              r->experiments[i].prediction->hardware.name);
    size_t n = 1, most = (size_t)MOST_OBSERVATIONS + MOST_OF_A_MATCH + r->n_experiments + 1;
    for (uint32_t i = 0; i < r->n_experiments; i++)
        n += 1 + (size_t)MOST_OF_A_MATCH * r->experiments[i].n_matches;
    n = n < most ? n : most;
    TRY(ARENA_GET(s->arena, s->observed, n, err));
    TRY(ARENA_GET(s->arena, s->logs, (1 + REMEMBERED) * n, err));
    TRY(ARENA_GET2(s->arena, s->places, s->family, (size_t)r->n_experiments + 1, err));
    c->tool = r->tool ? arena_strdup(c->arena, r->tool) : NULL;
    s->replays = observations_replay(r);
    if (s->replays) {
        /* Priors were fitted to layers on a ZCU104; the front end is part of the design, so it varies less
         * than a board's memory (docs/hardware/dpuczdx8g.md, "What to expect"). */
        TRY(add_parameter(c, "fetch_cycles_per_word",
                          "cycles between two instructions for each of the first one's words", 8.2, 0.25,
                          INFINITY, err));
        TRY(add_parameter(c, "efficiency.load", "part of the load port's width that is reached", 28.2 / 32, 2,
                          1, err));
        TRY(add_parameter(c, "efficiency.save", "part of the width of a save port that is reached", 9.8 / 16,
                          2, 1, err));
    }
    for (uint32_t i = 0; i < r->n_experiments; i++)
        if (r->experiments[i].prediction && !s->replays)
            TRY(add_engines(c, r->experiments[i].prediction, err));
    TRY(add_constants(c, r, err));
    double slowest_hz = INFINITY, fastest_hz = 0;
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_prediction *p = r->experiments[i].prediction;
        s->family[i] = i;
        if (p)
            s->places[i] = calibrated_places_of(c, p);
        if (p && p->hardware.id && !c->hardware_id) /* the entry's: a document may use an alias */
            c->hardware_id = arena_strdup(c->arena, p->hardware.id);
        slowest_hz = p ? fmin(slowest_hz, p->hardware.clock_hz) : slowest_hz;
        fastest_hz = p ? fmax(fastest_hz, p->hardware.clock_hz) : fastest_hz;
    }
    c->clock_hz = slowest_hz < fastest_hz || !(fastest_hz > 0) ? (double)NAN : fastest_hz;
    fitting fit;
    TRY(fitting_begin(&fit, s, ROOF_NONE, c, err));
    for (size_t i = 0; i < fit.n; i++) {
        c->layers += s->observed[i].match && s->observed[i].what != OBSERVED_START;
        c->totals += s->observed[i].match == NULL;
    }
    TRY(solve(&fit));
    TRY(find_families(s, c, err));
    TRY(leave_out_each(s, c, err));
    return find_uncertainty(s, &fit, c, err);
}

roof_status roof_calibrate(const roof_reconciliation *r, roof_calibration **out, roof_error *err)
{
    roof_calibration *c = roof_calibration_new();
    calibration_task s = {.r = r, .arena = arena_new(0)};
    roof_status status = c && s.arena ? calibrate(&s, c, err) : error_memory(err);
    THEN(status, arena_status(c->arena, err));
    arena_free(s.arena);
    *out = NULL;
    return GIVE(status, out, c, roof_calibration_free);
}
