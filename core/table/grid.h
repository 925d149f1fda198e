/* core/table/grid.h - a table that is made once, of typed cells, and printed for a terminal or as Markdown
 * (grid_text.c), as CSV (grid_csv.c) or as a list of JSON (grid_json.c); as HTML in reports/page/grid_html.c.
 *
 * A column says what it is called in each of them. Where it declares a scale, its cells are in base units:
 * documents have them as they are, and people see them in the unit and with the digits of the column.
 *
 * Units: columns of a terminal, whatever the locale is.
 * Ownership: memory is the arena's; texts are borrowed. When memory runs out the arena remembers, and
 *   printing the table makes the text fail.
 *
 * On a terminal a table fits the width: columns go by their rank, then notes are cut at their end and names
 * in their middle, then columns go from the right, but for the first two.
 */
#pragma once

#include "core/json/jsonout.h"
#include "core/table/writer.h"

/* ---- cells ---- */

typedef enum cell_kind {
    CELL_EMPTY,   /* nothing is shown */
    CELL_UNKNOWN, /* "?", or "-" in a sparse table */
    CELL_NONE,    /* "-": a zero that says "does not use this" */
    CELL_TEXT,
    CELL_COUNT,  /* "1 234 567" */
    CELL_NUMBER, /* "-3.70" */
    CELL_VALUE   /* a number in base units that is shown as its column says; in a row it is a number */
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
    bool is_derived;                    /* JSON has twelve digits of it */
    bool is_about;                      /* "~3.7" for people: what it is of is an estimate */
} grid_cell;

/* text NULL: there was no memory for it, and the grid fails. */
#define cell_text(text_)              ((grid_cell){.kind = CELL_TEXT, .text = (text_)})
#define cell_coloured(text_, colour_) ((grid_cell){.kind = CELL_TEXT, .text = (text_), .colour = (colour_)})
#define cell_label(text_)             ((grid_cell){.kind = CELL_TEXT, .text = (text_), .is_label = true})

/* In base units. NaN is unknown. */
#define cell_value(value_) ((grid_cell){.kind = CELL_VALUE, .number = (value_)})

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

static const grid_cell cell_empty = {.kind = CELL_EMPTY, .text = NULL},
                       cell_none = {.kind = CELL_NONE, .text = NULL};

/* ---- the table ---- */

enum { GRID_MOST_COLUMNS = 64 };

typedef enum column_kind {
    COLUMN_TEXT,    /* in JSON "" is null */
    COLUMN_NAME,    /* shortened in the middle; code in Markdown */
    COLUMN_NOTE,    /* cut at its end */
    COLUMN_WRAPPED, /* the last one: several lines */
    COLUMN_FLAG,    /* a count that is a truth in JSON */
    COLUMN_NUMBER,
    COLUMN_TIME /* a number of seconds that people see in the unit of the table's times */
} column_kind;

/* How people see a value. */
typedef enum column_format {
    FORMAT_FIXED,
    FORMAT_SIGNED,
    FORMAT_DASH,   /* nothing of it is a dash */
    FORMAT_SPACED, /* the same, and "1 234.5" */
    FORMAT_SMALL   /* the same, with two digits more for what would print as 0.0 */
} column_format;

/* A row whose cells are found by its columns. */
typedef struct grid_row {
    const void *is, *of, *in; /* the row, its document, and the row in whose list it stands */
    roof_arena *arena;
    bool is_document; /* CSV or JSON, not for people */
} grid_row;

/* Where a column finds its cell in a row, at the offset `at`. */
typedef enum grid_source {
    FROM_CELL,   /* nowhere: cells are given, grid_add */
    FROM_VALUE,  /* double; NaN is unknown */
    FROM_NUMBER, /* the same, of which JSON has all digits */
    FROM_COUNT,  /* uint64_t; ROOF_UNKNOWN is */
    FROM_SMALL,  /* uint32_t; ROOF_NONE is */
    FROM_SIZE,   /* uint32_t; 0 is */
    FROM_FLAG,   /* bool */
    FROM_TEXT,   /* const char *; NULL is "" */
    FROM_CALL,   /* a function makes it */
    FROM_MADE,   /* grid_cell: it was made with the row */
    FROM_JSON,   /* a function writes it, in JSON alone: what is nested */
    /* an array and a uint32_t that counts it, in JSON alone: rows of columns of their own, or values of a
     * column without a name; null where there are such, and no array */
    FROM_LIST,
    FROM_OBJECT, /* a struct, likewise; null where its pointer is */
    FROM_PAIR,   /* double[2], in JSON alone: null where either is unknown */
    /* roof_answer: an object of JSON; in CSV its kind, its two ends, which are empty where there is none, and
     * how much of it is left out */
    FROM_ANSWER,
    FROM_ANSWER_KIND,
    FROM_ANSWER_LOW,
    FROM_ANSWER_HIGH,
    FROM_ANSWER_LEFT_OUT
} grid_source;

typedef struct grid_column {
    const char *title; /* NULL: in documents only */
    const char *unit;  /* "[ms]"; NULL: none */
    const char *csv;   /* its name in CSV; NULL: not there */
    column_kind kind;
    /* The higher, the sooner it is dropped; 0 stays, unless it is unknown throughout and not the first. */
    uint32_t rank;
    uint32_t least, most; /* columns that are kept for it while others may go; that it takes; 0: any */
    const char *json;     /* its key in JSON; NULL: not there */
    bool is_optional;     /* left out of an object of JSON where it is unknown, "" or false */
    column_format format;
    uint8_t digits;     /* of values, behind the point */
    double times, over; /* people see values and counts times or over this; 0: as they are */
    grid_source from;
    uint16_t at;
    uint16_t via;  /* 1 + the offset of a pointer in the row, to what `at` is of; 0: the row itself. Where the
                    * pointer is NULL, nothing is there */
    uint8_t place; /* among the columns that people see; 0: in the order of the table, as all of them */
    bool is_of_screens; /* paper has no room for it */
    union {
        grid_cell (*cell)(const grid_row *row);
        void (*put)(jsonout *json, const char *key, const grid_row *row);
        const struct grid_column *items; /* of a list or an object: its columns */
    };
    uint16_t n_items, size, count; /* of a list: bytes of an item, and where the row counts them */
    bool one_line;                 /* each item, or the object, is */
} grid_column;

/* One description of a document: a row of its table a member, by the name that CSV and JSON have for it.
 * Further arguments are for people: .title, .unit, .rank, .place, ... */
#define GRID_AS(name, type, member, from_, ...)                                                              \
    {                                                                                                        \
        .csv = (name), .json = (name), .from = FROM_##from_, .at = offsetof(type, member), __VA_ARGS__       \
    }
#define GRID_OF(type, member, from, ...) GRID_AS(#member, type, member, from, __VA_ARGS__)
#define GRID_BY(name, cell_, ...)                                                                            \
    {                                                                                                        \
        .csv = (name), .json = (name), .from = FROM_CALL, .cell = (cell_), __VA_ARGS__                       \
    }
/* Defines such a function by an expression with the row, a struct of that type, as x. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type, and the name of a pointer */
#define GRID_CELL(function, type, x, ...)                                                                    \
    static grid_cell function(const grid_row *row)                                                           \
    {                                                                                                        \
        const type *x = row->is;                                                                             \
        return __VA_ARGS__;                                                                                  \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
/* A member of what a pointer in the row leads to. */
#define GRID_VIA(name, type, pointer, of, member, from_, ...)                                                \
    {                                                                                                        \
        .csv = (name), .json = (name), .from = FROM_##from_, .via = offsetof(type, pointer) + 1,             \
        .at = offsetof(of, member), __VA_ARGS__                                                              \
    }
/* In JSON alone, in CSV alone, for people alone. */
#define GRID_NESTED(name, put_)                                                                              \
    {                                                                                                        \
        .json = (name), .from = FROM_JSON, .put = (put_)                                                     \
    }
#define GRID_ITEMS(name, type, member, n_member, columns_, one_line_)                                        \
    {                                                                                                        \
        .json = (name), .from = FROM_LIST, .at = offsetof(type, member), .count = offsetof(type, n_member),  \
        .items = (columns_), .n_items = sizeof(columns_) / sizeof *(columns_),                               \
        .size = sizeof *((type *)0)->member, .one_line = (one_line_)                                         \
    }
#define GRID_OBJECT(name, type, member, columns_, one_line_)                                                 \
    {                                                                                                        \
        .json = (name), .from = FROM_OBJECT, .at = offsetof(type, member), .items = (columns_),              \
        .n_items = sizeof(columns_) / sizeof *(columns_), .one_line = (one_line_)                            \
    }
#define GRID_PAIR(name, type, member)                                                                        \
    {                                                                                                        \
        .json = (name), .from = FROM_PAIR, .at = offsetof(type, member)                                      \
    }
#define GRID_FLAT(name, type, member, from_, ...)                                                            \
    {                                                                                                        \
        .csv = (name), .from = FROM_##from_, .at = offsetof(type, member), __VA_ARGS__                       \
    }
/* A claim with all that it says of itself, in JSON as `name`; CSV has it beside the column of its value. */
#define GRID_ANSWER(name, unit, type, member)                                                                \
    {.json = (name), .from = FROM_ANSWER, .at = offsetof(type, member)},                                     \
        GRID_FLAT(name "_kind", type, member, ANSWER_KIND, .title = NULL),                                   \
        GRID_FLAT(name "_low_" unit, type, member, ANSWER_LOW, .title = NULL),                               \
        GRID_FLAT(name "_high_" unit, type, member, ANSWER_HIGH, .title = NULL),                             \
        GRID_FLAT(name "_left_out", type, member, ANSWER_LEFT_OUT, .title = NULL)
#define GRID_SAID(title_, cell_, ...)                                                                        \
    {                                                                                                        \
        .title = (title_), .from = FROM_CALL, .cell = (cell_), __VA_ARGS__                                   \
    }

/* A table is declared as a list of columns; the last argument of each is its rank. */
#define GRID_COLUMNS(of_table, ...) static const grid_column of_table[] = {__VA_ARGS__}
#define GRID_MEMBER(kind_, title_, unit_, csv_, json_, rank_)                                                \
    {                                                                                                        \
        .title = (title_), .unit = (unit_), .csv = (csv_), .kind = COLUMN_##kind_, .rank = (rank_),          \
        .json = (json_)                                                                                      \
    }
#define GRID_COLUMN(kind, title, unit, csv, rank) GRID_MEMBER(kind, title, unit, csv, NULL, rank)
#define GRID_CSV(csv)                             GRID_COLUMN(TEXT, NULL, NULL, csv, 0)
#define GRID_TEXT(title, rank)                    GRID_COLUMN(TEXT, title, NULL, NULL, rank)
#define GRID_NAME(title, rank)                    GRID_COLUMN(NAME, title, NULL, NULL, rank)
#define GRID_NOTE(title, rank)                    GRID_COLUMN(NOTE, title, NULL, NULL, rank)
#define GRID_NUMBER(title, unit, rank)            GRID_COLUMN(NUMBER, title, unit, NULL, rank)
#define GRID_TIME(title, rank)                    GRID_COLUMN(TIME, title, NULL, NULL, rank)

/* A column that is called the same in both documents. */
#define GRID_DOCUMENT(kind, name) GRID_MEMBER(kind, NULL, NULL, name, name, 0)

/* Values that people see scaled: a ratio in percent, others by such as `.times = 1e3, .digits = 3`. */
#define GRID_SCALED(title_, unit_, rank_, ...)                                                               \
    {                                                                                                        \
        .title = (title_), .unit = (unit_), .kind = COLUMN_NUMBER, .rank = (rank_), __VA_ARGS__              \
    }
#define GRID_PERCENT(title, rank) GRID_SCALED(title, "[%]", rank, .times = 100, .digits = 1)

/* The unit in which people see the times of a table. */
typedef struct grid_times {
    double factor; /* 1e3 */
    const char *unit;
    uint8_t digits;
} grid_times;

typedef struct cell_grid cell_grid;
struct cell_grid {
    roof_arena *arena;
    const grid_column *columns;
    size_t n_columns, n_rows;
    uint8_t shown[GRID_MOST_COLUMNS]; /* the columns that people see, in their order */
    size_t n_shown;
    grid_times times;
    grid_cell **rows; /* those that are complete */
    grid_cell *row;   /* the last one, and how much of it there is */
    size_t n_cells;
    uint32_t *parents; /* of each row, a row before it or ROOF_NONE; NULL: no tree */
    bool failed;       /* a text could not be made */
    bool is_sparse;    /* of texts: more room between columns, empty texts and what is unknown are dashes */
    bool is_whole;     /* columns of what is unknown are shown as well */
    textbuf *csv;      /* of a document: where it goes; else NULL */
    jsonout *json;
    bool is_json_line; /* a row is one line */
    grid_row json_row; /* whose cells are being written */
    /* A document takes each cell as it comes; NULL: rows are kept. */
    void (*write)(cell_grid *t, const grid_column *column, const grid_cell *cell);
    /* Rows that a reader may choose: the noun for each of them, "layer"; the column by which they are the
     * largest, NULL: they are cut only where they are sorted. NULL for both: all are shown. */
    const char *what, *largest;
    bool is_ranked;  /* who asks for so many gets them by that column, not by their place */
    size_t n_last;   /* sums at the end, which stay there */
    size_t left_out; /* rows that are missing */
};

/* columns NULL: there was no memory for them, and the grid fails. */
void grid_begin(cell_grid *t, roof_arena *arena, const grid_column *columns, size_t n_columns);

/* Rows are written to out as soon as they are complete, the header now. */
void grid_begin_csv(cell_grid *t, roof_arena *arena, const grid_column *columns, size_t n_columns,
                    textbuf *out);

/* The same without a header: rows of a table that is written in pieces. */
void grid_begin_csv_row(cell_grid *t, roof_arena *arena, const grid_column *columns, size_t n_columns,
                        textbuf *out);

/* Rows of CSV that were kept, since write became NULL when the table had begun. */
void grid_end_csv(const cell_grid *t);

/* A table that has begun becomes a list of JSON with an object for each row, in one line or in several. A
 * cell is written when it is added, so what no cell can say may be written between two; an object ends where
 * the next one begins, or with the list. */
void grid_begin_json(cell_grid *t, jsonout *json, const char *key, bool one_line);
void grid_end_json(cell_grid *t);

/* The same of one row without a list around it, in one line: jsonout_end ends it. */
void grid_begin_json_line(cell_grid *t, jsonout *json);

/* The next cells, row by row. */
void grid_add(cell_grid *t, const grid_cell *cells, size_t n);
#define GRID_ADD(t, ...)                                                                                     \
    grid_add((t), (const grid_cell[]){__VA_ARGS__},                                                          \
             sizeof((const grid_cell[]){__VA_ARGS__}) / sizeof(grid_cell))

/* The place that a column finds in a row, and its cell. */
const void *grid_place_of(const grid_column *column, const grid_row *row);
grid_cell grid_cell_of(const grid_column *column, const grid_row *row);

/* A row that its columns find the cells of. */
void grid_add_row(cell_grid *t, const void *row, const void *document);

/* Columns of what is no row: each becomes a member of the object that is being written. */
void grid_put_members(jsonout *json, const grid_column *columns, size_t n, const void *document,
                      roof_arena *arena);
#define GRID_MEMBERS(json, columns, document, arena)                                                         \
    grid_put_members((json), (columns), sizeof(columns) / sizeof *(columns), (document), (arena))

/* People do not see the column that CSV calls so. */
void grid_hide(cell_grid *t, const char *name);

/* People see another title and unit above it. */
void grid_retitle(cell_grid *t, const char *name, const char *title, const char *unit);

/* The rest of the row is in no document: true where the table is one, and the row has ended. */
bool grid_ends_document_row(cell_grid *t);

/* Where the last row hangs: the first column that is shown is drawn as a tree. */
void grid_hang(cell_grid *t, uint32_t parent);

/* ---- which rows, in which order ---- */

typedef enum grid_direction {
    GRID_BY_KIND, /* the largest number first, and of texts A */
    GRID_ASCENDING,
    GRID_DESCENDING
} grid_direction;

/* The order that a reader asks for. column NULL: rows stay in their order, and of more than most those with
 * the largest values in the column `largest` are shown. Unknown values come last. */
typedef struct grid_order {
    const char *column, *largest;
    grid_direction direction;
    size_t most; /* 0: all rows */
} grid_order;

/* The column of a name: its title or what CSV calls it, of CSV also without its unit; ROOF_NONE where there
 * is none. Case does not matter, and a blank is as good as '-' or '_'. */
uint32_t grid_find_column(const cell_grid *t, const char *name);

/* Sorts and cuts rows, but for the sums at the end. Not of a tree, whose children stand behind their parents.
 * Cut rows are counted in left_out; all is as it was where there is no such column. */
void grid_arrange(cell_grid *t, const grid_order *order);

/* Flags of the `most` items of n with the largest values, an unknown one being the least; the others are left
 * out of the table. NULL: all of them, for most is 0 or there are no more. values: the first item's double,
 * each stride bytes behind the other. */
const bool *grid_choose(cell_grid *t, const double *values, size_t stride, uint32_t n, uint32_t most);
#define GRID_CHOOSE(t, items, member, n, most)                                                               \
    ((n) ? grid_choose((t), &(items)->member, sizeof *(items), (n), (most)) : NULL)

bool grid_failed(const cell_grid *t); /* memory ran out */

/* The columns that people see, without those that are hidden. Returns how many. */
size_t grid_seen(const cell_grid *t, uint8_t seen[GRID_MOST_COLUMNS]);

bool grid_is_number(const grid_column *column);
const char *grid_unit(const cell_grid *t, const grid_column *column); /* NULL: none */

/* A cell as it is shown, in buffer or in the cell's own text. */
enum { CELL_SIZE = 64 };
const char *grid_show(const cell_grid *t, const grid_cell *cell, char buffer[CELL_SIZE]);

/* As the writer has it: text that fits its width, or Markdown. */
void grid_put(const cell_grid *t, const text_writer *writer);

/* Text in at most width columns, at least five: "begin...end", more of the end, since names of one network
 * begin alike: three fifths, or two thirds. Returns text itself where it fits, else buffer. */
const char *text_shorten(const char *text, size_t width, bool two_thirds, char *buffer, size_t size);
