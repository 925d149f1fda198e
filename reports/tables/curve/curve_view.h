/* reports/tables/curve/curve_view.h - the curve of a language model as two tables, of steps and of prompts,
 * with lines below them.
 *
 * Ownership: texts are of the arena, "" without memory.
 */
#ifndef ROOF_REPORTS_CURVE_VIEW_H
#define ROOF_REPORTS_CURVE_VIEW_H

#include "core/table/grid.h"
#include "reports/words/curve_words.h"

typedef struct curve_view {
    const roof_curve *curve;
    bool all; /* rows; else the first of each doubling, the last one, and what was measured */
    roof_arena *arena;
} curve_view;

/* Rows of a phase: its points, and what was measured at other lengths. */
uint32_t curve_rows(const curve_view *v, roof_text_phase phase);

/* One row a length. Returns how many rows are left out. */
uint32_t curve_table(const curve_view *v, roof_text_phase phase, cell_grid *grid);

/* Session, draft, anchor, memory, constants, and why something is unknown. */
void curve_remarks(const curve_view *v, remarks *lines);

#endif
