/* measure/reconciler.h - the working state of one roof_reconcile call, shared by the files that build a reconciliation.
 * The steps stand in roof_reconcile in the order of the data. */
#ifndef ROOF_MEASURE_RECONCILER_H
#define ROOF_MEASURE_RECONCILER_H

#include "core/arena.h"
#include "measure/match_rows.h"
#include "roofline/reconcile.h"

typedef struct roof_reconciler {
    const roof_measured *measured;
    const roof_prediction *const *predictions;
    const roof_reconcile_options *options;
    roof_reconciliation *out;
    roof_arena *arena;
    unsigned char
        *map_found; /* of a line of the map: what of it is in any model; NULL: nothing was looked up */
    uint32_t told[ROOF_FINDING_COUNT]; /* findings of each kind so far, the unlisted ones included */
    roof_error *err;
} roof_reconciler;

/* pair_runs.c: experiments, each with its runs and its prediction. */
roof_status roof_reconciler_pair_runs(roof_reconciler *r);

/* units.c: rows and layers into units, with ideal and measured times. */
roof_status roof_reconciler_add_units(roof_reconciler *r, uint32_t experiment);

/* doubts.c: leaves the prediction out, and says why, where times are in another unit, before units are made; where rows
 * are those of another model, while they are. */
roof_status roof_reconciler_doubt_times(roof_reconciler *r, uint32_t i);
roof_status roof_reconciler_doubt_model(roof_reconciler *r, uint32_t i, const roof_matching *m);

/* inference_totals.c: the times of whole inferences, before and after the fits. */
void roof_reconciler_total(roof_reconciled *e);
roof_status roof_reconciler_finish_total(roof_reconciler *r, roof_reconciled *e);

/* overhead.c: the three fits, the ceiling of physics, and what a boundary costs. */
roof_status roof_reconciler_fit(roof_reconciler *r);

/* correct.c: overhead, corrected, gap, verdict of each unit. */
void roof_reconciler_correct(roof_reconciled *e);

/* attribute.c: where the time of an inference goes. */
roof_status roof_reconciler_attribute(roof_reconciler *r, roof_reconciled *e);

/* notes.c: findings, and the notes of units. */
roof_status roof_reconciler_note(roof_reconciler *r, uint32_t experiment);
roof_status roof_reconciler_note_all(roof_reconciler *r);

/* unread.c: findings of what documents say and nothing uses; of an experiment, of all. */
roof_status roof_reconciler_note_unused(roof_reconciler *r, uint32_t experiment);
roof_status roof_reconciler_note_unread(roof_reconciler *r);

/* story.c: sentences. */
roof_status roof_reconciler_tell(roof_reconciler *r);

/* reconcile.c. experiment may be ROOF_NONE, unit NULL. Of each kind some dozens are told with their text, the others are
 * counted, so that a million rows do not make a million sentences; units keep a note of every one. */
roof_status roof_tell(roof_reconciler *r, roof_finding_kind kind, uint32_t experiment, roof_unit *unit,
                      const char *format, ...) ROOF_PRINTF(5, 6);

/* For what makes up its text with care: notes the unit and counts, and is true when enough of the kind were told. */
bool roof_told_enough(roof_reconciler *r, roof_finding_kind kind, roof_unit *unit);

/* --- times -------------------------------------------------------------------------------------------- */

/* The mean, or the median where that is all that is known. */
double roof_times_typical(const roof_times *t);

/* Of repeated times: std / sqrt(count); NaN when not known. */
double roof_times_mean_error(const roof_times *t);

/* A row's time in seconds: stated, or from its cycles and the run's clock, or its share of the sum. */
double roof_row_seconds(const roof_run *run, const roof_measured_layer *row);

/* inference_totals.c: the sum over the layers of what they cost, ideally, in the way the experiment's profile runs them. */
double roof_layer_bound(const roof_reconciled *e);

/* correct.c: below an estimate nothing is impossible. */
bool roof_has_bound(const roof_reconciled *e);

/* epochs.c: what the host takes of a row outside the accelerator's core phase; NaN when phases do not tell. */
double roof_row_outside_s(const roof_run *run, const roof_measured_layer *row);

/* What a unit's layer costs, ideally, in the way the run executes it. */
const roof_cost *roof_cost_in(const roof_run *run, const roof_layer_prediction *layer);

/* Units for sentences: seconds times factor are in unit, chosen so that largest has few digits before the point. */
typedef struct roof_scale {
    double factor;
    const char *unit; /* "ms" */
} roof_scale;
roof_scale roof_scale_of(double largest_s);

/* epochs.c: whether all experiments were profiled by the phases of epochs, which tell what is fixed without a second mode
 * and without a line. */
bool roof_all_by_epochs(const roof_reconciliation *reconciliation);

/* epochs.c: roof_epochs_of, in an arena of the caller's. */
roof_status roof_epochs_make(const roof_run *run, const roof_prediction *prediction, roof_arena *arena,
                             roof_epochs **out, roof_error *err);

#endif
