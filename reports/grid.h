/* reports/grid.h - a table of texts that is made once and printed on a terminal, as Markdown or as HTML (reports/page/).
 *
 * On a terminal it fits the width by dropping columns, the highest rank first, and by shortening the column of names in
 * the middle; the last column may be cut at its end. Where that is not enough, columns without a rank go, the last first. Memory is the arena's.
 */
#ifndef ROOF_REPORTS_GRID_H
#define ROOF_REPORTS_GRID_H

#include "core/arena.h"
#include "core/text.h"

typedef struct grid_column {
    const char *title, *unit; /* unit may be "" */
    bool right;
    bool is_name;  /* shortened in the middle; code in Markdown */
    bool is_note;  /* cut at its end */
    uint32_t rank; /* the higher, the sooner it is dropped; 0 stays */
} grid_column;

typedef struct text_grid {
    roof_arena *arena;
    const grid_column *columns;
    uint32_t n_columns;
    const char **cells;   /* row by row */
    const char **colours; /* of each cell, NULL for none */
    size_t n_cells;
    bool failed; /* memory ended */
} text_grid;

void grid_begin(text_grid *grid, roof_arena *arena, const grid_column *columns, uint32_t n_columns);

/* The next cell, row by row. text is copied; NULL is an empty cell. colour: a name that core/columns.c knows, or NULL. */
void grid_add(text_grid *grid, const char *text, const char *colour);
void grid_printf(text_grid *grid, const char *format, ...) ROOF_PRINTF(2, 3);

/* A column that may be dropped and holds nothing but what is not known. */
bool grid_says_nothing(const text_grid *grid, uint32_t column);

roof_status grid_put(const text_grid *grid, size_t width, bool colour, textbuf *out, roof_error *err);
void grid_put_markdown(const text_grid *grid, textbuf *out);

#endif
