#include "reports/trace_events.h"

#include <math.h>
#include <string.h>

/* Times are whole ticks of a power of ten, of which the longest row of a process has at most 10^12: where one event ends and
 * the next begins is one decimal number, and doubles tell all of them apart. */
enum { TICK_DIGITS = 12, FINEST_TICK = 21 /* 10^-21 us: finer ones would lead to infinity */ };

/* No clock counts longer. Up to here nothing overflows. */
#define LONGEST_SECONDS 1e18

static const char about[] = "ts and dur are microseconds; 1 MAC = 2 ops; what is not known is null";

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

/* Perfetto rounds ts and dur each to whole nanoseconds, older versions cut them there, and an event that then ends after the
 * next one has begun is dropped: of 1/3 + 1/3 us it makes 333 + 333 ns, but of 5/3 + 5/3 us 1667 + 1667, and 10/3 us are
 * 3333. doubt covers how differently halves are rounded. */
static bool overlaps_in_nanoseconds(double start_us, double duration_us, double next_us)
{
    const double half = 0.5, doubt = 0.01;
    const double start = start_us * 1e3, duration = duration_us * 1e3, next = next_us * 1e3;
    return floor(start + half + doubt) + floor(duration + half + doubt) > floor(next + half - doubt) ||
           floor(start) + floor(duration) > floor(next);
}

/* The length of an event, less the nanosecond that viewers may round up to, so that it ends before the next begins. */
static double fitting_ticks(const traceout *t, double start, double end, double next)
{
    const double ticks_per_ns = t->ticks_per_us / 1e3, step = ticks_per_ns >= 2 ? floor(ticks_per_ns / 2) : 1;
    double length = end - start;
    while (length > 0 &&
           overlaps_in_nanoseconds(microseconds(t, start), microseconds(t, length), microseconds(t, next)))
        length = length > step ? length - step : 0;
    return length;
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

/* No two rows of a trace have one number, and none has that of a process: a viewer may take that for its main thread. */
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

void traceout_open(traceout *t, const traceout_event *event)
{
    const double start = tick_at(t, event->from_s), end = tick_at(t, event->to_s);
    const bool instant = !(event->to_s >= event->from_s);
    open_event(t, instant ? "i" : "X", start);
    if (instant)
        jsonout_string(&t->json, "s", "t"); /* of its row alone */
    else
        jsonout_derived(&t->json, "dur",
                        microseconds(t, fitting_ticks(t, start, end, tick_at(t, event->next_s))));
    open_args(t, event->row, event->name);
}

void traceout_counter(traceout *t, const char *curve, const char *key, double at_s, double value)
{
    open_event(t, "C", tick_at(t, at_s));
    open_args(t, TRACEOUT_FIRST_ROW, curve);
    jsonout_derived(&t->json, key, value);
    traceout_close(t);
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

void traceout_process(traceout *t, double longest_s, const char *const *pieces, size_t n_pieces)
{
    double longest_us = longest_s * 1e6;
    double digits = longest_us > 0 ? TICK_DIGITS - 1 - floor(log10(longest_us)) : 0;
    textbuf name;
    t->process++;
    t->ticks_per_us = pow(10, fmin(digits, FINEST_TICK));
    text_init(&name, TEXT_MAX_BYTES);
    for (size_t i = 0; i < n_pieces; i++)
        text_puts(&name, pieces[i]);
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
