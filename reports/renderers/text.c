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
    roof_column columns[ROOF_MAX_COLUMNS];
    size_t widths[ROOF_MAX_COLUMNS]; /* of the widest cell, header and unit included */
    uint32_t n, name_column;
    roof_name_prefix prefix; /* of layer names, left out */
    uint32_t largest[HIGHLIGHTED_ROWS], n_largest;
    const char **cells; /* of the columns before any was dropped: n_all per row, the total's row last */
    uint32_t n_all, column_of[ROOF_MAX_COLUMNS]; /* place in cells of each column that is left */
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
    char cell[ROOF_CELL_SIZE];
    if (l->columns[column].kind == ROOF_COLUMN_NAME && row)
        return roof_arena_shown(arena, roof_name_without(l->prefix, row->name));
    roof_cell(p, row, &l->columns[column], cell);
    const char *copy = cell[0] ? roof_arena_strdup(arena, cell) : "";
    return copy ? roof_arena_shown(arena, copy) : NULL;
}

static bool measure(const roof_prediction *p, layout *l, roof_arena *arena)
{
    l->n_all = l->n;
    l->cells = ROOF_NEW_ARRAY(arena, const char *, ((size_t)p->n_layers + 1) * l->n);
    if (!l->cells)
        return false;
    for (uint32_t c = 0; c < l->n; c++) {
        l->column_of[c] = c;
        if (l->columns[c].kind == ROOF_COLUMN_NAME)
            l->name_column = c;
        l->columns[c].title = roof_arena_shown(arena, l->columns[c].title);
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
        if (l->columns[c].kind == ROOF_COLUMN_TYPE && l->widths[c] > LONGEST_TYPE)
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
static void add_line(roof_columns *table, uint32_t row, const layout *l, bool colours)
{
    char shown[ROOF_CELL_SIZE];
    bool highlight = is_largest(l, row);
    for (uint32_t c = 0; c < l->n; c++) {
        const roof_column *column = &l->columns[c];
        const char *text = l->cells[(size_t)row * l->n_all + l->column_of[c]];
        const char *colour = column->kind == ROOF_COLUMN_BOUND ? colour_of(text)
                             : highlight && !column->rank      ? "bold"
                                                               : NULL;
        if (column->kind == ROOF_COLUMN_NAME || column->kind == ROOF_COLUMN_TYPE)
            text = roof_shorten_middle(text, l->widths[c], shown, sizeof shown);
        roof_columns_add(table, text, colours ? colour : NULL);
    }
}

static void fill_table(roof_columns *table, const roof_prediction *p, const layout *l, bool colours)
{
    for (uint32_t c = 0; c < l->n; c++)
        roof_columns_title(table, l->columns[c].title, NULL, l->widths[c], l->columns[c].right);
    for (uint32_t c = 0; c < l->n; c++)
        roof_columns_add(table, l->columns[c].unit, NULL);
    for (uint32_t i = 0; i <= p->n_layers; i++)
        add_line(table, i, l, colours);
}

static roof_status add_table(const roof_prediction *p, const roof_render_options *options, roof_text *out,
                             roof_error *err)
{
    layout l = {.prefix = roof_name_prefix_of(p)};
    roof_columns table;
    roof_arena *arena = roof_arena_new(0);
    l.n = roof_columns_of(p, options->details, l.columns);
    l.n_largest = roof_largest_rows(p, l.largest, HIGHLIGHTED_ROWS);
    if (!arena || !measure(p, &l, arena)) {
        roof_arena_free(arena);
        return roof_fail_memory(err);
    }
    fit(&l, options->width ? options->width : ROOF_DEFAULT_WIDTH);
    roof_columns_begin(&table, arena, " ");
    fill_table(&table, p, &l, options->colour);
    roof_columns_put(&table, out);
    roof_put_prefix(out, l.prefix);
    roof_arena_free(arena);
    return roof_text_status(out, err);
}

static void add_findings(const roof_prediction *p, size_t width, roof_text *out)
{
    for (uint32_t i = 0; i < p->n_findings; i++) {
        const roof_finding *f = &p->findings[i];
        roof_text line;
        roof_text_init(&line, ROOF_TEXT_MAX_BYTES);
        roof_text_printf(&line, "%s: %s%s%s", roof_finding_kind_text(f->kind), f->layer ? f->layer : "",
                         f->layer ? ": " : "", f->text);
        roof_text_puts(out, "\n");
        out->failed = out->failed || line.failed;
        roof_put_wrapped(out, line.bytes ? line.bytes : "", width - 2, 2);
        roof_text_free(&line);
        roof_text_puts(out, "  -> ");
        roof_put_wrapped(out, roof_finding_advice(f->kind), width - 5, 5);
    }
}

static roof_status render_prediction(const roof_prediction *p, const roof_render_options *options,
                                     roof_text *out, roof_error *err)
{
    roof_summary summary;
    size_t width = options->width ? options->width : ROOF_DEFAULT_WIDTH;
    roof_put_wrapped(out, p->verdict[0], width, 0);
    roof_put_wrapped(out, p->verdict[1], width, 0);
    roof_text_puts(out, "\n");
    ROOF_TRY(add_table(p, options, out, err));
    roof_summarise(p, &summary);
    roof_text_puts(out, "\n");
    for (uint32_t i = 0; i < summary.n_lines; i++)
        roof_put_labelled(out, summary.lines[i].label, summary.lines[i].text, width);
    if (options->all_findings)
        add_findings(p, width, out);
    else if (p->n_findings)
        roof_text_puts(out, "             --findings lists them with advice\n");
    return roof_text_status(out, err);
}

const roof_renderer roof_renderer_text = {
    .id = "text",
    .prediction = render_prediction,
    .graph = roof_inspect_text,
    .reconciliation = roof_reconcile_text,
};
