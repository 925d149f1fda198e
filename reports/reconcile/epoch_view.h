/* reports/reconcile/epoch_view.h - the epochs of a Neural-ART as tables and lines, for every format. */
#ifndef ROOF_REPORTS_EPOCH_VIEW_H
#define ROOF_REPORTS_EPOCH_VIEW_H

#include "reports/cells.h"
#include "roofline/epochs.h"

/* What the compiler expected, what was measured, the share of computing, what was converted. */
void view_epoch_lines(const roof_epochs *e, remarks *r);

/* One row a type of epoch: how many, their time, what of it the units do not work. */
void view_epoch_types(const roof_epochs *e, cell_grid *grid, roof_arena *arena);

/* One row a pool and a bus of the whole inference; empty when no bytes are known. */
void view_epoch_flows(const roof_epochs *e, cell_grid *grid, roof_arena *arena);

/* One row an epoch. most: rows at most, the longest in the order of execution; 0: all. Returns how many were left out. */
uint32_t view_epochs(const roof_epochs *e, uint32_t most, cell_grid *grid, roof_arena *arena);

#endif
