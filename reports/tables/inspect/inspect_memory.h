/* reports/tables/inspect/inspect_memory.h - memory over rows, as every format shows it.
 *
 * Units: bytes.
 */
#ifndef ROOF_REPORTS_TABLES_INSPECT_INSPECT_MEMORY_H
#define ROOF_REPORTS_TABLES_INSPECT_INSPECT_MEMORY_H

#include "core/table/grid.h"
#include "reports/renderers/renderer.h"
#include "roofline/memory.h"

/* The member "memory" of roofline.inspection/1. */
void inspect_memory_json(jsonout *json, const roof_memory *memory, roof_arena *arena);

/* The verdict, what must shrink, the pools, and what is alive at their peaks. */
void inspect_memory_put(const rendering *r);

/* A row of CSV for each row of each pool. */
void inspect_memory_csv(const rendering *r);

/* The two tables of it. */
void inspect_memory_pools(cell_grid *t, roof_arena *arena, const roof_memory *m);
void inspect_memory_live(cell_grid *t, roof_arena *arena, const roof_memory *m);

#endif
