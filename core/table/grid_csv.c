#include "core/table/grid.h"

/* A number has twelve digits; one that is not finite is empty. */
static void put_cell(const cell_grid *t, const grid_column *column, const grid_cell *cell)
{
    char number[40];
    if (!column->csv)
        return;
    const grid_column *first = t->columns;
    while (first < column && !first->csv)
        first++;
    text_puts(t->csv, first == column ? "" : ",");
    if (cell->kind == CELL_TEXT) {
        /* Quoted where it has to be, RFC 4180. Text that begins with = + - @ would be a formula to a
         * spreadsheet; it gets a leading apostrophe, the convention that spreadsheets themselves use.
         * Controls, line ends included, are shown: a row is a line. */
        textbuf *out = t->csv;
        const char *text = cell->text;
        static const char *const replacements[128] = {['"'] = "\"\""};
        bool formula = *text && strchr("=+-@", *text), quoted = formula || strpbrk(text, ",\"");
        text_puts(out, formula ? "\"'" : quoted ? "\"" : "");
        text_escaped(out, text, strlen(text), replacements);
        text_puts(out, quoted ? "\"" : "");
    } else if (cell->kind == CELL_COUNT) {
        text_printf(t->csv, "%" PRIu64, cell->count);
    } else if (cell->kind == CELL_NUMBER && isfinite(cell->number)) {
        number_format_derived(number, sizeof number, cell->number);
        text_puts(t->csv, number);
    } else if (cell->kind == CELL_NONE) {
        text_puts(t->csv, "0");
    }
}

static void write_cell(cell_grid *t, const grid_column *column, const grid_cell *cell)
{
    put_cell(t, column, cell);
    if (++t->n_cells < t->n_columns)
        return;
    text_puts(t->csv, "\n");
    t->n_cells = 0;
}

void grid_begin_csv_row(cell_grid *t, roof_arena *arena, const grid_column *columns, size_t n_columns,
                        textbuf *out)
{
    grid_begin(t, arena, columns, n_columns);
    t->csv = out;
    t->write = write_cell;
    out->failed = out->failed || t->failed;
}

void grid_begin_csv(cell_grid *t, roof_arena *arena, const grid_column *columns, size_t n_columns,
                    textbuf *out)
{
    grid_begin_csv_row(t, arena, columns, n_columns, out);
    for (size_t c = 0; c < t->n_columns; c++)
        put_cell(t, &columns[c], &cell_text(columns[c].csv));
    text_puts(out, "\n");
}

void grid_end_csv(const cell_grid *t)
{
    for (size_t r = 0; r < t->n_rows; r++) {
        for (size_t c = 0; c < t->n_columns; c++)
            put_cell(t, &t->columns[c], &t->rows[r][c]);
        text_puts(t->csv, "\n");
    }
}
