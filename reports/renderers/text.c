/* Tables for people: the verdict, the table, what the totals rest on. Fits the width by
 * dropping columns, never by wrapping. */
#include "core/arena.h"
#include "core/columns.h"
#include "core/error.h"
#include "reports/cells.h"
#include "reports/paper.h"
#include "reports/renderer.h"
#include "reports/summary.h"

#include <string.h>

enum { SHORTEST_NAME = 22, LONGEST_NAME = 56, LONGEST_TYPE = 14, HIGHLIGHTED_ROWS = 3 };

/* Of a name on a terminal with no room for what is indispensable. */
enum { LEAST_NAME = 8 };

typedef struct layout {
    table_column columns[LAYER_COLUMNS];
    size_t widths[LAYER_COLUMNS]; /* of the widest cell, header and unit included */
    uint32_t n, name_column;
    name_prefixes prefix; /* of layer names, left out */
    uint32_t largest[HIGHLIGHTED_ROWS], n_largest;
    const char **cells; /* of the columns before any was dropped: n_all per row, the total's row last */
    uint32_t n_all, column_of[LAYER_COLUMNS]; /* place in cells of each column that is left */
} layout;

static void grow(size_t *width, const char *text)
{
    size_t length = strlen(text);
    if (length > *width)
        *width = length;
}

/* The text of every cell, made once: they are needed to find the widths and again to print. */
static const char *make_cell(const roof_prediction *p, const roof_layer_prediction *row, const layout *l,
                             uint32_t column, roof_arena *arena)
{
    char cell[TABLE_CELL_SIZE];
    if (l->columns[column].kind == COLUMN_NAME && row)
        return arena_shown(arena, name_without(l->prefix, row->name));
    layer_cell(p, row, &l->columns[column], cell);
    const char *copy = cell[0] ? arena_strdup(arena, cell) : "";
    return copy ? arena_shown(arena, copy) : NULL;
}

static bool measure(const roof_prediction *p, layout *l, roof_arena *arena)
{
    l->n_all = l->n;
    l->cells = NEW_ARRAY(arena, const char *, ((size_t)p->n_layers + 1) * l->n);
    if (!l->cells)
        return false;
    for (uint32_t c = 0; c < l->n; c++) {
        l->column_of[c] = c;
        if (l->columns[c].kind == COLUMN_NAME)
            l->name_column = c;
        l->columns[c].title = arena_shown(arena, l->columns[c].title);
        if (!l->columns[c].title)
            return false;
        l->widths[c] = strlen(l->columns[c].title);
        grow(&l->widths[c], l->columns[c].unit);
        for (uint32_t i = 0; i <= p->n_layers; i++) {
            const char *cell = make_cell(p, i < p->n_layers ? &p->layers[i] : NULL, l, c, arena);
            if (!cell)
                return false;
            l->cells[(size_t)i * l->n_all + c] = cell;
            grow(&l->widths[c], cell);
        }
        if (l->columns[c].kind == COLUMN_TYPE && l->widths[c] > LONGEST_TYPE)
            l->widths[c] = LONGEST_TYPE;
    }
    return true;
}

static size_t width_without_name(const layout *l)
{
    size_t sum = 0;
    for (uint32_t c = 0; c < l->n; c++)
        sum += c == l->name_column ? 0 : l->widths[c] + 1;
    return sum;
}

static void drop_column(layout *l, uint32_t c)
{
    memmove(&l->columns[c], &l->columns[c + 1], (l->n - c - 1) * sizeof *l->columns);
    memmove(&l->widths[c], &l->widths[c + 1], (l->n - c - 1) * sizeof *l->widths);
    memmove(&l->column_of[c], &l->column_of[c + 1], (l->n - c - 1) * sizeof *l->column_of);
    l->n--;
    if (l->name_column > c)
        l->name_column--;
}

/* Drops the least needed column until the name has room, then gives the name what is left. */
static void fit(layout *l, size_t width)
{
    for (;;) {
        uint32_t victim = 0;
        if (width_without_name(l) + SHORTEST_NAME <= width)
            break;
        for (uint32_t c = 0; c < l->n; c++)
            if (l->columns[c].rank > l->columns[victim].rank)
                victim = c;
        if (l->columns[victim].rank == 0)
            break; /* only the indispensable is left */
        drop_column(l, victim);
    }
    size_t used = width_without_name(l), room = width > used + LEAST_NAME ? width - used : LEAST_NAME;
    if (room > LONGEST_NAME)
        room = LONGEST_NAME;
    if (l->widths[l->name_column] > room)
        l->widths[l->name_column] = room;
}

/* Colour by what binds: compute engines warm, data movement cool. Red-green is avoided. */
static const char *colour_of(const char *engine)
{
    static const struct {
        const char *engine, *colour;
    } rows[] = {{"conv", "yellow"}, {"compute", "yellow"}, {"alu", "magenta"}, {"eltwise", "magenta"},
                {"load", "cyan"},   {"save", "cyan"},      {"memory", "blue"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].engine, engine) == 0)
            return rows[i].colour;
    return NULL;
}

static bool is_largest(const layout *l, uint32_t row)
{
    for (uint32_t i = 0; i < l->n_largest; i++)
        if (l->largest[i] == row)
            return true;
    return false;
}

/* The row behind the last layer is the total. */
static void add_line(column_layout *table, uint32_t row, const layout *l, bool colours)
{
    char shown[TABLE_CELL_SIZE];
    bool highlight = is_largest(l, row);
    for (uint32_t c = 0; c < l->n; c++) {
        const table_column *column = &l->columns[c];
        const char *text = l->cells[(size_t)row * l->n_all + l->column_of[c]];
        const char *colour = column->kind == COLUMN_BOUND ? colour_of(text)
                             : highlight && !column->rank ? "bold"
                                                          : NULL;
        if (column->kind == COLUMN_NAME || column->kind == COLUMN_TYPE)
            text = shorten_middle(text, l->widths[c], shown, sizeof shown);
        columns_add(table, text, colours ? colour : NULL);
    }
}

static void fill_table(column_layout *table, const roof_prediction *p, const layout *l, bool colours)
{
    for (uint32_t c = 0; c < l->n; c++)
        columns_title(table, l->columns[c].title, NULL, l->widths[c], l->columns[c].right);
    for (uint32_t c = 0; c < l->n; c++)
        columns_add(table, l->columns[c].unit, NULL);
    for (uint32_t i = 0; i <= p->n_layers; i++)
        add_line(table, i, l, colours);
}

static roof_status add_table(const roof_prediction *p, const roof_render_options *options, textbuf *out,
                             roof_error *err)
{
    layout l = {.prefix = name_prefix_of(p)};
    column_layout table;
    roof_arena *arena = arena_new(0);
    l.n = layer_columns_of(p, options->details, l.columns);
    l.n_largest = largest_rows(p, l.largest, HIGHLIGHTED_ROWS);
    if (!arena || !measure(p, &l, arena)) {
        arena_free(arena);
        return error_memory(err);
    }
    fit(&l, options->width ? options->width : TEXT_DEFAULT_WIDTH);
    columns_begin(&table, arena, " ");
    fill_table(&table, p, &l, options->colour);
    columns_put(&table, out);
    put_prefix(out, l.prefix);
    arena_free(arena);
    return text_status(out, err);
}

static void add_findings(const roof_prediction *p, size_t width, textbuf *out)
{
    for (uint32_t i = 0; i < p->n_findings; i++) {
        const roof_finding *f = &p->findings[i];
        textbuf line;
        text_init(&line, TEXT_MAX_BYTES);
        text_printf(&line, "%s: %s%s%s", roof_finding_kind_text(f->kind), f->layer ? f->layer : "",
                    f->layer ? ": " : "", f->text);
        text_puts(out, "\n");
        out->failed = out->failed || line.failed;
        put_wrapped(out, line.bytes ? line.bytes : "", width - 2, 2);
        text_free(&line);
        text_puts(out, "  -> ");
        put_wrapped(out, roof_finding_advice(f->kind), width - 5, 5);
    }
}

static roof_status render_prediction(const roof_prediction *p, const roof_render_options *options,
                                     textbuf *out, roof_error *err)
{
    prediction_summary summary;
    size_t width = options->width ? options->width : TEXT_DEFAULT_WIDTH;
    put_wrapped(out, p->verdict[0], width, 0);
    put_wrapped(out, p->verdict[1], width, 0);
    text_puts(out, "\n");
    TRY(add_table(p, options, out, err));
    prediction_summarise(p, &summary);
    text_puts(out, "\n");
    for (uint32_t i = 0; i < summary.n_lines; i++)
        put_labelled(out, summary.lines[i].label, summary.lines[i].text, width);
    if (options->all_findings)
        add_findings(p, width, out);
    else if (p->n_findings)
        text_puts(out, "             --findings lists them with advice\n");
    return text_status(out, err);
}

const renderer_def renderer_text = {
    .id = "text",
    .prediction = render_prediction,
    .graph = inspect_text,
    .reconciliation = reconcile_text,
};
