/* core/table/grid.h - a table that is made once, of typed cells, and printed for a terminal, as Markdown, as CSV or as a list of
 * JSON; as HTML in reports/page/.
 *
 * Units: columns of a terminal, whatever the locale is. A cell of CSV has the value as it was given.
 * Ownership: memory is the arena's; texts are borrowed. When memory runs out the arena remembers, and printing the table
 *   makes the text fail.
 *
 * On a terminal a table fits the width: columns go by their rank, then notes are cut at their end and names in their
 * middle, then columns go from the right, but for the first two.
 */
#ifndef ROOF_CORE_TABLE_GRID_H
#define ROOF_CORE_TABLE_GRID_H

#include <stdbool.h>
#include "core/arena.h"
#include "core/json/jsonout.h"
#include "core/table/paper.h"

/* ---- cells ---- */

typedef enum cell_kind {
    CELL_EMPTY,   /* nothing is shown */
    CELL_UNKNOWN, /* "?", or "-" in a sparse table */
    CELL_NONE,    /* "-": a zero that says "does not use this" */
    CELL_TEXT,
    CELL_COUNT, /* "1 234 567" */
    CELL_NUMBER /* "-3.70" */
} cell_kind;

typedef enum cell_colour {
    CELL_PLAIN,
    CELL_BOLD,
    CELL_RED,
    CELL_YELLOW,
    CELL_BLUE,
    CELL_MAGENTA,
    CELL_CYAN
} cell_colour;

typedef struct grid_cell {
    const char *text; /* of a number: how it is shown when that is more than the number; else NULL */
    union {
        uint64_t count;
        double number;
    };
    cell_kind kind : 8;
    cell_colour colour : 8;
    uint8_t digits;                     /* behind the point */
    bool has_sign, is_spaced, is_label; /* "+3.7"; "1 234.5"; of a name: words of ours, such as "total" */
} grid_cell;

/* text NULL: there was no memory for it, and the grid fails. */
#define cell_text(text_)              ((grid_cell){.kind = CELL_TEXT, .text = (text_)})
#define cell_coloured(text_, colour_) ((grid_cell){.kind = CELL_TEXT, .text = (text_), .colour = (colour_)})
#define cell_label(text_)             ((grid_cell){.kind = CELL_TEXT, .text = (text_), .is_label = true})

/* ROOF_UNKNOWN and NaN are unknown. */
grid_cell cell_count(uint64_t count);
grid_cell cell_number(double number, int digits);
grid_cell cell_signed(double number, int digits);
grid_cell cell_spaced(double number, int digits);

/* Nothing of it is a dash. */
grid_cell cell_or_none(grid_cell cell);

/* A number that text says with more words, "0.16 +- 0.02": it sorts by the number. */
enum { CELL_ANY_DIGITS = 255 }; /* as many as it has */
grid_cell cell_worded(const char *text, double number, int digits);

static const grid_cell cell_empty = {.kind = CELL_EMPTY}, cell_none = {.kind = CELL_NONE};

/* ---- the table ---- */

enum { GRID_MOST_COLUMNS = 64 };

typedef enum column_kind {
    COLUMN_TEXT,    /* in JSON "" is null */
    COLUMN_NAME,    /* shortened in the middle; code in Markdown */
    COLUMN_NOTE,    /* cut at its end */
    COLUMN_WRAPPED, /* the last one: several lines */
    COLUMN_NUMBER,
    COLUMN_FLAG /* a count that is a truth in JSON */
} column_kind;

typedef struct grid_column {
    const char *title; /* NULL: in CSV only */
    const char *unit;  /* "[ms]"; NULL: none */
    const char *csv;   /* its name in CSV; NULL: not there */
    column_kind kind;
    uint32_t
        rank; /* the higher, the sooner it is dropped; 0 stays; unless all of it is unknown, and it is not the first one */
    uint32_t least, most; /* columns that are kept for it while others may go; that it takes; 0: any */
    const char *json;     /* its key in JSON; NULL: not there */
} grid_column;

/* A table is declared as a list of columns; the last argument of each is its rank. */
#define GRID_COLUMNS(of_table, ...) static const grid_column of_table[] = {__VA_ARGS__}
#define GRID_MEMBER(kind, title, unit, csv, json, rank)                                                      \
    {                                                                                                        \
        title, unit, csv, COLUMN_##kind, rank, 0, 0, json                                                    \
    }
#define GRID_COLUMN(kind, title, unit, csv, rank) GRID_MEMBER(kind, title, unit, csv, NULL, rank)
#define GRID_CSV(csv)                             GRID_COLUMN(TEXT, NULL, NULL, csv, 0)
#define GRID_TEXT(title, rank)                    GRID_COLUMN(TEXT, title, NULL, NULL, rank)
#define GRID_NAME(title, rank)                    GRID_COLUMN(NAME, title, NULL, NULL, rank)
#define GRID_NOTE(title, rank)                    GRID_COLUMN(NOTE, title, NULL, NULL, rank)
#define GRID_NUMBER(title, unit, rank)            GRID_COLUMN(NUMBER, title, unit, NULL, rank)

typedef struct cell_grid {
    roof_arena *arena;
    const grid_column *columns;
    size_t n_columns, n_rows;
    grid_cell **rows; /* those that are complete */
    grid_cell *row;   /* the last one, and how much of it there is */
    size_t n_cells;
    uint32_t *parents; /* of each row, a row before it or ROOF_NONE; NULL: no tree */
    size_t tree;       /* the column that is drawn as one */
    bool failed;       /* a text could not be made */
    bool is_sparse;    /* of texts: more room between columns, empty texts and what is not known are dashes */
    bool is_whole;     /* columns of what is not known are shown as well */
    textbuf *csv;      /* rows are written here and not kept, unless is_kept */
    bool is_kept;      /* of CSV: until grid_end_csv writes them */
    jsonout *json;     /* the same of cells */
    bool is_json_line; /* a row is one line */
} cell_grid;

/* columns NULL: there was no memory for them, and the grid fails. */
void grid_begin(cell_grid *t, roof_arena *arena, const grid_column *columns, size_t n_columns);

/* Rows are written to out as soon as they are complete, the header now. */
void grid_begin_csv(cell_grid *t, roof_arena *arena, const grid_column *columns, size_t n_columns,
                    textbuf *out);

/* Writes the rows of a table of CSV that were kept: is_kept was set when it had begun. */
void grid_end_csv(const cell_grid *t);

/* A table that has begun becomes a list of JSON with an object for each row, in one line or in several. A
 * cell is written when it is added, so what no cell can say may be written between two; an object ends where
 * the next one begins, or with the list. */
void grid_begin_json(cell_grid *t, jsonout *json, const char *key, bool one_line);
void grid_end_json(cell_grid *t);

/* The next cells, row by row. */
void grid_add(cell_grid *t, const grid_cell *cells, size_t n);
#define GRID_ADD(t, ...)                                                                                     \
    grid_add((t), (const grid_cell[]){__VA_ARGS__},                                                          \
             sizeof((const grid_cell[]){__VA_ARGS__}) / sizeof(grid_cell))

/* Where the last row hangs: the first column with a title is drawn as a tree. */
void grid_hang(cell_grid *t, uint32_t parent);

/* ---- which rows, in which order ---- */

typedef enum grid_direction {
    GRID_BY_KIND, /* the largest number first, and of texts A */
    GRID_ASCENDING,
    GRID_DESCENDING
} grid_direction;

/* What a reader asks for. column NULL: rows stay in their order, and of more than most those with the largest
 * values in the column `largest` are shown. What is not known comes last. */
typedef struct grid_order {
    const char *column, *largest;
    grid_direction direction;
    size_t most; /* 0: all rows */
} grid_order;

/* The column of a name: its title, or what CSV calls it, with its unit or without; ROOF_NONE where there is
 * none. Case does not matter, and a blank is as good as '-' or '_'. */
uint32_t grid_find_column(const cell_grid *t, const char *name);

/* Sorts and cuts rows, but for the last n_last of them, which are sums. Not of a tree, whose children stand
 * behind their parents. Returns how many rows are left out; all is as it was where there is no such
 * column. */
size_t grid_arrange(cell_grid *t, const grid_order *order, size_t n_last);

bool grid_failed(const cell_grid *t); /* memory ran out */

/* A column that is not shown: one of CSV, or one that may be dropped and holds nothing but what is not
 * known. */
bool grid_hides(const cell_grid *t, size_t column);

/* A cell as it is shown, in buffer or in the cell's own text. */
enum { CELL_SIZE = 64 };
const char *grid_show(const cell_grid *t, const grid_cell *cell, char buffer[CELL_SIZE]);

void grid_put_markdown(const cell_grid *t, textbuf *out);

/* As the paper has it: text that fits its width, or Markdown. */
void grid_put(const cell_grid *t, const text_paper *paper);

/* Text in at most width columns, at least five: "begin...end", more of the end, since names of one network
 * begin alike: three fifths, or two thirds. Returns text itself where it fits, else buffer. */
const char *text_shorten(const char *text, size_t width, bool two_thirds, char *buffer, size_t size);

#endif
