/* reports/tables/periodic/periodic_view.h - networks at a rate as sentences, one table and lines below it.
 *
 * Ownership: texts are of the arena, "" without memory.
 */
#ifndef ROOF_REPORTS_PERIODIC_VIEW_H
#define ROOF_REPORTS_PERIODIC_VIEW_H

#include "core/table/grid.h"
#include "roofline/periodic.h"

/* 0: whether all deadlines are met, by what or by how much not; 1: the headroom, or the smallest change that
 * fits; 2: what is to be known of the times. NULL behind the last. */
const char *periodic_sentence(const roof_periodic *s, uint32_t i, roof_arena *arena);

/* One row a network. The largest are those of the longest response. */
void periodic_table(const roof_periodic *s, cell_grid *grid, roof_arena *arena);

/* Of CSV, whose rows are kept where they are to be sorted. */
void periodic_begin_csv(cell_grid *grid, roof_arena *arena, textbuf *out);
void periodic_add_rows(const roof_periodic *s, cell_grid *grid);

/* Policy, cores, services, and changes that would fit. */
void periodic_remarks(const roof_periodic *s, remarks *lines);

/* "ask for resnet50 at 25/s": a change as what to do. */
const char *periodic_change(const roof_periodic *s, const roof_periodic_change *change, roof_arena *arena);

#endif
