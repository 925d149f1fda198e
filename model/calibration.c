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
    roof_arena *arena = roof_arena_new(0);
    roof_calibration *c = arena ? ROOF_NEW(arena, roof_calibration) : NULL;
    if (!c) {
        roof_arena_free(arena);
        return NULL;
    }
    c->arena = arena;
    c->scatter_ratio = NAN;
    return c;
}

void roof_calibration_free(roof_calibration *calibration)
{
    if (calibration)
        roof_arena_free(calibration->arena);
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

bool roof_engine_moves_data(const char *engine)
{
    const roof_engine *known = roof_engine_named(engine);
    return known && known->kind == ROOF_ENGINE_KIND_DATA;
}

void roof_efficiency_name(const char *engine, char name[ROOF_EFFICIENCY_NAME_SIZE])
{
    const roof_engine *known = roof_engine_named(engine);
    snprintf(name, ROOF_EFFICIENCY_NAME_SIZE, "efficiency.%s", known ? known->efficiency : engine);
}

static uint32_t place_of(const roof_calibration *c, const char *name)
{
    for (uint32_t i = 0; i < c->n_parameters; i++)
        if (strcmp(c->parameters[i].name, name) == 0)
            return i;
    return ROOF_NONE;
}

roof_rate_places roof_rate_places_of(const roof_calibration *c, const roof_prediction *p)
{
    roof_rate_places at = {.per_layer = place_of(c, "per_layer_s"),
                           .per_inference = place_of(c, "per_inference_s"),
                           .per_start = place_of(c, "per_start_s"),
                           .per_software_epoch = place_of(c, "per_software_epoch_s")};
    for (uint32_t e = 0; e < p->n_engines && e < ROOF_MAX_ENGINES; e++) {
        char name[ROOF_EFFICIENCY_NAME_SIZE];
        roof_efficiency_name(p->engines[e], name);
        at.engines[e] = place_of(c, name);
    }
    return at;
}

static double value_at(const double *values, uint32_t place, double otherwise)
{
    return place == ROOF_NONE ? otherwise : values[place];
}

roof_rates roof_rates_at(const roof_rate_places *at, const double *values, const roof_prediction *p)
{
    roof_rates r = {.per_layer_s = value_at(values, at->per_layer, 0),
                    .per_inference_s = value_at(values, at->per_inference, 0),
                    .per_start_s = value_at(values, at->per_start, NAN),
                    .per_software_epoch_s = value_at(values, at->per_software_epoch, NAN)};
    for (uint32_t e = 0; e < p->n_engines && e < ROOF_MAX_ENGINES; e++)
        r.seconds_per_cycle[e] = 1 / (p->hardware.clock_hz * value_at(values, at->engines[e], 1));
    return r;
}

roof_rates roof_rates_of(const roof_calibration *c, const double *transformed, const roof_prediction *p)
{
    double values[ROOF_MAX_PARAMETERS] = {0}; /* gcc doubts the rest, which nobody asks for */
    roof_rate_places at = roof_rate_places_of(c, p);
    for (uint32_t i = 0; i < c->n_parameters; i++)
        values[i] =
            transformed ? roof_parameter_value(&c->parameters[i], transformed[i]) : c->parameters[i].value;
    return roof_rates_at(&at, values, p);
}

double roof_cost_seconds(const roof_prediction *p, const roof_cost *cost, const roof_rates *rates)
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

bool roof_layer_uses_host(const roof_layer_prediction *layer)
{
    return strstr(layer->device, "CPU") != NULL;
}

bool roof_layer_uses_accelerator(const roof_layer_prediction *layer)
{
    return strcmp(layer->device, "CPU") != 0;
}

/* Epochs of one blob follow one another without the host; its name is their subgraph. Others have the model's. */
static bool is_started(const roof_prediction *p, uint32_t layer)
{
    const roof_layer_prediction *l = &p->layers[layer];
    if (!roof_layer_uses_accelerator(l))
        return false;
    return layer == 0 || strcmp(l->subgraph, p->model.name) == 0 ||
           strcmp(l->subgraph, p->layers[layer - 1].subgraph) != 0;
}

/* What the host adds to an epoch: starting and ending it, and its own work, whose time nothing in a plan tells. */
static double host_seconds(const roof_prediction *p, uint32_t layer, const roof_rates *rates)
{
    if (!p->is_planned || p->layers[layer].is_remainder)
        return 0;
    return (is_started(p, layer) ? rates->per_start_s : 0) +
           (roof_layer_uses_host(&p->layers[layer]) ? rates->per_software_epoch_s : 0);
}

/* The ideal time of an epoch that the host runs is not known, and nothing is taken from it. */
static bool is_expected(const roof_prediction *p, const roof_layer_prediction *l)
{
    bool host = p->is_planned && !l->is_remainder && !roof_layer_uses_accelerator(l);
    return host || (l->deployed.cycles && !isnan(l->deployed.ideal_s));
}

double roof_deployed_seconds(const roof_prediction *p, const roof_rates *rates, double *layer_s)
{
    double sum = rates->per_inference_s;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        double seconds = roof_cost_seconds(p, &p->layers[i].deployed, rates) + host_seconds(p, i, rates);
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
        roof_rates up = roof_rates_of(c, moved, p);
        moved[i] = x[i] - step;
        roof_rates down = roof_rates_of(c, moved, p);
        moved[i] = x[i];
        gradient[i] =
            (log(roof_deployed_seconds(p, &up, NULL)) - log(roof_deployed_seconds(p, &down, NULL))) /
            (2 * step);
    }
}

roof_expected roof_calibration_expect(const roof_calibration *c, const roof_prediction *p, double *layer_s)
{
    double x[ROOF_MAX_PARAMETERS], gradient[ROOF_MAX_PARAMETERS], variance = 0;
    roof_rates rates = roof_rates_of(c, NULL, p);
    roof_expected out = {.total_s = roof_deployed_seconds(p, &rates, layer_s),
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

static void put_parameter(roof_jsonout *j, const roof_parameter *p)
{
    roof_jsonout_object(j, NULL, true);
    roof_jsonout_string(j, "name", p->name);
    roof_jsonout_number(j, "value", p->value);
    roof_jsonout_array(j, "ci95", true);
    roof_jsonout_derived(j, NULL, p->ci95_low);
    roof_jsonout_derived(j, NULL, p->ci95_high);
    roof_jsonout_end(j);
    roof_jsonout_number(j, "prior", p->prior);
    roof_jsonout_number(j, "prior_width", p->prior_width);
    roof_jsonout_number(j, "most", p->most); /* null: no bound */
    roof_jsonout_bool(j, "determined", p->determined);
    roof_jsonout_string(j, "meaning", p->meaning);
    roof_jsonout_end(j);
}

static void put_left_out(roof_jsonout *j, const roof_calibration *c)
{
    roof_jsonout_array(j, "left_out", false);
    for (uint32_t i = 0; i < c->n_left_out; i++) {
        const roof_left_out *l = &c->left_out[i];
        roof_jsonout_object(j, NULL, true);
        roof_jsonout_string(j, "model", l->model);
        roof_jsonout_derived(j, "measured_s", l->measured_s);
        roof_jsonout_derived(j, "predicted_s", l->predicted_s);
        roof_jsonout_derived(j, "error_ratio", l->predicted_s / l->measured_s - 1);
        roof_jsonout_end(j);
    }
    roof_jsonout_end(j);
}

void roof_calibration_put(roof_jsonout *j, const char *key, const roof_calibration *c)
{
    roof_jsonout_object(j, key, false);
    roof_jsonout_string(j, "schema", ROOF_CALIBRATION_SCHEMA);
    roof_jsonout_object(j, "hardware", true);
    roof_jsonout_string(j, "id", c->hardware_id);
    roof_jsonout_end(j);
    roof_jsonout_array(j, "parameters", false);
    for (uint32_t i = 0; i < c->n_parameters; i++)
        put_parameter(j, &c->parameters[i]);
    roof_jsonout_end(j);
    roof_jsonout_array(j, "covariance", false);
    for (uint32_t i = 0; i < c->n_parameters; i++) {
        roof_jsonout_array(j, NULL, true);
        for (uint32_t k = 0; k < c->n_parameters; k++)
            roof_jsonout_derived(j, NULL, c->covariance[i][k]);
        roof_jsonout_end(j);
    }
    roof_jsonout_end(j);
    roof_jsonout_derived(j, "scatter_ratio", c->scatter_ratio);
    roof_jsonout_count(j, "layers", c->layers);
    roof_jsonout_count(j, "totals", c->totals);
    roof_jsonout_count(j, "dof", c->dof);
    put_left_out(j, c);
    roof_jsonout_end(j);
}

roof_status roof_calibration_write(const roof_calibration *c, roof_sink sink, roof_error *err)
{
    roof_text text;
    roof_jsonout j;
    roof_text_init_draining(&text, sink.write, sink.context, err);
    roof_jsonout_begin(&j, &text);
    roof_calibration_put(&j, NULL, c);
    return roof_text_finish(&text);
}

/* --- reading ------------------------------------------------------------------------------------------- */

typedef struct reading {
    roof_calibration *out;
    uint32_t rows, columns; /* of the covariance, so far */
    bool schema;
} reading;

static reading *of(roof_bind *b)
{
    return b->user;
}

static roof_status read_bound(roof_bind *b, const roof_json_event *event, void *target)
{
    roof_parameter *p = target;
    if (event->kind != ROOF_JSON_NUMBER || !(event->number > 0))
        return roof_bind_fail(b, "want a bound above 0, or null for none");
    p->most = event->number;
    return ROOF_OK;
}

static roof_status read_interval_end(roof_bind *b, const roof_json_event *event, void *target)
{
    roof_parameter *p = target;
    if (event->kind == ROOF_JSON_NULL) /* not known */
        return ROOF_OK;
    if (event->kind != ROOF_JSON_NUMBER)
        return roof_bind_fail(b, "want a number");
    *(isnan(p->ci95_low) ? &p->ci95_low : &p->ci95_high) = event->number;
    return ROOF_OK;
}

static roof_status read_interval(roof_bind *b, const roof_json_event *event, void *target)
{
    return roof_bind_array(b, event, read_interval_end, target);
}

static roof_status check_parameter(roof_bind *b, const roof_parameter *p)
{
    if (!p->name)
        return roof_bind_fail(b, "has no name");
    if (isnan(p->value))
        return roof_bind_fail(b, "'%.40s' has no value", p->name);
    if (!(p->value > 0 && isfinite(p->value)))
        return roof_bind_fail(b, "value of '%.40s' is %g, want it above 0", p->name, p->value);
    if (!(p->value < p->most))
        return roof_bind_fail(b, "value of '%.40s' is %g, want it between 0 and %g", p->name, p->value,
                              p->most);
    return ROOF_OK;
}

static roof_status read_parameter(roof_bind *b, const roof_json_event *event, void *target)
{
    static const roof_bind_member members[] = {
        {"name", ROOF_BIND_TEXT, offsetof(roof_parameter, name), 0, 0},
        {"meaning", ROOF_BIND_TEXT, offsetof(roof_parameter, meaning), 0, 0},
        {"value", ROOF_BIND_POSITIVE, offsetof(roof_parameter, value), 0, 0},
        {"ci95", ROOF_BIND_CALL, 0, read_interval, 0},
        {"prior", ROOF_BIND_POSITIVE, offsetof(roof_parameter, prior), 0, 0},
        {"prior_width", ROOF_BIND_POSITIVE, offsetof(roof_parameter, prior_width), 0, 0},
        {"most", ROOF_BIND_CALL, 0, read_bound, 0},
        {"determined", ROOF_BIND_BOOL, offsetof(roof_parameter, determined), 0, 0},
    };
    roof_calibration *c = of(b)->out;
    (void)target;
    if (c->n_parameters == ROOF_MAX_PARAMETERS)
        return roof_bind_fail(b, "more than %d parameters", ROOF_MAX_PARAMETERS);
    roof_parameter *p = &c->parameters[c->n_parameters];
    *p = (roof_parameter){
        .value = NAN, .ci95_low = NAN, .ci95_high = NAN, .prior = NAN, .prior_width = NAN, .most = INFINITY};
    ROOF_TRY(roof_bind_object(b, event, members, N(members), p, NULL));
    ROOF_TRY(check_parameter(b, p));
    c->n_parameters++;
    return ROOF_OK;
}

static roof_status read_parameters(roof_bind *b, const roof_json_event *event, void *target)
{
    return roof_bind_array(b, event, read_parameter, target);
}

static roof_status read_covariance_value(roof_bind *b, const roof_json_event *event, void *target)
{
    reading *r = of(b);
    (void)target;
    if (event->kind != ROOF_JSON_NUMBER || r->columns == ROOF_MAX_PARAMETERS)
        return roof_bind_fail(b, "want a square of at most %d numbers a side", ROOF_MAX_PARAMETERS);
    r->out->covariance[r->rows][r->columns++] = event->number;
    return ROOF_OK;
}

static roof_status read_covariance_row(roof_bind *b, const roof_json_event *event, void *target)
{
    reading *r = of(b);
    if (r->rows == ROOF_MAX_PARAMETERS)
        return roof_bind_fail(b, "want a square of at most %d numbers a side", ROOF_MAX_PARAMETERS);
    r->columns = 0;
    ROOF_TRY(roof_bind_array(b, event, read_covariance_value, target));
    r->rows++;
    return ROOF_OK;
}

static roof_status read_covariance(roof_bind *b, const roof_json_event *event, void *target)
{
    return roof_bind_array(b, event, read_covariance_row, target);
}

static roof_status read_left_out_model(roof_bind *b, const roof_json_event *event, void *target)
{
    static const roof_bind_member members[] = {
        {"model", ROOF_BIND_TEXT, offsetof(roof_left_out, model), 0, 0},
        {"measured_s", ROOF_BIND_POSITIVE, offsetof(roof_left_out, measured_s), 0, 0},
        {"predicted_s", ROOF_BIND_POSITIVE, offsetof(roof_left_out, predicted_s), 0, 0},
    };
    roof_calibration *c = of(b)->out;
    (void)target;
    c->left_out = roof_arena_grow(b->arena, c->left_out, c->n_left_out, sizeof *c->left_out);
    if (!c->left_out)
        return roof_fail_memory(b->err);
    roof_left_out *l = &c->left_out[c->n_left_out++];
    *l = (roof_left_out){.model = "", .measured_s = NAN, .predicted_s = NAN};
    return roof_bind_object(b, event, members, N(members), l, NULL);
}

static roof_status read_left_out(roof_bind *b, const roof_json_event *event, void *target)
{
    return roof_bind_array(b, event, read_left_out_model, target);
}

static roof_status read_hardware(roof_bind *b, const roof_json_event *event, void *target)
{
    static const roof_bind_member members[] = {
        {"id", ROOF_BIND_TEXT, offsetof(roof_calibration, hardware_id), 0, 0}};
    return roof_bind_object(b, event, members, N(members), target, NULL);
}

static roof_status read_schema(roof_bind *b, const roof_json_event *event, void *target)
{
    char shown[80] = "";
    (void)target;
    of(b)->schema = event->kind == ROOF_JSON_STRING && strcmp(event->text, ROOF_CALIBRATION_SCHEMA) == 0;
    if (event->kind == ROOF_JSON_STRING)
        roof_quote(shown, sizeof shown, event->text, event->text_length);
    return of(b)->schema ? ROOF_OK
                         : roof_bind_fail(b, "is \"%s\", want \"" ROOF_CALIBRATION_SCHEMA "\"", shown);
}

static const roof_bind_member document_members[] = {
    {"schema", ROOF_BIND_CALL, 0, read_schema, 0},
    {"hardware", ROOF_BIND_CALL, 0, read_hardware, 0},
    {"parameters", ROOF_BIND_CALL, 0, read_parameters, 0},
    {"covariance", ROOF_BIND_CALL, 0, read_covariance, 0},
    {"left_out", ROOF_BIND_CALL, 0, read_left_out, 0},
    {"scatter_ratio", ROOF_BIND_POSITIVE, offsetof(roof_calibration, scatter_ratio), 0, 0},
    {"layers", ROOF_BIND_SMALL, offsetof(roof_calibration, layers), 0, 0},
    {"totals", ROOF_BIND_SMALL, offsetof(roof_calibration, totals), 0, 0},
    {"dof", ROOF_BIND_SMALL, offsetof(roof_calibration, dof), 0, 0},
};

static roof_status read_document(roof_bind *b)
{
    roof_json_event event;
    reading *r = of(b);
    ROOF_TRY(roof_jsonpull_next(b->puller, &event, b->err));
    ROOF_TRY(roof_bind_object(b, &event, document_members, N(document_members), r->out, NULL));
    if (!r->schema)
        return roof_bind_fail(b, "has no \"schema\", want \"" ROOF_CALIBRATION_SCHEMA "\"");
    if (!r->out->n_parameters)
        return roof_bind_fail(b, "has no \"parameters\"");
    if (r->rows != r->out->n_parameters)
        return roof_bind_fail(b, "covariance has %u rows for %u parameters", r->rows, r->out->n_parameters);
    return roof_jsonpull_next(b->puller, &event, b->err);
}

roof_status roof_calibration_read_from(roof_json_source source, void *context, const char *name,
                                       roof_calibration **out, roof_error *err)
{
    reading r = {.out = roof_calibration_new()};
    roof_jsonpull *puller = roof_jsonpull_new(source, context);
    roof_bind b = {.puller = puller, .arena = r.out ? r.out->arena : NULL, .user = &r, .err = err};
    roof_status status = puller && r.out ? read_document(&b) : roof_fail_memory(err);
    *out = NULL;
    if (status == ROOF_OK) {
        *out = r.out;
    } else {
        roof_error_prefix(err, "%s", name);
        roof_calibration_free(r.out);
    }
    roof_jsonpull_free(puller);
    return status;
}

roof_status roof_calibration_read(const char *path, roof_calibration **out, roof_error *err)
{
    roof_input input;
    *out = NULL;
    ROOF_TRY(roof_input_open(path, 0, &input, err));
    roof_status status = roof_calibration_read_from(roof_input_read, &input, input.name, out, err);
    roof_input_close(&input);
    return status;
}
