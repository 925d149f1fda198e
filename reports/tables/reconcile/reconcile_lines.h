/* reports/tables/reconcile/reconcile_lines.h - what there is to say of a reconciliation beside its tables. */
#ifndef ROOF_REPORTS_RECONCILE_LINES_H
#define ROOF_REPORTS_RECONCILE_LINES_H

#include "reports/tables/reconcile/reconcile_scope.h"

/* Lines of an experiment: phases, kinds of layers, bytes, the split, the correction; in Markdown without
 * bytes and correction, which tables have; briefly without the split either. */
typedef enum line_scope { LINES_ALL, LINES_OF_MARKDOWN, LINES_BRIEF } line_scope;
void reconcile_view_lines(const roof_reconciliation *r, const roof_reconciled *e, line_scope scope,
                          remarks *lines);

/* The layers that the profile does not list, of which only the sum is known; all, or the first. */
void reconcile_view_absent(const roof_reconciled *e, name_prefixes prefix, bool all, remarks *lines);

/* Lines on what costs time in all experiments; most: causes; 0: all. */
void reconcile_view_causes(const roof_reconciliation *r, uint32_t most, remarks *lines);

/* A line a model: how many of its inferences take no longer. */
void reconcile_view_deadline(const roof_reconciliation *r, double deadline_s, remarks *lines);

#endif
