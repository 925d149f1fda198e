/* A timeline for ui.perfetto.dev and chrome://tracing: the network at its ideal times, and with a calibration
 * also at the times to expect. docs/formats/timelines.md says which rows there are. */
#include "reports/renderers/renderer.h"
#include "reports/timeline/trace_layers.h"

/* Less than this of the whole is how sums of doubles differ, not a time. */
#define ROUNDING_RATIO 1e-9

static void put_predicted(traceout *t, const roof_prediction *p)
{
    traceout_chain(t, "predicted", p);
    for (uint32_t i = 0; i < p->n_layers; i++)
        if (traceout_can_show(p->layers[i].predicted_s))
            traceout_count(t, p->layers[i].repeat * known_count(p->layers[i].ops_count),
                           p->layers[i].repeat * p->layers[i].predicted_s);
    bool has_constant = p->total.predicted_s > t->total_s * (1 + ROUNDING_RATIO);
    t->total_s = has_constant ? p->total.predicted_s : t->total_s;
    traceout_process(t, t->total_s, p->model.name, p->hardware.name, "");
    traceout_row(t, TRACEOUT_LAYERS, "layers");
    FOR_EACH(const roof_layer_prediction, l, p->layers, p->n_layers) {
        bool known = traceout_can_show(l->predicted_s);
        double end_s = known ? t->at_s + l->repeat * l->predicted_s : (double)NAN;
        traceout_open(t, TRACEOUT_LAYERS, l->name, t->at_s, end_s, end_s);
        traceout_us(t, known ? "predicted_us" : "predicted", l->predicted_s);
        if (!known)
            jsonout_string(&t->json, "why", "a calibration scales the ideal time, which is unknown");
        jsonout_count(&t->json, "index", l->index);
        traceout_whole_name(t, l->name);
        traceout_us(t, "ideal_us", l->deployed.ideal_s);
        traceout_close(t);
        if (known)
            traceout_next(t, l->repeat * (double)l->ops_count, l->repeat * l->predicted_s);
    }
    traceout_stop(t);
    if (!has_constant) /* what a calibration expects of an inference besides its layers */
        return;
    t->prefix.length = 0;
    traceout_open(t, TRACEOUT_LAYERS, "(once per inference)", t->at_s, t->total_s, INFINITY);
    traceout_us(t, "predicted_us", t->total_s - t->at_s);
    traceout_close(t);
}

static void put_prediction(const rendering *r)
{
    const roof_prediction *p = r->prediction;
    traceout trace;
    char text[ROOF_SENTENCE_SIZE];
    traceout_begin(&trace, r->out);
    traceout_put_ideal(&trace, p, NULL, p->model.name, p->hardware.name);
    if (traceout_can_show(p->total.predicted_s))
        put_predicted(&trace, p);
    traceout_put_schedule(&trace, p);
    traceout_verdict(&trace);
    if (p->placement)
        jsonout_string(&trace.json, NULL, p->placement);
    for (uint32_t i = 0; roof_prediction_sentence(p, i, text); i++)
        if (*text)
            jsonout_string(&trace.json, NULL, text);
    traceout_end(&trace);
}

/* A graph takes no time. */
const renderer_def renderer_trace = {.id = "trace",
                                     .own = {{put_prediction, ROOF_DOCUMENT_PREDICTION},
                                             {reconcile_trace, ROOF_DOCUMENT_RECONCILIATION},
                                             {realtime_trace, ROOF_DOCUMENT_REALTIME}}};
