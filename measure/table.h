/* measure/table.h - rows of a table whose fields stand between separators, by the rules of RFC 4180: a field in quotes may
 * hold separators, line ends and doubled quotes.
 *
 * Why a library (libcsv): what tools and spreadsheets write breaks these rules in many ways, and it knows them.
 */
#ifndef ROOF_MEASURE_TABLE_H
#define ROOF_MEASURE_TABLE_H

#include "measure/fields.h"
#include "measure/lines.h"

enum { ROOF_TABLE_MAX_COLUMNS = 4096, ROOF_TABLE_MAX_ROW_BYTES = 4 << 20 };

typedef struct roof_table roof_table;

/* NULL without memory. */
roof_table *roof_table_new(char separator);
void roof_table_free(roof_table *table);

/* Adds a line. *complete: it was the last one of a row, whose cells are there until the next line; false in the middle of
 * a quoted field and for an empty line.
 * Errors: E_DATA with the line (quotes that RFC 4180 does not allow), E_LIMIT, E_NO_MEMORY. */
roof_status roof_table_feed(roof_table *table, const roof_line *line, bool *complete, roof_error *err);

/* Behind the last line. Errors: E_DATA for a quoted field without an end. */
roof_status roof_table_end(roof_table *table, roof_error *err);

size_t roof_table_columns(const roof_table *table);
roof_span roof_table_cell(const roof_table *table, size_t column); /* trimmed; empty past the last one */
uint64_t roof_table_line(const roof_table *table);                 /* of the first line of the row */

#endif
