#include "reports/trace_layers.h"
#include "measure/unit_facts.h"
#include "core/quantity.h"
#include "measure/match_rows.h"
#include "measure/reconciler.h"

#include <math.h>
#include <string.h>

/* --- a chain of layers -------------------------------------------------------------------------------- */

void chain_count(layer_chain *c, double ops, double seconds)
{
    c->total_s += seconds;
    c->all_rates = c->all_rates && !isnan(ops);
}

void chain_begin(const layer_chain *c, const char *model, const char *hardware, const char *how)
{
    bool known = hardware && *hardware;
    const char *const pieces[] = {c->key, ": ", model, known ? " on " : "", known ? hardware : "", how};
    traceout_process(c->trace, c->total_s, pieces, sizeof pieces / sizeof *pieces);
    traceout_row(c->trace, TRACEOUT_LAYERS, "layers");
}

void chain_open(const layer_chain *c, uint32_t row, const char *name, double from_s, double to_s,
                double end_s)
{
    double next_s = end_s < c->total_s ? end_s : (double)INFINITY;
    traceout_open(c->trace, &(traceout_event){row, name_without(c->prefix, name), from_s, to_s, next_s});
}

void chain_whole_name(const layer_chain *c, const char *name)
{
    if (name_without(c->prefix, name) != name)
        jsonout_string(&c->trace->json, "name", name);
}

static void put_rate(const layer_chain *c, double ops_per_s)
{
    traceout_counter(c->trace, "GOP/s", c->key, c->at_s, ops_per_s * 1e-9);
}

void chain_next(layer_chain *c, double ops, double seconds)
{
    if (c->all_rates && seconds > 0)
        put_rate(c, ops / seconds);
    c->at_s += seconds;
}

void chain_end(const layer_chain *c)
{
    if (c->all_rates && c->at_s > 0)
        put_rate(c, 0);
}

/* --- the ideal ---------------------------------------------------------------------------------------- */

/* Behind the row of the layers. */
enum { FIRST_ENGINE = TRACEOUT_LAYERS + 1 };

typedef struct ideal {
    layer_chain chain;
    const roof_prediction *p;
    const roof_run *run;
    bool works[ROOF_MAX_ENGINES];
    bool own_code; /* a layer is run by code of its own */
} ideal;

static double engine_seconds(const ideal *x, const roof_cost *cost, uint32_t engine)
{
    uint64_t cycles = cost->cycles ? cost->cycles[engine] : ROOF_UNKNOWN;
    double seconds = cycles == ROOF_UNKNOWN ? NAN : (double)cycles / x->p->hardware.clock_hz;
    return traceout_can_show(seconds) ? seconds : 0;
}

static void survey(ideal *x)
{
    for (uint32_t i = 0; i < x->p->n_layers; i++) {
        const roof_layer_prediction *l = &x->p->layers[i];
        const roof_cost *cost = cost_in(x->run, l);
        if (!traceout_can_show(cost->ideal_s))
            continue;
        chain_count(&x->chain, known_count(l->ops_count), cost->ideal_s);
        x->own_code = x->own_code || cost == &l->alone;
        for (uint32_t e = 0; e < x->p->n_engines; e++)
            x->works[e] = x->works[e] || engine_seconds(x, cost, e) > 0;
    }
}

static void put_cycles(const ideal *x, const roof_cost *cost)
{
    jsonout *j = &x->chain.trace->json;
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
    jsonout_derived(&x->chain.trace->json, "intensity_ops_per_byte", intensity);
    jsonout_derived(&x->chain.trace->json, "utilisation_ratio", utilisation);
}

/* What a layer is, and how much it does. */
static void put_work(const ideal *x, const roof_layer_prediction *l)
{
    jsonout *j = &x->chain.trace->json;
    jsonout_count(j, "index", l->index);
    chain_whole_name(&x->chain, l->name);
    jsonout_string(j, "type", l->type);
    jsonout_string(j, "device", l->device);
    jsonout_count(j, "macs", l->macs);
    jsonout_count(j, "ops_count", l->ops_count);
}

/* Without a time there is no length, but the layer is there. */
static void put_unknown(const ideal *x, const roof_layer_prediction *l)
{
    bool host = l->executor == ROOF_BY_HOST;
    traceout *t = x->chain.trace;
    chain_open(&x->chain, TRACEOUT_LAYERS, l->name, x->chain.at_s, NAN, NAN);
    jsonout_null(&t->json, "ideal");
    jsonout_string(&t->json, "why",
                   host ? "it runs on the host, whose time no cycle law knows"
                        : "no cycle law knows its time");
    put_work(x, l);
    traceout_close(t);
}

/* Engines work at once: all of them begin with the layer, and the one that binds it ends with it. */
static void put_layer(const ideal *x, const roof_layer_prediction *l, const roof_cost *cost)
{
    traceout *t = x->chain.trace;
    double from_s = x->chain.at_s, to_s = from_s + cost->ideal_s;
    chain_open(&x->chain, TRACEOUT_LAYERS, l->name, from_s, to_s, to_s);
    put_work(x, l);
    jsonout_count(&t->json, "bytes", roof_traffic_total(&cost->traffic));
    traceout_us(t, "ideal_us", cost->ideal_s);
    jsonout_string(&t->json, "bound", cost->bound == ROOF_NONE ? NULL : x->p->engines[cost->bound]);
    put_cycles(x, cost);
    put_ratios(x, l, cost);
    traceout_close(t);
    for (uint32_t e = 0; e < x->p->n_engines; e++) {
        double seconds = engine_seconds(x, cost, e);
        if (!(seconds > 0))
            continue;
        chain_open(&x->chain, FIRST_ENGINE + e, l->name, from_s, fmin(from_s + seconds, to_s), to_s);
        jsonout_count(&t->json, "index", l->index);
        jsonout_count(&t->json, "cycles", cost->cycles[e]);
        traceout_close(t);
    }
}

void traceout_put_ideal(traceout *trace, const roof_prediction *p, const roof_run *run, const char *model,
                        const char *hardware)
{
    ideal x = {.chain = {.trace = trace, .key = "ideal", .prefix = name_prefix_of(p), .all_rates = true},
               .p = p,
               .run = run};
    survey(&x);
    chain_begin(&x.chain, model, hardware, x.own_code ? ", layer by layer" : "");
    for (uint32_t e = 0; e < p->n_engines; e++)
        if (x.works[e])
            traceout_row(trace, FIRST_ENGINE + e, p->engines[e]);
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *l = &p->layers[i];
        const roof_cost *cost = cost_in(run, l);
        if (traceout_can_show(cost->ideal_s)) {
            put_layer(&x, l, cost);
            chain_next(&x.chain, (double)l->ops_count, cost->ideal_s);
        } else {
            put_unknown(&x, l);
        }
    }
    chain_end(&x.chain);
}
