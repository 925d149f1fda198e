/* measure/profile/run_facts.h - what every step asks of the runs of a profile and of their rows.
 *
 * Units: seconds; unknown is NaN.
 */
#pragma once

#include "core/core.h"
#include "roofline/epochs.h"
#include "roofline/measured.h"

/* The mean, or the median where that is all that is known. */
double times_typical(const roof_times *t);

/* True if a stated CoV differs from that of deviation and mean by more than rounding to 0.1 % and a deviation
 * of two digits explain. */
bool times_covs_differ(double stated, double computed);

/* Times of inferences as sums of their rows, where all rows have as many samples of one execution each; else
 * out is unknown. The samples lie in the arena. Errors: E_NO_MEMORY. */
roof_status times_of_rows(const roof_run *run, roof_arena *arena, roof_times *out, roof_error *err);

/* Images or sequences that a run does at a time; 1 where it does not say. run may be NULL. */
uint32_t run_batch(const roof_run *run);

/* So many slower inferences at the beginning are in no figure of a run; 0: none. */
uint64_t run_warm_up(const roof_run *run);

/* The model's name, or that of its file; NULL: neither is stated. */
const char *experiment_model_name(const roof_experiment *e);

/* How people call a way to time inferences: "deployed" for "bypass", "per-layer run". Others as they are. */
const char *mode_words(const char *mode);

/* sum + term, where an unknown sum is one that nothing was added to yet; an unknown term adds nothing. */
double add_if_known(double sum, double term);

/* Makes a range reach to a value; NaN: neither end is known yet, or the value is not. */
void range_widen(double range[2], double value);

/* How often one inference executes a row; all rows of a run together, at most UINT32_MAX - 1. */
double row_executions(const roof_measured_layer *row);
uint32_t run_executions(const roof_run *run);

/* The time of one execution of a row: stated, or from its elapsed cycles and the run's clock, or its share of
 * the sum. And that of all executions in one inference. */
double row_time_s(const roof_run *run, const roof_measured_layer *row);
double row_inference_s(const roof_run *run, const roof_measured_layer *row);

/* The sum over all rows of a run of what one inference takes; NaN: one is unknown, or there are none. */
double run_rows_s(const roof_run *run);

/* A share of a row that is no part of its time, such as "l2_hits"; NaN: not counted. And what its threads
 * wait for most, with the share of it among all that they wait for; NULL: not counted. */
double row_rate(const roof_layer_counters *counters, const char *name);
const char *row_most_waited(const roof_layer_counters *counters, double *share_ratio);

/* The cycles of all phases but the core one in a clock's domain: the tools write "pre" and "post", or
 * "pre+post". ROOF_UNKNOWN where the phases do not state it. */
uint64_t cycles_outside_core(const roof_phase_cycles *phases, uint32_t n, const char *domain);

/* True if the CPU executes an epoch: the compiler's plan of it is of moving data, not of the work. */
bool epoch_is_hosts(const roof_measured_epoch *e);

/* True if a loop drifts: by more than digits and, its middle between its ends, by half its steps' scatter. */
bool trend_is_drift(const roof_trend *trend);

/* True if a run has power or an inference's energy; a time, of it or of rows; only the first. */
bool run_has_power(const roof_run *run);
bool run_has_time(const roof_run *run);
bool run_has_power_alone(const roof_run *run);

/* Bytes in external memory: as stated, or read and written; of one execution of a row. */
double external_bytes(uint64_t total, uint64_t read, uint64_t write);
double row_bytes(const roof_measured_layer *row);

/* True if the tool computed a row's bytes from the compiled model; row_bytes if it did not, else NaN. */
bool row_bytes_are_static(const roof_measured_layer *row);
double row_traffic(const roof_measured_layer *row);

/* Counted bytes of one inference: as the run states them, or of all rows; run may be NULL. */
double run_traffic(const roof_run *run);

/* A copy with rows of its own, which may be changed, and room for more. NULL without memory. */
roof_run *run_copy(const roof_run *run, uint32_t more, roof_arena *arena);

/* --- runs of several cores of one accelerator that work on one model together -------------------------- */

/* One run out of two that are of different cores: a layer that both ran takes as long as the slower of them,
 * and how busy its units were is that of both. The result borrows from both. NULL without memory. */
roof_run *cores_together(roof_arena *arena, const roof_run *a, const roof_run *b);

/* True if both name rows alike, in one order, as two cores do that run one model. */
bool cores_run_alike(const roof_run *a, const roof_run *b);
