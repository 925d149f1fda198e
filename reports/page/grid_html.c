#include "reports/page/grid_html.h"
#include "core/quantity.h"
#include "reports/chart_rows.h"
#include "reports/page/html.h"

#include <stdio.h>
#include <string.h>

/* Tables of many rows scroll in a window of their own, so that what comes behind them is near; those of few stay on one sheet
 * of paper; many columns need small letters there. */
enum { FEW_ROWS = 12, MANY_ROWS = 40, MANY_COLUMNS = 13, MOST_ROWS_WITH_BREAKS = 1000, VALUE_SIZE = 64 };

/* --- numbers ------------------------------------------------------------------------------------------ */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "1 285.6" is 1285.6: blanks between digits are thousands. Returns how much of the cell was read. */
static size_t read_number(const char *cell, char *value, size_t size)
{
    size_t at = 0, used = 0;
    if (cell[at] == '-' || cell[at] == '+')
        value[used++] = cell[at++];
    while (used + 1 < size) {
        bool goes_on =
            is_digit(cell[at]) || (strchr(".e", cell[at]) && cell[at] && is_digit(cell[at + 1])) ||
            (cell[at] == 'e' && strchr("+-", cell[at + 1]) && cell[at + 1] && is_digit(cell[at + 2]));
        if (goes_on) {
            value[used++] = cell[at++];
            if (value[used - 1] == 'e' && !is_digit(cell[at]) && used + 1 < size)
                value[used++] = cell[at++];
        } else if (cell[at] == ' ' && at && is_digit(cell[at - 1]) && is_digit(cell[at + 1]) &&
                   is_digit(cell[at + 2]) && is_digit(cell[at + 3])) {
            at++;
        } else {
            break;
        }
    }
    value[used] = '\0';
    return at;
}

bool html_sort_value(const char *cell, char *value, size_t size)
{
    if (strcmp(cell, "-") == 0) { /* a zero that says "does not use this" */
        snprintf(value, size, "0");
        return true;
    }
    size_t read = read_number(cell, value, size);
    if (!strpbrk(value, "0123456789"))
        value[0] = '\0';
    return cell[read] != '\0' || strchr(cell, ' ') || !value[0];
}

/* --- cells -------------------------------------------------------------------------------------------- */

/* "[ms]" is for terminals. */
static void put_unit(const char *unit, textbuf *out)
{
    size_t length = strlen(unit);
    char shown[32];
    if (!length)
        return;
    bool bracketed = unit[0] == '[' && unit[length - 1] == ']' && length > 2;
    snprintf(shown, sizeof shown, "%.*s", (int)(bracketed ? length - 2 : length), unit + bracketed);
    html_between_tags(out, " <span class=\"unit\">", shown, "</span>");
}

static bool is_column(const char *wanted, const grid_column *column)
{
    return wanted && strcmp(wanted, column->title) == 0;
}

static void put_head(const text_grid *g, const html_table *table, const bool *shown, textbuf *out)
{
    text_puts(out, "<thead><tr>");
    for (uint32_t c = 0; c < g->n_columns; c++) {
        const grid_column *column = &g->columns[c];
        if (!shown[c])
            continue;
        text_printf(out, "<th scope=\"col\"%s>",
                    column->right                      ? " class=\"num\""
                    : is_column(table->screen, column) ? " class=\"screen\""
                                                       : "");
        html_text(out, column->title);
        put_unit(column->unit, out);
        text_puts(out, "</th>");
    }
    text_puts(out, "</tr></thead>\n");
}

static const char *bound_class(const char *engine)
{
    static const char *const classes[] = {[BOUND_ARRAY] = "b-array",
                                          [BOUND_SIDE] = "b-side",
                                          [BOUND_MEMORY] = "b-memory",
                                          [BOUND_OTHER] = "b-other"};
    return engine[0] && strcmp(engine, "-") != 0 ? classes[bound_class_of(engine)] : NULL;
}

static double number_of(const char *cell)
{
    char value[VALUE_SIZE];
    double number = 0;
    html_sort_value(cell, value, sizeof value);
    return number_parse(value, strlen(value), &number) ? number : 0;
}

typedef struct table_state {
    const text_grid *grid;
    const html_table *table;
    const bool *shown;
    double bar_full; /* the largest number in the column of bars */
    bool
        breaks; /* names have places to break at, which cost a browser more than all the rest of a long table */
    textbuf *out;
} table_state;

static void put_classes(const table_state *s, const grid_column *column, const char *cell, const char *colour,
                        bool is_total)
{
    const char *classes[] = {column->right ? "num" : NULL,
                             column->is_name ? "name" : NULL,
                             column->is_note ? "note" : NULL,
                             colour,
                             is_column(s->table->bound, column) ? bound_class(cell) : NULL,
                             is_column(s->table->bar, column) && !is_total ? "bar" : NULL,
                             is_column(s->table->screen, column) ? "screen" : NULL};
    const char *before = " class=\"";
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (!classes[i])
            continue;
        text_printf(s->out, "%s%s", before, classes[i]);
        before = " ";
    }
    if (before[1] == '\0')
        text_puts(s->out, "\"");
}

static void put_value(const table_state *s, const grid_column *column, const char *cell, bool is_total)
{
    char value[VALUE_SIZE];
    if (!column->right || !cell[0])
        return;
    if (html_sort_value(cell, value, sizeof value))
        text_printf(s->out, " data-value=\"%s\"", value);
    if (is_column(s->table->bar, column) && !is_total && s->bar_full > 0)
        text_printf(s->out, " style=\"--bar-length:%.1f%%\"", 100 * number_of(cell) / s->bar_full);
}

/* Rows that fit no layer have names of their own kind. */
static size_t shared_prefix(const html_table *table, const char *name)
{
    size_t length = table->name_prefix ? strlen(table->name_prefix) : 0;
    return length && strncmp(name, table->name_prefix, length) == 0 ? length : 0;
}

static void put_cell(const table_state *s, uint32_t c, size_t at, bool is_total)
{
    const grid_column *column = &s->grid->columns[c];
    const char *cell = s->grid->cells[at];
    text_puts(s->out, "<td");
    put_classes(s, column, cell, s->grid->colours[at], is_total);
    put_value(s, column, cell, is_total);
    text_puts(s->out, ">");
    if (column->is_name && cell[0] && cell[0] != '(' && !is_total)
        html_name(s->out, cell, shared_prefix(s->table, cell), s->breaks);
    else
        html_text(s->out, cell);
    text_puts(s->out, "</td>");
}

/* --- the table ---------------------------------------------------------------------------------------- */

static void put_row(const table_state *s, size_t row, bool is_total)
{
    const text_grid *g = s->grid;
    text_puts(s->out, is_total ? "<tr class=\"total\">" : "<tr>");
    for (uint32_t c = 0; c < g->n_columns; c++)
        if (s->shown[c])
            put_cell(s, c, row * g->n_columns + c, is_total);
    text_puts(s->out, "</tr>\n");
}

/* Sums are the table's foot, which is neither sorted nor filtered. */
static void put_rows(const table_state *s)
{
    size_t rows = s->grid->n_cells / s->grid->n_columns;
    size_t totals = s->table->n_totals < rows ? s->table->n_totals : rows;
    text_puts(s->out, "<tbody>\n");
    for (size_t r = 0; r + totals < rows; r++)
        put_row(s, r, false);
    text_puts(s->out, "</tbody>");
    if (!totals)
        return;
    text_puts(s->out, "\n<tfoot>\n");
    for (size_t r = rows - totals; r < rows; r++)
        put_row(s, r, true);
    text_puts(s->out, "</tfoot>");
}

static double largest_in(const text_grid *g, const html_table *table)
{
    double most = 0;
    size_t totals = table->n_totals * g->n_columns;
    for (size_t i = 0; i + totals < g->n_cells; i++)
        if (is_column(table->bar, &g->columns[i % g->n_columns]) && number_of(g->cells[i]) > most)
            most = number_of(g->cells[i]);
    return most;
}

/* Hidden without a script: it would do nothing. */
static void put_filter(const html_table *table, textbuf *out)
{
    if (!table->filter)
        return;
    text_printf(out, "<p class=\"tools\"><input class=\"filter\" data-table=\"%s\" type=\"search\"",
                table->id);
    html_between_tags(out, " placeholder=\"", table->filter, "\"");
    html_between_tags(out, " aria-label=\"", table->filter, ": ");
    html_text(out, table->caption);
    text_puts(out, "\"> <span class=\"filter-count\" aria-live=\"polite\"></span></p>\n");
}

static const char *size_classes(const text_grid *g, size_t rows)
{
    if (g->n_columns > MANY_COLUMNS)
        return rows > MANY_ROWS ? " tall many" : " many";
    return rows > MANY_ROWS ? " tall" : rows <= FEW_ROWS ? " few" : "";
}

void grid_put_html(const text_grid *g, const html_table *table, textbuf *out)
{
    bool shown[64] = {false};
    out->failed = out->failed || g->failed || g->n_columns > sizeof shown;
    if (out->failed || !g->n_columns || !g->n_cells)
        return;
    for (uint32_t c = 0; c < g->n_columns; c++)
        shown[c] = !grid_says_nothing(g, c);
    size_t rows = g->n_cells / g->n_columns;
    const table_state s = {.grid = g,
                           .table = table,
                           .shown = shown,
                           .bar_full = table->bar ? largest_in(g, table) : 0,
                           .breaks = rows <= MOST_ROWS_WITH_BREAKS,
                           .out = out};
    put_filter(table, out);
    text_printf(out, "<div class=\"scroll%s\" tabindex=\"0\" role=\"region\"", size_classes(g, rows));
    html_between_tags(out, " aria-label=\"", table->caption, "\">");
    text_printf(out, "<table class=\"sortable\" id=\"%s\">", table->id);
    html_between_tags(out, "<caption>", table->caption, "</caption>\n");
    put_head(g, table, shown, out);
    put_rows(&s);
    text_puts(out, "</table></div>\n");
}
