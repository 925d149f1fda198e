/* reports/tables/sweep/pareto_view.h - points of a sweep as lines; their Pareto front as sentences, tables
 * and lines below them.
 *
 * Ownership: texts are of the arena, "" without memory.
 */
#ifndef ROOF_REPORTS_TABLES_SWEEP_PARETO_VIEW_H
#define ROOF_REPORTS_TABLES_SWEEP_PARETO_VIEW_H

#include "core/table/grid.h"
#include "roofline/pareto.h"
#include "roofline/sweep.h"

/* ---- points (sweep_view.c) ---- */

/* Adds a point, "3,..." or {"index":3,...}, with the end of its line; point NULL: the titles of CSV. Errors:
 * E_NO_MEMORY. */
roof_status sweep_view_put(bool is_of_profiles, const roof_sweep_point *point, bool is_json, textbuf *out,
                           roof_error *err);

/* ---- the front ---- */

/* "kv260, 300 MHz, 4 threads": what differs between configurations. */
const char *pareto_name(const roof_pareto *f, uint32_t i, roof_arena *arena);

/* "mobilenetv1-b4096", "12 models together" */
const char *pareto_subject(const roof_pareto *f, const roof_pareto_front *front, roof_arena *arena);

/* Title of the cost axis: "Compute, peak of all cores [Tops/s]"; factor is from base units to those. */
const char *pareto_cost_title(const roof_pareto *f, double most, double *factor, roof_arena *arena);

/* "Expected inferences per second" */
const char *pareto_rate_title(const roof_pareto *f, const roof_pareto_front *front, roof_arena *arena);

/* 0: the verdict, of all models together; then one a front where there are several; then what has no result.
 * NULL behind the last. */
const char *pareto_sentence(const roof_pareto *f, uint32_t i, roof_arena *arena);

/* The configurations of a front, the cheapest first. */
void pareto_table(const roof_pareto *f, const roof_pareto_front *front, cell_grid *grid, roof_arena *arena);
/* For each model the fastest configuration, and the cheapest that makes nearly as much. */
void pareto_models_table(const roof_pareto *f, cell_grid *grid, roof_arena *arena);

/* Why points have no result, and how many, the most first. */
void pareto_reasons(const roof_pareto *f, remarks *lines);

/* Remarks: the points compared, their cost, and the points left out. */
void pareto_remarks(const roof_pareto *f, remarks *lines);

#endif
