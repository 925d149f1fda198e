/* measure/import/tool_table.h - importers that are tables: a tool declares its columns, and here they are
 * found by their headings, read, and become a run. Peculiarities of a tool stand in three small functions.
 *
 * A table begins at a line that has all headings that are needed, in any order, wherever in the file it
 * stands. It ends at an empty line or at one of dashes; another one may follow. Lines outside of tables are
 * chatter. Objects of a JSON document are rows likewise, by their keys.
 */
#pragma once

#include "measure/import/row.h"
#include "measure/import/timings.h"

/* Every such reading begins with this. An importer's own struct may go on behind it. */
typedef struct table_reading {
    import_state *in;
    const struct tool_table *table;
    table_reader *reader; /* NULL: cells stand between blanks */
    bool has_bars;        /* '|' is its separator */
    text_span *cells;
    text_span *placed; /* likewise, while they are told by the places of their headings */
    size_t *offsets;   /* of the headings, between blanks */
    row_layout layout;
    row_timings *timings; /* of a trace */
    table_row *firsts;    /* the first execution of each row of it */
    uint32_t n_firsts;
    uint32_t n_tables;     /* begun so far */
    row_timings totals;    /* of whole inferences, in one row; without one none was given */
    uint64_t iterations;   /* of a trace: of which the rows are; 0: their counts tell; ROOF_UNKNOWN: nobody */
    bool is_bypass;        /* there are no rows, but times of whole inferences */
    bool inside, is_empty; /* of a table; which has no row yet */
    bool is_framed;        /* bars stand before and behind its rows, and rules between them */
    uint64_t n_timeless, n_backwards;
} table_reading;

roof_status table_begin(struct reading *reading, roof_error *err);
roof_status table_line(struct reading *reading, const import_line *line, roof_error *err);
roof_status table_json(struct reading *reading, jsonpull *puller, roof_error *err);
roof_status table_finish(struct reading *reading, roof_error *err);
void table_stop(struct reading *reading);

/* For a trace whose rows get their times later, by timings_add: where a row lies in the timings and in rows
 * of the import. The tag tells equal names apart. Errors: those of timings_row_of. */
roof_status table_row_of(table_reading *r, const table_row *row, uint64_t tag, uint32_t *at, roof_error *err);

/* A row that stands in no table, and that the importer read itself: as if it stood in one. */
roof_status table_take_row(table_reading *r, table_row *row, roof_error *err);

/* One more whole inference's time: together they are the first run's total. Errors: those of timings_add. */
roof_status table_add_total(table_reading *r, double seconds, roof_error *err);

/* An importer_def of a table says this beside its id and marks: its reading, and members of the
 * tool_table. */
#define TABLE_OF(fields_) .fields = (fields_), .n_fields = sizeof(fields_) / sizeof *(fields_)
#define TABLE_WITH(type, ...)                                                                                \
    .table = &(const tool_table){__VA_ARGS__}, .reading_bytes = sizeof(type), .begin = table_begin,          \
    .finish = table_finish, .end = table_stop
#define TABLE_LINES(type, ...)  .line = table_line, TABLE_WITH(type, __VA_ARGS__)
#define TABLE_JSON(type, ...)   .json = table_json, TABLE_WITH(type, __VA_ARGS__)
#define TABLE_EITHER(type, ...) TABLE_LINES(type, __VA_ARGS__), .json = table_json /* by the first byte */
