#include "reports/page/layer_grid.h"
#include "core/quantity.h"
#include "reports/cells.h"

#include <math.h>

/* What a review asks first comes first, so that it is seen where the table is wider than the screen. The bar of equal signs
 * is for terminals. */
static const column_kind order[] = {
    COLUMN_INDEX, COLUMN_NAME,      COLUMN_TYPE, COLUMN_BOUND, COLUMN_IDEAL,  COLUMN_PREDICTED, COLUMN_SHARE,
    COLUMN_USE,   COLUMN_INTENSITY, COLUMN_MACS, COLUMN_BYTES, COLUMN_ENGINE, COLUMN_ALONE,     COLUMN_SHAPE};

static uint32_t columns_of(const roof_prediction *p, table_column *columns)
{
    table_column all[LAYER_COLUMNS];
    uint32_t n = layer_columns_of(p, true, all), kept = 0;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        for (uint32_t c = 0; c < n; c++)
            if (all[c].kind == order[i])
                columns[kept++] = all[c];
    return kept;
}

static void add_row(const roof_prediction *p, const roof_layer_prediction *row, const table_column *columns,
                    uint32_t n, text_grid *grid)
{
    char cell[TABLE_CELL_SIZE];
    for (uint32_t c = 0; c < n; c++) {
        if (row && columns[c].kind == COLUMN_NAME) {
            grid_add(grid, row->name, NULL); /* whole: a cell would cut it */
            continue;
        }
        layer_cell(p, row, &columns[c], cell);
        grid_add(grid, cell, NULL);
    }
}

/* Marks the layers to show; NULL: all of them. */
static bool *choose(const roof_prediction *p, uint32_t most, roof_arena *arena)
{
    if (!most || p->n_layers <= most)
        return NULL;
    uint32_t *rows = NEW_ARRAY(arena, uint32_t, (size_t)most + 1);
    bool *shown = NEW_ARRAY(arena, bool, p->n_layers);
    uint32_t n = rows && shown ? largest_rows(p, rows, most) : 0;
    for (uint32_t i = 0; i < n; i++)
        shown[rows[i]] = true;
    return shown;
}

uint32_t view_layers(const roof_prediction *p, uint32_t most, text_grid *grid, roof_arena *arena)
{
    table_column columns[LAYER_COLUMNS];
    uint32_t n = columns_of(p, columns), left_out = 0;
    grid_column *wanted = NEW_ARRAY(arena, grid_column, n);
    grid_begin(grid, arena, wanted, n);
    if (!wanted) {
        grid->failed = true;
        return 0;
    }
    for (uint32_t c = 0; c < n; c++)
        wanted[c] = (grid_column){.title = columns[c].title,
                                  .unit = columns[c].unit,
                                  .right = columns[c].right,
                                  .is_name = columns[c].kind == COLUMN_NAME,
                                  .rank = columns[c].rank};
    const bool *shown = choose(p, most, arena);
    for (uint32_t i = 0; i < p->n_layers; i++) {
        if (shown && !shown[i])
            left_out++;
        else
            add_row(p, &p->layers[i], columns, n, grid);
    }
    add_row(p, NULL, columns, n, grid);
    return left_out;
}

/* --- predictions beside each other -------------------------------------------------------------------- */

static void add_scaled(text_grid *grid, double value, double unit, int digits)
{
    if (isnan(value))
        grid_add(grid, "?", NULL);
    else
        grid_printf(grid, "%.*f", digits, value / unit);
}

static void add_prediction(const roof_prediction *p, text_grid *grid)
{
    const roof_cost *cost = &p->total.deployed;
    grid_add(grid, p->model.name, NULL);
    grid_add(grid, p->hardware.id, NULL);
    add_scaled(grid, cost->ideal_s, 1e-3, 3);
    add_scaled(grid, p->total.floor_s, 1e-3, 3);
    add_scaled(grid, p->calibration ? p->total.predicted_s : NAN, 1e-3, 3);
    add_scaled(grid, p->total.inferences_per_s, 1, 0);
    add_scaled(grid, known_count(p->total.ops_count), 1e9, 3);
    add_scaled(grid, known_count(roof_traffic_total(&cost->traffic)), 1e6, 3);
    add_scaled(grid, p->total.intensity_ops_per_byte, 1, 1);
    grid_printf(grid, "%u", p->total.layers);
    grid_add(grid, cost->bound == ROOF_NONE ? "" : p->engines[cost->bound], NULL);
    grid_printf(grid, "%u", p->n_findings);
}

void view_predictions(const roof_prediction *const *predictions, uint32_t n, text_grid *grid,
                      roof_arena *arena)
{
    static const grid_column columns[] = {
        {"model", "", false, true, false, 0},           {"hardware", "", false, false, false, 0},
        {"ideal", "[ms]", true, false, false, 0},       {"floor", "[ms]", true, false, false, 1},
        {"predicted", "[ms]", true, false, false, 1},   {"inferences", "[/s]", true, false, false, 1},
        {"work", "[Gop]", true, false, false, 1},       {"DDR", "[MB]", true, false, false, 1},
        {"intensity", "[op/B]", true, false, false, 1}, {"layers", "", true, false, false, 1},
        {"bound", "", false, false, false, 0},          {"findings", "", true, false, false, 1}};
    grid_begin(grid, arena, columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < n; i++)
        add_prediction(predictions[i], grid);
}
