/* measure/import/nesting.h - the time of events without the events inside of them, and amounts that are noted
 * while they last.
 *
 * Units: picoseconds; amounts are of the caller's.
 *
 * An event of a thread is inside of another one where it lies in its time. Tools write events when they begin
 * (Kineto) or when they end, what is inside first (ONNX Runtime), and threads one after the other or mixed.
 * So events are put in the order in which they began within a window of NESTING_WINDOW of them; what comes
 * later than that is in no time, and a remark says how many there are.
 */
#ifndef ROOF_MEASURE_IMPORT_NESTING_H
#define ROOF_MEASURE_IMPORT_NESTING_H

#include "measure/import/importer.h"

enum { NESTING_WINDOW = 1 << 16 };

typedef struct nested_event {
    int64_t start_ps, dur_ps, self_ps; /* self_ps: without what is inside */
    uint32_t thread, row;              /* row: the caller's */
    uint32_t group;                    /* which of the events that begin one it lies in, from 1; 0: in none */
    bool begins_group;                 /* such as an inference, whichever threads work at it */
    uint64_t place, outer;             /* in the file; of the outermost event around, which may be itself */
    uint64_t id;                       /* the caller's */
    bool is_mark;                      /* no span: what it adds to the event that it lies in is its own */
    double own[2], all[2];             /* own: of marks directly inside; all: with those of events inside */
} nested_event;

/* Called for each event, those inside of it first. */
typedef roof_status (*nested_call)(void *target, const nested_event *e, roof_error *err);

typedef struct nesting nesting;

/* In the scratch of the import. NULL without memory. */
nesting *nesting_new(import_state *in, nested_call each, void *target);

/* An event that is a span, or a mark; row, begins_group, id, is_mark and own are as the caller wants them. An
 * event that begins a group is around no other for `outer`. Errors: E_LIMIT (events inside
 * of one another more than 512 times, more than 2^20 groups), E_NO_MEMORY, those of event_times and each. */
roof_status nesting_add(nesting *n, const trace_event *e, nested_event as, roof_error *err);

/* The rest, and remarks on what was not as it should be. *n_groups: how many there were; may be NULL. */
roof_status nesting_finish(nesting *n, uint32_t *n_groups, roof_error *err);

#endif
