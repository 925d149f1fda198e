#include "core/table/grid.h"

static void put_members(jsonout *json, const grid_column *columns, size_t n, const grid_row *row);

/* Each item of a list, or the one struct that an object is. Items whose only column has no key are values. */
static void put_items(jsonout *json, const grid_column *of, const grid_row *row)
{
    const void *at = grid_place_of(of, row);
    const bool is_list = of->from == FROM_LIST, are_values = of->n_items == 1 && !of->items->json;
    const char *items = is_list ? *(const char *const *)at : at;
    const uint32_t n = is_list ? *(const uint32_t *)((const char *)row->is + of->count) : 1;
    if (n && !items) {
        jsonout_null(json, of->json);
        return;
    }
    if (is_list)
        jsonout_array(json, of->json, are_values && of->one_line);
    for (uint32_t i = 0; i < n; i++) {
        const grid_row item = {.is = items + (size_t)i * of->size,
                               .of = row->of,
                               .in = row->is,
                               .arena = row->arena,
                               .is_document = true};
        if (!are_values)
            jsonout_object(json, is_list ? NULL : of->json, of->one_line);
        put_members(json, of->items, of->n_items, &item);
        if (!are_values)
            jsonout_end(json);
    }
    if (is_list)
        jsonout_end(json);
}

static void put_member(jsonout *json, const grid_column *column, const grid_cell *cell, const grid_row *row)
{
    if (column->from == FROM_JSON)
        column->put(json, column->json, row);
    else if (column->from == FROM_LIST || (column->from == FROM_OBJECT && grid_place_of(column, row)))
        put_items(json, column, row);
    else if (column->from == FROM_PAIR)
        jsonout_derived_pair(json, column->json, grid_place_of(column, row));
    else if (column->from == FROM_ANSWER)
        jsonout_answer(json, column->json, grid_place_of(column, row));
    else if (cell->kind == CELL_TEXT && (*cell->text || !column->is_optional))
        jsonout_string(json, column->json, *cell->text || column->kind == COLUMN_NAME ? cell->text : NULL);
    else if (cell->kind == CELL_COUNT && (column->kind == COLUMN_FLAG || column->from == FROM_FLAG)) {
        if (cell->count || !column->is_optional)
            jsonout_bool(json, column->json, cell->count);
    } else if (cell->kind == CELL_COUNT || cell->kind == CELL_NONE)
        jsonout_count(json, column->json, cell->kind == CELL_NONE ? 0 : cell->count);
    else if (cell->kind == CELL_VALUE || (cell->kind == CELL_NUMBER && cell->is_derived))
        jsonout_derived(json, column->json, cell->number);
    else if (cell->kind == CELL_NUMBER)
        jsonout_number(json, column->json, cell->number);
    else if (!column->is_optional)
        jsonout_null(json, column->json);
}

static void put_members(jsonout *json, const grid_column *columns, size_t n, const grid_row *row)
{
    for (size_t c = 0; c < n; c++)
        if (columns[c].json || n == 1) {
            const grid_cell cell = grid_cell_of(&columns[c], row);
            put_member(json, &columns[c], &cell, row);
        }
}

void grid_put_members(jsonout *json, const grid_column *columns, size_t n, const void *document,
                      roof_arena *arena)
{
    const grid_row row = {.is = document, .of = document, .arena = arena, .is_document = true};
    put_members(json, columns, n, &row);
}

static void write_cell(cell_grid *t, const grid_column *column, const grid_cell *cell)
{
    if (!t->n_cells) {
        if (t->n_rows++)
            jsonout_end(t->json);
        jsonout_object(t->json, NULL, t->is_json_line);
    }
    t->n_cells = t->n_cells + 1 < t->n_columns ? t->n_cells + 1 : 0;
    if (column->json)
        put_member(t->json, column, cell, &t->json_row);
}

void grid_begin_json_line(cell_grid *t, jsonout *json)
{
    t->json = json;
    t->is_json_line = true;
    t->write = write_cell;
}

void grid_begin_json(cell_grid *t, jsonout *json, const char *key, bool one_line)
{
    grid_begin_json_line(t, json);
    t->is_json_line = one_line;
    jsonout_array(json, key, false);
}

void grid_end_json(cell_grid *t)
{
    if (t->n_rows)
        jsonout_end(t->json);
    jsonout_end(t->json);
}
