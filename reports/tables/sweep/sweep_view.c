#include "reports/tables/views.h"

/* A point; the row of its pair comes first, where columns of predictions find their cells. */
typedef struct swept_row {
    predictions_row pair;
    const roof_sweep_point *at;
    double clock_hz, bandwidth_bytes_per_s, peak_ops_per_s; /* NaN: not requested, or unknown */
    uint32_t batch, cores;
    const roof_sweep_file *measured, *calibration;
    const roof_reconciled *profile;
    const roof_attribution *part; /* NULL: nothing is attributed */
    const char *parts, *why;
} swept_row;

#define SWEPT(member, from) GRID_OF(swept_row, member, from, .title = NULL)
#define VIA(name, pointer, type, member, from)                                                               \
    GRID_VIA(name, swept_row, pointer, type, member, from, .title = NULL)
#define TOTAL(member) VIA(#member, profile, roof_reconciled, total.member, VALUE)

static const grid_column index_columns[] = {VIA("index", at, roof_sweep_point, index, COUNT),
                                            VIA("configuration", at, roof_sweep_point, configuration, COUNT)};
static const grid_column asked_columns[] = {SWEPT(clock_hz, VALUE),
                                            SWEPT(bandwidth_bytes_per_s, VALUE),
                                            SWEPT(batch, SMALL),
                                            VIA("asked_threads", at, roof_sweep_point, threads, SIZE),
                                            VIA("host", at, roof_sweep_point, host, TEXT),
                                            SWEPT(peak_ops_per_s, VALUE),
                                            SWEPT(cores, SIZE)};
static const grid_column profile_columns[] = {
    VIA("index", at, roof_sweep_point, index, COUNT),
    VIA("measured", measured, roof_sweep_file, path, TEXT),
    VIA("calibration", calibration, roof_sweep_file, path, TEXT),
    VIA("model", profile, roof_reconciled, model, TEXT),
    VIA("hardware", profile, roof_reconciled, hardware, TEXT),
    TOTAL(bypass_s),
    TOTAL(per_layer_s),
    TOTAL(sum_of_layers_s),
    TOTAL(ideal_s),
    TOTAL(best_s),
    TOTAL(expected_s),
    VIA("boundary_cost_s", profile, roof_reconciled, boundary_cost_s, VALUE),
    TOTAL(corrected_s),
    TOTAL(efficiency_ratio),
    VIA("attributed_of", part, roof_attribution, of, TEXT),
    VIA("attributed_total_s", part, roof_attribution, total_s, VALUE),
    VIA("attributed_s", part, roof_attribution, attributed_s, VALUE),
    VIA("unattributed_s", part, roof_attribution, unattributed_s, VALUE),
    SWEPT(parts, TEXT),
    SWEPT(why, TEXT)};
enum {
    N_INDEX = N_OF(index_columns),
    N_ASKED = N_OF(asked_columns),
    N_OF_PROFILE = N_OF(profile_columns),
    N_OF_PREDICTION = N_INDEX + PREDICTIONS_DOCUMENT_COLUMNS + N_ASKED
};
_Static_assert((int)N_OF_PREDICTION <= (int)GRID_MOST_COLUMNS, "a grid has room for each");

/* 0 is not requested. */
static double asked_or_nan(double value)
{
    return value > 0 ? value : (double)NAN;
}

static void add_prediction(const roof_sweep_point *at, cell_grid *grid)
{
    const roof_prediction *p = at->pair->prediction;
    const swept_row row = {.pair = predictions_row_of(at->pair, grid->arena),
                           .at = at,
                           .clock_hz = asked_or_nan(p ? p->hardware.clock_hz : at->clock_hz),
                           .bandwidth_bytes_per_s = asked_or_nan(p ? p->hardware.bandwidth_bytes_per_s
                                                                   : at->bandwidth_bytes_per_s),
                           .peak_ops_per_s = asked_or_nan(p ? p->hardware.peak_ops_per_s : 0),
                           .batch = at->batch ? at->batch : 1,
                           .cores = p ? p->hardware.cores : 0};
    grid_add_row(grid, &row, at);
}

/* With the parts of the attributed time, "bound 0.52; gap 0.48", with the digits that tables have. */
static void add_profile(const roof_sweep_point *at, cell_grid *grid)
{
    const roof_reconciled *e = at->profile;
    const roof_attribution *of = !e                     ? NULL
                                 : e->deployed.of       ? &e->deployed
                                 : e->layer_by_layer.of ? &e->layer_by_layer
                                                        : NULL;
    char words[ROOF_SENTENCE_SIZE] = "";
    const char *list = "";
    if (e && e->not_compared)
        roof_remark_sentence(e->not_compared, words);
    for (uint32_t i = 0; of && i < of->n_parts; i++)
        list = say_printf(grid->arena, "%s%s%s %.4f", list, i ? "; " : "", of->parts[i].name,
                          of->parts[i].share_ratio);
    const swept_row row = {.at = at,
                           .measured = at->measured,
                           .calibration = at->calibration,
                           .profile = e,
                           .part = of,
                           .parts = list,
                           .why = at->why ? at->why : words};
    grid_add_row(grid, &row, at);
}

roof_status sweep_view_put(bool is_of_profiles, const roof_sweep_point *point, bool is_json, textbuf *out,
                           roof_error *err)
{
    grid_column own[N_OF_PREDICTION];
    const grid_column *columns = is_of_profiles ? profile_columns : own;
    const size_t n = is_of_profiles ? N_OF_PROFILE : N_OF_PREDICTION;
    roof_arena *arena = arena_new(0);
    cell_grid grid;
    jsonout json;
    TRY(ALLOCATED(arena, err));
    /* index and configuration, what a point is of, what is requested of it, and what becomes of it */
    memcpy(own, index_columns, sizeof index_columns);
    memcpy(own + N_INDEX, predictions_columns, PREDICTIONS_NAMES * sizeof *own);
    memcpy(own + N_INDEX + PREDICTIONS_NAMES, asked_columns, sizeof asked_columns);
    memcpy(own + N_INDEX + PREDICTIONS_NAMES + N_ASKED, predictions_columns + PREDICTIONS_NAMES,
           (PREDICTIONS_DOCUMENT_COLUMNS - PREDICTIONS_NAMES) * sizeof *own);
    if (!point) {
        grid_begin_csv(&grid, arena, columns, n, out);
    } else if (is_json) {
        jsonout_begin(&json, out);
        grid_begin(&grid, arena, columns, n);
        grid_begin_json_line(&grid, &json);
    } else {
        grid_begin_csv_row(&grid, arena, columns, n, out);
    }
    if (point && is_of_profiles)
        add_profile(point, &grid);
    else if (point)
        add_prediction(point, &grid);
    if (point && is_json)
        jsonout_end(&json);
    roof_status status = grid_failed(&grid) ? error_memory(err) : text_status(out, err);
    arena_free(arena);
    return status;
}
