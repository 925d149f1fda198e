/* measure/import/row.h - rows of tools' tables and JSON objects, by declarations of their columns: what
 * stands where, and what it means. An importer declares; this reads, and makes layers of the rows.
 *
 * Units: s, bytes, operations where a column declares its own; else as printed, until the importer converts
 * them.
 * Ownership: texts of a row live as long as the document, rows as long as the import.
 */
#pragma once

#include "measure/import/importer.h"

/* The meaning of a column: texts, then numbers. Columns up to ROW_BOUNDARIES are keys of --map, too. */
typedef enum row_column {
    ROW_NAME,
    ROW_TYPE,
    ROW_INDEX, /* place in the order of execution */
    ROW_TIME,  /* mean of the repetitions */
    ROW_STD,
    ROW_MIN,
    ROW_MAX,
    ROW_MEDIAN,
    ROW_P95,
    ROW_P99,
    ROW_COUNT, /* of repetitions */
    ROW_BYTES, /* read and written, not distinguished */
    ROW_READ,
    ROW_WRITE,
    ROW_CYCLES,
    ROW_SHARE,
    ROW_OPS, /* operations per second */
    ROW_WORKLOAD,
    ROW_EXECUTIONS, /* by one inference, of which ROW_TIME is one */
    ROW_WRITE_TIME, /* parts of ROW_TIME: buffers written, run, read back */
    ROW_RUN_TIME,
    ROW_READ_TIME,
    ROW_LAUNCHES,   /* within one execution */
    ROW_BOUNDARIES, /* of a row that is a model: where it is stopped */
    ROW_KEYS,
    ROW_WEIGHTS = ROW_KEYS, /* bytes of them that are read, where they are distinguished */
    ROW_BATCH,              /* images of one execution */
    ROW_HARDWARE_TIME,      /* by a counter in the hardware */
    ROW_BANDWIDTH,
    ROW_MEMORY, /* allocated by one execution, and not freed by it */
    ROW_DEPTH,  /* 1: a whole subgraph, 2: a layer of it */
    ROW_SUM,    /* of the times of all repetitions */
    ROW_START,  /* stamps of an execution, whose difference is its time */
    ROW_END,
    ROW_OTHER, /* a number that its importer alone knows */
    ROW_MARK,  /* a heading that tells this table from others; its cells are not read */
    ROW_VALUES,
    ROW_GROUP = ROW_VALUES, /* a text: what ran it, such as a core; rows of each are runs of their own */
    ROW_DEVICE,             /* a text: the kind of device, "NPU" */
    ROW_WORD                /* a text that its importer alone knows */
} row_column;

typedef struct table_row {
    const char *name, *type, *group, *device, *word;
    double values[ROW_VALUES]; /* NaN: unknown */
    uint64_t line;
    uint32_t table; /* of a file with several, from 1 */
    bool exact;     /* 0 is 0; else it stands for what is too small to print, and is unknown */
} table_row;

/* Flags of a column: a line without it is no heading, and an object no row; cells may be empty or say "N/A",
 * which is unknown. In JSON: each number of an array is an object with this member alone; the value may stand
 * in an object with one member. Cells behind the last one may be left out. */
enum { ROW_NEEDED = 1, ROW_SPARSE = 2, ROW_EACH = 4, ROW_WRAPPED = 8, ROW_LAST = 16 };

/* A declared column. */
typedef struct row_field {
    row_column column;
    /* Any of these, blanks apart; '~' is its unit, "Duration (~)"; of JSON, the key. */
    const char *headings[4];
    double scale;     /* of its unit, 1e-3 for ms; 0: as it is printed, or in the heading's unit */
    const char *what; /* in messages; NULL: the heading */
    unsigned is;      /* ROW_NEEDED and the other flags above */
} row_field;

/* The columns of a table that begins here. The first of two equal headings counts. */
enum { ROW_MAX_CELLS = 128, ROW_MAX_FIELDS = 64 };
typedef struct row_layout {
    const row_field *fields;
    size_t n_fields;
    size_t n, fewest, room;       /* cells of a row, those that must be there, those that there is room for */
    size_t name;                  /* the cell of the name, or the last one */
    size_t cells[ROW_MAX_FIELDS]; /* of each field; n: there is none */
    double scales[ROW_MAX_FIELDS];
    bool has_commas; /* for decimals, as spreadsheets write them between semicolons */
} row_layout;

/* True if cells of a column are texts; if words are a heading of the field, with the scale of its unit. */
bool row_is_text(row_column column);
bool row_is_heading(const row_field *field, text_span words, double *scale);

/* The columns of a line of headings, in any order. False when one that is needed is missing. */
bool row_find_headings(const row_field *fields, size_t n_fields, const text_span *cells, size_t n,
                       row_layout *out);

/* Reads the cells of a row into an empty one. Where there are too many, the name holds the separator, and
 * what is too much belongs to it; an empty one behind the last is left out. "~0" is unknown. A percent
 * sign behind a number of scale 0.01 is its unit, and so is that of a time behind one of scale 1. Stamps are
 * subtracted as whole numbers. Errors: E_DATA (too few cells, no number, a name with control characters),
 * E_LIMIT, E_NO_MEMORY. */
roof_status row_read(import_state *in, const row_layout *layout, text_span *cells, size_t n, table_row *out,
                     roof_error *err);

/* Reads a JSON document, in which every object with a member that is a name is a row, however deep. Each of
 * them, and each object that has other declared members, is given to a function. Errors: E_DATA with the
 * pointer, as row_fail_json makes of the last event, those of the puller and of each. */
typedef roof_status (*row_call)(void *reading, const jsonpull *at, const table_row *row, roof_error *err);
roof_status row_read_json(import_state *in, jsonpull *puller, const row_field *fields, size_t n_fields,
                          row_call each, void *reading, roof_error *err);
roof_status row_fail_json(const jsonpull *at, const char *what, roof_error *err);

/* The one of comma, tab and semicolon that the line of headings has most of. */
enum { ANY_SEPARATOR = '*' };

/* A table of a tool, as its importer declares it; measure/import/tool_table.h reads it. */
typedef struct tool_table {
    const row_field *fields;
    size_t n_fields;
    char separator; /* ' ': runs of blanks, and cells have none in them; ANY_SEPARATOR */
    bool is_trace; /* a row without a count is one execution of what it names; else all that is known of it */
    bool is_in_order; /* rows stand in the order of execution: their places tell equal names apart */
    const char *end;  /* how a line begins that ends it, where neither rule nor empty line do; NULL: none */
    bool is_named_by_type;  /* a row without a name is called by its type */
    bool each_row_is_known; /* a row without a time is an error, not left out */
    roof_time_basis basis;
    roof_bytes_origin bytes;
    const char *cycles; /* the clock domain of ROW_CYCLES */
    const char *note;   /* remarks on every file of the tool, with "; " between them; NULL: there are none */
    /* Before the first line, what is not 0 there. NULL: all is. */
    roof_status (*begin)(struct reading *r, roof_error *err);
    /* Takes off a line, in place, the words of a logger or a frame around it; false: it is none. NULL:
     * there is no such thing. */
    bool (*plain)(import_line *line);
    /* Reads the lines that are in no table; NULL: they say nothing. */
    roof_status (*line)(struct reading *r, const import_line *line, roof_error *err);
    const line_field *lines; /* instead, of lines without the blanks around them */
    size_t n_lines;
    /* Says what a row means, in base units. An object of JSON that has declared members and no name is given,
     * too. A row that counts for nothing loses its name. NULL: all is as it stands there. */
    roof_status (*row)(struct reading *r, table_row *row, roof_error *err);
    /* Behind the last line, before runs are made: what only all rows together tell. NULL: nothing. */
    roof_status (*rows)(struct reading *r, roof_error *err);
    /* With the first run: totals, clocks, remarks. NULL: there are none. */
    roof_status (*finish)(struct reading *r, roof_run *run, roof_error *err);
    /* In place of line, row, rows and finish where nothing can fail. */
    void (*see_line)(struct reading *r, const import_line *line);
    void (*see_row)(struct reading *r, table_row *row);
    void (*see_rows)(struct reading *r);
    void (*tell)(struct reading *r, roof_run *run);
} tool_table;

/* A row without anything in it; and one to be kept in rows of the import. Errors: E_LIMIT for more than 2^18,
 * E_NO_MEMORY. */
table_row row_unknown(void);
roof_status row_keep(import_state *in, const table_row *row, roof_error *err);

/* The time of a row; and what a row says beside it, into the counters of a layer. Errors: E_NO_MEMORY. */
void row_set_times(const table_row *row, roof_times *times);
roof_status row_set_counters(import_state *in, const table_row *row, roof_measured_layer *layer,
                             roof_error *err);

/* Sets what a row says beside its times: type, device, place, bytes, cycles, and on what it rests, as
 * the importer's table declares. Errors: E_NO_MEMORY. */
roof_status row_describe(import_state *in, const table_row *row, roof_measured_layer *layer, roof_error *err);

/* The groups of the rows that are kept: the first one of every group in every table, and how many rows the
 * largest has. what: names groups in messages. Errors: E_LIMIT. */
enum { ROW_MAX_GROUPS = 64 };
typedef struct row_groups {
    const table_row *firsts[ROW_MAX_GROUPS];
    uint32_t n, most;
} row_groups;
roof_status row_find_groups(const import_state *in, const char *what, row_groups *out, roof_error *err);

/* A run of all kept rows like one, in order, and what they say together. Errors: as import_add_run. */
bool row_is_like(const table_row *a, const table_row *b); /* of one table, group and depth */
roof_status row_add_run(import_state *in, const table_row *like, roof_run_mode mode, roof_error *err);

/* A remark on a function of the CPU, which is no row: tools time it per call, and such functions nest. Beyond
 * MOST_FUNCTIONS they are only counted. Errors: E_DATA. */
enum { MOST_FUNCTIONS = 20 };
roof_status row_remark_function(import_state *in, text_span name, text_span calls, text_span mean_ms,
                                roof_error *err);

/* Clocks that rows or units tell; all 0: none yet. */
typedef struct row_clocks {
    double least_hz, most_hz;
} row_clocks;
void row_see_clock(row_clocks *c, double hz); /* 0 and NaN: unknown */

/* The clock of a domain of a run where those that were seen are the same but for rounding, by a hundredth;
 * else a remark. Errors: E_NO_MEMORY. */
roof_status row_add_clock(import_state *in, const row_clocks *c, roof_run *run, const char *domain,
                          roof_error *err);

/* Remarks on the first rows with a time by a counter of the hardware, which other profiles do not have. how:
 * it follows, behind a blank; may be empty. */
void row_remark_hardware_times(import_state *in, const char *how);

/* ---- rows of a table whose fields stand between separators, by the rules of RFC 4180 ----
 *
 * A field in quotes may hold separators, line ends and doubled quotes. Why a library (libcsv): what tools and
 * spreadsheets write breaks these rules in many ways, and it knows them.
 */

enum { TABLE_MAX_COLUMNS = 4096, TABLE_MAX_ROW_BYTES = 4 << 20 };

typedef struct table_reader table_reader;

/* NULL without memory. */
table_reader *table_new(char separator);
void table_free(table_reader *table);

/* Adds a line. *complete: it was the last one of a row, whose cells are there until the next line; false in
 * the middle of a quoted field and for an empty line.
 * Errors: E_DATA with the line (quotes that RFC 4180 does not allow), E_LIMIT, E_NO_MEMORY. */
roof_status table_feed(table_reader *table, const import_line *line, bool *complete, roof_error *err);

/* Behind the last line. Errors: E_DATA for a quoted field without an end. */
roof_status table_end(table_reader *table, roof_error *err);

size_t table_columns(const table_reader *table);
text_span table_cell(const table_reader *table, size_t column); /* trimmed; empty past the last one */
uint64_t table_read_line(const table_reader *table);            /* of the first line of the row */

/* ---- csvmap.c: which column of a table holds what: "name=Layer,time=Mean:ms,count=#4" ----
 *
 * Behind '=' stands the heading of a column, in quotes where it holds a comma, or '#' and its number from 1;
 * behind ':' the unit, which every quantity needs: a guess would be a wrong number. Cycles have a clock
 * domain, a clock, or both there: "cycles=total_cycle:dpu:300MHz".
 */

typedef struct map_entry {
    bool used;
    char heading[256]; /* empty: the column has a number only */
    uint32_t column;   /* from 0; ROOF_NONE until it is found by its heading */
    double scale;      /* of the unit */
    char domain[32];   /* of cycles */
    double clock_hz;   /* of that domain; 0: not stated */
} map_entry;

/* Keys of texts that tell rows apart, behind those of row_column: a model and its phase are an experiment. */
enum { MAP_MODEL = ROW_KEYS, MAP_PHASE, MAP_DEVICE, MAP_KEYS };

typedef struct csvmap {
    map_entry entries[MAP_KEYS];
} csvmap;

/* Errors: E_USAGE, naming the entry and what it lacks. */
roof_status csvmap_parse(const char *text, csvmap *out, roof_error *err);

/* The heading of an entry, or "#3". Returns buffer. */
const char *csvmap_column(const map_entry *entry, char buffer[SHOWN_SIZE]);

/* Refuses a table whose columns no map names: tells the widest row that there is, or NULL, and a map that
 * may fit it. Returns E_DATA or E_USAGE, or E_NO_MEMORY. */
roof_status csvmap_refuse(const table_reader *widest, bool has_map, roof_error *err);

/* A map that names no column, so that it is for no table, but the units of a file that prints numbers without
 * any: "time=us,bytes=MB". */
typedef struct csvmap_units {
    double per_second; /* units of a time in a second: 1e6 of "us"; 0: not stated */
    double bytes;      /* of a unit of a size: 1e6 of "MB", 1048576 of "MiB"; 0: not stated */
} csvmap_units;

/* Puts the meaning of a word into its member; false for no unit. "KB" is 1000 bytes and "KiB" is 1024. */
bool csvmap_unit_of(text_span word, csvmap_units *out);

/* True if a map holds units alone, which it gives to out (NULL: not needed). */
bool csvmap_is_units(const char *map, csvmap_units *out);
