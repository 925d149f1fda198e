/* measure/reconcile/steps.h - the steps of roof_reconcile in the order in which it takes them. Each adds to what the steps before it
 * made, and knows none of the others.
 *
 * i is the index of an experiment. Errors: E_NO_MEMORY, and what is said; what cannot fail otherwise leaves it to the arena
 * and to lacks_memory to remember that memory ran out. */
#ifndef ROOF_MEASURE_RECONCILE_STEPS_H
#define ROOF_MEASURE_RECONCILE_STEPS_H

#include "measure/reconcile/match_rows.h"
#include "measure/units/remarks.h"

/* pair_runs.c: experiments, each with its runs and its prediction. */
roof_status pair_runs(reconciler *r);

/* doubts.c: an entry of the database, which the caller frees; NULL for a file, and for what the database does not know. */
struct roof_hw *entry_of(reconciler *r, const char *id);

/* doubts.c: says where the document was measured on other hardware than its prediction is of. */
void doubt_hardware(reconciler *r, uint32_t i);

/* doubts.c: leaves the prediction out, and says why, where times are in another unit; where rows are those of another
 * model. */
void doubt_times(reconciler *r, uint32_t i);
void doubt_model(reconciler *r, uint32_t i, const row_matching *m);

/* Likewise, once totals are known: where rows, counted in cycles of the accelerator, are not the time that a deployed inference takes of
 * it. They say nothing of what timing costs. */
void doubt_layers(reconciler *r, uint32_t i);

/* units.c: rows and layers into units, with ideal and measured times. */
roof_status make_units(reconciler *r, uint32_t i, const row_matching *m);

/* inference_totals.c: the times of whole inferences. */
void total_times(roof_reconciled *e);

/* overhead.c: the three fits, the ceiling of physics, and what a boundary costs. */
roof_status fit_overhead(reconciler *r);

/* inference_totals.c: what the fits say of whole inferences. */
void total_estimates(reconciler *r, uint32_t i);

/* inference_totals.c: how fast the host writes into buffers of the accelerator. */
void rate_buffers(reconciler *r);

/* overhead.c: overhead, corrected, gap, verdict of each unit. */
void correct_units(roof_reconciled *e);

/* attribute.c: where the time of an inference goes. */
void attribute_times(reconciler *r, roof_reconciled *e);

/* busy.c: how busy units were, where a profile counted that. */
void busy_units(reconciler *r, roof_reconciled *e);

/* profile_alone.c: what the profile says by itself, where nothing is predicted. */
void look_at_profile(reconciler *r, uint32_t i);

/* energy.c: what an inference takes of energy, and findings about that: of one experiment, and of all. */
void total_energy(reconciler *r, uint32_t i);
void note_energies(reconciler *r);

/* notes.c: findings about all experiments, and about one; unit_notes.c: about its units. */
void note_all(reconciler *r);
void note_experiment(reconciler *r, uint32_t i);
void note_units(reconciler *r, uint32_t i);

/* series_notes.c: what the samples of runs and rows say by their order; before the scatter of rows is explained otherwise. */
void note_series(reconciler *r, uint32_t i);

#endif
