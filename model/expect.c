/* The last step of a prediction: what to expect instead of the ideal, when a calibration is given. */
#include "core/error.h"
#include "core/quantity.h"
#include "model/calibrated.h"
#include "model/predictor.h"

#include <math.h>
#include <string.h>

static roof_status describe(predictor *p, const roof_calibration *c)
{
    textbuf text;
    text_init(&text, 4096);
    text_printf(&text, "fitted to %u layers and %u inferences", c->layers, c->totals);
    if (c->hardware_id)
        text_printf(&text, " on %s", c->hardware_id);
    for (uint32_t i = 0; i < c->n_left_out && i < 6; i++) {
        double error = quotient_of(c->left_out[i].predicted_s, c->left_out[i].measured_s) - 1;
        text_puts(&text, i ? ", " : "; each model left out of its own fit: ");
        text_printf(&text, isnan(error) ? "? %%" : "%+.0f %%", 100 * error);
    }
    p->prediction->calibration = text.bytes && !text.failed ? arena_strdup(p->arena, text.bytes) : NULL;
    text_free(&text);
    return p->prediction->calibration ? ROOF_OK : error_memory(p->err);
}

static bool uses(const roof_prediction *p, const char *parameter)
{
    if (strcmp(parameter, "per_start_s") == 0)
        return p->is_started_by_rows;
    if (strcmp(parameter, "per_software_epoch_s") == 0)
        return p->is_started_by_rows && p->total.host_layers;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        char name[EFFICIENCY_NAME_SIZE];
        uint32_t bound = p->layers[i].deployed.bound;
        efficiency_name(bound == ROOF_NONE ? "" : p->engines[bound], name);
        if (strcmp(parameter, name) == 0)
            return true;
    }
    return strcmp(parameter, "per_inference_s") == 0;
}

static roof_status find_weaknesses(predictor *p, const roof_calibration *c)
{
    const roof_prediction *out = p->prediction;
    if (c->hardware_id && strcmp(c->hardware_id, out->hardware.id) != 0)
        TRY(add_finding(p, ROOF_FINDING_OTHER_CALIBRATION, NULL,
                        "the calibration is of '%.60s', the prediction of '%.60s'", c->hardware_id,
                        out->hardware.id));
    for (uint32_t i = 0; i < c->n_parameters; i++) {
        const roof_parameter *q = &c->parameters[i];
        if (!q->determined && uses(out, q->name))
            TRY(add_finding(
                p, ROOF_FINDING_PRIOR_ONLY, NULL,
                "'%.60s' is hardly determined by the data: %.3g, 95 %% [%.3g, %.3g], its prior was %.3g",
                q->name, q->value, q->ci95_low, q->ci95_high, q->prior));
    }
    return ROOF_OK;
}

/* What nobody waits for comes of a wrong unit, or of a calibration of something else. */
static roof_status find_absurd_times(predictor *p)
{
    const roof_prediction *out = p->prediction;
    double ideal = out->total.deployed.ideal_s;
    const struct {
        const char *what;
        double seconds, most_s;
    } times[] = {{"ideally an inference", ideal, 86400},
                 {"an empty run of this hardware", out->hardware.launch_floor_s, 10},
                 {"with this calibration an inference", out->total.predicted_s,
                  isnan(ideal) ? 86400 : fmin(86400, 1 + 1e4 * ideal)}};
    char seconds[40];
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        if (!(times[i].seconds > times[i].most_s))
            continue;
        quantity_format(seconds, sizeof seconds, times[i].seconds, "s");
        TRY(add_finding(p, ROOF_FINDING_ABSURD_TIME, NULL, "%s takes %s", times[i].what, seconds));
    }
    return ROOF_OK;
}

roof_status predictor_expect(predictor *p, const roof_calibration *c)
{
    roof_prediction *out = p->prediction;
    out->total.predicted_s = out->total.predicted_ci95_s[0] = out->total.predicted_ci95_s[1] = NAN;
    if (!c)
        return find_absurd_times(p);
    double *layer_s;
    TRY(ARENA_GET(p->arena, layer_s, out->n_layers, p->err));
    roof_expected expected = roof_calibration_expect(c, out, layer_s);
    for (uint32_t i = 0; i < out->n_layers; i++)
        out->layers[i].predicted_s = layer_s[i];
    out->total.predicted_s = expected.total_s;
    out->total.predicted_ci95_s[0] = expected.ci95_s[0];
    out->total.predicted_ci95_s[1] = isfinite(expected.ci95_s[1]) ? expected.ci95_s[1] : NAN;
    TRY(find_absurd_times(p));
    TRY(describe(p, c));
    return find_weaknesses(p, c);
}
