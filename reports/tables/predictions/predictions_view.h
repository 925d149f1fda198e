/* reports/tables/predictions/predictions_view.h - networks on boards as one table, with sentences on top and
 * lines below it, for terminals, documents and pages.
 *
 * Ownership: texts are of the arena, "" without memory.
 */
#ifndef ROOF_REPORTS_PREDICTIONS_VIEW_H
#define ROOF_REPORTS_PREDICTIONS_VIEW_H

#include "reports/words/prediction_tables.h"
#include "roofline/predictions.h"

/* Pairs in the order to show them; those of one model need not lie side by side. */
typedef struct predictions_view {
    const roof_pair *pairs;
    uint32_t n;
    roof_arena *arena;
} predictions_view;

/* The i-th sentence of the verdict, one a model: on which board it is fastest, by which time, and on which it
 * cannot run, or not as it is compiled. NULL behind the last. */
const char *predictions_sentence(const predictions_view *v, uint32_t i);

/* One row a pair. The largest are the slowest. */
void predictions_table(const predictions_view *v, cell_grid *grid);

/* A row of that table, as documents have it: what its columns find their cells in. */
typedef struct predictions_row {
    const roof_pair *pair;
    const char *model, *board, *host_rows, *basis;
    grid_cell best_s, per_s, is_for_other, range, executed;
    roof_load_point load;
    uint32_t knee_threads;
    roof_answer time;
} predictions_row;
predictions_row predictions_row_of(const roof_pair *pair, roof_arena *arena);

/* Its columns, and how many of them all documents have, with one name in CSV and JSON; the first
 * PREDICTIONS_NAMES say what it is of. For lines of which these are a part. */
enum { PREDICTIONS_NAMES = 4, PREDICTIONS_DOCUMENT_COLUMNS = 35 };
extern const grid_column predictions_columns[];

/* Why pairs could not be predicted, what runs on the CPU, and what figures are estimates of. */
void predictions_remarks(const predictions_view *v, remarks *lines);

#endif
