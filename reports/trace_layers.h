/* reports/trace_layers.h - the layers of a prediction as rows of a trace: what the traces of a prediction and of a
 * reconciliation share.
 *
 * Units, ownership: as in reports/trace_events.h; predictions and runs are borrowed.
 */
#ifndef ROOF_REPORTS_TRACE_LAYERS_H
#define ROOF_REPORTS_TRACE_LAYERS_H

#include "reports/cells.h"
#include "reports/trace_events.h"
#include "roofline/measured.h"

/* The row on which layers follow each other in all processes. */
enum { TRACEOUT_LAYERS = TRACEOUT_FIRST_ROW };

/* Begins a process "WHAT: MODEL on HARDWARE, HOW" with the row of its layers, which takes total_s. hardware: NULL or "" when
 * not known. */
void traceout_layers(traceout *trace, double total_s, const char *what, const char *model,
                     const char *hardware, const char *how);

/* The next_s of an event that is one of a chain: each begins where the one before ends, the last ends at total_s. */
double traceout_chained(double to_s, double total_s);

/* An event of such a chain on the row of the layers, whose args can be written now, until traceout_close. */
void traceout_open_layer(traceout *trace, const char *name, double at_s, double end_s, double total_s);

/* The whole name among args, for what is shown without what all names begin with. */
void traceout_whole_name(traceout *trace, name_prefixes prefix, const char *name);

/* Operations and seconds of one event as GOP/s; 1 MAC = 2 ops. */
extern const char traceout_rate[];
double traceout_gops(double ops, double seconds);

/* A process: the layers one after the other at their ideal times, and the engines at work inside each of them, all at once.
 * run: whose way of executing layers is meant; NULL: as deployed. hardware: as above. */
void traceout_put_ideal(traceout *trace, const roof_prediction *prediction, const roof_run *run,
                        const char *model, const char *hardware);

#endif
