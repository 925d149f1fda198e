/* reports/tables/reconcile/timed_tables.h - measured times of language models over their context. No rows
 * where there are no curves. */
#ifndef ROOF_REPORTS_TIMED_TABLES_H
#define ROOF_REPORTS_TIMED_TABLES_H

#include "core/json/jsonout.h"
#include "reports/tables/reconcile/reconcile_scope.h"

/* One row a measured time: its bound, what is expected, and the line of its curve. */
reconcile_view timed_view_points;

/* One row a curve: its constants, and the parts of a step. */
reconcile_view timed_view_lines;

/* One row for what grew along a curve, and from one curve to the next of its model. */
reconcile_view timed_view_growths;

/* One row a constant of a stack, and one row a model that it is fitted to. */
reconcile_view timed_view_constants;
reconcile_view timed_view_models;

/* `curves`, `growths` and `stack_fits` of a reconciliation; left out where there are none. */
void timed_put_json(jsonout *json, const roof_reconciliation *r, roof_arena *arena);

/* One row a measured time. True: that is what the document has, since nothing in it is timed by layers. */
bool timed_put_csv(const roof_reconciliation *r, roof_arena *arena, textbuf *out);

#endif
