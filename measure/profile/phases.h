/* measure/profile/phases.h - the parts of one inference: whose time each of them is, and which is a part of
 * another.
 *
 * A phase counts with what none of its own parts takes, so that nothing is added twice.
 */
#pragma once

#include "core/json/codec.h"
#include "roofline/reconcile.h"

/* "phases":{"run_s":0.01}, "phase_kinds":{"ipu_s":"accelerator"} and "phase_parents":{"conv_s":"ipu_s"}, by
 * their keys and read in any order; target is the roof_run. An object without members is not written. */
roof_status phases_read(codec *c, const json_event *event, void *target);
void phases_write(codec *c, const char *key, const void *target);

/* Once all were read: gives a kind to the names that everybody writes, and to parts that of their whole.
 * Errors: E_DATA for a name without a time, a part of nothing or of itself, parts longer than their whole. */
roof_status phases_finish(codec *c, roof_run *run);

/* A phase's kind where none is declared: by its name, ROOF_PHASE_ACCELERATOR of "run", else its whole's. */
roof_phase_kind phase_implied_kind(const roof_run *run, const roof_phase *phase);

/* The phase as a share of a time: ROOF_PART_WRITE of "write". */
roof_part_id phase_part(const roof_phase *phase);

/* The time of a phase that none of its own parts takes. */
double phase_own_seconds(const roof_run *run, const roof_phase *phase);

/* The time of a phase's parts, where it is more than the phase's, digits aside; NaN: it is not. */
double phase_excess_s(const roof_run *run, const roof_phase *phase);

/* Sums over the phases of a run, by kind. */
typedef struct phase_sums {
    double all_s, of_s[ROOF_PHASE_KINDS]; /* of_s: NaN without a phase of the kind */
    /* Together more than the inference: parts or overlaps that the document does not declare. */
    bool exceed_total;
} phase_sums;
phase_sums phases_sum(const roof_run *run);

/* The whole of all phases: the inference; of a recording with phases alone their sum; NaN: unknown. */
double phases_of_s(const roof_run *run);

/* The run whose phases an experiment shows: the whole-network run, else the per-layer run; NULL: none has
 * any. */
const roof_run *phased_run(const roof_reconciled *experiment);

/* The kind whose phases take most of the inference, even if all that is in no phase, or in one of unknown
 * kind, were another one's; ROOF_PHASE_UNDECLARED: that is unknown. */
roof_phase_kind phases_bound(const roof_run *run);

/* Time that is not the accelerator's; NaN where no phase says, or they are more than the inference. */
double phases_outside(const roof_run *run);

/* True if the per-layer run states only the sum of its layers, which is at most the latency of the
 * whole-network run without its phases outside the accelerator: that sum is shorter because the CPU is not in
 * it. */
bool phases_explain_sum(const roof_reconciled *experiment);
