/* A timeline for ui.perfetto.dev and chrome://tracing: the network at its ideal times, and with a calibration also at the
 * times to expect. docs/formats.md says which rows there are. */
#include "reports/renderer.h"
#include "reports/trace_layers.h"

#include <math.h>

/* Less than this of the whole is how sums of doubles differ, not a time. */
#define ROUNDING_RATIO 1e-9

typedef struct expected {
    traceout *trace;
    const roof_prediction *p;
    name_prefixes prefix;
    double layers_s, total_s;
    bool all_rates;
} expected;

static void survey(expected *x)
{
    x->all_rates = true;
    for (uint32_t i = 0; i < x->p->n_layers; i++) {
        const roof_layer_prediction *l = &x->p->layers[i];
        if (!traceout_can_show(l->predicted_s))
            continue;
        x->layers_s += l->predicted_s;
        x->all_rates = x->all_rates && l->ops_count != ROOF_UNKNOWN;
    }
    bool more = x->p->total.predicted_s > x->layers_s * (1 + ROUNDING_RATIO);
    x->total_s = more ? x->p->total.predicted_s : x->layers_s;
}

static void put_layer(const expected *x, const roof_layer_prediction *l, double at_s)
{
    bool known = traceout_can_show(l->predicted_s);
    double end_s = known ? at_s + l->predicted_s : (double)NAN;
    traceout_open_layer(x->trace, name_without(x->prefix, l->name), at_s, end_s, x->total_s);
    traceout_us(x->trace, known ? "predicted_us" : "predicted", l->predicted_s);
    if (!known)
        jsonout_string(&x->trace->json, "why", "a calibration scales the ideal time, which is not known");
    jsonout_count(&x->trace->json, "index", l->index);
    traceout_whole_name(x->trace, x->prefix, l->name);
    traceout_us(x->trace, "ideal_us", l->deployed.ideal_s);
    traceout_close(x->trace);
    if (x->all_rates && l->predicted_s > 0)
        traceout_counter(x->trace, traceout_rate, "predicted", at_s,
                         traceout_gops((double)l->ops_count, l->predicted_s));
}

/* What a calibration expects of an inference besides its layers. */
static void put_constant(const expected *x)
{
    if (!(x->total_s > x->layers_s))
        return;
    const traceout_event event = {.row = TRACEOUT_LAYERS,
                                  .name = "(once per inference)",
                                  .from_s = x->layers_s,
                                  .to_s = x->total_s,
                                  .next_s = INFINITY};
    traceout_open(x->trace, &event);
    traceout_us(x->trace, "predicted_us", x->total_s - x->layers_s);
    traceout_close(x->trace);
}

static void put_predicted(traceout *trace, const roof_prediction *p)
{
    expected x = {.trace = trace, .p = p, .prefix = name_prefix_of(p)};
    double at_s = 0;
    survey(&x);
    traceout_layers(trace, x.total_s, "predicted", p->model.name, p->hardware.name, "");
    for (uint32_t i = 0; i < p->n_layers; i++) {
        put_layer(&x, &p->layers[i], at_s);
        at_s += traceout_can_show(p->layers[i].predicted_s) ? p->layers[i].predicted_s : 0;
    }
    if (x.all_rates && x.layers_s > 0)
        traceout_counter(trace, traceout_rate, "predicted", at_s, 0);
    put_constant(&x);
}

static roof_status render_prediction(const roof_prediction *p, const roof_render_options *options,
                                     textbuf *out, roof_error *err)
{
    traceout trace;
    (void)options;
    traceout_begin(&trace, out);
    traceout_put_ideal(&trace, p, NULL, p->model.name, p->hardware.name);
    if (traceout_can_show(p->total.predicted_s))
        put_predicted(&trace, p);
    traceout_verdict(&trace);
    for (size_t i = 0; i < sizeof p->verdict / sizeof *p->verdict; i++)
        jsonout_string(&trace.json, NULL, p->verdict[i]);
    traceout_end(&trace);
    return text_status(out, err);
}

/* What a file holds takes no time. */
const renderer_def renderer_trace = {
    .id = "trace",
    .prediction = render_prediction,
    .reconciliation = reconcile_trace,
};
