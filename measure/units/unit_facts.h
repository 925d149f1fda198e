/* measure/units/unit_facts.h - what every step asks of layers and units. It knows no step.
 *
 * Units: seconds; unknown is NaN.
 */
#ifndef ROOF_MEASURE_UNITS_UNIT_FACTS_H
#define ROOF_MEASURE_UNITS_UNIT_FACTS_H

#include "measure/profile/run_facts.h"
#include "roofline/reconcile.h"

/* The CoV of a unit as people read it: the stated one, which has more digits than rounded deviation and mean,
 * unless these differ by more than rounding. */
double unit_shown_cov(const roof_reconciled *e, const roof_unit *unit);

/* How often one inference executes a layer. */
double unit_layer_repeat(const roof_layer_prediction *layer);

/* Whether a profile by layers times it: it emits code, or runs on the host; and whether the accelerator runs
 * it. */
bool unit_layer_is_timed(const roof_layer_prediction *layer);
bool unit_layer_is_accelerated(const roof_layer_prediction *layer);

/* The limit of a run: for a deployed run its time at best, for a per-layer run the ideals of its layers; for
 * an estimate the ideal, which is no limit. NaN: not known, or only for some layers. */
double units_hardware_limit_s(const roof_reconciled *e);

/* The same of its deployed run, whether all layers were timed or not. */
double units_deployed_limit_s(const roof_reconciled *e);

/* Of an inference whose rows ran partly at the same time, which their sum counts twice: how long any of them
 * did. NaN: none did, or an inference was timed, or it is not known. */
double units_overlapped_busy_s(const roof_reconciled *e);

/* The most that timing may have cost in a per-layer run: all that is above the limits of its rows. NaN: it is
 * known, or none, since no run without it was made to tell, and no counter. */
double units_timing_most_s(const roof_reconciled *e);

/* Whether the deployed time is in the interval of what to expect; false where that is not known. */
bool units_are_as_expected(const roof_reconciled *e);

/* Whether it is a point of a curve and no more: nothing of it was timed by layers. */
bool experiment_is_point(const roof_reconciled *e);

/* All of it is curves: nothing is timed by layers, nor alone. */
bool reconciliation_is_of_curves(const roof_reconciliation *r);

/* Whether a runner named other hardware than that of the prediction. */
bool units_are_of_other_device(const roof_reconciled *e);

/* Whether a unit of rows alone runs on the host, as the profile says: no layer is missing there. */
bool unit_is_hosts(const roof_reconciled *e, const roof_unit *u);

/* Ideal cost of a layer in the way the run executes it; run may be NULL. */
const roof_cost *unit_layer_cost(const roof_run *run, const roof_layer_prediction *layer);

/* The bound of a unit: its ideal, or the schedule of its own code. */
double unit_bound_s(const roof_unit *u);

/* Sum of the ideal costs of all layers, in the way that the profile runs them. */
double units_layer_bound_s(const roof_reconciled *e);

/* False where the bound is an estimate: below that nothing is impossible. */
bool units_have_bound(const roof_reconciled *e);

/* How many units are faster than their bound, and whether the whole is: then no bound can be trusted. */
uint32_t units_impossible(const roof_reconciled *e);
bool units_total_is_impossible(const roof_reconciled *e);

/* The name of a unit of an experiment, for lists of causes. */
const char *unit_full_name(const void *experiment, uint32_t unit);

/* The i-th layer and row of a unit. */
const roof_layer_prediction *unit_layer(const roof_reconciled *e, const roof_unit *u, uint32_t i);
const roof_measured_layer *unit_row(const roof_reconciled *e, const roof_unit *u, uint32_t i);

/* The hardware that all experiments are of; NULL where it is not known, or they are several. */
const char *hardware_of(const roof_reconciliation *r);

/* The kind that a unit counts to where times are summed up by kind. */
const char *unit_type(const roof_unit *u);

/* The share of the whole that its rows state together; NaN: one of them states none. */
double unit_stated_share(const roof_reconciled *e, const roof_unit *u);

/* All that its rows count of one clock domain; NaN: not known. */
double unit_cycles(const roof_reconciled *e, const roof_unit *u);

/* How often one inference executes all rows of a unit together. */
uint32_t unit_executions(const roof_reconciled *e, const roof_unit *u);

/* Whether some unit is executed more than once by one inference. */
bool units_have_executions(const roof_reconciled *e);

/* Whether rows tell the host's part by themselves: by phases, or copies apart from the work. */
bool units_have_phases(const roof_reconciled *e);

/* Bytes of a unit in one inference where the tool computed all of them from the model, else NaN. */
double unit_static_bytes(const roof_reconciled *e, const roof_unit *u);

/* Bytes in external memory of a cost without instructions. */
double unit_traffic_bytes(const roof_traffic *traffic);

#endif
