#include "reports/grid.h"
#include "core/columns.h"
#include "core/error.h"
#include "reports/paper.h"
#include "reports/summary.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_COLUMNS = GRID_MOST_COLUMNS,
    SHORTEST_NAME = 22,
    LONGEST_NAME = 56,
    SHORTEST_NOTE = 24,
    CELL_SIZE = 512
};

void grid_begin(text_grid *grid, roof_arena *arena, const grid_column *columns, uint32_t n_columns)
{
    *grid = (text_grid){.arena = arena, .columns = columns, .n_columns = n_columns};
    grid->failed = n_columns > MOST_COLUMNS;
}

void grid_add(text_grid *grid, const char *text, const char *colour)
{
    const char *shown = text && text[0] ? arena_shown(grid->arena, text) : "";
    const char *copy = shown == text && shown ? arena_strdup(grid->arena, text) : shown;
    if (grid->failed)
        return;
    grid->cells = arena_grow(grid->arena, grid->cells, grid->n_cells, sizeof *grid->cells);
    grid->colours = arena_grow(grid->arena, grid->colours, grid->n_cells, sizeof *grid->colours);
    if (!copy || !grid->cells || !grid->colours) {
        grid->failed = true;
        return;
    }
    grid->cells[grid->n_cells] = copy;
    grid->colours[grid->n_cells++] = colour;
}

void grid_printf(text_grid *grid, const char *format, ...)
{
    char cell[CELL_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(cell, sizeof cell, format, args);
    va_end(args);
    grid_add(grid, cell, NULL);
}

/* --- fitting ------------------------------------------------------------------------------------------ */

typedef struct layout {
    const text_grid *grid;
    uint32_t shown[MOST_COLUMNS], n; /* columns that are left */
    size_t widths[MOST_COLUMNS];     /* of all columns */
    size_t cut;                      /* letters that notes and names give up of what they need */
} layout;

static size_t characters(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += (*text & 0xc0) != 0x80;
    return n;
}

static void widen(size_t *width, const char *text)
{
    size_t n = characters(text);
    if (n > *width)
        *width = n;
}

bool grid_says_nothing(const text_grid *g, uint32_t column)
{
    bool unknown = g->columns[column].rank > 0 && g->n_cells > 0;
    for (size_t i = column; i < g->n_cells && unknown; i += g->n_columns)
        unknown = !g->cells[i][0] || strcmp(g->cells[i], "?") == 0;
    return unknown;
}

static void measure(layout *l)
{
    const text_grid *g = l->grid;
    for (uint32_t c = 0; c < g->n_columns; c++) {
        if (!grid_says_nothing(g, c))
            l->shown[l->n++] = c;
        widen(&l->widths[c], g->columns[c].title);
        widen(&l->widths[c], g->columns[c].unit);
    }
    for (size_t i = 0; i < g->n_cells; i++)
        widen(&l->widths[i % g->n_columns], g->cells[i]);
}

enum { MOST_CUT = 14 }; /* letters that a note gives up at most, and then a name */

/* What a column needs at least. */
static size_t least(const layout *l, uint32_t c)
{
    const grid_column *column = &l->grid->columns[c];
    size_t of_note = l->cut < MOST_CUT ? l->cut : MOST_CUT, of_name = l->cut - of_note;
    size_t most = column->is_name   ? SHORTEST_NAME - of_name
                  : column->is_note ? SHORTEST_NOTE - of_note
                                    : SIZE_MAX;
    size_t title = characters(column->title), wanted = l->widths[c] < most ? l->widths[c] : most;
    return wanted > title ? wanted : title;
}

static size_t least_width(const layout *l)
{
    size_t sum = l->n ? l->n - 1 : 0;
    for (uint32_t i = 0; i < l->n; i++)
        sum += least(l, l->shown[i]);
    return sum;
}

/* Columns of some rank first, then letters of names and notes, then what is left from the right, but for the first two. */
static bool drop_one(layout *l)
{
    uint32_t victim = 0;
    for (uint32_t i = 0; i < l->n; i++)
        if (l->grid->columns[l->shown[i]].rank > l->grid->columns[l->shown[victim]].rank)
            victim = i;
    if (!l->n)
        return false;
    if (!l->grid->columns[l->shown[victim]].rank) {
        if (l->cut < (size_t)2 * MOST_CUT)
            return ++l->cut;
        victim = l->n - 1;
        if (victim < 2)
            return false;
    }
    memmove(&l->shown[victim], &l->shown[victim + 1], (l->n - victim - 1) * sizeof *l->shown);
    l->n--;
    return true;
}

/* Names get what is left first, then notes. */
static void share_rest(layout *l, size_t width)
{
    size_t used = least_width(l), rest = width > used ? width - used : 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < l->n; i++) {
            const grid_column *column = &l->grid->columns[l->shown[i]];
            size_t *w = &l->widths[l->shown[i]], start = least(l, l->shown[i]), want = *w - start;
            if (!(pass == 0 ? column->is_name : column->is_note))
                continue;
            if (column->is_name && *w > LONGEST_NAME)
                want = LONGEST_NAME - start;
            size_t got = want < rest ? want : rest;
            *w = start + got;
            rest -= got;
        }
}

/* --- printing ----------------------------------------------------------------------------------------- */

static const char *shown_cell(const layout *l, uint32_t column, const char *text, char buffer[CELL_SIZE])
{
    size_t width = l->widths[column];
    const grid_column *c = &l->grid->columns[column];
    if (characters(text) <= width || !(c->is_name || c->is_note))
        return text;
    if (c->is_name)
        return shorten_middle(text, width, buffer, CELL_SIZE);
    size_t at = 0, n = 0;
    while (text[at] && at < CELL_SIZE - 8 && n + 3 < width) {
        buffer[at] = text[at];
        at++;
        n += (text[at] & 0xc0) != 0x80;
    }
    while (at && (text[at] & 0xc0) == 0x80) /* no half of a character */
        at--;
    strcpy(buffer + at, "...");
    return buffer;
}

static void add_row(column_layout *table, const layout *l, const char *const *cells,
                    const char *const *colours)
{
    char buffer[CELL_SIZE];
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t c = l->shown[i];
        columns_add(table, shown_cell(l, c, cells[c], buffer), colours ? colours[c] : NULL);
    }
}

static void fill(column_layout *table, const layout *l, bool colour)
{
    const text_grid *g = l->grid;
    const char *units[MOST_COLUMNS];
    bool any_unit = false;
    for (uint32_t i = 0; i < l->n; i++) {
        const grid_column *column = &g->columns[l->shown[i]];
        columns_title(table, column->title, NULL, l->widths[l->shown[i]], column->right);
    }
    for (uint32_t c = 0; c < g->n_columns; c++) {
        units[c] = g->columns[c].unit;
        any_unit = any_unit || units[c][0];
    }
    if (any_unit)
        add_row(table, l, units, NULL);
    for (size_t i = 0; i + g->n_columns <= g->n_cells; i += g->n_columns)
        add_row(table, l, &g->cells[i], colour ? &g->colours[i] : NULL);
}

roof_status grid_put(const text_grid *grid, size_t width, bool colour, textbuf *out, roof_error *err)
{
    layout l = {.grid = grid};
    column_layout table;
    if (grid->failed || !grid->n_columns)
        return error_memory(err);
    measure(&l);
    while (least_width(&l) > width && drop_one(&l))
        ;
    share_rest(&l, width);
    columns_begin(&table, grid->arena, " ");
    fill(&table, &l, colour);
    columns_put(&table, out);
    return text_status(out, err);
}

void grid_put_markdown(const text_grid *grid, textbuf *out)
{
    out->failed = out->failed || grid->failed;
    if (grid->failed || !grid->n_columns)
        return;
    for (uint32_t c = 0; c < grid->n_columns; c++) {
        text_puts(out, "| ");
        put_markdown(out, grid->columns[c].title);
        if (grid->columns[c].unit[0]) {
            text_puts(out, " ");
            put_markdown(out, grid->columns[c].unit);
        }
        text_puts(out, " ");
    }
    text_puts(out, "|\n");
    for (uint32_t c = 0; c < grid->n_columns; c++)
        text_puts(out, grid->columns[c].right ? "| --: " : "| --- ");
    text_puts(out, "|\n");
    for (size_t i = 0; i < grid->n_cells; i++) {
        uint32_t c = (uint32_t)(i % grid->n_columns);
        text_puts(out, "| ");
        if (grid->columns[c].is_name && grid->cells[i][0] && grid->cells[i][0] != '(')
            put_markdown_code(out, grid->cells[i]);
        else
            put_markdown(out, grid->cells[i]);
        text_puts(out, c + 1 == grid->n_columns ? " |\n" : " ");
    }
}
