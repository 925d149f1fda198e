/* reports/tables/reconcile/reconcile_units.h - the layers of a reconciliation: one table of columns for
 * terminals, Markdown, CSV, JSON and pages. */
#ifndef ROOF_REPORTS_RECONCILE_UNITS_H
#define ROOF_REPORTS_RECONCILE_UNITS_H

#include "reports/tables/reconcile/reconcile_scope.h"

/* One row a unit, and the sums. */
reconcile_view reconcile_view_units;

/* The list "layers" of an experiment. */
void units_put_json(jsonout *json, const roof_reconciled *e);

/* Puts the statistics of repetitions, where more is known of them than a mean; nothing else, and of NULL. */
void reconcile_put_statistics(jsonout *json, const char *key, const roof_times *times);

/* The bottleneck of a unit, or "". */
const char *unit_bound(const roof_reconciled *e, const roof_unit *u);

/* Words for the notes of a unit, "one outlier; rate is rounded". */
void unit_notes(const roof_reconciled *e, const roof_unit *u, char *text, size_t size);

/* The names of the rows of a unit as an array; the index of a row that has none. */
void reconcile_put_row_names(jsonout *json, const char *key, const roof_reconciled *e, const roof_unit *u);

/* One row a row of the profile that says more than a mean: of one call its deviation and extremes, copies and
 * bytes in it, and the rate of all its operations. */
reconcile_view reconcile_view_row_times;

/* Rates by stage of the network, the size of outputs, in order of execution. Empty where there is one. */
reconcile_view reconcile_view_stages;

/* One row for each of the equal parts of an inference that the profile times, such as the layers of a
 * language model, with what is expected of one. Empty where it times none. */
reconcile_view reconcile_view_blocks;

/* True if some row separates copies from the accelerator's work. */
bool reconcile_has_buffer_times(const roof_reconciled *e);

#endif
