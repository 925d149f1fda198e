/* roofline.calibration/1 in and out of memory; docs/schema/calibration-1.schema.json. */
#include "model/documents/documents.h"
#include "model/predict/calibrated.h"

/* --- parameters --------------------------------------------------------------------------------------- */

#define PARAMETER(member, kind, how) CODEC(roof_parameter, member, kind, how)

static const codec_member parameter_members[] = {
    {PARAMETER(name, TEXT, ALWAYS), .missing = "has no name"},
    {PARAMETER(value, POSITIVE, ALWAYS)},
    {CODEC_AS("ci95", roof_parameter, ci95_low, PAIR, PLAIN_DERIVED)}, /* and ci95_high behind it */
    {PARAMETER(prior, POSITIVE, ALWAYS)},
    {PARAMETER(prior_width, POSITIVE, ALWAYS)},
    {PARAMETER(most, POSITIVE, ALWAYS)}, /* null: no bound */
    {PARAMETER(determined, BOOL, ALWAYS)},
    {CODEC_AS("share", roof_parameter, share_ratio, PAIR, PLAIN_DERIVED)},
    {PARAMETER(meaning, TEXT, ALWAYS)},
};
_Static_assert(offsetof(roof_parameter, ci95_high) == offsetof(roof_parameter, ci95_low) + sizeof(double),
               "the ends of an interval are a pair");

/* Range of the constants of any board, whether ratios, cycles or seconds. */
#define LEAST_VALUE 1e-12
#define MOST_VALUE  1e12

static roof_status check_parameter(codec *c, void *target)
{
    roof_parameter *p = target;
    p->most = isnan(p->most) ? INFINITY : p->most;
    if (isnan(p->value))
        return codec_fail(c, "'%.40s' has no value", p->name);
    if (!(p->value > 0))
        return codec_fail(c, "value of '%.40s' is %g, want it above 0", p->name, p->value);
    if (p->value < LEAST_VALUE || p->value > MOST_VALUE)
        return codec_fail(c, "value of '%.40s' is %g, want it from %g to %g", p->name, p->value, LEAST_VALUE,
                          MOST_VALUE);
    if (!(p->value < p->most))
        return codec_fail(c, "value of '%.40s' is %g, want it between 0 and %g", p->name, p->value, p->most);
    return ROOF_OK;
}

static const codec_object parameter_object = {CODEC_ROWS(parameter_members), .one_line = true,
                                              .end = check_parameter};

/* --- their covariance --------------------------------------------------------------------------------- */

/* A square of as many rows as were read so far. */
typedef struct square {
    uint32_t rows, columns;
} square;

static roof_status read_covariance_value(codec *c, const json_event *event, void *target)
{
    square *s = c->user;
    if (event->kind != JSON_NUMBER || s->columns == ROOF_MAX_PARAMETERS)
        return codec_fail(c, "want a square of at most %d numbers a side", ROOF_MAX_PARAMETERS);
    ((roof_calibration *)target)->covariance[s->rows][s->columns++] = event->number;
    return ROOF_OK;
}

static roof_status read_covariance_row(codec *c, const json_event *event, void *target)
{
    square *s = c->user;
    if (s->rows == ROOF_MAX_PARAMETERS)
        return codec_fail(c, "want a square of at most %d numbers a side", ROOF_MAX_PARAMETERS);
    s->columns = 0;
    TRY(codec_read_array(c, event, read_covariance_value, target));
    s->rows++;
    return ROOF_OK;
}

static void write_covariance(codec *c, const char *key, const void *target)
{
    const roof_calibration *of = target;
    jsonout_array(c->out, key, false);
    for (uint32_t i = 0; i < of->n_parameters; i++) {
        jsonout_array(c->out, NULL, true);
        for (uint32_t k = 0; k < of->n_parameters; k++)
            jsonout_derived(c->out, NULL, of->covariance[i][k]);
        jsonout_end(c->out);
    }
    jsonout_end(c->out);
}

/* --- the document ------------------------------------------------------------------------------------- */

static const codec_member left_out_members[] = {{CODEC(roof_left_out, model, TEXT, PLAIN)},
                                                {CODEC(roof_left_out, family, TEXT, OMIT)},
                                                {CODEC(roof_left_out, measured_s, POSITIVE, DERIVED)},
                                                {CODEC(roof_left_out, predicted_s, POSITIVE, DERIVED)},
                                                {CODEC(roof_left_out, error_ratio, NUMBER, DERIVED)}};
static const codec_member hardware_members[] = {{CODEC_AS("id", roof_calibration, hardware_id, TEXT, ALWAYS)},
                                                {CODEC(roof_calibration, clock_hz, POSITIVE, OMIT_DERIVED)}};

static const codec_member document_members[] = {
    {CODEC_IS(ROOF_CALIBRATION_SCHEMA)},
    {CODEC_IN("hardware", 0, CODEC_LINE_OF(hardware_members))},
    {CODEC(roof_calibration, tool, TEXT, OMIT)},
    {CODEC_ITEMS("parameters", roof_calibration, parameters, n_parameters, &parameter_object,
                 ROOF_MAX_PARAMETERS, INLINE),
     .missing = "has no \"parameters\""},
    {CODEC_BY("covariance", 0, read_covariance_row, write_covariance), .how = CODEC_EACH},
    {CODEC(roof_calibration, scatter_ratio, POSITIVE, DERIVED)},
    {CODEC(roof_calibration, residual_ratio, POSITIVE, DERIVED)},
    {CODEC(roof_calibration, family_scatter, POSITIVE, DERIVED)},
    {CODEC(roof_calibration, families, SMALL, PLAIN)},
    {CODEC(roof_calibration, layers, SMALL, PLAIN)},
    {CODEC(roof_calibration, totals, SMALL, PLAIN)},
    {CODEC(roof_calibration, dof, SMALL, PLAIN)},
    {CODEC_ITEMS("left_out", roof_calibration, left_out, n_left_out, CODEC_LINE_OF(left_out_members), 1 << 24,
                 ALWAYS)},
};

static roof_status check_document(codec *c, void *target)
{
    const roof_calibration *of = target;
    const square *s = c->user;
    if (!of->n_parameters)
        return codec_fail(c, "has no \"parameters\"");
    if (s->rows != of->n_parameters)
        return codec_fail(c, "covariance has %u rows for %u parameters", s->rows, of->n_parameters);
    return ROOF_OK;
}

const codec_object calibration_object = {CODEC_ROWS(document_members), .end = check_document};

roof_status calibration_read_from(json_source source, void *context, const char *name, roof_calibration **out,
                                  roof_error *err)
{
    roof_calibration *made = roof_calibration_new();
    codec c = {.arena = made ? made->arena : NULL, .user = &(square){0}, .err = err};
    roof_status status =
        made ? codec_read_from(&c, source, context, name, &calibration_object, made) : error_memory(err);
    *out = NULL;
    return GIVE(status, out, made, roof_calibration_free);
}

DOCUMENT_READS(roof_calibration_read, roof_calibration, calibration_read_from)

roof_status roof_calibration_write(const roof_calibration *c, roof_sink sink, roof_error *err)
{
    textbuf text;
    text_init_draining(&text, sink.write, sink.context, err);
    codec_write_document(&calibration_object, c, NULL, NULL, &text);
    return text_finish(&text);
}
