/* reports/tables/compare/compare_view.h - a comparison as a table and sentences, for terminals and pages.
 *
 * Ownership: texts are of the arena, "" without memory.
 */
#ifndef ROOF_REPORTS_COMPARE_VIEW_H
#define ROOF_REPORTS_COMPARE_VIEW_H

#include "reports/words/cells.h"
#include "roofline/compare.h"

/* Whether B takes longer than A, and which layers differ; "" where there is nothing to say of them. */
const char *say_compared_total(roof_arena *arena, const roof_compared_run *run);
const char *say_compared_layers(roof_arena *arena, const roof_compared_run *run);

/* The column by which rows are the largest: differences that are shown before all others. It is not shown itself. */
#define COMPARED_SIZE "size"

/* One row a layer, and the total. */
void view_compared(const roof_compared_run *run, cell_grid *grid, roof_arena *arena);

#endif
