#include "core/quantity.h"
#include "reports/trace_layers.h"
#include "measure/unit_facts.h"
#include "reports/cells.h"

#include <math.h>
#include <string.h>

/* Behind the row of the layers. */
enum { FIRST_ENGINE = TRACEOUT_LAYERS + 1 };

void traceout_layers(traceout *t, double total_s, const char *what, const char *model, const char *hardware,
                     const char *how)
{
    bool known = hardware && *hardware;
    const char *const pieces[] = {what, ": ", model, known ? " on " : "", known ? hardware : "", how};
    traceout_process(t, total_s, pieces, sizeof pieces / sizeof *pieces);
    traceout_row(t, TRACEOUT_LAYERS, "layers");
}

double traceout_chained(double to_s, double total_s)
{
    return to_s < total_s ? to_s : (double)INFINITY;
}

void traceout_open_layer(traceout *t, const char *name, double at_s, double end_s, double total_s)
{
    const traceout_event event = {.row = TRACEOUT_LAYERS,
                                  .name = name,
                                  .from_s = at_s,
                                  .to_s = end_s,
                                  .next_s = traceout_chained(end_s, total_s)};
    traceout_open(t, &event);
}

/* --- names -------------------------------------------------------------------------------------------- */

void traceout_whole_name(traceout *t, name_prefixes prefix, const char *name)
{
    if (name_without(prefix, name) != name)
        jsonout_string(&t->json, "name", name);
}

/* --- rates -------------------------------------------------------------------------------------------- */

const char traceout_rate[] = "GOP/s";

double traceout_gops(double ops, double seconds)
{
    return ops / seconds * 1e-9;
}

/* --- the ideal ---------------------------------------------------------------------------------------- */

typedef struct ideal {
    traceout *trace;
    const roof_prediction *p;
    const roof_run *run;
    name_prefixes prefix;
    double total_s;
    bool works[ROOF_MAX_ENGINES];
    bool all_rates; /* a curve cannot show that a value is not known, so it is there with all of them */
    bool own_code;  /* a layer is run by code of its own */
} ideal;

static double engine_seconds(const ideal *x, const roof_cost *cost, uint32_t engine)
{
    uint64_t cycles = cost->cycles ? cost->cycles[engine] : ROOF_UNKNOWN;
    double seconds = cycles == ROOF_UNKNOWN ? NAN : (double)cycles / x->p->hardware.clock_hz;
    return traceout_can_show(seconds) ? seconds : 0;
}

static void survey(ideal *x)
{
    x->all_rates = true;
    for (uint32_t i = 0; i < x->p->n_layers; i++) {
        const roof_layer_prediction *l = &x->p->layers[i];
        const roof_cost *cost = cost_in(x->run, l);
        if (!traceout_can_show(cost->ideal_s))
            continue;
        x->total_s += cost->ideal_s;
        x->own_code = x->own_code || cost == &l->alone;
        x->all_rates = x->all_rates && l->ops_count != ROOF_UNKNOWN;
        for (uint32_t e = 0; e < x->p->n_engines; e++)
            x->works[e] = x->works[e] || engine_seconds(x, cost, e) > 0;
    }
}

static void put_title(const ideal *x, const char *model, const char *hardware)
{
    traceout_layers(x->trace, x->total_s, "ideal", model, hardware, x->own_code ? ", layer by layer" : "");
    for (uint32_t e = 0; e < x->p->n_engines; e++)
        if (x->works[e])
            traceout_row(x->trace, FIRST_ENGINE + e, x->p->engines[e]);
}

static void put_cycles(const ideal *x, const roof_cost *cost)
{
    jsonout *j = &x->trace->json;
    jsonout_object(j, "cycles", true);
    for (uint32_t e = 0; cost->cycles && e < x->p->n_engines; e++)
        jsonout_count(j, x->p->engines[e], cost->cycles[e]);
    jsonout_count(j, "ideal", cost->ideal_cycles);
    jsonout_end(j);
}

/* The ratios of a layer are those of the deployed code. */
static void put_ratios(const ideal *x, const roof_layer_prediction *l, const roof_cost *cost)
{
    double intensity = l->intensity_ops_per_byte, utilisation = l->utilisation_ratio;
    if (cost != &l->deployed) {
        uint64_t bytes = roof_traffic_total(&cost->traffic);
        intensity = bytes ? known_count(l->roof_ops_count) / known_count(bytes) : NAN;
        utilisation *= l->deployed.ideal_s / cost->ideal_s;
    }
    jsonout_derived(&x->trace->json, "intensity_ops_per_byte", intensity);
    jsonout_derived(&x->trace->json, "utilisation_ratio", utilisation);
}

/* What a layer is, and how much it does. */
static void put_work(const ideal *x, const roof_layer_prediction *l)
{
    jsonout *j = &x->trace->json;
    jsonout_count(j, "index", l->index);
    traceout_whole_name(x->trace, x->prefix, l->name);
    jsonout_string(j, "type", l->type);
    jsonout_string(j, "device", l->device);
    jsonout_count(j, "macs", l->macs);
    jsonout_count(j, "ops_count", l->ops_count);
}

static void put_layer_args(const ideal *x, const roof_layer_prediction *l, const roof_cost *cost)
{
    jsonout *j = &x->trace->json;
    put_work(x, l);
    jsonout_count(j, "bytes", roof_traffic_total(&cost->traffic));
    traceout_us(x->trace, "ideal_us", cost->ideal_s);
    jsonout_string(j, "bound", cost->bound == ROOF_NONE ? NULL : x->p->engines[cost->bound]);
    put_cycles(x, cost);
    put_ratios(x, l, cost);
}

/* Without a time there is no length, but the layer is there. */
static void put_unknown(const ideal *x, const roof_layer_prediction *l, double at_s)
{
    bool host = strcmp(l->device, "CPU") == 0;
    jsonout *j = &x->trace->json;
    const traceout_event event = {
        .row = TRACEOUT_LAYERS, .name = name_without(x->prefix, l->name), .from_s = at_s, .to_s = NAN};
    traceout_open(x->trace, &event);
    jsonout_null(j, "ideal");
    jsonout_string(j, "why",
                   host ? "it runs on the host, whose time no cycle law knows"
                        : "no cycle law knows its time");
    put_work(x, l);
    traceout_close(x->trace);
}

/* Engines work at once: all of them begin with the layer, and the one that binds it ends with it. */
static void put_engines(const ideal *x, const roof_layer_prediction *l, const roof_cost *cost, double at_s)
{
    double end_s = at_s + cost->ideal_s;
    for (uint32_t e = 0; e < x->p->n_engines; e++) {
        double seconds = engine_seconds(x, cost, e);
        if (!(seconds > 0))
            continue;
        const traceout_event event = {.row = FIRST_ENGINE + e,
                                      .name = name_without(x->prefix, l->name),
                                      .from_s = at_s,
                                      .to_s = fmin(at_s + seconds, end_s),
                                      .next_s = traceout_chained(end_s, x->total_s)};
        traceout_open(x->trace, &event);
        jsonout_count(&x->trace->json, "index", l->index);
        jsonout_count(&x->trace->json, "cycles", cost->cycles[e]);
        traceout_close(x->trace);
    }
}

static void put_layer(const ideal *x, const roof_layer_prediction *l, const roof_cost *cost, double at_s)
{
    double end_s = at_s + cost->ideal_s;
    traceout_open_layer(x->trace, name_without(x->prefix, l->name), at_s, end_s, x->total_s);
    put_layer_args(x, l, cost);
    traceout_close(x->trace);
    put_engines(x, l, cost, at_s);
    if (x->all_rates && cost->ideal_s > 0)
        traceout_counter(x->trace, traceout_rate, "ideal", at_s,
                         traceout_gops((double)l->ops_count, cost->ideal_s));
}

void traceout_put_ideal(traceout *trace, const roof_prediction *p, const roof_run *run, const char *model,
                        const char *hardware)
{
    ideal x = {.trace = trace, .p = p, .run = run, .prefix = name_prefix_of(p)};
    double at_s = 0;
    survey(&x);
    put_title(&x, model, hardware);
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *l = &p->layers[i];
        const roof_cost *cost = cost_in(run, l);
        if (traceout_can_show(cost->ideal_s)) {
            put_layer(&x, l, cost, at_s);
            at_s += cost->ideal_s;
        } else {
            put_unknown(&x, l, at_s);
        }
    }
    if (x.all_rates && x.total_s > 0)
        traceout_counter(trace, traceout_rate, "ideal", at_s, 0);
}
