#include "reports/tables/sweep/sweep_view.h"
#include "core/arena.h"
#include "core/error.h"
#include "reports/tables/predictions/predictions_view.h"

#include <math.h>
#include <string.h>

#define DOCUMENT(name) GRID_DOCUMENT(TEXT, name)

/* --- a prediction --------------------------------------------------------------------------------------- */

static const grid_column index_columns[] = {DOCUMENT("index"), DOCUMENT("configuration")},
                         asked_columns[] = {DOCUMENT("clock_hz"), DOCUMENT("bandwidth_bytes_per_s"),
                                            DOCUMENT("batch"),    DOCUMENT("asked_threads"),
                                            DOCUMENT("host"),     DOCUMENT("peak_ops_per_s"),
                                            DOCUMENT("cores")};
enum {
    N_INDEX = sizeof index_columns / sizeof *index_columns,
    N_ASKED = sizeof asked_columns / sizeof *asked_columns,
    N_OF_PREDICTION = N_INDEX + PREDICTIONS_DOCUMENT_COLUMNS + N_ASKED
};
_Static_assert((int)N_OF_PREDICTION <= (int)GRID_MOST_COLUMNS, "a grid has room for each");

/* Index and configuration, what the point is of, what is requested of it, and what becomes of it. */
static void prediction_columns(grid_column out[N_OF_PREDICTION])
{
    grid_column known[PREDICTIONS_DOCUMENT_COLUMNS];
    predictions_document_columns(known);
    memcpy(out, index_columns, sizeof index_columns);
    memcpy(out + N_INDEX, known, PREDICTIONS_NAMES * sizeof *known);
    memcpy(out + N_INDEX + PREDICTIONS_NAMES, asked_columns, sizeof asked_columns);
    memcpy(out + N_INDEX + PREDICTIONS_NAMES + N_ASKED, known + PREDICTIONS_NAMES,
           (PREDICTIONS_DOCUMENT_COLUMNS - PREDICTIONS_NAMES) * sizeof *known);
}

/* 0 is not requested. */
static grid_cell value_or_unknown(double value)
{
    return cell_value(value > 0 ? value : (double)NAN);
}

static void add_prediction(const roof_sweep_point *at, cell_grid *grid)
{
    const roof_prediction *p = at->pair->prediction;
    const predictions_view view = {at->pair, 1, false, grid->arena};
    grid_cell figures[PREDICTIONS_DOCUMENT_COLUMNS];
    predictions_document_cells(&view, figures);
    GRID_ADD(grid, cell_count(at->index), cell_count(at->configuration));
    grid_add(grid, figures, PREDICTIONS_NAMES);
    GRID_ADD(grid, value_or_unknown(p ? p->hardware.clock_hz : at->clock_hz),
             value_or_unknown(p ? p->hardware.bandwidth_bytes_per_s : at->bandwidth_bytes_per_s),
             cell_count(at->batch ? at->batch : 1), cell_count(at->threads ? at->threads : ROOF_UNKNOWN),
             cell_text(at->host ? at->host : ""), value_or_unknown(p ? p->hardware.peak_ops_per_s : 0),
             cell_count(p && p->hardware.cores ? p->hardware.cores : ROOF_UNKNOWN));
    grid_add(grid, figures + PREDICTIONS_NAMES, PREDICTIONS_DOCUMENT_COLUMNS - PREDICTIONS_NAMES);
}

/* --- a reconciliation ----------------------------------------------------------------------------------- */

static const grid_column profile_columns[] = {DOCUMENT("index"),         DOCUMENT("measured"),
                                              DOCUMENT("calibration"),   DOCUMENT("model"),
                                              DOCUMENT("hardware"),      DOCUMENT("bypass_s"),
                                              DOCUMENT("per_layer_s"),   DOCUMENT("sum_of_layers_s"),
                                              DOCUMENT("ideal_s"),       DOCUMENT("best_s"),
                                              DOCUMENT("expected_s"),    DOCUMENT("boundary_cost_s"),
                                              DOCUMENT("corrected_s"),   DOCUMENT("efficiency_ratio"),
                                              DOCUMENT("attributed_of"), DOCUMENT("attributed_total_s"),
                                              DOCUMENT("attributed_s"),  DOCUMENT("unattributed_s"),
                                              DOCUMENT("parts"),         DOCUMENT("why")};
enum { N_OF_PROFILE = sizeof profile_columns / sizeof *profile_columns };

/* "bound 0.52; gap 0.48": of the time that is attributed, the largest digits that tables have. */
static const char *list_parts(const roof_attribution *of, roof_arena *arena)
{
    const char *list = "";
    for (uint32_t i = 0; i < of->n_parts; i++)
        list = say_printf(arena, "%s%s%s %.4f", list, i ? "; " : "", of->parts[i].name,
                          of->parts[i].share_ratio);
    return list;
}

static void add_profile(const roof_sweep_point *at, cell_grid *grid)
{
    static const roof_attribution nothing = {
        .total_s = NAN, .attributed_s = NAN, .unattributed_s = NAN, .n_parts = 0};
    const roof_reconciled *e = at->profile;
    const roof_attribution *of = !e                     ? &nothing
                                 : e->deployed.of       ? &e->deployed
                                 : e->layer_by_layer.of ? &e->layer_by_layer
                                                        : &nothing;
    char words[ROOF_SENTENCE_SIZE] = "";
    if (e && e->not_compared)
        roof_remark_sentence(e->not_compared, words);
    const char *why = at->why ? at->why : arena_strdup(grid->arena, words);
    GRID_ADD(grid, cell_count(at->index), cell_text(at->measured->path),
             cell_text(at->calibration ? at->calibration->path : ""), cell_text(e ? e->model : ""),
             cell_text(e && e->hardware ? e->hardware : ""));
    GRID_ADD(
        grid, cell_value(e ? e->total.bypass_s : (double)NAN),
        cell_value(e ? e->total.per_layer_s : (double)NAN),
        cell_value(e ? e->total.sum_of_layers_s : (double)NAN),
        cell_value(e ? e->total.ideal_s : (double)NAN), cell_value(e ? e->total.best_s : (double)NAN),
        cell_value(e ? e->total.expected_s : (double)NAN), cell_value(e ? e->boundary_cost_s : (double)NAN),
        cell_value(e ? e->total.corrected_s : (double)NAN),
        cell_value(e ? e->total.efficiency_ratio : (double)NAN), cell_text(of->of ? of->of : ""),
        cell_value(of->of ? of->total_s : (double)NAN), cell_value(of->of ? of->attributed_s : (double)NAN),
        cell_value(of->of ? of->unattributed_s : (double)NAN), cell_text(list_parts(of, grid->arena)),
        cell_text(why));
}

/* --- a line --------------------------------------------------------------------------------------------- */

/* columns: room for those of a prediction. */
static const grid_column *columns_of(bool is_of_profiles, grid_column *columns, size_t *n)
{
    *n = is_of_profiles ? N_OF_PROFILE : N_OF_PREDICTION;
    if (!is_of_profiles)
        prediction_columns(columns);
    return is_of_profiles ? profile_columns : columns;
}

roof_status sweep_view_titles(bool is_of_profiles, textbuf *out, roof_error *err)
{
    grid_column own[N_OF_PREDICTION];
    size_t n;
    roof_arena *arena = arena_new(0);
    if (!arena)
        return error_memory(err);
    const grid_column *columns = columns_of(is_of_profiles, own, &n);
    cell_grid grid;
    grid_begin_csv(&grid, arena, columns, n, out);
    arena_free(arena);
    return text_status(out, err);
}

roof_status sweep_view_point(const roof_sweep_point *point, bool is_json, textbuf *out, roof_error *err)
{
    grid_column own[N_OF_PREDICTION];
    size_t n;
    roof_arena *arena = arena_new(0);
    if (!arena)
        return error_memory(err);
    const grid_column *columns = columns_of(point->measured, own, &n);
    cell_grid grid;
    jsonout json;
    if (is_json) {
        jsonout_begin(&json, out);
        grid_begin(&grid, arena, columns, n);
        grid_begin_json_line(&grid, &json);
    } else {
        grid_begin_csv_row(&grid, arena, columns, n, out);
    }
    if (point->measured)
        add_profile(point, &grid);
    else
        add_prediction(point, &grid);
    if (is_json)
        jsonout_end(&json);
    roof_status status = grid_failed(&grid) ? error_memory(err) : text_status(out, err);
    arena_free(arena);
    return status;
}
