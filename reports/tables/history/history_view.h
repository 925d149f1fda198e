/* reports/tables/history/history_view.h - trends as sentences, one table and lines below it.
 *
 * Ownership: texts are of the arena, "" without memory.
 */
#ifndef ROOF_REPORTS_HISTORY_VIEW_H
#define ROOF_REPORTS_HISTORY_VIEW_H

#include "core/table/grid.h"
#include "roofline/history.h"

/* "net on kv260, VART 3.5, bypass" */
const char *history_series_name(const roof_history_series *s, roof_arena *arena);

/* The conditions by which a series began, when an earlier one ended; "": by none. */
const char *history_began_with(const roof_history_series *s, roof_arena *arena);

/* Change of a series: "net on kv260, VART 3.5, whole network: slower by 3.1 % (2.4 to 3.8) since run 41,
 * commit 3f2a91c." */
const char *history_series_says(const roof_history_series *s, roof_arena *arena);

/* The same in short, without the series' name: "3.1 % slower (2.4 to 3.8)"; "" of a first segment. */
const char *history_change(const roof_history_series *s, const roof_history_segment *segment,
                           roof_arena *arena);

/* Sentences: the verdict of a gate, then the series, the worse ones first, as many as are worth a sentence.
 * NULL behind the last. */
const char *history_sentence(const void *document, uint32_t i, roof_arena *arena);

/* The series whose newest change is the rank-th worst, from 0; NULL behind the last. */
const roof_history_series *history_ranked(const roof_history_trends *t, uint32_t rank);

/* The layers that changed with the last change of a series, the largest difference first. */
void history_layers(const roof_history_series *s, cell_grid *grid, roof_arena *arena);

/* One row a segment. */
void history_table(const roof_history_trends *t, cell_grid *grid, roof_arena *arena);

/* Notes to read with the series. */
void history_remarks(const void *document, remarks *lines);

#endif
