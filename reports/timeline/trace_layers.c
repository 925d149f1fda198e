#include "reports/timeline/trace_layers.h"
#include "measure/matches/match_facts.h"

/* Times are whole ticks of a power of ten, of which the longest row of a process has at most 10^12: where one
 * event ends and the next begins is one decimal number, and doubles tell all of them apart. */
enum { TICK_DIGITS = 12, FINEST_TICK = 21 /* 10^-21 us: finer ones would lead to infinity */ };

/* No clock counts longer. Up to here nothing overflows. */
#define LONGEST_SECONDS 1e18

static const char about[] = "ts and dur are microseconds; 1 MAC = 2 ops; what is unknown is null";

/* --- times -------------------------------------------------------------------------------------------- */

bool traceout_can_show(double seconds)
{
    return seconds >= 0 && seconds <= LONGEST_SECONDS;
}

static double tick_at(const traceout *t, double seconds)
{
    return round(seconds * 1e6 * t->ticks_per_us);
}

static double microseconds(const traceout *t, double ticks)
{
    return ticks / t->ticks_per_us;
}

/* Perfetto rounds ts and dur each to whole nanoseconds, older versions cut them there, and an event that then
 * ends after the next one has begun is dropped: of 1/3 + 1/3 us it makes 333 + 333 ns, but of 5/3 + 5/3 us
 * 1667 + 1667, and 10/3 us are
 * 3333. doubt covers how differently halves are rounded. */
static bool overlaps_in_nanoseconds(double start_us, double duration_us, double next_us)
{
    const double half = 0.5, doubt = 0.01;
    const double start = start_us * 1e3, duration = duration_us * 1e3, next = next_us * 1e3;
    return floor(start + half + doubt) + floor(duration + half + doubt) > floor(next + half - doubt) ||
           floor(start) + floor(duration) > floor(next);
}

/* --- events ------------------------------------------------------------------------------------------- */

/* ts comes before any name: old readers give up at an escape in a string. */
static void open_event(traceout *t, const char *phase, double tick)
{
    jsonout_object(&t->json, NULL, true);
    jsonout_string(&t->json, "ph", phase);
    if (!isnan(tick))
        jsonout_derived(&t->json, "ts", microseconds(t, tick));
}

/* No two rows of a trace have one number, nor that of a process, which a viewer takes for its thread. */
static void open_args(traceout *t, uint32_t row, const char *name)
{
    jsonout_count(&t->json, "pid", t->process);
    jsonout_count(&t->json, "tid", t->process * (TRACEOUT_MAX_ROWS + 1) + row);
    jsonout_string(&t->json, "name", name);
    jsonout_object(&t->json, "args", true);
}

void traceout_close(traceout *t)
{
    jsonout_end(&t->json);
    jsonout_end(&t->json);
}

void traceout_open(traceout *t, uint32_t row, const char *name, double from_s, double to_s, double end_s)
{
    const double start = tick_at(t, from_s), end = tick_at(t, to_s);
    const double next = tick_at(t, end_s < t->total_s ? end_s : (double)INFINITY);
    const double ticks_per_ns = t->ticks_per_us / 1e3, step = ticks_per_ns >= 2 ? floor(ticks_per_ns / 2) : 1;
    const bool instant = !(to_s >= from_s);
    double length =
        end - start; /* less the nanosecond that viewers may round up to: it ends before the next */
    while (length > 0 &&
           overlaps_in_nanoseconds(microseconds(t, start), microseconds(t, length), microseconds(t, next)))
        length = length > step ? length - step : 0;
    open_event(t, instant ? "i" : "X", start);
    if (instant)
        jsonout_string(&t->json, "s", "t"); /* of its row alone */
    else
        jsonout_derived(&t->json, "dur", microseconds(t, length));
    open_args(t, row, prediction_name_without(t->prefix, name));
}

/* Viewers take what has the same name, category and number for the two ends of an arrow, and "bp": "e" for
 * the event around its head instead of the next one. */
static void open_end(traceout *t, const char *phase, const char *name, traceout_point point)
{
    open_event(t, phase, tick_at(t, point.at_s));
    if (*phase == 'f')
        jsonout_string(&t->json, "bp", "e");
    jsonout_string(&t->json, "cat", "wait");
    jsonout_count(&t->json, "id", t->arrows);
    open_args(t, point.row, name);
}

void traceout_arrow(traceout *t, const char *name, traceout_point from, traceout_point to)
{
    t->arrows++;
    open_end(t, "s", name, from);
    traceout_close(t);
    open_end(t, "f", name, to);
}

void traceout_us(traceout *t, const char *key, double seconds)
{
    jsonout_derived(&t->json, key, seconds * 1e6);
}

/* --- processes and rows ------------------------------------------------------------------------------- */

/* A name and a place in the order, of a row or of its process. */
static void put_metadata(traceout *t, uint32_t row, bool is_row, const char *name, uint64_t place)
{
    open_event(t, "M", NAN);
    open_args(t, row, is_row ? "thread_name" : "process_name");
    jsonout_string(&t->json, "name", name);
    traceout_close(t);
    open_event(t, "M", NAN);
    open_args(t, row, is_row ? "thread_sort_index" : "process_sort_index");
    jsonout_count(&t->json, "sort_index", place);
    traceout_close(t);
}

void traceout_process(traceout *t, double longest_s, const char *model, const char *hardware, const char *how)
{
    double longest_us = longest_s * 1e6;
    double digits = longest_us > 0 ? TICK_DIGITS - 1 - floor(log10(longest_us)) : 0;
    hardware = text_or_empty(hardware);
    textbuf name;
    t->process++;
    t->ticks_per_us = pow(10, fmin(digits, FINEST_TICK));
    text_init(&name, TEXT_MAX_BYTES);
    text_printf(&name, "%s: %s%s%s%s", t->key, model, *hardware ? " on " : "", hardware, how);
    t->json.out->failed |= name.failed;
    put_metadata(t, TRACEOUT_FIRST_ROW, false, name.bytes ? name.bytes : "", t->process);
    text_free(&name);
}

void traceout_row(traceout *t, uint32_t row, const char *name)
{
    put_metadata(t, row, true, name, row);
}

/* --- the document ------------------------------------------------------------------------------------- */

void traceout_begin(traceout *t, textbuf *out)
{
    *t = (traceout){.ticks_per_us = 1};
    jsonout_begin(&t->json, out);
    jsonout_object(&t->json, NULL, false);
    jsonout_array(&t->json, "traceEvents", false);
}

/* Behind the events, as in Chrome's own traces: old readers stop at a key that they do not know. */
void traceout_verdict(traceout *t)
{
    jsonout_end(&t->json);
    jsonout_string(&t->json, "displayTimeUnit", "ns");
    jsonout_object(&t->json, "otherData", false);
    jsonout_string(&t->json, "tool", "roofline");
    jsonout_string(&t->json, "about", about);
    jsonout_array(&t->json, "verdict", false);
}

void traceout_end(traceout *t)
{
    jsonout_end(&t->json);
    jsonout_end(&t->json);
    jsonout_end(&t->json);
}

/* --- a chain of layers -------------------------------------------------------------------------------- */

void traceout_chain(traceout *t, const char *key, const roof_prediction *p)
{
    t->key = key;
    t->prefix = prediction_name_prefix(p);
    t->at_s = t->total_s = 0;
    t->all_rates = true;
}

void traceout_count(traceout *t, double ops, double seconds)
{
    t->total_s += seconds;
    t->all_rates = t->all_rates && !isnan(ops);
}

void traceout_whole_name(traceout *t, const char *name)
{
    if (prediction_name_without(t->prefix, name) != name)
        jsonout_string(&t->json, "name", name);
}

/* The rate that the curve has from here on. */
static void put_rate(traceout *t, double ops_per_s)
{
    open_event(t, "C", tick_at(t, t->at_s));
    open_args(t, TRACEOUT_FIRST_ROW, "GOP/s");
    jsonout_derived(&t->json, t->key, ops_per_s * 1e-9);
    traceout_close(t);
}

void traceout_next(traceout *t, double ops, double seconds)
{
    if (t->all_rates && seconds > 0)
        put_rate(t, ops / seconds);
    t->at_s += seconds;
}

void traceout_stop(traceout *t)
{
    if (t->all_rates && t->at_s > 0)
        put_rate(t, 0);
}

/* --- the ideal ---------------------------------------------------------------------------------------- */

/* Behind the row of the layers. */
enum { FIRST_ENGINE = TRACEOUT_LAYERS + 1 };

static double engine_seconds(const roof_prediction *p, const roof_cost *cost, uint32_t engine)
{
    uint64_t cycles = cost->cycles ? cost->cycles[engine] : ROOF_UNKNOWN;
    double seconds = cycles == ROOF_UNKNOWN ? NAN : (double)cycles / p->hardware.clock_hz;
    return traceout_can_show(seconds) ? seconds : 0;
}

/* Arguments of an event: the kind of a layer, and how much it does. */
static void put_work(traceout *t, const roof_layer_prediction *l)
{
    jsonout *j = &t->json;
    jsonout_count(j, "index", l->index);
    traceout_whole_name(t, l->name);
    jsonout_string(j, "type", l->type);
    jsonout_string(j, "device", l->device);
    jsonout_count(j, "macs", l->macs);
    jsonout_count(j, "ops_count", l->ops_count);
}

/* Engines work at once: all of them begin with the layer, and its bottleneck ends with it. */
static void put_layer(traceout *t, const roof_prediction *p, const roof_layer_prediction *l,
                      const roof_cost *cost)
{
    jsonout *j = &t->json;
    const double from_s = t->at_s, to_s = from_s + l->repeat * cost->ideal_s;
    const uint64_t bytes = roof_traffic_total(&cost->traffic);
    traceout_open(t, TRACEOUT_LAYERS, l->name, from_s, to_s, to_s);
    put_work(t, l);
    jsonout_count(j, "bytes", bytes);
    traceout_us(t, "ideal_us", cost->ideal_s);
    jsonout_string(j, "bound", cost->bound == ROOF_NONE ? NULL : p->engines[cost->bound]);
    jsonout_object(j, "cycles", true);
    for (uint32_t e = 0; cost->cycles && e < p->n_engines; e++)
        jsonout_count(j, p->engines[e], cost->cycles[e]);
    jsonout_count(j, "ideal", cost->ideal_cycles);
    jsonout_end(j);
    /* The ratios of a layer are those of the code of the whole network. */
    double intensity = l->intensity_ops_per_byte, utilisation = l->utilisation_ratio;
    if (cost != &l->deployed) {
        intensity = bytes ? known_count(l->roof_ops_count) / known_count(bytes) : NAN;
        utilisation *= l->deployed.ideal_s / cost->ideal_s;
    }
    jsonout_derived(j, "intensity_ops_per_byte", intensity);
    jsonout_derived(j, "utilisation_ratio", utilisation);
    traceout_close(t);
    for (uint32_t e = 0; cost->cycles && e < p->n_engines; e++) {
        double seconds = l->repeat * engine_seconds(p, cost, e);
        if (!(seconds > 0))
            continue;
        traceout_open(t, FIRST_ENGINE + e, l->name, from_s, fmin(from_s + seconds, to_s), to_s);
        jsonout_count(j, "index", l->index);
        jsonout_count(j, "cycles", cost->cycles[e]);
        traceout_close(t);
    }
}

void traceout_put_ideal(traceout *trace, const roof_prediction *p, const roof_run *run, const char *model,
                        const char *hardware)
{
    bool works[ROOF_MAX_ENGINES] = {false}, has_own_code = false; /* a layer is run by code of its own */
    traceout_chain(trace, "ideal", p);
    FOR_EACH(const roof_layer_prediction, l, p->layers, p->n_layers) {
        const roof_cost *cost = layer_cost(run, l);
        if (!traceout_can_show(cost->ideal_s))
            continue;
        traceout_count(trace, l->repeat * known_count(l->ops_count), l->repeat * cost->ideal_s);
        has_own_code = has_own_code || cost == &l->alone;
        for (uint32_t e = 0; e < p->n_engines; e++)
            works[e] = works[e] || engine_seconds(p, cost, e) > 0;
    }
    traceout_process(trace, trace->total_s, model, hardware, has_own_code ? ", per-layer run" : "");
    traceout_row(trace, TRACEOUT_LAYERS, "layers");
    for (uint32_t e = 0; e < p->n_engines; e++)
        if (works[e])
            traceout_row(trace, FIRST_ENGINE + e, p->engines[e]);
    FOR_EACH(const roof_layer_prediction, l, p->layers, p->n_layers) {
        const roof_cost *cost = layer_cost(run, l);
        if (traceout_can_show(cost->ideal_s)) {
            put_layer(trace, p, l, cost);
            traceout_next(trace, l->repeat * (double)l->ops_count, l->repeat * cost->ideal_s);
        } else {
            /* Without a time there is no length, but the layer is there. */
            traceout_open(trace, TRACEOUT_LAYERS, l->name, trace->at_s, NAN, NAN);
            jsonout_null(&trace->json, "ideal");
            jsonout_string(&trace->json, "why",
                           l->executor == ROOF_BY_HOST ? "it runs on the CPU, whose time no cost model knows"
                                                       : "no cost model knows its time");
            put_work(trace, l);
            traceout_close(trace);
        }
    }
    traceout_stop(trace);
}
