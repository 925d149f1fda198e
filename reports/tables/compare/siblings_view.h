/* reports/tables/compare/siblings_view.h - a network before and after compiling as a table and sentences.
 *
 * Ownership: texts are of the arena, "" without memory.
 */
#ifndef ROOF_REPORTS_SIBLINGS_VIEW_H
#define ROOF_REPORTS_SIBLINGS_VIEW_H

#include "reports/words/prediction_tables.h"
#include "roofline/siblings.h"

/* How rows were paired, as documents say it; "" is not. */
extern const char *const siblings_pairings[];

/* 0: whether the compiled file has the layers of the lowering rules; 1: what it moves and takes beside
 * that; 2: why. NULL behind the last. */
const char *siblings_sentence(const roof_siblings *s, uint32_t i, roof_arena *arena);

/* Name of an item: that of the compiled layer, else that of the graph's; of several the first. */
const char *siblings_name(const roof_siblings *s, const roof_sibling *item);
const char *siblings_type(const roof_siblings *s, const roof_sibling *item);

/* One row an item, and the total. */
void siblings_table(const roof_siblings *s, cell_grid *grid, roof_arena *arena);

#endif
