#include "core/grid.h"
#include "core/csvout.h"
#include "core/paper.h"
#include "core/quantity.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- cells -------------------------------------------------------------------------------------------- */

grid_cell cell_text(const char *text)
{
    return (grid_cell){.kind = CELL_TEXT, .text = text};
}

grid_cell cell_coloured(const char *text, cell_colour colour)
{
    return (grid_cell){.kind = CELL_TEXT, .text = text, .colour = colour};
}

grid_cell cell_label(const char *text)
{
    return (grid_cell){.kind = CELL_TEXT, .text = text, .is_label = true};
}

grid_cell cell_count(uint64_t count)
{
    return (grid_cell){.kind = count == ROOF_UNKNOWN ? CELL_UNKNOWN : CELL_COUNT, .count = count};
}

grid_cell cell_number(double number, int digits)
{
    return (grid_cell){
        .kind = isnan(number) ? CELL_UNKNOWN : CELL_NUMBER, .number = number, .digits = (uint8_t)digits};
}

grid_cell cell_signed(double number, int digits)
{
    grid_cell cell = cell_number(number, digits);
    cell.has_sign = true;
    return cell;
}

grid_cell cell_spaced(double number, int digits)
{
    grid_cell cell = cell_number(number, digits);
    cell.is_spaced = true;
    return cell;
}

grid_cell cell_or_none(grid_cell cell)
{
    bool is_zero = cell.kind == CELL_COUNT ? !cell.count
                                           : cell.kind == CELL_NUMBER && fpclassify(cell.number) == FP_ZERO;
    cell.kind = is_zero ? CELL_NONE : cell.kind;
    return cell;
}

grid_cell cell_worded(const char *text, double number, int digits)
{
    grid_cell cell = cell_number(number, digits);
    cell.text = text;
    return cell;
}

const char *grid_show(const cell_grid *t, const grid_cell *cell, char buffer[CELL_SIZE])
{
    const char *dash = t->is_sparse ? "-" : "?";
    switch (cell->kind) {
    case CELL_EMPTY:
        return "";
    case CELL_UNKNOWN:
        return dash;
    case CELL_NONE:
        return "-";
    case CELL_TEXT:
        return *cell->text || !t->is_sparse ? cell->text : dash;
    case CELL_COUNT:
        count_format(buffer, CELL_SIZE, cell->count);
        return buffer;
    case CELL_NUMBER:
        break;
    }
    if (cell->text)
        return cell->text;
    if (cell->is_spaced)
        number_format_spaced(buffer, CELL_SIZE, cell->number, cell->digits);
    else
        number_format_fixed(buffer, CELL_SIZE, cell->number, cell->digits, cell->has_sign);
    return buffer;
}

/* --- the table ---------------------------------------------------------------------------------------- */

void grid_begin(cell_grid *t, roof_arena *arena, const grid_column *columns, size_t n_columns)
{
    bool fits = columns && n_columns <= GRID_MOST_COLUMNS;
    *t = (cell_grid){.arena = arena, .columns = columns, .n_columns = fits ? n_columns : 0, .failed = !fits};
}

void grid_begin_csv(cell_grid *t, roof_arena *arena, const grid_column *columns, size_t n_columns,
                    textbuf *out)
{
    const char *before = "";
    grid_begin(t, arena, columns, n_columns);
    t->csv = out;
    for (size_t c = 0; c < n_columns; c++)
        if (columns[c].csv) {
            text_puts(out, before);
            csv_text(out, columns[c].csv);
            before = ",";
        }
    text_puts(out, "\n");
}

static void put_csv_cell(const grid_cell *cell, textbuf *out)
{
    if (cell->kind == CELL_TEXT)
        csv_text(out, cell->text);
    else if (cell->kind == CELL_COUNT)
        text_printf(out, "%" PRIu64, cell->count);
    else if (cell->kind == CELL_NUMBER)
        csv_number(out, cell->number);
    else if (cell->kind == CELL_NONE)
        text_puts(out, "0");
}

static void put_csv_row(const cell_grid *t)
{
    const char *before = "";
    for (size_t c = 0; c < t->n_columns; c++)
        if (t->columns[c].csv) {
            text_puts(t->csv, before);
            put_csv_cell(&t->row[c], t->csv);
            before = ",";
        }
    text_puts(t->csv, "\n");
}

void grid_begin_json(cell_grid *t, jsonout *json, const char *key, bool one_line)
{
    t->json = json;
    t->is_json_line = one_line;
    jsonout_array(json, key, false);
}

void grid_end_json(cell_grid *t)
{
    if (t->n_rows)
        jsonout_end(t->json);
    jsonout_end(t->json);
}

static void put_json_cell(const cell_grid *t, const grid_column *column, const grid_cell *cell)
{
    if (cell->kind == CELL_TEXT)
        jsonout_string(t->json, column->json, *cell->text || column->kind == COLUMN_NAME ? cell->text : NULL);
    else if (cell->kind == CELL_COUNT && column->kind == COLUMN_FLAG)
        jsonout_bool(t->json, column->json, cell->count);
    else if (cell->kind == CELL_COUNT || cell->kind == CELL_NONE)
        jsonout_count(t->json, column->json, cell->kind == CELL_NONE ? 0 : cell->count);
    else if (cell->kind == CELL_NUMBER)
        jsonout_number(t->json, column->json, cell->number);
    else
        jsonout_null(t->json, column->json);
}

static void add_json(cell_grid *t, const grid_cell *cell)
{
    const grid_column *column = &t->columns[t->n_cells];
    if (!t->n_cells) {
        if (t->n_rows++)
            jsonout_end(t->json);
        jsonout_object(t->json, NULL, t->is_json_line);
    }
    t->n_cells = t->n_cells + 1 < t->n_columns ? t->n_cells + 1 : 0;
    if (cell->kind == CELL_TEXT && !cell->text)
        t->failed = t->json->out->failed = true;
    else if (column->json)
        put_json_cell(t, column, cell);
}

static void end_row(cell_grid *t)
{
    grid_cell **rows = t->csv ? NULL : arena_grow(t->arena, t->rows, t->n_rows, sizeof *rows);
    if (t->csv)
        put_csv_row(t);
    t->n_cells = 0;
    if (!rows)
        return;
    t->rows = rows;
    t->rows[t->n_rows++] = t->row;
}

/* A row of CSV is written before the next one begins, which takes its place. */
static void add(cell_grid *t, grid_cell cell)
{
    if (!t->n_cells && !(t->csv && t->row))
        t->row = NEW_ARRAY(t->arena, grid_cell, t->n_columns);
    if (cell.text && !t->csv)
        cell.text = arena_shown(t->arena, cell.text);
    if (!t->row || !t->n_columns || (cell.kind == CELL_TEXT && !cell.text)) {
        t->failed = true;
        if (t->csv)
            t->csv->failed = true;
        return;
    }
    t->row[t->n_cells++] = cell;
    if (t->n_cells == t->n_columns)
        end_row(t);
}

void grid_add(cell_grid *t, const grid_cell *cells, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (t->json)
            add_json(t, &cells[i]);
        else
            add(t, cells[i]);
}

void grid_hang(cell_grid *t, uint32_t parent)
{
    size_t row = t->n_rows - 1;
    uint32_t *parents = arena_grow(t->arena, t->parents, row, sizeof *parents);
    if (parents)
        parents[row] = parent;
    t->parents = parents ? parents : t->parents;
    while (!t->columns[t->tree].title)
        t->tree++;
}

bool grid_failed(const cell_grid *t)
{
    return t->failed || arena_status(t->arena, NULL) != ROOF_OK;
}

static bool says_nothing(const cell_grid *t, const grid_cell *cell)
{
    return cell->kind == CELL_EMPTY || cell->kind == CELL_UNKNOWN ||
           (cell->kind == CELL_NONE && t->is_sparse) || (cell->kind == CELL_TEXT && !*cell->text);
}

bool grid_hides(const cell_grid *t, size_t column)
{
    bool hides = t->columns[column].rank > 0 && !t->is_whole && (t->n_rows || t->is_sparse);
    for (size_t r = 0; r < t->n_rows && hides; r++)
        hides = says_nothing(t, &t->rows[r][column]);
    return hides || !t->columns[column].title;
}

/* --- Markdown ----------------------------------------------------------------------------------------- */

static void put_markdown_head(const cell_grid *t, const bool *shown, textbuf *out)
{
    static const char *const rules[2][2] = {{"| --- ", "| --: "}, {"|---", "|---:"}};
    for (size_t c = 0; c < t->n_columns; c++) {
        if (!shown[c])
            continue;
        text_puts(out, "| ");
        put_markdown(out, t->columns[c].title);
        text_puts(out, t->columns[c].unit ? " " : "");
        put_markdown(out, t->columns[c].unit ? t->columns[c].unit : "");
        text_puts(out, " ");
    }
    text_puts(out, "|\n");
    for (size_t c = 0; c < t->n_columns; c++)
        if (shown[c])
            text_puts(out, rules[t->is_sparse][t->columns[c].kind == COLUMN_NUMBER]);
    text_puts(out, "|\n");
}

static void put_markdown_cell(const cell_grid *t, size_t row, size_t column, textbuf *out)
{
    char buffer[CELL_SIZE];
    const grid_cell *cell = &t->rows[row][column];
    const char *text = grid_show(t, cell, buffer);
    bool is_code =
        t->columns[column].kind == COLUMN_NAME && !t->is_sparse && !cell->is_label && *text && *text != '(';
    text_puts(out, "| ");
    for (uint32_t p = column == t->tree && t->parents ? t->parents[row] : ROOF_NONE; p != ROOF_NONE;
         p = t->parents[p])
        text_puts(out, "&nbsp;&nbsp;"); /* Markdown would swallow others */
    if (is_code)
        put_markdown_code(out, text);
    else
        put_markdown(out, text);
    text_puts(out, " ");
}

void grid_put_markdown(const cell_grid *t, textbuf *out)
{
    bool shown[GRID_MOST_COLUMNS] = {false};
    for (size_t c = 0; c < t->n_columns; c++)
        shown[c] = t->is_sparse ? !grid_hides(t, c) : t->columns[c].title != NULL;
    put_markdown_head(t, shown, out);
    for (size_t r = 0; r < t->n_rows; r++) {
        for (size_t c = 0; c < t->n_columns; c++)
            if (shown[c])
                put_markdown_cell(t, r, c, out);
        text_puts(out, "|\n");
    }
}
