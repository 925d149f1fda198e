#include "reports/charts/chart.h"
#include "reports/words/html.h"

/* Tables of many rows scroll in a window of their own, so that what comes behind them is near; those of few
 * stay on one sheet of paper; many columns need small letters there. */
enum {
    FEW_ROWS = 12,
    MANY_ROWS = 40,
    MANY_COLUMNS = 12,
    LONG_ROWS = 1000,
    MOST_ANCHORS = 1 << 20,
    FIRST_ROWS = 200
};

/* --- numbers ------------------------------------------------------------------------------------------ */

/* The plain number of a cell, "" of what is none: as it is shown, without blanks and words. */
static void sort_value(const cell_grid *g, const grid_cell *cell, char value[CELL_SIZE])
{
    char buffer[CELL_SIZE];
    grid_cell plain = *cell;
    plain.text = NULL;
    plain.is_about = false;
    value[0] = '\0';
    if (cell->kind == CELL_NONE)
        strcpy(value, "0");
    else if (cell->kind == CELL_NUMBER && cell->text && cell->digits == CELL_ANY_DIGITS)
        number_format_derived(value, CELL_SIZE, cell->number);
    else if (cell->kind == CELL_COUNT || (cell->kind == CELL_NUMBER && isfinite(cell->number)))
        for (const char *p = grid_show(g, &plain, buffer); (*value = *p); p++)
            value += *p != ' ';
}

/* With the digits that are shown. */
static double bar_value(const grid_cell *cell)
{
    double scale = pow(10, cell->digits);
    return cell->kind == CELL_NUMBER ? round(cell->number * scale) / scale : 0;
}

/* --- cells -------------------------------------------------------------------------------------------- */

static bool is_column(const char *wanted, const grid_column *column)
{
    return wanted && column->title && strcmp(wanted, column->title) == 0;
}

/* A table on its way to a page. */
typedef struct table_state {
    const cell_grid *grid;
    const html_table *table;
    uint8_t columns[GRID_MOST_COLUMNS]; /* those that are shown */
    size_t n;
    double bar_full; /* the largest number in the column of bars */
    /* More than LONG_ROWS: names have no places to break at, which cost a browser more than all the rest, and
     * the rows behind the first ones are text until they are needed. */
    bool is_long;
    bool *anchors; /* numbers below n_anchors that a row before had; NULL: rows have no names */
    double n_anchors;
    textbuf *out;
} table_state;

static void put_head(const table_state *s)
{
    static const char *const classes[3][2] = {{"", " class=\"screen\""},
                                              {" class=\"num\"", " class=\"num screen\""},
                                              {" class=\"name\"", " class=\"name screen\""}};
    text_puts(s->out, "<thead><tr>");
    for (size_t i = 0; i < s->n; i++) {
        const grid_column *column = &s->grid->columns[s->columns[i]];
        int kind = grid_is_number(column) ? 1 : column->kind == COLUMN_NAME ? 2 : 0;
        text_printf(s->out, "<th scope=\"col\"%s>", classes[kind][column->is_of_screens]);
        html_text(s->out, column->title);
        const char *unit = grid_unit(s->grid, column);
        size_t length = unit ? strlen(unit) : 0;
        bool has_brackets =
            length > 2 && unit[0] == '[' && unit[length - 1] == ']'; /* which are for terminals */
        char shown[32];
        snprintf(shown, sizeof shown, "%.*s", (int)(has_brackets ? length - 2 : length),
                 length ? unit + has_brackets : "");
        if (length)
            html_printf(s->out, " <span class=\"unit\">%s</span>", shown);
        text_puts(s->out, "</th>");
    }
    text_puts(s->out, "</tr></thead>\n");
}

static void put_name(const table_state *s, const grid_column *column, const char *name)
{
    const html_links *links = &s->table->links;
    const char *href = NULL; /* the name is no link */
    for (const char *const *title = links->columns; title && *title && !href; title++)
        href = is_column(*title, column) ? links->href(links->of, name) : NULL;
    if (href)
        html_printf(s->out, "<a href=\"%s\">", href);
    html_name(s->out, name, (size_t)(prediction_name_without(s->table->prefix, name) - name), !s->is_long);
    if (href)
        text_puts(s->out, "</a>");
}

/* mark: behind a name; NULL: none. */
static void put_cell(const table_state *s, size_t c, const grid_cell *cell, bool is_total, const char *mark)
{
    char buffer[CELL_SIZE], value[CELL_SIZE];
    const grid_column *column = &s->grid->columns[c];
    const char *text = grid_show(s->grid, cell, buffer);
    text_puts(s->out, "<td");
    static const char *const colours[] = {
        [CELL_BOLD] = "bold", [CELL_RED] = "red",         [CELL_YELLOW] = "yellow",
        [CELL_BLUE] = "blue", [CELL_MAGENTA] = "magenta", [CELL_CYAN] = "cyan"};
    bool is_engine = is_column(s->table->bound, column) && text[0] && strcmp(text, "-") != 0;
    const char *classes[] = {grid_is_number(column) ? "num" : NULL,
                             column->kind == COLUMN_NAME ? "name" : NULL,
                             column->kind == COLUMN_NOTE ? "note" : NULL,
                             colours[cell->colour],
                             is_engine ? bound_styles[chart_bound_class(text)].html_class : NULL,
                             is_column(s->table->bar, column) && !is_total ? "bar" : NULL,
                             column->is_of_screens ? "screen" : NULL};
    const char *before = " class=\"";
    for (size_t i = 0; i < N_OF(classes); i++) {
        if (!classes[i])
            continue;
        text_printf(s->out, "%s%s", before, classes[i]);
        before = " ";
    }
    if (before[1] == '\0')
        text_puts(s->out, "\"");
    if (grid_is_number(column) && *text) {
        sort_value(s->grid, cell, value);
        if (strcmp(value, text) != 0)
            text_printf(s->out, " data-value=\"%s\"", value);
        if (is_column(s->table->bar, column) && !is_total && s->bar_full > 0)
            text_printf(s->out, " style=\"--bar-length:%.1f%%\"", 100 * bar_value(cell) / s->bar_full);
    }
    text_puts(s->out, ">");
    if (column->kind == COLUMN_NAME && *text && *text != '(' && !is_total && !cell->is_label)
        put_name(s, column, text);
    else
        html_text(s->out, text);
    if (mark && column->kind == COLUMN_NAME)
        html_printf(s->out, " <a class=\"mark\" href=\"%s\">%s</a>", s->table->mark_href, mark);
    text_puts(s->out, "</td>");
}

/* --- the table ---------------------------------------------------------------------------------------- */

static void put_some_rows(const table_state *s, size_t from, size_t to, bool are_totals)
{
    for (size_t r = from; r < to; r++) {
        const grid_cell *cells = s->grid->rows[r], *first = &cells[s->grid->shown[0]];
        const bool has_anchor = s->anchors && !are_totals && first->kind == CELL_NUMBER;
        const char *mark = NULL;
        text_puts(s->out, are_totals ? "<tr class=\"total\"" : "<tr");
        if (has_anchor && first->number >= 0 && first->number < s->n_anchors) {
            size_t number = (size_t)first->number;
            if (!s->anchors[number]) { /* of rows with the same number the first has the name */
                text_printf(s->out, " id=\"%s-%zu\"", s->table->id, number);
                mark = number < s->table->n_marks ? s->table->marks[number] : NULL;
            }
            s->anchors[number] = true;
        }
        text_puts(s->out, ">");
        for (size_t i = 0; i < s->n; i++)
            put_cell(s, s->columns[i], &cells[s->columns[i]], are_totals, mark);
        text_puts(s->out, "</tr>\n");
    }
}

/* Sums are the table's foot, which is neither sorted nor filtered. Rows behind the first ones wait, where
 * there is a script, until a reader comes near: a browser takes seconds to lay out thousands of rows. Those
 * of a long table are not even read before; without a script they are a second table. */
static void put_rows(const table_state *s)
{
    const size_t rows = s->grid->n_rows, totals = s->grid->n_last < rows ? s->grid->n_last : rows;
    const size_t last = rows - totals, first = last < FIRST_ROWS ? last : FIRST_ROWS;
    const bool waits = first < last;
    text_puts(s->out, "<tbody>\n");
    put_some_rows(s, 0, first, false);
    text_puts(s->out, "</tbody>");
    if (waits && !s->is_long) {
        text_puts(s->out, "\n<tbody class=\"later\">\n");
        put_some_rows(s, first, last, false);
        text_puts(s->out, "</tbody>");
    }
    if (totals)
        text_puts(s->out, "\n<tfoot>\n");
    put_some_rows(s, last, rows, true);
    text_puts(s->out, totals ? "</tfoot></table>" : "</table>");
    if (!waits || !s->is_long)
        return;
    text_puts(s->out, "<noscript><table>\n");
    put_head(s);
    text_puts(s->out, "<tbody class=\"later\">\n");
    put_some_rows(s, first, last, false);
    text_puts(s->out, "</tbody></table></noscript>");
}

/* A table of one row reads as its cells, each behind its heading. */
static void put_single(const table_state *s)
{
    html_printf(s->out, "<h4>%s</h4>\n<ul class=\"chips single\" id=\"%s\">\n", s->table->caption,
                s->table->id);
    for (size_t i = 0; i < s->n; i++) {
        char buffer[CELL_SIZE], unit[32] = "";
        const grid_column *column = &s->grid->columns[s->columns[i]];
        const char *text = grid_show(s->grid, &s->grid->rows[0][s->columns[i]], buffer),
                   *shown = grid_unit(s->grid, column);
        if (!*text)
            continue;
        if (shown && *shown == '[')
            snprintf(unit, sizeof unit, " %.*s", (int)strcspn(shown + 1, "]"), shown + 1);
        if (i || column->kind != COLUMN_NAME) /* the heading says what the first name is of */
            html_printf(s->out, "<li><span class=\"label\">%s</span> ", column->title);
        else
            text_puts(s->out, "<li>");
        if (column->kind == COLUMN_NAME)
            put_name(s, column, text);
        else
            html_text(s->out, text);
        html_printf(s->out, "<span class=\"unit\">%s</span></li>\n", unit);
    }
    text_puts(s->out, "</ul>\n");
}

void grid_put_html(const cell_grid *g, const html_table *one, textbuf *out)
{
    html_table numbered = *one, *table = &numbered;
    size_t rows = g->n_rows;
    out->failed = out->failed || grid_failed(g);
    if (out->failed || !rows)
        return;
    if (one->number)
        numbered.id = arena_printf(g->arena, "%s-%u", one->id, one->number);
    table_state s = {.grid = g, .table = table, .is_long = rows > LONG_ROWS, .out = out};
    for (size_t r = 0; r < rows; r++) {
        const grid_cell *first = &g->rows[r][g->shown[0]];
        if (table->has_anchors)
            s.n_anchors = fmax(s.n_anchors, 1 + (first->kind == CELL_NUMBER ? first->number : 0));
        for (size_t c = 0; table->bar && c < g->n_columns && r + g->n_last < rows; c++)
            if (is_column(table->bar, &g->columns[c]))
                s.bar_full = fmax(s.bar_full, bar_value(&g->rows[r][c]));
    }
    s.n_anchors = fmin(s.n_anchors, 1 + MOST_ANCHORS);
    s.anchors = NEW_ARRAY(g->arena, bool, (size_t)s.n_anchors);
    s.n = grid_seen(g, s.columns);
    if (rows == 1 && !g->n_last && !table->filter && !table->has_anchors) {
        put_single(&s);
        return;
    }
    if (table->heading)
        html_printf(out, "<h%u>%s</h%u>\n", table->heading, table->caption, table->heading);
    if (table->filter) /* hidden without a script, since it would do nothing */
        html_printf(
            out,
            "<p class=\"tools\"><input class=\"filter\" data-table=\"%s\" type=\"search\" placeholder=\"%s\" "
            "aria-label=\"%s: %s\"> <span class=\"filter-count\" aria-live=\"polite\"></span></p>\n",
            table->id, table->filter, table->filter, table->caption);
    const char *size = rows > MANY_ROWS ? " tall" : rows <= FEW_ROWS ? " few" : "";
    if (s.n > MANY_COLUMNS)
        size = rows > MANY_ROWS ? " tall many" : " many";
    html_printf(out,
                "<div class=\"scroll%s\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">"
                "<table class=\"sortable\" id=\"%s\"><caption>%s</caption>\n",
                size, table->caption, table->id, table->caption);
    put_head(&s);
    put_rows(&s);
    text_puts(out, "</div>\n");
}
