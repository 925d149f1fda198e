/* A timeline for ui.perfetto.dev and chrome://tracing: the network at its ideal times, and with a calibration also at the
 * times to expect. docs/formats.md says which rows there are. */
#include "core/quantity.h"
#include "reports/renderer.h"
#include "reports/trace_layers.h"

#include <math.h>

/* Less than this of the whole is how sums of doubles differ, not a time. */
#define ROUNDING_RATIO 1e-9

static void put_layer(layer_chain *c, const roof_layer_prediction *l)
{
    bool known = traceout_can_show(l->predicted_s);
    double end_s = known ? c->at_s + l->predicted_s : (double)NAN;
    chain_open(c, TRACEOUT_LAYERS, l->name, c->at_s, end_s, end_s);
    traceout_us(c->trace, known ? "predicted_us" : "predicted", l->predicted_s);
    if (!known)
        jsonout_string(&c->trace->json, "why", "a calibration scales the ideal time, which is not known");
    jsonout_count(&c->trace->json, "index", l->index);
    chain_whole_name(c, l->name);
    traceout_us(c->trace, "ideal_us", l->deployed.ideal_s);
    traceout_close(c->trace);
    if (known)
        chain_next(c, (double)l->ops_count, l->predicted_s);
}

static void put_predicted(traceout *trace, const roof_prediction *p)
{
    layer_chain c = {.trace = trace, .key = "predicted", .prefix = name_prefix_of(p), .all_rates = true};
    for (uint32_t i = 0; i < p->n_layers; i++)
        if (traceout_can_show(p->layers[i].predicted_s))
            chain_count(&c, known_count(p->layers[i].ops_count), p->layers[i].predicted_s);
    bool has_constant = p->total.predicted_s > c.total_s * (1 + ROUNDING_RATIO);
    c.total_s = has_constant ? p->total.predicted_s : c.total_s;
    chain_begin(&c, p->model.name, p->hardware.name, "");
    for (uint32_t i = 0; i < p->n_layers; i++)
        put_layer(&c, &p->layers[i]);
    chain_end(&c);
    if (!has_constant) /* what a calibration expects of an inference besides its layers */
        return;
    traceout_open(trace,
                  &(traceout_event){TRACEOUT_LAYERS, "(once per inference)", c.at_s, c.total_s, INFINITY});
    traceout_us(trace, "predicted_us", c.total_s - c.at_s);
    traceout_close(trace);
}

static void put_prediction(const rendering *r)
{
    const roof_prediction *p = r->prediction;
    traceout trace;
    traceout_begin(&trace, r->out);
    traceout_put_ideal(&trace, p, NULL, p->model.name, p->hardware.name);
    if (traceout_can_show(p->total.predicted_s))
        put_predicted(&trace, p);
    traceout_verdict(&trace);
    for (size_t i = 0; i < sizeof p->verdict / sizeof *p->verdict; i++)
        jsonout_string(&trace.json, NULL, p->verdict[i]);
    traceout_end(&trace);
}

/* What a file holds takes no time. */
const renderer_def renderer_trace = {"trace", false, {put_prediction, NULL, reconcile_trace}};
