/* roofline/plan.h - plan of a Neural-ART's compiler: the memory pools, and for every epoch the bytes that it
 * moves in each of them and the cycles that the compiler expects.
 *
 * Units: _bytes bytes; _cycles cycles of the NPU's clock; ops operations, 1 MAC = 2 ops. Unknown counts are
 *   ROOF_UNKNOWN, unknown doubles NaN, unknown indices ROOF_NONE.
 * Shapes: plan->epochs[i] belongs to graph->layers[i]; both are in order of execution.
 * Ownership: a plan belongs to its graph.
 *
 * Words: an epoch is what the NPU's units do between two configurations of its stream switch; it is a layer
 * of the graph. A pool is a memory, or a part of one, as the compiler's .mpool file describes it. A blob is a
 * program of the epoch controller that runs several epochs one after the other without the host.
 * Source: ST Edge AI Core, "ST Neural-ART NPU - Supported operators and limitations" and "Neural-ART compiler
 *   primer"; the schema of c_info.json is in its "Output c_info" page.
 */
#ifndef ROOFLINE_PLAN_H
#define ROOFLINE_PLAN_H

#include <stdbool.h>
#include <stdint.h>
#include "roofline/status.h"

ROOF_BEGIN_C

/* Content of a pool's buffers, where the file lists them. */
typedef enum roof_pool_content {
    ROOF_POOL_UNLISTED,     /* the file does not say */
    ROOF_POOL_PARAMETERS,   /* weights and other constants only: all that is read from it is weights */
    ROOF_POOL_FEATURE_MAPS, /* none of them */
    ROOF_POOL_MIXED
} roof_pool_content;

typedef struct roof_pool {
    const char *name; /* "npuRAM5" */
    uint64_t address, size_bytes, used_bytes;
    uint32_t byte_width; /* bytes that one cycle of the memory's clock moves; ROOF_NONE: not stated */
    double freq_ratio;   /* NPU clock / memory clock, so that more is slower; NaN: not stated */
    roof_pool_content content;
    bool read_only, cached; /* cached: through the NPU's cache */
    bool is_virtual;        /* a name for several pools; traffic is booked on those */
} roof_pool;

/* Traffic of one epoch in one pool. The cycles are the compiler's own. */
typedef struct roof_pool_access {
    uint32_t pool; /* into plan->pools */
    uint64_t read_bytes, write_bytes, read_cycles, write_cycles;
} roof_pool_access;

typedef enum roof_epoch_kind {
    ROOF_EPOCH_UNKNOWN,
    ROOF_EPOCH_HW,     /* the NPU's units */
    ROOF_EPOCH_SW,     /* a function of the host */
    ROOF_EPOCH_HYBRID, /* a function of the host that uses the units */
    ROOF_EPOCH_KINDS
} roof_epoch_kind;

/* An operator of an epoch. */
typedef struct roof_plan_op {
    const char *name, *kind; /* "Conv2D_14", "Conv" */
    const char *unit;        /* "CONV_ACC_V2 0"; "" when the file does not say */
} roof_plan_op;

typedef struct roof_epoch {
    uint32_t number; /* N of "epoch_N" */
    roof_epoch_kind kind;
    uint64_t ops_count, compute_cycles;
    bool compute_from_streams; /* compute_cycles is not the file's, but counted from what the streams move */
    uint64_t stored_vendor_cycles;     /* the compiler's estimate of the whole epoch */
    uint32_t first_access, n_accesses; /* into plan->accesses */
    uint32_t first_op, n_ops;          /* into plan->ops */
    uint32_t blob;                     /* into plan->blobs, or ROOF_NONE: started by the host */
    uint32_t in_streams, out_streams;  /* stream engines that it uses, a bit each; 0: not stated */
    uint32_t conv_units;               /* convolution accelerators at work; ROOF_NONE: unknown */
    /* MACs of one of them per cycle with these operand widths; ROOF_NONE: unknown. */
    uint32_t macs_per_unit;
    bool moves_unknown;     /* the file does not say what it moves; no access then, and outside_bytes is 0 */
    uint64_t outside_bytes; /* moved in what is no pool, such as buffers of the application */
    /* In an epoch that is not HW, the only operator that the host runs: its kind, NULL where there are
     * several or none is known; its tensors without parameters and scratch memory; the last dimension of what
     * it makes. */
    const char *host_type;
    uint64_t host_input_elements, host_input_bytes, host_output_elements, host_output_bytes, host_row_cells;
    uint64_t port_read_bytes[2], port_write_bytes[2]; /* through the NPU's two bus interfaces */
} roof_epoch;

typedef struct roof_blob {
    const char *name;
    uint32_t n_epochs; /* ROOF_NONE: unknown */
    uint64_t bytes; /* that the epoch controller fetches whenever it runs; ROOF_UNKNOWN: no file states it */
} roof_blob;

/* A tensor from the epoch that makes it to one that reads it, through a pool; or, within an epoch, from unit
 * to unit through the stream switch. */
typedef struct roof_plan_flow {
    uint32_t from, to;       /* into plan->epochs */
    uint32_t from_op, to_op; /* into plan->ops; ROOF_NONE: the file names epochs alone */
    uint32_t buffer;         /* the same number: the same tensor; within an epoch ROOF_NONE */
    uint64_t bytes;          /* of the buffer; within an epoch ROOF_UNKNOWN */
    uint32_t pool;           /* into plan->pools; ROOF_NONE: none, or one of the application's */
} roof_plan_flow;

/* A value of a pool about which the plan and the .mpool file beside it do not agree. Flags are 0 or 1. */
typedef struct roof_pool_difference {
    const char *pool, *what; /* what: the member of roof_pool, "freq_ratio" */
    double in_plan, in_file;
} roof_pool_difference;

typedef struct roof_plan {
    roof_pool *pools;
    uint32_t n_pools;
    roof_epoch *epochs;
    uint32_t n_epochs;
    roof_plan_op *ops;
    uint32_t n_ops;
    roof_pool_access *accesses;
    uint32_t n_accesses;
    roof_blob *blobs;
    uint32_t n_blobs;
    roof_plan_flow *flows; /* by from, to and buffer; none where the file states no edges */
    uint32_t n_flows;
    const char *trace_path; /* the trace that was read behind the plan's own file; NULL: none was */
    const char *pools_path; /* the .mpool file that completed the pools; NULL: none did */
    roof_pool_difference *differences;
    uint32_t n_differences;
    const char *report_path; /* the compiler's report that was held against the plan; NULL: none was */
    /* Why it added nothing: it is of another plan, or broken; NULL: it is of this one. */
    const char *report_differs;
} roof_plan;

/* "HW", "SW", "HYBRID", "" */
ROOF_API const char *roof_epoch_kind_text(roof_epoch_kind kind);

/* NULL when the plan has no pool of that name. */
ROOF_API const roof_pool *roof_plan_pool(const roof_plan *plan, const char *name);

ROOF_END_C
#endif
