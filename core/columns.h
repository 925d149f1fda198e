/* core/columns.h - a table of texts in columns, each as wide as its widest cell, without blanks at the ends of lines.
 *
 * Units: columns of a terminal, whatever the locale is.
 * Ownership: memory is the arena's; what is added is copied. When it runs out, the table remembers, and columns_put
 *   makes the text fail.
 */
#ifndef ROOF_CORE_COLUMNS_H
#define ROOF_CORE_COLUMNS_H

#include <stdbool.h>
#include "core/arena.h"
#include "core/text.h"

enum { GRID_MOST_COLUMNS = 48 };

typedef struct column_layout {
    roof_arena *arena;
    const char *between; /* blanks between two columns */
    struct {
        bool right;
        size_t width;
    } columns[GRID_MOST_COLUMNS];
    size_t n, n_cells;
    const char **cells;   /* row by row, the titles first */
    const char **colours; /* of each cell; NULL: none */
    bool failed;
} column_layout;

/* Columns that text takes: two for a wide character, none for a mark that combines with the one before. */
size_t text_width(const char *text);

/* The next character of text, which is not at its end; a byte that is no UTF-8 counts as '?'. */
const char *text_next(const char *text, uint32_t *character);
size_t character_width(uint32_t character);

void columns_begin(column_layout *table, roof_arena *arena, const char *between);

/* All columns come before the first cell. least: columns that it takes at least. colour: name of one, or NULL. */
void columns_title(column_layout *table, const char *title, const char *colour, size_t least, bool right);

/* The next cell, row by row; in the last column it may have several lines. text NULL: a text for which there was no memory. */
void columns_add(column_layout *table, const char *text, const char *colour);

void columns_put(const column_layout *table, textbuf *out);

#endif
