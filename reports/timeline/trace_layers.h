/* reports/timeline/trace_layers.h - writing a trace, event by event, as ui.perfetto.dev and chrome://tracing
 * open it, and the layers that follow one another in it: what the traces of a prediction and of a
 * reconciliation share.
 *
 * Units: seconds since its process began come in; ts and dur go out in microseconds.
 * Shapes: a trace has processes, a process has rows, numbered from TRACEOUT_FIRST_ROW. The events of a row
 *   come in order and do not overlap. Nothing is kept of what was written, so a trace may be as long as it
 *   likes.
 * Ownership: the text is the caller's. It remembers a failed allocation. Predictions and runs are borrowed.
 * Source: "Trace Event Format", the JSON format of Chrome's tracing.
 */
#pragma once

#include "reports/words/prediction_tables.h"
#include "roofline/measured.h"
#include "roofline/realtime.h"

enum { TRACEOUT_FIRST_ROW = 1, TRACEOUT_LAYERS = TRACEOUT_FIRST_ROW, TRACEOUT_MAX_ROWS = 99 };

typedef struct traceout {
    jsonout json; /* args of an open event are written here */
    uint64_t process;
    double ticks_per_us;  /* of the process; see trace_layers.c */
    const char *key;      /* of the chain of layers in the process, as all below: of its curve's value */
    name_prefixes prefix; /* left out of names */
    double at_s, total_s; /* where the next one begins, and where the last one ends */
    uint64_t arrows;      /* of the whole trace */
    bool all_rates;       /* a curve cannot show that a value is unknown, so it is there with all of them */
} traceout;

void traceout_begin(traceout *trace, textbuf *out);
/* Ends the events; sentences for the reader follow, written to json by the caller, and then the end. */
void traceout_verdict(traceout *trace);
void traceout_end(traceout *trace);

/* False for no length of an event: unknown, not finite, negative, longer than any clock counts. */
bool traceout_can_show(double seconds);

/* The next events are of layers that have this curve, which says their rate; prediction may be NULL. */
void traceout_chain(traceout *trace, const char *key, const roof_prediction *prediction);

/* Before the process begins: a layer that will be among them. ops: NaN when unknown. */
void traceout_count(traceout *trace, double ops, double seconds);

/* Begins the process "KEY: MODEL on HARDWARE, HOW", whose rows follow. longest_s: where its longest row ends;
 * hardware: NULL or "" when unknown. */
void traceout_process(traceout *trace, double longest_s, const char *model, const char *hardware,
                      const char *how);

/* Rows are shown in the order of their numbers. */
void traceout_row(traceout *trace, uint32_t row, const char *name);

/* An event whose args can be written now, until traceout_close. to_s NaN, or earlier: an instant, for what
 * has no length that can be shown. No event of the row begins between to_s and end_s, and none at all from
 * total_s on. */
void traceout_open(traceout *trace, uint32_t row, const char *name, double from_s, double to_s, double end_s);
void traceout_close(traceout *trace);

/* In an event of a row. */
typedef struct traceout_point {
    uint32_t row;
    double at_s;
} traceout_point;

/* An arrow between two events that were written before. Its args may follow, until traceout_close. */
void traceout_arrow(traceout *trace, const char *name, traceout_point from, traceout_point to);

/* A duration among args; the whole name, where it was shown without the prefix. */
void traceout_us(traceout *trace, const char *key, double seconds);
void traceout_whole_name(traceout *trace, const char *name);

/* Goes on behind the layer; and behind the last one. */
void traceout_next(traceout *trace, double ops, double seconds);
void traceout_stop(traceout *trace);

/* A process: the layers one after the other at their ideal times, and the engines at work inside each of
 * them, all at once. run: decides how layers are executed; NULL: as a whole network. hardware: as
 * above. */
void traceout_put_ideal(traceout *trace, const roof_prediction *prediction, const roof_run *run,
                        const char *model, const char *hardware);

/* ---- trace_schedule.c: the schedule of compiled code: what each engine does when, the critical path, and
 * arrows where that path goes on with a wait, in cycles of the accelerator's clock, of one pass.
 * Source: model/code/replay.h; docs/formats/timelines.md says which rows and arguments there are.
 */

/* A process for each part of the network, replayed at its best, and another one as a board runs it where that
 * is known. Nothing where there is no code. The text remembers when memory runs out. Cost: linear in the
 * instructions; the number of events is bounded. */
void traceout_put_schedule(traceout *trace, const roof_prediction *prediction);

/* ---- trace_realtime.c: networks at a rate in a trace: what each core does when, and of each
 * network how long its inferences wait and run.
 *
 * Source: include/roofline/realtime.h, the simulation; docs/realtime.md says which rows there are.
 */

/* One process, all networks requested at once at 0. The text remembers when memory runs out. */
void traceout_put_realtime(traceout *trace, const roof_realtime *schedule);
