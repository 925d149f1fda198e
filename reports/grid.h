/* reports/grid.h - a table of texts that is made once and printed on a terminal, as Markdown or as HTML (reports/page/).
 *
 * On a terminal it fits the width by dropping columns, the highest rank first, and by shortening the column of names in
 * the middle; the last column may be cut at its end. Where that is not enough, columns without a rank go, the last first. Memory is the arena's.
 */
#ifndef ROOF_REPORTS_GRID_H
#define ROOF_REPORTS_GRID_H

#include "core/arena.h"
#include "core/text.h"

typedef struct roof_grid_column {
    const char *title, *unit; /* unit may be "" */
    bool right;
    bool is_name;  /* shortened in the middle; code in Markdown */
    bool is_note;  /* cut at its end */
    uint32_t rank; /* the higher, the sooner it is dropped; 0 stays */
} roof_grid_column;

typedef struct roof_grid {
    roof_arena *arena;
    const roof_grid_column *columns;
    uint32_t n_columns;
    const char **cells;   /* row by row */
    const char **colours; /* of each cell, NULL for none */
    size_t n_cells;
    bool failed; /* memory ended */
} roof_grid;

void roof_grid_begin(roof_grid *grid, roof_arena *arena, const roof_grid_column *columns, uint32_t n_columns);

/* The next cell, row by row. text is copied; NULL is an empty cell. colour: a name that core/columns.c knows, or NULL. */
void roof_grid_add(roof_grid *grid, const char *text, const char *colour);
void roof_grid_printf(roof_grid *grid, const char *format, ...) ROOF_PRINTF(2, 3);

/* A column that may be dropped and holds nothing but what is not known. */
bool roof_grid_says_nothing(const roof_grid *grid, uint32_t column);

roof_status roof_grid_put(const roof_grid *grid, size_t width, bool colour, roof_text *out, roof_error *err);
void roof_grid_put_markdown(const roof_grid *grid, roof_text *out);

#endif
