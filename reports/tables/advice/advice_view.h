/* reports/tables/advice/advice_view.h - an advice as sentences, tables and lines below them.
 *
 * Ownership: texts are of the arena, "" without memory.
 */
#ifndef ROOF_REPORTS_TABLES_ADVICE_VIEW_H
#define ROOF_REPORTS_TABLES_ADVICE_VIEW_H

#include "core/table/grid.h"
#include "roofline/advise.h"

/* 0: what it takes, and the edit that gains most; 1: the combination; 2: what that says of accuracy. NULL
 * behind the last. */
const char *advice_sentence(const roof_advice *a, uint32_t i, roof_arena *arena);

/* One row an edit: those that can be told apart, or the others, most of these at most. */
void advice_table(const roof_advice *a, bool is_ranked, uint32_t most, cell_grid *grid, roof_arena *arena);

/* All of them, and the combination last. */
void advice_begin_csv(cell_grid *grid, roof_arena *arena, textbuf *out);
void advice_add_rows(const roof_advice *a, cell_grid *grid);

/* What times and ranges are, what was not tried, what is not possible. */
void advice_remarks(const roof_advice *a, remarks *lines);

#endif
