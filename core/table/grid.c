#include "core/table/grid.h"
#include "core/table/paper.h"
#include "core/quantity.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- cells -------------------------------------------------------------------------------------------- */

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

/* Quoted where it has to be, RFC 4180. What begins with = + - @ would be a formula to a spreadsheet; it gets
 * a leading apostrophe, the convention that spreadsheets themselves use. Controls, line ends included, are
 * shown: a row is a line. */
static void put_csv_text(textbuf *out, const char *text)
{
    static const char *const replacements[128] = {['"'] = "\"\""};
    bool formula = *text && strchr("=+-@", *text), quoted = formula || strpbrk(text, ",\"");
    text_puts(out, formula ? "\"'" : quoted ? "\"" : "");
    text_escaped(out, text, strlen(text), replacements);
    text_puts(out, quoted ? "\"" : "");
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
            put_csv_text(out, columns[c].csv);
            before = ",";
        }
    text_puts(out, "\n");
}

static void put_csv_row(const cell_grid *t, const grid_cell *row)
{
    const char *before = "";
    for (size_t c = 0; c < t->n_columns; c++)
        if (t->columns[c].csv) {
            text_puts(t->csv, before);
            if (row[c].kind == CELL_TEXT)
                put_csv_text(t->csv, row[c].text);
            else if (row[c].kind == CELL_COUNT)
                text_printf(t->csv, "%" PRIu64, row[c].count);
            else if (row[c].kind == CELL_NUMBER) {
                /* Twelve digits; nothing for what is not finite. */
                char number[40] = "";
                if (isfinite(row[c].number))
                    number_format_derived(number, sizeof number, row[c].number);
                text_puts(t->csv, number);
            } else if (row[c].kind == CELL_NONE)
                text_puts(t->csv, "0");
            before = ",";
        }
    text_puts(t->csv, "\n");
}

void grid_end_csv(const cell_grid *t)
{
    for (size_t r = 0; r < t->n_rows; r++)
        put_csv_row(t, t->rows[r]);
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
    else if (column->json) {
        if (cell->kind == CELL_TEXT)
            jsonout_string(t->json, column->json,
                           *cell->text || column->kind == COLUMN_NAME ? cell->text : NULL);
        else if (cell->kind == CELL_COUNT && column->kind == COLUMN_FLAG)
            jsonout_bool(t->json, column->json, cell->count);
        else if (cell->kind == CELL_COUNT || cell->kind == CELL_NONE)
            jsonout_count(t->json, column->json, cell->kind == CELL_NONE ? 0 : cell->count);
        else if (cell->kind == CELL_NUMBER)
            jsonout_number(t->json, column->json, cell->number);
        else
            jsonout_null(t->json, column->json);
    }
}

static bool is_streamed(const cell_grid *t)
{
    return t->csv && !t->is_kept;
}

static void end_row(cell_grid *t)
{
    grid_cell **rows = is_streamed(t) ? NULL : arena_grow(t->arena, t->rows, t->n_rows, sizeof *rows);
    if (is_streamed(t))
        put_csv_row(t, t->row);
    t->n_cells = 0;
    if (!rows)
        return;
    t->rows = rows;
    t->rows[t->n_rows++] = t->row;
}

/* A row of CSV is written before the next one begins, which takes its place. */
static void add(cell_grid *t, grid_cell cell)
{
    if (!t->n_cells && !(is_streamed(t) && t->row))
        t->row = NEW_ARRAY(t->arena, grid_cell, t->n_columns);
    if (cell.text && !t->csv)
        cell.text = arena_shown(t->arena, cell.text);
    else if (cell.text && t->is_kept)
        cell.text = arena_strdup(t->arena, cell.text);
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
    if (grid_failed(t)) /* perhaps there is no such row */
        return;
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

/* What stays though nothing is in it is a column of rank 0; but of those only the first one where all is
 * unknown. */
bool grid_hides(const cell_grid *t, size_t column)
{
    bool hides = !t->is_whole && (t->n_rows || t->is_sparse), asks = t->columns[column].rank > 0;
    for (size_t r = 0; r < t->n_rows && hides; r++) {
        hides = t->rows[r][column].kind == CELL_EMPTY || t->rows[r][column].kind == CELL_UNKNOWN ||
                (t->rows[r][column].kind == CELL_NONE && t->is_sparse) ||
                (t->rows[r][column].kind == CELL_TEXT && !*t->rows[r][column].text);
        asks = asks || (column && t->rows[r][column].kind == CELL_UNKNOWN);
    }
    return (hides && asks) || !t->columns[column].title;
}

/* --- which rows, in which order ------------------------------------------------------------------------ */

static char plain(char c)
{
    return c == ' ' || c == '-' ? '_' : c;
}

/* "Sum of layers" begins with "sum_of". */
static bool begins_with(const char *text, const char *name)
{
    for (; *name; text++, name++)
        if (text_compare((const char[]){plain(*text), '\0'}, (const char[]){plain(*name), '\0'}) != 0)
            return false;
    return true;
}

uint32_t grid_find_column(const cell_grid *t, const char *name)
{
    size_t n = strlen(name);
    for (int step = 0; n && step < 3; step++)
        for (uint32_t c = 0; c < t->n_columns; c++) {
            const char *title = step ? t->columns[c].csv : t->columns[c].title;
            if (title && begins_with(title, name) && (!title[n] || (step == 2 && title[n] == '_')))
                return c;
        }
    return ROOF_NONE;
}

/* A row, and what it is sorted by. */
typedef struct ranked_row {
    grid_cell *cells;
    const char *text; /* of what is no number; else NULL */
    double value;     /* NaN: not known */
    size_t place;
    bool is_reversed;
} ranked_row;

static int by_place(const void *a_, const void *b_)
{
    const ranked_row *a = a_, *b = b_;
    return (a->place > b->place) - (a->place < b->place);
}

/* What is not known is the last, whatever the order is. */
static int by_value(const void *a_, const void *b_)
{
    const ranked_row *a = a_, *b = b_;
    bool a_known = a->text || !isnan(a->value), b_known = b->text || !isnan(b->value);
    int order = b_known - a_known;
    if (!order && a->text && b->text)
        order = text_compare(a->text, b->text);
    else if (!order && a_known)
        order = a->text ? 1 : b->text ? -1 : (a->value < b->value) - (a->value > b->value);
    if (a_known && b_known && a->is_reversed)
        order = -order;
    return order ? order : by_place(a, b);
}

static ranked_row rank(const cell_grid *t, const grid_order *order, size_t row, uint32_t column)
{
    const grid_cell *cell = &t->rows[row][column];
    bool is_text = cell->kind == CELL_TEXT && *cell->text && t->columns[column].kind != COLUMN_NUMBER;
    return (ranked_row){.cells = t->rows[row],
                        .text = is_text ? cell->text : NULL,
                        .value = cell->kind == CELL_NUMBER  ? cell->number
                                 : cell->kind == CELL_COUNT ? (double)cell->count
                                 : cell->kind == CELL_NONE  ? 0
                                                            : (double)NAN,
                        .place = row,
                        .is_reversed = order->direction == (is_text ? GRID_DESCENDING : GRID_ASCENDING)};
}

size_t grid_arrange(cell_grid *t, const grid_order *order, size_t n_last)
{
    const char *name = order->column ? order->column : order->most ? order->largest : NULL;
    uint32_t column = name ? grid_find_column(t, name) : ROOF_NONE;
    size_t n = t->n_rows > n_last ? t->n_rows - n_last : 0;
    size_t most = order->most && order->most < n ? order->most : n;
    bool stays = column == ROOF_NONE || (!order->column && most == n);
    ranked_row *rows = stays ? NULL : NEW_ARRAY(t->arena, ranked_row, n);
    if (!rows)
        return 0;
    for (size_t r = 0; r < n; r++)
        rows[r] = rank(t, order, r, column);
    qsort(rows, n, sizeof *rows, by_value);
    if (!order->column)
        qsort(rows, most, sizeof *rows, by_place);
    for (size_t r = 0; r < most; r++)
        t->rows[r] = rows[r].cells;
    for (size_t r = n; r < t->n_rows; r++)
        t->rows[r - n + most] = t->rows[r];
    t->n_rows -= n - most;
    return n - most;
}

/* --- Markdown ----------------------------------------------------------------------------------------- */

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
    for (size_t r = 0; r < t->n_rows; r++) {
        for (size_t c = 0; c < t->n_columns; c++)
            if (shown[c])
                put_markdown_cell(t, r, c, out);
        text_puts(out, "|\n");
    }
}
