/* measure/matches/match_facts.h - what every step asks of layers and matches. It knows no step.
 *
 * Units: seconds; unknown is NaN.
 */
#pragma once

#include "measure/profile/run_facts.h"
#include "roofline/reconcile.h"

/* The CoV of a match as people read it: the stated one, which has more digits than rounded deviation and
 * mean, unless these differ by more than rounding. */
double match_shown_cov(const roof_reconciled *e, const roof_match *u);

/* How often one inference executes a layer. */
double layer_repeat(const roof_layer_prediction *layer);

/* True if a profile by layers times it: it emits code, or runs on the CPU; if the accelerator runs it. */
bool layer_is_timed(const roof_layer_prediction *layer);
bool layer_is_accelerated(const roof_layer_prediction *layer);

/* CPU rows that a latency may include, and its limit does not. And limit / time: at least, then. */
uint32_t experiment_rows_left_out(const roof_reconciled *e);
roof_answer experiment_efficiency(const roof_reconciled *e);

/* The limit of a run: for a whole-network run its bound, for a per-layer run the ideals of its layers;
 * for an estimate the ideal, which is no limit. NaN: unknown, or only for some layers. */
double experiment_hardware_limit_s(const roof_reconciled *e);

/* The same of its whole-network run, whether all layers were timed or not. */
double experiment_deployed_limit_s(const roof_reconciled *e);

/* Time of an inference in which any row ran, where rows overlap, so that their sum counts time twice. NaN:
 * none do, the whole-network run was timed, or unknown. */
double experiment_overlapped_busy_s(const roof_reconciled *e);

/* Denominator of the shares of row times: their sum; where rows overlap, the time in which any of them ran,
 * so that shares add up to more than 1. */
double experiment_shared_s(const roof_reconciled *e);

/* "28x28" of a first layer with "56x56x64 -> 28x28x128 k3x3 s2x2": its stage; "": not stated. NULL without
 * memory. */
const char *match_output_size(const roof_reconciled *e, const roof_match *u, roof_arena *arena);

/* The one rate of a match: work as the model's file counts it, else of its shapes, else of the profile, over
 * its time; else as the profile prints it. NaN: unknown. */
double match_ops_per_s(const roof_reconciled *e, const roof_match *u);

/* The rates that others are compared with: of the first row that has one, of the best, of the peak of
 * the hardware; NaN each: unknown. */
typedef struct match_rates {
    double first, best, peak;
} match_rates;
match_rates experiment_rates(const roof_reconciled *e);

/* In one execution of a match. */
double match_per_execution(const roof_match *u, double seconds);

/* The least that a row of the per-layer run leaves above its ideal: a cost of every boundary is no more. Its
 * experiment is for who asks. Seconds are NaN where no row tells. */
roof_margin experiment_least_margin(const roof_reconciled *e);
roof_margin margin_tighter(roof_margin a, roof_margin b);

/* The most that timing may have cost in a per-layer run: at each boundary the least margin of a row. NaN: it
 * is known, or little, or no run without it was made to tell, and no counter. */
double experiment_timing_most_s(const roof_reconciled *e);

/* True if the latency of the whole-network run is in the interval of the expected time; false where that is
 * unknown. */
bool experiment_is_as_expected(const roof_reconciled *e);

/* True for a mere point of a curve: nothing of it was timed by layers. */
bool experiment_is_point(const roof_reconciled *e);

/* All of it is curves: nothing is timed by layers, nor alone. */
bool reconciliation_is_of_curves(const roof_reconciliation *r);

/* True if a runner named other hardware than that of the prediction. */
bool experiment_is_of_other_device(const roof_reconciled *e);

/* True if a match of rows alone runs on the CPU, as the profile states: no layer is missing there. */
bool match_is_hosts(const roof_reconciled *e, const roof_match *u);

/* Ideal cost of a layer in the way the run executes it; run may be NULL. */
const roof_cost *layer_cost(const roof_run *run, const roof_layer_prediction *layer);

/* The bound of a match: its ideal, or the schedule of its own code. */
double match_bound_s(const roof_match *u);

/* Sum of the ideal costs of all layers, in the way that the profile runs them. */
double experiment_layer_bound_s(const roof_reconciled *e);

/* False where the bound is an estimate: below that nothing is impossible. */
bool experiment_has_bound(const roof_reconciled *e);

/* How many matches are faster than their bound, and whether the whole is: then no bound can be trusted. */
uint32_t experiment_n_impossible(const roof_reconciled *e);
bool experiment_is_impossible(const roof_reconciled *e);

/* The name of a match of an experiment, for lists of causes. */
const char *match_full_name(const void *experiment, uint32_t unit);

/* The i-th layer and row of a match. */
const roof_layer_prediction *match_layer(const roof_reconciled *e, const roof_match *u, uint32_t i);
const roof_measured_layer *match_row(const roof_reconciled *e, const roof_match *u, uint32_t i);

/* The hardware that all experiments are of; NULL where it is unknown, or they are several. */
const char *hardware_of(const roof_reconciliation *r);

/* The kind that a match counts to where times are summed up by kind. */
const char *match_type(const roof_match *u);

/* The share of the whole that its rows state together; NaN: one of them states none. */
double match_stated_share(const roof_reconciled *e, const roof_match *u);

/* All that its rows count of one clock domain; NaN: unknown. */
double match_cycles(const roof_reconciled *e, const roof_match *u);

/* How often one inference executes all rows of a match together. */
uint32_t match_executions(const roof_reconciled *e, const roof_match *u);

/* True if some match is executed more than once by one inference. */
bool experiment_has_executions(const roof_reconciled *e);

/* Bytes that a call of the only row of a match allocates and does not free; NaN: not known. */
double match_allocated_bytes(const roof_reconciled *e, const roof_match *u);

/* Launches of all rows of a match in one inference, and of all matches; shared: in calls that have several.
 * NaN: not stated, or none. */
typedef struct launch_counts {
    double all, shared;
} launch_counts;
launch_counts match_launches(const roof_reconciled *e, const roof_match *u);
launch_counts experiment_launches(const roof_reconciled *e);

/* True if rows state the CPU's part by themselves: by phases, or copies apart from the work. */
bool experiment_has_phases(const roof_reconciled *e);

/* Plotted on a roofline. Of a layer: its bytes in one execution, all of them, or with several memories those
 * of the one that takes longest, since a line is of one memory only. Of a match, in all executions: bytes of
 * all its layers; operations of the layer that takes longest, and of others below the same roof. */
double layer_plotted_bytes(const roof_prediction *p, const roof_layer_prediction *layer);
double match_plotted_bytes(const roof_reconciled *e, const roof_match *u);
double match_plotted_ops(const roof_reconciled *e, const roof_match *u);

/* Bytes of a match in one inference where the tool computed all of them from the model, else NaN. */
double match_static_bytes(const roof_reconciled *e, const roof_match *u);

/* Bytes in external memory of a cost without instructions. */
double traffic_bytes(const roof_traffic *traffic);
