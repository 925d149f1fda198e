/* core/grid_text.h - a table on a terminal; only core/grid.c calls it. */
#ifndef ROOF_CORE_GRID_TEXT_H
#define ROOF_CORE_GRID_TEXT_H

#include "core/grid.h"

void grid_put_text(const cell_grid *t, const text_paper *paper);

#endif
