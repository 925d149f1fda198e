/* reports/tables/views.h - documents as tables and sentences, for terminals, documents, charts and pages.
 *
 * Ownership: texts are of the arena, "" without memory.
 */
#pragma once

#include "reports/words/curve_words.h"
#include "reports/words/prediction_tables.h"
#include "roofline/compare.h"
#include "roofline/configurations.h"
#include "roofline/history.h"
#include "roofline/pareto.h"
#include "roofline/predictions.h"
#include "roofline/sweep.h"

/* ---- predictions_view.c: networks on boards ---- */

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

/* ---- curve_view.c: the curve of a language model, a table of steps and one of prompts ---- */

typedef struct curve_view {
    const roof_curve *curve;
    bool all; /* rows; else the first of each doubling, the last one, and what was measured */
    roof_arena *arena;
} curve_view;

/* One row a length of a phase: its points, and what was measured at others. Returns how many are left out. */
uint32_t curve_table(const curve_view *v, roof_text_phase phase, cell_grid *grid);

/* Session, draft, anchor, memory, constants, and why something is unknown. */
void curve_remarks(const curve_view *v, remarks *lines);

/* ---- configurations_view.c: the configurations of a board ---- */

/* 0: the cheapest that is enough, or what can be had; 1: what else is to be known of that; 2: what the
 * figures of other sizes and more cores rest on. NULL behind the last. */
const char *configurations_sentence(const void *document, uint32_t i, roof_arena *arena);

/* "2 x B1600", with " low DSP" where slices only multiply. */
const char *configurations_name(const roof_configuration *c, roof_arena *arena);

/* ---- compare_page.c: a comparison ---- */

/* How rows were paired, and by which test, as documents say it; "" is neither. */
extern const char *const compare_pairings[], *const compare_tests[];

/* Sentences: B against A, and the layers that differ; "" if there is nothing to say of them. */
const char *compare_say_total(roof_arena *arena, const roof_compared_run *run);
const char *compare_say_layers(roof_arena *arena, const roof_compared_run *run);

/* One row a layer, and the total. The largest are differences that are shown, before all others. */
void compare_view_rows(const roof_compared_run *run, cell_grid *grid, roof_arena *arena);

/* Outcome of two predictions, A beside B, by their times, by all conditions but the requested ones, and by
 * the parts that both times cover. */
roof_outcome compare_outcome(const roof_compared_run *run);

/* ---- history_view.c: trends ---- */

/* "net on kv260, VART 3.5, bypass" */
const char *history_series_name(const roof_history_series *s, roof_arena *arena);

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

/* ---- sweep_view.c: points of a sweep as lines ---- */

/* Adds a point, "3,..." or {"index":3,...}, with the end of its line; point NULL: the titles of CSV. Errors:
 * E_NO_MEMORY. */
roof_status sweep_view_put(bool is_of_profiles, const roof_sweep_point *point, bool is_json, textbuf *out,
                           roof_error *err);

/* ---- pareto_view.c: their Pareto front ---- */

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
