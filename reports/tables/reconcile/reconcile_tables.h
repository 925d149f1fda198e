/* reports/tables/reconcile/reconcile_tables.h - tables of all experiments of a reconciliation. */
#ifndef ROOF_REPORTS_RECONCILE_TABLES_H
#define ROOF_REPORTS_RECONCILE_TABLES_H

#include "reports/tables/reconcile/reconcile_scope.h"
#include "roofline/calibration.h"

/* One row a model: totals of both modes, estimate, error, ideal. */
reconcile_view reconcile_view_models;

/* One row a line that was fitted; empty when none is known. */
reconcile_view reconcile_view_fits;

/* One row for each inference that is attributed: shares of ideal, overhead, gap, host, and what is left. */
reconcile_view reconcile_view_where;

/* One row a model and mode: mean, percentiles, extremes and deviation, inferences and operations per second;
 * layer by layer also what that adds to time and deviation, and for each boundary. */
reconcile_view reconcile_view_times;

/* One row an experiment with an energy, by model and scope, the best first; empty for fewer than two. */
reconcile_view reconcile_view_energies;
reconcile_view reconcile_view_loads; /* no rows where no run is of mode load */

/* One row a part of a time, with a bar that begins where the last one ends. title: of the first column. */
void reconcile_view_waterfall(const roof_attribution *a, const char *title, bool is_ascii, cell_grid *grid,
                              roof_arena *arena);

/* One row a parameter: value, interval, prior, whether the data determine it. */
void reconcile_view_calibration(const roof_calibration *c, cell_grid *grid, roof_arena *arena);

#endif
