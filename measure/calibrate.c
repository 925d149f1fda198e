#include "roofline/calibrate.h"
#include "core/arena.h"
#include "core/error.h"
#include "measure/observations.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parameters whose posterior is at most this part of the prior's width are determined by the data. */
#define DETERMINED_RATIO 0.5

/* Those that the data have hardly touched are put back to their prior, and the others are fitted once more. */
#define UNTOUCHED_RATIO 0.9
#define FROZEN_WIDTH    1e-6

enum { MOST_ITERATIONS = 200 };

/* What all fits to one reconciliation share: names are looked up once, not in every step of a fit. */
typedef struct study {
    const roof_reconciliation *r;
    observed_run *room;
    rate_places *places; /* of each experiment */
    bool replays;        /* the constants are those of replayed code */
} study;

/* What the replays of all observations take at constants that were tried lately: launches and inferences change none of them, and
 * a derivative comes back to where it began. */
enum { REPLAY_CONSTANTS = 3, REMEMBERED = 8 };
typedef struct replayed {
    double constants[REPLAY_CONSTANTS];
    double *seconds; /* of each observation */
} replayed;

typedef struct fitting {
    const study *s;
    replayed memory[REMEMBERED]; /* where the study replays */
    uint32_t oldest;
    roof_calibration *c;              /* parameters with their priors */
    size_t n;                         /* observations in the study's room */
    bool values_only;                 /* without intervals */
    bool frozen[ROOF_MAX_PARAMETERS]; /* at their prior */
    bool no_memory;                   /* a replay found none */
    roof_error *err;
} fitting;

/* --- parameters and their priors ----------------------------------------------------------------------- */

static roof_status add_parameter(roof_calibration *c, roof_parameter p, roof_error *err)
{
    if (c->n_parameters == ROOF_MAX_PARAMETERS)
        return error_set(err, ROOF_E_LIMIT, "more than %d parameters to calibrate", ROOF_MAX_PARAMETERS);
    p.name = arena_strdup(c->arena, p.name);
    p.value = p.prior;
    if (!p.name)
        return error_memory(err);
    c->parameters[c->n_parameters++] = p;
    return ROOF_OK;
}

/* Compute engines at nine tenths of their peak, the ports of a DPU at six tenths; both are wide, so that they pull at nothing
 * that the data tell: half of the prior is below 0.55 or above 0.98, and below 0.28 or above 0.85. The pools of a Neural-ART
 * are read in long bursts, and the flash was seen at 0.86 of its peak (docs/hardware/neural_art.md): nine tenths too. */
static roof_status add_engines(roof_calibration *c, const roof_prediction *p, roof_error *err)
{
    for (uint32_t e = 0; e < p->n_engines; e++) {
        bool moves = engine_moves_data(p->engines[e]);
        char name[EFFICIENCY_NAME_SIZE];
        efficiency_name(p->engines[e], name);
        if (rate_places_of(c, p).engines[e] != ROOF_NONE)
            continue;
        roof_parameter q = {.name = name,
                            .meaning = moves ? "part of the peak bandwidth that is reached"
                                             : "part of the engine's peak",
                            .prior = strcmp(name, "efficiency.memory") == 0 ? 0.6 : 0.9,
                            .prior_width = 2,
                            .most = 1};
        TRY(add_parameter(c, q, err));
    }
    return ROOF_OK;
}

/* What code is replayed with. Priors are what was fitted to layers on a ZCU104; the front end is that of the design, so that it
 * moves less than a board's memory does (docs/hardware/dpuczdx8g.md, "What to expect"). */
static roof_status add_replay(roof_calibration *c, roof_error *err)
{
    static const roof_parameter all[] = {
        {.name = "fetch_cycles_per_word",
         .meaning = "cycles between two instructions for each of the first one's words",
         .prior = 8.2,
         .prior_width = 0.25,
         .most = INFINITY},
        {.name = "efficiency.load",
         .meaning = "part of the load port's width that is reached",
         .prior = 28.2 / 32,
         .prior_width = 2,
         .most = 1},
        {.name = "efficiency.save",
         .meaning = "part of the width of a save port that is reached",
         .prior = 9.8 / 16,
         .prior_width = 2,
         .most = 1},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        TRY(add_parameter(c, all[i], err));
    return ROOF_OK;
}

/* Which constants the predictions call for. A profile by epochs tells nothing of what an inference costs on top: only a bypass
 * time does. Starting an epoch takes from 3 to 65 us, the longer the more there is to configure, so that no epoch bounds it for
 * the others. */
static roof_status add_constants(roof_calibration *c, const roof_reconciliation *r, roof_error *err)
{
    bool layers = false, epochs = false, inferences = false;
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_reconciled *e = &r->experiments[i];
        bool planned = e->prediction && e->prediction->is_started_by_rows;
        layers = layers || !planned;
        epochs = epochs || planned;
        inferences = inferences || !planned || e->total.bypass_s > 0;
    }
    double most_s = r->ceiling.seconds > 0 ? r->ceiling.seconds : INFINITY;
    const struct {
        bool wanted;
        const char *name, *meaning;
        double prior, width, most;
    } constants[] = {
        {layers, "per_layer_s", "what every layer costs on top when it is launched and timed alone",
         isinf(most_s) ? 1e-4 : most_s / 2, 2.5, most_s},
        {inferences, "per_inference_s", "what every deployed inference costs on top: launch, copies, host",
         3e-4, 3, INFINITY},
        {epochs, "per_start_s", "what the host adds to what it starts: configuring before, tidying after",
         2e-5, 2.5, INFINITY},
        {epochs, "per_software_epoch_s",
         "an epoch that the host runs, whatever its function: an order of magnitude", 3e-4, 2, INFINITY}};
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (constants[i].wanted)
            TRY(add_parameter(c,
                              (roof_parameter){.name = constants[i].name,
                                               .meaning = constants[i].meaning,
                                               .prior = constants[i].prior,
                                               .prior_width = constants[i].width,
                                               .most = constants[i].most},
                              err));
    return ROOF_OK;
}

/* --- least squares ------------------------------------------------------------------------------------- */

/* Huber's loss, as what is squared: beyond k a residual counts by its size. An epoch may wait for what no plan tells, and is then
 * twice as slow; it must not make all others look so. P. J. Huber, Robust Estimation of a Location Parameter (1964). */
static const double huber_k = 1.345;

static double softened(const observed_run *o, double residual)
{
    double size = fabs(residual);
    bool robust = o->what == OBSERVED_CORE && size > huber_k;
    return robust ? copysign(sqrt(huber_k * (2 * size - huber_k)), residual) : residual;
}

static double hardened(const observed_run *o, double softened)
{
    bool robust = o->what == OBSERVED_CORE && fabs(softened) > huber_k;
    return robust ? (softened * softened + huber_k * huber_k) / (2 * huber_k) : softened;
}

/* Replays every observation once. */
static void replay_all(const fitting *fit, const double *values, double *seconds)
{
    for (size_t i = 0; i < fit->n; i++) {
        const observed_run *o = &fit->s->room[i];
        calibrated_rates rates =
            rates_at(&fit->s->places[o->e - fit->s->r->experiments], values, o->e->prediction);
        rates.per_layer_s = rates.per_inference_s = 0;
        seconds[i] = observation_expected(o, &rates);
    }
}

static const double *replays_at(fitting *fit, const double *values)
{
    const rate_places *at = &fit->s->places[fit->s->room->e - fit->s->r->experiments];
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
    replay_all(fit, values, fresh->seconds);
    return fresh->seconds;
}

/* Residuals: one for each observation, then one for each prior. */
static int residuals_of(const gsl_vector *x, void *params, gsl_vector *f)
{
    fitting *fit = params;
    const roof_calibration *c = fit->c;
    const roof_reconciled *e = NULL;
    calibrated_rates rates = {.per_layer_s = NAN};
    double values[ROOF_MAX_PARAMETERS];
    for (uint32_t i = 0; i < c->n_parameters; i++)
        values[i] = roof_parameter_value(&c->parameters[i], gsl_vector_get(x, i));
    const double *replays_s = replays_at(fit, values);
    for (size_t i = 0; i < fit->n; i++) {
        const observed_run *o = &fit->s->room[i];
        if (o->e != e) /* those of an experiment follow one another */
            rates = rates_at(&fit->s->places[o->e - fit->s->r->experiments], values, o->e->prediction);
        e = o->e;
        double expected_s =
            replays_s ? replays_s[i] + observation_fixed(o, &rates) : observation_expected(o, &rates);
        double residual = log(expected_s / o->measured_s) / o->scatter;
        fit->no_memory = fit->no_memory || (rates.replays && isnan(expected_s));
        if (!isfinite(residual))
            return GSL_EDOM;
        gsl_vector_set(f, i, softened(o, residual));
    }
    for (uint32_t i = 0; i < c->n_parameters; i++) {
        const roof_parameter *p = &c->parameters[i];
        double width = fit->frozen[i] ? FROZEN_WIDTH : p->prior_width;
        gsl_vector_set(f, fit->n + i,
                       (gsl_vector_get(x, i) - roof_parameter_transformed(p, p->prior)) / width);
    }
    return GSL_SUCCESS;
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

static void solver_free(solver *s)
{
    gsl_multifit_nlinear_free(s->w);
    gsl_vector_free(s->start);
    gsl_vector_free(s->residuals);
    gsl_vector_free(s->tau);
    gsl_matrix_free(s->jacobian);
    gsl_matrix_free(s->covariance);
}

/* How much wider the scatter is than was assumed, never narrower: few points may lie on a line by chance. */
static double widening(const fitting *fit, const gsl_vector *f, uint32_t *dof)
{
    double squares = 0;
    uint32_t p = fit->c->n_parameters;
    for (size_t i = 0; i < fit->n; i++)
        squares += gsl_vector_get(f, i) * gsl_vector_get(f, i);
    *dof = fit->n > p ? (uint32_t)fit->n - p : 1;
    return fmax(1, squares / *dof);
}

/* What the host does is a small part of an inference and badly described: it does not tell how far the rest may be off. */
static double scatter_of(const fitting *fit, const gsl_vector *f, uint32_t dof)
{
    double squares = 0;
    uint32_t host = 0;
    for (size_t i = 0; i < fit->n; i++) {
        const observed_run *o = &fit->s->room[i];
        double ratio = hardened(o, gsl_vector_get(f, i)) * o->scatter;
        bool is_of_host = o->what == OBSERVED_START || o->what == OBSERVED_HOST;
        squares += is_of_host ? 0 : ratio * ratio;
        host += is_of_host;
    }
    return sqrt(squares / (dof > host ? dof - host : 1));
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

/* How far a parameter can go, the others staying, until the squares have grown by most. Near a bound, or where the data only
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

/* The wider of the two: by the curvature, with the other parameters free, and by the reach of this one alone. */
static void keep_parameter(fitting *fit, solver *s, gsl_vector *x, gsl_vector *f, uint32_t i, double wide)
{
    roof_parameter *p = &fit->c->parameters[i];
    double at = gsl_vector_get(x, i), se = sqrt(wide * gsl_matrix_get(s->covariance, i, i));
    double t = roof_fit_t95(fit->c->dof);
    p->determined = se <= DETERMINED_RATIO * p->prior_width;
    p->value = roof_parameter_value(p, at);
    if (fit->values_only)
        return;
    p->ci95_low = roof_parameter_value(p, at - fmax(t * se, reach(fit, x, f, i, t * t * wide, -1)));
    p->ci95_high = roof_parameter_value(p, at + fmax(t * se, reach(fit, x, f, i, t * t * wide, 1)));
}

/* What was frozen keeps its prior, with the prior's own width: nobody has learned anything about it. */
static void keep_frozen(roof_calibration *c, uint32_t i)
{
    const double normal95 = 1.96;
    roof_parameter *p = &c->parameters[i];
    double at = roof_parameter_transformed(p, p->prior);
    p->determined = false;
    p->value = p->prior;
    p->ci95_low = roof_parameter_value(p, at - normal95 * p->prior_width);
    p->ci95_high = roof_parameter_value(p, at + normal95 * p->prior_width);
    for (uint32_t k = 0; k < c->n_parameters; k++)
        c->covariance[i][k] = c->covariance[k][i] = 0;
    c->covariance[i][i] = p->prior_width * p->prior_width;
}

static void keep_solution(fitting *fit, solver *s)
{
    roof_calibration *c = fit->c;
    gsl_vector *f = s->residuals, *x = s->start; /* both are free now */
    gsl_vector_memcpy(x, gsl_multifit_nlinear_position(s->w));
    gsl_vector_memcpy(f, gsl_multifit_nlinear_residual(s->w));
    double wide = widening(fit, f, &c->dof);
    c->scatter_ratio = scatter_of(fit, f, c->dof);
    for (uint32_t i = 0; i < c->n_parameters; i++) {
        if (!fit->frozen[i])
            keep_parameter(fit, s, x, f, i, wide);
        for (uint32_t k = 0; k < c->n_parameters; k++)
            c->covariance[i][k] = wide * gsl_matrix_get(s->covariance, i, k);
    }
    for (uint32_t i = 0; i < c->n_parameters; i++)
        if (fit->frozen[i])
            keep_frozen(c, i);
}

/* True when another parameter was frozen. */
static bool freeze_untouched(fitting *fit, const solver *s)
{
    bool any = false;
    for (uint32_t i = 0; i < fit->c->n_parameters; i++) {
        const roof_parameter *p = &fit->c->parameters[i];
        double moved = fabs(gsl_vector_get(gsl_multifit_nlinear_position(s->w), i) -
                            roof_parameter_transformed(p, p->prior));
        bool untouched = sqrt(gsl_matrix_get(s->covariance, i, i)) >= UNTOUCHED_RATIO * p->prior_width &&
                         moved <= DETERMINED_RATIO * p->prior_width; /* near a bound, a width says little */
        any = any || (untouched && !fit->frozen[i]);
        fit->frozen[i] = fit->frozen[i] || untouched;
    }
    return any;
}

/* The inverse of J'J, by J = QR. gsl_multifit_nlinear_covar ends with a signal when memory runs out. The rows of the priors
 * see to it that J has full rank, unless a number is not finite. */
static bool find_covariance(solver *s)
{
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

static bool run_solver(fitting *fit, solver *s, gsl_multifit_nlinear_fdf *f)
{
    const double tolerance = fit->s->replays ? 1e-5 : 1e-9; /* whole cycles allow no more */
    int info;
    for (uint32_t i = 0; i < fit->c->n_parameters; i++)
        gsl_vector_set(s->start, i,
                       roof_parameter_transformed(&fit->c->parameters[i], fit->c->parameters[i].prior));
    if (gsl_multifit_nlinear_init(s->start, f, s->w) != GSL_SUCCESS)
        return false;
    int status = gsl_multifit_nlinear_driver(MOST_ITERATIONS, tolerance, tolerance, tolerance, NULL, NULL,
                                             &info, s->w);
    return status != GSL_EDOM && find_covariance(s);
}

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
            status = error_set(fit->err, ROOF_E_DATA,
                               "the profiles cannot be fitted: a predicted or measured time is not finite");
        again = status == ROOF_OK && freeze_untouched(fit, &s);
    }
    if (status == ROOF_OK)
        keep_solution(fit, &s);
    solver_free(&s);
    gsl_set_error_handler(before);
    return fit->no_memory ? error_memory(fit->err) : status;
}

/* --- all of it ----------------------------------------------------------------------------------------- */

/* without: an experiment that is left out with all others of its network, for the values alone; or ROOF_NONE. */
static roof_status fit_to(const study *s, uint32_t without, roof_calibration *c, roof_error *err)
{
    fitting fit = {.s = s,
                   .c = c,
                   .n = observations_collect(s->r, without, s->room),
                   .values_only = without != ROOF_NONE,
                   .err = err};
    if (!fit.n)
        return error_set(err, ROOF_E_DATA,
                         "nothing to calibrate with: it takes a model with its prediction, and its bypass "
                         "time or the times "
                         "of its layers");
    double *room = s->replays ? calloc(fit.n, REMEMBERED * sizeof *room) : NULL;
    if (s->replays && !room)
        return error_memory(err);
    for (uint32_t i = 0; room && i < REMEMBERED; i++)
        fit.memory[i] = (replayed){{NAN, NAN, NAN}, room + i * fit.n};
    for (size_t i = 0; i < fit.n; i++) {
        c->layers += s->room[i].unit && s->room[i].what != OBSERVED_START;
        c->totals += s->room[i].unit == NULL;
    }
    roof_status status = solve(&fit);
    free(room);
    return status;
}

static bool can_be_left_out(const roof_reconciled *e)
{
    return e->prediction && deployed_measured(e) > 0;
}

/* Predicts all experiments of one network, from the first of them on, by those of all other networks. left_out has a place
 * for each experiment. */
static roof_status leave_out(const study *s, uint32_t first, uint32_t n, roof_calibration *c, roof_error *err)
{
    roof_calibration *others = roof_calibration_new();
    roof_error ignored; /* nothing is left without this one: then there is nothing to say */
    if (!others)
        return error_memory(err);
    memcpy(others->parameters, c->parameters,
           sizeof c->parameters); /* their priors are wanted; names stay c's */
    others->n_parameters = c->n_parameters;
    roof_status status = fit_to(s, first, others, &ignored);
    for (uint32_t i = first; i < n && status == ROOF_OK; i++) {
        const roof_reconciled *e = &s->r->experiments[i];
        if (!can_be_left_out(e) || !same_network(e, &s->r->experiments[first]))
            continue;
        roof_left_out *l = &c->left_out[i];
        *l = (roof_left_out){.model = arena_strdup(c->arena, e->model),
                             .measured_s = deployed_measured(e),
                             .predicted_s = roof_calibration_expect(others, e->prediction, NULL).total_s};
        l->error_ratio = l->predicted_s / l->measured_s - 1;
        status = l->model && !(s->replays && isnan(l->predicted_s)) ? ROOF_OK : ROOF_E_NO_MEMORY;
    }
    roof_calibration_free(others);
    return status == ROOF_E_NO_MEMORY ? error_memory(err) : ROOF_OK;
}

static roof_status leave_out_each(const study *s, roof_calibration *c, roof_error *err)
{
    enum { MOST = 64 }; /* each network costs a fit */
    const roof_reconciled *all = s->r->experiments;
    uint32_t n = s->r->n_experiments < MOST ? s->r->n_experiments : MOST;
    c->left_out = NEW_ARRAY(c->arena, roof_left_out, n);
    if (!c->left_out)
        return error_memory(err);
    for (uint32_t i = 0; i < n && s->r->n_experiments > 1; i++)
        if (can_be_left_out(&all[i]) && !c->left_out[i].model)
            TRY(leave_out(s, i, n, c, err));
    for (uint32_t i = 0; i < n; i++)
        if (c->left_out[i].model)
            c->left_out[c->n_left_out++] = c->left_out[i];
    return ROOF_OK;
}

static roof_status calibrate(study *s, roof_calibration *c, roof_error *err)
{
    const roof_reconciliation *r = s->r;
    if (!r->one_hardware)
        return error_set(err, ROOF_E_DATA,
                         "the profiles are of several kinds of hardware; calibrate each on its own");
    s->replays = observations_replay(r);
    if (s->replays)
        TRY(add_replay(c, err));
    for (uint32_t i = 0; i < r->n_experiments; i++)
        if (r->experiments[i].prediction && !s->replays)
            TRY(add_engines(c, r->experiments[i].prediction, err));
    TRY(add_constants(c, r, err));
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        const roof_prediction *p = r->experiments[i].prediction;
        if (p)
            s->places[i] = rate_places_of(c, p);
        if (p && p->hardware.id &&
            !c->hardware_id) /* the entry's own id: a document may have used an alias */
            c->hardware_id = arena_strdup(c->arena, p->hardware.id);
    }
    TRY(fit_to(s, ROOF_NONE, c, err));
    return leave_out_each(s, c, err);
}

roof_status roof_calibrate(const roof_reconciliation *r, roof_calibration **out, roof_error *err)
{
    roof_calibration *c = roof_calibration_new();
    study s = {.r = r,
               .room = calloc(observations_room(r) + 1, sizeof *s.room),
               .places = calloc((size_t)r->n_experiments + 1, sizeof *s.places)};
    bool ready = c && s.room && s.places;
    roof_status status = ready ? calibrate(&s, c, err) : error_memory(err);
    if (status == ROOF_OK)
        status = arena_status(c->arena, err);
    free(s.room);
    free(s.places);
    *out = NULL;
    if (status == ROOF_OK)
        *out = c;
    else
        roof_calibration_free(c);
    return status;
}
