/* measure/import/table.h - rows of a table whose fields stand between separators, by the rules of RFC 4180: a
 * field in quotes may hold separators, line ends and doubled quotes.
 *
 * Why a library (libcsv): what tools and spreadsheets write breaks these rules in many ways, and it knows
 * them.
 */
#ifndef ROOF_MEASURE_IMPORT_TABLE_H
#define ROOF_MEASURE_IMPORT_TABLE_H

#include "measure/import/fields.h"
#include "measure/import/lines.h"

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

#endif
