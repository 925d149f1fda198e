/* reports/trace_layers.h - layers that follow one another in a trace: what the traces of a prediction and of a
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

/* Each layer begins where the one before ends, the last one ends at total_s. A curve beside them says their rate. */
typedef struct layer_chain {
    traceout *trace;
    const char *key;      /* of the curve's value */
    name_prefixes prefix; /* left out of names */
    double at_s, total_s;
    bool all_rates; /* a curve cannot show that a value is not known, so it is there with all of them */
} layer_chain;

/* Before the process begins: a layer that will be among them. ops: NaN when not known. */
void chain_count(layer_chain *chain, double ops, double seconds);

/* Begins the process "KEY: MODEL on HARDWARE, HOW" with the row of its layers. hardware: NULL or "" when not known. */
void chain_begin(const layer_chain *chain, const char *model, const char *hardware, const char *how);

/* An event of the layer that is next, which ends at end_s, on any row; its args can be written until traceout_close. With a
 * to_s of NaN it is an instant, for what has no length. */
void chain_open(const layer_chain *chain, uint32_t row, const char *name, double from_s, double to_s,
                double end_s);

/* The whole name among args, where it was shown without the prefix. */
void chain_whole_name(const layer_chain *chain, const char *name);

/* Goes on behind the layer. */
void chain_next(layer_chain *chain, double ops, double seconds);
/* Behind the last one. */
void chain_end(const layer_chain *chain);

/* A process: the layers one after the other at their ideal times, and the engines at work inside each of them, all at once.
 * run: whose way of executing layers is meant; NULL: as deployed. hardware: as above. */
void traceout_put_ideal(traceout *trace, const roof_prediction *prediction, const roof_run *run,
                        const char *model, const char *hardware);

#endif
