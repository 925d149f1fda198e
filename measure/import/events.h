/* measure/import/events.h - the events of a trace in Chrome's format, one after another, whatever its length.
 *
 *   {"schemaVersion":1,"traceEvents":[{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,
 *     "ts":1695835535000000.125,"dur":4.928,"args":{"stream":7}},...],"displayTimeUnit":"ms"}
 *   or a bare array of events
 *
 * Format: "Trace Event Format" of Chromium's tracing project. ts and dur are microseconds, whatever
 * displayTimeUnit says, which is for viewers. The end of a bare array may be missing, and a comma may stand
 * behind the last event.
 *
 * Units: picoseconds from the first event that was requested. Stamps of 1.7e15 us and their fractions are
 *   more than a double holds, so that both parts are read as integers.
 * Ownership: an event and its spans are good until the call for it returns.
 *
 * Memory: a window of 128 KiB, more where an event is larger, of 1 MiB at most; a row for each thread; begins
 * without their end, whose texts are kept. Speed: core/json/jsonscan.h.
 */
#pragma once

#include "measure/import/fields.h"

typedef struct event_reader event_reader;

/* Strings are without quotes, escapes as they are; args is an object with its braces. Empty: not there. */
typedef struct trace_event {
    event_reader *reader;
    text_span name, cat, phase, id, pid, tid, ts, dur, args;
    int64_t lasts_ps; /* of what was made of a begin and its end; else unset */
    uint64_t byte;    /* where it begins */
} trace_event;

/* An importer keeps here what it knows while it reads: measure/import/importer.h. */
struct reading;

/* Whom to call. Members of the top object beside the events are given where they have at most 64 KiB. */
typedef struct event_calls {
    roof_status (*event)(struct reading *r, const trace_event *e, roof_error *err);
    roof_status (*member)(struct reading *r, text_span name, text_span value, roof_error *err); /* or NULL */
    bool pairs; /* a begin and its end on one thread (phases B and E) become one event of phase X */
} event_calls;

/* Gives every event to a function, until one fails, whose errors without a place get that of the event.
 * scratch: for threads. n_unpaired: begins and ends that lack the other, where pairs are wanted; may be NULL.
 * Errors: E_DATA with the byte (not JSON, no trace), E_LIMIT (an event of more than 1 MiB, more than 2^16
 *   threads or 4096 begins without an end), E_NO_MEMORY, those of read and of the calls. */
roof_status events_each(import_read read, void *context, const event_calls *calls, struct reading *target,
                        roof_arena *scratch, uint64_t *n_unpaired, roof_error *err);

/* True for a complete event, with a beginning and a duration. */
bool event_is_span(const trace_event *e);

/* When it began and how long it took. Errors: E_DATA for what is no time, or a duration that is negative;
 * E_LIMIT for times more than 50 days from the first one. */
roof_status event_times(const trace_event *e, int64_t *start_ps, int64_t *dur_ps, roof_error *err);

/* Seconds of picoseconds. */
double event_seconds(int64_t ps);

/* The small number of its thread, a pair of pid and tid, from 0 in the order in which they were requested. */
roof_status event_thread(const trace_event *e, uint32_t *out, roof_error *err);

/* A text without its escapes, good until the next call. Errors: E_DATA (half a surrogate pair, \u0000). */
roof_status event_text(const trace_event *e, text_span raw, text_span *out, roof_error *err);

/* A member of args, or of another object; without its quotes where it is a string. Empty where it is not
 * there. Names are compared as they are written, ignoring ASCII case. */
text_span event_arg(const trace_event *e, const char *name);
text_span event_member(text_span object, const char *name);
