/* measure/reconcile/steps.h - the steps of a reconciliation, a file each; reconcile.c has their order. */
#pragma once

#include "measure/matches/match_facts.h"
#include "measure/matches/reconciler.h"
#include "roofline/timed_curves.h"

/* ---- match_rows.c: which row of a profile is which layer of the model ----
 *
 * Ways are tried from the surest to the weakest, and a pair that was found is not asked again. Each way looks
 * names up or goes through both lists once, so the time is linear but for what is left over, whose
 * comparisons are bounded.
 */

typedef struct row_matching {
    uint32_t n_rows, n_layers;
    uint32_t *row_order;    /* rows in the order of execution */
    uint32_t *layer_of_row; /* the first layer of the row's match, or ROOF_NONE */
    uint32_t *first_joined; /* of a layer: the first layer of its unit, usually itself */
    unsigned char *how;     /* of a row: a roof_match */
    bool *repeated;         /* of a row: its layer has another row already, which is not a part of it */
    bool unsorted;          /* the rows were not in the order of their index */
} row_matching;

/* Rows of a run to layers of a prediction, NULL: to none; the map notes what of it was found. Where rows are
 * kernels only the same name or the user's word make one a layer. Errors: E_NO_MEMORY. */
roof_status match_rows(reconciler *r, const roof_run *run, const roof_prediction *p, row_matching *out);

/* Experiments, each with its runs and its prediction. */
roof_status pair_runs(reconciler *r);

/* ---- mismatches.c: what would make every comparison false ---- */

/* True if rows are kernels: no operator calls them, whatever the network is. Then the whole of a run may
 * still be held against the network, and no row against a layer by its place. */
bool mismatch_kernels(const roof_measured *m);

/* Says where the document was measured on other hardware than its prediction is of. */
void mismatch_hardware(reconciler *r, roof_reconciled *e);

/* Drops the prediction, and says why: times in another unit; rows of another model. */
void mismatch_times(reconciler *r, roof_reconciled *e);
void mismatch_model(reconciler *r, roof_reconciled *e, const row_matching *m);

/* The same once totals are known: rows counted in cycles of the accelerator that are not the time of an
 * inference of the whole-network run. They say nothing of what timing costs. */
void mismatch_layers(reconciler *r, roof_reconciled *e);

/* ---- recordings.c: more than one inference, or less, and no row tells which it is of ---- */

/* Makes one inference of a recording, or all of it where their number is unknown, unless its rows are
 * layers of a model, which are compared launch by launch. m: of its rows. Errors: E_NO_MEMORY. */
roof_status recordings_take(reconciler *r, roof_reconciled *e, const row_matching *m);

/* ---- measured times of language models that differ in their length alone: a curve each ---- */

/* Finds which of out's experiments are points of one curve, before they are compared. Errors: E_NO_MEMORY. */
roof_status curves_group(reconciler *r);

/* Fits them once they are, says which part of a step grew, along a curve and from one to another, and what
 * else there is to say. Errors: E_NO_MEMORY. */
roof_status curves_make(reconciler *r);

/* A model in the forms that a curve is of, its tokens left open. language: NULL where it is unknown. */
typedef struct curve_model {
    const roof_language_model *language;
    roof_language_point at;
} curve_model;

/* A finding for each point below its bound, and what its time is most likely of. */
void curve_doubts_find(reconciler *r, roof_timed_curve *curve, const curve_model *m);

/* Rows and layers as matches, with ideal and measured times. */
roof_status matches_make(reconciler *r, roof_reconciled *e, const row_matching *m);

/* ---- series_findings.c: what samples say by their order ---- */

/* Replaces runs that begin with a warm-up by what is behind it; their rows lose as many inferences. Errors:
 * E_NO_MEMORY. */
roof_status series_leave_warm_up(reconciler *r, roof_reconciled *e);

/* Before the scatter of rows is explained otherwise. */
void series_findings(reconciler *r, const roof_reconciled *e);

/* ---- inference_totals.c: times of whole inferences ---- */

/* Sets what was measured, and what it is compared with. */
void inference_totals_measured(roof_reconciled *e);

/* Sets what the fits say of it. */
void inference_totals_estimated(reconciler *r, roof_reconciled *e);

/* How fast the CPU writes into buffers of the accelerator. */
void inference_totals_buffers(reconciler *r);

/* ---- overhead.c: what instrumentation costs ---- */

/* The three fits, the ceiling of physics, and what a boundary costs. */
roof_status overhead_fit(reconciler *r);

/* Overhead, corrected time, gap and verdict of each match. */
void overhead_correct(roof_reconciled *e);

/* ---- sweeps.c: load runs of one model on one device, held against the law of a closed system ---- */

/* Orders out's loads by sweep and threads, and makes its sweeps. Errors: E_NO_MEMORY. */
roof_status sweeps_make(reconciler *r);

/* How busy units were, where a profile counted that. */
void busy_units(reconciler *r, roof_reconciled *e);

/* ---- energy.c: energy of an inference ---- */

void energy_of_experiment(reconciler *r, roof_reconciled *e);

/* Energies of different scopes stand in one table. */
void energy_note_scopes(reconciler *r);

/* ---- what a reader must know of matches, and of experiments ---- */

void match_findings(reconciler *r, const roof_reconciled *e);

void experiment_findings(reconciler *r, const roof_reconciled *e);
void experiment_findings_of_all(reconciler *r);

/* ---- attribute.c: where the time of an inference goes ---- */

void attribute_times(reconciler *r, roof_reconciled *e);

/* The place of a type among those of an experiment, or the place behind them. */
uint32_t attribute_type(const roof_reconciled *e, const char *type);

/* ---- profile_alone.c: what a profile says by itself, where nothing is predicted ---- */

void profile_alone_look(reconciler *r, roof_reconciled *e);

/* The function within the name that a compiler makes of it: "elementwise_kernel" of "void
 * at::native::elementwise_kernel<4, ...>(int, ...)", "copy" of "copy[v1](Array)". Other names stay. NULL
 * without memory. */
const char *profile_alone_kernel(const char *name, roof_arena *arena);

/* ---- step_fit.c: a line through steps (roofline/timed_curves.h has the rules) ---- */

/* The steps of a curve, ascending by tokens; each gets its fitted_s, left_out_ratio and marks. */
roof_step_fit step_fit_make(roof_timed_point *steps, uint32_t n);

/* The median of what is known of n values, which it orders; NaN where nothing is. */
double step_fit_median(double *values, uint32_t n);

/* ---- stack_fit.c: constants of a stack by the steps of several models, whose law is there too ---- */

/* A model, as far as the law asks. */
typedef struct stack_member {
    uint32_t curve, model; /* curves of one model have one number, and are left out together */
    const char *attention; /* the class of its full layers; NULL: it has none */
    double weight_bytes;   /* that a step reads, as stored */
    double layers[ROOF_MIXERS];
    double expert_layers;
    const roof_timed_point *steps;
    uint32_t n_steps;
} stack_member;

/* out: its names are set. Errors: E_NO_MEMORY. */
roof_status stack_fit_make(const stack_member *members, uint32_t n, roof_arena *arena, roof_stack_fit *out,
                           roof_error *err);
