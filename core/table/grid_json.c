#include "core/table/grid.h"

static void write_cell(cell_grid *t, const grid_column *column, const grid_cell *cell)
{
    if (!t->n_cells) {
        if (t->n_rows++)
            jsonout_end(t->json);
        jsonout_object(t->json, NULL, t->is_json_line);
    }
    t->n_cells = t->n_cells + 1 < t->n_columns ? t->n_cells + 1 : 0;
    if (column->json) {
        jsonout *json = t->json;
        if (cell->kind == CELL_TEXT)
            jsonout_string(json, column->json,
                           *cell->text || column->kind == COLUMN_NAME ? cell->text : NULL);
        else if (cell->kind == CELL_COUNT && column->kind == COLUMN_FLAG)
            jsonout_bool(json, column->json, cell->count);
        else if (cell->kind == CELL_COUNT || cell->kind == CELL_NONE)
            jsonout_count(json, column->json, cell->kind == CELL_NONE ? 0 : cell->count);
        else if (cell->kind == CELL_NUMBER && cell->is_derived)
            jsonout_derived(json, column->json, cell->number);
        else if (cell->kind == CELL_NUMBER)
            jsonout_number(json, column->json, cell->number);
        else if (!column->is_optional)
            jsonout_null(json, column->json);
    }
}

void grid_begin_json(cell_grid *t, jsonout *json, const char *key, bool one_line)
{
    t->json = json;
    t->is_json_line = one_line;
    t->write = write_cell;
    jsonout_array(json, key, false);
}

void grid_begin_json_line(cell_grid *t, jsonout *json)
{
    t->json = json;
    t->is_json_line = true;
    t->write = write_cell;
}

void grid_end_json(cell_grid *t)
{
    if (t->n_rows)
        jsonout_end(t->json);
    jsonout_end(t->json);
}
