/* roofline/epochs.h - profiled epochs of a Neural-ART: phases, rates, and the part nearest to its peak.
 *
 * Units: _cycles cycles of the clock that the name says (mcu: the host's core; npu: the accelerator); _s
 *   seconds; _bytes bytes; ops operations, 1 MAC = 2 ops; _ratio none. Unknown counts are ROOF_UNKNOWN,
 *   unknown doubles NaN.
 * Ownership: it belongs to its reconciliation (roofline/reconcile.h).
 *
 * Words: pre, core and post are the phases of an epoch: the host configures the units, they work, the host
 *   cleans up. Cycles of the two clocks are never added; where the accelerator's are not counted they are
 *   converted, and the row says so.
 * Source of the formulas: ST, "How to profile a deployed model", whose figures tests/unit/test_epochs.c
 *   computes again.
 */
#ifndef ROOFLINE_EPOCHS_H
#define ROOFLINE_EPOCHS_H

#include "roofline/measured.h"

ROOF_BEGIN_C

enum { ROOF_PHASE_PRE, ROOF_PHASE_CORE, ROOF_PHASE_POST, ROOF_EPOCH_PHASES };
enum { ROOF_BUS_INTERFACES = 2 };

/* Bytes of one memory or bus, and how fast they went. */
typedef struct roof_flow {
    const char *name;
    uint64_t read_bytes, write_bytes;
    double peak_bytes_per_s;    /* (read + write) / time of the core phase */
    double average_bytes_per_s; /* (read + write) / whole time */
    double use_ratio;           /* peak_bytes_per_s / what it delivers at most; NaN: that is unknown */
} roof_flow;

typedef struct roof_measured_epoch {
    const char *name, *type;        /* type: "HW", "SW", "EC", "HYBRID", ...; NULL: not stated */
    const roof_measured_layer *row; /* of the profile; NULL of the total */
    /* Stream engines, bursts, the cache, what the compiler planned. In the total: the run's own, and behind
     * them sums over all rows for events that the run does not state. */
    const roof_event *events;
    uint32_t n_events;
    uint64_t mcu_cycles[ROOF_EPOCH_PHASES], npu_cycles[ROOF_EPOCH_PHASES];
    uint64_t npu_total_cycles;   /* of all phases */
    bool npu_total_is_converted; /* pre and post from the host's clock */
    double total_s, core_s, time_share_ratio;
    double ideal_s; /* of the core phase, by the prediction; NaN without one, and of the host's epochs */
    /* Counts that the compiler planned: as the profile states them, else the prediction's. */
    uint64_t ops_count, compute_cycles, vendor_cycles;
    double vendor_error_ratio; /* vendor / core - 1; ST's profiler prints it with the other sign */
    double compute_ratio, core_compute_ratio; /* compute / all phases, compute / core */
    /* Operations at compute, vendor, core, all cycles. */
    double ideal_ops_per_s, vendor_ops_per_s, core_ops_per_s, measured_ops_per_s;
    /* Active cycles of a stream engine / core cycles; counters may exceed 1 a little. */
    double busiest_stream_ratio;
    uint32_t busiest_stream;              /* its number, or ROOF_NONE */
    roof_flow buses[ROOF_BUS_INTERFACES]; /* counted by bursts */
    roof_flow all_buses, all_pools;
    roof_flow *pools; /* bytes as the compiler planned them */
    uint32_t n_pools;
    /* The part nearest to its peak in the core phase: "compute", a pool, a bus; NULL: unknown. */
    const char *nearest;
    double nearest_ratio;
} roof_measured_epoch;

/* Epochs of one type. */
typedef struct roof_epoch_type {
    const char *type;
    uint32_t n;
    double total_s, outside_core_s, time_share_ratio; /* outside_core_s: pre and post */
} roof_epoch_type;

enum { ROOF_MAX_EPOCH_TYPES = 12 };

/* Epochs of a run. Their layers in the prediction of the same compilation are found by name.
 *
 * Example (tests/unit/test_epochs.c): core 13300 NPU cycles, planned compute 4608, estimate 27648:
 * core_compute_ratio 0.3465,
 *   vendor_error_ratio 1.0788.
 */
typedef struct roof_epochs {
    double mcu_hz, npu_hz;
    roof_measured_epoch *rows;
    uint32_t n_rows;
    /* Totals of the whole inference: the tool's own where it has them, else sums over rows. */
    roof_measured_epoch total;
    /* The profile lists a part of the epochs: total is theirs, and says nothing of inferences. */
    bool is_part;
    double ideal_inferences_per_s, vendor_inferences_per_s, measured_inferences_per_s;
    roof_epoch_type types[ROOF_MAX_EPOCH_TYPES];
    uint32_t n_types;
    uint32_t converted; /* rows whose NPU cycles outside the core are converted */
} roof_epochs;

ROOF_END_C
#endif
