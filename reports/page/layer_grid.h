/* reports/page/layer_grid.h - the layers of a prediction as a grid, and predictions beside each other: all columns of
 * reports/cells.h, names whole. */
#ifndef ROOF_REPORTS_LAYER_GRID_H
#define ROOF_REPORTS_LAYER_GRID_H

#include "reports/grid.h"
#include "roofline/prediction.h"

/* One row a layer, and the total. most: rows at most, those of the largest ideal time in the order of execution; 0: all.
 * Returns how many were left out. */
uint32_t view_layers(const roof_prediction *p, uint32_t most, text_grid *grid, roof_arena *arena);

/* One row a prediction: what it takes, and what that rests on. */
void view_predictions(const roof_prediction *const *predictions, uint32_t n, text_grid *grid,
                      roof_arena *arena);

#endif
