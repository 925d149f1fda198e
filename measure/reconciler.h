/* measure/reconciler.h - the working state of one roof_reconcile call, shared by the files that build a reconciliation.
 * The steps stand in roof_reconcile in the order of the data. */
#ifndef ROOF_MEASURE_RECONCILER_H
#define ROOF_MEASURE_RECONCILER_H

#include "core/arena.h"
#include "measure/match_rows.h"
#include "roofline/reconcile.h"

typedef struct reconciler {
    const roof_measured *measured;
    const roof_prediction *const *predictions;
    const roof_reconcile_options *options;
    roof_reconciliation *out;
    roof_arena *arena;
    unsigned char
        *map_found; /* of a line of the map: what of it is in any model; NULL: nothing was looked up */
    uint32_t told[ROOF_FINDING_COUNT]; /* findings of each kind so far, the unlisted ones included */
    roof_error *err;
} reconciler;

/* pair_runs.c: experiments, each with its runs and its prediction. */
roof_status reconciler_pair_runs(reconciler *r);

/* units.c: rows and layers into units, with ideal and measured times. */
roof_status reconciler_add_units(reconciler *r, uint32_t experiment);

/* doubts.c: leaves the prediction out, and says why, where times are in another unit, before units are made; where rows
 * are those of another model, while they are. */
roof_status reconciler_doubt_times(reconciler *r, uint32_t i);
roof_status reconciler_doubt_model(reconciler *r, uint32_t i, const row_matching *m);

/* inference_totals.c: the times of whole inferences, before and after the fits. */
void reconciler_total(roof_reconciled *e);
roof_status reconciler_finish_total(reconciler *r, roof_reconciled *e);

/* overhead.c: the three fits, the ceiling of physics, and what a boundary costs. */
roof_status reconciler_fit(reconciler *r);

/* correct.c: overhead, corrected, gap, verdict of each unit. */
void reconciler_correct(roof_reconciled *e);

/* attribute.c: where the time of an inference goes. */
roof_status reconciler_attribute(reconciler *r, roof_reconciled *e);

/* notes.c: findings, and the notes of units. */
roof_status reconciler_note(reconciler *r, uint32_t experiment);
roof_status reconciler_note_all(reconciler *r);

/* unread.c: findings of what documents say and nothing uses; of an experiment, of all. */
roof_status reconciler_note_unused(reconciler *r, uint32_t experiment);
roof_status reconciler_note_unread(reconciler *r);

/* story.c: sentences. */
roof_status reconciler_tell(reconciler *r);

/* reconcile.c. experiment may be ROOF_NONE, unit NULL. Of each kind some dozens are told with their text, the others are
 * counted, so that a million rows do not make a million sentences; units keep a note of every one. */
roof_status add_remark(reconciler *r, roof_finding_kind kind, uint32_t experiment, roof_unit *unit,
                       const char *format, ...) ROOF_PRINTF(5, 6);

/* For what makes up its text with care: notes the unit and counts, and is true when enough of the kind were told. */
bool told_enough(reconciler *r, roof_finding_kind kind, roof_unit *unit);

/* --- times -------------------------------------------------------------------------------------------- */

/* The mean, or the median where that is all that is known. */
double times_typical(const roof_times *t);

/* Of repeated times: std / sqrt(count); NaN when not known. */
double times_mean_error(const roof_times *t);

/* A row's time in seconds: stated, or from its cycles and the run's clock, or its share of the sum. */
double row_time_s(const roof_run *run, const roof_measured_layer *row);

/* inference_totals.c: the sum over the layers of what they cost, ideally, in the way the experiment's profile runs them. */
double layer_bound(const roof_reconciled *e);

/* correct.c: below an estimate nothing is impossible. */
bool has_bound(const roof_reconciled *e);

/* epochs.c: what the host takes of a row outside the accelerator's core phase; NaN when phases do not tell. */
double row_outside_s(const roof_run *run, const roof_measured_layer *row);

/* What a unit's layer costs, ideally, in the way the run executes it. */
const roof_cost *cost_in(const roof_run *run, const roof_layer_prediction *layer);

/* Units for sentences: seconds times factor are in unit, chosen so that largest has few digits before the point. */
typedef struct time_unit {
    double factor;
    const char *unit; /* "ms" */
} time_unit;
time_unit time_unit_of(double largest_s);

/* epochs.c: whether all experiments were profiled by the phases of epochs, which tell what is fixed without a second mode
 * and without a line. */
bool all_by_epochs(const roof_reconciliation *reconciliation);

/* epochs.c: roof_epochs_of, in an arena of the caller's. */
roof_status epochs_make(const roof_run *run, const roof_prediction *prediction, roof_arena *arena,
                        roof_epochs **out, roof_error *err);

#endif
