#include "reports/page/page_sections.h"

#include <math.h>
#include <string.h>

enum { MOST_NEW = 4 };

static const grid_column of_measured[] = {{"work of bound", "[Mops]", .kind = COLUMN_NUMBER, .rank = 2},
                                          {"bytes", "[kB]", .kind = COLUMN_NUMBER, .rank = 2},
                                          {"intensity", "[op/B]", .kind = COLUMN_NUMBER, .rank = 2},
                                          {"rate of bound", "[GOP/s]", .kind = COLUMN_NUMBER, .rank = 2}};
static const grid_column of_predicted[] = {{"rate of bound", "[GOP/s]", .kind = COLUMN_NUMBER, .rank = 2}};

/* Rows by their number, the first of each; NULL for numbers that no row has. */
static const chart_row **by_number(const chart_rows *rows, uint32_t *n, roof_arena *arena)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < rows->n; i++)
        most = rows->rows[i].number > most ? rows->rows[i].number : most;
    const chart_row **found = NEW_ARRAY(arena, const chart_row *, (size_t)most + 1);
    for (uint32_t i = rows->n; i-- > 0 && found;)
        found[rows->rows[i].number] = &rows->rows[i];
    *n = found ? most : 0;
    return found;
}

size_t page_add_work(const chart_source *source, cell_grid *grid)
{
    roof_arena *arena = grid->arena;
    const chart_rows rows = chart_rows_of(source, arena);
    const grid_column *work = rows.is_measured ? of_measured : of_predicted;
    size_t n = grid->n_columns, n_new = rows.is_measured ? sizeof of_measured / sizeof *of_measured : 1;
    uint32_t most = 0;
    const chart_row **numbered = by_number(&rows, &most, arena);
    grid_column *columns = NEW_ARRAY(arena, grid_column, n + n_new); /* those that are there, and of work */
    cell_grid wide;
    if (!source->prediction || !numbered || !columns || n + n_new > GRID_MOST_COLUMNS)
        return 0;
    for (size_t c = 0; c < n + n_new; c++)
        columns[c] = c < n ? grid->columns[c] : work[c - n];
    grid_begin(&wide, arena, columns, n + n_new);
    wide.is_whole = grid->is_whole;
    wide.times = grid->times;
    wide.n_last = grid->n_last;
    wide.left_out = grid->left_out;
    memcpy(wide.shown, grid->shown, sizeof wide.shown);
    wide.n_shown = grid->n_shown;
    for (size_t c = n; c < n + n_new; c++)
        wide.shown[wide.n_shown++] = (uint8_t)c;
    wide.failed = wide.failed || grid->failed;
    for (size_t r = 0; r < grid->n_rows; r++) {
        const grid_cell *number = &grid->rows[r][grid->shown[0]];
        bool has_row = number->kind == CELL_NUMBER && number->number >= 1 && number->number <= most;
        grid_add(&wide, grid->rows[r], n);
        /* The last new_cells of these; all are empty where there is no row. */
        const chart_row *row = has_row ? numbered[(size_t)number->number] : NULL;
        double time_s = !row ? NAN : rows.is_measured ? row->measured_s : row->ideal_s;
        const grid_cell cells[MOST_NEW] = {row ? cell_number(row->ops / 1e6, 3) : cell_empty,
                                           row ? cell_number(row->bytes / 1e3, 1) : cell_empty,
                                           row ? cell_number(row->ops / row->bytes, 1) : cell_empty,
                                           row ? cell_number(time_s > 0 ? row->ops / time_s / 1e9 : NAN, 1)
                                               : cell_empty};
        grid_add(&wide, cells + MOST_NEW - n_new, n_new);
    }
    *grid = wide;
    return n_new;
}
