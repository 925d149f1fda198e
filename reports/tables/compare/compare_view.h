/* reports/tables/compare/compare_view.h - a comparison as a table and sentences, for terminals and pages.
 *
 * Ownership: texts are of the arena, "" without memory.
 */
#ifndef ROOF_REPORTS_COMPARE_VIEW_H
#define ROOF_REPORTS_COMPARE_VIEW_H

#include "reports/words/prediction_tables.h"
#include "roofline/compare.h"

/* How rows were paired, and by which test, as documents say it; "" is neither. */
extern const char *const compare_pairings[], *const compare_tests[];

/* Sentences: B against A, and the layers that differ; "" if there is nothing to say of them. */
const char *compare_say_total(roof_arena *arena, const roof_compared_run *run);
const char *compare_say_layers(roof_arena *arena, const roof_compared_run *run);

/* One row a layer, and the total. The largest are differences that are shown, before all others. */
void compare_view_rows(const roof_compared_run *run, cell_grid *grid, roof_arena *arena);

/* Outcome of two predictions, A beside B, by their times, by all conditions but the requested ones, and by
 * the parts that both times cover. */
roof_outcome compare_outcome(const roof_compared_run *run);

#endif
