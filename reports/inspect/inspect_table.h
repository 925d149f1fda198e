/* reports/inspect/inspect_table.h - a table of texts that fits a terminal.
 *
 * Units: columns of a terminal.
 * Ownership: the table and its cells belong to the arena that it was made with.
 *
 * Columns with nothing in them are left out. What does not fit is dropped by whole columns, then long texts
 * are shortened in the middle, never at the end.
 */
#ifndef ROOF_REPORTS_INSPECT_INSPECT_TABLE_H
#define ROOF_REPORTS_INSPECT_INSPECT_TABLE_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/text.h"
#include "roofline/render.h"

typedef struct inspect_column {
    const char *header;
    unsigned
        drop;   /* 0: always shown; otherwise left out when empty, and the largest number is dropped first */
    bool right; /* numbers */
    bool shorten; /* names, which may lose their middle */
    bool tree;    /* drawn as a tree, by the parents of rows */
} inspect_column;

typedef struct inspect_table {
    roof_arena *arena;
    const inspect_column *columns;
    size_t n_columns, n_rows;
    const char **cells; /* row after row */
    uint32_t *parents;  /* row, smaller than the own one, or ROOF_NONE */
    bool failed;        /* a cell could not be made */
} inspect_table;

enum { INSPECT_MAX_COLUMNS = 16 };

inspect_table *inspect_table_new(roof_arena *arena, const inspect_column *columns, size_t n_columns,
                                 size_t n_rows);

/* text NULL stands for a text that could not be made. */
void inspect_table_set(inspect_table *table, size_t row, size_t column, const char *text);
const char *inspect_table_cell(const inspect_table *table, size_t row, size_t column);

/* True for a column that may be dropped and has no cell but "" and "-". */
bool inspect_table_is_empty(const inspect_table *table, size_t column);

/* width: columns of the terminal. Headers are bold where there is colour. */
roof_status inspect_table_print(const inspect_table *table, size_t width, const roof_render_options *options,
                                textbuf *out, roof_error *err);

/* text itself if it takes at most width columns, else "begin...end" of that width, more of the end than
 * of the beginning: names of one network begin alike. NULL when there is no memory. */
const char *inspect_shorten(roof_arena *arena, const char *text, size_t width);

#endif
