#include "reports/trace_events.h"

#include <math.h>
#include <string.h>

/* Times are whole ticks of a power of ten, of which the longest row of a process has at most 10^12: where one event ends and
 * the next begins is one decimal number, and doubles tell all of them apart. */
enum { TICK_DIGITS = 12, FINEST_TICK = 21 /* 10^-21 us: finer ones would lead to infinity */ };

/* No honest duration is longer; below it nothing overflows. */
#define LONGEST_SECONDS 1e18

static const char about[] = "ts and dur are microseconds; 1 MAC = 2 ops; what is not known is null";

/* --- times -------------------------------------------------------------------------------------------- */

bool roof_traceout_can_show(double seconds)
{
    return seconds >= 0 && seconds <= LONGEST_SECONDS;
}

static double tick_at(const roof_traceout *t, double seconds)
{
    return round(seconds * 1e6 * t->ticks_per_us);
}

static double microseconds(const roof_traceout *t, double ticks)
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

/* As long as it is, but for the nanosecond that viewers may round up. */
static double fitting_ticks(const roof_traceout *t, double start, double end, double next)
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
static void open_event(roof_traceout *t, const char *phase, double tick)
{
    roof_jsonout_object(&t->json, NULL, true);
    roof_jsonout_string(&t->json, "ph", phase);
    if (!isnan(tick))
        roof_jsonout_derived(&t->json, "ts", microseconds(t, tick));
}

/* Numbers of rows are unlike in the whole trace, and unlike those of processes, which mark a main thread elsewhere. */
static void open_args(roof_traceout *t, uint32_t row, const char *name)
{
    roof_jsonout_count(&t->json, "pid", t->process);
    roof_jsonout_count(&t->json, "tid", t->process * (ROOF_TRACEOUT_MAX_ROWS + 1) + row);
    roof_jsonout_string(&t->json, "name", name);
    roof_jsonout_object(&t->json, "args", true);
}

void roof_traceout_close(roof_traceout *t)
{
    roof_jsonout_end(&t->json);
    roof_jsonout_end(&t->json);
}

void roof_traceout_open(roof_traceout *t, const roof_traceout_event *event)
{
    const double start = tick_at(t, event->from_s), end = tick_at(t, event->to_s);
    const bool instant = !(event->to_s >= event->from_s);
    open_event(t, instant ? "i" : "X", start);
    if (instant)
        roof_jsonout_string(&t->json, "s", "t"); /* of its row alone */
    else
        roof_jsonout_derived(&t->json, "dur",
                             microseconds(t, fitting_ticks(t, start, end, tick_at(t, event->next_s))));
    open_args(t, event->row, event->name);
}

void roof_traceout_counter(roof_traceout *t, const char *curve, const char *key, double at_s, double value)
{
    open_event(t, "C", tick_at(t, at_s));
    open_args(t, ROOF_TRACEOUT_FIRST_ROW, curve);
    roof_jsonout_derived(&t->json, key, value);
    roof_traceout_close(t);
}

void roof_traceout_us(roof_traceout *t, const char *key, double seconds)
{
    roof_jsonout_derived(&t->json, key, seconds * 1e6);
}

/* --- processes and rows ------------------------------------------------------------------------------- */

static void open_metadata(roof_traceout *t, uint32_t row, const char *what)
{
    open_event(t, "M", NAN);
    open_args(t, row, what);
}

static void put_process_name(roof_traceout *t, const char *const *pieces, size_t n_pieces)
{
    roof_text name;
    roof_text_init(&name, ROOF_TEXT_MAX_BYTES);
    for (size_t i = 0; i < n_pieces; i++)
        roof_text_puts(&name, pieces[i]);
    t->json.out->failed |= name.failed;
    open_metadata(t, ROOF_TRACEOUT_FIRST_ROW, "process_name");
    roof_jsonout_string(&t->json, "name", name.bytes ? name.bytes : "");
    roof_traceout_close(t);
    roof_text_free(&name);
}

void roof_traceout_process(roof_traceout *t, double longest_s, const char *const *pieces, size_t n_pieces)
{
    double longest_us = longest_s * 1e6;
    double digits = longest_us > 0 ? TICK_DIGITS - 1 - floor(log10(longest_us)) : 0;
    t->process++;
    t->ticks_per_us = pow(10, fmin(digits, FINEST_TICK));
    put_process_name(t, pieces, n_pieces);
    open_metadata(t, ROOF_TRACEOUT_FIRST_ROW, "process_sort_index");
    roof_jsonout_count(&t->json, "sort_index", t->process);
    roof_traceout_close(t);
}

void roof_traceout_row(roof_traceout *t, uint32_t row, const char *name)
{
    open_metadata(t, row, "thread_name");
    roof_jsonout_string(&t->json, "name", name);
    roof_traceout_close(t);
    open_metadata(t, row, "thread_sort_index");
    roof_jsonout_count(&t->json, "sort_index", row);
    roof_traceout_close(t);
}

/* --- the document ------------------------------------------------------------------------------------- */

void roof_traceout_begin(roof_traceout *t, roof_text *out)
{
    *t = (roof_traceout){.ticks_per_us = 1};
    roof_jsonout_begin(&t->json, out);
    roof_jsonout_object(&t->json, NULL, false);
    roof_jsonout_array(&t->json, "traceEvents", false);
}

/* Behind the events, as in Chrome's own traces: old readers stop at a key that they do not know. */
void roof_traceout_end(roof_traceout *t, const char *const *verdict, uint32_t n_verdict)
{
    roof_jsonout_end(&t->json);
    roof_jsonout_string(&t->json, "displayTimeUnit", "ns");
    roof_jsonout_object(&t->json, "otherData", false);
    roof_jsonout_string(&t->json, "tool", "roofline");
    roof_jsonout_string(&t->json, "about", about);
    roof_jsonout_array(&t->json, "verdict", false);
    for (uint32_t i = 0; i < n_verdict; i++)
        roof_jsonout_string(&t->json, NULL, verdict[i]);
    roof_jsonout_end(&t->json);
    roof_jsonout_end(&t->json);
    roof_jsonout_end(&t->json);
}
