/* roofline/busy.h - use of the units of an accelerator while each layer ran, as its profiler counted, and the
 * verdict on the layer that follows without any model of it: it waits for memory, for computing, or for
 * neither.
 *
 * Units: _s seconds of one inference, _ratio none: busy cycles of a unit over all cycles of the rows. Unknown
 *   is NaN. Units work at the same time, so that ratios of one layer do not add up to anything.
 * Ownership: a roof_busy belongs to its reconciliation, and borrows names of the profile.
 *
 * Rule: the busiest unit that moves data and the busiest one that computes are compared. A layer is bound by
 *   the kind of the busier one when that works for ROOF_BUSY_LEAST_RATIO of its cycles or more, and by
 *   neither below that: it waits for starts, for what comes before, for one unit after the other. Units that
 *   its rows do not count are left out; where they count one kind only, nothing is said.
 * Source: the rule and its 60 % are those of Nsight Compute's section "GPU Speed Of Light", which calls
 *   neither "latency".
 */
#ifndef ROOFLINE_BUSY_H
#define ROOFLINE_BUSY_H

#include "roofline/measured.h"

ROOF_BEGIN_C

#define ROOF_BUSY_LEAST_RATIO 0.6

enum { ROOF_MAX_BUSY = 16 };

typedef enum roof_busy_bound {
    ROOF_BUSY_UNKNOWN,
    ROOF_BUSY_MEMORY,
    ROOF_BUSY_COMPUTE,
    ROOF_BUSY_NEITHER,
    ROOF_BUSY_BOUNDS
} roof_busy_bound;

/* Busy ratios of a layer, of all layers of a type, or of the whole inference. */
typedef struct roof_busy_ratios {
    double ratios[ROOF_MAX_BUSY]; /* by unit */
    roof_busy_bound bound;
} roof_busy_ratios;

typedef struct roof_busy_type {
    roof_busy_ratios busy;
    double bound_s[ROOF_BUSY_BOUNDS]; /* the time of its layers by their bottleneck */
} roof_busy_type;

typedef struct roof_busy {
    const char *names[ROOF_MAX_BUSY]; /* of the units, in the order of the profile: "conv", "load" */
    bool moves[ROOF_MAX_BUSY];        /* data, and computes nothing */
    uint32_t n, n_left_out;           /* units; those beyond ROOF_MAX_BUSY */
    bool is_by_time; /* some rows have shares and no cycles: rows count by their times, and not by cycles */
    double total_s;  /* of all layers with a time */
    roof_busy_type whole;
    roof_busy_type *types; /* by roof_reconciled.types */
} roof_busy;

struct roof_reconciled;
struct roof_match;

/* Busy ratios of one match of the reconciliation, all executions of its rows together. All NaN where e->busy
 * is NULL.
 *
 * Formula: sum of busy cycles / sum of cycles, over rows that have cycles of one clock domain. Where a tool
 *   has shares of peaks and no cycles, their mean, weighted by the times of the rows.
 * Example (tests/unit/test_busy.c): 1000 cycles, of which conv was busy 300 and load 900, are 0.3 and 0.9:
 * ROOF_BUSY_MEMORY.
 */
ROOF_API roof_busy_ratios roof_match_busy(const struct roof_reconciled *e, const struct roof_match *match);

/* "memory", "compute", "neither"; NULL for unknown. */
ROOF_API const char *roof_busy_bound_text(roof_busy_bound bound);

ROOF_END_C
#endif
