#include "reports/tables/sweep/pareto_view.h"
#include "core/arena.h"
#include "core/error.h"
#include "reports/tables/predictions/predictions_view.h"

#include <math.h>
#include <string.h>

/* --- a prediction --------------------------------------------------------------------------------------- */

/* The row of its pair comes first: columns of predictions find their cells there. */
typedef struct swept_prediction {
    predictions_row pair;
    const roof_sweep_point *at;
    double clock_hz, bandwidth_bytes_per_s, peak_ops_per_s; /* NaN: not requested, or unknown */
    uint32_t batch, cores;
} swept_prediction;

#define POINT(name, member, from)                                                                            \
    GRID_VIA(name, swept_prediction, at, roof_sweep_point, member, from, .title = NULL)
#define SWEPT(member, from) GRID_OF(swept_prediction, member, from, .title = NULL)
static const grid_column index_columns[] = {POINT("index", index, COUNT),
                                            POINT("configuration", configuration, COUNT)},
                         asked_columns[] = {SWEPT(clock_hz, VALUE),    SWEPT(bandwidth_bytes_per_s, VALUE),
                                            SWEPT(batch, SMALL),       POINT("asked_threads", threads, SIZE),
                                            POINT("host", host, TEXT), SWEPT(peak_ops_per_s, VALUE),
                                            SWEPT(cores, SIZE)};
#undef POINT
#undef SWEPT
enum {
    N_INDEX = sizeof index_columns / sizeof *index_columns,
    N_ASKED = sizeof asked_columns / sizeof *asked_columns,
    N_OF_PREDICTION = N_INDEX + PREDICTIONS_DOCUMENT_COLUMNS + N_ASKED
};
_Static_assert((int)N_OF_PREDICTION <= (int)GRID_MOST_COLUMNS, "a grid has room for each");

/* Index and configuration, what the point is of, what is requested of it, and what becomes of it. */
static void prediction_columns(grid_column out[N_OF_PREDICTION])
{
    memcpy(out, index_columns, sizeof index_columns);
    memcpy(out + N_INDEX, predictions_columns, PREDICTIONS_NAMES * sizeof *out);
    memcpy(out + N_INDEX + PREDICTIONS_NAMES, asked_columns, sizeof asked_columns);
    memcpy(out + N_INDEX + PREDICTIONS_NAMES + N_ASKED, predictions_columns + PREDICTIONS_NAMES,
           (PREDICTIONS_DOCUMENT_COLUMNS - PREDICTIONS_NAMES) * sizeof *out);
}

/* 0 is not requested. */
static double or_unknown(double value)
{
    return value > 0 ? value : (double)NAN;
}

static void add_prediction(const roof_sweep_point *at, cell_grid *grid)
{
    const roof_prediction *p = at->pair->prediction;
    const swept_prediction row = {.pair = predictions_row_of(at->pair, grid->arena),
                                  .at = at,
                                  .clock_hz = or_unknown(p ? p->hardware.clock_hz : at->clock_hz),
                                  .bandwidth_bytes_per_s = or_unknown(p ? p->hardware.bandwidth_bytes_per_s
                                                                        : at->bandwidth_bytes_per_s),
                                  .peak_ops_per_s = or_unknown(p ? p->hardware.peak_ops_per_s : 0),
                                  .batch = at->batch ? at->batch : 1,
                                  .cores = p ? p->hardware.cores : 0};
    grid_add_row(grid, &row, at);
}

/* --- a reconciliation ----------------------------------------------------------------------------------- */

typedef struct swept_profile {
    uint64_t index;
    const roof_sweep_file *measured, *calibration;
    const roof_reconciled *profile;
    const roof_attribution *attributed; /* NULL: nothing is */
    const char *parts, *why;
} swept_profile;

#define SWEPT(member, from) GRID_OF(swept_profile, member, from, .title = NULL)
#define AT_PATH(pointer)                                                                                     \
    GRID_VIA(#pointer, swept_profile, pointer, roof_sweep_file, path, TEXT, .title = NULL)
#define PROFILE(name, member, from)                                                                          \
    GRID_VIA(name, swept_profile, profile, roof_reconciled, member, from, .title = NULL)
#define TOTAL(member) PROFILE(#member, total.member, VALUE)
#define PART(name, member, from)                                                                             \
    GRID_VIA(name, swept_profile, attributed, roof_attribution, member, from, .title = NULL)
static const grid_column profile_columns[] = {SWEPT(index, COUNT),
                                              AT_PATH(measured),
                                              AT_PATH(calibration),
                                              PROFILE("model", model, TEXT),
                                              PROFILE("hardware", hardware, TEXT),
                                              TOTAL(bypass_s),
                                              TOTAL(per_layer_s),
                                              TOTAL(sum_of_layers_s),
                                              TOTAL(ideal_s),
                                              TOTAL(best_s),
                                              TOTAL(expected_s),
                                              PROFILE("boundary_cost_s", boundary_cost_s, VALUE),
                                              TOTAL(corrected_s),
                                              TOTAL(efficiency_ratio),
                                              PART("attributed_of", of, TEXT),
                                              PART("attributed_total_s", total_s, VALUE),
                                              PART("attributed_s", attributed_s, VALUE),
                                              PART("unattributed_s", unattributed_s, VALUE),
                                              SWEPT(parts, TEXT),
                                              SWEPT(why, TEXT)};
enum { N_OF_PROFILE = sizeof profile_columns / sizeof *profile_columns };

/* "bound 0.52; gap 0.48": of the time that is attributed, the largest digits that tables have. */
static const char *list_parts(const roof_attribution *of, roof_arena *arena)
{
    const char *list = "";
    for (uint32_t i = 0; of && i < of->n_parts; i++)
        list = say_printf(arena, "%s%s%s %.4f", list, i ? "; " : "", of->parts[i].name,
                          of->parts[i].share_ratio);
    return list;
}

static void add_profile(const roof_sweep_point *at, cell_grid *grid)
{
    const roof_reconciled *e = at->profile;
    const roof_attribution *of = !e                     ? NULL
                                 : e->deployed.of       ? &e->deployed
                                 : e->layer_by_layer.of ? &e->layer_by_layer
                                                        : NULL;
    char words[ROOF_SENTENCE_SIZE] = "";
    if (e && e->not_compared)
        roof_remark_sentence(e->not_compared, words);
    const swept_profile row = {.index = at->index,
                               .measured = at->measured,
                               .calibration = at->calibration,
                               .profile = e,
                               .attributed = of,
                               .parts = list_parts(of, grid->arena),
                               .why = at->why ? at->why : words};
    grid_add_row(grid, &row, at);
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
