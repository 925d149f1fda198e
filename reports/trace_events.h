/* reports/trace_events.h - writing a trace, event by event, as ui.perfetto.dev and chrome://tracing open it.
 *
 * Units: seconds since its process began come in; ts and dur go out in microseconds.
 * Shapes: a trace has processes, a process has rows, numbered from TRACEOUT_FIRST_ROW. The events of a row come in order
 *   and do not overlap. Nothing is kept of what was written, so a trace may be as long as it likes.
 * Ownership: the text is the caller's. It remembers a failed allocation.
 * Source: "Trace Event Format", the JSON format of Chrome's tracing.
 */
#ifndef ROOF_REPORTS_TRACE_EVENTS_H
#define ROOF_REPORTS_TRACE_EVENTS_H

#include "core/jsonout.h"

enum { TRACEOUT_FIRST_ROW = 1, TRACEOUT_MAX_ROWS = 99 };

typedef struct traceout {
    jsonout json; /* args of an open event are written here */
    uint64_t process;
    double ticks_per_us; /* of the process; see trace_events.c */
} traceout;

void traceout_begin(traceout *trace, textbuf *out);
/* Ends the events; sentences that the caller writes to json follow, on what a reader should know of them, and then the end. */
void traceout_verdict(traceout *trace);
void traceout_end(traceout *trace);

/* Begins a process. longest_s: where its longest row ends. Its name is made of pieces. */
void traceout_process(traceout *trace, double longest_s, const char *const *pieces, size_t n_pieces);

/* Rows are shown in the order of their numbers. */
void traceout_row(traceout *trace, uint32_t row, const char *name);

/* False for what is no length of an event: not known, not finite, negative, or longer than any clock counts. */
bool traceout_can_show(double seconds);

typedef struct traceout_event {
    uint32_t row;
    const char *name;
    double from_s, to_s; /* to_s NaN, or earlier: an instant, for what has no length that can be shown */
    double next_s;       /* no event of the row begins between to_s and this; INFINITY: none comes */
} traceout_event;

/* An event whose args can be written now, until traceout_close. */
void traceout_open(traceout *trace, const traceout_event *event);
void traceout_close(traceout *trace);

/* The value that a curve of the process has from here on. */
void traceout_counter(traceout *trace, const char *curve, const char *key, double at_s, double value);

/* A duration among args. */
void traceout_us(traceout *trace, const char *key, double seconds);

#endif
