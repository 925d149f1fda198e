/* measure/unit_facts.h - what every step asks of runs, rows, layers and units. It knows no step.
 *
 * Units: seconds; unknown is NaN.
 */
#ifndef ROOF_MEASURE_UNIT_FACTS_H
#define ROOF_MEASURE_UNIT_FACTS_H

#include "roofline/reconcile.h"

/* The mean, or the median where that is all that is known. */
double times_typical(const roof_times *t);

/* Whether the CoV that is stated is another than that of deviation and mean, by more than rounding to 0.1 % and a deviation
 * of two digits explain. */
bool times_cov_differs(const roof_times *t);

/* The CoV of a unit as people read it: the one that the document states, which has more digits than what a rounded deviation and a
 * rounded mean make of it, unless it differs by more than that. */
double unit_shown_cov(const roof_reconciled *e, const roof_unit *unit);

/* A way to time inferences, as people call it: "deployed" for "bypass", "per-layer run". Others as they are. */
const char *mode_words(const char *mode);

/* sum + term, where an unknown sum is one that nothing was added to yet; an unknown term adds nothing. */
double add_if_known(double sum, double term);

/* How often one inference executes a row, or a layer; of all rows of a run together, at most UINT32_MAX - 1. */
double row_executions(const roof_measured_layer *row);
double layer_repeat(const roof_layer_prediction *layer);
uint32_t run_executions(const roof_run *run);

/* The time of one execution of a row: stated, or from its elapsed cycles and the run's clock, or its share of the sum. And that of all
 * executions in one inference. */
double row_time_s(const roof_run *run, const roof_measured_layer *row);
double row_inference_s(const roof_run *run, const roof_measured_layer *row);

/* The cycles of all phases but the core one in a clock's domain: the tools write "pre" and "post", or "pre+post". ROOF_UNKNOWN
 * where the phases do not tell. */
uint64_t cycles_outside_core(const roof_phase_cycles *phases, uint32_t n, const char *domain);

/* True for an epoch that the host executes: what the compiler plans of it is what moving its data takes, not the work. */
bool epoch_is_hosts(const roof_measured_epoch *e);

/* What the host takes of one execution of a row: copies, or all outside the accelerator's core phase. */
double row_outside_s(const roof_run *run, const roof_measured_layer *row);

/* True for a layer that a profile by layers times: it emits code, or runs on the host; and for one on the accelerator. */
bool layer_is_timed(const roof_layer_prediction *layer);
bool layer_is_accelerated(const roof_layer_prediction *layer);

/* What no run of it is faster than: of a deployed run its time at best, of a per-layer run the ideals of its layers. Of an estimate it is
 * the ideal, which is no limit. NaN: not known, or only of some layers. */
double hardware_limit_s(const roof_reconciled *e);

/* The same of its deployed run, whether all layers were timed or not. */
double deployed_limit_s(const roof_reconciled *e);

/* Whether the deployed time is in the interval of what to expect; false where that is not known. */
bool is_as_expected(const roof_reconciled *e);

/* True where a runner named what it ran on, and the prediction is of hardware of another name. */
bool is_other_device(const roof_reconciled *e);

/* True for a unit of rows alone that the host executes, as the profile says: no layer of the accelerator is missing there. */
bool unit_is_hosts(const roof_reconciled *e, const roof_unit *u);

/* What a unit's layer costs, ideally, in the way the run executes it; run may be NULL. */
const roof_cost *cost_in(const roof_run *run, const roof_layer_prediction *layer);

/* The schedule of a layer's own code, where the run executes it alone; NaN: there is none. */
double scheduled_in(const roof_run *run, const roof_prediction *prediction,
                    const roof_layer_prediction *layer);

/* What no run of a unit is faster than: its ideal, or the schedule of its own code. */
double unit_bound_s(const roof_unit *u);

/* The sum over the layers of what they cost, ideally, in the way the experiment's profile runs them. */
double layer_bound(const roof_reconciled *e);

/* False where the bound is an estimate: below that nothing is impossible. */
bool has_bound(const roof_reconciled *e);

/* Units that are faster than their bound, and whether the whole is: then nothing that rests on the bound holds. */
uint32_t impossible_units(const roof_reconciled *e);
bool total_is_impossible(const roof_reconciled *e);

/* The name of a unit of an experiment, for lists of causes. */
const char *unit_full_name(const void *experiment, uint32_t unit);

/* The i-th layer and row of a unit. */
const roof_layer_prediction *unit_layer(const roof_reconciled *e, const roof_unit *u, uint32_t i);
const roof_measured_layer *unit_row(const roof_reconciled *e, const roof_unit *u, uint32_t i);

/* The hardware that all experiments are of; NULL where it is not known, or they are several. */
const char *hardware_of(const roof_reconciliation *r);

/* The kind that a unit counts to where times are summed up by kind. */
const char *unit_type(const roof_unit *u);

/* All that its rows count of one clock domain; NaN: not known. */
double unit_cycles(const roof_reconciled *e, const roof_unit *u);

/* Of all rows of a unit together in one inference. */
uint32_t unit_executions(const roof_reconciled *e, const roof_unit *u);

/* Whether some unit is executed more than once by one inference. */
bool has_executions(const roof_reconciled *e);

/* Whether the rows of a profile tell by themselves what of them is the host's: by phases, or copies apart from the work. */
bool has_phases(const roof_reconciled *e);

/* Whether a loop drifts: by more than digits and, with the middle between its ends, by half of what its steps scatter or more. */
bool trend_is_drift(const roof_trend *trend);

/* Whether a run has power or energy of an inference; a time, of it or of rows; the first and not the second. */
bool run_has_power(const roof_run *run);
bool run_has_time(const roof_run *run);
bool run_has_power_alone(const roof_run *run);

/* Bytes in external memory: as stated, or read and written; of one execution of a row; of a cost without instructions. */
double external_bytes(uint64_t total, uint64_t read, uint64_t write);
double row_bytes(const roof_measured_layer *row);

/* Whether the tool computed the bytes of a row from the compiled model; row_bytes where it did not, else NaN. And the bytes of a unit in
 * one inference where all of them are computed, else NaN. */
bool row_bytes_are_static(const roof_measured_layer *row);
double row_traffic(const roof_measured_layer *row);
double unit_static_bytes(const roof_reconciled *e, const roof_unit *u);
double traffic_bytes(const roof_traffic *traffic);

/* Counted bytes of one inference: as the run states them, or of all rows; run may be NULL. */
double run_traffic(const roof_run *run);

#endif
