/* reports/page/page_work.h - columns of a model's table with what its roofline plots: what a reader sees in
 * the picture is in the table as well.
 *
 * Ownership: the wider table is of its arena, and borrows the cells' texts.
 */
#ifndef ROOF_REPORTS_PAGE_WORK_H
#define ROOF_REPORTS_PAGE_WORK_H

#include "reports/charts/chart.h"

/* The table of an experiment with operations, bytes, operations per byte and the measured rate behind its
 * columns, found by the number in the first one; of a prediction with the ideal rate alone, since the others
 * are there. Where there is a baseline, what each layer took there and the change follow. Rows without a
 * number, such as sums, have no such values. Returns how many columns were added. Without memory the arena of
 * the grid knows. */
size_t page_add_work(const chart_source *source, cell_grid *grid);

#endif
