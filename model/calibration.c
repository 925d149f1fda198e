/* Applying a calibration, reading and writing it. Fitting it is the matter of measure/calibrate.c. */
#include "roofline/calibration.h"
#include "core/error.h"
#include "core/input.h"
#include "core/jsonbind.h"
#include "core/jsonout.h"
#include "model/calibrated.h"
#include "model/engine.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(table) (sizeof(table) / sizeof *(table))

/* --- making -------------------------------------------------------------------------------------------- */

roof_calibration *roof_calibration_new(void)
{
    roof_arena *arena = arena_new(0);
    roof_calibration *c = arena ? NEW(arena, roof_calibration) : NULL;
    if (!c) {
        arena_free(arena);
        return NULL;
    }
    c->arena = arena;
    c->scatter_ratio = NAN;
    return c;
}

void roof_calibration_free(roof_calibration *calibration)
{
    if (calibration)
        arena_free(calibration->arena);
}

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

bool engine_moves_data(const char *engine)
{
    const engine_info *known = engine_named(engine);
    return known && known->kind == ENGINE_KIND_DATA;
}

void efficiency_name(const char *engine, char name[EFFICIENCY_NAME_SIZE])
{
    const engine_info *known = engine_named(engine);
    snprintf(name, EFFICIENCY_NAME_SIZE, "efficiency.%s", known ? known->efficiency : engine);
}

static uint32_t place_of(const roof_calibration *c, const char *name)
{
    for (uint32_t i = 0; i < c->n_parameters; i++)
        if (strcmp(c->parameters[i].name, name) == 0)
            return i;
    return ROOF_NONE;
}

rate_places rate_places_of(const roof_calibration *c, const roof_prediction *p)
{
    rate_places at = {.per_layer = place_of(c, "per_layer_s"),
                      .per_inference = place_of(c, "per_inference_s"),
                      .per_start = place_of(c, "per_start_s"),
                      .per_software_epoch = place_of(c, "per_software_epoch_s")};
    for (uint32_t e = 0; e < p->n_engines && e < ROOF_MAX_ENGINES; e++) {
        char name[EFFICIENCY_NAME_SIZE];
        efficiency_name(p->engines[e], name);
        at.engines[e] = place_of(c, name);
    }
    return at;
}

static double value_at(const double *values, uint32_t place, double otherwise)
{
    return place == ROOF_NONE ? otherwise : values[place];
}

calibrated_rates rates_at(const rate_places *at, const double *values, const roof_prediction *p)
{
    calibrated_rates r = {.per_layer_s = value_at(values, at->per_layer, 0),
                          .per_inference_s = value_at(values, at->per_inference, 0),
                          .per_start_s = value_at(values, at->per_start, NAN),
                          .per_software_epoch_s = value_at(values, at->per_software_epoch, NAN)};
    for (uint32_t e = 0; e < p->n_engines && e < ROOF_MAX_ENGINES; e++)
        r.seconds_per_cycle[e] = 1 / (p->hardware.clock_hz * value_at(values, at->engines[e], 1));
    return r;
}

calibrated_rates rates_of(const roof_calibration *c, const double *transformed, const roof_prediction *p)
{
    double values[ROOF_MAX_PARAMETERS] = {0}; /* gcc doubts the rest, which nobody asks for */
    rate_places at = rate_places_of(c, p);
    for (uint32_t i = 0; i < c->n_parameters; i++)
        values[i] =
            transformed ? roof_parameter_value(&c->parameters[i], transformed[i]) : c->parameters[i].value;
    return rates_at(&at, values, p);
}

double cost_seconds(const roof_prediction *p, const roof_cost *cost, const calibrated_rates *rates)
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

/* Layers of one part of the network follow one another without the host. Those that are in none have the network's name. */
static bool is_started(const roof_prediction *p, uint32_t layer)
{
    const roof_layer_prediction *l = &p->layers[layer];
    if (!layer_uses_accelerator(l))
        return false;
    return layer == 0 || strcmp(l->subgraph, p->model.name) == 0 ||
           strcmp(l->subgraph, p->layers[layer - 1].subgraph) != 0;
}

/* What the host adds to an epoch: starting and ending it, and its own work, whose time nothing in a plan tells. */
static double host_seconds(const roof_prediction *p, uint32_t layer, const calibrated_rates *rates)
{
    if (!p->is_started_by_rows || p->layers[layer].is_remainder)
        return 0;
    return (is_started(p, layer) ? rates->per_start_s : 0) +
           (layer_uses_host(&p->layers[layer]) ? rates->per_software_epoch_s : 0);
}

/* The ideal time of an epoch that the host runs is not known, and nothing is taken from it. */
static bool is_expected(const roof_prediction *p, const roof_layer_prediction *l)
{
    bool host = p->is_started_by_rows && !l->is_remainder && !layer_uses_accelerator(l);
    return host || (l->deployed.cycles && !isnan(l->deployed.ideal_s));
}

double deployed_seconds(const roof_prediction *p, const calibrated_rates *rates, double *layer_s)
{
    double sum = rates->per_inference_s;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        double seconds = cost_seconds(p, &p->layers[i].deployed, rates) + host_seconds(p, i, rates);
        sum += seconds;
        if (layer_s)
            layer_s[i] = is_expected(p, &p->layers[i]) ? seconds : NAN;
    }
    return sum;
}

/* --- what to expect ------------------------------------------------------------------------------------ */

/* d ln(total) / d x for each parameter, by a central difference: the maximum over engines has no derivative where two of
 * them tie, and a difference over a small step is what it is there. */
static void gradient_of(const roof_calibration *c, const roof_prediction *p, const double *x,
                        double *gradient)
{
    const double step = 1e-4;
    double moved[ROOF_MAX_PARAMETERS];
    memcpy(moved, x, c->n_parameters * sizeof *x);
    for (uint32_t i = 0; i < c->n_parameters; i++) {
        moved[i] = x[i] + step;
        calibrated_rates up = rates_of(c, moved, p);
        moved[i] = x[i] - step;
        calibrated_rates down = rates_of(c, moved, p);
        moved[i] = x[i];
        gradient[i] =
            (log(deployed_seconds(p, &up, NULL)) - log(deployed_seconds(p, &down, NULL))) / (2 * step);
    }
}

roof_expected roof_calibration_expect(const roof_calibration *c, const roof_prediction *p, double *layer_s)
{
    double x[ROOF_MAX_PARAMETERS], gradient[ROOF_MAX_PARAMETERS], variance = 0;
    calibrated_rates rates = rates_of(c, NULL, p);
    roof_expected out = {.total_s = deployed_seconds(p, &rates, layer_s),
                         .per_inference_s = rates.per_inference_s};
    for (uint32_t i = 0; i < c->n_parameters; i++)
        x[i] = roof_parameter_transformed(&c->parameters[i], c->parameters[i].value);
    gradient_of(c, p, x, gradient);
    for (uint32_t i = 0; i < c->n_parameters; i++)
        for (uint32_t k = 0; k < c->n_parameters; k++)
            variance += gradient[i] * c->covariance[i][k] * gradient[k];
    variance += isnan(c->scatter_ratio) ? 0 : c->scatter_ratio * c->scatter_ratio;
    double half = gsl_cdf_tdist_Pinv(0.975, c->dof ? c->dof : 1) * sqrt(variance > 0 ? variance : 0);
    out.ci95_s[0] = out.total_s * exp(-half);
    out.ci95_s[1] = out.total_s * exp(half);
    return out;
}

/* --- writing ------------------------------------------------------------------------------------------- */

static void put_parameter(jsonout *j, const roof_parameter *p)
{
    jsonout_object(j, NULL, true);
    jsonout_string(j, "name", p->name);
    jsonout_number(j, "value", p->value);
    jsonout_array(j, "ci95", true);
    jsonout_derived(j, NULL, p->ci95_low);
    jsonout_derived(j, NULL, p->ci95_high);
    jsonout_end(j);
    jsonout_number(j, "prior", p->prior);
    jsonout_number(j, "prior_width", p->prior_width);
    jsonout_number(j, "most", p->most); /* null: no bound */
    jsonout_bool(j, "determined", p->determined);
    jsonout_string(j, "meaning", p->meaning);
    jsonout_end(j);
}

static void put_left_out(jsonout *j, const roof_calibration *c)
{
    jsonout_array(j, "left_out", false);
    for (uint32_t i = 0; i < c->n_left_out; i++) {
        const roof_left_out *l = &c->left_out[i];
        jsonout_object(j, NULL, true);
        jsonout_string(j, "model", l->model);
        jsonout_derived(j, "measured_s", l->measured_s);
        jsonout_derived(j, "predicted_s", l->predicted_s);
        jsonout_derived(j, "error_ratio", l->predicted_s / l->measured_s - 1);
        jsonout_end(j);
    }
    jsonout_end(j);
}

void calibration_put(jsonout *j, const char *key, const roof_calibration *c)
{
    jsonout_object(j, key, false);
    jsonout_string(j, "schema", ROOF_CALIBRATION_SCHEMA);
    jsonout_object(j, "hardware", true);
    jsonout_string(j, "id", c->hardware_id);
    jsonout_end(j);
    jsonout_array(j, "parameters", false);
    for (uint32_t i = 0; i < c->n_parameters; i++)
        put_parameter(j, &c->parameters[i]);
    jsonout_end(j);
    jsonout_array(j, "covariance", false);
    for (uint32_t i = 0; i < c->n_parameters; i++) {
        jsonout_array(j, NULL, true);
        for (uint32_t k = 0; k < c->n_parameters; k++)
            jsonout_derived(j, NULL, c->covariance[i][k]);
        jsonout_end(j);
    }
    jsonout_end(j);
    jsonout_derived(j, "scatter_ratio", c->scatter_ratio);
    jsonout_count(j, "layers", c->layers);
    jsonout_count(j, "totals", c->totals);
    jsonout_count(j, "dof", c->dof);
    put_left_out(j, c);
    jsonout_end(j);
}

roof_status roof_calibration_write(const roof_calibration *c, roof_sink sink, roof_error *err)
{
    textbuf text;
    jsonout j;
    text_init_draining(&text, sink.write, sink.context, err);
    jsonout_begin(&j, &text);
    calibration_put(&j, NULL, c);
    return text_finish(&text);
}

/* --- reading ------------------------------------------------------------------------------------------- */

typedef struct reading {
    roof_calibration *out;
    uint32_t rows, columns; /* of the covariance, so far */
    bool schema;
} reading;

static reading *of(json_binder *b)
{
    return b->user;
}

static roof_status read_bound(json_binder *b, const json_event *event, void *target)
{
    roof_parameter *p = target;
    if (event->kind != JSON_NUMBER || !(event->number > 0))
        return bind_fail(b, "want a bound above 0, or null for none");
    p->most = event->number;
    return ROOF_OK;
}

static roof_status read_interval_end(json_binder *b, const json_event *event, void *target)
{
    roof_parameter *p = target;
    if (event->kind == JSON_NULL) /* not known */
        return ROOF_OK;
    if (event->kind != JSON_NUMBER)
        return bind_fail(b, "want a number");
    *(isnan(p->ci95_low) ? &p->ci95_low : &p->ci95_high) = event->number;
    return ROOF_OK;
}

static roof_status read_interval(json_binder *b, const json_event *event, void *target)
{
    return bind_array(b, event, read_interval_end, target);
}

static roof_status check_parameter(json_binder *b, const roof_parameter *p)
{
    if (!p->name)
        return bind_fail(b, "has no name");
    if (isnan(p->value))
        return bind_fail(b, "'%.40s' has no value", p->name);
    if (!(p->value > 0 && isfinite(p->value)))
        return bind_fail(b, "value of '%.40s' is %g, want it above 0", p->name, p->value);
    if (!(p->value < p->most))
        return bind_fail(b, "value of '%.40s' is %g, want it between 0 and %g", p->name, p->value, p->most);
    return ROOF_OK;
}

static roof_status read_parameter(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        {"name", BIND_TEXT, offsetof(roof_parameter, name), 0, 0},
        {"meaning", BIND_TEXT, offsetof(roof_parameter, meaning), 0, 0},
        {"value", BIND_POSITIVE, offsetof(roof_parameter, value), 0, 0},
        {"ci95", BIND_CALL, 0, read_interval, 0},
        {"prior", BIND_POSITIVE, offsetof(roof_parameter, prior), 0, 0},
        {"prior_width", BIND_POSITIVE, offsetof(roof_parameter, prior_width), 0, 0},
        {"most", BIND_CALL, 0, read_bound, 0},
        {"determined", BIND_BOOL, offsetof(roof_parameter, determined), 0, 0},
    };
    roof_calibration *c = of(b)->out;
    (void)target;
    if (c->n_parameters == ROOF_MAX_PARAMETERS)
        return bind_fail(b, "more than %d parameters", ROOF_MAX_PARAMETERS);
    roof_parameter *p = &c->parameters[c->n_parameters];
    *p = (roof_parameter){
        .value = NAN, .ci95_low = NAN, .ci95_high = NAN, .prior = NAN, .prior_width = NAN, .most = INFINITY};
    TRY(bind_object(b, event, members, N(members), p, NULL));
    TRY(check_parameter(b, p));
    c->n_parameters++;
    return ROOF_OK;
}

static roof_status read_parameters(json_binder *b, const json_event *event, void *target)
{
    return bind_array(b, event, read_parameter, target);
}

static roof_status read_covariance_value(json_binder *b, const json_event *event, void *target)
{
    reading *r = of(b);
    (void)target;
    if (event->kind != JSON_NUMBER || r->columns == ROOF_MAX_PARAMETERS)
        return bind_fail(b, "want a square of at most %d numbers a side", ROOF_MAX_PARAMETERS);
    r->out->covariance[r->rows][r->columns++] = event->number;
    return ROOF_OK;
}

static roof_status read_covariance_row(json_binder *b, const json_event *event, void *target)
{
    reading *r = of(b);
    if (r->rows == ROOF_MAX_PARAMETERS)
        return bind_fail(b, "want a square of at most %d numbers a side", ROOF_MAX_PARAMETERS);
    r->columns = 0;
    TRY(bind_array(b, event, read_covariance_value, target));
    r->rows++;
    return ROOF_OK;
}

static roof_status read_covariance(json_binder *b, const json_event *event, void *target)
{
    return bind_array(b, event, read_covariance_row, target);
}

static roof_status read_left_out_model(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {
        {"model", BIND_TEXT, offsetof(roof_left_out, model), 0, 0},
        {"measured_s", BIND_POSITIVE, offsetof(roof_left_out, measured_s), 0, 0},
        {"predicted_s", BIND_POSITIVE, offsetof(roof_left_out, predicted_s), 0, 0},
    };
    roof_calibration *c = of(b)->out;
    (void)target;
    c->left_out = arena_grow(b->arena, c->left_out, c->n_left_out, sizeof *c->left_out);
    if (!c->left_out)
        return error_memory(b->err);
    roof_left_out *l = &c->left_out[c->n_left_out++];
    *l = (roof_left_out){.model = "", .measured_s = NAN, .predicted_s = NAN};
    return bind_object(b, event, members, N(members), l, NULL);
}

static roof_status read_left_out(json_binder *b, const json_event *event, void *target)
{
    return bind_array(b, event, read_left_out_model, target);
}

static roof_status read_hardware(json_binder *b, const json_event *event, void *target)
{
    static const bind_member members[] = {{"id", BIND_TEXT, offsetof(roof_calibration, hardware_id), 0, 0}};
    return bind_object(b, event, members, N(members), target, NULL);
}

static roof_status read_schema(json_binder *b, const json_event *event, void *target)
{
    char shown[80] = "";
    (void)target;
    of(b)->schema = event->kind == JSON_STRING && strcmp(event->text, ROOF_CALIBRATION_SCHEMA) == 0;
    if (event->kind == JSON_STRING)
        quote_text(shown, sizeof shown, event->text, event->text_length);
    return of(b)->schema ? ROOF_OK : bind_fail(b, "is \"%s\", want \"" ROOF_CALIBRATION_SCHEMA "\"", shown);
}

static const bind_member document_members[] = {
    {"schema", BIND_CALL, 0, read_schema, 0},
    {"hardware", BIND_CALL, 0, read_hardware, 0},
    {"parameters", BIND_CALL, 0, read_parameters, 0},
    {"covariance", BIND_CALL, 0, read_covariance, 0},
    {"left_out", BIND_CALL, 0, read_left_out, 0},
    {"scatter_ratio", BIND_POSITIVE, offsetof(roof_calibration, scatter_ratio), 0, 0},
    {"layers", BIND_SMALL, offsetof(roof_calibration, layers), 0, 0},
    {"totals", BIND_SMALL, offsetof(roof_calibration, totals), 0, 0},
    {"dof", BIND_SMALL, offsetof(roof_calibration, dof), 0, 0},
};

static roof_status read_document(json_binder *b)
{
    json_event event;
    reading *r = of(b);
    TRY(jsonpull_next(b->puller, &event, b->err));
    TRY(bind_object(b, &event, document_members, N(document_members), r->out, NULL));
    if (!r->schema)
        return bind_fail(b, "has no \"schema\", want \"" ROOF_CALIBRATION_SCHEMA "\"");
    if (!r->out->n_parameters)
        return bind_fail(b, "has no \"parameters\"");
    if (r->rows != r->out->n_parameters)
        return bind_fail(b, "covariance has %u rows for %u parameters", r->rows, r->out->n_parameters);
    return jsonpull_next(b->puller, &event, b->err);
}

roof_status calibration_read_from(json_source source, void *context, const char *name, roof_calibration **out,
                                  roof_error *err)
{
    reading r = {.out = roof_calibration_new()};
    jsonpull *puller = jsonpull_new(source, context);
    json_binder b = {.puller = puller, .arena = r.out ? r.out->arena : NULL, .user = &r, .err = err};
    roof_status status = puller && r.out ? read_document(&b) : error_memory(err);
    *out = NULL;
    if (status == ROOF_OK) {
        *out = r.out;
    } else {
        error_prefix(err, "%s", name);
        roof_calibration_free(r.out);
    }
    jsonpull_free(puller);
    return status;
}

roof_status roof_calibration_read(const char *path, roof_calibration **out, roof_error *err)
{
    input_file input;
    *out = NULL;
    TRY(input_open(path, 0, &input, err));
    roof_status status = calibration_read_from(input_read, &input, input.name, out, err);
    input_close(&input);
    return status;
}
